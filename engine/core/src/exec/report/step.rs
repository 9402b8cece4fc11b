//! One executed instruction: operands, result, and every effect. `state` has the registers between steps.

use super::super::Mark;
use crate::memory::Transfer;
use shadestep_language::ir::{
    Components, Element, Flags, OutputId, ParamId, Target, TempId, TextureRef, TextureTarget, Type,
};

/// Why an invocation ended (NV_vertex_program2 2.14.2.3). Its results are valid in every case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ended {
    /// After the last instruction, or by RET with an empty call stack.
    Normal,
    /// Abnormal: CAL or PUSHA with a full stack.
    CallOverflow,
    /// Abnormal: RET with an address on top of the stack, or POPA without one (NV_vertex_program3).
    StackMismatch,
    /// Abnormal: IF, LOOP or REP with the maximum number of active blocks.
    BlockOverflow,
    /// Abnormal: the maximum number of executed instructions was reached.
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
    /// The register of `target`. For a relative reference it is the register that the reference selected.
    pub const fn of_target(target: Target, selected: Option<Relative>) -> Option<Self> {
        match (target, selected) {
            (Target::Temp(id), _) => Some(Self::Temp(id)),
            (Target::Output(id), _) => Some(Self::Output(id)),
            (Target::Param(id), _) => Some(Self::Param(id)),
            (Target::Indirect(_), Some(relative)) => relative.place(),
            (Target::Indirect(_), None) | (Target::ConditionOnly(_), _) => None,
        }
    }

    /// The register of an element, if programs can write it.
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
    pub place: Register,
    /// 0 = x.
    pub component: u8,
    /// Bits before.
    pub before: u64,
    /// Bits after.
    pub after: u64,
    /// Type of the last write before the step.
    pub type_before: Type,
    /// Type of the step's write.
    pub type_after: Type,
    /// Whether the value before was undefined: never written, or written with an undefined value.
    pub was_undefined: bool,
    /// Whether the specification leaves the new value undefined.
    pub is_undefined: bool,
}

impl Change {
    /// Whether the new value is neither a NaN nor an infinity.
    pub fn is_finite(&self) -> bool {
        match self.type_after {
            Type::F64 => f64::from_bits(self.after).is_finite(),
            ty if ty.is_integer() => true,
            _ => f32::from_bits(self.after as u32).is_finite(),
        }
    }
}

/// The element that a relative reference selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relative {
    /// Index of the vertex of the primitive, for arrays that each vertex has.
    pub vertex: Option<i64>,
    /// Address component plus offset: index of the element in the array.
    pub index: i64,
    /// The element; `None` outside the array, where reads give (0,0,0,0) and writes are ignored.
    pub element: Option<Element>,
}

impl Relative {
    /// The parameter, if the element is one.
    pub const fn parameter(&self) -> Option<ParamId> {
        match self.element {
            Some(Element::Param(id)) => Some(id),
            _ => None,
        }
    }

    /// The register, if programs can write the element.
    pub const fn place(&self) -> Option<Register> {
        match self.element {
            Some(element) => Register::of_element(element),
            None => None,
        }
    }
}

/// The value of one operand, stage by stage (NV_fragment_program 3.11.4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperandStep {
    /// For relative references, the selected element.
    pub relative: Option<Relative>,
    /// For parameter buffers, the memory read.
    pub memory: Option<Transfer>,
    /// The register or parameter before swizzle and modifiers.
    pub register: Components,
    /// After the swizzle.
    pub swizzled: Components,
    /// After negation and absolute value.
    pub modified: Components,
    /// After conversion to the instruction's type: the input of the operation.
    pub converted: Components,
    /// Components of `converted` that the operation used (bit 0 = x).
    pub used: u8,
}

/// The texture, coordinates and level of a texture lookup.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureStep {
    /// The unit; `None` if the program selected one outside its array.
    pub texture: Option<TextureRef>,
    pub target: TextureTarget,
    /// Coordinates after projection. The lookup reads as many of them as the target has.
    pub coordinates: [f32; 4],
    /// Level of detail after bias and clamps. NaN for incomplete textures and for lookups without a level,
    /// such as TXG, TXFMS and LOD.
    pub lambda: f32,
    /// Whether the texture is complete. An incomplete one gives (0,0,0,0), or (0,0,0,1) in ARB programs.
    pub complete: bool,
}

impl TextureStep {
    /// The coordinates to show: three, or four if the target reads the fourth or has samples.
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

/// An entry of the stack that CAL and PUSHA share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackEntry {
    /// Index of an instruction to return to.
    Return(usize),
    /// Bits of an address register.
    Address([u32; 4]),
}

/// The effect of a step on the stack that CAL and PUSHA share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StackEffect {
    #[default]
    None,
    /// CAL pushed the index of an instruction to return to.
    Push(usize),
    /// RET popped this index and continued there.
    Pop(usize),
    /// PUSHA pushed an address register.
    PushAddress([u32; 4]),
    /// POPA popped an address register.
    PopAddress([u32; 4]),
    /// CAL or PUSHA found a full stack and ended the program.
    Overflow,
    /// RET or POPA found an empty stack and ended the program.
    Underflow,
    /// RET found an address, or POPA a return index, and ended the program.
    Mismatch,
}

/// An active LOOP or REP block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopFrame {
    /// Index of the LOOP or REP.
    pub at: usize,
    /// Iterations left, including the current one. `None` for a REP without a count.
    pub count: Option<u32>,
    /// The loop index, which may be negative; A0.x reads max(index, 0). 0 for REP.
    pub index: i32,
    /// Added to the index after each iteration. 0 for REP.
    pub increment: i32,
}

/// The effect of a step on the active loops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LoopEffect {
    #[default]
    None,
    /// LOOP or REP began a loop.
    Enter(LoopFrame),
    /// ENDLOOP or ENDREP began the next iteration.
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
    /// Lanes of the quad or patch that executed the instruction, bit n for lane n. The recorded lane is among
    /// them.
    pub lanes: u32,
    /// Whether the test of a flow instruction passed: BRA, CAL, RET or BRK was taken, KIL discarded, IF
    /// entered its first side, LOOP or REP entered its block, or ENDLOOP or ENDREP began another iteration.
    /// `None` for other instructions.
    pub taken: Option<bool>,
    pub stack: StackEffect,
    pub loops: LoopEffect,
    /// Number of active IF blocks after the step, including those of callers.
    pub if_depth: u16,
    /// Number of active calls, loops and IF blocks before the step.
    pub nesting_before: u16,
    /// Number of active calls, loops and IF blocks after the step.
    pub nesting_after: u16,
    /// Operands in order.
    pub operands: Vec<OperandStep>,
    /// Texture lookup, for those instructions.
    pub texture: Option<TextureStep>,
    /// The access of LOAD, STORE or ATOM; `None` if a helper or a discarded fragment would write.
    pub memory: Option<Transfer>,
    /// The mark that EMIT, EMITS or ENDPRIM added to the output.
    pub emitted: Option<Mark>,
    /// Result of the operation. Components that nothing needs are 0 and not in `computed`.
    pub result: Components,
    /// Components of `result` that were computed (bit 0 = x).
    pub computed: u8,
    /// Components of `computed` that the specification leaves undefined; they are 0.
    pub undefined: u8,
    /// After `_SAT` or `_SSAT`; equal to `result` without them.
    pub saturated: Components,
    /// After conversion to the destination's type.
    pub converted: Components,
    /// For relative destinations, the selected element.
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
    /// Memory transfers of the step, the operands' reads first.
    pub fn transfers(&self) -> impl Iterator<Item = &Transfer> {
        self.operands.iter().filter_map(|operand| operand.memory.as_ref()).chain(&self.memory)
    }
}
