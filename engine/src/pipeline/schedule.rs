//! The schedule of a draw: prepares and bins primitives in chunks, then lets each free thread draw a tile, its
//! primitives in drawing order.

use super::bins::{Bins, Chunk};
use super::block::QUADS;
use super::history::Merging;
use super::interface::Slot;
use super::interpolate::{self, BLOCK_WIDTH, ViewportQuad};
use super::merge::{self, DepthSource, Fragment, Merge};
use super::quad_batcher::QuadBatcher;
use super::setup::{Bounds, Limits};
use super::shaded::ShadedDraw;
use super::tile::{QuadTile, Tile};
use super::{
    Cancelled, Clear, ColorFormat, Draw, Elements, Facing, FragmentReads, Framebuffer, Geometry, PixelStatus,
    Stats, Threads, VertexInput, vector,
};
use crate::debug::Subject;
use crate::exec::{AttributeLanes, BlockOutput, BlockShader, LANES, VertexShader};
use crate::memory::Use;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Primitives that one task prepares.
const CHUNK: usize = 2048;

/// Clears the framebuffer, if the draw says so, and draws. The viewport quad does not run `vertex`.
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
    let used = fragment.attributes_used();
    let alone = Threads::new(Some(1));
    let shading = threads;
    let threads = if fragment.memory_use() == Use::Writes { &alone } else { threads };
    match &draw.geometry {
        Geometry::ViewportQuad => {
            let quad = ViewportQuad::new(draw, &used, target.size());
            let run = DrawPass::new(draw, (fragment, target.color.format()), &quad.constants, cancel);
            let limits = Limits::new(target.size(), draw.state.scissor);
            target.each_tile(run.merge.stencil_plane(), threads, |tile| {
                run.viewport_tile(&quad, &limits, tile)
            });
            run.finish()
        }
        Geometry::Vertices(input) => {
            let interpolation = fragment.interpolation();
            let reads = FragmentReads {
                attributes: used,
                interpolation,
                depth: Merging::of(fragment).depth,
                evaluates: fragment.evaluates(),
            };
            let mut stats = Stats::default();
            // Without instances there is still something to clear.
            let nothing = VertexInput { elements: Elements::NONE, instances: 1, ..input.clone() };
            let input = if input.instances == 0 { &nothing } else { input };
            for instance in 0..input.instances {
                let vertices = (input, instance, vertex);
                let stage = ShadedDraw::new(vertices, &draw.state, &reads, target.size(), shading, cancel);
                let run = DrawPass::new(
                    draw,
                    (fragment, target.color.format()),
                    &stage.interface.constants,
                    cancel,
                );
                lock(&run.stats).vertices = stage.assembler.cache.count() as u64;
                let clear = draw.clear.filter(|_| instance == 0);
                run.primitives(&stage, clear, target, threads);
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

/// A shaded block that is two rows of pixels.
struct ShadedRows<'a> {
    output: &'a BlockOutput,
    /// The lanes to be drawn.
    active: u64,
    /// Its lower left pixel within the tile.
    at: [usize; 2],
    /// The rasterised depth of all its fragments.
    z: f32,
}

/// One draw in progress.
struct DrawPass<'a, S: BlockShader> {
    draw: &'a Draw,
    shader: &'a S,
    merge: Merge,
    /// Whether programs may discard fragments.
    can_kill: bool,
    /// Whether what is wrong with an access to memory is told of a pixel.
    names_pixels: bool,
    constants: &'a [(Slot, f32)],
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
        draw: &'a Draw,
        (shader, format): (&'a S, ColorFormat),
        constants: &'a [(Slot, f32)],
        cancel: &'a AtomicBool,
    ) -> Self {
        let merge = Merge::new(&draw.state, Merging::of(shader), format);
        let (workers, stats) = (Mutex::default(), Mutex::default());
        let (can_kill, names_pixels) = (shader.can_kill(), shader.memory_use() != Use::None);
        Self { draw, shader, merge, can_kill, names_pixels, constants, cancel, workers, stats }
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
            Worker { shader, inputs, output, pixels: None, batcher: QuadBatcher::default() }
        });
        let mut stats = Stats::default();
        f(&mut worker, &mut stats);
        *lock(&self.stats) += stats;
        lock(&self.workers).push(worker);
    }

    fn clear(&self, tile: &mut Tile<'_>) {
        if let Some(clear) = self.draw.clear {
            clear_tile(clear, tile);
        }
    }

    fn viewport_tile(&self, quad: &ViewportQuad, limits: &Limits, mut tile: Tile<'_>) {
        let [low, high] = corners(&tile);
        let inside = limits.bounds(low.map(|x| x as i32), high.map(|x| x as i32));
        let Some(inside) = inside else {
            if !self.cancelled() {
                self.clear(&mut tile);
            }
            return;
        };
        let whole = inside == Bounds { low, high };
        self.with_worker(|worker, stats| {
            // Every pixel is overwritten unless something can refuse a fragment.
            if self.merge.is_plain() && !self.can_kill && whole {
                if let Some(clear) = &self.draw.clear {
                    tile.clear_others(clear.color);
                    tile.clear_depth(clear.clamped_depth());
                }
                tile.fill_status(PixelStatus::Written);
            } else {
                self.clear(&mut tile);
            }
            let [width, height] = tile.size;
            for x in (0..width).step_by(BLOCK_WIDTH as usize) {
                quad.fill_columns(&mut worker.inputs, tile.origin[0] + x);
                let columns = BLOCK_WIDTH.min(width - x) as usize;
                for y in (0..height).step_by(2) {
                    quad.fill_rows(&mut worker.inputs, tile.origin[1] + y);
                    let mut active = active_lanes(columns, (height - y).min(2) as usize);
                    if !whole {
                        active &= lanes_within(inside, [low[0] + x, low[1] + y]);
                        if active == 0 {
                            continue;
                        }
                    }
                    active = self.passing_early(&mut tile, active, ([x as usize, y as usize], quad.z), stats);
                    if active == 0 {
                        continue;
                    }
                    let Worker { shader, inputs, output, .. } = &mut *worker;
                    if self.shader.evaluates() {
                        inputs.set_interpolants(quad.interpolants([low[0] + x, low[1] + y]));
                    }
                    if self.names_pixels {
                        let [left, below] = [low[0] + x, low[1] + y];
                        let pixel = |lane: u32| [left + lane / 4 * 2 + lane % 2, below + lane / 2 % 2];
                        inputs.set_subjects((0..LANES as u32).map(|lane| Subject::Pixel(pixel(lane))));
                    }
                    self.shade_block(shader, inputs, output, active, stats);
                    let block = ShadedRows { output, active, at: [x as usize, y as usize], z: quad.z };
                    if whole && !self.merge.has_early_tests() {
                        self.merge_rows(&block, &mut tile, stats);
                    } else {
                        self.merge_lanes(&block, &mut tile, stats);
                    }
                }
            }
            vector::settle();
        });
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

    /// Merges a block of which all pixels are to be drawn, if it can, row by row.
    fn merge_rows(&self, block: &ShadedRows<'_>, tile: &mut Tile<'_>, stats: &mut Stats) {
        let ShadedRows { output, active, at: [x, y], .. } = *block;
        if !self.merge.is_plain() || output.killed & active != 0 {
            return self.merge_lanes(block, tile, stats);
        }
        let end = tile.size[0] as usize;
        let columns = x..end.min(x + BLOCK_WIDTH as usize);
        if let Some(rows) = tile.colors.first_mut() {
            merge::store_rows(output, rows, y, columns.clone());
        }
        stats.written += u64::from(active.count_ones());
        if self.can_kill {
            // The statuses were cleared, not set beforehand.
            tile.status[y..]
                .iter_mut()
                .take(2)
                .for_each(|row| row[columns.clone()].fill(PixelStatus::Written));
        }
    }

    /// Merges a block fragment by fragment.
    fn merge_lanes(&self, block: &ShadedRows<'_>, tile: &mut Tile<'_>, stats: &mut Stats) {
        let [x, y] = block.at;
        for lane in lanes(block.active) {
            let [x, y] = [x + lane / 4 * 2 + lane % 2, y + lane / 2 % 2];
            let fragment = self.fragment(block.output, lane, block.z);
            self.merge.shaded_fragment(tile, [x, y], &fragment, stats);
        }
    }

    /// The lanes of a block that is two rows of pixels which pass the early tests, of those that are `active`.
    fn passing_early(
        &self,
        tile: &mut Tile<'_>,
        active: u64,
        ([x, y], z): ([usize; 2], f32),
        stats: &mut Stats,
    ) -> u64 {
        if !self.merge.has_early_tests() {
            return active;
        }
        lanes(active).fold(0, |passing, lane| {
            let at = [x + lane / 4 * 2 + lane % 2, y + lane / 2 % 2];
            let passes = self.merge.passes_early(tile, at, (z, Facing::Front), stats);
            passing | u64::from(passes) << lane
        })
    }

    fn fragment(&self, output: &BlockOutput, lane: usize, window_z: f32) -> Fragment {
        let depth = match self.merge.source() {
            DepthSource::Program => output.depth.0[lane],
            DepthSource::Window => window_z,
        };
        let (color, killed) = (merge::lane_color(&output.color, lane), output.killed >> lane & 1 != 0);
        let mut other_colors = [[0.0; 4]; merge::OTHERS];
        if self.merge.takes_other_colors() {
            for (color, registers) in other_colors.iter_mut().zip(output.other_colors.iter()) {
                *color = merge::lane_color(registers, lane);
            }
        }
        let mut second_color = [0.0; 4];
        if self.merge.takes_second_color() {
            second_color = merge::lane_color(&output.secondary, lane);
        }
        Fragment { color, other_colors, second_color, depth, killed, facing: Facing::Front }
    }

    fn primitives(
        &self,
        stage: &ShadedDraw<'_>,
        clear: Option<Clear>,
        framebuffer: &mut Framebuffer,
        threads: &Threads,
    ) {
        let bins = Bins::new(framebuffer.size());
        // Bounds the memory for bins, however large the primitives are.
        let together = ((1 << 26) / bins.count()).clamp(CHUNK, 1 << 18);
        // A primitive is drawn in all tiles before the next one is where anybody can tell.
        let batch = if self.shader.memory_use() == Use::Writes { 1 } else { together };
        let count = stage.assembler.assembly.count();
        let batches = count.div_ceil(batch).max(1);
        for number in 0..batches {
            let range = number * batch..count.min((number + 1) * batch);
            let starts: Vec<usize> = range.clone().step_by(CHUNK).collect();
            let chunks = threads.map(starts, |start| {
                let end = range.end.min(start + CHUNK);
                let mut stats = Stats::default();
                let range = if self.cancelled() { end..end } else { start..end };
                let chunk = Chunk::new(stage, &bins, range, &mut stats);
                *lock(&self.stats) += stats;
                chunk
            });
            let clear = clear.filter(|_| number == 0);
            framebuffer.each_tile(self.merge.stencil_plane(), threads, |mut tile| {
                let bin = bins.index(tile.origin);
                if chunks.iter().all(|chunk| chunk.is_empty(bin)) {
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
                    self.tile(stage, &chunks, bin, &tile, worker, stats);
                    if let Some(pixels) = &mut worker.pixels {
                        pixels.store(&mut tile);
                    }
                });
            });
            if self.cancelled() {
                return;
            }
        }
    }

    /// Draws the clipped primitives of a bin to the worker's pixels.
    fn tile(
        &self,
        stage: &ShadedDraw<'_>,
        chunks: &[Chunk],
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
                    self.shade_block(shader, inputs, output, active, stats);
                    batcher.merge(&self.merge, pixels, (output, active), stats);
                }
            };
        for chunk in chunks {
            for entry in chunk.bin(bin) {
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

/// The lanes of a block that is two rows of pixels, the lower left one at (x, y), that are within
/// `bounds`.
fn lanes_within(bounds: Bounds, [x, y]: [u32; 2]) -> u64 {
    (0..QUADS as u32)
        .fold(0, |mask, quad| mask | u64::from(super::raster::within(bounds, x + 2 * quad, y)) << (4 * quad))
}

/// The lanes of the first `columns` columns and first `rows` rows of a block that is two rows of
/// pixels.
fn active_lanes(columns: usize, rows: usize) -> u64 {
    let quads = |count: usize| if count >= QUADS { u64::MAX } else { (1 << (count * 4)) - 1 };
    let left = quads(columns.div_ceil(2)) & 0x5555_5555_5555_5555;
    let right = quads(columns / 2) & 0xAAAA_AAAA_AAAA_AAAA;
    (left | right) & if rows >= 2 { u64::MAX } else { 0x3333_3333_3333_3333 }
}

/// The lanes that a mask names, in order.
fn lanes(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}
