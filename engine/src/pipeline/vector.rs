//! Running a loop with the widest vector instructions that are sure to give the same bits.
//!
//! A [`Task`] is ordinary code without fused multiply-adds, which are the only thing that could change
//! its results: so both instances compute the same.
#![expect(unsafe_code, reason = "functions that need a processor feature are called")]

/// Something to run. `run` and what matters in it have to be `inline(always)`, or they are not
/// compiled anew.
pub(super) trait Task {
    /// Runs it.
    fn run(self);
}

/// Runs `task`, compiled for AVX-512 or AVX2 where the processor has it: for loops over eight or more
/// values at a time.
#[inline]
pub(super) fn widest_of_eight(task: impl Task) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
        fn avx512(task: impl Task) {
            task.run();
        }
        let has_512 = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512bw");
        if has_512 {
            // SAFETY: the processor has these, as was just found out.
            return unsafe { avx512(task) };
        }
    }
    widest(task);
}

/// Runs `task`, compiled for AVX2 where the processor has it.
#[inline]
pub(super) fn widest(task: impl Task) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2(task: impl Task) {
            task.run();
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, as was just found out.
            return unsafe { avx2(task) };
        }
    }
    task.run();
}

/// Bit i set where value i is negative.
#[inline(always)]
pub(super) fn sign_mask(values: [i32; 4]) -> u8 {
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
