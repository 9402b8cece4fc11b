//! Where every lane of a worker stands: stacks, loops, instructions executed.

use super::{BlockIndex, Counts, Exit};
use crate::exec::block::{LANES, Row};
use crate::exec::thread::{Counters, InstructionLimit};
use crate::ir::limits;

/// The rows that a block's exit reads or writes.
#[derive(Clone, Debug, Default)]
pub struct ExitRows {
    /// Condition code rows that its test looks at.
    pub tested: Vec<u16>,
    /// Count, index and increment of LOOP and REP, the same in every lane; the address register of PUSHA and
    /// POPA.
    pub operand: [u16; 4],
    /// x of the A0 of LOOP and its ENDLOOP.
    pub index: Option<u16>,
}

/// One place on every lane's stack.
#[derive(Clone, Debug)]
struct Level {
    /// The block to return to; [`Level::ADDRESS`] where an address register lies there.
    back: [u16; LANES],
    /// Loops that were going on at the call.
    loops: [u8; LANES],
    /// IF blocks that were active at the call.
    ifs: [u8; LANES],
    /// The address register.
    address: [[f32; LANES]; 4],
}

impl Level {
    const ADDRESS: u16 = u16::MAX;
}

/// One loop that is going on, for every lane.
#[derive(Clone, Debug)]
struct Frame {
    count: [u32; LANES],
    index: [i32; LANES],
    increment: [i32; LANES],
    /// IF blocks that were active when it began.
    ifs: [u8; LANES],
    /// Row of its A0.x; [`Frame::NO_ROW`] for REP.
    row: [u16; LANES],
}

impl Frame {
    const NO_ROW: u16 = u16::MAX;

    const fn counters(&self, lane: usize) -> Counters {
        Counters { count: self.count[lane], index: self.index[lane], increment: self.increment[lane] }
    }
}

/// Where every lane of a worker stands, its stack and loops, and how much it has executed.
#[derive(Clone, Debug)]
pub struct Lanes {
    /// For each block, a bit for each lane that stands at its start.
    waiting: Vec<u64>,
    executed: [u32; LANES],
    /// No lane has executed more.
    most: u32,
    /// Entries on the stack.
    depth: [u8; LANES],
    stack: Box<[Level; limits::CALL_DEPTH]>,
    /// Loops that are going on.
    loops: [u8; LANES],
    frames: Box<[Frame; limits::LOOP_DEPTH]>,
    /// IF blocks that are active, where they are counted.
    ifs: [u8; LANES],
}

impl Default for Lanes {
    fn default() -> Self {
        let level =
            || Level { back: [0; LANES], loops: [0; LANES], ifs: [0; LANES], address: [[0.0; LANES]; 4] };
        let frame = || Frame {
            count: [0; LANES],
            index: [0; LANES],
            increment: [0; LANES],
            ifs: [0; LANES],
            row: [0; LANES],
        };
        Self {
            waiting: Vec::new(),
            executed: [0; LANES],
            most: 0,
            depth: [0; LANES],
            stack: Box::new(std::array::from_fn(|_| level())),
            loops: [0; LANES],
            frames: Box::new(std::array::from_fn(|_| frame())),
            ifs: [0; LANES],
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
        self.loops = [0; LANES];
        self.ifs = [0; LANES];
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

    /// Ends `lanes`, wherever they stand.
    pub fn end(&mut self, lanes: u64) {
        for waiting in &mut self.waiting {
            *waiting &= !lanes;
        }
    }

    /// Sends `lanes` on from block `index` by its exit, whose test passes where their bit is in `passed`.
    /// `file` are all rows. Gives the lowest block that lanes now stand at, or one below it.
    pub fn leave(
        &mut self,
        index: BlockIndex,
        exit: &Exit,
        (lanes, passed): (u64, u64),
        rows: &ExitRows,
        file: &mut [Row],
    ) -> BlockIndex {
        let next = index + 1;
        let taken = lanes & passed;
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
                self.give_back(taken, file).min(next)
            }
            Exit::If { otherwise, counts, .. } => {
                let lanes = self.begin_if(lanes, taken, counts);
                self.waiting[next] |= lanes & taken;
                self.waiting[otherwise] |= lanes & !taken;
                next
            }
            Exit::EndIf => {
                for (lane, ifs) in self.ifs.iter_mut().enumerate() {
                    *ifs = ifs.saturating_sub((lanes >> lane & 1) as u8);
                }
                self.waiting[next] |= lanes;
                next
            }
            Exit::Loop { end } => {
                self.begin_loop(lanes, (next, end), rows, file);
                next
            }
            Exit::EndLoop { start } => {
                let again = self.end_loop(lanes, rows, file);
                self.waiting[start] |= again;
                self.waiting[next] |= lanes & !again;
                if again == 0 { next } else { start.min(next) }
            }
            Exit::Break { to, .. } => {
                self.waiting[next] |= lanes & !taken;
                self.waiting[to] |= taken;
                for lane in bits(taken) {
                    let left = self.loops[lane].saturating_sub(1);
                    self.leave_loops(lane, left, file);
                }
                next
            }
            Exit::PushAddress => {
                self.waiting[next] |= self.push_address(lanes, rows, file);
                next
            }
            Exit::PopAddress => {
                self.waiting[next] |= self.pop_address(lanes, rows, file);
                next
            }
        }
    }

    /// Pushes `back` for each of `lanes` whose stack is not full; those are given. The others end
    /// (NV_vertex_program2 2.14.3.7).
    fn call(&mut self, back: BlockIndex, lanes: u64) -> u64 {
        let mut called = 0;
        for lane in bits(lanes) {
            let depth = usize::from(self.depth[lane]);
            if let Some(level) = self.stack.get_mut(depth) {
                level.back[lane] = back as u16;
                level.loops[lane] = self.loops[lane];
                level.ifs[lane] = self.ifs[lane];
                self.depth[lane] += 1;
                called |= 1 << lane;
            }
        }
        called
    }

    /// Pops a block for each of `lanes` and puts it there; those with an empty stack
    /// (2.14.3.27) or an address on top (NV_vertex_program3 2.14.5.34) end. Gives the lowest block popped.
    fn give_back(&mut self, lanes: u64, file: &mut [Row]) -> BlockIndex {
        let mut lowest = BlockIndex::MAX;
        for lane in bits(lanes) {
            let Some(depth) = self.depth[lane].checked_sub(1) else { continue };
            let level = &self.stack[usize::from(depth)];
            let (back, loops, ifs) = (level.back[lane], level.loops[lane], level.ifs[lane]);
            if back == Level::ADDRESS {
                continue;
            }
            self.depth[lane] = depth;
            self.leave_loops(lane, loops, file);
            self.ifs[lane] = ifs;
            let back = usize::from(back);
            self.waiting[back] |= 1 << lane;
            lowest = lowest.min(back);
        }
        lowest
    }

    /// Counts an IF block for those of `lanes` that it is active for, and gives the lanes that go on.
    fn begin_if(&mut self, lanes: u64, passed: u64, counts: Counts) -> u64 {
        let entering = match counts {
            Counts::Nobody => return lanes,
            Counts::Passed => passed,
            Counts::All => u64::MAX,
        };
        let full = |ifs: u8| usize::from(ifs) >= limits::IF_DEPTH;
        let ended =
            self.ifs.iter().enumerate().fold(0, |mask, (lane, &ifs)| mask | u64::from(full(ifs)) << lane);
        let going = lanes & !ended;
        for (lane, ifs) in self.ifs.iter_mut().enumerate() {
            *ifs += ((going & entering) >> lane & 1) as u8;
        }
        going
    }

    /// Begins a loop for those of `lanes` that may have one more; the others end.
    fn begin_loop(
        &mut self,
        lanes: u64,
        (next, end): (BlockIndex, BlockIndex),
        rows: &ExitRows,
        file: &mut [Row],
    ) {
        let [count, index, increment, _] = rows.operand.map(|row| file[usize::from(row)].0[0]);
        let counters = Counters::new([count, index, increment]);
        let mut going = 0;
        for lane in bits(lanes) {
            let Some(frame) = self.frames.get_mut(usize::from(self.loops[lane])) else { continue };
            going |= 1 << lane;
            let Some(counters) = counters else { continue };
            frame.count[lane] = counters.count;
            frame.index[lane] = counters.index;
            frame.increment[lane] = counters.increment;
            frame.ifs[lane] = self.ifs[lane];
            frame.row[lane] = rows.index.unwrap_or(Frame::NO_ROW);
            self.loops[lane] += 1;
            if let Some(row) = rows.index {
                file[usize::from(row)].0[lane] = counters.address();
            }
        }
        self.waiting[if counters.is_some() { next } else { end }] |= going;
    }

    /// Counts a round for each of `lanes` and gives those that go round again; the others leave the loop.
    fn end_loop(&mut self, lanes: u64, rows: &ExitRows, file: &mut [Row]) -> u64 {
        let mut again = 0;
        match self.common_frame(lanes) {
            Some(frame) => {
                for lane in 0..LANES {
                    let here = lanes >> lane & 1 != 0;
                    let now = frame.counters(lane);
                    let next = if here { now.next() } else { now };
                    frame.count[lane] = next.count;
                    frame.index[lane] = next.index;
                    again |= u64::from(here & (next.count > 0)) << lane;
                }
                if let Some(row) = rows.index {
                    let addresses = &mut file[usize::from(row)].0;
                    for (lane, address) in addresses.iter_mut().enumerate() {
                        let here = lanes >> lane & 1 != 0;
                        *address = if here { frame.counters(lane).address() } else { *address };
                    }
                }
            }
            None => {
                for lane in bits(lanes) {
                    // A verified program has a frame here.
                    let Some(depth) = self.loops[lane].checked_sub(1) else { continue };
                    let frame = &mut self.frames[usize::from(depth)];
                    let next = frame.counters(lane).next();
                    frame.count[lane] = next.count;
                    frame.index[lane] = next.index;
                    again |= u64::from(next.count > 0) << lane;
                    if let Some(row) = rows.index {
                        file[usize::from(row)].0[lane] = next.address();
                    }
                }
            }
        }
        for lane in bits(lanes & !again) {
            let left = self.loops[lane].saturating_sub(1);
            self.leave_loops(lane, left, file);
        }
        again
    }

    /// The innermost loop of all of `lanes`, if they have as many.
    fn common_frame(&mut self, lanes: u64) -> Option<&mut Frame> {
        let first = self.loops[lanes.trailing_zeros() as usize % LANES];
        let differs = |(lane, &loops): (usize, &u8)| (lanes >> lane & 1) as u8 & u8::from(loops != first);
        let differing = self.loops.iter().enumerate().map(differs).fold(0, |any, differs| any | differs);
        self.frames.get_mut(usize::from(first.checked_sub(1)?)).filter(|_| differing == 0)
    }

    /// Ends all loops of `lane` but the outermost `left`, with the IF blocks in them. Where a loop that goes
    /// on has the same A0, which takes a recursion, that is its own index again.
    fn leave_loops(&mut self, lane: usize, left: u8, file: &mut [Row]) {
        let (left, now) = (usize::from(left), usize::from(self.loops[lane]));
        if left >= now {
            return;
        }
        self.loops[lane] = left as u8;
        self.ifs[lane] = self.frames[left].ifs[lane];
        for ended in left..now {
            let row = self.frames[ended].row[lane];
            let outer = self.frames[..left].iter().rev().find(|frame| frame.row[lane] == row);
            if let Some(outer) = outer.filter(|_| row != Frame::NO_ROW) {
                file[usize::from(row)].0[lane] = outer.counters(lane).address();
            }
        }
    }

    /// Pushes an address register for each of `lanes` whose stack is not full; those are given. The others
    /// end (NV_vertex_program3 2.14.5.44).
    fn push_address(&mut self, lanes: u64, rows: &ExitRows, file: &[Row]) -> u64 {
        let mut pushed = 0;
        for lane in bits(lanes) {
            let Some(level) = self.stack.get_mut(usize::from(self.depth[lane])) else { continue };
            level.back[lane] = Level::ADDRESS;
            for (address, row) in level.address.iter_mut().zip(rows.operand) {
                address[lane] = file[usize::from(row)].0[lane];
            }
            self.depth[lane] += 1;
            pushed |= 1 << lane;
        }
        pushed
    }

    /// Pops an address register for each of `lanes` that has one on top; those are given. The others end
    /// (2.14.5.43).
    fn pop_address(&mut self, lanes: u64, rows: &ExitRows, file: &mut [Row]) -> u64 {
        let mut popped = 0;
        for lane in bits(lanes) {
            let Some(depth) = self.depth[lane].checked_sub(1) else { continue };
            let level = &self.stack[usize::from(depth)];
            if level.back[lane] != Level::ADDRESS {
                continue;
            }
            self.depth[lane] = depth;
            for (address, row) in level.address.iter().zip(rows.operand) {
                file[usize::from(row)].0[lane] = address[lane];
            }
            popped |= 1 << lane;
        }
        popped
    }
}

/// The numbers of the bits set in `mask`.
fn bits(mask: u64) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(mask), |mask| Some(mask & mask.wrapping_sub(1)))
        .take_while(|&mask| mask != 0)
        .map(|mask| mask.trailing_zeros() as usize)
}
