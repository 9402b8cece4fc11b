//! Generated primitives: emitted by a geometry program (`geometry`), or divided from patches
//! (`tessellation`). The clipper takes them like the draw's own primitives.

use super::Stats;
use super::assemble::{AssembledPrimitive, FanTriangle};
use super::clip::PolygonEdge;
use super::feedback::StreamVertices;
use super::reader::{Input, Inputs};
use crate::subject::Subject;
use shadestep_language::ir::OutputPrimitive;

/// A generated primitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GeneratedPrimitive {
    /// Slots of the vertices. A point has three equal slots; a line has two equal last slots.
    pub slots: [u32; 3],
    /// Number of the input primitive among the previous stage's primitives.
    pub origin: u32,
    /// Number of the invocation that made the primitive.
    pub invocation: u8,
    /// The `primitive.id` of the input primitive.
    pub id: u32,
    /// The simple primitive or patch of the draw that the primitive originates from.
    pub source: u32,
}

impl GeneratedPrimitive {
    /// A primitive generated from `input`.
    pub const fn of(input: &Input, invocation: u8, slots: [u32; 3]) -> Self {
        Self { slots, origin: input.number, invocation, id: input.id, source: input.source }
    }
}

/// The stage that generated the primitives.
#[derive(Clone, Debug)]
pub(super) enum Maker {
    /// A geometry program.
    Geometry,
    /// The primitive generator; an evaluation program computed the vertices. For each patch with vertices,
    /// its first slot and its number, in order.
    Patches(Vec<(u32, u32)>),
}

/// Generated primitives of one kind, from part of an instance's primitives.
#[derive(Clone, Debug)]
pub(super) struct GeneratedPrimitives {
    pub kind: OutputPrimitive,
    pub by: Maker,
    pub primitives: Vec<GeneratedPrimitive>,
    /// Number of vertices.
    pub vertices: usize,
    /// Points of streams that are not drawn.
    pub streams: StreamVertices,
    /// Counts of the work for these primitives, including dropped primitives.
    pub done: Stats,
}

impl GeneratedPrimitives {
    pub const fn count(&self) -> usize {
        self.primitives.len()
    }

    pub fn get(&self, number: usize) -> &GeneratedPrimitive {
        &self.primitives[number]
    }

    /// Primitive `number` as the clipper takes it. Panics if there is no such primitive.
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

    /// The slots of a primitive's vertices.
    pub fn slots(&self, number: usize) -> &[u32] {
        &self.primitives[number].slots[..self.kind.vertices()]
    }

    /// The invocation that computed the vertex in a slot; `None` if the vertices are not from patches.
    pub fn patch_vertex(&self, slot: u32) -> Option<Subject> {
        let Maker::Patches(starts) = &self.by else { return None };
        let before = starts.partition_point(|(first, _)| *first <= slot);
        let (first, patch) = *starts.get(before.checked_sub(1)?)?;
        Some(Subject::PatchVertex { patch, vertex: slot - first })
    }

    /// The invocation that made primitive `number`: the geometry program's, or the evaluation of its
    /// provoking vertex.
    pub fn invocation(&self, number: usize) -> Option<Subject> {
        let GeneratedPrimitive { origin, invocation, slots, .. } = self.primitives[number];
        match self.by {
            Maker::Geometry => Some(Subject::Primitive { number: origin, invocation }),
            Maker::Patches(_) => self.patch_vertex(slots[2]),
        }
    }

    /// The primitives of `range` as inputs of a geometry program. `before` counts the instance's earlier
    /// primitives.
    pub fn inputs(&self, range: std::ops::Range<usize>, before: usize) -> Inputs {
        let mut inputs = Inputs::default();
        for number in range {
            let GeneratedPrimitive { id, source, .. } = self.primitives[number];
            let slots = self.slots(number).iter().map(|slot| Some(*slot));
            inputs.push(((before + number) as u32, id, source), 0, slots);
        }
        inputs
    }
}
