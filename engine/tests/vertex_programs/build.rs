//! Builders of programs as IR, and functions that run a program on every executor.

use std::sync::Arc;

use shadestep_core::exec::{
    AttributeLanes, Bindings, Executable, Finished, Inspection, InstructionLimit, LANES, ResultLanes, Shader,
    VertexInputs, VertexShader, run_vertex_within,
};
use shadestep_engine::source::Span;
use shadestep_language::ir::{
    Attribute, CcRegister, CcTest, Condition, Control, Destination, Element, Index, Indirect, Instruction,
    Kind, Label, Negation, Operand, OutputId, OutputRole, ParamId, Program, Semantics, Source, Swizzle,
    Target, TempId, Type, VertexResult, WriteMask, single_bits, singles,
};
use shadestep_language::isa::{Language, Opcode, ResultKind};

use crate::support::parts::{instruction, vertex_program};

/// The temporaries R0 to R3. `A` has A0 and A1, the temporaries after them.
pub const R: [Target; 4] =
    [Target::Temp(TempId(0)), Target::Temp(TempId(1)), Target::Temp(TempId(2)), Target::Temp(TempId(3))];
pub const A: [TempId; 2] = [TempId(4), TempId(5)];
pub const HPOS: Target = Target::Output(OutputId(0));
pub const COL0: Target = Target::Output(OutputId(1));
pub const CC: Target = Target::ConditionOnly(Type::F32);

/// Returns the components named in `letters`, in order.
fn components(letters: &str) -> Vec<u8> {
    letters
        .bytes()
        .map(|letter| b"xyzw".iter().position(|l| *l == letter).expect("x, y, z or w") as u8)
        .collect()
}

/// Returns the mask of `letters`, or all components if there are none.
fn mask(letters: &str) -> WriteMask {
    if letters.is_empty() {
        return WriteMask::ALL;
    }
    WriteMask(components(letters).into_iter().fold(0, |mask, c| mask | 1 << c))
}

/// Returns the swizzle of four letters, one letter, or none.
fn swizzle(letters: &str) -> Swizzle {
    match components(letters).as_slice() {
        [] => Swizzle::IDENTITY,
        [one] => Swizzle::replicate(*one),
        four => Swizzle(four.try_into().expect("four components")),
    }
}

/// `register.letters`.
pub fn src(source: Source, letters: &str) -> Operand {
    Operand {
        source,
        swizzle: swizzle(letters),
        negate: Negation::NONE,
        absolute: false,
        negate_absolute: false,
        span: Span::default(),
    }
}

/// `-register.letters`.
pub fn neg(source: Source, letters: &str) -> Operand {
    Operand { negate: Negation::ALL, ..src(source, letters) }
}

/// `Rn`.
pub fn r(n: u16) -> Source {
    Source::Temp(TempId(n))
}

/// `c[n]`.
pub fn c(n: u16) -> Source {
    Source::Param(ParamId(n))
}

/// `v[n]`.
pub fn v(n: u8) -> Source {
    Source::Attribute(Attribute::Vertex(n))
}

/// `c[address.component + offset]` in a file of `count` parameters.
pub fn relative(address: TempId, component: u8, offset: i64, count: u16) -> Source {
    let index = Index::computed(address, component, offset);
    Source::Indirect(Indirect::new(Element::Param(ParamId(0)), count, index))
}

/// `op target.letters, operands`.
pub fn op(op: Opcode, target: Target, letters: &str, operands: &[Operand]) -> Instruction {
    let dest = Destination { target, mask: mask(letters), test: None, span: Span::default() };
    let kind = Kind::Alu(dest.into());
    Instruction { operands: operands.to_vec(), ..instruction(op, Semantics::NV_VERTEX_2, kind) }
}

/// Adds the suffix `C`, so that the instruction updates the condition code.
pub fn updating(mut instruction: Instruction) -> Instruction {
    instruction.write_mut().expect("it computes").update_cc = Some(CcRegister::Cc0);
    instruction
}

/// A condition such as `(GT.x)`.
pub fn when(condition: Condition, letters: &str) -> Option<CcTest> {
    Some(CcTest { condition, swizzle: swizzle(letters), register: CcRegister::Cc0 })
}

pub fn bra(to: usize, test: Option<CcTest>) -> Instruction {
    instruction(Opcode::Bra, Semantics::NV_VERTEX_2, Control::Branch { to, test })
}

pub fn cal(to: usize, test: Option<CcTest>) -> Instruction {
    instruction(Opcode::Cal, Semantics::NV_VERTEX_2, Control::Call { to, test })
}

pub fn ret(test: Option<CcTest>) -> Instruction {
    instruction(Opcode::Ret, Semantics::NV_VERTEX_2, Control::Return { test })
}

/// A program of `language` with `parameters` parameter registers and the results HPOS and COL0. A state
/// program has no results.
pub fn program_of(language: Language, parameters: u16, instructions: Vec<Instruction>) -> Program {
    let results: &[VertexResult] = match language {
        Language::Vsp1 => &[],
        _ => &[VertexResult::Hpos, VertexResult::Col0],
    };
    let semantics = language.profile().semantics;
    Program {
        instructions: instructions.into_iter().map(|i| Instruction { semantics, ..i }).collect(),
        ..vertex_program(language, &["A0", "A1"], parameters, results)
    }
}

/// A `!!VP2.0` program.
pub fn program(parameters: u16, instructions: Vec<Instruction>) -> Program {
    program_of(Language::Vp2, parameters, instructions)
}

/// A `!!VP2.0` program whose instructions follow the rules of NV_gpu_program5, which has data types.
pub fn typed_program(parameters: u16, instructions: Vec<Instruction>) -> Program {
    let mut program = program(parameters, instructions);
    let semantics = Language::NvVp5.profile().semantics;
    program.instructions.iter_mut().for_each(|instruction| instruction.semantics = semantics);
    program
}

/// Puts the label `main` before instruction `at`. The program starts there.
pub fn with_main(mut program: Program, at: usize) -> Program {
    program.labels.push(Label { name: "main".into(), at, span: Span::default() });
    program.entry = at;
    program
}

/// Runs `program` on all executors within `limit`, checks that their results agree, and returns the results.
#[track_caller]
pub fn run_within(
    program: &Program,
    parameters: &[[f32; 4]],
    inputs: &VertexInputs,
    limit: InstructionLimit,
) -> Finished {
    let parameters = parameters.iter().copied().map(single_bits).collect();
    let bindings = Bindings { parameters, ..Bindings::default() };
    let end = run_vertex_within(program, &bindings, inputs, limit);
    let mut rows = AttributeLanes::default();
    for (attribute, value) in Attribute::VERTEX.into_iter().zip(inputs) {
        for (component, value) in singles(*value).into_iter().enumerate() {
            rows.register_mut(attribute, component).0 = [value; LANES];
        }
    }
    let program = Arc::new(program.clone());
    // Stores under a mask are tested too: with half of the lanes active, and with all.
    for active in [0x5555_5555_5555_5555, u64::MAX] {
        for (name, mut wide) in Inspection::all(&program, &bindings, &rows) {
            wide.finish(active, limit);
            let registers = wide.registers(62);
            assert_eq!(registers.temporaries, end.registers.temporaries, "{name}");
            assert_eq!(registers.outputs, end.registers.outputs, "{name}");
            assert_eq!(registers.cc, end.registers.cc, "{name}");
        }
        let executable = Arc::new(Executable::new(program.clone()));
        let shader = Shader::new(executable, bindings.clone()).with_limit(limit);
        let mut results = ResultLanes::default();
        shader.run(&mut shader.worker(), &rows, active, &mut results);
        for (output, value) in program.outputs.iter().zip(&end.registers.outputs) {
            let OutputRole::Vertex(result) = output.role else { panic!("a vertex result") };
            let wide = single_bits(std::array::from_fn(|c| results.register(result, c).0[62]));
            assert_eq!(wide, *value, "{}", output.name);
        }
    }
    end
}

/// Runs `program` on a vertex whose attributes are all zero, within the specification's limit.
#[track_caller]
pub fn run(program: &Program, parameters: &[[f32; 4]]) -> Finished {
    run_within(program, parameters, &VertexInputs::default(), InstructionLimit::of(program))
}

/// Returns the result of one instruction of `language` with these operands.
#[track_caller]
pub fn result_of(language: Language, opcode: Opcode, operands: &[[f32; 4]]) -> [f32; 4] {
    let parts: Vec<Operand> = match operands.len() {
        1 => vec![src(v(0), if opcode_is_scalar(opcode) { "x" } else { "" })],
        _ => (0..operands.len()).map(|n| src(r(n as u16), "")).collect(),
    };
    let load = |(n, target): (u16, Target)| op(Opcode::Mov, target, "", &[src(c(n), "")]);
    let mut instructions: Vec<_> = (0..).zip(R).take(operands.len()).map(load).collect();
    let address = opcode.info().result == ResultKind::Address;
    let target = if address { Target::Temp(A[0]) } else { R[3] };
    instructions.push(op(opcode, target, "", &parts));
    let inputs = std::array::from_fn(|n| single_bits(if n == 0 { operands[0] } else { [0.0; 4] }));
    let program = program_of(language, operands.len() as u16, instructions);
    let end = run_within(&program, operands, &inputs, InstructionLimit::of(&program));
    singles(end.registers.temporaries[if address { 4 } else { 3 }])
}

fn opcode_is_scalar(opcode: Opcode) -> bool {
    opcode.info().operands == [shadestep_language::isa::OperandKind::Scalar]
}
