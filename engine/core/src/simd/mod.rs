//! Vector instructions: the trait [`Simd`], and one instance for each instruction set.
//!
//! Each function is one IEEE operation per lane, a selection or a conversion. So all instances are
//! bit-identical.

#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
mod avx512;
mod dispatch;
mod memory;
mod portable;
mod transpose;

pub use dispatch::{Task, widest};
pub use memory::{LINE, Plain, prefetch, settle, stream};
pub use portable::Portable;
pub use transpose::transposed;

#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
use avx2::Avx2;
#[cfg(all(target_arch = "x86_64", not(fuzzing)))]
use avx512::Avx512;

/// Operations of one instruction set. Only [`dispatch`] chooses an instance, and only for a processor that has
/// the instructions. Callers must be `inline(always)` into a [`Task`] that [`Self::compiled`] runs, or each
/// operation is a call.
pub trait Simd: Copy {
    /// Runs `task`, compiled for this instruction set.
    fn compiled(task: impl Task) {
        Self::compiled_as::<Self>(task);
    }

    /// Runs `task` with the type `S`, compiled for this instruction set.
    fn compiled_as<S: Simd>(task: impl Task);

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
    use super::dispatch::Level;
    use super::{Simd, Task};
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
}
