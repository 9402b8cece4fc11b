//! Details of a texture instruction, and the values that an instruction reads of the other pixels of its
//! quad. [`crate::debug::Cursor`] and [`crate::debug::Steps`] compute these details for a step on demand.

use super::TextureStep;
use crate::texture::{FetchedTexel, Incomplete, LookupTrace, NoTexel};
use shadestep_language::ir::Components;

/// A lookup in detail.
#[derive(Clone, Debug, PartialEq)]
pub struct LookupStep {
    /// The lookup as its step reports it.
    pub texture: TextureStep,
    /// The coordinates of the first operand.
    pub given: [f32; 4],
    /// The divisor of TXP, if it divided.
    pub divisor: Option<f32>,
    pub looked: Looked,
}

/// The outcome of a lookup.
#[derive(Clone, Debug, PartialEq)]
pub enum Looked {
    /// A texture answered TEX or a similar lookup, TXG, TXGO or LOD.
    Up(Box<LookupTrace>),
    /// TXF or TXFMS read a texel; this offset was added to the operand.
    Fetched(Box<FetchedTexel>, [i32; 3]),
    /// TXQ: sides of a level and layers, and the number of valid entries.
    Size([u32; 3], usize),
    /// Nothing was looked up.
    Refused(Refusal),
}

impl Looked {
    /// The trace of a filtered or gathered lookup.
    pub fn trace(&self) -> Option<&LookupTrace> {
        match self {
            Self::Up(trace) => Some(trace),
            Self::Fetched(..) | Self::Size(..) | Self::Refused(_) => None,
        }
    }
}

/// Why no texture was looked up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// The program selected a unit outside its array.
    NoUnit,
    /// No texture, or an incomplete one.
    Incomplete(Option<Incomplete>),
    /// The texture's number type or comparison does not fit the instruction.
    Unfit,
    /// An offset is outside this range.
    Offset((i32, i32)),
    /// TXF, TXFMS: the texel does not exist.
    NoTexel(NoTexel),
    /// TXQ: the level does not exist.
    NoLevel,
}

/// The values of the four pixels of the quad that a step reads.
#[derive(Clone, Debug, PartialEq)]
pub struct QuadStep {
    /// For each lane the converted operand, or the coordinates after projection.
    pub values: Vec<Components>,
    /// The components in use (bit 0 = x).
    pub used: u8,
    /// The differences that the recorded lane uses.
    pub differences: Vec<Difference>,
}

/// A difference between two pixels of the quad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Whether the difference is upper minus lower pixel; otherwise right minus left.
    pub is_vertical: bool,
    /// The lane that is subtracted from.
    pub to: usize,
    /// The lane that is subtracted.
    pub from: usize,
    pub value: Components,
}
