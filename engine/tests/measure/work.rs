//! Measures work independently of the load on the machine.

use std::time::Duration;

/// Processor time of this thread, if the system reports it. Other threads and processes do not add to this
/// time.
pub fn work() -> Duration {
    // The first of three numbers is the processor time in nanoseconds.
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(since_the_first_call, Duration::from_nanos)
}

/// Wall-clock time, on systems that do not report processor time.
fn since_the_first_call() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Runs `task` and returns its work and its result.
pub fn work_of<T>(task: impl FnOnce() -> T) -> (Duration, T) {
    let before = work();
    let result = task();
    (work().saturating_sub(before), result)
}

/// Asserts that work grows in proportion to the size. `measure` returns the work of a task and of another
/// that is [`TIMES`] as long. The large task may take less than three times the expected work, while a
/// quadratic algorithm takes eight times. Work below 10 ms counts as 10 ms.
///
/// A shared machine can take the processor away without the system's knowledge, and the wait then counts as
/// work. So the minimum of several measurements decides.
#[track_caller]
pub fn assert_in_proportion(what: &str, mut measure: impl FnMut() -> (Duration, Duration)) {
    const MEASUREMENTS: usize = 5;
    let (mut small, mut large) = (Duration::MAX, Duration::MAX);
    for _ in 0..MEASUREMENTS {
        let (of_small, of_large) = measure();
        (small, large) = (small.min(of_small), large.min(of_large));
        if large <= 3 * TIMES as u32 * small.max(Duration::from_millis(10)) {
            return;
        }
    }
    panic!("{what}: {large:?} for {TIMES} times what took {small:?}");
}

/// The large task's length divided by the small task's.
pub const TIMES: usize = 8;
