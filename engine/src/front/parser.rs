//! What the parsers of all languages share: one significant token of lookahead over the lossless lexer,
//! the list of statements, recovery from faults, and the punctuation of an instruction.
//!
//! [`Parser`] is generic over a [`Grammar`], which reads what is the language's own; operands,
//! destinations, swizzles and masks are in [`super::operand`].

use super::dialect::{Draft, DraftOf, Grammar};
use super::{Sink, lossy};
use crate::diag::Diagnostic;
use crate::isa::{Info, Language, OperandKind, ResultKind, Suffixes};
use crate::source::Span;
use crate::syntax::{Lexer, Token, TokenKind};

/// The statement cannot be read further; what is wrong has been reported.
#[derive(Debug)]
pub(crate) struct Reported;

/// What reading a part of a statement gives.
pub(crate) type Parse<T> = Result<T, Reported>;

/// How a program ended.
pub(crate) enum Ending {
    /// With `END`.
    Complete,
    /// Without, or reading was given up.
    Broken,
}

/// The parser.
pub(crate) struct Parser<'t, G> {
    pub text: &'t [u8],
    lexer: Lexer<'t>,
    /// The token to read next.
    pub token: Token,
    /// Whether a line ended between the previous token and this one.
    line_begins: bool,
    /// The token read last.
    pub previous: Span,
    pub sink: Sink,
    statements: usize,
    /// The language's own state.
    pub own: G,
}

impl<'t, G: Grammar<'t>> Parser<'t, G> {
    /// A parser of `text` that has read its header.
    pub fn new(text: &'t [u8], own: G) -> Self {
        let mut parser = Self {
            text,
            lexer: Lexer::new(text),
            token: Token { kind: TokenKind::Header, span: Span::at(0) },
            line_begins: true,
            previous: Span::at(0),
            sink: Sink::default(),
            statements: 0,
            own,
        };
        parser.advance();
        parser.advance();
        parser
    }

    /// The bytes of the token to read next, as a word; empty for anything else.
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

    /// Reads one token, reports unknown characters on the way to the next, and gives the one read.
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
                TokenKind::Colon if !G::DIALECT.has_colon => self.unknown_characters(token.span),
                TokenKind::Unknown => self.unknown_characters(token.span),
                _ => {
                    self.token = token;
                    return read;
                }
            }
        }
    }

    /// Whether `:` follows the token to read next.
    pub fn colon_follows(&self) -> bool {
        let next = self.lexer.clone().find(|token| {
            !matches!(token.kind, TokenKind::Whitespace | TokenKind::Comment | TokenKind::Unknown)
        });
        next.is_some_and(|token| token.kind == TokenKind::Colon)
    }

    fn unknown_characters(&mut self, span: Span) {
        if self.sink.is_full() {
            return;
        }
        let bytes = span.slice(self.text);
        let shown: String = lossy(&bytes[..bytes.len().min(32)]).chars().take(8).collect();
        let shown: String = shown.chars().flat_map(char::escape_debug).collect();
        let mut fault = Diagnostic::error(
            G::DIALECT.codes.unknown_character,
            G::DIALECT.grammar,
            span,
            format!("`{shown}` is no token of the language"),
        )
        .with_note("Program text is ASCII; other characters may stand only in comments.");
        if bytes.contains(&0) {
            fault = fault.with_note("A NUL byte does not end a program; its length does.");
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
            fault = fault.with_fix(format!("write `{replacement}`"), span, replacement);
        }
        self.sink.push(fault);
    }

    /// The token to read next, in words.
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
        let bytes = span.slice(self.text);
        if bytes.len() <= 40 { lossy(bytes) } else { format!("{}...", lossy(&bytes[..32])) }
    }

    /// Reports that something else should stand here.
    pub fn unexpected(&mut self, wanted: &str) -> Reported {
        let found = self.found();
        self.sink.push(Diagnostic::error(
            G::DIALECT.codes.unexpected,
            G::DIALECT.grammar,
            self.token.span,
            format!("expected {wanted}, found {found}"),
        ));
        Reported
    }

    /// Reports `fault` and gives up on the statement.
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

    /// Reads all statements and `END`.
    pub fn statements(&mut self) -> Ending {
        loop {
            if self.sink.is_full() {
                return Ending::Broken;
            }
            match self.token.kind {
                TokenKind::EndOfText => {
                    self.missing_end();
                    return Ending::Broken;
                }
                TokenKind::Word if self.word() == "END" => return self.end(),
                TokenKind::Semicolon => {
                    let span = self.advance().span;
                    self.sink.push(
                        Diagnostic::error(
                            G::DIALECT.codes.empty_statement,
                            G::DIALECT.grammar,
                            span,
                            "no statement before this `;`",
                        )
                        .with_fix("remove the `;`", span, ""),
                    );
                }
                _ => {
                    self.statements += 1;
                    if G::statement(self).is_err() {
                        self.recover();
                    }
                }
            }
        }
    }

    fn missing_end(&mut self) {
        let end = Span::at(self.text.len());
        self.sink.push(
            Diagnostic::error(
                G::DIALECT.codes.missing_end,
                G::DIALECT.grammar,
                end,
                "the program does not end with `END`",
            )
            .with_fix("append `END`", end, "\nEND\n"),
        );
    }

    fn end(&mut self) -> Ending {
        let span = self.token.span;
        if G::DIALECT.needs_statement && self.statements == 0 {
            self.sink.push(
                Diagnostic::error(
                    G::DIALECT.codes.empty,
                    G::DIALECT.grammar,
                    span,
                    "the program has no statement before `END`",
                )
                .with_note("A program needs at least one instruction that writes an output."),
            );
            return Ending::Broken;
        }
        self.advance();
        if self.token.kind != TokenKind::EndOfText {
            let mut fault = Diagnostic::error(
                G::DIALECT.codes.after_end,
                G::DIALECT.grammar,
                self.token.span,
                format!("found {} behind `END`", self.found()),
            )
            .with_label(span, "the program ends here")
            .with_note("Only whitespace and comments may follow `END`.");
            if self.token.kind == TokenKind::Semicolon {
                fault = fault.with_fix("remove the `;`", self.token.span, "");
            }
            self.sink.push(fault);
        }
        self.previous = span;
        Ending::Complete
    }

    /// Skips to where the next statement may begin: behind a `;`, or a line that begins like one.
    fn recover(&mut self) {
        loop {
            match self.token.kind {
                TokenKind::EndOfText => return,
                TokenKind::Semicolon => {
                    self.advance();
                    return;
                }
                TokenKind::Word if self.line_begins && G::begins_statement(self) => return,
                // `END` has no other place, so it ends the program wherever it stands.
                TokenKind::Word if self.word() == "END" => return,
                _ => {
                    self.advance();
                }
            }
        }
    }

    /// `;`, or a report that it is missing. What begins the next statement then needs no recovery.
    pub fn semicolon(&mut self) -> Parse<()> {
        if self.eat(TokenKind::Semicolon).is_some() {
            return Ok(());
        }
        let behind = Span::at(self.previous.end);
        let next_statement = self.token.kind == TokenKind::EndOfText || G::begins_statement(self);
        if next_statement || (self.line_begins && self.token.kind == TokenKind::Word) {
            self.sink.push(
                Diagnostic::error(
                    G::DIALECT.codes.missing_semicolon,
                    G::DIALECT.grammar,
                    self.token.span,
                    format!("expected `;` before {}", self.found()),
                )
                .with_label(behind, "a `;` is missing here")
                .with_fix("insert `;`", behind, ";"),
            );
            return Ok(());
        }
        Err(self.unexpected("`;`"))
    }

    /// Reads an instruction behind its mnemonic and hands it to the language.
    pub fn instruction(&mut self, info: &'static Info, suffixes: Suffixes, mnemonic: Span) -> Parse<()> {
        let mut draft = Draft::new(info, suffixes, mnemonic);
        let read = self.instruction_parts(&mut draft);
        draft.span = mnemonic.to(self.previous);
        if read.is_err() {
            if draft.dest.is_none() && info.result != ResultKind::None {
                self.own.note_lost_destination();
            }
            G::take_broken(self, &draft);
            return read;
        }
        G::take(self, draft);
        self.semicolon_after_operands(info)
    }

    fn instruction_parts(&mut self, draft: &mut DraftOf<'t, G>) -> Parse<()> {
        let info = draft.info;
        if info.result != ResultKind::None {
            draft.dest = Some(self.destination(info)?);
        }
        for (index, kind) in info.operands_in(self.own.language()).iter().enumerate() {
            if draft.dest.is_some() {
                self.comma(info, index)?;
            }
            match kind {
                OperandKind::Vector | OperandKind::Scalar => {
                    let operand = self.operand(*kind)?;
                    draft.operands.push(operand);
                }
                _ => G::special_operand(self, *kind, draft)?,
            }
        }
        Ok(())
    }

    /// The comma before operand `index`.
    fn comma(&mut self, info: &Info, index: usize) -> Parse<()> {
        if self.eat(TokenKind::Comma).is_some() {
            return Ok(());
        }
        if matches!(self.token.kind, TokenKind::Semicolon | TokenKind::EndOfText) || G::begins_statement(self)
        {
            let fault = Diagnostic::error(
                G::DIALECT.codes.operand_count,
                G::DIALECT.grammar,
                self.token.span,
                format!("{} needs {}, found {index}", info.mnemonic, operand_list(info, self.own.language())),
            );
            return self.fail(fault);
        }
        if self.token.kind == TokenKind::Dot || self.token.kind == TokenKind::LeftParen {
            return Err(self.unexpected("`,`"));
        }
        let behind = Span::at(self.previous.end);
        let fault = Diagnostic::error(
            G::DIALECT.codes.missing_comma,
            G::DIALECT.grammar,
            self.token.span,
            format!("expected `,`, found {}", self.found()),
        )
        .with_label(behind, "between the operands")
        .with_fix("insert `,`", behind, ",");
        self.fail(fault)
    }

    fn semicolon_after_operands(&mut self, info: &Info) -> Parse<()> {
        if self.token.kind == TokenKind::Comma {
            let fault = Diagnostic::error(
                G::DIALECT.codes.operand_count,
                G::DIALECT.grammar,
                self.token.span,
                format!("{} takes {} and no more", info.mnemonic, operand_list(info, self.own.language())),
            );
            return self.fail(fault);
        }
        self.semicolon()
    }
}

/// What an instruction takes, in words.
fn operand_list(info: &Info, language: Language) -> String {
    let mut parts = Vec::new();
    for kind in info.operands_in(language) {
        parts.push(match kind {
            OperandKind::Vector => "a vector",
            OperandKind::Scalar => "a scalar",
            OperandKind::Condition => "a condition",
            OperandKind::VectorOrCondition => "a vector or a condition",
            OperandKind::ExtendedSwizzle => "a register and four selectors",
            OperandKind::TextureImage => "a texture image unit and target",
            OperandKind::Address => "an address register",
            OperandKind::Label => "a label",
            OperandKind::BranchCondition => "an optional condition",
        });
    }
    let noun = if parts.len() == 1 { "operand" } else { "operands" };
    format!("{} {noun} ({})", parts.len(), parts.join(", "))
}
