//! What several tests share: finding files, limits in texts, loading, quads, and other instruction sets.

pub mod files;
pub mod limits;
pub mod loading;
pub mod processes;
pub mod quads;
