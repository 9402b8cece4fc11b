//! The order in which a graph is computed, and who reads each value when.

use super::graph::{Node, NodeId};

/// What is done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A node is computed.
    Compute(NodeId),
    /// A row is written.
    Store(u16, NodeId),
}

/// Steps that write `stores` (rows and their values), in the order of the nodes. Nothing that is not needed is
/// computed; a row is written once nothing reads what it held before.
pub fn schedule(nodes: &[Node], stores: &[(u16, NodeId)]) -> Vec<Step> {
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
    let mut stores_after: Vec<Vec<(u16, NodeId)>> = vec![Vec::new(); nodes.len()];
    // What is only moved is read before any row is written that is moved itself.
    let (moves, computed): (Vec<_>, Vec<_>) =
        stores.iter().partition(|&&(_, value)| matches!(nodes[value as usize], Node::Row(_)));
    let moved = |row: u16| moves.iter().any(|&(_, value)| nodes[value as usize] == Node::Row(row));
    let mut at_end: Vec<(u16, NodeId)> = Vec::new();
    for (row, value) in computed {
        if moved(row) {
            at_end.push((row, value));
            continue;
        }
        let before = nodes.iter().position(|&node| node == Node::Row(row)).and_then(|id| last[id]);
        stores_after[before.map_or(value, |last| last.max(value)) as usize].push((row, value));
    }
    let mut steps = Vec::new();
    for (id, stores) in stores_after.iter().enumerate() {
        if needed[id] && !nodes[id].is_kept() {
            steps.push(Step::Compute(id as NodeId));
        }
        steps.extend(stores.iter().map(|&(row, value)| Step::Store(row, value)));
    }
    // A row that is moved is in a register from here on, see `emit`.
    steps.extend(moves.iter().map(|&(_, value)| Step::Compute(value)));
    steps.extend(moves.iter().chain(&at_end).map(|&(row, value)| Step::Store(row, value)));
    steps
}
