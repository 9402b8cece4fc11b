//! Rewrites nodes for the instructions of a processor.
//!
//! AVX-512 has no instruction for flushes and canonical NaNs. AVX2 also keeps masks in vectors, compares and
//! converts only signed integers, and has no tests for zeros and classes of numbers. A rewritten mask has a
//! node and an `inverted` flag, so only users that need the actual bits pay for a NOT.

use super::{Binary, Comparison, Half, Node, NodeId, Op64, Recorder, Shift, Target, Wanted};
use shadestep_language::num::{fp32, fp64};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Features {
    /// AVX-512 F, BW, DQ and VL.
    Avx512,
    /// AVX2.
    Avx2,
}

/// Rewrites `nodes` and `stores` for `features`.
pub fn legalize(
    features: Features,
    nodes: &[Node],
    stores: &[(Target, NodeId)],
) -> (Vec<Node>, Vec<(Target, NodeId)>) {
    let mut pass = Legalizer { nodes, recorder: Recorder::default(), values: Vec::new() };
    for &node in nodes {
        let value = match features {
            Features::Avx512 => Value { node: pass.with_masks(node), inverted: false },
            Features::Avx2 => pass.value(node),
        };
        pass.values.push(value);
    }
    let stores = stores.iter().map(|&(target, value)| {
        let value = pass.values[value as usize];
        (target, pass.turned(value))
    });
    let stores = stores.collect();
    (pass.recorder.into_nodes(), stores)
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
    recorder: Recorder,
    /// The rewritten value of each node.
    values: Vec<Value>,
}

impl Legalizer<'_> {
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

    /// Rewrites a node for a processor with mask registers.
    fn with_masks(&self, node: Node) -> NodeId {
        match node {
            Node::Flush(a) => {
                let a = self.number(a);
                let tiny = self.compare(Comparison::Disjoint, a, self.constant(EXPONENT));
                let zero = self.binary(Binary::And, a, self.constant(SIGN));
                self.recorder.node(Node::Select(tiny, zero, a))
            }
            Node::Canonical(a) => self.canonical(self.number(a)),
            Node::WideCanonical(a) => self.wide_canonical(self.number(a)),
            _ => self.recorder.node(node.with_operands(|id| self.number(id))),
        }
    }

    fn canonical(&self, a: NodeId) -> NodeId {
        let unordered = self.compare(Comparison::Unordered, a, a);
        self.recorder.node(Node::Select(unordered, self.constant(fp32::NAN_BITS), a))
    }

    /// Canonicalises 64-bit NaNs. Both processors use a 64-bit comparison as a vector.
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

    /// Rewrites a node for masks in vectors.
    fn value(&self, node: Node) -> Value {
        let plain = |node| Value { node, inverted: false };
        match node {
            Node::Binary(Binary::MinOrNan, a, b) => {
                plain(self.extremes(Binary::Min, Binary::Or, self.number(a), self.number(b)))
            }
            Node::Binary(Binary::MaxOrNan, a, b) => {
                plain(self.extremes(Binary::Max, Binary::And, self.number(a), self.number(b)))
            }
            Node::Register(_)
            | Node::Input(_)
            | Node::Uniform(_)
            | Node::Constant(_)
            | Node::Binary(..)
            | Node::Sqrt(_)
            | Node::Zip(..)
            | Node::Unzip(..)
            | Node::Op64(..)
            | Node::WideSqrt(_)
            | Node::Round(..)
            | Node::ToFloat(_)
            | Node::ToInteger(_)
            | Node::Shift(..)
            | Node::Quad(..) => plain(self.recorder.node(node.with_operands(|id| self.number(id)))),
            Node::Flush(a) => {
                let a = self.number(a);
                let exponent = self.binary(Binary::And, a, self.constant(EXPONENT));
                let tiny = self.compare(Comparison::BitsEq, exponent, self.constant(0));
                let cleared = self.binary(Binary::And, tiny, self.constant(!SIGN));
                plain(self.binary(Binary::AndNot, cleared, a))
            }
            Node::ToFloatUnsigned(a) => plain(self.unsigned_to_float(self.number(a))),
            Node::Canonical(a) => plain(self.canonical(self.number(a))),
            Node::WideCanonical(a) => plain(self.wide_canonical(self.number(a))),
            Node::Select(mask, yes, no) => plain(self.select(mask, yes, no)),
            Node::Compare(comparison, wanted, a, b) => {
                self.comparison(comparison, wanted, self.number(a), self.number(b))
            }
            Node::Both(a, b) => self.both(self.values[a as usize], self.values[b as usize]),
            Node::Either(a, b) => {
                // The union is the complement of the intersection of the complements.
                let others = |id| self.other_lanes(self.values[id as usize]);
                self.either_unordered(a, b)
                    .map_or_else(|| self.other_lanes(self.both(others(a), others(b))), plain)
            }
            Node::Others(mask) => self.other_lanes(self.values[mask as usize]),
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
        let fails = wanted == Wanted::Fails;
        let test = |comparison, a, b| Value { node: self.compare(comparison, a, b), inverted: fails };
        match comparison {
            Comparison::Lt | Comparison::Le | Comparison::Eq | Comparison::Unordered => {
                Value { node: self.recorder.node(Node::Compare(comparison, wanted, a, b)), inverted: false }
            }
            Comparison::BitsEq | Comparison::GtSigned => test(comparison, a, b),
            Comparison::Disjoint => {
                test(Comparison::BitsEq, self.binary(Binary::And, a, b), self.constant(0))
            }
            Comparison::LtUnsigned if self.is_positive(a) && self.is_positive(b) => {
                test(Comparison::GtSigned, b, a)
            }
            Comparison::LtUnsigned => match self.recorder.at(b) {
                Node::Constant(end @ 1..) => {
                    // Less than `end` means at most `end - 1`.
                    let last = self.constant(end - 1);
                    test(Comparison::BitsEq, self.binary(Binary::MinUnsigned, a, last), a)
                }
                _ => {
                    // `a < b` is the complement of `a >= b`.
                    let larger = self.binary(Binary::MaxUnsigned, a, b);
                    self.other_lanes(test(Comparison::BitsEq, larger, a))
                }
            },
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
            match (comparison, self.nodes[no as usize]) {
                (Comparison::Unordered, Node::Binary(Binary::MinOrNan, c, d))
                    if is_sum && (a, b) == (c, d) =>
                {
                    // `MinOrNan` merges the bits of both operands, so it is a NaN too. Any NaN is a valid
                    // sum.
                    return self.number(no);
                }
                (Comparison::Unordered, Node::Binary(Binary::MaxOrNan, c, d))
                    if is_sum && (a, b) == (c, d) =>
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

#[cfg(test)]
mod tests {
    //! Tests of rewritten nodes. Tests in `batch::compile` compare the back ends' results with the
    //! interpreter's.

    use super::*;

    /// The nodes that compute the last of `nodes` with `features`.
    fn legal(features: Features, nodes: &[Node]) -> Vec<Node> {
        legalize(features, nodes, &[(Target::Register(9), nodes.len() as NodeId - 1)]).0
    }

    #[test]
    fn no_processor_is_given_flushes_and_canonical_nans() {
        for features in [Features::Avx512, Features::Avx2] {
            for node in [Node::Flush(0), Node::Canonical(0), Node::WideCanonical(0)] {
                let found = legal(features, &[Node::Register(0), node]);
                assert!(!found.contains(&node), "{features:?} {found:?}");
                let compares = |node: &Node| matches!(node, Node::Compare(..) | Node::Op64(Op64::Eq, ..));
                assert!(found.iter().any(compares), "{features:?} {found:?}");
            }
        }
    }

    #[test]
    fn avx2_has_masks_in_vectors() {
        let registers = [Node::Register(0), Node::Register(1)];
        let test = |comparison, a, b| Node::Compare(comparison, Wanted::Holds, a, b);
        for node in [
            Node::Both(2, 3),
            Node::Either(2, 3),
            Node::Others(2),
            test(Comparison::LtUnsigned, 0, 1),
            test(Comparison::Disjoint, 0, 1),
        ] {
            let nodes = [
                registers[0],
                registers[1],
                test(Comparison::Lt, 0, 1),
                test(Comparison::BitsEq, 0, 1),
                node,
            ];
            let found = legal(Features::Avx2, &nodes);
            assert!(!found.contains(&node), "{found:?}");
            assert!(legal(Features::Avx512, &nodes).contains(&node));
        }
    }

    #[test]
    fn other_lanes_of_a_mask_cost_nothing_where_both_arms_can_change_places() {
        let less = Node::Compare(Comparison::BitsEq, Wanted::Fails, 0, 1);
        let found =
            legal(Features::Avx2, &[Node::Register(0), Node::Register(1), less, Node::Select(2, 0, 1)]);
        assert_eq!(found.last(), Some(&Node::Select(2, 1, 0)), "{found:?}");
        assert_eq!(found.len(), 4);
    }
}
