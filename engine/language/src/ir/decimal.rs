//! Values as people read them. Shortest exact means: the fewest digits that read back as the same value.

use super::{Type, Value};

/// A number of either size.
pub trait Real: Copy + std::fmt::Display + std::fmt::LowerExp + Into<f64> {}

impl Real for f32 {}
impl Real for f64 {}

/// `value` in the fewest digits that read back as the same bits, with an exponent (`1e30`) where that would take many
/// zeros; `-0`, `NaN`, `inf`, `-inf`.
pub fn float(value: impl Real) -> String {
    let size: f64 = value.into().abs();
    if size.is_finite() && size != 0.0 && !(1e-5..1e16).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}

/// What address registers hold for the greatest integer of 32 bits, which fp32 does not have.
const GREATEST_ADDRESS: f32 = 2_147_483_648.0;

/// What `bits` of type `ty` stand for: of a number the shortest exact decimal, of an integer all digits, as of what an
/// address register holds.
pub fn decimal(bits: u64, ty: Type) -> String {
    match ty.value(bits) {
        Value::Single(GREATEST_ADDRESS) if ty == Type::Address => i32::MAX.to_string(),
        Value::Single(value) if ty == Type::Address && value.is_finite() => format!("{value:.0}"),
        Value::Single(value) => float(value),
        Value::Double(value) => float(value),
        Value::Signed(value) => value.to_string(),
        Value::Unsigned(value) => value.to_string(),
    }
}

/// `bits` of type `ty` in hexadecimal.
pub fn pattern(bits: u64, ty: Type) -> String {
    if ty.is_wide() { format!("{bits:#018x}") } else { format!("{bits:#010x}") }
}
