//! EVEX instructions of 512 bits, with 16 lanes, and instructions on mask registers, with a bit per lane
//! (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, section 2.7).

use super::{
    Address, BROADCAST, Code, Extent, M0F, M3A, M38, Operation, P66, PF2, PF3, RegisterOrMemory, Vector,
    operation, wide,
};

/// One of the mask registers k1 to k7. As an instruction's mask, k0 would mean all lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask(pub u8);

/// The lanes of the destination that an instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    All,
    /// Writes the lanes of the mask and clears the others.
    OrZero(Mask),
    /// Selects the last operand in lanes of the mask, and the first operand in other lanes.
    Blend(Mask),
}

pub const BLEND: Operation = operation(M38, P66, 0x65);
/// Lanes with an AND of zero.
pub const TEST_ZERO: Operation = operation(M38, PF3, 0x27);
/// Lanes with a non-zero AND.
pub const TEST_SET: Operation = operation(M38, P66, 0x27);
/// The immediate is the predicate.
pub const COMPARE_UNSIGNED: Operation = operation(M3A, P66, 0x1E);
/// The immediate is the predicate.
pub const COMPARE_SIGNED: Operation = operation(M3A, P66, 0x1F);
/// The immediate is 4 for the smaller, 5 for the larger number. Two zeros compare by their signs.
pub const RANGE: Operation = operation(M3A, P66, 0x50);

/// Converts unsigned integers.
pub const UNSIGNED_TO_FLOAT: Operation = operation(M0F, PF2, 0x7A);
/// Sets 64-bit lanes of a mask to all ones, and other lanes to all zeros. The last operand's number names the
/// mask.
pub const SPREAD: Operation = wide(M38, PF3, 0x38);

impl Code {
    /// Appends an EVEX instruction of 512 bits. `register` is its destination, or another value that the form
    /// has in this field.
    pub fn evex(
        &mut self,
        operation: Operation,
        (register, writes): (u8, Writes),
        first: Vector,
        last: RegisterOrMemory,
        immediate: Option<u8>,
    ) {
        let (mask, zeroing) = match writes {
            Writes::All => (0, 0),
            Writes::OrZero(mask) => (mask.0, 1),
            Writes::Blend(mask) => (mask.0, 0),
        };
        // The fields that extend register numbers are stored inverted.
        let extend = |number: u8, bit: u8| 1 ^ (number >> bit & 1);
        let (low_extension, high_extension) = match last {
            RegisterOrMemory::Register(Vector(number)) => (extend(number, 3), extend(number, 4)),
            RegisterOrMemory::Memory(_) => (1, 1),
        };
        let one = matches!(last, RegisterOrMemory::Memory(Address { extent: Extent::One, .. }));
        // BROADCAST needs no broadcast bit, because its opcode means a broadcast.
        let broadcast = u8::from(one && operation != BROADCAST);
        self.bytes.extend([
            0x62,
            extend(register, 3) << 7
                | high_extension << 6
                | low_extension << 5
                | extend(register, 4) << 4
                | operation.map,
            operation.wide << 7 | (!first.0 & 15) << 3 | 0b100 | operation.prefix,
            zeroing << 7 | 0b10 << 5 | broadcast << 4 | extend(first.0, 4) << 3 | mask,
            operation.opcode,
        ]);
        // A short displacement counts in units of the operand's size.
        let unit = if one { 4 } else { 64 };
        self.operand(register & 7, last, unit);
        self.bytes.extend(immediate);
    }

    /// to = a AND b
    pub fn mask_and(&mut self, to: Mask, a: Mask, b: Mask) {
        self.masks(0x41, to, a.0, b);
    }

    /// to = a OR b
    pub fn mask_or(&mut self, to: Mask, a: Mask, b: Mask) {
        self.masks(0x45, to, a.0, b);
    }

    /// to = NOT from
    pub fn mask_not(&mut self, to: Mask, from: Mask) {
        // Without a first operand the field is 0, stored inverted, and the length bit is the one for two
        // operands.
        self.bytes.extend([0xC5, 0b1111 << 3 | 0x80, 0x44, 0b11 << 6 | to.0 << 3 | from.0]);
    }

    fn masks(&mut self, opcode: u8, to: Mask, a: u8, b: Mask) {
        self.bytes.extend([0xC5, 0x80 | (!a & 15) << 3 | 0b100, opcode, 0b11 << 6 | to.0 << 3 | b.0]);
    }

    /// Adds the bits of 16 lanes to the bits for [`Self::jump_if_any`]. The `first` bits begin the
    /// collection.
    pub fn add_lanes(&mut self, from: Mask, first: bool) {
        // kmovw r8d, from; or kmovw r9d, from; or r8d, r9d
        self.bytes.extend([0xC5, 0x78, 0x93, if first { 0xC0 } else { 0xC8 } | from.0]);
        self.add_bits(first);
    }

    /// Reads the bits of 16 lanes.
    pub fn mask_load(&mut self, to: Mask, place: Address) {
        // kmovw to, [place]
        self.bytes.extend([0xC5, 0xF8]);
        self.mask_memory(0x90, to, place);
    }

    /// Writes the bits of 16 lanes as a 32-bit integer. A later 32-bit read can then forward the value from
    /// the store buffer and does not wait for the cache.
    pub fn mask_store(&mut self, from: Mask, place: Address) {
        // kmovd [place], from
        self.bytes.extend([0xC4, 0xE1, 0xF9]);
        self.mask_memory(0x91, from, place);
    }

    fn mask_memory(&mut self, opcode: u8, mask: Mask, place: Address) {
        self.bytes.extend([opcode, 0b10 << 6 | mask.0 << 3 | place.base.register()]);
        self.bytes.extend(place.offset.to_le_bytes());
    }
}
