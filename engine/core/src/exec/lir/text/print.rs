//! Prints functions and blocks.

use std::fmt::Write as _;

use super::fields::Field;
use crate::exec::lir::node::{Kind, Node, NodeId};
use crate::exec::lir::{Block, Effect, Exit, Function, Instruction, Step, Target, kinds};

/// One line of text.
#[derive(Debug)]
pub struct Line<'a> {
    kinds: &'a [Kind],
    text: String,
    has_arguments: bool,
}

impl<'a> Line<'a> {
    const fn new(kinds: &'a [Kind]) -> Self {
        Self { kinds, text: String::new(), has_arguments: false }
    }

    pub fn word(&mut self, word: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }

    /// Begins an argument.
    pub fn comma(&mut self) {
        if std::mem::replace(&mut self.has_arguments, true) {
            self.text.push(',');
        }
    }

    pub fn argument(&mut self, argument: &str) {
        self.comma();
        self.word(argument);
    }

    pub fn value(&mut self, id: NodeId) {
        self.argument(&name(self.kinds, id));
    }
}

/// The name of a value. Values that do not exist have one too, so that incorrect functions can be printed.
pub fn name(kinds: &[Kind], id: NodeId) -> String {
    let kind = kinds.get(id as usize).copied().unwrap_or(Kind::Value);
    format!("{}{id}", kind.name())
}

fn value_line(kinds: &[Kind], id: NodeId, node: &Node) -> String {
    let mut line = Line::new(kinds);
    node.print(&mut line);
    let mut text = format!("{} = {}", name(kinds, id), line.text);
    if let Node::Constant(bits) = *node
        && f32::from_bits(bits).is_normal()
    {
        let _ = write!(text, " ; {:?}", f32::from_bits(bits));
    }
    text
}

/// The text of a target.
pub fn target(target: Target) -> String {
    let mut line = Line::new(&[]);
    target.print(&mut line);
    line.text
}

fn store_line(kinds: &[Kind], target: Target, value: NodeId) -> String {
    let mut line = Line::new(kinds);
    line.word("store");
    target.print(&mut line);
    line.value(value);
    line.text
}

/// The line of an effect, such as `v1, _, v2 = texture`, its fields and operands. `name` returns the names of
/// values.
pub fn print_effect<V: Copy>(effect: &Effect<V>, name: impl Fn(V) -> String) -> String {
    let mut line = Line::new(&[]);
    effect.action.print(&mut line);
    effect.operands.iter().for_each(|&operand| line.argument(&name(operand)));
    let Some(last) = effect.results.iter().map(|result| result.0).max() else { return line.text };
    let result = |number: u8| {
        let result = effect.results.iter().find(|result| result.0 == number);
        result.map_or_else(|| "_".to_owned(), |&(_, value)| name(value))
    };
    let results: Vec<String> = (0..=last).map(result).collect();
    format!("{} = {}", results.join(", "), line.text)
}

/// The text of `block`, which gets the name `%name`.
pub fn print_block(name: &str, block: &Block) -> String {
    let kinds = kinds(&block.nodes);
    let value = |id| self::name(&kinds, id);
    let line = |instruction: &Instruction| match instruction {
        Instruction::Compute(id) => value_line(&kinds, *id, &block.nodes[*id as usize]),
        Instruction::Store(target, id) => store_line(&kinds, *target, *id),
        Instruction::Kill(mask) => format!("kill {}", value(*mask)),
        Instruction::Effect(effect) => print_effect(effect, value),
    };
    let mut lines: Vec<String> = block.instructions.iter().map(line).collect();
    if block.exit != Exit::Next {
        let mut line = Line::new(&kinds);
        block.exit.print(&mut line);
        block.test.iter().for_each(|&test| line.value(test));
        lines.push(line.text);
    }
    let lines = lines.iter().map(|line| format!("    {line}\n"));
    format!("block %{name} {{\n{}}}\n", lines.collect::<String>())
}

/// The text of `function`, which gets the name `%name`.
pub fn print(name: &str, function: &Function) -> String {
    let Function { nodes, stores } = function;
    let kinds = kinds(nodes);
    let mut text = format!("function %{name} {{\n");
    for (id, node) in nodes.iter().enumerate() {
        let _ = writeln!(text, "    {}", value_line(&kinds, id as NodeId, node));
    }
    for &(target, value) in stores {
        let _ = writeln!(text, "    {}", store_line(&kinds, target, value));
    }
    text + "}\n"
}

/// A line for each of `steps` over `nodes`.
pub fn steps(nodes: &[Node], steps: &[Step]) -> Vec<String> {
    let kinds = kinds(nodes);
    let line = |step: &Step| match *step {
        Step::Compute(id) => value_line(&kinds, id, &nodes[id as usize]),
        Step::Store(target, value) => store_line(&kinds, target, value),
    };
    steps.iter().map(line).collect()
}
