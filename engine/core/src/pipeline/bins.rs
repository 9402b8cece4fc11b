//! Sorts clipped primitives into tiles. A bin lists, in drawing order, the clipped primitives that may touch
//! its tile. An entry stores little more than its vertices; triangle setup happens when the tile is drawn.

use super::clipped::{ClippedPrimitive, PrimitiveSource};
use super::line::Segment;
use super::point::PointSprite;
use super::setup::{Bounds, Corner, Order, Origin, Shape, Triangle};
use super::shaded::ShadedDraw;
use super::tile::{TILE, Tile};
use super::varyings::{Mix, Varying, varyings};
use super::{Samples, Stats, Threads, raster};
use crate::simd;
use std::ops::Range;

/// The grid of tiles, repeated for each layer.
pub(super) struct Bins {
    /// Size of the window in pixels.
    size: [u32; 2],
    columns: usize,
    rows: usize,
    layers: usize,
    /// The samples that rasterisation tests.
    samples: Samples,
}

impl Bins {
    pub fn new(size: [u32; 2], layers: usize, samples: Samples) -> Self {
        let [columns, rows] = size.map(|side| side.div_ceil(TILE) as usize);
        Self { size, columns, rows, layers, samples }
    }

    /// Number of tiles in all layers.
    pub fn count(&self) -> usize {
        self.layers * self.of_layer()
    }

    fn of_layer(&self) -> usize {
        self.columns * self.rows
    }

    /// The number of a tile.
    pub fn of(&self, tile: &Tile<'_>) -> usize {
        tile.layer * self.of_layer() + self.index(tile.origin)
    }

    /// The layer of tile number `index`.
    pub fn layer(&self, index: usize) -> usize {
        index / self.of_layer()
    }

    /// The number of a tile within its layer.
    fn index(&self, origin: [u32; 2]) -> usize {
        (origin[1] / TILE) as usize * self.columns + (origin[0] / TILE) as usize
    }

    /// The pixels of a tile.
    pub fn area(&self, index: usize) -> Bounds {
        let index = index % self.of_layer();
        let low = [index % self.columns, index / self.columns].map(|number| number as u32 * TILE);
        Bounds { low, high: [0, 1].map(|axis| self.size[axis].min(low[axis] + TILE) - 1) }
    }

    /// Calls `f` with the number of each tile that a clipped primitive may touch.
    fn touched(&self, primitive: &ClippedPrimitive, mut f: impl FnMut(usize)) {
        match primitive {
            ClippedPrimitive::Whole(order, corners, bounds) => self.triangle(order.of(*corners), *bounds, f),
            ClippedPrimitive::Cut(shape) => self.triangle(shape.corners, shape.bounds, f),
            ClippedPrimitive::Line(segment) => segment.cover().tiles(|origin| f(self.index(origin))),
            ClippedPrimitive::Point(sprite) => self.within(sprite.bounds, |tile| f(self.index(tile))),
        }
    }

    /// Calls `f` with the lower left pixel of each tile that overlaps the bounds.
    fn within(&self, bounds: Bounds, mut f: impl FnMut([u32; 2])) {
        let [low, high] = [bounds.low, bounds.high].map(|p| p.map(|x| x / TILE * TILE));
        for y in (low[1]..=high[1]).step_by(TILE as usize) {
            for x in (low[0]..=high[0]).step_by(TILE as usize) {
                f([x, y]);
            }
        }
    }

    fn triangle(&self, corners: [Corner; 3], bounds: Bounds, mut f: impl FnMut(usize)) {
        let [low, high] = [bounds.low, bounds.high].map(|p| p.map(|x| x / TILE * TILE));
        if low == high {
            return f(self.index(low));
        }
        // A precise test is not worth its cost for small triangles.
        let wide = high[0] - low[0] > TILE || high[1] - low[1] > TILE;
        let triangle = wide.then(|| Triangle::new(corners, bounds));
        self.within(bounds, |[x, y]| {
            let tile = Bounds { low: [x, y], high: [x + TILE - 1, y + TILE - 1] };
            if triangle.is_none_or(|triangle| raster::may_touch(&triangle, tile, self.samples)) {
                f(self.index([x, y]));
            }
        });
    }
}

/// A clipped primitive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub source: PrimitiveSource,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Whole(Order),
    /// Number in `Chunk::parts`.
    Kept(u32),
}

/// A clipped primitive whose shape cannot be rebuilt from the original vertices.
#[derive(Clone, Copy, Debug)]
enum Kept {
    Triangle(Shape),
    Line(Segment),
    Point(PointSprite),
}

/// The shape of the pixels that a clipped primitive covers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cover<'a> {
    Triangle,
    Line(&'a Segment),
    Point(&'a PointSprite),
}

/// The clipped primitives of a range of primitives. For each tile, the chunk lists the clipped primitives
/// that may touch the tile, in drawing order.
pub(super) struct Chunk {
    entries: Vec<Entry>,
    parts: Vec<Kept>,
    /// For each tile, the start of its part of `ids`; then the end of the last part.
    starts: Vec<u32>,
    ids: Vec<u32>,
    /// For each primitive, its first entry and the tiles that it touches. Filled in only for [`Self::turns`].
    primitives: Vec<(u32, Touched)>,
    /// Pairs of a tile and an entry that may touch the tile, sorted by entry. Filled in only for
    /// [`Self::turns`].
    touched: Vec<(u32, u32)>,
}

/// The tiles that a primitive may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touched {
    None,
    One(u32),
    Several,
}

impl Touched {
    fn with(self, tile: u32) -> Self {
        match self {
            Self::None => Self::One(tile),
            Self::One(other) if other == tile => self,
            Self::One(_) | Self::Several => Self::Several,
        }
    }
}

impl Chunk {
    /// Clips and bins the primitives of `range`.
    pub fn new(
        stage: &ShadedDraw<'_>,
        bins: &Bins,
        (range, is_serialised): (Range<usize>, bool),
        threads: &Threads,
        stats: &mut Stats,
    ) -> Self {
        let mut starts = vec![0; bins.count() + 1];
        let mut pairs: Vec<(u32, u32)> = threads.empty(range.len() * 5 / 4);
        let mut entries = threads.empty(range.len());
        let mut parts = Vec::new();
        let mut primitives = Vec::new();
        for number in range {
            let (first, before) = (entries.len() as u32, pairs.len());
            stage.primitive(number, stats, &mut |source, clipped| {
                let layer = if bins.layers > 1 { stage.layer(source.provoking_slot()) } else { Some(0) };
                let Some(layer) = layer.filter(|layer| *layer < bins.layers) else { return };
                bins.touched(clipped, |tile| {
                    let tile = layer * bins.of_layer() + tile;
                    starts[tile + 1] += 1;
                    pairs.push((tile as u32, entries.len() as u32));
                });
                entries.push(Entry { source, kind: keep(&mut parts, clipped) });
            });
            if is_serialised {
                let tiles = pairs[before..].iter().map(|(tile, _)| *tile);
                primitives.push((first, tiles.fold(Touched::None, Touched::with)));
            }
        }
        for tile in 0..bins.count() {
            starts[tile + 1] += starts[tile];
        }
        let mut next = starts.clone();
        let mut ids = threads.vector(pairs.len());
        for &(tile, id) in &pairs {
            let place = &mut next[tile as usize];
            ids[*place as usize] = id;
            *place += 1;
        }
        let touched = if is_serialised {
            pairs
        } else {
            threads.recycle(pairs);
            Vec::new()
        };
        Self { entries, parts, starts, ids, primitives, touched }
    }

    /// Returns the memory to the pool, for later draws.
    pub fn recycle(self, threads: &Threads) {
        threads.recycle(self.entries);
        threads.recycle(self.ids);
    }

    /// The tiles that entries of `part` may touch, each once, starting at the lower left.
    pub fn tiles(&self, part: &Range<u32>) -> Vec<usize> {
        let [begin, end] =
            [part.start, part.end].map(|limit| self.touched.partition_point(|(_, id)| *id < limit));
        let mut tiles: Vec<usize> = self.touched[begin..end].iter().map(|(tile, _)| *tile as usize).collect();
        tiles.sort_unstable();
        tiles.dedup();
        tiles
    }

    /// Splits the entries, in drawing order, into parts that may be drawn tile by tile with the same result
    /// as primitive by primitive. A primitive that touches several tiles is a part of its own. Consecutive
    /// primitives that touch only the same single tile form one part.
    pub fn turns(&self) -> Vec<Range<u32>> {
        let mut turns: Vec<Range<u32>> = Vec::new();
        let mut tiles = Touched::None;
        for (place, &(first, touched)) in self.primitives.iter().enumerate() {
            let end = self.primitives.get(place + 1).map_or(self.entries.len() as u32, |(next, _)| *next);
            let goes_on = match (tiles, touched) {
                (_, Touched::None) => true,
                (Touched::One(one), Touched::One(other)) => one == other,
                _ => false,
            };
            match turns.last_mut().filter(|_| goes_on) {
                Some(last) => last.end = end,
                None => {
                    turns.push(first..end);
                    tiles = touched;
                }
            }
        }
        turns
    }

    /// The clipped primitives of the primitives in `range` that may touch `pixel`, in drawing order.
    pub fn around(stage: &ShadedDraw<'_>, range: Range<usize>, pixel: [u32; 2], threads: &Threads) -> Self {
        let holds = |bounds: &Bounds| (0..2).all(|i| (bounds.low[i]..=bounds.high[i]).contains(&pixel[i]));
        let end = range.end;
        let tasks = range.step_by(Self::TASK).map(|start| start..end.min(start + Self::TASK));
        let found = threads.map(tasks.collect(), |range| {
            let mut found = Vec::new();
            for number in range {
                stage.primitive(number, &mut Stats::default(), &mut |source, clipped| {
                    let bounds = match clipped {
                        ClippedPrimitive::Whole(_, _, bounds) => bounds,
                        ClippedPrimitive::Cut(shape) => &shape.bounds,
                        ClippedPrimitive::Line(segment) => segment.cover().bounds(),
                        ClippedPrimitive::Point(sprite) => &sprite.bounds,
                    };
                    if holds(bounds) && stage.is_seen(source.provoking_slot()) {
                        found.push((source, *clipped));
                    }
                });
            }
            found
        });
        let mut parts = Vec::new();
        let entry =
            |(source, clipped): (_, ClippedPrimitive)| Entry { source, kind: keep(&mut parts, &clipped) };
        let entries: Vec<Entry> = found.into_iter().flatten().map(entry).collect();
        let ids: Vec<u32> = (0..entries.len() as u32).collect();
        let (primitives, touched) = (Vec::new(), Vec::new());
        Self { starts: vec![0, ids.len() as u32], entries, parts, ids, primitives, touched }
    }

    /// Primitives per task of [`Self::around`].
    const TASK: usize = 1 << 13;

    /// Whether no entry touches a tile.
    pub fn is_empty(&self, tile: usize) -> bool {
        self.ids(tile, &Self::ALL).is_empty()
    }

    pub fn entry(&self, id: u32) -> &Entry {
        &self.entries[id as usize]
    }

    /// Prefetches an entry.
    #[inline(always)]
    pub fn fetch(&self, id: u32) {
        simd::prefetch(&self.entries, id as usize);
    }

    /// Prefetches the vertices of an entry.
    #[inline(always)]
    pub fn fetch_vertices(&self, stage: &ShadedDraw<'_>, id: u32) {
        for slot in self.entry(id).source.slots {
            stage.vertices.fetch(slot);
        }
    }

    /// The numbers of the entries of `part` that may touch a tile, in ascending order.
    pub fn ids(&self, tile: usize, part: &Range<u32>) -> &[u32] {
        let ids = &self.ids[self.starts[tile] as usize..self.starts[tile + 1] as usize];
        if *part == Self::ALL {
            return ids;
        }
        let [begin, end] = [part.start, part.end].map(|limit| ids.partition_point(|&id| id < limit));
        &ids[begin..end]
    }

    /// The range of all entries.
    pub const ALL: Range<u32> = 0..u32::MAX;

    /// The shape of the pixels that an entry covers; `None` if the entry is outside of the drawable area.
    /// Writes the setup for attributes and depths to `triangle`, instead of returning it, because it is
    /// large.
    #[inline]
    pub fn triangle_setup(
        &self,
        stage: &ShadedDraw<'_>,
        entry: &Entry,
        triangle: &mut Triangle,
    ) -> Option<Cover<'_>> {
        *triangle = match entry.kind {
            Kind::Whole(order) => {
                let corner = |slot: u32| &stage.vertices.vertices[slot as usize].corner;
                let corners = order.of(entry.source.slots).map(corner);
                Triangle::new(corners.map(|corner| *corner), stage.setup.bounds(corners)?)
            }
            Kind::Kept(number) => match &self.parts[number as usize] {
                Kept::Triangle(shape) => Triangle::new(shape.corners, shape.bounds),
                Kept::Line(segment) => {
                    *triangle = segment.triangle();
                    return Some(Cover::Line(segment));
                }
                Kept::Point(sprite) => {
                    *triangle = sprite.triangle();
                    return Some(Cover::Point(sprite));
                }
            },
        };
        stage.clipper().offset_fill(triangle);
        Some(Cover::Triangle)
    }

    /// Appends the varyings of an entry.
    pub fn varyings(&self, stage: &ShadedDraw<'_>, entry: &Entry, out: &mut Vec<Varying>) {
        let whole;
        let mix = match entry.kind {
            Kind::Whole(order) => {
                whole = Origin::Whole(order);
                Mix::Triangle(&whole)
            }
            Kind::Kept(number) => match &self.parts[number as usize] {
                Kept::Triangle(shape) => Mix::Triangle(&shape.origin),
                Kept::Line(segment) => Mix::Line(&segment.weights),
                Kept::Point(sprite) => Mix::Point(&sprite.weights),
            },
        };
        varyings(stage, &entry.source, mix, out);
    }
}

fn keep(kept: &mut Vec<Kept>, primitive: &ClippedPrimitive) -> Kind {
    kept.push(match *primitive {
        ClippedPrimitive::Whole(order, ..) => return Kind::Whole(order),
        ClippedPrimitive::Cut(shape) => Kept::Triangle(shape),
        ClippedPrimitive::Line(segment) => Kept::Line(segment),
        ClippedPrimitive::Point(sprite) => Kept::Point(sprite),
    });
    Kind::Kept(kept.len() as u32 - 1)
}
