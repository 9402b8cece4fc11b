//! The checks that must hold for any input: one function on bytes for each fuzz target. libFuzzer runs them
//! from the folder above. The tests here run them on stable, over the corpora and over all inputs that ever
//! failed.

#[cfg(feature = "app")]
pub mod files;
pub mod front;
pub mod gl;
pub mod targets;

#[path = "../../../engine/tests/support/mod.rs"]
mod support;
#[path = "../../../engine/tests/roundtrip/checks.rs"]
mod texts;
