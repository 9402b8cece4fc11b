//! fx12, the 12-bit fixed-point format of the X suffix (NV_fragment_program 3.11.4.1).
//!
//! A value is a 12-bit two's complement integer divided by 1024, held exactly in an `f32`. Registers never
//! store fx12 values. Instructions convert operands and results with [`round`].

use super::number::Number;

/// The smallest value, -2048/1024.
pub const MIN: f32 = -2.0;
/// The largest value, 2047/1024.
pub const MAX: f32 = 2047.0 / 1024.0;

/// 1.5 * 2^13. Near this number the last digit of fp32 is 1/1024, so an addition rounds to fx12's step.
const MAGIC: f32 = 12288.0;

/// Rounds to the nearest fx12 value, ties to even, with saturation (3.11.4.2, rulings 6 and 7).
///
/// NaN becomes +0.0. The format has one zero, so every zero result is +0.0.
#[inline(always)]
pub fn round<N: Number>(x: N) -> N {
    let (min, max, magic) = (N::of(MIN), N::of(MAX), N::of(MAGIC));
    let low = N::select(x.lt(min), min, x);
    let clamped = N::select(low.gt(max), max, low);
    let rounded = (clamped + magic) - magic;
    N::select(x.is_nan(), N::of(0.0), rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formula of 3.11.4.2 in f64, where the scaling is exact.
    fn expected(x: f32) -> f32 {
        if x.is_nan() {
            return 0.0;
        }
        let steps = (f64::from(x) * 1024.0).clamp(-2048.0, 2047.0).round_ties_even();
        // Adding +0.0 turns -0.0 into the only zero of the format.
        (steps / 1024.0 + 0.0) as f32
    }

    #[track_caller]
    fn check(x: f32) {
        assert_eq!(round(x).to_bits(), expected(x).to_bits(), "{x:e}, bits {:#010X}", x.to_bits());
    }

    #[test]
    fn every_value_is_kept() {
        for steps in -2048..=2047_i16 {
            let x = f32::from(steps) / 1024.0;
            assert_eq!(round(x).to_bits(), x.to_bits());
        }
    }

    #[test]
    fn halfway_points_go_to_even() {
        for steps in -2048..2047_i16 {
            let middle = (f32::from(steps) + 0.5) / 1024.0;
            let even = if steps % 2 == 0 { steps } else { steps + 1 };
            assert_eq!(round(middle).to_bits(), (f32::from(even) / 1024.0).to_bits(), "{steps} and a half");
            for offset in [-1_i32, 1] {
                check(f32::from_bits(middle.to_bits().wrapping_add_signed(offset)));
            }
        }
    }

    #[test]
    fn specials() {
        let cases = [
            (f32::NAN, 0.0),
            (-f32::NAN, 0.0),
            (f32::INFINITY, MAX),
            (f32::NEG_INFINITY, MIN),
            (-0.0, 0.0),
            (-0.0001, 0.0),
            (f32::MIN_POSITIVE, 0.0),
            (-f32::from_bits(1), 0.0),
            (2.0, MAX),
            (1.999_999_9, MAX),
            (-2.000_000_2, MIN),
            (f32::MAX, MAX),
            (f32::MIN, MIN),
        ];
        for (x, value) in cases {
            assert_eq!(round(x).to_bits(), f32::to_bits(value), "{x:e}");
        }
    }

    #[test]
    fn all_of_fp32_in_steps() {
        for bits in (0..=u32::MAX).step_by(2_311) {
            check(f32::from_bits(bits));
        }
    }
}
