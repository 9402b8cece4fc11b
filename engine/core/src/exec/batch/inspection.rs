//! [`Inspection`]: runs programs so that tests can read every register, and compare the batch executor with
//! the reference interpreter. [`Executable::modules`] shows the functions of a program.

use super::variants::{CodeScope, Literals, SpecializationKey, Wanted};
use super::{Call, Executable, Shader, VariantInUse, Worker};
use crate::exec::back_end::BackEnd;
use crate::exec::back_ends;
use crate::exec::block::{AttributeLanes, LaneRegister};
use crate::exec::invocation::InstructionLimit;
use crate::exec::lir::{Block, Module};
use crate::exec::{Bindings, Registers, Stream};
use shadestep_language::ir::{Components, Flags, Program, Type, VertexResult};
use std::sync::Arc;

impl Executable {
    /// The functions of the program in the low-level IR, before the passes of a back end: of its blocks, and of
    /// its single instructions.
    pub fn modules(&self) -> [Module; 2] {
        SHOWN.map(|key| self.code.module(&self.program, key))
    }

    /// The blocks of the program in the low-level IR, without dead code, and its single instructions.
    pub fn blocks(&self) -> Vec<Block> {
        SHOWN.into_iter().flat_map(|key| self.code.blocks(&self.program, key)).collect()
    }
}

/// The variants that [`Executable::modules`] and [`Executable::blocks`] show.
const SHOWN: [SpecializationKey; 2] = [
    SpecializationKey { scope: CodeScope::Block, literals: Literals::Known },
    SpecializationKey { scope: CodeScope::Instruction, literals: Literals::Bound },
];

/// A program, compiled by each back end that tests compare.
#[derive(Debug)]
pub struct Compared(Vec<(&'static str, Arc<Executable>)>);

impl Compared {
    pub fn new(program: &Arc<Program>) -> Self {
        let compile = |back_end: &'static dyn BackEnd| {
            let executable = Executable::with(program.clone(), Wanted::Everything, back_end);
            (back_end.name(), Arc::new(executable))
        };
        Self(back_ends::compared().map(compile).collect())
    }

    /// An inspection for each back end, with its name.
    pub fn inspections(
        &self,
        bindings: &Bindings,
        inputs: &AttributeLanes,
    ) -> Vec<(&'static str, Inspection)> {
        let inspect = |(name, executable): &(_, Arc<_>)| {
            (*name, Inspection::new(Arc::clone(executable), bindings.clone(), inputs.clone()))
        };
        self.0.iter().map(inspect).collect()
    }
}

/// The batch executor without dead code elimination, one instruction at a time. Tests compare its registers
/// with the reference interpreter's.
#[derive(Debug)]
pub struct Inspection {
    shader: Shader,
    worker: Worker,
    inputs: AttributeLanes,
    /// Outputs, which tests ignore in favour of registers.
    outputs: Vec<LaneRegister>,
    done: usize,
    /// Lanes that have side effects.
    taking_part: u64,
}

impl Inspection {
    /// An inspection for each back end that tests compare, with its name.
    pub fn all(
        program: &Arc<Program>,
        bindings: &Bindings,
        inputs: &AttributeLanes,
    ) -> Vec<(&'static str, Self)> {
        Compared::new(program).inspections(bindings, inputs)
    }

    fn new(executable: Arc<Executable>, bindings: Bindings, inputs: AttributeLanes) -> Self {
        let program = Arc::clone(&executable.program);
        let shader = Shader::new(executable, bindings);
        let mut worker = Worker::new(&shader);
        // The worker never stops early, so that tests can compare discarded lanes too.
        worker.patient = true;
        let outputs = vec![LaneRegister::ZERO; 4 * VertexResult::COUNT];
        let mut inspection =
            Self { shader, worker, inputs, outputs, done: program.entry, taking_part: u64::MAX };
        let scope = if program.has_flow() { CodeScope::Block } else { CodeScope::Instruction };
        inspection.call(scope, |worker, call, variant| worker.load(call, variant.code));
        inspection
    }

    /// Executes the next instruction on every lane. Only for programs without flow control. May be called
    /// once for each instruction from the entry on.
    pub fn step(&mut self) {
        let (pc, lanes) = (self.done, self.taking_part);
        self.call(CodeScope::Instruction, |worker, call, variant| {
            worker.operate(variant.code.instruction(pc), call, variant.constants, lanes);
        });
        self.done += 1;
    }

    /// Runs `lanes` from the entry to the end. May be called repeatedly.
    pub fn finish(&mut self, lanes: u64, limit: InstructionLimit) {
        self.shader.limit = limit;
        self.worker.emissions.clear();
        self.worker.limited.clear();
        let program = Arc::clone(&self.shader.executable.program);
        if program.has_flow() {
            self.call(CodeScope::Block, |worker, call, variant| worker.execute(call, variant, lanes));
            return;
        }
        self.taking_part = lanes;
        self.call(CodeScope::Instruction, |worker, call, variant| {
            worker.load(call, variant.code);
        });
        self.done = program.entry;
        program.instructions[program.entry..].iter().for_each(|_| self.step());
    }

    fn call(&mut self, scope: CodeScope, act: impl FnOnce(&mut Worker, &mut Call<'_>, VariantInUse<'_>)) {
        let Self { shader, worker, inputs, .. } = self;
        let Some(variant) = shader.variant(scope) else { return };
        let outputs = &mut self.outputs;
        let memory = shader.bindings.memory.session(shader.executable.usage);
        act(worker, &mut Call { shader, inputs, outputs, active: u64::MAX, memory }, variant);
    }

    /// Vertices that `lane` emitted.
    pub fn emitted(&self, lane: usize) -> Stream {
        self.worker.emissions.stream(lane)
    }

    /// Number of instructions that `lane` executed, after [`Self::finish`] on a program with flow control.
    pub fn executed(&self, lane: usize) -> u32 {
        self.worker.lanes.executed(lane)
    }

    /// The current registers of `lane`.
    pub fn registers(&self, lane: usize) -> Registers {
        let layout = &self.shader.executable.code.layout;
        let program = &self.shader.executable.program;
        let word = |register: usize| u64::from(self.worker.registers[register].0[lane].to_bits());
        let read = |base: u16, ty: Type| -> Components {
            std::array::from_fn(|c| {
                let low = usize::from(base) + c;
                word(low) | if ty.is_wide() { word(low + 4) << 32 } else { 0 }
            })
        };
        let temporaries = program.temporaries.iter().zip(&layout.temporaries);
        let outputs = program.outputs.iter().zip(&layout.outputs);
        Registers {
            temporaries: temporaries.map(|(temporary, &base)| read(base, temporary.ty)).collect(),
            outputs: outputs.map(|(output, &base)| read(base, output.ty)).collect(),
            temporaries_defined: Vec::new(),
            outputs_defined: Vec::new(),
            temporaries_types: Vec::new(),
            outputs_types: Vec::new(),
            parameters: Vec::new(),
            cc: [layout.cc, layout.cc + 4].map(|base| read(base, Type::F32).map(|bits| Flags(bits as u8))),
            killed: self.worker.killed >> lane & 1 != 0,
        }
    }
}
