//! Logical operations on colours (4.1.10; 4.1.9 of older texts), on 8 bits a component.

use super::{Colors, colors};
use crate::pipeline::LogicOp;
use crate::pipeline::color_buffer::unorm8;

/// Combines fragments' colours with the stored ones.
#[inline(always)]
pub(super) fn logic<const N: usize>(op: LogicOp, source: &Colors<N>, stored: &Colors<N>) -> Colors<N> {
    colors(|c, lane| f32::from(apply(op, unorm8(source[c][lane]), unorm8(stored[c][lane]))) / 255.0)
}

/// Table 4.2.
#[inline(always)]
fn apply(op: LogicOp, s: u8, d: u8) -> u8 {
    match op {
        LogicOp::Clear => 0,
        LogicOp::And => s & d,
        LogicOp::AndReverse => s & !d,
        LogicOp::Copy => s,
        LogicOp::AndInverted => !s & d,
        LogicOp::Noop => d,
        LogicOp::Xor => s ^ d,
        LogicOp::Or => s | d,
        LogicOp::Nor => !(s | d),
        LogicOp::Equiv => !(s ^ d),
        LogicOp::Invert => !d,
        LogicOp::OrReverse => s | !d,
        LogicOp::CopyInverted => !s,
        LogicOp::OrInverted => !s | d,
        LogicOp::Nand => !(s & d),
        LogicOp::Set => u8::MAX,
    }
}
