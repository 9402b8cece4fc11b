//! The fixed vertex stage of meshes, and which attribute component comes from where.
//!
//! A component is a constant, a window quantity, or a datum of the vertices to interpolate. Only the
//! components that the shader reads are looked at.

use super::Mesh;
use super::camera::View;
use crate::ir::Attribute;
use glam::{DVec3, DVec4};
use std::ops::Range;

/// A quantity that a vertex has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Datum {
    Texcoord(usize),
    Normal(usize),
    Position(usize),
    Tangent(usize),
    Bitangent(usize),
    /// Eye minus position.
    ToEye(usize),
    EyePosition(usize),
    Color(usize),
    /// Distance from the plane through the eye, perpendicular to the line of sight.
    FogDistance,
}

/// A quantity of a fragment's place in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WindowDatum {
    X,
    Y,
    Z,
    ReciprocalW,
}

/// Where an attribute component comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Source {
    Constant(f32),
    Window(WindowDatum),
    Vertex(Datum),
}

/// An attribute component: register and component index.
pub(super) type Slot = (Attribute, usize);

/// The components of a mesh draw that the shader reads, by kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub constants: Vec<(Slot, f32)>,
    pub window: Vec<(Slot, WindowDatum)>,
    pub varyings: Vec<(Slot, Datum)>,
}

impl Layout {
    pub fn new(attributes_used: &[u8; Attribute::SLOTS]) -> Self {
        let mut layout = Self::default();
        for slot in slots(attributes_used) {
            match source(slot) {
                Source::Constant(value) => layout.constants.push((slot, value)),
                Source::Window(datum) => layout.window.push((slot, datum)),
                Source::Vertex(datum) => layout.varyings.push((slot, datum)),
            }
        }
        layout
    }
}

/// The components that `attributes_used` names.
pub(super) fn slots(attributes_used: &[u8; Attribute::SLOTS]) -> impl Iterator<Item = Slot> {
    let used = *attributes_used;
    Attribute::FRAGMENT.into_iter().flat_map(move |attribute| {
        (0..4).filter(move |c| used[attribute.index()] >> c & 1 != 0).map(move |c| (attribute, c))
    })
}

/// The fixed transform's attribute table (see `Geometry::Mesh`).
fn source((attribute, c): Slot) -> Source {
    let direction = |datum: fn(usize) -> Datum| match c {
        3 => Source::Constant(0.0),
        _ => Source::Vertex(datum(c)),
    };
    let point = |datum: fn(usize) -> Datum| match c {
        3 => Source::Constant(1.0),
        _ => Source::Vertex(datum(c)),
    };
    match attribute {
        Attribute::Wpos => {
            Source::Window([WindowDatum::X, WindowDatum::Y, WindowDatum::Z, WindowDatum::ReciprocalW][c])
        }
        Attribute::Col0 => Source::Vertex(Datum::Color(c)),
        Attribute::Col1 => Source::Constant([0.0, 0.0, 0.0, 1.0][c]),
        Attribute::Fogc if c == 0 => Source::Vertex(Datum::FogDistance),
        Attribute::Fogc => Source::Constant(0.0),
        Attribute::Tex(0) if c < 2 => Source::Vertex(Datum::Texcoord(c)),
        Attribute::Tex(0) => Source::Constant([0.0, 0.0, 0.0, 1.0][c]),
        Attribute::Tex(1) => direction(Datum::Normal),
        Attribute::Tex(3) => direction(Datum::Tangent),
        Attribute::Tex(4) => direction(Datum::Bitangent),
        Attribute::Tex(5) => direction(Datum::ToEye),
        Attribute::Tex(6) => point(Datum::EyePosition),
        Attribute::Vertex(_) => Source::Constant(0.0),
        // TEX2 and TEX7: world and object position, the same without a model matrix.
        Attribute::Tex(_) => point(Datum::Position),
    }
}

/// The vertices of one draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct VertexStage<'a> {
    pub mesh: &'a Mesh,
    pub view: View,
}

impl VertexStage<'_> {
    fn world(&self, vertex: u32) -> DVec3 {
        let [x, y, z] = self.mesh.positions()[vertex as usize];
        DVec3::new(x.into(), y.into(), z.into())
    }

    /// Clip coordinates.
    pub fn clip(&self, vertex: u32) -> DVec4 {
        self.view.clip_from_world * self.world(vertex).extend(1.0)
    }

    /// Writes the layout's varyings of these vertices: `layout.varyings.len()` values a vertex.
    pub fn data(&self, layout: &Layout, vertices: Range<u32>, out: &mut [f32]) {
        let count = layout.varyings.len();
        for (number, &(_, datum)) in layout.varyings.iter().enumerate() {
            for (vertex, values) in vertices.clone().zip(out.chunks_exact_mut(count)) {
                values[number] = self.datum(vertex, datum);
            }
        }
    }

    /// A vertex result.
    #[inline]
    fn datum(&self, vertex: u32, datum: Datum) -> f32 {
        let i = vertex as usize;
        match datum {
            Datum::Texcoord(c) => self.mesh.texcoords()[i][c],
            Datum::Normal(c) => self.mesh.normals()[i][c],
            Datum::Position(c) => self.mesh.positions()[i][c],
            Datum::Tangent(c) => self.mesh.tangents()[i][c],
            Datum::Bitangent(c) => self.mesh.bitangent(i)[c],
            Datum::ToEye(c) => (self.view.eye[c] - self.world(vertex)[c]) as f32,
            Datum::EyePosition(c) => (self.view.eye_from_world * self.world(vertex).extend(1.0))[c] as f32,
            Datum::Color(c) => self.mesh.color(i)[c],
            Datum::FogDistance => -(self.view.eye_from_world * self.world(vertex).extend(1.0)).z as f32,
        }
    }
}
