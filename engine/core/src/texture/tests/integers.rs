//! Integer formats (EXT_texture_integer): range, accepted images and filters, borders.

use super::*;
use shadestep_language::ir::Swizzle;

/// The integer formats.
fn formats() -> &'static [Format] {
    &Format::ALL[Format::FLOATS.len()..]
}

/// Bits and signedness of a component, according to the name: LUMINANCE_ALPHA16UI has 16 bits, unsigned.
fn said(format: Format) -> (u32, Numbers) {
    let (name, numbers) = match format.name().strip_suffix("UI") {
        Some(name) => (name, Numbers::Unsigned),
        None => (format.name().strip_suffix('I').unwrap(), Numbers::Signed),
    };
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    (digits.parse().unwrap(), numbers)
}

fn nearest(target: TextureTarget) -> Sampler {
    Sampler { min_filter: MinFilter::Nearest, mag_filter: MagFilter::Nearest, ..Sampler::for_target(target) }
}

fn of(format: Format, image: Image, sampler: Sampler) -> Texture {
    Texture::new(TextureTarget::D2, format, vec![image.into()], sampler).unwrap()
}

/// The bits of a lookup's result.
fn bits(texture: &Texture, at: [f32; 3]) -> [u32; 4] {
    value(texture, at).map(f32::to_bits)
}

/// Table 3.16, in its order but without vendor suffixes; then the table of ARB_texture_rg.
#[test]
fn table_3_16() {
    let bases = [
        ("ALPHA", BaseFormat::Alpha),
        ("LUMINANCE", BaseFormat::Luminance),
        ("LUMINANCE_ALPHA", BaseFormat::LuminanceAlpha),
        ("INTENSITY", BaseFormat::Intensity),
        ("RGB", BaseFormat::Rgb),
        ("RGBA", BaseFormat::Rgba),
        ("R", BaseFormat::Red),
        ("RG", BaseFormat::Rg),
    ];
    let sizes = ["8I", "8UI", "16I", "16UI", "32I", "32UI"];
    let names = bases.iter().flat_map(|(name, base)| sizes.map(|size| (format!("{name}{size}"), *base)));
    let found = formats().iter().map(|format| (format.name().to_owned(), format.base()));
    assert_eq!(found.collect::<Vec<_>>(), names.collect::<Vec<_>>());
    for &format in formats() {
        let (bits, numbers) = said(format);
        assert_eq!(format.numbers(), numbers, "{}", format.name());
        let range = if numbers == Numbers::Signed {
            (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1)
        } else {
            (0, (1i64 << bits) - 1)
        };
        assert_eq!(format.integer_range(), Some(range), "{}", format.name());
        assert_eq!(format.components().len(), format.base().pixel_components().len(), "{}", format.name());
        assert_eq!(Format::from_name(format.name()), Some(format));
        assert_eq!(Format::from_name(&format!("gl_{}_ext", format.name())), Some(format));
    }
    assert!(Format::FLOATS.iter().all(|format| format.numbers() == Numbers::Floats));
    assert!(Format::FLOATS.iter().all(|format| format.integer_range().is_none()));
}

/// 3.8.1: clamped to [-2^(n-1), 2^(n-1) - 1] or [0, 2^n - 1]. In Table X.5, one is the integer 1.
#[test]
fn components_are_clamped_to_the_range_of_the_format() {
    let given: &[i64] = &[
        -1 << 31,
        -32_769,
        -32_768,
        -129,
        -128,
        -1,
        0,
        1,
        127,
        128,
        255,
        256,
        65_535,
        65_536,
        (1 << 31) - 1,
    ];
    let large: &[i64] = &[1 << 31, (1 << 32) - 1];
    for &format in formats() {
        let (n, numbers) = said(format);
        let [low, high] = match numbers {
            Numbers::Signed => [-(1_i64 << (n - 1)), (1 << (n - 1)) - 1],
            _ => [0, (1 << n) - 1],
        };
        for (at, &r) in given.iter().chain(large).enumerate() {
            // Alpha gets another of the values.
            let a = given[(at + 4) % given.len()];
            let unsigned = r > i64::from(i32::MAX) || a >= 0 && r >= 0 && at % 2 == 0;
            let image = if unsigned {
                Image::from_u32([1, 1, 1], [r, 7, 9, a.max(0)].map(|v| v as u32).to_vec())
            } else {
                Image::from_i32([1, 1, 1], [r, 7, 9, a].map(|v| v as i32).to_vec())
            };
            let texture = of(format, image.unwrap(), nearest(TextureTarget::D2));
            let a = if unsigned { a.max(0) } else { a };
            let [r, a] = [r, a].map(|value| value.clamp(low, high));
            let expected = match format.base() {
                BaseFormat::Alpha => [0, 0, 0, a],
                BaseFormat::Luminance => [r, r, r, 1],
                BaseFormat::LuminanceAlpha => [r, r, r, a],
                BaseFormat::Intensity => [r; 4],
                BaseFormat::Rgb => [r, 7, 9, 1],
                BaseFormat::Red => [r, 0, 0, 1],
                BaseFormat::Rg => [r, 7, 0, 1],
                _ => [r, 7, 9, a],
            };
            let expected = expected.map(|value| value as u32);
            assert_eq!(bits(&texture, [0.5, 0.5, 0.0]), expected, "{} {r} {a}", format.name());
            assert_eq!(texture.fetch([0; 4], [0; 3]), Some(expected), "{}", format.name());
            // The first stored component as a number, with 24 bits of precision.
            let first = if format.base() == BaseFormat::Alpha { a } else { r };
            assert_eq!(texture.texel(0, 0, [0; 3]).unwrap()[0], first as f32, "{}", format.name());
        }
    }
}

/// Errors: INVALID_OPERATION if exactly one of format and internal format is an integer format.
#[test]
fn formats_of_integers_take_images_of_integers_alone() {
    let images = || {
        [
            (Image::from_rgba8([1, 1, 1], vec![0; 4]).unwrap(), false),
            (Image::from_rgba8_biased([1, 1, 1], vec![0; 4]).unwrap(), false),
            (Image::from_f32([1, 1, 1], vec![0.0; 4]).unwrap(), false),
            (Image::from_i32([1, 1, 1], vec![0; 4]).unwrap(), true),
            (Image::from_u32([1, 1, 1], vec![0; 4]).unwrap(), true),
        ]
    };
    for &format in Format::ALL {
        let target = if format.base().is_float_buffer() { TextureTarget::Rect } else { TextureTarget::D2 };
        for (image, of_integers) in images() {
            let fits = of_integers == formats().contains(&format);
            let made = Texture::new(target, format, vec![image.into()], nearest(target));
            let expected = (!fits).then_some(TextureError::PixelNumbers { format });
            assert_eq!(made.err(), expected, "{}", format.name());
        }
    }
    let image = Image::from_i32([1, 1, 1], vec![0; 3]);
    assert!(matches!(image.err(), Some(TextureError::DataLength { .. })));
    let image = Image::from_u32([1, 1, 1], vec![0; 5]);
    assert!(matches!(image.err(), Some(TextureError::DataLength { .. })));
}

/// 3.8.10: complete with NEAREST or NEAREST_MIPMAP_NEAREST for minification, and NEAREST for magnification.
#[test]
fn textures_of_integers_are_complete_with_filters_of_one_texel() {
    for &format in formats() {
        for min_filter in MinFilter::ALL {
            for mag_filter in MagFilter::ALL {
                let sampler = Sampler { min_filter, mag_filter, ..Sampler::default() };
                let texture = of(format, Image::from_i32([1, 1, 1], vec![1; 4]).unwrap(), sampler);
                let complete = matches!(min_filter, MinFilter::Nearest | MinFilter::NearestMipmapNearest)
                    && mag_filter == MagFilter::Nearest;
                let expected = (!complete).then_some(Incomplete::IntegerFilter { min_filter, mag_filter });
                assert_eq!(texture.why(), expected, "{}", format.name());
                let sizes = [vec![[1, 1, 1]]];
                assert_eq!(Texture::why_not(TextureTarget::D2, format, &sizes, &sampler), expected);
                assert_eq!(Texture::why_not(TextureTarget::Buffer, format, &sizes, &sampler), None);
                assert_eq!(texture.is_complete(), complete);
            }
        }
    }
    // Also after a change of the sampler.
    let mut texture =
        of(Format::Rgba8I, Image::from_i32([1, 1, 1], vec![1; 4]).unwrap(), nearest(TextureTarget::D2));
    texture.set_sampler(Sampler::default()).unwrap();
    assert!(!texture.is_complete());
}

#[test]
fn mipmaps_are_given_and_not_made_of_integers() {
    let sampler = Sampler { min_filter: MinFilter::NearestMipmapNearest, ..nearest(TextureTarget::D2) };
    let level = |side: usize, n: i32| {
        Level::from(Image::from_i32([side, side, 1], vec![n; side * side * 4]).unwrap())
    };
    let levels = vec![level(4, -1), level(2, -2), level(1, -3)];
    let mut texture = Texture::new(TextureTarget::D2, Format::Rgba16I, levels, sampler).unwrap();
    assert_eq!(texture.generate_mipmaps(), Err(TextureError::IntegerMipmaps { format: Format::Rgba16I }));
    // rho = 4 d: levels from 0 up, the nearest one (3.8.8).
    for (d, expected) in [(0.25, -1), (0.5, -2), (1.0, -3), (0.3, -1), (0.4, -2)] {
        let (found, _) = look(&texture, [0.3; 3], [d, 0.0, 0.0], [0.0, d, 0.0]);
        assert_eq!(found.map(|v| v.to_bits().cast_signed()), [expected; 4], "{d}");
    }
    // Anisotropic probes are not averaged.
    texture.set_sampler(Sampler { max_anisotropy: 8.0, ..sampler }).unwrap();
    let (found, _) = look(&texture, [0.3; 3], [1.0, 0.0, 0.0], [0.0; 3]);
    assert_eq!(found.map(|v| v.to_bits().cast_signed()), [-3; 4]);
}

/// glspec40 3.9.11: border values of the texture's data type are clamped to the format's range. Others are
/// undefined, here 0.
#[test]
fn borders_are_integers_of_the_textures_type() {
    let outside = |format, border| {
        let sampler = Sampler { wrap: [Wrap::ClampToBorder; 3], border, ..nearest(TextureTarget::D2) };
        let texture = of(format, Image::from_u32([1, 1, 1], vec![5; 4]).unwrap(), sampler);
        assert_eq!(bits(&texture, [0.5, 0.5, 0.0])[0], 5);
        bits(&texture, [-0.5, 0.5, 0.0])
    };
    // fp32 cannot represent the first two.
    let (large, small) = (i32::MAX - 1, i32::MIN + 1);
    let signed = BorderColor::Signed([large, small, 200, -7]);
    let unsigned = BorderColor::Unsigned([u32::MAX - 1, 1, 300, 0x7F80_0001]);
    let word = i32::cast_unsigned;
    assert_eq!(outside(Format::Rgba32I, signed), [word(large), word(small), 200, word(-7)]);
    assert_eq!(outside(Format::Rgba8I, signed), [127, word(-128), 127, word(-7)]);
    assert_eq!(outside(Format::Rgb16I, signed), [32_767, word(-32_768), 200, 1]);
    assert_eq!(outside(Format::LuminanceAlpha32I, signed), [word(large), word(large), word(large), word(-7)]);
    assert_eq!(outside(Format::Rgba32Ui, unsigned), [u32::MAX - 1, 1, 300, 0x7F80_0001]);
    assert_eq!(outside(Format::Intensity8Ui, unsigned), [255; 4]);
    let floats = BorderColor::Floats([0.5; 4]);
    for (format, border) in [
        (Format::Rgba32I, unsigned),
        (Format::Rgba32I, floats),
        (Format::Rgba32Ui, signed),
        (Format::Rgba32Ui, floats),
    ] {
        assert_eq!(outside(format, border), [0; 4], "{border:?}");
    }
    let sampler = Sampler { wrap: [Wrap::ClampToBorder; 3], border: signed, ..nearest(TextureTarget::D2) };
    let texture = of(Format::Rgba8, Image::from_rgba8([1, 1, 1], vec![5; 4]).unwrap(), sampler);
    assert_eq!(value(&texture, [-0.5, 0.5, 0.0]), [0.0; 4]);
}

/// EXT_texture_buffer_object and glspec40 table 3.21 have all formats except RGB with less than 32 bits.
#[test]
fn buffers_of_integers() {
    let target = TextureTarget::Buffer;
    for &format in formats() {
        let image = Image::from_i32([3, 1, 1], (0..12).collect()).unwrap();
        let made = Texture::new(target, format, vec![image.into()], Sampler::for_target(target));
        if format.base() == BaseFormat::Rgb && said(format).0 < 32 {
            assert_eq!(made.err(), Some(TextureError::FormatTarget { format, target }));
            continue;
        }
        let expected = match format.base() {
            BaseFormat::Alpha => [0, 0, 0, 11],
            BaseFormat::Luminance => [8, 8, 8, 1],
            BaseFormat::LuminanceAlpha => [8, 8, 8, 11],
            BaseFormat::Intensity => [8; 4],
            BaseFormat::Rgb => [8, 9, 10, 1],
            BaseFormat::Red => [8, 0, 0, 1],
            BaseFormat::Rg => [8, 9, 0, 1],
            _ => [8, 9, 10, 11],
        };
        assert_eq!(made.unwrap().fetch([2, 0, 0, 0], [0; 3]), Some(expected), "{}", format.name());
    }
}

/// EXT_texture_swizzle: each component can become any component, zero or one, after Table X.5. For integer
/// textures, one is the integer 1.
#[test]
fn every_selector_in_every_component() {
    let floats = [0.25, 0.5, 0.75, 1.0];
    for selector in 0..=Swizzle::ONE {
        for c in 0..4 {
            let mut swizzle = Swizzle::IDENTITY;
            swizzle.0[c] = selector;
            let sampler = Sampler { swizzle, ..nearest(TextureTarget::D2) };
            let choose = |from: [u32; 4], one: u32| {
                let mut expected = from;
                expected[c] = match selector {
                    Swizzle::ZERO => 0,
                    Swizzle::ONE => one,
                    component => from[usize::from(component)],
                };
                expected
            };
            let place = [0.5, 0.5, 0.0];
            let image = Image::from_i32([1, 1, 1], vec![-1, -2, -3, -4]).unwrap();
            let texture = of(Format::Rgb8I, image, sampler);
            let expected = choose([-1, -2, -3, 1].map(i32::cast_unsigned), 1);
            assert_eq!(bits(&texture, place), expected);
            assert_eq!(texture.fetch([0; 4], [0; 3]), Some(expected));
            let image = Image::from_f32([1, 1, 1], floats.to_vec()).unwrap();
            let texture = of(Format::SignedLuminance8Alpha8, image, sampler);
            // One is 127 / 128 for these components.
            let row = [0.25_f32, 0.25, 0.25, 0.992_187_5].map(f32::to_bits);
            let expected = choose(row, 1.0_f32.to_bits());
            assert_eq!(bits(&texture, place), expected);
            assert_eq!(texture.fetch([0; 4], [0; 3]), Some(expected));
        }
    }
}

/// EXT_texture_swizzle, Errors: any selector other than the six.
#[test]
fn swizzles_name_components_zero_and_one() {
    for c in 0..4 {
        let mut swizzle = Swizzle::IDENTITY;
        swizzle.0[c] = Swizzle::ONE + 1;
        let sampler = Sampler { swizzle, ..nearest(TextureTarget::D2) };
        assert_eq!(sampler.check(TextureTarget::D2), Err(TextureError::Swizzle));
        let image = Image::from_rgba8([1, 1, 1], vec![0; 4]).unwrap();
        let made = Texture::new(TextureTarget::D2, Format::Rgba8, vec![image.into()], sampler);
        assert_eq!(made.err(), Some(TextureError::Swizzle));
    }
}
