//! Internal formats: one table for textures, buffer textures, images and colour buffers.
//!
//! A row has the name, the GL's constant, the row of Table X.5 and the components. `component` has the
//! conversions of single components, and `store` the layout of a texture's texels in memory.

use super::component::{Component, Numbers};
use super::sampler::DepthMode;
use super::small_floats;

/// Base internal format: a row of Table X.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BaseFormat {
    /// `ALPHA`
    Alpha,
    /// `LUMINANCE`
    Luminance,
    /// `LUMINANCE_ALPHA`
    LuminanceAlpha,
    /// `INTENSITY`
    Intensity,
    /// `RGB`
    Rgb,
    /// `RGBA`
    Rgba,
    /// `HILO_NV`, unsigned components
    Hilo,
    /// `HILO_NV`, signed components
    SignedHilo,
    /// `DSDT_NV`
    Dsdt,
    /// `DSDT_MAG_NV`
    DsdtMag,
    /// `DSDT_MAG_INTENSITY_NV`
    DsdtMagIntensity,
    /// `FLOAT_R_NV`
    FloatR,
    /// `FLOAT_RG_NV`
    FloatRg,
    /// `FLOAT_RGB_NV`
    FloatRgb,
    /// `FLOAT_RGBA_NV`
    FloatRgba,
    /// `DEPTH_COMPONENT`
    Depth,
    /// `DEPTH_STENCIL`. Lookups return the depth.
    DepthStencil,
    /// `RED`
    Red,
    /// `RG`
    Rg,
}

/// The source of a component of the result vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultComponent {
    /// Filtered component of this index.
    Component(usize),
    /// Constant 0.0.
    Zero,
    /// Constant 1.0.
    One,
    /// sqrt(max(0, 1 - (HI^2 + LO^2))) of the filtered HI and LO.
    Hemi,
}

impl ResultComponent {
    /// The result vector of all components in order.
    pub const ALL: [Self; 4] =
        [Self::Component(0), Self::Component(1), Self::Component(2), Self::Component(3)];

    /// The stored components that are read: bit 0 is the first.
    pub const fn reads(self) -> u8 {
        match self {
            Self::Component(index) => 1 << index,
            Self::Hemi => 0b11,
            Self::Zero | Self::One => 0,
        }
    }
}

impl BaseFormat {
    /// For each stored component, its index in an (R,G,B,A) pixel or border value (glspec15 table 3.15, and
    /// NV_texture_shader's: HI, LO and DS, DT, MAG, VIB start at R).
    pub(super) const fn pixel_components(self) -> &'static [usize] {
        match self {
            Self::Alpha => &[3],
            Self::Luminance
            | Self::Intensity
            | Self::FloatR
            | Self::Depth
            | Self::DepthStencil
            | Self::Red => &[0],
            Self::LuminanceAlpha => &[0, 3],
            Self::Hilo | Self::SignedHilo | Self::Dsdt | Self::FloatRg | Self::Rg => &[0, 1],
            Self::Rgb | Self::DsdtMag | Self::FloatRgb => &[0, 1, 2],
            Self::Rgba | Self::DsdtMagIntensity | Self::FloatRgba => &[0, 1, 2, 3],
        }
    }

    /// Table X.5. `depth_mode` selects the row of a depth texture.
    pub(super) const fn result(self, depth_mode: DepthMode) -> [ResultComponent; 4] {
        use ResultComponent::{Component as C, Hemi, One, Zero};
        match self {
            Self::Alpha => [Zero, Zero, Zero, C(0)],
            Self::Luminance => [C(0), C(0), C(0), One],
            Self::LuminanceAlpha => [C(0), C(0), C(0), C(1)],
            Self::Intensity => [C(0), C(0), C(0), C(0)],
            Self::Rgb | Self::FloatRgb | Self::DsdtMag => [C(0), C(1), C(2), One],
            Self::Rgba | Self::FloatRgba | Self::DsdtMagIntensity => [C(0), C(1), C(2), C(3)],
            Self::SignedHilo => [C(0), C(1), Hemi, One],
            Self::Hilo => [C(0), C(1), One, One],
            Self::Dsdt | Self::FloatRg | Self::Rg => [C(0), C(1), Zero, One],
            Self::FloatR | Self::Red => [C(0), Zero, Zero, One],
            Self::Depth | Self::DepthStencil => match depth_mode {
                DepthMode::Luminance => Self::Luminance.result(depth_mode),
                DepthMode::Intensity => Self::Intensity.result(depth_mode),
                DepthMode::Alpha => Self::Alpha.result(depth_mode),
                DepthMode::Red => Self::Red.result(depth_mode),
            },
        }
    }

    /// Whether the format is from NV_float_buffer. Such formats are for RECT only, are always filtered with
    /// NEAREST, and have borders from 0 to 1 (3.8.1, 3.8.7, 3.8.8).
    pub const fn is_float_buffer(self) -> bool {
        matches!(self, Self::FloatR | Self::FloatRg | Self::FloatRgb | Self::FloatRgba)
    }

    /// Whether texels are depths. Lookups may compare them.
    pub const fn is_depth(self) -> bool {
        matches!(self, Self::Depth | Self::DepthStencil)
    }
}

macro_rules! formats {
    ($(
        $variant:ident $name:literal $($constant:literal)? $base:ident
        [$($component:ident $($bits:literal)?),+];
    )+) => {
        /// Sized internal formats.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Format {
            $(#[doc = concat!("`", $name, "`")] $variant,)+
        }

        impl Format {
            const ROWS: &'static [Self] = &[$(Self::$variant),+];

            /// The specifications' name without `GL_` and vendor suffix, for example `SIGNED_HILO16`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The GL's constant. `None` for formats that neither buffer textures nor image units have, as no
            /// command takes the constants of other formats.
            pub const fn constant(self) -> Option<u32> {
                let constants: &[u32] = match self { $(Self::$variant => &[$($constant)?],)+ };
                constants.first().copied()
            }

            /// The row of Table X.5.
            pub const fn base(self) -> BaseFormat {
                match self { $(Self::$variant => BaseFormat::$base,)+ }
            }

            /// The components, in the base format's order.
            pub const fn components(self) -> &'static [Component] {
                match self { $(Self::$variant => &[$(Component::$component$(($bits))?),+],)+ }
            }
        }
    };
}

formats! {
    Alpha4 "ALPHA4" Alpha [Unorm 4];
    Alpha8 "ALPHA8" 0x803C Alpha [Unorm 8];
    Alpha12 "ALPHA12" Alpha [Unorm 12];
    Alpha16 "ALPHA16" 0x803E Alpha [Unorm 16];
    Luminance4 "LUMINANCE4" Luminance [Unorm 4];
    Luminance8 "LUMINANCE8" 0x8040 Luminance [Unorm 8];
    Luminance12 "LUMINANCE12" Luminance [Unorm 12];
    Luminance16 "LUMINANCE16" 0x8042 Luminance [Unorm 16];
    Luminance4Alpha4 "LUMINANCE4_ALPHA4" LuminanceAlpha [Unorm 4, Unorm 4];
    Luminance6Alpha2 "LUMINANCE6_ALPHA2" LuminanceAlpha [Unorm 6, Unorm 2];
    Luminance8Alpha8 "LUMINANCE8_ALPHA8" 0x8045 LuminanceAlpha [Unorm 8, Unorm 8];
    Luminance12Alpha4 "LUMINANCE12_ALPHA4" LuminanceAlpha [Unorm 12, Unorm 4];
    Luminance12Alpha12 "LUMINANCE12_ALPHA12" LuminanceAlpha [Unorm 12, Unorm 12];
    Luminance16Alpha16 "LUMINANCE16_ALPHA16" 0x8048 LuminanceAlpha [Unorm 16, Unorm 16];
    Intensity4 "INTENSITY4" Intensity [Unorm 4];
    Intensity8 "INTENSITY8" 0x804B Intensity [Unorm 8];
    Intensity12 "INTENSITY12" Intensity [Unorm 12];
    Intensity16 "INTENSITY16" 0x804D Intensity [Unorm 16];
    R3G3B2 "R3_G3_B2" Rgb [Unorm 3, Unorm 3, Unorm 2];
    Rgb4 "RGB4" Rgb [Unorm 4, Unorm 4, Unorm 4];
    Rgb5 "RGB5" Rgb [Unorm 5, Unorm 5, Unorm 5];
    Rgb8 "RGB8" Rgb [Unorm 8, Unorm 8, Unorm 8];
    Rgb10 "RGB10" Rgb [Unorm 10, Unorm 10, Unorm 10];
    Rgb12 "RGB12" Rgb [Unorm 12, Unorm 12, Unorm 12];
    Rgb16 "RGB16" Rgb [Unorm 16, Unorm 16, Unorm 16];
    Rgba2 "RGBA2" Rgba [Unorm 2, Unorm 2, Unorm 2, Unorm 2];
    Rgba4 "RGBA4" Rgba [Unorm 4, Unorm 4, Unorm 4, Unorm 4];
    Rgb5A1 "RGB5_A1" Rgba [Unorm 5, Unorm 5, Unorm 5, Unorm 1];
    Rgba8 "RGBA8" 0x8058 Rgba [Unorm 8, Unorm 8, Unorm 8, Unorm 8];
    Rgb10A2 "RGB10_A2" 0x8059 Rgba [Unorm 10, Unorm 10, Unorm 10, Unorm 2];
    Rgba12 "RGBA12" Rgba [Unorm 12, Unorm 12, Unorm 12, Unorm 12];
    Rgba16 "RGBA16" 0x805B Rgba [Unorm 16, Unorm 16, Unorm 16, Unorm 16];
    SignedAlpha8 "SIGNED_ALPHA8" Alpha [Biased 8];
    SignedLuminance8 "SIGNED_LUMINANCE8" Luminance [Biased 8];
    SignedLuminance8Alpha8 "SIGNED_LUMINANCE8_ALPHA8" LuminanceAlpha [Biased 8, Biased 8];
    SignedIntensity8 "SIGNED_INTENSITY8" Intensity [Biased 8];
    SignedRgb8 "SIGNED_RGB8" Rgb [Biased 8, Biased 8, Biased 8];
    SignedRgb8UnsignedAlpha8 "SIGNED_RGB8_UNSIGNED_ALPHA8" Rgba [Biased 8, Biased 8, Biased 8, Unorm 8];
    SignedRgba8 "SIGNED_RGBA8" Rgba [Biased 8, Biased 8, Biased 8, Biased 8];
    Hilo16 "HILO16" Hilo [Unorm 16, Unorm 16];
    SignedHilo16 "SIGNED_HILO16" SignedHilo [Biased 16, Biased 16];
    Dsdt8 "DSDT8" Dsdt [Biased 8, Biased 8];
    Dsdt8Mag8 "DSDT8_MAG8" DsdtMag [Biased 8, Biased 8, Unorm 8];
    Dsdt8Mag8Intensity8 "DSDT8_MAG8_INTENSITY8" DsdtMagIntensity [Biased 8, Biased 8, Unorm 8, Unorm 8];
    FloatR16 "FLOAT_R16" FloatR [Float 16];
    FloatR32 "FLOAT_R32" FloatR [Float 32];
    FloatRg16 "FLOAT_RG16" FloatRg [Float 16, Float 16];
    FloatRg32 "FLOAT_RG32" FloatRg [Float 32, Float 32];
    FloatRgb16 "FLOAT_RGB16" FloatRgb [Float 16, Float 16, Float 16];
    FloatRgb32 "FLOAT_RGB32" FloatRgb [Float 32, Float 32, Float 32];
    FloatRgba16 "FLOAT_RGBA16" FloatRgba [Float 16, Float 16, Float 16, Float 16];
    FloatRgba32 "FLOAT_RGBA32" FloatRgba [Float 32, Float 32, Float 32, Float 32];
    DepthComponent16 "DEPTH_COMPONENT16" Depth [Unorm 16];
    DepthComponent24 "DEPTH_COMPONENT24" Depth [Unorm 24];
    DepthComponent32 "DEPTH_COMPONENT32" Depth [Unorm 32];
    DepthComponent32F "DEPTH_COMPONENT32F" Depth [Depth];
    Depth24Stencil8 "DEPTH24_STENCIL8" DepthStencil [Unorm 24];
    Depth32FStencil8 "DEPTH32F_STENCIL8" DepthStencil [Depth];
    R8 "R8" 0x8229 Red [Unorm 8];
    R16 "R16" 0x822A Red [Unorm 16];
    Rg8 "RG8" 0x822B Rg [Unorm 8, Unorm 8];
    Rg16 "RG16" 0x822C Rg [Unorm 16, Unorm 16];
    R16F "R16F" 0x822D Red [Float 16];
    R32F "R32F" 0x822E Red [Float 32];
    Rg16F "RG16F" 0x822F Rg [Float 16, Float 16];
    Rg32F "RG32F" 0x8230 Rg [Float 32, Float 32];
    Alpha16F "ALPHA16F" 0x881C Alpha [Float 16];
    Alpha32F "ALPHA32F" 0x8816 Alpha [Float 32];
    Luminance16F "LUMINANCE16F" 0x881E Luminance [Float 16];
    Luminance32F "LUMINANCE32F" 0x8818 Luminance [Float 32];
    LuminanceAlpha16F "LUMINANCE_ALPHA16F" 0x881F LuminanceAlpha [Float 16, Float 16];
    LuminanceAlpha32F "LUMINANCE_ALPHA32F" 0x8819 LuminanceAlpha [Float 32, Float 32];
    Intensity16F "INTENSITY16F" 0x881D Intensity [Float 16];
    Intensity32F "INTENSITY32F" 0x8817 Intensity [Float 32];
    Rgb16F "RGB16F" Rgb [Float 16, Float 16, Float 16];
    Rgb32F "RGB32F" 0x8815 Rgb [Float 32, Float 32, Float 32];
    Rgba16F "RGBA16F" 0x881A Rgba [Float 16, Float 16, Float 16, Float 16];
    Rgba32F "RGBA32F" 0x8814 Rgba [Float 32, Float 32, Float 32, Float 32];
    R11FG11FB10F "R11F_G11F_B10F" 0x8C3A Rgb [Float 11, Float 11, Float 10];
    Rgb9E5 "RGB9_E5" Rgb [Shared, Shared, Shared];
    Alpha8I "ALPHA8I" 0x8D90 Alpha [Int 8];
    Alpha8Ui "ALPHA8UI" 0x8D7E Alpha [Uint 8];
    Alpha16I "ALPHA16I" 0x8D8A Alpha [Int 16];
    Alpha16Ui "ALPHA16UI" 0x8D78 Alpha [Uint 16];
    Alpha32I "ALPHA32I" 0x8D84 Alpha [Int 32];
    Alpha32Ui "ALPHA32UI" 0x8D72 Alpha [Uint 32];
    Luminance8I "LUMINANCE8I" 0x8D92 Luminance [Int 8];
    Luminance8Ui "LUMINANCE8UI" 0x8D80 Luminance [Uint 8];
    Luminance16I "LUMINANCE16I" 0x8D8C Luminance [Int 16];
    Luminance16Ui "LUMINANCE16UI" 0x8D7A Luminance [Uint 16];
    Luminance32I "LUMINANCE32I" 0x8D86 Luminance [Int 32];
    Luminance32Ui "LUMINANCE32UI" 0x8D74 Luminance [Uint 32];
    LuminanceAlpha8I "LUMINANCE_ALPHA8I" 0x8D93 LuminanceAlpha [Int 8, Int 8];
    LuminanceAlpha8Ui "LUMINANCE_ALPHA8UI" 0x8D81 LuminanceAlpha [Uint 8, Uint 8];
    LuminanceAlpha16I "LUMINANCE_ALPHA16I" 0x8D8D LuminanceAlpha [Int 16, Int 16];
    LuminanceAlpha16Ui "LUMINANCE_ALPHA16UI" 0x8D7B LuminanceAlpha [Uint 16, Uint 16];
    LuminanceAlpha32I "LUMINANCE_ALPHA32I" 0x8D87 LuminanceAlpha [Int 32, Int 32];
    LuminanceAlpha32Ui "LUMINANCE_ALPHA32UI" 0x8D75 LuminanceAlpha [Uint 32, Uint 32];
    Intensity8I "INTENSITY8I" 0x8D91 Intensity [Int 8];
    Intensity8Ui "INTENSITY8UI" 0x8D7F Intensity [Uint 8];
    Intensity16I "INTENSITY16I" 0x8D8B Intensity [Int 16];
    Intensity16Ui "INTENSITY16UI" 0x8D79 Intensity [Uint 16];
    Intensity32I "INTENSITY32I" 0x8D85 Intensity [Int 32];
    Intensity32Ui "INTENSITY32UI" 0x8D73 Intensity [Uint 32];
    Rgb8I "RGB8I" Rgb [Int 8, Int 8, Int 8];
    Rgb8Ui "RGB8UI" Rgb [Uint 8, Uint 8, Uint 8];
    Rgb16I "RGB16I" Rgb [Int 16, Int 16, Int 16];
    Rgb16Ui "RGB16UI" Rgb [Uint 16, Uint 16, Uint 16];
    Rgb32I "RGB32I" 0x8D83 Rgb [Int 32, Int 32, Int 32];
    Rgb32Ui "RGB32UI" 0x8D71 Rgb [Uint 32, Uint 32, Uint 32];
    Rgba8I "RGBA8I" 0x8D8E Rgba [Int 8, Int 8, Int 8, Int 8];
    Rgba8Ui "RGBA8UI" 0x8D7C Rgba [Uint 8, Uint 8, Uint 8, Uint 8];
    Rgba16I "RGBA16I" 0x8D88 Rgba [Int 16, Int 16, Int 16, Int 16];
    Rgba16Ui "RGBA16UI" 0x8D76 Rgba [Uint 16, Uint 16, Uint 16, Uint 16];
    Rgba32I "RGBA32I" 0x8D82 Rgba [Int 32, Int 32, Int 32, Int 32];
    Rgba32Ui "RGBA32UI" 0x8D70 Rgba [Uint 32, Uint 32, Uint 32, Uint 32];
    R8I "R8I" 0x8231 Red [Int 8];
    R8Ui "R8UI" 0x8232 Red [Uint 8];
    R16I "R16I" 0x8233 Red [Int 16];
    R16Ui "R16UI" 0x8234 Red [Uint 16];
    R32I "R32I" 0x8235 Red [Int 32];
    R32Ui "R32UI" 0x8236 Red [Uint 32];
    Rg8I "RG8I" 0x8237 Rg [Int 8, Int 8];
    Rg8Ui "RG8UI" 0x8238 Rg [Uint 8, Uint 8];
    Rg16I "RG16I" 0x8239 Rg [Int 16, Int 16];
    Rg16Ui "RG16UI" 0x823A Rg [Uint 16, Uint 16];
    Rg32I "RG32I" 0x823B Rg [Int 32, Int 32];
    Rg32Ui "RG32UI" 0x823C Rg [Uint 32, Uint 32];
    Rgb10A2Ui "RGB10_A2UI" 0x906F Rgba [Uint 10, Uint 10, Uint 10, Uint 2];
    Rgba16Snorm "RGBA16_SNORM" 0x8F9B Rgba [Snorm 16, Snorm 16, Snorm 16, Snorm 16];
    Rgba8Snorm "RGBA8_SNORM" 0x8F97 Rgba [Snorm 8, Snorm 8, Snorm 8, Snorm 8];
    Rg16Snorm "RG16_SNORM" 0x8F99 Rg [Snorm 16, Snorm 16];
    Rg8Snorm "RG8_SNORM" 0x8F95 Rg [Snorm 8, Snorm 8];
    R16Snorm "R16_SNORM" 0x8F98 Red [Snorm 16];
    R8Snorm "R8_SNORM" 0x8F94 Red [Snorm 8];
}

/// The suffixes that names of texture formats may have.
const SUFFIXES: [&str; 4] = ["_NV", "_ARB", "_EXT", "_SGIX"];

/// `name` in capitals, without the prefix `GL_` and one of these suffixes.
pub(crate) fn bare_name(name: &str, suffixes: &[&str]) -> String {
    let upper = name.to_ascii_uppercase();
    let bare = upper.strip_prefix("GL_").unwrap_or(&upper);
    suffixes.iter().find_map(|suffix| bare.strip_suffix(suffix)).unwrap_or(bare).to_owned()
}

impl Format {
    /// Every format of textures. The rows after them are formats of images alone.
    pub const ALL: &'static [Self] = Self::ROWS.split_at(Self::Rgb10A2Ui as usize).0;

    /// The formats whose lookups return floating-point numbers. Integer formats are last in [`Self::ALL`].
    pub const FLOATS: &'static [Self] = {
        let mut count = 0;
        while matches!(Self::ALL[count].numbers(), Numbers::Floats) {
            count += 1;
        }
        Self::ALL.split_at(count).0
    };

    /// The format of textures with this name. Case, the prefix `GL_` and the suffixes `_NV`, `_ARB`, `_EXT`
    /// and `_SGIX` are ignored.
    /// Unsized names have 8 bits per component, and depths 24: base formats (glspec15 table 3.15,
    /// ARB_texture_rg), the numbers of components 1 to 4, and generic compressed formats (table 3.18), which
    /// are stored uncompressed here.
    pub fn from_name(name: &str) -> Option<Self> {
        let bare = bare_name(name, &SUFFIXES);
        let sized = Self::ALL.iter().copied().find(|format| format.name() == bare);
        sized.or_else(|| Self::of_unsized(&bare))
    }

    /// The format for an unsized name.
    fn of_unsized(name: &str) -> Option<Self> {
        Some(match name {
            "ALPHA" | "COMPRESSED_ALPHA" => Self::Alpha8,
            "LUMINANCE" | "1" | "COMPRESSED_LUMINANCE" => Self::Luminance8,
            "LUMINANCE_ALPHA" | "2" | "COMPRESSED_LUMINANCE_ALPHA" => Self::Luminance8Alpha8,
            "INTENSITY" | "COMPRESSED_INTENSITY" => Self::Intensity8,
            "RGB" | "3" | "COMPRESSED_RGB" => Self::Rgb8,
            "RGBA" | "4" | "COMPRESSED_RGBA" => Self::Rgba8,
            "RED" | "COMPRESSED_RED" => Self::R8,
            "RG" | "COMPRESSED_RG" => Self::Rg8,
            "DEPTH_COMPONENT" => Self::DepthComponent24,
            "DEPTH_STENCIL" => Self::Depth24Stencil8,
            _ => return None,
        })
    }

    /// Whether textures can have this format.
    pub const fn is_of_textures(self) -> bool {
        (self as usize) < Self::ALL.len()
    }

    /// The data type that lookups return.
    pub const fn numbers(self) -> Numbers {
        self.components()[0].numbers()
    }

    /// The least and the greatest integer of a component; `None` for other formats.
    pub const fn integer_range(self) -> Option<(i64, i64)> {
        self.components()[0].integer_range()
    }

    /// For each component in the format's order, its index in an (R,G,B,A) pixel.
    pub const fn pixel_places(self) -> &'static [usize] {
        self.base().pixel_components()
    }

    /// A texel's components, in the format's order, clamped and rounded to their precision.
    pub(super) fn quantise(self, values: [f64; 4]) -> [f32; 4] {
        let mut texel = [0.0; 4];
        if let [Component::Shared, ..] = self.components() {
            let [red, green, blue, _] = values;
            texel[..3].copy_from_slice(&small_floats::shared_exponent([red, green, blue]));
            return texel;
        }
        for ((out, value), component) in texel.iter_mut().zip(values).zip(self.components()) {
            *out = component.quantise(value);
        }
        texel
    }

    /// The bits of an integer texel in the format's order. `value` returns red, green, blue or alpha; each is
    /// clamped to the component's range.
    pub(super) fn integers(self, value: impl Fn(usize) -> i64) -> [f32; 4] {
        let mut texel = [0.0; 4];
        for ((out, &source), component) in texel.iter_mut().zip(self.pixel_places()).zip(self.components()) {
            *out = f32::from_bits(component.of_integer(value(source)));
        }
        texel
    }

    /// The border's components in the format's order. NaN and -0 become 0. Formats of NV_float_buffer clamp
    /// to 0 and 1 (NV_float_buffer 3.8.7), all others to the component's range (glspec40 3.9.11).
    pub(super) fn border(self, rgba: [f32; 4]) -> [f32; 4] {
        let mut texel = [0.0; 4];
        for ((out, &source), component) in texel.iter_mut().zip(self.pixel_places()).zip(self.components()) {
            let value = rgba[source];
            let (low, high) =
                if self.base().is_float_buffer() { (0.0, 1.0) } else { component.border_range() };
            *out = if value.is_nan() { 0.0 } else { value.clamp(low, high) + 0.0 };
        }
        texel
    }

    /// Whether buffer textures can have this format (EXT_texture_buffer_object, glspec40 table 3.21).
    pub fn is_of_buffers(self) -> bool {
        use BaseFormat::{Alpha, Intensity, Luminance, LuminanceAlpha, Red, Rg, Rgb, Rgba};
        use Component::{Float, Int, Uint, Unorm};
        let mut components = self.components().iter();
        match self.base() {
            Alpha | Luminance | LuminanceAlpha | Intensity | Red | Rg | Rgba => components.all(|component| {
                matches!(component, Unorm(8 | 16) | Float(16 | 32) | Int(_) | Uint(8 | 16 | 32))
            }),
            Rgb => components.all(|component| matches!(component, Float(32) | Int(32) | Uint(32))),
            _ => false,
        }
    }

    /// Whether multisample textures can have this format: depth formats, and color-renderable formats
    /// (glspec40 4.4.4). Shared exponents are not renderable (EXT_texture_shared_exponent, issue 8), nor are
    /// the formats of NV_texture_shader and NV_float_buffer.
    pub fn is_renderable(self) -> bool {
        use BaseFormat::{Alpha, Red, Rg, Rgb, Rgba};
        let is_color = matches!(self.base(), Alpha | Red | Rg | Rgb | Rgba);
        let others = |component: &Component| matches!(component, Component::Biased(_) | Component::Shared);
        let is_renderable = self.base().is_depth() || is_color && !self.components().iter().any(others);
        self.is_of_textures() && is_renderable
    }

    /// Size of a texel in memory in bytes, for formats of buffer textures and images.
    pub(super) fn bytes(self) -> usize {
        self.components().iter().map(|component| component.bits() as usize).sum::<usize>() / 8
    }

    /// Size of a texel in a buffer object in bytes; `None` for formats that buffer textures cannot have.
    pub fn bytes_in_buffer(self) -> Option<usize> {
        self.is_of_buffers().then(|| self.bytes())
    }

    /// The components of a texel in memory, as registers hold them: the bits of fp32 numbers, or 32-bit
    /// integers. The first component is in the least significant bits.
    pub(super) fn decode(self, bytes: &[u8]) -> impl Iterator<Item = u32> {
        let mut word = [0; 16];
        let length = bytes.len().min(16);
        word[..length].copy_from_slice(&bytes[..length]);
        let texel = u128::from_le_bytes(word);
        let mut at = 0;
        self.components().iter().map(move |component| {
            let bits = (texel >> at) as u32 & (u32::MAX >> (32 - component.bits()));
            at += component.bits();
            component.decode(bits)
        })
    }

    /// Whether filters may have to blend infinite or -0 texels. NV_float_buffer's texels are never blended.
    pub(super) fn can_be_infinite(self) -> bool {
        let unbounded = |component: &Component| matches!(component, Component::Float(_));
        self.components().iter().any(unbounded) && !self.base().is_float_buffer()
    }

    /// Whether every component fits in an unsigned byte. A texel is then packed in one `u32`.
    pub(super) fn is_packed(self) -> bool {
        self.components().iter().all(|component| component.fits_byte())
    }
}

/// Declares an enum of some of the formats. Its `from_name` ignores case, the prefix `GL_` and these
/// suffixes.
macro_rules! subset {
    ($(#[$doc:meta])* $name:ident, $suffixes:expr; $($(#[$attribute:meta])* $variant:ident)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$attribute])* #[doc = concat!("`Format::", stringify!($variant), "`")] $variant,)+
        }

        impl $name {
            /// Every format.
            pub const ALL: [Self; [$(stringify!($variant)),+].len()] = [$(Self::$variant),+];

            /// The row of the table.
            pub const fn format(self) -> $crate::texture::Format {
                match self { $(Self::$variant => $crate::texture::Format::$variant,)+ }
            }

            /// The specifications' name without `GL_`.
            pub const fn name(self) -> &'static str {
                self.format().name()
            }

            /// The format with this name. Case, the prefix `GL_` and the suffixes of the enum's list are
            /// ignored.
            pub fn from_name(name: &str) -> Option<Self> {
                let bare = $crate::texture::bare_name(name, &$suffixes);
                Self::ALL.into_iter().find(|format| format.name() == bare)
            }

            /// The type of components in registers: F32, S32 or U32.
            pub const fn ty(self) -> shadestep_language::ir::Type {
                self.format().numbers().ty()
            }
        }
    };
}

pub(crate) use subset;
