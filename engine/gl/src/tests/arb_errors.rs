//! The Errors sections of ARB_vertex_program, ARB_fragment_program and ARB_draw_buffers, one test per
//! sentence. Also the errors in sections 2.14.1, 3.11.1 and 6.1.12 of ARB_vertex_program.

use super::super::{Context, DrawBuffer, ErrorCode, Normalization, enums};
use super::{FP, VP, VSP, loaded, raises, refuses};
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::pipeline::{ArrayData, Primitive};
use shadestep_language::isa::Stage::{Fragment, Vertex};

const VALUE: [f32; 4] = [5.0, 6.0, 7.0, 8.0];
const ASCII: u32 = enums::PROGRAM_FORMAT_ASCII_ARB;
const TARGETS: [u32; 2] = [enums::VERTEX_PROGRAM_ARB, enums::FRAGMENT_PROGRAM_ARB];

fn numbers() -> ArrayData {
    ArrayData::Float(vec![0.0; 8].into())
}

#[test]
fn attribute_index_too_great() {
    let mut context = Context::new();
    for index in [16, u32::MAX] {
        refuses(&mut context, InvalidValue, |c| c.vertex_attrib(index, VALUE));
        refuses(&mut context, InvalidValue, |c| c.get_vertex_attrib_arb(index));
        refuses(&mut context, InvalidValue, |c| c.get_vertex_attrib_array(index).cloned());
    }
}

#[test]
fn pointer_index_too_great() {
    let mut context = Context::new();
    let plain = Normalization::Plain;
    refuses(&mut context, InvalidValue, |c| c.vertex_attrib_pointer_arb(16, 4, plain, 0, numbers()));
    refuses(&mut context, InvalidValue, |c| c.get_vertex_attrib_pointer(16).map(|found| found.cloned()));
}

#[test]
fn pointer_size_not_one_to_four() {
    let mut context = Context::new();
    for size in [-1, 0, 5] {
        let plain = Normalization::Plain;
        refuses(&mut context, InvalidValue, |c| c.vertex_attrib_pointer_arb(1, size, plain, 0, numbers()));
    }
}

#[test]
fn pointer_stride_negative() {
    let mut context = Context::new();
    let plain = Normalization::Plain;
    refuses(&mut context, InvalidValue, |c| c.vertex_attrib_pointer_arb(1, 4, plain, -4, numbers()));
}

#[test]
fn array_switch_index_too_great() {
    let mut context = Context::new();
    refuses(&mut context, InvalidValue, |c| c.enable_vertex_attrib_array(16));
    refuses(&mut context, InvalidValue, |c| c.disable_vertex_attrib_array(16));
}

#[test]
fn program_string_syntactically_incorrect() {
    let mut context = loaded();
    context.bind_program_arb(Fragment, 2).expect("bound");
    let text = b"!!FP1.0\nMOV o[COLR], f[COL0]\nEND";
    raises(&mut context, InvalidOperation, |c| c.program_string(Fragment, ASCII, text));
    // The missing semicolon is detected at END.
    assert_eq!(context.program_error_position(), 29);
    assert!(!context.program_error_string().is_empty());
    assert_eq!(context.get_program_string(2).expect("the old program"), FP);
}

#[test]
fn program_string_against_a_semantic_restriction() {
    let mut context = loaded();
    context.bind_program_arb(Fragment, 2).expect("bound");
    let text = b"!!FP1.0\nMOV R0, f[COL0];\nEND";
    raises(&mut context, InvalidOperation, |c| c.program_string(Fragment, ASCII, text));
    assert_eq!(context.program_error_position(), text.len() as i64);
    assert_eq!(context.get_program_string(2).expect("the old program"), FP);
}

#[test]
fn program_string_of_another_target() {
    let mut context = Context::new();
    for (target, text) in [(Vertex, FP), (Vertex, VSP), (Fragment, VP)] {
        raises(&mut context, InvalidOperation, |c| c.program_string(target, ASCII, text));
        assert_eq!(context.program_error_position(), 0);
    }
}

#[test]
fn bind_program_of_another_target() {
    let mut context = loaded();
    for (target, others) in [(enums::FRAGMENT_PROGRAM_ARB, [1, 3]), (enums::VERTEX_PROGRAM_ARB, [2, 3])] {
        for id in others {
            refuses(&mut context, InvalidOperation, |c| c.bind_program_arb(target, id));
        }
    }
    // An object without a program has a target too.
    context.bind_program_arb(Vertex, 9).expect("created");
    refuses(&mut context, InvalidOperation, |c| c.bind_program_arb(Fragment, 9));
    refuses(&mut context, InvalidOperation, |c| c.bind_program(Fragment, 9));
    refuses(&mut context, InvalidOperation, |c| c.load_program(Fragment, 9, FP));
}

#[test]
fn environment_index_too_great() {
    let mut context = Context::new();
    for target in TARGETS {
        let most =
            context.get_program_iv(target, enums::MAX_PROGRAM_ENV_PARAMETERS_ARB).expect("a limit") as u32;
        context.program_env_parameter4(target, most - 1, VALUE).expect("the last one");
        assert_eq!(context.get_program_env_parameter(target, most - 1), Ok(VALUE));
        for index in [most, u32::MAX] {
            refuses(&mut context, InvalidValue, |c| c.program_env_parameter4(target, index, VALUE));
            refuses(&mut context, InvalidValue, |c| c.program_env_parameter4(target, index, [0.0f64; 4]));
            refuses(&mut context, InvalidValue, |c| c.get_program_env_parameter(target, index));
        }
    }
}

#[test]
fn local_index_too_great() {
    let mut context = Context::new();
    for target in TARGETS {
        let most =
            context.get_program_iv(target, enums::MAX_PROGRAM_LOCAL_PARAMETERS_ARB).expect("a limit") as u32;
        context.program_local_parameter4(target, most - 1, VALUE).expect("the last one");
        assert_eq!(context.get_program_local_parameter(target, most - 1), Ok(VALUE));
        for index in [most, u32::MAX] {
            refuses(&mut context, InvalidValue, |c| c.program_local_parameter4(target, index, VALUE));
            refuses(&mut context, InvalidValue, |c| c.program_local_parameter4(target, index, [0.0f64; 4]));
            refuses(&mut context, InvalidValue, |c| c.get_program_local_parameter(target, index));
        }
    }
}

#[test]
fn begin_without_a_valid_program() {
    for (target, text) in [(enums::VERTEX_PROGRAM_ARB, VP), (enums::FRAGMENT_PROGRAM_ARB, FP)] {
        let mut context = Context::new();
        context.enable(target).expect("enabled");
        // The default object, and a newly created object.
        for id in [0, 4] {
            context.bind_program_arb(target, id).expect("bound");
            refuses(&mut context, InvalidOperation, |c| c.begin(Primitive::Triangles));
            refuses(&mut context, InvalidOperation, |c| c.prepare_arrays(Primitive::Triangles, 0, 3));
            refuses(&mut context, InvalidOperation, |c| {
                c.prepare_elements(Primitive::Triangles, &[0u8, 1, 2][..])
            });
            raises(&mut context, InvalidOperation, |c| c.program_string(target, ASCII, b"!!"));
            refuses(&mut context, InvalidOperation, |c| c.begin(Primitive::Triangles));
            context.program_string(target, ASCII, text).expect("loaded");
            context.begin(Primitive::Triangles).expect("a valid program");
            context.end().expect("ended");
        }
    }
}

#[test]
fn the_current_value_of_attribute_zero() {
    refuses(&mut Context::new(), InvalidOperation, |c| c.get_vertex_attrib_arb(0));
}

#[test]
fn coordinate_state_of_a_unit_without_coordinates() {
    let mut context = Context::new();
    context.active_texture(8).expect("an image unit");
    refuses(&mut context, InvalidOperation, |c| c.tex_gen_plane(enums::Q, enums::OBJECT_PLANE, VALUE));
    context.matrix_mode(enums::TEXTURE).expect("a mode");
    let commands: [fn(&mut Context) -> super::super::Result<()>; 9] = [
        |c| c.frustum([-1.0, 1.0, -1.0, 1.0, 1.0, 2.0]),
        Context::load_identity,
        |c| c.load_matrix(&[0.0f32; 16]),
        |c| c.mult_matrix(&[0.0f32; 16]),
        |c| c.ortho([-1.0, 1.0, -1.0, 1.0, 1.0, 2.0]),
        Context::pop_matrix,
        Context::push_matrix,
        |c| c.rotate(1.0, [1.0; 3]),
        |c| c.scale([1.0; 3]),
    ];
    for command in commands {
        refuses(&mut context, InvalidOperation, command);
    }
    refuses(&mut context, InvalidOperation, |c| c.translate([1.0; 3]));
    // CURRENT_MATRIX_ARB, TRANSPOSE_CURRENT_MATRIX_ARB, CURRENT_MATRIX_STACK_DEPTH_ARB.
    refuses(&mut context, InvalidOperation, |c| c.current_matrix());
    refuses(&mut context, InvalidOperation, |c| c.current_matrix_stack_depth());
}

#[test]
fn image_state_of_a_unit_without_an_image() {
    let mut context = Context::new();
    refuses(&mut context, InvalidOperation, |c| c.bind_texture(16, None));
    refuses(&mut context, InvalidEnum, |c| c.active_texture(16));
}

#[test]
fn targets_formats_and_queries_that_do_not_exist() {
    let mut context = Context::new();
    for target in [enums::VERTEX_STATE_PROGRAM_NV, enums::TEXTURE, 0] {
        refuses(&mut context, InvalidEnum, |c| c.program_string(target, ASCII, VP));
        refuses(&mut context, InvalidEnum, |c| c.bind_program_arb(target, 1));
        refuses(&mut context, InvalidEnum, |c| c.program_env_parameter4(target, 0, VALUE));
        refuses(&mut context, InvalidEnum, |c| c.get_program_env_parameter(target, 0));
        refuses(&mut context, InvalidEnum, |c| c.program_local_parameter4(target, 0, VALUE));
        refuses(&mut context, InvalidEnum, |c| c.get_program_local_parameter(target, 0));
        refuses(&mut context, InvalidEnum, |c| c.get_program_iv(target, enums::PROGRAM_LENGTH_ARB));
        refuses(&mut context, InvalidEnum, |c| {
            c.get_program_string_arb(target, enums::PROGRAM_STRING_ARB).map(<[u8]>::to_vec)
        });
    }
    refuses(&mut context, InvalidEnum, |c| c.program_string(Vertex, enums::UNSIGNED_BYTE, VP));
    refuses(&mut context, InvalidEnum, |c| c.get_program_iv(Vertex, enums::PROGRAM_STRING_ARB));
    refuses(&mut context, InvalidEnum, |c| {
        c.get_program_string_arb(Vertex, enums::PROGRAM_LENGTH_ARB).map(<[u8]>::to_vec)
    });
    refuses(&mut context, InvalidEnum, |c| c.get_limit(enums::PROGRAM_LENGTH_ARB));
    // Only the fragment target has this limit (NV_fragment_program2).
    refuses(&mut context, InvalidEnum, |c| c.get_program_iv(Vertex, enums::MAX_PROGRAM_LOOP_COUNT_NV));
    refuses(&mut context, InvalidEnum, |c| c.get_float_limit(enums::MAX_LIGHTS));
}

/// The buffer of each output colour.
fn draw_buffers(context: &Context) -> [DrawBuffer; 4] {
    [0, 1, 2, 3].map(|number| context.get_draw_buffer(enums::DRAW_BUFFER0_ARB + number).expect("a buffer"))
}

#[test]
fn draw_buffers_are_as_given_and_none_beyond() {
    use DrawBuffer::{Aux, Front, FrontLeft, None};
    let mut context = Context::new();
    assert_eq!(context.get_limit(enums::MAX_DRAW_BUFFERS_ARB), Ok(4));
    assert_eq!(draw_buffers(&context), [Front, None, None, None]);
    context.draw_buffers(&[enums::AUX0 + 2, enums::NONE, enums::FRONT_LEFT]).expect("set");
    assert_eq!(draw_buffers(&context), [Aux(2), None, FrontLeft, None]);
    assert_eq!(context.get_draw_buffer(enums::DRAW_BUFFER), Ok(Aux(2)));
    // NONE may be listed twice, and entries beyond the count are ignored.
    context.draw_buffers((3, &[None, None, Aux(0), Aux(9)][..])).expect("set");
    assert_eq!(draw_buffers(&context), [None, None, Aux(0), None]);
    context.draw_buffer(enums::LEFT).expect("front left is among them");
    assert_eq!(draw_buffers(&context), [DrawBuffer::Left, None, None, None]);
    for number in [4, 15] {
        refuses(&mut context, InvalidEnum, |c| c.get_draw_buffer(enums::DRAW_BUFFER0_ARB + number));
    }
    refuses(&mut context, InvalidEnum, |c| c.get_draw_buffer(enums::FRONT));
}

#[test]
fn draw_buffers_not_allocated_to_the_context() {
    let mut context = Context::new();
    for buffer in [enums::FRONT_RIGHT, enums::BACK_LEFT, enums::BACK_RIGHT, enums::AUX3] {
        refuses(&mut context, InvalidOperation, |c| c.draw_buffers(&[buffer]));
        refuses(&mut context, InvalidOperation, |c| c.draw_buffer(buffer));
    }
    for buffer in [enums::BACK, enums::RIGHT] {
        refuses(&mut context, InvalidOperation, |c| c.draw_buffer(buffer));
    }
}

#[test]
fn more_draw_buffers_than_output_colours() {
    let mut context = Context::new();
    context.draw_buffers(&[DrawBuffer::None; 4]).expect("as many");
    refuses(&mut context, InvalidOperation, |c| c.draw_buffers(&[DrawBuffer::None; 5]));
}

#[test]
fn draw_buffers_that_are_none_of_the_allowed() {
    let mut context = Context::new();
    let several = [enums::FRONT, enums::BACK, enums::LEFT, enums::RIGHT, enums::FRONT_AND_BACK];
    for buffer in several.into_iter().chain([enums::TEXTURE, 1, enums::AUX3 + 1]) {
        refuses(&mut context, InvalidOperation, |c| c.draw_buffers(&[enums::AUX0, buffer]));
    }
    refuses(&mut context, InvalidEnum, |c| c.draw_buffer(enums::TEXTURE));
}

#[test]
fn a_draw_buffer_named_twice() {
    let mut context = Context::new();
    for buffers in [[enums::AUX1, enums::NONE, enums::AUX1], [enums::FRONT_LEFT, enums::FRONT_LEFT, 0]] {
        refuses(&mut context, InvalidOperation, |c| c.draw_buffers(&buffers));
    }
}

#[test]
fn pointer_types_of_the_older_command() {
    let mut context = Context::new();
    let others = [
        ArrayData::Byte(vec![0; 8].into()),
        ArrayData::UnsignedShort(vec![0; 8].into()),
        ArrayData::Int(vec![0; 8].into()),
        ArrayData::UnsignedInt(vec![0; 8].into()),
    ];
    for data in others {
        context
            .vertex_attrib_pointer_arb(1, 4, Normalization::Plain, 0, data.clone())
            .expect("the newer one");
        refuses(&mut context, InvalidEnum, |c| c.vertex_attrib_pointer(1, 4, 0, data.clone()));
        refuses(&mut context, InvalidEnum, |c| c.fog_coord_pointer(0, data.clone()));
    }
}

#[test]
fn negative_counts() {
    let mut context = Context::new();
    refuses(&mut context, InvalidValue, |c| c.draw_buffers((-1, &[DrawBuffer::None][..])));
    refuses(&mut context, InvalidValue, |c| c.gen_programs(-1));
    refuses(&mut context, InvalidValue, |c| c.delete_programs((-1, &[1u32][..])));
    refuses(&mut context, InvalidValue, |c| c.program_string(Vertex, ASCII, (-1, VP)));
}

#[test]
fn setting_an_environment_parameter_that_tracks_a_matrix() {
    // NV_vertex_program2 2.14.7: registers and environment parameters are one state.
    let mut context = Context::new();
    context.track_matrix(Vertex, 8, enums::MODELVIEW, enums::IDENTITY_NV).expect("tracked");
    for index in 8..12 {
        refuses(&mut context, InvalidOperation, |c| c.program_env_parameter4(Vertex, index, VALUE));
    }
    context.program_env_parameter4(Fragment, 8, VALUE).expect("another target's");
    assert_eq!(context.get_program_env_parameter(Vertex, 9), Ok([0.0, 1.0, 0.0, 0.0]));
}

#[test]
fn these_commands_may_not_stand_between_begin_and_end() {
    let mut context = loaded();
    context.begin(Primitive::Points).expect("begun");
    let commands: [fn(&mut Context) -> super::super::Result<()>; 12] = [
        |c| c.program_string(Vertex, ASCII, VP),
        |c| c.bind_program_arb(Vertex, 1),
        |c| c.program_env_parameter4(Vertex, 0, VALUE),
        |c| c.program_local_parameter4(Vertex, 0, VALUE),
        |c| c.get_program_env_parameter(Vertex, 0).map(|_| ()),
        |c| c.get_program_iv(Vertex, enums::PROGRAM_LENGTH_ARB).map(|_| ()),
        |c| c.get_program_string_arb(Vertex, enums::PROGRAM_STRING_ARB).map(|_| ()),
        |c| c.enable_vertex_attrib_array(0),
        |c| c.get_vertex_attrib_arb(1).map(|_| ()),
        |c| c.draw_buffers(&[DrawBuffer::None]),
        |c| c.draw_buffer(DrawBuffer::None),
        |c| c.get_draw_buffer(enums::DRAW_BUFFER).map(|_| ()),
    ];
    for command in commands {
        assert_eq!(command(&mut context).map_err(|error| error.code), Err(InvalidOperation));
    }
}
