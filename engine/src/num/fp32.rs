//! fp32 as the specs have it: IEEE single precision without denorms (ruling 6).

/// The one NaN that arithmetic gives.
pub const NAN_BITS: u32 = 0x7FC0_0000;

/// Flushes a denorm to zero, sign kept (NV_fragment_program 3.11.4.1).
#[inline(always)]
pub fn flush(x: f32) -> f32 {
    let bits = x.to_bits();
    f32::from_bits(if bits & 0x7F80_0000 == 0 { bits & 0x8000_0000 } else { bits })
}

/// Replaces any NaN by the canonical one.
#[inline(always)]
pub fn canonical(x: f32) -> f32 {
    if x.is_nan() { f32::from_bits(NAN_BITS) } else { x }
}
