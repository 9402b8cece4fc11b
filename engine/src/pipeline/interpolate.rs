//! Attributes of fragments: equation 3.6 (which for lines is 3.4), exact quotients for the viewport quad.
//!
//! Everything here is a function of primitive and pixel alone. The renderer and the probe both fill
//! their [`AttributeRows`] with these functions and no others.

use super::layout::{Layout, Slot, WindowDatum, WindowPlaces, slots};
use super::merge::Waiting;
use super::setup::{Edge, Lanes, Triangle, centre};
use super::tile::QuadTile;
use super::varyings::Varying;
use super::{Draw, raster, vector};
use crate::exec::{AttributeRows, LANES, Row};
use crate::ir::Attribute;
use crate::num::fp32::{canonical, flush};

/// Quads in a block.
pub(super) const QUADS: usize = LANES / 4;

/// As fp32 without denorms and with one NaN (ruling 6).
#[inline(always)]
fn finish(values: Lanes) -> [f32; 4] {
    std::array::from_fn(|lane| flush(canonical(values[lane] as f32)))
}

/// [`finish`] of values rounded to fp32 already. A whole row at a time is a fraction of the work.
#[inline(always)]
fn finish_row(row: &mut Row) {
    for value in &mut row.0 {
        *value = flush(canonical(*value));
    }
}

/// Window z in the four lanes of a quad, linear in window space (3.5.1), before any depth clamp;
/// `edges` are the edge functions 1 and 2.
#[inline(always)]
pub(super) fn window_z(triangle: &Triangle, [b, c]: [Lanes; 2]) -> [f32; 4] {
    let [z, by_1, by_2] = triangle.z;
    finish(std::array::from_fn(|lane| z + (b[lane] * by_1 + c[lane] * by_2)))
}

/// Writes the constant components: once is enough for all blocks that go through `rows`.
pub(super) fn fill_constants(rows: &mut AttributeRows, constants: &[(Slot, f32)]) {
    for &((attribute, component), value) in constants {
        *rows.row_mut(attribute, component) = Row([value; LANES]);
    }
}

/// What is interpolated over.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub triangle: Triangle,
    /// In the order of the layout's.
    pub varyings: Vec<Varying>,
}

/// Quads of pieces.
#[derive(Clone, Copy)]
pub(super) struct Quads<'a> {
    /// At least as many as the quads name.
    pub pieces: &'a [Piece],
    pub quads: &'a [Waiting],
    /// What the quads' places count from.
    pub origin: [u32; 2],
}

impl<'a> Quads<'a> {
    /// The lower left pixel of a quad.
    #[inline(always)]
    fn at(&self, quad: &Waiting) -> [u32; 2] {
        let [x, y] = QuadTile::pixel(quad.place);
        [self.origin[0] + x, self.origin[1] + y]
    }

    #[inline(always)]
    fn piece(&self, quad: &Waiting) -> &'a Piece {
        &self.pieces[usize::from(quad.triangle)]
    }

    /// The piece that all of the quads are of, if there is one.
    #[inline(always)]
    fn alone(&self) -> Option<&'a Piece> {
        let first = self.quads.first()?;
        self.quads.iter().all(|quad| quad.triangle == first.triangle).then(|| self.piece(first))
    }
}

/// Writes the attributes of the first quads of the block, at most [`QUADS`]. Lanes outside the quad's
/// triangle get what eq. 3.6 extrapolates.
pub(super) fn fill_block(rows: &mut AttributeRows, layout: &Layout, quads: Quads<'_>) {
    vector::widest(FillBlock { rows, layout, quads });
}

struct FillBlock<'a> {
    rows: &'a mut AttributeRows,
    layout: &'a Layout,
    quads: Quads<'a>,
}

/// What eq. 3.6 needs of a fragment: the denominator times the area, and (b/w_b) and (c/w_c) over the denominator.
/// a, b and c are edge functions over the area, and
/// f = f_a + ((b/w_b)(f_b - f_a) + (c/w_c)(f_c - f_a)) / denominator.
#[inline(always)]
fn barycentric([w_a, w_b, w_c]: [f64; 3], [a, b, c]: [f64; 3]) -> [f64; 3] {
    let (b, c) = (b * w_b, c * w_c);
    let denominator = a * w_a + b + c;
    [denominator, b / denominator, c / denominator]
}

/// What eq. 3.6 needs of fragments, by lanes of the block.
struct Weights {
    denominator: [f64; LANES],
    toward_b: [f64; LANES],
    toward_c: [f64; LANES],
}

impl Weights {
    const ZERO: Self = Self { denominator: [0.0; LANES], toward_b: [0.0; LANES], toward_c: [0.0; LANES] };

    /// Of quads of any triangles.
    #[inline(always)]
    fn of_each(&mut self, quads: Quads<'_>) {
        let [denominator, toward_b, toward_c] =
            [&mut self.denominator, &mut self.toward_b, &mut self.toward_c]
                .map(|row| row.as_chunks_mut::<4>().0);
        for (number, quad) in quads.quads.iter().enumerate().take(QUADS) {
            let (triangle, [x, y]) = (&quads.piece(quad).triangle, quads.at(quad));
            let [a, b, c] = &triangle.edges;
            let (a, b, c) = (a.lanes(a.at(x, y)), b.lanes(b.at(x, y)), c.lanes(c.at(x, y)));
            for lane in 0..4 {
                [denominator[number][lane], toward_b[number][lane], toward_c[number][lane]] =
                    barycentric(triangle.reciprocal_w, [a[lane], b[lane], c[lane]]);
            }
        }
    }

    /// The same for quads of one triangle: nothing but arithmetic on whole rows. Edge functions are exact in
    /// whatever order. Lanes without a quad repeat the first, lest they come to NaNs and denorms that the shader
    /// would have to mind.
    #[inline(always)]
    fn of_one(&mut self, triangle: &Triangle, quads: Quads<'_>) {
        let mut x = [0.0; LANES];
        let mut y = [0.0; LANES];
        let (columns, rows) = (x.as_chunks_mut::<4>().0, y.as_chunks_mut::<4>().0);
        let places = |quad: &Waiting| -> [Lanes; 2] {
            let [x, y] = quads.at(quad);
            let ([left, right], [lower, upper]) = ([centre(x), centre(x + 1)], [centre(y), centre(y + 1)]);
            [[left, right, left, right], [lower, lower, upper, upper]]
        };
        if let Some(first) = quads.quads.first() {
            let [column, row] = places(first);
            columns.fill(column);
            rows.fill(row);
        }
        for ((column, row), quad) in columns.iter_mut().zip(rows).zip(quads.quads) {
            [*column, *row] = places(quad);
        }
        let [a, b, c] = &triangle.edges;
        for lane in 0..LANES {
            let at = |edge: &Edge| edge.at_point(x[lane], y[lane]);
            [self.denominator[lane], self.toward_b[lane], self.toward_c[lane]] =
                barycentric(triangle.reciprocal_w, [at(a), at(b), at(c)]);
        }
    }
}

impl vector::Task for FillBlock<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { rows, layout, quads } = self;
        let mut weights = Weights::ZERO;
        let alone = quads.alone();
        match alone {
            Some(piece) => weights.of_one(&piece.triangle, quads),
            None => weights.of_each(quads),
        }
        let [toward_b, toward_c, denominator] = [&weights.toward_b, &weights.toward_c, &weights.denominator];
        for (number, varied) in layout.varyings.iter().enumerate() {
            let (attribute, component) = varied.slot;
            let row = rows.row_mut(attribute, component);
            if let Some(piece) = alone {
                let [first, second, third] = piece.varyings[number];
                for (lane, value) in row.0.iter_mut().enumerate() {
                    let exact = first + (toward_b[lane] * second + toward_c[lane] * third);
                    *value = flush(canonical(exact as f32));
                }
                continue;
            }
            let lanes = row.0.as_chunks_mut::<4>().0;
            let weights = toward_b.as_chunks::<4>().0.iter().zip(toward_c.as_chunks::<4>().0);
            for ((lanes, (toward_b, toward_c)), quad) in lanes.iter_mut().zip(weights).zip(quads.quads) {
                let [first, second, third] = quads.piece(quad).varyings[number];
                *lanes = std::array::from_fn(|lane| {
                    (first + (toward_b[lane] * second + toward_c[lane] * third)) as f32
                });
            }
            finish_row(row);
        }
        for &((attribute, component), datum) in &layout.window {
            let lanes = rows.row_mut(attribute, component).0.as_chunks_mut::<4>().0;
            for ((lanes, denominator), quad) in
                lanes.iter_mut().zip(denominator.as_chunks::<4>().0).zip(quads.quads)
            {
                *lanes = window_datum(
                    datum,
                    &quads.piece(quad).triangle,
                    quads.at(quad),
                    denominator,
                    layout.places,
                );
            }
        }
    }
}

/// A quad's window coordinate or reciprocal w.
#[inline(always)]
fn window_datum(
    datum: WindowDatum,
    triangle: &Triangle,
    [x, y]: [u32; 2],
    denominator: &Lanes,
    places: WindowPlaces,
) -> [f32; 4] {
    match datum {
        WindowDatum::X => {
            let [left, right] = [x, x + 1].map(|x| places.x(x));
            finish([left, right, left, right])
        }
        WindowDatum::Y => {
            let [lower, upper] = [y, y + 1].map(|y| places.y(y));
            finish([lower, lower, upper, upper])
        }
        WindowDatum::Z => window_z(triangle, raster::edges_1_and_2(triangle, x, y)),
        WindowDatum::ReciprocalW => finish(std::array::from_fn(|lane| denominator[lane] / triangle.area)),
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
    places: WindowPlaces,
    /// Window z everywhere.
    pub z: f32,
    pub constants: Vec<(Slot, f32)>,
    columns: Vec<(Slot, Affine)>,
    rows: Vec<(Slot, Affine)>,
}

/// Pixels that a block of the viewport quad is wide; it is two rows high.
pub(super) const BLOCK_WIDTH: u32 = (LANES / 2) as u32;

impl ViewportQuad {
    pub fn new(draw: &Draw, attributes_used: &[u8; Attribute::SLOTS], size: [u32; 2]) -> Self {
        let [near, far] = draw.state.depth.clamped_range().map(f64::from);
        let z = flush(((near + far) * 0.5) as f32);
        let places = WindowPlaces::new(draw.state.coordinates, size[1]);
        let size = size.map(|side| side as f32);
        let mut quad = Self { size, places, z, constants: Vec::new(), columns: Vec::new(), rows: Vec::new() };
        for slot in slots(attributes_used) {
            match (slot.0, slot.1) {
                (Attribute::Wpos, 0) => quad.columns.push((slot, Affine::X)),
                (Attribute::Wpos, 1) => quad.rows.push((slot, Affine::Y)),
                (Attribute::Wpos, 2) => quad.constants.push((slot, z)),
                (Attribute::Col0 | Attribute::Tex(_), 0) => quad.columns.push((slot, Affine::S)),
                (Attribute::Col0, 2) => quad.columns.push((slot, Affine::OneMinusS)),
                (Attribute::Col0 | Attribute::Tex(_), 1) | (Attribute::Fogc | Attribute::FogCoord, 0) => {
                    quad.rows.push((slot, Affine::T));
                }
                (Attribute::Fogc, 3) => quad.constants.push((slot, 0.0)),
                (Attribute::Facing, 0) => quad.constants.push((slot, 1.0)),
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
            Affine::X => self.places.x(place) as f32,
            Affine::Y => self.places.y(place) as f32,
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
