//! Laws of sums and products, and of instructions composed of sums and products.

use proptest::prelude::*;
use shadestep_language::isa::{Family, Precision};

use super::laws::{
    Operands, Outcome, Variant, expect, fraction, holds, holds_for, operands, programs, run, same_bits,
    same_numbers, value,
};

/// Rule 1 of NV_fragment_program 3.11.5.1, 3.11.5.19, 3.11.5.16 and 3.11.5.17, of NV_vertex_program2
/// 2.14.3.2, 2.14.3.24, 2.14.3.21 and 2.14.3.22, of ARB_fragment_program 3.11.5.2 and 3.11.5.19, and of
/// ARB_vertex_program 2.14.5.2 and 2.14.5.19.
#[test]
fn the_order_of_operands_does_not_matter() {
    for name in ["ADD", "MUL", "MAX", "MIN"] {
        holds(&format!("{name} s, a, b; {name} t, b, a"), |_, got| same_bits(got.s, got.t));
        holds(&format!("{name} s, a, c; {name} t, c, a"), |_, got| same_bits(got.s, got.t));
    }
}

/// NV_fragment_program 3.11.5.5, 3.11.5.6 and NV_vertex_program2 2.14.3.9, 2.14.3.10: each product commutes.
/// The order of the products stays, so the sum has the same bits.
#[test]
fn dot_products_commute() {
    for name in ["DP2", "DP3", "DP4"] {
        holds(&format!("{name} s, a, b; {name} t, b, a"), |_, got| same_bits(got.s, got.t));
    }
}

/// Checks that `SUB` in `s` and `ADD` in `t` agree. In fixed point the operand is converted before the
/// subtraction, as the pseudo-code says. The results differ where fx12 has a number but not its negative: at
/// 2, beyond 2, and next to 2. Those components are not compared.
fn same_difference(variant: Variant, got: &Outcome) -> Result<(), String> {
    let parts = |i: usize| variant.precision == Precision::X && got.b[i].abs() > 2047.0 / 1024.0;
    let kept = |result: [f32; 4]| std::array::from_fn(|i| if parts(i) { 0.0 } else { result[i] });
    same_bits(kept(got.s), kept(got.t))
}

/// Rules 1 and 2 of NV_fragment_program 3.11.5.37 and NV_vertex_program2 2.14.3.39, and the pseudo-code of
/// ARB_fragment_program 3.11.5.27 and ARB_vertex_program 2.14.5.25.
#[test]
fn a_difference_is_a_sum_with_the_other_sign() {
    holds("SUB s, a, b; ADD t, a, -b", same_difference);
    holds("SUB s, a, -b; ADD t, a, b", same_difference);
}

/// Rules 3 and 4 of the clauses of the test above.
#[test]
fn a_difference_of_absolute_values_is_a_sum_with_the_other_sign() {
    for law in ["SUB s, a, |b|; ADD t, a, -|b|", "SUB s, a, -|b|; ADD t, a, |b|"] {
        holds_for(law, operands(value().boxed()), Variant::has_bars, same_difference);
    }
}

/// NV_vertex_program2 2.14.3.1; ARB_vertex_program, interactions with NV_vertex_program: ABS is MAX of an
/// operand and its negative. The sign bit of an absolute value is clear.
#[test]
fn absolute_values_have_no_sign() {
    holds("ABS s, a; MAX t, a, -a; ABS u, -a; ABS v, s", |_, got| {
        same_numbers(got.s, got.t)?;
        same_bits(got.s, got.u)?;
        same_bits(got.s, got.v)?;
        expect(got.s.iter().all(|x| x.is_nan() || x.is_sign_positive()), || "a sign is left".to_owned())
    });
    let bars = |variant: Variant| variant.has_bars();
    holds_for("ABS s, a; MOV t, |a|", operands(value().boxed()), bars, |_, got| same_numbers(got.s, got.t));
}

/// NV_fragment_program 3.11.4.3, NV_vertex_program2 2.14.2.1, ARB_fragment_program 3.11.4.1,
/// ARB_vertex_program 2.14.4.1: two minus signs cancel. Fixed point is left out, because fx12 has no negative
/// of its lowest number.
#[test]
fn a_sign_turned_twice_is_as_it_was() {
    let exact = |variant: Variant| variant.precision != Precision::X;
    holds_for("MOV s, a; MOV t, -a; MOV u, -t", operands(value().boxed()), exact, |_, got| {
        same_numbers(got.s, got.u)
    });
}

/// NV_fragment_program 3.11.5.15, NV_vertex_program2 2.14.3.20, ARB_fragment_program 3.11.5.15,
/// ARB_vertex_program 2.14.5.15: MAD rounds the product and then the sum, each to the instruction's type
/// (ruling 7). Fixed-point instructions round once, so they are left out.
#[test]
fn mad_is_a_product_and_a_sum() {
    let rounds_each = |variant: Variant| variant.precision != Precision::X;
    let law = "MAD s, a, b, c; MUL t, a, b; ADD t, t, c";
    holds_for(law, operands(value().boxed()), rounds_each, |_, got| same_bits(got.s, got.t));
}

/// Replaces the w components of `a` and `b` with `w[0]` and `w[1]`.
fn with_w(operands: impl Strategy<Value = Operands>, w: [f32; 2]) -> impl Strategy<Value = Operands> {
    operands.prop_map(move |mut operands| {
        operands.a.iter_mut().for_each(|a| a[3] = w[0]);
        operands.b[3] = w[1];
        operands
    })
}

/// The pseudo-code of NV_fragment_program 3.11.5.5 and 3.11.5.6, and of the same instructions in the other
/// languages.
#[test]
fn dp3_is_dp4_without_w() {
    let strategy = with_w(operands(value().boxed()), [0.0, 1.0]);
    holds_for("DP3 s, a, b; DP4 t, a, b", strategy, |_| true, |_, got| same_numbers(got.s, got.t));
}

/// NV_vertex_program2 2.14.3.11, ARB_fragment_program 3.11.5.7, ARB_vertex_program 2.14.5.6: DPH uses 1 for
/// the first operand's w. The law holds in fx12 too.
#[test]
fn dph_is_dp4_with_one_for_w() {
    let strategy = with_w(operands(value().boxed()), [1.0, 0.625]);
    holds_for("DPH s, a, b; DP4 t, a, b", strategy, |_| true, |_, got| same_numbers(got.s, got.t));
    // The result does not depend on w.
    holds("MOV t, a; MOV t.w, a.x; DPH s, a, b; DPH u, t, b", |_, got| same_bits(got.s, got.u));
}

/// NV_fragment_program2 3.11.5.49, 3.11.5.50.
#[test]
fn dp2a_is_dp2_and_a_sum() {
    let rounds_each = |variant: Variant| variant.precision != Precision::X;
    let law = "DP2A s, a, b, c.x; DP2 t, a, b; ADD t, t, c.x";
    holds_for(law, operands(value().boxed()), rounds_each, |_, got| same_bits(got.s, got.t));
}

/// NV_fragment_program 3.11.5.9, 3.11.5.10 and the same instructions in other languages: floor plus fraction
/// is the operand. Both are exact for multiples of 1/32 up to 32.
#[test]
fn floor_and_fraction_add_up() {
    let in_range = |variant: Variant| variant.precision != Precision::X;
    let law = "FLR s, a; FRC t, a; ADD u, s, t; MOV v, a";
    holds_for(law, operands(fraction().boxed()), in_range, |_, got| {
        same_numbers(got.u, got.v)?;
        expect(got.t.iter().all(|f| (0.0..1.0).contains(f)), || "a fraction is in [0,1)".to_owned())
    });
    holds("FLR s, a; MOV t, a", |_, got| {
        let is_floor = |(floor, x): (&f32, &f32)| x.is_nan() && floor.is_nan() || *floor == x.floor();
        expect(got.s.iter().zip(&got.t).all(is_floor), || "the next whole number below".to_owned())
    });
}

/// NV_fragment_program 3.11.5.14, ARB_fragment_program 3.11.5.14: at 1 LRP gives the second operand, at 0 the
/// third.
#[test]
fn lrp_has_its_ends() {
    let ends = || {
        operands(fraction().boxed()).prop_map(|mut operands| {
            operands.a = [[0.0; 4], [1.0; 4], [0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 0.0]];
            operands
        })
    };
    holds_for(
        "LRP s, a, b, c; MOV t, b; MOV u, c",
        ends(),
        |_| true,
        |_, got| {
            let wanted = std::array::from_fn(|i| if got.a[i] == 1.0 { got.t[i] } else { got.u[i] });
            same_numbers(got.s, wanted)
        },
    );
}

/// ARB_fragment_program 3.11.5.29, ARB_vertex_program 2.14.5.27: exchanged operands negate each component.
/// The cross product of a vector with itself is zero.
#[test]
fn cross_products_are_antisymmetric() {
    holds("XPD s.xyz, a, b; XPD t.xyz, b, a", |_, got| same_numbers(got.s, got.t.map(|x| -x)));
    holds_for(
        "XPD s.xyz, a, a",
        operands(fraction().boxed()),
        |_| true,
        |_, got| same_numbers(got.s, [0.0; 4]),
    );
}

/// NV_fragment_program 3.11.5.7, NV_vertex_program2 2.14.3.12, ARB_fragment_program 3.11.5.8,
/// ARB_vertex_program 2.14.5.7.
#[test]
fn dst_takes_its_components_from_both() {
    holds("DST s, a, b; MUL t, a, b; MOV u, a; MOV v, b", |_, got| {
        same_numbers(got.s, [1.0, got.t[1], got.u[2], got.v[3]])
    });
}

/// NV_fragment_program 3.11.5.13, NV_vertex_program2 2.14.3.18, ARB_fragment_program 3.11.5.13,
/// ARB_vertex_program 2.14.5.13: ambient and w are 1, diffuse is not negative, and a surface that faces away
/// has no highlight. A power of a number up to 1 is at most 1.
#[test]
fn lit_stays_within_its_bounds() {
    holds("LIT s, a; MOV t, a", |_, got| {
        let [ambient, diffuse, specular, last] = got.s;
        let x = got.t[0];
        expect([ambient, last] == [1.0, 1.0], || "x and w are one".to_owned())?;
        expect(x.is_nan() || diffuse == x.max(0.0), || "diffuse is x or nothing".to_owned())?;
        expect(x > 0.0 || specular == 0.0, || "no highlight without light".to_owned())
    });
    let unit = operands((0..=32_i16).prop_map(|k| f32::from(k) / 32.0).boxed());
    // 0 to the power of 0 is NaN in languages that compute a power as EX2(w * LG2(y)).
    holds_for(
        "LIT s, a",
        unit,
        |_| true,
        |_, got| {
            let specular = got.s[2];
            let undefined = got.a[1] == 0.0 && got.a[3] == 0.0;
            expect(undefined || (0.0..=1.0).contains(&specular), || "a highlight is in [0,1]".to_owned())
        },
    );
}

/// NV_fragment_program 3.11.5.24: POW is EX2(y * LG2(x)), with the same rounding in each operation.
#[test]
fn pow_is_made_of_its_parts() {
    let nv = |variant: Variant| variant.language.family() == Family::Fp && variant.precision != Precision::X;
    let law = "POW s, a.x, b.y; LG2 t, a.x; MUL t, t, b.y; EX2 t, t.x";
    holds_for(law, operands(value().boxed()), nv, |_, got| same_bits(got.s, got.t));
}

/// NV_fragment_program 3.11.4.4, ARB_fragment_program 3.11.4.3, NV_vertex_program3 2.14.4.3: _SAT clamps to
/// [0,1].
#[test]
fn saturation_clamps_to_one() {
    holds("ADD s, a, b; ADD_SAT t, a, b", |_, got| {
        let is_clamped = |(s, t): (&f32, &f32)| s.is_nan() || *t == s.clamp(0.0, 1.0);
        expect(got.s.iter().zip(&got.t).all(is_clamped), || "the sum, clamped".to_owned())
    });
}

/// ARB_fragment_program 3.11.5.3.
#[test]
fn cmp_chooses_by_the_sign_of_the_first() {
    holds("CMP s, a, b, c; MOV t, a; MOV u, b; MOV v, c", |_, got| {
        same_bits(got.s, std::array::from_fn(|i| if got.t[i] < 0.0 { got.u[i] } else { got.v[i] }))
    });
}

/// ARB_fragment_program 3.11.5.28, ARB_vertex_program 2.14.5.26: SWZ with letters only is a MOV with a
/// swizzle.
#[test]
fn swz_is_mov_with_a_selection() {
    let letters = prop::array::uniform4(prop::sample::select(vec!['x', 'y', 'z', 'w']));
    run(&(operands(value().boxed()), letters), |(operands, [x, y, z, w])| {
        let law = format!(
            "SWZ s, a, {x}, {y}, {z}, {w}; MOV t, a.{x}{y}{z}{w}; \
             SWZ u, a, -{x}, -{y}, -{z}, -{w}; MOV v, -a.{x}{y}{z}{w}"
        );
        let programs = programs(&law, |_| true);
        expect(!programs.is_empty(), || "no language has SWZ".to_owned())?;
        super::laws::check(&law, &programs, &operands, &|_, got| {
            same_bits(got.s, got.t)?;
            same_bits(got.u, got.v)
        })
    });
}
