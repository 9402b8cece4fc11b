//! From a list of elements to primitives (glspec15 2.6.1, NV_primitive_restart).
//!
//! Primitives are numbered in drawing order and each can be had by its number alone, so that threads can
//! share the work. Incomplete ones are no primitives and have no numbers.

use super::elements::{self, Item};
use super::{Elements, Primitive, VertexInput};
use std::ops::Range;

/// The elements of a primitive, as positions in the list of elements. Polygons come in the order of a
/// fan about the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Corners {
    Point(usize),
    /// Start and end; the end provokes (2.14.7).
    Line([usize; 2]),
    /// The last provokes (table 2.12).
    Triangle([usize; 3]),
    /// The first provokes.
    Quad([usize; 4]),
    /// The first provokes.
    Polygon(Range<usize>),
}

/// Elements between restarts.
#[derive(Clone, Copy, Debug)]
struct Run {
    start: usize,
    /// How many elements.
    length: usize,
    /// Number of its first primitive.
    first: usize,
}

/// The primitives of a draw.
#[derive(Clone, Debug)]
pub(super) struct Assembly<'a> {
    elements: &'a Elements,
    primitive: Primitive,
    /// Those that have primitives.
    runs: Vec<Run>,
    count: usize,
}

/// How many primitives `length` elements form.
fn primitives(primitive: Primitive, length: usize) -> usize {
    match primitive {
        Primitive::Points => length,
        Primitive::Lines => length / 2,
        Primitive::LineStrip => length.saturating_sub(1),
        // One element alone is no line.
        Primitive::LineLoop if length < 2 => 0,
        Primitive::LineLoop => length,
        Primitive::Triangles => length / 3,
        Primitive::TriangleStrip | Primitive::TriangleFan => length.saturating_sub(2),
        Primitive::Quads => length / 4,
        Primitive::QuadStrip => length.saturating_sub(2) / 2,
        Primitive::Polygon => usize::from(length >= 3),
    }
}

impl<'a> Assembly<'a> {
    pub fn new(input: &'a VertexInput) -> Self {
        let mut assembly =
            Self { elements: &input.elements, primitive: input.primitive, runs: Vec::new(), count: 0 };
        match &input.elements {
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
        let count = primitives(self.primitive, length);
        if count > 0 {
            self.runs.push(Run { start, length, first: self.count });
            self.count += count;
        }
    }

    /// What the elements are assembled to.
    pub fn primitive(&self) -> Primitive {
        self.primitive
    }

    /// How many primitives there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The element at a position.
    #[inline(always)]
    pub fn item(&self, position: usize) -> Item {
        elements::item(self.elements, position)
    }

    /// The primitive with this number, which there must be.
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
            // A is the last vertex with an odd number, B the last with an even one, counted from 1.
            Primitive::TriangleStrip if i % 2 == 0 => Corners::Triangle([at + i, at + i + 1, at + i + 2]),
            Primitive::TriangleStrip => Corners::Triangle([at + i + 1, at + i, at + i + 2]),
            Primitive::TriangleFan => Corners::Triangle([at, at + i + 1, at + i + 2]),
            // The fourth provokes.
            Primitive::Quads => {
                let at = at + 4 * i;
                Corners::Quad([at + 3, at, at + 1, at + 2])
            }
            // Vertices 2i, 2i+1, 2i+3, 2i+2, counted from 0; the third of them provokes.
            Primitive::QuadStrip => {
                let at = at + 2 * i;
                Corners::Quad([at + 3, at + 2, at, at + 1])
            }
            Primitive::Polygon => Corners::Polygon(at..at + run.length),
        }
    }
}
