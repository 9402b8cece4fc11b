//! What instructions read and write: variables, bindings in place, constants, SWZ, texture units.

use super::bindings::{AttributeBinding, Place};
use super::check::{Base, ParsedOperand, ParsedTarget, ParsedTexture, Reference};
use super::names::Variable;
use super::parameters::Value;
use super::parser::Parser;
use super::words::{self, prefixes};
use crate::diag::Diagnostic;
use crate::front::dialect::Sign;
use crate::front::operand::{LetterSet, component, mixed_letters};
use crate::front::parser::Parse;
use crate::ir::{CcTest, IMAGE_UNITS, Negation, Swizzle, TextureTarget};
use crate::isa::{Info, OperandKind, ResultKind};
use crate::source::Span;
use crate::syntax::{Token, TokenKind};

/// A selector of SWZ.
struct Selector {
    value: u8,
    negative: bool,
}

impl<'t> Parser<'t> {
    /// `<srcReg>` with its suffix, behind the sign.
    pub(super) fn arb_base(&mut self, kind: OperandKind, sign: Sign) -> Parse<ParsedOperand> {
        let token = self.token;
        let mut operand = ParsedOperand::new(Base::Broken, token.span, sign);
        let Some((base, has_suffix)) = self.source(Place::Operand)? else {
            operand.base_span = token.span.to(self.previous);
            return Ok(operand);
        };
        operand.base = base;
        operand.base_span = token.span.to(self.previous);
        if !has_suffix {
            if self.token.kind == TokenKind::Dot {
                let fault = Diagnostic::error(
                    "arb-scalar-suffix",
                    self.own.clause("NV_fragment_program_option 3.11.2", "NV_vertex_program2_option 2.14.2"),
                    self.token.span,
                    "a number takes no suffix with this option",
                )
                .with_label(operand.base_span, "it is the same in every component");
                return self.fail(fault);
            }
            operand.swizzle = Swizzle::replicate(0);
            return Ok(operand);
        }
        // Whether a component is due is unknown where the register is.
        let kind = if matches!(base, Base::Broken) { OperandKind::Vector } else { kind };
        operand.swizzle = self.suffix(kind, operand.base_span)?;
        Ok(operand)
    }

    /// `<srcReg>`, and whether a suffix may follow; nothing where what is read is unknown.
    fn source(&mut self, place: Place) -> Parse<Option<(Base, bool)>> {
        let start = self.token.span;
        match self.token.kind {
            kind if kind.is_numeric() => {
                let value = Value::Constant([self.number()?; 4]);
                self.own.counts.bind_parameter(value, start, &mut self.sink);
                let has_suffix = match (self.own.language.option().is_some(), self.own.wants_nv) {
                    (true, _) => false,
                    (false, true) => self.token.kind == TokenKind::Dot,
                    (false, false) => true,
                };
                Ok(Some((Base::Parameter(Reference::Unnamed(value)), has_suffix)))
            }
            TokenKind::LeftBrace => {
                let value = Value::Constant(self.vector_constant()?);
                self.own.counts.bind_parameter(value, start.to(self.previous), &mut self.sink);
                Ok(Some((Base::Parameter(Reference::Unnamed(value)), true)))
            }
            TokenKind::Word => Ok(self.register(place)?.map(|base| (base, true))),
            _ => Err(self.unexpected("an operand")),
        }
    }

    /// A word with a meaning of its own stands where `wanted` should.
    fn misplaced<T>(&mut self, word: &str, span: Span, wanted: &str) -> Parse<T> {
        let shown = self.excerpt(span);
        let what = words::role(self.own.language, word).describe();
        let words = format!("expected {wanted}, found `{shown}`, which is {what}");
        self.fail(Diagnostic::error("arb-unexpected", self.own.dialect_clause(), span, words))
    }

    /// A variable, or a binding in place; nothing where it is unknown or cannot be read, which is reported
    /// and read over.
    fn register(&mut self, place: Place) -> Parse<Option<Base>> {
        let word = self.word();
        let span = self.token.span;
        if let Some(variable) = self.own.names.get(word) {
            self.advance();
            return self.variable(variable, span);
        }
        let attributes = prefixes(self.own.language)[0];
        match word {
            "state" | "program" => {
                let bound = self.parameter_binding(place)?;
                Ok(bound.map(|bound| Base::Parameter(Reference::Unnamed(bound.first))).or(Some(Base::Broken)))
            }
            "result" => {
                self.read_result(span);
                self.result_binding(Place::Operand)?;
                Ok(Some(Base::Broken))
            }
            _ if word == attributes => {
                let binding = self.attribute_binding(place)?;
                Ok(Some(binding.map_or(Base::Broken, Base::Attribute)))
            }
            _ if !self.own.is_free(word) => self.misplaced(word, span, "an operand"),
            _ => {
                self.advance();
                self.undefined(word, span);
                self.skip_reference();
                Ok(None)
            }
        }
    }

    /// What the name at `span`, which has been read, gives as an operand.
    fn variable(&mut self, variable: Variable, span: Span) -> Parse<Option<Base>> {
        if let Variable::Array(array) = variable {
            return self.element(array, span).map(Some);
        }
        if matches!(variable, Variable::Broken) {
            self.skip_reference();
            return Ok(None);
        }
        let base = match variable {
            Variable::Temporary(number) => Base::Temp(number),
            Variable::Attribute(binding) => {
                if let AttributeBinding::Indexed { relative, .. } = binding
                    && relative.register == super::bindings::AddressRegister::Loop
                    && !self.own.blocks.in_loop_with_index()
                    && self.own.blocks.are_known()
                {
                    let fault = self.outside_loop(span);
                    self.sink.push(fault);
                }
                Base::Attribute(binding)
            }
            Variable::Parameter(number) => Base::Parameter(Reference::Single(number)),
            Variable::Result(..) => {
                self.read_result(span);
                Base::Broken
            }
            Variable::Address(_) | Variable::LoopIndex => {
                let shown = self.excerpt(span);
                self.sink.push(
                    Diagnostic::error(
                        "arb-read-address",
                        self.own.clause("NV_fragment_program2 3.11.3.Y", "ARB_vertex_program 2.14.3.5"),
                        span,
                        format!("{shown} cannot be read as a number"),
                    )
                    .with_note("Address registers only choose elements of arrays."),
                );
                self.skip_reference();
                return Ok(None);
            }
            Variable::Array(_) | Variable::Broken => Base::Broken,
        };
        self.no_index(span)?;
        Ok(Some(base))
    }

    fn read_result(&mut self, span: Span) {
        let clause = self.own.clause("ARB_fragment_program 3.11.3.4", "ARB_vertex_program 2.14.3.4");
        self.sink.push(
            Diagnostic::error("arb-read-result", clause, span, "results cannot be read")
                .with_note("Compute in a temporary and MOV it to the result."),
        );
    }

    /// `[` behind what is no array, at `name`.
    fn no_index(&mut self, name: Span) -> Parse<()> {
        if self.token.kind != TokenKind::LeftBracket {
            return Ok(());
        }
        let shown = self.excerpt(name);
        let clause = self.own.clause("ARB_fragment_program 3.11.4.2", "ARB_vertex_program 2.14.4.2");
        let fault =
            Diagnostic::error("arb-not-array", clause, self.token.span, format!("`{shown}` is no array"))
                .with_note("Only PARAM declares arrays.");
        self.fail(fault)
    }

    /// `[ n ]` or `[ A0.x+n ]` behind the name of `array`, which stands at `name`.
    fn element(&mut self, array: u32, name: Span) -> Parse<Base> {
        let clause = self.own.clause("ARB_fragment_program 3.11.3.2", "ARB_vertex_program 2.14.3.2");
        let count = self.own.names.array(array).map_or(0, |array| array.count);
        if self.eat(TokenKind::LeftBracket).is_none() {
            let shown = self.excerpt(name);
            self.sink.push(
                Diagnostic::error(
                    "arb-needs-index",
                    clause,
                    name,
                    format!("`{shown}` is an array of {count}: say which element"),
                )
                .with_fix("take the first", Span::at(name.end), "[0]")
                .at_position(self.token.span.start),
            );
            return Ok(Base::Broken);
        }
        let token = self.token;
        if token.kind == TokenKind::Word && self.own.is_vertex() {
            let relative = self.relative()?;
            self.close_bracket()?;
            let Some(relative) = relative else { return Ok(Base::Broken) };
            self.make_relative(array, name);
            return Ok(Base::Parameter(Reference::Relative { array, relative }));
        }
        if !token.kind.is_numeric() {
            return Err(self.unexpected("the number of an element"));
        }
        self.advance();
        let value = self.whole_number(token);
        let index = value.and_then(|n| u16::try_from(n).ok()).filter(|&index| index < count);
        if index.is_none() {
            let shown = self.excerpt(token.span);
            let message = match value {
                Some(_) => format!("the array has no element {shown}"),
                None => format!("`{shown}` is not a whole number"),
            };
            let last = count.saturating_sub(1);
            self.sink.push(
                Diagnostic::error("arb-bad-index", clause, token.span, message)
                    .with_note(format!("Its elements are 0 to {last}.")),
            );
        }
        self.close_bracket()?;
        Ok(index.map_or(Base::Broken, |index| Base::Parameter(Reference::Element { array, index })))
    }

    /// Notes that an address register chooses an element of `array` at `span`.
    fn make_relative(&mut self, array: u32, span: Span) {
        let own = &mut self.own;
        if let Some(array) = own.names.array_mut(array).filter(|array| array.relative.is_none()) {
            array.relative = Some(span);
            own.counts.make_relative(array, span);
        }
    }

    /// Reads over indices and suffixes of something that has been reported.
    fn skip_reference(&mut self) {
        loop {
            let following = self.following().map(|token| token.kind);
            match self.token.kind {
                TokenKind::Dot if following == Some(TokenKind::Word) => {
                    self.advance();
                    self.advance();
                }
                TokenKind::LeftBracket => {
                    while !matches!(
                        self.token.kind,
                        TokenKind::RightBracket
                            | TokenKind::Semicolon
                            | TokenKind::Comma
                            | TokenKind::EndOfText
                    ) && self.word() != "END"
                    {
                        self.advance();
                    }
                    if self.eat(TokenKind::RightBracket).is_none() {
                        return;
                    }
                }
                _ => return,
            }
        }
    }

    /// Reads over parentheses that have been reported, and what stands in them.
    pub(super) fn skip_parentheses(&mut self) {
        while !matches!(
            self.token.kind,
            TokenKind::RightParen | TokenKind::Semicolon | TokenKind::Comma | TokenKind::EndOfText
        ) && self.word() != "END"
        {
            self.advance();
        }
        self.eat(TokenKind::RightParen);
    }

    /// ARA's and PUSHA's operand: an address register, whole and without sign.
    pub(super) fn address_operand(&mut self, mnemonic: &str) -> Parse<ParsedOperand> {
        let token = self.token;
        let word = self.word();
        let mut operand = ParsedOperand::new(Base::Broken, token.span, Sign::None);
        match self.own.names.get(word) {
            Some(Variable::Address(number)) => operand.base = Base::Address(number),
            Some(Variable::Broken) => {}
            Some(_) => {
                let fault = self.needs_address(token.span);
                self.sink.push(fault);
            }
            None if token.kind != TokenKind::Word || !self.own.is_free(word) => {
                return Err(self.unexpected("an address register"));
            }
            None => self.undefined(word, token.span),
        }
        self.advance();
        if self.token.kind == TokenKind::Dot {
            let fault = Diagnostic::error(
                "arb-bad-swizzle",
                "NV_vertex_program2_option 2.14.5.28",
                self.token.span,
                format!("{mnemonic} takes a whole address register, without a suffix"),
            );
            return self.fail(fault);
        }
        Ok(operand)
    }

    /// `<dstReg>`, or the address register that `info` loads.
    pub(super) fn arb_target(&mut self, info: &Info) -> Parse<ParsedTarget> {
        let start = self.token.span;
        let loads = info.result == ResultKind::Address;
        let target = self.any_target()?;
        match target {
            ParsedTarget::Address(_) if !loads => {
                let shown = self.excerpt(start);
                let clause = self.own.clause("NV_fragment_program2 3.11.3.Y", "ARB_vertex_program 2.14.3.5");
                let note = if self.own.is_vertex() {
                    "Address registers are loaded by ARL alone; with the NV options by ARR, ARA and POPA too."
                } else {
                    "LOOP and ENDLOOP alone write it."
                };
                self.sink.push(
                    Diagnostic::error(
                        "arb-write-address",
                        clause,
                        start,
                        format!("{} cannot write the address register {shown}", info.mnemonic),
                    )
                    .with_note(note),
                );
                Ok(ParsedTarget::Broken)
            }
            ParsedTarget::Address(_) => {
                if self.own.language.profile().addresses.components.len() == 1
                    && self.token.kind != TokenKind::Dot
                {
                    self.sink.push(
                        Diagnostic::error(
                            "arb-needs-component",
                            self.own.dialect_clause(),
                            start,
                            "address registers have one component here, and it is written: `.x`",
                        )
                        .with_fix("write `.x`", Span::at(self.previous.end), ".x")
                        .at_position(self.token.span.start),
                    );
                }
                Ok(target)
            }
            ParsedTarget::Temp(_) | ParsedTarget::Result(..) if loads => {
                let fault = self.needs_address(start);
                self.sink.push(fault);
                Ok(ParsedTarget::Broken)
            }
            _ => Ok(target),
        }
    }

    fn any_target(&mut self) -> Parse<ParsedTarget> {
        let word = self.word();
        let span = self.token.span;
        if self.token.kind != TokenKind::Word {
            return Err(self.unexpected("a destination"));
        }
        if let Some(variable) = self.own.names.get(word) {
            self.advance();
            return self.variable_target(variable, span);
        }
        let attributes = prefixes(self.own.language)[0];
        match word {
            "result" => {
                let binding = self.result_binding(Place::Operand)?;
                Ok(binding.map_or(ParsedTarget::Broken, |binding| ParsedTarget::Result(binding, None)))
            }
            "state" | "program" => {
                self.write_parameter(span);
                self.parameter_binding(Place::Operand)?;
                Ok(ParsedTarget::Broken)
            }
            _ if word == attributes => {
                self.write_attribute(span);
                self.attribute_binding(Place::Operand)?;
                Ok(ParsedTarget::Broken)
            }
            _ if !self.own.is_free(word) => self.misplaced(word, span, "a destination"),
            _ => {
                self.advance();
                self.undefined(word, span);
                if self.token.kind == TokenKind::LeftBracket {
                    self.skip_reference();
                }
                Ok(ParsedTarget::Broken)
            }
        }
    }

    fn variable_target(&mut self, variable: Variable, span: Span) -> Parse<ParsedTarget> {
        let target = match variable {
            Variable::Temporary(number) => ParsedTarget::Temp(number),
            Variable::Address(number) => ParsedTarget::Address(Some(number)),
            Variable::LoopIndex => ParsedTarget::Address(None),
            Variable::Result(binding, size) => ParsedTarget::Result(binding, size),
            Variable::Attribute(_) => {
                self.write_attribute(span);
                ParsedTarget::Broken
            }
            Variable::Parameter(_) => {
                self.write_parameter(span);
                ParsedTarget::Broken
            }
            Variable::Array(_) | Variable::Broken => {
                if matches!(variable, Variable::Array(_)) {
                    self.write_parameter(span);
                }
                if self.token.kind == TokenKind::LeftBracket {
                    self.skip_reference();
                }
                ParsedTarget::Broken
            }
        };
        self.no_index(span)?;
        Ok(target)
    }

    fn write_attribute(&mut self, span: Span) {
        let clause = self.own.clause("ARB_fragment_program 3.11.3.1", "ARB_vertex_program 2.14.3.1");
        self.sink.push(Diagnostic::error(
            "arb-write-attribute",
            clause,
            span,
            "attributes cannot be written",
        ));
    }

    fn write_parameter(&mut self, span: Span) {
        let clause = self.own.clause("ARB_fragment_program 3.11.3.2", "ARB_vertex_program 2.14.3.2");
        self.sink.push(Diagnostic::error(
            "arb-write-parameter",
            clause,
            span,
            "parameters cannot be written",
        ));
    }

    /// IF's condition, which stands bare.
    pub(super) fn bare_test(&mut self, mnemonic: &str) -> Parse<CcTest> {
        if self.token.kind == TokenKind::LeftParen {
            let fault = Diagnostic::error(
                "arb-unexpected",
                self.own.dialect_clause(),
                self.token.span,
                format!("{mnemonic}'s condition takes no parentheses"),
            )
            .with_note(format!("Write it bare: `{mnemonic} LT.x;`"));
            return self.fail(fault);
        }
        self.cc_test()
    }

    /// SWZ's operand: a register without sign and suffix, and four selectors.
    pub(super) fn extended_swizzle(&mut self, info: &Info) -> Parse<ParsedOperand> {
        let token = self.token;
        let mut operand = ParsedOperand::new(Base::Broken, token.span, Sign::None);
        if let Some((base, _)) = self.source(Place::Bare)? {
            operand.base = base;
            if self.token.kind == TokenKind::Dot {
                let fault = Diagnostic::error(
                    "arb-bad-swizzle",
                    self.own.clause("ARB_fragment_program 3.11.5.28", "ARB_vertex_program 2.14.5.26"),
                    self.token.span,
                    "SWZ's operand has no suffix",
                )
                .with_note("The four selectors behind it say what is read.");
                return self.fail(fault);
            }
        }
        operand.base_span = token.span.to(self.previous);
        let mut set = None;
        for place in 0..4 {
            self.comma(info, place)?;
            let selector = self.selector(&mut set)?;
            operand.swizzle.0[place] = selector.value;
            if selector.negative {
                operand.negate = Negation(operand.negate.0 | 1 << place);
            }
        }
        operand.span = token.span.to(self.previous);
        Ok(operand)
    }

    /// `<extSwizComp>`: `set` is that of the letters before.
    fn selector(&mut self, set: &mut Option<LetterSet>) -> Parse<Selector> {
        let negative = self.eat(TokenKind::Minus).is_some();
        if !negative {
            self.eat(TokenKind::Plus);
        }
        let token = self.token;
        let colour_letters = !self.own.is_vertex();
        let value = match (token.kind, token.span.slice(self.text)) {
            (_, b"0") => Swizzle::ZERO,
            (_, b"1") => Swizzle::ONE,
            (TokenKind::Word, &[letter]) if component(letter, colour_letters).is_some() => {
                let (place, own) = component(letter, colour_letters).unwrap_or((0, LetterSet::Vector));
                if set.is_some_and(|set| set != own) {
                    let fault = mixed_letters(super::parser::dialect(self.own.language), token.span);
                    self.sink.push(fault);
                }
                set.get_or_insert(own);
                place
            }
            (kind, _) if kind == TokenKind::Word || kind.is_numeric() => {
                let shown = self.excerpt(token.span);
                let letters = if colour_letters { "x, y, z, w, r, g, b, a" } else { "x, y, z, w" };
                let clause =
                    self.own.clause("ARB_fragment_program 3.11.5.28", "ARB_vertex_program 2.14.5.26");
                let fault = Diagnostic::error(
                    "arb-bad-selector",
                    clause,
                    token.span,
                    format!("`{shown}` is no selector"),
                )
                .with_note(format!("Each of the four is one of {letters}, 0 and 1."));
                return self.fail(fault);
            }
            _ => return Err(self.unexpected("a component, `0` or `1`")),
        };
        self.advance();
        Ok(Selector { value, negative })
    }

    /// `texture [n] , target`, as operand `index` of `info`.
    pub(super) fn texture_image(&mut self, info: &Info, index: usize) -> Parse<ParsedTexture> {
        let token = self.token;
        let clause = self.own.clause("ARB_fragment_program 3.11.6", "NV_vertex_program3 2.14.2");
        let unit = |what| super::bindings::Subject { code: "arb-bad-texture-unit", clause, what };
        if self.word() != "texture" {
            let found = self.found();
            let fault = Diagnostic::error(
                "arb-bad-texture-unit",
                clause,
                token.span,
                format!("expected a texture image unit, found {found}"),
            )
            .with_note(format!("The units are texture[0] to texture[{}].", IMAGE_UNITS - 1));
            return self.fail(fault);
        }
        self.advance();
        let number = self.optional_number(IMAGE_UNITS, unit("texture image unit"))?;
        let unit_span = token.span.to(self.previous);
        self.comma(info, index)?;
        let target_token = self.token;
        let target = self.texture_target(target_token)?;
        self.advance();
        Ok(ParsedTexture {
            unit: number.and_then(|n| u8::try_from(n).ok()),
            target,
            unit_span,
            target_span: target_token.span,
        })
    }

    fn texture_target(&mut self, token: Token) -> Parse<TextureTarget> {
        let spelling = token.span.slice(self.text);
        let all = || TextureTarget::ALL.into_iter().chain(TextureTarget::SHADOW);
        let found = all().find(|target| target.name().as_bytes() == spelling);
        if let Some(target) = found {
            if target.is_shadow() && !self.own.options.shadow {
                let what = format!("the target {}", target.name());
                let fault = self.own.later(&what, "ARB_fragment_program_shadow", token.span);
                self.sink.push(fault);
            }
            return Ok(target);
        }
        let clause = self.own.clause("ARB_fragment_program 3.11.6", "NV_vertex_program3 2.14.2");
        let names: Vec<&str> = all()
            .filter(|target| self.own.options.shadow || !target.is_shadow())
            .map(TextureTarget::name)
            .collect();
        let mut fault = Diagnostic::error(
            "arb-bad-texture-target",
            clause,
            token.span,
            format!("expected a texture target, found {}", self.found()),
        )
        .with_note(format!("The targets are {}.", names.join(", ")));
        let shown = self.excerpt(token.span);
        if let Some(meant) = names.into_iter().find(|name| name.eq_ignore_ascii_case(&shown)) {
            fault = fault.with_fix(format!("write `{meant}`"), token.span, meant);
        }
        self.fail(fault)
    }
}
