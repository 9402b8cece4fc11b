//! Memory checkpoints of a draw. With them, the memory before a fragment is found without drawing everything
//! that came before the fragment.
//!
//! When fragment programs write memory, blocks of fragments run in sequence. Program results never change
//! which blocks exist: late tests run after the program, and early tests do not depend on it. So blocks have
//! fixed numbers, and replay can skip blocks without renumbering the others.

use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::draw::{DrawCall, FragmentProgram};
use shadestep_core::debug::Subject;
use shadestep_core::exec::{AttributeLanes, BlockOutput, BlockShader, FragmentFacts};
use shadestep_core::memory::{Memory, Shared};
use shadestep_core::pipeline::{Cancelled, Framebuffer, Outputs, Stats, Threads};
use shadestep_language::ir::Program;
use shadestep_language::isa::Stage;

/// Approximate limit in bytes for the checkpoints of a draw.
const MOST_BYTES: usize = 32 << 20;

/// Memory at several points of a draw.
#[derive(Clone, Debug, Default)]
pub struct Checkpoints {
    /// Memory before the fragment block with this number. Numbers start at 0.
    kept: Vec<(u64, Memory)>,
}

impl Checkpoints {
    /// Number of checkpoints.
    pub fn count(&self) -> usize {
        self.kept.len()
    }

    /// Approximate number of bytes that checkpoints hold beyond the final memory: pages that were written
    /// after them.
    pub fn bytes(&self) -> usize {
        self.kept.windows(2).map(|pair| pair[0].1.bytes_apart(&pair[1].1)).sum()
    }
}

/// A shader whose blocks run in sequence. A block runs if `runs` accepts its number, inputs and active lanes.
struct Numbered<'a, S, F> {
    shader: &'a S,
    runs: Mutex<(u64, F)>,
}

impl<'a, S, F> Numbered<'a, S, F> {
    const fn new(shader: &'a S, runs: F) -> Self {
        Self { shader, runs: Mutex::new((0, runs)) }
    }
}

impl<S, F> BlockShader for Numbered<'_, S, F>
where
    S: BlockShader,
    F: FnMut(u64, &AttributeLanes, u64) -> bool + Send,
{
    type Worker = S::Worker;

    fn worker(&self) -> S::Worker {
        self.shader.worker()
    }

    fn facts(&self) -> FragmentFacts {
        self.shader.facts()
    }

    fn run(&self, worker: &mut S::Worker, inputs: &AttributeLanes, active: u64, output: &mut BlockOutput) {
        let runs = {
            let (next, runs) = &mut *self.runs.lock().unwrap_or_else(PoisonError::into_inner);
            let number = *next;
            *next += 1;
            runs(number, inputs, active)
        };
        // No caller reads the output of a skipped block.
        if runs {
            self.shader.run(worker, inputs, active, output);
        }
    }
}

/// The checkpoints of a running draw.
struct Keeping<'a> {
    memory: &'a Shared,
    /// The least time between two checkpoints.
    interval: Duration,
    last: Instant,
    made: Checkpoints,
    /// The current value of [`Checkpoints::bytes`].
    bytes: usize,
}

impl<'a> Keeping<'a> {
    fn new(memory: &'a Shared, interval: Duration) -> Self {
        Self { memory, interval, last: Instant::now(), made: Checkpoints::default(), bytes: 0 }
    }

    /// Called before each block; adds a checkpoint when one is due.
    fn before(&mut self, number: u64) {
        if number > 0 && self.last.elapsed() < self.interval {
            return;
        }
        let now = self.memory.snapshot();
        // Only the newest pair is measured, because long draws have thousands of checkpoints.
        self.bytes += self.made.kept.last().map_or(0, |(_, before)| before.bytes_apart(&now));
        self.made.kept.push((number, now));
        while self.bytes > MOST_BYTES && self.made.count() > 1 {
            // Drop every second checkpoint, but keep the first: it is the beginning.
            let mut place = 0;
            self.made.kept.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.interval *= 2;
            self.bytes = self.made.bytes();
        }
        self.last = Instant::now();
    }
}

/// A range of blocks to replay, from a checkpoint to the last wanted block before the next range.
struct Stretch {
    blocks: RangeInclusive<u64>,
    from: Memory,
}

/// The ranges to replay for the `wanted` blocks, in order. `beginning` is memory before the first block.
fn stretches(wanted: &[u64], checkpoints: &Checkpoints, beginning: &Memory) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for &block in wanted {
        let later = checkpoints.kept.partition_point(|(number, _)| *number <= block);
        let nearest = later.checked_sub(1).map(|place| &checkpoints.kept[place]);
        let (start, from) = nearest.map_or((0, beginning), |(number, memory)| (*number, memory));
        match stretches.last_mut() {
            Some(last) if *last.blocks.end() + 1 >= start => last.blocks = *last.blocks.start()..=block,
            _ => stretches.push(Stretch { blocks: start..=block, from: from.snapshot() }),
        }
    }
    stretches
}

impl DrawCall {
    /// Enables checkpoints for later renderings ([`Self::checkpoints`]), at least `interval` apart. Together
    /// they take at most about 32 MB. If programs write much memory, checkpoints are further apart.
    pub const fn keep_checkpoints(&mut self, interval: Duration) {
        self.memory_mut().interval = Some(interval);
    }

    /// The checkpoints of the last rendering. There are none if fragment programs write no memory, run in any
    /// order, or share memory with programs that run between them.
    pub fn checkpoints(&self) -> Arc<Checkpoints> {
        Arc::clone(&self.outcome().checkpoints)
    }

    /// The fragment program, if it writes memory and replay may skip its blocks. No program that runs before
    /// fragments may depend on its writes. All vertices of an instance run before its fragments; patches and
    /// primitives do not.
    pub(super) fn replayable(&self) -> Option<&FragmentProgram> {
        let program = self.fragment_program().filter(|program| program.program().writes_memory())?;
        let is_single = self.vertex_input().is_none_or(|input| input.instances <= 1);
        let mut others = self.accessing_before();
        others.all(|other| is_single && other.stage() == Stage::Vertex).then_some(program)
    }

    /// The programs before the fragment stage that access memory.
    pub(super) fn accessing_before(&self) -> impl Iterator<Item = &Program> {
        let programs = self.vertex_stage().into_iter().flat_map(|stage| stage.programs().map(AsRef::as_ref));
        programs.filter(|program: &&Program| program.accesses_memory())
    }

    /// The fragment program and the interval of its checkpoints; `None` if the draw makes no checkpoints.
    pub(super) fn keeps_checkpoints(&self) -> Option<(&FragmentProgram, Duration)> {
        let interval = self.memory().interval.filter(|_| !self.memory().shared().spreads());
        self.replayable().zip(interval)
    }

    /// Draws with `program` (see [`Self::replayable`]) and stores checkpoints.
    pub(super) fn render_keeping(
        &self,
        (program, interval): (&FragmentProgram, Duration),
        (outputs, made): (Outputs<'_>, &mut Arc<Checkpoints>),
        target: &mut Framebuffer,
        threads: &Threads,
        cancel: &AtomicBool,
    ) -> Result<Stats, Cancelled> {
        let mut keeping = Keeping::new(self.memory().shared(), interval);
        let numbered = Numbered::new(program, |number, _: &AttributeLanes, _| {
            keeping.before(number);
            true
        });
        let drawn = self.render_as(self.draw(), &numbered, outputs, target, threads, cancel);
        *made = Arc::new(keeping.made);
        drawn
    }

    /// Replays the blocks that affect `subject`, so that the memory records `subject` as [`Self::render`]
    /// would. Does nothing without a `target`.
    pub(super) fn replay(
        &self,
        program: &FragmentProgram,
        (subject, checkpoints): (Subject, &Checkpoints),
        target: impl Fn() -> Option<Framebuffer>,
        cancel: &AtomicBool,
    ) -> Result<(), Cancelled> {
        let mut wanted = Vec::new();
        self.draw_some(program, target(), cancel, |number, inputs, active| {
            if inputs.seen(active).any(|other| other == subject) {
                wanted.push(number);
            }
            false
        })?;
        let memory = self.memory().shared();
        let stretches = stretches(&wanted, checkpoints, &memory.snapshot());
        let mut left = stretches.iter().peekable();
        self.draw_some(program, target(), cancel, |number, _, _| {
            while left.next_if(|stretch| *stretch.blocks.end() < number).is_some() {}
            let Some(stretch) = left.peek() else { return false };
            if *stretch.blocks.start() == number {
                memory.replace(stretch.from.snapshot());
            }
            stretch.blocks.contains(&number)
        })
    }

    /// Draws on one thread, and runs only the fragment blocks that `runs` accepts.
    fn draw_some(
        &self,
        program: &FragmentProgram,
        target: Option<Framebuffer>,
        cancel: &AtomicBool,
        runs: impl FnMut(u64, &AttributeLanes, u64) -> bool + Send,
    ) -> Result<(), Cancelled> {
        let Some(mut target) = target else { return Ok(()) };
        let (numbered, alone) = (Numbered::new(program, runs), Threads::new(Some(1)));
        self.render_as(self.draw(), &numbered, Outputs::default(), &mut target, &alone, cancel).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shadestep_core::memory::{Action, Mode, Origin, Place, Request, Use, Who};
    use shadestep_language::ir::Storage;

    /// Writes a word to each page of a buffer of 12 MB, so that all pages change.
    fn change_all(memory: &Shared, base: u64) {
        let (stage, origin) = (Stage::Fragment, Origin::default());
        let who = Who { stage, pc: 0, subject: None, origin, invocation: 0, helper: false };
        let storage = Storage::named("U32").unwrap();
        let mut session = memory.session(Use::Writes);
        for page in 0..3 << 10 {
            let place = Place::Address(base + (page << 12));
            let stored = session.access(&Request { who, place, storage, action: Action::Store([7; 4]) });
            assert_eq!(stored.fault, None);
        }
    }

    #[test]
    fn what_is_kept_has_a_bound() {
        let base = 1 << 32;
        let mut before = Memory::default();
        let buffer = before.add(&vec![0; 12 << 20]);
        before.make_resident(buffer, base, Mode::ReadWrite).unwrap();
        let memory = Shared::from(before);
        let mut keeping = Keeping::new(&memory, Duration::ZERO);
        let mut most = 0;
        for number in 0..12 {
            keeping.interval = Duration::ZERO;
            keeping.before(number);
            most = most.max(keeping.made.count());
            assert!(keeping.made.bytes() <= MOST_BYTES, "{}", keeping.made.bytes());
            assert_eq!(keeping.bytes, keeping.made.bytes());
            assert_eq!(keeping.made.kept[0].0, 0, "the beginning stays");
            assert!(keeping.made.kept.is_sorted_by_key(|(number, _)| *number));
            change_all(&memory, base);
        }
        assert_eq!(most, 3, "two are apart by 24 MB, three by 36");
    }
}
