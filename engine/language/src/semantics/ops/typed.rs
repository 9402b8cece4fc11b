//! Selects the component function for the type of an operation. Plans name the floating-point function. S32,
//! U32, S24 and U24 have functions of their own, and `long` handles the 64-bit types.

use super::{
    Arith, Fixed, Half, Kernel, MAX_INPUTS, Single, double_from_single_high, double_from_single_low, long,
    single_from_double,
};
use crate::ir::Type;
use crate::num::{Number, Word};

impl Kernel {
    /// The function that corresponds to `self` for values of type `ty`. A function without such a counterpart
    /// is returned unchanged.
    #[must_use]
    #[inline]
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
            // See `long::evaluate`.
            Type::F64 | Type::S64 | Type::U64 => self,
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
            (Self::Compare | Self::Choose, true) => Self::CmpSigned,
            (Self::Compare | Self::Choose, false) => Self::CmpUnsigned,
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

    /// The type to which operand `operand` of an operation of type `ty` is converted.
    pub const fn operand_type(self, ty: Type, operand: usize) -> Type {
        match self {
            // Rounding instructions and packing: `ty` is the type of the result.
            Self::Floor
            | Self::Ceil
            | Self::Round
            | Self::Trunc
            | Self::Pk2h
            | Self::Pk2us
            | Self::Pk4b
            | Self::Pk4ub
                if ty.is_integer() =>
            {
                Type::F32.sized_as(ty)
            }
            // For PK64, `ty` is the type of the 64-bit result.
            Self::Pack64 => ty.sized_as(Type::F32),
            // "The third operand and the result are always unsigned integers" (NV_gpu_program4 2.X.8, SAD).
            Self::SadSigned if operand == 2 => Type::U32.sized_as(ty),
            _ => ty,
        }
    }

    /// The type of the result of an operation of type `ty`.
    pub const fn result_type(self, ty: Type) -> Type {
        match self {
            // I2F and unpacking: `ty` is the type of the operand.
            Self::FloatFromSigned => Type::F32.sized_as(ty),
            Self::Unpack64Low | Self::Unpack64High => ty.sized_as(Type::F32),
            Self::Pack64 => ty,
            _ if self.reads_raw_bits() && ty.is_integer() => Type::F32,
            Self::SadSigned => Type::U32.sized_as(ty),
            _ => ty,
        }
    }

    /// Whether loading operand `operand` keeps its bits, denorms included (ruling 14 of NV_gpu_program4).
    pub const fn keeps_bits(self, operand: usize) -> bool {
        match self {
            Self::Bits => true,
            Self::Choose => operand > 0,
            _ => self.reads_raw_bits(),
        }
    }

    /// Whether the operand's bits are not a number (UP, PK64).
    pub const fn reads_raw_bits(self) -> bool {
        matches!(
            self,
            Self::Pack64
                | Self::Up2hLow
                | Self::Up2hHigh
                | Self::Up2usLow
                | Self::Up2usHigh
                | Self::Up4b0
                | Self::Up4b1
                | Self::Up4b2
                | Self::Up4b3
                | Self::Up4ub0
                | Self::Up4ub1
                | Self::Up4ub2
                | Self::Up4ub3
        )
    }
}

/// A component as two words, the low one first. The high word of a 32-bit component is 0.
pub type Words<N> = [N; 2];

/// Evaluates a component function in type `ty`.
#[inline(always)]
pub fn evaluate<N: Number>(kernel: Kernel, ty: Type, inputs: &[Words<N>; MAX_INPUTS]) -> Words<N> {
    if ty.is_wide() {
        return long::evaluate(kernel, ty, inputs);
    }
    let inputs = inputs.map(|[low, _]| low);
    [evaluate_word(kernel, ty, &inputs), N::of(0.0)]
}

/// Evaluates a component function in a type of at most 32 bits.
#[inline(always)]
pub fn evaluate_word<N: Number>(kernel: Kernel, ty: Type, inputs: &[N; MAX_INPUTS]) -> N {
    let kernel = kernel.of_type(ty);
    match ty {
        Type::F16 => kernel.eval::<Half, N>(inputs),
        Type::Fx12 => kernel.eval::<Fixed, N>(inputs),
        _ => kernel.eval::<Single, N>(inputs),
    }
}

/// Converts a component from the width of `from` to the width of `to`. `ty` is `to` for a load and `from` for
/// a write, and determines whether the bits are a float or an integer (NV_gpu_program4 2.X.4.3,
/// NV_gpu_program5 2.X.4.1).
#[inline(always)]
pub fn resize<N: Number>(value: Words<N>, ty: Type, from: Type, to: Type) -> Words<N> {
    let [low, high] = value;
    let zero = N::of(0.0);
    match (from.is_wide(), to.is_wide()) {
        (false, false) | (true, true) => value,
        (false, true) => match ty.sized_as(Type::F32) {
            Type::S32 => [low, low.bits().sar::<31>().number()],
            Type::U32 => [low, zero],
            _ => [double_from_single_low::<Single, N>(low), double_from_single_high::<Single, N>(low)],
        },
        (true, false) if ty.is_integer() => [low, zero],
        (true, false) => [single_from_double::<Single, N>(low, high), zero],
    }
}

/// The difference between two fragments of a quad (DDX, DDY), in type F32, F16 or FX12.
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
