//! The traced executor: one 2x2 quad in lock-step, one instruction after the other, everything it
//! does told to an observer.
//!
//! It reads the IR directly, without lowering, so that it can serve as the plain statement of what a
//! program does; the wide executor is tested against it bit for bit.

use super::ops::{self, Arith, Exact32, Fixed, Half, Kernel, MAX_INPUTS};
use super::plan::{Component, Lookup, Plan, coordinate_count, inputs_used, plan};
use super::{Bindings, condition};
use crate::debug::{Cc, Change, OperandStep, Place, Recording, State, Step, TextureStep};
use crate::ir::{
    Attribute, CcTest, Control, Destination, Indexed, Instruction, Operand, OutputRole, Program, Source,
    Target, TextureRef, Type,
};
use crate::num::{fp16, fp32, fx12};
use crate::texture;

/// Fragments of a quad: (x,y), (x+1,y), (x,y+1), (x+1,y+1).
pub const QUAD: usize = 4;

/// Fragment attributes of a quad.
#[derive(Clone, Debug, PartialEq)]
pub struct QuadInputs {
    /// By attribute (the order of [`Attribute::FRAGMENT`]), lane and component.
    pub attributes: [[[f32; 4]; QUAD]; Attribute::SLOTS],
}

impl Default for QuadInputs {
    fn default() -> Self {
        Self { attributes: [[[0.0; 4]; QUAD]; Attribute::SLOTS] }
    }
}

/// Registers of one fragment. Components hold fp32 values; the condition code holds the value it was
/// made from, whose sign is the code.
#[derive(Clone, Debug, PartialEq)]
pub struct Registers {
    /// Temporaries, as the program lists them.
    pub temporaries: Vec<[f32; 4]>,
    /// Outputs, as the program lists them.
    pub outputs: Vec<[f32; 4]>,
    /// Output components written so far (bit 0 = x).
    pub outputs_defined: Vec<u8>,
    /// Parameters as the program lists them, for programs that write them; else empty.
    pub parameters: Vec<[f32; 4]>,
    /// The value each condition code component was last made from.
    pub cc: [f32; 4],
    /// Whether the fragment has been discarded.
    pub killed: bool,
}

impl Registers {
    fn new(program: &Program) -> Self {
        Self {
            temporaries: vec![[0.0; 4]; program.temporaries.len()],
            outputs: program.outputs.iter().map(|output| output.role.initial()).collect(),
            outputs_defined: vec![0; program.outputs.len()],
            parameters: Vec::new(),
            cc: [0.0; 4],
            killed: false,
        }
    }

    fn codes(&self) -> [Cc; 4] {
        self.cc.map(condition::code)
    }
}

/// The four fragments of a quad.
pub type QuadRegisters = [Registers; QUAD];

/// Runs the quad to the end; `observe` sees the registers after each instruction.
pub fn run_quad(
    program: &Program,
    bindings: &Bindings,
    inputs: &QuadInputs,
    mut observe: impl FnMut(usize, &QuadRegisters),
) -> QuadRegisters {
    let mut machine = Machine::new(program, bindings, inputs);
    for (pc, instruction) in program.instructions.iter().enumerate() {
        machine.step(instruction);
        observe(pc, &machine.lanes);
    }
    machine.lanes
}

/// Runs the quad and records what fragment `lane` (0 to 3) does at every step.
pub fn record(
    program: &Program,
    bindings: &Bindings,
    inputs: &QuadInputs,
    lane: usize,
    pixel: [u32; 2],
) -> Recording {
    let mut machine = Machine::new(program, bindings, inputs);
    let initial = machine.state(lane);
    let mut steps = Vec::with_capacity(program.instructions.len());
    for (pc, instruction) in program.instructions.iter().enumerate() {
        let before = machine.lanes[lane].clone();
        let evaluation = machine.step(instruction);
        steps.push(machine.describe(pc, instruction, lane, &before, &evaluation));
    }
    let registers = &machine.lanes[lane];
    let output = |role| program.output(role).map(|id| registers.outputs[usize::from(id.0)]);
    Recording {
        pixel,
        initial,
        steps,
        color: bits(output(OutputRole::Color).unwrap_or_default()),
        depth: output(OutputRole::Depth).map(|value| value[2].to_bits()),
        killed: registers.killed,
    }
}

fn bits(value: [f32; 4]) -> [u32; 4] {
    value.map(f32::to_bits)
}

/// One instruction's intermediate values for one lane.
#[derive(Clone, Debug, Default)]
struct Evaluation {
    operands: [Vec<OperandStep>; QUAD],
    result: [[f32; 4]; QUAD],
    saturated: [[f32; 4]; QUAD],
    converted: [[f32; 4]; QUAD],
    computed: u8,
    enabled: [u8; QUAD],
    texture: Option<[TextureStep; QUAD]>,
}

struct Machine<'a> {
    program: &'a Program,
    bindings: &'a Bindings,
    inputs: &'a QuadInputs,
    lanes: QuadRegisters,
}

impl<'a> Machine<'a> {
    fn new(program: &'a Program, bindings: &'a Bindings, inputs: &'a QuadInputs) -> Self {
        Self { program, bindings, inputs, lanes: std::array::from_fn(|_| Registers::new(program)) }
    }

    fn state(&self, lane: usize) -> State {
        let registers = &self.lanes[lane];
        let mut attributes = [[0; 4]; Attribute::SLOTS];
        for instruction in &self.program.instructions {
            for operand in &instruction.operands {
                if let Source::Attribute(attribute) = operand.source {
                    attributes[attribute.index()] = bits(self.inputs.attributes[attribute.index()][lane]);
                }
            }
        }
        State {
            attributes,
            parameters: self.bindings.parameters.iter().copied().map(bits).collect(),
            temporaries: registers.temporaries.iter().copied().map(bits).collect(),
            outputs: registers.outputs.iter().copied().map(bits).collect(),
            outputs_defined: registers.outputs_defined.clone(),
            cc: registers.codes(),
            killed: registers.killed,
            call_stack: Vec::new(),
        }
    }

    /// Executes one instruction on all four lanes.
    fn step(&mut self, instruction: &Instruction) -> Evaluation {
        if let Some(Control::Kill(test)) = &instruction.control {
            for registers in &mut self.lanes {
                registers.killed |= test_all(test, &registers.cc) != 0;
            }
            return Evaluation::default();
        }
        let Some(dest) = &instruction.dest else { return Evaluation::default() };
        let evaluation = self.evaluate(instruction, dest);
        for lane in 0..QUAD {
            self.update(instruction, dest, lane, &evaluation);
        }
        evaluation
    }

    fn evaluate(&self, instruction: &Instruction, dest: &Destination) -> Evaluation {
        let mut evaluation = Evaluation { computed: dest.mask.0, ..Evaluation::default() };
        let plan = plan(instruction.op, instruction.rules);
        let coordinates = instruction.texture.map_or(0, |t| coordinate_count(t.target));
        for lane in 0..QUAD {
            evaluation.operands[lane] = (instruction.operands.iter().enumerate())
                .map(|(index, operand)| {
                    let used = inputs_used(&plan, index, dest.mask.0, coordinates);
                    self.load(operand, instruction, &plan, lane, used)
                })
                .collect();
        }
        self.operate(instruction, &plan, dest.mask.0, &mut evaluation);
        let target_type = self.program.target_type(dest.target);
        for lane in 0..QUAD {
            let result = evaluation.result[lane];
            let saturated = if instruction.saturate { result.map(ops::saturate::<Exact32>) } else { result };
            evaluation.saturated[lane] = saturated;
            let narrows = target_type == Type::F16 && instruction.ty == Type::F32;
            evaluation.converted[lane] = if narrows { saturated.map(fp16::round) } else { saturated };
            let tested = dest.test.map_or(0xF, |test| test_all(&test, &self.lanes[lane].cc));
            evaluation.enabled[lane] = dest.mask.0 & tested;
        }
        evaluation
    }

    /// VectorLoad and ScalarLoad of 3.11.4.3, every stage kept.
    fn load(
        &self,
        operand: &Operand,
        instruction: &Instruction,
        plan: &Plan,
        lane: usize,
        used: u8,
    ) -> OperandStep {
        let register = match operand.source {
            Source::Temp(id) => self.lanes[lane].temporaries[usize::from(id.0)],
            Source::Attribute(attribute) => self.inputs.attributes[attribute.index()][lane],
            Source::Param(id) => self.bindings.parameters[usize::from(id.0)],
            Source::Indexed(indexed) => self.indexed(&indexed, lane),
        };
        let swizzled = operand.swizzle.0.map(|component| register[usize::from(component)]);
        let modified = swizzled.map(|value| modify(operand, value));
        let from = self.program.source_type(operand.source);
        let converted = modified.map(|value| match (from, instruction.ty) {
            (_, Type::F32) if reads_raw_bits(plan) => value,
            (_, Type::F32) => fp32::flush(value),
            (Type::F16, Type::F16) => value,
            (_, Type::F16) => fp16::round(value),
            (_, Type::Fx12) => fx12::round(value),
            (_, Type::Address) => value,
        });
        OperandStep {
            register: bits(register),
            swizzled: bits(swizzled),
            modified: bits(modified),
            converted: bits(converted),
            used,
        }
    }

    /// The parameter that a relative reference reads; (0,0,0,0) outside its array.
    fn indexed(&self, indexed: &Indexed, lane: usize) -> [f32; 4] {
        let address = self.lanes[lane].temporaries[usize::from(indexed.address.0)];
        let index = address[usize::from(indexed.component)] + f32::from(indexed.offset);
        if index >= 0.0 && index < f32::from(indexed.count) {
            self.bindings.parameters[usize::from(indexed.first.0) + index as usize]
        } else {
            [0.0; 4]
        }
    }

    fn operate(&self, instruction: &Instruction, plan: &Plan, mask: u8, evaluation: &mut Evaluation) {
        let input = |evaluation: &Evaluation, lane: usize, operand: usize, component: usize| {
            f32::from_bits(evaluation.operands[lane][operand].converted[component])
        };
        match plan {
            Plan::Vector(components) => {
                for lane in 0..QUAD {
                    for (c, component) in components.iter().enumerate().filter(|&(c, _)| mask >> c & 1 != 0) {
                        evaluation.result[lane][c] =
                            eval(instruction.ty, component, |o, c| input(evaluation, lane, o, c));
                    }
                }
            }
            Plan::Replicated(component) => {
                for lane in 0..QUAD {
                    let value = eval(instruction.ty, component, |o, c| input(evaluation, lane, o, c));
                    evaluation.result[lane] = masked([value; 4], mask);
                }
            }
            Plan::DerivativeX | Plan::DerivativeY => {
                let vertical = *plan == Plan::DerivativeY;
                for lane in 0..QUAD {
                    let (from, to) = derivative_lanes(lane, vertical);
                    let value = std::array::from_fn(|c| {
                        let (from, to) = (input(evaluation, from, 0, c), input(evaluation, to, 0, c));
                        match instruction.ty {
                            Type::F32 | Type::Address => ops::difference::<Exact32>(from, to),
                            Type::F16 => ops::difference::<Half>(from, to),
                            Type::Fx12 => ops::difference::<Fixed>(from, to),
                        }
                    });
                    evaluation.result[lane] = masked(value, mask);
                }
            }
            Plan::Texture(lookup) => {
                if let Some(texture) = instruction.texture {
                    self.sample(texture, *lookup, mask, evaluation);
                }
            }
            Plan::Control => {}
        }
    }

    fn sample(&self, reference: TextureRef, lookup: Lookup, mask: u8, evaluation: &mut Evaluation) {
        let count = coordinate_count(reference.target);
        // Components past the target's coordinates do not take part, whatever the operand holds.
        let rows = |operand: usize| -> [[f32; QUAD]; 4] {
            std::array::from_fn(|c| {
                std::array::from_fn(|lane| match evaluation.operands[lane].get(operand) {
                    Some(loaded) if c < count || c == 3 => f32::from_bits(loaded.converted[c]),
                    _ => 0.0,
                })
            })
        };
        let mut position = rows(0);
        if lookup == Lookup::Projective && reference.target != crate::ir::TextureTarget::Cube {
            let w = position[3];
            for row in &mut position[..count] {
                *row = std::array::from_fn(|lane| ops::div::<Exact32>(row[lane], w[lane]));
            }
        }
        let (dx, dy) = (rows(1), rows(2));
        let coordinates = [&position[0], &position[1], &position[2]];
        let gradients = match lookup {
            Lookup::Gradient => {
                texture::Gradients::Explicit { dx: [&dx[0], &dx[1], &dx[2]], dy: [&dy[0], &dy[1], &dy[2]] }
            }
            Lookup::Plain | Lookup::Projective => texture::Gradients::Quad,
        };
        let mut texel = [[0.0; QUAD]; 4];
        let mut lambda = [f32::NAN; QUAD];
        let bound = self.bindings.texture(reference);
        if let Some(bound) = bound {
            bound.sample(&texture::Lookup { coords: coordinates, gradients }, &mut texel, Some(&mut lambda));
        }
        evaluation.texture = Some(std::array::from_fn(|lane| TextureStep {
            texture: reference,
            coordinates: std::array::from_fn(|c| position[c][lane]),
            lambda: lambda[lane],
            complete: bound.is_some_and(texture::Texture::is_complete),
        }));
        for (lane, result) in evaluation.result.iter_mut().enumerate() {
            *result = masked(std::array::from_fn(|c| texel[c][lane]), mask);
        }
    }

    /// UpdateDestination of 3.11.4.4.
    fn update(&mut self, instruction: &Instruction, dest: &Destination, lane: usize, done: &Evaluation) {
        let registers = &mut self.lanes[lane];
        for c in (0..4).filter(|&c| done.enabled[lane] >> c & 1 != 0) {
            let value = done.converted[lane][c];
            match dest.target {
                Target::Temp(id) => registers.temporaries[usize::from(id.0)][c] = value,
                Target::Output(id) => {
                    registers.outputs[usize::from(id.0)][c] = value;
                    registers.outputs_defined[usize::from(id.0)] |= 1 << c;
                }
                Target::Param(id) => registers.parameters[usize::from(id.0)][c] = value,
                Target::ConditionOnly(_) => {}
            }
            if instruction.update_cc {
                registers.cc[c] = value;
            }
        }
    }

    fn describe(
        &self,
        pc: usize,
        instruction: &Instruction,
        lane: usize,
        before: &Registers,
        done: &Evaluation,
    ) -> Step {
        let after = &self.lanes[lane];
        let enabled = done.enabled[lane];
        let mut changes = Vec::new();
        for c in (0..4usize).filter(|&c| enabled >> c & 1 != 0) {
            let (place, old, new, was_undefined) = match instruction.dest.map(|d| d.target) {
                Some(Target::Temp(id)) => {
                    let index = usize::from(id.0);
                    (Place::Temp(id), before.temporaries[index], after.temporaries[index], false)
                }
                Some(Target::Output(id)) => {
                    let index = usize::from(id.0);
                    let undefined = before.outputs_defined[index] >> c & 1 == 0;
                    (Place::Output(id), before.outputs[index], after.outputs[index], undefined)
                }
                Some(Target::Param(id)) => {
                    let index = usize::from(id.0);
                    (Place::Param(id), before.parameters[index], after.parameters[index], false)
                }
                Some(Target::ConditionOnly(_)) | None => continue,
            };
            let (before, after) = (old[c].to_bits(), new[c].to_bits());
            changes.push(Change { place, component: c as u8, before, after, was_undefined });
        }
        Step {
            pc,
            operands: done.operands[lane].clone(),
            texture: done.texture.map(|t| t[lane]),
            result: bits(done.result[lane]),
            computed: done.computed,
            saturated: bits(done.saturated[lane]),
            converted: bits(done.converted[lane]),
            enabled,
            changes,
            cc_before: before.codes(),
            cc_after: after.codes(),
            kills: after.killed && !before.killed,
        }
    }
}

/// Whether the operation reads its operand's bits as they are (UP).
pub(super) fn reads_raw_bits(plan: &Plan) -> bool {
    let unpacks = |c: &Component| {
        matches!(
            c.kernel,
            Kernel::Up2hLow
                | Kernel::Up2hHigh
                | Kernel::Up2usLow
                | Kernel::Up2usHigh
                | Kernel::Up4b0
                | Kernel::Up4b1
                | Kernel::Up4b2
                | Kernel::Up4b3
                | Kernel::Up4ub0
                | Kernel::Up4ub1
                | Kernel::Up4ub2
                | Kernel::Up4ub3
        )
    };
    matches!(plan, Plan::Vector(components) if components.iter().any(unpacks))
}

/// The two lanes whose difference is the derivative at `lane`: its own row or column of the quad.
pub(super) const fn derivative_lanes(lane: usize, vertical: bool) -> (usize, usize) {
    if vertical { (lane & !2, lane | 2) } else { (lane & !1, lane | 1) }
}

fn masked(value: [f32; 4], mask: u8) -> [f32; 4] {
    std::array::from_fn(|c| if mask >> c & 1 != 0 { value[c] } else { 0.0 })
}

fn modify(operand: &Operand, value: f32) -> f32 {
    let value = if operand.negate { -value } else { value };
    let value = if operand.absolute { ops::absolute::<Exact32>(value) } else { value };
    if operand.negate_absolute { -value } else { value }
}

/// The components of a swizzled condition code that pass, bit 0 = x.
fn test_all(test: &CcTest, cc: &[f32; 4]) -> u8 {
    (0..4).fold(0, |mask, c| {
        let value = cc[usize::from(test.swizzle.0[c])];
        mask | u8::from(condition::passes(test.condition, value)) << c
    })
}

fn eval(ty: Type, component: &Component, input: impl Fn(usize, usize) -> f32) -> f32 {
    let mut inputs = [0.0; MAX_INPUTS];
    for (slot, &(operand, c)) in inputs.iter_mut().zip(component.inputs) {
        *slot = input(usize::from(operand), usize::from(c));
    }
    match ty {
        Type::F32 => eval_as::<Exact32>(component.kernel, &inputs),
        Type::F16 => eval_as::<Half>(component.kernel, &inputs),
        Type::Fx12 => eval_as::<Fixed>(component.kernel, &inputs),
        // Not an operation type.
        Type::Address => eval_as::<Exact32>(component.kernel, &inputs),
    }
}

fn eval_as<A: Arith>(kernel: Kernel, inputs: &[f32; MAX_INPUTS]) -> f32 {
    kernel.eval::<A>(inputs)
}
