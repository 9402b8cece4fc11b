//! Running a loop with the widest vector instructions that are sure to give the same bits.
//!
//! A [`Task`] is ordinary code without fused multiply-adds, which are the only thing that could change
//! its results: so all instances compute the same.
#![expect(unsafe_code, reason = "functions that need a processor feature are called")]

/// Something to run. `run` and what matters in it have to be `inline(always)`, or they are not
/// compiled anew.
pub(super) trait Task {
    /// Runs it.
    fn run(self);
}

/// Runs `task`, compiled for AVX-512 or AVX2 where the processor has it.
#[inline]
pub(super) fn widest(task: impl Task) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2(task: impl Task) {
            task.run();
        }
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw")]
        fn avx512(task: impl Task) {
            task.run();
        }
        if std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512vl")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512bw")
        {
            // SAFETY: the processor has all of them, as was just found out.
            return unsafe { avx512(task) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2, as was just found out.
            return unsafe { avx2(task) };
        }
    }
    task.run();
}
