//! Shadestep's application: scenes, the session that runs them on the engine, and the command line.
//!
//! The binary is a thin shell over this library, so that tests can use the same parts.

pub mod cli;
mod embedded;
pub mod launch;
pub mod scene;
pub mod session;
mod suggest;
