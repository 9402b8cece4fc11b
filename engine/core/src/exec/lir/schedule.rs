//! Orders the nodes and the stores of a function. Dead nodes are dropped. A lane register is overwritten only
//! after the last node that reads its old value.

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
pub fn schedule(Function { nodes, stores }: &Function) -> Vec<Step> {
    let mut needed = vec![false; nodes.len()];
    for &(_, value) in stores {
        needed[value as usize] = true;
    }
    // For each node, the last node that reads it.
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
            let before =
                nodes.iter().position(|&node| node == Node::Register(register)).and_then(|id| last[id]);
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
    // From here on, the function holds the values of these lane registers elsewhere.
    steps.extend(moves.iter().map(|&(_, value)| Step::Compute(value)));
    let last = moves.iter().chain(&at_end).chain(&again);
    steps.extend(last.map(|&(target, value)| Step::Store(target, value)));
    steps
}

#[cfg(test)]
mod tests {
    use super::super::Binary;
    use super::*;

    fn at(steps: &[Step], step: Step) -> usize {
        steps.iter().position(|&other| other == step).unwrap_or_else(|| panic!("{step:?} of {steps:?}"))
    }

    #[test]
    fn a_register_is_written_once_nothing_reads_what_it_held() {
        // Lane registers 0 and 1 become their sum s and the product of lane register 0 with s.
        let nodes = vec![
            Node::Register(0),
            Node::Register(1),
            Node::Binary(Binary::Add, 0, 1),
            Node::Binary(Binary::Mul, 0, 2),
        ];
        let stores = vec![(Target::Register(0), 2), (Target::Register(1), 3)];
        let steps = schedule(&Function { nodes, stores });
        assert!(at(&steps, Step::Store(Target::Register(0), 2)) > at(&steps, Step::Compute(3)), "{steps:?}");
        assert_eq!(steps.len(), 4);
    }

    #[test]
    fn registers_that_are_moved_are_all_read_before_one_is_written() {
        let nodes = vec![Node::Register(0), Node::Register(1), Node::Sqrt(1)];
        let stores = vec![(Target::Register(0), 1), (Target::Register(1), 0), (Target::Register(2), 2)];
        let steps = schedule(&Function { nodes, stores });
        let first_store = [0, 1]
            .map(|register| at(&steps, Step::Store(Target::Register(register), 1 - NodeId::from(register))));
        let last_read = [0, 1].map(|node| at(&steps, Step::Compute(node)));
        assert!(first_store.iter().min() > last_read.iter().max(), "{steps:?}");
    }

    #[test]
    fn what_nothing_stores_is_not_computed() {
        let nodes = vec![Node::Register(0), Node::Sqrt(0), Node::Flush(0), Node::Canonical(2)];
        let mut function = Function { nodes, stores: vec![(Target::Output(5), 3)] };
        let steps = schedule(&function);
        assert_eq!(steps, [Step::Compute(2), Step::Compute(3), Step::Store(Target::Output(5), 3)]);
        function.stores.clear();
        assert!(schedule(&function).is_empty());
    }
}
