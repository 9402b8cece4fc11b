//! What a program is made of, for jumping about in it.

use crate::front::fp1::words::{Word, classify};
use crate::front::lossy;
use crate::source::Span;
use crate::syntax::{Lexer, TokenKind};

/// What an outline entry stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutlineKind {
    /// The first of a run of comment lines.
    Section,
    /// A name made by `DEFINE`.
    Constant,
    /// A name made by `DECLARE`.
    Parameter,
    /// The first lookup on a texture image unit.
    Texture,
    /// The first write to an output register.
    Output,
}

/// One entry, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineItem {
    /// What it stands for.
    pub kind: OutlineKind,
    /// The name, unit, register or comment.
    pub title: String,
    /// Value, target or instruction; may be empty.
    pub detail: String,
    /// Where to jump to.
    pub span: Span,
}

/// The outline of a program text, faulty or not.
pub fn outline(text: &[u8]) -> Vec<OutlineItem> {
    let mut items: Vec<OutlineItem> = Vec::new();
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
            TokenKind::Semicolon => {
                statement_items(text, &statement, &mut items);
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
    items
}

fn statement_items(text: &[u8], statement: &[(TokenKind, Span)], items: &mut Vec<OutlineItem>) {
    let word = |index: usize| -> &str {
        statement
            .get(index)
            .and_then(|(_, span)| std::str::from_utf8(span.slice(text)).ok())
            .unwrap_or_default()
    };
    let (Some((_, first)), Some((_, last))) = (statement.first(), statement.last()) else { return };
    let kind = match classify(word(0)) {
        Word::Define => OutlineKind::Constant,
        Word::Declare => OutlineKind::Parameter,
        Word::Instruction(..) => {
            instruction_items(&word, statement, items);
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
    word: &impl Fn(usize) -> &'t str,
    statement: &[(TokenKind, Span)],
    items: &mut Vec<OutlineItem>,
) {
    let mut add = |kind, title: String, detail: &str, span| {
        if !items.iter().any(|i| i.kind == kind && i.title == title) {
            items.push(OutlineItem { kind, title, detail: detail.to_owned(), span });
        }
    };
    if matches!(classify(word(1)), Word::OutputArray) {
        let span = statement[1].1.to(statement[statement.len().min(5) - 1].1);
        add(OutlineKind::Output, format!("o[{}]", word(3)), word(0), span);
    }
    for (index, (_, span)) in statement.iter().enumerate().skip(2) {
        if matches!(classify(word(index)), Word::TextureUnit(_)) && word(index - 1) != "[" {
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

    #[test]
    fn broken_text_is_no_trouble() {
        for text in ["", ";;;", "DEFINE", "DEFINE;DECLARE =;MOV o;MOV o[;TEX TEX0;", "# only", "\u{e9};"] {
            outline(text.as_bytes());
        }
    }
}
