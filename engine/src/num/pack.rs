//! Packing and unpacking of register bits: PK2H, PK2US, PK4B, PK4UB and UP2H, UP2US, UP4B, UP4UB
//! (NV_fragment_program 3.11.5.20 to .23 and .41 to .44).
//!
//! Packed words are `u32`s: raw bits that a register carries unchanged, not numbers, so no denorm of
//! theirs may be flushed and no NaN made canonical. How they reach a register is the executors' affair.
//!
//! Where the text leaves a choice: `round` is to nearest, ties to even. A NaN passes both clamps, since
//! every comparison with it is false, and converts to the integer 0 (whose meaning in PK4B is -128/127).
//! `-128/127` in PK4B is the quotient of numbers that the prose names, not C's integer division.

use super::fp16;

/// 1.5 * 2^23: adding it rounds a small number to an integer, which then fills the low bits of the sum.
const MAGIC: f32 = 12_582_912.0;

/// The value kept between two bounds; a NaN stays one.
#[inline(always)]
fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// `round(x)` for x in 0 to 65535 but for rounding errors; NaN gives 0.
#[inline(always)]
fn to_unsigned(x: f32) -> u32 {
    let integer = (x + MAGIC).to_bits() & 0xFFFF;
    if x.is_nan() { 0 } else { integer }
}

#[inline(always)]
fn to_us(x: f32) -> u32 {
    to_unsigned(65535.0 * clamp(x, 0.0, 1.0))
}

#[inline(always)]
fn to_b(x: f32) -> u32 {
    to_unsigned(127.0 * clamp(x, -128.0 / 127.0, 1.0) + 128.0)
}

#[inline(always)]
fn to_ub(x: f32) -> u32 {
    to_unsigned(255.0 * clamp(x, 0.0, 1.0))
}

/// PK2H: two fp16 bit patterns, `x` in the low half (3.11.5.20).
#[inline(always)]
pub fn pk2h(x: f32, y: f32) -> u32 {
    u32::from(fp16::to_bits(x)) | (u32::from(fp16::to_bits(y)) << 16)
}

/// PK2US: two scalars in [0, 1] as 16-bit integers, `x` in the low half (3.11.5.21).
#[inline(always)]
pub fn pk2us(x: f32, y: f32) -> u32 {
    to_us(x) | (to_us(y) << 16)
}

/// PK4B: four scalars in [-128/127, 1] as bytes with a bias of 128, `x` lowest (3.11.5.22).
#[inline(always)]
pub fn pk4b(x: f32, y: f32, z: f32, w: f32) -> u32 {
    to_b(x) | (to_b(y) << 8) | (to_b(z) << 16) | (to_b(w) << 24)
}

/// PK4UB: four scalars in [0, 1] as bytes, `x` lowest (3.11.5.23).
#[inline(always)]
pub fn pk4ub(x: f32, y: f32, z: f32, w: f32) -> u32 {
    to_ub(x) | (to_ub(y) << 8) | (to_ub(z) << 16) | (to_ub(w) << 24)
}

/// UP2H's x and z: the fp16 in the low half (3.11.5.41).
#[inline(always)]
pub fn up2h_lo(packed: u32) -> f32 {
    fp16::from_bits(packed as u16)
}

/// UP2H's y and w: the fp16 in the high half (3.11.5.41).
#[inline(always)]
pub fn up2h_hi(packed: u32) -> f32 {
    fp16::from_bits((packed >> 16) as u16)
}

/// UP2US's x and z: the low half over 65535 (3.11.5.42).
#[inline(always)]
pub fn up2us_lo(packed: u32) -> f32 {
    (packed & 0xFFFF) as i32 as f32 / 65535.0
}

/// UP2US's y and w: the high half over 65535 (3.11.5.42).
#[inline(always)]
pub fn up2us_hi(packed: u32) -> f32 {
    (packed >> 16) as i32 as f32 / 65535.0
}

/// Byte number `BYTE` (0 is the lowest and UP's x); other numbers do not compile.
#[inline(always)]
fn byte<const BYTE: u32>(packed: u32) -> i32 {
    const { assert!(BYTE < 4, "a packed word has four bytes") };
    ((packed >> (8 * BYTE)) & 0xFF) as i32
}

/// UP4B's component number `BYTE`, 0 to 3 for x to w: (byte - 128) / 127 (3.11.5.43).
#[inline(always)]
pub fn up4b<const BYTE: u32>(packed: u32) -> f32 {
    (byte::<BYTE>(packed) - 128) as f32 / 127.0
}

/// UP4UB's component number `BYTE`, 0 to 3 for x to w: byte / 255 (3.11.5.44).
#[inline(always)]
pub fn up4ub<const BYTE: u32>(packed: u32) -> f32 {
    byte::<BYTE>(packed) as f32 / 255.0
}
