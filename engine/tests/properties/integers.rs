//! Laws of integers: sums, products, bits, bit fields, comparisons, conversions. Clauses are of
//! NV_gpu_program4. Clauses that begin with 5 are of NV_gpu_program5.

use super::types::{Component, INTEGERS, S32, S64, U32, U64, WORDS, holds, holds_later, is};

/// 2.X.8 ADD, SUB: subtraction undoes addition, even on overflow.
#[test]
fn a_difference_undoes_a_sum() {
    holds("ADD.T s, p, q; SUB.T t, s, q; SUB.T u, s, p", &INTEGERS, |got| {
        is(got.s, got.bits(got.number(got.p) + got.number(got.q)))?;
        is(got.t, got.p)?;
        is(got.u, got.q)
    });
    holds("SUB.T s, p, q; SUB.T t, q, p; ADD.T u, s, t", &INTEGERS, |got| is(got.u, 0));
}

/// 2.X.8 ADD, SUB, MUL, MAD: integers modulo 2^32 or 2^64 form a ring.
#[test]
fn sums_and_products_are_those_of_a_ring() {
    holds("ADD.T s, p, q; ADD.T s, s, r; ADD.T t, q, r; ADD.T t, p, t", &INTEGERS, |got| is(got.s, got.t));
    holds("MUL.T s, p, q; MUL.T t, q, p", &INTEGERS, |got| {
        is(got.s, got.bits(got.number(got.p).wrapping_mul(got.number(got.q))))?;
        is(got.s, got.t)
    });
    let law = "ADD.T t, q, r; MUL.T s, p, t; MUL.T u, p, q; MUL.T v, p, r; ADD.T u, u, v";
    holds(law, &INTEGERS, |got| is(got.s, got.u));
    holds("MAD.T s, p, q, r; MUL.T t, p, q; ADD.T t, t, r", &INTEGERS, |got| is(got.s, got.t));
}

/// 2.X.8 MUL: the low and high halves are the halves of the 64-bit product.
#[test]
fn high_halves_belong_to_the_product_of_64_bits() {
    holds("MUL.HI.T s, p, q; MUL.T t, p, q", &WORDS, |got| {
        let product = got.number(got.p) * got.number(got.q);
        is(got.s, got.bits(product >> 32))?;
        is(got.t, got.bits(product))
    });
    let law = |ty: &str| {
        format!(
            "CVT.{ty}64.{ty}32 wide, p; CVT.{ty}64.{ty}32 other, q; MUL.{ty}64 wide, wide, other;
             SHR.{ty}64 other, wide, 32; CVT.{ty}32.{ty}64 s, other; CVT.{ty}32.{ty}64 t, wide;
             MUL.HI.T u, p, q; MUL.T v, p, q"
        )
    };
    for (ty, name) in [(U32, "U"), (S32, "S")] {
        holds_later(&law(name), &[ty], |got| {
            is(got.s, got.u)?;
            is(got.t, got.v)
        });
    }
}

/// 2.X.8 DIV, MOD; ruling 8: quotient times divisor plus remainder is the dividend, and this includes a
/// divisor of zero. Signed operands below zero are undefined.
#[test]
fn quotients_and_rests_make_the_dividend() {
    let whole = "MOV.T q, q.x; DIV.T s, p, q.x; MOD.T t, p, q.x; MUL.T u, s, q; ADD.T u, u, t";
    holds(whole, &[U32, U64], |got| {
        is(got.u, got.p)?;
        is(got.s, got.p.checked_div(got.q).unwrap_or(got.ones()))
    });
    for (ty, unsigned) in [(S32, "U"), (S64, "U64")] {
        // Shifts by one make the operands positive.
        let law = format!("SHR.{unsigned} p, p, 1; SHR.{unsigned} q, q, 1; {whole}");
        holds(&law, &[ty], |got| {
            is(got.u, got.p)?;
            is(got.s, got.p.checked_div(got.q).unwrap_or(got.ones()))
        });
    }
}

/// 2.X.8 SHL, SHR: a shift left and back right loses the bits that fell off. SHR of a signed integer repeats
/// the sign bit.
#[test]
fn shifts_there_and_back() {
    for ty in INTEGERS {
        let most = if ty.is_wide() { 63 } else { 31 };
        let law = format!("AND.T u, q.x, {most}; SHL.T s, p, u.x; SHR.T t, s, u.x; SHR.T v, p, u.x");
        holds(&law, &[ty], |got| {
            is(got.s, got.bits(got.number(got.p) << got.u))?;
            is(got.t, got.bits(got.number(got.s) >> got.u))?;
            is(got.v, got.bits(got.number(got.p) >> got.u))
        });
    }
    holds("SHL.T s, p, 1; ADD.T t, p, p", &INTEGERS, |got| is(got.s, got.t));
}

/// 2.X.8 AND, OR, XOR, NOT.
#[test]
fn bits_are_a_boolean_algebra() {
    let law = "AND.T s, p, q; NOT.T s, s; NOT.T t, p; NOT.T u, q; OR.T t, t, u";
    holds(law, &INTEGERS, |got| is(got.s, got.t));
    let law = "OR.T s, p, q; NOT.T s, s; NOT.T t, p; NOT.T u, q; AND.T t, t, u";
    holds(law, &INTEGERS, |got| is(got.s, got.t));
    holds("XOR.T s, p, q; XOR.T t, s, q", &INTEGERS, |got| is(got.t, got.p));
    holds("OR.T u, p, q; AND.T v, p, q; SUB.T s, u, v; XOR.T t, p, q", &INTEGERS, |got| is(got.s, got.t));
    holds("XOR.T s, p, q; AND.T t, p, q; SHL.T t, t, 1; ADD.T s, s, t; ADD.T u, p, q", &INTEGERS, |got| {
        is(got.s, got.u)
    });
    holds("NOT.T s, p; ADD.T s, s, 1; SUB.T t, 0, p", &INTEGERS, |got| is(got.s, got.t));
}

/// 5 2.X.8 BFE, BFI: BFE reads back the field that BFI wrote, sign-extended in signed types. Bits outside the
/// field keep their values.
#[test]
fn fields_have_what_was_put_there() {
    // The field has q.x bits from bit q.y on. Both are limited to 15, so that the field fits the word.
    let law = "AND.T v, q, 15; BFI.T s, v, p, r; BFE.T t, v, s; MOV.T u, v.x; MOV.T word, v.y";
    holds_later(law, &WORDS, |got| {
        let (count, first) = (got.u as u32, got.word as u32);
        let field = ((1_u64 << count) - 1) << first;
        is(got.s, got.p << first & field | got.r & !field & 0xFFFF_FFFF)?;
        let inside = (got.p << first & field) >> first;
        let negative = got.ty == S32 && count > 0 && inside >> (count - 1) & 1 != 0;
        is(got.t, got.bits(i128::from(inside) - if negative { 1 << count } else { 0 }))
    });
}

/// 5 2.X.8 BFR, BTC, BTFL, BTFM.
#[test]
fn bits_are_turned_round_counted_and_found() {
    holds_later("BFR.T s, p; BFR.T t, s; BTC.T u, p; BTC.T v, s", &WORDS, |got| {
        is(got.s, u64::from((got.p as u32).reverse_bits()))?;
        is(got.t, got.p)?;
        is(got.u, u64::from((got.p as u32).count_ones()))?;
        is(got.u, got.v)
    });
    holds_later("NOT.T s, p; BTC.T t, p; BTC.T u, s; ADD.T v, t, u", &WORDS, |got| is(got.v, 32));
    // The lowest bit of a number is the highest bit of the reversed number.
    holds_later("BTFL.U s, p; BFR.U t, p; BTFM.U u, t; SUB.U v, 31, u", &[U32], |got| {
        is(got.s, got.bits(if got.p == 0 { -1 } else { i128::from(got.p.trailing_zeros()) }))?;
        if got.p == 0 { is(got.u, 0xFFFF_FFFF) } else { is(got.s, got.v) }
    });
}

/// Returns the result of a set-on instruction: all ones or 0.
fn truth(got: &Component, holds: bool) -> u64 {
    if holds { got.ones() } else { 0 }
}

/// 2.X.8 SEQ to SNE: each instruction compares the numbers, and the second of each pair is the opposite of
/// the first.
#[test]
fn comparisons_are_an_order() {
    type Order = fn(i128, i128) -> bool;
    let rules: [(&str, &str, Order); 3] =
        [("SLT", "SGE", |p, q| p < q), ("SGT", "SLE", |p, q| p > q), ("SEQ", "SNE", |p, q| p == q)];
    for (one, other, order) in rules {
        holds(&format!("{one}.T s, p, q; {other}.T t, p, q; NOT.T u, t"), &INTEGERS, |got| {
            is(got.s, truth(got, order(got.number(got.p), got.number(got.q))))?;
            is(got.s, got.u)
        });
    }
}

/// 2.X.8 MIN, MAX, SAD, ABS, CMP.
#[test]
fn smaller_and_larger_make_the_sum_and_the_distance() {
    holds("MIN.T s, p, q; MAX.T t, p, q; ADD.T u, s, t; ADD.T v, p, q", &INTEGERS, |got| {
        is(got.s, got.bits(got.number(got.p).min(got.number(got.q))))?;
        is(got.u, got.v)
    });
    holds("SAD.T s, p, q, r; MIN.T t, p, q; MAX.T u, p, q; SUB.T u, u, t; ADD.T u, u, r", &INTEGERS, |got| {
        is(got.s, got.u)
    });
    let signed = [S32, S64];
    holds("ABS.T s, p; SUB.T t, 0, p; MAX.T u, p, t", &signed, |got| is(got.s, got.u));
    holds(
        "CMP.T s, p, q, r; SLT.T t, p, 0; AND.T u, q, t; NOT.T t, t; AND.T v, r, t; OR.T u, u, v",
        &signed,
        |got| is(got.s, got.u),
    );
}

/// 5 2.X.8 CVT; ruling 7: a wider integer represents every number of a narrower one. A narrower integer keeps
/// the low bits.
#[test]
fn conversions_there_and_back() {
    holds_later(
        "CVT.S64.S32 wide, p; CVT.S32.S64 s, wide; CVT.F64.S32 wide, p; CVT.S32.F64 t, wide",
        &[S32],
        |got| {
            is(got.s, got.p)?;
            is(got.t, got.p)?;
            is(got.wide, (got.number(got.p) as f64).to_bits())
        },
    );
    holds_later(
        "CVT.U64.U32 wide, p; CVT.U32.U64 s, wide; CVT.F64.U32 wide, p; CVT.U32.F64 t, wide",
        &[U32],
        |got| {
            is(got.s, got.p)?;
            is(got.t, got.p)?;
            is(got.wide, (got.p as f64).to_bits())
        },
    );
    holds_later("CVT.S8.S32 s, p; CVT.S16.S32 t, p", &[S32], |got| {
        is(got.s, got.bits(i128::from(got.p as i8)))?;
        is(got.t, got.bits(i128::from(got.p as i16)))
    });
    holds_later("CVT.U8.U32 s, p; CVT.U16.U32 t, p", &[U32], |got| {
        is(got.s, got.p & 0xFF)?;
        is(got.t, got.p & 0xFFFF)
    });
    holds_later("CVT.F64.S64 s, p; CVT.F32.S64 word, p", &[S64], |got| {
        is(got.s, (got.p.cast_signed() as f64).to_bits())?;
        is(got.word, u64::from((got.p.cast_signed() as f32).to_bits()))
    });
    holds_later("CVT.F64.U64 s, p; CVT.F32.U64 word, p", &[U64], |got| {
        is(got.s, (got.p as f64).to_bits())?;
        is(got.word, u64::from((got.p as f32).to_bits()))
    });
}

/// 5 2.X.8 PK64, UP64: unpacking returns the packed halves.
#[test]
fn packed_halves_come_apart() {
    holds_later("PK64.U wide, p; UP64.U s, wide.xyxy", &WORDS, |got| is(got.s, got.p));
}
