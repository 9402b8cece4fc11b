//! Evaluates an expression on the registers of one position of a run.

use super::{Arithmetic, Comparison, Component, Expression, Function, Node, Test, Values};
use crate::exec::passes;
use shadestep_language::ir::{Condition, Flags, Type, Value as Bits};

/// A number, without rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Float(f64),
    /// An integer. A result that does not fit 127 bits becomes a floating-point number.
    Integer(i128),
}

impl Number {
    pub(super) fn read(component: Component) -> Self {
        match component.ty.value(component.bits) {
            Bits::Single(value) => Self::Float(value.into()),
            Bits::Double(value) => Self::Float(value),
            Bits::Signed(value) => Self::Integer(value.into()),
            Bits::Unsigned(value) => Self::Integer(value.into()),
        }
    }

    pub fn as_float(self) -> f64 {
        match self {
            Self::Float(value) => value,
            Self::Integer(value) => value as f64,
        }
    }

    pub(super) const fn negated(self) -> Self {
        match self {
            Self::Float(value) => Self::Float(-value),
            Self::Integer(value) => Self::Integer(value.wrapping_neg()),
        }
    }

    fn absolute(self) -> Self {
        match self {
            Self::Float(value) => Self::Float(value.abs()),
            Self::Integer(value) => Self::Integer(value.wrapping_abs()),
        }
    }

    /// The condition code that an instruction with this result would write.
    fn flags(self) -> Flags {
        let value = self.as_float();
        if value.is_nan() {
            Flags::UN
        } else if value < 0.0 {
            Flags::LT
        } else if value > 0.0 {
            Flags::GT
        } else {
            Flags::EQ
        }
    }

    fn compared(self, other: Self) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => Some(a.cmp(&b)),
            (a, b) => a.as_float().partial_cmp(&b.as_float()),
        }
    }
}

/// Up to four values of type `T`.
#[derive(Clone, Copy, Debug)]
pub struct Few<T> {
    count: usize,
    all: [T; 4],
}

impl<T: Copy> Few<T> {
    fn new(mut all: impl Iterator<Item = T>, filler: T) -> Self {
        let (mut few, mut count) = ([filler; 4], 0);
        while count < few.len()
            && let Some(next) = all.next()
        {
            few[count] = next;
            count += 1;
        }
        Self { count, all: few }
    }
}

impl<T> std::ops::Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.all[..self.count]
    }
}

impl<T> IntoIterator for Few<T> {
    type Item = T;
    type IntoIter = std::iter::Take<std::array::IntoIter<T, 4>>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.into_iter().take(self.count)
    }
}

impl<T: PartialEq> PartialEq for Few<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

pub type Numbers = Few<Number>;

impl Numbers {
    fn of(numbers: impl Iterator<Item = Number>) -> Self {
        Self::new(numbers, Number::Integer(0))
    }

    fn one(number: Number) -> Self {
        Self::of(std::iter::once(number))
    }
}

/// The value of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// One to four numbers.
    Numbers(Numbers),
    /// The value of a condition.
    Truth(bool),
}

impl Value {
    /// Whether the condition is true, or every component is other than 0.
    pub fn holds(&self) -> bool {
        match self {
            Self::Truth(truth) => *truth,
            Self::Numbers(numbers) => numbers.iter().all(|number| number.as_float() != 0.0),
        }
    }

    /// The components as numbers; a condition is 1 or 0.
    pub fn numbers(&self) -> Numbers {
        match self {
            Self::Truth(truth) => Numbers::one(Number::Integer((*truth).into())),
            Self::Numbers(numbers) => *numbers,
        }
    }
}

/// The value of an expression at one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    pub value: Value,
    /// Whether the value depends on a value that the specification leaves undefined.
    pub undefined: bool,
}

pub(super) fn evaluate(expression: &Expression, values: &impl Values) -> Outcome {
    let mut evaluation = Evaluation { values, undefined: false };
    let value = if expression.is_condition {
        Value::Truth(evaluation.holds(&expression.root))
    } else {
        Value::Numbers(evaluation.numbers(&expression.root))
    };
    Outcome { value, undefined: evaluation.undefined }
}

struct Evaluation<'a, V> {
    values: &'a V,
    undefined: bool,
}

impl<V: Values> Evaluation<'_, V> {
    fn components(&mut self, node: &Node) -> Few<Component> {
        let nothing = Component { bits: 0, ty: Type::F32, defined: true };
        let Node::Register { place, components } = node else { return Few::new(std::iter::empty(), nothing) };
        let read = components.iter().map(|&c| self.values.component(*place, c.into()));
        let read = Few::new(read, nothing);
        self.undefined |= read.iter().any(|component| !component.defined);
        read
    }

    fn numbers(&mut self, node: &Node) -> Numbers {
        match node {
            Node::Register { .. } => Numbers::of(self.components(node).iter().copied().map(Number::read)),
            Node::Constant(numbers) => Numbers::of(numbers.iter().copied()),
            Node::Position => Numbers::one(Number::Integer(self.values.position() as i128)),
            Node::Swizzled(inner, components) => {
                let numbers = self.numbers(inner);
                Numbers::of(components.iter().filter_map(|&c| numbers.get(usize::from(c)).copied()))
            }
            Node::Call(function @ (Function::Signed | Function::Unsigned | Function::Float), inner) => {
                let read = |component: &Component| Number::read(read_as(*function, *component));
                Numbers::of(self.components(inner).iter().map(read))
            }
            Node::Call(Function::Length, inner) => {
                let sum: f64 = self.numbers(inner).iter().map(|number| number.as_float().powi(2)).sum();
                Numbers::one(Number::Float(sum.sqrt()))
            }
            Node::Call(function, inner) => {
                Numbers::of(self.numbers(inner).iter().map(|number| call(*function, *number)))
            }
            Node::Arithmetic(arithmetic, left, right) => {
                let (left, right) = (self.numbers(left), self.numbers(right));
                Numbers::of(left.iter().zip(&*right).map(|(a, b)| combined(*arithmetic, *a, *b)))
            }
            Node::Dot(left, right) => {
                let (left, right) = (self.numbers(left), self.numbers(right));
                let products = left.iter().zip(&*right).map(|(a, b)| combined(Arithmetic::Multiply, *a, *b));
                let sum = |a, b| combined(Arithmetic::Add, a, b);
                Numbers::of(products.reduce(sum).into_iter())
            }
            // The parser never accepts these nodes as numbers.
            Node::Flags { .. }
            | Node::Compare(..)
            | Node::Is(..)
            | Node::Any(_)
            | Node::Not(_)
            | Node::And(..)
            | Node::Or(..) => Numbers::of(std::iter::empty()),
        }
    }

    /// For each component, whether the condition holds.
    fn each(&mut self, node: &Node) -> Few<bool> {
        match node {
            Node::Compare(comparison, left, right) => {
                let (left, right) = (self.numbers(left), self.numbers(right));
                Few::new(left.iter().zip(&*right).map(|(a, b)| compare(*comparison, *a, *b)), false)
            }
            Node::Is(inner, test) => self.is(inner, *test),
            _ => Few::new(std::iter::once(self.holds(node)), false),
        }
    }

    fn is(&mut self, inner: &Node, test: Test) -> Few<bool> {
        let passes = |condition: Condition, flags: Flags| passes(condition, u32::from(flags.0));
        match (inner, test) {
            (Node::Flags { register, components }, Test::Condition(condition)) => {
                let flags = components.iter().map(|&c| self.values.flags(*register, c.into()));
                Few::new(flags.map(|flags| passes(condition, flags)), false)
            }
            (Node::Register { place, components }, Test::Undefined) => {
                let defined = components.iter().map(|&c| self.values.component(*place, c.into()).defined);
                Few::new(defined.map(|defined| !defined), false)
            }
            (_, Test::Undefined) => {
                let before = std::mem::replace(&mut self.undefined, false);
                let count = self.numbers(inner).len();
                let is = std::mem::replace(&mut self.undefined, before);
                Few::new(std::iter::repeat_n(is, count), false)
            }
            (_, test) => {
                let holds = |number: &Number| match test {
                    Test::Condition(condition) => passes(condition, number.flags()),
                    Test::Infinite => number.as_float().is_infinite(),
                    Test::Finite | Test::Undefined => number.as_float().is_finite(),
                };
                Few::new(self.numbers(inner).iter().map(holds), false)
            }
        }
    }

    fn holds(&mut self, node: &Node) -> bool {
        match node {
            Node::Any(inner) => self.each(inner).iter().any(|holds| *holds),
            Node::Not(inner) => !self.holds(inner),
            Node::And(left, right) => self.holds(left) && self.holds(right),
            Node::Or(left, right) => self.holds(left) || self.holds(right),
            Node::Compare(..) | Node::Is(..) => self.each(node).iter().all(|holds| *holds),
            // The parser never accepts the other nodes as conditions.
            _ => false,
        }
    }
}

/// The bits of a component reinterpreted as another type.
fn read_as(function: Function, component: Component) -> Component {
    let kind = match function {
        Function::Signed => Type::S32,
        Function::Unsigned => Type::U32,
        _ => Type::F32,
    };
    Component { ty: kind.sized_as(component.ty), ..component }
}

fn call(function: Function, number: Number) -> Number {
    match (function, number) {
        (Function::Absolute, number) => number.absolute(),
        (Function::Negate, number) => number.negated(),
        (Function::Floor, Number::Float(value)) => Number::Float(value.floor()),
        (Function::SquareRoot, number) => Number::Float(number.as_float().sqrt()),
        (_, number) => number,
    }
}

fn combined(arithmetic: Arithmetic, a: Number, b: Number) -> Number {
    if let (Number::Integer(a), Number::Integer(b)) = (a, b) {
        let exact = match arithmetic {
            Arithmetic::Add => a.checked_add(b),
            Arithmetic::Subtract => a.checked_sub(b),
            Arithmetic::Multiply => a.checked_mul(b),
            // 1 / 2 is 0.5, as users expect of a formula.
            Arithmetic::Divide => a.checked_rem(b).filter(|rest| *rest == 0).and_then(|_| a.checked_div(b)),
            Arithmetic::Remainder => a.checked_rem(b),
            Arithmetic::Min => Some(a.min(b)),
            Arithmetic::Max => Some(a.max(b)),
        };
        if let Some(exact) = exact {
            return Number::Integer(exact);
        }
    }
    let (a, b) = (a.as_float(), b.as_float());
    Number::Float(match arithmetic {
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::Multiply => a * b,
        Arithmetic::Divide => a / b,
        Arithmetic::Remainder => a % b,
        // A NaN operand gives NaN, so that the user sees it.
        Arithmetic::Min | Arithmetic::Max if a.is_nan() || b.is_nan() => f64::NAN,
        Arithmetic::Min => a.min(b),
        Arithmetic::Max => a.max(b),
    })
}

fn compare(comparison: Comparison, a: Number, b: Number) -> bool {
    let order = a.compared(b);
    match comparison {
        Comparison::Less => order.is_some_and(std::cmp::Ordering::is_lt),
        Comparison::LessOrEqual => order.is_some_and(std::cmp::Ordering::is_le),
        Comparison::Greater => order.is_some_and(std::cmp::Ordering::is_gt),
        Comparison::GreaterOrEqual => order.is_some_and(std::cmp::Ordering::is_ge),
        Comparison::Equal => order.is_some_and(std::cmp::Ordering::is_eq),
        Comparison::NotEqual => order.is_none_or(std::cmp::Ordering::is_ne),
    }
}
