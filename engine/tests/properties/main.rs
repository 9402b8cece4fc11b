//! What the texts promise of all operands: that sums and products do not depend on the order, that one instruction is
//! another with a sign, that one undoes another. Each law names its clause; it is tried in every language and every
//! precision that has its instructions, on the scalar executor and on each instruction set of the wide one.
//!
//! That printing and parsing undo each other is in `roundtrip`; how close approximations are, in `num_accuracy`.

mod arithmetic;
mod comparisons;
mod conditions;
mod conversions;
mod laws;
mod packing;
