//! What a run is gone through for, in either direction.

use super::Direction;
use shadestep_engine::debug::{Register, Step};

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

    /// What is said where there is none that way.
    pub fn missing(self, direction: Direction) -> String {
        let what = match self {
            Self::NotFinite => "NaN or infinity is written",
            Self::Lookup => "texture is looked up",
            Self::Write(_, component) => {
                return format!(
                    "{} is not written {}",
                    ["x", "y", "z", "w"][usize::from(component)],
                    that_way(direction)
                );
            }
        };
        format!("No {what} {}", that_way(direction))
    }
}

const fn that_way(direction: Direction) -> &'static str {
    match direction {
        Direction::Forward => "behind this step",
        Direction::Back => "before this step",
    }
}
