//! What must hold of any input: one plain function on bytes for each fuzz target. libFuzzer runs them from the folder
//! above; the tests here run them over its corpora and over everything that was ever found, on stable.

#[cfg(feature = "app")]
pub mod files;
pub mod front;
pub mod gl;
pub mod targets;

#[path = "../../../engine/tests/support/mod.rs"]
mod support;
#[path = "../../../engine/tests/roundtrip/checks.rs"]
mod texts;
