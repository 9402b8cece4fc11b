//! Where the command line opens the app.

use std::fmt;

/// Why the app's window could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchError {
    /// There is no display to open a window on; the system's own words.
    NoDisplay(String),
    /// Something else.
    Failed(String),
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDisplay(words) => write!(
                f,
                "there is no display to open the app on ({words}); `shadestep check`, `render`, `trace`, `isa` and `bench` need none"
            ),
            Self::Failed(words) => write!(f, "the app could not start: {words}"),
        }
    }
}

impl std::error::Error for LaunchError {}

/// Opens the app on `target` (see [`crate::scene::open`]), or on the first sample, and returns when its
/// window closes.
///
/// # Errors
/// See [`LaunchError`].
pub fn run(target: Option<&str>) -> Result<(), LaunchError> {
    let _ = target;
    Err(LaunchError::Failed("this build has no window".to_owned()))
}
