//! The instance for every processor of an architecture.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "SSE2 instructions are called"))]

use super::{Simd, Task};

/// Uses instructions that every processor of this architecture has.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// For each mask of four lanes, all bits of the lanes in the mask.
const LANE_MASKS: [[u32; 4]; 16] = {
    let mut masks = [[0; 4]; 16];
    let mut i = 0;
    while i < 64 {
        if (i / 4) >> (i % 4) & 1 != 0 {
            masks[i / 4][i % 4] = u32::MAX;
        }
        i += 1;
    }
    masks
};

impl Simd for Portable {
    fn compiled_as<S: Simd>(task: impl Task) {
        task.run::<S>();
    }

    #[inline(always)]
    fn movemask<const N: usize>(values: [i32; N]) -> u16 {
        const { assert!(N == 4 || N == 16) };
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{
                __m128i, _mm_castsi128_ps, _mm_loadu_si128, _mm_movemask_epi8, _mm_movemask_ps,
                _mm_packs_epi16, _mm_packs_epi32,
            };
            let fours = values.as_ptr().cast::<__m128i>();
            // SAFETY: every x86-64 processor has SSE2. There are one or four groups of four values, and the
            // last three are read only for 16 values. Packing keeps signs.
            unsafe {
                let four = |number| _mm_loadu_si128(fours.add(number));
                if N == 4 {
                    return _mm_movemask_ps(_mm_castsi128_ps(four(0))) as u16;
                }
                let (low, high) = (_mm_packs_epi32(four(0), four(1)), _mm_packs_epi32(four(2), four(3)));
                _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u16
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let bit = |lane: usize| ((values[lane] as u32 >> 31) as u16) << lane;
            (0..N).fold(0, |mask, lane| mask | bit(lane))
        }
    }

    // Selects with bit operations. A selection of numbers compiles to jumps and stores of single lanes, and a
    // vector load after such stores stalls.
    #[inline(always)]
    fn choose<const N: usize>(bits: u16, new: &[f32; N], old: &[f32; N]) -> [f32; N] {
        let mut masks = [0; N];
        for (four, masks) in masks.as_chunks_mut().0.iter_mut().enumerate() {
            *masks = LANE_MASKS[usize::from(bits >> (4 * four) & 15)];
        }
        let mut chosen = *old;
        for ((chosen, new), mask) in chosen.iter_mut().zip(new).zip(masks) {
            *chosen = f32::from_bits(new.to_bits() & mask | chosen.to_bits() & !mask);
        }
        chosen
    }
}
