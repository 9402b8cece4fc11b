//! The types of operands and results of component functions, and conversions between widths.

use super::{Arith, Fixed, Half, Kernel, Single, Words};
use crate::ir::Type;
use crate::num::{Double, Number, Word, fp64};

impl Kernel {
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
            Self::Sad if operand == 2 => Type::U32.sized_as(ty),
            _ => ty,
        }
    }

    /// The type of the result of an operation of type `ty`.
    pub const fn result_type(self, ty: Type) -> Type {
        match self {
            // I2F and unpacking: `ty` is the type of the operand.
            Self::FloatFrom => Type::F32.sized_as(ty),
            Self::Unpack64Low | Self::Unpack64High => ty.sized_as(Type::F32),
            Self::Pack64 => ty,
            _ if self.reads_raw_bits() && ty.is_integer() => Type::F32,
            Self::Sad => Type::U32.sized_as(ty),
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
            _ => fp64::from_single(low).words().map(Word::number),
        },
        (true, false) if ty.is_integer() => [low, zero],
        (true, false) => [fp64::to_single(N::Bits::double([low.bits(), high.bits()])), zero],
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
