//! From a mesh to lists of triangles, one a tile: vertices are transformed once, triangles clipped and
//! sorted into bins. What a triangle needs to be drawn is worked out when its tile is: an entry of a bin
//! says only where to find its vertices.

use super::raster::{self, Touch};
use super::setup::{Bounds, Order, Origin, Setup, Shape, Triangle, Varying, Vertex, varyings};
use super::tile::TILE;
use super::vertex::{Layout, VertexStage};
use super::{Stats, Threads};
use std::ops::Range;

/// Vertices that one task transforms.
const VERTICES: usize = 4096;

/// The vertices of a draw, transformed, and their data.
pub(super) struct Vertices<'a> {
    stage: VertexStage<'a>,
    layout: &'a Layout,
    setup: Setup,
    vertices: Vec<Vertex>,
    /// The layout's varyings of each vertex.
    data: Vec<f32>,
}

impl<'a> Vertices<'a> {
    /// Transforms all vertices of the mesh.
    pub fn new(stage: VertexStage<'a>, layout: &'a Layout, setup: Setup, threads: &Threads) -> Self {
        let count = stage.mesh.positions().len();
        let mut vertices = vec![Vertex::default(); count];
        let mut data = vec![0.0; count * layout.varyings.len()];
        let mut rest = &mut data[..];
        let mut tasks = Vec::with_capacity(count.div_ceil(VERTICES));
        for (number, vertices) in vertices.chunks_mut(VERTICES).enumerate() {
            let (part, others) = rest.split_at_mut(vertices.len() * layout.varyings.len());
            rest = others;
            tasks.push(((number * VERTICES) as u32, vertices, part));
        }
        threads.each(tasks, |(first, vertices, data)| {
            for (number, vertex) in (first..).zip(vertices.iter_mut()) {
                *vertex = setup.vertex(stage.clip(number));
            }
            stage.data(layout, first..first + vertices.len() as u32, data);
        });
        Self { stage, layout, setup, vertices, data }
    }

    /// Which attribute components there are.
    pub fn layout(&self) -> &Layout {
        self.layout
    }

    /// Appends the varyings of (a part of) mesh triangle `index`.
    pub fn varyings(&self, index: u32, origin: &Origin, out: &mut Vec<Varying>) {
        let count = self.layout.varyings.len();
        let [a, b, c] = self.stage.mesh.triangles()[index as usize];
        let data = |vertex: u32| &self.data[vertex as usize * count..][..count];
        varyings([data(a), data(b), data(c)], origin, out);
    }
}

/// The grid of tiles.
pub(super) struct Bins {
    columns: usize,
    rows: usize,
}

impl Bins {
    pub fn new(size: [u32; 2]) -> Self {
        let [columns, rows] = size.map(|side| side.div_ceil(TILE) as usize);
        Self { columns, rows }
    }

    pub fn count(&self) -> usize {
        self.columns * self.rows
    }

    pub fn index(&self, origin: [u32; 2]) -> usize {
        (origin[1] / TILE) as usize * self.columns + (origin[0] / TILE) as usize
    }

    /// Calls `f` with every tile that a triangle may touch.
    fn touched(&self, shape: &Shape, mut f: impl FnMut(usize)) {
        let [low, high] = [shape.bounds.low, shape.bounds.high].map(|p| p.map(|x| x / TILE * TILE));
        if low == high {
            return f(self.index(low));
        }
        // What may lie in a few tiles only is not worth a closer look.
        let wide = high[0] - low[0] > TILE || high[1] - low[1] > TILE;
        let triangle = wide.then(|| Triangle::new(shape.corners, shape.bounds, 0));
        for y in (low[1]..=high[1]).step_by(TILE as usize) {
            for x in (low[0]..=high[0]).step_by(TILE as usize) {
                let tile = Bounds { low: [x, y], high: [x + TILE - 1, y + TILE - 1] };
                if triangle.is_none_or(|triangle| raster::touches(&triangle, tile) != Touch::Outside) {
                    f(self.index([x, y]));
                }
            }
        }
    }
}

/// A triangle in a bin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// In the mesh.
    index: u32,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Whole(Order),
    /// Number in `Chunk::parts`.
    Part(u32),
}

/// Triangles of a range of the mesh: for each tile, those that may touch it in drawing order.
pub(super) struct Chunk {
    /// Where each tile's part of `entries` starts, and its end.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// What clipping left.
    parts: Vec<Shape>,
}

impl Chunk {
    /// Prepares the triangles of `range`.
    pub fn new(vertices: &Vertices<'_>, bins: &Bins, range: Range<usize>, stats: &mut Stats) -> Self {
        let mut starts = vec![0; bins.count() + 1];
        let mut pairs: Vec<(u32, Entry)> = Vec::with_capacity(range.len() * 5 / 4);
        let mut parts = Vec::new();
        let stage = &vertices.stage;
        for index in range {
            let corners = stage.mesh.triangles()[index];
            let transformed = corners.map(|vertex| vertices.vertices[vertex as usize]);
            let clip = |i: usize| stage.clip(corners[i]);
            vertices.setup.prepare(&transformed, clip, stats, |shape| {
                let kind = match shape.origin {
                    Origin::Whole(order) => Kind::Whole(order),
                    Origin::Cut(_) => {
                        parts.push(shape);
                        Kind::Part(parts.len() as u32 - 1)
                    }
                };
                let entry = Entry { index: index as u32, kind };
                bins.touched(&shape, |tile| {
                    starts[tile + 1] += 1;
                    pairs.push((tile as u32, entry));
                });
            });
        }
        for tile in 0..bins.count() {
            starts[tile + 1] += starts[tile];
        }
        let mut next = starts.clone();
        let mut entries = vec![Entry { index: 0, kind: Kind::Part(0) }; pairs.len()];
        for (tile, entry) in pairs {
            let place = &mut next[tile as usize];
            entries[*place as usize] = entry;
            *place += 1;
        }
        Self { starts, entries, parts }
    }

    /// What may touch a tile.
    pub fn bin(&self, tile: usize) -> &[Entry] {
        &self.entries[self.starts[tile] as usize..self.starts[tile + 1] as usize]
    }

    /// An entry's triangle.
    #[inline]
    pub fn triangle(&self, vertices: &Vertices<'_>, entry: Entry) -> Option<(Triangle, Origin)> {
        match entry.kind {
            Kind::Whole(order) => {
                let [a, b, c] = order.of(vertices.stage.mesh.triangles()[entry.index as usize]);
                let corner = |vertex: u32| vertices.vertices[vertex as usize].corner;
                let corners = [corner(a), corner(b), corner(c)];
                let bounds = vertices.setup.bounds(&corners)?;
                Some((Triangle::new(corners, bounds, entry.index), Origin::Whole(order)))
            }
            Kind::Part(number) => {
                let shape = &self.parts[number as usize];
                Some((Triangle::new(shape.corners, shape.bounds, entry.index), shape.origin))
            }
        }
    }
}
