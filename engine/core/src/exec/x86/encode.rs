//! Encodes x86-64 instructions as bytes. Vector instructions have two encodings: [`evex`] and [`vex`]. The
//! encoder has only the forms that [`super::emit`] uses.

pub mod evex;
#[cfg(test)]
mod tests;
pub mod vex;

/// A vector register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector(pub u8);

/// The base of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The first lane register, at the loop's current lanes.
    LaneRegisters,
    /// The start of the constants.
    Constants,
    /// The first lane register of the inputs, at the loop's current lanes.
    Inputs,
    /// The first lane register of the outputs, at the loop's current lanes.
    Outputs,
}

/// An address in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    pub base: Base,
    /// Offset from the base, in bytes.
    pub offset: i32,
    /// The size of the operand.
    pub extent: Extent,
}

/// The size of a memory operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A whole vector.
    Full,
    /// Four bytes, broadcast to every lane.
    One,
}

/// The last operand of an instruction: a vector register or memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterOrMemory {
    Register(Vector),
    Memory(Address),
}

/// Opcode map, prefix and opcode byte of an instruction, the same in both encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    map: u8,
    prefix: u8,
    opcode: u8,
    /// 1 for operations on 64-bit lanes. EVEX instructions have a bit for this.
    wide: u8,
}

const fn operation(map: u8, prefix: u8, opcode: u8) -> Operation {
    Operation { map, prefix, opcode, wide: 0 }
}

/// An operation on 64-bit lanes.
const fn wide(map: u8, prefix: u8, opcode: u8) -> Operation {
    Operation { map, prefix, opcode, wide: 1 }
}

/// Maps 0F, 0F 38 and 0F 3A; no prefix, 66, F3 and F2.
const M0F: u8 = 1;
const M38: u8 = 2;
const M3A: u8 = 3;
const NONE: u8 = 0;
const P66: u8 = 1;
const PF3: u8 = 2;
const PF2: u8 = 3;

pub const ADD: Operation = operation(M0F, NONE, 0x58);
pub const MUL: Operation = operation(M0F, NONE, 0x59);
pub const SUB: Operation = operation(M0F, NONE, 0x5C);
pub const MIN: Operation = operation(M0F, NONE, 0x5D);
pub const DIV: Operation = operation(M0F, NONE, 0x5E);
pub const MAX: Operation = operation(M0F, NONE, 0x5F);
pub const SQRT: Operation = operation(M0F, NONE, 0x51);
pub const LOAD: Operation = operation(M0F, NONE, 0x10);
pub const STORE: Operation = operation(M0F, NONE, 0x11);
pub const INTEGER_TO_FLOAT: Operation = operation(M0F, NONE, 0x5B);
/// The immediate is the predicate.
pub const COMPARE: Operation = operation(M0F, NONE, 0xC2);
pub const AND: Operation = operation(M0F, P66, 0xDB);
pub const OR: Operation = operation(M0F, P66, 0xEB);
pub const XOR: Operation = operation(M0F, P66, 0xEF);
pub const PLUS: Operation = operation(M0F, P66, 0xFE);
pub const MINUS: Operation = operation(M0F, P66, 0xFA);
/// `last` AND NOT `first`.
pub const AND_NOT: Operation = operation(M0F, P66, 0xDF);
/// The smaller unsigned integer.
pub const MIN_UNSIGNED: Operation = operation(M38, P66, 0x3B);
/// The larger unsigned integer.
pub const MAX_UNSIGNED: Operation = operation(M38, P66, 0x3F);
/// The smaller signed integer.
pub const MIN_SIGNED: Operation = operation(M38, P66, 0x39);
/// The larger signed integer.
pub const MAX_SIGNED: Operation = operation(M38, P66, 0x3D);
/// The low half of an integer product.
pub const TIMES: Operation = operation(M38, P66, 0x40);
/// Shifts each lane by the count in the same lane of the last operand.
pub const SHIFT_LEFT_BY: Operation = operation(M38, P66, 0x47);
pub const SHIFT_RIGHT_BY: Operation = operation(M38, P66, 0x45);
pub const SHIFT_RIGHT_SIGNED_BY: Operation = operation(M38, P66, 0x46);
/// Rounds towards zero.
pub const FLOAT_TO_INTEGER: Operation = operation(M0F, PF3, 0x5B);
/// Interleaves the first two of each four lanes of both operands.
pub const UNPACK_LOW: Operation = operation(M0F, NONE, 0x14);
/// Interleaves the last two of each four lanes of both operands.
pub const UNPACK_HIGH: Operation = operation(M0F, NONE, 0x15);
/// The immediate selects two of each four lanes of the first operand, and two of the last.
pub const SHUFFLE: Operation = operation(M0F, NONE, 0xC6);
/// Operations on 64-bit lanes.
pub const WIDE_ADD: Operation = wide(M0F, P66, 0x58);
pub const WIDE_SUB: Operation = wide(M0F, P66, 0x5C);
pub const WIDE_MUL: Operation = wide(M0F, P66, 0x59);
pub const WIDE_DIV: Operation = wide(M0F, P66, 0x5E);
pub const WIDE_SQRT: Operation = wide(M0F, P66, 0x51);
/// The immediate is the predicate.
pub const WIDE_COMPARE: Operation = wide(M0F, P66, 0xC2);
/// The immediate is the count. The field of the first register selects the direction.
pub const SHIFT: Operation = operation(M0F, P66, 0x72);
pub const BROADCAST: Operation = operation(M38, P66, 0x18);
/// The immediate selects one of four lanes for each lane.
pub const PERMUTE: Operation = operation(M3A, P66, 0x04);
/// The immediate is the rounding mode. EVEX has a more general form.
pub const ROUND: Operation = operation(M3A, P66, 0x08);

/// Machine code under construction.
#[derive(Debug, Default)]
pub struct Code {
    bytes: Vec<u8>,
}

impl Code {
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Appends `other`, which must not refer to code outside of itself. Returns its start.
    pub fn append(&mut self, other: &Self) -> usize {
        let entry = self.bytes.len();
        self.bytes.extend(&other.bytes);
        entry
    }

    /// Appends the ModR/M byte and the bytes after it. A displacement of one byte counts in units of `unit`
    /// bytes.
    fn operand(&mut self, register: u8, operand: RegisterOrMemory, unit: i32) {
        match operand {
            RegisterOrMemory::Register(Vector(number)) => {
                self.bytes.push(0b11 << 6 | register << 3 | number & 7)
            }
            RegisterOrMemory::Memory(Address { base, offset, .. }) => {
                let base = base.register();
                match i8::try_from(offset / unit) {
                    Ok(short) if offset % unit == 0 => {
                        self.bytes.extend([0b01 << 6 | register << 3 | base, short.cast_unsigned()]);
                    }
                    _ => {
                        self.bytes.push(0b10 << 6 | register << 3 | base);
                        self.bytes.extend(offset.to_le_bytes());
                    }
                }
            }
        }
    }

    /// Sets the processor to read denormal operands as zeros, up to [`Self::end_restoring`].
    pub fn denorms_are_zeros(&mut self) {
        // stmxcsr [rsp-8]; mov eax, [rsp-8]; or eax, DAZ; mov [rsp-4], eax; ldmxcsr [rsp-4]. The addresses
        // are in the red zone.
        const DAZ: u8 = 0x40;
        self.bytes.extend([0x0F, 0xAE, 0x5C, 0x24, 0xF8]);
        self.bytes.extend([0x8B, 0x44, 0x24, 0xF8]);
        self.bytes.extend([0x83, 0xC8, DAZ]);
        self.bytes.extend([0x89, 0x44, 0x24, 0xFC]);
        self.bytes.extend([0x0F, 0xAE, 0x54, 0x24, 0xFC]);
    }

    /// Begins a loop of `rounds` iterations. Returns the argument `start` for [`Self::end_loop`].
    pub fn begin_loop(&mut self, rounds: u32) -> usize {
        // mov eax, rounds
        self.bytes.push(0xB8);
        self.bytes.extend(rounds.to_le_bytes());
        self.bytes.len()
    }

    /// Ends an iteration: moves all lane registers on by `step` bytes, and jumps to `start` unless the loop
    /// is done.
    pub fn end_loop(&mut self, start: usize, step: u32) {
        // add rdi, step and so on; dec eax; jnz start
        for base in [Base::LaneRegisters, Base::Inputs, Base::Outputs] {
            self.bytes.extend([0x48, 0x81, 0xC0 | base.register()]);
            self.bytes.extend(step.to_le_bytes());
        }
        self.bytes.extend([0xFF, 0xC8, 0x0F, 0x85]);
        self.displacement(start);
    }

    /// Adds the bits in r9d to r8d. The `first` bits are already in r8d.
    fn add_bits(&mut self, first: bool) {
        if !first {
            // or r8d, r9d
            self.bytes.extend([0x45, 0x09, 0xC8]);
        }
    }

    /// Jumps to `start` if any of the collected bits is set.
    pub fn jump_if_any(&mut self, start: usize) {
        // test r8d, r8d; jnz start
        self.bytes.extend([0x45, 0x85, 0xC0, 0x0F, 0x85]);
        self.displacement(start);
    }

    /// Appends the distance from the end of this instruction to `to`, in bytes.
    fn displacement(&mut self, to: usize) {
        let behind = self.bytes.len() + 4;
        let distance = (to as i64 - behind as i64) as i32;
        self.bytes.extend(distance.to_le_bytes());
    }

    /// Ends a function.
    pub fn end(&mut self) {
        // vzeroupper; ret
        self.bytes.extend([0xC5, 0xF8, 0x77, 0xC3]);
    }

    /// Ends a function that [`Self::denorms_are_zeros`] began.
    pub fn end_restoring(&mut self) {
        // vzeroupper; ldmxcsr [rsp-8]; ret
        self.bytes.extend([0xC5, 0xF8, 0x77, 0x0F, 0xAE, 0x54, 0x24, 0xF8, 0xC3]);
    }
}

impl Base {
    /// The general register with the base: one of the first four arguments (System V calling convention).
    const fn register(self) -> u8 {
        const RCX: u8 = 1;
        const RDX: u8 = 2;
        const RSI: u8 = 6;
        const RDI: u8 = 7;
        match self {
            Self::LaneRegisters => RDI,
            Self::Constants => RSI,
            Self::Inputs => RDX,
            Self::Outputs => RCX,
        }
    }
}
