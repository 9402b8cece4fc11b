//! The app's integration tests. They are one program, because each further one would be linked with the whole
//! app. `cargo test -p shadestep --test all NAME` runs the tests whose name contains `NAME`, for example
//! `ui::`.

#[path = "../../engine/tests/measure/allocator.rs"]
mod allocator;
#[path = "../../engine/tests/measure/alone.rs"]
mod alone;
mod cli;
mod closing;
mod common;
mod docs;
mod frame_queries;
mod layers;
mod lessons;
mod limits;
mod processors;
mod prose;
mod recipes;
mod samples;
mod screenshots;
mod support;
mod ui;
