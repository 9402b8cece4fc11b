//! Records functions again: with value numbering only, or also with constant folding.

use shadestep_core::exec::lir::{
    Binary, Comparison, Function, Lanes, Node, NodeId, Recorder, Shift, Symbol, Wanted,
};
use shadestep_language::num::{Number, Word};

/// Records each node.
pub fn recorded(function: &Function) -> Function {
    let recorder = Recorder::default();
    let mut ids: Vec<NodeId> = Vec::new();
    for node in &function.nodes {
        ids.push(recorder.node(node.with_operands(|id| ids[id as usize])));
    }
    finished(recorder, function, &ids)
}

fn finished(recorder: Recorder, function: &Function, ids: &[NodeId]) -> Function {
    let stores = function.stores.iter().map(|&(target, value)| (target, ids[value as usize])).collect();
    Function { nodes: recorder.into_nodes(), stores }
}

/// A recorded value.
#[derive(Clone, Copy)]
enum Folded<'r> {
    Symbol(Symbol<'r>),
    Lanes(Lanes<'r>),
    /// A 64-bit value.
    Node(NodeId),
}

/// Records each node through the operation of symbols that records such nodes, which folds constants.
pub fn folded(function: &Function) -> Function {
    let recorder = Recorder::default();
    let ids: Vec<NodeId> = {
        let mut pass = Folding { recorder: &recorder, values: Vec::new() };
        for &node in &function.nodes {
            let value = pass.value(node);
            pass.values.push(value);
        }
        (0..function.nodes.len() as NodeId).map(|id| pass.id(id)).collect()
    };
    finished(recorder, function, &ids)
}

struct Folding<'r> {
    recorder: &'r Recorder,
    values: Vec<Folded<'r>>,
}

impl<'r> Folding<'r> {
    /// The recorded node of a value.
    fn id(&self, id: NodeId) -> NodeId {
        match self.values[id as usize] {
            Folded::Symbol(symbol) => symbol.node(self.recorder),
            Folded::Lanes(lanes) => lanes.node(self.recorder),
            Folded::Node(id) => id,
        }
    }

    fn symbol(&self, id: NodeId) -> Symbol<'r> {
        match self.values[id as usize] {
            Folded::Symbol(symbol) => symbol,
            _ => Symbol::Node(self.recorder, self.id(id)),
        }
    }

    fn lanes(&self, id: NodeId) -> Lanes<'r> {
        match self.values[id as usize] {
            Folded::Lanes(lanes) => lanes,
            _ => Lanes::Node(self.recorder, self.id(id)),
        }
    }

    fn value(&self, node: Node) -> Folded<'r> {
        let (at, lanes) = (|id| self.symbol(id), |id| self.lanes(id));
        let symbol = match node {
            Node::Constant(bits) => Some(Symbol::Known(bits)),
            Node::Binary(binary, a, b) => binary_symbol(binary, at(a), at(b)),
            Node::Sqrt(a) => Some(at(a).sqrt()),
            Node::Flush(a) => Some(at(a).flush()),
            Node::Canonical(a) => Some(at(a).canonical()),
            Node::Round(rounding, a) => Some(at(a).rounded(rounding)),
            Node::ToFloat(a) => Some(at(a).to_float()),
            Node::ToFloatUnsigned(a) => Some(at(a).to_float_unsigned()),
            Node::ToInteger(a) => Some(at(a).truncated()),
            Node::Quad(sources, a) => Some(at(a).neighbour(sources.0)),
            // Counts are constants of the type.
            Node::Shift(Shift::Left, 4, a) => Some(at(a).shl::<4>()),
            Node::Shift(Shift::Right, 0, a) => Some(at(a).shr::<0>()),
            Node::Shift(Shift::Right, 4, a) => Some(at(a).shr::<4>()),
            Node::Shift(Shift::RightSigned, 4, a) => Some(at(a).sar::<4>()),
            Node::Select(mask, a, b) => Some(<Symbol<'_> as Number>::select(lanes(mask), at(a), at(b))),
            _ => None,
        };
        if let Some(symbol) = symbol {
            return Folded::Symbol(symbol);
        }
        let mask = match node {
            Node::Compare(comparison, wanted, a, b) => {
                let holds = comparison_lanes(comparison, at(a), at(b));
                holds.map(|holds| if wanted == Wanted::Holds { holds } else { !holds })
            }
            Node::Both(a, b) => Some(lanes(a) & lanes(b)),
            Node::Either(a, b) => Some(lanes(a) | lanes(b)),
            Node::Others(a) => Some(!lanes(a)),
            _ => None,
        };
        let recorded = || Folded::Node(self.recorder.node(node.with_operands(|id| self.id(id))));
        mask.map_or_else(recorded, Folded::Lanes)
    }
}

fn binary_symbol<'r>(binary: Binary, a: Symbol<'r>, b: Symbol<'r>) -> Option<Symbol<'r>> {
    Some(match binary {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::IntAdd => a.wrapping_add(b),
        Binary::IntSub => a.wrapping_sub(b),
        Binary::IntMul => a.wrapping_mul(b),
        Binary::MinOrNan => a.min_or_nan(b),
        Binary::MaxOrNan => a.max_or_nan(b),
        Binary::MinUnsigned => a.min_unsigned(b),
        Binary::MaxUnsigned => a.max_unsigned(b),
        Binary::MinSigned => a.min_signed(b),
        Binary::MaxSigned => a.max_signed(b),
        Binary::ShiftLeft => a.shl_by(b),
        Binary::ShiftRight => a.shr_by(b),
        Binary::ShiftRightSigned => a.sar_by(b),
        // Symbols have no such operations.
        Binary::Min | Binary::Max | Binary::AndNot => return None,
    })
}

fn comparison_lanes<'r>(comparison: Comparison, a: Symbol<'r>, b: Symbol<'r>) -> Option<Lanes<'r>> {
    Some(match comparison {
        Comparison::Lt => a.lt(b),
        Comparison::Le => a.le(b),
        Comparison::Eq => a.eq(b),
        Comparison::Unordered => a.unordered(b),
        Comparison::LtUnsigned => a.lt_unsigned(b),
        Comparison::GtSigned => b.lt_signed(a),
        Comparison::BitsEq => a.bits_eq(b),
        // Symbols have no such test.
        Comparison::Disjoint => return None,
    })
}
