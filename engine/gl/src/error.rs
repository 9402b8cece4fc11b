//! The errors of commands (glspec15 2.5).

use super::enums::{self, EnumArgument};

enums::gl_enums! {
    /// The GL's error codes (table 2.3 of glspec15).
    pub enum ErrorCode {
        /// An enumerated argument is not one of those accepted.
        InvalidEnum = INVALID_ENUM,
        /// A numeric argument is out of range.
        InvalidValue = INVALID_VALUE,
        /// The command is not allowed in the current state.
        InvalidOperation = INVALID_OPERATION,
        /// A matrix or attribute stack is full.
        StackOverflow = STACK_OVERFLOW,
        /// A matrix or attribute stack has nothing left to pop.
        StackUnderflow = STACK_UNDERFLOW,
        OutOfMemory = OUT_OF_MEMORY,
    }
}

/// The reason why a command failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The GL's error.
    pub code: ErrorCode,
    /// One sentence in plain words, without a full stop.
    pub reason: String,
    /// The clause that requires the error, e.g. `NV_vertex_program 2.14.1.2`.
    pub clause: &'static str,
}

impl Error {
    pub(super) fn invalid_enum(clause: &'static str, reason: impl Into<String>) -> Self {
        Self { code: ErrorCode::InvalidEnum, reason: reason.into(), clause }
    }

    pub(super) fn invalid_value(clause: &'static str, reason: impl Into<String>) -> Self {
        Self { code: ErrorCode::InvalidValue, reason: reason.into(), clause }
    }

    pub(super) fn invalid_operation(clause: &'static str, reason: impl Into<String>) -> Self {
        Self { code: ErrorCode::InvalidOperation, reason: reason.into(), clause }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} ({})", self.code.name(), self.reason, self.clause)
    }
}

impl std::error::Error for Error {}

/// The result of a command.
pub type Result<T> = std::result::Result<T, Error>;

/// Resolves an enumerated argument: the Rust enum itself, or one of the GL's constants.
///
/// # Errors
/// `INVALID_ENUM` for a constant that is not one of `T`'s.
pub(super) fn named<T>(given: impl EnumArgument<T>, clause: &'static str, what: &str) -> Result<T> {
    given.value().ok_or_else(|| Error::invalid_enum(clause, format!("this {what} is not accepted here")))
}
