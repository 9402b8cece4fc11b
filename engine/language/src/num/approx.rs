//! The approximated functions RCP, RSQ, EX2, LG2, SIN, COS and FLR (NV_fragment_program 3.11.5).
//!
//! Each function is a straight line of IEEE additions, multiplications, divisions, square roots, comparisons
//! and bit operations on fp32. There are no fused operations, tables or library calls. So a loop over an
//! array vectorises, and any number of lanes gives the same bits on every machine. Operands and results have
//! no denorms (ruling 6), and the only NaN is [`fp32::NAN_BITS`](super::fp32::NAN_BITS). Polynomials are
//! least-squares fits with coefficients rounded to fp32 one by one. `tests/num_accuracy.rs` compares the
//! worst errors with the stated bounds.

use std::f32::consts::{FRAC_1_PI, LN_2};

use super::fp32::{canonical, flush};
use super::number::{Number, Rounding, Word};

const SIGN: u32 = 0x8000_0000;
/// 1.5 * 2^23. Adding this constant rounds a small number to an integer, which is then in the low bits of the
/// sum.
const MAGIC: f32 = 12_582_912.0;

/// FLR: the largest integer not above `x` (3.11.5.9). Zeros and infinities keep their sign.
#[inline(always)]
pub fn floor<N: Number>(x: N) -> N {
    canonical(flush(x).rounded(Rounding::Floor))
}

/// RCP: 1/x, correctly rounded (3.11.5.25).
#[inline(always)]
pub fn rcp<N: Number>(x: N) -> N {
    canonical(flush(N::of(1.0) / flush(x)))
}

/// RSQ: 1/sqrt(x) (3.11.5.27, ruling 5). A negative operand gives NaN; -0.0 gives -INF.
#[inline(always)]
pub fn rsq<N: Number>(x: N) -> N {
    canonical(N::of(1.0) / flush(x).sqrt())
}

/// EX2: 2^x (3.11.5.8). Integers give exact powers. From 128 on the result is INF, and below -126 it is +0.0.
#[inline(always)]
pub fn ex2<N: Number>(x: N) -> N {
    // A denorm operand gives 1.0 without a flush, as zero does. x = n + f with an integer n and f in [-0.5,
    // 0.5]. Both subtractions are exact whenever the result is used.
    let shifted = x + N::of(MAGIC);
    let f = x - (shifted - N::of(MAGIC));
    // (2^f - 1) / f. As in LG2, the small terms are added in pairs instead of one chain. The processor can
    // then compute several at once, which outweighs the extra multiplication.
    let f2 = f * f;
    let p23 = f * N::of(0.009_618_841) + N::of(0.055_503_592);
    let p45 = f * N::of(0.000_152_380_06) + N::of(0.001_339_113_7);
    let p = p45 * f2 + p23;
    let p = p * f + N::of(0.240_226_45);
    let p = p * f + N::of(LN_2);
    let power = p * f + N::of(1.0);
    // n is added to the exponent as an integer. At n = 128 the power is below 1 and still representable.
    let scaled = power.bits().wrapping_add(shifted.bits().shl::<23>()).number();
    let low = N::select(x.lt(N::of(-126.0)), N::of(0.0), scaled);
    let high = N::select(x.ge(N::of(128.0)), N::of(f32::INFINITY), low);
    N::select(x.is_nan(), N::nan(), high)
}

/// 2/ln(2) in two parts, and its approximation and reciprocal. The first part has 12 significant bits, so its
/// product with another 12-bit number is exact.
const LOG_HIGH: f32 = 2.885_742_2;
const LOG_LOW: f32 = -3.521_056_8e-4;
const LOG: f32 = 2.885_39;
const LOG_RECIPROCAL: f32 = 0.346_573_6;

/// LG2 expands around one of four centers within an octave. These are the upper bounds for the first three
/// centers: 2^(-1/8), 2^(1/8) and 2^(3/8).
const ENDS: [f32; 3] = [0.917_004_05, 1.090_507_7, 1.296_839_6];
/// The centers, and their logarithms in two parts. The first part is a multiple of 2^-16, so its sum with any
/// exponent is exact.
const CENTERS: [f32; 4] = [0.834_221_5, 1.0, 1.189_299_6, 1.411_620_6];
const CENTERS_HIGH: [f32; 4] = [-0.261_505_13, 0.0, 0.250_106_8, 0.497_344_97];
const CENTERS_LOW: [f32; 4] = [7.496_026_2e-6, 0.0, 5.362_848_7e-6, 7.435_440_2e-6];
/// The bits of 2^(-3/8), the lower bound of the octave.
const OCTAVE: u32 = 0x3F45_672A;

/// LG2: the base 2 logarithm (3.11.5.12). Powers of two give exact integers, a negative operand gives NaN,
/// and zeros give -INF.
///
/// fp32 results of magnitude 4 to 8 are 2^-21 apart, so the stated bound of 2^-22 holds only for the nearest
/// one. Therefore LG2 computes 44 bits, and the constants are chosen such that no operand of that range is
/// rounded the wrong way (`tests/num_accuracy.rs` tries each).
#[inline(always)]
pub fn lg2<N: Number>(x: N) -> N {
    // x = 2^e * m with m in [2^(-3/8), 2^(5/8)).
    let e = x.bits().wrapping_sub(N::Bits::of(OCTAVE)).sar::<23>();
    let m = x.bits().wrapping_sub(e.shl::<23>()).number();
    let [first, second, third] = ENDS.map(|end| m.lt(N::of(end)));
    let pick = |of: [f32; 4]| {
        let [a, b, c, d] = of.map(N::of);
        N::select(first, a, N::select(second, b, N::select(third, c, d)))
    };
    let center = pick(CENTERS);
    // log2(m / center) is 2/ln(2) * atanh(s) with s = difference / sum. s = v + rest, where v is a multiple
    // of 2^-16 with 12 bits. The remainder of the division is exact except for its last product.
    let difference = m - center;
    let sum = m + center;
    let share = N::of(LOG) / sum;
    let grid = N::of(MAGIC / 65_536.0);
    let v = ((difference * share) * N::of(LOG_RECIPROCAL) + grid) - grid;
    let sum_high = (sum.bits() & N::Bits::of(0xFFFF_F000)).number();
    let sum_low = m - (sum_high - center);
    let left = (difference - v * sum_high) - v * sum_low;
    let rest = left * share;
    // 2/ln(2) * atanh(v) = v * LOG_HIGH + v * LOG_LOW + v^3 * p(v^2). The slope for the rest is 1 + v^2 +
    // v^4, taken halfway to s.
    let square = v * v;
    let p = (N::of(0.4) * square + N::of(0.577_089_8)) * square;
    let cubic = (v * N::of(0.961_796_7)) * square + (p * (square * v) + N::of(LOG_LOW) * v);
    let slope = square * square + (square + v * (rest * N::of(LOG_RECIPROCAL)));
    let small = (cubic + pick(CENTERS_LOW)) + (rest * slope + rest);
    // Add the rounding error of the large terms to the small ones.
    let whole = e.to_float() + pick(CENTERS_HIGH);
    let linear = v * N::of(LOG_HIGH);
    let large = whole + linear;
    let number = large + ((linear - (large - whole)) + small);
    let least = N::of(f32::MIN_POSITIVE);
    let positive = N::select(x.ge(least), number, N::nan());
    let high = N::select(x.eq(N::of(f32::INFINITY)), N::of(f32::INFINITY), positive);
    // A denorm counts as zero.
    N::select(x.abs().lt(least), N::of(f32::NEG_INFINITY), high)
}

/// Pi in three parts. The first two have 8 significant bits each, so their products with a 16-bit integer or
/// a 17-bit half-integer are exact. The sum differs from pi by less than 2^-45.
const PI_HIGH: f32 = 3.140_625;
const PI_MIDDLE: f32 = 0.000_968_933_1;
const PI_LOW: f32 = -1.279_515_7e-6;

/// Almost 7232 turns, a number with 9 significant bits, and the excess over 7232 turns.
const TURNS: f32 = 45_440.0;
const EXCESS: f32 = 0.003_858_477_3;

/// fp32 numbers of this size are at least 64 apart, i.e. ten turns, and no longer define an angle. Larger
/// angles are replaced by this one.
const MOST: f32 = 1_073_741_824.0;

/// An angle minus some turns, as the sum of two parts. The first part is exact.
struct Reduced<N> {
    whole: N,
    rest: N,
}

impl<N: Number> Reduced<N> {
    /// Reduces an angle of at least 0. An angle of at most half [`TURNS`] is unchanged. SIN and COS share
    /// this function: both lose the same part of a large angle, so sin^2 + cos^2 stays 1.
    #[inline(always)]
    fn of(angle: N) -> Self {
        let angle = N::select(angle.gt(N::of(MOST)), N::of(MOST), angle);
        // At most 15 bits: the product with a 9-bit number is exact, and so is the difference.
        let count = (angle * N::of(1.0 / TURNS) + N::of(MAGIC)) - N::of(MAGIC);
        Self { whole: angle - count * N::of(TURNS), rest: count * N::of(EXCESS) }
    }

    /// The nearest fp32, accurate enough to find the nearest multiple of pi.
    #[inline(always)]
    fn nearly(&self) -> N {
        self.whole + self.rest
    }

    /// `sin(self - multiple * pi)`. The difference is at most pi/2, apart from rounding.
    #[inline(always)]
    fn sine(self, multiple: N) -> N {
        let [high, middle, low] = [PI_HIGH, PI_MIDDLE, PI_LOW].map(|part| multiple * N::of(part));
        let r = ((self.whole - high) - middle) - (low - self.rest);
        let s = r * r;
        // (sin(r) / r - 1) / r^2
        let p = N::of(2.606_109_8e-6);
        let p = p * s - N::of(0.000_198_097_8);
        let p = p * s + N::of(0.008_333_069);
        let p = p * s - N::of(0.166_666_6);
        (p * s) * r + r
    }
}

/// SIN of an angle in radians (3.11.5.32). An infinity gives NaN, and a zero gives itself.
///
/// The error is within the stated bound for |x| up to 2^24, and within 2^-16 up to 2^30.
#[inline(always)]
pub fn sin<N: Number>(x: N) -> N {
    let x = flush(x);
    let magnitude = x.abs();
    let angle = Reduced::of(magnitude);
    let shifted = angle.nearly() * N::of(FRAC_1_PI) + N::of(MAGIC);
    let sine = angle.sine(shifted - N::of(MAGIC));
    // Sine is odd and changes its sign at every multiple of pi, i.e. with the lowest bit of `shifted`.
    let sign = (x.bits() & N::Bits::of(SIGN)) ^ shifted.bits().shl::<31>();
    let number = (sine.bits() ^ sign).number();
    N::select(magnitude.lt(N::of(f32::INFINITY)), number, N::nan())
}

/// COS of an angle in radians (3.11.5.2). An infinity gives NaN, and a zero gives +1.0.
///
/// The error bounds are those of [`sin`].
#[inline(always)]
pub fn cos<N: Number>(x: N) -> N {
    // With x = (n + 1/2) * pi + r, cos(x) is -sin(r) for an even n and sin(r) for an odd one. A denorm gives
    // 1.0 without a flush, as zero does.
    let magnitude = x.abs();
    let angle = Reduced::of(magnitude);
    let shifted = (angle.nearly() * N::of(FRAC_1_PI) - N::of(0.5)) + N::of(MAGIC);
    let sine = angle.sine((shifted - N::of(MAGIC)) + N::of(0.5));
    let number = (sine.bits() ^ (!shifted.bits()).shl::<31>()).number();
    N::select(magnitude.lt(N::of(f32::INFINITY)), number, N::nan())
}

#[cfg(test)]
mod tests {
    //! The special-case rules of each section, one test per rule. `tests/num_accuracy.rs` tests accuracy.

    use super::*;
    use crate::num::fp32;

    const INF: f32 = f32::INFINITY;
    const TINY: f32 = f32::MIN_POSITIVE;
    /// The largest denorm.
    const DENORM: f32 = f32::from_bits(0x007F_FFFF);
    /// NaNs of both signs, quiet and signalling, with payloads.
    const NANS: [u32; 5] = [0x7FC0_0000, 0xFFC0_0000, 0x7F80_0001, 0xFF80_1234, 0x7FFF_FFFF];

    #[track_caller]
    fn same(actual: f32, expected: f32) {
        let expected = if expected.is_nan() { fp32::NAN_BITS } else { expected.to_bits() };
        assert_eq!(actual.to_bits(), expected, "{actual:e} instead of {:e}", f32::from_bits(expected));
    }

    #[track_caller]
    fn nan_gives_nan(function: fn(f32) -> f32) {
        for bits in NANS {
            same(function(f32::from_bits(bits)), f32::NAN);
        }
    }

    #[test]
    fn floor_rule_1_nan() {
        nan_gives_nan(floor);
    }

    #[test]
    fn floor_rule_2_zeros_and_infinities_are_kept() {
        for x in [-0.0, 0.0, -INF, INF] {
            same(floor(x), x);
        }
    }

    #[test]
    fn floor_examples_of_the_text_and_edges() {
        let cases = [
            (2.3, 2.0),
            (-3.6, -4.0),
            (-1.7, -2.0),
            (0.999_999_94, 0.0),
            (-0.1, -1.0),
            (0.5, 0.0),
            (1.5, 1.0),
            (-0.5, -1.0),
            (-1.5, -2.0),
            (8_388_607.5, 8_388_607.0),
            (-8_388_607.5, -8_388_608.0),
            (8_388_609.0, 8_388_609.0),
            (3e38, 3e38),
            (TINY, 0.0),
            (-TINY, -1.0),
            (DENORM, 0.0),
            (-DENORM, -0.0),
        ];
        for (x, expected) in cases {
            same(floor(x), expected);
        }
    }

    #[test]
    fn rcp_rule_1_nan() {
        nan_gives_nan(rcp);
    }

    #[test]
    fn rcp_rules_2_to_5_infinities_and_zeros() {
        same(rcp(INF), 0.0);
        same(rcp(-INF), -0.0);
        same(rcp(0.0), INF);
        same(rcp(-0.0), -INF);
    }

    #[test]
    fn rcp_flushes_denorms_on_both_sides() {
        same(rcp(DENORM), INF);
        same(rcp(-DENORM), -INF);
        // 1 / 2^126 is the smallest normal; just above 2^126 the result is a denorm.
        same(rcp(f32::from_bits(0x7E80_0000)), TINY);
        same(rcp(f32::from_bits(0x7E80_0001)), 0.0);
        same(rcp(f32::from_bits(0xFE80_0001)), -0.0);
        same(rcp(-4.0), -0.25);
    }

    #[test]
    fn rsq_rule_1_nan() {
        nan_gives_nan(rsq);
    }

    #[test]
    fn rsq_rules_2_to_5_infinities_and_zeros() {
        same(rsq(INF), 0.0);
        same(rsq(-INF), f32::NAN);
        same(rsq(0.0), INF);
        same(rsq(-0.0), -INF);
        same(rsq(DENORM), INF);
        same(rsq(-DENORM), -INF);
    }

    #[test]
    fn rsq_rule_6_negative_is_nan() {
        for x in [-TINY, -1.0, -f32::MAX] {
            same(rsq(x), f32::NAN);
        }
    }

    #[test]
    fn rsq_of_even_powers_is_exact() {
        same(rsq(TINY), f32::from_bits((127 + 63) << 23));
        same(rsq(4.0), 0.5);
        same(rsq(1.0), 1.0);
    }

    #[test]
    fn ex2_rule_1_nan() {
        nan_gives_nan(ex2);
    }

    #[test]
    fn ex2_rule_2_minus_infinity() {
        same(ex2(-INF), 0.0);
    }

    #[test]
    fn ex2_rule_3_plus_infinity() {
        same(ex2(INF), INF);
    }

    #[test]
    fn ex2_rule_4_zeros_and_denorms() {
        for x in [0.0, -0.0, DENORM, -DENORM, TINY, -TINY] {
            same(ex2(x), 1.0);
        }
    }

    #[test]
    fn ex2_of_integers_is_exact() {
        for n in -126..=127_i32 {
            same(ex2(n as f32), f32::from_bits(((n + 127) as u32) << 23));
        }
    }

    #[test]
    fn ex2_overflow_and_underflow() {
        for x in [128.0, 128.5, 1000.0, 4e6, 1e10, f32::MAX] {
            same(ex2(x), INF);
            same(ex2(-x), 0.0);
        }
        let below_128 = f32::from_bits(128.0_f32.to_bits() - 1);
        assert!(ex2(below_128).is_finite());
        let below_minus_126 = f32::from_bits((-126.0_f32).to_bits() + 1);
        same(ex2(below_minus_126), 0.0);
        same(ex2(-127.0), 0.0);
    }

    #[test]
    fn lg2_rule_1_nan() {
        nan_gives_nan(lg2);
    }

    #[test]
    fn lg2_rule_2_infinity() {
        same(lg2(INF), INF);
    }

    #[test]
    fn lg2_rule_3_zeros_and_denorms() {
        for x in [0.0, -0.0, DENORM, -DENORM, f32::from_bits(1)] {
            same(lg2(x), -INF);
        }
    }

    #[test]
    fn lg2_rule_4_negative_is_nan() {
        for x in [-TINY, -1.0, -0.7, -f32::MAX] {
            same(lg2(x), f32::NAN);
        }
    }

    #[test]
    fn lg2_rule_5_minus_infinity() {
        same(lg2(-INF), f32::NAN);
    }

    #[test]
    fn lg2_of_powers_is_exact() {
        for n in -126..=127_i32 {
            same(lg2(f32::from_bits(((n + 127) as u32) << 23)), n as f32);
        }
    }

    #[test]
    fn sin_rule_1_nan() {
        nan_gives_nan(sin);
    }

    #[test]
    fn sin_rule_2_infinities() {
        same(sin(INF), f32::NAN);
        same(sin(-INF), f32::NAN);
    }

    #[test]
    fn sin_rule_3_zeros_keep_their_sign() {
        same(sin(0.0), 0.0);
        same(sin(-0.0), -0.0);
        same(sin(DENORM), 0.0);
        same(sin(-DENORM), -0.0);
        same(sin(TINY), TINY);
        same(sin(-TINY), -TINY);
    }

    #[test]
    fn the_parts_of_pi() {
        for part in [PI_HIGH, PI_MIDDLE] {
            assert_eq!(part.to_bits() & 0xFFFF, 0, "{part} has more than 8 significant bits");
        }
        let sum = f64::from(PI_HIGH) + f64::from(PI_MIDDLE) + f64::from(PI_LOW);
        assert!((sum - std::f64::consts::PI).abs() < 2.0_f64.powi(-45));
    }

    #[test]
    fn the_parts_of_the_logarithm() {
        let log = 2.0 * std::f64::consts::LOG2_E;
        assert_eq!(LOG_HIGH.to_bits() & 0xFFF, 0, "more than 12 significant bits");
        assert!((f64::from(LOG_HIGH) + f64::from(LOG_LOW) - log).abs() < 2.0_f64.powi(-33));
        for i in 0..4 {
            assert_eq!(
                (CENTERS_HIGH[i] * 65_536.0).fract(),
                0.0,
                "{} is no multiple of 2^-16",
                CENTERS_HIGH[i]
            );
            let sum = f64::from(CENTERS_HIGH[i]) + f64::from(CENTERS_LOW[i]);
            assert!((sum - f64::from(CENTERS[i]).log2()).abs() < 2.0_f64.powi(-39), "{}", CENTERS[i]);
        }
    }

    #[test]
    fn turns_are_turns() {
        assert_eq!(TURNS.to_bits() & 0x7FFF, 0, "{TURNS} has more than 9 significant bits");
        let excess = f64::from(TURNS) - 7232.0 * std::f64::consts::TAU;
        assert!((excess - f64::from(EXCESS)).abs() < 2.0_f64.powi(-33));
    }

    #[test]
    fn sine_never_exceeds_one() {
        // Every reduced angle near the maximum; SIN and COS only add a sign.
        for bits in 1.5_f32.to_bits()..=1.7_f32.to_bits() {
            let r = f32::from_bits(bits);
            for (whole, limit) in [(r, 1.0), (-r, -1.0)] {
                let sine = Reduced { whole, rest: 0.0 }.sine(0.0);
                assert!(sine.abs() <= 1.0 && sine * limit > 0.9, "{whole}: {sine}");
            }
        }
    }

    #[test]
    fn cos_rule_1_nan() {
        nan_gives_nan(cos);
    }

    #[test]
    fn cos_rule_2_infinities() {
        same(cos(INF), f32::NAN);
        same(cos(-INF), f32::NAN);
    }

    #[test]
    fn cos_rule_3_zeros() {
        // cos(x) is above 1 - 2^-25, and rounds to 1, for every |x| below 2^-12.
        for x in [0.0, DENORM, TINY, 1e-30, 1e-10, 1e-6, 0.000_244] {
            same(cos(x), 1.0);
            same(cos(-x), 1.0);
        }
    }
}
