//! Tests that measure what a whole process takes, and so need a process of their own.

use std::env;
use std::process::Command;

/// Names the test that a process is for.
const VARIABLE: &str = "SHADESTEP_TEST_ALONE";

/// Runs the test called `name` in a process of its own, where no other test runs, and returns false. Returns
/// true in that process.
///
/// # Panics
/// If the test fails, or if no test has this name.
pub fn is_alone(name: &str) -> bool {
    if env::var(VARIABLE).is_ok_and(|test| test == name) {
        return true;
    }
    let mut command = Command::new(env::current_exe().expect("a test is a program"));
    let output = command.env(VARIABLE, name).args([name, "--exact"]).output().expect("started");
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
    assert!(output.status.success() && said[0].contains("1 passed"), "{}", said.concat());
    false
}
