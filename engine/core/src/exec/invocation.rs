//! The flow control of one invocation, for the reference interpreter: program counter, call stack, active IF
//! blocks and loops, and the number of instructions executed (NV_vertex_program2 2.14.2.3, 2.14.3.6,
//! 2.14.3.7, 2.14.3.27; NV_fragment_program2 3.11.4.X, 3.11.X; NV_vertex_program3 2.14.5.34, 2.14.5.43,
//! 2.14.5.44).
//!
//! `reference` evaluates the test and the operands of a flow instruction and passes them in. This module
//! decides where the invocation continues. It computes no results. `batch::flow::lanes` does the same for 64
//! lanes.

use crate::exec::report::{Ended, LoopEffect, LoopFrame, StackEffect, StackEntry};
use shadestep_language::ir::{Components, Control, Instruction, Kind, Program, TempId, singles};
use shadestep_language::isa::FlowLimits;
use shadestep_language::num::{approx, fp32};
use std::cmp::Reverse;

use super::reference::words;
use shadestep_language::semantics::ops::loop_count;

/// The most instructions of the program's text that one invocation executes. The instruction that reaches the
/// limit takes effect, together with the instructions that instrumentation added after it
/// ([`shadestep_language::ir::Origin`]). Then the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InstructionLimit(pub u32);

impl InstructionLimit {
    /// The limit of the program's language.
    pub fn of(program: &Program) -> Self {
        Self(program.flow_limits().executed)
    }
}

/// The counters of an active loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counters {
    /// Iterations left, including the current one. `None` for a loop without a count.
    pub count: Option<u32>,
    pub index: i32,
    /// Added to the index after each iteration.
    pub increment: i32,
}

impl Counters {
    /// The counters of a loop with this count, see [`loop_count`], and LOOP's index and increment. `None` if
    /// the block is skipped.
    pub fn new(count: Option<u32>, [index, increment]: [f32; 2], limits: &FlowLimits) -> Option<Self> {
        // Conversions saturate, and a NaN becomes 0.
        let whole = |value: f32| approx::floor(fp32::flush(value)) as i32;
        let count = count.map(|count| count.min(limits.loop_count));
        let counters = Self { count, index: whole(index), increment: whole(increment) };
        counters.goes_on().then_some(counters)
    }

    /// Whether another iteration follows.
    pub fn goes_on(self) -> bool {
        self.count != Some(0)
    }

    /// ENDLOOP: the counters of the next iteration. Their count is 0 if the loop ends.
    pub fn next(self) -> Self {
        Self {
            count: self.count.map(|count| count.saturating_sub(1)),
            index: self.index.saturating_add(self.increment),
            increment: self.increment,
        }
    }

    /// The value of A0.x (ruling 2 of NV_fragment_program2).
    pub fn address(self) -> f32 {
        self.index.max(0) as f32
    }
}

/// An active loop.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Frame {
    /// Index of the LOOP or REP.
    at: usize,
    /// The loop's address register A0.
    index: Option<TempId>,
    counters: Counters,
    /// Number of active IF blocks when the loop began.
    ifs: u32,
}

impl Frame {
    const fn shown(&self) -> LoopFrame {
        let indexed = self.index.is_some();
        let Counters { count, index, increment } = self.counters;
        LoopFrame {
            at: self.at,
            count,
            index: if indexed { index } else { 0 },
            increment: if indexed { increment } else { 0 },
        }
    }
}

/// An entry of the stack that CAL and PUSHA share.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Entry {
    /// The return address, the rank of the subroutine ([`Subroutines::rank`]), and the numbers of loops and
    /// IF blocks that were active at the call.
    Return { to: usize, rank: u32, loops: usize, ifs: u32 },
    /// An address register.
    Address([f32; 4]),
}

/// The inputs of a flow instruction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steering {
    /// Whether the instruction's test passed; true without a test.
    pub passed: bool,
    /// Operand 0 of LOOP, REP and PUSHA.
    pub operand: Components,
    /// The subroutine that CALI calls: its first instruction and its rank. `None` if CALI calls nothing.
    pub called: Option<(usize, u32)>,
}

/// The position of an invocation among those of its quad or patch. The lanes with the smallest place run
/// next, so lanes that diverge at CAL or RET reconverge at the instruction after the CAL, wherever the
/// subroutine is in the text.
///
/// 1. Deepest calls first: lanes in the caller wait for lanes in the subroutine.
/// 2. Of the subroutines that one CALI has called, the one with the lowest SUBROUTINENUM.
/// 3. Within one subroutine, the lowest instruction: structured flow joins further down the text.
pub(super) type Place = (Reverse<usize>, u32, usize);

/// The effects of an instruction on the flow.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Effects {
    /// Whether the branch was taken, as in [`crate::exec::report::Step::taken`].
    pub taken: Option<bool>,
    pub stack: StackEffect,
    pub loops: LoopEffect,
    /// New values of x of address registers that are loop indices.
    pub indices: Vec<(TempId, f32)>,
    /// The address register that POPA popped.
    pub popped: Option<[f32; 4]>,
}

/// The flow of one invocation.
#[derive(Clone, Debug)]
pub(super) struct Invocation {
    /// Index of the next instruction.
    pub pc: usize,
    /// Number of active IF blocks.
    pub ifs: u32,
    stack: Vec<Entry>,
    loops: Vec<Frame>,
    /// Number of executed instructions of the program's text.
    pub executed: u32,
    /// Why the invocation ended, if it has ended.
    pub ended: Option<Ended>,
}

impl Invocation {
    /// Starts at the entry of `program`.
    pub fn new(program: &Program) -> Self {
        let ended = (program.entry >= program.instructions.len()).then_some(Ended::Normal);
        Self { pc: program.entry, ifs: 0, stack: Vec::new(), loops: Vec::new(), executed: 0, ended }
    }

    /// Number of active calls.
    pub fn calls(&self) -> usize {
        self.stack.iter().filter(|entry| matches!(entry, Entry::Return { .. })).count()
    }

    /// The position of this invocation in the order in which lanes run.
    pub fn place(&self) -> Place {
        let rank = self.stack.iter().rev().find_map(|entry| match entry {
            Entry::Return { rank, .. } => Some(*rank),
            Entry::Address(_) => None,
        });
        (Reverse(self.calls()), rank.unwrap_or(0), self.pc)
    }

    /// Number of active calls, loops and IF blocks.
    pub fn nesting(&self) -> u16 {
        (self.calls() + self.loops.len()) as u16 + self.if_depth()
    }

    /// Number of active IF blocks, for reports.
    pub fn if_depth(&self) -> u16 {
        self.ifs as u16
    }

    /// The stack, for reports.
    pub fn stack_shown(&self) -> impl Iterator<Item = StackEntry> {
        self.stack.iter().map(|entry| match *entry {
            Entry::Return { to, .. } => StackEntry::Return(to),
            Entry::Address(value) => StackEntry::Address(value.map(f32::to_bits)),
        })
    }

    /// Active loops, for reports.
    pub fn loops_shown(&self) -> impl Iterator<Item = LoopFrame> {
        self.loops.iter().map(Frame::shown)
    }

    /// Heap memory in bytes.
    pub fn bytes_behind(&self) -> usize {
        self.stack.len() * size_of::<Entry>() + self.loops.len() * size_of::<Frame>()
    }

    /// Moves on after the instruction at `pc` of `program`, which has been executed.
    pub fn advance(&mut self, program: &Program, steering: Steering, limit: InstructionLimit) -> Effects {
        let at = self.pc;
        self.executed += program.instructions[at].cost();
        self.pc = at + 1;
        let effects = match &program.instructions[at].kind {
            Kind::Flow(control) => self.steer(program, at, control, steering),
            Kind::Kill(_) => Effects { taken: Some(steering.passed), ..Effects::default() },
            Kind::Alu(_)
            | Kind::Convert(..)
            | Kind::Texture(..)
            | Kind::Memory(_)
            | Kind::Emit(_)
            | Kind::Barrier => Effects::default(),
        };
        if self.ended.is_none() && self.pc >= program.instructions.len() {
            self.ended = Some(Ended::Normal);
        }
        let completes = program.instructions.get(self.pc).is_some_and(Instruction::completes);
        if self.ended.is_none() && self.executed >= limit.0 && !completes {
            self.ended = Some(Ended::InstructionLimit);
        }
        effects
    }

    fn steer(&mut self, program: &Program, at: usize, control: &Control, steering: Steering) -> Effects {
        let mut effects = Effects { taken: Some(steering.passed), ..Effects::default() };
        match *control {
            Control::Branch { to, .. } if steering.passed => self.pc = to,
            Control::Call { to, .. } if steering.passed => self.call(program, (to, 0), &mut effects),
            Control::CallIndirect { .. } => match steering.called.filter(|_| steering.passed) {
                Some(called) => self.call(program, called, &mut effects),
                None => effects.taken = Some(false),
            },
            Control::ReturnIfCalled => {
                effects.taken = Some(!self.stack.is_empty());
                if !self.stack.is_empty() {
                    self.give_back(&mut effects);
                }
            }
            Control::Return { .. } if steering.passed => self.give_back(&mut effects),
            Control::Break { to, .. } if steering.passed => {
                self.pc = to;
                self.leave_loops(self.loops.len().saturating_sub(1), &mut effects);
            }
            Control::Continue { to, .. } if steering.passed => {
                self.pc = to;
                // A verified program has a frame here.
                self.ifs = self.loops.last().map_or(self.ifs, |frame| frame.ifs);
            }
            Control::Branch { .. }
            | Control::Call { .. }
            | Control::Return { .. }
            | Control::Break { .. }
            | Control::Continue { .. } => {}
            Control::If { otherwise, .. } => self.begin_if(program, otherwise, steering.passed),
            Control::Else { end } => self.pc = end,
            Control::EndIf => {
                effects.taken = None;
                self.ifs = self.ifs.saturating_sub(1);
            }
            Control::Loop { end, index } => {
                self.begin_loop(program, (at, end), index, steering.operand, &mut effects);
            }
            Control::EndLoop { start } => self.end_loop(start, &mut effects),
            Control::PushAddress => {
                effects.taken = None;
                if self.has_room(program, &mut effects) {
                    let address = singles(steering.operand);
                    self.stack.push(Entry::Address(address));
                    effects.stack = StackEffect::PushAddress(address.map(f32::to_bits));
                }
            }
            Control::PopAddress(_) => {
                effects.taken = None;
                self.pop_address(&mut effects);
            }
        }
        effects
    }

    /// Whether CAL and PUSHA may push. If not, ends the program.
    fn has_room(&mut self, program: &Program, effects: &mut Effects) -> bool {
        let room = self.stack.len() < program.flow_limits().calls;
        if !room {
            self.ended = Some(Ended::CallOverflow);
            effects.stack = StackEffect::Overflow;
        }
        room
    }

    fn call(&mut self, program: &Program, (to, rank): (usize, u32), effects: &mut Effects) {
        if self.has_room(program, effects) {
            let back = self.pc;
            self.stack.push(Entry::Return { to: back, rank, loops: self.loops.len(), ifs: self.ifs });
            self.pc = to;
            effects.stack = StackEffect::Push(back);
        }
    }

    fn give_back(&mut self, effects: &mut Effects) {
        match self.stack.last().copied() {
            Some(Entry::Return { to, loops, ifs, .. }) => {
                self.stack.pop();
                self.pc = to;
                effects.stack = StackEffect::Pop(to);
                self.leave_loops(loops, effects);
                self.ifs = ifs;
            }
            Some(Entry::Address(_)) => self.mismatch(effects),
            None => {
                self.ended = Some(Ended::Normal);
                effects.stack = StackEffect::Underflow;
            }
        }
    }

    fn pop_address(&mut self, effects: &mut Effects) {
        match self.stack.last().copied() {
            Some(Entry::Address(value)) => {
                self.stack.pop();
                effects.popped = Some(value);
                effects.stack = StackEffect::PopAddress(value.map(f32::to_bits));
            }
            Some(Entry::Return { .. }) => self.mismatch(effects),
            None => {
                self.ended = Some(Ended::StackMismatch);
                effects.stack = StackEffect::Underflow;
            }
        }
    }

    const fn mismatch(&mut self, effects: &mut Effects) {
        self.ended = Some(Ended::StackMismatch);
        effects.stack = StackEffect::Mismatch;
    }

    fn begin_if(&mut self, program: &Program, otherwise: usize, passed: bool) {
        if self.ifs as usize >= program.flow_limits().active_ifs {
            self.ended = Some(Ended::BlockOverflow);
            return;
        }
        if !passed {
            self.pc = otherwise;
        }
        // An invocation that fails the test of an IF without an ELSE does not enter the block.
        if passed || program.has_else(otherwise) {
            self.ifs += 1;
        }
    }

    fn begin_loop(
        &mut self,
        program: &Program,
        (at, end): (usize, usize),
        index: Option<TempId>,
        operand: Components,
        effects: &mut Effects,
    ) {
        let limits = program.flow_limits();
        if self.loops.len() >= limits.active_loops {
            self.ended = Some(Ended::BlockOverflow);
            return;
        }
        let instruction: &Instruction = &program.instructions[at];
        let count = instruction.operands.first().map(|_| loop_count(instruction.ty, words(operand[0])));
        let [_, first, increment, _] = singles(operand);
        let counters = Counters::new(count, [first, increment], limits);
        effects.taken = Some(counters.is_some());
        let Some(counters) = counters else {
            self.pc = end;
            return;
        };
        let frame = Frame { at, index, counters, ifs: self.ifs };
        self.loops.push(frame);
        effects.indices.extend(index.map(|temp| (temp, counters.address())));
        effects.loops = LoopEffect::Enter(frame.shown());
    }

    fn end_loop(&mut self, start: usize, effects: &mut Effects) {
        // A verified program has a frame here.
        let Some(frame) = self.loops.last_mut() else { return };
        let before = frame.shown();
        frame.counters = frame.counters.next();
        let (index, counters) = (frame.index, frame.counters);
        effects.indices.extend(index.map(|temp| (temp, counters.address())));
        effects.taken = Some(counters.goes_on());
        if counters.goes_on() {
            self.pc = start;
            effects.loops = LoopEffect::Round { before, after: frame.shown() };
        } else {
            frame.counters =
                Counters { count: before.count, index: before.index, increment: before.increment };
            self.leave_loops(self.loops.len() - 1, effects);
        }
    }

    /// Ends all loops except the outermost `left`, and the IF blocks in them. In a recursion, an outer active
    /// loop can have the same A0. A0 then holds this loop's index again.
    fn leave_loops(&mut self, left: usize, effects: &mut Effects) {
        let ended = self.loops.split_off(left.min(self.loops.len()));
        let Some(outermost) = ended.first() else { return };
        self.ifs = outermost.ifs;
        for temp in ended.iter().filter_map(|frame| frame.index) {
            let outer = self.loops.iter().rev().find(|frame| frame.index == Some(temp));
            effects.indices.extend(outer.map(|frame| (temp, frame.counters.address())));
        }
        effects.loops = LoopEffect::Leave(ended.iter().map(Frame::shown).collect());
    }
}
