//! Formats register values as decimal and hexadecimal text, for the disassembler, the debugger and the CLI.

use super::{Type, Value};

/// `f32` or `f64`.
pub trait Real: Copy + std::fmt::Display + std::fmt::LowerExp + Into<f64> {}

impl Real for f32 {}
impl Real for f64 {}

/// The shortest decimal text that reads back as the same bits. Very small and very large values have an
/// exponent (`1e30`). Special values are `-0`, `NaN`, `inf` and `-inf`.
pub fn float(value: impl Real) -> String {
    let size: f64 = value.into().abs();
    if size.is_finite() && size != 0.0 && !(1e-5..1e16).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}

/// The value of an address register that holds the greatest 32-bit integer, which fp32 cannot represent.
const GREATEST_ADDRESS: f32 = 2_147_483_648.0;

/// The decimal text of `bits` with type `ty`. Floats have the shortest text that reads back exactly; integers
/// and address registers have all digits.
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

/// `bits` of type `ty` in hexadecimal, with 8 or 16 digits.
pub fn pattern(bits: u64, ty: Type) -> String {
    if ty.is_wide() { format!("{bits:#018x}") } else { format!("{bits:#010x}") }
}
