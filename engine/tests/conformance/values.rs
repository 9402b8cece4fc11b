//! Numbers of conformance files: decimals, fractions, hex bits, specials; and comparing with them.

/// An expected number.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// The nearest fp32.
    pub value: f32,
    /// As written, for tolerances finer than fp32.
    pub precise: f64,
    /// Whether written as hex bits, which makes even a NaN's payload count.
    pub exact_bits: bool,
}

impl Number {
    fn new(precise: f64) -> Self {
        Self { value: precise as f32, precise, exact_bits: false }
    }

    /// Whether `bits` are this number: bitwise without `tolerance` (any NaN for a NaN not given in
    /// hex), else by an absolute difference below it.
    pub fn matches(self, bits: u32, tolerance: Option<f64>) -> bool {
        let got = f32::from_bits(bits);
        if self.value.is_nan() && !self.exact_bits {
            return got.is_nan();
        }
        match tolerance {
            Some(tolerance) if self.precise.is_finite() => (f64::from(got) - self.precise).abs() < tolerance,
            _ => bits == self.value.to_bits(),
        }
    }
}

/// Parses `1.5`, `-0`, `inf`, `NaN`, `1/255`, `2^-14`, `0x3f800000`.
pub fn parse_number(word: &str) -> Result<Number, String> {
    if let Some(hex) = word.strip_prefix("0x") {
        let bits = u32::from_str_radix(hex, 16).map_err(|_| format!("bad bits `{word}`"))?;
        let value = f32::from_bits(bits);
        return Ok(Number { value, precise: f64::from(value), exact_bits: true });
    }
    if let Some((numerator, denominator)) = word.split_once('/') {
        // One rounding in f64 and one to f32 equal a single one: 53 >= 2 * 24 + 2.
        return Ok(Number::new(float(numerator)? / float(denominator)?));
    }
    if word.contains('^') {
        return Ok(Number::new(power_of_two(word)?));
    }
    let value: f32 = match word {
        "NaN" => f32::NAN,
        _ => float(word)? as f32,
    };
    // The decimal itself rounds straight to fp32, not by way of f64.
    let value = word.parse().unwrap_or(value);
    Ok(Number { value, precise: word.parse().unwrap_or(f64::NAN), exact_bits: false })
}

fn float(word: &str) -> Result<f64, String> {
    let plain = word.trim_start_matches(['-', '+']);
    if plain == "inf" || plain.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return word.parse().map_err(|_| format!("bad number `{word}`"));
    }
    Err(format!("bad number `{word}`"))
}

/// `2^-22`, `-2^3`.
fn power_of_two(word: &str) -> Result<f64, String> {
    let (sign, rest) = word.strip_prefix('-').map_or((1.0, word), |rest| (-1.0, rest));
    let exponent: i32 =
        rest.strip_prefix("2^").and_then(|e| e.parse().ok()).ok_or_else(|| format!("bad power `{word}`"))?;
    Ok(sign * 2f64.powi(exponent))
}

/// ` 2^-22 (3.11.5.2)`: the bound; a bound without its clause is refused.
pub fn parse_tolerance(text: &str) -> Result<f64, String> {
    let (bound, clause) = text.trim().split_once(' ').ok_or("a tolerance needs its clause in parentheses")?;
    if !(clause.starts_with('(') && clause.ends_with(')') && clause.len() > 4) {
        return Err("a tolerance needs its clause in parentheses".into());
    }
    power_of_two(bound)
}

/// Tests of this module, run as trials of their own.
pub mod tests {
    use super::*;

    /// Every notation gives the bits it should.
    pub fn numbers_have_the_right_bits() -> Result<(), String> {
        for (word, bits) in [
            ("1", 0x3F80_0000),
            ("-0", 0x8000_0000),
            ("inf", 0x7F80_0000),
            ("-inf", 0xFF80_0000),
            ("0x00000001", 1),
            ("1/255", 0x3B80_8081),
            ("2^-126", 0x0080_0000),
            ("-2^1", 0xC000_0000),
            ("0.1", 0x3DCC_CCCD),
            ("1e-45", 1),
        ] {
            let number = parse_number(word)?;
            if number.value.to_bits() != bits {
                return Err(format!("{word} gave {:08x}", number.value.to_bits()));
            }
        }
        for word in ["", "nan", "x", "0xg", "1/", "^3", "infinity", "--1"] {
            if parse_number(word).is_ok() {
                return Err(format!("accepted `{word}`"));
            }
        }
        Ok(())
    }

    /// Bitwise, NaN and tolerance comparison.
    pub fn comparison_is_bitwise_but_for_nan_and_tolerance() -> Result<(), String> {
        let zero = parse_number("0")?;
        let nan = parse_number("NaN")?;
        let payload = parse_number("0x7fc00001")?;
        let third = parse_number("1/3")?;
        let inf = parse_number("inf")?;
        let good = zero.matches(0, None)
            && !zero.matches(0x8000_0000, None)
            && nan.matches(0xFFC0_1234, None)
            && !nan.matches(0x7F80_0000, None)
            && payload.matches(0x7FC0_0001, None)
            && !payload.matches(0x7FC0_0000, None)
            && third.matches(0x3EAA_AAAA, Some(2f64.powi(-22)))
            && !third.matches(0x3EAA_AA00, Some(2f64.powi(-22)))
            && !third.matches(f32::NAN.to_bits(), Some(1.0))
            && inf.matches(0x7F80_0000, Some(1.0))
            && !inf.matches(0x7F7F_FFFF, Some(1.0));
        if good { Ok(()) } else { Err("a comparison is wrong".into()) }
    }
}
