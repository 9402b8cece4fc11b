//! What the texts promise of all operands: that sums and products do not depend on the order, that one instruction is
//! another with a sign, that one undoes another. Each law names its clause; it is tried in every language and every
//! precision that has its instructions, on the scalar executor and on each instruction set of the wide one.
//!
//! Laws of float languages are in `laws` and what uses it. Those of integers and of numbers of 64 bits, which the languages of
//! NV_gpu_program4 and NV_gpu_program5 have, are in `types` and what uses that.
//!
//! That printing and parsing undo each other is in `roundtrip`; how close approximations are, in `num_accuracy`.

mod arithmetic;
mod comparisons;
mod conditions;
mod conversions;
mod doubles;
mod flags;
mod integers;
mod laws;
mod packing;
mod types;
