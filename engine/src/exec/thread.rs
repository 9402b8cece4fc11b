//! Where one invocation stands: program counter, call stack, instructions executed
//! (NV_vertex_program2 2.14.2.3, 2.14.3.6, 2.14.3.7, 2.14.3.27). It moves on; it computes nothing.

use crate::debug::{Ended, StackEffect};
use crate::ir::{Control, Program, limits};

/// How many instructions one invocation executes at most: the last of them takes effect and ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InstructionLimit(pub u32);

impl Default for InstructionLimit {
    fn default() -> Self {
        Self(limits::EXECUTED as u32)
    }
}

/// The flow of one invocation.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    /// Index of the next instruction.
    pub pc: usize,
    /// Return addresses, innermost last.
    pub stack: Vec<usize>,
    /// Instructions executed.
    pub executed: u32,
    /// Why it is over, once it is.
    pub ended: Option<Ended>,
}

impl Thread {
    /// At the entry of `program`.
    pub fn new(program: &Program) -> Self {
        let ended = (program.entry >= program.instructions.len()).then_some(Ended::Normal);
        Self { pc: program.entry, stack: Vec::with_capacity(limits::CALL_DEPTH), executed: 0, ended }
    }

    /// One that does not take part.
    pub fn absent() -> Self {
        Self { pc: 0, stack: Vec::new(), executed: 0, ended: Some(Ended::Normal) }
    }

    /// Goes on from the instruction at `pc`, which has been executed; a control acts if its test
    /// `passed`. `length` is the number of instructions in the program.
    pub fn advance(
        &mut self,
        control: Option<&Control>,
        passed: Option<bool>,
        length: usize,
        limit: InstructionLimit,
    ) -> StackEffect {
        self.executed += 1;
        let next = self.pc + 1;
        self.pc = next;
        let effect = match control.filter(|_| passed == Some(true)) {
            Some(&Control::Branch { to, .. }) => {
                self.pc = to;
                StackEffect::None
            }
            Some(&Control::Call { to, .. }) => self.call(to, next),
            Some(Control::Return { .. }) => self.give_back(),
            Some(Control::Kill(_)) | None => StackEffect::None,
        };
        if self.ended.is_none() && self.pc >= length {
            self.ended = Some(Ended::Normal);
        }
        if self.ended.is_none() && self.executed >= limit.0 {
            self.ended = Some(Ended::InstructionLimit);
        }
        effect
    }

    fn call(&mut self, to: usize, back: usize) -> StackEffect {
        if self.stack.len() >= limits::CALL_DEPTH {
            self.ended = Some(Ended::CallOverflow);
            return StackEffect::Overflow;
        }
        self.stack.push(back);
        self.pc = to;
        StackEffect::Push(back)
    }

    fn give_back(&mut self) -> StackEffect {
        match self.stack.pop() {
            Some(back) => {
                self.pc = back;
                StackEffect::Pop(back)
            }
            None => {
                self.ended = Some(Ended::Normal);
                StackEffect::Underflow
            }
        }
    }
}
