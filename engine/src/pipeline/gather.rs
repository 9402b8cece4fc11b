//! Gathering the quads of pieces into blocks of a tile.
//!
//! Quads wait until there are enough for a block. What a block needs of their pieces is kept with them, in buffers that live as long as the thread's worker.

use super::bins::Cover;
use super::interpolate::{self, Piece, QUADS, Quads};
use super::layout::Layout;
use super::merge::{self, Merge, Waiting};
use super::raster::{self, Sink};
use super::setup::{Bounds, Lanes, Triangle};
use super::tile::QuadTile;
use super::varyings::Varying;
use super::{CompareFunc, Facing, Stats, vector};
use crate::exec::{AttributeRows, BlockOutput};

/// Quads that wait to be drawn, in order.
#[derive(Debug, Default)]
pub(super) struct Gather {
    quads: Vec<Waiting>,
    /// How many of `quads` have been drawn.
    done: usize,
    /// A ring: when a piece comes, fewer than a block's quads wait, so that they are of the latest
    /// pieces, fewer than there are places.
    kept: Vec<Piece>,
    /// The place of the next piece.
    next: usize,
}

impl Gather {
    /// How many quads wait.
    pub fn waiting(&self) -> usize {
        self.quads.len() - self.done
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
        if self.done != 0 {
            self.quads.drain(..self.done);
            self.done = 0;
        }
        let before = self.quads.len();
        let number = self.next as u8;
        match self.kept.get_mut(self.next) {
            Some(kept) => kept.triangle = triangle,
            None => self.kept.push(Piece { triangle, varyings: Vec::new() }),
        }
        let triangle = &self.kept[self.next].triangle;
        vector::widest(Covered {
            quads: &mut self.quads,
            triangle,
            cover,
            number,
            facing,
            area,
            merge,
            pixels,
            stats,
        });
        self.quads.len() > before
    }

    /// Keeps what the quads added last need; `varyings` appends their piece's.
    pub fn keep(&mut self, varyings: impl FnOnce(&mut Vec<Varying>)) {
        let kept = &mut self.kept[self.next];
        kept.varyings.clear();
        varyings(&mut kept.varyings);
        self.next = (self.next + 1) % QUADS;
    }

    /// The next quads to be drawn.
    fn block(&self) -> &[Waiting] {
        &self.quads[self.done..self.quads.len().min(self.done + QUADS)]
    }

    /// Writes the attributes of the next block, and says which lanes are covered. `origin` is the
    /// tile's lower left pixel. There must be a quad.
    pub fn fill(&self, rows: &mut AttributeRows, layout: &Layout, origin: [u32; 2]) -> u64 {
        let block = self.block();
        interpolate::fill_block(rows, layout, Quads { pieces: &self.kept, quads: block, origin });
        let lanes = block.iter().enumerate();
        lanes.fold(0, |active, (number, quad)| active | u64::from(quad.covered) << (4 * number))
    }

    /// Merges the block that was filled last.
    pub fn merge(&mut self, merge: &Merge, pixels: &mut QuadTile, output: &BlockOutput, stats: &mut Stats) {
        let block = self.block();
        merge.quads(pixels, output, block, stats);
        self.done += block.len();
    }
}

/// [`Gather::cover`].
struct Covered<'a> {
    quads: &'a mut Vec<Waiting>,
    triangle: &'a Triangle,
    cover: Cover<'a>,
    number: u8,
    facing: Facing,
    area: Bounds,
    merge: &'a Merge,
    pixels: &'a mut QuadTile,
    stats: &'a mut Stats,
}

impl vector::Task for Covered<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { quads, triangle, cover, number, facing, area, merge, pixels, stats } = self;
        let uses_z = merge.uses_window_depth();
        let test = merge.early_test();
        let mut tested = Tested {
            quads,
            triangle,
            number,
            facing,
            origin: area.low,
            merge,
            uses_z,
            test,
            pixels,
            failed: 0,
        };
        cover_quads(triangle, cover, area, &mut tested);
        stats.depth_failed += u64::from(tested.failed);
    }
}

/// Where covered quads go.
struct Tested<'a> {
    quads: &'a mut Vec<Waiting>,
    triangle: &'a Triangle,
    number: u8,
    facing: Facing,
    origin: [u32; 2],
    merge: &'a Merge,
    uses_z: bool,
    test: Option<CompareFunc>,
    pixels: &'a mut QuadTile,
    /// Fragments that failed the test.
    failed: u32,
}

impl Sink for &mut Tested<'_> {
    #[inline(always)]
    fn quad(&mut self, x: u32, y: u32, mut covered: u8, edges: [Lanes; 2]) {
        let place = QuadTile::place(x - self.origin[0], y - self.origin[1]);
        let mut z = [0.0; 4];
        if self.uses_z {
            z = self.merge.window_depths(interpolate::window_z(self.triangle, edges));
            if let Some(func) = self.test {
                let failed = covered & !func.passing(&z, &self.pixels.depth[usize::from(place)]);
                if failed != 0 {
                    self.failed += failed.count_ones();
                    let status = &mut self.pixels.status[usize::from(place)];
                    merge::refuse_unshaded(status, failed);
                    covered &= !failed;
                    if covered == 0 {
                        return;
                    }
                }
            }
        }
        self.quads.push(Waiting { place, covered, triangle: self.number, facing: self.facing, z });
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
