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

#[cfg(test)]
mod tests {
    //! Encodings as the GNU assembler has them.

    use super::super::{self as encode, Base};
    use super::*;

    fn register(number: u8) -> RegisterOrMemory {
        RegisterOrMemory::Register(Vector(number))
    }

    fn memory(base: Base, offset: i32, extent: Extent) -> RegisterOrMemory {
        RegisterOrMemory::Memory(Address { base, offset, extent })
    }

    /// One instruction without a mask.
    fn vector(
        operation: Operation,
        to: u8,
        first: u8,
        last: RegisterOrMemory,
        immediate: Option<u8>,
    ) -> Vec<u8> {
        masked(operation, (to, Writes::All), first, last, immediate)
    }

    fn masked(
        operation: Operation,
        to: (u8, Writes),
        first: u8,
        last: RegisterOrMemory,
        immediate: Option<u8>,
    ) -> Vec<u8> {
        let mut code = Code::default();
        code.evex(operation, to, Vector(first), last, immediate);
        code.bytes
    }

    fn bytes(write: impl FnOnce(&mut Code)) -> Vec<u8> {
        let mut code = Code::default();
        write(&mut code);
        code.bytes
    }

    #[test]
    fn registers() {
        // vaddps zmm1, zmm2, zmm3; vmulps zmm31, zmm17, zmm24; vpandd zmm1, zmm2, zmm3
        assert_eq!(vector(encode::ADD, 1, 2, register(3), None), [0x62, 0xF1, 0x6C, 0x48, 0x58, 0xCB]);
        assert_eq!(vector(encode::MUL, 31, 17, register(24), None), [0x62, 0x01, 0x74, 0x40, 0x59, 0xF8]);
        assert_eq!(vector(encode::AND, 1, 2, register(3), None), [0x62, 0xF1, 0x6D, 0x48, 0xDB, 0xCB]);
        // vsqrtps zmm18, zmm20; vcvtdq2ps zmm12, zmm28
        assert_eq!(vector(encode::SQRT, 18, 0, register(20), None), [0x62, 0xA1, 0x7C, 0x48, 0x51, 0xD4]);
        assert_eq!(
            vector(encode::INTEGER_TO_FLOAT, 12, 0, register(28), None),
            [0x62, 0x11, 0x7C, 0x48, 0x5B, 0xE4]
        );
    }

    #[test]
    fn integers() {
        // vpmulld zmm1, zmm18, zmm3; vpminsd zmm17, zmm14, zmm2; vpmaxsd zmm9, zmm1, zmm10; vpsllvd zmm8, zmm2,
        // zmm27; vpsrlvd zmm1, zmm2, zmm3; vpsravd zmm1, zmm2, zmm3; vcvttps2dq zmm12, zmm28
        let integer = |operation, to, first, last| vector(operation, to, first, register(last), None);
        assert_eq!(integer(encode::TIMES, 1, 18, 3), [0x62, 0xF2, 0x6D, 0x40, 0x40, 0xCB]);
        assert_eq!(integer(encode::MIN_SIGNED, 17, 14, 2), [0x62, 0xE2, 0x0D, 0x48, 0x39, 0xCA]);
        assert_eq!(integer(encode::MAX_SIGNED, 9, 1, 10), [0x62, 0x52, 0x75, 0x48, 0x3D, 0xCA]);
        assert_eq!(integer(encode::SHIFT_LEFT_BY, 8, 2, 27), [0x62, 0x12, 0x6D, 0x48, 0x47, 0xC3]);
        assert_eq!(integer(encode::SHIFT_RIGHT_BY, 1, 2, 3), [0x62, 0xF2, 0x6D, 0x48, 0x45, 0xCB]);
        assert_eq!(integer(encode::SHIFT_RIGHT_SIGNED_BY, 1, 2, 3), [0x62, 0xF2, 0x6D, 0x48, 0x46, 0xCB]);
        assert_eq!(integer(encode::FLOAT_TO_INTEGER, 12, 0, 28), [0x62, 0x11, 0x7E, 0x48, 0x5B, 0xE4]);
    }

    #[test]
    fn lanes_of_64_bits() {
        // vaddpd zmm1, zmm2, zmm3; vmulpd zmm31, zmm17, zmm24; vsubpd zmm9, zmm30, [rdi+0x140]
        assert_eq!(vector(encode::WIDE_ADD, 1, 2, register(3), None), [0x62, 0xF1, 0xED, 0x48, 0x58, 0xCB]);
        assert_eq!(
            vector(encode::WIDE_MUL, 31, 17, register(24), None),
            [0x62, 0x01, 0xF5, 0x40, 0x59, 0xF8]
        );
        let spilled = memory(Base::LaneRegisters, 0x140, Extent::Full);
        assert_eq!(
            vector(encode::WIDE_SUB, 9, 30, spilled, None),
            [0x62, 0x71, 0x8D, 0x40, 0x5C, 0x4F, 0x05]
        );
        // vsqrtpd zmm18, zmm20; vcmplt_oqpd k0, zmm23, zmm7; vpmovm2q zmm17, k0
        assert_eq!(
            vector(encode::WIDE_SQRT, 18, 0, register(20), None),
            [0x62, 0xA1, 0xFD, 0x48, 0x51, 0xD4]
        );
        assert_eq!(
            vector(encode::WIDE_COMPARE, 0, 23, register(7), Some(0x11)),
            [0x62, 0xF1, 0xC5, 0x40, 0xC2, 0xC7, 0x11]
        );
        assert_eq!(vector(SPREAD, 17, 0, register(0), None), [0x62, 0xE2, 0xFE, 0x48, 0x38, 0xC8]);
        // vunpcklps zmm1, zmm2, zmm3; vshufps zmm10, zmm2, zmm13, 0xdd
        assert_eq!(vector(encode::UNPACK_LOW, 1, 2, register(3), None), [0x62, 0xF1, 0x6C, 0x48, 0x14, 0xCB]);
        let shuffled = vector(encode::SHUFFLE, 10, 2, register(13), Some(0xDD));
        assert_eq!(shuffled, [0x62, 0x51, 0x6C, 0x48, 0xC6, 0xD5, 0xDD]);
    }

    #[test]
    fn places() {
        let lane_registers = |offset| memory(Base::LaneRegisters, offset, Extent::Full);
        let constant = |offset| memory(Base::Constants, offset, Extent::One);
        // vsubps zmm9, zmm30, [rdi+0x140]; vdivps zmm9, zmm30, [rdi+0x2000]
        assert_eq!(
            vector(encode::SUB, 9, 30, lane_registers(0x140), None),
            [0x62, 0x71, 0x0C, 0x40, 0x5C, 0x4F, 0x05]
        );
        assert_eq!(
            vector(encode::DIV, 9, 30, lane_registers(0x2000), None),
            [0x62, 0x71, 0x0C, 0x40, 0x5E, 0x8F, 0, 0x20, 0, 0]
        );
        // vminps zmm5, zmm6, [rsi+0x1fc]{1to16}; vmaxps zmm5, zmm6, [rsi+0x200]{1to16}
        assert_eq!(
            vector(encode::MIN, 5, 6, constant(0x1FC), None),
            [0x62, 0xF1, 0x4C, 0x58, 0x5D, 0x6E, 0x7F]
        );
        assert_eq!(
            vector(encode::MAX, 5, 6, constant(0x200), None),
            [0x62, 0xF1, 0x4C, 0x58, 0x5F, 0xAE, 0, 2, 0, 0]
        );
        // vmovups zmm19, [rdi+0x1fc0]; vmovups [rdi+0x100], zmm22
        assert_eq!(
            vector(encode::LOAD, 19, 0, lane_registers(0x1FC0), None),
            [0x62, 0xE1, 0x7C, 0x48, 0x10, 0x5F, 0x7F]
        );
        assert_eq!(
            vector(encode::STORE, 22, 0, lane_registers(0x100), None),
            [0x62, 0xE1, 0x7C, 0x48, 0x11, 0x77, 0x04]
        );
    }

    #[test]
    fn masks_of_instructions() {
        // vmovups zmm4{k3}{z}, zmm8; vbroadcastss zmm2{k5}{z}, [rsi+8]; vblendmps zmm20{k2}, zmm11, zmm29
        let zero = |to, mask| (to, Writes::OrZero(Mask(mask)));
        assert_eq!(
            masked(encode::LOAD, zero(4, 3), 0, register(8), None),
            [0x62, 0xD1, 0x7C, 0xCB, 0x10, 0xE0]
        );
        let constant = memory(Base::Constants, 8, Extent::One);
        assert_eq!(masked(BROADCAST, zero(2, 5), 0, constant, None), [0x62, 0xF2, 0x7D, 0xCD, 0x18, 0x56, 2]);
        let blend = masked(BLEND, (20, Writes::Blend(Mask(2))), 11, register(29), None);
        assert_eq!(blend, [0x62, 0x82, 0x25, 0x4A, 0x65, 0xE5]);
    }

    #[test]
    fn tests_and_immediates() {
        // vcmplt_oqps k6, zmm23, zmm7; vpcmpltud k4, zmm16, zmm1
        assert_eq!(
            vector(encode::COMPARE, 6, 23, register(7), Some(0x11)),
            [0x62, 0xF1, 0x44, 0x40, 0xC2, 0xF7, 0x11]
        );
        assert_eq!(
            vector(COMPARE_UNSIGNED, 4, 16, register(1), Some(1)),
            [0x62, 0xF3, 0x7D, 0x40, 0x1E, 0xE1, 1]
        );
        // vptestnmd k1, zmm2, zmm3; vptestmd k1, zmm2, zmm3
        assert_eq!(vector(TEST_ZERO, 1, 2, register(3), None), [0x62, 0xF2, 0x6E, 0x48, 0x27, 0xCB]);
        assert_eq!(vector(TEST_SET, 1, 2, register(3), None), [0x62, 0xF2, 0x6D, 0x48, 0x27, 0xCB]);
        // vpslld zmm25, zmm26, 23; vpsrad zmm3, zmm4, 23
        assert_eq!(
            vector(encode::SHIFT, 6, 25, register(26), Some(23)),
            [0x62, 0x91, 0x35, 0x40, 0x72, 0xF2, 23]
        );
        assert_eq!(
            vector(encode::SHIFT, 4, 3, register(4), Some(23)),
            [0x62, 0xF1, 0x65, 0x48, 0x72, 0xE4, 23]
        );
        // vpermilps zmm17, zmm18, 0xf5; vrangeps zmm1, zmm2, zmm3, 5
        assert_eq!(
            vector(encode::PERMUTE, 17, 0, register(18), Some(0xF5)),
            [0x62, 0xA3, 0x7D, 0x48, 0x04, 0xCA, 0xF5]
        );
        assert_eq!(vector(RANGE, 1, 2, register(3), Some(5)), [0x62, 0xF3, 0x6D, 0x48, 0x50, 0xCB, 5]);
        // vrndscaleps zmm17, zmm18, 9; vcvtudq2ps zmm3, zmm20
        assert_eq!(
            vector(encode::ROUND, 17, 0, register(18), Some(9)),
            [0x62, 0xA3, 0x7D, 0x48, 0x08, 0xCA, 9]
        );
        assert_eq!(vector(UNSIGNED_TO_FLOAT, 3, 0, register(20), None), [0x62, 0xB1, 0x7F, 0x48, 0x7A, 0xDC]);
    }

    #[test]
    fn mask_registers() {
        // kandw k1, k2, k3; korw k7, k6, k5; knotw k4, k3
        assert_eq!(bytes(|code| code.mask_and(Mask(1), Mask(2), Mask(3))), [0xC5, 0xEC, 0x41, 0xCB]);
        assert_eq!(bytes(|code| code.mask_or(Mask(7), Mask(6), Mask(5))), [0xC5, 0xCC, 0x45, 0xFD]);
        assert_eq!(bytes(|code| code.mask_not(Mask(4), Mask(3))), [0xC5, 0xF8, 0x44, 0xE3]);
        // kmovw k2, [rdi+0x4140]; kmovd [rdi+0x4140], k2
        let place = Address { base: Base::LaneRegisters, offset: 0x4140, extent: Extent::Full };
        assert_eq!(bytes(|code| code.mask_load(Mask(2), place)), [0xC5, 0xF8, 0x90, 0x97, 0x40, 0x41, 0, 0]);
        assert_eq!(
            bytes(|code| code.mask_store(Mask(2), place)),
            [0xC4, 0xE1, 0xF9, 0x91, 0x97, 0x40, 0x41, 0, 0]
        );
        // kmovw r8d, k3; kmovw r9d, k6; or r8d, r9d; test r8d, r8d; jnz 0
        let any = bytes(|code| {
            code.add_lanes(Mask(3), true);
            code.add_lanes(Mask(6), false);
            code.jump_if_any(0);
        });
        let expected: [&[u8]; 5] = [
            &[0xC5, 0x78, 0x93, 0xC3],
            &[0xC5, 0x78, 0x93, 0xCE],
            &[0x45, 0x09, 0xC8],
            &[0x45, 0x85, 0xC0],
            &[0x0F, 0x85, 0xEC, 0xFF, 0xFF, 0xFF],
        ];
        assert_eq!(any, expected.concat());
    }
}
