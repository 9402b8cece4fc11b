//! Helpers of several tests: files, limits in texts, loading, quads, programs compiled once, and other
//! instruction sets.

pub mod compiled;
pub mod files;
pub mod limits;
pub mod loading;
pub mod processes;
pub mod quads;
