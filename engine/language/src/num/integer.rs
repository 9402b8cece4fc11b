//! Functions on 32-bit integers beyond the operations of [`Word`]: 64-bit products, division, bit fields, and
//! conversion from and to fp32 (NV_gpu_program4 and NV_gpu_program5 2.X.8).
//!
//! Each function is a straight line of operations of [`Word`] and [`Number`]. Results that the specifications
//! leave undefined are 0, unless a function says otherwise. 64-bit integers are in [`super::long`].

use super::number::{Number, Rounding, Word};

const ALL: u32 = u32::MAX;

/// All ones where `truth` holds, else 0.
#[inline(always)]
pub fn mask<W: Word>(truth: W::Truth) -> W {
    W::select(truth, W::of(ALL), W::of(0))
}

/// a < b
#[inline(always)]
pub fn lt<W: Word, const SIGNED: bool>(a: W, b: W) -> W::Truth {
    if SIGNED { a.lt_signed(b) } else { a.lt_unsigned(b) }
}

#[inline(always)]
pub fn min<W: Word, const SIGNED: bool>(a: W, b: W) -> W {
    if SIGNED { a.min_signed(b) } else { a.min_unsigned(b) }
}

#[inline(always)]
pub fn max<W: Word, const SIGNED: bool>(a: W, b: W) -> W {
    if SIGNED { a.max_signed(b) } else { a.max_unsigned(b) }
}

/// The product of the low 24 bits of a and b.
#[inline(always)]
pub fn mul_24<W: Word, const SIGNED: bool>(a: W, b: W) -> W {
    let low = |x: W| if SIGNED { x.shl::<8>().sar::<8>() } else { x & W::of(0x00FF_FFFF) };
    low(a).wrapping_mul(low(b))
}

/// The high half of the product, computed from 16-bit halves.
#[inline(always)]
pub fn mul_high<W: Word, const SIGNED: bool>(a: W, b: W) -> W {
    let low = |x: W| x & W::of(0xFFFF);
    let ([a0, a1], [b0, b1]) = ([low(a), a.shr::<16>()], [low(b), b.shr::<16>()]);
    let middle = a1.wrapping_mul(b0).wrapping_add(a0.wrapping_mul(b0).shr::<16>());
    let other = a0.wrapping_mul(b1).wrapping_add(low(middle));
    let high = a1.wrapping_mul(b1).wrapping_add(middle.shr::<16>()).wrapping_add(other.shr::<16>());
    if !SIGNED {
        return high;
    }
    high.wrapping_sub((a.sar::<31>() & b).wrapping_add(b.sar::<31>() & a))
}

/// -a if `sign` is all ones, a if `sign` is 0.
#[inline(always)]
fn signed<W: Word>(a: W, sign: W) -> W {
    (a ^ sign).wrapping_sub(sign)
}

/// The absolute value. The smallest signed integer is returned unchanged.
#[inline(always)]
pub fn abs<W: Word, const SIGNED: bool>(a: W) -> W {
    if SIGNED { signed(a, a.sar::<31>()) } else { a }
}

/// Quotient and remainder of unsigned integers. Division by zero gives all ones and the dividend.
#[inline(always)]
fn divide_unsigned<W: Word>(a: W, b: W) -> [W; 2] {
    // The reciprocal is slightly below 1/b, so quotients are never too large. The first is too small by at
    // most 2^11, the second by at most 1.
    let reciprocal = W::Number::of(0.999_999_4) / b.to_float_unsigned();
    let estimate = |rest: W| to_unsigned::<W>(rest.to_float_unsigned() * reciprocal);
    let first = estimate(a);
    let rest = a.wrapping_sub(first.wrapping_mul(b));
    let second = estimate(rest);
    let rest = rest.wrapping_sub(second.wrapping_mul(b));
    let quotient = first.wrapping_add(second);
    let is_less = rest.lt_unsigned(b);
    let quotient = W::select(is_less, quotient, quotient.wrapping_add(W::of(1)));
    let rest = W::select(is_less, rest, rest.wrapping_sub(b));
    let by_zero = b.bits_eq(W::of(0));
    [W::select(by_zero, W::of(ALL), quotient), W::select(by_zero, a, rest)]
}

/// Quotient and remainder. The quotient is rounded towards zero, and the remainder has the sign of the
/// dividend. Division by zero gives all ones and the dividend.
#[inline(always)]
pub fn divide<W: Word, const SIGNED: bool>(a: W, b: W) -> [W; 2] {
    let [quotient, rest] = divide_unsigned(abs::<W, SIGNED>(a), abs::<W, SIGNED>(b));
    if !SIGNED {
        return [quotient, rest];
    }
    let quotient = signed(quotient, (a ^ b).sar::<31>());
    let by_zero = b.bits_eq(W::of(0));
    [W::select(by_zero, W::of(ALL), quotient), signed(rest, a.sar::<31>())]
}

/// BTC: the number of set bits.
#[inline(always)]
pub fn count_ones<W: Word>(a: W) -> W {
    let pairs = a.wrapping_sub(a.shr::<1>() & W::of(0x5555_5555));
    let nibbles = (pairs & W::of(0x3333_3333)).wrapping_add(pairs.shr::<2>() & W::of(0x3333_3333));
    let bytes = nibbles.wrapping_add(nibbles.shr::<4>()) & W::of(0x0F0F_0F0F);
    bytes.wrapping_mul(W::of(0x0101_0101)).shr::<24>()
}

/// BFR: the bits in reverse order.
#[inline(always)]
pub fn reverse<W: Word>(a: W) -> W {
    let swap = |high: W, low: W, mask: u32| (high & W::of(mask)) | (low & W::of(!mask));
    let a = swap(a.shr::<1>(), a.shl::<1>(), 0x5555_5555);
    let a = swap(a.shr::<2>(), a.shl::<2>(), 0x3333_3333);
    let a = swap(a.shr::<4>(), a.shl::<4>(), 0x0F0F_0F0F);
    let a = swap(a.shr::<8>(), a.shl::<8>(), 0x00FF_00FF);
    a.shr::<16>() | a.shl::<16>()
}

/// BTFL: the index of the lowest set bit, or all ones if none is set.
#[inline(always)]
pub fn lowest_one<W: Word>(a: W) -> W {
    let below = !a & a.wrapping_sub(W::of(1));
    W::select(a.bits_eq(W::of(0)), W::of(ALL), count_ones(below))
}

/// BTFM of unsigned integers: the index of the highest set bit, or all ones if none is set.
#[inline(always)]
pub fn highest_one<W: Word>(a: W) -> W {
    let a = a | a.shr::<1>();
    let a = a | a.shr::<2>();
    let a = a | a.shr::<4>();
    let a = a | a.shr::<8>();
    let a = a | a.shr::<16>();
    count_ones(a).wrapping_sub(W::of(1))
}

/// BTFM of signed integers: the index of the highest bit that differs from the sign, or all ones if there is
/// none.
#[inline(always)]
pub fn highest_digit<W: Word>(a: W) -> W {
    highest_one(a ^ a.sar::<31>())
}

/// Whether `bits` bits from `offset` on are within the word, with neither argument negative.
#[inline(always)]
fn is_field<W: Word>(bits: W, offset: W) -> W::Truth {
    bits.lt_unsigned(W::of(33))
        & offset.lt_unsigned(W::of(32))
        & !W::of(32).lt_unsigned(bits.wrapping_add(offset))
}

/// BFE: extracts `bits` bits of `value` from `offset` on. If `SIGNED`, the highest of them is the sign.
#[inline(always)]
pub fn extract<W: Word, const SIGNED: bool>(bits: W, offset: W, value: W) -> W {
    let end = W::of(32).wrapping_sub(bits);
    let up = value.shl_by(end.wrapping_sub(offset));
    let field = if SIGNED { up.sar_by(end) } else { up.shr_by(end) };
    let is_some = is_field(bits, offset) & !bits.bits_eq(W::of(0));
    W::select(is_some, field, W::of(0))
}

/// BFI: `into` with `bits` bits from `offset` on replaced by the low bits of `value`.
#[inline(always)]
pub fn insert<W: Word>(bits: W, offset: W, value: W, into: W) -> W {
    // Ones in the low `bits` bits, all ones for 32, moved up by `offset`.
    let field = (!W::of(ALL).shl_by(bits)).shl_by(offset);
    let merged = (value.shl_by(offset) & field) | (into & !field);
    W::select(is_field(bits, offset), merged, W::of(0))
}

/// Rounds `x` to an integer, as an fp32. Zeros and infinities keep their sign.
#[inline(always)]
pub fn whole<N: Number>(rounding: Rounding, x: N) -> N {
    x.flush().rounded(rounding).canonical()
}

/// Rounds towards zero to an integer and returns its low 32 bits. NaN gives 0, and an infinity gives the
/// nearer of `ends`.
#[inline(always)]
pub fn low_bits<W: Word>(x: W::Number, ends: [u32; 2]) -> W {
    let (bits, size) = (x.bits(), x.abs());
    let sign = bits.sar::<31>();
    // From 2^31 on: 24 digits shifted up. For a NaN all of them are shifted out.
    let digits = (bits & W::of(0x007F_FFFF)) | W::of(0x0080_0000);
    let moved = digits.shl_by((bits & W::of(0x7F80_0000)).shr::<23>().wrapping_sub(W::of(150)));
    let signed = (moved ^ sign).wrapping_sub(sign);
    let finite = W::select(size.lt(W::Number::of(2_147_483_648.0)), x.truncated(), signed);
    let end = W::select(sign.bits_eq(W::of(0)), W::of(ends[1]), W::of(ends[0]));
    W::select(size.eq(W::Number::of(f32::INFINITY)), end, finite)
}

/// As [`low_bits`], with the given rounding.
#[inline(always)]
pub fn low_bits_rounded<N: Number>(rounding: Rounding, x: N, ends: [u32; 2]) -> N::Bits {
    let x = match rounding {
        Rounding::Trunc => x,
        Rounding::Round | Rounding::Ceil | Rounding::Floor => x.flush().rounded(rounding),
    };
    low_bits(x, ends)
}

/// Rounds to an integer and returns its low 32 bits. NaN gives 0, and an infinity the nearest end of the
/// range.
#[inline(always)]
pub fn of_number<N: Number, const SIGNED: bool>(rounding: Rounding, x: N) -> N::Bits {
    low_bits_rounded(rounding, x, if SIGNED { [0x8000_0000, 0x7FFF_FFFF] } else { [0, ALL] })
}

/// The integer part of a number in [0, 2^32).
#[inline(always)]
fn to_unsigned<W: Word>(x: W::Number) -> W {
    let half = W::Number::of(2_147_483_648.0);
    let is_large = x.ge(half);
    let rest = W::Number::select(is_large, x - half, x).truncated();
    W::select(is_large, rest | W::of(0x8000_0000), rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Integers with many powers of two, their neighbours, and small values.
    fn any_word() -> impl Strategy<Value = u32> {
        prop_oneof![
            any::<u32>(),
            (0..32_u32, -2..=2_i32).prop_map(|(bit, by)| (1_u32 << bit).wrapping_add_signed(by)),
            (0..32_u32, any::<u32>()).prop_map(|(by, word)| word >> by),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn products_have_64_bits(a in any_word(), b in any_word()) {
            let unsigned = u64::from(a) * u64::from(b);
            prop_assert_eq!(mul_high::<u32, false>(a, b), (unsigned >> 32) as u32);
            let signed = i64::from(a.cast_signed()) * i64::from(b.cast_signed());
            prop_assert_eq!(mul_high::<u32, true>(a, b), (signed >> 32) as u32);
        }

        #[test]
        fn quotients_and_remainders(a in any_word(), b in any_word()) {
            let expected = a.checked_div(b).map_or([ALL, a], |quotient| [quotient, a % b]);
            prop_assert_eq!(divide::<u32, false>(a, b), expected);
            let (a_signed, b_signed) = (a.cast_signed(), b.cast_signed());
            let expected = if b == 0 {
                [ALL, a]
            } else {
                [a_signed.wrapping_div(b_signed), a_signed.wrapping_rem(b_signed)].map(i32::cast_unsigned)
            };
            prop_assert_eq!(divide::<u32, true>(a, b), expected);
        }

        #[test]
        fn bits_are_counted_found_and_reversed(a in any_word()) {
            prop_assert_eq!(count_ones(a), a.count_ones());
            prop_assert_eq!(reverse(a), a.reverse_bits());
            prop_assert_eq!(lowest_one(a), if a == 0 { ALL } else { a.trailing_zeros() });
            prop_assert_eq!(highest_one(a), 31_u32.wrapping_sub(a.leading_zeros()));
            let digits = if a.cast_signed() < 0 { a.leading_ones() } else { a.leading_zeros() };
            prop_assert_eq!(highest_digit(a), 31_u32.wrapping_sub(digits));
        }

        #[test]
        fn fields_are_those_of_the_pseudo_code(bits in 0..36_u32, offset in 0..36_u32, a in any_word(), b in any_word()) {
            // BitfieldExtract and BitfieldInsert of NV_gpu_program5, in 64 bits.
            let is_field = offset < 32 && bits + offset <= 32;
            let mask = (1_u64 << bits) - 1;
            let field = (u64::from(a) >> offset & mask) as u32;
            prop_assert_eq!(extract::<u32, false>(bits, offset, a), if is_field { field } else { 0 });
            let signed = if bits > 0 && field >> (bits - 1).min(31) & 1 != 0 { field | !(mask as u32) } else { field };
            prop_assert_eq!(extract::<u32, true>(bits, offset, a), if is_field { signed } else { 0 });
            let place = (mask << offset) as u32;
            let merged = ((u64::from(a) << offset) as u32 & place) | (b & !place);
            prop_assert_eq!(insert(bits, offset, a, b), if is_field { merged } else { 0 });
        }

        #[test]
        fn integers_become_the_nearest_number(a in any_word()) {
            prop_assert_eq!(a.to_float_unsigned(), a as f32);
            prop_assert_eq!(a.to_float(), a.cast_signed() as f32);
        }

        #[test]
        fn numbers_become_the_low_bits_of_whole_ones(word in any_word(), size in -3.0e10..3.0e10_f32) {
            for x in [f32::from_bits(word), size, size / 1.0e9, (size / 1.0e9).trunc() + 0.5] {
                // The specification flushes denorms to zeros.
                let value = f64::from(x.flush());
                for (rounding, rounded) in [
                    (Rounding::Round, value.round_ties_even()),
                    (Rounding::Ceil, value.ceil()),
                    (Rounding::Floor, value.floor()),
                    (Rounding::Trunc, value.trunc()),
                ] {
                    let number = whole(rounding, x);
                    prop_assert!(number.is_nan() && x.is_nan() || f64::from(number) == rounded, "{x:e}");
                    let low = if rounded.is_finite() { (rounded % 4_294_967_296.0) as i64 as u32 } else { 0 };
                    let ends = |low_end, high_end| match (x.is_nan(), rounded.is_finite(), x > 0.0) {
                        (true, ..) => 0,
                        (_, true, _) => low,
                        (_, _, positive) => if positive { high_end } else { low_end },
                    };
                    prop_assert_eq!(of_number::<_, true>(rounding, x), ends(0x8000_0000, 0x7FFF_FFFF), "{:?} {:e}", rounding, x);
                    prop_assert_eq!(of_number::<_, false>(rounding, x), ends(0, ALL), "{:?} {:e}", rounding, x);
                }
            }
        }
    }
}
