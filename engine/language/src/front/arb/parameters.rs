//! Bindings of parameters: constants, `program.env`, `program.local`, and lists of them. `state` reads
//! `state.*`.

use super::bindings::{BindingContext, Subject};
use super::names::ElementRun;
use super::parser::Parser;
use super::words::Data;
use crate::diag::{Diagnostic, codes};
use crate::front::dialect::Sign;
use crate::front::operand::hexadecimal;
use crate::front::parser::{Parse, Reported};
use crate::ir::{ConstantVector, ParameterSource, StateVector, Type, limits};
use crate::source::Span;
use crate::syntax::TokenKind;

/// A number as written, with a sign if it has its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    /// Magnitude, if the number is whole. Larger magnitudes are clamped to `u128::MAX`.
    size: Option<u128>,
    negative: bool,
    /// Value as fp32.
    single: f32,
    /// Value as fp64.
    double: f64,
    span: Span,
}

/// The components of a constant in an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literal(pub [Number; 4]);

impl Number {
    /// The value of a component that a vector omits: 0 for x, y and z, 1 for w.
    const fn missing(place: usize, span: Span) -> Self {
        let is_w = place == 3;
        let (single, double) = if is_w { (1.0, 1.0) } else { (0.0, 0.0) };
        Self { size: Some(is_w as u128), negative: false, single, double, span }
    }

    /// Applies the sign to the floating-point values. `size` stays a magnitude.
    fn signed(self) -> Self {
        let sign = if self.negative { -1.0 } else { 1.0 };
        Self { single: self.single * sign, double: self.double * f64::from(sign), ..self }
    }

    /// An operand for the least integer of type `ty`, if `size` is its magnitude. Used in fixes.
    pub fn least_in_braces(self, ty: Type) -> Option<String> {
        let size = self.size.filter(|&size| !ty.is_unsigned_integer() && size == most(ty) + 1)?;
        Some(format!("{{-{size}}}.x"))
    }

    /// The bits of the number as a value of type `ty`.
    ///
    /// # Errors
    /// The reason why `ty` cannot represent the number (NV_gpu_program4 2.X.3.3).
    fn bits(self, ty: Type) -> Result<u64, Box<Diagnostic>> {
        match ty {
            Type::F64 => return Ok(self.double.to_bits()),
            _ if !ty.is_integer() => return Ok(self.single.to_bits().into()),
            _ => {}
        }
        let (value, values) = match ty.is_unsigned_integer() {
            true => ("an unsigned integer", Data::Uint.values()),
            false => ("a signed integer", Data::Int.values()),
        };
        let fault = |code, message: String| Diagnostic::new(code, self.span, message);
        let Some(size) = self.size else {
            let message =
                format!("this is read as {value}, so it cannot have a decimal point or an exponent");
            return Err(Box::new(fault(codes::GPU_FLOAT_CONSTANT, message)));
        };
        if ty.is_unsigned_integer() && self.negative && size > 0 {
            let message = format!("this is read as {value}, so it cannot be negative");
            return Err(Box::new(fault(codes::GPU_NEGATIVE_CONSTANT, message)));
        }
        if size > most(ty) + u128::from(self.negative) {
            let width = if ty.is_wide() { 64 } else { 32 };
            let message = format!("this is too large for {width}-bit {values}");
            return Err(Box::new(fault(codes::GPU_LARGE_CONSTANT, message)));
        }
        let size = size as u64;
        let bits = if self.negative { size.wrapping_neg() } else { size };
        Ok(if ty.is_wide() { bits } else { bits & u64::from(u32::MAX) })
    }
}

/// The largest integer of type `ty`.
const fn most(ty: Type) -> u128 {
    match (ty.is_wide(), ty.is_unsigned_integer()) {
        (false, false) => i32::MAX as u128,
        (false, true) => u32::MAX as u128,
        (true, false) => i64::MAX as u128,
        (true, true) => u64::MAX as u128,
    }
}

impl Parser<'_> {
    /// The constant of a declaration with components of type `ty`. Faulty components are reported and are 0.
    fn constant(&mut self, numbers: [Number; 4], ty: Type) -> Value {
        let (constant, fault) = constant_of(numbers, ty);
        if let Some(fault) = fault {
            self.sink.push(fault);
        }
        Value::Constant(constant)
    }
}

/// A constant with components of type `ty`, and its first error.
pub(super) fn constant_of(numbers: [Number; 4], ty: Type) -> (ConstantVector, Option<Diagnostic>) {
    let mut first = None;
    let bits = numbers.map(|number| match number.bits(ty) {
        Ok(bits) => bits,
        Err(fault) => {
            first.get_or_insert(*fault);
            0
        }
    });
    (ConstantVector { bits, ty }, first)
}

/// The binding of one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Constant(ConstantVector),
    Env(u16),
    Local(u16),
    State(StateVector),
}

impl Value {
    /// A constant of fp32 numbers.
    pub const fn floats(values: [f32; 4]) -> Self {
        Self::Constant(ConstantVector::floats(values))
    }

    /// The binding `steps` places after this one in a range.
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
            Self::Constant(constant) => ParameterSource::Constant(constant),
            Self::Env(number) => ParameterSource::Env(number),
            Self::Local(number) => ParameterSource::Local(number),
            Self::State(state) => ParameterSource::State(state),
        }
    }
}

/// The vectors that a binding selects.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub first: Value,
    /// Number of vectors. More than one only in lists.
    pub count: u16,
    /// The token that decides the count, for errors. `None` for the start of the binding.
    pub decided: Option<Span>,
}

impl Bound {
    pub const fn one(first: Value) -> Self {
        Self { first, count: 1, decided: None }
    }

    pub const fn state(vector: StateVector) -> Self {
        Self::one(Value::State(vector))
    }

    /// A binding of `count` vectors. `decided` is the token that decides the count.
    pub const fn repeated(self, count: u16, decided: Span) -> Self {
        Self { count, decided: Some(decided), ..self }
    }
}

impl<'t> Parser<'t> {
    pub(super) fn parameters(&self) -> Subject {
        Subject { code: codes::ARB_BAD_PARAMETER.of(self.own.language), what: "parameter" }
    }

    /// Reads a binding after the `=` of PARAM or in the list of an array, and counts it. Returns `None` after
    /// a reported error.
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
                self.constant(numbers, type_of(data))
            }
            kind if self.own.is_typed()
                && (kind.is_numeric() || matches!(kind, TokenKind::Plus | TokenKind::Minus)) =>
            {
                let number = self.signed_any_number()?;
                self.constant([number; 4], type_of(data))
            }
            TokenKind::LeftBrace => Value::floats(self.vector_constant()?),
            kind if kind.is_numeric() || matches!(kind, TokenKind::Plus | TokenKind::Minus) => {
                Value::floats([self.signed_number()?; 4])
            }
            _ => return Err(self.unexpected("a constant, `program` or `state`")),
        };
        let bound = Bound::one(bound);
        self.count(bound, start);
        Ok(Some(bound))
    }

    /// Reads `program.*` or `state.*` and counts the vectors as bound. The next token is the first word.
    /// Returns `None` after a reported error.
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
        self.expect(TokenKind::Dot, "`.` after `program`")?;
        if self.word() == "buffer" && self.own.is_typed() {
            let fault = Diagnostic::new(
                codes::GPU_BUFFER_BINDING,
                self.token.span,
                "a parameter buffer can be bound only to a variable",
            )
            .with_note("Declare one with `BUFFER b[] = { program.buffer[0] };` and read b[n].");
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

    /// Reads `{ a, ... }` with one to four numbers. Omitted components are 0 for y and z, 1 for w.
    pub(super) fn vector_constant(&mut self) -> Parse<[f32; 4]> {
        self.vector_of([0.0, 0.0, 0.0, 1.0], Self::signed_number)
    }

    /// Reads a vector like [`Self::vector_constant`], but of numbers as written.
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

    /// Reads `<constantScalar>` after `sign`.
    pub(super) fn any_number(&mut self, sign: Sign) -> Parse<Number> {
        let span = self.token.span;
        let bytes = span.slice(self.text);
        let negative = sign == Sign::Minus;
        if let Some(size) = hexadecimal(self.own.language, bytes) {
            self.advance();
            #[expect(clippy::cast_precision_loss, reason = "the nearest number is meant")]
            let (single, double) = (size as f32, size as f64);
            return Ok(Number { size: Some(size), negative, single, double, span }.signed());
        }
        let digits = std::str::from_utf8(bytes).unwrap_or_default();
        let whole = bytes.iter().all(u8::is_ascii_digit);
        let size = whole.then(|| digits.parse().unwrap_or(u128::MAX));
        let single = self.number()?;
        // Any text that parses as one float type parses as the other.
        let double = digits.parse().unwrap_or_else(|_| f64::from(single));
        Ok(Number { size, negative, single, double, span }.signed())
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
        let fault = Diagnostic::new(
            codes::ARB_BAD_CONSTANT.of(self.own.language),
            // The comma after the fourth component.
            self.previous,
            "a vector constant has at most four components",
        )
        .with_label(open, "the vector starts here");
        self.fail(fault)
    }

    /// Reads the comma between two entries of a list, or reports that it is missing.
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
        let fault = Diagnostic::new(
            codes::ARB.missing_comma.of(self.own.language),
            self.token.span,
            format!("expected `,`, found {}", self.found()),
        )
        .with_label(behind, "a comma is missing between the entries")
        .with_fix("insert a comma", behind, ",");
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

    /// Reads `<floatConstant>`, correctly rounded. Overflow gives infinity. Denorms are kept: instructions
    /// that read the value as a float flush them (ruling 6), as with parameters that the application sets.
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
        let mut fault = Diagnostic::new(codes::ARB_BAD_NUMBER.of(self.own.language),
            span,
            format!("`{shown}` is not a number"),
        )
        .with_note(
            "A number is digits with an optional decimal point and an optional exponent, as in 1, 0.5 and 2e-3.",
        );
        let letters = |rest: &&str| !rest.is_empty() && rest.bytes().all(|b| b"xyzwrgba".contains(&b));
        if let Some((plain, _)) =
            shown.split_once('.').filter(|(_, rest)| self.own.is_typed() && letters(rest))
        {
            fault = fault
                .with_note("A number has the same value in every component and takes no suffix.")
                .with_fix("remove the suffix", span, plain);
        }
        if let Some(plain) = shown.strip_suffix(['f', 'F']).filter(|s| s.parse::<f32>().is_ok()) {
            fault = fault.with_fix("remove the f", span, plain);
        }
        self.sink.push(fault);
    }

    /// Reads the list of an array, braces included. `size` is the declared number of elements.
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
            // If the list is already full, the offending token is the comma after the last element (ruling
            // 13).
            let comma = self.previous;
            let bound = self.parameter_value(BindingContext::Element, data)?;
            if let Some(bound) = bound {
                let full = size.map_or(usize::from(u16::MAX), |(size, _)| usize::from(size));
                if whole && usize::from(count) + usize::from(bound.count) > full {
                    let at = if usize::from(count) == full { comma } else { bound.decided.unwrap_or(comma) };
                    self.wrong_size(at, "more", size);
                    // Further errors in a list that is too long would not help.
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
        let mut fault = Diagnostic::new(
            codes::ARB_ARRAY_SIZE.citing(subject.code.clause()),
            span,
            format!("the array size is {limit}, but the list has {how} elements"),
        );
        if let Some((_, size)) = size {
            fault = fault
                .with_label(size, "the array size")
                .with_note("Every vector of a range or a whole matrix counts.")
                .with_fix("remove the size", size, "");
        }
        self.sink.push(fault);
    }
}

/// The type of a parameter that is declared with `data`.
pub(super) const fn type_of(data: Option<Data>) -> Type {
    match data {
        None | Some(Data::Float) => Type::F32,
        Some(Data::Int) => Type::S32,
        Some(Data::Uint) => Type::U32,
    }
}
