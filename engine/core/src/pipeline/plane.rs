//! A plane of the framebuffer (colours, depths, ...): a slice that begins at a cache line, so that tiles can
//! write whole lines.

use crate::simd::LINE;
use std::ops::{Deref, DerefMut};

/// The numbers of all pixels. The length is fixed. If rows also begin at a cache line, tiles write whole
/// lines.
#[derive(Debug)]
pub struct Plane<T> {
    /// The numbers, after up to one cache line of padding. Never reallocated, because that would lose the
    /// alignment.
    values: Vec<T>,
    /// Index of the first number.
    start: usize,
}

impl<T: Copy> Plane<T> {
    /// `count` copies of `value`. Aborts like a vector if memory allocation fails.
    pub(super) fn of(count: usize, value: T) -> Self {
        Self::filled(count, value).unwrap_or_else(|| Self { values: vec![value; count], start: 0 })
    }

    /// `count` copies of `value`; `None` if memory allocation fails.
    pub(super) fn filled(count: usize, value: T) -> Option<Self> {
        let spare = LINE / size_of::<T>();
        let mut values = Vec::new();
        values.try_reserve_exact(count + spare).ok()?;
        values.resize(count + spare, value);
        let start = values.as_ptr().align_offset(LINE).min(spare);
        values.truncate(start + count);
        Some(Self { values, start })
    }
}

impl<T> Deref for Plane<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.values[self.start..]
    }
}

impl<T> DerefMut for Plane<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values[self.start..]
    }
}

impl<T: Copy> Clone for Plane<T> {
    fn clone(&self) -> Self {
        let copy = self.first().and_then(|value| Self::filled(self.len(), *value));
        match copy {
            Some(mut copy) => {
                copy.copy_from_slice(self);
                copy
            }
            // Aborts like a vector if memory allocation fails.
            None => Self { values: self.to_vec(), start: 0 },
        }
    }
}

impl<T: PartialEq> PartialEq for Plane<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<'a, T> IntoIterator for &'a Plane<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Plane<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_and_their_copies_begin_with_a_line() {
        for count in [0, 1, 7, 1000] {
            let mut plane = Plane::filled(count, 3u8).unwrap();
            plane.iter_mut().enumerate().for_each(|(n, value)| *value = n as u8);
            let copy = plane.clone();
            assert_eq!((plane.len(), copy.len()), (count, count));
            assert_eq!(plane, copy);
            for plane in [plane, copy] {
                assert!(count == 0 || plane.as_ptr().align_offset(LINE) == 0);
            }
        }
    }
}
