//! Filtered floating-point formats: ARB_texture_rg, EXT_packed_float, EXT_texture_shared_exponent, the float
//! formats of glspec30, depths with stencil bits.

use super::instances::Random;
use super::*;
use crate::compare::CompareFunc;

/// A row of texels with these red, green and blue components.
fn row(format: Format, texels: &[[f32; 3]], sampler: Sampler) -> Texture {
    let data = texels.iter().flat_map(|&[r, g, b]| [r, g, b, 1.0]).collect();
    let image = Image::from_f32([texels.len(), 1, 1], data).unwrap();
    Texture::new(TextureTarget::D2, format, vec![image.into()], sampler).unwrap()
}

/// The colour that the format stores.
fn held(format: Format, rgb: [f32; 3]) -> [f32; 3] {
    let [r, g, b, _] = row(format, &[rgb], Sampler::default()).texel(0, 0, [0; 3]).unwrap();
    [r, g, b]
}

fn filtered(min: MinFilter, mag: MagFilter, wrap: Wrap) -> Sampler {
    Sampler { min_filter: min, mag_filter: mag, wrap: [wrap; 3], ..Sampler::default() }
}

/// The value of the bits `n`, with `m` bits of mantissa: EXT_packed_float 2.1.A and 2.1.B.
fn unpacked(n: u32, m: u32) -> f64 {
    let (exponent, mantissa) = (n >> m, n & ((1 << m) - 1));
    let part = f64::from(mantissa) / f64::from(1 << m);
    match exponent {
        0 => part * 2f64.powi(-14),
        31 if mantissa == 0 => f64::INFINITY,
        31 => f64::NAN,
        _ => 2f64.powi(exponent as i32 - 15) * (1.0 + part),
    }
}

#[test]
fn packed_floats_are_the_nearest_of_their_bits() {
    for (m, c) in [(6, 0), (6, 1), (5, 2)] {
        let hold = |value: f64| {
            let mut rgb = [1.0; 3];
            rgb[c] = value as f32;
            f64::from(held(Format::R11FG11FB10F, rgb)[c])
        };
        let finite: Vec<f64> = (0..31 << m).map(|n| unpacked(n, m)).collect();
        for pair in finite.windows(2) {
            let (low, high) = (pair[0], pair[1]);
            assert_eq!(hold(low), low);
            assert_eq!([0.49, 0.51].map(|part| hold(low + part * (high - low))), [low, high]);
        }
        // 65024 and 64512 are the greatest values. Greater values become these, but infinity stays.
        let greatest = if m == 6 { 65_024.0 } else { 64_512.0 };
        assert_eq!(finite.last(), Some(&greatest));
        assert_eq!([greatest * 1.01, 1e30, f64::INFINITY].map(hold), [greatest, greatest, f64::INFINITY]);
        assert_eq!([-0.0, -1e-9, -5.0, f64::NEG_INFINITY].map(|v| hold(v).to_bits()), [0; 4]);
        assert!(hold(f64::NAN).is_nan());
    }
}

/// The integers of EXT_texture_shared_exponent 3.8.1, computed in exact arithmetic and decoded with the
/// exponent of the packed pixel type.
fn shared(rgb: [f32; 3]) -> [f32; 3] {
    let (n, bias, most) = (9, 15, 31);
    let greatest = (2f64.powi(n) - 1.0) / 2f64.powi(n) * 2f64.powi(most - bias);
    let clamped = rgb.map(|v| if v.is_nan() { 0.0 } else { f64::from(v).min(greatest).max(0.0) });
    let max = clamped.into_iter().fold(0.0, f64::max);
    let mut log = -200;
    while 2f64.powi(log + 1) <= max {
        log += 1;
    }
    let mut exponent = log.max(-bias - 1) + 1 + bias;
    if (max / 2f64.powi(exponent - bias - n) + 0.5).floor() == 512.0 {
        exponent += 1;
    }
    let place = 2f64.powi(exponent - bias - n);
    clamped.map(|v| ((v / place + 0.5).floor() * place) as f32)
}

#[test]
fn shared_exponents() {
    let format = Format::Rgb9E5;
    for (rgb, expected) in [
        ([0.0, 0.0, 0.0], [0.0; 3]),
        ([1.0, 0.5, 0.25], [1.0, 0.5, 0.25]),
        // The shared exponent is the exponent of 1, whose last place is 2^-8.
        ([1.0, 1.0 / 512.0, 0.0019], [1.0, 1.0 / 256.0, 0.0]),
        // 511.6 rounds up to 512, which needs the next exponent.
        ([511.6, 1.0, 2.9], [512.0, 2.0, 2.0]),
        ([1e9, f32::INFINITY, -3.0], [65_408.0, 65_408.0, 0.0]),
        ([f32::NAN, 65_408.0, 128.0], [0.0, 65_408.0, 128.0]),
        // The smallest value is 2^-24.
        ([2f32.powi(-24), 2f32.powi(-25), 2f32.powi(-26)], [2f32.powi(-24), 2f32.powi(-24), 0.0]),
    ] {
        assert_eq!(held(format, rgb), expected, "{rgb:?}");
        assert_eq!(shared(rgb), expected, "{rgb:?}");
    }
    let mut random = Random(9);
    for _ in 0..2000 {
        let rgb = [(); 3].map(|()| f32::from_bits(random.next()));
        assert_eq!(held(format, rgb), shared(rgb), "{rgb:?}");
        let near =
            rgb.map(|v| 2f32.powi((v.to_bits() % 30) as i32 - 14) * (1.0 + (v.to_bits() >> 9) as f32 / 8e6));
        assert_eq!(held(format, near), shared(near), "{near:?}");
    }
    // Each texel has its own exponent.
    let two = row(
        format,
        &[[512.0, 0.5, 0.0], [0.5, 0.25, 0.0]],
        filtered(MinFilter::Nearest, MagFilter::Nearest, Wrap::Repeat),
    );
    assert_eq!(value(&two, [0.25, 0.5, 0.0]), [512.0, 0.0, 0.0, 1.0]);
    assert_eq!(value(&two, [0.75, 0.5, 0.0]), [0.5, 0.25, 0.0, 1.0]);
}

/// glspec30 allows these formats on every target and filters them. NV_float_buffer's formats are for RECT
/// only and are not blended.
#[test]
fn floats_are_blended() {
    let linear = filtered(MinFilter::Linear, MagFilter::Linear, Wrap::ClampToEdge);
    for format in [Format::Rgb16F, Format::Rgb32F, Format::R11FG11FB10F, Format::Rgb9E5, Format::Rgba32F] {
        let texture = row(format, &[[2.0, 0.5, 0.0], [4.0, 1.0, 8.0]], linear);
        assert_eq!(value(&texture, [0.375, 0.5, 0.0]), [2.5, 0.625, 2.0, 1.0], "{}", format.name());
    }
    let texture = row(Format::Rg32F, &[[-100.0, 3e38, 0.0], [100.0, -3e38, 0.0]], linear);
    // The difference of the greens is infinite, but half of each gives 0.
    assert_eq!(value(&texture, [0.5, 0.5, 0.0]), [0.0, 0.0, 0.0, 1.0]);
}

/// An infinite texel contributes only where it has a weight.
#[test]
fn infinite_texels() {
    let inf = f32::INFINITY;
    for format in [Format::Rgb16F, Format::Rgb32F, Format::R11FG11FB10F] {
        let texture = row(
            format,
            &[[1.0, inf, 2.0], [inf, 3.0, 4.0]],
            filtered(MinFilter::Linear, MagFilter::Linear, Wrap::ClampToEdge),
        );
        let name = format.name();
        assert_eq!(value(&texture, [0.25, 0.5, 0.0]), [1.0, inf, 2.0, 1.0], "{name}");
        assert_eq!(value(&texture, [0.75, 0.5, 0.0]), [inf, 3.0, 4.0, 1.0], "{name}");
        assert_eq!(value(&texture, [0.5, 0.5, 0.0]), [inf, inf, 3.0, 1.0], "{name}");
        assert_eq!(value(&texture, [0.1, 0.5, 0.0]), [1.0, inf, 2.0, 1.0], "{name}");
        // With LINEAR minification, NEAREST magnification still reads a single texel.
        let mixed = row(
            format,
            &[[1.0, inf, 2.0], [inf, 3.0, 4.0]],
            filtered(MinFilter::Linear, MagFilter::Nearest, Wrap::ClampToEdge),
        );
        assert_eq!(value(&mixed, [0.49, 0.5, 0.0]), [1.0, inf, 2.0, 1.0], "{name}");
    }
    let cancelled = row(
        Format::R32F,
        &[[inf, 0.0, 0.0], [-inf, 0.0, 0.0]],
        filtered(MinFilter::Linear, MagFilter::Linear, Wrap::ClampToEdge),
    );
    assert_eq!(value(&cancelled, [0.5, 0.5, 0.0])[0].to_bits(), fp32::NAN_BITS);
    // -0 is kept.
    let zero = row(
        Format::R32F,
        &[[-0.0; 3], [5.0; 3]],
        filtered(MinFilter::Linear, MagFilter::Nearest, Wrap::Repeat),
    );
    assert_eq!(value(&zero, [0.25, 0.5, 0.0])[0].to_bits(), (-0.0_f32).to_bits());
}

/// glspec40 3.9.11: borders are clamped to the format's range.
#[test]
fn borders() {
    let sampler = |border: [f32; 4]| Sampler {
        border: border.into(),
        ..filtered(MinFilter::Nearest, MagFilter::Nearest, Wrap::ClampToBorder)
    };
    let outside = |format, border| value(&row(format, &[[0.0; 3]], sampler(border)), [-9.0, 0.5, 0.0]);
    let far = [-3.0, 0.5, 1e6, 7.0];
    assert_eq!(outside(Format::Rgba32F, far), far);
    assert_eq!(outside(Format::Rgba16F, far), far);
    assert_eq!(outside(Format::R11FG11FB10F, far), [0.0, 0.5, 1e6, 1.0]);
    assert_eq!(outside(Format::Rgb9E5, far), [0.0, 0.5, 65_408.0, 1.0]);
    assert_eq!(outside(Format::Rg8, far), [0.0, 0.5, 0.0, 1.0]);
    assert_eq!(outside(Format::DepthComponent32F, [7.0; 4]), [1.0; 4]);
}

#[test]
fn mipmaps() {
    let texels = [[1.0, 0.0, 0.5], [3.0, 0.5, 0.0], [1.0, 1.5, 0.25], [3.0, 2.0, 0.25]];
    for format in [Format::Rgb16F, Format::Rgb32F, Format::R11FG11FB10F, Format::Rgb9E5] {
        let mut texture = row(format, &texels, Sampler::default());
        texture.generate_mipmaps().unwrap();
        assert_eq!(texture.level_count(), 3);
        assert_eq!(texture.texel(1, 0, [0; 3]).unwrap()[..3], [2.0, 0.25, 0.25], "{}", format.name());
        assert_eq!(texture.texel(2, 0, [0; 3]).unwrap()[..3], [2.0, 1.0, 0.25], "{}", format.name());
    }
    // (1 + 1 + 2^-10) / 2 is halfway between two fp16 numbers and rounds to even. The mean of values of 65504
    // and more is not infinite.
    let half = 1.0 + 2f32.powi(-10);
    let mut texture = row(Format::R16F, &[[1.0; 3], [half; 3]], Sampler::default());
    texture.generate_mipmaps().unwrap();
    assert_eq!(texture.texel(1, 0, [0; 3]).unwrap()[0], 1.0);
    let mut texture = row(Format::R16F, &[[65_504.0; 3]; 3], Sampler::default());
    texture.generate_mipmaps().unwrap();
    assert_eq!(texture.texel(1, 0, [0; 3]).unwrap()[0], 65_504.0);
}

/// Lookups of depths with stencil bits return and compare the depth. DEPTH_TEXTURE_MODE can be RED
/// (ARB_texture_rg).
#[test]
fn depths() {
    for format in [Format::Depth24Stencil8, Format::Depth32FStencil8, Format::DepthComponent32F] {
        let name = format.name();
        for (given, expected) in [(0.0, 0.0), (1.0, 1.0), (-2.0, 0.0), (3.0, 1.0), (f32::NAN, 0.0)] {
            let sampler = Sampler { depth_mode: DepthMode::Red, ..Sampler::default() };
            let texture = row(format, &[[given; 3]], sampler);
            assert_eq!(value(&texture, [0.5, 0.5, 0.0]), [expected, 0.0, 0.0, 1.0], "{name} {given}");
        }
        let sampler = Sampler { compare: Some(CompareFunc::Less), ..Sampler::default() };
        let texture = row(format, &[[0.5; 3]], sampler);
        assert!(texture.compares());
        for (r, expected) in [(0.25, 1.0), (0.75, 0.0)] {
            let registers = [[0.5; 4], [0.5; 4], [r; 4]];
            let mut lookup = Lookup::new(registers.each_ref(), Gradients::Quad);
            lookup.reference = Some(&registers[2]);
            let mut out = [[7.0; 4]; 4];
            texture.sample(&lookup, &mut out, None);
            assert_eq!(out.map(|register| register[0]), [expected, expected, expected, 1.0], "{name} {r}");
        }
    }
    assert_eq!(held(Format::DepthComponent32F, [1e-30; 3])[0], 1e-30);
}

/// glspec40 table 3.21 and the table of EXT_texture_buffer_object.
#[test]
fn formats_of_buffers() {
    let floats = ["ALPHA", "LUMINANCE", "LUMINANCE_ALPHA", "INTENSITY", "R", "RG", "RGBA"];
    let mut expected: Vec<String> =
        vec!["RGB32F".to_owned(), "LUMINANCE8_ALPHA8".to_owned(), "LUMINANCE16_ALPHA16".to_owned()];
    for name in floats {
        expected.extend(["16F", "32F"].map(|size| format!("{name}{size}")));
        if name != "LUMINANCE_ALPHA" {
            expected.extend(["8", "16"].map(|size| format!("{name}{size}")));
        }
    }
    for &format in Format::FLOATS {
        let fits = check_format(TextureTarget::Buffer, format).is_ok();
        assert_eq!(fits, expected.iter().any(|name| name == format.name()), "{}", format.name());
    }
}
