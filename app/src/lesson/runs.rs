//! Checks of single invocations: registers, the number of instructions, and the path through the program.

use super::Invocation;
use super::check::{Fault, Trial, count_fault, distance, number_of};
use super::wording::{counted, masked, pair};
use crate::format;
use crate::printable;
use crate::scene::Slot;
use crate::session::{self, RenderError};
use shadestep_engine::debug::{Recording, State, Subject};
use shadestep_engine::ir::{Components, Program, Type};
use shadestep_engine::isa::Group;
use std::sync::Arc;

impl Trial<'_> {
    /// Counts the instructions that an invocation executes; with `named`, only instructions of that name.
    pub(super) fn executed(
        &self,
        of: Invocation,
        named: Option<&str>,
        bounds: (Option<usize>, Option<usize>),
    ) -> Result<Option<Fault>, RenderError> {
        let recording = match self.recording(of)? {
            Ok(recording) => recording,
            Err(fault) => return Ok(Some(fault)),
        };
        let count = match named {
            Some(name) => {
                let instructions = &recording.program().instructions;
                let is_named = |pc: usize| instructions.get(pc).is_some_and(|i| i.op.info().mnemonic == name);
                recording.all_steps().filter(|step| is_named(step.pc)).count()
            }
            None => recording.len(),
        };
        let words = format!("At {of}, the program executes {}", counted(count, named));
        Ok(count_fault(count, bounds, &words).map(|fault| fault.at(subject(of))))
    }

    /// Checks that two invocations execute different instructions. Branch and block instructions are ignored:
    /// they differ even if no other instruction is skipped.
    pub(super) fn branches(&self, of: [Invocation; 2]) -> Result<Option<Fault>, RenderError> {
        let mut paths = Vec::with_capacity(of.len());
        for invocation in of {
            match self.recording(invocation)? {
                Ok(recording) => {
                    let instructions = &recording.program().instructions;
                    let is_flow =
                        |pc: usize| instructions.get(pc).is_some_and(|i| i.op.info().group == Group::Flow);
                    let pcs = recording.all_steps().map(|step| step.pc);
                    paths.push(pcs.filter(|pc| !is_flow(*pc)).collect::<Vec<_>>());
                }
                Err(fault) => return Ok(Some(fault)),
            }
        }
        if paths[0] != paths[1] {
            return Ok(None);
        }
        let words = format!("No branch skips anything: {} and {} run the same instructions.", of[0], of[1]);
        Ok(Some(Fault::new(words).at(subject(of[0]))))
    }

    /// The run of an invocation, or the reason that there is none.
    fn recording(&self, of: Invocation) -> Result<Result<Arc<Recording>, Fault>, RenderError> {
        let none = |words: &str| Ok(Err(Fault::new(format!("At {of}, {words}.")).at(subject(of))));
        match of {
            Invocation::Pixel(at) => {
                let fragments = match session::record(
                    &self.programs,
                    (&self.job, self.frame.as_ref()),
                    at,
                    None,
                    self.cancel,
                ) {
                    Ok(fragments) => fragments,
                    Err(RenderError::Cancelled) => return Err(RenderError::Cancelled),
                    Err(error) => return none(&format!("there is nothing to step through: {error}")),
                };
                let chosen = fragments.chosen(None).and_then(|index| fragments.get(index));
                match chosen.and_then(|fragment| fragment.recording.clone()) {
                    Some(recording) => Ok(Ok(recording)),
                    None => none("no fragment program runs"),
                }
            }
            Invocation::Vertex(element) => {
                match session::record_vertex(&self.programs, &self.job, element, self.cancel) {
                    Ok(vertex) => Ok(Ok(vertex.recording)),
                    Err(RenderError::Cancelled) => Err(RenderError::Cancelled),
                    Err(error) => none(&format!("there is nothing to step through: {error}")),
                }
            }
        }
    }

    pub(super) fn register(&self, of: Invocation, wanted: &Wanted<'_>) -> Result<Option<Fault>, RenderError> {
        let recording = match self.recording(of)? {
            Ok(recording) => recording,
            Err(fault) => return Ok(Some(fault)),
        };
        let slot = match of {
            Invocation::Pixel(_) => Slot::Fragment,
            Invocation::Vertex(_) => Slot::Vertex,
        };
        let text = self.programs.get(slot).map(|compiled| &compiled.text[..]).unwrap_or_default();
        Ok(wanted
            .fault(&recording, text)
            .map(|facts| Fault::new(format!("At {of}, {facts}")).at(subject(of))))
    }
}

/// A register's required value.
pub(super) struct Wanted<'a> {
    pub(super) name: &'a str,
    pub(super) components: u8,
    pub(super) value: &'a [f64],
    pub(super) line: Option<&'a str>,
    pub(super) tolerance: f64,
}

impl Wanted<'_> {
    /// The fault of a run of the program with text `text`, as the end of a sentence.
    fn fault(&self, recording: &Recording, text: &[u8]) -> Option<String> {
        let program = recording.program();
        let position = match self.line.map(|line| position_of(line, recording, text)) {
            Some(Ok(position)) => position,
            Some(Err(words)) => return Some(words),
            None => recording.len(),
        };
        let state = recording.state_at(position);
        let Some((bits, types, defined)) = find_register(self.name, program, &state) else {
            let name = printable::line(self.name);
            return Some(format!("the program never uses `{name}`."));
        };
        let components = (0..4).filter(|c| self.components >> c & 1 != 0);
        let is: Vec<f64> = components.map(|c| number_of(types[c], bits[c])).collect();
        if distance(&is, self.value) <= self.tolerance {
            return None;
        }
        let name = masked(self.name, self.components);
        let place =
            self.line.map_or_else(String::new, |line| format!(" at the line `{}`", printable::line(line)));
        let unwritten = match self.components & !defined {
            0 => String::new(),
            unwritten => format!(" The program has not written its {}.", format::letters(unwritten)),
        };
        let (is, should) = pair(&is, self.value);
        Some(format!("`{name}`{place} is {is} and should be {should}.{unwritten}"))
    }
}

/// The first position of a run at the line that contains `piece`. The error is the end of a sentence.
fn position_of(piece: &str, recording: &Recording, text: &[u8]) -> Result<usize, String> {
    let text = String::from_utf8_lossy(text);
    let Some(at) = text.find(piece) else {
        let piece = printable::line(piece);
        return Err(format!("the line with `{piece}` is missing. Put it back."));
    };
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let instructions = &recording.program().instructions;
    let Some(index) = instructions.iter().position(|instruction| instruction.span.start >= start) else {
        return Ok(recording.len());
    };
    let found = recording.all_steps().position(|step| step.pc == index);
    found.ok_or_else(|| format!("the run never reaches the line with `{}`.", printable::line(piece)))
}

/// Bits, types and defined components of the temporary or output `name`.
fn find_register(name: &str, program: &Program, state: &State) -> Option<(Components, [Type; 4], u8)> {
    let temporary = program.temporaries.iter().position(|temporary| temporary.name == name);
    if let Some(index) = temporary {
        let (bits, types) = (state.temporaries[index], state.temporaries_types[index]);
        return Some((bits, types, state.temporaries_defined[index]));
    }
    let index = program.outputs.iter().position(|output| output.name == name)?;
    Some((state.outputs[index], state.outputs_types[index], state.outputs_defined[index]))
}

pub(super) const fn subject(of: Invocation) -> Subject {
    match of {
        Invocation::Pixel(at) => Subject::Pixel(at),
        Invocation::Vertex(element) => Subject::Vertex(element),
    }
}
