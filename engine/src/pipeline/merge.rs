//! From shaded fragments to pixels: discards, depth range, depth test, writes (glspec15 4.1.6,
//! NV_depth_clamp, NV_fragment_program 3.11.6).

use super::draw::lane_mask;
use super::tile::{QuadTile, Tile};
use super::{DepthFunc, Draw, PixelStatus, Stats, vector};
use crate::exec::BlockOutput;

/// Where a fragment's depth comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthSource {
    /// The rasteriser.
    Window,
    /// The program replaces it.
    Program,
}

/// Per-fragment state of one draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Merge {
    test: Option<DepthFunc>,
    write: bool,
    clamp: bool,
    source: DepthSource,
    low: f32,
    high: f32,
    writes_color: bool,
}

/// A fragment on its way to its pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment {
    pub color: [f32; 4],
    /// Rasterised or replaced.
    pub depth: f32,
    pub killed: bool,
}

/// A quad of a triangle that is, or will be, part of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    /// See [`QuadTile::place`].
    pub place: u16,
    /// The lanes to be drawn.
    pub covered: u8,
    /// Which of the triangles that quads wait of.
    pub triangle: u8,
    /// Rasterised depths as the depth test sees them, if it does.
    pub z: [f32; 4],
}

impl Merge {
    pub fn new(draw: &Draw, source: DepthSource, writes_color: bool) -> Self {
        let [near, far] = draw.depth.clamped_range();
        let (test, write, clamp) = (draw.depth.test, draw.depth.write, draw.depth.clamp);
        Self { test, write, clamp, source, low: near.min(far), high: near.max(far), writes_color }
    }

    /// Where depths come from.
    pub fn source(&self) -> DepthSource {
        self.source
    }

    /// Whether a rasterised depth has any effect.
    pub fn uses_window_depth(&self) -> bool {
        self.test.is_some() && self.source == DepthSource::Window
    }

    /// Whether a fragment that is not killed is always written, and only its colour.
    pub fn is_plain(&self) -> bool {
        self.test.is_none() && self.source == DepthSource::Window && self.writes_color
    }

    /// Rasterised depth as the test sees it. Where near and far clip, this removes rounding errors
    /// only.
    #[inline(always)]
    pub fn window_depth(&self, z: f32) -> f32 {
        // Not `max` and `min`, which cost more; NaN, of points beyond all bounds, becomes the low end.
        let z = if z > self.low { z } else { self.low };
        if z < self.high { z } else { self.high }
    }

    /// The same of a quad's lanes.
    #[inline(always)]
    pub fn window_depths(&self, z: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|lane| self.window_depth(z[lane]))
    }

    /// The test by which fragments with rasterised depths can be refused before they are shaded,
    /// because what fails now cannot pass any more. Such a fragment writes nothing whether the program
    /// would have discarded it or not.
    pub fn early_test(&self) -> Option<DepthFunc> {
        self.test.filter(|func| self.source == DepthSource::Window && func.failure_is_final())
    }

    /// A depth that the program gave as the test sees it, and whether it is within the range.
    #[inline(always)]
    fn program_depth(&self, depth: f32) -> (f32, bool) {
        let clamps = self.clamp && !depth.is_nan();
        let depth = if clamps { depth.max(self.low).min(self.high) } else { depth };
        (depth, depth >= self.low && depth <= self.high)
    }

    /// Merges the fragments of a block, quad after quad: two may cover the same pixels.
    pub fn quads(&self, tile: &mut QuadTile, output: &BlockOutput, quads: &[Waiting], stats: &mut Stats) {
        vector::widest(MergeQuads { merge: self, tile, output, quads, stats });
    }

    /// What is left of the fragments of a quad, given those discarded by the program, and their depths
    /// there; notes why the others are not.
    #[inline(always)]
    fn survivors(
        &self,
        quad: &Waiting,
        killed: u8,
        replaced: &[f32; 4],
        stored: &[f32; 4],
        status: &mut [PixelStatus; 4],
        stats: &mut Stats,
    ) -> (u8, [f32; 4]) {
        let mut alive = quad.covered & !killed;
        let mut depth = quad.z;
        if killed != 0 {
            stats.killed += u64::from(killed.count_ones());
            refuse(status, killed, PixelStatus::Killed);
        }
        if self.source == DepthSource::Program {
            depth = std::array::from_fn(|lane| self.program_depth(replaced[lane]).0);
            let good = std::array::from_fn(|lane| self.program_depth(replaced[lane]).1);
            let discarded = alive & !lane_mask(good);
            if discarded != 0 {
                stats.depth_discarded += u64::from(discarded.count_ones());
                refuse(status, discarded, PixelStatus::DepthDiscarded);
                alive &= !discarded;
            }
        }
        if let Some(func) = self.test {
            let failed = alive & !func.passing(&depth, stored);
            if failed != 0 {
                stats.depth_failed += u64::from(failed.count_ones());
                refuse(status, failed, PixelStatus::DepthFailed);
                alive &= !failed;
            }
        }
        (alive, depth)
    }

    /// Merges one fragment into pixel (x, y) of the tile.
    #[inline]
    pub fn fragment(&self, tile: &mut Tile<'_>, x: usize, y: usize, fragment: &Fragment, stats: &mut Stats) {
        let status = &mut tile.status[y][x];
        let mut refuse = |reason: PixelStatus| {
            if *status != PixelStatus::Written {
                *status = reason;
            }
        };
        if fragment.killed {
            stats.killed += 1;
            return refuse(PixelStatus::Killed);
        }
        let depth = match self.source {
            DepthSource::Window => self.window_depth(fragment.depth),
            DepthSource::Program => {
                let (depth, good) = self.program_depth(fragment.depth);
                if !good {
                    stats.depth_discarded += 1;
                    return refuse(PixelStatus::DepthDiscarded);
                }
                depth
            }
        };
        if let Some(func) = self.test {
            let stored = &mut tile.depth[y][x];
            if !func.passes(depth, *stored) {
                stats.depth_failed += 1;
                return refuse(PixelStatus::DepthFailed);
            }
            if self.write {
                *stored = depth;
            }
        }
        // An output register that is never written holds zeros (ruling 10).
        tile.color[y][x] = if self.writes_color { fragment.color } else { [0.0; 4] };
        tile.status[y][x] = PixelStatus::Written;
        stats.written += 1;
    }
}

/// [`Merge::quads`].
struct MergeQuads<'a> {
    merge: &'a Merge,
    tile: &'a mut QuadTile,
    output: &'a BlockOutput,
    quads: &'a [Waiting],
    stats: &'a mut Stats,
}

impl vector::Task for MergeQuads<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { merge, tile, output, quads, stats } = self;
        let colors: [_; 4] = std::array::from_fn(|c| output.color[c].0.as_chunks::<4>().0);
        let depths = output.depth.0.as_chunks::<4>().0;
        let mut written = 0;
        for (number, quad) in quads.iter().enumerate().take(depths.len()) {
            let place = usize::from(quad.place);
            let (stored, status) = (&mut tile.depth[place], &mut tile.status[place]);
            let killed = (output.killed >> (4 * number)) as u8 & quad.covered;
            let (alive, depth) = merge.survivors(quad, killed, &depths[number], stored, status, stats);
            if alive == 0 {
                continue;
            }
            written += alive.count_ones();
            if merge.test.is_some() && merge.write {
                let mask = LANE_MASKS[usize::from(alive & 15)];
                *stored = std::array::from_fn(|lane| {
                    let (new, old) = (depth[lane].to_bits(), stored[lane].to_bits());
                    f32::from_bits(new & mask[lane] | old & !mask[lane])
                });
            }
            // An output register that is never written holds zeros (ruling 10).
            let [r, g, b, a] = match merge.writes_color {
                true => std::array::from_fn(|component| colors[component][number]),
                false => [[0.0; 4]; 4],
            };
            let new: [[f32; 4]; 4] = std::array::from_fn(|lane| [r[lane], g[lane], b[lane], a[lane]]);
            let color = &mut tile.color[place];
            if alive == 0b1111 {
                *color = new;
                *status = [PixelStatus::Written; 4];
            } else {
                for lane in (0..4).filter(|lane| alive >> lane & 1 != 0) {
                    color[lane] = new[lane];
                    status[lane] = PixelStatus::Written;
                }
            }
        }
        stats.written += u64::from(written);
    }
}

/// All bits of the lanes that a mask of four names.
const LANE_MASKS: [[u32; 4]; 16] = {
    let mut masks = [[0; 4]; 16];
    let mut i = 0;
    while i < 64 {
        if (i / 4) >> (i % 4) & 1 != 0 {
            masks[i / 4][i % 4] = u32::MAX;
        }
        i += 1;
    }
    masks
};

/// Notes why fragments were refused, for pixels where nothing has been written.
#[inline(always)]
fn refuse(status: &mut [PixelStatus; 4], lanes: u8, reason: PixelStatus) {
    for (lane, status) in status.iter_mut().enumerate() {
        if lanes >> lane & 1 != 0 && *status != PixelStatus::Written {
            *status = reason;
        }
    }
}

/// Notes that fragments failed the depth test before they were shaded. What became of shaded ones
/// stands, so that the order does not matter: earlier ones may still wait for that.
#[inline(always)]
pub(super) fn refuse_unshaded(status: &mut [PixelStatus; 4], lanes: u8) {
    for (lane, status) in status.iter_mut().enumerate() {
        if lanes >> lane & 1 != 0 && *status == PixelStatus::Empty {
            *status = PixelStatus::DepthFailed;
        }
    }
}

/// The colour of one lane.
#[inline]
pub(super) fn lane_color(output: &BlockOutput, lane: usize) -> [f32; 4] {
    let [r, g, b, a] = &output.color;
    [r.0[lane], g.0[lane], b.0[lane], a.0[lane]]
}

/// Stores the colours of a block that is two rows of pixels, `upper` absent at the top edge of a
/// window of odd height. The rows' lengths say how many columns there are.
pub(super) fn store_rows(output: &BlockOutput, lower: &mut [[f32; 4]], upper: Option<&mut [[f32; 4]]>) {
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
