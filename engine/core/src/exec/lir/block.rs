//! Blocks: instructions in the order of their execution, among them effects. [`super::cut`] makes functions of
//! a block.

use std::collections::BTreeSet;

use super::{Effect, Exit, Node, NodeId, Target};

/// Instructions that are entered at the first and left after the last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// All values, each after its operands.
    pub nodes: Vec<Node>,
    pub instructions: Vec<Instruction>,
    pub exit: Exit,
    /// The mask of lanes that pass the test of the exit, if it has one.
    pub test: Option<NodeId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// Computes a node.
    Compute(NodeId),
    Store(Target, NodeId),
    /// Discards the lanes in a mask.
    Kill(NodeId),
    /// Each result is a [`Node::Result`].
    Effect(Effect<NodeId>),
}

/// Live lane registers.
pub type Live = BTreeSet<u16>;

impl Block {
    /// Number of results of effects.
    pub fn results(&self) -> u16 {
        self.nodes.iter().filter(|node| matches!(node, Node::Result(_))).count() as u16
    }

    /// Whether the block is a single function.
    pub fn is_function(&self) -> bool {
        self.instructions
            .iter()
            .all(|instruction| matches!(instruction, Instruction::Compute(_) | Instruction::Store(..)))
    }

    /// The nodes that the block computes.
    pub fn computed(&self) -> impl Iterator<Item = Node> {
        self.instructions.iter().filter_map(|instruction| match instruction {
            Instruction::Compute(id) => Some(self.nodes[*id as usize]),
            Instruction::Store(..) | Instruction::Kill(_) | Instruction::Effect(_) => None,
        })
    }

    pub fn effects(&self) -> impl Iterator<Item = &Effect<NodeId>> {
        self.instructions.iter().filter_map(|instruction| match instruction {
            Instruction::Effect(effect) => Some(effect),
            Instruction::Compute(_) | Instruction::Store(..) | Instruction::Kill(_) => None,
        })
    }

    /// Removes instructions on which no output, effect or lane register of `live` depends. On entry, `live`
    /// holds the lane registers that are live after the block. On return, it holds the lane registers that are
    /// live before the block.
    pub fn eliminate_dead_code(&mut self, live: &mut Live) {
        let mut needed = vec![false; self.nodes.len()];
        self.test.iter().for_each(|&test| needed[test as usize] = true);
        live.extend(self.exit.registers());
        let mut instructions = std::mem::take(&mut self.instructions);
        instructions.reverse();
        instructions.retain_mut(|instruction| match instruction {
            Instruction::Compute(id) => {
                let is_needed = needed[*id as usize];
                if is_needed {
                    let node = self.nodes[*id as usize];
                    node.operands().for_each(|operand| needed[operand as usize] = true);
                    live.extend(node.register());
                }
                is_needed
            }
            Instruction::Store(target, value) => {
                let is_needed = match target {
                    Target::Register(register) => live.remove(register),
                    Target::Output(_) | Target::Bits(_) | Target::Again => true,
                };
                needed[*value as usize] |= is_needed;
                is_needed
            }
            Instruction::Kill(mask) => {
                needed[*mask as usize] = true;
                true
            }
            Instruction::Effect(effect) => {
                let is_needed =
                    effect.keep(|value| needed[value as usize], |register| live.contains(&register));
                if is_needed {
                    effect.operands.iter().for_each(|&operand| needed[operand as usize] = true);
                    live.extend(effect.registers_read());
                }
                is_needed
            }
        });
        instructions.reverse();
        self.instructions = instructions;
    }
}
