//! Detects unordered accesses among the invocations of a patch, which run in lock step: a read of a result
//! that another invocation writes in the same instruction, and accesses on the two sides of an IF with an
//! ELSE (NV_tessellation_program5 2.X.5). The batch executor itself detects writes in one instruction, which
//! are far more common.
//!
//! The reference interpreter runs the patch again for this check, and only if the program's text has such
//! accesses. Programs that write memory are excluded, because memory has changed since the first run.

use super::Bindings;
use super::block::{Apart, Conflict, Hazard};
use super::exec_state::ExecState;
use super::inputs::{AttributesRead, PrimitiveInputs};
use super::reference::{Evaluation, LaneEvaluation, Machine, lanes_of};
use shadestep_language::ir::{
    Attribute, Control, Element, Instruction, OutputId, OutputRole, Program, Source, Target,
};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// The check stops after this many instructions of all invocations together.
const MOST_STEPS: u32 = 1 << 12;

/// Number of instructions between two checks of `cancel`.
const STEPS_TO_CANCEL: usize = 1 << 8;

/// Whether the program's text allows unordered accesses.
pub(super) fn may_meet(program: &Program) -> bool {
    let instructions = &program.instructions;
    let all = Accesses::of(program, 0..instructions.len());
    if program.writes_memory() || all.writes.is_empty() {
        return false;
    }
    // A range of the program, with all code that it may call.
    let part = |range: Range<usize>| {
        let calls = |instruction: &Instruction| {
            matches!(instruction.control(), Some(Control::Call { .. } | Control::CallIndirect { .. }))
        };
        if instructions[range.clone()].iter().any(calls) { all.clone() } else { Accesses::of(program, range) }
    };
    let itself = |at: usize| {
        let own = Accesses::of(program, at..at + 1);
        own.writes.iter().any(|role| own.reads.contains(role))
    };
    let sides = |at: usize| {
        let Some(Control::If { otherwise, .. }) = instructions[at].control() else { return false };
        let Some(Control::Else { end }) = instructions[otherwise - 1].control() else { return false };
        let [one, other] = [at + 1..otherwise, otherwise..end].map(part);
        one.meets(&other) || other.meets(&one)
    };
    (0..instructions.len()).any(|at| itself(at) || sides(at))
}

/// Patch results that instructions read and write.
#[derive(Clone, Default)]
struct Accesses {
    reads: BTreeSet<OutputRole>,
    writes: BTreeSet<OutputRole>,
}

impl Accesses {
    fn of(program: &Program, range: Range<usize>) -> Self {
        let mut all = Self::default();
        for instruction in &program.instructions[range] {
            let operands = instruction.operands.iter().flat_map(|operand| operand.source.attributes());
            all.reads.extend(operands.filter_map(Attribute::output));
            let role = |id: OutputId| program.outputs.get(usize::from(id.0)).map(|output| output.role);
            match instruction.dest().map(|dest| dest.target) {
                Some(Target::Output(id)) => all.writes.extend(role(id)),
                Some(Target::Indirect(indirect)) => {
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

    /// Whether `self` writes a result that `other` reads or, for per-patch results, writes.
    fn meets(&self, other: &Self) -> bool {
        self.writes.iter().any(|role| {
            let is_shared = matches!(role, OutputRole::Patch(_));
            other.reads.contains(role) || is_shared && other.writes.contains(role)
        })
    }
}

/// The conflicts among the invocations of a patch, one for each cause. For a long run, only those of the
/// first [`MOST_STEPS`] instructions.
pub(super) fn conflicts(
    program: &Program,
    bindings: &Bindings,
    inputs: &PrimitiveInputs,
    cancel: &AtomicBool,
) -> Vec<Conflict> {
    let inputs = AttributesRead::of_patch(program, inputs);
    let mut at = ExecState::of_lanes(program, bindings, (inputs.lanes(), u32::MAX));
    let mut tracker = Tracker::new(program, inputs.lanes());
    let mut machine = Machine::new(program, bindings, &inputs, &mut at);
    let (mut left, mut number) = (MOST_STEPS, 0);
    while let Some((pc, lanes)) = machine.at.next().filter(|(_, lanes)| lanes.count_ones() <= left) {
        left -= lanes.count_ones();
        number += 1;
        if number % STEPS_TO_CANCEL == 0 && cancel.load(Ordering::Relaxed) {
            break;
        }
        let done = machine.step(pc, lanes);
        tracker.take((pc, lanes), &done);
        tracker.follow((pc, lanes), machine.at);
    }
    tracker.found
}

/// A component that several invocations can access: its vertex (0 for per-patch results), output and
/// component number.
type Place = (usize, OutputId, usize);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Access {
    pc: usize,
    lane: usize,
    /// The value written; `None` for a read.
    written: Option<u64>,
}

impl Access {
    /// The hazard of two unordered accesses to the same place.
    fn hazard(&self, other: &Self) -> Option<Hazard> {
        if self.lane == other.lane {
            return None;
        }
        match (self.written, other.written) {
            (Some(one), Some(another)) => (one != another).then_some(Hazard::Writes),
            (None, None) => None,
            _ => Some(Hazard::ReadAndWrite),
        }
    }

    /// The conflict of two accesses, if they have one.
    fn conflict(&self, other: &Self, apart: Apart) -> Option<Conflict> {
        let hazard = self.hazard(other)?;
        // The writer is first; of two writers, the earlier instruction is first.
        let swapped = match hazard {
            Hazard::Writes => self.pc > other.pc,
            Hazard::ReadAndWrite => self.written.is_none(),
        };
        let [first, second] = if swapped { [other, self] } else { [self, other] };
        let lanes = [first, second].map(|access| access.lane as u8);
        Some(Conflict { hazard, apart, at: [first.pc, second.pc], lanes, count: 1 })
    }
}

/// An IF with an ELSE that several lanes entered together: the accesses on each side, without duplicates.
#[derive(Default)]
struct Branch([HashMap<Place, Vec<Access>>; 2]);

struct Tracker<'a> {
    program: &'a Program,
    /// For each lane, its active IF blocks. A block with an ELSE has the number of the branch and the side.
    blocks: Vec<Vec<Option<(usize, usize)>>>,
    /// Branches that some lane is in, by number.
    branches: HashMap<usize, Branch>,
    next: usize,
    found: Vec<Conflict>,
}

impl<'a> Tracker<'a> {
    fn new(program: &'a Program, lanes: usize) -> Self {
        let (blocks, branches) = (vec![Vec::new(); lanes], HashMap::new());
        Self { program, blocks, branches, next: 0, found: Vec::new() }
    }

    /// Adds the accesses of one instruction.
    fn take(&mut self, (pc, lanes): (usize, u32), done: &Evaluation) {
        let instruction = &self.program.instructions[pc];
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for lane in lanes_of(lanes) {
            self.reads(instruction, (pc, lane), &done.lanes[lane], &mut reads);
            self.writes(instruction, (pc, lane), &done.lanes[lane], &mut writes);
        }
        let mut found = Vec::new();
        for (place, write) in &writes {
            let others = reads.iter().filter(|(other, _)| other == place);
            found.extend(others.filter_map(|(_, read)| write.conflict(read, Apart::Instruction)));
        }
        for (place, access) in reads.into_iter().chain(writes) {
            for &(number, side) in self.blocks[access.lane].iter().flatten() {
                let Some(Branch(sides)) = self.branches.get_mut(&number) else { continue };
                let others = sides[1 - side].get(&place).into_iter().flatten();
                found.extend(others.filter_map(|other| other.conflict(&access, Apart::Sides)));
                let own = sides[side].entry(place).or_default();
                if !own.contains(&access) {
                    own.push(access);
                }
            }
        }
        // Counts a pair of lanes once, even if it conflicts in several components.
        let mut told: Vec<Conflict> = Vec::new();
        for conflict in found {
            if !told.contains(&conflict) {
                told.push(conflict);
                conflict.add_to(&mut self.found);
            }
        }
    }

    fn reads(
        &self,
        instruction: &Instruction,
        (pc, lane): (usize, usize),
        done: &LaneEvaluation,
        reads: &mut Vec<(Place, Access)>,
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
            let access = Access { pc, lane, written: None };
            reads.extend(components.map(|component| ((of, output, component), access)));
        }
    }

    fn writes(
        &self,
        instruction: &Instruction,
        (pc, lane): (usize, usize),
        done: &LaneEvaluation,
        writes: &mut Vec<(Place, Access)>,
    ) {
        let Some(target) = instruction.dest().map(|dest| dest.target) else { return };
        let output = match (target, done.relative_target.and_then(|relative| relative.element)) {
            (Target::Output(id), _) | (Target::Indirect(_), Some(Element::Output(id))) => id,
            _ => return,
        };
        let of = if self.program.writes_patch(target) { 0 } else { lane };
        for component in (0..4).filter(|c| done.enabled >> c & 1 != 0) {
            let written = Some(done.converted[component]);
            writes.push(((of, output, component), Access { pc, lane, written }));
        }
    }

    /// Updates the IF blocks of `lanes` after the instruction at `pc`.
    fn follow(&mut self, (pc, lanes): (usize, u32), at: &ExecState) {
        let branch = match self.program.instructions[pc].control() {
            Some(Control::If { otherwise, .. }) if self.program.has_else(otherwise) => Some(self.next),
            _ => None,
        };
        let mut left = false;
        for lane in lanes_of(lanes) {
            let (place, depth) = at.stands(lane);
            let blocks = &mut self.blocks[lane];
            left |= blocks.len() > depth;
            blocks.truncate(depth);
            if blocks.len() < depth {
                blocks.push(branch.map(|number| (number, usize::from(place != pc + 1))));
            }
        }
        if let Some(number) = branch {
            self.branches.insert(number, Branch::default());
            self.next += 1;
        }
        if left {
            let blocks = &self.blocks;
            let is_open =
                |number: &usize| blocks.iter().flatten().flatten().any(|(other, _)| other == number);
            self.branches.retain(|number, _| is_open(number));
        }
    }
}
