//! fp32 values as text.

/// The shortest decimal that reads back as the same fp32 value; `-0`, `NaN`, `inf`, `-inf`. Values that
/// would take many zeros have an exponent: `1e30`.
pub(super) fn decimal(bits: u32) -> String {
    let value = f32::from_bits(bits);
    let magnitude = value.abs();
    if magnitude.is_finite() && magnitude != 0.0 && !(1e-5..1e16).contains(&magnitude) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}

/// What an address register holds: a whole number, in digits however large.
pub(super) fn whole(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_finite() { format!("{value:.0}") } else { decimal(bits) }
}

/// Four decimals with spaces between.
pub(super) fn decimals(bits: [u32; 4]) -> String {
    bits.map(decimal).join(" ")
}

/// The fp32 pattern in hexadecimal.
pub(super) fn pattern(bits: u32) -> String {
    format!("{bits:#010x}")
}

/// Four patterns with spaces between.
pub(super) fn patterns(bits: [u32; 4]) -> String {
    bits.map(pattern).join(" ")
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
            assert_eq!(decimal(value.to_bits()), text);
            if !value.is_nan() {
                assert_eq!(text.parse::<f32>().unwrap().to_bits(), value.to_bits());
            }
        }
        assert_eq!(pattern(1.0_f32.to_bits()), "0x3f800000");
        assert_eq!(pattern(0), "0x00000000");
    }
}
