//! The wide executor: a program lowered once to operations over rows of 64 fragments or vertices.
//!
//! [`Executable`] is the lowered program, [`Shader`] binds parameter values and textures to it,
//! [`Worker`] holds one thread's registers. Dispatch is paid per block and operation; the arithmetic
//! is in [`kernels`]. A program that branches runs block by block, see [`flow`]; one that does not runs
//! on all lanes without masks.

mod apart;
mod flow;
mod kernels;
mod live;
mod lower;
mod micro;
mod native;

use std::sync::Arc;

use super::block::{AttributeRows, BlockOutput, BlockShader, LANES, Row, VertexRows, VertexShader};
use super::thread::InstructionLimit;
use super::{Bindings, condition, guard, relative_index};
use crate::ir::{Attribute, Condition, OutputRole, ParameterSource, Program, VertexResult, limits};
use crate::num::fp32;
use crate::texture;
use apart::apart;
use kernels::{Level, Mode};
use live::Liveness;
use lower::{Code, FlowCode, Layout, Native, Stores, lower};
use micro::{Detail, Gather, GatherRows, Micro, Sample, Scatter};
use native::{Arguments, Constant};

/// A program lowered for the wide executor on this processor.
#[derive(Clone, Debug)]
pub struct Executable {
    program: Arc<Program>,
    code: Code,
    /// First of the four rows of each draw buffer's colour.
    colors: [Option<usize>; limits::DRAW_BUFFERS as usize],
    depth: Option<usize>,
    /// Vertex results written, with the first of their four rows.
    results: Vec<(VertexResult, usize)>,
    can_kill: bool,
}

impl Executable {
    /// Lowers `program` for the best instruction set this processor has.
    pub fn new(program: Arc<Program>) -> Self {
        let live = Liveness::of(&program);
        Self::with(program, &live, best_level())
    }

    /// One for every instruction set this processor has, and one with machine code where it has the instructions
    /// for that. All give the same bits: for tests that see to it.
    pub fn all(program: &Arc<Program>) -> Vec<Self> {
        let live = Liveness::of(program);
        let levels = kernels::levels().iter();
        let compiled = levels.clone().filter(|level| level.compiles.is_some()).copied();
        let interpreted = levels.map(Level::interpreted);
        interpreted.chain(compiled).map(|level| Self::with(program.clone(), &live, &level)).collect()
    }

    fn with(program: Arc<Program>, live: &Liveness, level: &Level) -> Self {
        let code = lower(&program, live, level);
        let mut colors = [None; limits::DRAW_BUFFERS as usize];
        let (mut depth, mut results) = (None, Vec::new());
        for (output, &base) in program.outputs.iter().zip(&code.layout.outputs) {
            let base = usize::from(base);
            match output.role {
                OutputRole::Color(buffer) => {
                    if let Some(color) = colors.get_mut(usize::from(buffer)) {
                        *color = Some(base);
                    }
                }
                OutputRole::Depth => depth = Some(base + 2),
                OutputRole::Vertex(result) => results.push((result, base)),
            }
        }
        let can_kill = program.can_kill();
        Self { code, colors, depth, results, can_kill, program }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// For each attribute by [`Attribute::index`], the components that results depend on.
    pub fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        self.code.attributes_used
    }
}

fn best_level() -> &'static Level {
    let levels = kernels::levels();
    &levels[levels.len() - 1]
}

/// An executable with parameter values and textures.
#[derive(Clone, Debug)]
pub struct Shader {
    executable: Arc<Executable>,
    bindings: Bindings,
    uniforms: Vec<(u16, f32)>,
    /// Whether guarded runs are those of the executable's machine code.
    compiled: bool,
    /// What it is called with.
    constants: Vec<f32>,
    limit: InstructionLimit,
}

impl Shader {
    /// Binds `bindings`; parameters beyond those given are (0,0,0,0).
    pub fn new(executable: Arc<Executable>, bindings: Bindings) -> Self {
        let uniforms: Vec<(u16, f32)> = (executable.code.layout.uniforms.iter())
            .map(|&(row, uniform)| {
                let parameter = bindings.parameters.get(usize::from(uniform.parameter));
                (row, uniform.of(parameter.copied().unwrap_or_default()))
            })
            .collect();
        let uniform = |row| uniforms.iter().find(|(other, _)| *other == row).map_or(0.0, |&(_, value)| value);
        let native = executable.code.native.as_ref();
        let native = native.filter(|_| has_its_constants(&executable.program, &bindings));
        let compiled = native.is_some();
        let constants = native.into_iter().flat_map(|native| &native.constants);
        let constants = constants.map(|constant| match *constant {
            Constant::Bits(bits) => f32::from_bits(bits),
            Constant::Uniform(row) => uniform(row),
        });
        let constants = constants.collect();
        Self { executable, bindings, uniforms, compiled, constants, limit: InstructionLimit::default() }
    }

    /// The same with another limit of executed instructions than the specification's. Programs without flow
    /// cannot come to that one, so none is applied to them.
    #[must_use]
    pub fn with_limit(mut self, limit: InstructionLimit) -> Self {
        self.limit = limit;
        self
    }

    /// The machine code for `mode`.
    fn native(&self, mode: Mode) -> Option<&Native> {
        self.executable.code.native.as_ref().filter(|_| self.compiled && mode == Mode::Guarded)
    }

    /// Runs a block, starting `lanes`. Results count where `active` has a bit.
    fn complete(
        &self,
        worker: &mut Worker,
        inputs: &AttributeRows,
        (lanes, active): (u64, u64),
        outputs: &mut [Row],
    ) -> Results {
        let code = &self.executable.code;
        let mut call = Call { shader: self, inputs, outputs, active, mode: Mode::Exact };
        let mut guarded = code.guardable && guard::available();
        guarded &= worker.distrust.trusts();
        if guarded {
            call.mode = Mode::Guarded;
            worker.load(&call);
            guard::clear();
            worker.execute(&mut call, lanes);
            if !guard::raised() && !worker.has_suspects(&call) {
                worker.distrust = Distrust::default();
                return if self.native(call.mode).is_some() { Results::InOutputs } else { Results::InRows };
            }
            worker.distrust.grow();
        }
        call.mode = Mode::Exact;
        worker.load(&call);
        worker.execute(&mut call, lanes);
        Results::InRows
    }
}

/// Where the results of a block are that have rows in the outputs; all others are in the worker's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Results {
    /// In the worker's rows.
    InRows,
    /// In the outputs.
    InOutputs,
}

/// A block that is run.
struct Call<'a> {
    shader: &'a Shader,
    inputs: &'a AttributeRows,
    outputs: &'a mut [Row],
    /// Lanes whose results count.
    active: u64,
    mode: Mode,
}

/// Whether the constants of `program` have their own values, which are compiled into its code.
fn has_its_constants(program: &Program, bindings: &Bindings) -> bool {
    let mut parameters = program.parameters.iter().zip(&bindings.parameters);
    bindings.parameters.len() >= program.parameters.len()
        && parameters.all(|(parameter, bound)| match &parameter.source {
            ParameterSource::Constant(value) => value.map(f32::to_bits) == bound.map(f32::to_bits),
            _ => true,
        })
}

/// Registers of one thread.
#[derive(Clone, Debug)]
pub struct Worker {
    rows: Vec<Row>,
    /// Operands of a lookup that are not read where they are.
    copies: Box<[Row; Sample::OPERANDS]>,
    lanes: flow::Lanes,
    /// The lanes that the mask row has.
    masked: u64,
    killed: u64,
    /// Whether it goes on when nobody's result is wanted any more.
    patient: bool,
    /// After guarded runs that were in vain.
    distrust: Distrust,
}

impl Worker {
    fn new(shader: &Shader) -> Self {
        let mut rows = vec![Row::ZERO; usize::from(shader.executable.code.layout.rows)];
        for &(row, value) in shader.uniforms.iter().chain(&shader.executable.code.constants) {
            rows[usize::from(row)] = Row([value; LANES]);
        }
        let lanes = flow::Lanes::default();
        let copies = Box::new([Row::ZERO; Sample::OPERANDS]);
        Self { rows, copies, lanes, masked: 0, killed: 0, patient: false, distrust: Distrust::default() }
    }

    fn load(&mut self, call: &Call) {
        let (code, inputs) = (&call.shader.executable.code, call.inputs);
        self.killed = 0;
        for &(row, value) in &code.initial {
            self.rows[usize::from(row)] = Row([value; LANES]);
        }
        if let Some(native) = call.shader.native(call.mode) {
            for &(row, input) in &native.loads {
                self.rows[usize::from(row)] = inputs.all()[usize::from(input)];
            }
            return;
        }
        for &(attribute, base) in &code.layout.attributes {
            let used = code.attributes_used[attribute.index()];
            for c in (0..4).filter(|c| used >> c & 1 != 0) {
                self.rows[usize::from(base) + c] = *inputs.row(attribute, c);
            }
        }
    }

    /// Runs the program, starting `lanes`. Stops early once no lane of `active` is left.
    fn execute(&mut self, call: &mut Call, lanes: u64) {
        let code = &call.shader.executable.code;
        let native = call.shader.native(call.mode);
        match &code.flow {
            None => {
                let micros = native.map_or(code.plain.all(), Native::all);
                self.operate(micros, call, u64::MAX);
            }
            Some(flow) => {
                self.follow(call, flow, lanes);
                if let Some(native) = native {
                    self.operate(native.end(), call, u64::MAX);
                }
            }
        }
    }

    /// Whether a result is a denorm or NaN, after a guarded run.
    fn has_suspects(&self, call: &Call) -> bool {
        if self.is_over(call.active) {
            // There are no results.
            return false;
        }
        let code = &call.shader.executable.code;
        match call.shader.native(call.mode) {
            Some(native) => native.suspects.read(&self.rows) & call.active != 0,
            None => code.result_rows.iter().any(|&row| is_suspect(&self.rows[usize::from(row)], call.active)),
        }
    }

    /// Runs a program with flow, block by block.
    fn follow(&mut self, call: &mut Call, flow: &FlowCode, lanes: u64) {
        let shader = call.shader;
        let (blocks, code) = (&flow.graph.blocks, &shader.executable.code);
        self.lanes.start(&flow.graph, lanes);
        let mut at = flow.graph.entry;
        while let Some(block) = blocks.get(at) {
            let mut here = self.lanes.take(at);
            if here == 0 {
                at += 1;
                continue;
            }
            let length = block.length;
            let mut limited = 0;
            if self.lanes.is_near(here, length, shader.limit) {
                // Lanes may end within the block: one instruction at a time.
                let mut instructions = block.instructions().peekable();
                while let Some(pc) = instructions.next() {
                    self.mask(&code.layout, here);
                    self.operate(flow.masked.of(pc, pc + 1), call, here);
                    self.lanes.count(here, 1);
                    let left = self.lanes.below(here, shader.limit);
                    // Of the last instruction all effects count but where it leads.
                    if instructions.peek().is_some() {
                        here = left;
                    } else {
                        limited = here & !left;
                    }
                }
            } else {
                // Where every lane that takes part is here, nobody's registers need care.
                let stores = if here == lanes { Stores::Plain } else { Stores::Masked };
                if stores == Stores::Masked {
                    self.mask(&code.layout, here);
                }
                if let Some(native) = shader.native(call.mode) {
                    self.operate(native.block(at, stores), call, here);
                } else {
                    let micros = if stores == Stores::Plain { &code.plain } else { &flow.masked };
                    for part in &block.parts {
                        self.operate(micros.of(part.start, part.end), call, here);
                    }
                }
                self.lanes.count(here, length);
            }
            if self.is_over(call.active) {
                return;
            }
            let rows = &flow.exits[at];
            let passed = block.exit.test().map_or(u64::MAX, |test| {
                let tested = rows.tested.iter().map(|&row| &self.rows[usize::from(row)]);
                tested.fold(0, |passed, row| passed | passing(test.condition, &row.0))
            });
            at = self.lanes.leave(at, &block.exit, (here, passed), rows, &mut self.rows);
            if limited != 0 {
                self.lanes.end(limited);
            }
        }
    }

    /// Makes masked operations change `lanes` only.
    fn mask(&mut self, layout: &Layout, lanes: u64) {
        if self.masked != lanes {
            self.masked = lanes;
            let row = &mut self.rows[usize::from(layout.mask)].0;
            flow::change(row, lanes, |_, here| if here { 1.0 } else { 0.0 });
        }
    }

    /// Whether all of `active` have been discarded, so that nothing more has to be done.
    const fn is_over(&self, active: u64) -> bool {
        active & !self.killed == 0 && !self.patient
    }

    /// Carries out `micros`; only `lanes` can be discarded, and others need have no results.
    fn operate(&mut self, micros: &[Micro], call: &mut Call, lanes: u64) {
        let Call { shader, active, mode, .. } = *call;
        let bindings = &shader.bindings;
        for micro in micros {
            match micro {
                Micro::Native(function) => function.call(Arguments {
                    rows: &mut self.rows,
                    constants: &shader.constants,
                    inputs: call.inputs.all(),
                    outputs: call.outputs,
                }),
                Micro::Rows { functions, groups, .. } => {
                    kernels::call(functions[mode as usize], &mut self.rows, groups);
                }
                Micro::Kill { condition, rows } => {
                    for &row in rows {
                        self.killed |= lanes & passing(*condition, &self.rows[usize::from(row)].0);
                    }
                    if self.is_over(active) {
                        return;
                    }
                }
                Micro::KillNegative(rows) => {
                    for &row in rows {
                        let mut flushed = Row::ZERO;
                        let values = scalar(&self.rows, row, mode, &mut flushed);
                        self.killed |= lanes & passing(Condition::Lt, values);
                    }
                    if self.is_over(active) {
                        return;
                    }
                }
                Micro::KillBits(bits) => {
                    self.killed |= lanes & bits.read(&self.rows);
                    if self.is_over(active) {
                        return;
                    }
                }
                Micro::Texture(sample) => self.sample(sample, bindings, mode, lanes),
                Micro::Gather(gather) => self.gather(gather, &bindings.parameters),
                Micro::GatherRows(gather) => self.gather_rows(gather),
                Micro::Scatter(scatter) => self.scatter(scatter),
            }
        }
    }

    /// Reads a parameter of each lane's own (NV_vertex_program2 2.14.2.1); (0,0,0,0) outside the array.
    fn gather(&mut self, gather: &Gather, parameters: &[[f32; 4]]) {
        let array = parameters.get(usize::from(gather.first)..).unwrap_or_default();
        let array = &array[..array.len().min(usize::from(gather.count))];
        let element = |address: f32| {
            let index = relative_index(address, gather.offset);
            usize::try_from(index).ok().and_then(|index| array.get(index)).copied().unwrap_or_default()
        };
        let addresses = self.rows[usize::from(gather.address)].0;
        if let Some(address) = common(&addresses) {
            let value = element(address);
            for &(component, row) in &gather.results {
                self.rows[usize::from(row)] = Row([value[usize::from(component)]; LANES]);
            }
            return;
        }
        let mut values = [[0.0; LANES]; 4];
        for (lane, &address) in addresses.iter().enumerate() {
            for (row, value) in values.iter_mut().zip(element(address)) {
                row[lane] = value;
            }
        }
        for &(component, row) in &gather.results {
            self.rows[usize::from(row)].0 = values[usize::from(component)];
        }
    }

    /// Reads an attribute of each lane's own; (0,0,0,0) outside the array.
    fn gather_rows(&mut self, gather: &GatherRows) {
        let address = &self.rows[usize::from(gather.address)].0;
        if let Some(address) = common(address) {
            let base = element(&gather.elements, address, gather.offset).copied();
            for &(component, row) in &gather.results {
                let value = base.map(|base| self.rows[usize::from(base) + usize::from(component)]);
                self.rows[usize::from(row)] = value.unwrap_or(Row::ZERO);
            }
            return;
        }
        let mut values = [[0.0; LANES]; 4];
        for (lane, &address) in address.iter().enumerate() {
            if let Some(&base) = element(&gather.elements, address, gather.offset) {
                for &(component, _) in &gather.results {
                    let component = usize::from(component);
                    values[component][lane] = self.rows[usize::from(base) + component].0[lane];
                }
            }
        }
        for &(component, row) in &gather.results {
            self.rows[usize::from(row)].0 = values[usize::from(component)];
        }
    }

    /// Writes a result of each lane's own; nothing outside the array.
    fn scatter(&mut self, scatter: &Scatter) {
        for lane in 0..LANES {
            let value = |rows: &[Row], row: u16| rows[usize::from(row)].0[lane];
            if scatter.mask.is_some_and(|mask| value(&self.rows, mask) == 0.0) {
                continue;
            }
            let address = value(&self.rows, scatter.address);
            let Some(&base) = element(&scatter.elements, address, scatter.offset) else { continue };
            for &(component, row) in &scatter.values {
                let passes = scatter.test.is_none_or(|(condition, tested)| {
                    condition::passes(condition, value(&self.rows, tested[usize::from(component)]))
                });
                if passes {
                    let new = value(&self.rows, row);
                    self.rows[usize::from(base) + usize::from(component)].0[lane] = new;
                }
            }
        }
    }

    fn sample(&mut self, sample: &Sample, bindings: &Bindings, mode: Mode, lanes: u64) {
        let Some(texture) = bindings.texture(sample.texture).filter(|texture| texture.is_complete()) else {
            for (&row, value) in sample.results.iter().zip(sample.incomplete) {
                if let Some(row) = row {
                    self.rows[usize::from(row)] = Row([value; LANES]);
                }
            }
            return;
        };
        if mode == Mode::Exact || sample.overlaps {
            for (row, copy) in sample.operands().iter().zip(self.copies.iter_mut()) {
                let Some(row) = *row else { continue };
                let values = &self.rows[usize::from(row)];
                *copy = if mode == Mode::Exact { Row(values.0.map(fp32::flush)) } else { *values };
            }
        }
        let (results, rest) = apart(&mut self.rows, sample.results);
        let copies = &*self.copies;
        let read = |operand: usize, row: u16| {
            let row = if mode == Mode::Exact { None } else { rest.get(row) };
            &row.unwrap_or(&copies[operand]).0
        };
        let three = |first: usize, rows: [u16; 3]| {
            [read(first, rows[0]), read(first + 1, rows[1]), read(first + 2, rows[2])]
        };
        let coords = three(0, sample.coordinates);
        let gradients = match sample.detail {
            Detail::Quad => texture::Gradients::Quad,
            Detail::Sides([dx, dy]) => texture::Gradients::Explicit { dx: three(3, dx), dy: three(6, dy) },
            Detail::Level(row) => texture::Gradients::Level(read(9, row)),
        };
        let bias = sample.bias.map(|row| read(10, row));
        let reference = sample.texture.target.is_shadow().then_some(coords[2]);
        let lookup = texture::Lookup { coords, gradients, bias, reference };
        texture.sample_rows(&lookup, results.map(|row| row.map(|row| &mut row.0)), lanes);
    }
}

/// What all lanes have, if they have the same.
fn common(values: &[f32; LANES]) -> Option<f32> {
    let first = values[0];
    let differing = |differ: u32, value: &f32| differ | (value.to_bits() ^ first.to_bits());
    (values.iter().fold(0, differing) == 0).then_some(first)
}

/// The element of an array that an address leads to.
fn element(elements: &[u16], address: f32, offset: i64) -> Option<&u16> {
    usize::try_from(relative_index(address, offset)).ok().and_then(|index| elements.get(index))
}

/// A row; in full arithmetic through `flushed`, as any operand load.
fn scalar<'a>(all: &'a [Row], row: u16, mode: Mode, flushed: &'a mut Row) -> &'a [f32; LANES] {
    let row = &all[usize::from(row)].0;
    if mode == Mode::Guarded {
        return row;
    }
    flushed.0 = row.map(fp32::flush);
    &flushed.0
}

/// A bit for each lane whose value passes.
fn passing(condition: Condition, row: &[f32; LANES]) -> u64 {
    // One loop a condition, rather than a choice in every lane.
    match condition {
        Condition::Eq => flow::passing(row, |value| condition::passes(Condition::Eq, value)),
        Condition::Ge => flow::passing(row, |value| condition::passes(Condition::Ge, value)),
        Condition::Gt => flow::passing(row, |value| condition::passes(Condition::Gt, value)),
        Condition::Le => flow::passing(row, |value| condition::passes(Condition::Le, value)),
        Condition::Lt => flow::passing(row, |value| condition::passes(Condition::Lt, value)),
        Condition::Ne => flow::passing(row, |value| condition::passes(Condition::Ne, value)),
        Condition::Tr => u64::MAX,
        Condition::Fl => 0,
    }
}

/// Whether a lane of `row` in `active` is a denorm or NaN.
fn is_suspect(row: &Row, active: u64) -> bool {
    fn suspect(value: f32) -> bool {
        let magnitude = value.to_bits() & 0x7FFF_FFFF;
        (magnitude.wrapping_sub(1) < 0x007F_FFFF) | (magnitude > 0x7F80_0000)
    }
    // Most rows have none: one quick look at all lanes.
    row.0.iter().fold(false, |any, &value| any | suspect(value))
        && row.0.iter().enumerate().any(|(lane, &value)| active >> lane & 1 != 0 && suspect(value))
}

/// Whether guarded runs are worth trying. A picture full of denorms or NaNs must not pay twice for each block, one
/// with a few of them not for the blocks around.
#[derive(Clone, Copy, Debug, Default)]
struct Distrust {
    /// Blocks still to run in full at once.
    left: u32,
    /// How many there were after the last run in vain; 0 if it was not the last of all.
    last: u32,
}

impl Distrust {
    /// Most blocks that run in full after one run in vain.
    const MOST: u32 = 15;

    /// Whether the next block may be tried.
    fn trusts(&mut self) -> bool {
        let left = self.left;
        self.left = left.saturating_sub(1);
        left == 0
    }

    /// Notes a run in vain.
    fn grow(&mut self) {
        self.last = (2 * self.last + 1).min(Self::MOST);
        self.left = self.last;
    }
}

impl BlockShader for Shader {
    type Worker = Worker;

    fn worker(&self) -> Worker {
        Worker::new(self)
    }

    fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        self.executable.attributes_used()
    }

    fn colors_written(&self) -> u8 {
        let written = self.executable.colors.iter().enumerate();
        written.fold(0, |mask, (buffer, color)| mask | u8::from(color.is_some()) << buffer)
    }

    fn writes_depth(&self) -> bool {
        self.executable.depth.is_some()
    }

    fn can_kill(&self) -> bool {
        self.executable.can_kill
    }

    fn run(&self, worker: &mut Worker, inputs: &AttributeRows, active: u64, output: &mut BlockOutput) {
        let results = self.complete(worker, inputs, (u64::MAX, active), &mut output.color);
        output.killed = worker.killed;
        let [color, others @ ..] = &self.executable.colors;
        if let Some(base) = color.filter(|_| results == Results::InRows) {
            output.color.copy_from_slice(&worker.rows[base..base + 4]);
        }
        for (rows, base) in output.other_colors.iter_mut().zip(others) {
            if let Some(base) = *base {
                rows.copy_from_slice(&worker.rows[base..base + 4]);
            }
        }
        if let Some(row) = self.executable.depth {
            output.depth = worker.rows[row];
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

    fn results_written(&self) -> u32 {
        self.executable.results.iter().fold(0, |mask, (result, _)| mask | 1 << result.index())
    }

    fn run(&self, worker: &mut Worker, inputs: &AttributeRows, active: u64, output: &mut VertexRows) {
        let results = self.complete(worker, inputs, (active, active), output.all_mut());
        if results == Results::InOutputs {
            return;
        }
        for &(result, base) in &self.executable.results {
            output.rows_mut(result).copy_from_slice(&worker.rows[base..base + 4]);
        }
    }
}

/// The wide executor with nothing left out, one instruction at a time: for comparing its registers
/// with the scalar executor's.
#[derive(Debug)]
pub struct Inspection {
    shader: Shader,
    worker: Worker,
    inputs: AttributeRows,
    done: usize,
}

impl Inspection {
    /// One for every instruction set this processor has, with its name.
    pub fn all(
        program: &Arc<Program>,
        bindings: &Bindings,
        inputs: &AttributeRows,
    ) -> Vec<(&'static str, Self)> {
        let live = Liveness::everything(program);
        let inspect = |level: &Level| {
            let executable = Arc::new(Executable::with(program.clone(), &live, level));
            let shader = Shader::new(executable, bindings.clone());
            let mut worker = Worker::new(&shader);
            // No lane is ever given up, so that discarded ones can be compared too.
            worker.patient = true;
            let mut inspection = Self { shader, worker, inputs: inputs.clone(), done: program.entry };
            inspection.call(|worker, call| worker.load(call));
            (level.name, inspection)
        };
        kernels::levels().iter().map(inspect).collect()
    }

    /// Executes the next instruction on every lane, in full arithmetic. For programs without flow; call it
    /// as often as there are instructions from the entry on, no more.
    pub fn step(&mut self) {
        let executable = self.shader.executable.clone();
        let micros = executable.code.plain.of(self.done, self.done + 1);
        self.call(|worker, call| worker.operate(micros, call, u64::MAX));
        self.done += 1;
    }

    /// Runs `lanes` from the entry to the end, in full arithmetic, as often as you like.
    pub fn finish(&mut self, lanes: u64, limit: InstructionLimit) {
        self.shader.limit = limit;
        self.call(|worker, call| {
            worker.load(call);
            worker.execute(call, lanes);
        });
    }

    /// Does something in full arithmetic, whose results stay in rows.
    fn call(&mut self, act: impl FnOnce(&mut Worker, &mut Call)) {
        let Self { shader, worker, inputs, .. } = self;
        act(worker, &mut Call { shader, inputs, outputs: &mut [], active: u64::MAX, mode: Mode::Exact });
    }

    /// Instructions that `lane` executed, after [`Self::finish`] on a program with flow.
    pub fn executed(&self, lane: usize) -> u32 {
        self.worker.lanes.executed(lane)
    }

    /// The registers of `lane` as they stand.
    pub fn registers(&self, lane: usize) -> super::Registers {
        let layout = &self.shader.executable.code.layout;
        let read = |base: u16| std::array::from_fn(|c| self.worker.rows[usize::from(base) + c].0[lane]);
        super::Registers {
            temporaries: layout.temporaries.iter().map(|&base| read(base)).collect(),
            outputs: layout.outputs.iter().map(|&base| read(base)).collect(),
            temporaries_defined: Vec::new(),
            outputs_defined: Vec::new(),
            parameters: Vec::new(),
            cc: [read(layout.cc), read(layout.cc + 4)],
            killed: self.worker.killed >> lane & 1 != 0,
        }
    }
}

const _: () = assert!(LANES == 64, "lane masks are 64 bits");
