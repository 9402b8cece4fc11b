//! Results of ARB programs, computed by hand from the texts: blocks, loops, the stack, condition codes and
//! instructions. Each program runs on both executors.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use shadestep_core::exec::{
    AttributeLanes, Bindings, Finished, Inspection, InstructionLimit, LANES, QUAD, QuadInputs,
    run_quad_within,
};
use shadestep_engine::debug::{Cursor, Ended, LoopEffect, LoopFrame, Recording, StackEffect, Step};
use shadestep_engine::pipeline::CompareFunc;
use shadestep_engine::source::Span;
use shadestep_engine::texture::{Format, Image, MinFilter, Sampler, Texture};
use shadestep_language::ir::{
    Attribute, CcRegister, CcTest, Condition, ConstantVector, Control, Destination, Element, Flags, Index,
    Indirect, Instruction, Kind, Label, Negation, Operand, Origin, Output, OutputRole, ParamId,
    ParameterSource, Program, ProgramOptions, Saturation, Semantics, Source, Swizzle, Target, TempId,
    Temporary, TextureAccess, TextureTarget, Type, VertexResult, WriteMask, single_bits, singles, verify,
};
use shadestep_language::isa::{FlowLimits, Language, Opcode, Stage};

const R: [Target; 3] = [Target::Temp(TempId(0)), Target::Temp(TempId(1)), Target::Temp(TempId(2))];
const A0: TempId = TempId(3);
const A1: TempId = TempId(4);

fn swizzle(letters: &str) -> Swizzle {
    let selectors: Vec<u8> =
        letters.bytes().filter_map(|b| b"xyzw01".iter().position(|l| *l == b)).map(|c| c as u8).collect();
    match selectors.as_slice() {
        [] => Swizzle::IDENTITY,
        [one] => Swizzle::replicate(*one),
        four => Swizzle(four.try_into().expect("four selectors")),
    }
}

fn src(source: Source, letters: &str) -> Operand {
    Operand {
        source,
        swizzle: swizzle(letters),
        negate: Negation::NONE,
        absolute: false,
        negate_absolute: false,
        span: Span::default(),
    }
}

fn r(number: u16) -> Source {
    Source::Temp(TempId(number))
}

fn p(number: u16) -> Source {
    Source::Param(ParamId(number))
}

fn instruction(op: Opcode, kind: impl Into<Kind>, operands: &[Operand]) -> Instruction {
    Instruction {
        op,
        semantics: Semantics::ARB,
        ty: Type::F32,
        operands: operands.to_vec(),
        kind: kind.into(),
        span: Span::default(),
        mnemonic_span: Span::default(),
        origin: Origin::Text,
    }
}

fn op(op: Opcode, target: Target, mask: &str, operands: &[Operand]) -> Instruction {
    let mask = if mask.is_empty() { "xyzw" } else { mask };
    let mask = mask.bytes().filter_map(|b| b"xyzw".iter().position(|l| *l == b)).fold(0, |m, c| m | 1 << c);
    let dest = Destination { target, mask: WriteMask(mask), test: None, span: Span::default() };
    instruction(op, Kind::Alu(dest.into()), operands)
}

fn updating(mut instruction: Instruction, register: CcRegister) -> Instruction {
    instruction.write_mut().expect("it computes").update_cc = Some(register);
    instruction
}

fn control(op: Opcode, control: Control) -> Instruction {
    instruction(op, control, &[])
}

fn when(condition: Condition, letters: &str) -> CcTest {
    CcTest { condition, swizzle: swizzle(letters), register: CcRegister::Cc0 }
}

fn begin_loop(parameter: u16, end: usize) -> Instruction {
    let control = Control::Loop { end, index: Some(A0) };
    instruction(Opcode::Loop, control, &[src(p(parameter), "")])
}

fn rep(parameter: u16, end: usize) -> Instruction {
    let control = Control::Loop { end, index: None };
    instruction(Opcode::Rep, control, &[src(p(parameter), "")])
}

fn end_loop(start: usize) -> Instruction {
    control(Opcode::Endloop, Control::EndLoop { start })
}

fn end_rep(start: usize) -> Instruction {
    control(Opcode::Endrep, Control::EndLoop { start })
}

fn label(at: usize) -> Label {
    Label { name: format!("at{at}"), at, span: Span::default() }
}

/// A program with the temporaries R0 to R2, the address registers A0 and A1, and these parameters.
fn program(language: Language, parameters: &[[f32; 4]], instructions: Vec<Instruction>) -> Program {
    let vertex = language.stage() == Stage::Vertex;
    let mut temporaries: Vec<Temporary> =
        (0..3).map(|n| Temporary { name: format!("r{n}"), ty: Type::F32 }).collect();
    if language != Language::ArbFp1 {
        temporaries.extend(["A0", "A1"].map(|name| Temporary { name: name.to_owned(), ty: Type::Address }));
    }
    let role = if vertex { OutputRole::Vertex(VertexResult::Hpos) } else { OutputRole::Color(0) };
    Program {
        language,
        instructions,
        temporaries,
        parameters: parameters
            .iter()
            .map(|value| ParameterSource::Constant(ConstantVector::floats(*value)).into())
            .collect(),
        outputs: vec![Output { name: "result".to_owned(), role, ty: Type::F32 }],
        interpolations: Vec::new(),
        geometry: None,
        patch_vertices: None,
        tessellation: None,
        usage: Vec::new(),
        variables: Vec::new(),
        labels: Vec::new(),
        subroutines: Default::default(),
        buffers: Vec::new(),
        entry: 0,
        options: ProgramOptions::default(),
    }
}

/// Set n of the texture coordinates, or vertex attribute n, holds (n, lane, 10n, 1).
fn inputs() -> AttributeLanes {
    let mut inputs = AttributeLanes::default();
    for attribute in Attribute::VERTEX {
        let number = attribute.index() as f32;
        for lane in 0..LANES {
            let value = [number, (lane % QUAD) as f32, 10.0 * number, 1.0];
            for (component, value) in value.into_iter().enumerate() {
                inputs.register_mut(attribute, component).0[lane] = value;
            }
        }
    }
    inputs
}

fn quad(lanes: &AttributeLanes) -> QuadInputs {
    let mut inputs = QuadInputs::default();
    for attribute in Attribute::VERTEX {
        for lane in 0..QUAD {
            inputs.attributes[attribute.index()][lane] =
                std::array::from_fn(|c| lanes.register(attribute, c).0[lane]);
        }
    }
    inputs
}

/// Runs a quad on both executors, asserts equal results and returns the end of each lane.
#[track_caller]
fn run(program: Program) -> [Finished; QUAD] {
    assert_eq!(verify(&program), Ok(()));
    let program = Arc::new(program);
    let (bindings, inputs) = (Bindings::initial(&program), inputs());
    let limit = InstructionLimit::of(&program);
    let ends = run_quad_within(&program, &bindings, &quad(&inputs), limit);
    for (name, mut wide) in Inspection::all(&program, &bindings, &inputs) {
        if program.has_flow() {
            wide.finish(u64::MAX, limit);
        } else {
            program.instructions.iter().for_each(|_| wide.step());
        }
        for lane in 0..LANES {
            let expected = &ends[lane % QUAD].registers;
            assert_eq!(wide.registers(lane).temporaries, expected.temporaries, "{name} lane {lane}");
            assert_eq!(wide.registers(lane).outputs, expected.outputs, "{name} lane {lane}");
            assert_eq!(wide.registers(lane).cc, expected.cc, "{name} lane {lane}");
        }
    }
    ends
}

fn temporary(end: &Finished, number: usize) -> [f32; 4] {
    singles(end.registers.temporaries[number])
}

const ONE: [f32; 4] = [1.0; 4];

/// Counts iterations in R0.
fn count_up() -> Instruction {
    op(Opcode::Add, R[0], "", &[src(r(0), ""), src(p(0), "")])
}

#[test]
fn loops_run_as_often_as_the_count_says() {
    // 3.11.X.8 and ruling 1: the count is the floor, at most 255. At zero and below the loop has no
    // iteration.
    for (count, rounds) in [
        (5.0, 5.0),
        (2.9, 2.0),
        (1.0, 1.0),
        (0.99, 0.0),
        (0.0, 0.0),
        (-3.0, 0.0),
        (255.0, 255.0),
        (300.0, 255.0),
        (f32::INFINITY, 255.0),
        (f32::NEG_INFINITY, 0.0),
    ] {
        let body = vec![rep(1, 3), count_up(), end_rep(1)];
        let [end, ..] = run(program(Language::ArbFp1Nv2, &[ONE, [count, 9.0, 9.0, 9.0]], body));
        assert_eq!(temporary(&end, 0), [rounds; 4], "{count}");
        let executed = 1 + 2 * rounds as u32;
        assert_eq!((end.executed, end.ended), (executed, Ended::Normal), "{count}");
    }
}

#[test]
fn the_index_counts_from_its_start_and_reads_as_at_least_zero() {
    // R0.x collects set A0.x + 1. The weight 10 shows the order: r0 = 10 r0 + set.
    let read =
        Source::Indirect(Indirect::new(Element::Attribute(Attribute::Tex(0)), 8, Index::computed(A0, 0, 1)));
    // Attribute slots 4 to 11 hold the sets. Set n has n + 4 in x.
    for ([count, first, step], expected) in [
        ([3.0, 0.0, 1.0], 567.0),
        ([3.0, 4.0, -2.0], 975.0),
        // Slots -2 and -1 read as 0.
        ([3.0, -2.0, 1.0], 555.0),
        ([2.0, 1.9, -0.1], 65.0),
        // Sets 8 and 9 do not exist and read as (0,0,0,0) (ruling 2).
        ([3.0, 6.0, 1.0], 1100.0),
    ] {
        let mad = op(Opcode::Mad, R[0], "x", &[src(r(0), "x"), src(p(0), "x"), src(read, "x")]);
        let body = vec![begin_loop(1, 3), mad, end_loop(1)];
        let parameters = [[10.0; 4], [count, first, step, 0.0]];
        let [end, ..] = run(program(Language::ArbFp1Nv2, &parameters, body));
        assert_eq!(temporary(&end, 0)[0], expected, "{count} {first} {step}");
    }
}

/// Sets CC.x from the lane's number less `p[1]`.x.
fn lane_test() -> Instruction {
    let operands = [src(Source::Attribute(Attribute::Tex(0)), "y"), src(p(1), "x")];
    updating(op(Opcode::Sub, R[2], "x", &operands), CcRegister::Cc0)
}

#[test]
fn each_lane_takes_its_own_side_of_an_if() {
    // Lanes 0 and 1 are below 1.5.
    let body = vec![
        lane_test(),
        control(Opcode::If, Control::If { test: when(Condition::Lt, "x"), otherwise: 4 }),
        op(Opcode::Mov, R[0], "", &[src(p(0), "")]),
        control(Opcode::Else, Control::Else { end: 5 }),
        op(Opcode::Mov, R[1], "", &[src(p(0), "")]),
        control(Opcode::Endif, Control::EndIf),
        op(Opcode::Add, R[0], "w", &[src(r(0), ""), src(p(0), "")]),
    ];
    let ends = run(program(Language::ArbFp1Nv2, &[ONE, [1.5; 4]], body));
    for (lane, end) in ends.iter().enumerate() {
        let first = lane < 2;
        let r0 = if first { [1.0, 1.0, 1.0, 2.0] } else { [0.0, 0.0, 0.0, 1.0] };
        assert_eq!(temporary(end, 0), r0, "lane {lane}");
        assert_eq!(temporary(end, 1), [if first { 0.0 } else { 1.0 }; 4], "lane {lane}");
        // IF, one of the two parts, ENDIF. The first part also ends with ELSE.
        assert_eq!(end.executed, if first { 6 } else { 5 }, "lane {lane}");
    }
}

#[test]
fn derivatives_within_an_if_see_what_the_other_lanes_hold() {
    // r0.x = lane. Lanes 1 and 3, the right half, set r0.x to 100 before lanes 0 and 2 take the derivative,
    // and to 0 afterwards. So the derivative is 100 - lane.
    let lane = src(Source::Attribute(Attribute::Tex(0)), "y");
    let odd = op(Opcode::Mul, R[2], "x", &[lane, src(p(2), "x")]);
    let fraction = op(Opcode::Frc, R[2], "x", &[src(r(2), "x")]);
    let body = vec![
        op(Opcode::Mov, R[0], "x", &[lane]),
        odd,
        updating(fraction, CcRegister::Cc0),
        control(Opcode::If, Control::If { test: when(Condition::Gt, "x"), otherwise: 6 }),
        op(Opcode::Mov, R[0], "x", &[src(p(1), "x")]),
        control(Opcode::Endif, Control::EndIf),
        control(Opcode::If, Control::If { test: when(Condition::Eq, "x"), otherwise: 9 }),
        op(Opcode::Ddx, R[1], "x", &[src(r(0), "x")]),
        control(Opcode::Else, Control::Else { end: 10 }),
        op(Opcode::Mov, R[0], "x", &[src(p(0), "x")]),
        control(Opcode::Endif, Control::EndIf),
    ];
    let ends = run(program(Language::ArbFp1Nv2, &[[0.0; 4], [100.0; 4], [0.5; 4]], body));
    let found = ends.each_ref().map(|end| temporary(end, 1)[0]);
    assert_eq!(found, [100.0, 0.0, 98.0, 0.0]);
}

#[test]
fn break_leaves_the_innermost_loop_with_the_blocks_in_it() {
    // Lane n breaks out of the inner loop in iteration n + 1. Each of the two outer iterations starts the
    // inner loop again.
    let body = vec![
        rep(2, 9),
        op(Opcode::Mov, R[1], "", &[src(p(3), "")]),
        rep(1, 8),
        updating(
            op(Opcode::Slt, R[2], "x", &[src(r(1), "x"), src(Source::Attribute(Attribute::Tex(0)), "y")]),
            CcRegister::Cc0,
        ),
        control(Opcode::Brk, Control::Break { to: 8, test: Some(when(Condition::Eq, "x")) }),
        op(Opcode::Add, R[1], "", &[src(r(1), ""), src(p(0), "")]),
        count_up(),
        end_rep(3),
        end_rep(1),
    ];
    let parameters = [ONE, [10.0; 4], [2.0; 4], [0.0; 4]];
    let ends = run(program(Language::ArbFp1Nv2, &parameters, body));
    let found = ends.each_ref().map(|end| temporary(end, 0)[0]);
    assert_eq!(found, [0.0, 2.0, 4.0, 6.0]);
}

#[test]
fn a_fifth_active_loop_ends_the_program_with_what_it_has_written() {
    // Two loops, and a subroutine with one more loop that calls itself from inside. The subroutine's third
    // loop is the fifth active loop.
    let body = vec![
        rep(1, 5),
        rep(1, 4),
        control(Opcode::Cal, Control::Call { to: 6, test: None }),
        end_rep(2),
        end_rep(1),
        control(Opcode::Ret, Control::Return { test: None }),
        count_up(),
        rep(1, 10),
        control(Opcode::Cal, Control::Call { to: 6, test: None }),
        end_rep(8),
    ];
    let mut program = program(Language::ArbFp1Nv2, &[ONE, [1.0; 4]], body);
    program.labels.push(label(6));
    let [end, ..] = run(program);
    assert_eq!((end.ended, temporary(&end, 0)[0]), (Ended::BlockOverflow, 3.0));
}

#[test]
fn a_subroutine_that_returns_from_a_loop_leaves_it() {
    // Three calls, each with a RET inside a loop. If these loops stayed active, the loop of the fourth
    // iteration would exceed the limit.
    let body = vec![
        rep(1, 3),
        control(Opcode::Cal, Control::Call { to: 4, test: None }),
        end_rep(1),
        control(Opcode::Ret, Control::Return { test: None }),
        rep(1, 8),
        count_up(),
        control(Opcode::Ret, Control::Return { test: None }),
        end_rep(5),
    ];
    let mut program = program(Language::ArbFp1Nv2, &[ONE, [9.0; 4]], body);
    program.labels.push(label(4));
    let [end, ..] = run(program);
    assert_eq!((end.ended, temporary(&end, 0)[0]), (Ended::Normal, 9.0));
}

#[test]
fn a_recursion_has_its_own_index_and_gives_it_back() {
    // The subroutine at 2 runs a loop from index 5 in the outer call and, recursively, in the inner call.
    // After the inner call the outer index is unchanged.
    let read =
        Source::Indirect(Indirect::new(Element::Attribute(Attribute::Tex(0)), 8, Index::computed(A0, 0, 0)));
    let once = when(Condition::Eq, "x");
    let body = vec![
        control(Opcode::Cal, Control::Call { to: 2, test: None }),
        control(Opcode::Ret, Control::Return { test: None }),
        begin_loop(1, 8),
        // CC.x is EQ until the first inner call has set it.
        control(Opcode::If, Control::If { test: once, otherwise: 7 }),
        updating(op(Opcode::Mov, R[1], "x", &[src(p(0), "x")]), CcRegister::Cc0),
        control(Opcode::Cal, Control::Call { to: 2, test: None }),
        control(Opcode::Endif, Control::EndIf),
        end_loop(3),
        control(Opcode::Ret, Control::Return { test: None }),
    ];
    let mut program = program(Language::ArbFp1Nv2, &[ONE, [2.0, 5.0, 1.0, 0.0]], body);
    // Collects 10 r0 + A0's set after the IF.
    let collect = op(Opcode::Mad, R[0], "x", &[src(r(0), "x"), src(p(2), "x"), src(read, "x")]);
    program.parameters.push(ParameterSource::Constant(ConstantVector::floats([10.0; 4])).into());
    program.instructions.insert(7, collect);
    program.instructions[2] = begin_loop(1, 9);
    program.labels.push(label(2));
    let [end, ..] = run(program);
    // Inner call: sets 5 and 6. Outer call: sets 5 and 6. Set n is n + 4.
    assert_eq!((end.ended, temporary(&end, 0)[0]), (Ended::Normal, 9.0 * 1000.0 + 1000.0 + 90.0 + 10.0));
}

fn push(address: TempId) -> Instruction {
    instruction(Opcode::Pusha, Control::PushAddress, &[src(Source::Temp(address), "")])
}

fn pop(address: TempId) -> Instruction {
    control(Opcode::Popa, Control::PopAddress(Destination::whole(Target::Temp(address))))
}

fn load(address: TempId, parameter: u16) -> Instruction {
    op(Opcode::Arl, Target::Temp(address), "", &[src(p(parameter), "")])
}

#[test]
fn addresses_come_back_from_the_stack_in_reverse() {
    let body = vec![load(A0, 0), load(A1, 1), push(A0), push(A1), pop(A0), pop(A1)];
    let parameters = [[1.5, 2.0, 3.0, 4.0], [-5.5, 6.0, 7.0, 8.0]];
    let [end, ..] = run(program(Language::ArbVp1Nv3, &parameters, body));
    assert_eq!(end.ended, Ended::Normal);
    let expected = [[-6.0, 6.0, 7.0, 8.0], [1.0, 2.0, 3.0, 4.0]].map(single_bits);
    assert_eq!(end.registers.temporaries[3..], expected);
}

#[test]
fn the_stack_is_shared_with_calls_and_has_room_for_four() {
    let ret = || control(Opcode::Ret, Control::Return { test: None });
    let full = vec![push(A0), push(A0), push(A0), push(A0), push(A0), count_up()];
    let empty = vec![pop(A0), count_up()];
    let over_an_address = vec![push(A0), ret(), count_up()];
    let call = |to| control(Opcode::Cal, Control::Call { to, test: None });
    let over_a_return = vec![call(2), ret(), pop(A0), count_up()];
    let with_calls = vec![push(A0), push(A0), push(A0), push(A0), call(6), count_up(), count_up()];
    for (what, body, ended, rounds) in [
        ("a fifth address", full, Ended::CallOverflow, 0.0),
        ("an empty stack", empty, Ended::StackMismatch, 0.0),
        ("RET and an address", over_an_address, Ended::StackMismatch, 0.0),
        ("POPA and a return", over_a_return, Ended::StackMismatch, 0.0),
        ("CAL behind four addresses", with_calls, Ended::CallOverflow, 0.0),
    ] {
        let mut program = program(Language::ArbVp1Nv3, &[ONE], body);
        program.labels.extend(
            program
                .instructions
                .iter()
                .filter_map(|i| match i.control() {
                    Some(Control::Call { to, .. }) => Some(label(to)),
                    _ => None,
                })
                .collect::<Vec<_>>(),
        );
        let [end, ..] = run(program);
        assert_eq!((end.ended, temporary(&end, 0)[0]), (ended, rounds), "{what}");
    }
}

#[test]
fn the_two_condition_codes_are_apart() {
    let mov = |target, parameter, register| {
        updating(op(Opcode::Mov, target, "", &[src(p(parameter), "")]), register)
    };
    let mut store = op(Opcode::Mov, R[2], "", &[src(p(0), "")]);
    let test = CcTest { register: CcRegister::Cc1, ..when(Condition::Gt, "") };
    store.dest_mut().expect("it computes").test = Some(test);
    let body = vec![mov(R[0], 1, CcRegister::Cc0), mov(R[1], 2, CcRegister::Cc1), store];
    let parameters = [ONE, [-1.0, 1.0, 0.0, 5.0], [1.0, -1.0, 2.0, 0.0]];
    let [end, ..] = run(program(Language::ArbVp1Nv3, &parameters, body));
    const LT: Flags = Flags(Flags::SIGN);
    const EQ: Flags = Flags(Flags::ZERO);
    const GT: Flags = Flags(0);
    assert_eq!(end.registers.cc, [[LT, GT, EQ, GT], [GT, LT, GT, EQ]]);
    assert_eq!(temporary(&end, 2), [1.0, 0.0, 1.0, 0.0]);
}

#[test]
fn instructions_compute_what_their_pseudo_code_says() {
    let a = || src(p(0), "");
    let b = || src(p(1), "");
    let c = || src(p(2), "");
    let values = [[1.0, 2.0, 3.0, 4.0], [5.0, -6.0, 7.0, -0.0], [0.5, 0.25, -8.0, 16.0]];
    let mut swz = src(p(0), "");
    swz.swizzle = swizzle("1w0x");
    swz.negate = Negation(0b1001);
    let signed = |mut instruction: Instruction| {
        instruction.write_mut().expect("it computes").saturate = Saturation::Signed;
        instruction
    };
    let length = |x: f32| x * (1.0 / 14.0_f32.sqrt());
    for (instruction, expected) in [
        (op(Opcode::Cmp, R[0], "", &[b(), a(), c()]), [0.5, 2.0, -8.0, 16.0]),
        (op(Opcode::Div, R[0], "", &[a(), src(p(2), "y")]), [4.0, 8.0, 12.0, 16.0]),
        (op(Opcode::Dp2, R[0], "", &[a(), b()]), [-7.0; 4]),
        (op(Opcode::Dp2a, R[0], "", &[a(), b(), c()]), [-6.5; 4]),
        (op(Opcode::Xpd, R[0], "", &[a(), b()]), [32.0, 8.0, -16.0, 0.0]),
        (op(Opcode::Swz, R[0], "", &[swz]), [-1.0, 4.0, 0.0, -1.0]),
        (op(Opcode::Rsq, R[0], "", &[src(p(2), "w")]), [0.25; 4]),
        (op(Opcode::Rsq, R[0], "", &[Operand { negate: Negation::ALL, ..src(p(2), "w") }]), [0.25; 4]),
        (signed(op(Opcode::Mov, R[0], "", &[c()])), [0.5, 0.25, -1.0, 1.0]),
        (signed(op(Opcode::Mov, R[0], "", &[b()])), [1.0, -1.0, 1.0, 0.0]),
    ] {
        let [end, ..] = run(program(Language::ArbFp1Nv2, &values, vec![instruction.clone()]));
        assert_eq!(temporary(&end, 0), expected, "{:?}", instruction.op);
    }
    let [end, ..] = run(program(Language::ArbFp1Nv2, &values, vec![op(Opcode::Nrm, R[0], "", &[a()])]));
    for (found, wanted) in temporary(&end, 0).into_iter().zip([length(1.0), length(2.0), length(3.0), 0.0]) {
        assert!((found - wanted).abs() <= 1e-6, "{found} {wanted}");
    }
    let [end, ..] =
        run(program(Language::ArbFp1Nv2, &values, vec![op(Opcode::Scs, R[0], "", &[src(p(0), "x")])]));
    for (found, wanted) in temporary(&end, 0).into_iter().zip([1f32.cos(), 1f32.sin(), 0.0, 0.0]) {
        assert!((found - wanted).abs() <= 1e-6, "{found} {wanted}");
    }
    // 0^0 is 1 (3.11.5.13).
    let lit = vec![op(Opcode::Lit, R[0], "", &[src(p(0), "")])];
    let [end, ..] = run(program(Language::ArbFp1, &[[2.0, -1.0, 0.0, 0.0]], lit));
    assert_eq!(temporary(&end, 0), [1.0, 2.0, 1.0, 1.0]);
}

#[test]
fn a_texture_that_is_not_there_is_black_and_opaque() {
    for opcode in [Opcode::Tex, Opcode::Txp, Opcode::Txb] {
        let texture = TextureAccess::new(3, TextureTarget::D2);
        let kind = Kind::Texture(Destination::whole(R[0]).into(), texture);
        let lookup = instruction(opcode, kind, &[src(p(0), "")]);
        let [end, ..] = run(program(Language::ArbFp1, &[ONE], vec![lookup]));
        assert_eq!(temporary(&end, 0), [0.0, 0.0, 0.0, 1.0], "{opcode:?}");
    }
}

fn record(program: Program, bindings: Bindings, inputs: QuadInputs, lane: usize) -> Recording {
    let (program, bindings) = (Arc::new(program), Arc::new(bindings));
    let recording =
        Recording::of_fragment(&program, &bindings, inputs, (lane, [0, 0]), &AtomicBool::new(false));
    recording.expect("nobody cancels")
}

fn steps(recording: &Recording) -> Vec<Step> {
    recording.all_steps().collect()
}

/// A program that looks up `target` on unit 0 at (0.5, 0.5, 0.5), with its texture.
fn lookup(target: TextureTarget, format: Format, compare: Option<CompareFunc>) -> (Program, Bindings) {
    let kind = Kind::Texture(Destination::whole(R[0]).into(), TextureAccess::new(0, target));
    let lookup = instruction(Opcode::Tex, kind, &[src(p(0), "")]);
    let program = program(Language::ArbFp1, &[[0.5; 4]], vec![lookup]);
    let image = Image::from_f32([1, 1, 1], vec![1.0; 4]).expect("one texel");
    let sampler = Sampler { compare, min_filter: MinFilter::Nearest, ..Sampler::for_target(target) };
    let texture = Texture::new(target.image(), format, vec![image.into()], sampler).expect("legal");
    let mut bindings = Bindings::initial(&program);
    bindings.textures[0] = Some(Arc::new(texture));
    (program, bindings)
}

#[test]
fn a_lookup_that_does_not_match_its_texture_is_marked_as_undefined() {
    // ARB_fragment_program_shadow 3.11.6: the result is undefined if the target is SHADOW, but the format or
    // the mode does not compare.
    let (depth, color, lequal) = (Format::DepthComponent16, Format::Rgba8, Some(CompareFunc::Lequal));
    for (target, format, compare, undefined, value) in [
        (TextureTarget::Shadow2D, depth, lequal, 0, 1.0),
        (TextureTarget::Shadow2D, depth, None, 0xF, 0.0),
        (TextureTarget::Shadow2D, color, lequal, 0xF, 0.0),
        (TextureTarget::Shadow1D, depth, None, 0xF, 0.0),
        (TextureTarget::ShadowRect, color, None, 0xF, 0.0),
        // The lookup behaves as if the mode were NONE.
        (TextureTarget::D2, depth, lequal, 0, 1.0),
    ] {
        let (program, bindings) = lookup(target, format, compare);
        let recording = record(program, bindings, quad(&inputs()), 1);
        let [step] = &steps(&recording)[..] else { panic!("one instruction") };
        assert_eq!(step.undefined, undefined, "{target:?} {format:?} {compare:?}");
        // The recording also marks the written components.
        assert!(!step.changes.is_empty());
        for change in &step.changes {
            assert_eq!(change.is_undefined, undefined >> change.component & 1 != 0, "{target:?} {compare:?}");
        }
        assert_eq!(singles(step.result)[0], value, "{target:?} {format:?} {compare:?}");
        let looked_up = step.texture.expect("a lookup");
        assert!(looked_up.complete);
        assert_eq!(looked_up.lambda.is_nan(), undefined != 0);
    }
}

#[test]
fn a_recording_can_be_walked_through_loops_both_ways() {
    let body = vec![
        begin_loop(1, 5),
        control(Opcode::If, Control::If { test: when(Condition::Tr, ""), otherwise: 4 }),
        count_up(),
        control(Opcode::Endif, Control::EndIf),
        end_loop(1),
    ];
    let program = program(Language::ArbFp1Nv2, &[ONE, [2.0, -1.0, 3.0, 0.0]], body);
    let (bindings, inputs) = (Bindings::initial(&program), inputs());
    let recording = record(program, bindings, quad(&inputs), 2);
    let frame = |count, index| LoopFrame { at: 0, count: Some(count), index, increment: 3 };
    let effects: Vec<_> = steps(&recording).iter().map(|step| step.loops.clone()).collect();
    assert_eq!(effects[0], LoopEffect::Enter(frame(2, -1)));
    assert_eq!(effects[4], LoopEffect::Round { before: frame(2, -1), after: frame(1, 2) });
    assert_eq!(effects[8], LoopEffect::Leave(vec![frame(1, 2)]));
    assert!(steps(&recording).iter().all(|step| step.lanes == 0b1111 && step.stack == StackEffect::None));
    let mut cursor = Cursor::new(&recording);
    let mut states = vec![cursor.state().clone()];
    for position in 1..=recording.len() {
        cursor.seek(&recording, position);
        states.push(cursor.state().clone());
    }
    let loops: Vec<_> = states.iter().map(|state| state.loops.clone()).collect();
    assert_eq!(loops[1], [frame(2, -1)]);
    assert_eq!(loops[5], [frame(1, 2)]);
    assert_eq!(loops[9], []);
    assert_eq!(states.iter().map(|state| state.if_depth).collect::<Vec<_>>(), [0, 0, 1, 1, 0, 0, 1, 1, 0, 0]);
    // A0.x reads as at least 0.
    let index = |state: usize| singles(states[state].temporaries[3])[0];
    assert_eq!([index(1), index(5)], [0.0, 2.0]);
    for position in (0..recording.len()).rev() {
        cursor.seek(&recording, position);
        assert_eq!(*cursor.state(), states[position], "back at {position}");
    }
}

#[test]
fn forty_eight_if_blocks_may_be_active() {
    // A subroutine with 20 nested blocks calls itself from the innermost block. The third call runs inside 40
    // blocks, so its ninth IF exceeds the limit.
    let depth = 20;
    let call = depth + 2;
    let mut body = vec![
        control(Opcode::Cal, Control::Call { to: 2, test: None }),
        control(Opcode::Ret, Control::Return { test: None }),
    ];
    for level in 0..depth {
        let end = call + depth - level + 1;
        body.push(control(Opcode::If, Control::If { test: when(Condition::Tr, ""), otherwise: end }));
        // The innermost block calls the subroutine again.
        if level + 1 == depth {
            body.push(control(Opcode::Cal, Control::Call { to: 2, test: None }));
        }
    }
    body.extend((0..depth).map(|_| control(Opcode::Endif, Control::EndIf)));
    let mut program = program(Language::ArbFp1Nv2, &[ONE], body);
    program.labels.push(label(2));
    let [end, ..] = run(program);
    assert_eq!(end.ended, Ended::BlockOverflow);
    // CAL, two times 20 IF and CAL, eight IF, and the IF that ends the program.
    assert_eq!(end.executed as usize, 1 + 2 * (depth + 1) + (FlowLimits::NV2.active_ifs - 2 * depth) + 1);
}
