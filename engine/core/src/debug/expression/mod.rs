//! Expressions over the registers of one invocation, for watches, conditions of breakpoints and per-pixel
//! maps.
//!
//! Examples: `R0.x > 0.5 and CC.y is LT`, `dot(R1.xyz, f[TEX0].xyz)`, `|R2|`, `length(R0.xy - {0.5, 0.5})`.
//! Registers have the names that the program gives them, with an optional swizzle. Floating-point numbers are
//! evaluated in double precision from the registers' exact values, integers exactly. A value of one component
//! combines with a value of several. A comparison holds if it holds in every component.
//!
//! [`Expression::parse`] reports every error in names and sizes, so an evaluation always gives a [`Value`].

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

/// The longest expression in bytes.
pub const MAX_TEXT: usize = 400;

/// The names of the registers that expressions over `program` can read, ordered by kind: temporaries,
/// outputs, attributes, parameters, condition codes.
pub fn register_names(program: &Program) -> Vec<String> {
    let mut names: Vec<String> = names::names(program).into_iter().map(|(name, _)| name).collect();
    let mut met = std::collections::HashSet::new();
    names.retain(|name| met.insert(name.clone()));
    names
}

/// An error in the text of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// The erroneous part of the text.
    pub span: Span,
    /// The error as a sentence without its full stop.
    pub message: String,
}

impl std::fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ExpressionError {}

/// One component of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    pub bits: u64,
    /// The type that gives the format of the bits.
    pub ty: Type,
    /// Whether the specification defines the value.
    pub defined: bool,
}

/// A source of the registers that an expression can read.
pub trait Values {
    /// Component `component` (0 = x) of a register. `place` must not be a condition code.
    fn component(&self, place: Place, component: usize) -> Component;

    /// Component `component` (0 = x) of a condition code.
    fn flags(&self, register: CcRegister, component: usize) -> Flags;

    /// Number of steps taken so far.
    fn position(&self) -> usize;
}

/// The property that `is` tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    /// A rule of condition codes. A number is tested through the condition code that an instruction with this
    /// result would write.
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
    /// The bits reinterpreted as a number of this type, with the same width.
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

/// A checked expression over the registers of one program.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    root: Node,
    reads: Vec<(Place, u8)>,
    is_condition: bool,
}

impl Expression {
    /// Parses `text`, an expression over the registers of `program`.
    ///
    /// # Errors
    /// The first error, with its place in `text`.
    pub fn parse(text: &str, program: &Program) -> Result<Self, ExpressionError> {
        let parse::Parsed { root, reads, is_condition } = parse::parse(text, program)?;
        Ok(Self { text: text.trim().to_owned(), root, reads, is_condition })
    }

    /// The text as written, without spaces around it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the expression is a condition rather than a number.
    pub const fn is_condition(&self) -> bool {
        self.is_condition
    }

    /// The registers that the expression reads, each once, with their components (bit 0 = x).
    pub fn reads(&self) -> &[(Place, u8)] {
        &self.reads
    }

    /// The register and its components in their order (0 = x), if the expression is a register alone.
    pub fn register(&self) -> Option<(Place, &[u8])> {
        match &self.root {
            Node::Register { place, components } => Some((*place, components)),
            _ => None,
        }
    }

    /// Evaluates the expression on these registers.
    pub fn evaluate(&self, values: &impl Values) -> Outcome {
        evaluate::evaluate(self, values)
    }

    /// Whether the condition is true, or the number is other than 0 in every component.
    pub fn holds(&self, values: &impl Values) -> bool {
        self.evaluate(values).value.holds()
    }
}
