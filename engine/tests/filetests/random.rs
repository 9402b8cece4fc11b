//! Random functions of the low-level IR.

use crate::support::random::Random;
use shadestep_core::exec::lir::{
    Binary, Comparison, Function, Half, Kind, Node, NodeId, Op64, QuadLanes, Rule, Shift, Target, Wanted,
    kinds,
};
use shadestep_language::num::Rounding;

/// Lane registers that random functions read and write.
pub const REGISTERS: u16 = 8;

/// The lane registers of masks, as bits.
const BITS: [u16; 2] = [REGISTERS, REGISTERS + 1];

/// The first lane register of uniforms.
pub const UNIFORMS: u16 = REGISTERS + 2;

/// Every operation with random numbers. The operands of each are the numbers 0, 1 and 2, in order.
pub fn operations(random: &mut Random) -> Vec<Node> {
    let mut register = || random.below(usize::from(REGISTERS)) as u16;
    let mut nodes = vec![
        Node::Register(register()),
        Node::Input(register()),
        Node::Uniform(UNIFORMS + register()),
        Node::Constant(constant(random)),
        Node::Sqrt(0),
        Node::WideSqrt(0),
        Node::WideCanonical(0),
        Node::Flush(0),
        Node::Canonical(0),
        Node::ToFloat(0),
        Node::ToFloatUnsigned(0),
        Node::ToInteger(0),
        Node::Quad(QuadLanes(random.below(256) as u8), 0),
        Node::Select(0, 1, 2),
        Node::Both(0, 1),
        Node::Either(0, 1),
        Node::Others(0),
    ];
    nodes.extend(Binary::ALL.map(|binary| Node::Binary(binary, 0, 1)));
    nodes.extend(Op64::ALL.map(|operation| Node::Op64(operation, 0, 1)));
    nodes.extend(Half::ALL.map(|half| Node::Zip(half, 0, 1)));
    nodes.extend(Half::ALL.map(|half| Node::Unzip(half, 0, 1)));
    nodes.extend(Rounding::ALL.map(|rounding| Node::Round(rounding, 0)));
    nodes.extend(Shift::ALL.map(|shift| Node::Shift(shift, random.below(32) as u8, 0)));
    for wanted in [Wanted::Holds, Wanted::Fails] {
        nodes.extend(Comparison::ALL.map(|comparison| Node::Compare(comparison, wanted, 0, 1)));
    }
    nodes
}

fn constant(random: &mut Random) -> u32 {
    let special = [0.0, -0.0, 1.0, -0.5, f32::NAN, f32::INFINITY, 1e-40].map(f32::to_bits);
    let bits = [0, 1, u32::MAX, 0x8000_0000, 0x7FFF_FFFF, random.next() as u32, random.next() as u32];
    let all = [special, bits];
    all.as_flattened()[random.below(14)]
}

/// A correct function of at most `length` nodes.
pub fn function(random: &mut Random, length: usize) -> Function {
    let mut nodes = vec![Node::Register(0), Node::Register(1), Node::Constant(constant(random))];
    while nodes.len() < length {
        let operations = operations(random);
        let operation = operations[random.below(operations.len())];
        let of_kind = |kind: Kind| -> Vec<NodeId> {
            let kinds = kinds(&nodes);
            (0..).zip(kinds).filter(|&(_, found)| found == kind).map(|(id, _)| id).collect()
        };
        let same = if random.chance(4) { Kind::Wide } else { Kind::Value };
        let operands: Option<Vec<NodeId>> = operation
            .rules()
            .map(|rule| {
                let candidates = of_kind(match rule {
                    Rule::One(kind) => kind,
                    Rule::Same => same,
                });
                (!candidates.is_empty()).then(|| candidates[random.below(candidates.len())])
            })
            .collect();
        if let Some(operands) = operands {
            nodes.push(operation.with_operands(|at| operands[at as usize]));
        }
    }
    let stores = stores(random, &nodes);
    Function { nodes, stores }
}

/// A correct function of about `length` nodes whose results have the same bits on every back end. As in
/// programs, operands of arithmetic are flushed and results are canonical.
pub fn defined_function(random: &mut Random, length: usize) -> Function {
    let loose = function(random, length);
    let mut nodes: Vec<Node> = Vec::new();
    let mut ids: Vec<NodeId> = Vec::new();
    for node in &loose.nodes {
        let mut node = node.with_operands(|id| ids[id as usize]);
        if reads_numbers(&node) {
            let flushed: Vec<(NodeId, NodeId)> =
                node.operands().map(|id| (id, push(&mut nodes, Node::Flush(id)))).collect();
            let flush_of = |id| flushed.iter().find(|&&(of, _)| of == id).map_or(id, |&(_, flush)| flush);
            node = node.with_operands(flush_of);
        }
        let mut id = push(&mut nodes, node);
        match node {
            // The bits are any if an operand is a NaN, so the sum replaces them.
            Node::Binary(Binary::MinOrNan | Binary::MaxOrNan, a, b) => {
                let is_nan = push(&mut nodes, Node::Compare(Comparison::Unordered, Wanted::Holds, a, b));
                let sum = push(&mut nodes, Node::Binary(Binary::Add, a, b));
                id = push(&mut nodes, Node::Select(is_nan, sum, id));
                id = push(&mut nodes, Node::Canonical(id));
            }
            Node::Op64(..) | Node::WideSqrt(_) => id = push(&mut nodes, Node::WideCanonical(id)),
            _ if reads_numbers(&node) && !node.is_mask() => {
                id = push(&mut nodes, Node::Flush(id));
                id = push(&mut nodes, Node::Canonical(id));
            }
            _ => {}
        }
        ids.push(id);
    }
    let stores = loose.stores.iter().map(|&(target, value)| (target, ids[value as usize])).collect();
    Function { nodes, stores }
}

fn push(nodes: &mut Vec<Node>, node: Node) -> NodeId {
    nodes.push(node);
    nodes.len() as NodeId - 1
}

/// Whether a back end may read denorm operands of this operation as zeros.
fn reads_numbers(node: &Node) -> bool {
    match node {
        Node::Binary(binary, ..) => matches!(
            binary,
            Binary::Add
                | Binary::Sub
                | Binary::Mul
                | Binary::Div
                | Binary::Min
                | Binary::Max
                | Binary::MinOrNan
                | Binary::MaxOrNan
        ),
        Node::Compare(comparison, ..) => {
            matches!(comparison, Comparison::Lt | Comparison::Le | Comparison::Eq | Comparison::Unordered)
        }
        Node::Sqrt(_) | Node::Round(..) | Node::ToInteger(_) => true,
        _ => false,
    }
}

/// Stores of random values to some of all targets.
fn stores(random: &mut Random, nodes: &[Node]) -> Vec<(Target, NodeId)> {
    let kinds = kinds(nodes);
    let registers =
        (0..REGISTERS).flat_map(|register| [Target::Register(register), Target::Output(register)]);
    let mut stores = Vec::new();
    for target in registers.chain(BITS.map(Target::Bits)) {
        let id = random.below(nodes.len());
        if kinds[id] == target.takes() {
            stores.push((target, id as NodeId));
        }
    }
    stores
}

/// The bits of a lane: special numbers, small integers, or any bits.
pub fn value(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => random.next() as u32,
        1 => (random.below(80) as u32).wrapping_sub(8),
        2 => constant(random),
        _ => ((random.below(4001) as f32 - 2000.0) / 128.0).to_bits(),
    }
}
