//! Program subroutine parameters (ARB_shader_subroutine, "Dependencies on NV_gpu_program5", section 2.14.1
//! and Errors).

use super::super::{Context, ErrorCode, enums};
use super::{FP, refuses};
use shadestep_language::isa::Stage::{Fragment, Vertex, VertexState};

/// Parameters 0 (one of four) and 2 (one of two), as in the text's example. Parameter 1 is unused.
const HEROES: &[u8] = b"!!NVfp5.0
SUBROUTINETYPE Hero { superman, wolverine };
SUBROUTINETYPE Hero { batman, robin };
SUBROUTINETYPE GothamHero { batman, robin };
SUBROUTINE Hero any = program.subroutine[0];
SUBROUTINE GothamHero gotham = program.subroutine[2];
batman SUBROUTINENUM(0): MOV result.color.x, 1; RET;
robin SUBROUTINENUM(1): MOV result.color.x, 2; RET;
superman SUBROUTINENUM(2): MOV result.color.x, 3; RET;
wolverine SUBROUTINENUM(3): MOV result.color.x, 4; RET;
main: CALI any; CALI gotham;
END";

fn heroes() -> Context {
    let mut context = Context::new();
    context.load_program(Fragment, 1, HEROES).expect("the program loads");
    context.bind_program(Fragment, 1).expect("bound");
    context
}

fn values(context: &Context) -> [u32; 4] {
    [0, 1, 2, 3].map(|index| context.get_program_subroutine_parameter(Fragment, index).expect("a value"))
}

#[test]
fn parameters_are_set_all_at_once_and_read_one_by_one() {
    let mut context = heroes();
    assert_eq!(values(&context), [2, 0, 0, 0], "the first of each type");
    context.program_subroutine_parameters(Fragment, &[3, 77, 1][..]).expect("set");
    assert_eq!(values(&context), [3, 77, 1, 0]);
    assert_eq!(context.get_program_subroutine_parameter(Vertex, 0), Ok(0), "each target has its own");
    let bindings =
        context.bindings(context.programs.current(Fragment).expect("an object"), &Default::default());
    assert_eq!(bindings.subroutines, [3, 77, 1]);
}

#[test]
fn binding_and_loading_make_them_defaults_again() {
    let mut context = heroes();
    let set = |context: &mut Context| {
        context.program_subroutine_parameters(Fragment, &[3, 0, 1][..]).expect("set");
    };
    set(&mut context);
    // Binding resets the values even if the program is already bound.
    context.bind_program(Fragment, 1).expect("bound");
    assert_eq!(values(&context), [2, 0, 0, 0]);
    set(&mut context);
    context.bind_program_arb(Fragment, 1).expect("bound");
    assert_eq!(values(&context), [2, 0, 0, 0]);
    set(&mut context);
    context.program_string(Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, HEROES).expect("loaded");
    assert_eq!(values(&context), [2, 0, 0, 0]);
    set(&mut context);
    context.load_program(Fragment, 1, HEROES).expect("loaded");
    assert_eq!(values(&context), [2, 0, 0, 0]);
    // Commands about another program or target change nothing.
    set(&mut context);
    context.load_program(Fragment, 2, FP).expect("loaded");
    context.bind_program(Vertex, 0).expect("bound");
    assert_eq!(values(&context), [3, 0, 1, 0]);
    context.delete_programs(&[1][..]).expect("deleted");
    assert_eq!(values(&context), [0; 4], "the default object is bound");
}

#[test]
fn errors() {
    let mut context = heroes();
    let set =
        |values: &'static [u32]| move |c: &mut Context| c.program_subroutine_parameters(Fragment, values);
    // The count must be one plus the highest used parameter number.
    refuses(&mut context, ErrorCode::InvalidValue, set(&[2, 0]));
    refuses(&mut context, ErrorCode::InvalidValue, set(&[2, 0, 0, 0]));
    refuses(&mut context, ErrorCode::InvalidValue, set(&[]));
    // A number without a subroutine, and the number of a subroutine of another type.
    refuses(&mut context, ErrorCode::InvalidOperation, set(&[4, 0, 0]));
    refuses(&mut context, ErrorCode::InvalidOperation, set(&[0, 0, 2]));
    refuses(&mut context, ErrorCode::InvalidEnum, |c| {
        c.program_subroutine_parameters(VertexState, &[0, 0, 0][..])
    });
    refuses(&mut context, ErrorCode::InvalidEnum, |c| c.get_program_subroutine_parameter(VertexState, 0));
    refuses(&mut context, ErrorCode::InvalidEnum, |c| c.get_program_subroutine_parameter(enums::QUADS, 0));
    refuses(&mut context, ErrorCode::InvalidValue, |c| c.get_program_subroutine_parameter(Fragment, 1024));
    assert_eq!(context.get_program_subroutine_parameter(Fragment, 1023), Ok(0));
    // Without subroutine variables, there is no value to set.
    context.bind_program(Fragment, 0).expect("bound");
    refuses(&mut context, ErrorCode::InvalidValue, set(&[0]));
    context.program_subroutine_parameters(Fragment, &[][..]).expect("nothing");
}

#[test]
fn limits_are_those_of_the_text() {
    let context = Context::new();
    let get = |query: u32| context.get_program_iv(Fragment, query);
    assert_eq!(get(0x8F44), Ok(1024));
    assert_eq!(get(0x8F45), Ok(256));
    assert_eq!(context.get_program_iv(Vertex, enums::MAX_PROGRAM_SUBROUTINE_PARAMETERS_NV), Ok(1024));
}
