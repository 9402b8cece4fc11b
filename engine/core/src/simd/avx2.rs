//! AVX2.
#![expect(unsafe_code, reason = "AVX2 instructions are called")]

use super::{Portable, Simd, Task, dispatch};
use std::arch::x86_64::*;

/// Uses AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx2;

impl Simd for Avx2 {
    fn compiled_as<S: Simd>(task: impl Task) {
        dispatch::avx2::<S>(task);
    }

    #[inline(always)]
    fn movemask<const N: usize>(values: [i32; N]) -> u16 {
        if N == 4 {
            return Portable::movemask(values);
        }
        const { assert!(N == 4 || N == 16) };
        let eights = values.as_ptr().cast::<f32>();
        // SAFETY: the processor has AVX2, and there are 16 values.
        unsafe {
            let eight = |first| _mm256_movemask_ps(_mm256_loadu_ps(eights.add(first))) as u16;
            eight(0) | eight(8) << 8
        }
    }

    #[inline(always)]
    fn choose<const N: usize>(bits: u16, new: &[f32; N], old: &[f32; N]) -> [f32; N] {
        Portable::choose(bits, new, old)
    }
}
