//! Loops over the lanes of a 64-bit mask.
//!
//! The loops process half a mask at a time with a table of bits, which the Rust compiler vectorises on any
//! processor. A shift by the lane's number would run lane by lane.

use crate::exec::block::LANES;
use crate::simd::{Portable, Simd};

/// Number of lanes in half a mask.
const HALF: usize = LANES / 2;

/// The bit of each lane in its half.
const BITS: [u32; HALF] = {
    let mut bits = [0; HALF];
    let mut lane = 0;
    while lane < HALF {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// A mask of lanes whose value passes.
#[inline(always)]
pub fn passing<T: Copy>(values: &[T; LANES], passes: impl Fn(T) -> bool) -> u64 {
    let (parts, _) = values.as_chunks();
    let masks =
        parts.iter().map(|part: &[T; 16]| Portable::movemask(part.map(|value| -i32::from(passes(value)))));
    masks.enumerate().fold(0, |mask, (part, bits)| mask | u64::from(bits) << (16 * part))
}

/// Replaces every value by the result of `change`, which gets the value and whether the lane is in `lanes`.
#[inline(always)]
pub fn change<T: Copy>(values: &mut [T; LANES], lanes: u64, change: impl Fn(T, bool) -> T) {
    let (low, high) = values.split_at_mut(HALF);
    for (values, mask) in [(low, lanes as u32), (high, (lanes >> HALF) as u32)] {
        for (value, &bit) in values.iter_mut().zip(&BITS) {
            *value = change(*value, mask & bit != 0);
        }
    }
}

/// Sets the values of `lanes`.
#[inline(always)]
pub fn set<T: Copy>(values: &mut [T; LANES], lanes: u64, new: T) {
    change(values, lanes, |old, here| if here { new } else { old });
}

/// A value for each lane, stored once for all lanes that share it. Most programs have only one value.
#[derive(Clone, Debug)]
pub struct Shared<T>(Vec<(T, u64)>);

impl<T: Copy + PartialEq> Shared<T> {
    /// No lane has a value.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Sets the value of `lanes`.
    pub fn set(&mut self, lanes: u64, value: T) {
        self.remove(lanes);
        match self.0.iter_mut().find(|(other, _)| *other == value) {
            Some((_, of)) => *of |= lanes,
            None => self.0.push((value, lanes)),
        }
    }

    /// Removes the values of `lanes`.
    pub fn remove(&mut self, lanes: u64) {
        self.0.retain_mut(|(_, of)| {
            *of &= !lanes;
            *of != 0
        });
    }

    /// The values of `lanes`, each with a mask of its lanes.
    pub fn of(&self, lanes: u64) -> impl Iterator<Item = (T, u64)> {
        self.0.iter().map(move |&(value, of)| (value, of & lanes)).filter(|&(_, of)| of != 0)
    }

    /// Replaces the values of `lanes` by the results of `change`.
    pub fn change(&mut self, lanes: u64, change: impl Fn(T) -> T) {
        let mut parted = Vec::new();
        for (value, of) in &mut self.0 {
            match *of & lanes {
                0 => {}
                all if all == *of => *value = change(*value),
                some => parted.push((*value, some)),
            }
        }
        for (value, some) in parted {
            self.set(some, change(value));
        }
    }
}

/// A depth counter for each lane: plane d has a bit for each lane deeper than d. A step of many lanes takes a
/// few operations on whole masks. The number of planes is the largest depth.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Depths(Vec<u64>);

impl Clone for Depths {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl Depths {
    /// All lanes at depth 0.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Sets all lanes to depth 0.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The largest depth.
    pub const fn deepest(&self) -> usize {
        self.0.len()
    }

    /// The lanes at exactly this depth.
    pub fn at(&self, depth: usize) -> u64 {
        self.beyond(depth.checked_sub(1)) & !self.beyond(Some(depth))
    }

    /// The lanes deeper than `depth`; all lanes for `None`.
    pub fn beyond(&self, depth: Option<usize>) -> u64 {
        depth.map_or(u64::MAX, |depth| self.0.get(depth).copied().unwrap_or(0))
    }

    /// Increments the depth of `lanes`.
    pub fn descend(&mut self, lanes: u64) {
        let deepest = lanes & self.beyond(self.0.len().checked_sub(1));
        for depth in (0..self.0.len()).rev() {
            self.0[depth] |= lanes & self.beyond(depth.checked_sub(1));
        }
        if deepest != 0 {
            self.0.push(deepest);
        }
    }

    /// Decrements the depth of `lanes`, but not below 0.
    pub fn ascend(&mut self, lanes: u64) {
        for depth in 0..self.0.len() {
            self.0[depth] &= !lanes | self.beyond(Some(depth + 1));
        }
        self.trim();
    }

    /// Sets the depth of `lanes` to the depth in `other`.
    pub fn set(&mut self, lanes: u64, other: &Self) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        for (depth, plane) in self.0.iter_mut().enumerate() {
            *plane = *plane & !lanes | other.beyond(Some(depth)) & lanes;
        }
        self.trim();
    }

    /// Reduces the depth of `lanes` to at most the depth in `other`.
    pub fn limit(&mut self, lanes: u64, other: &Self) {
        for (depth, plane) in self.0.iter_mut().enumerate() {
            *plane &= !lanes | other.beyond(Some(depth));
        }
        self.trim();
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::ones;

    #[test]
    fn depths_count_each_lane() {
        // Compares with one counter for each lane. Some steps leave lanes unchanged.
        let mut depths = Depths::default();
        let mut counts = [0usize; LANES];
        let steps = [(0x5555_F0F0_1234_FFFF, true), (0x0F0F_FFFF_0000_8001, true), (u64::MAX, true)];
        let back = [(0x00FF_00FF_FFFF_0001, false), (0x8000_0000_0000_0001, true), (u64::MAX, false)];
        for (lanes, down) in steps.into_iter().chain(back) {
            for lane in ones(lanes) {
                counts[lane] = if down { counts[lane] + 1 } else { counts[lane].saturating_sub(1) };
            }
            if down {
                depths.descend(lanes)
            } else {
                depths.ascend(lanes)
            }
            assert_eq!(Some(depths.deepest()), counts.into_iter().max());
            for depth in 0..=5 {
                assert_eq!(depths.at(depth), passing(&counts, |count| count == depth));
            }
        }
    }

    #[test]
    fn shared_values_are_each_lanes_own() {
        let mut shared = Shared::new();
        let mut values = [None; LANES];
        let steps = [
            (u64::MAX, 9),
            (0x00FF_00FF_FFFF_0001, 4),
            (0x5555_F0F0_1234_FFFF, 4),
            (0x8000_0000_0000_0003, 7),
        ];
        for (lanes, value) in steps {
            shared.set(lanes, value);
            ones(lanes).for_each(|lane| values[lane] = Some(value));
            shared.change(lanes.rotate_left(9), |value| value + 1);
            ones(lanes.rotate_left(9)).for_each(|lane| values[lane] = values[lane].map(|value| value + 1));
            shared.remove(lanes >> 60);
            ones(lanes >> 60).for_each(|lane| values[lane] = None);
            for (lane, value) in values.into_iter().enumerate() {
                assert_eq!(shared.of(1 << lane).next(), value.map(|value| (value, 1 << lane)));
            }
        }
    }

    #[test]
    fn masks_reach_every_lane() {
        for lane in 0..LANES {
            let mut values = [0u8; LANES];
            set(&mut values, 1 << lane, 7);
            assert_eq!(values.iter().position(|&value| value == 7), Some(lane));
            assert_eq!(passing(&values, |value| value == 7), 1 << lane);
            assert_eq!(ones(1 << lane).collect::<Vec<_>>(), [lane]);
        }
    }
}
