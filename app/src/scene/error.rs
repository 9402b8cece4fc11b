//! Errors of a scene, with their file and their place in it.

use crate::codes;
use shadestep_engine::diag::{Code, Fix};
use shadestep_engine::source::{LineColumn, Span};
use std::fmt;

/// A scene that cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// The name of the file, as shown to the user.
    pub file: String,
    /// The place in the file; `None` if the error is about the whole file.
    pub place: Option<LineColumn>,
    /// The bytes at the place.
    pub span: Option<Span>,
    /// The error in one sentence, without a full stop.
    pub message: String,
    /// The rule that the scene breaks, if the error is about a specification.
    pub rule: Option<&'static SceneRule>,
    /// An edit of the text that corrects the error, if there is one.
    pub fix: Option<Box<Fix>>,
}

/// A rule of a specification that a scene breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneRule {
    /// The code of the diagnostic.
    pub code: Code,
    /// The advice to the user.
    pub note: &'static str,
}

impl SceneError {
    /// An error about `file` as a whole.
    pub fn new(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self { file: file.into(), place: None, span: None, message: message.into(), rule: None, fix: None }
    }

    /// Whether the file cannot be read at all.
    pub fn is_about_whole_file(&self) -> bool {
        self.place.is_none()
    }

    /// The code of the rule that the scene breaks, or a general code.
    pub fn code(&self) -> Code {
        match self.rule {
            Some(rule) => rule.code,
            None if self.is_about_whole_file() => codes::FILE,
            None => codes::SCENE,
        }
    }

    /// Places the error at the start of a line, counted from 1.
    #[must_use]
    pub fn at_line(mut self, line: usize) -> Self {
        self.place = Some(LineColumn { line, column: 1 });
        self
    }

    /// Adds the rule that the scene breaks.
    #[must_use]
    pub const fn by(mut self, rule: &'static SceneRule) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Adds an edit of the text that corrects the error.
    #[must_use]
    pub fn with_fix(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix.map(Box::new);
        self
    }

    /// Places the error.
    #[must_use]
    pub fn at(mut self, span: Span, place: LineColumn) -> Self {
        self.place = Some(place);
        self.span = Some(span);
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
