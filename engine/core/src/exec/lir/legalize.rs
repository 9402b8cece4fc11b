//! Rewrites nodes as the operations that a back end has.
//!
//! A back end may lack any [`OptionalOperation`], and may have masks in vectors ([`Masks::Vectors`]). There,
//! a rewritten mask has a node and an `inverted` flag, so only users that need the actual bits pay for a NOT.

use super::{Binary, Comparison, Function, Half, Node, NodeId, Op64, Recorder, Shift, Wanted};
use shadestep_language::num::{fp32, fp64};

/// The form of masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masks {
    /// A mask is a value of its own kind, with operations of its own.
    Own,
    /// A mask is a vector with lanes of all ones or all zeros. Bit operations replace the operations on
    /// masks, and integer comparisons can only hold.
    Vectors,
}

shadestep_language::named_enum! {
    /// Operations that a back end may lack.
    pub enum OptionalOperation {
        /// [`Node::Flush`]
        Flush = "flush",
        /// [`Node::Canonical`] and [`Node::WideCanonical`]
        Canonical = "canonical",
        /// [`Binary::MinOrNan`] and [`Binary::MaxOrNan`]
        ExtremesOrNan = "extremes_or_nan",
        /// [`Node::ToFloatUnsigned`]
        ToFloatUnsigned = "to_float_unsigned",
        /// [`Comparison::LtUnsigned`]
        LtUnsigned = "lt_unsigned",
        /// [`Comparison::Disjoint`]
        Disjoint = "disjoint",
    }
}

impl OptionalOperation {
    /// The optional operation that `node` is.
    pub const fn of(node: &Node) -> Option<Self> {
        match node {
            Node::Flush(_) => Some(Self::Flush),
            Node::Canonical(_) | Node::WideCanonical(_) => Some(Self::Canonical),
            Node::Binary(Binary::MinOrNan | Binary::MaxOrNan, ..) => Some(Self::ExtremesOrNan),
            Node::ToFloatUnsigned(_) => Some(Self::ToFloatUnsigned),
            Node::Compare(Comparison::LtUnsigned, ..) => Some(Self::LtUnsigned),
            Node::Compare(Comparison::Disjoint, ..) => Some(Self::Disjoint),
            _ => None,
        }
    }
}

/// Rewrites `function` for a back end that has the optional operations in `legal`.
pub fn legalize(
    Function { nodes, stores }: &Function,
    masks: Masks,
    legal: &[OptionalOperation],
) -> Function {
    let mut pass = Legalizer { nodes, masks, legal, recorder: Recorder::default(), values: Vec::new() };
    for &node in nodes {
        let value = pass.value(node);
        pass.values.push(value);
    }
    let stores = stores.iter().map(|&(target, value)| {
        let value = pass.values[value as usize];
        (target, pass.turned(value))
    });
    let stores = stores.collect();
    Function { nodes: pass.recorder.into_nodes(), stores }
}

const SIGN: u32 = 0x8000_0000;
const EXPONENT: u32 = 0x7F80_0000;

/// A node with a value, or with the complement of a mask.
#[derive(Clone, Copy)]
struct Value {
    node: NodeId,
    inverted: bool,
}

struct Legalizer<'a> {
    nodes: &'a [Node],
    masks: Masks,
    legal: &'a [OptionalOperation],
    recorder: Recorder,
    /// The rewritten value of each node.
    values: Vec<Value>,
}

impl Legalizer<'_> {
    fn has(&self, operation: OptionalOperation) -> bool {
        self.legal.contains(&operation)
    }

    fn constant(&self, bits: u32) -> NodeId {
        self.recorder.node(Node::Constant(bits))
    }

    fn binary(&self, binary: Binary, a: NodeId, b: NodeId) -> NodeId {
        self.recorder.node(Node::Binary(binary, a, b))
    }

    /// A mask: the lanes in which a comparison holds.
    fn compare(&self, comparison: Comparison, a: NodeId, b: NodeId) -> NodeId {
        self.recorder.node(Node::Compare(comparison, Wanted::Holds, a, b))
    }

    /// The rewritten node of a value that is not a mask.
    fn number(&self, id: NodeId) -> NodeId {
        self.values[id as usize].node
    }

    /// A node with the actual bits of a value.
    fn turned(&self, Value { node, inverted }: Value) -> NodeId {
        if inverted { self.binary(Binary::Xor, node, self.constant(u32::MAX)) } else { node }
    }

    fn canonical(&self, a: NodeId) -> NodeId {
        let unordered = self.compare(Comparison::Unordered, a, a);
        self.recorder.node(Node::Select(unordered, self.constant(fp32::NAN_BITS), a))
    }

    /// Canonicalises 64-bit NaNs. The result of a 64-bit comparison is a vector.
    fn wide_canonical(&self, a: NodeId) -> NodeId {
        let [low, high] =
            [fp64::NAN_BITS as u32, (fp64::NAN_BITS >> 32) as u32].map(|word| self.constant(word));
        let nan = self.recorder.node(Node::Zip(Half::Low, low, high));
        let is_number = self.recorder.node(Node::Op64(Op64::Eq, a, a));
        self.binary(
            Binary::Or,
            self.binary(Binary::And, is_number, a),
            self.binary(Binary::AndNot, is_number, nan),
        )
    }

    fn value(&self, node: Node) -> Value {
        let plain = |node| Value { node, inverted: false };
        match node {
            Node::Binary(Binary::MinOrNan, a, b) if !self.has(OptionalOperation::ExtremesOrNan) => {
                plain(self.extremes(Binary::Min, Binary::Or, self.number(a), self.number(b)))
            }
            Node::Binary(Binary::MaxOrNan, a, b) if !self.has(OptionalOperation::ExtremesOrNan) => {
                plain(self.extremes(Binary::Max, Binary::And, self.number(a), self.number(b)))
            }
            Node::Flush(a) if !self.has(OptionalOperation::Flush) => plain(self.flush(self.number(a))),
            Node::ToFloatUnsigned(a) if !self.has(OptionalOperation::ToFloatUnsigned) => {
                plain(self.unsigned_to_float(self.number(a)))
            }
            Node::Canonical(a) if !self.has(OptionalOperation::Canonical) => {
                plain(self.canonical(self.number(a)))
            }
            Node::WideCanonical(a) if !self.has(OptionalOperation::Canonical) => {
                plain(self.wide_canonical(self.number(a)))
            }
            Node::Compare(comparison, wanted, a, b) => {
                self.comparison(comparison, wanted, self.number(a), self.number(b))
            }
            _ if self.masks == Masks::Own => plain(self.same(node)),
            Node::Select(mask, yes, no) => plain(self.select(mask, yes, no)),
            Node::Both(a, b) => self.both(self.values[a as usize], self.values[b as usize]),
            Node::Either(a, b) => {
                // The union is the complement of the intersection of the complements.
                let others = |id| self.other_lanes(self.values[id as usize]);
                self.either_unordered(a, b)
                    .map_or_else(|| self.other_lanes(self.both(others(a), others(b))), plain)
            }
            Node::Others(mask) => self.other_lanes(self.values[mask as usize]),
            Node::Register(_)
            | Node::Result(_)
            | Node::Input(_)
            | Node::Uniform(_)
            | Node::Constant(_)
            | Node::Binary(..)
            | Node::Sqrt(_)
            | Node::Zip(..)
            | Node::Unzip(..)
            | Node::Op64(..)
            | Node::WideSqrt(_)
            | Node::WideCanonical(_)
            | Node::Flush(_)
            | Node::Canonical(_)
            | Node::Round(..)
            | Node::ToFloat(_)
            | Node::ToFloatUnsigned(_)
            | Node::ToInteger(_)
            | Node::Shift(..)
            | Node::Quad(..) => plain(self.same(node)),
        }
    }

    /// The same operation on rewritten operands.
    fn same(&self, node: Node) -> NodeId {
        self.recorder.node(node.with_operands(|id| self.number(id)))
    }

    fn flush(&self, a: NodeId) -> NodeId {
        match self.masks {
            Masks::Own => {
                let tiny = self.comparison(Comparison::Disjoint, Wanted::Holds, a, self.constant(EXPONENT));
                let zero = self.binary(Binary::And, a, self.constant(SIGN));
                self.recorder.node(Node::Select(tiny.node, zero, a))
            }
            Masks::Vectors => {
                let exponent = self.binary(Binary::And, a, self.constant(EXPONENT));
                let tiny = self.compare(Comparison::BitsEq, exponent, self.constant(0));
                let cleared = self.binary(Binary::And, tiny, self.constant(!SIGN));
                self.binary(Binary::AndNot, cleared, a)
            }
        }
    }

    /// Converts the high and low halves exactly. Only their sum is rounded.
    fn unsigned_to_float(&self, a: NodeId) -> NodeId {
        let signed = |a: NodeId| self.recorder.node(Node::ToFloat(a));
        if self.is_positive(a) {
            return signed(a);
        }
        let high = signed(self.recorder.node(Node::Shift(Shift::Right, 16, a)));
        let low = signed(self.binary(Binary::And, a, self.constant(0xFFFF)));
        let high = self.binary(Binary::Mul, high, self.constant(65_536.0_f32.to_bits()));
        self.binary(Binary::Add, high, low)
    }

    fn other_lanes(&self, Value { node, inverted }: Value) -> Value {
        Value { node, inverted: !inverted }
    }

    /// Applies `extreme` in both orders and merges the results. The operation returns its second operand for
    /// two zeros, so the merge combines the signs.
    fn extremes(&self, extreme: Binary, merge: Binary, a: NodeId, b: NodeId) -> NodeId {
        self.binary(merge, self.binary(extreme, a, b), self.binary(extreme, b, a))
    }

    fn comparison(&self, comparison: Comparison, wanted: Wanted, a: NodeId, b: NodeId) -> Value {
        match comparison {
            Comparison::Disjoint if !self.has(OptionalOperation::Disjoint) => {
                let both = self.binary(Binary::And, a, b);
                self.test(Comparison::BitsEq, wanted, both, self.constant(0))
            }
            Comparison::LtUnsigned if !self.has(OptionalOperation::LtUnsigned) => self.below(wanted, a, b),
            _ => self.test(comparison, wanted, a, b),
        }
    }

    /// A mask: the lanes with this outcome of a comparison that the back end has.
    fn test(&self, comparison: Comparison, wanted: Wanted, a: NodeId, b: NodeId) -> Value {
        let is_of_numbers =
            matches!(comparison, Comparison::Lt | Comparison::Le | Comparison::Eq | Comparison::Unordered);
        if is_of_numbers || self.masks == Masks::Own {
            let node = self.recorder.node(Node::Compare(comparison, wanted, a, b));
            return Value { node, inverted: false };
        }
        Value { node: self.compare(comparison, a, b), inverted: wanted == Wanted::Fails }
    }

    /// Compares unsigned integers by other comparisons.
    fn below(&self, wanted: Wanted, a: NodeId, b: NodeId) -> Value {
        if self.is_positive(a) && self.is_positive(b) {
            return self.test(Comparison::GtSigned, wanted, b, a);
        }
        match self.recorder.at(b) {
            Node::Constant(end @ 1..) => {
                // Less than `end` means at most `end - 1`.
                let last = self.constant(end - 1);
                self.test(Comparison::BitsEq, wanted, self.binary(Binary::MinUnsigned, a, last), a)
            }
            _ => {
                // `a < b` is the complement of `a >= b`.
                let larger = self.binary(Binary::MaxUnsigned, a, b);
                self.test(Comparison::BitsEq, wanted.other(), larger, a)
            }
        }
    }

    /// Whether the sign bit is known to be clear.
    fn is_positive(&self, id: NodeId) -> bool {
        match self.recorder.at(id) {
            Node::Constant(bits) => bits >> 31 == 0,
            Node::Binary(Binary::And, a, b) => self.is_positive(a) || self.is_positive(b),
            Node::Shift(Shift::Right, 1.., _) => true,
            Node::Binary(Binary::MinUnsigned, a, b) => self.is_positive(a) || self.is_positive(b),
            Node::Binary(Binary::MaxUnsigned, a, b) => self.is_positive(a) && self.is_positive(b),
            _ => false,
        }
    }

    fn both(&self, a: Value, b: Value) -> Value {
        let (node, inverted) = match (a.inverted, b.inverted) {
            (false, false) => (self.binary(Binary::And, a.node, b.node), false),
            (true, false) => (self.binary(Binary::AndNot, a.node, b.node), false),
            (false, true) => (self.binary(Binary::AndNot, b.node, a.node), false),
            (true, true) => (self.binary(Binary::Or, a.node, b.node), true),
        };
        Value { node, inverted }
    }

    /// A mask of lanes with a NaN in one of two values, from two separate tests: one comparison of both
    /// values.
    fn either_unordered(&self, a: NodeId, b: NodeId) -> Option<NodeId> {
        let lone = |id: NodeId| {
            let Value { node, inverted: false } = self.values[id as usize] else { return None };
            match self.recorder.at(node) {
                Node::Compare(Comparison::Unordered, Wanted::Holds, a, b) if a == b => Some(a),
                _ => None,
            }
        };
        let second = lone(b)?;
        if let Some(first) = lone(a) {
            return Some(self.compare(Comparison::Unordered, first, second));
        }
        // The last test of a chain still has one free operand.
        let Value { node, inverted: false } = self.values[a as usize] else { return None };
        let Node::Binary(Binary::Or, before, last) = self.recorder.at(node) else { return None };
        match self.recorder.at(last) {
            Node::Compare(Comparison::Unordered, Wanted::Holds, c, d) if c == d => {
                Some(self.binary(Binary::Or, before, self.compare(Comparison::Unordered, c, second)))
            }
            _ => None,
        }
    }

    fn select(&self, mask: NodeId, yes: NodeId, no: NodeId) -> NodeId {
        if let Node::Compare(comparison, Wanted::Holds, a, b) = self.nodes[mask as usize] {
            let (first, second) = (self.number(a), self.number(b));
            let is_sum = self.nodes[yes as usize] == Node::Binary(Binary::Add, a, b);
            let merges = !self.has(OptionalOperation::ExtremesOrNan);
            match (comparison, self.nodes[no as usize]) {
                (Comparison::Unordered, Node::Binary(Binary::MinOrNan, c, d))
                    if merges && is_sum && (a, b) == (c, d) =>
                {
                    // The rewritten `MinOrNan` merges the bits of both operands, so it is a NaN too. Any NaN
                    // is a valid sum.
                    return self.number(no);
                }
                (Comparison::Unordered, Node::Binary(Binary::MaxOrNan, c, d))
                    if merges && is_sum && (a, b) == (c, d) =>
                {
                    // The mask is all ones in these lanes, which is a NaN.
                    return self.binary(Binary::Or, self.number(no), self.number(mask));
                }
                (Comparison::LtUnsigned, _) if (a, b) == (no, yes) => {
                    return self.binary(Binary::MaxUnsigned, first, second);
                }
                (Comparison::LtUnsigned, _) if (a, b) == (yes, no) => {
                    return self.binary(Binary::MinUnsigned, first, second);
                }
                _ => {}
            }
        }
        let Value { node: mask, inverted } = self.values[mask as usize];
        let (yes, no) = (self.number(yes), self.number(no));
        let (yes, no) = if inverted { (no, yes) } else { (yes, no) };
        match (self.recorder.at(yes), self.recorder.at(no)) {
            (_, Node::Constant(0)) => self.binary(Binary::And, mask, yes),
            (Node::Constant(0), _) => self.binary(Binary::AndNot, mask, no),
            _ => self.recorder.node(Node::Select(mask, yes, no)),
        }
    }
}
