//! The special-case rules of the vertex instructions (NV_vertex_program2 2.14.3.1 to 2.14.3.39), one test for
//! each section.

use super::build::result_of;
use shadestep_engine::isa::{Language, Opcode};

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;
/// The largest denorm.
const DENORM: f32 = f32::from_bits(0x007F_FFFF);

/// Returns 2^n as a normal number, for n from -126 to 127.
fn power(n: i32) -> f32 {
    f32::from_bits(((n + 127) as u32) << 23)
}

#[track_caller]
fn same(actual: [f32; 4], expected: [f32; 4], what: &str) {
    // Results have the canonical NaN only.
    let bits = |value: f32| if value.is_nan() { 0x7FC0_0000 } else { value.to_bits() };
    assert_eq!(actual.map(f32::to_bits), expected.map(bits), "{what}: {actual:?}, expected {expected:?}");
}

#[track_caller]
fn gives(language: Language, opcode: Opcode, cases: &[(f32, f32)]) {
    for &(operand, expected) in cases {
        let what = format!("{opcode:?} of {operand}");
        same(result_of(language, opcode, &[[operand; 4]]), [expected; 4], &what);
    }
}

#[test]
fn abs_clears_signs() {
    let cases = [(NAN, NAN), (-INF, INF), (INF, INF), (-0.0, 0.0), (-2.5, 2.5), (-DENORM, 0.0)];
    gives(Language::Vp1_1, Opcode::Abs, &cases);
}

#[test]
fn rcc_keeps_between_powers_of_two() {
    let (least, most) = (power(-64), power(64));
    let cases = [
        (NAN, NAN),
        (INF, least),
        (-INF, -least),
        (0.0, most),
        (-0.0, -most),
        (power(65), least),
        (-power(65), -least),
        (power(-65), most),
        (-power(-65), -most),
        (DENORM, most),
        (f32::MAX, least),
        (4.0, 0.25),
        (-0.5, -2.0),
        (power(64), least),
        (power(-64), most),
    ];
    gives(Language::Vp1_1, Opcode::Rcc, &cases);
}

#[test]
fn ssg_gives_signs() {
    let cases = [
        (NAN, NAN),
        (-0.0, 0.0),
        (0.0, 0.0),
        (-INF, -1.0),
        (INF, 1.0),
        (-3.5, -1.0),
        (1e-30, 1.0),
        (-DENORM, 0.0),
    ];
    gives(Language::Vp2, Opcode::Ssg, &cases);
}

#[test]
fn exp_takes_the_operand_apart() {
    for (operand, expected) in [
        (0.0, [1.0, 0.0, 1.0, 1.0]),
        (-0.0, [1.0, 0.0, 1.0, 1.0]),
        (3.0, [8.0, 0.0, 8.0, 1.0]),
        (-2.0, [0.25, 0.0, 0.25, 1.0]),
        (INF, [INF, NAN, INF, 1.0]),
        (-INF, [0.0, NAN, 0.0, 1.0]),
        (NAN, [NAN, NAN, NAN, 1.0]),
    ] {
        same(result_of(Language::Vp1, Opcode::Exp, &[[operand; 4]]), expected, &format!("EXP of {operand}"));
    }
    // 2^floor(x) and x - floor(x) are exact, and 2^x has 11 correct bits.
    let [x, y, z, w] = result_of(Language::Vp1, Opcode::Exp, &[[-1.25; 4]]);
    assert_eq!([x, y, w], [0.25, 0.75, 1.0]);
    assert!((f64::from(z) - 2f64.powf(-1.25)).abs() < 0.25 / 2048.0, "{z}");
}

#[test]
fn log_takes_the_magnitude_apart() {
    for (operand, expected) in [
        (1.0, [0.0, 1.0, 0.0, 1.0]),
        (-8.0, [3.0, 1.0, 3.0, 1.0]),
        (power(-126), [-126.0, 1.0, -126.0, 1.0]),
        (NAN, [NAN, NAN, NAN, 1.0]),
    ] {
        same(result_of(Language::Vp1, Opcode::Log, &[[operand; 4]]), expected, &format!("LOG of {operand}"));
    }
    let [x, y, z, w] = result_of(Language::Vp1, Opcode::Log, &[[-10.0; 4]]);
    assert_eq!([x, y, w], [3.0, 1.25, 1.0]);
    assert!((f64::from(z) - 10f64.log2()).abs() < 1.0 / 2048.0, "{z}");
    // For zeros, denorms and infinities the rules fix the exponent and the logarithm, not the mantissa.
    for (operand, expected) in [(0.0, -INF), (-0.0, -INF), (DENORM, -INF), (INF, INF), (-INF, INF)] {
        let [x, _, z, w] = result_of(Language::Vp1, Opcode::Log, &[[operand; 4]]);
        assert_eq!([x, z, w], [expected, expected, 1.0], "LOG of {operand}");
    }
}

#[test]
fn arl_floors_and_clamps_in_vp2() {
    let cases = [
        (2.9, 2.0),
        (-0.5, -1.0),
        (-0.0, 0.0),
        (511.9, 511.0),
        (512.0, 511.0),
        (-512.0, -512.0),
        (-512.5, -512.0),
        (INF, 511.0),
        (-INF, -512.0),
        (NAN, 0.0),
        (DENORM, 0.0),
        (-DENORM, 0.0),
    ];
    gives(Language::Vp2, Opcode::Arl, &cases);
    gives(Language::Vp1, Opcode::Arl, &[(2.9, 2.0), (512.0, 512.0), (-600.5, -601.0), (NAN, 0.0)]);
}

#[test]
fn arr_rounds_halves_to_even() {
    let cases = [
        (0.5, 0.0),
        (1.5, 2.0),
        (2.5, 2.0),
        (-0.5, 0.0),
        (-1.5, -2.0),
        (2.4, 2.0),
        (2.6, 3.0),
        (510.5, 510.0),
        (511.5, 511.0),
        (600.0, 511.0),
        (-512.4, -512.0),
        (INF, 511.0),
        (NAN, 0.0),
    ];
    gives(Language::Vp2, Opcode::Arr, &cases);
}

#[test]
fn set_on_and_extremes_give_nan_for_nan() {
    let set_on = [
        (Opcode::Seq, [0.0, 1.0, 1.0]),
        (Opcode::Sge, [0.0, 1.0, 1.0]),
        (Opcode::Sgt, [0.0, 0.0, 0.0]),
        (Opcode::Sle, [1.0, 1.0, 1.0]),
        (Opcode::Slt, [1.0, 0.0, 0.0]),
        (Opcode::Sne, [1.0, 0.0, 0.0]),
        (Opcode::Max, [2.0, INF, 0.0]),
        (Opcode::Min, [1.0, INF, -0.0]),
    ];
    for (opcode, [less, equal, zeros]) in set_on {
        let result = result_of(Language::Vp2, opcode, &[[1.0, INF, -0.0, NAN], [2.0, INF, 0.0, 1.0]]);
        same(result, [less, equal, zeros, NAN], &format!("{opcode:?}"));
        let other = result_of(Language::Vp2, opcode, &[[INF, NAN, 1.0, 1.0], [NAN, NAN, NAN, NAN]]);
        same(other, [NAN; 4], &format!("{opcode:?} with NaN second"));
    }
}

#[test]
fn dph_takes_one_for_the_first_w() {
    let result = result_of(Language::Vp1_1, Opcode::Dph, &[[1.0, 2.0, 3.0, 100.0], [4.0, 5.0, 6.0, 7.0]]);
    assert_eq!(result, [39.0; 4]);
}

#[test]
fn lit_clamps_the_exponent_inside_128() {
    // 2 to the power of the largest fp32 below 128 is still finite.
    let lit = |w: f32| result_of(Language::Vp1, Opcode::Lit, &[[0.5, 2.0, 9.0, w]]);
    let [x, y, z, w] = lit(1000.0);
    assert_eq!([x, y, w], [1.0, 0.5, 1.0]);
    assert!(z.is_finite() && z > power(127), "{z}");
    assert_eq!(lit(3.0), [1.0, 0.5, 8.0, 1.0]);
    assert_eq!(lit(-2.0), [1.0, 0.5, 0.25, 1.0]);
    // A surface that faces away has no highlight, and a base below zero counts as zero.
    assert_eq!(result_of(Language::Vp1, Opcode::Lit, &[[-1.0, 2.0, 0.0, 3.0]]), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(result_of(Language::Vp1, Opcode::Lit, &[[1.0, -2.0, 0.0, 3.0]]), [1.0, 1.0, 0.0, 1.0]);
}
