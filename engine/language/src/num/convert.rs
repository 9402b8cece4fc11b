//! Conversions between number formats with a rounding direction, for CVT (NV_gpu_program5 2.X.8).
//!
//! "Floating-point values not exactly representable [...] are rounded to one of the two nearest values in the
//! destination type according to the rounding modifier". Integers that become floats are rounded in the same
//! way. fp32 has no denorms: results are rounded to 24 digits, and results below the smallest normal number
//! become zero.
//!
//! As in all of `num`, each function is a straight line of IEEE operations. `semantics::ops` has the
//! conversions for each pair of formats.

use super::number::{Double, Number, Rounding, Word};
use super::{fp16, fp32, fp64, long};

/// The rounding of digits that do not fit the destination format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Narrowing {
    /// In the direction of CVT's modifier.
    To(Rounding),
    /// To odd: an inexact result gets an odd last digit. A second rounding to fewer digits then gives the
    /// same result as a single rounding. Values too small count as the smallest normal number, and values too
    /// large as the largest.
    Odd,
}

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7F80_0000;
/// The smallest normal fp32.
const LEAST: u32 = 0x0080_0000;

/// Whether an inexact number of this sign is rounded away from zero.
#[inline(always)]
fn grows<W: Word>(rounding: Rounding, is_negative: W::Truth) -> W::Truth {
    match rounding {
        Rounding::Ceil => !is_negative,
        Rounding::Floor => is_negative,
        // [`Rounding::Round`] is handled by the callers.
        Rounding::Trunc | Rounding::Round => is_negative & !is_negative,
    }
}

/// Rounds an fp64 to fp32. Any NaN gives [`fp32::NAN_BITS`].
#[inline(always)]
pub fn single_of_double<D: Double>(narrowing: Narrowing, x: D) -> <D::Word as Word>::Number {
    if narrowing == Narrowing::To(Rounding::Round) {
        return fp64::to_single(x);
    }
    let word = <D::Word as Word>::of;
    let [low, high] = x.words();
    let magnitude = high & word(!SIGN);
    // The exponent and digits in fp32's format.
    let digits = magnitude.wrapping_sub(word(896 << 20)).shl::<3>() | low.shr::<29>();
    let is_exact = (low & word(0x1FFF_FFFF)).bits_eq(word(0));
    let is_negative = high.lt_signed(word(0));
    // Exponents below 1 and above 254, which rounding may reach.
    let is_small = magnitude.lt_unsigned(word(896 << 20));
    let is_infinite = x.abs().eq(D::of(f64::INFINITY));
    let is_large = !magnitude.lt_unsigned(word((896 + 255) << 20));
    let (rounded, tiny, huge) = match narrowing {
        Narrowing::To(rounding) => {
            let grows = grows::<D::Word>(rounding, is_negative);
            let one = D::Word::select(grows & !is_exact, word(1), word(0));
            (digits.wrapping_add(one), word(0), D::Word::select(grows, word(INFINITY), word(INFINITY - 1)))
        }
        Narrowing::Odd => {
            let is_zero = x.eq(D::of(0.0));
            let tiny = D::Word::select(is_zero, word(0), word(LEAST));
            (digits | D::Word::select(is_exact, word(0), word(1)), tiny, word(INFINITY - 1))
        }
    };
    let is_tiny = is_small | (magnitude.lt_unsigned(word(897 << 20)) & rounded.lt_unsigned(word(LEAST)));
    let number = D::Word::select(is_tiny, tiny, rounded);
    let number = D::Word::select(is_large, huge, number);
    let number = D::Word::select(is_infinite, word(INFINITY), number) | (high & word(SIGN));
    D::Word::select(x.is_nan(), word(fp32::NAN_BITS), number).number()
}

/// Rounds an fp32 to fp16 and returns the bits in the low half. Any NaN gives [`fp16::NAN_BITS`].
#[inline(always)]
pub fn half_of_single<N: Number>(rounding: Rounding, x: N) -> N::Bits {
    if rounding == Rounding::Round {
        return fp16::to_bits(x);
    }
    let word = N::Bits::of;
    let x = x.flush();
    let (bits, size) = (x.bits(), x.abs());
    let magnitude = size.bits();
    // Below 2^-14, digits are multiples of 2^-24.
    let counted = size * N::of(16_777_216.0);
    let count = counted.truncated();
    let is_whole = count.to_float().eq(counted);
    let is_denorm = magnitude.lt_unsigned(word(0x3880_0000));
    let digits = N::Bits::select(is_denorm, count, magnitude.wrapping_sub(word(112 << 23)).shr::<13>());
    let is_exact = (is_denorm & is_whole) | (!is_denorm & (magnitude & word(0x1FFF)).bits_eq(word(0)));
    // From 2^16 on.
    let is_large = !magnitude.lt_unsigned(word(0x4780_0000));
    let is_infinite = magnitude.bits_eq(word(INFINITY));
    let digits = N::Bits::select(is_large, word(0x7BFF), digits);
    let is_exact = is_infinite | (is_exact & !is_large);
    let digits = N::Bits::select(is_infinite, word(0x7C00), digits);
    let grows = grows::<N::Bits>(rounding, bits.lt_signed(word(0)));
    let rounded = digits.wrapping_add(N::Bits::select(grows & !is_exact, word(1), word(0)));
    let signed = rounded | bits.shr::<31>().shl::<15>();
    N::Bits::select(x.is_nan(), word(fp16::NAN_BITS.into()), signed)
}

/// Rounds a 64-bit integer, low word first, to fp64.
#[inline(always)]
pub fn double_of_long<W: Word, const SIGNED: bool>(rounding: Rounding, [low, high]: [W; 2]) -> W::Double {
    let upper = if SIGNED { fp64::from_signed(high) } else { fp64::from_unsigned(high) };
    let (upper, lower) = (upper * W::Double::of(4_294_967_296.0), fp64::from_unsigned(low));
    let nearest = upper + lower;
    if rounding == Rounding::Round {
        return nearest;
    }
    // The rounding error. It is exact, since the upper part is 0 or larger.
    let rest = lower - (nearest - upper);
    let zero = W::Double::of(0.0);
    let is_negative = nearest.lt(zero);
    let [up, down] = [zero.lt(rest), rest.lt(zero)];
    let (up, down) = match rounding {
        Rounding::Ceil => (up, down & !down),
        Rounding::Floor => (up & !up, down),
        // Towards zero: positive numbers down, negative numbers up.
        Rounding::Trunc | Rounding::Round => (up & is_negative, down & !is_negative),
    };
    // The next larger number has larger digits if positive and smaller ones if negative. Rounded numbers are
    // never small.
    let one = [W::of(1), W::of(0)];
    let digits = nearest.words();
    let (larger, smaller) = (long::add(digits, one), long::sub(digits, one));
    let above = long::select(is_negative, smaller, larger);
    let below = long::select(is_negative, larger, smaller);
    W::double(long::select(up, above, long::select(down, below, digits)))
}

/// Converts a 64-bit integer to an fp64 that rounds to fewer digits as the integer does: digits without room
/// set the last digit to odd.
#[inline(always)]
pub fn double_near_long<W: Word, const SIGNED: bool>(a: [W; 2]) -> W::Double {
    let [low, high] = long::abs::<W, SIGNED>(a);
    let rest = low & W::of(0x7FF);
    let odd = W::select(rest.bits_eq(W::of(0)), W::of(0), W::of(0x800));
    // From 2^53 on.
    let low = W::select(high.lt_unsigned(W::of(1 << 21)), low, (low & W::of(!0x7FF)) | odd);
    let size = fp64::from_long::<W, false>([low, high]);
    if !SIGNED {
        return size;
    }
    let [low, high] = size.words();
    W::double([low, high | (a[1] & W::of(SIGN))])
}

#[cfg(test)]
mod tests {
    use half::f16;
    use proptest::prelude::*;

    use super::*;

    const DIRECTED: [Rounding; 3] = [Rounding::Ceil, Rounding::Floor, Rounding::Trunc];

    /// Whether `found` is the neighbour that `rounding` selects. `next` returns the next larger (1) or
    /// smaller (-1) number, and `order` compares a number with the exact value.
    fn is_rounded<T: Copy>(
        rounding: Rounding,
        is_negative: bool,
        found: T,
        next: impl Fn(T, i32) -> T,
        order: impl Fn(T) -> std::cmp::Ordering,
    ) -> bool {
        let up = matches!(rounding, Rounding::Ceil) || (rounding == Rounding::Trunc && is_negative);
        if up {
            order(found).is_ge() && order(next(found, -1)).is_lt()
        } else {
            order(found).is_le() && order(next(found, 1)).is_gt()
        }
    }

    fn any_double() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<u64>().prop_map(f64::from_bits),
            (any::<f32>(), -2..=2_i64)
                .prop_map(|(x, by)| f64::from_bits(f64::from(x).to_bits().wrapping_add_signed(by))),
            (-30..30_i32, any::<u32>(), any::<bool>()).prop_map(|(exponent, digits, turn)| {
                let x = (1.0 + f64::from(digits) / 4_294_967_296.0) * 2.0_f64.powi(exponent);
                if turn { -x } else { x }
            }),
            (0..0x7C01_u16, -1..=1_i64).prop_map(|(bits, by)| {
                let x = f64::from(f16::from_bits(bits).to_f32());
                f64::from_bits(x.to_bits().saturating_add_signed(by))
            }),
        ]
    }

    /// Compares a float with an integer near it.
    fn order(x: f64, integer: i128) -> std::cmp::Ordering {
        (x as i128).cmp(&integer).then(x.fract().partial_cmp(&0.0).unwrap())
    }

    fn halves(bits: u64) -> [u32; 2] {
        [bits as u32, (bits >> 32) as u32]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn doubles_become_singles(x in any_double()) {
            for rounding in DIRECTED {
                let found = single_of_double(Narrowing::To(rounding), x);
                if x.is_nan() {
                    prop_assert_eq!(found.to_bits(), fp32::NAN_BITS);
                    continue;
                }
                prop_assert_eq!(found.is_sign_negative(), x.is_sign_negative());
                if found == 0.0 {
                    prop_assert!(x.abs() < f64::from(f32::MIN_POSITIVE));
                } else if x.is_infinite() {
                    prop_assert_eq!(f64::from(found), x);
                } else if x.abs() >= f64::from(f32::MIN_POSITIVE) {
                    let next = |value: f32, by| if by > 0 { value.next_up() } else { value.next_down() };
                    let order = |value: f32| f64::from(value).total_cmp(&x);
                    prop_assert!(is_rounded(rounding, x < 0.0, found, next, order), "{rounding:?} {x:e}: {found:e}");
                }
            }
        }

        #[test]
        fn singles_become_halves(x in any_double().prop_map(|x| x as f32)) {
            for rounding in DIRECTED {
                let bits = half_of_single(rounding, x);
                prop_assert!(bits < 0x1_0000);
                let found = f16::from_bits(bits as u16);
                if x.is_nan() {
                    prop_assert_eq!(bits, u32::from(fp16::NAN_BITS));
                    continue;
                }
                // fp32 denorms are zeros.
                let x = x.flush();
                prop_assert_eq!(found.is_sign_negative(), x.is_sign_negative());
                if x.is_infinite() {
                    prop_assert_eq!(found.to_f32(), x);
                    continue;
                }
                // Keys sort like the numbers.
                let key = |value: f16| {
                    let size = i32::from(value.to_bits() & 0x7FFF);
                    if value.is_sign_negative() { -size } else { size }
                };
                let of_key = |key: i32| f16::from_bits(key.unsigned_abs() as u16 | if key < 0 { 0x8000 } else { 0 });
                let value = |key: i32| match key {
                    0x7C01.. => f32::INFINITY,
                    i32::MIN..=-0x7C01 => f32::NEG_INFINITY,
                    _ => of_key(key).to_f32(),
                };
                let order = |key: i32| value(key).partial_cmp(&x).unwrap();
                let next = |key: i32, by: i32| key + by;
                prop_assert!(is_rounded(rounding, x < 0.0, key(found), next, order), "{rounding:?} {x:e}: {found:e}");
            }
        }

        #[test]
        fn halves_of_doubles_are_rounded_once(x in any_double()) {
            let found = fp16::to_bits(single_of_double(Narrowing::Odd, x));
            if x.is_nan() {
                prop_assert_eq!(found, u32::from(fp16::NAN_BITS));
                return Ok(());
            }
            // The range is bounded by the midpoints to both neighbours, which round to the even number. The
            // successor of the largest number is 2^16.
            let size = |bits: u32| if bits == 0x7C00 { 65_536.0 } else { f16::from_bits(bits as u16).to_f64() };
            prop_assert_eq!(found >> 15 != 0, x.is_sign_negative());
            let (bits, x) = (found & 0x7FFF, x.abs());
            let least = if bits == 0 { 0.0 } else { f64::midpoint(size(bits - 1), size(bits)) };
            let most = if bits == 0x7C00 { f64::INFINITY } else { f64::midpoint(size(bits), size(bits + 1)) };
            let is_nearest = if bits.is_multiple_of(2) { least <= x && x <= most } else { least < x && x < most };
            prop_assert!(is_nearest, "{x:e}: {found:#06X}");
        }

        #[test]
        fn long_integers_become_doubles(a in any::<u64>(), by in 0..64_u32) {
            let a = a >> by;
            for rounding in DIRECTED {
                let next = |value: f64, by: i32| if by > 0 { value.next_up() } else { value.next_down() };
                let found = double_of_long::<u32, false>(rounding, halves(a));
                prop_assert!(is_rounded(rounding, false, found, next, |x| order(x, a.into())), "{a}");
                let a = a.cast_signed();
                let found = double_of_long::<u32, true>(rounding, halves(a.cast_unsigned()));
                prop_assert!(is_rounded(rounding, a < 0, found, next, |x| order(x, a.into())), "{a}");
            }
        }

        #[test]
        fn long_integers_become_singles(a in any::<u64>(), by in 0..64_u32) {
            let a = a >> by;
            let to_single = |narrowing, x: f64| single_of_double(narrowing, x);
            let nearest = Narrowing::To(Rounding::Round);
            let unsigned = double_near_long::<u32, false>(halves(a));
            let signed = double_near_long::<u32, true>(halves(a));
            prop_assert_eq!(to_single(nearest, unsigned), a as f32);
            prop_assert_eq!(to_single(nearest, signed), a.cast_signed() as f32);
            for rounding in DIRECTED {
                let next = |value: f32, by: i32| if by > 0 { value.next_up() } else { value.next_down() };
                let found = to_single(Narrowing::To(rounding), signed);
                let order = |x: f32| order(x.into(), a.cast_signed().into());
                prop_assert!(is_rounded(rounding, a.cast_signed() < 0, found, next, order), "{a}");
            }
        }
    }
}
