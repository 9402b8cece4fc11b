//! The names that a program declares, and the variables they stand for.

use std::collections::HashMap;

use super::bindings::{AttributeBinding, ResultBinding};
use super::parameters::Value;
use super::units::UnitKind;
use super::words::{Data, Size};
use crate::diag::{Code, Label};
use crate::front::{Sink, nearest};
use crate::ir::{self, Attribute, Declared as Bound, OutputRole};
use crate::source::Span;

/// The modifiers in the declaration of a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Declared {
    /// The type of the components.
    pub data: Option<Data>,
    /// The size of the components.
    pub size: Option<Size>,
    pub interpolation: super::interpolation::Modifiers,
}

/// An array of temporaries, attributes or results.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements<T> {
    /// Element 0.
    pub first: T,
    pub count: u16,
    pub declared: Declared,
    /// Place of the declaration in the text. Distinguishes arrays with the same elements.
    pub at: usize,
}

impl Elements<u16> {
    /// The temporary at `index`, which is below the count.
    pub fn temporary(self, index: u32) -> u16 {
        self.first + u16::try_from(index).unwrap_or(self.count)
    }
}

/// The entity that a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Variable {
    /// The temporary with this number.
    Temporary(u16),
    /// An array of temporaries. The numbers are consecutive.
    Temporaries(Elements<u16>),
    /// The address register with this number.
    Address(u16),
    /// A0 of `OPTION NV_fragment_program2`: the index of the innermost LOOP.
    LoopIndex,
    Attribute(AttributeBinding, Declared),
    /// An array of consecutive attributes.
    Attributes(Elements<Attribute>),
    /// An attribute of each vertex of a primitive; true for an array of such attributes.
    OfVertices(Elements<Attribute>, bool),
    /// The single parameter with this number.
    Parameter(u32),
    /// The parameter array with this number.
    Array(u32),
    Result(ResultBinding, Declared),
    /// An array of consecutive results.
    Results(Elements<OutputRole>),
    /// Consecutive units: the kind, the first unit, and the count of an array.
    Units(UnitKind, u8, Option<u8>),
    /// The parameter buffer variable with this number.
    Buffer(usize),
    /// The type of subroutines with this number.
    SubroutineType(usize),
    /// The subroutine variable with this number.
    Subroutine(usize),
    /// A faulty declaration, which has been reported.
    Broken,
}

/// A single parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single<'t> {
    pub name: &'t str,
    pub value: Value,
    pub declared: Declared,
}

/// Consecutive elements of an array: `first` and the values after it, up to the next run.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementRun {
    pub first: Value,
    /// Index of `first` in the array.
    pub at: u16,
}

/// A parameter array.
#[derive(Clone, Debug)]
pub(super) struct Array<'t> {
    pub name: &'t str,
    pub runs: Vec<ElementRun>,
    pub count: u16,
    pub declared: Declared,
    /// The first place where an address register indexes the array.
    pub relative: Option<Span>,
}

impl Array<'_> {
    /// The binding of element `index`, which is below the count.
    pub fn element(&self, index: u16) -> Option<Value> {
        let after = self.runs.partition_point(|run| run.at <= index);
        let run = self.runs.get(after.checked_sub(1)?)?;
        run.first.after(index - run.at)
    }

    /// The bindings of all elements.
    pub fn elements(&self) -> impl Iterator<Item = Value> {
        (0..self.count).filter_map(|index| self.element(index))
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    variable: Variable,
    /// The place of the declaration; `None` for predefined names.
    span: Option<Span>,
}

/// The names declared so far.
#[derive(Debug, Default)]
pub(super) struct Names<'t> {
    entries: HashMap<&'t str, Entry>,
    /// The names in order of declaration, for suggestions.
    order: Vec<&'t str>,
    pub singles: Vec<Single<'t>>,
    pub arrays: Vec<Array<'t>>,
    /// Undeclared names that the program uses, with the place of their error.
    undefined: HashMap<&'t str, Span>,
}

impl<'t> Names<'t> {
    pub fn get(&self, name: &str) -> Option<Variable> {
        self.entries.get(name).map(|entry| entry.variable)
    }

    /// All names with their variables and the places of their declarations.
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

    /// The names that the text declares, with their places.
    pub fn declared(&self) -> Vec<(&'t str, Span)> {
        self.all().filter_map(|(name, _, place)| Some((name, place?))).collect()
    }

    /// The place of the declaration of `name`, if the name exists. The inner value is `None` for predefined
    /// names.
    pub fn place_of(&self, name: &str) -> Option<Option<Span>> {
        self.entries.get(name).map(|entry| entry.span)
    }

    pub fn insert(&mut self, name: &'t str, span: Option<Span>, variable: Variable) {
        self.entries.insert(name, Entry { variable, span });
        self.order.push(name);
    }

    pub fn insert_single(&mut self, name: &'t str, span: Span, value: Value, declared: Declared) {
        // Loaded texts are too short for four billion declarations.
        let number = u32::try_from(self.singles.len()).unwrap_or(u32::MAX);
        self.singles.push(Single { name, value, declared });
        self.insert(name, Some(span), Variable::Parameter(number));
    }

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

    /// Notes that the undeclared `name` is used at `span`. Returns true for the first use.
    pub fn note_undefined(&mut self, name: &'t str, span: Span) -> bool {
        self.undefined.insert(name, span).is_none()
    }

    /// Adds to errors about undeclared names the place of a later declaration, if there is one.
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
