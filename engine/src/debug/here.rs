//! [`Here`]: what one invocation's registers hold at one moment of its run, without a copy of them.

#[cfg(doc)]
use super::Cursor;
use super::Recording;
use super::expression::{Component, Place, Values};
use crate::exec::{Moment, Registers};
use crate::ir::{Attribute, CcRegister, Components, Flags, Program, Type};

/// The registers of the recorded lane before step [`Self::position`], or at the end.
#[derive(Clone, Copy, Debug)]
pub struct Here<'a> {
    recording: &'a Recording,
    at: &'a Moment,
}

impl<'a> Here<'a> {
    pub(super) const fn new(recording: &'a Recording, at: &'a Moment) -> Self {
        Self { recording, at }
    }

    fn registers(&self) -> &Registers {
        &self.at.lanes[self.recording.lane()]
    }

    /// Index of the instruction of the next step; `None` at the end. It is the recorded lane's turn wherever a [`Cursor`]
    /// shows a moment.
    pub fn pc(&self) -> Option<usize> {
        match self.at.ended(self.recording.lane()) {
            Some(_) => None,
            None => self.at.next().map(|(pc, _)| pc),
        }
    }
}

impl Values for Here<'_> {
    fn component(&self, place: Place, component: usize) -> Component {
        let attribute = |attribute| self.recording.attribute(attribute);
        let parameter = |index| self.recording.parameter(index);
        component_of(self.recording.program(), self.registers(), (place, component), attribute, parameter)
    }

    fn flags(&self, register: CcRegister, component: usize) -> Flags {
        self.registers().cc[register.index()][component]
    }

    fn position(&self) -> usize {
        self.at.executed(self.recording.lane())
    }
}

/// What a component of a register of an invocation is; `attribute` and `parameter` give what it is bound to.
pub(crate) fn component_of(
    program: &Program,
    registers: &Registers,
    (place, component): (Place, usize),
    attribute: impl FnOnce(Attribute) -> Components,
    parameter: impl FnOnce(usize) -> Components,
) -> Component {
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
        Place::Output(id) => {
            let index = usize::from(id.0);
            Component {
                bits: registers.outputs[index][component],
                ty: registers.outputs_types[index][component],
                defined: is_defined(registers.outputs_defined[index]),
            }
        }
        Place::Attribute(read) => {
            Component { bits: attribute(read)[component], ty: read.ty(), defined: true }
        }
        Place::Param(id) => {
            let index = usize::from(id.0);
            let own = registers.parameters.get(index).copied();
            let value = own.unwrap_or_else(|| parameter(index));
            Component { bits: value[component], ty: program.parameters[index].ty, defined: true }
        }
        // The flags have no number; nothing asks for one.
        Place::Flags(_) => Component { bits: 0, ty: Type::U32, defined: true },
    }
}
