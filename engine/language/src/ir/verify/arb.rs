//! The additional checks for programs in ARB languages: features, options and limits that depend on the
//! language.

use super::super::{
    Attribute, Condition, Instruction, OutputRole, ParameterSource, Program, StateVector, Target, Type,
    VertexResult, limits,
};
use super::{Check, check_registers, ensure};
use crate::isa::{Language, Stage};

/// Checks registers, results, parameters and options of a whole program.
pub(super) fn check_program(program: &Program) -> Check {
    let language = program.language;
    let profile = language.profile();
    let fragment = profile.stage == Stage::Fragment;
    let halves = program.temporaries.iter().map(|t| t.ty).chain(program.outputs.iter().map(|o| o.ty));
    ensure(
        profile.half_variables || halves.into_iter().all(|ty| ty != Type::F16),
        "the language has no SHORT variables",
    )?;
    let addresses = program.temporaries.iter().any(|t| t.ty == Type::Address);
    ensure(!addresses || !profile.addresses.components.is_empty(), "the language has no address registers")?;
    for output in &program.outputs {
        let fits = match output.role {
            OutputRole::Color(buffer) => fragment && buffer < limits::DRAW_BUFFERS,
            OutputRole::Depth => fragment,
            OutputRole::SecondaryColor(buffer) => {
                program.options.dual_source && buffer < limits::DRAW_BUFFERS
            }
            OutputRole::SampleMask => has_sample_masks(language),
            OutputRole::Vertex(result) => result.is_in(language),
            OutputRole::Patch(_) => profile.stage == Stage::TessControl,
        };
        ensure(fits, "an output that the language has not")?;
    }
    let options = program.options;
    let dual_source = profile.options.contains(&"ARB_blend_func_extended");
    ensure(!options.dual_source || dual_source, "an option that the language has not")?;
    if fragment {
        ensure(!options.position_invariant, "an option of vertex programs")?;
    } else {
        let none = options.fog.is_none() && !options.origin_upper_left && !options.pixel_center_integer;
        ensure(none && !options.draw_buffers, "an option of fragment programs")?;
        let position = program.output(OutputRole::Vertex(VertexResult::Hpos)).is_some();
        ensure(!position || !options.position_invariant, "the position is written and invariant")?;
    }
    for parameter in &program.parameters {
        let fits = match &parameter.source {
            ParameterSource::Constant(_) => true,
            ParameterSource::Named { .. } => false,
            ParameterSource::Local(number) => usize::from(*number) < limits::LOCAL_PARAMETERS,
            ParameterSource::Env(number) => usize::from(*number) < limits::ENV_PARAMETERS,
            ParameterSource::State(state) => is_bindable(*state, language),
        };
        ensure(fits, "a parameter that the language has not, or out of range")?;
    }
    Ok(())
}

/// Whether fragment programs of the language have coverage masks (NV_gpu_program5).
fn has_sample_masks(language: Language) -> bool {
    Attribute::SampleMask.is_in(language)
}

fn is_bindable(state: StateVector, language: Language) -> bool {
    state.exists() && state.is_in(language)
}

/// Checks the operands and the destination of one instruction.
pub(super) fn check_instruction(program: &Program, instruction: &Instruction) -> Check {
    check_registers(program, instruction)?;
    let Some(destination) = instruction.dest() else { return Ok(()) };
    let always = destination.test.is_none_or(|test| test.condition == Condition::Tr);
    let whole = destination.mask.0 == 0xF && always;
    ensure(instruction.control().is_none() || whole, "POPA takes no masks")?;
    let has_codes = program.language.profile().condition_codes > 0;
    let sets_code = matches!(destination.target, Target::ConditionOnly(_));
    ensure(has_codes || !sets_code, "the language has no condition codes")
}
