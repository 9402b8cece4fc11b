//! The approximated functions RCP, RSQ, EX2, LG2, SIN, COS, POW, and FLR (NV_fragment_program 3.11.5).
//!
//! Each function is a short straight line of IEEE additions, multiplications, divisions, square roots,
//! comparisons and bit operations on fp32, never fused, without tables and without a library call:
//! called in a loop over an array it becomes vector code, and one value or sixty-four give the same bits
//! on any machine. Operands and results have no denorms (ruling 6), and the only NaN is
//! [`fp32::NAN_BITS`]. Polynomials are least-squares fits to the exact functions, coefficients rounded to
//! fp32 one by one; the worst errors are measured, against the stated bounds, in `tests/num_accuracy.rs`.

use std::f32::consts::{FRAC_1_PI, FRAC_PI_2, LN_2};

use super::fp32::{self, canonical, flush};

const SIGN: u32 = 0x8000_0000;
/// 1.5 * 2^23: adding it rounds a small number to an integer, which then fills the sum's low bits.
const MAGIC: f32 = 12_582_912.0;
/// 2^23: from here on every fp32 is an integer.
const ALL_INTEGERS: f32 = 8_388_608.0;

/// FLR: the largest integer not above `x` (3.11.5.9). Zeros and infinities keep their sign.
#[inline(always)]
pub fn floor(x: f32) -> f32 {
    let x = flush(x);
    let magnitude = x.abs();
    let sign = x.to_bits() & SIGN;
    let nearest = f32::from_bits(((magnitude + ALL_INTEGERS) - ALL_INTEGERS).to_bits() | sign);
    let below = if nearest > x { nearest - 1.0 } else { nearest };
    canonical(if magnitude < ALL_INTEGERS { below } else { x })
}

/// RCP: 1/x, correctly rounded (3.11.5.25).
#[inline(always)]
pub fn rcp(x: f32) -> f32 {
    canonical(flush(1.0 / flush(x)))
}

/// RSQ: 1/sqrt(x) (3.11.5.27, ruling 5). A negative operand gives NaN; -0.0 gives -INF.
#[inline(always)]
pub fn rsq(x: f32) -> f32 {
    canonical(1.0 / flush(x).sqrt())
}

/// EX2: 2^x (3.11.5.8). Integers give exact powers; 128 and up INF; below -126 +0.0.
#[inline(always)]
pub fn ex2(x: f32) -> f32 {
    // A denorm operand gives 1.0 by itself, like the zero that it would be flushed to.
    // x = n + f with n an integer and f in [-0.5, 0.5]; both subtractions are exact.
    let shifted = x + MAGIC;
    let f = x - (shifted - MAGIC);
    // (2^f - 1) / f
    let p = 0.000_152_380_06;
    let p = p * f + 0.001_339_113_7;
    let p = p * f + 0.009_618_841;
    let p = p * f + 0.055_503_592;
    let p = p * f + 0.240_226_45;
    let p = p * f + LN_2;
    let power = p * f + 1.0;
    // n goes into the exponent as an integer: at n = 128 the power is below 1 and still representable.
    let scaled = f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23));
    let low = if x < -126.0 { 0.0 } else { scaled };
    let high = if x >= 128.0 { f32::INFINITY } else { low };
    if x.is_nan() { f32::from_bits(fp32::NAN_BITS) } else { high }
}

/// LG2: the base 2 logarithm (3.11.5.12). Powers of two give exact integers, a negative operand NaN,
/// zeros -INF.
#[inline(always)]
pub fn lg2(x: f32) -> f32 {
    // x = 2^e * (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)): the bits of sqrt(1/2) are the seam.
    let above_seam = x.to_bits().wrapping_sub(0x3F35_04F3) as i32;
    let e = above_seam >> 23;
    let f = f32::from_bits(x.to_bits().wrapping_sub((e as u32) << 23)) - 1.0;
    // (log2(1 + f) - f) / f: with f itself added last and exactly, results near x = 1 stay sharp.
    let p = 0.122_952_62;
    let p = p * f - 0.204_716_32;
    let p = p * f + 0.215_545_64;
    let p = p * f - 0.239_322_75;
    let p = p * f + 0.287_990_96;
    let p = p * f - 0.360_687_82;
    let p = p * f + 0.480_906_67;
    let p = p * f - 0.721_347_5;
    let p = p * f + 0.442_695_05;
    let number = e as f32 + (p * f + f);
    let positive = if x >= f32::MIN_POSITIVE { number } else { f32::from_bits(fp32::NAN_BITS) };
    let high = if x == f32::INFINITY { f32::INFINITY } else { positive };
    // A denorm counts as a zero.
    if x.abs() < f32::MIN_POSITIVE { f32::NEG_INFINITY } else { high }
}

/// POW: `ex2(b * lg2(a))`, exactly that (3.11.5.24, ruling 3).
#[inline(always)]
pub fn pow(a: f32, b: f32) -> f32 {
    // EX2 takes care of a NaN or denorm product as MUL's result would.
    ex2(flush(b) * lg2(a))
}

/// Pi in three parts. The first two have 8 significant bits each, so that their products with an integer
/// of 16 bits or a half-integer of 17 are exact; the third carries on to 2^-46.
const PI_HIGH: f32 = 3.140_625;
const PI_MIDDLE: f32 = 0.000_968_933_1;
const PI_LOW: f32 = -1.279_515_7e-6;

/// `sin(x - multiple * pi)` for a difference in [-pi/2, pi/2]. What lies outside, as it does when `x` is too
/// large to say which multiple is nearest, is clamped there: the result stays in [-1, 1].
#[inline(always)]
fn sin_reduced(x: f32, multiple: f32) -> f32 {
    let r = ((x - multiple * PI_HIGH) - multiple * PI_MIDDLE) - multiple * PI_LOW;
    let r = if r > FRAC_PI_2 { FRAC_PI_2 } else { r };
    let r = if r < -FRAC_PI_2 { -FRAC_PI_2 } else { r };
    let s = r * r;
    // (sin(r) / r - 1) / r^2
    let p = 2.606_109_8e-6;
    let p = p * s - 0.000_198_097_8;
    let p = p * s + 0.008_333_069;
    let p = p * s - 0.166_666_6;
    (p * s) * r + r
}

/// SIN of an angle in radians (3.11.5.32). An infinity gives NaN, a zero itself.
///
/// The error grows where |x| exceeds 200,000, and means nothing beyond 10^7; the result stays in [-1, 1].
#[inline(always)]
pub fn sin(x: f32) -> f32 {
    let x = flush(x);
    let magnitude = x.abs();
    let shifted = magnitude * FRAC_1_PI + MAGIC;
    let sine = sin_reduced(magnitude, shifted - MAGIC);
    // Sine is odd, and changes its sign with every multiple of pi: the lowest bit of `shifted`.
    let sign = (x.to_bits() & SIGN) ^ (shifted.to_bits() << 31);
    let number = f32::from_bits(sine.to_bits() ^ sign);
    if magnitude < f32::INFINITY { number } else { f32::from_bits(fp32::NAN_BITS) }
}

/// COS of an angle in radians (3.11.5.2). An infinity gives NaN, a zero +1.0.
///
/// The error grows where |x| exceeds 100,000, and means nothing beyond 10^7; the result stays in [-1, 1].
#[inline(always)]
pub fn cos(x: f32) -> f32 {
    // With x = (n + 1/2) * pi + r, cos(x) is -sin(r) for an even n and sin(r) for an odd one. A denorm gives
    // 1.0, like the zero that it would be flushed to.
    let magnitude = x.abs();
    let shifted = (magnitude * FRAC_1_PI - 0.5) + MAGIC;
    let sine = sin_reduced(magnitude, (shifted - MAGIC) + 0.5);
    let number = f32::from_bits(sine.to_bits() ^ (!shifted.to_bits() << 31));
    if magnitude < f32::INFINITY { number } else { f32::from_bits(fp32::NAN_BITS) }
}
