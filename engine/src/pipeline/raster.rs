//! Which quads of a rectangle a triangle covers (glspec15 3.5.1, point sampling).

use super::setup::{Bounds, PIXEL, Triangle};

/// Side of the squares that are accepted or refused as a whole; a power of two.
const SQUARE: u32 = 8;

/// Triangles at most this wide and high, in subpixels, are done with 32-bit arithmetic: a quad's pixels
/// reach two pixels further, and 2 * 24 * 26 * 1024^2 is less than 2^31.
const SMALL: i32 = 24 * PIXEL;

/// What takes covered quads. Not simply a closure, as those cannot be told to be inlined.
pub(super) trait Sink {
    /// (x, y) is the quad's lower left pixel, both even, bit i of `covered` its lane i, `edges` the edge
    /// functions 1 and 2 there.
    fn quad(&mut self, x: u32, y: u32, covered: u8, edges: [f64; 2]);
}

impl<F: FnMut(u32, u32, u8)> Sink for F {
    fn quad(&mut self, x: u32, y: u32, covered: u8, _edges: [f64; 2]) {
        self(x, y, covered);
    }
}

/// Gives `sink` every quad of `area` that has a covered pixel, each at most once. The lower left pixel
/// of `area` is that of a quad.
#[inline(always)]
pub(super) fn quads(triangle: &Triangle, area: Bounds, mut sink: impl Sink) {
    let low = [0, 1].map(|axis| triangle.bounds.low[axis].max(area.low[axis]));
    let high = [0, 1].map(|axis| triangle.bounds.high[axis].min(area.high[axis]));
    if low[0] > high[0] || low[1] > high[1] {
        return;
    }
    let bounds = Bounds { low, high };
    if is_small(triangle) {
        small(triangle, bounds, &mut sink);
    } else {
        large(triangle, bounds, &mut sink);
    }
}

#[inline]
fn is_small(triangle: &Triangle) -> bool {
    [0, 1].into_iter().all(|axis| {
        let [a, b, c] = triangle.points.map(|point| point[axis]);
        a.max(b).max(c) - a.min(b).min(c) <= SMALL
    })
}

/// [`quads`] for small triangles.
#[inline(always)]
fn small(triangle: &Triangle, bounds: Bounds, sink: &mut impl Sink) {
    let (left, bottom) = (bounds.low[0] & !1, bounds.low[1] & !1);
    let first = [left, bottom].map(|x| x as i32 * PIXEL + PIXEL / 2);
    // The values of `Edge::at`, less `Edge::least`: negative outside.
    let step = triangle.edges.map(|edge| edge.step.map(|step| step as i32));
    let least = triangle.edges.map(|edge| edge.least as i32);
    let mut row = [0, 1, 2].map(|i: usize| {
        let start = triangle.points[(i + 1) % 3];
        let delta = [first[0] - start[0], first[1] - start[1]];
        (step[i][0] / PIXEL) * delta[0] + (step[i][1] / PIXEL) * delta[1] - least[i]
    });
    let lanes = step.map(|[x, y]| [0, x, y, x + y]);
    for y in (bottom..=bounds.high[1]).step_by(2) {
        // What lies outside of `bounds` is outside of the triangle, except beyond the window.
        let rows = if y == bounds.high[1] { 0b0011 } else { 0b1111 };
        let mut corner = row;
        for x in (left..=bounds.high[0]).step_by(2) {
            let mut outside = 0;
            for lane in 0..4 {
                let signs = [0, 1, 2].map(|i: usize| corner[i] + lanes[i][lane]);
                outside |= ((signs[0] | signs[1] | signs[2]) as u32 >> 31) << lane;
            }
            let columns = if x == bounds.high[0] { 0b0101 } else { 0b1111 };
            let covered = !(outside as u8) & rows & columns;
            if covered != 0 {
                sink.quad(x, y, covered, [1, 2].map(|i: usize| f64::from(corner[i] + least[i])));
            }
            for (value, step) in corner.iter_mut().zip(&step) {
                *value += 2 * step[0];
            }
        }
        for (value, step) in row.iter_mut().zip(&step) {
            *value += 2 * step[1];
        }
    }
}

/// [`quads`] for triangles of any size: square by square.
#[inline(always)]
fn large(triangle: &Triangle, Bounds { low, high }: Bounds, sink: &mut impl Sink) {
    for y in ((low[1] & !(SQUARE - 1))..=high[1]).step_by(SQUARE as usize) {
        for x in ((low[0] & !(SQUARE - 1))..=high[0]).step_by(SQUARE as usize) {
            let part = Bounds {
                low: [low[0].max(x), low[1].max(y)],
                high: [high[0].min(x + SQUARE - 1), high[1].min(y + SQUARE - 1)],
            };
            match touches(triangle, part) {
                Touch::Outside => {}
                Touch::Partly => square(triangle, part, sink),
                Touch::Inside => inside(triangle, part, sink),
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

#[inline(always)]
fn inside(triangle: &Triangle, bounds: Bounds, sink: &mut impl Sink) {
    for y in ((bounds.low[1] & !1)..=bounds.high[1]).step_by(2) {
        for x in ((bounds.low[0] & !1)..=bounds.high[0]).step_by(2) {
            let edges = [triangle.edges[1].at(x, y), triangle.edges[2].at(x, y)];
            sink.quad(x, y, within(bounds, x, y), edges);
        }
    }
}

#[inline(always)]
fn square(triangle: &Triangle, bounds: Bounds, sink: &mut impl Sink) {
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
                let edges = [1, 2].map(|i: usize| corner[i] + triangle.edges[i].least);
                sink.quad(x, y, covered, edges);
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
