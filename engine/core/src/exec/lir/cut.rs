//! Cuts blocks at effects into functions, and gives lane registers to values that cross a cut.

use std::collections::BTreeMap;

use fnv::FnvHashMap;

use super::{Block, Effect, Function, Instruction, Node, NodeId, Target};

/// A function, which may have no stores, and what follows it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    pub function: Function,
    pub then: Then,
}

/// The action after a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Then {
    #[default]
    Nothing,
    /// Discards the lanes in the mask that the function stored.
    Kill,
    /// An effect on lane registers.
    Effect(Effect<u16>),
}

/// Lane registers with a fixed meaning.
#[derive(Clone, Copy, Debug)]
pub struct Homes<'a> {
    /// A lane register of zeros.
    pub zero: u16,
    /// Lane registers of inputs, by the lane registers that hold a copy.
    pub inputs: &'a BTreeMap<u16, u16>,
    /// The lane register of the mask of discarded lanes.
    pub kill: u16,
    /// The lane register of the mask of lanes that pass the test of the exit.
    pub exit: u16,
    /// The first lane register for values that cross a cut. All later ones are free, too.
    pub first_free: u16,
}

/// The functions and effects of `block`, and the number of lane registers for values that cross a cut.
pub fn cut(block: &Block, homes: &Homes<'_>) -> (Vec<Segment>, u16) {
    let uses = Uses::of(block);
    let mut cutting = Cutting {
        block,
        homes,
        uses: &uses,
        span: 0,
        function: Function::default(),
        ids: FnvHashMap::default(),
        stores: FnvHashMap::default(),
        registers: FnvHashMap::default(),
        busy_until: Vec::new(),
        defined: Vec::new(),
        segments: Vec::new(),
    };
    block.instructions.iter().for_each(|instruction| cutting.instruction(instruction));
    if let Some(mask) = block.test {
        let mask = cutting.node(mask);
        cutting.store(Target::Bits(homes.exit), mask);
    }
    cutting.end(Then::Nothing);
    (cutting.segments, cutting.busy_until.len() as u16)
}

/// A point in time: four for each span between cuts. Nodes are computed at the first, stores happen at the
/// second, effects read at the third and write at the fourth.
type Time = usize;

const STORES: Time = 1;
const EFFECT_READS: Time = 2;
const EFFECT_WRITES: Time = 3;

/// When a block reads values and writes lane registers.
#[derive(Debug, Default)]
struct Uses {
    /// The last read of each value outside of the function that computes it.
    last: FnvHashMap<NodeId, Time>,
    /// Writes of each lane register, in order.
    writes: BTreeMap<u16, Vec<Time>>,
}

impl Uses {
    fn of(block: &Block) -> Self {
        let mut uses = Self::default();
        let mut computed = FnvHashMap::default();
        let mut now: Time = 0;
        for instruction in &block.instructions {
            if let Instruction::Compute(id) = instruction {
                computed.insert(*id, now);
            }
            let mut read = |id: NodeId, time: Time| {
                if computed.get(&id) != Some(&time) {
                    uses.last.insert(id, time);
                }
            };
            match instruction {
                Instruction::Compute(id) => {
                    block.nodes[*id as usize].operands().for_each(|operand| read(operand, now));
                }
                Instruction::Store(target, id) => {
                    read(*id, now);
                    if let Target::Register(register) = target {
                        uses.writes.entry(*register).or_default().push(now + STORES);
                    }
                }
                Instruction::Kill(mask) => {
                    read(*mask, now);
                    now += 4;
                }
                Instruction::Effect(effect) => {
                    effect.operands.iter().for_each(|&operand| read(operand, now + EFFECT_READS));
                    for register in effect.registers_written() {
                        uses.writes.entry(register).or_default().push(now + EFFECT_WRITES);
                    }
                    now += 4;
                }
            }
        }
        uses
    }

    /// Whether a lane register keeps its value from `first` up to a read at `last`.
    fn keeps(&self, register: u16, first: Time, last: Time) -> bool {
        self.writes
            .get(&register)
            .is_none_or(|writes| !writes.iter().any(|write| (first..last).contains(write)))
    }
}

struct Cutting<'a> {
    block: &'a Block,
    homes: &'a Homes<'a>,
    uses: &'a Uses,
    /// The time at which the current span begins.
    span: Time,
    function: Function,
    /// Nodes of the current function, by their nodes in the block.
    ids: FnvHashMap<NodeId, NodeId>,
    /// The store of the current function to each target.
    stores: FnvHashMap<Target, usize>,
    /// Lane registers of values that cross a cut.
    registers: FnvHashMap<NodeId, u16>,
    /// For each lane register from [`Homes::first_free`] on, the last read of its value.
    busy_until: Vec<Time>,
    /// The values that the current span computes.
    defined: Vec<NodeId>,
    segments: Vec<Segment>,
}

impl Cutting<'_> {
    fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Compute(id) => {
                let node = self.block.nodes[*id as usize];
                node.operands().for_each(|operand| {
                    self.node(operand);
                });
                let stored =
                    node.register().and_then(|register| self.stores.get(&Target::Register(register)));
                match stored {
                    // A function reads lane registers before it stores to them.
                    Some(&store) => {
                        self.ids.insert(*id, self.function.stores[store].1);
                    }
                    None => {
                        self.push(*id, node.with_operands(|operand| self.ids[&operand]));
                    }
                }
                self.defined.push(*id);
            }
            Instruction::Store(target, value) => {
                let value = self.node(*value);
                self.store(*target, value);
            }
            Instruction::Kill(mask) => {
                let mask = self.node(*mask);
                self.store(Target::Bits(self.homes.kill), mask);
                self.end(Then::Kill);
            }
            Instruction::Effect(effect) => {
                self.keep_values();
                let operands = effect.operands.iter().map(|&operand| self.register(operand)).collect();
                let results = effect.results.iter().map(|&(number, id)| (number, self.result(id)));
                let results = results.collect();
                let effect = Effect { action: effect.action.clone(), operands, results };
                self.end(Then::Effect(effect));
            }
        }
    }

    /// Stores to a target, instead of an earlier store to it.
    fn store(&mut self, target: Target, value: NodeId) {
        let store = (target, value);
        match self.stores.get(&target) {
            Some(&earlier) => self.function.stores[earlier] = store,
            None => {
                self.stores.insert(target, self.function.stores.len());
                self.function.stores.push(store);
            }
        }
    }

    fn push(&mut self, id: NodeId, node: Node) -> NodeId {
        let new = self.function.nodes.len() as NodeId;
        self.function.nodes.push(node);
        self.ids.insert(id, new);
        new
    }

    /// The node of the current function with the value of the block's node `id`.
    fn node(&mut self, id: NodeId) -> NodeId {
        if let Some(&new) = self.ids.get(&id) {
            return new;
        }
        let node = match (self.registers.get(&id), self.block.nodes[id as usize]) {
            (Some(&register), _) => Node::Register(register),
            // An input, a uniform or a constant.
            (None, node) => node,
        };
        self.push(id, node)
    }

    /// Gives lane registers to the values of the current span that later ones read.
    fn keep_values(&mut self) {
        for id in std::mem::take(&mut self.defined) {
            let Some(&last) = self.uses.last.get(&id) else { continue };
            let register = match self.block.nodes[id as usize] {
                // Every function can read these again.
                Node::Input(_) | Node::Uniform(_) | Node::Constant(_) => continue,
                Node::Register(register) if self.uses.keeps(register, self.span + STORES, last) => register,
                _ => self.stored(id, last).unwrap_or_else(|| self.copy(id, last)),
            };
            self.registers.insert(id, register);
        }
    }

    /// The lane register to which the current function stores a value, if it keeps it until `last`.
    fn stored(&self, id: NodeId, last: Time) -> Option<u16> {
        let value = self.ids[&id];
        let mut stores = self.function.stores.iter().filter_map(|&(target, stored)| match target {
            Target::Register(register) if stored == value => Some(register),
            _ => None,
        });
        stores.find(|&register| self.uses.keeps(register, self.span + STORES + 1, last))
    }

    /// Stores a value to a free lane register.
    fn copy(&mut self, id: NodeId, last: Time) -> u16 {
        let register = free(&mut self.busy_until, self.homes, self.span + STORES, last);
        let value = self.node(id);
        self.store(Target::Register(register), value);
        register
    }

    /// The lane register from which an effect after the current function reads a value.
    fn register(&mut self, id: NodeId) -> u16 {
        if let Some(&register) = self.registers.get(&id) {
            return register;
        }
        let kept = match self.block.nodes[id as usize] {
            Node::Constant(0) => Some(self.homes.zero),
            Node::Uniform(register) => Some(register),
            Node::Input(input) => {
                self.homes.inputs.iter().find(|&(_, &other)| other == input).map(|(&register, _)| register)
            }
            _ => None,
        };
        kept.unwrap_or_else(|| self.copy(id, self.span + EFFECT_READS))
    }

    /// The lane register to which an effect after the current function writes a result.
    fn result(&mut self, id: NodeId) -> u16 {
        let last = self.uses.last.get(&id).copied().unwrap_or(self.span + EFFECT_WRITES);
        let register = free(&mut self.busy_until, self.homes, self.span + EFFECT_READS, last);
        self.registers.insert(id, register);
        register
    }

    fn end(&mut self, then: Then) {
        if then == Then::Kill {
            self.keep_values();
        }
        let function = std::mem::take(&mut self.function);
        if !function.stores.is_empty() || then != Then::Nothing {
            self.segments.push(Segment { function, then });
        }
        self.ids.clear();
        self.stores.clear();
        self.defined.clear();
        self.span += 4;
    }
}

/// A lane register that is free at `now` and then holds a value until `last`.
fn free(busy_until: &mut Vec<Time>, homes: &Homes<'_>, now: Time, last: Time) -> u16 {
    let place = busy_until.iter().position(|&until| until < now).unwrap_or_else(|| {
        busy_until.push(0);
        busy_until.len() - 1
    });
    busy_until[place] = last;
    homes.first_free + place as u16
}
