//! Tests that measure what a whole process takes, and so need a process of their own.

use std::env;
use std::process::Command;
use std::sync::Mutex;

/// Held while a test runs alone. Measured work would otherwise include that of another such test, on systems
/// that report no processor time.
static TURN: Mutex<()> = Mutex::new(());

/// Names the test that a process is for.
const VARIABLE: &str = "SHADESTEP_TEST_ALONE";

/// Runs this program of tests again, with `arguments` and an environment variable. Returns its output, and
/// whether it succeeded.
///
/// # Panics
/// If the program does not start.
pub fn again(arguments: &[&str], (variable, value): (&str, &str)) -> (bool, String) {
    let mut command = Command::new(env::current_exe().expect("a test is a program"));
    let output = command.args(arguments).env(variable, value).output().expect("started");
    let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
    (output.status.success(), said.concat())
}

/// Runs the test called `name` in a process of its own, where no other test runs, and returns false. Returns
/// true in that process. Such tests of a program run one after the other.
///
/// # Panics
/// If the test fails, or if no test has this name.
pub fn is_alone(name: &str) -> bool {
    if env::var(VARIABLE).is_ok_and(|test| test == name) {
        return true;
    }
    let turn = TURN.lock();
    let (passed, said) = again(&[name, "--exact"], (VARIABLE, name));
    drop(turn);
    assert!(passed && said.contains("1 passed"), "{said}");
    false
}
