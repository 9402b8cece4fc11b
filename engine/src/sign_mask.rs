//! Bit masks from lanes.
#![expect(unsafe_code, reason = "instructions that every x86-64 processor has are called")]

/// Bit i set where value i is negative.
#[inline(always)]
pub fn sign_mask(values: [i32; 4]) -> u8 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_mm_castsi128_ps, _mm_movemask_ps, _mm_set_epi32};
        let [a, b, c, d] = values;
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { _mm_movemask_ps(_mm_castsi128_ps(_mm_set_epi32(d, c, b, a))) as u8 }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let bit = |lane: usize| (values[lane] as u32 >> 31) << lane;
        (bit(0) | bit(1) | bit(2) | bit(3)) as u8
    }
}
