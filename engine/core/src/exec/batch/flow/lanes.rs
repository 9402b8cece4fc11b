//! The flow state of each lane of a worker: its block, call stack, loops, and number of executed
//! instructions.
//!
//! Lanes with the same state are handled together, as a mask. So one iteration of a loop costs about as much
//! as one instruction of its body.

use super::masks::{self, Depths, Shared};
use super::{Block, BlockIndex, Callee, Callees, Counting, Exit, Graph, LoopKernel};
use crate::exec::block::{LANES, LaneRegister};
use crate::exec::invocation::{Counters, InstructionLimit};
use crate::exec::lir::exit::{CallIndirect, Counts, EndLoop, Loop};
use crate::simd::ones;
use shadestep_language::isa::FlowLimits;

/// An active call of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Return {
    /// The block to return to.
    to: BlockIndex,
    /// [`Callee::rank`] of the subroutine.
    rank: u32,
}

/// One stack entry of every lane.
#[derive(Clone, Debug)]
struct Level {
    /// The call that each lane returns from.
    back: Shared<Return>,
    /// Lanes whose entry is an address register instead.
    addressed: u64,
    /// Active loops at the call.
    loops: Depths,
    /// Active IF blocks at the call, if they are counted.
    ifs: [u8; LANES],
    /// The saved address register.
    address: [[f32; LANES]; 4],
}

impl Level {
    const fn new() -> Self {
        Self {
            back: Shared::new(),
            addressed: 0,
            loops: Depths::new(),
            ifs: [0; LANES],
            address: [[0.0; LANES]; 4],
        }
    }
}

/// The state of a loop in some lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Round {
    counters: Counters,
    /// Lane register of the A0.x of a LOOP.
    register: Option<u16>,
}

/// One active loop of every lane.
#[derive(Clone, Debug)]
struct Frame {
    rounds: Shared<Round>,
    /// Active IF blocks when the loop began, if they are counted.
    ifs: [u8; LANES],
}

/// The flow state of every lane of a worker.
#[derive(Clone, Debug)]
pub struct Lanes {
    /// For each block, a mask of the lanes at its start.
    waiting: Vec<u64>,
    /// Executed instructions of each lane, without `pending`.
    executed: [u32; LANES],
    /// Lanes that have executed more instructions, and their number. Successive blocks often have the same
    /// lanes.
    pending: (u64, u32),
    /// Upper bound of the executed instructions of all lanes.
    most: u32,
    /// Number of stack entries.
    depth: Depths,
    /// As many levels as the deepest stack so far.
    stack: Vec<Level>,
    /// Number of active loops.
    loops: Depths,
    /// As many frames as the deepest nesting so far.
    frames: Vec<Frame>,
    /// Scratch space of `leave_loop`.
    left: Depths,
    limits: &'static FlowLimits,
    /// Active IF blocks, if they are counted.
    ifs: [u8; LANES],
    counting: Counting,
    /// For each converted IF of the current block, the lanes that pass and the lanes that fail.
    sides: Vec<[u64; 2]>,
}

/// The stack level at `depth`, which is added if it is new.
fn level(stack: &mut Vec<Level>, depth: usize) -> &mut Level {
    if depth == stack.len() {
        stack.push(Level::new());
    }
    &mut stack[depth]
}

impl Default for Lanes {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
            executed: [0; LANES],
            pending: (0, 0),
            most: 0,
            depth: Depths::new(),
            stack: Vec::new(),
            loops: Depths::new(),
            frames: Vec::new(),
            left: Depths::new(),
            limits: &FlowLimits::NV2,
            ifs: [0; LANES],
            counting: Counting::Needless,
            sides: Vec::new(),
        }
    }
}

impl Lanes {
    /// Sets the lanes of `active` to the entry of `graph`.
    pub fn start(&mut self, graph: &Graph, active: u64) {
        self.waiting.clear();
        self.waiting.resize(graph.blocks.len() + 1, 0);
        self.waiting[graph.entry] = active;
        self.executed = [0; LANES];
        self.pending = (0, 0);
        self.most = 0;
        self.depth.clear();
        self.loops.clear();
        self.limits = graph.limits;
        self.ifs = [0; LANES];
        self.counting = graph.counting;
        self.stack.iter_mut().for_each(|level| level.back.remove(u64::MAX));
        self.frames.iter_mut().for_each(|frame| frame.rounds.remove(u64::MAX));
    }

    /// Takes the lanes at block `index`, which then have no block.
    pub fn take(&mut self, index: BlockIndex) -> u64 {
        std::mem::take(&mut self.waiting[index])
    }

    /// Takes the lanes with the smallest [`Place`](crate::exec::invocation::Place) from their block. Returns
    /// the block and the lanes.
    pub fn take_deepest(&mut self) -> Option<(BlockIndex, u64)> {
        // Lanes after the last block have ended.
        let (_, waiting) = self.waiting.split_last_mut()?;
        let all = waiting.iter().fold(0, |all, lanes| all | lanes);
        let depths = (0..=self.depth.deepest()).rev();
        let (depth, mut deepest) =
            depths.map(|depth| (depth, all & self.depth.at(depth))).find(|(_, lanes)| *lanes != 0)?;
        if let Some(level) = depth.checked_sub(1).map(|outer| &self.stack[outer])
            && let Some(first) = level.back.of(deepest).map(|(back, _)| back.rank).min()
        {
            let ranked = level.back.of(deepest).filter(|(back, _)| back.rank == first);
            deepest = ranked.fold(0, |lanes, (_, here)| lanes | here);
        }
        let (index, there) = waiting.iter_mut().enumerate().find(|(_, lanes)| **lanes & deepest != 0)?;
        let lanes = *there & deepest;
        *there &= !lanes;
        Some((index, lanes))
    }

    /// Counted instructions that `lane` has executed.
    pub fn executed(&self, lane: usize) -> u32 {
        let (lanes, length) = self.pending;
        self.executed[lane] + length * (lanes >> lane & 1) as u32
    }

    /// Sets the number of executed instructions of lanes that have ended, after groups of lanes ran one after
    /// the other.
    pub fn have_executed(&mut self, executed: [u32; LANES]) {
        (self.executed, self.pending) = (executed, (0, 0));
    }

    /// Whether any of `lanes` reaches the limit within `length` more counted instructions.
    pub fn is_near(&mut self, lanes: u64, length: u32, limit: InstructionLimit) -> bool {
        if self.most + length < limit.0 {
            return false;
        }
        // The bound also counts instructions of other lanes, so checks each lane.
        self.settle();
        self.most = self.executed.iter().copied().fold(0, u32::max);
        lanes & masks::passing(&self.executed, |count| count + length >= limit.0) != 0
    }

    /// Adds `length` executed instructions to `lanes`.
    pub fn count(&mut self, lanes: u64, length: u32) {
        self.most = self.most.saturating_add(length);
        if self.pending.0 != lanes {
            self.settle();
            self.pending.0 = lanes;
        }
        self.pending.1 += length;
    }

    /// Adds the instructions of `block` to `lanes`. `conditions` has the lanes that pass each converted IF.
    pub fn count_block(&mut self, block: &Block, lanes: u64, conditions: impl Iterator<Item = u64>) {
        self.count(lanes, block.common);
        // For each IF, the lanes that pass and the lanes that fail.
        let mut sides = std::mem::take(&mut self.sides);
        sides.clear();
        for (converted, passed) in block.converted.iter().zip(conditions) {
            let coming = converted.within.map_or(lanes, |(outer, passed)| sides[outer][usize::from(!passed)]);
            let both = [coming & passed, coming & !passed];
            for (lanes, length) in both.into_iter().zip([converted.passed, converted.failed]) {
                if lanes != 0 && length > 0 {
                    self.count(lanes, length);
                }
            }
            sides.push(both);
        }
        self.sides = sides;
    }

    /// Adds pending counts to the lanes.
    fn settle(&mut self) {
        let (lanes, length) = std::mem::take(&mut self.pending);
        masks::change(&mut self.executed, lanes, |count, here| count + if here { length } else { 0 });
    }

    /// The lanes in `lanes` that have not reached the limit.
    pub fn below(&mut self, lanes: u64, limit: InstructionLimit) -> u64 {
        self.settle();
        lanes & masks::passing(&self.executed, |count| count < limit.0)
    }

    /// Ends `lanes`, whatever their block.
    pub fn end(&mut self, lanes: u64) {
        for waiting in &mut self.waiting {
            *waiting &= !lanes;
        }
    }

    /// Moves `lanes` on from block `index` by its exit, whose test passes in the lanes of `passed`. `file`
    /// has all lane registers, `callees` the targets of CALI. Returns the lowest block that now has lanes, or
    /// a lower one.
    pub fn leave(
        &mut self,
        index: BlockIndex,
        exit: &Exit,
        (lanes, passed): (u64, u64),
        callees: &Callees,
        file: &mut [LaneRegister],
    ) -> BlockIndex {
        let next = index + 1;
        let taken = lanes & passed;
        match exit {
            Exit::Next => {
                self.waiting[next] |= lanes;
                next
            }
            &Exit::Branch(to) => {
                self.waiting[next] |= lanes & !taken;
                self.waiting[to] |= taken;
                if taken == 0 { next } else { next.min(to) }
            }
            &Exit::Call(to) => {
                self.waiting[next] |= lanes & !taken;
                let called = self.call(Return { to: next, rank: 0 }, taken);
                self.waiting[to] |= called;
                if called == 0 { next } else { next.min(to) }
            }
            Exit::CallIndirect(call) => {
                self.waiting[next] |= lanes & !taken;
                self.call_indirect(next, taken, (call, callees), file)
            }
            Exit::ReturnIfCalled => {
                let called = lanes & self.depth.beyond(Some(0));
                self.waiting[next] |= lanes & !called;
                self.give_back(called, file).min(next)
            }
            Exit::Return => {
                self.waiting[next] |= lanes & !taken;
                self.give_back(taken, file).min(next)
            }
            Exit::If(condition) => {
                let lanes = self.begin_if(lanes, taken, &condition.counts);
                self.waiting[next] |= lanes & taken;
                self.waiting[condition.otherwise] |= lanes & !taken;
                next
            }
            Exit::EndIf => {
                masks::change(&mut self.ifs, lanes, |ifs, here| ifs.saturating_sub(u8::from(here)));
                self.waiting[next] |= lanes;
                next
            }
            Exit::Loop(begin) => {
                self.begin_loop(lanes, next, begin, file);
                next
            }
            Exit::EndLoop(end) => {
                let again = self.end_loop(lanes, end, file);
                self.waiting[end.start] |= again;
                self.waiting[next] |= lanes & !again;
                if again == 0 { next } else { end.start.min(next) }
            }
            &Exit::Break(to) => {
                self.waiting[next] |= lanes & !taken;
                self.waiting[to] |= taken;
                self.leave_loop(taken, file);
                next
            }
            &Exit::Continue(to) => {
                self.waiting[next] |= lanes & !taken;
                self.waiting[to] |= taken;
                if self.counting == Counting::Needed {
                    self.leave_blocks(taken);
                }
                next
            }
            Exit::PushAddress(address) => {
                self.waiting[next] |= self.push_address(lanes, address, file);
                next
            }
            Exit::PopAddress(address) => {
                self.waiting[next] |= self.pop_address(lanes, address, file);
                next
            }
        }
    }

    /// Pushes `back` for each of `lanes` whose stack is not full, and returns these lanes. The others end
    /// (NV_vertex_program2 2.14.3.7).
    fn call(&mut self, back: Return, lanes: u64) -> u64 {
        let called = lanes & !self.depth.beyond(self.limits.calls.checked_sub(1));
        for depth in 0..=self.depth.deepest() {
            let here = called & self.depth.at(depth);
            if here == 0 {
                continue;
            }
            let level = level(&mut self.stack, depth);
            level.back.set(here, back);
            level.addressed &= !here;
            level.loops.set(here, &self.loops);
            if self.counting == Counting::Needed {
                ones(here).for_each(|lane| level.ifs[lane] = self.ifs[lane]);
            }
        }
        self.depth.descend(called);
        called
    }

    /// Calls the subroutine that each lane selects. A lane whose index is outside the array continues at
    /// `back`. Returns the lowest block that now has lanes.
    fn call_indirect(
        &mut self,
        back: BlockIndex,
        lanes: u64,
        (call, callees): (&CallIndirect, &Callees),
        file: &[LaneRegister],
    ) -> BlockIndex {
        let elements = callees.0.get(call.variable).map_or(&[][..], |elements| elements);
        let index = call.index.map(|register| &file[usize::from(register)]);
        let chosen = |lane: usize| {
            let index = index.map_or(0, |register| register.0[lane].to_bits());
            i64::from(index.cast_signed()) + i64::from(call.offset)
        };
        let (mut lowest, mut left) = (back, lanes);
        while let Some(first) = ones(left).next() {
            let element = chosen(first);
            let same = |lane: &usize| index.is_none() || chosen(*lane) == element;
            let here = ones(left).filter(same).fold(0, |here, lane| here | 1 << lane);
            left &= !here;
            match usize::try_from(element).ok().and_then(|element| elements.get(element)) {
                Some(&Callee { block, rank }) => {
                    let called = self.call(Return { to: back, rank }, here);
                    self.waiting[block] |= called;
                    lowest = lowest.min(block);
                }
                None => self.waiting[back] |= here,
            }
        }
        lowest
    }

    /// Pops the return block of each of `lanes` and moves the lane there. Lanes with an empty stack
    /// (2.14.3.27) or an address on top (NV_vertex_program3 2.14.5.34) end. Returns the lowest block popped.
    fn give_back(&mut self, lanes: u64, file: &mut [LaneRegister]) -> BlockIndex {
        let mut lowest = BlockIndex::MAX;
        let mut left = lanes;
        for depth in 0..self.depth.deepest() {
            let here = left & self.depth.at(depth + 1) & !self.stack[depth].addressed;
            if here == 0 {
                continue;
            }
            left &= !here;
            self.depth.ascend(here);
            let loops = std::mem::take(&mut self.stack[depth].loops);
            self.leave_loops(here, &loops, file);
            let level = &mut self.stack[depth];
            level.loops = loops;
            if self.counting == Counting::Needed {
                ones(here).for_each(|lane| self.ifs[lane] = level.ifs[lane]);
            }
            for (back, together) in level.back.of(here) {
                self.waiting[back.to] |= together;
                lowest = lowest.min(back.to);
            }
        }
        lowest
    }

    /// Counts an IF block in the lanes for which it is active. Returns the lanes that continue.
    fn begin_if(&mut self, lanes: u64, passed: u64, counts: &Counts) -> u64 {
        let entering = match counts {
            Counts::NoLanes => return lanes,
            Counts::Passed => passed,
            Counts::All => u64::MAX,
        };
        let going = lanes & masks::passing(&self.ifs, |ifs| usize::from(ifs) < self.limits.active_ifs);
        masks::change(&mut self.ifs, going & entering, |ifs, here| ifs + u8::from(here));
        going
    }

    /// Prepares a loop kernel for `lanes`. Writes the maximum number of iterations of each lane to `counts`,
    /// which holds the loop's count if `is_counted`. Returns the lanes with at least one iteration. Returns
    /// `None` if a lane may reach `limit` in these iterations or already has the maximum number of active
    /// loops.
    pub fn begin_kernel(
        &mut self,
        lanes: u64,
        (kernel, limit): (&LoopKernel, InstructionLimit),
        counts: &mut [f32; LANES],
        is_counted: bool,
    ) -> Option<u64> {
        if lanes & self.loops.beyond(self.limits.active_loops.checked_sub(1)) != 0 {
            return None;
        }
        // `most` also counts instructions of other lanes.
        self.settle();
        self.most = self.executed.iter().copied().fold(0, u32::max);
        let most = limit.0.saturating_sub(1).saturating_sub(self.most) / kernel.counted.max(1);
        // Loops without a count end after a multiple of the unrolled iterations.
        let endless = most - most % kernel.times;
        for count in counts.iter_mut() {
            let wanted = if is_counted { count.to_bits().min(self.limits.loop_count) } else { endless };
            *count = f32::from_bits(wanted);
        }
        let too_many = lanes & masks::passing(counts, |count: f32| count.to_bits() > most);
        (too_many == 0 && endless > 0)
            .then(|| lanes & masks::passing(counts, |count: f32| count.to_bits() != 0))
    }

    /// Finishes a loop kernel that [`Self::begin_kernel`] prepared for the loop after block `index`.
    /// `executed` has the number of instructions that each lane executed in the loop. `lanes` continue after
    /// the loop, except `remaining`, which continue a loop without a count block by block.
    pub fn end_kernel(
        &mut self,
        (index, begin): (BlockIndex, &Loop),
        (lanes, remaining): (u64, u64),
        executed: &[f32; LANES],
        file: &mut [LaneRegister],
    ) -> BlockIndex {
        for lane in ones(lanes) {
            self.executed[lane] += executed[lane].to_bits();
            self.most = self.most.max(self.executed[lane]);
        }
        self.waiting[begin.end] |= lanes & !remaining;
        if remaining == 0 {
            return begin.end;
        }
        self.begin_loop(remaining, index + 1, begin, file);
        index + 1
    }

    /// Begins a loop in each of `lanes` that has fewer active loops than the maximum. The others end.
    fn begin_loop(&mut self, lanes: u64, next: BlockIndex, begin: &Loop, file: &mut [LaneRegister]) {
        let going = lanes & !self.loops.beyond(self.limits.active_loops.checked_sub(1));
        let steps = begin.index.as_ref().map_or([0.0; 2], |index| {
            [index.first, index.increment].map(|register| file[usize::from(register)].0[0])
        });
        let (mut left, mut entering) = (going, 0);
        while left != 0 {
            let count = begin.count.map(|register| {
                let counts = &file[usize::from(register)].0;
                (counts, counts[left.trailing_zeros() as usize].to_bits())
            });
            // The count is usually equal in all lanes.
            let together = count.map_or(left, |(counts, count)| {
                left & masks::passing(counts, |other: f32| other.to_bits() == count)
            });
            let count = count.map(|(_, count)| count);
            match Counters::new(count, steps, self.limits) {
                Some(counters) => {
                    self.begin_rounds(together, counters, begin, file);
                    entering |= together;
                }
                None => self.waiting[begin.end] |= together,
            }
            left &= !together;
        }
        self.loops.descend(entering);
        self.waiting[next] |= entering;
    }

    /// Adds a loop with these counters to each of `lanes`.
    fn begin_rounds(&mut self, lanes: u64, counters: Counters, begin: &Loop, file: &mut [LaneRegister]) {
        let index = begin.index.as_ref().map(|index| index.register);
        for depth in 0..=self.loops.deepest() {
            let here = lanes & self.loops.at(depth);
            if here == 0 {
                continue;
            }
            if depth == self.frames.len() {
                self.frames.push(Frame { rounds: Shared::new(), ifs: [0; LANES] });
            }
            let frame = &mut self.frames[depth];
            frame.rounds.set(here, Round { counters, register: index });
            if let Some(register) = index {
                masks::set(&mut file[usize::from(register)].0, here, counters.address());
            }
            if self.counting == Counting::Needed {
                ones(here).for_each(|lane| frame.ifs[lane] = self.ifs[lane]);
            }
        }
    }

    /// Ends an iteration in each of `lanes` and returns the lanes that continue. The others leave the loop.
    fn end_loop(&mut self, lanes: u64, end: &EndLoop, file: &mut [LaneRegister]) -> u64 {
        let mut again = 0;
        for (depth, frame) in self.frames.iter_mut().enumerate() {
            let here = lanes & self.loops.at(depth + 1);
            if here == 0 {
                continue;
            }
            frame.rounds.change(here, |round| Round { counters: round.counters.next(), ..round });
            for (round, together) in frame.rounds.of(here) {
                if round.counters.goes_on() {
                    again |= together;
                }
                if let Some(register) = end.index {
                    masks::set(&mut file[usize::from(register)].0, together, round.counters.address());
                }
            }
        }
        self.leave_loop(lanes & !again, file);
        again
    }

    /// Ends the IF blocks of `lanes` within their innermost loops.
    fn leave_blocks(&mut self, lanes: u64) {
        for (depth, frame) in self.frames.iter().enumerate() {
            let here = lanes & self.loops.at(depth + 1);
            ones(here).for_each(|lane| self.ifs[lane] = frame.ifs[lane]);
        }
    }

    /// Ends the innermost loop of `lanes`.
    fn leave_loop(&mut self, lanes: u64, file: &mut [LaneRegister]) {
        if lanes != 0 {
            let mut left = std::mem::take(&mut self.left);
            left.clone_from(&self.loops);
            left.ascend(lanes);
            self.leave_loops(lanes, &left, file);
            self.left = left;
        }
    }

    /// Ends all loops of `lanes` except the outermost `left`, and the IF blocks in them. In a recursion, an
    /// outer active loop can have the same A0. A0 then holds this loop's index again.
    fn leave_loops(&mut self, lanes: u64, left: &Depths, file: &mut [LaneRegister]) {
        for depth in 0..self.loops.deepest() {
            let ended = lanes & self.loops.beyond(Some(depth)) & !left.beyond(Some(depth));
            if self.counting == Counting::Needed {
                let outermost = ended & left.at(depth);
                ones(outermost).for_each(|lane| self.ifs[lane] = self.frames[depth].ifs[lane]);
            }
            if ended == 0 {
                continue;
            }
            let (outer, inner) = self.frames.split_at_mut(depth);
            for (round, together) in inner[0].rounds.of(ended & left.beyond(Some(0))) {
                let Some(register) = round.register else { continue };
                for lane in ones(together) {
                    let going = |(depth, frame): (usize, &Frame)| {
                        frame.rounds.of(left.beyond(Some(depth)) & 1 << lane).next()
                    };
                    let mut rounds = outer.iter().enumerate().rev().filter_map(going);
                    if let Some((outer, _)) = rounds.find(|(outer, _)| outer.register == Some(register)) {
                        file[usize::from(register)].0[lane] = outer.counters.address();
                    }
                }
            }
            inner[0].rounds.remove(ended);
        }
        self.loops.limit(lanes, left);
    }

    /// Pushes an address register for each of `lanes` whose stack is not full, and returns these lanes. The
    /// others end (NV_vertex_program3 2.14.5.44).
    fn push_address(&mut self, lanes: u64, registers: &[u16; 4], file: &[LaneRegister]) -> u64 {
        let pushed = lanes & !self.depth.beyond(self.limits.calls.checked_sub(1));
        for depth in 0..=self.depth.deepest() {
            let here = pushed & self.depth.at(depth);
            if here == 0 {
                continue;
            }
            let level = level(&mut self.stack, depth);
            level.addressed |= here;
            for (address, register) in level.address.iter_mut().zip(registers) {
                ones(here).for_each(|lane| address[lane] = file[usize::from(*register)].0[lane]);
            }
        }
        self.depth.descend(pushed);
        pushed
    }

    /// Pops an address register for each of `lanes` that has one on top, and returns these lanes. The others
    /// end (2.14.5.43).
    fn pop_address(&mut self, lanes: u64, registers: &[u16; 4], file: &mut [LaneRegister]) -> u64 {
        let mut popped = 0;
        for (depth, level) in self.stack.iter().enumerate() {
            let here = lanes & self.depth.at(depth + 1) & level.addressed;
            for (address, register) in level.address.iter().zip(registers) {
                ones(here).for_each(|lane| file[usize::from(*register)].0[lane] = address[lane]);
            }
            popped |= here;
        }
        self.depth.ascend(popped);
        popped
    }
}
