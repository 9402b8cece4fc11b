//! Primitives that a program made of others: those that a geometry program emitted, and those that patches were divided into.

use super::Stats;
use super::assemble::{AssembledPrimitive, FanTriangle};
use super::clip::PolygonEdge;
use super::feedback::StreamVertices;
use super::reader::{Input, Inputs};
use crate::subject::Subject;
use shadestep_language::ir::OutputPrimitive;

/// A primitive that was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MadePrimitive {
    /// Of a point all three are the same, of a line the last two.
    pub slots: [u32; 3],
    /// The number of what it was made of among what the stage before made.
    pub origin: u32,
    /// The number of the invocation that made it.
    pub invocation: u8,
    /// The `primitive.id` of what it was made of.
    pub id: u32,
    /// The simple primitive or patch of the draw that it comes from.
    pub source: u32,
}

impl MadePrimitive {
    /// One of `input`.
    pub const fn of(input: &Input, invocation: u8, slots: [u32; 3]) -> Self {
        Self { slots, origin: input.number, invocation, id: input.id, source: input.source }
    }
}

/// What made them.
#[derive(Clone, Debug)]
pub(super) enum Maker {
    /// A geometry program.
    Geometry,
    /// The primitive generator; an evaluation program gave the vertices. Of each patch that has any, the first slot and its number, in order.
    Patches(Vec<(u32, u32)>),
}

/// The primitives of one kind that were made of some of an instance's.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub kind: OutputPrimitive,
    pub by: Maker,
    pub primitives: Vec<MadePrimitive>,
    /// How many vertices they are made of.
    pub vertices: usize,
    /// Points that are not drawn.
    pub streams: StreamVertices,
    /// What was done for them, primitives that were left out among it.
    pub done: Stats,
}

impl Made {
    /// How many there are.
    pub const fn count(&self) -> usize {
        self.primitives.len()
    }

    /// One of them.
    pub fn get(&self, number: usize) -> &MadePrimitive {
        &self.primitives[number]
    }

    /// Primitive `number`, which there must be, for the clipper.
    pub fn primitive(&self, number: usize) -> AssembledPrimitive {
        let slots = self.primitives[number].slots;
        let [a, b, _] = slots;
        match self.kind {
            OutputPrimitive::Points => AssembledPrimitive::Point(a),
            OutputPrimitive::LineStrip => AssembledPrimitive::Line([a, b]),
            OutputPrimitive::TriangleStrip => {
                // All edges are boundary edges.
                let edges = [PolygonEdge::Boundary; 3];
                AssembledPrimitive::Triangle([FanTriangle { slots, provoking: 2, edges }])
            }
        }
    }

    /// The slots of its vertices.
    pub fn slots(&self, number: usize) -> &[u32] {
        &self.primitives[number].slots[..self.kind.vertices()]
    }

    /// What ran for the vertex in a slot, if vertices are those of patches.
    pub fn patch_vertex(&self, slot: u32) -> Option<Subject> {
        let Maker::Patches(starts) = &self.by else { return None };
        let before = starts.partition_point(|(first, _)| *first <= slot);
        let (first, patch) = *starts.get(before.checked_sub(1)?)?;
        Some(Subject::PatchVertex { patch, vertex: slot - first })
    }

    /// The invocation that made primitive `number`: of a geometry program, or the one that gave its provoking vertex.
    pub fn invocation(&self, number: usize) -> Option<Subject> {
        let MadePrimitive { origin, invocation, slots, .. } = self.primitives[number];
        match self.by {
            Maker::Geometry => Some(Subject::Primitive { number: origin, invocation }),
            Maker::Patches(_) => self.patch_vertex(slots[2]),
        }
    }

    /// Those of `range` as what a geometry program reads; `before` were made of the instance's earlier.
    pub fn inputs(&self, range: std::ops::Range<usize>, before: usize) -> Inputs {
        let mut inputs = Inputs::default();
        for number in range {
            let MadePrimitive { id, source, .. } = self.primitives[number];
            let slots = self.slots(number).iter().map(|slot| Some(*slot));
            inputs.push(((before + number) as u32, id, source), 0, slots);
        }
        inputs
    }
}
