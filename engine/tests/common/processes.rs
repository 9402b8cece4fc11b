//! Repeats tests in processes of their own, each with another instruction set.

use std::env;
use std::process::Command;

use shadestep_engine::processor::{Cpu, VARIABLE};

/// Runs the tests whose names contain `tests` again with each instruction set below this processor's best,
/// which this process uses. Does nothing if the environment already selects a set.
///
/// # Panics
/// If a test fails.
pub fn again_with_other_processors(tests: &str) {
    if env::var_os(VARIABLE).is_some() {
        return;
    }
    let program = env::current_exe().expect("a test is a program");
    for cpu in Cpu::ALL.into_iter().filter(|cpu| *cpu < Cpu::of_machine()) {
        let output = Command::new(&program).env(VARIABLE, cpu.name()).arg(tests).output().expect("started");
        let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
        assert!(output.status.success(), "{cpu}: {}", said.concat());
    }
}
