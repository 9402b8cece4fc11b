//! Running programs: one semantics ([`ops`]), a traced scalar executor for one 2x2 quad, and a wide
//! one for blocks of fragments, which give the same bits.

pub mod block;

pub use block::{AttributeRows, BlockOutput, BlockShader, LANES, Row};
