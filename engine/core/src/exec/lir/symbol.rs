//! Constant folding. A [`Symbol`] replaces `f32` in the component functions of
//! [`shadestep_language::semantics::ops`]: a call with symbols records the function's operations as nodes. If
//! all operands of an operation are known, the same function on `f32` computes the result at once.

use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

mod double;

use double::WideSymbol;

use super::{Binary, Comparison, Node, NodeId, QuadLanes, Recorder, Shift, Wanted};
use shadestep_language::num::{Number, Rounding, Truth, Word, fp32};

/// A number or its bits: a known value, or a node.
#[derive(Clone, Copy, Debug)]
pub enum Symbol<'r> {
    /// These bits.
    Known(u32),
    /// This node.
    Node(&'r Recorder, NodeId),
}

impl<'r> Symbol<'r> {
    /// The node with this value.
    pub fn node(self, recorder: &Recorder) -> NodeId {
        match self {
            Self::Known(bits) => recorder.node(Node::Constant(bits)),
            Self::Node(_, id) => id,
        }
    }

    /// Both symbols as nodes of the same recorder, or the bits of both if both are known.
    fn together(self, other: Self) -> Result<(&'r Recorder, NodeId, NodeId), (u32, u32)> {
        match (self, other) {
            (Self::Known(a), Self::Known(b)) => Err((a, b)),
            (Self::Node(recorder, _), _) | (_, Self::Node(recorder, _)) => {
                Ok((recorder, self.node(recorder), other.node(recorder)))
            }
        }
    }

    fn binary(self, operation: Binary, other: Self, known: impl Fn(u32, u32) -> u32) -> Self {
        match self.together(other) {
            Ok((recorder, a, b)) => recorder.symbol(Node::Binary(operation, a, b)),
            Err((a, b)) => Self::Known(known(a, b)),
        }
    }

    fn of_numbers(self, operation: Binary, other: Self, known: impl Fn(f32, f32) -> f32) -> Self {
        self.binary(operation, other, |a, b| known(f32::from_bits(a), f32::from_bits(b)).to_bits())
    }

    fn unary(self, node: impl Fn(NodeId) -> Node, known: impl Fn(u32) -> u32) -> Self {
        match self {
            Self::Known(bits) => Self::Known(known(bits)),
            Self::Node(recorder, id) => recorder.symbol(node(id)),
        }
    }

    fn compare(self, comparison: Comparison, other: Self, known: impl Fn(u32, u32) -> bool) -> Lanes<'r> {
        match self.together(other) {
            Ok((recorder, a, b)) => {
                Lanes::Node(recorder, recorder.node(Node::Compare(comparison, Wanted::Holds, a, b)))
            }
            Err((a, b)) => Lanes::Known(known(a, b)),
        }
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
        self.unary(|a| Node::Quad(QuadLanes(lanes), a), |bits| bits)
    }

    /// Whether the value is known, and neither a zero nor a NaN.
    fn is_plain_constant(self) -> bool {
        matches!(self, Self::Known(bits) if f32::from_bits(bits) != 0.0 && !f32::from_bits(bits).is_nan())
    }

    /// The maximum or minimum of the specification. `total` also orders the zeros. `quick` returns its second
    /// operand unless the first is strictly beyond it.
    fn extreme(self, other: Self, quick: Binary, total: Binary, known: impl Fn(f32, f32) -> f32) -> Self {
        if self.is_plain_constant() && !matches!(other, Self::Known(_)) {
            return self.of_numbers(quick, other, known);
        }
        if other.is_plain_constant() && !matches!(self, Self::Known(_)) {
            return other.of_numbers(quick, self, known);
        }
        let ordered = self.of_numbers(total, other, &known);
        Self::choice(self.unordered(other), self + other, ordered)
    }

    fn choice(truth: Lanes<'r>, yes: Self, no: Self) -> Self {
        let (recorder, mask) = match truth {
            Lanes::Known(true) => return yes,
            Lanes::Known(false) => return no,
            Lanes::Node(recorder, mask) => (recorder, mask),
        };
        let (a, b) = (yes.node(recorder), no.node(recorder));
        if a == b {
            return yes;
        }
        // The processor's own minimum and maximum.
        if let Node::Compare(Comparison::Lt, Wanted::Holds, low, high) = recorder.at(mask) {
            if (a, b) == (low, high) {
                return recorder.symbol(Node::Binary(Binary::Min, low, high));
            }
            if (a, b) == (high, low) {
                return recorder.symbol(Node::Binary(Binary::Max, high, low));
            }
        }
        // Zero in lanes outside a mask costs no instruction.
        if matches!(yes, Self::Known(0))
            && let Lanes::Node(_, others) = !truth
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
    fn sqrt(self) -> Self {
        self.unary(Node::Sqrt, |bits| f32::from_bits(bits).sqrt().to_bits())
    }
    fn lt(self, other: Self) -> Lanes<'r> {
        self.compare_numbers(Comparison::Lt, other, |a, b| a < b)
    }
    fn le(self, other: Self) -> Lanes<'r> {
        self.compare_numbers(Comparison::Le, other, |a, b| a <= b)
    }
    fn eq(self, other: Self) -> Lanes<'r> {
        self.compare_numbers(Comparison::Eq, other, |a, b| a == b)
    }
    fn ne(self, other: Self) -> Lanes<'r> {
        !self.eq(other)
    }
    fn unordered(self, other: Self) -> Lanes<'r> {
        self.compare_numbers(Comparison::Unordered, other, |a, b| a.unordered(b))
    }
    fn select(truth: Lanes<'r>, yes: Self, no: Self) -> Self {
        Self::choice(truth, yes, no)
    }
    fn rounded(self, rounding: Rounding) -> Self {
        self.unary(|a| Node::Round(rounding, a), |bits| f32::from_bits(bits).rounded(rounding).to_bits())
    }
    fn truncated(self) -> Self {
        self.unary(Node::ToInteger, |bits| f32::from_bits(bits).truncated())
    }
    fn max_or_nan(self, other: Self) -> Self {
        self.extreme(other, Binary::Max, Binary::MaxOrNan, f32::max_or_nan)
    }
    fn min_or_nan(self, other: Self) -> Self {
        self.extreme(other, Binary::Min, Binary::MinOrNan, f32::min_or_nan)
    }
    fn flush(self) -> Self {
        match self {
            Self::Node(recorder, id) if recorder.facts(id).never_denorm() => self,
            _ => self.unary(Node::Flush, |bits| fp32::flush(f32::from_bits(bits)).to_bits()),
        }
    }
    fn canonical(self) -> Self {
        match self {
            Self::Node(recorder, id) if recorder.facts(id).never_other_nan => self,
            _ => self.unary(Node::Canonical, |bits| fp32::canonical(f32::from_bits(bits)).to_bits()),
        }
    }
}

/// Methods that are one operation on two values.
macro_rules! binary {
    ($($function:ident $binary:ident;)*) => {
        $(fn $function(self, other: Self) -> Self {
            self.binary(Binary::$binary, other, <u32 as Word>::$function)
        })*
    };
}

impl<'r> Word for Symbol<'r> {
    type Number = Self;
    type Double = WideSymbol<'r>;
    type Truth = Lanes<'r>;

    fn double(words: [Self; 2]) -> WideSymbol<'r> {
        WideSymbol::of_words(words)
    }

    fn of(bits: u32) -> Self {
        Self::Known(bits)
    }
    fn number(self) -> Self {
        self
    }
    binary! {
        wrapping_add IntAdd;
        wrapping_sub IntSub;
        wrapping_mul IntMul;
        shl_by ShiftLeft;
        shr_by ShiftRight;
        sar_by ShiftRightSigned;
        min_signed MinSigned;
        max_signed MaxSigned;
        min_unsigned MinUnsigned;
        max_unsigned MaxUnsigned;
    }
    fn shl<const COUNT: u32>(self) -> Self {
        self.unary(|a| Node::Shift(Shift::Left, COUNT as u8, a), |bits| bits.shl::<COUNT>())
    }
    fn shr<const COUNT: u32>(self) -> Self {
        if COUNT == 0 {
            return self;
        }
        self.unary(|a| Node::Shift(Shift::Right, COUNT as u8, a), |bits| bits.shr::<COUNT>())
    }
    fn sar<const COUNT: u32>(self) -> Self {
        self.unary(|a| Node::Shift(Shift::RightSigned, COUNT as u8, a), |bits| bits.sar::<COUNT>())
    }
    fn lt_signed(self, other: Self) -> Lanes<'r> {
        other.compare(Comparison::GtSigned, self, |a, b| a.cast_signed() > b.cast_signed())
    }
    fn lt_unsigned(self, other: Self) -> Lanes<'r> {
        self.compare(Comparison::LtUnsigned, other, |a, b| a < b)
    }
    fn bits_eq(self, other: Self) -> Lanes<'r> {
        // A test of masked bits for zero is one instruction.
        if let (Self::Node(recorder, id), Self::Known(0)) = (self, other)
            && let Node::Binary(Binary::And, a, b) = recorder.at(id)
        {
            let node = Node::Compare(Comparison::Disjoint, Wanted::Holds, a, b);
            return Lanes::Node(recorder, recorder.node(node));
        }
        self.compare(Comparison::BitsEq, other, |a, b| a == b)
    }
    fn select(truth: Lanes<'r>, yes: Self, no: Self) -> Self {
        Self::choice(truth, yes, no)
    }
    fn to_float(self) -> Self {
        self.unary(Node::ToFloat, |bits| bits.to_float().to_bits())
    }
    fn to_float_unsigned(self) -> Self {
        self.unary(Node::ToFloatUnsigned, |bits| bits.to_float_unsigned().to_bits())
    }
}

/// Lanes in which a comparison holds: all, none, or a mask node.
#[derive(Clone, Copy, Debug)]
pub enum Lanes<'r> {
    /// All or none.
    Known(bool),
    /// This node, a mask.
    Node(&'r Recorder, NodeId),
}

impl Lanes<'_> {
    /// The mask node of these lanes.
    pub fn node(self, recorder: &Recorder) -> NodeId {
        match self {
            Self::Known(all) => {
                // A comparison of two constants, with this result in every lane.
                let zero = recorder.node(Node::Constant(0));
                let wanted = if all { Wanted::Holds } else { Wanted::Fails };
                recorder.node(Node::Compare(Comparison::BitsEq, wanted, zero, zero))
            }
            Self::Node(_, id) => id,
        }
    }
}

impl Truth for Lanes<'_> {}

impl Not for Lanes<'_> {
    type Output = Self;
    fn not(self) -> Self {
        match self {
            Self::Known(known) => Self::Known(!known),
            Self::Node(recorder, id) => {
                let node = match recorder.at(id) {
                    Node::Compare(comparison, wanted, a, b) => {
                        Node::Compare(comparison, wanted.other(), a, b)
                    }
                    Node::Others(mask) => return Self::Node(recorder, mask),
                    _ => Node::Others(id),
                };
                Self::Node(recorder, recorder.node(node))
            }
        }
    }
}

impl BitAnd for Lanes<'_> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(false), _) | (_, Self::Known(false)) => Self::Known(false),
            (Self::Known(true), lanes) | (lanes, Self::Known(true)) => lanes,
            (Self::Node(recorder, a), Self::Node(_, b)) => {
                Self::Node(recorder, recorder.node(Node::Both(a, b)))
            }
        }
    }
}

impl BitOr for Lanes<'_> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        match (self, other) {
            (Self::Known(true), _) | (_, Self::Known(true)) => Self::Known(true),
            (Self::Known(false), lanes) | (lanes, Self::Known(false)) => lanes,
            (Self::Node(recorder, a), Self::Node(_, b)) => {
                Self::Node(recorder, recorder.node(Node::Either(a, b)))
            }
        }
    }
}
