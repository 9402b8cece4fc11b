//! Values as text.

use shadestep_engine::ir::{Components, Type, Value, single_bits};
use std::fmt::{Display, LowerExp};

/// What `bits` of type `ty` stand for: of a number the shortest decimal that reads back as the same value, with an
/// exponent (`1e30`) where that would take many zeros, `-0`, `NaN`, `inf`, `-inf`; of an integer all digits, as of what an
/// address register holds.
pub(super) fn decimal(bits: u64, ty: Type) -> String {
    match ty.value(bits) {
        Value::Single(value) if ty == Type::Address && value.is_finite() => format!("{value:.0}"),
        Value::Single(value) => shortest(value, value.into()),
        Value::Double(value) => shortest(value, value),
        Value::Signed(value) => value.to_string(),
        Value::Unsigned(value) => value.to_string(),
    }
}

/// The same of an fp32 value.
pub(super) fn single(value: f32) -> String {
    decimal(value.to_bits().into(), Type::F32)
}

fn shortest(value: impl Display + LowerExp, size: f64) -> String {
    let size = size.abs();
    if size.is_finite() && size != 0.0 && !(1e-5..1e16).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}

/// Four decimals with spaces between.
pub(super) fn decimals(bits: Components, types: [Type; 4]) -> String {
    std::array::from_fn::<_, 4, _>(|c| decimal(bits[c], types[c])).join(" ")
}

/// A colour in decimals and in bits.
pub(super) fn color(color: [f32; 4]) -> String {
    let bits = single_bits(color);
    format!("{} {}", decimals(bits, [Type::F32; 4]), patterns(bits, [Type::F32; 4]))
}

/// The bits in hexadecimal.
pub(super) fn pattern(bits: u64, ty: Type) -> String {
    if ty.is_wide() { format!("{bits:#018x}") } else { format!("{bits:#010x}") }
}

/// Four patterns with spaces between.
pub(super) fn patterns(bits: Components, types: [Type; 4]) -> String {
    std::array::from_fn::<_, 4, _>(|c| pattern(bits[c], types[c])).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_the_shortest_that_read_back() {
        for (value, text) in [
            (0.0_f32, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (0.1, "0.1"),
            (-2.5, "-2.5"),
            (16_777_216.0, "16777216"),
            (1e30, "1e30"),
            (f32::MAX, "3.4028235e38"),
            (f32::MIN_POSITIVE, "1.1754944e-38"),
            (1.0 / 3.0, "0.33333334"),
            (f32::INFINITY, "inf"),
            (f32::NEG_INFINITY, "-inf"),
            (f32::NAN, "NaN"),
        ] {
            assert_eq!(single(value), text);
            if !value.is_nan() {
                assert_eq!(text.parse::<f32>().unwrap().to_bits(), value.to_bits());
            }
        }
        assert_eq!(pattern(1.0_f32.to_bits().into(), Type::F32), "0x3f800000");
        assert_eq!(pattern(0, Type::S32), "0x00000000");
    }

    #[test]
    fn every_type_is_read_as_what_it_is() {
        for (bits, ty, text) in [
            (1.0_f64.to_bits(), Type::F64, "1"),
            ((1.0_f64 / 3.0).to_bits(), Type::F64, "0.3333333333333333"),
            (1e300_f64.to_bits(), Type::F64, "1e300"),
            (0xFFFF_FFFF, Type::S32, "-1"),
            (0xFFFF_FFFF, Type::U32, "4294967295"),
            (u64::MAX, Type::S64, "-1"),
            (u64::MAX, Type::U64, "18446744073709551615"),
            (u64::from(3e9_f32.to_bits()), Type::Address, "3000000000"),
        ] {
            assert_eq!(decimal(bits, ty), text, "{ty:?}");
        }
        assert_eq!(pattern(1, Type::F64), "0x0000000000000001");
    }
}
