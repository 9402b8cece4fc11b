//! Triangle setup: from clip coordinates to snapped window coordinates, edge functions and the
//! constants of equation 3.6.
//!
//! Window positions snap to 1/1024 pixel. Edge functions of snapped points are integers below 2^53,
//! which f64 computes exactly in whatever order; so coverage has neither gaps nor overlaps, and the
//! barycentric coordinates of eq. 3.6 are exact up to the final division, wherever they are computed.

use super::clip::{self, ClipVertex, ClipVolume, Codes, DepthPlanes, GUARD_PIXELS};
use super::vector::{self, Task};
use super::{DepthSource, RasterState, Rect, Samples};
use crate::exec::LANES;
use crate::movemask::Masks;
use glam::DVec4;

/// Bits of the fraction of a snapped window coordinate.
pub const SUBPIXEL_BITS: usize = 10;

/// Steps of a snapped window coordinate in a pixel.
pub(super) const SUBPIXELS: f64 = (1 << SUBPIXEL_BITS) as f64;

/// The same as a whole number.
pub(super) const PIXEL: i32 = SUBPIXELS as i32;

/// The centre of pixel `x` in snapped units.
#[inline]
pub(super) fn centre(x: u32) -> f64 {
    f64::from(x) * SUBPIXELS + 0.5 * SUBPIXELS
}

/// Values of the four lanes of a quad.
pub(super) type Lanes = [f64; 4];

/// A pixel rectangle, bounds included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    pub low: [u32; 2],
    pub high: [u32; 2],
}

/// A vertex in the window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Corner {
    /// Snapped x and y in 1/1024 pixel: less than 2^25 either way.
    pub point: [i32; 2],
    /// Window z.
    pub z: f64,
    /// 1/w; not positive where there is no such point.
    pub reciprocal_w: f64,
}

/// A transformed vertex. The corner means something only if the codes have it inside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Vertex {
    pub corner: Corner,
    pub codes: Codes,
}

/// The line through two vertices, counter-clockwise round the triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Edge {
    pub start: [f64; 2],
    /// Change of the edge function from a pixel to the next in x and in y.
    pub step: [f64; 2],
    /// A pixel is inside from this value on: 0 for edges that own their points, else 1.
    pub least: f64,
}

impl Edge {
    /// Positive inside; in units of `1/SUBPIXELS²` pixel; exact at pixel centres within the guard band.
    #[inline(always)]
    pub fn at(&self, x: u32, y: u32) -> f64 {
        self.at_point(centre(x), centre(y))
    }

    /// The same at a point in snapped units.
    #[inline(always)]
    pub fn at_point(&self, x: f64, y: f64) -> f64 {
        let delta = [x - self.start[0], y - self.start[1]];
        (self.step[0] / SUBPIXELS) * delta[0] + (self.step[1] / SUBPIXELS) * delta[1]
    }

    /// By how much it is more at an offset in snapped units: exact.
    #[inline(always)]
    pub fn offset(&self, [x, y]: [i32; 2]) -> f64 {
        (self.step[0] / SUBPIXELS) * f64::from(x) + (self.step[1] / SUBPIXELS) * f64::from(y)
    }

    /// The values in the four lanes of a quad, from that in lane 0: exact.
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

/// Of the two triangles at an edge, the one whose left edge it is, or whose top edge if it is horizontal, owns the points on
/// it. y grows upwards and the order is counter-clockwise: left edges go down, top edges go left.
#[inline(always)]
fn owns_points<T: PartialOrd>(from: [T; 2], to: [T; 2]) -> bool {
    to[1] < from[1] || (to[1] == from[1] && to[0] < from[0])
}

/// A triangle ready to be rasterised.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Triangle {
    /// The vertices' places, counter-clockwise.
    pub points: [[i32; 2]; 3],
    /// Edge i is opposite to vertex i.
    pub edges: [Edge; 3],
    /// 1/w of the vertices.
    pub reciprocal_w: [f64; 3],
    /// Window z at vertex 0, and its change by one unit of edge function 1 and of edge function 2.
    pub z: [f64; 3],
    /// Whether an offset is part of that, after which depths are limited to `[0,1]` (glspec15 3.5.5).
    pub has_offset: bool,
    /// Whether it stands for a point, for which modifiers of interpolation have no effect (NV_fragment_program4 2.X.3.1).
    pub is_point: bool,
    /// Sum of the edge functions, anywhere.
    pub area: f64,
    /// Pixels that may be covered.
    pub bounds: Bounds,
}

impl Triangle {
    /// Window z where edge functions 1 and 2 are these, linear in window space (3.5.1).
    #[inline(always)]
    pub fn z_at(&self, [b, c]: [f64; 2]) -> f64 {
        let [z, by_1, by_2] = self.z;
        z + (b * by_1 + c * by_2)
    }

    /// The triangle with these corners, counter-clockwise.
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

    /// Whether eq. 3.6 has one denominator everywhere: all w are the same.
    #[inline(always)]
    pub fn is_affine(&self) -> bool {
        let [a, b, c] = self.reciprocal_w;
        a == b && b == c
    }

    /// The maximum depth slope m (eq. 3.7), in depth a pixel; 0 for what has no area.
    pub fn depth_slope(&self) -> f64 {
        let [_, by_1, by_2] = self.z;
        let [_, b, c] = &self.edges;
        let along = |axis: usize| b.step[axis] * by_1 + c.step[axis] * by_2;
        let slope = (along(0) * along(0) + along(1) * along(1)).sqrt();
        if slope.is_finite() { slope } else { 0.0 }
    }
}

/// In which order a triangle has the vertices it was assembled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Vertices 0, 1, 2.
    Kept,
    /// Vertices 0, 2, 1.
    Swapped,
}

impl Order {
    /// From the assembled order to this one, or back.
    #[inline]
    pub fn of<T>(self, [a, b, c]: [T; 3]) -> [T; 3] {
        match self {
            Self::Kept => [a, b, c],
            Self::Swapped => [a, c, b],
        }
    }
}

/// What the vertices of a triangle are in terms of those it was assembled from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Origin {
    /// They are the same.
    Whole(Order),
    /// Each is the sum of the three with these weights.
    Cut([[f64; 3]; 3]),
}

/// A triangle, or a part of one, that may cover pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    /// Counter-clockwise.
    pub corners: [Corner; 3],
    pub bounds: Bounds,
    pub origin: Origin,
}

/// The pixels a draw may touch: lowest and highest x and y. Nothing if some high is below its low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    pub low: [i32; 2],
    pub high: [i32; 2],
}

impl Limits {
    fn within(self, [x, y, width, height]: Rect) -> Self {
        let last = |at: i32, length: i32| at.saturating_add(length.max(0).saturating_sub(1));
        // An empty rectangle: `last` would be its first pixel.
        let empty = width <= 0 || height <= 0;
        let high = if empty { [i32::MIN; 2] } else { [last(x, width), last(y, height)] };
        Self {
            low: [self.low[0].max(x), self.low[1].max(y)],
            high: [self.high[0].min(high[0]), self.high[1].min(high[1])],
        }
    }

    /// The pixels of a framebuffer that the scissor test leaves (4.1.2).
    pub fn new(size: [u32; 2], scissor: Option<Rect>) -> Self {
        let whole = Self { low: [0; 2], high: size.map(|side| side as i32 - 1) };
        scissor.map_or(whole, |rect| whole.within(rect))
    }

    /// Those of them from `low` to `high`, if there are any.
    #[inline(always)]
    pub fn bounds(&self, low: [i32; 2], high: [i32; 2]) -> Option<Bounds> {
        let low = [low[0].max(self.low[0]), low[1].max(self.low[1])];
        let high = [high[0].min(self.high[0]), high[1].min(self.high[1])];
        let some = low[0] <= high[0] && low[1] <= high[1];
        some.then_some(Bounds { low: [low[0] as u32, low[1] as u32], high: [high[0] as u32, high[1] as u32] })
    }
}

/// What turns clip coordinates into window coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setup {
    pub volume: ClipVolume,
    size: [u32; 2],
    /// Centre of the viewport and half its width and height, in pixels.
    centre: [f64; 2],
    half: [f64; 2],
    /// Pixels of polygons: within the viewport and the scissor rectangle.
    polygons: Limits,
    /// Pixels of points and lines, which may reach out of the viewport where they are wide.
    pub others: Limits,
    /// n and f.
    range: [f64; 2],
    /// The samples that primitives cover.
    pub samples: Samples,
}

impl Setup {
    /// For a framebuffer of `size` pixels, in which primitives cover these samples. A viewport without width or height shows
    /// nothing.
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

    /// Which planes clip for this state and depths from this source.
    pub fn depth_planes(state: &RasterState, source: DepthSource) -> DepthPlanes {
        if state.depth.clamp || source == DepthSource::Program {
            DepthPlanes::Ignore
        } else {
            DepthPlanes::Clip
        }
    }

    /// Window x and y, not snapped (glspec15 2.10.1).
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

    /// Window x, y (snapped) and z (glspec15 2.10.1), and 1/w. Without branches, for many at once.
    #[inline(always)]
    pub fn corner(&self, position: DVec4) -> Corner {
        let snap = |axis: usize| {
            let side = f64::from(self.size[axis]);
            let pixels = self.window(position, axis);
            // Within the guard band already, up to rounding.
            let subpixels = pixels.clamp(-GUARD_PIXELS, side + GUARD_PIXELS) * SUBPIXELS;
            // Rounds to the nearest whole number, for magnitudes below 2^51.
            const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
            ((subpixels + TO_INTEGER) - TO_INTEGER) as i32
        };
        let z = self.window_z(position);
        let is_point = !(position.x / position.w).is_nan() & !(position.y / position.w).is_nan();
        let reciprocal_w = if is_point { 1.0 / position.w } else { f64::NAN };
        Corner { point: [snap(0), snap(1)], z, reciprocal_w }
    }

    /// The vertices with these clip coordinates, a row for each, but for clip distances.
    pub fn vertices(&self, rows: &[[f32; LANES]; 4]) -> VertexRows {
        let mut vertices = VertexRows::default();
        vector::widest(Prepare { setup: self, rows, vertices: &mut vertices });
        vertices
    }

    /// The pixels within the bounds of these corners, if there are any.
    #[inline]
    pub fn bounds(&self, corners: [&Corner; 3]) -> Option<Bounds> {
        let (mut first, mut last) = ([0; 2], [0; 2]);
        let [low, high] = self.samples.reach();
        for axis in 0..2 {
            // Pixel x is at x * PIXEL + PIXEL / 2, its samples at most `low` below and `high` above.
            let place = |i: usize| corners[i].point[axis] - PIXEL / 2;
            let (a, b, c) = (place(0), place(1), place(2));
            first[axis] = (a.min(b).min(c) - high + (PIXEL - 1)).div_euclid(PIXEL);
            last[axis] = (a.max(b).max(c) - low).div_euclid(PIXEL);
        }
        self.polygons.bounds(first, last)
    }

    /// Which way round corners with this area are a counter-clockwise triangle, and its bounds; `None`
    /// if it has no area or covers no sample for sure.
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

    /// The corners of a clipped polygon; `None` where coordinates near the end of f64's range leave
    /// something that is no point.
    pub fn corners(&self, vertices: &[ClipVertex]) -> Option<Vec<Corner>> {
        let corners: Vec<Corner> = vertices.iter().map(|vertex| self.corner(vertex.position)).collect();
        corners.iter().all(|corner| corner.reciprocal_w > 0.0).then_some(corners)
    }
}

/// Whether a counter-clockwise triangle covers the centre of a pixel in `bounds`, which are few.
fn covers_centre([a, b, c]: [[i32; 2]; 3], bounds: Bounds) -> bool {
    let edges = [[b, c], [c, a], [a, b]].map(|[from, to]| (from, to, i64::from(!owns_points(from, to))));
    let [xs, ys] = [0, 1].map(|axis| bounds.low[axis]..=bounds.high[axis]);
    ys.flat_map(|y| xs.clone().map(move |x| [x, y])).any(|pixel| {
        let centre = pixel.map(|at| at as i32 * PIXEL + PIXEL / 2);
        edges.iter().all(|&(from, to, least)| orient2d([from, to, centre]) >= least)
    })
}

/// Vertices in rows.
pub(super) struct VertexRows {
    points: [[i32; LANES]; 2],
    z: [f64; LANES],
    reciprocal_w: [f64; LANES],
    codes: [Codes; LANES],
}

impl VertexRows {
    /// One of them.
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

/// Makes vertices of clip coordinates.
struct Prepare<'a> {
    setup: &'a Setup,
    rows: &'a [[f32; LANES]; 4],
    vertices: &'a mut VertexRows,
}

impl Task for Prepare<'_> {
    #[inline(always)]
    fn run(self, _: impl Masks) {
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

/// Twice the area of a triangle of snapped points; exact, negative if it turns clockwise.
#[inline]
pub(super) fn orient2d([a, b, c]: [[i32; 2]; 3]) -> i64 {
    let minus = |p: i32, q: i32| i64::from(p) - i64::from(q);
    minus(b[0], a[0]) * minus(c[1], a[1]) - minus(b[1], a[1]) * minus(c[0], a[0])
}

/// The corners of a convex polygon in an order whose fan about the first has all triangles turn one
/// way. Snapping can leave a corner that turns the other way, by less than a subpixel; then the fan
/// has to start there, lest pixels be covered twice. Where coordinates were so wild that no corner
/// will do, the convex hull is taken.
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
