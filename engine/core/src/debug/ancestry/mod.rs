//! Dynamic slicing ([`Ancestry`]): the steps and inputs that a value of a run depends on (backward slice),
//! and the values that depend on it (forward slice).
//!
//! Slices are sound. Suppose a value outside the backward slice changes, right after the step that wrote it:
//! the sliced value never changes. If a value changes, nothing outside its forward slice changes. The
//! dependences of a value are:
//!
//! * the values that it is computed from; `semantics::plan` says which components an operation reads
//! * registers that address its operands or its destination
//! * bytes of memory that were read
//! * tests that allow or prevent a write
//! * decisions of flow that led to the write, or around another write of the same location
//!
//! Instruction, call and block limits are not dependences: slices ignore whether a changed run would reach a
//! limit. Runs that ended at a limit or with a wrong stack are not covered.
//!
//! Slices are larger than necessary in these cases:
//!
//! * A read of an array that relative references write depends on all addresses so far.
//! * A read of memory depends on the addresses of all earlier stores.
//! * All vertices that an invocation has emitted are one value.
//! * A value that passes between lanes depends on all decisions so far if the order of lanes could change.
//!   That is so for a quad with subroutines or branches that takes derivatives, for a quad that writes memory
//!   or votes, and for invocations of a patch that read each other's outputs.
//! * An attribute that IPAO or a similar opcode evaluates at another place in the pixel counts as the
//!   attribute.

mod build;
mod flow;
mod graph;
mod layout;
mod reads;
#[cfg(test)]
mod tests;

use super::Recording;
use super::expression::Place;
use crate::memory::BufferId;
use build::Builder;
use graph::{NONE, Node, Tag};
use shadestep_language::ir::{Attribute, OutputId, OutputRole, ParamId, Program};
use shadestep_language::isa::Stage;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// A component of a register of the recorded lane at one position of its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueAt {
    /// Before step `position`; the end from [`Recording::len`] on.
    pub position: usize,
    /// The register.
    pub place: Place,
    /// 0 = x.
    pub component: u8,
}

/// The value to slice backwards from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// One component.
    Value(ValueAt),
    /// The whole result of the run: outputs, discard and emitted vertices; for state programs the parameters.
    /// Of a replaced depth, only z.
    Result,
}

/// Why there is no slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AncestryError {
    /// The run has more values than the graph can hold.
    TooLong,
    /// The caller cancelled it.
    Cancelled,
}

impl std::fmt::Display for AncestryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::TooLong => "this run is too long to trace",
            Self::Cancelled => "cancelled",
        })
    }
}

impl std::error::Error for AncestryError {}

/// The direction of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the values that a value depends on.
    Backward,
    /// To the values that depend on a value.
    Forward,
}

/// A step of the recorded lane that belongs to a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Number of the step.
    pub position: usize,
    /// Index of the instruction.
    pub pc: usize,
    /// The components (bit 0 = x) of registers and condition codes that the step wrote and that are in the
    /// slice.
    pub written: Vec<(Place, u8)>,
    /// Whether the step is in the slice through a decision: of flow, of a discard, of an address, or not to
    /// write.
    pub decides: bool,
    /// Whether the texels that the step looked up are in the slice.
    pub looks_up: bool,
    /// Whether the bytes that the step stored are in the slice.
    pub stores: bool,
}

/// A slice of a run.
#[derive(Clone, Debug)]
pub struct Ancestry {
    /// Direction of the slice.
    pub way: Way,
    /// The steps of the recorded lane, in order.
    pub parts: Vec<Part>,
    /// Attributes of the recorded lane, with their components.
    pub attributes: Vec<(Attribute, u8)>,
    /// Parameters and constants, with their components.
    pub parameters: Vec<(ParamId, u8)>,
    /// Bytes that memory held at the start.
    pub memory: Vec<(BufferId, Range<u64>)>,
    /// Instructions in the slice that other lanes of the quad, or other invocations of the patch, executed.
    pub neighbour_pcs: Vec<usize>,
    /// In a forward slice, the outputs at the end, with their components.
    pub outputs: Vec<(OutputId, u8)>,
    /// In a forward slice, whether it contains a part of the result ([`Goal::Result`]).
    pub reaches_result: bool,
    /// For each component that the run writes, the positions where its membership of the slice changes.
    held: BTreeMap<(Place, u8), Vec<(usize, bool)>>,
}

impl Ancestry {
    /// The backward slice of `goal`.
    ///
    /// # Errors
    /// [`AncestryError::TooLong`] for runs beyond some hundred thousand instructions of a quad, and
    /// [`AncestryError::Cancelled`] if `cancel` became true.
    pub fn backward(recording: &Recording, goal: Goal, cancel: &AtomicBool) -> Result<Self, AncestryError> {
        let mut builder = Builder::new(recording);
        let end = match goal {
            Goal::Value(value) => value.position.min(recording.len()),
            Goal::Result => recording.len(),
        };
        // Run to the end, so that the joins after the last step are included.
        let end = if end == recording.len() { usize::MAX } else { end };
        builder.run(end, None, cancel)?;
        let ends = match goal {
            Goal::Value(value) => value_of(&mut builder, value)?,
            Goal::Result => result_of(&mut builder)?,
        };
        let marked = builder.graph.behind(&ends);
        Ok(Self::of(&builder, Way::Backward, &marked))
    }

    /// The forward slice of `value`: every value that could differ if `value` differed at that position.
    ///
    /// # Errors
    /// As [`Self::backward`].
    pub fn forward(
        recording: &Recording,
        value: ValueAt,
        cancel: &AtomicBool,
    ) -> Result<Self, AncestryError> {
        let mut builder = Builder::new(recording);
        let component = usize::from(value.component & 3);
        let location = builder.layout.of_place(value.place, component);
        let start = if location.is_none() { leaf_of(&mut builder, value)? } else { NONE };
        let mark = location.map(|location| (value.position.min(recording.len()), location));
        let marked = builder.run(usize::MAX, mark, cancel)?;
        let marked = builder.graph.ahead(if location.is_some() { marked } else { start });
        let mut ancestry = Self::of(&builder, Way::Forward, &marked);
        let is_marked = |nodes: Vec<Node>| nodes.iter().any(|&n| n != NONE && marked[n as usize]);
        for (id, mask) in results(builder.program) {
            let place = Place::Output(id);
            let reached = (0..4).filter(|c| mask >> c & 1 != 0).fold(0, |reached, c| {
                let location = builder.layout.of_place(place, c);
                let is_reached = location.is_some_and(|location| is_marked(builder.value(location)));
                reached | u8::from(is_reached) << c
            });
            if reached != 0 {
                ancestry.outputs.push((id, reached));
            }
        }
        ancestry.reaches_result = is_marked(result_of(&mut builder)?);
        Ok(ancestry)
    }

    /// The part of step `position`, if the step is in the slice.
    pub fn part(&self, position: usize) -> Option<&Part> {
        let at = self.parts.binary_search_by_key(&position, |part| part.position).ok()?;
        self.parts.get(at)
    }

    /// Whether the value of a component at `position` is in the slice. The position is ignored for attributes
    /// and parameters that no step writes.
    pub fn holds(&self, position: usize, place: Place, component: u8) -> bool {
        let has = |mask: Option<u8>| mask.is_some_and(|mask| mask >> component & 1 != 0);
        let written = self.held.get(&(place, component)).and_then(|changes| {
            let count = changes.partition_point(|&(from, _)| from <= position);
            changes[..count].last().map(|&(_, is_held)| is_held)
        });
        written.unwrap_or_else(|| match place {
            Place::Attribute(attribute) => {
                has(self.attributes.iter().find(|(a, _)| *a == attribute).map(|(_, mask)| *mask))
            }
            Place::Param(id) => has(self.parameters.iter().find(|(p, _)| *p == id).map(|(_, mask)| *mask)),
            Place::Temp(_) | Place::Output(_) | Place::Flags(_) => false,
        })
    }

    /// Collects the marked nodes into a slice.
    fn of(builder: &Builder<'_>, way: Way, marked: &[bool]) -> Self {
        let own = builder.recording.lane();
        let mut parts: BTreeMap<u32, Part> = BTreeMap::new();
        let (mut attributes, mut parameters) = (BTreeMap::new(), BTreeMap::<u16, u8>::new());
        let (mut bytes, mut pcs) = (Vec::new(), Vec::new());
        let mut held: BTreeMap<(Place, u8), Vec<(usize, bool)>> = BTreeMap::new();
        let mut arrays = BTreeMap::new();
        for (info, &is_marked) in builder.graph.infos().iter().zip(marked) {
            let (lane, (number, c)) = (usize::from(info.lane), (info.what / 4, (info.what % 4) as u8));
            let from = info.step as usize + usize::from(!matches!(info.tag, Tag::Edited | Tag::Met));
            let place = match info.tag {
                Tag::Written | Tag::Edited if lane == own => builder.layout.place(info.what),
                // The step keeps the value, so membership in the slice does not change.
                Tag::Kept | Tag::Met if lane == own && is_marked => builder.layout.place(info.what),
                _ => None,
            };
            if let Some(place) = place {
                let changes = held.entry(place).or_default();
                if changes.last().is_none_or(|&(_, was)| was != is_marked) {
                    changes.push((from, is_marked));
                }
            }
            if !is_marked {
                continue;
            }
            if lane == own
                && matches!(info.tag, Tag::Decided | Tag::Met)
                && builder.layout.is_array(info.what)
            {
                arrays.entry(info.what).or_insert(from);
            }
            match info.tag {
                Tag::Attribute if lane == own => *attributes.entry(number).or_insert(0) |= 1 << c,
                Tag::Parameter => *parameters.entry(number as u16).or_default() |= 1 << c,
                Tag::Byte => bytes.push(builder.first_bytes[info.what as usize]),
                Tag::Attribute | Tag::Joined | Tag::Edited | Tag::Met => {}
                Tag::Written | Tag::Kept | Tag::Decided | Tag::Stored | Tag::Texels if lane != own => {
                    pcs.extend(builder.other_pcs[lane].get(info.step as usize).map(|&pc| pc as usize));
                }
                Tag::Written | Tag::Kept | Tag::Decided | Tag::Stored | Tag::Texels => {
                    let pc = builder.pcs.get(info.step as usize).copied().unwrap_or_default() as usize;
                    let part = parts.entry(info.step).or_insert_with(|| Part {
                        position: info.step as usize,
                        pc,
                        written: Vec::new(),
                        decides: false,
                        looks_up: false,
                        stores: false,
                    });
                    part.decides |= matches!(info.tag, Tag::Decided | Tag::Kept);
                    part.looks_up |= info.tag == Tag::Texels;
                    part.stores |= info.tag == Tag::Stored;
                    if let Some((place, c)) = place.filter(|_| info.tag == Tag::Written) {
                        match part.written.iter_mut().find(|(other, _)| *other == place) {
                            Some((_, mask)) => *mask |= 1 << c,
                            None => part.written.push((place, 1 << c)),
                        }
                    }
                }
            }
        }
        // With another address, the write could have gone to any other element.
        for (array, from) in arrays.into_iter().filter(|_| way == Way::Forward) {
            let elements = builder.layout.elements(array);
            for place in elements.filter_map(|location| builder.layout.place(location)) {
                let changes = held.entry(place).or_default();
                changes.retain(|&(at, _)| at < from);
                changes.push((from, true));
            }
        }
        pcs.sort_unstable();
        pcs.dedup();
        let attribute = |number: u32| builder.attributes[number as usize];
        Self {
            way,
            parts: parts.into_values().collect(),
            attributes: attributes.into_iter().map(|(number, mask)| (attribute(number), mask)).collect(),
            parameters: parameters.into_iter().map(|(id, mask)| (ParamId(id), mask)).collect(),
            memory: ranges(bytes),
            neighbour_pcs: pcs,
            outputs: Vec::new(),
            reaches_result: false,
            held,
        }
    }
}

/// Joins consecutive bytes into ranges.
fn ranges(mut bytes: Vec<(BufferId, u64)>) -> Vec<(BufferId, Range<u64>)> {
    bytes.sort_unstable_by_key(|&(BufferId(id), at)| (id, at));
    let mut ranges: Vec<(BufferId, Range<u64>)> = Vec::new();
    for (id, at) in bytes {
        match ranges.last_mut() {
            Some((last, range)) if *last == id && range.end == at => range.end += 1,
            _ => ranges.push((id, at..at + 1)),
        }
    }
    ranges
}

/// The outputs of the result, with the components that count.
fn results(program: &Program) -> impl Iterator<Item = (OutputId, u8)> + '_ {
    let mask = |role: OutputRole| if role == OutputRole::Depth { 0b0100 } else { 0b1111 };
    program.outputs.iter().zip(0..).map(move |(output, id)| (OutputId(id), mask(output.role)))
}

/// The nodes of the whole result of the recorded lane.
fn result_of(builder: &mut Builder<'_>) -> Result<Vec<Node>, AncestryError> {
    let mut places: Vec<(Place, u8)> =
        results(builder.program).map(|(id, mask)| (Place::Output(id), mask)).collect();
    if builder.program.stage() == Stage::VertexState {
        let ids = 0..builder.program.parameters.len() as u16;
        places.extend(ids.map(|id| (Place::Param(ParamId(id)), 0b1111)));
    }
    let mut nodes = Vec::new();
    for (place, mask) in places {
        for component in (0..4).filter(|c| mask >> c & 1 != 0) {
            nodes.extend(value_of(builder, ValueAt { position: usize::MAX, place, component })?);
        }
    }
    nodes.extend(builder.value(builder.layout.killed));
    nodes.extend(builder.value(builder.layout.emitted));
    Ok(nodes)
}

/// The nodes of a value at the builder's current position.
fn value_of(builder: &mut Builder<'_>, value: ValueAt) -> Result<Vec<Node>, AncestryError> {
    let Some(location) = builder.layout.of_place(value.place, usize::from(value.component & 3)) else {
        return Ok(vec![leaf_of(builder, value)?]);
    };
    let mut nodes = builder.value(location);
    if matches!(value.place, Place::Param(_)) && nodes.iter().all(|&node| node == NONE) {
        nodes.push(leaf_of(builder, value)?);
    }
    Ok(nodes)
}

/// The leaf node of a value that no step writes.
fn leaf_of(builder: &mut Builder<'_>, value: ValueAt) -> Result<Node, AncestryError> {
    let (c, own) = (usize::from(value.component & 3), builder.recording.lane());
    match value.place {
        Place::Attribute(attribute) => builder.attribute(own, attribute, c),
        Place::Param(id) => builder.parameter(usize::from(id.0), c),
        Place::Temp(_) | Place::Output(_) | Place::Flags(_) => Ok(NONE),
    }
}
