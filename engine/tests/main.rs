//! The engine's integration tests. They are one program, because each further one would be linked with the
//! whole engine. `cargo test -p shadestep-engine --test all NAME` runs the tests whose name contains `NAME`,
//! for example `conformance::`.

mod arb_fp_load;
mod arb_programs;
mod arb_vp_load;
mod common;
mod conformance;
mod differential;
mod filetests;
mod fp1_load;
mod gpu_programs;
mod measure;
mod num_accuracy;
mod peer;
mod picture_memory;
mod properties;
mod recording_bounds;
mod roundtrip;
mod subroutines;
mod suffix_positions;
mod support;
mod vertex_programs;
mod vp_load;
