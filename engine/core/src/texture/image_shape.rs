//! The shape of textures that programs write, and the position of each texel in their buffer.

use super::{ImageFormat, MAX_BUFFER_TEXELS, MAX_LAYERS, MAX_SIZE};
use shadestep_language::ir::{ImageAccess, TextureTarget, limits};

/// The shape of a texture that programs write. In memory, levels follow each other. Within a level, layers
/// follow each other (faces for cube maps), within a layer slices and rows from the lowest, and within a
/// texel the samples, in the order of the standard positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageShape {
    target: TextureTarget,
    format: ImageFormat,
    /// Texels along each axis of each level. Axes that the target does not have are 1.
    levels: Vec<[u32; 3]>,
    /// Number of layers, or of the faces of all cube maps.
    layers: u32,
    samples: u32,
}

/// The parameters of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageSpec {
    /// The target: one of [`ImageAccess::TARGETS`].
    pub target: TextureTarget,
    pub format: ImageFormat,
    /// Texels along each axis of level 0. Axes that the target does not have are 1.
    pub size: [u32; 3],
    /// Layers of an array; for ARRAYCUBE, each layer has six faces. 1 for other targets.
    pub layers: u32,
    /// Samples per texel: 1, 2, 4, 8 or 16. 1 for targets without samples.
    pub samples: u32,
    /// Number of levels, each half as large as the level before. 1 for targets without mipmaps.
    pub levels: u32,
}

/// The reason why an image is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeError {
    /// Images do not support this target.
    Target,
    /// A side is 0 or too large, an axis that the target does not have is not 1, or a face of a cube map is
    /// not square.
    Size,
    /// No layers, too many layers, or several layers for a target without layers.
    Layers,
    /// An invalid number of samples, or several samples for a target without samples.
    Samples,
    /// No levels, more levels than a full chain has, or several levels for a target without mipmaps.
    Levels,
    /// The image would be larger than a buffer can be.
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
    /// Maximum size of an image in bytes.
    pub const MOST_BYTES: u64 = 1 << 27;

    /// The shape of an image.
    /// Checks the parameters and computes the shape.
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

    /// The shape of target BUFFER with as many complete texels as fit in `bytes`. `None` if no texel fits.
    pub fn of_buffer(format: ImageFormat, bytes: u64) -> Option<Self> {
        let count = (bytes / format.bytes() as u64).min(MAX_BUFFER_TEXELS as u64);
        let size = [u32::try_from(count).ok()?, 1, 1];
        let (target, layers, samples, levels) = (TextureTarget::Buffer, 1, 1, 1);
        Self::new(ImageSpec { target, format, size, layers, samples, levels }).ok()
    }

    pub const fn target(&self) -> TextureTarget {
        self.target
    }

    pub const fn format(&self) -> ImageFormat {
        self.format
    }

    /// Texels along each axis, for each level.
    pub fn levels(&self) -> &[[u32; 3]] {
        &self.levels
    }

    /// Number of layers, or of the faces of all cube maps.
    pub const fn layers(&self) -> u32 {
        self.layers
    }

    /// Samples per texel.
    pub const fn samples(&self) -> u32 {
        self.samples
    }

    /// Size of one layer of a level in bytes.
    pub(crate) fn layer_bytes(&self, [width, height, depth]: [u32; 3]) -> u64 {
        let texels = u64::from(width) * u64::from(height) * u64::from(depth);
        texels.saturating_mul(u64::from(self.samples) * self.format.bytes() as u64)
    }

    /// Size of a level in bytes.
    fn level_bytes(&self, size: [u32; 3]) -> u64 {
        self.layer_bytes(size).saturating_mul(self.layers.into())
    }

    /// Size of level `level` in bytes; 0 if there is no such level.
    pub fn level_bytes_of(&self, level: usize) -> u64 {
        self.levels.get(level).map_or(0, |size| self.level_bytes(*size))
    }

    /// Size of the image in bytes.
    pub fn bytes(&self) -> u64 {
        self.levels.iter().fold(0, |sum: u64, size| sum.saturating_add(self.level_bytes(*size)))
    }

    /// Offset of a level in bytes.
    pub fn level_at(&self, level: usize) -> u64 {
        self.levels.iter().take(level).map(|size| self.level_bytes(*size)).sum()
    }

    /// The level and the coordinates of the texel that contains the byte at `offset`. Coordinates are as in
    /// an image access: z is the layer or face, w the sample. `None` beyond the last texel.
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
