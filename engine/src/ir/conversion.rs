//! What CVT converts (NV_gpu_program5 2.X.8).

use super::Type;
pub use crate::num::integer::Rounding;

/// What a component is read as or written as: the storage modifiers of CVT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Half precision: the bits of a number in the lowest 16.
    F16,
    /// Single precision.
    F32,
    /// Double precision.
    F64,
    /// Signed integer of 8 bits.
    S8,
    /// Signed integer of 16 bits.
    S16,
    /// Signed integer of 32 bits.
    S32,
    /// Signed integer of 64 bits.
    S64,
    /// Unsigned integer of 8 bits.
    U8,
    /// Unsigned integer of 16 bits.
    U16,
    /// Unsigned integer of 32 bits.
    U32,
    /// Unsigned integer of 64 bits.
    U64,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::F16,
        Self::F32,
        Self::F64,
        Self::S8,
        Self::S16,
        Self::S32,
        Self::S64,
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
    ];

    /// The modifier.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F16 => "F16",
            Self::F32 => "F32",
            Self::F64 => "F64",
            Self::S8 => "S8",
            Self::S16 => "S16",
            Self::S32 => "S32",
            Self::S64 => "S64",
            Self::U8 => "U8",
            Self::U16 => "U16",
            Self::U32 => "U32",
            Self::U64 => "U64",
        }
    }

    /// Its number of bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::S8 | Self::U8 => 8,
            Self::F16 | Self::S16 | Self::U16 => 16,
            Self::F32 | Self::S32 | Self::U32 => 32,
            Self::F64 | Self::S64 | Self::U64 => 64,
        }
    }

    /// Whether it has a sign. Numbers have one.
    pub const fn is_signed(self) -> bool {
        !matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64)
    }

    /// Whether it is an integer.
    pub const fn is_integer(self) -> bool {
        !matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

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
            Rounding::Round => "",
            Rounding::Ceil => ".CEIL",
            Rounding::Floor => ".FLR",
            Rounding::Trunc => ".TRUNC",
        };
        format!(".{}.{}{rounding}", self.to.name(), self.from.name())
    }
}
