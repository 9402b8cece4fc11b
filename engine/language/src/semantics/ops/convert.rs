//! CVT: conversion of a component between any two formats (NV_gpu_program5 2.X.8). [`crate::num::convert`]
//! has the rounding.

use super::Words;
use crate::ir::{Conversion, Format, Rounding, Saturation, Type};
use crate::num::convert::{Narrowing, double_near_long, double_of_long, half_of_single, single_of_double};
use crate::num::{Double, Number, Word, fp16, fp64, integer, long};

/// The value of an operand component, by its representation.
#[derive(Clone, Copy)]
enum Read<N: Number> {
    /// An integer of at most 32 bits.
    Word(N::Bits, Sign),
    /// An integer of 64 bits.
    Long([N::Bits; 2], Sign),
    /// A float that fp32 represents.
    Single(N),
    /// Any other float.
    Double(<N::Bits as Word>::Double),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Signed,
    Unsigned,
}

impl Sign {
    const fn of(format: Format) -> Self {
        if format.is_signed() { Self::Signed } else { Self::Unsigned }
    }
}

/// Applies `conversion` to a component in its register representation. Clamps by `saturation`, except results
/// of fp32 and fp64, which the caller clamps.
#[inline(always)]
pub fn convert<N: Number>(conversion: Conversion, saturation: Saturation, value: Words<N>) -> Words<N> {
    let Conversion { from, to, rounding } = conversion;
    let read = read::<N>(from, value.map(Number::bits));
    let zero = N::of(0.0);
    match to {
        Format::F16 => [half(read, saturation, rounding).number(), zero],
        Format::F32 => [single(read, Narrowing::To(rounding)), zero],
        Format::F64 => double(read, rounding).words().map(Word::number),
        _ if saturation == Saturation::None => narrowed(to, integer(to, read, rounding)).map(Word::number),
        _ => narrowed(to, clamped(to, read, rounding)).map(Word::number),
    }
}

/// The number of iterations of a LOOP or REP whose count has type `ty` (NV_gpu_program4 2.X.8): the largest
/// integer not above the count, at least 0 and at most the greatest 32-bit integer.
#[inline(always)]
pub fn loop_count<N: Number>(ty: Type, count: Words<N>) -> N::Bits {
    let from = match ty {
        Type::F64 => Format::F64,
        Type::S64 => Format::S64,
        Type::U64 => Format::U64,
        Type::S32 | Type::S24 => Format::S32,
        Type::U32 | Type::U24 => Format::U32,
        Type::F32 | Type::F16 | Type::Fx12 | Type::Address => Format::F32,
    };
    let conversion = Conversion { from, to: Format::U32, rounding: Rounding::Floor };
    let [count, _] = convert(conversion, Saturation::Unsigned, count);
    count.bits()
}

/// Whether a component of type `ty` is negative (KIL).
#[inline(always)]
pub fn is_negative<N: Number>(ty: Type, [low, high]: Words<N>) -> N::Truth {
    let zero = N::Bits::of(0);
    match ty {
        Type::F64 => N::Bits::double([low.bits(), high.bits()]).lt(<N::Bits as Word>::Double::of(0.0)),
        Type::S64 => high.bits().lt_signed(zero),
        Type::S32 | Type::S24 => low.bits().lt_signed(zero),
        // "No component is negative by definition" (NV_fragment_program4 2.X.8, KIL).
        Type::U32 | Type::U24 | Type::U64 => zero.lt_unsigned(zero),
        Type::F32 | Type::F16 | Type::Fx12 | Type::Address => low.flush().lt(N::of(0.0)),
    }
}

/// The number in the low half of a word. Condition codes of an F16 result use this number.
#[inline(always)]
pub fn number_of_half<N: Number>(bits: N) -> N {
    fp16::from_bits(bits.bits() & N::Bits::of(0xFFFF))
}

#[inline(always)]
fn read<N: Number>(format: Format, [low, high]: [N::Bits; 2]) -> Read<N> {
    match format {
        Format::F16 => Read::Single(fp16::from_bits(low & N::Bits::of(0xFFFF))),
        Format::F32 => Read::Single(low.number().flush().canonical()),
        Format::F64 => Read::Double(N::Bits::double([low, high]).canonical()),
        Format::S64 | Format::U64 => Read::Long([low, high], Sign::of(format)),
        _ => Read::Word(narrow(format, low), Sign::of(format)),
    }
}

/// The low bits of a word that an integer format of at most 32 bits has, extended by its sign.
#[inline(always)]
fn narrow<W: Word>(format: Format, word: W) -> W {
    match format {
        Format::S8 => word.shl::<24>().sar::<24>(),
        Format::S16 => word.shl::<16>().sar::<16>(),
        Format::U8 => word & W::of(0xFF),
        Format::U16 => word & W::of(0xFFFF),
        _ => word,
    }
}

/// An integer in its register representation, reduced to the bits of `format`.
#[inline(always)]
fn narrowed<W: Word>(format: Format, [low, high]: [W; 2]) -> [W; 2] {
    if format.bits() == 64 { [low, high] } else { [narrow(format, low), W::of(0)] }
}

fn ends(format: Format) -> [i128; 2] {
    let bits = format.bits();
    if format.is_signed() { [-(1 << (bits - 1)), (1 << (bits - 1)) - 1] } else { [0, (1 << bits) - 1] }
}

fn words<W: Word>(value: i128) -> [W; 2] {
    [W::of(value as u32), W::of((value >> 32) as u32)]
}

/// Rounds the value to an integer and returns its low 64 bits. NaN gives 0, and an infinity the nearest end
/// of `to` (ruling 7 of NV_gpu_program4).
#[inline(always)]
fn integer<N: Number>(to: Format, read: Read<N>, rounding: Rounding) -> [N::Bits; 2] {
    let [least, most] = ends(to);
    match read {
        Read::Word(word, sign) => [word, extension(word, sign)],
        Read::Long(words, _) => words,
        Read::Single(x) if to.bits() <= 32 => {
            [integer::low_bits_rounded(rounding, x, [least as u32, most as u32]), N::Bits::of(0)]
        }
        Read::Single(x) => fp64::low_bits(rounding, fp64::from_single(x), [least as u64, most as u64]),
        Read::Double(x) => fp64::low_bits(rounding, x, [least as u64, most as u64]),
    }
}

/// The high word of a 32-bit integer extended to 64 bits.
#[inline(always)]
fn extension<W: Word>(word: W, sign: Sign) -> W {
    match sign {
        Sign::Signed => word.sar::<31>(),
        Sign::Unsigned => W::of(0),
    }
}

/// Rounds the value to an integer and clamps it to the range of `to`. NaN gives 0.
#[inline(always)]
fn clamped<N: Number>(to: Format, read: Read<N>, rounding: Rounding) -> [N::Bits; 2] {
    let [least, most] = ends(to);
    match read {
        Read::Word(word, Sign::Signed) => {
            let [low, high] = [least.max(i32::MIN.into()), most.min(i32::MAX.into())];
            let word = word.max_signed(N::Bits::of(low as u32)).min_signed(N::Bits::of(high as u32));
            [word, extension(word, Sign::Signed)]
        }
        Read::Word(word, Sign::Unsigned) => {
            [word.min_unsigned(N::Bits::of(most.min(u32::MAX.into()) as u32)), N::Bits::of(0)]
        }
        Read::Long(value, Sign::Signed) => {
            let [low, high] = [least.max(i64::MIN.into()), most.min(i64::MAX.into())].map(words);
            long::min::<_, true>(long::max::<_, true>(value, low), high)
        }
        Read::Long(value, Sign::Unsigned) => long::min::<_, false>(value, words(most.min(u64::MAX.into()))),
        Read::Single(x) if to.bits() <= 32 => {
            let whole = integer::whole(rounding, x);
            let number = integer::low_bits(whole, [0, 0]);
            // The successor of the greatest integer is a power of two.
            let is_most = N::of((most + 1) as f32).le(whole);
            let is_least = whole.le(N::of(least as f32));
            let number = N::Bits::select(is_most, N::Bits::of(most as u32), number);
            [N::Bits::select(is_least, N::Bits::of(least as u32), number), N::Bits::of(0)]
        }
        Read::Single(x) => clamped_double::<N>(to, fp64::from_single(x), rounding),
        Read::Double(x) => clamped_double::<N>(to, x, rounding),
    }
}

#[inline(always)]
fn clamped_double<N: Number>(to: Format, x: <N::Bits as Word>::Double, rounding: Rounding) -> [N::Bits; 2] {
    let of = <<N::Bits as Word>::Double as Double>::of;
    let [least, most] = ends(to);
    let number = fp64::low_bits(rounding, x, [0, 0]);
    let whole = fp64::whole(rounding, x);
    let number = long::select(of((most + 1) as f64).le(whole), words(most), number);
    long::select(whole.le(of(least as f64)), words(least), number)
}

/// The value rounded to fp32.
#[inline(always)]
fn single<N: Number>(read: Read<N>, narrowing: Narrowing) -> N {
    match (read, narrowing) {
        (Read::Word(word, Sign::Signed), Narrowing::To(Rounding::Round)) => word.to_float(),
        (Read::Word(word, Sign::Unsigned), Narrowing::To(Rounding::Round)) => word.to_float_unsigned(),
        (Read::Word(word, Sign::Signed), _) => single_of_double(narrowing, fp64::from_signed(word)),
        (Read::Word(word, Sign::Unsigned), _) => single_of_double(narrowing, fp64::from_unsigned(word)),
        (Read::Long(value, Sign::Signed), _) => {
            single_of_double(narrowing, double_near_long::<_, true>(value))
        }
        (Read::Long(value, Sign::Unsigned), _) => {
            single_of_double(narrowing, double_near_long::<_, false>(value))
        }
        (Read::Single(x), _) => x,
        (Read::Double(x), _) => single_of_double(narrowing, x),
    }
}

/// The value rounded to fp64.
#[inline(always)]
fn double<N: Number>(read: Read<N>, rounding: Rounding) -> <N::Bits as Word>::Double {
    match read {
        Read::Word(word, Sign::Signed) => fp64::from_signed(word),
        Read::Word(word, Sign::Unsigned) => fp64::from_unsigned(word),
        Read::Long(value, Sign::Signed) => double_of_long::<_, true>(rounding, value),
        Read::Long(value, Sign::Unsigned) => double_of_long::<_, false>(rounding, value),
        Read::Single(x) => fp64::from_single(x),
        Read::Double(x) => x,
    }
}

/// The bits of the value clamped and rounded to fp16.
#[inline(always)]
fn half<N: Number>(read: Read<N>, saturation: Saturation, rounding: Rounding) -> N::Bits {
    let number = single(read, Narrowing::Odd);
    let number = match saturation {
        Saturation::None => number,
        Saturation::Unsigned => super::saturate::<super::Single, N>(number),
        Saturation::Signed => super::saturate_signed::<super::Single, N>(number),
    };
    half_of_single(rounding, number)
}
