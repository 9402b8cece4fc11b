//! Operands and destinations of instructions: variables, bindings in place, constants, and the operand of
//! SWZ. `check` turns them into IR.

use super::bindings::{AttributeBinding, BindingContext, ResultBinding};
use super::check::{Base, ParsedOperand, ParsedTarget, Reference};
use super::indices::Relative;
use super::names::{Declared, Elements, Variable};
use super::parameters::{Literal, Number, Value};
use super::parser::{Parser, dialect};
use super::units::UnitKind;
use super::words::{self, begins_attribute};
use crate::diag::{Diagnostic, codes};
use crate::front::dialect::Sign;
use crate::front::operand::{LetterSet, component, mixed_letters};
use crate::front::parser::Parse;
use crate::ir::{Attribute, CcTest, Negation, OutputRole, Swizzle};
use crate::isa::{Info, OperandKind, ResultKind};
use crate::source::Span;
use crate::syntax::TokenKind;

/// A component selector of SWZ.
struct Selector {
    value: u8,
    negative: bool,
}

impl<'t> Parser<'t> {
    /// Reads `<srcReg>` with its suffix, after the sign.
    pub(super) fn arb_base(&mut self, kind: OperandKind, sign: Sign) -> Parse<ParsedOperand> {
        let token = self.token;
        let mut operand = ParsedOperand::new(Base::Broken, token.span, sign);
        let Some((base, has_suffix)) = self.source(BindingContext::Operand)? else {
            operand.base_span = token.span.to(self.previous);
            return Ok(operand);
        };
        operand.base = base;
        operand.base_span = token.span.to(self.previous);
        if !has_suffix {
            if self.token.kind == TokenKind::Dot {
                let fault = Diagnostic::new(
                    codes::ARB_SCALAR_SUFFIX.of(self.own.language),
                    self.token.span,
                    if self.own.is_typed() {
                        "a number takes no suffix"
                    } else {
                        "a number takes no suffix with this option"
                    },
                )
                .with_label(operand.base_span, "a number has the same value in every component");
                return self.fail(fault);
            }
            operand.swizzle = Swizzle::replicate(0);
            return Ok(operand);
        }
        // If the register is unknown, so is the number of components that the suffix needs.
        let kind = if matches!(base, Base::Broken) { OperandKind::Vector } else { kind };
        operand.swizzle = self.suffix(kind, operand.base_span)?;
        Ok(operand)
    }

    /// Reads `<srcReg>`. Also returns whether a suffix may follow. Returns `None` after a reported error.
    fn source(&mut self, place: BindingContext) -> Parse<Option<(Base, bool)>> {
        let start = self.token.span;
        match self.token.kind {
            TokenKind::LeftBrace if self.own.is_typed() => {
                let numbers = self.vector_of_numbers()?;
                Ok(Some((self.literal(numbers), true)))
            }
            kind if kind.is_numeric() && self.own.is_typed() => {
                let number = self.any_number(Sign::None)?;
                Ok(Some((self.literal([number; 4]), false)))
            }
            kind if kind.is_numeric() => {
                let value = Value::floats([self.number()?; 4]);
                self.own.counts.bind_parameter(value, start, &mut self.sink);
                let has_suffix = match (self.own.language.option().is_some(), self.own.wants_nv) {
                    (true, _) => false,
                    (false, true) => self.token.kind == TokenKind::Dot,
                    (false, false) => true,
                };
                Ok(Some((Base::Parameter(Reference::Unnamed(value)), has_suffix)))
            }
            TokenKind::LeftBrace => {
                let value = Value::floats(self.vector_constant()?);
                self.own.counts.bind_parameter(value, start.to(self.previous), &mut self.sink);
                Ok(Some((Base::Parameter(Reference::Unnamed(value)), true)))
            }
            TokenKind::Word => Ok(self.register(place)?.map(|base| (base, true))),
            _ => Err(self.unexpected("an operand")),
        }
    }

    /// Adds a constant whose type depends on the operand that reads it.
    fn literal(&mut self, numbers: [Number; 4]) -> Base {
        // Loaded texts are too short for four billion constants.
        let place = u32::try_from(self.own.literals.len()).unwrap_or(u32::MAX);
        self.own.literals.push(Literal(numbers));
        Base::Literal(place)
    }

    /// Reports a word with a meaning of its own in the place of `wanted`.
    fn misplaced<T>(&mut self, word: &str, span: Span, wanted: &str) -> Parse<T> {
        let shown = self.excerpt(span);
        let what = words::role(self.own.language, word).describe();
        let words = format!("expected {wanted}, found `{shown}`, which is {what}");
        self.fail(Diagnostic::new(codes::ARB.unexpected.of(self.own.language), span, words))
    }

    /// Reads a variable, or a binding in place. Returns `None` after a reported error, past the faulty
    /// operand.
    fn register(&mut self, place: BindingContext) -> Parse<Option<Base>> {
        let word = self.word();
        let span = self.token.span;
        if let Some(variable) = self.own.names.get(word) {
            self.advance();
            return self.variable(variable, span);
        }
        match word {
            "state" | "program" => {
                let bound = self.parameter_binding(place)?;
                Ok(bound.map(|bound| Base::Parameter(Reference::Unnamed(bound.first))).or(Some(Base::Broken)))
            }
            "result" => {
                self.read_result(span);
                self.result_binding(BindingContext::Operand)?;
                Ok(Some(Base::Broken))
            }
            _ if begins_attribute(self.own.language, word) => {
                let binding = self.attribute_binding(place)?;
                if let Some(AttributeBinding::One(attribute)) = binding {
                    self.own.interpolations.note_use(attribute, span.to(self.previous));
                }
                let attribute = |binding| Base::Attribute(binding, Declared::default());
                Ok(Some(binding.map_or(Base::Broken, attribute)))
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

    /// The operand for a variable whose name at `span` has been read.
    fn variable(&mut self, variable: Variable, span: Span) -> Parse<Option<Base>> {
        match variable {
            Variable::Array(array) => return self.element(array, span).map(Some),
            Variable::Temporaries(array) => {
                let index = self.array_index(array.count.into(), span)?;
                return Ok(Some(match index {
                    Some(ArrayIndex::Number(number)) => Base::Temp(array.temporary(number)),
                    Some(ArrayIndex::Relative(relative)) => Base::TempElement(array, relative),
                    None => Base::Broken,
                }));
            }
            Variable::Attributes(array) => {
                let place = self.index_token();
                let index = self.array_index(array.count.into(), span)?;
                if matches!(index, Some(ArrayIndex::Relative(_))) {
                    self.own.counts.index_attributes(array, place, &mut self.sink);
                }
                let element = index.and_then(|index| attribute_element(array, index));
                return Ok(Some(element.unwrap_or(Base::Broken)));
            }
            Variable::OfVertices(array, is_array) => {
                let element = self.vertex_element(array, is_array, span)?;
                return Ok(Some(
                    element.map_or(Base::Broken, |(binding, declared)| Base::Attribute(binding, declared)),
                ));
            }
            _ => {}
        }
        if matches!(variable, Variable::Broken) {
            self.skip_reference();
            return Ok(None);
        }
        let base = match variable {
            Variable::Temporary(number) => Base::Temp(number),
            Variable::Attribute(binding, declared) => {
                if let AttributeBinding::Indexed { relative, .. } = binding
                    && relative.register == super::indices::AddressRegister::Loop
                    && !self.own.blocks.in_loop_with_index()
                    && self.own.blocks.are_known()
                {
                    let fault = self.outside_loop(span);
                    self.sink.push(fault);
                }
                Base::Attribute(binding, declared)
            }
            Variable::Parameter(number) => Base::Parameter(Reference::Single(number)),
            Variable::Result(..) => {
                self.read_result(span);
                Base::Broken
            }
            Variable::Results(_) => {
                self.read_result(span);
                self.skip_reference();
                return Ok(None);
            }
            Variable::Buffer(number) => return self.buffer_use(number, span),
            Variable::Units(kind, ..) => {
                self.not_an_operand(kind, span);
                self.skip_reference();
                return Ok(None);
            }
            Variable::SubroutineType(_) | Variable::Subroutine(_) => {
                self.no_value(span);
                self.skip_reference();
                return Ok(None);
            }
            Variable::Address(_) | Variable::LoopIndex => {
                let shown = self.excerpt(span);
                self.sink.push(
                    Diagnostic::new(
                        codes::ARB_READ_ADDRESS.of(self.own.language),
                        span,
                        format!("the address register {shown} cannot be read as a value"),
                    )
                    .with_note("Address registers only index arrays."),
                );
                self.skip_reference();
                return Ok(None);
            }
            Variable::Array(_)
            | Variable::Temporaries(_)
            | Variable::Attributes(_)
            | Variable::OfVertices(..)
            | Variable::Broken => Base::Broken,
        };
        self.no_index(span)?;
        Ok(Some(base))
    }

    /// Reports a texture or image variable at `span` in the place of a value.
    fn not_an_operand(&mut self, kind: UnitKind, span: Span) {
        let (code, message, note) = match kind {
            UnitKind::Texture => (
                codes::GPU_TEXTURE_OPERAND,
                "a texture variable cannot be read as a value",
                "Use it only in texture instructions.",
            ),
            UnitKind::Image => (
                codes::GPU_IMAGE_OPERAND,
                "an image variable cannot be read as a value",
                "Use it only in LOADIM, STOREIM and ATOMIM.",
            ),
        };
        self.sink.push(Diagnostic::new(code, span, message).with_note(note));
    }

    fn read_result(&mut self, span: Span) {
        self.sink.push(
            Diagnostic::new(codes::ARB_READ_RESULT.of(self.own.language), span, "results cannot be read")
                .with_note("Compute in a temporary and MOV it to the result."),
        );
    }

    /// Reports `[` after `name`, which is not an array.
    pub(super) fn no_index(&mut self, name: Span) -> Parse<()> {
        if self.token.kind != TokenKind::LeftBracket {
            return Ok(());
        }
        let shown = self.excerpt(name);
        let mut fault = Diagnostic::new(
            codes::ARB_NOT_ARRAY.of(self.own.language),
            self.token.span,
            format!("`{shown}` is not an array"),
        );
        if !self.own.is_typed() {
            fault = fault.with_note("Only PARAM declares arrays.");
        }
        self.fail(fault)
    }

    /// Reads `[ n ]` or `[ A0.x+n ]` after the name of the parameter array `array`, which is at `name`.
    fn element(&mut self, array: u32, name: Span) -> Parse<Base> {
        let count = self.own.names.array(array).map_or(0, |array| array.count);
        let place = self.index_token();
        Ok(match self.array_index(count.into(), name)? {
            // `array_index` keeps it below the array's count.
            Some(ArrayIndex::Number(index)) => {
                let index = u16::try_from(index).unwrap_or(u16::MAX);
                Base::Parameter(Reference::Element { array, index })
            }
            Some(ArrayIndex::Relative(relative)) => {
                self.make_relative(array, place);
                Base::Parameter(Reference::Relative { array, relative })
            }
            None => Base::Broken,
        })
    }

    /// Reads `[ n ]` or `[ A0.x+n ]` after the name at `name` of an array of `count` elements. Returns `None`
    /// after a reported error.
    pub(super) fn array_index(&mut self, count: u32, name: Span) -> Parse<Option<ArrayIndex>> {
        if self.eat(TokenKind::LeftBracket).is_none() {
            let shown = self.excerpt(name);
            self.sink.push(
                Diagnostic::new(
                    codes::ARB_NEEDS_INDEX.of(self.own.language),
                    name,
                    format!("`{shown}` is an array of {count}: select an element"),
                )
                .with_fix("use the first element", Span::at(name.end), "[0]")
                .at_position(self.token.span.start),
            );
            return Ok(None);
        }
        let token = self.token;
        if token.kind == TokenKind::Word && self.own.language.profile().addresses.chooses.parameters {
            let relative = self.relative(Some(count))?;
            self.close_bracket()?;
            return Ok(relative.map(ArrayIndex::Relative));
        }
        if !token.kind.is_numeric() {
            return Err(self.unexpected("an element number"));
        }
        self.advance();
        let value = self.whole_number(token);
        let index = value.filter(|&index| index < count);
        if index.is_none() {
            let shown = self.excerpt(token.span);
            let message = match value {
                Some(_) => format!("the array has no element {shown}"),
                None => format!("`{shown}` is not a whole number"),
            };
            let last = count.saturating_sub(1);
            self.sink.push(
                Diagnostic::new(codes::ARB_BAD_INDEX.of(self.own.language), token.span, message)
                    .with_note(format!("Its elements are 0 to {last}.")),
            );
        }
        self.close_bracket()?;
        Ok(index.map(ArrayIndex::Number))
    }

    /// The token after `[`, which is the next token: the number or register that chooses an element.
    pub(super) fn index_token(&self) -> Span {
        self.following().map_or(self.token.span, |token| token.span)
    }

    /// Notes that the register at `span` chooses an element of `array`.
    fn make_relative(&mut self, array: u32, span: Span) {
        let own = &mut self.own;
        if let Some(array) = own.names.array_mut(array).filter(|array| array.relative.is_none()) {
            array.relative = Some(span);
            own.counts.make_relative(array, span, &mut self.sink);
        }
    }

    /// Skips the indices and suffixes of an operand with a reported error.
    pub(super) fn skip_reference(&mut self) {
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

    /// Skips to the closing parenthesis of an operand with a reported error.
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

    /// Reads the operand of ARA and PUSHA: a whole address register without a sign.
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
            let fault = Diagnostic::new(
                codes::ARB.bad_swizzle.citing("NV_vertex_program2_option 2.14.5.28"),
                self.token.span,
                format!("{mnemonic} takes a whole address register, without a suffix"),
            );
            return self.fail(fault);
        }
        Ok(operand)
    }

    /// Reads `<dstReg>`, or the address register that `info` loads.
    pub(super) fn arb_target(&mut self, info: &Info) -> Parse<ParsedTarget> {
        let start = self.token.span;
        let loads = info.result == ResultKind::Address;
        let target = self.any_target()?;
        match target {
            ParsedTarget::Address(_) if !loads => {
                let shown = self.excerpt(start);
                let note = if self.own.is_vertex() {
                    "Use ARL to load an address register. With the NV options, ARR, ARA and POPA load one too."
                } else {
                    "Only LOOP and ENDLOOP write it."
                };
                self.sink.push(
                    Diagnostic::new(
                        codes::ARB_WRITE_ADDRESS.of(self.own.language),
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
                        Diagnostic::new(
                            codes::ARB.needs_component.citing(dialect(self.own.language).codes.grammar()),
                            start,
                            "address registers have only an x component here: add `.x`",
                        )
                        .with_fix("add .x", Span::at(self.previous.end), ".x")
                        .at_position(self.token.span.start),
                    );
                }
                Ok(target)
            }
            ParsedTarget::Temp(_) | ParsedTarget::TempElement(..) | ParsedTarget::Result(..) if loads => {
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
        match word {
            "result" => {
                let binding = self.result_binding(BindingContext::Operand)?;
                let result = |binding| ParsedTarget::Result(binding, Declared::default());
                Ok(binding.map_or(ParsedTarget::Broken, result))
            }
            "state" | "program" => {
                self.write_parameter(span);
                self.parameter_binding(BindingContext::Operand)?;
                Ok(ParsedTarget::Broken)
            }
            _ if begins_attribute(self.own.language, word) => {
                self.write_attribute(span);
                self.attribute_binding(BindingContext::Operand)?;
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
            Variable::Result(binding, declared) => ParsedTarget::Result(binding, declared),
            Variable::Temporaries(array) => {
                let index = self.array_index(array.count.into(), span)?;
                return Ok(index.map_or(ParsedTarget::Broken, |index| match index {
                    ArrayIndex::Number(number) => ParsedTarget::Temp(array.temporary(number)),
                    ArrayIndex::Relative(relative) => ParsedTarget::TempElement(array, relative),
                }));
            }
            Variable::Results(array) => {
                let place = self.index_token();
                let index = self.array_index(array.count.into(), span)?;
                if matches!(index, Some(ArrayIndex::Relative(_))) {
                    self.own.counts.index_results(array, place, &mut self.sink);
                }
                return Ok(index
                    .and_then(|index| result_element(array, index))
                    .unwrap_or(ParsedTarget::Broken));
            }
            Variable::Attributes(_) | Variable::OfVertices(..) | Variable::Units(..) => {
                match variable {
                    Variable::Units(kind, ..) => self.not_an_operand(kind, span),
                    _ => self.write_attribute(span),
                }
                self.skip_reference();
                return Ok(ParsedTarget::Broken);
            }
            Variable::SubroutineType(_) | Variable::Subroutine(_) => {
                self.no_value(span);
                self.skip_reference();
                return Ok(ParsedTarget::Broken);
            }
            Variable::Attribute(..) => {
                self.write_attribute(span);
                ParsedTarget::Broken
            }
            Variable::Parameter(_) => {
                self.write_parameter(span);
                ParsedTarget::Broken
            }
            Variable::Array(_) | Variable::Buffer(_) | Variable::Broken => {
                if !matches!(variable, Variable::Broken) {
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
        self.sink.push(Diagnostic::new(
            codes::ARB_WRITE_ATTRIBUTE.of(self.own.language),
            span,
            "attributes cannot be written",
        ));
    }

    fn write_parameter(&mut self, span: Span) {
        self.sink.push(Diagnostic::new(
            codes::ARB_WRITE_PARAMETER.of(self.own.language),
            span,
            "parameters cannot be written",
        ));
    }

    /// Reads the condition of IF, which has no parentheses.
    pub(super) fn bare_test(&mut self, mnemonic: &str) -> Parse<CcTest> {
        if self.token.kind == TokenKind::LeftParen {
            let fault = Diagnostic::new(
                codes::ARB.unexpected.of(self.own.language),
                self.token.span,
                format!("{mnemonic}'s condition takes no parentheses"),
            )
            .with_note(format!("Write it without them: `{mnemonic} LT.x;`"));
            return self.fail(fault);
        }
        self.cc_test()
    }

    /// Reads the operand of SWZ: a register without sign and suffix, and four selectors.
    pub(super) fn extended_swizzle(&mut self, info: &Info) -> Parse<ParsedOperand> {
        let token = self.token;
        let mut operand = ParsedOperand::new(Base::Broken, token.span, Sign::None);
        if let Some((base, _)) = self.source(BindingContext::Bare)? {
            operand.base = base;
            if self.token.kind == TokenKind::Dot {
                let fault = Diagnostic::new(
                    codes::ARB.bad_swizzle.citing(codes::ARB_BAD_SELECTOR.of(self.own.language).clause()),
                    self.token.span,
                    "the operand of SWZ takes no suffix",
                )
                .with_note("The four selectors after it choose the components.");
                return self.fail(fault);
            }
        }
        operand.base_span = token.span.to(self.previous);
        // In languages with types, each selector may use either set of letters (NV_gpu_program4 2.X.2,
        // `<extSwizComp>`).
        let anew = self.own.is_typed();
        let mut set = None;
        for place in 0..4 {
            self.comma(info, place + 1)?;
            set = set.filter(|_| !anew);
            let selector = self.selector(&mut set)?;
            operand.swizzle.0[place] = selector.value;
            if selector.negative {
                operand.negate = Negation(operand.negate.0 | 1 << place);
            }
        }
        operand.span = token.span.to(self.previous);
        Ok(operand)
    }

    /// Reads `<extSwizComp>`. `set` is the letter set of the selectors before.
    fn selector(&mut self, set: &mut Option<LetterSet>) -> Parse<Selector> {
        let negative = self.eat(TokenKind::Minus).is_some();
        if !negative {
            self.eat(TokenKind::Plus);
        }
        let token = self.token;
        let colour_letters = self.own.language.profile().colour_letters;
        let value = match (token.kind, token.span.slice(self.text)) {
            (_, b"0") => Swizzle::ZERO,
            (_, b"1") => Swizzle::ONE,
            (TokenKind::Word, &[letter]) if component(letter, colour_letters).is_some() => {
                let (place, own) = component(letter, colour_letters).unwrap_or((0, LetterSet::Vector));
                if set.is_some_and(|set| set != own) {
                    let dialect = dialect(self.own.language);
                    let fault = mixed_letters(dialect.codes.mixed_components, token.span);
                    self.sink.push(fault);
                }
                set.get_or_insert(own);
                place
            }
            (kind, _) if kind == TokenKind::Word || kind.is_numeric() => {
                let shown = self.excerpt(token.span);
                let letters = if colour_letters { "x, y, z, w, r, g, b, a" } else { "x, y, z, w" };
                let fault = Diagnostic::new(
                    codes::ARB_BAD_SELECTOR.of(self.own.language),
                    token.span,
                    format!("`{shown}` is not a selector"),
                )
                .with_note(format!("Each of the four is one of {letters}, 0 and 1."));
                return self.fail(fault);
            }
            _ => return Err(self.unexpected("a component, `0` or `1`")),
        };
        self.advance();
        Ok(Selector { value, negative })
    }
}

/// The index of an array element.
#[derive(Clone, Copy, Debug)]
pub(super) enum ArrayIndex {
    Number(u32),
    Relative(Relative),
}

/// The operand for element `index` of an attribute array.
fn attribute_element(array: Elements<Attribute>, index: ArrayIndex) -> Option<Base> {
    let Elements { first, count, declared, .. } = array;
    let binding = match index {
        ArrayIndex::Number(number) => AttributeBinding::One(first.after(u8::try_from(number).ok()?)?),
        ArrayIndex::Relative(relative) => {
            AttributeBinding::Indexed { first, count: u8::try_from(count).ok()?, relative }
        }
    };
    Some(Base::Attribute(binding, declared))
}

/// The destination for element `index` of a result array.
fn result_element(array: Elements<OutputRole>, index: ArrayIndex) -> Option<ParsedTarget> {
    match index {
        ArrayIndex::Number(number) => {
            let role = array.first.after(u8::try_from(number).ok()?)?;
            Some(ParsedTarget::Result(ResultBinding::One(role), array.declared))
        }
        ArrayIndex::Relative(relative) => Some(ParsedTarget::ResultElement(array, relative)),
    }
}
