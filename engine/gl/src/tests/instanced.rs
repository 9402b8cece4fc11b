//! Instanced draws (EXT_draw_instanced), and arrays that advance per instance (VertexAttribDivisor, glspec40
//! 2.8).

use std::sync::atomic::AtomicBool;

use super::super::{Canvas, Context, ErrorCode, enums};
use super::refuses;
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::pipeline::{ArrayData, Framebuffer, Primitive, Threads};
use shadestep_language::ir::{Attribute, singles};
use shadestep_language::isa::Stage::Vertex;

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];
const BLACK: [f32; 4] = [0.0; 4];

fn floats(values: &[f32]) -> ArrayData {
    ArrayData::Float(values.into())
}

/// Attribute 1 gives each instance a point on its own pixel of a row of four. Attribute 2, the colour,
/// advances every two instances.
fn context() -> Context {
    let mut context = Context::new();
    let text = b"!!ARBvp1.0\nMOV result.position, vertex.attrib[1]; MOV result.color, vertex.attrib[2];\nEND";
    context.program_string(Vertex, enums::PROGRAM_FORMAT_ASCII_ARB, text).expect("a program");
    context.enable(enums::VERTEX_PROGRAM_ARB).expect("enabled");
    context.vertex_attrib_pointer(0, 1, 0, floats(&[0.0, 0.0])).expect("described");
    context.vertex_attrib_divisor(2, 2).expect("set");
    context.vertex_attrib_pointer(1, 1, 0, floats(&[-0.75, -0.25, 0.25, 0.75])).expect("described");
    // A pointer command keeps the divisor.
    let colors = [RED, GREEN].concat();
    context.vertex_attrib_pointer(2, 4, 0, floats(&colors)).expect("described");
    context.vertex_attrib_divisor(1, 1).expect("set");
    for array in 0..3 {
        context.enable_vertex_attrib_array(array).expect("enabled");
    }
    context
}

fn row(draw: impl FnOnce(&mut Canvas<'_>)) -> [[f32; 4]; 4] {
    let mut target = Framebuffer::new(4, 1).expect("small");
    let (threads, cancel) = (Threads::new(Some(1)), AtomicBool::new(false));
    draw(&mut Canvas { target: &mut target, threads: &threads, cancel: &cancel });
    [0, 1, 2, 3].map(|x| target.color.at(x))
}

#[test]
fn arrays_with_a_divisor_advance_with_instances() {
    let arrays = |instances| {
        row(|canvas| {
            let drawn = context().draw_arrays_instanced(Primitive::Points, [0, 1], instances, canvas);
            assert_eq!(drawn.expect("drawn").expect("not cancelled").written, u64::from(instances as u32));
        })
    };
    assert_eq!(arrays(0), [BLACK; 4]);
    assert_eq!(arrays(1), [RED, BLACK, BLACK, BLACK]);
    assert_eq!(arrays(3), [RED, RED, GREEN, BLACK]);
    assert_eq!(arrays(4), [RED, RED, GREEN, GREEN]);
    let elements = row(|canvas| {
        let drawn = context().draw_elements_instanced(Primitive::Points, &[1u8, 0][..], 4, canvas);
        // Both elements of an instance are at the same place.
        assert_eq!(drawn.expect("drawn").expect("not cancelled").written, 8);
    });
    assert_eq!(elements, [RED, RED, GREEN, GREEN]);
}

#[test]
fn vertices_and_fragments_say_of_which_instance_they_are() {
    let mut context = context();
    let call = context.prepare_arrays_instanced(Primitive::Points, [0, 1], 4).expect("prepared");
    // Attribute 1 advances per instance, attribute 2 every two instances.
    for (instance, (x, color)) in (0..).zip([(-0.75, RED), (-0.25, RED), (0.25, GREEN), (0.75, GREEN)]) {
        let vertex = call.vertex_attributes(0, instance).expect("a vertex");
        assert_eq!(vertex[Attribute::Instance.index()], [u64::from(instance), 0, 0, 0]);
        assert_eq!([1, 2].map(|place: usize| singles(vertex[place])), [[x, 0.0, 0.0, 1.0], color]);
        let vertices = call.shaded_vertices([4, 1], instance);
        assert_eq!(vertices.iter().map(|vertex| vertex.clip).collect::<Vec<_>>(), [[x, 0.0, 0.0, 1.0]]);
        assert_eq!(call.shaded_vertex([4, 1], 0, instance), vertices.first().copied());
        let fragments = call.fragments_at([4, 1], [instance, 0]);
        assert_eq!(fragments.iter().map(|fragment| fragment.instance).collect::<Vec<_>>(), [instance]);
    }
}

#[test]
fn instances_beyond_an_array_have_what_fills_up() {
    // The fifth instance is in the middle, at the lower left corner of pixel 2. Its colour would come after
    // the last element, so there is none.
    let mut context = context();
    context.vertex_attrib_divisor(2, 4).expect("set");
    let last = row(|canvas| {
        context
            .draw_arrays_instanced(Primitive::Points, [0, 1], 5, canvas)
            .expect("drawn")
            .expect("not cancelled");
    });
    assert_eq!(last, [RED, RED, GREEN, RED]);
}

#[test]
fn draws_of_one_instance_have_its_elements() {
    let mut context = context();
    let call = context.prepare_arrays(Primitive::Points, 1, 1).expect("prepared");
    let vertex = call.vertex_attributes(1, 0).expect("a vertex").map(singles);
    assert_eq!(vertex[1..3], [[-0.75, 0.0, 0.0, 1.0], RED]);
    assert_eq!(context.get_vertex_attrib_array(2).map(|array| array.divisor), Ok(2));
    // With divisor 0, the attribute is per vertex again.
    context.vertex_attrib_divisor(1, 0).expect("set");
    let call = context.prepare_arrays_instanced(Primitive::Points, [1, 1], 1).expect("prepared");
    assert_eq!(call.vertex_attributes(1, 0).expect("a vertex").map(singles)[1], [-0.25, 0.0, 0.0, 1.0]);
    assert_eq!(call.vertex_input().map(|input| input.instances), Some(1));
    context.begin(Primitive::Points).expect("begun");
    context.array_element(1).expect("a vertex");
    let call = context.end().expect("ended");
    assert_eq!(call.vertex_attributes(0, 0).expect("a vertex").map(singles)[2], RED);
}

#[test]
fn errors() {
    let mut context = context();
    let points = Primitive::Points;
    refuses(&mut context, InvalidEnum, |c| c.prepare_arrays_instanced(enums::TEXTURE, [0, 1], 1));
    refuses(&mut context, InvalidValue, |c| c.prepare_arrays_instanced(points, [-1, 1], 1));
    refuses(&mut context, InvalidValue, |c| c.prepare_arrays_instanced(points, [0, -1], 1));
    refuses(&mut context, InvalidValue, |c| c.prepare_arrays_instanced(points, [0, 1], -1));
    refuses(&mut context, InvalidEnum, |c| c.prepare_elements_instanced(enums::TEXTURE, &[0u8][..], 1));
    refuses(&mut context, InvalidValue, |c| c.prepare_elements_instanced(points, &[0u8][..], -1));
    refuses(&mut context, InvalidValue, |c| c.vertex_attrib_divisor(16, 1));
    context.bind_program(Vertex, 99).expect("a name");
    refuses(&mut context, InvalidOperation, |c| c.prepare_arrays_instanced(points, [0, 1], 1));
    let mut context = Context::new();
    super::refused_between(&mut context, |c| c.vertex_attrib_divisor(0, 1));
    super::refused_between(&mut Context::new(), |c| c.prepare_arrays_instanced(points, [0, 1], 1));
}

#[test]
fn limits_of_offsets() {
    let context = Context::new();
    for (limit, value) in [
        (enums::MIN_PROGRAM_TEXEL_OFFSET_EXT, -8),
        (enums::MAX_PROGRAM_TEXEL_OFFSET_EXT, 7),
        (enums::MIN_PROGRAM_TEXTURE_GATHER_OFFSET_NV, -32),
        (enums::MAX_PROGRAM_TEXTURE_GATHER_OFFSET_NV, 31),
        (enums::FRAGMENT_PROGRAM_INTERPOLATION_OFFSET_BITS_NV, 10),
        (enums::MAX_ARRAY_TEXTURE_LAYERS_EXT, 2048),
        (enums::MAX_TEXTURE_BUFFER_SIZE_EXT, 1 << 27),
    ] {
        assert_eq!(context.get_limit(limit), Ok(value), "{limit:#x}");
    }
    assert_eq!(context.get_float_limit(enums::MIN_FRAGMENT_INTERPOLATION_OFFSET_NV), Ok(-0.5));
    assert_eq!(context.get_float_limit(enums::MAX_FRAGMENT_INTERPOLATION_OFFSET_NV), Ok(0.5));
}

/// NV_gpu_program4 table X.21 requires at least 48 and 4 for each type of program. The actual limits depend
/// on the language.
#[test]
fn limits_of_flow_are_those_of_the_program() {
    let mut context = Context::new();
    let queries = [
        enums::MAX_PROGRAM_CALL_DEPTH_NV,
        enums::MAX_PROGRAM_IF_DEPTH_NV,
        enums::MAX_PROGRAM_LOOP_DEPTH_NV,
        enums::MAX_PROGRAM_EXEC_INSTRUCTIONS_NV,
    ];
    use shadestep_language::isa::Stage::Fragment;
    let all = |c: &Context| queries.map(|query| c.get_program_iv(Fragment, query).expect("a limit"));
    assert_eq!(all(&context), [4, 48, 4, 65536]);
    let text = b"!!NVfp4.0\nMOV result.color, 0;\nEND";
    context.program_string(Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, text).expect("a program");
    assert_eq!(all(&context), [32, 64, 64, 1 << 24]);
    assert_eq!(context.get_program_iv(Vertex, enums::MAX_PROGRAM_IF_DEPTH_NV), Ok(64));
}
