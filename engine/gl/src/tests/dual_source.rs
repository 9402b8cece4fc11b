//! Dual-source blending (ARB_blend_func_extended): second colours of programs in the picture, and draws that
//! are not allowed. Expected values are computed by hand; all are exact in fp32.

use super::super::{Context, DrawBuffer, DrawCall, ErrorCode, FragmentStage, enums};
use super::arb_draws::{SIZE, covering, drawn_over};
use super::refuses;
use ErrorCode::InvalidOperation;
use shadestep_core::exec::{BlockShader, run_quad};
use shadestep_core::pipeline::{Clear, ColorFormat, HistoryFragment, PixelHistory, Primitive};
use shadestep_language::ir::{OutputRole, single_bits, singles};
use shadestep_language::isa::Stage;

/// The four blend factors of second colours.
const SECOND: [u32; 4] =
    [enums::SRC1_COLOR, enums::ONE_MINUS_SRC1_COLOR, enums::SRC1_ALPHA, enums::ONE_MINUS_SRC1_ALPHA];

/// Output of two colours, one for each input of the blender.
const BOTH: &str = "MOV result.color.primary, { 0.5, 0.25, 1, 0.75 };
    MOV result.color.secondary, { 0.25, 0.5, 0.75, 0.125 };";

/// The contents of the framebuffers before the draw.
const BEFORE: [f32; 4] = [0.75, 0.5, 0.25, 0.5];

/// A context that blends the output of a program with these factors.
fn blending(body: &str, source: u32, destination: u32) -> Context {
    let mut context = Context::new();
    let text = format!("!!NVfp5.0\nOPTION ARB_blend_func_extended;\n{body}\nEND");
    context.load_program(Stage::Fragment, 1, text.as_bytes()).expect("loads");
    context.bind_program(Stage::Fragment, 1).expect("bound");
    context.enable(enums::FRAGMENT_PROGRAM_ARB).expect("enabled");
    context.enable(enums::BLEND).expect("enabled");
    context.blend_func(source, destination).expect("set");
    context
}

/// The colour of a pixel of colour buffer 0 after the draw, according to the pixel's history, with the
/// results of the reference interpreter.
fn traced(call: &DrawCall, pixel: [u32; 2]) -> [f32; 4] {
    let clear = Clear { color: BEFORE, ..Clear::DEFAULT };
    let mut history = PixelHistory::new(&call.draw().state, call.merging(), clear, ColorFormat::Rgba32F);
    let FragmentStage::Program(stage) = call.fragment_stage() else { panic!("there is a program") };
    for fragment in call.fragments_at(SIZE, pixel) {
        let lanes = run_quad(stage.program(), stage.bindings(), &fragment.inputs(), |_, _| {});
        let output = |role| match stage.program().output(role) {
            Some(id) => singles(lanes[fragment.lane].outputs[usize::from(id.0)]),
            None => [0.0; 4],
        };
        history.push(HistoryFragment {
            color: output(OutputRole::Color(0)),
            other_colors: Default::default(),
            second_color: output(OutputRole::SecondaryColor(0)),
            depth: fragment.window_z,
            killed: false,
            facing: fragment.facing,
            samples: fragment.samples,
            sample_mask: u32::MAX,
        });
    }
    history.state().color
}

/// Draws a triangle and the rectangle that covers the window. Checks every pixel of the picture and of its
/// history against `expected`.
fn check(context: &mut Context, expected: impl Fn([u32; 2]) -> [f32; 4]) {
    let quad = context.prepare_viewport_quad().expect("prepared");
    for call in [covering(context), quad] {
        let target = drawn_over(&call, BEFORE);
        for pixel in (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| [x, y])) {
            let drawn = target.color.at(target.index(pixel[0], pixel[1]).expect("inside"));
            assert_eq!(drawn, expected(pixel), "{pixel:?}");
            assert_eq!(traced(&call, pixel), expected(pixel), "{pixel:?} in steps");
        }
    }
}

#[test]
fn second_colours_of_programs_weigh_both_inputs_of_blending() {
    let [color, rest, alpha, rest_of_alpha] = SECOND;
    for (source, destination, expected) in [
        (color, enums::ZERO, [0.125, 0.125, 0.75, 0.09375]),
        (enums::ZERO, color, [0.1875, 0.25, 0.1875, 0.0625]),
        // Coverage per component: 0.5 * 1/4 + 0.75 * 3/4 and so on.
        (color, rest, [0.6875, 0.375, 0.8125, 0.53125]),
        (alpha, rest_of_alpha, [0.71875, 0.46875, 0.34375, 0.53125]),
        (rest_of_alpha, alpha, [0.53125, 0.28125, 0.90625, 0.71875]),
        // Coloured glass.
        (enums::SRC_ALPHA, color, [0.5625, 0.4375, 0.9375, 0.625]),
    ] {
        let mut context = blending(BOTH, source, destination);
        check(&mut context, |_| expected);
    }
}

#[test]
fn every_pixel_has_its_own_second_colour() {
    // The second colour is (x/4, y/8, x/4, y/8) for integers x and y.
    let body = "TEMP p; FLR p, fragment.position;
        MOV result.color, 1;
        MUL result.color.secondary, p.xyxy, { 0.25, 0.125, 0.25, 0.125 };";
    let mut context = blending(body, enums::SRC1_COLOR, enums::ZERO);
    check(&mut context, |[x, y]| {
        let [x, y] = [x as f32 / 4.0, y as f32 / 8.0];
        [x, y, x, y]
    });
}

#[test]
fn a_second_colour_that_nobody_writes_is_zeros() {
    let [color, rest, alpha, rest_of_alpha] = SECOND;
    let first = "MOV result.color, { 0.5, 0.25, 1, 0.75 };";
    for (source, destination, expected) in [
        (color, rest, BEFORE),
        (alpha, rest_of_alpha, BEFORE),
        (rest, color, [0.5, 0.25, 1.0, 0.75]),
        (rest_of_alpha, alpha, [0.5, 0.25, 1.0, 0.75]),
    ] {
        let mut context = blending(first, source, destination);
        check(&mut context, |_| expected);
        // The same holds without a fragment program.
        context.disable(enums::FRAGMENT_PROGRAM_ARB).expect("disabled");
        context.color([0.5, 0.25, 1.0, 0.75]).expect("set");
        let target = drawn_over(&covering(&mut context), BEFORE);
        assert!(target.color.floats().iter().all(|pixel| *pixel == expected));
    }
    // The second colour of another output colour goes to no buffer.
    let body = "OPTION ARB_draw_buffers; MOV result.color[0].primary, 1; MOV result.color[1].secondary, 1;";
    let mut context = blending(body, enums::SRC1_COLOR, enums::ZERO);
    check(&mut context, |_| [0.0; 4]);
}

#[test]
fn the_draw_buffer_may_be_any() {
    let mut context = blending(BOTH, enums::SRC1_COLOR, enums::ONE_MINUS_SRC1_COLOR);
    context.draw_buffer(DrawBuffer::Aux(1)).expect("set");
    let quad = context.prepare_viewport_quad().expect("prepared");
    for call in [covering(&mut context), quad] {
        let target = drawn_over(&call, BEFORE);
        for number in 0..4 {
            let expected = if number == 2 { [0.6875, 0.375, 0.8125, 0.53125] } else { BEFORE };
            let buffer = target.color_buffer(number).expect("four buffers").floats();
            assert!(buffer.iter().all(|color| *color == expected), "buffer {number}");
        }
    }
}

#[test]
fn a_draw_tells_whether_its_program_writes_a_second_colour() {
    let mut context = blending(BOTH, enums::SRC1_COLOR, enums::ZERO);
    let call = covering(&mut context);
    assert!(call.merging().writes_secondary);
    let FragmentStage::Program(stage) = call.fragment_stage() else { panic!("there is a program") };
    assert!(stage.facts().writes_secondary);
    // The probe shows the first colour, as the program left it.
    let color = call.output_color_at((SIZE, ColorFormat::Rgba32F), [1, 1]);
    assert_eq!(color, Some(single_bits([0.5, 0.25, 1.0, 0.75])));
}

/// Asserts that every command that begins primitives is refused.
fn nothing_begins(context: &mut Context) {
    refuses(context, InvalidOperation, |c| c.begin(Primitive::Triangles));
    refuses(context, InvalidOperation, |c| c.prepare_arrays(Primitive::Triangles, 0, 3));
    refuses(context, InvalidOperation, |c| c.prepare_elements(Primitive::Triangles, &[0u16, 1, 2][..]));
    refuses(context, InvalidOperation, |c| c.prepare_rect([0.0; 2], [1.0; 2]));
    refuses(context, InvalidOperation, Context::prepare_viewport_quad);
}

/// Runs some of these commands and asserts success.
fn all_begin(context: &mut Context) {
    covering(context);
    context.prepare_rect([0.0; 2], [1.0; 2]).expect("prepared");
    context.prepare_arrays(Primitive::Triangles, 0, 3).expect("prepared");
    context.prepare_viewport_quad().expect("prepared");
}

#[test]
fn any_second_source_factor_and_a_draw_buffer_beyond_the_first() {
    use DrawBuffer::{Aux, FrontLeft, None};
    let more = [vec![FrontLeft, Aux(0)], vec![None, FrontLeft], vec![None, None, None, Aux(2)]];
    let single = [vec![FrontLeft], vec![Aux(0), None], vec![None; 4], vec![]];
    for factor in SECOND {
        for place in 0..4 {
            let mut context = Context::new();
            let mut factors = [enums::ONE; 4];
            factors[place] = factor;
            let [source, destination, source_alpha, destination_alpha] = factors;
            for buffers in &single {
                context.draw_buffers(buffers).expect("set");
                context
                    .blend_func_separate(source, destination, source_alpha, destination_alpha)
                    .expect("set");
                all_begin(&mut context);
            }
            for buffers in &more {
                context.draw_buffers(buffers).expect("set");
                nothing_begins(&mut context);
                // The check considers only the factors, not whether blending is enabled.
                context.enable(enums::BLEND).expect("enabled");
                nothing_begins(&mut context);
                context.blend_equation(enums::MIN).expect("set");
                nothing_begins(&mut context);
                context.disable(enums::BLEND).expect("disabled");
            }
            // RasterPos does not begin primitives.
            context.raster_pos([0.0f32, 0.0]).expect("set");
            context.blend_func(enums::SRC_ALPHA, enums::SRC_ALPHA_SATURATE).expect("set");
            all_begin(&mut context);
        }
    }
}
