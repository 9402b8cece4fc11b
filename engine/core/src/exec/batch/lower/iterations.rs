//! Lowers iterations of a loop kernel (see `flow::whole`): the loop's blocks in sequence, unrolled several
//! times, for the lanes that are still in the loop.
//!
//! These lanes read computed values directly. Stores merge computed values with the old values of lanes that
//! have left. Lane registers that are live after the loop are merged at each write, others once after the
//! last unrolled iteration.

use super::{Lowering, Round, Target, Value};
use crate::exec::batch::flow::Block;
use crate::exec::lir::{Lanes, Live, Node, NodeId, Symbol};
use shadestep_language::num::{Number, Word};

impl Lowering<'_> {
    /// Lowers `times` iterations of `blocks`; `live_after` has the lane registers that are live after the loop.
    /// Three lane registers are read and updated: the mask of lanes in the loop, the number of iterations
    /// left, and the number of executed instructions.
    pub fn iterations(&mut self, blocks: &[Block], times: u32, live_after: &Live) {
        let layout = self.contents.layout;
        let [mask, count, length] = [layout.mask, layout.loop_count, layout.loop_length];
        let going = self.lanes_node(self.lane_register(mask).ne(Symbol::Known(0)));
        let mut executed = Value::from(self.lane_register(length));
        self.round = Some(Round::default());
        self.enabled = Some(going);
        for round in 0..times {
            if round > 0 {
                let more = !self.lane_register(count).bits_eq(Symbol::Known(round));
                self.stay(self.lanes_node(more));
            }
            for block in blocks {
                executed = self.block_of_iteration(block, executed);
            }
        }
        let here = self.lanes_at(self.enabled.unwrap_or(going));
        let before = self.lane_register(count);
        let left = <Symbol<'_> as Word>::select(here, before.wrapping_sub(Symbol::Known(times)), before);
        let again = here & !left.bits_eq(Symbol::Known(0));
        let marked = <Symbol<'_> as Number>::select(again, Number::of(1.0), Number::of(0.0));
        let mut written: Vec<(u16, Value)> =
            vec![(mask, marked.into()), (count, left.into()), (length, executed)];
        for (&register, &fresh) in self.round.iter().flat_map(|round| &round.fresh) {
            if !live_after.contains(&register) {
                let old = self.recorder.symbol(Node::Register(register));
                let merged = <Symbol<'_> as Number>::select(self.lanes_at(going), self.symbol(fresh), old);
                written.push((register, merged.into()));
            }
        }
        let again = self.lanes_node(again);
        self.bits.push((Target::Again, again));
        self.registers.extend(written);
        (self.enabled, self.round) = (None, None);
    }

    /// Lowers a block for the lanes in the loop. Returns the number of executed instructions, including the
    /// block's.
    fn block_of_iteration(&mut self, block: &Block, executed: Value) -> Value {
        self.round.iter_mut().for_each(|round| round.conditions.clear());
        block.steps.iter().for_each(|&step| self.step(step));
        let executed = self.executed(block, self.symbol(executed)).into();
        if let Some(test) = block.test {
            self.stay(self.lanes_node(!self.passing_any(&test)));
        }
        executed
    }

    /// Keeps only `lanes` in the loop.
    fn stay(&mut self, lanes: NodeId) {
        let here = self.enabled.map_or(Lanes::Known(true), |enabled| self.lanes_at(enabled));
        self.enabled = Some(self.lanes_node(here & self.lanes_at(lanes)));
    }

    /// Number of executed instructions, including those of `block`.
    fn executed<'r>(&'r self, block: &Block, before: Symbol<'r>) -> Symbol<'r> {
        let add = |sum: Symbol<'r>, lanes: Lanes<'r>, count: u32| match count {
            0 => sum,
            _ => {
                let added = <Symbol<'_> as Word>::select(lanes, Symbol::Known(count), Symbol::Known(0));
                sum.wrapping_add(added)
            }
        };
        let here = self.enabled.map_or(Lanes::Known(true), |enabled| self.lanes_at(enabled));
        let mut sum = add(before, here, block.common);
        // For each converted IF, the lanes that pass and the lanes that fail.
        let mut sides: Vec<[Lanes<'r>; 2]> = Vec::new();
        let conditions = self.round.iter().flat_map(|round| &round.conditions);
        for (converted, &passed) in block.converted.iter().zip(conditions) {
            let coming = converted.within.map_or(here, |(outer, passed)| sides[outer][usize::from(!passed)]);
            let passed = self.lanes_at(passed);
            let both = [coming & passed, coming & !passed];
            sum = add(sum, both[0], converted.passed);
            sum = add(sum, both[1], converted.failed);
            sides.push(both);
        }
        sum
    }
}
