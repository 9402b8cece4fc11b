//! Depth comparison: table 3.27 of glspec15, and filtering of its results.

use super::*;
use crate::compare::CompareFunc;

/// A depth that 16 bits represent exactly as n / 65535.
const QUARTER: f32 = 16_384.0 / 65_535.0;

/// A depth texture of `target` with these texels along s.
fn depths(target: TextureTarget, texels: &[f32], sampler: Sampler) -> Texture {
    let data = texels.iter().flat_map(|&depth| [depth, 0.0, 0.0, 0.0]).collect();
    let image = Image::from_f32([texels.len(), 1, 1], data).unwrap();
    Texture::new(target, Format::DepthComponent16, vec![image.into()], sampler).unwrap()
}

fn compared(func: CompareFunc, filter: MagFilter) -> Sampler {
    let min_filter = if filter == MagFilter::Linear { MinFilter::Linear } else { MinFilter::Nearest };
    let compare = Some(func);
    Sampler { compare, mag_filter: filter, min_filter, wrap: [Wrap::ClampToEdge; 3], ..Sampler::default() }
}

/// The result at (s, t) for `r`. Checks that a quad and a block agree.
fn shadow(texture: &Texture, s: f32, r: f32) -> [f32; 4] {
    let few = shadow_of::<4>(s, r, |lookup, out| texture.sample(lookup, out, None));
    let many = shadow_of::<64>(s, r, |lookup, out| block(texture, lookup, out));
    assert_eq!(many, few, "s = {s}, r = {r}");
    few
}

fn shadow_of<const N: usize>(
    s: f32,
    r: f32,
    sample: impl FnOnce(&Lookup<'_, N>, &mut [[f32; N]; 4]),
) -> [f32; 4] {
    let (s, t, r) = ([s; N], [0.5; N], [r; N]);
    let lookup = Lookup { reference: Some(&r), ..Lookup::new([&s, &t, &r], Gradients::Quad) };
    let mut out = [[f32::NAN; N]; 4];
    sample(&lookup, &mut out);
    assert!(out.iter().all(|register| register.iter().all(|value| value.to_bits() == register[0].to_bits())));
    out.map(|register| register[0])
}

#[test]
fn every_function_follows_table_3_27() {
    use CompareFunc::{Always, Equal, Gequal, Greater, Lequal, Less, Never, Notequal};
    // r below, at and above the depth.
    for (func, expected) in [
        (Lequal, [1.0, 1.0, 0.0]),
        (Gequal, [0.0, 1.0, 1.0]),
        (Less, [1.0, 0.0, 0.0]),
        (Greater, [0.0, 0.0, 1.0]),
        (Equal, [0.0, 1.0, 0.0]),
        (Notequal, [1.0, 0.0, 1.0]),
        (Always, [1.0, 1.0, 1.0]),
        (Never, [0.0, 0.0, 0.0]),
    ] {
        let texture = depths(TextureTarget::D2, &[QUARTER], compared(func, MagFilter::Nearest));
        for (r, expected) in [0.25, QUARTER, 0.250_01].into_iter().zip(expected) {
            assert_eq!(shadow(&texture, 0.5, r), [expected, expected, expected, 1.0], "{func:?} {r}");
        }
    }
}

#[test]
fn r_is_clamped_before_it_is_compared() {
    let ends = |func| depths(TextureTarget::D2, &[0.0, 1.0], compared(func, MagFilter::Nearest));
    // -3 clamps to 0 and 7 to 1; NaN counts as 0.
    for (r, at_zero, at_one) in [(-3.0, 1.0, 0.0), (7.0, 0.0, 1.0), (f32::NAN, 1.0, 0.0)] {
        let texture = ends(CompareFunc::Equal);
        assert_eq!(shadow(&texture, 0.25, r)[0], at_zero, "{r}");
        assert_eq!(shadow(&texture, 0.75, r)[0], at_one, "{r}");
    }
    assert_eq!(shadow(&ends(CompareFunc::Greater), 0.75, f32::INFINITY)[0], 0.0);
}

#[test]
fn linear_filters_blend_results_not_depths() {
    let sampler = compared(CompareFunc::Lequal, MagFilter::Linear);
    let texture = depths(TextureTarget::D2, &[0.0, 1.0, 0.5, 1.0], sampler);
    // u = 4s - 1/2: between texel 0 (fails) and texel 1 (passes), the result is the weight of texel 1.
    for (s, expected) in [(0.125, 0.0), (0.1875, 0.25), (0.25, 0.5), (0.375, 1.0)] {
        assert_eq!(shadow(&texture, s, 0.25)[0], expected, "{s}");
    }
    // Texels 1 to 3 all pass, although their depths differ. With r = 0.75, texel 2 fails.
    assert_eq!(shadow(&texture, 0.5, 0.25)[0], 1.0);
    assert_eq!(shadow(&texture, 0.5, 0.75)[0], 0.5);
    assert_eq!(shadow(&texture, 0.6875, 0.75)[0], 0.25);
}

#[test]
fn border_texels_are_compared_too() {
    let sampler = compared(CompareFunc::Lequal, MagFilter::Linear);
    // The depth of the border is the border colour's first component (ARB_depth_texture 3.8.7).
    let sampler = Sampler { wrap: [Wrap::ClampToBorder; 3], border: [1.0, 0.0, 0.0, 0.0].into(), ..sampler };
    let texture = depths(TextureTarget::D1, &[0.0, 0.0], sampler);
    assert_eq!(shadow(&texture, -1.0, 0.5)[0], 1.0);
    // At the left side of texel 0, half of the filter is the border.
    assert_eq!(shadow(&texture, 0.0, 0.5)[0], 0.5);
}

#[test]
fn levels_and_probes_are_blended_after_the_comparison() {
    let sampler = Sampler {
        min_filter: MinFilter::NearestMipmapLinear,
        mag_filter: MagFilter::Nearest,
        compare: Some(CompareFunc::Lequal),
        ..Sampler::default()
    };
    let image = |size: usize, depth: f32| {
        Image::from_f32([size, 1, 1], [depth, 0.0, 0.0, 0.0].repeat(size)).unwrap().into()
    };
    let levels = vec![image(4, 0.25), image(2, 1.0), image(1, 0.0)];
    let texture = Texture::new(TextureTarget::D1, Format::DepthComponent16, levels, sampler).unwrap();
    let (s, zero, r) = ([0.5; 64], [0.0; 64], [0.5; 64]);
    // Level 0 fails, level 1 passes, level 2 fails.
    for (level, expected) in [(0.0, 0.0), (0.25, 0.25), (1.0, 1.0), (1.75, 0.25), (2.0, 0.0)] {
        let level = [level; 64];
        let lookup = Lookup { reference: Some(&r), ..Lookup::new([&s, &zero, &r], Gradients::Level(&level)) };
        let mut out = [[f32::NAN; 64]; 4];
        texture.sample(&lookup, &mut out, None);
        assert!(out[0].iter().all(|&value| value == expected), "{level:?}: {out:?}");
    }
}

#[test]
fn the_depth_texture_mode_says_which_components_the_result_has() {
    for (depth_mode, expected) in [
        (DepthMode::Luminance, [1.0, 1.0, 1.0, 1.0]),
        (DepthMode::Intensity, [1.0, 1.0, 1.0, 1.0]),
        (DepthMode::Alpha, [0.0, 0.0, 0.0, 1.0]),
    ] {
        let lit = Sampler { depth_mode, ..compared(CompareFunc::Lequal, MagFilter::Nearest) };
        assert_eq!(shadow(&depths(TextureTarget::D1, &[1.0], lit), 0.5, 0.5), expected, "{depth_mode:?}");
        let dark = if depth_mode == DepthMode::Luminance { 1.0 } else { 0.0 };
        let found = shadow(&depths(TextureTarget::D1, &[0.0], lit), 0.5, 0.5);
        assert_eq!(found, [0.0, 0.0, 0.0, dark], "{depth_mode:?}");
    }
}

#[test]
fn rectangles_are_compared_at_texels() {
    let sampler = Sampler {
        compare: Some(CompareFunc::Greater),
        mag_filter: MagFilter::Nearest,
        ..Sampler::for_target(TextureTarget::Rect)
    };
    let sampler = Sampler { min_filter: MinFilter::Nearest, ..sampler };
    let texture = depths(TextureTarget::Rect, &[0.0, 1.0, 0.0], sampler);
    assert_eq!([0.5, 1.5, 2.5].map(|s| shadow(&texture, s, 0.5)[0]), [1.0, 0.0, 1.0]);
}

#[test]
fn lookups_and_textures_that_do_not_match() {
    // Undefined by ARB_fragment_program_shadow 3.11.6: here zeros.
    let sampler = compared(CompareFunc::Always, MagFilter::Nearest);
    let plain = depths(TextureTarget::D2, &[0.5], Sampler { compare: None, ..sampler });
    assert_eq!((plain.compares(), shadow(&plain, 0.5, 0.25)), (false, [0.0; 4]));
    let image = Image::from_f32([1, 1, 1], vec![0.5; 4]).unwrap();
    let color = Texture::new(TextureTarget::D2, Format::Luminance16, vec![image.into()], sampler).unwrap();
    assert_eq!((color.compares(), shadow(&color, 0.5, 0.25)), (false, [0.0; 4]));
    // Without a reference, the lookup works as if the mode were NONE.
    let texture = depths(TextureTarget::D2, &[QUARTER], sampler);
    assert!(texture.compares());
    assert_eq!(value(&texture, [0.5, 0.5, 0.9]), [QUARTER, QUARTER, QUARTER, 1.0]);
    // An incomplete texture returns zeros for comparisons too.
    let mipmapped = Sampler { min_filter: MinFilter::LinearMipmapLinear, ..sampler };
    assert_eq!(shadow(&depths(TextureTarget::D2, &[0.5, 0.5], mipmapped), 0.5, 0.25), [0.0; 4]);
}
