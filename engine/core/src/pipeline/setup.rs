//! Triangle setup: from clip coordinates to snapped window coordinates, edge functions and the constants of
//! equation 3.6.
//!
//! Window positions snap to 1/1024 pixel. Edge functions of snapped points are integers below 2^53, which f64
//! computes exactly in any order. So coverage has neither gaps nor overlaps, and the barycentric coordinates
//! of eq. 3.6 are exact up to the final division in every stage that computes them.

use super::clip::{self, ClipVertex, ClipVolume, Codes, DepthPlanes, GUARD_PIXELS};
use super::{DepthSource, RasterState, Rect, Samples};
use crate::exec::LANES;
use crate::simd::{self, Simd};
use glam::DVec4;

/// Fraction bits of a snapped window coordinate.
pub const SUBPIXEL_BITS: usize = 10;

/// Snapped units per pixel.
pub(super) const SUBPIXELS: f64 = (1 << SUBPIXEL_BITS) as f64;

/// [`SUBPIXELS`] as an integer.
pub(super) const PIXEL: i32 = SUBPIXELS as i32;

/// The centre of pixel `x` in snapped units.
#[inline]
pub(super) fn centre(x: u32) -> f64 {
    f64::from(x) * SUBPIXELS + 0.5 * SUBPIXELS
}

/// Values for the four lanes of a quad.
pub(super) type Lanes = [f64; 4];

/// A pixel rectangle; `low` and `high` are both inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    pub low: [u32; 2],
    pub high: [u32; 2],
}

/// A vertex in window coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Corner {
    /// Snapped x and y in units of 1/1024 pixel; magnitudes below 2^25.
    pub point: [i32; 2],
    /// Window z.
    pub z: f64,
    /// 1/w; not positive if the vertex has no window position.
    pub reciprocal_w: f64,
}

/// A transformed vertex. The corner is valid only if the codes say that the vertex is inside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Vertex {
    pub corner: Corner,
    pub codes: Codes,
}

/// The line through two vertices, in counter-clockwise order around the triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Edge {
    pub start: [f64; 2],
    /// Change of the edge function from one pixel to the next, in x and in y.
    pub step: [f64; 2],
    /// The smallest value that is inside: 0 for edges that own their points, else 1.
    pub least: f64,
}

impl Edge {
    /// The edge function at a pixel centre; positive inside. In units of 1/SUBPIXELS^2 pixel. Exact within
    /// the guard band.
    #[inline(always)]
    pub fn at(&self, x: u32, y: u32) -> f64 {
        self.at_point(centre(x), centre(y))
    }

    /// The edge function at a point in snapped units.
    #[inline(always)]
    pub fn at_point(&self, x: f64, y: f64) -> f64 {
        let delta = [x - self.start[0], y - self.start[1]];
        (self.step[0] / SUBPIXELS) * delta[0] + (self.step[1] / SUBPIXELS) * delta[1]
    }

    /// The change of the edge function for an offset in snapped units. Exact.
    #[inline(always)]
    pub fn offset(&self, [x, y]: [i32; 2]) -> f64 {
        (self.step[0] / SUBPIXELS) * f64::from(x) + (self.step[1] / SUBPIXELS) * f64::from(y)
    }

    /// The values in the four lanes of a quad, computed from the value in lane 0. Exact.
    #[inline(always)]
    pub fn lanes(&self, value: f64) -> Lanes {
        let [dx, dy] = self.step;
        [value, value + dx, value + dy, value + (dx + dy)]
    }

    #[inline(always)]
    fn new(from: [i32; 2], to: [i32; 2]) -> Self {
        let float = |[x, y]: [i32; 2]| [f64::from(x), f64::from(y)];
        let (from, to) = (float(from), float(to));
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let least = if owns_points([0.0; 2], [dx, dy]) { 0.0 } else { 1.0 };
        Self { start: from, step: [-dy * SUBPIXELS, dx * SUBPIXELS], least }
    }
}

/// Whether an edge owns the points on it. Of the two triangles at an edge, the points belong to the triangle
/// for which the edge is a left edge, or a top edge if it is horizontal. y grows upwards and the order is
/// counter-clockwise, so left edges go down and top edges go left.
#[inline(always)]
fn owns_points<T: PartialOrd>(from: [T; 2], to: [T; 2]) -> bool {
    to[1] < from[1] || (to[1] == from[1] && to[0] < from[0])
}

/// A triangle ready to be rasterised.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Triangle {
    /// Snapped window positions of the vertices, counter-clockwise.
    pub points: [[i32; 2]; 3],
    /// The edges; edge i is opposite to vertex i.
    pub edges: [Edge; 3],
    /// 1/w of the vertices.
    pub reciprocal_w: [f64; 3],
    /// Window z at vertex 0, then its change per unit of edge function 1 and per unit of edge function 2.
    pub z: [f64; 3],
    /// Whether `z` includes a polygon offset. Depths are then clamped to `[0,1]` (glspec15 3.5.5).
    pub has_offset: bool,
    /// Whether the triangle represents a point. Interpolation modifiers have no effect on points
    /// (NV_fragment_program4 2.X.3.1).
    pub is_point: bool,
    /// The sum of the edge functions, which is the same everywhere.
    pub area: f64,
    /// Pixels that may be covered.
    pub bounds: Bounds,
}

impl Triangle {
    /// Window z at the place with these values of edge functions 1 and 2. Linear in window space (3.5.1).
    #[inline(always)]
    pub fn z_at(&self, [b, c]: [f64; 2]) -> f64 {
        let [z, by_1, by_2] = self.z;
        z + (b * by_1 + c * by_2)
    }

    /// The triangle with these corners, which are counter-clockwise.
    #[inline]
    pub fn new(corners: [Corner; 3], bounds: Bounds) -> Self {
        let [first, second, third] = &corners;
        let (a, b, c) = (first.point, second.point, third.point);
        let area = orient2d([a, b, c]) as f64;
        let (z, z_1, z_2) = (first.z, second.z, third.z);
        Self {
            points: [a, b, c],
            edges: [Edge::new(b, c), Edge::new(c, a), Edge::new(a, b)],
            reciprocal_w: [first.reciprocal_w, second.reciprocal_w, third.reciprocal_w],
            z: [z, (z_1 - z) / area, (z_2 - z) / area],
            has_offset: false,
            is_point: false,
            area,
            bounds,
        }
    }

    /// Whether eq. 3.6 has the same denominator everywhere, because all w are equal.
    #[inline(always)]
    pub fn is_affine(&self) -> bool {
        let [a, b, c] = self.reciprocal_w;
        a == b && b == c
    }

    /// The maximum depth slope m (eq. 3.7), in depth per pixel; 0 for a triangle without area.
    pub fn depth_slope(&self) -> f64 {
        let [_, by_1, by_2] = self.z;
        let [_, b, c] = &self.edges;
        let along = |axis: usize| b.step[axis] * by_1 + c.step[axis] * by_2;
        let slope = (along(0) * along(0) + along(1) * along(1)).sqrt();
        if slope.is_finite() { slope } else { 0.0 }
    }
}

/// The order of a triangle's vertices relative to the assembled primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Vertices 0, 1, 2.
    Kept,
    /// Vertices 0, 2, 1.
    Swapped,
}

impl Order {
    /// Reorders from the assembled order to this order. The function is its own inverse.
    #[inline]
    pub fn of<T>(self, [a, b, c]: [T; 3]) -> [T; 3] {
        match self {
            Self::Kept => [a, b, c],
            Self::Swapped => [a, c, b],
        }
    }
}

/// The vertices of a triangle in terms of the assembled primitive's vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Origin {
    /// The vertices are the primitive's own, in this order.
    Whole(Order),
    /// Each vertex is a sum of the primitive's three vertices with these weights.
    Cut([[f64; 3]; 3]),
}

/// A triangle, or part of one, that may cover pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    pub corners: [Corner; 3],
    pub bounds: Bounds,
    pub origin: Origin,
}

/// The pixels that a draw may touch: lowest and highest x and y. Empty if some `high` is below its `low`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    pub low: [i32; 2],
    pub high: [i32; 2],
}

impl Limits {
    fn within(self, [x, y, width, height]: Rect) -> Self {
        let last = |at: i32, length: i32| at.saturating_add(length.max(0).saturating_sub(1));
        // For an empty rectangle, `last` would return the first pixel.
        let empty = width <= 0 || height <= 0;
        let high = if empty { [i32::MIN; 2] } else { [last(x, width), last(y, height)] };
        Self {
            low: [self.low[0].max(x), self.low[1].max(y)],
            high: [self.high[0].min(high[0]), self.high[1].min(high[1])],
        }
    }

    /// The pixels of a framebuffer within the scissor rectangle (4.1.2).
    pub fn new(size: [u32; 2], scissor: Option<Rect>) -> Self {
        let whole = Self { low: [0; 2], high: size.map(|side| side as i32 - 1) };
        scissor.map_or(whole, |rect| whole.within(rect))
    }

    /// The part of these pixels from `low` to `high`; `None` if it is empty.
    #[inline(always)]
    pub fn bounds(&self, low: [i32; 2], high: [i32; 2]) -> Option<Bounds> {
        let low = [low[0].max(self.low[0]), low[1].max(self.low[1])];
        let high = [high[0].min(self.high[0]), high[1].min(self.high[1])];
        let some = low[0] <= high[0] && low[1] <= high[1];
        some.then_some(Bounds { low: [low[0] as u32, low[1] as u32], high: [high[0] as u32, high[1] as u32] })
    }
}

/// The transformation from clip coordinates to window coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setup {
    pub volume: ClipVolume,
    size: [u32; 2],
    /// Centre, half width and half height of the viewport, in pixels.
    centre: [f64; 2],
    half: [f64; 2],
    /// Pixels that polygons may touch: within the viewport and the scissor rectangle.
    polygons: Limits,
    /// Pixels that points and lines may touch. Wide points and lines may reach beyond the viewport.
    pub others: Limits,
    /// Depth range n and f.
    range: [f64; 2],
    /// The samples that rasterisation tests.
    pub samples: Samples,
}

impl Setup {
    /// The setup for a framebuffer of `size` pixels, with these samples per pixel. A viewport without width
    /// or height shows nothing.
    pub fn new(
        state: &RasterState,
        (size, samples): ([u32; 2], Samples),
        depth: DepthPlanes,
        distances: u8,
    ) -> Self {
        let [x, y, width, height] = state.viewport.unwrap_or([0, 0, size[0] as i32, size[1] as i32]);
        let half = [width, height].map(|side| f64::from(side.max(0)) * 0.5);
        let centre = [f64::from(x) + half[0], f64::from(y) + half[1]];
        let guard = [0, 1].map(|axis| {
            let ndc = |pixels: f64| (pixels - centre[axis]) / half[axis];
            [ndc(-GUARD_PIXELS), ndc(f64::from(size[axis]) + GUARD_PIXELS)]
        });
        let volume = ClipVolume::new(guard, depth, distances);
        let mut others = Limits::new(size, state.scissor);
        if width <= 0 || height <= 0 {
            others.high = [-1; 2];
        }
        let polygons = state.viewport.map_or(others, |rect| others.within(rect));
        let range = state.depth.clamped_range().map(f64::from);
        Self { volume, size, centre, half, polygons, others, range, samples }
    }

    /// Whether the depth planes clip, for this state and this source of depths.
    pub fn depth_planes(state: &RasterState, source: DepthSource) -> DepthPlanes {
        if state.depth.clamp || source == DepthSource::Program {
            DepthPlanes::Ignore
        } else {
            DepthPlanes::Clip
        }
    }

    /// Window x or y, not snapped (glspec15 2.10.1).
    #[inline(always)]
    pub fn window(&self, position: DVec4, axis: usize) -> f64 {
        position[axis] / position.w * self.half[axis] + self.centre[axis]
    }

    /// Window z.
    #[inline(always)]
    pub fn window_z(&self, position: DVec4) -> f64 {
        let [near, far] = self.range;
        position.z / position.w * ((far - near) * 0.5) + (far + near) * 0.5
    }

    /// Snapped window x and y, window z (glspec15 2.10.1), and 1/w. Branch-free, so that loops over vertices
    /// vectorise.
    #[inline(always)]
    pub fn corner(&self, position: DVec4) -> Corner {
        let snap = |axis: usize| {
            let side = f64::from(self.size[axis]);
            let pixels = self.window(position, axis);
            // The guard band has already bounded the value, up to rounding.
            let subpixels = pixels.clamp(-GUARD_PIXELS, side + GUARD_PIXELS) * SUBPIXELS;
            // Adding and subtracting this constant rounds to the nearest integer, for magnitudes below 2^51.
            const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
            ((subpixels + TO_INTEGER) - TO_INTEGER) as i32
        };
        let z = self.window_z(position);
        let is_point = !(position.x / position.w).is_nan() & !(position.y / position.w).is_nan();
        let reciprocal_w = if is_point { 1.0 / position.w } else { f64::NAN };
        Corner { point: [snap(0), snap(1)], z, reciprocal_w }
    }

    /// The vertices with these clip coordinates, one row per component. Codes do not include clip distances.
    pub fn vertices(&self, rows: &[[f32; LANES]; 4]) -> VertexRows {
        let mut vertices = VertexRows::default();
        simd::widest(Prepare { setup: self, rows, vertices: &mut vertices });
        vertices
    }

    /// The pixels that the bounding box of these corners may cover; `None` if there are none.
    #[inline]
    pub fn bounds(&self, corners: [&Corner; 3]) -> Option<Bounds> {
        let (mut first, mut last) = ([0; 2], [0; 2]);
        let [low, high] = self.samples.reach();
        for axis in 0..2 {
            // The centre of pixel x is at x * PIXEL + PIXEL / 2. Samples are at most `low` below and `high`
            // above the centre.
            let place = |i: usize| corners[i].point[axis] - PIXEL / 2;
            let (a, b, c) = (place(0), place(1), place(2));
            first[axis] = (a.min(b).min(c) - high + (PIXEL - 1)).div_euclid(PIXEL);
            last[axis] = (a.max(b).max(c) - low).div_euclid(PIXEL);
        }
        self.polygons.bounds(first, last)
    }

    /// The order that makes the corners a counter-clockwise triangle, and its bounds. `None` if the triangle
    /// has no area or certainly covers no sample.
    #[inline]
    pub fn order(&self, corners: [&Corner; 3], twice_area: i64) -> Option<(Order, Bounds)> {
        if twice_area == 0 || !corners.iter().all(|corner| corner.reciprocal_w > 0.0) {
            return None;
        }
        let order = if twice_area > 0 { Order::Kept } else { Order::Swapped };
        let bounds = self.bounds(corners)?;
        let is_small = self.samples == Samples::One && (0..2).all(|i| bounds.high[i] - bounds.low[i] < 2);
        let points = || order.of(corners.map(|corner| corner.point));
        (!is_small || covers_centre(points(), bounds)).then_some((order, bounds))
    }

    /// The corners of a clipped polygon. `None` if a corner has no window position, which happens with
    /// coordinates near the limits of f64.
    pub fn corners(&self, vertices: &[ClipVertex]) -> Option<Vec<Corner>> {
        let corners: Vec<Corner> = vertices.iter().map(|vertex| self.corner(vertex.position)).collect();
        corners.iter().all(|corner| corner.reciprocal_w > 0.0).then_some(corners)
    }
}

/// Whether a counter-clockwise triangle covers a pixel centre within `bounds`. `bounds` should hold few
/// pixels.
fn covers_centre([a, b, c]: [[i32; 2]; 3], bounds: Bounds) -> bool {
    let edges = [[b, c], [c, a], [a, b]].map(|[from, to]| (from, to, i64::from(!owns_points(from, to))));
    let [xs, ys] = [0, 1].map(|axis| bounds.low[axis]..=bounds.high[axis]);
    ys.flat_map(|y| xs.clone().map(move |x| [x, y])).any(|pixel| {
        let centre = pixel.map(|at| at as i32 * PIXEL + PIXEL / 2);
        edges.iter().all(|&(from, to, least)| orient2d([from, to, centre]) >= least)
    })
}

/// Vertices as one row per field, a lane each.
pub(super) struct VertexRows {
    points: [[i32; LANES]; 2],
    z: [f64; LANES],
    reciprocal_w: [f64; LANES],
    codes: [Codes; LANES],
}

impl VertexRows {
    /// The vertex in a lane.
    #[inline(always)]
    pub fn vertex(&self, lane: usize) -> Vertex {
        let Self { points: [x, y], z, reciprocal_w, codes } = self;
        let corner = Corner { point: [x[lane], y[lane]], z: z[lane], reciprocal_w: reciprocal_w[lane] };
        Vertex { corner, codes: codes[lane] }
    }
}

impl Default for VertexRows {
    fn default() -> Self {
        let (numbers, codes) = ([0.0; LANES], [Codes::default(); LANES]);
        Self { points: [[0; LANES]; 2], z: numbers, reciprocal_w: numbers, codes }
    }
}

/// Transforms clip coordinates into vertices.
struct Prepare<'a> {
    setup: &'a Setup,
    rows: &'a [[f32; LANES]; 4],
    vertices: &'a mut VertexRows,
}

impl simd::Task for Prepare<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { setup, rows: [x, y, z, w], vertices } = self;
        let setup = *setup;
        for lane in 0..LANES {
            let position = clip::position([x[lane], y[lane], z[lane], w[lane]]);
            let Corner { point: [x, y], z, reciprocal_w } = setup.corner(position);
            vertices.points[0][lane] = x;
            vertices.points[1][lane] = y;
            vertices.z[lane] = z;
            vertices.reciprocal_w[lane] = reciprocal_w;
            vertices.codes[lane] = setup.volume.codes(position.to_array());
        }
    }
}

/// Twice the signed area of a triangle of snapped points. Exact; negative if the triangle turns clockwise.
#[inline]
pub(super) fn orient2d([a, b, c]: [[i32; 2]; 3]) -> i64 {
    let minus = |p: i32, q: i32| i64::from(p) - i64::from(q);
    minus(b[0], a[0]) * minus(c[1], a[1]) - minus(b[1], a[1]) * minus(c[0], a[0])
}

/// An order of a convex polygon's corners whose fan about the first corner has all triangles turn one way.
/// Snapping can leave a corner that turns the other way, by less than a subpixel. The fan then has to start
/// at this corner, or pixels would be covered twice. If no corner works, because of extreme coordinates, the
/// result is the convex hull.
pub(super) fn fan_order(points: &[[i32; 2]]) -> Vec<usize> {
    let count = points.len();
    if count < 3 {
        return Vec::new();
    }
    let turns = |start: usize| {
        (1..count - 1).map(move |i| orient2d([start, start + i, start + i + 1].map(|i| points[i % count])))
    };
    let one_way = |start: usize| turns(start).all(|t| t >= 0) || turns(start).all(|t| t <= 0);
    match (0..count).find(|&start| one_way(start)) {
        Some(start) => (0..count).map(|i| (start + i) % count).collect(),
        None => hull(points),
    }
}

/// The convex hull, counter-clockwise (monotone chain).
fn hull(points: &[[i32; 2]]) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..points.len()).collect();
    sorted.sort_by_key(|&i| points[i]);
    let half = |indices: &mut dyn Iterator<Item = usize>| {
        let mut chain: Vec<usize> = Vec::new();
        for index in indices {
            while let [.., a, b] = chain[..] {
                if orient2d([points[a], points[b], points[index]]) > 0 {
                    break;
                }
                chain.pop();
            }
            chain.push(index);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut sorted.iter().copied());
    lower.extend(half(&mut sorted.iter().rev().copied()));
    lower
}
