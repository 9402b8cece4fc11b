//! Texels in memory: all levels and faces of a texture in one vector, in the form that filters read.
//!
//! Formats of unsigned components with 1, 2, 4 or 8 bits are stored as bytes of the same value, packed in a
//! `u32` (component 0 in the low byte). Filters work in units of 1/255 and divide once at the end. Integers
//! are stored as `u32`, by their sign. All other formats are decoded to `f32` when the texture is made.
//!
//! If the levels halve regularly, level `l` of a `w` x `h` x `d` texture begins at texel `2A - (2A >> l)`,
//! with A = w h d. Lookups then need shifts instead of a table, at the price of half as much memory again. (A
//! level has at most `A >> l` texels, because at least one side is halved each time.)
//! One extra texel follows the last, so that lookups can read pairs of adjacent texels.

use super::component::{Component, Numbers};
use super::error::TextureError;
use super::format::Format;
use super::image::{Image, Pixels};
use shadestep_language::num::fp32::{canonical, flush};
use std::ops::RangeInclusive;

/// One level of one face, before it is stored with the others.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    /// Width, height, depth.
    pub size: [usize; 3],
    pub texels: Texels,
}

/// Texels, x fastest.
#[derive(Clone, Debug)]
pub(super) enum Texels {
    /// One texel per word, component c in bits 8c to 8c+7.
    Packed(Vec<u32>),
    /// fp32 components, the components of a texel consecutively.
    Float(Vec<f32>),
    /// Integer bits, the components of a texel consecutively.
    Integers(Vec<u32>),
}

/// The position of a level in the store.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LevelInfo {
    /// Sizes of the faces' images: six for a cube map, for arrays the faces of all layers. [0,0,0] for
    /// missing images.
    pub size: Vec<[usize; 3]>,
    /// First texel of each face.
    pub offset: Vec<usize>,
}

/// All texels of a texture.
#[derive(Clone, Debug)]
pub(super) struct Store {
    /// Levels, starting at level 0.
    pub levels: Vec<LevelInfo>,
    /// Number of faces of all layers.
    pub faces: usize,
    /// Components per texel.
    pub components: usize,
    pub texels: Texels,
    /// Whether no texel is a denorm or a NaN other than the canonical one. Each component is then a valid
    /// result unchanged.
    pub exact: bool,
    /// The closed-form layout, if the levels halve regularly.
    pub regular: Option<Regular>,
}

/// Number of texels of an image.
fn count(size: [usize; 3]) -> usize {
    size[0] * size[1] * size[2]
}

/// The size of the next smaller level: halved, rounded down, at least 1 (sigma of 3.8.8, with the rounding of
/// ARB_texture_non_power_of_two).
pub(super) fn half(size: [usize; 3]) -> [usize; 3] {
    size.map(|n| (n / 2).max(1))
}

impl Plane {
    /// Converts an image to `format`.
    pub(super) fn from_image(image: &Image, format: Format) -> Self {
        let sources = format.base().pixel_components();
        let components = format.components();
        let texels = if format.numbers() != Numbers::Floats {
            let mut out = Vec::with_capacity(count(image.size()) * components.len());
            let mut push = |value: &dyn Fn(usize) -> i64| {
                out.extend(format.integers(value)[..components.len()].iter().map(|value| value.to_bits()));
            };
            match image.pixels() {
                Pixels::SignedIntegers(data) => data.chunks_exact(4).for_each(|p| push(&|s| p[s].into())),
                Pixels::UnsignedIntegers(data) => data.chunks_exact(4).for_each(|p| push(&|s| p[s].into())),
                // Already refused, except for images without pixels.
                Pixels::Unsigned(_) | Pixels::Biased(_) | Pixels::Float(_) => {}
            }
            Texels::Integers(out)
        } else if format.is_packed() {
            let pack = |byte: &dyn Fn(usize, Component) -> u8| {
                let bytes =
                    sources.iter().zip(components).map(|(&source, &component)| byte(source, component));
                bytes.enumerate().fold(0, |word, (c, byte)| word | u32::from(byte) << (8 * c))
            };
            Texels::Packed(match image.pixels() {
                Pixels::Unsigned(data) => data
                    .chunks_exact(4)
                    .map(|p| {
                        pack(&|s, component| match component {
                            Component::Unorm(8) => p[s],
                            _ => component.byte(unsigned(p[s])),
                        })
                    })
                    .collect(),
                Pixels::Biased(data) => {
                    data.chunks_exact(4).map(|p| pack(&|s, component| component.byte(unbias(p[s])))).collect()
                }
                Pixels::Float(data) => data
                    .chunks_exact(4)
                    .map(|p| pack(&|s, component| component.byte(f64::from(p[s]))))
                    .collect(),
                Pixels::SignedIntegers(_) | Pixels::UnsignedIntegers(_) => Vec::new(),
            })
        } else {
            let mut out = Vec::with_capacity(count(image.size()) * components.len());
            let mut push = |value: &dyn Fn(usize) -> f64| {
                let mut values = [0.0; 4];
                for (out, &source) in values.iter_mut().zip(sources) {
                    *out = value(source);
                }
                out.extend_from_slice(&format.quantise(values)[..components.len()]);
            };
            match image.pixels() {
                Pixels::Unsigned(data) => {
                    data.chunks_exact(4).for_each(|p| push(&|s| unsigned(p[s])));
                }
                Pixels::Biased(data) => data.chunks_exact(4).for_each(|p| push(&|s| unbias(p[s]))),
                // Copied, because textures made from frames are converted for every frame.
                Pixels::Float(data) if format == Format::Rgba32F => out.extend_from_slice(data),
                Pixels::Float(data) => data.chunks_exact(4).for_each(|p| push(&|s| f64::from(p[s]))),
                Pixels::SignedIntegers(_) | Pixels::UnsignedIntegers(_) => {}
            }
            Texels::Float(out)
        };
        Self { size: image.size(), texels }
    }
}

/// The value of an unsigned byte.
fn unsigned(byte: u8) -> f64 {
    f64::from(byte) / 255.0
}

/// The signed value of a biased byte.
fn unbias(byte: u8) -> f64 {
    (f64::from(byte) - 128.0) / 128.0
}

/// The layout of a store.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    levels: Vec<LevelInfo>,
    /// Number of texels of all levels.
    texels: usize,
    regular: Option<Regular>,
}

/// The variant of [`Texels`] that a store uses.
#[derive(Clone, Copy)]
enum Kept {
    Packed,
    Float,
    Integers,
}

/// The closed-form layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Regular {
    /// 2A: a level begins at texel `slots - (slots >> level)` of its face.
    pub slots: usize,
    /// Distance between faces in texels.
    pub face_stride: usize,
}

impl Layout {
    /// The layout for levels with faces of these sizes. Every level must have the same number of faces.
    pub(super) fn new(sizes: &[Vec<[usize; 3]>]) -> Self {
        let regular = halves(sizes).then(|| {
            let slots = 2 * count(sizes[0][0]);
            let last = sizes.len() - 1;
            Regular { slots, face_stride: slots - (slots >> last) + count(sizes[last][0]) }
        });
        let mut end = 0;
        let mut levels = Vec::with_capacity(sizes.len());
        for (l, faces) in sizes.iter().enumerate() {
            let mut info = LevelInfo::default();
            for (face, &size) in faces.iter().enumerate() {
                let offset = match regular {
                    Some(Regular { slots, face_stride }) => face * face_stride + slots - (slots >> l),
                    None => end,
                };
                info.size.push(size);
                info.offset.push(offset);
                end = end.max(offset + count(size));
            }
            levels.push(info);
        }
        Self { levels, texels: end, regular }
    }

    /// The layout, if it is within the limit on bytes.
    ///
    /// # Errors
    /// If the texels take more than [`super::MAX_BYTES`].
    pub(super) fn within_limit(self, format: Format) -> Result<Self, TextureError> {
        let bytes = self.bytes(format);
        if bytes > super::MAX_BYTES { Err(TextureError::TooManyBytes { bytes }) } else { Ok(self) }
    }

    fn of(levels: &[Vec<Plane>]) -> Self {
        let sizes: Vec<Vec<[usize; 3]>> =
            levels.iter().map(|faces| faces.iter().map(|plane| plane.size).collect()).collect();
        Self::new(&sizes)
    }

    /// Size of the texels in bytes.
    pub(super) fn bytes(&self, format: Format) -> u64 {
        let texel_bytes = if format.is_packed() { 4 } else { 4 * format.components().len() };
        self.texels as u64 * texel_bytes as u64
    }
}

impl Store {
    /// Combines levels of faces into a store.
    ///
    /// # Errors
    /// As [`Layout::within_limit`].
    pub(super) fn new(levels: &[Vec<Plane>], format: Format) -> Result<Self, TextureError> {
        let layout = Layout::of(levels).within_limit(format)?;
        let kept = match format.numbers() {
            Numbers::Signed | Numbers::Unsigned => Kept::Integers,
            Numbers::Floats if format.is_packed() => Kept::Packed,
            Numbers::Floats => Kept::Float,
        };
        Ok(Self::in_layout(layout, levels, format.components().len(), kept))
    }

    /// A store of these levels alone, in the closed-form layout. The levels must halve regularly.
    pub(super) fn part(&self, levels: RangeInclusive<usize>) -> (Self, Regular) {
        let planes = |level| (0..self.faces).map(|face| self.plane(level, face)).collect();
        let planes: Vec<Vec<Plane>> = levels.map(planes).collect();
        let kept = match self.texels {
            Texels::Packed(_) => Kept::Packed,
            Texels::Float(_) => Kept::Float,
            Texels::Integers(_) => Kept::Integers,
        };
        let layout = Layout::of(&planes);
        let regular = layout.regular.unwrap_or(Regular { slots: 0, face_stride: 0 });
        (Self::in_layout(layout, &planes, self.components, kept), regular)
    }

    fn in_layout(layout: Layout, levels: &[Vec<Plane>], components: usize, kept: Kept) -> Self {
        let mut texels = match kept {
            Kept::Packed => Texels::Packed(vec![0; layout.texels + 1]),
            Kept::Float => Texels::Float(vec![0.0; (layout.texels + 1) * components]),
            Kept::Integers => Texels::Integers(vec![0; (layout.texels + 1) * components]),
        };
        for (info, planes) in layout.levels.iter().zip(levels) {
            for (&begin, plane) in info.offset.iter().zip(planes) {
                match (&mut texels, &plane.texels) {
                    (Texels::Packed(all), Texels::Packed(some)) => {
                        all[begin..begin + some.len()].copy_from_slice(some);
                    }
                    (Texels::Float(all), Texels::Float(some)) => {
                        let begin = begin * components;
                        all[begin..begin + some.len()].copy_from_slice(some);
                    }
                    (Texels::Integers(all), Texels::Integers(some)) => {
                        let begin = begin * components;
                        all[begin..begin + some.len()].copy_from_slice(some);
                    }
                    // Planes come from `from_image`, or from a store of the same format.
                    (Texels::Packed(_) | Texels::Float(_) | Texels::Integers(_), _) => {}
                }
            }
        }
        let exact = match &texels {
            // A fold over all texels vectorises; a search for the first would not.
            Texels::Float(all) => {
                !all.iter().fold(false, |found, &x| found | (flush(canonical(x)).to_bits() != x.to_bits()))
            }
            Texels::Packed(_) | Texels::Integers(_) => true,
        };
        let faces = levels.first().map_or(1, Vec::len);
        Self { levels: layout.levels, faces, components, texels, exact, regular: layout.regular }
    }

    /// Size of the texels in bytes, without the extra texel.
    pub(super) fn bytes(&self) -> u64 {
        let (words, spare) = match &self.texels {
            Texels::Packed(all) => (all.len(), 1),
            Texels::Float(all) => (all.len(), self.components),
            Texels::Integers(all) => (all.len(), self.components),
        };
        4 * (words - spare) as u64
    }

    /// A copy of one level of one face.
    pub(super) fn plane(&self, level: usize, face: usize) -> Plane {
        let info = &self.levels[level];
        let size = info.size[face];
        let begin = info.offset[face];
        let n = count(size);
        let texels = match &self.texels {
            Texels::Packed(all) => Texels::Packed(all[begin..begin + n].to_vec()),
            Texels::Float(all) => {
                Texels::Float(all[begin * self.components..(begin + n) * self.components].to_vec())
            }
            Texels::Integers(all) => {
                Texels::Integers(all[begin * self.components..(begin + n) * self.components].to_vec())
            }
        };
        Plane { size, texels }
    }

    /// The components of a texel, in store units (bytes as 0 to 255, integers as their bits). Components that
    /// the format does not have are 0. `index` counts texels from the start of the store.
    #[inline]
    pub(super) fn texel(&self, index: usize) -> [f32; 4] {
        let mut out = [0.0; 4];
        match &self.texels {
            Texels::Packed(all) => {
                for (out, byte) in out.iter_mut().zip(all[index].to_le_bytes()) {
                    *out = f32::from(byte);
                }
            }
            Texels::Float(all) => {
                let begin = index * self.components;
                out[..self.components].copy_from_slice(&all[begin..begin + self.components]);
            }
            Texels::Integers(all) => {
                let begin = index * self.components;
                let stored = &all[begin..begin + self.components];
                out.iter_mut().zip(stored).for_each(|(out, &bits)| *out = f32::from_bits(bits));
            }
        }
        out
    }

    /// The divisor that turns store units into results.
    pub(super) fn unit(&self) -> f32 {
        match self.texels {
            Texels::Packed(_) => 255.0,
            Texels::Float(_) | Texels::Integers(_) => 1.0,
        }
    }
}

/// Whether every level exists and has half the size of the previous level, on all faces.
fn halves(levels: &[Vec<[usize; 3]>]) -> bool {
    let Some(&(mut expected)) = levels.first().and_then(|faces| faces.first()) else { return false };
    for faces in levels {
        if count(expected) == 0 || faces.iter().any(|&size| size != expected) {
            return false;
        }
        expected = half(expected);
    }
    true
}
