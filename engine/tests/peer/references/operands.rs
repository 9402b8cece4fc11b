//! Generators of operand bits for the tables of references: special values of each type, and random ones.

use super::Kind;
use crate::support::random::Random;

/// Generates 128 bits: four components of 32 bits or two of 64.
pub type Values = fn(&mut Random) -> [u32; 4];

/// An operand: its type, and the generator of its bits.
pub type Operand = (Kind, Values);

/// Signed integers.
pub const I: Operand = (Kind::Int, words);
/// Unsigned integers.
pub const U: Operand = (Kind::Uint, words);
/// fp32 numbers of every kind.
pub const F: Operand = (Kind::Float, floats);
/// fp32 numbers of every kind except NaN.
pub const NUMBER: Operand = (Kind::Float, numbers);
/// fp32 numbers of moderate size.
pub const TAME: Operand = (Kind::Float, tame);
/// fp64 numbers of every kind except denorms.
pub const D: Operand = (Kind::Double, doubles);
/// fp64 numbers except denorms, NaN and infinities.
pub const FINITE: Operand = (Kind::Double, finite);
/// 64-bit signed integers.
pub const L: Operand = (Kind::Long, longs);
/// 64-bit unsigned integers.
pub const UL: Operand = (Kind::Ulong, longs);

const WORDS: [u32; 26] = [
    0,
    1,
    2,
    3,
    7,
    8,
    31,
    32,
    33,
    0x7F,
    0x80,
    0xFF,
    0x100,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x1_0000,
    0x00FF_FFFF,
    0x0100_0001,
    0x7FFF_FFFF,
    0x8000_0000,
    0x8000_0001,
    0xFFFF_FFFE,
    0xFFFF_FFFF,
    0x5555_5555,
    0xAAAA_AAAA,
];

/// Four results of `one`.
fn four(random: &mut Random, mut one: impl FnMut(&mut Random) -> u32) -> [u32; 4] {
    std::array::from_fn(|_| one(random))
}

/// Two results of `one`, each as a pair of words.
fn two(random: &mut Random, mut one: impl FnMut(&mut Random) -> u64) -> [u32; 4] {
    let [a, b] = std::array::from_fn(|_| one(random));
    [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
}

/// A word that is often an edge case.
pub fn word(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => random.next() as u32,
        1 => (1 << random.below(32)) - random.below(2) as u32,
        _ => *random.pick(&WORDS),
    }
}

fn words(random: &mut Random) -> [u32; 4] {
    four(random, word)
}

/// Divisors: not 0, and not -1, because the least integer divided by -1 overflows.
pub fn divisors(random: &mut Random) -> [u32; 4] {
    four(random, |random| match word(random) {
        0 | u32::MAX => 5,
        other => other,
    })
}

/// Integers from 0 to 2^31 - 1.
pub fn positive(random: &mut Random) -> [u32; 4] {
    words(random).map(|word| word & 0x7FFF_FFFF)
}

/// Integers from 1 to 2^31 - 1.
pub fn positive_divisors(random: &mut Random) -> [u32; 4] {
    positive(random).map(|word| word.max(1))
}

/// Shift counts for words: 0 to 31.
pub fn counts(random: &mut Random) -> [u32; 4] {
    four(random, |random| random.below(32) as u32)
}

/// Shift counts for 64-bit words: 0 to 63.
pub fn long_counts(random: &mut Random) -> [u32; 4] {
    two(random, |random| random.below(64) as u64)
}

/// The length and offset of a bit field that fits into a word.
pub fn fields(random: &mut Random) -> [u32; 4] {
    let offset = random.below(32);
    let bits = random.below(33 - offset);
    [bits as u32, offset as u32, 0, 0]
}

fn floats(random: &mut Random) -> [u32; 4] {
    four(random, |random| random.value().to_bits())
}

fn numbers(random: &mut Random) -> [u32; 4] {
    four(random, |random| {
        let value = random.value();
        if value.is_nan() { 0x4049_0FDB } else { value.to_bits() }
    })
}

fn tame(random: &mut Random) -> [u32; 4] {
    four(random, |random| random.tame_value().to_bits())
}

/// fp32 numbers of moderate size, above 0.
pub fn above_zero(random: &mut Random) -> [u32; 4] {
    four(random, |random| (random.tame_value().abs() + 0.015_625).to_bits())
}

/// fp32 numbers at or next to multiples of a quarter, within 2^31.
pub fn near_whole(random: &mut Random) -> [u32; 4] {
    four(random, |random| {
        let whole = (random.below(1 << 12) as f32 - 2048.0) * [1.0, 0.5, 0.25, 1024.0][random.below(4)];
        let value = if random.chance(3) { f32::from_bits(whole.to_bits().wrapping_add(1)) } else { whole };
        if value.is_finite() && value.abs() >= f32::MIN_POSITIVE { value.to_bits() } else { 0 }
    })
}

/// As [`near_whole`], but not below 0.
pub fn near_whole_positive(random: &mut Random) -> [u32; 4] {
    near_whole(random).map(|bits| bits & 0x7FFF_FFFF)
}

/// Numbers inside and outside the ranges 0 to 1 and -1 to 1, but never halfway between two levels of a
/// format.
pub fn shares(random: &mut Random) -> [u32; 4] {
    four(random, |random| (random.below(4001) as f32 / 1300.0 - 1.0).to_bits())
}

/// Bits of two halves that are not denorms.
pub fn halves(random: &mut Random) -> [u32; 4] {
    let half = |random: &mut Random| {
        let bits = random.next() as u32 & 0xFFFF;
        if bits & 0x7C00 == 0 { bits & 0x8000 } else { bits }
    };
    four(random, |random| half(random) << 16 | half(random))
}

fn double(random: &mut Random) -> f64 {
    const SPECIAL: [f64; 16] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -2.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN_POSITIVE,
        4_503_599_627_370_497.0,
        -9_007_199_254_740_993.0,
        2_147_483_648.0,
        0.1,
        1e-300,
    ];
    match random.below(4) {
        0 => *random.pick(&SPECIAL),
        1 => (random.below(1 << 20) as f64 - 524_288.0) * 0.25,
        2 => f64::from(random.value()),
        _ => (random.next() as f64 / (1u64 << 40) as f64 - 100.0) * 1.000_000_1,
    }
}

/// Never denorms: fp64 keeps them here, because NV_gpu_program5 does not mention flushing, but llvmpipe
/// flushes them.
fn doubles(random: &mut Random) -> [u32; 4] {
    two(random, |random| {
        let value = double(random);
        if value.is_subnormal() { 0 } else { value.to_bits() }
    })
}

fn finite(random: &mut Random) -> [u32; 4] {
    two(random, |random| {
        let value = double(random);
        if value.is_finite() && !value.is_subnormal() { value.to_bits() } else { 0x4009_21FB_5444_2D18 }
    })
}

/// fp64 numbers whose products and quotients are never denorms.
pub fn tame_doubles(random: &mut Random) -> [u32; 4] {
    two(random, |random| ((random.next() as f64 + 1.0) / (1u64 << 44) as f64 - 8.0).to_bits())
}

/// fp64 numbers above 0 whose products and quotients are never denorms.
pub fn tame_doubles_above_zero(random: &mut Random) -> [u32; 4] {
    two(random, |random| ((random.next() as f64 + 1.0) / (1u64 << 44) as f64).to_bits())
}

fn long(random: &mut Random) -> u64 {
    const SPECIAL: [u64; 10] = [
        0,
        1,
        u64::MAX,
        i64::MIN.cast_unsigned(),
        i64::MAX.cast_unsigned(),
        0xFFFF_FFFF,
        0x1_0000_0000,
        0x8000_0000,
        0xFFFF_FFFF_8000_0000,
        0x0020_0000_0000_0001,
    ];
    match random.below(3) {
        0 => u64::from(word(random)) << 32 | u64::from(word(random)),
        1 => random.next() >> random.below(48),
        _ => *random.pick(&SPECIAL),
    }
}

fn longs(random: &mut Random) -> [u32; 4] {
    two(random, long)
}

/// 64-bit divisors: not 0 and not -1.
pub fn long_divisors(random: &mut Random) -> [u32; 4] {
    two(random, |random| match long(random) {
        0 | u64::MAX => 1_000_003,
        other => other,
    })
}
