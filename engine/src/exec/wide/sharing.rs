//! Conflicts among the invocations of a patch: writes of different values to something that it has, in one instruction
//! (NV_tessellation_program5 issue 4).

use crate::exec::{Apart, Conflict, Hazard, LANES};
use std::ops::Range;

/// What the invocations of a patch write of what they share in one instruction.
pub(super) struct Sharing {
    group: usize,
    pc: usize,
    /// The patch that is looked at: they come one after the other.
    patch: usize,
    /// Lane register, lane and value of what was written last, of that.
    written: Vec<(usize, usize, u32)>,
}

impl Sharing {
    pub const fn new(group: u8, pc: usize) -> Self {
        Self { group: group as usize, pc, patch: 0, written: Vec::new() }
    }

    /// The lanes of the patch that `lane` is of.
    pub fn lanes(&self, lane: usize) -> Range<usize> {
        let first = lane / self.group * self.group;
        first..(first + self.group).min(LANES)
    }

    /// Takes in a write. Gives the invocation before it that wrote something else there, if one did.
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

    /// Notes a conflict of two lanes.
    pub fn note(&self, lanes: [usize; 2], conflicts: &mut Vec<Conflict>) {
        let lanes = lanes.map(|lane| lane as u8);
        let apart = Apart::Instruction;
        Conflict { hazard: Hazard::Writes, apart, at: [self.pc; 2], lanes, count: 1 }.add_to(conflicts);
    }
}
