//! The names that a program declares, and what they stand for.

use std::collections::HashMap;

use super::bindings::{AttributeBinding, ResultBinding};
use super::parameters::Value;
use super::units::UnitKind;
use super::words::{Data, Size};
use crate::diag::{Code, Label};
use crate::front::{Sink, nearest};
use crate::ir::{self, Attribute, Declared as Bound, OutputRole};
use crate::source::Span;

/// What a declaration says of a variable besides its class and binding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Declared {
    /// The type of its components.
    pub data: Option<Data>,
    /// Their size.
    pub size: Option<Size>,
    /// The modifiers of interpolation.
    pub interpolation: super::interpolation::Modifiers,
}

/// An array of temporaries, attributes or results.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements<T> {
    /// Number 0.
    pub first: T,
    pub count: u16,
    pub declared: Declared,
    /// Where the text declares it, which tells it from others of the same elements.
    pub at: usize,
}

impl Elements<u16> {
    /// The temporary at `index`, which is below the count.
    pub fn temporary(self, index: u32) -> u16 {
        self.first + u16::try_from(index).unwrap_or(self.count)
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Variable {
    /// The temporary with this number.
    Temporary(u16),
    /// An array of temporaries, from the one with this number on.
    Temporaries(Elements<u16>),
    /// The address register with this number.
    Address(u16),
    /// A0 of `OPTION NV_fragment_program2`: the index of the innermost LOOP.
    LoopIndex,
    Attribute(AttributeBinding, Declared),
    /// An array of attributes that follow each other.
    Attributes(Elements<Attribute>),
    /// An attribute that each vertex of a primitive has, or an array of some.
    OfVertices(Elements<Attribute>, bool),
    /// The single parameter with this number.
    Parameter(u32),
    /// The parameter array with this number.
    Array(u32),
    Result(ResultBinding, Declared),
    /// An array of results that follow each other.
    Results(Elements<OutputRole>),
    /// Units that follow each other: the first, and how many where it is an array.
    Units(UnitKind, u8, Option<u8>),
    /// The parameter buffer variable with this number.
    Buffer(usize),
    /// The type of subroutines with this number.
    SubroutineType(usize),
    /// The subroutine variable with this number.
    Subroutine(usize),
    /// The statement that declared it is at fault.
    Broken,
}

/// A single parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single<'t> {
    pub name: &'t str,
    pub value: Value,
    pub declared: Declared,
}

/// Consecutive elements of an array: `first`, and what follows it up to the next run.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementRun {
    pub first: Value,
    /// Index in the array of `first`.
    pub at: u16,
}

/// A parameter array.
#[derive(Clone, Debug)]
pub(super) struct Array<'t> {
    pub name: &'t str,
    pub runs: Vec<ElementRun>,
    pub count: u16,
    pub declared: Declared,
    /// Where an address register chooses one of its elements first.
    pub relative: Option<Span>,
}

impl Array<'_> {
    /// What element `index`, below its count, is bound to.
    pub fn element(&self, index: u16) -> Option<Value> {
        let after = self.runs.partition_point(|run| run.at <= index);
        let run = self.runs.get(after.checked_sub(1)?)?;
        run.first.after(index - run.at)
    }

    /// All of them.
    pub fn elements(&self) -> impl Iterator<Item = Value> {
        (0..self.count).filter_map(|index| self.element(index))
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    variable: Variable,
    /// Where it is declared; nothing for what is there from the start.
    span: Option<Span>,
}

/// The names declared so far.
#[derive(Debug, Default)]
pub(super) struct Names<'t> {
    entries: HashMap<&'t str, Entry>,
    /// The names in order, for suggestions.
    order: Vec<&'t str>,
    pub singles: Vec<Single<'t>>,
    pub arrays: Vec<Array<'t>>,
    /// Names used before they were declared, with the place of the finding that says so.
    undefined: HashMap<&'t str, Span>,
}

impl<'t> Names<'t> {
    pub fn get(&self, name: &str) -> Option<Variable> {
        self.entries.get(name).map(|entry| entry.variable)
    }

    /// Every name there is, with where it is declared.
    pub fn all(&self) -> impl Iterator<Item = (&'t str, Variable, Option<Span>)> {
        self.entries.iter().map(|(name, entry)| (*name, entry.variable, entry.span))
    }

    /// The names of attributes and results, in alphabetical order.
    pub fn bound(&self) -> Vec<ir::Variable> {
        let bound = |variable: Variable| {
            Some(match variable {
                Variable::Attribute(AttributeBinding::One(first), _) => (Bound::Attribute(first), None),
                Variable::Attributes(all) => (Bound::Attribute(all.first), Some(all.count)),
                Variable::OfVertices(all, is_array) => {
                    (Bound::OfVertices(all.first), is_array.then_some(all.count))
                }
                Variable::Result(ResultBinding::One(role), _) => (Bound::Result(role), None),
                Variable::Results(all) => (Bound::Result(all.first), Some(all.count)),
                _ => return None,
            })
        };
        let named = |(name, variable, _): (&str, Variable, Option<Span>)| {
            bound(variable).map(|(first, count)| ir::Variable { name: name.to_owned(), first, count })
        };
        let mut all: Vec<ir::Variable> = self.all().filter_map(named).collect();
        all.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// The names that the text declares, with where it does.
    pub fn declared(&self) -> Vec<(&'t str, Span)> {
        self.all().filter_map(|(name, _, place)| Some((name, place?))).collect()
    }

    /// Where `name` is declared, if it is; nothing within for what is there from the start.
    pub fn place_of(&self, name: &str) -> Option<Option<Span>> {
        self.entries.get(name).map(|entry| entry.span)
    }

    pub fn insert(&mut self, name: &'t str, span: Option<Span>, variable: Variable) {
        self.entries.insert(name, Entry { variable, span });
        self.order.push(name);
    }

    /// Adds a single parameter.
    pub fn insert_single(&mut self, name: &'t str, span: Span, value: Value, declared: Declared) {
        // A text of four billion declarations is longer than what is ever loaded.
        let number = u32::try_from(self.singles.len()).unwrap_or(u32::MAX);
        self.singles.push(Single { name, value, declared });
        self.insert(name, Some(span), Variable::Parameter(number));
    }

    /// Adds a parameter array.
    pub fn insert_array(
        &mut self,
        name: &'t str,
        span: Span,
        (runs, count): (Vec<ElementRun>, u16),
        declared: Declared,
    ) {
        let number = u32::try_from(self.arrays.len()).unwrap_or(u32::MAX);
        self.arrays.push(Array { name, runs, count, declared, relative: None });
        self.insert(name, Some(span), Variable::Array(number));
    }

    pub fn array(&self, number: u32) -> Option<&Array<'t>> {
        self.arrays.get(usize::try_from(number).ok()?)
    }

    pub fn array_mut(&mut self, number: u32) -> Option<&mut Array<'t>> {
        self.arrays.get_mut(usize::try_from(number).ok()?)
    }

    /// The declared name most like `name`.
    pub fn nearest(&self, name: &str) -> Option<&'t str> {
        nearest(name, self.order.iter().take(1000).copied())
    }

    /// Notes that `name` is used at `span` and undeclared; whether it is for the first time.
    pub fn note_undefined(&mut self, name: &'t str, span: Span) -> bool {
        self.undefined.insert(name, span).is_none()
    }

    /// Points from uses of undeclared names to where a later statement declares them.
    pub fn mark_late_declarations(&self, code: Code, sink: &mut Sink) {
        for finding in sink.findings_mut().iter_mut().filter(|finding| finding.code == code) {
            let place = finding.span();
            let late = self.undefined.iter().find(|(_, span)| **span == place);
            if let Some(Some(Some(declared))) = late.map(|(name, _)| self.place_of(name)) {
                let text = "declared here, after it is used".to_owned();
                finding.labels.push(Label { span: declared, text });
                finding.fix = None;
            }
        }
    }
}
