//! Tests of textures. Expected values are computed by hand from the specifications.

use super::*;

/// Looks up one quad with the same coordinates and derivatives in every lane. Returns the first lane's
/// result, after checking that the others agree.
fn look(texture: &Texture, at: [f32; 3], dx: [f32; 3], dy: [f32; 3]) -> ([f32; 4], f32) {
    let registers = |v: [f32; 3]| v.map(|c| [c; 4]);
    let (at, dx, dy) = (registers(at), registers(dx), registers(dy));
    let gradients = Gradients::Explicit { dx: dx.each_ref(), dy: dy.each_ref() };
    let lookup = Lookup::new(at.each_ref(), gradients);
    let mut out = [[f32::NAN; 4]; 4];
    let mut lambda = [f32::NAN; 4];
    texture.sample(&lookup, &mut out, Some(&mut lambda));
    for register in out.iter().chain([&lambda]) {
        assert!(register.iter().all(|v| v.to_bits() == register[0].to_bits()), "lanes differ: {register:?}");
    }
    (out.map(|register| register[0]), lambda[0])
}

/// Looks up a block with the widest vectors of the processor.
fn block(texture: &Texture, lookup: &Lookup<'_, 64>, out: &mut [[f32; 64]; 4]) {
    texture.sample_lanes(lookup, &mut out.each_mut().map(Some), u64::MAX);
}

/// A lookup without derivatives: magnification.
fn value(texture: &Texture, at: [f32; 3]) -> [f32; 4] {
    look(texture, at, [0.0; 3], [0.0; 3]).0
}

/// A 1D LUMINANCE texture of these bytes, with filter and wrap mode.
fn line(bytes: &[u8], filter: MagFilter, wrap: Wrap, border: f32) -> Texture {
    let data = bytes.iter().flat_map(|&b| [b, 0, 0, 255]).collect();
    let image = Image::from_rgba8([bytes.len(), 1, 1], data).unwrap();
    let sampler = Sampler {
        wrap: [wrap; 3],
        mag_filter: filter,
        min_filter: if filter == MagFilter::Linear { MinFilter::Linear } else { MinFilter::Nearest },
        border: [border; 4].into(),
        ..Sampler::default()
    };
    Texture::new(TextureTarget::D1, Format::Luminance8, vec![image.into()], sampler).unwrap()
}

/// Bytes of a 4-texel line with exact fractions: 51/255 = 0.2 and so on.
const FIFTHS: [u8; 4] = [0, 51, 102, 255];

#[test]
fn repeat_takes_the_fraction() {
    let near = line(&FIFTHS, MagFilter::Nearest, Wrap::Repeat, 0.0);
    for (s, byte) in [(0.0, 0), (0.3, 51), (1.3, 51), (-0.7, 51), (0.99, 255), (-0.01, 255), (-1e-10, 255)] {
        assert_eq!(value(&near, [s, 0.0, 0.0])[0], f32::from(byte as u8) / 255.0, "s = {s}");
    }
    let linear = line(&FIFTHS, MagFilter::Linear, Wrap::Repeat, 0.0);
    // u = 0 and u = 4 are between texel 3 and texel 0: half of 255 and half of 0.
    for s in [0.0, 1.0, -3.0] {
        assert_eq!(value(&linear, [s, 0.0, 0.0])[0], 0.5, "s = {s}");
    }
    // u = 1.25: 0.25 of texel 0 and 0.75 of texel 1.
    assert_eq!(value(&linear, [0.3125, 0.0, 0.0])[0], 0.75 * 51.0 / 255.0);
}

mod buffers;
mod compare;
mod floats;
mod formats;
mod instances;
mod integers;
mod levels;
mod plain;
mod samples;
mod seamless;
mod shapes;
mod texel;
mod traces;

/// A 1D lookup at `s` of a single-component texture.
fn at(texture: &Texture, s: f32) -> f32 {
    value(texture, [s, 0.0, 0.0])[0]
}

#[test]
fn clamp_blends_with_the_border() {
    let near = line(&FIFTHS, MagFilter::Nearest, Wrap::Clamp, 0.6);
    assert_eq!([-3.0, 0.1, 1.0, 7.0].map(|s| at(&near, s)), [0.0, 0.0, 1.0, 1.0]);
    // Border 0.6 is 153. At s <= 0, half of it and half of texel 0; at s >= 1, half of it and half of texel
    // 3.
    let linear = line(&FIFTHS, MagFilter::Linear, Wrap::Clamp, 0.6);
    assert_eq!([-3.0, 0.0, 1.0, 7.0].map(|s| at(&linear, s)), [0.3, 0.3, 0.8, 0.8]);
    assert_eq!(at(&linear, 0.125), 0.0);
}

#[test]
fn clamp_to_edge_never_meets_the_border() {
    for filter in MagFilter::ALL {
        let texture = line(&FIFTHS, filter, Wrap::ClampToEdge, 0.6);
        assert_eq!([-3.0, 0.0, 1.0, 7.0].map(|s| at(&texture, s)), [0.0, 0.0, 1.0, 1.0], "{filter:?}");
    }
    // Halfway between texels 0 and 1.
    assert_eq!(at(&line(&FIFTHS, MagFilter::Linear, Wrap::ClampToEdge, 0.6), 0.25), 0.1);
}

#[test]
fn clamp_to_border_reaches_the_border_alone() {
    let near = line(&FIFTHS, MagFilter::Nearest, Wrap::ClampToBorder, 0.6);
    // s = 1 belongs to the last texel by eq. 3.19.
    assert_eq!([-0.01, 0.0, 1.0, 1.01].map(|s| at(&near, s)), [0.6, 0.0, 1.0, 0.6]);
    let linear = line(&FIFTHS, MagFilter::Linear, Wrap::ClampToBorder, 0.6);
    assert_eq!([-3.0, -0.125, 0.0, 1.0, 1.125, 9.0].map(|s| at(&linear, s)), [0.6, 0.6, 0.3, 0.8, 0.6, 0.6]);
}

#[test]
fn mirrored_repeat_turns_at_every_whole_number() {
    let near = line(&FIFTHS, MagFilter::Nearest, Wrap::MirroredRepeat, 0.6);
    // 1.3 and -1.3 mirror to 0.7 (texel 2); -0.3, 2.3 and 1.7 mirror to 0.3 (texel 1).
    assert_eq!([1.3, -1.3, -0.3, 2.3, 1.7].map(|s| at(&near, s)), [0.4, 0.4, 0.2, 0.2, 0.2]);
    let linear = line(&FIFTHS, MagFilter::Linear, Wrap::MirroredRepeat, 0.6);
    assert_eq!([0.0, 1.0, 2.0, -1.0, 0.25, -0.25].map(|s| at(&linear, s)), [0.0, 1.0, 0.0, 1.0, 0.1, 0.1]);
}

#[test]
fn sizes_need_not_be_powers_of_two() {
    let near = line(&[0, 51, 255], MagFilter::Nearest, Wrap::Repeat, 0.0);
    assert_eq!([0.3, 0.5, 0.7, 1.9, -0.5].map(|s| at(&near, s)), [0.0, 0.2, 1.0, 1.0, 0.2]);
}

#[test]
fn coordinates_that_are_no_numbers_are_defined() {
    let inf = f32::INFINITY;
    for (wrap, linear, expected) in [
        // The low end of [0, w]: u = 0.
        (Wrap::Repeat, MagFilter::Nearest, [0.0, 0.0, 0.0, 0.0]),
        (Wrap::Repeat, MagFilter::Linear, [0.5, 0.5, 0.5, 0.5]),
        (Wrap::Clamp, MagFilter::Linear, [0.3, 0.8, 0.3, 0.8]),
        (Wrap::ClampToEdge, MagFilter::Linear, [0.0, 1.0, 0.0, 1.0]),
        (Wrap::ClampToBorder, MagFilter::Linear, [0.6, 0.6, 0.6, 0.6]),
        (Wrap::MirroredRepeat, MagFilter::Linear, [0.0, 0.0, 0.0, 0.0]),
    ] {
        let texture = line(&FIFTHS, linear, wrap, 0.6);
        // 3e38 is an even integer: fraction 0.
        assert_eq!([f32::NAN, inf, -inf, 3e38].map(|s| at(&texture, s)), expected, "{wrap:?} {linear:?}");
    }
    // No coordinate causes a panic on any target, and results are never NaN.
    let odd = [f32::NAN, inf, -inf, 3e38, -3e38, 1e-42, 0.0, -0.0, 0.7];
    for target in TextureTarget::BASIC {
        let texture = shapes::any(target);
        for s in odd {
            for t in odd {
                for d in odd {
                    let (v, _) = look(&texture, [s, t, d], [d, s, t], [t, d, s]);
                    assert!(v.iter().all(|v| (0.0..=1.0).contains(v)), "{target:?} {s} {t} {d}: {v:?}");
                }
            }
        }
    }
}
