//! From program text to a checked [`crate::ir::Program`], one module a language.
//!
//! [`load`] picks the language by the header and reports every fault it finds, not only the first.
//! No input makes it panic; its time grows linearly with the text.

pub(crate) mod fp1;
mod suggest;

use crate::diag::{Diagnostic, Severity};
use crate::ir::Program;
use crate::isa::Language;
use crate::source::Span;
use crate::syntax::{Lexer, TokenKind};

pub(crate) use suggest::nearest;

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

/// The language `text` names in its first bytes.
pub fn language_of(text: &[u8]) -> Option<Language> {
    Language::ALL.into_iter().find(|language| text.starts_with(language.header().as_bytes()))
}

/// Loads a program text in whichever language its header names.
pub fn load(text: &[u8]) -> Loaded {
    match language_of(text) {
        Some(Language::Fp1) => fp1::load(text),
        _ => Loaded { program: None, diagnostics: vec![header_fault(text)] },
    }
}

/// Collects findings up to [`MAX_DIAGNOSTICS`].
#[derive(Debug, Default)]
pub(crate) struct Sink {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
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
            last.notes.push(format!("Reading stopped after {MAX_DIAGNOSTICS} errors."));
        }
        self.diagnostics.sort_by_key(|d| d.position);
        self.diagnostics
    }
}

const HEADER_SPEC: &str = "NV_fragment_program 3.11.3";
const KNOWN_HEADERS: &str =
    "The header names the language; the one known is `!!FP1.0` (NV_fragment_program).";

/// Headers of languages that exist but cannot be loaded, with their extensions.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("!!FP2.0", "NV_fragment_program2"),
    ("!!FCP1.0", "an early NV_fragment_program, without combiner programs since revision 69"),
    ("!!ARBfp1.0", "ARB_fragment_program"),
    ("!!ARBvp1.0", "ARB_vertex_program"),
    ("!!VP1.0", "NV_vertex_program"),
    ("!!VP1.1", "NV_vertex_program1_1"),
    ("!!VP2.0", "NV_vertex_program2"),
    ("!!VSP1.0", "NV_vertex_program"),
    ("!!NVfp4.0", "NV_fragment_program4"),
    ("!!NVvp4.0", "NV_vertex_program4"),
    ("!!NVgp4.0", "NV_geometry_program4"),
    ("!!NVfp5.0", "NV_gpu_program5"),
    ("!!NVvp5.0", "NV_gpu_program5"),
    ("!!NVgp5.0", "NV_gpu_program5"),
    ("!!NVtcp5.0", "NV_tessellation_program5"),
    ("!!NVtep5.0", "NV_tessellation_program5"),
    ("!!TS1.0", "NV_texture_shader text"),
    ("!!RC1.0", "NV_register_combiners text"),
];

/// What is wrong with a text that does not begin with a known header.
fn header_fault(text: &[u8]) -> Diagnostic {
    let known = Language::Fp1.header();
    let first = Lexer::new(text).find(|t| !matches!(t.kind, TokenKind::Whitespace | TokenKind::Comment));
    let Some(first) = first else {
        return Diagnostic::error(
            "header-missing",
            HEADER_SPEC,
            Span::at(text.len()),
            "the program is empty",
        )
        .with_note(KNOWN_HEADERS)
        .with_fix("begin with a header", Span::at(0), format!("{known}\n"));
    };
    let start = first.span.start;
    if text[start..].starts_with(known.as_bytes()) {
        let end = start + known.len();
        return Diagnostic::error(
            "header-not-first",
            HEADER_SPEC,
            Span::new(start, end),
            format!("`{known}` must be the first bytes of the program"),
        )
        .with_note("Neither whitespace nor a comment may stand before the header.")
        .with_fix(
            "move the header to the start",
            Span::new(0, end),
            format!("{known}{}", lossy(&text[..start])),
        )
        .at_position(0);
    }
    if let Some(rest) = text.strip_prefix(b"\xef\xbb\xbf")
        && rest.starts_with(known.as_bytes())
    {
        return Diagnostic::error(
            "header-not-first",
            HEADER_SPEC,
            Span::new(0, 3),
            "the text begins with a byte order mark",
        )
        .with_note("Program text is plain ASCII and begins with the header itself.")
        .with_fix("remove the byte order mark", Span::new(0, 3), "");
    }
    if first.kind != TokenKind::Header {
        return Diagnostic::error("header-missing", HEADER_SPEC, first.span, "the program has no header")
            .with_note(KNOWN_HEADERS)
            .with_fix("begin with a header", Span::at(0), format!("{known}\n"))
            .at_position(0);
    }
    named_header_fault(&lossy(first.span.slice(text)), first.span)
}

fn named_header_fault(header: &str, span: Span) -> Diagnostic {
    let known = Language::Fp1.header();
    let shown: String = header.chars().take(24).collect();
    if let Some((_, extension)) = UNSUPPORTED.iter().find(|(name, _)| *name == header) {
        return Diagnostic::error(
            "header-unsupported",
            HEADER_SPEC,
            span,
            format!("`{shown}` programs ({extension}) are not supported yet"),
        )
        .with_note(KNOWN_HEADERS);
    }
    let mut fault =
        Diagnostic::error("header-unknown", HEADER_SPEC, span, format!("`{shown}` is not a known header"))
            .with_note(KNOWN_HEADERS);
    if nearest(header, [known].into_iter()).is_some() {
        fault = fault.with_fix(format!("write `{known}`"), span, known);
    }
    fault
}

/// `bytes` as text for messages.
pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
