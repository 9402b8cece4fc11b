//! Bit masks of lanes.
#![expect(unsafe_code, reason = "instructions that every x86-64 processor has are called")]

/// The numbers of the bits that are set, the lowest first.
#[inline(always)]
pub fn ones(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (bit < u64::BITS).then_some(bit as usize)
    })
}

/// Bit i set where value i is negative, for 4 or 16 values.
#[inline(always)]
pub fn movemask<const N: usize>(values: [i32; N]) -> u16 {
    const { assert!(N == 4 || N == 16) };
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{
            __m128i, _mm_castsi128_ps, _mm_loadu_si128, _mm_movemask_epi8, _mm_movemask_ps, _mm_packs_epi16,
            _mm_packs_epi32,
        };
        let fours = values.as_ptr().cast::<__m128i>();
        // SAFETY: every x86-64 processor has SSE2; of four values there are one or, asked for then only, four.
        // Packing keeps signs.
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

#[cfg(test)]
mod tests {
    use super::movemask;

    #[test]
    fn bits_are_signs() {
        for mask in 0..=u16::MAX {
            for [inside, outside] in [[0, -1], [i32::MAX, i32::MIN], [1, -70_000]] {
                let values = std::array::from_fn(|lane| if mask >> lane & 1 != 0 { outside } else { inside });
                assert_eq!(movemask::<16>(values), mask);
                let [a, b, c, d] = [values[0], values[1], values[2], values[3]];
                assert_eq!(movemask([a, b, c, d]), mask & 15);
            }
        }
    }
}
