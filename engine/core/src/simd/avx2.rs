//! AVX2 vectors.
#![expect(unsafe_code, reason = "instructions are called, and texels gathered")]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use super::{Elements, Portable, RECIPROCAL_OF_255, Simd, Task, dispatch};

const LANES: usize = 8;

/// The AVX2 instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Avx2;

#[derive(Clone, Copy, Debug)]
pub struct Floats(__m256);

#[derive(Clone, Copy, Debug)]
pub struct Ints(__m256i);

/// All ones or all zeros in each lane.
#[derive(Clone, Copy, Debug)]
pub struct Mask(__m256i);

operators! { Floats:
    Add add _mm256_add_ps;
    Sub sub _mm256_sub_ps;
    Mul mul _mm256_mul_ps;
    Div div _mm256_div_ps;
}
operators! { Ints:
    Add add _mm256_add_epi32;
    Sub sub _mm256_sub_epi32;
    Mul mul _mm256_mullo_epi32;
    BitAnd bitand _mm256_and_si256;
    BitOr bitor _mm256_or_si256;
}
operators! { Mask:
    BitAnd bitand _mm256_and_si256;
    BitOr bitor _mm256_or_si256;
}

impl Not for Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: only `dispatch` chooses this instance, so the processor has AVX2.
        Self(unsafe { _mm256_xor_si256(self.0, _mm256_set1_epi32(-1)) })
    }
}

impl Simd for Avx2 {
    const LANES: usize = LANES;
    type F = Floats;
    type I = Ints;
    type M = Mask;

    #[inline]
    fn compiled_as<S: Simd>(task: impl Task) {
        dispatch::avx2::<S>(task);
    }

    instructions! {
        fn maximum(a: Floats, b: Floats) -> Floats = _mm256_max_ps(a, b);
        fn minimum(a: Floats, b: Floats) -> Floats = _mm256_min_ps(a, b);
        fn floor(x: Floats) -> Floats = _mm256_floor_ps(x);
        fn ceil(x: Floats) -> Floats = _mm256_ceil_ps(x);
        fn sqrt(x: Floats) -> Floats = _mm256_sqrt_ps(x);
        fn lt(a: Floats, b: Floats) -> Mask = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_LT_OQ>(a, b));
        fn le(a: Floats, b: Floats) -> Mask = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_LE_OQ>(a, b));
        fn eq(a: Floats, b: Floats) -> Mask = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_EQ_OQ>(a, b));
        fn select(m: Mask, a: Floats, b: Floats) -> Floats = _mm256_blendv_ps(b, a, _mm256_castsi256_ps(m));
        fn select_ints(m: Mask, a: Ints, b: Ints) -> Ints = _mm256_blendv_epi8(b, a, m);
        fn whole(x: Floats) -> Ints = _mm256_cvttps_epi32(_mm256_floor_ps(x));
        fn number(i: Ints) -> Floats = _mm256_cvtepi32_ps(i);
        fn bits(x: Floats) -> Ints = _mm256_castps_si256(x);
        fn from_bits(i: Ints) -> Floats = _mm256_castsi256_ps(i);
        fn shift_right_by(i: Ints, by: Ints) -> Ints = _mm256_srlv_epi32(i, by);
        fn largest(a: Ints, b: Ints) -> Ints = _mm256_max_epi32(a, b);
        fn min_int(a: Ints, b: Ints) -> Ints = _mm256_min_epi32(a, b);
        fn lowest(a: Ints, b: Ints) -> Ints = _mm256_min_epu32(a, b);
        fn small_product(a: Ints, b: Ints) -> Ints = _mm256_madd_epi16(a, b);
    }

    #[inline(always)]
    fn floats(x: f32) -> Floats {
        // SAFETY: only `dispatch` chooses this instance, so the processor has AVX2. The same holds for all functions
        // below.
        Floats(unsafe { _mm256_set1_ps(x) })
    }
    #[inline(always)]
    fn ints(i: i32) -> Ints {
        // SAFETY: see `floats`.
        Ints(unsafe { _mm256_set1_epi32(i) })
    }
    #[inline(always)]
    fn load<const N: usize>(register: &[f32; N], at: usize) -> Floats {
        let register = &register[at..at + LANES];
        // SAFETY: see `floats`. The slice has `LANES` elements.
        Floats(unsafe { _mm256_loadu_ps(register.as_ptr()) })
    }
    #[inline(always)]
    fn store<const N: usize>(values: Floats, register: &mut [f32; N], at: usize) {
        let register = &mut register[at..at + LANES];
        // SAFETY: see `floats`. The slice has `LANES` elements.
        unsafe { _mm256_storeu_ps(register.as_mut_ptr(), values.0) };
    }
    #[inline(always)]
    fn flush(x: Floats) -> Floats {
        // SAFETY: see `floats`.
        unsafe {
            let bits = _mm256_castps_si256(x.0);
            let exponent = _mm256_and_si256(bits, _mm256_set1_epi32(0x7F80_0000));
            let tiny = _mm256_cmpeq_epi32(exponent, _mm256_setzero_si256());
            let magnitude = _mm256_and_si256(tiny, _mm256_set1_epi32(0x7FFF_FFFF));
            Floats(_mm256_castsi256_ps(_mm256_andnot_si256(magnitude, bits)))
        }
    }
    #[inline(always)]
    fn reduce_max(x: Floats) -> f32 {
        let mut lanes = [0.0; LANES];
        Self::store(x, &mut lanes, 0);
        let mut most = 1.0;
        for lane in lanes {
            most = if lane > most { lane } else { most };
        }
        most
    }
    #[inline(always)]
    fn quads<const TO: i32>(x: Floats) -> Floats {
        // SAFETY: see `floats`.
        Floats(unsafe { _mm256_permute_ps::<TO>(x.0) })
    }
    #[inline(always)]
    fn below(a: Ints, b: Ints) -> Mask {
        // SAFETY: see `floats`.
        !Mask(unsafe { _mm256_cmpeq_epi32(_mm256_max_epu32(a.0, b.0), a.0) })
    }
    #[inline(always)]
    fn never() -> Mask {
        // SAFETY: see `floats`.
        Mask(unsafe { _mm256_setzero_si256() })
    }
    #[inline(always)]
    fn any(m: Mask) -> bool {
        // SAFETY: see `floats`.
        unsafe { _mm256_testz_si256(m.0, m.0) == 0 }
    }
    #[inline(always)]
    fn shift_left<const BY: u32>(i: Ints) -> Ints {
        // SAFETY: see `floats`. The compiler turns the shift amount into a constant.
        Ints(unsafe { _mm256_sllv_epi32(i.0, _mm256_set1_epi32(BY as i32)) })
    }
    #[inline(always)]
    fn shift_right<const BY: u32>(i: Ints) -> Ints {
        // SAFETY: see `floats`.
        Ints(unsafe { _mm256_srav_epi32(i.0, _mm256_set1_epi32(BY as i32)) })
    }
    #[inline(always)]
    fn byte<const C: u32>(words: Ints) -> Floats {
        // SAFETY: see `floats`.
        unsafe {
            let moved = match C {
                0 => words.0,
                1 => _mm256_srli_epi32::<8>(words.0),
                2 => _mm256_srli_epi32::<16>(words.0),
                _ => _mm256_srli_epi32::<24>(words.0),
            };
            let byte = if C == 3 { moved } else { _mm256_and_si256(moved, _mm256_set1_epi32(255)) };
            Floats(_mm256_cvtepi32_ps(byte))
        }
    }
    /// As in `Avx512`.
    #[inline(always)]
    fn div_255(x: Floats) -> Floats {
        let (unit, reciprocal) = (Self::floats(255.0), Self::floats(1.0 / 255.0));
        let quotient = x * reciprocal;
        // SAFETY: see `floats`.
        unsafe {
            let rest = _mm256_fnmadd_ps(quotient.0, unit.0, x.0);
            Floats(_mm256_fmadd_ps(rest, reciprocal.0, quotient.0))
        }
    }
    /// The error of x times the low number is 2^-49 of the result. No quotient by 255 is closer than 2^-34 to
    /// the middle between two fp32 numbers.
    #[inline(always)]
    fn bytes_div_255(x: Floats) -> Floats {
        let (high, low) = (Self::floats(RECIPROCAL_OF_255[0]), Self::floats(RECIPROCAL_OF_255[1]));
        // SAFETY: see `floats`.
        Floats(unsafe { _mm256_fmadd_ps(x.0, high.0, (x * low).0) })
    }
    #[inline(always)]
    fn words(from: Elements<'_, u32>, index: Ints) -> Ints {
        let index = Self::lowest(index, Self::ints(from.last));
        // SAFETY: see `floats`. The indices are from 0 to the last index.
        Ints(unsafe { gathered(from.all.as_ptr().cast(), index) })
    }
    #[inline(always)]
    fn values(from: Elements<'_, f32>, index: Ints) -> Floats {
        let index = Self::lowest(index, Self::ints(from.last));
        // SAFETY: see `words`.
        Floats(unsafe { _mm256_castsi256_ps(gathered(from.all.as_ptr().cast(), index)) })
    }
    #[inline(always)]
    fn pairs(from: Elements<'_, u32>, index: Ints) -> [Ints; 2] {
        let at = lanes(Self::lowest(index, Self::ints(from.last - 1)));
        let pair = |lane: usize| from.all.as_ptr().wrapping_add(at[lane] as usize);
        // SAFETY: see `floats`. The indices are from 0 to the last but one.
        unsafe {
            let two = |a: usize, b: usize| {
                let first = _mm_loadh_pd(_mm_load_sd(pair(a).cast()), pair(b).cast());
                _mm_castpd_ps(first)
            };
            let lower = _mm256_set_m128(two(4, 5), two(0, 1));
            let upper = _mm256_set_m128(two(6, 7), two(2, 3));
            let first = _mm256_shuffle_ps::<0b10_00_10_00>(lower, upper);
            let second = _mm256_shuffle_ps::<0b11_01_11_01>(lower, upper);
            [Ints(_mm256_castps_si256(first)), Ints(_mm256_castps_si256(second))]
        }
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

/// The lanes as numbers.
#[inline(always)]
fn lanes(i: Ints) -> [u32; LANES] {
    let mut lanes = [0; LANES];
    // SAFETY: a vector value exists, so the processor has AVX. The array has room for the whole vector.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), i.0) };
    lanes
}

/// Loads the words with these indices one by one. A gather instruction takes twice as long on AMD processors,
/// and longer on Intel processors with the fix against data sampling.
///
/// # Safety
/// The processor must have AVX2, and every index must be within the words.
#[inline(always)]
unsafe fn gathered(from: *const i32, index: Ints) -> __m256i {
    let at = lanes(index);
    let word = |lane: usize| {
        // SAFETY: by the caller's contract, the index is within the words.
        unsafe { from.add(at[lane] as usize).read() }
    };
    // SAFETY: by the caller's contract, the processor has AVX2.
    unsafe { _mm256_setr_epi32(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7)) }
}
