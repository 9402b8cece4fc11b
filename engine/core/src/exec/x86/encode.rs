//! Instructions of x86-64 as bytes, in the two encodings that vectors have: [`evex`] and [`vex`]. Only the forms
//! that [`super::emit`] uses.

pub mod evex;
#[cfg(test)]
mod tests;
pub mod vex;

/// A vector register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vector(pub u8);

/// What an address counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The first lane register, at the lanes in hand.
    LaneRegisters,
    /// A place among the constants.
    Constants,
    /// The first lane register of the inputs, at the lanes in hand.
    Inputs,
    /// The first lane register of the outputs, at the lanes in hand.
    Outputs,
}

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Where it counts from.
    pub base: Base,
    /// Bytes from there.
    pub offset: i32,
    /// How much is there.
    pub extent: Extent,
}

/// How much of memory an operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A vector.
    Full,
    /// Four bytes, for every lane the same.
    One,
}

/// The last operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterOrMemory {
    /// A register.
    Register(Vector),
    /// Memory.
    Memory(Address),
}

/// Opcode map, prefix and opcode byte of an instruction, the same in both encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    map: u8,
    prefix: u8,
    opcode: u8,
    /// 1 over 64-bit lanes, which EVEX instructions say with a bit of its own.
    wide: u8,
}

const fn operation(map: u8, prefix: u8, opcode: u8) -> Operation {
    Operation { map, prefix, opcode, wide: 0 }
}

/// Over 64-bit lanes.
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
/// With an immediate: the predicate.
pub const COMPARE: Operation = operation(M0F, NONE, 0xC2);
pub const AND: Operation = operation(M0F, P66, 0xDB);
pub const OR: Operation = operation(M0F, P66, 0xEB);
pub const XOR: Operation = operation(M0F, P66, 0xEF);
pub const PLUS: Operation = operation(M0F, P66, 0xFE);
pub const MINUS: Operation = operation(M0F, P66, 0xFA);
/// The last operand's bits without those of the first.
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
/// Each lane by the last operand's count.
pub const SHIFT_LEFT_BY: Operation = operation(M38, P66, 0x47);
pub const SHIFT_RIGHT_BY: Operation = operation(M38, P66, 0x45);
pub const SHIFT_RIGHT_SIGNED_BY: Operation = operation(M38, P66, 0x46);
/// Towards zero.
pub const FLOAT_TO_INTEGER: Operation = operation(M0F, PF3, 0x5B);
/// The first two of each four lanes of both operands, in turn.
pub const UNPACK_LOW: Operation = operation(M0F, NONE, 0x14);
/// The last two.
pub const UNPACK_HIGH: Operation = operation(M0F, NONE, 0x15);
/// With an immediate: which two of each four lanes of the first operand, and of the last.
pub const SHUFFLE: Operation = operation(M0F, NONE, 0xC6);
/// Over 64-bit lanes.
pub const WIDE_ADD: Operation = wide(M0F, P66, 0x58);
pub const WIDE_SUB: Operation = wide(M0F, P66, 0x5C);
pub const WIDE_MUL: Operation = wide(M0F, P66, 0x59);
pub const WIDE_DIV: Operation = wide(M0F, P66, 0x5E);
pub const WIDE_SQRT: Operation = wide(M0F, P66, 0x51);
/// With an immediate: the predicate.
pub const WIDE_COMPARE: Operation = wide(M0F, P66, 0xC2);
/// By an immediate; which way is in the field of the first register.
pub const SHIFT: Operation = operation(M0F, P66, 0x72);
pub const BROADCAST: Operation = operation(M38, P66, 0x18);
/// With an immediate: which of four lanes each takes.
pub const PERMUTE: Operation = operation(M3A, P66, 0x04);
/// With an immediate: how. EVEX has a more general form.
pub const ROUND: Operation = operation(M3A, P66, 0x08);

/// Machine code under construction.
#[derive(Debug, Default)]
pub struct Code {
    bytes: Vec<u8>,
}

impl Code {
    /// What was written.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Puts `other` behind, which reaches nothing outside itself; gives where it begins.
    pub fn append(&mut self, other: &Self) -> usize {
        let entry = self.bytes.len();
        self.bytes.extend(&other.bytes);
        entry
    }

    /// The ModR/M byte and what follows it. A displacement of one byte counts in units of `unit` bytes.
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

    /// Has the processor take denorm operands for zeros, up to [`Self::end_restoring`].
    pub fn denorms_are_zeros(&mut self) {
        // stmxcsr [rsp-8]; mov eax, [rsp-8]; or eax, DAZ; mov [rsp-4], eax; ldmxcsr [rsp-4]: in the red zone
        const DAZ: u8 = 0x40;
        self.bytes.extend([0x0F, 0xAE, 0x5C, 0x24, 0xF8]);
        self.bytes.extend([0x8B, 0x44, 0x24, 0xF8]);
        self.bytes.extend([0x83, 0xC8, DAZ]);
        self.bytes.extend([0x89, 0x44, 0x24, 0xFC]);
        self.bytes.extend([0x0F, 0xAE, 0x54, 0x24, 0xFC]);
    }

    /// Begins a loop of `rounds`; gives what [`Self::end_loop`] wants.
    pub fn begin_loop(&mut self, rounds: u32) -> usize {
        // mov eax, rounds
        self.bytes.push(0xB8);
        self.bytes.extend(rounds.to_le_bytes());
        self.bytes.len()
    }

    /// Moves on in all lane registers by `step` bytes and goes round again, or on.
    pub fn end_loop(&mut self, start: usize, step: u32) {
        // add rdi, step and so on; dec eax; jnz start
        for base in [Base::LaneRegisters, Base::Inputs, Base::Outputs] {
            self.bytes.extend([0x48, 0x81, 0xC0 | base.register()]);
            self.bytes.extend(step.to_le_bytes());
        }
        self.bytes.extend([0xFF, 0xC8, 0x0F, 0x85]);
        self.displacement(start);
    }

    /// Adds the bits in r9d to those in r8d, unless they are the `first`, which are there.
    fn add_bits(&mut self, first: bool) {
        if !first {
            // or r8d, r9d
            self.bytes.extend([0x45, 0x09, 0xC8]);
        }
    }

    /// Goes to `start` if any bit of those added up is set.
    pub fn jump_if_any(&mut self, start: usize) {
        // test r8d, r8d; jnz start
        self.bytes.extend([0x45, 0x85, 0xC0, 0x0F, 0x85]);
        self.displacement(start);
    }

    /// How far it is from behind here to `to`.
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
    /// The register that holds it: those of the first four arguments (System V calling convention).
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
