//! Flush elimination where the processor takes denorm operands for zeros (MXCSR.DAZ).
//!
//! Arithmetic reads a denorm as the zero that it would be flushed to, and does not tell one NaN from another. So a
//! value has to be flushed, and its NaNs made canonical, only for those who look at its bits: outputs, effects,
//! operations on bits. Code made of what [`relax`] gives must run with DAZ set.

use super::{Binary, Comparison, Node, NodeId, Recorder, Target};

/// Which of a value's bits somebody looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// Whether a denorm may not stand for the zero of its sign.
    pub zeros: bool,
    /// Whether one NaN may not stand for another.
    pub nans: bool,
}

impl Demand {
    /// Nobody sees more than the number.
    pub const NUMBER: Self = Self { zeros: false, nans: false };
    /// All bits are looked at.
    pub const BITS: Self = Self { zeros: true, nans: true };

    /// What satisfies both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { zeros: self.zeros || other.zeros, nans: self.nans || other.nans }
    }

    /// What `node` wants of its operands when this is wanted of it: the first, the others.
    fn of_operands(self, node: Node, at: impl Fn(NodeId) -> Node) -> Self {
        const SIGN: u32 = 0x8000_0000;
        match node {
            Node::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Div, ..)
            | Node::Sqrt(_)
            | Node::ToInteger(_)
            | Node::Compare(Comparison::Lt | Comparison::Le | Comparison::Eq | Comparison::Unordered, ..) => {
                Self::NUMBER
            }
            // One of the operands, as it is.
            Node::Binary(Binary::Min | Binary::Max | Binary::MinOrNan | Binary::MaxOrNan, ..)
            | Node::Select(..)
            | Node::Quad(..) => self,
            // Another sign.
            Node::Binary(Binary::Xor | Binary::Or, _, b) if at(b) == Node::Constant(SIGN) => self,
            Node::Binary(Binary::And, _, b) if at(b) == Node::Constant(!SIGN) => self,
            Node::Flush(_) => Self { zeros: false, ..self },
            Node::Canonical(_) => Self { nans: false, ..self },
            _ => Self::BITS,
        }
    }
}

/// What is wanted of each node so that the stores get what is wanted of their targets; `None` of nodes that
/// nothing depends on.
fn demands(
    nodes: &[Node],
    stores: &[(Target, NodeId)],
    of_target: impl Fn(Target) -> Demand,
) -> Vec<Option<Demand>> {
    let mut demands: Vec<Option<Demand>> = vec![None; nodes.len()];
    let want = |demands: &mut [Option<Demand>], id: NodeId, demand: Demand| {
        let known = &mut demands[id as usize];
        *known = Some(known.unwrap_or_default().and(demand));
    };
    for &(target, value) in stores {
        want(&mut demands, value, of_target(target));
    }
    for (id, &node) in nodes.iter().enumerate().rev() {
        let Some(demand) = demands[id] else { continue };
        let inner = demand.of_operands(node, |id| nodes[id as usize]);
        node.operands().for_each(|operand| want(&mut demands, operand, inner));
    }
    demands
}

/// The lane registers that `stores` read, each with what is wanted of it.
pub fn registers_demanded(
    nodes: &[Node],
    stores: &[(Target, NodeId)],
    of_target: impl Fn(Target) -> Demand,
) -> Vec<(u16, Demand)> {
    let demands = demands(nodes, stores, of_target);
    let registers = nodes.iter().zip(demands).filter_map(|(node, demand)| match node {
        Node::Register(register) => Some((*register, demand?)),
        _ => None,
    });
    registers.collect()
}

/// The nodes that compute `nodes` where DAZ is set, and the stores of those: each target gets what is wanted of it.
pub fn relax(
    nodes: &[Node],
    stores: &[(Target, NodeId)],
    of_target: impl Fn(Target) -> Demand,
) -> (Vec<Node>, Vec<(Target, NodeId)>) {
    let demands = demands(nodes, stores, &of_target);
    let recorder = Recorder::default();
    let mut relaxed: Vec<Versions> = Vec::with_capacity(nodes.len());
    for (&node, demand) in nodes.iter().zip(&demands) {
        // A node that nothing depends on goes unread.
        let demand = demand.unwrap_or_default();
        let version = |demand: Demand| {
            let inner = demand.of_operands(node, |id| nodes[id as usize]);
            match node {
                Node::Flush(a) => {
                    let a = relaxed[a as usize].of(inner);
                    if demand.zeros { flush(&recorder, a, demand) } else { a }
                }
                Node::Canonical(a) => {
                    let a = relaxed[a as usize].of(inner);
                    if demand.nans { recorder.node(Node::Canonical(a)) } else { a }
                }
                _ => recorder.node(node.with_operands(|id| relaxed[id as usize].of(inner))),
            }
        };
        // What has to be flushed or made canonical for some is read without that by the others.
        let versions = match node {
            Node::Flush(_) | Node::Canonical(_) => Versions {
                number: version(Demand::NUMBER),
                zeros: version(Demand { zeros: demand.zeros, nans: false }),
                nans: version(Demand { zeros: false, nans: demand.nans }),
                bits: version(demand),
            },
            _ => Versions::all(version(demand)),
        };
        relaxed.push(versions);
    }
    let stores = stores.iter().map(|&(target, value)| {
        let value = relaxed[value as usize].of(of_target(target));
        (target, value)
    });
    let stores = stores.collect();
    (recorder.into_nodes(), stores)
}

/// The zero that a denorm stands for.
fn flush(recorder: &Recorder, a: NodeId, demand: Demand) -> NodeId {
    // With DAZ a product with 1.0 does it at once. It makes signalling NaNs quiet, which arithmetic never gives.
    let is_quiet = matches!(
        recorder.at(a),
        Node::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Div, ..) | Node::Sqrt(_)
    );
    if is_quiet || !demand.nans {
        let one = recorder.node(Node::Constant(1.0_f32.to_bits()));
        return recorder.node(Node::Binary(Binary::Mul, a, one));
    }
    recorder.node(Node::Flush(a))
}

/// The nodes that a node's value is read from, by what is wanted of it.
#[derive(Clone, Copy)]
struct Versions {
    number: NodeId,
    zeros: NodeId,
    nans: NodeId,
    bits: NodeId,
}

impl Versions {
    const fn all(node: NodeId) -> Self {
        Self { number: node, zeros: node, nans: node, bits: node }
    }

    const fn of(&self, demand: Demand) -> NodeId {
        match (demand.zeros, demand.nans) {
            (false, false) => self.number,
            (true, false) => self.zeros,
            (false, true) => self.nans,
            (true, true) => self.bits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Symbol;
    use super::*;
    use crate::num::{Number, Word};

    /// What becomes of the values that `record` makes of two lane registers, stored in lane registers 8, 9 and so
    /// on, of which a bit of `seen` says whether their bits are looked at.
    fn relaxed(seen: u8, record: fn([Symbol<'_>; 2]) -> Vec<Symbol<'_>>) -> Vec<Node> {
        let recorder = Recorder::default();
        let values = record([0, 1].map(|register| recorder.symbol(Node::Register(register))));
        let stores: Vec<_> = values
            .iter()
            .enumerate()
            .map(|(at, value)| (Target::Register(8 + at as u16), value.node(&recorder)))
            .collect();
        let nodes = recorder.into_nodes();
        let of_target = |target| match target {
            Target::Register(register) if seen >> (register - 8) & 1 == 0 => Demand::NUMBER,
            _ => Demand::BITS,
        };
        let (nodes, stores) = relax(&nodes, &stores, of_target);
        // As what is stored needs them.
        let needed = demands(&nodes, &stores, |_| Demand::NUMBER);
        nodes.into_iter().zip(needed).filter_map(|(node, needed)| needed.map(|_| node)).collect()
    }

    fn count(nodes: &[Node], of: fn(&Node) -> bool) -> usize {
        nodes.iter().filter(|node| of(node)).count()
    }

    #[test]
    fn arithmetic_reads_denorms_and_any_nan() {
        let nodes = relaxed(0, |[a, b]| {
            let sum = (a.flush() + b.flush()).flush().canonical();
            vec![(sum * b.flush()).flush().canonical()]
        });
        assert_eq!(
            nodes,
            [
                Node::Register(0),
                Node::Register(1),
                Node::Binary(Binary::Add, 0, 1),
                Node::Binary(Binary::Mul, 2, 1),
            ]
        );
    }

    #[test]
    fn whoever_sees_the_bits_gets_them() {
        let nodes = relaxed(1, |[a, b]| vec![(a.flush() + b.flush()).flush().canonical()]);
        let one = |node: &Node| *node == Node::Constant(1.0_f32.to_bits());
        assert_eq!(count(&nodes, one), 1, "{nodes:?}");
        assert_eq!(count(&nodes, |node| matches!(node, Node::Canonical(_))), 1, "{nodes:?}");
        // A move keeps the bits of a NaN, also of a signalling one.
        let nodes = relaxed(1, |[a, _]| vec![a.flush()]);
        assert_eq!(nodes, [Node::Register(0), Node::Flush(0)]);
    }

    #[test]
    fn signs_and_choices_pass_on_what_is_wanted() {
        fn record([a, b]: [Symbol<'_>; 2]) -> Vec<Symbol<'_>> {
            let product = (a.flush() * b.flush()).flush().canonical();
            vec![Number::select(a.flush().lt(b.flush()), -product, product.abs())]
        }
        let tidied =
            |nodes: &[Node]| count(nodes, |node| matches!(node, Node::Flush(_) | Node::Canonical(_)));
        assert_eq!(tidied(&relaxed(0, record)), 0);
        assert_eq!(tidied(&relaxed(1, record)), 1, "the product is made canonical before its sign is turned");
    }

    #[test]
    fn operations_on_bits_see_all_of_them() {
        let nodes = relaxed(0, |[a, b]| vec![(a.flush() + b.flush()).flush().canonical().shl::<3>()]);
        assert_eq!(count(&nodes, |node| matches!(node, Node::Canonical(_))), 1, "{nodes:?}");
    }

    #[test]
    fn registers_are_asked_for_what_depends_on_them() {
        let recorder = Recorder::default();
        let [a, b] = [0, 1].map(|register| recorder.symbol(Node::Register(register)));
        let moved = a.flush().node(&recorder);
        let sum = (a.flush() + b.flush()).node(&recorder);
        let nodes = recorder.into_nodes();
        let registers = |stores: &[(Target, NodeId)]| registers_demanded(&nodes, stores, |_| Demand::BITS);
        assert_eq!(registers(&[(Target::Register(8), sum)]), [(0, Demand::NUMBER), (1, Demand::NUMBER)]);
        assert_eq!(registers(&[(Target::Register(8), moved)]), [(0, Demand { zeros: false, nans: true })]);
    }
}
