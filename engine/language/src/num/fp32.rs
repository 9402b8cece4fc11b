//! fp32 as the specifications define it: IEEE single precision without denorms (ruling 6) and with one NaN.

use super::number::Number;

/// The only NaN that arithmetic returns.
pub const NAN_BITS: u32 = 0x7FC0_0000;

/// Flushes a denorm to a zero of the same sign (NV_fragment_program 3.11.4.1).
#[inline(always)]
pub fn flush<N: Number>(x: N) -> N {
    x.flush()
}

/// Replaces any NaN by the canonical one.
#[inline(always)]
pub fn canonical<N: Number>(x: N) -> N {
    x.canonical()
}
