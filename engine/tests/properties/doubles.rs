//! Laws of 64-bit numbers: IEEE 754 with denorms, and one rounding for each sum and product. Clauses are of
//! NV_gpu_program5 2.X.8.

use half::f16;

use super::types::{F32, F64, holds, holds_later, is, is_number};

fn number(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// ADD, SUB, MUL, MAD.
#[test]
fn sums_and_products_are_rounded_once_each() {
    holds("ADD.T s, p, q; ADD.T t, q, p; SUB.T u, p, q; ADD.T v, p, -q", &[F64], |got| {
        is_number(got.s, number(got.p) + number(got.q))?;
        is_number(got.t, number(got.s))?;
        is_number(got.u, number(got.p) - number(got.q))?;
        is_number(got.v, number(got.u))
    });
    holds("MUL.T s, p, q; MUL.T t, q, p; MAD.T u, p, q, r; ADD.T v, s, r", &[F64], |got| {
        is_number(got.s, number(got.p) * number(got.q))?;
        is_number(got.t, number(got.s))?;
        is_number(got.u, number(got.p) * number(got.q) + number(got.r))?;
        is_number(got.v, number(got.u))
    });
}

/// MOV, ABS: an operand's sign changes only the sign bit.
#[test]
fn signs_turn_and_go() {
    holds("MOV.T s, -p; MOV.T t, -s; MOV.T u, |p|; ABS.T v, s", &[F64], |got| {
        is_number(got.s, -number(got.p))?;
        is_number(got.t, number(got.p))?;
        is_number(got.u, number(got.p).abs())?;
        is_number(got.v, number(got.p).abs())
    });
}

/// FLR, CEIL, TRUNC, ROUND, FRC.
#[test]
fn whole_numbers_are_the_next_ones() {
    holds("FLR.T s, p; CEIL.T t, p; TRUNC.T u, p; ROUND.T v, p", &[F64], |got| {
        is_number(got.s, number(got.p).floor())?;
        is_number(got.t, number(got.p).ceil())?;
        is_number(got.u, number(got.p).trunc())?;
        is_number(got.v, number(got.p).round_ties_even())
    });
    holds("FRC.T s, p; FLR.T t, p; SUB.T u, p, t", &[F64], |got| is_number(got.s, number(got.u)));
}

/// SEQ to SNE, MIN, MAX, CMP: numbers are ordered, and every comparison with NaN but SNE is false.
#[test]
fn comparisons_are_those_of_numbers() {
    type Order = fn(f64, f64) -> bool;
    let rules: [(&str, Order); 6] = [
        ("SLT", |p, q| p < q),
        ("SLE", |p, q| p <= q),
        ("SGT", |p, q| p > q),
        ("SGE", |p, q| p >= q),
        ("SEQ", |p, q| p == q),
        ("SNE", |p, q| p != q),
    ];
    for (name, order) in rules {
        holds(&format!("{name}.T s, p, q"), &[F64], |got| {
            is_number(got.s, f64::from(u8::from(order(number(got.p), number(got.q)))))
        });
    }
    holds("MIN.T s, p, q; MAX.T t, p, q; MIN.T u, q, p; MAX.T v, -p, -q", &[F64], |got| {
        if number(got.p).is_nan() || number(got.q).is_nan() {
            return Ok(());
        }
        is_number(got.s, number(got.u))?;
        is_number(got.s, -number(got.v))?;
        let (low, high) = (number(got.p).min(number(got.q)), number(got.p).max(number(got.q)));
        if number(got.s) == low && number(got.t) == high { Ok(()) } else { Err("not the two".to_owned()) }
    });
}

/// CVT: every 32-bit number survives the way to 64 bits and back, but a 32-bit denorm becomes zero (ruling
/// 14). Conversions to narrower formats round to nearest.
#[test]
fn conversions_there_and_back() {
    let flushed = |bits: u64| {
        let number = f32::from_bits(bits as u32);
        if number.is_subnormal() { 0.0_f32.copysign(number) } else { number }
    };
    holds_later("CVT.F64.F32 wide, p; CVT.F32.F64 s, wide", &[F32], |got| {
        is_number(got.wide, f64::from(flushed(got.p)))?;
        let (found, wanted) = (f32::from_bits(got.s as u32), flushed(got.p));
        if found.is_nan() && wanted.is_nan() { Ok(()) } else { is(got.s, u64::from(wanted.to_bits())) }
    });
    holds_later("CVT.F16.F32 s, p; CVT.F32.F16 t, s", &[F32], |got| {
        let (found, wanted) = (f32::from_bits(got.t as u32), f16::from_f32(flushed(got.p)).to_f32());
        if found.is_nan() && wanted.is_nan() { Ok(()) } else { is(got.t, u64::from(wanted.to_bits())) }
    });
    // Results below the smallest normal fp32 are zero.
    holds_later("CVT.F32.F64 word, p", &[F64], |got| {
        let wanted = number(got.p) as f32;
        let wanted = if wanted.is_subnormal() { 0.0_f32.copysign(wanted) } else { wanted };
        let found = f32::from_bits(got.word as u32);
        if found.is_nan() && wanted.is_nan() { Ok(()) } else { is(got.word, u64::from(wanted.to_bits())) }
    });
}
