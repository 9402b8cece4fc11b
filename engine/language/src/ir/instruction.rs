//! Instructions: what each kind of them has.

use super::{
    BufferRef, CcRegister, CcTest, Control, Conversion, Emit, ImageAccess, Indirect, Memory, Operand,
    OutputId, ParamId, Saturation, Semantics, Storage, TempId, TextureAccess, Type,
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

/// The origin of an instruction, which decides whether it counts towards the limit of executed instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// The text of the program. Each execution counts.
    #[default]
    Text,
    /// A survey. Executions do not count. An invocation at the limit ends before it.
    Added,
    /// A survey, after an instruction that computes. Executions do not count. It runs whenever that instruction does, also
    /// where that one reaches the limit.
    AddedAfter,
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
    /// The text or a survey.
    pub origin: Origin,
}

/// What an instruction has by its kind. Every question about kinds is answered from it, so a new kind is decided here.
#[derive(Clone, Copy, Default)]
struct Parts<'i> {
    write: Option<&'i Write>,
    texture: Option<TextureAccess>,
    kill: Option<Kill>,
    control: Option<&'i Control>,
    memory: Option<&'i Memory>,
}

/// Those of its parts that are changed in place.
#[derive(Default)]
struct PartsMut<'i> {
    write: Option<&'i mut Write>,
    control: Option<&'i mut Control>,
}

impl Kind {
    fn parts(&self) -> Parts<'_> {
        let none = Parts::default();
        match self {
            Self::Alu(write) | Self::Convert(write, _) => Parts { write: Some(write), ..none },
            Self::Texture(write, texture) => Parts { write: Some(write), texture: Some(*texture), ..none },
            Self::Kill(kill) => Parts { kill: Some(*kill), ..none },
            Self::Flow(control) => Parts { control: Some(control), ..none },
            Self::Memory(memory) => Parts { memory: Some(memory), write: memory.access.write(), ..none },
            Self::Emit(_) | Self::Barrier => none,
        }
    }

    fn parts_mut(&mut self) -> PartsMut<'_> {
        let none = PartsMut::default();
        match self {
            Self::Alu(write) | Self::Convert(write, _) | Self::Texture(write, _) => {
                PartsMut { write: Some(write), ..none }
            }
            Self::Flow(control) => PartsMut { control: Some(control), ..none },
            Self::Memory(memory) => PartsMut { write: memory.access.write_mut(), ..none },
            Self::Kill(_) | Self::Emit(_) | Self::Barrier => none,
        }
    }
}

impl Instruction {
    /// How much an execution counts towards the limit of executed instructions.
    pub const fn cost(&self) -> u32 {
        match self.origin {
            Origin::Text => 1,
            Origin::Added | Origin::AddedAfter => 0,
        }
    }

    /// Whether it belongs to the instruction before it, so that it runs even if that one reached the limit.
    pub const fn completes(&self) -> bool {
        matches!(self.origin, Origin::AddedAfter)
    }

    /// The type that its modifier names. Of PK64 and UP64 that is the type of the 32-bit halves.
    pub const fn named_type(&self) -> Type {
        if self.op.info().rule.is_of_long() { self.ty.sized_as(Type::F32) } else { self.ty }
    }

    /// What becomes of its result, if it computes, looks up or loads one.
    pub fn write(&self) -> Option<&Write> {
        self.kind.parts().write
    }

    /// The same, to change it.
    pub fn write_mut(&mut self) -> Option<&mut Write> {
        self.kind.parts_mut().write
    }

    /// Where its result goes, or (POPA) what it takes off the stack.
    pub fn dest(&self) -> Option<&Destination> {
        match self.kind.parts() {
            Parts { control: Some(Control::PopAddress(dest)), .. } => Some(dest),
            parts => parts.write.map(|write| &write.dest),
        }
    }

    /// The same, to change it.
    pub fn dest_mut(&mut self) -> Option<&mut Destination> {
        match self.kind.parts_mut() {
            PartsMut { control: Some(Control::PopAddress(dest)), .. } => Some(dest),
            parts => parts.write.map(|write| &mut write.dest),
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
    pub fn texture(&self) -> Option<TextureAccess> {
        self.kind.parts().texture
    }

    /// How it steers, if it does.
    pub fn control(&self) -> Option<Control> {
        self.kind.parts().control.copied()
    }

    /// The same, to change it.
    pub fn control_mut(&mut self) -> Option<&mut Control> {
        self.kind.parts_mut().control
    }

    /// What it does with memory at addresses, if it does.
    pub fn memory(&self) -> Option<&Memory> {
        self.kind.parts().memory
    }

    /// The image that it accesses, if it does.
    pub fn image(&self) -> Option<&ImageAccess> {
        self.memory()?.image.as_ref()
    }

    /// The storage modifier, if it accesses memory as one says.
    pub fn storage(&self) -> Option<Storage> {
        let loaded = || self.buffers().next().filter(|_| self.op == Opcode::Ldc);
        self.memory().map(|memory| memory.storage).or_else(|| loaded().map(|buffer| buffer.storage))
    }

    /// The parameter buffers that it reads.
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
    pub fn is_kill(&self) -> bool {
        self.kind.parts().kill.is_some()
    }

    /// The test on which it steers or discards, if one is written.
    pub fn test(&self) -> Option<CcTest> {
        match self.kind.parts() {
            Parts { kill: Some(Kill::Test(test)), .. } => Some(test),
            parts => parts.control.and_then(Control::test),
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
