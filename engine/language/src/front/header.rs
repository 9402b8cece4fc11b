//! Diagnostics for a text that does not begin with a known header: the header is missing, misspelt,
//! unsupported or not first. Also finds the language of a text by its options.

use std::collections::HashSet;

use super::{LANGUAGES, lossy, nearest};
use crate::diag::{Diagnostic, codes};
use crate::isa::{Family, Language};
use crate::source::Span;
use crate::syntax::{Lexer, Token, TokenKind};

/// The clause to cite where the language is unknown.
const FRAGMENT_SPEC: &str = "NV_fragment_program 3.11.3";
const VERTEX_SPEC: &str = "NV_vertex_program2 2.14.1.8";
const KNOWN_HEADERS: &str = "A program starts with a header that names its language. Fragment programs: `!!FP1.0`, `!!ARBfp1.0`, `!!NVfp4.0`, `!!NVfp5.0`. Vertex programs: `!!VP1.0`, `!!VP1.1`, `!!VP2.0`, `!!ARBvp1.0`, `!!NVvp4.0`, `!!NVvp5.0`. Geometry programs: `!!NVgp4.0`, `!!NVgp5.0`. Tessellation control programs: `!!NVtcp5.0`. Tessellation evaluation programs: `!!NVtep5.0`. Vertex state programs: `!!VSP1.0`.";

/// The clause that names the header of `language`.
const fn clause(language: Language) -> &'static str {
    match (language.family(), language.profile().texture_variables) {
        (Family::Fp, _) => FRAGMENT_SPEC,
        (Family::Vp, _) => VERTEX_SPEC,
        (Family::ArbFp, _) => "ARB_fragment_program 3.11.2",
        (Family::ArbVp, _) => "ARB_vertex_program 2.14.2",
        (Family::NvVp, false) => "NV_vertex_program4 2.X.2",
        (Family::NvFp, false) => "NV_fragment_program4 2.X.2",
        (Family::NvGp, false) => "NV_geometry_program4 2.X.2",
        (Family::NvVp | Family::NvFp | Family::NvGp, true) => "NV_gpu_program5 2.X.2",
        (Family::NvTcp | Family::NvTep, _) => "NV_tessellation_program5 2.X.2",
    }
}

/// U+FEFF. Some editors put this mark at the start of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Headers of languages that exist but do not load, with their extensions.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("!!FP2.0", "NV_fragment_program2"),
    ("!!FCP1.0", "combiner programs from drafts of NV_fragment_program, removed in revision 69"),
    ("!!TS1.0", "NV_texture_shader"),
    ("!!RC1.0", "NV_register_combiners"),
];

/// The language of `text`, which begins with the header of `language`, by its options. Reads only the OPTION
/// statements.
pub(super) fn language_with_options(text: &[u8], language: Language) -> Language {
    let significant = |token: &Token| !matches!(token.kind, TokenKind::Whitespace | TokenKind::Comment);
    let mut tokens = Lexer::new(text).filter(significant).skip(1);
    let mut found = language;
    while tokens.next().is_some_and(|token| token.span.slice(text) == b"OPTION") {
        let Some(name) = tokens.next() else { break };
        let brings = |later: &Language| {
            later.option().is_some_and(|option| option.as_bytes() == name.span.slice(text))
        };
        found = found.profile().later.iter().copied().find(brings).unwrap_or(found);
        if tokens.next().is_none_or(|token| token.kind != TokenKind::Semicolon) {
            break;
        }
    }
    found
}

/// The finding about a text that does not begin with a known header.
pub(super) fn fault(text: &[u8]) -> Diagnostic {
    let first = Lexer::new(text).find(|t| !matches!(t.kind, TokenKind::Whitespace | TokenKind::Comment));
    let Some(first) = first else {
        return Diagnostic::new(codes::HEADER_MISSING, Span::at(text.len()), "the program is empty")
            .with_note(KNOWN_HEADERS)
            .with_fix("insert a header", Span::at(0), with_line_end(likely_language(text)));
    };
    let (start, kept) = before_header(text);
    if let Some(language) = Language::of_header(&text[start..]) {
        return not_first(language, start, &kept);
    }
    if first.kind != TokenKind::Header {
        return Diagnostic::new(codes::HEADER_MISSING, first.span, "the program has no header")
            .with_note(KNOWN_HEADERS)
            .with_fix("insert a header", Span::at(0), with_line_end(likely_language(text)))
            .at_position(0);
    }
    named_header_fault(&lossy(first.span.slice(text)), first.span)
}

/// The end of the byte order marks, whitespace and comments at the start of `text`, and the part of them that
/// a fix keeps. With a comment, a fix keeps everything except the marks. Without one, it keeps nothing.
fn before_header(text: &[u8]) -> (usize, String) {
    let (mut start, mut kept, mut has_comment) = (0, String::new(), false);
    loop {
        let rest = &text[start..];
        if rest.starts_with(BYTE_ORDER_MARK) {
            start += BYTE_ORDER_MARK.len();
            continue;
        }
        match Lexer::new(rest).next() {
            Some(token) if matches!(token.kind, TokenKind::Whitespace | TokenKind::Comment) => {
                has_comment |= token.kind == TokenKind::Comment;
                kept.push_str(&lossy(token.span.slice(rest)));
                start += token.span.end;
            }
            _ => return (start, if has_comment { kept } else { String::new() }),
        }
    }
}

/// The finding that the header of `language` is at `start`, not at the first byte. A fix keeps `kept`.
fn not_first(language: Language, start: usize, kept: &str) -> Diagnostic {
    let known = language.header();
    let end = start + known.len();
    let fault = Diagnostic::new(
        codes::HEADER_NOT_FIRST.citing(clause(language)),
        Span::new(start, end),
        format!("`{known}` must come first in the program"),
    )
    .with_note("No byte order mark, whitespace or comment may come before the header.")
    .at_position(0);
    if kept.is_empty() {
        return fault.with_fix("remove everything before the header", Span::new(0, start), "");
    }
    fault.with_fix("move the header to the start", Span::new(0, end), format!("{known}{kept}"))
}

fn named_header_fault(header: &str, span: Span) -> Diagnostic {
    let shown: String = header.chars().take(24).collect();
    if let Some((_, extension)) = UNSUPPORTED.iter().find(|(name, _)| *name == header) {
        return Diagnostic::new(
            codes::HEADER_UNSUPPORTED,
            span,
            format!("`{shown}` programs ({extension}) are not supported yet"),
        )
        .with_note(KNOWN_HEADERS);
    }
    let mut fault = Diagnostic::new(codes::HEADER_UNKNOWN, span, format!("`{shown}` is not a known header"))
        .with_note(KNOWN_HEADERS);
    if let Some(known) = nearest(header, LANGUAGES.into_iter().map(Language::header)) {
        fault = fault.with_fix(format!("replace with {known}"), span, known);
    }
    fault
}

fn with_line_end(language: Language) -> String {
    format!("{}\n", language.header())
}

/// Guesses the language of a text without a header. A program with bindings is in an ARB language, or with
/// data types in the newest. Of the rest, a program that names a vertex register is a vertex program.
fn likely_language(text: &[u8]) -> Language {
    let words: HashSet<&[u8]> = Lexer::new(text)
        .filter(|token| token.kind == TokenKind::Word)
        .take(1000)
        .map(|token| token.span.slice(text))
        .collect();
    let has = |any: &[&str]| any.iter().any(|word| words.contains(word.as_bytes()));
    if !has(&["fragment", "vertex", "result", "program", "state"]) {
        let is_vertex = has(&["HPOS", "OPOS", "v", "c", "ARL", "CC"]);
        return if is_vertex { Language::Vp2 } else { Language::Fp1 };
    }
    match (has(&["vertex"]), has(&["INT", "UINT", "FLOAT", "FLAT", "TEXTURE"])) {
        (true, true) => Language::NvVp5,
        (true, false) => Language::ArbVp1,
        (false, true) => Language::NvFp5,
        (false, false) => Language::ArbFp1,
    }
}
