//! Bit masks of lanes: the indices of set bits, and conversions between masks and lanes for several
//! instruction sets.
#![expect(unsafe_code, reason = "instructions are called that the processor has")]

/// The indices of the set bits, lowest first.
#[inline(always)]
pub fn ones(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (bit < u64::BITS).then_some(bit as usize)
    })
}

/// Operations between masks and lanes for one set of instructions. Callers must be `inline(always)` into a
/// function with these `target_feature`s, or the operations take many instructions.
pub trait Masks: Copy {
    /// Bit i is set if value i is negative, for 4 or 16 values.
    fn movemask<const N: usize>(self, values: [i32; N]) -> u16;

    /// `new` where a bit is set, otherwise `old`, for 4 or 16 lanes.
    fn choose<const N: usize>(self, bits: u16, new: &[f32; N], old: &[f32; N]) -> [f32; N];
}

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

/// Uses instructions that every processor of this architecture has.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Masks for Portable {
    #[inline(always)]
    fn movemask<const N: usize>(self, values: [i32; N]) -> u16 {
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
    fn choose<const N: usize>(self, bits: u16, new: &[f32; N], old: &[f32; N]) -> [f32; N] {
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

/// Uses AVX2. A value of this type proves that the processor has AVX2.
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// Uses AVX-512F and AVX-512VL. A value of this type proves that the processor has them.
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
impl Avx2 {
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    pub const unsafe fn new() -> Self {
        Self(())
    }
}

#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
impl Avx512 {
    /// # Safety
    /// The processor has AVX-512F and AVX-512VL.
    #[inline(always)]
    pub const unsafe fn new() -> Self {
        Self(())
    }
}

#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
impl Masks for Avx2 {
    #[inline(always)]
    fn movemask<const N: usize>(self, values: [i32; N]) -> u16 {
        use std::arch::x86_64::{_mm256_loadu_ps, _mm256_movemask_ps};
        if N == 4 {
            return Portable.movemask(values);
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
    fn choose<const N: usize>(self, bits: u16, new: &[f32; N], old: &[f32; N]) -> [f32; N] {
        Portable.choose(bits, new, old)
    }
}

#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
impl Masks for Avx512 {
    #[inline(always)]
    fn movemask<const N: usize>(self, values: [i32; N]) -> u16 {
        use std::arch::x86_64::{_mm512_cmplt_epi32_mask, _mm512_loadu_epi32, _mm512_setzero_si512};
        if N == 4 {
            return Portable.movemask(values);
        }
        const { assert!(N == 4 || N == 16) };
        // SAFETY: the processor has AVX-512F, and there are 16 values.
        unsafe { _mm512_cmplt_epi32_mask(_mm512_loadu_epi32(values.as_ptr()), _mm512_setzero_si512()) }
    }

    #[inline(always)]
    fn choose<const N: usize>(self, bits: u16, new: &[f32; N], old: &[f32; N]) -> [f32; N] {
        use std::arch::x86_64::{
            _mm_loadu_ps, _mm_mask_blend_ps, _mm_storeu_ps, _mm512_loadu_ps, _mm512_mask_blend_ps,
            _mm512_storeu_ps,
        };
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

/// Bit i is set if lane i is true.
#[inline(always)]
pub(crate) fn lane_mask<const N: usize>(masks: impl Masks, lanes: [bool; N]) -> u16 {
    let mut signs = [0; N];
    for (sign, lane) in signs.iter_mut().zip(lanes) {
        *sign = -i32::from(lane);
    }
    masks.movemask(signs)
}

#[cfg(test)]
mod tests {
    use super::{Masks, Portable};
    use crate::processor::{InstructionSet, on_each};

    fn masks_name_lanes(masks: impl Masks) {
        for mask in 0..=u16::MAX {
            for [inside, outside] in [[0, -1], [i32::MAX, i32::MIN], [1, -70_000]] {
                let values = std::array::from_fn(|lane| if mask >> lane & 1 != 0 { outside } else { inside });
                assert_eq!(masks.movemask::<16>(values), mask);
                let [a, b, c, d] = [values[0], values[1], values[2], values[3]];
                assert_eq!(masks.movemask([a, b, c, d]), mask & 15);
            }
            let new: [f32; 16] = std::array::from_fn(|lane| lane as f32);
            let old = new.map(|new| new + 16.0);
            let expected: [f32; 16] =
                std::array::from_fn(|lane| if mask >> lane & 1 != 0 { new[lane] } else { old[lane] });
            assert_eq!(masks.choose(mask, &new, &old), expected);
            let [new, old, expected] = [new, old, expected].map(|[a, b, c, d, ..]| [a, b, c, d]);
            assert_eq!(masks.choose(mask & 15, &new, &old), expected);
        }
    }

    #[test]
    fn masks_name_lanes_whatever_the_processor_has() {
        on_each(|set| match set {
            InstructionSet::Portable => masks_name_lanes(Portable),
            // SAFETY: `on_each` passes only instruction sets that the processor has.
            #[cfg(all(target_arch = "x86_64", not(fuzzing)))]
            InstructionSet::Avx2 => masks_name_lanes(unsafe { super::Avx2::new() }),
            // SAFETY: as above.
            #[cfg(all(target_arch = "x86_64", not(fuzzing)))]
            InstructionSet::Avx512 => masks_name_lanes(unsafe { super::Avx512::new() }),
            #[cfg(not(all(target_arch = "x86_64", not(fuzzing))))]
            InstructionSet::Avx2 | InstructionSet::Avx512 => panic!("{set:?} has no masks here"),
        });
    }
}
