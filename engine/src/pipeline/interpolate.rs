//! Attributes of fragments: equation 3.4 for triangles, exact quotients for the viewport quad.
//!
//! Everything here is a function of primitive and pixel alone. The renderer and the probe both fill
//! their [`AttributeRows`] with these functions and no others.

use super::Draw;
use super::setup::{Triangle, Varying};
use super::vertex::{Layout, Slot, WindowDatum, slots};
use crate::exec::{AttributeRows, LANES, Row};
use crate::ir::Attribute;
use crate::num::fp32::{canonical, flush};

/// Values of the four lanes of a quad.
pub(super) type Lanes = [f64; 4];

/// As fp32 without denorms and with one NaN (ruling 6).
#[inline(always)]
fn finish(values: Lanes) -> [f32; 4] {
    values.map(|value| flush(canonical(value as f32)))
}

/// The edge functions of a triangle over the quad whose lower left pixel is (x, y): exact.
#[inline]
pub(super) fn edge_functions(triangle: &Triangle, x: u32, y: u32) -> [Lanes; 3] {
    triangle.edges.map(|edge| {
        let value = edge.at(x, y);
        let [dx, dy] = edge.step;
        [value, value + dx, value + dy, value + dx + dy]
    })
}

/// Window z, linear in window space (eq. 3.5), before any depth clamp.
#[inline]
pub(super) fn window_z(triangle: &Triangle, edges: &[Lanes; 3]) -> [f32; 4] {
    let [z, by_1, by_2] = triangle.z;
    finish(std::array::from_fn(|lane| z + (edges[1][lane] * by_1 + edges[2][lane] * by_2)))
}

/// Writes the constant components: once is enough for all blocks that go through `rows`.
pub(super) fn fill_constants(rows: &mut AttributeRows, constants: &[(Slot, f32)]) {
    for &((attribute, component), value) in constants {
        *rows.row_mut(attribute, component) = Row([value; LANES]);
    }
}

/// Writes the attributes of quad number `quad` of the block: the quad of `triangle` whose lower left
/// pixel is (x, y). Lanes outside the triangle get what eq. 3.4 extrapolates.
pub(super) fn fill_quad(
    rows: &mut AttributeRows,
    quad: usize,
    layout: &Layout,
    triangle: &Triangle,
    varyings: &[Varying],
    [x, y]: [u32; 2],
) {
    let edges = edge_functions(triangle, x, y);
    let [w0, w1, w2] = triangle.reciprocal_w;
    // The denominator of eq. 3.4 times the area. a, b and c are edge functions over the area, and
    // f = f_a + ((b/w_b)(f_b - f_a) + (c/w_c)(f_c - f_a)) / denominator.
    let weighted: [Lanes; 3] = std::array::from_fn(|lane| {
        let [a, b, c] = [edges[0][lane] * w0, edges[1][lane] * w1, edges[2][lane] * w2];
        [a + b + c, b, c]
    })
    .map_lanes();
    let [denominator, b, c] = weighted;
    let toward_b: Lanes = std::array::from_fn(|lane| b[lane] / denominator[lane]);
    let toward_c: Lanes = std::array::from_fn(|lane| c[lane] / denominator[lane]);
    let mut store = |(attribute, component): Slot, values: [f32; 4]| {
        rows.row_mut(attribute, component).0[quad * 4..quad * 4 + 4].copy_from_slice(&values);
    };
    for (&(slot, _), [first, second, third]) in layout.varyings.iter().zip(varyings) {
        store(
            slot,
            finish(std::array::from_fn(|lane| first + (toward_b[lane] * second + toward_c[lane] * third))),
        );
    }
    for &(slot, datum) in &layout.window {
        let left = f64::from(x) + 0.5;
        let bottom = f64::from(y) + 0.5;
        store(
            slot,
            match datum {
                WindowDatum::X => finish([left, left + 1.0, left, left + 1.0]),
                WindowDatum::Y => finish([bottom, bottom, bottom + 1.0, bottom + 1.0]),
                WindowDatum::Z => window_z(triangle, &edges),
                WindowDatum::ReciprocalW => finish(denominator.map(|value| value / triangle.area)),
            },
        );
    }
}

/// From values by lane to lanes by value.
trait MapLanes {
    fn map_lanes(self) -> [Lanes; 3];
}

impl MapLanes for [[f64; 3]; 4] {
    #[inline(always)]
    fn map_lanes(self) -> [Lanes; 3] {
        std::array::from_fn(|value| self.map(|lane| lane[value]))
    }
}

/// A component of the viewport quad that changes from pixel to pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Affine {
    /// (x + 0.5) / width.
    S,
    /// 1 - s, exact and then rounded once.
    OneMinusS,
    /// (y + 0.5) / height.
    T,
    X,
    Y,
}

/// The viewport quad's attribute components that the shader reads.
#[derive(Clone, Debug)]
pub(super) struct ViewportQuad {
    size: [f32; 2],
    /// Window z everywhere.
    pub z: f32,
    pub constants: Vec<(Slot, f32)>,
    columns: Vec<(Slot, Affine)>,
    rows: Vec<(Slot, Affine)>,
}

/// Pixels that a block of the viewport quad is wide; it is two rows high.
pub(super) const BLOCK_WIDTH: u32 = (LANES / 2) as u32;

impl ViewportQuad {
    pub fn new(draw: &Draw, attributes_used: &[u8; Attribute::COUNT], size: [u32; 2]) -> Self {
        let [near, far] = draw.depth.clamped_range().map(f64::from);
        let z = flush(((near + far) * 0.5) as f32);
        let size = size.map(|side| side as f32);
        let mut quad = Self { size, z, constants: Vec::new(), columns: Vec::new(), rows: Vec::new() };
        for slot in slots(attributes_used) {
            match (slot.0, slot.1) {
                (Attribute::Wpos, 0) => quad.columns.push((slot, Affine::X)),
                (Attribute::Wpos, 1) => quad.rows.push((slot, Affine::Y)),
                (Attribute::Wpos, 2) => quad.constants.push((slot, z)),
                (Attribute::Col0 | Attribute::Tex(_), 0) => quad.columns.push((slot, Affine::S)),
                (Attribute::Col0, 2) => quad.columns.push((slot, Affine::OneMinusS)),
                (Attribute::Col0 | Attribute::Tex(_), 1) | (Attribute::Fogc, 0) => {
                    quad.rows.push((slot, Affine::T));
                }
                (Attribute::Fogc, 3) => quad.constants.push((slot, 0.0)),
                (_, 3) => quad.constants.push((slot, 1.0)),
                _ => quad.constants.push((slot, 0.0)),
            }
        }
        quad
    }

    /// At the centre of a pixel. Numerators and sides are small whole numbers and halves, so each
    /// fp32 quotient is the correctly rounded one.
    #[inline]
    fn value(&self, affine: Affine, place: u32) -> f32 {
        let centre = place as f32 + 0.5;
        match affine {
            Affine::S => centre / self.size[0],
            Affine::OneMinusS => (self.size[0] - centre) / self.size[0],
            Affine::T => centre / self.size[1],
            Affine::X | Affine::Y => centre,
        }
    }

    /// Writes the components that depend on x, for blocks whose lower left pixel is in column `x`.
    pub fn fill_columns(&self, rows: &mut AttributeRows, x: u32) {
        for &((attribute, component), affine) in &self.columns {
            let row = rows.row_mut(attribute, component);
            for (pair, lanes) in row.0.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let x = x + 2 * pair as u32;
                let (left, right) = (self.value(affine, x), self.value(affine, x + 1));
                *lanes = [left, right, left, right];
            }
        }
    }

    /// Writes the components that depend on y, for blocks whose lower left pixel is in row `y`.
    pub fn fill_rows(&self, rows: &mut AttributeRows, y: u32) {
        for &((attribute, component), affine) in &self.rows {
            let (lower, upper) = (self.value(affine, y), self.value(affine, y + 1));
            for lanes in rows.row_mut(attribute, component).0.as_chunks_mut::<4>().0 {
                *lanes = [lower, lower, upper, upper];
            }
        }
    }
}
