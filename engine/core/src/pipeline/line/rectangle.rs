//! Multisampled lines (glspec40 3.5.4). A line covers the samples in or on a rectangle around the segment,
//! with the line's width and perpendicular ends. All arithmetic is exact in integers.

use super::super::samples::Samples;
use super::super::setup::{Bounds, Limits, PIXEL, SUBPIXELS};
use super::super::tile::TILE;
use super::MAX_WIDTH;

/// The rectangle of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::pipeline) struct Rectangle {
    /// Start and end in snapped units.
    from: [i32; 2],
    to: [i32; 2],
    /// Width in snapped units.
    width: i32,
    /// The major axis: 0 for x-major lines, with a slope in [-1, 1].
    major: usize,
    pub bounds: Bounds,
}

impl Rectangle {
    /// The rectangle of a line between these ends. `None` if it certainly covers no pixel. As for antialiased
    /// lines, widths are not rounded to whole pixels; the minimum is 1.
    pub fn new([from, to]: [[i32; 2]; 2], width: f32, limits: &Limits) -> Option<Self> {
        let delta = [0, 1].map(|axis| (to[axis] - from[axis]).abs());
        if delta == [0, 0] {
            return None;
        }
        // NaN becomes 1 too.
        let pixels = if width > 1.0 { width.min(MAX_WIDTH) } else { 1.0 };
        let width = (f64::from(pixels) * SUBPIXELS).round_ties_even() as i32;
        let low = [0, 1].map(|axis| (from[axis].min(to[axis]) - width).div_euclid(PIXEL));
        let high = [0, 1].map(|axis| (from[axis].max(to[axis]) + width).div_euclid(PIXEL));
        let bounds = limits.bounds(low, high)?;
        Some(Self { from, to, width, major: usize::from(delta[1] > delta[0]), bounds })
    }

    /// Whether a point is inside or on the border.
    fn holds(&self, point: [i64; 2]) -> bool {
        let [from, to] = [self.from, self.to].map(|end| end.map(i64::from));
        let along = [to[0] - from[0], to[1] - from[1]];
        let to_point = [point[0] - from[0], point[1] - from[1]];
        let product = |a: [i64; 2], b: [i64; 2]| {
            i128::from(a[0]) * i128::from(b[0]) + i128::from(a[1]) * i128::from(b[1])
        };
        let (length, place) = (product(along, along), product(to_point, along));
        let across = product(to_point, [along[1], -along[0]]);
        let width = i128::from(self.width);
        // The distance from the line is |across| / sqrt(`length`). It must be at most half the width.
        (0..=length).contains(&place) && 4 * across * across <= width * width * length
    }

    /// The first and last row that the rectangle may cover in these columns (for x-major lines).
    fn rows(&self, columns: [i32; 2]) -> [i32; 2] {
        let (major, minor) = (self.major, 1 - self.major);
        let [from, to] = [self.from, self.to].map(|end| end.map(f64::from));
        let slope = (to[minor] - from[minor]) / (to[major] - from[major]);
        let ends = [columns[0], columns[1] + 1];
        let [a, b] = ends.map(|column| from[minor] + slope * (f64::from(column) * SUBPIXELS - from[major]));
        // Half the width grows by at most sqrt(2) along an axis. The rest covers rounding.
        let around = f64::from(self.width) + 1.0;
        [a.min(b) - around, a.max(b) + around].map(|place| (place / SUBPIXELS).floor() as i32)
    }

    /// Every quad of `area` that has a covered sample, each once: its lower left pixel, and the covered lanes
    /// of each sample. The lower left pixel of `area` must be the lower left pixel of a quad.
    pub fn quads<const N: usize>(&self, area: Bounds) -> impl Iterator<Item = ([u32; 2], [u8; N])> {
        let (major, minor) = (self.major, 1 - self.major);
        let low = [0, 1].map(|axis| self.bounds.low[axis].max(area.low[axis]) as i32);
        let high = [0, 1].map(|axis| self.bounds.high[axis].min(area.high[axis]) as i32);
        (low[major] & !1..=high[major]).step_by(2).flat_map(move |column| {
            let [first, last] = self.rows([column, column + 1]);
            let rows = (first.max(low[minor]) & !1..=last.min(high[minor])).step_by(2);
            rows.filter_map(move |row| {
                let mut at = [0; 2];
                (at[major], at[minor]) = (column, row);
                let covered = self.lanes(at, [low, high]);
                (covered != [0; N]).then_some((at.map(|place| place as u32), covered))
            })
        })
    }

    /// The lanes of a quad, within these bounds, that are covered at each sample.
    fn lanes<const N: usize>(&self, at: [i32; 2], [low, high]: [[i32; 2]; 2]) -> [u8; N] {
        let mut covered = [0; N];
        for lane in 0..4 {
            let pixel = [at[0] + lane % 2, at[1] + lane / 2];
            if !(0..2).all(|axis| (low[axis]..=high[axis]).contains(&pixel[axis])) {
                continue;
            }
            let centre = pixel.map(|place| i64::from(place) * i64::from(PIXEL) + i64::from(PIXEL / 2));
            for (covered, offset) in covered.iter_mut().zip(Samples::all_snapped::<N>()) {
                let sample = [0, 1].map(|axis| centre[axis] + i64::from(offset[axis]));
                *covered |= u8::from(self.holds(sample)) << lane;
            }
        }
        covered
    }

    /// Calls `f` with the lower left pixel of every tile that the line may touch.
    pub fn tiles(&self, mut f: impl FnMut([u32; 2])) {
        let (major, minor) = (self.major, 1 - self.major);
        let Bounds { low, high } = self.bounds;
        for column in (low[major] / TILE * TILE..=high[major]).step_by(TILE as usize) {
            let ends = [column.max(low[major]), (column + TILE - 1).min(high[major])];
            let [first, last] = self.rows(ends.map(|column| column as i32));
            let (first, last) = (first.max(low[minor] as i32), last.min(high[minor] as i32));
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
