//! The vertex cache: the set of elements that a draw uses. Each element is shaded once.
//!
//! Each element has a slot. Slots are in the order of element numbers, so neighbouring elements stay
//! neighbours.

use super::{Elements, VertexInput};
use std::ops::Range;

/// The entry at one position of a draw's list of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// An element number.
    Element(u32),
    /// A number beyond 32 bits, which is out of range of every array.
    Beyond,
}

/// The elements that a draw uses, and their slots.
#[derive(Clone, Debug)]
pub(super) enum Cache {
    /// All elements are the same, because no array differs between them: one slot for all.
    Same {
        /// Any one of the elements.
        element: u32,
        /// 1, or 0 for a draw of nothing.
        count: u32,
    },
    /// Consecutive elements.
    Dense {
        /// The element of slot 0.
        first: u32,
        count: u32,
    },
    /// The elements whose bit is set; bit 0 is element `first`.
    Ranked {
        first: u32,
        bits: Vec<u64>,
        /// For each word, the number of bits set in the words before.
        before: Vec<u32>,
        /// The element of each slot.
        elements: Vec<u32>,
    },
}

/// Number of positions in the list of elements.
pub(super) fn positions(elements: &Elements) -> usize {
    match elements {
        Elements::Range { count, .. } => *count as usize,
        Elements::Indices { indices, .. } => indices.len(),
    }
}

/// The element at a position that is not a restart.
#[inline(always)]
pub(super) fn item(elements: &Elements, position: usize) -> Item {
    match elements {
        Elements::Range { first, .. } => {
            u32::try_from(u64::from(*first) + position as u64).map_or(Item::Beyond, Item::Element)
        }
        Elements::Indices { indices, .. } => Item::Element(indices[position]),
    }
}

impl Cache {
    /// The cache of a draw whose arrays have `limit` elements; `None` if the arrays impose no limit.
    pub fn new(input: &VertexInput, limit: Option<u64>) -> Self {
        match (&input.elements, limit) {
            (Elements::Range { first, count }, None) => {
                Self::Same { element: *first, count: (*count).min(1) }
            }
            (Elements::Range { first, count }, Some(limit)) => {
                let end = (u64::from(*first) + u64::from(*count)).min(limit).min(1 << 32);
                let count = end.saturating_sub(u64::from(*first)) as u32;
                Self::Dense { first: *first, count }
            }
            (Elements::Indices { indices, restart }, None) => {
                let element = indices.iter().copied().find(|&index| Some(index) != *restart);
                Self::Same { element: element.unwrap_or(0), count: u32::from(element.is_some()) }
            }
            (Elements::Indices { indices, restart }, Some(limit)) => {
                Self::of_indices(indices, *restart, limit)
            }
        }
    }

    fn of_indices(indices: &[u32], restart: Option<u32>, limit: u64) -> Self {
        let ends = |(low, high): (u32, u32), index: u32| (low.min(index), high.max(index));
        const NONE: (u32, u32) = (u32::MAX, 0);
        // In nearly all draws every index is an element.
        let (low, high) = indices.iter().copied().fold(NONE, ends);
        if restart.is_none() && u64::from(high) < limit {
            return Self::of_used(indices.iter().copied(), indices.len(), (low, high));
        }
        let drawn = indices.iter().copied().filter(move |&index| Some(index) != restart);
        let used = drawn.filter(move |&index| u64::from(index) < limit);
        Self::of_used(used.clone(), indices.len(), used.fold(NONE, ends))
    }

    /// The cache for about `length` uses of elements in the range `low` to `high`.
    fn of_used(used: impl Iterator<Item = u32>, length: usize, (low, high): (u32, u32)) -> Self {
        if low > high {
            return Self::Dense { first: 0, count: 0 };
        }
        // At most one bit for each element of the arrays.
        let mut bits = vec![0u64; ((high - low) / 64 + 1) as usize];
        if bits.len() <= length {
            // Marking a byte needs no read, unlike marking a bit.
            let mut marks = vec![0u8; bits.len() * 64];
            for index in used {
                marks[(index - low) as usize] = 1;
            }
            for (word, marks) in bits.iter_mut().zip(marks.as_chunks::<64>().0) {
                *word = marks.iter().rev().fold(0, |word, &mark| word << 1 | u64::from(mark));
            }
        } else {
            for index in used {
                let place = index - low;
                bits[(place / 64) as usize] |= 1 << (place % 64);
            }
        }
        let count: u32 = bits.iter().map(|word| word.count_ones()).sum();
        if count == (high - low).saturating_add(1) {
            return Self::Dense { first: low, count };
        }
        let mut before = Vec::with_capacity(bits.len());
        let mut elements = Vec::with_capacity(count as usize);
        for (number, &word) in bits.iter().enumerate() {
            before.push(elements.len() as u32);
            let mut rest = word;
            while rest != 0 {
                elements.push(low + number as u32 * 64 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        Self::Ranked { first: low, bits, before, elements }
    }

    /// Number of slots.
    pub fn count(&self) -> usize {
        match self {
            Self::Same { count, .. } | Self::Dense { count, .. } => *count as usize,
            Self::Ranked { elements, .. } => elements.len(),
        }
    }

    /// The slot of an element; `None` if the element is beyond the arrays.
    #[inline]
    pub fn slot(&self, item: Item) -> Option<u32> {
        let Item::Element(element) = item else { return None };
        match self {
            Self::Same { count, .. } => (*count > 0).then_some(0),
            Self::Dense { first, count } => element.checked_sub(*first).filter(|slot| slot < count),
            Self::Ranked { first, bits, before, .. } => {
                let place = element.checked_sub(*first)?;
                let (word, bit) = ((place / 64) as usize, place % 64);
                let bits = *bits.get(word)?;
                let below = (bits & ((1 << bit) - 1)).count_ones();
                (bits >> bit & 1 != 0).then(|| before[word] + below)
            }
        }
    }

    /// The element of a slot.
    #[inline]
    fn element(&self, slot: usize) -> u32 {
        match self {
            Self::Same { element, .. } => *element,
            Self::Dense { first, .. } => first + slot as u32,
            Self::Ranked { elements, .. } => elements[slot],
        }
    }

    /// Writes the elements of consecutive slots, starting with slot `first`.
    pub fn copy_elements(&self, first: usize, out: &mut [u32]) {
        match self {
            Self::Same { element, .. } => out.fill(*element),
            Self::Dense { first: start, .. } => {
                out.iter_mut().enumerate().for_each(|(i, out)| *out = start + (first + i) as u32);
            }
            Self::Ranked { elements, .. } => out.copy_from_slice(&elements[first..first + out.len()]),
        }
    }

    /// The elements of a range of slots.
    pub fn elements(&self, slots: Range<usize>) -> impl Iterator<Item = u32> + Clone {
        slots.map(|slot| self.element(slot))
    }
}
