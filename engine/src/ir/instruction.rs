//! Instructions: what each kind of them has.

use super::{
    Access, BufferRef, CcRegister, CcTest, Control, Conversion, Emit, Indirect, Memory, Operand, OutputId,
    ParamId, Saturation, Semantics, TempId, TextureAccess, Type,
};
use crate::isa::Opcode;
use crate::source::Span;

/// Component write mask, bit 0 = x.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WriteMask(pub u8);

impl WriteMask {
    /// All four components.
    pub const ALL: Self = Self(0xF);

    /// Whether `component` (0 = x) is enabled.
    pub const fn has(self, component: usize) -> bool {
        self.0 >> component & 1 != 0
    }
}

/// Where a result goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A temporary.
    Temp(TempId),
    /// An output.
    Output(OutputId),
    /// A parameter, in vertex state programs.
    Param(ParamId),
    /// An output or a temporary chosen at run time, `result.texcoord[A0.x+n]`.
    Indirect(Indirect),
    /// `RC`, `CC` (F32) or `HC` (F16): nothing is stored, only the condition code can change.
    ConditionOnly(Type),
}

/// A destination with its masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Destination {
    /// Where.
    pub target: Target,
    /// Which components.
    pub mask: WriteMask,
    /// Run-time mask, if written.
    pub test: Option<CcTest>,
    /// Place of register, mask and test in the text.
    pub span: Span,
}

impl Destination {
    /// The whole of `target`, under no test, at no place of the text.
    pub fn whole(target: Target) -> Self {
        Self { target, mask: WriteMask::ALL, test: None, span: Span::default() }
    }
}

/// What becomes of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// Where it goes.
    pub dest: Destination,
    /// `_SAT`, `_SSAT`.
    pub saturate: Saturation,
    /// `C`, `C0`, `C1`.
    pub update_cc: Option<CcRegister>,
}

impl From<Destination> for Write {
    /// As it is.
    fn from(dest: Destination) -> Self {
        Self { dest, saturate: Saturation::None, update_cc: None }
    }
}

/// When KIL discards its fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kill {
    /// If the test passes for any component.
    Test(CcTest),
    /// If any component of operand 0 is below zero.
    Negative,
}

/// What kind of instruction it is, with what only those have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Computes its result from its operands.
    Alu(Write),
    /// Converts its operand from one format to another: CVT.
    Convert(Write, Conversion),
    /// Looks its result up.
    Texture(Write, TextureAccess),
    /// KIL.
    Kill(Kill),
    /// Flow control: changes which instruction comes next, or the stack of address registers.
    Flow(Control),
    /// LOAD, STORE, ATOM.
    Memory(Memory),
    /// EMIT, EMITS, ENDPRIM.
    Emit(Emit),
    /// MEMBAR: what memory was accessed before is done before what follows.
    Barrier,
}

impl From<Control> for Kind {
    fn from(control: Control) -> Self {
        Self::Flow(control)
    }
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What it does.
    pub op: Opcode,
    /// What it does where the languages differ.
    pub semantics: Semantics,
    /// Type that operands are converted to and the computation is carried out in.
    pub ty: Type,
    /// Operands in order.
    pub operands: Vec<Operand>,
    /// What only its kind has.
    pub kind: Kind,
    /// Place in the text: mnemonic to the last operand, without the semicolon.
    pub span: Span,
    /// Place of the mnemonic with its suffixes.
    pub mnemonic_span: Span,
}

impl Instruction {
    /// What becomes of its result, if it computes or looks up one.
    pub const fn write(&self) -> Option<&Write> {
        match &self.kind {
            Kind::Alu(write) | Kind::Convert(write, _) | Kind::Texture(write, _) => Some(write),
            Kind::Memory(Memory { access: Access::Load(write) | Access::Atomic(write, _), .. }) => {
                Some(write)
            }
            Kind::Kill(_) | Kind::Flow(_) | Kind::Memory(_) | Kind::Emit(_) | Kind::Barrier => None,
        }
    }

    /// The same, to change it.
    pub const fn write_mut(&mut self) -> Option<&mut Write> {
        match &mut self.kind {
            Kind::Alu(write) | Kind::Convert(write, _) | Kind::Texture(write, _) => Some(write),
            Kind::Memory(Memory { access: Access::Load(write) | Access::Atomic(write, _), .. }) => {
                Some(write)
            }
            Kind::Kill(_) | Kind::Flow(_) | Kind::Memory(_) | Kind::Emit(_) | Kind::Barrier => None,
        }
    }

    /// Where its result goes, or (POPA) what it takes off the stack.
    pub const fn dest(&self) -> Option<&Destination> {
        match &self.kind {
            Kind::Flow(Control::PopAddress(dest)) => Some(dest),
            _ => match self.write() {
                Some(write) => Some(&write.dest),
                None => None,
            },
        }
    }

    /// The same, to change it.
    pub const fn dest_mut(&mut self) -> Option<&mut Destination> {
        match &mut self.kind {
            Kind::Flow(Control::PopAddress(dest)) => Some(dest),
            Kind::Alu(write) | Kind::Convert(write, _) | Kind::Texture(write, _) => Some(&mut write.dest),
            Kind::Memory(Memory { access: Access::Load(write) | Access::Atomic(write, _), .. }) => {
                Some(&mut write.dest)
            }
            Kind::Kill(_) | Kind::Flow(_) | Kind::Memory(_) | Kind::Emit(_) | Kind::Barrier => None,
        }
    }

    /// The register of [`Self::dest`].
    pub fn target(&self) -> Option<Target> {
        self.dest().map(|dest| dest.target)
    }

    /// The condition code that it updates.
    pub fn update_cc(&self) -> Option<CcRegister> {
        self.write()?.update_cc
    }

    /// How its result is clamped.
    pub fn saturate(&self) -> Saturation {
        self.write().map_or(Saturation::None, |write| write.saturate)
    }

    /// The texture that it looks up.
    pub const fn texture(&self) -> Option<TextureAccess> {
        match self.kind {
            Kind::Texture(_, texture) => Some(texture),
            Kind::Alu(_)
            | Kind::Convert(..)
            | Kind::Kill(_)
            | Kind::Flow(_)
            | Kind::Memory(_)
            | Kind::Emit(_)
            | Kind::Barrier => None,
        }
    }

    /// How it steers, if it does.
    pub const fn control(&self) -> Option<Control> {
        match self.kind {
            Kind::Flow(control) => Some(control),
            Kind::Alu(_)
            | Kind::Convert(..)
            | Kind::Texture(..)
            | Kind::Kill(_)
            | Kind::Memory(_)
            | Kind::Emit(_)
            | Kind::Barrier => None,
        }
    }

    /// The same, to change it.
    pub const fn control_mut(&mut self) -> Option<&mut Control> {
        match &mut self.kind {
            Kind::Flow(control) => Some(control),
            Kind::Alu(_)
            | Kind::Convert(..)
            | Kind::Texture(..)
            | Kind::Kill(_)
            | Kind::Memory(_)
            | Kind::Emit(_)
            | Kind::Barrier => None,
        }
    }

    /// What it does with memory at addresses, if it does.
    pub const fn memory(&self) -> Option<&Memory> {
        match &self.kind {
            Kind::Memory(memory) => Some(memory),
            _ => None,
        }
    }

    /// The parameter buffers among its operands.
    pub fn buffers(&self) -> impl Iterator<Item = BufferRef> {
        self.operands.iter().filter_map(|operand| operand.source.buffer())
    }

    /// Whether it reads or writes memory.
    pub fn accesses_memory(&self) -> bool {
        self.memory().is_some() || self.buffers().next().is_some()
    }

    /// Whether it may change memory.
    pub fn writes_memory(&self) -> bool {
        self.memory().is_some_and(Memory::writes)
    }

    /// Whether it is a KIL.
    pub const fn is_kill(&self) -> bool {
        matches!(self.kind, Kind::Kill(_))
    }

    /// The test on which it steers or discards, if one is written.
    pub const fn test(&self) -> Option<CcTest> {
        match &self.kind {
            Kind::Kill(Kill::Test(test)) => Some(*test),
            Kind::Flow(control) => control.test(),
            Kind::Alu(_)
            | Kind::Convert(..)
            | Kind::Texture(..)
            | Kind::Kill(Kill::Negative)
            | Kind::Memory(_)
            | Kind::Emit(_)
            | Kind::Barrier => None,
        }
    }

    /// The relative references among its operands and its destination.
    pub fn indirects(&self) -> impl Iterator<Item = Indirect> {
        let written = match self.target() {
            Some(Target::Indirect(indirect)) => Some(indirect),
            _ => None,
        };
        self.operands.iter().filter_map(|operand| operand.source.indirect()).chain(written)
    }
}
