//! Scale factor, bias, clamps, choice of levels and filters, anisotropy, mipmap generation, completeness.

use super::*;

/// Solid levels of an 8 x 8 texture: level n has the value 0.2 n.
fn stack(sampler: Sampler) -> Texture {
    let levels = (0..4_u8)
        .map(|l| {
            let n = 8_usize >> l;
            Image::from_rgba8([n, n, 1], [51 * l, 0, 0, 255].repeat(n * n)).unwrap().into()
        })
        .collect();
    Texture::new(TextureTarget::D2, Format::Luminance8, levels, sampler).unwrap()
}

/// Value and lambda for a pixel that is `rho` texels of level 0 wide and half as high.
fn at_scale(texture: &Texture, rho: f32) -> (f32, f32) {
    let (value, lambda) = look(texture, [0.4, 0.4, 0.0], [rho / 8.0, 0.0, 0.0], [0.0, rho / 16.0, 0.0]);
    (value[0], lambda)
}

fn with(min_filter: MinFilter) -> Sampler {
    Sampler { min_filter, ..Sampler::default() }
}

#[test]
fn log2_is_exact_for_powers_of_two_and_close_elsewhere() {
    for e in -126..128 {
        assert_eq!(plain::log2(f32::from_bits(((e + 127) as u32) << 23)), e as f32);
    }
    assert_eq!(plain::log2(f32::INFINITY), f32::INFINITY);
    for x in [0.0, -0.0, 1e-40, -1.0, f32::NAN] {
        assert_eq!(plain::log2(x), f32::NEG_INFINITY);
    }
    let mut x = 1e-5_f32;
    while x < 1e5 {
        let exact = f64::from(x).log2();
        let error = (f64::from(plain::log2(x)) - exact).abs();
        assert!(error < 6e-8 + exact.abs() * 1.2e-7, "{x}: off by {error}");
        x *= 1.0003;
    }
}

#[test]
fn rho_is_the_longer_side() {
    let texture = stack(with(MinFilter::LinearMipmapLinear));
    let lambda = |dx: [f32; 2], dy: [f32; 2]| {
        let three = |d: [f32; 2]| [d[0] / 8.0, d[1] / 8.0, 0.0];
        look(&texture, [0.5; 3], three(dx), three(dy)).1
    };
    // The longest side of a 3-4-5 triangle, against shorter and longer sides.
    assert!((lambda([3.0, 4.0], [0.0, 4.0]) - 5.0_f32.log2()).abs() < 3e-7);
    assert_eq!(lambda([3.0, 4.0], [-8.0, 0.0]), 3.0);
    assert_eq!(lambda([0.0, 0.0], [0.0, 0.5]), -1.0);
    // No change at all: log2(0), clamped to TEXTURE_MIN_LOD.
    assert_eq!(lambda([0.0; 2], [0.0; 2]), -1000.0);
    assert_eq!(lambda([f32::NAN, 0.0], [2.0, 0.0]), 1.0);
    assert_eq!(lambda([2.0, 0.0], [f32::NAN, 0.0]), 1.0);
    assert_eq!(lambda([f32::INFINITY, 0.0], [2.0, 0.0]), 1000.0);
}

#[test]
fn trilinear_blends_two_levels() {
    let texture = stack(with(MinFilter::LinearMipmapLinear));
    for (rho, value, lambda) in [
        (0.5, 0.0, -1.0),
        (1.0, 0.0, 0.0),
        (2.0, 0.2, 1.0),
        (4.0, 0.4, 2.0),
        (8.0, 0.6, 3.0),
        (64.0, 0.6, 6.0),
    ] {
        assert_eq!(at_scale(&texture, rho), (value, lambda), "rho = {rho}");
    }
    // lambda = 1.5 because of the bias: half of level 1 and half of level 2.
    let biased = stack(Sampler { lod_bias: 0.5, ..with(MinFilter::LinearMipmapLinear) });
    assert_eq!(at_scale(&biased, 2.0), (0.3, 1.5));
    assert_eq!(at_scale(&biased, 8.0), (0.6, 3.5));
}

#[test]
fn nearest_level_rounds_halves_down() {
    // Eq. 3.23: lambda <= 1/2 selects the base level, greater values ceil(lambda + 1/2) - 1.
    for (bias, level) in
        [(-0.25, 0.0), (0.5, 0.0), (0.75, 0.2), (1.5, 0.2), (1.75, 0.4), (2.5, 0.4), (2.75, 0.6), (9.0, 0.6)]
    {
        for min_filter in [MinFilter::NearestMipmapNearest, MinFilter::LinearMipmapNearest] {
            let texture = stack(Sampler { lod_bias: bias, ..with(min_filter) });
            assert_eq!(at_scale(&texture, 1.0), (level, bias), "{min_filter:?}");
        }
    }
}

#[test]
fn bias_and_lod_are_clamped() {
    let bias =
        |lod_bias| at_scale(&stack(Sampler { lod_bias, ..with(MinFilter::LinearMipmapLinear) }), 1.0).1;
    assert_eq!([bias(1e9), bias(-1e9)], [MAX_LOD_BIAS, -MAX_LOD_BIAS]);
    let clamped = |min_lod, max_lod, rho| {
        let sampler = Sampler { min_lod, max_lod, ..with(MinFilter::LinearMipmapLinear) };
        at_scale(&stack(sampler), rho)
    };
    assert_eq!(clamped(2.0, 3.0, 1.0), (0.4, 2.0));
    assert_eq!(clamped(0.0, 1.0, 8.0), (0.2, 1.0));
    // The bias is added before the clamp (EXT_texture_lod_bias).
    let sampler = Sampler { lod_bias: 5.0, max_lod: 2.0, ..with(MinFilter::LinearMipmapLinear) };
    assert_eq!(at_scale(&stack(sampler), 1.0), (0.4, 2.0));
    // Undefined by eq. 3.16; the maximum wins here.
    assert_eq!(clamped(3.0, 1.0, 4.0), (0.2, 1.0));
}

#[test]
fn base_and_max_level_bound_the_chain() {
    let sampler = Sampler { base_level: 1, max_level: 2, ..with(MinFilter::LinearMipmapLinear) };
    let texture = stack(sampler);
    assert!(texture.is_complete());
    // rho counts texels of the base level, 4 x 4: half as many.
    assert_eq!(at_scale(&texture, 1.0), (0.2, -1.0));
    assert_eq!(at_scale(&texture, 4.0), (0.4, 1.0));
    assert_eq!(at_scale(&texture, 64.0), (0.4, 5.0));
    // Without mipmaps only the base level is read, for any maximum level.
    for min_filter in [MinFilter::Nearest, MinFilter::Linear] {
        let texture = stack(Sampler { base_level: 2, max_level: 0, ..with(min_filter) });
        assert_eq!(at_scale(&texture, 64.0).0, 0.4);
    }
}

#[test]
fn filters_switch_over_at_c() {
    // 51 0 51 0 in each row; lower levels are all 255. At u = 1.25, NEAREST gives 0 and LINEAR a quarter of
    // 51.
    let rows: Vec<u8> = [51, 0, 51, 0].repeat(4).iter().flat_map(|&v| [v, 0, 0, 255]).collect();
    let solid = |n: usize| Image::from_rgba8([n, n, 1], vec![255; n * n * 4]).unwrap().into();
    let make = |min_filter, mag_filter| {
        let image = Image::from_rgba8([4, 4, 1], rows.clone()).unwrap();
        let sampler = Sampler { min_filter, mag_filter, ..Sampler::default() };
        Texture::new(TextureTarget::D2, Format::Luminance8, vec![image.into(), solid(2), solid(1)], sampler)
            .unwrap()
    };
    let (near, linear, quarter) = (0.0, 12.75 / 255.0, 0.25);
    let look_at = |texture: &Texture, lambda: f32| {
        let mut texture = texture.clone();
        let sampler = Sampler { lod_bias: lambda, ..*texture.sampler() };
        texture.set_sampler(sampler).unwrap();
        look(&texture, [1.25 / 4.0, 0.5, 0.0], [0.25, 0.0, 0.0], [0.0; 3]).0[0]
    };
    for (min, mag, lambda, expected) in [
        (MinFilter::Nearest, MagFilter::Linear, 0.0, linear),
        (MinFilter::Nearest, MagFilter::Linear, 0.25, near),
        (MinFilter::Linear, MagFilter::Nearest, 0.0, near),
        (MinFilter::Linear, MagFilter::Nearest, 0.25, linear),
        (MinFilter::NearestMipmapNearest, MagFilter::Linear, 0.5, linear),
        (MinFilter::NearestMipmapNearest, MagFilter::Linear, 0.75, 1.0),
        (MinFilter::NearestMipmapLinear, MagFilter::Linear, 0.25, linear),
        (MinFilter::NearestMipmapLinear, MagFilter::Nearest, 0.25, 0.75 * near + quarter),
        (MinFilter::NearestMipmapLinear, MagFilter::Linear, 0.75, 0.25 * near + 0.75),
        (MinFilter::LinearMipmapLinear, MagFilter::Linear, 0.25, (0.75 * 12.75 + 0.25 * 255.0) / 255.0),
        (MinFilter::LinearMipmapNearest, MagFilter::Nearest, 0.25, linear),
        (MinFilter::LinearMipmapNearest, MagFilter::Nearest, 0.0, near),
    ] {
        assert_eq!(look_at(&make(min, mag), lambda), expected, "{min:?} {mag:?} {lambda}");
    }
}

#[test]
fn quad_differences_serve_as_derivatives() {
    let texture = stack(with(MinFilter::LinearMipmapLinear));
    // s grows by 2 texels to the right in the lower row, by 4 in the upper row. t grows by 1 texel upwards on
    // the left, by 8 on the right.
    let s = [0.0, 0.25, 0.0, 0.5];
    let t = [0.0, 0.0, 0.125, 1.0];
    let r = [f32::NAN; 4];
    let mut out = [[0.0; 4]; 4];
    let mut lambda = [0.0; 4];
    let lookup = Lookup::new([&s, &t, &r], Gradients::Quad);
    texture.sample(&lookup, &mut out, Some(&mut lambda));
    // Lane 0: dx = (2, 0), dy = (0, 1). Lane 1: dx = (2, 0), dy = (2, 8). Lanes 2 and 3: dx = (4, 7).
    let log = |x: f32, y: f32| (x * x + y * y).log2() * 0.5;
    for (lane, expected) in
        [log(2.0, 0.0), log(2.0, 8.0), log(4.0, 7.0), log(2.0, 8.0)].into_iter().enumerate()
    {
        assert!((lambda[lane] - expected).abs() < 5e-7, "lane {lane}: {} {expected}", lambda[lane]);
    }
    // Explicit derivatives with the same values give the same bits.
    let dx = [[0.25, 0.25, 0.5, 0.5], [0.0, 0.0, 0.875, 0.875], [9.0; 4]];
    let dy = [[0.0, 0.25, 0.0, 0.25], [0.125, 1.0, 0.125, 1.0], [9.0; 4]];
    let given = Gradients::Explicit { dx: dx.each_ref(), dy: dy.each_ref() };
    let mut again = [[0.0; 4]; 4];
    let mut lambda_again = [0.0; 4];
    texture.sample(&Lookup::new([&s, &t, &r], given), &mut again, Some(&mut lambda_again));
    assert_eq!((out, lambda), (again, lambda_again));
}

#[test]
fn anisotropy_takes_probes_along_the_longer_side() {
    // A column's value is its index; mipmap levels are 255.
    let mut data = Vec::new();
    for _ in 0..64 {
        data.extend((0..64_u8).flat_map(|i| [i, 0, 0, 255]));
    }
    let mut levels: Vec<Level> = vec![Image::from_rgba8([64, 64, 1], data).unwrap().into()];
    for l in 1..7 {
        let n = 64_usize >> l;
        levels.push(Image::from_rgba8([n, n, 1], vec![255; n * n * 4]).unwrap().into());
    }
    let make = |max_anisotropy, min_filter| {
        let sampler =
            Sampler { max_anisotropy, mag_filter: MagFilter::Nearest, min_filter, ..Sampler::default() };
        Texture::new(TextureTarget::D2, Format::Luminance8, levels.clone(), sampler).unwrap()
    };
    let at = |texture: &Texture, px: f32, py: f32| {
        let (v, lambda) =
            look(texture, [32.5 / 64.0, 0.5, 0.0], [px / 64.0, 0.0, 0.0], [0.0, py / 64.0, 0.0]);
        (v[0] * 255.0, lambda)
    };
    // 4 : 1, N = 4: u = 32.5 + 4 (i/5 - 1/2) = 31.3, 32.1, 32.9, 33.7.
    assert_eq!(at(&make(4.0, MinFilter::Nearest), 4.0, 1.0), ((31.0 + 32.0 + 32.0 + 33.0) / 4.0, 0.0));
    // 3 : 1, N = 3: 32.5 + 3 (i/4 - 1/2) = 31.75, 32.5, 33.25.
    assert_eq!(at(&make(16.0, MinFilter::Nearest), 3.0, 1.0), ((31.0 + 32.0 + 33.0) / 3.0, 0.0));
    // Along y all probes are in one column. Equal sides count as y.
    assert_eq!(at(&make(4.0, MinFilter::Nearest), 1.0, 4.0), (32.0, 0.0));
    assert_eq!(at(&make(4.0, MinFilter::Nearest), 4.0, 4.0), (32.0, 2.0));
    // Limited to 2, with fractions dropped: lambda = log2(4 / 2), level 1.
    for limit in [2.0, 2.9] {
        assert_eq!(at(&make(limit, MinFilter::LinearMipmapLinear), 4.0, 1.0), (255.0, 1.0));
    }
    // Isotropic: lambda = 2. With a side without length, the maximum number of probes.
    assert_eq!(at(&make(1.0, MinFilter::Nearest), 4.0, 1.0), (32.0, 2.0));
    assert_eq!(at(&make(8.0, MinFilter::Nearest), 8.0, 0.0).1, 0.0);
    assert_eq!(at(&make(8.0, MinFilter::Nearest), 0.0, 0.0), (32.0, -1000.0));
}

#[test]
fn mipmaps_are_box_filtered() {
    let luminance = |size: [usize; 3], bytes: &[u8]| {
        let data = bytes.iter().flat_map(|&b| [b, 255 - b, 0, b]).collect();
        Image::from_rgba8(size, data).unwrap()
    };
    let chain = |target, size, bytes: &[u8]| {
        let level = vec![luminance(size, bytes).into()];
        let mut texture = Texture::new(target, Format::Luminance8Alpha8, level, Sampler::default()).unwrap();
        texture.generate_mipmaps().unwrap();
        assert!(texture.is_complete());
        texture
    };
    let byte = |t: &Texture, level, at| {
        let texel = t.texel(level, 0, at).unwrap();
        assert_eq!(texel[0], texel[1]);
        (texel[0] * 255.0).round()
    };
    // (1 + 2 + 3 + 4) / 4 = 2.5 rounds up; (0 + 0 + 0 + 1) / 4 rounds down.
    let t = chain(TextureTarget::D2, [4, 2, 1], &[1, 2, 0, 0, 3, 4, 0, 1]);
    assert_eq!([byte(&t, 1, [0, 0, 0]), byte(&t, 1, [1, 0, 0])], [3.0, 0.0]);
    // Then 2 x 1 to 1 x 1: (3 + 0) / 2 = 1.5.
    assert_eq!((t.level_count(), t.level_size(2), byte(&t, 2, [0; 3])), (3, Some([1, 1, 1]), 2.0));
    // 5 texels to 2: weights 2/5 2/5 1/5 and 1/5 2/5 2/5.
    let t = chain(TextureTarget::D1, [5, 1, 1], &[100, 50, 10, 20, 30]);
    assert_eq!([byte(&t, 1, [0; 3]), byte(&t, 1, [1, 0, 0])], [62.0, 22.0]);
    // A volume: eight texels.
    let t = chain(TextureTarget::D3, [2, 2, 2], &[10, 20, 30, 40, 50, 60, 70, 80]);
    assert_eq!((t.level_count(), byte(&t, 1, [0; 3])), (2, 45.0));
    // Signed components keep their format's steps: (127 - 128)/2 = -1/2 of a step, halves upwards.
    let image = Image::from_rgba8_biased([2, 1, 1], vec![255, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    let mut t =
        Texture::new(TextureTarget::D1, Format::SignedLuminance8, vec![image.into()], Sampler::default())
            .unwrap();
    t.generate_mipmaps().unwrap();
    assert_eq!(t.texel(1, 0, [0; 3]).unwrap()[0], 0.0);
}

#[test]
fn generating_keeps_levels_up_to_the_base() {
    let mut texture = stack(Sampler { base_level: 1, ..Sampler::default() });
    texture.generate_mipmaps().unwrap();
    let first = |level| texture.texel(level, 0, [0; 3]).unwrap()[0];
    assert_eq!([first(0), first(1), first(2), first(3)], [0.0, 0.2, 0.2, 0.2]);
    assert_eq!(texture.level_count(), 4);
    texture.set_sampler(Sampler { base_level: 9, ..Sampler::default() }).unwrap();
    assert_eq!(texture.generate_mipmaps(), Err(TextureError::NoBaseLevel { base_level: 9 }));
}

#[test]
fn incomplete_textures_give_zeros_and_say_why() {
    let image =
        |w: usize, h: usize| -> Level { Image::from_rgba8([w, h, 1], vec![255; w * h * 4]).unwrap().into() };
    let check = |levels: Vec<Level>, sampler: Sampler, why: Option<Incomplete>| {
        let sizes: Vec<Vec<_>> =
            levels.iter().map(|level| level.faces.iter().map(Image::size).collect()).collect();
        assert_eq!(Texture::why_not(TextureTarget::D2, Format::Rgba8, &sizes, &sampler), why);
        let texture = Texture::new(TextureTarget::D2, Format::Rgba8, levels, sampler).unwrap();
        assert_eq!(texture.why(), why);
        assert_eq!(texture.is_complete(), why.is_none());
        let (v, lambda) = look(&texture, [0.5; 3], [0.0; 3], [0.0; 3]);
        assert_eq!(v, if why.is_some() { [0.0; 4] } else { [1.0; 4] });
        assert_eq!(lambda.is_nan(), why.is_some());
        if let Some(why) = why {
            assert!(!why.to_string().is_empty());
        }
    };
    let mip = Sampler::default();
    let plain = Sampler { min_filter: MinFilter::Linear, ..mip };
    check(vec![image(4, 4)], plain, None);
    check(vec![image(4, 4)], mip, Some(Incomplete::MissingLevel { level: 1, expected: [2, 2, 1] }));
    check(vec![image(4, 4)], Sampler { max_level: 0, ..mip }, None);
    check(vec![image(4, 2), image(2, 1), image(1, 1)], mip, None);
    check(vec![image(7, 5), image(3, 2), image(1, 1)], mip, None);
    let size = Incomplete::LevelSize { level: 1, face: 0, expected: [2, 2, 1], actual: [2, 1, 1] };
    check(vec![image(4, 4), image(2, 1), image(1, 1)], mip, Some(size));
    check(vec![image(4, 4), image(2, 1), image(1, 1)], Sampler { base_level: 1, ..mip }, None);
    check(
        vec![image(4, 4)],
        Sampler { base_level: 1, ..plain },
        Some(Incomplete::NoBaseLevel { base_level: 1 }),
    );
    check(vec![Image::empty().into()], plain, Some(Incomplete::NoBaseLevel { base_level: 0 }));
    check(vec![Image::empty().into(), image(1, 1)], Sampler { base_level: 1, ..mip }, None);
    let hole = Incomplete::MissingLevel { level: 1, expected: [2, 2, 1] };
    check(vec![image(4, 4), Image::empty().into(), image(1, 1)], mip, Some(hole));
    let chain = vec![image(4, 4), image(2, 2), image(1, 1)];
    let above = Incomplete::BaseAboveMax { base_level: 2, max_level: 1 };
    check(chain, Sampler { base_level: 2, max_level: 1, ..mip }, Some(above));
}

#[test]
fn what_a_texture_takes_is_known_before_it_is_made() {
    let solid = |n: usize| Image::from_rgba8([n, n, 1], vec![9; n * n * 4]).unwrap();
    let sampler = Sampler::default();
    // 8 x 8 texels of four floats.
    let rect = Sampler::for_target(TextureTarget::Rect);
    let sizes = [vec![[8, 8, 1]]];
    let texture =
        Texture::new(TextureTarget::Rect, Format::FloatRgba32, vec![solid(8).into()], rect).unwrap();
    assert_eq!(Texture::check(TextureTarget::Rect, Format::FloatRgba32, &sizes, &rect), Ok(8 * 8 * 16));
    assert_eq!(texture.bytes(), 8 * 8 * 16);
    // Level 3 of 8 x 8 begins at texel 128 - 128 / 8 and has one texel; each texel has 4 bytes.
    let sizes: Vec<_> = chain([8, 8, 1]).map(|size| vec![size]).collect();
    assert_eq!(sizes, [8, 4, 2, 1].map(|n| vec![[n, n, 1]]));
    let format = Format::Luminance8;
    assert_eq!(Texture::check(TextureTarget::D2, format, &sizes, &sampler), Ok((128 - 16 + 1) * 4));
    let mut texture = Texture::new(TextureTarget::D2, format, vec![solid(8).into()], sampler).unwrap();
    texture.generate_mipmaps().unwrap();
    assert_eq!(texture.bytes(), (128 - 16 + 1) * 4);
    // 16384 x 16384 x 16 bytes are 4 GiB. The check needs no texture of this size.
    let sizes = [vec![[MAX_SIZE, MAX_SIZE, 1]]];
    let error = Texture::check(TextureTarget::Rect, Format::FloatRgba32, &sizes, &rect).unwrap_err();
    assert_eq!(error, TextureError::TooManyBytes { bytes: 4 << 30 });
    let error = Texture::check(TextureTarget::D2, format, &[vec![[MAX_SIZE + 1, 1, 1]]], &sampler);
    assert_eq!(error, Err(TextureError::TooLarge { size: [MAX_SIZE + 1, 1, 1] }));
}

#[test]
fn copies_share_texels_under_other_parameters() {
    let texture = stack(with(MinFilter::Linear));
    let mut other = texture.clone();
    other.set_sampler(Sampler { wrap: [Wrap::ClampToEdge; 3], ..with(MinFilter::Nearest) }).unwrap();
    assert!(other.shares_texels_with(&texture) && texture.sampler() != other.sampler());
    // New texels are not shared.
    other.generate_mipmaps().unwrap();
    assert!(!other.shares_texels_with(&texture));
    assert_eq!(texture.texel(1, 0, [0; 3]).map(|texel| texel[0]), Some(0.2));
}
