//! Laws that the specifications promise for all operands: sums and products commute, one instruction equals
//! another with a sign, one instruction undoes another. Each law names its clause. A law is tried in every
//! language and precision that has its instructions, with the reference interpreter and with the batch
//! executor on each instruction set.
//!
//! `laws` and the modules that use it have the float languages. `types` and the modules that use it have
//! integers and 64-bit numbers, in the languages of NV_gpu_program4 and NV_gpu_program5.
//!
//! The test `roundtrip` checks printing against parsing, and `num_accuracy` the errors of approximations.

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
