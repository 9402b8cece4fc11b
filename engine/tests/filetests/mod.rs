//! Tests of the low-level IR of the batch executor.

mod random;
mod texts;
