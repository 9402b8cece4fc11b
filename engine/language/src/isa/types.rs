//! The types of registers and operations, and the values that bits have under a type. The data types in the
//! text of programs are in `data`.

use super::{DataType, Format};

crate::named_enum! {
    /// The interpretation of the bits of a register component or an operation.
    pub enum Type {
        /// IEEE single precision with denorms flushed to zero.
        F32 = "F32",
        /// Half precision with denorms.
        F16 = "F16",
        /// 12-bit fixed point, 10 fraction bits, [-2, 2047/1024]. An operation type only.
        Fx12 = "FX12",
        /// An integer in an address register, stored as the equal fp32 value. A register type only: operations
        /// that load address registers have type F32.
        Address = "Address",
        /// Signed integer of 32 bits (NV_gpu_program4 2.X.4.1).
        S32 = "S32",
        /// Unsigned integer of 32 bits.
        U32 = "U32",
        /// Signed integer in the low 24 bits of a component. An operation type only: MUL.
        S24 = "S24",
        /// Unsigned integer in the low 24 bits of a component. An operation type only: MUL.
        U24 = "U24",
        /// IEEE double precision with denorms (NV_gpu_program5 2.X.4.1).
        F64 = "F64",
        /// Signed integer of 64 bits.
        S64 = "S64",
        /// Unsigned integer of 64 bits.
        U64 = "U64",
    }
}

/// The value of a register component or an operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// For F32, F16, FX12 and address registers.
    Single(f32),
    /// For F64.
    Double(f64),
    /// For S32, S24 and S64.
    Signed(i64),
    /// For U32, U24 and U64.
    Unsigned(u64),
}

impl From<f32> for Value {
    fn from(value: f32) -> Self {
        Self::Single(value)
    }
}

impl Value {
    pub const fn is_finite(self) -> bool {
        match self {
            Self::Single(value) => value.is_finite(),
            Self::Double(value) => value.is_finite(),
            Self::Signed(_) | Self::Unsigned(_) => true,
        }
    }
}

impl Type {
    /// The type of an operation whose name has `data`. Integers below 32 bits become 32-bit integers of the
    /// same sign.
    pub const fn of(data: DataType) -> Self {
        match data {
            DataType::F => Self::F32,
            DataType::S => Self::S32,
            DataType::U => Self::U32,
            // Operations compute in half precision. All other formats have the type that they have in
            // registers.
            DataType::Sized(Format::F16) => Self::F16,
            DataType::Sized(format) | DataType::Several(format, _) => format.ty(),
            DataType::S24 => Self::S24,
            DataType::U24 => Self::U24,
        }
    }

    #[inline]
    pub const fn is_integer(self) -> bool {
        match self {
            Self::S32 | Self::U32 | Self::S24 | Self::U24 | Self::S64 | Self::U64 => true,
            Self::F32 | Self::F16 | Self::Fx12 | Self::Address | Self::F64 => false,
        }
    }

    #[inline]
    pub const fn is_unsigned_integer(self) -> bool {
        matches!(self, Self::U32 | Self::U24 | Self::U64)
    }

    #[inline]
    pub const fn is_wide(self) -> bool {
        matches!(self, Self::F64 | Self::S64 | Self::U64)
    }

    /// The 32-bit or 64-bit type with the kind of `self` (float, signed or unsigned) and the width of
    /// `other`.
    #[must_use]
    #[inline]
    pub const fn sized_as(self, other: Self) -> Self {
        match (self.is_integer(), self.is_unsigned_integer(), other.is_wide()) {
            (false, _, false) => Self::F32,
            (false, _, true) => Self::F64,
            (true, false, false) => Self::S32,
            (true, false, true) => Self::S64,
            (true, true, false) => Self::U32,
            (true, true, true) => Self::U64,
        }
    }

    /// The type in which an operation of this type reads or writes a register of type `register`.
    #[inline]
    pub const fn in_register(self, register: Self) -> Self {
        match register {
            Self::Address => register,
            _ => self.sized_as(register),
        }
    }

    /// The value of `bits` under this type.
    #[inline]
    pub const fn value(self, bits: u64) -> Value {
        match self {
            Self::F32 | Self::F16 | Self::Fx12 | Self::Address => Value::Single(f32::from_bits(bits as u32)),
            Self::F64 => Value::Double(f64::from_bits(bits)),
            Self::S32 | Self::S24 => Value::Signed((bits as u32).cast_signed() as i64),
            Self::S64 => Value::Signed(bits.cast_signed()),
            Self::U32 | Self::U24 => Value::Unsigned(bits as u32 as u64),
            Self::U64 => Value::Unsigned(bits),
        }
    }
}
