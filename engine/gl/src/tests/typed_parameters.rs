//! Integer program parameters (NV_gpu_program4 2.14.1 and 6.1.12), and commands that set several parameters
//! (EXT_gpu_program_parameters).

use std::sync::Arc;

use super::super::{Context, ErrorCode, Integers, TrackedMatrix, Transform, enums};
use super::{loaded, raises, refused_between, refuses};
use ErrorCode::{InvalidEnum, InvalidOperation, InvalidValue};
use shadestep_core::exec::{
    AttributeLanes, Inspection, InstructionLimit, LANES, QuadInputs, run_quad_within,
};
use shadestep_core::pipeline::Primitive;
use shadestep_language::ir::Components;
use shadestep_language::isa::Stage::{Fragment, Vertex, VertexState};

/// Integers whose bits are fp32 denormals, infinities, and quiet and signalling NaNs.
const AWKWARD: [u32; 4] = [1, 0x807F_FFFF, 0x7F80_0001, 0xFFFF_FFFF];
/// Index after the last parameter.
const END: u32 = 256;

/// A context with vertex and fragment programs bound, so that both targets have parameters.
fn bound() -> Context {
    let mut context = loaded();
    context.bind_program(Vertex, 1).expect("bound");
    context.bind_program(Fragment, 2).expect("bound");
    context
}

#[test]
fn integers_are_kept() {
    let mut context = Context::new();
    for target in [Vertex, Fragment] {
        context.program_local_parameter4(target, 3, Integers([-1i32, i32::MIN, i32::MAX, 1])).expect("set");
        context.program_env_parameter4(target, 255, Integers(AWKWARD)).expect("set");
        let signed = [0xFFFF_FFFF, 0x8000_0000, 0x7FFF_FFFF, 1];
        assert_eq!(context.get_program_local_parameter_i(target, 3), Ok(signed));
        assert_eq!(context.get_program_env_parameter_i(target, 255), Ok(AWKWARD));
        let values = [Integers([-1i32; 4]), Integers([7; 4])];
        context.program_local_parameters4(target, 254, &values).expect("set");
        let values = [Integers([2u32; 4]), Integers(AWKWARD)];
        context.program_env_parameters4(target, 1, &values).expect("set");
        assert_eq!(context.get_program_local_parameter_i(target, 254), Ok([u32::MAX; 4]));
        assert_eq!(context.get_program_local_parameter_i(target, 255), Ok([7; 4]));
        assert_eq!(context.get_program_env_parameter_i(target, 1), Ok([2; 4]));
        assert_eq!(context.get_program_env_parameter_i(target, 2), Ok(AWKWARD));
        // Other commands set floating-point numbers again.
        context.program_local_parameters4(target, 254, &[[1.0f32; 4]]).expect("set");
        assert_eq!(context.get_program_local_parameter(target, 254), Ok([1.0; 4]));
        assert_eq!(context.get_program_local_parameter_i(target, 254), Ok([0x3F80_0000; 4]));
    }
}

#[test]
fn none_at_a_time_is_no_error() {
    let mut context = Context::new();
    for index in [0, END] {
        let none: [Integers<i32, 4>; 0] = [];
        context.program_local_parameters4(Vertex, index, &none).expect("nothing to set");
        context.program_env_parameters4(Vertex, index, &none).expect("nothing to set");
        context.program_env_parameters4(Fragment, index, &none).expect("nothing to set");
    }
}

#[test]
fn index_too_great() {
    let mut context = Context::new();
    let (signed, unsigned) = (Integers([1i32; 4]), Integers([1u32; 4]));
    for target in [Vertex, Fragment] {
        for index in [END, u32::MAX] {
            refuses(&mut context, InvalidValue, |c| c.program_local_parameter4(target, index, signed));
            refuses(&mut context, InvalidValue, |c| c.program_local_parameter4(target, index, unsigned));
            refuses(&mut context, InvalidValue, |c| c.program_env_parameter4(target, index, signed));
            refuses(&mut context, InvalidValue, |c| c.program_env_parameter4(target, index, unsigned));
            raises(&mut context, InvalidValue, |c| c.get_program_local_parameter_i(target, index));
            raises(&mut context, InvalidValue, |c| c.get_program_env_parameter_i(target, index));
        }
    }
}

#[test]
fn index_and_count_too_great() {
    let mut context = Context::new();
    for target in [Vertex, Fragment] {
        for (index, count) in [(END, 1), (END - 1, 2), (0, 257), (u32::MAX, 1), (END + 1, 0)] {
            let values = vec![Integers([1i32; 4]); count];
            refuses(&mut context, InvalidValue, |c| c.program_local_parameters4(target, index, &values));
            refuses(&mut context, InvalidValue, |c| c.program_env_parameters4(target, index, &values));
        }
    }
}

#[test]
fn count_negative() {
    let mut context = Context::new();
    let values = &[Integers([1u32; 4])][..];
    refuses(&mut context, InvalidValue, |c| c.program_local_parameters4(Fragment, 0, (-1, values)));
    refuses(&mut context, InvalidValue, |c| c.program_env_parameters4(Fragment, 0, (-1, values)));
}

#[test]
fn target_without_parameters() {
    let mut context = Context::new();
    let value = Integers([1i32; 4]);
    refuses(&mut context, InvalidEnum, |c| c.program_local_parameter4(VertexState, 0, value));
    refuses(&mut context, InvalidEnum, |c| c.program_env_parameter4(VertexState, 0, value));
    refuses(&mut context, InvalidEnum, |c| c.program_local_parameters4(VertexState, 0, &[value]));
    refuses(&mut context, InvalidEnum, |c| c.program_env_parameters4(enums::TEXTURE, 0, &[value]));
    raises(&mut context, InvalidEnum, |c| c.get_program_local_parameter_i(VertexState, 0));
    raises(&mut context, InvalidEnum, |c| c.get_program_env_parameter_i(enums::TEXTURE, 0));
}

#[test]
fn register_tracks_a_matrix() {
    let mut context = Context::new();
    context.track_matrix(Vertex, 4, TrackedMatrix::Modelview, Transform::Identity).expect("tracks");
    let value = Integers([1i32; 4]);
    refuses(&mut context, InvalidOperation, |c| c.program_env_parameter4(Vertex, 4, value));
    refuses(&mut context, InvalidOperation, |c| c.program_env_parameters4(Vertex, 2, &[value; 3]));
    context.program_env_parameters4(Fragment, 2, &[value; 3]).expect("the fragment target tracks nothing");
}

#[test]
fn between_begin_and_end() {
    for command in [
        (|c| c.program_local_parameters4(Fragment, 0, &[Integers([1i32; 4])])) as fn(&mut Context) -> _,
        |c| c.program_env_parameters4(Fragment, 0, &[Integers([1i32; 4])]),
        |c| c.get_program_local_parameter_i(Fragment, 0).map(drop),
        |c| c.get_program_env_parameter_i(Fragment, 0).map(drop),
    ] {
        refused_between(&mut bound(), command);
    }
}

/// Both executors read the exact bits: no flush to zero and no change of NaNs, with relative addressing too.
#[test]
fn programs_read_the_bits() {
    let mut context = bound();
    let text = b"!!NVfp4.0
INT PARAM one = program.local[0];
UINT PARAM some[2] = { program.env[6..7] };
INT TEMP A;
TEMP R0, R1, R2, R3;
MOV.S A, { 1, 0, 0, 0 };
MOV.U R0, program.local[0];
MOV.S R1, one;
MOV.U R2, some[A.x];
MOV.S R3, -one;
MOV result.color, 0;
END";
    context.program_string(Fragment, enums::PROGRAM_FORMAT_ASCII_ARB, text).expect("a program");
    context.program_local_parameter4(Fragment, 0, Integers(AWKWARD)).expect("set");
    context.program_env_parameter4(Fragment, 7, Integers(AWKWARD)).expect("set");
    context.enable(enums::FRAGMENT_PROGRAM_ARB).expect("enabled");
    let call = context.prepare_arrays(Primitive::Points, 0, 0).expect("prepared");
    let bindings = call.fragment_bindings().expect("a program");
    let program = Arc::new(shadestep_language::front::load(text).program.expect("a program"));
    let named = |name: &str| program.temporaries.iter().position(|t| t.name == name).expect("used");
    let negated: Components = [0xFFFF_FFFF, 0x7F80_0001, 0x807F_FFFF, 1];
    let expected = [AWKWARD.map(u64::from), AWKWARD.map(u64::from), AWKWARD.map(u64::from), negated];
    let places = ["R0", "R1", "R2", "R3"].map(named);
    let traced = run_quad_within(&program, bindings, &QuadInputs::default(), InstructionLimit::of(&program));
    assert_eq!(places.map(|place| traced[0].registers.temporaries[place]), expected);
    for (name, mut wide) in Inspection::all(&program, bindings, &AttributeLanes::default()) {
        wide.finish(u64::MAX, InstructionLimit::of(&program));
        let registers = wide.registers(LANES - 1);
        assert_eq!(places.map(|place| registers.temporaries[place]), expected, "{name}");
    }
}
