//! The vertices of a draw after the vertex program, for picking and for tables of vertices.

use super::clip;
use super::clipped::ShadedDraw;
use super::{DepthSource, Draw, Elements, Geometry, Primitive, Threads, VertexInput};
use crate::exec::VertexShader;
use crate::ir::Attribute;
use std::sync::atomic::AtomicBool;

/// An element after the vertex program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShadedVertex {
    /// Element number.
    pub element: u32,
    /// `o[HPOS]`.
    pub clip: [f32; 4],
    /// Window x, y, z as far as fp32 tells; `None` where the vertex is outside the clip volume or no
    /// finite point.
    pub window: Option<[f32; 3]>,
}

/// The vertices of `draw` in a window of `size` pixels, each element once, by element number. Elements
/// that the arrays do not have are left out. Runs `vertex` on all threads where there are many.
/// Whether the fragment program replaces depth plays no part: near and far clip unless depth clamp is on.
pub fn shaded_vertices<V: VertexShader>(draw: &Draw, vertex: &V, size: [u32; 2]) -> Vec<ShadedVertex> {
    let Geometry::Vertices(input) = &draw.geometry else { return Vec::new() };
    shaded(draw, input, vertex, size)
}

/// Element `element` of `draw` as [`shaded_vertices`] has it, without the others; `None` if it is not drawn.
pub fn shaded_vertex<V: VertexShader>(
    draw: &Draw,
    vertex: &V,
    size: [u32; 2],
    element: u32,
) -> Option<ShadedVertex> {
    let Geometry::Vertices(input) = &draw.geometry else { return None };
    if !input.elements.contains(element) {
        return None;
    }
    let elements = Elements::Indices { indices: [element].into(), restart: None };
    let alone = VertexInput { primitive: Primitive::Points, elements, ..input.clone() };
    shaded(draw, &alone, vertex, size).pop()
}

fn shaded<V: VertexShader>(
    draw: &Draw,
    input: &VertexInput,
    vertex: &V,
    size: [u32; 2],
) -> Vec<ShadedVertex> {
    let (threads, never) = (Threads::for_elements(&input.elements), AtomicBool::new(false));
    let reads = (&[0; Attribute::SLOTS], DepthSource::Window);
    let stage = ShadedDraw::new((input, vertex), &draw.state, reads, size, &threads, &never);
    let elements = stage.cache.elements(0..stage.cache.count());
    let shaded = stage.vertices.positions.iter().zip(&stage.vertices.vertices);
    let vertex = |(element, (clip, vertex)): (u32, (&[f32; 4], &super::setup::Vertex))| {
        let position = clip::position(*clip);
        let seen = clip::Place::of_line([vertex.codes; 2]) == clip::Place::Whole;
        let [x, y] = [0, 1].map(|axis| stage.setup.window(position, axis) as f32);
        let window = [x, y, stage.setup.window_z(position) as f32];
        ShadedVertex { element, clip: *clip, window: seen.then_some(window) }
    };
    elements.zip(shaded).map(vertex).collect()
}
