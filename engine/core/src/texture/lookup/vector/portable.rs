//! Vectors as arrays, for every processor.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use super::{Elements, Vector};
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
pub(in super::super) struct Portable;

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Floats([f32; LANES]);

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Ints([i32; LANES]);

/// All ones or all zeros in each lane.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Mask([u32; LANES]);

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

impl Vector for Portable {
    const LANES: usize = LANES;
    type F = Floats;
    type I = Ints;
    type M = Mask;

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
}
