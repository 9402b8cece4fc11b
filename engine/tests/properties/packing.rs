//! Packing and unpacking are inverse (NV_fragment_program 3.11.5.20 to 3.11.5.23, 3.11.5.41 to 3.11.5.44;
//! NV_fragment_program_option 3.11.5.32 to 3.11.5.35, 3.11.5.43 to 3.11.5.46).

use proptest::prelude::*;

use super::laws::{Operands, Vector, expect, holds, holds_for, operands, same_bits, same_numbers, value};

/// 3.11.5.41: UP2H returns the components that PK2H rounded to fp16.
#[test]
fn up2h_undoes_pk2h() {
    holds("MOV t, a; PK2H u, t; UP2H s, u.x", |_, got| {
        let [x, y] = [got.t[0], got.t[1]].map(|value| half::f16::from_f32(value).to_f32());
        same_numbers(got.s, [x, y, x, y])
    });
}

/// Generates operands whose components are `of(0)` to `of(count)`.
fn steps(count: i32, of: fn(i32) -> f32) -> impl Strategy<Value = Operands> {
    let vector = move || prop::array::uniform4((0..=count).prop_map(of));
    (prop::array::uniform4(vector()), vector()).prop_map(|(a, b)| Operands { a, b, c: a })
}

/// 3.11.5.42 to 3.11.5.44: numbers that the packed form represents survive exactly.
#[test]
fn what_the_packed_form_has_comes_back() {
    let us = steps(65535, |k| (f64::from(k) / 65535.0) as f32);
    holds_for(
        "PK2US u, a; UP2US s, u.x",
        us,
        |_| true,
        |_, got| {
            let [x, y, ..] = got.a;
            same_bits(got.s, [x, y, x, y])
        },
    );
    let ub = steps(255, |k| (f64::from(k) / 255.0) as f32);
    holds_for("PK4UB u, a; UP4UB s, u.x", ub, |_| true, |_, got| same_bits(got.s, got.a));
    let b = steps(255, |k| (f64::from(k - 128) / 127.0) as f32);
    holds_for("PK4B u, a; UP4B s, u.x", b, |_| true, |_, got| same_numbers(got.s, got.a));
}

/// 3.11.5.21 to 3.11.5.23: other numbers are clamped and rounded to the nearest step. The error is half a
/// step at most, plus the rounding of the product before packing and of the quotient after unpacking.
#[test]
fn all_else_comes_back_as_the_nearest() {
    let near = |got: Vector, given: Vector, [low, high]: [f32; 2], steps: f64| {
        let bound = (0.5 + 2.0_f64.powi(-8)) / steps + 2.0_f64.powi(-24);
        let is_near = |(x, given): (&f32, &f32)| {
            given.is_nan() || (f64::from(*x) - f64::from(given.clamp(low, high))).abs() <= bound
        };
        expect(got.iter().zip(&given).all(is_near), || format!("{got:?} from {given:?}"))
    };
    holds("PK2US u, a; UP2US s, u.x", |_, got| {
        let [x, y, ..] = got.a;
        near(got.s, [x, y, x, y], [0.0, 1.0], 65535.0)
    });
    holds("PK4UB u, a; UP4UB s, u.x", |_, got| near(got.s, got.a, [0.0, 1.0], 255.0));
    holds("PK4B u, a; UP4B s, u.x", |_, got| near(got.s, got.a, [-128.0 / 127.0, 1.0], 127.0));
}

/// Any bits, unpacked from a parameter and packed again, are the same bits. The exception is fp16 NaNs, whose
/// bits may change.
#[test]
fn packing_undoes_unpacking() {
    let bits = any::<u32>().prop_map(f32::from_bits);
    let all = operands(prop_oneof![3 => bits, 1 => value()].boxed());
    for kind in ["2US", "4UB", "4B"] {
        let law = format!("UP{kind} t, b.y; PK{kind} s, t");
        let all = operands(prop_oneof![3 => any::<u32>().prop_map(f32::from_bits), 1 => value()].boxed());
        holds_for(&law, all, |_| true, |_, got| same_bits(got.s, [got.b[1]; 4]));
    }
    holds_for(
        "UP2H t, b.y; PK2H s, t",
        all,
        |_| true,
        |_, got| {
            let packed = got.b[1].to_bits();
            let is_nan = |half: u32| half & 0x7C00 == 0x7C00 && half & 0x3FF != 0;
            if is_nan(packed) || is_nan(packed >> 16) {
                return Ok(());
            }
            same_bits(got.s, [got.b[1]; 4])
        },
    );
}
