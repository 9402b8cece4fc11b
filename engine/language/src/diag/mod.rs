//! [`Diagnostic`]: an error or a warning about a program, with its place, its clause and its fix.
//!
//! Diagnostics are plain data. [`codes`] has the table of their codes, and [`render`] prints them as text.
//! [`error_position`] is `PROGRAM_ERROR_POSITION`.

pub mod codes;
pub mod render;

use crate::source::Span;

pub use codes::Code;

/// Splits `words` at their code spans, which are between backticks. Each part says whether it is code. A
/// backtick without a partner is an ordinary character.
///
/// ```
/// use shadestep_language::diag::code_spans;
/// assert_eq!(code_spans("nothing may follow `END`"), [(false, "nothing may follow "), (true, "END")]);
/// ```
pub fn code_spans(words: &str) -> Vec<(bool, &str)> {
    let mut parts = Vec::new();
    let mut rest = words;
    while let Some((before, (code, after))) =
        rest.split_once('`').and_then(|(before, after)| Some((before, after.split_once('`')?)))
    {
        parts.extend([(false, before), (true, code)]);
        rest = after;
    }
    parts.push((false, rest));
    parts.retain(|(_, part)| !part.is_empty());
    parts
}

/// Returns `words` for plain text: single quotes replace the backticks of code spans.
pub fn plain(words: &str) -> String {
    code_spans(words)
        .into_iter()
        .map(|(is_code, part)| if is_code { format!("'{part}'") } else { part.to_owned() })
        .collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program loads, but it probably has a mistake.
    Warning,
    /// The program fails to load.
    Error,
}

impl Severity {
    /// The word in the output of every format: `warning` or `error`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A marked place with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The marked bytes.
    pub span: Span,
    /// The remark. Empty if the primary place needs none.
    pub text: String,
}

/// A replacement that would fix the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The change in the imperative: "replace with ADDR".
    pub title: String,
    /// The bytes to replace.
    pub span: Span,
    /// The new text.
    pub replacement: String,
}

/// One finding about a program text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of fault, with the clause that has the rule.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// One sentence in plain words, without a full stop.
    pub message: String,
    /// The primary place first, then related places ("first used here").
    pub labels: Vec<Label>,
    /// Further sentences, such as what would be legal, or the reason for the rule.
    pub notes: Vec<String>,
    /// A fix, if an obvious one exists.
    pub fix: Option<Fix>,
    /// The byte offset that `PROGRAM_ERROR_POSITION` reports: the first offending token, or the
    /// program's length for faults only known at its end.
    pub position: usize,
}

impl Diagnostic {
    /// A diagnostic that marks `span`, with its position at the start of `span` and the severity of `code`.
    ///
    /// ```
    /// use shadestep_language::diag::{Diagnostic, Severity, codes};
    /// use shadestep_language::source::Span;
    /// let found = Diagnostic::new(codes::FP1_NO_OUTPUT, Span::at(9), "the program writes no output");
    /// assert_eq!((found.severity, found.position), (Severity::Error, 9));
    /// assert_eq!(found.clause(), "NV_fragment_program 3.11.1.3");
    /// ```
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.row().severity,
            message: message.into(),
            labels: vec![Label { span, text: String::new() }],
            notes: Vec::new(),
            fix: None,
            position: span.start,
        }
    }

    /// The clause with the rule, such as `NV_fragment_program 3.11.2`.
    pub const fn clause(&self) -> &'static str {
        self.code.clause()
    }

    /// Sets the remark on the primary place.
    #[must_use]
    pub fn with_primary_text(mut self, text: impl Into<String>) -> Self {
        self.labels[0].text = text.into();
        self
    }

    /// Adds a related place.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a further sentence.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets the fix.
    #[must_use]
    pub fn with_fix(mut self, title: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Fix { title: title.into(), span, replacement: replacement.into() });
        self
    }

    /// Sets another `PROGRAM_ERROR_POSITION`: for faults that are known only at the program's end, its
    /// length.
    #[must_use]
    pub fn at_position(mut self, position: usize) -> Self {
        self.position = position;
        self
    }

    /// The primary place.
    pub fn span(&self) -> Span {
        self.labels[0].span
    }
}

/// The first error that a loader meets: the one with the lowest position. Of several there, the first in the
/// list.
pub fn first_error(diagnostics: &[Diagnostic]) -> Option<&Diagnostic> {
    diagnostics.iter().filter(|d| d.severity == Severity::Error).min_by_key(|d| d.position)
}

/// `PROGRAM_ERROR_POSITION_NV`: the byte offset of the first error, or -1 for a program that loads
/// (`NV_fragment_program` 5.7).
pub fn error_position(diagnostics: &[Diagnostic]) -> i64 {
    first_error(diagnostics).map_or(-1, |d| i64::try_from(d.position).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_spans_are_between_two_backticks() {
        assert_eq!(code_spans("no marks"), [(false, "no marks")]);
        assert_eq!(
            code_spans("`MULT` is not an instruction"),
            [(true, "MULT"), (false, " is not an instruction")]
        );
        assert_eq!(code_spans("`A` or `B`"), [(true, "A"), (false, " or "), (true, "B")]);
        assert_eq!(code_spans("one ` only"), [(false, "one ` only")]);
        assert!(code_spans("").is_empty());
    }

    #[test]
    fn plain_text_has_quotes() {
        assert_eq!(plain("expected `,`, found `;`"), "expected ',', found ';'");
        assert_eq!(plain("one ` only"), "one ` only");
    }
}
