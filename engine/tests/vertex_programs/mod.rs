//! Execution of vertex programs and vertex state programs by the text of NV_vertex_program2: flow, relative
//! reads, special cases, integers, recordings. Each program runs in the reference interpreter, in the batch
//! executor and in a recording. `build` has the builders of programs.

mod build;
mod flow;
mod instructions;
mod integers;
mod long;
mod recording;
