//! The operands for which the specifications leave a result undefined. The reference interpreter marks such
//! results in its trace. Their value is the result of the component function.

use super::{Kernel, MAX_INPUTS, Words};
use crate::ir::{Conversion, Format, Rounding, Saturation, Type};
use crate::num::{Number, fp64};

/// The value of a loaded integer of type `ty`.
fn integer(ty: Type, words: Words<f32>) -> i128 {
    let long = long(words);
    match ty {
        Type::S64 => long.cast_signed().into(),
        Type::U64 => long.into(),
        _ if ty.is_unsigned_integer() => (long as u32).into(),
        _ => (long as u32).cast_signed().into(),
    }
}

/// The value of a loaded float of the width of `ty`. fp32 denorms are zeros.
fn number(ty: Type, words: Words<f32>) -> f64 {
    if ty.is_wide() { f64::from_bits(long(words)) } else { words[0].flush().into() }
}

fn long([low, high]: Words<f32>) -> u64 {
    u64::from(high.to_bits()) << 32 | u64::from(low.to_bits())
}

/// The operands for which the specifications leave a result undefined (for integers, NV_gpu_program4 and
/// NV_gpu_program5 2.X.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    Never,
    /// "The results of an signed or unsigned integer division by zero are undefined."
    ZeroDivisor,
    /// "If the corresponding component of the first operand is negative or if the second operand is less than
    /// or equal to zero".
    Modulus,
    /// "Negative, or greater than or equal to the number of bits in the first operand".
    ShiftCount,
    /// "If a value is not exactly representable using the data type of the result".
    Rounded(Rounding),
    /// "If either operand is outside the range [-2^23,+2^23-1] for S24 or [0,2^24-1] for U24".
    Low24,
    /// Bits and offset must select a field within 32 bits.
    Field,
    /// "If the scalar operand is zero or negative", "less than or equal to zero".
    NotPositive,
}

/// Whether the specifications leave the result of `kernel` in type `ty` undefined for these inputs.
pub fn is_undefined(kernel: Kernel, ty: Type, inputs: &[Words<f32>; MAX_INPUTS]) -> bool {
    let [a, b, ..] = *inputs;
    match kernel.in_type(ty).undefined() {
        Undefined::Never => false,
        Undefined::ZeroDivisor => ty.is_integer() && integer(ty, b) == 0,
        Undefined::Modulus => integer(ty, a) < 0 || integer(ty, b) <= 0,
        Undefined::ShiftCount => !(0..if ty.is_wide() { 64 } else { 32 }).contains(&integer(ty, b)),
        Undefined::Rounded(rounding) => ty.is_integer() && !fits(ty, fp64::whole(rounding, number(ty, a))),
        Undefined::Low24 => {
            let range = if ty.is_unsigned_integer() { 0..1 << 24 } else { -(1 << 23)..1 << 23 };
            [a, b].iter().any(|&x| !range.contains(&integer(ty, x)))
        }
        Undefined::Field => {
            let (count, offset) = (integer(ty, a), integer(ty, b));
            count < 0 || !(0..32).contains(&offset) || count + offset > 32
        }
        Undefined::NotPositive => number(ty, a) <= 0.0,
    }
}

/// Whether an integer type can represent `whole`; false for a NaN.
fn fits(ty: Type, whole: f64) -> bool {
    let (least, end): (f64, f64) = match ty {
        Type::S64 => (-9_223_372_036_854_775_808.0, 9_223_372_036_854_775_808.0),
        Type::U64 => (0.0, 18_446_744_073_709_551_616.0),
        _ if ty.is_unsigned_integer() => (0.0, 4_294_967_296.0),
        _ => (-2_147_483_648.0, 2_147_483_648.0),
    };
    least <= whole && whole < end
}

/// Whether the specification leaves the conversion of `value` undefined: "-INF, +INF, and NaN to integers".
pub fn is_undefined_conversion(conversion: Conversion, value: Words<f32>) -> bool {
    let to_single = Conversion { to: Format::F32, rounding: Rounding::Trunc, ..conversion };
    let is_number = !conversion.from.is_integer() && conversion.to.is_integer();
    // With rounding towards zero, no finite number becomes an infinity.
    let [single, _] = super::convert(to_single, Saturation::None, value);
    is_number && !single.is_finite()
}
