//! Seamless cube maps (glspec40 3.9.10): texels beyond the edge of a face and at corners of the cube,
//! gathers, comparisons.

use super::*;
use crate::compare::CompareFunc;

/// The value of a texel of a cube map with 2x2 faces, unique for each texel: faces in GL order, then rows,
/// then columns.
const fn number(face: usize, i: usize, j: usize) -> f32 {
    (1 << (face * 4 + j * 2 + i)) as f32
}

fn cube(format: Format, n: usize, texel: impl Fn(usize, usize, usize) -> f32, sampler: Sampler) -> Texture {
    let face = |face| {
        let at = (0..n * n).flat_map(|at| [texel(face, at % n, at / n), 0.0, 0.0, 1.0]).collect();
        Image::from_f32([n, n, 1], at).unwrap()
    };
    let faces = (0..6).map(face).collect();
    Texture::new(TextureTarget::Cube, format, vec![Level { faces }], sampler).unwrap()
}

fn sampler(min: MinFilter, mag: MagFilter, cube_edges: CubeEdges) -> Sampler {
    Sampler {
        min_filter: min,
        mag_filter: mag,
        cube_edges,
        wrap: [Wrap::ClampToEdge; 3],
        ..Sampler::default()
    }
}

fn linear() -> Sampler {
    sampler(MinFilter::Linear, MagFilter::Linear, CubeEdges::Seamless)
}

/// The red component of a lookup at (sc, tc) on a face.
fn red(texture: &Texture, face: usize, at: [f32; 2]) -> f32 {
    value(texture, plain::direction(face, at.map(f64::from)).map(|c| c as f32))[0]
}

/// Halfway between the centres of a texel at an edge and of its neighbour on the next face, following the
/// signs in table 3.20.
#[test]
fn edges_have_texels_of_the_next_face() {
    let texture = cube(Format::R32F, 2, number, linear());
    // Beyond the upper edge of +x, column i, is the right column of +y, row 1 - i.
    for (i, s) in [(0, -0.5), (1, 0.5)] {
        let expected = (number(0, i, 0) + number(2, 1, 1 - i)) / 2.0;
        assert_eq!(red(&texture, 0, [s, -1.0]), expected, "{i}");
    }
    // Beyond the right edge of +z is the left column of +x, in the same row.
    for (j, t) in [(0, -0.5), (1, 0.5)] {
        // Exactly at the edge, the direction would select +x.
        let near = red(&texture, 4, [0.999_999_9, t]);
        let expected = (number(4, 1, j) + number(0, 0, j)) / 2.0;
        assert!((near - expected).abs() < 1e-6 * expected, "{j}: {near}, not {expected}");
    }
    // Beyond the left edge of -y, row j, is the lower row of -x, column 1 - j.
    for (j, t) in [(0, -0.5), (1, 0.5)] {
        let near = red(&texture, 3, [-0.999_999_9, t]);
        let expected = (number(3, 0, j) + number(1, 1 - j, 1)) / 2.0;
        assert!((near - expected).abs() < 1e-6 * expected, "{j}: {near}, not {expected}");
    }
    // With wrap modes, the edge reads the face's own texels.
    let apart = cube(Format::R32F, 2, number, Sampler { cube_edges: CubeEdges::Wrapped, ..linear() });
    assert_eq!(red(&apart, 0, [-0.5, -1.0]), number(0, 0, 0));
}

/// With six faces of one texel each, a corner is the mean of the three adjacent faces. Faces of one colour
/// give exactly this colour.
#[test]
fn corners_have_the_mean_of_three() {
    let texture = cube(Format::R32F, 1, |face, _, _| [3.0, 100.0, 9.0, 100.0, 30.0, 100.0][face], linear());
    // +x, +y, +z.
    let corner = value(&texture, [1.0, 1.0, 1.0])[0];
    assert!((corner - 14.0).abs() < 1e-5, "{corner}");
    for colour in [0.1, 1.0 / 3.0, 7.3e-5, 123.456, f32::INFINITY] {
        for format in [Format::R32F, Format::R16, Format::R8] {
            let texture = cube(format, 2, |_, _, _| colour, linear());
            let held = texture.texel(0, 0, [0; 3]).unwrap()[0];
            for x in [-1.0, -0.9, 0.2, 1.0] {
                for (y, z) in [(1.0, 1.0), (-1.0, 1.0), (0.99, -1.0), (-0.3, -1.0)] {
                    let found = value(&texture, [x, y, z])[0];
                    assert_eq!(found, held, "{} {x} {y} {z}", format.name());
                }
            }
        }
    }
}

/// The result at an edge does not depend on the side it is approached from.
#[test]
fn both_sides_of_an_edge_agree() {
    let texture = cube(Format::R32F, 4, |face, i, j| (face * 16 + j * 5 + i * 3) as f32, linear());
    let near = 1.0 - 1e-6;
    for c in [-0.97, -0.6, -0.1, 0.3, 0.8, 0.99] {
        for [a, b] in [
            [[1.0, near, c], [near, 1.0, c]],
            [[-1.0, near, c], [-near, 1.0, c]],
            [[c, 1.0, -near], [c, near, -1.0]],
            [[c, -1.0, near], [c, -near, 1.0]],
            [[1.0, c, near], [near, c, 1.0]],
            [[-1.0, c, -near], [-near, c, -1.0]],
        ] {
            let [p, q] = [a, b].map(|at| value(&texture, at)[0]);
            assert!((p - q).abs() < 1e-3, "{a:?} {p}, {b:?} {q}");
        }
    }
}

/// NEAREST stays on its face.
#[test]
fn nearest_texels_are_on_the_face() {
    for min in [MinFilter::Nearest, MinFilter::Linear] {
        let texture = cube(Format::R32F, 2, number, sampler(min, MagFilter::Nearest, CubeEdges::Seamless));
        assert_eq!(red(&texture, 0, [-1.0, -1.0]), number(0, 0, 0));
        assert_eq!(red(&texture, 5, [-0.99, 0.99]), number(5, 0, 1));
    }
}

fn look_up(texture: &Texture, at: [f32; 3], reference: Option<f32>, wanted: Wanted<'_, 4>) -> [f32; 4] {
    let registers = at.map(|c| [c; 4]);
    let r = reference.map(|r| [r; 4]);
    let lookup =
        Lookup { reference: r.as_ref(), wanted, ..Lookup::new(registers.each_ref(), Gradients::Quad) };
    let mut out = [[7.0; 4]; 4];
    texture.sample(&lookup, &mut out, None);
    out.map(|register| register[0])
}

/// TXG reads the texels that LINEAR would blend, for all filters.
#[test]
fn gathers_cross_edges() {
    for filter in [MagFilter::Nearest, MagFilter::Linear] {
        let texture = cube(Format::R32F, 2, number, sampler(MinFilter::Nearest, filter, CubeEdges::Seamless));
        // +x at sc = 0, above the middle of the upper row: i0 = 0, j0 = -1.
        let found = look_up(&texture, [1.0, 0.9, 0.0], None, Wanted::Gathered(0));
        let expected = [number(0, 0, 0), number(0, 1, 0), number(2, 1, 0), number(2, 1, 1)];
        assert_eq!(found, expected);
        // At the corner of +x, +y, +z: (i0,j0) = (-1,-1) is the mean of the other three.
        let found = look_up(&texture, [1.0, 0.9, 0.9], None, Wanted::Gathered(0));
        let [below, own, above] = [number(4, 1, 0), number(0, 0, 0), number(2, 1, 1)];
        assert_eq!(found[..3], [below, own, above]);
        assert!((found[3] - (below + own + above) / 3.0).abs() < 1e-6 * found[3]);
    }
}

/// Texels of the next face are compared like the face's own texels. At a corner, the mean is compared.
#[test]
fn comparisons_cross_edges() {
    let depths = [0.9, 0.9, 0.1, 0.9, 0.2, 0.9];
    let sampler = Sampler { compare: Some(CompareFunc::Less), ..linear() };
    let texture = cube(Format::DepthComponent32F, 2, |face, _, _| depths[face], sampler);
    // Half of the filter, on +x, passes; half, on +y, fails.
    assert_eq!(look_up(&texture, [1.0, 1.0, 0.5], Some(0.5), Wanted::Filtered)[0], 0.5);
    // The mean of 0.9, 0.1 and 0.2 is 0.4. With 0.3 the mean passes, as +x does; with 0.45 it fails.
    assert_eq!(look_up(&texture, [1.0; 3], Some(0.3), Wanted::Filtered)[0], 0.5);
    assert_eq!(look_up(&texture, [1.0; 3], Some(0.45), Wanted::Filtered)[0], 0.25);
}
