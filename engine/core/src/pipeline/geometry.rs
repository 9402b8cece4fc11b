//! The geometry stage: runs a geometry program on primitives and assembles the emitted vertices
//! (NV_geometry_program4 2.14.6).
//!
//! Invocations and their emitted primitives are in the order of the input primitives, for any number of
//! threads. Primitives are processed in parts, to bound the number of emitted vertices.

use super::assemble::Assembler;
use super::feedback::{Feedback, StreamVertices};
use super::generated::{GeneratedPrimitive, GeneratedPrimitives, Maker};
use super::interface::StageInterface;
use super::reader::{Inputs, Reader, Reading, invocation};
use super::setup::Setup;
use super::vertices::{Room, Vertices};
use super::{Stats, Threads};
use crate::exec::{AttributeLanes, Emissions, EmittedVertices, GeometryShader, LANES, Mark, Stream};
use crate::memory::{Origin, Use};
use crate::simd::ones;
use crate::subject::Subject;
use shadestep_language::ir::{OutputPrimitive, VertexResult, limits};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum number of vertices that a part may emit, unless a single primitive may emit more.
const MOST_EMITTED: usize = 1 << 18;

/// Maximum number of primitives of a part.
const MOST_PRIMITIVES: usize = 1 << 16;

/// Invocations per task.
const TASK: usize = 16 * LANES;

/// The geometry program of a draw, and the use of its vertices.
pub(super) struct GeometryStage<'a> {
    pub shader: &'a dyn GeometryShader,
    /// The inputs that the program reads.
    pub reader: Reader,
    /// By [`VertexResult::index`], the place of each result among the results of an emitted vertex; `None` if
    /// the program does not write the result.
    places: [Option<usize>; VertexResult::COUNT],
    /// The recording of emitted vertices, if transform feedback is active.
    feedback: Option<&'a Feedback>,
}

/// An output primitive under construction.
#[derive(Clone, Copy)]
struct Strip {
    kind: OutputPrimitive,
    /// The slot of the next vertex of stream 0. `length` counts the vertices of the current primitive.
    slot: u32,
    length: u32,
}

impl Strip {
    const fn new(kind: OutputPrimitive, first: u32) -> Self {
        Self { kind, slot: first, length: 0 }
    }

    /// Processes `mark`. Returns the slots of the primitive that the mark completes, if it completes one. A
    /// point has three equal slots; a line has two equal last slots (glspec15 2.6.1).
    fn take(&mut self, mark: Mark) -> Option<[u32; 3]> {
        match mark {
            Mark::EndPrimitive => {
                self.length = 0;
                return None;
            }
            // Vertices of other streams are not drawn.
            Mark::Vertex { stream: 1.. } => return None,
            Mark::Vertex { stream: 0 } => {}
        }
        let slot = self.slot;
        self.slot += 1;
        self.length += 1;
        match (self.kind, self.length) {
            (OutputPrimitive::Points, _) => Some([slot; 3]),
            (OutputPrimitive::LineStrip, 2..) => Some([slot - 1, slot, slot]),
            (OutputPrimitive::TriangleStrip, 3..) if self.length % 2 == 1 => Some([slot - 2, slot - 1, slot]),
            (OutputPrimitive::TriangleStrip, 3..) => Some([slot - 1, slot - 2, slot]),
            (OutputPrimitive::LineStrip | OutputPrimitive::TriangleStrip, _) => None,
        }
    }
}

/// Calls `add` with the slots of each primitive that an invocation's vertices of stream 0 form. `first` is
/// the slot of the first vertex. A point has three equal slots; a line has two equal last slots.
pub fn assemble_emitted(stream: &Stream, kind: OutputPrimitive, first: u32, add: impl FnMut([u32; 3])) {
    let mut strip = Strip::new(kind, first);
    stream.marks().iter().filter_map(|mark| strip.take(*mark)).for_each(add);
}

/// The output of a block of invocations.
struct Block {
    /// The numbers of the invocations.
    invocations: Range<usize>,
    emissions: Emissions,
    /// Per lane: the number of vertices emitted to stream 0, and the number of primitives that these vertices
    /// form.
    vertices: [u32; LANES],
    primitives: [u32; LANES],
}

impl Block {
    fn new(invocations: Range<usize>, emissions: Emissions, kind: OutputPrimitive) -> Self {
        let (mut strips, mut primitives) = ([Strip::new(kind, 0); LANES], [0; LANES]);
        for (lanes, mark) in emissions.marks() {
            for lane in ones(lanes) {
                primitives[lane] += u32::from(strips[lane].take(mark).is_some());
            }
        }
        Self { invocations, emissions, vertices: strips.map(|strip| strip.slot), primitives }
    }
}

/// The start offset of each lane's items, if lane i has `counts[i]` consecutive items.
fn starts(counts: &[u32; LANES]) -> [u32; LANES] {
    let mut next = 0;
    counts.map(|count| {
        next += count;
        next - count
    })
}

fn total(counts: &[u32; LANES]) -> usize {
    counts.iter().sum::<u32>() as usize
}

impl<'a> GeometryStage<'a> {
    pub fn new(shader: &'a dyn GeometryShader) -> Self {
        Self::reading(shader, Reader::new(shader.inputs()))
    }

    /// A stage that reads all components that the program's instructions name, even if no result depends on
    /// them.
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

    /// The same stage with its vertices recorded by transform feedback.
    pub fn recorded_by(self, feedback: Option<&'a Feedback>) -> Self {
        Self { feedback, ..self }
    }

    /// A mask with a bit for each result that emitted vertices have.
    pub fn written(&self) -> u64 {
        self.shader.results().iter().fold(0, |written, result| written | 1 << result.index())
    }

    /// Invocations per primitive.
    pub fn invocations(&self) -> usize {
        self.shader.layout().invocations as usize
    }

    /// The next part of `count` primitives, starting with `first`.
    pub fn part(&self, first: usize, count: usize) -> Range<usize> {
        let most = self.shader.layout().vertices_out as usize * self.invocations();
        let primitives = (MOST_EMITTED / most.max(1)).clamp(1, MOST_PRIMITIVES);
        first..count.min(first + primitives)
    }

    /// The simple primitives of `range` whose elements are all within the arrays.
    pub fn inputs(assembler: &Assembler<'_>, range: Range<usize>) -> Inputs {
        let mut inputs = Inputs::default();
        for number in range {
            let primitive = assembler.assembly.simple(number);
            let slots = primitive.vertices().map(|position| assembler.slot(position));
            inputs.push((number as u32, primitive.id, number as u32), 0, slots);
        }
        inputs
    }

    /// Runs the program on the primitives of `reading`. `interface` and `setup` determine how emitted
    /// vertices are stored. Stops early when `cancel` becomes true.
    pub fn emit(
        &self,
        reading: Reading<'_>,
        (interface, setup): (&StageInterface, &Setup),
        threads: &Threads,
        cancel: &AtomicBool,
    ) -> (Vertices, GeneratedPrimitives) {
        let kind = self.shader.layout().output;
        let count = reading.inputs.len() * self.invocations();
        let (blocks, streams) = self.run((reading, count), kind, threads, cancel);
        let counts = blocks.iter().map(|block| (total(&block.vertices), total(&block.primitives)));
        let counts: Vec<(usize, usize)> = counts.collect();
        let emitted = counts.iter().map(|(vertices, _)| vertices).sum();
        let room = (emitted, reading.vertices.keeping());
        let mut vertices = Vertices::with_room(room, interface.columns(), threads);
        let mut primitives = threads.vector(counts.iter().map(|(_, primitives)| primitives).sum());
        let rooms = vertices.rooms(counts.iter().map(|(vertices, _)| *vertices));
        let (mut rest, mut first) = (&mut primitives[..], 0);
        let places = counts.iter().map(|&(vertices, primitives)| {
            first += vertices as u32;
            (first - vertices as u32, rest.split_off_mut(..primitives).unwrap_or_default())
        });
        let mut tasks = blocks.into_iter().zip(rooms).zip(places);
        let groups = (0..count.div_ceil(TASK)).map(|_| tasks.by_ref().take(TASK / LANES).collect::<Vec<_>>());
        threads.each(groups.collect(), |group| {
            for ((block, mut room), (first, primitives)) in group {
                let placing = (reading.inputs, kind, first);
                self.place(&block, placing, (interface, setup), &mut room, primitives);
            }
        });
        let done = Stats { invocations: count as u64, emitted: emitted as u64, ..Stats::default() };
        (
            vertices,
            GeneratedPrimitives { kind, by: Maker::Geometry, primitives, vertices: emitted, streams, done },
        )
    }

    /// Runs `count` invocations, and returns their output block by block, with the recorded vertices of
    /// streams that are not drawn.
    fn run(
        &self,
        (reading, count): (Reading<'_>, usize),
        kind: OutputPrimitive,
        threads: &Threads,
        cancel: &AtomicBool,
    ) -> (Vec<Block>, StreamVertices) {
        let (inputs, invocations) = (reading.inputs, self.invocations());
        let alone = Threads::new(Some(1));
        let threads = if self.shader.is_serialised() { &alone } else { threads };
        let tasks = (0..count).step_by(TASK).map(|start| start..count.min(start + TASK));
        let parts = threads.map(tasks.collect(), |task| {
            let (mut blocks, mut streams) = (Vec::new(), StreamVertices::default());
            let mut worker = self.shader.worker();
            let mut lanes = AttributeLanes::with_room(self.reader.count());
            for start in task.clone().step_by(LANES) {
                if cancel.load(Ordering::Relaxed) {
                    break;
                }
                let block = start..task.end.min(start + LANES);
                self.fill(&mut lanes, reading, block.clone());
                if self.shader.memory_use() != Use::None {
                    let origin = Origin { instance: reading.vertices.instance, ..Origin::default() };
                    lanes.set_invocations(block.clone().map(|number| {
                        let invocation = (number % invocations) as u8;
                        let number = inputs.get(number / invocations).number;
                        (Subject::Primitive { number, invocation }, origin)
                    }));
                }
                reading.hand_on(&mut lanes, block.clone().map(|number| number / invocations));
                worker.run(&lanes, u64::MAX >> (LANES - block.len()));
                let block = Block::new(block, worker.take_emissions(), kind);
                self.record(&block, inputs, &mut streams);
                blocks.push(block);
            }
            (blocks, streams)
        });
        let (mut blocks, mut streams) =
            (Vec::with_capacity(count.div_ceil(LANES)), StreamVertices::default());
        for (of_task, of_streams) in parts {
            blocks.extend(of_task);
            streams.append(of_streams);
        }
        (blocks, streams)
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

    /// The values of a result's component in `emitted`; `None` if the program does not write it.
    fn row<'e>(
        &self,
        emitted: &EmittedVertices<'e>,
        (result, component): (VertexResult, usize),
    ) -> Option<&'e [f32]> {
        self.places[result.index()].map(|place| emitted.row(place, component))
    }

    /// Stores the vertices and primitives of a block. The first vertex goes to slot `first`. The items of
    /// each lane are consecutive.
    fn place(
        &self,
        block: &Block,
        (inputs, kind, first): (&Inputs, OutputPrimitive, u32),
        kept: (&StageInterface, &Setup),
        room: &mut Room<'_>,
        primitives: &mut [GeneratedPrimitive],
    ) {
        let mut next = starts(&block.vertices);
        let mut strips = next.map(|slot| Strip::new(kind, first + slot));
        for emitted in block.emissions.vertices().filter(|emitted| emitted.stream == 0) {
            let (mut places, mut count) = ([0; LANES], 0);
            for lane in ones(emitted.lanes) {
                places[count] = next[lane] as usize;
                next[lane] += 1;
                count += 1;
            }
            let row = |result, component| self.row(&emitted, (result, component));
            room.fill(kept, row, places[..count].iter().copied());
            room.hand_on(places[..count].iter().copied(), emitted.before());
        }
        let mut next = starts(&block.primitives);
        let invocations = self.invocations();
        for (lanes, mark) in block.emissions.marks() {
            for lane in ones(lanes) {
                let Some(slots) = strips[lane].take(mark) else { continue };
                let number = block.invocations.start + lane;
                let (input, invocation) = (inputs.get(number / invocations), (number % invocations) as u8);
                primitives[next[lane] as usize] = GeneratedPrimitive::of(&input, invocation, slots);
                next[lane] += 1;
            }
        }
    }

    /// Records the vertices that a block emitted to streams that are not drawn.
    fn record(&self, block: &Block, inputs: &Inputs, streams: &mut StreamVertices) {
        if block.emissions.vertices().all(|emitted| emitted.stream == 0) {
            return;
        }
        let (none, invocations) = (Feedback::default(), self.invocations());
        for (lane, number) in block.invocations.clone().enumerate() {
            let (input, invocation) = (inputs.get(number / invocations), (number % invocations) as u8);
            let by = Subject::Primitive { number: input.number, invocation };
            let bit = 1 << lane;
            for stream in 1..limits::VERTEX_STREAMS {
                let of_lane =
                    |emitted: &EmittedVertices<'_>| emitted.stream == stream && emitted.lanes & bit != 0;
                for emitted in block.emissions.vertices().filter(of_lane) {
                    let place = (emitted.lanes & (bit - 1)).count_ones() as usize;
                    let value =
                        |result, component| self.row(&emitted, (result, component))?.get(place).copied();
                    streams.push(self.feedback.unwrap_or(&none), (stream, by), value);
                }
            }
        }
    }
}
