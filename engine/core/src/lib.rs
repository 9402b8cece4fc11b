//! Execution and rendering: programs run on invocations, invocations fill a framebuffer.
//!
//! Programs read [`texture`]s and [`memory`], and write memory. [`exec`] runs programs: the reference
//! interpreter reports every step, the batch executor draws. [`pipeline`] turns vertices into pixels.
//! [`debug`] records one invocation, [`query`] asks about every pixel of a picture.

pub mod compare;
pub mod debug;
pub mod exec;
pub mod memory;
pub mod pipeline;
pub mod processor;
pub mod query;
mod simd;
pub mod subject;
pub mod texture;
