//! Programs with branches and subroutines on rows: their basic blocks, and which lane goes where.
//!
//! A program is cut at labels and behind the instructions that steer it, so that every lane always
//! stands at the start of a block. The lowest block at which lanes stand runs next, for all of those, so
//! that lanes which went apart meet again where their ways join. This module decides; what a block
//! computes is no business of its own.

use crate::exec::block::LANES;
use crate::exec::thread::InstructionLimit;
use crate::ir::{CcTest, Control, Program, limits};

/// Number of a block; one past the last stands for the end of the program.
pub type BlockIndex = usize;

/// How lanes leave a block. Structured flow is to become further kinds of exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// On to the next block.
    Next,
    /// BRA.
    Branch {
        /// Where to.
        to: BlockIndex,
        /// The condition, if written.
        test: Option<CcTest>,
    },
    /// CAL; it returns to the next block.
    Call {
        /// Where to.
        to: BlockIndex,
        /// The condition, if written.
        test: Option<CcTest>,
    },
    /// RET.
    Return {
        /// The condition, if written.
        test: Option<CcTest>,
    },
}

impl Exit {
    /// The condition for leaving otherwise than to the next block, if one is written.
    pub const fn test(&self) -> Option<CcTest> {
        match *self {
            Self::Next => None,
            Self::Branch { test, .. } | Self::Call { test, .. } | Self::Return { test } => test,
        }
    }
}

/// Instructions that are entered at the first and left behind the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Index of the first instruction.
    pub start: usize,
    /// Index behind the last one, which is the one that steers if one does.
    pub end: usize,
    /// How lanes leave.
    pub exit: Exit,
}

/// The blocks of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// In the program's order.
    pub blocks: Vec<Block>,
    /// Where execution begins.
    pub entry: BlockIndex,
}

impl Graph {
    /// Cuts `program` into blocks.
    pub fn of(program: &Program) -> Self {
        let length = program.instructions.len();
        let mut starts = vec![false; length + 1];
        starts[0] = true;
        starts[length] = true;
        starts[program.entry.min(length)] = true;
        for (pc, instruction) in program.instructions.iter().enumerate() {
            match instruction.control {
                Some(Control::Branch { to, .. } | Control::Call { to, .. }) => {
                    starts[to.min(length)] = true;
                    starts[pc + 1] = true;
                }
                Some(Control::Return { .. }) => starts[pc + 1] = true,
                _ => {}
            }
        }
        // For each instruction that starts a block, its number; the program's end is the last one.
        let mut number = vec![0; length + 1];
        let mut bounds = Vec::new();
        for pc in (0..=length).filter(|&pc| starts[pc]) {
            number[pc] = bounds.len();
            bounds.push(pc);
        }
        let place = |to: usize| number[to.min(length)];
        let block = |pair: &[usize]| {
            let exit = match program.instructions[pair[1] - 1].control {
                Some(Control::Branch { to, test }) => Exit::Branch { to: place(to), test },
                Some(Control::Call { to, test }) => Exit::Call { to: place(to), test },
                Some(Control::Return { test }) => Exit::Return { test },
                _ => Exit::Next,
            };
            Block { start: pair[0], end: pair[1], exit }
        };
        Self { blocks: bounds.windows(2).map(block).collect(), entry: place(program.entry) }
    }

    /// The blocks that lanes may go to from block `index`.
    pub fn successors(&self, index: BlockIndex) -> Vec<BlockIndex> {
        match self.blocks[index].exit {
            Exit::Next => vec![index + 1],
            // A call comes back to the next block, or is not taken.
            Exit::Branch { to, .. } | Exit::Call { to, .. } => vec![index + 1, to],
            Exit::Return { .. } => {
                let calls =
                    |(at, block): (usize, &Block)| matches!(block.exit, Exit::Call { .. }).then_some(at + 1);
                let mut all: Vec<_> = self.blocks.iter().enumerate().filter_map(calls).collect();
                all.push(index + 1);
                all
            }
        }
    }
}

/// Where every lane of a worker stands, its call stack and how much it has executed.
#[derive(Clone, Debug)]
pub struct Lanes {
    /// For each block, a bit for each lane that stands at its start.
    waiting: Vec<u64>,
    executed: [u32; LANES],
    /// No lane has executed more.
    most: u32,
    depth: [u8; LANES],
    returns: [[u16; LANES]; limits::CALL_DEPTH],
}

impl Default for Lanes {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
            executed: [0; LANES],
            most: 0,
            depth: [0; LANES],
            returns: [[0; LANES]; limits::CALL_DEPTH],
        }
    }
}

impl Lanes {
    /// Puts the lanes of `active` at block `entry` of `blocks`.
    pub fn start(&mut self, blocks: usize, entry: BlockIndex, active: u64) {
        self.waiting.clear();
        self.waiting.resize(blocks + 1, 0);
        self.waiting[entry] = active;
        self.executed = [0; LANES];
        self.most = 0;
        self.depth = [0; LANES];
    }

    /// The lanes at block `index`, which from now on stand nowhere.
    pub fn take(&mut self, index: BlockIndex) -> u64 {
        std::mem::take(&mut self.waiting[index])
    }

    /// Instructions that `lane` has executed.
    pub fn executed(&self, lane: usize) -> u32 {
        self.executed[lane]
    }

    /// Whether any of `lanes` comes to the limit within `length` more instructions.
    pub fn is_near(&mut self, lanes: u64, length: u32, limit: InstructionLimit) -> bool {
        if self.most + length < limit.0 {
            return false;
        }
        // The bound counts what other lanes did, too: look at these.
        let counts = self.executed.iter().enumerate();
        let of_lanes = counts.map(|(lane, &count)| if lanes >> lane & 1 != 0 { count } else { 0 });
        of_lanes.fold(0, u32::max) + length >= limit.0
    }

    /// Notes that `lanes` have executed `length` more.
    pub fn count(&mut self, lanes: u64, length: u32) {
        self.most = self.most.saturating_add(length);
        for (lane, count) in self.executed.iter_mut().enumerate() {
            *count += length * (lanes >> lane & 1) as u32;
        }
    }

    /// Those of `lanes` that have not come to the limit.
    pub fn below(&self, lanes: u64, limit: InstructionLimit) -> u64 {
        let counts = self.executed.iter().enumerate();
        lanes & counts.fold(0, |mask, (lane, &count)| mask | u64::from(count < limit.0) << lane)
    }

    /// Sends `lanes` on from block `index`, by its exit where their bit is in `taken`. Gives the lowest
    /// block that lanes now stand at, or one below it.
    pub fn leave(&mut self, index: BlockIndex, exit: &Exit, lanes: u64, taken: u64) -> BlockIndex {
        let next = index + 1;
        let taken = lanes & taken;
        match *exit {
            Exit::Next => {
                self.waiting[next] |= lanes;
                next
            }
            Exit::Branch { to, .. } => {
                self.waiting[next] |= lanes & !taken;
                self.waiting[to] |= taken;
                if taken == 0 { next } else { next.min(to) }
            }
            Exit::Call { to, .. } => {
                self.waiting[next] |= lanes & !taken;
                let called = self.call(next, taken);
                self.waiting[to] |= called;
                if called == 0 { next } else { next.min(to) }
            }
            Exit::Return { .. } => {
                self.waiting[next] |= lanes & !taken;
                self.give_back(taken).min(next)
            }
        }
    }

    /// Pushes `back` for each of `lanes` whose stack is not full; those are given. The others end
    /// (NV_vertex_program2 2.14.3.7).
    fn call(&mut self, back: BlockIndex, lanes: u64) -> u64 {
        let mut called = 0;
        for lane in bits(lanes) {
            let depth = usize::from(self.depth[lane]);
            if let Some(returns) = self.returns.get_mut(depth) {
                returns[lane] = back as u16;
                self.depth[lane] += 1;
                called |= 1 << lane;
            }
        }
        called
    }

    /// Pops a block for each of `lanes` and puts it there; those with an empty stack end
    /// (2.14.3.27). Gives the lowest block popped.
    fn give_back(&mut self, lanes: u64) -> BlockIndex {
        let mut lowest = BlockIndex::MAX;
        for lane in bits(lanes) {
            let Some(depth) = self.depth[lane].checked_sub(1) else { continue };
            self.depth[lane] = depth;
            let back = usize::from(self.returns[usize::from(depth)][lane]);
            self.waiting[back] |= 1 << lane;
            lowest = lowest.min(back);
        }
        lowest
    }
}

/// The numbers of the bits set in `mask`.
fn bits(mask: u64) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(mask), |mask| Some(mask & mask.wrapping_sub(1)))
        .take_while(|&mask| mask != 0)
        .map(|mask| mask.trailing_zeros() as usize)
}
