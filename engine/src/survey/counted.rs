//! [`Counted`]: a fragment program in the wide executor that tells of its invocations.

use super::{Plan, Run, Tally};
use crate::exec::{AttributeLanes, BlockOutput, BlockShader, FragmentFacts, LANES, Worker};
use crate::ir::Attribute;
use crate::movemask::ones;
use crate::pipeline::WindowOrigin;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Where an invocation is counted.
pub(crate) struct Counted<'a, S> {
    plan: &'a Plan,
    /// The program's own stage, fog included.
    stage: S,
    size: [u32; 2],
    origin: WindowOrigin,
    /// Of each pixel; nothing where nobody asks.
    pixels: Vec<PixelTally>,
    /// Times that each block was executed, and invocations in which it was at all.
    blocks: Vec<[AtomicU64; 2]>,
    fragments: AtomicU64,
    run: Run<'a>,
}

#[derive(Default)]
struct PixelTally {
    shaded: AtomicU32,
    killed: AtomicU32,
    helpers: AtomicU32,
    instructions: AtomicU64,
}

impl<'a, S> Counted<'a, S> {
    /// Counts invocations of `stage`, which runs the plan's shader; those of each pixel if `per_pixel` says so.
    pub fn new(
        (plan, stage): (&'a Plan, S),
        (size, origin): ([u32; 2], WindowOrigin),
        per_pixel: bool,
        run: Run<'a>,
    ) -> Self {
        let pixels = if per_pixel { size[0] as usize * size[1] as usize } else { 0 };
        Self {
            plan,
            stage,
            size,
            origin,
            pixels: std::iter::repeat_with(PixelTally::default).take(pixels).collect(),
            blocks: std::iter::repeat_with(Default::default).take(4 * plan.counters.len()).collect(),
            fragments: AtomicU64::new(0),
            run,
        }
    }

    /// Of each pixel.
    pub fn tallies(&self) -> Vec<Tally> {
        let tally = |pixel: &PixelTally| Tally {
            shaded: pixel.shaded.load(Ordering::Relaxed),
            killed: pixel.killed.load(Ordering::Relaxed),
            helpers: pixel.helpers.load(Ordering::Relaxed),
            instructions: pixel.instructions.load(Ordering::Relaxed),
        };
        self.pixels.iter().map(tally).collect()
    }

    /// Times that each block was executed, or with `1` invocations in which it was.
    pub fn blocks(&self, which: usize) -> Vec<u64> {
        self.blocks.iter().map(|counts| counts[which].load(Ordering::Relaxed)).collect()
    }

    /// Invocations of fragments.
    pub fn fragments(&self) -> u64 {
        self.fragments.load(Ordering::Relaxed)
    }

    /// The pixel of a lane, if it is in the window.
    fn pixel(&self, inputs: &AttributeLanes, lane: usize) -> Option<&PixelTally> {
        let place = [0, 1].map(|c| inputs.register(Attribute::Wpos, c).0[lane]);
        if place.iter().any(|&at| at < 0.0) {
            return None;
        }
        // Centres are halves or, for programs that say so, whole: the pixel is the same.
        let [x, y] = place.map(|at| at as u32);
        let [width, height] = self.size;
        let y =
            if self.origin == WindowOrigin::UpperLeft { height.checked_sub(1)?.checked_sub(y)? } else { y };
        (x < width).then(|| self.pixels.get(y as usize * width as usize + x as usize))?
    }

    fn count(&self, worker: &Worker, inputs: &AttributeLanes, active: u64, killed: u64) {
        self.fragments.fetch_add(active.count_ones().into(), Ordering::Relaxed);
        self.run.note(active.count_ones());
        let shader = &self.plan.shader;
        for (number, &output) in self.plan.counters.iter().enumerate() {
            for (c, register) in shader.result(worker, output).iter().enumerate() {
                let (mut times, mut reached) = (0, 0);
                for lane in ones(active) {
                    let count = register.0[lane].to_bits();
                    times += u64::from(count);
                    reached += u64::from(count != 0);
                }
                let [total, invocations] = &self.blocks[4 * number + c];
                total.fetch_add(times, Ordering::Relaxed);
                invocations.fetch_add(reached, Ordering::Relaxed);
            }
        }
        if self.pixels.is_empty() {
            return;
        }
        // Of quads without a fragment nothing runs.
        let quads = (0..LANES / 4).filter(|quad| active >> (4 * quad) & 15 != 0);
        for lane in quads.flat_map(|quad| 4 * quad..4 * quad + 4) {
            let Some(pixel) = self.pixel(inputs, lane) else { continue };
            if active >> lane & 1 == 0 {
                pixel.helpers.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            pixel.shaded.fetch_add(1, Ordering::Relaxed);
            pixel.killed.fetch_add((killed >> lane & 1) as u32, Ordering::Relaxed);
            pixel.instructions.fetch_add(shader.executed(worker, lane).into(), Ordering::Relaxed);
        }
    }
}

impl<S: BlockShader<Worker = Worker>> BlockShader for Counted<'_, S> {
    type Worker = Worker;

    fn worker(&self) -> Worker {
        self.plan.shader.patient_worker()
    }

    fn facts(&self) -> FragmentFacts {
        let mut facts = self.stage.facts();
        if !self.pixels.is_empty() {
            facts.attributes_used[Attribute::Wpos.index()] |= 0b11;
        }
        facts
    }

    fn run(&self, worker: &mut Worker, inputs: &AttributeLanes, active: u64, output: &mut BlockOutput) {
        self.stage.run(worker, inputs, active, output);
        self.count(worker, inputs, active, output.killed);
    }
}
