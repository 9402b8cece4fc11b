//! Labels: their spelling, the labels of a program, and the branches to them.

use super::dialect::{Dialect, Grammar};
use super::parser::{Parse, Parser};
use super::{MAX_DIAGNOSTICS, Sink, excerpt, nearest};
use crate::diag::Diagnostic;
use crate::ir::{Control, Instruction, Label};
use crate::source::Span;
use crate::syntax::TokenKind;
use std::collections::{HashMap, HashSet};

impl<'t, G: Grammar<'t>> Parser<'t, G> {
    /// Takes the label `word`, after its colon has been read.
    pub(super) fn label(&mut self, word: &'t str, span: Span) {
        if let Some(fault) = self.own.lacks_labels(span) {
            self.sink.push(fault);
        } else if self.check_label(word, span) {
            self.own.take_label(word, span, &mut self.sink);
        }
    }

    /// Reports a number and a colon where a statement should begin.
    pub(super) fn numeric_label(&mut self) {
        self.bad_label(self.token.span, BEGINS_WITH_DIGIT);
        self.advance();
        self.advance();
    }

    /// Reads the label that a branch goes to. The name is empty if it is at fault.
    pub fn branch_label(&mut self) -> Parse<(&'t str, Span)> {
        let token = self.token;
        if token.kind.is_numeric() {
            self.bad_label(token.span, BEGINS_WITH_DIGIT);
            self.advance();
            return Ok(("", token.span));
        }
        let word = self.word();
        // A word that begins a statement is more likely the next statement, after a missing label.
        let begins_statement = self.own.role(word).begins_statement() && !self.own.can_be_label(word);
        if token.kind != TokenKind::Word || begins_statement {
            return Err(self.unexpected("a label"));
        }
        let legal = self.check_label(word, token.span);
        self.advance();
        Ok((if legal { word } else { "" }, token.span))
    }

    /// Whether `word` can be a label. Reports a fault if not.
    fn check_label(&mut self, word: &str, span: Span) -> bool {
        let role = self.own.role(word);
        if !self.own.can_be_label(word) {
            let shown = self.excerpt(span);
            let note = taken_words(&self.own);
            self.sink.push(
                Diagnostic::new(
                    self.own.dialect().codes.reserved_label,
                    span,
                    format!("`{shown}` cannot be a label: it is {}", role.describe()),
                )
                .with_note(note),
            );
            self.own.note_broken_label();
            return false;
        }
        if word.contains('$') && !self.own.dialect().dollar_in_labels {
            self.bad_label(span, "labels cannot contain `$` in this language");
            return false;
        }
        true
    }

    fn bad_label(&mut self, span: Span, why: &str) {
        let shown = self.excerpt(span);
        self.sink.push(
            Diagnostic::new(
                self.own.dialect().codes.bad_label,
                span,
                format!("`{shown}` cannot be a label: {why}"),
            )
            .with_note(
                "A label consists of letters, digits and underscores and does not start with a digit.",
            ),
        );
        self.own.note_broken_label();
    }
}

/// A sentence that lists the words that cannot be labels.
fn taken_words<'t>(own: &impl Grammar<'t>) -> String {
    if let Some(listed) = own.reserved_words() {
        return listed;
    }
    // Leaves out keywords that can be labels.
    let taken = |word: &&&str| **word != "END" && !own.can_be_label(word);
    let keywords = own.language().profile().keywords.iter().filter(taken);
    let keywords: String = keywords.map(|word| format!(", `{word}`")).collect();
    format!("Instruction names{keywords} and `END` are reserved.")
}

const BEGINS_WITH_DIGIT: &str = "labels cannot start with a digit";

/// The labels of a program and the instructions that name them.
pub struct Labels<'t> {
    dialect: &'static Dialect,
    labels: Vec<Label>,
    index: HashMap<&'t str, usize>,
    /// The first use of each name before its label, in order.
    uses: Vec<(&'t str, Span)>,
    used: HashSet<&'t str>,
    /// The instructions that branch to a label, each with the label's name.
    branches: Vec<(usize, &'t str)>,
    /// Whether a label could not be read.
    lost: bool,
}

impl<'t> Labels<'t> {
    /// An empty list.
    pub fn new(dialect: &'static Dialect) -> Self {
        Self {
            dialect,
            labels: Vec::new(),
            index: HashMap::new(),
            uses: Vec::new(),
            used: HashSet::new(),
            branches: Vec::new(),
            lost: false,
        }
    }

    /// Adds a label before instruction `at`.
    pub fn make(&mut self, name: &'t str, at: usize, span: Span, sink: &mut Sink) {
        if let Some(&first) = self.index.get(name) {
            let shown = excerpt(name.as_bytes());
            sink.push(
                Diagnostic::new(
                    self.dialect.codes.duplicate_label,
                    span,
                    format!("the label `{shown}` is already defined"),
                )
                .with_label(self.labels[first].span, "first defined here")
                .with_note("A branch to it would be ambiguous."),
            );
            return;
        }
        self.index.insert(name, self.labels.len());
        self.labels.push(Label { name: name.to_owned(), at, span });
    }

    /// Notes that a label could not be read, so that the set of labels is unknown.
    pub const fn note_broken(&mut self) {
        self.lost = true;
    }

    /// Notes a use of a label at `span`. An empty name has been reported.
    pub fn use_name(&mut self, name: &'t str, span: Span) {
        if !name.is_empty() && !self.index.contains_key(name) && self.used.insert(name) {
            self.uses.push((name, span));
        }
    }

    /// Notes that instruction `number` branches to the label `name`.
    pub fn branch(&mut self, number: usize, name: &'t str) {
        self.branches.push((number, name));
    }

    /// Whether all labels are known.
    pub const fn are_known(&self) -> bool {
        !self.lost
    }

    /// The index of the label `name` in [`Self::list`].
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// Moves branches and labels. `instructions` gives the distance for the number of an instruction, and
    /// `labels` for the index of a label.
    pub fn shift(&mut self, instructions: impl Fn(usize) -> usize, labels: impl Fn(usize) -> usize) {
        for (number, _) in &mut self.branches {
            *number += instructions(*number);
        }
        for (place, label) in self.labels.iter_mut().enumerate() {
            label.at += labels(place);
        }
    }

    /// The labels so far, in the order of the text.
    pub fn list(&self) -> &[Label] {
        &self.labels
    }

    /// The branches: each instruction with the index of its label.
    pub fn branches(&self) -> impl Iterator<Item = (usize, usize)> {
        self.branches.iter().filter_map(|(number, name)| Some((*number, self.find(name)?)))
    }

    /// The instruction after the label `name`.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.index.get(name).map(|&label| self.labels[label].at)
    }

    /// Reports names without a label, at the program's `length` in bytes.
    pub fn report_unknown(&self, length: usize, sink: &mut Sink) {
        if self.lost {
            return;
        }
        let unknown = self.uses.iter().filter(|(name, _)| !self.index.contains_key(name));
        for (name, span) in unknown.take(MAX_DIAGNOSTICS) {
            let shown = excerpt(name.as_bytes());
            let mut fault = Diagnostic::new(
                self.dialect.codes.unknown_label,
                *span,
                format!("there is no label `{shown}`"),
            )
            .with_note(
                "Write `name:` before an instruction or `END`. A label can come before or after the branch.",
            )
            .at_position(length);
            let known = self.labels.iter().take(1000).map(|label| label.name.as_str());
            if let Some(meant) = nearest(name, known) {
                fault = fault.with_fix(format!("replace with {meant}"), *span, meant);
            }
            sink.push(fault);
        }
    }

    /// Writes the place of each label into the branches to it.
    pub fn resolve(&self, instructions: &mut [Instruction]) {
        for (number, name) in &self.branches {
            let control = instructions.get_mut(*number).and_then(Instruction::control_mut);
            if let (Some(Control::Branch { to, .. } | Control::Call { to, .. }), Some(at)) =
                (control, self.place(name))
            {
                *to = at;
            }
        }
    }

    /// The labels, in the order of the text.
    pub fn into_list(self) -> Vec<Label> {
        self.labels
    }
}
