//! An error or a warning with its places, ready for every output format.

use crate::codes;
use crate::scene::SceneError;
use shadestep_engine::diag::{self, Code, Diagnostic, Severity};
use shadestep_engine::source::{LineColumn, LineIndex, Span};
use std::path::{Path, PathBuf};

/// An error or a warning.
pub(super) struct Finding {
    pub file: PathBuf,
    pub severity: Severity,
    pub code: Code,
    pub message: String,
    pub region: Region,
    /// `PROGRAM_ERROR_POSITION` of a program.
    pub position: Option<usize>,
    /// Related places, each with its message.
    pub related: Vec<(Region, String)>,
    pub notes: Vec<String>,
    pub fix: Option<Fix>,
}

/// A replacement of text that corrects the fault.
pub(super) struct Fix {
    pub title: String,
    pub region: Region,
    pub replacement: String,
}

/// A place in a text.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column in bytes, from 1.
    pub column: usize,
    /// The column in characters, from 1.
    pub character: usize,
}

impl From<LineColumn> for Place {
    fn from(LineColumn { line, column }: LineColumn) -> Self {
        Self { line, column, character: column }
    }
}

/// A part of a text.
#[derive(Clone, Copy)]
pub(super) struct Region {
    pub start: Place,
    /// The place after the last character.
    pub end: Place,
}

impl Region {
    fn of(span: Span, text: &[u8], index: &LineIndex) -> Self {
        let place = |offset: usize| {
            let offset = offset.min(text.len());
            let place = index.line_column(offset);
            let before = Span::new(offset + 1 - place.column, offset).slice(text);
            Place { character: String::from_utf8_lossy(before).chars().count() + 1, ..place.into() }
        };
        Self { start: place(span.start), end: place(span.end) }
    }
}

impl Finding {
    /// A finding about a program.
    pub fn of(diagnostic: &Diagnostic, text: &[u8], index: &LineIndex, file: &Path) -> Self {
        let region = |span| Region::of(span, text, index);
        let related =
            diagnostic.labels.iter().skip(1).map(|label| (region(label.span), diag::plain(&label.text)));
        let fix = diagnostic.fix.as_ref().map(|fix| Fix {
            title: diag::plain(&fix.title),
            region: region(fix.span),
            replacement: fix.replacement.clone(),
        });
        Self {
            file: file.to_path_buf(),
            severity: diagnostic.severity,
            code: diagnostic.code,
            message: diag::plain(&diagnostic.message),
            region: region(diagnostic.span()),
            position: Some(diagnostic.position),
            related: related.collect(),
            notes: diagnostic.notes.iter().map(|note| diag::plain(note)).collect(),
            fix,
        }
    }

    /// A finding about a scene with the text `text`, or about a file as a whole.
    pub fn of_scene(error: &SceneError, text: &[u8], severity: Severity) -> Self {
        let start = error.place.unwrap_or(LineColumn { line: 1, column: 1 }).into();
        // The text may have changed since the scene was read.
        let span = error.span.filter(|span| span.end <= text.len());
        let region = match span {
            Some(span) => Region::of(span, text, &LineIndex::new(text)),
            None => Region { start, end: start },
        };
        let fix = error.fix.as_ref().map(|fix| Fix {
            title: fix.title.clone(),
            region: Region::of(fix.span, text, &LineIndex::new(text)),
            replacement: fix.replacement.clone(),
        });
        Self {
            file: PathBuf::from(&error.file),
            severity,
            code: error.code(),
            message: error.message.clone(),
            region,
            position: None,
            related: Vec::new(),
            notes: error.rule.map(|rule| rule.note.to_owned()).into_iter().collect(),
            fix,
        }
    }

    /// The clause with the rule. The general codes of scenes and files have no rule of a specification.
    pub fn clause(&self) -> Option<&'static str> {
        (self.code != codes::FILE && self.code != codes::SCENE).then(|| self.code.clause())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_bytes_and_characters() {
        // Two bytes for each e with an accent, one byte that is invalid UTF-8, and a line that ends with CR
        // alone.
        let text = b"a\r\xc3\xa9\xc3\xa9\xffx y\n";
        let region = Region::of(Span::new(7, 9), text, &LineIndex::new(text));
        assert_eq!((region.start.line, region.start.column, region.start.character), (2, 6, 4));
        assert_eq!((region.end.line, region.end.column, region.end.character), (2, 8, 6));
        let beyond = Region::of(Span::new(99, 100), text, &LineIndex::new(text));
        assert_eq!((beyond.start.line, beyond.start.column), (3, 1));
    }
}
