//! Current attributes and arrays.

use std::sync::Arc;

use super::super::{ArrayType, Context, ErrorCode, enums};
use super::refuses;
use shadestep_core::pipeline::{ArrayData, Elements, Primitive};
use shadestep_language::ir::singles;

fn attribute(context: &Context, index: u32) -> [f32; 4] {
    context.get_vertex_attrib(index).expect("an attribute with a current value")
}

#[test]
fn attributes_start_as_the_fixed_function_parameters_they_alias_to() {
    let context = Context::new();
    for index in 1..16 {
        let expected = match index {
            2 => [0.0, 0.0, 1.0, 1.0],
            3 => [1.0; 4],
            _ => [0.0, 0.0, 0.0, 1.0],
        };
        assert_eq!(attribute(&context, index), expected, "attribute {index}");
    }
}

#[test]
fn fixed_function_commands_set_the_attributes_of_table_x_2() {
    let mut context = Context::new();
    context.normal([1.0, 2.0, 3.0]).expect("set");
    context.color([0.1, 0.2, 0.3, 0.4]).expect("set");
    context.secondary_color([0.5, 0.6, 0.7]).expect("set");
    context.fog_coord(8.0).expect("set");
    context.multi_tex_coord(0, [1.0f32, 2.0]).expect("set");
    context.multi_tex_coord(7, [3.0f64, 4.0, 5.0, 6.0]).expect("set");
    assert_eq!(attribute(&context, 2), [1.0, 2.0, 3.0, 1.0]);
    assert_eq!(attribute(&context, 3), [0.1, 0.2, 0.3, 0.4]);
    assert_eq!(attribute(&context, 4), [0.5, 0.6, 0.7, 1.0]);
    assert_eq!(attribute(&context, 5), [8.0, 0.0, 0.0, 1.0]);
    assert_eq!(attribute(&context, 8), [1.0, 2.0, 0.0, 1.0]);
    assert_eq!(attribute(&context, 15), [3.0, 4.0, 5.0, 6.0]);
    refuses(&mut context, ErrorCode::InvalidEnum, |c| c.multi_tex_coord(8, [0.0f32]));
}

#[test]
fn missing_components_are_filled_and_only_bytes_are_converted() {
    let mut context = Context::new();
    context.vertex_attrib(1, [-3i16]).expect("1s");
    assert_eq!(attribute(&context, 1), [-3.0, 0.0, 0.0, 1.0]);
    context.vertex_attrib(1, [1.5f64, 2.5]).expect("2d");
    assert_eq!(attribute(&context, 1), [1.5, 2.5, 0.0, 1.0]);
    context.vertex_attrib(1, [1.0f32, 2.0, 3.0]).expect("3f");
    assert_eq!(attribute(&context, 1), [1.0, 2.0, 3.0, 1.0]);
    context.vertex_attrib(1, [i16::MAX, i16::MIN, 0, 7]).expect("4s");
    assert_eq!(attribute(&context, 1), [32767.0, -32768.0, 0.0, 7.0]);
    context.vertex_attrib(1, [255u8, 0, 51, 128]).expect("4ub");
    // c / (2^8 - 1), table 2.9: 51 gives 0.2.
    assert_eq!(attribute(&context, 1), [1.0, 0.0, 0.2, 128.0 / 255.0]);
}

#[test]
fn several_attributes_are_set_the_last_one_first() {
    let mut context = Context::new();
    context.begin(Primitive::Points).expect("begun");
    // Attribute 0 is set last, so the vertex has the new values of the others.
    context.vertex_attribs(0, &[[7.0f32, 8.0], [1.0, 2.0], [3.0, 4.0]]).expect("set");
    let call = context.end().expect("ended");
    assert_eq!(attribute(&context, 1), [1.0, 2.0, 0.0, 1.0]);
    let vertex = call.vertex_attributes(0, 0).expect("a vertex").map(singles);
    assert_eq!(vertex[..3], [[7.0, 8.0, 0.0, 1.0], [1.0, 2.0, 0.0, 1.0], [3.0, 4.0, 0.0, 1.0]]);
}

#[test]
fn attribute_zero_outside_begin_and_end_does_nothing() {
    let mut context = Context::new();
    let before = format!("{context:?}");
    context.vertex_attrib(0, [1.0f32, 2.0, 3.0, 4.0]).expect("no error");
    context.vertex([1.0f32, 2.0]).expect("no error");
    assert_eq!(format!("{context:?}"), before);
}

#[test]
fn array_state_starts_as_the_text_says_and_is_as_given() {
    let mut context = Context::new();
    for index in 0..16 {
        let array = context.get_vertex_attrib_array(index).expect("a number below 16");
        assert_eq!((array.enabled, array.size, array.stride), (false, 4, 0));
        assert_eq!((array.ty, &array.pointer), (ArrayType::Float, &None));
    }
    let data = ArrayData::Short(vec![1, 2, 3, 4].into());
    context.vertex_attrib_pointer(6, 2, 4, data.clone()).expect("described");
    context.enable_client_state(enums::VERTEX_ATTRIB_ARRAY0_NV + 6).expect("enabled");
    let array = context.get_vertex_attrib_array(6).expect("array 6");
    assert_eq!((array.enabled, array.size, array.stride, array.ty), (true, 2, 4, ArrayType::Short));
    assert_eq!(array.pointer, Some(data.clone().into()));
    context.disable_client_state(enums::VERTEX_ATTRIB_ARRAY0_NV + 6).expect("disabled");
    assert!(!context.get_vertex_attrib_array(6).expect("array 6").enabled);
    refuses(&mut context, ErrorCode::InvalidEnum, |c| {
        c.enable_client_state(enums::VERTEX_ATTRIB_ARRAY0_NV + 16)
    });
}

/// A context in vertex program mode. Attribute 0 is an array with two numbers per element.
fn with_positions() -> Context {
    let mut context = super::loaded();
    context.bind_program(enums::VERTEX_PROGRAM_NV, 1).expect("bound");
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    let data = ArrayData::Float(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0].into());
    context.vertex_attrib_pointer(0, 2, 0, data).expect("described");
    context.enable_client_state(enums::VERTEX_ATTRIB_ARRAY0_NV).expect("enabled");
    context
}

#[test]
fn elements_take_enabled_arrays_then_fixed_function_ones_then_current_values() {
    let mut context = with_positions();
    let colors = ArrayData::UnsignedByte(vec![255, 0, 0, 255, 0, 255, 0, 255, 51, 0, 0, 0].into());
    context.color_pointer(4, 0, colors).expect("described");
    context.enable_client_state(enums::COLOR_ARRAY).expect("enabled");
    context.vertex_attrib(6, [9.0f32, 8.0]).expect("set");
    let call = context.prepare_arrays(Primitive::Points, 0, 3).expect("prepared");
    let vertex = call.vertex_attributes(2, 0).expect("a vertex").map(singles);
    assert_eq!(vertex[0], [5.0, 6.0, 0.0, 1.0]);
    assert_eq!(vertex[3], [0.2, 0.0, 0.0, 0.0], "the fixed-function array stands in for array 3");
    assert_eq!(vertex[6], [9.0, 8.0, 0.0, 1.0]);
    let attribute = ArrayData::Double(vec![0.5; 3].into());
    context.vertex_attrib_pointer(3, 1, 0, attribute).expect("described");
    context.enable_client_state(enums::VERTEX_ATTRIB_ARRAY0_NV + 3).expect("enabled");
    let call = context.prepare_arrays(Primitive::Points, 0, 3).expect("prepared");
    assert_eq!(call.vertex_attributes(2, 0).expect("a vertex").map(singles)[3], [0.5, 0.0, 0.0, 1.0]);
    // Outside vertex program mode attribute arrays are ignored, so there are no positions.
    context.disable(enums::VERTEX_PROGRAM_NV).expect("disabled");
    let call = context.prepare_arrays(Primitive::Points, 0, 3).expect("prepared");
    let input = call.vertex_input().expect("vertices");
    assert_eq!(input.elements, Elements::Range { first: 0, count: 0 });
}

#[test]
fn drawing_arrays_has_the_errors_of_its_numbers() {
    let mut context = with_positions();
    refuses(&mut context, ErrorCode::InvalidEnum, |c| c.prepare_arrays(15u32, 0, 3));
    refuses(&mut context, ErrorCode::InvalidEnum, |c| c.prepare_elements(15u32, &[0u8][..]));
    refuses(&mut context, ErrorCode::InvalidValue, |c| c.prepare_arrays(Primitive::Points, 0, -1));
    refuses(&mut context, ErrorCode::InvalidValue, |c| c.prepare_arrays(Primitive::Points, -1, 3));
    context.enable_client_state(enums::VERTEX_ATTRIB_ARRAY0_NV + 9).expect("enabled");
    refuses(&mut context, ErrorCode::InvalidOperation, |c| c.prepare_arrays(Primitive::Points, 0, 3));
}

#[test]
fn primitives_restart_at_the_index_while_that_is_enabled() {
    let mut context = with_positions();
    context.primitive_restart_index(1).expect("set");
    let restart = |context: &mut Context| {
        let call = context.prepare_elements(Primitive::Points, &[0u16, 1, 2][..]).expect("prepared");
        let elements = call.vertex_input().expect("vertices").elements.clone();
        let arrays = context.prepare_arrays(Primitive::Points, 0, 3).expect("prepared");
        (elements, arrays.vertex_input().expect("vertices").elements.clone())
    };
    let indices: Arc<[u32]> = Arc::from([0, 1, 2]);
    let (elements, arrays) = restart(&mut context);
    assert_eq!(elements, Elements::Indices { indices: indices.clone(), restart: None });
    assert_eq!(arrays, Elements::Range { first: 0, count: 3 });
    context.enable_client_state(enums::PRIMITIVE_RESTART_NV).expect("enabled");
    let (elements, arrays) = restart(&mut context);
    let restarted = Elements::Indices { indices, restart: Some(1) };
    assert_eq!(elements, restarted);
    assert_eq!(arrays, restarted, "DrawArrays is made of ArrayElement too");
}
