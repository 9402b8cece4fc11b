//! Instructions of the IR: the opcode, the operands, and the data of each kind of instruction (destination,
//! texture, memory, flow).

#![deny(clippy::wildcard_enum_match_arm)]

use super::{
    BufferRef, CcRegister, CcTest, Control, Conversion, Emit, ImageAccess, Indirect, Memory, Operand,
    OutputId, ParamId, Saturation, Semantics, Storage, TempId, TextureAccess, Type,
};
use crate::isa::{Action, Opcode};
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

/// The register that a result is written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A temporary.
    Temp(TempId),
    /// An output.
    Output(OutputId),
    /// A parameter, in vertex state programs.
    Param(ParamId),
    /// An output or a temporary selected at run time, `result.texcoord[A0.x+n]`.
    Indirect(Indirect),
    /// `RC`, `CC` (F32) or `HC` (F16): the result is not stored and only updates the condition code.
    ConditionOnly(Type),
}

/// A destination with its masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Destination {
    pub target: Target,
    pub mask: WriteMask,
    /// The condition code test of each component, if written.
    pub test: Option<CcTest>,
    /// The span of register, mask and test.
    pub span: Span,
}

impl Destination {
    /// All components of `target`, without a test and without a place in the text.
    pub fn whole(target: Target) -> Self {
        Self { target, mask: WriteMask::ALL, test: None, span: Span::default() }
    }
}

/// The write of a result: destination, clamp and condition code update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    pub dest: Destination,
    /// `_SAT`, `_SSAT`.
    pub saturate: Saturation,
    /// `C`, `C0`, `C1`.
    pub update_cc: Option<CcRegister>,
}

impl From<Destination> for Write {
    /// A plain write without clamp and condition code update.
    fn from(dest: Destination) -> Self {
        Self { dest, saturate: Saturation::None, update_cc: None }
    }
}

/// The condition under which KIL discards its fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kill {
    /// The test passes for any component.
    Test(CcTest),
    /// Any component of operand 0 is below zero.
    Negative,
}

/// The kind of an instruction, with the data that only this kind has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Computes its result from its operands.
    Alu(Write),
    /// CVT: converts its operand to another format.
    Convert(Write, Conversion),
    /// Looks up a texture.
    Texture(Write, TextureAccess),
    Kill(Kill),
    /// Flow control: changes which instruction comes next, or the stack of address registers.
    Flow(Control),
    /// LOAD, STORE, ATOM.
    Memory(Memory),
    /// EMIT, EMITS, ENDPRIM.
    Emit(Emit),
    /// MEMBAR: completes all earlier memory accesses before any later one.
    Barrier,
}

impl Kind {
    /// Whether an instruction of this kind has the effect `action`.
    pub fn performs(&self, action: Action) -> bool {
        match action {
            Action::Computes | Action::LoadsConstants => matches!(self, Self::Alu(_)),
            Action::Converts => matches!(self, Self::Convert(..)),
            Action::LooksUp => matches!(self, Self::Texture(..)),
            Action::Discards => matches!(self, Self::Kill(_)),
            Action::Flow(flow) => matches!(self, Self::Flow(control) if control.performs(flow)),
            Action::Accesses(access, place) => {
                matches!(self, Self::Memory(memory) if (memory.access.kind(), memory.place()) == (access, place))
            }
            Action::Emits(emit) => *self == Self::Emit(emit),
            Action::Orders => matches!(self, Self::Barrier),
        }
    }
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
    /// A frame query's instrumentation. Executions do not count. An invocation at the limit ends before this
    /// instruction.
    Added,
    /// A frame query's instrumentation after an instruction that computes. Executions do not count. The
    /// instruction runs even if the instruction before it reached the limit.
    AddedAfter,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    pub op: Opcode,
    /// The behaviour in which languages differ.
    pub semantics: Semantics,
    /// The type to which operands are converted and in which the result is computed.
    pub ty: Type,
    /// Operands in order.
    pub operands: Vec<Operand>,
    /// The data that depends on the kind of instruction.
    pub kind: Kind,
    /// The span from the mnemonic to the last operand, without the semicolon.
    pub span: Span,
    /// The span of the mnemonic with its suffixes.
    pub mnemonic_span: Span,
    pub origin: Origin,
}

/// The parts of an instruction, by its kind. All questions about kinds are answered from this struct, so a
/// new kind needs a decision only in `Kind::parts`.
#[derive(Clone, Copy, Default)]
struct Parts<'i> {
    write: Option<&'i Write>,
    texture: Option<TextureAccess>,
    kill: Option<Kill>,
    control: Option<&'i Control>,
    memory: Option<&'i Memory>,
}

/// The parts that are changed in place.
#[derive(Default)]
struct PartsMut<'i> {
    write: Option<&'i mut Write>,
    control: Option<&'i mut Control>,
}

impl Kind {
    #[inline]
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
    /// The number of instructions that one execution counts towards the limit of executed instructions.
    pub const fn cost(&self) -> u32 {
        match self.origin {
            Origin::Text => 1,
            Origin::Added | Origin::AddedAfter => 0,
        }
    }

    /// Whether the instruction belongs to the one before it and therefore runs even if that one reached the
    /// limit.
    pub const fn completes(&self) -> bool {
        matches!(self.origin, Origin::AddedAfter)
    }

    /// The type of the type modifier. For PK64 and UP64, the type of the 32-bit halves.
    pub const fn named_type(&self) -> Type {
        if self.op.info().rule.is_of_long() { self.ty.sized_as(Type::F32) } else { self.ty }
    }

    /// The write of the result, for instructions that compute, look up or load one.
    #[inline]
    pub fn write(&self) -> Option<&Write> {
        self.kind.parts().write
    }

    pub fn write_mut(&mut self) -> Option<&mut Write> {
        self.kind.parts_mut().write
    }

    /// The destination of the result, or of the value that POPA pops.
    #[inline]
    pub fn dest(&self) -> Option<&Destination> {
        match self.kind.parts() {
            Parts { control: Some(Control::PopAddress(dest)), .. } => Some(dest),
            parts => parts.write.map(|write| &write.dest),
        }
    }

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

    /// The condition code register that the instruction updates.
    #[inline]
    pub fn update_cc(&self) -> Option<CcRegister> {
        self.write()?.update_cc
    }

    /// The clamp of the result.
    pub fn saturate(&self) -> Saturation {
        self.write().map_or(Saturation::None, |write| write.saturate)
    }

    #[inline]
    pub fn texture(&self) -> Option<TextureAccess> {
        self.kind.parts().texture
    }

    #[inline]
    pub fn control(&self) -> Option<Control> {
        self.kind.parts().control.copied()
    }

    pub fn control_mut(&mut self) -> Option<&mut Control> {
        self.kind.parts_mut().control
    }

    /// The memory access, for LOAD, STORE, ATOM and the image instructions.
    #[inline]
    pub fn memory(&self) -> Option<&Memory> {
        self.kind.parts().memory
    }

    pub fn image(&self) -> Option<&ImageAccess> {
        self.memory()?.image.as_ref()
    }

    /// The storage modifier of a memory instruction or LDC.
    pub fn storage(&self) -> Option<Storage> {
        let loaded = || self.buffers().next().filter(|_| self.op.info().action == Action::LoadsConstants);
        self.memory().map(|memory| memory.storage).or_else(|| loaded().map(|buffer| buffer.storage))
    }

    /// The parameter buffers that the operands read.
    pub fn buffers(&self) -> impl Iterator<Item = BufferRef> {
        self.operands.iter().filter_map(|operand| operand.source.buffer())
    }

    /// Whether the instruction reads or writes memory or parameter buffers.
    pub fn accesses_memory(&self) -> bool {
        self.memory().is_some() || self.buffers().next().is_some()
    }

    /// Whether the instruction can change memory.
    pub fn writes_memory(&self) -> bool {
        self.memory().is_some_and(Memory::writes)
    }

    /// Whether the instruction is a KIL.
    pub fn is_kill(&self) -> bool {
        self.kind.parts().kill.is_some()
    }

    /// The condition code test of a flow instruction or KIL, if written.
    #[inline]
    pub fn test(&self) -> Option<CcTest> {
        match self.kind.parts() {
            Parts { kill: Some(Kill::Test(test)), .. } => Some(test),
            parts => parts.control.and_then(Control::test),
        }
    }

    /// The relative references in the operands and the destination.
    pub fn indirects(&self) -> impl Iterator<Item = Indirect> {
        let written = match self.target() {
            Some(Target::Indirect(indirect)) => Some(indirect),
            _ => None,
        };
        self.operands.iter().filter_map(|operand| operand.source.indirect()).chain(written)
    }
}
