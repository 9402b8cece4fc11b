//! Vector instructions: the trait [`Simd`], and one instance for each instruction set.
//!
//! Each function is one IEEE operation per lane, a selection or a conversion. So all instances are
//! bit-identical.

/// Implements operators that are one instruction each.
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
macro_rules! operators {
    ($type:ty: $($trait:ident $name:ident $instruction:ident;)+) => {
        $(impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                // SAFETY: only `dispatch` chooses this instance, so the processor has the instruction.
                Self(unsafe { $instruction(self.0, other.0) })
            }
        })+
    };
}

/// Implements functions that are a few instructions each.
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
macro_rules! instructions {
    ($(fn $name:ident($($argument:ident: $type:ty),+) -> $result:ident = $call:expr;)+) => {
        $(#[inline(always)]
        fn $name($($argument: $type),+) -> $result {
            $(let $argument = $argument.0;)+
            // SAFETY: only `dispatch` chooses this instance, so the processor has the instructions.
            $result(unsafe { $call })
        })+
    };
}

#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
mod avx512;
mod dispatch;
mod elements;
mod memory;
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
mod pair;
mod portable;
mod transpose;

pub use dispatch::{Level, Task, widest};
pub use elements::Elements;
pub use memory::{LINE, Plain, prefetch, settle, stream};
pub use portable::Portable;
pub use transpose::transposed;

#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
use avx2::Avx2;
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
use avx512::Avx512;
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
use pair::Pair;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

/// Operations of one instruction set. Only [`dispatch`] chooses an instance, and only for a processor that
/// has the instructions. Callers must be `inline(always)` into a [`Task`] that [`Self::compiled`] runs, or
/// each operation is a call.
pub trait Simd: Copy {
    /// Runs `task`, compiled for this instruction set.
    #[inline]
    fn compiled(task: impl Task) {
        Self::compiled_as::<Self>(task);
    }

    /// Runs `task` with the type `S`, compiled for this instruction set.
    fn compiled_as<S: Simd>(task: impl Task);

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
    /// Computes a function of vectors that treats each lane by itself. Its values stay in registers.
    #[inline(always)]
    fn lanewise<const N: usize>(
        function: impl Lanewise<N>,
        ints: [Self::I; N],
        masks: [Self::M; N],
        floats: [Self::F; 3],
    ) -> [Self::F; 4] {
        function.compute::<Self>(ints, masks, floats)
    }

    /// Bit i is set if value i is negative, for 4 or 16 values.
    fn movemask<const N: usize>(values: [i32; N]) -> u16;

    /// `new` where a bit is set, otherwise `old`, for 4 or 16 lanes.
    fn choose<const N: usize>(bits: u16, new: &[f32; N], old: &[f32; N]) -> [f32; N];

    /// Bit i is set if lane i is true, for 4 or 16 lanes.
    #[inline(always)]
    fn lane_mask<const N: usize>(lanes: [bool; N]) -> u16 {
        let mut signs = [0; N];
        for (sign, lane) in signs.iter_mut().zip(lanes) {
            *sign = -i32::from(lane);
        }
        Self::movemask(signs)
    }
}

/// A function of vectors that treats each lane by itself.
pub trait Lanewise<const N: usize> {
    /// The results in the lanes of `S`.
    fn compute<S: Simd>(&self, ints: [S::I; N], masks: [S::M; N], floats: [S::F; 3]) -> [S::F; 4];
}

/// 1/255 as the sum of two fp32 numbers.
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
const RECIPROCAL_OF_255: [f32; 2] = {
    let high = 1.0_f32 / 255.0;
    [high, (1.0 / 255.0 - high as f64) as f32]
};

/// The indices of the set bits, lowest first.
#[inline(always)]
pub fn ones(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (bit < u64::BITS).then_some(bit as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::{Level, Simd, Task};
    use crate::processor::on_each;

    /// Checks all masks.
    struct MasksNameLanes;

    impl Task for MasksNameLanes {
        fn run<S: Simd>(self) {
            for mask in 0..=u16::MAX {
                for [inside, outside] in [[0, -1], [i32::MAX, i32::MIN], [1, -70_000]] {
                    let values =
                        std::array::from_fn(|lane| if mask >> lane & 1 != 0 { outside } else { inside });
                    assert_eq!(S::movemask::<16>(values), mask);
                    let [a, b, c, d] = [values[0], values[1], values[2], values[3]];
                    assert_eq!(S::movemask([a, b, c, d]), mask & 15);
                }
                let new: [f32; 16] = std::array::from_fn(|lane| lane as f32);
                let old = new.map(|new| new + 16.0);
                let expected: [f32; 16] =
                    std::array::from_fn(|lane| if mask >> lane & 1 != 0 { new[lane] } else { old[lane] });
                assert_eq!(S::choose(mask, &new, &old), expected);
                let [new, old, expected] = [new, old, expected].map(|[a, b, c, d, ..]| [a, b, c, d]);
                assert_eq!(S::choose(mask & 15, &new, &old), expected);
            }
        }
    }

    #[test]
    fn masks_name_lanes_whatever_the_processor_has() {
        on_each(|set| Level::of(set).expect("a usable level").choose(MasksNameLanes));
    }

    /// Compares `div_255` with a division, for all bytes and for blends of bytes, down to values that are
    /// flushed.
    struct Divides;

    impl Task for Divides {
        fn run<S: Simd>(self) {
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
                        _ => {
                            f32::MIN_POSITIVE * 255.0 * (1.0 + (bits % 4096) as f32 / 8_388_608.0 - 0.000_244)
                        }
                    }
                });
                for at in (0..16).step_by(S::LANES) {
                    let mut quotients = [0.0; 16];
                    S::store(S::flush(S::div_255(S::load(&values, at))), &mut quotients, at);
                    for lane in at..at + S::LANES {
                        let expected = shadestep_language::num::fp32::flush(values[lane] / 255.0);
                        assert_eq!(quotients[lane].to_bits(), expected.to_bits(), "{:e}", values[lane]);
                    }
                    S::store(S::bytes_div_255(S::load(&values, at)), &mut quotients, at);
                    for lane in
                        (at..at + S::LANES).filter(|&lane| values[lane] == 0.0 || values[lane] > 1e-27)
                    {
                        let expected = values[lane] / 255.0;
                        assert_eq!(quotients[lane].to_bits(), expected.to_bits(), "{:e}", values[lane]);
                    }
                }
            }
        }
    }

    #[test]
    fn bytes_are_divided_exactly() {
        on_each(|set| Level::of(set).expect("a usable level").choose(Divides));
    }
}
