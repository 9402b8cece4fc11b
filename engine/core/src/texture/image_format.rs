//! Formats of images: the layout of texels in memory, and the conversion of data by formatted stores
//! (EXT_shader_image_load_store 3.9.X, Table X.2).

use super::{Format, Numbers, small_floats};
use shadestep_language::ir::{Components, MAX_ACCESS, Type};
use shadestep_language::num::fp16;

/// The type of a component, with its number of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    /// A floating-point number of 32, 16, 11 or 10 bits.
    Float(u32),
    /// An unsigned integer.
    Unsigned(u32),
    /// A signed integer.
    Signed(u32),
    /// A fraction from 0 to 1.
    Fraction(u32),
    /// A fraction from -1 to 1.
    SignedFraction(u32),
}

macro_rules! formats {
    ($($variant:ident $name:literal $sampled:expr, [$($component:ident $bits:literal),+];)+) => {
        /// Formats of image units and of the textures bound to them: the rows of Table X.2.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ImageFormat {
            $(#[doc = concat!("`", $name, "`")] $variant,)+
        }

        impl ImageFormat {
            /// All formats, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in the table.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            const fn components(self) -> &'static [Component] {
                match self { $(Self::$variant => &[$(Component::$component($bits)),+],)+ }
            }

            /// The internal format of a texture with the same content. `None` for signed fractions, which
            /// textures here do not support.
            pub const fn sampled(self) -> Option<Format> {
                match self { $(Self::$variant => $sampled,)+ }
            }
        }
    };
}

formats! {
    Rgba32F "RGBA32F" Some(Format::Rgba32F), [Float 32, Float 32, Float 32, Float 32];
    Rgba16F "RGBA16F" Some(Format::Rgba16F), [Float 16, Float 16, Float 16, Float 16];
    Rg32F "RG32F" Some(Format::Rg32F), [Float 32, Float 32];
    Rg16F "RG16F" Some(Format::Rg16F), [Float 16, Float 16];
    R11FG11FB10F "R11F_G11F_B10F" Some(Format::R11FG11FB10F), [Float 11, Float 11, Float 10];
    R32F "R32F" Some(Format::R32F), [Float 32];
    R16F "R16F" Some(Format::R16F), [Float 16];
    Rgba32Ui "RGBA32UI" Some(Format::Rgba32Ui), [Unsigned 32, Unsigned 32, Unsigned 32, Unsigned 32];
    Rgba16Ui "RGBA16UI" Some(Format::Rgba16Ui), [Unsigned 16, Unsigned 16, Unsigned 16, Unsigned 16];
    Rgb10A2Ui "RGB10_A2UI" None, [Unsigned 10, Unsigned 10, Unsigned 10, Unsigned 2];
    Rgba8Ui "RGBA8UI" Some(Format::Rgba8Ui), [Unsigned 8, Unsigned 8, Unsigned 8, Unsigned 8];
    Rg32Ui "RG32UI" Some(Format::Rg32Ui), [Unsigned 32, Unsigned 32];
    Rg16Ui "RG16UI" Some(Format::Rg16Ui), [Unsigned 16, Unsigned 16];
    Rg8Ui "RG8UI" Some(Format::Rg8Ui), [Unsigned 8, Unsigned 8];
    R32Ui "R32UI" Some(Format::R32Ui), [Unsigned 32];
    R16Ui "R16UI" Some(Format::R16Ui), [Unsigned 16];
    R8Ui "R8UI" Some(Format::R8Ui), [Unsigned 8];
    Rgba32I "RGBA32I" Some(Format::Rgba32I), [Signed 32, Signed 32, Signed 32, Signed 32];
    Rgba16I "RGBA16I" Some(Format::Rgba16I), [Signed 16, Signed 16, Signed 16, Signed 16];
    Rgba8I "RGBA8I" Some(Format::Rgba8I), [Signed 8, Signed 8, Signed 8, Signed 8];
    Rg32I "RG32I" Some(Format::Rg32I), [Signed 32, Signed 32];
    Rg16I "RG16I" Some(Format::Rg16I), [Signed 16, Signed 16];
    Rg8I "RG8I" Some(Format::Rg8I), [Signed 8, Signed 8];
    R32I "R32I" Some(Format::R32I), [Signed 32];
    R16I "R16I" Some(Format::R16I), [Signed 16];
    R8I "R8I" Some(Format::R8I), [Signed 8];
    Rgba16 "RGBA16" Some(Format::Rgba16), [Fraction 16, Fraction 16, Fraction 16, Fraction 16];
    Rgb10A2 "RGB10_A2" Some(Format::Rgb10A2), [Fraction 10, Fraction 10, Fraction 10, Fraction 2];
    Rgba8 "RGBA8" Some(Format::Rgba8), [Fraction 8, Fraction 8, Fraction 8, Fraction 8];
    Rg16 "RG16" Some(Format::Rg16), [Fraction 16, Fraction 16];
    Rg8 "RG8" Some(Format::Rg8), [Fraction 8, Fraction 8];
    R16 "R16" Some(Format::R16), [Fraction 16];
    R8 "R8" Some(Format::R8), [Fraction 8];
    Rgba16Snorm "RGBA16_SNORM" None, [SignedFraction 16, SignedFraction 16, SignedFraction 16, SignedFraction 16];
    Rgba8Snorm "RGBA8_SNORM" None, [SignedFraction 8, SignedFraction 8, SignedFraction 8, SignedFraction 8];
    Rg16Snorm "RG16_SNORM" None, [SignedFraction 16, SignedFraction 16];
    Rg8Snorm "RG8_SNORM" None, [SignedFraction 8, SignedFraction 8];
    R16Snorm "R16_SNORM" None, [SignedFraction 16];
    R8Snorm "R8_SNORM" None, [SignedFraction 8];
}

impl Component {
    const fn bits(self) -> u32 {
        match self {
            Self::Float(bits)
            | Self::Unsigned(bits)
            | Self::Signed(bits)
            | Self::Fraction(bits)
            | Self::SignedFraction(bits) => bits,
        }
    }

    const fn numbers(self) -> Numbers {
        match self {
            Self::Unsigned(_) => Numbers::Unsigned,
            Self::Signed(_) => Numbers::Signed,
            Self::Float(_) | Self::Fraction(_) | Self::SignedFraction(_) => Numbers::Floats,
        }
    }

    /// The integer that represents 1, for fractions.
    fn greatest(self) -> f64 {
        match self {
            Self::Fraction(bits) => f64::from((1u32 << bits) - 1),
            Self::SignedFraction(bits) => f64::from((1u32 << (bits - 1)) - 1),
            _ => 1.0,
        }
    }

    /// The bits of a floating-point value (glspec40 2.1.5 and 2.1.2 to 2.1.4).
    fn of_float(self, value: f32) -> u32 {
        let wide = if value.is_nan() { 0.0 } else { f64::from(value) };
        match self {
            Self::Float(32) => value.to_bits(),
            Self::Float(16) => fp16::to_bits(fp16::round(value)),
            Self::Float(bits) => small_floats::unsigned_bits(f64::from(value), bits as i32 - 5),
            Self::SignedFraction(_) => (wide.clamp(-1.0, 1.0) * self.greatest()).round() as i32 as u32,
            _ => (wide.clamp(0.0, 1.0) * self.greatest() + 0.5).floor() as u32,
        }
    }

    /// The bits of an integer, clamped to the component's range (EXT_texture_integer 3.8.1).
    fn of_integer(self, value: i64) -> u32 {
        match self {
            Self::Signed(bits) => value.clamp(-(1 << (bits - 1)), (1 << (bits - 1)) - 1) as u32,
            _ => value.clamp(0, (1 << self.bits()) - 1) as u32,
        }
    }

    /// The value of a component's bits: the bits of an fp32 number, or a 32-bit integer.
    fn value(self, bits: u32) -> u32 {
        let signed = |width: u32| (bits << (32 - width)).cast_signed() >> (32 - width);
        match self {
            Self::Float(32) | Self::Unsigned(_) => bits,
            Self::Float(16) => fp16::from_bits(bits).to_bits(),
            Self::Float(width) => small_floats::from_unsigned_bits(bits, width as i32 - 5).to_bits(),
            Self::Signed(width) => signed(width) as u32,
            Self::Fraction(_) => ((f64::from(bits) / self.greatest()) as f32).to_bits(),
            Self::SignedFraction(width) => {
                ((f64::from(signed(width)) / self.greatest()).max(-1.0) as f32).to_bits()
            }
        }
    }
}

impl ImageFormat {
    /// The format with this name. Case and the prefix `GL_` are ignored.
    pub fn from_name(name: &str) -> Option<Self> {
        let upper = name.to_ascii_uppercase();
        let bare = upper.strip_prefix("GL_").unwrap_or(&upper);
        Self::ALL.iter().copied().find(|format| format.name() == bare)
    }

    /// Size of a texel in bytes: 1, 2, 4, 8 or 16. Formats of the same size form an equivalence class.
    pub fn bytes(self) -> usize {
        self.components().iter().map(|component| component.bits() as usize).sum::<usize>() / 8
    }

    /// Number of components.
    pub const fn count(self) -> usize {
        self.components().len()
    }

    /// The data type that loads return.
    pub const fn numbers(self) -> Numbers {
        self.components()[0].numbers()
    }

    /// The type of components in registers.
    pub const fn ty(self) -> Type {
        match self.numbers() {
            Numbers::Floats => Type::F32,
            Numbers::Signed => Type::S32,
            Numbers::Unsigned => Type::U32,
        }
    }

    /// A texel from components of type F32, S32 or U32. `None` if the format needs the other kind of numbers
    /// (floats or integers), which TexImage2D would not accept either.
    pub fn encode(self, ty: Type, values: &Components) -> Option<[u8; MAX_ACCESS]> {
        let floats = ty == Type::F32;
        if floats != (self.numbers() == Numbers::Floats) {
            return None;
        }
        let (mut texel, mut at) = (0u128, 0);
        for (component, &value) in self.components().iter().zip(values) {
            let word = value as u32;
            let bits = match ty {
                Type::F32 => component.of_float(f32::from_bits(word)),
                Type::S32 => component.of_integer(word.cast_signed().into()),
                _ => component.of_integer(word.into()),
            };
            let mask = u32::MAX >> (32 - component.bits());
            texel |= u128::from(bits & mask) << at;
            at += component.bits();
        }
        let mut bytes = [0; MAX_ACCESS];
        bytes[..16].copy_from_slice(&texel.to_le_bytes());
        Some(bytes)
    }

    /// The components of a texel, of type [`Self::ty`]. Missing components are 0, 0 and 1.
    pub fn decode(self, bytes: &[u8]) -> Components {
        let mut word = [0; 16];
        let length = bytes.len().min(16);
        word[..length].copy_from_slice(&bytes[..length]);
        let texel = u128::from_le_bytes(word);
        let one = if self.numbers() == Numbers::Floats { 1.0f32.to_bits() } else { 1 };
        let mut values = [0, 0, 0, one.into()];
        let mut at = 0;
        for (value, component) in values.iter_mut().zip(self.components()) {
            let mask = u32::MAX >> (32 - component.bits());
            *value = component.value((texel >> at) as u32 & mask).into();
            at += component.bits();
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(values: [f32; 4]) -> Components {
        values.map(|value| value.to_bits().into())
    }

    #[test]
    fn formats_are_those_of_the_table_with_their_classes() {
        // Table X.2, columns "Internal format" and "Equivalence".
        let table = [
            (16, "RGBA32F RGBA32UI RGBA32I"),
            (8, "RGBA16F RG32F RGBA16UI RG32UI RGBA16I RG32I RGBA16 RGBA16_SNORM"),
            (
                4,
                "RG16F R11F_G11F_B10F R32F RGB10_A2UI RGBA8UI RG16UI R32UI RGBA8I RG16I R32I RGB10_A2 RGBA8 RG16 \
                 RGBA8_SNORM RG16_SNORM",
            ),
            (2, "R16F RG8UI R16UI RG8I R16I RG8 R16 RG8_SNORM R16_SNORM"),
            (1, "R8UI R8I R8 R8_SNORM"),
        ];
        let mut count = 0;
        for (bytes, names) in table {
            for name in names.split_whitespace() {
                let format = ImageFormat::from_name(name).unwrap();
                assert_eq!((format.name(), format.bytes()), (name, bytes));
                count += 1;
            }
        }
        assert_eq!(count, ImageFormat::ALL.len());
        assert_eq!(ImageFormat::from_name("GL_r32ui"), Some(ImageFormat::R32Ui));
        for format in ImageFormat::ALL {
            if let Some(sampled) = format.sampled() {
                assert_eq!((sampled.name(), sampled.numbers()), (format.name(), format.numbers()));
            }
        }
    }

    #[test]
    fn bits_lie_where_the_table_says() {
        let of = |format: ImageFormat, ty, values: &Components| {
            let bytes = format.encode(ty, values).unwrap();
            u64::from_le_bytes(bytes[..8].try_into().unwrap())
        };
        let whole = &[1, 2, 3, 0];
        // RGB10_A2UI: 0[9:0] 0[19:10] 0[29:20] 0[31:30].
        assert_eq!(of(ImageFormat::Rgb10A2Ui, Type::U32, &[1, 2, 3, 2]), 1 | 2 << 10 | 3 << 20 | 2 << 30);
        // RGBA16UI: 0[15:0] 0[31:16] 1[15:0] 1[31:16].
        assert_eq!(of(ImageFormat::Rgba16Ui, Type::U32, whole), 1 | 2 << 16 | 3 << 32);
        let clamped = floats([1.0, 0.0, 0.5, 2.0]);
        assert_eq!(of(ImageFormat::Rgba8, Type::F32, &clamped), 0xFF80_00FF);
        let signed = floats([-1.0, 1.0, 9.0, 9.0]);
        assert_eq!(of(ImageFormat::Rg8Snorm, Type::F32, &signed), 0x7F81);
        // 1 has exponent 15 and fraction 0: 15 << 6 in 11 bits, 15 << 5 in 10 bits.
        let ones = floats([1.0; 4]);
        assert_eq!(of(ImageFormat::R11FG11FB10F, Type::F32, &ones), 0x3C0 | 0x3C0 << 11 | 0x1E0 << 22);
        assert_eq!(of(ImageFormat::R16F, Type::F32, &ones), 0x3C00);
    }

    #[test]
    fn values_are_clamped_to_what_components_hold() {
        let round = |format: ImageFormat, ty, value: u64| {
            format.decode(&format.encode(ty, &[value; 4]).unwrap())[0] as u32
        };
        let minus = |n: u32| n.wrapping_neg();
        assert_eq!(round(ImageFormat::R8Ui, Type::U32, 300), 255);
        assert_eq!(round(ImageFormat::R8Ui, Type::S32, minus(5).into()), 0);
        assert_eq!(round(ImageFormat::R8I, Type::S32, minus(300).into()), minus(128));
        assert_eq!(round(ImageFormat::R32I, Type::U32, 0xFFFF_FFFF), 0x7FFF_FFFF);
        let float = |format: ImageFormat, value: f32| {
            f32::from_bits(round(format, Type::F32, value.to_bits().into()))
        };
        assert_eq!(float(ImageFormat::R8, 7.0), 1.0);
        assert_eq!(float(ImageFormat::R8, f32::NAN), 0.0);
        assert_eq!(float(ImageFormat::R8Snorm, -7.0), -1.0);
        assert_eq!(float(ImageFormat::R32F, -7.5), -7.5);
        assert_eq!(float(ImageFormat::R11FG11FB10F, -7.5), 0.0);
    }

    #[test]
    fn numbers_of_another_kind_are_no_texel() {
        assert_eq!(ImageFormat::R32Ui.encode(Type::F32, &[0; 4]), None);
        assert_eq!(ImageFormat::Rgba8.encode(Type::U32, &[0; 4]), None);
        assert_eq!(ImageFormat::R32F.decode(&[0; 4]), floats([0.0, 0.0, 0.0, 1.0]));
        assert_eq!(ImageFormat::Rg8I.decode(&[0xFF, 2]), [0xFFFF_FFFF, 2, 0, 1]);
    }
}
