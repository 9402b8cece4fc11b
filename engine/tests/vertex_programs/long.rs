//! 64-bit operations, and conversions between registers and operations of different sizes, compared with
//! exact arithmetic (NV_gpu_program4 2.X.4.3, NV_gpu_program5 2.X.4.1).

use super::build::*;
use super::integers::RESULTS;
use shadestep_engine::isa::Opcode;
use shadestep_language::ir::{
    Components, Element, Flags, Index, Indirect, Instruction, Negation, Operand, Program, Saturation, Source,
    Target, TempId, Temporary, Type,
};

/// Test values: the ends of the integer ranges, small integers, and the bits of fp64 numbers, infinities, a
/// NaN and a denorm.
const VALUES: [u64; 18] = [
    0,
    1,
    2,
    7,
    0xFFFF_FFFF,
    0x1_0000_0000,
    0x7FFF_FFFF_FFFF_FFFF,
    0x8000_0000_0000_0000,
    0x8000_0000_0000_0001,
    0xFFFF_FFFF_FFFF_FFFF,
    0xFFFF_FFFF_8000_0000,
    0x3FF0_0000_0000_0000,
    0xBFF8_0000_0000_0000,
    0x7FF0_0000_0000_0000,
    0xFFF0_0000_0000_0000,
    0x7FF8_0000_0000_1234,
    0x0000_0000_0012_3456,
    0x4341_2345_6789_ABCD,
];

/// 64-bit registers after the registers of `build`: three operands, a result, and one to build values in.
const LONG: [TempId; 5] = [TempId(6), TempId(7), TempId(8), TempId(9), TempId(10)];

fn long(n: usize) -> Source {
    Source::Temp(LONG[n])
}

fn typed(ty: Type, instruction: Instruction) -> Instruction {
    Instruction { ty, ..instruction }
}

/// Returns a program that loads `values` into LONG 0, 1 and 2 and then runs `rest`, and its parameters.
fn with_values(values: [Components; 3], rest: Vec<Instruction>) -> (Program, Vec<[f32; 4]>) {
    let mut instructions = Vec::new();
    let mut parameters = vec![[f32::from_bits(0x1_0000); 4]];
    let target = |n: usize| Target::Temp(LONG[n]);
    for (n, value) in values.into_iter().enumerate() {
        let word = |shift: u32| value.map(|bits| f32::from_bits((bits >> shift) as u32));
        let at = parameters.len() as u16;
        parameters.extend([word(0), word(32)]);
        let unsigned =
            |opcode, n, operands: &[Operand]| typed(Type::U64, op(opcode, target(n), "", operands));
        let shift = src(c(0), "");
        instructions.extend([
            unsigned(Opcode::Mul, 4, &[src(c(at + 1), ""), shift]),
            unsigned(Opcode::Mul, 4, &[src(long(4), ""), shift]),
            unsigned(Opcode::Add, n, &[src(long(4), ""), src(c(at), "")]),
        ]);
    }
    instructions.extend(rest);
    let mut program = typed_program(parameters.len() as u16, instructions);
    program.temporaries.extend((0..5).map(|n| Temporary { name: format!("D{n}"), ty: Type::U64 }));
    (program, parameters)
}

/// Runs `instruction` on `values`. Returns LONG 3, R0 and the flags.
fn outcome(values: [Components; 3], instruction: Instruction) -> ([Components; 2], [Flags; 4]) {
    let (program, parameters) = with_values(values, vec![instruction]);
    let registers = run(&program, &parameters).registers;
    ([registers.temporaries[9], registers.temporaries[0]], registers.cc[0])
}

/// Generates values for the three operands, different in each component. All pairs of values occur in the
/// first two operands.
fn triples() -> impl Iterator<Item = [Components; 3]> {
    let count = VALUES.len();
    (0..count * count).step_by(4).map(move |at| {
        let pair = |c: usize| (VALUES[(at + c) % count], VALUES[(at + c) / count % count]);
        let c = |c: usize| VALUES[(at * 7 + 3 * c + 5) % count];
        [0, 1, 2].map(|which| {
            [0, 1, 2, 3].map(|component| match which {
                0 => pair(component).0,
                1 => pair(component).1,
                _ => c(component),
            })
        })
    })
}

fn plain(count: usize) -> Vec<Operand> {
    (0..count).map(|n| src(long(n), "")).collect()
}

fn canonical(value: f64) -> u64 {
    if value.is_nan() { 0x7FF8_0000_0000_0000 } else { value.to_bits() }
}

fn value(ty: Type, bits: u64) -> i128 {
    if ty == Type::S64 { bits.cast_signed().into() } else { bits.into() }
}

#[test]
fn integers_are_those_of_exact_arithmetic() {
    for (opcode, count, expected) in RESULTS {
        for ty in [Type::S64, Type::U64] {
            for values in triples() {
                let instruction = op(opcode, Target::Temp(LONG[3]), "", &plain(count));
                let ([result, _], _) = outcome(values, typed(ty, instruction));
                for component in 0..4 {
                    let [a, b, c] = values.map(|values| value(ty, values[component]));
                    assert_eq!(result[component], expected(a, b, c) as u64, "{opcode:?} {ty:?} {values:X?}");
                }
            }
        }
    }
}

#[test]
fn numbers_are_those_of_double_precision() {
    type Expected = fn(f64, f64, f64) -> f64;
    let table: [(Opcode, usize, Expected); 10] = [
        (Opcode::Add, 2, |a, b, _| a + b),
        (Opcode::Sub, 2, |a, b, _| a - b),
        (Opcode::Mul, 2, |a, b, _| a * b),
        (Opcode::Mad, 3, |a, b, c| a * b + c),
        (Opcode::Abs, 1, |a, _, _| a.abs()),
        (Opcode::Flr, 1, |a, _, _| a.floor()),
        (Opcode::Frc, 1, |a, _, _| a - a.floor()),
        (Opcode::Slt, 2, |a, b, _| if a < b { 1.0 } else { 0.0 }),
        (Opcode::Sne, 2, |a, b, _| if a == b { 0.0 } else { 1.0 }),
        (Opcode::Ssg, 1, |a, _, _| if a == 0.0 || a.is_nan() { a + 0.0 } else { a.signum() }),
    ];
    for (opcode, count, expected) in table {
        for values in triples() {
            let instruction = op(opcode, Target::Temp(LONG[3]), "", &plain(count));
            let ([result, _], _) = outcome(values, typed(Type::F64, instruction));
            for component in 0..4 {
                let [a, b, c] = values.map(|values| f64::from_bits(values[component]));
                let expected = canonical(expected(a, b, c));
                assert_eq!(result[component], expected, "{opcode:?} {a:e} {b:e} {c:e}");
            }
        }
    }
    // MOV copies bits, those of NaNs and denorms too.
    for values in triples() {
        let instruction = op(Opcode::Mov, Target::Temp(LONG[3]), "", &plain(1));
        assert_eq!(outcome(values, typed(Type::F64, instruction)).0[0], values[0]);
    }
}

#[test]
fn signs_are_those_of_the_type() {
    for values in triples() {
        for at in 0..8 {
            let (negate, absolute, outer) = (at & 1 != 0, at & 2 != 0, at & 4 != 0 && at & 2 != 0);
            let operand = Operand {
                negate: if negate { Negation::ALL } else { Negation::NONE },
                absolute,
                negate_absolute: outer,
                ..src(long(0), "")
            };
            for ty in [Type::S64, Type::U64, Type::F64] {
                let instruction = op(Opcode::Mov, Target::Temp(LONG[3]), "", &[operand]);
                let ([result, _], _) = outcome(values, typed(ty, instruction));
                for component in 0..4 {
                    const SIGN: u64 = 1 << 63;
                    let bits = values[0][component];
                    let turn = |bits: u64| if ty == Type::F64 { bits ^ SIGN } else { bits.wrapping_neg() };
                    let bits = if negate { turn(bits) } else { bits };
                    let bits = match ty {
                        Type::F64 if absolute => bits & !SIGN,
                        Type::S64 if absolute => bits.cast_signed().wrapping_abs().cast_unsigned(),
                        _ => bits,
                    };
                    assert_eq!(result[component], if outer { turn(bits) } else { bits }, "{ty:?} {at}");
                }
            }
        }
    }
}

#[test]
fn flags_are_those_of_64_bits() {
    for ty in [Type::S64, Type::U64] {
        for (opcode, is_difference) in [(Opcode::Add, false), (Opcode::Sub, true)] {
            for values in triples() {
                let instruction = op(opcode, Target::Temp(LONG[3]), "", &plain(2));
                let ([result, _], found) = outcome(values, updating(typed(ty, instruction)));
                for component in 0..4 {
                    let [a, b, _] = values.map(|values| values[component]);
                    let sum = |ty: Type| {
                        let (a, b) = (value(ty, a), value(ty, b));
                        if is_difference { a - b } else { a + b }
                    };
                    let (signed, unsigned) = (sum(Type::S64), sum(Type::U64));
                    let bits = result[component];
                    let carry = if is_difference { unsigned >= 0 } else { unsigned > u64::MAX.into() };
                    let flag = |holds: bool, flag: u8| if holds { flag } else { 0 };
                    let expected = flag(bits >> 63 != 0, Flags::SIGN)
                        | flag(bits == 0, Flags::ZERO)
                        | flag(i128::from(bits.cast_signed()) != signed, Flags::OVERFLOW)
                        | flag(carry, Flags::CARRY);
                    assert_eq!(found[component], Flags(expected), "{opcode:?} {a:X} {b:X}");
                }
            }
        }
    }
    for values in triples() {
        let instruction = op(Opcode::Mov, Target::Temp(LONG[3]), "", &plain(1));
        let (_, found) = outcome(values, updating(typed(Type::F64, instruction)));
        for component in 0..4 {
            let number = f64::from_bits(values[0][component]);
            let sign = if number < 0.0 || number.is_nan() { Flags::SIGN } else { 0 };
            let zero = if number == 0.0 || number.is_nan() { Flags::ZERO } else { 0 };
            assert_eq!(found[component], Flags(sign | zero), "{number:e}");
        }
    }
}

#[test]
fn operands_are_brought_to_the_size_of_the_operation() {
    for values in triples() {
        // From 64 bits to 32: integers lose the high half, and numbers are rounded.
        for ty in [Type::S32, Type::U32, Type::F32] {
            let ([_, narrow], _) = outcome(values, typed(ty, op(Opcode::Mov, R[0], "", &plain(1))));
            for component in 0..4 {
                let bits = values[0][component];
                let expected =
                    if ty == Type::F32 { rounded(f64::from_bits(bits)) } else { bits & 0xFFFF_FFFF };
                assert_eq!(narrow[component], expected, "{ty:?} {bits:X}");
            }
        }
        // From 32 bits to 64: signed integers are sign-extended, unsigned integers are zero-extended, and
        // numbers keep their value.
        for (ty, expected) in [
            (Type::S64, (|bits| i64::from(bits.cast_signed()).cast_unsigned()) as fn(u32) -> u64),
            (Type::U64, |bits| bits.into()),
            (Type::F64, |bits| {
                let number = f32::from_bits(bits);
                canonical(if number.is_subnormal() { 0.0_f32.copysign(number) } else { number }.into())
            }),
        ] {
            let parameter = src(c(1), "");
            let instruction = op(Opcode::Mov, Target::Temp(LONG[3]), "", &[parameter]);
            let ([wide, _], _) = outcome(values, typed(ty, instruction));
            for component in 0..4 {
                assert_eq!(wide[component], expected(values[0][component] as u32), "{ty:?} {values:X?}");
            }
        }
    }
}

/// Returns the bits of the nearest fp32, with denorms flushed to zero.
fn rounded(number: f64) -> u64 {
    let single = number as f32;
    let single = if single.is_subnormal() { 0.0_f32.copysign(single) } else { single };
    if single.is_nan() { 0x7FC0_0000 } else { single.to_bits().into() }
}

#[test]
fn results_are_brought_to_the_size_of_the_register() {
    for values in triples() {
        for ty in [Type::S64, Type::U64, Type::F64] {
            let instruction = op(Opcode::Add, R[0], "", &plain(2));
            let ([_, narrow], found) = outcome(values, updating(typed(ty, instruction)));
            for component in 0..4 {
                let [a, b, _] = values.map(|values| values[component]);
                let expected = match ty {
                    Type::F64 => rounded(f64::from_bits(a) + f64::from_bits(b)),
                    _ => a.wrapping_add(b) & 0xFFFF_FFFF,
                };
                assert_eq!(narrow[component], expected, "{ty:?} {a:X} {b:X}");
                if ty != Type::F64 {
                    // "the value written to the result variable"
                    let is_negative = found[component].0 & Flags::SIGN != 0;
                    assert_eq!(is_negative, expected >> 31 != 0, "{ty:?} {a:X} {b:X}");
                    assert_eq!(found[component].0 & Flags::ZERO != 0, expected == 0);
                }
            }
        }
        let parameters = [src(c(1), ""), src(c(3), "")];
        for (ty, extended) in [
            (Type::S32, (|bits| i64::from(bits.cast_signed()).cast_unsigned()) as fn(u32) -> u64),
            (Type::U32, |bits| bits.into()),
        ] {
            let instruction = op(Opcode::Add, Target::Temp(LONG[3]), "", &parameters);
            let ([wide, _], _) = outcome(values, typed(ty, instruction));
            for component in 0..4 {
                let [a, b, _] = values.map(|values| values[component] as u32);
                assert_eq!(wide[component], extended(a.wrapping_add(b)), "{ty:?} {a:X} {b:X}");
            }
        }
    }
}

#[test]
fn clamps_are_of_double_precision() {
    for values in triples() {
        for (saturate, least) in [(Saturation::Unsigned, 0.0), (Saturation::Signed, -1.0)] {
            let mut instruction = typed(Type::F64, op(Opcode::Mov, Target::Temp(LONG[3]), "", &plain(1)));
            instruction.write_mut().unwrap().saturate = saturate;
            let ([result, _], _) = outcome(values, instruction);
            for component in 0..4 {
                let number = f64::from_bits(values[0][component]);
                let expected = if number < least {
                    least
                } else if number > 1.0 {
                    1.0
                } else {
                    number
                };
                assert_eq!(result[component], canonical(expected), "{number:e}");
            }
        }
    }
}

#[test]
fn arrays_of_temporaries_are_read_and_written_by_integers() {
    // LONG 0 to 2 are an array, and R1.x is the index.
    let array = |offset: i64| Indirect {
        first: Element::Temp(LONG[0]),
        count: 3,
        index: Index { register: Some((TempId(1), 0)), offset },
        vertex: None,
    };
    let values: [Components; 3] =
        [10_u64, 20, 30].map(|first| [0, 1, 2, 3].map(|c| (first << 40) | (first + c)));
    for index in [-2_i32, -1, 0, 1, 2, 3, i32::MAX, i32::MIN] {
        let set = typed(Type::S32, op(Opcode::Mov, R[1], "x", &[src(c(7), "x")]));
        let read = op(Opcode::Mov, Target::Temp(LONG[3]), "", &[src(Source::Indirect(array(0)), "wzyx")]);
        let write = op(Opcode::Mov, Target::Indirect(array(1)), "xw", &[src(long(3), "")]);
        // The written element may be the element that is read.
        let swap = op(Opcode::Mov, Target::Indirect(array(0)), "", &[src(long(1), "wzyx")]);
        let rest = vec![set, typed(Type::U64, read), typed(Type::U64, write), typed(Type::U64, swap)];
        let (mut program, mut parameters) = with_values(values, rest);
        program.parameters.push(program.parameters[0].clone());
        parameters.push([f32::from_bits(index.cast_unsigned()); 4]);
        let registers = run(&program, &parameters).registers;
        let element = |index: i64| usize::try_from(index).ok().filter(|&index| index < 3);
        let mut expected = values;
        let mut read = element(index.into()).map_or([0; 4], |at| values[at]);
        read.reverse();
        assert_eq!(registers.temporaries[9], read, "{index}");
        if let Some(at) = element(i64::from(index) + 1) {
            [expected[at][0], expected[at][3]] = [read[0], read[3]];
        }
        if let Some(at) = element(index.into()) {
            expected[at] = expected[1];
            expected[at].reverse();
        }
        assert_eq!(registers.temporaries[6..9], expected, "{index}");
    }
}
