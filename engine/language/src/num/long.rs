//! 64-bit integers as two words, the low one first (NV_gpu_program5 2.X.8, types S64 and U64).
//!
//! Each function is a straight line of operations of [`Word`]. Results that the specifications leave
//! undefined are 0, unless a function says otherwise.

use super::number::{Double, Rounding, Word};
use super::{fp64, integer};

/// The low 64 bits of the sum.
#[inline(always)]
pub fn add<W: Word>([a0, a1]: [W; 2], [b0, b1]: [W; 2]) -> [W; 2] {
    let low = a0.wrapping_add(b0);
    let carry = integer::mask::<W>(low.lt_unsigned(a0));
    [low, a1.wrapping_add(b1).wrapping_sub(carry)]
}

/// The low 64 bits of the difference.
#[inline(always)]
pub fn sub<W: Word>([a0, a1]: [W; 2], [b0, b1]: [W; 2]) -> [W; 2] {
    let borrow = integer::mask::<W>(a0.lt_unsigned(b0));
    [a0.wrapping_sub(b0), a1.wrapping_sub(b1).wrapping_add(borrow)]
}

/// The low 64 bits of -a.
#[inline(always)]
pub fn negate<W: Word>(a: [W; 2]) -> [W; 2] {
    sub([W::of(0); 2], a)
}

/// The low 64 bits of the product.
#[inline(always)]
pub fn mul<W: Word>([a0, a1]: [W; 2], [b0, b1]: [W; 2]) -> [W; 2] {
    let cross = a0.wrapping_mul(b1).wrapping_add(a1.wrapping_mul(b0));
    [a0.wrapping_mul(b0), integer::mul_high::<W, false>(a0, b0).wrapping_add(cross)]
}

/// All ones in both words if a is negative, else 0.
#[inline(always)]
fn sign<W: Word>([_, high]: [W; 2]) -> [W; 2] {
    [high.sar::<31>(); 2]
}

/// -a if `sign` is all ones, a if `sign` is 0.
#[inline(always)]
fn signed<W: Word>([low, high]: [W; 2], sign: [W; 2]) -> [W; 2] {
    sub([low ^ sign[0], high ^ sign[1]], sign)
}

/// The absolute value. The smallest signed integer is returned unchanged.
#[inline(always)]
pub fn abs<W: Word, const SIGNED: bool>(a: [W; 2]) -> [W; 2] {
    if SIGNED { signed(a, sign(a)) } else { a }
}

/// A shift count as one word. Counts of 2^32 and more, and negative ones, become one that is out of range.
#[inline(always)]
pub fn shift_count<W: Word>([low, high]: [W; 2]) -> W {
    W::select(high.bits_eq(W::of(0)), low, W::of(0x8000_0000))
}

/// Shifts left. Counts of 64 and more give 0.
#[inline(always)]
pub fn shl<W: Word>([low, high]: [W; 2], count: W) -> [W; 2] {
    // Word shifts by 32 and more give 0, and so do negative counts.
    let (rest, beyond) = (W::of(32).wrapping_sub(count), count.wrapping_sub(W::of(32)));
    [low.shl_by(count), high.shl_by(count) | low.shr_by(rest) | low.shl_by(beyond)]
}

/// Logical shift right. Counts of 64 and more give 0.
#[inline(always)]
pub fn shr<W: Word>([low, high]: [W; 2], count: W) -> [W; 2] {
    let (rest, beyond) = (W::of(32).wrapping_sub(count), count.wrapping_sub(W::of(32)));
    [low.shr_by(count) | high.shl_by(rest) | high.shr_by(beyond), high.shr_by(count)]
}

/// Arithmetic shift right. Counts of 64 and more give only the sign.
#[inline(always)]
pub fn sar<W: Word>([low, high]: [W; 2], count: W) -> [W; 2] {
    let (rest, beyond) = (W::of(32).wrapping_sub(count), count.wrapping_sub(W::of(32)));
    let near = low.shr_by(count) | high.shl_by(rest);
    let is_near = count.lt_unsigned(W::of(32));
    [W::select(is_near, near, high.sar_by(beyond)), high.sar_by(count)]
}

/// Whether a equals b.
#[inline(always)]
pub fn eq<W: Word>([a0, a1]: [W; 2], [b0, b1]: [W; 2]) -> W::Truth {
    a0.bits_eq(b0) & a1.bits_eq(b1)
}

/// a < b, signed if `SIGNED`.
#[inline(always)]
pub fn lt<W: Word, const SIGNED: bool>([a0, a1]: [W; 2], [b0, b1]: [W; 2]) -> W::Truth {
    let high = if SIGNED { a1.lt_signed(b1) } else { a1.lt_unsigned(b1) };
    high | (a1.bits_eq(b1) & a0.lt_unsigned(b0))
}

/// `yes` if `truth` holds, else `no`.
#[inline(always)]
pub fn select<W: Word>(truth: W::Truth, yes: [W; 2], no: [W; 2]) -> [W; 2] {
    [W::select(truth, yes[0], no[0]), W::select(truth, yes[1], no[1])]
}

#[inline(always)]
pub fn min<W: Word, const SIGNED: bool>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    select(lt::<W, SIGNED>(a, b), a, b)
}

#[inline(always)]
pub fn max<W: Word, const SIGNED: bool>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    select(lt::<W, SIGNED>(b, a), a, b)
}

/// All ones if `truth` holds, else 0.
#[inline(always)]
pub fn mask<W: Word>(truth: W::Truth) -> [W; 2] {
    [integer::mask(truth); 2]
}

/// Quotient and remainder of unsigned integers. Division by zero gives all ones and the dividend.
#[inline(always)]
fn divide_unsigned<W: Word>(a: [W; 2], b: [W; 2]) -> [[W; 2]; 2] {
    let one = [W::of(1), W::of(0)];
    // The reciprocal is slightly below 1/b, so quotients are never too large. The first is too small by at
    // most 2^14, the second by at most 1.
    let reciprocal = W::Double::of(1.0 - 1.0 / 1_125_899_906_842_624.0) / fp64::from_long::<W, false>(b);
    let estimate =
        |rest| fp64::to_long::<_, false>(Rounding::Trunc, fp64::from_long::<W, false>(rest) * reciprocal);
    let first = estimate(a);
    let rest = sub(a, mul(first, b));
    let second = estimate(rest);
    let (rest, quotient) = (sub(rest, mul(second, b)), add(first, second));
    let is_less = lt::<W, false>(rest, b);
    let quotient = select(is_less, quotient, add(quotient, one));
    let rest = select(is_less, rest, sub(rest, b));
    let by_zero = eq(b, [W::of(0); 2]);
    [select(by_zero, [W::of(u32::MAX); 2], quotient), select(by_zero, a, rest)]
}

/// Quotient and remainder. The quotient is rounded towards zero, and the remainder has the sign of the
/// dividend. Division by zero gives all ones and the dividend.
#[inline(always)]
pub fn divide<W: Word, const SIGNED: bool>(a: [W; 2], b: [W; 2]) -> [[W; 2]; 2] {
    let [quotient, rest] = divide_unsigned(abs::<W, SIGNED>(a), abs::<W, SIGNED>(b));
    if !SIGNED {
        return [quotient, rest];
    }
    let quotient = signed(quotient, sign([a[0] ^ b[0], a[1] ^ b[1]]));
    let by_zero = eq(b, [W::of(0); 2]);
    [select(by_zero, [W::of(u32::MAX); 2], quotient), signed(rest, sign(a))]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_long() -> impl Strategy<Value = u64> {
        prop_oneof![
            any::<u64>(),
            (0..64_u32, -2..=2_i64).prop_map(|(bit, by)| (1_u64 << bit).wrapping_add_signed(by)),
            (0..64_u32, any::<u64>()).prop_map(|(by, bits)| bits >> by),
        ]
    }

    fn halves(bits: u64) -> [u32; 2] {
        [bits as u32, (bits >> 32) as u32]
    }

    fn joined([low, high]: [u32; 2]) -> u64 {
        u64::from(high) << 32 | u64::from(low)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn sums_products_and_comparisons(a in any_long(), b in any_long()) {
            let (x, y) = (halves(a), halves(b));
            prop_assert_eq!(joined(add(x, y)), a.wrapping_add(b));
            prop_assert_eq!(joined(sub(x, y)), a.wrapping_sub(b));
            prop_assert_eq!(joined(mul(x, y)), a.wrapping_mul(b));
            prop_assert_eq!(joined(negate(x)), a.wrapping_neg());
            prop_assert_eq!(joined(abs::<u32, true>(x)), a.cast_signed().wrapping_abs().cast_unsigned());
            let (signed, other) = (a.cast_signed(), b.cast_signed());
            prop_assert_eq!((eq(x, y), lt::<u32, false>(x, y), lt::<u32, true>(x, y)), (a == b, a < b, signed < other));
            prop_assert_eq!(joined(min::<u32, true>(x, y)), signed.min(other).cast_unsigned());
            prop_assert_eq!(joined(max::<u32, false>(x, y)), a.max(b));
        }

        #[test]
        fn shifts(a in any_long(), count in prop_oneof![0..70_u32, any::<u32>()]) {
            let x = halves(a);
            prop_assert_eq!(joined(shl(x, count)), a.checked_shl(count).unwrap_or(0));
            prop_assert_eq!(joined(shr(x, count)), a.checked_shr(count).unwrap_or(0));
            prop_assert_eq!(joined(sar(x, count)), (a.cast_signed() >> count.min(63)).cast_unsigned());
        }

        #[test]
        fn quotients_and_remainders(a in any_long(), b in any_long()) {
            let expected = a.checked_div(b).map_or([u64::MAX, a], |quotient| [quotient, a % b]);
            prop_assert_eq!(divide::<u32, false>(halves(a), halves(b)).map(joined), expected);
            let (signed, by) = (a.cast_signed(), b.cast_signed());
            let expected = if by == 0 {
                [u64::MAX, a]
            } else {
                [signed.wrapping_div(by), signed.wrapping_rem(by)].map(i64::cast_unsigned)
            };
            prop_assert_eq!(divide::<u32, true>(halves(a), halves(b)).map(joined), expected);
        }
    }
}
