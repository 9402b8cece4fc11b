//! Vectors of lanes, one type for each instruction set. Lookups are written once over the trait [`Vector`].
//!
//! Every function is one IEEE operation per lane, or a selection. So all implementations are bit-identical.

/// Implements operators that are one instruction each.
#[cfg(target_arch = "x86_64")]
macro_rules! operators {
    ($type:ty: $($trait:ident $name:ident $instruction:ident;)+) => {
        $(impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                // SAFETY: by the contract of `Vector`, the processor has the instruction.
                Self(unsafe { $instruction(self.0, other.0) })
            }
        })+
    };
}

/// Implements functions that are a few instructions each.
#[cfg(target_arch = "x86_64")]
macro_rules! instructions {
    ($(fn $name:ident($($argument:ident: $type:ty),+) -> $result:ident = $call:expr;)+) => {
        $(#[inline(always)]
        fn $name($($argument: $type),+) -> $result {
            $(let $argument = $argument.0;)+
            // SAFETY: by the contract of `Vector`, the processor has the instructions.
            $result(unsafe { $call })
        })+
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod pair;
mod portable;

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use super::super::plan::Plan;
use super::fetch::{Words, unpacked};

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Avx512;
#[cfg(target_arch = "x86_64")]
pub(super) use pair::Pair;
pub(super) use portable::Portable;

/// Vectors of whole quads of lanes. An implementation may be used only in functions that are compiled for its
/// instruction set, and these may run only if the processor supports it.
pub(super) trait Vector: Copy {
    /// Lanes per vector: a multiple of 4 that divides 16.
    const LANES: usize;

    /// fp32 numbers.
    type F: Copy
        + Add<Output = Self::F>
        + Sub<Output = Self::F>
        + Mul<Output = Self::F>
        + Div<Output = Self::F>;
    /// 32-bit integers with wrapping arithmetic.
    type I: Copy
        + Add<Output = Self::I>
        + Sub<Output = Self::I>
        + Mul<Output = Self::I>
        + BitAnd<Output = Self::I>
        + BitOr<Output = Self::I>;
    /// Masks: a choice for each lane.
    type M: Copy + BitAnd<Output = Self::M> + BitOr<Output = Self::M> + Not<Output = Self::M>;

    fn floats(x: f32) -> Self::F;
    fn ints(i: i32) -> Self::I;

    /// Loads lanes of a lane register, starting with lane `at`.
    fn load<const N: usize>(register: &[f32; N], at: usize) -> Self::F;
    /// Stores to lanes of a lane register, starting with lane `at`.
    fn store<const N: usize>(values: Self::F, register: &mut [f32; N], at: usize);

    /// `if a > b { a } else { b }`.
    fn maximum(a: Self::F, b: Self::F) -> Self::F;
    /// `if a < b { a } else { b }`.
    fn minimum(a: Self::F, b: Self::F) -> Self::F;
    fn floor(x: Self::F) -> Self::F;
    fn ceil(x: Self::F) -> Self::F;
    fn sqrt(x: Self::F) -> Self::F;
    /// x / 255 for x from 0 to 255.
    fn div_255(x: Self::F) -> Self::F;
    /// x / 255 for x = 0 and for x of at least 2^-90.
    #[inline(always)]
    fn bytes_div_255(x: Self::F) -> Self::F {
        Self::div_255(x)
    }
    /// As `fp32::flush`.
    fn flush(x: Self::F) -> Self::F;
    /// The largest lane, or 1 if all are smaller. No lane may be NaN.
    fn reduce_max(x: Self::F) -> f32;
    /// Within each quad, lane k takes the value of lane `TO >> 2k & 3`.
    fn quads<const TO: i32>(x: Self::F) -> Self::F;

    /// `a < b`; false for NaN, as are the other comparisons.
    fn lt(a: Self::F, b: Self::F) -> Self::M;
    fn le(a: Self::F, b: Self::F) -> Self::M;
    fn eq(a: Self::F, b: Self::F) -> Self::M;
    /// `a` in the lanes of `m`, `b` in the others.
    fn select(m: Self::M, a: Self::F, b: Self::F) -> Self::F;
    fn select_ints(m: Self::M, a: Self::I, b: Self::I) -> Self::I;
    /// `a < b` as unsigned integers.
    fn below(a: Self::I, b: Self::I) -> Self::M;
    fn never() -> Self::M;
    fn any(m: Self::M) -> bool;

    /// The integer below or equal, for magnitudes up to 2^22.
    fn whole(x: Self::F) -> Self::I;
    fn number(i: Self::I) -> Self::F;
    fn bits(x: Self::F) -> Self::I;
    fn from_bits(i: Self::I) -> Self::F;

    fn shift_left<const BY: u32>(i: Self::I) -> Self::I;
    /// Arithmetic shift, which keeps the sign.
    fn shift_right<const BY: u32>(i: Self::I) -> Self::I;
    /// Logical shift of each lane by its own amount, from 0 to 31.
    fn shift_right_by(i: Self::I, by: Self::I) -> Self::I;
    fn largest(a: Self::I, b: Self::I) -> Self::I;
    fn min_int(a: Self::I, b: Self::I) -> Self::I;
    /// The minimum as unsigned integers.
    fn lowest(a: Self::I, b: Self::I) -> Self::I;

    /// The product of numbers from -2^15 to 2^15 - 1, or of 0 and any number. Faster than a general product.
    fn small_product(a: Self::I, b: Self::I) -> Self::I;

    /// Byte `C` of each lane, as a number.
    fn byte<const C: u32>(words: Self::I) -> Self::F;
    /// The elements with these indices. An index out of range reads an arbitrary existing element.
    fn words(from: Elements<'_, u32>, index: Self::I) -> Self::I;
    /// As [`Self::words`].
    fn values(from: Elements<'_, f32>, index: Self::I) -> Self::F;
    /// The elements with these indices, and the elements after them.
    #[inline(always)]
    fn pairs(from: Elements<'_, u32>, index: Self::I) -> [Self::I; 2] {
        [Self::words(from, index), Self::words(from, index + Self::ints(1))]
    }
    /// See [`unpacked`].
    #[inline(always)]
    fn unpacked<const C: usize, const BORDER: bool>(
        plan: &Plan,
        wanted: u8,
        texels: Words<Self, C>,
    ) -> [Self::F; 4] {
        unpacked::<Self, C, BORDER>(plan, wanted, texels)
    }
}

/// 1/255 as the sum of two fp32 numbers.
#[cfg(target_arch = "x86_64")]
const RECIPROCAL_OF_255: [f32; 2] = {
    let high = 1.0_f32 / 255.0;
    [high, (1.0 / 255.0 - high as f64) as f32]
};

/// The elements of a slice, with bounds that vectors enforce by clamping indices instead of branching.
#[derive(Clone, Copy)]
pub(super) struct Elements<'a, T> {
    all: &'a [T],
    /// The last index.
    last: i32,
}

impl<'a> Elements<'a, f32> {
    /// The bits of the numbers.
    #[inline(always)]
    #[expect(unsafe_code, reason = "numbers are read as their bits where they are")]
    pub(super) fn bits(self) -> Elements<'a, u32> {
        let Self { all, last } = self;
        // SAFETY: both types have the same size and alignment, and all bit patterns are valid in both.
        let all = unsafe { std::slice::from_raw_parts(all.as_ptr().cast(), all.len()) };
        Elements { all, last }
    }
}

impl<'a, T: Copy> Elements<'a, T> {
    /// `None` for fewer than two elements and for 2^31 or more elements.
    #[inline(always)]
    pub(super) fn new(all: &'a [T]) -> Option<Self> {
        let last = i32::try_from(all.len()).ok()?.checked_sub(1).filter(|&last| last > 0)?;
        Some(Self { all, last })
    }

    /// The element with this index, clamped to the last index.
    #[inline(always)]
    fn at(self, index: i32) -> T {
        self.all[(index as u32).min(self.last as u32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processor::{InstructionSet, on_each};

    /// Compares `div_255` with a division, for all bytes and for blends of bytes, down to values that are
    /// flushed.
    fn divides<V: Vector>() {
        let mut bits = 0x2545_F491_u32;
        for round in 0..200_000 {
            let values: [f32; 16] = std::array::from_fn(|lane| {
                bits ^= bits << 13;
                bits ^= bits >> 17;
                bits ^= bits << 5;
                match round % 4 {
                    0 => ((round / 4 * 16 + lane) % 256) as f32,
                    1 => (bits >> 8) as f32 * (255.0 / 16_777_215.0),
                    2 => f32::from_bits(bits % 0x437F_0001),
                    // Quotients near the smallest normal number.
                    _ => f32::MIN_POSITIVE * 255.0 * (1.0 + (bits % 4096) as f32 / 8_388_608.0 - 0.000_244),
                }
            });
            for at in (0..16).step_by(V::LANES) {
                let mut quotients = [0.0; 16];
                V::store(V::flush(V::div_255(V::load(&values, at))), &mut quotients, at);
                for lane in at..at + V::LANES {
                    let expected = shadestep_language::num::fp32::flush(values[lane] / 255.0);
                    assert_eq!(quotients[lane].to_bits(), expected.to_bits(), "{:e}", values[lane]);
                }
                V::store(V::bytes_div_255(V::load(&values, at)), &mut quotients, at);
                for lane in (at..at + V::LANES).filter(|&lane| values[lane] == 0.0 || values[lane] > 1e-27) {
                    let expected = values[lane] / 255.0;
                    assert_eq!(quotients[lane].to_bits(), expected.to_bits(), "{:e}", values[lane]);
                }
            }
        }
    }

    #[test]
    fn bytes_are_divided_exactly() {
        on_each(|set| match set {
            InstructionSet::Portable => divides::<Portable>(),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => divides::<Avx2>(),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => divides::<Avx512>(),
            #[cfg(not(target_arch = "x86_64"))]
            InstructionSet::Avx2 | InstructionSet::Avx512 => panic!("{set:?} cannot be used here"),
        });
    }
}
