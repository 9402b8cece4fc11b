//! Texture image units and image units: the statements `TEXTURE` and `IMAGE`, and the units that instructions
//! name (NV_gpu_program5 2.X.3.8, EXT_shader_image_load_store 2.X.3.X).

use super::bindings::{BindingContext, Subject};
use super::indices::Relative;
use super::names::Variable;
use super::operand::ArrayIndex;
use super::parser::{Arb, Parser};
use crate::diag::{Diagnostic, codes};
use crate::front::parser::Parse;
use crate::ir::{IMAGE_UNITS, Index, limits};
use crate::source::Span;
use crate::syntax::TokenKind;

named_enum! {
    /// The two kinds of units. The name is the word before the number of a unit.
    pub enum UnitKind(
        /// The statement that declares variables of this kind.
        pub keyword: &'static str,
        count: usize,
        /// The clause about variables of this kind.
        variables: &'static str,
    ) {
        /// Texture image units, for lookups.
        Texture = "texture" => ("TEXTURE", IMAGE_UNITS, "NV_gpu_program5 2.X.3.8"),
        /// Image units, for LOADIM, STOREIM and ATOMIM.
        Image = "image" => ("IMAGE", limits::IMAGE_UNITS, "EXT_shader_image_load_store 2.X.3.X"),
    }
}

/// The units of a variable, and the index that chooses one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    pub first: u8,
    pub count: u8,
    index: ArrayIndex,
}

impl Units {
    const fn one(unit: u8) -> Self {
        Self { first: unit, count: 1, index: ArrayIndex::Number(0) }
    }

    /// All units of the variable. An array uses all its units, whichever element a lookup selects
    /// (NV_gpu_program5 2.X.4.4).
    pub fn all(self) -> impl Iterator<Item = u8> {
        self.first..self.first.saturating_add(self.count)
    }
}

impl Parser<'_> {
    pub(super) fn units(&self, kind: UnitKind) -> Subject {
        match kind {
            UnitKind::Texture => Subject {
                code: codes::ARB_BAD_TEXTURE_UNIT.of(self.own.language),
                what: "texture image unit",
            },
            UnitKind::Image => Subject { code: codes::GPU_BAD_IMAGE_UNIT, what: "image unit" },
        }
    }

    /// Reads `texture [n]` or `image [n]`, or a variable of that kind. Returns `None` after a reported error.
    pub(super) fn unit(&mut self, kind: UnitKind) -> Parse<Option<Units>> {
        let token = self.token;
        let word = self.word();
        match self.own.names.get(word) {
            Some(Variable::Units(of, unit, None)) if of == kind => {
                self.advance();
                return Ok(Some(Units::one(unit)));
            }
            Some(Variable::Units(of, first, Some(count))) if of == kind => {
                self.advance();
                let index = self.array_index(count.into(), token.span)?;
                return Ok(index.map(|index| Units { first, count, index }));
            }
            Some(Variable::Broken) => {
                self.advance();
                self.skip_reference();
                return Ok(None);
            }
            _ => {}
        }
        let subject = self.units(kind);
        if word != kind.name() {
            let found = self.found();
            let (what, prefix) = (subject.what, kind.name());
            let message = match subject.what.starts_with('i') {
                true => format!("expected an {what}, found {found}"),
                false => format!("expected a {what}, found {found}"),
            };
            let fault = Diagnostic::new(subject.code, token.span, message)
                .with_note(format!("The units are {prefix}[0] to {prefix}[{}].", kind.count() - 1));
            return self.fail(fault);
        }
        self.advance();
        let number = match kind {
            UnitKind::Texture => self.optional_number(kind.count(), subject)?,
            UnitKind::Image => self.bracketed_number(kind.count(), subject)?,
        };
        Ok(number.and_then(|n| u8::try_from(n).ok()).map(Units::one))
    }

    /// Reads a `TEXTURE` or `IMAGE` statement after its keyword.
    pub(super) fn unit_statement(&mut self, kind: UnitKind) -> Parse<()> {
        let new = self.new_name(kind.keyword())?;
        let read = self.unit_binding(kind, new.span);
        if new.fresh {
            let variable = read.as_ref().map_or(Variable::Broken, |variable| *variable);
            self.own.names.insert(new.name, Some(new.span), variable);
        }
        read.map(|_| ())
    }

    fn unit_binding(&mut self, kind: UnitKind, name: Span) -> Parse<Variable> {
        let sized = self.declared_size()?;
        self.expect(TokenKind::Equals, "`=`")?;
        let Some(size) = self.bracketed(name, sized) else {
            let unit = self.bound_units(kind, BindingContext::Declaration)?;
            return Ok(unit.map_or(Variable::Broken, |(unit, _)| Variable::Units(kind, unit, None)));
        };
        let found = self.list(
            (size, kind.variables()),
            |parser| parser.bound_units(kind, BindingContext::Element),
            |unit, steps| {
                unit.checked_add(u8::try_from(steps).ok()?).filter(|unit| usize::from(*unit) < kind.count())
            },
        )?;
        let found = found.and_then(|(first, count)| Some((first, u8::try_from(count).ok()?)));
        Ok(found.map_or(Variable::Broken, |(first, count)| Variable::Units(kind, first, Some(count))))
    }

    /// Reads `texture [n]` or `image [n]`, or a range `[a..b]` in a list. Returns the first unit and the
    /// count.
    fn bound_units(&mut self, kind: UnitKind, place: BindingContext) -> Parse<Option<(u8, u32)>> {
        if self.word() != kind.name() {
            return Err(self.unexpected(&format!("`{}`", kind.name())));
        }
        self.advance();
        self.expect(TokenKind::LeftBracket, "`[`")?;
        let units = self.units(kind);
        let subject = Subject { code: units.code.citing(kind.variables()), ..units };
        let (range, _) = self.range(kind.count(), place, subject)?;
        Ok(range.and_then(|(a, b)| Some((u8::try_from(a).ok()?, b - a + 1))))
    }
}

impl Arb<'_> {
    /// The index of the unit that an instruction uses. Returns `None` if the index register is faulty.
    pub(super) fn unit_index(&mut self, units: Units) -> Option<Index> {
        Some(match units.index {
            ArrayIndex::Number(number) => Index::constant(number.into()),
            ArrayIndex::Relative(Relative { register, component, offset }) => {
                Index { register: Some((self.address(register)?, component)), offset }
            }
        })
    }
}
