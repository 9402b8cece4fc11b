//! Runs of low-level IR between effects, and which of their values anything depends on.

use std::collections::BTreeSet;

use super::effect::Effect;
use crate::exec::lir::{Node, NodeId, Target};

/// Values that are computed and stored, and what is done then.
#[derive(Clone, Debug)]
pub struct Segment {
    /// The values.
    pub nodes: Vec<Node>,
    /// What is stored of them.
    pub stores: Vec<(Target, NodeId)>,
    /// What is done then.
    pub then: Then,
}

/// What is done after a segment's stores.
#[derive(Clone, Debug)]
pub enum Then {
    /// Nothing.
    Nothing,
    /// The lanes whose bits were stored are discarded.
    Kill,
    /// What is done by hand.
    Effect(Effect),
}

impl Then {
    /// The rows that it reads.
    pub fn read(&self) -> Vec<u16> {
        match self {
            Self::Nothing | Self::Kill => Vec::new(),
            Self::Effect(effect) => effect.read(),
        }
    }
}

/// Rows whose values matter.
pub type Live = BTreeSet<u16>;

/// Leaves out of `segments` whatever neither `live` rows nor anything else depends on; `live` becomes what matters
/// before them.
pub fn prune(segments: &mut Vec<Segment>, live: &mut Live) {
    for segment in segments.iter_mut().rev() {
        if let Then::Effect(effect) = &mut segment.then {
            if effect.keep(|row| live.contains(&row)) {
                effect.written().iter().for_each(|row| {
                    live.remove(row);
                });
                live.extend(effect.read());
            } else {
                segment.then = Then::Nothing;
            }
        }
        segment.stores.retain(|(target, _)| match target {
            Target::Row(row) => live.contains(row),
            Target::Output(_) | Target::Bits(_) => true,
        });
        for (target, _) in &segment.stores {
            if let Target::Row(row) = target {
                live.remove(row);
            }
        }
        live.extend(segment.needed().filter_map(|node| match node {
            Node::Row(row) => Some(row),
            _ => None,
        }));
    }
    segments.retain(|segment| !segment.stores.is_empty() || !matches!(segment.then, Then::Nothing));
}

impl Segment {
    /// The nodes that its stores depend on.
    pub fn needed(&self) -> impl Iterator<Item = Node> {
        let mut needed = vec![false; self.nodes.len()];
        for &(_, value) in &self.stores {
            needed[value as usize] = true;
        }
        for (id, node) in self.nodes.iter().enumerate().rev() {
            if needed[id] {
                node.operands().for_each(|operand| needed[operand as usize] = true);
            }
        }
        self.nodes.iter().zip(needed).filter_map(|(&node, needed)| needed.then_some(node))
    }
}
