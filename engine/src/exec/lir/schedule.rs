//! The order in which nodes are computed and stored.

use super::{Node, NodeId};

/// What is done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A node is computed.
    Compute(NodeId),
    /// A value is written.
    Store(Target, NodeId),
}

/// Where values are written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A row.
    Row(u16),
    /// A row of the outputs.
    Output(u16),
    /// A row of bits, one for each lane: those of 16 lanes at the beginning of their part.
    Bits(u16),
}

/// Steps that write `stores`, in the order of the nodes. Nothing that is not needed is
/// computed; a row is written once nothing reads what it held before.
pub fn schedule(nodes: &[Node], stores: &[(Target, NodeId)]) -> Vec<Step> {
    let mut needed = vec![false; nodes.len()];
    for &(_, value) in stores {
        needed[value as usize] = true;
    }
    // The last node that reads each.
    let mut last: Vec<Option<NodeId>> = vec![None; nodes.len()];
    for (id, node) in nodes.iter().enumerate().rev() {
        if needed[id] {
            for operand in node.operands() {
                needed[operand as usize] = true;
                last[operand as usize] = last[operand as usize].max(Some(id as NodeId));
            }
        }
    }
    let mut stores_after: Vec<Vec<(Target, NodeId)>> = vec![Vec::new(); nodes.len()];
    // What is only moved is read before any row is written that is moved itself.
    let (moves, computed): (Vec<_>, Vec<_>) =
        stores.iter().partition(|&&(_, value)| matches!(nodes[value as usize], Node::Row(_)));
    let mut at_end: Vec<(Target, NodeId)> = Vec::new();
    for (target, value) in computed {
        let mut after = value;
        if let Target::Row(row) = target {
            if moves.iter().any(|&(_, value)| nodes[value as usize] == Node::Row(row)) {
                at_end.push((target, value));
                continue;
            }
            let before = nodes.iter().position(|&node| node == Node::Row(row)).and_then(|id| last[id]);
            after = before.map_or(value, |last| last.max(value));
        }
        stores_after[after as usize].push((target, value));
    }
    let mut steps = Vec::new();
    for (id, stores) in stores_after.iter().enumerate() {
        if needed[id] && !nodes[id].is_kept() {
            steps.push(Step::Compute(id as NodeId));
        }
        steps.extend(stores.iter().map(|&(target, value)| Step::Store(target, value)));
    }
    // A row that is moved is in a register from here on, see `emit`.
    steps.extend(moves.iter().map(|&(_, value)| Step::Compute(value)));
    steps.extend(moves.iter().chain(&at_end).map(|&(target, value)| Step::Store(target, value)));
    steps
}
