//! Interpolation of fragment attributes: equation 3.6 (3.4 for lines), and exact quotients for the viewport
//! quad.
//!
//! Every value depends on primitive and pixel alone. The renderer and the probe both fill their
//! [`AttributeLanes`] with the functions of this module, and with no others.

mod offset;

use super::RasterState;
use super::block::QUADS;
use super::interface::{
    FragmentReads, SamplePlaces, Slot, Spread, StageInterface, WindowDatum, WindowPlaces, slots,
};
use super::merge::clamp;
use super::samples::{Rate, Samples, Sampling};
use super::setup::{Edge, Lanes, SUBPIXELS, Triangle, centre};
use super::tile::{self, QuadTile};
use super::varyings::Varying;
use crate::exec::{AttributeLanes, LANES, LaneRegister};
use crate::simd::{self, Simd};
use shadestep_language::ir::{Attribute, Place};
use shadestep_language::num::fp32::{canonical, flush};

/// Converts to fp32, flushes denorms and replaces every NaN by one NaN (ruling 6).
#[inline(always)]
fn finish(values: Lanes) -> [f32; 4] {
    std::array::from_fn(|lane| flush(canonical(values[lane] as f32)))
}

/// Window z at the place with these values of edge functions 1 and 2, before any clamp.
#[inline(always)]
pub(super) fn window_z_at(triangle: &Triangle, [b, c]: [f64; 2]) -> f32 {
    flush(canonical(triangle.z_at([b, c]) as f32))
}

/// Writes the constant components. Once is enough for all blocks that use `inputs`.
pub(super) fn fill_constants(inputs: &mut AttributeLanes, constants: &[(Slot, f32)]) {
    for &((attribute, component), value) in constants {
        *inputs.register_mut(attribute, component) = LaneRegister([value; LANES]);
    }
}

/// A triangle and its varyings, prepared for interpolation. Equation 3.6 is evaluated as
/// f = f_a + (b' (f_b - f_a) + c' (f_c - f_a)) / denominator, where a, b and c are the edge functions, b' =
/// b/w_b, c' = c/w_c, and denominator = a/w_a + b' + c'.
/// If all w are equal, b' and c' are b and c over the area and the denominator is 1, so no division is
/// needed.
#[derive(Clone, Debug, Default)]
pub(super) struct TriangleSetup {
    pub triangle: Triangle,
    /// In the order of the interface's varyings: the constant value, or f_a and the increase of the numerator
    /// per unit of b and of c.
    varyings: Vec<Varying>,
}

impl TriangleSetup {
    /// Takes the varyings that `append` adds.
    pub fn keep(&mut self, append: impl FnOnce(&mut Vec<Varying>)) {
        self.varyings.clear();
        append(&mut self.varyings);
        let by_area = 1.0 / self.triangle.area;
        let [by_b, by_c] = if self.triangle.is_affine() {
            [by_area; 2]
        } else {
            let [_, b, c] = self.triangle.reciprocal_w;
            [b, c]
        };
        for varying in &mut self.varyings {
            match varying {
                Varying::Constant(_) => {}
                Varying::Linear([_, second, third]) => {
                    *second *= by_b;
                    *third *= by_c;
                }
                Varying::NoPerspective([_, second, third]) => {
                    *second *= by_area;
                    *third *= by_area;
                }
            }
        }
    }
}

/// The quads of a batch, at most [`QUADS`], and their clipped primitives.
#[derive(Clone, Copy)]
pub(super) struct Quads<'a> {
    /// The setups that `numbers` refers to.
    pub setups: &'a [TriangleSetup],
    /// The number of each quad's clipped primitive.
    pub numbers: &'a [u8],
    /// The place of each quad; see [`QuadTile::place`]. With one invocation per sample, places continue from
    /// one sample to the next.
    pub places: &'a [u16],
    /// The samples that the primitive covers of each lane's pixel. Empty if the interface does not need them.
    pub coverage: &'a [[u16; 4]],
    /// The lower left pixel of the tile.
    pub origin: [u32; 2],
}

/// The sample of a quad at `place`, with one invocation per sample.
#[inline(always)]
const fn sample_of(place: u16) -> usize {
    place as usize / tile::QUADS
}

impl Quads<'_> {
    /// The lower left pixel of a quad.
    #[inline(always)]
    fn at(&self, place: u16) -> [u32; 2] {
        let [x, y] = QuadTile::pixel(place % tile::QUADS as u16);
        [self.origin[0] + x, self.origin[1] + y]
    }
}

/// Writes the attributes of a block's quads. Lanes outside of the triangle get values extrapolated by eq.
/// 3.6. Lanes without a quad keep their values.
pub(super) fn fill_batch(inputs: &mut AttributeLanes, interface: &StageInterface, quads: Quads<'_>) {
    match &interface.samples {
        None => simd::widest(FillBlock { inputs, interface, quads, at: None }),
        Some(samples) => fill_samples(inputs, interface, quads, samples),
    }
    if let (true, Some(slots)) = (interface.evaluates, &interface.evaluated) {
        let samples = interface.samples.map_or(Samples::One, |samples| samples.sampling.covered);
        inputs.set_interpolants(offset::of_primitives(slots, quads, samples));
    }
}

/// [`fill_batch`] for primitives that cover samples.
fn fill_samples(
    inputs: &mut AttributeLanes,
    interface: &StageInterface,
    quads: Quads<'_>,
    samples: &SamplePlaces,
) {
    let Sampling { covered, rate, .. } = samples.sampling;
    if rate != Rate::WholeSample {
        simd::widest(FillBlock { inputs, interface, quads, at: None });
    }
    if rate != Rate::Pixel {
        let mut offsets = [[0.0; 2]; QUADS];
        for ((offset, place), number) in offsets.iter_mut().zip(quads.places).zip(quads.numbers) {
            // Interpolation modifiers have no effect on points, but the state has.
            let is_point = quads.setups[usize::from(*number)].triangle.is_point;
            if rate == Rate::WholeSample || !is_point {
                *offset = covered.offset(sample_of(*place)).unwrap_or_default();
            }
        }
        simd::widest(FillBlock { inputs, interface, quads, at: Some(&offsets) });
    }
    if let Some(slots) = &interface.evaluated {
        offset::fill_centroids(inputs, (&interface.centroid, slots), quads, covered);
    }
    for (number, place) in quads.places.iter().enumerate() {
        let sample = sample_of(*place);
        if samples.id {
            let id = f32::from_bits(sample as u32);
            inputs.register_mut(Attribute::SampleId, 0).0[4 * number..][..4].fill(id);
        }
        if let (true, Some(coverage)) = (samples.mask, quads.coverage.get(number)) {
            let masks = coverage.map(|covered| samples.sample_mask(covered, sample));
            inputs.register_mut(Attribute::SampleMask, 0).0[4 * number..][..4].copy_from_slice(&masks);
        }
    }
}

/// Fills the attributes that are evaluated at pixel centres or, if `at` has an offset for each quad, at
/// samples.
struct FillBlock<'a> {
    inputs: &'a mut AttributeLanes,
    interface: &'a StageInterface,
    quads: Quads<'a>,
    at: Option<&'a [[f64; 2]; QUADS]>,
}

impl FillBlock<'_> {
    /// Whether attributes with this place are filled.
    #[inline(always)]
    fn has(&self, place: Place) -> bool {
        (place == Place::Sample) == self.at.is_some()
    }
}

/// Adjacent quads of a block that belong to one clipped primitive.
#[derive(Clone, Copy)]
struct QuadRange<'a> {
    setup: &'a TriangleSetup,
    start: usize,
    end: usize,
    affine: bool,
}

/// The terms of eq. 3.6 for the quads of a block.
struct Weights {
    /// Edge functions 1 and 2 in lane 0.
    b: [f64; QUADS],
    c: [f64; QUADS],
    /// One over the denominator; unused for affine clipped primitives.
    shares: [Lanes; QUADS],
}

/// The denominators of eq. 3.6 in the lanes of a quad at (x, y), in snapped units.
#[inline(always)]
fn denominators(triangle: &Triangle, [x, y]: [f64; 2]) -> Lanes {
    let [a, b, c] = &triangle.edges;
    let [w_a, w_b, w_c] = triangle.reciprocal_w;
    let lanes = |edge: &Edge| edge.lanes(edge.at_point(x, y));
    let (a, b, c) = (lanes(a), lanes(b), lanes(c));
    let sum = |lane: usize| a[lane] * w_a + b[lane] * w_b + c[lane] * w_c;
    [sum(0), sum(1), sum(2), sum(3)]
}

impl Weights {
    const ZERO: Self = Self { b: [0.0; QUADS], c: [0.0; QUADS], shares: [[0.0; 4]; QUADS] };

    #[inline(always)]
    fn add(&mut self, run: QuadRange<'_>, [x, y]: [&[f64; QUADS]; 2]) {
        let QuadRange { setup: TriangleSetup { triangle, .. }, start, end, affine } = run;
        let [_, b, c] = &triangle.edges;
        // Slices of equal length let the compiler vectorise over quads.
        let (x, y) = (&x[start..end], &y[start..end]);
        for (weights, edge) in [(&mut self.b, b), (&mut self.c, c)] {
            for ((weight, x), y) in weights[start..end].iter_mut().zip(x).zip(y) {
                *weight = edge.at_point(*x, *y);
            }
        }
        if affine {
            return;
        }
        for ((shares, x), y) in self.shares[start..end].iter_mut().zip(x).zip(y) {
            let [p, q, r, s] = denominators(triangle, [*x, *y]);
            *shares = [1.0 / p, 1.0 / q, 1.0 / r, 1.0 / s];
        }
    }

    /// Writes the values of a linear varying in a range of quads. Values may still be denorms or any NaN.
    #[inline(always)]
    fn interpolate(&self, run: QuadRange<'_>, [first, second, third]: [f64; 3], register: &mut [[f32; 4]]) {
        let QuadRange { setup, start, end, affine } = run;
        let [_, b, c] = &setup.triangle.edges;
        let step = |axis: usize| b.step[axis] * second + c.step[axis] * third;
        let (dx, dy) = (step(0), step(1));
        let steps = [0.0, dx, dy, dx + dy];
        let quads = register[start..end].iter_mut().zip(&self.b[start..end]).zip(&self.c[start..end]);
        if affine {
            for ((lanes, b), c) in quads {
                let corner = first + (b * second + c * third);
                for (value, step) in lanes.iter_mut().zip(steps) {
                    *value = (corner + step) as f32;
                }
            }
            return;
        }
        for (((lanes, b), c), share) in quads.zip(&self.shares[start..end]) {
            let corner = b * second + c * third;
            for ((value, step), share) in lanes.iter_mut().zip(steps).zip(share) {
                *value = (first + (corner + step) * share) as f32;
            }
        }
    }

    /// Writes window z in a range of quads.
    #[inline(always)]
    fn window_z(&self, run: QuadRange<'_>, register: &mut [[f32; 4]]) {
        let QuadRange { setup: TriangleSetup { triangle, .. }, start, end, .. } = run;
        let [_, b, c] = &triangle.edges;
        let weights = self.b[start..end].iter().zip(&self.c[start..end]);
        for (lanes, (at_b, at_c)) in register[start..end].iter_mut().zip(weights) {
            for ((lane, b), c) in lanes.iter_mut().zip(b.lanes(*at_b)).zip(c.lanes(*at_c)) {
                *lane = window_z_at(triangle, [b, c]);
            }
            if triangle.has_offset {
                *lanes = lanes.map(clamp);
            }
        }
    }
}

impl simd::Task for FillBlock<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { interface, quads, .. } = self;
        let [Some(first), Some(last)] = [quads.numbers.first(), quads.numbers.last()] else { return };
        let run = |number: u8, start: usize, end: usize| {
            let setup = &quads.setups[usize::from(number)];
            QuadRange { setup, start, end, affine: setup.triangle.is_affine() }
        };
        let mut x = [0.0; QUADS];
        let mut y = [0.0; QUADS];
        for ((x, y), place) in x.iter_mut().zip(&mut y).zip(quads.places) {
            let [column, line] = quads.at(*place);
            (*x, *y) = (centre(column), centre(line));
        }
        if let Some(offsets) = self.at {
            for ((x, y), [right, up]) in x.iter_mut().zip(&mut y).zip(offsets) {
                (*x, *y) = (*x + right * SUBPIXELS, *y + up * SUBPIXELS);
            }
        }
        let mut runs = [run(*first, 0, 0); QUADS];
        let mut count = 0;
        let mut start = 0;
        let mut weights = Weights::ZERO;
        // The quads of a clipped primitive are adjacent. If the first and the last quad belong to the same
        // primitive, all do.
        let quads_of_one = if first == last { quads.numbers.len() } else { 1 };
        while let Some(number) = quads.numbers.get(start) {
            let mut end = start + quads_of_one;
            while quads.numbers.get(end) == Some(number) {
                end += 1;
            }
            runs[count] = run(*number, start, end);
            weights.add(runs[count], [&x, &y]);
            count += 1;
            start = end;
        }
        let runs = &runs[..count];
        for (number, varied) in interface.varyings.iter().enumerate() {
            if !self.has(varied.place) {
                continue;
            }
            let (attribute, component) = varied.slot;
            let register = &mut self.inputs.register_mut(attribute, component).0;
            let mut is_computed = false;
            for run in runs {
                let (varying, affine) = match run.setup.varyings[number] {
                    Varying::Constant(_) => continue,
                    Varying::Linear(varying) => (varying, run.affine),
                    Varying::NoPerspective(varying) => (varying, true),
                };
                weights.interpolate(QuadRange { affine, ..*run }, varying, register.as_chunks_mut::<4>().0);
                is_computed = true;
            }
            if is_computed {
                // Whole lane registers, so that the loop vectorises.
                for value in register.iter_mut() {
                    *value = flush(canonical(*value));
                }
            }
            for run in runs {
                if let Varying::Constant(value) = run.setup.varyings[number] {
                    register[4 * run.start..4 * run.end].fill(value);
                }
            }
        }
        // Interpolation modifiers do not apply to positions.
        if !self.has(interface.samples.map_or(Place::Centre, |samples| samples.place(Place::Centre))) {
            return;
        }
        for &((attribute, component), datum) in &interface.window {
            let at = self.at;
            let offset = |quad: usize| at.map_or([0.0; 2], |offsets| offsets[quad]);
            let register = self.inputs.register_mut(attribute, component).0.as_chunks_mut::<4>().0;
            let register = &mut register[..quads.places.len()];
            match datum {
                WindowDatum::X => {
                    for (quad, (lanes, place)) in register.iter_mut().zip(quads.places).enumerate() {
                        let ([x, _], [beside, _]) = (quads.at(*place), offset(quad));
                        let [left, right] = [x, x + 1].map(|x| interface.places.x_beside(x, beside) as f32);
                        *lanes = [left, right, left, right];
                    }
                }
                WindowDatum::Y => {
                    for (quad, (lanes, place)) in register.iter_mut().zip(quads.places).enumerate() {
                        let ([_, y], [_, above]) = (quads.at(*place), offset(quad));
                        let [lower, upper] = [y, y + 1].map(|y| interface.places.y_beside(y, above) as f32);
                        *lanes = [lower, lower, upper, upper];
                    }
                }
                WindowDatum::Z => {
                    for run in runs {
                        weights.window_z(*run, register);
                    }
                }
                WindowDatum::ReciprocalW => {
                    for run in runs {
                        let places = x[run.start..run.end].iter().zip(&y[run.start..run.end]);
                        for (lanes, (x, y)) in register[run.start..run.end].iter_mut().zip(places) {
                            *lanes = reciprocal_w(run, [*x, *y]);
                        }
                    }
                }
            }
        }
    }
}

/// 1/w in the lanes of a quad at (x, y), in snapped units.
#[inline(always)]
fn reciprocal_w(run: &QuadRange<'_>, at: [f64; 2]) -> [f32; 4] {
    let triangle = &run.setup.triangle;
    if run.affine {
        return finish([triangle.reciprocal_w[0]; 4]);
    }
    finish(denominators(triangle, at).map(|sum| sum / triangle.area))
}

/// A varying component of the viewport quad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Affine {
    /// (x + 0.5) / width.
    S,
    /// 1 - s, computed exactly and then rounded once.
    OneMinusS,
    /// (y + 0.5) / height.
    T,
    X,
    Y,
}

impl Affine {
    /// The variation of an attribute component over the quad; `None` if the component is constant.
    const fn of((attribute, component): Slot) -> Option<Self> {
        match (attribute, component) {
            (Attribute::Wpos, 0) => Some(Self::X),
            (Attribute::Wpos, 1) => Some(Self::Y),
            (Attribute::Col0 | Attribute::Tex(_) | Attribute::Generic(_), 0) => Some(Self::S),
            (Attribute::Col0, 2) => Some(Self::OneMinusS),
            (Attribute::Col0 | Attribute::Tex(_) | Attribute::Generic(_), 1)
            | (Attribute::Fogc | Attribute::FogCoord, 0) => Some(Self::T),
            _ => None,
        }
    }

    /// The value at the provoking vertex. This is the upper left corner, the fourth of independent quads
    /// (glspec15 table 2.12). `None` for window positions, which vertices do not have.
    const fn provoking(self) -> Option<f32> {
        match self {
            Self::S => Some(0.0),
            Self::OneMinusS | Self::T => Some(1.0),
            Self::X | Self::Y => None,
        }
    }
}

/// A component of the viewport quad that is the same in all pixels. `z` is window z.
const fn constant((attribute, component): Slot, z: f32) -> f32 {
    match (attribute, component) {
        (Attribute::Wpos, 2) => z,
        (Attribute::Facing, 0) => 1.0,
        (Attribute::SampleMask, 0) => f32::from_bits(1),
        (
            Attribute::Fogc
            | Attribute::ClipDistance(_)
            | Attribute::PrimitiveId
            | Attribute::PointCoord
            | Attribute::SampleId
            | Attribute::SampleMask,
            _,
        ) => 0.0,
        (_, 3) => 1.0,
        _ => 0.0,
    }
}

/// The viewport quad's attribute components that the shader reads.
#[derive(Clone, Debug)]
pub(super) struct ViewportQuad {
    size: [f32; 2],
    places: WindowPlaces,
    /// Window z of all pixels.
    pub z: f32,
    pub constants: Vec<(Slot, f32)>,
    columns: Vec<(Slot, Affine, Place)>,
    rows: Vec<(Slot, Affine, Place)>,
    /// Sample positions, if pixels are covered at samples.
    pub samples: Option<SamplePlaces>,
}

/// Width in pixels of a block of the viewport quad. The block is two rows high.
pub(super) const BLOCK_WIDTH: u32 = (LANES / 2) as u32;

impl ViewportQuad {
    pub fn new(state: &RasterState, reads: &FragmentReads, size: [u32; 2]) -> Self {
        let [near, far] = state.depth.clamped_range().map(f64::from);
        let z = flush(((near + far) * 0.5) as f32);
        let places = WindowPlaces::new(state.coordinates, size[1]);
        let size = size.map(|side| side as f32);
        let samples = SamplePlaces::new(reads, state);
        let (constants, columns, rows) = (Vec::new(), Vec::new(), Vec::new());
        let mut quad = Self { size, places, z, constants, columns, rows, samples };
        for slot in slots(&reads.attributes) {
            let declared = reads.interpolation[slot.0.index()].place;
            let place = samples.map_or(Place::Centre, |samples| samples.place(declared));
            let flat = reads.spread(slot.0, state) == Spread::Flat;
            match Affine::of(slot) {
                Some(affine) => match (affine, affine.provoking().filter(|_| flat)) {
                    (_, Some(value)) => quad.constants.push((slot, value)),
                    (Affine::S | Affine::OneMinusS | Affine::X, None) => {
                        quad.columns.push((slot, affine, place))
                    }
                    (Affine::T | Affine::Y, None) => quad.rows.push((slot, affine, place)),
                },
                // All samples are covered. An invocation may shade one of them or all.
                None if samples.is_some()
                    && matches!(slot, (Attribute::SampleMask | Attribute::SampleId, 0)) => {}
                None => quad.constants.push((slot, constant(slot, z))),
            }
        }
        quad
    }

    /// The value at an offset from a pixel centre. Numerators and sides are small multiples of 1/1024, so
    /// each fp32 quotient is correctly rounded.
    #[inline]
    fn value(&self, affine: Affine, place: u32, offset: f64) -> f32 {
        let at = place as f32 + (0.5 + offset as f32);
        match affine {
            Affine::S => at / self.size[0],
            Affine::OneMinusS => (self.size[0] - at) / self.size[0],
            Affine::T => at / self.size[1],
            Affine::X => self.places.x_beside(place, offset) as f32,
            Affine::Y => self.places.y_beside(place, offset) as f32,
        }
    }

    /// The offset of `sample`, for an attribute that is evaluated at this place. The centroid of a pixel is
    /// its centre.
    fn offset(&self, place: Place, sample: usize) -> [f64; 2] {
        let samples = self.samples.filter(|_| place == Place::Sample);
        samples.and_then(|samples| samples.sampling.covered.offset(sample)).unwrap_or_default()
    }

    /// Writes the components that depend on x, for blocks whose lower left pixel is in column `x`, and the
    /// components of the sample. `sample` is the invocation's sample, with one invocation per sample.
    pub fn fill_columns(&self, inputs: &mut AttributeLanes, x: u32, sample: usize) {
        for &((attribute, component), affine, place) in &self.columns {
            let [beside, _] = self.offset(place, sample);
            let register = inputs.register_mut(attribute, component);
            for (pair, lanes) in register.0.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                let x = x + 2 * pair as u32;
                let [left, right] = [x, x + 1].map(|x| self.value(affine, x, beside));
                *lanes = [left, right, left, right];
            }
        }
        let Some(samples) = &self.samples else { return };
        if samples.id {
            *inputs.register_mut(Attribute::SampleId, 0) =
                LaneRegister([f32::from_bits(sample as u32); LANES]);
        }
        if samples.mask {
            let mask = samples.sample_mask(samples.sampling.covered.all(), sample);
            *inputs.register_mut(Attribute::SampleMask, 0) = LaneRegister([mask; LANES]);
        }
    }

    /// Writes the components that depend on y, for blocks whose lower left pixel is in row `y`.
    pub fn fill_rows(&self, inputs: &mut AttributeLanes, y: u32, sample: usize) {
        for &((attribute, component), affine, place) in &self.rows {
            let [_, above] = self.offset(place, sample);
            let [lower, upper] = [y, y + 1].map(|y| self.value(affine, y, above));
            for lanes in inputs.register_mut(attribute, component).0.as_chunks_mut::<4>().0 {
                *lanes = [lower, lower, upper, upper];
            }
        }
    }
}
