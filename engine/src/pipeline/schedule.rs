//! Who draws what when: triangles are prepared and binned to tiles in chunks, tiles are drawn by
//! whichever thread is free, each from its bins in drawing order.

use super::bins::{Bins, Chunk, Vertices};
use super::gather::Gather;
use super::interpolate::{self, BLOCK_WIDTH, QUADS, ViewportQuad};
use super::merge::{self, DepthSource, Fragment, Merge};
use super::setup::{Bounds, Setup};
use super::tile::{QuadTile, Tile};
use super::vertex::{Layout, Slot, VertexStage};
use super::{Cancelled, Draw, Framebuffer, Geometry, Mesh, PixelStatus, Stats, Threads};
use crate::exec::{AttributeRows, BlockOutput, BlockShader, LANES};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Triangles that one task prepares.
const CHUNK: usize = 2048;

/// Clears the framebuffer and draws.
///
/// # Errors
/// If `cancel` became true before all tiles were drawn; the framebuffer is then a mixture.
pub fn render<S: BlockShader>(
    draw: &Draw,
    shader: &S,
    framebuffer: &mut Framebuffer,
    threads: &Threads,
    cancel: &AtomicBool,
) -> Result<Stats, Cancelled> {
    match &draw.geometry {
        Geometry::ViewportQuad => {
            let quad = ViewportQuad::new(draw, &shader.attributes_used(), framebuffer.size());
            let run = Run::new(draw, shader, &quad.constants, cancel);
            threads.each(framebuffer.tiles(), |tile| run.viewport_tile(&quad, tile));
            run.finish()
        }
        Geometry::Mesh(mesh) => {
            let layout = Layout::new(&shader.attributes_used());
            let run = Run::new(draw, shader, &layout.constants, cancel);
            run.mesh(mesh, &layout, framebuffer, threads);
            run.finish()
        }
    }
}

/// Scratch memory of one thread.
struct Worker<W> {
    shader: W,
    rows: AttributeRows,
    output: BlockOutput,
    /// For meshes: the tile that is being drawn.
    pixels: Option<QuadTile>,
    gather: Gather,
}

/// One draw in progress.
struct Run<'a, S: BlockShader> {
    draw: &'a Draw,
    shader: &'a S,
    merge: Merge,
    /// Whether programs may discard fragments.
    can_kill: bool,
    constants: &'a [(Slot, f32)],
    cancel: &'a AtomicBool,
    /// Workers that no thread is using.
    workers: Mutex<Vec<Worker<S::Worker>>>,
    stats: Mutex<Stats>,
}

fn source(shader: &impl BlockShader) -> DepthSource {
    if shader.writes_depth() { DepthSource::Program } else { DepthSource::Window }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, S: BlockShader> Run<'a, S> {
    fn new(draw: &'a Draw, shader: &'a S, constants: &'a [(Slot, f32)], cancel: &'a AtomicBool) -> Self {
        let merge = Merge::new(draw, source(shader), shader.writes_color());
        let (workers, stats) = (Mutex::default(), Mutex::default());
        Self { draw, shader, merge, can_kill: shader.can_kill(), constants, cancel, workers, stats }
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
            let mut rows = AttributeRows::default();
            interpolate::fill_constants(&mut rows, self.constants);
            let (shader, output) = (self.shader.worker(), BlockOutput::default());
            Worker { shader, rows, output, pixels: None, gather: Gather::default() }
        });
        let mut stats = Stats::default();
        f(&mut worker, &mut stats);
        *lock(&self.stats) += stats;
        lock(&self.workers).push(worker);
    }

    fn clear(&self, tile: &mut Tile<'_>) {
        tile.clear_color(self.draw.clear_color);
        tile.clear_depth(self.draw.clamped_clear_depth());
        tile.fill_status(PixelStatus::Empty);
    }

    fn viewport_tile(&self, quad: &ViewportQuad, mut tile: Tile<'_>) {
        self.with_worker(|worker, stats| {
            // Every pixel is overwritten unless something can refuse a fragment.
            if self.merge.is_plain() && !self.can_kill {
                tile.clear_depth(self.draw.clamped_clear_depth());
                tile.fill_status(PixelStatus::Written);
            } else {
                self.clear(&mut tile);
            }
            let [width, height] = tile.size;
            for x in (0..width).step_by(BLOCK_WIDTH as usize) {
                quad.fill_columns(&mut worker.rows, tile.origin[0] + x);
                let columns = BLOCK_WIDTH.min(width - x) as usize;
                for y in (0..height).step_by(2) {
                    quad.fill_rows(&mut worker.rows, tile.origin[1] + y);
                    let active = active_lanes(columns, (height - y).min(2) as usize);
                    let Worker { shader, rows, output, .. } = &mut *worker;
                    self.shade_block(shader, rows, output, active, stats);
                    self.merge_rows(worker, active, &mut tile, [x as usize, y as usize], quad.z, stats);
                }
            }
        });
    }

    fn shade_block(
        &self,
        worker: &mut S::Worker,
        rows: &AttributeRows,
        output: &mut BlockOutput,
        active: u64,
        stats: &mut Stats,
    ) {
        output.killed = 0;
        self.shader.run(worker, rows, active, output);
        stats.blocks += 1;
        stats.fragments += u64::from(active.count_ones());
    }

    /// Merges a block that is two rows of pixels; (x, y) is its lower left one within the tile.
    fn merge_rows(
        &self,
        worker: &Worker<S::Worker>,
        active: u64,
        tile: &mut Tile<'_>,
        [x, y]: [usize; 2],
        z: f32,
        stats: &mut Stats,
    ) {
        let output = &worker.output;
        if !self.merge.is_plain() || output.killed & active != 0 {
            for lane in lanes(active) {
                let [x, y] = [x + lane / 4 * 2 + lane % 2, y + lane / 2 % 2];
                let fragment = self.fragment(output, lane, z);
                self.merge.fragment(tile, x, y, &fragment, stats);
            }
            return;
        }
        let end = tile.size[0] as usize;
        let columns = x..end.min(x + BLOCK_WIDTH as usize);
        let (lower, upper) = tile.color[y..].split_at_mut(1);
        let upper = upper.first_mut().map(|row| &mut row[columns.clone()]);
        merge::store_rows(output, &mut lower[0][columns.clone()], upper);
        stats.written += u64::from(active.count_ones());
        if self.can_kill {
            // The statuses were cleared, not set beforehand.
            tile.status[y..]
                .iter_mut()
                .take(2)
                .for_each(|row| row[columns.clone()].fill(PixelStatus::Written));
        }
    }

    fn fragment(&self, output: &BlockOutput, lane: usize, window_z: f32) -> Fragment {
        let depth = match self.merge.source() {
            DepthSource::Program => output.depth.0[lane],
            DepthSource::Window => window_z,
        };
        Fragment { color: merge::lane_color(output, lane), depth, killed: output.killed >> lane & 1 != 0 }
    }

    fn mesh(&self, mesh: &Mesh, layout: &Layout, framebuffer: &mut Framebuffer, threads: &Threads) {
        let size = framebuffer.size();
        let stage = VertexStage { mesh, view: self.draw.camera.view(size) };
        let planes = Setup::depth_planes(self.draw, source(self.shader));
        let setup = Setup::new(self.draw, size, stage.view.near, planes);
        let vertices = Vertices::new(stage, layout, setup, threads);
        let bins = Bins::new(size);
        // Bounds the memory for bins, however large the triangles are.
        let batch = ((1 << 26) / bins.count()).clamp(CHUNK, 1 << 18);
        let triangles = mesh.triangles();
        let batches = triangles.len().div_ceil(batch).max(1);
        for number in 0..batches {
            let range = number * batch..triangles.len().min((number + 1) * batch);
            let starts: Vec<usize> = range.clone().step_by(CHUNK).collect();
            let chunks = threads.map(starts, |start| {
                let end = range.end.min(start + CHUNK);
                let mut stats = Stats::default();
                let range = if self.cancelled() { end..end } else { start..end };
                let chunk = Chunk::new(&vertices, &bins, range, &mut stats);
                *lock(&self.stats) += stats;
                chunk
            });
            threads.each(framebuffer.tiles(), |mut tile| {
                let bin = bins.index(tile.origin);
                if chunks.iter().all(|chunk| chunk.is_empty(bin)) {
                    if number == 0 && !self.cancelled() {
                        self.clear(&mut tile);
                    }
                    return;
                }
                self.with_worker(|worker, stats| {
                    let pixels = worker.pixels.get_or_insert_default();
                    if number == 0 {
                        pixels.clear(self.draw.clear_color, self.draw.clamped_clear_depth());
                    } else {
                        pixels.load(&tile);
                    }
                    self.mesh_tile(&vertices, &chunks, bin, &tile, worker, stats);
                    if let Some(pixels) = &worker.pixels {
                        pixels.store(&mut tile);
                    }
                });
            });
            if self.cancelled() {
                return;
            }
        }
    }

    /// Draws the triangles of a bin to the worker's pixels.
    fn mesh_tile(
        &self,
        vertices: &Vertices<'_>,
        chunks: &[Chunk],
        bin: usize,
        tile: &Tile<'_>,
        worker: &mut Worker<S::Worker>,
        stats: &mut Stats,
    ) {
        let high = [0, 1].map(|axis| tile.origin[axis] + tile.size[axis] - 1);
        let area = Bounds { low: tile.origin, high };
        let Worker { shader, rows, output, pixels, gather } = worker;
        let Some(pixels) = pixels else { return };
        let mut shade = |gather: &mut Gather, pixels: &mut QuadTile, stats: &mut Stats, least: usize| {
            while gather.waiting() > least {
                let active = gather.fill(rows, vertices.layout(), tile.origin);
                self.shade_block(shader, rows, output, active, stats);
                gather.merge(&self.merge, pixels, output, stats);
            }
        };
        for chunk in chunks {
            for entry in chunk.bin(bin) {
                let Some(triangle) = chunk.triangle(vertices, entry) else { continue };
                if gather.cover(triangle, area, &self.merge, pixels, stats) {
                    gather.keep(|varyings| chunk.varyings(vertices, entry, varyings));
                    shade(gather, pixels, stats, QUADS - 1);
                }
            }
        }
        shade(gather, pixels, stats, 0);
    }
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
