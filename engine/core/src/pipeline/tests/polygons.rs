//! Tests of polygons: facing, two-sided colours, culling, polygon modes and offset, clip distances, viewport
//! and scissor.

use super::*;

const SIZE: [u32; 2] = [16, 16];

fn written(draw: &Draw, results: &[VertexResult]) -> Vec<[u32; 2]> {
    let recorder = Recorder::default();
    draw_vertices(draw, &Pass(results.to_vec()), &recorder, SIZE, 1);
    let mut pixels: Vec<_> =
        recorder.seen.into_inner().unwrap().into_iter().map(|(pixel, _)| pixel).collect();
    pixels.sort_unstable_by_key(|[x, y]| [*y, *x]);
    pixels
}

fn polygon(primitive: Primitive, corners: &[[f32; 2]], state: RasterState) -> Draw {
    let positions: Vec<_> = corners.iter().map(|p| at(SIZE, *p)).collect();
    Draw { state, ..Draw::vertices(input(primitive, &positions)) }
}

/// Counter-clockwise.
const SQUARE: [[f32; 2]; 4] = [[2.5, 2.5], [10.5, 2.5], [10.5, 10.5], [2.5, 10.5]];

fn turned<const N: usize>(mut corners: [[f32; 2]; N]) -> [[f32; 2]; N] {
    corners.reverse();
    corners
}

#[test]
fn facing_follows_the_sign_of_the_area_and_front_face() {
    for primitive in [Primitive::Quads, Primitive::Polygon, Primitive::Triangles] {
        for (corners, ccw) in [(SQUARE, true), (turned(SQUARE), false)] {
            for (front_face, front) in [(FrontFace::Ccw, ccw), (FrontFace::Cw, !ccw)] {
                let state = RasterState { front_face, ..RasterState::DEFAULT };
                let expected = if front { Facing::Front } else { Facing::Back };
                let draw = polygon(primitive, &corners, state);
                // Near a corner that both orders' triangles cover.
                let found = fragments_at(&draw, &Pass(Vec::new()), &ALL, DepthSource::Window, SIZE, [9, 8]);
                assert!(found.iter().all(|fragment| fragment.facing == expected));
                assert!(primitive == Primitive::Triangles || found.len() == 1);
                for (cull, gone) in
                    [(CullFace::Front, front), (CullFace::Back, !front), (CullFace::FrontAndBack, true)]
                {
                    let state = RasterState { cull: Some(cull), ..state };
                    let pixels = written(&polygon(primitive, &corners, state), &[]);
                    assert_eq!(pixels.is_empty(), gone, "{primitive:?} {front_face:?} {cull:?}");
                }
            }
        }
    }
}

#[test]
fn a_quad_that_crosses_itself_faces_one_way() {
    // The two triangles turn opposite ways. The larger determines the facing of both (area by 2.14.1).
    let corners = [[2.0, 2.0], [14.0, 2.0], [2.0, 8.0], [5.0, 8.0]];
    let draw = polygon(Primitive::Quads, &corners, RasterState::DEFAULT);
    let mut facings = std::collections::HashSet::new();
    for pixel in written(&draw, &[]) {
        for fragment in fragments_at(&draw, &Pass(Vec::new()), &ALL, DepthSource::Window, SIZE, pixel) {
            facings.insert(fragment.facing);
        }
    }
    assert_eq!(facings.len(), 1);
}

#[test]
fn two_sided_colours_are_chosen_by_facing_clamped_and_interpolated() {
    let results = [VertexResult::Col0, VertexResult::Col1, VertexResult::Bfc0];
    for (two_side, back, expected) in [
        (true, false, [[1.0, 0.0, 0.25, 1.0], [0.5; 4]]),
        // BFC1 is not written: (0,0,0,1).
        (true, true, [[0.0, 1.0, 0.75, 0.125], [0.0, 0.0, 0.0, 1.0]]),
        (false, true, [[1.0, 0.0, 0.25, 1.0], [0.5; 4]]),
    ] {
        let corners = if back { turned(SQUARE) } else { SQUARE };
        let state = RasterState { two_side, ..RasterState::DEFAULT };
        let mut draw = polygon(Primitive::Quads, &corners, state);
        let Geometry::Vertices(input) = &mut draw.geometry else { panic!("they are vertices") };
        input.attributes[3] = AttributeSource::Current(single_bits([7.0, -1.0, 0.25, f32::INFINITY]));
        input.attributes[4] = AttributeSource::Current(single_bits([0.5; 4]));
        input.attributes[1] = AttributeSource::Current(single_bits([f32::NAN, 2.0, 0.75, 0.125]));
        let found = fragments_at(&draw, &Pass(results.to_vec()), &ALL, DepthSource::Window, SIZE, [5, 5]);
        assert_eq!([1, 2].map(|i| found[0].quad[i][found[0].lane]), expected);
        assert_eq!(found[0].facing, if back { Facing::Back } else { Facing::Front });
        // Fog is not written: 0. Neither are texture coordinates.
        assert_eq!(found[0].quad[3][found[0].lane], [0.0; 4]);
        assert_eq!(found[0].quad[4][found[0].lane], [0.0, 0.0, 0.0, 1.0]);
    }
}

#[test]
fn primitives_are_numbered_and_quads_count_once() {
    let corners = |left: f32| [[left, 0.0], [left + 8.0, 0.0], [left + 8.0, 16.0], [left, 16.0]];
    let both = [corners(0.0), corners(8.0)].concat();
    let draw = polygon(Primitive::Quads, &both, RasterState::DEFAULT);
    // Both triangles of each square are checked.
    for (pixel, number) in [([1, 9], 0), ([6, 2], 0), ([9, 9], 1), ([14, 2], 1)] {
        let found = fragments_at(&draw, &Pass(Vec::new()), &ALL, DepthSource::Window, SIZE, pixel);
        let read = |attribute: Attribute| found[0].quad[attribute.index()][found[0].lane].map(f32::to_bits);
        assert_eq!(read(Attribute::PrimitiveId), [number, 0, 0, 0], "{pixel:?}");
        assert_eq!((read(Attribute::SampleId), read(Attribute::SampleMask)), ([0; 4], [1, 0, 0, 0]));
        assert_eq!(read(Attribute::PointCoord), [0; 4]);
    }
}

#[test]
fn sprites_have_coordinates_whatever_replaces_texture_coordinates() {
    // A sprite of 8 pixels around (8, 8). s grows to the right, t down from the upper border.
    let point = PointState { size: 8.0, sprite: true, ..RasterState::DEFAULT.point };
    let state = RasterState { point, ..RasterState::DEFAULT };
    for (sprite, expected) in [(true, [0.1875, 0.8125, 0.0, 0.0]), (false, [0.0; 4])] {
        let state = RasterState { point: PointState { sprite, ..state.point }, ..state };
        let draw = polygon(Primitive::Points, &[[8.0, 8.0]], state);
        let found = fragments_at(&draw, &Pass(Vec::new()), &ALL, DepthSource::Window, SIZE, [5, 5]);
        assert_eq!(found[0].quad[Attribute::PointCoord.index()][found[0].lane], expected);
    }
}

#[test]
fn colours_are_clamped_before_they_are_interpolated() {
    // Red goes from -1 to 1 over the line from x = 0 to 16. Clamped before interpolation: from 0 to 1.
    let mut draw = polygon(Primitive::Lines, &[[0.0, 4.5], [16.0, 4.5]], RasterState::DEFAULT);
    let Geometry::Vertices(input) = &mut draw.geometry else { panic!("they are vertices") };
    input.attributes[3] = array(&[[-1.0; 4], [1.0; 4]]);
    input.attributes[5] = array(&[[4.0; 4], [20.0; 4]]);
    let results = [VertexResult::Col0, VertexResult::Fogc];
    let found = &fragments_at(&draw, &Pass(results.to_vec()), &ALL, DepthSource::Window, SIZE, [7, 4])[0];
    assert_eq!(found.quad[1][found.lane], [7.5 / 16.0; 4]);
    assert_eq!(found.quad[3][found.lane], [11.5, 0.0, 0.0, 0.0]);
}

#[test]
fn line_mode_draws_the_edges_and_no_diagonals() {
    let ring: Vec<[u32; 2]> = (0..256)
        .map(|i| [i % 16, i / 16])
        .filter(|&[x, y]| {
            let (on_x, on_y) = (x == 2 || x == 10, y == 2 || y == 10);
            (on_x && (2..=10).contains(&y)) || (on_y && (2..=10).contains(&x))
        })
        .collect();
    let state = RasterState { polygon_mode: [PolygonMode::Line, PolygonMode::Point], ..RasterState::DEFAULT };
    for primitive in [Primitive::Quads, Primitive::Polygon] {
        // Each edge ends before its last pixel: the ring is closed and no pixel is drawn twice.
        assert_eq!(written(&polygon(primitive, &SQUARE, state), &[]), ring, "{primitive:?}");
    }
    let strip = [SQUARE[0], SQUARE[1], SQUARE[3], SQUARE[2]];
    assert_eq!(written(&polygon(Primitive::QuadStrip, &strip, state), &[]), ring);
    // Triangles have their own diagonals: from (10.5, 10.5) to (2.5, 2.5) and back.
    let triangles = [SQUARE[0], SQUARE[1], SQUARE[2], SQUARE[0], SQUARE[2], SQUARE[3]];
    assert_eq!(written(&polygon(Primitive::Triangles, &triangles, state), &[]).len(), ring.len() + 2 * 8);
    // The back is drawn as points: its corners.
    let corners = [[2, 2], [10, 2], [2, 10], [10, 10]];
    for primitive in [Primitive::Quads, Primitive::Polygon] {
        assert_eq!(written(&polygon(primitive, &turned(SQUARE), state), &[]), corners);
    }
}

#[test]
fn clipped_polygons_have_the_edges_and_corners_that_clipping_made() {
    // z from -3 at the left to 3 at the right, across planes at x = 16/3 and 32/3.
    let corners = [[0.0, 4.5], [16.0, 4.5], [16.0, 12.5], [0.0, 12.5]];
    let positions: Vec<_> = corners
        .iter()
        .map(|&p| {
            let [x, y, ..] = at(SIZE, p);
            [x, y, 3.0 * x, 1.0]
        })
        .collect();
    let mode = |mode| RasterState { polygon_mode: [mode; 2], ..RasterState::DEFAULT };
    let draw = |primitive, state| Draw { state, ..Draw::vertices(input(primitive, &positions)) };
    for primitive in [Primitive::Quads, Primitive::Polygon] {
        let pixels = written(&draw(primitive, mode(PolygonMode::Line)), &[]);
        for y in 5..12 {
            assert!(pixels.contains(&[5, y]) && pixels.contains(&[10, y]), "{y}");
            assert!(!pixels.contains(&[8, y]), "{y}");
        }
        assert!(pixels.contains(&[8, 4]) && pixels.contains(&[8, 12]));
        let points = written(&draw(primitive, mode(PolygonMode::Point)), &[]);
        assert_eq!(points, [[5, 4], [10, 4], [5, 12], [10, 12]]);
    }
}

/// Sorts in the order of [`written`].
fn sorted(mut pixels: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    pixels.sort_unstable_by_key(|[x, y]| [*y, *x]);
    pixels.dedup();
    pixels
}

#[test]
fn the_sides_of_the_view_volume_make_edges_and_corners() {
    let mode =
        |mode| RasterState { polygon_mode: [mode; 2], viewport: Some([4, 4, 8, 8]), ..RasterState::DEFAULT };
    // Larger than the view volume on all sides, and larger than the guard band.
    for far in [2.0, 500.0] {
        let positions = [[-far, -far], [far, -far], [far, far], [-far, far]].map(|[x, y]| [x, y, 0.0, 1.0]);
        for primitive in [Primitive::Quads, Primitive::Polygon, Primitive::TriangleFan] {
            let draw = |state| Draw { state, ..Draw::vertices(input(primitive, &positions)) };
            // The frame from (4, 4) to (12, 12). The diamond-exit rule moves it by (-e, -e^2), so a line
            // along 4 is in pixel 3, and its ends are at pixel borders.
            let frame = (4..12).flat_map(|i| [[i, 3], [11, i], [i, 11], [3, i]]);
            let lines = sorted(written(&draw(mode(PolygonMode::Line)), &[]));
            let inside: Vec<_> = if primitive == Primitive::TriangleFan {
                // The triangles have their own diagonal, from corner to corner and back.
                lines.iter().copied().filter(|[x, y]| x == y && (4..11).contains(x)).collect()
            } else {
                Vec::new()
            };
            assert_eq!(lines, sorted(frame.chain(inside).collect()), "{primitive:?} {far}");
            let points = sorted(written(&draw(mode(PolygonMode::Point)), &[]));
            assert_eq!(points, [[4, 4], [12, 4], [4, 12], [12, 12]], "{primitive:?} {far}");
        }
    }
    // If the viewport is the window, a line along its left or lower border is outside.
    let wide = [[-90.0, 4.5], [90.0, 4.5], [90.0, 9.5], [-90.0, 9.5]];
    let state = RasterState { viewport: None, ..mode(PolygonMode::Line) };
    let expected = (0..16).flat_map(|x| [[x, 4], [x, 9]]).chain((5..9).map(|y| [15, y]));
    assert_eq!(written(&polygon(Primitive::Quads, &wide, state), &[]), sorted(expected.collect()));
}

#[test]
fn flags_say_which_edges_of_separate_polygons_are_boundary_edges() {
    let flags = |flags: &[u8]| EdgeFlags::Array { flags: flags.into(), stride: 1, offset: 0 };
    let flagged = |primitive, corners: &[[f32; 2]], mode, flags: &EdgeFlags| {
        let state = RasterState { polygon_mode: [mode; 2], ..RasterState::DEFAULT };
        let mut draw = polygon(primitive, corners, state);
        let Geometry::Vertices(input) = &mut draw.geometry else { panic!("they are vertices") };
        input.edge_flags = flags.clone();
        written(&draw, &[])
    };
    let (line, point) = (PolygonMode::Line, PolygonMode::Point);
    // The edges from the first corner to the second and from the third to the fourth.
    let edges: Vec<[u32; 2]> = (2..10).map(|x| [x, 2]).chain((3..11).map(|x| [x, 10])).collect();
    for primitive in [Primitive::Quads, Primitive::Polygon] {
        let some = flags(&[1, 0, 7, 0]);
        assert_eq!(flagged(primitive, &SQUARE, line, &some), edges, "{primitive:?}");
        assert_eq!(flagged(primitive, &SQUARE, point, &some), [[2, 2], [10, 10]], "{primitive:?}");
        assert_eq!(flagged(primitive, &SQUARE, PolygonMode::Fill, &some).len(), 64, "{primitive:?}");
        let none = EdgeFlags::Current(EdgeFlag::NonBoundary);
        assert!(flagged(primitive, &SQUARE, line, &none).is_empty());
        assert!(flagged(primitive, &SQUARE, point, &none).is_empty());
        // Elements beyond the array begin boundary edges.
        assert_eq!(flagged(primitive, &SQUARE, point, &flags(&[1, 0])), [[2, 2], [2, 10], [10, 10]]);
    }
    // A polygon of five corners is a fan of three triangles.
    let five = [[2.5, 2.5], [8.5, 2.5], [12.5, 6.5], [8.5, 10.5], [2.5, 10.5]];
    assert_eq!(
        flagged(Primitive::Polygon, &five, point, &flags(&[0, 1, 1, 0, 1])),
        [[8, 2], [12, 6], [2, 10]]
    );
    let triangle = &SQUARE[..3];
    assert_eq!(flagged(Primitive::Triangles, triangle, point, &flags(&[0, 1, 0])), [[10, 2]]);
    assert_eq!(
        flagged(Primitive::Triangles, triangle, line, &flags(&[0, 1, 0])),
        (2..10).map(|y| [10, y]).collect::<Vec<_>>()
    );
    // All edges of strips and fans are boundary edges.
    for primitive in [Primitive::TriangleStrip, Primitive::TriangleFan, Primitive::QuadStrip] {
        let boundary = EdgeFlags::Current(EdgeFlag::Boundary);
        for mode in [line, point] {
            let with = |flags| flagged(primitive, &SQUARE, mode, flags);
            assert_eq!(with(&flags(&[0; 4])), with(&boundary), "{primitive:?}");
        }
    }
    // Edges that clipping adds are boundary edges, and edges that it cuts keep their flag (2.12). Of the band
    // across the window, the right border begins on the bottom edge and the left border on the top edge.
    let band = [[-90.0, 4.5], [90.0, 4.5], [90.0, 9.5], [-90.0, 9.5]];
    for primitive in [Primitive::Quads, Primitive::Polygon] {
        let none = EdgeFlags::Current(EdgeFlag::NonBoundary);
        assert_eq!(
            flagged(primitive, &band, line, &none),
            (4..9).map(|y| [15, y]).collect::<Vec<_>>(),
            "{primitive:?}"
        );
        assert_eq!(flagged(primitive, &band, point, &none), [[0, 9]], "{primitive:?}");
        let all = EdgeFlags::Current(EdgeFlag::Boundary);
        assert_eq!(flagged(primitive, &band, point, &all), [[0, 4], [0, 9]], "{primitive:?}");
    }
}

#[test]
fn depths_are_limited_to_0_and_1_after_the_offset() {
    // z_w = 1/2 everywhere, within a depth range from 1/4 to 3/4.
    let modes = [PolygonMode::Fill, PolygonMode::Line, PolygonMode::Point];
    for mode in modes {
        let pixel = match mode {
            PolygonMode::Fill => [5, 5],
            PolygonMode::Line => [5, 2],
            PolygonMode::Point => [2, 2],
        };
        for (by, limited) in [(60.0, 1.0), (0.375, 0.875), (-0.375, 0.125), (-60.0, 0.0)] {
            for clamp in [false, true] {
                for enabled in modes {
                    let [fill, line, point] = modes.map(|mode| mode == enabled);
                    let units = by * 16_777_216.0;
                    let state = RasterState {
                        polygon_mode: [mode; 2],
                        offset: PolygonOffset { factor: 0.0, units, fill, line, point },
                        depth: DepthState {
                            test: Some(CompareFunc::Always),
                            range: [0.25, 0.75],
                            clamp,
                            ..DepthState::LESS
                        },
                        ..RasterState::DEFAULT
                    };
                    let draw = polygon(Primitive::Quads, &SQUARE, state);
                    let z = if mode == enabled { limited } else { 0.5 };
                    let pass = Pass(Vec::new());
                    let found = &fragments_at(&draw, &pass, &ALL, DepthSource::Window, SIZE, pixel)[0];
                    assert_eq!(found.quad[0][found.lane][2], z, "{mode:?} {enabled:?} {by}");
                    assert_eq!(found.window_z, z);
                    let color = shader(|inputs| Shaded { color: [inputs[0][2]; 4], ..Shaded::default() });
                    let (buffer, _) = draw_vertices(&draw, &pass, &color, SIZE, 1);
                    let index = buffer.index(pixel[0], pixel[1]).unwrap();
                    assert_eq!(buffer.color.at(index)[0], z, "the program sees the limited depth");
                    // Depth clamp comes after the offset (NV_depth_clamp).
                    let stored = if clamp { z.clamp(0.25, 0.75) } else { z };
                    assert_eq!(buffer.depth[index], stored, "{mode:?} {enabled:?} {by} {clamp}");
                }
            }
        }
    }
}

#[test]
fn polygon_offset_adds_slope_and_units() {
    // z_w = x/32 + y/64 + 1/4 in window coordinates: m = sqrt(1/32^2 + 1/64^2).
    let corners = [[0.5, 0.5], [15.5, 0.5], [0.5, 15.5]];
    let z = |[x, y]: [f32; 2]| (x / 32.0 + y / 64.0 + 0.25) * 2.0 - 1.0;
    let positions: Vec<_> = corners
        .iter()
        .map(|&p| {
            let [x, y, ..] = at(SIZE, p);
            [x, y, z(p), 1.0]
        })
        .collect();
    let (factor, units) = (1.5f32, 4096.0f32);
    let m = (1.0 / 1024.0 + 1.0 / 4096.0f64).sqrt();
    let o = m * f64::from(factor) + f64::from(units) / 16_777_216.0;
    for mode in [PolygonMode::Fill, PolygonMode::Line, PolygonMode::Point] {
        for on in [PolygonMode::Fill, PolygonMode::Line, PolygonMode::Point] {
            let [fill, line, point] =
                [PolygonMode::Fill, PolygonMode::Line, PolygonMode::Point].map(|m| m == on);
            let offset = PolygonOffset { factor, units, fill, line, point };
            let state = RasterState { offset, polygon_mode: [mode; 2], ..RasterState::DEFAULT };
            let draw = Draw { state, ..Draw::vertices(input(Primitive::Triangles, &positions)) };
            // Inside, on the edge along x, at a corner.
            let pixel = match mode {
                PolygonMode::Fill => [2, 2],
                PolygonMode::Line => [2, 0],
                PolygonMode::Point => [0, 0],
            };
            let found = fragments_at(&draw, &Pass(Vec::new()), &ALL, DepthSource::Window, SIZE, pixel);
            let [x, y] = pixel.map(|x| f64::from(x) + 0.5);
            let plain = x / 32.0 + y / 64.0 + 0.25;
            let expected = if mode == on { plain + o } else { plain };
            let got = f64::from(found[0].quad[0][found[0].lane][2]);
            assert!((got - expected).abs() < 1e-7, "{mode:?} {on:?}: {got} {expected}");
        }
    }
}

#[test]
fn enabled_and_written_clip_distances_clip() {
    // c0 = x - 4, c1 = 12 - x over the window.
    let corners = [[0.0, 0.0], [16.0, 0.0], [16.0, 16.0], [0.0, 16.0]];
    let distances: Vec<_> = corners.iter().map(|&[x, _]| [x - 4.0, 12.0 - x, f32::NAN, -1.0]).collect();
    let draw = |primitive, clip_distances| {
        let mut draw = polygon(primitive, &corners, RasterState { clip_distances, ..RasterState::DEFAULT });
        let Geometry::Vertices(input) = &mut draw.geometry else { panic!("they are vertices") };
        input.attributes[7] = array(&distances);
        draw
    };
    let clips = [0, 1, 2].map(VertexResult::Clp);
    let columns = |draw: &Draw, results: &[VertexResult]| {
        let mut columns: Vec<u32> = written(draw, results).into_iter().map(|[x, _]| x).collect();
        columns.dedup();
        columns.sort_unstable();
        columns.dedup();
        columns
    };
    assert_eq!(columns(&draw(Primitive::Quads, 0b01), &clips), (4..16).collect::<Vec<_>>());
    assert_eq!(columns(&draw(Primitive::Quads, 0b11), &clips), (4..12).collect::<Vec<_>>());
    // Not enabled, or not written.
    assert_eq!(columns(&draw(Primitive::Quads, 0), &clips).len(), 16);
    assert_eq!(columns(&draw(Primitive::Quads, 0b11), &[VertexResult::Clp(1)]), (0..12).collect::<Vec<_>>());
    // NaN is outside everywhere.
    assert!(columns(&draw(Primitive::Quads, 0b100), &clips).is_empty());
    // Points are in or out. Lines are cut; (0,0) to (16,0) is the first edge of the loop.
    let point = |x: f32| {
        let mut draw = polygon(
            Primitive::Points,
            &[[x, 2.5]],
            RasterState { clip_distances: 1, ..RasterState::DEFAULT },
        );
        let Geometry::Vertices(input) = &mut draw.geometry else { panic!("they are vertices") };
        input.attributes[7] = AttributeSource::Current(single_bits([x - 4.0, 0.0, 0.0, 0.0]));
        written(&draw, &clips).len()
    };
    assert_eq!([3.5, 4.0, 4.5].map(point), [0, 1, 1]);
    let mut line = polygon(
        Primitive::Lines,
        &[[0.0, 2.5], [16.0, 2.5]],
        RasterState { clip_distances: 3, ..RasterState::DEFAULT },
    );
    let Geometry::Vertices(input) = &mut line.geometry else { panic!("they are vertices") };
    input.attributes[7] = array(&distances[..2]);
    // x = 4 is on the right corner of the diamond of pixel 3, which the line leaves. x = 12 is on the right
    // corner of the diamond of pixel 11, in which the line ends.
    assert_eq!(columns(&line, &clips), (3..11).collect::<Vec<_>>());
}

#[test]
fn a_clip_distance_and_its_negative_share_the_pixels() {
    // The complementarity criterion of 2.12. The triangle's own edges are outside of the window, because
    // cutting an edge moves it by up to a subpixel.
    let mut random = Random(21);
    for _ in 0..300 {
        let positions = [[-1.5, -1.5], [6.0, -1.5], [-1.5, 6.0]].map(|[x, y]: [f32; 2]| {
            let w = random.between(0.3, 3.0);
            [x * w, y * w, 0.0, w]
        });
        let distances = [0; 3].map(|_| [random.between(-1.0, 1.0); 4]);
        let count = |scale: f32, clip_distances| {
            let mut input = input(Primitive::Triangles, &positions);
            input.attributes[7] = array(&distances.map(|d| d.map(|x| x * scale)));
            let state = RasterState { clip_distances, ..RasterState::DEFAULT };
            written(&Draw { state, ..Draw::vertices(input) }, &[VertexResult::Clp(0)])
        };
        let mut both = [count(1.0, 1), count(-1.0, 1)].concat();
        both.sort_unstable_by_key(|[x, y]| [*y, *x]);
        assert_eq!(both, count(1.0, 0));
    }
}

#[test]
fn viewport_and_scissor_place_and_restrict() {
    let full = [[0.0, 0.0], [16.0, 0.0], [16.0, 16.0], [0.0, 16.0]];
    let within = |[x, y, width, height]: Rect| -> Vec<[u32; 2]> {
        let inside = |p: &[u32; 2]| {
            let [px, py] = p.map(|x| x as i32);
            px >= x && px < x + width && py >= y && py < y + height
        };
        (0..256).map(|i| [i % 16, i / 16]).filter(inside).collect()
    };
    let bigger = [[-9.0, -9.0], [25.0, -9.0], [25.0, 25.0], [-9.0, 25.0]];
    for rect in [[3, 5, 7, 9], [0, 0, 1, 1], [-4, -3, 9, 30], [15, 15, 1, 1], [5, 5, 0, 3], [40, 0, 5, 5]] {
        // The view volume fills the viewport, and nothing beyond it is drawn.
        for corners in [full, bigger] {
            let state = RasterState { viewport: Some(rect), ..RasterState::DEFAULT };
            assert_eq!(written(&polygon(Primitive::Quads, &corners, state), &[]), within(rect), "{rect:?}");
        }
        let state = RasterState { scissor: Some(rect), ..RasterState::DEFAULT };
        assert_eq!(written(&polygon(Primitive::Quads, &full, state), &[]), within(rect), "{rect:?}");
        assert_eq!(written(&Draw { state, ..Draw::viewport_quad() }, &[]), within(rect), "{rect:?}");
    }
    // Window coordinates: the middle of the viewport.
    let state = RasterState { viewport: Some([2, 4, 6, 8]), ..RasterState::DEFAULT };
    let draw = polygon(Primitive::Points, &[[8.0, 8.0]], state);
    assert_eq!(shaded_vertices(&draw, &Pass(Vec::new()), SIZE, 0)[0].window, Some([5.0, 8.0, 0.5]));
    // A viewport far larger than the framebuffer.
    let state = RasterState {
        viewport: Some([-1_000_000, -1_000_000, 2_000_016, 2_000_016]),
        ..RasterState::DEFAULT
    };
    assert_eq!(written(&polygon(Primitive::Quads, &full, state), &[]).len(), 256);
    let state = RasterState {
        viewport: Some([i32::MIN, i32::MAX, i32::MAX, i32::MAX]),
        scissor: Some([i32::MAX; 4]),
        ..state
    };
    for primitive in Primitive::ALL {
        assert!(written(&polygon(primitive, &full, state), &[]).is_empty());
    }
}

#[test]
fn what_is_not_cleared_is_drawn_over() {
    let mut framebuffer = Framebuffer::new(16, 16).unwrap();
    let (threads, never) = (Threads::new(Some(2)), AtomicBool::new(false));
    let mut over = |draw: &Draw, value: f32| {
        let color = shader(move |_| Shaded { color: [value; 4], ..Shaded::default() });
        render(draw, &Pass(Vec::new()), &color, &mut framebuffer, &threads, &never).unwrap();
        framebuffer.color.floats().iter().map(|color| color[0]).collect::<Vec<_>>()
    };
    over(&Draw::viewport_quad(), 1.0);
    let square = Draw { clear: None, ..polygon(Primitive::Quads, &SQUARE, RasterState::DEFAULT) };
    let colors = over(&square, 2.0);
    assert_eq!(colors.iter().filter(|&&color| color == 2.0).count(), 64);
    assert_eq!(colors.iter().filter(|&&color| color == 1.0).count(), 256 - 64);
    let state = RasterState { scissor: Some([0, 0, 16, 1]), ..RasterState::DEFAULT };
    let colors = over(&Draw { state, clear: None, ..Draw::viewport_quad() }, 3.0);
    assert_eq!([0, 15, 16, 255].map(|i| colors[i]), [3.0, 3.0, 1.0, 1.0]);
    assert_eq!(colors.iter().filter(|&&color| color == 3.0).count(), 16);
}

#[test]
fn everything_is_the_same_for_any_number_of_threads_and_for_the_probe() {
    let mut random = Random(31);
    let positions: Vec<_> = (0..400)
        .map(|_| {
            let w = random.between(-0.5, 2.0);
            [random.between(-2.0, 2.0), random.between(-2.0, 2.0), random.between(-1.5, 1.5), w]
        })
        .collect();
    let values: Vec<_> = (0..400).map(|_| [random.between(-1.0, 2.0); 4]).collect();
    let results = vec![
        VertexResult::Col0,
        VertexResult::Bfc0,
        VertexResult::Tex(0),
        VertexResult::Clp(0),
        VertexResult::Psiz,
    ];
    let modes = [PolygonMode::Fill, PolygonMode::Line, PolygonMode::Point];
    let size = [150, 90];
    for (number, primitive) in Primitive::ALL.into_iter().enumerate() {
        let mut input = input(primitive, &positions);
        for attribute in [1, 3, 7, 8] {
            input.attributes[attribute] = array(&values);
        }
        input.attributes[6] = AttributeSource::Current(single_bits([6.5; 4]));
        let state = RasterState {
            polygon_mode: [modes[number % 3], modes[(number / 3) % 3]],
            clip_distances: 1,
            two_side: true,
            line_width: 3.0,
            shade_model: if number % 2 == 0 { ShadeModel::Smooth } else { ShadeModel::Flat },
            offset: PolygonOffset { factor: 1.0, units: 1.0, fill: true, line: true, point: true },
            point: PointState { from_program: true, sprite: true, replace: 1, ..RasterState::DEFAULT.point },
            ..RasterState::DEFAULT
        };
        let draw = Draw { state, ..Draw::vertices(input) };
        let color = shader(|inputs| Shaded {
            color: [inputs[1][0], inputs[4][0], inputs[0][2], inputs[0][3]],
            ..Shaded::default()
        });
        let pass = Pass(results.clone());
        let first = draw_vertices(&draw, &pass, &color, size, 1);
        // Undivided patches are not drawn.
        assert_eq!(first.1.written > 0, primitive != Primitive::Patches, "{primitive:?}");
        for threads in [2, 5] {
            assert!(draw_vertices(&draw, &pass, &color, size, threads) == first, "{primitive:?}");
        }
        let recorder = Recorder::default();
        draw_vertices(&draw, &pass, &recorder, size, 1);
        let seen = recorder.seen.into_inner().unwrap();
        for pixel in [[75, 45], [10, 80], [149, 3], [64, 64], [33, 20]] {
            let bits = |quad: &QuadAttributes| quad.map(|a| a.map(|lane| lane.map(f32::to_bits)));
            let fed: Vec<_> = seen.iter().filter(|(p, _)| *p == pixel).map(|(_, quad)| bits(quad)).collect();
            let found = fragments_at(&draw, &pass, &ALL, DepthSource::Window, size, pixel);
            assert!(
                fed == found.iter().map(|f| bits(&f.quad)).collect::<Vec<_>>(),
                "{primitive:?} {pixel:?}"
            );
            for fragment in found {
                assert!((1..=3).contains(&fragment.elements.len()));
                assert!(fragment.elements.iter().all(|&element| element < 400));
            }
        }
    }
}
