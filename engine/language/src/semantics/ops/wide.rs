//! The component functions of 64-bit operations (S64, U64, F64; NV_gpu_program5 2.X.8). Every operand is two
//! inputs, the low word first. Each word of a result is a function of its own. A word is passed as the
//! `Number` with the same bits. ("wide" means 64 bits here and is unrelated to the batch executor.)

use super::Arith;
use crate::num::{Double, Number, Rounding, Word, fp64, long};

macro_rules! words {
    ($($(#[$doc:meta])* $low:ident, $high:ident($($input:ident),*) = $function:ident($($operand:expr),*);)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $low<A: Arith, N: Number>($($input: N),*) -> N {
                $(let $input = $input.bits();)*
                $function::<N::Bits>($($operand),*)[0].number()
            }

            $(#[$doc])*
            #[inline(always)]
            pub fn $high<A: Arith, N: Number>($($input: N),*) -> N {
                $(let $input = $input.bits();)*
                $function::<N::Bits>($($operand),*)[1].number()
            }
        )*
    };
}

words! {
    /// The low 64 bits of a + b.
    long_add_low, long_add_high(a0, a1, b0, b1) = long_add([a0, a1], [b0, b1]);
    /// The low 64 bits of a - b.
    long_sub_low, long_sub_high(a0, a1, b0, b1) = long_sub([a0, a1], [b0, b1]);
    /// The low 64 bits of -a.
    long_negate_low, long_negate_high(a0, a1) = long_negate([a0, a1]);
    /// The low 64 bits of a * b.
    long_mul_low, long_mul_high(a0, a1, b0, b1) = long_mul([a0, a1], [b0, b1]);
    /// The low 64 bits of a * b + c.
    long_mad_low, long_mad_high(a0, a1, b0, b1, c0, c1) = long_mad([a0, a1], [b0, b1], [c0, c1]);
    /// ABS of signed integers. The smallest integer is returned unchanged.
    long_magnitude_low, long_magnitude_high(a0, a1) = long_magnitude([a0, a1]);
    /// The minimum signed integer.
    long_min_signed_low, long_min_signed_high(a0, a1, b0, b1) = long_min_signed([a0, a1], [b0, b1]);
    /// The maximum signed integer.
    long_max_signed_low, long_max_signed_high(a0, a1, b0, b1) = long_max_signed([a0, a1], [b0, b1]);
    /// The minimum unsigned integer.
    long_min_unsigned_low, long_min_unsigned_high(a0, a1, b0, b1) = long_min_unsigned([a0, a1], [b0, b1]);
    /// The maximum unsigned integer.
    long_max_unsigned_low, long_max_unsigned_high(a0, a1, b0, b1) = long_max_unsigned([a0, a1], [b0, b1]);
    /// The quotient of signed integers, rounded towards zero. Division by zero gives all ones.
    long_div_signed_low, long_div_signed_high(a0, a1, b0, b1) = long_div_signed([a0, a1], [b0, b1]);
    /// The quotient of unsigned integers. Division by zero gives all ones.
    long_div_unsigned_low, long_div_unsigned_high(a0, a1, b0, b1) = long_div_unsigned([a0, a1], [b0, b1]);
    /// The remainder of signed integers. For division by zero, the dividend.
    long_mod_signed_low, long_mod_signed_high(a0, a1, b0, b1) = long_mod_signed([a0, a1], [b0, b1]);
    /// The remainder of unsigned integers. For division by zero, the dividend.
    long_mod_unsigned_low, long_mod_unsigned_high(a0, a1, b0, b1) = long_mod_unsigned([a0, a1], [b0, b1]);
    /// a shifted left by count. Counts of 64 and more, or below 0, give 0.
    long_shift_left_low, long_shift_left_high(a0, a1, count) = long_shift_left([a0, a1], count);
    /// Arithmetic shift right of a by count. Counts of 64 and more, or below 0, give only the sign.
    long_shift_right_signed_low, long_shift_right_signed_high(a0, a1, count) = long_shift_right_signed([a0, a1], count);
    /// Logical shift right of a by count. Counts of 64 and more, or below 0, give 0.
    long_shift_right_unsigned_low, long_shift_right_unsigned_high(a0, a1, count) = long_shift_right_unsigned([a0, a1], count);
    /// |a - b| + c of signed a and b.
    long_sad_signed_low, long_sad_signed_high(a0, a1, b0, b1, c0, c1) = long_sad_signed([a0, a1], [b0, b1], [c0, c1]);
    /// |a - b| + c of unsigned a and b.
    long_sad_unsigned_low, long_sad_unsigned_high(a0, a1, b0, b1, c0, c1) = long_sad_unsigned([a0, a1], [b0, b1], [c0, c1]);
    /// b if the signed a is negative, else c.
    long_cmp_signed_low, long_cmp_signed_high(a0, a1, b0, b1, c0, c1) = long_cmp_signed([a0, a1], [b0, b1], [c0, c1]);
    /// All ones where a == b, else 0.
    long_seq_low, long_seq_high(a0, a1, b0, b1) = long_seq([a0, a1], [b0, b1]);
    /// All ones where a != b, else 0.
    long_sne_low, long_sne_high(a0, a1, b0, b1) = long_sne([a0, a1], [b0, b1]);
    /// All ones where a < b, else 0; signed.
    long_slt_signed_low, long_slt_signed_high(a0, a1, b0, b1) = long_slt_signed([a0, a1], [b0, b1]);
    /// All ones where a < b, else 0; unsigned.
    long_slt_unsigned_low, long_slt_unsigned_high(a0, a1, b0, b1) = long_slt_unsigned([a0, a1], [b0, b1]);
    /// All ones where a > b, else 0; signed.
    long_sgt_signed_low, long_sgt_signed_high(a0, a1, b0, b1) = long_sgt_signed([a0, a1], [b0, b1]);
    /// All ones where a > b, else 0; unsigned.
    long_sgt_unsigned_low, long_sgt_unsigned_high(a0, a1, b0, b1) = long_sgt_unsigned([a0, a1], [b0, b1]);
    /// All ones where a >= b, else 0; signed.
    long_sge_signed_low, long_sge_signed_high(a0, a1, b0, b1) = long_sge_signed([a0, a1], [b0, b1]);
    /// All ones where a >= b, else 0; unsigned.
    long_sge_unsigned_low, long_sge_unsigned_high(a0, a1, b0, b1) = long_sge_unsigned([a0, a1], [b0, b1]);
    /// All ones where a <= b, else 0; signed.
    long_sle_signed_low, long_sle_signed_high(a0, a1, b0, b1) = long_sle_signed([a0, a1], [b0, b1]);
    /// All ones where a <= b, else 0; unsigned.
    long_sle_unsigned_low, long_sle_unsigned_high(a0, a1, b0, b1) = long_sle_unsigned([a0, a1], [b0, b1]);
    /// a + b
    double_add_low, double_add_high(a0, a1, b0, b1) = double_add([a0, a1], [b0, b1]);
    /// a - b
    double_sub_low, double_sub_high(a0, a1, b0, b1) = double_sub([a0, a1], [b0, b1]);
    /// a * b
    double_mul_low, double_mul_high(a0, a1, b0, b1) = double_mul([a0, a1], [b0, b1]);
    /// a * b + c, each operator rounded.
    double_mad_low, double_mad_high(a0, a1, b0, b1, c0, c1) = double_mad([a0, a1], [b0, b1], [c0, c1]);
    /// a / b
    double_div_low, double_div_high(a0, a1, b0, b1) = double_div([a0, a1], [b0, b1]);
    /// 1 / a, correctly rounded.
    double_rcp_low, double_rcp_high(a0, a1) = double_rcp([a0, a1]);
    /// 1 / sqrt(a), each operator rounded.
    double_rsq_low, double_rsq_high(a0, a1) = double_rsq([a0, a1]);
    /// The minimum; NaN if either is a NaN. -0.0 is less than +0.0.
    double_min_low, double_min_high(a0, a1, b0, b1) = double_min([a0, a1], [b0, b1]);
    /// The maximum; NaN if either is a NaN. +0.0 is greater than -0.0.
    double_max_low, double_max_high(a0, a1, b0, b1) = double_max([a0, a1], [b0, b1]);
    /// The largest integer not above a.
    double_floor_low, double_floor_high(a0, a1) = double_floor([a0, a1]);
    /// The smallest integer not below a.
    double_ceil_low, double_ceil_high(a0, a1) = double_ceil([a0, a1]);
    /// The nearest integer, ties to even.
    double_round_low, double_round_high(a0, a1) = double_round([a0, a1]);
    /// The integer part, rounded towards zero.
    double_trunc_low, double_trunc_high(a0, a1) = double_trunc([a0, a1]);
    /// a - floor(a), as SUB computes it.
    double_fraction_low, double_fraction_high(a0, a1) = double_fraction([a0, a1]);
    /// ABS
    double_magnitude_low, double_magnitude_high(a0, a1) = double_magnitude([a0, a1]);
    /// SSG: 1, 0 or -1 according to the sign. NaN stays NaN.
    double_set_sign_low, double_set_sign_high(a0, a1) = double_set_sign([a0, a1]);
    /// SAT. NaN and -0.0 are unchanged.
    double_saturate_low, double_saturate_high(a0, a1) = double_saturate([a0, a1]);
    /// SSAT. NaN is unchanged.
    double_saturate_signed_low, double_saturate_signed_high(a0, a1) = double_saturate_signed([a0, a1]);
    /// 1.0 where a == b, else 0.0.
    double_seq_low, double_seq_high(a0, a1, b0, b1) = double_seq([a0, a1], [b0, b1]);
    /// 1.0 where a != b, else 0.0.
    double_sne_low, double_sne_high(a0, a1, b0, b1) = double_sne([a0, a1], [b0, b1]);
    /// 1.0 where a < b, else 0.0.
    double_slt_low, double_slt_high(a0, a1, b0, b1) = double_slt([a0, a1], [b0, b1]);
    /// 1.0 where a <= b, else 0.0.
    double_sle_low, double_sle_high(a0, a1, b0, b1) = double_sle([a0, a1], [b0, b1]);
    /// 1.0 where a > b, else 0.0.
    double_sgt_low, double_sgt_high(a0, a1, b0, b1) = double_sgt([a0, a1], [b0, b1]);
    /// 1.0 where a >= b, else 0.0.
    double_sge_low, double_sge_high(a0, a1, b0, b1) = double_sge([a0, a1], [b0, b1]);
    /// CMP: b if a is negative, else c, with its bits unchanged.
    double_cmp_low, double_cmp_high(a0, a1, b0, b1, c0, c1) = double_cmp([a0, a1], [b0, b1], [c0, c1]);
    /// The low 64 bits of the rounded integer; see [`fp64::to_signed_long`].
    double_floor_to_signed_low, double_floor_to_signed_high(a0, a1) = double_floor_to_signed([a0, a1]);
    /// The low 64 bits of the rounded integer; see [`fp64::to_unsigned_long`].
    double_floor_to_unsigned_low, double_floor_to_unsigned_high(a0, a1) = double_floor_to_unsigned([a0, a1]);
    /// The low 64 bits of the rounded integer; see [`fp64::to_signed_long`].
    double_ceil_to_signed_low, double_ceil_to_signed_high(a0, a1) = double_ceil_to_signed([a0, a1]);
    /// The low 64 bits of the rounded integer; see [`fp64::to_unsigned_long`].
    double_ceil_to_unsigned_low, double_ceil_to_unsigned_high(a0, a1) = double_ceil_to_unsigned([a0, a1]);
    /// The low 64 bits of the rounded integer; see [`fp64::to_signed_long`].
    double_round_to_signed_low, double_round_to_signed_high(a0, a1) = double_round_to_signed([a0, a1]);
    /// The low 64 bits of the rounded integer; see [`fp64::to_unsigned_long`].
    double_round_to_unsigned_low, double_round_to_unsigned_high(a0, a1) = double_round_to_unsigned([a0, a1]);
    /// The low 64 bits of the rounded integer; see [`fp64::to_signed_long`].
    double_trunc_to_signed_low, double_trunc_to_signed_high(a0, a1) = double_trunc_to_signed([a0, a1]);
    /// The low 64 bits of the rounded integer; see [`fp64::to_unsigned_long`].
    double_trunc_to_unsigned_low, double_trunc_to_unsigned_high(a0, a1) = double_trunc_to_unsigned([a0, a1]);
    /// I2F of 64-bit signed integers: the nearest float.
    double_from_signed_low, double_from_signed_high(a0, a1) = double_from_signed([a0, a1]);
    /// I2F of 64-bit unsigned integers: the nearest float.
    double_from_unsigned_low, double_from_unsigned_high(a0, a1) = double_from_unsigned([a0, a1]);
    /// The fp64 that equals an fp32.
    double_from_single_low, double_from_single_high(a) = double_from_single(a);
}

#[inline(always)]
fn long_add<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::add(a, b)
}

#[inline(always)]
fn long_sub<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::sub(a, b)
}

#[inline(always)]
fn long_negate<W: Word>(a: [W; 2]) -> [W; 2] {
    long::negate(a)
}

#[inline(always)]
fn long_mul<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::mul(a, b)
}

#[inline(always)]
fn long_mad<W: Word>(a: [W; 2], b: [W; 2], c: [W; 2]) -> [W; 2] {
    long::add(long::mul(a, b), c)
}

#[inline(always)]
fn long_magnitude<W: Word>(a: [W; 2]) -> [W; 2] {
    long::abs(a)
}

#[inline(always)]
fn long_min_signed<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::min::<W, true>(a, b)
}

#[inline(always)]
fn long_max_signed<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::max::<W, true>(a, b)
}

#[inline(always)]
fn long_min_unsigned<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::min::<W, false>(a, b)
}

#[inline(always)]
fn long_max_unsigned<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::max::<W, false>(a, b)
}

#[inline(always)]
fn long_div_signed<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::divide_signed(a, b)[0]
}

#[inline(always)]
fn long_div_unsigned<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::divide_unsigned(a, b)[0]
}

#[inline(always)]
fn long_mod_signed<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::divide_signed(a, b)[1]
}

#[inline(always)]
fn long_mod_unsigned<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::divide_unsigned(a, b)[1]
}

#[inline(always)]
fn long_shift_left<W: Word>(a: [W; 2], count: W) -> [W; 2] {
    long::shl(a, count)
}

#[inline(always)]
fn long_shift_right_signed<W: Word>(a: [W; 2], count: W) -> [W; 2] {
    long::sar(a, count)
}

#[inline(always)]
fn long_shift_right_unsigned<W: Word>(a: [W; 2], count: W) -> [W; 2] {
    long::shr(a, count)
}

#[inline(always)]
fn long_sad_signed<W: Word>(a: [W; 2], b: [W; 2], c: [W; 2]) -> [W; 2] {
    long::add(long::sub(long::max::<W, true>(a, b), long::min::<W, true>(a, b)), c)
}

#[inline(always)]
fn long_sad_unsigned<W: Word>(a: [W; 2], b: [W; 2], c: [W; 2]) -> [W; 2] {
    long::add(long::sub(long::max::<W, false>(a, b), long::min::<W, false>(a, b)), c)
}

#[inline(always)]
fn long_cmp_signed<W: Word>(a: [W; 2], b: [W; 2], c: [W; 2]) -> [W; 2] {
    long::select(a[1].lt_signed(W::of(0)), b, c)
}

#[inline(always)]
fn long_seq<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::mask(long::eq(a, b))
}

#[inline(always)]
fn long_sne<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::mask(!long::eq(a, b))
}

#[inline(always)]
fn long_slt_signed<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::mask(long::lt::<W, true>(a, b))
}

#[inline(always)]
fn long_slt_unsigned<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::mask(long::lt::<W, false>(a, b))
}

#[inline(always)]
fn long_sgt_signed<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::mask(long::lt::<W, true>(b, a))
}

#[inline(always)]
fn long_sgt_unsigned<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::mask(long::lt::<W, false>(b, a))
}

#[inline(always)]
fn long_sge_signed<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::mask(!long::lt::<W, true>(a, b))
}

#[inline(always)]
fn long_sge_unsigned<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::mask(!long::lt::<W, false>(a, b))
}

#[inline(always)]
fn long_sle_signed<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::mask(!long::lt::<W, true>(b, a))
}

#[inline(always)]
fn long_sle_unsigned<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    long::mask(!long::lt::<W, false>(b, a))
}

#[inline(always)]
fn double_add<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    let (a, b) = (W::double(a), W::double(b));
    (a + b).canonical().words()
}

#[inline(always)]
fn double_sub<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    let (a, b) = (W::double(a), W::double(b));
    (a - b).canonical().words()
}

#[inline(always)]
fn double_mul<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    let (a, b) = (W::double(a), W::double(b));
    (a * b).canonical().words()
}

#[inline(always)]
fn double_mad<W: Word>(a: [W; 2], b: [W; 2], c: [W; 2]) -> [W; 2] {
    let (a, b, c) = (W::double(a), W::double(b), W::double(c));
    (a * b + c).canonical().words()
}

#[inline(always)]
fn double_div<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    let (a, b) = (W::double(a), W::double(b));
    (a / b).canonical().words()
}

#[inline(always)]
fn double_rcp<W: Word>(a: [W; 2]) -> [W; 2] {
    let a = W::double(a);
    (W::Double::of(1.0) / a).canonical().words()
}

#[inline(always)]
fn double_rsq<W: Word>(a: [W; 2]) -> [W; 2] {
    let a = W::double(a);
    (W::Double::of(1.0) / a.sqrt()).canonical().words()
}

#[inline(always)]
fn double_min<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    let (a, b) = (W::double(a), W::double(b));
    (minimum(a, b)).canonical().words()
}

#[inline(always)]
fn double_max<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    let (a, b) = (W::double(a), W::double(b));
    (maximum(a, b)).canonical().words()
}

#[inline(always)]
fn double_floor<W: Word>(a: [W; 2]) -> [W; 2] {
    let a = W::double(a);
    (fp64::whole(Rounding::Floor, a)).canonical().words()
}

#[inline(always)]
fn double_ceil<W: Word>(a: [W; 2]) -> [W; 2] {
    let a = W::double(a);
    (fp64::whole(Rounding::Ceil, a)).canonical().words()
}

#[inline(always)]
fn double_round<W: Word>(a: [W; 2]) -> [W; 2] {
    let a = W::double(a);
    (fp64::whole(Rounding::Round, a)).canonical().words()
}

#[inline(always)]
fn double_trunc<W: Word>(a: [W; 2]) -> [W; 2] {
    let a = W::double(a);
    (fp64::whole(Rounding::Trunc, a)).canonical().words()
}

#[inline(always)]
fn double_fraction<W: Word>(a: [W; 2]) -> [W; 2] {
    let a = W::double(a);
    (a - fp64::whole(Rounding::Floor, a)).canonical().words()
}

#[inline(always)]
fn double_magnitude<W: Word>(a: [W; 2]) -> [W; 2] {
    let a = W::double(a);
    (a.abs()).canonical().words()
}

#[inline(always)]
fn double_set_sign<W: Word>(a: [W; 2]) -> [W; 2] {
    let a = W::double(a);
    (set_sign(a)).canonical().words()
}

#[inline(always)]
fn double_saturate<W: Word>(a: [W; 2]) -> [W; 2] {
    let a = W::double(a);
    (clamp(a, 0.0)).canonical().words()
}

#[inline(always)]
fn double_saturate_signed<W: Word>(a: [W; 2]) -> [W; 2] {
    let a = W::double(a);
    (clamp(a, -1.0)).canonical().words()
}

#[inline(always)]
fn double_seq<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    let (a, b) = (W::double(a), W::double(b));
    (W::Double::select(a.eq(b), W::Double::of(1.0), W::Double::of(0.0))).canonical().words()
}

#[inline(always)]
fn double_sne<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    let (a, b) = (W::double(a), W::double(b));
    (W::Double::select(!a.eq(b), W::Double::of(1.0), W::Double::of(0.0))).canonical().words()
}

#[inline(always)]
fn double_slt<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    let (a, b) = (W::double(a), W::double(b));
    (W::Double::select(a.lt(b), W::Double::of(1.0), W::Double::of(0.0))).canonical().words()
}

#[inline(always)]
fn double_sle<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    let (a, b) = (W::double(a), W::double(b));
    (W::Double::select(a.le(b), W::Double::of(1.0), W::Double::of(0.0))).canonical().words()
}

#[inline(always)]
fn double_sgt<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    let (a, b) = (W::double(a), W::double(b));
    (W::Double::select(b.lt(a), W::Double::of(1.0), W::Double::of(0.0))).canonical().words()
}

#[inline(always)]
fn double_sge<W: Word>(a: [W; 2], b: [W; 2]) -> [W; 2] {
    let (a, b) = (W::double(a), W::double(b));
    (W::Double::select(b.le(a), W::Double::of(1.0), W::Double::of(0.0))).canonical().words()
}

#[inline(always)]
fn double_cmp<W: Word>(a: [W; 2], b: [W; 2], c: [W; 2]) -> [W; 2] {
    long::select(W::double(a).lt(W::Double::of(0.0)), b, c)
}

#[inline(always)]
fn double_floor_to_signed<W: Word>(a: [W; 2]) -> [W; 2] {
    fp64::to_signed_long(Rounding::Floor, W::double(a))
}

#[inline(always)]
fn double_floor_to_unsigned<W: Word>(a: [W; 2]) -> [W; 2] {
    fp64::to_unsigned_long(Rounding::Floor, W::double(a))
}

#[inline(always)]
fn double_ceil_to_signed<W: Word>(a: [W; 2]) -> [W; 2] {
    fp64::to_signed_long(Rounding::Ceil, W::double(a))
}

#[inline(always)]
fn double_ceil_to_unsigned<W: Word>(a: [W; 2]) -> [W; 2] {
    fp64::to_unsigned_long(Rounding::Ceil, W::double(a))
}

#[inline(always)]
fn double_round_to_signed<W: Word>(a: [W; 2]) -> [W; 2] {
    fp64::to_signed_long(Rounding::Round, W::double(a))
}

#[inline(always)]
fn double_round_to_unsigned<W: Word>(a: [W; 2]) -> [W; 2] {
    fp64::to_unsigned_long(Rounding::Round, W::double(a))
}

#[inline(always)]
fn double_trunc_to_signed<W: Word>(a: [W; 2]) -> [W; 2] {
    fp64::to_signed_long(Rounding::Trunc, W::double(a))
}

#[inline(always)]
fn double_trunc_to_unsigned<W: Word>(a: [W; 2]) -> [W; 2] {
    fp64::to_unsigned_long(Rounding::Trunc, W::double(a))
}

#[inline(always)]
fn double_from_signed<W: Word>(a: [W; 2]) -> [W; 2] {
    fp64::from_signed_long(a).words()
}

#[inline(always)]
fn double_from_unsigned<W: Word>(a: [W; 2]) -> [W; 2] {
    fp64::from_unsigned_long(a).words()
}

#[inline(always)]
fn double_from_single<W: Word>(a: W) -> [W; 2] {
    fp64::from_single(a.number()).words()
}

/// The minimum; NaN if either is a NaN. -0.0 is less than +0.0.
#[inline(always)]
fn minimum<D: Double>(a: D, b: D) -> D {
    let ordered = D::select(a.lt(b), a, b);
    // Of two zeros, select the negative one.
    let ([low, high], [_, sign]) = (ordered.words(), a.words());
    let zero = D::Word::double([low, high | (sign & D::Word::of(0x8000_0000))]);
    let number = D::select(a.eq(b), zero, ordered);
    D::select(a.is_nan() | b.is_nan(), a + b, number)
}

/// The maximum; NaN if either is a NaN. +0.0 is greater than -0.0.
#[inline(always)]
fn maximum<D: Double>(a: D, b: D) -> D {
    minimum(a.neg(), b.neg()).neg()
}

/// 1, 0 or -1 according to the sign. NaN stays NaN.
#[inline(always)]
fn set_sign<D: Double>(a: D) -> D {
    let zero = D::of(0.0);
    let negative = D::select(a.lt(zero), D::of(-1.0), zero);
    let sign = D::select(zero.lt(a), D::of(1.0), negative);
    D::select(a.is_nan(), a, sign)
}

/// Clamps to [least, 1]. NaN passes both comparisons.
#[inline(always)]
fn clamp<D: Double>(a: D, least: f64) -> D {
    let (least, most) = (D::of(least), D::of(1.0));
    let a = D::select(most.lt(a), most, a);
    D::select(a.lt(least), least, a)
}

/// The nearest fp32; see [`fp64::to_single`].
#[inline(always)]
pub fn single_from_double<A: Arith, N: Number>(a0: N, a1: N) -> N {
    fp64::to_single(N::Bits::double([a0.bits(), a1.bits()]))
}
