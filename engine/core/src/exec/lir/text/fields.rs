//! How the text writes the fields of effects: as words. Each type has one notation, and the fields of a struct
//! have their names before them.

use std::fmt::Display;
use std::ops::Range;
use std::str::FromStr;

use super::notation::Named;
use super::{Line, ParseError, Reader};
use crate::exec::lookup::Question;
use shadestep_language::ir::{Attribute, ImageAccess, Index, Storage, TexelOffset, TextureAccess};

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

impl<T: Named> Field for T {
    fn print(&self, line: &mut Line<'_>) {
        line.word(self.word());
    }

    fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
        let named = |word: &str| T::VALUES.iter().copied().find(|value| value.word() == word);
        let words = || T::VALUES.iter().map(|value| value.word()).collect::<Vec<_>>();
        reader.take(named).ok_or_else(|| reader.expected(&words()))
    }
}

fn print_number(number: impl Display, line: &mut Line<'_>) {
    line.word(&number.to_string());
}

fn read_number<T: FromStr>(reader: &mut Reader<'_, '_>) -> Result<T, ParseError> {
    reader.take(|word| word.parse().ok()).ok_or_else(|| reader.expected(&["a number"]))
}

macro_rules! numbers {
    ($($type:ident)*) => {
        $(impl Field for $type {
            fn print(&self, line: &mut Line<'_>) {
                print_number(self, line);
            }

            fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
                read_number(reader)
            }
        })*
    };
}
numbers! { bool u8 i8 u16 usize i64 }

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
        print_number(self.index(), line);
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
