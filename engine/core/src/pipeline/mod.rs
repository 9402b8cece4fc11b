//! The rendering pipeline, from vertices to pixels: shade, assemble, clip, rasterise, run fragments, merge.
//!
//! [`render`] draws a [`Draw`] with any [`crate::exec::VertexShader`] and [`crate::exec::BlockShader`].
//! [`each_fragment_at`] returns the fragments of one pixel, with attributes bit-identical to the ones that
//! `render` passes to the shader. [`shaded_vertices`] returns the shaded vertices.
//! Stages are plain functions over plain buffers:
//!
//! `fetch -> (vertex shader) -> assemble -> (tessellation) -> (geometry) -> (feedback) -> clip`, once per
//! draw, then
//! `setup -> raster -> interpolate -> (shader) -> merge`, per tile of the [`Framebuffer`]. `schedule` runs
//! the stages.
//!
//! The image depends on the draw alone: tiles are independent, and primitives keep drawing order within a
//! tile.
//! The attributes of a quad depend only on its primitive and its position.
//!
//! Neighbours: `exec` runs programs, `texture` does lookups, and the app reads mesh files.

mod assemble;
mod bins;
mod block;
mod camera;
mod clip;
mod clipped;
mod color_buffer;
mod draw;
mod elements;
mod feedback;
mod fetch;
mod fixed;
mod fog;
mod framebuffer;
mod generated;
mod geometry;
mod history;
mod input;
mod interface;
mod interpolate;
mod line;
mod merge;
mod mesh;
mod plane;
mod point;
mod probe;
mod quad_batcher;
mod raster;
mod reader;
mod resolve;
mod samples;
mod schedule;
mod setup;
mod shaded;
mod shapes;
mod state;
mod tessellation;
mod tessellator;
mod threads;
mod tile;
mod varyings;
mod vertices;

#[cfg(test)]
mod tests;

pub use crate::exec::Cancelled;
pub use crate::exec::{Apart, Hazard};
pub use assemble::{each_primitive, each_simple_primitive};
pub use camera::{Camera, CameraError, CameraMatrices};
pub use clipped::Facing;
pub use color_buffer::{ColorBuffer, ColorFormat};
pub use draw::{DepthState, Draw, Geometry, Stats};
pub use feedback::{Captured, Feedback, FeedbackBuffer, Recorded, STREAMS};
pub use fetch::vertex_attributes;
pub use fixed::{ColorSum, FixedFragment, FixedWorker};
pub use fog::{FogCoordinate, FogStage};
pub use framebuffer::{Framebuffer, FramebufferError, PixelStatus};
pub use geometry::assemble_emitted;
pub use history::{HistoryFragment, Merging, PixelHistory, PixelState, SampleState};
pub use input::ArrayNumber;
pub use input::{
    ArrayConversion, ArrayData, AttributeArray, AttributeSource, EdgeFlag, EdgeFlags, Elements, Patches,
    Primitive, VertexInput,
};
pub use interface::FragmentReads;
pub use merge::{Blending, DepthSource, FragmentTrace, Test, Tested};
pub use mesh::{Mesh, MeshError, MeshParts};
pub use plane::Plane;
pub use probe::{FragmentSamples, PixelFragment, QuadAttributes, each_fragment_at};
pub use samples::{MultisampleState, SampleCoverage, Samples};
pub use schedule::{Outputs, render, render_recording};
pub use setup::SUBPIXEL_BITS;
pub use shaded::{
    PatchDivision, ShadedVertex, each_made_primitive, patch_division, patch_inputs, primitive_inputs,
    shaded_vertex, shaded_vertices,
};
pub use state::{
    Blend, BlendEquation, BlendFactor, Clear, CullFace, Fog, FogMode, FragmentCoordinates, FrontFace, Layers,
    LogicOp, PixelCenters, PointState, PolygonMode, PolygonOffset, RasterState, Rect, ShadeModel, Stencil,
    StencilFace, StencilOp, WindowOrigin,
};
pub use tessellation::PatchConflict;
pub use tessellator::{Tessellated, TessellatedPrimitive, TessellationLevels, tessellate};
pub use threads::Threads;

pub use crate::compare::CompareFunc;
