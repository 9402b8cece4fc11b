//! The additional checks for programs in NV vertex languages, vertex state programs included.

use super::super::{
    Attribute, Element, Indirect, Instruction, OutputRole, ParamId, ParameterSource, Program, Source, Target,
    Type, VertexResult,
};
use super::{Check, check_registers, ensure};
use crate::isa::{Profile, Stage};

/// Checks registers, results and parameters of a whole program.
pub(super) fn check_program(program: &Program) -> Check {
    let limits = &program.language.profile().limits;
    let addresses = program.temporaries.iter().filter(|t| t.ty == Type::Address).count();
    ensure(addresses <= limits.addresses, "more address registers than there are")?;
    ensure(program.temporaries.iter().all(|t| t.ty != Type::F16), "vertex registers hold fp32")?;
    check_results(program)?;

    let mut seen = vec![false; limits.parameters];
    for parameter in &program.parameters {
        let ParameterSource::Env(number) = parameter.source else {
            return Err("a parameter that is not a register".to_owned());
        };
        let place = seen.get_mut(usize::from(number)).ok_or("parameter number out of range")?;
        ensure(!std::mem::replace(place, true), "a parameter is listed twice")?;
    }
    let mut sources = program.instructions.iter().flat_map(|i| &i.operands).map(|o| o.source);
    if sources.any(|source| source.indirect().is_some()) {
        let in_order = program.parameters.iter().zip(0..).all(|(p, n)| p.source == ParameterSource::Env(n));
        ensure(
            in_order && program.parameters.len() == seen.len(),
            "relative addressing without the whole parameter file in order",
        )?;
    }
    Ok(())
}

/// Checks the results that vertex and state programs must and must not write.
fn check_results(program: &Program) -> Check {
    let profile = program.language.profile();
    ensure(profile.has_options() || !program.options.position_invariant, "the language has no options")?;
    if profile.stage == Stage::VertexState {
        ensure(program.outputs.is_empty(), "a state program writes a vertex result")?;
        let mut targets = program.instructions.iter().filter_map(Instruction::target);
        return ensure(targets.any(|t| matches!(t, Target::Param(_))), "no parameter is written");
    }
    for output in &program.outputs {
        let OutputRole::Vertex(result) = output.role else {
            return Err("a vertex program writes a fragment's outputs".to_owned());
        };
        let clip = matches!(result, VertexResult::Clp(_));
        ensure(!clip || profile.clip_distances, "the language has no clip distances")?;
    }
    let position = program.output(OutputRole::Vertex(VertexResult::Hpos)).is_some();
    ensure(
        position != program.options.position_invariant,
        "the position is written and invariant, or neither",
    )
}

/// Checks the operands and the destination of one instruction.
pub(super) fn check_instruction(program: &Program, instruction: &Instruction) -> Check {
    check_registers(program, instruction)?;
    let profile = program.language.profile();
    let is_state_program = profile.stage == Stage::VertexState;
    for operand in &instruction.operands {
        if let Some(indirect) = operand.source.indirect() {
            check_indirect(program, indirect, profile)?;
        }
        let foreign =
            is_state_program && matches!(operand.source, Source::Attribute(a) if a != Attribute::Vertex(0));
        ensure(!foreign, "a state program reads another attribute than v[0]")?;
    }
    match instruction.target() {
        Some(Target::ConditionOnly(ty)) => {
            ensure(profile.condition_codes > 0 && ty == Type::F32, "no such condition register")
        }
        _ => Ok(()),
    }
}

fn check_indirect(program: &Program, indirect: Indirect, profile: &Profile) -> Check {
    ensure(
        indirect.first == Element::Param(ParamId(0))
            && usize::from(indirect.count) == profile.limits.parameters,
        "a relative reference to a part of the parameter file",
    )?;
    let restricted = program.options.position_invariant && !profile.relative_when_invariant;
    ensure(!restricted, "relative addressing in a position-invariant program")
}

#[cfg(test)]
mod tests {
    use super::super::verify;
    use super::*;
    use crate::ir::{
        CcRegister, CcTest, Condition, Control, Kind, Label, OutputId, Parameter, Semantics, Swizzle, TempId,
        Temporary, WriteMask,
    };
    use crate::isa::Opcode;
    use crate::source::Span;

    fn program(text: &str) -> Program {
        crate::front::load(text.as_bytes()).program.unwrap()
    }

    /// Checks that `verify` accepts `text` and refuses the program after `change`, with a message that
    /// contains `part`.
    #[track_caller]
    fn breaks(text: &str, part: &str, change: impl FnOnce(&mut Program)) {
        let mut broken = program(text);
        assert_eq!(verify(&broken), Ok(()));
        change(&mut broken);
        let fault = verify(&broken).unwrap_err();
        assert!(fault.message.contains(part), "{}", fault.message);
    }

    const VP2: &str = "!!VP2.0 a: ARL A0, v[1]; ADD o[HPOS], c[A0.y+3], c[A0.y+3].x; BRA a (EQ); RET; END";
    const VP1: &str = "!!VP1.1 ARL A0.x, v[1].x; MOV R0, c[A0.x]; SUB o[HPOS], R0, v[0]; END";
    const STATE: &str = "!!VSP1.0 MOV R0, v[0]; MOV c[3], R0; END";

    fn first(program: &mut Program) -> &mut Instruction {
        &mut program.instructions[0]
    }

    #[test]
    fn flow_stays_within_the_program() {
        breaks(VP2, "branch out of range", |p| {
            p.instructions[2].kind = Kind::Flow(Control::Branch { to: 5, test: None });
        });
        breaks(VP2, "without a label", |p| {
            p.instructions[2].kind = Kind::Flow(Control::Branch { to: 1, test: None });
        });
        breaks(VP2, "kind", |p| p.instructions[3].kind = p.instructions[0].kind);
        breaks(VP2, "kind", |p| p.instructions[3].kind = p.instructions[2].kind);
        breaks(VP2, "kind", |p| {
            first(p).kind = Kind::Flow(Control::Return { test: None });
        });
        breaks("!!VP2.0 a: MOV o[HPOS], v[0]; END", "label out of range", |p| p.labels[0].at = 2);
        breaks(VP2, "entry", |p| p.entry = 1);
        let label = Label { name: "l".to_owned(), at: 0, span: Span::default() };
        breaks(VP1, "no labels", |p| p.labels.push(label));
    }

    #[test]
    fn relative_references_are_those_of_the_language() {
        let indexed = |p: &mut Program, change: &dyn Fn(&mut Indirect)| {
            for operand in &mut p.instructions[1].operands {
                if let Source::Indirect(indexed) = &mut operand.source {
                    change(indexed);
                }
            }
        };
        breaks(VP2, "offset", |p| indexed(p, &|i| i.index.offset = 256));
        breaks(VP1, "offset", |p| indexed(p, &|i| i.index.offset = -65));
        breaks(VP1, "component", |p| indexed(p, &|i| i.index.register = Some((TempId(0), 1))));
        breaks(VP2, "part of the parameter file", |p| indexed(p, &|i| i.count = 96));
        breaks(VP2, "no such address", |p| {
            p.temporaries.push(Temporary { name: "R0".to_owned(), ty: Type::F32 });
            indexed(p, &|i| i.index.register = Some((TempId(1), 1)));
        });
        breaks(VP2, "two parameters", |p| {
            if let Source::Indirect(indexed) = &mut p.instructions[1].operands[0].source {
                indexed.index.offset = 4;
            }
        });
        breaks(VP2, "in order", |p| p.parameters.swap(0, 1));
        breaks(VP1, "position-invariant", |p| p.options.position_invariant = true);
    }

    #[test]
    fn what_a_language_lacks_is_noticed() {
        let test = CcTest { condition: Condition::Eq, swizzle: Swizzle::IDENTITY, register: CcRegister::Cc0 };
        breaks(VP1, "condition codes", |p| first(p).dest_mut().unwrap().test = Some(test));
        breaks(VP1, "absolute", |p| p.instructions[1].operands[0].absolute = true);
        breaks(VP1, "only x", |p| first(p).dest_mut().unwrap().mask = WriteMask(2));
        breaks(VP1, "semantics", |p| first(p).semantics = Semantics::NV_VERTEX_2);
        breaks(VP1, "does not belong", |p| p.instructions[1].op = Opcode::Flr);
        breaks(VP1, "C suffix", |p| p.instructions[1].write_mut().unwrap().update_cc = Some(CcRegister::Cc0));
        breaks(VP1, "condition register", |p| {
            p.instructions[1].dest_mut().unwrap().target = Target::ConditionOnly(Type::F32);
        });
        breaks(VP1, "clip", |p| p.outputs[0].role = OutputRole::Vertex(VertexResult::Clp(0)));
        breaks(VP1, "only state programs", |p| {
            p.instructions[1].dest_mut().unwrap().target = Target::Param(ParamId(0));
        });
        breaks(STATE, "another attribute", |p| {
            first(p).operands[0].source = Source::Attribute(Attribute::Vertex(1));
        });
        breaks(STATE, "no options", |p| p.options.position_invariant = true);
        breaks(STATE, "no parameter is written", |p| {
            p.instructions[1].dest_mut().unwrap().target = Target::Temp(TempId(0));
        });
        breaks(STATE, "output out of range", |p| {
            p.instructions[1].dest_mut().unwrap().target = Target::Output(OutputId(0));
        });
    }

    #[test]
    fn registers_keep_to_their_kinds() {
        breaks(VP2, "destination of something else", |p| {
            *p.instructions[1].dest_mut().unwrap() = *p.instructions[0].dest().unwrap()
        });
        breaks(VP2, "destination of something else", |p| {
            *p.instructions[0].dest_mut().unwrap() = *p.instructions[1].dest().unwrap()
        });
        breaks(VP2, "read as a number", |p| first(p).operands[0].source = Source::Temp(TempId(0)));
        breaks(VP2, "another stage", |p| first(p).operands[0].source = Source::Attribute(Attribute::Col0));
        breaks(VP2, "neither", |p| p.options.position_invariant = true);
        breaks(STATE, "twice", |p| p.parameters.push(p.parameters[0].clone()));
        breaks(STATE, "not a register", |p| {
            p.parameters.push(Parameter::from(ParameterSource::Local(0)));
        });
        breaks(STATE, "out of range", |p| {
            p.parameters.push(Parameter::from(ParameterSource::Env(96)));
        });
    }
}
