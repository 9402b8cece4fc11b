//! Samplers: texture parameters (glspec15 table 3.19) and the anisotropy of EXT_texture_filter_anisotropic.

use super::TextureError;
use crate::compare::CompareFunc;
use shadestep_language::ir::{Swizzle, TextureTarget};

/// Maximum magnitude of the LOD bias (MAX_TEXTURE_LOD_BIAS). Larger values are clamped.
pub const MAX_LOD_BIAS: f32 = 16.0;

/// Maximum degree of anisotropy (MAX_TEXTURE_MAX_ANISOTROPY_EXT). Larger values are clamped.
pub const MAX_ANISOTROPY: f32 = 16.0;

shadestep_language::named_enum! {
    /// Wrap modes, glspec15 3.8.7.
    #[derive(Default)]
    pub enum Wrap {
        #[default]
        Repeat = "REPEAT",
        /// Clamps coordinates to `[0,1]`, so linear filters blend with the border colour.
        Clamp = "CLAMP",
        ClampToEdge = "CLAMP_TO_EDGE",
        ClampToBorder = "CLAMP_TO_BORDER",
        MirroredRepeat = "MIRRORED_REPEAT",
    }

    /// Minification filters, glspec15 3.8.8.
    #[derive(Default)]
    pub enum MinFilter {
        Nearest = "NEAREST",
        Linear = "LINEAR",
        NearestMipmapNearest = "NEAREST_MIPMAP_NEAREST",
        LinearMipmapNearest = "LINEAR_MIPMAP_NEAREST",
        #[default]
        NearestMipmapLinear = "NEAREST_MIPMAP_LINEAR",
        LinearMipmapLinear = "LINEAR_MIPMAP_LINEAR",
    }
}

impl MinFilter {
    /// Whether the filter reads levels other than the base level.
    pub const fn is_mipmapped(self) -> bool {
        !matches!(self, Self::Nearest | Self::Linear)
    }

    /// The filter within one level.
    pub(super) const fn within_level(self) -> MagFilter {
        match self {
            Self::Nearest | Self::NearestMipmapNearest | Self::NearestMipmapLinear => MagFilter::Nearest,
            Self::Linear | Self::LinearMipmapNearest | Self::LinearMipmapLinear => MagFilter::Linear,
        }
    }
}

shadestep_language::named_enum! {
    /// Magnification filters, glspec15 3.8.9.
    #[derive(Default)]
    pub enum MagFilter {
        Nearest = "NEAREST",
        #[default]
        Linear = "LINEAR",
    }

    /// The texels that filters read beyond the edge of a cube map's face (TEXTURE_CUBE_MAP_SEAMLESS, glspec40
    /// 3.9.10).
    #[derive(Default)]
    pub enum CubeEdges {
        /// Each face is a separate image, subject to the wrap modes.
        #[default]
        Wrapped = "WRAPPED",
        /// Texels of the neighbouring face.
        Seamless = "SEAMLESS",
    }

    /// The row of Table X.5 for depth textures (DEPTH_TEXTURE_MODE).
    #[derive(Default)]
    pub enum DepthMode {
        #[default]
        Luminance = "LUMINANCE",
        Alpha = "ALPHA",
        Intensity = "INTENSITY",
        /// Added by ARB_texture_rg.
        Red = "RED",
    }
}

/// A border colour in the data type that it was specified in (EXT_texture_integer 3.8.4). If the texture has
/// another data type, the border is undefined: here 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BorderColor {
    /// TexParameter. Each component is clamped to the format's range on use.
    Floats([f32; 4]),
    /// TexParameterIivEXT. Clamped likewise.
    Signed([i32; 4]),
    /// TexParameterIuivEXT. Clamped likewise.
    Unsigned([u32; 4]),
}

impl BorderColor {
    fn has_nan(&self) -> bool {
        match self {
            Self::Floats(values) => values.iter().any(|v| v.is_nan()),
            Self::Signed(_) | Self::Unsigned(_) => false,
        }
    }
}

impl From<[f32; 4]> for BorderColor {
    fn from(values: [f32; 4]) -> Self {
        Self::Floats(values)
    }
}

/// Texture parameters. [`Default`] is the GL's initial state for every target but RECT; see
/// [`Sampler::for_target`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// TEXTURE_WRAP_S, _T, _R. Cube maps use S and T on each face, unless they are seamless.
    pub wrap: [Wrap; 3],
    /// The texels that filters of a cube map read beyond the edge of a face.
    pub cube_edges: CubeEdges,
    /// TEXTURE_MIN_FILTER.
    pub min_filter: MinFilter,
    /// TEXTURE_MAG_FILTER.
    pub mag_filter: MagFilter,
    /// TEXTURE_BORDER_VALUES: R, G, B, A, or the format's components in these places.
    pub border: BorderColor,
    /// TEXTURE_MIN_LOD.
    pub min_lod: f32,
    /// TEXTURE_MAX_LOD. If it is less than `min_lod`, which eq. 3.16 leaves undefined, `max_lod` wins.
    pub max_lod: f32,
    /// TEXTURE_BASE_LEVEL.
    pub base_level: u32,
    /// TEXTURE_MAX_LEVEL.
    pub max_level: u32,
    /// TEXTURE_LOD_BIAS of the texture object. The sum with the unit's bias (see [`super::Texture::on_unit`])
    /// is clamped to +-[`MAX_LOD_BIAS`].
    pub lod_bias: f32,
    /// TEXTURE_MAX_ANISOTROPY_EXT: 1 is isotropic. Clamped to [`MAX_ANISOTROPY`] and rounded down.
    pub max_anisotropy: f32,
    /// DEPTH_TEXTURE_MODE.
    pub depth_mode: DepthMode,
    /// TEXTURE_SWIZZLE_R_EXT, _G, _B, _A: the source of each component, a component of the result vector,
    /// zero or one (EXT_texture_swizzle).
    pub swizzle: Swizzle,
    /// TEXTURE_COMPARE_FUNC if TEXTURE_COMPARE_MODE is COMPARE_R_TO_TEXTURE; `None` if it is NONE.
    pub compare: Option<CompareFunc>,
}

impl Default for Sampler {
    fn default() -> Self {
        Self {
            wrap: [Wrap::Repeat; 3],
            cube_edges: CubeEdges::default(),
            min_filter: MinFilter::default(),
            mag_filter: MagFilter::default(),
            border: [0.0; 4].into(),
            min_lod: -1000.0,
            max_lod: 1000.0,
            base_level: 0,
            max_level: 1000,
            lod_bias: 0.0,
            max_anisotropy: 1.0,
            depth_mode: DepthMode::default(),
            swizzle: Swizzle::IDENTITY,
            compare: None,
        }
    }
}

impl Sampler {
    /// The GL's initial state for `target`. RECT starts with LINEAR and CLAMP_TO_EDGE (NV_texture_rectangle
    /// 3.8.7). Buffer and multisample textures have NEAREST filters, because their texels are not filtered.
    pub fn for_target(target: TextureTarget) -> Self {
        match target.image() {
            TextureTarget::Rect => {
                Self { wrap: [Wrap::ClampToEdge; 3], min_filter: MinFilter::Linear, ..Self::default() }
            }
            // Texels of these targets are not filtered.
            target if !target.is_filtered() => {
                Self { min_filter: MinFilter::Nearest, mag_filter: MagFilter::Nearest, ..Self::default() }
            }
            _ => Self::default(),
        }
    }

    /// Checks that the parameters are legal for `target`.
    ///
    /// # Errors
    /// NaN in a number, a swizzle of no component, or an anisotropy below 1. For RECT, a mipmap filter, a
    /// repeating wrap mode or a base level other than 0 (NV_texture_rectangle 3.8.3).
    pub fn check(&self, target: TextureTarget) -> Result<(), TextureError> {
        let numbers = [
            ("border colour", self.border.has_nan()),
            ("minimum LOD", self.min_lod.is_nan()),
            ("maximum LOD", self.max_lod.is_nan()),
            ("LOD bias", self.lod_bias.is_nan()),
            ("maximum anisotropy", self.max_anisotropy.is_nan()),
        ];
        if let Some((what, _)) = numbers.iter().find(|(_, is_nan)| *is_nan) {
            return Err(TextureError::NotANumber { what });
        }
        if !self.swizzle.0.iter().all(|&selector| selector <= Swizzle::ONE) {
            return Err(TextureError::Swizzle);
        }
        if self.max_anisotropy < 1.0 {
            return Err(TextureError::Anisotropy { value: self.max_anisotropy });
        }
        if target == TextureTarget::Rect {
            if self.min_filter.is_mipmapped() {
                return Err(TextureError::RectFilter { filter: self.min_filter });
            }
            if let Some(&wrap) = self.wrap.iter().find(|w| matches!(w, Wrap::Repeat | Wrap::MirroredRepeat)) {
                return Err(TextureError::RectWrap { wrap });
            }
            if self.base_level != 0 {
                return Err(TextureError::NoMipmaps { target });
            }
        }
        Ok(())
    }
}
