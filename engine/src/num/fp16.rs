//! fp16, the 16-bit float with denorms (NV_fragment_program 3.11.4.1), held in `f32`s.
//!
//! An fp16 value travels as an `f32` that is exactly representable in fp16; [`round`] makes one. The
//! bit patterns appear only where a program packs or unpacks them (PK2H, UP2H). Conversions round to
//! nearest even, 65520 and up become INF (ruling 7). This module does no arithmetic.

use super::fp32;

/// The one fp16 NaN that conversion gives.
pub const NAN_BITS: u16 = 0x7E00;

const MAGNITUDE: u32 = 0x7FFF_FFFF;
const EXPONENT: u32 = 0x7F80_0000;
/// 65520, halfway between the largest fp16 (65504) and 2^16: the tie goes to the even one, INF.
const OVERFLOW: u32 = 0x477F_F000;
/// 2^-14, the smallest normal fp16.
const MIN_NORMAL: u32 = 0x3880_0000;
/// 0.5: in its binade the last place is worth 2^-24, which is fp16's denorm step.
const DENORM_MAGIC: u32 = 0x3F00_0000;

/// The magnitude of `round(x)` as `f32` bits; a NaN gives anything.
#[inline(always)]
fn round_magnitude(magnitude: u32) -> u32 {
    // Adding 2^13 times the value's own power of two (2^-14 at least, where the step stops shrinking)
    // leaves an fp32 sum whose last place is fp16's, so that the IEEE addition does the rounding.
    let exponent = magnitude & EXPONENT;
    let exponent = if exponent < MIN_NORMAL { MIN_NORMAL } else { exponent };
    let magic = f32::from_bits(exponent.wrapping_add(13 << 23));
    let rounded = (f32::from_bits(magnitude) + magic) - magic;
    if magnitude >= OVERFLOW { EXPONENT } else { rounded.to_bits() }
}

/// Converts fp32 to the fp16 bit pattern: nearest even, denorms kept, any NaN to [`NAN_BITS`].
#[inline(always)]
pub fn to_bits(x: f32) -> u16 {
    let bits = x.to_bits();
    let magnitude = bits & MAGNITUDE;
    let rounded = round_magnitude(magnitude);
    let normal = rounded.wrapping_sub(112 << 23) >> 13;
    let denorm =
        (f32::from_bits(rounded) + f32::from_bits(DENORM_MAGIC)).to_bits().wrapping_sub(DENORM_MAGIC);
    let finite = if rounded < MIN_NORMAL { denorm } else { normal };
    let number = if rounded == EXPONENT { 0x7C00 } else { finite };
    let signed = number | (bits >> 31 << 15);
    (if magnitude > EXPONENT { u32::from(NAN_BITS) } else { signed }) as u16
}

/// The fp32 value of an fp16 bit pattern: always exact; any NaN gives [`fp32::NAN_BITS`].
#[inline(always)]
pub fn from_bits(bits: u16) -> f32 {
    let bits = u32::from(bits);
    let magnitude = bits & 0x7FFF;
    let normal = (magnitude << 13).wrapping_add(112 << 23);
    let denorm = (f32::from_bits(DENORM_MAGIC | magnitude) - f32::from_bits(DENORM_MAGIC)).to_bits();
    let finite = if magnitude < 0x0400 { denorm } else { normal };
    let number = if magnitude == 0x7C00 { EXPONENT } else { finite };
    let signed = number | (bits >> 15 << 31);
    f32::from_bits(if magnitude > 0x7C00 { fp32::NAN_BITS } else { signed })
}

/// Rounds to the nearest fp16 value, held in an `f32`: `from_bits(to_bits(x))` in fewer steps.
///
/// The sign of zero is kept, 65520 and up become INF, any NaN becomes [`fp32::NAN_BITS`].
#[inline(always)]
pub fn round(x: f32) -> f32 {
    let bits = x.to_bits();
    let magnitude = bits & MAGNITUDE;
    let signed = round_magnitude(magnitude) | (bits & !MAGNITUDE);
    f32::from_bits(if magnitude > EXPONENT { fp32::NAN_BITS } else { signed })
}
