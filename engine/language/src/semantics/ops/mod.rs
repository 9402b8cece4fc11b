//! The component functions: each computes one component of an operation's result, written once over
//! [`Number`] in the order of the pseudo-code.
//!
//! Both executors use only these functions, so their bits agree. The reference interpreter calls them with
//! `f32`. The batch executor calls them with symbols, which records the low-level IR. Each function is a
//! fixed sequence of IEEE operations. [`Kernel`] lists the functions, and [`super::plan`] assigns them to the
//! opcodes.

use crate::num::{Number, Rounding, Word, approx, fp16, fp32, fx12, integer, pack};

mod convert;
mod group;
mod kernel;
#[cfg(test)]
mod tests;
mod typed;
mod undefined;

pub use convert::{convert, is_negative, loop_count, number_of_half};
pub use group::{Vote, vote};
pub use kernel::{Kernel, MAX_INPUTS, Words, evaluate};
pub use typed::{difference, resize};
pub use undefined::{is_undefined, is_undefined_conversion};

/// How an arithmetic type loads operands and rounds results.
pub trait Arith {
    /// Loads an operand that is already converted to the type. Arithmetic flushes fp32 denorms (ruling 6).
    /// fp16 and fx12 values are never fp32 denorms.
    #[inline(always)]
    fn load<N: Number>(x: N) -> N {
        fp32::flush(x)
    }
    /// Rounds the result of an inner operator of the pseudo-code.
    fn step<N: Number>(x: N) -> N;
    /// Rounds the result of the operation.
    fn done<N: Number>(x: N) -> N;
    /// The largest number below 128, the maximum exponent of LIT.
    #[inline(always)]
    fn below_128() -> f32 {
        f32::from_bits(0x42FF_FFFF)
    }
}

/// fp32: denorms are flushed in operands and results, and NaN is canonical.
pub struct Single;

impl Arith for Single {
    #[inline(always)]
    fn step<N: Number>(x: N) -> N {
        fp32::flush(x)
    }
    #[inline(always)]
    fn done<N: Number>(x: N) -> N {
        fp32::canonical(fp32::flush(x))
    }
}

/// fp16: the result of every operator is rounded to fp16. fp32 has more than twice the digits of fp16 plus
/// two, so the rounded fp32 result of one operator is the correctly rounded fp16 result.
pub struct Half;

impl Arith for Half {
    #[inline(always)]
    fn step<N: Number>(x: N) -> N {
        fp16::round(x)
    }
    #[inline(always)]
    fn done<N: Number>(x: N) -> N {
        fp16::round(x)
    }
    #[inline(always)]
    fn below_128() -> f32 {
        127.9375
    }
}

/// fx12: operands are multiples of 1/1024 in [-2, 2). Every sum of products in an X instruction is exact in
/// fp32, so only the final result is rounded (ruling 7).
pub struct Fixed;

impl Arith for Fixed {
    #[inline(always)]
    fn step<N: Number>(x: N) -> N {
        x
    }
    #[inline(always)]
    fn done<N: Number>(x: N) -> N {
        fx12::round(x)
    }
}

#[inline(always)]
pub fn zero<A: Arith, N: Number>() -> N {
    N::of(0.0)
}

#[inline(always)]
pub fn one<A: Arith, N: Number>() -> N {
    N::of(1.0)
}

/// MOV: keeps the bits of a NaN ("unchanged" in 3.11.4.2).
#[inline(always)]
pub fn copy<A: Arith, N: Number>(a: N) -> N {
    A::load(a)
}

/// a + b
#[inline(always)]
pub fn add<A: Arith, N: Number>(a: N, b: N) -> N {
    A::done(A::load(a) + A::load(b))
}

/// a - b
#[inline(always)]
pub fn sub<A: Arith, N: Number>(a: N, b: N) -> N {
    A::done(A::load(a) - A::load(b))
}

/// a * b
#[inline(always)]
pub fn mul<A: Arith, N: Number>(a: N, b: N) -> N {
    A::done(A::load(a) * A::load(b))
}

/// -(a * b), which equals (-a) * b because rounding is symmetric.
#[inline(always)]
pub fn neg_mul<A: Arith, N: Number>(a: N, b: N) -> N {
    A::done(A::load(-a) * A::load(b))
}

/// a * b + c, each operator rounded.
#[inline(always)]
pub fn mad<A: Arith, N: Number>(a: N, b: N, c: N) -> N {
    A::done(A::step(A::load(a) * A::load(b)) + A::load(c))
}

/// a * b - c
#[inline(always)]
pub fn mul_sub<A: Arith, N: Number>(a: N, b: N, c: N) -> N {
    A::done(A::step(A::load(a) * A::load(b)) - A::load(c))
}

/// c - a * b, which equals (-a) * b + c.
#[inline(always)]
pub fn neg_mad<A: Arith, N: Number>(a: N, b: N, c: N) -> N {
    A::done(A::load(c) - A::step(A::load(a) * A::load(b)))
}

/// (-a) * b - c
#[inline(always)]
pub fn neg_mul_sub<A: Arith, N: Number>(a: N, b: N, c: N) -> N {
    A::done(A::step(A::load(-a) * A::load(b)) - A::load(c))
}

/// a * b + (1 - a) * c (3.11.5.14)
#[inline(always)]
pub fn lrp<A: Arith, N: Number>(a: N, b: N, c: N) -> N {
    let (a, b, c) = (A::load(a), A::load(b), A::load(c));
    A::done(A::step(a * b) + A::step(A::step(N::of(1.0) - a) * c))
}

/// a*b + c*d + e*f, from left to right (ruling 4).
#[inline(always)]
pub fn dp3<A: Arith, N: Number>(a: N, b: N, c: N, d: N, e: N, f: N) -> N {
    let xy = A::step(A::step(A::load(a) * A::load(b)) + A::step(A::load(c) * A::load(d)));
    A::done(xy + A::step(A::load(e) * A::load(f)))
}

/// a*b + c*d + e*f + g*h, from left to right (ruling 4).
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "a kernel takes its input components one by one")]
pub fn dp4<A: Arith, N: Number>(a: N, b: N, c: N, d: N, e: N, f: N, g: N, h: N) -> N {
    let xy = A::step(A::step(A::load(a) * A::load(b)) + A::step(A::load(c) * A::load(d)));
    let xyz = A::step(xy + A::step(A::load(e) * A::load(f)));
    A::done(xyz + A::step(A::load(g) * A::load(h)))
}

/// The maximum; NaN if either is a NaN. +0.0 is greater than -0.0, so the order of operands does not matter.
#[inline(always)]
pub fn max<A: Arith, N: Number>(a: N, b: N) -> N {
    A::done(A::load(a).max_or_nan(A::load(b)))
}

/// The minimum; NaN if either is a NaN. -0.0 is less than +0.0.
#[inline(always)]
pub fn min<A: Arith, N: Number>(a: N, b: N) -> N {
    A::done(A::load(a).min_or_nan(A::load(b)))
}

/// The largest integer not above a. Flushes in every type, because rounding instructions do not report
/// denorms.
#[inline(always)]
pub fn floor<A: Arith, N: Number>(a: N) -> N {
    A::done(approx::floor(fp32::flush(a)))
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

/// a - floor(a), as SUB computes it. Just below zero the result rounds to 1.0.
#[inline(always)]
pub fn fraction<A: Arith, N: Number>(a: N) -> N {
    let a = A::load(a);
    A::done(a - approx::floor(fp32::flush(a)))
}

macro_rules! comparison {
    ($($name:ident $operator:literal $holds:ident;)*) => {
        $(
            #[doc = concat!("1.0 where a ", $operator, " b, else 0.0.")]
            #[inline(always)]
            pub fn $name<A: Arith, N: Number>(a: N, b: N) -> N {
                N::select(A::load(a).$holds(A::load(b)), N::of(1.0), N::of(0.0))
            }
        )*
    };
}
comparison! {
    seq "==" eq;
    sge ">=" ge;
    sgt ">" gt;
    sle "<=" le;
    slt "<" lt;
    sne "!=" ne;
}

macro_rules! comparison_or_nan {
    ($($name:ident $operator:literal $holds:ident;)*) => {
        $(
            #[doc = concat!("NaN if either is, else 1.0 where a ", $operator, " b, else 0.0 (NV_vertex_program2).")]
            #[inline(always)]
            pub fn $name<A: Arith, N: Number>(a: N, b: N) -> N {
                let (a, b) = (A::load(a), A::load(b));
                let set = N::select(a.$holds(b), N::of(1.0), N::of(0.0));
                A::done(N::select(a.unordered(b), a + b, set))
            }
        )*
    };
}
comparison_or_nan! {
    seq_or_nan "==" eq;
    sge_or_nan ">=" ge;
    sgt_or_nan ">" gt;
    sle_or_nan "<=" le;
    slt_or_nan "<" lt;
    sne_or_nan "!=" ne;
}

/// SSG (NV_vertex_program2 2.14.3.37).
#[inline(always)]
pub fn set_sign<A: Arith, N: Number>(a: N) -> N {
    let a = A::load(a);
    let zero = N::of(0.0);
    let negative = N::select(a.lt(zero), N::of(-1.0), zero);
    let sign = N::select(a.gt(zero), N::of(1.0), negative);
    A::done(N::select(a.is_nan(), a, sign))
}

/// ABS (NV_vertex_program2 2.14.3.1).
#[inline(always)]
pub fn abs<A: Arith, N: Number>(a: N) -> N {
    A::done(A::load(a).abs())
}

/// a*b + c*d + e*f + g, from left to right (NV_vertex_program2 2.14.3.11).
#[inline(always)]
pub fn dph<A: Arith, N: Number>(a: N, b: N, c: N, d: N, e: N, f: N, g: N) -> N {
    let xy = A::step(A::step(A::load(a) * A::load(b)) + A::step(A::load(c) * A::load(d)));
    let xyz = A::step(xy + A::step(A::load(e) * A::load(f)));
    A::done(xyz + A::load(g))
}

/// a*b + c*d (NV_fragment_program2 3.11.5.49).
#[inline(always)]
pub fn dp2<A: Arith, N: Number>(a: N, b: N, c: N, d: N) -> N {
    A::done(A::step(A::load(a) * A::load(b)) + A::step(A::load(c) * A::load(d)))
}

/// a*b + c*d + e, from left to right (NV_fragment_program2 3.11.5.50).
#[inline(always)]
pub fn dp2a<A: Arith, N: Number>(a: N, b: N, c: N, d: N, e: N) -> N {
    let xy = A::step(A::step(A::load(a) * A::load(b)) + A::step(A::load(c) * A::load(d)));
    A::done(xy + A::load(e))
}

/// XPD for one component: a*b - c*d (ARB_fragment_program 3.11.5.29).
#[inline(always)]
pub fn cross<A: Arith, N: Number>(a: N, b: N, c: N, d: N) -> N {
    A::done(A::step(A::load(a) * A::load(b)) - A::step(A::load(c) * A::load(d)))
}

/// NRM for one component: d is a component of the vector (a,b,c) (NV_fragment_program2 3.11.5.51).
#[inline(always)]
pub fn normalize<A: Arith, N: Number>(a: N, b: N, c: N, d: N) -> N {
    let (a, b, c) = (A::load(a), A::load(b), A::load(c));
    let squared = A::step(A::step(A::step(a * a) + A::step(b * b)) + A::step(c * c));
    A::done(A::load(d) * A::step(approx::rsq(squared)))
}

/// CMP: b if a is negative, else c (ARB_fragment_program 3.11.5.3). A NaN is not negative.
#[inline(always)]
pub fn compare<A: Arith, N: Number>(a: N, b: N, c: N) -> N {
    N::select(A::load(a).lt(N::of(0.0)), A::load(b), A::load(c))
}

/// CMP of NV_gpu_program4, which keeps the bits of the selected operand (ruling 14).
#[inline(always)]
pub fn choose<A: Arith, N: Number>(a: N, b: N, c: N) -> N {
    N::select(A::load(a).lt(N::of(0.0)), b, c)
}

/// RSQ of the absolute value (ARB_fragment_program 3.11.5.22, ARB_vertex_program 2.14.5.22).
#[inline(always)]
pub fn rsq_of_magnitude<A: Arith, N: Number>(a: N) -> N {
    A::done(approx::rsq(a.abs()))
}

/// A result that the specification leaves undefined (ruling 5 of NV_fragment_program2).
#[inline(always)]
pub fn undefined<A: Arith, N: Number>() -> N {
    N::of(0.0)
}

/// RCC: the reciprocal with its magnitude clamped to [2^-64, 2^64] and its sign kept, also for zeros
/// (NV_vertex_program2 2.14.3.25).
#[inline(always)]
pub fn rcc<A: Arith, N: Number>(a: N) -> N {
    const LEAST: f32 = f32::from_bits((127 - 64) << 23);
    const MOST: f32 = f32::from_bits((127 + 64) << 23);
    let reciprocal = A::done(approx::rcp(A::load(a)));
    let (least, most) = (N::of(LEAST), N::of(MOST));
    let size = reciprocal.abs();
    let size = N::select(size.lt(least), least, size);
    let size = N::select(size.gt(most), most, size);
    (size.bits() | reciprocal.bits() & N::Bits::of(0x8000_0000)).number()
}

/// x of EXP: 2^floor(a) (NV_vertex_program2 2.14.3.14).
#[inline(always)]
pub fn exp_whole<A: Arith, N: Number>(a: N) -> N {
    A::done(approx::ex2(approx::floor(fp32::flush(a))))
}

/// x of LOG: floor(log2(|a|)), the exponent (NV_vertex_program2 2.14.3.19).
#[inline(always)]
pub fn log_exponent<A: Arith, N: Number>(a: N) -> N {
    let size = fp32::flush(a).abs();
    let exponent = size.bits().shr::<23>().wrapping_sub(N::Bits::of(127)).to_float();
    let finite = N::select(size.eq(N::of(0.0)), N::of(f32::NEG_INFINITY), exponent);
    A::done(N::select(size.lt(N::of(f32::INFINITY)), finite, size))
}

/// y of LOG: |a| / 2^floor(log2(|a|)), in [1, 2). For zero and infinity the quotients 0 / 0 and INF / INF are
/// NaN.
#[inline(always)]
pub fn log_mantissa<A: Arith, N: Number>(a: N) -> N {
    let size = fp32::flush(a).abs();
    let mantissa = (size.bits() & N::Bits::of(0x007F_FFFF) | N::Bits::of(0x3F80_0000)).number();
    let has_one = size.gt(N::of(0.0)) & size.lt(N::of(f32::INFINITY));
    A::done(N::select(has_one, mantissa, N::nan()))
}

/// z of LOG: log2(|a|).
#[inline(always)]
pub fn log_of_magnitude<A: Arith, N: Number>(a: N) -> N {
    A::done(approx::lg2(fp32::flush(a).abs()))
}

/// Converts an integral value for an address register: NaN gives 0 (ruling 6 of the vertex languages), and
/// -0.0 becomes +0.0.
#[inline(always)]
fn whole<N: Number>(a: N) -> N {
    N::select(a.is_nan(), N::of(0.0), a + N::of(0.0))
}

/// Clamps to a signed 10-bit integer (NV_vertex_program2 2.14.1.3).
#[inline(always)]
fn ten_bits<N: Number>(a: N) -> N {
    let (least, most) = (N::of(-512.0), N::of(511.0));
    let a = N::select(a.lt(least), least, a);
    N::select(a.gt(most), most, a)
}

/// Clamps to a signed 32-bit integer. 2^31 represents the greatest one, which fp32 cannot represent.
#[inline(always)]
fn saturated<N: Number>(a: N) -> N {
    let (least, most) = (N::of(-2_147_483_648.0), N::of(2_147_483_648.0));
    let a = N::select(a.lt(least), least, a);
    N::select(a.gt(most), most, a)
}

/// ARL of `!!VP2.0`.
#[inline(always)]
pub fn address_floor<A: Arith, N: Number>(a: N) -> N {
    ten_bits(whole(approx::floor(fp32::flush(a))))
}

/// ARL of ARB programs (NV_vertex_program2_option 2.14.5.3, ruling 8 of the ARB languages).
#[inline(always)]
pub fn address_floor_saturated<A: Arith, N: Number>(a: N) -> N {
    saturated(whole(approx::floor(fp32::flush(a))))
}

/// ARL of `!!VP1.0` and `!!VP1.1`, which does not clamp.
#[inline(always)]
pub fn address_floor_free<A: Arith, N: Number>(a: N) -> N {
    whole(approx::floor(fp32::flush(a)))
}

/// Rounds to the nearest integer, ties to even.
#[inline(always)]
fn nearest<N: Number>(a: N) -> N {
    // From 2^23 on every fp32 is an integer. Below, adding and subtracting 2^23 rounds to an integer.
    const TO_INTEGER: f32 = 8_388_608.0;
    let a = fp32::flush(a);
    let magnitude = a.abs();
    let rounded = (magnitude + N::of(TO_INTEGER)) - N::of(TO_INTEGER);
    let size = N::select(magnitude.lt(N::of(TO_INTEGER)), rounded, magnitude);
    whole((size.bits() | (a.bits() & N::Bits::of(0x8000_0000))).number())
}

/// ARR of `!!VP2.0`.
#[inline(always)]
pub fn address_round<A: Arith, N: Number>(a: N) -> N {
    ten_bits(nearest(a))
}

/// ARR of ARB programs.
#[inline(always)]
pub fn address_round_saturated<A: Arith, N: Number>(a: N) -> N {
    saturated(nearest(a))
}

/// ARA of `!!VP2.0` for one component: the sum of two components, which is exact.
#[inline(always)]
pub fn address_add<A: Arith, N: Number>(a: N, b: N) -> N {
    ten_bits(whole(A::load(a) + A::load(b)))
}

/// ARA of ARB programs for one component: the sum of two components. Beyond 2^24 the sum is the nearest fp32.
#[inline(always)]
pub fn address_add_saturated<A: Arith, N: Number>(a: N, b: N) -> N {
    saturated(whole(A::load(a) + A::load(b)))
}

macro_rules! approximation {
    ($($name:ident;)*) => {
        $(
            #[doc = concat!("[`approx::", stringify!($name), "`]")]
            #[inline(always)]
            pub fn $name<A: Arith, N: Number>(a: N) -> N {
                A::done(approx::$name(a))
            }
        )*
    };
}
approximation! { rcp; rsq; ex2; lg2; sin; cos; }

/// POW: `EX2(b * LG2(a))` (ruling 3), with each function and operator rounded to the type.
#[inline(always)]
pub fn pow<A: Arith, N: Number>(a: N, b: N) -> N {
    let product = A::step(A::load(b) * A::step(approx::lg2(A::load(a))));
    A::done(approx::ex2(product))
}

/// a / b, for DIV and the projection of TXP.
#[inline(always)]
pub fn div<A: Arith, N: Number>(a: N, b: N) -> N {
    A::done(A::load(a) / A::load(b))
}

/// y of LIT: the diffuse dot product, or 0 if negative (3.11.5.13).
#[inline(always)]
pub fn lit_diffuse<A: Arith, N: Number>(a: N) -> N {
    let a = A::load(a);
    A::done(N::select(a.lt(N::of(0.0)), N::of(0.0), a))
}

/// z of LIT, with diffuse a, specular b and exponent c.
#[inline(always)]
pub fn lit_specular<A: Arith, N: Number>(a: N, b: N, c: N) -> N {
    let (a, b) = (A::load(a), A::load(b));
    let zero = N::of(0.0);
    let base = N::select(b.lt(zero), zero, b);
    let power = pow::<A, N>(base, c);
    N::select(a.gt(zero), power, zero)
}

/// z of LIT in the vertex and ARB languages. The exponent is clamped to just inside (-128, 128), and any
/// number to the power 0 is 1 (NV_vertex_program2 2.14.3.18, rule 6; for base 0, ARB_fragment_program
/// 3.11.5.13).
#[inline(always)]
pub fn lit_specular_clamped<A: Arith, N: Number>(a: N, b: N, c: N) -> N {
    let c = lit_exponent::<A, N>(c);
    let power = lit_specular::<A, N>(a, b, c);
    let zero = N::of(0.0);
    let is_one = !b.is_nan() & c.eq(zero) & A::load(a).gt(zero);
    N::select(is_one, N::of(1.0), power)
}

#[inline(always)]
fn lit_exponent<A: Arith, N: Number>(c: N) -> N {
    // The largest number below 128 in the type.
    let (least, most) = (N::of(-A::below_128()), N::of(A::below_128()));
    let c = A::load(c);
    let c = N::select(c.lt(least), least, c);
    N::select(c.gt(most), most, c)
}

/// RFL for one component: axis (a,b,c) and direction (d,e,f), whose component is g in the axis and h in the
/// direction (3.11.5.26).
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "a kernel takes its input components one by one")]
pub fn reflect<A: Arith, N: Number>(a: N, b: N, c: N, d: N, e: N, f: N, g: N, h: N) -> N {
    let (a, b, c) = (A::load(a), A::load(b), A::load(c));
    let (d, e, f) = (A::load(d), A::load(e), A::load(f));
    let squared = A::step(A::step(A::step(a * a) + A::step(b * b)) + A::step(c * c));
    let dot = A::step(A::step(A::step(a * d) + A::step(b * e)) + A::step(c * f));
    let scale = A::step(A::step(N::of(2.0) * dot) / squared);
    A::done(A::step(scale * A::load(g)) - A::load(h))
}

/// X2D for one component: a + b*c + d*e (3.11.5.45).
#[inline(always)]
pub fn transform_2d<A: Arith, N: Number>(a: N, b: N, c: N, d: N, e: N) -> N {
    let first = A::step(A::load(a) + A::step(A::load(b) * A::load(c)));
    A::done(first + A::step(A::load(d) * A::load(e)))
}

/// PK2H: the bits of two fp16 values. Packed bits are not numbers, so they are neither flushed nor made
/// canonical.
#[inline(always)]
pub fn pk2h<A: Arith, N: Number>(a: N, b: N) -> N {
    pack::pk2h(A::load(a), A::load(b)).number()
}

/// PK2US: the bits of two unsigned 16-bit integers.
#[inline(always)]
pub fn pk2us<A: Arith, N: Number>(a: N, b: N) -> N {
    pack::pk2us(A::load(a), A::load(b)).number()
}

/// PK4B: the bits of four signed bytes.
#[inline(always)]
pub fn pk4b<A: Arith, N: Number>(a: N, b: N, c: N, d: N) -> N {
    pack::pk4b(A::load(a), A::load(b), A::load(c), A::load(d)).number()
}

/// PK4UB: the bits of four unsigned bytes.
#[inline(always)]
pub fn pk4ub<A: Arith, N: Number>(a: N, b: N, c: N, d: N) -> N {
    pack::pk4ub(A::load(a), A::load(b), A::load(c), A::load(d)).number()
}

macro_rules! unpacking {
    ($($name:ident $function:path;)*) => {
        $(
            #[doc = concat!("[`", stringify!($function), "`] of the raw bits: a packed value is never flushed.")]
            #[inline(always)]
            pub fn $name<A: Arith, N: Number>(a: N) -> N {
                A::done($function(a.bits()))
            }
        )*
    };
}
unpacking! {
    up2h_low pack::up2h_lo;
    up2h_high pack::up2h_hi;
    up2us_low pack::up2us_lo;
    up2us_high pack::up2us_hi;
    up4b0 pack::up4b::<0, _>;
    up4b1 pack::up4b::<8, _>;
    up4b2 pack::up4b::<16, _>;
    up4b3 pack::up4b::<24, _>;
    up4ub0 pack::up4ub::<0, _>;
    up4ub1 pack::up4ub::<8, _>;
    up4ub2 pack::up4ub::<16, _>;
    up4ub3 pack::up4ub::<24, _>;
}

/// Negation of an operand: inverts the sign bit.
#[inline(always)]
pub fn negate<A: Arith, N: Number>(a: N) -> N {
    -a
}

/// Absolute value of an operand: clears the sign bit.
#[inline(always)]
pub fn absolute<A: Arith, N: Number>(a: N) -> N {
    a.abs()
}

/// Absolute value, then negation: sets the sign bit.
#[inline(always)]
pub fn negate_absolute<A: Arith, N: Number>(a: N) -> N {
    (a.bits() | N::Bits::of(0x8000_0000)).number()
}

/// `_SAT` (3.11.4.4). NaN and -0.0 pass both comparisons unchanged.
#[inline(always)]
pub fn saturate<A: Arith, N: Number>(a: N) -> N {
    let a = A::load(a);
    let clamped = N::select(a.gt(N::of(1.0)), N::of(1.0), a);
    N::select(clamped.lt(N::of(0.0)), N::of(0.0), clamped)
}

/// `_SSAT` (NV_fragment_program2 3.11.4.3). NaN passes both comparisons unchanged.
#[inline(always)]
pub fn saturate_signed<A: Arith, N: Number>(a: N) -> N {
    let a = A::load(a);
    let clamped = N::select(a.gt(N::of(1.0)), N::of(1.0), a);
    N::select(clamped.lt(N::of(-1.0)), N::of(-1.0), clamped)
}

/// The same bits, for moves that must not flush.
#[inline(always)]
pub fn bits<A: Arith, N: Number>(a: N) -> N {
    a
}

/// Conversion to fp16.
#[inline(always)]
pub fn to_half<A: Arith, N: Number>(a: N) -> N {
    fp16::round(a)
}

/// Conversion to fx12.
#[inline(always)]
pub fn to_fixed<A: Arith, N: Number>(a: N) -> N {
    fx12::round(a)
}
