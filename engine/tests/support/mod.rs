//! What several integration tests share.

pub mod arb;
pub mod random;
pub mod textures;
pub mod vertex;
