//! Statements as all languages have them: the list of statements, labels, and instructions with their
//! punctuation. [`Grammar`] reads the statements that begin with a keyword.

use super::Loaded;
use super::check::{bad_suffix, with_meant_statement};
use super::dialect::{Elsewhere, Grammar, ParsedInstruction, ParsedOf};
use super::parser::{Parse, Parser};
use super::unused::warn_of_unused_names;
use super::word_roles::Role;
use crate::diag::Diagnostic;
use crate::isa::{self, Info, Language, Lookup, Modifier, ModifierOrder, OperandKind, ResultKind};
use crate::source::Span;
use crate::syntax::{Token, TokenKind};

/// The way in which a program ends.
enum Ending {
    /// At `END`.
    Complete,
    /// Without `END`, or reading stopped after too many errors.
    Broken,
}

impl<'t, G: Grammar<'t>> Parser<'t, G> {
    /// Reads the whole program after its header.
    pub fn run(mut self) -> Loaded {
        let ending = self.statements();
        if matches!(ending, Ending::Complete) {
            self.own.finish_faults(self.text.len(), self.previous, &mut self.sink);
        }
        self.own.amend_findings(&mut self.sink);
        let whole = matches!(ending, Ending::Complete) && !self.sink.has_errors();
        if !whole {
            return Loaded { program: None, diagnostics: self.sink.finish() };
        }
        let dialect = self.own.dialect();
        warn_of_unused_names(self.text, &self.own.declared(), dialect, &mut self.sink);
        let program = self.own.into_program();
        Loaded { program: Some(program), diagnostics: self.sink.finish() }
    }

    /// Reads the whole program and returns the language's state, even if the program has errors.
    pub fn read(mut self) -> G {
        self.statements();
        self.own
    }

    /// Reads all statements, and then `END`.
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
                TokenKind::Word if self.word() == "END" && !self.is_label() => return self.end(),
                TokenKind::Semicolon => {
                    let span = self.advance().span;
                    self.sink.push(
                        Diagnostic::new(
                            self.own.dialect().codes.empty_statement,
                            span,
                            "there is no statement before this `;`",
                        )
                        .with_fix("remove the semicolon", span, ""),
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

    /// Whether the next word is a label: a colon follows it.
    fn is_label(&self) -> bool {
        let own = &self.own;
        own.can_be_label(self.word()) && own.lacks_labels(self.token.span).is_none() && self.colon_follows()
    }

    /// Reads one statement, including its `;`.
    fn statement(&mut self) -> Parse<()> {
        let head = self.token;
        if self.own.dialect().has_colon && head.kind.is_numeric() && self.colon_follows() {
            self.numeric_label();
            return Ok(());
        }
        if head.kind != TokenKind::Word {
            self.own.note_lost_statement("");
            return Err(self.unexpected(self.own.statement_wanted()));
        }
        let word = self.word();
        let role = self.own.role(word);
        self.advance();
        let numbered =
            G::label_number(self, word, head.span).inspect_err(|_| self.own.note_broken_label())?;
        if numbered || self.token.kind == TokenKind::Colon {
            self.begin_statement(head.span);
            self.expect(TokenKind::Colon, "`:`")?;
            self.label(word, head.span);
            return Ok(());
        }
        if self.token.kind == TokenKind::Dot
            && self.own.language().profile().modifier_order == ModifierOrder::Dotted
        {
            return self.dotted_instruction(word, head.span);
        }
        match role {
            Role::Keyword(keyword) => G::keyword_statement(self, keyword, head.span),
            Role::Instruction(info, suffixes) => {
                self.begin_statement(head.span);
                self.instruction(ParsedInstruction::new(info, suffixes, head.span))
            }
            Role::End | Role::Condition(..) | Role::Other(_) | Role::Name => {
                self.end_options();
                self.own.note_lost_statement(word);
                let fault = self.not_a_statement(word, &role, head.span);
                self.fail(fault)
            }
        }
    }

    /// Reads an instruction whose mnemonic `word` at `head` has modifiers after points.
    fn dotted_instruction(&mut self, word: &str, head: Span) -> Parse<()> {
        self.begin_statement(head);
        let mut name = word.to_owned();
        let mut parts = vec![(0, head)];
        while self.eat(TokenKind::Dot).is_some() {
            if self.token.kind != TokenKind::Word {
                self.own.note_lost_statement(word);
                return Err(self.unexpected("a modifier after `.`"));
            }
            name.push('.');
            parts.push((name.len(), self.token.span));
            name.push_str(self.word());
            self.advance();
        }
        let language = self.own.language();
        let fault = match isa::lookup(language, &name) {
            Lookup::Instruction(info, suffixes) => {
                let words = parts.iter().skip(1).filter_map(|&(at, span)| {
                    let word = name[at..].split('.').next().unwrap_or_default();
                    Some((Modifier::of_word(word)?, span))
                });
                let modifiers = words.collect();
                let parsed = ParsedInstruction::new(info, suffixes, head.to(self.previous));
                return self.instruction(ParsedInstruction { modifiers, ..parsed });
            }
            Lookup::BadSuffix(info, fault, at) => {
                // The modifier's own token. It begins at the point at offset `at`, or after it.
                let part =
                    parts.iter().rev().find(|(begin, _)| *begin <= at + 1).map_or(head, |(_, span)| *span);
                bad_suffix(self.own.dialect(), language, (info, fault, at), &name, part)
            }
            Lookup::Unknown => {
                let later = self.own.later_instruction(&name, head);
                later.unwrap_or_else(|| self.not_a_statement(word, &self.own.role(word), head))
            }
        };
        self.own.note_lost_statement(word);
        self.fail(fault)
    }

    /// The finding that `word` at `span` is in place of a statement but begins none.
    fn not_a_statement(&self, word: &str, role: &Role<G::Keyword>, span: Span) -> Diagnostic {
        let language = self.own.language();
        if let Some(fault) = self.own.later_instruction(word, span) {
            return fault;
        }
        if let Lookup::BadSuffix(info, fault, at) = isa::lookup(language, word) {
            return bad_suffix(self.own.dialect(), language, (info, fault, at), word, span);
        }
        let shown = self.excerpt(span);
        if !matches!(role, Role::Name) {
            return Diagnostic::new(
                self.own.dialect().codes.unexpected,
                span,
                format!("expected an instruction, found `{shown}`, which is {}", role.describe()),
            );
        }
        let fault = Diagnostic::new(
            self.own.dialect().codes.unknown_instruction,
            span,
            format!("`{shown}` is not an instruction of `{}`", language.name()),
        );
        if let Some(Elsewhere { note, instead }) = self.own.elsewhere(word) {
            let fault = fault.with_note(note);
            return match instead {
                Some(instead) => fault.with_fix(format!("replace with {instead}"), span, instead),
                None => fault,
            };
        }
        let begins = |word: &str| self.own.role(word).begins_statement();
        let mnemonics = isa::instructions(language).map(|info| info.mnemonic);
        let words = mnemonics.chain(language.profile().keywords.iter().copied());
        with_meant_statement(fault, word, span, begins, words)
    }

    fn missing_end(&mut self) {
        let end = Span::at(self.text.len());
        self.sink.push(
            Diagnostic::new(self.own.dialect().codes.missing_end, end, "the program does not end with `END`")
                .with_fix("append END", end, "\nEND\n"),
        );
    }

    fn end(&mut self) -> Ending {
        let span = self.token.span;
        if let (Some(code), 0) = (self.own.dialect().empty, self.statements) {
            self.sink.push(
                Diagnostic::new(code, span, "the program has no statement before `END`")
                    .with_note("A program needs at least one instruction that writes an output."),
            );
            return Ending::Broken;
        }
        self.advance();
        if self.token.kind != TokenKind::EndOfText {
            let mut fault = Diagnostic::new(
                self.own.dialect().codes.after_end,
                self.token.span,
                "nothing may follow `END`",
            )
            .with_label(span, "the program ends here")
            .with_note("Only whitespace and comments are allowed after `END`.");
            if self.token.kind == TokenKind::Semicolon {
                fault = fault.with_fix("remove the semicolon", self.token.span, "");
            }
            self.sink.push(fault);
        }
        self.previous = span;
        Ending::Complete
    }

    /// Reads the rest of an instruction after its mnemonic and modifiers, and passes it to the language.
    fn instruction(&mut self, mut parsed: ParsedOf<'t, G>) -> Parse<()> {
        let info = parsed.info;
        let read = self.instruction_parts(&mut parsed);
        parsed.span = parsed.mnemonic_span.to(self.previous);
        if read.is_err() {
            if parsed.dest.is_none() && info.result != ResultKind::None {
                self.own.note_lost_statement(info.mnemonic);
            }
            self.own.take_broken(&parsed, &mut self.sink);
            return read;
        }
        self.own.take(parsed, &mut self.sink);
        self.semicolon_after_operands(info)
    }

    fn instruction_parts(&mut self, parsed: &mut ParsedOf<'t, G>) -> Parse<()> {
        let info = parsed.info;
        if info.result != ResultKind::None {
            parsed.dest = Some(self.destination(info)?);
        }
        for (index, kind) in info.operands_in(self.own.language()).iter().enumerate() {
            let follows = index > 0 && *kind != OperandKind::BranchCondition;
            if parsed.dest.is_some() || follows {
                self.comma(info, index)?;
            }
            let ends = self.token.kind == TokenKind::Semicolon;
            if ends && *kind == OperandKind::OptionalVector {
                continue;
            }
            if parsed.dest.is_none() && kind.takes_value() && self.token.kind == TokenKind::Semicolon {
                let fault = self.too_few_operands(info, index);
                return self.fail(fault);
            }
            match kind {
                OperandKind::Vector | OperandKind::OptionalVector | OperandKind::Scalar => {
                    let operand = self.operand(*kind)?;
                    parsed.operands.push(operand);
                }
                _ => G::special_operand(self, *kind, parsed)?,
            }
        }
        Ok(())
    }

    /// The finding that `info` ends after `count` operands and needs more.
    pub(super) fn too_few_operands(&self, info: &Info, count: usize) -> Diagnostic {
        Diagnostic::new(
            self.own.dialect().codes.operand_count,
            self.token.span,
            operand_count(info, self.own.language(), count),
        )
        .with_note(operand_list(info, self.own.language()))
    }

    /// Reads the comma before operand `index`.
    pub(super) fn comma(&mut self, info: &Info, index: usize) -> Parse<()> {
        if self.eat(TokenKind::Comma).is_some() {
            return Ok(());
        }
        if matches!(self.token.kind, TokenKind::Semicolon | TokenKind::EndOfText) || self.begins_statement() {
            let fault = self.too_few_operands(info, index);
            return self.fail(fault);
        }
        // Without a comma, a suffix or bracket cannot continue the previous operand.
        if matches!(self.token.kind, TokenKind::Dot | TokenKind::LeftParen | TokenKind::LeftBracket) {
            return Err(self.unexpected("`,`"));
        }
        let behind = Span::at(self.previous.end);
        let fault = Diagnostic::new(
            self.own.dialect().codes.missing_comma,
            self.token.span,
            format!("expected `,`, found {}", self.found()),
        )
        .with_label(behind, "a comma is missing between the operands")
        .with_fix("insert a comma", behind, ",");
        self.fail(fault)
    }

    fn semicolon_after_operands(&mut self, info: &Info) -> Parse<()> {
        if self.token.kind == TokenKind::Comma {
            let language = self.own.language();
            let count = operand_counts(info, language).1 + self.further_operands();
            let fault = Diagnostic::new(
                self.own.dialect().codes.operand_count,
                self.token.span,
                operand_count(info, language, count),
            )
            .with_note(operand_list(info, language));
            return self.fail(fault);
        }
        self.semicolon()
    }

    /// Counts the operands that follow. The next token is the comma before the first of them.
    fn further_operands(&self) -> usize {
        let mut depth = 0_usize;
        let mut count = 1;
        let ends = |token: &Token| {
            token.kind == TokenKind::Semicolon
                || token.kind == TokenKind::Word && self.word_at(*token) == "END"
        };
        // Limits the work for a statement without an end.
        for token in self.lookahead().take(200).take_while(|token| !ends(token)) {
            match token.kind {
                TokenKind::LeftBrace | TokenKind::LeftParen | TokenKind::LeftBracket => depth += 1,
                TokenKind::RightBrace | TokenKind::RightParen | TokenKind::RightBracket => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::Comma => count += usize::from(depth == 0),
                _ => {}
            }
        }
        count
    }
}

/// The least and the greatest number of operands that `info` takes.
fn operand_counts(info: &Info, language: Language) -> (usize, usize) {
    let mut counts = (0, 0);
    for kind in info.operands_in(language) {
        let (least, most) = match kind {
            // The condition of a branch has no comma before it.
            OperandKind::BranchCondition => (0, 0),
            OperandKind::OptionalVector => (0, 1),
            OperandKind::TextureImage => (2, 2 + usize::from(takes_offset(language))),
            OperandKind::ExtendedSwizzle => (5, 5),
            _ => (1, 1),
        };
        counts = (counts.0 + least, counts.1 + most);
    }
    counts
}

/// Whether a texel offset may follow the texture target.
fn takes_offset(language: Language) -> bool {
    language.profile().typed
}

/// The message that `info` does not take `count` operands.
fn operand_count(info: &Info, language: Language, count: usize) -> String {
    let takes = match operand_counts(info, language) {
        (_, 0) => "no operands".to_owned(),
        (0, most) => format!("at most {most} operand{}", if most == 1 { "" } else { "s" }),
        (1, 1) => "1 operand".to_owned(),
        (least, most) if least == most => format!("{most} operands"),
        (least, most) => format!("{least} or {most} operands"),
    };
    let after = if info.result == ResultKind::None { "" } else { " after the destination" };
    format!("{} takes {takes}{after}; this has {count}", info.mnemonic)
}

/// A sentence that lists the operands of `info`.
fn operand_list(info: &Info, language: Language) -> String {
    let mut parts = Vec::new();
    for kind in info.operands_in(language) {
        match kind {
            OperandKind::Vector => parts.push("a vector"),
            OperandKind::OptionalVector => parts.push("an optional vector"),
            OperandKind::Scalar => parts.push("a scalar"),
            OperandKind::Condition => parts.push("a condition"),
            OperandKind::VectorOrCondition => parts.push("a vector or a condition"),
            OperandKind::ExtendedSwizzle => parts.extend(["a register", "four selectors"]),
            OperandKind::TextureImage => {
                parts.extend(["a texture image unit", "a texture target"]);
                parts.extend(takes_offset(language).then_some("an optional offset"));
            }
            OperandKind::ImageUnit => parts.push("an image unit"),
            OperandKind::ImageTarget => parts.push("an image target"),
            OperandKind::Address => parts.push("an address register"),
            OperandKind::Label => parts.push("a label"),
            OperandKind::SubroutineVariable => parts.push("a subroutine variable"),
            OperandKind::BranchCondition => {}
        }
    }
    let alike = |run: &[&str]| match run {
        [kind] => (*kind).to_owned(),
        _ => {
            let count = ["two", "three", "four"]
                .get(run.len() - 2)
                .map_or_else(|| run.len().to_string(), |word| (*word).to_owned());
            format!("{count} {}s", run[0].trim_start_matches("a "))
        }
    };
    let runs: Vec<String> = parts.chunk_by(|a, b| a == b).map(alike).collect();
    match runs.split_last() {
        None => format!("Write {} without operands.", info.mnemonic),
        Some((only, [])) => format!("The operand{} {only}.", if parts.len() == 1 { " is" } else { "s are" }),
        Some((last, first)) => format!("The operands are {} and {last}.", first.join(", ")),
    }
}
