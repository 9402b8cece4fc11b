//! What CVT converts (NV_gpu_program5 2.X.8).

use super::Type;
pub use crate::isa::Format;
pub use crate::num::Rounding;

impl Format {
    /// The type that registers have it in: of integers one of the same sign, of F16 its bits.
    pub const fn ty(self) -> Type {
        match self {
            Self::F16 | Self::U8 | Self::U16 | Self::U32 => Type::U32,
            Self::F32 => Type::F32,
            Self::F64 => Type::F64,
            Self::S8 | Self::S16 | Self::S32 => Type::S32,
            Self::S64 => Type::S64,
            Self::U64 => Type::U64,
        }
    }
}

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
