//! The `shadestep` binary.
fn main() {}
