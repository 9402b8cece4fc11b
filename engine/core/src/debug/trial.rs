//! Recordings of small programs, for the tests of this module.

use super::Recording;
use crate::exec::{Bindings, QUAD, QuadInputs, VertexInputs};
use shadestep_language::ir::{Attribute, single_bits};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The recording of lane 0 of a quad. In lane n, texture coordinate set s is (s + n/8, s + 0.25 + n/8, and so
/// on).
pub(super) fn fragment(text: &str) -> Recording {
    let loaded = shadestep_language::front::load(text.as_bytes());
    let program = loaded.program.unwrap_or_else(|| panic!("{text}{:#?}", loaded.diagnostics));
    let program = Arc::new(program);
    let mut inputs = QuadInputs::default();
    for set in 0..8_u8 {
        for lane in 0..QUAD {
            let value = |c: usize| f32::from(set) + c as f32 / 4.0 + lane as f32 / 8.0;
            inputs.attributes[Attribute::Tex(set).index()][lane] = std::array::from_fn(value);
        }
    }
    let bindings = Arc::new(Bindings::initial(&program));
    Recording::of_fragment(&program, &bindings, inputs, (0, [0, 0]), &AtomicBool::new(false))
        .expect("nobody cancels it")
}

/// The recording of a vertex whose attribute n is (n, n + 0.25, and so on).
pub(super) fn vertex(text: &str) -> Recording {
    let loaded = shadestep_language::front::load(text.as_bytes());
    let program = loaded.program.unwrap_or_else(|| panic!("{text}{:#?}", loaded.diagnostics));
    let program = Arc::new(program);
    let mut inputs = VertexInputs::default();
    for (n, input) in inputs.iter_mut().enumerate() {
        *input = single_bits(std::array::from_fn(|c| n as f32 + c as f32 / 4.0));
    }
    let bindings = Arc::new(Bindings::initial(&program));
    Recording::of_vertex(&program, &bindings, &inputs, 0, &AtomicBool::new(false)).expect("nobody cancels it")
}
