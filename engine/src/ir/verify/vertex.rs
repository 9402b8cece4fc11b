//! What a vertex or vertex state program must hold to beyond what every program does.

use super::super::{
    Attribute, Indexed, Instruction, OutputRole, ParameterSource, Program, Rules, Source, Swizzle, Target,
    Type, VertexResult, limits,
};
use super::{Check, ensure};
use crate::isa::{Language, OperandKind, ResultKind, VertexVersion};

/// Registers, results and parameters of a whole program.
pub(super) fn check_program(program: &Program) -> Check {
    let Some(version) = program.language.vertex_version() else { return Ok(()) };
    let limits = limits::vertex(version);
    let addresses = program.temporaries.iter().filter(|t| t.ty == Type::Address).count();
    ensure(addresses <= usize::from(limits.addresses), "more address registers than there are")?;
    ensure(program.temporaries.iter().all(|t| t.ty != Type::F16), "vertex registers hold fp32")?;
    check_results(program)?;

    let mut seen = vec![false; usize::from(limits.parameters)];
    for parameter in &program.parameters {
        let ParameterSource::Register(number) = parameter.source else {
            return Err("a parameter that is no register".to_owned());
        };
        let place = seen.get_mut(usize::from(number)).ok_or("parameter number out of range")?;
        ensure(!std::mem::replace(place, true), "a parameter is listed twice")?;
    }
    let mut sources = program.instructions.iter().flat_map(|i| &i.operands).map(|o| o.source);
    if sources.any(|source| matches!(source, Source::Indexed(_))) {
        let in_order =
            program.parameters.iter().zip(0..).all(|(p, n)| p.source == ParameterSource::Register(n));
        ensure(
            in_order && program.parameters.len() == seen.len(),
            "relative addressing without the whole parameter file in order",
        )?;
    }
    Ok(())
}

/// What a program of each kind must and must not write.
fn check_results(program: &Program) -> Check {
    let optional = matches!(program.language, Language::Vp1_1 | Language::Vp2);
    ensure(optional || !program.position_invariant, "the language has no options")?;
    if program.language == Language::Vsp1 {
        ensure(program.outputs.is_empty(), "a state program writes a vertex result")?;
        let mut targets = program.instructions.iter().filter_map(|i| i.dest).map(|d| d.target);
        return ensure(targets.any(|t| matches!(t, Target::Param(_))), "no parameter is written");
    }
    for output in &program.outputs {
        let OutputRole::Vertex(result) = output.role else {
            return Err("a vertex program writes a fragment's outputs".to_owned());
        };
        let clip = matches!(result, VertexResult::Clp(_));
        ensure(!clip || program.language == Language::Vp2, "the language has no clip distances")?;
    }
    let position = program.output(OutputRole::Vertex(VertexResult::Hpos)).is_some();
    ensure(position != program.position_invariant, "the position is written and invariant, or neither")
}

/// Operands and destination of one instruction.
pub(super) fn check_instruction(
    program: &Program,
    instruction: &Instruction,
    version: VertexVersion,
) -> Check {
    let newest = version == VertexVersion::Vp2;
    let rules = if newest { Rules::Vertex2 } else { Rules::Vertex1 };
    ensure(instruction.rules == rules, "rules of another language")?;
    let info = instruction.op.info();
    for (operand, kind) in instruction.operands.iter().zip(info.operands_in(program.language)) {
        ensure(newest || !operand.absolute, "the language takes no absolute values")?;
        let is_address = program.source_type(operand.source) == Type::Address;
        ensure(is_address == (*kind == OperandKind::Address), "an address register is read as a number")?;
        if is_address {
            let plain = operand.swizzle == Swizzle::IDENTITY && !operand.negate && !operand.absolute;
            ensure(plain, "an address register with swizzle or sign")?;
        }
        if let Source::Indexed(indexed) = operand.source {
            check_indexed(program, indexed, limits::vertex(version))?;
        }
        let foreign = program.language == Language::Vsp1
            && matches!(operand.source, Source::Attribute(a) if a != Attribute::Vertex(0));
        ensure(!foreign, "a state program reads another attribute than v[0]")?;
    }
    let Some(destination) = instruction.dest else { return Ok(()) };
    ensure(newest || destination.test.is_none(), "the language has no condition codes")?;
    let is_address = program.target_type(destination.target) == Type::Address;
    ensure(
        is_address == (info.result == ResultKind::Address),
        "an address register is the destination of something else, or not where it must be",
    )?;
    ensure(newest || !is_address || destination.mask.0 == 1, "the address register has only x")?;
    match destination.target {
        Target::Temp(_) | Target::Output(_) => Ok(()),
        Target::Param(_) => {
            ensure(program.language == Language::Vsp1, "only state programs write parameters")
        }
        Target::ConditionOnly(ty) => ensure(newest && ty == Type::F32, "no such condition register"),
    }
}

fn check_indexed(program: &Program, indexed: Indexed, limits: limits::Vertex) -> Check {
    ensure(
        indexed.first.0 == 0 && indexed.count == limits.parameters,
        "a relative reference to a part of the parameter file",
    )?;
    ensure(indexed.component < limits.address_components, "address component out of range")?;
    let (low, high) = limits.offsets;
    ensure((low..=high).contains(&indexed.offset), "offset out of range")?;
    let restricted = program.position_invariant && program.language == Language::Vp1_1;
    ensure(!restricted, "relative addressing in a position-invariant program")
}
