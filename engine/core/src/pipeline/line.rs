//! Lines: coverage by the diamond-exit rule (glspec15 3.4.1; wide lines 3.4.2), and setup of attributes.
//! `rectangle` has lines with several samples per pixel.
//!
//! Ends are snapped to 1/1024 pixel; from there all arithmetic is exact in integers. "Perturbed" refers to
//! the specification's move of both ends by (-e, -e^2) with an arbitrarily small e.

mod rectangle;

use super::samples::Samples;
use super::setup::{Bounds, Corner, Edge, Limits, PIXEL, SUBPIXELS, Triangle};
use super::tile::TILE;
use rectangle::Rectangle;

/// Maximum line width in pixels.
const MAX_WIDTH: f32 = 256.0;

/// The drawn width in pixels of a line of this width (3.4.2.1).
fn drawn_width(width: f32) -> i32 {
    // NaN becomes 1 too.
    if width >= 1.5 { (width.min(MAX_WIDTH) + 0.5) as i32 } else { 1 }
}

/// A line within the view volume, ready to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    /// Start and end.
    pub ends: [Corner; 2],
    /// The ends as weighted sums of the primitive's vertices.
    pub weights: [[f64; 3]; 2],
    /// Added to depth, if the line is an edge of a polygon with an offset.
    pub offset: Option<f64>,
    cover: LineCover,
}

/// The coverage of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LineCover {
    /// Pixels are covered at their centres.
    Line(Line),
    /// Pixels are covered at their samples.
    Rectangle(Rectangle),
}

impl LineCover {
    /// The pixels that the line may cover.
    pub const fn bounds(&self) -> &Bounds {
        match self {
            Self::Line(line) => &line.bounds,
            Self::Rectangle(rectangle) => &rectangle.bounds,
        }
    }

    /// Calls `f` with the lower left pixel of every tile that the line may touch.
    pub fn tiles(&self, f: impl FnMut([u32; 2])) {
        match self {
            Self::Line(line) => line.tiles(f),
            Self::Rectangle(rectangle) => rectangle.tiles(f),
        }
    }
}

/// The pixels of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// Start and end in 1/1024 pixel, moved to the lowest row of a wide line.
    from: [i32; 2],
    to: [i32; 2],
    /// Width in the minor direction, in pixels.
    width: i32,
    /// The major axis: 0 for x-major lines, with a slope in [-1, 1].
    major: usize,
    pub bounds: Bounds,
}

impl Segment {
    /// The line of this width between `ends`, with coverage at these samples. `None` if the line certainly
    /// covers no pixel.
    pub fn new(
        ends: [Corner; 2],
        weights: [[f64; 3]; 2],
        offset: Option<f64>,
        width: f32,
        (samples, limits): (Samples, &Limits),
    ) -> Option<Self> {
        if !ends.iter().all(|end| end.reciprocal_w > 0.0) {
            return None;
        }
        let points = ends.map(|end| end.point);
        let cover = if samples == Samples::One {
            LineCover::Line(Line::new(points, drawn_width(width), limits)?)
        } else {
            LineCover::Rectangle(Rectangle::new(points, width, limits)?)
        };
        Some(Self { ends, weights, offset, cover })
    }

    /// The pixels of the line.
    pub const fn cover(&self) -> &LineCover {
        &self.cover
    }

    /// The "triangle" whose eq. 3.6 equals the line's eq. 3.4: b is t of eq. 3.3, a is 1 - t, c is 0.
    pub fn triangle(&self) -> Triangle {
        let [from, to] = self.ends.map(|end| end.point.map(f64::from));
        let delta = [to[0] - from[0], to[1] - from[1]];
        let area = delta[0] * delta[0] + delta[1] * delta[1];
        let step = delta.map(|d| d * SUBPIXELS);
        let edge = |start: [f64; 2], step: [f64; 2]| Edge { start, step, least: 0.0 };
        let [start, end] = &self.ends;
        Triangle {
            points: [start.point, end.point, end.point],
            edges: [edge(to, step.map(|x| -x)), edge(from, step), edge(from, [0.0; 2])],
            // The third vertex has weight 0.
            reciprocal_w: [start.reciprocal_w, end.reciprocal_w, end.reciprocal_w],
            z: [start.z + self.offset.unwrap_or(0.0), (end.z - start.z) / area, 0.0],
            has_offset: self.offset.is_some(),
            is_point: false,
            area,
            bounds: *self.cover.bounds(),
        }
    }
}

/// Whether a perturbed point is within the diamond around a pixel centre. The argument is the point's
/// distance from the centre.
fn in_diamond([u, v]: [i64; 2]) -> bool {
    let distance = u.abs() + v.abs();
    let half = i64::from(PIXEL / 2);
    // The point is on the border. Moving left by e leads inside only from the right half. From the upper and
    // lower corners it leads outside.
    distance < half || (distance == half && u > 0)
}

impl Line {
    fn new([mut from, mut to]: [[i32; 2]; 2], width: i32, limits: &Limits) -> Option<Self> {
        let delta = [0, 1].map(|axis| (to[axis] - from[axis]).abs());
        if delta == [0, 0] {
            return None;
        }
        let major = usize::from(delta[1] > delta[0]);
        let minor = 1 - major;
        let shift = (width - 1) * (PIXEL / 2);
        from[minor] -= shift;
        to[minor] -= shift;
        // Pixels at the ends, and pixels that perturbation may add.
        let low = [0, 1].map(|axis| from[axis].min(to[axis]).div_euclid(PIXEL) - 1);
        let mut high = [0, 1].map(|axis| from[axis].max(to[axis]).div_euclid(PIXEL) + 1);
        high[minor] += width - 1;
        let bounds = limits.bounds(low, high)?;
        Some(Self { from, to, width, major, bounds })
    }

    /// The row (for x-major lines) in which the infinite perturbed line passes the centres of a column.
    fn row(&self, column: i32) -> i32 {
        let (major, minor) = (self.major, 1 - self.major);
        let [from, to] = [self.from, self.to].map(|p| p.map(i64::from));
        let sign = (to[major] - from[major]).signum();
        let (run, rise) = ((to[major] - from[major]) * sign, (to[minor] - from[minor]) * sign);
        let centre = i64::from(column) * i64::from(PIXEL) + i64::from(PIXEL / 2);
        let scaled = from[minor] * run + rise * (centre - from[major]);
        let pixel = i64::from(PIXEL) * run;
        let (row, rest) = (scaled.div_euclid(pixel), scaled.rem_euclid(pixel));
        // On the border of two pixels. Perturbation moves an x-major line by slope * e - e^2, and a y-major
        // line by -e plus smaller terms.
        let down = rest == 0 && (major == 1 || rise <= 0);
        (row - i64::from(down)) as i32
    }

    /// The row of the line's fragment in a column.
    ///
    /// A line of slope within [-1, 1] that meets a diamond passes the column of the diamond's centre within
    /// the diamond. So the line can meet only the diamond in this row. The segment meets the diamond if it
    /// reaches the centre's column or starts inside the diamond. The fragment is not produced if the segment
    /// ends inside the diamond, including a segment that meets the diamond and ends before the centre.
    fn fragment(&self, column: i32) -> Option<i32> {
        let (major, minor) = (self.major, 1 - self.major);
        let row = self.row(column);
        let centre = |pixel: i32| i64::from(pixel) * i64::from(PIXEL) + i64::from(PIXEL / 2);
        let mut place = [0; 2];
        (place[major], place[minor]) = (centre(column), centre(row));
        let offset = |p: [i32; 2]| [i64::from(p[0]) - place[0], i64::from(p[1]) - place[1]];
        let (from, to) = (offset(self.from), offset(self.to));
        // Perturbation moves a point at the centre to before the centre.
        let forward = self.to[major] > self.from[major];
        let starts_before = if forward { from[major] <= 0 } else { from[major] > 0 };
        let ends_after = if forward { to[major] > 0 } else { to[major] <= 0 };
        let produced = (starts_before || in_diamond(from)) && ends_after && !in_diamond(to);
        produced.then_some(row)
    }

    /// Every quad of `area` that has a covered pixel, each once: its lower left pixel, and the covered lanes.
    /// The lower left pixel of `area` must be the lower left pixel of a quad.
    pub fn quads(&self, area: Bounds) -> impl Iterator<Item = ([u32; 2], u8)> {
        let (major, minor) = (self.major, 1 - self.major);
        let low = [0, 1].map(|axis| self.bounds.low[axis].max(area.low[axis]) as i32);
        let high = [0, 1].map(|axis| self.bounds.high[axis].min(area.high[axis]) as i32);
        (low[major] & !1..=high[major]).step_by(2).flat_map(move |column| {
            let within = |column: i32| column >= low[major] && column <= high[major];
            let rows = [column, column + 1].map(|column| self.fragment(column).filter(|_| within(column)));
            let first = rows.iter().flatten().min().copied();
            let last = rows.iter().flatten().max().map(|row| row + self.width - 1);
            let range = first
                .zip(last)
                .map(|(first, last)| (first.max(low[minor]) & !1..=last.min(high[minor])).step_by(2));
            range.into_iter().flatten().filter_map(move |row| {
                let covered = self.lanes(row, rows, [low[minor], high[minor]]);
                let mut at = [0; 2];
                (at[major], at[minor]) = (column as u32, row as u32);
                (covered != 0).then_some((at, covered))
            })
        })
    }

    /// The lanes of a quad that the fragments in its two columns cover. `row` is the lower row of the quad.
    fn lanes(&self, row: i32, fragments: [Option<i32>; 2], [low, high]: [i32; 2]) -> u8 {
        let mut covered = 0;
        for (i, fragment) in fragments.into_iter().enumerate() {
            let Some(fragment) = fragment else { continue };
            for j in 0..2 {
                let row = row + j as i32;
                if (fragment..fragment + self.width).contains(&row) && (low..=high).contains(&row) {
                    covered |= 1 << if self.major == 0 { i + 2 * j } else { j + 2 * i };
                }
            }
        }
        covered
    }

    /// Calls `f` with the lower left pixel of every tile that the line may touch.
    fn tiles(&self, mut f: impl FnMut([u32; 2])) {
        let (major, minor) = (self.major, 1 - self.major);
        let Bounds { low, high } = self.bounds;
        for column in (low[major] / TILE * TILE..=high[major]).step_by(TILE as usize) {
            let ends = [column.max(low[major]), (column + TILE - 1).min(high[major])];
            let rows = ends.map(|column| self.row(column as i32));
            let first = rows[0].min(rows[1]).max(low[minor] as i32);
            let last = (rows[0].max(rows[1]) + self.width - 1).min(high[minor] as i32);
            if first > last {
                continue;
            }
            for row in (first as u32 / TILE * TILE..=last as u32).step_by(TILE as usize) {
                let mut at = [0; 2];
                (at[major], at[minor]) = (column, row);
                f(at);
            }
        }
    }
}
