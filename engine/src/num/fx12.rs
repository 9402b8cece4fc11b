//! fx12, the 12-bit fixed-point format of the X suffix (NV_fragment_program 3.11.4.1).
//!
//! A value is a two's complement integer of 12 bits over 1024, held in an `f32` (all are exact there).
//! It is never stored in a register; instructions convert operands and result through [`round`].

/// The smallest value, -2048/1024.
pub const MIN: f32 = -2.0;
/// The largest value, 2047/1024.
pub const MAX: f32 = 2047.0 / 1024.0;

/// 1.5 * 2^13: around it the last place of fp32 is worth 1/1024, so an addition rounds to fx12's step.
const MAGIC: f32 = 12288.0;

/// Rounds to the nearest fx12 value, ties to even, saturating (3.11.4.2, rulings 6 and 7).
///
/// NaN becomes +0.0. The format has one zero, so -0.0 and what rounds to it become +0.0.
#[inline(always)]
pub fn round(x: f32) -> f32 {
    let low = if x < MIN { MIN } else { x };
    let clamped = if low > MAX { MAX } else { low };
    let rounded = (clamped + MAGIC) - MAGIC;
    if x.is_nan() { 0.0 } else { rounded }
}
