//! What changes while the traced executor runs a program: registers, memory, and where lanes stand.

use super::invocation::Invocation;
use super::scalar::QUAD;
use super::{Bindings, Stream, Written, condition};
use crate::exec::report::Ended;
use crate::memory::Memory;
use shadestep_language::ir::{Attribute, CcTest, Components, Flags, OutputId, Program, Type, single_bits};
use shadestep_language::isa::Stage;

/// Registers of one fragment. Components hold bits, which instructions know how to read.
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
    /// The type that each component of each temporary was last written as; before that, the register's.
    pub temporaries_types: Vec<[Type; 4]>,
    /// The same of outputs.
    pub outputs_types: Vec<[Type; 4]>,
    /// Parameters as the program lists them, for vertex state programs, which write them; else empty.
    pub parameters: Vec<Components>,
    /// The condition codes, by [`shadestep_language::ir::CcRegister`].
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

    /// Memory that it takes beyond itself.
    pub(super) fn bytes_behind(&self) -> usize {
        let registers = self.temporaries.len() + self.outputs.len() + self.parameters.len();
        let masks = self.temporaries_defined.len() + self.outputs_defined.len();
        let types = self.temporaries_types.len() + self.outputs_types.len();
        registers * size_of::<Components>() + masks + types * size_of::<[Type; 4]>()
    }

    /// The components of a swizzled condition code that pass, bit 0 = x.
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
    /// Its registers at the end.
    pub registers: Registers,
    /// Why it ended.
    pub ended: Ended,
    /// Instructions it executed.
    pub executed: u32,
    /// What it emitted.
    pub emitted: Stream,
}

impl Finished {
    pub(super) fn new(registers: Registers, invocation: &Invocation, emitted: Stream) -> Self {
        let ended = invocation.ended.unwrap_or(Ended::Normal);
        Self { registers, ended, executed: invocation.executed, emitted }
    }

    /// Of what does not run.
    pub(super) fn nothing(program: &Program, bindings: &Bindings) -> Self {
        let (registers, emitted) = (Registers::new(program, bindings), Stream::default());
        Self { registers, ended: Ended::Normal, executed: 0, emitted }
    }
}

/// Where the lanes of a quad, of a patch, or the one of something else stand and what their registers hold: all that changes while a program runs. A run can be
/// taken up again from any.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub lanes: Vec<Registers>,
    pub(super) invocations: Vec<Invocation>,
    /// Memory as it is now: writing to it reaches nobody else's.
    pub(super) memory: Memory,
    /// What each lane has emitted.
    pub emitted: Vec<Stream>,
    /// How the results of each vertex of those were written.
    pub emitted_as: Vec<Vec<Box<[Written]>>>,
    /// A bit for each lane that is no helper.
    covered: u32,
}

impl Moment {
    /// Before the first instruction, of so many lanes; a bit in `covered` says of each that it is no helper.
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

    /// Puts memory as it is now in the place of that of `bindings`, if `program` may have changed it.
    pub fn keep_memory(&mut self, program: &Program, bindings: &Bindings) {
        if program.writes_memory() {
            bindings.memory.replace(std::mem::take(&mut self.memory));
        }
    }

    /// Whether what `lane` does has effects outside of it: it is no helper and has not been discarded.
    pub(super) fn has_effects(&self, lane: usize) -> bool {
        self.covered >> lane & 1 != 0 && !self.lanes[lane].killed
    }

    /// A bit for each lane.
    pub fn all(&self) -> u32 {
        (0..self.lanes.len()).fold(0, |all, lane| all | 1 << lane)
    }

    /// How all of them ended.
    pub(super) fn finished(self) -> Vec<Finished> {
        let ends = self.invocations.iter().zip(self.emitted);
        let lanes = self.lanes.into_iter().zip(ends);
        lanes
            .map(|(registers, (invocation, emitted))| Finished::new(registers, invocation, emitted))
            .collect()
    }

    /// The instruction that runs next, with a bit for each lane that executes it: the lanes with the smallest
    /// [`Place`](super::invocation::Place). `None` when all have ended.
    pub fn next(&self) -> Option<(usize, u32)> {
        let running =
            || self.invocations.iter().enumerate().filter(|(_, invocation)| invocation.ended.is_none());
        let first = running().map(|(_, invocation)| invocation.place()).min()?;
        let there = running().filter(|(_, invocation)| invocation.place() == first);
        Some((first.2, there.fold(0, |lanes, (lane, _)| lanes | 1 << lane)))
    }

    /// The output that `lane` reads as this attribute of the patch that a control program makes, with the registers of the invocation
    /// that has it. Each invocation has its own copy of what the patch has besides its vertices.
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

    /// Why `lane` ended, once it has.
    pub fn ended(&self, lane: usize) -> Option<Ended> {
        self.invocations[lane].ended
    }

    /// The instruction that `lane` stands at, and in how many IF blocks.
    pub fn stands(&self, lane: usize) -> (usize, usize) {
        let invocation = &self.invocations[lane];
        // Who has ended is in none any more.
        (invocation.pc, if invocation.ended.is_some() { 0 } else { invocation.ifs as usize })
    }

    /// Instructions that `lane` has executed.
    pub fn executed(&self, lane: usize) -> usize {
        self.invocations[lane].executed as usize
    }

    /// Memory that it takes.
    pub fn bytes(&self) -> usize {
        let registers: usize = self.lanes.iter().map(Registers::bytes_behind).sum();
        let invocations: usize = self.invocations.iter().map(Invocation::bytes_behind).sum();
        let emitted: usize = self.emitted.iter().map(Stream::bytes_behind).sum();
        let written: usize = self.emitted_as.iter().flatten().map(|vertex| size_of_val(&**vertex)).sum();
        size_of::<Self>() + registers + invocations + emitted + written + self.memory.bytes_changed()
    }
}
