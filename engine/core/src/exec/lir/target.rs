//! The destinations of stores: one table, with a row for each.

use super::node::Kind;
use super::text::{Line, ParseError, Reader};

/// Declares [`Target`]: for each target its name in the text, and the kind of value that it takes.
macro_rules! targets {
    ($($(#[$doc:meta])* $variant:ident $(($register:ident))? = $name:literal => $kind:expr;)*) => {
        /// The destination of a store.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Target {
            $($(#[$doc])* $variant $((targets!(@number $register)))?,)*
        }

        impl Target {
            /// The kind of value that the target takes.
            pub const fn takes(self) -> Kind {
                match self {
                    $(targets!(@any $variant $($register)?) => $kind,)*
                }
            }

            pub(super) fn print(self, line: &mut Line<'_>) {
                match self {
                    $(Self::$variant $(($register))? => {
                        line.word($name);
                        $(line.number(&$register.to_string());)?
                    })*
                }
            }

            /// Reads a target.
            ///
            /// # Errors
            /// The text has no target here.
            pub(super) fn read(reader: &mut Reader<'_, '_>) -> Result<Self, ParseError> {
                $(if reader.skip($name) {
                    return Ok(Self::$variant $((reader.number::<_, targets!(@notation $register)>()?))?);
                })*
                Err(reader.expected(&[$($name),*]))
            }
        }
    };
    (@number $register:ident) => { u16 };
    (@notation $register:ident) => { super::text::notation::Decimal };
    (@any $variant:ident) => { Self::$variant };
    (@any $variant:ident $register:ident) => { Self::$variant(_) };
}

targets! {
    /// A lane register.
    Register(register) = "register" => Kind::Value;
    /// A lane register of the outputs.
    Output(register) = "output" => Kind::Value;
    /// A mask, as one bit for each lane. The bits of each vector's lanes are at the beginning of the vector's
    /// part of the lane register, see `BackEnd::mask_lanes`.
    Bits(register) = "bits" => Kind::Mask;
    /// A mask: repeats the function for the current chunks while the mask has one of their lanes.
    Again = "again" => Kind::Mask;
}
