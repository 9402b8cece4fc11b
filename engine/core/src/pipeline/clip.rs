//! Clipping in clip coordinates (glspec15 2.12, as changed by NV_fragment_program, NV_vertex_program2 and
//! NV_depth_clamp). Points are in or out; lines and triangles are cut.
//!
//! Filled triangles are clipped in x and y to a guard band around the framebuffer. The region between the
//! view volume and the guard band has no pixels, so the image is the same and few triangles are cut.
//! Lines, and polygons drawn as lines or points, are clipped to the view volume itself: see
//! [`ClipVolume::exact`].
//!
//! An edge that two triangles share is cut at bit-identical points in both. The same holds for a clip
//! distance and its negative. The intersection depends on the two vertices alone, not on their order or on
//! the side that is inside.

use glam::DVec4;

/// Clip distances of a vertex.
pub(super) const CLIP_DISTANCES: usize = 8;

/// How far the guard band reaches beyond the window, in pixels.
pub(super) const GUARD_PIXELS: f64 = 1024.0;

/// Edges that pass the eye's plane are cut at this fraction of the w of their visible end. The cut-off rest
/// has no pixels unless it touches the eye.
const SMALLEST_W: f64 = 1.0 / 4_294_967_296.0;

/// Clip coordinates in f64, the precision of clipping.
pub(super) fn position([x, y, z, w]: [f32; 4]) -> DVec4 {
    DVec4::new(x.into(), y.into(), z.into(), w.into())
}

/// Whether the planes -w <= z <= w clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DepthPlanes {
    Clip,
    /// The program replaces depth (NV_fragment_program 2.11) or depth clamp is on (NV_depth_clamp).
    Ignore,
}

/// The volume that primitives are clipped to.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClipVolume {
    depth: DepthPlanes,
    /// `guard[axis][0] w <= p[axis] <= guard[axis][1] w`, for x and y.
    guard: [[f64; 2]; 2],
    /// Enabled clip distances, a bit each.
    distances: u8,
}

/// The clip distances of a vertex. Distances that are not enabled or not written are 0.
pub(super) type Distances = [f32; CLIP_DISTANCES];

/// The kind of the polygon edge that begins at a vertex (2.6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PolygonEdge {
    /// A boundary edge.
    Boundary,
    /// An edge flagged as non-boundary.
    NonBoundary,
    /// A diagonal, where the polygon is split into triangles.
    Inner,
}

/// A vertex of a clipped primitive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClipVertex {
    pub position: DVec4,
    /// The vertex as a weighted sum of the primitive's vertices.
    pub weights: [f64; 3],
    distances: [f64; CLIP_DISTANCES],
    pub edge: PolygonEdge,
    /// Whether the vertex belongs to the polygon. False for a vertex where clipping met an inner edge.
    is_corner: bool,
}

impl ClipVertex {
    /// Vertex `number` of a primitive.
    pub fn new(number: usize, position: DVec4, distances: &Distances, edge: PolygonEdge) -> Self {
        let mut weights = [0.0; 3];
        weights[number] = 1.0;
        Self { position, weights, distances: distances.map(f64::from), edge, is_corner: true }
    }

    /// Whether the polygon has a vertex here that begins a boundary edge (3.5.4).
    pub fn begins_boundary(&self) -> bool {
        self.is_corner && self.edge == PolygonEdge::Boundary
    }
}

/// Maximum number of vertices: each of the fifteen planes adds at most one to a triangle.
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

    /// The unclipped triangle.
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

/// The clip codes of a vertex: a bit for each plane that has the vertex outside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Codes(u32);

impl Codes {
    /// The vertex is not a finite point.
    const INVALID: u32 = 1 << 31;
    /// The vertex is outside a plane that cuts triangles.
    const CUT: u32 = 1 << 30;
    /// Bit of the first clip distance.
    const DISTANCE: u32 = 7;
}

/// The position of a primitive relative to the clip volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClipClass {
    /// A vertex is not a finite point.
    Invalid,
    /// Entirely outside: nothing is visible.
    Outside,
    /// Entirely inside.
    Whole,
    /// Partly inside: the primitive has to be cut.
    Cut,
}

impl ClipClass {
    /// The class of the triangle whose vertices have these codes.
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

    /// The class of the line between vertices with these codes. Lines are cut at the view volume itself.
    #[inline]
    pub fn of_line([a, b]: [Codes; 2]) -> Self {
        Self::exact([a, b, b])
    }

    /// The class of the triangle whose vertices have these codes, if it is cut at the view volume itself.
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

/// The four sides of the guard band or of the view volume.
const SIDES: [Plane; 4] = [Plane::Low(0), Plane::High(0), Plane::Low(1), Plane::High(1)];

impl ClipVolume {
    /// `guard` holds the lowest and the highest x/w and y/w of clipped triangles. `distances` has a bit for
    /// each enabled clip distance.
    pub fn new(guard: [[f64; 2]; 2], depth: DepthPlanes, distances: u8) -> Self {
        Self { depth, guard, distances }
    }

    /// The signed distance of a vertex to a plane; negative outside.
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

    /// Moves a point that was computed to lie on a plane exactly onto the plane. Otherwise a rounding error
    /// could put the point outside the depth range or the guard band.
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

    /// The cutting planes, in the order of the cuts.
    fn planes(&self) -> impl Iterator<Item = Plane> {
        let depth: &[Plane] = match self.depth {
            DepthPlanes::Clip => &[Plane::Near, Plane::Far],
            DepthPlanes::Ignore => &[],
        };
        let enabled = self.distances;
        let distances = (0..CLIP_DISTANCES).filter(move |n| enabled >> n & 1 != 0).map(Plane::Distance);
        [Plane::W].iter().chain(depth).chain(&SIDES).copied().chain(distances)
    }

    /// The codes of a vertex, without clip distances. Branch-free, so that loops over vertices vectorise.
    #[inline(always)]
    pub fn codes(&self, [x, y, z, w]: [f64; 4]) -> Codes {
        // The sides of the view volume itself (no guard band), to find primitives that are entirely outside.
        let sides = [w + x, w - x, w + y, w - y, w + z, w - z];
        let taken = if self.depth == DepthPlanes::Clip { u32::MAX } else { 0b1_1111 };
        let mut codes = u32::from(w <= 0.0);
        for (bit, distance) in sides.into_iter().enumerate() {
            codes |= u32::from(distance < 0.0) << (bit + 1);
        }
        codes &= taken;
        // A vertex outside of W, Near, Far or a clip distance is cut there. The guard band is wider than the
        // sides, or narrower if the viewport is larger than the framebuffer.
        const SIDE_BITS: u32 = 0b1_1110;
        let within = |at: f64, [low, high]: [f64; 2]| (at >= low * w) & (at <= high * w);
        let is_cut = (codes & !SIDE_BITS != 0) | !within(x, self.guard[0]) | !within(y, self.guard[1]);
        let is_finite = x.is_finite() & y.is_finite() & z.is_finite() & w.is_finite();
        Codes(if is_finite { codes | if is_cut { Codes::CUT } else { 0 } } else { Codes::INVALID })
    }

    /// Adds the bits of the clip distances to the codes of a vertex.
    pub fn codes_with(&self, Codes(codes): Codes, distances: &Distances) -> Codes {
        if codes == Codes::INVALID {
            return Codes(codes);
        }
        let taken = distances.iter().enumerate().filter(|(n, _)| self.distances >> n & 1 != 0);
        // NaN counts as outside.
        let outside = taken.filter(|(_, distance)| distance.is_nan() || **distance < 0.0);
        let outside = outside.fold(0, |all, (n, _)| all | 1 << (Codes::DISTANCE + n as u32));
        Codes(codes | outside | if outside == 0 { 0 } else { Codes::CUT })
    }

    /// The part of the triangle within the planes; `None` if nothing is left.
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
            // A convex polygon crosses a plane twice. Rounding could make more crossings, hence the bound.
            if inside != self.is_inside(plane, next) && result.count < MOST {
                let mut cut = self.intersection(plane, vertex, next);
                // The edge along the plane is a boundary edge. An edge that is cut keeps its flag (2.12).
                cut.edge = if inside { PolygonEdge::Boundary } else { vertex.edge };
                cut.is_corner = vertex.edge != PolygonEdge::Inner;
                result.push(cut);
            }
        }
        result
    }

    /// The same volume without a guard band. Where the viewport reaches beyond the guard band, the guard band
    /// still cuts, so that coordinates stay bounded.
    #[must_use]
    pub fn exact(&self) -> Self {
        let guard = self.guard.map(|[low, high]| [low.max(-1.0), high.min(1.0)]);
        Self { guard, ..*self }
    }

    /// The part of a line within the view volume; `None` if nothing is left.
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

    /// The point where the edge between two vertices on different sides meets the plane.
    fn intersection(&self, plane: Plane, one: &ClipVertex, other: &ClipVertex) -> ClipVertex {
        let (mut from, mut to) = (one, other);
        let (mut near, mut far) = (self.distance(plane, from), self.distance(plane, to));
        let t = if matches!(plane, Plane::W) {
            if near <= 0.0 {
                (from, to, near, far) = (to, from, far, near);
            }
            near * (1.0 - SMALLEST_W) / (near - far)
        } else {
            // Start from the vertex that is nearer to the plane, whichever side it is on.
            if far.abs() < near.abs() {
                (from, to, near, far) = (to, from, far, near);
            }
            near / (near - far)
        };
        let mut cut = *from;
        // At the middle neither vertex is nearer. The sum then makes the result independent of the order.
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
