//! Registers of vertex programs, as operands and as destinations.

use super::check::{Base, ParsedOperand, ParsedTarget, Reference};
use super::parser::{GRAMMAR, Parser};
use super::words::{Word, results};
use crate::diag::{Diagnostic, codes};
use crate::front::dialect::Sign;
use crate::front::nearest;
use crate::front::operand::LetterTokens;
use crate::front::parser::Parse;
use crate::front::word_roles::numbered;
use crate::ir::{Attribute, VertexResult};
use crate::isa::{Info, Language, OperandKind, ResultKind};
use crate::source::Span;
use crate::syntax::{Token, TokenKind};

const ATTRIBUTES: &str = "NV_vertex_program2 2.14.1.1";
const ADDRESSES: &str = "NV_vertex_program2 2.14.1.3";
const TEMPORARIES: &str = "NV_vertex_program2 2.14.1.4";
const STATE_PROGRAMS: &str = "NV_vertex_program2 2.14.5";

impl<'t> Parser<'t> {
    /// Reads `<baseVectorSrc>` or `<baseScalarSrc>`, after its sign.
    pub(super) fn vp_base(&mut self, kind: OperandKind, sign: Sign) -> Parse<ParsedOperand> {
        let token = self.token;
        let mut operand = ParsedOperand::new(Base::Broken, token.span, sign);
        let mut suffix = kind;
        match token.kind {
            TokenKind::Word => {
                operand.base = self.source(token)?;
                // For an unknown register, it is unknown whether a component is needed.
                if matches!(operand.base, Base::Broken) {
                    suffix = OperandKind::Vector;
                }
            }
            TokenKind::Number | TokenKind::BadNumber | TokenKind::LeftBrace => {
                let fault = Diagnostic::new(
                    codes::VP.unexpected,
                    token.span,
                    format!("expected an operand, found {}", self.found()),
                )
                .with_note("Operands cannot be constants here. Put the value in a program parameter, c[n].");
                return self.fail(fault);
            }
            _ => return Err(self.unexpected("an operand")),
        }
        operand.base_span = token.span.to(self.previous);
        operand.swizzle = self.suffix(suffix, operand.base_span)?;
        Ok(operand)
    }

    /// Reads `<srcRegister>`, whose first token is `token`.
    fn source(&mut self, token: Token) -> Parse<Base> {
        let word = self.word();
        let shown = self.excerpt(token.span);
        match self.classify(word) {
            Word::Temporary(number) => {
                self.advance();
                Ok(if self.has_temporary(number, token.span) { Base::Temp(number) } else { Base::Broken })
            }
            Word::AttributeArray => Ok(self.attribute()?.map_or(Base::Broken, Base::Attribute)),
            Word::ParameterArray => Ok(self.parameter()?.map_or(Base::Broken, Base::Parameter)),
            Word::ResultArray => {
                let read = self.bracketed("o", "a result name");
                let span = token.span.to(self.previous);
                // The first offending token is the `o`, whether or not the brackets have a fault too (ruling
                // 13).
                self.sink.push(
                    Diagnostic::new(codes::VP_READ_RESULT, span, "result registers cannot be read")
                        .with_note("Compute in a temporary register and MOV the result to the output."),
                );
                read.map(|_| Base::Broken)
            }
            Word::Address(_) => {
                self.advance();
                self.sink.push(
                    Diagnostic::new(
                        codes::VP_READ_ADDRESS,
                        token.span,
                        format!("the address register {shown} cannot be read as a value"),
                    )
                    .with_note("Address registers only index program parameters, as in c[A0.x+4]."),
                );
                Ok(Base::Broken)
            }
            Word::ConditionRegister => {
                self.advance();
                self.sink.push(
                    Diagnostic::new(codes::VP_READ_CONDITION_REGISTER, token.span, "CC is write-only")
                        .with_note("Writing CC only sets the condition code. The register holds no value."),
                );
                Ok(Base::Broken)
            }
            Word::Name => {
                self.advance();
                let fault = self.no_register(word, token.span);
                self.sink.push(fault);
                Ok(Base::Broken)
            }
            other => {
                let fault = Diagnostic::new(
                    codes::VP.unexpected,
                    token.span,
                    format!("expected an operand, found `{shown}`, which is {}", other.describe()),
                );
                self.fail(fault)
            }
        }
    }

    /// The finding that `word` is not a register.
    fn no_register(&self, word: &str, span: Span) -> Diagnostic {
        let shown = self.excerpt(span);
        let limits = self.own.profile().limits;
        let fault = |clause| {
            Diagnostic::new(
                codes::VP_BAD_REGISTER.citing(clause),
                span,
                format!("there is no register `{shown}`"),
            )
        };
        if numbered(word, "R").is_some() {
            let last = limits.temporaries - 1;
            return fault(TEMPORARIES).with_note(format!("The temporary registers are R0 to R{last}."));
        }
        if numbered(word, "A").is_some() {
            return fault(ADDRESSES).with_note("The address registers are A0 and, in `!!VP2.0`, A1.");
        }
        if Attribute::VERTEX.iter().any(|a| a.name() == word) {
            let meant = format!("v[{shown}]");
            return fault(ATTRIBUTES).with_fix(format!("replace with {meant}"), span, meant);
        }
        let upper = word.to_ascii_uppercase();
        match self.classify(&upper) {
            Word::Temporary(_) | Word::Address(_) | Word::ConditionRegister => {
                fault(GRAMMAR).with_fix(format!("replace with {upper}"), span, upper)
            }
            _ => fault(GRAMMAR).with_note("Registers are written R0, A0, v[n], c[n] and o[NAME]."),
        }
    }

    /// Whether the language has temporary `number`. Reports a fault if not.
    fn has_temporary(&mut self, number: u8, span: Span) -> bool {
        if usize::from(number) < self.own.profile().limits.temporaries {
            return true;
        }
        let fault = self.own.later(&format!("R{number}"), Language::Vp2, span);
        self.sink.push(fault);
        false
    }

    /// Whether the language has address register `number`. Reports a fault if not.
    fn has_address(&mut self, number: u8, span: Span) -> bool {
        if usize::from(number) < self.own.profile().limits.addresses {
            return true;
        }
        let fault = self.own.later(&format!("A{number}"), Language::Vp2, span);
        self.sink.push(fault);
        false
    }

    /// Reads `array [ token ]` with any token.
    fn bracketed(&mut self, array: &str, wanted: &str) -> Parse<Token> {
        let token = self.open_bracket(array, wanted)?;
        self.close_bracket()?;
        Ok(token)
    }

    /// Reads `v[...]`. `None` if the name or number is at fault.
    fn attribute(&mut self) -> Parse<Option<u8>> {
        let token = self.open_bracket("v", "an attribute name or number")?;
        let word = self.word_at(token);
        let shown = self.excerpt(token.span);
        let found = if self.own.is_state_program() {
            (token.span.slice(self.text) == b"0").then_some(0)
        } else {
            let number = self.whole_number(token).filter(|&n| n < 16).and_then(|n| u8::try_from(n).ok());
            let named = || (0..16).find(|&n| Attribute::Vertex(n).name() == word);
            number.or_else(|| named().filter(|_| token.kind == TokenKind::Word))
        };
        if found.is_none() {
            let fault = |clause, message| {
                Diagnostic::new(codes::VP_BAD_ATTRIBUTE.citing(clause), token.span, message)
            };
            let fault = if self.own.is_state_program() {
                fault(STATE_PROGRAMS, format!("state programs have no attribute `v[{shown}]`"))
                    .with_note("State programs can read only v[0], which ExecuteProgramNV sets.")
                    .with_fix("replace with 0", token.span, "0")
            } else {
                let fault = fault(ATTRIBUTES, format!("there is no attribute `v[{shown}]`")).with_note(
                    "Attributes are v[0] to v[15]. Fourteen of them also have names: v[OPOS], v[WGHT], v[NRML], v[COL0], v[COL1], v[FOGC] and v[TEX0] to v[TEX7].",
                );
                match nearest(word, Attribute::VERTEX.iter().map(|a| a.name())) {
                    Some(meant) if numbered(word, "TEX").is_none() => {
                        fault.with_fix(format!("replace with {meant}"), token.span, meant)
                    }
                    _ => fault,
                }
            };
            self.sink.push(fault);
        }
        self.close_bracket()?;
        Ok(found)
    }

    /// Reads `c[...]`. `None` if the reference in the brackets is at fault.
    fn parameter(&mut self) -> Parse<Option<Reference>> {
        self.open_parameter()?;
        self.parameter_within()
    }

    fn open_parameter(&mut self) -> Parse<()> {
        self.advance();
        self.expect(TokenKind::LeftBracket, "`[` after `c`").map(|_| ())
    }

    /// Reads the reference in the brackets of `c[...]`, and the closing bracket.
    fn parameter_within(&mut self) -> Parse<Option<Reference>> {
        let token = self.token;
        let found = match token.kind {
            number if number.is_numeric() => {
                self.advance();
                self.parameter_number(token)
            }
            TokenKind::Word => match self.classify(self.word()) {
                Word::Address(number) => self.relative(number)?,
                _ => {
                    let upper = self.word().to_ascii_uppercase();
                    let shown = self.excerpt(token.span);
                    let mut fault = Diagnostic::new(
                        codes::VP_BAD_PARAMETER.citing(GRAMMAR),
                        token.span,
                        format!("`{shown}` is neither a parameter number nor an address register"),
                    );
                    if matches!(self.classify(&upper), Word::Address(_)) {
                        fault = fault.with_fix(format!("replace with {upper}"), token.span, upper);
                    }
                    return self.fail(fault);
                }
            },
            _ => return Err(self.unexpected("a parameter number or an address register")),
        };
        self.close_bracket()?;
        Ok(found)
    }

    /// Reads `<progParamRegNum>`.
    fn parameter_number(&mut self, token: Token) -> Option<Reference> {
        let limit = self.own.profile().limits.parameters;
        let value = self.whole_number(token);
        let number = value.and_then(|n| u16::try_from(n).ok()).filter(|&n| usize::from(n) < limit);
        if number.is_none() {
            let shown = self.excerpt(token.span);
            let message = match value {
                Some(_) => format!("there is no parameter `c[{shown}]`"),
                None => format!("`{shown}` is not a whole number"),
            };
            let mut fault = Diagnostic::new(codes::VP_BAD_PARAMETER, token.span, message)
                .with_note(format!("Program parameters are c[0] to c[{}].", limit - 1));
            if limit < Language::Vp2.profile().limits.parameters {
                fault = fault.with_note("`!!VP2.0` has c[0] to c[255].");
            }
            self.sink.push(fault);
        }
        number.map(Reference::Absolute)
    }

    /// Reads `<scalarAddr> <relProgParamOffset>`. The next token is the address register.
    fn relative(&mut self, address: u8) -> Parse<Option<Reference>> {
        let register = self.advance();
        let mut legal = self.has_address(address, register.span);
        if !self.own.profile().relative_when_invariant && self.own.check.is_position_invariant() {
            self.sink.push(
                Diagnostic::new(
                    codes::VP_INVARIANT_RELATIVE,
                    register.span,
                    "position-invariant `!!VP1.1` programs cannot use relative addressing",
                )
                .with_note("`!!VP2.0` lifts this restriction."),
            );
            legal = false;
        }
        let component = self.address_component(register.span)?;
        let offset = self.offset()?;
        Ok(match (legal, component, offset) {
            (true, Some(component), Some(offset)) => Some(Reference::Relative { address, component, offset }),
            _ => None,
        })
    }

    /// Reads `"." <addrRegisterComp>`, after the address register at `register`.
    fn address_component(&mut self, register: Span) -> Parse<Option<u8>> {
        if self.eat(TokenKind::Dot).is_none() {
            self.needs_component(register, "select a component of the address register");
            return Ok(None);
        }
        let letters = self.letters(LetterTokens::Each, codes::VP.mixed_components)?;
        let &[component] = letters.components.as_slice() else {
            self.sink.push(Diagnostic::new(
                codes::VP.bad_swizzle.citing(GRAMMAR),
                letters.fault_beyond_one(),
                "an index takes one component of the address register",
            ));
            return Ok(None);
        };
        if usize::from(component) >= self.own.profile().addresses.components.len() {
            let fault =
                self.own.later("an address register component other than A0.x", Language::Vp2, letters.span);
            self.sink.push(fault);
            return Ok(None);
        }
        Ok(Some(component))
    }

    /// Reports that a point and a component should be in place of the next token.
    fn needs_component(&mut self, register: Span, message: &str) {
        self.sink.push(
            Diagnostic::new(codes::VP.needs_component.citing(GRAMMAR), register, message)
                .with_fix("add .x", Span::at(register.end), ".x")
                .at_position(self.token.span.start),
        );
    }

    /// Reads `<relProgParamOffset>`.
    fn offset(&mut self) -> Parse<Option<i64>> {
        let Some((token, offset)) = self.signed_offset(true)? else { return Ok(Some(0)) };
        let (low, high) = self.own.profile().addresses.offsets;
        let offset = offset.filter(|offset| (low..=high).contains(offset));
        if offset.is_none() {
            let shown = self.excerpt(token.span);
            self.sink.push(
                Diagnostic::new(codes::VP_BAD_OFFSET, token.span, format!("`{shown}` is not a valid offset"))
                    .with_note(format!("Offsets are whole numbers from {low} to +{high}.")),
            );
        }
        Ok(offset)
    }

    /// Reads ARA's `<addrRegister>`: a whole register, without sign or suffix.
    pub(super) fn address_operand(&mut self) -> Parse<ParsedOperand> {
        let token = self.token;
        let Word::Address(number) = self.classify(self.word()) else {
            return Err(self.unexpected("an address register"));
        };
        self.advance();
        let mut operand = ParsedOperand::new(Base::Broken, token.span, Sign::None);
        if self.has_address(number, token.span) {
            operand.base = Base::Address(number);
        }
        if self.token.kind == TokenKind::Dot {
            let fault = Diagnostic::new(
                codes::VP.bad_swizzle.citing("NV_vertex_program2 2.14.3.3"),
                self.token.span,
                "ARA takes a whole address register, without a suffix",
            );
            return self.fail(fault);
        }
        Ok(operand)
    }

    /// Reads `<dstRegister>`, or `<addrRegister>` for an instruction that loads an address register.
    pub(super) fn vp_target(&mut self, info: &Info) -> Parse<ParsedTarget> {
        let start = self.token.span;
        let mnemonic = info.mnemonic;
        let addresses = &self.own.profile().addresses;
        let target = self.any_target()?;
        let span = start.to(self.previous);
        match (info.result == ResultKind::Address, target) {
            (_, ParsedTarget::Broken) => Ok(target),
            (true, ParsedTarget::Address(_)) => {
                if addresses.components.len() == 1 && self.token.kind != TokenKind::Dot {
                    self.needs_component(span, "A0 has only an x component here: write A0.x");
                }
                Ok(target)
            }
            (true, _) => {
                self.sink.push(
                    Diagnostic::new(
                        codes::VP_NEEDS_ADDRESS,
                        span,
                        format!("the destination of {mnemonic} must be an address register"),
                    )
                    .with_note(if addresses.registers.len() == 1 {
                        "For example: `ARL A0.x, R0.x;`"
                    } else {
                        "Use A0 or A1, with or without a mask."
                    }),
                );
                Ok(ParsedTarget::Broken)
            }
            (false, ParsedTarget::Address(_)) => {
                self.sink.push(
                    Diagnostic::new(
                        codes::VP_WRITE_ADDRESS,
                        span,
                        format!("{mnemonic} cannot write an address register"),
                    )
                    .with_note(if addresses.registers.len() == 1 {
                        "Use ARL to load it."
                    } else {
                        "Use ARL, ARR or ARA to load them."
                    }),
                );
                Ok(ParsedTarget::Broken)
            }
            (false, _) => Ok(target),
        }
    }

    /// Reads any register in place of a destination.
    fn any_target(&mut self) -> Parse<ParsedTarget> {
        let token = self.token;
        let word = self.word();
        match self.classify(word) {
            Word::Temporary(number) => {
                self.advance();
                let known = self.has_temporary(number, token.span);
                Ok(if known { ParsedTarget::Temp(number) } else { ParsedTarget::Broken })
            }
            Word::Address(number) => {
                self.advance();
                let known = self.has_address(number, token.span);
                Ok(if known { ParsedTarget::Address(number) } else { ParsedTarget::Broken })
            }
            Word::ConditionRegister => {
                self.advance();
                if self.own.profile().condition_codes > 0 {
                    return Ok(ParsedTarget::ConditionOnly);
                }
                let fault = self.own.later("CC", Language::Vp2, token.span);
                self.sink.push(fault);
                Ok(ParsedTarget::Broken)
            }
            Word::ResultArray => self.result_target(token),
            Word::ParameterArray => self.parameter_target(token),
            Word::AttributeArray => {
                let read = self.bracketed("v", "an attribute name or number");
                let span = token.span.to(self.previous);
                self.sink.push(
                    Diagnostic::new(codes::VP_WRITE_ATTRIBUTE, span, "attribute registers cannot be written")
                        .with_note(self.destinations()),
                );
                read.map(|_| ParsedTarget::Broken)
            }
            Word::Name if token.kind == TokenKind::Word => {
                self.advance();
                let fault = self.no_destination(word, token.span);
                self.sink.push(fault);
                Ok(ParsedTarget::Broken)
            }
            _ => Err(self.unexpected("a destination register")),
        }
    }

    /// A note that lists the registers that a program can write.
    fn destinations(&self) -> String {
        let profile = self.own.profile();
        let last = profile.limits.temporaries - 1;
        if self.own.is_state_program() {
            format!("Destinations are R0 to R{last} and c[0] to c[95].")
        } else if profile.condition_codes > 0 {
            format!("Destinations are R0 to R{last}, CC and o[HPOS] to o[CLP5].")
        } else {
            format!("Destinations are R0 to R{last} and o[HPOS] to o[TEX7].")
        }
    }

    fn no_destination(&self, word: &str, span: Span) -> Diagnostic {
        let fault = self.no_register(word, span);
        if results(self.own.language).any(|r| r.name() == word) {
            let meant = format!("o[{word}]");
            return fault.with_fix(format!("replace with {meant}"), span, meant);
        }
        fault
    }

    /// Reads `<vtxResultRegister>`.
    fn result_target(&mut self, array: Token) -> Parse<ParsedTarget> {
        if self.own.is_state_program() {
            let read = self.bracketed("o", "a result name");
            let span = array.span.to(self.previous);
            self.sink.push(
                Diagnostic::new(
                    codes::VP_BAD_RESULT.citing(STATE_PROGRAMS),
                    span,
                    "state programs have no result registers",
                )
                .with_note(self.destinations()),
            );
            return read.map(|_| ParsedTarget::Broken);
        }
        let token = self.open_bracket("o", "a result name")?;
        let word = self.word_at(token);
        let found = results(self.own.language).find(|r| r.name() == word);
        let target = match found {
            None => {
                let fault = self.no_result(word, token.span);
                self.sink.push(fault);
                // The unknown name may be a misspelling of any result.
                ParsedTarget::Broken
            }
            Some(VertexResult::Hpos) if self.own.check.is_position_invariant() => {
                self.sink.push(
                    Diagnostic::new(codes::VP_INVARIANT_POSITION,
                        token.span,
                        "a position-invariant program cannot write o[HPOS]",
                    )
                    .with_note("With OPTION NV_position_invariant, the fixed-function transformation computes the position."),
                );
                ParsedTarget::Broken
            }
            Some(result) => ParsedTarget::Result(result),
        };
        self.close_bracket()?;
        Ok(target)
    }

    fn no_result(&self, word: &str, span: Span) -> Diagnostic {
        let shown = self.excerpt(span);
        if results(Language::Vp2).any(|r| r.name() == word) {
            return self.own.later(&format!("o[{word}]"), Language::Vp2, span);
        }
        let clip = if self.own.profile().clip_distances { ", CLP0 to CLP5" } else { "" };
        let fault =
            Diagnostic::new(codes::VP_BAD_RESULT, span, format!("there is no result register `o[{shown}]`"))
                .with_note(format!(
                    "Results are HPOS, COL0, COL1, BFC0, BFC1, FOGC, PSIZ, TEX0 to TEX7{clip}."
                ));
        let names: Vec<&str> = results(self.own.language).map(VertexResult::name).collect();
        match nearest(word, names) {
            Some(meant) if numbered(word, "TEX").is_none() && numbered(word, "CLP").is_none() => {
                fault.with_fix(format!("replace with {meant}"), span, meant)
            }
            _ => fault,
        }
    }

    /// Reads `<absProgParamReg>` as a destination. Only state programs have such destinations.
    fn parameter_target(&mut self, array: Token) -> Parse<ParsedTarget> {
        if !self.own.is_state_program() {
            let read = self.parameter_unchecked();
            let span = array.span.to(self.previous);
            self.sink.push(
                Diagnostic::new(
                    codes::VP_WRITE_PARAMETER,
                    span,
                    "vertex programs cannot write program parameters",
                )
                .with_note("Only state programs (`!!VSP1.0`) can."),
            );
            return read.map(|()| ParsedTarget::Broken);
        }
        self.open_parameter()?;
        // In a relative reference, the address register is the offending token: a number would be legal
        // there.
        let within = self.token.span;
        Ok(match self.parameter_within()? {
            Some(Reference::Absolute(number)) => ParsedTarget::Parameter(number),
            Some(Reference::Relative { .. }) => {
                self.sink.push(
                    Diagnostic::new(
                        codes::VP_RELATIVE_WRITE,
                        within,
                        "relative addressing cannot be used to write a parameter",
                    )
                    .with_note("Name the parameter by its number, as in c[4]."),
                );
                ParsedTarget::Broken
            }
            None => ParsedTarget::Broken,
        })
    }

    /// Skips `c[...]` without checking the reference.
    fn parameter_unchecked(&mut self) -> Parse<()> {
        self.open_parameter()?;
        while self.word() != "END"
            && !matches!(
                self.token.kind,
                TokenKind::RightBracket | TokenKind::Semicolon | TokenKind::Comma | TokenKind::EndOfText
            )
        {
            self.advance();
        }
        self.close_bracket()
    }
}
