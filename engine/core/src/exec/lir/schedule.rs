//! Orders the nodes and the stores of a function. Dead nodes are dropped. A lane register is overwritten only
//! after the last node that reads its old value.

use fnv::FnvHashMap;

use super::{Function, Node, NodeId, Target};

/// One step of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Computes a node.
    Compute(NodeId),
    /// Writes a value.
    Store(Target, NodeId),
}

/// Steps that compute the stores of a function, in the order of the nodes. Drops nodes that no store needs.
/// Writes a lane register after the last read of its old value.
pub fn schedule(function: &Function) -> Vec<Step> {
    let Function { nodes, stores } = function;
    let needed = function.is_needed();
    // For each lane register, the last node that reads its old value.
    let mut last_read: FnvHashMap<u16, NodeId> = FnvHashMap::default();
    for (id, node) in nodes.iter().enumerate().filter(|&(id, _)| needed[id]) {
        for operand in node.operands() {
            if let Node::Register(register) = nodes[operand as usize] {
                last_read.insert(register, id as NodeId);
            }
        }
    }
    let mut stores_after: Vec<Vec<(Target, NodeId)>> = vec![Vec::new(); nodes.len()];
    let (again, stores): (Vec<_>, Vec<_>) = stores.iter().partition(|&&(target, _)| target == Target::Again);
    // Stores of unchanged lane registers: all are read before any of their targets is written.
    let (moves, computed): (Vec<_>, Vec<_>) =
        stores.into_iter().partition(|&(_, value)| matches!(nodes[value as usize], Node::Register(_)));
    let mut at_end: Vec<(Target, NodeId)> = Vec::new();
    for (target, value) in computed {
        let mut after = value;
        if let Target::Register(register) = target {
            if moves.iter().any(|&(_, value)| nodes[value as usize] == Node::Register(register)) {
                at_end.push((target, value));
                continue;
            }
            after = last_read.get(&register).map_or(value, |&last| last.max(value));
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
    // From here on, the function holds the values of these lane registers elsewhere.
    let mut is_copied = vec![false; nodes.len()];
    for &(_, value) in &moves {
        if !std::mem::replace(&mut is_copied[value as usize], true) {
            steps.push(Step::Compute(value));
        }
    }
    let last = moves.iter().chain(&at_end).chain(&again);
    steps.extend(last.map(|&(target, value)| Step::Store(target, value)));
    steps
}
