//! Numbers of conformance files: decimals, fractions, powers of two, hex bits and special values. Numbers
//! have the types that registers have. This module parses and compares them.

use shadestep_engine::ir::Type;

/// A number, as the bits of a register component.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// The nearest value of the number's type. Types of 32 bits use the low half.
    pub bits: u64,
    pub ty: Type,
    /// The exact value as written, for tolerances finer than fp32. NaN for integers.
    precise: f64,
    /// True if written as hex bits. A NaN must then match bit by bit.
    exact_bits: bool,
}

impl Number {
    /// Returns true if `bits` match this number. Without a `tolerance` the bits must be equal, but any NaN
    /// matches a NaN not written in hex. With a `tolerance` the absolute difference must be less.
    pub fn matches(self, bits: u64, tolerance: Option<f64>) -> bool {
        if is_nan(self.ty, self.bits) && !self.exact_bits {
            return is_nan(self.ty, bits);
        }
        match (tolerance, value(self.ty, bits)) {
            (Some(tolerance), Some(got)) if self.precise.is_finite() => {
                (got - self.precise).abs() < tolerance
            }
            _ => bits == self.bits,
        }
    }

    /// The value as text, for messages.
    pub fn describe(self) -> String {
        describe(self.ty, self.bits)
    }
}

/// The value of `bits` of type `ty` as text, for messages.
pub fn describe(ty: Type, bits: u64) -> String {
    match ty {
        Type::F64 => format!("{:?} ({bits:016x})", f64::from_bits(bits)),
        Type::S64 => format!("{} ({bits:016x})", bits.cast_signed()),
        Type::U64 => format!("{bits} ({bits:016x})"),
        Type::S32 => format!("{} ({bits:08x})", (bits as u32).cast_signed()),
        Type::U32 => format!("{bits} ({bits:08x})"),
        _ => format!("{:?} ({bits:08x})", f32::from_bits(bits as u32)),
    }
}

/// The value of floating-point `bits`, if a register of type `ty` can hold them.
fn value(ty: Type, bits: u64) -> Option<f64> {
    match ty {
        Type::F64 => Some(f64::from_bits(bits)),
        Type::F32 => u32::try_from(bits).ok().map(|bits| f64::from(f32::from_bits(bits))),
        _ => None,
    }
}

fn is_nan(ty: Type, bits: u64) -> bool {
    value(ty, bits).is_some_and(f64::is_nan)
}

/// The words that set the type of the numbers after them.
const TYPES: [(&str, Type); 6] = [
    ("F:", Type::F32),
    ("S:", Type::S32),
    ("U:", Type::U32),
    ("F64:", Type::F64),
    ("S64:", Type::S64),
    ("U64:", Type::U64),
];

/// Parses the numbers of a line, with `None` for `_`. Numbers have type fp32 until a word sets another type:
/// `S: -5 7 F: 0.5 _`.
pub fn parse_numbers(text: &str) -> Result<Vec<Option<Number>>, String> {
    parse_numbers_from(&mut { Type::F32 }, text)
}

/// Like [`parse_numbers`], beginning with type `ty`. A word in `text` changes `ty` for the next call too.
pub fn parse_numbers_from(ty: &mut Type, text: &str) -> Result<Vec<Option<Number>>, String> {
    let mut numbers = Vec::new();
    for word in text.split_whitespace() {
        match TYPES.iter().find(|(name, _)| *name == word) {
            Some((_, of)) => *ty = *of,
            None if word == "_" => numbers.push(None),
            None => numbers.push(Some(parse_number(word, *ty)?)),
        }
    }
    Ok(numbers)
}

/// Parses a register's four components: four numbers of 32 bits, four of 64 bits, or numbers that make four
/// words of 32 bits. A 64-bit number gives two words, the low half first.
pub fn parse_components(text: &str) -> Result<[u64; 4], String> {
    let numbers: Vec<Number> = parse_numbers(text)?.into_iter().collect::<Option<_>>().ok_or("no value")?;
    let all_wide = numbers.iter().all(|number| number.ty.is_wide());
    let words = numbers.iter().flat_map(|number| {
        let high = (number.ty.is_wide() && !(all_wide && numbers.len() == 4)).then_some(number.bits >> 32);
        let low = if high.is_some() { number.bits & u64::from(u32::MAX) } else { number.bits };
        std::iter::once(low).chain(high)
    });
    words.collect::<Vec<_>>().try_into().map_err(|_| "four components expected".into())
}

/// Parses a number of type `ty`: `1.5`, `-0`, `inf`, `NaN`, `1/255`, `2^-14` or `0x3f800000`.
pub fn parse_number(word: &str, ty: Type) -> Result<Number, String> {
    if let Some(hex) = word.strip_prefix("0x") {
        let bits = u64::from_str_radix(hex, 16).map_err(|_| format!("bad bits `{word}`"))?;
        if !ty.is_wide() && u32::try_from(bits).is_err() {
            return Err(format!("`{word}` has more than 32 bits"));
        }
        let precise = value(ty, bits).unwrap_or(f64::NAN);
        return Ok(Number { bits, ty, precise, exact_bits: true });
    }
    if ty.is_integer() {
        return integer(word, ty);
    }
    let precise = if let Some((numerator, denominator)) = word.split_once('/') {
        // Rounding to f64 and then to fp32 equals a single rounding, because 53 >= 2 * 24 + 2.
        float(numerator)? / float(denominator)?
    } else if word.contains('^') {
        power_of_two(word)?
    } else if word == "NaN" {
        f64::NAN
    } else {
        float(word)?
    };
    let bits = match ty {
        Type::F64 => precise.to_bits(),
        // A decimal rounds directly to fp32, not through f64.
        _ => u64::from(word.parse().unwrap_or(precise as f32).to_bits()),
    };
    Ok(Number { bits, ty, precise, exact_bits: false })
}

/// Parses an integer: `-5`, `4000000000`, `2^63` or `-2^31`.
fn integer(word: &str, ty: Type) -> Result<Number, String> {
    let bad = || format!("`{word}` is no number of {ty:?}");
    let (sign, digits) = word.strip_prefix('-').map_or((1, word), |digits| (-1, digits));
    let size = match digits.strip_prefix("2^") {
        Some(exponent) => exponent.parse().ok().and_then(|exponent| 1i128.checked_shl(exponent)),
        None => digits.parse().ok(),
    };
    let value = size.and_then(|size: i128| size.checked_mul(sign)).ok_or_else(bad)?;
    let bits = match ty {
        Type::S32 => i32::try_from(value).map(|value| u64::from(value.cast_unsigned())),
        Type::U32 => u32::try_from(value).map(u64::from),
        Type::S64 => i64::try_from(value).map(i64::cast_unsigned),
        _ => u64::try_from(value),
    };
    Ok(Number { bits: bits.map_err(|_| bad())?, ty, precise: f64::NAN, exact_bits: true })
}

fn float(word: &str) -> Result<f64, String> {
    let plain = word.trim_start_matches(['-', '+']);
    if plain == "inf" || plain.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return word.parse().map_err(|_| format!("bad number `{word}`"));
    }
    Err(format!("bad number `{word}`"))
}

/// Parses a power of two: `2^-22` or `-2^3`.
fn power_of_two(word: &str) -> Result<f64, String> {
    let (sign, rest) = word.strip_prefix('-').map_or((1.0, word), |rest| (-1.0, rest));
    let exponent: i32 =
        rest.strip_prefix("2^").and_then(|e| e.parse().ok()).ok_or_else(|| format!("bad power `{word}`"))?;
    // Two factors with half of the exponent are normal numbers, even if their product is a denormal.
    Ok(sign * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2))
}

/// Parses a bound and its clause: ` 2^-22 (3.11.5.2)`. A bound without a clause is an error.
pub fn parse_tolerance(text: &str) -> Result<f64, String> {
    let (bound, clause) = text.trim().split_once(' ').ok_or("a tolerance needs its clause in parentheses")?;
    if !(clause.starts_with('(') && clause.ends_with(')') && clause.len() > 4) {
        return Err("a tolerance needs its clause in parentheses".into());
    }
    power_of_two(bound)
}

mod tests {
    use super::*;

    /// Every notation gives the right bits.
    #[test]
    fn numbers_have_the_right_bits() -> Result<(), String> {
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
            let number = parse_number(word, Type::F32)?;
            if number.bits != bits {
                return Err(format!("{word} gave {:08x}", number.bits));
            }
        }
        for word in ["", "nan", "x", "0xg", "1/", "^3", "infinity", "--1"] {
            if parse_number(word, Type::F32).is_ok() {
                return Err(format!("accepted `{word}`"));
            }
        }
        Ok(())
    }

    /// Numbers of each type have the same bits as in registers. The parser refuses numbers out of range.
    #[test]
    fn types_say_what_bits_numbers_have() -> Result<(), String> {
        for (text, bits) in [
            ("S: -5 2147483647 -2^31 0x80000000", [0xFFFF_FFFB, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0000]),
            ("U: 4000000000 2^31 F: 1 S: -1", [0xEE6B_2800, 0x8000_0000, 0x3F80_0000, 0xFFFF_FFFF]),
            (
                "F64: 1 -0 2^-1074 0.1",
                [0x3FF0_0000_0000_0000, 0x8000_0000_0000_0000, 1, 0x3FB9_9999_9999_999A],
            ),
            (
                "S64: -1 -2^63 U64: 2^63 0xfedcba9876543210",
                [u64::MAX, 1 << 63, 1 << 63, 0xFEDC_BA98_7654_3210],
            ),
            // Four words: two 64-bit numbers, or one between two 32-bit numbers.
            ("F64: 1 1/3", [0, 0x3FF0_0000, 0x5555_5555, 0x3FD5_5555]),
            ("S: 7 S64: -2 U: 9", [7, 0xFFFF_FFFE, 0xFFFF_FFFF, 9]),
        ] {
            let got = parse_components(text)?;
            if got != bits {
                return Err(format!("{text} gave {got:x?}"));
            }
        }
        for text in [
            "S: 2147483648 0 0 0",
            "U: -1 0 0 0",
            "U: 1.5 0 0 0",
            "S64: 2^63 0",
            "U: 2^200 0 0 0",
            "0x100000000 0 0 0",
            "S: NaN 0 0 0",
            "F64: 1 2 3",
            "F16: 1 2 3 4",
            "1 2 3 _",
        ] {
            if parse_components(text).is_ok() {
                return Err(format!("accepted `{text}`"));
            }
        }
        Ok(())
    }

    /// Comparison is bitwise, except for NaN and with a tolerance.
    #[test]
    fn comparison_is_bitwise_but_for_nan_and_tolerance() -> Result<(), String> {
        let single = |word| parse_number(word, Type::F32);
        let double = |word| parse_number(word, Type::F64);
        let (zero, nan, payload) = (single("0")?, single("NaN")?, single("0x7fc00001")?);
        let (third, inf) = (single("1/3")?, single("inf")?);
        let good = zero.matches(0, None)
            && !zero.matches(0x8000_0000, None)
            && !zero.matches(1 << 32, None)
            && nan.matches(0xFFC0_1234, None)
            && !nan.matches(0x7F80_0000, None)
            && !nan.matches(0x7FC0_0000_0000, None)
            && payload.matches(0x7FC0_0001, None)
            && !payload.matches(0x7FC0_0000, None)
            && third.matches(0x3EAA_AAAA, Some(2f64.powi(-22)))
            && !third.matches(0x3EAA_AA00, Some(2f64.powi(-22)))
            && !third.matches(f32::NAN.to_bits().into(), Some(1.0))
            && inf.matches(0x7F80_0000, Some(1.0))
            && !inf.matches(0x7F7F_FFFF, Some(1.0))
            && double("NaN")?.matches(0xFFF8_0000_0000_0000, None)
            && !double("NaN")?.matches(0x7FC0_0000, None)
            && double("1/3")?.matches(0x3FD5_5555_5555_5555, None)
            && double("1/3")?.matches(0x3FD5_5555_5555_5000, Some(2f64.powi(-40)));
        if good { Ok(()) } else { Err("a comparison is wrong".into()) }
    }
}
