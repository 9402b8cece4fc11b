//! EVEX instructions of 512 bits (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, section
//! 2.7) and those on mask registers: 16 lanes, of which a mask has a bit each.

use super::{
    Address, BROADCAST, Code, Extent, M0F, M3A, M38, Operation, P66, PF2, PF3, RegisterOrMemory, Vector,
    operation, wide,
};

/// One of the mask registers k1 to k7; as the mask of an instruction, k0 would mean all lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask(pub u8);

/// Which lanes of its destination an instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// All.
    All,
    /// Those of the mask; the others become zero.
    OrZero(Mask),
    /// Those of the mask, taken from the last operand; the others from the first.
    Blend(Mask),
}

pub const BLEND: Operation = operation(M38, P66, 0x65);
/// Lanes whose AND is zero.
pub const TEST_ZERO: Operation = operation(M38, PF3, 0x27);
/// Lanes whose AND is not zero.
pub const TEST_SET: Operation = operation(M38, P66, 0x27);
/// With an immediate: the predicate.
pub const COMPARE_UNSIGNED: Operation = operation(M3A, P66, 0x1E);
/// With an immediate: the predicate.
pub const COMPARE_SIGNED: Operation = operation(M3A, P66, 0x1F);
/// With an immediate: 4 for the smaller, 5 for the larger, by their signs where both are zeros.
pub const RANGE: Operation = operation(M3A, P66, 0x50);

/// Unsigned ones.
pub const UNSIGNED_TO_FLOAT: Operation = operation(M0F, PF2, 0x7A);
/// Of the lanes of a mask, which is the last operand's number, 64-bit lanes of all ones; of the others all zeros.
pub const SPREAD: Operation = wide(M38, PF3, 0x38);

impl Code {
    /// An EVEX instruction of 512 bits: `register` is its destination, or whatever else its form has there.
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
        // A broadcast of its own says so by its opcode.
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
        // A short displacement counts in units of what is read.
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
        // Without a first operand its field is 0, stored inverted, and the length is that of two operands.
        self.bytes.extend([0xC5, 0b1111 << 3 | 0x80, 0x44, 0b11 << 6 | to.0 << 3 | from.0]);
    }

    fn masks(&mut self, opcode: u8, to: Mask, a: u8, b: Mask) {
        self.bytes.extend([0xC5, 0x80 | (!a & 15) << 3 | 0b100, opcode, 0b11 << 6 | to.0 << 3 | b.0]);
    }

    /// Adds 16 lanes' bits to those of other vectors, unless they are the `first`; see [`Self::jump_if_any`].
    pub fn add_lanes(&mut self, from: Mask, first: bool) {
        // kmovw r8d, from; or kmovw r9d, from; or r8d, r9d
        self.bytes.extend([0xC5, 0x78, 0x93, if first { 0xC0 } else { 0xC8 } | from.0]);
        self.add_bits(first);
    }

    /// Reads 16 lanes' bits.
    pub fn mask_load(&mut self, to: Mask, place: Address) {
        // kmovw to, [place]
        self.bytes.extend([0xC5, 0xF8]);
        self.mask_memory(0x90, to, place);
    }

    /// Writes 16 lanes' bits to 32: whoever reads them all at once does not wait until they are in the cache.
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
