//! Who draws what when: triangles are prepared and binned to tiles in chunks, tiles are drawn by
//! whichever thread is free, each from its bins in drawing order.

use super::clip::DepthPlanes;
use super::interpolate::{self, BLOCK_WIDTH, ViewportQuad};
use super::merge::{self, DepthSource, Fragment, Merge};
use super::raster::{self, Touch};
use super::setup::{self, Bounds, Prepared, Setup, Triangle, Varying};
use super::tile::{TILE, Tile};
use super::vertex::{Layout, Slot, VertexStage};
use super::{Cancelled, Draw, Framebuffer, Geometry, Mesh, PixelStatus, Stats, Threads};
use crate::exec::{AttributeRows, BlockOutput, BlockShader, LANES};
use glam::DVec4;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Quads in a block.
const QUADS: usize = LANES / 4;

/// Triangles that one task prepares.
const CHUNK: usize = 2048;

/// Vertices that one task transforms.
const VERTICES: usize = 8192;

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
            Worker { shader: self.shader.worker(), rows, output: BlockOutput::default() }
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
                    self.shade(worker, active, stats);
                    self.merge_rows(worker, active, &mut tile, [x as usize, y as usize], quad.z, stats);
                }
            }
        });
    }

    fn shade(&self, worker: &mut Worker<S::Worker>, active: u64, stats: &mut Stats) {
        worker.output.killed = 0;
        self.shader.run(&mut worker.shader, &worker.rows, active, &mut worker.output);
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
        let positions = transform(&stage, threads);
        let bins = Bins::new(size);
        // Bounds the memory for bins, however large the triangles are.
        let batch = ((1 << 26) / bins.count()).clamp(CHUNK, 1 << 16);
        let triangles = mesh.triangles();
        let batches = triangles.len().div_ceil(batch).max(1);
        for number in 0..batches {
            let range = number * batch..triangles.len().min((number + 1) * batch);
            let starts: Vec<usize> = range.clone().step_by(CHUNK).collect();
            let chunks = threads.map(starts, |start| {
                let range = start..range.end.min(start + CHUNK);
                self.chunk(&stage, layout, planes, &positions, &bins, range)
            });
            threads.each(framebuffer.tiles(), |mut tile| {
                if number == 0 && !self.cancelled() {
                    self.clear(&mut tile);
                }
                let bin = bins.index(tile.origin);
                if chunks.iter().any(|chunk| !chunk.bin(bin).is_empty()) {
                    self.mesh_tile(layout, &chunks, bin, tile);
                }
            });
            if self.cancelled() {
                return;
            }
        }
    }

    /// Prepares and bins the triangles of `range`.
    fn chunk(
        &self,
        stage: &VertexStage<'_>,
        layout: &Layout,
        planes: DepthPlanes,
        positions: &[DVec4],
        bins: &Bins,
        range: std::ops::Range<usize>,
    ) -> Chunk {
        let mut stats = Stats::default();
        let mut prepared = Prepared::default();
        let setup = Setup::new(self.draw, bins.size, stage.view.near, planes);
        let start = if self.cancelled() { range.end } else { range.start };
        for index in start..range.end {
            let vertices = stage.mesh.triangles()[index];
            let corners = vertices.map(|vertex| positions[vertex as usize]);
            setup.prepare(index as u32, corners, &mut stats, |triangle, corners| {
                prepared.triangles.push(triangle);
                setup::varyings(layout, stage, vertices, &corners, &mut prepared.varyings);
            });
        }
        *lock(&self.stats) += stats;
        Chunk::new(prepared, layout.varyings.len(), bins)
    }

    fn mesh_tile(&self, layout: &Layout, chunks: &[Chunk], bin: usize, tile: Tile<'_>) {
        self.with_worker(|worker, stats| {
            let area = Bounds {
                low: tile.origin,
                high: [tile.origin[0] + tile.size[0] - 1, tile.origin[1] + tile.size[1] - 1],
            };
            let mut gather =
                Gather { run: self, layout, worker, stats, tile, quads: Vec::with_capacity(QUADS) };
            for chunk in chunks {
                for &id in chunk.bin(bin) {
                    let triangle = &chunk.prepared.triangles[id as usize];
                    let varyings = chunk.varyings(id as usize);
                    raster::quads(triangle, area, |x, y, covered| {
                        gather.add(triangle, varyings, [x, y], covered);
                    });
                }
            }
            gather.flush();
        });
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

/// All vertices in clip coordinates.
fn transform(stage: &VertexStage<'_>, threads: &Threads) -> Vec<DVec4> {
    let count = stage.mesh.positions().len();
    let starts: Vec<usize> = (0..count).step_by(VERTICES).collect();
    let parts = threads.map(starts, |start| {
        let vertices = start as u32..count.min(start + VERTICES) as u32;
        vertices.map(|vertex| stage.clip(vertex)).collect::<Vec<_>>()
    });
    parts.concat()
}

/// The grid of tiles.
struct Bins {
    size: [u32; 2],
    columns: usize,
    rows: usize,
}

impl Bins {
    fn new(size: [u32; 2]) -> Self {
        let [columns, rows] = size.map(|side| side.div_ceil(TILE) as usize);
        Self { size, columns, rows }
    }

    fn count(&self) -> usize {
        self.columns * self.rows
    }

    fn index(&self, origin: [u32; 2]) -> usize {
        (origin[1] / TILE) as usize * self.columns + (origin[0] / TILE) as usize
    }

    /// Calls `f` with every tile that `triangle` may touch.
    fn touched(&self, triangle: &Triangle, mut f: impl FnMut(usize)) {
        let [low, high] = [triangle.bounds.low, triangle.bounds.high].map(|p| p.map(|x| x / TILE * TILE));
        let few = high[0] - low[0] <= TILE && high[1] - low[1] <= TILE;
        for y in (low[1]..=high[1]).step_by(TILE as usize) {
            for x in (low[0]..=high[0]).step_by(TILE as usize) {
                let tile = Bounds { low: [x, y], high: [x + TILE - 1, y + TILE - 1] };
                if few || raster::touches(triangle, tile) != Touch::Outside {
                    f(self.index([x, y]));
                }
            }
        }
    }
}

/// Prepared triangles and, for each tile, those that may touch it in drawing order.
struct Chunk {
    prepared: Prepared,
    varyings: usize,
    /// Where each tile's part of `ids` starts, and its end.
    starts: Vec<u32>,
    ids: Vec<u32>,
}

impl Chunk {
    fn new(prepared: Prepared, varyings: usize, bins: &Bins) -> Self {
        let mut starts = vec![0; bins.count() + 1];
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for (id, triangle) in prepared.triangles.iter().enumerate() {
            bins.touched(triangle, |tile| {
                starts[tile + 1] += 1;
                pairs.push((tile as u32, id as u32));
            });
        }
        for tile in 0..bins.count() {
            starts[tile + 1] += starts[tile];
        }
        let mut next = starts.clone();
        let mut ids = vec![0; pairs.len()];
        for (tile, id) in pairs {
            let place = &mut next[tile as usize];
            ids[*place as usize] = id;
            *place += 1;
        }
        Self { prepared, varyings, starts, ids }
    }

    fn bin(&self, tile: usize) -> &[u32] {
        &self.ids[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }

    fn varyings(&self, id: usize) -> &[Varying] {
        &self.prepared.varyings[id * self.varyings..(id + 1) * self.varyings]
    }
}

/// A quad that waits for its block to fill.
struct Quad<'a> {
    triangle: &'a Triangle,
    varyings: &'a [Varying],
    at: [u32; 2],
    covered: u8,
    z: [f32; 4],
}

/// Gathers quads into blocks, shades and merges them.
struct Gather<'a, 'b, S: BlockShader> {
    run: &'b Run<'b, S>,
    layout: &'b Layout,
    worker: &'b mut Worker<S::Worker>,
    stats: &'b mut Stats,
    tile: Tile<'a>,
    quads: Vec<Quad<'b>>,
}

impl<'b, S: BlockShader> Gather<'_, 'b, S> {
    fn add(&mut self, triangle: &'b Triangle, varyings: &'b [Varying], at: [u32; 2], mut covered: u8) {
        let merge = &self.run.merge;
        let mut z = [0.0; 4];
        if merge.uses_window_depth() {
            z = interpolate::window_z(triangle, &interpolate::edge_functions(triangle, at[0], at[1]));
            if !self.run.can_kill {
                covered = self.depth_test_early(at, &z, covered);
                if covered == 0 {
                    return;
                }
            }
        }
        self.quads.push(Quad { triangle, varyings, at, covered, z });
        if self.quads.len() == QUADS {
            self.flush();
        }
    }

    /// Drops the lanes that cannot pass the depth test any more. What waits in `quads` can only make
    /// more of them fail, so the final test in `flush` still decides.
    fn depth_test_early(&mut self, at: [u32; 2], z: &[f32; 4], mut covered: u8) -> u8 {
        for lane in lanes(covered.into()) {
            let [x, y] = self.local(at, lane);
            if self.run.merge.fails_for_good(z[lane], self.tile.depth[y][x]) {
                covered &= !(1 << lane);
                self.stats.depth_failed += 1;
                let status = &mut self.tile.status[y][x];
                if *status != PixelStatus::Written {
                    *status = PixelStatus::DepthFailed;
                }
            }
        }
        covered
    }

    /// A lane's pixel within the tile.
    fn local(&self, at: [u32; 2], lane: usize) -> [usize; 2] {
        let [x, y] = [at[0] - self.tile.origin[0], at[1] - self.tile.origin[1]];
        [x as usize + lane % 2, y as usize + lane / 2]
    }

    fn flush(&mut self) {
        if self.quads.is_empty() {
            return;
        }
        let mut active = 0;
        for (number, quad) in self.quads.iter().enumerate() {
            interpolate::fill_quad(
                &mut self.worker.rows,
                number,
                self.layout,
                quad.triangle,
                quad.varyings,
                quad.at,
            );
            active |= u64::from(quad.covered) << (4 * number);
        }
        self.run.shade(self.worker, active, self.stats);
        // In order: two quads of a block may cover the same pixel.
        for (number, quad) in self.quads.iter().enumerate() {
            for lane in lanes(quad.covered.into()) {
                let [x, y] = self.local(quad.at, lane);
                let fragment = self.run.fragment(&self.worker.output, number * 4 + lane, quad.z[lane]);
                self.run.merge.fragment(&mut self.tile, x, y, &fragment, self.stats);
            }
        }
        self.quads.clear();
    }
}
