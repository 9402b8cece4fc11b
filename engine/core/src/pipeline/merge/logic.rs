//! Logical operations on colours (4.1.10; 4.1.9 in older specifications): on 8 bits per component, or on
//! integers unchanged.

use super::{Colors, colors};
use crate::pipeline::LogicOp;
use crate::pipeline::color_buffer::unorm8;

/// Combines fragments' colours with the stored colours.
#[inline(always)]
pub(super) fn logic<const N: usize>(op: LogicOp, source: &Colors<N>, stored: &Colors<N>) -> Colors<N> {
    colors(|c, lane| {
        let [source, stored] = [source[c][lane], stored[c][lane]].map(|value| u32::from(unorm8(value)));
        f32::from(logic_bits(op, source, stored) as u8) / 255.0
    })
}

/// Table 4.2.
#[inline(always)]
pub(super) fn logic_bits(op: LogicOp, s: u32, d: u32) -> u32 {
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
        LogicOp::Set => u32::MAX,
    }
}
