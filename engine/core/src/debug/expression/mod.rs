//! Expressions over the registers of one invocation: watches, conditions of breakpoints, and what is shown over a
//! whole picture.
//!
//! `R0.x > 0.5 and CC.y is LT`, `dot(R1.xyz, f[TEX0].xyz)`, `|R2|`, `length(R0.xy - {0.5, 0.5})`. Registers are named as
//! the program names them, with a swizzle if one is wanted. Floating-point numbers are worked out in double precision from
//! the registers' exact values, integers exactly; a value of one component goes with one of several. Comparisons hold where
//! they hold in every component.
//!
//! [`Expression::parse`] finds every fault of names and sizes, so an evaluation always gives a [`Value`].

mod evaluate;
mod names;
mod parse;
#[cfg(test)]
mod steps;
#[cfg(test)]
mod tests;

pub use evaluate::{Few, Number, Numbers, Outcome, Value};
pub use names::Place;

use shadestep_language::ir::{CcRegister, Condition, Flags, Program, Type};
use shadestep_language::source::Span;

/// The most bytes of an expression.
pub const MAX_TEXT: usize = 400;

/// The names of the registers that expressions over `program` can read, in the order of their kinds: temporaries, outputs,
/// attributes, parameters, condition codes.
pub fn register_names(program: &Program) -> Vec<String> {
    let mut names: Vec<String> = names::names(program).into_iter().map(|(name, _)| name).collect();
    let mut met = std::collections::HashSet::new();
    names.retain(|name| met.insert(name.clone()));
    names
}

/// What is wrong with the text of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// Where in the text.
    pub span: Span,
    /// What, as a sentence without its full stop.
    pub message: String,
}

impl std::fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExpressionError {}

/// One component as a register has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// Bits.
    pub bits: u64,
    /// How they are read.
    pub ty: Type,
    /// Whether the specification gives it a value.
    pub defined: bool,
}

/// Registers that an expression can read.
pub trait Values {
    /// Component `component` (0 = x) of a register, which is no condition code.
    fn component(&self, place: Place, component: usize) -> Component;

    /// Component `component` (0 = x) of a condition code.
    fn flags(&self, register: CcRegister, component: usize) -> Flags;

    /// Steps that have been taken.
    fn position(&self) -> usize;
}

/// What is asked by `is`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    /// A rule of condition codes; of numbers, what it says of the code that they would give.
    Condition(Condition),
    Infinite,
    Finite,
    Undefined,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Min,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Absolute,
    Negate,
    Floor,
    SquareRoot,
    /// The bits as a number of the kind named, of as many bits.
    Signed,
    Unsigned,
    Float,
    Length,
}

#[derive(Clone, Debug, PartialEq)]
enum Node {
    Register { place: Place, components: Vec<u8> },
    Flags { register: CcRegister, components: Vec<u8> },
    Constant(Vec<Number>),
    Position,
    Call(Function, Box<Node>),
    Arithmetic(Arithmetic, Box<Node>, Box<Node>),
    Dot(Box<Node>, Box<Node>),
    Swizzled(Box<Node>, Vec<u8>),
    Compare(Comparison, Box<Node>, Box<Node>),
    Is(Box<Node>, Test),
    Any(Box<Node>),
    Not(Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
}

/// A checked expression of the registers of one program.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    root: Node,
    reads: Vec<(Place, u8)>,
    is_condition: bool,
}

impl Expression {
    /// Reads `text`, whose registers are those of `program`.
    ///
    /// # Errors
    /// The first fault, with its place in `text`.
    pub fn parse(text: &str, program: &Program) -> Result<Self, ExpressionError> {
        let parse::Parsed { root, reads, is_condition } = parse::parse(text, program)?;
        Ok(Self { text: text.trim().to_owned(), root, reads, is_condition })
    }

    /// As written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it holds or does not, rather than being a number.
    pub const fn is_condition(&self) -> bool {
        self.is_condition
    }

    /// The registers that it reads, each once, with their components (bit 0 = x).
    pub fn reads(&self) -> &[(Place, u8)] {
        &self.reads
    }

    /// The register and its components, 0 = x, in their order, where it is nothing but that.
    pub fn register(&self) -> Option<(Place, &[u8])> {
        match &self.root {
            Node::Register { place, components } => Some((*place, components)),
            _ => None,
        }
    }

    /// What it is worth there.
    pub fn evaluate(&self, values: &impl Values) -> Outcome {
        evaluate::evaluate(self, values)
    }

    /// Whether it is a condition that holds, or a number other than 0 in every component.
    pub fn holds(&self, values: &impl Values) -> bool {
        self.evaluate(values).value.holds()
    }
}
