//! The component functions of integer operations, and of those between integers and fp32 (NV_gpu_program4 and
//! NV_gpu_program5 2.X.8). Integers travel as the numbers with their bits.

use super::Arith;
use crate::num::{Number, Rounding, Word, integer};

/// All ones where `truth` holds, else 0: what set-on instructions give.
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
    /// MUL.S24: of the low 24 bits of both, with sign.
    mul_24_signed(a, b) { a.shl::<8>().sar::<8>().wrapping_mul(b.shl::<8>().sar::<8>()) }
    /// MUL.U24: of the low 24 bits of both.
    mul_24_unsigned(a, b) { (a & W::of(0x00FF_FFFF)).wrapping_mul(b & W::of(0x00FF_FFFF)) }
    /// ABS of signed integers; that of the smallest is itself.
    int_magnitude(a) { integer::abs(a) }
    /// The absolute value with its sign turned.
    int_negate_magnitude(a) { W::of(0).wrapping_sub(integer::abs(a)) }
    /// The smaller signed integer.
    min_signed(a, b) { a.min_signed(b) }
    /// The larger signed integer.
    max_signed(a, b) { a.max_signed(b) }
    /// The smaller unsigned integer.
    min_unsigned(a, b) { a.min_unsigned(b) }
    /// The larger unsigned integer.
    max_unsigned(a, b) { a.max_unsigned(b) }
    /// The quotient of signed integers, rounded towards zero; all ones by zero.
    div_signed(a, b) { integer::divide_signed(a, b)[0] }
    /// The quotient of unsigned integers; all ones by zero.
    div_unsigned(a, b) { integer::divide_unsigned(a, b)[0] }
    /// The remainder of signed integers; the dividend by zero.
    mod_signed(a, b) { integer::divide_signed(a, b)[1] }
    /// The remainder of unsigned integers; the dividend by zero.
    mod_unsigned(a, b) { integer::divide_unsigned(a, b)[1] }
    /// Bits of both.
    and(a, b) { a & b }
    /// Bits of either.
    or(a, b) { a | b }
    /// Bits of one of them.
    xor(a, b) { a ^ b }
    /// The other bits.
    not(a) { !a }
    /// a shifted up by b; by 32 and more, or less than 0, 0.
    shift_left(a, b) { a.shl_by(b) }
    /// a shifted down by b, the sign coming in; by 32 and more, or less than 0, the sign alone.
    shift_right_signed(a, b) { a.sar_by(b) }
    /// a shifted down by b, zeros coming in; by 32 and more, or less than 0, 0.
    shift_right_unsigned(a, b) { a.shr_by(b) }
    /// |a - b| + c of signed a and b.
    sad_signed(a, b, c) { b.max_signed(a).wrapping_sub(a.min_signed(b)).wrapping_add(c) }
    /// |a - b| + c of unsigned a and b.
    sad_unsigned(a, b, c) { b.max_unsigned(a).wrapping_sub(a.min_unsigned(b)).wrapping_add(c) }
    /// b where the signed a is below zero, else c.
    cmp_signed(a, b, c) { W::select(a.lt_signed(W::of(0)), b, c) }
    /// c: nothing unsigned is below zero.
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
    /// BFE: a bits of c from bit b on, with sign.
    bfe_signed(a, b, c) { integer::extract::<W, true>(a, b, c) }
    /// BFE: a bits of c from bit b on.
    bfe_unsigned(a, b, c) { integer::extract::<W, false>(a, b, c) }
    /// BFI: d with a bits from bit b on replaced by those of c.
    bfi(a, b, c, d) { integer::insert(a, b, c, d) }
    /// BFR: the bits in the opposite order.
    bfr(a) { integer::reverse(a) }
    /// BTC: how many bits are set.
    btc(a) { integer::count_ones(a) }
    /// BTFL: the number of the lowest bit that is set, all ones if none is.
    btfl(a) { integer::lowest_one(a) }
    /// BTFM: the number of the highest bit that is not the sign, all ones if there is none.
    btfm_signed(a) { integer::highest_digit(a) }
    /// BTFM: the number of the highest bit that is set, all ones if none is.
    btfm_unsigned(a) { integer::highest_one(a) }
    /// The low 8 bits with their sign.
    sign_extend_8(a) { a.shl::<24>().sar::<24>() }
    /// The low 16 bits with their sign.
    sign_extend_16(a) { a.shl::<16>().sar::<16>() }
    /// The low 8 bits.
    zero_extend_8(a) { a & W::of(0xFF) }
    /// The low 16 bits.
    zero_extend_16(a) { a & W::of(0xFFFF) }
}

/// I2F of signed integers: the nearest number.
#[inline(always)]
pub fn float_from_signed<A: Arith, N: Number>(a: N) -> N {
    a.bits().to_float()
}

/// I2F of unsigned integers: the nearest number.
#[inline(always)]
pub fn float_from_unsigned<A: Arith, N: Number>(a: N) -> N {
    a.bits().to_float_unsigned()
}

/// The smallest whole number not below.
#[inline(always)]
pub fn ceil<A: Arith, N: Number>(a: N) -> N {
    A::done(integer::whole(Rounding::Ceil, a))
}

/// The nearest whole number, halves to the even one.
#[inline(always)]
pub fn round<A: Arith, N: Number>(a: N) -> N {
    A::done(integer::whole(Rounding::Round, a))
}

/// The whole number towards zero.
#[inline(always)]
pub fn trunc<A: Arith, N: Number>(a: N) -> N {
    A::done(integer::whole(Rounding::Trunc, a))
}

/// The low bits of the whole number; see [`integer::to_signed`].
#[inline(always)]
pub fn floor_to_signed<A: Arith, N: Number>(a: N) -> N {
    integer::to_signed(Rounding::Floor, a).number()
}

/// The low bits of the whole number; see [`integer::to_unsigned_rounded`].
#[inline(always)]
pub fn floor_to_unsigned<A: Arith, N: Number>(a: N) -> N {
    integer::to_unsigned_rounded(Rounding::Floor, a).number()
}

/// The low bits of the whole number; see [`integer::to_signed`].
#[inline(always)]
pub fn ceil_to_signed<A: Arith, N: Number>(a: N) -> N {
    integer::to_signed(Rounding::Ceil, a).number()
}

/// The low bits of the whole number; see [`integer::to_unsigned_rounded`].
#[inline(always)]
pub fn ceil_to_unsigned<A: Arith, N: Number>(a: N) -> N {
    integer::to_unsigned_rounded(Rounding::Ceil, a).number()
}

/// The low bits of the whole number; see [`integer::to_signed`].
#[inline(always)]
pub fn round_to_signed<A: Arith, N: Number>(a: N) -> N {
    integer::to_signed(Rounding::Round, a).number()
}

/// The low bits of the whole number; see [`integer::to_unsigned_rounded`].
#[inline(always)]
pub fn round_to_unsigned<A: Arith, N: Number>(a: N) -> N {
    integer::to_unsigned_rounded(Rounding::Round, a).number()
}

/// The low bits of the whole number; see [`integer::to_signed`].
#[inline(always)]
pub fn trunc_to_signed<A: Arith, N: Number>(a: N) -> N {
    integer::to_signed(Rounding::Trunc, a).number()
}

/// The low bits of the whole number; see [`integer::to_unsigned_rounded`].
#[inline(always)]
pub fn trunc_to_unsigned<A: Arith, N: Number>(a: N) -> N {
    integer::to_unsigned_rounded(Rounding::Trunc, a).number()
}
