//! The threads that draw.

use super::{Elements, elements};
use rayon::prelude::*;

/// A pool of drawing threads. Pictures do not depend on how many there are.
#[derive(Debug)]
pub struct Threads {
    /// `None`: everything runs on the caller's thread.
    pool: Option<rayon::ThreadPool>,
}

impl Threads {
    /// `count` threads, or as many as the machine runs at once. Where the system refuses to start
    /// threads, and for a count of 1, the caller's thread does the work.
    pub fn new(count: Option<usize>) -> Self {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        let count = count.unwrap_or_else(available).clamp(1, Self::MAX);
        let builder = rayon::ThreadPoolBuilder::new().num_threads(count);
        let builder = builder.thread_name(|index| format!("draw {index}"));
        Self { pool: if count == 1 { None } else { builder.build().ok() } }
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
