//! Which quads of a rectangle a triangle covers (glspec15 3.5.1, point sampling).

use super::setup::{Bounds, Triangle};

/// Side of the squares that are accepted or refused as a whole; a power of two.
const SQUARE: u32 = 8;

/// Calls `f(x, y, covered)` for every quad of `area` that has a covered pixel: (x, y) is its lower left
/// pixel, both even, and bit i of `covered` its lane i. Each quad comes at most once.
#[inline]
pub(super) fn quads(triangle: &Triangle, area: Bounds, mut f: impl FnMut(u32, u32, u8)) {
    let low = [0, 1].map(|axis| triangle.bounds.low[axis].max(area.low[axis]));
    let high = [0, 1].map(|axis| triangle.bounds.high[axis].min(area.high[axis]));
    if low[0] > high[0] || low[1] > high[1] {
        return;
    }
    let bounds = Bounds { low, high };
    if high[0] - low[0] < SQUARE && high[1] - low[1] < SQUARE {
        return square(triangle, bounds, &mut f);
    }
    for y in ((low[1] & !(SQUARE - 1))..=high[1]).step_by(SQUARE as usize) {
        for x in ((low[0] & !(SQUARE - 1))..=high[0]).step_by(SQUARE as usize) {
            let part = Bounds {
                low: [low[0].max(x), low[1].max(y)],
                high: [high[0].min(x + SQUARE - 1), high[1].min(y + SQUARE - 1)],
            };
            match touches(triangle, part) {
                Touch::Outside => {}
                Touch::Partly => square(triangle, part, &mut f),
                Touch::Inside => inside(part, &mut f),
            }
        }
    }
}

/// How a triangle lies to a rectangle of pixel centres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touch {
    /// No pixel is covered.
    Outside,
    /// Some may be.
    Partly,
    /// All are.
    Inside,
}

/// How `triangle` lies to `area`. Exact for each edge; `Partly` also where only all edges together
/// leave nothing.
#[inline]
pub(super) fn touches(triangle: &Triangle, area: Bounds) -> Touch {
    let span = [0, 1].map(|axis| f64::from(area.high[axis] - area.low[axis]));
    let mut all = true;
    for edge in &triangle.edges {
        let corner = edge.at(area.low[0], area.low[1]);
        let change = [edge.step[0] * span[0], edge.step[1] * span[1]];
        if corner + change[0].max(0.0) + change[1].max(0.0) < edge.least {
            return Touch::Outside;
        }
        all &= corner + change[0].min(0.0) + change[1].min(0.0) >= edge.least;
    }
    if all { Touch::Inside } else { Touch::Partly }
}

/// The lanes of the quad at (x, y) that lie within `bounds`.
#[inline]
fn within(bounds: Bounds, x: u32, y: u32) -> u8 {
    let column = |x: u32| u8::from(x >= bounds.low[0] && x <= bounds.high[0]);
    let row = |y: u32| u8::from(y >= bounds.low[1] && y <= bounds.high[1]);
    let columns = column(x) | column(x + 1) << 1;
    (columns * row(y)) | ((columns * row(y + 1)) << 2)
}

fn inside(bounds: Bounds, f: &mut impl FnMut(u32, u32, u8)) {
    for y in ((bounds.low[1] & !1)..=bounds.high[1]).step_by(2) {
        for x in ((bounds.low[0] & !1)..=bounds.high[0]).step_by(2) {
            f(x, y, within(bounds, x, y));
        }
    }
}

#[inline]
fn square(triangle: &Triangle, bounds: Bounds, f: &mut impl FnMut(u32, u32, u8)) {
    let (left, bottom) = (bounds.low[0] & !1, bounds.low[1] & !1);
    // Edge functions are whole numbers below 2^53: stepping is as exact as evaluating.
    let mut row = triangle.edges.map(|edge| edge.at(left, bottom) - edge.least);
    for y in (bottom..=bounds.high[1]).step_by(2) {
        let mut corner = row;
        for x in (left..=bounds.high[0]).step_by(2) {
            let mut covered = within(bounds, x, y);
            for (edge, value) in triangle.edges.iter().zip(corner) {
                let [dx, dy] = edge.step;
                let lanes = [value, value + dx, value + dy, value + dx + dy];
                let inside = lanes.map(|value| u8::from(value >= 0.0));
                covered &= inside[0] | inside[1] << 1 | inside[2] << 2 | inside[3] << 3;
            }
            if covered != 0 {
                f(x, y, covered);
            }
            for (value, edge) in corner.iter_mut().zip(&triangle.edges) {
                *value += 2.0 * edge.step[0];
            }
        }
        for (value, edge) in row.iter_mut().zip(&triangle.edges) {
            *value += 2.0 * edge.step[1];
        }
    }
}
