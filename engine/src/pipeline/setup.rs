//! Triangle setup: from clip coordinates to snapped window coordinates, edge functions and the
//! constants of equation 3.4.
//!
//! Window positions snap to 1/1024 pixel. Edge functions of snapped points are integers below 2^53,
//! which f64 computes exactly in whatever order; so coverage has neither gaps nor overlaps, and the
//! barycentric coordinates of eq. 3.4 are exact up to the final division, wherever they are computed.

use super::clip::{ClipVertex, ClipVolume, Clipped, DepthPlanes, GUARD_PIXELS};
use super::vertex::{Layout, VertexStage};
use super::{DepthSource, Draw, Stats};
use glam::DVec4;

/// Steps of a snapped window coordinate in a pixel.
pub(super) const SUBPIXELS: f64 = 1024.0;

/// The centre of pixel `x` in snapped units.
#[inline]
pub(super) fn centre(x: u32) -> f64 {
    f64::from(x) * SUBPIXELS + 0.5 * SUBPIXELS
}

/// A pixel rectangle, bounds included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub low: [u32; 2],
    pub high: [u32; 2],
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
    #[inline]
    pub fn at(&self, x: u32, y: u32) -> f64 {
        let delta = [centre(x) - self.start[0], centre(y) - self.start[1]];
        (self.step[0] / SUBPIXELS) * delta[0] + (self.step[1] / SUBPIXELS) * delta[1]
    }

    fn new(from: [f64; 2], to: [f64; 2]) -> Self {
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        // Of the two triangles at an edge, the one whose left edge it is, or whose top edge if it is
        // horizontal, owns the points on it. y grows upwards and the order is counter-clockwise: left
        // edges go down, top edges go left.
        let owns = dy < 0.0 || (dy == 0.0 && dx < 0.0);
        Self { start: from, step: [-dy * SUBPIXELS, dx * SUBPIXELS], least: if owns { 0.0 } else { 1.0 } }
    }
}

/// A triangle ready to be rasterised. Its varyings lie beside it (see [`Prepared`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Triangle {
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

/// Values of one varying: at vertex 0, and the differences to vertices 1 and 2.
pub(super) type Varying = [f64; 3];

/// Triangles in drawing order with their varyings, `layout.varyings.len()` for each.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    pub triangles: Vec<Triangle>,
    pub varyings: Vec<Varying>,
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

    /// Window x, y (snapped, in 1/1024 pixel) and z (glspec15 2.10.1).
    fn window(&self, position: DVec4) -> [f64; 3] {
        let snap = |axis: usize| {
            let side = f64::from(self.size[axis]);
            let pixels = (position[axis] / position.w * 0.5 + 0.5) * side;
            // Within the guard band already, up to rounding.
            let subpixels = pixels.clamp(-GUARD_PIXELS, side + GUARD_PIXELS) * SUBPIXELS;
            // Rounds to the nearest whole number, for magnitudes below 2^51.
            const TO_INTEGER: f64 = 6_755_399_441_055_744.0;
            (subpixels + TO_INTEGER) - TO_INTEGER
        };
        let [near, far] = self.range;
        let z = position.z / position.w * ((far - near) * 0.5) + (far + near) * 0.5;
        [snap(0), snap(1), z]
    }

    fn bounds(&self, corners: [[f64; 2]; 3]) -> Option<Bounds> {
        let mut bounds = Bounds { low: [0; 2], high: [0; 2] };
        // Corners are whole numbers of subpixels; pixel x is at x * SUBPIXELS + SUBPIXELS / 2.
        const PIXEL: i64 = SUBPIXELS as i64;
        for axis in 0..2 {
            let [a, b, c] = corners.map(|corner| corner[axis] as i64 - PIXEL / 2);
            let low = (a.min(b).min(c) + (PIXEL - 1)).div_euclid(PIXEL).max(0);
            let high = a.max(b).max(c).div_euclid(PIXEL).min(i64::from(self.size[axis]) - 1);
            if low > high {
                return None;
            }
            bounds.low[axis] = low as u32;
            bounds.high[axis] = high as u32;
        }
        Some(bounds)
    }

    /// The triangle of three clipped vertices, and the order it has them in; `None` if it has no area
    /// or covers no pixel centre for sure.
    fn triangle(&self, vertices: [DVec4; 3], index: u32) -> Option<(Triangle, [usize; 3])> {
        let points = vertices.map(|v| self.window(v));
        let corner = |i: usize| [points[i][0], points[i][1]];
        let twice_area = turn([corner(0), corner(1), corner(2)]);
        if twice_area == 0.0 || !vertices.iter().all(|v| v.w > 0.0) {
            return None;
        }
        let order = if twice_area > 0.0 { [0, 1, 2] } else { [0, 2, 1] };
        let [a, b, c] = order;
        let bounds = self.bounds([corner(a), corner(b), corner(c)])?;
        let edges = [
            Edge::new(corner(b), corner(c)),
            Edge::new(corner(c), corner(a)),
            Edge::new(corner(a), corner(b)),
        ];
        let area = twice_area.abs();
        let z = points[a][2];
        let z = [z, (points[b][2] - z) / area, (points[c][2] - z) / area];
        let reciprocal_w = order.map(|i| 1.0 / vertices[i].w);
        Some((Triangle { edges, reciprocal_w, z, area, bounds, index }, order))
    }

    /// Cuts a convex polygon into triangles that turn one way: corners of each.
    fn fan(&self, vertices: &[ClipVertex]) -> impl Iterator<Item = [usize; 3]> {
        let points: Vec<[f64; 2]> =
            vertices.iter().map(|v| self.window(v.position)).map(|[x, y, _]| [x, y]).collect();
        let order = fan_order(&points);
        (2..order.len()).map(move |i| [order[0], order[i - 1], order[i]])
    }

    /// Clips mesh triangle `index`, whose vertices have the clip coordinates `positions`, and calls
    /// `f` with each triangle that may cover pixels and its vertices.
    pub fn prepare(
        &self,
        index: u32,
        positions: [DVec4; 3],
        stats: &mut Stats,
        mut f: impl FnMut(Triangle, [ClipVertex; 3]),
    ) {
        stats.triangles += 1;
        let unit = |i: usize| {
            let mut weights = [0.0; 3];
            weights[i] = 1.0;
            ClipVertex { position: positions[i], weights }
        };
        let mut drawn = false;
        let mut emit = |corners: [ClipVertex; 3]| {
            if let Some((triangle, order)) = self.triangle(corners.map(|v| v.position), index) {
                drawn = true;
                f(triangle, order.map(|i| corners[i]));
            }
        };
        match self.volume.clip(positions) {
            Clipped::Invalid => {
                stats.triangles_invalid += 1;
                return;
            }
            Clipped::Outside => {}
            Clipped::Whole => emit([unit(0), unit(1), unit(2)]),
            Clipped::Cut(polygon) => {
                stats.triangles_clipped += 1;
                let vertices = polygon.vertices();
                for corners in self.fan(vertices) {
                    emit(corners.map(|i| vertices[i]));
                }
            }
        }
        if !drawn {
            stats.triangles_culled += 1;
        }
    }
}

/// Twice the area of a triangle of snapped points; exact, negative if it turns clockwise.
fn turn([a, b, c]: [[f64; 2]; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The corners of a convex polygon in an order whose fan about the first has all triangles turn one
/// way. Snapping can leave a corner that turns the other way, by less than a subpixel; then the fan
/// has to start there, lest pixels be covered twice. Where coordinates were so wild that no corner
/// will do, the convex hull is taken.
fn fan_order(points: &[[f64; 2]]) -> Vec<usize> {
    let count = points.len();
    let turns = |start: usize| {
        (1..count - 1).map(move |i| turn([start, start + i, start + i + 1].map(|i| points[i % count])))
    };
    let one_way = |start: usize| turns(start).all(|t| t >= 0.0) || turns(start).all(|t| t <= 0.0);
    match (0..count).find(|&start| one_way(start)) {
        Some(start) => (0..count).map(|i| (start + i) % count).collect(),
        None => hull(points),
    }
}

/// The convex hull, counter-clockwise (monotone chain).
fn hull(points: &[[f64; 2]]) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..points.len()).collect();
    sorted
        .sort_by(|&a, &b| points[a][0].total_cmp(&points[b][0]).then(points[a][1].total_cmp(&points[b][1])));
    let half = |indices: &mut dyn Iterator<Item = usize>| {
        let mut chain: Vec<usize> = Vec::new();
        for index in indices {
            while let [.., a, b] = chain[..] {
                if turn([points[a], points[b], points[index]]) > 0.0 {
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

/// Appends the varyings of one triangle with these vertices.
pub(super) fn varyings(
    layout: &Layout,
    stage: &VertexStage<'_>,
    mesh_vertices: [u32; 3],
    corners: &[ClipVertex; 3],
    out: &mut Vec<Varying>,
) {
    for &(_, datum) in &layout.varyings {
        let values = mesh_vertices.map(|vertex| stage.datum(vertex, datum));
        // Weights of an uncut triangle are 0 and 1, which leaves the (finite) values as they are.
        let at = |corner: &ClipVertex| {
            let [a, b, c] = corner.weights;
            a * values[0] + b * values[1] + c * values[2]
        };
        let [first, second, third] = [at(&corners[0]), at(&corners[1]), at(&corners[2])];
        out.push([first, second - first, third - first]);
    }
}
