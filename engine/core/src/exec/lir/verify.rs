//! The verifier. In tests ([`IN_USE`]) it runs after each pass, so that a pass that breaks the IR is found
//! where it happens.

use std::collections::HashSet;

use super::{Block, Function, Instruction, Kind, Masks, Node, NodeId, Rule, Step, Target, text};

/// Whether functions and blocks are checked after each pass.
const IN_USE: bool = cfg!(any(test, feature = "verify"));

/// The kind of a node's result; `of` returns the kinds of its operands.
pub fn result_kind(node: &Node, of: impl Fn(NodeId) -> Kind) -> Kind {
    match node.result() {
        Rule::One(kind) => kind,
        Rule::Same if node.operands().any(|operand| of(operand) == Kind::Wide) => Kind::Wide,
        Rule::Same => Kind::Value,
    }
}

/// The kind of each node. Works on incorrect nodes, too.
pub fn kinds(nodes: &[Node]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let kind = result_kind(node, |id| kinds.get(id as usize).copied().unwrap_or(Kind::Value));
        kinds.push(kind);
    }
    kinds
}

/// Checks a function, as [`verify_block`], and that no target is stored to twice. Returns the faults.
pub fn verify(function: &Function, masks: Masks) -> Vec<String> {
    let Function { nodes, stores } = function.clone();
    let computed = (0..nodes.len() as NodeId).map(Instruction::Compute);
    let stores = stores.into_iter().map(|(target, value)| Instruction::Store(target, value));
    let block = Block { instructions: computed.chain(stores).collect(), nodes, ..Block::default() };
    let mut faults = verify_block(&block, masks);
    let mut targets = HashSet::new();
    for &(target, _) in &function.stores {
        let place = match target {
            Target::Bits(register) => Target::Register(register),
            target => target,
        };
        if !targets.insert(place) {
            faults.push(format!("store {}: an earlier store has the same target", text::target(target)));
        }
    }
    faults
}

/// Checks a block:
///
/// * Each value is computed once, before its users. Values have the kinds that the table of operations
///   requires.
/// * Counts of shifts are less than 32.
/// * The lane registers of [`Target::Bits`] are not read before, after the last effect.
/// * No uniform is stored to.
/// * An effect has as many operands as its action states.
/// * No mask and no 64-bit value is used after an effect that follows it.
///
/// Returns the faults.
pub fn verify_block(block: &Block, masks: Masks) -> Vec<String> {
    let mut verifier = Verifier {
        block,
        kinds: kinds(&block.nodes),
        masks,
        defined: vec![None; block.nodes.len()],
        effects: 0,
        read: HashSet::new(),
        faults: Vec::new(),
    };
    block.instructions.iter().for_each(|instruction| verifier.instruction(instruction));
    block.test.iter().for_each(|&test| verifier.value("the exit", test, Rule::One(Kind::Mask)));
    verifier.faults
}

struct Verifier<'a> {
    block: &'a Block,
    kinds: Vec<Kind>,
    masks: Masks,
    /// For each value that is computed, the number of effects before it.
    defined: Vec<Option<usize>>,
    /// Number of effects so far.
    effects: usize,
    /// Lane registers that are read after the last effect.
    read: HashSet<u16>,
    faults: Vec<String>,
}

impl Verifier<'_> {
    fn fault(&mut self, subject: &str, message: &str) {
        self.faults.push(format!("{subject}: {message}"));
    }

    fn name(&self, id: NodeId) -> String {
        text::name(&self.kinds, id)
    }

    fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Compute(id) => self.compute(*id),
            Instruction::Store(target, value) => self.store(*target, *value),
            Instruction::Kill(mask) => {
                self.value("kill", *mask, Rule::One(Kind::Mask));
                self.end_of_function();
            }
            Instruction::Effect(effect) => {
                let (found, wanted) = (effect.operands.len(), effect.action.operands());
                if found != wanted {
                    self.fault("effect", &format!("has {found} operands, must have {wanted}"));
                }
                for &operand in &effect.operands {
                    self.value("effect", operand, Rule::One(Kind::Value));
                }
                self.end_of_function();
                effect.results.iter().for_each(|&(_, result)| self.define(result));
            }
        }
    }

    /// Checks a value that `subject` uses, and that must have the kind of `rule`.
    fn value(&mut self, subject: &str, id: NodeId, rule: Rule) {
        let Some(&kind) = self.kinds.get(id as usize) else {
            return self.fault(subject, &format!("{} does not exist", self.name(id)));
        };
        match self.defined[id as usize] {
            None => self.fault(subject, &format!("{} is not defined before its user", self.name(id))),
            Some(before) if kind != Kind::Value && before != self.effects => {
                let message = format!("{} is {}, which effects do not keep", self.name(id), kind.noun());
                self.fault(subject, &message);
            }
            Some(_) => {
                let mismatch = mismatch(&self.kinds, id, rule, kind, self.masks);
                mismatch.into_iter().for_each(|message| self.fault(subject, &message));
            }
        }
    }

    fn compute(&mut self, id: NodeId) {
        let (node, name) = (self.block.nodes[id as usize], self.name(id));
        // The kinds of operands that must have the same kind.
        let mut same = Vec::new();
        for (operand, rule) in node.operands().zip(node.rules()) {
            self.value(&name, operand, rule);
            if let (Rule::Same, Some(kind)) = (rule, self.kinds.get(operand as usize)) {
                same.push(*kind == Kind::Wide);
            }
        }
        let is_defined =
            node.operands().all(|operand| self.defined.get(operand as usize).is_some_and(Option::is_some));
        if is_defined && same.windows(2).any(|pair| pair[0] != pair[1]) {
            self.fault(&name, "the operands have different kinds");
        }
        match node {
            Node::Result(_) => self.fault(&name, "only an effect has a result"),
            Node::Shift(_, count @ 32.., _) => {
                self.fault(&name, &format!("the count of a shift is {count}, must be less than 32"));
            }
            Node::Register(register) => {
                self.read.insert(register);
            }
            _ => {}
        }
        self.define(id);
    }

    fn define(&mut self, id: NodeId) {
        if self.defined[id as usize].replace(self.effects).is_some() {
            self.fault(&self.name(id), "is computed twice");
        }
    }

    fn store(&mut self, target: Target, value: NodeId) {
        let subject = format!("store {}", text::target(target));
        self.value(&subject, value, Rule::One(target.takes()));
        if let Target::Register(register) | Target::Bits(register) = target
            && self.block.nodes.contains(&Node::Uniform(register))
        {
            self.fault(&subject, &format!("lane register {register} is a uniform"));
        }
        if let Target::Bits(register) = target
            && self.read.contains(&register)
        {
            self.fault(&subject, &format!("the function reads lane register {register}"));
        }
    }

    fn end_of_function(&mut self) {
        self.effects += 1;
        self.read.clear();
    }
}

/// The fault of a value of `kind` where `rule` does not permit this kind.
fn mismatch(kinds: &[Kind], value: NodeId, rule: Rule, kind: Kind, masks: Masks) -> Option<String> {
    // Masks in vectors are values.
    let plain = |kind| if kind == Kind::Mask && masks == Masks::Vectors { Kind::Value } else { kind };
    let wanted = match rule {
        Rule::One(wanted) => (plain(wanted) != plain(kind)).then_some(wanted.noun()),
        Rule::Same => (plain(kind) == Kind::Mask).then_some("a value or a 64-bit value"),
    };
    wanted.map(|wanted| format!("{} is {}, must be {wanted}", text::name(kinds, value), kind.noun()))
}

/// Checks that `steps` execute `function`:
///
/// * Each value is computed once, after its operands. Values that are in memory or constant need no step.
/// * Each store is done once.
/// * No value is read from a lane register after a store has overwritten it, unless a step has copied it
///   before.
/// * [`Target::Again`] is last.
///
/// Returns the faults.
pub fn verify_schedule(Function { nodes, stores }: &Function, steps: &[Step]) -> Vec<String> {
    let kinds = kinds(nodes);
    let mut computed = vec![false; nodes.len()];
    let mut overwritten: HashSet<u16> = HashSet::new();
    let mut open: Vec<(Target, NodeId)> = stores.clone();
    let mut faults = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let mut fault = |message: String| faults.push(format!("step {at}: {message}"));
        let read: Vec<NodeId> = match *step {
            // The step reads the lane register itself.
            Step::Compute(id) if nodes[id as usize].is_kept() => vec![id],
            Step::Compute(id) => nodes[id as usize].operands().collect(),
            Step::Store(_, id) => vec![id],
        };
        for id in read.into_iter().filter(|&id| !computed[id as usize]) {
            let name = text::name(&kinds, id);
            match nodes[id as usize] {
                Node::Register(register) if overwritten.contains(&register) => {
                    fault(format!("{name} is read after its lane register is overwritten"));
                }
                node if !node.is_kept() => fault(format!("{name} is read before it is computed")),
                _ => {}
            }
        }
        match *step {
            Step::Compute(id) => {
                if std::mem::replace(&mut computed[id as usize], true) {
                    fault(format!("{} is computed twice", text::name(&kinds, id)));
                }
            }
            Step::Store(target, id) => {
                match open.iter().position(|&store| store == (target, id)) {
                    Some(store) => {
                        open.swap_remove(store);
                    }
                    None => fault(format!("the function has no such store to {}", text::target(target))),
                }
                match target {
                    Target::Register(register) | Target::Bits(register) => {
                        overwritten.insert(register);
                    }
                    Target::Again if at + 1 < steps.len() => fault("again is not last".to_owned()),
                    Target::Again | Target::Output(_) => {}
                }
            }
        }
    }
    faults
        .extend(open.iter().map(|&(target, _)| format!("the store to {} is missing", text::target(target))));
    faults
}

/// Panics if the verifier is in use and `block` is incorrect after `pass`.
pub fn assert_correct_block(pass: &str, block: &Block) {
    if IN_USE {
        let faults = verify_block(block, Masks::Own);
        assert!(
            faults.is_empty(),
            "{pass}: {}\n{}",
            faults.join("\n"),
            text::print_block("incorrect", block)
        );
    }
}

/// Panics if the verifier is in use and `function` is incorrect after `pass`.
pub fn assert_correct(pass: &str, function: &Function, masks: Masks) {
    if IN_USE {
        let faults = verify(function, masks);
        assert!(faults.is_empty(), "{pass}: {}\n{}", faults.join("\n"), text::print("incorrect", function));
    }
}

/// Panics if the verifier is in use and `steps` is not a schedule of `function`.
pub fn assert_correct_schedule(function: &Function, steps: &[Step]) {
    if IN_USE {
        let faults = verify_schedule(function, steps);
        assert!(faults.is_empty(), "schedule: {}\n{}", faults.join("\n"), text::print("scheduled", function));
    }
}
