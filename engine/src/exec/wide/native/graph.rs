//! The values of a run of operations as a graph: each computed once, from rows, constants and other values.
//!
//! [`Recorder`] collects nodes; equal ones are one. A [`Symbol`] stands where the component functions of
//! [`crate::exec::ops`] have an `f32`, so that carrying out such a function on symbols records what it
//! computes. What is known already is computed at once, by the same functions on `f32`s.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

use crate::num::{Number, Truth, Word};

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
    Smaller,
    /// The larger, +0.0 above -0.0; anything if either is a NaN.
    Larger,
    /// Bits of both.
    And,
    /// Bits of either.
    Or,
    /// Bits of one of them.
    Xor,
    /// Integer sum.
    Plus,
    /// Integer difference.
    Minus,
    /// Bits of the second only.
    AndNot,
    /// The smaller unsigned integer.
    MinUnsigned,
    /// The larger unsigned integer.
    MaxUnsigned,
}

/// A test of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// fp32 <
    Below,
    /// fp32 <=
    AtMost,
    /// fp32 ==
    Equals,
    /// A NaN among them.
    Unordered,
    /// Unsigned <
    Under,
    /// Signed >
    AboveSigned,
    /// The same bits.
    Same,
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
    const fn other(self) -> Self {
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
    Up,
    /// From the sign, zeros coming in.
    Down,
    /// From the sign, the sign coming in.
    DownSigned,
}

/// A value, or a mask of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// What a row held before.
    Row(u16),
    /// What a row of the inputs holds, which nothing writes.
    Input(u16),
    /// What all lanes of a row hold, which nothing writes.
    Uniform(u16),
    /// A constant's bits.
    Constant(u32),
    /// Of two values.
    Binary(Binary, NodeId, NodeId),
    /// Square root.
    Root(NodeId),
    /// Signed integer to fp32.
    Integer(NodeId),
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
    /// A mask: lanes with a denorm or a NaN.
    Suspects(NodeId),
}

impl Node {
    /// Whether it is a mask of lanes.
    pub const fn is_mask(&self) -> bool {
        matches!(
            self,
            Self::Compare(..) | Self::Both(..) | Self::Either(..) | Self::Others(_) | Self::Suspects(_)
        )
    }

    /// Whether it can be read from where it is kept at any time.
    pub const fn is_kept(&self) -> bool {
        matches!(self, Self::Row(_) | Self::Input(_) | Self::Uniform(_) | Self::Constant(_))
    }

    /// The nodes that it is computed from.
    pub fn operands(&self) -> impl Iterator<Item = NodeId> + use<> {
        let operands = match *self {
            Self::Row(_) | Self::Input(_) | Self::Uniform(_) | Self::Constant(_) => [None; 3],
            Self::Binary(_, a, b) | Self::Compare(_, _, a, b) | Self::Both(a, b) | Self::Either(a, b) => {
                [Some(a), Some(b), None]
            }
            Self::Root(a)
            | Self::Integer(a)
            | Self::Shift(_, _, a)
            | Self::Quad(_, a)
            | Self::Others(a)
            | Self::Suspects(a) => [Some(a), None, None],
            Self::Select(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }
}

/// Nodes as they are recorded.
#[derive(Debug, Default)]
pub struct Recorder {
    nodes: RefCell<Vec<Node>>,
    known: RefCell<HashMap<Node, NodeId>>,
}

impl Recorder {
    /// The nodes, each after its operands.
    pub fn into_nodes(self) -> Vec<Node> {
        self.nodes.into_inner()
    }

    /// The node, recorded if it is a new one.
    pub fn node(&self, node: Node) -> NodeId {
        *self.known.borrow_mut().entry(node).or_insert_with(|| {
            let mut nodes = self.nodes.borrow_mut();
            nodes.push(node);
            nodes.len() as NodeId - 1
        })
    }

    /// It as a number.
    pub fn symbol(&self, node: Node) -> Symbol<'_> {
        Symbol::Place(self, self.node(node))
    }

    /// A node that was recorded.
    pub fn at(&self, id: NodeId) -> Node {
        self.nodes.borrow()[id as usize]
    }
}

/// A number or its bits: known, or the node that will have it.
#[derive(Clone, Copy, Debug)]
pub enum Symbol<'r> {
    /// These bits.
    Known(u32),
    /// This node.
    Place(&'r Recorder, NodeId),
    /// What is not recorded: [`Number::computed`], and constants that come to a denorm.
    Foreign,
}

impl<'r> Symbol<'r> {
    /// The node that has it; none for what is foreign.
    pub fn place(self, recorder: &Recorder) -> Option<NodeId> {
        match self {
            Self::Known(bits) => Some(recorder.node(Node::Constant(bits))),
            Self::Place(_, id) => Some(id),
            Self::Foreign => None,
        }
    }

    /// The recorder of either, with both in it; none where nothing is to be recorded.
    fn together(self, other: Self) -> Option<(&'r Recorder, NodeId, NodeId)> {
        let recorder = match (self, other) {
            (Self::Place(recorder, _), _) | (_, Self::Place(recorder, _)) => recorder,
            _ => return None,
        };
        Some((recorder, self.place(recorder)?, other.place(recorder)?))
    }

    fn binary(self, operation: Binary, other: Self, known: impl Fn(u32, u32) -> u32) -> Self {
        if let (Self::Known(a), Self::Known(b)) = (self, other) {
            return Self::Known(known(a, b));
        }
        self.together(other)
            .map_or(Self::Foreign, |(recorder, a, b)| recorder.symbol(Node::Binary(operation, a, b)))
    }

    fn of_numbers(self, operation: Binary, other: Self, known: impl Fn(f32, f32) -> f32) -> Self {
        if let (Self::Known(a), Self::Known(b)) = (self, other) {
            let number = known(f32::from_bits(a), f32::from_bits(b));
            // Nobody would notice when the program runs, and it is not what the full arithmetic gives.
            return if number.is_subnormal() { Self::Foreign } else { Self::Known(number.to_bits()) };
        }
        self.together(other)
            .map_or(Self::Foreign, |(recorder, a, b)| recorder.symbol(Node::Binary(operation, a, b)))
    }

    fn unary(self, node: impl Fn(NodeId) -> Node, known: impl Fn(u32) -> u32) -> Self {
        match self {
            Self::Known(bits) => Self::Known(known(bits)),
            Self::Place(recorder, id) => recorder.symbol(node(id)),
            Self::Foreign => Self::Foreign,
        }
    }

    fn compare(self, comparison: Comparison, other: Self, known: impl Fn(u32, u32) -> bool) -> Lanes<'r> {
        if let (Self::Known(a), Self::Known(b)) = (self, other) {
            return Lanes::Known(known(a, b));
        }
        self.together(other).map_or(Lanes::Foreign, |(recorder, a, b)| {
            Lanes::Place(recorder, recorder.node(Node::Compare(comparison, Wanted::Holds, a, b)))
        })
    }

    fn compare_numbers(
        self,
        comparison: Comparison,
        other: Self,
        known: impl Fn(f32, f32) -> bool,
    ) -> Lanes<'r> {
        self.compare(comparison, other, |a, b| known(f32::from_bits(a), f32::from_bits(b)))
    }

    /// The value of another lane of the quad; see [`Node::Quad`].
    pub fn neighbour(self, lanes: u8) -> Self {
        self.unary(|a| Node::Quad(lanes, a), |bits| bits)
    }

    /// Lanes in which it is a denorm or a NaN.
    pub fn suspects(self) -> Lanes<'r> {
        match self {
            Self::Known(bits) => {
                Lanes::Known(f32::from_bits(bits).is_subnormal() || f32::from_bits(bits).is_nan())
            }
            Self::Place(recorder, id) => Lanes::Place(recorder, recorder.node(Node::Suspects(id))),
            Self::Foreign => Lanes::Foreign,
        }
    }

    /// Whether it is a number that is neither a zero nor a NaN.
    fn is_plain_constant(self) -> bool {
        matches!(self, Self::Known(bits) if f32::from_bits(bits) != 0.0 && !f32::from_bits(bits).is_nan())
    }

    /// The larger or the smaller by the text: `total` orders the zeros, too, `quick` gives its second where the
    /// first is not strictly beyond it.
    fn extreme(self, other: Self, quick: Binary, total: Binary, known: impl Fn(f32, f32) -> f32) -> Self {
        if self.is_plain_constant() && !matches!(other, Self::Known(_)) {
            return self.of_numbers(quick, other, known);
        }
        if other.is_plain_constant() && !matches!(self, Self::Known(_)) {
            return other.of_numbers(quick, self, known);
        }
        let ordered = self.of_numbers(total, other, &known);
        Self::select(self.unordered(other), self + other, ordered)
    }

    fn choice(truth: Lanes<'r>, yes: Self, no: Self) -> Self {
        let (recorder, mask) = match truth {
            Lanes::Known(true) => return yes,
            Lanes::Known(false) => return no,
            Lanes::Place(recorder, mask) => (recorder, mask),
            Lanes::Foreign => return Self::Foreign,
        };
        let (Some(a), Some(b)) = (yes.place(recorder), no.place(recorder)) else { return Self::Foreign };
        if a == b {
            return yes;
        }
        // What the processor's own minimum and maximum do.
        if let Node::Compare(Comparison::Below, Wanted::Holds, low, high) = recorder.at(mask) {
            if (a, b) == (low, high) {
                return recorder.symbol(Node::Binary(Binary::Min, low, high));
            }
            if (a, b) == (high, low) {
                return recorder.symbol(Node::Binary(Binary::Max, high, low));
            }
        }
        // Zeros come for free where a mask has no lane.
        if matches!(yes, Self::Known(0))
            && let Lanes::Place(_, others) = !truth
        {
            return recorder.symbol(Node::Select(others, b, a));
        }
        recorder.symbol(Node::Select(mask, a, b))
    }
}

macro_rules! arithmetic {
    ($($operator:ident $function:ident $binary:ident;)*) => {
        $(impl $operator for Symbol<'_> {
            type Output = Self;
            fn $function(self, other: Self) -> Self {
                self.of_numbers(Binary::$binary, other, |a, b| a.$function(b))
            }
        })*
    };
}
arithmetic! { Add add Add; Sub sub Sub; Mul mul Mul; Div div Div; }

impl BitAnd for Symbol<'_> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        self.binary(Binary::And, other, |a, b| a & b)
    }
}

impl BitOr for Symbol<'_> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.binary(Binary::Or, other, |a, b| a | b)
    }
}

impl BitXor for Symbol<'_> {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        self.binary(Binary::Xor, other, |a, b| a ^ b)
    }
}

impl Not for Symbol<'_> {
    type Output = Self;
    fn not(self) -> Self {
        self ^ Self::Known(u32::MAX)
    }
}

impl Neg for Symbol<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self ^ Self::Known(0x8000_0000)
    }
}

impl<'r> Number for Symbol<'r> {
    type Bits = Self;
    type Truth = Lanes<'r>;

    fn of(value: f32) -> Self {
        Self::Known(value.to_bits())
    }
    fn bits(self) -> Self {
        self
    }
    fn root(self) -> Self {
        self.unary(Node::Root, |bits| f32::from_bits(bits).sqrt().to_bits())
    }
    fn below(self, other: Self) -> Lanes<'r> {
        self.compare_numbers(Comparison::Below, other, |a, b| a < b)
    }
    fn at_most(self, other: Self) -> Lanes<'r> {
        self.compare_numbers(Comparison::AtMost, other, |a, b| a <= b)
    }
    fn equals(self, other: Self) -> Lanes<'r> {
        self.compare_numbers(Comparison::Equals, other, |a, b| a == b)
    }
    fn differs(self, other: Self) -> Lanes<'r> {
        !self.equals(other)
    }
    fn unordered(self, other: Self) -> Lanes<'r> {
        self.compare_numbers(Comparison::Unordered, other, |a, b| a.unordered(b))
    }
    fn select(truth: Lanes<'r>, yes: Self, no: Self) -> Self {
        Self::choice(truth, yes, no)
    }
    fn larger(self, other: Self) -> Self {
        self.extreme(other, Binary::Max, Binary::Larger, f32::larger)
    }
    fn smaller(self, other: Self) -> Self {
        self.extreme(other, Binary::Min, Binary::Smaller, f32::smaller)
    }
    fn computed<const N: usize>(_: [Self; N], _: fn([f32; N]) -> f32) -> Self {
        Self::Foreign
    }
}

impl<'r> Word for Symbol<'r> {
    type Number = Self;
    type Truth = Lanes<'r>;

    fn of(bits: u32) -> Self {
        Self::Known(bits)
    }
    fn number(self) -> Self {
        self
    }
    fn plus(self, other: Self) -> Self {
        self.binary(Binary::Plus, other, u32::wrapping_add)
    }
    fn minus(self, other: Self) -> Self {
        self.binary(Binary::Minus, other, u32::wrapping_sub)
    }
    fn up<const COUNT: u32>(self) -> Self {
        self.unary(|a| Node::Shift(Shift::Up, COUNT as u8, a), |bits| bits.up::<COUNT>())
    }
    fn down<const COUNT: u32>(self) -> Self {
        self.unary(|a| Node::Shift(Shift::Down, COUNT as u8, a), |bits| bits.down::<COUNT>())
    }
    fn down_signed<const COUNT: u32>(self) -> Self {
        self.unary(|a| Node::Shift(Shift::DownSigned, COUNT as u8, a), |bits| bits.down_signed::<COUNT>())
    }
    fn under(self, other: Self) -> Lanes<'r> {
        self.compare(Comparison::Under, other, |a, b| a < b)
    }
    fn same(self, other: Self) -> Lanes<'r> {
        // Of bits that a mask leaves, none: one test.
        if let (Self::Place(recorder, id), Self::Known(0)) = (self, other)
            && let Node::Binary(Binary::And, a, b) = recorder.at(id)
        {
            let node = Node::Compare(Comparison::Disjoint, Wanted::Holds, a, b);
            return Lanes::Place(recorder, recorder.node(node));
        }
        self.compare(Comparison::Same, other, |a, b| a == b)
    }
    fn choose(truth: Lanes<'r>, yes: Self, no: Self) -> Self {
        Self::choice(truth, yes, no)
    }
    fn integer(self) -> Self {
        self.unary(Node::Integer, |bits| bits.integer().to_bits())
    }
}

/// Lanes in which a comparison holds: known to be all or none, or the node that will have them.
#[derive(Clone, Copy, Debug)]
pub enum Lanes<'r> {
    /// All or none.
    Known(bool),
    /// This node, a mask.
    Place(&'r Recorder, NodeId),
    /// As [`Symbol::Foreign`].
    Foreign,
}

impl Lanes<'_> {
    /// The node that has them; none for what is foreign.
    pub fn place(self, recorder: &Recorder) -> Option<NodeId> {
        match self {
            Self::Known(all) => {
                // Of two constants: the mask of a comparison that comes out like this everywhere.
                let zero = recorder.node(Node::Constant(0));
                let wanted = if all { Wanted::Holds } else { Wanted::Fails };
                Some(recorder.node(Node::Compare(Comparison::Same, wanted, zero, zero)))
            }
            Self::Place(_, id) => Some(id),
            Self::Foreign => None,
        }
    }
}

impl Truth for Lanes<'_> {}

impl Not for Lanes<'_> {
    type Output = Self;
    fn not(self) -> Self {
        match self {
            Self::Known(known) => Self::Known(!known),
            Self::Place(recorder, id) => {
                let node = match recorder.at(id) {
                    Node::Compare(comparison, wanted, a, b) => {
                        Node::Compare(comparison, wanted.other(), a, b)
                    }
                    Node::Others(mask) => return Self::Place(recorder, mask),
                    _ => Node::Others(id),
                };
                Self::Place(recorder, recorder.node(node))
            }
            Self::Foreign => Self::Foreign,
        }
    }
}

impl BitAnd for Lanes<'_> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        match (self, other) {
            (Self::Foreign, _) | (_, Self::Foreign) => Self::Foreign,
            (Self::Known(false), _) | (_, Self::Known(false)) => Self::Known(false),
            (Self::Known(true), lanes) | (lanes, Self::Known(true)) => lanes,
            (Self::Place(recorder, a), Self::Place(_, b)) => {
                Self::Place(recorder, recorder.node(Node::Both(a, b)))
            }
        }
    }
}

impl BitOr for Lanes<'_> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        match (self, other) {
            (Self::Foreign, _) | (_, Self::Foreign) => Self::Foreign,
            (Self::Known(true), _) | (_, Self::Known(true)) => Self::Known(true),
            (Self::Known(false), lanes) | (lanes, Self::Known(false)) => lanes,
            (Self::Place(recorder, a), Self::Place(_, b)) => {
                Self::Place(recorder, recorder.node(Node::Either(a, b)))
            }
        }
    }
}
