//! What a texture instruction did, opened up, and what instructions read of the other pixels of the quad: worked out for a
//! step that is looked at, by [`super::Cursor`] and [`super::Steps`].

use super::TextureStep;
use crate::texture::{FetchedTexel, Incomplete, LookupAccount, NoTexel};
use shadestep_language::ir::Components;

/// A lookup opened up.
#[derive(Clone, Debug, PartialEq)]
pub struct LookupStep {
    /// What its step tells.
    pub texture: TextureStep,
    /// The coordinates as the first operand gives them.
    pub given: [f32; 4],
    /// What TXP divided them by, where it did.
    pub divisor: Option<f32>,
    /// What came of it.
    pub looked: Looked,
}

/// What came of a lookup.
#[derive(Clone, Debug, PartialEq)]
pub enum Looked {
    /// A texture answered: TEX and what is like it, TXG, TXGO, LOD.
    Up(Box<LookupAccount>),
    /// TXF or TXFMS read a texel, with this offset added to the operand.
    Fetched(Box<FetchedTexel>, [i32; 3]),
    /// TXQ: sides of a level and layers, and how many of these numbers there are.
    Size([u32; 3], usize),
    /// Nothing was looked up.
    Refused(Refusal),
}

impl Looked {
    /// The account of a filtered or gathered lookup.
    pub fn account(&self) -> Option<&LookupAccount> {
        match self {
            Self::Up(account) => Some(account),
            Self::Fetched(..) | Self::Size(..) | Self::Refused(_) => None,
        }
    }
}

/// Why nothing was looked up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// The program chose a unit outside of its array.
    NoUnit,
    /// No texture, or one that is not complete.
    Incomplete(Option<Incomplete>),
    /// Its numbers or its comparison do not fit the instruction.
    Unfit,
    /// An offset outside of this range.
    Offset((i32, i32)),
    /// TXF, TXFMS: there is no such texel.
    NoTexel(NoTexel),
    /// TXQ: there is no such level.
    NoLevel,
}

/// What a step reads of the four pixels of the quad.
#[derive(Clone, Debug, PartialEq)]
pub struct QuadStep {
    /// Of each lane the operand, converted, or the coordinates after projection.
    pub values: Vec<Components>,
    /// The components that count (bit 0 = x).
    pub used: u8,
    /// The differences that the recorded lane uses.
    pub differences: Vec<Difference>,
}

/// A difference between two pixels of the quad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Whether the upper pixel is compared with the lower one; else the right with the left one.
    pub is_vertical: bool,
    /// The lane that is subtracted from.
    pub to: usize,
    /// The lane that is subtracted.
    pub from: usize,
    /// What comes of it.
    pub value: Components,
}
