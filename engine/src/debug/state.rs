//! Registers at one moment of a recording, and walking between moments.

use super::{Cc, Place, Recording, StackEffect};
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
    /// Condition code.
    pub cc: [Cc; 4],
    /// Whether the fragment has been discarded.
    pub killed: bool,
    /// Return addresses, innermost last. Empty in languages without subroutines.
    pub call_stack: Vec<usize>,
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
        match step.stack {
            StackEffect::Push(back) => self.state.call_stack.push(back),
            StackEffect::Pop(_) => {
                self.state.call_stack.pop();
            }
            StackEffect::None | StackEffect::Overflow | StackEffect::Underflow => {}
        }
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
        match step.stack {
            StackEffect::Push(_) => {
                self.state.call_stack.pop();
            }
            StackEffect::Pop(back) => self.state.call_stack.push(back),
            StackEffect::None | StackEffect::Overflow | StackEffect::Underflow => {}
        }
        // A step kills only what was alive.
        self.state.killed &= !step.kills;
    }
}
