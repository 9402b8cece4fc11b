//! The execution state of the reference interpreter: registers, memory, and the flow of each lane.
//! `reference` changes this state step by step. Recordings keep copies, so a run can continue from any of
//! them.

use super::invocation::Invocation;
use super::reference::QUAD;
use super::{Bindings, Stream, Written, condition};
use crate::exec::report::Ended;
use crate::memory::Memory;
use shadestep_language::ir::{Attribute, CcTest, Components, Flags, OutputId, Program, Type, single_bits};
use shadestep_language::isa::Stage;

/// Registers of one invocation. Components hold bits; instructions decide the type.
#[derive(Clone, Debug, PartialEq)]
pub struct Registers {
    /// Temporaries, as the program lists them.
    pub temporaries: Vec<Components>,
    /// Outputs, as the program lists them.
    pub outputs: Vec<Components>,
    /// Components of each temporary that have a defined value (bit 0 = x).
    pub temporaries_defined: Vec<u8>,
    /// Components of each output that have been written with a defined value (bit 0 = x).
    pub outputs_defined: Vec<u8>,
    /// The type of the last write to each component of each temporary; before the first write, the register's
    /// type.
    pub temporaries_types: Vec<[Type; 4]>,
    /// The type of the last write to each component of each output; before the first write, the register's
    /// type.
    pub outputs_types: Vec<[Type; 4]>,
    /// Parameters in the program's order, for vertex state programs, which write parameters. Otherwise empty.
    pub parameters: Vec<Components>,
    /// Condition codes, by [`shadestep_language::ir::CcRegister`].
    pub cc: [[Flags; 4]; 2],
    /// Whether the fragment has been discarded.
    pub killed: bool,
}

impl Registers {
    pub(super) fn new(program: &Program, bindings: &Bindings) -> Self {
        let mut parameters = Vec::new();
        if program.stage() == Stage::VertexState {
            parameters.extend_from_slice(&bindings.parameters);
            parameters.resize(program.parameters.len(), [0; 4]);
        }
        Self {
            temporaries: vec![[0; 4]; program.temporaries.len()],
            outputs: program.outputs.iter().map(|output| single_bits(output.role.initial())).collect(),
            temporaries_defined: vec![program.temporaries_defined(); program.temporaries.len()],
            outputs_defined: vec![0; program.outputs.len()],
            temporaries_types: program.temporaries.iter().map(|temporary| [temporary.ty; 4]).collect(),
            outputs_types: program.outputs.iter().map(|output| [output.ty; 4]).collect(),
            parameters,
            cc: [[Flags::INITIAL; 4]; 2],
            killed: false,
        }
    }

    /// Heap memory in bytes.
    pub(super) fn bytes_behind(&self) -> usize {
        let registers = self.temporaries.len() + self.outputs.len() + self.parameters.len();
        let masks = self.temporaries_defined.len() + self.outputs_defined.len();
        let types = self.temporaries_types.len() + self.outputs_types.len();
        registers * size_of::<Components>() + masks + types * size_of::<[Type; 4]>()
    }

    /// The components of a swizzled condition code that pass the test, bit 0 = x.
    pub(super) fn test(&self, test: &CcTest) -> u8 {
        let cc = &self.cc[test.register.index()];
        (0..4).fold(0, |mask, c| {
            let Flags(flags) = cc[usize::from(test.swizzle.0[c])];
            mask | u8::from(condition::passes(test.condition, u32::from(flags))) << c
        })
    }
}

/// Registers of the four fragments of a quad.
pub type QuadRegisters = [Registers; QUAD];

/// The end of one invocation: its registers, why it ended, and how many instructions it executed.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    pub registers: Registers,
    pub ended: Ended,
    /// Number of executed instructions.
    pub executed: u32,
    /// Emitted vertices.
    pub emitted: Stream,
}

impl Finished {
    pub(super) fn new(registers: Registers, invocation: &Invocation, emitted: Stream) -> Self {
        let ended = invocation.ended.unwrap_or(Ended::Normal);
        Self { registers, ended, executed: invocation.executed, emitted }
    }

    /// The result of a lane that does not run.
    pub(super) fn nothing(program: &Program, bindings: &Bindings) -> Self {
        let (registers, emitted) = (Registers::new(program, bindings), Stream::default());
        Self { registers, ended: Ended::Normal, executed: 0, emitted }
    }
}

/// The state of all lanes of a quad or patch, or of the single lane of another stage: everything that changes
/// while a program runs. A run can continue from any copy.
#[derive(Clone, Debug)]
pub(crate) struct ExecState {
    pub lanes: Vec<Registers>,
    pub(super) invocations: Vec<Invocation>,
    /// The run's own view of memory. Writes do not reach other users until [`Self::keep_memory`].
    pub(super) memory: Memory,
    /// Vertices that each lane has emitted.
    pub emitted: Vec<Stream>,
    /// Per lane and emitted vertex, how each result was written.
    pub emitted_as: Vec<Vec<Box<[Written]>>>,
    /// A bit for each lane that is not a helper.
    covered: u32,
}

impl ExecState {
    /// The state before the first instruction, of `count` lanes. `covered` has a bit for each lane that is
    /// not a helper.
    pub fn of_lanes(program: &Program, bindings: &Bindings, (count, covered): (usize, u32)) -> Self {
        let memory = if program.accesses_memory() { bindings.memory.snapshot() } else { Memory::default() };
        Self {
            lanes: vec![Registers::new(program, bindings); count],
            invocations: vec![Invocation::new(program); count],
            memory,
            emitted: vec![Stream::default(); count],
            emitted_as: vec![Vec::new(); count],
            covered,
        }
    }

    /// Moves this state's memory into `bindings`, if `program` may have changed memory.
    pub fn keep_memory(&mut self, program: &Program, bindings: &Bindings) {
        if program.writes_memory() {
            bindings.memory.replace(std::mem::take(&mut self.memory));
        }
    }

    /// Whether side effects of `lane` take place: the lane is not a helper and has not been discarded.
    pub(super) fn has_effects(&self, lane: usize) -> bool {
        self.covered >> lane & 1 != 0 && !self.lanes[lane].killed
    }

    /// A mask of all lanes.
    pub fn all(&self) -> u32 {
        (0..self.lanes.len()).fold(0, |all, lane| all | 1 << lane)
    }

    /// The result of each lane.
    pub(super) fn finished(self) -> Vec<Finished> {
        let ends = self.invocations.iter().zip(self.emitted);
        let lanes = self.lanes.into_iter().zip(ends);
        lanes
            .map(|(registers, (invocation, emitted))| Finished::new(registers, invocation, emitted))
            .collect()
    }

    /// The next instruction, with a bit for each lane that executes it: the lanes with the smallest
    /// [`Place`](super::invocation::Place). `None` if all lanes have ended.
    pub fn next(&self) -> Option<(usize, u32)> {
        let running =
            || self.invocations.iter().enumerate().filter(|(_, invocation)| invocation.ended.is_none());
        let first = running().map(|(_, invocation)| invocation.place()).min()?;
        let there = running().filter(|(_, invocation)| invocation.place() == first);
        Some((first.2, there.fold(0, |lanes, (lane, _)| lanes | 1 << lane)))
    }

    /// The output that `lane` reads as `attribute` of the output patch of a tessellation control program,
    /// with the registers of the invocation that owns the output. Each invocation has its own copy of
    /// per-patch results.
    pub fn written(
        &self,
        program: &Program,
        attribute: Attribute,
        lane: usize,
    ) -> Option<(&Registers, OutputId)> {
        let id = program.output(attribute.output()?)?;
        let invocation = attribute.of_vertex().map_or(lane, |(vertex, _)| vertex.into());
        Some((self.lanes.get(invocation)?, id))
    }

    /// Why `lane` ended, if it has ended.
    pub fn ended(&self, lane: usize) -> Option<Ended> {
        self.invocations[lane].ended
    }

    /// The pc of `lane`, and the number of active IF blocks.
    pub fn stands(&self, lane: usize) -> (usize, usize) {
        let invocation = &self.invocations[lane];
        // An invocation that has ended is in no IF block.
        (invocation.pc, if invocation.ended.is_some() { 0 } else { invocation.ifs as usize })
    }

    /// Number of instructions that `lane` has executed.
    pub fn executed(&self, lane: usize) -> usize {
        self.invocations[lane].executed as usize
    }

    /// Memory of the state in bytes.
    pub fn bytes(&self) -> usize {
        let registers: usize = self.lanes.iter().map(Registers::bytes_behind).sum();
        let invocations: usize = self.invocations.iter().map(Invocation::bytes_behind).sum();
        let emitted: usize = self.emitted.iter().map(Stream::bytes_behind).sum();
        let written: usize = self.emitted_as.iter().flatten().map(|vertex| size_of_val(&**vertex)).sum();
        size_of::<Self>() + registers + invocations + emitted + written + self.memory.bytes_changed()
    }
}
