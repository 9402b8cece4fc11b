//! Records runs of a scene's programs for stepping: the fragments of a pixel, a vertex, a primitive, a state
//! program.

use super::{Frame, Job, Line, Loaded, RenderError, ShadedVertex, Window, context, draw_call};
use crate::scene::{Attachment, OUTPUT_COLORS, Slot};
use shadestep_engine::debug::{Recording, Subject};
use shadestep_engine::exec::{Bindings, Cancelled, Stream};
use shadestep_engine::gl::{Checkpoints, DrawCall, FragmentStage, MemoryBefore};
use shadestep_engine::ir::{
    Components, OutputPrimitive, OutputRole, Program, VertexResult, single_bits, singles,
};
use shadestep_engine::pipeline::{
    Facing, FragmentTrace, HistoryFragment, PatchDivision, PixelFragment, PixelHistory, PixelState,
    PixelStatus, SampleState, Samples, assemble_emitted, each_simple_primitive,
};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Largest number of fragments of a pixel kept at a time. Of a pixel with more, the fragments around the
/// viewed one are kept. Viewing another one records the pixel again.
pub const MAX_FRAGMENTS_KEPT: usize = 4096;

/// One fragment of a pixel.
#[derive(Clone, Debug)]
pub struct PixelRecording {
    /// The fragment program's run, step by step. `None` if the scene has no fragment program.
    pub recording: Option<Arc<Recording>>,
    /// Number of the fragment's instance.
    pub instance: u32,
    /// Number of the fragment's primitive, in the instance's drawing order.
    pub primitive: u32,
    /// Numbers of the elements that are the primitive's vertices. Empty for the viewport quad.
    pub elements: Vec<u32>,
    /// The invocation of the geometry program that emitted the primitive, or of the evaluation program that
    /// produced its provoking vertex. `None` without such a program.
    pub made_by: Option<Subject>,
    /// The visible side.
    pub facing: Facing,
    /// The shown colour: the program's output, with fog if the program asks for fog.
    pub color: [f32; 4],
    /// The fragment's depth, replaced or interpolated.
    pub depth: f32,
    /// The pixel before the fragment.
    pub before: PixelState,
    /// The pixel after the fragment.
    pub after: PixelState,
    pub outcome: PixelStatus,
    /// The outcome test by test, and the inputs of blending.
    pub trace: FragmentTrace,
    /// The pixel sample by sample. `None` if pixels have one sample.
    pub samples: Option<PixelSamples>,
}

/// A fragment's coverage of the samples of its pixel, and the values of the samples.
#[derive(Clone, Debug)]
pub struct PixelSamples {
    pub count: Samples,
    /// One bit for each sample that the primitive covers.
    pub coverage: u16,
    /// The sample of the invocation, if every sample has an invocation.
    pub own: Option<u8>,
    /// The samples before the fragment.
    pub before: Vec<SampleState>,
    /// The samples after the fragment.
    pub after: Vec<SampleState>,
}

impl PixelSamples {
    /// Returns true if the primitive covers sample `number`.
    pub fn covers(&self, number: usize) -> bool {
        self.coverage >> number & 1 != 0
    }
}

/// The fragments of a pixel in drawing order. Keeps at most [`MAX_FRAGMENTS_KEPT`] of them.
#[derive(Clone, Debug, Default)]
pub struct Fragments {
    count: usize,
    /// Number of the first kept fragment.
    first: usize,
    kept: VecDeque<PixelRecording>,
    last_written: Option<usize>,
    /// The number of fragments for each outcome, in the order in which the outcomes first occurred.
    fates: Vec<(PixelStatus, usize)>,
    /// The pixel after all fragments. `None` without fragments.
    end: Option<PixelState>,
}

impl Fragments {
    /// Returns the number of fragments, kept or not.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns true if no fragment covers the pixel.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns fragment `index`, if it is kept.
    pub fn get(&self, index: usize) -> Option<&PixelRecording> {
        self.kept.get(index.checked_sub(self.first)?)
    }

    /// Returns the number of fragments, kept or not, for each outcome.
    pub fn fates(&self) -> &[(PixelStatus, usize)] {
        &self.fates
    }

    /// Iterates over the kept fragments.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &PixelRecording> + ExactSizeIterator {
        self.kept.iter()
    }

    /// Returns the visible fragment: the last one written.
    pub fn last_written(&self) -> Option<usize> {
        self.last_written
    }

    /// Returns the fragment to view first: `wanted` if it exists, else the visible one, else the last one.
    pub fn chosen(&self, wanted: Option<usize>) -> Option<usize> {
        wanted.filter(|&index| index < self.count).or(self.last_written).or(self.count.checked_sub(1))
    }

    /// Returns the pixel after all fragments. `None` without fragments.
    pub fn end(&self) -> Option<PixelState> {
        self.end
    }

    /// Adds the next fragment. Keeps the fragments around `wanted`, or without it the last ones.
    fn push(&mut self, fragment: PixelRecording, wanted: Option<usize>) {
        let number = self.count;
        self.count += 1;
        if fragment.outcome == PixelStatus::Written {
            self.last_written = Some(number);
        }
        match self.fates.iter_mut().find(|(fate, _)| *fate == fragment.outcome) {
            Some((_, count)) => *count += 1,
            None => self.fates.push((fragment.outcome, 1)),
        }
        self.end = Some(fragment.after);
        let from = wanted.map_or(usize::MAX, |wanted| wanted.saturating_sub(MAX_FRAGMENTS_KEPT / 2));
        if self.kept.len() == MAX_FRAGMENTS_KEPT {
            if self.first >= from {
                return;
            }
            self.kept.pop_front();
            self.first += 1;
        }
        self.kept.push_back(fragment);
    }
}

/// Returns the output colours after a run of `program`. Colours that the program does not have are 0.
fn output_colors(program: &Program, recording: &Recording) -> [[f32; 4]; OUTPUT_COLORS] {
    let mut colors = [[0.0; 4]; OUTPUT_COLORS];
    for (output, bits) in program.outputs.iter().zip(&recording.outputs) {
        if let OutputRole::Color(number) = output.role {
            colors[usize::from(number)] = singles(*bits);
        }
    }
    colors
}

/// Returns the mask of samples that a run writes, if its program sets one.
fn sample_mask(recording: &Recording) -> u32 {
    let mut outputs = recording.program().outputs.iter().zip(&recording.outputs);
    let mask = outputs.find(|(output, _)| output.role == OutputRole::SampleMask);
    mask.map_or(u32::MAX, |(_, bits)| bits[0] as u32)
}

/// Returns the second colour of output colour 0 after a run of `program`. 0 if the program has none.
fn second_color(program: &Program, recording: &Recording) -> [f32; 4] {
    let mut outputs = program.outputs.iter().zip(&recording.outputs);
    let second = outputs.find(|(output, _)| output.role == OutputRole::SecondaryColor(0));
    second.map_or([0.0; 4], |(_, bits)| singles(*bits))
}

/// Records the fragments of `pixel` (from the lower left), and keeps those around `wanted` or the visible
/// one. `picture` is the drawn frame of `job`, if there is one: it may know the memory contents that
/// fragments read.
///
/// # Errors
/// See [`RenderError`]. A pixel outside the picture is [`RenderError::Failed`].
pub fn record(
    programs: &Loaded,
    (job, picture): (&Job, Option<&Frame>),
    pixel: [u32; 2],
    wanted: Option<usize>,
    cancel: &AtomicBool,
) -> Result<Fragments, RenderError> {
    let mut keep = wanted;
    loop {
        let mut fragments = Fragments::default();
        each_fragment(programs, (job, picture), pixel, cancel, |fragment| {
            fragments.push(fragment, keep);
            Ok::<(), RenderError>(())
        })?;
        match fragments.chosen(wanted) {
            // The chosen fragment was not kept: thousands of unwritten fragments cover it, or the pixel has
            // fewer fragments than before. Record again.
            Some(chosen) if fragments.get(chosen).is_none() => keep = Some(chosen),
            _ => return Ok(fragments),
        }
    }
}

/// Calls `visit` with every fragment of `pixel` in drawing order, one at a time. `picture` is as in
/// [`record`].
///
/// # Errors
/// As [`record`], and errors of `visit`.
pub fn each_fragment<E: From<RenderError>>(
    programs: &Loaded,
    (job, picture): (&Job, Option<&Frame>),
    pixel: [u32; 2],
    cancel: &AtomicBool,
    visit: impl FnMut(PixelRecording) -> Result<(), E>,
) -> Result<(), E> {
    each_fragment_but(programs, (job, picture), pixel, None, cancel, visit)
}

/// Returns the final value of `pixel` if its fragment `number` runs as in `run` and the other fragments are
/// unchanged, with memory as they read it. `None` if no fragment covers the pixel.
///
/// # Errors
/// As [`record`].
pub fn pixel_after(
    programs: &Loaded,
    (job, picture): (&Job, Option<&Frame>),
    pixel: [u32; 2],
    (number, run): (usize, &Arc<Recording>),
    cancel: &AtomicBool,
) -> Result<Option<PixelState>, RenderError> {
    let mut end = None;
    each_fragment_but(programs, (job, picture), pixel, Some((number, run)), cancel, |fragment| {
        end = Some(fragment.after);
        Ok::<(), RenderError>(())
    })?;
    Ok(end)
}

/// As [`each_fragment`], but with a given run for one fragment.
fn each_fragment_but<E: From<RenderError>>(
    programs: &Loaded,
    (job, picture): (&Job, Option<&Frame>),
    pixel: [u32; 2],
    known: Option<(usize, &Arc<Recording>)>,
    cancel: &AtomicBool,
    mut visit: impl FnMut(PixelRecording) -> Result<(), E>,
) -> Result<(), E> {
    let call = draw_call_at(programs, job, pixel)?;
    let format = job.scene.attachment(job.output_color).format;
    let clear = job.scene.clear_for(job.output_color);
    let mut history = PixelHistory::new(&call.draw().state, call.merging(), clear, format);
    let checkpoints = picture.and_then(|picture| picture.memory.checkpoints(programs)).unwrap_or_default();
    let before = call.memory_before(Subject::Pixel(pixel), &checkpoints, (job.size, format), cancel);
    let mut before = before.map_err(RenderError::from)?;
    let (mut failed, mut count) = (None, 0);
    let visited = call.each_fragment_at((job.size, pixel), cancel, |fragment| {
        let bindings = bindings_on(&before, call.fragment_bindings());
        let known = known.filter(|(number, _)| *number == count).map(|(_, run)| run);
        count += 1;
        let run = run_fragment(&call, (&bindings, known), &mut history, (fragment, pixel), cancel)?;
        before.went_on(run.outcome);
        visit(run).map_err(|error| {
            failed = Some(error);
            Cancelled
        })
    });
    match (failed, visited) {
        (Some(error), _) => Err(error),
        (None, Err(cancelled)) => Err(RenderError::from(cancelled).into()),
        (None, Ok(())) => Ok(()),
    }
}

/// Returns the bindings of the next invocation.
fn bindings_on(before: &MemoryBefore, bindings: Option<&Bindings>) -> Arc<Bindings> {
    let bindings = bindings.cloned().unwrap_or_default();
    Arc::new(match before.next() {
        Some(memory) => Bindings { memory: memory.clone().into(), ..bindings },
        None => bindings,
    })
}

/// Returns the number of fragments that cover `pixel`.
///
/// # Errors
/// As [`record`].
pub fn count_fragments(programs: &Loaded, job: &Job, pixel: [u32; 2]) -> Result<usize, RenderError> {
    let mut count = 0;
    let call = draw_call_at(programs, job, pixel)?;
    call.each_fragment_at((job.size, pixel), &AtomicBool::new(false), |_| {
        count += 1;
        Ok(())
    })?;
    Ok(count)
}

fn draw_call_at(programs: &Loaded, job: &Job, [x, y]: [u32; 2]) -> Result<DrawCall, RenderError> {
    let [width, height] = job.size;
    if x >= width || y >= height {
        let message = format!("pixel {x},{y} is outside the picture of {width}x{height}");
        return Err(RenderError::Failed(message));
    }
    draw_call(programs, job)
}

/// Runs the program on a fragment, unless its run is given, and merges the result into the pixel.
fn run_fragment(
    call: &DrawCall,
    (bindings, known): (&Arc<Bindings>, Option<&Arc<Recording>>),
    history: &mut PixelHistory,
    (fragment, pixel): (PixelFragment, [u32; 2]),
    cancel: &AtomicBool,
) -> Result<PixelRecording, Cancelled> {
    let (recording, [color, other_colors @ ..], second_color, replaced) = match call.fragment_stage() {
        FragmentStage::Program(stage) => {
            let at = (fragment.lane, pixel);
            let run = || Recording::of_fragment(stage.program(), bindings, fragment.inputs(), at, cancel);
            let recording = known.map_or_else(|| run().map(Arc::new), |run| Ok(Arc::clone(run)))?;
            let mut colors = output_colors(stage.program(), &recording);
            colors[0] = stage.final_color(&fragment, colors[0]);
            let second = second_color(stage.program(), &recording);
            let depth = recording.depth.map(f32::from_bits);
            (Some(recording), colors, second, depth)
        }
        FragmentStage::Fixed(stage) => {
            let mut colors = [[0.0; 4]; OUTPUT_COLORS];
            colors[0] = stage.color(&fragment);
            (None, colors, [0.0; 4], None)
        }
    };
    let depth = replaced.unwrap_or(fragment.window_z);
    let killed = recording.as_ref().is_some_and(|recording| recording.killed);
    let before = history.state();
    let count = call.draw().state.multisample.samples;
    let samples_before = (count != Samples::One).then(|| history.samples().to_vec());
    let facing = fragment.facing;
    let sample_mask = recording.as_ref().map_or(u32::MAX, |recording| sample_mask(recording));
    let merged = HistoryFragment {
        other_colors,
        second_color,
        depth,
        killed,
        sample_mask,
        ..HistoryFragment::of(&fragment, color)
    };
    let trace = history.trace(&merged);
    let outcome = history.push(merged);
    let shown = usize::from(call.draw().state.draw_buffers[0].unwrap_or(0));
    Ok(PixelRecording {
        recording,
        instance: fragment.instance,
        primitive: fragment.primitive,
        elements: fragment.elements,
        made_by: fragment.made_by,
        facing,
        color: shown.checked_sub(1).map_or(color, |other| other_colors[other]),
        depth: history.depth_seen(depth),
        before,
        after: history.state(),
        outcome,
        trace,
        samples: samples_before.map(|before| PixelSamples {
            count,
            coverage: fragment.samples.coverage & count.all(),
            own: fragment.samples.sample,
            before,
            after: history.samples().to_vec(),
        }),
    })
}

/// The recorded run of a vertex.
#[derive(Clone, Debug)]
pub struct VertexRecording {
    pub recording: Arc<Recording>,
    /// The scene's vertex program, or the built-in transform if the scene has none.
    pub program: Arc<Program>,
    /// The position of the vertex.
    pub vertex: ShadedVertex,
    /// The first invocations of later stages that read the vertex, one per patch or primitive, at most
    /// `MOST_READERS`.
    pub read_by: Vec<Subject>,
}

/// Largest number of patches or primitives listed for a vertex.
const MOST_READERS: usize = 12;

/// Returns the first invocations that read an element.
fn read_by(programs: &Loaded, call: &DrawCall, element: u32) -> Vec<Subject> {
    let has = |slot: Slot| programs.get(slot).is_some();
    let subject = |number: u32| {
        if has(Slot::TessControl) {
            Some(Subject::Patch { number, invocation: 0 })
        } else if has(Slot::TessEvaluation) {
            Some(Subject::PatchVertex { patch: number, vertex: 0 })
        } else {
            has(Slot::Geometry).then_some(Subject::Primitive { number, invocation: 0 })
        }
    };
    let (Some(_), Some(input)) = (subject(0), call.vertex_input()) else { return Vec::new() };
    let mut found = Vec::new();
    let primitive = (input.primitive, input.patches.vertices);
    each_simple_primitive(primitive, &input.elements, |number, elements| {
        if found.len() < MOST_READERS && elements.contains(&element) {
            found.extend(subject(number));
        }
    });
    found
}

/// Records the vertex program's run on `element` of the job's instance.
///
/// # Errors
/// See [`RenderError`]. An element that is not drawn is [`RenderError::Failed`].
pub fn record_vertex(
    programs: &Loaded,
    job: &Job,
    element: u32,
    cancel: &AtomicBool,
) -> Result<VertexRecording, RenderError> {
    let call = draw_call(programs, job)?;
    let missing = || RenderError::Failed(format!("the scene draws no vertex {element}"));
    let vertex = call.shaded_vertex(job.size, element, job.instance);
    let (Some(vertex), Some(stage)) = (vertex, call.vertex_stage()) else { return Err(missing()) };
    let attributes = call.vertex_attributes(element, job.instance).ok_or_else(missing)?;
    let format = job.scene.attachment(job.output_color).format;
    let mut before =
        call.memory_before(Subject::Vertex(element), &Checkpoints::default(), (job.size, format), cancel)?;
    before.go_to(job.instance);
    let (program, bindings) = (stage.program(), bindings_on(&before, Some(stage.bindings())));
    let recording = Recording::of_vertex(program, &bindings, &attributes, element, cancel)?;
    let (recording, program) = (Arc::new(recording), Arc::clone(program));
    let read_by = read_by(programs, &call, element);
    Ok(VertexRecording { recording, program, vertex, read_by })
}

/// The recorded run of an invocation that reads primitives.
#[derive(Clone, Debug)]
pub struct PrimitiveRecording {
    pub recording: Arc<Recording>,
    /// Numbers of the elements of its vertices, in order.
    pub elements: Vec<u32>,
    /// The edges of the emitted primitives, or of the patch's subdivision. Points are lines of length 0.
    pub outline: Vec<Line>,
    /// The subdivision of its patch, if it reads a patch that is subdivided.
    pub division: Option<PatchDivision>,
}

/// Records the run of `subject`, an invocation that reads primitives, of the job's instance.
///
/// # Errors
/// See [`RenderError`]. A subject that is not drawn is [`RenderError::Failed`], and so is a scene without
/// such a program.
pub fn record_primitive(
    programs: &Loaded,
    job: &Job,
    subject: Subject,
    cancel: &AtomicBool,
) -> Result<PrimitiveRecording, RenderError> {
    let call = draw_call(programs, job)?;
    let slot = Slot::first(subject.stage());
    let stage = call.vertex_stage().and_then(|stage| stage.stage(slot.stage()));
    let stage = stage.ok_or_else(|| RenderError::Failed(format!("the scene has no {}", slot.kind())))?;
    let missing = || RenderError::Failed(format!("the scene draws no {subject}").to_lowercase());
    let division = |patch, vertex| call.patch_division(job.size, (patch, vertex, job.instance));
    let ((inputs, elements), division) = match subject {
        Subject::Patch { number, invocation } => {
            let there = stage.program().patch_vertices.is_some_and(|count| invocation < count);
            let read = call.patch_inputs(job.size, (number, job.instance)).filter(|_| there);
            (read.ok_or_else(missing)?, division(number, 0).map(|(division, _)| division))
        }
        Subject::PatchVertex { patch, vertex } => match division(patch, vertex) {
            Some((division, Some(inputs))) => ((inputs, division.elements.clone()), Some(division)),
            Some((_, None)) | None => return Err(missing()),
        },
        Subject::Primitive { number, invocation } => {
            let read = call.primitive_inputs(job.size, (number, invocation, job.instance));
            (read.ok_or_else(missing)?, None)
        }
        Subject::Pixel(_) | Subject::Vertex(_) | Subject::StateProgram(_) => return Err(missing()),
    };
    let format = job.scene.attachment(job.output_color).format;
    let mut before = call.memory_before(subject, &Checkpoints::default(), (job.size, format), cancel)?;
    before.go_to(job.instance);
    let (program, bindings) = (stage.program(), bindings_on(&before, Some(stage.bindings())));
    let window = Window::new(&call.draw().state, job.size);
    let (recording, outline) = match subject {
        Subject::Patch { number, invocation } => (
            Recording::of_patch(program, &bindings, &inputs, (number, invocation), cancel)?,
            patch_outline(&call, job, number, &window),
        ),
        Subject::PatchVertex { patch, vertex } => (
            Recording::of_patch_vertex(program, &bindings, &inputs, (patch, vertex), cancel)?,
            patch_outline(&call, job, patch, &window),
        ),
        Subject::Primitive { number, invocation } => {
            let of = (number, invocation);
            let recording = Recording::of_primitive(program, &bindings, &inputs, of, cancel)?;
            let outline = outline((program, &recording.emitted), &window);
            (recording, outline)
        }
        Subject::Pixel(_) | Subject::Vertex(_) | Subject::StateProgram(_) => return Err(missing()),
    };
    Ok(PrimitiveRecording { recording: Arc::new(recording), elements, outline, division })
}

/// Returns the outline of a patch's subdivision within the view volume, if no geometry program follows: edges
/// of single triangles, lines, and points as lines of length 0.
fn patch_outline(call: &DrawCall, job: &Job, patch: u32, window: &Window) -> Vec<Line> {
    // An edge has the same key in both directions.
    let key = |edge: &[[f32; 4]; 2]| {
        let mut ends = edge.map(|end| end.map(f32::to_bits));
        ends.sort_unstable();
        ends
    };
    let mut edges: Vec<[[f32; 4]; 2]> = Vec::new();
    let mut places: HashMap<[[u32; 4]; 2], usize> = HashMap::new();
    call.each_made_primitive((job.size, job.instance), |subject, corners| {
        if !matches!(subject, Subject::PatchVertex { patch: of, .. } if of == patch) {
            return;
        }
        let count = if corners.len() == 2 { 1 } else { corners.len() };
        for at in 0..count {
            let edge = [corners[at], corners[(at + 1) % corners.len()]];
            *places.entry(key(&edge)).or_default() += 1;
            edges.push(edge);
        }
    });
    let is_outer = |edge: &[[f32; 4]; 2]| places.get(&key(edge)) == Some(&1);
    let deep = edges.into_iter().filter(is_outer).filter_map(|[a, b]| window.line(a, b));
    deep.map(|line| line.map(|[x, y, _]| [x, y])).collect()
}

/// Returns the edges of the primitives that an invocation of `program` emitted, within the view volume.
/// Points are lines of length 0.
fn outline((program, emitted): (&Program, &Stream), window: &Window) -> Vec<Line> {
    let role = OutputRole::Vertex(VertexResult::Hpos);
    let position = program.outputs.iter().position(|output| output.role == role);
    let (Some(layout), Some(position)) = (program.geometry, position) else { return Vec::new() };
    let clip = emitted.vertices_of(0).map(|vertex| singles(emitted.results(vertex)[position]));
    let clip: Vec<[f32; 4]> = clip.collect();
    let mut lines = Vec::new();
    assemble_emitted(emitted, layout.output, 0, |slots| {
        let edges: &[[usize; 2]] = match layout.output {
            OutputPrimitive::Points => &[[0, 0]],
            OutputPrimitive::LineStrip => &[[0, 1]],
            OutputPrimitive::TriangleStrip => &[[0, 1], [1, 2], [2, 0]],
        };
        let ends = edges.iter().map(|edge| edge.map(|corner| clip[slots[corner] as usize]));
        let deep = ends.filter_map(|[a, b]| window.line(a, b));
        lines.extend(deep.map(|line| line.map(|[x, y, _]| [x, y])));
    });
    lines
}

/// Records the run of state program `n` of the scene, which runs before the frame is drawn.
///
/// # Errors
/// See [`RenderError`].
pub fn record_state_program(
    programs: &Loaded,
    job: &Job,
    n: u8,
    cancel: &AtomicBool,
) -> Result<Arc<Recording>, RenderError> {
    let context = context::before_state_program(&programs.context, &programs.loaded()?, n, job)?;
    let id = context::program_id(Slot::State(n));
    let (program, bindings) = context.prepare_state_program(id)?;
    let input = context::state_input(n, job);
    Ok(Arc::new(Recording::of_state_program(&program, &Arc::new(bindings), (n, input), cancel)?))
}

/// Compares the stepped result with the rendered pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// The same bits.
    Same,
    /// Different bits: a bug of Shadestep, never an error of the user's.
    Different {
        /// Bits of the stepped result. `None` if it wrote nothing.
        stepped: Option<Components>,
        /// Bits of the picture.
        rendered: Components,
    },
}

/// Compares `pixel` of `frame` with `end`, the state after the last fragment of its recordings. A pixel
/// outside the picture always agrees.
pub fn verify_pixel(frame: &Frame, job: &Job, pixel: [u32; 2], end: Option<PixelState>) -> Agreement {
    let Some(stored) = frame.pixel(pixel) else { return Agreement::Same };
    let Attachment { format, clear, .. } = job.scene.attachment(job.output_color);
    let untouched = || clear.map(|value| format.stored(value));
    let expected = single_bits(end.map_or_else(untouched, |end| end.color));
    let written = end.is_some_and(|end| end.status == PixelStatus::Written);
    let rendered = single_bits(stored.color);
    if rendered == expected && (stored.status == PixelStatus::Written) == written {
        Agreement::Same
    } else {
        Agreement::Different { stepped: written.then_some(expected), rendered }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fragment(number: usize, outcome: PixelStatus) -> PixelRecording {
        let state = PixelState { color: [0.0; 4], depth: 0.0, stencil: 0, status: outcome };
        PixelRecording {
            recording: None,
            instance: 0,
            primitive: number as u32,
            elements: Vec::new(),
            made_by: None,
            facing: Facing::Front,
            color: [0.0; 4],
            depth: 0.0,
            before: state,
            after: state,
            outcome,
            trace: FragmentTrace::default(),
            samples: None,
        }
    }

    /// Returns fragments of which only number `written` is written.
    fn fragments(count: usize, written: usize, wanted: Option<usize>) -> Fragments {
        let mut fragments = Fragments::default();
        for number in 0..count {
            let outcome = if number == written { PixelStatus::Written } else { PixelStatus::DepthFailed };
            fragments.push(fragment(number, outcome), wanted);
        }
        fragments
    }

    #[test]
    fn any_fragment_can_be_kept_of_more_than_there_is_room_for() {
        let count = 3 * MAX_FRAGMENTS_KEPT;
        for wanted in [0, 1, 2047, 2048, 2049, 5000, count - 2049, count - 2, count - 1] {
            let kept = fragments(count, 0, Some(wanted));
            assert_eq!((kept.len(), kept.iter().len()), (count, MAX_FRAGMENTS_KEPT), "{wanted}");
            assert_eq!(kept.get(wanted).map(|f| f.primitive), Some(wanted as u32));
            // Its neighbours are kept too.
            for near in [wanted.saturating_sub(100), (wanted + 100).min(count - 1)] {
                assert_eq!(kept.get(near).map(|f| f.primitive), Some(near as u32), "{near} of {wanted}");
            }
            assert_eq!(kept.chosen(Some(wanted)), Some(wanted));
            assert_eq!(kept.chosen(Some(count)), Some(0), "the one that can be seen");
        }
        let last = fragments(count, count - 5, None);
        assert_eq!(last.get(count - 5).map(|f| f.outcome), Some(PixelStatus::Written));
        assert_eq!((last.get(0).is_none(), last.get(count).is_none()), (true, true));
        assert_eq!(fragments(0, 0, None).chosen(None), None);
    }
}
