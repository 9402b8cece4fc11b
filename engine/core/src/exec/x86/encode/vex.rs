//! VEX instructions of 256 bits (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, section
//! 2.3): eight lanes, and masks of lanes are vectors whose lanes are all ones or all zeros.

use super::{Address, Code, M0F, M3A, NONE, Operation, P66, RegisterOrMemory, Vector, operation};

/// Lanes whose signed integers are above the other's.
pub const ABOVE: Operation = operation(M0F, P66, 0x66);
/// Lanes with the same bits.
pub const SAME: Operation = operation(M0F, P66, 0x76);
/// The last operand where a mask, behind it, has a lane, else the first.
const BLEND: Operation = operation(M3A, P66, 0x4A);
/// Signs of the lanes to a general register.
const SIGNS: Operation = operation(M0F, NONE, 0x50);

/// A general register that functions may use.
const R8: u8 = 8;

impl Code {
    /// A VEX instruction of 256 bits: `register` is its destination, or whatever else its form has there.
    pub fn vex(
        &mut self,
        operation: Operation,
        register: u8,
        first: Vector,
        last: RegisterOrMemory,
        immediate: Option<u8>,
    ) {
        // The fields that extend register numbers and the first operand are stored inverted.
        let extend = |number: u8| 1 ^ (number >> 3 & 1);
        let low_extension = match last {
            RegisterOrMemory::Register(Vector(number)) => extend(number),
            RegisterOrMemory::Memory(_) => 1,
        };
        let rest = (!first.0 & 15) << 3 | 0b100 | operation.prefix;
        if operation.map == M0F && low_extension == 1 {
            self.bytes.extend([0xC5, extend(register) << 7 | rest]);
        } else {
            self.bytes.extend([
                0xC4,
                extend(register) << 7 | 1 << 6 | low_extension << 5 | operation.map,
                rest,
            ]);
        }
        self.bytes.push(operation.opcode);
        self.operand(register & 7, last, 1);
        self.bytes.extend(immediate);
    }

    /// to = `last` where `mask` has a lane, else `first`
    pub fn vex_blend(&mut self, to: Vector, first: Vector, last: RegisterOrMemory, mask: Vector) {
        self.vex(BLEND, to.0, first, last, Some(mask.0 << 4));
    }

    /// Adds the signs of eight lanes to those of other vectors, unless they are the `first`; see [`Self::jump_if_any`].
    pub fn vex_add_signs(&mut self, from: Vector, first: bool) {
        // vmovmskps r8d, from; or vmovmskps r9d, from; or r8d, r9d
        let to = if first { R8 } else { R8 + 1 };
        self.vex(SIGNS, to, Vector(0), RegisterOrMemory::Register(from), None);
        self.add_bits(first);
    }

    /// Writes the sign of each of eight lanes, the first lane's lowest, to 32 bits.
    pub fn vex_store_signs(&mut self, from: Vector, to: Address) {
        // vmovmskps r8d, from; mov [to], r8d
        self.vex(SIGNS, R8, Vector(0), RegisterOrMemory::Register(from), None);
        self.bytes.extend([0x44, 0x89]);
        self.operand(R8 & 7, RegisterOrMemory::Memory(to), 1);
    }
}
