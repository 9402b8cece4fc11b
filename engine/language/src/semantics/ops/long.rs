//! Selects the component functions of an opcode for the 64-bit types F64, S64 and U64. Every operand is two
//! words, and each word of the result has its own function. The functions themselves are in `wide`.

use super::typed::{Words, evaluate_word};
use super::{Kernel, MAX_INPUTS};
use crate::ir::Type;
use crate::num::{Number, Word};

/// The functions of the low and the high word of a result.
type Halves = [Kernel; 2];

/// The functions for 64-bit integers that correspond to `kernel`.
const fn of_integers(kernel: Kernel, signed: bool) -> Option<Halves> {
    Some(match (kernel, signed) {
        (Kernel::Add, _) => [Kernel::LongAddLow, Kernel::LongAddHigh],
        (Kernel::Sub, _) => [Kernel::LongSubLow, Kernel::LongSubHigh],
        (Kernel::Mul, _) => [Kernel::LongMulLow, Kernel::LongMulHigh],
        (Kernel::Mad, _) => [Kernel::LongMadLow, Kernel::LongMadHigh],
        (Kernel::Negate, _) => [Kernel::LongNegateLow, Kernel::LongNegateHigh],
        (Kernel::Absolute | Kernel::Magnitude, true) => [Kernel::LongMagnitudeLow, Kernel::LongMagnitudeHigh],
        (Kernel::Max, true) => [Kernel::LongMaxSignedLow, Kernel::LongMaxSignedHigh],
        (Kernel::Max, false) => [Kernel::LongMaxUnsignedLow, Kernel::LongMaxUnsignedHigh],
        (Kernel::Min, true) => [Kernel::LongMinSignedLow, Kernel::LongMinSignedHigh],
        (Kernel::Min, false) => [Kernel::LongMinUnsignedLow, Kernel::LongMinUnsignedHigh],
        (Kernel::Div, true) => [Kernel::LongDivSignedLow, Kernel::LongDivSignedHigh],
        (Kernel::Div, false) => [Kernel::LongDivUnsignedLow, Kernel::LongDivUnsignedHigh],
        (Kernel::ModSigned, true) => [Kernel::LongModSignedLow, Kernel::LongModSignedHigh],
        (Kernel::ModSigned, false) => [Kernel::LongModUnsignedLow, Kernel::LongModUnsignedHigh],
        (Kernel::ShiftLeft, _) => [Kernel::LongShiftLeftLow, Kernel::LongShiftLeftHigh],
        (Kernel::ShiftRightSigned, true) => {
            [Kernel::LongShiftRightSignedLow, Kernel::LongShiftRightSignedHigh]
        }
        (Kernel::ShiftRightSigned, false) => {
            [Kernel::LongShiftRightUnsignedLow, Kernel::LongShiftRightUnsignedHigh]
        }
        (Kernel::SadSigned, true) => [Kernel::LongSadSignedLow, Kernel::LongSadSignedHigh],
        (Kernel::SadSigned, false) => [Kernel::LongSadUnsignedLow, Kernel::LongSadUnsignedHigh],
        (Kernel::Compare | Kernel::Choose, true) => [Kernel::LongCmpSignedLow, Kernel::LongCmpSignedHigh],
        (Kernel::Floor, true) => [Kernel::DoubleFloorToSignedLow, Kernel::DoubleFloorToSignedHigh],
        (Kernel::Floor, false) => [Kernel::DoubleFloorToUnsignedLow, Kernel::DoubleFloorToUnsignedHigh],
        (Kernel::Ceil, true) => [Kernel::DoubleCeilToSignedLow, Kernel::DoubleCeilToSignedHigh],
        (Kernel::Ceil, false) => [Kernel::DoubleCeilToUnsignedLow, Kernel::DoubleCeilToUnsignedHigh],
        (Kernel::Round, true) => [Kernel::DoubleRoundToSignedLow, Kernel::DoubleRoundToSignedHigh],
        (Kernel::Round, false) => [Kernel::DoubleRoundToUnsignedLow, Kernel::DoubleRoundToUnsignedHigh],
        (Kernel::Trunc, true) => [Kernel::DoubleTruncToSignedLow, Kernel::DoubleTruncToSignedHigh],
        (Kernel::Trunc, false) => [Kernel::DoubleTruncToUnsignedLow, Kernel::DoubleTruncToUnsignedHigh],
        (Kernel::FloatFromSigned, true) => [Kernel::DoubleFromSignedLow, Kernel::DoubleFromSignedHigh],
        (Kernel::FloatFromSigned, false) => [Kernel::DoubleFromUnsignedLow, Kernel::DoubleFromUnsignedHigh],
        (Kernel::Seq | Kernel::SeqOrNan, _) => [Kernel::LongSeqLow, Kernel::LongSeqHigh],
        (Kernel::Sne | Kernel::SneOrNan, _) => [Kernel::LongSneLow, Kernel::LongSneHigh],
        (Kernel::Slt | Kernel::SltOrNan, true) => [Kernel::LongSltSignedLow, Kernel::LongSltSignedHigh],
        (Kernel::Slt | Kernel::SltOrNan, false) => [Kernel::LongSltUnsignedLow, Kernel::LongSltUnsignedHigh],
        (Kernel::Sle | Kernel::SleOrNan, true) => [Kernel::LongSleSignedLow, Kernel::LongSleSignedHigh],
        (Kernel::Sle | Kernel::SleOrNan, false) => [Kernel::LongSleUnsignedLow, Kernel::LongSleUnsignedHigh],
        (Kernel::Sgt | Kernel::SgtOrNan, true) => [Kernel::LongSgtSignedLow, Kernel::LongSgtSignedHigh],
        (Kernel::Sgt | Kernel::SgtOrNan, false) => [Kernel::LongSgtUnsignedLow, Kernel::LongSgtUnsignedHigh],
        (Kernel::Sge | Kernel::SgeOrNan, true) => [Kernel::LongSgeSignedLow, Kernel::LongSgeSignedHigh],
        (Kernel::Sge | Kernel::SgeOrNan, false) => [Kernel::LongSgeUnsignedLow, Kernel::LongSgeUnsignedHigh],
        _ => return None,
    })
}

/// The functions for F64 that correspond to `kernel`.
const fn of_numbers(kernel: Kernel) -> Option<Halves> {
    Some(match kernel {
        Kernel::Add => [Kernel::DoubleAddLow, Kernel::DoubleAddHigh],
        Kernel::Sub => [Kernel::DoubleSubLow, Kernel::DoubleSubHigh],
        Kernel::Mul => [Kernel::DoubleMulLow, Kernel::DoubleMulHigh],
        Kernel::Mad => [Kernel::DoubleMadLow, Kernel::DoubleMadHigh],
        Kernel::Div => [Kernel::DoubleDivLow, Kernel::DoubleDivHigh],
        Kernel::Rcp => [Kernel::DoubleRcpLow, Kernel::DoubleRcpHigh],
        Kernel::Rsq => [Kernel::DoubleRsqLow, Kernel::DoubleRsqHigh],
        Kernel::Min => [Kernel::DoubleMinLow, Kernel::DoubleMinHigh],
        Kernel::Max => [Kernel::DoubleMaxLow, Kernel::DoubleMaxHigh],
        Kernel::Floor => [Kernel::DoubleFloorLow, Kernel::DoubleFloorHigh],
        Kernel::Ceil => [Kernel::DoubleCeilLow, Kernel::DoubleCeilHigh],
        Kernel::Round => [Kernel::DoubleRoundLow, Kernel::DoubleRoundHigh],
        Kernel::Trunc => [Kernel::DoubleTruncLow, Kernel::DoubleTruncHigh],
        Kernel::Fraction => [Kernel::DoubleFractionLow, Kernel::DoubleFractionHigh],
        Kernel::Magnitude => [Kernel::DoubleMagnitudeLow, Kernel::DoubleMagnitudeHigh],
        Kernel::SetSign => [Kernel::DoubleSetSignLow, Kernel::DoubleSetSignHigh],
        Kernel::Saturate => [Kernel::DoubleSaturateLow, Kernel::DoubleSaturateHigh],
        Kernel::SaturateSigned => [Kernel::DoubleSaturateSignedLow, Kernel::DoubleSaturateSignedHigh],
        Kernel::Compare | Kernel::Choose => [Kernel::DoubleCmpLow, Kernel::DoubleCmpHigh],
        Kernel::Seq | Kernel::SeqOrNan => [Kernel::DoubleSeqLow, Kernel::DoubleSeqHigh],
        Kernel::Sne | Kernel::SneOrNan => [Kernel::DoubleSneLow, Kernel::DoubleSneHigh],
        Kernel::Slt | Kernel::SltOrNan => [Kernel::DoubleSltLow, Kernel::DoubleSltHigh],
        Kernel::Sle | Kernel::SleOrNan => [Kernel::DoubleSleLow, Kernel::DoubleSleHigh],
        Kernel::Sgt | Kernel::SgtOrNan => [Kernel::DoubleSgtLow, Kernel::DoubleSgtHigh],
        Kernel::Sge | Kernel::SgeOrNan => [Kernel::DoubleSgeLow, Kernel::DoubleSgeHigh],
        _ => return None,
    })
}

/// The high word of 1.0; the low word is 0.
const ONE: u32 = 0x3FF0_0000;
const SIGN: u32 = 0x8000_0000;

/// Evaluates a component function in a 64-bit type. A function without a 64-bit counterpart gives 0. No
/// verified program has one.
#[inline(always)]
pub fn evaluate<N: Number>(kernel: Kernel, ty: Type, inputs: &[Words<N>; MAX_INPUTS]) -> Words<N> {
    let word = |bits: u32| N::Bits::of(bits).number();
    let [a, b, c, ..] = *inputs;
    let each = |function: fn(N::Bits, N::Bits) -> N::Bits| {
        let of = |half: usize| function(a[half].bits(), b[half].bits()).number();
        [of(0), of(1)]
    };
    let is_number = !ty.is_integer();
    let sign = |clear: bool, turn: bool| {
        let high = a[1].bits();
        let high = if clear { high & N::Bits::of(!SIGN) } else { high };
        [a[0], if turn { (high ^ N::Bits::of(SIGN)).number() } else { high.number() }]
    };
    match kernel {
        Kernel::Zero | Kernel::Undefined => [word(0); 2],
        // STR.
        Kernel::One if is_number => [word(0), word(ONE)],
        Kernel::One | Kernel::AllOnes => [word(u32::MAX); 2],
        Kernel::Copy | Kernel::Bits => a,
        Kernel::Pack64 => [a[0], b[0]],
        Kernel::Unpack64Low => [a[0], word(0)],
        Kernel::Unpack64High => [a[1], word(0)],
        Kernel::And => each(|a, b| a & b),
        Kernel::Or => each(|a, b| a | b),
        Kernel::Xor => each(|a, b| a ^ b),
        Kernel::Not => each(|a, _| !a),
        Kernel::Negate if is_number => sign(false, true),
        Kernel::Absolute if is_number => sign(true, false),
        Kernel::NegateAbsolute if is_number => sign(true, true),
        // "For unsigned integer operands, the absolute value operation has no effect" (NV_gpu_program4
        // 2.X.4.2).
        Kernel::Absolute | Kernel::Magnitude if ty == Type::U64 => a,
        Kernel::NegateAbsolute => {
            let magnitude = evaluate_halves(of_integers(Kernel::Absolute, true), inputs);
            let value = if ty == Type::U64 { a } else { magnitude };
            evaluate_halves(of_integers(Kernel::Negate, true), &[value; MAX_INPUTS])
        }
        // No unsigned integer is negative.
        Kernel::Compare | Kernel::Choose if ty == Type::U64 => c,
        Kernel::ShiftLeft | Kernel::ShiftRightSigned => {
            // A count with a nonzero high word is out of range.
            let is_small = b[1].bits().bits_eq(N::Bits::of(0));
            let count = N::Bits::select(is_small, b[0].bits(), N::Bits::of(SIGN)).number();
            let halves = of_integers(kernel, ty == Type::S64);
            halves.map_or([word(0); 2], |halves| {
                halves.map(|half| {
                    let mut words = [word(0); MAX_INPUTS];
                    [words[0], words[1], words[2]] = [a[0], a[1], count];
                    evaluate_word(half, Type::U32, &words)
                })
            })
        }
        _ if is_number => evaluate_halves(of_numbers(kernel), inputs),
        _ => evaluate_halves(of_integers(kernel, ty == Type::S64), inputs),
    }
}

/// Evaluates both functions of `halves` on operands of two words.
#[inline(always)]
fn evaluate_halves<N: Number>(halves: Option<Halves>, inputs: &[Words<N>; MAX_INPUTS]) -> Words<N> {
    let zero = N::of(0.0);
    let mut words = [zero; MAX_INPUTS];
    for (pair, input) in words.as_chunks_mut::<2>().0.iter_mut().zip(inputs) {
        *pair = *input;
    }
    halves.map_or([zero; 2], |halves| halves.map(|half| evaluate_word(half, Type::U32, &words)))
}
