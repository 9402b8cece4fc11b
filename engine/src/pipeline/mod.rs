//! From geometry to pixels: transform, clip, rasterise, run fragments, merge.
//!
//! [`render`] draws a [`Draw`] with any [`crate::exec::BlockShader`]; [`fragments_at`] gives the
//! fragments of one pixel with bit for bit the attributes that `render` feeds the shader. Stages are
//! plain functions over plain buffers:
//!
//! `vertex -> clip -> setup -> raster -> interpolate -> (shader) -> merge`, per tile of the
//! [`Framebuffer`], scheduled by `schedule`.
//!
//! The image depends on nothing but the draw: tiles are independent, primitives keep drawing order
//! within a tile, and the attributes of a quad are a function of its primitive and place alone.
//!
//! Not here: running programs (`exec`), textures, reading mesh files (the app does).

mod bins;
mod camera;
mod clip;
mod draw;
mod fixed;
mod framebuffer;
mod gather;
mod input;
mod interpolate;
mod merge;
mod mesh;
mod probe;
mod raster;
mod schedule;
mod setup;
mod shapes;
mod state;
mod threads;
mod tile;
mod vector;
mod vertex;

#[cfg(test)]
mod tests;

pub use camera::{Camera, CameraError};
pub use draw::{Cancelled, DepthFunc, DepthState, Draw, Geometry, Stats};
pub use fixed::{FixedFragment, FixedWorker, FogCoordinate};
pub use framebuffer::{Framebuffer, FramebufferError, PixelStatus};
pub use input::{ArrayData, AttributeArray, AttributeSource, Elements, Primitive, VertexInput};
pub use merge::DepthSource;
pub use mesh::{Mesh, MeshError, MeshParts};
pub use probe::{PixelFragment, QuadAttributes, fragments_at};
pub use schedule::render;
pub use state::{
    Blend, BlendEquation, BlendFactor, Clear, CompareFunc, CullFace, Fog, FogMode, FrontFace, LogicOp,
    PointState, PolygonMode, PolygonOffset, RasterState, Rect, ShadeModel, Stencil, StencilFace, StencilOp,
};
pub use threads::Threads;
