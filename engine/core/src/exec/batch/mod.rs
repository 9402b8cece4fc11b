//! The batch executor: runs a program on blocks of 64 fragments or vertices, with one lane register for each
//! component.
//!
//! [`Executable`] is a lowered program, [`Shader`] adds parameter values and textures, [`Worker`] holds the
//! registers of one thread. `lower` makes blocks of low-level IR, `compile` makes functions of them. A
//! program without flow control runs on all lanes without masks. A program with flow control runs block by
//! block, see `flow`.

mod borrow;
mod compile;
mod evaluate;
mod flow;
mod inspection;
mod layout;
mod lower;
mod memory;
mod operands;
mod run_data;
mod stage_shaders;
mod texture;
mod variants;
mod votes;

use std::sync::{Arc, OnceLock};

use super::back_end::{Arguments, BackEnd, Constant};
use super::back_ends;
use super::block::{
    AttributeLanes, BlockOutput, BlockShader, FragmentFacts, FragmentTests, LANES, LaneRegister, ResultLanes,
    VertexShader,
};
use super::invocation::InstructionLimit;
use super::lir::effect::{Across, Gather, GatherRegisters, Scatter};
use super::lir::{self, Effect};
use super::{Bindings, Conflict, Emissions, condition};
use crate::memory::{Before, Session, Shared, Use};
pub use inspection::{Compared, Inspection};
use shadestep_language::ir::{
    Attribute, CcTest, Components, Condition, OutputRole, ParameterSource, Program, VertexResult, limits,
    singles,
};
use shadestep_language::isa::Stage;

use compile::Action;
use flow::{Callees, Exit, Guard, Order};
use layout::Layout;
use lower::Stores;
use memory::InvocationOrder;
use operands::{LaneChoice, Operands};
use variants::{Code, CodeScope, CodeVariant, FlowCode, Literals, SpecializationKey, Wanted};
use votes::Sharing;

/// A program lowered for the batch executor on this processor.
#[derive(Clone, Debug)]
pub struct Executable {
    program: Arc<Program>,
    code: Code,
    /// See [`Self::attributes_used`].
    attributes_used: [u8; Attribute::SLOTS],
    /// Attributes that a program of primitives or patches reads, with the components that results depend on.
    inputs: Vec<(Attribute, u8)>,
    /// Results of the vertices that a geometry program emits.
    emitted: Vec<VertexResult>,
    /// Roles of the program's outputs.
    roles: Vec<OutputRole>,
    /// First of the four lane registers of each draw buffer's colour.
    colors: [Option<usize>; limits::DRAW_BUFFERS as usize],
    /// First of the four lane registers of the second colour.
    secondary: Option<usize>,
    depth: Option<usize>,
    /// The lane register of the sample mask.
    sample_mask: Option<usize>,
    /// Mask of the vertex results that the program writes.
    results: u64,
    can_kill: bool,
    usage: Use,
    /// Ordering of the invocations of a block.
    order: InvocationOrder,
}

impl Executable {
    /// Lowers `program` for the back end in use.
    pub fn new(program: Arc<Program>) -> Self {
        let executable = Self::with(program, Wanted::Results, back_ends::in_use());
        // Compiles while the program loads rather than during the first draw.
        executable.variant(SpecializationKey { scope: CodeScope::Block, literals: Literals::Known });
        executable
    }

    /// An executable for each back end that tests compare: all give the same bits.
    pub fn all(program: &Arc<Program>) -> Vec<Self> {
        let with = |back_end| Self::with(program.clone(), Wanted::Results, back_end);
        back_ends::compared().map(with).collect()
    }

    fn with(program: Arc<Program>, wanted: Wanted, back_end: &'static dyn BackEnd) -> Self {
        let code = Code::new(&program, wanted, back_end);
        let mut colors = [None; limits::DRAW_BUFFERS as usize];
        let (mut secondary, mut depth, mut sample_mask, mut results) = (None, None, None, 0);
        for (output, &base) in program.outputs.iter().zip(&code.layout.outputs) {
            let base = usize::from(base);
            match output.role {
                OutputRole::Color(buffer) => {
                    if let Some(color) = colors.get_mut(usize::from(buffer)) {
                        *color = Some(base);
                    }
                }
                OutputRole::Depth => depth = Some(base + 2),
                OutputRole::SampleMask => sample_mask = Some(base),
                OutputRole::SecondaryColor(0) => secondary = Some(base),
                // Framebuffers with two-colour blending have only one draw buffer.
                OutputRole::SecondaryColor(_) => {}
                OutputRole::Vertex(result) => results |= 1 << result.index(),
                OutputRole::Patch(_) => {}
            }
        }
        let can_kill = program.can_kill();
        let used = code.inputs_used(&program);
        let (mut attributes_used, mut inputs) = ([0; Attribute::SLOTS], Vec::new());
        if program.stage().reads_primitives() {
            inputs.extend(code.layout.attributes.iter().map(|(attribute, _)| *attribute).zip(used));
        } else {
            attributes_used.copy_from_slice(&used[..Attribute::SLOTS]);
        }
        let roles: Vec<OutputRole> = program.outputs.iter().map(|output| output.role).collect();
        let emitted = roles.iter().filter_map(|role| role.vertex()).collect();
        let (usage, order) = (memory::usage(&program), InvocationOrder::of(&program));
        Self {
            code,
            attributes_used,
            inputs,
            emitted,
            roles,
            colors,
            secondary,
            depth,
            sample_mask,
            results,
            can_kill,
            usage,
            order,
            program,
        }
    }

    fn variant(&self, key: SpecializationKey) -> Option<&CodeVariant> {
        self.code.variant(&self.program, key)
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// For each attribute by [`Attribute::index`], the components that results depend on.
    pub fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        self.attributes_used
    }
}

/// An executable with parameter values and textures.
#[derive(Clone, Debug)]
pub struct Shader {
    executable: Arc<Executable>,
    bindings: Bindings,
    uniforms: Vec<(u16, f32)>,
    literals: Literals,
    /// Targets of CALI.
    callees: Callees,
    /// Constants of the functions, by [`SpecializationKey::index`].
    constants: [OnceLock<Vec<f32>>; SpecializationKey::COUNT],
    limit: InstructionLimit,
}

impl Shader {
    /// Binds `bindings`. Parameters beyond those in `bindings` are (0,0,0,0).
    pub fn new(executable: Arc<Executable>, bindings: Bindings) -> Self {
        let uniforms: Vec<(u16, f32)> = (executable.code.layout.uniforms.iter())
            .map(|(uniform, &register)| {
                let parameter = bindings.parameters.get(usize::from(uniform.parameter));
                (register, uniform.of(parameter.copied().unwrap_or_default(), &executable.program))
            })
            .collect();
        let literals = literals(&executable.program, &bindings);
        let flow = executable.code.flow.as_ref();
        let callees = flow.map(|flow| flow.graph.calls(&executable.program, &bindings.subroutines));
        let callees = callees.unwrap_or_default();
        let (constants, limit) = (Default::default(), InstructionLimit::of(&executable.program));
        Self { executable, bindings, uniforms, literals, callees, constants, limit }
    }

    /// The bound memory.
    pub const fn memory(&self) -> &Shared {
        &self.bindings.memory
    }

    /// Replaces the specification's limit of executed instructions. Has no effect on programs without flow
    /// control, which cannot reach the specification's limit.
    #[must_use]
    pub fn with_limit(mut self, limit: InstructionLimit) -> Self {
        self.limit = limit;
        self
    }

    /// The code for `scope`; `None` if the system has no memory for it.
    fn variant(&self, scope: CodeScope) -> Option<VariantInUse<'_>> {
        let key = SpecializationKey { scope, literals: self.literals };
        let code = self.executable.variant(key)?;
        let constants = self.constants[key.index()].get_or_init(|| {
            let uniform = |register| {
                self.uniforms.iter().find(|(other, _)| *other == register).map_or(0.0, |&(_, value)| value)
            };
            let value = |constant: &Constant| match *constant {
                Constant::Bits(bits) => f32::from_bits(bits),
                Constant::Uniform(register) => uniform(register),
            };
            code.lists.constants.iter().map(value).collect()
        });
        Some(VariantInUse { code, constants })
    }

    /// Runs a block from the entry for `lanes`. Only results of `active` are valid.
    fn complete(
        &self,
        worker: &mut Worker,
        inputs: &AttributeLanes,
        (lanes, active): (u64, u64),
        outputs: &mut [LaneRegister],
    ) {
        let memory = self.bindings.memory.session(self.executable.usage);
        let mut call = Call { shader: self, inputs, outputs, active, memory };
        let is_last = self.executable.program.stage() == Stage::Fragment;
        if !is_last || self.executable.usage != Use::None {
            call.memory.enter(LANES, |lane| inputs.before(lane));
        }
        worker.emissions.clear();
        worker.limited.clear();
        let Some(variant) = self.variant(CodeScope::Block) else { return };
        let order = match self.executable.order {
            // Memory waits for one of these invocations, so all earlier invocations must be complete.
            _ if self.executable.usage == Use::Writes && call.awaits(active) => {
                InvocationOrder::apart(&self.executable.program)
            }
            _ if call.memory.is_concurrent() => InvocationOrder::Together,
            order => order,
        };
        match order {
            InvocationOrder::Together => {
                call.begin(active);
                worker.execute(&mut call, variant, lanes);
            }
            InvocationOrder::Apart(group) => worker.execute_apart(&mut call, variant, (lanes, group)),
        }
        if !is_last {
            worker.hand_on(&mut call, active);
        }
    }
}

/// Compiled code with its constants.
#[derive(Clone, Copy, Debug)]
struct VariantInUse<'a> {
    code: &'a CodeVariant,
    constants: &'a [f32],
}

/// One run of a block.
struct Call<'a> {
    shader: &'a Shader,
    inputs: &'a AttributeLanes,
    outputs: &'a mut [LaneRegister],
    /// Lanes whose results are valid.
    active: u64,
    memory: Session<'a>,
}

/// Whether the bound constants of `program` are the ones in its text.
fn literals(program: &Program, bindings: &Bindings) -> Literals {
    let mut parameters = program.parameters.iter().zip(&bindings.parameters);
    let known = bindings.parameters.len() >= program.parameters.len()
        && parameters.all(|(parameter, bound)| match &parameter.source {
            ParameterSource::Constant(constant) => constant.bits == *bound,
            _ => true,
        });
    if known { Literals::Known } else { Literals::Bound }
}

/// Registers of one thread.
#[derive(Clone, Debug)]
pub struct Worker {
    registers: Vec<LaneRegister>,
    lanes: flow::Lanes,
    /// The contents of the mask lane register.
    masked: u64,
    killed: u64,
    /// Whether to continue when no lane with a wanted result is left. Tests set this to compare discarded
    /// lanes too.
    patient: bool,
    /// Vertices that the lanes emitted.
    emissions: Emissions,
    /// The lanes whose conflicts are recorded, and the conflicts.
    counted: u64,
    conflicts: Vec<Conflict>,
    /// Lanes that reached the limit, with the index of each lane's last instruction.
    limited: Vec<(usize, u64)>,
    /// The clock that each lane passes to later stages; empty unless races are detected.
    before: Vec<Before>,
}

impl Worker {
    fn new(shader: &Shader) -> Self {
        let mut registers = vec![LaneRegister::ZERO; usize::from(shader.executable.code.layout.registers)];
        for &(register, value) in &shader.uniforms {
            registers[usize::from(register)] = LaneRegister([value; LANES]);
        }
        let lanes = flow::Lanes::default();
        Self {
            registers,
            lanes,
            masked: 0,
            killed: 0,
            patient: false,
            emissions: Emissions::default(),
            counted: 0,
            conflicts: Vec::new(),
            limited: Vec::new(),
            before: Vec::new(),
        }
    }

    /// Vertices that the lanes emitted.
    pub const fn emissions(&self) -> &Emissions {
        &self.emissions
    }

    /// Initialises registers for the program's first instruction.
    fn load(&mut self, call: &Call<'_>, code: &CodeVariant) {
        self.killed = 0;
        self.make_room(code);
        for &(register, value) in &code.initial {
            self.registers[usize::from(register)] = LaneRegister([value; LANES]);
        }
        for &(register, input) in &code.loads {
            self.registers[usize::from(register)] = call.inputs.all()[usize::from(input)];
        }
    }

    fn make_room(&mut self, code: &CodeVariant) {
        if self.registers.len() < usize::from(code.lists.registers) {
            self.registers.resize(code.lists.registers.into(), LaneRegister::ZERO);
        }
    }

    /// Runs the program for `lanes`. Stops early if no lane of `active` is left.
    fn execute(&mut self, call: &mut Call<'_>, variant: VariantInUse<'_>, lanes: u64) {
        self.load(call, variant.code);
        match &call.shader.executable.code.flow {
            None => self.operate(variant.code.all(), call, variant.constants, lanes),
            Some(flow) => {
                self.follow(call, flow, variant, lanes);
                self.operate(variant.code.end(), call, variant.constants, u64::MAX);
            }
        }
    }

    /// Runs a program with flow control, block by block.
    fn follow(&mut self, call: &mut Call<'_>, flow: &FlowCode, variant: VariantInUse<'_>, lanes: u64) {
        let shader = call.shader;
        let (blocks, code) = (&flow.graph.blocks, &shader.executable.code);
        self.lanes.start(&flow.graph, lanes);
        let mut at = flow.graph.entry;
        loop {
            let mut here;
            if flow.graph.order == Order::DeepestCalls {
                // Callers wait for lanes in calls, whose blocks may come before or after the callers'. Lanes
                // at the limit end anywhere.
                let Some(deepest) = self.lanes.take_deepest() else { return };
                (at, here) = deepest;
            } else if at >= blocks.len() {
                return;
            } else {
                here = self.lanes.take(at);
                if here == 0 {
                    at += 1;
                    continue;
                }
            }
            let block = &blocks[at];
            let (limited, passed);
            if self.lanes.is_near(here, block.counted, shader.limit) {
                // A lane may end within the block: run one instruction at a time.
                let Some(single) = shader.variant(CodeScope::Instruction) else { return };
                self.make_room(single.code);
                (here, limited) = self.single_steps(call, block, single, here);
                passed = block.test.map_or(u64::MAX, |test| self.passing(&test, &code.layout));
            } else {
                // If every running lane is here, no other lane's registers need protection.
                let stores = if here == lanes { Stores::Plain } else { Stores::Masked };
                if stores == Stores::Masked {
                    self.mask(&code.layout, here);
                }
                self.operate(variant.code.block(at, stores), call, variant.constants, here);
                limited = 0;
                let bits = |register: u16| variant.code.bits(register).read(&self.registers);
                passed = block.test.map_or(u64::MAX, |_| bits(code.layout.exit_bits()));
                let conditions = (0..block.converted.len()).map(|n| bits(code.layout.condition_bits(n)));
                self.lanes.count_block(block, here, conditions);
            }
            if self.is_over(call.active) {
                return;
            }
            let finished = if limited == 0 { self.run_loop(call, flow, variant, (at, here)) } else { None };
            at = finished.unwrap_or_else(|| {
                self.lanes.leave(at, &block.exit, (here, passed), &shader.callees, &mut self.registers)
            });
            if limited != 0 {
                self.lanes.end(limited);
            }
        }
    }

    /// Runs the loop after block `at` as a loop kernel for the lanes `here`, if possible. Returns the lowest
    /// block that has lanes afterwards.
    fn run_loop(
        &mut self,
        call: &mut Call<'_>,
        flow: &FlowCode,
        variant: VariantInUse<'_>,
        (at, here): (usize, u64),
    ) -> Option<usize> {
        let (kernel, actions) = flow.kernels[at].as_ref().zip(variant.code.loop_kernel(at))?;
        let shader = call.shader;
        let layout = &shader.executable.code.layout;
        let Exit::Loop(begin) = &flow.graph.blocks[at].exit else { return None };
        let bounds = (kernel, shader.limit);
        let (count, length) = (usize::from(layout.loop_count), usize::from(layout.loop_length));
        let is_counted = begin.count.is_some();
        let going = self.lanes.begin_kernel(here, bounds, &mut self.registers[count].0, is_counted)?;
        self.mask(layout, going);
        self.registers[length] = LaneRegister::ZERO;
        if going != 0 {
            self.operate(actions, call, variant.constants, going);
            // No lane is in the loop any more.
            self.masked = 0;
        }
        let remaining = if is_counted {
            0
        } else {
            going & flow::passing(&self.registers[count].0, |count: f32| count.to_bits() == 0)
        };
        let executed = self.registers[length].0;
        let file = self.registers.as_mut_slice();
        Some(self.lanes.end_kernel((at, begin), (here, remaining), &executed, file))
    }

    /// Runs a block on `here`, one instruction at a time. Returns the lanes that reach the end of the block.
    /// Also returns the lanes that reached the limit with the last instruction, which takes effect in full
    /// except for its branch.
    fn single_steps(
        &mut self,
        call: &mut Call<'_>,
        block: &flow::Block,
        single: VariantInUse<'_>,
        here: u64,
    ) -> (u64, u64) {
        let shader = call.shader;
        let layout = &shader.executable.code.layout;
        let instructions = &shader.executable.program.instructions;
        let (mut here, mut left) = (here, here);
        // The lanes that execute the next instruction, and for each converted IF the lanes around the IF and
        // the lanes that passed its test.
        let mut coming = here;
        let mut guards: Vec<(u64, u64, bool)> = Vec::new();
        for (number, step) in block.steps.iter().enumerate() {
            if let (Some(Guard::EndIf), Some((around, _, true))) = (step.guard, guards.last()) {
                coming = *around;
            }
            let lanes = coming & here;
            self.mask(layout, lanes);
            self.operate(single.code.instruction(step.pc), call, single.constants, lanes);
            self.lanes.count(lanes, instructions[step.pc].cost());
            let next = block.steps.get(number + 1);
            left = here;
            if !next.is_some_and(|next| instructions[next.pc].completes()) {
                let ended = lanes & !self.lanes.below(lanes, shader.limit);
                left &= !ended;
                if ended != 0 {
                    self.limited.push((step.pc, ended));
                }
            }
            match step.guard {
                None => {}
                Some(Guard::If(test)) => {
                    let passed = self.passing(&test, layout);
                    guards.push((coming, passed, false));
                    coming &= passed;
                }
                Some(Guard::Else) => {
                    if let Some((around, passed, has_else)) = guards.last_mut() {
                        *has_else = true;
                        coming = *around & !*passed;
                    }
                }
                Some(Guard::EndIf) => {
                    if let Some((around, ..)) = guards.pop() {
                        coming = around;
                    }
                }
            }
            if number + 1 < block.steps.len() {
                here = left;
            }
        }
        (here, here & !left)
    }

    /// A mask of lanes in which one of the tested condition code components passes.
    fn passing(&self, test: &CcTest, layout: &Layout) -> u64 {
        let tested = layout.cc_registers(test).into_iter();
        tested
            .map(|register| &self.registers[usize::from(register)])
            .fold(0, |passed, register| passed | passing(test.condition, &register.0))
    }

    /// Restricts masked operations to `lanes`.
    fn mask(&mut self, layout: &Layout, lanes: u64) {
        if self.masked != lanes {
            self.masked = lanes;
            let register = &mut self.registers[usize::from(layout.mask)].0;
            flow::change(register, lanes, |_, here| if here { 1.0 } else { 0.0 });
        }
    }

    /// Whether all of `active` have been discarded, so that the run can stop.
    const fn is_over(&self, active: u64) -> bool {
        active & !self.killed == 0 && !self.patient
    }

    /// Executes `actions`. Only `lanes` can be discarded or have side effects. Other lanes may have any
    /// results.
    fn operate(&mut self, actions: &[Action], call: &mut Call<'_>, constants: &[f32], lanes: u64) {
        let active = call.active;
        for action in actions {
            match action {
                Action::Function(function) => function.call(Arguments {
                    registers: &mut self.registers,
                    constants,
                    inputs: call.inputs.all(),
                    outputs: call.outputs,
                }),
                Action::Kill(bits) => {
                    self.killed |= lanes & bits.read(&self.registers);
                    if self.is_over(active) {
                        return;
                    }
                }
                Action::Effect(effect) => self.execute_effect(effect, call, lanes),
            }
        }
    }

    /// Executes an effect. Only `lanes` have side effects.
    fn execute_effect(&mut self, effect: &Effect<u16>, call: &mut Call<'_>, lanes: u64) {
        let bindings = &call.shader.bindings;
        let (operands, results) = (Operands::new(&effect.operands), effect.results.as_slice());
        match &effect.action {
            lir::Action::Texture(sample) => self.sample((sample, operands, results), bindings, lanes),
            lir::Action::Texels(texels) => self.ask((texels, operands, results), bindings),
            lir::Action::Gather(gather) => self.gather((gather, operands, results), &bindings.parameters),
            lir::Action::GatherRegisters(gather) => self.gather_registers(gather, operands, results),
            lir::Action::Evaluate(evaluate) => self.evaluate((evaluate, operands, results), call.inputs),
            lir::Action::Vote(vote) => self.vote((vote, operands, results), lanes),
            lir::Action::Scatter(scatter) => self.scatter(scatter, operands),
            lir::Action::Memory(memory) => self.access((memory, operands, results), call, lanes),
            lir::Action::Emit(emitted) => self.emit(emitted, operands, call, lanes),
            lir::Action::Synchronise => self.synchronise(call, lanes),
        }
    }

    /// The selected element if it is the same in all lanes. The inner `None` means outside the array.
    fn common_place(&self, choice: &LaneChoice) -> Option<Option<usize>> {
        let same = |register: u16| is_common(&self.registers[usize::from(register)].0);
        let value = |register: u16| self.registers[usize::from(register)].0[0];
        choice.registers().all(same).then(|| choice.place(value))
    }

    /// The element that a lane selects.
    fn place(&self, choice: &LaneChoice, lane: usize) -> Option<usize> {
        choice.place(|register| self.registers[usize::from(register)].0[lane])
    }

    /// Reads the parameter that each lane selects (NV_vertex_program2 2.14.2.1); (0,0,0,0) outside the array.
    fn gather(
        &mut self,
        (gather, mut operands, results): (&Gather, Operands<'_>, &[(u8, u16)]),
        parameters: &[Components],
    ) {
        let choice = operands.choice(&gather.choice);
        let array = parameters.get(usize::from(gather.first)..).unwrap_or_default();
        let element = |place: Option<usize>| {
            singles(place.and_then(|place| array.get(place)).copied().unwrap_or_default())
        };
        if let Some(place) = self.common_place(&choice) {
            let value = element(place);
            for &(component, register) in results {
                self.registers[usize::from(register)] = LaneRegister([value[usize::from(component)]; LANES]);
            }
            return;
        }
        let mut values = [[0.0; LANES]; 4];
        for lane in 0..LANES {
            for (register, value) in values.iter_mut().zip(element(self.place(&choice, lane))) {
                register[lane] = value;
            }
        }
        for &(component, register) in results {
            self.registers[usize::from(register)].0 = values[usize::from(component)];
        }
    }

    /// Reads the attribute, temporary or result that each lane selects; (0,0,0,0) outside the array, and if
    /// there is no such invocation of the patch.
    fn gather_registers(
        &mut self,
        gather: &GatherRegisters,
        mut operands: Operands<'_>,
        results: &[(u8, u16)],
    ) {
        let choice = operands.choice(&gather.choice);
        let element = |place: usize| gather.elements.get(place).map(|element| element.start);
        if gather.across.is_none()
            && let Some(place) = self.common_place(&choice)
        {
            let base = place.and_then(element);
            for &(component, register) in results {
                let value = base.map(|base| self.registers[usize::from(base) + usize::from(component)]);
                self.registers[usize::from(register)] = value.unwrap_or(LaneRegister::ZERO);
            }
            return;
        }
        // The lane and the first lane register that each lane reads.
        let each = usize::from(gather.choice.counts[1]).max(1);
        let read = |lane: usize, place: usize| match &gather.across {
            None => Some((lane, element(place)?)),
            Some(Across { first, group }) => {
                let patch = lane / usize::from(*group) * usize::from(*group);
                Some((patch + usize::from(*first) + place / each, element(place % each)?))
            }
        };
        let read: [_; LANES] = std::array::from_fn(|lane| read(lane, self.place(&choice, lane)?));
        let mut values = [[0.0; LANES]; 8];
        for (lane, read) in read.into_iter().enumerate() {
            let Some((other, base)) = read else { continue };
            for &(component, _) in results {
                let row = &self.registers[usize::from(base) + usize::from(component)].0;
                values[usize::from(component)][lane] = row.get(other).copied().unwrap_or(0.0);
            }
        }
        for &(component, register) in results {
            self.registers[usize::from(register)].0 = values[usize::from(component)];
        }
    }

    /// Writes the result or temporary that each lane selects, or a per-patch result. Ignores writes outside
    /// the array. If several lanes write a per-patch result, the last lane wins.
    fn scatter(&mut self, scatter: &Scatter, mut operands: Operands<'_>) {
        let sources = operands.take_slice(scatter.offsets.len());
        let choice = operands.choice(&scatter.choice);
        let mut sharing = scatter.shared.as_ref().map(|shared| Sharing::new(shared.group, shared.pc));
        // A lane's write can change the source of a later lane, so copies all values first.
        let rows = sharing.as_ref().map(|_| {
            let values = sources.iter().map(|&register| self.registers[usize::from(register)]);
            values.collect::<Vec<LaneRegister>>()
        });
        for lane in 0..LANES {
            let value = |registers: &[LaneRegister], register: u16| registers[usize::from(register)].0[lane];
            if scatter.mask.is_some_and(|mask| value(&self.registers, mask) == 0.0) {
                continue;
            }
            let place = self.place(&choice, lane);
            let Some(element) = place.and_then(|place| scatter.elements.get(place)) else { continue };
            // A value may be in a lane register that is written.
            let mut values = [0.0; 8];
            match &rows {
                Some(rows) => values.iter_mut().zip(rows).for_each(|(new, row)| *new = row.0[lane]),
                None => {
                    for (new, &register) in values.iter_mut().zip(sources) {
                        *new = value(&self.registers, register);
                    }
                }
            }
            let lanes = sharing.as_ref().map_or(lane..lane + 1, |sharing| sharing.lanes(lane));
            let mut against = None;
            for (&component, new) in scatter.offsets.iter().zip(values) {
                let passes = scatter.test.as_ref().is_none_or(|test| {
                    let flags = value(&self.registers, test.registers[usize::from(component % 4)]);
                    condition::passes(test.condition, flags.to_bits())
                });
                if passes {
                    let row = usize::from(element.start) + usize::from(component);
                    if let Some(sharing) = sharing.as_mut().filter(|_| self.counted >> lane & 1 != 0) {
                        against = sharing.write(row, lane, new.to_bits()).or(against);
                    }
                    self.registers[row].0[lanes.clone()].fill(new);
                }
            }
            if let (Some(sharing), Some(other)) = (&sharing, against) {
                sharing.note([other, lane], &mut self.conflicts);
            }
        }
    }
}

/// Whether all lanes are equal.
fn is_common(values: &[f32; LANES]) -> bool {
    let first = values[0].to_bits();
    values.iter().fold(0, |differ, value| differ | (value.to_bits() ^ first)) == 0
}

/// A mask of lanes whose flags pass.
fn passing(condition: Condition, register: &[f32; LANES]) -> u64 {
    // One loop for each condition, so that the match does not run in every lane.
    match condition {
        Condition::Eq => flow::passing(register, |flags| condition::passes(Condition::Eq, flags.to_bits())),
        Condition::Ge => flow::passing(register, |flags| condition::passes(Condition::Ge, flags.to_bits())),
        Condition::Gt => flow::passing(register, |flags| condition::passes(Condition::Gt, flags.to_bits())),
        Condition::Le => flow::passing(register, |flags| condition::passes(Condition::Le, flags.to_bits())),
        Condition::Lt => flow::passing(register, |flags| condition::passes(Condition::Lt, flags.to_bits())),
        Condition::Ne => flow::passing(register, |flags| condition::passes(Condition::Ne, flags.to_bits())),
        Condition::Tr => u64::MAX,
        Condition::Fl => 0,
        _ => flow::passing(register, |flags| condition::passes(condition, flags.to_bits())),
    }
}

impl BlockShader for Shader {
    type Worker = Worker;

    fn worker(&self) -> Worker {
        Worker::new(self)
    }

    fn facts(&self) -> FragmentFacts {
        let executable = &self.executable;
        let program = &executable.program;
        let colors = executable.colors.iter().enumerate();
        FragmentFacts {
            attributes_used: executable.attributes_used(),
            interpolation: program.interpolation(),
            evaluates: program.evaluates(),
            colors_written: colors
                .fold(0, |mask, (buffer, color)| mask | u8::from(color.is_some()) << buffer),
            writes_secondary: executable.secondary.is_some(),
            writes_depth: executable.depth.is_some(),
            writes_sample_mask: executable.sample_mask.is_some(),
            shades_samples: program.shades_samples(),
            can_kill: executable.can_kill,
            memory_use: executable.usage,
            is_concurrent: self.bindings.memory.is_concurrent(),
            needs_pixels: false,
            tests: if program.options.early_fragment_tests {
                FragmentTests::Early
            } else {
                FragmentTests::Late
            },
        }
    }

    fn run(&self, worker: &mut Worker, inputs: &AttributeLanes, active: u64, output: &mut BlockOutput) {
        self.complete(worker, inputs, (u64::MAX, active), &mut output.color);
        output.killed = worker.killed;
        let [_, others @ ..] = &self.executable.colors;
        for (registers, base) in output.other_colors.iter_mut().zip(others) {
            if let Some(base) = *base {
                registers.copy_from_slice(&worker.registers[base..base + 4]);
            }
        }
        if let Some(base) = self.executable.secondary {
            output.secondary.copy_from_slice(&worker.registers[base..base + 4]);
        }
        if let Some(register) = self.executable.depth {
            output.depth = worker.registers[register];
        }
        if let Some(register) = self.executable.sample_mask {
            output.sample_mask = worker.registers[register];
        }
    }
}

impl VertexShader for Shader {
    type Worker = Worker;

    fn worker(&self) -> Worker {
        Worker::new(self)
    }

    fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        self.executable.attributes_used()
    }

    fn results_written(&self) -> u64 {
        self.executable.results
    }

    fn memory_use(&self) -> Use {
        self.executable.usage
    }

    fn is_serialised(&self) -> bool {
        self.runs_in_order()
    }

    fn run(&self, worker: &mut Worker, inputs: &AttributeLanes, active: u64, output: &mut ResultLanes) {
        self.complete(worker, inputs, (active, active), output.all_mut());
        output.before.clone_from(&worker.before);
    }
}

const _: () = assert!(LANES == 64, "lane masks are 64 bits");
