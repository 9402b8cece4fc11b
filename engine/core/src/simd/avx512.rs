//! AVX-512 (F, VL, DQ, BW).
#![expect(unsafe_code, reason = "AVX-512 instructions are called")]

use super::{Portable, Simd, Task, dispatch};
use std::arch::x86_64::*;

/// Uses AVX-512.
#[derive(Clone, Copy, Debug)]
pub struct Avx512;

impl Simd for Avx512 {
    fn compiled_as<S: Simd>(task: impl Task) {
        dispatch::avx512::<S>(task);
    }

    #[inline(always)]
    fn movemask<const N: usize>(values: [i32; N]) -> u16 {
        if N == 4 {
            return Portable::movemask(values);
        }
        const { assert!(N == 4 || N == 16) };
        // SAFETY: the processor has AVX-512F, and there are 16 values.
        unsafe { _mm512_cmplt_epi32_mask(_mm512_loadu_epi32(values.as_ptr()), _mm512_setzero_si512()) }
    }

    #[inline(always)]
    fn choose<const N: usize>(bits: u16, new: &[f32; N], old: &[f32; N]) -> [f32; N] {
        const { assert!(N == 4 || N == 16) };
        let mut chosen = [0.0; N];
        let (place, new, old) = (chosen.as_mut_ptr(), new.as_ptr(), old.as_ptr());
        // SAFETY: the processor has AVX-512F and AVX-512VL, and there are 4 or 16 lanes.
        unsafe {
            if N == 4 {
                _mm_storeu_ps(place, _mm_mask_blend_ps(bits as u8, _mm_loadu_ps(old), _mm_loadu_ps(new)));
            } else {
                _mm512_storeu_ps(
                    place,
                    _mm512_mask_blend_ps(bits, _mm512_loadu_ps(old), _mm512_loadu_ps(new)),
                );
            }
        }
        chosen
    }
}
