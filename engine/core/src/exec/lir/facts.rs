//! Facts about values, for flush elimination: whether a value can be a denorm, and whether it can be a NaN
//! other than the canonical one. The recorder omits flushes and canonicalisations that the facts make
//! redundant.

use super::{Binary, Node, NodeId};
use shadestep_language::num::fp32;

/// Values that a node cannot have.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// The value is never a denorm, so a flush is not needed.
    pub never_denorm: bool,
    /// The value is never a NaN other than the canonical one.
    pub never_other_nan: bool,
}

impl Facts {
    fn both(self, other: Self) -> Self {
        Self {
            never_denorm: self.never_denorm && other.never_denorm,
            never_other_nan: self.never_other_nan && other.never_other_nan,
        }
    }

    /// The facts of a node. `of` returns the facts of an operand, `at` the operand itself.
    pub fn new(node: Node, of: impl Fn(NodeId) -> Self, at: impl Fn(NodeId) -> Node) -> Self {
        const SIGN: u32 = 0x8000_0000;
        let all = Self { never_denorm: true, never_other_nan: true };
        match node {
            Node::Constant(bits) => {
                let value = f32::from_bits(bits);
                Self {
                    never_denorm: !value.is_subnormal(),
                    never_other_nan: !value.is_nan() || bits == fp32::NAN_BITS,
                }
            }
            Node::Binary(Binary::Add | Binary::Sub, a, b) if is_large(at(a)) || is_large(at(b)) => {
                Self { never_denorm: true, ..Self::default() }
            }
            Node::Flush(a) => Self { never_denorm: true, ..of(a) },
            Node::Canonical(a) => Self { never_other_nan: true, ..of(a) },
            Node::ToFloat(_) | Node::ToFloatUnsigned(_) => all,
            Node::Sqrt(_) | Node::Round(..) => Self { never_denorm: true, ..Self::default() },
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
            _ => Self::default(),
        }
    }
}

/// Whether the node is a constant with a magnitude of at least 2^-64. A sum with such a constant is zero or
/// has a magnitude of at least 2^-88. It is the same for a denorm and for a zero as the other operand.
pub fn is_large(node: Node) -> bool {
    matches!(node, Node::Constant(bits) if bits & 0x7FFF_FFFF >= (127 - 64) << 23)
}
