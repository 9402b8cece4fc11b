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

#[cfg(test)]
mod tests {
    //! Encodings as the GNU assembler has them.

    use super::super::{self as encode, Base, Extent};
    use super::*;

    fn register(number: u8) -> RegisterOrMemory {
        RegisterOrMemory::Register(Vector(number))
    }

    fn lane_registers(offset: i32) -> RegisterOrMemory {
        RegisterOrMemory::Memory(place(offset))
    }

    fn place(offset: i32) -> Address {
        Address { base: Base::LaneRegisters, offset, extent: Extent::Full }
    }

    fn vex(
        operation: Operation,
        to: u8,
        first: u8,
        last: RegisterOrMemory,
        immediate: Option<u8>,
    ) -> Vec<u8> {
        let mut code = Code::default();
        code.vex(operation, to, Vector(first), last, immediate);
        code.bytes
    }

    #[test]
    fn registers() {
        // vaddps ymm1, ymm2, ymm3; vmulps ymm15, ymm9, ymm4; vpand ymm8, ymm2, ymm11; vsqrtps ymm3, ymm12
        assert_eq!(vex(encode::ADD, 1, 2, register(3), None), [0xC5, 0xEC, 0x58, 0xCB]);
        assert_eq!(vex(encode::MUL, 15, 9, register(4), None), [0xC5, 0x34, 0x59, 0xFC]);
        assert_eq!(vex(encode::AND, 8, 2, register(11), None), [0xC4, 0x41, 0x6D, 0xDB, 0xC3]);
        assert_eq!(vex(encode::SQRT, 3, 0, register(12), None), [0xC4, 0xC1, 0x7C, 0x51, 0xDC]);
        // vpminud ymm1, ymm14, ymm2; vpmaxud ymm9, ymm1, ymm10
        assert_eq!(vex(encode::MIN_UNSIGNED, 1, 14, register(2), None), [0xC4, 0xE2, 0x0D, 0x3B, 0xCA]);
        assert_eq!(vex(encode::MAX_UNSIGNED, 9, 1, register(10), None), [0xC4, 0x42, 0x75, 0x3F, 0xCA]);
    }

    #[test]
    fn integers() {
        // vpmulld ymm1, ymm2, ymm3; vpminsd ymm1, ymm14, ymm2; vpmaxsd ymm9, ymm1, ymm10; vpsllvd ymm8, ymm2, ymm11;
        // vpsrlvd ymm1, ymm2, ymm3; vpsravd ymm1, ymm2, ymm3; vcvttps2dq ymm3, ymm12
        assert_eq!(vex(encode::TIMES, 1, 2, register(3), None), [0xC4, 0xE2, 0x6D, 0x40, 0xCB]);
        assert_eq!(vex(encode::MIN_SIGNED, 1, 14, register(2), None), [0xC4, 0xE2, 0x0D, 0x39, 0xCA]);
        assert_eq!(vex(encode::MAX_SIGNED, 9, 1, register(10), None), [0xC4, 0x42, 0x75, 0x3D, 0xCA]);
        assert_eq!(vex(encode::SHIFT_LEFT_BY, 8, 2, register(11), None), [0xC4, 0x42, 0x6D, 0x47, 0xC3]);
        assert_eq!(vex(encode::SHIFT_RIGHT_BY, 1, 2, register(3), None), [0xC4, 0xE2, 0x6D, 0x45, 0xCB]);
        assert_eq!(
            vex(encode::SHIFT_RIGHT_SIGNED_BY, 1, 2, register(3), None),
            [0xC4, 0xE2, 0x6D, 0x46, 0xCB]
        );
        assert_eq!(vex(encode::FLOAT_TO_INTEGER, 3, 0, register(12), None), [0xC4, 0xC1, 0x7E, 0x5B, 0xDC]);
    }

    #[test]
    fn lanes_of_64_bits() {
        // vunpcklps ymm1, ymm2, ymm3; vunpckhps ymm8, ymm9, ymm12; vshufps ymm10, ymm2, ymm13, 0xdd
        assert_eq!(vex(encode::UNPACK_LOW, 1, 2, register(3), None), [0xC5, 0xEC, 0x14, 0xCB]);
        assert_eq!(vex(encode::UNPACK_HIGH, 8, 9, register(12), None), [0xC4, 0x41, 0x34, 0x15, 0xC4]);
        let shuffled = vex(encode::SHUFFLE, 10, 2, register(13), Some(0xDD));
        assert_eq!(shuffled, [0xC4, 0x41, 0x6C, 0xC6, 0xD5, 0xDD]);
        // vaddpd ymm1, ymm2, ymm3; vsubpd ymm1, ymm2, [rdi]; vmulpd ymm15, ymm9, ymm4; vdivpd ymm1, ymm2, ymm3;
        // vsqrtpd ymm3, ymm12; vcmplt_oqpd ymm6, ymm13, ymm7
        assert_eq!(vex(encode::WIDE_ADD, 1, 2, register(3), None), [0xC5, 0xED, 0x58, 0xCB]);
        assert_eq!(vex(encode::WIDE_SUB, 1, 2, lane_registers(0), None), [0xC5, 0xED, 0x5C, 0x4F, 0]);
        assert_eq!(vex(encode::WIDE_MUL, 15, 9, register(4), None), [0xC5, 0x35, 0x59, 0xFC]);
        assert_eq!(vex(encode::WIDE_DIV, 1, 2, register(3), None), [0xC5, 0xED, 0x5E, 0xCB]);
        assert_eq!(vex(encode::WIDE_SQRT, 3, 0, register(12), None), [0xC4, 0xC1, 0x7D, 0x51, 0xDC]);
        let compared = vex(encode::WIDE_COMPARE, 6, 13, register(7), Some(0x11));
        assert_eq!(compared, [0xC5, 0x95, 0xC2, 0xF7, 0x11]);
    }

    #[test]
    fn places() {
        // vmovups ymm9, [rdi+0x40]; vmovups [rdi+0x2000], ymm6; vsubps ymm5, ymm6, [rsi-0x20]
        assert_eq!(vex(encode::LOAD, 9, 0, lane_registers(0x40), None), [0xC5, 0x7C, 0x10, 0x4F, 0x40]);
        assert_eq!(
            vex(encode::STORE, 6, 0, lane_registers(0x2000), None),
            [0xC5, 0xFC, 0x11, 0xB7, 0, 0x20, 0, 0]
        );
        let constant =
            RegisterOrMemory::Memory(Address { base: Base::Constants, offset: -0x20, extent: Extent::Full });
        assert_eq!(vex(encode::SUB, 5, 6, constant, None), [0xC5, 0xCC, 0x5C, 0x6E, 0xE0]);
    }

    #[test]
    fn tests_and_immediates() {
        // vcmplt_oqps ymm6, ymm13, ymm7; vpcmpgtd ymm1, ymm2, ymm3; vpcmpeqd ymm1, ymm2, [rdi]
        assert_eq!(vex(encode::COMPARE, 6, 13, register(7), Some(0x11)), [0xC5, 0x94, 0xC2, 0xF7, 0x11]);
        assert_eq!(vex(ABOVE, 1, 2, register(3), None), [0xC5, 0xED, 0x66, 0xCB]);
        assert_eq!(vex(SAME, 1, 2, lane_registers(0), None), [0xC5, 0xED, 0x76, 0x4F, 0]);
        // vpslld ymm9, ymm10, 23; vpsrad ymm3, ymm4, 23; vpermilps ymm1, ymm12, 0xf5; vpandn ymm1, ymm2, ymm3
        assert_eq!(vex(encode::SHIFT, 6, 9, register(10), Some(23)), [0xC4, 0xC1, 0x35, 0x72, 0xF2, 23]);
        assert_eq!(vex(encode::SHIFT, 4, 3, register(4), Some(23)), [0xC5, 0xE5, 0x72, 0xE4, 23]);
        assert_eq!(
            vex(encode::PERMUTE, 1, 0, register(12), Some(0xF5)),
            [0xC4, 0xC3, 0x7D, 0x04, 0xCC, 0xF5]
        );
        assert_eq!(vex(encode::AND_NOT, 1, 2, register(3), None), [0xC5, 0xED, 0xDF, 0xCB]);
        // vroundps ymm3, ymm12, 11
        assert_eq!(vex(encode::ROUND, 3, 0, register(12), Some(11)), [0xC4, 0xC3, 0x7D, 0x08, 0xDC, 11]);
    }

    #[test]
    fn masks() {
        // vblendvps ymm4, ymm11, ymm9, ymm13
        let mut code = Code::default();
        code.vex_blend(Vector(4), Vector(11), register(9), Vector(13));
        assert_eq!(code.bytes, [0xC4, 0xC3, 0x25, 0x4A, 0xE1, 0xD0]);
        // vmovmskps r8d, ymm9; mov [rdi+0x440], r8d
        let mut code = Code::default();
        code.vex_store_signs(Vector(9), place(0x440));
        assert_eq!(code.bytes, [0xC4, 0x41, 0x7C, 0x50, 0xC1, 0x44, 0x89, 0x87, 0x40, 4, 0, 0]);
        // vmovmskps r8d, ymm3; vmovmskps r9d, ymm9; or r8d, r9d
        let mut code = Code::default();
        code.vex_add_signs(Vector(3), true);
        code.vex_add_signs(Vector(9), false);
        let expected: [&[u8]; 3] =
            [&[0xC5, 0x7C, 0x50, 0xC3], &[0xC4, 0x41, 0x7C, 0x50, 0xC9], &[0x45, 0x09, 0xC8]];
        assert_eq!(code.bytes, expected.concat());
    }
}
