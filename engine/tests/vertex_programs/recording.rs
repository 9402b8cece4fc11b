//! Recordings of vertex programs and state programs, and navigation in them in both directions.

use super::build::*;
use shadestep_core::exec::{Bindings, VertexInputs, run_state_program};
use shadestep_engine::debug::{Cursor, Ended, Recording, Relative, StackEffect, State, Step, Subject};
use shadestep_engine::ir::{
    Attribute, Components, Condition, Element, Flags, ParamId, Program, Target, single_bits, singles,
};
use shadestep_engine::isa::{Language, Opcode};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const VERTEX: Subject = Subject::Vertex(7);

fn record(program: &Program, parameters: &[[f32; 4]]) -> Recording {
    let bindings = Bindings { parameters: bits(parameters), ..Bindings::default() };
    record_with(program, bindings)
}

fn bits(values: &[[f32; 4]]) -> Vec<Components> {
    values.iter().copied().map(single_bits).collect()
}

fn record_with(program: &Program, bindings: Bindings) -> Recording {
    let (program, bindings) = (Arc::new(program.clone()), Arc::new(bindings));
    let never = AtomicBool::new(false);
    Recording::of_vertex(&program, &bindings, &VertexInputs::default(), 7, &never).expect("nobody cancels")
}

fn steps(recording: &Recording) -> Vec<Step> {
    recording.all_steps().collect()
}

/// Collects every state from first to last. Checks that the cursor finds the same states backwards and in
/// jumps.
fn states(recording: &Recording) -> Vec<State> {
    let mut cursor = Cursor::new(recording);
    let last = recording.len();
    let mut states = Vec::new();
    for position in 0..=last {
        cursor.seek(recording, position);
        states.push(cursor.state().clone());
    }
    for position in (0..=last).rev() {
        cursor.seek(recording, position);
        assert_eq!(cursor.state(), &states[position], "back to {position}");
    }
    cursor.seek(recording, last);
    assert_eq!(Some(cursor.state()), states.last());
    states
}

#[test]
fn a_call_and_its_return_show_in_the_stack() {
    let main = vec![
        op(Opcode::Mov, HPOS, "", &[src(c(0), "")]),
        ret(None),
        updating(op(Opcode::Mov, CC, "x", &[src(c(0), "x")])),
        cal(0, when(Condition::Lt, "x")),
        cal(0, when(Condition::Gt, "x")),
        op(Opcode::Mov, COL0, "xy", &[src(c(0), "")]),
    ];
    let recording = record(&with_main(program(1, main), 2), &[[2.0, 3.0, 4.0, 5.0]]);
    assert_eq!((recording.subject, recording.ended), (VERTEX, Ended::Normal));
    let flow: Vec<_> = steps(&recording).iter().map(|s| (s.pc, s.taken, s.stack)).collect();
    assert_eq!(
        flow,
        [
            (2, None, StackEffect::None),
            (3, Some(false), StackEffect::None),
            (4, Some(true), StackEffect::Push(5)),
            (0, None, StackEffect::None),
            (1, Some(true), StackEffect::Pop(5)),
            (5, None, StackEffect::None),
        ]
    );
    let states = states(&recording);
    let calls: Vec<Vec<usize>> = states.iter().map(|s| s.calls().collect()).collect();
    let stacks: Vec<_> = calls.iter().map(Vec::as_slice).collect();
    assert_eq!(stacks, [&[] as &[usize], &[], &[], &[5], &[5], &[], &[]]);
    assert_eq!(states[0].cc[0], [Flags::EQ; 4]);
    assert_eq!(states[1].cc[0], [Flags::GT, Flags::EQ, Flags::EQ, Flags::EQ]);
    // Results begin as (0,0,0,1) and are undefined until a write.
    let initial = single_bits([0.0, 0.0, 0.0, 1.0]);
    assert_eq!((&states[0].outputs, &states[0].outputs_defined), (&vec![initial; 2], &vec![0, 0]));
    assert_eq!(states[6].outputs_defined, [0b1111, 0b0011]);
    let end = [[2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 0.0, 1.0]].map(single_bits);
    assert_eq!((&recording.outputs[..], &states[6].outputs[..]), (&end[..], &end[..]));
    assert!(steps(&recording)[5].changes.iter().all(|change| change.was_undefined));
}

#[test]
fn abnormal_and_early_ends_are_told() {
    let overflow = record(&program(1, vec![cal(0, None)]), &[[0.0; 4]]);
    assert_eq!((overflow.ended, overflow.len()), (Ended::CallOverflow, 5));
    assert_eq!(steps(&overflow)[4].stack, StackEffect::Overflow);
    assert_eq!(states(&overflow)[5].calls().collect::<Vec<_>>(), [1; 4]);
    let returned = record(&program(1, vec![ret(None), bra(0, None)]), &[[0.0; 4]]);
    assert_eq!((returned.ended, returned.len()), (Ended::Normal, 1));
    assert_eq!(steps(&returned)[0].stack, StackEffect::Underflow);
}

#[test]
fn relative_operands_tell_the_parameter_they_read() {
    let read = |offset| op(Opcode::Mov, R[0], "", &[src(relative(A[0], 1, offset, 3), "")]);
    let load = op(Opcode::Arl, Target::Temp(A[0]), "", &[src(c(0), "")]);
    let instructions = vec![load, read(0), read(-2), read(2), op(Opcode::Mov, R[0], "", &[src(c(1), "")])];
    let recording = record(&program(3, instructions), &[[9.0, 1.5, 9.0, 9.0], [7.0; 4], [8.0; 4]]);
    let relative: Vec<_> = steps(&recording).iter().map(|step| step.operands[0].relative).collect();
    let told = |index, parameter: Option<u16>| {
        Some(Relative { index, vertex: None, element: parameter.map(|id| Element::Param(ParamId(id))) })
    };
    assert_eq!(relative, [None, told(1, Some(1)), told(-1, None), told(3, None), None]);
    let values: Vec<_> = steps(&recording).iter().map(|step| singles(step.operands[0].register)[0]).collect();
    assert_eq!(values, [9.0, 7.0, 0.0, 0.0, 7.0]);
}

/// Normalises c[0] into c[1] and adds v[0] to c[2], reading c[1] back.
fn normalise() -> Program {
    let param = |n| Target::Param(ParamId(n));
    program_of(
        Language::Vsp1,
        4,
        vec![
            op(Opcode::Dp3, R[0], "", &[src(c(0), ""), src(c(0), "")]),
            op(Opcode::Rsq, R[0], "w", &[src(r(0), "x")]),
            op(Opcode::Mul, param(1), "xyz", &[src(c(0), ""), src(r(0), "w")]),
            op(Opcode::Add, param(2), "", &[src(c(1), ""), src(v(0), "")]),
        ],
    )
}

#[test]
fn a_state_program_writes_parameters_and_reads_what_it_wrote() {
    let bindings = Bindings {
        parameters: bits(&[[4.0, 0.0, 0.0, 6.0], [9.0, 9.0, 9.0, 5.0], [9.0; 4], [3.0; 4]]),
        ..Bindings::default()
    };
    let v0 = [10.0, 20.0, 30.0, 40.0];
    let expected = [[4.0, 0.0, 0.0, 6.0], [1.0, 0.0, 0.0, 5.0], [11.0, 20.0, 30.0, 45.0], [3.0; 4]];
    assert_eq!(run_state_program(&normalise(), &bindings, v0), bits(&expected));
    let (program, shared) = (Arc::new(normalise()), Arc::new(bindings.clone()));
    let recording =
        Recording::of_state_program(&program, &shared, (0, v0), &AtomicBool::new(false)).expect("run");
    assert_eq!((recording.subject, recording.ended), (Subject::StateProgram(0), Ended::Normal));
    let states = states(&recording);
    assert_eq!(states[0].parameters, bindings.parameters);
    assert_eq!(states[4].parameters, bits(&expected));
    assert_eq!(states[0].attribute(Attribute::Vertex(0)), single_bits(v0));
}

#[test]
fn a_vertex_program_leaves_parameters_alone() {
    let bindings = Bindings { parameters: bits(&[[2.0; 4]]), ..Bindings::default() };
    let copy = program(1, vec![op(Opcode::Mov, HPOS, "", &[src(c(0), "")])]);
    let recording = record_with(&copy, bindings);
    let initial = recording.state_at(0).parameters;
    assert_eq!(initial, [single_bits([2.0; 4])]);
    assert_eq!(states(&recording)[1].parameters, initial);
}
