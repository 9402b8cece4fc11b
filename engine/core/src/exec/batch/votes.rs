//! Votes and conflicts among the invocations of a patch. A conflict is a write of different values to a
//! per-patch result in one instruction (NV_tessellation_program5 issue 4).

use super::Worker;
use super::operands::Operands;
use crate::exec::lir::effect::PatchVote;
use crate::exec::{Apart, Conflict, Hazard, LANES};
use crate::simd::ones;
use shadestep_language::semantics::ops;
use std::ops::Range;

/// Writes of per-patch results in one instruction.
pub(super) struct Sharing {
    group: usize,
    pc: usize,
    /// The current patch. Patches come one after the other.
    patch: usize,
    /// Lane register, lane and value of the last write to each result of the current patch.
    written: Vec<(usize, usize, u32)>,
}

impl Sharing {
    pub const fn new(group: u8, pc: usize) -> Self {
        Self { group: group as usize, pc, patch: 0, written: Vec::new() }
    }

    /// The lanes of the patch of `lane`.
    pub fn lanes(&self, lane: usize) -> Range<usize> {
        let first = lane / self.group * self.group;
        first..(first + self.group).min(LANES)
    }

    /// Records a write. Returns the lane of the previous write to the same result if its value differs.
    pub fn write(&mut self, row: usize, lane: usize, value: u32) -> Option<usize> {
        let patch = lane / self.group;
        if patch != self.patch {
            self.patch = patch;
            self.written.clear();
        }
        let Some(before) = self.written.iter_mut().find(|(other, ..)| *other == row) else {
            self.written.push((row, lane, value));
            return None;
        };
        let (other, old) = (before.1, before.2);
        (before.1, before.2) = (lane, value);
        (old != value).then_some(other)
    }

    /// Adds a conflict of two lanes.
    pub fn note(&self, lanes: [usize; 2], conflicts: &mut Vec<Conflict>) {
        let lanes = lanes.map(|lane| lane as u8);
        let apart = Apart::Instruction;
        Conflict { hazard: Hazard::Writes, apart, at: [self.pc; 2], lanes, count: 1 }.add_to(conflicts);
    }
}

impl Worker {
    /// Votes among the invocations of each patch. Only `lanes` execute the instruction: the others do not
    /// vote and get no result (NV_gpu_program5 2.X.8.Z).
    pub(super) fn vote(
        &mut self,
        (vote, mut operands, results): (&PatchVote, Operands<'_>, &[(u8, u16)]),
        lanes: u64,
    ) {
        let group = usize::from(vote.group).clamp(1, LANES);
        let patch = u64::MAX >> (LANES - group);
        let [operand] = operands.take().map(|register| self.registers[usize::from(register)].0);
        let words = |lane: usize| [operand[lane], 0.0];
        for &(_, result) in results {
            let result = &mut self.registers[usize::from(result)].0;
            for first in (0..LANES).step_by(group) {
                let voters = lanes & patch << first;
                // All voters of a patch get the same answer.
                let Some(asking) = ones(voters).next() else { continue };
                let others = ones(voters & !(1 << asking)).map(|lane| (words(lane), true));
                let [answer, _] = ops::vote(vote.question, vote.ty, words(asking), others);
                ones(voters).for_each(|lane| result[lane] = answer);
            }
        }
    }
}
