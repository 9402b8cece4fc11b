//! [`Counted`]: a fragment program in the batch executor that counts its invocations.

use super::{Plan, Run, Tally};
use crate::exec::{AttributeLanes, BlockOutput, BlockShader, FragmentFacts, LANES, Worker};
use crate::simd::ones;
use crate::subject::Subject;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Counts the invocations of a draw.
pub struct Counted<'a, S> {
    plan: &'a Plan,
    /// The program's own stage, including fog.
    stage: S,
    size: [u32; 2],
    /// One tally per pixel; empty if pixels are not counted.
    pixels: Vec<PixelTally>,
    /// Executions of each block.
    blocks: Vec<Executions>,
    /// For each instruction, the executions of its block that stopped before it.
    cut_short: Vec<Executions>,
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

/// Number of executions, and number of invocations with at least one.
type Executions = [AtomicU64; 2];

fn add(to: &Executions, counts: [u64; 2]) {
    for (to, count) in to.iter().zip(counts) {
        to.fetch_add(count, Ordering::Relaxed);
    }
}

impl<'a, S> Counted<'a, S> {
    /// Counts the invocations of `stage`, which runs the plan's shader. `per_pixel` also counts them for each
    /// pixel.
    pub fn new((plan, stage): (&'a Plan, S), size: [u32; 2], per_pixel: bool, run: Run<'a>) -> Self {
        let pixels = if per_pixel { size[0] as usize * size[1] as usize } else { 0 };
        Self {
            plan,
            stage,
            size,
            pixels: std::iter::repeat_with(PixelTally::default).take(pixels).collect(),
            blocks: plan.blocks().map(|_| Executions::default()).collect(),
            cut_short: (0..plan.instructions()).map(|_| Executions::default()).collect(),
            fragments: AtomicU64::new(0),
            run,
        }
    }

    /// The tally of each pixel.
    pub fn tallies(&self) -> Vec<Tally> {
        let tally = |pixel: &PixelTally| Tally {
            shaded: pixel.shaded.load(Ordering::Relaxed),
            killed: pixel.killed.load(Ordering::Relaxed),
            helpers: pixel.helpers.load(Ordering::Relaxed),
            instructions: pixel.instructions.load(Ordering::Relaxed),
        };
        self.pixels.iter().map(tally).collect()
    }

    /// Executions of each instruction, and the number of invocations that executed it at least once.
    pub fn instructions(&self) -> [Vec<u64>; 2] {
        [0, 1].map(|which| {
            let mut executed = vec![0; self.cut_short.len()];
            for (block, counts) in self.plan.blocks().zip(&self.blocks) {
                executed[block].fill(counts[which].load(Ordering::Relaxed));
            }
            for (executed, missing) in executed.iter_mut().zip(&self.cut_short) {
                *executed -= missing[which].load(Ordering::Relaxed);
            }
            executed
        })
    }

    /// Fragment invocations of the layer.
    pub fn fragments(&self) -> u64 {
        self.fragments.load(Ordering::Relaxed)
    }

    /// The pixel of a lane, if it is inside the window.
    fn pixel(&self, inputs: &AttributeLanes, lane: usize) -> Option<&PixelTally> {
        let Some(Subject::Pixel([x, y])) = inputs.subject(lane) else { return None };
        let [width, _] = self.size;
        (x < width).then(|| self.pixels.get(y as usize * width as usize + x as usize))?
    }

    /// Counts the executions of each block by the lanes of `active`, and the instructions that lanes missed
    /// when they reached the instruction limit.
    fn count_blocks(&self, worker: &Worker, active: u64) {
        for (number, counts) in self.blocks.iter().enumerate() {
            let executed = self.plan.executed(worker, number);
            let times = ones(active).map(|lane| u64::from(executed(lane)));
            let sum =
                times.fold([0; 2], |[all, in_any], times| [all + times, in_any + u64::from(times != 0)]);
            add(counts, sum);
        }
        for (lanes, number, left) in self.plan.cut_short(worker) {
            let executed = self.plan.executed(worker, number);
            for lane in ones(lanes & active) {
                let only = u64::from(executed(lane) == 1);
                self.cut_short[left.clone()].iter().for_each(|missing| add(missing, [1, only]));
            }
        }
    }

    fn count(&self, worker: &Worker, inputs: &AttributeLanes, active: u64, killed: u64) {
        self.run.note(active.count_ones());
        if inputs.is_aside() {
            return;
        }
        self.fragments.fetch_add(active.count_ones().into(), Ordering::Relaxed);
        self.count_blocks(worker, active);
        let shader = &self.plan.shader;
        if self.pixels.is_empty() {
            return;
        }
        // Quads without a fragment do not run.
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
        let (needs_pixels, shades_samples) = (!self.pixels.is_empty(), self.plan.shades_samples);
        FragmentFacts { needs_pixels, shades_samples, ..self.stage.facts() }
    }

    fn run(&self, worker: &mut Worker, inputs: &AttributeLanes, active: u64, output: &mut BlockOutput) {
        self.stage.run(worker, inputs, active, output);
        self.count(worker, inputs, active, output.killed);
    }
}
