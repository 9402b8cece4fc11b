//! The colours of blocks that are two rows of pixels, where nothing stands between program and buffer.

use crate::exec::{BlockOutput, Row};
use crate::pipeline::vector;

/// One lane of an output colour.
#[inline]
pub(in crate::pipeline) fn lane_color(color: &[Row; 4], lane: usize) -> [f32; 4] {
    let [r, g, b, a] = color;
    [r.0[lane], g.0[lane], b.0[lane], a.0[lane]]
}

/// Stores the colours of a block that is two rows of pixels, `upper` absent at the top edge of a
/// window of odd height. The rows' lengths say how many columns there are.
pub(in crate::pipeline) fn store_rows(
    output: &BlockOutput,
    lower: &mut [[f32; 4]],
    upper: Option<&mut [[f32; 4]]>,
) {
    vector::widest(StoreRows { output, lower, upper });
}

struct StoreRows<'a> {
    output: &'a BlockOutput,
    lower: &'a mut [[f32; 4]],
    upper: Option<&'a mut [[f32; 4]]>,
}

impl vector::Task for StoreRows<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { output, lower, upper } = self;
        let [r, g, b, a] = output.color.each_ref().map(|row| row.0.as_chunks::<4>().0);
        let colors = |quad: usize| vector::transposed([&r[quad], &g[quad], &b[quad], &a[quad]]);
        let (lower, lower_rest) = lower.as_chunks_mut::<2>();
        let (upper, upper_rest) = upper.unwrap_or_default().as_chunks_mut::<2>();
        let mut upper = upper.iter_mut();
        let whole = lower.len().min(r.len());
        for (quad, pair) in lower.iter_mut().enumerate().take(whole) {
            let [first, second, third, fourth] = colors(quad);
            *pair = [first, second];
            if let Some(pair) = upper.next() {
                *pair = [third, fourth];
            }
        }
        // The last column of a window of odd width.
        if whole < r.len() {
            let [first, _, third, _] = colors(whole);
            lower_rest.iter_mut().for_each(|color| *color = first);
            upper_rest.iter_mut().for_each(|color| *color = third);
        }
    }
}
