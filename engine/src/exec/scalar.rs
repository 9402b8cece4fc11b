//! The traced executor: one 2x2 quad in lock-step, or one vertex, one instruction after the other,
//! everything it does told to an observer. Lanes that branch apart take turns, lowest place first.
//!
//! It reads the IR directly, without lowering, so that it can serve as the plain statement of what a
//! program does; the wide executor is tested against it bit for bit.

use super::ops::{self, Arith, Exact32, Fixed, Half, Kernel, MAX_INPUTS};
use super::plan::{Component, Lookup, Plan, inputs_used, plan, undefined_components};
use super::thread::{Effects, InstructionLimit, Steering, Thread};
use super::{Bindings, condition, relative_index};
use crate::debug::{
    Cc, Change, Ended, OperandStep, Place, Recording, RelativeRead, RelativeWrite, State, Step, Subject,
    TextureStep,
};
use crate::ir::{
    Attribute, CcTest, Control, Destination, Indexed, IndexedAttribute, IndexedOutput, Instruction, Operand,
    OutputId, OutputRole, ParamId, Program, Rules, Saturation, Source, Target, TempId, TextureRef,
    TextureTarget, Type,
};
use crate::isa::Stage;
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
    /// Components of each temporary that have a defined value (bit 0 = x).
    pub temporaries_defined: Vec<u8>,
    /// Components of each output that have been written with a defined value (bit 0 = x).
    pub outputs_defined: Vec<u8>,
    /// Parameters as the program lists them, for vertex state programs, which write them; else empty.
    pub parameters: Vec<[f32; 4]>,
    /// The value each condition code component was last made from, by [`crate::ir::CcRegister`].
    pub cc: [[f32; 4]; 2],
    /// Whether the fragment has been discarded.
    pub killed: bool,
}

impl Registers {
    fn new(program: &Program, bindings: &Bindings) -> Self {
        let mut parameters = Vec::new();
        if program.language.stage() == Stage::VertexState {
            parameters.extend_from_slice(&bindings.parameters);
            parameters.resize(program.parameters.len(), [0.0; 4]);
        }
        Self {
            temporaries: vec![[0.0; 4]; program.temporaries.len()],
            outputs: program.outputs.iter().map(|output| output.role.initial()).collect(),
            temporaries_defined: vec![program.temporaries_defined(); program.temporaries.len()],
            outputs_defined: vec![0; program.outputs.len()],
            parameters,
            cc: [[0.0; 4]; 2],
            killed: false,
        }
    }

    fn codes(&self) -> [[Cc; 4]; 2] {
        self.cc.map(|cc| cc.map(condition::code))
    }

    /// The components of a swizzled condition code that pass, bit 0 = x.
    fn test(&self, test: &CcTest) -> u8 {
        let cc = &self.cc[test.register.index()];
        (0..4).fold(0, |mask, c| {
            let value = cc[usize::from(test.swizzle.0[c])];
            mask | u8::from(condition::passes(test.condition, value)) << c
        })
    }
}

/// The four fragments of a quad.
pub type QuadRegisters = [Registers; QUAD];

/// What one invocation came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Its registers at the end.
    pub registers: Registers,
    /// Why it ended.
    pub ended: Ended,
    /// Instructions it executed.
    pub executed: u32,
}

/// Runs the quad to the end; `observe` sees the registers after each instruction, told its index.
/// Fragments that stand at different places go on one place at a time, the lowest first.
pub fn run_quad(
    program: &Program,
    bindings: &Bindings,
    inputs: &QuadInputs,
    mut observe: impl FnMut(usize, &QuadRegisters),
) -> QuadRegisters {
    let mut machine = Machine::new(program, bindings, inputs);
    while let Some((pc, lanes)) = machine.next() {
        machine.step(pc, lanes);
        observe(pc, &machine.lanes);
    }
    machine.lanes
}

/// Runs the quad to the end with another limit than the specification's.
pub fn run_quad_within(
    program: &Program,
    bindings: &Bindings,
    inputs: &QuadInputs,
    limit: InstructionLimit,
) -> [Finished; QUAD] {
    let mut machine = Machine::new(program, bindings, inputs);
    machine.limit = limit;
    while let Some((pc, lanes)) = machine.next() {
        machine.step(pc, lanes);
    }
    let mut threads = machine.threads.into_iter();
    machine.lanes.map(|registers| {
        let thread = threads.next().unwrap_or_else(Thread::absent);
        Finished { registers, ended: thread.ended.unwrap_or(Ended::Normal), executed: thread.executed }
    })
}

/// Runs the quad and records what fragment `lane` (0 to 3) does at every step.
pub fn record(
    program: &Program,
    bindings: &Bindings,
    inputs: &QuadInputs,
    lane: usize,
    pixel: [u32; 2],
) -> Recording {
    Machine::new(program, bindings, inputs).record(lane, Subject::Fragment { pixel })
}

/// Values of the vertex attribute registers of one vertex.
pub type VertexInputs = [[f32; 4]; Attribute::SLOTS];

/// Runs a vertex program on one vertex.
pub fn run_vertex(program: &Program, bindings: &Bindings, inputs: &VertexInputs) -> Finished {
    run_vertex_within(program, bindings, inputs, InstructionLimit::default())
}

/// Runs a vertex program on one vertex with another limit than the specification's.
pub fn run_vertex_within(
    program: &Program,
    bindings: &Bindings,
    inputs: &VertexInputs,
    limit: InstructionLimit,
) -> Finished {
    let inputs = lone_inputs(inputs);
    let mut machine = Machine::alone(program, bindings, &inputs);
    machine.limit = limit;
    while let Some((pc, lanes)) = machine.next() {
        machine.step(pc, lanes);
    }
    let [registers, ..] = machine.lanes;
    let [thread, ..] = machine.threads;
    Finished { registers, ended: thread.ended.unwrap_or(Ended::Normal), executed: thread.executed }
}

/// Runs a vertex program on one vertex and records every step.
pub fn record_vertex(
    program: &Program,
    bindings: &Bindings,
    inputs: &VertexInputs,
    subject: Subject,
) -> Recording {
    let inputs = lone_inputs(inputs);
    Machine::alone(program, bindings, &inputs).record(0, subject)
}

/// Executes a vertex state program with `v0` in attribute register 0 (NV_vertex_program2 2.14.5). Gives
/// the values that the parameters then have, parallel to [`Program::parameters`].
pub fn run_state_program(program: &Program, bindings: &Bindings, v0: [f32; 4]) -> Vec<[f32; 4]> {
    run_vertex(program, bindings, &state_program_inputs(v0)).registers.parameters
}

/// Executes a vertex state program and records every step.
pub fn record_state_program(program: &Program, bindings: &Bindings, v0: [f32; 4]) -> Recording {
    record_vertex(program, bindings, &state_program_inputs(v0), Subject::StateProgram)
}

fn state_program_inputs(v0: [f32; 4]) -> VertexInputs {
    let mut inputs = VertexInputs::default();
    inputs[0] = v0;
    inputs
}

/// Lane 0 of a quad whose other lanes do not take part.
fn lone_inputs(inputs: &VertexInputs) -> QuadInputs {
    let mut quad = QuadInputs::default();
    for (attribute, value) in quad.attributes.iter_mut().zip(inputs) {
        attribute[0] = *value;
    }
    quad
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
    /// Components of the result that the specification leaves undefined.
    undefined: u8,
    relative_target: [Option<RelativeWrite>; QUAD],
    effects: [Effects; QUAD],
    if_depth_before: [u32; QUAD],
}

struct Machine<'a> {
    program: &'a Program,
    bindings: &'a Bindings,
    inputs: &'a QuadInputs,
    limit: InstructionLimit,
    lanes: QuadRegisters,
    threads: [Thread; QUAD],
}

impl<'a> Machine<'a> {
    fn new(program: &'a Program, bindings: &'a Bindings, inputs: &'a QuadInputs) -> Self {
        Self {
            program,
            bindings,
            inputs,
            limit: InstructionLimit::default(),
            lanes: std::array::from_fn(|_| Registers::new(program, bindings)),
            threads: std::array::from_fn(|_| Thread::new(program)),
        }
    }

    /// Only lane 0 takes part.
    fn alone(program: &'a Program, bindings: &'a Bindings, inputs: &'a QuadInputs) -> Self {
        let mut machine = Self::new(program, bindings, inputs);
        machine.threads[1..].fill_with(Thread::absent);
        machine
    }

    /// The lowest place where a lane stands, and a bit for each lane there; `None` when all have ended.
    fn next(&self) -> Option<(usize, u8)> {
        let running = || self.threads.iter().enumerate().filter(|(_, thread)| thread.ended.is_none());
        let pc = running().map(|(_, thread)| thread.pc).min()?;
        let there = running().filter(|(_, thread)| thread.pc == pc);
        Some((pc, there.fold(0, |lanes, (lane, _)| lanes | 1 << lane)))
    }

    fn record(mut self, lane: usize, subject: Subject) -> Recording {
        let program = self.program;
        let initial = self.state(lane);
        let mut steps = Vec::with_capacity(program.instructions.len());
        while let Some((pc, lanes)) = self.next() {
            if lanes >> lane & 1 == 0 {
                self.step(pc, lanes);
                continue;
            }
            let before = self.lanes[lane].clone();
            let evaluation = self.step(pc, lanes);
            steps.push(self.describe(pc, lane, lanes, &before, evaluation));
        }
        steps.shrink_to_fit();
        let registers = &self.lanes[lane];
        let output = |role| program.output(role).map(|id| registers.outputs[usize::from(id.0)]);
        Recording {
            subject,
            initial,
            steps,
            ended: self.threads[lane].ended.unwrap_or(Ended::Normal),
            outputs: registers.outputs.iter().copied().map(bits).collect(),
            color: bits(output(OutputRole::Color(0)).unwrap_or_default()),
            depth: output(OutputRole::Depth).map(|value| value[2].to_bits()),
            killed: registers.killed,
        }
    }

    fn state(&self, lane: usize) -> State {
        let registers = &self.lanes[lane];
        let mut attributes = [[0; 4]; Attribute::SLOTS];
        for instruction in &self.program.instructions {
            for operand in &instruction.operands {
                for attribute in operand.source.attributes() {
                    attributes[attribute.index()] = bits(self.inputs.attributes[attribute.index()][lane]);
                }
            }
        }
        let parameters = 0..self.program.parameters.len();
        State {
            attributes,
            parameters: parameters.map(|index| bits(self.parameter(index, lane))).collect(),
            temporaries: registers.temporaries.iter().copied().map(bits).collect(),
            outputs: registers.outputs.iter().copied().map(bits).collect(),
            temporaries_defined: registers.temporaries_defined.clone(),
            outputs_defined: registers.outputs_defined.clone(),
            cc: registers.codes(),
            killed: registers.killed,
            call_stack: Vec::new(),
            loops: Vec::new(),
            if_depth: 0,
        }
    }

    /// Parameter `index` as `lane` sees it: its own copy where the program writes parameters.
    fn parameter(&self, index: usize, lane: usize) -> [f32; 4] {
        let own = &self.lanes[lane].parameters;
        let values = if own.is_empty() { &self.bindings.parameters } else { own };
        values.get(index).copied().unwrap_or_default()
    }

    /// Executes the instruction at `pc` on `lanes`, which stand there.
    fn step(&mut self, pc: usize, lanes: u8) -> Evaluation {
        let instruction = &self.program.instructions[pc];
        let mut evaluation = Evaluation::default();
        match (&instruction.dest, &instruction.control) {
            (Some(dest), None) => {
                evaluation = self.evaluate(instruction, dest, lanes);
                for lane in lanes_of(lanes) {
                    self.update(instruction, dest, lane, &evaluation);
                }
            }
            (_, Some(control)) => self.load_for_control(instruction, control, lanes, &mut evaluation),
            (None, None) => {}
        }
        for lane in lanes_of(lanes) {
            self.steer(instruction, lane, &mut evaluation);
        }
        evaluation
    }

    /// Operands of instructions that steer.
    fn load_for_control(
        &self,
        instruction: &Instruction,
        control: &Control,
        lanes: u8,
        into: &mut Evaluation,
    ) {
        let used = match control {
            Control::KillNegative | Control::PushAddress => 0b1111,
            Control::Loop { index: Some(_), .. } => 0b0111,
            Control::Loop { index: None, .. } => 0b0001,
            _ => 0,
        };
        for lane in lanes_of(lanes) {
            let operands = instruction.operands.iter();
            into.operands[lane] =
                operands.map(|operand| self.load(operand, instruction, &Plan::Control, lane, used)).collect();
        }
    }

    /// Lets the instruction act on the flow of `lane`.
    fn steer(&mut self, instruction: &Instruction, lane: usize, evaluation: &mut Evaluation) {
        let registers = &mut self.lanes[lane];
        let operand = evaluation.operands[lane].first().map_or([0.0; 4], |o| o.converted.map(f32::from_bits));
        let passed = match &instruction.control {
            Some(Control::KillNegative) => operand.iter().any(|&value| value < 0.0),
            Some(control) => control.test().is_none_or(|test| registers.test(&test) != 0),
            None => true,
        };
        registers.killed |= passed && instruction.control.as_ref().is_some_and(Control::is_kill);
        let thread = &mut self.threads[lane];
        evaluation.if_depth_before[lane] = thread.ifs;
        let effects = thread.advance(self.program, Steering { passed, operand }, self.limit);
        for &(TempId(temp), value) in &effects.indices {
            registers.temporaries[usize::from(temp)][0] = value;
        }
        if let (Some(value), Some(Destination { target: Target::Temp(id), .. })) =
            (effects.popped, instruction.dest)
        {
            registers.temporaries[usize::from(id.0)] = value;
        }
        evaluation.effects[lane] = effects;
    }

    fn evaluate(&self, instruction: &Instruction, dest: &Destination, lanes: u8) -> Evaluation {
        let plan = plan(instruction.op, instruction.rules);
        let undefined = undefined_components(&plan);
        let mut evaluation = Evaluation { computed: dest.mask.0, undefined, ..Evaluation::default() };
        let coordinates = instruction.texture.map_or(0, |t| t.target.coordinates());
        // Derivatives look at the whole quad, also at lanes that stand elsewhere.
        let loaded = match plan {
            Plan::DerivativeX | Plan::DerivativeY | Plan::Texture(_) => 0xF,
            Plan::Vector(_) | Plan::Replicated(_) | Plan::Control => lanes,
        };
        for lane in lanes_of(loaded) {
            evaluation.operands[lane] = (instruction.operands.iter().enumerate())
                .map(|(index, operand)| {
                    let used = inputs_used(&plan, index, dest.mask.0, coordinates);
                    self.load(operand, instruction, &plan, lane, used)
                })
                .collect();
        }
        self.operate(instruction, &plan, dest.mask.0, loaded, &mut evaluation);
        let target_type = self.program.target_type(dest.target);
        for lane in lanes_of(lanes) {
            let result = evaluation.result[lane];
            let saturated = match instruction.saturate {
                Saturation::None => result,
                Saturation::Unsigned => result.map(ops::saturate::<Exact32, f32>),
                Saturation::Signed => result.map(ops::saturate_signed::<Exact32, f32>),
            };
            evaluation.saturated[lane] = saturated;
            let narrows = target_type == Type::F16 && instruction.ty == Type::F32;
            evaluation.converted[lane] = if narrows { saturated.map(fp16::round) } else { saturated };
            let tested = dest.test.map_or(0xF, |test| self.lanes[lane].test(&test));
            evaluation.enabled[lane] = dest.mask.0 & tested;
            if let Target::IndexedOutput(indexed) = dest.target {
                evaluation.relative_target[lane] = Some(self.resolve_output(&indexed, lane));
            }
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
        let mut relative = None;
        let register = match operand.source {
            Source::Temp(id) => self.lanes[lane].temporaries[usize::from(id.0)],
            Source::Attribute(attribute) => self.inputs.attributes[attribute.index()][lane],
            Source::Param(id) => self.parameter(usize::from(id.0), lane),
            Source::Indexed(indexed) => {
                let read = self.resolve(&indexed, lane);
                relative = Some(read);
                read.parameter.map_or([0.0; 4], |id| self.parameter(usize::from(id.0), lane))
            }
            Source::IndexedAttribute(indexed) => {
                let read = self.resolve_attribute(&indexed, lane);
                relative = Some(read);
                read.attribute.map_or([0.0; 4], |attribute| self.inputs.attributes[attribute.index()][lane])
            }
        };
        let swizzled: [f32; 4] = std::array::from_fn(|c| operand.swizzle.select(c, &register));
        let modified = std::array::from_fn(|c| modify(operand, c, swizzled[c]));
        let from = self.program.source_type(operand.source);
        let converted = modified.map(|value: f32| match (from, instruction.ty) {
            (_, Type::F32) if reads_raw_bits(plan) => value,
            (_, Type::F32) => fp32::flush(value),
            (Type::F16, Type::F16) => value,
            (_, Type::F16) => fp16::round(value),
            (_, Type::Fx12) => fx12::round(value),
            (_, Type::Address) => value,
        });
        OperandStep {
            relative,
            register: bits(register),
            swizzled: bits(swizzled),
            modified: bits(modified),
            converted: bits(converted),
            used,
        }
    }

    /// Where a relative reference leads: the element of an array of `count`, if it is inside.
    fn element(
        &self,
        (address, component, offset): (TempId, u8, i64),
        count: u16,
        lane: usize,
    ) -> (i64, Option<u16>) {
        let address = self.lanes[lane].temporaries[usize::from(address.0)];
        let index = relative_index(address[usize::from(component)], offset);
        (index, u16::try_from(index).ok().filter(|index| *index < count))
    }

    fn resolve(&self, indexed: &Indexed, lane: usize) -> RelativeRead {
        let &Indexed { first, count, address, component, offset } = indexed;
        let (index, element) = self.element((address, component, offset), count, lane);
        RelativeRead { index, parameter: element.map(|n| ParamId(first.0 + n)), attribute: None }
    }

    fn resolve_attribute(&self, indexed: &IndexedAttribute, lane: usize) -> RelativeRead {
        let &IndexedAttribute { first, count, address, component, offset } = indexed;
        let (index, element) = self.element((address, component, offset), count.into(), lane);
        RelativeRead { index, parameter: None, attribute: element.and_then(|n| first.after(n as u8)) }
    }

    fn resolve_output(&self, indexed: &IndexedOutput, lane: usize) -> RelativeWrite {
        let &IndexedOutput { first, count, address, component, offset } = indexed;
        let (index, element) = self.element((address, component, offset), count.into(), lane);
        RelativeWrite { index, output: element.map(|n| OutputId(first.0 + n)) }
    }

    fn operate(
        &self,
        instruction: &Instruction,
        plan: &Plan,
        mask: u8,
        lanes: u8,
        evaluation: &mut Evaluation,
    ) {
        let input = |evaluation: &Evaluation, lane: usize, operand: usize, component: usize| {
            f32::from_bits(evaluation.operands[lane][operand].converted[component])
        };
        match plan {
            Plan::Vector(components) => {
                for lane in lanes_of(lanes) {
                    for (c, component) in components.iter().enumerate().filter(|&(c, _)| mask >> c & 1 != 0) {
                        evaluation.result[lane][c] =
                            eval(instruction.ty, component, |o, c| input(evaluation, lane, o, c));
                    }
                }
            }
            Plan::Replicated(component) => {
                for lane in lanes_of(lanes) {
                    let value = eval(instruction.ty, component, |o, c| input(evaluation, lane, o, c));
                    evaluation.result[lane] = masked([value; 4], mask);
                }
            }
            Plan::DerivativeX | Plan::DerivativeY => {
                let vertical = *plan == Plan::DerivativeY;
                for lane in lanes_of(lanes) {
                    let (from, to) = derivative_lanes(lane, vertical);
                    let value = std::array::from_fn(|c| {
                        let (from, to) = (input(evaluation, from, 0, c), input(evaluation, to, 0, c));
                        match instruction.ty {
                            Type::F32 | Type::Address => ops::difference::<Exact32, f32>(from, to),
                            Type::F16 => ops::difference::<Half, f32>(from, to),
                            Type::Fx12 => ops::difference::<Fixed, f32>(from, to),
                        }
                    });
                    evaluation.result[lane] = masked(value, mask);
                }
            }
            Plan::Texture(lookup) => {
                if let Some(texture) = instruction.texture {
                    self.sample(instruction, texture, *lookup, mask, evaluation);
                }
            }
            Plan::Control => {}
        }
    }

    fn sample(
        &self,
        instruction: &Instruction,
        reference: TextureRef,
        lookup: Lookup,
        mask: u8,
        evaluation: &mut Evaluation,
    ) {
        let coordinates = reference.target.coordinates();
        // Components past the target's coordinates do not take part, whatever the operand holds.
        let rows = |operand: usize| -> [[f32; QUAD]; 4] {
            std::array::from_fn(|c| {
                std::array::from_fn(|lane| match evaluation.operands[lane].get(operand) {
                    Some(loaded) if coordinates >> c & 1 != 0 || c == 3 => {
                        f32::from_bits(loaded.converted[c])
                    }
                    _ => 0.0,
                })
            })
        };
        let mut position = rows(0);
        let w = position[3];
        if lookup == Lookup::Projective && reference.target != TextureTarget::Cube {
            for row in (0..3).filter(|c| coordinates >> c & 1 != 0) {
                position[row] =
                    std::array::from_fn(|lane| ops::div::<Exact32, f32>(position[row][lane], w[lane]));
            }
        }
        let (dx, dy) = (rows(1), rows(2));
        let zero = [0.0; QUAD];
        let has_neighbours = self.program.language.stage() == Stage::Fragment;
        let request = texture::Lookup {
            coords: [&position[0], &position[1], &position[2]],
            gradients: match lookup {
                Lookup::Gradient => texture::Gradients::Explicit {
                    dx: [&dx[0], &dx[1], &dx[2]],
                    dy: [&dy[0], &dy[1], &dy[2]],
                },
                Lookup::Level => texture::Gradients::Level(&w),
                _ if has_neighbours => texture::Gradients::Quad,
                // Vertices have none: their level of detail is zero (NV_vertex_program3 2.14.5.45).
                _ => texture::Gradients::Level(&zero),
            },
            bias: (lookup == Lookup::Bias).then_some(&w),
            reference: reference.target.is_shadow().then_some(&position[2]),
        };
        let mut texel = incomplete_texel(instruction.rules).map(|value| [value; QUAD]);
        let mut lambda = [f32::NAN; QUAD];
        let bound = self.bindings.texture(reference).filter(|texture| texture.is_complete());
        if let Some(bound) = bound {
            bound.sample(&request, &mut texel, Some(&mut lambda));
            // ARB_fragment_program_shadow 3.11.6.
            let defined = request.reference.is_none() || bound.compares();
            evaluation.undefined |= if defined { 0 } else { 0xF };
        }
        evaluation.texture = Some(std::array::from_fn(|lane| TextureStep {
            texture: reference,
            coordinates: std::array::from_fn(|c| position[c][lane]),
            lambda: lambda[lane],
            complete: bound.is_some(),
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
            let define = |mask: &mut u8| *mask = *mask & !(1 << c) | !done.undefined & 1 << c;
            match dest.target {
                Target::Temp(id) => {
                    registers.temporaries[usize::from(id.0)][c] = value;
                    define(&mut registers.temporaries_defined[usize::from(id.0)]);
                }
                Target::Output(id) => {
                    registers.outputs[usize::from(id.0)][c] = value;
                    define(&mut registers.outputs_defined[usize::from(id.0)]);
                }
                Target::IndexedOutput(_) => {
                    let place = done.relative_target[lane].and_then(|relative| relative.output);
                    if let Some(id) = place {
                        registers.outputs[usize::from(id.0)][c] = value;
                        define(&mut registers.outputs_defined[usize::from(id.0)]);
                    }
                }
                Target::Param(id) => registers.parameters[usize::from(id.0)][c] = value,
                Target::ConditionOnly(_) => {}
            }
            if let Some(register) = instruction.update_cc {
                registers.cc[register.index()][c] = value;
            }
        }
    }

    fn describe(&self, pc: usize, lane: usize, lanes: u8, before: &Registers, mut done: Evaluation) -> Step {
        let instruction = &self.program.instructions[pc];
        let after = &self.lanes[lane];
        let effects = std::mem::take(&mut done.effects[lane]);
        let relative_target = done.relative_target[lane];
        let written = match instruction.dest.map(|dest| dest.target) {
            Some(Target::Temp(id)) => Some(Place::Temp(id)),
            Some(Target::Output(id)) => Some(Place::Output(id)),
            Some(Target::IndexedOutput(_)) => relative_target.and_then(|r| r.output).map(Place::Output),
            Some(Target::Param(id)) => Some(Place::Param(id)),
            Some(Target::ConditionOnly(_)) | None => None,
        };
        let enabled = if effects.popped.is_some() { 0xF } else { done.enabled[lane] };
        let mut changes = Vec::new();
        if let Some(place) = written {
            changes.extend(lanes_of(enabled).map(|c| change(place, c, before, after)));
        }
        for &(temp, _) in &effects.indices {
            let change = change(Place::Temp(temp), 0, before, after);
            if !changes.contains(&change) {
                changes.push(change);
            }
        }
        Step {
            pc,
            lanes,
            taken: effects.taken,
            stack: effects.stack,
            loops: effects.loops,
            if_depth_before: done.if_depth_before[lane] as u8,
            if_depth_after: self.threads[lane].ifs as u8,
            operands: std::mem::take(&mut done.operands[lane]),
            texture: done.texture.map(|t| t[lane]),
            result: bits(done.result[lane]),
            computed: done.computed,
            undefined: done.undefined & done.computed,
            saturated: bits(done.saturated[lane]),
            converted: bits(done.converted[lane]),
            relative_target,
            enabled,
            changes,
            cc_before: before.codes(),
            cc_after: after.codes(),
            kills: after.killed && !before.killed,
        }
    }
}

/// The change of component `c` at `place` from `before` to `after`.
fn change(place: Place, c: usize, before: &Registers, after: &Registers) -> Change {
    let value = |registers: &Registers| match place {
        Place::Temp(id) => registers.temporaries[usize::from(id.0)][c],
        Place::Output(id) => registers.outputs[usize::from(id.0)][c],
        Place::Param(id) => registers.parameters[usize::from(id.0)][c],
    };
    let is_undefined = |registers: &Registers| match place {
        Place::Temp(id) => registers.temporaries_defined[usize::from(id.0)] >> c & 1 == 0,
        Place::Output(id) => registers.outputs_defined[usize::from(id.0)] >> c & 1 == 0,
        Place::Param(_) => false,
    };
    Change {
        place,
        component: c as u8,
        before: value(before).to_bits(),
        after: value(after).to_bits(),
        was_undefined: is_undefined(before),
        is_undefined: is_undefined(after),
    }
}

/// What a lookup gives where no complete texture is bound (ARB_fragment_program 3.11.6).
pub(super) const fn incomplete_texel(rules: Rules) -> [f32; 4] {
    match rules {
        Rules::Arb => [0.0, 0.0, 0.0, 1.0],
        Rules::Fragment | Rules::Vertex1 | Rules::Vertex2 => [0.0; 4],
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

/// The lanes with a bit in `mask`.
fn lanes_of(mask: u8) -> impl Iterator<Item = usize> {
    (0..QUAD).filter(move |lane| mask >> lane & 1 != 0)
}

fn masked(value: [f32; 4], mask: u8) -> [f32; 4] {
    std::array::from_fn(|c| if mask >> c & 1 != 0 { value[c] } else { 0.0 })
}

fn modify(operand: &Operand, c: usize, value: f32) -> f32 {
    let value = if operand.negate.has(c) { -value } else { value };
    let value = if operand.absolute { ops::absolute::<Exact32, f32>(value) } else { value };
    if operand.negate_absolute { -value } else { value }
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
    kernel.eval::<A, f32>(inputs)
}
