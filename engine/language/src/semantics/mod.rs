//! What an operation computes, in the same words for every executor: [`plan`] says which function gives each
//! component of a result, and [`ops`] has these functions, generic over lanes.

pub mod ops;
pub mod plan;
