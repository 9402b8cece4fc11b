//! The memory that the programs of a draw work on, and what becomes of it (NV_shader_buffer_load, NV_shader_buffer_store,
//! NV_parameter_buffer_object, EXT_shader_image_load_store).

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

/// What the memory of a draw is made of.
#[derive(Clone, Debug, Default)]
pub(super) struct DrawMemory {
    /// As it is when the draw begins.
    before: Memory,
    /// What the programs of all stages work on while it is drawn.
    shared: Shared,
    /// The object of each buffer.
    objects: Vec<ObjectId>,
    /// What the programs do with it.
    usage: Use,
    /// How long checkpoints are apart when it is rendered, if there are any.
    pub interval: Option<Duration>,
}

impl DrawMemory {
    /// The memory that programs work on.
    pub const fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Puts it as it is when the draw begins.
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
    /// The memory of a draw with these programs: what is resident, and their parameter buffers. Nothing if none of them accesses
    /// memory.
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

    /// What is at the binding points of a stage.
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

    /// Has a draw that was prepared earlier begin with what buffer objects hold now, and record behind what has been recorded.
    /// Of several that are prepared together, each is to be renewed before it is rendered, once the one before has been kept
    /// ([`Self::keep`]); the commands that draw at once do so.
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

    /// Takes over what was done when `call` was rendered last: what programs have written to buffer objects, what transform feedback
    /// has recorded there, and what queries count. What the commands do that draw at once, whoever renders a prepared draw does with
    /// this.
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

/// Memory as the invocations of one pixel or vertex find it, one after the other.
#[derive(Debug)]
pub struct MemoryBefore {
    /// What the draw says; nothing where memory is the same for all.
    seen: Vec<Memory>,
    /// The one that is looked at.
    at: usize,
    /// Whether fragments that fail the depth or stencil test are not run.
    early: bool,
}

impl MemoryBefore {
    /// What the next invocation finds; nothing where that is what all do.
    pub fn next(&self) -> Option<&Memory> {
        self.seen.get(self.at).or(self.seen.last())
    }

    /// What all of them find, in the order of the draw; nothing where that is the same for all.
    pub fn all(&self) -> &[Memory] {
        &self.seen
    }

    /// Goes to the invocation of an instance.
    pub fn go_to(&mut self, instance: u32) {
        self.at = instance as usize;
    }

    /// Goes on to the next fragment, after one of which this became.
    pub fn went_on(&mut self, outcome: PixelStatus) {
        let failed = matches!(outcome, PixelStatus::DepthFailed | PixelStatus::StencilFailed);
        self.at += usize::from(!(self.early && failed));
    }
}

/// Memory.
impl DrawCall {
    /// Whether a program that runs before fragments are there writes memory.
    pub(super) fn writes_memory_early(&self) -> bool {
        self.vertex_stage().is_some_and(|stage| stage.programs().any(|program| program.writes_memory()))
    }

    /// Whether a program of it writes memory.
    pub fn writes_memory(&self) -> bool {
        self.writes_memory_early()
            || self.fragment_program().is_some_and(|program| program.program().writes_memory())
    }

    /// Memory as it is before each invocation of `subject` begins that is run, in the order of the draw: of a pixel of a window of
    /// `size` pixels, each of its fragments, of a vertex, that of each instance. The draw is drawn for that, to a colour buffer of
    /// `format`, unless no program that runs before writes memory, as it is the same for all then. `checkpoints` are of the
    /// same draw: what lies between the last of them and an invocation is what is drawn.
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
        // Where there is none of this size, there is no picture of it either.
        let target = || {
            Framebuffer::check([width, height], samples, layers).ok()?;
            let target = Framebuffer::with_samples(width, height, samples, format, &[]);
            target.and_then(|target| target.with_layers(layers)).ok()
        };
        let shared = self.memory().shared();
        shared.watch(subject);
        let drawn = match self.replayable().filter(|_| is_pixel) {
            Some(program) => self.replay(program, (subject, checkpoints), target, cancel),
            // Those that write memory are drawn by one thread.
            None => target().map_or(Ok(()), |mut target| {
                self.render(&mut target, &Threads::new(Some(1)), cancel).map(|_| ())
            }),
        };
        before.seen = shared.seen();
        drawn.map(|()| before)
    }

    /// What buffer object `name` holds since it was rendered last; nothing if the draw leaves it alone.
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

    /// Says whether it looks for races when it is rendered: what its programs do may have another result elsewhere then. With that it
    /// notes who writes what.
    pub fn find_races(&self, whether: bool) {
        self.memory().shared().find_races(whether);
        self.outcome().captured.by = whether.then(Default::default);
    }

    /// Says whether programs that write memory run in any order, on all threads, when it is rendered: atomics are so among all
    /// invocations, all else depends on who comes first. See [`Shared::in_any_order`].
    pub fn in_any_order(&self, whether: bool) {
        self.memory().shared().in_any_order(whether);
    }

    /// Who wrote what when it was rendered last, if races were looked for; once.
    pub fn writers(&self) -> Option<Writers> {
        self.memory().shared().writers()
    }

    /// What was wrong with accesses to memory when it was rendered last, in the order in which it came up first.
    pub fn memory_reports(&self) -> Vec<Report> {
        self.memory().shared.reports()
    }
}
