//! AVX-512 vectors (F, VL, DQ, BW).
#![expect(unsafe_code, reason = "instructions are called, and texels gathered")]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use super::{Elements, Portable, RECIPROCAL_OF_255, Simd, Task, dispatch};

const LANES: usize = 16;

/// The AVX-512 instruction set.
#[derive(Clone, Copy, Debug)]
pub struct Avx512;

#[derive(Clone, Copy, Debug)]
pub struct Floats(__m512);

#[derive(Clone, Copy, Debug)]
pub struct Ints(__m512i);

#[derive(Clone, Copy, Debug)]
pub struct Mask(__mmask16);

operators! { Floats:
    Add add _mm512_add_ps;
    Sub sub _mm512_sub_ps;
    Mul mul _mm512_mul_ps;
    Div div _mm512_div_ps;
}
operators! { Ints:
    Add add _mm512_add_epi32;
    Sub sub _mm512_sub_epi32;
    Mul mul _mm512_mullo_epi32;
    BitAnd bitand _mm512_and_si512;
    BitOr bitor _mm512_or_si512;
}

impl BitAnd for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Mask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Simd for Avx512 {
    const LANES: usize = LANES;
    type F = Floats;
    type I = Ints;
    type M = Mask;

    #[inline]
    fn compiled_as<S: Simd>(task: impl Task) {
        dispatch::avx512::<S>(task);
    }

    instructions! {
        fn maximum(a: Floats, b: Floats) -> Floats = _mm512_max_ps(a, b);
        fn minimum(a: Floats, b: Floats) -> Floats = _mm512_min_ps(a, b);
        fn floor(x: Floats) -> Floats = _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(x);
        fn ceil(x: Floats) -> Floats = _mm512_roundscale_ps::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>(x);
        fn sqrt(x: Floats) -> Floats = _mm512_sqrt_ps(x);
        fn lt(a: Floats, b: Floats) -> Mask = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b);
        fn le(a: Floats, b: Floats) -> Mask = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(a, b);
        fn eq(a: Floats, b: Floats) -> Mask = _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(a, b);
        fn select(m: Mask, a: Floats, b: Floats) -> Floats = _mm512_mask_blend_ps(m, b, a);
        fn select_ints(m: Mask, a: Ints, b: Ints) -> Ints = _mm512_mask_blend_epi32(m, b, a);
        fn below(a: Ints, b: Ints) -> Mask = _mm512_cmplt_epu32_mask(a, b);
        fn whole(x: Floats) -> Ints =
            _mm512_cvt_roundps_epi32::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(x);
        fn number(i: Ints) -> Floats = _mm512_cvtepi32_ps(i);
        fn bits(x: Floats) -> Ints = _mm512_castps_si512(x);
        fn from_bits(i: Ints) -> Floats = _mm512_castsi512_ps(i);
        fn shift_right_by(i: Ints, by: Ints) -> Ints = _mm512_srlv_epi32(i, by);
        fn largest(a: Ints, b: Ints) -> Ints = _mm512_max_epi32(a, b);
        fn min_int(a: Ints, b: Ints) -> Ints = _mm512_min_epi32(a, b);
        fn lowest(a: Ints, b: Ints) -> Ints = _mm512_min_epu32(a, b);
        fn small_product(a: Ints, b: Ints) -> Ints = _mm512_madd_epi16(a, b);
    }

    #[inline(always)]
    fn floats(x: f32) -> Floats {
        // SAFETY: only `dispatch` chooses this instance, so the processor has AVX-512. The same holds for all
        // functions below.
        Floats(unsafe { _mm512_set1_ps(x) })
    }
    #[inline(always)]
    fn ints(i: i32) -> Ints {
        // SAFETY: see `floats`.
        Ints(unsafe { _mm512_set1_epi32(i) })
    }
    #[inline(always)]
    fn load<const N: usize>(register: &[f32; N], at: usize) -> Floats {
        let register = &register[at..at + LANES];
        // SAFETY: see `floats`. The slice has `LANES` elements.
        Floats(unsafe { _mm512_loadu_ps(register.as_ptr()) })
    }
    #[inline(always)]
    fn store<const N: usize>(values: Floats, register: &mut [f32; N], at: usize) {
        let register = &mut register[at..at + LANES];
        // SAFETY: see `floats`. The slice has `LANES` elements.
        unsafe { _mm512_storeu_ps(register.as_mut_ptr(), values.0) };
    }
    /// Corrects the product with the reciprocal by the remainder of x. The result is correctly rounded,
    /// because the reciprocal is correctly rounded and the remainder is exact (Markstein, IBM Journal of
    /// Research and Development 34, 1990, theorem 8.4). A division takes three times as long.
    #[inline(always)]
    fn div_255(x: Floats) -> Floats {
        let (unit, reciprocal) = (Self::floats(255.0), Self::floats(1.0 / 255.0));
        let quotient = x * reciprocal;
        // SAFETY: see `floats`.
        unsafe {
            let rest = _mm512_fnmadd_ps(quotient.0, unit.0, x.0);
            Floats(_mm512_fmadd_ps(rest, reciprocal.0, quotient.0))
        }
    }
    /// As in `Avx2`.
    #[inline(always)]
    fn bytes_div_255(x: Floats) -> Floats {
        let (high, low) = (Self::floats(RECIPROCAL_OF_255[0]), Self::floats(RECIPROCAL_OF_255[1]));
        // SAFETY: see `floats`.
        Floats(unsafe { _mm512_fmadd_ps(x.0, high.0, (x * low).0) })
    }
    #[inline(always)]
    fn flush(x: Floats) -> Floats {
        // SAFETY: see `floats`.
        unsafe {
            let bits = _mm512_castps_si512(x.0);
            let tiny = _mm512_testn_epi32_mask(bits, _mm512_set1_epi32(0x7F80_0000));
            Floats(_mm512_castsi512_ps(_mm512_mask_and_epi32(bits, tiny, bits, _mm512_set1_epi32(i32::MIN))))
        }
    }
    #[inline(always)]
    fn reduce_max(x: Floats) -> f32 {
        // SAFETY: see `floats`.
        unsafe { _mm512_reduce_max_ps(_mm512_max_ps(x.0, _mm512_set1_ps(1.0))) }
    }
    #[inline(always)]
    fn quads<const TO: i32>(x: Floats) -> Floats {
        // SAFETY: see `floats`.
        Floats(unsafe { _mm512_permute_ps::<TO>(x.0) })
    }
    #[inline(always)]
    fn never() -> Mask {
        Mask(0)
    }
    #[inline(always)]
    fn any(m: Mask) -> bool {
        m.0 != 0
    }
    #[inline(always)]
    fn shift_left<const BY: u32>(i: Ints) -> Ints {
        // SAFETY: see `floats`.
        Ints(unsafe { _mm512_slli_epi32::<BY>(i.0) })
    }
    #[inline(always)]
    fn shift_right<const BY: u32>(i: Ints) -> Ints {
        // SAFETY: see `floats`.
        Ints(unsafe { _mm512_srai_epi32::<BY>(i.0) })
    }
    #[inline(always)]
    fn byte<const C: u32>(words: Ints) -> Floats {
        // SAFETY: see `floats`.
        unsafe {
            let moved = match C {
                0 => words.0,
                1 => _mm512_srli_epi32::<8>(words.0),
                2 => _mm512_srli_epi32::<16>(words.0),
                _ => _mm512_srli_epi32::<24>(words.0),
            };
            let byte = if C == 3 { moved } else { _mm512_and_si512(moved, _mm512_set1_epi32(255)) };
            Floats(_mm512_cvtepi32_ps(byte))
        }
    }
    #[inline(always)]
    fn words(from: Elements<'_, u32>, index: Ints) -> Ints {
        let index = Self::lowest(index, Self::ints(from.last));
        // SAFETY: see `floats`. The indices are from 0 to the last index, which is below 2^31.
        Ints(unsafe { _mm512_i32gather_epi32::<4>(index.0, from.all.as_ptr().cast()) })
    }
    #[inline(always)]
    fn values(from: Elements<'_, f32>, index: Ints) -> Floats {
        let index = Self::lowest(index, Self::ints(from.last));
        // SAFETY: see `words`.
        Floats(unsafe { _mm512_i32gather_ps::<4>(index.0, from.all.as_ptr()) })
    }
    /// A gather of two words takes as long as a gather of one.
    #[inline(always)]
    fn pairs(from: Elements<'_, u32>, index: Ints) -> [Ints; 2] {
        let index = Self::lowest(index, Self::ints(from.last - 1)).0;
        let texels = from.all.as_ptr().cast();
        // SAFETY: see `floats`. The indices are from 0 to the last but one, which is not negative.
        unsafe {
            let lower = _mm512_i32gather_epi64::<4>(_mm512_castsi512_si256(index), texels);
            let upper = _mm512_i32gather_epi64::<4>(_mm512_extracti64x4_epi64::<1>(index), texels);
            let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
            let odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
            let first = _mm512_permutex2var_epi32(lower, even, upper);
            [Ints(first), Ints(_mm512_permutex2var_epi32(lower, odd, upper))]
        }
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
