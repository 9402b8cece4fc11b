//! The quad batcher: collects the quads of many clipped primitives until a block of 64 lanes is full, then
//! interpolates and shades them together.
//!
//! The batcher stores the data that quads need of their primitives. Its buffers are reused as long as the
//! thread's worker lives.

use super::bins::Cover;
use super::block::{self, COLUMNS, QUADS, STRIP};
use super::interface::StageInterface;
use super::interpolate::{self, Quads, TriangleSetup};
use super::line::LineCover;
use super::merge::{self, EarlyTests, Merge, Outcomes, Shaded};
use super::raster::{self, Sink, Whole};
use super::samples::{Rate, Sampling};
use super::setup::{Bounds, Triangle};
use super::tile::{self, QuadTile};
use super::varyings::Varying;
use super::{Facing, Samples, Stats};
use crate::exec::{AttributeLanes, BlockOutput, LANES};
use crate::memory::{Before, Origin};
use crate::simd::{self, Simd};
use crate::subject::Subject;
use std::marker::PhantomData;

/// Quads that wait to be shaded, in drawing order.
#[derive(Debug, Default)]
pub(super) struct QuadBatcher {
    waiting: Waiting,
    /// The number of quads at the start of `waiting` that have been drawn.
    done: usize,
    /// A ring buffer of clipped primitives. When a primitive arrives, fewer quads wait than a batch holds. So
    /// they belong to fewer primitives than the ring has places.
    kept: Vec<TriangleSetup>,
    /// Diagnostic data of each kept primitive, if diagnostics name fragments.
    sources: Vec<Source>,
    /// The place of the next clipped primitive in the ring.
    next: usize,
}

/// Diagnostic data of the fragments of a clipped primitive.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub origin: Origin,
    /// Clocks that the fragments start with.
    pub before: Vec<Before>,
}

/// Quads of clipped primitives, one vector per field. Vectors may be longer; only the first `count` elements
/// are valid, or `count` times `samples` elements in vectors by sample.
#[derive(Debug)]
struct Waiting {
    count: usize,
    /// Samples per quad: all samples of the framebuffer, or one with one invocation per sample.
    samples: usize,
    /// See [`QuadTile::place`]. With one invocation per sample, places continue from one sample to the next.
    places: Vec<u16>,
    /// The lanes to draw, for each quad and sample.
    covered: Vec<u8>,
    /// Rasterised depths as the depth test compares them, for each quad and sample. Unused unless the depth
    /// test runs after the program.
    z: Vec<[f32; 4]>,
    /// The samples that the clipped primitive covers of each lane's pixel, before tests remove any. Empty
    /// unless attributes depend on them.
    coverage: Vec<[u16; 4]>,
    keeps_coverage: bool,
    /// Place of each quad's clipped primitive in the ring.
    setups: Vec<u8>,
    /// Empty unless merging depends on facing.
    facings: Vec<Facing>,
}

/// Packs bytes below 16 into adjacent four-bit fields.
#[inline(always)]
const fn nibbles(bytes: [u8; 8]) -> u64 {
    let x = u64::from_le_bytes(bytes);
    let x = (x | x >> 4) & 0x00FF_00FF_00FF_00FF;
    let x = (x | x >> 8) & 0x0000_FFFF_0000_FFFF;
    (x | x >> 16) & 0xFFFF_FFFF
}

impl Default for Waiting {
    fn default() -> Self {
        Self {
            count: 0,
            samples: 1,
            places: Vec::new(),
            covered: Vec::new(),
            z: Vec::new(),
            coverage: Vec::new(),
            keeps_coverage: false,
            setups: Vec::new(),
            facings: Vec::new(),
        }
    }
}

impl Waiting {
    /// Removes the first `count` quads.
    fn drop_first(&mut self, count: usize) {
        let samples = self.samples;
        self.places.copy_within(count..self.count, 0);
        self.covered.copy_within(count * samples..self.count * samples, 0);
        self.z.copy_within(count * samples..self.count * samples, 0);
        if self.keeps_coverage {
            self.coverage.copy_within(count..self.count, 0);
        }
        self.count -= count;
        self.setups.drain(..count);
        self.facings.drain(..count.min(self.facings.len()));
    }

    /// The lanes of a batch that are covered at a sample.
    #[inline(always)]
    fn covered_lanes(&self, batch: std::ops::Range<usize>, sample: usize) -> u64 {
        let first = &self.covered[batch.start * self.samples + sample..];
        // Reads a full batch at once, including quads after the batch's end: single bytes stored to one array
        // would have to wait for each other.
        let lanes: [u8; QUADS] = match first.first_chunk() {
            Some(lanes) if self.samples == 1 => *lanes,
            _ => std::array::from_fn(|quad| first.get(quad * self.samples).copied().unwrap_or_default()),
        };
        let [low, high] = [0, 1].map(|half| nibbles(lanes.as_chunks().0[half]));
        (low | high << 32) & u64::MAX >> (4 * (QUADS - batch.len()))
    }

    /// Reserves room for the quads of a clipped primitive, with a reserve for uncovered quads of a strip.
    fn reserve(&mut self, sampling: Sampling) {
        let stored = sampling.stored.count();
        let (samples, invocations) = if sampling.rate == Rate::Pixel { (stored, 1) } else { (1, stored) };
        self.samples = samples;
        let needed = self.count + invocations * tile::QUADS + COLUMNS;
        if self.places.len() < needed {
            self.places.resize(needed, 0);
        }
        if self.z.len() < needed * samples {
            self.covered.resize(needed * samples, 0);
            self.z.resize(needed * samples, [0.0; 4]);
        }
        if self.keeps_coverage && self.coverage.len() < needed {
            self.coverage.resize(needed, [0; 4]);
        }
    }

    /// Adds a quad with `N` samples. There must be room.
    #[inline(always)]
    fn push<const N: usize>(&mut self, place: u16, covered: [u8; N], z: Option<[[f32; 4]; N]>) {
        self.places[self.count] = place;
        self.covered[self.count * N..][..N].copy_from_slice(&covered);
        if let Some(z) = z {
            self.z[self.count * N..][..N].copy_from_slice(&z);
        }
        self.count += 1;
    }

    /// Adds the quads of a strip that have a lane in `covered`. `first` is the place of the strip's first
    /// quad. All quads are written, and the next ones overwrite quads without lanes, because a branch would
    /// be unpredictable. There must be room.
    #[inline(always)]
    fn push_strip<const N: usize>(&mut self, first: u16, covered: [u16; N], z: Option<&[[f32; STRIP]; N]>) {
        let room = self.count..self.count + COLUMNS;
        let of_samples = self.count * N..(self.count + COLUMNS) * N;
        let (places, masks) = (&mut self.places[room], &mut self.covered[of_samples.clone()]);
        let any = any(&covered);
        let (mut slots, mut next) = ([0; COLUMNS], 0);
        for (quad, slot) in slots.iter_mut().enumerate() {
            *slot = next;
            places[next] = first + quad as u16;
            for sample in 0..N {
                masks[next * N + sample] = (covered[sample] >> (4 * quad)) as u8 & 15;
            }
            next += usize::from(any >> (4 * quad) & 15 != 0);
        }
        if let Some(z) = z {
            let depths = &mut self.z[of_samples];
            for (quad, slot) in slots.into_iter().enumerate() {
                for sample in 0..N {
                    depths[slot * N + sample].copy_from_slice(&z[sample][4 * quad..][..4]);
                }
            }
        }
        self.count += next;
    }

    /// Adds the quads of a block that have a lane in `covered`. `first` is the place of the block's first
    /// quad. There must be room.
    #[inline(always)]
    fn push_block<const N: usize>(&mut self, first: u16, covered: [u64; N], z: Option<&[[f32; LANES]; N]>) {
        if N != 1 || covered[0] != u64::MAX {
            for (row, covered) in raster::strips(&covered) {
                let mut depths = [[0.0; STRIP]; N];
                for (depths, z) in depths.iter_mut().zip(z.into_iter().flatten()) {
                    *depths = z.as_chunks().0[row];
                }
                self.push_strip(first + (COLUMNS * row) as u16, covered, z.map(|_| &depths));
            }
            return;
        }
        let room = self.count..self.count + QUADS;
        for (place, number) in self.places[room.clone()].iter_mut().zip(first..) {
            *place = number;
        }
        self.covered[room.clone()].fill(0b1111);
        if let Some(z) = z {
            self.z[room].as_flattened_mut().copy_from_slice(&z[0]);
        }
        self.count += QUADS;
    }
}

impl QuadBatcher {
    /// A batcher for a draw with this interface.
    pub fn new(interface: &StageInterface) -> Self {
        let keeps_coverage = interface.needs_coverage();
        Self { waiting: Waiting { keeps_coverage, ..Waiting::default() }, ..Self::default() }
    }

    /// Number of waiting quads.
    pub fn waiting(&self) -> usize {
        self.waiting.count - self.done
    }

    /// The storage of the next clipped primitive.
    pub fn next_triangle(&mut self) -> &mut Triangle {
        if self.next == self.kept.len() {
            self.kept.push(TriangleSetup::default());
        }
        &mut self.kept[self.next].triangle
    }

    /// Adds the quads of `area` that the clipped primitive in [`Self::next_triangle`] covers. Lanes that
    /// cannot pass the depth test any more are left out.
    /// Waiting quads can only make more lanes fail, so the test after shading still decides. A discard by the
    /// program makes no difference, because nothing is written either way.
    /// Returns whether any quads were added. If so, the caller must call [`Self::keep`].
    pub fn cover(
        &mut self,
        cover: Cover<'_>,
        facing: Facing,
        area: Bounds,
        merge: &Merge,
        pixels: &mut QuadTile,
        stats: &mut Stats,
    ) -> bool {
        if self.done >= Self::MOST_DONE {
            self.waiting.drop_first(self.done);
            self.done = 0;
        }
        let before = self.waiting.count;
        self.waiting.reserve(merge.sampling);
        let triangle = &self.kept[self.next].triangle;
        let waiting = &mut self.waiting;
        simd::widest(Covered { waiting, triangle, cover, area, facing, merge, pixels, stats });
        let after = self.waiting.count;
        self.waiting.setups.resize(after, self.next as u8);
        if merge.uses_facing() {
            self.waiting.facings.resize(after, facing);
        }
        after != before
    }

    /// Number of drawn quads at which they are removed from the vectors.
    const MOST_DONE: usize = 256;

    /// Keeps the clipped primitive for the quads added last. `varyings` appends its varyings.
    pub fn keep(&mut self, varyings: impl FnOnce(&mut Vec<Varying>)) {
        self.kept[self.next].keep(varyings);
        self.next = (self.next + 1) % QUADS;
    }

    /// Records diagnostic data of the clipped primitive in [`Self::next_triangle`], before [`Self::keep`].
    pub fn name(&mut self, name: impl FnOnce(&mut Source)) {
        if self.sources.len() <= self.next {
            self.sources.resize_with(self.next + 1, Source::default);
        }
        name(&mut self.sources[self.next]);
    }

    /// The next quads to draw.
    fn batch(&self) -> std::ops::Range<usize> {
        self.done..self.waiting.count.min(self.done + QUADS)
    }

    /// Writes the attributes of the next batch and returns the covered lanes of each sample. `origin` is the
    /// tile's lower left pixel. At least one quad must wait.
    pub fn fill(&self, inputs: &mut AttributeLanes, interface: &StageInterface, origin: [u32; 2]) -> Active {
        let (batch, waiting) = (self.batch(), &self.waiting);
        let (places, numbers) = (&waiting.places[batch.clone()], &waiting.setups[batch.clone()]);
        let coverage = waiting.coverage.get(batch.clone()).unwrap_or_default();
        let quads = Quads { setups: &self.kept, numbers, places, coverage, origin };
        interpolate::fill_batch(inputs, interface, quads);
        let samples = waiting.samples;
        let mut active = Active { lanes: [0; Samples::MAX], samples };
        for (sample, lanes) in active.lanes[..samples].iter_mut().enumerate() {
            *lanes = waiting.covered_lanes(batch.clone(), sample);
        }
        active
    }

    /// Records the invocations of the next batch and their clocks. `origin` is the tile's lower left pixel.
    /// `rate` says whether each invocation shades one sample.
    pub fn name_lanes(&self, inputs: &mut AttributeLanes, origin: [u32; 2], rate: Rate) {
        let batch = self.batch();
        let quads = self.waiting.places[batch.clone()].iter().zip(&self.waiting.setups[batch]);
        let source = |setup: u8| self.sources.get(usize::from(setup));
        let lane = |place: u16, setup: u8, lane: u32| {
            let [x, y] = QuadTile::pixel(place % tile::QUADS as u16);
            let pixel = [origin[0] + x + lane % 2, origin[1] + y + lane / 2];
            let sample = (rate != Rate::Pixel).then_some((place / tile::QUADS as u16) as u8);
            let origin = source(setup).map(|source| source.origin).unwrap_or_default();
            (Subject::Pixel(pixel), Origin { sample, ..origin })
        };
        let lanes = quads.clone().flat_map(|(&place, &setup)| (0..4).map(move |n| lane(place, setup, n)));
        inputs.set_invocations(lanes);
        let before = |setup: u8| source(setup).map(|source| &*source.before).unwrap_or_default();
        let any = quads.clone().any(|(_, &setup)| !before(setup).is_empty());
        let quads = if any { quads } else { self.waiting.places[..0].iter().zip(&self.waiting.setups[..0]) };
        let lanes = quads.flat_map(|(_, &setup)| std::iter::repeat_n(before(setup), 4));
        inputs.set_before(lanes.map(|before| before.iter().copied()));
    }

    /// Merges the batch that was filled last. `active` holds its covered lanes.
    pub fn merge(
        &mut self,
        merge: &Merge,
        pixels: &mut QuadTile,
        (output, active): (&BlockOutput, &Active),
        stats: &mut Stats,
    ) {
        let (batch, waiting) = (self.batch(), &self.waiting);
        let shaded = Shaded {
            output,
            active: active.samples(),
            places: &waiting.places[batch.clone()],
            facings: waiting.facings.get(batch.clone()).unwrap_or_default(),
            z: &waiting.z[batch.start * waiting.samples..batch.end * waiting.samples],
        };
        merge.quads(pixels, &shaded, stats);
        self.done = batch.end;
    }
}

/// The covered lanes of a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Active {
    lanes: [u64; Samples::MAX],
    samples: usize,
}

impl Active {
    /// The covered lanes of each sample.
    pub fn samples(&self) -> &[u64] {
        &self.lanes[..self.samples]
    }

    /// The lanes that are covered at any sample.
    pub fn any(&self) -> u64 {
        self.samples().iter().fold(0, |all, lanes| all | lanes)
    }
}

/// The task that [`QuadBatcher::cover`] runs.
struct Covered<'a> {
    waiting: &'a mut Waiting,
    triangle: &'a Triangle,
    cover: Cover<'a>,
    area: Bounds,
    facing: Facing,
    merge: &'a Merge,
    pixels: &'a mut QuadTile,
    stats: &'a mut Stats,
}

impl simd::Task for Covered<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        match self.merge.sampling.stored {
            Samples::One => self.cover::<S, 1>(),
            Samples::Two => self.cover::<S, 2>(),
            Samples::Four => self.cover::<S, 4>(),
            Samples::Eight => self.cover::<S, 8>(),
            Samples::Sixteen => self.cover::<S, 16>(),
        }
    }
}

impl Covered<'_> {
    /// `N` is the number of samples per pixel in the framebuffer.
    #[inline(always)]
    fn cover<S: Simd, const N: usize>(self) {
        let Self { waiting, triangle, cover, area, facing, merge, pixels, stats } = self;
        let multisample = merge.sampling.is_multisample();
        let depths = merge.uses_window_depth().then(|| Depths::<N>::new(triangle, multisample));
        let (early_tests, coverage) = (merge.early_tests(), merge.early_coverage());
        let mut tested = Tested {
            simd: PhantomData::<S>,
            waiting,
            depths,
            keeps_depths: merge.uses_window_depth() && !merge.tests_ahead(),
            origin: area.low,
            merge,
            early_tests,
            coverage: std::array::from_fn(|sample| if coverage >> sample & 1 != 0 { u64::MAX } else { 0 }),
            facing,
            stats,
            pixels,
            failed: 0,
        };
        if multisample || N == 1 {
            cover_quads::<S, N>(triangle, cover, area, &mut tested);
        } else {
            cover_quads::<S, 1>(triangle, cover, area, Whole::<_, N>(&mut tested));
        }
        let failed = tested.failed;
        tested.stats.depth_failed += u64::from(failed);
    }
}

/// Computes the depths of a clipped primitive, strip by strip, at `N` samples.
struct Depths<'a, const N: usize> {
    triangle: &'a Triangle,
    /// The change of edge functions 1 and 2 from lane 0 of a strip to each lane. Exact.
    offsets: [[f64; STRIP]; 2],
    /// The change of edge functions 1 and 2 from the pixel centre to each sample. Exact.
    samples: [[f64; 2]; N],
}

impl<'a, const N: usize> Depths<'a, N> {
    /// If `multisample` is false, all samples have the depth of the centre.
    #[inline(always)]
    fn new(triangle: &'a Triangle, multisample: bool) -> Self {
        let [_, b, c] = &triangle.edges;
        let mut offsets = [[0.0; STRIP]; 2];
        for (offsets, edge) in offsets.iter_mut().zip([b, c]) {
            for ((offset, x), y) in offsets.iter_mut().zip(block::X).zip(block::Y) {
                *offset = edge.step[0] * x + edge.step[1] * y;
            }
        }
        let mut samples = [[0.0; 2]; N];
        if N != 1 && multisample {
            for (sample, offset) in samples.iter_mut().zip(const { Samples::all_snapped::<N>() }) {
                *sample = [b.offset(offset), c.offset(offset)];
            }
        }
        Self { triangle, offsets, samples }
    }

    /// The depths of the first `L` lanes of the strip whose lower left pixel is (x, y).
    #[inline(always)]
    fn at<const L: usize>(&self, [x, y]: [u32; 2], merge: &Merge) -> [[f32; L]; N] {
        let [_, b, c] = &self.triangle.edges;
        let (at_b, at_c) = (b.at(x, y), c.at(x, y));
        let mut depths = [[0.0; L]; N];
        for (depths, [to_b, to_c]) in depths.iter_mut().zip(self.samples) {
            let (at_b, at_c) = (at_b + to_b, at_c + to_c);
            for (lane, depth) in depths.iter_mut().enumerate() {
                let edges = [at_b + self.offsets[0][lane], at_c + self.offsets[1][lane]];
                *depth = merge.rasterised_depth(self.triangle.z_at(edges));
            }
        }
        depths
    }
}

/// A sink for covered quads that runs the early tests.
struct Tested<'a, S, const N: usize> {
    simd: PhantomData<S>,
    waiting: &'a mut Waiting,
    /// Depths, if merging uses them.
    depths: Option<Depths<'a, N>>,
    /// Whether merging also uses depths after the program.
    keeps_depths: bool,
    origin: [u32; 2],
    merge: &'a Merge,
    early_tests: EarlyTests,
    /// For each sample, all lanes or none: the samples that the state leaves.
    coverage: [u64; N],
    facing: Facing,
    stats: &'a mut Stats,
    pixels: &'a mut QuadTile,
    /// Fragments that failed the test.
    failed: u32,
}

/// Lanes that are covered at any sample.
#[inline(always)]
fn any<const N: usize>(covered: &[u16; N]) -> u16 {
    covered.iter().fold(0, |all, lanes| all | lanes)
}

impl<S: Simd, const N: usize> Tested<'_, S, N> {
    #[inline(always)]
    fn place(&self, [x, y]: [u32; 2]) -> u16 {
        QuadTile::place(x - self.origin[0], y - self.origin[1])
    }

    /// Removes the samples that the multisample state excludes. Counts and records fragments that lose all
    /// samples.
    #[inline(always)]
    fn left<const L: usize>(&mut self, place: u16, covered: [u16; N]) -> [u16; N] {
        let mut left = covered;
        if N == 1 || self.coverage == [u64::MAX; N] {
            return left;
        }
        for (left, kept) in left.iter_mut().zip(self.coverage) {
            *left &= kept as u16;
        }
        let uncovered = any(&covered) & !any(&left);
        if uncovered != 0 {
            for number in 0..L / 4 {
                let outcomes =
                    Outcomes { uncovered: (uncovered >> (4 * number) & 15).into(), ..Outcomes::default() };
                let place = usize::from(place) + number;
                outcomes.note([place].into_iter(), &mut self.pixels.status, self.stats);
            }
        }
        left
    }

    /// The lanes in `covered` that pass the early tests. `z` has the depths of `L` lanes, starting with the
    /// quad at `place`.
    #[inline(always)]
    fn passing<const L: usize>(&mut self, place: u16, covered: [u16; N], z: &[[f32; L]; N]) -> [u16; N] {
        let mut left = covered;
        let quads = usize::from(place)..usize::from(place) + L / 4;
        let (func, write) = match self.early_tests {
            EarlyTests::Nothing => return covered,
            EarlyTests::RejectOnly(func) => (func, false),
            EarlyTests::Depth { func, write } => (func, write),
            EarlyTests::StencilAndDepth => {
                // The function below is not inlined and takes a reference. Without this copy all depths would
                // be stored to memory even if the function is not called.
                let z = *z;
                let mut depths: [&[[f32; 4]]; N] = [&[]; N];
                depths.iter_mut().zip(&z).for_each(|(depths, z)| *depths = z.as_chunks().0);
                self.test_stencil_and_depth(&mut left, quads, depths);
                return left;
            }
        };
        for (sample, (covered, z)) in left.iter_mut().zip(z).enumerate() {
            let at = sample * tile::QUADS;
            let stored = &mut self.pixels.depth[at + quads.start..at + quads.end];
            if let Some(stored) = stored.as_flattened_mut().first_chunk_mut() {
                *covered = merge::test_depths::<S, _>((func, write), *covered, z, stored);
            }
        }
        let mut failed = any(&covered) & !any(&left);
        let mut count = failed.count_ones();
        if N != 1 && self.merge.sampling.rate != Rate::Pixel {
            // Each sample is a separate fragment.
            let of_sample = |(covered, left): (&u16, &u16)| covered & !left;
            (failed, count) = (0, 0);
            for of_sample in covered.iter().zip(&left).map(of_sample) {
                failed |= of_sample;
                count += of_sample.count_ones();
            }
        }
        if failed != 0 {
            self.failed += count;
            let in_order = matches!(self.early_tests, EarlyTests::Depth { .. });
            merge::refuse_unshaded(&mut self.pixels.status[quads], failed, in_order);
        }
        left
    }

    /// Runs both tests. A fragment is refused before shading if none of its samples passes. With one
    /// invocation per sample, each sample is a fragment.
    #[inline(never)]
    fn test_stencil_and_depth(
        &mut self,
        covered: &mut [u16; N],
        places: std::ops::Range<usize>,
        z: [&[[f32; 4]]; N],
    ) {
        let Self { merge, pixels, stats, facing, .. } = self;
        for (number, place) in places.enumerate() {
            let (mut outcomes, mut passed) = (Outcomes::default(), 0);
            let status = |outcomes: &Outcomes, pixels: &mut QuadTile, stats: &mut Stats| {
                if outcomes.any() {
                    outcomes.note([place].into_iter(), &mut pixels.status, stats);
                }
            };
            for (sample, (covered, z)) in covered.iter_mut().zip(z).enumerate() {
                let lanes = (*covered >> (4 * number)) as u8 & 15;
                if lanes == 0 {
                    continue;
                }
                let tested =
                    merge.test_quad((&z[number], *facing), lanes, sample * tile::QUADS + place, pixels);
                *covered &= !(u16::from(lanes & !tested.passed) << (4 * number));
                passed |= u64::from(tested.passed);
                outcomes.stencil_failed |= u64::from(tested.stencil_failed);
                outcomes.depth_failed |= u64::from(tested.depth_failed);
                if merge.sampling.rate != Rate::Pixel {
                    status(&outcomes, pixels, stats);
                    outcomes = Outcomes::default();
                }
            }
            outcomes.settle(passed);
            status(&outcomes, pixels, stats);
        }
    }

    /// Adds the quads of a strip that have a lane in `passing`. `covered` holds the lanes that the primitive
    /// covers.
    #[inline(always)]
    fn push_strip(&mut self, first: u16, (passing, covered): ([u16; N], [u16; N]), z: &[[f32; STRIP]; N]) {
        if N == 1 || self.merge.sampling.rate == Rate::Pixel && !self.waiting.keeps_coverage {
            return self.waiting.push_strip(first, passing, self.keeps_depths.then_some(z));
        }
        for quad in 0..COLUMNS {
            let lanes = |strip: [u16; N]| strip.map(|lanes| (lanes >> (4 * quad)) as u8 & 15);
            let mut depths = [[0.0; 4]; N];
            for (depths, z) in depths.iter_mut().zip(z) {
                *depths = z.as_chunks().0[quad];
            }
            self.push_quad(first + quad as u16, (lanes(passing), lanes(covered)), depths);
        }
    }

    /// Adds a quad if it has a lane in `passing`. With one invocation per sample, adds a quad for each
    /// sample.
    #[inline(always)]
    fn push_quad(&mut self, place: u16, (passing, covered): ([u8; N], [u8; N]), z: [[f32; 4]; N]) {
        let (waiting, keeps_depths) = (&mut *self.waiting, self.keeps_depths);
        let first = waiting.count;
        if N == 1 || self.merge.sampling.rate == Rate::Pixel {
            if passing != [0; N] {
                waiting.push(place, passing, keeps_depths.then_some(z));
            }
        } else {
            for (sample, (passing, z)) in passing.into_iter().zip(z).enumerate() {
                if passing != 0 {
                    let place = (sample * tile::QUADS) as u16 + place;
                    waiting.push(place, [passing], keeps_depths.then_some([z]));
                }
            }
        }
        if N != 1 && waiting.keeps_coverage {
            let mut coverage = [0; 4];
            for (lane, coverage) in coverage.iter_mut().enumerate() {
                for (sample, covered) in covered.iter().enumerate() {
                    *coverage |= u16::from(covered >> lane & 1) << sample;
                }
            }
            waiting.coverage[first..waiting.count].fill(coverage);
        }
    }
}

impl<S: Simd, const N: usize> Sink<N> for &mut Tested<'_, S, N> {
    #[inline(always)]
    fn quad(&mut self, x: u32, y: u32, covered: [u8; N]) {
        let (place, mut z) = (self.place([x, y]), [[0.0; 4]; N]);
        let mut passing = self.left::<4>(place, covered.map(u16::from));
        if let Some(depths) = &self.depths {
            z = depths.at([x, y], self.merge);
        }
        passing = self.passing(place, passing, &z);
        self.push_quad(place, (passing.map(|lanes| lanes as u8), covered), z);
    }

    #[inline(always)]
    fn strip(&mut self, corner: [u32; 2], covered: [u16; N]) {
        if N != 1 {
            // Work per sample is expensive enough to look for strips with a single covered quad.
            let any = any(&covered);
            let quad = any.trailing_zeros() / 4;
            if any >> (4 * quad) <= 15 {
                return self.quad(
                    corner[0] + 2 * quad,
                    corner[1],
                    covered.map(|lanes| (lanes >> (4 * quad)) as u8),
                );
            }
        }
        let (first, mut z) = (self.place(corner), [[0.0; STRIP]; N]);
        let mut passing = self.left::<STRIP>(first, covered);
        if let Some(depths) = &self.depths {
            z = depths.at(corner, self.merge);
        }
        passing = self.passing(first, passing, &z);
        self.push_strip(first, (passing, covered), &z);
    }

    #[inline(always)]
    fn block(&mut self, corner: [u32; 2], covered: [u64; N]) {
        if N != 1 {
            for (row, covered) in raster::strips(&covered) {
                self.strip([corner[0], corner[1] + 2 * row as u32], covered);
            }
            return;
        }
        let (first, mut z) = (self.place(corner), [[0.0; LANES]; N]);
        let mut left = covered;
        if self.depths.is_some() || self.early_tests != EarlyTests::Nothing {
            left = [0; N];
            for (row, covered) in raster::strips(&covered) {
                let mut depths = [[0.0; STRIP]; N];
                if let Some(of_triangle) = &self.depths {
                    depths = of_triangle.at([corner[0], corner[1] + 2 * row as u32], self.merge);
                }
                let passing = self.passing(first + (COLUMNS * row) as u16, covered, &depths);
                for (((left, z), passing), depths) in left.iter_mut().zip(&mut z).zip(passing).zip(depths) {
                    *left |= u64::from(passing) << (STRIP * row);
                    z.as_chunks_mut().0[row] = depths;
                }
            }
        }
        self.waiting.push_block(first, left, self.keeps_depths.then_some(&z));
    }
}

/// Calls `sink` with every quad of `area` that a clipped primitive covers at any of `N` samples, each at most
/// once. The lower left pixel of `area` must be the lower left pixel of a quad.
#[inline(always)]
pub(super) fn cover_quads<S: Simd, const N: usize>(
    triangle: &Triangle,
    cover: Cover<'_>,
    area: Bounds,
    mut sink: impl Sink<N>,
) {
    // Lines and points are compiled once for all sinks and instruction sets. Code that is inlined into each of
    // them would be a megabyte.
    let (mut line, mut rectangle, mut point);
    let quads: &mut dyn Iterator<Item = ([u32; 2], [u8; N])> = match cover {
        Cover::Triangle => return raster::quads::<S, N>(triangle, area, sink),
        Cover::Line(segment) => match segment.cover() {
            LineCover::Line(cover) => {
                line = cover.quads(area).map(|(place, covered)| (place, [covered; N]));
                &mut line
            }
            LineCover::Rectangle(cover) => {
                rectangle = cover.quads(area);
                &mut rectangle
            }
        },
        Cover::Point(sprite) => {
            point = sprite.quads(area);
            &mut point
        }
    };
    for ([x, y], covered) in quads {
        sink.quad(x, y, covered);
    }
}
