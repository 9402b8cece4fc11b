//! The schedule of a draw: prepares and bins primitives in chunks, then lets each free thread draw a tile, its
//! primitives in drawing order.

mod viewport;

use super::bins::{Bins, Chunk};
use super::block::QUADS;
use super::history::Merging;
use super::interface::{Slot, StageInterface};
use super::interpolate::{self, ViewportQuad};
use super::merge::Merge;
use super::quad_batcher::QuadBatcher;
use super::setup::{Bounds, Limits};
use super::shaded::ShadedDraw;
use super::tile::{QuadTile, Tile};
use super::{
    Cancelled, Clear, ColorFormat, Draw, Elements, FragmentReads, Framebuffer, Geometry, MultisampleState,
    PixelStatus, RasterState, Stats, Threads, VertexInput,
};
use crate::debug::Subject;
use crate::exec::{AttributeLanes, BlockOutput, BlockShader, LANES, VertexShader};
use crate::memory::Use;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Primitives that one task prepares.
const CHUNK: usize = 2048;

/// Clears the framebuffer, if the draw says so, and draws. The viewport quad does not run `vertex`. Pixels have as many samples
/// as those of the framebuffer.
///
/// Memory beside the framebuffer: see `vertices` for what each element takes; and at most 2^18
/// primitives are prepared at a time, which take about 40 bytes each as whole triangles and 250 as
/// lines, points or clipped triangles.
///
/// Programs that change memory run in one order: `vertex` on one element after the other as the arrays have them,
/// then `fragment` on the fragments of one primitive after the other, of each tile by tile from the lower left and
/// quad by quad. So they run on the caller's thread, and no fragment is left out because a test is bound to refuse
/// it.
///
/// # Errors
/// If `cancel` became true before all tiles were drawn; the framebuffer is then a mixture.
pub fn render<V: VertexShader, F: BlockShader>(
    draw: &Draw,
    vertex: &V,
    fragment: &F,
    target: &mut Framebuffer,
    threads: &Threads,
    cancel: &AtomicBool,
) -> Result<Stats, Cancelled> {
    if let Some(clear) = draw.clear {
        target.clear_stencil(clear.stencil);
    }
    let multisample = MultisampleState { samples: target.samples(), ..draw.state.multisample };
    let state = RasterState { multisample, ..draw.state };
    let alone = Threads::new(Some(1));
    let shading = threads;
    let threads = if fragment.takes_turns() { &alone } else { threads };
    let reads = FragmentReads {
        attributes: fragment.attributes_used(),
        interpolation: fragment.interpolation(),
        depth: Merging::of(fragment).depth,
        evaluates: fragment.evaluates(),
        shades_samples: fragment.shades_samples(),
    };
    match &draw.geometry {
        Geometry::ViewportQuad => {
            let quad = ViewportQuad::new(&state, &reads, target.size());
            let from = (&state, draw.clear);
            let fragments = (fragment, target.color.format());
            let run = DrawPass::new(from, fragments, (&quad.constants, None), cancel);
            let limits = Limits::new(target.size(), state.scissor);
            if !(run.leaves_samples_alike(&limits, target.size()) && target.drop_samples()) {
                target.have_samples();
            }
            target.each_tile(run.merge.stencil_plane(), threads, |tile| {
                run.viewport_tile(&quad, &limits, tile)
            });
            run.finish()
        }
        Geometry::Vertices(input) => {
            let mut stats = Stats::default();
            // Without instances there is still something to clear.
            let nothing = VertexInput { elements: Elements::NONE, instances: 1, ..input.clone() };
            let input = if input.instances == 0 { &nothing } else { input };
            for instance in 0..input.instances {
                let vertices = (input, instance, vertex);
                let stage = ShadedDraw::new(vertices, &state, &reads, target.size(), shading, cancel);
                let interface = &stage.interface;
                let run = DrawPass::new(
                    (&state, draw.clear),
                    (fragment, target.color.format()),
                    (&interface.constants, Some(interface)),
                    cancel,
                );
                lock(&run.stats).vertices = stage.assembler.cache.count() as u64;
                let clear = draw.clear.filter(|_| instance == 0);
                // Nothing before and nothing after it has a use for samples.
                let is_all = draw.clear.is_some() && input.instances == 1;
                run.primitives((&stage, is_all), clear, target, threads);
                stats += run.finish()?;
            }
            Ok(stats)
        }
    }
}

/// Scratch memory of one thread.
struct Worker<W> {
    shader: W,
    inputs: AttributeLanes,
    output: BlockOutput,
    /// For primitives: the tile that is being drawn.
    pixels: Option<QuadTile>,
    batcher: QuadBatcher,
}

/// One draw in progress.
struct DrawPass<'a, S: BlockShader> {
    clear: Option<Clear>,
    shader: &'a S,
    merge: Merge,
    /// Whether programs may discard fragments.
    can_kill: bool,
    /// Whether what is wrong with an access to memory is told of a pixel.
    names_pixels: bool,
    constants: &'a [(Slot, f32)],
    /// Of primitives.
    interface: Option<&'a StageInterface>,
    cancel: &'a AtomicBool,
    /// Workers that no thread is using.
    workers: Mutex<Vec<Worker<S::Worker>>>,
    stats: Mutex<Stats>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, S: BlockShader> DrawPass<'a, S> {
    /// `format` is that of colour buffer 0.
    fn new(
        (state, clear): (&RasterState, Option<Clear>),
        (shader, format): (&'a S, ColorFormat),
        (constants, interface): (&'a [(Slot, f32)], Option<&'a StageInterface>),
        cancel: &'a AtomicBool,
    ) -> Self {
        let merge = Merge::new(state, Merging::of(shader), format);
        let (workers, stats) = (Mutex::default(), Mutex::default());
        let (can_kill, names_pixels) = (shader.can_kill(), shader.memory_use() != Use::None);
        Self { clear, shader, merge, can_kill, names_pixels, constants, interface, cancel, workers, stats }
    }

    fn finish(self) -> Result<Stats, Cancelled> {
        if self.cancelled() { Err(Cancelled) } else { Ok(*lock(&self.stats)) }
    }

    fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Runs `f` with a worker, unless the draw is cancelled, and adds up the statistics.
    fn with_worker(&self, f: impl FnOnce(&mut Worker<S::Worker>, &mut Stats)) {
        if self.cancelled() {
            return;
        }
        let idle = lock(&self.workers).pop();
        let mut worker = idle.unwrap_or_else(|| {
            let mut inputs = AttributeLanes::default();
            interpolate::fill_constants(&mut inputs, self.constants);
            let (shader, output) = (self.shader.worker(), BlockOutput::default());
            let batcher = self.interface.map(QuadBatcher::new).unwrap_or_default();
            Worker { shader, inputs, output, pixels: None, batcher }
        });
        let mut stats = Stats::default();
        f(&mut worker, &mut stats);
        *lock(&self.stats) += stats;
        lock(&self.workers).push(worker);
    }

    fn clear(&self, tile: &mut Tile<'_>) {
        if let Some(clear) = self.clear {
            clear_tile(clear, tile);
        }
    }

    fn shade_block(
        &self,
        worker: &mut S::Worker,
        inputs: &AttributeLanes,
        output: &mut BlockOutput,
        active: u64,
        stats: &mut Stats,
    ) {
        // A tile of long programs takes seconds; a block does not. What it would have given is not looked at any
        // more.
        if self.cancelled() {
            return;
        }
        output.killed = 0;
        self.shader.run(worker, inputs, active, output);
        stats.blocks += 1;
        stats.fragments += u64::from(active.count_ones());
    }

    fn primitives(
        &self,
        (stage, is_all): (&ShadedDraw<'_>, bool),
        clear: Option<Clear>,
        framebuffer: &mut Framebuffer,
        threads: &Threads,
    ) {
        let bins = Bins::new(framebuffer.size(), self.merge.sampling.covered);
        // Bounds the memory for bins, however large the primitives are.
        let together = ((1 << 26) / bins.count()).clamp(CHUNK, 1 << 18);
        let take_turns = self.shader.takes_turns();
        let count = stage.assembler.assembly.count();
        let batches = count.div_ceil(together).max(1);
        let in_one_pass = is_all && batches == 1 && !take_turns;
        if !(in_one_pass && framebuffer.drop_samples()) {
            framebuffer.have_samples();
        }
        for number in 0..batches {
            let range = number * together..count.min((number + 1) * together);
            let starts: Vec<usize> = range.clone().step_by(CHUNK).collect();
            let chunks = threads.map(starts, |start| {
                let end = range.end.min(start + CHUNK);
                let mut stats = Stats::default();
                let range = if self.cancelled() { end..end } else { start..end };
                let chunk = Chunk::new(stage, &bins, (range, take_turns), &mut stats);
                *lock(&self.stats) += stats;
                chunk
            });
            let mut clear = clear.filter(|_| number == 0);
            if !take_turns {
                self.batch((stage, &bins), (&chunks, &Chunk::ALL), clear, framebuffer, threads);
                if self.cancelled() {
                    return;
                }
                continue;
            }
            // A primitive is drawn in all tiles before the next one is: anybody can tell.
            for chunk in &chunks {
                for turn in chunk.turns() {
                    let own = std::slice::from_ref(chunk);
                    self.batch((stage, &bins), (own, &turn), clear.take(), framebuffer, threads);
                    if self.cancelled() {
                        return;
                    }
                }
            }
            if clear.is_some() {
                self.batch((stage, &bins), (&[], &Chunk::ALL), clear, framebuffer, threads);
            }
        }
    }

    /// Draws a part of the entries of `chunks`, tile by tile.
    fn batch(
        &self,
        (stage, bins): (&ShadedDraw<'_>, &Bins),
        (chunks, part): (&[Chunk], &Range<u32>),
        clear: Option<Clear>,
        framebuffer: &mut Framebuffer,
        threads: &Threads,
    ) {
        framebuffer.each_tile(self.merge.stencil_plane(), threads, |mut tile| {
            let bin = bins.index(tile.origin);
            if chunks.iter().all(|chunk| chunk.is_empty(bin, part)) {
                if let Some(clear) = clear.filter(|_| !self.cancelled()) {
                    clear_tile(clear, &mut tile);
                }
                return;
            }
            self.with_worker(|worker, stats| {
                let pixels = worker.pixels.get_or_insert_default();
                match clear {
                    Some(clear) => {
                        pixels.clear(clear.color, clear.clamped_depth(), &tile);
                        pixels.load_stencil(&tile);
                    }
                    None => pixels.load(&tile),
                }
                self.tile(stage, (chunks, part), bin, &tile, worker, stats);
                if let Some(pixels) = &mut worker.pixels {
                    pixels.store(&mut tile);
                }
            });
        });
    }

    /// Draws the clipped primitives of a bin to the worker's pixels.
    fn tile(
        &self,
        stage: &ShadedDraw<'_>,
        (chunks, part): (&[Chunk], &Range<u32>),
        bin: usize,
        tile: &Tile<'_>,
        worker: &mut Worker<S::Worker>,
        stats: &mut Stats,
    ) {
        let [low, high] = corners(tile);
        let area = Bounds { low, high };
        let Worker { shader, inputs, output, pixels, batcher } = worker;
        let Some(pixels) = pixels else { return };
        let mut shade =
            |batcher: &mut QuadBatcher, pixels: &mut QuadTile, stats: &mut Stats, least: usize| {
                while batcher.waiting() > least {
                    let active = batcher.fill(inputs, &stage.interface, tile.origin);
                    if self.names_pixels {
                        inputs.set_subjects(batcher.pixels(tile.origin).map(Subject::Pixel));
                    }
                    self.shade_block(shader, inputs, output, active.any(), stats);
                    batcher.merge(&self.merge, pixels, (output, &active), stats);
                }
            };
        for chunk in chunks {
            for entry in chunk.bin(bin, part) {
                let Some(triangle_setup) = chunk.triangle_setup(stage, entry) else { continue };
                let facing = entry.source.facing;
                if batcher.cover(triangle_setup, facing, area, &self.merge, pixels, stats) {
                    batcher.keep(|varyings| chunk.varyings(stage, entry, varyings));
                    // Early tests look at what the primitives before have come to.
                    let least = if self.merge.has_early_tests() { 0 } else { QUADS - 1 };
                    shade(batcher, pixels, stats, least);
                }
            }
        }
        shade(batcher, pixels, stats, 0);
    }
}

fn clear_tile(clear: Clear, tile: &mut Tile<'_>) {
    tile.clear_colors(clear.color);
    tile.clear_depth(clear.clamped_depth());
    tile.fill_status(PixelStatus::Empty);
}

/// The lowest and the highest pixel of a tile.
fn corners(tile: &Tile<'_>) -> [[u32; 2]; 2] {
    [tile.origin, [0, 1].map(|axis| tile.origin[axis] + tile.size[axis] - 1)]
}
