//! How much work something is, whatever else the machine does meanwhile.

use std::time::Duration;

/// What this thread has worked so far: its time on a processor, where the system tells it. What runs beside it takes
/// none of that.
pub fn work() -> Duration {
    // The first of three numbers, in nanoseconds.
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(since_the_first_call, Duration::from_nanos)
}

/// Elsewhere the time on the wall has to do.
fn since_the_first_call() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// What `task` works.
pub fn work_of<T>(task: impl FnOnce() -> T) -> (Duration, T) {
    let before = work();
    let result = task();
    (work().saturating_sub(before), result)
}

/// Measures a task and one that is [`TIMES`] as long, and refuses the long one unless it is about that many times the
/// work: less than three times that, where a quadratic algorithm takes eight. Too little to measure counts as 10 ms.
///
/// A machine that is shared can take a processor away without telling the system, which then counts the wait as work. So
/// the least of several measurements decides: an algorithm out of proportion is so every time.
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

/// How many times as long the large text is.
pub const TIMES: usize = 8;
