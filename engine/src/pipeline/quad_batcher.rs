//! The quad batcher: collects the quads of many clipped primitives until a block of 64 lanes is full, then
//! interpolates and shades them together.
//!
//! It keeps what the quads need of their primitives, in buffers that live as long as the thread's worker.

use super::bins::Cover;
use super::block::{self, COLUMNS, QUADS, STRIP};
use super::interface::StageInterface;
use super::interpolate::{self, Quads, TriangleSetup};
use super::merge::{self, Merge, Shaded};
use super::raster::{self, Sink};
use super::setup::{Bounds, Triangle};
use super::tile::{self, QuadTile};
use super::varyings::Varying;
use super::{CompareFunc, Facing, Stats, vector};
use crate::exec::{AttributeLanes, BlockOutput, LANES};

/// Quads that wait to be drawn, in order.
#[derive(Debug, Default)]
pub(super) struct QuadBatcher {
    waiting: Waiting,
    /// How many of `waiting` have been drawn.
    done: usize,
    /// A ring: when a primitive comes, fewer than a batch's quads wait, so that they are of the latest
    /// primitives, fewer than there are places.
    kept: Vec<TriangleSetup>,
    /// The place of the next clipped primitive.
    next: usize,
}

/// Quads of clipped primitives, by what is known of them. Of all that is longer than `count`, that many are meant.
#[derive(Debug, Default)]
struct Waiting {
    count: usize,
    /// See [`QuadTile::place`].
    places: Vec<u16>,
    /// The lanes to be drawn.
    covered: Vec<u8>,
    /// Rasterised depths as the depth test sees them, if it does.
    z: Vec<[f32; 4]>,
    /// Which of the clipped primitives that are kept.
    setups: Vec<u8>,
    /// If merging depends on it; else nothing.
    facings: Vec<Facing>,
}

impl Waiting {
    /// Forgets the first `count` quads.
    fn drop_first(&mut self, count: usize) {
        let rest = count..self.count;
        self.places.copy_within(rest.clone(), 0);
        self.covered.copy_within(rest.clone(), 0);
        self.z.copy_within(rest, 0);
        self.count -= count;
        self.setups.drain(..count);
        self.facings.drain(..count.min(self.facings.len()));
    }

    /// Makes room for the quads of a clipped primitive, with some left for those of a strip that are not covered.
    fn reserve(&mut self) {
        let needed = self.count + tile::QUADS + COLUMNS;
        if self.places.len() < needed {
            self.places.resize(needed, 0);
            self.covered.resize(needed, 0);
            self.z.resize(needed, [0.0; 4]);
        }
    }

    /// Adds a quad. There has to be room.
    #[inline(always)]
    fn push(&mut self, place: u16, covered: u8, z: [f32; 4]) {
        self.places[self.count] = place;
        self.covered[self.count] = covered;
        self.z[self.count] = z;
        self.count += 1;
    }

    /// Adds the quads of a strip that have a lane in `covered`, `first` being the place of its first one. All are
    /// written, and those with no lane again by what follows: which it is cannot be foreseen. There has to be room.
    #[inline(always)]
    fn push_strip(&mut self, first: u16, covered: u16, z: &[f32; STRIP]) {
        let room = self.count..self.count + COLUMNS;
        let (places, masks) = (&mut self.places[room.clone()], &mut self.covered[room.clone()]);
        let depths = &mut self.z[room];
        let mut next = 0;
        for quad in 0..COLUMNS {
            let covered = (covered >> (4 * quad)) as u8 & 15;
            places[next] = first + quad as u16;
            masks[next] = covered;
            depths[next].copy_from_slice(&z[4 * quad..][..4]);
            next += usize::from(covered != 0);
        }
        self.count += next;
    }

    /// Adds the quads of a block that have a lane in `covered`, `first` being the place of its first one. There has
    /// to be room.
    #[inline(always)]
    fn push_block(&mut self, first: u16, covered: u64, z: &[f32; LANES]) {
        if covered != u64::MAX {
            for (row, covered) in block::strips(covered) {
                let (strips, _) = z.as_chunks();
                self.push_strip(first + (COLUMNS * row) as u16, covered, &strips[row]);
            }
            return;
        }
        let room = self.count..self.count + QUADS;
        for (place, number) in self.places[room.clone()].iter_mut().zip(first..) {
            *place = number;
        }
        self.covered[room.clone()].fill(0b1111);
        self.z[room].as_flattened_mut().copy_from_slice(z);
        self.count += QUADS;
    }
}

impl QuadBatcher {
    /// How many quads wait.
    pub fn waiting(&self) -> usize {
        self.waiting.count - self.done
    }

    /// Adds the quads of `area` that a clipped primitive covers, without the lanes that cannot pass the depth
    /// test any more: what waits can only make more of them fail, so the test after shading still
    /// decides. That the program might have discarded them makes no difference: nothing is written
    /// either way. Says whether there were any quads; then the clipped primitive has to be kept.
    pub fn cover(
        &mut self,
        (triangle, cover): (Triangle, Cover<'_>),
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
        self.waiting.reserve();
        match self.kept.get_mut(self.next) {
            Some(kept) => kept.triangle = triangle,
            None => self.kept.push(TriangleSetup::new(triangle)),
        }
        let triangle = &self.kept[self.next].triangle;
        let waiting = &mut self.waiting;
        vector::widest(Covered { waiting, triangle, cover, area, facing, merge, pixels, stats });
        let after = self.waiting.count;
        self.waiting.setups.resize(after, self.next as u8);
        if merge.uses_facing() {
            self.waiting.facings.resize(after, facing);
        }
        after != before
    }

    /// Quads that may have been drawn before they are forgotten.
    const MOST_DONE: usize = 256;

    /// Keeps what the quads added last need; `varyings` appends their clipped primitive's.
    pub fn keep(&mut self, varyings: impl FnOnce(&mut Vec<Varying>)) {
        self.kept[self.next].keep(varyings);
        self.next = (self.next + 1) % QUADS;
    }

    /// The next quads to be drawn.
    fn batch(&self) -> std::ops::Range<usize> {
        self.done..self.waiting.count.min(self.done + QUADS)
    }

    /// Writes the attributes of the next batch, and says which lanes are covered. `origin` is the
    /// tile's lower left pixel. There must be a quad.
    pub fn fill(&self, inputs: &mut AttributeLanes, interface: &StageInterface, origin: [u32; 2]) -> u64 {
        let (batch, waiting) = (self.batch(), &self.waiting);
        let (places, numbers) = (&waiting.places[batch.clone()], &waiting.setups[batch.clone()]);
        interpolate::fill_batch(inputs, interface, Quads { setups: &self.kept, numbers, places, origin });
        let quads = waiting.covered[batch].iter().enumerate();
        quads.fold(0, |active, (number, covered)| active | u64::from(*covered) << (4 * number))
    }

    /// The pixels of the next batch, lane by lane.
    pub fn pixels(&self, origin: [u32; 2]) -> impl Iterator<Item = [u32; 2]> {
        let pixel = move |place: u16, lane: u32| {
            let [x, y] = QuadTile::pixel(place);
            [origin[0] + x + lane % 2, origin[1] + y + lane / 2]
        };
        self.waiting.places[self.batch()]
            .iter()
            .flat_map(move |&place| (0..4).map(move |lane| pixel(place, lane)))
    }

    /// Merges the batch that was filled last, `active` being its covered lanes.
    pub fn merge(
        &mut self,
        merge: &Merge,
        pixels: &mut QuadTile,
        (output, active): (&BlockOutput, u64),
        stats: &mut Stats,
    ) {
        let (batch, waiting) = (self.batch(), &self.waiting);
        let shaded = Shaded {
            output,
            active,
            places: &waiting.places[batch.clone()],
            facings: waiting.facings.get(batch.clone()).unwrap_or_default(),
            z: &waiting.z[batch.clone()],
        };
        merge.quads(pixels, &shaded, stats);
        self.done = batch.end;
    }
}

/// [`QuadBatcher::cover`].
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

impl vector::Task for Covered<'_> {
    #[inline(always)]
    fn run(self) {
        if self.merge.has_early_tests() {
            self.cover::<true>();
        } else {
            self.cover::<false>();
        }
    }
}

impl Covered<'_> {
    /// `EARLY` where the draw asks for early tests, which takes time from those that do not.
    #[inline(always)]
    fn cover<const EARLY: bool>(self) {
        let Self { waiting, triangle, cover, area, facing, merge, pixels, stats } = self;
        let depths = merge.uses_window_depth().then(|| Depths::new(triangle));
        let (test, early) = (merge.early_test(), (facing, &mut *stats));
        let mut tested =
            Tested::<EARLY> { waiting, depths, origin: area.low, merge, test, early, pixels, failed: 0 };
        cover_quads(triangle, cover, area, &mut tested);
        let failed = tested.failed;
        stats.depth_failed += u64::from(failed);
    }
}

/// What the depths of a clipped primitive are worked out from, strip by strip.
struct Depths<'a> {
    triangle: &'a Triangle,
    /// By how much edge functions 1 and 2 are more in the lanes of a strip than in its lane 0: exact.
    offsets: [[f64; STRIP]; 2],
}

impl<'a> Depths<'a> {
    #[inline(always)]
    fn new(triangle: &'a Triangle) -> Self {
        let [_, b, c] = &triangle.edges;
        let mut offsets = [[0.0; STRIP]; 2];
        for (offsets, edge) in offsets.iter_mut().zip([b, c]) {
            for ((offset, x), y) in offsets.iter_mut().zip(block::X).zip(block::Y) {
                *offset = edge.step[0] * x + edge.step[1] * y;
            }
        }
        Self { triangle, offsets }
    }

    /// Those of the strip whose lower left pixel is (x, y), or of its first `N` lanes.
    #[inline(always)]
    fn at<const N: usize>(&self, [x, y]: [u32; 2], merge: &Merge) -> [f32; N] {
        let [_, b, c] = &self.triangle.edges;
        let (at_b, at_c) = (b.at(x, y), c.at(x, y));
        let mut depths = [0.0; N];
        for (lane, depth) in depths.iter_mut().enumerate() {
            let edges = [at_b + self.offsets[0][lane], at_c + self.offsets[1][lane]];
            *depth = merge.window_depth(interpolate::window_z_at(self.triangle, edges));
        }
        depths
    }
}

/// Where covered quads go; `EARLY` if the draw asks for early tests.
struct Tested<'a, const EARLY: bool> {
    waiting: &'a mut Waiting,
    /// If merging depends on them.
    depths: Option<Depths<'a>>,
    origin: [u32; 2],
    merge: &'a Merge,
    test: Option<CompareFunc>,
    /// What early tests need besides.
    early: (Facing, &'a mut Stats),
    pixels: &'a mut QuadTile,
    /// Fragments that failed the test.
    failed: u32,
}

impl<const EARLY: bool> Tested<'_, EARLY> {
    #[inline(always)]
    fn place(&self, [x, y]: [u32; 2]) -> u16 {
        QuadTile::place(x - self.origin[0], y - self.origin[1])
    }

    /// Whether lanes are tested before they are shaded.
    #[inline(always)]
    fn is_tested(&self) -> bool {
        EARLY || self.test.is_some()
    }

    /// Those of the lanes in `covered` that pass the early test, `z` being the depths of `N` lanes from the quad at
    /// `place` on.
    #[inline(always)]
    fn passing<const N: usize>(&mut self, place: u16, covered: u16, z: &[f32; N]) -> u16 {
        if EARLY {
            let (facing, stats) = &mut self.early;
            let mut left = 0;
            for (number, z) in z.as_chunks::<4>().0.iter().enumerate() {
                let covered = (covered >> (4 * number)) as u8 & 15;
                let place = usize::from(place) + number;
                let passing = self.merge.passing_early((z, *facing), covered, place, self.pixels, stats);
                left |= u16::from(passing) << (4 * number);
            }
            return left;
        }
        let Some(func) = self.test else { return covered };
        let quads = usize::from(place)..usize::from(place) + N / 4;
        let Some(stored) = self.pixels.depth[quads.clone()].as_flattened().first_chunk() else {
            return covered;
        };
        let failed = covered & !func.passing(z, stored);
        if failed != 0 {
            self.failed += failed.count_ones();
            merge::refuse_unshaded(&mut self.pixels.status[quads], failed);
        }
        covered & !failed
    }
}

impl<const EARLY: bool> Sink for &mut Tested<'_, EARLY> {
    #[inline(always)]
    fn quad(&mut self, x: u32, y: u32, covered: u8) {
        let (place, mut z, mut covered) = (self.place([x, y]), [0.0; 4], covered.into());
        if let Some(depths) = &self.depths {
            z = depths.at([x, y], self.merge);
        }
        if self.is_tested() {
            covered = self.passing(place, covered, &z);
        }
        if covered != 0 {
            self.waiting.push(place, covered as u8, z);
        }
    }

    #[inline(always)]
    fn strip(&mut self, corner: [u32; 2], mut covered: u16) {
        let (first, mut z) = (self.place(corner), [0.0; STRIP]);
        if let Some(depths) = &self.depths {
            z = depths.at(corner, self.merge);
        }
        if self.is_tested() {
            covered = self.passing(first, covered, &z);
        }
        self.waiting.push_strip(first, covered, &z);
    }

    #[inline(always)]
    fn block(&mut self, corner: [u32; 2], mut covered: u64) {
        let (first, mut z) = (self.place(corner), [0.0; LANES]);
        if let Some(depths) = &self.depths {
            for (lane, z) in z.iter_mut().enumerate() {
                let edges = raster::edges_in_block(depths.triangle, corner, lane);
                *z = self.merge.window_depth(interpolate::window_z_at(depths.triangle, edges));
            }
        }
        if self.is_tested() {
            let (strips, mut left) = (z.as_chunks().0, 0);
            for (row, covered) in block::strips(covered) {
                let passing = self.passing::<STRIP>(first + (COLUMNS * row) as u16, covered, &strips[row]);
                left |= u64::from(passing) << (STRIP * row);
            }
            covered = left;
        }
        self.waiting.push_block(first, covered, &z);
    }
}

/// Gives `sink` every quad of `area` that a clipped primitive covers, each at most once. The lower left pixel of
/// `area` is that of a quad.
#[inline(always)]
pub(super) fn cover_quads(triangle: &Triangle, cover: Cover<'_>, area: Bounds, mut sink: impl Sink) {
    match cover {
        Cover::Triangle => raster::quads(triangle, area, sink),
        Cover::Line(segment) => {
            segment.cover().quads(area, |x, y, covered| sink.quad(x, y, covered));
        }
        Cover::Point(sprite) => sprite.quads(area, |x, y, covered| sink.quad(x, y, covered)),
    }
}
