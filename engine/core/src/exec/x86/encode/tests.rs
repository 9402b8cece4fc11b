//! Decodes every instruction form of the encoder with iced-x86, and compares the result with the request.
//!
//! Register numbers are at the edges of their bit fields. Offsets have one and four bytes, and are multiples
//! of the vector size or not.

use super::evex::{self, Mask, Writes};
use super::vex;
use super::*;
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

/// An operand of a decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    Register(Register),
    Memory { base: Register, offset: i32, is_broadcast: bool },
    Immediate(u32),
}

/// A decoded instruction. `mask` is `Register::None` without a mask.
#[derive(Debug, PartialEq, Eq)]
struct Decoded {
    mnemonic: Mnemonic,
    operands: Vec<Operand>,
    mask: Register,
    is_zeroing: bool,
}

impl Decoded {
    fn unmasked(mnemonic: Mnemonic, operands: impl Into<Vec<Operand>>) -> Self {
        Self { mnemonic, operands: operands.into(), mask: Register::None, is_zeroing: false }
    }

    fn of(instruction: &Instruction) -> Self {
        let operand = |index: u32| match instruction.op_kind(index) {
            OpKind::Register => Operand::Register(instruction.op_register(index)),
            OpKind::Memory => {
                assert_eq!(instruction.memory_index(), Register::None);
                Operand::Memory {
                    base: instruction.memory_base(),
                    offset: instruction.memory_displacement64() as i32,
                    is_broadcast: instruction.is_broadcast(),
                }
            }
            OpKind::NearBranch64 => Operand::Immediate(instruction.near_branch64() as u32),
            _ => Operand::Immediate(instruction.immediate(index) as u32),
        };
        Self {
            mnemonic: instruction.mnemonic(),
            operands: (0..instruction.op_count()).map(operand).collect(),
            mask: instruction.op_mask(),
            is_zeroing: instruction.zeroing_masking(),
        }
    }
}

/// Decodes all of `code`.
fn decode(code: &Code) -> Vec<Decoded> {
    let mut decoder = Decoder::with_ip(64, code.bytes(), 0, DecoderOptions::NONE);
    let mut decoded = Vec::new();
    while decoder.can_decode() {
        let instruction = decoder.decode();
        assert!(!instruction.is_invalid(), "{:02x?}", code.bytes());
        decoded.push(Decoded::of(&instruction));
    }
    decoded
}

/// Asserts that the bytes that `write` appends are exactly one instruction, `expected`.
#[track_caller]
fn assert_one(expected: Decoded, write: impl FnOnce(&mut Code)) {
    let mut code = Code::default();
    write(&mut code);
    assert_eq!(decode(&code), [expected], "{:02x?}", code.bytes());
}

/// The operands of an operation. `to`, `first` and `last` are the parameters of [`Code::evex`] and
/// [`Code::vex`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `to, last`
    Unary,
    /// `to, first, last`
    Binary,
    /// `last, to`
    Store,
    /// `first, last`. The field of `to` has this number.
    Extended(u8),
    /// A mask register, `first, last`
    Test,
    /// `to`, a mask register
    Spread,
}
use Shape::{Binary, Extended, Spread, Store, Test, Unary};

/// Whether an operation has an immediate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Immediate {
    None,
    Some,
}

/// Every operation that both encodings have, with its EVEX and its VEX mnemonic.
fn shared() -> Vec<(Operation, Mnemonic, Mnemonic, Shape, Immediate)> {
    let same = |operation, mnemonic, shape| (operation, mnemonic, mnemonic, shape, Immediate::None);
    let with_immediate = |operation, mnemonic, shape| (operation, mnemonic, mnemonic, shape, Immediate::Some);
    vec![
        same(ADD, Mnemonic::Vaddps, Binary),
        same(MUL, Mnemonic::Vmulps, Binary),
        same(SUB, Mnemonic::Vsubps, Binary),
        same(MIN, Mnemonic::Vminps, Binary),
        same(DIV, Mnemonic::Vdivps, Binary),
        same(MAX, Mnemonic::Vmaxps, Binary),
        same(SQRT, Mnemonic::Vsqrtps, Unary),
        same(LOAD, Mnemonic::Vmovups, Unary),
        same(STORE, Mnemonic::Vmovups, Store),
        same(INTEGER_TO_FLOAT, Mnemonic::Vcvtdq2ps, Unary),
        (AND, Mnemonic::Vpandd, Mnemonic::Vpand, Binary, Immediate::None),
        (OR, Mnemonic::Vpord, Mnemonic::Vpor, Binary, Immediate::None),
        (XOR, Mnemonic::Vpxord, Mnemonic::Vpxor, Binary, Immediate::None),
        (AND_NOT, Mnemonic::Vpandnd, Mnemonic::Vpandn, Binary, Immediate::None),
        same(PLUS, Mnemonic::Vpaddd, Binary),
        same(MINUS, Mnemonic::Vpsubd, Binary),
        same(MIN_UNSIGNED, Mnemonic::Vpminud, Binary),
        same(MAX_UNSIGNED, Mnemonic::Vpmaxud, Binary),
        same(MIN_SIGNED, Mnemonic::Vpminsd, Binary),
        same(MAX_SIGNED, Mnemonic::Vpmaxsd, Binary),
        same(TIMES, Mnemonic::Vpmulld, Binary),
        same(SHIFT_LEFT_BY, Mnemonic::Vpsllvd, Binary),
        same(SHIFT_RIGHT_BY, Mnemonic::Vpsrlvd, Binary),
        same(SHIFT_RIGHT_SIGNED_BY, Mnemonic::Vpsravd, Binary),
        same(FLOAT_TO_INTEGER, Mnemonic::Vcvttps2dq, Unary),
        same(UNPACK_LOW, Mnemonic::Vunpcklps, Binary),
        same(UNPACK_HIGH, Mnemonic::Vunpckhps, Binary),
        with_immediate(SHUFFLE, Mnemonic::Vshufps, Binary),
        same(WIDE_ADD, Mnemonic::Vaddpd, Binary),
        same(WIDE_SUB, Mnemonic::Vsubpd, Binary),
        same(WIDE_MUL, Mnemonic::Vmulpd, Binary),
        same(WIDE_DIV, Mnemonic::Vdivpd, Binary),
        same(WIDE_SQRT, Mnemonic::Vsqrtpd, Unary),
        with_immediate(SHIFT, Mnemonic::Vpsrld, Extended(2)),
        with_immediate(SHIFT, Mnemonic::Vpsrad, Extended(4)),
        with_immediate(SHIFT, Mnemonic::Vpslld, Extended(6)),
        with_immediate(PERMUTE, Mnemonic::Vpermilps, Unary),
        (ROUND, Mnemonic::Vrndscaleps, Mnemonic::Vroundps, Unary, Immediate::Some),
    ]
}

/// Every operation that only EVEX has, or that has a mask register only there.
fn only_evex() -> Vec<(Operation, Mnemonic, Shape, Immediate)> {
    vec![
        (COMPARE, Mnemonic::Vcmpps, Test, Immediate::Some),
        (WIDE_COMPARE, Mnemonic::Vcmppd, Test, Immediate::Some),
        (BROADCAST, Mnemonic::Vbroadcastss, Unary, Immediate::None),
        (evex::BLEND, Mnemonic::Vblendmps, Binary, Immediate::None),
        (evex::TEST_ZERO, Mnemonic::Vptestnmd, Test, Immediate::None),
        (evex::TEST_SET, Mnemonic::Vptestmd, Test, Immediate::None),
        (evex::COMPARE_UNSIGNED, Mnemonic::Vpcmpud, Test, Immediate::Some),
        (evex::COMPARE_SIGNED, Mnemonic::Vpcmpd, Test, Immediate::Some),
        (evex::RANGE, Mnemonic::Vrangeps, Binary, Immediate::Some),
        (evex::UNSIGNED_TO_FLOAT, Mnemonic::Vcvtudq2ps, Unary, Immediate::None),
        (evex::SPREAD, Mnemonic::Vpmovm2q, Spread, Immediate::None),
    ]
}

/// Every operation that only VEX has, or that has a vector as its result only there.
fn only_vex() -> Vec<(Operation, Mnemonic, Shape, Immediate)> {
    vec![
        (COMPARE, Mnemonic::Vcmpps, Binary, Immediate::Some),
        (WIDE_COMPARE, Mnemonic::Vcmppd, Binary, Immediate::Some),
        (vex::ABOVE, Mnemonic::Vpcmpgtd, Binary, Immediate::None),
        (vex::SAME, Mnemonic::Vpcmpeqd, Binary, Immediate::None),
    ]
}

const BASES: [(Base, Register); 4] = [
    (Base::LaneRegisters, Register::RDI),
    (Base::Constants, Register::RSI),
    (Base::Inputs, Register::RDX),
    (Base::Outputs, Register::RCX),
];

const OFFSETS: [i32; 15] =
    [0, 4, -4, 64, -64, 0x7F, 0x80, -0x80, -0x81, 0x1FC, 0x200, 0x1FC0, 0x2000, -0x2000, 0x1234_5678];

/// Every address with `extent`.
fn memory(extent: Extent) -> impl Iterator<Item = (RegisterOrMemory, Operand)> {
    let is_broadcast = extent == Extent::One;
    BASES.into_iter().flat_map(move |(base, register)| {
        OFFSETS.into_iter().map(move |offset| {
            let decoded = Operand::Memory { base: register, offset, is_broadcast };
            (RegisterOrMemory::Memory(Address { base, offset, extent }), decoded)
        })
    })
}

/// Vector registers by their number.
fn vectors(numbers: &[u8], zero: Register) -> Vec<(u8, Operand)> {
    numbers.iter().map(|&number| (number, Operand::Register(zero + u32::from(number)))).collect()
}

/// Registers as the encoder numbers them, and as the decoder names them.
type Choices<'a> = &'a [(u8, Operand)];

/// Every choice of registers and last operand for `shape`: the field of `to`, `first`, `last` and the
/// operands.
fn choices(
    shape: Shape,
    (vectors, masks): (Choices<'_>, Choices<'_>),
    memory: &[(RegisterOrMemory, Operand)],
) -> Vec<(u8, u8, RegisterOrMemory, Vec<Operand>)> {
    let none = [(0, Operand::Immediate(0))];
    let field;
    let to = match shape {
        Unary | Binary | Store | Spread => vectors,
        Test => masks,
        Extended(number) => {
            field = [(number, Operand::Immediate(0))];
            &field
        }
    };
    let first = match shape {
        Binary | Extended(_) | Test => vectors,
        Unary | Store | Spread => &none,
    };
    let registers = match shape {
        Spread => masks,
        Unary | Binary | Store | Extended(_) | Test => vectors,
    };
    let registers =
        registers.iter().map(|&(number, operand)| (RegisterOrMemory::Register(Vector(number)), operand));
    let lasts: Vec<_> = match shape {
        Spread => registers.collect(),
        Unary | Binary | Store | Extended(_) | Test => registers.chain(memory.iter().copied()).collect(),
    };
    let mut all = Vec::new();
    for &(to, to_operand) in to {
        for &(first, first_operand) in first {
            for &(last, last_operand) in &lasts {
                let operands = match shape {
                    Unary | Spread => vec![to_operand, last_operand],
                    Binary | Test => vec![to_operand, first_operand, last_operand],
                    Store => vec![last_operand, to_operand],
                    Extended(_) => vec![first_operand, last_operand],
                };
                all.push((to, first, last, operands));
            }
        }
    }
    all
}

const IMMEDIATE: u8 = 0x1A;

fn immediate(immediate: Immediate, operands: &mut Vec<Operand>) -> Option<u8> {
    match immediate {
        Immediate::None => None,
        Immediate::Some => {
            operands.push(Operand::Immediate(IMMEDIATE.into()));
            Some(IMMEDIATE)
        }
    }
}

fn mask_register(number: u8) -> Register {
    Register::K0 + u32::from(number)
}

#[test]
fn evex_instructions() {
    let vectors = vectors(&[0, 7, 8, 15, 16, 31], Register::ZMM0);
    let masks: Vec<(u8, Operand)> =
        [0, 1, 7].into_iter().map(|number| (number, Operand::Register(mask_register(number)))).collect();
    let full: Vec<_> = memory(Extent::Full).collect();
    let one: Vec<_> = memory(Extent::One).collect();
    let both: Vec<_> = full.iter().chain(&one).copied().collect();
    let shared = shared().into_iter().map(|(operation, evex, _, shape, with)| (operation, evex, shape, with));
    for (operation, mnemonic, shape, with) in shared.chain(only_evex()) {
        // Four bytes are a broadcast for 32-bit lanes alone, and LOAD and STORE have no broadcast.
        let memory = match operation {
            BROADCAST => &one,
            LOAD | STORE => &full,
            Operation { wide: 1, .. } => &full,
            _ => &both,
        };
        // BROADCAST reads registers in another form, and it is a broadcast by its opcode.
        let choices = choices(shape, (&vectors, &masks), memory)
            .into_iter()
            .filter(|(_, _, last, _)| operation != BROADCAST || matches!(last, RegisterOrMemory::Memory(_)));
        for (to, first, last, mut operands) in choices {
            let immediate = immediate(with, &mut operands);
            for operand in &mut operands {
                if let Operand::Memory { is_broadcast, .. } = operand {
                    *is_broadcast &= operation != BROADCAST;
                }
            }
            let masked = match shape {
                Unary | Binary => {
                    &[Writes::OrZero(Mask(1)), Writes::OrZero(Mask(7)), Writes::Blend(Mask(3))][..]
                }
                Store | Extended(_) | Test | Spread => &[],
            };
            for &writes in [Writes::All].iter().chain(masked) {
                let (mask, is_zeroing) = match writes {
                    Writes::All => (Register::None, false),
                    Writes::OrZero(Mask(number)) => (mask_register(number), true),
                    Writes::Blend(Mask(number)) => (mask_register(number), false),
                };
                let expected = Decoded { mnemonic, operands: operands.clone(), mask, is_zeroing };
                assert_one(expected, |code| {
                    code.evex(operation, (to, writes), Vector(first), last, immediate);
                });
            }
        }
    }
}

#[test]
fn vex_instructions() {
    let vectors = vectors(&[0, 7, 8, 15], Register::YMM0);
    let full: Vec<_> = memory(Extent::Full).collect();
    let shared = shared().into_iter().map(|(operation, _, vex, shape, with)| (operation, vex, shape, with));
    for (operation, mnemonic, shape, with) in shared.chain(only_vex()) {
        // Shifts by an immediate read registers only.
        let memory = if operation == SHIFT { &[][..] } else { &full };
        for (to, first, last, mut operands) in choices(shape, (&vectors, &[]), memory) {
            let immediate = immediate(with, &mut operands);
            assert_one(Decoded::unmasked(mnemonic, operands), |code| {
                code.vex(operation, to, Vector(first), last, immediate);
            });
        }
    }
    for (to, first, last, operands) in choices(Binary, (&vectors, &[]), &full) {
        for &(mask, operand) in &vectors {
            let operands = [&operands[..], &[operand]].concat();
            assert_one(Decoded::unmasked(Mnemonic::Vblendvps, operands), |code| {
                code.vex_blend(Vector(to), Vector(first), last, Vector(mask));
            });
        }
    }
}

const R8D: Operand = Operand::Register(Register::R8D);
const R9D: Operand = Operand::Register(Register::R9D);

#[test]
fn lanes_are_added_to_general_registers() {
    let or = || Decoded::unmasked(Mnemonic::Or, [R8D, R9D]);
    let mut code = Code::default();
    for (number, from) in vectors(&[0, 7, 8, 15], Register::YMM0) {
        code.bytes.clear();
        code.vex_add_signs(Vector(number), true);
        code.vex_add_signs(Vector(number), false);
        let signs = |to| Decoded::unmasked(Mnemonic::Vmovmskps, [to, from]);
        assert_eq!(decode(&code), [signs(R8D), signs(R9D), or()]);
    }
    for number in 0..8 {
        code.bytes.clear();
        code.add_lanes(Mask(number), true);
        code.add_lanes(Mask(number), false);
        let lanes = |to| Decoded::unmasked(Mnemonic::Kmovw, [to, Operand::Register(mask_register(number))]);
        assert_eq!(decode(&code), [lanes(R8D), lanes(R9D), or()]);
    }
}

#[test]
fn masks_are_stored_and_loaded() {
    for (place, operand) in memory(Extent::Full) {
        let RegisterOrMemory::Memory(place) = place else { continue };
        for (number, from) in vectors(&[0, 7, 8, 15], Register::YMM0) {
            let mut code = Code::default();
            code.vex_store_signs(Vector(number), place);
            let signs = Decoded::unmasked(Mnemonic::Vmovmskps, [R8D, from]);
            assert_eq!(decode(&code), [signs, Decoded::unmasked(Mnemonic::Mov, [operand, R8D])]);
        }
        for number in 0..8 {
            let mask = Operand::Register(mask_register(number));
            let load = Decoded::unmasked(Mnemonic::Kmovw, [mask, operand]);
            assert_one(load, |code| code.mask_load(Mask(number), place));
            let store = Decoded::unmasked(Mnemonic::Kmovd, [operand, mask]);
            assert_one(store, |code| code.mask_store(Mask(number), place));
        }
    }
}

#[test]
fn masks_are_combined() {
    let operands = |numbers: &[u8]| -> Vec<Operand> {
        numbers.iter().map(|&number| Operand::Register(mask_register(number))).collect()
    };
    for (to, a) in (0..8).flat_map(|to| (0..8).map(move |a| (to, a))) {
        let not = Decoded::unmasked(Mnemonic::Knotw, operands(&[to, a]));
        assert_one(not, |code| code.mask_not(Mask(to), Mask(a)));
        for b in 0..8 {
            let and = Decoded::unmasked(Mnemonic::Kandw, operands(&[to, a, b]));
            assert_one(and, |code| code.mask_and(Mask(to), Mask(a), Mask(b)));
            let or = Decoded::unmasked(Mnemonic::Korw, operands(&[to, a, b]));
            assert_one(or, |code| code.mask_or(Mask(to), Mask(a), Mask(b)));
        }
    }
}

#[test]
fn functions_loop() {
    let register = Operand::Register;
    let saved = |offset| Operand::Memory { base: Register::RSP, offset, is_broadcast: false };
    let mut code = Code::default();
    code.denorms_are_zeros();
    let start = code.begin_loop(2);
    code.jump_if_any(start);
    code.end_loop(start, 128);
    code.end_restoring();
    code.end();
    let add = |to| Decoded::unmasked(Mnemonic::Add, [register(to), Operand::Immediate(128)]);
    let jump = || Decoded::unmasked(Mnemonic::Jne, [Operand::Immediate(start as u32)]);
    let eax = register(Register::EAX);
    let expected = [
        Decoded::unmasked(Mnemonic::Stmxcsr, [saved(-8)]),
        Decoded::unmasked(Mnemonic::Mov, [eax, saved(-8)]),
        Decoded::unmasked(Mnemonic::Or, [eax, Operand::Immediate(0x40)]),
        Decoded::unmasked(Mnemonic::Mov, [saved(-4), eax]),
        Decoded::unmasked(Mnemonic::Ldmxcsr, [saved(-4)]),
        Decoded::unmasked(Mnemonic::Mov, [eax, Operand::Immediate(2)]),
        Decoded::unmasked(Mnemonic::Test, [R8D, R8D]),
        jump(),
        add(Register::RDI),
        add(Register::RDX),
        add(Register::RCX),
        Decoded::unmasked(Mnemonic::Dec, [eax]),
        jump(),
        Decoded::unmasked(Mnemonic::Vzeroupper, []),
        Decoded::unmasked(Mnemonic::Ldmxcsr, [saved(-8)]),
        Decoded::unmasked(Mnemonic::Ret, []),
        Decoded::unmasked(Mnemonic::Vzeroupper, []),
        Decoded::unmasked(Mnemonic::Ret, []),
    ];
    assert_eq!(decode(&code), expected);
}
