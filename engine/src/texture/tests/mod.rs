//! Expected values worked out by hand from the specs.

use super::*;

/// One quad with the same coordinates and derivatives in every lane; the first lane's result, having
/// checked that the others are the same.
fn look(texture: &Texture, at: [f32; 3], dx: [f32; 3], dy: [f32; 3]) -> ([f32; 4], f32) {
    let rows = |v: [f32; 3]| v.map(|c| [c; 4]);
    let (at, dx, dy) = (rows(at), rows(dx), rows(dy));
    let lookup = Lookup {
        coords: at.each_ref(),
        gradients: Gradients::Explicit { dx: dx.each_ref(), dy: dy.each_ref() },
    };
    let mut out = [[f32::NAN; 4]; 4];
    let mut lambda = [f32::NAN; 4];
    texture.sample(&lookup, &mut out, Some(&mut lambda));
    for row in out.iter().chain([&lambda]) {
        assert!(row.iter().all(|v| v.to_bits() == row[0].to_bits()), "lanes differ: {row:?}");
    }
    (out.map(|row| row[0]), lambda[0])
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
        border: [border; 4],
        ..Sampler::default()
    };
    Texture::new(TextureTarget::D1, Format::Luminance8, vec![image.into()], sampler).unwrap()
}

/// Bytes of a 4-texel line that make exact fractions: 51/255 = 0.2 and so on, given in fifths.
const FIFTHS: [u8; 4] = [0, 51, 102, 255];

#[test]
fn repeat_takes_the_fraction() {
    let near = line(&FIFTHS, MagFilter::Nearest, Wrap::Repeat, 0.0);
    for (s, byte) in [(0.0, 0), (0.3, 51), (1.3, 51), (-0.7, 51), (0.99, 255), (-0.01, 255), (-1e-10, 255)] {
        assert_eq!(value(&near, [s, 0.0, 0.0])[0], f32::from(byte as u8) / 255.0, "s = {s}");
    }
    let linear = line(&FIFTHS, MagFilter::Linear, Wrap::Repeat, 0.0);
    // u = 0 and u = 4 lie between texel 3 and texel 0: halves of 255 and 0.
    for s in [0.0, 1.0, -3.0] {
        assert_eq!(value(&linear, [s, 0.0, 0.0])[0], 0.5, "s = {s}");
    }
    // u = 1.25: 0.25 of texel 0 and 0.75 of texel 1.
    assert_eq!(value(&linear, [0.3125, 0.0, 0.0])[0], 0.75 * 51.0 / 255.0);
}
