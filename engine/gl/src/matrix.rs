//! 4x4 matrices and the operations of glspec15 2.11.2 on them. The stacks are in `matrices`.
//!
//! Entries are fp32. Products, inverses and helpers compute in fp64 and round once.

/// A matrix by rows: `rows[i][j]` is in row i and column j.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix {
    /// The rows, the top one first.
    pub rows: [[f32; 4]; 4],
}

impl Default for Matrix {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Matrix {
    pub const IDENTITY: Self = Self {
        rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]],
    };
    /// All zeros: the result for the inverse of a singular matrix.
    pub const ZERO: Self = Self { rows: [[0.0; 4]; 4] };

    /// From 16 numbers in column-major order, as `LoadMatrix` takes them.
    pub fn from_columns(m: &[f32; 16]) -> Self {
        Self { rows: std::array::from_fn(|i| std::array::from_fn(|j| m[4 * j + i])) }
    }

    /// From 16 numbers in row-major order, as `LoadTransposeMatrix` takes them.
    pub fn from_rows(m: &[f32; 16]) -> Self {
        Self::from_columns(m).transposed()
    }

    /// The numbers in column-major order.
    pub fn to_columns(&self) -> [f32; 16] {
        std::array::from_fn(|place| self.rows[place % 4][place / 4])
    }

    fn from_f64(rows: [[f64; 4]; 4]) -> Self {
        Self { rows: rows.map(|row| row.map(|x| x as f32)) }
    }

    fn to_f64(self) -> [[f64; 4]; 4] {
        self.rows.map(|row| row.map(f64::from))
    }

    /// `self` times `right`; each entry is a sum from left to right in fp64, rounded once.
    #[must_use]
    pub fn times(&self, right: &Self) -> Self {
        let (a, b) = (self.to_f64(), right.to_f64());
        let entry = |i: usize, j: usize| {
            a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] + a[i][3] * b[3][j]
        };
        Self::from_f64(std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))))
    }

    /// `self` times the column vector `v`, each component rounded once.
    pub fn transform(&self, v: [f32; 4]) -> [f32; 4] {
        let v = v.map(f64::from);
        self.to_f64().map(|row| (row[0] * v[0] + row[1] * v[1] + row[2] * v[2] + row[3] * v[3]) as f32)
    }

    /// The row vector `v` times `self`, each component rounded once. Transforms planes.
    pub fn transform_row(&self, v: [f64; 4]) -> [f32; 4] {
        let m = self.to_f64();
        std::array::from_fn(|j| (v[0] * m[0][j] + v[1] * m[1][j] + v[2] * m[2][j] + v[3] * m[3][j]) as f32)
    }

    #[must_use]
    pub fn transposed(&self) -> Self {
        Self { rows: std::array::from_fn(|i| std::array::from_fn(|j| self.rows[j][i])) }
    }

    /// The inverse; [`Self::ZERO`] for a matrix without an inverse in finite numbers. The specifications
    /// leave that case undefined, and undefined values are 0 here.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let m = self.to_f64();
        // The 2x2 minors of the upper two rows and of the lower two, for Laplace's expansion.
        let minor = |r: usize, a: usize, b: usize| m[r][a] * m[r + 1][b] - m[r][b] * m[r + 1][a];
        let s =
            [minor(0, 0, 1), minor(0, 0, 2), minor(0, 0, 3), minor(0, 1, 2), minor(0, 1, 3), minor(0, 2, 3)];
        let c =
            [minor(2, 0, 1), minor(2, 0, 2), minor(2, 0, 3), minor(2, 1, 2), minor(2, 1, 3), minor(2, 2, 3)];
        let det = s[0] * c[5] - s[1] * c[4] + s[2] * c[3] + s[3] * c[2] - s[4] * c[1] + s[5] * c[0];
        let adjugate = [
            [
                m[1][1] * c[5] - m[1][2] * c[4] + m[1][3] * c[3],
                -m[0][1] * c[5] + m[0][2] * c[4] - m[0][3] * c[3],
                m[3][1] * s[5] - m[3][2] * s[4] + m[3][3] * s[3],
                -m[2][1] * s[5] + m[2][2] * s[4] - m[2][3] * s[3],
            ],
            [
                -m[1][0] * c[5] + m[1][2] * c[2] - m[1][3] * c[1],
                m[0][0] * c[5] - m[0][2] * c[2] + m[0][3] * c[1],
                -m[3][0] * s[5] + m[3][2] * s[2] - m[3][3] * s[1],
                m[2][0] * s[5] - m[2][2] * s[2] + m[2][3] * s[1],
            ],
            [
                m[1][0] * c[4] - m[1][1] * c[2] + m[1][3] * c[0],
                -m[0][0] * c[4] + m[0][1] * c[2] - m[0][3] * c[0],
                m[3][0] * s[4] - m[3][1] * s[2] + m[3][3] * s[0],
                -m[2][0] * s[4] + m[2][1] * s[2] - m[2][3] * s[0],
            ],
            [
                -m[1][0] * c[3] + m[1][1] * c[1] - m[1][2] * c[0],
                m[0][0] * c[3] - m[0][1] * c[1] + m[0][2] * c[0],
                -m[3][0] * s[3] + m[3][1] * s[1] - m[3][2] * s[0],
                m[2][0] * s[3] - m[2][1] * s[1] + m[2][2] * s[0],
            ],
        ];
        // Adding zero turns the -0.0 of a cofactor into 0.0.
        let inverse = Self::from_f64(adjugate.map(|row| row.map(|x| x / det + 0.0)));
        let finite = inverse.rows.as_flattened().iter().all(|x| x.is_finite());
        if finite && det.is_finite() { inverse } else { Self::ZERO }
    }

    /// `Translate`
    pub fn translation(by: [f32; 3]) -> Self {
        let mut matrix = Self::IDENTITY;
        for (row, by) in matrix.rows.iter_mut().zip(by) {
            row[3] = by;
        }
        matrix
    }

    /// `Scale`
    pub fn scaling(by: [f32; 3]) -> Self {
        let mut matrix = Self::IDENTITY;
        for (i, by) in by.into_iter().enumerate() {
            matrix.rows[i][i] = by;
        }
        matrix
    }

    /// `Rotate`: counter-clockwise by an angle in degrees, seen against the axis. Multiples of 90 degrees are
    /// exact. A zero axis rotates nothing.
    pub fn rotation(degrees: f32, axis: [f32; 3]) -> Self {
        let Some([x, y, z]) = unit(axis.map(f64::from)) else { return Self::IDENTITY };
        let (s, c) = sin_cos_degrees(f64::from(degrees));
        let d = 1.0 - c;
        Self::from_f64([
            [x * x * d + c, x * y * d - z * s, x * z * d + y * s, 0.0],
            [y * x * d + z * s, y * y * d + c, y * z * d - x * s, 0.0],
            [x * z * d - y * s, y * z * d + x * s, z * z * d + c, 0.0],
            [0.0, 0.0, 0.0, 1.0],
        ])
    }

    /// `Frustum` of planes that [`super::Context::frustum`] accepts.
    pub(super) fn frustum(p: [f64; 6]) -> Self {
        let [l, r, b, t, n, f] = p;
        Self::from_f64([
            [2.0 * n / (r - l), 0.0, (r + l) / (r - l), 0.0],
            [0.0, 2.0 * n / (t - b), (t + b) / (t - b), 0.0],
            [0.0, 0.0, -(f + n) / (f - n), -2.0 * f * n / (f - n)],
            [0.0, 0.0, -1.0, 0.0],
        ])
    }

    /// `Ortho` of planes that [`super::Context::ortho`] accepts.
    pub(super) fn ortho(p: [f64; 6]) -> Self {
        let [l, r, b, t, n, f] = p;
        Self::from_f64([
            [2.0 / (r - l), 0.0, 0.0, -(r + l) / (r - l)],
            [0.0, 2.0 / (t - b), 0.0, -(t + b) / (t - b)],
            [0.0, 0.0, -2.0 / (f - n), -(f + n) / (f - n)],
            [0.0, 0.0, 0.0, 1.0],
        ])
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `v` at length 1; `None` for a zero vector.
pub(super) fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(v, v).sqrt();
    (length > 0.0 && length.is_finite()).then(|| v.map(|x| x / length))
}

/// Sine and cosine of an angle in degrees, exact at multiples of 90.
fn sin_cos_degrees(degrees: f64) -> (f64, f64) {
    let angle = degrees.rem_euclid(360.0);
    match angle {
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        _ => angle.to_radians().sin_cos(),
    }
}

/// Cosine of an angle in degrees, exact at multiples of 90.
pub(super) fn cos_degrees(degrees: f64) -> f64 {
    sin_cos_degrees(degrees).1
}
