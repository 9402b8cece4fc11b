//! Arithmetic, bit for bit: fp32 with flushed denorms, fp16, fx12, fp64, integers, packing, and the
//! approximated functions. [`crate::semantics`] builds the component functions of instructions on them.
//!
//! Every function is a fixed sequence of IEEE operations, with selects instead of branches that depend on
//! data. So the reference interpreter and the batch executor compute the same bits on every processor. fp16
//! and fx12 values are held in `f32`s that represent them exactly.

pub mod approx;
pub mod convert;
pub mod fp16;
pub mod fp32;
pub mod fp64;
pub mod fx12;
pub mod integer;
pub mod long;
pub mod number;
pub mod pack;

pub use number::{Double, Number, Rounding, Truth, Word};
