//! The parser that all languages share. It looks ahead by one significant token of the lossless lexer, and
//! recovers after faults.
//!
//! [`Parser`] is generic over a [`Grammar`], which reads the language's own parts. [`super::statement`] reads
//! statements, and [`super::label`] labels. [`super::operand`] reads operands, destinations, swizzles and
//! masks.

use super::dialect::Grammar;
use super::{Sink, excerpt, lossy};
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::syntax::{Lexer, Token, TokenKind};

/// The rest of the statement cannot be read. The fault has been reported.
#[derive(Debug)]
pub struct Reported;

/// The result of reading a part of a statement.
pub type Parse<T> = Result<T, Reported>;

/// The part of a program that the parser has reached: first options, then declarations, then statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Options,
    /// After a word that is not an option, and perhaps not a statement either.
    Declarations,
    /// After the first word of the first statement, which is at this span.
    Statements(Span),
}

/// The parser, generic over the language's own part `G`.
pub struct Parser<'t, G> {
    pub text: &'t [u8],
    lexer: Lexer<'t>,
    /// The token to read next.
    pub token: Token,
    /// Whether a line ended between the previous token and this one.
    line_begins: bool,
    /// The place of the last token.
    pub previous: Span,
    pub sink: Sink,
    /// The number of statements begun so far.
    pub(super) statements: usize,
    pub section: Section,
    /// The language's own state.
    pub own: G,
}

impl<'t, G: Grammar<'t>> Parser<'t, G> {
    /// A parser of `text` that has read the header.
    pub fn new(text: &'t [u8], own: G) -> Self {
        let mut parser = Self {
            text,
            lexer: Lexer::new(text),
            token: Token { kind: TokenKind::Header, span: Span::at(0) },
            line_begins: true,
            previous: Span::at(0),
            sink: Sink::default(),
            statements: 0,
            section: Section::Options,
            own,
        };
        parser.advance();
        parser.advance();
        parser
    }

    /// Notes that options must not follow.
    pub fn end_options(&mut self) {
        if self.section == Section::Options {
            self.section = Section::Declarations;
        }
    }

    /// Notes a statement whose first word is at `at`: options and declarations must not follow.
    pub fn begin_statement(&mut self, at: Span) {
        if !matches!(self.section, Section::Statements(_)) {
            self.section = Section::Statements(at);
        }
    }

    /// The next token, if it is a word. Otherwise empty.
    pub fn word(&self) -> &'t str {
        self.word_at(self.token)
    }

    pub fn word_at(&self, token: Token) -> &'t str {
        match token.kind {
            // Words are ASCII by the lexer's rules.
            TokenKind::Word => std::str::from_utf8(token.span.slice(self.text)).unwrap_or_default(),
            _ => "",
        }
    }

    /// Reads one token and returns it. Reports unknown characters on the way to the next token.
    pub fn advance(&mut self) -> Token {
        let read = self.token;
        self.previous = read.span;
        self.line_begins = false;
        loop {
            let Some(token) = self.lexer.next() else {
                let end = Span::at(self.text.len());
                self.token = Token { kind: TokenKind::EndOfText, span: end };
                return read;
            };
            match token.kind {
                TokenKind::Whitespace => {
                    let bytes = token.span.slice(self.text);
                    self.line_begins |= bytes.iter().any(|b| matches!(b, b'\n' | b'\r'));
                }
                TokenKind::Comment => {}
                TokenKind::Colon if !self.own.dialect().has_colon => self.unknown_characters(token.span),
                TokenKind::Unknown => self.unknown_characters(token.span),
                _ => {
                    self.token = token;
                    return read;
                }
            }
        }
    }

    /// The token after the next one.
    pub fn following(&self) -> Option<Token> {
        self.lookahead().next()
    }

    /// The tokens after the next one.
    pub fn lookahead(&self) -> impl Iterator<Item = Token> {
        self.lexer.clone().filter(|token| {
            !matches!(token.kind, TokenKind::Whitespace | TokenKind::Comment | TokenKind::Unknown)
        })
    }

    /// Whether `:` is the token after the next one.
    pub fn colon_follows(&self) -> bool {
        self.following().is_some_and(|token| token.kind == TokenKind::Colon)
    }

    /// Whether the next token can only begin a statement.
    pub fn begins_statement(&self) -> bool {
        self.token.kind == TokenKind::Word
            && (self.own.role(self.word()).begins_statement()
                || (self.own.dialect().has_colon && self.colon_follows()))
    }

    fn unknown_characters(&mut self, span: Span) {
        if self.sink.is_full() {
            return;
        }
        let bytes = span.slice(self.text);
        let shown: String = lossy(&bytes[..bytes.len().min(32)]).chars().take(8).collect();
        let shown: String = shown.chars().flat_map(char::escape_debug).collect();
        let mut fault = Diagnostic::new(
            self.own.dialect().codes.unknown_character,
            span,
            format!("`{shown}` is not part of the language"),
        )
        .with_note("Only comments can contain characters outside ASCII.");
        if bytes.contains(&0) {
            fault = fault.with_note("A NUL byte does not mark the end of the program.");
        }
        let replacement = match std::str::from_utf8(bytes) {
            Ok("\u{2212}" | "\u{2013}" | "\u{2014}") => Some("-"),
            Ok("\u{a0}" | "\x0b" | "\x0c") => Some(" "),
            Ok("\u{ff1b}") => Some(";"),
            Ok("\u{ff0c}") => Some(","),
            Ok("\u{feff}") => Some(""),
            _ => None,
        };
        if let Some(replacement) = replacement {
            let title = match replacement {
                "" => "remove it".to_owned(),
                " " => "replace with a space".to_owned(),
                _ => format!("replace with {replacement}"),
            };
            fault = fault.with_fix(title, span, replacement);
        }
        self.sink.push(fault);
    }

    /// The next token, in words, for "... found ...".
    pub fn found(&self) -> String {
        self.found_token(self.token)
    }

    fn found_token(&self, token: Token) -> String {
        match token.kind {
            TokenKind::EndOfText => "the end of the program".to_owned(),
            _ => format!("`{}`", self.excerpt(token.span)),
        }
    }

    /// The bytes of `span` for a message, clipped.
    pub fn excerpt(&self, span: Span) -> String {
        excerpt(span.slice(self.text))
    }

    /// Reports that the next token is not `wanted`.
    pub fn unexpected(&mut self, wanted: &str) -> Reported {
        let found = self.found();
        self.sink.push(Diagnostic::new(
            self.own.dialect().codes.unexpected,
            self.token.span,
            format!("expected {wanted}, found {found}"),
        ));
        Reported
    }

    /// Reports `fault` and ends the statement.
    pub fn fail<T>(&mut self, fault: Diagnostic) -> Parse<T> {
        self.sink.push(fault);
        Err(Reported)
    }

    pub fn eat(&mut self, kind: TokenKind) -> Option<Span> {
        (self.token.kind == kind).then(|| self.advance().span)
    }

    pub fn expect(&mut self, kind: TokenKind, wanted: &str) -> Parse<Span> {
        self.eat(kind).map_or_else(|| Err(self.unexpected(wanted)), Ok)
    }

    /// Skips to the next statement: past a `;`, or to a line that begins like a statement.
    pub(super) fn recover(&mut self) {
        loop {
            match self.token.kind {
                TokenKind::EndOfText => return,
                TokenKind::Semicolon => {
                    self.advance();
                    return;
                }
                TokenKind::Word if self.line_begins && self.begins_statement() => return,
                // `END` cannot occur elsewhere, so it ends the program here.
                TokenKind::Word if self.word() == "END" => return,
                _ => {
                    self.advance();
                }
            }
        }
    }

    /// Reads `;`. Reports a missing one, and needs no recovery if the next statement begins here.
    pub fn semicolon(&mut self) -> Parse<()> {
        if self.eat(TokenKind::Semicolon).is_some() {
            return Ok(());
        }
        let behind = Span::at(self.previous.end);
        let next_statement = self.token.kind == TokenKind::EndOfText || self.begins_statement();
        if next_statement || (self.line_begins && self.token.kind == TokenKind::Word) {
            self.sink.push(
                Diagnostic::new(
                    self.own.dialect().codes.missing_semicolon,
                    self.token.span,
                    format!("expected `;` before {}", self.found()),
                )
                .with_label(behind, "add a `;` here")
                .with_fix("insert a semicolon", behind, ";"),
            );
            return Ok(());
        }
        Err(self.unexpected("`;`"))
    }
}
