//! What each instruction reads and writes, by component, and where it leads: the facts that the analyses of
//! [`super::analysis`] go by.
//!
//! The graph has every way that execution can take from one instruction to the next, and some that it cannot: RET leads
//! behind every call. The limits of depths end a program where it calls or begins a block. That of executed instructions can
//! end it anywhere once it goes round; here it does so where it goes back or calls. So what holds on all ways of the graph
//! holds whenever the program runs, but that such an end may come between two writes of an output.

use crate::exec::plan::{Plan, inputs_used};
use crate::ir::{
    Access, CcRegister, CcTest, Condition, Control, Destination, Element, Emit, Indirect, Instruction, Kind,
    Program, Source, Swizzle, Target, TempId,
};
use crate::isa::Stage;
use std::ops::Range;

/// Four components that are kept account of: of a temporary, an output or a condition code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Register(usize);

/// The registers of a program, by number: temporaries, outputs, condition codes.
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

    /// Which temporary it is, if it is one.
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

    fn element(self, element: Element) -> Option<Register> {
        match element {
            Element::Temp(id) => Some(Self::temporary(id)),
            Element::Output(id) => Some(self.output(id.0.into())),
            Element::Param(_) | Element::Attribute(_) => None,
        }
    }
}

/// Components of registers, a bit each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Components(Vec<u64>);

impl Components {
    /// Components in a word.
    const PER_WORD: usize = 16;

    pub fn none(registers: Registers) -> Self {
        Self(vec![0; Self::words(registers)])
    }

    /// Words that a set takes.
    pub const fn words(registers: Registers) -> usize {
        registers.count().div_ceil(Self::PER_WORD)
    }

    /// Those of `register` (bit 0 = x).
    pub fn get(&self, Register(number): Register) -> u8 {
        (self.0[number / Self::PER_WORD] >> (number % Self::PER_WORD * 4) & 0xF) as u8
    }

    pub fn insert(&mut self, Register(number): Register, components: u8) {
        self.0[number / Self::PER_WORD] |= u64::from(components & 0xF) << (number % Self::PER_WORD * 4);
    }

    pub fn remove(&mut self, Register(number): Register, components: u8) {
        self.0[number / Self::PER_WORD] &= !(u64::from(components & 0xF) << (number % Self::PER_WORD * 4));
    }

    /// Adds those of `other`; whether any were new.
    pub fn add(&mut self, other: &Self) -> bool {
        let mut new = false;
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            new |= *other & !*own != 0;
            *own |= other;
        }
        new
    }
}

/// What an instruction reads of a register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub register: Register,
    /// Components, bit 0 = x.
    pub components: u8,
    pub how: How,
}

/// How a register comes to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// As the operand with this number.
    Operand(usize),
    /// By a test of a condition code.
    Test,
    /// By a test of the condition code that the instruction itself sets: what begins as EQ may be meant so.
    OwnTest,
    /// As what chooses an element: of the operand with this number, or of something else.
    Index(Option<usize>),
    /// It may be: an address register chooses it, or it is put away with others.
    Perhaps,
}

/// What an instruction writes of a register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub register: Register,
    /// Components, bit 0 = x.
    pub components: u8,
    /// Whether they are written in any case.
    pub surely: bool,
}

/// Whether `test` asks a condition code at all.
const fn asks(test: &CcTest) -> bool {
    !matches!(test.condition, Condition::Tr | Condition::Fl)
}

/// Whether `test` is passed in any case.
fn always(test: Option<CcTest>) -> bool {
    test.is_none_or(|test| test.condition == Condition::Tr)
}

/// The components of a register that `components` read through `swizzle`.
fn through(swizzle: Swizzle, components: u8) -> u8 {
    let selected = (0..4).filter(|c| components >> c & 1 != 0).map(|c| swizzle.0[c]);
    selected.filter(|component| *component < 4).fold(0, |mask, component| mask | 1 << component)
}

/// The read of the component of a register that chooses an element of operand `operand`, or of something else.
const fn chooses((id, component): (TempId, u8), operand: Option<usize>) -> Read {
    Read { register: Registers::temporary(id), components: 1 << component, how: How::Index(operand) }
}

/// The program with what is asked of all its instructions.
#[derive(Clone, Copy)]
pub(super) struct Facts<'p> {
    pub program: &'p Program,
    pub registers: Registers,
    /// Whether one block too many can be begun: what stands in the text alone is not too much.
    too_deep: bool,
}

impl<'p> Facts<'p> {
    pub fn of(program: &'p Program) -> Self {
        // Calls take the blocks of callers along, and branches leave blocks open.
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

    /// Tells `take` each read of the instruction at `pc`, of which result components `wanted` matter.
    pub fn reads(&self, pc: usize, wanted: u8, mut take: impl FnMut(Read)) {
        let instruction = self.at(pc);
        for (number, operand) in instruction.operands.iter().enumerate() {
            // SFL and STR name operands of which nothing depends.
            let named = if used(instruction, number, 0xF) == 0 { wanted } else { 0 };
            // PUSHA has no swizzle to say which components it is about.
            let is_whole = matches!(instruction.control(), Some(Control::PushAddress));
            let how = if named != 0 || is_whole { How::Perhaps } else { How::Operand(number) };
            let components = through(operand.swizzle, used(instruction, number, wanted) | named);
            match operand.source {
                Source::Temp(id) => take(Read { register: Registers::temporary(id), components, how }),
                Source::Indirect(indirect) => self.elements(indirect, components, &mut take),
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
            take(Read { register, components: through(test.swizzle, places), how });
        }
        // Results go on with a vertex as they are then.
        if matches!(instruction.kind, Kind::Emit(Emit::Vertex | Emit::ToStream)) {
            for number in 0..self.program.outputs.len() {
                let register = self.registers.output(number);
                take(Read { register, components: 0xF, how: How::Perhaps });
            }
        }
    }

    fn elements(&self, indirect: Indirect, components: u8, take: &mut impl FnMut(Read)) {
        for register in indirect.elements().filter_map(|element| self.registers.element(element)) {
            take(Read { register, components, how: How::Perhaps });
        }
    }

    /// Tells `take` each write of the instruction at `pc`.
    pub fn writes(&self, pc: usize, mut take: impl FnMut(Written)) {
        let instruction = self.at(pc);
        let Some(&Destination { target, mask, test, .. }) = instruction.dest() else { return };
        if test.is_some_and(|test| test.condition == Condition::Fl) {
            return;
        }
        let surely = always(test);
        let mut write = |register, surely| take(Written { register, components: mask.0, surely });
        match target {
            Target::Temp(id) => write(Registers::temporary(id), surely),
            Target::Output(id) => write(self.registers.output(id.0.into()), surely),
            Target::Indirect(indirect) => {
                for element in indirect.elements() {
                    self.registers.element(element).into_iter().for_each(|register| write(register, false));
                }
            }
            Target::Param(_) | Target::ConditionOnly(_) => {}
        }
        if let Some(register) = instruction.update_cc() {
            write(self.registers.condition(register), surely);
        }
    }

    /// Whether the instruction at `pc` does nothing but write registers that are kept account of.
    pub fn only_writes(&self, pc: usize) -> bool {
        let instruction = self.at(pc);
        let writes_others = matches!(instruction.target(), Some(Target::Param(_)) | None);
        let is_atomic =
            instruction.memory().is_some_and(|memory| matches!(memory.access, Access::Atomic(..)));
        !writes_others && !is_atomic && !matches!(instruction.kind, Kind::Flow(_))
    }

    /// Temporaries that nothing is told of: LOOP writes them itself, and what other invocations of a quad read
    /// where these do not come to.
    pub fn left_out(&self) -> Vec<Register> {
        let program = self.program;
        let mut found = Vec::new();
        let has_flow = program.has_flow();
        for (pc, instruction) in program.instructions.iter().enumerate() {
            if let Some(Control::Loop { index: Some(id), .. }) = instruction.control() {
                found.push(Registers::temporary(id));
            }
            if has_flow && Plan::of(instruction).depends_on_quad(program.stage()) {
                self.reads(pc, 0xF, |read| found.push(read.register));
            }
        }
        // What an invocation of a patch has written others can read at any time.
        if program.stage() == Stage::TessControl {
            found.extend((0..program.outputs.len()).map(|number| self.registers.output(number)));
        }
        found
    }

    /// Where execution may go on behind the instruction at `pc`.
    fn ways(&self, pc: usize) -> Ways {
        let instruction = self.at(pc);
        let next = Some(pc + 1);
        let way = |places: [Option<usize>; 2]| Ways { places, ends: false, returns: false };
        let unless = |test: Option<CcTest>| next.filter(|_| !always(test));
        let endless = |begin: usize| self.at(begin).operands.is_empty();
        match instruction.control() {
            None | Some(Control::EndIf) => way([next, None]),
            // Going round, the program ends with its last instruction.
            Some(Control::Branch { to, test }) => Ways { ends: to <= pc, ..way([Some(to), unless(test)]) },
            Some(Control::Break { to, test } | Control::Continue { to, test }) => {
                way([Some(to), unless(test)])
            }
            // Where calls are nested too deep the program ends, as it does with too many addresses on the stack.
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

/// The components of operand `number` that `instruction` uses for the result components in `wanted`.
fn used(instruction: &Instruction, number: usize, wanted: u8) -> u8 {
    match &instruction.kind {
        Kind::Memory(memory) => memory.operand_used(number),
        Kind::Flow(Control::PushAddress) => 0xF,
        Kind::Flow(Control::Loop { index: Some(_), .. }) => 0b0111,
        Kind::Flow(_) => 0b0001,
        Kind::Kill(_) | Kind::Emit(_) | Kind::Barrier => 0xF,
        Kind::Alu(write) | Kind::Convert(write, _) | Kind::Texture(write, _) => {
            match Plan::of(instruction) {
                // What comes from memory is chosen by registers beside the operands.
                Plan::Memory(..) | Plan::Control => 0xF,
                plan => inputs_used(instruction, &plan, number, write.dest.mask.0 & wanted),
            }
        }
    }
}

/// Where execution may go on.
struct Ways {
    places: [Option<usize>; 2],
    /// Whether the program may end.
    ends: bool,
    /// Whether a subroutine may.
    returns: bool,
}

/// Instructions that run one after the other, and where they lead.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub range: Range<usize>,
    /// Numbers of the blocks behind it.
    pub next: Vec<usize>,
    /// Whether the program may end behind it.
    pub ends: bool,
}

/// A program's blocks.
pub(super) struct Graph {
    pub blocks: Vec<Block>,
    /// The block that execution begins with; none if there are no instructions.
    pub entry: Option<usize>,
}

impl Graph {
    /// That of a program. Behind the blocks of instructions stands one without, which every RET leads to and which leads
    /// behind every call.
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

    /// The blocks before each.
    pub fn before(&self) -> Vec<Vec<usize>> {
        let mut before = vec![Vec::new(); self.blocks.len()];
        for (number, block) in self.blocks.iter().enumerate() {
            block.next.iter().for_each(|&next| before[next].push(number));
        }
        before
    }

    /// Which blocks execution may come to.
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
