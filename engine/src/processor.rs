//! Which instruction sets this processor has, of those that code is compiled for here.
//!
//! Whatever is declared with these `target_feature`s may be called where the answer is yes. It is found out once:
//! short loops ask often.

use std::sync::atomic::{AtomicU8, Ordering};

/// Not known yet.
const UNKNOWN: u8 = 0;
const NEITHER: u8 = 1;
const AVX2: u8 = 2;
const AVX512: u8 = 3;

/// The best that this processor has.
static BEST: AtomicU8 = AtomicU8::new(UNKNOWN);

#[inline]
fn best() -> u8 {
    // All threads that ask find the same.
    match BEST.load(Ordering::Relaxed) {
        UNKNOWN => detect(),
        best => best,
    }
}

#[cold]
fn detect() -> u8 {
    let best = if !is_x86_feature_detected!("avx2") {
        NEITHER
    } else if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512bw")
    {
        AVX512
    } else {
        AVX2
    };
    BEST.store(best, Ordering::Relaxed);
    best
}

/// `avx2`.
#[inline]
pub(crate) fn has_avx2() -> bool {
    best() >= AVX2
}

/// `avx512f,avx512vl,avx512dq,avx512bw`; with them comes AVX2.
#[inline]
pub(crate) fn has_avx512() -> bool {
    best() >= AVX512
}
