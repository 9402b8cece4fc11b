//! Functions of the low-level IR, as a back end receives them.

use super::{DemandedBits, Node, NodeId, Target};

/// A function over lane registers: values, and the places that receive them. [`super::text`] describes the
/// text of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Each node after its operands.
    pub nodes: Vec<Node>,
    pub stores: Vec<(Target, NodeId)>,
}

impl Function {
    /// For each node, whether a store depends on it.
    pub fn is_needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        for &(_, value) in &self.stores {
            needed[value as usize] = true;
        }
        for (id, node) in self.nodes.iter().enumerate().rev() {
            if needed[id] {
                node.operands().for_each(|operand| needed[operand as usize] = true);
            }
        }
        needed
    }

    /// The nodes that the stores depend on.
    pub fn needed(&self) -> impl Iterator<Item = Node> {
        self.nodes.iter().zip(self.is_needed()).filter_map(|(&node, needed)| needed.then_some(node))
    }
}

/// Functions that are compiled together.
#[derive(Clone, Debug, Default)]
pub struct Module {
    pub functions: Vec<Function>,
    /// The first lane register for temporary values of functions. All later ones are free too.
    pub first_own: u16,
    /// The demands of readers other than these functions.
    pub seen: DemandedBits,
}
