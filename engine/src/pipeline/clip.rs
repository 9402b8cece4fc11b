//! Clipping triangles in clip coordinates (glspec15 2.11, as NV_fragment_program and NV_depth_clamp
//! change it).
//!
//! x and y are clipped to a guard band a little wider than the view volume: what lies between has no
//! pixels, so the result is the same and few triangles are cut. An edge that two triangles share is
//! cut at the same bits in both, because every intersection is computed from the inner vertex to the
//! outer one, plane after plane in one order.

use glam::DVec4;

/// How far the guard band reaches beyond the window, in pixels.
pub(super) const GUARD_PIXELS: f64 = 1024.0;

/// Near distances by which the smallest clip w lies off the eye's plane; what lies between has no
/// pixels unless it touches the eye.
const SMALLEST_W: f64 = 1.0 / 65536.0;

/// Whether the planes -w <= z <= w take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DepthPlanes {
    /// They clip.
    Clip,
    /// The program replaces depth (NV_fragment_program 2.11) or depth clamp is on (NV_depth_clamp).
    Ignore,
}

/// What triangles are clipped to.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClipVolume {
    depth: DepthPlanes,
    /// |x| <= guard.x w and |y| <= guard.y w.
    guard: [f64; 2],
    /// w is at least this: NV_depth_clamp has only w > 0 produce fragments.
    smallest_w: f64,
}

/// A vertex of a clipped polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClipVertex {
    pub position: DVec4,
    /// The vertex as a combination of the triangle's three.
    pub weights: [f64; 3],
}

/// Most vertices: each of the seven planes adds at most one.
const MOST: usize = 10;

/// A convex polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polygon {
    vertices: [ClipVertex; MOST],
    count: usize,
}

impl Polygon {
    const EMPTY: Self =
        Self { vertices: [ClipVertex { position: DVec4::ZERO, weights: [0.0; 3] }; MOST], count: 0 };

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
pub(super) struct Codes(u16);

impl Codes {
    /// Not a finite point.
    const INVALID: u16 = 1 << 15;
    /// On the outer side of a plane that triangles are cut at.
    const CUT: u16 = 1 << 14;
}

/// How a triangle lies to the clip volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A vertex is not a finite point.
    Invalid,
    /// Nothing can be seen.
    Outside,
    /// All of it is inside.
    Whole,
    /// It has to be cut.
    Cut,
}

impl Place {
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
}

#[derive(Clone, Copy, Debug)]
enum Plane {
    W,
    Near,
    Far,
    /// x or y at least minus the guard band.
    Low(usize),
    /// x or y at most the guard band.
    High(usize),
}

/// The guard band.
const SIDES: [Plane; 4] = [Plane::Low(0), Plane::High(0), Plane::Low(1), Plane::High(1)];

impl ClipVolume {
    pub fn new(size: [u32; 2], near: f64, depth: DepthPlanes) -> Self {
        let guard = size.map(|side| 1.0 + 2.0 * GUARD_PIXELS / f64::from(side));
        Self { depth, guard, smallest_w: near * SMALLEST_W }
    }

    /// How far inside a point is; negative outside.
    fn distance(&self, plane: Plane, p: DVec4) -> f64 {
        match plane {
            Plane::W => p.w - self.smallest_w,
            Plane::Near => p.w + p.z,
            Plane::Far => p.w - p.z,
            Plane::Low(axis) => self.guard[axis] * p.w + p[axis],
            Plane::High(axis) => self.guard[axis] * p.w - p[axis],
        }
    }

    /// Puts a point that was computed to lie on a plane exactly there, so that it cannot end a
    /// rounding error outside the depth range, the guard band or in front of the smallest w.
    fn settle(&self, plane: Plane, p: &mut DVec4) {
        match plane {
            Plane::W => p.w = self.smallest_w,
            Plane::Near => p.z = -p.w,
            Plane::Far => p.z = p.w,
            Plane::Low(axis) => p[axis] = -self.guard[axis] * p.w,
            Plane::High(axis) => p[axis] = self.guard[axis] * p.w,
        }
    }

    /// The planes that cut, in the order in which they do.
    fn planes(&self) -> impl Iterator<Item = Plane> {
        let depth: &[Plane] = match self.depth {
            DepthPlanes::Clip => &[Plane::Near, Plane::Far],
            DepthPlanes::Ignore => &[],
        };
        [Plane::W].iter().chain(depth).chain(&SIDES).copied()
    }

    /// The codes of a vertex.
    pub fn codes(&self, p: DVec4) -> Codes {
        if !p.is_finite() {
            return Codes(Codes::INVALID);
        }
        // The view volume itself (no guard band), for the case that nothing can be seen.
        let sides = [p.w, p.w + p.x, p.w - p.x, p.w + p.y, p.w - p.y, p.w + p.z, p.w - p.z];
        let count = if self.depth == DepthPlanes::Clip { 7 } else { 5 };
        let mut codes = 0;
        for (bit, distance) in sides.into_iter().enumerate().take(count) {
            codes |= u16::from(distance < 0.0) << bit;
        }
        if !self.planes().all(|plane| self.distance(plane, p) >= 0.0) {
            codes |= Codes::CUT;
        }
        Codes(codes)
    }

    /// What the planes leave of the triangle with these clip coordinates, if anything.
    pub fn cut(&self, positions: [DVec4; 3]) -> Option<Polygon> {
        let mut polygon = Polygon::EMPTY;
        for (i, position) in positions.into_iter().enumerate() {
            let mut weights = [0.0; 3];
            weights[i] = 1.0;
            polygon.push(ClipVertex { position, weights });
        }
        for plane in self.planes() {
            if polygon.vertices().iter().any(|v| self.distance(plane, v.position) < 0.0) {
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
            let inside = self.distance(plane, vertex.position) >= 0.0;
            if inside && result.count < MOST {
                result.push(*vertex);
            }
            // A convex polygon crosses a plane twice; rounding could make it more, hence the bound.
            if inside != (self.distance(plane, next.position) >= 0.0) && result.count < MOST {
                let (inner, outer) = if inside { (vertex, next) } else { (next, vertex) };
                result.push(self.intersection(plane, inner, outer));
            }
        }
        result
    }

    fn intersection(&self, plane: Plane, inner: &ClipVertex, outer: &ClipVertex) -> ClipVertex {
        let (inside, outside) = (self.distance(plane, inner.position), self.distance(plane, outer.position));
        let t = inside / (inside - outside);
        let mut position = inner.position + (outer.position - inner.position) * t;
        self.settle(plane, &mut position);
        let weight = |i: usize| inner.weights[i] + (outer.weights[i] - inner.weights[i]) * t;
        ClipVertex { position, weights: [weight(0), weight(1), weight(2)] }
    }
}
