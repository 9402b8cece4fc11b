//! What parameters are bound to: constants, `program.env`, `program.local`, and lists of them.

use super::bindings::{Place, Subject};
use super::names::Run;
use super::parser::Parser;
use crate::diag::Diagnostic;
use crate::front::parser::{Parse, Reported};
use crate::ir::{ParameterSource, StateVector, limits};
use crate::source::Span;
use crate::syntax::TokenKind;

/// What one parameter is bound to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
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
    pub(super) fn parameter_value(&mut self, place: Place) -> Parse<Option<Bound>> {
        let start = self.token.span;
        let bound = match self.token.kind {
            TokenKind::Word if matches!(self.word(), "state" | "program") => {
                return self.parameter_binding(place);
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
    pub(super) fn parameter_binding(&mut self, place: Place) -> Parse<Option<Bound>> {
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

    fn program_binding(&mut self, place: Place) -> Parse<Option<Bound>> {
        let subject = self.parameters();
        self.advance();
        self.expect(TokenKind::Dot, "`.` behind `program`")?;
        let kinds = Subject { what: "kind of program parameter", ..subject };
        let is_env = self.one_of(&["env", "local"], kinds)? == "env";
        let limit = if is_env { limits::ENV_PARAMETERS } else { limits::LOCAL_PARAMETERS };
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let what = if is_env { "environment parameter" } else { "local parameter" };
        let (range, decided) = self.range(limit, place, Subject { what, ..subject })?;
        Ok(range.map(|(first, last)| {
            let value = if is_env { Value::Env(first) } else { Value::Local(first) };
            Bound::one(value).repeated(last - first + 1, decided)
        }))
    }

    /// `{ a, ... }` with one to four numbers; y and z are 0 and w is 1 where they are missing.
    pub(super) fn vector_constant(&mut self) -> Parse<[f32; 4]> {
        let open = self.expect(TokenKind::LeftBrace, "`{`")?;
        let mut values = [0.0, 0.0, 0.0, 1.0];
        for place in &mut values {
            *place = self.signed_number()?;
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

    /// `<floatConstant>`, correctly rounded; overflow gives infinity. Denorms are kept, like those of parameters that are
    /// set: what reads them flushes them (ruling 6), but for instructions that take bits.
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
        if let Some(plain) = shown.strip_suffix(['f', 'F']).filter(|s| s.parse::<f32>().is_ok()) {
            fault = fault.with_fix("remove the `f`", span, plain);
        }
        self.sink.push(fault);
    }

    /// The list of an array of `size` elements, if that is written, braces included.
    pub(super) fn element_list(&mut self, size: Option<(u16, Span)>) -> Parse<Option<(Vec<Run>, u16)>> {
        self.expect(TokenKind::LeftBrace, "`{`")?;
        let mut runs = Vec::new();
        let mut count: u16 = 0;
        let mut whole = true;
        loop {
            // What offends where the list is full is the comma behind the last element (ruling 13).
            let comma = self.previous;
            let bound = self.parameter_value(Place::Element)?;
            if let Some(bound) = bound {
                let full = size.map_or(usize::from(u16::MAX), |(size, _)| usize::from(size));
                if whole && usize::from(count) + usize::from(bound.count) > full {
                    let at = if usize::from(count) == full { comma } else { bound.decided.unwrap_or(comma) };
                    self.wrong_size(at, "more", size);
                    // The rest of a list that is too long tells nothing more.
                    return Err(Reported);
                }
                if whole {
                    runs.push(Run { first: bound.first, at: count });
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
