//! What came from what, as a graph: a node is a value of the run, and all that it came from are nodes before it.

use super::AncestryError;

/// Number of a node.
pub(super) type Node = u32;

/// No node: what nothing in the run has made, such as a register before anything is written.
pub(super) const NONE: Node = Node::MAX;

/// The most nodes of a graph. A run of this many values, of which each component of each lane is one, is some hundred thousand
/// instructions of a quad.
pub(super) const MAX_NODES: usize = 1 << 22;

/// The most edges, four for each node.
pub(super) const MAX_EDGES: usize = 1 << 24;

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Tag {
    /// Several values together, of which no step is the author.
    Joined,
    /// What a step wrote; `what` is the location.
    Written,
    /// What a step did not write because its test failed; `what` is the location.
    Kept,
    /// What is there where the ways out of a decision meet, if one of them can write it; `what` is the location.
    Met,
    /// Where flow went, whether the fragment was discarded, or which element was addressed; where it counts for a location, `what` is
    /// that.
    Decided,
    /// Bytes that a step wrote to memory.
    Stored,
    /// What a lookup found.
    Texels,
    /// A component of an attribute; `what` is four times its number in the list of attributes, and the component.
    Attribute,
    /// A component of a parameter; `what` likewise.
    Parameter,
    /// A byte that memory holds from the start; `what` is its number in the list of bytes.
    Byte,
    /// What an edit of the recording put there, or what is asked about; `what` is the location.
    Edited,
}

/// A node, without what it came from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Info {
    pub tag: Tag,
    /// Whose it is.
    pub lane: u8,
    /// See [`Tag`].
    pub what: u32,
    /// How many steps its lane had taken before; of what a step did, before that.
    pub step: u32,
}

impl Info {
    /// Of several values together.
    pub const JOINED: Self = Self { tag: Tag::Joined, lane: 0, what: 0, step: 0 };
}

/// The graph.
#[derive(Debug, Default)]
pub(super) struct Graph {
    infos: Vec<Info>,
    /// Where the edges of each node end, which begin where those of the node before end.
    ends: Vec<u32>,
    edges: Vec<Node>,
}

impl Graph {
    /// Adds what came from `from`, in which nodes may stand several times and [`NONE`] counts for nothing.
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

    /// All nodes.
    pub fn infos(&self) -> &[Info] {
        &self.infos
    }

    fn from(&self, node: usize) -> &[Node] {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.edges[start as usize..self.ends[node] as usize]
    }

    /// For each node whether one of `ends` came from it.
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

    /// For each node whether it came from `start`.
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
