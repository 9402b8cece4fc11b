//! The flow of a program: the reads and writes of each instruction, by component, and the graph of its
//! blocks. The analyses of [`super::analysis`] use these facts.
//!
//! The graph has every edge that execution can take, and some that it cannot: a RET leads to the instruction
//! after every call. A limit of nesting depth ends a program at a call or at the beginning of a block. The
//! limit of executed instructions can end any program that repeats instructions, at any instruction. The
//! graph has such ends only at backward branches, loop ends and calls. So a fact about all paths of the graph
//! is true of every run. The exception is a run that ends between two writes of an output.

use shadestep_language::ir::{
    Access, CcRegister, CcTest, Condition, Control, Destination, Element, Emit, Indirect, Instruction, Kind,
    Program, Source, Swizzle, Target, TempId,
};
use shadestep_language::isa::Stage;
use shadestep_language::semantics::plan::{Plan, inputs_used};
use std::ops::Range;

/// Four components that the analyses track: of a temporary, an output or a condition code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register(usize);

/// Consecutive registers: one register, or the registers among which an index chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    first: usize,
    count: usize,
}

impl Run {
    /// The register, if the run has exactly one.
    pub fn only(self) -> Option<Register> {
        (self.count == 1).then_some(Register(self.first))
    }
}

impl From<Register> for Run {
    fn from(Register(first): Register) -> Self {
        Self { first, count: 1 }
    }
}

/// The numbering of a program's registers: first temporaries, then outputs, then condition codes.
#[derive(Clone, Copy)]
pub(super) struct Registers {
    temporaries: usize,
    outputs: usize,
}

impl Registers {
    pub fn of(program: &Program) -> Self {
        Self { temporaries: program.temporaries.len(), outputs: program.outputs.len() }
    }

    pub const fn temporary(TempId(number): TempId) -> Register {
        Register(number as usize)
    }

    /// The number of the temporary, if the register is one.
    pub fn number_of_temporary(self, Register(number): Register) -> Option<usize> {
        (number < self.temporaries).then_some(number)
    }

    pub const fn output(self, number: usize) -> Register {
        Register(self.temporaries + number)
    }

    pub const fn condition(self, register: CcRegister) -> Register {
        Register(self.temporaries + self.outputs + register.index())
    }

    pub const fn count(self) -> usize {
        self.temporaries + self.outputs + CcRegister::ALL.len()
    }

    /// All outputs.
    pub const fn all_outputs(self) -> Run {
        Run { first: self.temporaries, count: self.outputs }
    }

    /// The registers among which `indirect` chooses, if the analyses track them.
    fn elements(self, indirect: Indirect) -> Option<Run> {
        let (Register(first), end) = match indirect.first {
            Element::Temp(id) => (Self::temporary(id), self.temporaries),
            Element::Output(id) => (self.output(id.0.into()), self.temporaries + self.outputs),
            Element::Param(_) | Element::Attribute(_) => return None,
        };
        Some(Run { first, count: usize::from(indirect.count).min(end.saturating_sub(first)) })
    }
}

/// A set of components of registers, one bit each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Components(Vec<u64>);

impl Components {
    /// Registers in a word.
    const PER_WORD: usize = 16;

    pub fn none(registers: Registers) -> Self {
        Self(vec![0; Self::words(registers)])
    }

    /// The number of words in a set.
    pub const fn words(registers: Registers) -> usize {
        registers.count().div_ceil(Self::PER_WORD)
    }

    /// The words that contain registers of `run`. Each has the bits of `components` set for all these
    /// registers.
    fn parts(Run { first, count }: Run, components: u8) -> impl Iterator<Item = (usize, u64)> {
        let pattern = u64::from(components & 0xF) * 0x1111_1111_1111_1111;
        let end = first + count;
        (first / Self::PER_WORD..end.div_ceil(Self::PER_WORD)).map(move |word| {
            let begin = word * Self::PER_WORD;
            // At least one register of the word comes before the end.
            let above = u64::MAX >> ((Self::PER_WORD - (end - begin).min(Self::PER_WORD)) * 4);
            let below = u64::MAX << (first.saturating_sub(begin) * 4);
            (word, pattern & above & below)
        })
    }

    /// The components that any of `registers` has in the set (bit 0 = x).
    pub fn get(&self, registers: impl Into<Run>) -> u8 {
        let found =
            Self::parts(registers.into(), 0xF).fold(0, |found, (word, bits)| found | self.0[word] & bits);
        let found = [32, 16, 8, 4].into_iter().fold(found, |found, distance| found | found >> distance);
        (found & 0xF) as u8
    }

    pub fn insert(&mut self, registers: impl Into<Run>, components: u8) {
        Self::parts(registers.into(), components).for_each(|(word, bits)| self.0[word] |= bits);
    }

    pub fn remove(&mut self, registers: impl Into<Run>, components: u8) {
        Self::parts(registers.into(), components).for_each(|(word, bits)| self.0[word] &= !bits);
    }

    /// Adds the components of `other`. Returns true if the set grew.
    pub fn add(&mut self, other: &Self) -> bool {
        let mut new = false;
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            new |= *other & !*own != 0;
            *own |= other;
        }
        new
    }
}

/// An instruction's read of a register, or a possible read of each of several registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub registers: Run,
    /// Components, bit 0 = x.
    pub components: u8,
    pub how: How,
}

/// The way in which an instruction reads a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// As the operand with this number.
    Operand(usize),
    /// By a test of a condition code.
    Test,
    /// By a test of the condition code that the instruction itself sets. A test of the initial EQ may be
    /// intended.
    OwnTest,
    /// As the index of an element: of the operand with this number, or of the result, a texture or an image.
    Index(Option<usize>),
    /// Perhaps not at all: an index chooses the register, the result does not depend on the value, or the
    /// instruction passes on all values (PUSHA, EMIT).
    Perhaps,
}

/// An instruction's write of a register, or a possible write of each of several registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub registers: Run,
    /// Components, bit 0 = x.
    pub components: u8,
    /// Whether the components are written in any case.
    pub surely: bool,
}

/// Whether the result of `test` depends on the condition code.
const fn asks(test: &CcTest) -> bool {
    !matches!(test.condition, Condition::Tr | Condition::Fl)
}

/// Whether `test` always passes.
fn always(test: Option<CcTest>) -> bool {
    test.is_none_or(|test| test.condition == Condition::Tr)
}

/// The components of a register that the components in `components` read through `swizzle`.
fn through(swizzle: Swizzle, components: u8) -> u8 {
    let selected = (0..4).filter(|c| components >> c & 1 != 0).map(|c| swizzle.0[c]);
    selected.filter(|component| *component < 4).fold(0, |mask, component| mask | 1 << component)
}

/// The read of the index register of operand `operand`, or of the index of a result, texture or image.
fn chooses((id, component): (TempId, u8), operand: Option<usize>) -> Read {
    Read { registers: Registers::temporary(id).into(), components: 1 << component, how: How::Index(operand) }
}

/// A program, with the facts about its flow.
#[derive(Clone, Copy)]
pub(super) struct Facts<'p> {
    pub program: &'p Program,
    pub registers: Registers,
    /// Whether the limit of nested blocks can be exceeded. Nesting in the text alone never exceeds the limit.
    too_deep: bool,
}

impl<'p> Facts<'p> {
    pub fn of(program: &'p Program) -> Self {
        // A callee runs within the blocks of its caller, and a branch leaves blocks open.
        let comes_back = |instruction: &Instruction| {
            matches!(
                instruction.control(),
                Some(Control::Branch { .. } | Control::Call { .. } | Control::CallIndirect { .. })
            )
        };
        let limits = program.flow_limits();
        let has_limit = limits.active_ifs.min(limits.active_loops) < usize::MAX;
        let too_deep = has_limit && program.instructions.iter().any(comes_back);
        Self { program, registers: Registers::of(program), too_deep }
    }

    fn at(&self, pc: usize) -> &Instruction {
        &self.program.instructions[pc]
    }

    /// Calls `take` with each read of the instruction at `pc`, if the components `wanted` of its result
    /// matter.
    pub fn reads(&self, pc: usize, wanted: u8, mut take: impl FnMut(Read)) {
        let instruction = self.at(pc);
        for (number, operand) in instruction.operands.iter().enumerate() {
            // SFL and STR have operands on which nothing depends.
            let named = if used(instruction, number, 0xF) == 0 { wanted } else { 0 };
            // PUSHA has no swizzle that selects components.
            let is_whole = matches!(instruction.control(), Some(Control::PushAddress));
            let how = if named != 0 || is_whole { How::Perhaps } else { How::Operand(number) };
            let components = through(operand.swizzle, used(instruction, number, wanted) | named);
            match operand.source {
                Source::Temp(id) => {
                    take(Read { registers: Registers::temporary(id).into(), components, how })
                }
                Source::Indirect(indirect) => {
                    let how = How::Perhaps;
                    let elements = self.registers.elements(indirect);
                    elements.into_iter().for_each(|registers| take(Read { registers, components, how }));
                }
                Source::Attribute(_) | Source::Param(_) | Source::Buffer(_) => {}
            }
            let relative = operand.source.indirect().into_iter().flat_map(Indirect::registers);
            let buffer = operand.source.buffer().into_iter().flat_map(|buffer| buffer.registers());
            relative.chain(buffer).for_each(|index| take(chooses(index, Some(number))));
        }
        let texture = instruction.texture().and_then(|access| access.index.register);
        let image = instruction.image().and_then(|image| image.index.register);
        let written = match instruction.target() {
            Some(Target::Indirect(indirect)) => Some(indirect),
            _ => None,
        };
        let written = written.into_iter().flat_map(Indirect::registers);
        written.chain(texture).chain(image).for_each(|index| take(chooses(index, None)));
        let of_result = instruction.dest().and_then(|dest| Some((dest.test?, dest.mask.0)));
        let of_flow = instruction.test().map(|test| (test, 0xF));
        for (test, places) in of_result.into_iter().chain(of_flow).filter(|(test, _)| asks(test)) {
            let register = self.registers.condition(test.register);
            let own = instruction.update_cc() == Some(test.register);
            let how = if own { How::OwnTest } else { How::Test };
            take(Read { registers: register.into(), components: through(test.swizzle, places), how });
        }
        // A vertex gets the results as they are at the EMIT.
        if self.emits(pc) {
            take(Read { registers: self.registers.all_outputs(), components: 0xF, how: How::Perhaps });
        }
    }

    /// Calls `take` with each write of the instruction at `pc`.
    pub fn writes(&self, pc: usize, mut take: impl FnMut(Written)) {
        let instruction = self.at(pc);
        let Some(&Destination { target, mask, test, .. }) = instruction.dest() else { return };
        if test.is_some_and(|test| test.condition == Condition::Fl) {
            return;
        }
        let surely = always(test);
        let mut write = |registers, surely| take(Written { registers, components: mask.0, surely });
        match target {
            Target::Temp(id) => write(Registers::temporary(id).into(), surely),
            Target::Output(id) => write(self.registers.output(id.0.into()).into(), surely),
            Target::Indirect(indirect) => {
                self.registers.elements(indirect).into_iter().for_each(|registers| write(registers, false));
            }
            Target::Param(_) | Target::ConditionOnly(_) => {}
        }
        if let Some(register) = instruction.update_cc() {
            write(self.registers.condition(register).into(), surely);
        }
    }

    /// Whether the instruction at `pc` emits a vertex. All outputs are undefined afterwards.
    pub fn emits(&self, pc: usize) -> bool {
        matches!(self.at(pc).kind, Kind::Emit(Emit::Vertex | Emit::ToStream))
    }

    /// Whether the instruction at `pc` has no effect other than writes to registers that the analyses track.
    pub fn only_writes(&self, pc: usize) -> bool {
        let instruction = self.at(pc);
        let writes_others = matches!(instruction.target(), Some(Target::Param(_)) | None);
        let is_atomic =
            instruction.memory().is_some_and(|memory| matches!(memory.access, Access::Atomic(..)));
        !writes_others && !is_atomic && !matches!(instruction.kind, Kind::Flow(_))
    }

    /// Registers without warnings. LOOP writes its index itself. Other invocations of a quad may read a
    /// register although this invocation does not run the instruction that reads it.
    pub fn left_out(&self) -> Vec<Run> {
        let program = self.program;
        let mut found = Vec::new();
        let has_flow = program.has_flow();
        for (pc, instruction) in program.instructions.iter().enumerate() {
            if let Some(Control::Loop { index: Some(id), .. }) = instruction.control() {
                found.push(Registers::temporary(id).into());
            }
            if has_flow && Plan::of(instruction).depends_on_group(program.stage()) {
                self.reads(pc, 0xF, |read| found.push(read.registers));
            }
        }
        // Other invocations of the patch can read the outputs at any time.
        if program.stage() == Stage::TessControl {
            found.push(self.registers.all_outputs());
        }
        found
    }

    /// The successors of the instruction at `pc`.
    fn ways(&self, pc: usize) -> Ways {
        let instruction = self.at(pc);
        let next = Some(pc + 1);
        let way = |places: [Option<usize>; 2]| Ways { places, ends: false, returns: false };
        let unless = |test: Option<CcTest>| next.filter(|_| !always(test));
        let endless = |begin: usize| self.at(begin).operands.is_empty();
        match instruction.control() {
            None | Some(Control::EndIf) => way([next, None]),
            // A backward branch may be the last instruction within the limit of executed instructions.
            Some(Control::Branch { to, test }) => Ways { ends: to <= pc, ..way([Some(to), unless(test)]) },
            Some(Control::Break { to, test } | Control::Continue { to, test }) => {
                way([Some(to), unless(test)])
            }
            // The program ends if calls are nested too deeply, or if the stack holds too many addresses.
            Some(Control::Call { to, test }) => Ways { ends: true, ..way([Some(to), unless(test)]) },
            Some(Control::CallIndirect { .. }) => Ways { ends: true, ..way([next, None]) },
            Some(Control::PushAddress | Control::PopAddress(_)) => Ways { ends: true, ..way([next, None]) },
            Some(Control::Return { test }) => Ways { ends: true, returns: true, ..way([unless(test), None]) },
            Some(Control::ReturnIfCalled) => Ways { returns: true, ..way([next, None]) },
            Some(Control::If { otherwise, .. }) => {
                Ways { ends: self.too_deep, ..way([next, Some(otherwise)]) }
            }
            Some(Control::Else { end }) => way([Some(end), None]),
            Some(Control::Loop { end, .. }) => {
                Ways { ends: self.too_deep, ..way([next, Some(end).filter(|_| !endless(pc))]) }
            }
            Some(Control::EndLoop { start }) => {
                Ways { ends: true, ..way([Some(start), next.filter(|_| !endless(start - 1))]) }
            }
        }
    }
}

/// The components of the register in operand `number` that `instruction` reads for the components `wanted` of
/// its result.
pub(super) fn used_components(instruction: &Instruction, number: usize, wanted: u8) -> u8 {
    through(instruction.operands[number].swizzle, used(instruction, number, wanted))
}

/// The components of operand `number` that `instruction` uses for the components `wanted` of its result.
fn used(instruction: &Instruction, number: usize, wanted: u8) -> u8 {
    match &instruction.kind {
        Kind::Memory(memory) => memory.operand_used(number),
        Kind::Flow(Control::PushAddress) => 0xF,
        Kind::Flow(Control::Loop { index: Some(_), .. }) => 0b0111,
        Kind::Flow(_) => 0b0001,
        Kind::Kill(_) | Kind::Emit(_) | Kind::Barrier => 0xF,
        Kind::Alu(write) | Kind::Convert(write, _) | Kind::Texture(write, _) => {
            match Plan::of(instruction) {
                // Memory operations also read registers other than their operands.
                Plan::Memory(..) | Plan::Control => 0xF,
                plan => inputs_used(instruction, &plan, number, write.dest.mask.0 & wanted),
            }
        }
    }
}

/// The successors of an instruction.
struct Ways {
    places: [Option<usize>; 2],
    /// Whether the program may end.
    ends: bool,
    /// Whether a subroutine may return.
    returns: bool,
}

/// A basic block: consecutive instructions, and the blocks that may run next.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub range: Range<usize>,
    /// The numbers of the blocks that may run next.
    pub next: Vec<usize>,
    /// Whether the program may end after the block.
    pub ends: bool,
}

/// The basic blocks of a program.
pub(super) struct Graph {
    pub blocks: Vec<Block>,
    /// The block at which execution begins. `None` if the program has no instructions.
    pub entry: Option<usize>,
}

impl Graph {
    /// The graph of a program. The last block has no instructions. Every RET leads to it, and it leads to the
    /// instruction after every call.
    pub fn of(facts: Facts<'_>) -> Self {
        let program = facts.program;
        let count = program.instructions.len();
        let mut begins = vec![false; count + 1];
        begins[program.entry.min(count)] = true;
        program.labels.iter().for_each(|label| begins[label.at.min(count)] = true);
        for (pc, instruction) in program.instructions.iter().enumerate() {
            if let Some(control) = instruction.control() {
                begins[pc + 1] = true;
                control.target().into_iter().for_each(|to| begins[to.min(count)] = true);
            }
        }
        let starts: Vec<usize> = (0..count).filter(|&pc| pc == 0 || begins[pc]).collect();
        let number =
            |pc: usize, starts: &[usize]| starts.partition_point(|&start| start <= pc).checked_sub(1);
        let returns = starts.len();
        let mut behind_calls = Vec::new();
        let mut blocks = Vec::with_capacity(returns + 1);
        for (index, &start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(count);
            let ways = facts.ways(end - 1);
            let mut block = Block { range: start..end, next: Vec::new(), ends: ways.ends };
            let mut places: Vec<usize> = ways.places.into_iter().flatten().collect();
            match program.instructions[end - 1].control() {
                Some(Control::Call { .. }) => behind_calls.push(end),
                Some(Control::CallIndirect { variable, .. }) => {
                    behind_calls.push(end);
                    places.extend(program.called_through(variable));
                }
                _ => {}
            }
            block.ends |= places.iter().any(|&to| to >= count);
            block.next =
                places.into_iter().filter(|&to| to < count).filter_map(|to| number(to, &starts)).collect();
            if ways.returns {
                block.next.push(returns);
            }
            blocks.push(block);
        }
        let next =
            behind_calls.iter().filter(|&&to| to < count).filter_map(|&to| number(to, &starts)).collect();
        let ends = behind_calls.iter().any(|&to| to >= count);
        blocks.push(Block { range: count..count, next, ends });
        let entry = (program.entry < count).then(|| number(program.entry, &starts)).flatten();
        Self { blocks, entry }
    }

    /// The predecessors of each block.
    pub fn before(&self) -> Vec<Vec<usize>> {
        let mut before = vec![Vec::new(); self.blocks.len()];
        for (number, block) in self.blocks.iter().enumerate() {
            block.next.iter().for_each(|&next| before[next].push(number));
        }
        before
    }

    /// Whether execution may reach each block.
    pub fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.blocks.len()];
        let mut waiting: Vec<usize> = self.entry.into_iter().collect();
        while let Some(number) = waiting.pop() {
            if !std::mem::replace(&mut reached[number], true) {
                waiting.extend(&self.blocks[number].next);
            }
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_registers_are_each_of_them() {
        let registers = Registers { temporaries: 50, outputs: 3 };
        for (first, count) in
            [(0, 0), (16, 0), (0, 1), (15, 1), (15, 2), (0, 16), (3, 40), (16, 16), (31, 22), (52, 1)]
        {
            let run = Run { first, count };
            let mut found = Components::none(registers);
            found.insert(run, 0b0101);
            let is_in = |number: &usize| (first..first + count).contains(number);
            for number in 0..registers.count() {
                let expected = if is_in(&number) { 0b0101 } else { 0 };
                assert_eq!(found.get(Register(number)), expected, "{run:?} {number}");
            }
            assert_eq!(found.get(run), if count > 0 { 0b0101 } else { 0 });
            found.remove(run, 0b0100);
            assert_eq!(found.get(Run { first: 0, count: registers.count() }), u8::from(count > 0));
            found.remove(run, 0xF);
            assert_eq!(found, Components::none(registers));
        }
    }
}
