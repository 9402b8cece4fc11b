//! One executed instruction: operands, result, and every effect.

use super::super::Mark;
use crate::memory::Transfer;
use shadestep_language::ir::{
    Components, Element, Flags, OutputId, ParamId, Target, TempId, TextureRef, TextureTarget, Type,
};

/// Why an invocation came to its end (NV_vertex_program2 2.14.2.3). Its results count in every case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ended {
    /// Behind the last instruction, or by RET with an empty call stack.
    Normal,
    /// By CAL or PUSHA with a full stack: abnormal.
    CallOverflow,
    /// By RET with an address on top of the stack, or POPA without one: abnormal (NV_vertex_program3).
    StackMismatch,
    /// By IF, LOOP or REP with as many blocks active as there may be: abnormal.
    BlockOverflow,
    /// By having executed as many instructions as one may: abnormal.
    InstructionLimit,
}

/// A register that a step can write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// A temporary.
    Temp(TempId),
    /// An output.
    Output(OutputId),
    /// A parameter, in vertex state programs.
    Param(ParamId),
}

impl Register {
    /// The one that `target` is, or that it selected, if that is a relative reference.
    pub const fn of_target(target: Target, selected: Option<Relative>) -> Option<Self> {
        match (target, selected) {
            (Target::Temp(id), _) => Some(Self::Temp(id)),
            (Target::Output(id), _) => Some(Self::Output(id)),
            (Target::Param(id), _) => Some(Self::Param(id)),
            (Target::Indirect(_), Some(relative)) => relative.place(),
            (Target::Indirect(_), None) | (Target::ConditionOnly(_), _) => None,
        }
    }

    /// The one that an element is, if programs write it.
    pub const fn of_element(element: Element) -> Option<Self> {
        match element {
            Element::Temp(id) => Some(Self::Temp(id)),
            Element::Output(id) => Some(Self::Output(id)),
            Element::Param(_) | Element::Attribute(_) => None,
        }
    }
}

/// One register component that a step wrote, with its value before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Register.
    pub place: Register,
    /// 0 = x.
    pub component: u8,
    /// Bits before.
    pub before: u64,
    /// Bits after.
    pub after: u64,
    /// The type that it was last written as before.
    pub type_before: Type,
    /// The type that it is written as.
    pub type_after: Type,
    /// Whether the value before was undefined: nothing had been written, or something undefined.
    pub was_undefined: bool,
    /// Whether the value after is one that the specification leaves undefined.
    pub is_undefined: bool,
}

impl Change {
    /// Whether the value after is no NaN and no infinity.
    pub fn is_finite(&self) -> bool {
        match self.type_after {
            Type::F64 => f64::from_bits(self.after).is_finite(),
            ty if ty.is_integer() => true,
            _ => f32::from_bits(self.after as u32).is_finite(),
        }
    }
}

/// What a relative reference selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relative {
    /// Which vertex of the primitive, where each has the array.
    pub vertex: Option<i64>,
    /// Address component plus offset: which element of the array.
    pub index: i64,
    /// The element; `None` outside the array, where (0,0,0,0) is read and nothing is written.
    pub element: Option<Element>,
}

impl Relative {
    /// The parameter there, if it is one.
    pub const fn parameter(&self) -> Option<ParamId> {
        match self.element {
            Some(Element::Param(id)) => Some(id),
            _ => None,
        }
    }

    /// The register there, if it is one that a program writes.
    pub const fn place(&self) -> Option<Register> {
        match self.element {
            Some(element) => Register::of_element(element),
            None => None,
        }
    }
}

/// How one operand came to be, stage by stage (NV_fragment_program 3.11.4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperandStep {
    /// For relative references, what was read.
    pub relative: Option<Relative>,
    /// Of parameter buffers, what was read of memory.
    pub memory: Option<Transfer>,
    /// The register or parameter as it stands.
    pub register: Components,
    /// After the swizzle.
    pub swizzled: Components,
    /// After negation and absolute value.
    pub modified: Components,
    /// After conversion to the instruction's type: what the operation read.
    pub converted: Components,
    /// Which components of `converted` the operation used (bit 0 = x).
    pub used: u8,
}

/// What a texture lookup did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureStep {
    /// The unit; nothing where the program chose one outside of its array.
    pub texture: Option<TextureRef>,
    /// The target.
    pub target: TextureTarget,
    /// Coordinates after projection, of which the lookup reads those that the target has.
    pub coordinates: [f32; 4],
    /// Level of detail after bias and clamps; NaN where the texture is not complete, and of lookups that have none, such as
    /// TXG, TXFMS and LOD.
    pub lambda: f32,
    /// Whether the texture is complete; an incomplete one gives (0,0,0,0), or (0,0,0,1) in ARB programs.
    pub complete: bool,
}

impl TextureStep {
    /// The coordinates to show: three, or four of targets that read the fourth or have samples.
    pub fn shown(&self) -> &[f32] {
        let has_fourth = self.target.coordinates() & 0b1000 != 0 || self.target.has_samples();
        let count = if has_fourth { 4 } else { 3 };
        &self.coordinates[..count]
    }

    /// The level of detail, if there is one.
    pub fn level(&self) -> Option<f32> {
        Some(self.lambda).filter(|lambda| !lambda.is_nan())
    }
}

/// Something on the stack that CAL and PUSHA share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackEntry {
    /// Index of an instruction to return to.
    Return(usize),
    /// Bits of an address register.
    Address([u32; 4]),
}

/// What a step did to the stack that CAL and PUSHA share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StackEffect {
    /// Nothing.
    #[default]
    None,
    /// CAL put the index of an instruction to return to on it.
    Push(usize),
    /// RET took it off and went on there.
    Pop(usize),
    /// PUSHA put an address register on it.
    PushAddress([u32; 4]),
    /// POPA took it off.
    PopAddress([u32; 4]),
    /// CAL or PUSHA met a full stack and ended the program.
    Overflow,
    /// RET or POPA met an empty stack and ended the program.
    Underflow,
    /// RET met an address, or POPA a place to return to, and ended the program.
    Mismatch,
}

/// An active LOOP or REP block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopFrame {
    /// Index of the LOOP or REP.
    pub at: usize,
    /// Rounds left, the one that is going on among them; none of a REP without a count.
    pub count: Option<u32>,
    /// The index as it is counted; A0.x reads it as at least 0. 0 for REP.
    pub index: i32,
    /// Added to the index each round. 0 for REP.
    pub increment: i32,
}

/// What a step did to the loops that are going on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LoopEffect {
    /// Nothing.
    #[default]
    None,
    /// LOOP or REP began one.
    Enter(LoopFrame),
    /// ENDLOOP or ENDREP went round again.
    Round {
        /// The frame before.
        before: LoopFrame,
        /// The frame after.
        after: LoopFrame,
    },
    /// Loops ended, innermost last: one by ENDLOOP, ENDREP or BRK, any number by RET.
    Leave(Vec<LoopFrame>),
}

/// One executed instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Index of the instruction in the program.
    pub pc: usize,
    /// Which lanes of the quad or patch executed it, bit n for lane n; the recorded one is among them.
    pub lanes: u32,
    /// For instructions with a control, whether its test passed: whether BRA, CAL, RET or BRK was taken, KIL
    /// discarded, IF goes into its first part, LOOP or REP into its block, ENDLOOP or ENDREP goes round again.
    pub taken: Option<bool>,
    /// What it did to the call stack.
    pub stack: StackEffect,
    /// What it did to the loops that are going on.
    pub loops: LoopEffect,
    /// IF blocks that are active after, callers' included.
    pub if_depth: u16,
    /// Calls, loops and IF blocks that were under way before.
    pub nesting_before: u16,
    /// Calls, loops and IF blocks that are under way after.
    pub nesting_after: u16,
    /// Operands in order.
    pub operands: Vec<OperandStep>,
    /// Texture lookup, for those instructions.
    pub texture: Option<TextureStep>,
    /// What LOAD, STORE or ATOM read and wrote; nothing where a helper or a discarded fragment would write.
    pub memory: Option<Transfer>,
    /// What EMIT, EMITS or ENDPRIM added to the output.
    pub emitted: Option<Mark>,
    /// Result of the operation; components that nothing needs are 0 and not in `computed`.
    pub result: Components,
    /// Components of `result` that were computed (bit 0 = x).
    pub computed: u8,
    /// Components of `computed` that the specification leaves undefined; they are 0.
    pub undefined: u8,
    /// After `_SAT` or `_SSAT`; equals `result` without.
    pub saturated: Components,
    /// After conversion to the destination's type.
    pub converted: Components,
    /// For relative results, where they led.
    pub relative_target: Option<Relative>,
    /// Components enabled by the write mask and the condition code test together.
    pub enabled: u8,
    /// Register components written, with their values before and after.
    pub changes: Vec<Change>,
    /// Condition codes before, by [`shadestep_language::ir::CcRegister`].
    pub cc_before: [[Flags; 4]; 2],
    /// Condition codes after.
    pub cc_after: [[Flags; 4]; 2],
    /// Whether this step discarded the fragment.
    pub kills: bool,
}

impl Step {
    /// What it read and wrote of memory, operands' reads first.
    pub fn transfers(&self) -> impl Iterator<Item = &Transfer> {
        self.operands.iter().filter_map(|operand| operand.memory.as_ref()).chain(&self.memory)
    }
}
