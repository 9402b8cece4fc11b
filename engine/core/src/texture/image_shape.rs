//! Textures that programs write: what they are made of, and where each texel lies in their buffer.

use super::{ImageFormat, MAX_BUFFER_TEXELS, MAX_LAYERS, MAX_SIZE};
use shadestep_language::ir::{ImageAccess, TextureTarget, limits};

/// What a texture that programs write is made of. In memory its levels follow each other; in a level the layers do, of cube
/// maps the faces; in each of those slices and rows from the lowest; and the samples of a texel, in the order of the standard
/// positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageShape {
    target: TextureTarget,
    format: ImageFormat,
    /// Texels along each axis of each level, 1 where there is none.
    levels: Vec<[u32; 3]>,
    /// Layers, or faces of all cube maps.
    layers: u32,
    samples: u32,
}

/// What an image is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageSpec {
    /// Its target: one of [`ImageAccess::TARGETS`].
    pub target: TextureTarget,
    /// Its internal format.
    pub format: ImageFormat,
    /// Texels along each axis of level 0; those that the target has not are 1.
    pub size: [u32; 3],
    /// Layers of arrays, of ARRAYCUBE of six faces each; 1 of others.
    pub layers: u32,
    /// Samples of a texel: 1, 2, 4, 8 or 16; 1 of targets without.
    pub samples: u32,
    /// Levels, each half as large as the one before; 1 of targets without mipmaps.
    pub levels: u32,
}

/// Why there is no such image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeError {
    /// Images have no such target.
    Target,
    /// A side is 0 or too large, or of an axis that the target has not, or a face of a cube map is not square.
    Size,
    /// There are no layers, too many, or several of a target that has none.
    Layers,
    /// Not a number of samples, or several of a target that has one.
    Samples,
    /// There are no levels, more than down to a single texel, or several of a target without mipmaps.
    Levels,
    /// All of it would be larger than a buffer can be.
    Bytes,
}

impl std::fmt::Display for ShapeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Target => "an image cannot have this target",
            Self::Size => "an image of this target cannot have this size",
            Self::Layers => "an image of this target cannot have this number of layers",
            Self::Samples => "an image of this target cannot have this number of samples: 2DMS and ARRAY2DMS take 1, 2, 4, 8 or 16",
            Self::Levels => "an image of this size cannot have this number of levels",
            Self::Bytes => "the image would be too large",
        })
    }
}

impl ImageShape {
    /// Most bytes of an image.
    pub const MOST_BYTES: u64 = 1 << 27;

    /// The shape of an image.
    ///
    /// # Errors
    /// See [`ShapeError`].
    pub fn new(spec: ImageSpec) -> Result<Self, ShapeError> {
        let ImageSpec { target, format, size, layers, samples, levels } = spec;
        if !ImageAccess::TARGETS.contains(&target) {
            return Err(ShapeError::Target);
        }
        let most = if target == TextureTarget::Buffer { MAX_BUFFER_TEXELS } else { MAX_SIZE } as u32;
        let (used, rest) = size.split_at(target.axes());
        let square = !target.is_cube() || size[0] == size[1];
        let fits = used.iter().all(|side| (1..=most).contains(side)) && rest.iter().all(|&side| side == 1);
        if !fits || !square {
            return Err(ShapeError::Size);
        }
        let most = if target.layer().is_some() { MAX_LAYERS as u32 } else { 1 };
        if !(1..=most).contains(&layers) {
            return Err(ShapeError::Layers);
        }
        let taken = if target.has_samples() { u32::from(limits::IMAGE_SAMPLES) } else { 1 };
        if !samples.is_power_of_two() || samples > taken {
            return Err(ShapeError::Samples);
        }
        let chain = size.into_iter().max().unwrap_or(1).ilog2() + 1;
        if !(1..=if target.has_mipmaps() { chain } else { 1 }).contains(&levels) {
            return Err(ShapeError::Levels);
        }
        let half = |level: u32| size.map(|side| (side >> level).max(1));
        let layers = layers * target.faces() as u32;
        let shape = Self { target, format, levels: (0..levels).map(half).collect(), layers, samples };
        if shape.bytes() > Self::MOST_BYTES { Err(ShapeError::Bytes) } else { Ok(shape) }
    }

    /// The same with as many texels as are whole in `bytes`, of a target BUFFER; nothing of others, or if that is none.
    pub fn of_buffer(format: ImageFormat, bytes: u64) -> Option<Self> {
        let count = (bytes / format.bytes() as u64).min(MAX_BUFFER_TEXELS as u64);
        let size = [u32::try_from(count).ok()?, 1, 1];
        let (target, layers, samples, levels) = (TextureTarget::Buffer, 1, 1, 1);
        Self::new(ImageSpec { target, format, size, layers, samples, levels }).ok()
    }

    /// The target.
    pub const fn target(&self) -> TextureTarget {
        self.target
    }

    /// The internal format.
    pub const fn format(&self) -> ImageFormat {
        self.format
    }

    /// Texels along each axis of each level.
    pub fn levels(&self) -> &[[u32; 3]] {
        &self.levels
    }

    /// Layers, or faces of all cube maps.
    pub const fn layers(&self) -> u32 {
        self.layers
    }

    /// Samples of a texel.
    pub const fn samples(&self) -> u32 {
        self.samples
    }

    /// Bytes of one layer of a level.
    pub(crate) fn layer_bytes(&self, [width, height, depth]: [u32; 3]) -> u64 {
        let texels = u64::from(width) * u64::from(height) * u64::from(depth);
        texels.saturating_mul(u64::from(self.samples) * self.format.bytes() as u64)
    }

    /// Bytes of a level.
    fn level_bytes(&self, size: [u32; 3]) -> u64 {
        self.layer_bytes(size).saturating_mul(self.layers.into())
    }

    /// Bytes of level `level`; none if there is no such level.
    pub fn level_bytes_of(&self, level: usize) -> u64 {
        self.levels.get(level).map_or(0, |size| self.level_bytes(*size))
    }

    /// Bytes in all.
    pub fn bytes(&self) -> u64 {
        self.levels.iter().fold(0, |sum: u64, size| sum.saturating_add(self.level_bytes(*size)))
    }

    /// The byte at which a level begins.
    pub fn level_at(&self, level: usize) -> u64 {
        self.levels.iter().take(level).map(|size| self.level_bytes(*size)).sum()
    }

    /// The level and the coordinates of the texel that holds the byte at `offset`: as an access says them, so that z is the
    /// layer or face, w the sample. Nothing behind the last.
    pub fn texel_at(&self, offset: u64) -> Option<(usize, [u32; 4])> {
        let mut rest = offset;
        for (level, size) in self.levels.iter().enumerate() {
            let bytes = self.level_bytes(*size);
            if rest >= bytes {
                rest -= bytes;
                continue;
            }
            let mut number = rest / self.format.bytes() as u64;
            let mut next = |count: u32| {
                let at = number % u64::from(count);
                number /= u64::from(count);
                at as u32
            };
            let [width, height, depth] = *size;
            let w = next(self.samples);
            let (x, y, z) = (next(width), next(height), next(depth));
            let layer = next(self.layers);
            return Some((level, [x, y, z.max(layer), w]));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shadestep_language::ir::TextureTarget::{
        Array1D, Array2D, Buffer, Cube, D1, D2, D3, Multisample2D, Rect,
    };

    fn spec(target: TextureTarget, size: [u32; 3]) -> ImageSpec {
        ImageSpec { target, format: ImageFormat::Rg8, size, layers: 1, samples: 1, levels: 1 }
    }

    fn shape(spec: ImageSpec) -> ImageShape {
        ImageShape::new(spec).unwrap()
    }

    #[test]
    fn levels_halve_and_follow_each_other() {
        let shape = shape(ImageSpec { layers: 3, levels: 3, ..spec(Array2D, [5, 4, 1]) });
        assert_eq!(shape.levels(), [[5, 4, 1], [2, 2, 1], [1, 1, 1]]);
        assert_eq!([0, 1, 2].map(|level| shape.level_at(level)), [0, 120, 144]);
        assert_eq!(shape.bytes(), 150);
        assert_eq!(ImageShape::of_buffer(ImageFormat::R32Ui, 15).unwrap().levels(), [[3, 1, 1]]);
        assert_eq!(ImageShape::of_buffer(ImageFormat::R32Ui, 3), None);
    }

    #[test]
    fn what_a_target_has_not_is_refused() {
        let fault = |spec: ImageSpec| ImageShape::new(spec).unwrap_err();
        assert_eq!(fault(spec(TextureTarget::Shadow2D, [1; 3])), ShapeError::Target);
        for (target, size) in [(D1, [2, 2, 1]), (D2, [0, 2, 1]), (D2, [2, 2, 2]), (Cube, [2, 3, 1])] {
            assert_eq!(fault(spec(target, size)), ShapeError::Size);
        }
        assert_eq!(fault(spec(D2, [16385, 1, 1])), ShapeError::Size);
        assert_eq!(fault(ImageSpec { layers: 2, ..spec(D2, [1; 3]) }), ShapeError::Layers);
        assert_eq!(fault(ImageSpec { layers: 0, ..spec(Array1D, [1; 3]) }), ShapeError::Layers);
        assert_eq!(fault(ImageSpec { samples: 2, ..spec(D2, [1; 3]) }), ShapeError::Samples);
        assert_eq!(fault(ImageSpec { samples: 3, ..spec(Multisample2D, [1; 3]) }), ShapeError::Samples);
        assert_eq!(fault(ImageSpec { levels: 2, ..spec(Rect, [4, 4, 1]) }), ShapeError::Levels);
        assert_eq!(fault(ImageSpec { levels: 4, ..spec(D2, [4, 4, 1]) }), ShapeError::Levels);
        assert_eq!(fault(spec(D3, [4096, 4096, 16])), ShapeError::Bytes);
        assert!(ImageShape::new(spec(Buffer, [1 << 20, 1, 1])).is_ok());
    }
}
