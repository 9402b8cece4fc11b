//! The wide executor: a program lowered once to operations over rows of 64 fragments.
//!
//! [`Executable`] is the lowered program, [`Shader`] binds parameter values and textures to it,
//! [`Worker`] holds one thread's registers. Dispatch is paid per block and operation; the arithmetic
//! is in [`kernels`].

mod kernels;
mod live;
mod lower;

use std::sync::Arc;

use super::block::{AttributeRows, BlockOutput, BlockShader, LANES, Row};
use super::ops::{self, Exact32};
use super::{Bindings, condition, guard};
use crate::ir::{Attribute, Condition, OutputRole, Program};
use crate::num::fp32;
use crate::texture;
use kernels::{Level, Mode};
use live::Liveness;
use lower::{Code, Micro, Modifier, Sample, Uniform, lower};

/// A program lowered for the wide executor on this processor.
#[derive(Clone, Debug)]
pub struct Executable {
    program: Arc<Program>,
    code: Code,
    color: Option<usize>,
    depth: Option<usize>,
    can_kill: bool,
}

impl Executable {
    /// Lowers `program` for the best instruction set this processor has.
    pub fn new(program: Arc<Program>) -> Self {
        let live = Liveness::of(&program);
        Self::with(program, &live, best_level())
    }

    fn with(program: Arc<Program>, live: &Liveness, level: &Level) -> Self {
        let code = lower(&program, live, level);
        let output = |role| program.output(role).map(|id| usize::from(id.0));
        let can_kill = program.can_kill();
        Self { code, color: output(OutputRole::Color), depth: output(OutputRole::Depth), can_kill, program }
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// For each attribute of [`Attribute::FRAGMENT`], the components that results depend on.
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
}

impl Shader {
    /// Binds `bindings`; parameters beyond those given are (0,0,0,0).
    pub fn new(executable: Arc<Executable>, bindings: Bindings) -> Self {
        let uniforms = (executable.code.layout.uniforms.iter())
            .map(|&(row, uniform)| (row, uniform_value(&uniform, &bindings.parameters)))
            .collect();
        Self { executable, bindings, uniforms }
    }
}

fn uniform_value(uniform: &Uniform, parameters: &[[f32; 4]]) -> f32 {
    let parameter = parameters.get(usize::from(uniform.parameter)).copied().unwrap_or_default();
    let value = parameter[usize::from(uniform.component)];
    let value = match uniform.modifier {
        Modifier::None => value,
        Modifier::Negate => ops::negate::<Exact32>(value),
        Modifier::Absolute => ops::absolute::<Exact32>(value),
        Modifier::NegateAbsolute => ops::negate_absolute::<Exact32>(value),
    };
    let mut inputs = [0.0; ops::MAX_INPUTS];
    inputs[0] = value;
    uniform.conversion.kernel().eval::<Exact32>(&inputs)
}

/// Registers of one thread.
#[derive(Clone, Debug)]
pub struct Worker {
    rows: Vec<Row>,
    texels: [[f32; LANES]; 4],
    killed: u64,
    /// Blocks still to run in full at once, after guarded runs that were in vain.
    distrust: u32,
}

impl Worker {
    fn new(shader: &Shader) -> Self {
        let mut rows = vec![Row::ZERO; usize::from(shader.executable.code.layout.rows)];
        for &(row, value) in &shader.uniforms {
            rows[usize::from(row)] = Row([value; LANES]);
        }
        Self { rows, texels: [[0.0; LANES]; 4], killed: 0, distrust: 0 }
    }

    fn load(&mut self, code: &Code, inputs: &AttributeRows) {
        self.killed = 0;
        for &row in &code.zeroed {
            self.rows[usize::from(row)] = Row::ZERO;
        }
        for &(attribute, base) in &code.layout.attributes {
            let used = code.attributes_used[attribute.index()];
            for c in (0..4).filter(|c| used >> c & 1 != 0) {
                self.rows[usize::from(base) + c] = *inputs.row(attribute, c);
            }
        }
    }

    fn execute(&mut self, micros: &[Micro], bindings: &Bindings, active: u64, mode: Mode) {
        for micro in micros {
            match micro {
                Micro::Rows { functions, groups } => {
                    kernels::call(functions[mode as usize], &mut self.rows, groups);
                }
                Micro::Kill { condition, rows } => {
                    for &row in rows {
                        self.killed |= passing(*condition, &self.rows[usize::from(row)]);
                    }
                    if active & !self.killed == 0 {
                        return;
                    }
                }
                Micro::Texture(sample) => self.sample(sample, bindings, mode),
            }
        }
    }

    fn sample(&mut self, sample: &Sample, bindings: &Bindings, mode: Mode) {
        match bindings.texture(sample.texture) {
            Some(texture) => {
                let mut flushed = [[Row::ZERO; 3]; 3];
                let [coordinates, dx, dy] = &mut flushed;
                let coords = vector(&self.rows, &sample.coordinates, mode, coordinates);
                let gradients = match &sample.gradients {
                    None => texture::Gradients::Quad,
                    Some([x, y]) => texture::Gradients::Explicit {
                        dx: vector(&self.rows, x, mode, dx),
                        dy: vector(&self.rows, y, mode, dy),
                    },
                };
                texture.sample(&texture::Lookup { coords, gradients }, &mut self.texels, None);
            }
            None => self.texels = [[0.0; LANES]; 4],
        }
        for (texel, result) in self.texels.iter().zip(sample.results) {
            if let Some(row) = result {
                self.rows[usize::from(row)].0 = *texel;
            }
        }
    }
}

/// The rows of a lookup's operand; in full arithmetic through `flushed`, as any operand load.
fn vector<'a>(
    all: &'a [Row],
    rows: &[u16; 3],
    mode: Mode,
    flushed: &'a mut [Row; 3],
) -> [&'a [f32; LANES]; 3] {
    let [x, y, z] = rows.map(|row| &all[usize::from(row)]);
    if mode == Mode::Guarded {
        return [&x.0, &y.0, &z.0];
    }
    for (flushed, row) in flushed.iter_mut().zip([x, y, z]) {
        flushed.0 = row.0.map(fp32::flush);
    }
    flushed.each_ref().map(|row| &row.0)
}

/// A bit for each lane whose value passes.
fn passing(condition: Condition, row: &Row) -> u64 {
    fn mask(row: &Row, passes: impl Fn(f32) -> bool) -> u64 {
        let bit = |(lane, &value): (usize, &f32)| u64::from(passes(value)) << lane;
        row.0.iter().enumerate().map(bit).fold(0, |mask, bit| mask | bit)
    }
    // One loop a condition, rather than a choice in every lane.
    match condition {
        Condition::Eq => mask(row, |value| condition::passes(Condition::Eq, value)),
        Condition::Ge => mask(row, |value| condition::passes(Condition::Ge, value)),
        Condition::Gt => mask(row, |value| condition::passes(Condition::Gt, value)),
        Condition::Le => mask(row, |value| condition::passes(Condition::Le, value)),
        Condition::Lt => mask(row, |value| condition::passes(Condition::Lt, value)),
        Condition::Ne => mask(row, |value| condition::passes(Condition::Ne, value)),
        Condition::Tr => u64::MAX,
        Condition::Fl => 0,
    }
}

/// Whether any lane of `row` is a denorm or NaN.
fn is_suspect(row: &Row) -> bool {
    row.0.iter().fold(false, |suspect, value| {
        let magnitude = value.to_bits() & 0x7FFF_FFFF;
        suspect | (magnitude.wrapping_sub(1) < 0x007F_FFFF) | (magnitude > 0x7F80_0000)
    })
}

/// Blocks run in full after a guarded run in vain, so that a picture full of denorms or NaNs does not
/// pay twice for each block.
const DISTRUST_BLOCKS: u32 = 15;

impl BlockShader for Shader {
    type Worker = Worker;

    fn worker(&self) -> Worker {
        Worker::new(self)
    }

    fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        self.executable.attributes_used()
    }

    fn writes_color(&self) -> bool {
        self.executable.color.is_some()
    }

    fn writes_depth(&self) -> bool {
        self.executable.depth.is_some()
    }

    fn can_kill(&self) -> bool {
        self.executable.can_kill
    }

    fn run(&self, worker: &mut Worker, inputs: &AttributeRows, active: u64, output: &mut BlockOutput) {
        let code = &self.executable.code;
        let outputs = || {
            let color = self.executable.color.into_iter().flat_map(|i| (0..4).map(move |c| (i, c)));
            let depth = self.executable.depth.into_iter().map(|i| (i, 2));
            color.chain(depth).map(|(i, c)| usize::from(code.layout.outputs[i]) + c)
        };
        let mut guarded = code.guardable && guard::available();
        if guarded && worker.distrust > 0 {
            worker.distrust -= 1;
            guarded = false;
        }
        worker.load(code, inputs);
        if guarded {
            guard::clear();
            worker.execute(&code.micros, &self.bindings, active, Mode::Guarded);
            if guard::raised() || outputs().any(|row| is_suspect(&worker.rows[row])) {
                worker.distrust = DISTRUST_BLOCKS;
                guarded = false;
                worker.load(code, inputs);
            }
        }
        if !guarded {
            worker.execute(&code.micros, &self.bindings, active, Mode::Exact);
        }
        output.killed = worker.killed;
        if let Some(index) = self.executable.color {
            let base = usize::from(code.layout.outputs[index]);
            output.color.copy_from_slice(&worker.rows[base..base + 4]);
        }
        if let Some(index) = self.executable.depth {
            output.depth = worker.rows[usize::from(code.layout.outputs[index]) + 2];
        }
    }
}

/// The wide executor with nothing left out, one instruction at a time: for comparing its registers
/// with the scalar executor's.
#[derive(Debug)]
pub struct Inspection {
    shader: Shader,
    worker: Worker,
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
            let mut worker = shader.worker();
            worker.load(&shader.executable.code, inputs);
            (level.name, Self { shader, worker, done: 0 })
        };
        kernels::levels().iter().map(inspect).collect()
    }

    /// Executes the next instruction on every lane, in full arithmetic. Call it as often as the program
    /// has instructions, no more.
    pub fn step(&mut self) {
        let code = &self.shader.executable.code;
        let start = if self.done == 0 { 0 } else { code.ends[self.done - 1] };
        let micros = &code.micros[start..code.ends[self.done]];
        // No lane is ever given up, so that killed ones can be compared too.
        let saved = std::mem::take(&mut self.worker.killed);
        self.worker.execute(micros, &self.shader.bindings, u64::MAX, Mode::Exact);
        self.worker.killed |= saved;
        self.done += 1;
    }

    /// The registers of `lane` as they stand.
    pub fn registers(&self, lane: usize) -> super::Registers {
        let layout = &self.shader.executable.code.layout;
        let read = |base: u16| std::array::from_fn(|c| self.worker.rows[usize::from(base) + c].0[lane]);
        super::Registers {
            temporaries: layout.temporaries.iter().map(|&base| read(base)).collect(),
            outputs: layout.outputs.iter().map(|&base| read(base)).collect(),
            outputs_defined: Vec::new(),
            parameters: Vec::new(),
            cc: read(layout.cc),
            killed: self.worker.killed >> lane & 1 != 0,
        }
    }
}

const _: () = assert!(LANES == 64, "lane masks are 64 bits");
