//! Tests of lines: the diamond-exit rule, widths, attributes, clipping.

use super::*;

/// For each pixel, the number of fragments that these lines (in pixels) draw.
fn drawn(primitive: Primitive, size: [u32; 2], points: &[[f32; 2]], width: f32) -> Vec<u32> {
    let positions: Vec<_> = points.iter().map(|p| at(size, *p)).collect();
    drawn_clip(primitive, size, &positions, width)
}

fn drawn_clip(primitive: Primitive, size: [u32; 2], positions: &[[f32; 4]], width: f32) -> Vec<u32> {
    let state = RasterState { line_width: width, ..RasterState::DEFAULT };
    let draw = Draw { state, ..Draw::vertices(input(primitive, positions)) };
    let recorder = Recorder::default();
    let (_, stats) = draw_vertices(&draw, &Pass(Vec::new()), &recorder, size, 1);
    let mut counts = vec![0; (size[0] * size[1]) as usize];
    for ([x, y], _) in recorder.seen.into_inner().unwrap() {
        counts[(y * size[0] + x) as usize] += 1;
    }
    assert_eq!(u64::from(counts.iter().sum::<u32>()), stats.fragments);
    counts
}

/// The pixels of one line in an 8 x 8 window.
fn pixels(from: [f32; 2], to: [f32; 2], width: f32) -> Vec<[u32; 2]> {
    let counts = drawn(Primitive::Lines, [8, 8], &[from, to], width);
    assert!(counts.iter().all(|&count| count <= 1));
    (0..64).filter(|&i| counts[i as usize] != 0).map(|i| [i % 8, i / 8]).collect()
}

#[test]
fn lines_between_centres_are_bresenhams_without_the_last_pixel() {
    assert_eq!(pixels([1.5, 2.5], [4.5, 2.5], 1.0), [[1, 2], [2, 2], [3, 2]]);
    assert_eq!(pixels([4.5, 2.5], [1.5, 2.5], 1.0), [[2, 2], [3, 2], [4, 2]]);
    assert_eq!(pixels([2.5, 1.5], [2.5, 3.5], 1.0), [[2, 1], [2, 2]]);
    assert_eq!(pixels([2.5, 3.5], [2.5, 1.5], 1.0), [[2, 2], [2, 3]]);
    assert_eq!(pixels([1.5, 1.5], [4.5, 4.5], 1.0), [[1, 1], [2, 2], [3, 3]]);
    assert_eq!(pixels([1.5, 4.5], [4.5, 1.5], 1.0), [[3, 2], [2, 3], [1, 4]]);
    // Slope 1/3: y = 1.5, 1.83, 2.17, 2.5.
    assert_eq!(pixels([1.5, 1.5], [4.5, 2.5], 1.0), [[1, 1], [2, 1], [3, 2]]);
}

#[test]
fn a_line_has_the_diamonds_that_it_leaves() {
    // Starts right of a centre but inside the diamond (|u| + |v| = 0.25 < 0.5): drawn.
    assert_eq!(pixels([1.75, 1.5], [3.5, 1.5], 1.0), [[1, 1], [2, 1]]);
    // Starts right of the diamond of pixel 1 (0.375 + 0.25 > 0.5): only pixel 2.
    assert_eq!(pixels([1.875, 1.75], [3.5, 1.75], 1.0), [[2, 1]]);
    // Ends inside the diamond of pixel 3: not drawn. Ends beyond it: drawn.
    assert_eq!(pixels([1.5, 1.5], [3.75, 1.5], 1.0), [[1, 1], [2, 1]]);
    assert_eq!(pixels([1.5, 1.75], [3.875, 1.75], 1.0), [[1, 1], [2, 1], [3, 1]]);
    // Ends before the diamond of pixel 3, or in its nearer half: not drawn.
    assert_eq!(pixels([1.5, 1.75], [3.125, 1.75], 1.0), [[1, 1], [2, 1]]);
    assert_eq!(pixels([1.5, 1.5], [3.25, 1.5], 1.0), [[1, 1], [2, 1]]);
    // Inside one diamond, between diamonds, or without length: no pixel. Through one diamond: its pixel.
    assert!(pixels([1.25, 1.5], [1.75, 1.5], 1.0).is_empty());
    assert!(pixels([1.875, 1.875], [2.125, 1.875], 1.0).is_empty());
    assert!(pixels([1.5, 1.5], [1.5, 1.5], 1.0).is_empty());
    assert_eq!(pixels([2.0, 1.75], [3.0, 1.75], 1.0), [[2, 1]]);
}

#[test]
fn ends_and_lines_on_borders_are_moved_left_and_a_little_down() {
    // Along y = 2, moved down: row 1. With slope up or down through (2.5, 2), moved left: below or above.
    assert_eq!(pixels([1.5, 2.0], [3.5, 2.0], 1.0), [[1, 1], [2, 1]]);
    assert_eq!(pixels([1.5, 1.75], [3.5, 2.25], 1.0), [[1, 1], [2, 2]]);
    assert_eq!(pixels([1.5, 2.25], [3.5, 1.75], 1.0), [[2, 1], [1, 2]]);
    // Along x = 2, moved left: column 1 for every slope.
    assert_eq!(pixels([2.0, 1.5], [2.0, 3.5], 1.0), [[1, 1], [1, 2]]);
    assert_eq!(pixels([1.75, 1.5], [2.25, 3.5], 1.0), [[1, 1], [1, 2]]);
    assert_eq!(pixels([2.25, 1.5], [1.75, 3.5], 1.0), [[2, 1], [1, 2]]);
    // Ends on the right corner of a diamond are inside, ends on the left corner are not.
    assert_eq!(pixels([1.0, 1.5], [3.0, 1.5], 1.0), [[0, 1], [1, 1]]);
    assert_eq!(pixels([3.0, 1.5], [1.0, 1.5], 1.0), [[1, 1], [2, 1]]);
}

/// The diamond-exit rule as written, for ends in 1/1024 pixel. Follows the perturbed line in exact
/// arithmetic. e is 2^-20 of these units, too small to matter for lines of this length.
fn rule(from: [i128; 2], to: [i128; 2], pixel: [i128; 2]) -> bool {
    const E: i128 = 1 << 20;
    let fine = |p: [i128; 2]| [p[0] * E * E - E, p[1] * E * E - 1];
    let (a, b) = (fine(from), fine(to));
    let centre = pixel.map(|x| (x * 1024 + 512) * E * E);
    let half = 512 * E * E;
    let inside = |p: [i128; 2]| (p[0] - centre[0]).abs() + (p[1] - centre[1]).abs() < half;
    if inside(b) {
        return false;
    }
    if inside(a) {
        return true;
    }
    // If both ends are outside, the segment meets the open diamond unless the line through the segment or a
    // side of the diamond separates them.
    let d = [b[0] - a[0], b[1] - a[1]];
    let side = |p: [i128; 2]| d[0] * (p[1] - a[1]) - d[1] * (p[0] - a[0]);
    let corners =
        [[half, 0], [0, half], [-half, 0], [0, -half]].map(|c| [centre[0] + c[0], centre[1] + c[1]]);
    let sides = corners.map(side);
    let apart = |ends: [i128; 2]| ends.iter().all(|&x| x >= half) || ends.iter().all(|&x| x <= -half);
    let ends = [a, b].map(|p| [p[0] - centre[0], p[1] - centre[1]]);
    !(sides.iter().all(|&s| s >= 0)
        || sides.iter().all(|&s| s <= 0)
        || apart(ends.map(|[u, v]| u + v))
        || apart(ends.map(|[u, v]| u - v)))
}

#[test]
fn random_lines_cover_what_the_rule_says() {
    let mut random = Random(11);
    let mut total = 0;
    for round in 0..3000 {
        // On a grid of quarters, eighths or 1/1024, so that ends are often on the borders of diamonds.
        let grid = [4.0, 8.0, 1024.0][round % 3];
        let mut coordinate = || (random.between(-2.0, 18.0) * grid).round() / grid;
        let ends = [[coordinate(), coordinate()], [coordinate(), coordinate()]];
        // Lines are cut at the window. The rule applies unchanged only to lines inside the window.
        if ends.iter().flatten().any(|x| !(0.0..=16.0).contains(x)) {
            continue;
        }
        let counts = drawn(Primitive::Lines, [16, 16], &ends, 1.0);
        let [from, to] = ends.map(|p| p.map(|x| (x * 1024.0) as i128));
        for (i, &count) in counts.iter().enumerate() {
            let pixel = [i as i128 % 16, i as i128 / 16];
            assert_eq!(count == 1, rule(from, to, pixel), "{ends:?} {pixel:?}");
            total += count;
        }
    }
    assert!(total > 5000);
}

#[test]
fn connected_lines_share_no_pixel() {
    // Both lines are x-major and run left to right (3.4.1, rule 4).
    let mut random = Random(12);
    for _ in 0..200 {
        let mut points = vec![[0.0, random.between(4.0, 12.0)]];
        while points[points.len() - 1][0] < 15.0 {
            let [x, y] = points[points.len() - 1];
            let dx = random.between(0.1, 2.0);
            points.push([x + dx, (y + random.between(-dx, dx)).clamp(0.5, 15.5)]);
        }
        let counts = drawn(Primitive::LineStrip, [16, 16], &points, 1.0);
        assert!(counts.iter().all(|&count| count <= 1));
        for x in 1..14 {
            assert_eq!((0..16).map(|y| counts[y * 16 + x]).sum::<u32>(), 1, "{points:?} column {x}");
        }
    }
}

#[test]
fn wide_lines_are_replicated_across_their_direction() {
    // Width 3: lowered by 1, then three pixels high.
    assert_eq!(pixels([1.5, 3.5], [3.5, 3.5], 3.0), [[1, 2], [2, 2], [1, 3], [2, 3], [1, 4], [2, 4]]);
    // Width 2: lowered by half a pixel onto a border, then moved down into row 2.
    assert_eq!(pixels([1.5, 3.5], [3.5, 3.5], 2.0), [[1, 2], [2, 2], [1, 3], [2, 3]]);
    assert_eq!(pixels([3.5, 1.5], [3.5, 3.5], 3.0), [[2, 1], [3, 1], [4, 1], [2, 2], [3, 2], [4, 2]]);
    // Rounded to the nearest integer; 0 counts as 1.
    assert_eq!(pixels([1.5, 3.5], [3.5, 3.5], 2.6), pixels([1.5, 3.5], [3.5, 3.5], 3.0));
    for width in [0.3, 1.4, f32::NAN, -5.0] {
        assert_eq!(pixels([1.5, 3.5], [3.5, 3.5], width), [[1, 3], [2, 3]]);
    }
    // Partly below the window.
    assert_eq!(pixels([1.5, 0.5], [3.5, 0.5], 3.0), [[1, 0], [2, 0], [1, 1], [2, 1]]);
}

#[test]
fn long_lines_cover_one_pixel_a_column_in_every_tile() {
    for (to, width) in [([300.0, 199.0], 1), ([300.0, 0.0], 1), ([300.0, 131.5], 5)] {
        let points = [[0.0, if to[1] == 0.0 { 200.0 } else { 3.0 }], to];
        let counts = drawn(Primitive::Lines, [300, 200], &points, width as f32);
        for x in 1..299 {
            let column: u32 = (0..200).map(|y| counts[y * 300 + x]).sum();
            assert_eq!(column, width, "{to:?} {x}");
        }
        assert!(counts.iter().all(|&count| count <= 1));
    }
}

#[test]
fn attributes_of_lines_follow_equation_3_4() {
    let size = [64, 64];
    let mut random = Random(13);
    for width in [1.0, 4.0] {
        for _ in 0..50 {
            let ends = [0; 2].map(|_| [0; 2].map(|_| (random.between(4.0, 60.0) * 1024.0).round() / 1024.0));
            let w = [random.between(0.2, 4.0), random.between(0.2, 4.0)];
            let z = [random.between(-1.0, 1.0), random.between(-1.0, 1.0)];
            let clip: [[f32; 4]; 2] = std::array::from_fn(|i| {
                let [x, y, ..] = at(size, ends[i]);
                [x * w[i], y * w[i], z[i] * w[i], w[i]]
            });
            let values = [[random.between(0.1, 1.0); 4], [random.between(0.1, 1.0); 4]];
            let mut input = input(Primitive::Lines, &clip);
            input.attributes[8] = array(&values);
            let state = RasterState { line_width: width, ..RasterState::DEFAULT };
            let draw = Draw { state, ..Draw::vertices(input) };
            let recorder = Recorder::default();
            draw_vertices(&draw, &Pass(vec![VertexResult::Tex(0)]), &recorder, size, 1);
            let [a, b] = ends.map(|p| p.map(f64::from));
            let [w_a, w_b] = w.map(f64::from);
            let d = [b[0] - a[0], b[1] - a[1]];
            for ([x, y], quad) in recorder.seen.into_inner().unwrap() {
                let lane = (x % 2 + y % 2 * 2) as usize;
                let p = [f64::from(x) + 0.5 - a[0], f64::from(y) + 0.5 - a[1]];
                let t = (p[0] * d[0] + p[1] * d[1]) / (d[0] * d[0] + d[1] * d[1]);
                let near =
                    |got: f32, exact: f64| assert!((f64::from(got) - exact).abs() < 1e-6, "{got} {exact}");
                let denominator = (1.0 - t) / w_a + t / w_b;
                let [f_a, f_b] = values.map(|value| f64::from(value[0]));
                near(quad[4][lane][0], ((1.0 - t) * f_a / w_a + t * f_b / w_b) / denominator);
                near(quad[0][lane][3], denominator);
                let [z_a, z_b] = z.map(|z| f64::from(z) * 0.5 + 0.5);
                near(quad[0][lane][2], (1.0 - t) * z_a + t * z_b);
            }
        }
    }
}

#[test]
fn lines_are_clipped_to_the_view_volume() {
    let size = [8, 8];
    let row = |y: usize, counts: &[u32]| counts[y * 8..y * 8 + 8].to_vec();
    // Through the window and far beyond, at y = 3.5.
    let y = at(size, [0.0, 3.5])[1];
    let counts = drawn_clip(Primitive::Lines, size, &[[-9e9, y, 0.0, 1.0], [9e9, y, 0.0, 1.0]], 1.0);
    // The end at x = 8 is on the right corner of the last pixel's diamond.
    assert_eq!(row(3, &counts), [1, 1, 1, 1, 1, 1, 1, 0]);
    // From z = -2 at x = 0 to z = 2 at x = 8: z is -1 at x = 2 and 1 at x = 6.
    let counts = drawn_clip(Primitive::Lines, size, &[[-1.0, y, -2.0, 1.0], [1.0, y, 2.0, 1.0]], 1.0);
    assert_eq!(counts.iter().sum::<u32>(), 4);
    // Behind the eye, only the part with w > 0 is drawn. At t from the start, w = 1 - 2t and x = -0.5 + 0.5t.
    // x/w falls from -0.5 and reaches -1 at t = 1/3.
    let counts = drawn_clip(Primitive::Lines, size, &[[-0.5, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0]], 1.0);
    assert!(counts.iter().enumerate().all(|(i, &count)| count == 0 || i % 8 < 2));
    assert_eq!(counts.iter().sum::<u32>(), 2);
    // Wide lines that start inside the window may reach beyond the viewport.
    let state = RasterState { viewport: Some([2, 2, 4, 4]), line_width: 3.0, ..RasterState::DEFAULT };
    let draw = Draw {
        state,
        ..Draw::vertices(input(Primitive::Lines, &[[-1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0]]))
    };
    let (framebuffer, _) = draw_vertices(&draw, &Pass(Vec::new()), &shader(|_| Shaded::default()), size, 1);
    assert_eq!(framebuffer.status[6 * 8 + 3], PixelStatus::Written);
    // NaN and infinite ends are counted as invalid.
    for bad in [f32::NAN, f32::INFINITY] {
        let draw = Draw::vertices(input(Primitive::Lines, &[[bad, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]]));
        let (_, stats) = draw_vertices(&draw, &Pass(Vec::new()), &shader(|_| Shaded::default()), size, 1);
        assert_eq!((stats.primitives_invalid, stats.primitives_culled, stats.fragments), (1, 0, 0));
    }
}
