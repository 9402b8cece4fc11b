//! [`Number`], [`Double`] and [`Word`]: the traits that all arithmetic is generic over.
//!
//! Implementations are plain numbers (`f32`, `f64`, `u32`) or symbols of a program that is being compiled
//! (`exec::lir`). So one source text of [`crate::semantics::ops`] and of this module both computes and
//! compiles. The traits have only IEEE operations and bit operations, and every implementation must give the
//! same bits.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

crate::named_enum! {
    /// The direction in which a number is rounded.
    pub enum Rounding {
        /// To nearest, ties to even.
        Round = "nearest",
        /// Up.
        Ceil = "up",
        /// Down.
        Floor = "down",
        /// Towards zero.
        Trunc = "zero",
    }
}

/// An fp32 value.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The type of its 32 bits.
    type Bits: Word<Number = Self, Truth = Self::Truth>;
    /// The type of comparison results.
    type Truth: Truth;

    /// A constant.
    fn of(value: f32) -> Self;
    /// The bits as they are.
    fn bits(self) -> Self::Bits;
    /// The square root, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;
    /// self < other. All comparisons except [`Self::ne`] are false for a NaN.
    fn lt(self, other: Self) -> Self::Truth;
    /// self <= other
    fn le(self, other: Self) -> Self::Truth;
    /// self == other
    fn eq(self, other: Self) -> Self::Truth;
    /// self != other
    fn ne(self, other: Self) -> Self::Truth;
    /// Whether either is a NaN.
    fn unordered(self, other: Self) -> Self::Truth;
    /// `yes` if `truth` holds, else `no`. Both are computed.
    #[must_use]
    fn select(truth: Self::Truth, yes: Self, no: Self) -> Self;
    /// The maximum; self + other if either is a NaN; +0.0 above -0.0.
    #[must_use]
    fn max_or_nan(self, other: Self) -> Self;
    /// The minimum; self + other if either is a NaN; -0.0 below +0.0.
    #[must_use]
    fn min_or_nan(self, other: Self) -> Self;

    /// self > other
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Truth {
        other.lt(self)
    }
    /// self >= other
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Truth {
        other.le(self)
    }
    /// Whether it is a NaN.
    #[inline(always)]
    fn is_nan(self) -> Self::Truth {
        self.unordered(self)
    }
    /// The absolute value: clears the sign bit.
    #[inline(always)]
    #[must_use]
    fn abs(self) -> Self {
        (self.bits() & Self::Bits::of(0x7FFF_FFFF)).number()
    }
    /// See [`super::fp32::flush`].
    #[inline(always)]
    #[must_use]
    fn flush(self) -> Self {
        let (bits, word) = (self.bits(), Self::Bits::of);
        let is_tiny = (bits & word(0x7F80_0000)).bits_eq(word(0));
        Self::Bits::select(is_tiny, bits & word(0x8000_0000), bits).number()
    }
    /// See [`super::fp32::canonical`].
    #[inline(always)]
    #[must_use]
    fn canonical(self) -> Self {
        Self::select(self.is_nan(), Self::nan(), self)
    }
    /// Rounds to an integer of the same sign. Infinities are unchanged, and a NaN gives a NaN.
    #[must_use]
    fn rounded(self, rounding: Rounding) -> Self;
    /// The integer part, rounded towards zero, as a signed integer. Values out of range and NaNs give
    /// `0x8000_0000`.
    fn truncated(self) -> Self::Bits;
    /// The canonical NaN (`fp32::NAN_BITS`).
    #[inline(always)]
    #[must_use]
    fn nan() -> Self {
        Self::of(f32::from_bits(super::fp32::NAN_BITS))
    }
}

/// An fp64 value. Denorms are kept.
pub trait Double:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The type of the low and the high half.
    type Word: Word<Double = Self, Truth = Self::Truth>;
    /// The type of comparison results.
    type Truth: Truth;

    /// A constant.
    fn of(value: f64) -> Self;
    /// The bits as two words, the low one first.
    fn words(self) -> [Self::Word; 2];
    /// The square root, correctly rounded.
    #[must_use]
    fn sqrt(self) -> Self;
    /// self < other. All comparisons are false for a NaN.
    fn lt(self, other: Self) -> Self::Truth;
    /// self <= other
    fn le(self, other: Self) -> Self::Truth;
    /// self == other
    fn eq(self, other: Self) -> Self::Truth;

    /// Whether it is a NaN.
    #[inline(always)]
    fn is_nan(self) -> Self::Truth {
        !self.eq(self)
    }
    /// `yes` if `truth` holds, else `no`. Both are computed.
    #[inline(always)]
    #[must_use]
    fn select(truth: Self::Truth, yes: Self, no: Self) -> Self {
        let ([a, b], [c, d]) = (yes.words(), no.words());
        Self::Word::double([Self::Word::select(truth, a, c), Self::Word::select(truth, b, d)])
    }
    /// Negation: inverts the sign bit.
    #[inline(always)]
    #[must_use]
    fn neg(self) -> Self {
        let [low, high] = self.words();
        Self::Word::double([low, high ^ Self::Word::of(0x8000_0000)])
    }
    /// The absolute value: clears the sign bit.
    #[inline(always)]
    #[must_use]
    fn abs(self) -> Self {
        let [low, high] = self.words();
        Self::Word::double([low, high & Self::Word::of(0x7FFF_FFFF)])
    }
    /// The magnitude of `self` with the sign of `other`.
    #[inline(always)]
    #[must_use]
    fn copysign(self, other: Self) -> Self {
        let ([low, high], [_, sign]) = (self.words(), other.words());
        let high = (high & Self::Word::of(0x7FFF_FFFF)) | (sign & Self::Word::of(0x8000_0000));
        Self::Word::double([low, high])
    }
    /// Replaces any NaN by the canonical one.
    #[inline(always)]
    #[must_use]
    fn canonical(self) -> Self {
        Self::select(self.is_nan(), Self::of(f64::from_bits(super::fp64::NAN_BITS)), self)
    }
}

/// The methods that `f32` and `f64` have in the same form.
macro_rules! of_float {
    () => {
        #[inline(always)]
        fn sqrt(self) -> Self {
            self.sqrt()
        }
        #[inline(always)]
        fn lt(self, other: Self) -> bool {
            self < other
        }
        #[inline(always)]
        fn le(self, other: Self) -> bool {
            self <= other
        }
        #[inline(always)]
        fn eq(self, other: Self) -> bool {
            self == other
        }
    };
}

impl Double for f64 {
    type Word = u32;
    type Truth = bool;

    #[inline(always)]
    fn of(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn words(self) -> [u32; 2] {
        let bits = self.to_bits();
        [bits as u32, (bits >> 32) as u32]
    }
    of_float! {}
}

/// A 32-bit word.
pub trait Word:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// The type of fp32 numbers with these bits.
    type Number: Number<Bits = Self, Truth = Self::Truth>;
    /// The type of fp64 numbers made of two words.
    type Double: Double<Word = Self, Truth = Self::Truth>;
    /// The type of comparison results.
    type Truth: Truth;

    /// A constant.
    fn of(bits: u32) -> Self;
    /// The fp64 with these bits, the low word first.
    fn double(words: [Self; 2]) -> Self::Double;
    /// The fp32 with these bits.
    fn number(self) -> Self::Number;
    /// The low 32 bits of the sum.
    #[must_use]
    fn wrapping_add(self, other: Self) -> Self;
    /// The low 32 bits of the difference.
    #[must_use]
    fn wrapping_sub(self, other: Self) -> Self;
    /// Shifts left by `COUNT`, which is below 32.
    #[must_use]
    fn shl<const COUNT: u32>(self) -> Self;
    /// Logical shift right by `COUNT`, which is below 32.
    #[must_use]
    fn shr<const COUNT: u32>(self) -> Self;
    /// Arithmetic shift right by `COUNT`, which is below 32.
    #[must_use]
    fn sar<const COUNT: u32>(self) -> Self;
    /// The low 32 bits of the product.
    #[must_use]
    fn wrapping_mul(self, other: Self) -> Self;
    /// Shifts left. Counts of 32 and more give 0.
    #[must_use]
    fn shl_by(self, count: Self) -> Self;
    /// Logical shift right. Counts of 32 and more give 0.
    #[must_use]
    fn shr_by(self, count: Self) -> Self;
    /// Arithmetic shift right. Counts of 32 and more give only the sign.
    #[must_use]
    fn sar_by(self, count: Self) -> Self;
    /// The minimum of signed integers.
    #[must_use]
    fn min_signed(self, other: Self) -> Self;
    /// The maximum of signed integers.
    #[must_use]
    fn max_signed(self, other: Self) -> Self;
    /// The minimum of unsigned integers.
    #[must_use]
    fn min_unsigned(self, other: Self) -> Self;
    /// The maximum of unsigned integers.
    #[must_use]
    fn max_unsigned(self, other: Self) -> Self;
    /// self < other, signed.
    fn lt_signed(self, other: Self) -> Self::Truth;
    /// self < other, unsigned.
    fn lt_unsigned(self, other: Self) -> Self::Truth;
    /// self == other
    fn bits_eq(self, other: Self) -> Self::Truth;
    /// `yes` if `truth` holds, else `no`.
    #[must_use]
    fn select(truth: Self::Truth, yes: Self, no: Self) -> Self;
    /// The signed integer as fp32, rounded to nearest.
    fn to_float(self) -> Self::Number;
    /// The unsigned integer as fp32, rounded to nearest.
    fn to_float_unsigned(self) -> Self::Number;
}

/// The result of a comparison.
pub trait Truth: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {}

impl Truth for bool {}

impl Number for f32 {
    type Bits = u32;
    type Truth = bool;

    #[inline(always)]
    fn of(value: f32) -> Self {
        value
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        self.to_bits()
    }
    of_float! {}
    #[inline(always)]
    fn ne(self, other: Self) -> bool {
        self != other
    }
    #[inline(always)]
    fn unordered(self, other: Self) -> bool {
        self.is_nan() | other.is_nan()
    }
    #[inline(always)]
    fn select(truth: bool, yes: Self, no: Self) -> Self {
        if truth { yes } else { no }
    }
    /// Avoids the library functions, which are calls unless the target is known to have such an instruction.
    #[inline(always)]
    fn rounded(self, rounding: Rounding) -> Self {
        // 2^23. From here on every fp32 is an integer.
        const ALL: f32 = 8_388_608.0;
        let size = self.abs();
        let near = ((size + ALL) - ALL).copysign(self);
        let whole = match rounding {
            Rounding::Round => near,
            Rounding::Floor => Self::select(near > self, near - 1.0, near),
            Rounding::Ceil => Self::select(near < self, near + 1.0, near),
            Rounding::Trunc => {
                let near = near.abs();
                Self::select(near > size, near - 1.0, near)
            }
        };
        Self::select(size < ALL, whole.copysign(self), self)
    }
    #[inline(always)]
    fn truncated(self) -> u32 {
        const END: f32 = 2_147_483_648.0;
        if self > -END && self < END { (self as i32).cast_unsigned() } else { 0x8000_0000 }
    }
    #[inline(always)]
    fn max_or_nan(self, other: Self) -> Self {
        // Each selects its second operand if both are equal. The two differ only for zeros of different
        // signs.
        let (first, second) =
            (if self > other { self } else { other }, if other > self { other } else { self });
        let merged = Self::from_bits(first.to_bits() & second.to_bits());
        if self.unordered(other) { self + other } else { merged }
    }
    #[inline(always)]
    fn min_or_nan(self, other: Self) -> Self {
        let (first, second) =
            (if self < other { self } else { other }, if other < self { other } else { self });
        let merged = Self::from_bits(first.to_bits() | second.to_bits());
        if self.unordered(other) { self + other } else { merged }
    }
}

impl Word for u32 {
    type Number = f32;
    type Double = f64;
    type Truth = bool;

    #[inline(always)]
    fn double([low, high]: [Self; 2]) -> f64 {
        f64::from_bits(u64::from(high) << 32 | u64::from(low))
    }
    #[inline(always)]
    fn wrapping_mul(self, other: Self) -> Self {
        self.wrapping_mul(other)
    }
    #[inline(always)]
    fn shl_by(self, count: Self) -> Self {
        if count < 32 { self << count } else { 0 }
    }
    #[inline(always)]
    fn shr_by(self, count: Self) -> Self {
        if count < 32 { self >> count } else { 0 }
    }
    #[inline(always)]
    fn sar_by(self, count: Self) -> Self {
        (self.cast_signed() >> count.min(31)).cast_unsigned()
    }
    #[inline(always)]
    fn min_signed(self, other: Self) -> Self {
        self.cast_signed().min(other.cast_signed()).cast_unsigned()
    }
    #[inline(always)]
    fn max_signed(self, other: Self) -> Self {
        self.cast_signed().max(other.cast_signed()).cast_unsigned()
    }
    #[inline(always)]
    fn min_unsigned(self, other: Self) -> Self {
        self.min(other)
    }
    #[inline(always)]
    fn max_unsigned(self, other: Self) -> Self {
        self.max(other)
    }
    #[inline(always)]
    fn lt_signed(self, other: Self) -> bool {
        self.cast_signed() < other.cast_signed()
    }

    #[inline(always)]
    fn of(bits: u32) -> Self {
        bits
    }
    #[inline(always)]
    fn number(self) -> f32 {
        f32::from_bits(self)
    }
    #[inline(always)]
    fn wrapping_add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn wrapping_sub(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn shl<const COUNT: u32>(self) -> Self {
        self << COUNT
    }
    #[inline(always)]
    fn shr<const COUNT: u32>(self) -> Self {
        self >> COUNT
    }
    #[inline(always)]
    fn sar<const COUNT: u32>(self) -> Self {
        (self.cast_signed() >> COUNT).cast_unsigned()
    }
    #[inline(always)]
    fn lt_unsigned(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn bits_eq(self, other: Self) -> bool {
        self == other
    }
    #[inline(always)]
    fn select(truth: bool, yes: Self, no: Self) -> Self {
        if truth { yes } else { no }
    }
    #[inline(always)]
    fn to_float(self) -> f32 {
        self.cast_signed() as f32
    }
    #[inline(always)]
    fn to_float_unsigned(self) -> f32 {
        self as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn numbers_are_rounded_as_the_library_rounds_them(bits in any::<u32>(), near in -20_000_000..20_000_000_i32) {
            for x in [f32::from_bits(bits), near as f32, near as f32 / 2.0, near as f32 / 65_536.0, near as f32 * 1e-45] {
                for (rounding, expected) in [
                    (Rounding::Round, x.round_ties_even()),
                    (Rounding::Ceil, x.ceil()),
                    (Rounding::Floor, x.floor()),
                    (Rounding::Trunc, x.trunc()),
                ] {
                    let found = x.rounded(rounding);
                    prop_assert!(found.to_bits() == expected.to_bits() || x.is_nan() && found.is_nan(), "{rounding:?} {x:e}");
                }
            }
        }
    }
}
