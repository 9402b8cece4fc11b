//! An allocator that counts allocated bytes and their peak, for tests that measure memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

struct Counting;

/// Bytes allocated now, less those allocated before the count began.
pub static NOW: AtomicIsize = AtomicIsize::new(0);
/// The highest value of [`NOW`] since a test last set this counter.
pub static MOST: AtomicIsize = AtomicIsize::new(0);

static COUNTS: AtomicBool = AtomicBool::new(false);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Calls [`is_alone`](super::alone::is_alone), and counts from then on in the process of the test.
pub fn is_alone_and_counts(name: &str) -> bool {
    let alone = super::alone::is_alone(name);
    COUNTS.store(alone, Relaxed);
    alone
}

/// The peak of memory during `work`, above the memory before it.
pub fn most<T>(work: impl FnOnce() -> T) -> (isize, T) {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    let result = work();
    (MOST.load(Relaxed) - before, result)
}

fn count(bytes: isize) {
    if COUNTS.load(Relaxed) {
        let now = NOW.fetch_add(bytes, Relaxed) + bytes;
        MOST.fetch_max(now, Relaxed);
    }
}

#[expect(unsafe_code, reason = "an allocator is unsafe; this one only counts what the system's gives")]
// SAFETY: every call passes its arguments on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}
