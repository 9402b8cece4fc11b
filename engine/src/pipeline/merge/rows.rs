//! The colours of blocks that are two rows of pixels, where nothing stands between program and buffer.

use crate::exec::{BlockOutput, Row};

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
    store_row::<0>(output, lower);
    if let Some(upper) = upper {
        store_row::<2>(output, upper);
    }
}

/// Stores lanes `4q + FIRST` and `4q + FIRST + 1` of every quad side by side.
#[inline(always)]
fn store_row<const FIRST: usize>(output: &BlockOutput, row: &mut [[f32; 4]]) {
    let quads = [0, 1, 2, 3].map(|component: usize| output.color[component].0.as_chunks::<4>().0);
    let color = |quad: usize, lane: usize| quads.map(|component| component[quad][lane]);
    let (pairs, rest) = row.as_chunks_mut::<2>();
    for (quad, pair) in pairs.iter_mut().enumerate().take(quads[0].len()) {
        *pair = [color(quad, FIRST), color(quad, FIRST + 1)];
    }
    if let (Some(last), true) = (rest.first_mut(), pairs.len() < quads[0].len()) {
        *last = color(pairs.len(), FIRST);
    }
}
