//! Condition codes: which flags a result sets (NV_gpu_program4 2.X.4.3) and which tests the flags pass (Table
//! X.16). Both executors use these functions. The flags of sums and differences of integers are in `sum`.

use shadestep_language::ir::{Condition, Flags, Type};
use shadestep_language::num::{Double, Number, Word};
use shadestep_language::semantics::ops::Words;

const SIGN: u32 = Flags::SIGN as u32;
const ZERO: u32 = Flags::ZERO as u32;
const CARRY: u32 = Flags::CARRY as u32;
const OVERFLOW: u32 = Flags::OVERFLOW as u32;
const SIGN_AND_ZERO: u32 = SIGN | ZERO;

/// The flags that an fp32 result sets (NV_gpu_program4 2.X.4.3). A denorm counts as zero; only moves give
/// denorms.
#[inline(always)]
pub fn flags<N: Number>(result: N) -> N::Bits {
    let (zero, none) = (N::of(0.0), N::Bits::of(0));
    let result = result.flush();
    let sign = Word::select(!zero.le(result), N::Bits::of(SIGN), none);
    let is_zero = result.eq(zero) | result.unordered(result);
    sign | Word::select(is_zero, N::Bits::of(ZERO), none)
}

/// The flags that an integer result sets (NV_gpu_program4 2.X.4.3).
#[inline(always)]
pub fn integer_flags<W: Word>(result: W) -> W {
    let is_zero = W::select(result.bits_eq(W::of(0)), W::of(ZERO), W::of(0));
    result.shr::<31>() | is_zero
}

/// The flags that a result of type `ty` sets.
#[inline(always)]
pub fn typed_flags<N: Number>(result: Words<N>, ty: Type) -> N::Bits {
    let [low, high] = result.map(Number::bits);
    match ty {
        Type::F64 => {
            let (result, zero) = (N::Bits::double([low, high]), <N::Bits as Word>::Double::of(0.0));
            let sign = N::Bits::select(!zero.le(result), N::Bits::of(SIGN), N::Bits::of(0));
            let is_zero = result.eq(zero) | result.is_nan();
            sign | N::Bits::select(is_zero, N::Bits::of(ZERO), N::Bits::of(0))
        }
        Type::S64 | Type::U64 => {
            // The zero flag needs both words, the sign flag the high word.
            (integer_flags(low | high) & N::Bits::of(ZERO)) | high.shr::<31>()
        }
        _ if ty.is_integer() => integer_flags(low),
        _ => flags(result[0]),
    }
}

/// Whether flags pass a test (Table X.16 of NV_gpu_program4).
#[inline(always)]
pub fn passes<W: Word>(condition: Condition, flags: W) -> W::Truth {
    let none = W::of(0);
    // Each flag shifted to the position of the sign flag.
    let (zero, overflow) = (flags.shr::<1>(), flags.shr::<2>());
    let sign = |bits: W| bits & W::of(SIGN);
    match condition {
        Condition::Eq => (flags & W::of(SIGN_AND_ZERO)).bits_eq(W::of(ZERO)),
        Condition::Ge => sign(flags ^ overflow).bits_eq(none),
        Condition::Gt => sign((flags ^ overflow) | zero).bits_eq(none),
        Condition::Le => !sign(flags ^ (zero | overflow)).bits_eq(none),
        Condition::Lt => !sign((flags & !zero) ^ overflow).bits_eq(none),
        Condition::Ne => !(flags & W::of(SIGN_AND_ZERO)).bits_eq(W::of(ZERO)),
        Condition::Tr => none.bits_eq(none),
        Condition::Fl => !none.bits_eq(none),
        Condition::Nan => (flags & W::of(SIGN_AND_ZERO)).bits_eq(W::of(SIGN_AND_ZERO)),
        Condition::Leg => !(flags & W::of(SIGN_AND_ZERO)).bits_eq(W::of(SIGN_AND_ZERO)),
        Condition::Cf => !(flags & W::of(CARRY)).bits_eq(none),
        Condition::Ncf => (flags & W::of(CARRY)).bits_eq(none),
        Condition::Of => !(flags & W::of(OVERFLOW)).bits_eq(none),
        Condition::Nof => (flags & W::of(OVERFLOW)).bits_eq(none),
        Condition::Ab => (flags & W::of(CARRY | ZERO)).bits_eq(W::of(CARRY)),
        Condition::Ble => !(flags & W::of(CARRY | ZERO)).bits_eq(W::of(CARRY)),
        Condition::Sf => !sign(flags).bits_eq(none),
        Condition::Nsf => sign(flags).bits_eq(none),
    }
}

/// Whether the flags of a number pass a test, computed without the flags. A number clears carry and overflow.
macro_rules! number_passes {
    ($condition:expr, $result:expr, $zero:expr) => {
        match $condition {
            Condition::Eq => $result.eq($zero),
            Condition::Ge | Condition::Nsf => $zero.le($result),
            Condition::Gt => $zero.lt($result),
            Condition::Le => $result.le($zero),
            Condition::Lt => $result.lt($zero),
            Condition::Ne => !$result.eq($zero),
            Condition::Nan => $result.is_nan(),
            Condition::Leg => !$result.is_nan(),
            Condition::Sf => !$zero.le($result),
            Condition::Tr | Condition::Ncf | Condition::Nof | Condition::Ble => $zero.eq($zero),
            Condition::Fl | Condition::Cf | Condition::Of | Condition::Ab => !$zero.eq($zero),
        }
    };
}

/// Whether the flags that an fp32 result sets pass a test: [`passes`] of [`flags`].
#[inline(always)]
pub fn result_passes<N: Number>(condition: Condition, result: N) -> N::Truth {
    let (result, zero) = (result.flush(), N::of(0.0));
    number_passes!(condition, result, zero)
}

/// Whether the flags that an fp64 result sets pass a test: [`passes`] of [`typed_flags`].
#[inline(always)]
pub fn wide_result_passes<D: Double>(condition: Condition, result: D) -> D::Truth {
    let zero = D::of(0.0);
    number_passes!(condition, result, zero)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_tests_of_numbers_are_those_of_nv_fragment_program() {
        let tiny = f32::from_bits(1);
        for (value, code_made, passing) in [
            (f32::NAN, Flags::UN, "NE TR NAN NCF NOF BLE SF"),
            (-f32::NAN, Flags::UN, "NE TR NAN NCF NOF BLE SF"),
            (-1.0, Flags::LT, "LE LT NE TR LEG NCF NOF BLE SF"),
            (f32::NEG_INFINITY, Flags::LT, "LE LT NE TR LEG NCF NOF BLE SF"),
            (0.0, Flags::EQ, "EQ GE LE TR LEG NCF NOF BLE NSF"),
            (-0.0, Flags::EQ, "EQ GE LE TR LEG NCF NOF BLE NSF"),
            (tiny, Flags::EQ, "EQ GE LE TR LEG NCF NOF BLE NSF"),
            (f32::INFINITY, Flags::GT, "GE GT NE TR LEG NCF NOF BLE NSF"),
        ] {
            let flags = flags(value);
            assert_eq!(Flags(flags as u8), code_made, "{value}");
            let told = |passes: &dyn Fn(Condition) -> bool| {
                let names = Condition::ALL.into_iter().filter(|&c| passes(c)).map(Condition::name);
                names.collect::<Vec<_>>().join(" ")
            };
            assert_eq!(told(&|condition| passes(condition, flags)), passing, "{value}");
            assert_eq!(told(&|condition| result_passes(condition, value)), passing, "{value}");
            if !value.is_subnormal() {
                let wide = f64::from(value);
                let flags = typed_flags(Double::words(wide).map(f32::from_bits), Type::F64);
                assert_eq!(Flags(flags as u8), code_made, "{value} of 64 bits");
                assert_eq!(
                    told(&|condition| wide_result_passes(condition, wide)),
                    passing,
                    "{value} of 64 bits"
                );
            }
        }
    }

    #[test]
    fn tests_of_flags_are_those_of_table_x_16() {
        for bits in 0..16 {
            let flag = |flag: u8| bits & u32::from(flag) != 0;
            let (sf, zf, of) = (flag(Flags::SIGN), flag(Flags::ZERO), flag(Flags::OVERFLOW));
            let cf = flag(Flags::CARRY);
            for (condition, expected) in [
                (Condition::Eq, !sf && zf),
                (Condition::Ge, !(sf ^ of)),
                (Condition::Gt, (!sf ^ of) && !zf),
                (Condition::Le, sf ^ (zf || of)),
                (Condition::Lt, (sf && !zf) ^ of),
                (Condition::Ne, sf || !zf),
                (Condition::Tr, true),
                (Condition::Fl, false),
                (Condition::Nan, sf && zf),
                (Condition::Leg, !sf || !zf),
                (Condition::Cf, cf),
                (Condition::Ncf, !cf),
                (Condition::Of, of),
                (Condition::Nof, !of),
                (Condition::Ab, cf && !zf),
                (Condition::Ble, !cf || zf),
                (Condition::Sf, sf),
                (Condition::Nsf, !sf),
            ] {
                assert_eq!(passes(condition, bits), expected, "{condition:?} {bits:04b}");
            }
        }
    }
}
