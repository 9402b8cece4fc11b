//! Formats of images: the rows of Table X.2, and the conversion of data by formatted stores
//! (EXT_shader_image_load_store 3.9.X).

use super::Numbers;
use super::format::subset;
use shadestep_language::ir::{Components, MAX_ACCESS, Type};

subset! {
    /// Formats of image units and of the textures bound to them: the rows of Table X.2, in its order.
    ImageFormat, [];
    Rgba32F Rgba16F Rg32F Rg16F R11FG11FB10F R32F R16F
    Rgba32Ui Rgba16Ui Rgb10A2Ui Rgba8Ui Rg32Ui Rg16Ui Rg8Ui R32Ui R16Ui R8Ui
    Rgba32I Rgba16I Rgba8I Rg32I Rg16I Rg8I R32I R16I R8I
    Rgba16 Rgb10A2 Rgba8 Rg16 Rg8 R16 R8
    Rgba16Snorm Rgba8Snorm Rg16Snorm Rg8Snorm R16Snorm R8Snorm
}

impl ImageFormat {
    /// Size of a texel in bytes: 1, 2, 4, 8 or 16. Formats of the same size form an equivalence class.
    pub fn bytes(self) -> usize {
        self.format().bytes()
    }

    /// Number of components.
    pub const fn count(self) -> usize {
        self.format().components().len()
    }

    /// The data type that loads return.
    pub const fn numbers(self) -> Numbers {
        self.format().numbers()
    }

    /// A texel from components of type F32, S32 or U32. `None` if the format needs the other kind of numbers
    /// (floats or integers), which TexImage2D would not accept either.
    pub fn encode(self, ty: Type, values: &Components) -> Option<[u8; MAX_ACCESS]> {
        if (ty == Type::F32) != (self.numbers() == Numbers::Floats) {
            return None;
        }
        let (mut texel, mut at) = (0u128, 0);
        for (component, &value) in self.format().components().iter().zip(values) {
            let mask = u32::MAX >> (32 - component.bits());
            texel |= u128::from(component.encode(ty, value as u32) & mask) << at;
            at += component.bits();
        }
        let mut bytes = [0; MAX_ACCESS];
        bytes[..16].copy_from_slice(&texel.to_le_bytes());
        Some(bytes)
    }

    /// The components of a texel, of type [`Self::ty`]. Missing components are 0, 0 and 1.
    pub fn decode(self, bytes: &[u8]) -> Components {
        let one = if self.numbers() == Numbers::Floats { 1.0f32.to_bits() } else { 1 };
        let mut values = [0, 0, 0, one.into()];
        for (value, register) in values.iter_mut().zip(self.format().decode(bytes)) {
            *value = register.into();
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
