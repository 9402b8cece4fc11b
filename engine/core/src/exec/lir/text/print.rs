//! Prints functions.

use std::fmt::Write as _;

use crate::exec::lir::node::{Kind, Node, NodeId};
use crate::exec::lir::{Function, Step, Target, kinds};

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

    /// Adds a word, unless it is empty.
    pub fn word(&mut self, word: &str) {
        if !word.is_empty() {
            self.separate(" ");
            self.text.push_str(word);
        }
    }

    pub fn value(&mut self, id: NodeId) {
        let name = name(self.kinds, id);
        self.number(&name);
    }

    pub fn number(&mut self, number: &str) {
        self.separate(if self.has_arguments { ", " } else { " " });
        self.text.push_str(number);
        self.has_arguments = true;
    }

    fn separate(&mut self, separator: &str) {
        if !self.text.is_empty() {
            self.text.push_str(separator);
        }
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
