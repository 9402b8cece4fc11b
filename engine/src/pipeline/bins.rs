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

/// A triangle, or a part of one.
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

/// Triangles of a range of the mesh and, for each tile, those that may touch it in drawing order.
pub(super) struct Chunk {
    triangles: Vec<Entry>,
    /// What clipping left.
    parts: Vec<Shape>,
    /// Where each tile's part of `ids` starts, and its end.
    starts: Vec<u32>,
    ids: Vec<u32>,
}

impl Chunk {
    /// Prepares the triangles of `range`.
    pub fn new(vertices: &Vertices<'_>, bins: &Bins, range: Range<usize>, stats: &mut Stats) -> Self {
        let mut starts = vec![0; bins.count() + 1];
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(range.len() * 5 / 4);
        let mut triangles = Vec::with_capacity(range.len());
        let mut parts = Vec::new();
        let stage = &vertices.stage;
        for index in range {
            let corners = stage.mesh.triangles()[index];
            let transformed = corners.map(|vertex| vertices.vertices[vertex as usize]);
            let clip = |i: usize| stage.clip(corners[i]);
            vertices.setup.prepare(&transformed, clip, stats, |shape| {
                bins.touched(&shape, |tile| {
                    starts[tile + 1] += 1;
                    pairs.push((tile as u32, triangles.len() as u32));
                });
                let kind = match shape.origin {
                    Origin::Whole(order) => Kind::Whole(order),
                    Origin::Cut(_) => {
                        parts.push(shape);
                        Kind::Part(parts.len() as u32 - 1)
                    }
                };
                triangles.push(Entry { index: index as u32, kind });
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
        Self { triangles, parts, starts, ids }
    }

    /// Whether nothing touches a tile.
    pub fn is_empty(&self, tile: usize) -> bool {
        self.starts[tile] == self.starts[tile + 1]
    }

    /// What may touch a tile.
    pub fn bin(&self, tile: usize) -> impl Iterator<Item = Entry> {
        let ids = &self.ids[self.starts[tile] as usize..self.starts[tile + 1] as usize];
        ids.iter().map(|&id| self.triangles[id as usize])
    }

    /// An entry's triangle.
    #[inline]
    pub fn triangle(&self, vertices: &Vertices<'_>, entry: Entry) -> Option<Triangle> {
        match entry.kind {
            Kind::Whole(order) => {
                let [a, b, c] = order.of(vertices.stage.mesh.triangles()[entry.index as usize]);
                let corner = |vertex: u32| vertices.vertices[vertex as usize].corner;
                let corners = [corner(a), corner(b), corner(c)];
                let bounds = vertices.setup.bounds(&corners)?;
                Some(Triangle::new(corners, bounds, entry.index))
            }
            Kind::Part(number) => {
                let shape = &self.parts[number as usize];
                Some(Triangle::new(shape.corners, shape.bounds, entry.index))
            }
        }
    }

    /// Appends the varyings of an entry's triangle.
    pub fn varyings(&self, vertices: &Vertices<'_>, entry: Entry, out: &mut Vec<Varying>) {
        let count = vertices.layout.varyings.len();
        let [a, b, c] = vertices.stage.mesh.triangles()[entry.index as usize];
        let data = |vertex: u32| &vertices.data[vertex as usize * count..][..count];
        let data = [data(a), data(b), data(c)];
        match entry.kind {
            Kind::Whole(order) => varyings(data, &Origin::Whole(order), out),
            Kind::Part(number) => varyings(data, &self.parts[number as usize].origin, out),
        }
    }
}
