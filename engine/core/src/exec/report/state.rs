//! Registers and memory of one invocation between two steps. `step` describes the steps.

use super::{LoopFrame, StackEntry};
use crate::memory::Memory;
use shadestep_language::ir::{Attribute, Components, Flags, Type};

/// All registers of one invocation between two steps, and memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The attributes that the program may read. Only attributes of a tessellation control program's output
    /// patch change.
    pub attributes: Vec<(Attribute, Components)>,
    /// Parameters and constants, as [`shadestep_language::ir::Program::parameters`] lists them.
    pub parameters: Vec<Components>,
    /// Temporaries, as [`shadestep_language::ir::Program::temporaries`] lists them.
    pub temporaries: Vec<Components>,
    /// Outputs, as [`shadestep_language::ir::Program::outputs`] lists them.
    pub outputs: Vec<Components>,
    /// Components of each temporary whose value is defined (bit 0 = x). In NVIDIA's own languages every
    /// component is defined from the start. In the ARB languages a write defines a component
    /// (ARB_fragment_program 3.11.3.3).
    pub temporaries_defined: Vec<u8>,
    /// Components of each output that were written with a defined value (bit 0 = x).
    pub outputs_defined: Vec<u8>,
    /// The type of the last write to each component of each temporary; before the first write, the register's
    /// type.
    pub temporaries_types: Vec<[Type; 4]>,
    /// The type of the last write to each component of each output; before the first write, the register's
    /// type.
    pub outputs_types: Vec<[Type; 4]>,
    /// Condition codes, by [`shadestep_language::ir::CcRegister`].
    pub cc: [[Flags; 4]; 2],
    /// Whether the fragment has been discarded.
    pub killed: bool,
    /// Return addresses and the address registers that PUSHA saved, innermost last. Empty in languages
    /// without subroutines.
    pub call_stack: Vec<StackEntry>,
    /// Active loops, including those of callers, innermost last.
    pub loops: Vec<LoopFrame>,
    /// Number of active IF blocks, including those of callers.
    pub if_depth: u16,
    /// Memory; empty if the program does not access memory.
    pub memory: Memory,
}

impl State {
    /// An attribute; 0 if the program does not read it.
    pub fn attribute(&self, attribute: Attribute) -> Components {
        let read = self.attributes.iter().find(|(read, _)| *read == attribute);
        read.map_or([0; 4], |(_, value)| *value)
    }

    /// Indices of the instructions to return to, innermost last.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = usize> + Clone {
        self.call_stack.iter().filter_map(|entry| match *entry {
            StackEntry::Return(back) => Some(back),
            StackEntry::Address(_) => None,
        })
    }

    /// Number of active calls.
    pub fn call_depth(&self) -> usize {
        self.calls().count()
    }

    /// Number of active calls, loops and IF blocks.
    pub fn nesting(&self) -> usize {
        self.call_depth() + self.loops.len() + usize::from(self.if_depth)
    }
}
