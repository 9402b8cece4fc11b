//! Front ends: program text to a checked [`crate::ir::Program`], or diagnostics.
//!
//! [`load`] picks the language by the header and reports every fault it finds, not only the first. No text makes it
//! panic. Reading takes time linear in the length of the text. A program without errors then goes through `lint`,
//! which follows its flow and gives up after a number of looks that grows with its blocks alone. `fp1`, `vp` and `arb`
//! are the grammars, each for one family of languages; the other modules are what the families share. Not here: tokens
//! (`syntax`), the facts of instructions and languages (`isa`), and what an editor shows (`ide`).

pub mod arb;
mod check;
pub mod dialect;
pub mod fp1;
mod header;
mod label;
mod operand;
mod parser;
mod statement;
mod suggest;
pub mod unused;
pub mod vp;
pub mod words;

use crate::diag::{Diagnostic, Severity};
use crate::ir::Program;
use crate::isa::{Family, Language};
use dialect::Dialect;

pub use suggest::nearest;

/// How many errors, and how many warnings, one load reports at most.
pub const MAX_DIAGNOSTICS: usize = 100;

/// What came of loading a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The program, if nothing is wrong with it.
    pub program: Option<Program>,
    /// Errors and warnings, sorted by [`Diagnostic::position`]. There is an error exactly if there is no
    /// program.
    pub diagnostics: Vec<Diagnostic>,
}

/// The languages by their headers: of several with the same header, the one without options.
pub const LANGUAGES: [Language; 15] = [
    Language::Fp1,
    Language::Vp1,
    Language::Vp1_1,
    Language::Vp2,
    Language::Vsp1,
    Language::ArbFp1,
    Language::ArbVp1,
    Language::NvVp4,
    Language::NvFp4,
    Language::NvVp5,
    Language::NvFp5,
    Language::NvGp4,
    Language::NvGp5,
    Language::NvTcp5,
    Language::NvTep5,
];

/// The language of `text` by its header and its options. It reads only the header and the OPTION statements.
pub fn language_with_options(text: &[u8]) -> Option<Language> {
    let language = Language::of_header(text)?;
    Some(header::language_with_options(text, language))
}

/// Loads a program text in whichever language its header names.
pub fn load(text: &[u8]) -> Loaded {
    let Some(language) = Language::of_header(text) else {
        return Loaded { program: None, diagnostics: vec![header::fault(text)] };
    };
    match language.family() {
        Family::Fp => fp1::load(text),
        Family::Vp => vp::load(text, language),
        Family::ArbFp
        | Family::ArbVp
        | Family::NvVp
        | Family::NvFp
        | Family::NvGp
        | Family::NvTcp
        | Family::NvTep => arb::load(text, language),
    }
}

impl Dialect {
    /// The facts of the family that `language` is in.
    pub fn of(language: Language) -> &'static Self {
        match language.family() {
            Family::Fp => &fp1::DIALECT,
            Family::Vp => &vp::DIALECT,
            Family::ArbFp
            | Family::ArbVp
            | Family::NvVp
            | Family::NvFp
            | Family::NvGp
            | Family::NvTcp
            | Family::NvTep => arb::dialect(language),
        }
    }
}

/// Collects findings up to [`MAX_DIAGNOSTICS`].
#[derive(Debug, Default)]
pub struct Sink {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl From<Vec<Diagnostic>> for Sink {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        let mut sink = Self::default();
        diagnostics.into_iter().for_each(|diagnostic| sink.push(diagnostic));
        sink
    }
}

impl Sink {
    /// Records a finding; past the limit only the count goes on.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        if *count <= MAX_DIAGNOSTICS {
            self.diagnostics.push(diagnostic);
        }
    }

    /// The findings so far, to add to what is known of them later.
    pub fn findings_mut(&mut self) -> &mut [Diagnostic] {
        &mut self.diagnostics
    }

    /// Whether anything found keeps the program from loading.
    pub const fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether so much is wrong that reading on helps nobody.
    pub const fn is_full(&self) -> bool {
        self.errors >= MAX_DIAGNOSTICS
    }

    /// The findings in order of position.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        if self.is_full()
            && let Some(last) = self.diagnostics.iter_mut().rfind(|d| d.severity == Severity::Error)
        {
            last.notes.push(format!("Checking stopped after {MAX_DIAGNOSTICS} errors."));
        }
        self.diagnostics.sort_by_key(|d| d.position);
        self.diagnostics
    }
}

/// `bytes` as text for messages.
pub fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The same, clipped.
fn excerpt(bytes: &[u8]) -> String {
    if bytes.len() <= 40 { lossy(bytes) } else { format!("{}...", lossy(&bytes[..32])) }
}
