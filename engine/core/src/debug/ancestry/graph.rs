//! The dependence graph of a run. A node is a value; its edges lead to the earlier nodes that the value
//! depends on.

use super::AncestryError;

/// Index of a node.
pub(super) type Node = u32;

/// No node: a value that no step of the run has made, such as a register before the first write.
pub(super) const NONE: Node = Node::MAX;

/// The most nodes of a graph. Each component of each lane's values is a node, so this is enough for some
/// hundred thousand instructions of a quad.
pub(super) const MAX_NODES: usize = 1 << 22;

/// The most edges, four for each node.
pub(super) const MAX_EDGES: usize = 1 << 24;

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Tag {
    /// A set of values, not made by one step.
    Joined,
    /// A value that a step wrote; `what` is the location.
    Written,
    /// A value that a step did not overwrite because its test failed; `what` is the location.
    Kept,
    /// A value at the join of a decision, if some path could have written its location; `what` is the
    /// location.
    Met,
    /// A decision: of flow, of a discard, or of an address. `what` is the location whose value the decision
    /// affects, if there is one.
    Decided,
    /// Bytes that a step wrote to memory.
    Stored,
    /// Texels that a lookup returned.
    Texels,
    /// A component of an attribute; `what` is 4 * its index in the list of attributes + the component.
    Attribute,
    /// A component of a parameter; `what` is 4 * its index + the component.
    Parameter,
    /// A byte that memory held at the start; `what` is its index in the list of such bytes.
    Byte,
    /// A value that an edit of the recording set, or the value that a forward slice starts from; `what` is
    /// the location.
    Edited,
}

/// A node without its edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Info {
    pub tag: Tag,
    /// Number of the lane that made the value.
    pub lane: u8,
    /// See [`Tag`].
    pub what: u32,
    /// Steps that the lane had taken before. For an effect of a step, the number of that step.
    pub step: u32,
}

impl Info {
    /// A set of several values.
    pub const JOINED: Self = Self { tag: Tag::Joined, lane: 0, what: 0, step: 0 };
}

#[derive(Debug, Default)]
pub(super) struct Graph {
    infos: Vec<Info>,
    /// Index of the end of each node's edges. The edges of a node begin at the end of the previous node's.
    ends: Vec<u32>,
    edges: Vec<Node>,
}

impl Graph {
    /// Adds a node that depends on `from`. Duplicates and [`NONE`] in `from` are ignored.
    ///
    /// # Errors
    /// [`AncestryError::TooLong`] if there is no room.
    pub fn add(&mut self, info: Info, from: &[Node]) -> Result<Node, AncestryError> {
        let start = self.edges.len();
        if self.infos.len() >= MAX_NODES || start + from.len() > MAX_EDGES {
            return Err(AncestryError::TooLong);
        }
        self.edges.extend(from.iter().copied().filter(|&node| node != NONE));
        if self.edges.len() - start > 1 {
            self.edges[start..].sort_unstable();
            let mut kept = start + 1;
            for at in start + 1..self.edges.len() {
                if self.edges[at] != self.edges[kept - 1] {
                    self.edges[kept] = self.edges[at];
                    kept += 1;
                }
            }
            self.edges.truncate(kept);
        }
        self.infos.push(info);
        self.ends.push(self.edges.len() as u32);
        Ok(self.infos.len() as Node - 1)
    }

    /// All nodes, in the order of the run.
    pub fn infos(&self) -> &[Info] {
        &self.infos
    }

    fn from(&self, node: usize) -> &[Node] {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.edges[start as usize..self.ends[node] as usize]
    }

    /// For each node, whether one of `ends` depends on it. An end counts as depending on itself.
    pub fn behind(&self, ends: &[Node]) -> Vec<bool> {
        let mut marked = vec![false; self.infos.len()];
        ends.iter().filter(|&&node| node != NONE).for_each(|&node| marked[node as usize] = true);
        for node in (0..self.infos.len()).rev().filter(|_| !ends.is_empty()) {
            if marked[node] {
                self.from(node).iter().for_each(|&from| marked[from as usize] = true);
            }
        }
        marked
    }

    /// For each node, whether it depends on `start`. `start` counts as depending on itself.
    pub fn ahead(&self, start: Node) -> Vec<bool> {
        let mut marked = vec![false; self.infos.len()];
        if start == NONE {
            return marked;
        }
        marked[start as usize] = true;
        for node in start as usize + 1..self.infos.len() {
            marked[node] = self.from(node).iter().any(|&from| marked[from as usize]);
        }
        marked
    }
}
