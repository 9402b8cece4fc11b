//! Tests of points and point sprites.

use super::*;

fn draw_points(size: [u32; 2], points: &[[f32; 2]], point: PointState) -> Draw {
    let positions: Vec<_> = points.iter().map(|p| at(size, *p)).collect();
    let state = RasterState { point, ..RasterState::DEFAULT };
    Draw { state, ..Draw::vertices(input(Primitive::Points, &positions)) }
}

/// The pixels of one point in an 8 x 8 window.
fn pixels(place: [f32; 2], point: PointState) -> Vec<[u32; 2]> {
    let draw = draw_points([8, 8], &[place], point);
    let recorder = Recorder::default();
    draw_vertices(&draw, &Pass(Vec::new()), &recorder, [8, 8], 1);
    let mut pixels: Vec<_> =
        recorder.seen.into_inner().unwrap().into_iter().map(|(pixel, _)| pixel).collect();
    pixels.sort_unstable_by_key(|[x, y]| [*y, *x]);
    pixels
}

const POINT: PointState = RasterState::DEFAULT.point;

fn block(low: [u32; 2], side: u32) -> Vec<[u32; 2]> {
    (0..side * side).map(|i| [low[0] + i % side, low[1] + i / side]).collect()
}

#[test]
fn points_are_squares_as_figure_3_2_has_them() {
    let sized = |size| PointState { size, ..POINT };
    // Width 1: x and y are truncated.
    for place in [[3.0, 4.0], [3.5, 4.5], [3.999, 4.999]] {
        assert_eq!(pixels(place, POINT), [[3, 4]]);
    }
    // Odd widths are centred at floor(x) + 1/2, even widths at floor(x + 1/2).
    assert_eq!(pixels([3.0, 4.9], sized(3.0)), block([2, 3], 3));
    assert_eq!(pixels([3.49, 4.49], sized(2.0)), block([2, 3], 2));
    assert_eq!(pixels([3.5, 4.5], sized(2.0)), block([3, 4], 2));
    assert_eq!(pixels([3.5, 4.5], sized(4.0)), block([2, 3], 4));
    // Rounded to the nearest integer; 0 counts as 1.
    assert_eq!(pixels([3.5, 4.5], sized(2.6)), block([2, 3], 3));
    for size in [0.0, 0.4, 1.4, -3.0, f32::NAN] {
        assert_eq!(pixels([3.5, 4.5], sized(size)), [[3, 4]], "{size}");
    }
    // Cut off by the window. The window does not move the centre.
    assert_eq!(pixels([0.25, 0.25], sized(5.0)), block([0, 0], 3));
    assert_eq!(pixels([3.5, 3.5], sized(1e9)), block([0, 0], 8));
}

#[test]
fn smooth_points_are_discs_about_the_point() {
    for (place, size) in [([3.5, 3.5], 3.0), ([4.0, 4.0], 4.0), ([3.3, 4.6], 5.5), ([2.0, 2.0], 1.0)] {
        let smooth = PointState { size, smooth: true, ..POINT };
        let expected: Vec<_> = block([0, 0], 8)
            .into_iter()
            .filter(|pixel| {
                let [dx, dy] = [0, 1].map(|i| f64::from(pixel[i]) + 0.5 - f64::from(place[i]));
                let holds = [0, 1].iter().all(|&i| pixel[i] as f32 == f32::floor(place[i]));
                (dx * dx + dy * dy).sqrt() <= f64::from(size) / 2.0 || holds
            })
            .collect();
        assert_eq!(pixels(place, smooth), expected, "{place:?} {size}");
    }
    // (4,4) with radius 2: distances sqrt(0.5), sqrt(2.5) and sqrt(4.5), so the corners are missing.
    assert_eq!(pixels([4.0, 4.0], PointState { size: 4.0, smooth: true, ..POINT }).len(), 12);
}

#[test]
fn sprites_have_the_pixels_whose_centres_are_inside() {
    let sprite = |size| PointState { size, sprite: true, smooth: true, ..POINT };
    assert_eq!(pixels([3.5, 3.5], sprite(1.9)), [[3, 3]]);
    assert_eq!(pixels([3.5, 3.5], sprite(2.1)), block([2, 2], 3));
    // From 2.5 to 4.5 in both directions. The left and top borders belong to the sprite.
    assert_eq!(pixels([3.5, 3.5], sprite(2.0)), [[2, 3], [3, 3], [2, 4], [3, 4]]);
}

#[test]
fn sprite_coordinates_replace_those_of_their_sets() {
    let place = [3.3f32, 4.6];
    let size = 5.25;
    let point = PointState { size, sprite: true, replace: 0b101, ..POINT };
    let mut draw = draw_points([8, 8], &[place], point);
    let Geometry::Vertices(input) = &mut draw.geometry else { panic!("they are vertices") };
    input.attributes[8] = AttributeSource::Current(single_bits([5.0; 4]));
    input.attributes[9] = AttributeSource::Current(single_bits([6.0, 7.0, 8.0, 9.0]));
    let recorder = Recorder::default();
    let results = vec![VertexResult::Tex(0), VertexResult::Tex(1)];
    draw_vertices(&draw, &Pass(results.clone()), &recorder, [8, 8], 1);
    let seen = recorder.seen.into_inner().unwrap();
    assert_eq!(seen.len(), 5 * 5);
    let seen_set: std::collections::HashSet<_> = seen.iter().map(|(pixel, _)| *pixel).collect();
    assert_eq!(seen_set.len(), seen.len());
    for ([x, y], quad) in &seen {
        let lane = (x % 2 + y % 2 * 2) as usize;
        let s = 0.5 + (f64::from(*x) + 0.5 - f64::from(place[0])) / size as f64;
        let t = 0.5 - (f64::from(*y) + 0.5 - f64::from(place[1])) / size as f64;
        // The program does not write set 2, but the set is replaced nevertheless.
        for set in [4, 6] {
            let got = quad[set][lane];
            assert!((f64::from(got[0]) - s).abs() < 1e-6 && (f64::from(got[1]) - t).abs() < 1e-6, "{got:?}");
            assert_eq!(got[2..], [0.0, 1.0]);
        }
        assert_eq!(quad[5][lane], [6.0, 7.0, 8.0, 9.0]);
        assert_eq!(quad[7][lane], [0.0, 0.0, 0.0, 1.0]);
    }
    // Only for points.
    let corners = [[0.0, 0.0], [16.0, 0.0], [0.0, 16.0]].map(|p| at([8, 8], p));
    let mut triangle = super::input(Primitive::Triangles, &corners);
    triangle.attributes[8] = AttributeSource::Current(single_bits([5.0; 4]));
    let draw = Draw { state: draw.state, ..Draw::vertices(triangle) };
    let fragment = &fragments_at(&draw, &Pass(results), &ALL, DepthSource::Window, [8, 8], [2, 2])[0];
    assert_eq!(fragment.quad[4], [[5.0; 4]; 4]);
    assert_eq!(fragment.quad[6], [[0.0, 0.0, 0.0, 1.0]; 4]);
}

#[test]
fn the_program_gives_the_size_if_it_may_and_does() {
    let sizes = [3.0, 1e9, -1.0, f32::NAN];
    let written = |point: PointState, results: Vec<VertexResult>| -> Vec<u64> {
        let one = |size| {
            let mut draw = draw_points([16, 16], &[[8.5, 8.5]], point);
            let Geometry::Vertices(input) = &mut draw.geometry else { panic!("they are vertices") };
            input.attributes[6] = AttributeSource::Current(single_bits([size; 4]));
            draw_vertices(&draw, &Pass(results.clone()), &shader(|_| Shaded::default()), [16, 16], 1)
                .1
                .written
        };
        sizes.map(one).to_vec()
    };
    let state = PointState { size: 2.0, from_program: true, ..POINT };
    assert_eq!(written(state, vec![VertexResult::Psiz]), [9, 256, 1, 1]);
    assert_eq!(written(state, Vec::new()), [4; 4]);
    assert_eq!(written(PointState { from_program: false, ..state }, vec![VertexResult::Psiz]), [4; 4]);
}

#[test]
fn points_are_in_the_clip_volume_or_out() {
    let size = [8, 8];
    let inside = |position: [f32; 4]| {
        let state = RasterState { point: PointState { size: 3.0, ..POINT }, ..RasterState::DEFAULT };
        let draw = Draw { state, ..Draw::vertices(input(Primitive::Points, &[position])) };
        let (_, stats) = draw_vertices(&draw, &Pass(Vec::new()), &shader(|_| Shaded::default()), size, 1);
        assert_eq!(stats.primitives_culled + stats.primitives_invalid, u64::from(stats.written == 0));
        stats.written
    };
    assert_eq!(inside([0.0, 0.0, 1.0, 1.0]), 9);
    assert_eq!(inside([0.0, 0.0, -1.0, 1.0]), 9);
    // At the left border, centred at pixel 0: two of three columns are in the window.
    assert_eq!(inside([-1.0, 0.0, 0.0, 1.0]), 6);
    for out in [[-1.01, 0.0, 0.0, 1.0], [0.0, 1.01, 0.0, 1.0], [0.0, 0.0, 1.01, 1.0], [0.0, 0.0, 0.0, -1.0]] {
        assert_eq!(inside(out), 0, "{out:?}");
    }
    assert_eq!(inside([0.0; 4]), 0);
    assert_eq!(inside([0.0, 0.0, f32::NAN, 1.0]), 0);
}
