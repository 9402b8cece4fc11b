//! CVT (NV_gpu_program5 2.X.8) between every two formats, compared with exact arithmetic.

use proptest::prelude::*;
use shadestep_language::ir::{Conversion, Format, Rounding, Saturation, Type};
use shadestep_language::semantics::ops::{convert, is_negative, loop_count};

const ROUNDINGS: [Rounding; 4] = [Rounding::Round, Rounding::Ceil, Rounding::Floor, Rounding::Trunc];

/// The exact value of a component.
#[derive(Clone, Copy, Debug)]
enum Value {
    Integer(i128),
    /// fp64 represents every number of the three float formats.
    Number(f64),
}

fn words(bits: u64) -> [f32; 2] {
    [f32::from_bits(bits as u32), f32::from_bits((bits >> 32) as u32)]
}

fn bits([low, high]: [f32; 2]) -> u64 {
    u64::from(low.to_bits()) | u64::from(high.to_bits()) << 32
}

/// Flushes denorms to zero, because fp32 has none here.
fn flushed(x: f32) -> f32 {
    if x.abs() < f32::MIN_POSITIVE { 0.0_f32.copysign(x) } else { x }
}

fn read(format: Format, bits: u64) -> Value {
    match format {
        Format::F16 => Value::Number(half::f16::from_bits(bits as u16).to_f64()),
        Format::F32 => Value::Number(flushed(f32::from_bits(bits as u32)).into()),
        Format::F64 => Value::Number(f64::from_bits(bits)),
        Format::S8 => Value::Integer((bits as i8).into()),
        Format::S16 => Value::Integer((bits as i16).into()),
        Format::S32 => Value::Integer((bits as i32).into()),
        Format::S64 => Value::Integer((bits as i64).into()),
        Format::U8 => Value::Integer((bits as u8).into()),
        Format::U16 => Value::Integer((bits as u16).into()),
        Format::U32 => Value::Integer((bits as u32).into()),
        Format::U64 => Value::Integer(bits.into()),
    }
}

/// Returns the register bits of an integer. Signed formats below 32 bits are sign-extended.
fn written(format: Format, value: i128) -> u64 {
    match format {
        Format::S8 => (value as i8 as u32).into(),
        Format::S16 => (value as i16 as u32).into(),
        Format::U8 => (value as u8).into(),
        Format::U16 => (value as u16).into(),
        Format::S32 | Format::U32 => (value as u32).into(),
        _ => value as u64,
    }
}

fn ends(format: Format) -> (i128, i128) {
    let bits = format.bits();
    if format.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

/// Returns the integer that CVT must give. Ruling 7 defines the result for NaN and infinity.
fn integer(to: Format, rounding: Rounding, saturation: Saturation, value: Value) -> u64 {
    let (least, most) = ends(to);
    let whole = match value {
        Value::Integer(integer) => integer,
        Value::Number(x) if x.is_nan() => 0,
        Value::Number(x) if x.is_infinite() => return written(to, if x > 0.0 { most } else { least }),
        Value::Number(x) => {
            let whole = match rounding {
                Rounding::Round => x.round_ties_even(),
                Rounding::Ceil => x.ceil(),
                Rounding::Floor => x.floor(),
                Rounding::Trunc => x.trunc(),
            };
            // An integer of this size has zeros in its low 64 bits.
            if whole.abs() >= 2.0_f64.powi(120) {
                if saturation == Saturation::None {
                    return 0;
                }
                return written(to, if whole > 0.0 { most } else { least });
            }
            whole as i128
        }
    };
    written(to, if saturation == Saturation::None { whole } else { whole.clamp(least, most) })
}

/// Compares `value` with `x` exactly.
fn order(value: Value, x: f64) -> std::cmp::Ordering {
    match value {
        Value::Number(number) => number.partial_cmp(&x).expect("numbers"),
        Value::Integer(_) if x.is_infinite() => 0.0.partial_cmp(&x).expect("numbers"),
        // The whole parts decide first, then the fraction.
        Value::Integer(integer) => {
            integer.cmp(&(x as i128)).then(0.0.partial_cmp(&x.fract()).expect("numbers"))
        }
    }
}

/// Checks that `found` is `value` rounded. `below` and `above` are the neighbours of `found` in the format.
fn is_rounded(rounding: Rounding, value: Value, [below, found, above]: [f64; 3], is_even: bool) -> bool {
    let at_most = |x: f64| order(value, x).is_le();
    let at_least = |x: f64| order(value, x).is_ge();
    let is_negative = order(value, 0.0).is_lt();
    match rounding {
        Rounding::Ceil => at_most(found) && !at_most(below),
        Rounding::Floor => at_least(found) && !at_least(above),
        Rounding::Trunc if is_negative => at_most(found) && !at_most(below),
        Rounding::Trunc => at_least(found) && !at_least(above),
        Rounding::Round => {
            let (low, high) = (middle(below, found), middle(found, above));
            if is_even { at_least(low) && at_most(high) } else { !at_most(low) && !at_least(high) }
        }
    }
}

/// Returns the midpoint of two neighbours. Beyond the largest finite number the step is as large as the last
/// step below.
fn middle(low: f64, high: f64) -> f64 {
    if low == f64::NEG_INFINITY || high == f64::INFINITY {
        let (finite, step) = if low == f64::NEG_INFINITY { (high, -1.0) } else { (low, 1.0) };
        let places = if finite.abs() == 65504.0 { 16.0 } else { 2.0_f64.powi(103) };
        return finite + step * places;
    }
    f64::midpoint(low, high)
}

fn any_bits() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        any::<u32>().prop_map(u64::from),
        (0..64_u32, -2..=2_i64).prop_map(|(bit, by)| (1_u64 << bit).wrapping_add_signed(by)),
        (-3.0e10..3.0e10_f32).prop_map(|x| x.to_bits().into()),
        (-70000.0..70000.0_f32).prop_map(|x| x.to_bits().into()),
        (-2000..2000_i32).prop_map(|n| (n as f32 / 4.0).to_bits().into()),
        (-1.0e20..1.0e20_f64).prop_map(f64::to_bits),
        (-300.0..300.0_f64).prop_map(f64::to_bits),
        prop_oneof![
            Just(f32::NAN),
            Just(f32::INFINITY),
            Just(f32::NEG_INFINITY),
            Just(-0.0_f32),
            Just(f32::MAX),
            Just(f32::MIN_POSITIVE),
        ]
        .prop_map(|x| x.to_bits().into()),
        prop_oneof![
            Just(f64::NAN),
            Just(f64::INFINITY),
            Just(f64::NEG_INFINITY),
            Just(f64::MAX),
            Just(1e-300)
        ]
        .prop_map(f64::to_bits),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn integers_are_exact(source in any_bits()) {
        for from in Format::ALL {
            for to in Format::ALL.into_iter().filter(|to| to.is_integer()) {
                for rounding in ROUNDINGS {
                    for saturation in [Saturation::None, Saturation::Unsigned] {
                        let conversion = Conversion { from, to, rounding };
                        let found = bits(convert(conversion, saturation, words(source)));
                        let expected = integer(to, rounding, saturation, read(from, source));
                        prop_assert_eq!(found, expected, "{:?} {:?} of {:#X}", conversion, saturation, source);
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_are_rounded_as_asked(source in any_bits()) {
        for from in Format::ALL {
            let value = read(from, source);
            for to in [Format::F16, Format::F32, Format::F64] {
                for rounding in ROUNDINGS {
                    let conversion = Conversion { from, to, rounding };
                    let found = bits(convert(conversion, Saturation::None, words(source)));
                    let told = format!("{conversion:?} of {source:#X}, {value:?}: {found:#X}");
                    check_number(to, rounding, value, found, &told)?;
                }
            }
        }
    }

    #[test]
    fn counts_of_loops_are_floors(source in any_bits()) {
        for (ty, format) in [
            (Type::F32, Format::F32),
            (Type::F64, Format::F64),
            (Type::S32, Format::S32),
            (Type::U32, Format::U32),
            (Type::S64, Format::S64),
            (Type::U64, Format::U64),
        ] {
            let value = read(format, source);
            let expected = integer(Format::U32, Rounding::Floor, Saturation::Unsigned, value);
            prop_assert_eq!(u64::from(loop_count(ty, words(source))), expected, "{:?} of {:#X}", ty, source);
            let below = match value {
                Value::Integer(integer) => integer < 0,
                Value::Number(x) => x < 0.0,
            };
            prop_assert_eq!(is_negative(ty, words(source)), below, "{:?} of {:#X}", ty, source);
        }
    }
}

fn check_number(
    to: Format,
    rounding: Rounding,
    value: Value,
    found: u64,
    told: &str,
) -> Result<(), TestCaseError> {
    // The number between its neighbours, and whether its last bit is even.
    let (neighbours, is_even) = match to {
        Format::F16 => {
            prop_assert!(found < 0x1_0000, "{told}");
            let key = |bits: u64| if bits & 0x8000 == 0 { bits as i64 } else { -((bits & 0x7FFF) as i64) };
            let number = |key: i64| match key {
                0x7C01.. => f64::INFINITY,
                i64::MIN..=-0x7C01 => f64::NEG_INFINITY,
                _ => half::f16::from_bits(key.unsigned_abs() as u16).to_f64() * key.signum() as f64,
            };
            if found & 0x7FFF > 0x7C00 {
                ([f64::NAN; 3], true)
            } else {
                ([-1, 0, 1].map(|by| number(key(found) + by)), found.is_multiple_of(2))
            }
        }
        Format::F32 => {
            prop_assert!(found < 1 << 32, "{told}");
            let x = f32::from_bits(found as u32);
            ([x.next_down(), x, x.next_up()].map(f64::from), found.is_multiple_of(2))
        }
        _ => {
            let x = f64::from_bits(found);
            ([x.next_down(), x, x.next_up()], found.is_multiple_of(2))
        }
    };
    let x = neighbours[1];
    match value {
        Value::Number(value) if value.is_nan() => prop_assert!(x.is_nan(), "{told}"),
        Value::Number(value) if value.is_infinite() => prop_assert_eq!(x, value, "{}", told),
        Value::Number(value) if to == Format::F64 => prop_assert_eq!(x, value, "{}", told),
        // fp64 represents every integer of 53 bits and every number. For larger integers the processor's
        // rounding is the reference.
        Value::Integer(integer) if to == Format::F64 && rounding == Rounding::Round => {
            prop_assert_eq!(x, integer as f64, "{}", told);
        }
        Value::Number(value) if to == Format::F32 && value.abs() < f64::from(f32::MIN_POSITIVE) => {
            // Rounded to 24 bits the number may be the smallest normal number. Otherwise the result is zero.
            prop_assert!(x == 0.0 || x.abs() == f64::from(f32::MIN_POSITIVE), "{told}");
        }
        value => prop_assert!(is_rounded(rounding, value, neighbours, is_even), "{told}"),
    }
    Ok(())
}
