//! Generators, comparisons and measurements that several integration tests share.

pub mod against;
pub mod arb;
pub mod effects;
pub mod parts;
pub mod patches;
pub mod random;
pub mod reordered;
pub mod replay;
pub mod slices;
pub mod textures;
pub mod trials;
pub mod typed;
pub mod vertex;
