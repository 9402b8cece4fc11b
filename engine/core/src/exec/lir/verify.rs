//! The verifier. Debug builds run it after each pass, so that a pass that breaks the IR is found where it
//! happens.

use std::collections::HashSet;
use std::fmt;

use super::{Block, Function, Instruction, Kind, Masks, Node, NodeId, Rule, Step, Target, text};

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub place: Place,
    /// Begins with the name of the value or store.
    pub message: String,
}

/// The place of a [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Node(NodeId),
    /// The index of a store.
    Store(usize),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

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

/// Checks a function:
///
/// * Each operand is defined before its user.
/// * Operands and stored values have the kinds that the table of operations requires.
/// * Counts of shifts are less than 32.
/// * No lane register is stored to twice.
/// * No uniform is stored to. The function does not read the lane registers of [`Target::Bits`].
///
/// Returns the faults.
pub fn verify(function: &Function, masks: Masks) -> Vec<Fault> {
    let Function { nodes, stores } = function;
    let kinds = kinds(nodes);
    let mut faults = Vec::new();
    for (id, node) in nodes.iter().enumerate() {
        let messages = node_faults(&kinds, id, node, masks).into_iter();
        faults.extend(messages.map(|message| {
            let id = id as NodeId;
            Fault { place: Place::Node(id), message: format!("{}: {message}", text::name(&kinds, id)) }
        }));
    }
    let uniforms = nodes.iter().filter_map(|node| match *node {
        Node::Uniform(register) => Some(register),
        _ => None,
    });
    let uniforms: HashSet<u16> = uniforms.collect();
    let mut targets: HashSet<Target> = HashSet::new();
    for (index, &(target, value)) in stores.iter().enumerate() {
        let mut messages = Vec::new();
        match kinds.get(value as usize) {
            None => messages.push(format!("{} does not exist", text::name(&kinds, value))),
            Some(&kind) => messages.extend(mismatch(&kinds, value, Rule::One(target.takes()), kind, masks)),
        }
        if let Target::Register(register) | Target::Bits(register) = target
            && uniforms.contains(&register)
        {
            messages.push(format!("lane register {register} is a uniform"));
        }
        if let Target::Bits(register) = target
            && nodes.contains(&Node::Register(register))
        {
            messages.push(format!("the function reads lane register {register}"));
        }
        let is_new = targets.insert(match target {
            Target::Bits(register) => Target::Register(register),
            target => target,
        });
        if !is_new {
            messages.push("an earlier store has the same target".to_owned());
        }
        faults.extend(messages.into_iter().map(|message| Fault {
            place: Place::Store(index),
            message: format!("store {}: {message}", text::target(target)),
        }));
    }
    faults
}

/// Checks a block:
///
/// * Each value is computed before its users, and by one instruction. Values have the kinds that the table of
///   operations requires.
/// * An effect has as many operands as its action states. Operands and results are 32-bit values.
/// * No mask and no 64-bit value is used after an effect that follows it.
/// * No lane register is read or stored to after a store to it, except after an effect.
/// * The test of the exit is a mask.
///
/// Returns the faults.
pub fn verify_block(block: &Block) -> Vec<String> {
    let kinds = kinds(&block.nodes);
    let mut faults = Vec::new();
    // For each value, the number of effects before it.
    let mut defined: Vec<Option<usize>> = vec![None; block.nodes.len()];
    let mut stored: HashSet<u16> = HashSet::new();
    let mut effects = 0;
    for instruction in &block.instructions {
        let mut fault = |message: String| faults.push(message);
        let mut read: Vec<(NodeId, Option<Rule>)> = Vec::new();
        let mut new = Vec::new();
        match instruction {
            Instruction::Compute(id) => {
                let node = &block.nodes[*id as usize];
                read.extend(node.operands().map(|operand| (operand, None)));
                new.push(*id);
                for message in node_faults(&kinds, *id as usize, node, Masks::Own) {
                    fault(format!("{}: {message}", text::name(&kinds, *id)));
                }
                if node.register().is_some_and(|register| stored.contains(&register)) {
                    fault(format!("{} is read after a store", text::name(&kinds, *id)));
                }
            }
            Instruction::Store(target, value) => {
                read.push((*value, Some(Rule::One(target.takes()))));
                if let Target::Register(register) | Target::Bits(register) = target
                    && !stored.insert(*register)
                {
                    fault(format!("store {}: an earlier store has the same target", text::target(*target)));
                }
            }
            Instruction::Kill(mask) => read.push((*mask, Some(Rule::One(Kind::Mask)))),
            Instruction::Effect(effect) => {
                let (found, wanted) = (effect.operands.len(), effect.action.operands());
                if found != wanted {
                    fault(format!("an effect has {found} operands, must have {wanted}"));
                }
                read.extend(effect.operands.iter().map(|&operand| (operand, Some(Rule::One(Kind::Value)))));
                new.extend(effect.results.iter().map(|&(_, value)| value));
            }
        }
        let read = read
            .into_iter()
            .filter_map(|(id, rule)| read_fault(&kinds, (id, rule), defined[id as usize], effects));
        faults.extend(read);
        if matches!(instruction, Instruction::Kill(_) | Instruction::Effect(_)) {
            effects += 1;
            stored.clear();
        }
        for id in new {
            if defined[id as usize].replace(effects).is_some() {
                faults.push(format!("{} is computed twice", text::name(&kinds, id)));
            }
        }
    }
    let test = block.test.map(|test| (test, Some(Rule::One(Kind::Mask)), defined[test as usize]));
    faults.extend(test.and_then(|(id, rule, defined)| read_fault(&kinds, (id, rule), defined, effects)));
    faults
}

/// The fault of a read of value `id` after this number of effects. `defined` is the number of effects before
/// the value.
fn read_fault(
    kinds: &[Kind],
    (id, rule): (NodeId, Option<Rule>),
    defined: Option<usize>,
    effects: usize,
) -> Option<String> {
    let kind = kinds[id as usize];
    let name = text::name(kinds, id);
    match defined {
        None => Some(format!("{name} is not computed before its user")),
        Some(before) if kind != Kind::Value && before != effects => {
            Some(format!("{name} is {}, which an effect does not keep", kind.noun()))
        }
        Some(_) => rule.and_then(|rule| mismatch(kinds, id, rule, kind, Masks::Own)),
    }
}

fn node_faults(kinds: &[Kind], id: usize, node: &Node, masks: Masks) -> Vec<String> {
    let mut faults = Vec::new();
    // The kinds of operands that must have the same kind.
    let mut same = [None; 2];
    for (at, (operand, rule)) in node.operands().zip(node.rules()).enumerate() {
        if operand as usize >= id {
            faults.push(format!("{} is not defined before its user", text::name(kinds, operand)));
            continue;
        }
        let kind = kinds[operand as usize];
        faults.extend(mismatch(kinds, operand, rule, kind, masks));
        if rule == Rule::Same
            && let Some(same) = same.get_mut(at)
        {
            *same = Some(kind == Kind::Wide);
        }
    }
    if let [Some(a), Some(b)] = same
        && a != b
    {
        faults.push("the operands have different kinds".to_owned());
    }
    if let Node::Result(_) = node {
        faults.push("only an effect has a result".to_owned());
    }
    if let Node::Shift(_, count @ 32.., _) = node {
        faults.push(format!("the count of a shift is {count}, must be less than 32"));
    }
    faults
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

/// Panics in debug builds if `block` is incorrect after `pass`.
pub fn assert_correct_block(pass: &str, block: &Block) {
    if cfg!(debug_assertions) {
        let faults = verify_block(block);
        assert!(
            faults.is_empty(),
            "{pass}: {}\n{}",
            faults.join("\n"),
            text::print_block("incorrect", block)
        );
    }
}

/// Panics in debug builds if `function` is incorrect after `pass`.
pub fn assert_correct(pass: &str, function: &Function, masks: Masks) {
    if cfg!(debug_assertions) {
        let faults: Vec<String> = verify(function, masks).iter().map(Fault::to_string).collect();
        assert!(faults.is_empty(), "{pass}: {}\n{}", faults.join("\n"), text::print("incorrect", function));
    }
}
