//! Condition codes of integers: carry and overflow of sums and differences, and every rule that tests them.
//! Clauses are of NV_gpu_program4.

use shadestep_engine::ir::Type;

use super::types::{Component, INTEGERS, S32, S64, holds, is};

/// Types whose operands may have a minus.
const SIGNED: [Type; 2] = [S32, S64];

/// Returns a law that runs `operation` and stores 1 in `t` and `u` where the first and the second rule hold.
fn tested(operation: &str, rules: [&str; 2]) -> String {
    let [one, other] = rules;
    format!("MOV.T t, 0; MOV.T u, 0; {operation}; MOV.T t ({one}), 1; MOV.T u ({other}), 1")
}

/// Returns true if the type's unsigned integers do not include the number.
fn is_beyond(got: &Component, number: i128) -> bool {
    number < 0 || number >> got.size() != 0
}

/// Returns true if the type's signed integers do not include the number.
fn overflows(got: &Component, number: i128) -> bool {
    let half = 1_i128 << (got.size() - 1);
    !(-half..half).contains(&number)
}

/// 2.X.4.3: a sum carries if its unsigned value does not fit the type, and overflows if its signed value does
/// not fit.
#[test]
fn sums_carry_and_overflow() {
    for operation in ["ADD.T.CC s, p, q", "SUB.T.CC s, p, -q", "MAD.T.CC s, p, 1, q"] {
        let is_sum = !operation.starts_with("SUB");
        let types: &[_] = if is_sum { &INTEGERS } else { &SIGNED };
        holds(&tested(operation, ["CF", "OF"]), types, |got| {
            is(got.t, u64::from(is_beyond(got, i128::from(got.p) + i128::from(got.q))))?;
            is(got.u, u64::from(overflows(got, got.signed(got.p) + got.signed(got.q))))
        });
        holds(&tested(operation, ["NCF", "NOF"]), types, |got| {
            is(got.t, u64::from(!is_beyond(got, i128::from(got.p) + i128::from(got.q))))?;
            is(got.u, u64::from(!overflows(got, got.signed(got.p) + got.signed(got.q))))
        });
    }
}

/// 2.X.4.3: a difference sets the carry if it does not borrow (ruling 6).
#[test]
fn differences_borrow_and_overflow() {
    for operation in ["SUB.T.CC s, p, q", "ADD.T.CC s, p, -q", "ADD.T.CC s, -q, p"] {
        let types: &[_] = if operation.contains('-') { &SIGNED } else { &INTEGERS };
        holds(&tested(operation, ["CF", "OF"]), types, |got| {
            is(got.t, u64::from(got.p >= got.q))?;
            is(got.u, u64::from(overflows(got, got.signed(got.p) - got.signed(got.q))))
        });
    }
}

/// Table X.16: after a difference the rules order its operands, as signed or as unsigned numbers. This holds
/// even if the difference overflows.
#[test]
fn rules_behind_a_difference_are_orders() {
    type Order = fn(i128, i128) -> bool;
    let signed: [(&str, &str, Order); 3] =
        [("LT", "GE", |p, q| p < q), ("GT", "LE", |p, q| p > q), ("EQ", "NE", |p, q| p == q)];
    for (one, other, order) in signed {
        holds(&tested("SUB.T.CC s, p, q", [one, other]), &INTEGERS, |got| {
            let holds = order(got.signed(got.p), got.signed(got.q));
            is(got.t, u64::from(holds))?;
            is(got.u, u64::from(!holds))
        });
    }
    holds(&tested("SUB.T.CC1 s, p, q", ["AB1", "BLE1"]), &INTEGERS, |got| {
        is(got.t, u64::from(got.p > got.q))?;
        is(got.u, u64::from(got.p <= got.q))
    });
}

/// Table X.16 and 2.X.4.3: the sign flag is the highest bit in every type. Only sums and differences set
/// carry and overflow.
#[test]
fn signs_are_highest_bits_and_the_rest_is_clear() {
    for operation in ["MOV.T.CC s, p", "XOR.T.CC s, p, q", "MUL.T.CC s, p, q", "SHL.T.CC s, p, 1"] {
        holds(&tested(operation, ["SF", "NSF"]), &INTEGERS, |got| {
            let negative = got.s >> (got.size() - 1) & 1;
            is(got.t, negative)?;
            is(got.u, 1 - negative)
        });
        holds(&tested(operation, ["CF", "OF"]), &INTEGERS, |got| {
            is(got.t, 0)?;
            is(got.u, 0)
        });
        holds(&tested(operation, ["NAN", "LEG"]), &INTEGERS, |got| {
            is(got.t, 0)?;
            is(got.u, 1)
        });
        holds(&tested(operation, ["TR", "FL"]), &INTEGERS, |got| {
            is(got.t, 1)?;
            is(got.u, 0)
        });
    }
}
