//! What is wrong with a scene, in which file and where in it.

use shadestep_engine::source::LineColumn;
use std::fmt;

/// A scene that cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// The file at fault, as the person knows it.
    pub file: String,
    /// Place in it, where there is one.
    pub place: Option<LineColumn>,
    /// What is wrong, one sentence without a full stop.
    pub message: String,
}

impl SceneError {
    /// An error about `file` as a whole.
    pub fn new(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self { file: file.into(), place: None, message: message.into() }
    }

    /// The same at a place in the file.
    #[must_use]
    pub fn at(mut self, place: LineColumn) -> Self {
        self.place = Some(place);
        self
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(place) = self.place {
            write!(f, "{}:{}:", place.line, place.column)?;
        }
        write!(f, " {}", self.message)
    }
}

impl std::error::Error for SceneError {}
