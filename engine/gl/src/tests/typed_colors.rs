//! Programs that write integers to integer framebuffers (NV_fragment_program4 3.11.X, EXT_texture_integer).

use std::sync::atomic::AtomicBool;

use super::super::{Canvas, Context, DrawBuffer, ErrorCode, Integers, enums};
use super::arb_draws::covering;
use shadestep_core::pipeline::{ArrayData, Clear, ColorFormat, Framebuffer, Primitive, Threads};
use shadestep_language::isa::Stage::Fragment;

const SIZE: [u32; 2] = [70, 3];

#[test]
fn output_colors_reach_buffers_of_their_type() {
    let mut context = Context::new();
    let text = b"!!NVfp4.0
OPTION ARB_draw_buffers;
MOV.U result.color[0], program.local[0];
SUB.S result.color[1], 0, program.local[1];
MOV.F result.color[2], program.local[2];
MOV.U result.color[3], program.local[0];
END";
    context.program_string(Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, text).expect("a program");
    context.enable(enums::FRAGMENT_PROGRAM_ARB).expect("enabled");
    context.program_local_parameter4(Fragment, 0, Integers([1u32, 0x7F80_0001, u32::MAX, 300])).expect("set");
    context.program_local_parameter4(Fragment, 1, Integers([1i32, -70000, 5, i32::MIN])).expect("set");
    context.program_local_parameter4(Fragment, 2, [0.5f32, 1.0, -1.0, 2.0]).expect("set");
    let buffers = [DrawBuffer::FrontLeft, DrawBuffer::Aux(0), DrawBuffer::Aux(1), DrawBuffer::Aux(2)];
    context.draw_buffers(&buffers).expect("set");
    // Neither feature affects integers; the floating-point buffer is blended.
    context.enable(enums::BLEND).expect("enabled");
    context.blend_func(enums::ONE, enums::ONE).expect("set");
    let formats = [ColorFormat::Rgba32Ui, ColorFormat::Rgba16I, ColorFormat::Rgba8, ColorFormat::Rgba8Ui];
    let signed = |values: [i32; 4]| values.map(|value| u64::from(value.cast_unsigned()));
    let expected = [
        [1, 0x7F80_0001, 0xFFFF_FFFF, 300],
        // -2^31 negated is -2^31.
        signed([-1, 32767, -5, -32768]),
        [128.0_f32 / 255.0, 1.0, 0.0, 1.0].map(|value| u64::from(value.to_bits())),
        [1, 255, 255, 255],
    ];
    for call in [covering(&mut context), context.prepare_viewport_quad().expect("prepared")] {
        let call = call.after_clear(Clear::DEFAULT);
        let mut target =
            Framebuffer::with_formats(SIZE[0], SIZE[1], formats[0], &formats[1..]).expect("small");
        call.render(&mut target, &Threads::new(Some(2)), &AtomicBool::new(false)).expect("not cancelled");
        for (number, expected) in expected.into_iter().enumerate() {
            let buffer = target.color_buffer(number).expect("four buffers");
            for index in 0..(SIZE[0] * SIZE[1]) as usize {
                assert_eq!(buffer.bits(index), expected, "{number}");
            }
        }
        assert_eq!(call.output_color_at((SIZE, formats[0]), [69, 2]), Some(expected[0]));
    }
}

#[test]
fn clear_colors_may_be_integers() {
    let mut context = Context::new();
    let bits = |context: &Context| context.clear_state().color.map(f32::to_bits);
    context.clear_color_i(Integers([-1i32, i32::MIN, 0, 7])).expect("set");
    assert_eq!(bits(&context), [u32::MAX, 0x8000_0000, 0, 7]);
    context.clear_color_i(Integers([u32::MAX, 1, 2, 3])).expect("set");
    assert_eq!(bits(&context), [u32::MAX, 1, 2, 3]);
    context.clear_color([0.5, 2.0, -1.0, 1.0]).expect("set");
    assert_eq!(context.clear_state().color, [0.5, 1.0, 0.0, 1.0]);
    super::refused_between(&mut context, |c| c.clear_color_i(Integers([1i32; 4])));
}

#[test]
fn the_fixed_stage_does_not_write_integers() {
    let (threads, cancel) = (Threads::new(Some(1)), AtomicBool::new(false));
    let draw = |context: &mut Context, formats: [ColorFormat; 2]| {
        let mut target = Framebuffer::with_formats(4, 4, formats[0], &formats[1..]).expect("small");
        let canvas = &mut Canvas { target: &mut target, threads: &threads, cancel: &cancel };
        let drawn = context.draw_arrays(Primitive::Triangles, 0, 3, canvas);
        (drawn.map(|drawn| drawn.expect("not cancelled").primitives), target)
    };
    let mut context = Context::new();
    let corners = ArrayData::Float([-1.0, -1.0, 3.0, -1.0, -1.0, 3.0].into());
    context.vertex_pointer(2, 0, corners).expect("set");
    context.enable_client_state(enums::VERTEX_ARRAY).expect("enabled");
    let integer_formats = ColorFormat::ALL.into_iter().filter(|format| format.is_integer());
    for integers in integer_formats {
        let (result, target) = draw(&mut context, [integers, ColorFormat::Rgba8]);
        let error = result.expect_err("the buffer holds integers");
        assert_eq!(error.code, ErrorCode::InvalidOperation, "{error}");
        assert_eq!(context.get_error(), Some(error));
        assert_eq!(target.color.bits(0), [0; 4], "nothing is drawn");
        // An integer buffer without output does not matter.
        assert_eq!(draw(&mut context, [ColorFormat::Rgba8, integers]).0, Ok(1));
        context.draw_buffer(DrawBuffer::Aux(0)).expect("set");
        assert_eq!(draw(&mut context, [integers, ColorFormat::Rgba8]).0, Ok(1));
        assert!(draw(&mut context, [ColorFormat::Rgba8, integers]).0.is_err());
        assert!(context.get_error().is_some());
        context.draw_buffer(DrawBuffer::FrontLeft).expect("set");
        // A program may write values of any type there.
        let text = b"!!NVfp4.0\nMOV.F result.color, { 1, 1, 1, 1 };\nEND";
        context.program_string(Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, text).expect("a program");
        context.enable(enums::FRAGMENT_PROGRAM_ARB).expect("enabled");
        assert_eq!(draw(&mut context, [integers, ColorFormat::Rgba8]).0, Ok(1));
        context.disable(enums::FRAGMENT_PROGRAM_ARB).expect("disabled");
    }
}
