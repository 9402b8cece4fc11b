//! Condition codes of integers: carry and overflow of sums and differences, and every rule that tests them. Clauses are of
//! NV_gpu_program4.

use shadestep_engine::ir::Type;

use crate::types::{Component, INTEGERS, S32, S64, holds, is};

/// Operands of these may have a minus.
const SIGNED: [Type; 2] = [S32, S64];

/// Registers where each of two rules holds: 1 in `t` and in `u`.
fn tested(operation: &str, rules: [&str; 2]) -> String {
    let [one, other] = rules;
    format!("MOV.T t, 0; MOV.T u, 0; {operation}; MOV.T t ({one}), 1; MOV.T u ({other}), 1")
}

/// Whether a number is none of the type's unsigned ones.
fn is_beyond(got: &Component, number: i128) -> bool {
    number < 0 || number >> got.size() != 0
}

/// Whether it is none of the type's signed ones.
fn overflows(got: &Component, number: i128) -> bool {
    let half = 1_i128 << (got.size() - 1);
    !(-half..half).contains(&number)
}

/// 2.X.4.3: the carry of a sum is the bit that an unsigned one has no room for; it overflows where a signed one has none.
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

/// The same: of a difference the carry is that nothing is borrowed (ruling 6).
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

/// Table X.16: behind a difference the rules are the orders of its operands, of signed and of unsigned numbers, also where it
/// overflows.
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

/// The same, and 2.X.4.3: the sign is the highest bit, whatever the type, and what is no sum neither carries nor overflows.
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
