//! The "set on" instructions, which complement and mirror each other.

use shadestep_language::isa::{Family, Precision};

use super::laws::{Outcome, Variant, Vector, expect, holds, same_bits, same_numbers};

/// Returns the components that are NaN in neither operand. The law copies the operands to `u` and `v`.
fn numbers(got: &Outcome) -> impl Iterator<Item = usize> {
    (0..4).filter(|&i| !got.u[i].is_nan() && !got.v[i].is_nan())
}

/// Compares `result` with the 0 and 1 of the comparison `holds`. A NaN operand gives NaN in the NV vertex
/// languages, and the value of the comparison elsewhere.
///
/// NV_fragment_program 3.11.5.28 to 3.11.5.36 with rule 1; NV_vertex_program2 2.14.3.29 to 2.14.3.38 with its
/// pseudo-code (ruling 1); ARB_fragment_program 3.11.5.24, 3.11.5.26; ARB_vertex_program 2.14.5.23,
/// 2.14.5.24.
fn follows(
    variant: Variant,
    got: &Outcome,
    result: Vector,
    holds: impl Fn(f32, f32) -> bool,
) -> Result<(), String> {
    let wanted: Vector = std::array::from_fn(|i| {
        let (x, y) = (got.u[i], got.v[i]);
        if variant.language.family() == Family::Vp && (x.is_nan() || y.is_nan()) {
            return f32::NAN;
        }
        if holds(x, y) { 1.0 } else { 0.0 }
    });
    same_numbers(result, wanted)
}

#[test]
fn results_are_one_where_the_comparison_holds() {
    type Comparison = fn(f32, f32) -> bool;
    let all: [(&str, Comparison); 6] = [
        ("SEQ", |x, y| x == y),
        ("SNE", |x, y| x != y),
        ("SLT", |x, y| x < y),
        ("SLE", |x, y| x <= y),
        ("SGT", |x, y| x > y),
        ("SGE", |x, y| x >= y),
    ];
    for (name, comparison) in all {
        holds(&format!("{name} s, a, b; MOV u, a; MOV v, b"), |variant, got| {
            follows(variant, got, got.s, comparison)
        });
    }
}

/// For numbers exactly one of two complements holds.
#[test]
fn complements_add_up_to_one() {
    for (one, other) in [("SGE", "SLT"), ("SGT", "SLE"), ("SEQ", "SNE")] {
        holds(&format!("{one} s, a, b; {other} t, a, b; MOV u, a; MOV v, b"), |_, got| {
            let faults: Vec<usize> = numbers(got).filter(|&i| got.s[i] + got.t[i] != 1.0).collect();
            expect(faults.is_empty(), || format!("components {faults:?}"))
        });
    }
}

/// (x > y) is (y < x). Equality is symmetric (rule 1 of SEQ and SNE).
#[test]
fn comparisons_are_mirrored() {
    for (one, other) in [("SGE", "SLE"), ("SGT", "SLT"), ("SEQ", "SEQ"), ("SNE", "SNE")] {
        holds(&format!("{one} s, a, b; {other} t, b, a"), |_, got| same_bits(got.s, got.t));
    }
    holds("SGE s, a, b; SGE t, -b, -a; SLT u, a, b; SLT v, -b, -a", |variant, got| {
        // fx12 has no negative of its lowest number.
        if variant.precision == Precision::X {
            return Ok(());
        }
        same_bits(got.s, got.t)?;
        same_bits(got.u, got.v)
    });
}

/// NV_fragment_program 3.11.5.29, 3.11.5.36, NV_vertex_program2 2.14.3.30, 2.14.3.38: the results do not
/// depend on the operands.
#[test]
fn true_and_false_compare_nothing() {
    holds("SFL s, a, b; STR t, a, b", |_, got| {
        same_bits(got.s, [0.0; 4])?;
        same_bits(got.t, [1.0; 4])
    });
}

/// NV_vertex_program2 2.14.3.37: SSG compares its operand with zero.
#[test]
fn signs_are_comparisons_with_zero() {
    holds("SSG s, a; ADD t, a, -a; MOV u, a", |_, got| {
        let sign = |x: f32| {
            if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                x
            }
        };
        same_numbers(got.s, got.u.map(sign))
    });
}

/// NV_fragment_program 3.11.5.16, 3.11.5.17, NV_vertex_program2 2.14.3.21, 2.14.3.22: MAX and MIN select the
/// larger and the smaller operand. A NaN operand gives NaN (rule 2).
#[test]
fn max_and_min_are_the_operands_in_order() {
    holds("MAX s, a, b; MIN t, a, b; MOV u, a; MOV v, b", |_, got| {
        let wanted = |choose: fn(f32, f32) -> f32| {
            std::array::from_fn(|i| {
                let (x, y) = (got.u[i], got.v[i]);
                if x.is_nan() || y.is_nan() { f32::NAN } else { choose(x, y) }
            })
        };
        same_numbers(got.s, wanted(f32::max))?;
        same_numbers(got.t, wanted(f32::min))
    });
}
