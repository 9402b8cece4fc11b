//! Accuracy of the approximated functions, compared with `f64` over dense samples of fp32. The tests check
//! the bounds in NV_fragment_program 3.11.5, the engine's own tighter bounds, and rules for every operand (no
//! denormals, one NaN).
//!
//! Tests of special-case rules are beside the functions.

#![expect(clippy::print_stdout, reason = "each test prints the worst error it met, with the operand")]

use std::f32::consts::TAU;

use shadestep_language::num::{approx, fp32};

type Function = fn(f32) -> f32;

/// 2^-22, the bound that most sections state.
const STATED: f64 = 1.0 / 4_194_304.0;

/// The finite `f32`s from `low` to `high` (both positive), every `stride`th.
fn positive(low: f32, high: f32, stride: usize) -> impl Iterator<Item = f32> {
    (low.to_bits()..=high.to_bits()).step_by(stride).map(f32::from_bits)
}

/// Like [`positive`], with both signs.
fn signed(low: f32, high: f32, stride: usize) -> impl Iterator<Item = f32> {
    positive(low, high, stride).flat_map(|x| [x, -x])
}

/// Evenly spaced operands, `count` of them, from `low` up to but not including `high`.
fn evenly(low: f64, high: f64, count: u32) -> impl Iterator<Item = f32> {
    (0..count).map(move |i| (low + (high - low) * f64::from(i) / f64::from(count)) as f32)
}

/// The distance between fp32 numbers near `value`, which must be normal.
fn ulp(value: f64) -> f64 {
    2.0_f64.powi(value.abs().log2().floor() as i32 - 23)
}

/// The largest error so far, in the unit of the test.
struct Worst {
    error: f64,
    operand: f32,
}

impl Worst {
    /// The largest `error(x)`. A NaN counts as infinite.
    fn of(operands: impl Iterator<Item = f32>, error: impl Fn(f32) -> f64) -> Self {
        let mut worst = Self { error: 0.0, operand: 0.0 };
        for operand in operands {
            let error = error(operand);
            let error = if error.is_nan() { f64::INFINITY } else { error };
            if error > worst.error {
                worst = Self { error, operand };
            }
        }
        worst
    }

    #[track_caller]
    fn is_below(&self, bound: f64, what: &str) {
        let Self { error, operand } = self;
        println!("{what}: {error:.4e} (2^{:.2}) at {operand:e}, bound {bound:.4e}", error.log2());
        assert!(*error < bound, "{what}: {error:e} at {operand:e} is not below {bound:e}");
    }
}

fn absolute(actual: f32, exact: f64) -> f64 {
    (f64::from(actual) - exact).abs()
}

fn in_ulps(actual: f32, exact: f64) -> f64 {
    absolute(actual, exact) / ulp(exact)
}

/// The error of LG2, if fp32 has a number within the bound. Otherwise the bound asks for nothing, and the
/// error is 0: "For large values of x, there are not enough bits" (3.11.5.12).
fn logarithm_error(x: f32) -> f64 {
    let exact = f64::from(x).log2();
    let in_reach = absolute(exact as f32, exact) < STATED;
    if in_reach { absolute(approx::lg2(x), exact) } else { 0.0 }
}

#[test]
fn rcp_is_correctly_rounded() {
    let error = |x: f32| absolute(approx::rcp(x), 1.0 / f64::from(x));
    Worst::of(positive(1.0, 2.0, 1), error).is_below(STATED, "RCP in [1, 2]");
    let ulps = |x: f32| in_ulps(approx::rcp(x), 1.0 / f64::from(x));
    Worst::of(signed(f32::MIN_POSITIVE, 8e37, 1_501), ulps).is_below(0.500_001, "RCP in ulps");
}

#[test]
fn rsq_meets_its_bound() {
    let exact = |x: f32| 1.0 / f64::from(x).sqrt();
    Worst::of(positive(1.0, 4.0, 1), |x| absolute(approx::rsq(x), exact(x)))
        .is_below(STATED, "RSQ in [1, 4]");
    Worst::of(positive(f32::MIN_POSITIVE, f32::MAX, 1_501), |x| in_ulps(approx::rsq(x), exact(x)))
        .is_below(1.5, "RSQ in ulps");
}

#[test]
fn ex2_meets_its_bound() {
    let scaled = |x: f32| absolute(approx::ex2(x), f64::from(x).exp2()) / f64::from(x).floor().exp2();
    let below_128 = f32::from_bits(128.0_f32.to_bits() - 1);
    Worst::of(evenly(0.0, 1.0, 1_000_000), scaled).is_below(STATED, "EX2 in [0, 1)");
    Worst::of(evenly(-126.0, 127.99, 1_500_000), scaled).is_below(STATED, "EX2, over 2^floor(x)");
    Worst::of(positive(f32::MIN_POSITIVE, below_128, 601), scaled)
        .is_below(STATED, "EX2 of positive numbers, over 2^floor(x)");
    Worst::of(positive(f32::MIN_POSITIVE, 126.0, 601).map(|x| -x), scaled)
        .is_below(STATED, "EX2 of negative numbers, over 2^floor(x)");
    Worst::of(evenly(-126.0, 127.99, 500_000), |x| in_ulps(approx::ex2(x), f64::from(x).exp2()))
        .is_below(1.125, "EX2 in ulps");
}

#[test]
fn lg2_meets_its_bound() {
    // Results of magnitude 4 to 8 are 2^-21 apart, so only the nearest result is within the bound. The test
    // tries every operand that has such a result. From 8 on, fp32 seldom has a number within the bound.
    Worst::of(positive(16.0, 256.0, 1), logarithm_error).is_below(STATED, "LG2 in [16, 256]");
    Worst::of(positive(1.0 / 256.0, 0.062_5, 1), logarithm_error).is_below(STATED, "LG2 in [1/256, 1/16]");
    Worst::of(positive(0.062_5, 16.0, 41), logarithm_error).is_below(STATED, "LG2 in [1/16, 16]");
    Worst::of(evenly(0.5, 2.0, 1_000_000), logarithm_error).is_below(STATED, "LG2 in [1/2, 2]");
    Worst::of(positive(f32::MIN_POSITIVE, f32::MAX, 401), logarithm_error)
        .is_below(STATED, "LG2, everywhere");
}

#[test]
fn lg2_has_a_number_within_its_bound_up_to_256() {
    // From 1/256 to 256 each logarithm has a number within the bound, so the tests above skip no operand.
    for x in positive(1.0 / 256.0, 256.0, 1_009) {
        let exact = f64::from(x).log2();
        assert!(absolute(exact as f32, exact) < STATED, "{x:e}");
    }
}

#[test]
fn lg2_is_the_nearest_fp32_but_near_one() {
    let exact = |x: f32| f64::from(x).log2();
    let ulps = |x: f32| if x == 1.0 { 0.0 } else { in_ulps(approx::lg2(x), exact(x)) };
    Worst::of(positive(f32::MIN_POSITIVE, 0.5, 1_501), ulps).is_below(0.500_001, "LG2 in ulps, below 1/2");
    Worst::of(positive(2.0, f32::MAX, 1_501), ulps).is_below(0.500_001, "LG2 in ulps, from 2 on");
    Worst::of(positive(0.5, 2.0, 1), ulps).is_below(2.25, "LG2 in ulps, in [1/2, 2]");
}

/// Operands of SIN and COS over one turn: evenly spaced, and dense towards zero.
fn one_turn() -> impl Iterator<Item = f32> {
    evenly(0.0, f64::from(TAU), 1_500_000).chain(positive(f32::MIN_POSITIVE, TAU, 2_003))
}

#[test]
fn sin_meets_its_bound() {
    let error = |x: f32| absolute(approx::sin(x), f64::from(x).sin());
    Worst::of(one_turn(), error).is_below(STATED, "SIN in [0, 2 pi)");
    Worst::of(one_turn().map(|x| -x), error).is_below(STATED, "SIN in (-2 pi, 0]");
    Worst::of(evenly(-10_000.0, 10_000.0, 1_000_000), error).is_below(STATED, "SIN to 10000");
    Worst::of(evenly(-16_777_216.0, 16_777_216.0, 1_500_000), error).is_below(STATED, "SIN to 2^24");
    let ulps = |x: f32| in_ulps(approx::sin(x), f64::from(x).sin());
    Worst::of(positive(f32::MIN_POSITIVE, TAU, 1_001), ulps).is_below(2.0, "SIN in ulps, in (0, 2 pi)");
}

#[test]
fn cos_meets_its_bound() {
    let error = |x: f32| absolute(approx::cos(x), f64::from(x).cos());
    Worst::of(one_turn(), error).is_below(STATED, "COS in [0, 2 pi)");
    Worst::of(evenly(-10_000.0, 10_000.0, 1_000_000), error).is_below(STATED, "COS to 10000");
    Worst::of(evenly(-16_777_216.0, 16_777_216.0, 1_500_000), error).is_below(STATED, "COS to 2^24");
    let ulps = |x: f32| in_ulps(approx::cos(x), f64::from(x).cos());
    Worst::of(positive(1e-9, TAU, 301), ulps).is_below(2.0, "COS in ulps, in (0, 2 pi)");
}

#[test]
fn sin_and_cos_are_odd_and_even_and_stay_within_one() {
    let check = |x: f32| {
        let (sine, cosine) = (approx::sin(x), approx::cos(x));
        assert!((-1.0..=1.0).contains(&sine), "sin({x:e}) = {sine:e}");
        assert!((-1.0..=1.0).contains(&cosine), "cos({x:e}) = {cosine:e}");
        assert_eq!(approx::sin(-x).to_bits(), (-sine).to_bits(), "{x:e}");
        assert_eq!(approx::cos(-x).to_bits(), cosine.to_bits(), "{x:e}");
    };
    positive(f32::MIN_POSITIVE, f32::MAX, 1_009).for_each(check);
    // Near the maxima of both functions, the reduced angle takes every value up to pi/2.
    positive(1.5, 1.65, 1).for_each(check);
    positive(1e-8, 0.02, 31).for_each(check);
}

#[test]
fn sin_and_cos_of_any_finite_angle_lie_on_the_unit_circle() {
    // The text leaves the error of large angles open. But sine and cosine must belong to one angle.
    let error = |x: f32| {
        let (sine, cosine) = (f64::from(approx::sin(x)), f64::from(approx::cos(x)));
        (sine * sine + cosine * cosine - 1.0).abs()
    };
    Worst::of(signed(f32::MIN_POSITIVE, f32::MAX, 1_009), error).is_below(2.0_f64.powi(-10), "the circle");
    Worst::of(positive(20_000.0, 2e9, 97), error).is_below(2.0_f64.powi(-10), "the circle, up to 2^31");
    // Up to 2^30 the results also belong to the operand's angle.
    let sine = |x: f32| absolute(approx::sin(x), f64::from(x).sin());
    Worst::of(positive(1e7, 1_073_741_824.0, 97), sine).is_below(2.0_f64.powi(-16), "SIN up to 2^30");
    let cosine = |x: f32| absolute(approx::cos(x), f64::from(x).cos());
    Worst::of(positive(1e7, 1_073_741_824.0, 97), cosine).is_below(2.0_f64.powi(-16), "COS up to 2^30");
}

#[test]
fn floor_agrees_with_the_library() {
    for x in (0..=u32::MAX).step_by(1_009).map(f32::from_bits).chain(evenly(-40.0, 40.0, 100_000)) {
        let expected = fp32::canonical(fp32::flush(x).floor());
        assert_eq!(approx::floor(x).to_bits(), expected.to_bits(), "{x:e}");
    }
}

#[test]
fn no_result_is_a_denorm_and_there_is_one_nan() {
    let functions: [(&str, Function); 7] = [
        ("rcp", approx::rcp),
        ("rsq", approx::rsq),
        ("ex2", approx::ex2),
        ("lg2", approx::lg2),
        ("sin", approx::sin),
        ("cos", approx::cos),
        ("floor", approx::floor),
    ];
    for (name, function) in functions {
        for bits in (0..=u32::MAX).step_by(5_003) {
            let operand = f32::from_bits(bits);
            let result = function(operand);
            assert!(!result.is_subnormal(), "{name}({operand:e}) = {result:e}");
            if result.is_nan() {
                assert_eq!(result.to_bits(), fp32::NAN_BITS, "{name}({operand:e})");
            }
            // A denormal operand gives the same result as a zero of its sign.
            if operand.is_subnormal() {
                assert_eq!(result.to_bits(), function(fp32::flush(operand)).to_bits(), "{name}({operand:e})");
            }
        }
    }
}
