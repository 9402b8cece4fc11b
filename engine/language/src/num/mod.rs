//! Numbers: fp32 with flushed denorms, fp16, fx12, fp64, integers, packing, and the approximated functions.
//!
//! Every function is a fixed sequence of IEEE operations without branches that depend on the data in
//! a way a vectoriser could not turn into selects, so that the scalar and the wide executor, compiled
//! for any processor, give the same bits. fp16 and fx12 values travel as `f32`s that hold exactly
//! representable values.

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
