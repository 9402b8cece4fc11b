//! The lossless lexer, shared by the parsers and the highlighter.
//!
//! Every byte of a text belongs to exactly one token, whitespace, comments and unknown characters included.
//! The lexer knows no instructions or registers: a [`TokenKind::Word`] is a run of letters and digits. Only
//! whitespace tokens span a line ending, so each line can be lexed alone.

use crate::isa::Language;
use crate::source::Span;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Spaces, tabs, line feeds and carriage returns (NV_fragment_program 3.11.3 names no others).
    Whitespace,
    /// `#` up to the end of the line, without the line ending.
    Comment,
    /// `!!...` at the start of the text.
    Header,
    /// Letters, `_`, `$` and digits, not beginning with a digit.
    Word,
    /// A number without sign: `2`, `2.`, `.5`, `2.5e-3`.
    Number,
    /// A number directly followed by letters: `2.0e`, `4D`, `1.x`.
    BadNumber,
    /// `1D`, `2D` or `3D`.
    Dimension,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `.`
    Dot,
    /// `..` in ranges.
    DotDot,
    /// `=`
    Equals,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `|`
    Bar,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// A run of bytes that no token starts with.
    Unknown,
    /// The end of the text. The lexer never returns this kind; parsers use it after the last token.
    EndOfText,
}

impl TokenKind {
    /// Whether the token begins like a number.
    pub const fn is_numeric(self) -> bool {
        matches!(self, Self::Number | Self::BadNumber | Self::Dimension)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// Whether `byte` can begin a word: letters, `_` and `$` (NV_fragment_program 3.11.3, `<identifier>`).
pub const fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$'
}

/// Whether `byte` can be inside a word.
pub const fn is_word_byte(byte: u8) -> bool {
    is_letter(byte) || byte.is_ascii_digit()
}

const fn is_whitespace(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// An iterator over the tokens of a text.
#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    text: &'t [u8],
    offset: usize,
    /// The offset at which a header is allowed; past the end of the text if none is.
    header_at: usize,
}

impl<'t> Lexer<'t> {
    /// Lexes a whole text, which may begin with a header.
    pub const fn new(text: &'t [u8]) -> Self {
        Self { text, offset: 0, header_at: 0 }
    }

    /// Lexes a part of a text other than its beginning, such as a later line.
    pub const fn continuation(text: &'t [u8]) -> Self {
        Self { text, offset: 0, header_at: usize::MAX }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.offset + ahead).copied()
    }

    /// The length of the run of bytes from `ahead` on for which `keep` returns true.
    fn run(&self, ahead: usize, keep: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.get(self.offset + ahead..).unwrap_or_default();
        rest.iter().position(|&b| !keep(b)).unwrap_or(rest.len())
    }

    /// The length of the number at the current offset, or 0.
    fn number(&self) -> usize {
        let integer = self.run(0, |b| b.is_ascii_digit());
        let mut length = integer;
        // Two points are one token, even directly after a number.
        if self.peek(length) == Some(b'.') && self.peek(length + 1) != Some(b'.') {
            let fraction = self.run(length + 1, |b| b.is_ascii_digit());
            if integer + fraction == 0 {
                return 0;
            }
            length += 1 + fraction;
        }
        if length > 0 && matches!(self.peek(length), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.peek(length + 1), Some(b'+' | b'-')));
            let digits = self.run(length + 1 + sign, |b| b.is_ascii_digit());
            if digits > 0 {
                length += 1 + sign + digits;
            }
        }
        length
    }

    fn number_token(&self, length: usize) -> (TokenKind, usize) {
        let tail = self.run(length, is_word_byte);
        let whole = &self.text[self.offset..self.offset + length + tail];
        match whole {
            _ if tail == 0 => (TokenKind::Number, length),
            b"1D" | b"2D" | b"3D" => (TokenKind::Dimension, 2),
            _ => (TokenKind::BadNumber, whole.len()),
        }
    }

    fn header(&self) -> Option<usize> {
        let rest = &self.text[self.offset..];
        if self.offset != self.header_at || !rest.starts_with(b"!!") {
            return None;
        }
        if let Some(language) = Language::of_header(rest) {
            return Some(language.header().len());
        }
        Some(2 + self.run(2, |b| is_word_byte(b) || b == b'.'))
    }

    fn token(&self, first: u8) -> (TokenKind, usize) {
        if let Some(length) = self.header() {
            return (TokenKind::Header, length);
        }
        let punctuation = match first {
            b if is_whitespace(b) => return (TokenKind::Whitespace, self.run(0, is_whitespace)),
            b'#' => return (TokenKind::Comment, self.run(0, |b| b != b'\n' && b != b'\r')),
            b if is_letter(b) => return (TokenKind::Word, self.run(0, is_word_byte)),
            b'0'..=b'9' | b'.' => {
                let length = self.number();
                if length > 0 {
                    return self.number_token(length);
                }
                if self.peek(1) == Some(b'.') {
                    return (TokenKind::DotDot, 2);
                }
                TokenKind::Dot
            }
            b';' => TokenKind::Semicolon,
            b':' => TokenKind::Colon,
            b',' => TokenKind::Comma,
            b'=' => TokenKind::Equals,
            b'+' => TokenKind::Plus,
            b'-' => TokenKind::Minus,
            b'|' => TokenKind::Bar,
            b'[' => TokenKind::LeftBracket,
            b']' => TokenKind::RightBracket,
            b'{' => TokenKind::LeftBrace,
            b'}' => TokenKind::RightBrace,
            b'(' => TokenKind::LeftParen,
            b')' => TokenKind::RightParen,
            _ => return (TokenKind::Unknown, self.run(0, is_unknown)),
        };
        (punctuation, 1)
    }
}

/// Whether no token can begin with `byte`.
const fn is_unknown(byte: u8) -> bool {
    !is_whitespace(byte)
        && !is_word_byte(byte)
        && !matches!(
            byte,
            b'#' | b'.'
                | b';'
                | b':'
                | b','
                | b'='
                | b'+'
                | b'-'
                | b'|'
                | b'['
                | b']'
                | b'{'
                | b'}'
                | b'('
                | b')'
        )
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let first = self.peek(0)?;
        let (kind, length) = self.token(first);
        let span = Span::new(self.offset, self.offset + length);
        self.offset = span.end;
        Some(Token { kind, span })
    }
}

#[cfg(test)]
mod tests {
    use super::TokenKind::*;
    use super::*;
    use proptest::prelude::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        Lexer::new(text.as_bytes())
            .filter(|t| t.kind != Whitespace)
            .map(|t| (t.kind, &text[t.span.start..t.span.end]))
            .collect()
    }

    #[test]
    fn words_numbers_and_dots_are_told_apart() {
        assert_eq!(kinds("R0.x"), [(Word, "R0"), (Dot, "."), (Word, "x")]);
        assert_eq!(kinds(".5"), [(Number, ".5")]);
        assert_eq!(kinds("2."), [(Number, "2.")]);
        assert_eq!(kinds("2.e3"), [(Number, "2.e3")]);
        assert_eq!(kinds("2.5e-3,"), [(Number, "2.5e-3"), (Comma, ",")]);
        assert_eq!(kinds("1E+06"), [(Number, "1E+06")]);
        assert_eq!(kinds("2.0e"), [(BadNumber, "2.0e")]);
        assert_eq!(kinds("2.0e+"), [(BadNumber, "2.0e"), (Plus, "+")]);
        assert_eq!(kinds("1.x"), [(BadNumber, "1.x")]);
        assert_eq!(kinds("1.5.5"), [(Number, "1.5"), (Number, ".5")]);
        assert_eq!(kinds("0..3"), [(Number, "0"), (DotDot, ".."), (Number, "3")]);
        assert_eq!(kinds("0 ...5"), [(Number, "0"), (DotDot, ".."), (Number, ".5")]);
        assert_eq!(kinds("1.5..2"), [(Number, "1.5"), (DotDot, ".."), (Number, "2")]);
        assert_eq!(
            kinds("1D,2D;3D"),
            [(Dimension, "1D"), (Comma, ","), (Dimension, "2D"), (Semicolon, ";"), (Dimension, "3D")]
        );
        assert_eq!(kinds("4D 1DX 1.D"), [(BadNumber, "4D"), (BadNumber, "1DX"), (BadNumber, "1.D")]);
        assert_eq!(kinds("_a$1"), [(Word, "_a$1")]);
    }

    #[test]
    fn comments_end_at_lf_or_cr() {
        assert_eq!(
            kinds("#a\rB#c\nD#e"),
            [(Comment, "#a"), (Word, "B"), (Comment, "#c"), (Word, "D"), (Comment, "#e")]
        );
    }

    #[test]
    fn a_header_stands_only_at_the_start() {
        assert_eq!(kinds("!!FP1.0MOV")[..2], [(Header, "!!FP1.0"), (Word, "MOV")]);
        assert_eq!(kinds("!!VP1.1A:")[..], [(Header, "!!VP1.1"), (Word, "A"), (Colon, ":")]);
        assert_eq!(kinds("!!VSP1.0#")[0], (Header, "!!VSP1.0"));
        assert_eq!(kinds("!!ARBfp1.0\n")[..1], [(Header, "!!ARBfp1.0")]);
        assert_eq!(kinds(" !!FP1.0")[0], (Unknown, "!!"));
        assert_eq!(Lexer::continuation(b"!!FP1.0").next().map(|t| t.kind), Some(Unknown));
    }

    #[test]
    fn unknown_bytes_make_one_token_a_run() {
        assert_eq!(kinds("a→\u{a0}b")[1].0, Unknown);
        assert_eq!(kinds("a→\u{a0}b").len(), 3);
        assert_eq!(kinds("\0\x0b\x0c"), [(Unknown, "\0\x0b\x0c")]);
    }

    proptest! {
        #[test]
        fn tokens_tile_any_text(text in proptest::collection::vec(any::<u8>(), 0..300)) {
            let mut end = 0;
            for token in Lexer::new(&text) {
                prop_assert_eq!(token.span.start, end);
                prop_assert!(!token.span.is_empty());
                end = token.span.end;
            }
            prop_assert_eq!(end, text.len());
        }

        #[test]
        fn tokens_tile_program_like_text(text in "[RHf.xyzw0-9eED+\\-|{}()!#;, \n\r]{0,200}") {
            let mut end = 0;
            for token in Lexer::new(text.as_bytes()) {
                prop_assert_eq!(token.span.start, end);
                end = token.span.end;
            }
            prop_assert_eq!(end, text.len());
        }
    }
}
