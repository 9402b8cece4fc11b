//! Statements of a `!!FP1.0` program, and recovery from faults in them.

use super::check::{Checker, Draft};
use super::define::Names;
use super::words::{Word, classify, statement_words};
use crate::diag::Diagnostic;
use crate::front::{Loaded, Sink, lossy, nearest};
use crate::isa::{self, Info, Language, Lookup, OperandKind, ResultKind, Suffixes};
use crate::source::Span;
use crate::syntax::{Lexer, Token, TokenKind};

pub(super) const GRAMMAR: &str = "NV_fragment_program 3.11.3";

/// The statement cannot be read further; what is wrong has been reported.
#[derive(Debug)]
pub(super) struct Reported;

/// What reading a part of a statement gives.
pub(super) type Parse<T> = Result<T, Reported>;

/// How a program ended.
enum Ending {
    /// With `END`.
    Complete,
    /// Without, or reading was given up.
    Broken,
}

/// The parser: one significant token of lookahead over the lossless lexer.
pub(super) struct Parser<'t> {
    pub(super) text: &'t [u8],
    lexer: Lexer<'t>,
    /// The token to read next.
    pub(super) token: Token,
    /// Whether a line ended between the previous token and this one.
    line_begins: bool,
    /// The token read last.
    pub(super) previous: Span,
    pub(super) sink: Sink,
    pub(super) names: Names<'t>,
    pub(super) check: Checker,
    statements: usize,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        let mut parser = Self {
            text,
            lexer: Lexer::new(text),
            token: Token { kind: TokenKind::Header, span: Span::at(0) },
            line_begins: true,
            previous: Span::at(0),
            sink: Sink::default(),
            names: Names::default(),
            check: Checker::default(),
            statements: 0,
        };
        parser.advance();
        parser
    }

    /// Reads the whole program.
    pub(super) fn run(mut self) -> Loaded {
        self.advance();
        let ending = self.statements();
        let mut program = None;
        if matches!(ending, Ending::Complete) {
            self.check.finish_faults(self.text.len(), self.previous, &mut self.sink);
            if !self.sink.has_errors() {
                // What is broken might have been the use.
                self.names.report_unused(&mut self.sink);
                program = Some(self.check.into_program());
            }
        }
        self.names.mark_late_definitions(&mut self.sink);
        Loaded { program, diagnostics: self.sink.finish() }
    }

    /// The bytes of the token to read next, as a word; empty for anything else.
    pub(super) fn word(&self) -> &'t str {
        self.word_at(self.token)
    }

    pub(super) fn word_at(&self, token: Token) -> &'t str {
        match token.kind {
            // Words are ASCII by the lexer's rules.
            TokenKind::Word => std::str::from_utf8(token.span.slice(self.text)).unwrap_or_default(),
            _ => "",
        }
    }

    /// Reads one token, reports unknown characters on the way to the next, and gives the one read.
    pub(super) fn advance(&mut self) -> Token {
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
                TokenKind::Unknown | TokenKind::Colon => self.unknown_characters(token.span),
                _ => {
                    self.token = token;
                    return read;
                }
            }
        }
    }

    fn unknown_characters(&mut self, span: Span) {
        if self.sink.is_full() {
            return;
        }
        let bytes = span.slice(self.text);
        let shown: String = lossy(&bytes[..bytes.len().min(32)]).chars().take(8).collect();
        let shown: String = shown.chars().flat_map(char::escape_debug).collect();
        let mut fault = Diagnostic::error(
            "fp1-unknown-character",
            GRAMMAR,
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
    pub(super) fn found(&self) -> String {
        self.found_token(self.token)
    }

    fn found_token(&self, token: Token) -> String {
        match token.kind {
            TokenKind::EndOfText => "the end of the program".to_owned(),
            _ => format!("`{}`", self.excerpt(token.span)),
        }
    }

    /// The bytes of `span` for a message, clipped.
    pub(super) fn excerpt(&self, span: Span) -> String {
        let bytes = span.slice(self.text);
        if bytes.len() <= 40 { lossy(bytes) } else { format!("{}...", lossy(&bytes[..32])) }
    }

    /// Reports that something else should stand here.
    pub(super) fn unexpected(&mut self, wanted: &str) -> Reported {
        let found = self.found();
        self.sink.push(Diagnostic::error(
            "fp1-unexpected",
            GRAMMAR,
            self.token.span,
            format!("expected {wanted}, found {found}"),
        ));
        Reported
    }

    /// Reports `fault` and gives up on the statement.
    pub(super) fn fail<T>(&mut self, fault: Diagnostic) -> Parse<T> {
        self.sink.push(fault);
        Err(Reported)
    }

    pub(super) fn eat(&mut self, kind: TokenKind) -> Option<Span> {
        (self.token.kind == kind).then(|| self.advance().span)
    }

    pub(super) fn expect(&mut self, kind: TokenKind, wanted: &str) -> Parse<Span> {
        self.eat(kind).map_or_else(|| Err(self.unexpected(wanted)), Ok)
    }

    fn statements(&mut self) -> Ending {
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
                            "fp1-empty-statement",
                            GRAMMAR,
                            span,
                            "no statement before this `;`",
                        )
                        .with_fix("remove the `;`", span, ""),
                    );
                }
                _ => {
                    self.statements += 1;
                    if self.statement().is_err() {
                        self.recover();
                    }
                }
            }
        }
    }

    fn missing_end(&mut self) {
        let end = Span::at(self.text.len());
        self.sink.push(
            Diagnostic::error("fp1-missing-end", GRAMMAR, end, "the program does not end with `END`")
                .with_fix("append `END`", end, "\nEND\n"),
        );
    }

    fn end(&mut self) -> Ending {
        let span = self.token.span;
        if self.statements == 0 {
            self.sink.push(
                Diagnostic::error("fp1-empty", GRAMMAR, span, "the program has no statement before `END`")
                    .with_note("A program needs at least one instruction that writes an output."),
            );
            return Ending::Broken;
        }
        self.advance();
        if self.token.kind != TokenKind::EndOfText {
            let mut fault = Diagnostic::error(
                "fp1-after-end",
                GRAMMAR,
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
                TokenKind::Word if self.line_begins && self.begins_statement() => return,
                // `END` has no other place, so it ends the program wherever it stands.
                TokenKind::Word if self.word() == "END" => return,
                _ => {
                    self.advance();
                }
            }
        }
    }

    fn begins_statement(&self) -> bool {
        matches!(classify(self.word()), Word::Instruction(..) | Word::Define | Word::Declare | Word::End)
    }

    fn statement(&mut self) -> Parse<()> {
        let head = self.token;
        if head.kind != TokenKind::Word {
            self.check.note_lost_statement();
            return Err(self.unexpected("an instruction, `DEFINE`, `DECLARE` or `END`"));
        }
        let word = self.word();
        match classify(word) {
            Word::Instruction(info, suffixes) => {
                self.advance();
                self.instruction(info, suffixes, head.span)
            }
            Word::Define => {
                self.advance();
                self.define()?;
                self.semicolon()
            }
            Word::Declare => {
                self.advance();
                self.declare()?;
                self.semicolon()
            }
            _ => {
                self.check.note_lost_statement();
                let fault = self.not_a_statement(word, head.span);
                self.fail(fault)
            }
        }
    }

    fn not_a_statement(&self, word: &str, span: Span) -> Diagnostic {
        if let Lookup::BadSuffix(info) = isa::lookup(Language::Fp1, word) {
            return bad_suffix(info, word, span);
        }
        let shown = self.excerpt(span);
        let kind = classify(word);
        if !matches!(kind, Word::Name) {
            return Diagnostic::error(
                "fp1-unexpected",
                GRAMMAR,
                span,
                format!("expected an instruction, found `{shown}`, which is {}", kind.describe()),
            );
        }
        let mut fault = Diagnostic::error(
            "fp1-unknown-instruction",
            GRAMMAR,
            span,
            format!("`{shown}` is not an instruction of `!!FP1.0`"),
        );
        if let Some(note) = elsewhere(word) {
            return fault.with_note(note);
        }
        let upper = word.to_ascii_uppercase();
        let meant = match classify(&upper) {
            Word::Instruction(..) | Word::Define | Word::Declare | Word::End => Some(upper.as_str()),
            _ => nearest(word, statement_words()),
        };
        if upper == meant.unwrap_or_default() {
            fault = fault.with_note("Upper and lower case letters differ; instruction names are upper case.");
        }
        match meant {
            Some(meant) => fault.with_fix(format!("write `{meant}`"), span, meant),
            None => fault,
        }
    }

    /// `;`, or a report that it is missing. What begins the next statement then needs no recovery.
    fn semicolon(&mut self) -> Parse<()> {
        if self.eat(TokenKind::Semicolon).is_some() {
            return Ok(());
        }
        let behind = Span::at(self.previous.end);
        let next_statement = self.token.kind == TokenKind::EndOfText || self.begins_statement();
        if next_statement || (self.line_begins && self.token.kind == TokenKind::Word) {
            self.sink.push(
                Diagnostic::error(
                    "fp1-missing-semicolon",
                    GRAMMAR,
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

    fn instruction(&mut self, info: &'static Info, suffixes: Suffixes, mnemonic: Span) -> Parse<()> {
        let mut draft = Draft::new(info, suffixes, mnemonic);
        let read = self.instruction_parts(&mut draft);
        draft.span = mnemonic.to(self.previous);
        if read.is_err() {
            if draft.dest.is_none() && info.result != ResultKind::None {
                self.check.note_lost_statement();
            }
            self.check.note_broken(&draft, &mut self.sink);
            return read;
        }
        self.check.instruction(draft, &mut self.sink);
        self.semicolon_after_operands(info)
    }

    fn instruction_parts(&mut self, draft: &mut Draft) -> Parse<()> {
        let info = draft.info;
        if info.result != ResultKind::None {
            draft.dest = Some(self.destination()?);
        }
        for (index, kind) in info.operands.iter().enumerate() {
            if draft.dest.is_some() {
                self.comma(info, index)?;
            }
            match kind {
                OperandKind::Vector | OperandKind::Scalar => {
                    let operand = self.operand(*kind)?;
                    draft.operands.push(operand);
                }
                OperandKind::Condition => draft.kill = Some(self.kill_test()?),
                OperandKind::TextureImage => draft.texture = Some(self.texture_image()?),
                // No instruction of this language takes one.
                OperandKind::Address | OperandKind::Label | OperandKind::BranchCondition => {}
            }
        }
        Ok(())
    }

    /// The comma before operand `index`.
    fn comma(&mut self, info: &Info, index: usize) -> Parse<()> {
        if self.eat(TokenKind::Comma).is_some() {
            return Ok(());
        }
        if matches!(self.token.kind, TokenKind::Semicolon | TokenKind::EndOfText) || self.begins_statement() {
            let fault = Diagnostic::error(
                "fp1-operand-count",
                GRAMMAR,
                self.token.span,
                format!("{} needs {}, found {index}", info.mnemonic, operand_list(info)),
            );
            return self.fail(fault);
        }
        if self.token.kind == TokenKind::Dot || self.token.kind == TokenKind::LeftParen {
            return Err(self.unexpected("`,`"));
        }
        let behind = Span::at(self.previous.end);
        let fault = Diagnostic::error(
            "fp1-missing-comma",
            GRAMMAR,
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
                "fp1-operand-count",
                GRAMMAR,
                self.token.span,
                format!("{} takes {} and no more", info.mnemonic, operand_list(info)),
            );
            return self.fail(fault);
        }
        self.semicolon()
    }
}

/// What an instruction takes, in words.
fn operand_list(info: &Info) -> String {
    let mut parts = Vec::new();
    for kind in info.operands {
        parts.push(match kind {
            OperandKind::Vector => "a vector",
            OperandKind::Scalar => "a scalar",
            OperandKind::Condition => "a condition",
            OperandKind::TextureImage => "a texture image unit and target",
            OperandKind::Address => "an address register",
            OperandKind::Label => "a label",
            OperandKind::BranchCondition => "an optional condition",
        });
    }
    let noun = if parts.len() == 1 { "operand" } else { "operands" };
    format!("{} {noun} ({})", parts.len(), parts.join(", "))
}

fn bad_suffix(info: &Info, word: &str, span: Span) -> Diagnostic {
    let forms = info.forms(Language::Fp1);
    let names: Vec<String> = forms
        .map(|f| f.combinations().into_iter().map(|s| format!("{}{}", info.mnemonic, s.text())).collect())
        .unwrap_or_default();
    let suffix = &word[info.mnemonic.len()..];
    let mut taken: Vec<String> = Vec::new();
    if let Some(forms) = forms {
        let precisions =
            forms.precisions.iter().map(|&p| Suffixes { precision: Some(p), ..Suffixes::default() });
        let cc = forms.cc.then_some(Suffixes { cc: true, ..Suffixes::default() });
        let sat = forms.sat.then_some(Suffixes { sat: true, ..Suffixes::default() });
        taken.extend(precisions.chain(cc).chain(sat).map(|suffix| format!("`{}`", suffix.text())));
    }
    let taken = if taken.is_empty() { "none".to_owned() } else { taken.join(", ") };
    let note = if names.len() == 1 {
        format!("{} takes no suffix.", info.mnemonic)
    } else {
        format!("Its forms are {}.", names.join(", "))
    };
    Diagnostic::error(
        "fp1-bad-suffix",
        "NV_fragment_program 3.11.4",
        span,
        format!("{} does not take the suffix `{suffix}`; it takes {taken}", info.mnemonic),
    )
    .with_note(note)
}

/// A word about instructions that other languages have.
fn elsewhere(word: &str) -> Option<&'static str> {
    Some(match word {
        "ABS" => {
            "ABS belongs to other languages; here take the absolute value of an operand: `MOV R0, |R1|`."
        }
        "CMP" => {
            "CMP belongs to other languages; here set the condition code (`MOVC RC, ...`) and mask a MOV: `MOV R0 (LT), ...`."
        }
        "SWZ" => "SWZ belongs to other languages; here swizzle the operand of a MOV.",
        "TXB" | "TXL" => {
            "Lookups with a bias or a level come with NV_fragment_program2; here TXD takes derivatives."
        }
        "SCS" => "SCS belongs to ARB_fragment_program; here use COS and SIN.",
        "XPD" => {
            "XPD belongs to other languages; here: `MUL R2, R0.zxyw, R1.yzxw; MAD R2, R0.yzxw, R1.zxyw, -R2;`."
        }
        "DPH" => "DPH belongs to other languages; here: DP3, then ADD the w component.",
        "NRM" => "NRM comes with NV_fragment_program2; here: DP3, RSQ, MUL.",
        "DIV" => "DIV comes with NV_fragment_program2; here: RCP, then MUL.",
        "TEMP" => "Temporaries are not declared in `!!FP1.0`: use R0 to R31 and H0 to H63.",
        "PARAM" => "In `!!FP1.0` constants are made with DEFINE and parameters with DECLARE.",
        "ATTRIB" | "OUTPUT" | "ADDRESS" | "ALIAS" | "OPTION" => {
            "This statement belongs to the ARB languages; `!!FP1.0` has only DEFINE and DECLARE."
        }
        "IF" | "ELSE" | "ENDIF" | "LOOP" | "ENDLOOP" | "REP" | "ENDREP" | "BRK" | "CAL" | "RET" | "BRA" => {
            "`!!FP1.0` programs run straight through; branches and loops come with NV_fragment_program2."
        }
        _ => return None,
    })
}
