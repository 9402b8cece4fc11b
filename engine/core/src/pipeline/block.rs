//! The pixel order of the 8x8 blocks that rasteriser and tiles use: quads row by row, the four lanes of a
//! quad side by side. A block has as many pixels as a shader batch has lanes.

use super::setup::Bounds;
use crate::exec::LANES;

/// Side of a block in pixels; a power of two.
pub(super) const SIDE: u32 = 8;

/// Quads in a row of a block.
pub(super) const COLUMNS: usize = SIDE as usize / 2;

/// Rows of quads in a block.
pub(super) const ROWS: usize = COLUMNS;

/// Quads in a block, which is also the number of quads in a batch.
pub(super) const QUADS: usize = COLUMNS * ROWS;

/// Lanes of a strip: a row of quads.
pub(super) const STRIP: usize = 4 * COLUMNS;

/// The offset of a lane in pixels (right, up) from the lower left pixel of its block or strip.
pub(super) const fn pixel(lane: usize) -> [usize; 2] {
    let (quad, lane) = (lane / 4, lane % 4);
    [quad % COLUMNS * 2 + lane % 2, quad / COLUMNS * 2 + lane / 2]
}

const fn places(axis: usize) -> [f64; LANES] {
    let mut places = [0.0; LANES];
    let mut lane = 0;
    while lane < LANES {
        places[lane] = pixel(lane)[axis] as f64;
        lane += 1;
    }
    places
}

/// The offset of each lane to the right of the lower left pixel, in pixels.
pub(super) const X: [f64; LANES] = places(0);

/// The offset of each lane above the lower left pixel, in pixels.
pub(super) const Y: [f64; LANES] = places(1);

/// 0, 1, 2 and so on, one number per lane.
pub(super) const NUMBERS: [f64; LANES] = {
    let mut numbers = [0.0; LANES];
    let mut lane = 0;
    while lane < LANES {
        numbers[lane] = lane as f64;
        lane += 1;
    }
    numbers
};

/// The bit of each lane.
pub(super) const BITS: [u64; LANES] = {
    let mut bits = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// A mask of lanes for each column (axis 0) or each row (axis 1).
const fn lines(axis: usize) -> [u64; SIDE as usize] {
    let mut lines = [0; SIDE as usize];
    let mut lane = 0;
    while lane < LANES {
        lines[pixel(lane)[axis]] |= 1 << lane;
        lane += 1;
    }
    lines
}

/// The lanes of a block that are within `bounds`. `corner` is the lower left pixel of the block.
#[inline]
pub(super) fn within(bounds: Bounds, corner: [u32; 2]) -> u64 {
    const LINES: [[u64; SIDE as usize]; 2] = [lines(0), lines(1)];
    let mut lanes = u64::MAX;
    for axis in 0..2 {
        let (low, high) = (bounds.low[axis], bounds.high[axis]);
        if low > corner[axis] || high < corner[axis] + (SIDE - 1) {
            let inside = (corner[axis]..).zip(LINES[axis]).filter(|(at, _)| (low..=high).contains(at));
            lanes &= inside.fold(0, |lanes, (_, line)| lanes | line);
        }
    }
    lanes
}

/// The lanes of a strip in columns within `bounds`. `x` is the column of the lower left pixel.
#[inline(always)]
pub(super) fn strip_columns(bounds: Bounds, x: u32) -> u16 {
    /// The lanes of this column and of all columns to the right; empty after the last column.
    const FROM: [u16; SIDE as usize + 1] = {
        let mut from = [0; SIDE as usize + 1];
        let mut column = SIDE as usize;
        while column > 0 {
            column -= 1;
            from[column] = from[column + 1] | lines(0)[column] as u16;
        }
        from
    };
    let at = |column: u32| FROM[column.saturating_sub(x).min(SIDE) as usize];
    at(bounds.low[0]) & !at(bounds.high[0] + 1)
}

/// The lanes of a strip in rows within `bounds`. `y` is the lower row of the strip. At least one of the two
/// rows is within.
#[inline(always)]
pub(super) const fn strip_rows(bounds: Bounds, y: u32) -> u16 {
    const LOWER: u16 = lines(1)[0] as u16;
    let lower = if y < bounds.low[1] { 0 } else { LOWER };
    let upper = if y == bounds.high[1] { 0 } else { !LOWER };
    lower | upper
}

/// The offset in pixels (right, up) of a quad from the lower left pixel of its block.
#[inline(always)]
pub(super) const fn corner(quad: usize) -> [u32; 2] {
    [(quad % COLUMNS * 2) as u32, (quad / COLUMNS * 2) as u32]
}

/// The inverse of [`corner`].
#[inline(always)]
pub(super) const fn quad([x, y]: [u32; 2]) -> usize {
    y as usize / 2 * COLUMNS + x as usize / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_those_of_quads_row_by_row() {
        for lane in 0..LANES {
            let [x, y] = corner(lane / 4);
            assert_eq!(quad([x, y]), lane / 4);
            assert_eq!(
                [X[lane], Y[lane]],
                [f64::from(x) + (lane % 2) as f64, f64::from(y) + (lane / 2 % 2) as f64]
            );
        }
    }

    #[test]
    fn bounds_leave_the_lanes_within() {
        let corner = [16, 40];
        for (low, high) in
            [([0, 0], [99, 99]), ([17, 40], [22, 47]), ([16, 46], [16, 60]), ([20, 43], [20, 43])]
        {
            let expected = (0..LANES).filter(|&lane| {
                let at = [16 + X[lane] as u32, 40 + Y[lane] as u32];
                (0..2).all(|axis| (low[axis]..=high[axis]).contains(&at[axis]))
            });
            assert_eq!(
                within(Bounds { low, high }, corner),
                expected.fold(0, |lanes, lane| lanes | BITS[lane])
            );
        }
    }

    #[test]
    fn bounds_leave_the_lanes_of_strips_within() {
        let (x, y) = (16, 40);
        for low in [0, 14, 16, 17, 20, 23] {
            for high in (low.max(16)..28).chain([99]) {
                for (bottom, top) in [(30, 50), (41, 50), (30, 40), (40, 40), (41, 41), (40, 41)] {
                    let bounds = Bounds { low: [low, bottom], high: [high, top] };
                    let expected = (0..STRIP).filter(|&lane| {
                        let at = [x + X[lane] as u32, y + Y[lane] as u32];
                        (0..2).all(|axis| (bounds.low[axis]..=bounds.high[axis]).contains(&at[axis]))
                    });
                    let expected = expected.fold(0, |lanes, lane| lanes | BITS[lane]);
                    assert_eq!(u64::from(strip_columns(bounds, x) & strip_rows(bounds, y)), expected);
                }
            }
        }
    }
}
