//! Stores the colours of a block of two pixel rows, without tests, blending or mask. Used for the viewport
//! quad.

use crate::exec::{BlockOutput, LANES, LaneRegister};
use crate::pipeline::color_buffer::{Byte, ColorRows, Rows, rgba8};
use crate::simd::{self, Plain, Simd};
use std::ops::Range;

/// One lane of an output colour.
#[inline]
pub(in crate::pipeline) fn lane_color(color: &[LaneRegister; 4], lane: usize) -> [f32; 4] {
    let [r, g, b, a] = color;
    [r.0[lane], g.0[lane], b.0[lane], a.0[lane]]
}

/// Stores the colours of a block of two pixel rows in these columns. `y` is the lower row; the upper row does
/// not exist at the top edge of a window of odd height. The caller must call [`simd::settle`] afterwards.
pub(in crate::pipeline) fn store_rows(
    output: &BlockOutput,
    rows: &mut ColorRows<'_>,
    y: usize,
    columns: Range<usize>,
) {
    match &mut rows.rows {
        Rows::Words(rows) => {
            let (lower, upper) = two(rows, y, columns);
            simd::widest(StoreFloats { output, lower, upper });
        }
        Rows::Bytes(Byte::Normalized, rows) => {
            let (lower, upper) = two(rows, y, columns);
            simd::widest(StoreBytes { output, lower, upper });
        }
        Rows::Bytes(byte, rows) => {
            let (lower, upper) = two(rows, y, columns);
            simd::widest(StoreEncoded { output, lower, upper, encode: |value| byte.encode(value) });
        }
        Rows::Halves(half, rows) => {
            let (lower, upper) = two(rows, y, columns);
            simd::widest(StoreEncoded { output, lower, upper, encode: |value| half.encode(value) });
        }
    }
}

/// Row `y` and the row above, if it exists.
fn two<'a, T>(
    rows: &'a mut [&mut [T]],
    y: usize,
    columns: Range<usize>,
) -> (&'a mut [T], Option<&'a mut [T]>) {
    let (lower, upper) = rows[y..].split_at_mut(1);
    let upper = upper.first_mut().map(|row| &mut row[columns.clone()]);
    (&mut lower[0][columns], upper)
}

struct StoreFloats<'a> {
    output: &'a BlockOutput,
    lower: &'a mut [[f32; 4]],
    upper: Option<&'a mut [[f32; 4]]>,
}

impl simd::Task for StoreFloats<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let [r, g, b, a] = self.output.color.each_ref().map(|register| register.0.as_chunks::<4>().0);
        let colors = |quad: usize| simd::transposed([&r[quad], &g[quad], &b[quad], &a[quad]]);
        store(colors, self.lower, self.upper);
    }
}

struct StoreBytes<'a> {
    output: &'a BlockOutput,
    lower: &'a mut [[u8; 4]],
    upper: Option<&'a mut [[u8; 4]]>,
}

impl simd::Task for StoreBytes<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let pixels = rgba8(&self.output.color);
        let quads = pixels.as_chunks::<4>().0;
        store(|quad| quads[quad], self.lower, self.upper);
    }
}

struct StoreEncoded<'a, T, E> {
    output: &'a BlockOutput,
    lower: &'a mut [[T; 4]],
    upper: Option<&'a mut [[T; 4]]>,
    encode: E,
}

impl<T: Copy, E: Fn(f32) -> T> simd::Task for StoreEncoded<'_, T, E>
where
    [T; 4]: Plain,
{
    #[inline(always)]
    fn run<S: Simd>(self) {
        let color = |lane: usize| lane_color(&self.output.color, lane).map(&self.encode);
        let quad = |quad: usize| [0, 1, 2, 3].map(|lane| color(4 * quad + lane));
        store(quad, self.lower, self.upper);
    }
}

/// Stores the pixels of quads, which `quad` returns, in two rows. The rows' lengths give the number of
/// columns. See [`simd::stream`].
#[inline(always)]
fn store<T: Plain>(quad: impl Fn(usize) -> [T; 4], lower: &mut [T], upper: Option<&mut [T]>) {
    let mut pixels = [[T::ZERO; LANES / 2]; 2];
    let [below, above] = &mut pixels;
    let pairs = below.as_chunks_mut::<2>().0.iter_mut().zip(above.as_chunks_mut::<2>().0);
    for (number, (below, above)) in pairs.enumerate() {
        let [first, second, third, fourth] = quad(number);
        (*below, *above) = ([first, second], [third, fourth]);
    }
    simd::stream(lower, &below[..lower.len()]);
    if let Some(upper) = upper {
        simd::stream(upper, &above[..upper.len()]);
    }
}
