//! Registers at one moment of a recording, and walking between moments.

use super::{Cc, Change, LoopEffect, LoopFrame, Place, Recording, StackEffect, StackEntry};
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
    /// Components of each temporary whose value is defined (bit 0 = x): all of them from the start in NVIDIA's own
    /// languages, those written in the ARB ones (ARB_fragment_program 3.11.3.3).
    pub temporaries_defined: Vec<u8>,
    /// Components of each output that were written, and not with something undefined (bit 0 = x).
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

    /// Gives the component that `change` is about the value `bits`.
    fn put(&mut self, change: &Change, bits: u32, undefined: bool) {
        let component = usize::from(change.component);
        let (register, defined) = match change.place {
            Place::Temp(id) => {
                let id = usize::from(id.0);
                (&mut self.temporaries[id], Some(&mut self.temporaries_defined[id]))
            }
            Place::Output(id) => {
                let id = usize::from(id.0);
                (&mut self.outputs[id], Some(&mut self.outputs_defined[id]))
            }
            Place::Param(id) => (&mut self.parameters[usize::from(id.0)], None),
        };
        register[component] = bits;
        if let Some(defined) = defined {
            *defined = *defined & !(1 << component) | u8::from(!undefined) << component;
        }
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
            self.state.put(change, change.after, change.is_undefined);
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
            self.state.put(change, change.before, change.was_undefined);
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
