//! A draw after vertex shading: its vertices, assembler, stage interface and setup. Also the list of shaded
//! vertices that the app shows in tables and picks from.

use super::assemble::{AssembledPrimitive, Assembler};
use super::clip;
use super::clipped::{ClippedPrimitive, Clipper, PrimitiveSource};
use super::elements::Cache;
use super::geometry::{Emitted, GeometryStage};
use super::interface::StageInterface;
use super::samples::Sampling;
use super::setup::Setup;
use super::vertices::Vertices;
use super::{
    Draw, Elements, FragmentReads, Geometry, Primitive, RasterState, Stats, Threads, VertexInput, fetch,
};
use crate::debug::Subject;
use crate::exec::{PrimitiveInputs, VertexShader};
use std::ops::Range;
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
    /// If there is a geometry program.
    geometry: Option<GeometryStage<'a>>,
    pub interface: Arc<StageInterface>,
    setup: Setup,
}

/// The primitives that are drawn.
#[derive(Debug)]
pub(super) enum Primitives<'a> {
    /// Those of the draw's elements.
    Drawn(Arc<Assembler<'a>>),
    /// Those that a geometry program emitted for some of the draw's.
    Emitted(Arc<Assembler<'a>>, Emitted),
}

impl Primitives<'_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Self::Drawn(assembler) => assembler.assembly.count(),
            Self::Emitted(_, emitted) => emitted.count(),
        }
    }

    /// How many vertices they are made of.
    pub fn vertices(&self) -> usize {
        match self {
            Self::Drawn(assembler) => assembler.cache.count(),
            Self::Emitted(_, emitted) => emitted.vertices(),
        }
    }

    /// Primitive `number`; `None` if the arrays do not have one of its elements.
    #[inline]
    pub fn primitive(&self, number: usize) -> Option<AssembledPrimitive> {
        match self {
            Self::Drawn(assembler) => assembler.primitive(number),
            Self::Emitted(_, emitted) => Some(emitted.primitive(number)),
        }
    }

    /// The number in the draw of the primitive that primitive `number` is, or was emitted for.
    pub fn number(&self, number: u32) -> u32 {
        match self {
            Self::Drawn(_) => number,
            Self::Emitted(assembler, emitted) => {
                assembler.assembly.simple(emitted.origin(number as usize)).id
            }
        }
    }

    /// What fragment programs read as its number: that of POLYGON is always zero (NV_fragment_program4 2.X.3.2).
    pub fn id(&self, number: u32) -> u32 {
        let (Self::Drawn(assembler) | Self::Emitted(assembler, _)) = self;
        if assembler.assembly.primitive() == Primitive::Polygon { 0 } else { self.number(number) }
    }

    /// The invocation of the geometry program that emitted primitive `number`, if one did.
    pub fn emitted_by(&self, number: u32) -> Option<Subject> {
        match self {
            Self::Drawn(_) => None,
            Self::Emitted(_, emitted) => Some(emitted.invocation(number as usize)),
        }
    }

    /// The elements of the draw that a part of primitive `number` with vertices in these slots is made of.
    pub fn elements(&self, number: u32, slots: [u32; 3]) -> Vec<u32> {
        match self {
            Self::Drawn(assembler) => assembler.elements(&slots),
            Self::Emitted(assembler, emitted) => {
                let primitive = assembler.assembly.simple(emitted.origin(number as usize));
                let slots = primitive.vertices().iter().filter_map(|position| assembler.slot(*position));
                assembler.elements(&slots.collect::<Vec<u32>>())
            }
        }
    }
}

/// An instance whose vertices are shaded, or a part of one: what stands between those and its pixels.
#[derive(Debug)]
pub(super) struct ShadedDraw<'a> {
    pub state: &'a RasterState,
    pub primitives: Primitives<'a>,
    pub interface: Arc<StageInterface>,
    pub vertices: Vertices,
    pub setup: Setup,
    /// What was done for it.
    pub done: Stats,
}

impl<'a, V: VertexShader> UnshadedDraw<'a, V> {
    /// That of `input`, whose vertices `vertex` shades, in a window of `size` pixels.
    pub fn new(
        (input, vertex): (&'a VertexInput, &'a V),
        state: &'a RasterState,
        reads: &FragmentReads,
        size: [u32; 2],
    ) -> Self {
        Self::with_geometry((input, vertex), vertex.geometry().map(GeometryStage::new), state, reads, size)
    }

    fn with_geometry(
        (input, vertex): (&'a VertexInput, &'a V),
        geometry: Option<GeometryStage<'a>>,
        state: &'a RasterState,
        reads: &FragmentReads,
        size: [u32; 2],
    ) -> Self {
        let written = match &geometry {
            Some(geometry) => (geometry.written(), true),
            None => (vertex.results_written(), false),
        };
        let interface = StageInterface::new(reads, written, state, size[1]);
        let clips = |n: usize| u8::from(interface.distances[n].is_some()) << n;
        let distances = (0..clip::CLIP_DISTANCES).fold(0, |mask, n| mask | clips(n));
        let sampling = Sampling::new(&state.multisample, reads.shades_samples);
        let planes = Setup::depth_planes(state, reads.depth);
        let setup = Setup::new(state, (size, sampling.covered), planes, distances);
        let cache = Cache::new(input, fetch::element_count(input, &vertex.attributes_used()));
        let (assembler, interface) = (Arc::new(Assembler::new(input, cache)), Arc::new(interface));
        Self { vertex, input, state, assembler, geometry, interface, setup }
    }

    /// Shades the vertices of all instances, one after the other as they are asked for.
    pub fn stages<'s>(&'s self, threads: &'s Threads, cancel: &'s AtomicBool) -> Stages<'s, 'a, V> {
        Stages { draw: self, threads, cancel, instances: 0..self.input.instances, begun: None }
    }

    /// Shades the vertices of an instance for whoever `interface` is that of.
    fn vertices(
        &self,
        instance: u32,
        interface: &StageInterface,
        (threads, cancel): (&Threads, &AtomicBool),
    ) -> Vertices {
        let cache = &self.assembler.cache;
        Vertices::shade(self.vertex, (self.input, instance), cache, interface, &self.setup, threads, cancel)
    }
}

/// What is drawn of a draw, one stage after the other: its instances, or with a geometry program parts of them.
pub(super) struct Stages<'s, 'a, V> {
    draw: &'s UnshadedDraw<'a, V>,
    threads: &'s Threads,
    cancel: &'s AtomicBool,
    /// Those to be shaded.
    instances: Range<u32>,
    /// Of the one before: its vertices, and the first simple primitive that is still to come.
    begun: Option<(Vertices, usize)>,
}

impl<V> Stages<'_, '_, V> {
    /// The instance that the stage before was of.
    pub const fn instance(&self) -> u32 {
        self.instances.start.saturating_sub(1)
    }

    /// Whether nothing is left.
    pub fn is_over(&self) -> bool {
        self.begun.is_none() && self.instances.start >= self.instances.end
    }
}

impl<'a, V: VertexShader> Iterator for Stages<'_, 'a, V> {
    type Item = ShadedDraw<'a>;

    fn next(&mut self) -> Option<ShadedDraw<'a>> {
        if self.is_over() {
            return None;
        }
        let UnshadedDraw { state, assembler, geometry, interface, setup, .. } = self.draw;
        let run = (self.threads, self.cancel);
        let mut done = Stats::default();
        let mut shade = |interface, instances: &mut Range<u32>| {
            instances.start += 1;
            done.vertices += assembler.cache.count() as u64;
            self.draw.vertices(instances.start - 1, interface, run)
        };
        let (vertices, primitives) = match geometry {
            None => (shade(interface, &mut self.instances), Primitives::Drawn(Arc::clone(assembler))),
            Some(geometry) => {
                let begun = self.begun.take();
                let (read, first) = begun.unwrap_or_else(|| (shade(&geometry.reads, &mut self.instances), 0));
                let count = assembler.assembly.simple_count();
                let range = geometry.part(first, count);
                let end = range.end;
                let (vertices, emitted) =
                    geometry.emit((assembler, &read), range, (interface, setup), run.0, run.1);
                if end < count {
                    self.begun = Some((read, end));
                }
                done += emitted.done();
                (vertices, Primitives::Emitted(Arc::clone(assembler), emitted))
            }
        };
        let interface = Arc::clone(interface);
        Some(ShadedDraw { state, primitives, interface, vertices, setup: *setup, done })
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
        match self.primitives.primitive(number) {
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

/// What the geometry program behind `vertex` reads in invocation `invocation` for the simple primitive `number` of instance
/// `instance`: of each attribute that it names all components; and the elements of its vertices. Nothing without such a program,
/// and if there is no such primitive.
pub fn primitive_inputs<V: VertexShader>(
    draw: &Draw,
    vertex: &V,
    size: [u32; 2],
    (number, invocation, instance): (u32, u8, u32),
) -> Option<(PrimitiveInputs, Vec<u32>)> {
    let Geometry::Vertices(input) = &draw.geometry else { return None };
    let (threads, never) = (Threads::for_elements(&input.elements), AtomicBool::new(false));
    let geometry = GeometryStage::reading_all(vertex.geometry()?);
    let draw = UnshadedDraw::with_geometry(
        (input, vertex),
        Some(geometry),
        &draw.state,
        &FragmentReads::NOTHING,
        size,
    );
    let geometry = draw.geometry.as_ref()?;
    let vertices = draw.vertices(instance, &geometry.reads, (&threads, &never));
    geometry.inputs_of((&draw.assembler, &vertices), (number, invocation))
}

/// Calls `visit` with every primitive that the geometry program behind `vertex` emits for instance `instance` of `draw` in a
/// window of `size` pixels, in order: the invocation that emitted it, and the clip coordinates of its one, two or three
/// vertices. Not at all without such a program.
pub fn each_emitted_primitive<V: VertexShader>(
    draw: &Draw,
    vertex: &V,
    (size, instance): ([u32; 2], u32),
    mut visit: impl FnMut(Subject, &[[f32; 4]]),
) {
    let Geometry::Vertices(input) = &draw.geometry else { return };
    let (threads, never) = (Threads::for_elements(&input.elements), AtomicBool::new(false));
    let draw = UnshadedDraw::new((input, vertex), &draw.state, &FragmentReads::NOTHING, size);
    let instances = instance..input.instances.min(instance + 1);
    for stage in (Stages { instances, ..draw.stages(&threads, &never) }) {
        let Primitives::Emitted(_, emitted) = &stage.primitives else { return };
        for number in 0..emitted.count() {
            let (mut clip, slots) = ([[0.0; 4]; 3], emitted.slots(number));
            for (clip, slot) in clip.iter_mut().zip(slots) {
                *clip = stage.vertices.positions[*slot as usize];
            }
            visit(emitted.invocation(number), &clip[..slots.len()]);
        }
    }
}

fn shaded<V: VertexShader>(
    draw: &Draw,
    (input, instance): (&VertexInput, u32),
    vertex: &V,
    size: [u32; 2],
) -> Vec<ShadedVertex> {
    let (threads, never) = (Threads::for_elements(&input.elements), AtomicBool::new(false));
    let reads = FragmentReads::NOTHING;
    let draw = UnshadedDraw::with_geometry((input, vertex), None, &draw.state, &reads, size);
    let cache = &draw.assembler.cache;
    let vertices = draw.vertices(instance, &draw.interface, (&threads, &never));
    let elements = cache.elements(0..cache.count());
    let shaded = vertices.positions.iter().zip(&vertices.vertices);
    let vertex = |(element, (clip, vertex)): (u32, (&[f32; 4], &super::setup::Vertex))| {
        let position = clip::position(*clip);
        let seen = clip::ClipClass::of_line([vertex.codes; 2]) == clip::ClipClass::Whole;
        let [x, y] = [0, 1].map(|axis| draw.setup.window(position, axis) as f32);
        let window = [x, y, draw.setup.window_z(position) as f32];
        ShadedVertex { element, clip: *clip, window: seen.then_some(window) }
    };
    elements.zip(shaded).map(vertex).collect()
}
