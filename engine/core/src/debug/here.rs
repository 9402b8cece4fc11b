//! [`Here`]: a view of one invocation's registers at one position of its run, without a copy of them.

#[cfg(doc)]
use super::Cursor;
use super::expression::{Component, Place, Values};
use crate::exec::{AttributesRead, Bindings, ExecState, Registers};
use shadestep_language::ir::{CcRegister, Flags, OutputId, Program, Type};

/// The registers of one lane before its step [`Self::position`], or at its end.
#[derive(Clone, Copy, Debug)]
pub struct Here<'a> {
    program: &'a Program,
    bindings: &'a Bindings,
    inputs: &'a AttributesRead,
    at: &'a ExecState,
    lane: usize,
}

impl<'a> Here<'a> {
    /// The registers of `lane` in the state `at` of a run of `program`.
    pub(crate) const fn new(
        program: &'a Program,
        bindings: &'a Bindings,
        inputs: &'a AttributesRead,
        (at, lane): (&'a ExecState, usize),
    ) -> Self {
        Self { program, bindings, inputs, at, lane }
    }

    fn registers(&self) -> &Registers {
        &self.at.lanes[self.lane]
    }

    /// Index of the instruction of the next step; `None` at the end. In every state that a [`Cursor`] shows,
    /// the recorded lane is among the lanes that execute this instruction.
    pub fn pc(&self) -> Option<usize> {
        match self.at.ended(self.lane) {
            Some(_) => None,
            None => self.at.next().map(|(pc, _)| pc),
        }
    }
}

fn output(registers: &Registers, OutputId(id): OutputId, component: usize) -> Component {
    let index = usize::from(id);
    Component {
        bits: registers.outputs[index][component],
        ty: registers.outputs_types[index][component],
        defined: registers.outputs_defined[index] >> component & 1 != 0,
    }
}

impl Values for Here<'_> {
    fn component(&self, place: Place, component: usize) -> Component {
        let registers = self.registers();
        let is_defined = |bits: u8| bits >> component & 1 != 0;
        match place {
            Place::Temp(id) => {
                let index = usize::from(id.0);
                Component {
                    bits: registers.temporaries[index][component],
                    ty: registers.temporaries_types[index][component],
                    defined: is_defined(registers.temporaries_defined[index]),
                }
            }
            Place::Output(id) => output(registers, id, component),
            Place::Attribute(read) if read.output().is_some() => {
                let written = self.at.written(self.program, read, self.lane);
                let nothing = Component { bits: 0, ty: read.ty(), defined: false };
                written.map_or(nothing, |(registers, id)| output(registers, id, component))
            }
            Place::Attribute(read) => {
                let value = self.inputs.get(read, self.lane);
                Component { bits: value[component], ty: read.ty(), defined: true }
            }
            Place::Param(id) => {
                let index = usize::from(id.0);
                let value = registers.parameters.get(index).or_else(|| self.bindings.parameters.get(index));
                let bits = value.map_or(0, |value| value[component]);
                Component { bits, ty: self.program.parameters[index].ty, defined: true }
            }
            // A condition code has no number; no caller asks for one.
            Place::Flags(_) => Component { bits: 0, ty: Type::U32, defined: true },
        }
    }

    fn flags(&self, register: CcRegister, component: usize) -> Flags {
        self.registers().cc[register.index()][component]
    }

    fn position(&self) -> usize {
        self.at.executed(self.lane)
    }
}
