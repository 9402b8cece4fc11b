//! fp64: IEEE double precision with denorms (ruling 14 of NV_gpu_program4), its conversions, and rounding to
//! integers.
//!
//! As in all of `num`, each function is a straight line of IEEE operations, so that every executor computes
//! the same bits.

use super::number::{Double, Number, Rounding, Word};

/// The only NaN that arithmetic returns.
pub const NAN_BITS: u64 = 0x7FF8_0000_0000_0000;

/// 2^52. From here on every fp64 is an integer.
const ALL_INTEGERS: f64 = 4_503_599_627_370_496.0;

/// Rounds `x` to an integer, as an fp64. Zeros and infinities keep their sign.
#[inline(always)]
pub fn whole<D: Double>(rounding: Rounding, x: D) -> D {
    let (all, one) = (D::of(ALL_INTEGERS), D::of(1.0));
    let size = x.abs();
    // Rounded as magnitudes; the sign then decides the direction.
    let near = (size + all) - all;
    let above = D::select(near.lt(size), near + one, near);
    let below = D::select(size.lt(near), near - one, near);
    let is_negative = x.lt(D::of(0.0));
    let rounded = match rounding {
        Rounding::Round => near,
        Rounding::Trunc => below,
        Rounding::Ceil => D::select(is_negative, below, above),
        Rounding::Floor => D::select(is_negative, above, below),
    };
    D::select(size.lt(all), rounded.copysign(x), x)
}

/// The fp64 that equals an fp32. A denorm counts as zero, and any NaN gives [`NAN_BITS`].
#[inline(always)]
pub fn from_single<N: Number>(x: N) -> <N::Bits as Word>::Double {
    let word = N::Bits::of;
    let (bits, magnitude) = (x.bits(), x.bits() & word(0x7FFF_FFFF));
    // The exponent biases differ by 896, and the exponents of infinities by twice as much.
    let high = magnitude.shr::<3>().wrapping_add(word(896 << 20));
    let is_large = !magnitude.lt_unsigned(word(0x7F80_0000));
    let high = N::Bits::select(is_large, word(0x7FF0_0000), high);
    let is_tiny = magnitude.lt_unsigned(word(0x0080_0000));
    let [low, high] = [bits.shl::<29>(), high].map(|half| N::Bits::select(is_tiny, word(0), half));
    let low = N::Bits::select(is_large, word(0), low);
    let high = high | (bits & word(0x8000_0000));
    let number = N::Bits::double([low, high]);
    let nan = <N::Bits as Word>::Double::of(f64::from_bits(NAN_BITS));
    <N::Bits as Word>::Double::select(x.is_nan(), nan, number)
}

/// The nearest fp32, ties to even. A result below the smallest normal fp32 becomes zero, and any NaN gives
/// [`super::fp32::NAN_BITS`].
#[inline(always)]
pub fn to_single<D: Double>(x: D) -> <D::Word as Word>::Number {
    let word = <D::Word as Word>::of;
    let [low, high] = x.words();
    let magnitude = high & word(0x7FFF_FFFF);
    // The exponent and digits in fp32's format, and the digits to round away.
    let digits = magnitude.wrapping_sub(word(896 << 20)).shl::<3>() | low.shr::<29>();
    let rest = low & word(0x1FFF_FFFF);
    let half = word(0x1000_0000);
    let is_more = half.lt_unsigned(rest) | (rest.bits_eq(half) & (digits & word(1)).bits_eq(word(1)));
    let rounded = digits.wrapping_add(D::Word::select(is_more, word(1), word(0)));
    // Exponents from 896, which rounding may raise to 1, up to the exponent of the largest fp32.
    let is_below = magnitude.lt_unsigned(word(897 << 20)) & rounded.lt_unsigned(word(0x0080_0000));
    let is_tiny = magnitude.lt_unsigned(word(896 << 20)) | is_below;
    let is_large = !magnitude.lt_unsigned(word((896 + 255) << 20)) | !rounded.lt_unsigned(word(0x7F80_0000));
    let finite = D::Word::select(is_large, word(0x7F80_0000), rounded);
    let number = D::Word::select(is_tiny, word(0), finite) | (high & word(0x8000_0000));
    D::Word::select(x.is_nan(), word(super::fp32::NAN_BITS), number).number()
}

/// The fp64 that equals a 32-bit unsigned integer.
#[inline(always)]
pub fn from_unsigned<W: Word>(a: W) -> W::Double {
    // The bits of 2^52 + a.
    W::double([a, W::of(0x4330_0000)]) - W::Double::of(ALL_INTEGERS)
}

/// The fp64 that equals a 32-bit signed integer.
#[inline(always)]
pub fn from_signed<W: Word>(a: W) -> W::Double {
    let shifted = a ^ W::of(0x8000_0000);
    W::double([shifted, W::of(0x4330_0000)]) - W::Double::of(ALL_INTEGERS + 2_147_483_648.0)
}

/// The nearest fp64 to a 64-bit integer, low word first.
#[inline(always)]
pub fn from_long<W: Word, const SIGNED: bool>([low, high]: [W; 2]) -> W::Double {
    let high = if SIGNED { from_signed(high) } else { from_unsigned(high) };
    // Both parts are exact, so only the sum is rounded.
    high * W::Double::of(4_294_967_296.0) + from_unsigned(low)
}

/// Rounds to an integer and returns its low 64 bits. NaN gives 0, and an infinity gives the nearer of `ends`.
#[inline(always)]
pub fn low_bits<D: Double>(rounding: Rounding, x: D, ends: [u64; 2]) -> [D::Word; 2] {
    let word = <D::Word as Word>::of;
    let whole = whole(rounding, x);
    let [low, high] = whole.abs().words();
    let digits = [low, (high & word(0x000F_FFFF)) | word(0x0010_0000)];
    let exponent = high.shr::<20>();
    // 53 digits, shifted by the difference to the exponent of 2^52.
    let (up, down) = (exponent.wrapping_sub(word(1075)), word(1075).wrapping_sub(exponent));
    let is_up = !exponent.lt_unsigned(word(1075));
    let (larger, smaller) = (super::long::shl(digits, up), super::long::shr(digits, down));
    let size = [0, 1].map(|half| D::Word::select(is_up, larger[half], smaller[half]));
    let is_negative = x.lt(D::of(0.0));
    let negated = super::long::negate(size);
    let is_infinite = whole.abs().eq(D::of(f64::INFINITY));
    [0, 1].map(|half| {
        let [first, last] = ends.map(|end| word((end >> (32 * half)) as u32));
        let end = D::Word::select(is_negative, first, last);
        let number = D::Word::select(is_negative, negated[half], size[half]);
        let number = D::Word::select(is_infinite, end, number);
        D::Word::select(x.is_nan(), word(0), number)
    })
}

/// Rounds to an integer and returns its low 64 bits. NaN gives 0, and an infinity the nearest end of the
/// range.
#[inline(always)]
pub fn to_long<D: Double, const SIGNED: bool>(rounding: Rounding, x: D) -> [D::Word; 2] {
    low_bits(rounding, x, if SIGNED { [1 << 63, i64::MAX.cast_unsigned()] } else { [0, u64::MAX] })
}

/// The minimum; NaN if either is a NaN. -0.0 is less than +0.0.
#[inline(always)]
pub fn min<D: Double>(a: D, b: D) -> D {
    let ordered = D::select(a.lt(b), a, b);
    // Of two zeros, select the negative one.
    let ([low, high], [_, sign]) = (ordered.words(), a.words());
    let zero = D::Word::double([low, high | (sign & D::Word::of(0x8000_0000))]);
    let number = D::select(a.eq(b), zero, ordered);
    D::select(a.is_nan() | b.is_nan(), a + b, number)
}

/// The maximum; NaN if either is a NaN. +0.0 is greater than -0.0.
#[inline(always)]
pub fn max<D: Double>(a: D, b: D) -> D {
    min(a.neg(), b.neg()).neg()
}

/// 1, 0 or -1 according to the sign. NaN stays NaN.
#[inline(always)]
pub fn sign<D: Double>(a: D) -> D {
    let zero = D::of(0.0);
    let negative = D::select(a.lt(zero), D::of(-1.0), zero);
    let sign = D::select(zero.lt(a), D::of(1.0), negative);
    D::select(a.is_nan(), a, sign)
}

/// Clamps to [least, 1]. NaN passes both comparisons.
#[inline(always)]
pub fn clamp<D: Double>(a: D, least: f64) -> D {
    let (least, most) = (D::of(least), D::of(1.0));
    let a = D::select(most.lt(a), most, a);
    D::select(a.lt(least), least, a)
}

/// 1.0 if `truth` holds, else 0.0.
#[inline(always)]
pub fn one_if<D: Double>(truth: D::Truth) -> D {
    D::select(truth, D::of(1.0), D::of(0.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers of any exponent, multiples of 1/4, and midpoints of fp32 numbers with their neighbours.
    fn any_double() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<u64>().prop_map(f64::from_bits),
            (-4000..4000_i32).prop_map(|n| f64::from(n) / 4.0),
            (any::<f32>(), -1..=1_i64).prop_map(|(x, by)| {
                let next = f32::from_bits(x.to_bits() ^ 1);
                let middle = f64::midpoint(f64::from(x), f64::from(next));
                f64::from_bits(middle.to_bits().wrapping_add_signed(by))
            }),
            (0..2046_u64, any::<u64>(), 0..52_u32).prop_map(|(exponent, digits, zeros)| {
                f64::from_bits(exponent << 52 | digits << 12 >> 12 >> zeros << zeros)
            }),
            (any::<i64>(), 0..64_u32).prop_map(|(n, by)| (n >> by) as f64),
        ]
    }

    fn joined([low, high]: [u32; 2]) -> u64 {
        u64::from(high) << 32 | u64::from(low)
    }

    fn halves(bits: u64) -> [u32; 2] {
        [bits as u32, (bits >> 32) as u32]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn whole_numbers(x in any_double()) {
            for (rounding, expected) in [
                (Rounding::Round, x.round_ties_even()),
                (Rounding::Ceil, x.ceil()),
                (Rounding::Floor, x.floor()),
                (Rounding::Trunc, x.trunc()),
            ] {
                let found = whole(rounding, x);
                prop_assert!(found.to_bits() == expected.to_bits() || x.is_nan(), "{rounding:?} {x:e}: {found:e}");
                let low = if expected.is_finite() { (expected % 18_446_744_073_709_551_616.0) as i128 as u64 } else { 0 };
                let ends = |first, last| match (x.is_nan(), x.is_finite()) {
                    (true, _) => 0,
                    (_, true) => low,
                    _ => if x > 0.0 { last } else { first },
                };
                prop_assert_eq!(joined(to_long::<_, true>(rounding, x)), ends(1 << 63, u64::MAX >> 1), "{:?} {:e}", rounding, x);
                prop_assert_eq!(joined(to_long::<_, false>(rounding, x)), ends(0, u64::MAX), "{:?} {:e}", rounding, x);
            }
        }

        #[test]
        fn singles(x in any_double(), y in any::<u32>().prop_map(f32::from_bits)) {
            let expected = if x.is_nan() { f32::from_bits(crate::num::fp32::NAN_BITS) } else { x as f32 };
            // Near the smallest normal fp32, digits are rounded as if there were no denorms, unlike Rust's
            // conversion.
            let near_tiny = x.abs() > 1.17e-38 && x.abs() < 1.18e-38;
            if !near_tiny {
                prop_assert_eq!(to_single(x).to_bits(), expected.flush().to_bits(), "{:e}", x);
            }
            let expected = if y.is_nan() { f64::from_bits(NAN_BITS) } else { f64::from(y.flush()) };
            prop_assert_eq!(from_single(y).to_bits(), expected.to_bits(), "{:e}", y);
        }

        #[test]
        fn integers(a in any::<u64>(), by in 0..64_u32) {
            let a = a >> by;
            prop_assert_eq!(from_unsigned(a as u32), f64::from(a as u32));
            prop_assert_eq!(from_signed(a as u32), f64::from(a as i32));
            prop_assert_eq!(from_long::<u32, false>(halves(a)), a as f64);
            let signed = a.cast_signed().wrapping_neg();
            prop_assert_eq!(from_long::<u32, true>(halves(signed.cast_unsigned())), signed as f64);
        }
    }
}
