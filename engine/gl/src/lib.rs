//! The object model of the specifications. A [`Context`] holds programs, parameters, tracked matrices, vertex
//! attributes and all other state that a draw reads. Commands have the GL's names.
//!
//! C's interface maps to Rust like this:
//!
//! * A command that can fail returns [`Result`]. As in the GL, the context also stores the first [`Error`]
//!   until [`Context::get_error`] returns it. A command that fails changes nothing.
//! * A parameter that C declares as `enum` takes the Rust enum of its values or a constant of [`enums`]. Any
//!   other constant is INVALID_ENUM.
//! * A count with a pointer is one [`Counted`] argument: a slice, or a count and a slice.
//! * The type of the array replaces the suffix of C's names (`4f`, `3dv`, `4ub`).
//! * `Get` commands whose `pname` selects one of several values return all of them.
//!
//! Not here: creation of textures other than buffer textures ([`shadestep_core::texture`] creates them),
//! framebuffers (an argument of draws), fixed-function lighting, texture coordinate generation and
//! evaluators. docs/languages.md lists all missing features.

mod arrays;
mod attrib_stack;
mod attributes;
mod bindings;
mod buffers;
mod checkpoints;
mod clear;
mod counted;
mod draw;
mod draw_buffers;
mod draw_commands;
mod draw_memory;
pub mod enums;
mod error;
mod feedback_attribs;
mod fixed_function;
mod fixed_function_arrays;
mod frame_query;
mod generic;
mod image_units;
mod images;
mod immediate;
mod lighting;
mod matrices;
mod matrix;
mod multisample;
mod names;
mod parameter_buffers;
mod parameters;
mod patches;
mod pixel_output;
mod programs;
mod queries;
mod query;
mod raster_position;
mod residency;
mod resources;
mod state;
mod state_program;
mod state_vector;
mod strided;
mod subroutines;
mod transform;
mod transform_feedback;

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use shadestep_core::pipeline::{EdgeFlag, Patches};
use shadestep_language::ir::{IMAGE_UNITS, limits};

pub use arrays::{ArrayPointer, Normalization, VertexArray};
pub use attributes::AttributeValue;
pub use buffers::MOST_BUFFER_BYTES;
pub use checkpoints::Checkpoints;
pub use clear::{ClearBoth, ClearTarget, ClearValue};
pub use counted::Counted;
pub use draw::{DrawCall, FragmentProgram, FragmentStage};
pub use draw_buffers::{DrawBuffer, DrawBufferQuery};
pub use draw_commands::{Canvas, Drawn, Indices, MOST_ELEMENTS};
pub use draw_memory::MemoryBefore;
pub use enums::{
    ArrayType, BufferTarget, BufferUsage, Cap, ClientState, FogEquation, GLenum, MatrixMode, ProgramFormat,
    Switch, TrackedMatrix, Transform,
};
pub use error::{Error, ErrorCode, Result};
pub use feedback_attribs::{
    FeedbackMode, NEXT_BUFFER_NV, SKIP_COMPONENTS1_NV, SKIP_COMPONENTS2_NV, SKIP_COMPONENTS3_NV,
    SKIP_COMPONENTS4_NV, feedback_attrib,
};
pub use fixed_function::{Coordinate, PointParameter};
pub use fixed_function_arrays::InterleavedFormat;
pub use generic::{Integer, Integers, Longs, Normalized, Whole};
pub use images::ImageBinding;
pub use lighting::{LightColor, LightNumber, MaterialColor};
pub use matrices::{Number, STACK_DEPTH};
pub use matrix::Matrix;
pub use multisample::{CoverageInversion, SampleQuery, SamplesQuery};
pub use parameters::{ParameterValue, Vector4};
pub use patches::{PatchLevels, PatchNumber};
pub use programs::ProgramObject;
pub use queries::QueryTarget;
pub use query::{FloatLimit, Limit, ProgramQuery, ProgramText};
pub use raster_position::RasterPosition;
pub use resources::Resource;
pub use state::{BlendQuery, Mask};
pub use strided::{bytes_of, strided};
pub use transform::{FIXED_FUNCTION, ProgramStage, VertexStage};
pub use transform_feedback::{FeedbackPrimitive, FeedbackTarget, Recorders};

/// All state of one rendering context. A clone is independent of the original.
#[derive(Clone, Debug)]
pub struct Context {
    first_error: OnceLock<Error>,
    programs: programs::Programs,
    // Boxed because contexts are cloned for each frame, also on threads with small stacks.
    registers: Box<parameters::Registers>,
    /// Environment parameters of the targets after the vertex target. The vertex target's are `registers`.
    environments: Vec<parameters::Environment>,
    patches: Patches,
    matrices: matrices::Matrices,
    tracking: matrices::Tracking,
    attributes: attributes::Attributes,
    edge_flag: EdgeFlag,
    raster_position: raster_position::Current,
    arrays: arrays::Arrays,
    state: state::State,
    draw_buffers: draw_buffers::DrawBuffers,
    lighting: lighting::Lighting,
    fixed_function: fixed_function::FixedFunction,
    image_units: [image_units::ImageUnit; IMAGE_UNITS],
    images: images::Images,
    buffers: buffers::Buffers,
    feedback: transform_feedback::Objects,
    queries: Box<queries::Queries>,
    attrib_stack: Vec<attrib_stack::Saved>,
    client_attrib_stack: Vec<attrib_stack::ClientSaved>,
    /// The vertices since `begin`, while between begin and end.
    immediate: Option<immediate::Immediate>,
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

/// Errors, and state that belongs to no other module.
impl Context {
    /// A context in the GL's initial state.
    pub fn new() -> Self {
        Self {
            first_error: OnceLock::new(),
            programs: programs::Programs::default(),
            registers: Box::new([[0; 4]; limits::VP2_PARAMETERS]),
            environments: vec![[[0; 4]; limits::ENV_PARAMETERS]; enums::TARGETS - 1],
            patches: Patches::DEFAULT,
            matrices: matrices::Matrices::default(),
            tracking: matrices::Tracking::default(),
            attributes: attributes::INITIAL,
            edge_flag: EdgeFlag::Boundary,
            raster_position: raster_position::Current::INITIAL,
            arrays: arrays::Arrays::default(),
            state: state::State::default(),
            draw_buffers: draw_buffers::DrawBuffers::default(),
            lighting: lighting::Lighting::default(),
            fixed_function: fixed_function::FixedFunction::default(),
            image_units: Default::default(),
            images: Default::default(),
            buffers: buffers::Buffers::default(),
            feedback: Default::default(),
            queries: Default::default(),
            attrib_stack: Vec::new(),
            client_attrib_stack: Vec::new(),
            immediate: None,
        }
    }

    /// `GetError`: the first error since the last call, if there was one (glspec15 2.5). Between begin and
    /// end, the call itself is an error.
    pub fn get_error(&mut self) -> Option<Error> {
        self.query("GetError", || Ok(())).ok()?;
        self.first_error.take()
    }

    /// Runs a command that is not allowed between begin and end (glspec15 2.6.3).
    fn command<T>(&mut self, name: &'static str, body: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let result = self.outside_begin(name).and_then(|()| body(self));
        self.note(result)
    }

    /// Runs a command that is allowed between begin and end too.
    fn anywhere<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let result = body(self);
        self.note(result)
    }

    /// Runs a query. Queries are not allowed between begin and end.
    fn query<T>(&self, name: &'static str, body: impl FnOnce() -> Result<T>) -> Result<T> {
        self.note(self.outside_begin(name).and_then(|()| body()))
    }

    fn outside_begin(&self, name: &'static str) -> Result<()> {
        match self.immediate {
            None => Ok(()),
            Some(_) => {
                let reason = format!("{name} is not allowed between Begin and End");
                Err(Error::invalid_operation("glspec15 2.6.3", reason))
            }
        }
    }

    /// Stores the first error for [`Self::get_error`].
    fn note<T>(&self, result: Result<T>) -> Result<T> {
        if let Err(error) = &result {
            // `set` fails if an earlier error is stored, which stays.
            let _kept = self.first_error.set(error.clone());
        }
        result
    }
}
