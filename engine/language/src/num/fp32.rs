//! fp32 as the specs have it: IEEE single precision without denorms (ruling 6).

use super::number::Number;

/// The one NaN that arithmetic gives.
pub const NAN_BITS: u32 = 0x7FC0_0000;

/// Flushes a denorm to zero, sign kept (NV_fragment_program 3.11.4.1).
#[inline(always)]
pub fn flush<N: Number>(x: N) -> N {
    x.flush()
}

/// Replaces any NaN by the canonical one.
#[inline(always)]
pub fn canonical<N: Number>(x: N) -> N {
    x.canonical()
}
