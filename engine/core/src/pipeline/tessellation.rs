//! The tessellation stages: run the control program on patches, divide the patches, and run the evaluation
//! program on the resulting vertices (NV_tessellation_program5, ARB_tessellation_shader 2.X).
//!
//! Patches are processed in order, in parts with a bounded number of vertices. The result for a patch depends
//! only on the patch.

use super::assemble::Assembler;
use super::feedback::StreamVertices;
use super::generated::{GeneratedPrimitive, GeneratedPrimitives, Maker};
use super::geometry::GeometryStage;
use super::interface::StageInterface;
use super::reader::{Inputs, PatchValues, Reader, Reading, invocation};
use super::setup::Setup;
use super::tessellator::{Tessellated, TessellatedPrimitive, TessellationLevels, tessellate};
use super::vertices::Vertices;
use super::{Patches, Stats, Threads};
use crate::exec::{
    Apart, AttributeLanes, Conflict, ControlShader, ControlWorker, EvaluationShader, EvaluationWorker,
    Hazard, LANES, PrimitiveInputs, VertexShader,
};
use crate::memory::{Origin, Use};
use crate::subject::Subject;
use shadestep_language::ir::{
    Attribute, OutputPrimitive, OutputRole, PatchResult, TessellationLayout, VertexResult,
};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Maximum number of patches that the control program runs for before any patch is divided.
const MOST_PATCHES: usize = 1 << 12;

/// Number of vertices at which division stops until these vertices are drawn.
const MOST_VERTICES: usize = 1 << 18;

/// Patches per task of division, and per batch of tasks.
const TASK_PATCHES: usize = 16;
const TURN_PATCHES: usize = 16 * TASK_PATCHES;

/// Maximum number of patches of a draw that are traced for conflicts. Tracing takes about a hundred times as
/// long.
const MOST_TRACED: usize = 1 << 8;

/// Blocks per task of the control program.
const TASK_BLOCKS: usize = 16;

/// The threads, and the flag that cancels work.
type Run<'a> = (&'a Threads, &'a AtomicBool);

/// The tessellation programs of a draw.
pub(super) struct TessellationStage<'a> {
    control: Option<Control<'a>>,
    evaluation: Option<Evaluation<'a>>,
    /// The default levels, for patches without a control program.
    levels: TessellationLevels,
}

struct Control<'a> {
    shader: &'a dyn ControlShader,
    reader: Reader,
    /// By [`VertexResult::index`], the place of each result of a vertex among the program's results; `None`
    /// if it is not written.
    of_vertices: [Option<usize>; VertexResult::COUNT],
    /// By [`PatchResult::index`], the place of each result of a patch; `None` if it is not written.
    of_patches: [Option<usize>; PatchResult::COUNT],
    /// Whether the caller asks for conflicts.
    finds_conflicts: bool,
    /// Number of patches of the draw that may still be traced. 0 for programs that cannot have the conflicts
    /// that tracing finds.
    traced_left: AtomicUsize,
}

struct Evaluation<'a> {
    shader: &'a dyn EvaluationShader,
    layout: TessellationLayout,
    reader: Reader,
}

/// A conflict: two invocations of a patch came to a [`Hazard`], so the outcome is undefined. Here an
/// instruction reads before it writes, the last invocation wins, and the side before the ELSE runs first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchConflict {
    pub hazard: Hazard,
    /// The reason why the two accesses have no order.
    pub apart: Apart,
    /// Indices of the two instructions.
    pub at: [usize; 2],
    /// The first patch with the conflict.
    pub patch: u32,
    /// The two invocations.
    pub invocations: [u8; 2],
    /// Number of pairs of invocations with the conflict, over all inspected patches.
    pub count: u64,
}

/// Merges conflicts of later patches, so that each cause occurs once.
pub(super) fn add_conflicts(all: &mut Vec<PatchConflict>, more: Vec<PatchConflict>) {
    let cause = |conflict: &PatchConflict| (conflict.hazard, conflict.apart, conflict.at);
    for conflict in more {
        match all.iter_mut().find(|other| cause(other) == cause(&conflict)) {
            Some(other) => other.count += conflict.count,
            None => all.push(conflict),
        }
    }
}

/// Patches that are ready to be divided, or to be read by a geometry program.
pub(super) struct ReadyPatches {
    pub inputs: Inputs,
    /// The control program's vertices; `None` if the patches use the draw's vertices.
    vertices: Option<Vertices>,
    values: PatchValues,
    levels: Vec<TessellationLevels>,
    pub done: Stats,
    pub conflicts: Vec<PatchConflict>,
}

impl ReadyPatches {
    /// The inputs of the next stage. `drawn` are the draw's vertices.
    pub fn reading<'a>(&'a self, drawn: &'a Vertices) -> Reading<'a> {
        let vertices = self.vertices.as_ref().unwrap_or(drawn);
        Reading { inputs: &self.inputs, vertices, patches: &self.values }
    }
}

/// The results of one task of the control program.
#[derive(Default)]
struct ControlPart {
    values: PatchValues,
    levels: Vec<TessellationLevels>,
    conflicts: Vec<PatchConflict>,
}

impl<'a> Control<'a> {
    fn new(shader: &'a dyn ControlShader, reader: Reader) -> Self {
        let (mut of_vertices, mut of_patches) = ([None; VertexResult::COUNT], [None; PatchResult::COUNT]);
        for (place, role) in shader.results().iter().enumerate() {
            match role {
                OutputRole::Vertex(result) => of_vertices[result.index()] = Some(place),
                OutputRole::Patch(result) => of_patches[result.index()] = Some(place),
                _ => {}
            }
        }
        let traced_left = AtomicUsize::new(0);
        Self { shader, reader, of_vertices, of_patches, finds_conflicts: false, traced_left }
    }

    /// Runs the program on patches. `next` determines which results are stored.
    fn run(
        &self,
        reading: Reading<'_>,
        (next, setup): (&Reader, &Setup),
        (threads, cancel): Run<'_>,
    ) -> (Vertices, ControlPart) {
        let group = self.shader.patch_vertices().clamp(1, LANES);
        let at_once = LANES / group;
        let count = reading.inputs.len();
        // Parts of a draw are processed one after the other.
        let left = self.traced_left.load(Ordering::Relaxed);
        let traced = left.min(count);
        self.traced_left.store(left - traced, Ordering::Relaxed);
        let task = TASK_BLOCKS * at_once;
        let tasks = (0..count).step_by(task).map(|start| start..count.min(start + task));
        let alone = Threads::new(Some(1));
        let threads = if self.shader.is_serialised() { &alone } else { threads };
        let room = (count * group, reading.vertices.keeping());
        let mut vertices = Vertices::with_room(room, next.vertices.columns(), threads);
        let rooms = vertices.rooms(tasks.clone().map(|task| task.len() * group));
        let parts = threads.map(tasks.zip(rooms).collect(), |(task, mut room)| {
            let mut part = ControlPart::default();
            let mut worker = self.shader.worker();
            let mut lanes = AttributeLanes::with_room(self.reader.count());
            for first in task.clone().step_by(at_once) {
                let block = first..task.end.min(first + at_once);
                if !cancel.load(Ordering::Relaxed) {
                    for (place, patch) in block.clone().enumerate() {
                        let run = place * group..(place + 1) * group;
                        let own = |_, lane| invocation(lane as u32);
                        self.reader.fill(&mut lanes, reading, (run, patch), own);
                    }
                    if self.shader.memory_use() != Use::None {
                        let origin = Origin { instance: reading.vertices.instance, ..Origin::default() };
                        lanes.set_invocations(block.clone().flat_map(|patch| {
                            let number = reading.inputs.get(patch).number;
                            let subject = move |invocation| Subject::Patch { number, invocation };
                            (0..group as u8).map(move |invocation| (subject(invocation), origin))
                        }));
                    }
                    let patches = block.clone().flat_map(|patch| std::iter::repeat_n(patch, group));
                    reading.hand_on(&mut lanes, patches);
                    let active = u64::MAX >> (LANES - block.len() * group);
                    worker.run(&lanes, active, self.finds_conflicts);
                    self.take_conflicts(&mut *worker, reading, (block.clone(), traced), cancel, &mut part);
                }
                let lanes = block.len() * group;
                let row = |result: VertexResult, component: usize| {
                    let register = worker.result(self.of_vertices[result.index()]?).get(component)?;
                    Some(&register.0[..lanes])
                };
                let start = (first - task.start) * group;
                room.fill((&next.vertices, setup), row, start..start + lanes);
                room.hand_on(start..start + lanes, worker.before());
                for place in 0..block.len() {
                    self.take(&*worker, place * group, next, &mut part);
                }
            }
            part
        });
        let columns = next.patches.len();
        let mut all =
            ControlPart { values: PatchValues { columns, data: Vec::new() }, ..ControlPart::default() };
        for part in parts {
            all.values.append(part.values);
            all.levels.extend(part.levels);
            add_conflicts(&mut all.conflicts, part.conflicts);
        }
        (vertices, all)
    }

    /// Adds the conflicts of the patches of `block`, which has just run. The first `traced` patches of all
    /// are traced too.
    fn take_conflicts(
        &self,
        worker: &mut dyn ControlWorker,
        reading: Reading<'_>,
        (block, traced): (Range<usize>, usize),
        cancel: &AtomicBool,
        part: &mut ControlPart,
    ) {
        let group = self.shader.patch_vertices().clamp(1, LANES);
        let conflict = |place: usize, Conflict { hazard, apart, at, lanes, count }: Conflict| PatchConflict {
            hazard,
            apart,
            at,
            patch: reading.inputs.get(place + usize::from(lanes[0]) / group).number,
            invocations: lanes.map(|lane| (usize::from(lane) % group) as u8),
            count,
        };
        let of_block = worker.take_conflicts().into_iter().map(|found| conflict(block.start, found));
        add_conflicts(&mut part.conflicts, of_block.collect());
        for place in block.take_while(|place| *place < traced) {
            let inputs = self.reader.inputs_of(reading, place, |_| [0.0; 3]);
            let found =
                self.shader.conflicts(&inputs, cancel).into_iter().map(|found| conflict(place, found));
            add_conflicts(&mut part.conflicts, found.collect());
        }
    }

    /// Adds the results of a patch. `lane` is the lane of the patch's first invocation.
    fn take(&self, worker: &dyn ControlWorker, lane: usize, next: &Reader, part: &mut ControlPart) {
        let value = |of: PatchResult, component: usize| {
            let register = self.of_patches[of.index()].and_then(|place| worker.result(place).get(component));
            register.map_or(OutputRole::Patch(of).initial()[component], |register| register.0[lane])
        };
        part.values.data.extend(next.patches.iter().map(|&(result, component)| value(result, component)));
        let outer = [0, 1, 2, 3].map(|number| value(PatchResult::Outer(number), 0));
        let inner = [0, 1].map(|number| value(PatchResult::Inner(number), 0));
        part.levels.push(TessellationLevels { outer, inner });
    }
}

impl<'a> TessellationStage<'a> {
    /// The tessellation stage of a draw with vertices from `vertex`; `None` without tessellation programs.
    pub fn new<V: VertexShader>(vertex: &'a V, patches: &Patches) -> Option<Self> {
        Self::reading(vertex, patches, Reader::new)
    }

    /// A stage that reads all components that the programs' instructions name, even if no result depends on
    /// them.
    pub fn reading_all<V: VertexShader>(vertex: &'a V, patches: &Patches) -> Option<Self> {
        Self::reading(vertex, patches, Reader::of_all)
    }

    fn reading<V: VertexShader>(
        vertex: &'a V,
        patches: &Patches,
        reader: impl Fn(&[(Attribute, u8)]) -> Reader,
    ) -> Option<Self> {
        let control = vertex.control().map(|shader| Control::new(shader, reader(shader.inputs())));
        let evaluation = vertex.evaluation().and_then(|shader| {
            Some(Evaluation { shader, layout: shader.layout()?, reader: reader(shader.inputs()) })
        });
        (control.is_some() || evaluation.is_some()).then_some(Self {
            control,
            evaluation,
            levels: patches.levels,
        })
    }

    /// Enables the search for conflicts among invocations of patches.
    pub fn find_conflicts(&mut self) {
        if let Some(control) = &mut self.control {
            control.finds_conflicts = true;
            let traced = if control.shader.may_meet() { MOST_TRACED } else { 0 };
            control.traced_left.store(traced, Ordering::Relaxed);
        }
    }

    /// The attributes that the first tessellation program reads of the draw's vertices.
    pub fn reads(&self) -> Option<&Reader> {
        let control = self.control.as_ref().map(|control| &control.reader);
        control.or(self.evaluation.as_ref().map(|evaluation| &evaluation.reader))
    }

    /// Whether patches are divided.
    pub const fn divides(&self) -> bool {
        self.evaluation.is_some()
    }

    /// A mask with a bit for each result of the vertices of divided patches.
    pub fn written(&self) -> u64 {
        self.evaluation.as_ref().map_or(0, |evaluation| evaluation.shader.results_written())
    }

    /// The use of memory by the control and the evaluation program.
    pub fn memory_use(&self) -> [Use; 2] {
        let control = self.control.as_ref().map_or(Use::None, |control| control.shader.memory_use());
        let evaluation =
            self.evaluation.as_ref().map_or(Use::None, |evaluation| evaluation.shader.memory_use());
        [control, evaluation]
    }

    /// The patches, of `count`, that are prepared together, starting with `first`.
    pub fn part(first: usize, count: usize) -> Range<usize> {
        first..count.min(first + MOST_PATCHES)
    }

    /// Runs the control program, if there is one, on the patches of `range`. `geometry` is the reader of the
    /// patches if they are not divided.
    pub fn ready(
        &self,
        (assembler, drawn): (&Assembler<'_>, &Vertices),
        range: Range<usize>,
        (geometry, setup): (Option<&Reader>, &Setup),
        run: Run<'_>,
    ) -> ReadyPatches {
        let inputs = GeometryStage::inputs(assembler, range.clone());
        let left_out = (range.len() - inputs.len()) as u64;
        let mut done = Stats { primitives_out_of_range: left_out, ..Stats::default() };
        let nothing = Reader::new(&[]);
        let next = self.evaluation.as_ref().map(|evaluation| &evaluation.reader).or(geometry);
        let next = next.unwrap_or(&nothing);
        let Some(control) = &self.control else {
            let values = PatchValues::without_control(next, &self.levels);
            let levels = vec![self.levels; inputs.len()];
            let conflicts = Vec::new();
            return ReadyPatches { inputs, vertices: None, values, levels, done, conflicts };
        };
        let values = PatchValues::default();
        let reading = Reading { inputs: &inputs, vertices: drawn, patches: &values };
        let (vertices, ControlPart { values, levels, conflicts }) = control.run(reading, (next, setup), run);
        let count = control.shader.patch_vertices() as u32;
        let mut made = Inputs::default();
        for place in 0..inputs.len() {
            let input = inputs.get(place);
            let slots = (place as u32 * count..(place as u32 + 1) * count).map(Some);
            made.push((input.number, input.id, input.source), place as u32, slots);
        }
        done.controlled = inputs.len() as u64 * u64::from(count);
        ReadyPatches { inputs: made, vertices: Some(vertices), values, levels, done, conflicts }
    }

    /// Divides patches, starting with `first`, until there are enough vertices, and runs the evaluation
    /// program. Returns the result and the place of the next patch. `None` without an evaluation program.
    pub fn divide(
        &self,
        (patches, drawn): (&ReadyPatches, &Vertices),
        first: usize,
        (interface, setup): (&StageInterface, &Setup),
        run: Run<'_>,
    ) -> Option<(Vertices, GeneratedPrimitives, usize)> {
        let Evaluation { shader, layout, reader } = self.evaluation.as_ref()?;
        let divided = divided(*layout, &patches.levels[first..], run.0);
        let end = first + divided.len();
        // The first vertex of each patch.
        let mut starts = Vec::with_capacity(divided.len());
        let (mut count, mut primitives) = (0, 0);
        for tessellated in &divided {
            starts.push(count);
            count += tessellated.as_ref().map_or(0, |patch| patch.coordinates.len());
            primitives += tessellated.as_deref().map_or(0, Tessellated::primitives);
        }
        let reading = patches.reading(drawn);
        let alone = Threads::new(Some(1));
        let threads = if shader.is_serialised() { &alone } else { run.0 };
        let worker = || (shader.worker(), AttributeLanes::with_room(reader.count()));
        let evaluate = |(worker, lanes): &mut (Box<dyn EvaluationWorker + '_>, AttributeLanes),
                        block: Range<usize>,
                        output: &mut _| {
            let each = Runs { starts: &starts, divided: &divided, block: block.clone() };
            for (run, place, vertex) in each.all() {
                let Some(patch) = &divided[place] else { continue };
                let own = |_, lane: usize| patch.coordinates[vertex + lane];
                reader.fill(lanes, reading, (run, first + place), own);
            }
            if shader.memory_use() != Use::None {
                let origin = Origin { instance: reading.vertices.instance, ..Origin::default() };
                lanes.set_invocations(each.all().flat_map(|(run, place, vertex)| {
                    let patch = patches.inputs.get(first + place).number;
                    let subject = move |n: usize| Subject::PatchVertex { patch, vertex: (vertex + n) as u32 };
                    run.enumerate().map(move |(n, _)| (subject(n), origin))
                }));
            }
            let patches = each.all().flat_map(|(run, place, _)| run.map(move |_| first + place));
            reading.hand_on(lanes, patches);
            worker.run(lanes, u64::MAX >> (LANES - block.len()), output);
        };
        let kept = (interface, setup, shader.results_written());
        let count_kept = (count, reading.vertices.keeping());
        let vertices = Vertices::of_blocks(count_kept, kept, (threads, run.1), worker, evaluate);
        let mut made = GeneratedPrimitives {
            streams: StreamVertices::default(),
            kind: OutputPrimitive::Points,
            by: Maker::Patches(Vec::new()),
            primitives: run.0.vector(primitives),
            vertices: count,
            done: Stats { patches: divided.len() as u64, evaluated: count as u64, ..Stats::default() },
        };
        let (mut firsts, mut parts) = (Vec::new(), Vec::new());
        let mut rest = &mut made.primitives[..];
        for (place, tessellated) in divided.iter().enumerate() {
            let Some(patch) = tessellated else {
                made.done.patches_discarded += 1;
                continue;
            };
            let (input, start) = (patches.inputs.get(first + place), starts[place] as u32);
            firsts.push((start, input.number));
            made.kind = output(patch.primitive);
            parts.push((patch, input, start, rest.split_off_mut(..patch.primitives()).unwrap_or_default()));
        }
        run.0.each(parts.chunks_mut(TASK_PATCHES).collect(), |parts| {
            for (patch, input, start, primitives) in parts {
                let each = patch.indices.chunks_exact(patch.primitive.vertices());
                for (primitive, indices) in primitives.iter_mut().zip(each) {
                    let slot = |corner: usize| *start + indices[corner.min(indices.len() - 1)];
                    *primitive = GeneratedPrimitive::of(input, 0, [slot(0), slot(1), slot(2)]);
                }
            }
        });
        made.by = Maker::Patches(firsts);
        Some((vertices, made, end))
    }

    /// The inputs of the control program for a patch, which are the same for all invocations except their
    /// number. `None` without a control program.
    pub fn control_inputs(&self, reading: Reading<'_>, place: usize) -> Option<PrimitiveInputs> {
        let control = self.control.as_ref()?;
        Some(control.reader.inputs_of(reading, place, |_| [0.0; 3]))
    }

    /// The inputs of the evaluation program at `coordinates` of a patch. `None` without an evaluation
    /// program.
    pub fn evaluation_inputs(
        &self,
        reading: Reading<'_>,
        place: usize,
        coordinates: [f32; 3],
    ) -> Option<PrimitiveInputs> {
        let evaluation = self.evaluation.as_ref()?;
        Some(evaluation.reader.inputs_of(reading, place, |_| coordinates))
    }

    /// The levels of a patch and its division. `None` without an evaluation program.
    pub fn division(
        &self,
        patches: &ReadyPatches,
        place: usize,
    ) -> Option<(TessellationLayout, TessellationLevels, Option<Tessellated>)> {
        let layout = self.evaluation.as_ref()?.layout;
        let levels = patches.levels.get(place)?;
        Some((layout, *levels, tessellate(layout, levels)))
    }
}

const fn output(primitive: TessellatedPrimitive) -> OutputPrimitive {
    match primitive {
        TessellatedPrimitive::Point => OutputPrimitive::Points,
        TessellatedPrimitive::Line => OutputPrimitive::LineStrip,
        TessellatedPrimitive::Triangle => OutputPrimitive::TriangleStrip,
    }
}

/// A divided patch; `None` if the patch is discarded.
type Divided = Option<Arc<Tessellated>>;

/// The divisions of the first patches with these levels: at least one patch, and further patches until there
/// are enough vertices.
fn divided(layout: TessellationLayout, levels: &[TessellationLevels], threads: &Threads) -> Vec<Divided> {
    let (mut all, mut vertices): (Vec<Divided>, usize) = (Vec::new(), 0);
    for turn in levels.chunks(TURN_PATCHES) {
        let tasks: Vec<&[TessellationLevels]> = turn.chunks(TASK_PATCHES).collect();
        let done = threads.map(tasks, |task| {
            // Adjacent patches often have the same levels.
            let mut known: HashMap<[u32; 6], Divided> = HashMap::new();
            let divide = |levels: &TessellationLevels| {
                let ([a, b, c, d], [e, f]) = (levels.outer, levels.inner);
                let bits = [a, b, c, d, e, f].map(f32::to_bits);
                known.entry(bits).or_insert_with(|| tessellate(layout, levels).map(Arc::new)).clone()
            };
            task.iter().map(divide).collect::<Vec<Divided>>()
        });
        for patch in done.into_iter().flatten() {
            if vertices >= MOST_VERTICES {
                return all;
            }
            vertices += patch.as_ref().map_or(0, |patch| patch.coordinates.len());
            all.push(patch);
        }
    }
    all
}

/// The vertices of a block, grouped by patch.
struct Runs<'a> {
    /// The first vertex of each patch.
    starts: &'a [usize],
    divided: &'a [Divided],
    block: Range<usize>,
}

impl Runs<'_> {
    /// The lanes of each patch, the patch, and the patch's vertex number in the first of these lanes.
    fn all(&self) -> impl Iterator<Item = (Range<usize>, usize, usize)> {
        let Self { starts, divided, block } = self;
        let (start, end) = (block.start, block.end);
        let first = starts.partition_point(|first| *first <= start).saturating_sub(1);
        let patches = starts.iter().zip(*divided).enumerate().skip(first);
        patches.take_while(move |(_, (first, _))| **first < end).filter_map(move |(place, (first, patch))| {
            let count = patch.as_ref().map_or(0, |patch| patch.coordinates.len());
            let (from, to) = (start.max(*first), end.min(first + count));
            (from < to).then(|| (from - start..to - start, place, from - first))
        })
    }
}
