//! Tests of POW against the rules of NV_fragment_program 3.11.5.24.

use super::{Single, pow as power};
use crate::num::approx::{ex2, lg2};
use crate::num::fp32;

const INF: f32 = f32::INFINITY;
const TINY: f32 = f32::MIN_POSITIVE;
/// The largest denorm.
const DENORM: f32 = f32::from_bits(0x007F_FFFF);
/// NaNs of both signs, quiet and signalling, with payloads.
const NANS: [u32; 5] = [0x7FC0_0000, 0xFFC0_0000, 0x7F80_0001, 0xFF80_1234, 0x7FFF_FFFF];

fn pow(a: f32, b: f32) -> f32 {
    power::<Single, f32>(a, b)
}

#[track_caller]
fn same(actual: f32, expected: f32) {
    let expected = if expected.is_nan() { fp32::NAN_BITS } else { expected.to_bits() };
    assert_eq!(actual.to_bits(), expected, "{actual:e} instead of {:e}", f32::from_bits(expected));
}

/// Positive finite numbers of all magnitudes, for rules with an `<x>`.
const POSITIVE: [f32; 9] = [TINY, 1e-20, 0.3, 0.999_999_94, 1.0, 1.000_000_1, 7.5, 1e20, f32::MAX];

#[test]
fn pow_rule_1_negative_base() {
    for y in [0.0, 1.0, 2.0, -3.0, 0.5, INF, -INF] {
        for x in POSITIVE {
            same(pow(-x, y), f32::NAN);
        }
        same(pow(-INF, y), f32::NAN);
    }
}

#[test]
fn pow_rule_2_nan() {
    for x in [0.0, -0.0, 1.0, 2.0, -1.0, INF, -INF] {
        for bits in NANS {
            same(pow(x, f32::from_bits(bits)), f32::NAN);
            same(pow(f32::from_bits(bits), x), f32::NAN);
        }
    }
}

#[test]
fn pow_rule_3_zero_to_zero() {
    for (a, b) in [(0.0, 0.0), (0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0), (0.0, DENORM), (DENORM, DENORM)] {
        same(pow(a, b), f32::NAN);
    }
}

#[test]
fn pow_rule_4_infinity_to_zero() {
    for b in [0.0, -0.0, DENORM, -DENORM] {
        same(pow(INF, b), f32::NAN);
    }
}

#[test]
fn pow_rule_5_one_to_infinity() {
    same(pow(1.0, INF), f32::NAN);
    same(pow(1.0, -INF), f32::NAN);
}

#[test]
fn pow_rule_6_and_7_zero_base() {
    for x in POSITIVE {
        for zero in [0.0, -0.0, DENORM] {
            same(pow(zero, x), 0.0);
            same(pow(zero, -x), INF);
        }
    }
}

#[test]
fn pow_rule_8_one() {
    same(pow(1.0, 0.0), 1.0);
    for x in POSITIVE {
        same(pow(1.0, x), 1.0);
        same(pow(1.0, -x), 1.0);
    }
}

#[test]
fn pow_rule_9_infinity_to_positive() {
    for x in POSITIVE {
        same(pow(INF, x), INF);
    }
}

#[test]
fn pow_rule_10_as_ruling_3_has_it() {
    for x in POSITIVE {
        same(pow(INF, -x), 0.0);
    }
}

#[test]
fn pow_rule_11_to_the_zero() {
    for x in POSITIVE {
        same(pow(x, 0.0), 1.0);
        same(pow(x, -0.0), 1.0);
    }
}

#[test]
fn pow_rule_12_to_the_one() {
    same(pow(0.0, 1.0), 0.0);
    same(pow(INF, 1.0), INF);
    for x in POSITIVE {
        // The error of LG2 (one ulp of its result, at least 2^-22) becomes a relative error, and EX2 adds its
        // own.
        let lg2_error = f64::from(x).log2().abs() * 2.0_f64.powi(-23) + 2.0_f64.powi(-22);
        let bound = std::f64::consts::LN_2 * lg2_error + 2.0_f64.powi(-22);
        let relative = (f64::from(pow(x, 1.0)) / f64::from(x) - 1.0).abs();
        // Just under 2^128 the approximation may round to exactly 128, which gives INF.
        assert!(relative < bound || (x == f32::MAX && pow(x, 1.0) == INF), "{x:e}: {relative:e}");
    }
}

#[test]
fn pow_rules_13_and_14_infinite_exponent() {
    for x in POSITIVE {
        if x < 1.0 {
            same(pow(x, INF), 0.0);
            same(pow(x, -INF), INF);
        } else if x > 1.0 {
            same(pow(x, INF), INF);
            same(pow(x, -INF), 0.0);
        }
    }
    same(pow(0.0, INF), 0.0);
    same(pow(-0.0, INF), 0.0);
    same(pow(0.0, -INF), INF);
    same(pow(-0.0, -INF), INF);
    same(pow(INF, INF), INF);
    same(pow(INF, -INF), 0.0);
}

#[test]
fn pow_of_powers_of_two_is_exact() {
    same(pow(2.0, 10.0), 1024.0);
    same(pow(4.0, -0.5), 0.5);
    same(pow(0.25, 3.0), 1.0 / 64.0);
    // The product is rounded before EX2, like the result of MUL.
    same(pow(3.0, 7.0), ex2(7.0 * lg2(3.0)));
}
