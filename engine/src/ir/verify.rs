//! Checks that a program is one the executors can run.

use super::Program;

/// What a program breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// Index of the instruction at fault.
    pub instruction: usize,
    /// What is wrong.
    pub message: String,
}

/// Checks `program`.
pub fn verify(_program: &Program) -> Result<(), VerifyError> {
    Ok(())
}
