//! How the text writes the fields of operations, effects and exits: as words. Each type has one notation. The
//! fields of a struct have their names before them.

use std::ops::Range;

use super::{Line, ParseError, Reader};
use crate::exec::AddressForm;
use crate::exec::lir::node::{Binary, Comparison, Half, Op64, QuadLanes, Shift, Wanted};
use crate::exec::lookup::Question;
use shadestep_language::ir::{
    Atomic, Attribute, Condition, Emit, ImageAccess, Index, Storage, TexelOffset, TextureAccess,
    TextureTarget, Type,
};
use shadestep_language::isa::{IncompleteTexture, Projection};
use shadestep_language::num::Rounding;
use shadestep_language::semantics::ops::Vote;
use shadestep_language::semantics::plan::{Location, Lookup, Texel};

/// A value that the text writes as words.
pub trait Field: Sized {
    fn print(&self, line: &mut Line<'_>);

    /// # Errors
    /// The text has no such value here.
    fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError>;
}

/// Fields of structs, in order. Fields after `;` are not in the text and always have the same value.
macro_rules! fields {
    ($name:ident { $($field:ident),* $(; $rest:ident: $value:expr)? }) => {
        impl Field for $name {
            fn print(&self, line: &mut Line<'_>) {
                $(line.word(stringify!($field)); self.$field.print(line);)*
            }

            fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
                Ok(Self { $($field: { reader.want(stringify!($field))?; Field::read(reader)? },)* $($rest: $value)? })
            }
        }
    };
}

/// Structs with fields that the text has.
macro_rules! records {
    ($(
        $(#[$doc:meta])*
        pub struct $name:ident { $($(#[$field_doc:meta])* pub $field:ident: $type:ty,)* }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name { $($(#[$field_doc])* pub $field: $type,)* }

        fields! { $name { $($field),* } }
    )*};
}

/// Enums whose variants have a name, and fields of one struct.
macro_rules! choices {
    ($(
        $(#[$doc:meta])*
        pub enum $name:ident {
            $($(#[$variant_doc:meta])* $variant:ident $(($field:ident: $type:ty))? = $word:literal,)*
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant $(($type))?,)* }

        impl $name {
            /// The names of the variants.
            pub const NAMES: &[&str] = &[$($word),*];
        }

        impl Field for $name {
            fn print(&self, line: &mut Line<'_>) {
                match self {
                    $(Self::$variant $(($field))? => {
                        line.word($word);
                        $($field.print(line);)?
                    })*
                }
            }

            fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
                $(if reader.skip($word) {
                    return Ok(Self::$variant $(({ let $field: $type = Field::read(reader)?; $field }))?);
                })*
                Err(reader.expected(Self::NAMES))
            }
        }
    )*};
}

pub(in crate::exec::lir) use {choices, fields, records};

/// Types that the text writes as their names.
macro_rules! named {
    ($($type:ident)*) => {
        $(impl Field for $type {
            fn print(&self, line: &mut Line<'_>) {
                line.word(self.name());
            }

            fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
                reader.take(Self::from_name).ok_or_else(|| reader.expected(&Self::ALL.map(Self::name)))
            }
        })*
    };
}
named! {
    AddressForm Atomic Binary Comparison Condition Emit Half IncompleteTexture Location Lookup Op64 Projection
    Rounding Shift Texel TextureTarget Type Vote
}

/// Types that the text writes as `Display` does.
macro_rules! displayed {
    ($($type:ident $expected:literal;)*) => {
        $(impl Field for $type {
            fn print(&self, line: &mut Line<'_>) {
                line.word(&self.to_string());
            }

            fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
                reader.take(|word| word.parse().ok()).ok_or_else(|| reader.expected(&[$expected]))
            }
        })*
    };
}
displayed! {
    bool "true or false"; u8 "a number from 0 to 255"; i8 "a number from -128 to 127";
    u16 "a number from 0 to 65535"; usize "a number"; i64 "an integer";
}

/// `fails`, or nothing for [`Wanted::Holds`].
impl Field for Wanted {
    fn print(&self, line: &mut Line<'_>) {
        if *self == Self::Fails {
            line.word("fails");
        }
    }

    fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
        Ok(if reader.skip("fails") { Self::Fails } else { Self::Holds })
    }
}

/// Bits: `0x3f800000`, an integer such as `-1`, or an fp32 number such as `1.0`. The printer uses the first
/// form.
impl Field for u32 {
    fn print(&self, line: &mut Line<'_>) {
        line.word(&format!("0x{self:08x}"));
    }

    fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
        let bits = |word: &str| match word.strip_prefix("0x") {
            // `from_str_radix` accepts a sign.
            Some(digits) if digits.starts_with(['+', '-']) => None,
            Some(digits) => Self::from_str_radix(digits, 16).ok(),
            None if word.contains('.') => {
                word.parse().ok().filter(|number: &f32| number.is_finite()).map(f32::to_bits)
            }
            None => word.parse().ok().or_else(|| word.parse().ok().map(i32::cast_unsigned)),
        };
        reader.take(bits).ok_or_else(|| reader.expected(&["32 bits, such as 0x3f800000, 1.0 or -1"]))
    }
}

/// Four digits: the source of each lane of a quad, from lane 0 on.
impl Field for QuadLanes {
    fn print(&self, line: &mut Line<'_>) {
        let digit = |lane: u8| char::from(b'0' + (self.0 >> (2 * lane) & 3));
        line.word(&(0..4).map(digit).collect::<String>());
    }

    fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
        let lanes = |word: &str| {
            let digits: &[u8; 4] = word.as_bytes().try_into().ok()?;
            let sources = digits.iter().rev().map(|digit| digit.checked_sub(b'0').filter(|&s| s < 4));
            sources.reduce(|all, source| Some(all? << 2 | source?)).flatten().map(Self)
        };
        reader.take(lanes).ok_or_else(|| reader.expected(&["four digits from 0 to 3, such as 1032"]))
    }
}

/// `none`, or the value.
impl<T: Field> Field for Option<T> {
    fn print(&self, line: &mut Line<'_>) {
        match self {
            Some(value) => value.print(line),
            None => line.word("none"),
        }
    }

    fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
        if reader.skip("none") { Ok(None) } else { T::read(reader).map(Some) }
    }
}

/// Values between brackets.
impl<T: Field> Field for Vec<T> {
    fn print(&self, line: &mut Line<'_>) {
        line.word("[");
        self.iter().for_each(|value| value.print(line));
        line.word("]");
    }

    fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
        reader.want("[")?;
        let mut values = Self::new();
        while !reader.skip("]") {
            values.push(T::read(reader)?);
        }
        Ok(values)
    }
}

impl<T: Field + Clone, const COUNT: usize> Field for [T; COUNT] {
    fn print(&self, line: &mut Line<'_>) {
        self.to_vec().print(line);
    }

    fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
        let values = Vec::read(reader)?;
        values.try_into().map_err(|_| reader.expected(&[&format!("{COUNT} values before the bracket")]))
    }
}

/// The first lane register, and the one after the last: `4..8`.
impl Field for Range<u16> {
    fn print(&self, line: &mut Line<'_>) {
        line.word(&format!("{}..{}", self.start, self.end));
    }

    fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
        let range = |word: &str| {
            let (start, end) = word.split_once("..")?;
            Some(start.parse().ok()?..end.parse().ok()?)
        };
        reader.take(range).ok_or_else(|| reader.expected(&["lane registers such as 4..8"]))
    }
}

impl Field for Storage {
    fn print(&self, line: &mut Line<'_>) {
        line.word(self.name());
    }

    fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
        reader.take(Self::named).ok_or_else(|| reader.expected(&["a storage modifier such as F32X4"]))
    }
}

/// The index of a fragment's attribute.
impl Field for Attribute {
    fn print(&self, line: &mut Line<'_>) {
        line.word(&self.index().to_string());
    }

    fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
        let attribute = |word: &str| {
            let index: usize = word.parse().ok()?;
            Self::FRAGMENT.into_iter().find(|attribute| attribute.index() == index)
        };
        reader.take(attribute).ok_or_else(|| reader.expected(&["the index of an attribute"]))
    }
}

/// `operand`, or constants.
impl Field for TexelOffset {
    fn print(&self, line: &mut Line<'_>) {
        match self {
            Self::Constant(offset) => offset.print(line),
            Self::Operand => line.word("operand"),
        }
    }

    fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
        if reader.skip("operand") { Ok(Self::Operand) } else { Field::read(reader).map(Self::Constant) }
    }
}

fields! { TextureAccess { first, count, target, component, offset; index: Index::constant(0) } }
fields! { ImageAccess { first, count, target, formatted; index: Index::constant(0) } }
fields! { Question { lookup, ty, incomplete, projection } }
