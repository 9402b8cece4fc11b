//! The low-level IR. A node is one 32-bit component in all lanes of a block; it is computed once (SSA form).
//! Flushing a denorm and making a NaN canonical are operations like any other.
//!
//! The passes, one a file:
//! * [`symbol`] folds constants while it records what the component functions of [`super::ops`] do.
//! * [`record`] makes equal nodes one (common subexpressions).
//! * [`facts`] leaves out flushes of values that cannot be denorms.
//! * [`relax`] leaves out flushes that the processor does by itself, and canonicalisations that nobody sees.
//! * [`legalize`] rewrites nodes as operations that a back end has.
//! * [`schedule`] orders what is left and drops what nothing stores.
//!
//! The back ends are [`super::interpreter`] and [`super::x86`]. Texture lookups, relative references and discards
//! are no nodes: they are effects between functions, see `wide::effect`.

mod facts;
mod legalize;
mod record;
mod relax;
mod schedule;
mod symbol;

pub use legalize::{Features, legalize};
pub use record::Recorder;
pub use relax::{Denorms, Seen, relax};
pub use schedule::{Step, Target, schedule};
pub use symbol::{Lanes, Symbol};

use shadestep_language::num::Rounding;

/// Index of a node; its operands come before it.
pub type NodeId = u32;

/// What is computed of two values.
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
    /// The smaller, -0.0 below +0.0; anything if either is a NaN.
    MinOrNan,
    /// The larger, +0.0 above -0.0; anything if either is a NaN.
    MaxOrNan,
    /// Bits of both.
    And,
    /// Bits of either.
    Or,
    /// Bits of one of them.
    Xor,
    /// Integer sum.
    IntAdd,
    /// Integer difference.
    IntSub,
    /// Bits of the second only.
    AndNot,
    /// The smaller unsigned integer.
    MinUnsigned,
    /// The larger unsigned integer.
    MaxUnsigned,
    /// The smaller signed integer.
    MinSigned,
    /// The larger signed integer.
    MaxSigned,
    /// Low half of an integer product.
    IntMul,
    /// Bits shifted towards the sign; by 32 and more 0.
    ShiftLeft,
    /// Bits shifted from the sign, zeros coming in; by 32 and more 0.
    ShiftRight,
    /// Bits shifted from the sign, which comes in; by 32 and more the sign alone.
    ShiftRightSigned,
}

/// What is computed of two values of 64 bits (see [`Node::Zip`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wide {
    /// fp64 sum.
    Add,
    /// fp64 difference.
    Sub,
    /// fp64 product.
    Mul,
    /// fp64 quotient.
    Div,
    /// All bits set where the first is below the second, else none.
    Lt,
    /// All bits set where the first is not above the second, else none; none with a NaN.
    Le,
    /// All bits set where both are the same number, else none.
    Eq,
}

/// Which lanes of a vector have their values of 64 bits in another, or which words of those.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// The first two of each four lanes; the low words.
    Low,
    /// The last two; the high words.
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
    /// A NaN among them.
    Unordered,
    /// Unsigned <
    LtUnsigned,
    /// Signed >
    GtSigned,
    /// The same bits.
    BitsEq,
    /// No bit in both.
    Disjoint,
}

/// Whether a test is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// It is.
    Holds,
    /// It is not.
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
    /// Towards the sign.
    Left,
    /// From the sign, zeros coming in.
    Right,
    /// From the sign, the sign coming in.
    RightSigned,
}

/// A value, or a mask of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// What a lane register held before.
    Register(u16),
    /// What a lane register of the inputs holds, which nothing writes.
    Input(u16),
    /// What all lanes of a lane register hold, which nothing writes.
    Uniform(u16),
    /// A constant's bits.
    Constant(u32),
    /// Of two values.
    Binary(Binary, NodeId, NodeId),
    /// Square root.
    Sqrt(NodeId),
    /// 64 bits of half of the lanes: of each the first word, then the second. So a value of 64 bits is two nodes.
    Zip(Half, NodeId, NodeId),
    /// The low or the high words of all lanes, of which the operands have the first and the second half.
    Unzip(Half, NodeId, NodeId),
    /// Of two values of 64 bits.
    Wide(Wide, NodeId, NodeId),
    /// fp64 square root.
    WideSqrt(NodeId),
    /// Any fp64 NaN as the canonical one, anything else as it is.
    WideCanonical(NodeId),
    /// A denorm as a zero of its sign, anything else as it is.
    Flush(NodeId),
    /// Any NaN as the canonical one, anything else as it is.
    Canonical(NodeId),
    /// A whole number with the same sign.
    Round(Rounding, NodeId),
    /// Signed integer to fp32.
    ToFloat(NodeId),
    /// Unsigned integer to fp32.
    ToFloatUnsigned(NodeId),
    /// fp32 to a signed integer, towards zero; `0x8000_0000` for what that does not hold.
    ToInteger(NodeId),
    /// Shifted bits.
    Shift(Shift, u8, NodeId),
    /// The value of another lane of the quad: two bits for each lane, lane 0's lowest.
    Quad(u8, NodeId),
    /// The second where the first, a mask, has a lane; else the third.
    Select(NodeId, NodeId, NodeId),
    /// A mask: lanes where the test comes out as wanted.
    Compare(Comparison, Wanted, NodeId, NodeId),
    /// A mask: lanes in both.
    Both(NodeId, NodeId),
    /// A mask: lanes in either.
    Either(NodeId, NodeId),
    /// A mask: the other lanes.
    Others(NodeId),
}

impl Node {
    /// Whether it is a mask of lanes.
    pub const fn is_mask(&self) -> bool {
        matches!(self, Self::Compare(..) | Self::Both(..) | Self::Either(..) | Self::Others(_))
    }

    /// Whether it is arithmetic on 64 bits, which keeps denorms.
    pub const fn is_wide(&self) -> bool {
        matches!(self, Self::Wide(..) | Self::WideSqrt(_) | Self::WideCanonical(_))
    }

    /// Whether it can be read from where it is kept at any time.
    pub const fn is_kept(&self) -> bool {
        matches!(self, Self::Register(_) | Self::Input(_) | Self::Uniform(_) | Self::Constant(_))
    }

    /// The same of other nodes.
    #[must_use]
    pub fn with_operands(self, of: impl Fn(NodeId) -> NodeId) -> Self {
        match self {
            Self::Register(_) | Self::Input(_) | Self::Uniform(_) | Self::Constant(_) => self,
            Self::Binary(binary, a, b) => Self::Binary(binary, of(a), of(b)),
            Self::Sqrt(a) => Self::Sqrt(of(a)),
            Self::Zip(half, a, b) => Self::Zip(half, of(a), of(b)),
            Self::Unzip(half, a, b) => Self::Unzip(half, of(a), of(b)),
            Self::Wide(wide, a, b) => Self::Wide(wide, of(a), of(b)),
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

    /// The nodes that it is computed from.
    pub fn operands(&self) -> impl Iterator<Item = NodeId> + use<> {
        let operands = match *self {
            Self::Register(_) | Self::Input(_) | Self::Uniform(_) | Self::Constant(_) => [None; 3],
            Self::Binary(_, a, b)
            | Self::Zip(_, a, b)
            | Self::Unzip(_, a, b)
            | Self::Wide(_, a, b)
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
