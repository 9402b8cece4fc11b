//! The low-level IR. A node is one 32-bit component in all lanes of a block, in SSA form. Flushes of denorms
//! and canonicalisations of NaNs are explicit operations.
//!
//! The passes, one a file:
//! * [`symbol`] folds constants while it records the component functions of
//!   [`shadestep_language::semantics::ops`].
//! * [`record`] merges equal nodes (value numbering).
//! * [`facts`] omits flushes of values that cannot be denorms.
//! * [`eliminate_flushes`] removes flushes that the processor does anyway, and canonicalisations that do not
//!   affect any user of the value.
//! * [`legalize`] rewrites nodes as operations that a back end has.
//! * [`schedule`] orders the nodes and drops dead ones.
//!
//! [`prepared`] runs the last three as a back end needs them, see [`super::back_end`]. Texture lookups,
//! relative references and discards are not nodes: they are effects between functions, see `batch::effect`.

mod facts;
mod flush_elimination;
mod legalize;
mod module;
mod passes;
mod schedule;
mod symbol;
mod value_numbering;

use flush_elimination::eliminate_flushes;
pub use flush_elimination::{DemandedBits, Denorms};
use legalize::legalize;
pub use legalize::{Masks, OptionalOperation};
pub use module::{Function, Module};
pub use passes::{Needs, Scheduled, prepared};
use schedule::schedule;
pub use schedule::{Step, Target};
pub use symbol::{Lanes, Symbol};
pub use value_numbering::Recorder;

use shadestep_language::num::Rounding;

/// Index of a node. Operands have smaller indices.
pub type NodeId = u32;

/// Operations on two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// fp32 sum.
    Add,
    /// fp32 difference.
    Sub,
    /// fp32 product.
    Mul,
    /// fp32 quotient.
    Div,
    /// The first if below the second, else the second.
    Min,
    /// The first if above the second, else the second.
    Max,
    /// The smaller, with -0.0 below +0.0. Any value if either is a NaN.
    MinOrNan,
    /// The larger, with +0.0 above -0.0. Any value if either is a NaN.
    MaxOrNan,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Integer sum.
    IntAdd,
    /// Integer difference.
    IntSub,
    /// Bits of the second operand that the first does not have: `!a & b`.
    AndNot,
    /// The smaller unsigned integer.
    MinUnsigned,
    /// The larger unsigned integer.
    MaxUnsigned,
    /// The smaller signed integer.
    MinSigned,
    /// The larger signed integer.
    MaxSigned,
    /// Low 32 bits of an integer product.
    IntMul,
    /// Left shift; 0 for counts of 32 and more.
    ShiftLeft,
    /// Logical right shift; 0 for counts of 32 and more.
    ShiftRight,
    /// Arithmetic right shift; all sign bits for counts of 32 and more.
    ShiftRightSigned,
}

/// 64-bit operations on two values (see [`Node::Zip`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op64 {
    /// fp64 sum.
    Add,
    /// fp64 difference.
    Sub,
    /// fp64 product.
    Mul,
    /// fp64 quotient.
    Div,
    /// All bits set if the first is less than the second, else 0.
    Lt,
    /// All bits set if the first is less than or equal to the second, else 0. A NaN gives 0.
    Le,
    /// All bits set if both are equal numbers, else 0.
    Eq,
}

/// Selects half of the lanes for a 64-bit operation, or one of the words of 64-bit values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// The first two lanes of each group of four; the low words.
    Low,
    /// The last two lanes of each group of four; the high words.
    High,
}

/// A test of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// fp32 <
    Lt,
    /// fp32 <=
    Le,
    /// fp32 ==
    Eq,
    /// At least one is a NaN.
    Unordered,
    /// Unsigned <
    LtUnsigned,
    /// Signed >
    GtSigned,
    /// Equal bits.
    BitsEq,
    /// No bit is set in both.
    Disjoint,
}

/// The outcome of a test that is of interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
    Holds,
    Fails,
}

impl Wanted {
    /// The opposite.
    pub const fn other(self) -> Self {
        match self {
            Self::Holds => Self::Fails,
            Self::Fails => Self::Holds,
        }
    }
}

/// Shifts of bits by a fixed count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shift {
    /// Left shift.
    Left,
    /// Logical right shift.
    Right,
    /// Arithmetic right shift.
    RightSigned,
}

/// A value, or a mask of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The value of a lane register before the function.
    Register(u16),
    /// A lane register of the inputs, which functions never write.
    Input(u16),
    /// A lane register whose lanes are all equal and that functions never write.
    Uniform(u16),
    /// A constant, as bits.
    Constant(u32),
    Binary(Binary, NodeId, NodeId),
    /// Square root.
    Sqrt(NodeId),
    /// Interleaves two words of half of the lanes to 64-bit values, low word first. A 64-bit value of all
    /// lanes takes two nodes.
    Zip(Half, NodeId, NodeId),
    /// The low or the high words of all lanes, from the two nodes of 64-bit values.
    Unzip(Half, NodeId, NodeId),
    /// A 64-bit operation.
    Op64(Op64, NodeId, NodeId),
    /// fp64 square root.
    WideSqrt(NodeId),
    /// Replaces any fp64 NaN by the canonical one.
    WideCanonical(NodeId),
    /// Replaces a denorm by the zero of its sign.
    Flush(NodeId),
    /// Replaces any NaN by the canonical one.
    Canonical(NodeId),
    /// Rounds to an integral number; zeros keep the sign.
    Round(Rounding, NodeId),
    /// Signed integer to fp32.
    ToFloat(NodeId),
    /// Unsigned integer to fp32.
    ToFloatUnsigned(NodeId),
    /// fp32 to a signed integer, rounded towards zero; `0x8000_0000` for values out of range.
    ToInteger(NodeId),
    /// Shifts bits by a fixed count.
    Shift(Shift, u8, NodeId),
    /// The value of another lane of the quad. Two bits select the source of each lane; lane 0 has the lowest
    /// bits.
    Quad(u8, NodeId),
    /// The second operand in lanes of the first, a mask; the third in other lanes.
    Select(NodeId, NodeId, NodeId),
    /// A mask: lanes with the wanted outcome of a test.
    Compare(Comparison, Wanted, NodeId, NodeId),
    /// A mask: intersection.
    Both(NodeId, NodeId),
    /// A mask: union.
    Either(NodeId, NodeId),
    /// A mask: complement.
    Others(NodeId),
}

impl Node {
    pub const fn is_mask(&self) -> bool {
        matches!(self, Self::Compare(..) | Self::Both(..) | Self::Either(..) | Self::Others(_))
    }

    /// Whether the node is 64-bit arithmetic, which keeps denorms.
    pub const fn is_wide(&self) -> bool {
        matches!(self, Self::Op64(..) | Self::WideSqrt(_) | Self::WideCanonical(_))
    }

    /// Whether the value is in memory or constant, so that no instruction computes it.
    pub const fn is_kept(&self) -> bool {
        matches!(self, Self::Register(_) | Self::Input(_) | Self::Uniform(_) | Self::Constant(_))
    }

    /// Replaces each operand `id` by `of(id)`.
    #[must_use]
    pub fn with_operands(self, of: impl Fn(NodeId) -> NodeId) -> Self {
        match self {
            Self::Register(_) | Self::Input(_) | Self::Uniform(_) | Self::Constant(_) => self,
            Self::Binary(binary, a, b) => Self::Binary(binary, of(a), of(b)),
            Self::Sqrt(a) => Self::Sqrt(of(a)),
            Self::Zip(half, a, b) => Self::Zip(half, of(a), of(b)),
            Self::Unzip(half, a, b) => Self::Unzip(half, of(a), of(b)),
            Self::Op64(wide, a, b) => Self::Op64(wide, of(a), of(b)),
            Self::WideSqrt(a) => Self::WideSqrt(of(a)),
            Self::WideCanonical(a) => Self::WideCanonical(of(a)),
            Self::Flush(a) => Self::Flush(of(a)),
            Self::Canonical(a) => Self::Canonical(of(a)),
            Self::Round(rounding, a) => Self::Round(rounding, of(a)),
            Self::ToFloat(a) => Self::ToFloat(of(a)),
            Self::ToFloatUnsigned(a) => Self::ToFloatUnsigned(of(a)),
            Self::ToInteger(a) => Self::ToInteger(of(a)),
            Self::Shift(shift, count, a) => Self::Shift(shift, count, of(a)),
            Self::Quad(lanes, a) => Self::Quad(lanes, of(a)),
            Self::Select(mask, yes, no) => Self::Select(of(mask), of(yes), of(no)),
            Self::Compare(comparison, wanted, a, b) => Self::Compare(comparison, wanted, of(a), of(b)),
            Self::Both(a, b) => Self::Both(of(a), of(b)),
            Self::Either(a, b) => Self::Either(of(a), of(b)),
            Self::Others(a) => Self::Others(of(a)),
        }
    }

    pub fn operands(&self) -> impl Iterator<Item = NodeId> + use<> {
        let operands = match *self {
            Self::Register(_) | Self::Input(_) | Self::Uniform(_) | Self::Constant(_) => [None; 3],
            Self::Binary(_, a, b)
            | Self::Zip(_, a, b)
            | Self::Unzip(_, a, b)
            | Self::Op64(_, a, b)
            | Self::Compare(_, _, a, b)
            | Self::Both(a, b)
            | Self::Either(a, b) => [Some(a), Some(b), None],
            Self::Sqrt(a)
            | Self::WideSqrt(a)
            | Self::WideCanonical(a)
            | Self::Flush(a)
            | Self::Canonical(a)
            | Self::Round(_, a)
            | Self::ToFloat(a)
            | Self::ToFloatUnsigned(a)
            | Self::ToInteger(a)
            | Self::Shift(_, _, a)
            | Self::Quad(_, a)
            | Self::Others(a) => [Some(a), None, None],
            Self::Select(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }
}
