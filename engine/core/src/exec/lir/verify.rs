//! The verifier. Debug builds run it after each pass, so that a pass that breaks the IR is found where it
//! happens.

use std::collections::HashSet;
use std::fmt;

use super::{Function, Kind, Masks, Node, NodeId, Rule, Target, text};

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
/// * No target is stored to twice, and no uniform is stored to.
///
/// Returns the faults.
pub fn verify(function: &Function, masks: Masks) -> Vec<Fault> {
    let Function { nodes, stores } = function;
    let kinds = kinds(nodes);
    let mut faults = Vec::new();
    for (id, node) in nodes.iter().enumerate() {
        let (place, name) = (Place::Node(id as NodeId), text::name(&kinds, id as NodeId));
        let messages = node_faults(&kinds, id, node, masks).into_iter();
        faults.extend(messages.map(|message| Fault { place, message: format!("{name}: {message}") }));
    }
    let mut targets: HashSet<Target> = HashSet::new();
    for (index, &(target, value)) in stores.iter().enumerate() {
        let is_new = targets.insert(target);
        let messages = store_faults(function, &kinds, (target, value), masks).into_iter();
        let messages = messages.chain((!is_new).then(|| "an earlier store has the same target".to_owned()));
        let name = format!("store {}", text::target(target));
        faults.extend(
            messages
                .map(|message| Fault { place: Place::Store(index), message: format!("{name}: {message}") }),
        );
    }
    faults
}

fn node_faults(kinds: &[Kind], id: usize, node: &Node, masks: Masks) -> Vec<String> {
    let mut faults = Vec::new();
    let mut found = Vec::new();
    for (operand, rule) in node.operands().zip(node.rules()) {
        let name = text::name(kinds, operand);
        if operand as usize >= id {
            faults.push(format!("{name} is not defined before its user"));
            continue;
        }
        let kind = kinds[operand as usize];
        found.push(kind);
        if let Some(wanted) = mismatch(rule, kind, masks) {
            faults.push(format!("{name} is {}, must be {wanted}", kind.noun()));
        }
    }
    let is_mixed = found.contains(&Kind::Wide) && found.iter().any(|&kind| kind != Kind::Wide);
    if is_mixed && node.rules().all(|rule| rule == Rule::Same) {
        faults.push("the operands have different kinds".to_owned());
    }
    if let Node::Shift(_, count @ 32.., _) = node {
        faults.push(format!("the count of a shift is {count}, must be less than 32"));
    }
    faults
}

fn store_faults(
    function: &Function,
    kinds: &[Kind],
    (target, value): (Target, NodeId),
    masks: Masks,
) -> Vec<String> {
    let mut faults = Vec::new();
    let name = text::name(kinds, value);
    match kinds.get(value as usize) {
        None => faults.push(format!("{name} does not exist")),
        Some(&kind) => {
            if let Some(wanted) = mismatch(Rule::One(target.takes()), kind, masks) {
                faults.push(format!("{name} is {}, must be {wanted}", kind.noun()));
            }
        }
    }
    if let Target::Register(register) | Target::Bits(register) = target
        && function.nodes.contains(&Node::Uniform(register))
    {
        faults.push(format!("lane register {register} is a uniform"));
    }
    faults
}

/// The kinds that `rule` permits, for a message, if `kind` is none of them.
fn mismatch(rule: Rule, kind: Kind, masks: Masks) -> Option<&'static str> {
    // Masks in vectors are values.
    let plain = |kind| if kind == Kind::Mask && masks == Masks::Vectors { Kind::Value } else { kind };
    match rule {
        Rule::One(wanted) => (plain(wanted) != plain(kind)).then_some(wanted.noun()),
        Rule::Same => (plain(kind) == Kind::Mask).then_some("a value or a 64-bit value"),
    }
}
