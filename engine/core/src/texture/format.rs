//! Internal formats: the components of a texel, their precision, and the result vector (Table X.5). `store`
//! has the layout of texels in memory.

use super::sampler::DepthMode;
use super::small_floats;

/// The storage of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Unsigned 1 bit: 0 or 1.
    U1,
    /// Unsigned 2 bits: n / 3. All unsigned components are n / (2^bits - 1).
    U2,
    /// Unsigned 3 bits.
    U3,
    /// Unsigned 4 bits.
    U4,
    /// Unsigned 5 bits.
    U5,
    /// Unsigned 6 bits.
    U6,
    /// Unsigned 8 bits: n / 255.
    U8,
    /// Unsigned 10 bits.
    U10,
    /// Unsigned 12 bits.
    U12,
    /// Unsigned 16 bits: n / 65535.
    U16,
    /// Unsigned 24 bits.
    U24,
    /// Unsigned 32 bits, stored with the precision of fp32.
    U32,
    /// Signed 8 bits: n / 128, -128 to 127.
    S8,
    /// Signed 16 bits: n / 32768.
    S16,
    /// fp16.
    F16,
    /// fp32.
    F32,
    /// Unsigned float of 11 bits (EXT_packed_float 2.1.A).
    F11,
    /// Unsigned float of 10 bits (EXT_packed_float 2.1.B).
    F10,
    /// 9 bits with an exponent shared by the whole texel (EXT_texture_shared_exponent 3.8.1).
    E9,
    /// Depth in fp32, from 0 to 1.
    D32,
    /// Signed integer of 8 bits.
    Int8,
    /// Signed integer of 16 bits.
    Int16,
    /// Signed integer of 32 bits.
    Int32,
    /// Unsigned integer of 8 bits.
    Uint8,
    /// Unsigned integer of 16 bits.
    Uint16,
    /// Unsigned integer of 32 bits.
    Uint32,
}

/// The type of a component in a buffer object (EXT_texture_buffer_object, Table X.1), and whether it is
/// normalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// ubyte, normalised.
    Fraction8,
    /// ushort, normalised.
    Fraction16,
    /// half
    Half,
    /// float
    Float,
    /// byte
    Byte,
    /// short
    Short,
    /// int
    Int,
    /// ubyte
    Ubyte,
    /// ushort
    Ushort,
    /// uint
    Uint,
}

impl Element {
    /// Size in bytes.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Fraction8 | Self::Byte | Self::Ubyte => 1,
            Self::Fraction16 | Self::Half | Self::Short | Self::Ushort => 2,
            Self::Float | Self::Int | Self::Uint => 4,
        }
    }
}

impl Kind {
    /// The type in a buffer object; `None` for kinds that buffer textures cannot have.
    const fn element(self) -> Option<Element> {
        Some(match self {
            Self::U8 => Element::Fraction8,
            Self::U16 => Element::Fraction16,
            Self::F16 => Element::Half,
            Self::F32 => Element::Float,
            Self::Int8 => Element::Byte,
            Self::Int16 => Element::Short,
            Self::Int32 => Element::Int,
            Self::Uint8 => Element::Ubyte,
            Self::Uint16 => Element::Ushort,
            Self::Uint32 => Element::Uint,
            Self::U1
            | Self::U2
            | Self::U3
            | Self::U4
            | Self::U5
            | Self::U6
            | Self::U10
            | Self::U12
            | Self::U24
            | Self::U32
            | Self::S8
            | Self::S16
            | Self::F11
            | Self::F10
            | Self::E9
            | Self::D32 => return None,
        })
    }

    /// `value`, clamped and rounded to the component's precision. Fixed-point kinds round to nearest with
    /// halves upwards, and turn NaN into 0 (glspec15 3.8.1).
    ///
    /// Signed components follow the table in NV_texture_shader's Issues (n/128, n/32768), which represents 0
    /// exactly and 1 not. Table 2.9 of glspec15 has it the other way round. NV_texture_shader allows both and
    /// says that its hardware uses n/128.
    pub(super) fn quantise(self, value: f64) -> f32 {
        let signed = |scale: f64| {
            let v = if value.is_nan() { 0.0 } else { value };
            ((v * scale + 0.5).floor().clamp(-scale, scale - 1.0) / scale) as f32
        };
        match self {
            Self::U1
            | Self::U2
            | Self::U3
            | Self::U4
            | Self::U5
            | Self::U6
            | Self::U8
            | Self::U10
            | Self::U12
            | Self::U16
            | Self::U24
            | Self::U32 => (self.level(value) / self.greatest()) as f32,
            Self::S8 => signed(128.0),
            Self::S16 => signed(32_768.0),
            Self::F16 => small_floats::half(value),
            Self::F32 => value as f32,
            Self::F11 => small_floats::unsigned(value, 6),
            Self::F10 => small_floats::unsigned(value, 5),
            // Exact only if no other component is greater; see `Format::quantise`.
            Self::E9 => small_floats::shared_exponent([value; 3])[0],
            Self::D32 => {
                if value > 0.0 {
                    value.min(1.0) as f32
                } else {
                    0.0
                }
            }
            // Integer components have no fp32 value; see `integer`.
            Self::Int8 | Self::Int16 | Self::Int32 | Self::Uint8 | Self::Uint16 | Self::Uint32 => 0.0,
        }
    }

    /// The data type that lookups return for this component.
    const fn numbers(self) -> Numbers {
        match self {
            Self::Int8 | Self::Int16 | Self::Int32 => Numbers::Signed,
            Self::Uint8 | Self::Uint16 | Self::Uint32 => Numbers::Unsigned,
            Self::U1
            | Self::U2
            | Self::U3
            | Self::U4
            | Self::U5
            | Self::U6
            | Self::U8
            | Self::U10
            | Self::U12
            | Self::U16
            | Self::U24
            | Self::U32
            | Self::S8
            | Self::S16
            | Self::F16
            | Self::F32
            | Self::F11
            | Self::F10
            | Self::E9
            | Self::D32 => Numbers::Floats,
        }
    }

    /// The least and the greatest integer of the component; `None` for other kinds.
    const fn integer_range(self) -> Option<(i64, i64)> {
        Some(match self {
            Self::Int8 => (i8::MIN as i64, i8::MAX as i64),
            Self::Int16 => (i16::MIN as i64, i16::MAX as i64),
            Self::Int32 => (i32::MIN as i64, i32::MAX as i64),
            Self::Uint8 => (0, u8::MAX as i64),
            Self::Uint16 => (0, u16::MAX as i64),
            Self::Uint32 => (0, u32::MAX as i64),
            _ => return None,
        })
    }

    /// The bits of an integer, clamped to the component's range (EXT_texture_integer 3.8.1); `None` for other
    /// kinds.
    fn integer(self, value: i64) -> Option<u32> {
        self.integer_range().map(|(least, most)| value.clamp(least, most) as u32)
    }

    /// Number of bits of an unsigned component; 0 for other kinds.
    const fn unsigned_bits(self) -> u32 {
        match self {
            Self::U1 => 1,
            Self::U2 => 2,
            Self::U3 => 3,
            Self::U4 => 4,
            Self::U5 => 5,
            Self::U6 => 6,
            Self::U8 => 8,
            Self::U10 => 10,
            Self::U12 => 12,
            Self::U16 => 16,
            Self::U24 => 24,
            Self::U32 => 32,
            Self::S8
            | Self::S16
            | Self::F16
            | Self::F32
            | Self::F11
            | Self::F10
            | Self::E9
            | Self::D32
            | Self::Int8
            | Self::Int16
            | Self::Int32
            | Self::Uint8
            | Self::Uint16
            | Self::Uint32 => 0,
        }
    }

    /// The n of an unsigned component that represents 1.
    fn greatest(self) -> f64 {
        ((1u64 << self.unsigned_bits()) - 1) as f64
    }

    /// The n of an unsigned component nearest to `value`.
    fn level(self, value: f64) -> f64 {
        let v = if value > 0.0 { value.min(1.0) } else { 0.0 };
        (v * self.greatest() + 0.5).floor()
    }

    /// Whether buffer textures support texels with three of these components: 32-bit components only.
    const fn is_element_of_three(&self) -> bool {
        matches!(self, Self::F32 | Self::Int32 | Self::Uint32)
    }

    /// Whether every value is also a value of a byte, n / 255. This is so if 2^bits - 1 divides 255.
    const fn fits_byte(self) -> bool {
        matches!(self, Self::U1 | Self::U2 | Self::U4 | Self::U8)
    }

    /// The byte for `value`, for components that [`Self::fits_byte`].
    pub(super) fn byte(self, value: f64) -> u8 {
        (self.level(value) * (255.0 / self.greatest())) as u8
    }

    /// The least and the greatest border value: the component's range, or -1 and 1 for signed fixed-point
    /// components (NV_texture_shader 3.8.4). Border values are not rounded to the component's precision.
    const fn border_range(self) -> (f32, f32) {
        match self {
            Self::S8 | Self::S16 => (-1.0, 1.0),
            Self::F16 | Self::F32 => (f32::NEG_INFINITY, f32::INFINITY),
            Self::F11 | Self::F10 => (0.0, f32::INFINITY),
            Self::E9 => (0.0, small_floats::GREATEST_SHARED),
            Self::U1
            | Self::U2
            | Self::U3
            | Self::U4
            | Self::U5
            | Self::U6
            | Self::U8
            | Self::U10
            | Self::U12
            | Self::U16
            | Self::U24
            | Self::U32
            | Self::D32 => (0.0, 1.0),
            // Integer borders are handled separately.
            Self::Int8 | Self::Int16 | Self::Int32 | Self::Uint8 | Self::Uint16 | Self::Uint32 => (0.0, 0.0),
        }
    }
}

/// The data type that lookups return. Instructions that read the format must have the same type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Floating-point numbers.
    Floats,
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
}

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
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal $base:ident [$($kind:ident),+];)+) => {
        /// Sized internal formats.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Format {
            $(#[doc = concat!("`", $name, "`")] $variant,)+
        }

        impl Format {
            /// Every format.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The specifications' name without `GL_` and vendor suffix, for example `SIGNED_HILO16`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The row of Table X.5.
            pub const fn base(self) -> BaseFormat {
                match self { $(Self::$variant => BaseFormat::$base,)+ }
            }

            /// The storage of each component, in the base format's order.
            pub(super) const fn kinds(self) -> &'static [Kind] {
                match self { $(Self::$variant => &[$(Kind::$kind),+],)+ }
            }
        }
    };
}

formats! {
    Alpha4 "ALPHA4" Alpha [U4];
    Alpha8 "ALPHA8" Alpha [U8];
    Alpha12 "ALPHA12" Alpha [U12];
    Alpha16 "ALPHA16" Alpha [U16];
    Luminance4 "LUMINANCE4" Luminance [U4];
    Luminance8 "LUMINANCE8" Luminance [U8];
    Luminance12 "LUMINANCE12" Luminance [U12];
    Luminance16 "LUMINANCE16" Luminance [U16];
    Luminance4Alpha4 "LUMINANCE4_ALPHA4" LuminanceAlpha [U4, U4];
    Luminance6Alpha2 "LUMINANCE6_ALPHA2" LuminanceAlpha [U6, U2];
    Luminance8Alpha8 "LUMINANCE8_ALPHA8" LuminanceAlpha [U8, U8];
    Luminance12Alpha4 "LUMINANCE12_ALPHA4" LuminanceAlpha [U12, U4];
    Luminance12Alpha12 "LUMINANCE12_ALPHA12" LuminanceAlpha [U12, U12];
    Luminance16Alpha16 "LUMINANCE16_ALPHA16" LuminanceAlpha [U16, U16];
    Intensity4 "INTENSITY4" Intensity [U4];
    Intensity8 "INTENSITY8" Intensity [U8];
    Intensity12 "INTENSITY12" Intensity [U12];
    Intensity16 "INTENSITY16" Intensity [U16];
    R3G3B2 "R3_G3_B2" Rgb [U3, U3, U2];
    Rgb4 "RGB4" Rgb [U4, U4, U4];
    Rgb5 "RGB5" Rgb [U5, U5, U5];
    Rgb8 "RGB8" Rgb [U8, U8, U8];
    Rgb10 "RGB10" Rgb [U10, U10, U10];
    Rgb12 "RGB12" Rgb [U12, U12, U12];
    Rgb16 "RGB16" Rgb [U16, U16, U16];
    Rgba2 "RGBA2" Rgba [U2, U2, U2, U2];
    Rgba4 "RGBA4" Rgba [U4, U4, U4, U4];
    Rgb5A1 "RGB5_A1" Rgba [U5, U5, U5, U1];
    Rgba8 "RGBA8" Rgba [U8, U8, U8, U8];
    Rgb10A2 "RGB10_A2" Rgba [U10, U10, U10, U2];
    Rgba12 "RGBA12" Rgba [U12, U12, U12, U12];
    Rgba16 "RGBA16" Rgba [U16, U16, U16, U16];
    SignedAlpha8 "SIGNED_ALPHA8" Alpha [S8];
    SignedLuminance8 "SIGNED_LUMINANCE8" Luminance [S8];
    SignedLuminance8Alpha8 "SIGNED_LUMINANCE8_ALPHA8" LuminanceAlpha [S8, S8];
    SignedIntensity8 "SIGNED_INTENSITY8" Intensity [S8];
    SignedRgb8 "SIGNED_RGB8" Rgb [S8, S8, S8];
    SignedRgb8UnsignedAlpha8 "SIGNED_RGB8_UNSIGNED_ALPHA8" Rgba [S8, S8, S8, U8];
    SignedRgba8 "SIGNED_RGBA8" Rgba [S8, S8, S8, S8];
    Hilo16 "HILO16" Hilo [U16, U16];
    SignedHilo16 "SIGNED_HILO16" SignedHilo [S16, S16];
    Dsdt8 "DSDT8" Dsdt [S8, S8];
    Dsdt8Mag8 "DSDT8_MAG8" DsdtMag [S8, S8, U8];
    Dsdt8Mag8Intensity8 "DSDT8_MAG8_INTENSITY8" DsdtMagIntensity [S8, S8, U8, U8];
    FloatR16 "FLOAT_R16" FloatR [F16];
    FloatR32 "FLOAT_R32" FloatR [F32];
    FloatRg16 "FLOAT_RG16" FloatRg [F16, F16];
    FloatRg32 "FLOAT_RG32" FloatRg [F32, F32];
    FloatRgb16 "FLOAT_RGB16" FloatRgb [F16, F16, F16];
    FloatRgb32 "FLOAT_RGB32" FloatRgb [F32, F32, F32];
    FloatRgba16 "FLOAT_RGBA16" FloatRgba [F16, F16, F16, F16];
    FloatRgba32 "FLOAT_RGBA32" FloatRgba [F32, F32, F32, F32];
    DepthComponent16 "DEPTH_COMPONENT16" Depth [U16];
    DepthComponent24 "DEPTH_COMPONENT24" Depth [U24];
    DepthComponent32 "DEPTH_COMPONENT32" Depth [U32];
    DepthComponent32F "DEPTH_COMPONENT32F" Depth [D32];
    Depth24Stencil8 "DEPTH24_STENCIL8" DepthStencil [U24];
    Depth32FStencil8 "DEPTH32F_STENCIL8" DepthStencil [D32];
    R8 "R8" Red [U8];
    R16 "R16" Red [U16];
    Rg8 "RG8" Rg [U8, U8];
    Rg16 "RG16" Rg [U16, U16];
    R16F "R16F" Red [F16];
    R32F "R32F" Red [F32];
    Rg16F "RG16F" Rg [F16, F16];
    Rg32F "RG32F" Rg [F32, F32];
    Alpha16F "ALPHA16F" Alpha [F16];
    Alpha32F "ALPHA32F" Alpha [F32];
    Luminance16F "LUMINANCE16F" Luminance [F16];
    Luminance32F "LUMINANCE32F" Luminance [F32];
    LuminanceAlpha16F "LUMINANCE_ALPHA16F" LuminanceAlpha [F16, F16];
    LuminanceAlpha32F "LUMINANCE_ALPHA32F" LuminanceAlpha [F32, F32];
    Intensity16F "INTENSITY16F" Intensity [F16];
    Intensity32F "INTENSITY32F" Intensity [F32];
    Rgb16F "RGB16F" Rgb [F16, F16, F16];
    Rgb32F "RGB32F" Rgb [F32, F32, F32];
    Rgba16F "RGBA16F" Rgba [F16, F16, F16, F16];
    Rgba32F "RGBA32F" Rgba [F32, F32, F32, F32];
    R11FG11FB10F "R11F_G11F_B10F" Rgb [F11, F11, F10];
    Rgb9E5 "RGB9_E5" Rgb [E9, E9, E9];
    Alpha8I "ALPHA8I" Alpha [Int8];
    Alpha8Ui "ALPHA8UI" Alpha [Uint8];
    Alpha16I "ALPHA16I" Alpha [Int16];
    Alpha16Ui "ALPHA16UI" Alpha [Uint16];
    Alpha32I "ALPHA32I" Alpha [Int32];
    Alpha32Ui "ALPHA32UI" Alpha [Uint32];
    Luminance8I "LUMINANCE8I" Luminance [Int8];
    Luminance8Ui "LUMINANCE8UI" Luminance [Uint8];
    Luminance16I "LUMINANCE16I" Luminance [Int16];
    Luminance16Ui "LUMINANCE16UI" Luminance [Uint16];
    Luminance32I "LUMINANCE32I" Luminance [Int32];
    Luminance32Ui "LUMINANCE32UI" Luminance [Uint32];
    LuminanceAlpha8I "LUMINANCE_ALPHA8I" LuminanceAlpha [Int8, Int8];
    LuminanceAlpha8Ui "LUMINANCE_ALPHA8UI" LuminanceAlpha [Uint8, Uint8];
    LuminanceAlpha16I "LUMINANCE_ALPHA16I" LuminanceAlpha [Int16, Int16];
    LuminanceAlpha16Ui "LUMINANCE_ALPHA16UI" LuminanceAlpha [Uint16, Uint16];
    LuminanceAlpha32I "LUMINANCE_ALPHA32I" LuminanceAlpha [Int32, Int32];
    LuminanceAlpha32Ui "LUMINANCE_ALPHA32UI" LuminanceAlpha [Uint32, Uint32];
    Intensity8I "INTENSITY8I" Intensity [Int8];
    Intensity8Ui "INTENSITY8UI" Intensity [Uint8];
    Intensity16I "INTENSITY16I" Intensity [Int16];
    Intensity16Ui "INTENSITY16UI" Intensity [Uint16];
    Intensity32I "INTENSITY32I" Intensity [Int32];
    Intensity32Ui "INTENSITY32UI" Intensity [Uint32];
    Rgb8I "RGB8I" Rgb [Int8, Int8, Int8];
    Rgb8Ui "RGB8UI" Rgb [Uint8, Uint8, Uint8];
    Rgb16I "RGB16I" Rgb [Int16, Int16, Int16];
    Rgb16Ui "RGB16UI" Rgb [Uint16, Uint16, Uint16];
    Rgb32I "RGB32I" Rgb [Int32, Int32, Int32];
    Rgb32Ui "RGB32UI" Rgb [Uint32, Uint32, Uint32];
    Rgba8I "RGBA8I" Rgba [Int8, Int8, Int8, Int8];
    Rgba8Ui "RGBA8UI" Rgba [Uint8, Uint8, Uint8, Uint8];
    Rgba16I "RGBA16I" Rgba [Int16, Int16, Int16, Int16];
    Rgba16Ui "RGBA16UI" Rgba [Uint16, Uint16, Uint16, Uint16];
    Rgba32I "RGBA32I" Rgba [Int32, Int32, Int32, Int32];
    Rgba32Ui "RGBA32UI" Rgba [Uint32, Uint32, Uint32, Uint32];
    R8I "R8I" Red [Int8];
    R8Ui "R8UI" Red [Uint8];
    R16I "R16I" Red [Int16];
    R16Ui "R16UI" Red [Uint16];
    R32I "R32I" Red [Int32];
    R32Ui "R32UI" Red [Uint32];
    Rg8I "RG8I" Rg [Int8, Int8];
    Rg8Ui "RG8UI" Rg [Uint8, Uint8];
    Rg16I "RG16I" Rg [Int16, Int16];
    Rg16Ui "RG16UI" Rg [Uint16, Uint16];
    Rg32I "RG32I" Rg [Int32, Int32];
    Rg32Ui "RG32UI" Rg [Uint32, Uint32];
}

impl Format {
    /// The formats whose lookups return floating-point numbers. Integer formats are last in [`Self::ALL`].
    pub const FLOATS: &'static [Self] = {
        let mut count = 0;
        while matches!(Self::ALL[count].numbers(), Numbers::Floats) {
            count += 1;
        }
        Self::ALL.split_at(count).0
    };

    /// The format with this name. Case, the prefix `GL_` and the suffixes `_NV`, `_ARB`, `_EXT` and `_SGIX`
    /// are ignored.
    /// Unsized names have 8 bits per component, and depths 24: base formats (glspec15 table 3.15,
    /// ARB_texture_rg), the numbers of components 1 to 4, and generic compressed formats (table 3.18), which
    /// are stored uncompressed here.
    pub fn from_name(name: &str) -> Option<Self> {
        let upper = name.to_ascii_uppercase();
        let bare = upper.strip_prefix("GL_").unwrap_or(&upper);
        let bare = ["_NV", "_ARB", "_EXT", "_SGIX"].iter().find_map(|s| bare.strip_suffix(s)).unwrap_or(bare);
        let sized = Self::ALL.iter().copied().find(|format| format.name() == bare);
        sized.or_else(|| Self::of_unsized(bare))
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

    /// The data type that lookups return.
    pub const fn numbers(self) -> Numbers {
        self.kinds()[0].numbers()
    }

    /// A texel's components, in the format's order, clamped and rounded to their precision.
    pub(super) fn quantise(self, mut values: [f64; 4]) -> [f32; 4] {
        if let [Kind::E9, ..] = self.kinds() {
            let [red, green, blue] = small_floats::shared_exponent([values[0], values[1], values[2]]);
            return [red, green, blue, 0.0];
        }
        values[self.kinds().len()..].fill(0.0);
        let mut texel = [0.0; 4];
        for ((out, value), kind) in texel.iter_mut().zip(values).zip(self.kinds()) {
            *out = kind.quantise(value);
        }
        texel
    }

    /// The bits of an integer texel in the format's order. `value` returns red, green, blue or alpha; each is
    /// clamped to the component's range.
    pub(super) fn integers(self, value: impl Fn(usize) -> i64) -> [f32; 4] {
        let mut texel = [0.0; 4];
        for ((out, &source), kind) in texel.iter_mut().zip(self.base().pixel_components()).zip(self.kinds()) {
            *out = f32::from_bits(kind.integer(value(source)).unwrap_or(0));
        }
        texel
    }

    /// The border's components in the format's order. NaN and -0 become 0. Formats of NV_float_buffer clamp
    /// to 0 and 1 (NV_float_buffer 3.8.7), all others to the component's range (glspec40 3.9.11).
    pub(super) fn border(self, rgba: [f32; 4]) -> [f32; 4] {
        let mut texel = [0.0; 4];
        for ((out, &source), kind) in texel.iter_mut().zip(self.base().pixel_components()).zip(self.kinds()) {
            let value = rgba[source];
            let (low, high) = if self.base().is_float_buffer() { (0.0, 1.0) } else { kind.border_range() };
            *out = if value.is_nan() { 0.0 } else { value.clamp(low, high) + 0.0 };
        }
        texel
    }

    /// Whether buffer textures can have this format (EXT_texture_buffer_object, glspec40 table 3.21).
    pub fn is_of_buffers(self) -> bool {
        use BaseFormat::{Alpha, Intensity, Luminance, LuminanceAlpha, Red, Rg, Rgb, Rgba};
        match self.base() {
            Alpha | Luminance | LuminanceAlpha | Intensity | Red | Rg | Rgba => {
                self.kinds().iter().all(|kind| kind.element().is_some())
            }
            Rgb => self.kinds().iter().all(Kind::is_element_of_three),
            _ => false,
        }
    }

    /// Whether multisample textures can have this format: depth formats, and color-renderable formats
    /// (glspec40 4.4.4). Shared exponents are not renderable (EXT_texture_shared_exponent, issue 8), nor are
    /// the formats of NV_texture_shader and NV_float_buffer.
    pub fn is_renderable(self) -> bool {
        use BaseFormat::{Alpha, Red, Rg, Rgb, Rgba};
        let is_color = matches!(self.base(), Alpha | Red | Rg | Rgb | Rgba);
        let others = |kind: &Kind| matches!(kind, Kind::S8 | Kind::S16 | Kind::E9);
        self.base().is_depth() || is_color && !self.kinds().iter().any(others)
    }

    /// The elements of a texel in a buffer object; `None` for formats that buffer textures cannot have.
    pub(super) fn elements(self) -> Option<impl Iterator<Item = Element> + Clone> {
        self.is_of_buffers().then(|| self.kinds().iter().filter_map(|kind| kind.element()))
    }

    /// For each component in the format's order, its index in an (R,G,B,A) pixel.
    pub const fn pixel_places(self) -> &'static [usize] {
        self.base().pixel_components()
    }

    /// Size of a texel in a buffer object in bytes; `None` for formats that buffer textures cannot have.
    pub fn bytes_in_buffer(self) -> Option<usize> {
        self.elements().map(|elements| elements.map(Element::bytes).sum())
    }

    /// The least and the greatest integer of a component; `None` for other formats.
    pub const fn integer_range(self) -> Option<(i64, i64)> {
        self.kinds()[0].integer_range()
    }

    /// Whether filters may have to blend infinite or -0 texels. NV_float_buffer's texels are never blended.
    pub(super) fn can_be_infinite(self) -> bool {
        let unbounded = |kind: &Kind| matches!(kind, Kind::F16 | Kind::F32 | Kind::F11 | Kind::F10);
        self.kinds().iter().any(unbounded) && !self.base().is_float_buffer()
    }

    /// Whether every component fits in an unsigned byte. A texel is then packed in one `u32`.
    pub(super) fn is_packed(self) -> bool {
        self.kinds().iter().all(|kind| kind.fits_byte())
    }
}
