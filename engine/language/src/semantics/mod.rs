//! The meaning of each operation, shared by all executors. [`plan`] defines which component function computes
//! each component of a result. [`ops`] has the component functions, generic over [`crate::num::Number`].

pub mod ops;
pub mod plan;
