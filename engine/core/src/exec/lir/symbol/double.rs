//! 64-bit symbols for F64, S64 and U64. A value that is not known has two nodes, each for half of the lanes
//! (see [`Node::Zip`]).

use std::ops::{Add, Div, Mul, Sub};

use super::{Lanes, Symbol};
use crate::exec::lir::{Comparison, Half, Node, NodeId, Op64, Recorder, Wanted};
use shadestep_language::num::Double;

/// An fp64 value: a known value, or two nodes.
#[derive(Clone, Copy, Debug)]
pub enum WideSymbol<'r> {
    /// This one.
    Known(f64),
    /// These nodes.
    Nodes(&'r Recorder, [NodeId; 2]),
}

const HALVES: [Half; 2] = [Half::Low, Half::High];

impl<'r> WideSymbol<'r> {
    /// Combines two words, the low one first.
    pub fn of_words([low, high]: [Symbol<'r>; 2]) -> Self {
        let recorder = match (low, high) {
            (Symbol::Known(low), Symbol::Known(high)) => {
                return Self::Known(f64::from_bits(u64::from(high) << 32 | u64::from(low)));
            }
            (Symbol::Node(recorder, _), _) | (_, Symbol::Node(recorder, _)) => recorder,
        };
        let (low, high) = (low.node(recorder), high.node(recorder));
        match (recorder.at(low), recorder.at(high)) {
            (Node::Unzip(Half::Low, a, b), Node::Unzip(Half::High, c, d)) if (a, b) == (c, d) => {
                Self::Nodes(recorder, [a, b])
            }
            _ => Self::Nodes(recorder, HALVES.map(|half| recorder.node(Node::Zip(half, low, high)))),
        }
    }

    fn nodes(self, recorder: &Recorder) -> [NodeId; 2] {
        match self {
            Self::Known(value) => {
                // Both halves are equal.
                let [low, high] = value.words().map(|word| recorder.node(Node::Constant(word)));
                [recorder.node(Node::Zip(Half::Low, low, high)); 2]
            }
            Self::Nodes(_, nodes) => nodes,
        }
    }

    fn compute(self, wide: Op64, other: Self, known: impl Fn(f64, f64) -> f64) -> Self {
        match (self, other) {
            (Self::Known(a), Self::Known(b)) => Self::Known(known(a, b)),
            (Self::Nodes(recorder, _), _) | (_, Self::Nodes(recorder, _)) => {
                let (a, b) = (self.nodes(recorder), other.nodes(recorder));
                Self::Nodes(recorder, [0, 1].map(|half| recorder.node(Node::Op64(wide, a[half], b[half]))))
            }
        }
    }

    fn compare(self, wide: Op64, other: Self, known: impl Fn(&f64, &f64) -> bool) -> Lanes<'r> {
        if let (Self::Known(a), Self::Known(b)) = (self, other) {
            return Lanes::Known(known(&a, &b));
        }
        let Self::Nodes(recorder, [first, second]) = self.compute(wide, other, |a, _| a) else {
            return Lanes::Known(false);
        };
        // Either word will do, as all bits are equal.
        let holds = recorder.node(Node::Unzip(Half::Low, first, second));
        let zero = recorder.node(Node::Constant(0));
        let node = Node::Compare(Comparison::BitsEq, Wanted::Fails, holds, zero);
        Lanes::Node(recorder, recorder.node(node))
    }
}

macro_rules! arithmetic {
    ($($operator:ident $function:ident;)*) => {
        $(impl $operator for WideSymbol<'_> {
            type Output = Self;
            fn $function(self, other: Self) -> Self {
                self.compute(Op64::$operator, other, |a, b| a.$function(b))
            }
        })*
    };
}
arithmetic! { Add add; Sub sub; Mul mul; Div div; }

impl<'r> Double for WideSymbol<'r> {
    type Word = Symbol<'r>;
    type Truth = Lanes<'r>;

    fn of(value: f64) -> Self {
        Self::Known(value)
    }
    fn words(self) -> [Symbol<'r>; 2] {
        let (recorder, [first, second]) = match self {
            Self::Known(value) => return value.words().map(Symbol::Known),
            Self::Nodes(recorder, nodes) => (recorder, nodes),
        };
        match (recorder.at(first), recorder.at(second)) {
            (Node::Zip(Half::Low, low, high), Node::Zip(Half::High, c, d)) if (low, high) == (c, d) => {
                [low, high].map(|word| recorder.symbol_of(word))
            }
            _ => HALVES.map(|half| recorder.symbol(Node::Unzip(half, first, second))),
        }
    }
    fn sqrt(self) -> Self {
        match self {
            Self::Known(value) => Self::Known(value.sqrt()),
            Self::Nodes(recorder, nodes) => {
                Self::Nodes(recorder, nodes.map(|node| recorder.node(Node::WideSqrt(node))))
            }
        }
    }
    fn canonical(self) -> Self {
        match self {
            Self::Known(value) => Self::Known(value.canonical()),
            Self::Nodes(recorder, nodes) => Self::Nodes(
                recorder,
                nodes.map(|node| match recorder.at(node) {
                    Node::WideCanonical(_) => node,
                    _ => recorder.node(Node::WideCanonical(node)),
                }),
            ),
        }
    }
    fn lt(self, other: Self) -> Lanes<'r> {
        self.compare(Op64::Lt, other, PartialOrd::lt)
    }
    fn le(self, other: Self) -> Lanes<'r> {
        self.compare(Op64::Le, other, PartialOrd::le)
    }
    fn eq(self, other: Self) -> Lanes<'r> {
        self.compare(Op64::Eq, other, PartialEq::eq)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_what_words_made_are_those() {
        let recorder = Recorder::default();
        let words = [0, 1].map(|register| recorder.symbol(Node::Register(register)));
        let value = WideSymbol::of_words(words);
        assert_eq!(value.words().map(|word| word.node(&recorder)), [0, 1]);
        let sum = value + value;
        let WideSymbol::Nodes(_, nodes) = sum else { panic!("nothing is known of it") };
        let WideSymbol::Nodes(_, again) = WideSymbol::of_words(sum.words()) else { panic!("nor of it") };
        assert_eq!(nodes, again, "it does not go through words");
    }

    #[test]
    fn constants_are_computed_at_once() {
        let known = |value: f64| <WideSymbol<'_> as Double>::of(value);
        assert!(matches!(known(0.5) * known(3.0), WideSymbol::Known(value) if value == 1.5));
        assert!(matches!(known(2.0).lt(known(3.0)), Lanes::Known(true)));
        assert!(matches!(known(f64::NAN).is_nan(), Lanes::Known(true)));
    }
}
