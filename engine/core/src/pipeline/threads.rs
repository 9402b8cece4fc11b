//! The pool of threads that draw, with a pool of reusable vectors.

use super::{Elements, elements};
use rayon::prelude::*;
use std::any::Any;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A pool of drawing threads. Pictures do not depend on the number of threads.
#[derive(Debug)]
pub struct Threads {
    /// The thread pool; `None` if everything runs on the caller's thread.
    pool: Option<rayon::ThreadPool>,
    spare: Spare,
}

/// Vectors for reuse. Allocating large vectors for each frame costs more time than filling them.
#[derive(Debug, Default)]
struct Spare(Mutex<Vec<SpareVector>>);

/// The size of a vector in bytes, and the vector.
type SpareVector = (usize, Box<dyn Any + Send>);

impl Spare {
    /// Vectors smaller than `SMALL` bytes are not kept. Kept vectors take at most `MOST` bytes together.
    const SMALL: usize = 1 << 16;
    const MOST: usize = 1 << 27;

    fn list(&self) -> MutexGuard<'_, Vec<SpareVector>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the smallest vector with room for `count` elements. If there is none, drops the largest vector
    /// and returns a new one.
    fn take<T: Send + 'static>(&self, count: usize) -> Vec<T> {
        let wanted = count * size_of::<T>();
        if wanted < Self::SMALL {
            return Vec::new();
        }
        let mut list = self.list();
        let fitting = list.iter().enumerate().filter(|(_, (_, vector))| vector.is::<Vec<T>>());
        let best = fitting.min_by_key(|(_, (bytes, _))| (*bytes < wanted, bytes.abs_diff(wanted)));
        let best = best.map(|(place, _)| place);
        let taken = best.map(|place| list.swap_remove(place)).filter(|(bytes, _)| *bytes >= wanted);
        taken.and_then(|(_, vector)| vector.downcast().ok()).map_or_else(Vec::new, |vector| *vector)
    }

    fn give<T: Send + 'static>(&self, vector: Vec<T>) {
        let bytes = vector.capacity() * size_of::<T>();
        let mut list = self.list();
        if bytes >= Self::SMALL && bytes + list.iter().map(|(bytes, _)| bytes).sum::<usize>() <= Self::MOST {
            list.push((bytes, Box::new(vector)));
        }
    }
}

impl Threads {
    /// A pool of `count` threads; with `None`, as many as the machine runs at once. The caller's thread does
    /// the work if the count is 1 or the system refuses to start threads.
    pub fn new(count: Option<usize>) -> Self {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        let count = count.unwrap_or_else(available).clamp(1, Self::MAX);
        let builder = rayon::ThreadPoolBuilder::new().num_threads(count);
        let builder = builder.thread_name(|index| format!("draw {index}"));
        Self { pool: if count == 1 { None } else { builder.build().ok() }, spare: Spare::default() }
    }

    /// A pool for a single query of a draw with these elements. Uses all processors if the draw is large
    /// enough to justify starting threads.
    pub(super) fn for_elements(drawn: &Elements) -> Self {
        Self::new(if elements::positions(drawn) < Self::FEW { Some(1) } else { None })
    }

    /// Draws with fewer elements are shaded faster than threads start.
    const FEW: usize = 1 << 14;

    /// Maximum number of threads.
    pub const MAX: usize = 256;

    /// Number of threads.
    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// A vector of `count` elements with unspecified values.
    pub(super) fn vector<T: Copy + Default + Send + 'static>(&self, count: usize) -> Vec<T> {
        let mut vector = self.spare.take(count);
        vector.resize(count, T::default());
        vector
    }

    /// An empty vector with a capacity of at least `count`, reused if possible.
    pub(super) fn empty<T: Send + 'static>(&self, count: usize) -> Vec<T> {
        let mut vector = self.spare.take(count);
        vector.clear();
        vector.reserve(count);
        vector
    }

    /// Keeps the memory of a vector for reuse.
    pub(super) fn recycle<T: Send + 'static>(&self, vector: Vec<T>) {
        self.spare.give(vector);
    }

    /// Calls `f` on every item, in any order.
    pub(super) fn each<T: Send>(&self, items: Vec<T>, f: impl Fn(T) + Sync) {
        match &self.pool {
            Some(pool) => pool.install(|| items.into_par_iter().with_max_len(1).for_each(&f)),
            None => items.into_iter().for_each(f),
        }
    }

    /// Maps every item with `f`. Results are in the order of the items.
    pub(super) fn map<T: Send, U: Send>(&self, items: Vec<T>, f: impl Fn(T) -> U + Sync) -> Vec<U> {
        match &self.pool {
            Some(pool) => pool.install(|| items.into_par_iter().with_max_len(1).map(&f).collect()),
            None => items.into_iter().map(f).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_vectors_are_used_again_for_what_they_have_room_for() {
        let threads = Threads::new(Some(1));
        let address = |vector: &Vec<u32>| vector.as_ptr().addr();
        let (first, second) = (threads.vector::<u32>(1 << 20), threads.vector::<u32>(1 << 18));
        let [large, middle] = [&first, &second].map(address);
        threads.recycle(first);
        threads.recycle(second);
        // A vector of another type, and a small vector, for which nothing is reused.
        threads.recycle(vec![0.0_f32; 1 << 18]);
        let small = threads.vector::<u32>(16);
        assert!(small.len() == 16 && ![large, middle].contains(&address(&small)));
        let (fitting, other) = (threads.vector::<u32>(1 << 17), threads.vector::<u32>(1 << 19));
        assert_eq!([&fitting, &other].map(address), [middle, large]);
        assert_eq!([fitting.len(), other.len()], [1 << 17, 1 << 19]);
        let mut empty = threads.empty::<u32>(1 << 18);
        assert!(empty.is_empty() && empty.capacity() >= 1 << 18);
        empty.push(1);
    }

    #[test]
    fn no_more_memory_is_kept_than_there_may_be() {
        let threads = Threads::new(Some(1));
        for _ in 0..3 {
            threads.recycle(Vec::<u8>::with_capacity(Spare::MOST / 2));
        }
        assert_eq!(threads.spare.list().len(), 2);
        // Vectors that are too small are dropped.
        let _new = threads.empty::<u8>(Spare::MOST);
        assert_eq!(threads.spare.list().len(), 1);
    }
}
