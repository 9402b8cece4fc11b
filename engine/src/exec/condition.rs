//! Condition codes. A component of the condition code register is kept as the value it was made from:
//! its sign, zero or NaN is the code (NV_fragment_program 3.11.1.4), and testing is a comparison.

use crate::debug::Cc;
use crate::ir::Condition;

/// The code that `value` makes.
pub fn code(value: f32) -> Cc {
    if value.is_nan() {
        Cc::Un
    } else if value < 0.0 {
        Cc::Lt
    } else if value == 0.0 {
        Cc::Eq
    } else {
        Cc::Gt
    }
}

/// TestCC of 3.11.4.4 for the code that `value` makes: UN passes NE (and TR) only.
#[inline(always)]
pub fn passes(condition: Condition, value: f32) -> bool {
    match condition {
        Condition::Eq => value == 0.0,
        Condition::Ge => value >= 0.0,
        Condition::Gt => value > 0.0,
        Condition::Le => value <= 0.0,
        Condition::Lt => value < 0.0,
        Condition::Ne => value != 0.0,
        Condition::Tr => true,
        Condition::Fl => false,
    }
}
