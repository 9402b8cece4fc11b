//! Operands, destinations and texture references of `!!FP1.0`.

use super::check::{Base, ParsedOperand, ParsedTarget, ParsedTexture};
use super::define::{Meaning, upper_case_register};
use super::parser::Parser;
use super::words::{OutputName, Register, Word, classify, numbered};
use crate::diag::{Code, Diagnostic, codes};
use crate::front::dialect::Sign;
use crate::front::nearest;
use crate::front::parser::Parse;
use crate::ir::constants::Constant;
use crate::ir::{Attribute, CcTest, IMAGE_UNITS, Negation, TextureTarget, limits};
use crate::isa::{Language, OperandKind};
use crate::source::Span;
use crate::syntax::{Token, TokenKind};

impl<'t> Parser<'t> {
    /// Reads `<baseVectorSrc>` or `<baseScalarSrc>`, after its sign.
    pub(super) fn fp1_base(&mut self, kind: OperandKind, sign: Sign) -> Parse<ParsedOperand> {
        let start = self.token.span;
        let mut operand = ParsedOperand::new(Base::Broken, start, sign);
        match self.token.kind {
            number if number.is_numeric() => {
                let sign_start = if sign == Sign::None { start.start } else { self.previous.start };
                let value = self.number("an operand")?;
                operand.base_span = Span::new(sign_start, start.end);
                // The sign belongs to an embedded scalar: 4 and -4 are different constants (3.11.2).
                let value = if sign == Sign::Minus { -value } else { value };
                operand.base = Base::Constant(Constant::Scalar(value));
                operand.negate = Negation::NONE;
                self.scalar_has_no_suffix("a number")?;
            }
            TokenKind::LeftBrace => {
                let value = self.vector_constant()?;
                operand.base = value.map_or(Base::Broken, |v| Base::Constant(Constant::Vector(v)));
                operand.base_span = start.to(self.previous);
                operand.swizzle = self.suffix(kind, operand.base_span)?;
            }
            TokenKind::Word => self.word_operand(kind, &mut operand)?,
            _ => return Err(self.unexpected("an operand")),
        }
        Ok(operand)
    }

    fn word_operand(&mut self, kind: OperandKind, operand: &mut ParsedOperand) -> Parse<()> {
        let token = self.token;
        let word = self.word();
        match classify(word) {
            Word::Temporary(register) => {
                self.advance();
                operand.base = Base::Temp(register);
            }
            Word::AttributeArray => operand.base = self.attribute()?.map_or(Base::Broken, Base::Attribute),
            Word::ParameterArray => {
                operand.base = self.numbered_parameter()?.map_or(Base::Broken, Base::Numbered);
            }
            Word::OutputArray => {
                let read = self.output();
                let span = token.span.to(self.previous);
                // The first offending token is the `o`, whether or not the brackets have a fault too (ruling
                // 13).
                self.sink.push(
                    Diagnostic::new(codes::FP1_READ_OUTPUT, span, "output registers cannot be read")
                        .with_note("Compute in a temporary register and MOV the result to the output."),
                );
                read?;
            }
            Word::ConditionRegister(_) => {
                self.advance();
                self.sink.push(
                    Diagnostic::new(
                        codes::FP1_READ_CONDITION_REGISTER,
                        token.span,
                        format!("{word} is write-only"),
                    )
                    .with_note("Writing RC or HC only sets the condition code. The registers hold no value."),
                );
            }
            Word::Name => {
                self.advance();
                if self.named_operand(word, token, operand)? {
                    return Ok(());
                }
            }
            other => return self.not_an_operand(other, token),
        }
        operand.base_span = token.span.to(self.previous);
        operand.swizzle = self.suffix(kind, operand.base_span)?;
        Ok(())
    }

    /// Reads an operand that is a name. Returns true if no suffix remains to be read.
    fn named_operand(&mut self, word: &'t str, token: Token, operand: &mut ParsedOperand) -> Parse<bool> {
        match self.own.names.get(word) {
            Some(Meaning::Constant(constant)) => {
                operand.base = Base::Constant(constant);
                if matches!(constant, Constant::Scalar(_)) {
                    self.scalar_has_no_suffix("a scalar constant")?;
                    return Ok(true);
                }
            }
            Some(Meaning::Local(id)) => operand.base = Base::Local(id),
            Some(Meaning::Broken) => {
                self.skip_suffix();
                return Ok(true);
            }
            None => {
                match range_fault(word, token.span) {
                    Some(fault) => self.sink.push(fault),
                    None => self.undefined_name(word, token.span),
                }
                // For an unknown name, it is unknown whether a suffix is legal.
                self.skip_suffix();
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn skip_suffix(&mut self) {
        if self.eat(TokenKind::Dot).is_some() && self.token.kind == TokenKind::Word {
            self.advance();
        }
    }

    fn not_an_operand<T>(&mut self, word: Word, token: Token) -> Parse<T> {
        let shown = self.excerpt(token.span);
        let mut fault = Diagnostic::new(
            codes::FP1.unexpected,
            token.span,
            format!("expected an operand, found `{shown}`, which is {}", word.describe()),
        );
        match word {
            Word::TextureUnit(set) if set < 8 => {
                let meant = format!("f[{shown}]");
                fault =
                    fault.with_fix(format!("replace with {meant} for the coordinates"), token.span, meant);
            }
            Word::AttributeName => {
                let meant = format!("f[{shown}]");
                fault = fault.with_fix(format!("replace with {meant}"), token.span, meant);
            }
            _ => {}
        }
        self.fail(fault)
    }

    fn scalar_has_no_suffix(&mut self, what: &str) -> Parse<()> {
        if self.token.kind != TokenKind::Dot {
            return Ok(());
        }
        let fault =
            Diagnostic::new(codes::FP1_SCALAR_SUFFIX, self.token.span, format!("{what} takes no suffix"));
        self.fail(fault)
    }

    /// Reads `f[...]`. `None` if the name is at fault.
    fn attribute(&mut self) -> Parse<Option<Attribute>> {
        let token = self.open_bracket("f", "an attribute name")?;
        let word = self.word_at(token);
        let found = Attribute::of_language(Language::Fp1).find(|a| a.name() == word);
        if found.is_none() {
            let shown = self.excerpt(token.span);
            let mut fault = Diagnostic::new(
                codes::FP1_BAD_ATTRIBUTE,
                token.span,
                format!("there is no attribute `f[{shown}]`"),
            )
            .with_note("Attributes are f[WPOS], f[COL0], f[COL1], f[FOGC] and f[TEX0] to f[TEX7].");
            if let Some(meant) = nearest(word, Attribute::of_language(Language::Fp1).map(Attribute::name))
                && numbered(word, "TEX").is_none()
            {
                fault = fault.with_fix(format!("replace with {meant}"), token.span, meant);
            }
            self.sink.push(fault);
        }
        self.close_bracket()?;
        Ok(found)
    }

    /// Reads `o[...]`. `None` if the name is at fault.
    fn output(&mut self) -> Parse<Option<OutputName>> {
        let token = self.open_bracket("o", "an output name")?;
        let word = self.word_at(token);
        let found = OutputName::from_name(word);
        if found.is_none() {
            let shown = self.excerpt(token.span);
            let mut fault = Diagnostic::new(
                codes::FP1_BAD_OUTPUT,
                token.span,
                format!("there is no output `o[{shown}]`"),
            )
            .with_note("Outputs are o[COLR] (fp32 colour), o[COLH] (fp16 colour) and o[DEPR] (depth).");
            if let Some(meant) = nearest(word, OutputName::ALL.iter().map(|o| o.name())) {
                fault = fault.with_fix(format!("replace with {meant}"), token.span, meant);
            }
            self.sink.push(fault);
        }
        self.close_bracket()?;
        Ok(found)
    }

    /// Reads `p[n]`. `None` if the number is at fault.
    fn numbered_parameter(&mut self) -> Parse<Option<u16>> {
        let token = self.open_bracket("p", "a parameter number")?;
        let Some(number) = self.whole_number(token) else {
            let shown = self.excerpt(token.span);
            let fault = Diagnostic::new(
                codes::FP1_BAD_PARAMETER_NUMBER,
                token.span,
                format!("`{shown}` is not a whole number"),
            )
            .with_note("Numbered parameters are p[0] to p[63].");
            self.sink.push(fault);
            self.close_bracket()?;
            return Ok(None);
        };
        let legal = u16::try_from(number).ok().filter(|&n| usize::from(n) < limits::NUMBERED_PARAMETERS);
        if legal.is_none() {
            let shown = self.excerpt(token.span);
            self.sink.push(
                Diagnostic::new(
                    codes::FP1_BAD_PARAMETER_NUMBER,
                    token.span,
                    format!("there is no parameter `p[{shown}]`"),
                )
                .with_note("Numbered parameters are p[0] to p[63]."),
            );
        }
        self.close_bracket()?;
        Ok(legal)
    }

    /// Reads `<dstRegister>`.
    pub(super) fn fp1_target(&mut self) -> Parse<ParsedTarget> {
        let token = self.token;
        let word = self.word();
        match classify(word) {
            Word::Temporary(register) => {
                self.advance();
                Ok(ParsedTarget::Temp(register))
            }
            Word::ConditionRegister(ty) => {
                self.advance();
                Ok(ParsedTarget::ConditionOnly(ty))
            }
            Word::OutputArray => Ok(self.output()?.map_or(ParsedTarget::Broken, ParsedTarget::Output)),
            Word::AttributeArray => {
                let read = self.attribute();
                self.read_only(
                    codes::FP1_WRITE_ATTRIBUTE,
                    "attribute registers",
                    token.span.to(self.previous),
                );
                read.map(|_| ParsedTarget::Broken)
            }
            Word::ParameterArray => {
                let read = self.numbered_parameter();
                self.read_only(
                    codes::FP1_WRITE_PARAMETER,
                    "program parameters",
                    token.span.to(self.previous),
                );
                read.map(|_| ParsedTarget::Broken)
            }
            Word::OutputName => {
                let meant = format!("o[{word}]");
                let fault = Diagnostic::new(
                    codes::FP1.unexpected,
                    token.span,
                    format!("expected a destination, found `{word}`"),
                )
                .with_fix(format!("replace with {meant}"), token.span, meant);
                self.fail(fault)
            }
            Word::Name if token.kind == TokenKind::Word => {
                self.advance();
                if self.own.names.get(word).is_some() {
                    self.read_only(
                        codes::FP1_WRITE_PARAMETER,
                        "constants and program parameters",
                        token.span,
                    );
                } else {
                    let shown = self.excerpt(token.span);
                    self.sink.push(
                        range_fault(word, token.span)
                            .unwrap_or_else(|| not_a_destination(word, &shown, token.span)),
                    );
                }
                Ok(ParsedTarget::Broken)
            }
            _ => Err(self.unexpected("a destination register")),
        }
    }

    fn read_only(&mut self, code: Code, what: &str, span: Span) {
        self.sink.push(
            Diagnostic::new(code, span, format!("{what} cannot be written"))
                .with_note("Destinations are R0 to R31, H0 to H63, RC, HC, o[COLR], o[COLH] and o[DEPR]."),
        );
    }

    /// Reads KIL's test, which takes no parentheses.
    pub(super) fn kill_test(&mut self) -> Parse<CcTest> {
        if self.token.kind == TokenKind::LeftParen {
            let open = self.token.span;
            let fault = Diagnostic::new(codes::FP1.unexpected, open, "KIL's condition takes no parentheses")
                .with_note("Write it without them: `KIL LT.x;`");
            return self.fail(fault);
        }
        self.cc_test()
    }

    /// Reads `<texImageId>`.
    pub(super) fn texture_image(&mut self) -> Parse<ParsedTexture> {
        let token = self.token;
        let word = self.word();
        let Word::TextureUnit(unit) = classify(word) else {
            let fault = self.bad_unit(word, token);
            return self.fail(fault);
        };
        self.advance();
        self.expect(TokenKind::Comma, "`,` and a texture target")?;
        let target_token = self.token;
        let spelling = target_token.span.slice(self.text);
        let mut targets = TextureTarget::FP1.iter().copied();
        let Some(target) = targets.find(|t| t.name().as_bytes() == spelling) else {
            let mut fault = Diagnostic::new(
                codes::FP1_BAD_TEXTURE_TARGET,
                target_token.span,
                format!("expected a texture target, found {}", self.found()),
            )
            .with_note("The targets are 1D, 2D, 3D, CUBE and RECT.");
            let spelling = self.excerpt(target_token.span);
            if let Some(meant) = TextureTarget::FP1.iter().find(|t| t.name().eq_ignore_ascii_case(&spelling))
            {
                fault =
                    fault.with_fix(format!("replace with {}", meant.name()), target_token.span, meant.name());
            }
            return self.fail(fault);
        };
        self.advance();
        Ok(ParsedTexture {
            unit,
            target,
            span: token.span.to(target_token.span),
            target_span: target_token.span,
        })
    }

    fn bad_unit(&self, word: &str, token: Token) -> Diagnostic {
        let found = self.found();
        let message = match numbered(word, "TEX") {
            Some(_) => format!("there is no texture image unit {found}"),
            None => format!("expected a texture image unit, found {found}"),
        };
        Diagnostic::new(codes::FP1_BAD_TEXTURE_UNIT, token.span, message)
            .with_note(format!("The units are TEX0 to TEX{}.", IMAGE_UNITS - 1))
    }
}

fn not_a_destination(word: &str, shown: &str, span: Span) -> Diagnostic {
    let fault =
        Diagnostic::new(codes::FP1_BAD_REGISTER, span, format!("`{shown}` is not a writable register"))
            .with_note("Destinations are R0 to R31, H0 to H63, RC, HC, o[COLR], o[COLH] and o[DEPR].");
    match upper_case_register(word) {
        Some(meant) => fault.with_fix(format!("replace with {meant}"), span, meant),
        None => fault,
    }
}

/// The finding about a register number out of range, such as `R32` or `H64`.
fn range_fault(word: &str, span: Span) -> Option<Diagnostic> {
    let ranges = [("R", Register::WIDE), ("H", Register::NARROW)];
    let (prefix, count) = ranges.into_iter().find(|(prefix, _)| numbered(word, prefix).is_some())?;
    let shown: String = word.chars().take(16).collect();
    Some(
        Diagnostic::new(
            codes::FP1_BAD_REGISTER.citing("NV_fragment_program 3.11.1.2"),
            span,
            format!("there is no register `{shown}`"),
        )
        .with_note(format!("{prefix} registers are {prefix}0 to {prefix}{}.", count - 1)),
    )
}
