//! Telling after the fact whether denorms took part in a computation.
//!
//! Flushing every operand and result by hand would about double the work of an addition. The
//! processor notes for free when an arithmetic instruction reads a denorm or rounds to a tiny result
//! (the sticky DE and UE flags of MXCSR on x86). So a block runs without flushes first, and again
//! with them if a flag went up. Tiny results that are exact raise nothing by themselves, but they
//! raise DE when read, and a block's outputs are looked at in the end.
//!
//! Two operations that read a denorm do not raise DE, since what else they raise comes first: a denorm
//! divided by zero and the square root of a negative denorm. Whoever divides or takes roots flushes those
//! operands by hand, where they can be denorms that nothing else has read.
//!
//! Where there are no such flags [`available`] is false and every block runs in full.
#![expect(unsafe_code, reason = "reads and clears the sticky exception flags of MXCSR")]

/// Whether this processor reports what [`raised`] asks for.
pub const fn available() -> bool {
    cfg!(target_arch = "x86_64")
}

/// Clears the sticky flags.
#[cfg(target_arch = "x86_64")]
pub fn clear() {
    let mut control: u32 = 0;
    // SAFETY: only the six exception flags change, which inline assembly may clobber; modes stay.
    unsafe {
        std::arch::asm!(
            "stmxcsr dword ptr [{0}]",
            "and dword ptr [{0}], 0xffffffc0",
            "ldmxcsr dword ptr [{0}]",
            in(reg) &raw mut control,
            options(nostack)
        );
    }
}

/// Whether a denorm operand (DE) or an inexact tiny result (UE) was met since [`clear`].
#[cfg(target_arch = "x86_64")]
pub fn raised() -> bool {
    const DENORMAL_OPERAND: u32 = 1 << 1;
    const UNDERFLOW: u32 = 1 << 4;
    let mut control: u32 = 0;
    // SAFETY: stores the control register to a local.
    unsafe {
        std::arch::asm!("stmxcsr dword ptr [{0}]", in(reg) &raw mut control, options(nostack));
    }
    control & (DENORMAL_OPERAND | UNDERFLOW) != 0
}

/// Clears the sticky flags.
#[cfg(not(target_arch = "x86_64"))]
pub fn clear() {}

/// Whether a denorm was met since [`clear`].
#[cfg(not(target_arch = "x86_64"))]
pub fn raised() -> bool {
    true
}
