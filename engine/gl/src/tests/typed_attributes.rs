//! Integer and 64-bit attributes (EXT_gpu_shader4 2.7 and 2.8, NV_vertex_attrib_integer_64bit).

use super::super::{Context, ErrorCode, Integers, Longs, enums};
use super::refuses;
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::pipeline::{ArrayConversion, ArrayData, Primitive};
use shadestep_language::ir::single_bits;

fn ints() -> ArrayData {
    ArrayData::Int(vec![-1, 2, i32::MIN, i32::MAX].into())
}

fn doubles() -> ArrayData {
    ArrayData::Double(vec![0.1, -1.0].into())
}

#[test]
fn integers_are_not_converted() {
    let mut context = Context::new();
    context.vertex_attrib(1, Integers([-1i32, 2])).expect("set");
    context.vertex_attrib(2, Integers([u32::MAX])).expect("set");
    context.vertex_attrib(3, Integers([-128i8, 127, 0, 1])).expect("set");
    context.vertex_attrib(4, Integers([-2i16, 2, 3, 4])).expect("set");
    context.vertex_attrib(5, Integers([255u8, 1, 2, 3])).expect("set");
    context.vertex_attrib(6, Integers([65535u16, 1, 2, 3])).expect("set");
    let current = |index| context.get_vertex_attrib_i(index).expect("a value");
    assert_eq!(current(1), [u32::MAX, 2, 0, 1]);
    assert_eq!(current(2), [u32::MAX, 0, 0, 1]);
    assert_eq!(current(3), [0xFFFF_FF80, 127, 0, 1]);
    assert_eq!(current(4), [0xFFFF_FFFE, 2, 3, 4]);
    assert_eq!(current(5), [255, 1, 2, 3]);
    assert_eq!(current(6), [65535, 1, 2, 3]);
    // Values that other commands set have the bits of floats.
    context.vertex_attrib(1, [-1.0f32, 2.0]).expect("set");
    assert_eq!(context.get_vertex_attrib_i(1), Ok([0xBF80_0000, 0x4000_0000, 0, 0x3F80_0000]));
}

#[test]
fn components_of_64_bits_are_kept() {
    let mut context = Context::new();
    context.vertex_attrib(1, Longs([0.1f64, -0.0, f64::INFINITY])).expect("set");
    context.vertex_attrib(2, Longs([-1i64, i64::MAX])).expect("set");
    context.vertex_attrib(3, Longs([u64::MAX, 1 << 32, 3, 4])).expect("set");
    let current = |index| context.get_vertex_attrib_l(index).expect("a value");
    assert_eq!(current(1)[..3], [0x3FB9_9999_9999_999A, 1 << 63, 0x7FF0_0000_0000_0000]);
    assert_eq!(current(2)[..2], [u64::MAX, 0x7FFF_FFFF_FFFF_FFFF]);
    assert_eq!(current(3), [u64::MAX, 1 << 32, 3, 4]);
}

#[test]
fn attribute_zero_has_no_current_integers() {
    let mut context = Context::new();
    refuses(&mut context, InvalidOperation, |c| c.get_vertex_attrib_i(0));
    refuses(&mut context, InvalidOperation, |c| c.get_vertex_attrib_l(0));
}

#[test]
fn index_too_great() {
    let mut context = Context::new();
    refuses(&mut context, InvalidValue, |c| c.vertex_attrib(16, Integers([1i32])));
    refuses(&mut context, InvalidValue, |c| c.vertex_attrib(16, Longs([1i64])));
    refuses(&mut context, InvalidValue, |c| c.get_vertex_attrib_i(16));
    refuses(&mut context, InvalidValue, |c| c.get_vertex_attrib_l(16));
    refuses(&mut context, InvalidValue, |c| c.vertex_attrib_i_pointer(16, 1, 0, ints()));
    refuses(&mut context, InvalidValue, |c| c.vertex_attrib_l_pointer(16, 1, 0, doubles()));
}

#[test]
fn pointer_size_or_stride_wrong() {
    let mut context = Context::new();
    for (size, stride) in [(0, 0), (5, 0), (-1, 0), (1, -4)] {
        refuses(&mut context, InvalidValue, |c| c.vertex_attrib_i_pointer(1, size, stride, ints()));
        refuses(&mut context, InvalidValue, |c| c.vertex_attrib_l_pointer(1, size, stride, doubles()));
    }
}

#[test]
fn pointer_of_another_type() {
    let mut context = Context::new();
    let wide = || ArrayData::Int64(vec![1; 4].into());
    refuses(&mut context, InvalidEnum, |c| c.vertex_attrib_i_pointer(1, 1, 0, doubles()));
    refuses(&mut context, InvalidEnum, |c| c.vertex_attrib_i_pointer(1, 1, 0, wide()));
    refuses(&mut context, InvalidEnum, |c| {
        c.vertex_attrib_i_pointer(1, 1, 0, ArrayData::Float(vec![1.0].into()))
    });
    refuses(&mut context, InvalidEnum, |c| c.vertex_attrib_l_pointer(1, 1, 0, ints()));
    // Only the commands with an L accept 64-bit integers.
    let plain = super::super::Normalization::Plain;
    refuses(&mut context, InvalidEnum, |c| c.vertex_attrib_pointer(1, 1, 0, wide()));
    refuses(&mut context, InvalidEnum, |c| c.vertex_attrib_pointer_arb(1, 1, plain, 0, wide()));
    refuses(&mut context, InvalidEnum, |c| c.vertex_pointer(2, 0, wide()));
}

/// Array elements and current values reach vertices bit for bit, whichever commands give the vertices.
#[test]
fn vertices_have_the_bits() {
    let mut context = super::loaded();
    context.bind_program(shadestep_language::isa::Stage::Vertex, 1).expect("bound");
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    let positions = ArrayData::Float(vec![0.0, 1.0, 2.0, 3.0].into());
    context.vertex_attrib_pointer(0, 2, 0, positions).expect("described");
    context.vertex_attrib_i_pointer(1, 2, 0, ints()).expect("described");
    context.vertex_attrib_l_pointer(2, 1, 0, doubles()).expect("described");
    context.vertex_attrib(3, Longs([u64::MAX; 4])).expect("set");
    for array in 0..3 {
        context.enable_vertex_attrib_array(array).expect("enabled");
    }
    let conversion = |context: &Context, index| {
        context.get_vertex_attrib_array(index).map(|array| array.conversion).expect("an array")
    };
    assert_eq!(conversion(&context, 0), ArrayConversion::Float);
    assert_eq!(conversion(&context, 1), ArrayConversion::Integer);
    assert_eq!(conversion(&context, 2), ArrayConversion::Long);
    let expected = [
        single_bits([2.0, 3.0, 0.0, 1.0]),
        [0x8000_0000, 0x7FFF_FFFF, 0, 1],
        [0xBFF0_0000_0000_0000, 0, 0, 0],
        [u64::MAX; 4],
    ];
    let call = context.prepare_arrays(Primitive::Points, 0, 2).expect("prepared");
    assert_eq!(call.vertex_attributes(1, 0).expect("a vertex")[..4], expected);
    context.begin(Primitive::Points).expect("begun");
    for element in [0, 1] {
        context.array_element(element).expect("a vertex");
    }
    let call = context.end().expect("ended");
    assert_eq!(call.vertex_attributes(1, 0).expect("a vertex")[..4], expected);
}
