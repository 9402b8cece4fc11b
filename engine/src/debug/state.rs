//! Registers at one moment of a recording, and walking between moments.

use super::{Cc, LoopEffect, LoopFrame, Place, Recording, StackEffect, StackEntry};
use crate::ir::Attribute;

/// Every register of one invocation at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Attributes, by [`Attribute::index`]. Those the program does not read are 0.
    pub attributes: [[u32; 4]; Attribute::SLOTS],
    /// Parameters and constants, as [`crate::ir::Program::parameters`] lists them.
    pub parameters: Vec<[u32; 4]>,
    /// Temporaries, as [`crate::ir::Program::temporaries`] lists them.
    pub temporaries: Vec<[u32; 4]>,
    /// Outputs, as [`crate::ir::Program::outputs`] lists them.
    pub outputs: Vec<[u32; 4]>,
    /// Components of each output written so far (bit 0 = x); the others are undefined.
    pub outputs_defined: Vec<u8>,
    /// Condition codes, by [`crate::ir::CcRegister`].
    pub cc: [[Cc; 4]; 2],
    /// Whether the fragment has been discarded.
    pub killed: bool,
    /// Return addresses and what PUSHA put between them, innermost last. Empty in languages without
    /// subroutines.
    pub call_stack: Vec<StackEntry>,
    /// Loops that are going on, callers' included, innermost last.
    pub loops: Vec<LoopFrame>,
    /// IF blocks that are active, callers' included.
    pub if_depth: u8,
}

impl State {
    /// Indices of the instructions to return to, innermost last.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = usize> + Clone {
        self.call_stack.iter().filter_map(|entry| match *entry {
            StackEntry::Return(back) => Some(back),
            StackEntry::Address(_) => None,
        })
    }

    /// How many subroutines deep the invocation is.
    pub fn call_depth(&self) -> usize {
        self.calls().count()
    }
}

/// A position in a recording with the state there. Position n is before step n; position
/// `steps.len()` is the end.
#[derive(Clone, Debug)]
pub struct StateCursor {
    position: usize,
    state: State,
}

impl StateCursor {
    /// Before the first step.
    pub fn new(recording: &Recording) -> Self {
        Self { position: 0, state: recording.initial.clone() }
    }

    /// Steps already taken.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Registers here.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Goes to `position` (clamped to the recording), forwards or backwards.
    pub fn seek(&mut self, recording: &Recording, position: usize) {
        let position = position.min(recording.steps.len());
        while self.position < position {
            self.forward(recording);
        }
        while self.position > position {
            self.back(recording);
        }
    }

    fn forward(&mut self, recording: &Recording) {
        let step = &recording.steps[self.position];
        for change in &step.changes {
            let component = usize::from(change.component);
            match change.place {
                Place::Temp(id) => self.state.temporaries[usize::from(id.0)][component] = change.after,
                Place::Param(id) => self.state.parameters[usize::from(id.0)][component] = change.after,
                Place::Output(id) => {
                    let output = usize::from(id.0);
                    self.state.outputs[output][component] = change.after;
                    self.state.outputs_defined[output] |= 1 << component;
                }
            }
        }
        self.state.cc = step.cc_after;
        let stack = &mut self.state.call_stack;
        match step.stack {
            StackEffect::Push(back) => stack.push(StackEntry::Return(back)),
            StackEffect::PushAddress(bits) => stack.push(StackEntry::Address(bits)),
            StackEffect::Pop(_) | StackEffect::PopAddress(_) => {
                stack.pop();
            }
            StackEffect::None | StackEffect::Overflow | StackEffect::Underflow | StackEffect::Mismatch => {}
        }
        let loops = &mut self.state.loops;
        match &step.loops {
            LoopEffect::None => {}
            LoopEffect::Enter(frame) => loops.push(*frame),
            LoopEffect::Round { after, .. } => {
                loops.pop();
                loops.push(*after);
            }
            LoopEffect::Leave(left) => loops.truncate(loops.len() - left.len().min(loops.len())),
        }
        self.state.if_depth = step.if_depth_after;
        self.state.killed |= step.kills;
        self.position += 1;
    }

    fn back(&mut self, recording: &Recording) {
        self.position -= 1;
        let step = &recording.steps[self.position];
        for change in step.changes.iter().rev() {
            let component = usize::from(change.component);
            match change.place {
                Place::Temp(id) => self.state.temporaries[usize::from(id.0)][component] = change.before,
                Place::Param(id) => self.state.parameters[usize::from(id.0)][component] = change.before,
                Place::Output(id) => {
                    let output = usize::from(id.0);
                    self.state.outputs[output][component] = change.before;
                    if change.was_undefined {
                        self.state.outputs_defined[output] &= !(1 << component);
                    }
                }
            }
        }
        self.state.cc = step.cc_before;
        let stack = &mut self.state.call_stack;
        match step.stack {
            StackEffect::Push(_) | StackEffect::PushAddress(_) => {
                stack.pop();
            }
            StackEffect::Pop(back) => stack.push(StackEntry::Return(back)),
            StackEffect::PopAddress(bits) => stack.push(StackEntry::Address(bits)),
            StackEffect::None | StackEffect::Overflow | StackEffect::Underflow | StackEffect::Mismatch => {}
        }
        let loops = &mut self.state.loops;
        match &step.loops {
            LoopEffect::None => {}
            LoopEffect::Enter(_) => {
                loops.pop();
            }
            LoopEffect::Round { before, .. } => {
                loops.pop();
                loops.push(*before);
            }
            LoopEffect::Leave(left) => loops.extend(left),
        }
        self.state.if_depth = step.if_depth_before;
        // A step kills only what was alive.
        self.state.killed &= !step.kills;
    }
}
