//! The Errors section of NV_fragment_program, one test per sentence.

use super::super::{Context, ErrorCode, MatrixMode, TrackedMatrix, Transform, enums};
use super::{FP, VP, loaded, raises, refuses};
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::pipeline::Primitive;
use shadestep_language::isa::Stage::{Fragment, Vertex};

const VALUE: [f32; 4] = [5.0, 6.0, 7.0, 8.0];

#[test]
fn begin_without_the_current_fragment_program() {
    let mut context = loaded();
    context.enable(enums::FRAGMENT_PROGRAM_NV).expect("enabled");
    refuses(&mut context, InvalidOperation, |c| c.begin(Primitive::Triangles));
    refuses(&mut context, InvalidOperation, |c| c.prepare_arrays(Primitive::Triangles, 0, 3));
    refuses(&mut context, InvalidOperation, |c| c.prepare_elements(Primitive::Triangles, &[0u8, 1, 2][..]));
    refuses(&mut context, InvalidOperation, Context::prepare_viewport_quad);
    context.bind_program(Fragment, 2).expect("bound");
    context.begin(Primitive::Triangles).expect("the program exists");
}

#[test]
fn named_parameter_of_a_program_that_does_not_exist_or_has_none() {
    let mut context = loaded();
    for id in [0, 77, 1, 3] {
        refuses(&mut context, InvalidOperation, |c| c.program_named_parameter4(id, b"tint", VALUE));
        refuses(&mut context, InvalidOperation, |c| c.program_named_parameter4(id, b"tint", [0.0f64; 4]));
        refuses(&mut context, InvalidOperation, |c| c.get_program_named_parameter(id, b"tint"));
    }
}

#[test]
fn named_parameter_len_zero() {
    let mut context = loaded();
    refuses(&mut context, InvalidValue, |c| c.program_named_parameter4(2, b"", VALUE));
    refuses(&mut context, InvalidValue, |c| c.program_named_parameter4(2, (0, &b"tint"[..]), VALUE));
    refuses(&mut context, InvalidValue, |c| c.get_program_named_parameter(2, b""));
}

#[test]
fn named_parameter_that_the_program_does_not_declare() {
    let mut context = loaded();
    for name in ["tin", "tintt", "Tint", "tint "] {
        refuses(&mut context, InvalidValue, |c| c.program_named_parameter4(2, name.as_bytes(), VALUE));
        refuses(&mut context, InvalidValue, |c| c.get_program_named_parameter(2, name.as_bytes()));
    }
    refuses(&mut context, InvalidValue, |c| c.program_named_parameter4(2, (-1, &b"tint"[..]), VALUE));
}

#[test]
fn coordinate_state_of_a_unit_without_coordinates() {
    let mut context = Context::new();
    context.matrix_mode(MatrixMode::Texture).expect("a mode");
    context.active_texture(8).expect("an image unit");
    refuses(&mut context, InvalidOperation, Context::load_identity);
    refuses(&mut context, InvalidOperation, Context::push_matrix);
    refuses(&mut context, InvalidOperation, Context::pop_matrix);
    refuses(&mut context, InvalidOperation, |c| c.translate([1.0; 3]));
    refuses(&mut context, InvalidOperation, |c| c.current_matrix());
    refuses(&mut context, InvalidOperation, |c| {
        c.track_matrix(Vertex, 0, TrackedMatrix::Texture, Transform::Identity)
    });
    context.active_texture(7).expect("the last unit with coordinates");
    context.load_identity().expect("texture matrix 7");
}

#[test]
fn image_state_of_a_unit_without_an_image() {
    let mut context = Context::new();
    context.bind_texture(15, None).expect("the last image unit");
    refuses(&mut context, InvalidOperation, |c| c.bind_texture(16, None));
    refuses(&mut context, InvalidEnum, |c| c.active_texture(16));
}

#[test]
fn load_program_id_zero() {
    refuses(&mut Context::new(), InvalidValue, |c| c.load_program(Fragment, 0, FP));
}

#[test]
fn load_program_id_loaded_with_another_target() {
    let mut context = loaded();
    refuses(&mut context, InvalidOperation, |c| c.load_program(Vertex, 2, VP));
    refuses(&mut context, InvalidOperation, |c| c.load_program(Fragment, 1, FP));
}

#[test]
fn load_program_syntactically_incorrect() {
    let mut context = loaded();
    let text = b"!!FP1.0\nMOV o[COLR], f[COL0]\nEND";
    raises(&mut context, InvalidOperation, |c| c.load_program(Fragment, 2, text));
    // The missing semicolon is detected at END.
    assert_eq!(context.program_error_position(), 29);
    assert!(!context.program_error_string().is_empty());
    assert_eq!(context.get_program_string(2).expect("the old program"), FP);
}

#[test]
fn load_program_against_a_semantic_restriction() {
    let mut context = loaded();
    let text = b"!!FP1.0\nMOV R0, f[COL0];\nEND";
    raises(&mut context, InvalidOperation, |c| c.load_program(Fragment, 2, text));
    assert_eq!(context.program_error_position(), text.len() as i64);
    assert_eq!(context.get_program_string(2).expect("the old program"), FP);
}

#[test]
fn bind_program_of_another_target() {
    let mut context = loaded();
    for id in [1, 3] {
        refuses(&mut context, InvalidOperation, |c| c.bind_program(Fragment, id));
    }
}

#[test]
fn are_programs_resident_zero_or_nonexistent() {
    let mut context = loaded();
    refuses(&mut context, InvalidValue, |c| c.are_programs_resident(&[0]));
    refuses(&mut context, InvalidValue, |c| c.are_programs_resident(&[2, 77]));
}

#[test]
fn get_program_and_string_of_a_program_that_does_not_exist() {
    let mut context = loaded();
    refuses(&mut context, InvalidOperation, |c| c.get_program(77).cloned());
    refuses(&mut context, InvalidOperation, |c| c.get_program_string(77).map(<[u8]>::to_vec));
}

#[test]
fn local_parameters_of_other_targets_and_beyond_the_last() {
    // From 5.7 and 6.1.13.
    let mut context = loaded();
    context.bind_program(Fragment, 2).expect("bound");
    // VERTEX_PROGRAM_NV is VERTEX_PROGRAM_ARB, which has local parameters.
    for target in [enums::VERTEX_STATE_PROGRAM_NV, 0] {
        refuses(&mut context, InvalidEnum, |c| c.program_local_parameter4(target, 0, VALUE));
        refuses(&mut context, InvalidEnum, |c| c.get_program_local_parameter(target, 0));
    }
    context.program_local_parameter4(Fragment, 63, VALUE).expect("the last one");
    assert_eq!(context.get_program_local_parameter(Fragment, 63), Ok(VALUE));
    refuses(&mut context, InvalidValue, |c| c.program_local_parameter4(Fragment, 64, VALUE));
    refuses(&mut context, InvalidValue, |c| c.get_program_local_parameter(Fragment, 64));
    context.bind_program(Fragment, 77).expect("there is no such program");
    refuses(&mut context, InvalidOperation, |c| c.program_local_parameter4(Fragment, 0, VALUE));
}
