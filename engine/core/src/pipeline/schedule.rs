//! Schedules a draw: prepares and bins primitives in chunks. Then each free thread draws a tile, with the
//! tile's primitives in drawing order.

mod viewport;

use super::bins::{Bins, Chunk};
use super::block::QUADS;
use super::feedback::{Captured, Feedback};
use super::history::Merging;
use super::interface::{Slot, StageInterface};
use super::interpolate::{self, ViewportQuad};
use super::merge::Merge;
use super::quad_batcher::QuadBatcher;
use super::setup::Limits;
use super::shaded::{ShadedDraw, UnshadedDraw};
use super::tile::{QuadTile, StencilPlane, Tile};
use super::{
    Cancelled, Clear, ColorFormat, Draw, Elements, FragmentReads, Framebuffer, Geometry, MultisampleState,
    PatchConflict, PixelStatus, RasterState, Samples, Stats, Threads, VertexInput,
};
use crate::exec::{AttributeLanes, BlockOutput, BlockShader, FragmentFacts, LANES, VertexShader};
use crate::memory::Use;
use crate::subject::Subject;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Primitives per preparation task.
const CHUNK: usize = 2048;

/// Prefetch distance in clipped primitives: the vertices of a clipped primitive are prefetched this many
/// ahead, the entry itself twice as many.
const AHEAD: usize = 12;

/// Clears the framebuffer, if the draw asks for it, and draws. The viewport quad does not run `vertex`. Each
/// pixel has the framebuffer's number of samples.
///
/// Memory besides the framebuffer: `vertices` lists the size of an element. At most 2^18 primitives are
/// prepared at a time. Each takes about 40 bytes as a whole triangle and 250 as a line, point or clipped
/// triangle. Instances are drawn together as long as they have no more than 2^18 vertices in all.
///
/// Programs that change memory run in a fixed order on the caller's thread. `vertex` runs on one element
/// after the other, in array order. Then `fragment` runs on the fragments of one primitive after the other:
/// tile by tile from the lower left, and quad by quad within a tile. For such programs no fragment is skipped
/// early because a later test is bound to refuse it.
///
/// # Errors
/// If `cancel` became true before all tiles were drawn. The framebuffer is then partly drawn.
pub fn render<V: VertexShader, F: BlockShader>(
    draw: &Draw,
    vertex: &V,
    fragment: &F,
    target: &mut Framebuffer,
    threads: &Threads,
    cancel: &AtomicBool,
) -> Result<Stats, Cancelled> {
    render_recording(draw, (vertex, fragment), Outputs::default(), target, threads, cancel)
}

/// Optional results of a draw besides its picture. The draw replaces earlier contents.
#[derive(Default)]
pub struct Outputs<'a> {
    /// Transform feedback to record, and where to record it.
    pub feedback: Option<(&'a Feedback, &'a mut Captured)>,
    /// Conflicts among the invocations of patches, one for each cause.
    pub conflicts: Option<&'a mut Vec<PatchConflict>>,
}

/// As [`render`], with further results of the draw.
///
/// # Errors
/// As [`render`]. The results are then incomplete.
pub fn render_recording<V: VertexShader, F: BlockShader>(
    draw: &Draw,
    (vertex, fragment): (&V, &F),
    outputs: Outputs<'_>,
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
    let facts = fragment.facts();
    let threads = if facts.is_serialised() { &alone } else { threads };
    let reads = FragmentReads::of(&facts);
    match &draw.geometry {
        Geometry::ViewportQuad => {
            let quad = ViewportQuad::new(&state, &reads, target.size());
            let from = (&state, draw.clear);
            let fragments = (fragment, facts, target.color.format());
            let run = DrawPass::new(from, fragments, (&quad.constants, None), cancel);
            if state.discard {
                run.primitives((&[], true), draw.clear, (target, &HeldTiles::default()), threads);
                return run.finish();
            }
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
            // A draw without instances still clears.
            let nothing = VertexInput { elements: Elements::NONE, instances: 1, ..input.clone() };
            let input = if input.instances == 0 { &nothing } else { input };
            // Vertex programs may read memory that fragments of the previous instance wrote. Those fragments
            // must not read memory that these vertex programs write.
            let apart = |memory_use: Use| match memory_use {
                Use::None => false,
                Use::Reads => facts.memory_use == Use::Writes,
                Use::Writes => true,
            };
            let mut unshaded = UnshadedDraw::new((input, vertex), &state, &reads, target.size());
            let mut capture = outputs.feedback.map(|feedback| unshaded.capture(feedback));
            if outputs.conflicts.is_some() {
                unshaded.find_conflicts();
            }
            let apart = apart(vertex.memory_use()) || unshaded.memory_use().into_iter().any(apart);
            let interface = &*unshaded.interface;
            let mut stages = unshaded.stages(shading, cancel);
            let held = HeldTiles::default();
            let mut clear = draw.clear;
            while !stages.is_over() {
                let recorded = stages.by_ref().map(|mut stage| {
                    stats += stage.done;
                    match &mut capture {
                        Some(capture) => capture.take(&stage, &mut stats),
                        None => stage.count_generated(&mut stats),
                    }
                    stage.forget_streams();
                    stage
                });
                let mut together = together(recorded, apart);
                if state.discard {
                    together.drain(..).for_each(|stage| stage.recycle(threads));
                }
                let run = DrawPass::new(
                    (&state, draw.clear),
                    (fragment, facts, target.color.format()),
                    (&interface.constants, Some(interface)),
                    cancel,
                );
                // If no other pass draws before or after this one, samples need not be kept.
                let is_all = clear.is_some() && stages.is_over();
                run.primitives((&together, is_all), clear.take(), (target, &held), threads);
                stats += run.finish()?;
                together.into_iter().for_each(|stage| stage.recycle(threads));
            }
            held.store(target, threads);
            if let Some(conflicts) = outputs.conflicts {
                *conflicts = stages.conflicts;
            }
            Ok(stats)
        }
    }
}

/// The stages of one pass over the tiles. One stage if passes must be `apart`; otherwise as many stages as
/// the memory for vertices allows.
fn together<'a>(parts: impl Iterator<Item = ShadedDraw<'a>>, apart: bool) -> Vec<ShadedDraw<'a>> {
    const MOST_VERTICES: usize = 1 << 18;
    let (mut stages, mut vertices) = (Vec::new(), 0);
    for stage in parts {
        // A stage without vertices still takes some memory.
        vertices += stage.primitives.vertices().max(64);
        stages.push(stage);
        if apart || vertices >= MOST_VERTICES {
            break;
        }
    }
    stages
}

/// Scratch memory of one thread.
struct Worker<W> {
    shader: W,
    inputs: AttributeLanes,
    output: BlockOutput,
    /// Only for primitives: room for the tile in progress.
    pixels: Option<QuadTile>,
    batcher: QuadBatcher,
    /// Only for primitives: the tile's entries, as chunk number and entry number.
    entries: Vec<(u32, u32)>,
}

/// One draw in progress.
struct DrawPass<'a, S: BlockShader> {
    clear: Option<Clear>,
    shader: &'a S,
    merge: Merge,
    facts: FragmentFacts,
    constants: &'a [(Slot, f32)],
    /// Only for primitives.
    interface: Option<&'a StageInterface>,
    /// The inspected layer, if the framebuffer is layered.
    seen: Option<usize>,
    cancel: &'a AtomicBool,
    /// Workers that no thread is using.
    workers: Mutex<Vec<Worker<S::Worker>>>,
    stats: Mutex<Stats>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a, S: BlockShader> DrawPass<'a, S> {
    /// `format` is the format of colour buffer 0.
    fn new(
        (state, clear): (&RasterState, Option<Clear>),
        (shader, facts, format): (&'a S, FragmentFacts, ColorFormat),
        (constants, interface): (&'a [(Slot, f32)], Option<&'a StageInterface>),
        cancel: &'a AtomicBool,
    ) -> Self {
        let merge = Merge::new(state, Merging::of(&facts), format);
        let (workers, stats) = (Mutex::default(), Mutex::default());
        let seen = state.layers.map(|layers| layers.seen as usize);
        Self { clear, shader, facts, merge, constants, interface, seen, cancel, workers, stats }
    }

    fn finish(self) -> Result<Stats, Cancelled> {
        if self.cancelled() { Err(Cancelled) } else { Ok(*lock(&self.stats)) }
    }

    /// Whether the shader reads the pixel of each lane. A shader that accesses memory needs the pixel for
    /// messages about wrong accesses.
    fn names_pixels(&self) -> bool {
        self.facts.needs_pixels || self.facts.memory_use != Use::None
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
            Worker { shader, inputs, output, pixels: None, batcher, entries: Vec::new() }
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
        // A tile of long programs takes seconds, a block does not. A cancelled block leaves its output unset,
        // because no caller reads it.
        if self.cancelled() {
            return;
        }
        output.killed = 0;
        self.shader.run(worker, inputs, active, output);
        stats.blocks += 1;
        stats.fragments += u64::from(active.count_ones());
    }

    /// Draws the primitives of several stages, one stage after the other.
    fn primitives(
        &self,
        (stages, is_all): (&[ShadedDraw<'_>], bool),
        mut clear: Option<Clear>,
        (framebuffer, held): (&mut Framebuffer, &HeldTiles),
        threads: &Threads,
    ) {
        let bins = Bins::new(framebuffer.size(), framebuffer.layers(), self.merge.sampling.covered);
        let is_serialised = self.facts.is_serialised();
        let batches = batches(stages, &bins);
        let in_one_pass = is_all && batches.len() == 1;
        let whole = clear.is_some() && framebuffer.samples() != Samples::One;
        let held = is_serialised.then(|| held.of(self.merge.stencil_plane(), bins.count(), whole));
        // Samples in the framebuffer are not read before the end of the pass, and at the end the window is
        // resolved.
        let has_no_use = in_one_pass || held.is_some_and(|held| held.whole);
        if !(has_no_use && framebuffer.drop_samples()) {
            framebuffer.have_samples();
        }
        for batch in batches {
            let chunks = threads.map(batch, |(stage, range)| {
                let mut stats = Stats::default();
                let range = if self.cancelled() { range.end..range.end } else { range };
                let chunk = Chunk::new(stage, &bins, (range, is_serialised), threads, &mut stats);
                *lock(&self.stats) += stats;
                (stage, chunk)
            });
            let (prepared, clear) = (Prepared { chunks: &chunks, bins: &bins }, clear.take());
            match held {
                Some(held) => self.in_turns(prepared, clear, (framebuffer, held), threads),
                None => self.by_tiles(prepared, clear, framebuffer, threads),
            }
            chunks.into_iter().for_each(|(_, chunk)| chunk.recycle(threads));
            if self.cancelled() {
                return;
            }
        }
    }

    /// Draws tile by tile.
    fn by_tiles(
        &self,
        prepared: Prepared<'_>,
        clear: Option<Clear>,
        framebuffer: &mut Framebuffer,
        threads: &Threads,
    ) {
        framebuffer.each_tile(self.merge.stencil_plane(), threads, |mut tile| {
            let bin = prepared.bins.of(&tile);
            if prepared.is_untouched(bin) {
                if let Some(clear) = clear.filter(|_| !self.cancelled()) {
                    clear_tile(clear, &mut tile);
                }
                return;
            }
            self.with_worker(|worker, stats| {
                let mut pixels = worker.pixels.take().unwrap_or_default();
                pixels.begin(clear, &tile);
                let place = (prepared.bins, bin);
                self.tile((prepared.chunks, &Chunk::ALL), place, &mut pixels, worker, stats);
                pixels.store(&mut tile);
                worker.pixels = Some(pixels);
            });
        });
    }

    /// Draws primitive by primitive. Each primitive is complete in all tiles before the next begins, because
    /// programs could observe another order through memory. All touched tiles stay in memory meanwhile.
    fn in_turns(
        &self,
        prepared: Prepared<'_>,
        clear: Option<Clear>,
        (framebuffer, tiles): (&mut Framebuffer, &Held),
        threads: &Threads,
    ) {
        let Prepared { chunks, bins } = prepared;
        let is_missing =
            |bin: usize| (tiles.whole || !prepared.is_untouched(bin)) && lock(&tiles.pixels[bin]).is_none();
        if clear.is_some() || (0..bins.count()).any(is_missing) {
            framebuffer.each_tile(tiles.stencil, threads, |mut tile| {
                let bin = bins.of(&tile);
                if is_missing(bin) {
                    lock(&tiles.pixels[bin]).insert(QuadTile::default()).begin(clear, &tile);
                } else if let Some(clear) = clear {
                    clear_tile(clear, &mut tile);
                }
            });
        }
        self.with_worker(|worker, stats| {
            for part in chunks {
                for turn in part.1.turns() {
                    for bin in part.1.tiles(&turn) {
                        let mut pixels = lock(&tiles.pixels[bin]);
                        let Some(pixels) = &mut *pixels else { continue };
                        self.tile((std::slice::from_ref(part), &turn), (bins, bin), pixels, worker, stats);
                    }
                    if self.cancelled() {
                        return;
                    }
                }
            }
        });
    }

    /// Draws a part of each chunk's clipped primitives to a tile.
    fn tile(
        &self,
        (chunks, part): (&[(&ShadedDraw<'_>, Chunk)], &Range<u32>),
        (bins, bin): (&Bins, usize),
        pixels: &mut QuadTile,
        worker: &mut Worker<S::Worker>,
        stats: &mut Stats,
    ) {
        // Early tests must come after the outcomes of all earlier primitives, so no quad may wait then.
        let least = if self.merge.has_early_tests() { 0 } else { QUADS - 1 };
        let area = bins.area(bin);
        worker.inputs.set_aside(self.seen.is_some_and(|seen| bins.layer(bin) != seen));
        let mut entries = std::mem::take(&mut worker.entries);
        entries.clear();
        for (number, (_, chunk)) in (0..).zip(chunks) {
            entries.extend(chunk.ids(bin, part).iter().map(|&id| (number, id)));
        }
        for (place, &(number, id)) in entries.iter().enumerate() {
            // Entries and vertices are scattered in memory. The entry has to be prefetched before its
            // vertices.
            if let Some(&(number, id)) = entries.get(place + 2 * AHEAD) {
                chunks[number as usize].1.fetch(id);
            }
            if let Some(&(number, id)) = entries.get(place + AHEAD) {
                let (stage, chunk) = &chunks[number as usize];
                chunk.fetch_vertices(stage, id);
            }
            let (stage, chunk) = &chunks[number as usize];
            let (entry, batcher) = (chunk.entry(id), &mut worker.batcher);
            let Some(cover) = chunk.triangle_setup(stage, entry, batcher.next_triangle()) else { continue };
            if batcher.cover(cover, entry.source.facing, area, &self.merge, pixels, stats) {
                if self.names_pixels() {
                    let primitive = entry.source.primitive;
                    batcher.name(|source| {
                        source.origin = stage.origin(primitive);
                        source.before.clear();
                        stage.hand_on(primitive, &mut source.before);
                    });
                }
                batcher.keep(|varyings| chunk.varyings(stage, entry, varyings));
                self.shade(area.low, least, pixels, worker, stats);
            }
        }
        worker.entries = entries;
        self.shade(area.low, 0, pixels, worker, stats);
    }

    /// Shades and merges waiting quads until at most `least` are left. `origin` is the lower left pixel of
    /// the tile.
    fn shade(
        &self,
        origin: [u32; 2],
        least: usize,
        pixels: &mut QuadTile,
        worker: &mut Worker<S::Worker>,
        stats: &mut Stats,
    ) {
        let Worker { shader, inputs, output, batcher, .. } = worker;
        let Some(interface) = self.interface else { return };
        while batcher.waiting() > least {
            let active = batcher.fill(inputs, interface, origin);
            if self.names_pixels() {
                batcher.name_lanes(inputs, origin, self.merge.sampling.rate);
            }
            self.shade_block(shader, inputs, output, active.any(), stats);
            batcher.merge(&self.merge, pixels, (output, &active), stats);
        }
    }
}

/// Tiles that a primitive-by-primitive draw keeps in memory, from the first pass that draws to them to the
/// end of the draw.
#[derive(Default)]
struct HeldTiles(OnceLock<Held>);

struct Held {
    stencil: StencilPlane,
    /// Whether all tiles are held from the beginning. The framebuffer then needs no samples meanwhile.
    whole: bool,
    /// The tiles, by their number in the bins.
    pixels: Vec<Mutex<Option<QuadTile>>>,
}

impl HeldTiles {
    /// The held tiles of the draw. The first pass determines the stencil plane and the number of tiles.
    fn of(&self, stencil: StencilPlane, count: usize, whole: bool) -> &Held {
        self.0.get_or_init(|| {
            let mut pixels = Vec::new();
            pixels.resize_with(count, Mutex::default);
            Held { stencil, whole, pixels }
        })
    }

    /// Stores the held tiles in the framebuffer.
    fn store(self, framebuffer: &mut Framebuffer, threads: &Threads) {
        let Some(Held { stencil, pixels, .. }) = self.0.into_inner() else { return };
        let bins = Bins::new(framebuffer.size(), framebuffer.layers(), framebuffer.samples());
        framebuffer.each_tile(stencil, threads, |mut tile| {
            if let Some(mut pixels) = lock(&pixels[bins.of(&tile)]).take() {
                pixels.store(&mut tile);
            }
        });
    }
}

/// Primitives that are ready to be drawn.
#[derive(Clone, Copy)]
struct Prepared<'a> {
    chunks: &'a [(&'a ShadedDraw<'a>, Chunk)],
    bins: &'a Bins,
}

impl Prepared<'_> {
    /// Whether no primitive touches a tile.
    fn is_untouched(&self, bin: usize) -> bool {
        self.chunks.iter().all(|(_, chunk)| chunk.is_empty(bin))
    }
}

/// The primitives of all stages in drawing order, split into parts for one preparation task each. The parts
/// of a batch are prepared together before any of them is drawn. There is at least one batch.
fn batches<'s, 'a>(
    stages: &'s [ShadedDraw<'a>],
    bins: &Bins,
) -> Vec<Vec<(&'s ShadedDraw<'a>, Range<usize>)>> {
    // Bounds the memory for bins, for large primitives and for parts with few primitives.
    let most_primitives = ((1 << 26) / bins.count()).clamp(CHUNK, 1 << 18);
    let most_parts = (1 << 23) / bins.count();
    let (mut batches, mut batch, mut primitives) = (Vec::new(), Vec::new(), 0);
    for stage in stages {
        let count = stage.primitives.count();
        for start in (0..count).step_by(CHUNK) {
            let part = start..count.min(start + CHUNK);
            if primitives + part.len() > most_primitives || batch.len() >= most_parts.max(1) {
                batches.push(std::mem::take(&mut batch));
                primitives = 0;
            }
            primitives += part.len();
            batch.push((stage, part));
        }
    }
    batches.push(batch);
    batches
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
