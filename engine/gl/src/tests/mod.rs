//! Tests of the object model. Each sentence of an Errors section has a test with a matching name.

mod arb_draws;
mod arb_errors;
mod arb_objects;
mod attrib_stacks;
mod attributes;
mod buffer_textures;
mod checkpoints;
mod clears;
mod draws;
mod dual_source;
mod elements;
mod fixed_stages;
mod flat_quad;
mod fragment_errors;
mod geometry;
mod images;
mod instanced;
mod layers;
mod matrices;
mod memory;
mod multisample;
mod objects;
mod races;
mod raster_position;
mod state;
mod state_vectors;
mod subroutines;
mod tessellation;
mod transform_feedback;
mod typed_attributes;
mod typed_colors;
mod typed_parameters;
mod vertex_errors;

use super::{Context, ErrorCode, Result};
use shadestep_core::pipeline::Primitive;
use shadestep_language::isa::Stage;

/// A vertex program.
const VP: &[u8] = b"!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND";
/// A fragment program with a named parameter.
const FP: &[u8] = b"!!FP1.0\nDECLARE tint = {1, 2, 3, 4};\nMUL o[COLR], f[COL0], tint;\nEND";
/// A vertex state program that writes `c[8]`.
const VSP: &[u8] = b"!!VSP1.0\nMUL c[8], v[0], c[9];\nEND";

/// A context with the programs 1 ([`VP`]), 2 ([`FP`]) and 3 ([`VSP`]).
fn loaded() -> Context {
    let mut context = Context::new();
    context.load_program(Stage::Vertex, 1, VP).expect("the vertex program loads");
    context.load_program(Stage::Fragment, 2, FP).expect("the fragment program loads");
    context.load_program(Stage::VertexState, 3, VSP).expect("the state program loads");
    context
}

/// Asserts that `command` raises `code`, in its result and once through GetError.
fn raises<T: std::fmt::Debug>(
    context: &mut Context,
    code: ErrorCode,
    command: impl FnOnce(&mut Context) -> Result<T>,
) {
    let error = command(context).expect_err("the command must fail");
    assert_eq!(error.code, code, "{error}");
    assert_eq!(context.get_error(), Some(error));
    assert_eq!(context.get_error(), None);
}

/// Asserts that `command` raises `code` and changes nothing.
fn refuses<T: std::fmt::Debug>(
    context: &mut Context,
    code: ErrorCode,
    command: impl FnOnce(&mut Context) -> Result<T>,
) {
    let before = format!("{context:?}");
    raises(context, code, command);
    assert_eq!(format!("{context:?}"), before);
}

/// Asserts that `command` is refused between begin and end, and changes nothing.
fn refused_between<T: std::fmt::Debug>(
    context: &mut Context,
    command: impl FnOnce(&mut Context) -> Result<T>,
) {
    context.begin(Primitive::Points).expect("begun");
    let before = format!("{context:?}");
    let error = command(context).expect_err("the command must fail");
    assert_eq!(error.code, ErrorCode::InvalidOperation, "{error}");
    // GetError itself is not allowed here.
    assert_eq!(context.first_error.take(), Some(error));
    assert_eq!(format!("{context:?}"), before);
    context.end().expect("ended");
}
