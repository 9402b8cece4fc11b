//! Helpers of several tests: files, limits in texts, loading, quads, and other instruction sets.

pub mod compiled;
pub mod files;
pub mod limits;
pub mod loading;
pub mod processes;
pub mod quads;
