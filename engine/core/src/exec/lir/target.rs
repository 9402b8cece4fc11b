//! The destinations of stores.

use super::node::Kind;
use super::text::fields::{Field, choices};
use super::text::{Line, ParseError, Reader};

choices! {
    /// The destination of a store.
    #[derive(Copy, Hash)]
    pub enum Target {
        /// A lane register.
        Register(register: u16) = "register",
        /// A lane register of the outputs.
        Output(register: u16) = "output",
        /// A mask, as one bit for each lane. The bits of each vector's lanes are at the beginning of the
        /// vector's part of the lane register, see `BackEnd::mask_lanes`.
        Bits(register: u16) = "bits",
        /// A mask: repeats the function for the current chunks while the mask has one of their lanes.
        Again = "again",
    }
}

impl Target {
    /// The kind of value that the target takes.
    pub const fn takes(self) -> Kind {
        match self {
            Self::Register(_) | Self::Output(_) => Kind::Value,
            Self::Bits(_) | Self::Again => Kind::Mask,
        }
    }
}
