//! The component functions by the type of an operation: what an opcode computes of numbers and what of integers.

use super::{Arith, Fixed, Half, Kernel, MAX_INPUTS, Single};
use crate::ir::Type;
use crate::num::Number;

impl Kernel {
    /// The function that does with values of `ty` what this one does with numbers. One that has no such counterpart
    /// stands for itself.
    #[must_use]
    pub const fn of_type(self, ty: Type) -> Self {
        match ty {
            Type::F32 | Type::F16 | Type::Fx12 | Type::Address => self,
            Type::S24 => match self {
                Self::Mul => Self::Mul24Signed,
                _ => self.of_integers(true),
            },
            Type::U24 => match self {
                Self::Mul => Self::Mul24Unsigned,
                _ => self.of_integers(false),
            },
            Type::S32 => self.of_integers(true),
            Type::U32 => self.of_integers(false),
        }
    }

    const fn of_integers(self, signed: bool) -> Self {
        match (self, signed) {
            // STR.
            (Self::One, _) => Self::AllOnes,
            (Self::Copy, _) => Self::Bits,
            (Self::Add, _) => Self::IntAdd,
            (Self::Sub, _) => Self::IntSub,
            (Self::Mul, _) => Self::IntMul,
            (Self::Mad, _) => Self::IntMad,
            (Self::Negate, _) => Self::IntNegate,
            (Self::Absolute | Self::Magnitude, true) => Self::IntMagnitude,
            (Self::Absolute | Self::Magnitude, false) => Self::Bits,
            (Self::NegateAbsolute, true) => Self::IntNegateMagnitude,
            (Self::NegateAbsolute, false) => Self::IntNegate,
            (Self::Max, true) => Self::MaxSigned,
            (Self::Max, false) => Self::MaxUnsigned,
            (Self::Min, true) => Self::MinSigned,
            (Self::Min, false) => Self::MinUnsigned,
            (Self::Div, true) => Self::DivSigned,
            (Self::Div, false) => Self::DivUnsigned,
            (Self::ModSigned, false) => Self::ModUnsigned,
            (Self::MulHighSigned, false) => Self::MulHighUnsigned,
            (Self::ShiftRightSigned, false) => Self::ShiftRightUnsigned,
            (Self::SadSigned, false) => Self::SadUnsigned,
            (Self::BfeSigned, false) => Self::BfeUnsigned,
            (Self::BtfmSigned, false) => Self::BtfmUnsigned,
            (Self::FloatFromSigned, false) => Self::FloatFromUnsigned,
            (Self::Compare, true) => Self::CmpSigned,
            (Self::Compare, false) => Self::CmpUnsigned,
            (Self::Floor, true) => Self::FloorToSigned,
            (Self::Floor, false) => Self::FloorToUnsigned,
            (Self::Ceil, true) => Self::CeilToSigned,
            (Self::Ceil, false) => Self::CeilToUnsigned,
            (Self::Round, true) => Self::RoundToSigned,
            (Self::Round, false) => Self::RoundToUnsigned,
            (Self::Trunc, true) => Self::TruncToSigned,
            (Self::Trunc, false) => Self::TruncToUnsigned,
            (Self::Seq | Self::SeqOrNan, _) => Self::IntSeq,
            (Self::Sne | Self::SneOrNan, _) => Self::IntSne,
            (Self::Slt | Self::SltOrNan, true) => Self::SltSigned,
            (Self::Slt | Self::SltOrNan, false) => Self::SltUnsigned,
            (Self::Sle | Self::SleOrNan, true) => Self::SleSigned,
            (Self::Sle | Self::SleOrNan, false) => Self::SleUnsigned,
            (Self::Sgt | Self::SgtOrNan, true) => Self::SgtSigned,
            (Self::Sgt | Self::SgtOrNan, false) => Self::SgtUnsigned,
            (Self::Sge | Self::SgeOrNan, true) => Self::SgeSigned,
            (Self::Sge | Self::SgeOrNan, false) => Self::SgeUnsigned,
            _ => self,
        }
    }

    /// Whether it takes numbers whatever the type of the operation, which is that of its result (FLR and the like).
    pub const fn takes_numbers(self) -> bool {
        matches!(self, Self::Floor | Self::Ceil | Self::Round | Self::Trunc)
    }
}

/// What a component function computes in a type.
#[inline(always)]
pub fn evaluate<N: Number>(kernel: Kernel, ty: Type, inputs: &[N; MAX_INPUTS]) -> N {
    let kernel = kernel.of_type(ty);
    match ty {
        Type::F16 => kernel.eval::<Half, N>(inputs),
        Type::Fx12 => kernel.eval::<Fixed, N>(inputs),
        Type::F32 | Type::Address | Type::S32 | Type::U32 | Type::S24 | Type::U24 => {
            kernel.eval::<Single, N>(inputs)
        }
    }
}

/// Difference of two fragments of a quad (DDX, DDY).
#[inline(always)]
pub fn difference<N: Number>(ty: Type, from: N, to: N) -> N {
    #[inline(always)]
    fn of<A: Arith, N: Number>(from: N, to: N) -> N {
        A::done(A::load(to) - A::load(from))
    }
    match ty {
        Type::F16 => of::<Half, N>(from, to),
        Type::Fx12 => of::<Fixed, N>(from, to),
        _ => of::<Single, N>(from, to),
    }
}
