//! Rasterisation: which quads of a rectangle a triangle covers (glspec15 3.5.1, point sampling), at one or at
//! several samples of each pixel (glspec40 3.6.6).

use super::block::{self, STRIP};
use super::samples::Samples;
use super::setup::{Bounds, Edge, PIXEL, SUBPIXELS, Triangle};
use crate::exec::LANES;
use crate::simd::Simd;

/// Triangles at most this wide and high, in subpixels, use 32-bit arithmetic. A strip's pixels reach eight
/// pixels further, and samples half a pixel; 2 * 24 * 33 * 1024^2 is less than 2^31.
const SMALL: i32 = 24 * PIXEL;

/// A receiver of coverage at `N` samples of each pixel. A trait and not a closure, because closures cannot be
/// marked `#[inline]`.
pub(super) trait Sink<const N: usize> {
    /// (x, y) is the quad's lower left pixel; both are even. Bit i of `covered[sample]` is lane i. At least
    /// one bit is set, here and in the methods below.
    fn quad(&mut self, x: u32, y: u32, covered: [u8; N]);

    /// The quads of a strip: `corner` is its lower left pixel, `covered` has lanes in the order of [`block`].
    fn strip(&mut self, corner: [u32; 2], covered: [u16; N]);

    /// The quads of a block: as [`Self::strip`].
    fn block(&mut self, corner: [u32; 2], covered: [u64; N]);
}

impl<const N: usize, F: FnMut(u32, u32, [u8; N])> Sink<N> for F {
    fn quad(&mut self, x: u32, y: u32, covered: [u8; N]) {
        self(x, y, covered);
    }

    fn strip(&mut self, [x, y]: [u32; 2], covered: [u16; N]) {
        for quad in 0..block::COLUMNS as u32 {
            let covered = covered.map(|covered| (covered >> (4 * quad)) as u8 & 15);
            if covered != [0; N] {
                self(x + 2 * quad, y, covered);
            }
        }
    }

    fn block(&mut self, [x, y]: [u32; 2], covered: [u64; N]) {
        for (row, covered) in strips(&covered) {
            self.strip([x, y + 2 * row as u32], covered);
        }
    }
}

/// The strips of a block that are covered at any sample: the number of each, and a mask of sixteen lanes per
/// sample.
#[inline(always)]
pub(super) fn strips<const N: usize>(covered: &[u64; N]) -> impl Iterator<Item = (usize, [u16; N])> {
    let strip = |row: usize| covered.map(|lanes| (lanes >> (STRIP * row)) as u16);
    (0..block::ROWS).map(move |row| (row, strip(row))).filter(|(_, covered)| *covered != [0; N])
}

/// Passes coverage at the pixel centre to a sink of `N` samples, as the coverage of every sample (glspec40
/// 3.3.1, MULTISAMPLE disabled).
pub(super) struct Whole<S, const N: usize>(pub S);

impl<const N: usize, S: Sink<N>> Sink<1> for Whole<S, N> {
    #[inline(always)]
    fn quad(&mut self, x: u32, y: u32, [covered]: [u8; 1]) {
        self.0.quad(x, y, [covered; N]);
    }

    #[inline(always)]
    fn strip(&mut self, corner: [u32; 2], [covered]: [u16; 1]) {
        self.0.strip(corner, [covered; N]);
    }

    #[inline(always)]
    fn block(&mut self, corner: [u32; 2], [covered]: [u64; 1]) {
        self.0.block(corner, [covered; N]);
    }
}

/// Passes to `sink` every quad of `area` that has a covered sample, each at most once. The lower left pixel
/// of `area` must be the lower left pixel of a quad.
#[inline(always)]
pub(super) fn quads<S: Simd, const N: usize>(triangle: &Triangle, area: Bounds, mut sink: impl Sink<N>) {
    let low = [0, 1].map(|axis| triangle.bounds.low[axis].max(area.low[axis]));
    let high = [0, 1].map(|axis| triangle.bounds.high[axis].min(area.high[axis]));
    if low[0] > high[0] || low[1] > high[1] {
        return;
    }
    let bounds = Bounds { low, high };
    if is_small(triangle) {
        small::<S, N>(triangle, bounds, &mut sink);
    } else {
        large::<S, N>(triangle, bounds, &mut sink);
    }
}

#[inline]
fn is_small(triangle: &Triangle) -> bool {
    let [a, b, c] = triangle.points;
    let extent = |axis: usize| a[axis].max(b[axis]).max(c[axis]) - a[axis].min(b[axis]).min(c[axis]);
    extent(0) <= SMALL && extent(1) <= SMALL
}

/// An edge function of a small triangle, in 32-bit integers.
#[derive(Clone, Copy)]
struct SmallEdge {
    /// `Edge::at` minus `Edge::least` for each lane of a strip; negative outside.
    values: [i32; STRIP],
    /// The change to the next strip in x and in y.
    step: [i32; 2],
}

/// The change of an edge function from the pixel centre to each sample. Exact.
#[inline(always)]
fn small_offsets<const N: usize>(edge: &Edge) -> [i32; N] {
    let [x, y] = [edge.step[0] as i32 / PIXEL, edge.step[1] as i32 / PIXEL];
    let mut offsets = [0; N];
    for (offset, [right, up]) in offsets.iter_mut().zip(const { Samples::all_snapped::<N>() }) {
        *offset = x * right + y * up;
    }
    offsets
}

impl SmallEdge {
    /// The edge with this start point, evaluated in the strip whose lane 0 is at `first` (in subpixels).
    #[inline(always)]
    fn new(edge: &Edge, start: [i32; 2], first: [i32; 2]) -> Self {
        let (x, y, least) = (edge.step[0] as i32, edge.step[1] as i32, edge.least as i32);
        let value = (x / PIXEL) * (first[0] - start[0]) + (y / PIXEL) * (first[1] - start[1]) - least;
        let mut values = [value; STRIP];
        for (lane, value) in values.iter_mut().enumerate() {
            let [right, up] = block::pixel(lane);
            *value += x * right as i32 + if up == 0 { 0 } else { y };
        }
        Self { values, step: [block::SIDE as i32 * x, 2 * y] }
    }

    #[inline(always)]
    fn advance(&mut self, axis: usize) {
        let step = self.step[axis];
        self.values.iter_mut().for_each(|value| *value += step);
    }
}

/// [`quads`] for small triangles: strip by strip.
#[inline(always)]
fn small<S: Simd, const N: usize>(triangle: &Triangle, bounds: Bounds, sink: &mut impl Sink<N>) {
    let (left, bottom) = (bounds.low[0] & !(block::SIDE - 1), bounds.low[1] & !1);
    let first = [left as i32 * PIXEL + PIXEL / 2, bottom as i32 * PIXEL + PIXEL / 2];
    let ([a, b, c], [p, q, r]) = (&triangle.edges, triangle.points);
    let offsets: [[i32; N]; 3] = [small_offsets(a), small_offsets(b), small_offsets(c)];
    let mut column = [SmallEdge::new(a, q, first), SmallEdge::new(b, r, first), SmallEdge::new(c, p, first)];
    let mut x = left;
    while x <= bounds.high[0] {
        // Pixels outside of `bounds` are outside of the triangle, unless the window, the viewport or the
        // scissor rectangle cuts the bounds.
        let columns = block::strip_columns(bounds, x);
        let [mut a, mut b, mut c] = column;
        let mut y = bottom;
        while y <= bounds.high[1] {
            let within = columns & block::strip_rows(bounds, y);
            let (mut covered, mut any) = ([0; N], 0);
            for (sample, covered) in covered.iter_mut().enumerate() {
                let [to_a, to_b, to_c] = [offsets[0][sample], offsets[1][sample], offsets[2][sample]];
                let mut outside = [0; STRIP];
                for (((outside, a), b), c) in outside.iter_mut().zip(a.values).zip(b.values).zip(c.values) {
                    *outside = (a + to_a) | (b + to_b) | (c + to_c);
                }
                *covered = !S::movemask(outside) & within;
                any |= *covered;
            }
            if any != 0 {
                sink.strip([x, y], covered);
            }
            a.advance(1);
            b.advance(1);
            c.advance(1);
            y += 2;
        }
        column.iter_mut().for_each(|edge| edge.advance(0));
        x += block::SIDE;
    }
}

/// [`quads`] for triangles of any size: block by block.
#[inline(always)]
fn large<S: Simd, const N: usize>(triangle: &Triangle, bounds: Bounds, sink: &mut impl Sink<N>) {
    const LENGTH: u32 = BLOCKS as u32 * block::SIDE;
    let Bounds { low, high } = bounds;
    let lanes = LaneEdges::new(triangle, low.map(|low| low & !(block::SIDE - 1)));
    for y in ((low[1] & !(block::SIDE - 1))..=high[1]).step_by(block::SIDE as usize) {
        for x in ((low[0] & !(LENGTH - 1))..=high[0]).step_by(LENGTH as usize) {
            let blocks = Blocks::new::<N>(triangle, [x, y]);
            let first = low[0].saturating_sub(x) / block::SIDE;
            let last = (high[0] - x).min(LENGTH - 1) / block::SIDE;
            let mut touched = blocks.touched & u8::MAX << first & u8::MAX >> (BLOCKS as u32 - 1 - last);
            while touched != 0 {
                let number = touched.trailing_zeros();
                touched &= touched - 1;
                let corner = [x + number * block::SIDE, y];
                let within = block::within(bounds, corner);
                let mut covered = [within; N];
                if blocks.whole >> number & 1 == 0 {
                    lanes.leave_covered::<S>(corner, &mut covered);
                }
                if covered != [0; N] {
                    sink.block(corner, covered);
                }
            }
        }
    }
}

/// Blocks that are tested together.
const BLOCKS: usize = 8;

/// The coverage of adjacent blocks, a bit each.
struct Blocks {
    /// Blocks that are not entirely outside of any edge: some pixel may be covered.
    touched: u8,
    /// Blocks whose pixels are all covered.
    whole: u8,
}

impl Blocks {
    /// Tests blocks against the triangle, for `N` samples of each pixel. `corner` is the lower left pixel of
    /// the first block. Edge functions are integers below 2^53, so f64 computes them exactly in any order,
    /// here and below.
    #[inline(always)]
    fn new<const N: usize>(triangle: &Triangle, [x, y]: [u32; 2]) -> Self {
        const SPAN: f64 = (block::SIDE - 1) as f64;
        // Samples are at most half a pixel from the centre.
        let reach = if N == 1 { 0.0 } else { 0.5 };
        let (mut outside, mut partly) = (0, 0);
        for edge in &triangle.edges {
            let [dx, dy] = edge.step;
            let first = edge.at(x, y) - edge.least;
            let around = (dx.abs() + dy.abs()) * reach;
            let most = (SPAN * dx).max(0.0) + (SPAN * dy).max(0.0) + around;
            let least = (SPAN * dx).min(0.0) + (SPAN * dy).min(0.0) - around;
            for number in 0..BLOCKS {
                let at = first + f64::from(block::SIDE) * dx * block::NUMBERS[number];
                outside |= if at + most < 0.0 { block::BITS[number] } else { 0 };
                partly |= if at + least < 0.0 { block::BITS[number] } else { 0 };
            }
        }
        Self { touched: !outside as u8, whole: !partly as u8 }
    }
}

/// The edge functions of a triangle as integers, in units of `1/SUBPIXELS` pixel. Neighbouring pixels differ
/// by whole units.
struct LaneEdges<const N: usize> {
    /// The change of each edge function from the block's lower left pixel to each lane. Exact. Less than
    /// 2^30, because the change from one pixel to the next is less than 2^26.
    lanes: [[i32; LANES]; 3],
    /// The change of each edge function from one pixel to the next, in x and in y.
    steps: [[i64; 2]; 3],
    /// The lower left pixel of a reference block.
    first: [u32; 2],
    /// Per edge and sample: a lane is inside if its edge function exceeds the value at `first` by at least
    /// this much.
    least: [[i64; N]; 3],
}

impl<const N: usize> LaneEdges<N> {
    #[inline(always)]
    fn new(triangle: &Triangle, first: [u32; 2]) -> Self {
        let mut new = Self { lanes: [[0; LANES]; 3], steps: [[0; 2]; 3], first, least: [[0; N]; 3] };
        for (number, edge) in triangle.edges.iter().enumerate() {
            let [dx, dy] = edge.step.map(|step| (step / SUBPIXELS) as i32);
            new.steps[number] = [dx.into(), dy.into()];
            for (lane, value) in new.lanes[number].iter_mut().enumerate() {
                let [right, up] = block::pixel(lane);
                *value = dx * right as i32 + dy * up as i32;
            }
            let missing = edge.least - edge.at(first[0], first[1]);
            for (least, offset) in new.least[number].iter_mut().zip(const { Samples::all_snapped::<N>() }) {
                // Rounds up.
                let subpixels = i64::from(PIXEL);
                *least = ((missing - edge.offset(offset)) as i64 + (subpixels - 1)).div_euclid(subpixels);
            }
        }
        new
    }

    /// Clears the bits of lanes that the triangle does not cover, for each sample of a block. `corner` is the
    /// block's lower left pixel.
    #[inline(always)]
    fn leave_covered<S: Simd>(&self, corner: [u32; 2], covered: &mut [u64; N]) {
        // Clamps the thresholds. No lane's value reaches this magnitude, so a clamped threshold gives the
        // same result.
        const FAR: i64 = 1 << 30;
        let [right, up] = [0, 1].map(|axis| i64::from(corner[axis]) - i64::from(self.first[axis]));
        let mut least = [[0; N]; 3];
        for ((least, [dx, dy]), from_first) in least.iter_mut().zip(self.steps).zip(&self.least) {
            let more = dx * right + dy * up;
            for (least, from_first) in least.iter_mut().zip(from_first) {
                *least = (from_first - more).clamp(-FAR, FAR) as i32;
            }
        }
        let [a, b, c] = &self.lanes;
        for (sample, covered) in covered.iter_mut().enumerate() {
            let [least_a, least_b, least_c] = [least[0][sample], least[1][sample], least[2][sample]];
            let mut inside = 0;
            for strip in 0..block::ROWS {
                let mut outside = [0; STRIP];
                for (lane, outside) in outside.iter_mut().enumerate() {
                    let lane = STRIP * strip + lane;
                    *outside = (a[lane] - least_a) | (b[lane] - least_b) | (c[lane] - least_c);
                }
                inside |= u64::from(!S::movemask(outside)) << (STRIP * strip);
            }
            *covered &= inside;
        }
    }
}

/// Whether a triangle may cover pixels of `area`: false if some edge has all of `area` on its outer side.
#[inline]
pub(super) fn may_touch(triangle: &Triangle, area: Bounds, samples: Samples) -> bool {
    let span = [0, 1].map(|axis| f64::from(area.high[axis] - area.low[axis]));
    let reach = if samples == Samples::One { 0.0 } else { 0.5 };
    triangle.edges.iter().all(|edge| {
        let around = (edge.step[0].abs() + edge.step[1].abs()) * reach;
        let corner = edge.at(area.low[0], area.low[1]) + around;
        corner + (edge.step[0] * span[0]).max(0.0) + (edge.step[1] * span[1]).max(0.0) >= edge.least
    })
}

/// The lanes of the quad at (x, y) that lie within `bounds`.
#[inline]
pub(super) fn within(bounds: Bounds, x: u32, y: u32) -> u8 {
    let column = |x: u32| u8::from(x >= bounds.low[0] && x <= bounds.high[0]);
    let row = |y: u32| u8::from(y >= bounds.low[1] && y <= bounds.high[1]);
    let columns = column(x) | column(x + 1) << 1;
    (columns * row(y)) | ((columns * row(y + 1)) << 2)
}
