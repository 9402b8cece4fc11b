//! Elimination of flushes and canonicalisations whose effect no user of a value sees.
//!
//! Arithmetic treats all NaNs alike. Some processors can also read a denorm operand as the zero that a flush
//! would give ([`Denorms::AreZeros`]). So only users of the exact bits need flushed values and canonical
//! NaNs: outputs, effects and bit operations.
//!
//! A 64-bit number has two words, which users read separately. A NaN may stay non-canonical only if its user
//! reads both words of the same number: see [`Words`].

use std::collections::{BTreeMap, BTreeSet};

use super::facts::is_large;
use super::{Binary, Comparison, Function, Half, Node, NodeId, Recorder, Target};

const SIGN: u32 = 0x8000_0000;
const EXPONENT: u32 = 0x7F80_0000;

/// How arithmetic reads denorms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denorms {
    /// Unchanged.
    Kept,
    /// As zeros.
    AreZeros,
}

impl Denorms {
    /// The mode of `function` in a back end that prefers this mode. A mode holds for all arithmetic of a
    /// function, and 64-bit arithmetic keeps denorms.
    pub fn within(self, function: &Function) -> Self {
        if function.nodes.iter().any(Node::is_wide) { Self::Kept } else { self }
    }
}

/// Demanded bits: the properties of a value's bits that its users see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// The users distinguish a denorm from the zero of its sign.
    pub zeros: bool,
    /// The users distinguish one NaN from another, 32-bit or 64-bit as the value.
    pub nans: bool,
    /// The users read a word of a 64-bit NaN on its own, so that they distinguish the words of different
    /// NaNs.
    pub words: bool,
}

impl Demand {
    /// Users see only the number.
    pub const NUMBER: Self = Self { zeros: false, nans: false, words: true };
    /// Users see all bits.
    pub const BITS: Self = Self { zeros: true, nans: true, words: true };

    /// The union of both demands.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            zeros: self.zeros || other.zeros,
            nans: self.nans || other.nans,
            words: self.words || other.words,
        }
    }
}

/// The demands on lane registers by their readers.
#[derive(Clone, Debug, Default)]
pub struct DemandedBits {
    demands: BTreeMap<u16, Demand>,
    /// Lane registers of low words. The high word is in the lane register with a number higher by 4.
    low_words: BTreeSet<u16>,
}

impl DemandedBits {
    /// No demands. `low_words` lists the lane registers of low words; each high word is in the lane register
    /// with a number higher by 4.
    pub fn nothing(low_words: impl IntoIterator<Item = u16>) -> Self {
        Self { demands: BTreeMap::new(), low_words: low_words.into_iter().collect() }
    }

    /// Demands all bits of these lane registers.
    pub fn all(&mut self, registers: impl IntoIterator<Item = u16>) {
        self.demands.extend(registers.into_iter().map(|register| (register, Demand::BITS)));
    }

    /// Adds the demands of `function` on the lane registers that it reads. Returns true if the set grew.
    pub fn ask(&mut self, function: &Function, denorms: Denorms) -> bool {
        let wanted = demands(function, denorms, self);
        let registers = function.nodes.iter().zip(wanted).filter_map(|(node, demand)| match node {
            Node::Register(register) => Some((*register, demand?)),
            _ => None,
        });
        registers.fold(false, |grown, (register, demand)| {
            let known = self.demands.entry(register).or_default();
            let before = std::mem::replace(known, known.and(demand));
            grown | (*known != before)
        })
    }

    /// The demand on a target.
    fn of(&self, target: Target) -> Demand {
        match target {
            Target::Register(register) => self.demands.get(&register).copied().unwrap_or_default(),
            Target::Output(_) | Target::Bits(_) | Target::Again => Demand::BITS,
        }
    }

    /// The demand on each store. Two words of different numbers, as PK64 may store them, are demanded
    /// separately.
    fn of_stores(&self, Function { nodes, stores }: &Function) -> Vec<Demand> {
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

/// Recognises pairs of nodes that are the two words of one 64-bit number, whatever the NaN.
struct Words<'a> {
    nodes: &'a [Node],
    low_words: &'a BTreeSet<u16>,
    /// For each node, whether its bits are independent of the canonicalisation of 64-bit NaNs.
    settled: Vec<bool>,
}

/// Maximum nesting of selections that the analysis follows.
const DEEPEST: u32 = 8;

impl<'a> Words<'a> {
    fn new(nodes: &'a [Node], low_words: &'a BTreeSet<u16>) -> Self {
        let mut settled: Vec<bool> = Vec::with_capacity(nodes.len());
        for &node in nodes {
            // Only these operations pass on a value whose bits are not all demanded.
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
            // Changes the sign only.
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

/// Computes the demands of nodes on their operands.
struct Asking<'a> {
    words: Words<'a>,
    denorms: Denorms,
}

impl Asking<'_> {
    /// The demand of `node` on its operands, given the demand on `node`.
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
            // The result is one of the operands, unchanged. For two zeros it is the second, whatever the
            // signs. For a denorm and a zero it is the smaller or the greater.
            Node::Binary(Binary::Min | Binary::Max, a, b) => {
                let is_beyond_denorms = |id| matches!(at(id), Node::Constant(bits) if bits & EXPONENT != 0);
                let compares =
                    self.denorms == Denorms::Kept && !is_beyond_denorms(a) && !is_beyond_denorms(b);
                Demand { zeros: demand.zeros || compares, ..demand }
            }
            Node::Binary(Binary::MinOrNan | Binary::MaxOrNan, ..) | Node::Select(..) | Node::Quad(..) => {
                demand
            }
            // Changes the sign only.
            Node::Binary(Binary::Xor | Binary::Or, _, b) if at(b) == Node::Constant(SIGN) => demand,
            Node::Binary(Binary::And, _, b) if at(b) == Node::Constant(!SIGN) => demand,
            Node::Flush(_) => Demand { zeros: false, ..demand },
            Node::Canonical(_) | Node::WideCanonical(_) => Demand { nans: false, ..demand },
            Node::Op64(..) | Node::WideSqrt(_) => Demand { nans: false, ..Demand::BITS },
            Node::Unzip(..) => Demand { nans: demand.words, ..Demand::BITS },
            Node::Zip(_, low, high) => {
                Demand { words: demand.nans || !self.words.are_of_one(low, high), ..Demand::BITS }
            }
            _ => Demand::BITS,
        }
    }
}

/// The demand on each node that results from the demands on the targets of stores; `None` for dead nodes.
fn demands(function: &Function, denorms: Denorms, seen: &DemandedBits) -> Vec<Option<Demand>> {
    let Function { nodes, stores } = function;
    let asking = Asking { words: Words::new(nodes, &seen.low_words), denorms };
    let mut demands: Vec<Option<Demand>> = vec![None; nodes.len()];
    let want = |demands: &mut [Option<Demand>], id: NodeId, demand: Demand| {
        let known = &mut demands[id as usize];
        *known = Some(known.unwrap_or_default().and(demand));
    };
    for (&(_, value), demand) in stores.iter().zip(seen.of_stores(function)) {
        want(&mut demands, value, demand);
    }
    for (id, &node) in nodes.iter().enumerate().rev() {
        let Some(demand) = demands[id] else { continue };
        let inner = asking.of_operands(node, demand);
        node.operands().for_each(|operand| want(&mut demands, operand, inner));
    }
    demands
}

/// Rewrites a function so that each target gets its demanded bits when arithmetic reads denorms as `denorms`
/// says.
pub fn eliminate_flushes(function: &Function, denorms: Denorms, seen: &DemandedBits) -> Function {
    let Function { nodes, stores } = function;
    let demands = demands(function, denorms, seen);
    let asking = Asking { words: Words::new(nodes, &seen.low_words), denorms };
    let recorder = Recorder::default();
    let mut relaxed: Vec<Versions> = Vec::with_capacity(nodes.len());
    for (&node, demand) in nodes.iter().zip(&demands) {
        // Dead nodes are not read.
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
        // Users without the demand read the value without the flush or canonicalisation.
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
    let wanted = seen.of_stores(function);
    let stores = stores.iter().zip(wanted);
    let stores = stores.map(|(&(target, value), demand)| (target, relaxed[value as usize].of(demand)));
    let stores = stores.collect();
    Function { nodes: recorder.into_nodes(), stores }
}

/// Flushes a denorm to zero.
fn flush(recorder: &Recorder, a: NodeId, demand: Demand, denorms: Denorms) -> NodeId {
    // Where denorms are read as zeros, a product with 1.0 flushes. It also turns signalling NaNs quiet;
    // arithmetic never gives signalling NaNs.
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

/// The versions of a node's value for different demands.
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
    use super::super::Recorder;
    use super::*;
    use shadestep_language::num::Number;

    #[test]
    fn registers_are_asked_for_what_depends_on_them() {
        let recorder = Recorder::default();
        let [a, b] = [0, 1].map(|register| recorder.symbol(Node::Register(register)));
        let moved = a.flush().node(&recorder);
        let sum = (a.flush() + b.flush()).node(&recorder);
        let nodes = recorder.into_nodes();
        let asked = |value: NodeId| {
            let mut seen = DemandedBits::default();
            seen.all([8]);
            let function = Function { nodes: nodes.clone(), stores: vec![(Target::Register(8), value)] };
            assert!(seen.ask(&function, Denorms::AreZeros));
            assert!(!seen.ask(&function, Denorms::AreZeros), "nothing new");
            [0, 1].map(|register| seen.of(Target::Register(register)))
        };
        assert_eq!(asked(sum), [Demand::NUMBER; 2]);
        assert_eq!(asked(moved), [Demand { zeros: false, nans: true, words: true }, Demand::default()]);
    }
}
