//! The geometry stage: runs a geometry program on the primitives of a draw and assembles what it emits
//! (NV_geometry_program4 2.14.6).
//!
//! Invocations are in the order of their primitives and what they emit is, too, on any number of threads. Primitives are
//! taken in parts, of which each emits a bounded number of vertices.

use super::assemble::{AssembledPrimitive, Assembler, FanTriangle, SimplePrimitive};
use super::clip::PolygonEdge;
use super::interface::StageInterface;
use super::setup::Setup;
use super::vertices::Vertices;
use super::{Stats, Threads};
use crate::debug::Subject;
use crate::exec::{AttributeLanes, GeometryShader, GeometryWorker, LANES, Mark, PrimitiveInputs, Stream};
use crate::ir::{Attribute, OutputPrimitive, VertexResult, single_bits};
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
    /// What is kept of the vertices that it reads.
    pub reads: StageInterface,
    /// The attributes that it reads, with the column of each component.
    inputs: Vec<(Attribute, [Option<u16>; 4])>,
    /// Where each result is among those of an emitted vertex, if it is, by [`VertexResult::index`].
    places: [Option<usize>; VertexResult::COUNT],
}

/// A primitive that was emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct EmittedPrimitive {
    /// Of a point all three are the same, of a line the last two.
    slots: [u32; 3],
    /// The simple primitive that it was emitted for.
    origin: u32,
    /// The number of the invocation.
    invocation: u8,
}

/// What the invocations of a part emitted: the primitives of one kind.
#[derive(Clone, Debug)]
pub(super) struct Emitted {
    kind: OutputPrimitive,
    primitives: Vec<EmittedPrimitive>,
    done: Stats,
}

impl Emitted {
    /// Invocations, the vertices that are drawn, and primitives that were left out.
    pub const fn done(&self) -> Stats {
        self.done
    }

    /// How many primitives there are.
    pub fn count(&self) -> usize {
        self.primitives.len()
    }

    /// How many vertices there are.
    pub const fn vertices(&self) -> usize {
        self.done.emitted as usize
    }

    /// Primitive `number`, which there must be.
    pub fn primitive(&self, number: usize) -> AssembledPrimitive {
        let slots = self.primitives[number].slots;
        let [a, b, _] = slots;
        match self.kind {
            OutputPrimitive::Points => AssembledPrimitive::Point(a),
            OutputPrimitive::LineStrip => AssembledPrimitive::Line([a, b]),
            OutputPrimitive::TriangleStrip => {
                // Strips have no edge flags.
                let edges = [PolygonEdge::Boundary; 3];
                AssembledPrimitive::Triangle([FanTriangle { slots, provoking: 2, edges }])
            }
        }
    }

    /// The slots of its vertices.
    pub fn slots(&self, number: usize) -> &[u32] {
        &self.primitives[number].slots[..self.kind.vertices()]
    }

    /// The simple primitive that primitive `number` was emitted for.
    pub fn origin(&self, number: usize) -> usize {
        self.primitives[number].origin as usize
    }

    /// The invocation that emitted primitive `number`.
    pub fn invocation(&self, number: usize) -> Subject {
        let EmittedPrimitive { origin, invocation, .. } = self.primitives[number];
        Subject::Primitive { number: origin, invocation }
    }
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

/// A primitive with the slots of its vertices.
struct Input {
    primitive: SimplePrimitive,
    number: u32,
    slots: [u32; 6],
}

/// What one task emitted.
#[derive(Default)]
struct Part {
    vertices: Vertices,
    primitives: Vec<EmittedPrimitive>,
}

impl<'a> GeometryStage<'a> {
    pub fn new(shader: &'a dyn GeometryShader) -> Self {
        Self::reading(shader, shader.inputs().iter().copied())
    }

    /// One that reads all components of what its instructions name, also those that no result depends on.
    pub fn reading_all(shader: &'a dyn GeometryShader) -> Self {
        Self::reading(shader, shader.inputs().iter().map(|&(attribute, _)| (attribute, 0b1111)))
    }

    fn reading(shader: &'a dyn GeometryShader, inputs: impl Iterator<Item = (Attribute, u8)>) -> Self {
        let mut reads = StageInterface::default();
        let inputs = inputs.map(|(attribute, used)| {
            let column = |component: usize| match attribute {
                Attribute::OfVertex { result, .. } if used >> component & 1 != 0 => {
                    Some(reads.bits(result, component))
                }
                _ => None,
            };
            (attribute, [0, 1, 2, 3].map(column))
        });
        let inputs = inputs.collect();
        let mut places = [None; VertexResult::COUNT];
        for (place, result) in shader.results().iter().enumerate() {
            places[result.index()] = Some(place);
        }
        Self { shader, reads, inputs, places }
    }

    /// A bit for each result that emitted vertices have.
    pub fn written(&self) -> u64 {
        self.shader.results().iter().fold(0, |written, result| written | 1 << result.index())
    }

    /// The part of the simple primitives from `first` on that is emitted together, of `count`.
    pub fn part(&self, first: usize, count: usize) -> Range<usize> {
        let layout = self.shader.layout();
        let most = layout.vertices_out as usize * layout.invocations as usize;
        let primitives = (MOST_EMITTED / most.max(1)).clamp(1, MOST_PRIMITIVES);
        first..count.min(first + primitives)
    }

    /// Runs the program on the simple primitives of `range`. `vertices` are those of the stage before, `interface` and `setup`
    /// say what becomes of emitted ones. Where `cancel` becomes true, the rest is left out.
    pub fn emit(
        &self,
        (assembler, vertices): (&Assembler<'_>, &Vertices),
        range: Range<usize>,
        (interface, setup): (&StageInterface, &Setup),
        threads: &Threads,
        cancel: &AtomicBool,
    ) -> (Vertices, Emitted) {
        let all = range.len();
        let inputs: Vec<Input> = range.filter_map(|number| Self::input(assembler, number)).collect();
        let done = Stats { primitives_out_of_range: (all - inputs.len()) as u64, ..Stats::default() };
        let invocations = self.shader.layout().invocations as usize;
        let count = inputs.len() * invocations;
        let alone = Threads::new(Some(1));
        let threads = if self.shader.takes_turns() { &alone } else { threads };
        let tasks = (0..count).step_by(TASK).map(|start| start..count.min(start + TASK));
        let parts = threads.map(tasks.collect(), |task| {
            let mut part = Part { vertices: Vertices::with_columns(interface.columns()), ..Part::default() };
            let mut worker = self.shader.worker();
            let mut lanes = AttributeLanes::with_room(self.shader.inputs().len());
            for start in task.clone().step_by(LANES) {
                if cancel.load(Ordering::Relaxed) {
                    break;
                }
                let block = start..task.end.min(start + LANES);
                self.fill(&mut lanes, &inputs, block.clone(), vertices);
                if self.shader.memory_use() != Use::None {
                    lanes.set_subjects(block.clone().map(|invocation| Subject::Primitive {
                        number: inputs[invocation / invocations].number,
                        invocation: (invocation % invocations) as u8,
                    }));
                }
                let active = u64::MAX >> (LANES - block.len());
                worker.run(&lanes, active);
                for (lane, invocation) in block.enumerate() {
                    let origin = (inputs[invocation / invocations].number, (invocation % invocations) as u8);
                    self.take(&*worker, lane, origin, (interface, setup), &mut part);
                }
            }
            part
        });
        let kind = self.shader.layout().output;
        let mut vertices = Vertices::with_columns(interface.columns());
        let mut primitives = Vec::new();
        for part in parts {
            let first = vertices.len() as u32;
            let moved = |primitive: EmittedPrimitive| EmittedPrimitive {
                slots: primitive.slots.map(|slot| slot + first),
                ..primitive
            };
            primitives.extend(part.primitives.into_iter().map(moved));
            vertices.append(part.vertices);
        }
        let done = Stats { invocations: count as u64, emitted: vertices.len() as u64, ..done };
        let emitted = Emitted { kind, primitives, done };
        (vertices, emitted)
    }

    /// Simple primitive `number`; nothing if the arrays do not have one of its elements.
    fn input(assembler: &Assembler<'_>, number: usize) -> Option<Input> {
        let primitive = assembler.assembly.simple(number);
        let mut slots = [0; 6];
        for (slot, position) in slots.iter_mut().zip(primitive.vertices()) {
            *slot = assembler.slot(*position)?;
        }
        Some(Input { primitive, number: number as u32, slots })
    }

    /// Fills the lanes of the invocations in `block`.
    fn fill(&self, lanes: &mut AttributeLanes, inputs: &[Input], block: Range<usize>, vertices: &Vertices) {
        let invocations = self.shader.layout().invocations as usize;
        for (registers, read) in lanes.all_mut().chunks_exact_mut(4).zip(&self.inputs) {
            for (lane, invocation) in block.clone().enumerate() {
                let input = &inputs[invocation / invocations];
                let values = Self::read(read, input, (invocation % invocations) as u32, vertices);
                for (register, value) in registers.iter_mut().zip(values) {
                    register.0[lane] = value;
                }
            }
        }
    }

    /// What an invocation for `input` reads of an attribute, some components of which have columns.
    #[inline(always)]
    fn read(
        (attribute, columns): &(Attribute, [Option<u16>; 4]),
        input: &Input,
        invocation: u32,
        vertices: &Vertices,
    ) -> [f32; 4] {
        let number = match attribute {
            Attribute::OfVertex { vertex, .. } => {
                let Some(slot) = input.slots.get(usize::from(*vertex)) else { return [0.0; 4] };
                let data = vertices.data(*slot);
                return columns.map(|column| column.map_or(0.0, |column| data[usize::from(column)]));
            }
            Attribute::PrimitiveId => input.primitive.id,
            Attribute::Invocation => invocation,
            Attribute::VertexCount => input.primitive.vertices().len() as u32,
            // No geometry program reads anything else.
            _ => 0,
        };
        [f32::from_bits(number), 0.0, 0.0, 0.0]
    }

    /// What invocation `invocation` for the simple primitive `number` reads, and the elements of its vertices. Nothing if there is
    /// no such primitive, or if the arrays do not have one of its elements.
    pub fn inputs_of(
        &self,
        (assembler, vertices): (&Assembler<'_>, &Vertices),
        (number, invocation): (u32, u8),
    ) -> Option<(PrimitiveInputs, Vec<u32>)> {
        let layout = self.shader.layout();
        let exists = (number as usize) < assembler.assembly.simple_count()
            && u32::from(invocation) < layout.invocations;
        let input = exists.then(|| Self::input(assembler, number as usize))??;
        let value = |read: &(Attribute, [Option<u16>; 4])| {
            (read.0, single_bits(Self::read(read, &input, invocation.into(), vertices)))
        };
        let slots = &input.slots[..input.primitive.vertices().len()];
        Some((PrimitiveInputs(self.inputs.iter().map(value).collect()), assembler.elements(slots)))
    }

    /// Adds what a lane emitted to `part`.
    fn take(
        &self,
        worker: &dyn GeometryWorker,
        lane: usize,
        (origin, invocation): (u32, u8),
        (interface, setup): (&StageInterface, &Setup),
        part: &mut Part,
    ) {
        let stream = worker.emitted(lane);
        let first = part.vertices.len() as u32;
        let kind = self.shader.layout().output;
        assemble_emitted(stream, kind, first, |slots| {
            part.primitives.push(EmittedPrimitive { slots, origin, invocation });
        });
        for number in stream.vertices_of(0) {
            let values = stream.results(number);
            let value = |result: VertexResult, component: usize| {
                let place = self.places[result.index()]?;
                values.get(place).map(|value| f32::from_bits(value[component] as u32))
            };
            part.vertices.push(value, interface, setup);
        }
    }
}
