//! Measures memory and work of tests.

pub mod allocator;
pub mod alone;
pub mod work;
