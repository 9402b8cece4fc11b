//! What CVT converts (NV_gpu_program5 2.X.8).

use crate::isa::Format;
use crate::num::Rounding;

/// What a CVT does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Conversion {
    /// What its operand is read as.
    pub from: Format,
    /// What its result is.
    pub to: Format,
    /// How a value is rounded that the result does not have.
    pub rounding: Rounding,
}

impl Conversion {
    /// The modifiers, as they stand behind the name of the instruction.
    pub fn text(self) -> String {
        let rounding = match self.rounding {
            // What is not written means it.
            Rounding::Round => String::new(),
            Rounding::Ceil | Rounding::Floor | Rounding::Trunc => format!(".{}", self.rounding.name()),
        };
        format!(".{}.{}{rounding}", self.to.name(), self.from.name())
    }
}
