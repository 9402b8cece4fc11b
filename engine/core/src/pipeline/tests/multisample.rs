//! Multisampling: coverage, depth and stencil of each sample, resolving, multisample fragment operations, and
//! programs that use samples. Expected results are computed from the sample positions, which are repeated
//! here.

mod programs;

use super::*;
use programs::counted;

/// Sample positions in sixteenths of a pixel from the lower left corner, as Direct3D documents its patterns.
fn places(samples: Samples) -> &'static [[i64; 2]] {
    match samples {
        Samples::One => &[[8, 8]],
        Samples::Two => &[[12, 12], [4, 4]],
        Samples::Four => &[[6, 2], [14, 6], [2, 10], [10, 14]],
        Samples::Eight => &[[9, 5], [7, 11], [13, 9], [5, 3], [3, 13], [1, 7], [11, 15], [15, 1]],
        Samples::Sixteen => &[
            [9, 9],
            [7, 5],
            [5, 10],
            [12, 7],
            [3, 6],
            [10, 13],
            [13, 11],
            [11, 3],
            [6, 14],
            [8, 1],
            [4, 2],
            [2, 12],
            [0, 8],
            [15, 4],
            [14, 15],
            [1, 0],
        ],
    }
}

const SIZE: [u32; 2] = [37, 21];

/// All samples of a window of [`SIZE`]: pixel and sample number.
fn all(samples: Samples) -> impl Iterator<Item = ([u32; 2], usize)> {
    let pixels = (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| [x, y]));
    pixels.flat_map(move |pixel| (0..samples.count()).map(move |sample| (pixel, sample)))
}

/// The position of a sample in sixteenths of a pixel.
fn place(samples: Samples, pixel: [u32; 2], sample: usize) -> [i64; 2] {
    [0, 1].map(|axis| 16 * i64::from(pixel[axis]) + places(samples)[sample][axis])
}

fn target(samples: Samples) -> Framebuffer {
    Framebuffer::with_samples(SIZE[0], SIZE[1], samples, ColorFormat::Rgba32F, &[]).unwrap()
}

fn drawn<V: VertexShader, S: BlockShader>(
    draw: &Draw,
    vertex: &V,
    shader: &S,
    samples: Samples,
) -> (Framebuffer, Stats) {
    let mut buffer = target(samples);
    let stats = over(draw, vertex, shader, &mut buffer);
    (buffer, stats)
}

/// Draws with one thread and with three, and checks that the results agree.
fn over<V: VertexShader, S: BlockShader>(
    draw: &Draw,
    vertex: &V,
    shader: &S,
    buffer: &mut Framebuffer,
) -> Stats {
    let mut other = buffer.clone();
    let never = AtomicBool::new(false);
    let stats = render(draw, vertex, shader, buffer, &Threads::new(Some(1)), &never).unwrap();
    let others = render(draw, vertex, shader, &mut other, &Threads::new(Some(3)), &never).unwrap();
    assert!(*buffer == other && stats == others);
    stats
}

/// Checks that a framebuffer that does not keep samples shows the same window as `kept`. Returns whether it
/// dropped its samples.
fn window_shows<V: VertexShader, S: BlockShader>(
    draw: &Draw,
    vertex: &V,
    shader: &S,
    kept: &Framebuffer,
) -> bool {
    let format = kept.color.format();
    let mut window = Framebuffer::for_window(SIZE[0], SIZE[1], kept.samples(), format, &[]).unwrap();
    over(draw, vertex, shader, &mut window);
    assert!(window.color == kept.color && window.depth == kept.depth && window.status == kept.status);
    assert_eq!(window.stencil(), kept.stencil());
    let depths: Vec<usize> = (0..16).map(|sample| window.sample_depth(sample).len()).collect();
    let none = depths.iter().all(|&length| length == 0);
    assert_eq!(window.sample_color(0, 1, 0).is_none(), none);
    none
}

/// A draw of `primitive` without a depth test.
fn draw(primitive: Primitive, points: &[[f32; 2]]) -> Draw {
    let corners: Vec<[f32; 4]> = points.iter().map(|point| at(SIZE, *point)).collect();
    let mut draw = Draw::vertices(input(primitive, &corners));
    draw.state.depth = DepthState::OFF;
    draw
}

fn pass() -> Pass {
    Pass(vec![])
}

fn white() -> LaneShader<impl Fn(&Inputs) -> Shaded + Sync> {
    shader(|_| Shaded { color: [1.0; 4], ..Shaded::default() })
}

/// The mask of the samples of a pixel that were drawn.
fn mask(buffer: &Framebuffer, [x, y]: [u32; 2]) -> u16 {
    let index = buffer.index(x, y).unwrap();
    (0..buffer.samples().count())
        .filter(|&sample| buffer.sample_color(0, sample, index).unwrap()[0] != 0.0)
        .fold(0, |mask, sample| mask | 1 << sample)
}

const SEVERAL: [Samples; 4] = [Samples::Two, Samples::Four, Samples::Eight, Samples::Sixteen];

/// The part left of x = 2.5 in pixels (1, 3) and (2, 3). A single triangle, so that no pixel has two
/// fragments.
fn two_pixels() -> Draw {
    let mut draw = draw(Primitive::Triangles, &[[2.5, -100.0], [2.5, 100.0], [-200.0, 0.0]]);
    draw.state.scissor = Some([1, 3, 2, 1]);
    draw
}

/// The whole window.
fn everywhere() -> Draw {
    draw(Primitive::Triangles, &[[-50.0, -50.0], [200.0, -50.0], [-50.0, 200.0]])
}

#[test]
fn samples_left_of_an_edge_are_covered_by_hand() {
    // Up to x = 2.5 in column 2: samples with x below 8 sixteenths. With 16 samples, the sample at exactly 8
    // is not to the left.
    for (samples, expected) in [
        (Samples::Two, 0b10),
        (Samples::Four, 0b0101),
        (Samples::Eight, 0b0011_1010),
        (Samples::Sixteen, 0b1001_1101_0001_0110),
    ] {
        let (buffer, stats) = drawn(&two_pixels(), &pass(), &white(), samples);
        assert_eq!(mask(&buffer, [1, 3]), samples.all());
        assert_eq!(mask(&buffer, [2, 3]), expected, "{samples:?}");
        assert_eq!([mask(&buffer, [3, 3]), mask(&buffer, [2, 4]), mask(&buffer, [0, 3])], [0; 3]);
        assert_eq!((stats.fragments, stats.written), (2, 2));
        // Resolved: the fraction of covered samples.
        let share = expected.count_ones() as f32 / samples.count() as f32;
        let [x, y] = [2, 3];
        assert_eq!(buffer.color.at(buffer.index(x, y).unwrap()), [share; 4]);
        assert_eq!(buffer.status[buffer.index(x, y).unwrap()], PixelStatus::Written);
    }
}

/// Whether a counter-clockwise triangle contains a point, all in the same units. Left and top edges belong to
/// the triangle.
fn holds(corners: [[i64; 2]; 3], [x, y]: [i64; 2]) -> bool {
    (0..3).all(|i| {
        let ([ax, ay], [bx, by]) = (corners[i], corners[(i + 1) % 3]);
        let side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        let owns = by < ay || (by == ay && bx < ax);
        side > 0 || side == 0 && owns
    })
}

#[test]
fn triangles_cover_the_samples_that_the_fill_rule_says() {
    let mut random = Random(21);
    for samples in Samples::ALL {
        for round in 0..40 {
            // On a grid of sixteenths, so that samples are often on edges; small and large triangles.
            let span = if round % 2 == 0 { 5.0 } else { 60.0 };
            let [x, y] = [random.between(-5.0, 35.0), random.between(-5.0, 20.0)];
            let grid = |value: f32| (value * 16.0).round() as i64;
            let mut corners: [[i64; 2]; 3] = std::array::from_fn(|_| {
                [grid(x + random.between(0.0, span)), grid(y + random.between(0.0, span))]
            });
            let [a, b, c] = corners;
            let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
            if area == 0 {
                continue;
            }
            if area < 0 {
                corners.swap(1, 2);
            }
            let points = corners.map(|corner| corner.map(|place| place as f32 / 16.0));
            let (buffer, _) = drawn(&draw(Primitive::Triangles, &points), &pass(), &white(), samples);
            for (pixel, sample) in all(samples) {
                let covered = mask(&buffer, pixel) >> sample & 1 != 0;
                let expected = holds(corners, place(samples, pixel, sample));
                assert_eq!(covered, expected, "{samples:?} {corners:?} {pixel:?} {sample}");
            }
        }
    }
}

#[test]
fn triangles_side_by_side_leave_no_sample_out_and_none_twice() {
    let add = Blend {
        equation: BlendEquation::Add,
        rgb: [BlendFactor::One; 2],
        alpha: [BlendFactor::One; 2],
        color: [0.0; 4],
    };
    let mut random = Random(5);
    for samples in SEVERAL {
        // A fan around a point, with the whole window inside.
        let mut points = vec![[random.between(10.0, 25.0), random.between(5.0, 15.0)]];
        points.extend([
            [-9.0, -9.0],
            [15.3, -7.7],
            [60.0, -9.0],
            [50.0, 11.1],
            [60.0, 40.0],
            [-9.0, 40.0],
            [-9.0, -9.0],
        ]);
        let mut draw = draw(Primitive::TriangleFan, &points);
        draw.state.blend = Some(add);
        let quarter = shader(|_| Shaded { color: [0.25; 4], ..Shaded::default() });
        let (buffer, stats) = drawn(&draw, &pass(), &quarter, samples);
        for (pixel, sample) in all(samples) {
            let index = buffer.index(pixel[0], pixel[1]).unwrap();
            assert_eq!(buffer.sample_color(0, sample, index), Some([0.25; 4]), "{pixel:?} {sample}");
        }
        assert!(stats.fragments > u64::from(SIZE[0] * SIZE[1]), "pixels of seams have two fragments");
        assert!(buffer.color.floats().iter().all(|color| *color == [0.25; 4]));
    }
}

#[test]
fn each_sample_has_its_own_depth_and_the_nearer_surface() {
    // Depths are (x + 1) / 40 and 1 minus this. They are equal at x = 19.
    let slope = |right: f32, left: f32| {
        let corners = [[-1.0, -1.0, left], [39.0, -1.0, right], [39.0, 30.0, right], [-1.0, 30.0, left]];
        corners.map(|[x, y, z]| {
            let [x, y, ..] = at(SIZE, [x, y]);
            [x, y, 2.0 * z - 1.0, 1.0]
        })
    };
    let mut input = input(Primitive::Quads, [slope(1.0, 0.0), slope(0.0, 1.0)].as_flattened());
    let colors = [[1.0, 0.0, 0.0, 1.0]; 4].into_iter().chain([[0.0, 1.0, 0.0, 1.0]; 4]);
    input.attributes[3] = array(&colors.collect::<Vec<_>>());
    let color = shader(|inputs| Shaded { color: inputs[Attribute::Col0.index()], ..Shaded::default() });
    for samples in SEVERAL {
        let (buffer, _) =
            drawn(&Draw::vertices(input.clone()), &Pass(vec![VertexResult::Col0]), &color, samples);
        for (pixel, sample) in all(samples) {
            let index = buffer.index(pixel[0], pixel[1]).unwrap();
            let x = place(samples, pixel, sample)[0] as f32 / 16.0;
            let depth = (x + 1.0) / 40.0;
            let stored = buffer.sample_depth(sample)[index];
            assert!((stored - depth.min(1.0 - depth)).abs() < 1e-6, "{pixel:?} {sample} {stored}");
            if x == 19.0 {
                continue;
            }
            let red = if x < 19.0 { 1.0 } else { 0.0 };
            assert_eq!(buffer.sample_color(0, sample, index).unwrap()[..2], [red, 1.0 - red]);
        }
        // The window shows the depth of sample 0.
        assert_eq!(buffer.depth[..], *buffer.sample_depth(0));
    }
}

#[test]
fn each_sample_has_its_own_stencil() {
    let face = StencilFace { pass: StencilOp::Incr, ..StencilFace::DEFAULT };
    let mut rectangle = two_pixels();
    rectangle.state.stencil = Some(Stencil { front: face, back: face });
    let samples = Samples::Four;
    let mut buffer = target(samples);
    over(&rectangle, &pass(), &white(), &mut buffer);
    rectangle.clear = None;
    over(&rectangle, &pass(), &white(), &mut buffer);
    let values = |[x, y]: [u32; 2]| {
        [0, 1, 2, 3].map(|sample| buffer.sample_stencil(sample)[buffer.index(x, y).unwrap()])
    };
    assert_eq!(values([1, 3]), [2; 4]);
    // Samples 0 and 2 have x at 6 and 2 sixteenths.
    assert_eq!(values([2, 3]), [2, 0, 2, 0]);
    // Only samples with the value 2 pass.
    let only = StencilFace { func: CompareFunc::Equal, reference: 2, ..StencilFace::DEFAULT };
    let mut everywhere = everywhere();
    everywhere.state.stencil = Some(Stencil { front: only, back: only });
    everywhere.clear = None;
    let red = shader(|_| Shaded { color: [0.5, 0.0, 0.0, 1.0], ..Shaded::default() });
    let stats = over(&everywhere, &pass(), &red, &mut buffer);
    let reds: Vec<_> = all(samples)
        .filter(|&([x, y], sample)| {
            buffer.sample_color(0, sample, buffer.index(x, y).unwrap()).unwrap()[0] == 0.5
        })
        .collect();
    assert_eq!(reds.len(), 6);
    let pixels = u64::from(SIZE[0] * SIZE[1]);
    // Nothing comes between shading and the test, so the test runs early.
    assert_eq!((stats.written, stats.stencil_failed, stats.fragments), (2, pixels - 2, 2));
}

#[test]
fn points_cover_circles_and_sprites_squares() {
    let centre = [10.25, 8.875];
    for samples in SEVERAL {
        for (size, sprite) in [(1.0, false), (3.5, false), (3.5, true), (1.0, true)] {
            let mut draw = draw(Primitive::Points, &[centre]);
            (draw.state.point.size, draw.state.point.sprite) = (size, sprite);
            let (buffer, _) = drawn(&draw, &pass(), &white(), samples);
            for (pixel, sample) in all(samples) {
                let place = place(samples, pixel, sample).map(|place| place as f32 / 16.0);
                let [dx, dy] = [0, 1].map(|axis| place[axis] - centre[axis]);
                let half = size / 2.0;
                // The left and top borders of a square belong to it, as for polygons.
                let square = dx >= -half && dx < half && dy > -half && dy <= half;
                let round = dx * dx + dy * dy - half * half;
                let near = if sprite { dx.abs().max(dy.abs()) - half } else { round };
                if near.abs() < 1e-4 {
                    continue;
                }
                let expected = if sprite { square } else { round < 0.0 };
                assert_eq!(
                    mask(&buffer, pixel) >> sample & 1 != 0,
                    expected,
                    "{samples:?} {pixel:?} {sample}"
                );
            }
        }
    }
}

#[test]
fn lines_cover_rectangles() {
    let mut random = Random(3);
    for samples in SEVERAL {
        for round in 0..40 {
            let grid = |value: f32| (value * 64.0).round() / 64.0;
            let mut end = || [grid(random.between(-3.0, 40.0)), grid(random.between(-3.0, 24.0))];
            let (from, to) = (end(), end());
            let width = [1.0, 1.0, 2.5, 7.0][round % 4];
            let mut draw = draw(Primitive::Lines, &[from, to]);
            draw.state.line_width = width;
            let (buffer, _) = drawn(&draw, &pass(), &white(), samples);
            let along = [0, 1].map(|axis| f64::from(to[axis] - from[axis]));
            let length = along[0] * along[0] + along[1] * along[1];
            for (pixel, sample) in all(samples) {
                let place = place(samples, pixel, sample);
                let to_place = [0, 1].map(|axis| place[axis] as f64 / 16.0 - f64::from(from[axis]));
                let t = to_place[0] * along[0] + to_place[1] * along[1];
                let across = to_place[0] * along[1] - to_place[1] * along[0];
                let distance = across.abs() / length.sqrt() - f64::from(width) / 2.0;
                // The clip volume cuts lines at the window's border.
                let near = [0, 1].map(|axis| place[axis] as f64 / 16.0 / f64::from(SIZE[axis]));
                if distance.abs() < 1e-9 || near.iter().any(|place| !(0.25..0.75).contains(place)) {
                    continue;
                }
                let expected = (0.0..=length).contains(&t) && distance < 0.0;
                assert_eq!(
                    mask(&buffer, pixel) >> sample & 1 != 0,
                    expected,
                    "{from:?} {to:?} {pixel:?} {sample}"
                );
            }
        }
    }
}

#[test]
fn without_multisample_pixels_are_covered_as_a_whole() {
    let points = [[3.2, 2.1], [30.9, 6.3], [12.4, 19.7]];
    for (primitive, width) in
        [(Primitive::Triangles, 1.0), (Primitive::LineStrip, 3.0), (Primitive::Points, 1.0)]
    {
        let mut draw = draw(primitive, &points);
        (draw.state.line_width, draw.state.point.size) = (width, 5.0);
        draw.state.depth = DepthState::LESS;
        let (single, expected) = drawn(&draw, &pass(), &white(), Samples::One);
        draw.state.multisample.enabled = false;
        draw.state.multisample.mask = Some(0);
        draw.state.multisample.shading = Some(1.0);
        for samples in SEVERAL {
            let (buffer, stats) = drawn(&draw, &pass(), &white(), samples);
            assert_eq!(stats, expected);
            assert!(
                buffer.color == single.color
                    && buffer.depth == single.depth
                    && buffer.status == single.status
            );
            for (pixel, sample) in all(samples) {
                let index = buffer.index(pixel[0], pixel[1]).unwrap();
                assert_eq!(buffer.sample_color(0, sample, index), Some(single.color.at(index)));
                assert_eq!(buffer.sample_depth(sample)[index], single.depth[index]);
            }
        }
    }
}

#[test]
fn alpha_becomes_coverage() {
    for samples in SEVERAL {
        let count = samples.count();
        for eighths in 0..=8u32 {
            let alpha = eighths as f32 / 8.0;
            let shade = shader(move |_| Shaded { color: [1.0, 1.0, 1.0, alpha], ..Shaded::default() });
            // Both the viewport quad and a primitive.
            for mut draw in [Draw::viewport_quad(), everywhere()] {
                draw.state.multisample.alpha_to_coverage = true;
                let (buffer, stats) = drawn(&draw, &pass(), &shade, samples);
                // The number of samples is the nearest integer to the fraction, halves upwards.
                let covered = (alpha * count as f32 + 0.5).floor() as u32;
                for pixel in [[0, 0], [1, 0], [20, 13]] {
                    assert_eq!(mask(&buffer, pixel).count_ones(), covered, "{samples:?} {alpha}");
                }
                let pixels = u64::from(SIZE[0] * SIZE[1]);
                let expected = if covered == 0 { (0, pixels) } else { (pixels, 0) };
                assert_eq!((stats.written, stats.uncovered), expected);
                // If the state asks for it, alpha is replaced by 1 afterwards, before the alpha test.
                draw.state.multisample.alpha_to_one = true;
                draw.state.alpha_test = Some((CompareFunc::Equal, 1.0));
                let (buffer, _) = drawn(&draw, &pass(), &shade, samples);
                assert_eq!(mask(&buffer, [20, 13]).count_ones(), covered);
                let share = covered as f32 / count as f32;
                assert_eq!(buffer.color.at(buffer.index(20, 13).unwrap())[3], share);
            }
        }
    }
}

#[test]
fn sample_coverage_and_sample_mask_take_samples_away() {
    for samples in SEVERAL {
        let count = samples.count() as u32;
        for mut draw in [Draw::viewport_quad(), everywhere()] {
            draw.state.depth = DepthState { test: Some(CompareFunc::Always), ..DepthState::OFF };
            draw.state.multisample.coverage = Some(SampleCoverage { value: 0.5, invert: false });
            let half = mask(&drawn(&draw, &pass(), &white(), samples).0, [7, 7]);
            draw.state.multisample.coverage = Some(SampleCoverage { value: 0.5, invert: true });
            let rest = mask(&drawn(&draw, &pass(), &white(), samples).0, [7, 7]);
            assert_eq!((half.count_ones(), half | rest, half & rest), (count / 2, samples.all(), 0));
            draw.state.multisample.coverage = None;
            draw.state.multisample.mask = Some(0xFFFF_AAAA);
            let (buffer, _) = drawn(&draw, &pass(), &white(), samples);
            assert_eq!(mask(&buffer, [7, 7]), 0xAAAA & samples.all());
            // Neither depth nor colour of an uncovered sample changes.
            let index = buffer.index(7, 7).unwrap();
            assert_eq!((buffer.sample_depth(0)[index], buffer.sample_depth(1)[index]), (1.0, 0.5));
            draw.state.multisample.mask = Some(0);
            let (buffer, stats) = drawn(&draw, &pass(), &white(), samples);
            assert_eq!((mask(&buffer, [7, 7]), stats.written), (0, 0));
        }
    }
}

#[test]
fn pixels_told_fragment_by_fragment_come_to_what_the_picture_holds() {
    let mut random = Random(77);
    let texcoord = |inputs: &Inputs| inputs[Attribute::Tex(0).index()];
    let over_blend = Blend {
        equation: BlendEquation::Add,
        rgb: [BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha],
        alpha: [BlendFactor::One, BlendFactor::OneMinusSrcAlpha],
        color: [0.0; 4],
    };
    for round in 0..48 {
        let samples = SEVERAL[round % 4];
        let points: Vec<[f32; 2]> =
            (0..30).map(|_| [random.between(-9.0, 46.0), random.between(-9.0, 30.0)]).collect();
        let primitive =
            [Primitive::Triangles, Primitive::Triangles, Primitive::Lines, Primitive::Points][round / 4 % 4];
        let mut draw = draw(primitive, &points);
        let Geometry::Vertices(input) = &mut draw.geometry else { panic!("there are vertices") };
        input.attributes[8] =
            array(&points.iter().map(|_| [(); 4].map(|()| random.next())).collect::<Vec<_>>());
        let positions = points.iter().map(|point| {
            let [x, y, ..] = at(SIZE, *point);
            [x, y, random.between(-0.9, 0.9), 1.0]
        });
        input.attributes[0] = array(&positions.collect::<Vec<_>>());
        let state = &mut draw.state;
        (state.point.size, state.line_width) = (7.0, 4.0);
        state.depth = DepthState::LESS;
        state.blend = (round % 3 == 0).then_some(over_blend);
        state.alpha_test = (round % 5 == 0).then_some((CompareFunc::Greater, 0.2));
        let face =
            StencilFace { pass: StencilOp::Incr, depth_fail: StencilOp::Invert, ..StencilFace::DEFAULT };
        state.stencil = (round % 4 == 1).then_some(Stencil { front: face, back: face });
        state.multisample.samples = samples;
        state.multisample.alpha_to_coverage = round % 2 == 0;
        state.multisample.alpha_to_one = round % 7 == 0;
        state.multisample.mask = (round % 6 == 5).then_some(0x5555);
        state.multisample.shading = (round % 8 >= 4).then_some(1.0);
        state.multisample.enabled = round % 11 != 10;
        let program = counted(texcoord);
        let vertex = Pass(vec![VertexResult::Tex(0)]);
        let (buffer, _) = drawn(&draw, &vertex, &program, samples);
        assert!(window_shows(&draw, &vertex, &program, &buffer), "round {round}");
        let reads = FragmentReads { attributes: ALL, ..FragmentReads::NOTHING };
        let never = AtomicBool::new(false);
        for pixel in (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| [x, y])).step_by(7) {
            let mut history = PixelHistory::new(
                &draw.state,
                Merging::of(&program.facts()),
                Clear::DEFAULT,
                ColorFormat::Rgba32F,
            );
            each_fragment_at(&draw, &vertex, &reads, (SIZE, pixel), &never, |fragment| {
                let color = fragment.quad[Attribute::Tex(0).index()][fragment.lane];
                history.push(HistoryFragment::of(&fragment, color));
                Ok(())
            })
            .unwrap();
            let index = buffer.index(pixel[0], pixel[1]).unwrap();
            let bits = |color: [f32; 4]| color.map(f32::to_bits);
            let state = history.state();
            let colors: Vec<_> = history.samples().iter().map(|sample| bits(sample.color)).collect();
            let stored: Vec<_> = (0..samples.count())
                .map(|sample| bits(buffer.sample_color(0, sample, index).unwrap()))
                .collect();
            assert_eq!(colors, stored, "round {round}, {pixel:?}");
            assert_eq!(bits(state.color), bits(buffer.color.at(index)));
            assert_eq!((state.depth, state.stencil), (buffer.depth[index], buffer.stencil()[index]));
            let written = |status| status == PixelStatus::Written;
            assert_eq!(written(state.status), written(buffer.status[index]));
        }
    }
}

#[test]
fn samples_are_kept_for_as_long_as_somebody_needs_them() {
    let samples = Samples::Four;
    let mut draw = two_pixels();
    draw.state.multisample.samples = samples;
    let shade = shader(|_| Shaded { color: [1.0, 0.5, 0.0, 1.0], ..Shaded::default() });
    let (kept, _) = drawn(&draw, &pass(), &shade, samples);
    assert!(window_shows(&draw, &pass(), &shade, &kept));
    // Few instances are drawn in one pass over the tiles. The last of these is drawn over the samples of the
    // earlier ones.
    for (instances, in_one_pass) in [(2, true), (4096, true), (4097, false)] {
        let Geometry::Vertices(input) = &mut draw.geometry else { panic!("there are vertices") };
        input.instances = instances;
        let (kept, stats) = drawn(&draw, &pass(), &shade, samples);
        assert_eq!(stats.written, 2 * u64::from(instances));
        assert_eq!(window_shows(&draw, &pass(), &shade, &kept), in_one_pass);
        // Draws in primitive order hold their samples in memory between passes.
        let in_turns = LaneShader { memory_use: Use::Writes, ..shader(shade.run) };
        let (in_order, _) = drawn(&draw, &pass(), &in_turns, samples);
        assert!(in_order == kept && window_shows(&draw, &pass(), &in_turns, &kept));
    }
    // Without a clear, each sample starts with the window's colour: half coverage of pixel (2, 3).
    let mut window = Framebuffer::for_window(SIZE[0], SIZE[1], samples, ColorFormat::Rgba32F, &[]).unwrap();
    let mut once = two_pixels();
    over(&once, &pass(), &shade, &mut window);
    once.clear = None;
    over(&once, &pass(), &shade, &mut window);
    let index = window.index(2, 3).unwrap();
    let reds = [0, 1, 2, 3].map(|sample| window.sample_color(0, sample, index).unwrap()[0]);
    assert_eq!(reds, [1.0, 0.5, 1.0, 0.5]);
    assert_eq!(window.color.at(index)[0], 0.75);
}

#[test]
fn integers_resolve_to_sample_0_and_levels_to_their_mean() {
    let samples = Samples::Four;
    let formats = [ColorFormat::Rgba8, ColorFormat::Rgba8Ui];
    let mut buffer = Framebuffer::with_samples(SIZE[0], SIZE[1], samples, formats[0], &formats[1..]).unwrap();
    let mut rectangle = two_pixels();
    rectangle.state.draw_buffers = [Some(0), Some(0), None, None];
    let shade = shader(|_| Shaded { color: [1.0, 0.5, 0.0, 1.0], ..Shaded::default() });
    over(&rectangle, &pass(), &shade, &mut buffer);
    let index = buffer.index(2, 3).unwrap();
    // Samples 0 and 2: half of 255 is level 128, half of level 128 is 64.
    let levels = buffer.color.at(index).map(|value| (value * 255.0).round());
    assert_eq!(levels, [128.0, 64.0, 0.0, 128.0]);
    let integers = buffer.color_buffer(1).unwrap();
    let colors = [0, 1].map(|sample| buffer.sample_color(1, sample, index).unwrap());
    assert_eq!(
        (integers.at(index).map(f32::to_bits), colors[1].map(f32::to_bits)),
        (colors[0].map(f32::to_bits), [0; 4])
    );
    assert_eq!(colors[0].map(f32::to_bits), [255, 255, 0, 255]);
}

#[test]
fn framebuffers_have_limits() {
    let of = |side: u32, samples| Framebuffer::with_samples(side, side, samples, ColorFormat::Rgba8, &[]);
    let error = of(4096, Samples::Four).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "4096 x 4096: more than 13421772 pixels of 4 samples in total");
    let buffer = of(8, Samples::Sixteen).unwrap();
    assert_eq!(
        (buffer.samples(), buffer.sample_depth(15).len(), buffer.sample_depth(16).len()),
        (Samples::Sixteen, 64, 0)
    );
    assert_eq!(buffer.sample_color(0, 16, 0), None);
    assert_eq!((buffer.sample_color(1, 0, 0), buffer.sample_color(0, 0, 64)), (None, None));
}
