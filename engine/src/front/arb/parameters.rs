//! What parameters are bound to: constants, `program.env`, `program.local`, and lists of them.

use super::bindings::{BindingContext, Subject};
use super::names::{Declared, ElementRun};
use super::parser::Parser;
use super::words::Data;
use crate::diag::Diagnostic;
use crate::front::dialect::Sign;
use crate::front::operand::hexadecimal;
use crate::front::parser::{Parse, Reported};
use crate::ir::{ParameterSource, StateVector, Type, limits};
use crate::source::Span;
use crate::syntax::TokenKind;

/// A number as written, with its sign where it has one of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    /// Its size, if it is whole; what is too large for u64 is that.
    size: Option<u64>,
    negative: bool,
    /// Its value as a float.
    float: f32,
    span: Span,
}

/// A constant of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literal(pub [Number; 4]);

impl Number {
    /// 0 or 1 where a vector is shorter than four.
    const fn missing(place: usize, span: Span) -> Self {
        let is_w = place == 3;
        Self { size: Some(is_w as u64), negative: false, float: if is_w { 1.0 } else { 0.0 }, span }
    }

    /// Its bits as a value of `data`.
    ///
    /// # Errors
    /// Why there are none (NV_gpu_program4 2.X.3.3).
    fn bits(self, data: Data) -> Result<u32, Box<Diagnostic>> {
        if data == Data::Float {
            return Ok(self.float.to_bits());
        }
        let fault =
            |code, message: String| Diagnostic::error(code, "NV_gpu_program4 2.X.3.3", self.span, message);
        let Some(size) = self.size else {
            let message = format!(
                "a number with a point or an exponent is a float, and this is read as {}",
                data.values()
            );
            return Err(Box::new(fault("gpu-float-constant", message)));
        };
        if data == Data::Uint && self.negative && size > 0 {
            let message =
                format!("a number below zero is none of the {} that this is read as", data.values());
            return Err(Box::new(fault("gpu-negative-constant", message)));
        }
        let value = if self.negative { -i128::from(size) } else { i128::from(size) };
        let bits = match data {
            Data::Int => i32::try_from(value).ok().map(i32::cast_unsigned),
            Data::Uint | Data::Float => u32::try_from(value).ok(),
        };
        bits.ok_or_else(|| {
            let fault = fault("gpu-large-constant", format!("this is too large for {}", data.values()));
            Box::new(fault.with_note("Constants have 32 bits."))
        })
    }
}

impl Parser<'_> {
    /// The bits of a constant whose values are `data`; zeros where one is at fault.
    fn bits(&mut self, numbers: [Number; 4], data: Data) -> [f32; 4] {
        let (bits, fault) = bits_of(numbers, data);
        if let Some(fault) = fault {
            self.sink.push(fault);
        }
        bits
    }
}

/// The bits of a constant whose values are `data`, and the first thing that is wrong with it.
pub(super) fn bits_of(numbers: [Number; 4], data: Data) -> ([f32; 4], Option<Diagnostic>) {
    let mut first = None;
    let bits = numbers.map(|number| match number.bits(data) {
        Ok(bits) => f32::from_bits(bits),
        Err(fault) => {
            first.get_or_insert(*fault);
            0.0
        }
    });
    (bits, first)
}

/// What one parameter is bound to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    /// Values, or the bits of integers.
    Constant([f32; 4]),
    Env(u16),
    Local(u16),
    State(StateVector),
}

impl Value {
    /// What is bound `steps` places after it in a range.
    pub fn after(self, steps: u16) -> Option<Self> {
        Some(match self {
            _ if steps == 0 => self,
            Self::Env(number) => Self::Env(number + steps),
            Self::Local(number) => Self::Local(number + steps),
            Self::State(StateVector::Matrix { name, transform, row }) => {
                let row = row + u8::try_from(steps).ok()?;
                Self::State(StateVector::Matrix { name, transform, row })
            }
            Self::Constant(_) | Self::State(_) => return None,
        })
    }

    pub const fn source(self) -> ParameterSource {
        match self {
            Self::Constant(values) => ParameterSource::Constant(values),
            Self::Env(number) => ParameterSource::Env(number),
            Self::Local(number) => ParameterSource::Local(number),
            Self::State(state) => ParameterSource::State(state),
        }
    }
}

/// What a binding gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub first: Value,
    /// How many vectors, more than one only in lists.
    pub count: u16,
    /// Where it was clear how many; nothing where it begins.
    pub decided: Option<Span>,
}

impl Bound {
    pub const fn one(first: Value) -> Self {
        Self { first, count: 1, decided: None }
    }

    pub const fn state(vector: StateVector) -> Self {
        Self::one(Value::State(vector))
    }

    /// The same for `count` vectors, as was clear at `decided`.
    pub const fn repeated(self, count: u16, decided: Span) -> Self {
        Self { count, decided: Some(decided), ..self }
    }
}

impl<'t> Parser<'t> {
    pub(super) fn parameters(&self) -> Subject {
        let clause = self.own.clause("ARB_fragment_program 3.11.3.2", "ARB_vertex_program 2.14.3.2");
        Subject { code: "arb-bad-parameter", clause, what: "parameter" }
    }

    /// What may stand behind the `=` of PARAM or in the list of an array; nothing where a number in it is at
    /// fault. It counts as bound.
    pub(super) fn parameter_value(
        &mut self,
        place: BindingContext,
        data: Option<Data>,
    ) -> Parse<Option<Bound>> {
        let start = self.token.span;
        let bound = match self.token.kind {
            TokenKind::Word if matches!(self.word(), "state" | "program") => {
                return self.parameter_binding(place);
            }
            TokenKind::LeftBrace if self.own.is_typed() => {
                let numbers = self.vector_of_numbers()?;
                Value::Constant(self.bits(numbers, data.unwrap_or(Data::Float)))
            }
            kind if self.own.is_typed()
                && (kind.is_numeric() || matches!(kind, TokenKind::Plus | TokenKind::Minus)) =>
            {
                let number = self.signed_any_number()?;
                Value::Constant(self.bits([number; 4], data.unwrap_or(Data::Float)))
            }
            TokenKind::LeftBrace => Value::Constant(self.vector_constant()?),
            kind if kind.is_numeric() || matches!(kind, TokenKind::Plus | TokenKind::Minus) => {
                Value::Constant([self.signed_number()?; 4])
            }
            _ => return Err(self.unexpected("a constant, `program` or `state`")),
        };
        let bound = Bound::one(bound);
        self.count(bound, start);
        Ok(Some(bound))
    }

    /// `program.*` or `state.*`, whose first word is the token to read next; nothing where a number is at
    /// fault. It counts as bound.
    pub(super) fn parameter_binding(&mut self, place: BindingContext) -> Parse<Option<Bound>> {
        let start = self.token.span;
        let bound =
            if self.word() == "state" { self.state_binding(place)? } else { self.program_binding(place)? };
        if let Some(bound) = bound {
            self.count(bound, start);
        }
        Ok(bound)
    }

    fn count(&mut self, bound: Bound, start: Span) {
        let span = start.to(self.previous);
        if !self.own.counts.is_new_range(bound.first, bound.count) {
            return;
        }
        for value in (0..bound.count).filter_map(|steps| bound.first.after(steps)) {
            self.own.counts.bind_parameter(value, span, &mut self.sink);
        }
    }

    fn program_binding(&mut self, place: BindingContext) -> Parse<Option<Bound>> {
        let subject = self.parameters();
        self.advance();
        self.expect(TokenKind::Dot, "`.` behind `program`")?;
        if self.word() == "buffer" && self.own.is_typed() {
            let fault = Diagnostic::error(
                "gpu-buffer-binding",
                "NV_gpu_program4 2.X.3.6",
                self.token.span,
                "parameter buffers are bound to variables only",
            )
            .with_note("`BUFFER b[] = { program.buffer[0] };` declares one, and instructions read b[n].");
            self.sink.push(fault);
            self.advance();
            self.skip_reference();
            return Ok(None);
        }
        let kinds = Subject { what: "kind of program parameter", ..subject };
        let is_env = self.one_of(&["env", "local"], kinds)? == "env";
        let limit = if is_env { limits::ENV_PARAMETERS } else { limits::LOCAL_PARAMETERS };
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let what = if is_env { "environment parameter" } else { "local parameter" };
        let (range, decided) = self.range(limit, place, Subject { what, ..subject })?;
        let numbers = range.and_then(|(a, b)| Some((u16::try_from(a).ok()?, u16::try_from(b).ok()?)));
        Ok(numbers.map(|(first, last)| {
            let value = if is_env { Value::Env(first) } else { Value::Local(first) };
            Bound::one(value).repeated(last - first + 1, decided)
        }))
    }

    /// `{ a, ... }` with one to four numbers; y and z are 0 and w is 1 where they are missing.
    pub(super) fn vector_constant(&mut self) -> Parse<[f32; 4]> {
        self.vector_of([0.0, 0.0, 0.0, 1.0], Self::signed_number)
    }

    /// The same, of numbers as written.
    pub(super) fn vector_of_numbers(&mut self) -> Parse<[Number; 4]> {
        let missing = std::array::from_fn(|place| Number::missing(place, self.token.span));
        self.vector_of(missing, Self::signed_any_number)
    }

    fn signed_any_number(&mut self) -> Parse<Number> {
        let start = self.token.span;
        let sign = match self.token.kind {
            TokenKind::Minus => Sign::Minus,
            TokenKind::Plus => Sign::Plus,
            _ => Sign::None,
        };
        if sign != Sign::None {
            self.advance();
        }
        let number = self.any_number(sign)?;
        Ok(Number { span: start.to(number.span), ..number })
    }

    /// `<constantScalar>` behind `sign`.
    pub(super) fn any_number(&mut self, sign: Sign) -> Parse<Number> {
        let span = self.token.span;
        let bytes = span.slice(self.text);
        let negative = sign == Sign::Minus;
        let signed = |value: f32| if negative { -value } else { value };
        if let Some(size) = hexadecimal(self.own.language, bytes) {
            self.advance();
            #[expect(clippy::cast_precision_loss, reason = "the nearest float is meant")]
            let float = signed(size as f32);
            return Ok(Number { size: Some(size), negative, float, span });
        }
        let whole = bytes.iter().all(u8::is_ascii_digit);
        let digits = std::str::from_utf8(bytes).ok().filter(|_| whole);
        let size = digits.map(|digits| digits.parse().unwrap_or(u64::MAX));
        let float = signed(self.number()?);
        Ok(Number { size, negative, float, span })
    }

    fn vector_of<T>(&mut self, mut values: [T; 4], entry: impl Fn(&mut Self) -> Parse<T>) -> Parse<[T; 4]> {
        let open = self.expect(TokenKind::LeftBrace, "`{`")?;
        for place in &mut values {
            *place = entry(self)?;
            if self.eat(TokenKind::RightBrace).is_some() {
                return Ok(values);
            }
            self.comma_in_list("`,` or `}`")?;
        }
        let fault = Diagnostic::error(
            "arb-bad-constant",
            self.own.dialect_clause(),
            // The comma behind the fourth.
            self.previous,
            "a vector has four components at most",
        )
        .with_label(open, "the vector begins here");
        self.fail(fault)
    }

    /// The comma between two entries of a list, or a report that it is missing.
    pub(super) fn comma_in_list(&mut self, wanted: &str) -> Parse<()> {
        if self.eat(TokenKind::Comma).is_some() {
            return Ok(());
        }
        let begins_entry = self.token.kind.is_numeric()
            || matches!(
                self.token.kind,
                TokenKind::Word | TokenKind::LeftBrace | TokenKind::Plus | TokenKind::Minus
            );
        if !begins_entry || self.begins_statement() {
            return Err(self.unexpected(wanted));
        }
        let behind = Span::at(self.previous.end);
        let fault = Diagnostic::error(
            "arb-missing-comma",
            self.own.dialect_clause(),
            self.token.span,
            format!("expected `,`, found {}", self.found()),
        )
        .with_label(behind, "between the entries")
        .with_fix("insert `,`", behind, ",");
        self.fail(fault)
    }

    fn signed_number(&mut self) -> Parse<f32> {
        let minus = self.eat(TokenKind::Minus).is_some();
        if !minus {
            self.eat(TokenKind::Plus);
        }
        let value = self.number()?;
        Ok(if minus { -value } else { value })
    }

    /// `<floatConstant>`, correctly rounded; overflow gives infinity. Denorms are kept, like those of parameters
    /// that are set: what reads them flushes them (ruling 6), but for instructions that take bits.
    pub(super) fn number(&mut self) -> Parse<f32> {
        let span = self.token.span;
        match self.token.kind {
            TokenKind::Number => {
                self.advance();
                let value = std::str::from_utf8(span.slice(self.text)).ok().and_then(|s| s.parse().ok());
                value.ok_or_else(|| {
                    self.bad_number(span);
                    Reported
                })
            }
            TokenKind::BadNumber | TokenKind::Dimension => {
                self.bad_number(span);
                Err(Reported)
            }
            _ => Err(self.unexpected("a number")),
        }
    }

    fn bad_number(&mut self, span: Span) {
        let shown = self.excerpt(span);
        let mut fault = Diagnostic::error(
            "arb-bad-number",
            self.own.dialect_clause(),
            span,
            format!("`{shown}` is not a number"),
        )
        .with_note(
            "A number is digits, optionally a point and further digits, optionally `e` and a whole exponent.",
        );
        let letters = |rest: &&str| !rest.is_empty() && rest.bytes().all(|b| b"xyzwrgba".contains(&b));
        if let Some((plain, _)) =
            shown.split_once('.').filter(|(_, rest)| self.own.is_typed() && letters(rest))
        {
            fault = fault.with_note("It is the same in every component, and takes no suffix.").with_fix(
                "leave the suffix out",
                span,
                plain,
            );
        }
        if let Some(plain) = shown.strip_suffix(['f', 'F']).filter(|s| s.parse::<f32>().is_ok()) {
            fault = fault.with_fix("remove the `f`", span, plain);
        }
        self.sink.push(fault);
    }

    /// The list of an array of `size` elements, if that is written, braces included.
    pub(super) fn element_list(
        &mut self,
        size: Option<(u16, Span)>,
        data: Option<Data>,
    ) -> Parse<Option<(Vec<ElementRun>, u16)>> {
        self.expect(TokenKind::LeftBrace, "`{`")?;
        let mut runs = Vec::new();
        let mut count: u16 = 0;
        let mut whole = true;
        loop {
            // What offends where the list is full is the comma behind the last element (ruling 13).
            let comma = self.previous;
            let bound = self.parameter_value(BindingContext::Element, data)?;
            if let Some(bound) = bound {
                let full = size.map_or(usize::from(u16::MAX), |(size, _)| usize::from(size));
                if whole && usize::from(count) + usize::from(bound.count) > full {
                    let at = if usize::from(count) == full { comma } else { bound.decided.unwrap_or(comma) };
                    self.wrong_size(at, "more", size);
                    // The rest of a list that is too long tells nothing more.
                    return Err(Reported);
                }
                if whole {
                    runs.push(ElementRun { first: bound.first, at: count });
                    count += bound.count;
                }
            } else {
                whole = false;
            }
            if self.token.kind == TokenKind::RightBrace {
                break;
            }
            self.comma_in_list("`,` or `}`")?;
        }
        let close = self.advance().span;
        if let Some((wanted, _)) = size
            && whole
            && count < wanted
        {
            self.wrong_size(close, "fewer", size);
            whole = false;
        }
        Ok(whole.then_some((runs, count)))
    }

    fn wrong_size(&mut self, span: Span, how: &str, size: Option<(u16, Span)>) {
        let subject = self.parameters();
        let limit = size.map_or(u16::MAX, |(size, _)| size);
        let mut fault = Diagnostic::error(
            "arb-array-size",
            subject.clause,
            span,
            format!("the list has {how} than the array's {limit} elements"),
        );
        if let Some((_, size)) = size {
            fault = fault
                .with_label(size, "the size")
                .with_note("Ranges and whole matrices count with all their vectors.")
                .with_fix("leave the size out", size, "");
        }
        self.sink.push(fault);
    }
}

/// The type of a parameter's values.
pub(super) const fn type_of(declared: Declared) -> Type {
    match declared.data {
        None | Some(Data::Float) => Type::F32,
        Some(Data::Int) => Type::S32,
        Some(Data::Uint) => Type::U32,
    }
}
