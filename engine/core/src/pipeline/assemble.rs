//! Primitive assembly: from a list of elements to primitives (glspec15 2.6.1, NV_geometry_program4 2.6.1,
//! NV_primitive_restart).
//!
//! Primitives are numbered in drawing order. Each can be computed from its number alone, so that threads can
//! share the work. Incomplete primitives are dropped and have no numbers.

use super::clip::PolygonEdge;
use super::elements::{self, Cache, Item};
use super::{EdgeFlag, EdgeFlags, Elements, Primitive, VertexInput};
use std::ops::Range;

/// The elements of a primitive, as positions in the list of elements. The corners of a polygon are in the
/// order of a fan about the first corner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Corners {
    Point(usize),
    /// Start and end. The end is the provoking vertex (2.14.7).
    Line([usize; 2]),
    /// The last is the provoking vertex (table 2.12).
    Triangle([usize; 3]),
    /// The first is the provoking vertex.
    Quad([usize; 4]),
    /// The first is the provoking vertex.
    Polygon(Range<usize>),
    /// Not drawn itself: tessellation divides the patch into primitives (ARB_tessellation_shader 2.6.1).
    Patch(Range<usize>),
}

/// The input of a geometry or tessellation program: a point, line or triangle, with its adjacent vertices if
/// it has any (NV_geometry_program4 2.14.6.1), or a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SimplePrimitive {
    /// For a patch only the first position is set; the others follow consecutively.
    positions: [usize; 6],
    count: u8,
    is_patch: bool,
    /// The program's `primitive.id`.
    pub id: u32,
}

impl SimplePrimitive {
    fn new<const N: usize>(vertices: [usize; N], id: u32) -> Self {
        let mut positions = [0; 6];
        positions[..N].copy_from_slice(&vertices);
        Self { positions, count: N as u8, is_patch: false, id }
    }

    const fn patch(first: usize, count: u8, id: u32) -> Self {
        Self { positions: [first; 6], count, is_patch: true, id }
    }

    /// The positions of the vertices, in the order of the program's `vertex[m]`.
    pub fn vertices(&self) -> impl Iterator<Item = usize> + use<> {
        let Self { positions, count, is_patch, .. } = *self;
        (0..usize::from(count)).map(move |m| if is_patch { positions[0] + m } else { positions[m] })
    }
}

/// A run of elements between restarts.
#[derive(Clone, Copy, Debug)]
struct ElementRange {
    start: usize,
    length: usize,
    /// Number of the run's first primitive.
    first: usize,
    /// Number of the run's first simple primitive.
    first_simple: usize,
}

/// The primitives of a draw.
#[derive(Clone, Debug)]
pub(super) struct Assembly<'a> {
    elements: &'a Elements,
    primitive: Primitive,
    /// Vertices per patch.
    patch: u8,
    /// The runs that have primitives.
    runs: Vec<ElementRange>,
    count: usize,
    simple_count: usize,
}

/// Number of primitives that `length` elements form.
fn primitives(primitive: Primitive, patch: u8, length: usize) -> usize {
    match primitive {
        Primitive::Points => length,
        Primitive::Lines => length / 2,
        Primitive::LineStrip => length.saturating_sub(1),
        // One element alone is not a line.
        Primitive::LineLoop if length < 2 => 0,
        Primitive::LineLoop => length,
        Primitive::Triangles => length / 3,
        Primitive::TriangleStrip | Primitive::TriangleFan => length.saturating_sub(2),
        Primitive::Quads => length / 4,
        Primitive::QuadStrip => length.saturating_sub(2) / 2,
        Primitive::Polygon => usize::from(length >= 3),
        Primitive::LinesAdjacency => length / 4,
        Primitive::LineStripAdjacency => length.saturating_sub(3),
        Primitive::TrianglesAdjacency => length / 6,
        Primitive::TriangleStripAdjacency => (length / 2).saturating_sub(2),
        Primitive::Patches => length / usize::from(patch).max(1),
    }
}

/// Number of simple primitives that `length` elements decompose into.
fn simple_primitives(primitive: Primitive, patch: u8, length: usize) -> usize {
    let count = primitives(primitive, patch, length);
    match primitive {
        Primitive::Quads | Primitive::QuadStrip => 2 * count,
        Primitive::Polygon if count > 0 => length - 2,
        _ => count,
    }
}

impl<'a> Assembly<'a> {
    pub fn new((primitive, patch): (Primitive, u8), elements: &'a Elements) -> Self {
        let mut assembly = Self { elements, primitive, patch, runs: Vec::new(), count: 0, simple_count: 0 };
        match elements {
            Elements::Indices { indices, restart: Some(restart) } => {
                let mut start = 0;
                for piece in indices.split(|index| index == restart) {
                    assembly.run(start, piece.len());
                    start += piece.len() + 1;
                }
            }
            elements => assembly.run(0, elements::positions(elements)),
        }
        assembly
    }

    fn run(&mut self, start: usize, length: usize) {
        let count = primitives(self.primitive, self.patch, length);
        if count > 0 {
            let (first, first_simple) = (self.count, self.simple_count);
            self.runs.push(ElementRange { start, length, first, first_simple });
            self.count += count;
            self.simple_count += simple_primitives(self.primitive, self.patch, length);
        }
    }

    pub fn primitive(&self) -> Primitive {
        self.primitive
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// The element at a position.
    #[inline(always)]
    pub fn item(&self, position: usize) -> Item {
        elements::item(self.elements, position)
    }

    /// The primitive with this number. The number must be less than [`Self::count`].
    #[inline]
    pub fn corners(&self, number: usize) -> Corners {
        let run = match &self.runs[..] {
            [run] => run,
            runs => &runs[runs.partition_point(|run| run.first <= number) - 1],
        };
        let (i, at) = (number - run.first, run.start);
        match self.primitive {
            Primitive::Points => Corners::Point(at + i),
            Primitive::Lines => Corners::Line([at + 2 * i, at + 2 * i + 1]),
            Primitive::LineStrip => Corners::Line([at + i, at + i + 1]),
            Primitive::LineLoop => Corners::Line([at + i, at + (i + 1) % run.length]),
            Primitive::Triangles => Corners::Triangle([at + 3 * i, at + 3 * i + 1, at + 3 * i + 2]),
            // The specification calls the last vertex with an odd number A and the last with an even number
            // B, counted from 1.
            Primitive::TriangleStrip if i % 2 == 0 => Corners::Triangle([at + i, at + i + 1, at + i + 2]),
            Primitive::TriangleStrip => Corners::Triangle([at + i + 1, at + i, at + i + 2]),
            Primitive::TriangleFan => Corners::Triangle([at, at + i + 1, at + i + 2]),
            // The fourth is the provoking vertex.
            Primitive::Quads => {
                let at = at + 4 * i;
                Corners::Quad([at + 3, at, at + 1, at + 2])
            }
            // Vertices 2i, 2i+1, 2i+3, 2i+2, counted from 0. The third of these is the provoking vertex.
            Primitive::QuadStrip => {
                let at = at + 2 * i;
                Corners::Quad([at + 3, at + 2, at, at + 1])
            }
            Primitive::Polygon => Corners::Polygon(at..at + run.length),
            // The other vertices are adjacent vertices.
            Primitive::LinesAdjacency => Corners::Line([at + 4 * i + 1, at + 4 * i + 2]),
            Primitive::LineStripAdjacency => Corners::Line([at + i + 1, at + i + 2]),
            Primitive::TrianglesAdjacency => {
                let at = at + 6 * i;
                Corners::Triangle([at, at + 2, at + 4])
            }
            Primitive::Patches => {
                let count = usize::from(self.patch);
                Corners::Patch(at + count * i..at + count * (i + 1))
            }
            // Table X.1.
            Primitive::TriangleStripAdjacency => {
                let at = at + 2 * i;
                let [first, second] = if i % 2 == 0 { [at, at + 2] } else { [at + 2, at] };
                Corners::Triangle([first, second, at + 4])
            }
        }
    }
}

/// Quads and polygons decompose as in issue 17 of NV_geometry_program4.
impl Assembly<'_> {
    /// The elements at these positions; `None` if one is beyond 32 bits.
    fn elements(&self, positions: impl Iterator<Item = usize>) -> Option<Vec<u32>> {
        let element = |position: usize| match self.item(position) {
            Item::Element(element) => Some(element),
            Item::Beyond => None,
        };
        positions.map(element).collect()
    }

    /// Number of simple primitives.
    pub fn simple_count(&self) -> usize {
        self.simple_count
    }

    /// The simple primitive with this number. The number must be less than [`Self::simple_count`].
    pub fn simple(&self, number: usize) -> SimplePrimitive {
        let run = &self.runs[self.runs.partition_point(|run| run.first_simple <= number) - 1];
        let (i, at) = (number - run.first_simple, run.start);
        // All parts of a decomposed primitive have the id of the whole primitive.
        let id = |steps: usize| (run.first + steps) as u32;
        match self.primitive {
            Primitive::Quads => {
                let first = at + 4 * (i / 2);
                let second = first + 1 + i % 2;
                SimplePrimitive::new([first, second, second + 1], id(i / 2))
            }
            Primitive::QuadStrip => {
                let at = at + 2 * (i / 2);
                let vertices = if i % 2 == 0 { [at, at + 1, at + 3] } else { [at + 2, at, at + 3] };
                SimplePrimitive::new(vertices, id(i / 2))
            }
            Primitive::Polygon => SimplePrimitive::new([at + i + 1, at + i + 2, at], 0),
            Primitive::LinesAdjacency => {
                let at = at + 4 * i;
                SimplePrimitive::new([at, at + 1, at + 2, at + 3], id(i))
            }
            Primitive::LineStripAdjacency => {
                SimplePrimitive::new([at + i, at + i + 1, at + i + 2, at + i + 3], id(i))
            }
            Primitive::TrianglesAdjacency => {
                let at = at + 6 * i;
                SimplePrimitive::new([at, at + 1, at + 2, at + 3, at + 4, at + 5], id(i))
            }
            Primitive::TriangleStripAdjacency => {
                SimplePrimitive::new(Self::strip_with_adjacency(at, i, run.length), id(i))
            }
            _ => match self.corners(number) {
                Corners::Point(a) => SimplePrimitive::new([a], id(i)),
                Corners::Line(vertices) => SimplePrimitive::new(vertices, id(i)),
                Corners::Triangle(vertices) => SimplePrimitive::new(vertices, id(i)),
                // Handled by the arms above.
                Corners::Quad([a, b, c, _]) => SimplePrimitive::new([a, b, c], id(i)),
                Corners::Polygon(positions) => SimplePrimitive::new([positions.start], id(i)),
                Corners::Patch(positions) => SimplePrimitive::patch(positions.start, self.patch, id(i)),
            },
        }
    }

    /// Triangle `i` of a strip of `length` elements starting at `at`, with the vertices adjacent to its
    /// edges. Implements Table X.1, with numbers counted from 0 instead of 1.
    fn strip_with_adjacency(at: usize, i: usize, length: usize) -> [usize; 6] {
        let (even, last) =
            (i.is_multiple_of(2), i + 1 == primitives(Primitive::TriangleStripAdjacency, 0, length));
        let of_triangle = at + 2 * i;
        let before = if i == 0 { at + 1 } else { of_triangle - 2 };
        let behind = of_triangle + if last { 5 } else { 6 };
        let across = of_triangle + 3;
        if even {
            [of_triangle, before, of_triangle + 2, behind, of_triangle + 4, across]
        } else {
            [of_triangle + 2, before, of_triangle, across, of_triangle + 4, behind]
        }
    }
}

/// Calls `add` with the elements of each complete primitive, in drawing order. The elements of a polygon come
/// in their order around the polygon, from the first in the draw. `patch` is the number of vertices per
/// patch.
pub fn each_primitive((primitive, patch): (Primitive, u8), elements: &Elements, mut add: impl FnMut(&[u32])) {
    let assembly = Assembly::new((primitive, patch), elements);
    let mut corners = Vec::new();
    for number in 0..assembly.count() {
        corners.clear();
        match assembly.corners(number) {
            Corners::Point(position) => corners.push(position),
            Corners::Line(positions) => corners.extend(positions),
            Corners::Triangle(positions) => corners.extend(positions),
            Corners::Quad(mut positions) => {
                // Assembly puts the provoking vertex first.
                let first = (0..4).min_by_key(|&corner| positions[corner]).unwrap_or(0);
                positions.rotate_left(first);
                corners.extend(positions);
            }
            Corners::Polygon(positions) | Corners::Patch(positions) => corners.extend(positions),
        }
        if let Some(elements) = assembly.elements(corners.iter().copied()) {
            add(&elements);
        }
    }
}

/// Calls `add` with the number and the elements of each simple primitive or patch that a geometry or
/// tessellation program runs for. Elements are in the order of the program's `vertex[m]`, including adjacent
/// vertices. A primitive with an element number beyond 32 bits is skipped, but counts. `patch` is the number
/// of vertices per patch.
pub fn each_simple_primitive(
    (primitive, patch): (Primitive, u8),
    elements: &Elements,
    mut add: impl FnMut(u32, &[u32]),
) {
    let assembly = Assembly::new((primitive, patch), elements);
    for number in 0..assembly.simple_count() {
        if let Some(elements) = assembly.elements(assembly.simple(number).vertices()) {
            add(number as u32, &elements);
        }
    }
}

/// One triangle of the fan that a polygon is split into.
#[derive(Clone, Copy, Debug)]
pub(super) struct FanTriangle {
    /// Slots of its vertices.
    pub slots: [u32; 3],
    /// Index (0 to 2) of the provoking vertex.
    pub provoking: u8,
    /// For each vertex, the kind of the edge from this vertex to the next.
    pub edges: [PolygonEdge; 3],
}

/// A primitive of shaded vertices, given by their slots: the clipper's input from all stages.
#[derive(Clone, Debug)]
pub(super) enum AssembledPrimitive {
    Point(u32),
    Line([u32; 2]),
    Triangle([FanTriangle; 1]),
    Quad([FanTriangle; 2]),
    Polygon(Vec<FanTriangle>),
}

/// Assembles primitives from the draw's own vertices.
#[derive(Debug)]
pub(super) struct Assembler<'a> {
    pub assembly: Assembly<'a>,
    /// The edge flags; `None` if all edges are boundary edges.
    edge_flags: Option<&'a EdgeFlags>,
    pub cache: Cache,
}

impl<'a> Assembler<'a> {
    /// An assembler for vertices with the slots of `cache`.
    pub fn new(input: &'a VertexInput, cache: Cache) -> Self {
        let assembly = Assembly::new((input.primitive, input.patches.vertices), &input.elements);
        let flagged = assembly.primitive().has_edge_flags()
            && input.edge_flags != EdgeFlags::Current(EdgeFlag::Boundary);
        Self { assembly, edge_flags: flagged.then_some(&input.edge_flags), cache }
    }

    /// The slot of the element at a position; `None` if the element is beyond the arrays.
    #[inline]
    pub fn slot(&self, position: usize) -> Option<u32> {
        self.cache.slot(self.assembly.item(position))
    }

    /// The kind of the edge that begins at the element at a position.
    #[inline]
    fn edge(&self, position: usize) -> PolygonEdge {
        let Some(flags) = self.edge_flags else { return PolygonEdge::Boundary };
        match self.assembly.item(position) {
            Item::Element(element) if flags.of(element) == EdgeFlag::NonBoundary => PolygonEdge::NonBoundary,
            Item::Element(_) | Item::Beyond => PolygonEdge::Boundary,
        }
    }

    /// Primitive `number`; `None` if one of its elements is beyond the arrays.
    #[inline]
    pub fn primitive(&self, number: usize) -> Option<AssembledPrimitive> {
        Some(match self.assembly.corners(number) {
            Corners::Point(position) => AssembledPrimitive::Point(self.slot(position)?),
            Corners::Line([a, b]) => AssembledPrimitive::Line([self.slot(a)?, self.slot(b)?]),
            Corners::Triangle([a, b, c]) => {
                let slots = [self.slot(a)?, self.slot(b)?, self.slot(c)?];
                let edges = [a, b, c].map(|position| self.edge(position));
                AssembledPrimitive::Triangle([FanTriangle { slots, provoking: 2, edges }])
            }
            Corners::Quad(corners) => {
                let edges = corners.map(|position| self.edge(position));
                let [a, b, c, d] = corners;
                let [a, b, c, d] = [self.slot(a)?, self.slot(b)?, self.slot(c)?, self.slot(d)?];
                let inner = PolygonEdge::Inner;
                AssembledPrimitive::Quad([
                    FanTriangle { slots: [a, b, c], provoking: 0, edges: [edges[0], edges[1], inner] },
                    FanTriangle { slots: [a, c, d], provoking: 0, edges: [inner, edges[2], edges[3]] },
                ])
            }
            // The clipper takes the primitives that the patch is divided into.
            Corners::Patch(_) => return None,
            Corners::Polygon(positions) => {
                let slots =
                    positions.clone().map(|position| self.slot(position)).collect::<Option<Vec<u32>>>()?;
                let count = slots.len() - 2;
                let edge = |i: usize| self.edge(positions.start + i);
                let triangle = |i: usize| FanTriangle {
                    slots: [slots[0], slots[i + 1], slots[i + 2]],
                    provoking: 0,
                    edges: [
                        if i == 0 { edge(0) } else { PolygonEdge::Inner },
                        edge(i + 1),
                        if i + 1 == count { edge(i + 2) } else { PolygonEdge::Inner },
                    ],
                };
                AssembledPrimitive::Polygon((0..count).map(triangle).collect())
            }
        })
    }

    /// The numbers of the elements in these slots. Adjacent repetitions are dropped.
    pub fn elements(&self, slots: &[u32]) -> Vec<u32> {
        let mut elements: Vec<u32> = Vec::with_capacity(slots.len());
        for &slot in slots {
            elements.extend(self.cache.elements(slot as usize..slot as usize + 1));
        }
        elements.dedup();
        elements
    }
}
