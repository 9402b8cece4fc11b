//! Triangle setup: from clip coordinates to snapped window coordinates, edge functions and the
//! constants of equation 3.4.
//!
//! Window positions snap to 1/1024 pixel. Edge functions of snapped points are integers below 2^53,
//! which f64 computes exactly in whatever order; so coverage has neither gaps nor overlaps, and the
//! barycentric coordinates of eq. 3.4 are exact up to the final division, wherever they are computed.

use super::clip::{ClipVolume, Codes, DepthPlanes, GUARD_PIXELS, Place};
use super::{DepthSource, Draw, Stats};
use glam::DVec4;

/// Steps of a snapped window coordinate in a pixel.
pub(super) const SUBPIXELS: f64 = 1024.0;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    start: [f64; 2],
    /// Change of the edge function from a pixel to the next in x and in y.
    pub step: [f64; 2],
    /// A pixel is inside from this value on: 0 for edges that own their points, else 1.
    pub least: f64,
}

impl Edge {
    /// Positive inside; in units of `1/SUBPIXELS²` pixel; exact at pixel centres within the guard band.
    #[inline(always)]
    pub fn at(&self, x: u32, y: u32) -> f64 {
        let delta = [centre(x) - self.start[0], centre(y) - self.start[1]];
        (self.step[0] / SUBPIXELS) * delta[0] + (self.step[1] / SUBPIXELS) * delta[1]
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
        // Of the two triangles at an edge, the one whose left edge it is, or whose top edge if it is
        // horizontal, owns the points on it. y grows upwards and the order is counter-clockwise: left
        // edges go down, top edges go left.
        let owns = dy < 0.0 || (dy == 0.0 && dx < 0.0);
        Self { start: from, step: [-dy * SUBPIXELS, dx * SUBPIXELS], least: if owns { 0.0 } else { 1.0 } }
    }
}

/// A triangle ready to be rasterised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Triangle {
    /// The vertices' places, counter-clockwise.
    pub points: [[i32; 2]; 3],
    /// Edge i is opposite to vertex i.
    pub edges: [Edge; 3],
    /// 1/w of the vertices.
    pub reciprocal_w: [f64; 3],
    /// Window z at vertex 0, and its change by one unit of edge function 1 and of edge function 2.
    pub z: [f64; 3],
    /// Sum of the edge functions, anywhere.
    pub area: f64,
    /// Pixels that may be covered.
    pub bounds: Bounds,
    /// Index in the mesh.
    pub index: u32,
}

impl Triangle {
    /// Mesh triangle `index`, or the part of it with these corners, counter-clockwise.
    #[inline]
    pub fn new(corners: [Corner; 3], bounds: Bounds, index: u32) -> Self {
        let [first, second, third] = &corners;
        let (a, b, c) = (first.point, second.point, third.point);
        let area = turn([a, b, c]) as f64;
        let (z, z_1, z_2) = (first.z, second.z, third.z);
        Self {
            points: [a, b, c],
            edges: [Edge::new(b, c), Edge::new(c, a), Edge::new(a, b)],
            reciprocal_w: [first.reciprocal_w, second.reciprocal_w, third.reciprocal_w],
            z: [z, (z_1 - z) / area, (z_2 - z) / area],
            area,
            bounds,
            index,
        }
    }
}

/// Values of one varying: at vertex 0, and the differences to vertices 1 and 2.
pub(super) type Varying = [f64; 3];

/// In which order a triangle has the vertices of the mesh's triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Vertices 0, 1, 2.
    Kept,
    /// Vertices 0, 2, 1.
    Swapped,
}

impl Order {
    /// From the mesh's order to this one, or back.
    #[inline]
    pub fn of<T>(self, [a, b, c]: [T; 3]) -> [T; 3] {
        match self {
            Self::Kept => [a, b, c],
            Self::Swapped => [a, c, b],
        }
    }
}

/// What the vertices of a triangle are in terms of those of the mesh's triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Origin {
    /// They are the same.
    Whole(Order),
    /// Each is the sum of the mesh triangle's three with these weights.
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

/// What turns clip coordinates into [`Triangle`]s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setup {
    volume: ClipVolume,
    size: [u32; 2],
    /// n and f.
    range: [f64; 2],
}

impl Setup {
    pub fn new(draw: &Draw, size: [u32; 2], near: f64, depth: DepthPlanes) -> Self {
        let volume = ClipVolume::new(size, near, depth);
        Self { volume, size, range: draw.depth.clamped_range().map(f64::from) }
    }

    /// Which planes clip for this draw and depths from this source.
    pub fn depth_planes(draw: &Draw, source: DepthSource) -> DepthPlanes {
        if draw.depth.clamp || source == DepthSource::Program {
            DepthPlanes::Ignore
        } else {
            DepthPlanes::Clip
        }
    }

    /// Window x, y (snapped) and z (glspec15 2.10.1), and 1/w.
    fn corner(&self, position: DVec4) -> Corner {
        let snap = |axis: usize| {
            let side = f64::from(self.size[axis]);
            let pixels = (position[axis] / position.w * 0.5 + 0.5) * side;
            // Within the guard band already, up to rounding.
            let subpixels = pixels.clamp(-GUARD_PIXELS, side + GUARD_PIXELS) * SUBPIXELS;
            // Rounds to the nearest whole number, for magnitudes below 2^51.
            const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
            ((subpixels + TO_INTEGER) - TO_INTEGER) as i32
        };
        let [near, far] = self.range;
        let z = position.z / position.w * ((far - near) * 0.5) + (far + near) * 0.5;
        let is_point = !(position.x / position.w).is_nan() && !(position.y / position.w).is_nan();
        let reciprocal_w = if is_point { 1.0 / position.w } else { f64::NAN };
        Corner { point: [snap(0), snap(1)], z, reciprocal_w }
    }

    /// The vertex with these clip coordinates.
    pub fn vertex(&self, position: DVec4) -> Vertex {
        Vertex { corner: self.corner(position), codes: self.volume.codes(position) }
    }

    /// The pixels within the bounds of these corners, if there are any.
    #[inline]
    pub fn bounds(&self, corners: &[Corner; 3]) -> Option<Bounds> {
        let mut bounds = Bounds { low: [0; 2], high: [0; 2] };
        for axis in 0..2 {
            // Pixel x is at x * PIXEL + PIXEL / 2.
            let place = |i: usize| corners[i].point[axis] - PIXEL / 2;
            let (a, b, c) = (place(0), place(1), place(2));
            let low = (a.min(b).min(c) + (PIXEL - 1)).div_euclid(PIXEL).max(0);
            let high = a.max(b).max(c).div_euclid(PIXEL).min(self.size[axis] as i32 - 1);
            if low > high {
                return None;
            }
            bounds.low[axis] = low as u32;
            bounds.high[axis] = high as u32;
        }
        Some(bounds)
    }

    /// Which way round these corners are a counter-clockwise triangle, and its bounds; `None` if it
    /// has no area or covers no pixel centre for sure.
    #[inline]
    fn order(&self, corners: &[Corner; 3]) -> Option<(Order, Bounds)> {
        let twice_area = turn(corners.map(|corner| corner.point));
        if twice_area == 0 || !corners.iter().all(|corner| corner.reciprocal_w > 0.0) {
            return None;
        }
        let order = if twice_area > 0 { Order::Kept } else { Order::Swapped };
        Some((order, self.bounds(corners)?))
    }

    /// Calls `f` with each triangle that may cover pixels of the mesh triangle with these vertices,
    /// whose clip coordinates `position` gives for those that have to be cut.
    pub fn prepare(
        &self,
        vertices: &[Vertex; 3],
        position: impl Fn(usize) -> DVec4,
        stats: &mut Stats,
        mut f: impl FnMut(Shape),
    ) {
        stats.triangles += 1;
        let mut drawn = false;
        match Place::of(vertices.map(|vertex| vertex.codes)) {
            Place::Invalid => {
                stats.triangles_invalid += 1;
                return;
            }
            Place::Outside => {}
            Place::Whole => {
                let corners = vertices.map(|vertex| vertex.corner);
                if let Some((order, bounds)) = self.order(&corners) {
                    drawn = true;
                    f(Shape { corners: order.of(corners), bounds, origin: Origin::Whole(order) });
                }
            }
            Place::Cut => {
                if let Some(polygon) = self.volume.cut([0, 1, 2].map(position)) {
                    stats.triangles_clipped += 1;
                    let vertices = polygon.vertices();
                    let corners: Vec<Corner> = vertices.iter().map(|v| self.corner(v.position)).collect();
                    // Clip coordinates near the end of f64's range may leave something that is no point.
                    let good = corners.iter().all(|corner| corner.reciprocal_w > 0.0);
                    let corners = if good { corners } else { Vec::new() };
                    let points: Vec<[i32; 2]> = corners.iter().map(|corner| corner.point).collect();
                    let fan = fan_order(&points);
                    for i in 2..fan.len() {
                        let part = [fan[0], fan[i - 1], fan[i]];
                        let Some((order, bounds)) = self.order(&part.map(|i| corners[i])) else { continue };
                        let part = order.of(part);
                        drawn = true;
                        let origin = Origin::Cut(part.map(|i| vertices[i].weights));
                        f(Shape { corners: part.map(|i| corners[i]), bounds, origin });
                    }
                }
            }
        }
        if !drawn {
            stats.triangles_culled += 1;
        }
    }
}

/// Twice the area of a triangle of snapped points; exact, negative if it turns clockwise.
#[inline]
fn turn([a, b, c]: [[i32; 2]; 3]) -> i64 {
    let minus = |p: i32, q: i32| i64::from(p) - i64::from(q);
    minus(b[0], a[0]) * minus(c[1], a[1]) - minus(b[1], a[1]) * minus(c[0], a[0])
}

/// The corners of a convex polygon in an order whose fan about the first has all triangles turn one
/// way. Snapping can leave a corner that turns the other way, by less than a subpixel; then the fan
/// has to start there, lest pixels be covered twice. Where coordinates were so wild that no corner
/// will do, the convex hull is taken.
fn fan_order(points: &[[i32; 2]]) -> Vec<usize> {
    let count = points.len();
    if count < 3 {
        return Vec::new();
    }
    let turns = |start: usize| {
        (1..count - 1).map(move |i| turn([start, start + i, start + i + 1].map(|i| points[i % count])))
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
                if turn([points[a], points[b], points[index]]) > 0 {
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

/// Appends the varyings of a triangle, given the data of the vertices of the mesh's triangle.
pub(super) fn varyings(data: [&[f32]; 3], origin: &Origin, out: &mut Vec<Varying>) {
    let varying = |[first, second, third]: [f64; 3]| [first, second - first, third - first];
    match origin {
        Origin::Whole(order) => {
            let [first, second, third] = order.of(data);
            for ((&first, &second), &third) in first.iter().zip(second).zip(third) {
                out.push(varying([first.into(), second.into(), third.into()]));
            }
        }
        Origin::Cut(weights) => {
            for i in 0..data[0].len() {
                let values = data.map(|data| f64::from(data[i]));
                out.push(varying(weights.map(|[a, b, c]| a * values[0] + b * values[1] + c * values[2])));
            }
        }
    }
}
