//! Operations on 32-bit integers: results, signs of operands and flags, compared with 64-bit arithmetic
//! (NV_gpu_program4 2.X.4.1, 2.X.4.3, 2.X.8).

use super::build::*;
use shadestep_engine::isa::Opcode;
use shadestep_language::ir::{Flags, Instruction, Negation, Operand, Type};

/// Test words: the ends of the ranges, small numbers, and the bits of a denorm and of a NaN.
const WORDS: [u32; 12] = [
    0,
    1,
    2,
    3,
    7,
    0x7FFF_FFFF,
    0x8000_0000,
    0x8000_0001,
    0xFFFF_FFFF,
    0xFFFF_FFF9,
    0x7FC0_1234,
    0x0012_3456,
];

fn value(ty: Type, word: u32) -> i64 {
    if ty == Type::S32 { i64::from(word.cast_signed()) } else { i64::from(word) }
}

fn typed(instruction: Instruction, ty: Type) -> Instruction {
    Instruction { ty, ..instruction }
}

/// Packs four words into a parameter.
fn quads(words: &[u32]) -> [f32; 4] {
    std::array::from_fn(|c| f32::from_bits(words[c]))
}

/// Runs `opcode` on parameters 0, 1 and 2. Returns the result and the flags.
fn computed(opcode: Opcode, ty: Type, operands: &[Operand], words: [[u32; 4]; 3]) -> ([u32; 4], [Flags; 4]) {
    let instruction = updating(typed(op(opcode, R[0], "", operands), ty));
    let end = run(&typed_program(3, vec![instruction]), &words.map(|words| quads(&words)));
    (end.registers.temporaries[0].map(|bits| bits as u32), end.registers.cc[0])
}

/// Generates triples of words, four at a time, one triple in each component. All pairs of words occur.
fn triples() -> impl Iterator<Item = [[u32; 4]; 3]> {
    (0..WORDS.len() * WORDS.len()).map(|at| {
        let (a, b) = (WORDS[at % WORDS.len()], WORDS[at / WORDS.len()]);
        let c: [u32; 4] = std::array::from_fn(|c| WORDS[(at + 5 * c) % WORDS.len()]);
        [[a, b, a, b], [b, a, a ^ 0xFF, b], c]
    })
}

const TYPES: [Type; 2] = [Type::S32, Type::U32];

fn plain(count: u16) -> Vec<Operand> {
    (0..count).map(|n| src(c(n), "")).collect()
}

/// An opcode, the number of its operands, and its exact result. A register keeps the low bits of the result.
type Expected = (Opcode, usize, fn(i128, i128, i128) -> i128);

/// Opcodes whose results are exact for integers of any size.
pub const RESULTS: [Expected; 16] = [
    (Opcode::Add, 2, |a, b, _| a + b),
    (Opcode::Sub, 2, |a, b, _| a - b),
    (Opcode::Mul, 2, |a, b, _| a.wrapping_mul(b)),
    (Opcode::Mad, 3, |a, b, c| a.wrapping_mul(b).wrapping_add(c)),
    (Opcode::Max, 2, |a, b, _| a.max(b)),
    (Opcode::Min, 2, |a, b, _| a.min(b)),
    (Opcode::Abs, 1, |a, _, _| a.abs()),
    (Opcode::Mov, 1, |a, _, _| a),
    // TRUE is all ones, FALSE is 0.
    (Opcode::Seq, 2, |a, b, _| -i128::from(a == b)),
    (Opcode::Sne, 2, |a, b, _| -i128::from(a != b)),
    (Opcode::Sge, 2, |a, b, _| -i128::from(a >= b)),
    (Opcode::Sle, 2, |a, b, _| -i128::from(a <= b)),
    (Opcode::Sgt, 2, |a, b, _| -i128::from(a > b)),
    (Opcode::Slt, 2, |a, b, _| -i128::from(a < b)),
    (Opcode::Str, 2, |_, _, _| -1),
    (Opcode::Cmp, 3, |a, b, c| if a < 0 { b } else { c }),
];

#[test]
fn results_are_those_of_exact_arithmetic() {
    for (opcode, count, expected) in RESULTS {
        for ty in TYPES {
            for words in triples() {
                let (result, _) = computed(opcode, ty, &plain(count as u16), words);
                for component in 0..4 {
                    let [a, b, c] = words.map(|words| value(ty, words[component]).into());
                    let expected = expected(a, b, c) as u32;
                    assert_eq!(result[component], expected, "{opcode:?} {ty:?} {words:X?}");
                }
            }
        }
    }
}

#[test]
fn products_of_24_bits_take_the_low_24_of_each() {
    for words in triples() {
        for (ty, low) in [
            (Type::S24, (|word| i64::from((word << 8).cast_signed() >> 8)) as fn(u32) -> i64),
            (Type::U24, |word| i64::from(word & 0x00FF_FFFF)),
        ] {
            let (result, _) = computed(Opcode::Mul, ty, &plain(2), words);
            for component in 0..4 {
                let [a, b, _] = words.map(|words| low(words[component]));
                assert_eq!(result[component], (a * b) as u32, "{ty:?} {words:X?}");
            }
        }
    }
}

/// Returns the flags that the text gives to the sum or difference of `a` and `b`.
fn flags(is_difference: bool, a: u32, b: u32) -> Flags {
    let (signed, unsigned) = if is_difference {
        (value(Type::S32, a) - value(Type::S32, b), i64::from(a) - i64::from(b))
    } else {
        (value(Type::S32, a) + value(Type::S32, b), i64::from(a) + i64::from(b))
    };
    let result = unsigned as u32;
    let carry = if is_difference { unsigned >= 0 } else { unsigned > i64::from(u32::MAX) };
    let flag = |holds: bool, flag: u8| if holds { flag } else { 0 };
    Flags(
        flag(result >> 31 != 0, Flags::SIGN)
            | flag(result == 0, Flags::ZERO)
            | flag(i64::from(result.cast_signed()) != signed, Flags::OVERFLOW)
            | flag(carry, Flags::CARRY),
    )
}

#[test]
fn sums_and_differences_set_carry_and_overflow() {
    let negated = |n: u16| Operand { negate: Negation::ALL, ..src(c(n), "") };
    for ty in TYPES {
        for words in triples() {
            let [a, b, _] = words;
            // A negated operand turns a sum into a difference and a difference into a sum.
            for (opcode, operands, is_difference, turned) in [
                (Opcode::Add, plain(2), false, false),
                (Opcode::Sub, plain(2), true, false),
                (Opcode::Add, vec![src(c(0), ""), negated(1)], true, false),
                (Opcode::Sub, vec![src(c(0), ""), negated(1)], false, false),
                (Opcode::Add, vec![negated(0), src(c(1), "")], true, true),
            ] {
                let (_, found) = computed(opcode, ty, &operands, words);
                let (first, second) = if turned { (b, a) } else { (a, b) };
                for component in 0..4 {
                    let expected = flags(is_difference, first[component], second[component]);
                    assert_eq!(found[component], expected, "{opcode:?} {ty:?} {words:X?}");
                }
            }
            // -|b| is -b for unsigned integers. For signed integers below zero -|b| is b.
            let outer = Operand { absolute: true, negate_absolute: true, ..src(c(1), "") };
            let (_, found) = computed(Opcode::Add, ty, &[src(c(0), ""), outer], words);
            for component in 0..4 {
                let b = if ty == Type::S32 {
                    b[component].cast_signed().wrapping_abs().cast_unsigned()
                } else {
                    b[component]
                };
                assert_eq!(found[component], flags(true, a[component], b), "-|b| {ty:?} {words:X?}");
            }
            let (_, found) = computed(Opcode::Mad, ty, &plain(3), words);
            for component in 0..4 {
                let [a, b, c] = words.map(|words| words[component]);
                assert_eq!(found[component], flags(false, a.wrapping_mul(b), c), "MAD {words:X?}");
            }
        }
    }
}

#[test]
fn other_results_clear_carry_and_overflow() {
    for opcode in [Opcode::Mul, Opcode::Max, Opcode::Mov] {
        for words in triples() {
            let count = if opcode == Opcode::Mov { 1 } else { 2 };
            let (result, found) = computed(opcode, Type::S32, &plain(count), words);
            for component in 0..4 {
                let word = result[component];
                let sign = if word >> 31 != 0 { Flags::SIGN } else { 0 };
                let zero = if word == 0 { Flags::ZERO } else { 0 };
                assert_eq!(found[component], Flags(sign | zero), "{opcode:?} {words:X?}");
            }
        }
    }
}

#[test]
fn signs_of_operands_are_those_of_the_type() {
    for words in triples() {
        let operand = |negate: bool, absolute: bool, negate_absolute: bool| Operand {
            negate: if negate { Negation::ALL } else { Negation::NONE },
            absolute,
            negate_absolute,
            ..src(c(0), "")
        };
        for at in 0..8 {
            let (negate, absolute, outer) = (at & 1 != 0, at & 2 != 0, at & 4 != 0 && at & 2 != 0);
            for ty in TYPES {
                let (result, _) = computed(Opcode::Mov, ty, &[operand(negate, absolute, outer)], words);
                for component in 0..4 {
                    let word = words[0][component];
                    let word = if negate { word.wrapping_neg() } else { word };
                    // "For unsigned integer operands, the absolute value operation has no effect."
                    let word = if absolute && ty == Type::S32 {
                        word.cast_signed().wrapping_abs().cast_unsigned()
                    } else {
                        word
                    };
                    let word = if outer { word.wrapping_neg() } else { word };
                    assert_eq!(result[component], word, "{ty:?} {at} {words:X?}");
                }
            }
        }
    }
}

#[test]
fn numbers_are_floored_to_integers() {
    let numbers = [2.3_f32, -3.6, 0.0, -0.5, 7.0, 1e9, -1e9, 0.999];
    for numbers in numbers.as_chunks::<4>().0 {
        let (result, found) =
            computed(Opcode::Flr, Type::S32, &plain(1), [numbers.map(f32::to_bits), [0; 4], [0; 4]]);
        for component in 0..4 {
            let expected = numbers[component].floor() as i32;
            assert_eq!(result[component].cast_signed(), expected);
            let sign = if expected < 0 { Flags::SIGN } else { 0 };
            let zero = if expected == 0 { Flags::ZERO } else { 0 };
            assert_eq!(found[component], Flags(sign | zero));
        }
    }
}

#[test]
fn registers_know_the_type_that_they_were_last_written_as() {
    let unsigned = typed(op(Opcode::Add, R[0], "xy", &[src(c(0), ""), src(c(0), "")]), Type::U32);
    let signed = typed(op(Opcode::Add, R[0], "y", &[src(c(0), ""), src(c(0), "")]), Type::S32);
    let number = op(Opcode::Mov, R[0], "w", &[src(c(0), "")]);
    let end = run(&typed_program(1, vec![unsigned, signed, number]), &[[0.0; 4]]);
    assert_eq!(end.registers.temporaries_types[0], [Type::U32, Type::S32, Type::F32, Type::F32]);
}
