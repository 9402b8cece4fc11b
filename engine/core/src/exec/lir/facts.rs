//! Facts about values, for flush elimination: how small a value can be, and whether it can be a NaN other
//! than the canonical one. The recorder omits flushes and canonicalisations that the facts make redundant.

use std::num::FpCategory;

use super::{Binary, Node, NodeId};
use shadestep_language::num::fp32;

const SIGN: u32 = 0x8000_0000;

/// Exponents of the smallest denorm and of the smallest other number.
const LEAST_DENORM: i16 = -149;
const LEAST_NORMAL: i16 = -126;
/// No finite number is as large as 2 to this power.
const OVERFLOW: i16 = 128;
/// A number is a multiple of its first digit, divided by 2 to this power.
const FRACTION_BITS: i16 = 23;

/// Facts about one value. The exponents hold for processors that keep denorms and for others.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The magnitude of a number other than zero is at least 2 to this power.
    least: i16,
    /// The magnitude of a finite number is at most 2 to this power.
    most: i16,
    /// The value is never a NaN other than the canonical one.
    pub never_other_nan: bool,
}

impl Facts {
    const NOTHING: Self = Self { least: LEAST_DENORM, most: OVERFLOW, never_other_nan: false };

    /// A value within these powers of 2, or a NaN.
    fn within(least: i16, most: i16) -> Self {
        let [least, most] = [least, most].map(|power| power.clamp(LEAST_DENORM, OVERFLOW));
        Self { least, most, never_other_nan: false }
    }

    /// The value is never a denorm, so a flush is not needed.
    pub const fn never_denorm(self) -> bool {
        self.least >= LEAST_NORMAL
    }

    /// Facts about either of two values.
    fn both(self, other: Self) -> Self {
        Self {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            never_other_nan: self.never_other_nan && other.never_other_nan,
        }
    }

    /// The facts of a node. `of` returns the facts of an operand, `at` the operand itself.
    pub fn new(node: Node, of: impl Fn(NodeId) -> Self, at: impl Fn(NodeId) -> Node) -> Self {
        match node {
            Node::Constant(bits) => Self::of_constant(bits),
            Node::Binary(Binary::Add | Binary::Sub, a, b) => {
                let least = of(a).sum_least(of(b)).max(beyond(at(a))).max(beyond(at(b)));
                Self::within(least, of(a).most.max(of(b).most) + 1)
            }
            Node::Binary(Binary::Mul, a, b) => {
                Self::within(of(a).least + of(b).least, of(a).most + of(b).most)
            }
            Node::Binary(Binary::Div, a, b) => {
                Self::within(of(a).least - of(b).most, of(a).most - of(b).least)
            }
            Node::Sqrt(a) => Self::within(of(a).least.div_euclid(2), of(a).most / 2 + 1),
            Node::Flush(a) => Self { least: of(a).least.max(LEAST_NORMAL), ..of(a) },
            Node::Canonical(a) => Self { never_other_nan: true, ..of(a) },
            Node::ToFloat(_) | Node::ToFloatUnsigned(_) => {
                Self { never_other_nan: true, ..Self::within(0, 32) }
            }
            Node::Round(..) => Self::within(0, OVERFLOW),
            Node::Quad(_, a) => of(a),
            Node::Select(_, a, b) => of(a).both(of(b)),
            // One of the two operands, unchanged.
            Node::Binary(Binary::Min | Binary::Max, a, b) => of(a).both(of(b)),
            Node::Binary(Binary::MinOrNan | Binary::MaxOrNan, a, b) => {
                Self { never_other_nan: false, ..of(a).both(of(b)) }
            }
            // Changes the sign only.
            Node::Binary(Binary::Xor | Binary::Or, a, b) if at(b) == Node::Constant(SIGN) => {
                Self { never_other_nan: false, ..of(a) }
            }
            Node::Binary(Binary::And, a, b) if at(b) == Node::Constant(!SIGN) => of(a),
            _ => Self::NOTHING,
        }
    }

    fn of_constant(bits: u32) -> Self {
        let value = f32::from_bits(bits);
        let never_other_nan = !value.is_nan() || bits == fp32::NAN_BITS;
        let range = match value.classify() {
            FpCategory::Zero | FpCategory::Infinite | FpCategory::Nan => Self::within(OVERFLOW, LEAST_DENORM),
            FpCategory::Subnormal => Self::within(LEAST_DENORM, LEAST_NORMAL),
            FpCategory::Normal => Self::within(exponent(bits), exponent(bits) + 1),
        };
        Self { never_other_nan, ..range }
    }

    /// The least exponent of a sum. Both operands are multiples of the last digit of the smaller one, so the
    /// sum is too. A sum as small as this is exact.
    fn sum_least(self, other: Self) -> i16 {
        self.least.min(other.least) - FRACTION_BITS
    }
}

/// The exponent of a finite number; the smallest one for denorms.
fn exponent(bits: u32) -> i16 {
    let biased = (bits >> 23 & 0xFF) as i16;
    if biased == 0 { LEAST_DENORM } else { biased - 127 }
}

/// The least exponent of a sum with this node, whatever the other operand. An operand below half of a
/// constant leaves half of it. Any larger operand is a multiple of the last digit of that half, and so is the
/// sum.
fn beyond(node: Node) -> i16 {
    match node {
        Node::Constant(bits) if f32::from_bits(bits) != 0.0 => exponent(bits) - 1 - FRACTION_BITS,
        _ => LEAST_DENORM,
    }
}

/// Whether the node is a constant with a magnitude of at least 2^-64. A sum with such a constant is zero or
/// has a magnitude of at least 2^-88. It is the same for a denorm and for a zero as the other operand.
pub fn is_large(node: Node) -> bool {
    matches!(node, Node::Constant(bits) if bits & !SIGN >= (127 - 64) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers at both ends of ranges, on both sides of powers of 2, and the special ones.
    fn numbers() -> Vec<f32> {
        let powers =
            [-149, -148, -127, -126, -125, -103, -102, -80, -64, -24, -23, -1, 0, 1, 23, 24, 64, 127];
        let power = |exponent: i32| 2.0_f64.powi(exponent) as f32;
        let around = |number: f32| [number.next_down(), number, number.next_up(), 1.5 * number];
        let positive: Vec<f32> = powers.into_iter().map(power).flat_map(around).collect();
        let special = [0.0, f32::INFINITY, f32::MAX, f32::NAN];
        positive.into_iter().chain(special).flat_map(|number| [number, -number]).collect()
    }

    fn holds(facts: Facts, result: f32) -> bool {
        let magnitude = f64::from(result.abs());
        let power = |exponent: i16| 2.0_f64.powi(i32::from(exponent));
        result == 0.0
            || result.is_nan()
            || magnitude >= power(facts.least) && (result.is_infinite() || magnitude <= power(facts.most))
    }

    #[test]
    fn facts_of_arithmetic_hold_for_operands_with_the_same_facts() {
        let result = |binary: Binary, a: f32, b: f32| match binary {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            _ => a / b,
        };
        let numbers = numbers();
        for binary in [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div] {
            for (&a, &b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (a, b))) {
                let operands = [a, b].map(|number| Node::Constant(number.to_bits()));
                let of = |id: NodeId| Facts::of_constant([a, b][id as usize].to_bits());
                let node = Node::Binary(binary, 0, 1);
                let known = Facts::new(node, of, |id| operands[id as usize]);
                let unknown = Facts::new(node, of, |_| Node::Register(0));
                let of_second = |id| if id == 0 { Facts::NOTHING } else { of(id) };
                let half_known = Facts::new(node, of_second, |id| operands[id as usize]);
                let flushed = fp32::flush(result(binary, fp32::flush(a), fp32::flush(b)));
                let results = [result(binary, a, b), flushed];
                for facts in [known, unknown, half_known] {
                    let hold = results.map(|result| holds(facts, result));
                    assert_eq!(hold, [true; 2], "{binary:?} of {a:e} and {b:e}: {results:?}, {facts:?}");
                }
            }
        }
    }

    #[test]
    fn facts_of_one_operand_hold() {
        for number in numbers() {
            let of = |_| Facts::of_constant(number.to_bits());
            let facts = |node| Facts::new(node, of, |_| Node::Register(0));
            assert!(holds(facts(Node::Sqrt(0)), number.sqrt()), "square root of {number:e}");
            assert!(holds(facts(Node::Flush(0)), fp32::flush(number)), "flush of {number:e}");
            assert!(facts(Node::Flush(0)).never_denorm());
            assert_eq!(of(0).never_denorm(), !number.is_subnormal(), "{number:e}");
        }
    }
}
