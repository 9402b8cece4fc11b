//! Tokens for colouring, from the parser's own lexer and word list.
//!
//! A line is coloured from its own bytes alone, so an editor may redo only the lines that changed. The
//! price: on a line that goes on with an earlier statement, a word is judged without that statement.

use crate::front::fp1::words::{OutputName, Word, classify, numbered};
use crate::front::language_of;
use crate::ir::Attribute;
use crate::isa::{self, Language, Lookup};
use crate::source::{LineIndex, Span};
use crate::syntax::{self, Lexer};

/// What a token is, for colouring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// The header that names the language.
    Header,
    /// An instruction name without its suffixes.
    Mnemonic,
    /// The suffixes of an instruction name.
    Suffix,
    /// `DEFINE`, `DECLARE`, `END`.
    Keyword,
    /// A temporary, `RC` or `HC`.
    Register,
    /// `f`, and the name in its brackets.
    Attribute,
    /// `o`, and the name in its brackets.
    Output,
    /// `p`, and the number in its brackets.
    Parameter,
    /// The name of a constant or local parameter, defined or not.
    Name,
    /// A number.
    Number,
    /// Component letters behind a point: swizzle, scalar suffix or write mask.
    Swizzle,
    /// A condition rule.
    Condition,
    /// `TEX0` and so on, outside `f[...]`.
    TextureUnit,
    /// `1D`, `2D`, `3D`, `CUBE`, `RECT`.
    TextureTarget,
    /// Separators, signs and brackets.
    Punctuation,
    /// A comment.
    Comment,
    /// Spaces and line endings.
    Whitespace,
    /// What no rule of the language takes here.
    Error,
}

/// A coloured piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its bytes.
    pub span: Span,
    /// What it is.
    pub kind: TokenKind,
}

/// The tokens of a whole text; their spans cover every byte, in order.
pub fn highlight(text: &[u8]) -> Vec<Token> {
    let index = LineIndex::new(text);
    let mut tokens = Vec::new();
    for line in 0..index.line_count() {
        let span = index.line_span(line);
        tokens.extend(highlight_line(span.slice(text), line).into_iter().map(|token| Token {
            span: Span::new(token.span.start + span.start, token.span.end + span.start),
            kind: token.kind,
        }));
    }
    tokens
}

/// The tokens of one line, its line ending included or not; spans count from the line's start. Only line
/// 0 can hold a header.
pub fn highlight_line(line: &[u8], line_number: usize) -> Vec<Token> {
    let lexer = if line_number == 0 { Lexer::new(line) } else { Lexer::continuation(line) };
    let mut highlighter = Highlighter { line, before: Before::Statement, tokens: Vec::new() };
    for token in lexer {
        highlighter.token(token);
    }
    highlighter.tokens
}

/// What stands before a token on its line, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing, or a `;`.
    Statement,
    /// An array name.
    Array(Array),
    /// An array name and `[`.
    Bracket(Array),
    /// A `.`, or component letters.
    Components,
    /// Anything else.
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Array {
    Attributes,
    Outputs,
    Parameters,
}

struct Highlighter<'l> {
    line: &'l [u8],
    before: Before,
    tokens: Vec<Token>,
}

impl Highlighter<'_> {
    fn push(&mut self, span: Span, kind: TokenKind) {
        if !span.is_empty() {
            self.tokens.push(Token { span, kind });
        }
    }

    fn token(&mut self, token: syntax::Token) {
        use syntax::TokenKind as Lexed;
        let before = self.before;
        let (kind, after) = match token.kind {
            Lexed::Whitespace => (TokenKind::Whitespace, before),
            Lexed::Comment => (TokenKind::Comment, before),
            Lexed::Header => {
                let known = language_of(token.span.slice(self.line)).is_some();
                (if known { TokenKind::Header } else { TokenKind::Error }, Before::Statement)
            }
            Lexed::Word => {
                self.word(token.span);
                return;
            }
            Lexed::Number if before == Before::Bracket(Array::Parameters) => {
                (TokenKind::Parameter, Before::Other)
            }
            Lexed::Number => (TokenKind::Number, Before::Other),
            Lexed::Dimension => (TokenKind::TextureTarget, Before::Other),
            Lexed::BadNumber | Lexed::Colon | Lexed::Unknown | Lexed::EndOfText => (TokenKind::Error, before),
            Lexed::Semicolon => (TokenKind::Punctuation, Before::Statement),
            Lexed::Dot => (TokenKind::Punctuation, Before::Components),
            Lexed::LeftBracket => match before {
                Before::Array(array) => (TokenKind::Punctuation, Before::Bracket(array)),
                _ => (TokenKind::Punctuation, Before::Other),
            },
            Lexed::Comma
            | Lexed::Equals
            | Lexed::Plus
            | Lexed::Minus
            | Lexed::Bar
            | Lexed::RightBracket
            | Lexed::LeftBrace
            | Lexed::RightBrace
            | Lexed::LeftParen
            | Lexed::RightParen => (TokenKind::Punctuation, Before::Other),
        };
        self.push(token.span, kind);
        self.before = after;
    }

    fn word(&mut self, span: Span) {
        let word = std::str::from_utf8(span.slice(self.line)).unwrap_or_default();
        let before = std::mem::replace(&mut self.before, Before::Other);
        let components = word.bytes().all(|b| matches!(b, b'x' | b'y' | b'z' | b'w'));
        let kind = match before {
            Before::Components if components => {
                self.before = Before::Components;
                TokenKind::Swizzle
            }
            Before::Components => TokenKind::Error,
            Before::Bracket(Array::Attributes) if Attribute::FRAGMENT.iter().any(|a| a.name() == word) => {
                TokenKind::Attribute
            }
            Before::Bracket(Array::Outputs) if OutputName::ALL.iter().any(|o| o.name() == word) => {
                TokenKind::Output
            }
            Before::Bracket(_) => TokenKind::Error,
            Before::Statement | Before::Array(_) | Before::Other => {
                self.free_word(word, span, before == Before::Statement);
                return;
            }
        };
        self.push(span, kind);
    }

    fn free_word(&mut self, word: &str, span: Span, begins: bool) {
        let kind = match classify(word) {
            Word::Instruction(info, _) => {
                self.instruction(span, info.mnemonic.len(), TokenKind::Suffix);
                return;
            }
            Word::End | Word::Define | Word::Declare => TokenKind::Keyword,
            Word::Temporary(_) | Word::ConditionRegister(_) => TokenKind::Register,
            Word::AttributeArray => {
                self.before = Before::Array(Array::Attributes);
                TokenKind::Attribute
            }
            Word::OutputArray => {
                self.before = Before::Array(Array::Outputs);
                TokenKind::Output
            }
            Word::ParameterArray => {
                self.before = Before::Array(Array::Parameters);
                TokenKind::Parameter
            }
            Word::AttributeName | Word::OutputName => TokenKind::Error,
            Word::TextureUnit(_) => TokenKind::TextureUnit,
            Word::Target => TokenKind::TextureTarget,
            Word::Condition(_) => TokenKind::Condition,
            Word::Name => match isa::lookup(Language::Fp1, word) {
                Lookup::BadSuffix(info) if begins => {
                    self.instruction(span, info.mnemonic.len(), TokenKind::Error);
                    return;
                }
                // Units past the last are no names anyone would choose.
                _ if numbered(word, "TEX").is_some() => TokenKind::Error,
                _ => TokenKind::Name,
            },
        };
        self.push(span, kind);
    }

    fn instruction(&mut self, span: Span, mnemonic: usize, suffix: TokenKind) {
        let middle = span.start + mnemonic;
        self.push(Span::new(span.start, middle), TokenKind::Mnemonic);
        self.push(Span::new(middle, span.end), suffix);
    }
}

#[cfg(test)]
mod tests {
    use super::TokenKind::*;
    use super::*;
    use proptest::prelude::*;

    fn coloured(line: &str) -> Vec<(&str, TokenKind)> {
        highlight_line(line.as_bytes(), 1)
            .into_iter()
            .filter(|t| !matches!(t.kind, Whitespace | Punctuation))
            .map(|t| (&line[t.span.start..t.span.end], t.kind))
            .collect()
    }

    #[test]
    fn an_instruction_in_all_its_parts() {
        assert_eq!(
            coloured("MADRC_SAT R0.xyz (GT.x), f[TEX0].yzzx, p[3], -|tint|; # why"),
            [
                ("MAD", Mnemonic),
                ("RC_SAT", Suffix),
                ("R0", Register),
                ("xyz", Swizzle),
                ("GT", Condition),
                ("x", Swizzle),
                ("f", Attribute),
                ("TEX0", Attribute),
                ("yzzx", Swizzle),
                ("p", Parameter),
                ("3", Parameter),
                ("tint", Name),
                ("# why", Comment),
            ]
        );
        assert_eq!(
            coloured("TXP o[COLH], f[FOGC], TEX15, CUBE;TEX R0,x,TEX1,2D;"),
            [
                ("TXP", Mnemonic),
                ("o", Output),
                ("COLH", Output),
                ("f", Attribute),
                ("FOGC", Attribute),
                ("TEX15", TextureUnit),
                ("CUBE", TextureTarget),
                ("TEX", Mnemonic),
                ("R0", Register),
                ("x", Name),
                ("TEX1", TextureUnit),
                ("2D", TextureTarget),
            ]
        );
        assert_eq!(
            coloured("DEFINE pi = 3.14; KIL EQ; END"),
            [
                ("DEFINE", Keyword),
                ("pi", Name),
                ("3.14", Number),
                ("KIL", Mnemonic),
                ("EQ", Condition),
                ("END", Keyword),
            ]
        );
    }

    #[test]
    fn faults_stand_out() {
        assert_eq!(
            coloured("COSX HC.rgb, f[TEX9], 2.0e;"),
            [
                ("COS", Mnemonic),
                ("X", Error),
                ("HC", Register),
                ("rgb", Error),
                ("f", Attribute),
                ("TEX9", Error),
                ("2.0e", Error),
            ]
        );
        assert_eq!(highlight(b"!!FP1.0\n!!FP1.0")[0].kind, Header);
        assert_eq!(highlight(b"!!FP1.0\n!!FP1.0")[2].kind, Error);
        assert_eq!(highlight(b"!!ARBfp1.0")[0].kind, Error);
    }

    proptest! {
        #[test]
        fn tokens_cover_every_byte_in_order(text in proptest::collection::vec(any::<u8>(), 0..300)) {
            let mut end = 0;
            for token in highlight(&text) {
                prop_assert_eq!(token.span.start, end);
                prop_assert!(!token.span.is_empty());
                end = token.span.end;
            }
            prop_assert_eq!(end, text.len());
        }
    }
}
