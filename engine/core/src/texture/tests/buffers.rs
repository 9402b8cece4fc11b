//! Tests of textures over buffer objects (TexBuffer, EXT_texture_buffer_object 3.8.4).

use super::*;

/// The result of a fetch for each texel of a buffer texture.
fn texels(format: Format, store: &[u8]) -> Vec<[u32; 4]> {
    let texture = Texture::of_buffer(format, store).unwrap();
    assert_eq!((texture.target(), texture.format()), (TextureTarget::Buffer, format));
    (0..).map_while(|n| texture.fetch([n, 0, 0, 0], [0; 3])).collect()
}

fn floats(texel: [f32; 4]) -> [u32; 4] {
    texel.map(f32::to_bits)
}

#[test]
fn elements_are_components_in_the_order_of_table_x_1() {
    let one = 1.0_f32.to_bits();
    // 13107 of 65535 and 51 of 255 are one fifth.
    let fifth = (51.0_f32 / 255.0).to_bits();
    assert_eq!(texels(Format::Alpha8, &[51, 255]), [[0, 0, 0, fifth], [0, 0, 0, one]]);
    assert_eq!(
        texels(Format::Luminance8Alpha8, &[51, 0, 255, 51]),
        [[fifth, fifth, fifth, 0], [one, one, one, fifth]]
    );
    assert_eq!(texels(Format::Rgba8, &[0, 51, 255, 51]), [[0, fifth, one, fifth]]);
    let words: Vec<u8> = [0_u16, 13107, 65535, 13107].iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(texels(Format::Rgba16, &words), [[0, fifth, one, fifth]]);
    assert_eq!(texels(Format::Intensity16, &words[2..4]), [[fifth; 4]]);
    // 0x3C00 is 1, 0xC000 is -2, 0x0001 is 2^-24, 0x7BFF is 65504.
    let halves: Vec<u8> = [0x3C00_u16, 0xC000, 0x0001, 0x7BFF].iter().flat_map(|h| h.to_le_bytes()).collect();
    let smallest = f32::from_bits((127 - 24) << 23);
    assert_eq!(texels(Format::Rgba16F, &halves), [floats([1.0, -2.0, smallest, 65504.0])]);
    let singles: Vec<u8> = [1.5_f32, -1e30, 0.1, 7.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    assert_eq!(texels(Format::Rgba32F, &singles), [floats([1.5, -1e30, 0.1, 7.0])]);
    assert_eq!(texels(Format::Rgb32F, &singles[..12]), [floats([1.5, -1e30, 0.1, 1.0])]);
    assert_eq!(texels(Format::R32F, &singles[4..8]), [floats([-1e30, 0.0, 0.0, 1.0])]);
}

#[test]
fn integers_are_as_their_base_type_has_them() {
    let bytes = [0x80, 0xFF, 0x7F, 0x01];
    let extended = |values: [i32; 4]| values.map(i32::cast_unsigned);
    assert_eq!(texels(Format::Rgba8I, &bytes), [extended([-128, -1, 127, 1])]);
    assert_eq!(texels(Format::Rgba8Ui, &bytes), [[128, 255, 127, 1]]);
    assert_eq!(texels(Format::Rg16I, &bytes), [extended([-128, 0x017F, 0, 1])]);
    assert_eq!(texels(Format::Rg16Ui, &bytes), [[0xFF80, 0x017F, 0, 1]]);
    assert_eq!(texels(Format::R32I, &bytes), [[0x017F_FF80, 0, 0, 1]]);
    assert_eq!(texels(Format::Luminance32Ui, &[0, 0, 0, 0x80]), [[1 << 31, 1 << 31, 1 << 31, 1]]);
    assert_eq!(texels(Format::LuminanceAlpha32I, &[0xFF; 8]), [[u32::MAX; 4]]);
}

#[test]
fn there_are_as_many_texels_as_are_whole() {
    for (format, bytes) in [
        (Format::Alpha8Ui, 1),
        (Format::LuminanceAlpha16I, 4),
        (Format::Rgb32Ui, 12),
        (Format::Rgba16F, 8),
        (Format::Rgba32I, 16),
    ] {
        assert_eq!(format.bytes_in_buffer(), Some(bytes));
        for (length, count) in [(0, 0), (bytes - 1, 0), (bytes, 1), (5 * bytes + bytes - 1, 5)] {
            assert_eq!(texels(format, &vec![0; length]).len(), count, "{} {length}", format.name());
        }
    }
}

#[test]
fn formats_outside_of_table_x_1() {
    let target = TextureTarget::Buffer;
    for format in [
        Format::Rgb8,
        Format::Rgb16I,
        Format::Rgba4,
        Format::Rgb10A2,
        Format::SignedRgba8,
        Format::DepthComponent16,
        Format::FloatRgba32,
        Format::R11FG11FB10F,
        Format::Rgb9E5,
    ] {
        let refused = Texture::of_buffer(format, &[0; 64]).err();
        assert_eq!(refused, Some(TextureError::FormatTarget { format, target }));
        assert_eq!(format.bytes_in_buffer(), None);
    }
}
