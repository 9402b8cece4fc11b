//! Gathering the quads of pieces into blocks of a tile.
//!
//! Quads wait until there are enough for a block. What a block needs of their pieces is kept with them, in buffers that live as long as the thread's worker.

use super::bins::Cover;
use super::interpolate::{self, Piece, Quads};
use super::layout::Layout;
use super::merge::{self, Merge, Shaded};
use super::raster::{self, Sink};
use super::setup::{Bounds, Lanes, Triangle};
use super::square::{self, QUADS};
use super::tile::QuadTile;
use super::varyings::Varying;
use super::{CompareFunc, Facing, Stats, vector};
use crate::exec::{AttributeRows, BlockOutput, LANES};

/// Quads that wait to be drawn, in order.
#[derive(Debug, Default)]
pub(super) struct Gather {
    waiting: Waiting,
    /// How many of `waiting` have been drawn.
    done: usize,
    /// A ring: when a piece comes, fewer than a block's quads wait, so that they are of the latest
    /// pieces, fewer than there are places.
    kept: Vec<Piece>,
    /// The place of the next piece.
    next: usize,
}

/// Quads of pieces, by what is known of them.
#[derive(Debug, Default)]
struct Waiting {
    /// See [`QuadTile::place`].
    places: Vec<u16>,
    /// The lanes to be drawn.
    covered: Vec<u8>,
    /// Which of the pieces that are kept.
    pieces: Vec<u8>,
    /// If merging depends on it; else nothing.
    facings: Vec<Facing>,
    /// Rasterised depths as the depth test sees them, if it does; else nothing.
    z: Vec<[f32; 4]>,
}

impl Waiting {
    /// Forgets the first `count` quads.
    fn drop_first(&mut self, count: usize) {
        self.places.drain(..count);
        self.covered.drain(..count);
        self.pieces.drain(..count);
        self.facings.drain(..count.min(self.facings.len()));
        self.z.drain(..count.min(self.z.len()));
    }
}

impl Gather {
    /// How many quads wait.
    pub fn waiting(&self) -> usize {
        self.waiting.places.len() - self.done
    }

    /// Adds the quads of `area` that a piece covers, without the lanes that cannot pass the depth
    /// test any more: what waits can only make more of them fail, so the test after shading still
    /// decides. That the program might have discarded them makes no difference: nothing is written
    /// either way. Says whether there were any quads; then the piece has to be kept.
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
        let before = self.waiting.places.len();
        match self.kept.get_mut(self.next) {
            Some(kept) => kept.triangle = triangle,
            None => self.kept.push(Piece::new(triangle)),
        }
        let triangle = &self.kept[self.next].triangle;
        let waiting = &mut self.waiting;
        vector::widest(Covered { waiting, triangle, cover, area, merge, pixels, stats });
        let after = self.waiting.places.len();
        self.waiting.pieces.resize(after, self.next as u8);
        if merge.uses_facing() {
            self.waiting.facings.resize(after, facing);
        }
        after != before
    }

    /// Quads that may have been drawn before they are forgotten.
    const MOST_DONE: usize = 256;

    /// Keeps what the quads added last need; `varyings` appends their piece's.
    pub fn keep(&mut self, varyings: impl FnOnce(&mut Vec<Varying>)) {
        self.kept[self.next].keep(varyings);
        self.next = (self.next + 1) % QUADS;
    }

    /// The next quads to be drawn.
    fn block(&self) -> std::ops::Range<usize> {
        self.done..self.waiting.places.len().min(self.done + QUADS)
    }

    /// Writes the attributes of the next block, and says which lanes are covered. `origin` is the
    /// tile's lower left pixel. There must be a quad.
    pub fn fill(&self, rows: &mut AttributeRows, layout: &Layout, origin: [u32; 2]) -> u64 {
        let (block, waiting) = (self.block(), &self.waiting);
        let (places, numbers) = (&waiting.places[block.clone()], &waiting.pieces[block.clone()]);
        interpolate::fill_block(rows, layout, Quads { pieces: &self.kept, numbers, places, origin });
        let quads = waiting.covered[block].iter().enumerate();
        quads.fold(0, |active, (number, covered)| active | u64::from(*covered) << (4 * number))
    }

    /// Merges the block that was filled last, `active` being its covered lanes.
    pub fn merge(
        &mut self,
        merge: &Merge,
        pixels: &mut QuadTile,
        (output, active): (&BlockOutput, u64),
        stats: &mut Stats,
    ) {
        let (block, waiting) = (self.block(), &self.waiting);
        let shaded = Shaded {
            output,
            active,
            places: &waiting.places[block.clone()],
            facings: waiting.facings.get(block.clone()).unwrap_or_default(),
            z: waiting.z.get(block.clone()).unwrap_or_default(),
        };
        merge.quads(pixels, &shaded, stats);
        self.done = block.end;
    }
}

/// [`Gather::cover`].
struct Covered<'a> {
    waiting: &'a mut Waiting,
    triangle: &'a Triangle,
    cover: Cover<'a>,
    area: Bounds,
    merge: &'a Merge,
    pixels: &'a mut QuadTile,
    stats: &'a mut Stats,
}

impl vector::Task for Covered<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { waiting, triangle, cover, area, merge, pixels, stats } = self;
        let uses_z = merge.uses_window_depth();
        let test = merge.early_test();
        let mut tested =
            Tested { waiting, triangle, origin: area.low, merge, uses_z, test, pixels, failed: 0 };
        cover_quads(triangle, cover, area, &mut tested);
        stats.depth_failed += u64::from(tested.failed);
    }
}

/// Where covered quads go.
struct Tested<'a> {
    waiting: &'a mut Waiting,
    triangle: &'a Triangle,
    origin: [u32; 2],
    merge: &'a Merge,
    uses_z: bool,
    test: Option<CompareFunc>,
    pixels: &'a mut QuadTile,
    /// Fragments that failed the test.
    failed: u32,
}

impl Tested<'_> {
    #[inline(always)]
    fn place(&self, [x, y]: [u32; 2]) -> u16 {
        QuadTile::place(x - self.origin[0], y - self.origin[1])
    }

    /// Which lanes of a quad are left after the early test.
    #[inline(always)]
    fn tested(&mut self, place: u16, covered: u8, z: &[f32; 4]) -> u8 {
        let Some(func) = self.test else { return covered };
        let failed = covered & !func.passing(z, &self.pixels.depth[usize::from(place)]);
        if failed != 0 {
            self.failed += failed.count_ones();
            merge::refuse_unshaded(&mut self.pixels.status[usize::from(place)], failed);
        }
        covered & !failed
    }
}

impl Sink for &mut Tested<'_> {
    #[inline(always)]
    fn quad(&mut self, x: u32, y: u32, mut covered: u8, edges: [Lanes; 2]) {
        let place = self.place([x, y]);
        if self.uses_z {
            let z = self.merge.window_depths(interpolate::window_z(self.triangle, edges));
            covered = self.tested(place, covered, &z);
            if covered == 0 {
                return;
            }
            self.waiting.z.push(z);
        }
        self.waiting.places.push(place);
        self.waiting.covered.push(covered);
    }

    #[inline(always)]
    fn square(&mut self, corner: [u32; 2], mut covered: u64) {
        let first = self.place(corner);
        let mut z = [0.0; LANES];
        if self.uses_z {
            for (lane, z) in z.iter_mut().enumerate() {
                let edges = raster::edges_in_square(self.triangle, corner, lane);
                *z = self.merge.window_depth(interpolate::window_z_at(self.triangle, edges));
            }
            let (z, mut left) = (z.as_chunks::<4>().0, 0);
            for (quad, covered) in square::quads(covered) {
                left |= u64::from(self.tested(first + quad as u16, covered, &z[quad])) << (4 * quad);
            }
            covered = left;
        }
        let Waiting { places, covered: masks, z: depths, .. } = &mut *self.waiting;
        if covered == u64::MAX {
            places.extend((0..QUADS as u16).map(|quad| first + quad));
            masks.extend_from_slice(&[0b1111; QUADS]);
            if self.uses_z {
                depths.extend_from_slice(z.as_chunks::<4>().0);
            }
            return;
        }
        for (quad, covered) in square::quads(covered) {
            places.push(first + quad as u16);
            masks.push(covered);
            if self.uses_z {
                depths.push(z.as_chunks::<4>().0[quad]);
            }
        }
    }
}

/// Gives `sink` every quad of `area` that a piece covers, each at most once. The lower left pixel of
/// `area` is that of a quad.
#[inline(always)]
pub(super) fn cover_quads(triangle: &Triangle, cover: Cover<'_>, area: Bounds, mut sink: impl Sink) {
    let edges = |x, y| raster::edges_1_and_2(triangle, x, y);
    match cover {
        Cover::Triangle => raster::quads(triangle, area, sink),
        Cover::Line(segment) => {
            segment.cover().quads(area, |x, y, covered| sink.quad(x, y, covered, edges(x, y)));
        }
        Cover::Point(spot) => spot.quads(area, |x, y, covered| sink.quad(x, y, covered, edges(x, y))),
    }
}
