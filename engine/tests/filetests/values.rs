//! Values of lanes in test files.

use std::fmt;

use shadestep_core::exec::LANES;
use shadestep_language::num::fp32;

/// A lane register with values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Register(u16),
    Input(u16),
    Output(u16),
    /// The lanes of a mask, as 0 and 1.
    Bits(u16),
}

impl Place {
    /// # Errors
    /// The text is not a place.
    pub fn read(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text} is not a place such as register 3");
        let (name, number) = text.split_once(' ').ok_or_else(wrong)?;
        let number: u16 = number.parse().map_err(|_| wrong())?;
        match name {
            "register" => Ok(Self::Register(number)),
            "input" => Ok(Self::Input(number)),
            "output" => Ok(Self::Output(number)),
            "bits" => Ok(Self::Bits(number)),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Register(number) => write!(f, "register {number}"),
            Self::Input(number) => write!(f, "input {number}"),
            Self::Output(number) => write!(f, "output {number}"),
            Self::Bits(number) => write!(f, "bits {number}"),
        }
    }
}

/// The expected value of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Bits(u32),
    /// Any fp32 NaN.
    AnyNan,
    /// Any bits.
    Any,
}

impl Expected {
    pub fn accepts(self, bits: u32) -> bool {
        match self {
            Self::Bits(expected) => bits == expected,
            Self::AnyNan => f32::from_bits(bits).is_nan(),
            Self::Any => true,
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bits(bits) => write!(f, "{}", shown(*bits)),
            Self::AnyNan => f.write_str("any NaN"),
            Self::Any => f.write_str("any bits"),
        }
    }
}

/// Bits with their meaning as a number.
pub fn shown(bits: u32) -> String {
    format!("0x{bits:08x} ({:?})", f32::from_bits(bits))
}

/// Reads `0x3f800000`, `-1`, `1.0`, `nan` (the canonical one), `inf` or `-inf`.
fn bits(text: &str) -> Option<u32> {
    match text {
        "nan" => Some(fp32::NAN_BITS),
        "inf" => Some(f32::INFINITY.to_bits()),
        "-inf" => Some(f32::NEG_INFINITY.to_bits()),
        _ => match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None if text.contains('.') => text.parse().ok().map(f32::to_bits),
            None => text.parse().ok().or_else(|| text.parse().ok().map(i32::cast_unsigned)),
        },
    }
}

/// The items of a list, without the comment after it.
fn items(list: &str) -> Result<Vec<&str>, String> {
    let list = list.split(';').next().unwrap_or_default();
    let items: Vec<&str> = list.split(',').map(str::trim).collect();
    if items.len() > LANES {
        return Err(format!("{} values for {LANES} lanes", items.len()));
    }
    Ok(items)
}

/// # Errors
/// An item is not a value.
pub fn given_list(list: &str) -> Result<Vec<u32>, String> {
    items(list)?.into_iter().map(|item| bits(item).ok_or_else(|| format!("{item} is not a value"))).collect()
}

/// # Errors
/// An item is not an expected value.
pub fn expected_list(list: &str) -> Result<Vec<Expected>, String> {
    let expected = |item| match item {
        "any" => Ok(Expected::Any),
        "any_nan" => Ok(Expected::AnyNan),
        _ => bits(item).map(Expected::Bits).ok_or_else(|| format!("{item} is not a value")),
    };
    items(list)?.into_iter().map(expected).collect()
}

/// The value of `lane`: a list repeats until all lanes have a value.
pub fn at<T: Copy>(list: &[T], lane: usize) -> T {
    list[lane % list.len()]
}
