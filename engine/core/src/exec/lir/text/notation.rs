//! How the text writes the fields of operations that are not operands.

use crate::exec::AddressForm;
use crate::exec::lir::node::{Binary, Comparison, Half, Op64, Shift, Wanted};
use shadestep_language::ir::{Atomic, Condition, Emit, TextureTarget, Type};
use shadestep_language::isa::{IncompleteTexture, Projection};
use shadestep_language::num::Rounding;
use shadestep_language::semantics::ops::Vote;
use shadestep_language::semantics::plan::{Location, Lookup, Texel};

/// Words after the name of an operation.
pub trait Words<T> {
    /// The word, or nothing.
    fn print(value: T) -> &'static str;

    /// The value and the number of words that it takes, of which `word` is the first.
    ///
    /// # Errors
    /// `word` is none of these words.
    fn read(word: &str) -> Result<(T, usize), Vec<&'static str>>;
}

/// Numbers after the operands of an operation.
pub trait Number<T> {
    /// A description for messages.
    const EXPECTED: &str;

    fn print(value: T) -> String;

    fn read(text: &str) -> Option<T>;
}

/// The value's own name.
pub struct Name;

/// Types that [`Name`] prints.
pub trait Named: Copy + 'static {
    const VALUES: &[Self];

    fn word(self) -> &'static str;
}

macro_rules! named {
    ($($type:ident)*) => {
        $(impl Named for $type {
            const VALUES: &[Self] = &Self::ALL;

            fn word(self) -> &'static str {
                self.name()
            }
        })*
    };
}
named! {
    AddressForm Atomic Binary Comparison Condition Emit Half IncompleteTexture Location Lookup Op64 Projection
    Rounding Shift Texel TextureTarget Type Vote
}

impl<T: Named> Words<T> for Name {
    fn print(value: T) -> &'static str {
        value.word()
    }

    fn read(word: &str) -> Result<(T, usize), Vec<&'static str>> {
        let found = T::VALUES.iter().find(|value| value.word() == word);
        found.map(|&value| (value, 1)).ok_or_else(|| T::VALUES.iter().map(|value| value.word()).collect())
    }
}

/// `fails`, or nothing for [`Wanted::Holds`].
pub struct Fails;

impl Words<Wanted> for Fails {
    fn print(value: Wanted) -> &'static str {
        match value {
            Wanted::Holds => "",
            Wanted::Fails => "fails",
        }
    }

    fn read(word: &str) -> Result<(Wanted, usize), Vec<&'static str>> {
        Ok(if word == "fails" { (Wanted::Fails, 1) } else { (Wanted::Holds, 0) })
    }
}

/// A decimal number.
pub struct Decimal;

impl Number<u16> for Decimal {
    const EXPECTED: &str = "a number from 0 to 65535";

    fn print(value: u16) -> String {
        value.to_string()
    }

    fn read(text: &str) -> Option<u16> {
        text.parse().ok()
    }
}

impl Number<u8> for Decimal {
    const EXPECTED: &str = "a number from 0 to 255";

    fn print(value: u8) -> String {
        value.to_string()
    }

    fn read(text: &str) -> Option<u8> {
        text.parse().ok()
    }
}

/// 32 bits: `0x3f800000`, an integer such as `-1`, or an fp32 number such as `1.0`. The printer uses the
/// first form.
pub struct Bits;

impl Number<u32> for Bits {
    const EXPECTED: &str = "32 bits, such as 0x3f800000, 1.0 or -1";

    fn print(value: u32) -> String {
        format!("0x{value:08x}")
    }

    fn read(text: &str) -> Option<u32> {
        match text.strip_prefix("0x") {
            // `from_str_radix` accepts a sign.
            Some(digits) if digits.starts_with(['+', '-']) => None,
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None if text.contains('.') => {
                text.parse().ok().filter(|number: &f32| number.is_finite()).map(f32::to_bits)
            }
            None => text.parse().ok().or_else(|| text.parse().ok().map(i32::cast_unsigned)),
        }
    }
}

/// Four digits: the source of each lane of a quad, from lane 0 on.
pub struct QuadLanes;

impl Number<u8> for QuadLanes {
    const EXPECTED: &str = "four digits from 0 to 3, such as 1032";

    fn print(value: u8) -> String {
        (0..4).map(|lane| char::from(b'0' + (value >> (2 * lane) & 3))).collect()
    }

    fn read(text: &str) -> Option<u8> {
        let digits: &[u8; 4] = text.as_bytes().try_into().ok()?;
        let sources = digits.iter().rev().map(|digit| digit.checked_sub(b'0').filter(|&source| source < 4));
        sources.reduce(|all, source| Some(all? << 2 | source?)).flatten()
    }
}
