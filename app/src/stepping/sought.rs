//! Targets of a run forwards or backwards.

use super::Direction;
use super::inquiry::place_of;
use shadestep_engine::debug::expression::Place;
use shadestep_engine::debug::{Register, Step};
use shadestep_engine::ir::Program;

/// A kind of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// One that writes NaN or an infinity.
    NotFinite,
    /// A texture lookup.
    Lookup,
    /// One that writes a component of a register, 0 = x.
    Write(Register, u8),
}

impl Sought {
    /// Whether a step is one.
    pub fn is(self, step: &Step) -> bool {
        match self {
            Self::NotFinite => step.changes.iter().any(|change| !change.is_finite()),
            Self::Lookup => step.texture.is_some(),
            Self::Write(register, component) => {
                step.changes.iter().any(|change| (change.place, change.component) == (register, component))
            }
        }
    }

    /// What is said where there is none that way in a run of `program`.
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

/// What `program` calls a register that a step can write.
pub fn name_of(register: Register, program: &Program) -> Option<String> {
    place_name(place_of(register), program)
}

/// What `program` calls a register; constants have no name.
pub fn place_name(place: Place, program: &Program) -> Option<String> {
    match place {
        Place::Temp(id) => Some(program.temporaries.get(usize::from(id.0))?.name.clone()),
        Place::Output(id) => Some(program.outputs.get(usize::from(id.0))?.name.clone()),
        Place::Attribute(attribute) => Some(attribute.register_in(program.language)),
        Place::Param(id) => program.parameters.get(usize::from(id.0))?.name_in(program.language),
        Place::Flags(register) => Some(register.name_in(program.language).to_owned()),
    }
}

/// Which way, seen from the current step.
pub const fn that_way(direction: Direction) -> &'static str {
    match direction {
        Direction::Forward => "after this step",
        Direction::Back => "before this step",
    }
}
