//! Draws the viewport quad, a rectangle that covers the window, tile by tile. Its blocks are two rows of
//! pixels high.

use super::super::interpolate::{BLOCK_WIDTH, ViewportQuad};
use super::super::merge::{self, DepthSource, Fragment};
use super::super::samples::Rate;
use super::super::setup::{Bounds, Limits};
use super::super::tile::Tile;
use super::super::{Facing, PixelStatus, Stats, raster};
use super::{BlockOutput, BlockShader, DrawPass, LANES, QUADS, Subject, Worker, corners};
use crate::memory::Origin;
use crate::simd::{self, ones};

/// A block of two rows of pixels.
struct Rows {
    /// The lower left pixel, relative to the tile.
    at: [usize; 2],
    /// The lanes that are drawn.
    active: u64,
    /// The samples of each lane that are drawn.
    coverage: [u16; LANES],
    /// The rasterised depth, the same for all fragments.
    z: f32,
    /// The sample that is shaded; `None` if one invocation shades all samples of a pixel.
    sample: Option<u8>,
}

impl Rows {
    /// The pixel of a lane, relative to the tile.
    const fn pixel(&self, lane: usize) -> [usize; 2] {
        [self.at[0] + lane / 4 * 2 + lane % 2, self.at[1] + lane / 2 % 2]
    }
}

impl<S: BlockShader> DrawPass<'_, S> {
    /// Whether all samples of each pixel are equal after the draw, whatever they were before, in a window of
    /// this size.
    pub(super) fn leaves_samples_alike(&self, limits: &Limits, [width, height]: [u32; 2]) -> bool {
        let all = Bounds { low: [0; 2], high: [width - 1, height - 1] };
        let [low, high] = [all.low, all.high].map(|corner| corner.map(|x| x as i32));
        let is_whole = limits.bounds(low, high).is_some_and(|inside| inside == all);
        self.clear.is_some() && is_whole && self.merge.is_plain() && !self.merge.can_kill
    }

    pub(super) fn viewport_tile(&self, quad: &ViewportQuad, limits: &Limits, mut tile: Tile<'_>) {
        let [low, high] = corners(&tile);
        let inside = limits.bounds(low.map(|x| x as i32), high.map(|x| x as i32));
        // The quad is drawn to layer 0 only.
        let inside = inside.filter(|_| tile.layer == 0);
        let Some(inside) = inside else {
            if !self.cancelled() {
                self.clear(&mut tile);
            }
            return;
        };
        let whole = inside == Bounds { low, high };
        self.with_worker(|worker, stats| {
            worker.inputs.set_aside(self.seen.is_some_and(|seen| seen != tile.layer));
            // Every pixel is overwritten unless a test or the program can refuse a fragment.
            if self.merge.is_plain() && !self.merge.can_kill && whole {
                if let Some(clear) = &self.clear {
                    tile.clear_others(clear.color);
                    tile.clear_depth(clear.clamped_depth());
                }
                tile.fill_status(PixelStatus::Written);
            } else {
                self.clear(&mut tile);
            }
            let [width, height] = tile.size;
            let samples = self.invocations();
            let mut resolves = false;
            for x in (0..width).step_by(BLOCK_WIDTH as usize) {
                quad.fill_columns(&mut worker.inputs, tile.origin[0] + x, 0);
                let columns = BLOCK_WIDTH.min(width - x) as usize;
                for y in (0..height).step_by(2) {
                    let mut active = active_lanes(columns, (height - y).min(2) as usize);
                    if !whole {
                        active &= lanes_within(inside, [low[0] + x, low[1] + y]);
                        if active == 0 {
                            continue;
                        }
                    }
                    for sample in 0..samples {
                        if samples > 1 {
                            quad.fill_columns(&mut worker.inputs, tile.origin[0] + x, sample);
                        }
                        quad.fill_rows(&mut worker.inputs, tile.origin[1] + y, sample);
                        let own = if samples > 1 { 1 << sample } else { u16::MAX };
                        let coverage = [own & self.merge.early_coverage(); LANES];
                        let own_sample = (samples > 1).then_some(sample as u8);
                        let at = [x as usize, y as usize];
                        let rows = Rows { at, active, coverage, z: quad.z, sample: own_sample };
                        resolves |= self.rows(quad, rows, (&mut tile, whole), worker, stats);
                    }
                }
            }
            if resolves {
                tile.resolve();
            }
            simd::settle();
        });
    }

    /// Invocations of the program per pixel.
    fn invocations(&self) -> usize {
        let sampling = self.merge.sampling;
        if sampling.rate == Rate::Pixel { 1 } else { sampling.covered.count() }
    }

    /// Shades and merges a block whose attributes are set. Returns whether the window still has to be
    /// resolved.
    fn rows(
        &self,
        quad: &ViewportQuad,
        mut rows: Rows,
        (tile, whole): (&mut Tile<'_>, bool),
        worker: &mut Worker<S::Worker>,
        stats: &mut Stats,
    ) -> bool {
        self.leave_passing(tile, &mut rows, stats);
        if rows.active == 0 {
            return false;
        }
        let [left, below] = [0, 1].map(|axis| tile.origin[axis] + rows.at[axis] as u32);
        let Worker { shader, inputs, output, .. } = worker;
        if self.facts.evaluates {
            inputs.set_interpolants(quad.interpolants([left, below]));
        }
        if self.names_pixels() {
            let pixel = |lane: u32| [left + lane / 4 * 2 + lane % 2, below + lane / 2 % 2];
            let origin = Origin { sample: rows.sample, ..Origin::default() };
            inputs.set_invocations((0..LANES as u32).map(|lane| (Subject::Pixel(pixel(lane)), origin)));
        }
        self.shade_block(shader, inputs, output, rows.active, stats);
        if whole && self.merge.is_plain() && output.killed & rows.active == 0 {
            self.merge_rows(output, &rows, tile, stats);
            return false;
        }
        for lane in ones(rows.active) {
            let fragment = self.fragment(output, lane, &rows);
            self.merge.shaded_fragment(tile, rows.pixel(lane), &fragment, stats);
        }
        true
    }

    /// Merges a block row by row. All fragments of the block are written, without tests or blending.
    fn merge_rows(&self, output: &BlockOutput, rows: &Rows, tile: &mut Tile<'_>, stats: &mut Stats) {
        let [x, y] = rows.at;
        let end = tile.size[0] as usize;
        let columns = x..end.min(x + BLOCK_WIDTH as usize);
        // All samples have the same colour, so the resolved window has it too.
        tile.each_first_color(|rows| merge::store_rows(output, rows, y, columns.clone()));
        stats.written += u64::from(rows.active.count_ones());
        if self.merge.can_kill {
            // The statuses were cleared, not filled in advance.
            tile.status[y..]
                .iter_mut()
                .take(2)
                .for_each(|row| row[columns.clone()].fill(PixelStatus::Written));
        }
    }

    /// Clears the lanes and samples that fail the early tests or that the multisample state excludes.
    fn leave_passing(&self, tile: &mut Tile<'_>, rows: &mut Rows, stats: &mut Stats) {
        if rows.coverage[0] == 0 {
            rows.active = 0;
        }
        if !self.merge.has_early_tests() {
            return;
        }
        for lane in ones(rows.active) {
            let fragment = Fragment {
                color: [0.0; 4],
                other_colors: [[0.0; 4]; merge::OTHERS],
                second_color: [0.0; 4],
                depth: rows.z,
                depths: None,
                coverage: rows.coverage[lane],
                sample_mask: u32::MAX,
                killed: false,
                facing: Facing::Front,
            };
            rows.coverage[lane] = self.merge.passes_early(tile, rows.pixel(lane), &fragment, stats);
            if rows.coverage[lane] == 0 {
                rows.active &= !(1 << lane);
            }
        }
    }

    fn fragment(&self, output: &BlockOutput, lane: usize, rows: &Rows) -> Fragment<'static> {
        let depth = match self.merge.source() {
            DepthSource::Program => output.depth.0[lane],
            DepthSource::Window => rows.z,
        };
        let (color, killed) = (merge::lane_color(&output.color, lane), output.killed >> lane & 1 != 0);
        let mut other_colors = [[0.0; 4]; merge::OTHERS];
        if self.merge.takes_other_colors() {
            for (color, registers) in other_colors.iter_mut().zip(output.other_colors.iter()) {
                *color = merge::lane_color(registers, lane);
            }
        }
        let mut second_color = [0.0; 4];
        if self.merge.takes_second_color() {
            second_color = merge::lane_color(&output.secondary, lane);
        }
        Fragment {
            color,
            other_colors,
            second_color,
            depth,
            depths: None,
            coverage: rows.coverage[lane],
            sample_mask: output.sample_mask.0[lane].to_bits(),
            killed,
            facing: Facing::Front,
        }
    }
}

/// The lanes within `bounds` of a block of two rows of pixels. (x, y) is the block's lower left pixel.
fn lanes_within(bounds: Bounds, [x, y]: [u32; 2]) -> u64 {
    (0..QUADS as u32)
        .fold(0, |mask, quad| mask | u64::from(raster::within(bounds, x + 2 * quad, y)) << (4 * quad))
}

/// The lanes of the first `columns` columns and first `rows` rows of a block of two rows of pixels.
fn active_lanes(columns: usize, rows: usize) -> u64 {
    let quads = |count: usize| if count >= QUADS { u64::MAX } else { (1 << (count * 4)) - 1 };
    let left = quads(columns.div_ceil(2)) & 0x5555_5555_5555_5555;
    let right = quads(columns / 2) & 0xAAAA_AAAA_AAAA_AAAA;
    (left | right) & if rows >= 2 { u64::MAX } else { 0x3333_3333_3333_3333 }
}
