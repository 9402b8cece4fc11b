//! Tests of the alpha, stencil and depth tests: results, order, and statistics.

use super::*;

const COMPARISONS: [(CompareFunc, [bool; 3]); 8] = [
    (CompareFunc::Never, [false, false, false]),
    (CompareFunc::Less, [true, false, false]),
    (CompareFunc::Equal, [false, true, false]),
    (CompareFunc::Lequal, [true, true, false]),
    (CompareFunc::Greater, [false, false, true]),
    (CompareFunc::Notequal, [true, false, true]),
    (CompareFunc::Gequal, [false, true, true]),
    (CompareFunc::Always, [true, true, true]),
];

fn with_alpha(alpha: f32) -> Fragment<'static> {
    Fragment { color: [0.5, 0.5, 0.5, alpha], ..WHITE }
}

#[test]
fn alpha_test_compares_the_clamped_alpha_with_the_clamped_reference() {
    for (func, expected) in COMPARISONS {
        // Below, at and above the reference; then values that clamp to 0 or 1.
        for (reference, alphas) in [
            (0.5, [0.25, 0.5, 0.75]),
            (0.5, [f32::NAN, 0.5, f32::INFINITY]),
            (1.0, [0.75, 1.0, f32::NAN]),
            (1.5, [0.75, 3.0, f32::NAN]),
            (-2.0, [f32::NAN, -7.0, 0.25]),
            (f32::NAN, [f32::NAN, -0.0, 0.25]),
        ] {
            let state = RasterState { alpha_test: Some((func, reference)), ..RasterState::DEFAULT };
            for (place, (alpha, passes)) in alphas.into_iter().zip(expected).enumerate() {
                // No value is above 1 or below 0 after clamping.
                let none = (place == 2 && reference >= 1.0) || (place == 0 && reference.max(0.0) == 0.0);
                if none {
                    continue;
                }
                let (pixel, stats) = merged(&state, CLEAR, &[with_alpha(alpha)]);
                let status = if passes { PixelStatus::Written } else { PixelStatus::AlphaFailed };
                assert_eq!(pixel.status, status, "{func:?} {reference} {alpha}");
                assert_eq!((stats.written, stats.alpha_failed), (u64::from(passes), u64::from(!passes)));
                assert_eq!(pixel.color[0], if passes { 0.5 } else { 0.0 });
            }
        }
    }
}

#[test]
fn a_color_that_is_never_written_has_alpha_zero() {
    let state = RasterState { alpha_test: Some((CompareFunc::Greater, 0.0)), ..RasterState::DEFAULT };
    let (pixel, _) = merged_by(
        &Merge::new(&state, merging(DepthSource::Window, 0), ColorFormat::Rgba32F),
        CLEAR,
        &[WHITE],
    );
    assert_eq!(pixel.status, PixelStatus::AlphaFailed);
    let state = RasterState::DEFAULT;
    let before = Pixel { color: [0.5; 4], ..CLEAR };
    let (pixel, _) = merged_by(
        &Merge::new(&state, merging(DepthSource::Window, 0), ColorFormat::Rgba32F),
        before,
        &[WHITE],
    );
    assert_eq!((pixel.status, pixel.color), (PixelStatus::Written, [0.0; 4]));
}

fn stencil(face: StencilFace) -> RasterState {
    RasterState { stencil: Some(Stencil { front: face, back: face }), ..RasterState::DEFAULT }
}

#[test]
fn stencil_functions_compare_the_masked_reference_with_the_masked_value() {
    for (func, expected) in COMPARISONS {
        // The reference is below, at and above the stored value.
        for (stored, read_mask, references) in [
            (7, 0xFF, [3, 7, 9]),
            (200, 0xFF, [100, 200, 250]),
            (0xE7, 0x0F, [0xF3, 0xB7, 0x09]),
            (0x3F, 0xF0, [0x2F, 0x30, 0x40]),
        ] {
            for (reference, passes) in references.into_iter().zip(expected) {
                let face = StencilFace { func, reference, read_mask, ..StencilFace::DEFAULT };
                let (pixel, stats) = merged(&stencil(face), Pixel { stencil: stored, ..CLEAR }, &[WHITE]);
                let status = if passes { PixelStatus::Written } else { PixelStatus::StencilFailed };
                assert_eq!(pixel.status, status, "{func:?} {reference} {stored} {read_mask}");
                assert_eq!(pixel.stencil, stored);
                assert_eq!((stats.written, stats.stencil_failed), (u64::from(passes), u64::from(!passes)));
            }
        }
    }
}

/// The results of each operation for 0, 1, 0x7F, 0x80 and 255, with reference 0x35.
const OPERATIONS: [(StencilOp, [u8; 5]); 8] = [
    (StencilOp::Keep, [0, 1, 0x7F, 0x80, 255]),
    (StencilOp::Zero, [0, 0, 0, 0, 0]),
    (StencilOp::Replace, [0x35, 0x35, 0x35, 0x35, 0x35]),
    (StencilOp::Incr, [1, 2, 0x80, 0x81, 255]),
    (StencilOp::Decr, [0, 0, 0x7E, 0x7F, 254]),
    (StencilOp::Invert, [255, 0xFE, 0x80, 0x7F, 0]),
    (StencilOp::IncrWrap, [1, 2, 0x80, 0x81, 0]),
    (StencilOp::DecrWrap, [255, 0, 0x7E, 0x7F, 254]),
];

#[test]
fn stencil_operations_happen_where_the_tests_end() {
    let depth = |func| DepthState { test: Some(func), ..DepthState::OFF };
    for (op, results) in OPERATIONS {
        // Another operation for the other two outcomes.
        let other = if op == StencilOp::Zero { StencilOp::Invert } else { StencilOp::Zero };
        let base = StencilFace {
            reference: 0x35,
            fail: other,
            depth_fail: other,
            pass: other,
            ..StencilFace::DEFAULT
        };
        let never = StencilFace { func: CompareFunc::Never, fail: op, ..base };
        let cases = [
            (never, DepthState::OFF, PixelStatus::StencilFailed),
            (never, depth(CompareFunc::Never), PixelStatus::StencilFailed),
            (StencilFace { depth_fail: op, ..base }, depth(CompareFunc::Never), PixelStatus::DepthFailed),
            (StencilFace { pass: op, ..base }, depth(CompareFunc::Always), PixelStatus::Written),
            // Without a depth test, the depth test counts as passed (4.1.6).
            (StencilFace { pass: op, ..base }, DepthState::OFF, PixelStatus::Written),
        ];
        for (face, depth, status) in cases {
            for (stored, expected) in [0, 1, 0x7F, 0x80, 255].into_iter().zip(results) {
                for facing in [Facing::Front, Facing::Back] {
                    // The other face has distinguishable operations.
                    let wrong = StencilFace { func: CompareFunc::Never, fail: other, ..base };
                    let (front, back) = match facing {
                        Facing::Front => (face, wrong),
                        Facing::Back => (wrong, face),
                    };
                    let state =
                        RasterState { stencil: Some(Stencil { front, back }), depth, ..RasterState::DEFAULT };
                    let fragment = Fragment { facing, ..WHITE };
                    let (pixel, _) = merged(&state, Pixel { stencil: stored, ..CLEAR }, &[fragment]);
                    assert_eq!(
                        (pixel.stencil, pixel.status),
                        (expected, status),
                        "{op:?} {stored} {facing:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn only_the_stencil_bits_of_the_write_mask_change() {
    // Stored 0xA5, reference 0x3C. The operations use the whole value, then the mask selects bits.
    for (op, write_mask, expected) in [
        (StencilOp::Replace, 0x0F, 0xAC),
        (StencilOp::Replace, 0xF0, 0x35),
        (StencilOp::Zero, 0x81, 0x24),
        (StencilOp::Invert, 0x18, 0xBD),
        // The lowest two bits of 0xA6.
        (StencilOp::Incr, 0x03, 0xA6),
        // All but the lowest bit of 0xA4.
        (StencilOp::Decr, 0xFE, 0xA5),
        (StencilOp::Zero, 0x00, 0xA5),
    ] {
        let face = StencilFace { reference: 0x3C, write_mask, pass: op, ..StencilFace::DEFAULT };
        let (pixel, _) = merged(&stencil(face), Pixel { stencil: 0xA5, ..CLEAR }, &[WHITE]);
        assert_eq!(pixel.stencil, expected, "{op:?} {write_mask:x}");
    }
}

#[test]
fn what_is_refused_earlier_never_reaches_the_stencil_buffer() {
    let face = StencilFace {
        func: CompareFunc::Never,
        fail: StencilOp::Incr,
        depth_fail: StencilOp::Incr,
        pass: StencilOp::Incr,
        ..StencilFace::DEFAULT
    };
    let state = RasterState { alpha_test: Some((CompareFunc::Less, 0.5)), ..stencil(face) };
    let merge = Merge::new(&state, merging(DepthSource::Program, 1), ColorFormat::Rgba32F);
    let low = with_alpha(0.25);
    for (fragment, status, stencil) in [
        (Fragment { killed: true, ..low }, PixelStatus::Killed, 0),
        (Fragment { depth: 1.5, ..low }, PixelStatus::DepthDiscarded, 0),
        (Fragment { depth: f32::NAN, ..low }, PixelStatus::DepthDiscarded, 0),
        (with_alpha(0.75), PixelStatus::AlphaFailed, 0),
        (low, PixelStatus::StencilFailed, 1),
    ] {
        let (pixel, _) = merged_by(&merge, CLEAR, &[fragment]);
        assert_eq!((pixel.status, pixel.stencil, pixel.depth), (status, stencil, 1.0));
    }
}

#[test]
fn depth_is_written_only_where_all_tests_pass() {
    let less = DepthState::LESS;
    let always = StencilFace { pass: StencilOp::Replace, reference: 9, ..StencilFace::DEFAULT };
    let never = StencilFace { func: CompareFunc::Never, ..always };
    let masked = DepthState { write: false, ..less };
    let alpha = Some((CompareFunc::Greater, 0.5));
    for (face, alpha_test, depth, before, after, status) in [
        (always, None, less, 0.75, 0.5, PixelStatus::Written),
        (always, None, masked, 0.75, 0.75, PixelStatus::Written),
        (always, None, less, 0.25, 0.25, PixelStatus::DepthFailed),
        (never, None, less, 0.75, 0.75, PixelStatus::StencilFailed),
        (always, alpha, less, 0.75, 0.5, PixelStatus::Written),
        (always, alpha.map(|_| (CompareFunc::Never, 0.0)), less, 0.75, 0.75, PixelStatus::AlphaFailed),
    ] {
        let state = RasterState { alpha_test, depth, ..stencil(face) };
        let (pixel, _) = merged(&state, Pixel { depth: before, ..CLEAR }, &[WHITE]);
        assert_eq!((pixel.depth, pixel.status), (after, status));
        assert_eq!(pixel.stencil, if status == PixelStatus::Written { 9 } else { 0 });
    }
}

#[test]
fn fragments_of_one_block_on_one_pixel_are_merged_in_order() {
    // Each face passes if the stencil value equals its number, and increments the value.
    let face = |n: u8| StencilFace {
        func: CompareFunc::Equal,
        reference: n,
        pass: StencilOp::Incr,
        fail: StencilOp::Invert,
        ..StencilFace::DEFAULT
    };
    let front = Fragment { color: [0.25; 4], ..WHITE };
    let back = Fragment { color: [0.5; 4], facing: Facing::Back, ..WHITE };
    let state =
        RasterState { stencil: Some(Stencil { front: face(0), back: face(1) }), ..RasterState::DEFAULT };
    let (pixel, stats) = merged(&state, CLEAR, &[front, back]);
    assert_eq!((pixel.stencil, pixel.color), (2, [0.5; 4]));
    assert_eq!((stats.written, stats.stencil_failed), (2, 0));
    // In the other order the first fragment fails and leaves 255, so the second fails too.
    let (pixel, stats) = merged(&state, CLEAR, &[back, front]);
    assert_eq!((pixel.stencil, pixel.color, pixel.status), (0, [0.0; 4], PixelStatus::StencilFailed));
    assert_eq!((stats.written, stats.stencil_failed), (0, 2));
    // Blending reads the result of the previous fragment: 0, then 1/2, 3/4, 7/8 of the way to white.
    let blend = Blend {
        equation: BlendEquation::Add,
        rgb: [BlendFactor::ConstantAlpha, BlendFactor::OneMinusConstantAlpha],
        alpha: [BlendFactor::ConstantAlpha, BlendFactor::OneMinusConstantAlpha],
        color: [0.5; 4],
    };
    let state = RasterState { blend: Some(blend), ..RasterState::DEFAULT };
    let (pixel, stats) = merged(&state, CLEAR, &[WHITE; 3]);
    assert_eq!((pixel.color, stats.written), ([0.875; 4], 3));
}

#[test]
fn a_status_is_that_of_the_last_fragment_until_one_is_written() {
    let state = RasterState { alpha_test: Some((CompareFunc::Gequal, 0.5)), ..RasterState::DEFAULT };
    let killed = Fragment { killed: true, ..WHITE };
    let (pixel, stats) = merged(&state, CLEAR, &[with_alpha(0.0), killed, with_alpha(0.25)]);
    assert_eq!((pixel.status, stats.alpha_failed, stats.killed), (PixelStatus::AlphaFailed, 2, 1));
    let (pixel, _) = merged(&state, CLEAR, &[with_alpha(0.0), killed]);
    assert_eq!(pixel.status, PixelStatus::Killed);
    let (pixel, stats) = merged(&state, CLEAR, &[killed, WHITE, with_alpha(0.0)]);
    assert_eq!((pixel.status, pixel.color), (PixelStatus::Written, [1.0; 4]));
    assert_eq!((stats.alpha_failed, stats.killed, stats.written), (1, 1, 1));
}

#[test]
fn depths_are_refused_early_only_where_that_leaves_no_trace() {
    let early = |state: &RasterState, source| {
        let merge = Merge::new(state, merging(source, 1), ColorFormat::Rgba32F);
        match merge.early_tests() {
            EarlyTests::RejectOnly(func) => Some(func),
            EarlyTests::Nothing => None,
            early_tests => panic!("{early_tests:?} though the program may discard fragments"),
        }
    };
    let depth = RasterState { depth: DepthState::LESS, ..RasterState::DEFAULT };
    assert_eq!(early(&depth, DepthSource::Window), Some(CompareFunc::Less));
    assert_eq!(early(&depth, DepthSource::Program), None);
    assert_eq!(early(&RasterState::DEFAULT, DepthSource::Window), None);
    let notequal = DepthState { test: Some(CompareFunc::Notequal), ..DepthState::LESS };
    assert_eq!(early(&RasterState { depth: notequal, ..depth }, DepthSource::Window), None);
    // An alpha test only refuses more fragments.
    let alpha = RasterState { alpha_test: Some((CompareFunc::Less, 0.5)), ..depth };
    assert_eq!(early(&alpha, DepthSource::Window), Some(CompareFunc::Less));
    let base = StencilFace { func: CompareFunc::Equal, pass: StencilOp::Incr, ..StencilFace::DEFAULT };
    for (face, expected) in [
        (base, true),
        (StencilFace { depth_fail: StencilOp::Incr, ..base }, false),
        (StencilFace { fail: StencilOp::Zero, ..base }, false),
        (StencilFace { fail: StencilOp::Zero, write_mask: 0, ..base }, true),
        (StencilFace { func: CompareFunc::Always, fail: StencilOp::Zero, ..base }, true),
        (StencilFace { func: CompareFunc::Never, depth_fail: StencilOp::Zero, ..base }, true),
        (StencilFace { func: CompareFunc::Never, fail: StencilOp::Zero, ..base }, false),
    ] {
        for (front, back) in [(face, base), (base, face)] {
            let state = RasterState { stencil: Some(Stencil { front, back }), ..depth };
            assert_eq!(early(&state, DepthSource::Window).is_some(), expected, "{face:?}");
        }
    }
}

#[test]
fn tests_come_before_shading_where_nobody_can_tell() {
    let harmless = Merging { can_kill: false, ..merging(DepthSource::Window, 1) };
    let early_tests =
        |state: &RasterState, merging| Merge::new(state, merging, ColorFormat::Rgba32F).early_tests();
    let depth = RasterState { depth: DepthState::LESS, ..RasterState::DEFAULT };
    let both = RasterState { depth: DepthState::LESS, ..stencil(StencilFace::DEFAULT) };
    let func = CompareFunc::Less;
    assert_eq!(early_tests(&depth, harmless), EarlyTests::Depth { func, write: true });
    let keeps = DepthState { write: false, ..DepthState::LESS };
    assert_eq!(
        early_tests(&RasterState { depth: keeps, ..depth }, harmless),
        EarlyTests::Depth { func, write: false }
    );
    assert_eq!(early_tests(&both, harmless), EarlyTests::StencilAndDepth);
    assert_eq!(early_tests(&stencil(StencilFace::DEFAULT), harmless), EarlyTests::StencilAndDepth);
    assert_eq!(early_tests(&RasterState::DEFAULT, harmless), EarlyTests::Nothing);
    // The program may discard a fragment, whose depth must not be stored then.
    let kills = Merging { can_kill: true, ..harmless };
    assert_eq!(early_tests(&depth, kills), EarlyTests::RejectOnly(func));
    let alpha = RasterState { alpha_test: Some((CompareFunc::Less, 0.5)), ..depth };
    assert_eq!(early_tests(&alpha, harmless), EarlyTests::RejectOnly(func));
    let multisample =
        MultisampleState { samples: Samples::Four, alpha_to_coverage: true, ..MultisampleState::DEFAULT };
    assert_eq!(early_tests(&RasterState { multisample, ..depth }, harmless), EarlyTests::RejectOnly(func));
    let replaces = Merging { depth: DepthSource::Program, ..harmless };
    assert_eq!(early_tests(&depth, replaces), EarlyTests::Nothing);
    // A program that writes memory leaves a trace.
    let writes = Merging { memory_use: Use::Writes, ..harmless };
    assert_eq!(early_tests(&depth, writes), EarlyTests::Nothing);
    // Unless the program asks for early tests.
    let asks = Merging { tests: FragmentTests::Early, can_kill: true, ..writes };
    assert_eq!(early_tests(&depth, asks), EarlyTests::Depth { func, write: true });
    assert_eq!(early_tests(&both, asks), EarlyTests::StencilAndDepth);
}

#[test]
fn only_a_draw_that_just_stores_colors_is_plain() {
    let plain = |state: &RasterState| {
        Merge::new(state, merging(DepthSource::Window, 1), ColorFormat::Rgba32F).is_plain()
    };
    let default = RasterState::DEFAULT;
    assert!(plain(&default));
    assert!(!plain(&RasterState { depth: ALWAYS, ..default }));
    assert!(!plain(&RasterState { alpha_test: Some((CompareFunc::Always, 0.0)), ..default }));
    assert!(!plain(&stencil(StencilFace::DEFAULT)));
    assert!(!plain(&RasterState { logic_op: Some(LogicOp::Copy), ..default }));
    assert!(!plain(&RasterState { color_mask: [true, true, false, true], ..default }));
    assert!(!Merge::new(&default, merging(DepthSource::Program, 1), ColorFormat::Rgba32F).is_plain());
    assert!(!Merge::new(&default, merging(DepthSource::Window, 0), ColorFormat::Rgba32F).is_plain());
}

#[test]
fn tiles_have_the_stencil_plane_where_it_is_used() {
    for (width, height) in [(1, 1), (64, 64), (65, 3), (130, 67), (7, 129)] {
        let mut buffer = Framebuffer::new(width, height).unwrap();
        assert!(buffer.tiles(StencilPlane::Unused).iter().all(|tile| tile.samples[0].stencil.is_empty()));
        let number = |x: u32, y: u32| (x * 3 + y * 7) as u8;
        for tile in &mut buffer.tiles(StencilPlane::Used) {
            assert_eq!(tile.samples[0].stencil.len(), tile.size[1] as usize);
            for (y, row) in tile.samples[0].stencil.iter_mut().enumerate() {
                assert_eq!(row.len(), tile.size[0] as usize);
                for (x, value) in row.iter_mut().enumerate() {
                    *value = number(tile.origin[0] + x as u32, tile.origin[1] + y as u32);
                }
            }
        }
        let all = |buffer: &Framebuffer| {
            let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
            pixels.zip(buffer.stencil().iter()).all(|((x, y), &value)| value == number(x, y))
        };
        assert!(all(&buffer));
        // A round trip through quads.
        let before = buffer.clone();
        let mut quads = QuadTile::default();
        for tile in &mut buffer.tiles(StencilPlane::Used) {
            quads.load(tile);
            tile.samples[0].stencil.iter_mut().for_each(|row| row.fill(1));
            quads.store(tile);
        }
        assert!(all(&buffer) && buffer == before);
        buffer.clear_stencil(200);
        assert!(buffer.stencil().iter().all(|&value| value == 200));
        buffer.tiles(StencilPlane::Used)[0].samples[0].stencil[0][0] = 1;
        assert!(buffer != before);
        buffer.clear_stencil(200);
        assert_eq!(buffer.stencil()[0], 200);
    }
}
