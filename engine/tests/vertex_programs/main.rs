//! What vertex and vertex state programs do when they run, by the text of NV_vertex_program2: flow, relative
//! reads, special cases, recordings. Each program runs scalar, recorded and wide.

mod build;
mod flow;
mod instructions;
mod integers;
mod long;
#[path = "../support/parts.rs"]
mod parts;
mod recording;
