//! Functions of the low-level IR, as a back end receives them.

use super::{Node, NodeId, Target};

/// A function over lane registers: values, and the places that receive them. [`super::text`] describes its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Each node after its operands.
    pub nodes: Vec<Node>,
    pub stores: Vec<(Target, NodeId)>,
}
