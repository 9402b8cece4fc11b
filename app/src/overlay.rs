//! Wireframe and normals over the picture: lines in window coordinates. The render thread computes the lines
//! from the outputs of the vertex stage. The viewport paints them over the picture, never into it.
//!
//! A normal's line ends where the same vertex stage puts the vertex once its position, `v[OPOS]`, is moved
//! along `v[NRML]` by three hundredths of the model's extent. For the built-in transform and
//! position-invariant programs, this is exactly the modelview-projection of the moved position. A program
//! that deforms the model deforms the line too, which shows the outside of the deformed surface. With a
//! program that does not read `v[OPOS]`, the line has no length and is not drawn.
//!
//! Lines are clipped to the view volume, but not by clip distances. Parts that the picture's depths hide, and
//! lines of back faces, are fainter.

use crate::model::Overlays;
use crate::session::{DeepLine, Frame, Line, Window};
use shadestep_engine::exec::VertexInputs;
use shadestep_engine::gl::DrawCall;
use shadestep_engine::ir::{single_bits, singles};
use shadestep_engine::isa::Stage;
use shadestep_engine::pipeline::{
    ArrayConversion, ArrayData, AttributeArray, AttributeSource, CullFace, Draw, Elements, FrontFace,
    Geometry, Patches, Primitive, RasterState, ShadedVertex, VertexInput, each_primitive, shaded_vertices,
    vertex_attributes,
};
use std::collections::HashMap;

/// Largest number of edges.
pub const MAX_EDGES: usize = 30_000;
/// Largest number of normals.
pub const MAX_NORMALS: usize = 20_000;
/// Length of a normal's line, as a fraction of the diagonal of the model's extent.
const LENGTH: f32 = 0.03;
/// `v[OPOS]`
const POSITION: usize = 0;
/// `v[NRML]`
const NORMAL: usize = 2;

/// Pixels between the points of a line that are tested for being hidden.
const SAMPLING: f32 = 2.0;

/// Lines over a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay {
    /// Visible parts of edges of front faces, and of lines.
    pub edges: Vec<Line>,
    /// Edges of back faces, and hidden parts of the other edges.
    pub back_edges: Vec<Line>,
    /// Visible parts of normals at vertices of front faces.
    pub normals: Vec<Line>,
    /// The other normals, and hidden parts of normals.
    pub back_normals: Vec<Line>,
    /// Notes about parts that are not shown.
    pub notes: Vec<String>,
}

/// The visible side of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Back,
    Front,
}

/// Returns the `wanted` lines over `frame`, the picture of `call`, for one instance.
pub fn compute(call: &DrawCall, frame: &Frame, wanted: Overlays, instance: u32) -> Overlay {
    let mut overlay = Overlay::default();
    let size = frame.size();
    if wanted == Overlays::default() {
        return overlay;
    }
    let Some(input) = call.vertex_input() else {
        overlay.notes.push("A scene without a mesh has no vertices to show.".to_owned());
        return overlay;
    };
    let window = Window::new(&call.draw().state, size);
    let made = call.makes_primitives() && wanted.wireframe.is_some_and(Stage::reads_primitives);
    // Vertices of generated primitives are shaded along with them.
    let shaded = if made { Vec::new() } else { call.shaded_vertices(size, instance) };
    if input.instances > 1 {
        overlay.notes.push(format!("Instance {instance} (of 0 to {}).", input.instances - 1));
    }
    let faces = if made {
        Faces::made(call, size, instance)
    } else {
        Faces::gather(input, &shaded, &call.draw().state)
    };
    if wanted.wireframe.is_some() {
        for ((a, b), side) in &faces.edges {
            let Some(line) = window.line(faces.clip[a], faces.clip[b]) else { continue };
            add_parts(line, *side, frame, [&mut overlay.edges, &mut overlay.back_edges]);
        }
        overlay.notes.extend(faces.note());
    }
    if wanted.normals && call.makes_primitives() {
        overlay
            .notes
            .push("Vertices from tessellation and geometry programs have no normals to show.".to_owned());
    } else if wanted.normals {
        normals(call, (input, instance), (&shaded, &faces), &window, frame, &mut overlay);
    }
    overlay
}

/// Runs the vertex stage on the vertices moved along their normals.
fn normals(
    call: &DrawCall,
    (input, instance): (&VertexInput, u32),
    (shaded, faces): (&[ShadedVertex], &Faces),
    window: &Window,
    frame: &Frame,
    overlay: &mut Overlay,
) {
    if !matches!(input.attributes[NORMAL], AttributeSource::Array(_)) {
        overlay.notes.push("The scene has no array of normals (v[NRML]).".to_owned());
        return;
    }
    let Some(stage) = call.vertex_stage() else { return };
    let shown = &shaded[..shaded.len().min(MAX_NORMALS)];
    if shown.len() < shaded.len() {
        let words = format!("Normals of {} of {} vertices.", shown.len(), shaded.len());
        overlay.notes.push(words);
    }
    let mut rows: Vec<VertexInputs> =
        shown.iter().map(|vertex| vertex_attributes(input, vertex.element, instance)).collect();
    let length = LENGTH * diagonal(&rows);
    for row in &mut rows {
        row[POSITION] = single_bits(moved(singles(row[POSITION]), singles(row[NORMAL]), length));
    }
    let moved = VertexInput {
        attributes: std::array::from_fn(|attribute| match &input.attributes[attribute] {
            AttributeSource::Current(value) if attribute != POSITION => AttributeSource::Current(*value),
            _ => {
                // Pass all bits on, whatever their type.
                let bits = rows.iter().flat_map(|row| row[attribute]);
                let array = AttributeArray::packed(ArrayData::UnsignedInt64(bits.collect()), 4);
                AttributeSource::Array(AttributeArray { conversion: ArrayConversion::Long, ..array })
            }
        }),
        edge_flags: input.edge_flags.clone(),
        primitive: Primitive::Points,
        elements: Elements::Range { first: 0, count: u32::try_from(rows.len()).unwrap_or(0) },
        patches: Patches::DEFAULT,
        instances: 1,
    };
    let draw = Draw { geometry: Geometry::Vertices(moved), state: call.draw().state, clear: None };
    let ends = shaded_vertices(&draw, stage, frame.size(), instance);
    for (start, end) in shown.iter().zip(ends) {
        let Some(line) = window.line(start.clip, end.clip) else { continue };
        let [dx, dy] = [0, 1].map(|axis| line[1][axis] - line[0][axis]);
        if dx * dx + dy * dy < 1e-6 {
            continue;
        }
        if let Some(side) = faces.vertices.get(&start.element) {
            add_parts(line, *side, frame, [&mut overlay.normals, &mut overlay.back_normals]);
        }
    }
}

/// Adds the visible parts of a line of a face seen from `side` to `seen`, and the hidden parts to `hidden`.
fn add_parts(line: DeepLine, side: Side, frame: &Frame, [seen, hidden]: [&mut Vec<Line>; 2]) {
    let [a, b] = line;
    let length = (b[0] - a[0]).hypot(b[1] - a[1]);
    let pieces = if side == Side::Back { 1 } else { (length / SAMPLING).ceil().clamp(1.0, 4096.0) as u32 };
    let at = |t: f32| [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * t);
    let place = |piece: u32| {
        let [x, y, _] = at(piece as f32 / pieces as f32);
        [x, y]
    };
    let is_hidden = |piece: u32| side == Side::Back || frame.hides(at((piece as f32 + 0.5) / pieces as f32));
    let mut start = 0;
    while start < pieces {
        let state = is_hidden(start);
        let end = (start + 1..pieces).find(|&piece| is_hidden(piece) != state).unwrap_or(pieces);
        if state { &mut *hidden } else { &mut *seen }.push([place(start), place(end)]);
        start = end;
    }
}

/// Returns the diagonal of the box around all finite positions.
fn diagonal(rows: &[VertexInputs]) -> f32 {
    let points = || rows.iter().map(|row| singles(row[POSITION])).filter(|p| p.iter().all(|x| x.is_finite()));
    let square = |axis: usize| {
        let least = points().map(|p| p[axis]).fold(f32::INFINITY, f32::min);
        let most = points().map(|p| p[axis]).fold(f32::NEG_INFINITY, f32::max);
        if least <= most { (most - least) * (most - least) } else { 0.0 }
    };
    (square(0) + square(1) + square(2)).sqrt()
}

/// Moves `position` by `length` along `normal`. Returns `position` if the normal has no direction.
fn moved(position: [f32; 4], normal: [f32; 4], length: f32) -> [f32; 4] {
    let [x, y, z, _] = normal;
    let norm = (x * x + y * y + z * z).sqrt();
    let [px, py, pz, w] = position;
    let by = length / norm * w;
    if norm > 0.0 && by.is_finite() { [px + x * by, py + y * by, pz + z * by, w] } else { position }
}

/// Edges and vertices of the drawn faces and lines, each once.
#[derive(Default)]
struct Faces {
    clip: HashMap<u32, [f32; 4]>,
    edges: HashMap<(u32, u32), Side>,
    vertices: HashMap<u32, Side>,
    total: usize,
    left_out: usize,
    points: usize,
}

impl Faces {
    fn gather(input: &VertexInput, shaded: &[ShadedVertex], state: &RasterState) -> Self {
        let mut faces = Self {
            clip: shaded.iter().map(|vertex| (vertex.element, vertex.clip)).collect(),
            ..Self::default()
        };
        // A range has only as many elements as were shaded.
        let elements = match &input.elements {
            Elements::Range { first, count } => {
                let shaded = u32::try_from(shaded.len()).unwrap_or(u32::MAX);
                &Elements::Range { first: *first, count: shaded.min(*count) }
            }
            elements => elements,
        };
        each_primitive((input.primitive, input.patches.vertices), elements, |corners| {
            faces.add(corners, state);
        });
        faces
    }

    /// Returns the faces that the geometry program emits or, without one, the faces of subdivided patches.
    fn made(call: &DrawCall, size: [u32; 2], instance: u32) -> Self {
        let mut faces = Self::default();
        // Vertices at the same place become one vertex, because strips that meet there have one each.
        let mut places: HashMap<[u32; 4], u32> = HashMap::new();
        call.each_made_primitive((size, instance), |_, corners| {
            let numbers: Vec<u32> = corners
                .iter()
                .map(|corner| {
                    let next = u32::try_from(places.len()).unwrap_or(u32::MAX);
                    let number = *places.entry(corner.map(f32::to_bits)).or_insert(next);
                    faces.clip.insert(number, *corner);
                    number
                })
                .collect();
            faces.add(&numbers, &call.draw().state);
        });
        faces
    }

    /// Adds a point, a line or a polygon.
    fn add(&mut self, corners: &[u32], state: &RasterState) {
        self.total += 1;
        let Some(clip) = corners.iter().map(|c| self.clip.get(c).copied()).collect::<Option<Vec<_>>>() else {
            return;
        };
        let side = match clip.as_slice() {
            [_] | [_, _] => Side::Front,
            polygon => match facing(polygon, state.front_face) {
                Some(side) if !culled(side, state.cull) => side,
                _ => return,
            },
        };
        for corner in corners {
            let known = self.vertices.entry(*corner).or_insert(side);
            *known = side.max(*known);
        }
        if corners.len() < 2 {
            self.points += 1;
            return;
        }
        if self.edges.len() + corners.len() > MAX_EDGES {
            self.left_out += 1;
            return;
        }
        let closing = (corners.len() > 2).then(|| (corners[corners.len() - 1], corners[0]));
        for (a, b) in corners.windows(2).map(|pair| (pair[0], pair[1])).chain(closing) {
            let known = self.edges.entry((a.min(b), a.max(b))).or_insert(side);
            *known = side.max(*known);
        }
    }

    fn note(&self) -> Option<String> {
        if self.points > 0 && self.edges.is_empty() {
            return Some("Points have no edges to show.".to_owned());
        }
        let shown = self.total - self.left_out;
        (self.left_out > 0).then(|| format!("Wireframe of the first {shown} of {} primitives.", self.total))
    }
}

fn culled(side: Side, cull: Option<CullFace>) -> bool {
    match cull {
        None => false,
        Some(CullFace::FrontAndBack) => true,
        Some(CullFace::Front) => side == Side::Front,
        Some(CullFace::Back) => side == Side::Back,
    }
}

/// Returns the visible side of a polygon, from clip coordinates. Where all w are positive, the sign is the
/// sign of its area in the window (glspec15 equation 2.7). It is also right for corners behind the eye.
/// `None` for a polygon seen edge-on or not at all.
fn facing(polygon: &[[f32; 4]], front: FrontFace) -> Option<Side> {
    let at = |corner: [f32; 4]| [corner[0], corner[1], corner[3]].map(f64::from);
    let first = at(*polygon.first()?);
    let area: f64 = polygon[1..]
        .windows(2)
        .map(|pair| {
            let (b, c) = (at(pair[0]), at(pair[1]));
            first[0] * (b[1] * c[2] - b[2] * c[1]) - first[1] * (b[0] * c[2] - b[2] * c[0])
                + first[2] * (b[0] * c[1] - b[1] * c[0])
        })
        .sum();
    let counter_clockwise = match area {
        area if area > 0.0 => true,
        area if area < 0.0 => false,
        _ => return None,
    };
    Some(if counter_clockwise == (front == FrontFace::Ccw) { Side::Front } else { Side::Back })
}

#[cfg(test)]
#[path = "overlay_tests.rs"]
mod tests;
