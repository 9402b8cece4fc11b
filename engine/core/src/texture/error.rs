//! Texture errors: reasons to refuse a texture ([`TextureError`]), and reasons why lookups return (0,0,0,0)
//! ([`Incomplete`]).

use std::fmt;

use super::component::Numbers;
use super::format::Format;
use super::sampler::{MagFilter, MinFilter, Wrap};
use shadestep_language::ir::TextureTarget;

/// The reason why a texture, an image or a sampler is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum TextureError {
    /// An image side is beyond [`super::MAX_SIZE`].
    TooLarge {
        /// Width, height, depth.
        size: [usize; 3],
    },
    /// All levels together take more than [`super::MAX_BYTES`].
    TooManyBytes {
        /// Size of all levels in bytes.
        bytes: u64,
    },
    /// The pixel data is not width * height * depth * 4 components long.
    DataLength {
        /// Expected number of components.
        expected: usize,
        /// Actual number of components.
        actual: usize,
    },
    /// The image's shape is not allowed for the target.
    Shape {
        target: TextureTarget,
        /// Width, height, depth or samples.
        size: [usize; 3],
    },
    /// A level has the wrong number of faces for the target.
    Faces {
        target: TextureTarget,
        level: usize,
        /// Number of faces.
        faces: usize,
    },
    /// No levels, or more than [`super::MAX_LEVELS`].
    LevelCount {
        /// Number of levels.
        levels: usize,
    },
    /// The target does not allow this format.
    FormatTarget {
        /// The requested format.
        format: Format,
        target: TextureTarget,
    },
    /// Lookups do not support the format.
    NotSampled {
        /// A format of images alone.
        format: Format,
    },
    /// A selector of TEXTURE_SWIZZLE names no component.
    Swizzle,
    /// An integer format with an image of floats, or the reverse.
    PixelNumbers {
        /// The texture's format.
        format: Format,
    },
    /// Mipmaps cannot be generated for integer formats.
    IntegerMipmaps {
        /// The texture's format.
        format: Format,
    },
    /// A parameter is NaN.
    NotANumber {
        /// Name of the parameter.
        what: &'static str,
    },
    /// Anisotropy below 1.
    Anisotropy {
        /// TEXTURE_MAX_ANISOTROPY_EXT.
        value: f32,
    },
    /// RECT with a mipmap filter.
    RectFilter {
        /// TEXTURE_MIN_FILTER.
        filter: MinFilter,
    },
    /// RECT with a repeating wrap mode.
    RectWrap {
        /// TEXTURE_WRAP_S, _T or _R.
        wrap: Wrap,
    },
    /// A level other than 0 for a target without mipmaps.
    NoMipmaps {
        /// The texture's target.
        target: TextureTarget,
    },
    /// Mipmaps cannot be generated because the base level has no image.
    NoBaseLevel {
        /// TEXTURE_BASE_LEVEL.
        base_level: u32,
    },
}

impl fmt::Display for TextureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { size: [w, h, d] } => {
                write!(f, "an image of {w} x {h} x {d} texels is larger than {} on a side", super::MAX_SIZE)
            }
            Self::TooManyBytes { bytes } => {
                let limit = super::MAX_BYTES >> 20;
                write!(f, "the texture would take {} MiB; the limit is {limit} MiB", bytes >> 20)
            }
            Self::DataLength { expected, actual } => {
                write!(f, "the image needs {expected} components of pixel data, but {actual} were given")
            }
            Self::NotSampled { format } => {
                write!(
                    f,
                    "textures cannot have the format {}, so lookups cannot read this image",
                    format.name()
                )
            }
            Self::Shape { target, size: [.., samples] } if target.has_samples() => {
                write!(
                    f,
                    "{} {} texture has 1, 2, 4, 8 or 16 samples, not {samples}",
                    target.article(),
                    target.name()
                )
            }
            Self::Shape { target, size: [w, h, d] } => {
                let rule = match target.axes() {
                    1 => "one texel high and deep",
                    2 if target.is_cube() => "square and one texel deep",
                    2 => "one texel deep",
                    _ => "three-dimensional",
                };
                write!(f, "{} {} image must be {rule}, not {w} x {h} x {d}", target.article(), target.name())
            }
            Self::Faces { target: TextureTarget::Cube, level, faces } => {
                write!(f, "level {level} of a cube map needs 6 faces, but {faces} were given")
            }
            Self::Faces { target, level, faces } if target.layer().is_some() => {
                let each = if target.is_cube() { "6 faces for each layer, " } else { "" };
                let (article, name, most) = (target.article(), target.name(), super::MAX_LAYERS);
                write!(
                    f,
                    "level {level} of {article} {name} texture needs {each}1 to {most} layers, as many as level 0 has, but \
                     {faces} images were given"
                )
            }
            Self::Faces { target, level, faces } => {
                let (article, name) = (target.article(), target.name());
                write!(f, "level {level} of {article} {name} texture is one image, but {faces} were given")
            }
            Self::LevelCount { levels: 0 } => write!(f, "the texture has no image"),
            Self::LevelCount { levels } => {
                write!(f, "{levels} levels are too many: the limit is {}", super::MAX_LEVELS)
            }
            Self::FormatTarget { format, target } if target.has_samples() => write!(
                f,
                "{} textures need a format that can be rendered to, not {} (ARB_texture_multisample 3.8.4)",
                target.name(),
                format.name()
            ),
            Self::FormatTarget { format, target } if format.base().is_float_buffer() => write!(
                f,
                "floating-point formats such as {} exist only for RECT textures, not for {} (NV_float_buffer)",
                format.name(),
                target.name()
            ),
            Self::FormatTarget { format, target: TextureTarget::Buffer } => {
                write!(
                    f,
                    "buffer textures do not have the format {} (EXT_texture_buffer_object)",
                    format.name()
                )
            }
            Self::FormatTarget { format, target } => write!(
                f,
                "depth formats such as {} do not exist for {} textures (ARB_depth_texture, EXT_texture_array)",
                format.name(),
                target.name()
            ),
            Self::Swizzle => write!(f, "each component of a texture swizzle must be r, g, b, a, 0 or 1"),
            Self::PixelNumbers { format } => {
                let has = if format.numbers() == Numbers::Floats { "no integers" } else { "integers" };
                write!(f, "the format {} has {has}, unlike the image (EXT_texture_integer)", format.name())
            }
            Self::IntegerMipmaps { format } => {
                write!(f, "mipmaps cannot be generated for the integer format {}", format.name())
            }
            Self::NotANumber { what } => write!(f, "the {what} is not a number"),
            Self::Anisotropy { value } => {
                write!(f, "the maximum anisotropy must be at least 1, not {value}")
            }
            Self::RectFilter { filter } => write!(
                f,
                "a RECT texture has no mipmaps, so its minification filter must be NEAREST or LINEAR, not {}",
                filter.name()
            ),
            Self::RectWrap { wrap } => write!(
                f,
                "a RECT texture must wrap with CLAMP, CLAMP_TO_EDGE or CLAMP_TO_BORDER, not {}",
                wrap.name()
            ),
            Self::NoMipmaps { target } => {
                let (article, name) = (target.article(), target.name());
                write!(f, "{article} {name} texture has no mipmaps: level 0 is its only level")
            }
            Self::NoBaseLevel { base_level } => {
                write!(f, "mipmaps cannot be generated: base level {base_level} has no image")
            }
        }
    }
}

impl std::error::Error for TextureError {}

/// The reason why a texture is not complete (glspec15 3.8.10). Lookups then return (0,0,0,0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// The base level has no image, or one without texels.
    NoBaseLevel {
        /// TEXTURE_BASE_LEVEL.
        base_level: u32,
    },
    /// The minification filter needs mipmaps, and the base level is above the maximum level.
    BaseAboveMax {
        /// TEXTURE_BASE_LEVEL.
        base_level: u32,
        /// TEXTURE_MAX_LEVEL.
        max_level: u32,
    },
    /// The minification filter needs mipmaps, and this level is missing.
    MissingLevel {
        level: usize,
        /// The required size.
        expected: [usize; 3],
    },
    /// The minification filter needs mipmaps, and this level has the wrong size.
    LevelSize {
        level: usize,
        /// The face; 0 for targets other than CUBE.
        face: usize,
        /// The required size.
        expected: [usize; 3],
        /// The actual size.
        actual: [usize; 3],
    },
    /// The filters blend texels, but the format has integers.
    IntegerFilter {
        /// TEXTURE_MIN_FILTER.
        min_filter: MinFilter,
        /// TEXTURE_MAG_FILTER.
        mag_filter: MagFilter,
    },
    /// The six faces of the base level differ in size.
    FaceSize {
        /// The first face with another size than face 0.
        face: usize,
        /// Size of face 0.
        expected: [usize; 3],
        /// Size of this face.
        actual: [usize; 3],
    },
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = |[w, h, d]: [usize; 3]| format!("{w} x {h} x {d}");
        match *self {
            Self::NoBaseLevel { base_level } => write!(f, "the base level, {base_level}, has no image"),
            Self::IntegerFilter { min_filter, mag_filter } => write!(
                f,
                "integer textures need the minification filter NEAREST or NEAREST_MIPMAP_NEAREST and the magnification filter NEAREST; found {} and {}",
                min_filter.name(),
                mag_filter.name()
            ),
            Self::BaseAboveMax { base_level, max_level } => {
                write!(f, "the base level, {base_level}, is above the maximum level, {max_level}")
            }
            Self::MissingLevel { level, expected } => write!(
                f,
                "the minification filter uses mipmaps, but level {level} ({}) is missing",
                by(expected)
            ),
            Self::LevelSize { level, face, expected, actual } => write!(
                f,
                "level {level} (image {face}) should be {}, half the size of the level before, but is {}",
                by(expected),
                by(actual)
            ),
            Self::FaceSize { face, expected, actual } => write!(
                f,
                "the faces of a cube map must have the same size: face 0 is {}, face {face} is {}",
                by(expected),
                by(actual)
            ),
        }
    }
}
