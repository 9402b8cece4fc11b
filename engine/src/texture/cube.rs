//! Cube map face selection, glspec15 3.8.6, table 3.20.
//!
//! Where two components have the same magnitude, x comes before y and y before z. Filters and wrap
//! modes stay within the selected face, as GL 1.5 has it: with CLAMP_TO_EDGE a linear filter at a face's
//! edge repeats that edge. The zero vector and vectors with NaN select +z or another face, with NaN
//! coordinates, which wrap as the other targets' do.

/// A face, as the choices that lead to it, so that lane loops can use selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face {
    x_major: bool,
    y_major: bool,
    negative: bool,
}

impl Face {
    /// The face a direction meets.
    #[inline(always)]
    pub(super) fn of([x, y, z]: [f32; 3]) -> Self {
        let x_major = (x.abs() >= y.abs()) & (x.abs() >= z.abs());
        let y_major = !x_major & (y.abs() >= z.abs());
        let major = if x_major { x } else { z };
        let major = if y_major { y } else { major };
        Self { x_major, y_major, negative: major < 0.0 }
    }

    /// 0 to 5 for +x, -x, +y, -y, +z, -z.
    #[inline(always)]
    pub(super) fn index(self) -> i32 {
        let axis = if self.x_major { 0 } else { 4 };
        let axis = if self.y_major { 2 } else { axis };
        axis + i32::from(self.negative)
    }

    /// sc, tc and |ma| of table 3.20: linear in the vector, so it serves for derivatives too.
    #[inline(always)]
    pub(super) fn project(self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        // Where a sign depends on the face's sign.
        let signed = |v: f32| if self.negative { -v } else { v };
        let sc = if self.x_major { signed(-z) } else { signed(x) };
        let sc = if self.y_major { x } else { sc };
        let tc = if self.y_major { signed(z) } else { -y };
        let ma = if self.x_major { x } else { z };
        let ma = if self.y_major { y } else { ma };
        [sc, tc, signed(ma)]
    }
}

/// (s, t) on the face from sc, tc, |ma|.
#[inline(always)]
pub(super) fn coordinates([sc, tc, ma]: [f32; 3]) -> [f32; 2] {
    [0.5 * (sc / ma + 1.0), 0.5 * (tc / ma + 1.0)]
}

/// Derivatives of (s, t) where the direction's, projected on the same face, are `d`: quotient rule.
#[inline(always)]
pub(super) fn derivatives([sc, tc, ma]: [f32; 3], d: [f32; 3]) -> [f32; 2] {
    [0.5 * ((d[0] - sc / ma * d[2]) / ma), 0.5 * ((d[1] - tc / ma * d[2]) / ma)]
}
