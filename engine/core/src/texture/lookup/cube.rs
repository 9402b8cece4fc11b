//! Cube map face selection, glspec15 3.8.6, table 3.20, and the neighbouring texels across edges.

use super::taps::clamp;
use crate::simd::Simd;

/// Faces in all lanes, as the masks that select them.
pub(super) struct Face<V: Simd> {
    x_major: V::M,
    y_major: V::M,
    negative: V::M,
}

impl<V: Simd> Clone for Face<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Simd> Copy for Face<V> {}

/// A texel of a face, in all lanes.
#[derive(Clone, Copy)]
pub(super) struct FaceTexel<V: Simd> {
    pub face: V::I,
    /// Column and row.
    pub at: [V::I; 2],
}

impl<V: Simd> Face<V> {
    /// The texel that a filter of this face reads in column `i` and row `j`, each from -1 to `n`. A face has
    /// `n` texels per side. Beyond an edge, this is the nearest texel of the adjacent face. At corners, which
    /// belong to no face, the result is unspecified.
    #[inline(always)]
    pub(super) fn texel_across_edges(self, [i, j]: [V::I; 2], n: V::I) -> FaceTexel<V> {
        let (one, zero) = (V::floats(1.0), V::floats(0.0));
        // The texel's centre on a face that reaches from -n to n, at distance n from the cube's centre. All
        // numbers are integers.
        let n = V::number(n);
        let centre = |i: V::I| V::number(i + i + V::ints(1)) - n;
        let [sc, tc] = [centre(i), centre(j)];
        let on_edge = |c: V::F| clamp::<V>(c, zero - n, n);
        let is_beyond = |c: V::F| V::lt(n, magnitude::<V>(c));
        // A texel beyond an edge is just past the edge on the adjacent face: the first texel there.
        let ma = V::select(is_beyond(sc) | is_beyond(tc), n - one, n);
        let direction = self.direction([on_edge(sc), on_edge(tc), ma]);
        let other = Self::of(direction);
        let [sc, tc, _] = other.project(direction);
        let index = |c: V::F| V::whole((c + (n - one)) * V::floats(0.5));
        FaceTexel { face: other.index(), at: [index(sc), index(tc)] }
    }

    /// The direction with this sc, tc and |ma|.
    #[inline(always)]
    fn direction(self, [sc, tc, ma]: [V::F; 3]) -> [V::F; 3] {
        let ma = self.signed(ma);
        let x = V::select(self.y_major, sc, V::select(self.x_major, ma, self.signed(sc)));
        let y = V::select(self.y_major, ma, minus::<V>(tc));
        let z = V::select(self.x_major, minus::<V>(self.signed(sc)), ma);
        [x, y, V::select(self.y_major, self.signed(tc), z)]
    }

    /// The face that a direction points to.
    #[inline(always)]
    pub(super) fn of([x, y, z]: [V::F; 3]) -> Self {
        let (a, b, c) = (magnitude::<V>(x), magnitude::<V>(y), magnitude::<V>(z));
        let x_major = V::le(b, a) & V::le(c, a);
        let y_major = !x_major & V::le(c, b);
        let major = V::select(y_major, y, V::select(x_major, x, z));
        Self { x_major, y_major, negative: V::lt(major, V::floats(0.0)) }
    }

    /// The face's index: 0 to 5 for +x, -x, +y, -y, +z, -z.
    #[inline(always)]
    pub(super) fn index(self) -> V::I {
        let axis = V::select_ints(self.x_major, V::ints(0), V::ints(4));
        let axis = V::select_ints(self.y_major, V::ints(2), axis);
        axis + V::select_ints(self.negative, V::ints(1), V::ints(0))
    }

    /// sc, tc and |ma| of table 3.20. The function is linear in the vector, so it also applies to
    /// derivatives.
    #[inline(always)]
    fn project(self, [x, y, z]: [V::F; 3]) -> [V::F; 3] {
        let sc = V::select(self.y_major, x, self.signed(V::select(self.x_major, minus::<V>(z), x)));
        let tc = V::select(self.y_major, self.signed(z), minus::<V>(y));
        let ma = V::select(self.y_major, y, V::select(self.x_major, x, z));
        [sc, tc, self.signed(ma)]
    }

    /// Negates `x` on negative faces.
    #[inline(always)]
    fn signed(self, x: V::F) -> V::F {
        V::select(self.negative, minus::<V>(x), x)
    }

    /// sc/|ma|, tc/|ma| and |ma|.
    #[inline(always)]
    pub(super) fn quotients(self, direction: [V::F; 3]) -> [V::F; 3] {
        let [sc, tc, ma] = self.project(direction);
        [sc / ma, tc / ma, ma]
    }

    /// Derivatives of (s, t) by the quotient rule, from the quotients and the direction's derivatives.
    #[inline(always)]
    pub(super) fn derivatives(self, [s, t, ma]: [V::F; 3], d: [V::F; 3]) -> [V::F; 3] {
        let d = self.project(d);
        let half = V::floats(0.5);
        [half * ((d[0] - s * d[2]) / ma), half * ((d[1] - t * d[2]) / ma), V::floats(0.0)]
    }
}

#[inline(always)]
fn magnitude<V: Simd>(x: V::F) -> V::F {
    V::from_bits(V::bits(x) & V::ints(i32::MAX))
}

/// Negates `x`, also for zeros.
#[inline(always)]
fn minus<V: Simd>(x: V::F) -> V::F {
    V::floats(-0.0) - x
}

/// (s, t) on the face, from the quotients.
#[inline(always)]
pub(super) fn coordinates<V: Simd>([s, t, _]: [V::F; 3]) -> [V::F; 3] {
    let (half, one) = (V::floats(0.5), V::floats(1.0));
    [half * (s + one), half * (t + one), V::floats(0.0)]
}
