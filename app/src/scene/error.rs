//! What is wrong with a scene, in which file and where in it.

use shadestep_engine::diag::{Code, Fix};
use shadestep_engine::source::{LineColumn, Span};
use std::fmt;

/// A scene that cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// The file at fault, as the person knows it.
    pub file: String,
    /// Place in it, where there is one.
    pub place: Option<LineColumn>,
    /// The bytes there.
    pub span: Option<Span>,
    /// What is wrong, one sentence without a full stop.
    pub message: String,
    /// The rule of a specification behind it, if it is about one.
    pub rule: Option<&'static SceneRule>,
    /// A change of the text that corrects it, if there is one.
    pub fix: Option<Box<Fix>>,
}

/// A rule of a specification that a scene does not keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneRule {
    /// The kind of fault.
    pub code: Code,
    /// What to do.
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

    /// The same at the start of a line of the file, from 1.
    #[must_use]
    pub fn at_line(mut self, line: usize) -> Self {
        self.place = Some(LineColumn { line, column: 1 });
        self
    }

    /// The same with the rule behind it.
    #[must_use]
    pub const fn by(mut self, rule: &'static SceneRule) -> Self {
        self.rule = Some(rule);
        self
    }

    /// The same with a change of the text that corrects it.
    #[must_use]
    pub fn with_fix(mut self, fix: Option<Fix>) -> Self {
        self.fix = fix.map(Box::new);
        self
    }

    /// The same at a place in the file.
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
