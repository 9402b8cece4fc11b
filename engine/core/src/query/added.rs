//! The instructions that each frame query adds to a program.

use super::rewrite::{Place, Rewrite, masked, operand, whole, writes};
use super::{FrameQueryError, ProgramPoint};
use crate::debug::expression::Place as Read;
use shadestep_language::ir::{
    CcRegister, CcTest, Condition, Control, Destination, Element, Flags, Instruction, Kind, Operand,
    OutputId, Program, Source, Swizzle, Target, TempId, Type,
};
use shadestep_language::isa::Opcode;
use shadestep_language::semantics::plan::ResultTypes;

/// The added output colour for counts and flags.
pub const NOTES: u8 = 1;
/// The added output colours for register values: low words, high words.
pub const VALUES: [u8; 2] = [2, 3];

const X: u8 = 0b0001;

/// The x component of a temporary, in all components.
fn x_of(temp: TempId) -> Operand {
    operand(Source::Temp(temp), Swizzle::replicate(0))
}

/// Adds copies of a register at `point`: the low words of x, y, z, w and, for 64-bit registers, the high
/// words.
pub(super) fn capture(
    program: &Program,
    point: ProgramPoint,
    read: Option<Read>,
) -> Result<Rewrite, FrameQueryError> {
    let mut rewrite = Rewrite::new(program);
    let notes = rewrite.color(NOTES);
    let values = VALUES.map(|number| rewrite.color(number));
    let place = match point {
        ProgramPoint::End => return at_end(rewrite, read, notes, values),
        ProgramPoint::After(pc) => {
            let computes =
                program.instructions.get(pc).is_some_and(|instruction| instruction.write().is_some());
            if computes { Place::After(pc) } else { Place::Before(pc) }
        }
    };
    let times = rewrite.temporary(Type::U32);
    let one = rewrite.constant([1; 4]);
    // Create the shadow first, because it adds its own copy after the instruction.
    let source = match read {
        Some(Read::Output(id)) => Some(Source::Temp(rewrite.shadow(id))),
        Some(other) => other.source(),
        None => None,
    };
    rewrite.add(place, Opcode::Add, Type::U32, masked(Target::Temp(times), X), vec![whole(times), one]);
    rewrite.copy(place, masked(Target::Output(notes), X), whole(times));
    match (source, read) {
        (Some(source), _) => copy_out(&mut rewrite, place, source, values),
        (None, Some(Read::Flags(register))) => flags(&mut rewrite, vec![place], register, values[0]),
        (None, _) => {}
    }
    Ok(rewrite)
}

/// Counts in x the executions of the instruction at `pc` that write a component.
pub(super) fn wrote(program: &Program, pc: usize) -> Rewrite {
    let mut rewrite = Rewrite::new(program);
    let notes = rewrite.color(NOTES);
    let Some(&dest) = program.instructions.get(pc).and_then(Instruction::dest) else { return rewrite };
    let (times, any) = (rewrite.temporary(Type::U32), rewrite.temporary(Type::U32));
    let [zero, one] = [0, 1].map(|bits| rewrite.constant([bits; 4]));
    // The test reads the condition codes from before the instruction, which may change them.
    let place = Place::Before(pc);
    rewrite.copy(place, Destination::whole(Target::Temp(any)), zero);
    rewrite.copy(place, Destination { test: dest.test, ..masked(Target::Temp(any), dest.mask.0) }, one);
    for c in 1..4 {
        let other = operand(Source::Temp(any), Swizzle::replicate(c));
        rewrite.add(place, Opcode::Or, Type::U32, masked(Target::Temp(any), X), vec![x_of(any), other]);
    }
    let counted = masked(Target::Temp(times), X);
    rewrite.add(place, Opcode::Add, Type::U32, counted, vec![x_of(times), x_of(any)]);
    rewrite.copy(place, masked(Target::Output(notes), X), whole(times));
    rewrite
}

/// Adds copies of a register's final value, after each instruction that writes it.
fn at_end(
    mut rewrite: Rewrite,
    read: Option<Read>,
    notes: OutputId,
    values: [OutputId; 2],
) -> Result<Rewrite, FrameQueryError> {
    let one = rewrite.constant([1; 4]);
    rewrite.copy(Place::First, masked(Target::Output(notes), X), one);
    let Some(read) = read else { return Ok(rewrite) };
    let (source, element) = match read {
        Read::Temp(id) if is_loop_index(rewrite.program(), id) => {
            return Err(FrameQueryError::LoopIndexAtEnd);
        }
        Read::Temp(id) => (Source::Temp(id), Element::Temp(id)),
        Read::Output(id) => {
            let shadow = rewrite.shadow(id);
            (Source::Temp(shadow), Element::Temp(shadow))
        }
        Read::Attribute(attribute) => (Source::Attribute(attribute), Element::Attribute(attribute)),
        Read::Param(id) => (Source::Param(id), Element::Param(id)),
        Read::Flags(register) => {
            let instructions = rewrite.program().instructions.iter().enumerate();
            let updates = instructions.filter(|(_, instruction)| instruction.update_cc() == Some(register));
            let places = updates.map(|(pc, _)| Place::After(pc)).chain([Place::First]).collect();
            flags(&mut rewrite, places, register, values[0]);
            return Ok(rewrite);
        }
    };
    copy_out(&mut rewrite, Place::First, source, values);
    for (pc, _) in writes(rewrite.program(), element) {
        copy_out(&mut rewrite, Place::After(pc), source, values);
    }
    Ok(rewrite)
}

/// Whether a register is the index of a loop.
fn is_loop_index(program: &Program, id: TempId) -> bool {
    program.instructions.iter().any(|instruction| {
        matches!(instruction.control(), Some(Control::Loop { index: Some(index), .. }) if index == id)
    })
}

/// Copies a register to results: the low words to the first, the high words of 64-bit registers to the
/// second.
fn copy_out(rewrite: &mut Rewrite, place: Place, source: Source, [low, high]: [OutputId; 2]) {
    let ty = rewrite.program().source_type(source);
    if !ty.is_wide() {
        return rewrite.copy(
            place,
            Destination::whole(Target::Output(low)),
            operand(source, Swizzle::IDENTITY),
        );
    }
    let halves = rewrite.temporary(Type::U32);
    for pair in 0..2 {
        let from = operand(source, Swizzle([2 * pair, 2 * pair + 1, 2 * pair, 2 * pair + 1]));
        rewrite.add(place, Opcode::Up64, Type::U64, Destination::whole(Target::Temp(halves)), vec![from]);
        let mask = 0b11 << (2 * pair);
        for (word, output) in [low, high].into_iter().enumerate() {
            let word = word as u8;
            let swizzle = Swizzle([word, word + 2, word, word + 2]);
            let from = operand(Source::Temp(halves), swizzle);
            rewrite.copy(place, masked(Target::Output(output), mask), from);
        }
    }
}

/// Copies the bits of [`Flags`] of each component at each of `places`.
fn flags(rewrite: &mut Rewrite, places: Vec<Place>, register: CcRegister, to: OutputId) {
    let temporaries = [(); 2].map(|()| rewrite.temporary(Type::U32));
    for place in places {
        flags_at(rewrite, place, temporaries, register, to);
    }
}

fn flags_at(
    rewrite: &mut Rewrite,
    place: Place,
    [all, bit]: [TempId; 2],
    register: CcRegister,
    to: OutputId,
) {
    let zero = rewrite.constant([0; 4]);
    rewrite.copy(place, Destination::whole(Target::Temp(all)), zero);
    let bits: [(u8, &[Condition]); 4] = [
        (Flags::SIGN, &[Condition::Sf]),
        (Flags::ZERO, &[Condition::Eq, Condition::Nan]),
        (Flags::OVERFLOW, &[Condition::Of]),
        (Flags::CARRY, &[Condition::Cf]),
    ];
    for (flag, conditions) in bits {
        let set = rewrite.constant([flag.into(); 4]);
        rewrite.copy(place, Destination::whole(Target::Temp(bit)), zero);
        for &condition in conditions {
            let test = Some(CcTest { condition, swizzle: Swizzle::IDENTITY, register });
            rewrite.copy(place, Destination { test, ..Destination::whole(Target::Temp(bit)) }, set);
        }
        let operands = vec![whole(all), whole(bit)];
        rewrite.add(place, Opcode::Or, Type::U32, Destination::whole(Target::Temp(all)), operands);
    }
    rewrite.copy(place, Destination::whole(Target::Output(to)), whole(all));
}

/// Flags in x whether an instruction wrote a NaN or an infinity. y is the index of the first such instruction
/// + 1.
pub(super) fn not_finite(program: &Program) -> Rewrite {
    let mut rewrite = Rewrite::new(program);
    let notes = rewrite.color(NOTES);
    let found = Found::new(&mut rewrite);
    for (pc, instruction) in program.instructions.iter().enumerate() {
        let Some(dest) = instruction.dest().copied().filter(|_| instruction.write().is_some()) else {
            continue;
        };
        let ty = ResultTypes::of(program, instruction).in_register();
        if ty.is_integer() || ty == Type::Address {
            continue;
        }
        let value = match dest.target {
            Target::Temp(id) => id,
            Target::Output(id) => rewrite.shadow(id),
            Target::Indirect(_) if matches!(instruction.kind, Kind::Alu(_) | Kind::Convert(..)) => {
                let value = rewrite.temporary(program.target_type(dest.target));
                rewrite.repeat(pc, instruction, value);
                value
            }
            // These targets keep no value, or the instruction cannot be executed twice.
            Target::Indirect(_) | Target::Param(_) | Target::ConditionOnly(_) => continue,
        };
        found.look_at(&mut rewrite, pc, (value, dest), ty);
        let all = masked(Target::Output(notes), 0b11);
        rewrite.copy(Place::After(pc), all, whole(found.noted));
    }
    rewrite
}

/// Temporaries that record the first value that is not finite.
struct Found {
    /// x: bit 31 is set once a value was not finite; y: the index of the first such instruction + 1.
    noted: TempId,
    exponent: TempId,
    any: TempId,
    is_new: TempId,
}

impl Found {
    fn new(rewrite: &mut Rewrite) -> Self {
        let [noted, exponent, any, is_new] = [(); 4].map(|()| rewrite.temporary(Type::U32));
        Self { noted, exponent, any, is_new }
    }

    /// Tests the components of `value` that `dest` has written, after instruction `pc`.
    fn look_at(&self, rewrite: &mut Rewrite, pc: usize, (value, dest): (TempId, Destination), ty: Type) {
        let Self { noted, exponent, any, is_new } = *self;
        let place = Place::After(pc);
        let bits = |temp| Destination::whole(Target::Temp(temp));
        // Components that were not written count as 0, which is finite.
        let zero = rewrite.constant([0; 4]);
        rewrite.copy(place, bits(exponent), zero);
        let written = masked(Target::Temp(exponent), dest.mask.0);
        let (all_ones, one) = if ty.is_wide() { (0x7FF0_0000, 0x10_0000) } else { (0x7F80_0000, 0x80_0000) };
        if ty.is_wide() {
            let halves = rewrite.temporary(Type::U32);
            for c in (0..4).filter(|&c| dest.mask.has(c)) {
                let from = operand(Source::Temp(value), Swizzle::replicate(c as u8));
                rewrite.add(place, Opcode::Up64, Type::U64, bits(halves), vec![from]);
                let high = operand(Source::Temp(halves), Swizzle::replicate(1));
                rewrite.copy(place, masked(Target::Temp(exponent), 1 << c), high);
            }
        } else {
            rewrite.copy(place, written, whole(value));
        }
        let constant = |rewrite: &mut Rewrite, bits: u32| rewrite.constant([bits; 4]);
        let [mask, one, sign] = [all_ones, one, 1 << 31].map(|bits| constant(rewrite, bits));
        let step = |rewrite: &mut Rewrite, op, to: Destination, operands: Vec<Operand>| {
            rewrite.add(place, op, Type::U32, to, operands);
        };
        step(rewrite, Opcode::And, bits(exponent), vec![whole(exponent), mask]);
        step(rewrite, Opcode::Add, bits(exponent), vec![whole(exponent), one]);
        step(rewrite, Opcode::And, bits(exponent), vec![whole(exponent), sign]);
        let turned = |swizzle| operand(Source::Temp(exponent), Swizzle(swizzle));
        step(rewrite, Opcode::Or, bits(any), vec![whole(exponent), turned([2, 3, 0, 1])]);
        let turned = operand(Source::Temp(any), Swizzle([1, 0, 1, 0]));
        step(rewrite, Opcode::Or, bits(any), vec![whole(any), turned]);
        // All bits are set if this value is the first.
        let x = |temp| masked(Target::Temp(temp), X);
        step(rewrite, Opcode::Not, x(is_new), vec![x_of(noted)]);
        step(rewrite, Opcode::And, x(is_new), vec![x_of(is_new), x_of(any)]);
        let places = rewrite.constant([31; 4]);
        let places = operand(places.source, Swizzle::replicate(0));
        rewrite.add(place, Opcode::Shr, Type::S32, x(is_new), vec![x_of(is_new), places]);
        let number = rewrite.constant([pc as u32 + 1; 4]);
        step(rewrite, Opcode::And, x(is_new), vec![x_of(is_new), number]);
        step(rewrite, Opcode::Or, masked(Target::Temp(noted), 0b10), vec![whole(noted), x_of(is_new)]);
        step(rewrite, Opcode::Or, x(noted), vec![x_of(noted), x_of(any)]);
    }
}

/// A basic block: instructions that are executed in sequence, or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// Index of the first instruction.
    pub start: usize,
    /// Index after the last instruction.
    pub end: usize,
    /// For a block that begins at an ENDIF: the block of the ELSE that jumps to it. The block's own counter
    /// misses those lanes.
    pub joined: Option<usize>,
}

pub(super) fn blocks(program: &Program) -> Vec<Block> {
    let count = program.instructions.len();
    let mut begins = vec![false; count + 1];
    begins[program.entry.min(count)] = true;
    for label in &program.labels {
        begins[label.at] = true;
    }
    for (pc, instruction) in program.instructions.iter().enumerate() {
        let Some(control) = instruction.control() else { continue };
        begins[pc + 1] = true;
        if let Some(target) = control.target() {
            begins[target] = true;
        }
        // The fall-through path can be dead, so the joining instruction starts a block of its own.
        if matches!(control, Control::Else { .. } | Control::EndIf | Control::EndLoop { .. }) {
            begins[pc] = true;
        }
    }
    begins[0] = true;
    let starts: Vec<usize> = (0..count).filter(|&pc| begins[pc]).collect();
    let ends = starts.iter().skip(1).copied().chain([count]);
    let block = |(&start, end)| Block { start, end, joined: None };
    let mut blocks: Vec<Block> = starts.iter().zip(ends).map(block).collect();
    for (pc, instruction) in program.instructions.iter().enumerate() {
        if let Some(Control::Else { end }) = instruction.control()
            && let (Ok(number), Ok(other)) = (starts.binary_search(&end), starts.binary_search(&pc))
        {
            blocks[number].joined = Some(other);
        }
    }
    blocks
}

/// Counts the executions of each block in components of outputs, four blocks per output, in order.
pub(super) fn counters(program: &Program, blocks: &[Block]) -> (Rewrite, Vec<OutputId>) {
    let mut rewrite = Rewrite::new(program);
    let one = rewrite.constant([1; 4]);
    let mut outputs = Vec::new();
    for (number, four) in blocks.chunks(4).enumerate() {
        // Results can have colour numbers that no framebuffer has.
        let output = rewrite.color(FIRST_COUNTER.saturating_add(number as u8));
        let counter = rewrite.temporary(Type::U32);
        for (c, block) in four.iter().enumerate() {
            let place = Place::Before(block.start);
            let counted = masked(Target::Temp(counter), 1 << c);
            rewrite.add(place, Opcode::Add, Type::U32, counted, vec![whole(counter), one]);
            rewrite.copy(place, masked(Target::Output(output), 1 << c), whole(counter));
        }
        outputs.push(output);
    }
    (rewrite, outputs)
}

/// The first output colour for counters.
const FIRST_COUNTER: u8 = 16;
/// The most blocks that can be counted.
pub const MOST_BLOCKS: usize = 4 * (u8::MAX - FIRST_COUNTER) as usize;

impl Rewrite {
    /// Executes `instruction` (at `pc`, without side effects) an extra time beforehand, with its result in a
    /// temporary.
    fn repeat(&mut self, pc: usize, instruction: &Instruction, to: TempId) {
        let mut again = instruction.clone();
        if let Some(write) = again.write_mut() {
            write.update_cc = None;
            write.dest.target = Target::Temp(to);
        }
        self.put(Place::Before(pc), again);
    }
}
