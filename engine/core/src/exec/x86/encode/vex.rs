//! VEX instructions of 256 bits, with eight lanes (Intel 64 and IA-32 Architectures Software Developer's
//! Manual, volume 2, section 2.3). A mask of lanes is a vector with lanes of all ones or all zeros.

use super::{Address, Code, M0F, M3A, NONE, Operation, P66, RegisterOrMemory, Vector, operation};

/// Lanes with a greater signed integer in the first operand.
pub const ABOVE: Operation = operation(M0F, P66, 0x66);
/// Lanes with the same bits in both operands.
pub const SAME: Operation = operation(M0F, P66, 0x76);
/// Selects the last operand in lanes of the mask, and the first operand in other lanes. The mask follows the
/// last operand.
const BLEND: Operation = operation(M3A, P66, 0x4A);
/// Moves the sign bits of the lanes to a general register.
const SIGNS: Operation = operation(M0F, NONE, 0x50);

/// A general register that functions need not preserve.
const R8: u8 = 8;

impl Code {
    /// Appends a VEX instruction of 256 bits. `register` is its destination, or another value that the form
    /// has in this field.
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

    /// to = `last` in lanes of `mask`, else `first`
    pub fn vex_blend(&mut self, to: Vector, first: Vector, last: RegisterOrMemory, mask: Vector) {
        self.vex(BLEND, to.0, first, last, Some(mask.0 << 4));
    }

    /// Adds the signs of eight lanes to the bits for [`Self::jump_if_any`]. The `first` signs begin the
    /// collection.
    pub fn vex_add_signs(&mut self, from: Vector, first: bool) {
        // vmovmskps r8d, from; or vmovmskps r9d, from; or r8d, r9d
        let to = if first { R8 } else { R8 + 1 };
        self.vex(SIGNS, to, Vector(0), RegisterOrMemory::Register(from), None);
        self.add_bits(first);
    }

    /// Writes the signs of eight lanes as a 32-bit integer. The first lane is the lowest bit.
    pub fn vex_store_signs(&mut self, from: Vector, to: Address) {
        // vmovmskps r8d, from; mov [to], r8d
        self.vex(SIGNS, R8, Vector(0), RegisterOrMemory::Register(from), None);
        self.bytes.extend([0x44, 0x89]);
        self.operand(R8 & 7, RegisterOrMemory::Memory(to), 1);
    }
}
