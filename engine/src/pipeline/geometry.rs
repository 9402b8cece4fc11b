//! The geometry stage: runs a geometry program on primitives and assembles what it emits (NV_geometry_program4 2.14.6).
//!
//! Invocations are in the order of their primitives and what they emit is, too, on any number of threads. Primitives are
//! taken in parts, of which each emits a bounded number of vertices.

use super::assemble::Assembler;
use super::feedback::{Feedback, StreamVertices};
use super::interface::StageInterface;
use super::made::{Made, MadePrimitive, Maker};
use super::reader::{Input, Inputs, Reader, Reading, invocation};
use super::setup::Setup;
use super::vertices::Vertices;
use super::{Stats, Threads};
use crate::debug::Subject;
use crate::exec::{AttributeLanes, GeometryShader, GeometryWorker, LANES, Mark, Stream};
use crate::ir::{OutputPrimitive, VertexResult, limits};
use crate::memory::Use;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Vertices that the invocations of a part may emit, unless those of one primitive may emit more.
const MOST_EMITTED: usize = 1 << 18;

/// Primitives of a part at most.
const MOST_PRIMITIVES: usize = 1 << 16;

/// Invocations of one task.
const TASK: usize = 16 * LANES;

/// The geometry program of a draw, and what its vertices become.
pub(super) struct GeometryStage<'a> {
    pub shader: &'a dyn GeometryShader,
    /// What it reads.
    pub reader: Reader,
    /// Where each result is among those of an emitted vertex, if it is, by [`VertexResult::index`].
    places: [Option<usize>; VertexResult::COUNT],
    /// What is recorded of vertices.
    feedback: Option<&'a Feedback>,
}

/// Calls `add` with the primitives that an invocation's vertices of stream 0 make: the slots of their vertices, of which the
/// first is `first`. Of a point all three are the same, of a line the last two (glspec15 2.6.1).
pub fn assemble_emitted(stream: &Stream, kind: OutputPrimitive, first: u32, mut add: impl FnMut([u32; 3])) {
    let (mut slot, mut length) = (first, 0);
    for mark in stream.marks() {
        let Mark::Vertex { stream } = mark else {
            length = 0;
            continue;
        };
        // The others are not drawn.
        if *stream != 0 {
            continue;
        }
        length += 1;
        match kind {
            OutputPrimitive::Points => add([slot; 3]),
            OutputPrimitive::LineStrip if length >= 2 => add([slot - 1, slot, slot]),
            OutputPrimitive::TriangleStrip if length >= 3 && length % 2 == 1 => {
                add([slot - 2, slot - 1, slot])
            }
            OutputPrimitive::TriangleStrip if length >= 3 => add([slot - 1, slot - 2, slot]),
            OutputPrimitive::LineStrip | OutputPrimitive::TriangleStrip => {}
        }
        slot += 1;
    }
}

/// What one task emitted.
#[derive(Default)]
struct Part {
    vertices: Vertices,
    primitives: Vec<MadePrimitive>,
    streams: StreamVertices,
}

impl<'a> GeometryStage<'a> {
    pub fn new(shader: &'a dyn GeometryShader) -> Self {
        Self::reading(shader, Reader::new(shader.inputs()))
    }

    /// One that reads all components of what its instructions name, also those that no result depends on.
    pub fn reading_all(shader: &'a dyn GeometryShader) -> Self {
        Self::reading(shader, Reader::of_all(shader.inputs()))
    }

    fn reading(shader: &'a dyn GeometryShader, reader: Reader) -> Self {
        let mut places = [None; VertexResult::COUNT];
        for (place, result) in shader.results().iter().enumerate() {
            places[result.index()] = Some(place);
        }
        Self { shader, reader, places, feedback: None }
    }

    /// The same whose vertices transform feedback records.
    pub fn recorded_by(self, feedback: Option<&'a Feedback>) -> Self {
        Self { feedback, ..self }
    }

    /// A bit for each result that emitted vertices have.
    pub fn written(&self) -> u64 {
        self.shader.results().iter().fold(0, |written, result| written | 1 << result.index())
    }

    /// How often it runs for each primitive.
    pub fn invocations(&self) -> usize {
        self.shader.layout().invocations as usize
    }

    /// The part of the primitives from `first` on that is emitted together, of `count`.
    pub fn part(&self, first: usize, count: usize) -> Range<usize> {
        let most = self.shader.layout().vertices_out as usize * self.invocations();
        let primitives = (MOST_EMITTED / most.max(1)).clamp(1, MOST_PRIMITIVES);
        first..count.min(first + primitives)
    }

    /// The simple primitives of `range` that the arrays have all elements of.
    pub fn inputs(assembler: &Assembler<'_>, range: Range<usize>) -> Inputs {
        let mut inputs = Inputs::default();
        for number in range {
            let primitive = assembler.assembly.simple(number);
            let slots = primitive.vertices().map(|position| assembler.slot(position));
            inputs.push((number as u32, primitive.id, number as u32), 0, slots);
        }
        inputs
    }

    /// Runs the program on the primitives of `reading`. `interface` and `setup` say what becomes of emitted vertices. Where
    /// `cancel` becomes true, the rest is left out.
    pub fn emit(
        &self,
        reading: Reading<'_>,
        (interface, setup): (&StageInterface, &Setup),
        threads: &Threads,
        cancel: &AtomicBool,
    ) -> (Vertices, Made) {
        let (inputs, invocations) = (reading.inputs, self.invocations());
        let count = inputs.len() * invocations;
        let alone = Threads::new(Some(1));
        let threads = if self.shader.takes_turns() { &alone } else { threads };
        let tasks = (0..count).step_by(TASK).map(|start| start..count.min(start + TASK));
        let parts = threads.map(tasks.collect(), |task| {
            let mut part = Part { vertices: Vertices::with_columns(interface.columns()), ..Part::default() };
            let mut worker = self.shader.worker();
            let mut lanes = AttributeLanes::with_room(self.reader.count());
            for start in task.clone().step_by(LANES) {
                if cancel.load(Ordering::Relaxed) {
                    break;
                }
                let block = start..task.end.min(start + LANES);
                self.fill(&mut lanes, reading, block.clone());
                if self.shader.memory_use() != Use::None {
                    lanes.set_subjects(block.clone().map(|number| Subject::Primitive {
                        number: inputs.get(number / invocations).number,
                        invocation: (number % invocations) as u8,
                    }));
                }
                let active = u64::MAX >> (LANES - block.len());
                worker.run(&lanes, active);
                for (lane, number) in block.enumerate() {
                    let origin = (inputs.get(number / invocations), (number % invocations) as u8);
                    self.take(&*worker, lane, origin, (interface, setup), &mut part);
                }
            }
            part
        });
        let mut vertices = Vertices::with_columns(interface.columns());
        let (mut primitives, mut streams) = (Vec::new(), StreamVertices::default());
        for part in parts {
            streams.append(part.streams);
            let first = vertices.len() as u32;
            let moved = |primitive: MadePrimitive| MadePrimitive {
                slots: primitive.slots.map(|slot| slot + first),
                ..primitive
            };
            primitives.extend(part.primitives.into_iter().map(moved));
            vertices.append(part.vertices);
        }
        let emitted = vertices.len();
        let done = Stats { invocations: count as u64, emitted: emitted as u64, ..Stats::default() };
        let (kind, by) = (self.shader.layout().output, Maker::Geometry);
        (vertices, Made { kind, by, primitives, vertices: emitted, streams, done })
    }

    /// Fills the lanes of the invocations in `block`.
    fn fill(&self, lanes: &mut AttributeLanes, reading: Reading<'_>, block: Range<usize>) {
        let (start, invocations) = (block.start, self.invocations());
        let mut number = start;
        while number < block.end {
            let (place, first) = (number / invocations, number % invocations);
            let end = block.end.min((place + 1) * invocations);
            let own = |_, lane: usize| invocation((first + lane) as u32);
            self.reader.fill(lanes, reading, (number - start..end - start, place), own);
            number = end;
        }
    }

    /// Adds what a lane emitted to `part`.
    fn take(
        &self,
        worker: &dyn GeometryWorker,
        lane: usize,
        (input, invocation): (Input, u8),
        (interface, setup): (&StageInterface, &Setup),
        part: &mut Part,
    ) {
        let stream = worker.emitted(lane);
        let first = part.vertices.len() as u32;
        let kind = self.shader.layout().output;
        assemble_emitted(stream, kind, first, |slots| {
            part.primitives.push(MadePrimitive::of(&input, invocation, slots));
        });
        let value_of = |number: usize| {
            let values = stream.results(number);
            move |result: VertexResult, component: usize| {
                let place = self.places[result.index()]?;
                values.get(place).map(|value| f32::from_bits(value[component] as u32))
            }
        };
        for number in stream.vertices_of(0) {
            part.vertices.push(value_of(number), interface, setup);
        }
        if part.vertices.len() - first as usize == stream.len() {
            return;
        }
        let (none, by) = (Feedback::default(), Subject::Primitive { number: input.number, invocation });
        for number in 1..limits::VERTEX_STREAMS {
            for vertex in stream.vertices_of(number) {
                part.streams.push(self.feedback.unwrap_or(&none), (number, by), value_of(vertex));
            }
        }
    }
}
