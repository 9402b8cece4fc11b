//! Selects the machine instructions for each step of a schedule, with the registers from [`super::allocate`].
//!
//! A lane register is processed in chunks of one vector register (16 or 8 lanes). If registers suffice, two
//! chunks are processed side by side, which hides the latency of instructions. [`evex`] and [`vex`] have the
//! parts that differ between the two encodings.

mod evex;
mod vex;

use super::Encoding;
use super::allocate::{Allocator, File, Rematerialization, Spill, Value};
use super::encode::evex::{Mask, Writes};
use super::encode::{self, Address, Base, Code, Extent, Operation, RegisterOrMemory, Vector};
use crate::exec::back_end::{Constant, Constants};
use crate::exec::block::{LANES, LaneRegister};
use crate::exec::lir::{
    Binary, Comparison, Denorms, Half, Node, NodeId, Op64, Scheduled, Shift, Step, Target, Wanted,
};
use shadestep_language::num::Rounding;

/// The address of a constant. Adds new constants to `constants`.
fn constant_place(encoding: Encoding, constants: &mut Constants, constant: Constant) -> Address {
    let index = constants.index_of(constant);
    let (copies, bias) = (encoding.constant_copies(), encoding.constants_bias());
    let extent = if copies == 1 { Extent::One } else { Extent::Full };
    Address { base: Base::Constants, offset: (4 * copies * index) as i32 - bias as i32, extent }
}

/// Bytes of code that fit the first-level instruction cache, with some margin. The second-level cache
/// delivers at most about 12 bytes a cycle.
const CACHED_CODE: usize = 28 << 10;

/// A compiled function's entry and needs.
#[derive(Clone, Copy, Debug)]
pub struct Emitted {
    /// Offset of the function's first instruction.
    pub entry: usize,
    /// Number of lane registers for spilled values.
    pub spill_registers: u16,
}

/// Writes a function over lane registers that executes the steps of `scheduled`. Spilled values use lane
/// registers from `first_spill`.
pub fn emit(
    code: &mut Code,
    encoding: Encoding,
    constants: &mut Constants,
    scheduled: &Scheduled,
    first_spill: u16,
) -> Emitted {
    let mut attempt = |chunks: usize| {
        let mut emitter = Emitter::new(encoding, constants, scheduled, chunks, first_spill);
        emitter.function(scheduled);
        (emitter.code, emitter.registers.slots())
    };
    // Processes two chunks side by side unless the code becomes too large. With the many registers of EVEX,
    // also uses one chunk if two chunks need spills.
    let (mut written, mut slots) = attempt(2);
    let is_crowded = slots > 0 && encoding == Encoding::Evex512;
    if is_crowded || written.bytes().len() > CACHED_CODE {
        let (single, single_slots) = attempt(1);
        if slots > 0 || single.bytes().len() <= CACHED_CODE {
            (written, slots) = (single, single_slots);
        }
    }
    let entry = code.append(&written);
    Emitted { entry, spill_registers: slots }
}

struct Emitter<'a> {
    nodes: &'a [Node],
    constants: &'a mut Constants,
    encoding: Encoding,
    code: Code,
    chunks: usize,
    registers: Allocator<'a>,
}

impl<'a> Emitter<'a> {
    fn new(
        encoding: Encoding,
        constants: &'a mut Constants,
        Scheduled { nodes, steps, .. }: &'a Scheduled,
        chunks: usize,
        first_spill: u16,
    ) -> Self {
        let counts = [encoding.registers(), encoding.mask_registers()];
        let registers = Allocator::new(nodes, steps, chunks, counts, first_spill);
        Self { nodes, constants, encoding, code: Code::default(), chunks, registers }
    }

    fn function(&mut self, Scheduled { steps, denorms, .. }: &Scheduled) {
        let lanes = self.chunks * self.encoding.lanes();
        if *denorms == Denorms::AreZeros {
            self.code.denorms_are_zeros();
        }
        let start = self.code.begin_loop((LANES / lanes) as u32);
        for &step in steps {
            if let Step::Store(Target::Again, mask) = step {
                self.again(mask, start);
                continue;
            }
            for chunk in 0..self.chunks {
                match step {
                    Step::Compute(node) => self.compute(Value { node, chunk }),
                    Step::Store(target, node) => self.finish(Value { node, chunk }, target),
                }
                self.registers.end_step();
            }
        }
        self.code.end_loop(start, 4 * lanes as u32);
        match denorms {
            Denorms::AreZeros => self.code.end_restoring(),
            Denorms::Kept => self.code.end(),
        }
    }

    /// Jumps back to `start` while `mask` has a lane in any current chunk. No value is in a processor
    /// register at this point.
    fn again(&mut self, mask: NodeId, start: usize) {
        for chunk in 0..self.chunks {
            let value = Value { node: mask, chunk };
            let from = self.register(value, &[]);
            let first = chunk == 0;
            match self.encoding {
                Encoding::Evex512 => self.code.add_lanes(Mask(from), first),
                Encoding::Vex256 => self.code.vex_add_signs(Vector(from), first),
            }
            self.registers.done_with(&[value]);
        }
        self.code.jump_if_any(start);
    }

    /// Writes a value to its target.
    fn finish(&mut self, value: Value, target: Target) {
        let from = self.register(value, &[]);
        match target {
            Target::Register(lane_register) => {
                self.store(from, self.lane_register_place(lane_register, value.chunk))
            }
            Target::Output(lane_register) => {
                self.store(
                    from,
                    Address { base: Base::Outputs, ..self.lane_register_place(lane_register, value.chunk) },
                );
            }
            Target::Bits(lane_register) => {
                self.store_bits(from, self.lane_register_place(lane_register, value.chunk))
            }
            // `again` handles this target.
            Target::Again => {}
        }
        self.registers.done_with(&[value]);
    }

    fn node(&self, value: Value) -> Node {
        self.nodes[value.node as usize]
    }

    /// The address of the part of a lane register for `chunk`, relative to the first current chunk.
    fn lane_register_place(&self, lane_register: u16, chunk: usize) -> Address {
        let offset = usize::from(lane_register) * size_of::<LaneRegister>() + chunk * self.encoding.bytes();
        Address { base: Base::LaneRegisters, offset: offset as i32, extent: Extent::Full }
    }

    /// The address of a value in memory, if it has one.
    fn place(&mut self, value: Value) -> Option<Address> {
        Some(match self.registers.home(value)? {
            Rematerialization::Register(lane_register) => {
                self.lane_register_place(lane_register, value.chunk)
            }
            Rematerialization::Input(lane_register) => {
                Address { base: Base::Inputs, ..self.lane_register_place(lane_register, value.chunk) }
            }
            Rematerialization::Uniform(lane_register) => self.constant(Constant::Uniform(lane_register)),
            Rematerialization::Constant(bits) => self.constant(Constant::Bits(bits)),
        })
    }

    fn constant(&mut self, constant: Constant) -> Address {
        constant_place(self.encoding, self.constants, constant)
    }

    /// Takes a register for `value`, other than `pinned`. Spills the register's old value if necessary.
    fn take(&mut self, value: Value, pinned: &[u8]) -> u8 {
        let (register, aside) = self.registers.take(value, pinned);
        if let Some(Spill { file, register, lane_register, chunk }) = aside {
            let place = self.lane_register_place(lane_register, chunk);
            match file {
                File::Vectors => self.store(register, place),
                File::Masks => self.store_bits(register, place),
            }
        }
        register
    }

    /// The register with the value, which is loaded if necessary.
    fn register(&mut self, value: Value, pinned: &[u8]) -> u8 {
        if let Some(register) = self.registers.register(value) {
            return register;
        }
        let place = self.place(value);
        let register = self.take(value, pinned);
        if let Some(place) = place {
            match self.registers.file(value) {
                File::Vectors => self.load(register, place),
                File::Masks => self.code.mask_load(Mask(register), place),
            }
        }
        register
    }

    /// The value as a last operand: from memory if it is there, unless it is read again and registers are
    /// plentiful.
    fn source(&mut self, value: Value, pinned: &[u8]) -> RegisterOrMemory {
        if let Some(register) = self.registers.register(value) {
            return RegisterOrMemory::Register(Vector(register));
        }
        let is_wanted =
            self.registers.is_read_again(value) && self.registers.free_vectors() >= self.encoding.plenty();
        match self.place(value) {
            Some(place) if !is_wanted => RegisterOrMemory::Memory(place),
            _ => RegisterOrMemory::Register(Vector(self.register(value, pinned))),
        }
    }

    fn compute(&mut self, value: Value) {
        let at = |node: NodeId| Value { node, chunk: value.chunk };
        match self.node(value) {
            Node::Register(_) => {
                self.register(value, &[]);
                self.registers.leave_lane_register(value);
            }
            Node::Input(_) | Node::Uniform(_) | Node::Constant(_) | Node::Result(_) => {}
            Node::Binary(binary, a, b) => {
                let (operation, immediate) = instruction(binary);
                let swap = binary.is_commutative() && self.registers.register(at(a)).is_none();
                let (a, b) = if swap { (at(b), at(a)) } else { (at(a), at(b)) };
                self.binary(value, operation, (a, b), immediate);
            }
            Node::Sqrt(a) => self.unary(value, encode::SQRT, at(a), None),
            Node::Zip(half, a, b) => {
                let operation = match half {
                    Half::Low => encode::UNPACK_LOW,
                    Half::High => encode::UNPACK_HIGH,
                };
                self.binary(value, operation, (at(a), at(b)), None);
            }
            Node::Unzip(half, a, b) => {
                let lanes = match half {
                    Half::Low => 0b10_00_10_00,
                    Half::High => 0b11_01_11_01,
                };
                self.binary(value, encode::SHUFFLE, (at(a), at(b)), Some(lanes));
            }
            Node::Op64(wide, a, b) => {
                let (operation, predicate) = wide_instruction(wide);
                match (self.encoding, predicate) {
                    (Encoding::Evex512, Some(predicate)) => {
                        self.evex_wide_test(value, predicate, at(a), at(b))
                    }
                    _ => self.binary(value, operation, (at(a), at(b)), predicate),
                }
            }
            Node::WideSqrt(a) => self.unary(value, encode::WIDE_SQRT, at(a), None),
            Node::Round(rounding, a) => {
                self.unary(value, encode::ROUND, at(a), Some(rounding_immediate(rounding)));
            }
            Node::ToFloat(a) => self.unary(value, encode::INTEGER_TO_FLOAT, at(a), None),
            Node::ToFloatUnsigned(a) => self.unary(value, encode::evex::UNSIGNED_TO_FLOAT, at(a), None),
            Node::ToInteger(a) => self.unary(value, encode::FLOAT_TO_INTEGER, at(a), None),
            Node::Quad(lanes, a) => self.unary(value, encode::PERMUTE, at(a), Some(lanes.0)),
            Node::Shift(shift, count, a) => {
                let last = self.shifted(at(a));
                self.registers.done_with(&[at(a)]);
                let to = self.take(value, &[]);
                let way = match shift {
                    Shift::Right => 2,
                    Shift::RightSigned => 4,
                    Shift::Left => 6,
                };
                self.write(encode::SHIFT, way, Vector(to), last, Some(count));
            }
            Node::Select(mask, yes, no) => match self.encoding {
                Encoding::Evex512 => self.evex_select(value, at(mask), at(yes), at(no)),
                Encoding::Vex256 => self.vex_select(value, at(mask), at(yes), at(no)),
            },
            Node::Compare(comparison, wanted, a, b) => {
                // Only one of the two directions exists for signed integers.
                let swapped = comparison != Comparison::GtSigned
                    && self.registers.register(at(a)).is_none()
                    && self.registers.register(at(b)).is_some();
                let (operation, predicate) = self.test(comparison, wanted, swapped);
                let (a, b) = if swapped { (b, a) } else { (a, b) };
                self.binary(value, operation, (at(a), at(b)), predicate);
            }
            // `legalize` has already rewritten flushes and canonical NaNs.
            Node::Both(..)
            | Node::Either(..)
            | Node::Others(_)
            | Node::Flush(_)
            | Node::Canonical(_)
            | Node::WideCanonical(_) => self.evex_mask(value),
        }
    }

    /// The instruction and predicate of a test; `swapped` exchanges the operands.
    fn test(&self, comparison: Comparison, wanted: Wanted, swapped: bool) -> (Operation, Option<u8>) {
        let holds = wanted == Wanted::Holds;
        // Ordered quiet predicates for tests that must hold, unordered ones for tests that must fail.
        let (yes, no) = match (comparison, swapped) {
            (Comparison::Lt, false) => (0x11, 0x15),
            (Comparison::Lt, true) => (0x1E, 0x1A),
            (Comparison::Le, false) => (0x12, 0x16),
            (Comparison::Le, true) => (0x1D, 0x19),
            (Comparison::Eq, _) => (0x00, 0x04),
            (Comparison::Unordered, _) => (0x03, 0x07),
            (
                Comparison::LtUnsigned | Comparison::GtSigned | Comparison::BitsEq | Comparison::Disjoint,
                _,
            ) => {
                return match self.encoding {
                    Encoding::Evex512 => evex::integer_test(comparison, holds, swapped),
                    Encoding::Vex256 => (vex::integer_test(comparison), None),
                };
            }
        };
        (encode::COMPARE, Some(if holds { yes } else { no }))
    }

    /// Emits an instruction with two operands. The result may reuse the register of an operand.
    fn binary(&mut self, value: Value, operation: Operation, (a, b): (Value, Value), immediate: Option<u8>) {
        let first = self.register(a, &[]);
        let last = self.source(b, &[first]);
        self.registers.done_with(&[a, b]);
        let to = self.take(value, &[]);
        self.write(operation, to, Vector(first), last, immediate);
    }

    fn unary(&mut self, value: Value, operation: Operation, a: Value, immediate: Option<u8>) {
        let last = self.source(a, &[]);
        self.registers.done_with(&[a]);
        let to = self.take(value, &[]);
        self.write(operation, to, Vector(0), last, immediate);
    }

    /// The operand of a shift: VEX shifts only registers.
    fn shifted(&mut self, value: Value) -> RegisterOrMemory {
        match self.encoding {
            Encoding::Evex512 => self.source(value, &[]),
            Encoding::Vex256 => RegisterOrMemory::Register(Vector(self.register(value, &[]))),
        }
    }

    fn write(
        &mut self,
        operation: Operation,
        to: u8,
        first: Vector,
        last: RegisterOrMemory,
        immediate: Option<u8>,
    ) {
        match self.encoding {
            Encoding::Evex512 => self.code.evex(operation, (to, Writes::All), first, last, immediate),
            Encoding::Vex256 => self.code.vex(operation, to, first, last, immediate),
        }
    }

    fn load(&mut self, to: u8, from: Address) {
        match self.encoding {
            Encoding::Evex512 => self.evex_load(to, Writes::All, from),
            Encoding::Vex256 => {
                self.code.vex(encode::LOAD, to, Vector(0), RegisterOrMemory::Memory(from), None)
            }
        }
    }

    fn store(&mut self, from: u8, to: Address) {
        self.write(encode::STORE, from, Vector(0), RegisterOrMemory::Memory(to), None);
    }

    /// Stores one bit for each lane of a mask.
    fn store_bits(&mut self, from: u8, to: Address) {
        match self.encoding {
            Encoding::Evex512 => self.code.mask_store(Mask(from), to),
            Encoding::Vex256 => self.code.vex_store_signs(Vector(from), to),
        }
    }
}

/// The rounding mode of [`encode::ROUND`]; suppresses the inexact exception.
const fn rounding_immediate(rounding: Rounding) -> u8 {
    0b1000
        | match rounding {
            Rounding::Round => 0,
            Rounding::Floor => 1,
            Rounding::Ceil => 2,
            Rounding::Trunc => 3,
        }
}

const fn instruction(binary: Binary) -> (Operation, Option<u8>) {
    match binary {
        Binary::Add => (encode::ADD, None),
        Binary::Sub => (encode::SUB, None),
        Binary::Mul => (encode::MUL, None),
        Binary::Div => (encode::DIV, None),
        Binary::Min => (encode::MIN, None),
        Binary::Max => (encode::MAX, None),
        Binary::MinOrNan => (encode::evex::RANGE, Some(0b0100)),
        Binary::MaxOrNan => (encode::evex::RANGE, Some(0b0101)),
        Binary::And => (encode::AND, None),
        Binary::Or => (encode::OR, None),
        Binary::Xor => (encode::XOR, None),
        Binary::IntAdd => (encode::PLUS, None),
        Binary::IntSub => (encode::MINUS, None),
        Binary::AndNot => (encode::AND_NOT, None),
        Binary::MinUnsigned => (encode::MIN_UNSIGNED, None),
        Binary::MaxUnsigned => (encode::MAX_UNSIGNED, None),
        Binary::MinSigned => (encode::MIN_SIGNED, None),
        Binary::MaxSigned => (encode::MAX_SIGNED, None),
        Binary::IntMul => (encode::TIMES, None),
        Binary::ShiftLeft => (encode::SHIFT_LEFT_BY, None),
        Binary::ShiftRight => (encode::SHIFT_RIGHT_BY, None),
        Binary::ShiftRightSigned => (encode::SHIFT_RIGHT_SIGNED_BY, None),
    }
}

/// The instruction of a 64-bit operation, with the predicate of tests.
const fn wide_instruction(wide: Op64) -> (Operation, Option<u8>) {
    match wide {
        Op64::Add => (encode::WIDE_ADD, None),
        Op64::Sub => (encode::WIDE_SUB, None),
        Op64::Mul => (encode::WIDE_MUL, None),
        Op64::Div => (encode::WIDE_DIV, None),
        Op64::Lt => (encode::WIDE_COMPARE, Some(0x11)),
        Op64::Le => (encode::WIDE_COMPARE, Some(0x12)),
        Op64::Eq => (encode::WIDE_COMPARE, Some(0x00)),
    }
}
