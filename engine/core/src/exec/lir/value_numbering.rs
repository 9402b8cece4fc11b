//! Value numbering. [`Recorder`] collects nodes and gives equal nodes the same number, which removes common
//! subexpressions.

use std::cell::RefCell;

use fnv::FnvHashMap;

use super::facts::Facts;
use super::{Node, NodeId, Symbol};

#[derive(Debug, Default)]
pub struct Recorder {
    nodes: RefCell<Vec<Node>>,
    /// Facts of each node.
    facts: RefCell<Vec<Facts>>,
    known: RefCell<FnvHashMap<Node, NodeId>>,
}

impl Recorder {
    /// The nodes, each after its operands.
    pub fn into_nodes(self) -> Vec<Node> {
        self.nodes.into_inner()
    }

    /// Number of nodes.
    pub fn count(&self) -> NodeId {
        self.nodes.borrow().len() as NodeId
    }

    /// Gives nodes new numbers from now on, even if equal nodes have numbers.
    pub fn forget(&mut self) {
        self.known.get_mut().clear();
    }

    /// The number of `node`, which is added if it is new.
    pub fn node(&self, node: Node) -> NodeId {
        *self.known.borrow_mut().entry(node).or_insert_with(|| {
            let facts = Facts::new(node, |id| self.facts(id), |id| self.at(id));
            self.facts.borrow_mut().push(facts);
            let mut nodes = self.nodes.borrow_mut();
            nodes.push(node);
            nodes.len() as NodeId - 1
        })
    }

    /// The node as a symbol.
    pub fn symbol(&self, node: Node) -> Symbol<'_> {
        Symbol::Node(self, self.node(node))
    }

    /// A recorded node as a symbol; constants become known symbols.
    pub fn symbol_of(&self, id: NodeId) -> Symbol<'_> {
        match self.at(id) {
            Node::Constant(bits) => Symbol::Known(bits),
            _ => Symbol::Node(self, id),
        }
    }

    /// A recorded node.
    pub fn at(&self, id: NodeId) -> Node {
        self.nodes.borrow()[id as usize]
    }

    /// The facts of a node's value.
    pub fn facts(&self, id: NodeId) -> Facts {
        self.facts.borrow()[id as usize]
    }
}
