//! Branches, subroutines and limits (NV_vertex_program2 2.14.2.3), and relative reads (2.14.2.1).

use super::build::*;
use shadestep_core::exec::{Finished, InstructionLimit, VertexInputs};
use shadestep_engine::debug::Ended;
use shadestep_engine::isa::{Language, Opcode};
use shadestep_language::ir::{Condition, Negation, Program, Source, Target, single_bits, singles};

const LIMIT: u32 = 65_536;

fn temporary(end: &Finished, n: usize) -> [f32; 4] {
    singles(end.registers.temporaries[n])
}

/// `ADD register.x, register.x, c[0].x`.
fn count(register: usize) -> shadestep_language::ir::Instruction {
    op(Opcode::Add, R[register], "x", &[src(r(register as u16), "x"), src(c(0), "x")])
}

#[test]
fn the_example_of_branch_conditions() {
    let example = program(
        4,
        vec![
            updating(op(Opcode::Mov, CC, "", &[src(c(0), "")])),
            bra(3, when(Condition::Lt, "xyzw")),
            op(Opcode::Mov, R[0], "", &[src(c(1), "")]),
            bra(5, when(Condition::Lt, "wyzw")),
            op(Opcode::Mov, R[0], "", &[src(c(2), "")]),
        ],
    );
    let values = [[-2.0, 0.0, 2.0, f32::NAN], [1.0; 4], [2.0; 4], [0.0; 4]];
    let end = run(&example, &values);
    assert_eq!((temporary(&end, 0), end.executed, end.ended), ([2.0; 4], 4, Ended::Normal));
    // These values do not take the first branch, so the move after the branch is executed too.
    let mut other = values;
    other[0] = [2.0, 0.0, 2.0, f32::NAN];
    assert_eq!(run(&example, &other).executed, 5);
}

/// From the issues: floor(A)*B by repeated addition. c[0] holds (A,B,0,1).
#[test]
fn the_accumulate_example() {
    let accumulate = with_main(
        program(
            1,
            vec![
                op(Opcode::Add, R[0], "", &[src(r(0), ""), src(r(1), "")]),
                ret(None),
                op(Opcode::Mov, R[0], "", &[src(c(0), "z")]),
                op(Opcode::Mov, R[1], "", &[src(c(0), "y")]),
                updating(op(Opcode::Flr, R[2], "x", &[src(c(0), "x")])),
                bra(9, when(Condition::Le, "x")),
                cal(0, None),
                updating(op(Opcode::Add, R[2], "x", &[src(r(2), "x"), neg(c(0), "w")])),
                bra(6, when(Condition::Gt, "x")),
                op(Opcode::Mov, HPOS, "", &[src(r(0), "")]),
            ],
        ),
        2,
    );
    for (a, b, product) in [(3.7, 2.5, 7.5_f32), (1.0, -4.0, -4.0), (0.5, 9.0, 0.0), (-2.0, 9.0, 0.0)] {
        let end = run(&accumulate, &[[a, b, 0.0, 1.0]]);
        assert_eq!(end.registers.outputs[0], single_bits([product; 4]), "{a} * {b}");
        assert_eq!(end.ended, Ended::Normal);
        // 4 instructions before the loop, 5 in each iteration, and the move at the end.
        let rounds = a.floor().max(0.0) as u32;
        assert_eq!(end.executed, 4 + 5 * rounds + 1);
    }
}

/// From the issues: "calls a function <n> times", with SUBC and a counter in a temporary.
#[test]
fn the_example_of_a_simple_loop() {
    let simple = with_main(
        program(
            2,
            vec![
                op(Opcode::Add, R[0], "x", &[src(r(0), "x"), src(c(1), "x")]),
                ret(None),
                updating(op(Opcode::Mov, R[3], "x", &[src(c(0), "x")])),
                cal(0, when(Condition::Gt, "x")),
                updating(op(Opcode::Sub, R[3], "x", &[src(r(3), "x"), src(c(1), "x")])),
                bra(3, when(Condition::Gt, "x")),
            ],
        ),
        2,
    );
    for (n, calls) in [(5.0, 5.0), (1.0, 1.0), (0.0, 0.0), (-3.0, 0.0)] {
        let end = run(&simple, &[[n, 0.0, 0.0, 0.0], [1.0; 4]]);
        assert_eq!(temporary(&end, 0)[0], calls, "{n} iterations");
    }
}

/// From the issues: a loop that ARAC counts, with a separate index. The function adds up c[A1.y + 1].
#[test]
fn the_example_of_a_loop_with_an_index() {
    let indexed = with_main(
        program(
            12,
            vec![
                op(Opcode::Add, R[0], "", &[src(r(0), ""), src(relative(A[1], 1, 1, 12), "")]),
                ret(None),
                updating(op(Opcode::Arl, Target::Temp(A[1]), "", &[src(c(0), "")])),
                cal(0, when(Condition::Gt, "x")),
                updating(op(Opcode::Ara, Target::Temp(A[1]), "xy", &[src(Source::Temp(A[1]), "")])),
                bra(3, when(Condition::Gt, "x")),
            ],
        ),
        2,
    );
    let mut parameters: Vec<[f32; 4]> = (0..12_u8).map(|n| [f32::from(n); 4]).collect();
    // Three iterations from index 2 in steps of 3 read c[3], c[6] and c[9].
    parameters[0] = [3.0, 2.0, -1.0, 3.0];
    let end = run(&indexed, &parameters);
    assert_eq!(temporary(&end, 0), [18.0; 4]);
    assert_eq!(temporary(&end, 5), [0.0, 11.0, -1.0, 3.0]);
    // The last iteration reads beyond the file, which gives zeros: c[9], then c[12].
    parameters[0] = [2.0, 8.0, -1.0, 3.0];
    assert_eq!(temporary(&run(&indexed, &parameters), 0), [9.0; 4]);
}

#[test]
fn the_65536th_instruction_takes_effect_and_is_the_last() {
    // Two instructions in each iteration make 32768 additions.
    let endless = program(1, vec![count(0), bra(0, None)]);
    let end = run(&endless, &[[1.0; 4]]);
    assert_eq!((end.ended, end.executed), (Ended::InstructionLimit, LIMIT));
    assert_eq!(temporary(&end, 0)[0], 32_768.0);
    // With one instruction before the loop, the last instruction is the 32768th addition.
    let shifted = program(1, vec![count(1), count(0), bra(1, None)]);
    let end = run(&shifted, &[[1.0; 4]]);
    assert_eq!((end.ended, end.executed), (Ended::InstructionLimit, LIMIT));
    assert_eq!((temporary(&end, 0)[0], temporary(&end, 1)[0]), (32_768.0, 1.0));
}

#[test]
fn the_limit_may_fall_between_two_writes_of_a_result() {
    let from = |n: u16| op(Opcode::Mov, COL0, "x", &[src(c(n), "x")]);
    let endless = program(2, vec![from(0), from(1), bra(0, None)]);
    for limit in 1..8 {
        let inputs = VertexInputs::default();
        let end = run_within(&endless, &[[1.0; 4], [2.0; 4]], &inputs, InstructionLimit(limit));
        let last = if limit % 3 == 1 { 1.0 } else { 2.0 };
        let expected = single_bits([last, 0.0, 0.0, 1.0]);
        assert_eq!((end.registers.outputs[1], end.executed), (expected, limit));
    }
    // A complete iteration overwrites the value from before the loop. That value remains only if the limit
    // falls between the two writes.
    let loaded = op(Opcode::Mov, R[0], "x", &[src(c(0), "x")]);
    let kept = op(Opcode::Mov, COL0, "x", &[src(r(0), "x")]);
    let endless = program(2, vec![loaded, kept, from(1), bra(1, None)]);
    for limit in 1..9 {
        let inputs = VertexInputs::default();
        let end = run_within(&endless, &[[1.0; 4], [2.0; 4]], &inputs, InstructionLimit(limit));
        let last = match (limit, limit % 3) {
            (1, _) => 0.0,
            (_, 2) => 1.0,
            _ => 2.0,
        };
        let expected = single_bits([last, 0.0, 0.0, 1.0]);
        assert_eq!((end.registers.outputs[1], end.executed), (expected, limit));
    }
}

#[test]
fn a_program_that_ends_with_its_last_allowed_instruction_ends_normally() {
    let short = program(1, vec![count(0), bra(3, None), count(0), count(0)]);
    for (limit, ended, sum) in
        [(2, Ended::InstructionLimit, 1.0), (3, Ended::Normal, 2.0), (4, Ended::Normal, 2.0)]
    {
        let end = run_within(&short, &[[1.0; 4]], &VertexInputs::default(), InstructionLimit(limit));
        assert_eq!((end.ended, temporary(&end, 0)[0]), (ended, sum), "limit {limit}");
    }
}

#[test]
fn a_fifth_nested_call_ends_the_program_without_jumping() {
    // The call inside the subroutine is the fifth nested call in its fourth execution.
    let recursive = program(1, vec![cal(2, None), count(1), count(0), cal(2, None), count(2)]);
    let end = run(&recursive, &[[1.0; 4]]);
    assert_eq!(end.ended, Ended::CallOverflow);
    assert_eq!([0, 1, 2].map(|n| temporary(&end, n)[0]), [4.0, 0.0, 0.0]);
    assert_eq!(end.executed, 1 + 4 * 2);
}

#[test]
fn four_nested_calls_return_each_to_its_own_caller() {
    // Each level counts before and after its call of the next level.
    let mut instructions = vec![cal(2, None), ret(None)];
    for level in 1..=4 {
        instructions.push(count(0));
        if level < 4 {
            instructions.push(cal(2 + level * 4, None));
        } else {
            instructions.push(count(2));
        }
        instructions.push(count(1));
        instructions.push(ret(None));
    }
    let end = run(&program(1, instructions), &[[1.0; 4]]);
    assert_eq!((end.ended, end.executed), (Ended::Normal, 1 + 4 * 4 + 1));
    assert_eq!([0, 1, 2].map(|n| temporary(&end, n)[0]), [4.0, 4.0, 1.0]);
}

#[test]
fn a_return_without_a_call_ends_the_program() {
    let end = run(&program(1, vec![count(0), ret(None), count(0)]), &[[1.0; 4]]);
    assert_eq!((end.ended, end.executed, temporary(&end, 0)[0]), (Ended::Normal, 2, 1.0));
}

#[test]
fn controls_that_are_not_taken_do_nothing_but_count() {
    // The condition code is EQ in all components at the start.
    let never = when(Condition::Ne, "");
    let body = vec![bra(0, never), cal(0, never), ret(never), count(0), bra(0, when(Condition::Fl, ""))];
    let end = run(&program(1, body), &[[1.0; 4]]);
    assert_eq!((end.ended, end.executed, temporary(&end, 0)[0]), (Ended::Normal, 5, 1.0));
}

#[test]
fn falling_off_the_end_within_a_subroutine_ends_the_program() {
    let end = run(&program(1, vec![cal(2, None), count(1), count(0)]), &[[1.0; 4]]);
    assert_eq!((end.ended, end.executed), (Ended::Normal, 2));
    assert_eq!((temporary(&end, 0)[0], temporary(&end, 1)[0]), (1.0, 0.0));
}

#[test]
fn execution_begins_behind_main() {
    let counts = || vec![count(0), count(1), count(2)];
    let end = run(&with_main(program(1, counts()), 1), &[[1.0; 4]]);
    assert_eq!([0, 1, 2].map(|n| temporary(&end, n)[0]), [0.0, 1.0, 1.0]);
    // With `main` after the last instruction, nothing is executed.
    let end = run(&with_main(program(1, counts()), 3), &[[1.0; 4]]);
    assert_eq!((end.executed, end.ended), (0, Ended::Normal));
    assert_eq!(end.registers.outputs, [single_bits([0.0, 0.0, 0.0, 1.0]); 2]);
}

#[test]
fn a_branch_to_the_end_ends_the_program() {
    let end = run(&program(1, vec![bra(2, None), count(0)]), &[[1.0; 4]]);
    assert_eq!((end.ended, end.executed, temporary(&end, 0)[0]), (Ended::Normal, 1, 0.0));
}

/// R0 = c[A0.x + offset] with A0.x = floor(v[0].x), in a file of four.
fn read_at(language: Language, offset: i64) -> Program {
    program_of(
        language,
        4,
        vec![
            op(Opcode::Arl, Target::Temp(A[0]), "x", &[src(v(0), "x")]),
            op(Opcode::Mov, R[0], "", &[src(relative(A[0], 0, offset, 4), "")]),
        ],
    )
}

#[test]
fn relative_reads_within_and_outside_the_file() {
    let file: Vec<[f32; 4]> = (1..5_u8).map(|n| [f32::from(n), 0.5, -1.0, 9.0]).collect();
    for language in [Language::Vp1, Language::Vp2] {
        for (value, offset) in [
            (0.0, 0),
            (3.9, 0),
            (4.0, 0),
            (-1.0, 0),
            (-0.1, 1),
            (-1.0, 1),
            (7.0, -4),
            (-64.0, 64),
            (f32::INFINITY, 0),
            (f32::NEG_INFINITY, 0),
            (1e9, -64),
            (f32::NAN, 2),
        ] {
            let mut inputs = VertexInputs::default();
            inputs[0] = single_bits([value; 4]);
            let program = read_at(language, offset);
            let end = run_within(&program, &file, &inputs, InstructionLimit::of(&program));
            // ARL of a NaN loads 0.
            let address = if value.is_nan() { 0.0 } else { f64::from(value).floor() };
            let index = address + offset as f64;
            let expected = if (0.0..4.0).contains(&index) { file[index as usize] } else { [0.0; 4] };
            assert_eq!(temporary(&end, 0), expected, "{language:?} c[floor({value}) + {offset}]");
        }
    }
}

#[test]
fn only_the_address_of_vp2_is_clamped() {
    // VP2 clamps 600 to 511, so the read is at 511 - 509 = 2.
    let file: Vec<[f32; 4]> = (1..5_u8).map(|n| [f32::from(n); 4]).collect();
    let mut inputs = VertexInputs::default();
    inputs[0] = single_bits([600.0; 4]);
    for (language, expected) in [(Language::Vp2, 3.0), (Language::Vp1_1, 0.0)] {
        let program = read_at(language, -509);
        let end = run_within(&program, &file, &inputs, InstructionLimit::of(&program));
        assert_eq!(temporary(&end, 0), [expected; 4], "{language:?}");
    }
}

#[test]
fn signs_apply_to_what_a_relative_reference_read() {
    let operand = |negate, absolute, negate_absolute| {
        let operand = src(relative(A[0], 0, 1, 2), "wzyx");
        let negate = if negate { Negation::ALL } else { Negation::NONE };
        op(
            Opcode::Mov,
            R[0],
            "",
            &[shadestep_language::ir::Operand { negate, absolute, negate_absolute, ..operand }],
        )
    };
    let file = [[0.0; 4], [1.0, -2.0, 3.0, -4.0]];
    for (instruction, expected) in [
        (operand(true, false, false), [4.0, -3.0, 2.0, -1.0]),
        (operand(false, true, false), [4.0, 3.0, 2.0, 1.0]),
        (operand(true, true, true), [-4.0, -3.0, -2.0, -1.0]),
    ] {
        assert_eq!(temporary(&run(&program(2, vec![instruction]), &file), 0), expected);
    }
}
