//! Front ends. Each turns a program text into a checked [`crate::ir::Program`], or into diagnostics.
//!
//! [`load`] picks the language by the header. It reports every fault that it finds, not only the first. No
//! text makes it panic, and reading takes time linear in the length of the text. `fp1`, `vp` and `arb` each
//! read the grammar of one family of languages. The families share the other modules.
//!
//! Neighbours: `syntax` has the tokens, and `isa` has the facts of instructions and languages. In the crate
//! `shadestep-ide`, `lint` adds the warnings that need a program's flow.

pub mod arb;
mod check;
mod dialect;
pub mod fp1;
mod header;
mod label;
mod operand;
mod parser;
mod statement;
mod suggest;
mod unused;
pub mod vp;
pub mod word_roles;

use crate::diag::codes::{self, Shared};
use crate::diag::{Diagnostic, Severity};
use crate::ir::Program;
use crate::isa::{Family, Language};

pub use suggest::nearest;

/// The limit of one load on its errors, and separately on its warnings.
pub const MAX_DIAGNOSTICS: usize = 100;

/// The result of loading a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The program. `None` if the text has an error.
    pub program: Option<Program>,
    /// Errors and warnings, sorted by [`Diagnostic::position`]. They include an error exactly if there is no
    /// program.
    pub diagnostics: Vec<Diagnostic>,
}

/// The languages that load. Of several languages with the same header, the list has the one without options.
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

/// The language of `text` by its header and its options. Reads only the header and the OPTION statements.
pub fn language_with_options(text: &[u8]) -> Option<Language> {
    let language = Language::of_header(text)?;
    Some(header::language_with_options(text, language))
}

/// Loads a program text in the language that its header names.
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

/// The shared codes of the family that `language` is in.
pub fn shared_codes(language: Language) -> &'static Shared {
    match language.family() {
        Family::Fp => &codes::FP1,
        Family::Vp => &codes::VP,
        Family::ArbFp
        | Family::ArbVp
        | Family::NvVp
        | Family::NvFp
        | Family::NvGp
        | Family::NvTcp
        | Family::NvTep => arb::dialect(language).codes,
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
    /// Records a finding. Past the limit, the sink counts the finding and drops it.
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

    /// The findings so far, so that a caller can complete them with later facts.
    pub fn findings_mut(&mut self) -> &mut [Diagnostic] {
        &mut self.diagnostics
    }

    /// Whether an error was found. The program then does not load.
    pub const fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Whether the limit on errors is reached. Reading stops then.
    pub const fn is_full(&self) -> bool {
        self.errors >= MAX_DIAGNOSTICS
    }

    /// The findings, sorted by position.
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

/// `bytes` as text for messages. Invalid UTF-8 becomes U+FFFD.
pub fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// `bytes` as text for messages. Of more than 40 bytes, the first 32 and `...`.
fn excerpt(bytes: &[u8]) -> String {
    if bytes.len() <= 40 { lossy(bytes) } else { format!("{}...", lossy(&bytes[..32])) }
}
