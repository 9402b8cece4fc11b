//! Condition codes, and the conditional write masks that test them.

use proptest::prelude::*;

use super::laws::{expect, operands, programs, run, same_bits, value};

/// A rule's name, and its test of the value that set the code.
type Rule = (&'static str, fn(f32) -> bool);

/// The rules of condition codes. The code of a NaN is unordered, and only NE and TR pass on it
/// (NV_fragment_program table X.4, NV_vertex_program2 table X.7).
const RULES: [Rule; 8] = [
    ("EQ", |x| x == 0.0),
    ("NE", |x| x != 0.0),
    ("LT", |x| x < 0.0),
    ("LE", |x| x <= 0.0),
    ("GT", |x| x > 0.0),
    ("GE", |x| x >= 0.0),
    ("TR", |_| true),
    ("FL", |_| false),
];

fn rule() -> impl Strategy<Value = Rule> {
    prop::sample::select(RULES.to_vec())
}

const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// NV_fragment_program 3.11.4.4, NV_vertex_program2 2.14.2.2, NV_fragment_program_option 3.11.4.3,
/// NV_vertex_program2_option 2.14.4.3: the code of a result is its comparison with zero. A component is
/// written if it is in the write mask and its swizzled code passes the rule.
#[test]
fn only_components_that_are_tested_true_change() {
    let swizzle = prop::array::uniform4(0..4_usize);
    let strategy = (operands(value().boxed()), rule(), swizzle, 1..16_usize);
    run(&strategy, |(operands, (name, passes), swizzle, mask)| {
        let letters: String = swizzle.iter().map(|&i| LETTERS[i]).collect();
        let written: String = (0..4).filter(|i| mask >> i & 1 != 0).map(|i| LETTERS[i]).collect();
        let law =
            format!("MOV t, c; SUBC s, a, b; MOV t.{written} ({name}.{letters}), a; MOV u, a; MOV v, c");
        let programs = programs(&law, |_| true);
        expect(!programs.is_empty(), || "no language has condition codes".to_owned())?;
        super::laws::check(&law, &programs, &operands, &|_, got| {
            let is_written = |i: usize| mask >> i & 1 != 0 && passes(got.s[swizzle[i]]);
            same_bits(got.t, std::array::from_fn(|i| if is_written(i) { got.u[i] } else { got.v[i] }))
        })
    });
}

/// The clauses of the test above: an instruction updates only the codes of the components that it writes. The
/// other codes keep their values.
#[test]
fn only_written_components_have_new_codes() {
    run(&(operands(value().boxed()), 1..16_usize), |(operands, mask)| {
        let written: String = (0..4).filter(|i| mask >> i & 1 != 0).map(|i| LETTERS[i]).collect();
        // The codes come from a in the components that the second MOVC writes, and from c elsewhere.
        let law = format!(
            "MOVC s, c; MOVC s.{written}, a; STR t, a, a; SFL u, a, a; SFL v, a, a; MOV u (LT), t; MOV v (EQ), t"
        );
        let programs = programs(&law, |_| true);
        expect(!programs.is_empty(), || "no language has condition codes".to_owned())?;
        super::laws::check(&law, &programs, &operands, &|_, got| {
            let flags = |holds: fn(f32) -> bool| got.s.map(|x| if holds(x) { 1.0 } else { 0.0 });
            same_bits(got.u, flags(|x| x < 0.0))?;
            same_bits(got.v, flags(|x| x == 0.0))
        })
    });
}

/// The clauses of the tests above: a rule and its opposite together write every component once. The exception
/// is an unordered code, which fails LT, GE, GT and LE.
#[test]
fn contraries_write_each_component_once() {
    for (one, other) in [("EQ", "NE"), ("LT", "GE"), ("GT", "LE"), ("TR", "FL")] {
        let law = format!(
            "STR t, a, a; SFL u, a, a; SFL v, a, a; SUBC s, a, b; MOV u ({one}), t; MOV v ({other}), t"
        );
        super::laws::holds(&law, |_, got| {
            let once = |i: usize| got.u[i] + got.v[i] == 1.0;
            let neither =
                |i: usize| got.s[i].is_nan() && one != "EQ" && one != "TR" && got.u[i] + got.v[i] == 0.0;
            expect((0..4).all(|i| once(i) || neither(i)), || format!("{one} and {other}"))
        });
    }
}
