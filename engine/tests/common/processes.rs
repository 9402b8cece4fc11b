//! Repeats tests in processes of their own, each with another instruction set and back end.

use crate::measure::alone::again;
use std::env;

use shadestep_engine::processor::{Cpu, VARIABLE};

/// Runs the tests whose names contain `tests` again with each [`Cpu`] that is available and wanted, other
/// than this processor's best, which this process uses. Does nothing if the environment already names one.
///
/// # Panics
/// If a test fails, or if no test has such a name.
pub fn again_with_other_processors(tests: &str, is_wanted: impl Fn(Cpu) -> bool) {
    if env::var_os(VARIABLE).is_some() {
        return;
    }
    for cpu in Cpu::available().filter(|cpu| *cpu != Cpu::of_machine() && is_wanted(*cpu)) {
        let (passed, said) = again(&[tests], (VARIABLE, cpu.name()));
        assert!(passed && !said.contains(" 0 passed"), "{cpu}: {said}");
    }
}
