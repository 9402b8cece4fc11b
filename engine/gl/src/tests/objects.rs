//! Program objects and their parameters, errors through GetError, and state programs.

use super::super::enums::{self, Constant};
use super::super::{Context, ErrorCode, TrackedMatrix, Transform};
use super::{FP, VP, VSP, loaded, raises, refuses};
use shadestep_core::pipeline::Primitive;
use shadestep_language::isa::Stage::{Fragment, Vertex, VertexState};
use std::sync::Arc;

#[test]
fn the_first_error_is_kept_until_it_is_asked_for() {
    let mut context = Context::new();
    assert_eq!(context.get_error(), None);
    let first = context.gen_programs(-1).expect_err("negative");
    context.enable(0u32).expect_err("no capability");
    assert_eq!(context.get_error(), Some(first));
    assert_eq!(context.get_error(), None);
    assert_eq!(ErrorCode::InvalidValue.constant(), 0x0501);
}

#[test]
fn generated_names_are_unused_and_no_programs_until_loaded() {
    let mut context = Context::new();
    context.load_program(Vertex, 2, VP).expect("loaded");
    let names = context.gen_programs(3).expect("three names");
    assert_eq!(names, [1, 3, 4]);
    assert!(names.iter().all(|&name| !context.is_program(name)));
    assert_eq!(context.gen_programs(1).expect("one more"), [5]);
    context.load_program(Fragment, 3, FP).expect("loaded");
    assert!(context.is_program(3));
    assert!(!context.is_program(0));
    assert!(context.gen_programs(0).expect("none").is_empty());
    refuses(&mut context, ErrorCode::OutOfMemory, |c| c.gen_programs(i32::MAX));
}

#[test]
fn a_program_has_its_target_text_and_residence() {
    let context = loaded();
    for (id, target, text) in [(1, Vertex, VP), (2, Fragment, FP), (3, VertexState, VSP)] {
        let object = context.get_program(id).expect("it exists");
        assert_eq!((object.target(), object.text(), object.is_resident()), (target, text, true));
        assert_eq!(context.get_program_string(id), Ok(text));
    }
}

#[test]
fn the_initial_error_position_is_minus_one_and_a_success_restores_it() {
    let mut context = Context::new();
    assert_eq!(context.program_error_position(), -1);
    assert_eq!(context.program_error_string(), "");
    raises(&mut context, ErrorCode::InvalidOperation, |c| c.load_program(Vertex, 1, b"!!VP1.0 END"));
    assert!(context.program_error_position() >= 0);
    assert!(!context.program_error_string().is_empty());
    assert!(!context.program_diagnostics().is_empty());
    context.load_program(Vertex, 1, VP).expect("loaded");
    assert_eq!(context.program_error_position(), -1);
    assert_eq!(context.program_error_string(), "");
    // Errors that are not about the text keep the position of the last load.
    raises(&mut context, ErrorCode::InvalidOperation, |c| c.load_program(Vertex, 1, b""));
    let position = context.program_error_position();
    assert_eq!(position, 0);
    raises(&mut context, ErrorCode::InvalidValue, |c| c.load_program(Vertex, 0, VP));
    assert_eq!(context.program_error_position(), position);
}

#[test]
fn a_failed_load_keeps_the_old_program_bound_and_running() {
    let mut context = loaded();
    context.bind_program(Vertex, 1).expect("bound");
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    raises(&mut context, ErrorCode::InvalidOperation, |c| c.load_program(Vertex, 1, b"!!VP1.0 oops"));
    assert_eq!(context.program_binding(Vertex), 1);
    assert_eq!(context.get_program_string(1), Ok(VP));
    context.begin(Primitive::Points).expect("still a valid program");
}

#[test]
fn deleting_what_is_bound_binds_zero() {
    let mut context = loaded();
    context.bind_program(Vertex, 1).expect("bound");
    context.bind_program(Fragment, 2).expect("bound");
    context.delete_programs(&[0, 1, 77]).expect("unused names are passed over");
    assert_eq!((context.program_binding(Vertex), context.program_binding(Fragment)), (0, 2));
    assert!(!context.is_program(1));
    assert!(context.is_program(2));
    // The name may be reused for another target.
    context.load_program(Fragment, 1, FP).expect("loaded");
}

#[test]
fn a_name_can_be_bound_before_its_program_is_loaded() {
    let mut context = Context::new();
    context.bind_program(Vertex, 9).expect("nothing there yet");
    context.load_program(Vertex, 9, VP).expect("loaded");
    context.enable(enums::VERTEX_PROGRAM_NV).expect("enabled");
    context.begin(Primitive::Points).expect("it is the current program");
}

#[test]
fn named_parameters_start_as_declared_and_belong_to_one_program() {
    let mut context = loaded();
    context.load_program(Fragment, 5, FP).expect("loaded");
    context.program_named_parameter4(2, b"tint", [9.0f64, 8.0, 7.0, 6.0]).expect("set");
    assert_eq!(context.get_program_named_parameter(2, b"tint"), Ok([9.0, 8.0, 7.0, 6.0]));
    assert_eq!(context.get_program_named_parameter(5, b"tint"), Ok([1.0, 2.0, 3.0, 4.0]));
    context.program_named_parameter4(5, (4, &b"tint and more"[..]), [0.5f32; 4]).expect("four bytes");
    assert_eq!(context.get_program_named_parameter(5, b"tint"), Ok([0.5; 4]));
    context.load_program(Fragment, 2, FP).expect("loaded again");
    assert_eq!(context.get_program_named_parameter(2, b"tint"), Ok([1.0, 2.0, 3.0, 4.0]));
}

#[test]
fn numbered_parameters_belong_to_the_program_bound() {
    let mut context = loaded();
    context.load_program(Fragment, 5, FP).expect("loaded");
    context.bind_program(Fragment, 2).expect("bound");
    assert_eq!(context.get_program_local_parameter(Fragment, 7), Ok([0.0; 4]));
    context.program_local_parameter4(Fragment, 7, [1.5f64; 4]).expect("set");
    context.bind_program(Fragment, 5).expect("bound");
    assert_eq!(context.get_program_local_parameter(Fragment, 7), Ok([0.0; 4]));
    context.bind_program(Fragment, 2).expect("bound");
    assert_eq!(context.get_program_local_parameter(Fragment, 7), Ok([1.5; 4]));
}

#[test]
fn all_256_registers_are_zero_at_first_and_are_set_in_order() {
    let mut context = Context::new();
    assert!(context.program_parameters().iter().all(|register| *register == [0.0; 4]));
    let values = [[1.0f64, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]];
    context.program_parameters4(Vertex, 254, &values).expect("the last two");
    assert_eq!(context.get_program_parameter(Vertex, 254), Ok([1.0, 2.0, 3.0, 4.0]));
    assert_eq!(context.get_program_parameter(Vertex, 255), Ok([5.0, 6.0, 7.0, 8.0]));
    context.program_parameters4(Vertex, 0, (1, &[[3.0f32; 4], [4.0; 4]][..])).expect("one of two");
    assert_eq!(context.get_program_parameter(Vertex, 0), Ok([3.0; 4]));
    assert_eq!(context.get_program_parameter(Vertex, 1), Ok([0.0; 4]));
}

#[test]
fn executing_a_state_program_writes_the_register_file() {
    let mut context = loaded();
    context.program_parameter4(Vertex, 9, [2.0f32, 3.0, 4.0, 5.0]).expect("set");
    context.execute_program(VertexState, 3, [10.0, 100.0, 1000.0, -1.0]).expect("executed");
    assert_eq!(context.get_program_parameter(Vertex, 8), Ok([20.0, 300.0, 4000.0, -5.0]));
    assert_eq!(context.get_program_parameter(Vertex, 9), Ok([2.0, 3.0, 4.0, 5.0]));
}

#[test]
fn a_state_program_reads_what_matrices_are_tracked() {
    let mut context = Context::new();
    let text = b"!!VSP1.0\nDP4 c[40].x, c[0], v[0];\nDP4 c[40].y, c[1], v[0];\nEND";
    context.load_program(VertexState, 1, text).expect("loaded");
    context.track_matrix(Vertex, 0, TrackedMatrix::Modelview, Transform::Identity).expect("tracked");
    context.translate([5.0, 6.0, 7.0]).expect("translated");
    context.program_parameter4(Vertex, 40, [0.0f32, 0.0, 8.0, 9.0]).expect("set");
    context.execute_program(VertexState, 1, [1.0; 4]).expect("executed");
    assert_eq!(context.get_program_parameter(Vertex, 40), Ok([6.0, 7.0, 8.0, 9.0]));
}

#[test]
fn commands_other_than_those_about_vertices_may_not_stand_between_begin_and_end() {
    let mut context = loaded();
    context.begin(Primitive::Points).expect("begun");
    let code = ErrorCode::InvalidOperation;
    let commands: [fn(&mut Context) -> super::super::Result<()>; 9] = [
        |c| c.begin(Primitive::Points),
        |c| c.load_program(Vertex, 1, VP),
        |c| c.bind_program(Vertex, 1),
        |c| c.program_parameter4(Vertex, 0, [0.0f32; 4]),
        |c| c.execute_program(VertexState, 3, [0.0; 4]),
        |c| c.enable(enums::BLEND),
        |c| c.load_identity(),
        |c| c.get_program_parameter(Vertex, 0).map(|_| ()),
        |c| c.viewport([0, 0, 1, 1]),
    ];
    for command in commands {
        assert_eq!(command(&mut context).map_err(|error| error.code), Err(code));
    }
    assert!(!context.is_program(1), "IsProgram answers false where it is an error");
    assert_eq!(context.get_error(), None, "GetError has no answer here");
    context.end().expect("ended");
    assert_eq!(context.get_error().map(|error| error.code), Some(code));
    raises(&mut context, code, Context::end);
    raises(&mut context, code, Context::primitive_restart);
}

#[test]
fn copies_of_a_context_lower_a_program_once() {
    let context = loaded();
    let (first, second) = (context.clone(), context.clone());
    let lowered = |context: &Context| {
        context.get_program(2).ok().and_then(|object| object.loaded().map(|loaded| loaded.executable()))
    };
    let of_first = lowered(&first).expect("a program");
    assert!(Arc::ptr_eq(&of_first, &lowered(&second).expect("a program")));
    assert!(Arc::ptr_eq(&of_first, &lowered(&context).expect("a program")));
}
