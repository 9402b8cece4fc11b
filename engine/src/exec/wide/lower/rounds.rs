//! Lowers a round of a loop that runs as a whole (see `flow::whole`): its blocks one behind the other, for the lanes that
//! have not left.

use super::{Lowering, Target, Value};
use crate::exec::lir::{Lanes, NodeId, Symbol};
use crate::exec::wide::flow::Block;
use crate::num::{Number, Word};

impl Lowering<'_> {
    /// Lowers a round. The mask lane register says who goes round and then who goes round again; the lane registers of the
    /// loop's count and length tell how many rounds may come and how many instructions were executed.
    pub fn round(&mut self, blocks: &[Block]) {
        let layout = self.contents.layout;
        let [mask, count, length] = [layout.mask, layout.loop_count, layout.loop_length];
        let going = self.lanes_node(self.lane_register(mask).ne(Symbol::Known(0)));
        self.round = Some(Vec::new());
        self.enabled = Some(going);
        let mut executed = Value::from(self.lane_register(length));
        for block in blocks {
            let here = self.enabled.unwrap_or(going);
            block.steps.iter().for_each(|&step| self.step(step));
            executed = self.executed(block, here, self.symbol(executed)).into();
            if let Some(test) = block.exit.test() {
                let stay = !self.passing_any(&test);
                self.enabled = Some(self.lanes_node(self.lanes_at(here) & stay));
            }
            self.round = Some(Vec::new());
        }
        let here = self.lanes_at(self.enabled.unwrap_or(going));
        let left = self.lane_register(count);
        let left = <Symbol<'_> as Word>::select(here, left.wrapping_sub(Symbol::Known(1)), left);
        let again = here & !left.bits_eq(Symbol::Known(0));
        let marked = <Symbol<'_> as Number>::select(again, Number::of(1.0), Number::of(0.0));
        let written = [(mask, marked.into()), (count, left.into()), (length, executed)];
        let again = self.lanes_node(again);
        self.bits.push((Target::Again, again));
        self.registers.extend(written);
        (self.enabled, self.round) = (None, None);
    }

    /// Instructions executed, with those of `block` by the lanes `here`.
    fn executed<'r>(&'r self, block: &Block, here: NodeId, before: Symbol<'r>) -> Symbol<'r> {
        let add = |sum: Symbol<'r>, lanes: Lanes<'r>, count: u32| match count {
            0 => sum,
            _ => {
                let added = <Symbol<'_> as Word>::select(lanes, Symbol::Known(count), Symbol::Known(0));
                sum.wrapping_add(added)
            }
        };
        let here = self.lanes_at(here);
        let mut sum = add(before, here, block.common);
        // Of each converted IF, who passed and who did not.
        let mut sides: Vec<[Lanes<'r>; 2]> = Vec::new();
        for (converted, &passed) in block.converted.iter().zip(self.round.iter().flatten()) {
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
