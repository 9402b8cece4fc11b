//! Clipping in clip coordinates (glspec15 2.12, as NV_fragment_program, NV_vertex_program2 and
//! NV_depth_clamp change it): points are in or out, lines and triangles are cut.
//!
//! Filled triangles are clipped in x and y to a guard band around the framebuffer: what lies between it and the
//! view volume has no pixels, so the result is the same and few triangles are cut. Lines, and polygons that are
//! drawn as lines or points, are clipped to the view volume itself: see [`ClipVolume::exact`]. An edge that two
//! triangles share is cut at the same bits in both, and so it is by a clip distance and by its negative,
//! because an intersection depends on the two vertices and not on their order or on which is inside.

use glam::DVec4;

/// Clip distances that a vertex can have.
pub(super) const CLIP_DISTANCES: usize = 8;

/// How far the guard band reaches beyond the window, in pixels.
pub(super) const GUARD_PIXELS: f64 = 1024.0;

/// Where an edge that passes the eye's plane is cut: at this part of the w of its visible end. What lies
/// between has no pixels unless it touches the eye.
const SMALLEST_W: f64 = 1.0 / 4_294_967_296.0;

/// Clip coordinates as computed with.
pub(super) fn position([x, y, z, w]: [f32; 4]) -> DVec4 {
    DVec4::new(x.into(), y.into(), z.into(), w.into())
}

/// Whether the planes -w <= z <= w take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DepthPlanes {
    /// They clip.
    Clip,
    /// The program replaces depth (NV_fragment_program 2.11) or depth clamp is on (NV_depth_clamp).
    Ignore,
}

/// What primitives are clipped to.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClipVolume {
    depth: DepthPlanes,
    /// `guard[axis][0] w <= p[axis] <= guard[axis][1] w`, for x and y.
    guard: [[f64; 2]; 2],
    /// Which clip distances take part.
    distances: u8,
}

/// The clip distances of a vertex; 0 where one is not enabled or not written.
pub(super) type Distances = [f32; CLIP_DISTANCES];

/// The edge of a polygon that begins at a vertex (2.6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PolygonEdge {
    /// A boundary edge.
    Boundary,
    /// An edge that is flagged as no boundary.
    NonBoundary,
    /// No edge of the polygon: where it is split into triangles.
    Inner,
}

/// A vertex of a clipped primitive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClipVertex {
    pub position: DVec4,
    /// The vertex as a combination of the primitive's.
    pub weights: [f64; 3],
    /// Clip distances.
    distances: [f64; CLIP_DISTANCES],
    pub edge: PolygonEdge,
    /// Whether the vertex is one of the polygon, not one where clipping met an inner edge.
    is_corner: bool,
}

impl ClipVertex {
    /// Vertex `number` of a primitive.
    pub fn new(number: usize, position: DVec4, distances: &Distances, edge: PolygonEdge) -> Self {
        let mut weights = [0.0; 3];
        weights[number] = 1.0;
        Self { position, weights, distances: distances.map(f64::from), edge, is_corner: true }
    }

    /// Whether the polygon has a vertex here with a boundary edge beginning on it (3.5.4).
    pub fn begins_boundary(&self) -> bool {
        self.is_corner && self.edge == PolygonEdge::Boundary
    }
}

/// Most vertices: each of the fifteen planes adds at most one.
const MOST: usize = 18;

/// A convex polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polygon {
    vertices: [ClipVertex; MOST],
    count: usize,
}

impl Polygon {
    const EMPTY: Self = Self {
        vertices: [ClipVertex {
            position: DVec4::ZERO,
            weights: [0.0; 3],
            distances: [0.0; CLIP_DISTANCES],
            edge: PolygonEdge::Inner,
            is_corner: false,
        }; MOST],
        count: 0,
    };

    /// The triangle as it is.
    pub fn triangle(vertices: [ClipVertex; 3]) -> Self {
        let mut polygon = Self::EMPTY;
        vertices.into_iter().for_each(|vertex| polygon.push(vertex));
        polygon
    }

    fn push(&mut self, vertex: ClipVertex) {
        self.vertices[self.count] = vertex;
        self.count += 1;
    }

    pub fn vertices(&self) -> &[ClipVertex] {
        &self.vertices[..self.count]
    }
}

/// How a vertex lies to the planes: a bit for each that has it outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Codes(u32);

impl Codes {
    /// Not a finite point.
    const INVALID: u32 = 1 << 31;
    /// On the outer side of a plane that triangles are cut at.
    const CUT: u32 = 1 << 30;
    /// The first clip distance.
    const DISTANCE: u32 = 7;
}

/// How a primitive lies to the clip volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClipClass {
    /// A vertex is not a finite point.
    Invalid,
    /// Nothing can be seen.
    Outside,
    /// All of it is inside.
    Whole,
    /// It has to be cut.
    Cut,
}

impl ClipClass {
    /// Of the triangle whose vertices have these codes.
    #[inline]
    pub fn of([a, b, c]: [Codes; 3]) -> Self {
        let (any, all) = (a.0 | b.0 | c.0, a.0 & b.0 & c.0);
        if any & Codes::INVALID != 0 {
            Self::Invalid
        } else if all & !Codes::CUT != 0 {
            Self::Outside
        } else if any & Codes::CUT != 0 {
            Self::Cut
        } else {
            Self::Whole
        }
    }

    /// Of the line between vertices with these codes, which is cut at the view volume itself.
    #[inline]
    pub fn of_line([a, b]: [Codes; 2]) -> Self {
        Self::exact([a, b, b])
    }

    /// Of the triangle whose vertices have these codes, where it is cut at the view volume itself.
    #[inline]
    pub fn exact(codes: [Codes; 3]) -> Self {
        match Self::of(codes) {
            Self::Whole if codes.iter().any(|code| code.0 != 0) => Self::Cut,
            place => place,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Plane {
    W,
    Near,
    Far,
    /// x or y at least the lower bound.
    Low(usize),
    /// x or y at most the upper bound.
    High(usize),
    /// A clip distance at least 0.
    Distance(usize),
}

/// The guard band, or the sides of the view volume.
const SIDES: [Plane; 4] = [Plane::Low(0), Plane::High(0), Plane::Low(1), Plane::High(1)];

impl ClipVolume {
    /// `guard` has the lowest and the highest x/w and y/w that triangles keep, `distances` a bit for each
    /// clip distance that takes part.
    pub fn new(guard: [[f64; 2]; 2], depth: DepthPlanes, distances: u8) -> Self {
        Self { depth, guard, distances }
    }

    /// How far inside a point is; negative outside.
    fn distance(&self, plane: Plane, vertex: &ClipVertex) -> f64 {
        let p = vertex.position;
        match plane {
            Plane::W => p.w,
            Plane::Near => p.w + p.z,
            Plane::Far => p.w - p.z,
            Plane::Low(axis) => p[axis] - self.guard[axis][0] * p.w,
            Plane::High(axis) => self.guard[axis][1] * p.w - p[axis],
            Plane::Distance(n) => vertex.distances[n],
        }
    }

    fn is_inside(&self, plane: Plane, vertex: &ClipVertex) -> bool {
        let distance = self.distance(plane, vertex);
        if matches!(plane, Plane::W) { distance > 0.0 } else { distance >= 0.0 }
    }

    /// Puts a point that was computed to lie on a plane exactly there, so that it cannot end a
    /// rounding error outside the depth range or the guard band.
    fn settle(&self, plane: Plane, vertex: &mut ClipVertex) {
        let p = &mut vertex.position;
        match plane {
            Plane::W => {}
            Plane::Near => p.z = -p.w,
            Plane::Far => p.z = p.w,
            Plane::Low(axis) => p[axis] = self.guard[axis][0] * p.w,
            Plane::High(axis) => p[axis] = self.guard[axis][1] * p.w,
            Plane::Distance(n) => vertex.distances[n] = 0.0,
        }
    }

    /// The planes that cut, in the order in which they do.
    fn planes(&self) -> impl Iterator<Item = Plane> {
        let depth: &[Plane] = match self.depth {
            DepthPlanes::Clip => &[Plane::Near, Plane::Far],
            DepthPlanes::Ignore => &[],
        };
        let enabled = self.distances;
        let distances = (0..CLIP_DISTANCES).filter(move |n| enabled >> n & 1 != 0).map(Plane::Distance);
        [Plane::W].iter().chain(depth).chain(&SIDES).copied().chain(distances)
    }

    /// The codes of a vertex, but for clip distances. Without branches, for many at once.
    #[inline(always)]
    pub fn codes(&self, [x, y, z, w]: [f64; 4]) -> Codes {
        // The view volume itself (no guard band), for the case that nothing can be seen.
        let sides = [w + x, w - x, w + y, w - y, w + z, w - z];
        let taken = if self.depth == DepthPlanes::Clip { u32::MAX } else { 0b1_1111 };
        let mut codes = u32::from(w <= 0.0);
        for (bit, distance) in sides.into_iter().enumerate() {
            codes |= u32::from(distance < 0.0) << (bit + 1);
        }
        codes &= taken;
        // Whatever is outside of W, Near, Far or a clip distance is cut there; the guard band is wider
        // than the sides, or narrower where the viewport is larger than the framebuffer.
        const SIDE_BITS: u32 = 0b1_1110;
        let within = |at: f64, [low, high]: [f64; 2]| (at >= low * w) & (at <= high * w);
        let is_cut = (codes & !SIDE_BITS != 0) | !within(x, self.guard[0]) | !within(y, self.guard[1]);
        let is_finite = x.is_finite() & y.is_finite() & z.is_finite() & w.is_finite();
        Codes(if is_finite { codes | if is_cut { Codes::CUT } else { 0 } } else { Codes::INVALID })
    }

    /// The same with its clip distances.
    pub fn codes_with(&self, Codes(codes): Codes, distances: &Distances) -> Codes {
        if codes == Codes::INVALID {
            return Codes(codes);
        }
        let taken = distances.iter().enumerate().filter(|(n, _)| self.distances >> n & 1 != 0);
        // NaN is not inside.
        let outside = taken.filter(|(_, distance)| distance.is_nan() || **distance < 0.0);
        let outside = outside.fold(0, |all, (n, _)| all | 1 << (Codes::DISTANCE + n as u32));
        Codes(codes | outside | if outside == 0 { 0 } else { Codes::CUT })
    }

    /// What the planes leave of the triangle, if anything.
    pub fn cut(&self, vertices: [ClipVertex; 3]) -> Option<Polygon> {
        let mut polygon = Polygon::triangle(vertices);
        for plane in self.planes() {
            if polygon.vertices().iter().any(|vertex| !self.is_inside(plane, vertex)) {
                polygon = self.clip_to_plane(plane, &polygon);
                if polygon.count < 3 {
                    return None;
                }
            }
        }
        Some(polygon)
    }

    fn clip_to_plane(&self, plane: Plane, polygon: &Polygon) -> Polygon {
        let mut result = Polygon::EMPTY;
        let vertices = polygon.vertices();
        for (i, vertex) in vertices.iter().enumerate() {
            let next = &vertices[(i + 1) % vertices.len()];
            let inside = self.is_inside(plane, vertex);
            if inside && result.count < MOST {
                result.push(*vertex);
            }
            // A convex polygon crosses a plane twice; rounding could make it more, hence the bound.
            if inside != self.is_inside(plane, next) && result.count < MOST {
                let mut cut = self.intersection(plane, vertex, next);
                // The edge along the plane is boundary; one that is cut off keeps its flag (2.12).
                cut.edge = if inside { PolygonEdge::Boundary } else { vertex.edge };
                cut.is_corner = vertex.edge != PolygonEdge::Inner;
                result.push(cut);
            }
        }
        result
    }

    /// The same without a guard band. Where the viewport reaches beyond that, it still cuts: coordinates have to
    /// stay bounded.
    #[must_use]
    pub fn exact(&self) -> Self {
        let guard = self.guard.map(|[low, high]| [low.max(-1.0), high.min(1.0)]);
        Self { guard, ..*self }
    }

    /// The part of a line within the view volume, if there is any.
    pub fn cut_line(&self, mut ends: [ClipVertex; 2]) -> Option<[ClipVertex; 2]> {
        let volume = self.exact();
        for plane in volume.planes() {
            match ends.each_ref().map(|end| volume.is_inside(plane, end)) {
                [true, true] => {}
                [false, false] => return None,
                [true, false] => ends[1] = volume.intersection(plane, &ends[0], &ends[1]),
                [false, true] => ends[0] = volume.intersection(plane, &ends[0], &ends[1]),
            }
        }
        Some(ends)
    }

    /// Where the edge between two vertices on different sides meets the plane.
    fn intersection(&self, plane: Plane, one: &ClipVertex, other: &ClipVertex) -> ClipVertex {
        let (mut from, mut to) = (one, other);
        let (mut near, mut far) = (self.distance(plane, from), self.distance(plane, to));
        let t = if matches!(plane, Plane::W) {
            if near <= 0.0 {
                (from, to, near, far) = (to, from, far, near);
            }
            near * (1.0 - SMALLEST_W) / (near - far)
        } else {
            // From the nearer one, whatever its side.
            if far.abs() < near.abs() {
                (from, to, near, far) = (to, from, far, near);
            }
            near / (near - far)
        };
        let mut cut = *from;
        // In the middle, neither is nearer: a sum does not depend on the order.
        let middle = t == 0.5;
        let between = |a: f64, b: f64| if middle { (a + b) * 0.5 } else { a + (b - a) * t };
        for axis in 0..4 {
            cut.position[axis] = between(from.position[axis], to.position[axis]);
        }
        cut.weights = std::array::from_fn(|i| between(from.weights[i], to.weights[i]));
        cut.distances = std::array::from_fn(|i| between(from.distances[i], to.distances[i]));
        self.settle(plane, &mut cut);
        cut
    }
}
