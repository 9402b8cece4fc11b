//! The parts of instruction selection that only EVEX needs: mask registers and broadcast operands. `vex` is
//! the counterpart.

use super::Emitter;
use crate::exec::lir::{Comparison, Node, NodeId};
use crate::exec::x86::allocate::Value;
use crate::exec::x86::encode::evex::{self, Mask, Writes};
use crate::exec::x86::encode::{self, Address, Extent, Operation, RegisterOrMemory, Vector};

impl Emitter<'_> {
    pub(super) fn evex_load(&mut self, to: u8, writes: Writes, from: Address) {
        let operation = match from.extent {
            Extent::Full => encode::LOAD,
            Extent::One => encode::BROADCAST,
        };
        self.code.evex(operation, (to, writes), Vector(0), RegisterOrMemory::Memory(from), None);
    }

    pub(super) fn evex_select(&mut self, value: Value, mask: Value, yes: Value, no: Value) {
        let lanes = Mask(self.register(mask, &[]));
        if self.node(no) == Node::Constant(0) {
            let last = self.source(yes, &[]);
            self.registers.done_with(&[mask, yes, no]);
            let to = self.take(value, &[]);
            match last {
                RegisterOrMemory::Memory(place) => self.evex_load(to, Writes::OrZero(lanes), place),
                RegisterOrMemory::Register(_) => {
                    self.code.evex(encode::LOAD, (to, Writes::OrZero(lanes)), Vector(0), last, None);
                }
            }
            return;
        }
        let first = self.register(no, &[]);
        let last = self.source(yes, &[first]);
        self.registers.done_with(&[mask, yes, no]);
        let to = self.take(value, &[]);
        self.code.evex(evex::BLEND, (to, Writes::Blend(lanes)), Vector(first), last, None);
    }

    /// A vector whose 64-bit lanes are all ones where a test holds, else all zeros.
    pub(super) fn evex_wide_test(&mut self, value: Value, predicate: u8, a: Value, b: Value) {
        let first = self.register(a, &[]);
        let last = self.source(b, &[first]);
        self.registers.done_with(&[a, b]);
        let to = self.take(value, &[]);
        // k0 never holds a value.
        let lanes = 0;
        self.code.evex(encode::WIDE_COMPARE, (lanes, Writes::All), Vector(first), last, Some(predicate));
        let lanes = RegisterOrMemory::Register(Vector(lanes));
        self.code.evex(evex::SPREAD, (to, Writes::All), Vector(0), lanes, None);
    }

    /// A mask from other masks, or from a class of numbers.
    pub(super) fn evex_mask(&mut self, value: Value) {
        let at = |node: NodeId| Value { node, chunk: value.chunk };
        match self.node(value) {
            Node::Both(a, b) | Node::Either(a, b) => {
                let masks = [at(a), at(b)].map(|mask| Mask(self.register(mask, &[])));
                self.registers.done_with(&[at(a), at(b)]);
                let to = Mask(self.take(value, &[]));
                match self.node(value) {
                    Node::Both(..) => self.code.mask_and(to, masks[0], masks[1]),
                    _ => self.code.mask_or(to, masks[0], masks[1]),
                }
            }
            Node::Others(a) => {
                let from = Mask(self.register(at(a), &[]));
                self.registers.done_with(&[at(a)]);
                let to = Mask(self.take(value, &[]));
                self.code.mask_not(to, from);
            }
            _ => {}
        }
    }
}

/// The instruction and predicate of an integer test; `swapped` exchanges the operands.
pub(super) fn integer_test(comparison: Comparison, holds: bool, swapped: bool) -> (Operation, Option<u8>) {
    let (operation, yes, no) = match (comparison, swapped) {
        (Comparison::LtUnsigned, false) => (evex::COMPARE_UNSIGNED, 1, 5),
        (Comparison::LtUnsigned, true) => (evex::COMPARE_UNSIGNED, 6, 2),
        (Comparison::GtSigned, false) => (evex::COMPARE_SIGNED, 6, 2),
        (Comparison::GtSigned, true) => (evex::COMPARE_SIGNED, 1, 5),
        (Comparison::Disjoint, _) if holds => return (evex::TEST_ZERO, None),
        (Comparison::Disjoint, _) => return (evex::TEST_SET, None),
        // Other comparisons are of fp32 numbers.
        _ => (evex::COMPARE_UNSIGNED, 0, 4),
    };
    (operation, Some(if holds { yes } else { no }))
}
