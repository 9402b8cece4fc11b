//! Tests of the framebuffer, the viewport quad, depth, discards and threads.

use super::*;

fn tex0(inputs: &Inputs) -> [f32; 4] {
    inputs[Attribute::Tex(0).index()]
}

/// The fp32 number nearest to p/q, ties to even, in exact integer arithmetic.
fn nearest_quotient(p: u64, q: u64) -> f32 {
    // Finds the shift that gives a quotient of 24 bits, then rounds by the remainder.
    let mut shift = 0;
    while (p << shift) / q < 1 << 23 {
        shift += 1;
    }
    let (quotient, rest) = ((p << shift) / q, (p << shift) % q);
    let up = rest * 2 > q || (rest * 2 == q && quotient % 2 == 1);
    ((quotient + u64::from(up)) as f64 / (1u64 << shift) as f64) as f32
}

#[test]
fn viewport_quad_has_exact_attributes_at_any_size() {
    for size in [[1, 1], [2, 2], [7, 5], [33, 1], [1, 67], [64, 64], [65, 130], [200, 101]] {
        let [width, height] = size.map(u64::from);
        let recorder = Recorder::default();
        draw_with(&Shot::viewport_quad(), &recorder, size, 2);
        let seen = recorder.seen.into_inner().unwrap();
        assert_eq!(seen.len() as u64, width * height, "{size:?}");
        let mut pixels: Vec<_> = seen.iter().map(|(pixel, _)| *pixel).collect();
        pixels.sort_unstable();
        pixels.dedup();
        assert_eq!(pixels.len(), seen.len(), "every pixel once");
        for (pixel, quad) in &seen {
            let [x, y] = pixel.map(u64::from);
            let lane = (x % 2 + y % 2 * 2) as usize;
            let s = nearest_quotient(2 * x + 1, 2 * width);
            let t = nearest_quotient(2 * y + 1, 2 * height);
            let one_minus_s = nearest_quotient(2 * (width - x) - 1, 2 * width);
            let mut expected = [[0.0; 4]; Attribute::SLOTS];
            expected[4..12].fill([s, t, 0.0, 1.0]);
            expected[Attribute::Generic(0).index()..=Attribute::Generic(31).index()].fill([s, t, 0.0, 1.0]);
            expected[Attribute::SampleMask.index()] = [f32::from_bits(1), 0.0, 0.0, 0.0];
            expected[Attribute::Facing.index()] = [1.0, 0.0, 0.0, 1.0];
            expected[Attribute::FogCoord.index()] = [t, 0.0, 0.0, 1.0];
            expected[0] = [x as f32 + 0.5, y as f32 + 0.5, 0.5, 1.0];
            expected[1] = [s, t, one_minus_s, 1.0];
            expected[2] = [0.0, 0.0, 0.0, 1.0];
            expected[3] = [t, 0.0, 0.0, 0.0];
            assert_eq!(quad.map(|attribute| attribute[lane]), expected, "{size:?} {pixel:?}");
        }
    }
}

#[test]
fn viewport_quad_writes_every_pixel_and_only_killed_ones_stay_clear() {
    let clear = Shot { clear_color: [9.0; 4], ..Shot::viewport_quad() };
    for size in [[1, 1], [7, 5], [33, 64], [130, 67]] {
        let plain = shader(|inputs| Shaded { color: tex0(inputs), ..Shaded::default() });
        let (framebuffer, stats) = draw_with(&clear, &plain, size, 2);
        let killing = LaneShader {
            kills: true,
            ..shader(|inputs| Shaded {
                color: tex0(inputs),
                killed: ((inputs[0][0] + inputs[0][1]) as u32).is_multiple_of(3),
                ..Shaded::default()
            })
        };
        let (with_holes, hole_stats) = draw_with(&clear, &killing, size, 2);
        let mut killed = 0;
        for y in 0..size[1] {
            for x in 0..size[0] {
                let i = framebuffer.index(x, y).unwrap();
                let (s, t) = ((x as f32 + 0.5) / size[0] as f32, (y as f32 + 0.5) / size[1] as f32);
                assert_eq!(framebuffer.color.at(i), [s, t, 0.0, 1.0]);
                assert_eq!(framebuffer.status[i], PixelStatus::Written);
                assert_eq!(framebuffer.depth[i], 1.0);
                let kill = (x + y + 1).is_multiple_of(3);
                killed += u64::from(kill);
                let (color, status) = if kill {
                    ([9.0; 4], PixelStatus::Killed)
                } else {
                    ([s, t, 0.0, 1.0], PixelStatus::Written)
                };
                assert_eq!((with_holes.color.at(i), with_holes.status[i]), (color, status), "{x} {y}");
            }
        }
        let pixels = u64::from(size[0] * size[1]);
        assert_eq!((stats.fragments, stats.written, stats.killed), (pixels, pixels, 0));
        assert_eq!(
            (hole_stats.fragments, hole_stats.written, hole_stats.killed),
            (pixels, pixels - killed, killed)
        );
    }
}

/// The result of a viewport quad whose program outputs `depth`, over a cleared depth of 0.5.
fn replaced(depth: f32, state: DepthState) -> (PixelStatus, f32) {
    let draw = Shot { depth: state, clear_depth: 0.5, ..Shot::viewport_quad() };
    let program =
        LaneShader { depth: DepthSource::Program, ..shader(move |_| Shaded { depth, ..Shaded::default() }) };
    let (framebuffer, _) = draw_with(&draw, &program, [3, 3], 1);
    (framebuffer.status[4], framebuffer.depth[4])
}

#[test]
fn depth_functions_compare_incoming_with_stored() {
    // By the definitions of 4.1.6, for an incoming depth below, at and above the stored 0.5.
    let passes = [
        (CompareFunc::Never, [false, false, false]),
        (CompareFunc::Less, [true, false, false]),
        (CompareFunc::Equal, [false, true, false]),
        (CompareFunc::Lequal, [true, true, false]),
        (CompareFunc::Greater, [false, false, true]),
        (CompareFunc::Notequal, [true, false, true]),
        (CompareFunc::Gequal, [false, true, true]),
        (CompareFunc::Always, [true, true, true]),
    ];
    for (func, expected) in passes {
        for (depth, pass) in [0.25, 0.5, 0.75].into_iter().zip(expected) {
            for write in [true, false] {
                let state = DepthState { test: Some(func), write, ..DepthState::OFF };
                let result = if pass {
                    (PixelStatus::Written, if write { depth } else { 0.5 })
                } else {
                    (PixelStatus::DepthFailed, 0.5)
                };
                assert_eq!(replaced(depth, state), result, "{} {depth}", func.name());
                // The same for rasterised depth: the quad is in the middle of the range.
                let state = DepthState { range: [depth, depth], ..state };
                let draw = Shot { depth: state, clear_depth: 0.5, ..Shot::viewport_quad() };
                let (framebuffer, _) = draw_with(&draw, &shader(|_| Shaded::default()), [3, 3], 1);
                assert_eq!((framebuffer.status[4], framebuffer.depth[4]), result, "{} {depth}", func.name());
            }
        }
    }
}

#[test]
fn replaced_depth_outside_the_range_is_discarded_or_clamped() {
    let state =
        |clamp| DepthState { test: Some(CompareFunc::Always), range: [0.75, 0.25], clamp, ..DepthState::OFF };
    for (depth, clamped) in [(0.125, 0.25), (0.25, 0.25), (0.375, 0.375), (0.75, 0.75), (7.0, 0.75)] {
        assert_eq!(replaced(depth, state(true)), (PixelStatus::Written, clamped));
        let expected =
            if depth == clamped { (PixelStatus::Written, depth) } else { (PixelStatus::DepthDiscarded, 0.5) };
        assert_eq!(replaced(depth, state(false)), expected);
    }
    assert_eq!(replaced(f32::NEG_INFINITY, state(true)), (PixelStatus::Written, 0.25));
    assert_eq!(replaced(f32::NAN, state(true)), (PixelStatus::DepthDiscarded, 0.5));
    assert_eq!(replaced(f32::NAN, state(false)), (PixelStatus::DepthDiscarded, 0.5));
    // The discard does not depend on the depth test. Without the test, depth is not written.
    let off = DepthState { range: [0.25, 0.75], ..DepthState::OFF };
    assert_eq!(replaced(0.125, off), (PixelStatus::DepthDiscarded, 0.5));
    assert_eq!(replaced(0.375, off), (PixelStatus::Written, 0.5));
}

#[test]
fn bytes_are_the_nearest_level_top_row_first() {
    let mut framebuffer = Framebuffer::new(1, 2).unwrap();
    let colors = [[0.0, 0.5, 1.0, f32::NAN], [-1.0, 7.0, f32::INFINITY, f32::NEG_INFINITY]];
    framebuffer.color.fill_with(|n| colors[n]);
    assert_eq!(framebuffer.to_rgba8(), [0, 255, 255, 0, 0, 128, 255, 0]);
    for threads in [1, 2] {
        let mut bytes = [7; 8];
        framebuffer.write_opaque_rgba8(&mut bytes, &Threads::new(Some(threads)));
        assert_eq!(bytes, [0, 255, 255, 255, 0, 128, 255, 255]);
    }
    // The fp32 numbers around every threshold (2k+1)/510, compared exactly: x * 510 against 2k + 1.
    for k in 0..255u32 {
        let threshold = (2 * k + 1) as f32 / 510.0;
        for x in [threshold.next_down(), threshold, threshold.next_up()] {
            framebuffer.color.fill_with(|_| [x; 4]);
            let scaled = f64::from(x) * 510.0;
            let exact = f64::from(2 * k + 1);
            let up = scaled > exact || (scaled == exact && k % 2 == 1);
            assert_eq!(framebuffer.to_rgba8()[0], (k + u32::from(up)) as u8, "{x}");
        }
    }
}

#[test]
fn framebuffers_have_bounds() {
    for (width, height) in [(0, 1), (1, 0), (16385, 1), (1, 16385), (u32::MAX, u32::MAX)] {
        assert_eq!(Framebuffer::new(width, height).err(), Some(FramebufferError::Side { width, height }));
    }
    let (width, height) = (16384, 4097);
    assert_eq!(Framebuffer::new(width, height).err(), Some(FramebufferError::Pixels { width, height }));
    assert!(Framebuffer::new(16384, 1).is_ok() && Framebuffer::new(1, 16384).is_ok());
}

#[test]
fn a_cancelled_draw_says_so() {
    let cancel = AtomicBool::new(true);
    let mut framebuffer = Framebuffer::new(70, 70).unwrap();
    let threads = Threads::new(Some(2));
    for draw in [Shot::viewport_quad(), Shot::mesh(Arc::new(Mesh::cube()))] {
        let (vertex, program) = (StandIn::new(&draw.camera, [70, 70]), shader(|_| Shaded::default()));
        let result = render(&draw.draw(), &vertex, &program, &mut framebuffer, &threads, &cancel);
        assert_eq!(result, Err(Cancelled));
        assert!(framebuffer.status.iter().all(|&status| status == PixelStatus::Empty));
    }
}

#[test]
fn images_do_not_depend_on_the_number_of_threads() {
    let alpha = |inputs: &Inputs| Shaded {
        color: [inputs[5][0], inputs[5][1], inputs[6][2], inputs[0][3]],
        depth: inputs[0][2],
        killed: ((tex0(inputs)[0] * 40.0) as u32 + (tex0(inputs)[1] * 9.0) as u32).is_multiple_of(3),
    };
    let knot = Shot::mesh(Arc::new(Mesh::knot(200, 24)));
    let unordered =
        Shot { depth: DepthState { test: Some(CompareFunc::Always), ..DepthState::OFF }, ..knot.clone() };
    for draw in [knot, unordered, Shot::viewport_quad()] {
        for (kills, depth) in
            [(false, DepthSource::Window), (true, DepthSource::Window), (true, DepthSource::Program)]
        {
            let program = LaneShader { kills, depth, ..shader(alpha) };
            let first = draw_with(&draw, &program, [203, 149], 1);
            for threads in [2, 3, 7] {
                assert!(draw_with(&draw, &program, [203, 149], threads) == first, "{threads} threads");
            }
        }
    }
}

#[test]
fn dropping_fragments_early_changes_nothing() {
    // A program that replaces depth runs for every fragment, even if it keeps the value.
    let shade = |inputs: &Inputs| Shaded {
        color: inputs[6],
        depth: inputs[0][2],
        killed: ((inputs[6][0] * 40.0) as i32 + (inputs[6][1] * 9.0) as i32) % 3 == 0,
    };
    let mesh = Arc::new(Mesh::knot(200, 24));
    for func in CompareFunc::ALL {
        for (write, kills) in [(true, false), (false, false), (true, true), (false, true)] {
            let depth = DepthState { test: Some(func), write, ..DepthState::OFF };
            let draw = Shot { depth, clear_depth: 0.97, ..Shot::mesh(mesh.clone()) };
            let early = LaneShader { kills, ..shader(shade) };
            let late = LaneShader { kills, depth: DepthSource::Program, ..shader(shade) };
            let (early, early_stats) = draw_with(&draw, &early, [150, 100], 2);
            let (late, late_stats) = draw_with(&draw, &late, [150, 100], 2);
            assert!(early.color == late.color && early.depth == late.depth, "{}", func.name());
            let written = |framebuffer: &Framebuffer| {
                framebuffer.status.iter().map(|&s| s == PixelStatus::Written).collect::<Vec<_>>()
            };
            assert_eq!(written(&early), written(&late), "{}", func.name());
            assert_eq!(early_stats.written, late_stats.written);
            // Fragments that both the program and the test refuse may be counted for either.
            let refused = |stats: &Stats| stats.killed + stats.depth_failed;
            assert_eq!(refused(&early_stats), refused(&late_stats));
            if !kills {
                assert!(early.status == late.status, "{}", func.name());
                assert_eq!(early_stats.killed, 0);
            }
            let never_early = matches!(func, CompareFunc::Always | CompareFunc::Notequal);
            assert_eq!(early_stats.fragments < late_stats.fragments, !never_early, "{}", func.name());
            assert_eq!(never_early, early_stats.fragments == late_stats.fragments);
        }
    }
}

#[test]
fn fragments_that_the_depth_test_refuses_early_are_not_counted_as_discarded() {
    // A square at z = 0 on the left half of the window, over a depth that lets it pass, and a larger square
    // behind this depth: (10 / 9.5) (1 - 0.5 / d) is 0.526 for d = 1 and 0.632 for d = 1.25. The program
    // discards the left half of the first square and all of the second.
    let square = |right: f32, z: f32| [[-3.0, -3.0, z], [right, -3.0, z], [right, 3.0, z], [-3.0, 3.0, z]];
    let positions = [square(0.0, 0.0), square(3.0, -0.25)];
    let shade = |inputs: &Inputs| {
        let [x, _, z, _] = inputs[Attribute::Tex(2).index()];
        Shaded { killed: x < -0.5 || z < -0.125, ..Shaded::default() }
    };
    let program = LaneShader { kills: true, ..shader(shade) };
    for first in [0, 1] {
        let order = [positions[first], positions[1 - first]].concat();
        let draw = mesh_draw(order, vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]);
        let draw = Shot { clear_depth: 0.6, ..draw };
        let (framebuffer, stats) = draw_with(&draw, &program, [40, 40], 1);
        for (pixel, &status) in framebuffer.status.iter().enumerate() {
            let expected = match pixel % 40 {
                0..10 => PixelStatus::Killed,
                10..20 => PixelStatus::Written,
                _ => PixelStatus::DepthFailed,
            };
            assert_eq!(status, expected, "pixel {pixel}");
        }
        assert_eq!((stats.fragments, stats.killed, stats.written), (800, 400, 400));
        assert_eq!(stats.depth_failed, 1600);
    }
}

#[test]
fn later_triangles_are_drawn_over_earlier_ones() {
    // Ten copies of one square, without a depth test: the last copy must win in every pixel.
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for copy in 0..10 {
        let z = -0.0625 * copy as f32;
        positions.extend([[-3.0, -3.0, z], [3.0, -3.0, z], [3.0, 3.0, z], [-3.0, 3.0, z]]);
        triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t| t.map(|i| 4 * copy + i)));
    }
    let draw = counting(mesh_draw(positions, triangles));
    let depth = shader(|inputs| Shaded { color: inputs[Attribute::Tex(2).index()], ..Shaded::default() });
    let (framebuffer, stats) = draw_with(&draw, &depth, [75, 75], 2);
    assert!(framebuffer.color.floats().iter().all(|color| color[2] == -0.5625));
    assert_eq!(stats.written, 10 * 75 * 75);
    // With LESS and the nearest copy first, all later copies are rejected before shading.
    let (framebuffer, stats) = draw_with(&Shot { depth: DepthState::LESS, ..draw }, &depth, [75, 75], 2);
    assert!(framebuffer.color.floats().iter().all(|color| color[2] == 0.0));
    assert_eq!((stats.written, stats.depth_failed), (75 * 75, 9 * 75 * 75));
}

#[test]
fn drawing_order_holds_across_batches() {
    // More triangles over the window than fit in one batch, then two that cover it again.
    let steps = 190;
    let mut positions = Vec::new();
    for row in 0..=steps {
        for column in 0..=steps {
            positions.push([column, row].map(|i| i as f32 / 80.0 - 1.1875));
        }
    }
    let mut positions: Vec<_> = positions.into_iter().map(|[x, y]| [x, y, 0.0]).collect();
    let mut triangles = Vec::new();
    for row in 0..steps {
        for column in 0..steps {
            let a = row * (steps + 1) + column;
            triangles.extend([[a, a + 1, a + steps + 2], [a, a + steps + 2, a + steps + 1]]);
        }
    }
    let next = positions.len() as u32;
    positions.extend([[-3.0, -3.0, -0.5], [3.0, -3.0, -0.5], [3.0, 3.0, -0.5], [-3.0, 3.0, -0.5]]);
    triangles.extend([[0, 1, 2], [0, 2, 3]].map(|t| t.map(|i| next + i)));
    assert!(triangles.len() > 1 << 16);
    let last = triangles.len() as u32 - 2;
    let draw = counting(mesh_draw(positions, triangles));
    let z = shader(|inputs| Shaded { color: inputs[Attribute::Tex(2).index()], ..Shaded::default() });
    let size = [100, 101];
    for threads in [1, 2] {
        let (framebuffer, stats) = draw_with(&draw, &z, size, threads);
        assert!(framebuffer.color.floats().iter().all(|color| color[2] == -0.5));
        assert_eq!(stats.written, 2 * 100 * 101);
        let nearest = Shot { depth: DepthState::LESS, ..draw.clone() };
        let (framebuffer, stats) = draw_with(&nearest, &z, size, threads);
        assert!(framebuffer.color.floats().iter().all(|color| color[2] == 0.0));
        assert_eq!((stats.written, stats.depth_failed), (100 * 101, 100 * 101));
    }
    let fragments = fragments_of(&draw, &ALL, DepthSource::Window, size, [64, 35]);
    assert_eq!(fragments.len(), 2);
    assert!(fragments[0].primitive < last && fragments[1].primitive >= last);
}
