//! A draw after vertex shading: its vertices, assembler, stage interface and setup. Also the lists of shaded
//! vertices and generated primitives that the app shows and picks from.

use super::assemble::{AssembledPrimitive, Assembler};
use super::clipped::{ClippedPrimitive, Clipper, PrimitiveSource};
use super::elements::Cache;
use super::feedback::{Capture, Captured, Feedback, StreamVertices};
use super::generated::GeneratedPrimitives;
use super::geometry::GeometryStage;
use super::interface::StageInterface;
use super::reader::{Inputs, PatchValues, Reading, invocation};
use super::samples::Sampling;
use super::setup::Setup;
use super::tessellation::{PatchConflict, ReadyPatches, TessellationStage, add_conflicts};
use super::vertices::{Keeping, Vertices};
use super::{
    Draw, Elements, FragmentReads, Geometry, Primitive, RasterState, Stats, Tessellated, TessellationLevels,
    Threads, VertexInput, clip, fetch,
};
use crate::exec::{PrimitiveInputs, VertexShader};
use crate::memory::{Before, Origin, Use};
use crate::subject::Subject;
use shadestep_language::ir::TessellationLayout;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Maximum number of fan triangles for which a polygon's vertices hand their clocks on to its fragments.
/// Fragments of larger polygons are ordered after all vertices.
const MOST_PARTS: usize = 64;

/// An element after the vertex program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShadedVertex {
    /// Element number.
    pub element: u32,
    /// `o[HPOS]`.
    pub clip: [f32; 4],
    /// Window x, y, z, rounded to fp32. `None` if the vertex is outside of the clip volume or not a finite
    /// point.
    pub window: Option<[f32; 3]>,
}

/// A draw before its vertices are shaded: the data that all instances share.
pub(super) struct UnshadedDraw<'a, V> {
    vertex: &'a V,
    input: &'a VertexInput,
    state: &'a RasterState,
    assembler: Arc<Assembler<'a>>,
    /// The tessellation programs, if there are any.
    tessellation: Option<TessellationStage<'a>>,
    /// The geometry program, if there is one.
    geometry: Option<GeometryStage<'a>>,
    pub interface: Arc<StageInterface>,
    setup: Setup,
}

/// A mask with a bit for each result of the drawn vertices. These are the results of the last program before
/// rasterisation.
fn written<V: VertexShader>(
    vertex: &V,
    tessellation: Option<&TessellationStage<'_>>,
    geometry: Option<&GeometryStage<'_>>,
) -> u64 {
    match (geometry, tessellation.filter(|stage| stage.divides())) {
        (Some(geometry), _) => geometry.written(),
        (None, Some(tessellation)) => tessellation.written(),
        (None, None) => vertex.results_written(),
    }
}

/// The primitives that are drawn.
#[derive(Debug)]
pub(super) enum Primitives<'a> {
    /// The primitives of the draw's own elements.
    Drawn(Arc<Assembler<'a>>),
    /// Primitives that a program generated from part of the draw's primitives.
    Generated(Arc<Assembler<'a>>, Box<GeneratedPrimitives>),
}

impl Primitives<'_> {
    /// Number of primitives.
    pub fn count(&self) -> usize {
        match self {
            Self::Drawn(assembler) => assembler.assembly.count(),
            Self::Generated(_, made) => made.count(),
        }
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        match self {
            Self::Drawn(assembler) => assembler.cache.count(),
            Self::Generated(_, made) => made.vertices,
        }
    }

    /// Primitive `number`; `None` if one of its elements is beyond the arrays.
    #[inline]
    pub fn primitive(&self, number: usize) -> Option<AssembledPrimitive> {
        match self {
            Self::Drawn(assembler) => assembler.primitive(number),
            Self::Generated(_, made) => Some(made.primitive(number)),
        }
    }

    /// The draw's number of primitive `number`, or of the primitive that it was generated from.
    pub fn number(&self, number: u32) -> u32 {
        match self {
            Self::Drawn(_) => number,
            Self::Generated(_, made) => made.get(number as usize).id,
        }
    }

    /// The primitive number that fragment programs read. Always zero for POLYGON (NV_fragment_program4
    /// 2.X.3.2).
    pub fn id(&self, number: u32) -> u32 {
        let (Self::Drawn(assembler) | Self::Generated(assembler, _)) = self;
        if assembler.assembly.primitive() == Primitive::Polygon { 0 } else { self.number(number) }
    }

    /// The invocation of the geometry program that emitted primitive `number`, or of the evaluation program
    /// that computed its provoking vertex. `None` without such a program.
    pub fn made_by(&self, number: u32) -> Option<Subject> {
        match self {
            Self::Drawn(_) => None,
            Self::Generated(_, made) => made.invocation(number as usize),
        }
    }

    /// The draw's elements for a part of primitive `number` with vertices in these slots.
    pub fn elements(&self, number: u32, slots: [u32; 3]) -> Vec<u32> {
        match self {
            Self::Drawn(assembler) => assembler.elements(&slots),
            Self::Generated(assembler, made) => elements_of(assembler, made.get(number as usize).source),
        }
    }
}

/// The elements of the simple primitive or patch `number`.
fn elements_of(assembler: &Assembler<'_>, number: u32) -> Vec<u32> {
    let primitive = assembler.assembly.simple(number as usize);
    let slots = primitive.vertices().filter_map(|position| assembler.slot(position));
    assembler.elements(&slots.collect::<Vec<u32>>())
}

/// An instance, or part of one, after vertex shading: the input of rasterisation.
#[derive(Debug)]
pub(super) struct ShadedDraw<'a> {
    pub state: &'a RasterState,
    pub primitives: Primitives<'a>,
    pub interface: Arc<StageInterface>,
    pub vertices: Vertices,
    pub setup: Setup,
    /// Counts of the work so far.
    pub done: Stats,
}

impl<'a, V: VertexShader> UnshadedDraw<'a, V> {
    /// The draw of `input`, with vertices shaded by `vertex`, in a window of `size` pixels.
    pub fn new(
        (input, vertex): (&'a VertexInput, &'a V),
        state: &'a RasterState,
        reads: &FragmentReads,
        size: [u32; 2],
    ) -> Self {
        let stages =
            (TessellationStage::new(vertex, &input.patches), vertex.geometry().map(GeometryStage::new));
        Self::with_stages((input, vertex), stages, state, reads, size)
    }

    /// A draw for inspecting the inputs of programs: reads all components of each attribute that the programs
    /// name.
    fn reading_all(
        (input, vertex): (&'a VertexInput, &'a V),
        state: &'a RasterState,
        size: [u32; 2],
    ) -> Self {
        let tessellation = TessellationStage::reading_all(vertex, &input.patches);
        let stages = (tessellation, vertex.geometry().map(GeometryStage::reading_all));
        Self::with_stages((input, vertex), stages, state, &FragmentReads::NOTHING, size)
    }

    fn with_stages(
        (input, vertex): (&'a VertexInput, &'a V),
        (tessellation, geometry): (Option<TessellationStage<'a>>, Option<GeometryStage<'a>>),
        state: &'a RasterState,
        reads: &FragmentReads,
        size: [u32; 2],
    ) -> Self {
        let written = (written(vertex, tessellation.as_ref(), geometry.as_ref()), geometry.is_some());
        let interface = StageInterface::new(reads, written, state, size[1]);
        let clips = |n: usize| u8::from(interface.distances[n].is_some()) << n;
        let distances = (0..clip::CLIP_DISTANCES).fold(0, |mask, n| mask | clips(n));
        let sampling = Sampling::new(&state.multisample, reads.shades_samples);
        let planes = Setup::depth_planes(state, reads.depth);
        let setup = Setup::new(state, (size, sampling.covered), planes, distances);
        let cache = Cache::new(input, fetch::element_count(input, &vertex.attributes_used()));
        let (assembler, interface) = (Arc::new(Assembler::new(input, cache)), Arc::new(interface));
        Self { vertex, input, state, assembler, tessellation, geometry, interface, setup }
    }

    /// Sets up transform feedback for the draw.
    pub fn capture<'c>(&mut self, feedback: (&'a Feedback, &'c mut Captured)) -> Capture<'c>
    where
        'a: 'c,
    {
        let written = written(self.vertex, self.tessellation.as_ref(), self.geometry.as_ref());
        self.geometry = self.geometry.take().map(|geometry| geometry.recorded_by(Some(feedback.0)));
        Capture::new(feedback, Arc::make_mut(&mut self.interface), written)
    }

    /// Enables the search for conflicts among invocations of patches.
    pub fn find_conflicts(&mut self) {
        self.tessellation.iter_mut().for_each(TessellationStage::find_conflicts);
    }

    /// Shades the vertices of all instances. The returned iterator does the work on demand.
    pub fn stages<'s>(&'s self, threads: &'s Threads, cancel: &'s AtomicBool) -> Stages<'s, 'a, V> {
        let (instances, conflicts) = (0..self.input.instances, Vec::new());
        Stages { draw: self, threads, cancel, instances, begun: None, conflicts }
    }

    /// The stored results of the draw's vertices, and of the vertices of divided patches.
    fn interfaces(&self) -> [&StageInterface; 2] {
        let last = self.geometry.as_ref().map_or(&*self.interface, |geometry| &geometry.reader.vertices);
        let first = self.tessellation.as_ref().and_then(TessellationStage::reads);
        [first.map_or(last, |reader| &reader.vertices), last]
    }

    /// The use of memory by the control, evaluation and geometry programs.
    pub fn memory_use(&self) -> [Use; 3] {
        let [control, evaluation] =
            self.tessellation.as_ref().map_or([Use::None; 2], TessellationStage::memory_use);
        [
            control,
            evaluation,
            self.geometry.as_ref().map_or(Use::None, |geometry| geometry.shader.memory_use()),
        ]
    }

    /// Shades the vertices of an instance and stores the results that `interface` needs.
    fn vertices(
        &self,
        instance: u32,
        interface: &StageInterface,
        (threads, cancel): (&Threads, &AtomicBool),
    ) -> Vertices {
        let (cache, kept) = (&self.assembler.cache, (interface, &self.setup));
        Vertices::shade(self.vertex, (self.input, instance), cache, kept, threads, cancel)
    }

    /// The values of patches that `geometry` reads if no tessellation program runs.
    fn undivided_patches(&self, geometry: &GeometryStage<'_>) -> PatchValues {
        PatchValues::without_control(&geometry.reader, &self.input.patches.levels)
    }

    /// Patch `number` of an instance before its control program, with the vertices that it reads. `None` if
    /// there is no such patch.
    fn patch(
        &self,
        (number, instance): (u32, u32),
        run: (&Threads, &AtomicBool),
    ) -> Option<(Inputs, Vertices)> {
        let exists = (number as usize) < self.assembler.assembly.simple_count();
        let drawn = exists.then(|| self.vertices(instance, self.interfaces()[0], run))?;
        let range = number as usize..number as usize + 1;
        let inputs = GeometryStage::inputs(&self.assembler, range);
        (inputs.len() == 1).then_some((inputs, drawn))
    }
}

/// The remaining work of an instance.
enum Begun {
    /// The draw's vertices, and the first simple primitive or patch to process.
    Vertices(Vertices, usize),
    /// Patches ready to divide. `place` is the first patch to divide, `made` the number of primitives from
    /// earlier patches.
    Ready { drawn: Vertices, next: usize, patches: ReadyPatches, place: usize, made: usize },
    /// Primitives that patches were divided into, as input of a geometry program. `place` is the first
    /// primitive to process, `before` the number of earlier primitives, `rest` the work after these.
    Divided {
        vertices: Vertices,
        made: GeneratedPrimitives,
        place: usize,
        before: usize,
        rest: Box<Option<Begun>>,
    },
}

/// Iterator over the stages of a draw: its instances, or parts of instances if programs generate primitives.
pub(super) struct Stages<'s, 'a, V> {
    draw: &'s UnshadedDraw<'a, V>,
    threads: &'s Threads,
    cancel: &'s AtomicBool,
    /// The instances that are not started yet.
    instances: Range<u32>,
    /// The remaining work of the current instance.
    begun: Option<Begun>,
    /// The conflicts found among invocations of patches.
    pub conflicts: Vec<PatchConflict>,
}

impl<V> Stages<'_, '_, V> {
    /// The instance of the last stage.
    pub const fn instance(&self) -> u32 {
        self.instances.start.saturating_sub(1)
    }

    /// Whether no work is left.
    pub fn is_over(&self) -> bool {
        self.begun.is_none() && self.instances.start >= self.instances.end
    }
}

impl<'a, V: VertexShader> Stages<'_, 'a, V> {
    /// Bundles vertices and primitives into a stage that is ready to be drawn.
    fn ready(&self, vertices: Vertices, primitives: Primitives<'a>, done: Stats) -> ShadedDraw<'a> {
        let UnshadedDraw { state, interface, setup, .. } = self.draw;
        ShadedDraw { state, primitives, interface: Arc::clone(interface), vertices, setup: *setup, done }
    }

    /// A stage of generated primitives.
    fn made(&self, vertices: Vertices, made: GeneratedPrimitives, done: Stats) -> ShadedDraw<'a> {
        let mut all = made.done;
        all += done;
        self.ready(vertices, Primitives::Generated(Arc::clone(&self.draw.assembler), Box::new(made)), all)
    }

    /// Processes the next part of `begun`. Returns a stage to draw, or `None` if more work is needed first,
    /// together with the remaining work.
    fn go_on(&mut self, begun: Begun, done: &mut Stats) -> (Option<ShadedDraw<'a>>, Option<Begun>) {
        let UnshadedDraw { assembler, tessellation, geometry, interface, setup, .. } = self.draw;
        let run = (self.threads, self.cancel);
        let [_, last] = self.draw.interfaces();
        match (begun, tessellation, geometry) {
            (Begun::Vertices(drawn, _), None, None) => {
                let primitives = Primitives::Drawn(Arc::clone(assembler));
                (Some(self.ready(drawn, primitives, *done)), None)
            }
            (Begun::Vertices(drawn, first), None, Some(geometry)) => {
                let count = assembler.assembly.simple_count();
                let range = geometry.part(first, count);
                let (end, all) = (range.end, range.len());
                let inputs = GeometryStage::inputs(assembler, range);
                done.primitives_out_of_range += (all - inputs.len()) as u64;
                let patches = self.draw.undivided_patches(geometry);
                let reading = Reading { inputs: &inputs, vertices: &drawn, patches: &patches };
                let (vertices, made) = geometry.emit(reading, (interface, setup), run.0, run.1);
                let left = if end < count {
                    Some(Begun::Vertices(drawn, end))
                } else {
                    drawn.recycle(run.0);
                    None
                };
                (Some(self.made(vertices, made, *done)), left)
            }
            (Begun::Vertices(drawn, first), Some(tessellation), _) => {
                let range = TessellationStage::part(first, assembler.assembly.simple_count());
                let next = range.end;
                let reader = geometry.as_ref().map(|geometry| &geometry.reader);
                let mut patches = tessellation.ready((assembler, &drawn), range, (reader, setup), run);
                *done += patches.done;
                add_conflicts(&mut self.conflicts, std::mem::take(&mut patches.conflicts));
                (None, Some(Begun::Ready { drawn, next, patches, place: 0, made: 0 }))
            }
            (Begun::Ready { drawn, next, patches, place, made: before }, Some(tessellation), geometry) => {
                let end = patches.inputs.len();
                let rest = |drawn, patches, place, made| {
                    if place < end {
                        return Some(Begun::Ready { drawn, next, patches, place, made });
                    }
                    let count = assembler.assembly.simple_count();
                    (next < count).then_some(Begun::Vertices(drawn, next))
                };
                match (tessellation.divide((&patches, &drawn), place, (last, setup), run), geometry) {
                    (Some((vertices, made, place)), None) => {
                        let left = rest(drawn, patches, place, before + made.count());
                        (Some(self.made(vertices, made, *done)), left)
                    }
                    (Some((vertices, made, place)), Some(_)) => {
                        let left = rest(drawn, patches, place, before + made.count());
                        *done += made.done;
                        let rest = Box::new(left);
                        (None, Some(Begun::Divided { vertices, made, place: 0, before, rest }))
                    }
                    // The geometry program reads the patches themselves. A part holds a bounded number of
                    // patches.
                    (None, Some(geometry)) => {
                        let (vertices, made) =
                            geometry.emit(patches.reading(&drawn), (interface, setup), run.0, run.1);
                        let left = rest(drawn, patches, end, before);
                        (Some(self.made(vertices, made, *done)), left)
                    }
                    // Patches alone are not drawn.
                    (None, None) => {
                        let primitives = Primitives::Drawn(Arc::clone(assembler));
                        (Some(self.ready(drawn, primitives, *done)), None)
                    }
                }
            }
            (Begun::Divided { vertices, made, place, before, rest }, _, Some(geometry)) => {
                let range = geometry.part(place, made.count());
                let end = range.end;
                let inputs = made.inputs(range, before);
                let patches = PatchValues::default();
                let reading = Reading { inputs: &inputs, vertices: &vertices, patches: &patches };
                let (emitted, of_geometry) = geometry.emit(reading, (interface, setup), run.0, run.1);
                let left = if end < made.count() {
                    Some(Begun::Divided { vertices, made, place: end, before, rest })
                } else {
                    vertices.recycle(run.0);
                    run.0.recycle(made.primitives);
                    *rest
                };
                (Some(self.made(emitted, of_geometry, *done)), left)
            }
            // Does not happen: the work in progress belongs to existing stages.
            (Begun::Ready { .. } | Begun::Divided { .. }, ..) => (None, None),
        }
    }
}

impl<'a, V: VertexShader> Iterator for Stages<'_, 'a, V> {
    type Item = ShadedDraw<'a>;

    fn next(&mut self) -> Option<ShadedDraw<'a>> {
        let mut done = Stats::default();
        while !self.is_over() {
            let begun = self.begun.take().unwrap_or_else(|| {
                let instance = self.instances.start;
                self.instances.start += 1;
                done.vertices += self.draw.assembler.cache.count() as u64;
                let [first, _] = self.draw.interfaces();
                Begun::Vertices(self.draw.vertices(instance, first, (self.threads, self.cancel)), 0)
            });
            let (drawn, left) = self.go_on(begun, &mut done);
            self.begun = left;
            if drawn.is_some() {
                return drawn;
            }
        }
        None
    }
}

impl ShadedDraw<'_> {
    /// The origin of the fragments of primitive `number`.
    pub fn origin(&self, number: u32) -> Origin {
        let (instance, primitive) = (self.vertices.instance, Some(self.primitives.number(number)));
        Origin { instance, primitive, sample: None }
    }

    /// Adds the clocks that primitive `number` hands on to its fragments, if clocks are kept.
    pub fn hand_on(&self, number: u32, before: &mut Vec<Before>) {
        if matches!(self.vertices.keeping(), Keeping::Results(_)) {
            return;
        }
        let mut add = |slots: &[u32]| before.extend(slots.iter().map(|slot| self.vertices.before(*slot)));
        match self.primitives.primitive(number as usize) {
            Some(AssembledPrimitive::Point(slot)) => add(&[slot]),
            Some(AssembledPrimitive::Line(slots)) => add(&slots),
            Some(AssembledPrimitive::Triangle(fan)) => fan.iter().for_each(|part| add(&part.slots)),
            Some(AssembledPrimitive::Quad(fan)) => fan.iter().for_each(|part| add(&part.slots)),
            // Each fan triangle hands on the clocks of all vertices of the polygon, which takes quadratic
            // time.
            Some(AssembledPrimitive::Polygon(fan)) if fan.len() > MOST_PARTS => {
                before.push(Before::EVERYTHING)
            }
            Some(AssembledPrimitive::Polygon(fan)) => fan.iter().for_each(|part| add(&part.slots)),
            None => {}
        }
    }

    /// A clipper for the stage's primitives.
    pub fn clipper(&self) -> Clipper<'_> {
        let Self { state, interface, vertices, setup, .. } = self;
        Clipper { state, interface, vertices, setup }
    }

    /// Counts the stage's primitives, for draws without active transform feedback.
    pub fn count_generated(&self, stats: &mut Stats) {
        stats.generated[0] += self.primitives.count() as u64;
        if let Primitives::Generated(_, made) = &self.primitives {
            for (all, count) in stats.generated.iter_mut().zip(made.streams.counts) {
                *all += count;
            }
        }
    }

    /// Returns the memory to the pool, for later draws.
    pub fn recycle(self, threads: &Threads) {
        self.vertices.recycle(threads);
        if let Primitives::Generated(_, made) = self.primitives {
            threads.recycle(made.primitives);
        }
    }

    /// Drops the vertices of streams that are not drawn, after they are recorded.
    pub fn forget_streams(&mut self) {
        if let Primitives::Generated(_, made) = &mut self.primitives {
            made.streams = StreamVertices::default();
        }
    }

    /// The layer that a primitive is drawn to. `provoking` is the slot of the provoking vertex, which holds
    /// the layer (NV_geometry_program4 4.4.7). Layer 0 if no geometry program writes it. `None` for a
    /// negative layer.
    pub fn layer(&self, provoking: u32) -> Option<usize> {
        let Some(column) = self.interface.layer else { return Some(0) };
        let data = self.vertices.data(provoking);
        usize::try_from(data[usize::from(column)].to_bits().cast_signed()).ok()
    }

    /// Whether the primitive is in the inspected layer.
    pub fn is_seen(&self, provoking: u32) -> bool {
        self.state.layers.is_none_or(|layers| self.layer(provoking) == Some(layers.seen as usize))
    }

    /// Calls `f` with each part of primitive `number` that may cover pixels.
    pub fn primitive(
        &self,
        number: usize,
        stats: &mut Stats,
        f: &mut impl FnMut(PrimitiveSource, &ClippedPrimitive),
    ) {
        stats.primitives += 1;
        match self.primitives.primitive(number) {
            Some(primitive) => self.clipper().primitive(number as u32, &primitive, stats, f),
            None => stats.primitives_out_of_range += 1,
        }
    }
}

/// The vertices of instance `instance` of `draw`, in a window of `size` pixels: each element once, by element
/// number. Elements beyond the arrays are left out. Runs `vertex` on all threads if there are many elements.
/// Near and far clip unless depth clamp is on, even if the fragment program replaces depth.
pub fn shaded_vertices<V: VertexShader>(
    draw: &Draw,
    vertex: &V,
    size: [u32; 2],
    instance: u32,
) -> Vec<ShadedVertex> {
    let Geometry::Vertices(input) = &draw.geometry else { return Vec::new() };
    shaded(draw, (input, instance), vertex, size)
}

/// One element of [`shaded_vertices`], computed alone. `None` if the element is not drawn.
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

/// The inputs of invocation `invocation` of the geometry program, and the draw's elements that they come
/// from. `number` is the input primitive's number in instance `instance`. Includes all components of each
/// attribute that the program names. `None` without a geometry program, and if there is no such primitive.
pub fn primitive_inputs<V: VertexShader>(
    draw: &Draw,
    vertex: &V,
    size: [u32; 2],
    (number, own, instance): (u32, u8, u32),
) -> Option<(PrimitiveInputs, Vec<u32>)> {
    let Geometry::Vertices(input) = &draw.geometry else { return None };
    let (threads, never) = (Threads::for_elements(&input.elements), AtomicBool::new(false));
    let run = (&threads, &never);
    let draw = UnshadedDraw::reading_all((input, vertex), &draw.state, size);
    let geometry = draw.geometry.as_ref().filter(|geometry| usize::from(own) < geometry.invocations())?;
    let inputs_of = |reading: Reading<'_>, place: usize| {
        let inputs = geometry.reader.inputs_of(reading, place, |_| invocation(own.into()));
        (inputs, elements_of(&draw.assembler, reading.inputs.get(place).source))
    };
    let Some(tessellation) = &draw.tessellation else {
        let (inputs, vertices) = draw.patch((number, instance), run)?;
        let patches = draw.undivided_patches(geometry);
        return Some(inputs_of(Reading { inputs: &inputs, vertices: &vertices, patches: &patches }, 0));
    };
    if !tessellation.divides() {
        let (_, drawn) = draw.patch((number, instance), run)?;
        let range = number as usize..number as usize + 1;
        let reads = (Some(&geometry.reader), &draw.setup);
        let patches = tessellation.ready((&draw.assembler, &drawn), range, reads, run);
        return Some(inputs_of(patches.reading(&drawn), 0));
    }
    let [first, last] = draw.interfaces();
    let none = PatchValues::default();
    let drawn = draw.vertices(instance, first, run);
    let (mut before, mut next, count) = (0, 0, draw.assembler.assembly.simple_count());
    while next < count {
        let range = TessellationStage::part(next, count);
        next = range.end;
        let patches = tessellation.ready((&draw.assembler, &drawn), range, (None, &draw.setup), run);
        let mut place = 0;
        while place < patches.inputs.len() {
            let (vertices, made, end) =
                tessellation.divide((&patches, &drawn), place, (last, &draw.setup), run)?;
            let of_these = (number as usize).checked_sub(before)?;
            if of_these < made.count() {
                let inputs = made.inputs(of_these..of_these + 1, before);
                return Some(inputs_of(Reading { inputs: &inputs, vertices: &vertices, patches: &none }, 0));
            }
            before += made.count();
            place = end;
        }
    }
    None
}

/// The inputs of the tessellation control program for patch `number` of instance `instance`, which are the
/// same for all invocations, and the elements of the patch. Includes all components of each attribute that
/// the program names. `None` without a control program, and if there is no such patch.
pub fn patch_inputs<V: VertexShader>(
    draw: &Draw,
    vertex: &V,
    size: [u32; 2],
    (number, instance): (u32, u32),
) -> Option<(PrimitiveInputs, Vec<u32>)> {
    let Geometry::Vertices(input) = &draw.geometry else { return None };
    let (threads, never) = (Threads::for_elements(&input.elements), AtomicBool::new(false));
    let draw = UnshadedDraw::reading_all((input, vertex), &draw.state, size);
    let tessellation = draw.tessellation.as_ref()?;
    let (inputs, drawn) = draw.patch((number, instance), (&threads, &never))?;
    let none = PatchValues::default();
    let reading = Reading { inputs: &inputs, vertices: &drawn, patches: &none };
    Some((tessellation.control_inputs(reading, 0)?, elements_of(&draw.assembler, number)))
}

/// The division of a patch.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchDivision {
    /// The evaluation program's declarations.
    pub layout: TessellationLayout,
    /// The levels, from the control program or the state.
    pub levels: TessellationLevels,
    /// The vertices and primitives; `None` if the patch is discarded.
    pub divided: Option<Tessellated>,
    /// The elements of the patch's vertices.
    pub elements: Vec<u32>,
}

/// The division of patch `number` of instance `instance`, and the inputs of the evaluation program at vertex
/// `place`, if there is such a vertex. `None` without an evaluation program, and if there is no such patch.
pub fn patch_division<V: VertexShader>(
    draw: &Draw,
    vertex: &V,
    size: [u32; 2],
    (number, place, instance): (u32, u32, u32),
) -> Option<(PatchDivision, Option<PrimitiveInputs>)> {
    let Geometry::Vertices(input) = &draw.geometry else { return None };
    let (threads, never) = (Threads::for_elements(&input.elements), AtomicBool::new(false));
    let run = (&threads, &never);
    let draw = UnshadedDraw::reading_all((input, vertex), &draw.state, size);
    let tessellation = draw.tessellation.as_ref()?;
    let (_, drawn) = draw.patch((number, instance), run)?;
    let range = number as usize..number as usize + 1;
    let patches = tessellation.ready((&draw.assembler, &drawn), range, (None, &draw.setup), run);
    let (layout, levels, divided) = tessellation.division(&patches, 0)?;
    let coordinates = divided.as_ref().and_then(|divided| divided.coordinates.get(place as usize));
    let inputs = coordinates
        .and_then(|coordinates| tessellation.evaluation_inputs(patches.reading(&drawn), 0, *coordinates));
    let elements = elements_of(&draw.assembler, number);
    Some((PatchDivision { layout, levels, divided, elements }, inputs))
}

/// Calls `visit` with every primitive that the geometry program emits. Without a geometry program, calls it
/// with every primitive that patches are divided into. Primitives are from instance `instance` of `draw`, in
/// order, in a window of `size` pixels.
/// `visit` gets the invocation that emitted the primitive or computed its provoking vertex, and the clip
/// coordinates of its one to three vertices.
pub fn each_made_primitive<V: VertexShader>(
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
        let Primitives::Generated(_, made) = &stage.primitives else { return };
        for number in 0..made.count() {
            let (mut clip, slots) = ([[0.0; 4]; 3], made.slots(number));
            for (clip, slot) in clip.iter_mut().zip(slots) {
                *clip = stage.vertices.positions[*slot as usize];
            }
            let is_seen = slots.last().is_some_and(|provoking| stage.is_seen(*provoking));
            if let Some(subject) = made.invocation(number).filter(|_| is_seen) {
                visit(subject, &clip[..slots.len()]);
            }
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
    let draw = UnshadedDraw::with_stages((input, vertex), (None, None), &draw.state, &reads, size);
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
