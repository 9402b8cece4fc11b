//! What a program is made of, for jumping about in it.

use std::collections::HashMap;

use super::arb;
use super::words::{self, Array, Keyword, Word, classify};
use crate::front::{language_with_options, lossy};
use crate::isa::{Language, OperandKind, Stage};
use crate::source::Span;
use crate::syntax::{Lexer, TokenKind};

/// What an outline entry stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutlineKind {
    /// The first of a run of comment lines.
    Section,
    /// A name made by `DEFINE`, or by `PARAM` for a constant.
    Constant,
    /// A name made by `DECLARE`, or by `PARAM` for what is set from outside.
    Parameter,
    /// A name made by `ATTRIB`.
    Attribute,
    /// A name made by `TEMP`.
    Temporary,
    /// A name made by `ADDRESS`.
    Address,
    /// `IF`, `LOOP` or `REP`.
    Block,
    /// The first lookup on a texture image unit.
    Texture,
    /// The first write to an output register, or of a state program to a parameter; a name made by `OUTPUT`.
    Output,
    /// A label: a subroutine, or where a branch goes.
    Label,
    /// A program option.
    Option,
}

/// One entry, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineItem {
    /// What it stands for.
    pub kind: OutlineKind,
    /// The name, unit, register, label or comment.
    pub title: String,
    /// Value, target, instruction or number of uses; may be empty.
    pub detail: String,
    /// Where to jump to.
    pub span: Span,
}

/// The outline of a program text, faulty or not. A text that names no language has only its sections.
pub fn outline(text: &[u8]) -> Vec<OutlineItem> {
    let language = language_with_options(text);
    let mut items: Vec<OutlineItem> = Vec::new();
    let mut label_uses: HashMap<&[u8], usize> = HashMap::new();
    let mut statement: Vec<(TokenKind, Span)> = Vec::new();
    // Whether the line so far holds nothing but space, and whether the line before was a comment.
    let mut line_is_blank = true;
    let mut after_comment = false;
    for token in Lexer::new(text) {
        match token.kind {
            TokenKind::Whitespace => {
                let breaks = token.span.slice(text).iter().filter(|b| **b == b'\n').count();
                line_is_blank |= breaks > 0;
                after_comment &= breaks < 2;
            }
            TokenKind::Comment => {
                let words = lossy(token.span.slice(text));
                let title =
                    words.trim_matches(|c: char| c == '#' || c == '-' || c == '=' || c.is_whitespace());
                if line_is_blank && !after_comment && statement.is_empty() && !title.is_empty() {
                    let title = title.chars().take(80).collect();
                    let item = OutlineItem {
                        kind: OutlineKind::Section,
                        title,
                        detail: String::new(),
                        span: token.span,
                    };
                    items.push(item);
                }
                after_comment |= line_is_blank;
                line_is_blank = false;
            }
            TokenKind::Colon if language.is_some_and(|language| language.profile().labels) => {
                if let [(TokenKind::Word, name)] = statement[..] {
                    let title = lossy(name.slice(text));
                    let detail = String::new();
                    items.push(OutlineItem { kind: OutlineKind::Label, title, detail, span: name });
                }
                statement.clear();
                (line_is_blank, after_comment) = (false, false);
            }
            TokenKind::Semicolon => {
                if let Some(language) = language.filter(|language| language.profile().declares_variables()) {
                    arb::outline::statement(text, language, &statement, &mut items);
                } else if let Some(language) = language {
                    statement_items(text, language, &statement, &mut items);
                }
                if let Some(label) = language.and_then(|language| branch_label(text, language, &statement)) {
                    *label_uses.entry(label).or_default() += 1;
                }
                statement.clear();
                (line_is_blank, after_comment) = (false, false);
            }
            kind => {
                // No statement needs more; a text without semicolons shall not pile up.
                if statement.len() < 128 {
                    statement.push((kind, token.span));
                }
                (line_is_blank, after_comment) = (false, false);
                if kind == TokenKind::Header {
                    statement.clear();
                }
            }
        }
    }
    for item in items.iter_mut().filter(|item| item.kind == OutlineKind::Label) {
        item.detail = match label_uses.get(item.span.slice(text)) {
            None if item.title == words::MAIN => "start of the program".to_owned(),
            None => "not used".to_owned(),
            Some(1) => "used once".to_owned(),
            Some(count) => format!("used {count} times"),
        };
    }
    items
}

/// The label that a branch goes to.
fn branch_label<'t>(text: &'t [u8], language: Language, statement: &[(TokenKind, Span)]) -> Option<&'t [u8]> {
    let [(TokenKind::Word, name), (TokenKind::Word, label), ..] = statement else { return None };
    match classify(language, std::str::from_utf8(name.slice(text)).ok()?) {
        Word::Instruction(info) if info.operands.first() == Some(&OperandKind::Label) => {
            Some(label.slice(text))
        }
        _ => None,
    }
}

fn statement_items(
    text: &[u8],
    language: Language,
    statement: &[(TokenKind, Span)],
    items: &mut Vec<OutlineItem>,
) {
    let word = |index: usize| -> &str {
        statement
            .get(index)
            .and_then(|(_, span)| std::str::from_utf8(span.slice(text)).ok())
            .unwrap_or_default()
    };
    let (Some((_, first)), Some((_, last))) = (statement.first(), statement.last()) else { return };
    let kind = match classify(language, word(0)) {
        Word::Keyword(Keyword::Define) => OutlineKind::Constant,
        Word::Keyword(Keyword::Declare) => OutlineKind::Parameter,
        Word::Keyword(Keyword::Option) => OutlineKind::Option,
        Word::Instruction(..) => {
            instruction_items(language, &word, statement, items);
            return;
        }
        _ => return,
    };
    let Some((TokenKind::Word, name)) = statement.get(1).copied() else { return };
    let value = statement.get(3).map_or_else(String::new, |(_, from)| lossy(from.to(*last).slice(text)));
    let detail = value.split_whitespace().collect::<Vec<_>>().join(" ");
    items.push(OutlineItem { kind, title: lossy(name.slice(text)), detail, span: first.to(*last) });
}

fn instruction_items<'t>(
    language: Language,
    word: &impl Fn(usize) -> &'t str,
    statement: &[(TokenKind, Span)],
    items: &mut Vec<OutlineItem>,
) {
    let mut add = |kind, title: String, detail: &str, span| {
        if !items.iter().any(|i| i.kind == kind && i.title == title) {
            items.push(OutlineItem { kind, title, detail: detail.to_owned(), span });
        }
    };
    let written = match language.stage() {
        Stage::Fragment | Stage::Vertex => Array::Outputs,
        Stage::VertexState => Array::Parameters,
    };
    if matches!(classify(language, word(1)), Word::Array(array) if array == written) {
        let span = statement[1].1.to(statement[statement.len().min(5) - 1].1);
        add(OutlineKind::Output, format!("{}[{}]", word(1), word(3)), word(0), span);
    }
    for (index, (_, span)) in statement.iter().enumerate().skip(2) {
        if matches!(classify(language, word(index)), Word::TextureUnit) && word(index - 1) != "[" {
            add(OutlineKind::Texture, word(index).to_owned(), word(index + 2), *span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_textures_outputs_and_sections() {
        let text = b"!!FP1.0\n# Setup\n# more\nDEFINE pi = 3.14;\nDECLARE tint = {1,\n 2};\nDECLARE k; # not a section\n\n\
            ### Lookup ###\nTEX R0, f[TEX1], TEX3, CUBE;\nTEX R1, f[TEX1], TEX3, CUBE;\nMOV o[COLR], R0;\nEND";
        let found: Vec<_> = outline(text).into_iter().map(|i| (i.kind, i.title, i.detail)).collect();
        let expected = [
            (OutlineKind::Section, "Setup", ""),
            (OutlineKind::Constant, "pi", "3.14"),
            (OutlineKind::Parameter, "tint", "{1, 2}"),
            (OutlineKind::Parameter, "k", ""),
            (OutlineKind::Section, "Lookup", ""),
            (OutlineKind::Texture, "TEX3", "CUBE"),
            (OutlineKind::Output, "o[COLR]", "MOV"),
        ]
        .map(|(kind, title, detail)| (kind, title.to_owned(), detail.to_owned()));
        assert_eq!(found, expected);
    }

    fn found(text: &str) -> Vec<(OutlineKind, String, String)> {
        outline(text.as_bytes()).into_iter().map(|i| (i.kind, i.title, i.detail)).collect()
    }

    #[test]
    fn labels_options_and_results() {
        let text = "!!VP2.0\nOPTION NV_position_invariant;\nmain: CAL lit (GT);\nCAL lit; BRA end;\nlit:\nMOV o[COL0].x, R0;\nRET;\nidle: end : END";
        let expected = [
            (OutlineKind::Option, "NV_position_invariant", ""),
            (OutlineKind::Label, "main", "start of the program"),
            (OutlineKind::Label, "lit", "used 2 times"),
            (OutlineKind::Output, "o[COL0]", "MOV"),
            (OutlineKind::Label, "idle", "not used"),
            (OutlineKind::Label, "end", "used once"),
        ]
        .map(|(kind, title, detail)| (kind, title.to_owned(), detail.to_owned()));
        assert_eq!(found(text), expected);
        // Before !!VP2.0 there are no labels, and state programs write parameters.
        assert_eq!(found("!!VP1.1 here: MOV o[HPOS], v[0]; END"), []);
        assert_eq!(
            found("!!VSP1.0 MOV R0, c[1]; MOV c[7].x, R0; END"),
            [(OutlineKind::Output, "c[7]".to_owned(), "MOV".to_owned())]
        );
        assert_eq!(found("# Notes\nDEFINE x = 1;").len(), 1);
    }

    #[test]
    fn broken_text_has_an_outline_of_what_is_left() {
        assert_eq!(
            found("!!FP1.0;;;DEFINE;DECLARE =;MOV o;TEX TEX0;"),
            [(OutlineKind::Output, "o[]".to_owned(), "MOV".to_owned())]
        );
        for text in ["", ";;;", "!!FP1.0 DEFINE", "\u{e9};", "!!VP2.0 :::", "!!VP2.0 BRA;a b:"] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
