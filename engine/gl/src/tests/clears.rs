//! ClearBuffer (glspec30 4.2.3).

use super::super::{Context, DrawBuffer, ErrorCode, Integers, Mask, enums};
use super::refuses;
use ErrorCode::{InvalidEnum, InvalidValue};
use Mask::{Keep, Write};
use shadestep_core::pipeline::{ColorFormat, Framebuffer};

const FORMATS: [ColorFormat; 4] =
    [ColorFormat::Rgba8, ColorFormat::Rgba16I, ColorFormat::Rgba32Ui, ColorFormat::Rgba16F];

fn target() -> Framebuffer {
    Framebuffer::with_formats(3, 2, FORMATS[0], &FORMATS[1..]).expect("small")
}

/// A context that draws output colour n to buffer n.
fn context() -> Context {
    let mut context = Context::new();
    let buffers = [DrawBuffer::FrontLeft, DrawBuffer::Aux(0), DrawBuffer::Aux(1), DrawBuffer::Aux(2)];
    context.draw_buffers(&buffers).expect("set");
    context
}

/// The bits of a colour buffer. All pixels must be equal.
fn everywhere(target: &Framebuffer, buffer: usize) -> [u64; 4] {
    let buffer = target.color_buffer(buffer).expect("four buffers");
    assert!((0..6).all(|index| buffer.bits(index) == buffer.bits(0)));
    buffer.bits(0)
}

#[test]
fn each_buffer_is_cleared_by_itself_to_values_of_its_type() {
    let (mut context, mut target) = (context(), target());
    let untouched = target.clone();
    context.clear_buffer(enums::COLOR, 1, Integers([-1i32, 40000, 3, -40000]), &mut target).expect("cleared");
    let signed = [-1i32, 32767, 3, -32768].map(|value| u64::from(value.cast_unsigned()));
    assert_eq!(everywhere(&target, 1), signed);
    for other in [0, 2, 3] {
        assert_eq!(everywhere(&target, other), [0; 4]);
    }
    let large = [u32::MAX, 0x7F80_0001, 1, 0];
    context.clear_buffer(enums::COLOR, 2, Integers(large), &mut target).expect("cleared");
    assert_eq!(everywhere(&target, 2), large.map(u64::from));
    context.clear_buffer(enums::COLOR, 0, [0.0f32, 2.0, 0.2, -1.0], &mut target).expect("cleared");
    let numbers = [0.0_f32, 1.0, 51.0 / 255.0, 0.0].map(|value| u64::from(value.to_bits()));
    assert_eq!(everywhere(&target, 0), numbers);
    context.clear_buffer(enums::COLOR, 3, [-2.0f32, 1e9, 0.0, 0.5], &mut target).expect("cleared");
    let numbers = [-2.0_f32, f32::INFINITY, 0.0, 0.5].map(|value| u64::from(value.to_bits()));
    assert_eq!(everywhere(&target, 3), numbers);
    assert_eq!((&target.depth, target.stencil()), (&untouched.depth, untouched.stencil()));
}

#[test]
fn masks_and_the_scissor_test_apply() {
    let (mut context, mut target) = (context(), target());
    context.color_mask([Write, Keep, Write, Keep]).expect("set");
    context.enable(enums::SCISSOR_TEST).expect("enabled");
    context.scissor([1, 0, 5, 1]).expect("set");
    context.clear_buffer(enums::COLOR, 2, Integers([5u32; 4]), &mut target).expect("cleared");
    let buffer = target.color_buffer(2).expect("it is there");
    let cleared: Vec<_> = (0..6).map(|index| buffer.bits(index)).collect();
    let (old, new) = ([0; 4], [5, 0, 5, 0]);
    assert_eq!(cleared, [old, new, new, old, old, old]);
    context.clear_buffer(enums::DEPTH, 0, [0.25f32; 4], &mut target).expect("cleared");
    assert_eq!(target.depth[..], [1.0, 0.25, 0.25, 1.0, 1.0, 1.0]);
    context.stencil_mask(0x0F).expect("set");
    context.clear_buffer(enums::STENCIL, 0, Integers([0xFFi32; 4]), &mut target).expect("cleared");
    assert_eq!(target.stencil()[..], [0, 15, 15, 0, 0, 0]);
    context.depth_mask(Keep).expect("set");
    context.disable(enums::SCISSOR_TEST).expect("disabled");
    context.clear_buffer_fi(enums::DEPTH_STENCIL, 0, (0.5, 0x123), &mut target).expect("cleared");
    assert_eq!(target.depth[..], [1.0, 0.25, 0.25, 1.0, 1.0, 1.0]);
    assert_eq!(target.stencil()[..], [3; 6]);
    context.depth_mask(Write).expect("set");
    context.clear_buffer_fi(enums::DEPTH_STENCIL, 0, (7.0, 0), &mut target).expect("cleared");
    assert_eq!((&target.depth[..], &target.stencil()[..]), (&[1.0; 6][..], &[0; 6][..]));
}

#[test]
fn what_goes_nowhere_is_not_cleared() {
    let (mut context, mut target) = (context(), target());
    context.draw_buffers(&[DrawBuffer::None, DrawBuffer::FrontLeft]).expect("set");
    let before = target.clone();
    context.clear_buffer(enums::COLOR, 0, [1.0f32; 4], &mut target).expect("nothing to do");
    assert!(target == before);
    context.clear_buffer(enums::COLOR, 1, [1.0f32; 4], &mut target).expect("cleared");
    assert_eq!(everywhere(&target, 0), [u64::from(1.0_f32.to_bits()); 4]);
    // A framebuffer without the buffer ignores the clear.
    let mut small = Framebuffer::new(1, 1).expect("small");
    context.draw_buffers(&[DrawBuffer::Aux(1)]).expect("set");
    context.clear_buffer(enums::COLOR, 0, [1.0f32; 4], &mut small).expect("nothing to do");
    assert_eq!(small.color.at(0), [0.0; 4]);
}

#[test]
fn errors() {
    let mut context = context();
    let ints = Integers([1i32; 4]);
    for number in [-1, 4, i32::MAX] {
        refuses(&mut context, InvalidValue, |c| c.clear_buffer(enums::COLOR, number, ints, &mut target()));
    }
    for number in [-1, 1] {
        refuses(&mut context, InvalidValue, |c| {
            c.clear_buffer(enums::DEPTH, number, [1.0f32; 4], &mut target())
        });
        refuses(&mut context, InvalidValue, |c| c.clear_buffer(enums::STENCIL, number, ints, &mut target()));
        refuses(&mut context, InvalidValue, |c| {
            c.clear_buffer_fi(enums::DEPTH_STENCIL, number, (1.0, 0), &mut target())
        });
    }
    refuses(&mut context, InvalidEnum, |c| c.clear_buffer(enums::DEPTH_STENCIL, 0, ints, &mut target()));
    refuses(&mut context, InvalidEnum, |c| c.clear_buffer_fi(enums::DEPTH, 0, (1.0, 0), &mut target()));
    super::refused_between(&mut Context::new(), |c| c.clear_buffer(enums::COLOR, 0, ints, &mut target()));
}
