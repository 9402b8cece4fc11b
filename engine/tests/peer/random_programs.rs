//! Questions about random programs. Programs of exact instructions may be long. Other programs have one
//! instruction, because a comparison, a floor or a cancellation can turn a small error into any difference.

use shadestep_engine::isa::{Group, Info, Language, Opcode, ResultKind, instructions};
use shadestep_engine::source::Span;
use shadestep_language::ir::{
    Attribute, ConstantVector, Destination, Element, Indirect, Instruction, Kind, Negation, Operand,
    OutputId, OutputRole, ParamId, ParameterSource, Program, Semantics, Source, Swizzle, Target, TempId,
    Type, VertexResult, disassemble, single_bits, singles,
};

use super::question::Question;
use super::questions::on_random_inputs;
use crate::support::random::Random;
use crate::support::{arb, parts};

/// Programs of exact instructions in each language.
const LONG: u64 = 60;
/// Programs of each other instruction.
const SHORT: u64 = 4;

/// Whether IEEE 754 or the text fixes the result of the instruction to the bit.
pub fn is_exact(op: Opcode) -> bool {
    matches!(
        op,
        Opcode::Abs
            | Opcode::Add
            | Opcode::Arl
            | Opcode::Cmp
            | Opcode::Dst
            | Opcode::Flr
            | Opcode::Frc
            | Opcode::Kil
            | Opcode::Mad
            | Opcode::Max
            | Opcode::Min
            | Opcode::Mov
            | Opcode::Mul
            | Opcode::Sge
            | Opcode::Slt
            | Opcode::Sub
            | Opcode::Swz
    )
}

/// Questions about programs of `!!ARBfp1.0` and `!!ARBvp1.0`.
pub fn all() -> Vec<Question> {
    let mut questions = Vec::new();
    for language in [Language::ArbFp1, Language::ArbVp1] {
        for seed in 0..LONG {
            let mut random = Random::new(seed ^ 0x9EE2);
            let length = 1 + random.below(24);
            let program = arb::straight_of(&mut random, language, length, |info| is_exact(info.opcode));
            let name = format!("random/{}/exact/{seed}", &language.header()[2..]);
            let value = if seed % 2 == 0 { Random::tame_value } else { Random::value };
            questions.extend(asked(&name, program, value));
        }
        let rows: Vec<&Info> = instructions(language).collect();
        for row in rows.iter().filter(|row| {
            !is_exact(row.opcode) && matches!(row.result, ResultKind::Vector | ResultKind::Replicated)
        }) {
            for seed in 0..SHORT {
                let mut random = Random::new(seed ^ 0x0DD);
                let program = arb::straight_of(&mut random, language, 1, |info| info.opcode == row.opcode);
                let name = format!("random/{}/{}/{seed}", &language.header()[2..], row.mnemonic);
                // No text fixes the texel for very large coordinates.
                let tame = seed % 2 == 0 || row.group == Group::Texture;
                let value = if tame { Random::tame_value } else { Random::value };
                questions.extend(asked(&name, program, value));
            }
        }
    }
    questions
}

/// Makes a random program usable as a question. Temporaries start with attributes, constants become finite
/// numbers, and writes to invisible outputs go to the colour.
fn asked(name: &str, mut program: Program, value: fn(&mut Random) -> f32) -> Vec<Question> {
    for parameter in &mut program.parameters {
        if let ParameterSource::Constant(constant) = &mut parameter.source {
            let finite = |v: f32| if v.is_finite() && (v == 0.0 || v.is_normal()) { v } else { 2.0 };
            constant.bits = single_bits(singles(constant.bits).map(finite));
        }
    }
    name_array(&mut program);
    if program.language == Language::ArbVp1 {
        stay_within_arrays(&mut program);
    }
    let seen = |role| match role {
        OutputRole::Color(0) => true,
        OutputRole::Vertex(result) => !matches!(result, VertexResult::Hpos),
        _ => false,
    };
    let color = |role| matches!(role, OutputRole::Color(0) | OutputRole::Vertex(VertexResult::Col0));
    let colors: Vec<usize> = (0..program.outputs.len()).filter(|&n| color(program.outputs[n].role)).collect();
    let Some(&first) = colors.first() else { return Vec::new() };
    for instruction in &mut program.instructions {
        if let Some(Destination { target: Target::Output(id), .. }) = instruction.dest_mut()
            && !seen(program.outputs[usize::from(id.0)].role)
        {
            *id = OutputId(first as u16);
        }
    }
    let attributes: Vec<Attribute> = Attribute::of_language(program.language).collect();
    let start: Vec<_> = (0..program.temporaries.len())
        .filter(|&n| program.temporaries[n].ty == Type::F32)
        .map(|n| mov(Target::Temp(TempId(n as u16)), attributes[attributes.len() - 2 - n % 4]))
        .chain([mov(Target::Output(OutputId(first as u16)), attributes[attributes.len() - 3])])
        .collect();
    program.instructions.splice(0..0, start);
    // Texts ask for one address register at least (ARB_vertex_program table X.11).
    let text = disassemble(&program).replace("ADDRESS A0, A1;", "ADDRESS A0;").replace("A1.x", "A0.x");
    on_random_inputs(name, text.as_bytes(), 6, value)
}

/// Names the parameters that an address register indexes as elements of an array.
fn name_array(program: &mut Program) {
    let mut operands = program.instructions.iter().flat_map(|instruction| &instruction.operands);
    let indexed = operands.find_map(|operand| match operand.source {
        Source::Indirect(Indirect { first: Element::Param(first), count, .. }) => {
            Some((usize::from(first.0), usize::from(count)))
        }
        _ => None,
    });
    if let Some((first, count)) = indexed {
        for (n, parameter) in program.parameters[first..first + count].iter_mut().enumerate() {
            parameter.name = Some(format!("many[{n}]"));
        }
    }
}

/// Loads address registers with 0 to 2 and limits offsets to 0 to 2, because reads outside an array are
/// undefined (ARB_vertex_program 2.14.4.2).
fn stay_within_arrays(program: &mut Program) {
    program.parameters.push(ParameterSource::Constant(ConstantVector::floats([0.5, 1.25, 2.0, 1.75])).into());
    let addresses = Source::Param(ParamId(program.parameters.len() as u16 - 1));
    for instruction in &mut program.instructions {
        for operand in &mut instruction.operands {
            if instruction.op == Opcode::Arl {
                (operand.source, operand.negate) = (addresses, Negation::NONE);
            }
            if let Source::Indirect(indexed) = &mut operand.source {
                indexed.index.offset = indexed.index.offset.rem_euclid(3);
            }
        }
    }
}

fn mov(target: Target, attribute: Attribute) -> Instruction {
    let write = Kind::Alu(Destination::whole(target).into());
    let mut instruction = parts::instruction(Opcode::Mov, Semantics::ARB, write);
    instruction.operands.push(Operand {
        source: Source::Attribute(attribute),
        swizzle: Swizzle::IDENTITY,
        negate: Negation::NONE,
        absolute: false,
        negate_absolute: false,
        span: Span::default(),
    });
    instruction
}
