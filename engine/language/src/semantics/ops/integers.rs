//! The component functions of integer operations and of conversions between integers and fp32
//! (NV_gpu_program4 and NV_gpu_program5 2.X.8). Integers are passed as the `Number` with the same bits.

use super::Arith;
use crate::num::{Number, Rounding, Word, integer};

/// All ones if `truth` holds, else 0: the results of set-on instructions.
#[inline(always)]
fn mask<W: Word>(truth: W::Truth) -> W {
    integer::mask(truth)
}

macro_rules! of_words {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*) { $value:expr })*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name<A: Arith, N: Number>($($arg: N),*) -> N {
                #[inline(always)]
                fn of_words<W: Word>($($arg: W),*) -> W {
                    $value
                }
                of_words::<N::Bits>($($arg.bits()),*).number()
            }
        )*
    };
}
of_words! {
    /// The low bits of a + b.
    int_add(a, b) { a.wrapping_add(b) }
    /// The low bits of a - b.
    int_sub(a, b) { a.wrapping_sub(b) }
    /// The low bits of -a.
    int_negate(a) { W::of(0).wrapping_sub(a) }
    /// The low bits of a * b.
    int_mul(a, b) { a.wrapping_mul(b) }
    /// The low bits of a * b + c.
    int_mad(a, b, c) { a.wrapping_mul(b).wrapping_add(c) }
    /// MUL.HI of signed integers.
    mul_high_signed(a, b) { integer::mul_high_signed(a, b) }
    /// MUL.HI of unsigned integers.
    mul_high_unsigned(a, b) { integer::mul_high_unsigned(a, b) }
    /// MUL.S24: the product of the low 24 bits of a and b, as signed integers.
    mul_24_signed(a, b) { a.shl::<8>().sar::<8>().wrapping_mul(b.shl::<8>().sar::<8>()) }
    /// MUL.U24: the product of the low 24 bits of a and b.
    mul_24_unsigned(a, b) { (a & W::of(0x00FF_FFFF)).wrapping_mul(b & W::of(0x00FF_FFFF)) }
    /// ABS of signed integers. The smallest integer is returned unchanged.
    int_magnitude(a) { integer::abs(a) }
    /// -|a|, the negated absolute value.
    int_negate_magnitude(a) { W::of(0).wrapping_sub(integer::abs(a)) }
    /// The smaller signed integer.
    min_signed(a, b) { a.min_signed(b) }
    /// The larger signed integer.
    max_signed(a, b) { a.max_signed(b) }
    /// The smaller unsigned integer.
    min_unsigned(a, b) { a.min_unsigned(b) }
    /// The larger unsigned integer.
    max_unsigned(a, b) { a.max_unsigned(b) }
    /// The quotient of signed integers, rounded towards zero. Division by zero gives all ones.
    div_signed(a, b) { integer::divide_signed(a, b)[0] }
    /// The quotient of unsigned integers. Division by zero gives all ones.
    div_unsigned(a, b) { integer::divide_unsigned(a, b)[0] }
    /// The remainder of signed integers. For division by zero, the dividend.
    mod_signed(a, b) { integer::divide_signed(a, b)[1] }
    /// The remainder of unsigned integers. For division by zero, the dividend.
    mod_unsigned(a, b) { integer::divide_unsigned(a, b)[1] }
    /// Bitwise AND.
    and(a, b) { a & b }
    /// Bitwise OR.
    or(a, b) { a | b }
    /// Bitwise XOR.
    xor(a, b) { a ^ b }
    /// Bitwise NOT.
    not(a) { !a }
    /// a shifted left by b. Counts of 32 and more, or below 0, give 0.
    shift_left(a, b) { a.shl_by(b) }
    /// Arithmetic shift right of a by b. Counts of 32 and more, or below 0, give only the sign.
    shift_right_signed(a, b) { a.sar_by(b) }
    /// Logical shift right of a by b. Counts of 32 and more, or below 0, give 0.
    shift_right_unsigned(a, b) { a.shr_by(b) }
    /// |a - b| + c of signed a and b.
    sad_signed(a, b, c) { b.max_signed(a).wrapping_sub(a.min_signed(b)).wrapping_add(c) }
    /// |a - b| + c of unsigned a and b.
    sad_unsigned(a, b, c) { b.max_unsigned(a).wrapping_sub(a.min_unsigned(b)).wrapping_add(c) }
    /// b if the signed a is negative, else c.
    cmp_signed(a, b, c) { W::select(a.lt_signed(W::of(0)), b, c) }
    /// c, since no unsigned integer is negative.
    cmp_unsigned(_a, _b, c) { c }
    /// STR of integers: all ones.
    all_ones() { W::of(u32::MAX) }
    /// All ones where a == b, else 0.
    int_seq(a, b) { mask(a.bits_eq(b)) }
    /// All ones where a != b, else 0.
    int_sne(a, b) { mask(!a.bits_eq(b)) }
    /// All ones where a < b, else 0; signed.
    slt_signed(a, b) { mask(a.lt_signed(b)) }
    /// All ones where a <= b, else 0; signed.
    sle_signed(a, b) { mask(!b.lt_signed(a)) }
    /// All ones where a > b, else 0; signed.
    sgt_signed(a, b) { mask(b.lt_signed(a)) }
    /// All ones where a >= b, else 0; signed.
    sge_signed(a, b) { mask(!a.lt_signed(b)) }
    /// All ones where a < b, else 0; unsigned.
    slt_unsigned(a, b) { mask(a.lt_unsigned(b)) }
    /// All ones where a <= b, else 0; unsigned.
    sle_unsigned(a, b) { mask(!b.lt_unsigned(a)) }
    /// All ones where a > b, else 0; unsigned.
    sgt_unsigned(a, b) { mask(b.lt_unsigned(a)) }
    /// All ones where a >= b, else 0; unsigned.
    sge_unsigned(a, b) { mask(!a.lt_unsigned(b)) }
    /// BFE: a bits of c from bit b on, sign-extended.
    bfe_signed(a, b, c) { integer::extract::<W, true>(a, b, c) }
    /// BFE: a bits of c from bit b on.
    bfe_unsigned(a, b, c) { integer::extract::<W, false>(a, b, c) }
    /// BFI: d with a bits from bit b on replaced by the low bits of c.
    bfi(a, b, c, d) { integer::insert(a, b, c, d) }
    /// BFR: the bits in reverse order.
    bfr(a) { integer::reverse(a) }
    /// BTC: the number of set bits.
    btc(a) { integer::count_ones(a) }
    /// BTFL: the index of the lowest set bit, or all ones if none is set.
    btfl(a) { integer::lowest_one(a) }
    /// BTFM: the index of the highest bit that differs from the sign, or all ones if there is none.
    btfm_signed(a) { integer::highest_digit(a) }
    /// BTFM: the index of the highest set bit, or all ones if none is set.
    btfm_unsigned(a) { integer::highest_one(a) }
    /// The low 8 bits, sign-extended.
    sign_extend_8(a) { a.shl::<24>().sar::<24>() }
    /// The low 16 bits, sign-extended.
    sign_extend_16(a) { a.shl::<16>().sar::<16>() }
    /// The low 8 bits, zero-extended.
    zero_extend_8(a) { a & W::of(0xFF) }
    /// The low 16 bits, zero-extended.
    zero_extend_16(a) { a & W::of(0xFFFF) }
}

/// I2F of signed integers: the nearest float.
#[inline(always)]
pub fn float_from_signed<A: Arith, N: Number>(a: N) -> N {
    a.bits().to_float()
}

/// I2F of unsigned integers: the nearest float.
#[inline(always)]
pub fn float_from_unsigned<A: Arith, N: Number>(a: N) -> N {
    a.bits().to_float_unsigned()
}

/// The smallest integer not below a.
#[inline(always)]
pub fn ceil<A: Arith, N: Number>(a: N) -> N {
    A::done(integer::whole(Rounding::Ceil, a))
}

/// The nearest integer, ties to even.
#[inline(always)]
pub fn round<A: Arith, N: Number>(a: N) -> N {
    A::done(integer::whole(Rounding::Round, a))
}

/// The integer part, rounded towards zero.
#[inline(always)]
pub fn trunc<A: Arith, N: Number>(a: N) -> N {
    A::done(integer::whole(Rounding::Trunc, a))
}

/// The low bits of the rounded integer; see [`integer::to_signed`].
#[inline(always)]
pub fn floor_to_signed<A: Arith, N: Number>(a: N) -> N {
    integer::to_signed(Rounding::Floor, a).number()
}

/// The low bits of the rounded integer; see [`integer::to_unsigned_rounded`].
#[inline(always)]
pub fn floor_to_unsigned<A: Arith, N: Number>(a: N) -> N {
    integer::to_unsigned_rounded(Rounding::Floor, a).number()
}

/// The low bits of the rounded integer; see [`integer::to_signed`].
#[inline(always)]
pub fn ceil_to_signed<A: Arith, N: Number>(a: N) -> N {
    integer::to_signed(Rounding::Ceil, a).number()
}

/// The low bits of the rounded integer; see [`integer::to_unsigned_rounded`].
#[inline(always)]
pub fn ceil_to_unsigned<A: Arith, N: Number>(a: N) -> N {
    integer::to_unsigned_rounded(Rounding::Ceil, a).number()
}

/// The low bits of the rounded integer; see [`integer::to_signed`].
#[inline(always)]
pub fn round_to_signed<A: Arith, N: Number>(a: N) -> N {
    integer::to_signed(Rounding::Round, a).number()
}

/// The low bits of the rounded integer; see [`integer::to_unsigned_rounded`].
#[inline(always)]
pub fn round_to_unsigned<A: Arith, N: Number>(a: N) -> N {
    integer::to_unsigned_rounded(Rounding::Round, a).number()
}

/// The low bits of the rounded integer; see [`integer::to_signed`].
#[inline(always)]
pub fn trunc_to_signed<A: Arith, N: Number>(a: N) -> N {
    integer::to_signed(Rounding::Trunc, a).number()
}

/// The low bits of the rounded integer; see [`integer::to_unsigned_rounded`].
#[inline(always)]
pub fn trunc_to_unsigned<A: Arith, N: Number>(a: N) -> N {
    integer::to_unsigned_rounded(Rounding::Trunc, a).number()
}
