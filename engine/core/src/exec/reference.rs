//! The reference interpreter: runs one 2x2 quad or patch in lock-step, or one vertex or primitive, one
//! instruction after the other. Lanes that diverge run in the order of [`Place`](super::invocation::Place).
//!
//! The interpreter reads the IR directly, without lowering. So it is the plain definition of a program's
//! meaning, and tests compare the batch executor with it bit for bit. `trace` reports steps; `invocation` has
//! the flow control.

use super::exec_state::ExecState;
use super::inputs::AttributesRead;
use super::interpolants::Spot;
use super::invocation::{Effects, InstructionLimit, Steering};
use super::{Bindings, Mark, condition, sum};
use crate::exec::report::{OperandStep, Register, Relative, TextureStep};
use crate::memory::{Action, Request, Shared, Transfer};
use crate::simd::ones;
use crate::subject::Subject;
use shadestep_language::ir::{
    Components, Control, Conversion, Destination, Element, Flags, Format, Indirect, Instruction, Kill, Kind,
    Operand, Program, Source, Swizzle, Target, TempId, Type, Write, single_bits,
};
use shadestep_language::isa::{Domain, Opcode};
use shadestep_language::num::{fp16, fp32, fx12};
use shadestep_language::semantics::ops::{self, Kernel, MAX_INPUTS, Words};
use shadestep_language::semantics::plan::{Component, Plan, ResultTypes, inputs_used, undefined_components};
use std::f32::consts::PI;
use std::ops::Deref;

/// Fragments of a quad: (x,y), (x+1,y), (x,y+1), (x+1,y+1).
pub const QUAD: usize = 4;

/// The most operands that an instruction has.
const MAX_OPERANDS: usize = 3;

/// The fp32 number in the low word of a component.
pub(super) fn number(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// Splits a component into the low and high words that component functions take.
pub(super) fn words(bits: u64) -> Words<f32> {
    [number(bits), number(bits >> 32)]
}

fn joined([low, high]: Words<f32>) -> u64 {
    u64::from(high.to_bits()) << 32 | u64::from(low.to_bits())
}

/// The operands of one instruction as one lane loaded them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Operands {
    loaded: [OperandStep; MAX_OPERANDS],
    count: usize,
}

impl Operands {
    pub fn push(&mut self, operand: OperandStep) {
        self.loaded[self.count] = operand;
        self.count += 1;
    }
}

impl Deref for Operands {
    type Target = [OperandStep];

    fn deref(&self) -> &[OperandStep] {
        &self.loaded[..self.count]
    }
}

/// How an operand is loaded.
#[derive(Clone, Copy)]
pub(super) struct Loading {
    /// The type to convert to.
    pub to: Type,
    pub denorms: Denorms,
    /// Components that the operation uses (bit 0 = x).
    pub used: u8,
    /// Index of the instruction.
    pub pc: usize,
    /// Where in the pixel to evaluate attributes, for IPAC, IPAO and IPAS.
    pub spot: Option<Spot>,
}

/// Treatment of fp32 denorms (ruling 6).
#[derive(Clone, Copy)]
pub(super) enum Denorms {
    Kept,
    Flushed,
}

/// One instruction's intermediate values for one lane.
#[derive(Clone, Debug, Default)]
pub(crate) struct LaneEvaluation {
    pub operands: Operands,
    pub result: Components,
    pub saturated: Components,
    pub converted: Components,
    /// The condition code flags that each component sets.
    pub flags: [Flags; 4],
    pub enabled: u8,
    pub texture: Option<TextureStep>,
    /// Components of the result that the specification leaves undefined.
    pub undefined: u8,
    pub relative_target: Option<Relative>,
    pub effects: Effects,
    /// The access of LOAD, STORE or ATOM; `None` if a helper would write.
    pub memory: Option<Transfer>,
    /// The mark that EMIT, EMITS or ENDPRIM added.
    pub emitted: Option<Mark>,
}

/// Intermediate values of one instruction for all lanes.
#[derive(Clone, Debug)]
pub(crate) struct Evaluation {
    pub lanes: Vec<LaneEvaluation>,
    /// The type of the result in its destination register.
    pub written: Option<Type>,
    pub computed: u8,
}

impl Evaluation {
    /// Empty values for this number of lanes.
    pub fn of(lanes: usize) -> Self {
        Self { lanes: vec![LaneEvaluation::default(); lanes], written: None, computed: 0 }
    }
}

/// A program that runs on a quad, a patch, a vertex or a primitive.
pub(crate) struct Machine<'a> {
    pub(super) program: &'a Program,
    pub(super) bindings: &'a Bindings,
    pub(super) inputs: &'a AttributesRead,
    pub(super) limit: InstructionLimit,
    /// Receives faults of memory accesses.
    pub(super) reports: Option<&'a Shared>,
    /// The invocation's subject, if it is known.
    pub subject: Option<Subject>,
    pub at: &'a mut ExecState,
}

impl<'a> Machine<'a> {
    /// Continues the run from `at`.
    pub fn new(
        program: &'a Program,
        bindings: &'a Bindings,
        inputs: &'a AttributesRead,
        at: &'a mut ExecState,
    ) -> Self {
        Self {
            program,
            bindings,
            inputs,
            limit: InstructionLimit::of(program),
            reports: None,
            subject: None,
            at,
        }
    }

    /// Sets the subject of the run.
    #[must_use]
    pub fn of(self, subject: Subject) -> Self {
        Self { subject: Some(subject), ..self }
    }

    pub(super) fn run(mut self) {
        while let Some((pc, lanes)) = self.at.next() {
            self.step(pc, lanes);
        }
    }

    /// Parameter `index` for `lane`: the lane's own copy if the program writes parameters.
    pub(super) fn parameter(&self, index: usize, lane: usize) -> Components {
        let own = &self.at.lanes[lane].parameters;
        if own.is_empty() {
            return self.bindings.parameters.get(index).copied().unwrap_or_default();
        }
        own.get(index).copied().unwrap_or_default()
    }

    /// Executes the instruction at `pc` on `lanes`, whose pc it is.
    pub(super) fn step(&mut self, pc: usize, lanes: u32) -> Evaluation {
        let instruction = &self.program.instructions[pc];
        let mut evaluation = Evaluation::of(self.at.lanes.len());
        match &instruction.kind {
            Kind::Alu(write) | Kind::Convert(write, _) | Kind::Texture(write, _) => {
                evaluation = self.evaluate(pc, write, lanes);
                self.update_all(write, lanes, &evaluation);
            }
            Kind::Memory(memory) => {
                evaluation = self.access(pc, memory, lanes);
                instruction.write().into_iter().for_each(|write| self.update_all(write, lanes, &evaluation));
            }
            Kind::Emit(emit) => self.emit(pc, *emit, lanes, &mut evaluation),
            // Nothing to do: each instruction completes in all lanes before the next one starts.
            Kind::Barrier => {}
            Kind::Kill(_) => self.load_for_control(pc, 0b1111, lanes, &mut evaluation),
            Kind::Flow(control) => {
                let used = match control {
                    Control::PushAddress => 0b1111,
                    Control::Loop { index: Some(_), .. } => 0b0111,
                    Control::Loop { index: None, .. } | Control::CallIndirect { .. } => 0b0001,
                    Control::Branch { .. }
                    | Control::Call { .. }
                    | Control::ReturnIfCalled
                    | Control::Return { .. }
                    | Control::If { .. }
                    | Control::Else { .. }
                    | Control::EndIf
                    | Control::EndLoop { .. }
                    | Control::Break { .. }
                    | Control::Continue { .. }
                    | Control::PopAddress(_) => 0,
                };
                self.load_for_control(pc, used, lanes, &mut evaluation);
            }
        }
        if instruction.accesses_memory() {
            self.report(pc, lanes, &evaluation);
        }
        for lane in lanes_of(lanes) {
            self.steer(instruction, lane, &mut evaluation);
        }
        evaluation
    }

    /// Loads the operands of an instruction that changes the flow or discards. `used` has the components that
    /// the instruction uses.
    pub(super) fn load_for_control(&self, pc: usize, used: u8, lanes: u32, into: &mut Evaluation) {
        let instruction = &self.program.instructions[pc];
        let loading = Loading { to: instruction.ty, denorms: Denorms::Flushed, used, pc, spot: None };
        for operand in &instruction.operands {
            for lane in lanes_of(lanes) {
                into.lanes[lane].operands.push(self.load(operand, loading, lane));
            }
        }
    }

    /// Updates the flow of `lane` after the instruction.
    fn steer(&mut self, instruction: &Instruction, lane: usize, evaluation: &mut Evaluation) {
        let registers = &mut self.at.lanes[lane];
        let operand = evaluation.lanes[lane].operands.first().map_or([0; 4], |o| o.converted);
        let passed = match instruction.kind {
            Kind::Kill(Kill::Negative) => {
                operand.iter().any(|&bits| ops::is_negative(instruction.ty, words(bits)))
            }
            _ => instruction.test().is_none_or(|test| registers.test(&test) != 0),
        };
        registers.killed |= passed && instruction.is_kill();
        let called = match instruction.control() {
            Some(Control::CallIndirect { variable, offset, .. }) => {
                let index = (operand[0] as u32).cast_signed();
                let subroutines = &self.program.subroutines;
                let called = subroutines.called(
                    variable,
                    i64::from(index) + i64::from(offset),
                    &self.bindings.subroutines,
                );
                called.and_then(|called| {
                    Some((self.program.subroutine_place(called)?, subroutines.rank(called)))
                })
            }
            _ => None,
        };
        let invocation = &mut self.at.invocations[lane];
        let effects = invocation.advance(self.program, Steering { passed, operand, called }, self.limit);
        for &(TempId(temp), value) in &effects.indices {
            registers.temporaries[usize::from(temp)][0] = value.to_bits().into();
        }
        if let (Some(value), Some(Destination { target: Target::Temp(id), .. })) =
            (effects.popped, instruction.dest())
        {
            registers.temporaries[usize::from(id.0)] = single_bits(value);
        }
        evaluation.lanes[lane].effects = effects;
    }

    pub(super) fn evaluate(&self, pc: usize, write: &Write, lanes: u32) -> Evaluation {
        let instruction = &self.program.instructions[pc];
        let dest = &write.dest;
        let plan = Plan::of(instruction);
        let mut evaluation = Evaluation { computed: dest.mask.0, ..Evaluation::of(self.at.lanes.len()) };
        let undefined = undefined_components(&plan);
        evaluation.lanes.iter_mut().for_each(|lane| lane.undefined = undefined);
        // Derivatives read the whole quad, including lanes with another pc.
        let loaded = match plan {
            Plan::DerivativeX | Plan::DerivativeY | Plan::Texture(_) => self.at.all(),
            Plan::Vector(_)
            | Plan::Replicated(_)
            | Plan::Interpolate(_)
            | Plan::Convert(_)
            | Plan::Group(_)
            | Plan::Texel(_)
            | Plan::Memory(..)
            | Plan::Control => lanes,
        };
        for (index, operand) in instruction.operands.iter().enumerate() {
            let used = inputs_used(instruction, &plan, index, dest.mask.0);
            let denorms = if plan.keeps_bits(index) { Denorms::Kept } else { Denorms::Flushed };
            let to = plan.operand_type(instruction.ty, index);
            for lane in lanes_of(loaded) {
                let spot = if index == 0 { self.spot(pc, &plan, lane) } else { None };
                let loading = Loading { to, denorms, used, pc, spot };
                evaluation.lanes[lane].operands.push(self.load(operand, loading, lane));
            }
        }
        self.operate(instruction, (&plan, write), loaded, &mut evaluation);
        self.finish(instruction, write, lanes, &mut evaluation);
        evaluation
    }

    /// Saturates and converts results, and sets condition code flags, write masks and undefined components.
    pub(super) fn finish(
        &self,
        instruction: &Instruction,
        write: &Write,
        lanes: u32,
        evaluation: &mut Evaluation,
    ) {
        let (dest, plan) = (&write.dest, Plan::of(instruction));
        let types = ResultTypes::of(self.program, instruction);
        evaluation.written = Some(types.in_register());
        for lane in lanes_of(lanes) {
            let has_undefined = match instruction.semantics.domain {
                Domain::Whole => false,
                Domain::Functions => matches!(instruction.op, Opcode::Lg2 | Opcode::Scs),
                Domain::Partial => true,
            };
            if has_undefined {
                let undefined = undefined_results(instruction, &plan, &evaluation.lanes[lane].operands);
                evaluation.lanes[lane].undefined |= undefined;
            }
            let result = evaluation.lanes[lane].result;
            evaluation.lanes[lane].saturated =
                result.map(|bits| joined(types.saturate(write.saturate, words(bits))));
            evaluation.lanes[lane].converted =
                evaluation.lanes[lane].saturated.map(|bits| joined(types.convert(words(bits))));
            if write.update_cc.is_some() {
                let flags = std::array::from_fn(|c| flags(instruction, &plan, types, evaluation, (lane, c)));
                evaluation.lanes[lane].flags = flags;
            }
            let tested = dest.test.map_or(0xF, |test| self.at.lanes[lane].test(&test));
            evaluation.lanes[lane].enabled = dest.mask.0 & tested;
            if let Target::Indirect(indirect) = dest.target {
                evaluation.lanes[lane].relative_target = Some(self.resolve(&indirect, lane));
            }
        }
    }

    /// VectorLoad and ScalarLoad of 3.11.4.3, with the value of every stage.
    pub(super) fn load(&self, operand: &Operand, loading: Loading, lane: usize) -> OperandStep {
        let (mut relative, mut memory) = (None, None);
        let register = match operand.source {
            Source::Temp(id) => self.at.lanes[lane].temporaries[usize::from(id.0)],
            Source::Attribute(attribute) => self.attribute(attribute, loading.spot, lane),
            Source::Param(id) => self.parameter(usize::from(id.0), lane),
            Source::Indirect(indirect) => {
                let read = self.resolve(&indirect, lane);
                relative = Some(read);
                match read.element {
                    Some(Element::Temp(id)) => self.at.lanes[lane].temporaries[usize::from(id.0)],
                    Some(Element::Param(id)) => self.parameter(usize::from(id.0), lane),
                    Some(Element::Attribute(attribute)) => self.attribute(attribute, loading.spot, lane),
                    Some(Element::Output(id)) => self.at.lanes[lane].outputs[usize::from(id.0)],
                    None => [0; 4],
                }
            }
            Source::Buffer(buffer) => {
                let (who, place) = (self.who(loading.pc, lane), self.buffer_place(&buffer, lane));
                let request = Request { who, place, storage: buffer.storage, action: Action::Load };
                memory.insert(self.at.memory.load(&request)).value()
            }
        };
        let swizzled: Components = std::array::from_fn(|c| operand.swizzle.select(c, &register));
        let from = self.program.source_type(operand.source);
        let modified: Components = std::array::from_fn(|c| {
            // Negation and absolute value follow the operation's type. Constants already have this type.
            let is_constant = Swizzle::constant(operand.swizzle.0[c]).is_some();
            let from = if is_constant { Type::F32 } else { from };
            let resized = ops::resize(words(swizzled[c]), loading.to, from, loading.to);
            joined(modify(operand, loading.to, c, resized))
        });
        let converted = modified.map(|bits| {
            let value = number(bits);
            let value = match (from, loading.to) {
                (_, Type::F32) => match loading.denorms {
                    Denorms::Kept => value,
                    Denorms::Flushed => fp32::flush(value),
                },
                (Type::F16, Type::F16) => value,
                (_, Type::F16) => fp16::round(value),
                (_, Type::Fx12) => fx12::round(value),
                _ => return bits,
            };
            value.to_bits().into()
        });
        OperandStep { relative, memory, register, swizzled, modified, converted, used: loading.used }
    }

    /// The element that a relative reference selects.
    fn resolve(&self, indirect: &Indirect, lane: usize) -> Relative {
        let index = self.index(indirect.index, lane);
        let vertex = indirect.vertex.map(|vertex| self.index(vertex.index, lane));
        Relative { vertex, index, element: indirect.element(vertex.unwrap_or(0), index) }
    }

    fn operate(
        &self,
        instruction: &Instruction,
        (plan, write): (&Plan, &Write),
        lanes: u32,
        evaluation: &mut Evaluation,
    ) {
        let mask = write.dest.mask.0;
        let input = |evaluation: &Evaluation, lane: usize, operand: usize, component: usize| {
            words(evaluation.lanes[lane].operands[operand].converted[component])
        };
        match plan {
            Plan::Vector(components) => {
                for lane in lanes_of(lanes) {
                    for (c, component) in components.iter().enumerate().filter(|&(c, _)| mask >> c & 1 != 0) {
                        let value = eval(instruction.ty, component, |o, c| input(evaluation, lane, o, c));
                        evaluation.lanes[lane].result[c] = joined(value);
                    }
                }
            }
            Plan::Replicated(component) => {
                for lane in lanes_of(lanes) {
                    let value = eval(instruction.ty, component, |o, c| input(evaluation, lane, o, c));
                    evaluation.lanes[lane].result = masked([joined(value); 4], mask);
                }
            }
            Plan::DerivativeX | Plan::DerivativeY => {
                let vertical = *plan == Plan::DerivativeY;
                for lane in lanes_of(lanes) {
                    let (from, to) = derivative_lanes(lane, vertical);
                    let value = std::array::from_fn(|c| {
                        let ([from, _], [to, _]) =
                            (input(evaluation, from, 0, c), input(evaluation, to, 0, c));
                        ops::difference(instruction.ty, from, to).to_bits().into()
                    });
                    evaluation.lanes[lane].result = masked(value, mask);
                }
            }
            Plan::Convert(conversion) => {
                for lane in lanes_of(lanes) {
                    let value = std::array::from_fn(|c| {
                        let value = input(evaluation, lane, 0, c);
                        joined(ops::convert(*conversion, write.saturate, value))
                    });
                    evaluation.lanes[lane].result = masked(value, mask);
                }
            }
            Plan::Group(question) => {
                // The group is the set of lanes that execute the instruction now. In stages without thread
                // groups, each lane is its own group.
                let group = if self.program.stage().has_thread_groups() { lanes } else { 0 };
                for lane in lanes_of(lanes) {
                    let value = std::array::from_fn(|c| {
                        let others = lanes_of(group & !(1 << lane));
                        let others = others.map(|other| (input(evaluation, other, 0, c), true));
                        joined(ops::vote(*question, instruction.ty, input(evaluation, lane, 0, c), others))
                    });
                    evaluation.lanes[lane].result = masked(value, mask);
                }
            }
            Plan::Interpolate(location) => {
                self.interpolate(instruction, *location, (lanes, mask), evaluation);
            }
            Plan::Texture(lookup) => {
                if let Some(access) = instruction.texture() {
                    for first in (0..self.at.lanes.len()).step_by(QUAD) {
                        self.sample(instruction, &access, *lookup, (mask, first), evaluation);
                    }
                }
            }
            Plan::Texel(asked) => {
                if let Some(access) = instruction.texture() {
                    self.ask(instruction, &access, *asked, (lanes, mask), evaluation);
                }
            }
            Plan::Memory(..) | Plan::Control => {}
        }
    }

    /// UpdateDestination for all of `lanes`. Writes of per-patch results go to all lanes. If several lanes
    /// write such a result, the last one wins (NV_tessellation_program5 2.X.5 defines no order).
    fn update_all(&mut self, write: &Write, lanes: u32, done: &Evaluation) {
        let is_shared = self.program.writes_patch(write.dest.target);
        for lane in lanes_of(lanes) {
            let all = if is_shared { 0..self.at.lanes.len() } else { lane..lane + 1 };
            all.for_each(|to| self.update(write, (lane, to), done));
        }
    }

    /// UpdateDestination of 3.11.4.4: the values that `lane` computed go to the registers of lane `to`.
    fn update(&mut self, write: &Write, (lane, to): (usize, usize), done: &Evaluation) {
        let registers = &mut self.at.lanes[to];
        for c in (0..4).filter(|&c| done.lanes[lane].enabled >> c & 1 != 0) {
            let value = done.lanes[lane].converted[c];
            let target =
                match (write.dest.target, done.lanes[lane].relative_target.and_then(|led| led.place())) {
                    (Target::Indirect(_), Some(Register::Temp(id))) => Target::Temp(id),
                    (Target::Indirect(_), Some(Register::Output(id))) => Target::Output(id),
                    (target, _) => target,
                };
            let define = |mask: &mut u8| *mask = *mask & !(1 << c) | !done.lanes[lane].undefined & 1 << c;
            match target {
                Target::Temp(id) => {
                    registers.temporaries[usize::from(id.0)][c] = value;
                    if let Some(ty) = done.written {
                        registers.temporaries_types[usize::from(id.0)][c] = ty;
                    }
                    define(&mut registers.temporaries_defined[usize::from(id.0)]);
                }
                Target::Output(id) => {
                    registers.outputs[usize::from(id.0)][c] = value;
                    if let Some(ty) = done.written {
                        registers.outputs_types[usize::from(id.0)][c] = ty;
                    }
                    define(&mut registers.outputs_defined[usize::from(id.0)]);
                }
                Target::Param(id) => registers.parameters[usize::from(id.0)][c] = value,
                Target::Indirect(_) | Target::ConditionOnly(_) => {}
            }
            if let Some(register) = write.update_cc.filter(|_| to == lane) {
                registers.cc[register.index()][c] = done.lanes[lane].flags[c];
            }
        }
    }
}

/// Result components that the text leaves undefined for these operands.
fn undefined_results(instruction: &Instruction, plan: &Plan, operands: &Operands) -> u8 {
    let loaded = |operand: usize, c: usize| words(operands[operand].converted[c]);
    // "If the scalar operand is not in the range [-PI,PI], the result vector is undefined."
    if instruction.op == Opcode::Scs {
        return if number(operands[0].converted[0]).abs() > PI { 0xF } else { 0 };
    }
    (0..4).fold(0, |all, c| {
        let is_undefined = match plan {
            Plan::Convert(conversion) => ops::is_undefined_conversion(*conversion, loaded(0, c)),
            _ => plan.component(c).is_some_and(|component| {
                ops::is_undefined(component.kernel, instruction.ty, &inputs(component, loaded))
            }),
        };
        all | u8::from(is_undefined) << c
    })
}

/// The condition code flags that component `c` of a finished result sets.
fn flags(
    instruction: &Instruction,
    plan: &Plan,
    types: ResultTypes,
    done: &Evaluation,
    (lane, c): (usize, usize),
) -> Flags {
    if let Plan::Convert(Conversion { to: Format::F16, .. }) = plan {
        let number = ops::number_of_half(number(done.lanes[lane].converted[c]));
        return Flags(condition::flags(number) as u8);
    }
    let flags = condition::typed_flags(words(done.lanes[lane].converted[c]), types.written());
    let further = plan.component(c).filter(|_| types.result.is_integer()).and_then(|component| {
        let inputs = inputs(component, |operand, c| words(done.lanes[lane].operands[operand].converted[c]));
        sum::carry_and_overflow(instruction, component.kernel, &inputs)
    });
    Flags((flags | further.unwrap_or(0)) as u8)
}

/// The two lanes whose difference is the derivative at `lane`: both in the lane's own row or column of the
/// quad.
pub(crate) const fn derivative_lanes(lane: usize, vertical: bool) -> (usize, usize) {
    if vertical { (lane & !2, lane | 2) } else { (lane & !1, lane | 1) }
}

/// The indices of set bits in a mask of lanes or components.
pub(super) fn lanes_of(mask: impl Into<u32>) -> impl Iterator<Item = usize> {
    ones(u64::from(mask.into()))
}

pub(super) fn masked(value: Components, mask: u8) -> Components {
    std::array::from_fn(|c| if mask >> c & 1 != 0 { value[c] } else { 0 })
}

fn modify(operand: &Operand, ty: Type, c: usize, value: Words<f32>) -> Words<f32> {
    let apply = |kernel: Kernel, holds: bool, value: Words<f32>| {
        if holds { ops::evaluate(kernel, ty, &[value; MAX_INPUTS]) } else { value }
    };
    let value = apply(Kernel::Negate, operand.negate.has(c), value);
    let value = apply(Kernel::Absolute, operand.absolute, value);
    apply(Kernel::Negate, operand.negate_absolute, value)
}

fn eval(ty: Type, component: &Component, input: impl Fn(usize, usize) -> Words<f32>) -> Words<f32> {
    ops::evaluate(component.kernel, ty, &inputs(component, input))
}

fn inputs(component: &Component, input: impl Fn(usize, usize) -> Words<f32>) -> [Words<f32>; MAX_INPUTS] {
    let mut inputs = [[0.0; 2]; MAX_INPUTS];
    for (slot, &(operand, c)) in inputs.iter_mut().zip(component.inputs) {
        *slot = input(usize::from(operand), usize::from(c));
    }
    inputs
}
