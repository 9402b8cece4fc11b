//! The parts of instruction selection that only VEX needs: masks are vectors. `evex` is the counterpart.

use super::Emitter;
use crate::exec::lir::Comparison;
use crate::exec::x86::allocate::Value;
use crate::exec::x86::encode::{Operation, Vector, vex};

impl Emitter<'_> {
    pub(super) fn vex_select(&mut self, value: Value, mask: Value, yes: Value, no: Value) {
        let mask_register = self.register(mask, &[]);
        let first = self.register(no, &[mask_register]);
        let last = self.source(yes, &[mask_register, first]);
        self.registers.done_with(&[mask, yes, no]);
        let to = self.take(value, &[]);
        self.code.vex_blend(Vector(to), Vector(first), last, Vector(mask_register));
    }
}

/// The instruction of an integer test; `legalize` leaves only these two.
pub(super) const fn integer_test(comparison: Comparison) -> Operation {
    match comparison {
        Comparison::GtSigned => vex::ABOVE,
        _ => vex::SAME,
    }
}
