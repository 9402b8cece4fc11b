//! A draw after vertex shading: its vertices, assembler, stage interface and setup. Also the list of shaded
//! vertices that the app shows in tables and picks from.

use super::assemble::Assembler;
use super::clip;
use super::clipped::{ClippedPrimitive, Clipper, PrimitiveSource};
use super::elements::Cache;
use super::interface::StageInterface;
use super::samples::Sampling;
use super::setup::Setup;
use super::vertices::Vertices;
use super::{
    Draw, Elements, FragmentReads, Geometry, Primitive, RasterState, Stats, Threads, VertexInput, fetch,
};
use crate::exec::VertexShader;
use std::sync::Arc;
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

/// A draw before its vertices are shaded: what all instances share.
pub(super) struct UnshadedDraw<'a, V> {
    vertex: &'a V,
    input: &'a VertexInput,
    state: &'a RasterState,
    assembler: Arc<Assembler<'a>>,
    pub interface: Arc<StageInterface>,
    setup: Setup,
}

/// An instance whose vertices are shaded: what stands between those and its pixels.
#[derive(Debug)]
pub(super) struct ShadedDraw<'a> {
    pub state: &'a RasterState,
    pub assembler: Arc<Assembler<'a>>,
    pub interface: Arc<StageInterface>,
    pub vertices: Vertices,
    pub setup: Setup,
}

impl<'a, V: VertexShader> UnshadedDraw<'a, V> {
    /// That of `input`, whose vertices `vertex` shades, in a window of `size` pixels.
    pub fn new(
        (input, vertex): (&'a VertexInput, &'a V),
        state: &'a RasterState,
        reads: &FragmentReads,
        size: [u32; 2],
    ) -> Self {
        let interface = StageInterface::new(reads, vertex.results_written(), state, size[1]);
        let clips = |n: usize| u8::from(interface.distances[n].is_some()) << n;
        let distances = (0..clip::CLIP_DISTANCES).fold(0, |mask, n| mask | clips(n));
        let sampling = Sampling::new(&state.multisample, reads.shades_samples);
        let planes = Setup::depth_planes(state, reads.depth);
        let setup = Setup::new(state, (size, sampling.covered), planes, distances);
        let cache = Cache::new(input, fetch::element_count(input, &vertex.attributes_used()));
        let (assembler, interface) = (Arc::new(Assembler::new(input, cache)), Arc::new(interface));
        Self { vertex, input, state, assembler, interface, setup }
    }

    /// Shades the vertices of an instance.
    pub fn shade(&self, instance: u32, threads: &Threads, cancel: &AtomicBool) -> ShadedDraw<'a> {
        let Self { vertex, input, state, assembler, interface, setup } = self;
        let (assembler, interface) = (Arc::clone(assembler), Arc::clone(interface));
        let cache = &assembler.cache;
        let vertices = Vertices::shade(*vertex, (input, instance), cache, &interface, setup, threads, cancel);
        ShadedDraw { state, assembler, interface, vertices, setup: *setup }
    }
}

impl ShadedDraw<'_> {
    /// Clips its primitives.
    pub fn clipper(&self) -> Clipper<'_> {
        let Self { state, interface, vertices, setup, .. } = self;
        Clipper { state, interface, vertices, setup }
    }

    /// Calls `f` with what is left of primitive `number` that may cover pixels.
    pub fn primitive(
        &self,
        number: usize,
        stats: &mut Stats,
        f: &mut impl FnMut(PrimitiveSource, ClippedPrimitive),
    ) {
        stats.primitives += 1;
        match self.assembler.primitive(number) {
            Some(primitive) => self.clipper().primitive(number as u32, &primitive, stats, f),
            None => stats.primitives_out_of_range += 1,
        }
    }
}

/// The vertices of `draw`'s instance `instance` in a window of `size` pixels, each element once, by element number.
/// Elements that the arrays do not have are left out. Runs `vertex` on all threads where there are many. Whether
/// the fragment program replaces depth plays no part: near and far clip unless depth clamp is on.
pub fn shaded_vertices<V: VertexShader>(
    draw: &Draw,
    vertex: &V,
    size: [u32; 2],
    instance: u32,
) -> Vec<ShadedVertex> {
    let Geometry::Vertices(input) = &draw.geometry else { return Vec::new() };
    shaded(draw, (input, instance), vertex, size)
}

/// Element `element` of instance `instance` of `draw` as [`shaded_vertices`] has it, without the others; `None` if it is not drawn.
pub fn shaded_vertex<V: VertexShader>(
    draw: &Draw,
    vertex: &V,
    size: [u32; 2],
    (element, instance): (u32, u32),
) -> Option<ShadedVertex> {
    let Geometry::Vertices(input) = &draw.geometry else { return None };
    if !input.elements.contains(element) {
        return None;
    }
    let elements = Elements::Indices { indices: [element].into(), restart: None };
    let alone = VertexInput { primitive: Primitive::Points, elements, instances: 1, ..input.clone() };
    shaded(draw, (&alone, instance), vertex, size).pop()
}

fn shaded<V: VertexShader>(
    draw: &Draw,
    (input, instance): (&VertexInput, u32),
    vertex: &V,
    size: [u32; 2],
) -> Vec<ShadedVertex> {
    let (threads, never) = (Threads::for_elements(&input.elements), AtomicBool::new(false));
    let reads = FragmentReads::NOTHING;
    let stage =
        UnshadedDraw::new((input, vertex), &draw.state, &reads, size).shade(instance, &threads, &never);
    let elements = stage.assembler.cache.elements(0..stage.assembler.cache.count());
    let shaded = stage.vertices.positions.iter().zip(&stage.vertices.vertices);
    let vertex = |(element, (clip, vertex)): (u32, (&[f32; 4], &super::setup::Vertex))| {
        let position = clip::position(*clip);
        let seen = clip::ClipClass::of_line([vertex.codes; 2]) == clip::ClipClass::Whole;
        let [x, y] = [0, 1].map(|axis| stage.setup.window(position, axis) as f32);
        let window = [x, y, stage.setup.window_z(position) as f32];
        ShadedVertex { element, clip: *clip, window: seen.then_some(window) }
    };
    elements.zip(shaded).map(vertex).collect()
}
