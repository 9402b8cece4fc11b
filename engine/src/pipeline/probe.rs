//! The fragments of one pixel, for whoever wants to run the program on them again.

use super::interpolate::{self, Quad, ViewportQuad};
use super::raster;
use super::setup::{self, Bounds, Setup, Triangle};
use super::vertex::{Layout, Slot, VertexStage, slots};
use super::{DepthSource, Draw, Geometry, Mesh, Stats};
use crate::exec::AttributeRows;
use crate::ir::Attribute;

/// Attributes of the four lanes of a quad: by attribute (in the order of `Attribute::FRAGMENT`), lane,
/// component. Components that were not asked for are 0.
pub type QuadAttributes = [[[f32; 4]; 4]; Attribute::SLOTS];

/// A fragment that covers the pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct PixelFragment {
    /// Attributes of its quad, as the renderer gives them to the shader.
    pub quad: QuadAttributes,
    /// The pixel's place in the quad: `x % 2 + 2 * (y % 2)`.
    pub lane: usize,
    /// The mesh's triangle; 0 for the viewport quad.
    pub triangle: u32,
    /// The quad's lanes that the same triangle covers; the others are helpers.
    pub covered: [bool; 4],
}

/// Every fragment of `draw`, in drawing order, that covers `pixel` (x, y from the lower left) of a
/// window of `size` pixels, with bit for bit the attributes that [`super::render`] computes.
/// `depth` says whether the program replaces depth, which turns off clipping to near and far. Depth
/// test and discards play no part: fragments that were not written are here too. A pixel outside the
/// window has no fragments.
pub fn fragments_at(
    draw: &Draw,
    attributes_used: &[u8; Attribute::SLOTS],
    depth: DepthSource,
    size: [u32; 2],
    pixel: [u32; 2],
) -> Vec<PixelFragment> {
    if pixel[0] >= size[0] || pixel[1] >= size[1] {
        return Vec::new();
    }
    match &draw.geometry {
        Geometry::ViewportQuad => vec![viewport_fragment(draw, attributes_used, size, pixel)],
        Geometry::Mesh(mesh) => mesh_fragments(draw, mesh, attributes_used, depth, size, pixel),
    }
}

/// The lower left pixel of the quad that holds `pixel`, and the lane.
fn quad_of(pixel: [u32; 2]) -> ([u32; 2], usize) {
    (pixel.map(|x| x & !1), (pixel[0] % 2 + pixel[1] % 2 * 2) as usize)
}

/// Reads quad 0 of the block.
fn first_quad(rows: &AttributeRows, used: impl Iterator<Item = Slot>) -> QuadAttributes {
    let mut quad = QuadAttributes::default();
    for (attribute, component) in used {
        let row = rows.row(attribute, component);
        for (lane, value) in quad[attribute.index()].iter_mut().zip(row.0) {
            lane[component] = value;
        }
    }
    quad
}

fn viewport_fragment(
    draw: &Draw,
    attributes_used: &[u8; Attribute::SLOTS],
    size: [u32; 2],
    pixel: [u32; 2],
) -> PixelFragment {
    let quad = ViewportQuad::new(draw, attributes_used, size);
    let ([x, y], lane) = quad_of(pixel);
    let mut rows = AttributeRows::default();
    interpolate::fill_constants(&mut rows, &quad.constants);
    quad.fill_columns(&mut rows, x);
    quad.fill_rows(&mut rows, y);
    let covered =
        std::array::from_fn(|lane| x + (lane as u32 % 2) < size[0] && y + (lane as u32 / 2) < size[1]);
    PixelFragment { quad: first_quad(&rows, slots(attributes_used)), lane, triangle: 0, covered }
}

fn mesh_fragments(
    draw: &Draw,
    mesh: &Mesh,
    attributes_used: &[u8; Attribute::SLOTS],
    depth: DepthSource,
    size: [u32; 2],
    pixel: [u32; 2],
) -> Vec<PixelFragment> {
    let layout = Layout::new(attributes_used);
    let stage = VertexStage { mesh, view: draw.camera.view(size) };
    let planes = Setup::depth_planes(draw, depth);
    let setup = Setup::new(draw, size, stage.view.near, planes);
    let (at, lane) = quad_of(pixel);
    let area = Bounds { low: at, high: [at[0] + 1, at[1] + 1] };
    let mut rows = AttributeRows::default();
    interpolate::fill_constants(&mut rows, &layout.constants);
    let mut found = Vec::new();
    let mut varyings = Vec::new();
    let count = layout.varyings.len();
    let mut data = vec![0.0; 3 * count];
    let mut stats = Stats::default();
    for (index, &vertices) in mesh.triangles().iter().enumerate() {
        let positions = vertices.map(|vertex| stage.clip(vertex));
        let transformed = positions.map(|position| setup.vertex(position));
        setup.prepare(
            &transformed,
            |i| positions[i],
            &mut stats,
            |shape| {
                let triangle = Triangle::new(shape.corners, shape.bounds, index as u32);
                raster::quads(&triangle, area, |_, _, covered: u8| {
                    if covered >> lane & 1 == 0 {
                        return;
                    }
                    for (i, vertex) in vertices.into_iter().enumerate() {
                        stage.data(&layout, vertex..vertex + 1, &mut data[i * count..][..count]);
                    }
                    let data = [0, 1, 2].map(|i: usize| &data[i * count..][..count]);
                    varyings.clear();
                    setup::varyings(data, &shape.origin, &mut varyings);
                    let quad = Quad { triangle: &triangle, varyings: &varyings, at };
                    interpolate::fill_block(&mut rows, &layout, &[quad]);
                    found.push(PixelFragment {
                        quad: first_quad(&rows, slots(attributes_used)),
                        lane,
                        triangle: triangle.index,
                        covered: std::array::from_fn(|lane| covered >> lane & 1 != 0),
                    });
                });
            },
        );
    }
    found
}
