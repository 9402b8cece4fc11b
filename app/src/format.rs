//! Formats register bits for people, in their own type or reinterpreted as another.
//!
//! The panels and the command line use the same functions. "Shortest exact" means the fewest digits that read
//! back as the same value. NaN, infinities and negative zero are shown as such. Integers appear as decimal
//! digits.

use shadestep_engine::ir::{Components, Real, Type, Value};
pub use shadestep_engine::ir::{decimal, float, pattern};

shadestep_engine::named_enum! {
    /// How values are shown. The name is the label in the selector.
    #[derive(Default, serde::Serialize, serde::Deserialize)]
    pub enum ValueFormat(
        /// The tooltip.
        pub hint: &'static str,
    ) {
        /// Shortest exact decimals of the type that the value was written as.
        #[default]
        #[serde(alias = "Float")]
        Typed = "Value" => (
            "The shortest decimals that read back as the same value, in the type that was written",
        ),
        /// The bits as fp32, or as fp64 for 64-bit components.
        Number = "Float" => ("The bits as a single-precision number, or double-precision for 64 bits"),
        Signed = "Signed" => ("The bits as a signed integer"),
        Unsigned = "Unsigned" => ("The bits as an unsigned integer"),
        Hex = "Hex" => ("The bits of the value"),
        Binary = "Binary" => ("The bits, highest first"),
        /// The bits as fp16 values, 16 at a time, the lowest first.
        Halves = "Halves" => ("The bits as half-precision numbers, lowest 16 bits first"),
        /// x with y, and z with w, as fp64 values.
        Doubles = "Doubles" => ("x with y and z with w as double-precision numbers"),
        /// The bits of the nearest fp16 value.
        Fp16 = "fp16" => ("The 16 bits of the nearest half-precision value"),
        /// The nearest fx12 value, in 1024ths.
        Fx12 = "fx12" => ("The nearest 12-bit fixed-point value, in 1024ths"),
        /// A swatch beside the decimals.
        Color = "Colour" => ("A swatch, clamped to 0..1, beside the decimals"),
    }
}

impl ValueFormat {
    /// Formats that apply to all registers at once, in the order of the selector. All formats apply to one
    /// register.
    pub const OF_ALL: [Self; 5] = [Self::Typed, Self::Hex, Self::Fp16, Self::Fx12, Self::Color];

    /// Returns the name in the menu of a register with components of `types`, which determine the size of
    /// integers.
    pub fn name_for(self, types: [Type; 4]) -> &'static str {
        let is_wide = types.iter().any(|ty| ty.is_wide());
        match self {
            Self::Typed => "By type",
            Self::Number if is_wide => "Double",
            Self::Signed if is_wide => "Signed, 64 bits",
            Self::Unsigned if is_wide => "Unsigned, 64 bits",
            Self::Doubles if is_wide => "Doubles (64-bit register)",
            Self::Doubles => "Doubles (xy and zw)",
            other => other.name(),
        }
    }

    /// Names, in a word, how components of `types` are shown: their type, or the interpretation of their
    /// bits.
    pub fn tag(self, types: [Type; 4]) -> &'static str {
        match self {
            Self::Hex => "hex",
            Self::Binary => "bits",
            Self::Halves => "half",
            Self::Fp16 => "fp16",
            Self::Fx12 => "fx12",
            Self::Typed | Self::Color | Self::Number | Self::Signed | Self::Unsigned | Self::Doubles => {
                let [first, others @ ..] = self.read([0; 4], types);
                let first = first.map_or(types[0], |(_, ty)| ty);
                if others.into_iter().flatten().all(|(_, ty)| ty == first) {
                    type_name(first)
                } else {
                    "mixed"
                }
            }
        }
    }

    /// Returns how many components of `types` fit side by side in a table: four, or fewer if they are wide.
    pub fn across(self, types: [Type; 4]) -> usize {
        match self {
            Self::Binary => 1,
            Self::Halves => 2,
            Self::Fp16 | Self::Fx12 => 4,
            Self::Typed
            | Self::Hex
            | Self::Color
            | Self::Number
            | Self::Signed
            | Self::Unsigned
            | Self::Doubles => {
                if types.iter().any(|ty| ty.is_wide()) {
                    2
                } else {
                    4
                }
            }
        }
    }

    /// Reads `register`, with components of `types`, in this format. Returns bits and type of each shown
    /// value. `None` for a component that is part of the one before.
    pub fn read(self, register: Components, types: [Type; 4]) -> [Option<(u64, Type)>; 4] {
        std::array::from_fn(|c| {
            let (bits, ty) = (register[c], types[c]);
            match self {
                Self::Doubles if !ty.is_wide() => {
                    let high = register.get(c + 1).copied().unwrap_or_default();
                    (c % 2 == 0).then_some((high << 32 | bits & 0xFFFF_FFFF, Type::F64))
                }
                Self::Number | Self::Doubles => Some((bits, Type::F32.sized_as(ty))),
                Self::Signed => Some((bits, Type::S32.sized_as(ty))),
                Self::Unsigned => Some((bits, Type::U32.sized_as(ty))),
                Self::Typed
                | Self::Hex
                | Self::Fp16
                | Self::Fx12
                | Self::Color
                | Self::Binary
                | Self::Halves => Some((bits, ty)),
            }
        })
    }

    /// Shows `bits` in at most `width` characters if possible: without optional parts, else as the first
    /// characters and `…`.
    pub fn show_within(self, bits: u64, ty: Type, width: usize) -> String {
        let exact = self.show(bits, ty);
        if exact.len() <= width {
            return exact;
        }
        match (self, ty.value(bits)) {
            (Self::Hex | Self::Fp16, _) => start(exact.trim_start_matches("0x"), width),
            (Self::Binary | Self::Halves, _) | (_, Value::Signed(_) | Value::Unsigned(_)) => {
                start(&exact, width)
            }
            (Self::Fx12, _) => start(exact.trim_end_matches("/1024"), width),
            (_, Value::Single(value)) => float_within(value, width),
            (_, Value::Double(value)) => float_within(value, width),
        }
    }

    /// Shows `bits` of type `ty`, which come from [`Self::read`], in this format.
    pub fn show(self, bits: u64, ty: Type) -> String {
        match (self, ty.value(bits)) {
            (Self::Hex, _) => pattern(bits, ty),
            (Self::Binary, _) => {
                let bytes = (0..if ty.is_wide() { 8 } else { 4 }).rev();
                bytes.map(|byte| format!("{:08b}", bits >> (8 * byte) & 0xFF)).collect::<Vec<_>>().join(" ")
            }
            (Self::Halves, _) => {
                let halves = (0..if ty.is_wide() { 4 } else { 2 }).map(|place| (bits >> (16 * place)) as u16);
                halves.map(|half| float(half::f16::from_bits(half).to_f32())).collect::<Vec<_>>().join(", ")
            }
            (Self::Fp16, Value::Single(value)) => format!("0x{:04x}", half_bits(value.into())),
            (Self::Fp16, Value::Double(value)) => format!("0x{:04x}", half_bits(value)),
            (Self::Fx12, Value::Single(value)) => fx12(value.into()),
            (Self::Fx12, Value::Double(value)) => fx12(value),
            (
                Self::Typed
                | Self::Color
                | Self::Number
                | Self::Signed
                | Self::Unsigned
                | Self::Doubles
                | Self::Fp16
                | Self::Fx12,
                _,
            ) => decimal(bits, ty),
        }
    }
}

/// Parses typed text as bits of type `ty`: a number, the bits as `0x3f800000`, `nan`, `inf` or `-inf`. `None`
/// if the text is not a value of the type.
pub fn parse(text: &str, ty: Type) -> Option<u64> {
    let text = text.trim();
    let fits = |bits: &u64| ty.is_wide() || u32::try_from(*bits).is_ok();
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u64::from_str_radix(digits, 16).ok().filter(fits);
    }
    let value = match ty.value(0) {
        Value::Single(_) => text.parse::<f32>().ok()?.to_bits().into(),
        Value::Double(_) => text.parse::<f64>().ok()?.to_bits(),
        Value::Signed(_) if ty.is_wide() => text.parse::<i64>().ok()?.cast_unsigned(),
        Value::Signed(_) => text.parse::<i32>().ok()?.cast_unsigned().into(),
        Value::Unsigned(_) => text.parse::<u64>().ok()?,
    };
    Some(value).filter(fits)
}

/// Returns the specifications' name of a type: `F32`, `S32`, ... `int` is an integer of an address register.
pub const fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::F32 => "F32",
        Type::F16 => "F16",
        Type::Fx12 => "FX12",
        Type::Address => "int",
        Type::S32 => "S32",
        Type::U32 => "U32",
        Type::S24 => "S24",
        Type::U24 => "U24",
        Type::F64 => "F64",
        Type::S64 => "S64",
        Type::U64 => "U64",
    }
}

/// Returns a count with a comma before every three digits.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// Returns `noun` in singular or plural: `byte`, `bytes`, `vertices`.
pub fn plural(count: u64, noun: &str) -> String {
    match (count, noun) {
        (1, _) => noun.to_owned(),
        (_, "vertex") => "vertices".to_owned(),
        _ => format!("{noun}s"),
    }
}

/// Returns a count with its noun: `1 byte`, `12 bytes`, `3 vertices`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {}", plural(count as u64, noun))
}

/// As [`counted`], with commas in the number, for the window: `12,288 vertices`.
pub fn grouped(number: usize, noun: &str) -> String {
    format!("{} {}", count(number as u64), plural(number as u64, noun))
}

/// Returns a count in at most five characters. Large counts have three digits and `k` for thousands, `M` for
/// millions, and so on.
pub fn short_count(number: u64) -> String {
    let mut shown = number as f64;
    for unit in ["", "k", "M", "G", "T", "P"] {
        // A count that would round to four digits uses the next unit.
        if shown < 999.5 {
            let digits = if unit.is_empty() || shown >= 99.95 { 0 } else { 1 };
            return format!("{shown:.digits$}{unit}");
        }
        shown /= 1000.0;
    }
    format!("{shown:.0}E")
}

/// Returns `words` with a capital and a full stop.
pub fn sentence(words: &str) -> String {
    let stop = if words.is_empty() || words.ends_with(['.', '!', '?', ':']) { "" } else { "." };
    capitalized(words) + stop
}

/// Returns `words` with a capital, unless they begin with code: `result.color`, `c[0]`, `n_2`.
pub fn capitalized(words: &str) -> String {
    let first = words.split(' ').next().unwrap_or_default().trim_end_matches(['.', ',', ':', ';']);
    let is_code = first.contains(|letter: char| ".[]_|".contains(letter) || letter.is_ascii_digit());
    if is_code {
        return words.to_owned();
    }
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Returns `words` with a lower-case first letter, for use within a sentence.
pub fn lowered(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Returns the letters of the components whose bits are set in `mask`. Bit 0 is x.
pub fn letters(mask: u8) -> String {
    "xyzw".chars().enumerate().filter(|(c, _)| mask >> c & 1 != 0).map(|(_, letter)| letter).collect()
}

/// Returns four decimals with spaces between them.
pub fn decimals(bits: Components, types: [Type; 4]) -> String {
    std::array::from_fn::<_, 4, _>(|c| decimal(bits[c], types[c])).join(" ")
}

/// Returns four bit patterns with spaces between them.
pub fn patterns(bits: Components, types: [Type; 4]) -> String {
    std::array::from_fn::<_, 4, _>(|c| pattern(bits[c], types[c])).join(" ")
}

/// Returns a register in decimals and in bits.
pub fn vector(bits: Components, types: [Type; 4]) -> String {
    format!("{} {}", decimals(bits, types), patterns(bits, types))
}

/// Returns component `c` of `register` in every format, each with its name. The first is the type that the
/// component was written as.
pub fn views(register: Components, types: [Type; 4], c: usize) -> Vec<(&'static str, String)> {
    let ty = types[c];
    let mut views = vec![(type_name(ty), decimal(register[c], ty))];
    for format in ValueFormat::ALL {
        let name = match format {
            ValueFormat::Typed | ValueFormat::Color => continue,
            // Nearest numbers exist only for floats. A 64-bit component needs no pair to be a double.
            ValueFormat::Fp16 | ValueFormat::Fx12 if ty.is_integer() => continue,
            ValueFormat::Number if !ty.is_integer() => continue,
            ValueFormat::Doubles if ty.is_wide() => continue,
            ValueFormat::Doubles if c < 2 => "xy as F64",
            ValueFormat::Doubles => "zw as F64",
            ValueFormat::Hex | ValueFormat::Binary | ValueFormat::Halves => format.name(),
            ValueFormat::Fp16 => "Nearest fp16",
            ValueFormat::Fx12 => "Nearest fx12",
            ValueFormat::Number | ValueFormat::Signed | ValueFormat::Unsigned => format.tag([ty; 4]),
        };
        let read = format.read(register, types);
        // Both components of a pair show the pair's value.
        let Some((bits, read)) = read[c].or_else(|| read[c & !1]) else { continue };
        if name != type_name(ty) {
            views.push((name, format.show(bits, read)));
        }
    }
    views
}

/// Returns `value` as [`float`] does, or its first digits and `…` if it is longer than `width` characters.
pub fn float_within(value: impl Real, width: usize) -> String {
    let exact = float(value);
    if exact.len() <= width {
        return exact;
    }
    let size: f64 = value.into();
    if !size.is_finite() {
        return exact;
    }
    let scientific = format!("{value:e}");
    cut(&exact, width).or_else(|| cut(&scientific, width)).unwrap_or_else(|| {
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let digit = mantissa.split('.').next().unwrap_or_default();
        let least = format!("{digit}…e{exponent}");
        if least.chars().count() <= width { least } else { "…".to_owned() }
    })
}

/// As [`float_within`]. A number that fp32 can represent exactly has its fp32 digits.
pub fn number_within(value: f64, width: usize) -> String {
    let single = value as f32;
    let is_single = f64::from(single).to_bits() == value.to_bits();
    if is_single { float_within(single, width) } else { float_within(value, width) }
}

/// Returns `text`, or its first characters and `…` if it is longer than `width` characters.
fn start(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_owned(),
        Some(_) => text.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Returns `text` with fewer decimals, `width` characters long. `None` if cutting decimals is not enough.
fn cut(text: &str, width: usize) -> Option<String> {
    let (mantissa, exponent) = text.find('e').map_or((text, ""), |at| text.split_at(at));
    let point = mantissa.find('.')?;
    let kept = width.checked_sub(exponent.len() + 1).filter(|&kept| kept > point + 1)?;
    Some(format!("{}…{exponent}", mantissa.get(..kept)?))
}

/// Returns the bits of the nearest fp16 value, ties to even.
fn half_bits(value: f64) -> u16 {
    if value.is_nan() { half::f16::NAN.to_bits() } else { half::f16::from_f64(value).to_bits() }
}

fn fx12(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let scaled = (value * 1024.0).clamp(-2048.0, 2047.0).round_ties_even();
    format!("{scaled}/1024")
}

/// Returns milliseconds with a sensible number of digits.
pub fn milliseconds(duration: std::time::Duration) -> String {
    let ms = duration.as_secs_f64() * 1e3;
    if ms < 10.0 {
        format!("{ms:.2} ms")
    } else if ms < 100.0 {
        format!("{ms:.1} ms")
    } else {
        format!("{ms:.0} ms")
    }
}

/// Describes how long ago something was.
pub fn age(age: std::time::Duration) -> String {
    let of = |count: u64, unit: &str| {
        if count == 1 { format!("1 {unit} ago") } else { format!("{count} {unit}s ago") }
    };
    match age.as_secs() {
        0..60 => "just now".to_owned(),
        secs @ 60..3600 => of(secs / 60, "minute"),
        secs @ 3600..86_400 => of(secs / 3600, "hour"),
        secs => of(secs / 86_400, "day"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_or_short() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 999, 1000, 12_345, 123_456].map(short_count), ["0", "999", "1.0k", "12.3k", "123k"]);
        assert_eq!([999_499, 999_600, u64::MAX].map(short_count), ["999k", "1.0M", "18E"]);
    }

    #[test]
    fn nouns_follow_their_count() {
        assert_eq!(counted(1, "byte"), "1 byte");
        assert_eq!(counted(12, "byte"), "12 bytes");
        assert_eq!([0, 1, 3].map(|count| plural(count, "vertex")), ["vertices", "vertex", "vertices"]);
    }

    #[test]
    fn code_at_the_beginning_of_a_sentence_keeps_its_letters() {
        for words in ["result.color is undefined", "c[1], which is 0", "n_2 is unused", "texcoord0: a name"] {
            assert_eq!(capitalized(words), words);
        }
        assert_eq!(capitalized("so it is. a.x is 1"), "So it is. a.x is 1");
        assert_eq!(capitalized("unused: a.x"), "Unused: a.x");
        assert_eq!(capitalized(""), "");
    }

    #[test]
    fn decimals_read_back_as_the_same_bits() {
        for bits in (0..=u32::MAX).step_by(65_537 * 3) {
            let value = f32::from_bits(bits);
            let text = float(value);
            if value.is_nan() {
                assert_eq!(text, "NaN");
            } else {
                assert_eq!(text.parse::<f32>().unwrap().to_bits(), bits, "{text}");
            }
        }
    }

    #[test]
    fn typed_values_have_the_bits_of_their_type() {
        assert_eq!(parse(" 1.5 ", Type::F32), Some(0x3FC0_0000));
        assert_eq!(parse("-inf", Type::F32), Some(0xFF80_0000));
        assert!(parse("NaN", Type::F16).is_some_and(|bits| f32::from_bits(bits as u32).is_nan()));
        assert_eq!(parse("0x3F800000", Type::F32), Some(0x3F80_0000));
        assert_eq!(parse("-2", Type::F64), Some(0xC000_0000_0000_0000));
        assert_eq!(parse("-2", Type::S32), Some(0xFFFF_FFFE));
        assert_eq!(parse("-2", Type::S64), Some(0xFFFF_FFFF_FFFF_FFFE));
        assert_eq!(parse("4294967295", Type::U32), Some(0xFFFF_FFFF));
        for (text, ty) in [
            ("", Type::F32),
            ("x", Type::F32),
            ("1.5", Type::S32),
            ("-1", Type::U32),
            ("4294967296", Type::U32),
            ("0x100000000", Type::F32),
        ] {
            assert_eq!(parse(text, ty), None, "{text} as {ty:?}");
        }
    }

    #[test]
    fn special_values_are_named() {
        assert_eq!(float(f32::NAN), "NaN");
        assert_eq!(float(-0.0), "-0");
        assert_eq!(float(f32::NEG_INFINITY), "-inf");
        assert_eq!(float(1.5e-10), "1.5e-10");
        let shown = |format: ValueFormat, value: f32| format.show(value.to_bits().into(), Type::F32);
        assert_eq!(shown(ValueFormat::Hex, 1.0), "0x3f800000");
        assert_eq!(shown(ValueFormat::Fx12, 0.5), "512/1024");
        assert_eq!(shown(ValueFormat::Fx12, 9.0), "2047/1024");
    }

    #[test]
    fn every_type_is_shown_as_what_it_is() {
        for (bits, ty, decimal, hex) in [
            (0xFFFF_FFFE, Type::S32, "-2", "0xfffffffe"),
            (0xFFFF_FFFE, Type::U32, "4294967294", "0xfffffffe"),
            (u64::MAX, Type::S64, "-1", "0xffffffffffffffff"),
            (u64::MAX, Type::U64, "18446744073709551615", "0xffffffffffffffff"),
            (0.1_f64.to_bits(), Type::F64, "0.1", "0x3fb999999999999a"),
        ] {
            assert_eq!(ValueFormat::Typed.show(bits, ty), decimal);
            assert_eq!(ValueFormat::Hex.show(bits, ty), hex);
        }
        assert_eq!(ValueFormat::Typed.show_within(u64::MAX, Type::U64, 8), "1844674…");
        assert_eq!(ValueFormat::Fp16.show(1.0_f64.to_bits(), Type::F64), "0x3c00");
    }

    #[test]
    fn one_register_is_read_as_any_type() {
        // 1.0 and -2.0 in fp16 are 0x3C00 and 0xC000; 1.5 in fp64 is 0x3FF8000000000000.
        let register = [0xC000_3C00, 0x3FF8_0000, 0xFFFF_FFFF, 0x4000_0000];
        let shown = |format: ValueFormat, ty: Type| {
            format.read(register, [ty; 4]).map(|value| value.map(|(bits, ty)| format.show(bits, ty)))
        };
        let [x, _, z, w] = shown(ValueFormat::Signed, Type::F32);
        assert_eq!(
            [x.as_deref(), z.as_deref(), w.as_deref()],
            [Some("-1073726464"), Some("-1"), Some("1073741824")]
        );
        assert_eq!(shown(ValueFormat::Unsigned, Type::S32)[2].as_deref(), Some("4294967295"));
        assert_eq!(shown(ValueFormat::Number, Type::U32)[3].as_deref(), Some("2"));
        assert_eq!(shown(ValueFormat::Halves, Type::U32)[0].as_deref(), Some("1, -2"));
        assert_eq!(
            shown(ValueFormat::Binary, Type::F32)[0].as_deref(),
            Some("11000000 00000000 00111100 00000000")
        );
        let zero_low = [0, 0x3FF8_0000, 0, 0xBFF8_0000];
        let pairs = ValueFormat::Doubles.read(zero_low, [Type::U32; 4]);
        assert_eq!(
            pairs,
            [Some((0x3FF8_0000_0000_0000, Type::F64)), None, Some((0xBFF8_0000_0000_0000, Type::F64)), None]
        );
        assert_eq!(ValueFormat::Doubles.show(0x3FF8_0000_0000_0000, Type::F64), "1.5");
        // Each 64-bit component is a double.
        assert_eq!(
            ValueFormat::Doubles.read([1.5_f64.to_bits(); 4], [Type::U64; 4]),
            [Some((1.5_f64.to_bits(), Type::F64)); 4]
        );
    }

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
            (f32::NAN, "NaN"),
        ] {
            assert_eq!(float(value), text);
        }
        for (bits, ty, text) in [
            ((1.0_f64 / 3.0).to_bits(), Type::F64, "0.3333333333333333"),
            (1e300_f64.to_bits(), Type::F64, "1e300"),
            (0x8000_0000, Type::S32, "-2147483648"),
            (1 << 63, Type::S64, "-9223372036854775808"),
            (u64::from(3e9_f32.to_bits()), Type::Address, "3000000000"),
        ] {
            assert_eq!(decimal(bits, ty), text, "{ty:?}");
        }
        assert_eq!(pattern(0, Type::S32), "0x00000000");
        assert_eq!(pattern(1, Type::F64), "0x0000000000000001");
        let types = [Type::F32, Type::S32, Type::U32, Type::F32];
        let words = "1 -1 4294967295 -0 0x3f800000 0xffffffff 0xffffffff 0x80000000";
        assert_eq!(vector([0x3F80_0000, 0xFFFF_FFFF, 0xFFFF_FFFF, 0x8000_0000], types), words);
    }

    #[test]
    fn a_component_is_viewed_as_everything_that_it_can_be_read_as() {
        // 1.5 in fp64 is 0x3FF8000000000000; its upper half is 1.9375 in fp32, 0 and 1.9921875 in fp16.
        let register = [0, 0x3FF8_0000, 0xFFFF_FFFE, 0];
        let of = |types, c| views(register, types, c);
        let owned = |views: &[(&'static str, &str)]| {
            views.iter().map(|(name, text)| (*name, (*text).to_owned())).collect::<Vec<_>>()
        };
        assert_eq!(
            of([Type::S32; 4], 1),
            owned(&[
                ("S32", "1073217536"),
                ("F32", "1.9375"),
                ("U32", "1073217536"),
                ("Hex", "0x3ff80000"),
                ("Binary", "00111111 11111000 00000000 00000000"),
                ("Halves", "0, 1.9921875"),
                ("xy as F64", "1.5"),
            ])
        );
        assert_eq!(
            of([Type::F32; 4], 1),
            owned(&[
                ("F32", "1.9375"),
                ("S32", "1073217536"),
                ("U32", "1073217536"),
                ("Hex", "0x3ff80000"),
                ("Binary", "00111111 11111000 00000000 00000000"),
                ("Halves", "0, 1.9921875"),
                ("xy as F64", "1.5"),
                ("Nearest fp16", "0x3fc0"),
                ("Nearest fx12", "1984/1024"),
            ])
        );
        let bits = "00111111 11111000 00000000 00000000 00000000 00000000 00000000 00000000";
        assert_eq!(
            views([1.5_f64.to_bits(); 4], [Type::U64; 4], 3),
            owned(&[
                ("U64", "4609434218613702656"),
                ("F64", "1.5"),
                ("S64", "4609434218613702656"),
                ("Hex", "0x3ff8000000000000"),
                ("Binary", bits),
                ("Halves", "0, 0, 0, 1.9921875"),
            ])
        );
    }

    #[test]
    fn a_register_is_told_what_it_is_shown_as() {
        let mixed = [Type::F32, Type::S32, Type::F32, Type::F32];
        for (format, types, tag, across) in [
            (ValueFormat::Typed, [Type::S32; 4], "S32", 4),
            (ValueFormat::Typed, [Type::F64; 4], "F64", 2),
            (ValueFormat::Typed, mixed, "mixed", 4),
            (ValueFormat::Number, mixed, "F32", 4),
            (ValueFormat::Signed, [Type::F64; 4], "S64", 2),
            (ValueFormat::Unsigned, mixed, "U32", 4),
            (ValueFormat::Doubles, mixed, "F64", 4),
            (ValueFormat::Hex, mixed, "hex", 4),
            (ValueFormat::Binary, mixed, "bits", 1),
            (ValueFormat::Halves, mixed, "half", 2),
        ] {
            assert_eq!((format.tag(types), format.across(types)), (tag, across), "{format:?} {types:?}");
        }
    }

    #[test]
    fn ages_are_in_the_largest_unit_that_is_full() {
        let words = |secs| age(std::time::Duration::from_secs(secs));
        assert_eq!([words(0), words(59)], ["just now", "just now"]);
        assert_eq!([words(60), words(119), words(120)], ["1 minute ago", "1 minute ago", "2 minutes ago"]);
        assert_eq!([words(3599), words(3600), words(7200)], ["59 minutes ago", "1 hour ago", "2 hours ago"]);
        assert_eq!(
            [words(86_399), words(86_400), words(400_000)],
            ["23 hours ago", "1 day ago", "4 days ago"]
        );
    }

    #[test]
    fn long_values_are_cut_and_marked() {
        assert_eq!(float_within(0.5, 6), "0.5");
        assert_eq!(float_within(0.123_456_79, 6), "0.123…");
        assert_eq!(float_within(-0.123_456_79, 6), "-0.12…");
        assert_eq!(float_within(123_456.78, 7), "1.23…e5");
        assert_eq!(float_within(-1.234_567_9e-20, 9), "-1.2…e-20");
        assert_eq!(float_within(f32::NAN, 2), "NaN");
        assert_eq!(float_within(-1_234_567.0, 6), "-1…e6");
        assert_eq!(float_within(-1.234_567_9e-20, 7), "-1…e-20");
        assert_eq!(float_within(-1.234_567_9e-20, 6), "…");
        let within = |format: ValueFormat, value: f32, width| {
            format.show_within(value.to_bits().into(), Type::F32, width)
        };
        assert_eq!(within(ValueFormat::Hex, 1.0, 10), "0x3f800000");
        assert_eq!(within(ValueFormat::Hex, 1.0, 8), "3f800000");
        assert_eq!(within(ValueFormat::Hex, 1.0, 6), "3f800…");
        assert_eq!(within(ValueFormat::Fp16, 1.0, 5), "3c00");
        assert_eq!(within(ValueFormat::Fx12, -2.0, 10), "-2048/1024");
        assert_eq!(within(ValueFormat::Fx12, -2.0, 9), "-2048");
        assert_eq!(within(ValueFormat::Typed, f32::NEG_INFINITY, 3), "-inf");
    }

    /// Expected values: IEEE 754 binary16 encodings computed by hand.
    #[test]
    fn half_bits_round_to_nearest_even() {
        for (value, bits) in [
            (0.0, 0x0000),
            (-0.0, 0x8000),
            (1.0, 0x3C00),
            (-2.0, 0xC000),
            (65504.0, 0x7BFF),
            (65519.0, 0x7BFF),
            (65520.0, 0x7C00),
            (f32::INFINITY, 0x7C00),
            (5.960_464_5e-8, 0x0001),
            (2.980_232_2e-8, 0x0000),
            (6.097_555e-5, 0x03FF),
            (6.103_515_6e-5, 0x0400),
            (0.333_333_34, 0x3555),
            (1.000_488_3, 0x3C00),
            (1.001_464_8, 0x3C02),
        ] {
            assert_eq!(half_bits(f64::from(value)), bits, "{value}");
        }
    }
}
