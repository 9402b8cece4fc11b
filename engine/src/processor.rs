//! Which instruction sets this processor has, of those that code is compiled for here.
//!
//! Whatever is declared with these `target_feature`s may be called where the answer is yes.

/// `avx2`.
#[inline]
pub(crate) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
}

/// `avx512f,avx512vl,avx512dq,avx512bw`; with them comes AVX2.
#[inline]
pub(crate) fn has_avx512() -> bool {
    has_avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512bw")
}
