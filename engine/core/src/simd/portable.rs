//! The instance for every processor of an architecture: vectors are arrays.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "SSE2 instructions are called"))]

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use super::{Elements, Simd, Task};
use shadestep_language::num::fp32;

const LANES: usize = 4;

/// The results of `of` for each lane. Written out, because `std::array::from_fn` and `map` double the amount
/// of code in a debug build.
#[inline(always)]
fn each<T>(of: impl Fn(usize) -> T) -> [T; LANES] {
    [of(0), of(1), of(2), of(3)]
}

/// `of` applied to each lane.
#[inline(always)]
fn map<T: Copy, R>(lanes: [T; LANES], of: impl Fn(T) -> R) -> [R; LANES] {
    each(|lane| of(lanes[lane]))
}

/// The portable instruction set: arrays of four.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

#[derive(Clone, Copy, Debug)]
pub struct Floats([f32; LANES]);

#[derive(Clone, Copy, Debug)]
pub struct Ints([i32; LANES]);

/// All ones or all zeros in each lane.
#[derive(Clone, Copy, Debug)]
pub struct Mask([u32; LANES]);

macro_rules! operators {
    ($type:ty: $($trait:ident $name:ident |$a:ident, $b:ident| $result:expr;)+) => {
        $(impl $trait for $type {
            type Output = Self;
            #[inline]
            fn $name(self, other: Self) -> Self {
                Self(each(|lane| {
                    let ($a, $b) = (self.0[lane], other.0[lane]);
                    $result
                }))
            }
        })+
    };
}

operators! { Floats:
    Add add |a, b| a + b;
    Sub sub |a, b| a - b;
    Mul mul |a, b| a * b;
    Div div |a, b| a / b;
}
operators! { Ints:
    Add add |a, b| a.wrapping_add(b);
    Sub sub |a, b| a.wrapping_sub(b);
    Mul mul |a, b| a.wrapping_mul(b);
    BitAnd bitand |a, b| a & b;
    BitOr bitor |a, b| a | b;
}
operators! { Mask:
    BitAnd bitand |a, b| a & b;
    BitOr bitor |a, b| a | b;
}

impl Not for Mask {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(map(self.0, |lane| !lane))
    }
}

#[inline]
fn mask(passes: impl Fn(usize) -> bool) -> Mask {
    Mask(each(|lane| u32::from(passes(lane)).wrapping_neg()))
}

#[inline]
fn zip(a: Ints, b: Ints, of: impl Fn(i32, i32) -> i32) -> Ints {
    Ints(each(|lane| of(a.0[lane], b.0[lane])))
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

impl Simd for Portable {
    const LANES: usize = LANES;
    type F = Floats;
    type I = Ints;
    type M = Mask;

    #[inline]
    fn compiled_as<S: Simd>(task: impl Task) {
        task.run::<S>();
    }

    #[inline]
    fn floats(x: f32) -> Floats {
        Floats([x; LANES])
    }
    #[inline]
    fn ints(i: i32) -> Ints {
        Ints([i; LANES])
    }
    #[inline]
    fn load<const N: usize>(register: &[f32; N], at: usize) -> Floats {
        let [a, b, c, d] = register[at..at + LANES] else { return Floats([0.0; LANES]) };
        Floats([a, b, c, d])
    }
    #[inline]
    fn store<const N: usize>(values: Floats, register: &mut [f32; N], at: usize) {
        register[at..at + LANES].copy_from_slice(&values.0);
    }
    #[inline]
    fn maximum(a: Floats, b: Floats) -> Floats {
        Floats(each(|lane| if a.0[lane] > b.0[lane] { a.0[lane] } else { b.0[lane] }))
    }
    #[inline]
    fn minimum(a: Floats, b: Floats) -> Floats {
        Floats(each(|lane| if a.0[lane] < b.0[lane] { a.0[lane] } else { b.0[lane] }))
    }
    #[inline]
    fn floor(x: Floats) -> Floats {
        Floats(map(x.0, f32::floor))
    }
    #[inline]
    fn ceil(x: Floats) -> Floats {
        Floats(map(x.0, f32::ceil))
    }
    #[inline]
    fn sqrt(x: Floats) -> Floats {
        Floats(map(x.0, f32::sqrt))
    }
    #[inline]
    fn div_255(x: Floats) -> Floats {
        Floats(map(x.0, |x| x / 255.0))
    }
    #[inline]
    fn flush(x: Floats) -> Floats {
        Floats(map(x.0, fp32::flush))
    }
    #[inline]
    fn reduce_max(x: Floats) -> f32 {
        let [a, b, c, d] = x.0;
        let larger = |most: f32, lane: f32| if lane > most { lane } else { most };
        larger(larger(larger(larger(1.0, a), b), c), d)
    }
    #[inline]
    fn quads<const TO: i32>(x: Floats) -> Floats {
        Floats(each(|lane| x.0[lane & !3 | (TO >> (2 * (lane & 3)) & 3) as usize]))
    }
    #[inline]
    fn lt(a: Floats, b: Floats) -> Mask {
        mask(|lane| a.0[lane] < b.0[lane])
    }
    #[inline]
    fn le(a: Floats, b: Floats) -> Mask {
        mask(|lane| a.0[lane] <= b.0[lane])
    }
    #[inline]
    fn eq(a: Floats, b: Floats) -> Mask {
        mask(|lane| a.0[lane] == b.0[lane])
    }
    #[inline]
    fn select(m: Mask, a: Floats, b: Floats) -> Floats {
        Self::from_bits(Self::select_ints(m, Self::bits(a), Self::bits(b)))
    }
    #[inline]
    fn select_ints(m: Mask, a: Ints, b: Ints) -> Ints {
        Ints(each(|lane| (a.0[lane] & m.0[lane] as i32) | (b.0[lane] & !m.0[lane] as i32)))
    }
    #[inline]
    fn below(a: Ints, b: Ints) -> Mask {
        mask(|lane| (a.0[lane] as u32) < b.0[lane] as u32)
    }
    #[inline]
    fn never() -> Mask {
        Mask([0; LANES])
    }
    #[inline]
    fn any(m: Mask) -> bool {
        let [a, b, c, d] = m.0;
        a | b | c | d != 0
    }
    #[inline]
    fn whole(x: Floats) -> Ints {
        // Adding 1.5 * 2^23 leaves an integer in the low bits. A conversion would be slower, because it
        // checks for values that are not integers.
        const SHIFT: f32 = 12_582_912.0;
        Ints(map(x.0, |x| (x.floor() + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits()) as i32))
    }
    #[inline]
    fn number(i: Ints) -> Floats {
        Floats(map(i.0, |i| i as f32))
    }
    #[inline]
    fn bits(x: Floats) -> Ints {
        Ints(map(x.0, |x| x.to_bits() as i32))
    }
    #[inline]
    fn from_bits(i: Ints) -> Floats {
        Floats(map(i.0, |i| f32::from_bits(i as u32)))
    }
    #[inline]
    fn shift_left<const BY: u32>(i: Ints) -> Ints {
        Ints(map(i.0, |i| i << BY))
    }
    #[inline]
    fn shift_right<const BY: u32>(i: Ints) -> Ints {
        Ints(map(i.0, |i| i >> BY))
    }
    #[inline]
    fn shift_right_by(i: Ints, by: Ints) -> Ints {
        zip(i, by, |i, by| (i as u32 >> (by & 31)) as i32)
    }
    #[inline]
    fn largest(a: Ints, b: Ints) -> Ints {
        zip(a, b, i32::max)
    }
    #[inline]
    fn min_int(a: Ints, b: Ints) -> Ints {
        zip(a, b, i32::min)
    }
    #[inline]
    fn lowest(a: Ints, b: Ints) -> Ints {
        zip(a, b, |a, b| (a as u32).min(b as u32) as i32)
    }
    #[inline]
    fn small_product(a: Ints, b: Ints) -> Ints {
        a * b
    }
    #[inline]
    fn byte<const C: u32>(words: Ints) -> Floats {
        Floats(map(words.0, |word| (word as u32 >> (8 * C) & 255) as f32))
    }
    #[inline]
    fn words(from: Elements<'_, u32>, index: Ints) -> Ints {
        Ints(map(index.0, |index| from.at(index) as i32))
    }
    #[inline]
    fn values(from: Elements<'_, f32>, index: Ints) -> Floats {
        Floats(map(index.0, |index| from.at(index)))
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
