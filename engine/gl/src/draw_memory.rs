//! The memory that the programs of a draw access, and its way back into buffer objects
//! (NV_shader_buffer_load, NV_shader_buffer_store, NV_parameter_buffer_object, EXT_shader_image_load_store).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::Context;
use super::buffers::BufferId as ObjectId;
use super::checkpoints::Checkpoints;
use super::draw::DrawCall;
use shadestep_core::debug::Subject;
use shadestep_core::exec::FragmentTests;
use shadestep_core::memory::{Bound, BufferId, Memory, Report, Shared, Store, Use, Writers};
use shadestep_core::pipeline::{Cancelled, ColorFormat, Framebuffer, PixelStatus, Threads};
use shadestep_language::ir::{Program, limits};
use shadestep_language::isa::Stage;

/// The memory of a draw.
#[derive(Clone, Debug, Default)]
pub(super) struct DrawMemory {
    /// Contents when the draw begins.
    before: Memory,
    /// The memory that the programs of all stages share during the draw.
    shared: Shared,
    /// The buffer object of each buffer.
    objects: Vec<ObjectId>,
    /// How the programs access the memory.
    usage: Use,
    /// Least time between the checkpoints of a rendering; `None` for no checkpoints.
    pub interval: Option<Duration>,
}

impl DrawMemory {
    /// The memory that programs share.
    pub const fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Resets the shared memory to its contents at the beginning of the draw.
    pub fn begin(&self) {
        if !self.objects.is_empty() {
            self.shared.begin(self.before.snapshot(), self.usage);
        }
    }

    /// The buffer of an object.
    fn buffer(&self, object: ObjectId) -> Option<BufferId> {
        let place = self.objects.iter().position(|other| *other == object)?;
        u32::try_from(place).ok().map(BufferId)
    }
}

impl Context {
    /// The memory of a draw with these programs: resident buffers and the programs' parameter buffers. Empty
    /// if no program accesses memory.
    pub(super) fn draw_memory<'a>(&self, programs: impl Iterator<Item = &'a Program>) -> DrawMemory {
        let mut memory = DrawMemory::default();
        let accessing: Vec<&Program> = programs.filter(|program| program.accesses_memory()).collect();
        if accessing.is_empty() {
            return memory;
        }
        let writes = accessing.iter().any(|program| program.writes_memory());
        memory.usage = if writes { Use::Writes } else { Use::Reads };
        let images: Vec<ObjectId> = match accessing.iter().any(|program| program.accesses_images()) {
            true => self.images.buffers().collect(),
            false => Vec::new(),
        };
        let accessing: Vec<Stage> = accessing.into_iter().map(Program::stage).collect();
        let points = || accessing.iter().flat_map(|stage| self.buffers.points.of(*stage)).flatten();
        for (id, object) in self.buffers.objects() {
            let is_bound = points().any(|point| point.buffer == id);
            if object.resident.is_none() && !is_bound && !images.contains(&id) {
                continue;
            }
            let buffer = memory.before.share(object.store().clone());
            memory.objects.push(id);
            if let (Some(address), Some(mode)) = (object.address, object.resident) {
                let placed = memory.before.make_resident(buffer, address, mode);
                debug_assert!(placed.is_ok(), "addresses are given out once");
            }
        }
        if !images.is_empty() {
            let units = self.images.units(|object| memory.buffer(object));
            memory.before.bind_images(units);
        }
        memory.begin();
        memory
    }

    /// The buffers at the binding points of a stage.
    pub(super) fn parameter_buffers(
        &self,
        memory: &DrawMemory,
        stage: Stage,
    ) -> [Option<Bound>; limits::PARAMETER_BUFFERS] {
        self.buffers.points.of(stage).map(|point| {
            let point = point?;
            let buffer = memory.buffer(point.buffer)?;
            let whole = memory.before.length(buffer)? / 4 * 4;
            let size = point.size.unwrap_or(whole).min(limits::PARAMETER_BUFFER_BYTES.into());
            Some(Bound { buffer, offset: 0, size })
        })
    }

    /// Updates a draw that was prepared earlier: it will start from the current contents of buffer objects,
    /// and transform feedback will append to what has been recorded. When several draws are prepared
    /// together, renew each one after the previous one was kept ([`Self::keep`]) and before rendering it. The
    /// commands that draw at once do so.
    pub fn renew(&self, call: &mut DrawCall) {
        if call.feedback().is_some() {
            call.set_feedback(self.draw_feedback());
        }
        let DrawMemory { before, objects, .. } = call.memory_mut();
        for (place, id) in (0..).zip(objects) {
            if let Some(object) = self.buffers.object(*id) {
                before.replace(BufferId(place), object.store().clone());
            }
        }
    }

    /// Takes over the effects of the last rendering of `call`: memory that programs wrote to buffer objects,
    /// vertices that transform feedback recorded, and counts of queries. Call this after rendering a prepared
    /// draw. The commands that draw at once do so.
    pub fn keep(&mut self, call: &DrawCall) {
        self.keep_memory(call);
        self.keep_feedback(call);
        let stats = call.outcome().stats;
        self.queries.count(&stats);
    }

    fn keep_memory(&mut self, call: &DrawCall) {
        let DrawMemory { shared, objects, .. } = call.memory();
        if objects.is_empty() {
            return;
        }
        let written = shared.snapshot();
        for (place, id) in (0..).zip(objects) {
            if let (Some(store), Some(object)) =
                (written.store(BufferId(place)), self.buffers.object_mut(*id))
            {
                object.set_store(store.clone());
            }
        }
    }
}

/// The memory that each invocation of one pixel or vertex starts with.
#[derive(Debug)]
pub struct MemoryBefore {
    /// One entry for each invocation that runs; empty if all start with the same memory.
    seen: Vec<Memory>,
    /// Index of the next invocation.
    at: usize,
    /// Whether early tests prevent fragments that fail the depth or stencil test from running.
    early: bool,
}

impl MemoryBefore {
    /// The memory of the next invocation; `None` if all invocations start with the same memory.
    pub fn next(&self) -> Option<&Memory> {
        self.seen.get(self.at).or(self.seen.last())
    }

    /// The memory of every invocation, in drawing order; empty if all start with the same memory.
    pub fn all(&self) -> &[Memory] {
        &self.seen
    }

    /// Moves to the invocation of an instance.
    pub fn go_to(&mut self, instance: u32) {
        self.at = instance as usize;
    }

    /// Moves to the next fragment. `outcome` is the outcome of the current one.
    pub fn went_on(&mut self, outcome: PixelStatus) {
        let failed = matches!(outcome, PixelStatus::DepthFailed | PixelStatus::StencilFailed);
        self.at += usize::from(!(self.early && failed));
    }
}

/// Memory.
impl DrawCall {
    /// Whether a program before the fragment stage writes memory.
    pub(super) fn writes_memory_early(&self) -> bool {
        self.vertex_stage().is_some_and(|stage| stage.programs().any(|program| program.writes_memory()))
    }

    /// Whether any program of the draw writes memory.
    pub fn writes_memory(&self) -> bool {
        self.writes_memory_early()
            || self.fragment_program().is_some_and(|program| program.program().writes_memory())
    }

    /// The memory before each invocation of `subject` that runs, in drawing order. A pixel of a window of
    /// `size` pixels has one invocation for each of its fragments, a vertex one for each instance.
    ///
    /// The function draws to a colour buffer of `format` to find the memory, starting from the last fitting
    /// checkpoint. `checkpoints` must be from the same draw. If no earlier program writes memory, all
    /// invocations start with the same memory and nothing is drawn.
    ///
    /// # Errors
    /// If `cancel` became true before the end.
    pub fn memory_before(
        &self,
        subject: Subject,
        checkpoints: &Checkpoints,
        ([width, height], format): ([u32; 2], ColorFormat),
        cancel: &AtomicBool,
    ) -> Result<MemoryBefore, Cancelled> {
        let early = self.merging().tests == FragmentTests::Early;
        let mut before = MemoryBefore { seen: Vec::new(), at: 0, early };
        let is_pixel = matches!(subject, Subject::Pixel(_));
        if !self.writes_memory() || !is_pixel && self.accessing_before().next().is_none() {
            return Ok(before);
        }
        let samples = self.draw().state.multisample.samples;
        let layers = self.draw().state.layers.map_or(1, |layers| layers.count as usize);
        // A target of an impossible size has no picture, so no invocations.
        let target = || {
            Framebuffer::check([width, height], samples, layers).ok()?;
            let target = Framebuffer::with_samples(width, height, samples, format, &[]);
            target.and_then(|target| target.with_layers(layers)).ok()
        };
        let shared = self.memory().shared();
        shared.watch(subject);
        let drawn = match self.replayable().filter(|_| is_pixel) {
            Some(program) => self.replay(program, (subject, checkpoints), target, cancel),
            // Draws whose programs write memory use one thread.
            None => target().map_or(Ok(()), |mut target| {
                self.render(&mut target, &Threads::new(Some(1)), cancel).map(|_| ())
            }),
        };
        before.seen = shared.seen();
        drawn.map(|()| before)
    }

    /// The contents of buffer object `name` after the last rendering; `None` if the draw does not access the
    /// object.
    pub fn buffer_after(&self, context: &Context, name: u32) -> Option<Arc<Store>> {
        let id = context.buffers.named(name)?;
        let memory = self.memory().buffer(id);
        let written = memory.and_then(|buffer| self.memory().shared().snapshot().store(buffer).cloned());
        let feedback = self.feedback().filter(|feedback| feedback.buffers().any(|buffer| buffer == id));
        let Some(feedback) = feedback else { return written };
        let mut store =
            written.or_else(|| context.buffers.object(id).map(|object| object.store().clone()))?;
        let (held, outcome) = (Arc::make_mut(&mut store), self.outcome());
        feedback.write(id, &outcome.captured, held);
        drop(outcome);
        Some(store)
    }

    /// Turns race detection on or off for later renderings. Detection finds accesses whose result may differ
    /// on other implementations, and records which invocation writes what.
    pub fn find_races(&self, whether: bool) {
        self.memory().shared().find_races(whether);
        self.outcome().captured.by = whether.then(Default::default);
    }

    /// Sets whether programs that write memory run in any order, on all threads. Atomics stay atomic among
    /// all invocations; other results depend on the order. See [`Shared::in_any_order`].
    pub fn in_any_order(&self, whether: bool) {
        self.memory().shared().in_any_order(whether);
    }

    /// The writers of memory in the last rendering, if race detection was on. A second call returns `None`.
    pub fn writers(&self) -> Option<Writers> {
        self.memory().shared().writers()
    }

    /// Invalid memory accesses of the last rendering, in the order of their first occurrence.
    pub fn memory_reports(&self) -> Vec<Report> {
        self.memory().shared.reports()
    }
}
