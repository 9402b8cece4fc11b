//! Compiles segments to functions for one of the back ends ([`BackEnd`]): runs the passes of the low-level
//! IR, then writes machine code or a list for the interpreter. Within a function values stay in processor
//! registers.

use std::io;
use std::sync::Arc;

use super::effect::Effect;
use super::segment::{Segment, Then};
use crate::exec::interpreter;
use crate::exec::lir::{DemandedBits, Denorms, Node, Target, eliminate_flushes, legalize, schedule};
use crate::exec::machine::{Constant, Function, MaskRegister};
use crate::exec::x86::{self, Encoding, Machine, Reach};
use crate::processor::Cpu;

#[cfg(test)]
mod tests;

/// A back end, which executes functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackEnd {
    /// [`interpreter`]
    Interpreter,
    /// [`x86`]
    Compiler(Encoding),
}

impl BackEnd {
    /// The back ends of this processor, the fastest last.
    pub fn all() -> Vec<Self> {
        Cpu::ALL.into_iter().filter_map(Self::of).collect()
    }

    /// The back end for `cpu`, if it can be used.
    pub fn of(cpu: Cpu) -> Option<Self> {
        let back_end = match cpu {
            Cpu::Portable => Self::Interpreter,
            Cpu::Avx2 => Self::Compiler(Encoding::Vex256),
            Cpu::Avx512 => Self::Compiler(Encoding::Evex512),
        };
        (cpu <= Cpu::in_use()).then_some(back_end)
    }

    /// The fastest back end of this processor.
    pub fn best() -> Self {
        Self::all().pop().unwrap_or(Self::Interpreter)
    }

    /// Name, for reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Interpreter => "interpreter",
            Self::Compiler(Encoding::Vex256) => "compiled for AVX2",
            Self::Compiler(Encoding::Evex512) => "compiled for AVX-512",
        }
    }

    /// Copies of each constant that functions need.
    const fn constant_copies(self) -> usize {
        match self {
            Self::Interpreter => interpreter::CONSTANT_COPIES,
            Self::Compiler(encoding) => encoding.constant_copies(),
        }
    }

    /// The position of the mask that [`Target::Bits`] writes to `register`.
    pub const fn bits(self, register: u16) -> MaskRegister {
        match self {
            Self::Interpreter => interpreter::Code::bits(register),
            Self::Compiler(encoding) => MaskRegister { register, lanes: encoding.lanes() as u8 },
        }
    }
}

/// One step of a list.
#[derive(Clone, Debug)]
pub enum Action {
    /// Component arithmetic.
    Function(Function),
    /// Discards the lanes in a mask.
    Kill(MaskRegister),
    /// An effect.
    Effect(Effect),
}

/// An [`Action`], or a function whose machine code is not mapped yet.
#[derive(Debug)]
enum Piece {
    Action(Action),
    /// Offset of the function in the machine code.
    Machine(usize),
}

/// Compiled lists of actions.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The back end that executes the functions.
    pub back_end: BackEnd,
    /// The lists, in order.
    pub lists: Vec<Vec<Action>>,
    /// Total number of lane registers.
    pub registers: u16,
    /// Constants that functions take as arguments.
    pub constants: Vec<Constant>,
}

/// Compiles segments to functions.
#[derive(Debug)]
pub struct Compiler {
    back_end: BackEnd,
    seen: DemandedBits,
    code: x86::Code,
    constants: Vec<Constant>,
    lists: Vec<Vec<Piece>>,
    /// First lane register for temporary values of functions.
    first_own: u16,
    own_registers: u16,
    /// Number of lane registers of inputs and outputs that functions access.
    inputs: u16,
    outputs: u16,
}

impl Compiler {
    /// Creates a compiler for functions whose temporary lane registers start at `first_own`.
    pub fn new(back_end: BackEnd, first_own: u16, seen: DemandedBits) -> Self {
        Self {
            back_end,
            seen,
            code: x86::Code::default(),
            constants: Vec::new(),
            lists: Vec::new(),
            first_own,
            own_registers: 0,
            inputs: 0,
            outputs: 0,
        }
    }

    /// Adds a list that executes `segments`. Discards write their mask to lane register `bits`.
    pub fn list(&mut self, segments: Vec<Segment>, bits: u16) {
        let mut pieces = Vec::new();
        for segment in segments {
            if !segment.stores.is_empty() {
                pieces.push(self.function(&segment));
            }
            match segment.then {
                Then::Nothing => {}
                Then::Kill => pieces.push(Piece::Action(Action::Kill(self.back_end.bits(bits)))),
                Then::Effect(effect) => pieces.push(Piece::Action(Action::Effect(effect))),
            }
        }
        self.lists.push(pieces);
    }

    fn function(&mut self, Segment { nodes, stores, .. }: &Segment) -> Piece {
        for node in nodes {
            if let Node::Input(register) = node {
                self.inputs = self.inputs.max(register + 1);
            }
        }
        for (target, _) in stores {
            if let Target::Output(register) = target {
                self.outputs = self.outputs.max(register + 1);
            }
        }
        let first_own = self.first_own;
        let (piece, own) = match self.back_end {
            BackEnd::Compiler(encoding) => {
                let denorms = Denorms::of(nodes);
                let (nodes, stores) = eliminate_flushes(nodes, stores, denorms, &self.seen);
                let (nodes, stores) = legalize(encoding.features(), &nodes, &stores);
                let steps = schedule(&nodes, &stores);
                let (code, constants) = (&mut self.code, &mut self.constants);
                let emitted = x86::emit(code, (encoding, denorms), constants, &nodes, &steps, first_own);
                (Piece::Machine(emitted.entry), emitted.spill_registers)
            }
            BackEnd::Interpreter => {
                let steps = schedule(nodes, stores);
                let (code, next) = interpreter::Code::new(nodes, &steps, &mut self.constants, first_own);
                let function = Function::Interpreted(Arc::new(code));
                (Piece::Action(Action::Function(function)), next - first_own)
            }
        };
        self.own_registers = self.own_registers.max(own);
        piece
    }

    /// Maps the machine code and returns the lists.
    ///
    /// # Errors
    /// The system does not permit executable memory.
    pub fn finish(self) -> io::Result<Compiled> {
        let registers = self.first_own + self.own_registers;
        let copies = self.back_end.constant_copies();
        let constants = self.constants.into_iter().flat_map(|constant| std::iter::repeat_n(constant, copies));
        let constants: Vec<Constant> = constants.collect();
        let machine = match self.back_end {
            BackEnd::Interpreter => None,
            BackEnd::Compiler(encoding) => {
                let reach = Reach {
                    registers: usize::from(registers),
                    constants: constants.len(),
                    inputs: usize::from(self.inputs),
                    outputs: usize::from(self.outputs),
                };
                // SAFETY: entries are functions that `emit` wrote in an encoding that this processor has.
                // They access only lane registers of the layout and their own lane registers.
                #[expect(unsafe_code, reason = "promises what the machine code does")]
                Some(unsafe { Machine::new(self.code.bytes(), reach, encoding.constants_bias()) }?)
            }
        };
        let action = |piece| match (piece, &machine) {
            (Piece::Action(action), _) => Some(action),
            (Piece::Machine(entry), machine) => {
                Some(Action::Function(Function::Compiled(machine.as_ref()?.function(entry))))
            }
        };
        let lists = self.lists.into_iter().map(|list| list.into_iter().filter_map(action).collect());
        Ok(Compiled { back_end: self.back_end, lists: lists.collect(), registers, constants })
    }
}
