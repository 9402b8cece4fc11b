//! Accesses of the invocations of a patch that have no order although the invocations run in lock step: a read of what another
//! writes in the same instruction, and what happens on the two sides of an IF with an ELSE (NV_tessellation_program5 2.X.5). Writes in
//! one instruction, which programs have far more often, the wide executor sees itself.
//!
//! A patch is run anew for it, by the traced executor; and only if the program's text has such accesses at all.

use super::Bindings;
use super::block::{Conflict, Hazard};
use super::inputs::{AttributesRead, PrimitiveInputs};
use super::moment::Moment;
use super::scalar::{Evaluation, LaneEvaluation, Machine, lanes_of};
use crate::ir::{
    Attribute, Components, Control, Element, Indirect, Instruction, OutputId, OutputRole, Program, Source,
    Target,
};
use std::ops::Range;

/// Whether invocations may come to such accesses, as far as the text tells.
pub(super) fn may_meet(program: &Program) -> bool {
    let instructions = &program.instructions;
    let meet = |one: &Accesses, other: &Accesses| {
        let meets = |role: &OutputRole| other.reads.contains(role);
        let gives = |role: &OutputRole| {
            matches!(role, OutputRole::Patch(_)) && other.writes.contains(role) || meets(role)
        };
        one.writes.iter().any(gives)
    };
    let sides = |(at, instruction): (usize, &Instruction)| {
        let Some(Control::If { otherwise, .. }) = instruction.control() else { return false };
        let Some(Control::Else { end }) =
            otherwise.checked_sub(1).and_then(|before| instructions[before].control())
        else {
            return false;
        };
        let [one, other] = [at + 1..otherwise, otherwise..end].map(|range| Accesses::of(program, range));
        meet(&one, &other) || meet(&other, &one)
    };
    let itself = |(at, _): (usize, &Instruction)| {
        let own = Accesses::of_instructions(program, at..at + 1);
        own.writes.iter().any(|role| own.reads.contains(role))
    };
    instructions.iter().enumerate().any(|instruction| itself(instruction) || sides(instruction))
}

/// What instructions read and write of what invocations have in common.
#[derive(Default)]
struct Accesses {
    reads: Vec<OutputRole>,
    writes: Vec<OutputRole>,
}

impl Accesses {
    /// Those of a part of the program and of whatever it may call.
    fn of(program: &Program, range: Range<usize>) -> Self {
        let calls = |instruction: &Instruction| {
            matches!(instruction.control(), Some(Control::Call { .. } | Control::CallIndirect { .. }))
        };
        let all = program.instructions[range.clone()].iter().any(calls);
        Self::of_instructions(program, if all { 0..program.instructions.len() } else { range })
    }

    fn of_instructions(program: &Program, range: Range<usize>) -> Self {
        let mut all = Self::default();
        for instruction in &program.instructions[range] {
            let operands = instruction.operands.iter().flat_map(|operand| operand.source.attributes());
            all.reads.extend(operands.filter_map(Attribute::output));
            let role = |id: OutputId| program.outputs.get(usize::from(id.0)).map(|output| output.role);
            match instruction.dest().map(|dest| dest.target) {
                Some(Target::Output(id)) => all.writes.extend(role(id)),
                Some(Target::Indirect(indirect @ Indirect { first: Element::Output(_), .. })) => {
                    all.writes.extend(indirect.elements().filter_map(|element| match element {
                        Element::Output(id) => role(id),
                        _ => None,
                    }));
                }
                _ => {}
            }
        }
        all
    }
}

/// The conflicts among the invocations of a patch, one of each cause.
pub(super) fn conflicts(program: &Program, bindings: &Bindings, inputs: &PrimitiveInputs) -> Vec<Conflict> {
    let inputs = AttributesRead::of_patch(program, inputs);
    let mut at = Moment::of_lanes(program, bindings, (inputs.lanes(), u32::MAX));
    let mut tracker = Tracker::new(program, inputs.lanes());
    let mut machine = Machine::new(program, bindings, &inputs, &mut at);
    while let Some((pc, lanes)) = machine.at.next() {
        let before: Vec<_> = machine.at.lanes.iter().map(|lane| lane.outputs.clone()).collect();
        let done = machine.step(pc, lanes);
        tracker.take(Step { pc, lanes, before, done });
        tracker.follow(pc, lanes, machine.at);
    }
    tracker.found
}

/// An instruction that lanes executed, and the outputs of all lanes before.
struct Step {
    pc: usize,
    lanes: u32,
    before: Vec<Vec<Components>>,
    done: Evaluation,
}

/// A component that several invocations can get at: whose vertex it is of, 0 for what the patch has, its output and its number.
type Place = (usize, OutputId, usize);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Access {
    pc: usize,
    lane: usize,
    place: Place,
    /// What is written, and whether that is anything new; nothing for a read.
    written: Option<(u64, bool)>,
}

impl Access {
    /// What is between it and one without an order to it.
    fn hazard(&self, other: &Self) -> Option<Hazard> {
        if self.place != other.place || self.lane == other.lane {
            return None;
        }
        match (self.written, other.written) {
            (Some((one, _)), Some((another, _))) => (one != another).then_some(Hazard::Writes),
            (Some((_, true)), None) | (None, Some((_, true))) => Some(Hazard::ReadAndWrite),
            _ => None,
        }
    }
}

/// An IF with an ELSE that lanes have gone into together.
struct Branch {
    number: usize,
    /// What happened on each side.
    sides: [Vec<Access>; 2],
}

struct Tracker<'a> {
    program: &'a Program,
    /// Of each lane the IF blocks that it is in: of those with an ELSE the branch and the side.
    blocks: Vec<Vec<Option<(usize, usize)>>>,
    branches: Vec<Branch>,
    /// The number of the next branch.
    next: usize,
    found: Vec<Conflict>,
}

impl<'a> Tracker<'a> {
    fn new(program: &'a Program, lanes: usize) -> Self {
        Self { program, blocks: vec![Vec::new(); lanes], branches: Vec::new(), next: 0, found: Vec::new() }
    }

    /// Takes in what happened in an instruction.
    fn take(&mut self, step: Step) {
        let instruction = &self.program.instructions[step.pc];
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for lane in lanes_of(step.lanes) {
            self.reads(instruction, (step.pc, lane), &step.done.lanes[lane], &mut reads);
            self.writes(instruction, (lane, &step), &mut writes);
        }
        for write in &writes {
            for read in &reads {
                self.note(write, read);
            }
        }
        for access in reads.into_iter().chain(writes) {
            self.add(access);
        }
    }

    fn reads(
        &self,
        instruction: &Instruction,
        (pc, lane): (usize, usize),
        done: &LaneEvaluation,
        reads: &mut Vec<Access>,
    ) {
        for (operand, loaded) in instruction.operands.iter().zip(done.operands.iter()) {
            let attribute = match (operand.source, loaded.relative.and_then(|relative| relative.element)) {
                (Source::Attribute(attribute), _) | (_, Some(Element::Attribute(attribute))) => attribute,
                _ => continue,
            };
            let Some(output) = attribute.output().and_then(|role| self.program.output(role)) else {
                continue;
            };
            let of = attribute.of_vertex().map_or(0, |(vertex, _)| vertex.into());
            let used = (0..4).filter(|c| loaded.used >> c & 1 != 0);
            let components =
                used.map(|c| usize::from(operand.swizzle.0[c])).filter(|component| *component < 4);
            reads.extend(components.map(|component| Access {
                pc,
                lane,
                place: (of, output, component),
                written: None,
            }));
        }
    }

    fn writes(&self, instruction: &Instruction, (lane, step): (usize, &Step), writes: &mut Vec<Access>) {
        let done = &step.done.lanes[lane];
        let output = match (instruction.dest().map(|dest| dest.target), done.relative_target) {
            (Some(Target::Output(id)), _) => id,
            (Some(Target::Indirect(_)), Some(relative)) => match relative.element {
                Some(Element::Output(id)) => id,
                _ => return,
            },
            _ => return,
        };
        let role = self.program.outputs.get(usize::from(output.0)).map(|output| output.role);
        let of = if matches!(role, Some(OutputRole::Patch(_))) { 0 } else { lane };
        for component in (0..4).filter(|c| done.enabled >> c & 1 != 0) {
            let new = done.converted[component];
            let is_new = step.before[lane][usize::from(output.0)][component] != new;
            let place = (of, output, component);
            writes.push(Access { pc: step.pc, lane, place, written: Some((new, is_new)) });
        }
    }

    /// Notes what is between two accesses without an order, if anything is.
    fn note(&mut self, one: &Access, other: &Access) {
        let Some(hazard) = one.hazard(other) else { return };
        // Who writes stands first, or who is first in the text.
        let swapped = match hazard {
            Hazard::Writes => one.pc > other.pc,
            Hazard::ReadAndWrite => one.written.is_none(),
        };
        let [first, second] = if swapped { [other, one] } else { [one, other] };
        let lanes = [first, second].map(|access| access.lane as u8);
        Conflict { hazard, at: [first.pc, second.pc], lanes, count: 1 }.add_to(&mut self.found);
    }

    /// Compares an access with those on the other sides of the branches that it is in.
    fn add(&mut self, access: Access) {
        let blocks = self.blocks[access.lane].clone();
        for (number, side) in blocks.into_iter().flatten() {
            let Some(place) = self.branches.iter().position(|branch| branch.number == number) else {
                continue;
            };
            for other in self.branches[place].sides[1 - side].clone() {
                self.note(&other, &access);
            }
            let own = &mut self.branches[place].sides[side];
            let is_same =
                |other: &Access| Access { written: None, ..*other } == Access { written: None, ..access };
            own.retain(|other| !is_same(other) || other.written.is_some() != access.written.is_some());
            own.push(access);
        }
    }

    /// Follows lanes to where the instruction at `pc` has led them.
    fn follow(&mut self, pc: usize, lanes: u32, at: &Moment) {
        let branch = match self.program.instructions[pc].control() {
            Some(Control::If { otherwise, .. }) if self.program.has_else(otherwise) => Some(self.next),
            _ => None,
        };
        for lane in lanes_of(lanes) {
            let (place, depth) = at.stands(lane);
            let blocks = &mut self.blocks[lane];
            blocks.truncate(depth);
            if blocks.len() < depth {
                blocks.push(branch.map(|number| (number, usize::from(place != pc + 1))));
            }
        }
        if branch.is_some() {
            self.branches.push(Branch { number: self.next, sides: [Vec::new(), Vec::new()] });
            self.next += 1;
        }
        let blocks = &self.blocks;
        let is_open =
            |branch: &Branch| blocks.iter().flatten().flatten().any(|(number, _)| *number == branch.number);
        self.branches.retain(is_open);
    }
}
