//! Formats: Table X.5, storage precision, names, limits.

use super::*;

/// A one-texel texture with this pixel.
fn dot(format: Format, pixel: [f32; 4], sampler: Sampler) -> Texture {
    let target = if format.base().is_float_buffer() { TextureTarget::Rect } else { TextureTarget::D2 };
    let sampler = if target == TextureTarget::Rect { Sampler::for_target(target) } else { sampler };
    let image = Image::from_f32([1, 1, 1], pixel.to_vec()).unwrap();
    Texture::new(target, format, vec![image.into()], sampler).unwrap()
}

#[test]
fn table_x5() {
    use Format::*;
    // (0.25, -0.5, 0.75, 1.0), rounded to each format's components.
    let [r8, b8] = [64.0 / 255.0, 191.0 / 255.0];
    let [r16, b16] = [16_384.0 / 65_535.0, 49_151.0 / 65_535.0];
    let [r4, b4, r5, b5, r6] = [4.0 / 15.0, 11.0 / 15.0, 8.0 / 31.0, 23.0 / 31.0, 16.0 / 63.0];
    let [r10, b10, r12, b12] = [256.0 / 1023.0, 767.0 / 1023.0, 1024.0 / 4095.0, 3071.0 / 4095.0];
    let s8 = 127.0 / 128.0;
    let expected: &[(Format, [f32; 4])] = &[
        (Alpha4, [0.0, 0.0, 0.0, 1.0]),
        (Alpha8, [0.0, 0.0, 0.0, 1.0]),
        (Alpha12, [0.0, 0.0, 0.0, 1.0]),
        (Alpha16, [0.0, 0.0, 0.0, 1.0]),
        (Luminance4, [r4, r4, r4, 1.0]),
        (Luminance8, [r8, r8, r8, 1.0]),
        (Luminance12, [r12, r12, r12, 1.0]),
        (Luminance16, [r16, r16, r16, 1.0]),
        (Luminance4Alpha4, [r4, r4, r4, 1.0]),
        (Luminance6Alpha2, [r6, r6, r6, 1.0]),
        (Luminance8Alpha8, [r8, r8, r8, 1.0]),
        (Luminance12Alpha4, [r12, r12, r12, 1.0]),
        (Luminance12Alpha12, [r12, r12, r12, 1.0]),
        (Luminance16Alpha16, [r16, r16, r16, 1.0]),
        (Intensity4, [r4; 4]),
        (Intensity8, [r8; 4]),
        (Intensity12, [r12; 4]),
        (Intensity16, [r16; 4]),
        (R3G3B2, [2.0 / 7.0, 0.0, 2.0 / 3.0, 1.0]),
        (Rgb4, [r4, 0.0, b4, 1.0]),
        (Rgb5, [r5, 0.0, b5, 1.0]),
        (Rgb8, [r8, 0.0, b8, 1.0]),
        (Rgb10, [r10, 0.0, b10, 1.0]),
        (Rgb12, [r12, 0.0, b12, 1.0]),
        (Rgb16, [r16, 0.0, b16, 1.0]),
        (Rgba2, [1.0 / 3.0, 0.0, 2.0 / 3.0, 1.0]),
        (Rgba4, [r4, 0.0, b4, 1.0]),
        (Rgb5A1, [r5, 0.0, b5, 1.0]),
        (Rgba8, [r8, 0.0, b8, 1.0]),
        (Rgb10A2, [r10, 0.0, b10, 1.0]),
        (Rgba12, [r12, 0.0, b12, 1.0]),
        (Rgba16, [r16, 0.0, b16, 1.0]),
        (SignedAlpha8, [0.0, 0.0, 0.0, s8]),
        (SignedLuminance8, [0.25, 0.25, 0.25, 1.0]),
        (SignedLuminance8Alpha8, [0.25, 0.25, 0.25, s8]),
        (SignedIntensity8, [0.25; 4]),
        (SignedRgb8, [0.25, -0.5, 0.75, 1.0]),
        (SignedRgb8UnsignedAlpha8, [0.25, -0.5, 0.75, 1.0]),
        (SignedRgba8, [0.25, -0.5, 0.75, s8]),
        (Hilo16, [r16, 0.0, 1.0, 1.0]),
        // 1 - (1/16 + 1/4) = 11/16.
        (SignedHilo16, [0.25, -0.5, 0.6875_f32.sqrt(), 1.0]),
        (Dsdt8, [0.25, -0.5, 0.0, 1.0]),
        (Dsdt8Mag8, [0.25, -0.5, b8, 1.0]),
        (Dsdt8Mag8Intensity8, [0.25, -0.5, b8, 1.0]),
        (FloatR16, [0.25, 0.0, 0.0, 1.0]),
        (FloatR32, [0.25, 0.0, 0.0, 1.0]),
        (FloatRg16, [0.25, -0.5, 0.0, 1.0]),
        (FloatRg32, [0.25, -0.5, 0.0, 1.0]),
        (FloatRgb16, [0.25, -0.5, 0.75, 1.0]),
        (FloatRgb32, [0.25, -0.5, 0.75, 1.0]),
        (FloatRgba16, [0.25, -0.5, 0.75, 1.0]),
        (FloatRgba32, [0.25, -0.5, 0.75, 1.0]),
        (DepthComponent16, [r16, r16, r16, 1.0]),
        (DepthComponent24, [0.25, 0.25, 0.25, 1.0]),
        // 2^30 / (2^32 - 1) is 0.25 in fp32.
        (DepthComponent32, [0.25, 0.25, 0.25, 1.0]),
        (DepthComponent32F, [0.25, 0.25, 0.25, 1.0]),
        (Depth24Stencil8, [0.25, 0.25, 0.25, 1.0]),
        (Depth32FStencil8, [0.25, 0.25, 0.25, 1.0]),
        (R8, [r8, 0.0, 0.0, 1.0]),
        (R16, [r16, 0.0, 0.0, 1.0]),
        (Rg8, [r8, 0.0, 0.0, 1.0]),
        (Rg16, [r16, 0.0, 0.0, 1.0]),
        (R16F, [0.25, 0.0, 0.0, 1.0]),
        (R32F, [0.25, 0.0, 0.0, 1.0]),
        (Rg16F, [0.25, -0.5, 0.0, 1.0]),
        (Rg32F, [0.25, -0.5, 0.0, 1.0]),
        (Alpha16F, [0.0, 0.0, 0.0, 1.0]),
        (Alpha32F, [0.0, 0.0, 0.0, 1.0]),
        (Luminance16F, [0.25, 0.25, 0.25, 1.0]),
        (Luminance32F, [0.25, 0.25, 0.25, 1.0]),
        (LuminanceAlpha16F, [0.25, 0.25, 0.25, 1.0]),
        (LuminanceAlpha32F, [0.25, 0.25, 0.25, 1.0]),
        (Intensity16F, [0.25; 4]),
        (Intensity32F, [0.25; 4]),
        (Rgb16F, [0.25, -0.5, 0.75, 1.0]),
        (Rgb32F, [0.25, -0.5, 0.75, 1.0]),
        (Rgba16F, [0.25, -0.5, 0.75, 1.0]),
        (Rgba32F, [0.25, -0.5, 0.75, 1.0]),
        // These formats have no sign.
        (R11FG11FB10F, [0.25, 0.0, 0.75, 1.0]),
        (Rgb9E5, [0.25, 0.0, 0.75, 1.0]),
    ];
    assert_eq!(expected.len(), Format::FLOATS.len());
    for &(format, expected) in expected {
        let texture = dot(format, [0.25, -0.5, 0.75, 1.0], Sampler::default());
        let result = value(&texture, [0.5, 0.5, 0.0]);
        // 0.25 in 24 bits is 4194304/16777215, the fp32 number after 0.25.
        let slack = if matches!(format, DepthComponent24 | Depth24Stencil8) { 3e-8 } else { 0.0 };
        let off = result.iter().zip(expected).any(|(r, e)| (r - e).abs() > slack);
        assert!(!off, "{}: {result:?}, not {expected:?}", format.name());
    }
}

#[test]
fn alpha_comes_from_alpha() {
    let pixel = [0.25, -0.5, 0.75, 0.6];
    for (format, w) in [
        (Format::Luminance8Alpha8, 153.0 / 255.0),
        (Format::Rgba8, 153.0 / 255.0),
        (Format::Alpha8, 153.0 / 255.0),
        (Format::Dsdt8Mag8Intensity8, 153.0 / 255.0),
        (Format::Alpha16, 39_321.0 / 65_535.0),
        // 0.6 * 128 = 76.8.
        (Format::SignedRgba8, 77.0 / 128.0),
        (Format::SignedRgb8UnsignedAlpha8, 153.0 / 255.0),
        (Format::FloatRgba32, 0.6),
    ] {
        let texture = dot(format, pixel, Sampler::default());
        assert_eq!(value(&texture, [0.5, 0.5, 0.0])[3], w, "{}", format.name());
    }
}

/// Every sized internal format of glspec15 table 3.16, with the bits of its components.
const TABLE_3_16: [(&str, &[u32]); 38] = [
    ("ALPHA4", &[4]),
    ("ALPHA8", &[8]),
    ("ALPHA12", &[12]),
    ("ALPHA16", &[16]),
    ("DEPTH_COMPONENT16", &[16]),
    ("DEPTH_COMPONENT24", &[24]),
    ("DEPTH_COMPONENT32", &[32]),
    ("LUMINANCE4", &[4]),
    ("LUMINANCE8", &[8]),
    ("LUMINANCE12", &[12]),
    ("LUMINANCE16", &[16]),
    ("LUMINANCE4_ALPHA4", &[4, 4]),
    ("LUMINANCE6_ALPHA2", &[6, 2]),
    ("LUMINANCE8_ALPHA8", &[8, 8]),
    ("LUMINANCE12_ALPHA4", &[12, 4]),
    ("LUMINANCE12_ALPHA12", &[12, 12]),
    ("LUMINANCE16_ALPHA16", &[16, 16]),
    ("INTENSITY4", &[4]),
    ("INTENSITY8", &[8]),
    ("INTENSITY12", &[12]),
    ("INTENSITY16", &[16]),
    ("R3_G3_B2", &[3, 3, 2]),
    ("RGB4", &[4, 4, 4]),
    ("RGB5", &[5, 5, 5]),
    ("RGB8", &[8, 8, 8]),
    ("RGB10", &[10, 10, 10]),
    ("RGB12", &[12, 12, 12]),
    ("RGB16", &[16, 16, 16]),
    ("RGBA2", &[2, 2, 2, 2]),
    ("RGBA4", &[4, 4, 4, 4]),
    ("RGB5_A1", &[5, 5, 5, 1]),
    ("RGBA8", &[8, 8, 8, 8]),
    ("RGB10_A2", &[10, 10, 10, 2]),
    ("RGBA12", &[12, 12, 12, 12]),
    ("RGBA16", &[16, 16, 16, 16]),
    // NV_texture_shader also has unsigned ones.
    ("HILO16", &[16, 16]),
    ("DEPTH_COMPONENT16_ARB", &[16]),
    ("GL_RGB5_A1", &[5, 5, 5, 1]),
];

#[test]
fn unsigned_components_hold_the_levels_of_their_bits() {
    for (name, bits) in TABLE_3_16 {
        let format = Format::from_name(name).expect(name);
        let places = format.base().pixel_components();
        assert_eq!(places.len(), bits.len(), "{name}");
        // A level, and values less than half a level away.
        for step in [0u64, 1, 2, 3, 5, 6, u64::MAX] {
            for part in [-0.45, 0.0, 0.45] {
                let mut pixel = [0.0; 4];
                let mut expected = [0.0; 4];
                for ((&place, &bits), expected) in places.iter().zip(bits).zip(&mut expected) {
                    let greatest = (1u64 << bits) - 1;
                    let level = step.min(greatest) as f64;
                    pixel[place] = ((level + part) / greatest as f64) as f32;
                    *expected = (level / greatest as f64) as f32;
                }
                // fp32 cannot represent fractions of such fine levels.
                if part != 0.0 && bits.iter().any(|&bits| bits > 16) {
                    continue;
                }
                let texture = dot(format, pixel, Sampler::default());
                let stored = texture.texel(0, 0, [0; 3]).expect("the texel");
                assert_eq!(stored, expected, "{name} {step} {part}");
            }
        }
    }
}

#[test]
fn unsized_and_generic_compressed_formats_are_sized_ones() {
    for (names, format) in [
        (&["ALPHA", "COMPRESSED_ALPHA"][..], Format::Alpha8),
        (&["LUMINANCE", "1", "COMPRESSED_LUMINANCE"], Format::Luminance8),
        (&["LUMINANCE_ALPHA", "2", "COMPRESSED_LUMINANCE_ALPHA"], Format::Luminance8Alpha8),
        (&["INTENSITY", "COMPRESSED_INTENSITY"], Format::Intensity8),
        (&["RGB", "3", "COMPRESSED_RGB", "gl_rgb"], Format::Rgb8),
        (&["RGBA", "4", "COMPRESSED_RGBA"], Format::Rgba8),
        (&["DEPTH_COMPONENT"], Format::DepthComponent24),
        (&["DEPTH_STENCIL", "DEPTH24_STENCIL8_EXT"], Format::Depth24Stencil8),
        (&["RED", "COMPRESSED_RED"], Format::R8),
        (&["RG", "COMPRESSED_RG"], Format::Rg8),
    ] {
        for name in names {
            assert_eq!(Format::from_name(name), Some(format), "{name}");
        }
    }
    for name in ["5", "0", "COMPRESSED_", "COMPRESSED_RGB8", "COMPRESSED_RGBA_S3TC_DXT1_EXT"] {
        assert_eq!(Format::from_name(name), None, "{name}");
    }
}

#[test]
fn mipmaps_of_few_bits_are_levels_of_those_bits() {
    // Black and white: halfway is 7.5 of 15 and 1.5 of 3, which round up.
    let data = vec![0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255];
    for (format, expected) in [(Format::Rgba4, 8.0 / 15.0), (Format::Rgba2, 2.0 / 3.0)] {
        let image = Image::from_rgba8([2, 2, 1], data.clone()).unwrap();
        let mut texture =
            Texture::new(TextureTarget::D2, format, vec![image.into()], Sampler::default()).unwrap();
        texture.generate_mipmaps().unwrap();
        assert_eq!(texture.texel(1, 0, [0; 3]), Some([expected; 4]), "{}", format.name());
    }
}

#[test]
fn depth_mode_selects_the_row() {
    for (depth_mode, expected) in [
        (DepthMode::Luminance, [1.0, 1.0, 1.0, 1.0]),
        (DepthMode::Intensity, [1.0, 1.0, 1.0, 1.0]),
        (DepthMode::Alpha, [0.0, 0.0, 0.0, 1.0]),
    ] {
        let texture =
            dot(Format::DepthComponent16, [1.0, 0.0, 0.0, 0.0], Sampler { depth_mode, ..Sampler::default() });
        assert_eq!(value(&texture, [0.0; 3]), expected);
    }
    let low = Sampler { depth_mode: DepthMode::Intensity, ..Sampler::default() };
    assert_eq!(value(&dot(Format::DepthComponent16, [0.0; 4], low), [0.0; 3]), [0.0; 4]);
}

#[test]
fn every_byte_is_exact() {
    let data: Vec<u8> = (0..=255).flat_map(|b| [b, 255 - b, b / 2, b]).collect();
    let sampler =
        Sampler { mag_filter: MagFilter::Nearest, min_filter: MinFilter::Nearest, ..Sampler::default() };
    let image = Image::from_rgba8([256, 1, 1], data).unwrap();
    let texture = Texture::new(TextureTarget::D2, Format::Rgba8, vec![image.into()], sampler).unwrap();
    for b in 0..=255_u8 {
        let expected = [b, 255 - b, b / 2, b].map(|b| f32::from(b) / 255.0);
        assert_eq!(value(&texture, [(f32::from(b) + 0.5) / 256.0, 0.5, 0.0]), expected);
    }
}

#[test]
fn hemi_is_of_the_filtered_components() {
    let sampler =
        Sampler { min_filter: MinFilter::Linear, wrap: [Wrap::ClampToEdge; 3], ..Sampler::default() };
    let data = vec![0.75, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0];
    let image = Image::from_f32([2, 1, 1], data).unwrap();
    let texture = Texture::new(TextureTarget::D2, Format::SignedHilo16, vec![image.into()], sampler).unwrap();
    // Halfway: HI = 3/8, LO = 1/4, HEMI = sqrt(1 - 9/64 - 4/64).
    assert_eq!(value(&texture, [0.5, 0.5, 0.0]), [0.375, 0.25, (51.0_f32 / 64.0).sqrt(), 1.0]);
    // If HI and LO are longer than 1, HEMI is 0.
    let texture = dot(Format::SignedHilo16, [-1.0, -1.0, 0.0, 0.0], Sampler::default());
    assert_eq!(value(&texture, [0.0; 3]), [-1.0, -1.0, 0.0, 1.0]);
}

#[test]
fn biased_bytes_are_signed() {
    let image = Image::from_rgba8_biased([1, 1, 1], vec![0, 128, 255, 192]).unwrap();
    let texture =
        Texture::new(TextureTarget::D2, Format::SignedRgba8, vec![image.into()], Sampler::default()).unwrap();
    assert_eq!(value(&texture, [0.0; 3]), [-1.0, 0.0, 127.0 / 128.0, 0.5]);
}

#[test]
fn halves_round_as_fp16() {
    let cases = [
        (1.0 + 1.0 / 2048.0, 1.0),
        (1.0 + 3.0 / 2048.0, 1.0 + 2.0 / 1024.0),
        (65_519.0, 65_504.0),
        (65_520.0, f32::INFINITY),
        (-1e9, f32::NEG_INFINITY),
        (f32::INFINITY, f32::INFINITY),
        // Half the smallest denorm ties to zero; three quarters of it round up to 2^-24.
        (2.0_f32.powi(-25), 0.0),
        (0.75 * 2.0_f32.powi(-24), 2.0_f32.powi(-24)),
    ];
    for (given, expected) in cases {
        let texture = dot(Format::FloatR16, [given, 0.0, 0.0, 0.0], Sampler::default());
        assert_eq!(value(&texture, [0.5, 0.5, 0.0])[0], expected, "{given}");
    }
    // Every fp16 bit pattern survives, compared with the `half` crate's conversion.
    for bits in (0..=u16::MAX).step_by(7) {
        let half = half::f16::from_bits(bits).to_f32();
        if !half.is_nan() {
            assert_eq!(
                Component::Float(16).quantise(f64::from(half) * 1.0001),
                half::f16::from_f64(f64::from(half) * 1.0001).to_f32()
            );
        }
    }
}

#[test]
fn float_textures_pass_values_through_flushed() {
    let pixel = [-7.5, 1e30, f32::NAN, 1e-40];
    let texture = dot(Format::FloatRgba32, pixel, Sampler::default());
    let out = value(&texture, [0.5, 0.5, 0.0]);
    assert_eq!(out[..2], [-7.5, 1e30]);
    assert_eq!(out[2].to_bits(), fp32::NAN_BITS);
    assert_eq!(out[3].to_bits(), 0);
    // LINEAR acts as NEAREST for these formats (NV_float_buffer 3.8.7).
    let image = Image::from_f32([2, 1, 1], vec![1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0]).unwrap();
    let sampler = Sampler::for_target(TextureTarget::Rect);
    let texture = Texture::new(TextureTarget::Rect, Format::FloatR32, vec![image.into()], sampler).unwrap();
    assert_eq!([0.9, 1.1].map(|s| value(&texture, [s, 0.5, 0.0])[0]), [1.0, 2.0]);
}

#[test]
fn borders_are_clamped_by_component() {
    let sampler = Sampler {
        wrap: [Wrap::ClampToBorder; 3],
        border: [-3.0, 0.5, 7.0, -0.5].into(),
        ..Sampler::default()
    };
    let outside = |format| {
        let texture = dot(format, [0.0; 4], sampler);
        value(&texture, [-9.0, 0.5, 0.0])
    };
    assert_eq!(outside(Format::Rgba8), [0.0, 0.5, 1.0, 0.0]);
    assert_eq!(outside(Format::SignedRgba8), [-1.0, 0.5, 1.0, -0.5]);
    assert_eq!(outside(Format::Dsdt8Mag8Intensity8), [-1.0, 0.5, 1.0, 0.0]);
    assert_eq!(outside(Format::Luminance8Alpha8), [0.0, 0.0, 0.0, 0.0]);
    assert_eq!(outside(Format::SignedAlpha8), [0.0, 0.0, 0.0, -0.5]);
}

#[test]
fn names() {
    for &format in Format::FLOATS {
        assert_eq!(Format::from_name(format.name()), Some(format));
        assert_eq!(Format::FLOATS.iter().filter(|f| f.name() == format.name()).count(), 1);
        assert_eq!(format.components().len(), format.base().pixel_components().len(), "{}", format.name());
    }
    assert_eq!(Format::from_name("gl_signed_hilo16_nv"), Some(Format::SignedHilo16));
    assert_eq!(Format::from_name("DEPTH_COMPONENT16_ARB"), Some(Format::DepthComponent16));
    assert_eq!(Format::from_name("RGBA9"), None);
}

#[test]
fn formats_know_their_targets() {
    for &format in Format::FLOATS {
        for target in TextureTarget::BASIC {
            let legal = match format.base() {
                BaseFormat::FloatR | BaseFormat::FloatRg | BaseFormat::FloatRgb | BaseFormat::FloatRgba => {
                    target == TextureTarget::Rect
                }
                BaseFormat::Depth | BaseFormat::DepthStencil => target != TextureTarget::D3,
                _ => true,
            };
            let image = Image::from_f32([1, 1, 1], vec![0.0; 4]).unwrap();
            let faces = if target == TextureTarget::Cube { 6 } else { 1 };
            let level = Level { faces: vec![image; faces] };
            let made = Texture::new(target, format, vec![level], Sampler::for_target(target));
            let expected = TextureError::FormatTarget { format, target };
            assert_eq!(made.err(), (!legal).then_some(expected), "{} {}", format.name(), target.name());
        }
    }
}

#[test]
fn formats_of_images_alone_are_not_of_textures() {
    let alone: Vec<Format> =
        ImageFormat::ALL.map(ImageFormat::format).into_iter().filter(|f| !f.is_of_textures()).collect();
    let names: Vec<&str> = alone.iter().map(|format| format.name()).collect();
    assert_eq!(
        names.join(" "),
        "RGB10_A2UI RGBA16_SNORM RGBA8_SNORM RG16_SNORM RG8_SNORM R16_SNORM R8_SNORM"
    );
    for format in alone {
        assert!(!Format::ALL.contains(&format));
        assert_eq!(Format::from_name(format.name()), None);
        let image = Image::from_f32([1, 1, 1], vec![0.0; 4]).unwrap();
        let made = Texture::new(TextureTarget::D2, format, vec![image.into()], Sampler::default());
        assert_eq!(made.err(), Some(TextureError::NotSampled { format }));
    }
}
