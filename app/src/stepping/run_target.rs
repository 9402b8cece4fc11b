//! Kinds of step that a run can go to, forwards or backwards.

use super::Direction;
use super::background_query::place_of;
use shadestep_engine::debug::expression::Place;
use shadestep_engine::debug::{Register, Step};
use shadestep_engine::ir::Program;

/// A kind of step to run to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunTarget {
    /// A step that writes NaN or an infinity.
    NotFinite,
    /// A texture lookup.
    Lookup,
    /// A step that writes a component of a register, 0 = x.
    Write(Register, u8),
}

impl RunTarget {
    /// Whether `step` is of this kind.
    pub fn is(self, step: &Step) -> bool {
        match self {
            Self::NotFinite => step.changes.iter().any(|change| !change.is_finite()),
            Self::Lookup => step.texture.is_some(),
            Self::Write(register, component) => {
                step.changes.iter().any(|change| (change.place, change.component) == (register, component))
            }
        }
    }

    /// The message if a run of `program` has no such step in `direction`.
    pub fn missing(self, direction: Direction, program: Option<&Program>) -> String {
        let what = match self {
            Self::NotFinite => "NaN or infinity",
            Self::Lookup => "texture lookup",
            Self::Write(register, component) => {
                return format!(
                    "{}.{} is not written {}",
                    program.and_then(|program| name_of(register, program)).unwrap_or_default(),
                    ["x", "y", "z", "w"][usize::from(component)],
                    that_way(direction)
                );
            }
        };
        format!("No {what} {}", that_way(direction))
    }
}

/// The name in `program` of a register that a step can write.
pub fn name_of(register: Register, program: &Program) -> Option<String> {
    place_name(place_of(register), program)
}

/// The name of a register in `program`; `None` for constants.
pub fn place_name(place: Place, program: &Program) -> Option<String> {
    match place {
        Place::Temp(id) => Some(program.temporaries.get(usize::from(id.0))?.name.clone()),
        Place::Output(id) => Some(program.outputs.get(usize::from(id.0))?.name.clone()),
        Place::Attribute(attribute) => Some(attribute.register_in(program.language)),
        Place::Param(id) => program.parameters.get(usize::from(id.0))?.name_in(program.language),
        Place::Flags(register) => Some(register.name_in(program.language).to_owned()),
    }
}

/// The direction relative to the current step, in words.
pub const fn that_way(direction: Direction) -> &'static str {
    match direction {
        Direction::Forward => "after this step",
        Direction::Back => "before this step",
    }
}
