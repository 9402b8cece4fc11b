//! Which quads of a rectangle a triangle covers (glspec15 3.5.1, point sampling).

use super::setup::{Bounds, Edge, Lanes, PIXEL, Triangle};
use crate::sign_mask::sign_mask;

/// Side of the squares that are accepted or refused as a whole; a power of two.
const SQUARE: u32 = 8;

/// Triangles at most this wide and high, in subpixels, are done with 32-bit arithmetic: a quad's pixels
/// reach two pixels further, and 2 * 24 * 26 * 1024^2 is less than 2^31.
const SMALL: i32 = 24 * PIXEL;

/// What takes covered quads. Not simply a closure, as those cannot be told to be inlined.
pub(super) trait Sink {
    /// (x, y) is the quad's lower left pixel, both even, bit i of `covered` its lane i, `edges` the edge
    /// functions 1 and 2 in its lanes.
    fn quad(&mut self, x: u32, y: u32, covered: u8, edges: [Lanes; 2]);
}

impl<F: FnMut(u32, u32, u8)> Sink for F {
    fn quad(&mut self, x: u32, y: u32, covered: u8, _edges: [Lanes; 2]) {
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
    let [a, b, c] = triangle.points;
    let extent = |axis: usize| a[axis].max(b[axis]).max(c[axis]) - a[axis].min(b[axis]).min(c[axis]);
    extent(0) <= SMALL && extent(1) <= SMALL
}

/// An edge function of a small triangle.
#[derive(Clone, Copy)]
struct SmallEdge {
    /// The values of `Edge::at` in a quad's lanes, less `least`: negative outside.
    values: [i32; 4],
    least: i32,
    /// To the next quad in x and in y.
    step: [i32; 2],
}

impl SmallEdge {
    /// The edge from `start`, in the quad whose lane 0 is at `first` (in subpixels).
    #[inline(always)]
    fn new(edge: &Edge, start: [i32; 2], first: [i32; 2]) -> Self {
        let (x, y, least) = (edge.step[0] as i32, edge.step[1] as i32, edge.least as i32);
        let value = (x / PIXEL) * (first[0] - start[0]) + (y / PIXEL) * (first[1] - start[1]) - least;
        Self { values: [value, value + x, value + y, value + x + y], least, step: [2 * x, 2 * y] }
    }

    #[inline(always)]
    fn advance(&mut self, axis: usize) {
        let step = self.step[axis];
        let [a, b, c, d] = self.values;
        self.values = [a + step, b + step, c + step, d + step];
    }

    /// The edge function.
    #[inline(always)]
    fn lanes(&self) -> Lanes {
        let [a, b, c, d] = self.values;
        let value = |x: i32| f64::from(x + self.least);
        [value(a), value(b), value(c), value(d)]
    }
}

/// [`quads`] for small triangles.
#[inline(always)]
fn small(triangle: &Triangle, bounds: Bounds, sink: &mut impl Sink) {
    let (left, bottom) = (bounds.low[0] & !1, bounds.low[1] & !1);
    let first = [left as i32 * PIXEL + PIXEL / 2, bottom as i32 * PIXEL + PIXEL / 2];
    let ([a, b, c], [p, q, r]) = (&triangle.edges, triangle.points);
    let (mut row_a, mut row_b, mut row_c) =
        (SmallEdge::new(a, q, first), SmallEdge::new(b, r, first), SmallEdge::new(c, p, first));
    let mut y = bottom;
    while y <= bounds.high[1] {
        // What lies outside of `bounds` is outside of the triangle, except beyond the window, the
        // viewport and the scissor rectangle.
        let rows = if y == bounds.high[1] { 0b0011 } else { 0b1111 }
            & if y < bounds.low[1] { 0b1100 } else { 0b1111 };
        let (mut a, mut b, mut c) = (row_a, row_b, row_c);
        let mut x = left;
        while x <= bounds.high[0] {
            let outside: [i32; 4] =
                std::array::from_fn(|lane| a.values[lane] | b.values[lane] | c.values[lane]);
            let columns = if x == bounds.high[0] { 0b0101 } else { 0b1111 }
                & if x < bounds.low[0] { 0b1010 } else { 0b1111 };
            let covered = !sign_mask(outside) & rows & columns;
            if covered != 0 {
                sink.quad(x, y, covered, [b.lanes(), c.lanes()]);
            }
            a.advance(0);
            b.advance(0);
            c.advance(0);
            x += 2;
        }
        row_a.advance(1);
        row_b.advance(1);
        row_c.advance(1);
        y += 2;
    }
}

/// The edge functions 1 and 2 in the lanes of the quad at (x, y).
#[inline(always)]
pub(super) fn edges_1_and_2(triangle: &Triangle, x: u32, y: u32) -> [Lanes; 2] {
    let [_, b, c] = &triangle.edges;
    [b.lanes(b.at(x, y)), c.lanes(c.at(x, y))]
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
pub(super) fn within(bounds: Bounds, x: u32, y: u32) -> u8 {
    let column = |x: u32| u8::from(x >= bounds.low[0] && x <= bounds.high[0]);
    let row = |y: u32| u8::from(y >= bounds.low[1] && y <= bounds.high[1]);
    let columns = column(x) | column(x + 1) << 1;
    (columns * row(y)) | ((columns * row(y + 1)) << 2)
}

#[inline(always)]
fn inside(triangle: &Triangle, bounds: Bounds, sink: &mut impl Sink) {
    for y in ((bounds.low[1] & !1)..=bounds.high[1]).step_by(2) {
        for x in ((bounds.low[0] & !1)..=bounds.high[0]).step_by(2) {
            sink.quad(x, y, within(bounds, x, y), edges_1_and_2(triangle, x, y));
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
                sink.quad(x, y, covered, edges_1_and_2(triangle, x, y));
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
