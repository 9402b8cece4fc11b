//! What could be written at a place.

use std::collections::BTreeSet;

use super::outline::{OutlineKind, outline};
use crate::front::fp1::words::{OutputName, Word, classify, instruction_names, statement_words};
use crate::front::lossy;
use crate::ir::{Attribute, Condition, IMAGE_UNITS, TextureTarget};
use crate::isa::{Info, Language, Lookup, OperandKind, ResultKind, lookup};
use crate::source::Span;
use crate::syntax::{Lexer, Token, TokenKind};

/// One thing that could be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What would be written.
    pub label: String,
    /// What it is, in a few words.
    pub detail: String,
    /// The bytes it would replace.
    pub replace: Span,
}

/// What could be written at byte `offset`, fitting what is already typed there.
pub fn completions(text: &[u8], offset: usize) -> Vec<Completion> {
    let offset = offset.min(text.len());
    let Some(context) = Context::at(text, offset) else { return Vec::new() };
    let prefix = lossy(Span::new(context.replace.start, offset).slice(text)).to_ascii_lowercase();
    let mut found = Vec::new();
    let mut add = |label: String, detail: &str| {
        if label.to_ascii_lowercase().starts_with(&prefix) {
            found.push(Completion { label, detail: detail.to_owned(), replace: context.replace });
        }
    };
    context.offer(text, &mut add);
    found
}

/// The statement before a place, and the word that is being typed.
struct Context {
    /// Significant tokens of the statement before the word.
    statement: Vec<Token>,
    replace: Span,
}

impl Context {
    /// Nothing where nothing can be completed: within comments and numbers.
    fn at(text: &[u8], offset: usize) -> Option<Self> {
        let mut statement = Vec::new();
        let mut replace = Span::at(offset);
        for token in Lexer::new(text).take_while(|t| t.span.start < offset) {
            let touches = token.span.end >= offset;
            match token.kind {
                TokenKind::Whitespace => {}
                TokenKind::Comment | TokenKind::Number | TokenKind::BadNumber if touches => return None,
                TokenKind::Comment => {}
                TokenKind::Header | TokenKind::Semicolon => statement.clear(),
                TokenKind::Word | TokenKind::Dimension if touches => replace = token.span,
                // A text without semicolons shall not pile up.
                _ if statement.len() < 1024 => statement.push(token),
                _ => {}
            }
        }
        Some(Self { statement, replace })
    }

    fn offer(&self, text: &[u8], add: &mut impl FnMut(String, &str)) {
        let kind_back = |n: usize| self.statement.iter().rev().nth(n).map(|t| t.kind);
        let word_back = |n: usize| {
            self.statement.iter().rev().nth(n).map_or_else(String::new, |t| lossy(t.span.slice(text)))
        };
        let Some(first) = self.statement.first() else {
            statements(add);
            return;
        };
        match kind_back(0) {
            Some(TokenKind::Dot) => {
                for letters in ["x", "y", "z", "w", "xyz", "xyzw"] {
                    add(letters.to_owned(), "components");
                }
                return;
            }
            Some(TokenKind::LeftBracket) => {
                elements(&word_back(1), add);
                return;
            }
            Some(TokenKind::LeftParen) => {
                conditions(add);
                return;
            }
            _ => {}
        }
        let word = lossy(first.span.slice(text));
        match classify(&word) {
            Word::Instruction(info, _) => self.operands(info, text, add),
            Word::Define | Word::Declare if self.statement.iter().any(|t| t.kind == TokenKind::Equals) => {
                names(text, self.replace.start, add);
            }
            _ => {}
        }
    }

    /// Offers for the operand that is being typed: commas outside braces tell which.
    fn operands(&self, info: &Info, text: &[u8], add: &mut impl FnMut(String, &str)) {
        let mut depth = 0_usize;
        let mut place = 0;
        for token in &self.statement {
            match token.kind {
                TokenKind::LeftBrace => depth += 1,
                TokenKind::RightBrace => depth = depth.saturating_sub(1),
                TokenKind::Comma if depth == 0 => place += 1,
                _ => {}
            }
        }
        // Behind a complete operand only punctuation can follow.
        let complete = self.statement.last().is_some_and(|t| {
            self.statement.len() > 1
                && !matches!(
                    t.kind,
                    TokenKind::Comma
                        | TokenKind::Plus
                        | TokenKind::Minus
                        | TokenKind::Bar
                        | TokenKind::LeftBrace
                )
        });
        if complete {
            return;
        }
        let has_destination = info.result != ResultKind::None;
        if has_destination && place == 0 {
            destinations(text, add);
            return;
        }
        let index = place - usize::from(has_destination);
        match info.operands.get(index) {
            Some(OperandKind::Vector | OperandKind::Scalar) => sources(text, self.replace.start, add),
            Some(OperandKind::Condition | OperandKind::BranchCondition) => conditions(add),
            Some(OperandKind::Address | OperandKind::Label) => {}
            Some(OperandKind::TextureImage) => {
                for unit in 0..IMAGE_UNITS {
                    add(format!("TEX{unit}"), "texture image unit");
                }
            }
            None if info.operands.last() == Some(&OperandKind::TextureImage)
                && index == info.operands.len() =>
            {
                for target in TextureTarget::ALL {
                    add(target.name().to_owned(), "texture target");
                }
            }
            None => {}
        }
    }
}

/// Plain mnemonics and keywords first, then every suffixed name.
fn statements(add: &mut impl FnMut(String, &str)) {
    let title = |word: &str| match lookup(Language::Fp1, word) {
        Lookup::Instruction(info, _) => info.title,
        Lookup::BadSuffix(_) | Lookup::Unknown => "statement",
    };
    let plain: Vec<&str> = statement_words().collect();
    for word in &plain {
        add((*word).to_owned(), title(word));
    }
    let suffixed: BTreeSet<&str> = instruction_names().filter(|n| !plain.contains(n)).collect();
    for name in suffixed {
        add(name.to_owned(), title(name));
    }
}

fn elements(array: &str, add: &mut impl FnMut(String, &str)) {
    match classify(array) {
        Word::AttributeArray => {
            for attribute in Attribute::FRAGMENT {
                add(attribute.name().to_owned(), "attribute");
            }
        }
        Word::OutputArray => {
            for output in OutputName::ALL {
                add(output.name().to_owned(), "output");
            }
        }
        _ => {}
    }
}

fn conditions(add: &mut impl FnMut(String, &str)) {
    for condition in Condition::ALL {
        add(condition.name().to_owned(), "condition rule");
    }
}

/// Temporaries that the text already names, so that completion follows the program's habits.
fn temporaries(text: &[u8], add: &mut impl FnMut(String, &str)) {
    let mut seen = BTreeSet::new();
    for token in Lexer::new(text).filter(|t| t.kind == TokenKind::Word) {
        let word = lossy(token.span.slice(text));
        if let Word::Temporary(register) = classify(&word)
            && seen.insert(register.index())
        {
            add(word, "temporary");
        }
    }
}

fn destinations(text: &[u8], add: &mut impl FnMut(String, &str)) {
    for output in OutputName::ALL {
        add(format!("o[{}]", output.name()), "output");
    }
    temporaries(text, add);
    add("RC".to_owned(), "condition code only, fp32");
    add("HC".to_owned(), "condition code only, fp16");
}

/// Names made before `offset`.
fn names(text: &[u8], offset: usize, add: &mut impl FnMut(String, &str)) {
    for item in outline(text).into_iter().filter(|i| i.span.end <= offset) {
        match item.kind {
            OutlineKind::Constant => add(item.title, &format!("= {}", item.detail)),
            OutlineKind::Parameter => add(item.title, "local parameter"),
            OutlineKind::Section | OutlineKind::Texture | OutlineKind::Output => {}
        }
    }
}

fn sources(text: &[u8], offset: usize, add: &mut impl FnMut(String, &str)) {
    names(text, offset, add);
    temporaries(text, add);
    for attribute in Attribute::FRAGMENT {
        add(format!("f[{}]", attribute.name()), "attribute");
    }
    add("p[0]".to_owned(), "numbered parameter");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Labels offered at `@`.
    fn at(marked: &str) -> Vec<String> {
        let offset = marked.find('@').unwrap();
        let text = marked.replacen('@', "", 1);
        completions(text.as_bytes(), offset).into_iter().map(|c| c.label).collect()
    }

    #[test]
    fn offers_fit_the_place() {
        assert_eq!(
            at("!!FP1.0\nSU@"),
            [
                "SUB",
                "SUBC",
                "SUBC_SAT",
                "SUBH",
                "SUBHC",
                "SUBHC_SAT",
                "SUBH_SAT",
                "SUBR",
                "SUBRC",
                "SUBRC_SAT",
                "SUBR_SAT",
                "SUBX",
                "SUBXC",
                "SUBXC_SAT",
                "SUBX_SAT",
                "SUB_SAT"
            ]
        );
        assert_eq!(at("!!FP1.0\nde@"), ["DEFINE", "DECLARE"]);
        assert_eq!(at("!!FP1.0\nMOV o[@"), ["COLR", "COLH", "DEPR"]);
        assert_eq!(at("!!FP1.0\nMOV R0, f[F@"), ["FOGC"]);
        assert_eq!(at("!!FP1.0\nTEX R0, f[TEX0], TEX1, @"), ["1D", "2D", "3D", "CUBE", "RECT"]);
        assert_eq!(at("!!FP1.0\nTEX R0, f[TEX0], TEX1@")[..2], ["TEX1", "TEX10"]);
        assert_eq!(at("!!FP1.0\nKIL N@"), ["NE"]);
        assert_eq!(at("!!FP1.0\nMOV R0 (G@"), ["GE", "GT"]);
        assert_eq!(at("!!FP1.0\nDEFINE pi = 3;\nDECLARE px;\nMOV R7, -|p@"), ["pi", "px", "p[0]"]);
        assert_eq!(at("!!FP1.0\nMOV R5, H3;\nMOV R@"), ["R5", "RC"]);
    }

    #[test]
    fn nothing_is_offered_where_nothing_fits() {
        for text in [
            "!!FP1.0 # MO@",
            "!!FP1.0\nMOV R0, 2@",
            "!!FP1.0\nMOV R0 @",
            "!!FP1.0\nMOV R0, R1, @",
            "!!FP1.0\nDEFINE @",
        ] {
            assert_eq!(at(text), Vec::<String>::new(), "{text}");
        }
        assert_eq!(completions(b"", 5).len(), completions(b"", 0).len());
    }
}
