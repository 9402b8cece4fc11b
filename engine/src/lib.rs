//! Shadestep's engine: NVIDIA's assembly shader languages from text to pixels, and back to the step
//! that made a pixel.
//!
//! Text goes through [`front`] to an [`ir::Program`] or [`diag::Diagnostic`]s; [`exec`] runs a program
//! on quads (traced) or on blocks of fragments (fast) with the same bits; [`pipeline`] turns geometry
//! into fragments and fragments into pixels; [`debug`] records one invocation; [`gl`] is the specifications'
//! object model, the way in. No UI and no file I/O.

pub mod debug;
pub mod diag;
pub mod exec;
pub mod front;
pub mod gl;
pub mod ide;
pub mod ir;
pub mod isa;
pub mod lint;
pub mod memory;
mod movemask;
pub mod num;
pub mod pipeline;
pub mod processor;
#[cfg(test)]
mod samples;
pub mod source;
pub mod survey;
pub mod syntax;
pub mod texture;
