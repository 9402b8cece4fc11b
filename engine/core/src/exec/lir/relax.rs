//! Elimination of flushes and canonicalisations that nobody sees.
//!
//! Arithmetic does not tell one NaN from another, and where the processor takes denorm operands for zeros (MXCSR.DAZ)
//! it reads a denorm as the zero that it would be flushed to. So a value has to be flushed, and its NaNs made canonical,
//! only for those who look at its bits: outputs, effects, operations on bits. Code made of what [`relax`] gives for
//! [`Denorms::AreZeros`] must run with DAZ set.
//!
//! A number of 64 bits is looked at in two words. One is of no NaN in particular only to those who read both words of
//! the same number: see [`Words`].

use std::collections::{BTreeMap, BTreeSet};

use super::facts::is_large;
use super::{Binary, Comparison, Half, Node, NodeId, Recorder, Target};

const SIGN: u32 = 0x8000_0000;
const EXPONENT: u32 = 0x7F80_0000;

/// How arithmetic reads denorms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denorms {
    /// As they are.
    Kept,
    /// As zeros.
    AreZeros,
}

impl Denorms {
    /// As functions of `nodes` have to: arithmetic on 64 bits keeps them.
    pub fn of(nodes: &[Node]) -> Self {
        if nodes.iter().any(Node::is_wide) { Self::Kept } else { Self::AreZeros }
    }
}

/// Which of a value's bits somebody looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// Whether a denorm may not stand for the zero of its sign.
    pub zeros: bool,
    /// Whether one NaN may not stand for another; of 64 bits where the value has as many.
    pub nans: bool,
    /// Whether a word of a NaN of 64 bits may not be that of another.
    pub words: bool,
}

impl Demand {
    /// Nobody sees more than the number.
    pub const NUMBER: Self = Self { zeros: false, nans: false, words: true };
    /// All bits are looked at.
    pub const BITS: Self = Self { zeros: true, nans: true, words: true };

    /// What satisfies both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            zeros: self.zeros || other.zeros,
            nans: self.nans || other.nans,
            words: self.words || other.words,
        }
    }
}

/// What is seen of lane registers by those who read them.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    demands: BTreeMap<u16, Demand>,
    /// Lane registers of low words; the high ones are four behind.
    low_words: BTreeSet<u16>,
}

impl Seen {
    /// Nothing of any, of which `low_words` have the low words of numbers whose high ones are four behind.
    pub fn nothing(low_words: impl IntoIterator<Item = u16>) -> Self {
        Self { demands: BTreeMap::new(), low_words: low_words.into_iter().collect() }
    }

    /// All bits of these lane registers are seen.
    pub fn all(&mut self, registers: impl IntoIterator<Item = u16>) {
        self.demands.extend(registers.into_iter().map(|register| (register, Demand::BITS)));
    }

    /// Adds what `stores` want of lane registers to have what is wanted of them; whether that is more than before.
    pub fn ask(&mut self, nodes: &[Node], stores: &[(Target, NodeId)]) -> bool {
        let wanted = demands(nodes, stores, Denorms::of(nodes), self);
        let registers = nodes.iter().zip(wanted).filter_map(|(node, demand)| match node {
            Node::Register(register) => Some((*register, demand?)),
            _ => None,
        });
        registers.fold(false, |grown, (register, demand)| {
            let known = self.demands.entry(register).or_default();
            let before = std::mem::replace(known, known.and(demand));
            grown | (*known != before)
        })
    }

    /// What is wanted of a target.
    fn of(&self, target: Target) -> Demand {
        match target {
            Target::Register(register) => self.demands.get(&register).copied().unwrap_or_default(),
            Target::Output(_) | Target::Bits(_) | Target::Again => Demand::BITS,
        }
    }

    /// What is wanted of each of `stores`: the words of different numbers, as PK64 may store them, are looked at.
    fn of_stores(&self, nodes: &[Node], stores: &[(Target, NodeId)]) -> Vec<Demand> {
        let stored: BTreeMap<u16, NodeId> = stores
            .iter()
            .filter_map(|&(target, value)| match target {
                Target::Register(register) => Some((register, value)),
                Target::Output(_) | Target::Bits(_) | Target::Again => None,
            })
            .collect();
        let words = Words::new(nodes, &self.low_words);
        let is_whole = |register: u16| {
            let low = if self.low_words.contains(&register) { register } else { register.wrapping_sub(4) };
            let value = |register| stored.get(&register).copied();
            self.low_words.contains(&low)
                && value(low).zip(value(low + 4)).is_some_and(|(low, high)| words.are_of_one(low, high))
        };
        let demand = |&(target, _): &(Target, NodeId)| {
            let demand = self.of(target);
            let apart = matches!(target, Target::Register(register) if !is_whole(register));
            Demand { words: demand.words || apart, ..demand }
        };
        stores.iter().map(demand).collect()
    }
}

/// Which nodes are both words of a number of 64 bits, whatever NaN that may be.
struct Words<'a> {
    nodes: &'a [Node],
    low_words: &'a BTreeSet<u16>,
    /// Of each node, whether it has the same bits whatever NaNs of 64 bits are made canonical.
    settled: Vec<bool>,
}

/// Selections within each other that are looked through.
const DEEPEST: u32 = 8;

impl<'a> Words<'a> {
    fn new(nodes: &'a [Node], low_words: &'a BTreeSet<u16>) -> Self {
        let mut settled: Vec<bool> = Vec::with_capacity(nodes.len());
        for &node in nodes {
            // Only these pass on what is not asked for all its bits.
            let passes_on = match node {
                Node::Unzip(..) | Node::Register(_) => Some(false),
                Node::Select(_, a, b)
                | Node::Binary(
                    Binary::Min
                    | Binary::Max
                    | Binary::MinOrNan
                    | Binary::MaxOrNan
                    | Binary::And
                    | Binary::Or
                    | Binary::Xor,
                    a,
                    b,
                ) => Some(settled[a as usize] && settled[b as usize]),
                Node::Quad(_, a) | Node::Flush(a) | Node::Canonical(a) => Some(settled[a as usize]),
                _ => None,
            };
            settled.push(passes_on.unwrap_or(true));
        }
        Self { nodes, low_words, settled }
    }

    fn are_of_one(&self, low: NodeId, high: NodeId) -> bool {
        self.are_of_one_within(DEEPEST, low, high)
    }

    fn are_of_one_within(&self, depth: u32, low: NodeId, high: NodeId) -> bool {
        if self.settled[low as usize] && self.settled[high as usize] {
            return true;
        }
        let Some(depth) = depth.checked_sub(1) else { return false };
        let is = |id: NodeId, bits: u32| self.nodes[id as usize] == Node::Constant(bits);
        match (self.nodes[low as usize], self.nodes[high as usize]) {
            (Node::Unzip(Half::Low, a, b), Node::Unzip(Half::High, c, d)) => (a, b) == (c, d),
            (Node::Register(low), Node::Register(high)) => high == low + 4 && self.low_words.contains(&low),
            (Node::Select(mask, a, b), Node::Select(other, c, d)) => {
                mask == other && self.are_of_one_within(depth, a, c) && self.are_of_one_within(depth, b, d)
            }
            // Another sign.
            (_, Node::Binary(Binary::Xor | Binary::Or, high, b)) if is(b, SIGN) => {
                self.are_of_one_within(depth, low, high)
            }
            (_, Node::Binary(Binary::And, high, b)) if is(b, !SIGN) => {
                self.are_of_one_within(depth, low, high)
            }
            _ => false,
        }
    }
}

/// What is asked of the operands of nodes.
struct Asking<'a> {
    words: Words<'a>,
    denorms: Denorms,
}

impl Asking<'_> {
    /// What `node` wants of its operands when `demand` is wanted of it: the first, the others.
    fn of_operands(&self, node: Node, demand: Demand) -> Demand {
        let at = |id: NodeId| self.words.nodes[id as usize];
        match node {
            Node::Binary(Binary::Add | Binary::Sub, a, b) if is_large(at(a)) || is_large(at(b)) => {
                Demand::NUMBER
            }
            Node::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Div, ..)
            | Node::Sqrt(_)
            | Node::Round(..)
            | Node::ToInteger(_)
            | Node::Compare(Comparison::Lt | Comparison::Le | Comparison::Eq | Comparison::Unordered, ..) => {
                Demand { zeros: self.denorms == Denorms::Kept, ..Demand::NUMBER }
            }
            // One of the operands, as it is; of zeros the second, whatever their signs, but of a denorm and a zero the greater or
            // the smaller one.
            Node::Binary(Binary::Min | Binary::Max, a, b) => {
                let is_beyond_denorms = |id| matches!(at(id), Node::Constant(bits) if bits & EXPONENT != 0);
                let compares =
                    self.denorms == Denorms::Kept && !is_beyond_denorms(a) && !is_beyond_denorms(b);
                Demand { zeros: demand.zeros || compares, ..demand }
            }
            Node::Binary(Binary::MinOrNan | Binary::MaxOrNan, ..) | Node::Select(..) | Node::Quad(..) => {
                demand
            }
            // Another sign.
            Node::Binary(Binary::Xor | Binary::Or, _, b) if at(b) == Node::Constant(SIGN) => demand,
            Node::Binary(Binary::And, _, b) if at(b) == Node::Constant(!SIGN) => demand,
            Node::Flush(_) => Demand { zeros: false, ..demand },
            Node::Canonical(_) | Node::WideCanonical(_) => Demand { nans: false, ..demand },
            Node::Wide(..) | Node::WideSqrt(_) => Demand { nans: false, ..Demand::BITS },
            Node::Unzip(..) => Demand { nans: demand.words, ..Demand::BITS },
            Node::Zip(_, low, high) => {
                Demand { words: demand.nans || !self.words.are_of_one(low, high), ..Demand::BITS }
            }
            _ => Demand::BITS,
        }
    }
}

/// What is wanted of each node so that the stores get what is wanted of their targets; `None` of nodes that
/// nothing depends on.
fn demands(
    nodes: &[Node],
    stores: &[(Target, NodeId)],
    denorms: Denorms,
    seen: &Seen,
) -> Vec<Option<Demand>> {
    let asking = Asking { words: Words::new(nodes, &seen.low_words), denorms };
    let mut demands: Vec<Option<Demand>> = vec![None; nodes.len()];
    let want = |demands: &mut [Option<Demand>], id: NodeId, demand: Demand| {
        let known = &mut demands[id as usize];
        *known = Some(known.unwrap_or_default().and(demand));
    };
    for (&(_, value), demand) in stores.iter().zip(seen.of_stores(nodes, stores)) {
        want(&mut demands, value, demand);
    }
    for (id, &node) in nodes.iter().enumerate().rev() {
        let Some(demand) = demands[id] else { continue };
        let inner = asking.of_operands(node, demand);
        node.operands().for_each(|operand| want(&mut demands, operand, inner));
    }
    demands
}

/// The nodes that compute `nodes` where arithmetic reads denorms so, and the stores of those: each target gets what is
/// wanted of it.
pub fn relax(
    nodes: &[Node],
    stores: &[(Target, NodeId)],
    denorms: Denorms,
    seen: &Seen,
) -> (Vec<Node>, Vec<(Target, NodeId)>) {
    let demands = demands(nodes, stores, denorms, seen);
    let asking = Asking { words: Words::new(nodes, &seen.low_words), denorms };
    let recorder = Recorder::default();
    let mut relaxed: Vec<Versions> = Vec::with_capacity(nodes.len());
    for (&node, demand) in nodes.iter().zip(&demands) {
        // A node that nothing depends on goes unread.
        let demand = demand.unwrap_or_default();
        let version = |demand: Demand| {
            let inner = asking.of_operands(node, demand);
            match node {
                Node::Flush(a) => {
                    let a = relaxed[a as usize].of(inner);
                    if demand.zeros { flush(&recorder, a, demand, denorms) } else { a }
                }
                Node::Canonical(a) | Node::WideCanonical(a) => {
                    let a = relaxed[a as usize].of(inner);
                    if demand.nans { recorder.node(node.with_operands(|_| a)) } else { a }
                }
                _ => recorder.node(node.with_operands(|id| relaxed[id as usize].of(inner))),
            }
        };
        // What has to be flushed or made canonical for some is read without that by the others.
        let versions = match node {
            Node::Flush(_) | Node::Canonical(_) | Node::WideCanonical(_) => {
                let of = |zeros: bool, nans: bool| {
                    version(Demand { zeros: zeros && demand.zeros, nans: nans && demand.nans, ..demand })
                };
                Versions {
                    number: of(false, false),
                    zeros: of(true, false),
                    nans: of(false, true),
                    bits: of(true, true),
                }
            }
            _ => Versions::all(version(demand)),
        };
        relaxed.push(versions);
    }
    let wanted = seen.of_stores(nodes, stores);
    let stores = stores.iter().zip(wanted);
    let stores = stores.map(|(&(target, value), demand)| (target, relaxed[value as usize].of(demand)));
    let stores = stores.collect();
    (recorder.into_nodes(), stores)
}

/// The zero that a denorm stands for.
fn flush(recorder: &Recorder, a: NodeId, demand: Demand, denorms: Denorms) -> NodeId {
    // With DAZ a product with 1.0 does it at once. It makes signalling NaNs quiet, which arithmetic never gives.
    let is_quiet = matches!(
        recorder.at(a),
        Node::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Div, ..) | Node::Sqrt(_)
    );
    if denorms == Denorms::AreZeros && (is_quiet || !demand.nans) {
        let one = recorder.node(Node::Constant(1.0_f32.to_bits()));
        return recorder.node(Node::Binary(Binary::Mul, a, one));
    }
    recorder.node(Node::Flush(a))
}

/// The nodes that a node's value is read from, by what is wanted of it.
#[derive(Clone, Copy)]
struct Versions {
    number: NodeId,
    zeros: NodeId,
    nans: NodeId,
    bits: NodeId,
}

impl Versions {
    const fn all(node: NodeId) -> Self {
        Self { number: node, zeros: node, nans: node, bits: node }
    }

    const fn of(&self, demand: Demand) -> NodeId {
        match (demand.zeros, demand.nans) {
            (false, false) => self.number,
            (true, false) => self.zeros,
            (false, true) => self.nans,
            (true, true) => self.bits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Symbol;
    use super::*;
    use shadestep_language::num::{Double, Number, Word};

    /// What becomes of the values that `record` makes of two lane registers, stored in lane registers 8, 9 and so
    /// on, of which a bit of `seen` says whether their bits are looked at.
    fn relaxed(seen: u8, record: fn([Symbol<'_>; 2]) -> Vec<Symbol<'_>>) -> Vec<Node> {
        let recorder = Recorder::default();
        let values = record([0, 1].map(|register| recorder.symbol(Node::Register(register))));
        let stores: Vec<_> = values
            .iter()
            .enumerate()
            .map(|(at, value)| (Target::Register(8 + at as u16), value.node(&recorder)))
            .collect();
        let nodes = recorder.into_nodes();
        let demand = |n: usize| if seen >> n & 1 == 0 { Demand::NUMBER } else { Demand::BITS };
        let demands_of = (0..stores.len()).map(|n| (8 + n as u16, demand(n))).collect();
        let seen = Seen { demands: demands_of, low_words: BTreeSet::new() };
        let (nodes, stores) = relax(&nodes, &stores, Denorms::AreZeros, &seen);
        // As what is stored needs them.
        let needed = demands(&nodes, &stores, Denorms::AreZeros, &seen);
        nodes.into_iter().zip(needed).filter_map(|(node, needed)| needed.map(|_| node)).collect()
    }

    fn count(nodes: &[Node], of: fn(&Node) -> bool) -> usize {
        nodes.iter().filter(|node| of(node)).count()
    }

    #[test]
    fn arithmetic_reads_denorms_and_any_nan() {
        let nodes = relaxed(0, |[a, b]| {
            let sum = (a.flush() + b.flush()).flush().canonical();
            vec![(sum * b.flush()).flush().canonical()]
        });
        assert_eq!(
            nodes,
            [
                Node::Register(0),
                Node::Register(1),
                Node::Binary(Binary::Add, 0, 1),
                Node::Binary(Binary::Mul, 2, 1),
            ]
        );
    }

    #[test]
    fn whoever_sees_the_bits_gets_them() {
        let nodes = relaxed(1, |[a, b]| vec![(a.flush() + b.flush()).flush().canonical()]);
        let one = |node: &Node| *node == Node::Constant(1.0_f32.to_bits());
        assert_eq!(count(&nodes, one), 1, "{nodes:?}");
        assert_eq!(count(&nodes, |node| matches!(node, Node::Canonical(_))), 1, "{nodes:?}");
        // A move keeps the bits of a NaN, also of a signalling one.
        let nodes = relaxed(1, |[a, _]| vec![a.flush()]);
        assert_eq!(nodes, [Node::Register(0), Node::Flush(0)]);
    }

    #[test]
    fn signs_and_choices_pass_on_what_is_wanted() {
        fn record([a, b]: [Symbol<'_>; 2]) -> Vec<Symbol<'_>> {
            let product = (a.flush() * b.flush()).flush().canonical();
            vec![Number::select(a.flush().lt(b.flush()), -product, product.abs())]
        }
        let tidied =
            |nodes: &[Node]| count(nodes, |node| matches!(node, Node::Flush(_) | Node::Canonical(_)));
        assert_eq!(tidied(&relaxed(0, record)), 0);
        assert_eq!(tidied(&relaxed(1, record)), 1, "the product is made canonical before its sign is turned");
    }

    #[test]
    fn operations_on_bits_see_all_of_them() {
        let nodes = relaxed(0, |[a, b]| vec![(a.flush() + b.flush()).flush().canonical().shl::<3>()]);
        assert_eq!(count(&nodes, |node| matches!(node, Node::Canonical(_))), 1, "{nodes:?}");
    }

    #[test]
    fn registers_are_asked_for_what_depends_on_them() {
        let recorder = Recorder::default();
        let [a, b] = [0, 1].map(|register| recorder.symbol(Node::Register(register)));
        let moved = a.flush().node(&recorder);
        let sum = (a.flush() + b.flush()).node(&recorder);
        let nodes = recorder.into_nodes();
        let asked = |value: NodeId| {
            let mut seen = Seen::default();
            seen.all([8]);
            assert!(seen.ask(&nodes, &[(Target::Register(8), value)]));
            assert!(!seen.ask(&nodes, &[(Target::Register(8), value)]), "nothing new");
            [0, 1].map(|register| seen.of(Target::Register(register)))
        };
        assert_eq!(asked(sum), [Demand::NUMBER; 2]);
        assert_eq!(asked(moved), [Demand { zeros: false, nans: true, words: true }, Demand::default()]);
    }

    /// Makes two words of those of a number, and another one.
    type Store = for<'a> fn([Symbol<'a>; 2], Symbol<'a>) -> [Symbol<'a>; 2];

    /// The sum of the numbers of 64 bits in lane registers 0 and 4 and in 1 and 5, of which `store` makes two words for lane
    /// registers 8 and 12. What becomes of it where those and lane registers 0, 1 and 8 belong together.
    fn wide(seen: Demand, store: Store) -> usize {
        let recorder = Recorder::default();
        let [a, b] = [0, 1].map(|register| {
            Symbol::double([register, register + 4].map(|r| recorder.symbol(Node::Register(r))))
        });
        let other = recorder.symbol(Node::Register(20));
        let words = store((a + b).canonical().words(), other).map(|word| word.node(&recorder));
        let stores = [(Target::Register(8), words[0]), (Target::Register(12), words[1])];
        let seen = Seen {
            demands: [(8, seen), (12, seen)].into_iter().collect(),
            low_words: [0, 1, 8].into_iter().collect(),
        };
        let (nodes, stores) = relax(&recorder.into_nodes(), &stores, Denorms::Kept, &seen);
        let needed = demands(&nodes, &stores, Denorms::Kept, &seen);
        let canonical = |(node, needed): (&Node, &Option<Demand>)| {
            needed.is_some() && matches!(node, Node::WideCanonical(_))
        };
        nodes.iter().zip(&needed).filter(|&pair| canonical(pair)).count()
    }

    #[test]
    fn words_of_a_number_are_of_any_nan_where_they_stay_together() {
        assert_eq!(wide(Demand::default(), |sum, _| sum), 0);
        assert_eq!(wide(Demand::BITS, |sum, _| sum), 2, "both halves of the lanes");
        let turned: Store = |[low, high], _| [low, -high];
        assert_eq!(wide(Demand::default(), turned), 0);
        // A word beside that of another number.
        assert_eq!(wide(Demand::default(), |[low, _], other| [low, other]), 2);
        assert_eq!(wide(Demand::default(), |[low, _], _| [low, low]), 2);
        // What others keep is asked for no more than what is written.
        let merged: Store = |[low, high], other| {
            let mask = other.lt(Number::of(1.0));
            [Number::select(mask, low, Number::of(0.5)), Number::select(mask, high, other.abs() + other)]
        };
        assert_eq!(wide(Demand::default(), merged), 0);
    }

    #[test]
    fn arithmetic_on_64_bits_keeps_flushes_of_32() {
        let recorder = Recorder::default();
        let [a, b] = [0, 1].map(|register| recorder.symbol(Node::Register(register)));
        let sum = (a.flush() + b.flush()).canonical().node(&recorder);
        let seen = Seen { demands: [(8, Demand::NUMBER)].into_iter().collect(), low_words: BTreeSet::new() };
        let stores = [(Target::Register(8), sum)];
        let (nodes, _) = relax(&recorder.into_nodes(), &stores, Denorms::Kept, &seen);
        assert_eq!(count(&nodes, |node| matches!(node, Node::Flush(_))), 2, "{nodes:?}");
        assert_eq!(count(&nodes, |node| matches!(node, Node::Canonical(_))), 0, "{nodes:?}");
        // The maximum of a zero and a negative denorm is the zero; that of two zeros the second.
        for (least, flushes) in [(0.0, 1), (1.0, 0)] {
            let recorder = Recorder::default();
            let (least, a) = (Number::of(least), recorder.symbol(Node::Register(0)).flush());
            let greater = Number::select(a.lt(least), least, a).node(&recorder);
            let (nodes, _) =
                relax(&recorder.into_nodes(), &[(Target::Register(8), greater)], Denorms::Kept, &seen);
            assert!(matches!(nodes.last(), Some(Node::Binary(Binary::Max, ..))), "{nodes:?}");
            assert_eq!(count(&nodes, |node| matches!(node, Node::Flush(_))), flushes, "{nodes:?}");
        }
        // A denorm counts for nothing beside 1.
        let recorder = Recorder::default();
        let sum = (recorder.symbol(Node::Register(0)).flush() + Number::of(1.0)).flush().node(&recorder);
        let (nodes, _) = relax(&recorder.into_nodes(), &[(Target::Register(8), sum)], Denorms::Kept, &seen);
        assert_eq!(nodes.last(), Some(&Node::Binary(Binary::Add, 0, 1)), "{nodes:?}");
    }
}
