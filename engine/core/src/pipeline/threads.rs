//! The threads that draw.

use super::{Elements, elements};
use rayon::prelude::*;
use std::any::Any;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A pool of drawing threads. Pictures do not depend on how many there are.
#[derive(Debug)]
pub struct Threads {
    /// `None`: everything runs on the caller's thread.
    pool: Option<rayon::ThreadPool>,
    spare: Spare,
}

/// Vectors that were used before. Large ones that are asked of the system again for each frame cost more than what is done with them.
#[derive(Debug, Default)]
struct Spare(Mutex<Vec<SpareVector>>);

/// The bytes that a vector takes, and the vector.
type SpareVector = (usize, Box<dyn Any + Send>);

impl Spare {
    /// Bytes of a vector that the system is not asked for by itself, and of all that are kept.
    const SMALL: usize = 1 << 16;
    const MOST: usize = 1 << 27;

    fn list(&self) -> MutexGuard<'_, Vec<SpareVector>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The smallest that has room for so many. If none has, the largest makes way for a new one.
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
    /// `count` threads, or as many as the machine runs at once. Where the system refuses to start
    /// threads, and for a count of 1, the caller's thread does the work.
    pub fn new(count: Option<usize>) -> Self {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        let count = count.unwrap_or_else(available).clamp(1, Self::MAX);
        let builder = rayon::ThreadPoolBuilder::new().num_threads(count);
        let builder = builder.thread_name(|index| format!("draw {index}"));
        Self { pool: if count == 1 { None } else { builder.build().ok() }, spare: Spare::default() }
    }

    /// For one look at a draw of these elements: as many as the machine runs at once if that pays for
    /// starting them.
    pub(super) fn for_elements(drawn: &Elements) -> Self {
        Self::new(if elements::positions(drawn) < Self::FEW { Some(1) } else { None })
    }

    /// Fewer elements than this are shaded sooner than threads are started.
    const FEW: usize = 1 << 14;

    /// Most threads that are ever started.
    pub const MAX: usize = 256;

    /// How many threads draw.
    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// So many values, whatever they are.
    pub(super) fn vector<T: Copy + Default + Send + 'static>(&self, count: usize) -> Vec<T> {
        let mut vector = self.spare.take(count);
        vector.resize(count, T::default());
        vector
    }

    /// An empty vector, with room for so many if one was used before.
    pub(super) fn empty<T: Send + 'static>(&self, count: usize) -> Vec<T> {
        let mut vector = self.spare.take(count);
        vector.clear();
        vector.reserve(count);
        vector
    }

    /// Keeps the memory of a vector for the next one.
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

    /// `f` of every item, in the items' order.
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
        // One of another type, and a small one, for which there is nothing.
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
        // What is too small makes way.
        let _new = threads.empty::<u8>(Spare::MOST);
        assert_eq!(threads.spare.list().len(), 1);
    }
}
