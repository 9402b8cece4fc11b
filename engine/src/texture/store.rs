//! Texels in memory: all levels and faces of a texture in one vector, as the filters read them.
//!
//! Unsigned bytes stay bytes, packed in a `u32` (component 0 in the low byte); filters work in units of
//! 1/255 and divide once at the end. Everything else is decoded to `f32` when the texture is made.
//!
//! Where the levels halve as a mipmap's do, those of flat textures are laid out so that level
//! `l` of a `w` x `h` texture begins at texel `2A - (2A >> l)`, A = w h: shifts instead of a table for
//! the fast path, at the price of half as much again of memory.

use super::error::TextureError;
use super::format::{Format, Kind};
use super::image::{Image, Pixels};

/// One level of one face before it is put with the others.
#[derive(Clone, Debug)]
pub(super) struct Plane {
    /// Width, height, depth.
    pub size: [usize; 3],
    /// Texels.
    pub texels: Texels,
}

/// Texels, x fastest.
#[derive(Clone, Debug)]
pub(super) enum Texels {
    /// A texel a word, component c in bits 8c to 8c+7.
    Packed(Vec<u32>),
    /// Components of a texel next to one another.
    Float(Vec<f32>),
}

/// Where a level lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelInfo {
    /// Sizes of the faces' images; one for other targets than CUBE. [0,0,0] where there is none.
    pub size: [[usize; 3]; 6],
    /// First texel of each face.
    pub offset: [usize; 6],
}

/// All texels of a texture.
#[derive(Clone, Debug)]
pub(super) struct Store {
    /// Levels from 0.
    pub levels: Vec<LevelInfo>,
    /// Faces: 6 or 1.
    pub faces: usize,
    /// Components of a texel.
    pub components: usize,
    /// The texels.
    pub texels: Texels,
    /// Texels from one face to the next where the closed-form layout is used.
    pub regular_face: Option<usize>,
}

/// Number of texels of an image.
fn count(size: [usize; 3]) -> usize {
    size[0] * size[1] * size[2]
}

/// The size of the level after one of `size`: halved, rounded down, at least 1 (sigma of 3.8.8, and
/// rounding as ARB_texture_non_power_of_two has it).
pub(super) fn half(size: [usize; 3]) -> [usize; 3] {
    size.map(|n| (n / 2).max(1))
}

impl Plane {
    /// Converts an image to `format`.
    pub(super) fn from_image(image: &Image, format: Format) -> Self {
        let sources = format.base().pixel_components();
        let kinds = format.kinds();
        let texels = if format.is_unorm8() {
            let pack = |byte: &dyn Fn(usize) -> u8| {
                sources.iter().enumerate().fold(0, |word, (c, &s)| word | u32::from(byte(s)) << (8 * c))
            };
            Texels::Packed(match image.pixels() {
                Pixels::Unsigned(data) => data.chunks_exact(4).map(|p| pack(&|s| p[s])).collect(),
                Pixels::Biased(data) => {
                    data.chunks_exact(4).map(|p| pack(&|s| Kind::byte(unbias(p[s])))).collect()
                }
                Pixels::Float(data) => {
                    data.chunks_exact(4).map(|p| pack(&|s| Kind::byte(f64::from(p[s])))).collect()
                }
            })
        } else {
            let mut out = Vec::with_capacity(count(image.size()) * kinds.len());
            let mut push = |value: &dyn Fn(usize) -> f64| {
                for (&source, kind) in sources.iter().zip(kinds) {
                    out.push(kind.quantise(value(source)));
                }
            };
            match image.pixels() {
                Pixels::Unsigned(data) => {
                    data.chunks_exact(4).for_each(|p| push(&|s| f64::from(p[s]) / 255.0));
                }
                Pixels::Biased(data) => data.chunks_exact(4).for_each(|p| push(&|s| unbias(p[s]))),
                Pixels::Float(data) => data.chunks_exact(4).for_each(|p| push(&|s| f64::from(p[s]))),
            }
            Texels::Float(out)
        };
        Self { size: image.size(), texels }
    }
}

/// The signed value of a biased byte.
fn unbias(byte: u8) -> f64 {
    (f64::from(byte) - 128.0) / 128.0
}

impl Store {
    /// Puts levels of faces together. Every level has the same number of faces, 1 or 6.
    ///
    /// # Errors
    /// More than [`super::MAX_BYTES`].
    pub(super) fn new(levels: &[Vec<Plane>], format: Format, flat: Flatness) -> Result<Self, TextureError> {
        let components = format.kinds().len();
        let packed = format.is_unorm8();
        let faces = levels.first().map_or(1, Vec::len);
        let base = levels.first().and_then(|l| l.first()).map_or([0; 3], |p| p.size);
        let regular = flat == Flatness::Flat && halves(levels);
        let face_slots = if regular { 2 * count(base) } else { 0 };
        let mut infos = Vec::with_capacity(levels.len());
        let mut end = face_slots * faces;
        for (l, planes) in levels.iter().enumerate() {
            let mut info = LevelInfo { size: [[0; 3]; 6], offset: [0; 6] };
            for (face, plane) in planes.iter().enumerate() {
                info.size[face] = plane.size;
                info.offset[face] = if regular {
                    face * face_slots + face_slots - (face_slots >> l)
                } else {
                    let begin = end;
                    end += count(plane.size);
                    begin
                };
            }
            infos.push(info);
        }
        let bytes = end as u64 * if packed { 4 } else { 4 * components as u64 };
        if bytes > super::MAX_BYTES {
            return Err(TextureError::TooManyBytes { bytes });
        }
        let mut texels =
            if packed { Texels::Packed(vec![0; end]) } else { Texels::Float(vec![0.0; end * components]) };
        for (info, planes) in infos.iter().zip(levels) {
            for (face, plane) in planes.iter().enumerate() {
                let begin = info.offset[face];
                match (&mut texels, &plane.texels) {
                    (Texels::Packed(all), Texels::Packed(some)) => {
                        all[begin..begin + some.len()].copy_from_slice(some);
                    }
                    (Texels::Float(all), Texels::Float(some)) => {
                        let begin = begin * components;
                        all[begin..begin + some.len()].copy_from_slice(some);
                    }
                    // Planes are made by `from_image` or from a store of this same format.
                    (Texels::Packed(_), Texels::Float(_)) | (Texels::Float(_), Texels::Packed(_)) => {}
                }
            }
        }
        let regular_face = regular.then_some(face_slots);
        Ok(Self { levels: infos, faces, components, texels, regular_face })
    }

    /// One level of one face taken out again.
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
        };
        Plane { size, texels }
    }

    /// The components of a texel, in store units (bytes as 0 to 255); those beyond the format's are 0.
    /// `index` counts texels from the beginning of the store.
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
        }
        out
    }

    /// What a stored component is divided by in the end.
    pub(super) fn unit(&self) -> f32 {
        match self.texels {
            Texels::Packed(_) => 255.0,
            Texels::Float(_) => 1.0,
        }
    }
}

/// Whether images can have depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flatness {
    /// 1D, 2D, CUBE, RECT.
    Flat,
    /// 3D.
    Deep,
}

/// Whether every level exists and has half the size of the one before, on all faces.
fn halves(levels: &[Vec<Plane>]) -> bool {
    let Some(mut expected) = levels.first().and_then(|l| l.first()).map(|p| p.size) else { return false };
    for planes in levels {
        if count(expected) == 0 || planes.iter().any(|p| p.size != expected) {
            return false;
        }
        expected = half(expected);
    }
    true
}
