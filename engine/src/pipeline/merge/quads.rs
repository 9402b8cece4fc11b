//! The fast way of merging: the quads of a block, one after the other, four lanes at a time.
//!
//! What a draw does not use costs nothing: whether there are alpha and stencil tests and how colours are
//! combined is part of the loop's type.

use super::color::{ColorWrite, Combine, Over, Store};
use super::status::refuse_lanes;
use super::{Color, ColorSource, DepthSource, Merge, Waiting, each};
use crate::exec::BlockOutput;
use crate::pipeline::draw::lane_mask;
use crate::pipeline::interpolate::QUADS;
use crate::pipeline::tile::QuadTile;
use crate::pipeline::{PixelStatus, Stats, vector};

impl Merge {
    /// Merges the fragments of a block, quad after quad: two may cover the same pixels.
    pub fn quads(&self, tile: &mut QuadTile, output: &BlockOutput, quads: &[Waiting], stats: &mut Stats) {
        let block = Block { merge: self, tile, output, quads, stats };
        match (self.alpha.is_some() || self.stencil.is_some(), self.color) {
            _ if self.first != ColorSource::Output(0) || self.has_others => block.run_buffers(),
            (false, ColorWrite::Store) => block.run::<false, _>(Store),
            (false, ColorWrite::Over) => block.run::<false, _>(Over),
            (false, ColorWrite::Combined(combined)) => block.run::<false, _>(combined),
            (true, ColorWrite::Store) => block.run::<true, _>(Store),
            (true, ColorWrite::Over) => block.run::<true, _>(Over),
            (true, ColorWrite::Combined(combined)) => block.run::<true, _>(combined),
        }
    }
}

/// What [`Merge::quads`] is given.
struct Block<'a> {
    merge: &'a Merge,
    tile: &'a mut QuadTile,
    output: &'a BlockOutput,
    quads: &'a [Waiting],
    stats: &'a mut Stats,
}

impl Block<'_> {
    /// `TESTS` says whether there are alpha or stencil tests.
    fn run<const TESTS: bool, C: Combine>(self, combine: C) {
        vector::widest(MergeQuads::<TESTS, C> { block: self, combine });
    }
}

impl Block<'_> {
    /// Any number of colour buffers, or one that does not simply take output colour 0. The alpha that is tested
    /// is output colour 0's; each buffer is blended by itself (ARB_draw_buffers 4.2.1).
    fn run_buffers(self) {
        let Self { merge, tile, output, quads, stats } = self;
        let first = if merge.writes_first { ColorSource::Output(0) } else { ColorSource::Unwritten };
        let alphas = first.rows(output)[3].0.as_chunks::<4>().0;
        let depths = output.depth.0.as_chunks::<4>().0;
        let sources = [merge.first].into_iter().chain(merge.others);
        for (number, quad) in quads.iter().enumerate().take(depths.len()) {
            let place = usize::from(quad.place);
            let killed = (output.killed >> (4 * number)) as u8 & quad.covered;
            let shaded = ShadedQuad { quad, killed, alpha: &alphas[number], depth: &depths[number] };
            let alive = merge.survivors::<true>(&shaded, tile, stats);
            stats.written += u64::from(alive.count_ones());
            let buffers = [&mut tile.color].into_iter().chain(&mut tile.others);
            let written = buffers.zip(sources.clone()).filter(|(_, source)| *source != ColorSource::Nothing);
            for (buffer, source) in written {
                let rows = source.rows(output);
                for lane in lanes(alive) {
                    let color = each(|component| rows[component].0[4 * number + lane]);
                    let stored = &mut buffer[place][lane];
                    *stored = merge.color.fragment(color, *stored);
                }
            }
            for lane in lanes(alive) {
                tile.status[place][lane] = PixelStatus::Written;
            }
        }
    }
}

/// The lanes of a quad that a mask names.
fn lanes(mask: u8) -> impl Iterator<Item = usize> {
    (0..4).filter(move |lane| mask >> lane & 1 != 0)
}

struct MergeQuads<'a, const TESTS: bool, C> {
    block: Block<'a>,
    combine: C,
}

impl<const TESTS: bool, C: Combine> vector::Task for MergeQuads<'_, TESTS, C> {
    #[inline(always)]
    fn run(self) {
        let Self { block: Block { merge, tile, output, quads, stats }, combine } = self;
        let colors = output.color.each_ref().map(|row| row.0.as_chunks::<4>().0);
        let depths = output.depth.0.as_chunks::<4>().0;
        // By pixels. All quads first: what has just been stored in parts cannot be loaded as a whole at once.
        let mut sources: [[Color; 4]; QUADS] = [[[0.0; 4]; 4]; QUADS];
        let [r, g, b, a] = &colors;
        for (number, source) in sources.iter_mut().enumerate().take(quads.len()) {
            *source = vector::transposed([&r[number], &g[number], &b[number], &a[number]]);
        }
        let mut written = 0;
        for (number, quad) in quads.iter().enumerate().take(depths.len()) {
            let place = usize::from(quad.place);
            let killed = (output.killed >> (4 * number)) as u8 & quad.covered;
            let shaded = ShadedQuad { quad, killed, alpha: &colors[3][number], depth: &depths[number] };
            let alive = merge.survivors::<TESTS>(&shaded, tile, stats);
            if alive == 0 {
                continue;
            }
            written += alive.count_ones();
            let (color, status) = (&mut tile.color[place], &mut tile.status[place]);
            let source = &sources[number];
            if alive == 0b1111 {
                for (stored, source) in color.iter_mut().zip(source) {
                    *stored = combine.combine(source, stored);
                }
                *status = [PixelStatus::Written; 4];
            } else {
                for lane in lanes(alive) {
                    color[lane] = combine.combine(&source[lane], &color[lane]);
                    status[lane] = PixelStatus::Written;
                }
            }
        }
        stats.written += u64::from(written);
    }
}

/// A quad and what the program made of it.
struct ShadedQuad<'a> {
    quad: &'a Waiting,
    /// Covered lanes that it discarded.
    killed: u8,
    alpha: &'a [f32; 4],
    /// Where it replaces depth.
    depth: &'a [f32; 4],
}

impl Merge {
    /// The lanes of a quad that pass all tests. Stencil and depth are updated; why the others fail is
    /// counted and noted.
    #[inline(always)]
    fn survivors<const TESTS: bool>(
        &self,
        shaded: &ShadedQuad<'_>,
        tile: &mut QuadTile,
        stats: &mut Stats,
    ) -> u8 {
        let quad = shaded.quad;
        let place = usize::from(quad.place);
        let (stored, status) = (&mut tile.depth[place], &mut tile.status[place]);
        let mut alive = quad.covered;
        refuse_lanes(&mut alive, shaded.killed, PixelStatus::Killed, status, stats);
        let mut depth = quad.z;
        if self.depth.source == DepthSource::Program {
            depth = std::array::from_fn(|lane| self.depth.program(shaded.depth[lane]).0);
            let good = std::array::from_fn(|lane| self.depth.program(shaded.depth[lane]).1);
            let outside = alive & !lane_mask(good);
            refuse_lanes(&mut alive, outside, PixelStatus::DepthDiscarded, status, stats);
        }
        let mut stencil = None;
        if TESTS {
            if let Some(test) = &self.alpha {
                let failed = alive & !test.passing(shaded.alpha);
                refuse_lanes(&mut alive, failed, PixelStatus::AlphaFailed, status, stats);
            }
            if let (Some(state), Some(values)) = (&self.stencil, tile.stencil.get_mut(place)) {
                let face = state.face(quad.facing);
                let failed = alive & !face.passing(values);
                face.update(face.fail, values, failed);
                refuse_lanes(&mut alive, failed, PixelStatus::StencilFailed, status, stats);
                stencil = Some((face, values));
            }
        }
        if let Some(func) = self.depth.test {
            let failed = alive & !func.passing(&depth, stored);
            if TESTS && let Some((face, values)) = &mut stencil {
                face.update(face.depth_fail, values, failed);
            }
            refuse_lanes(&mut alive, failed, PixelStatus::DepthFailed, status, stats);
            if self.depth.write && alive != 0 {
                let mask = LANE_MASKS[usize::from(alive & 15)];
                *stored = std::array::from_fn(|lane| {
                    let (new, old) = (depth[lane].to_bits(), stored[lane].to_bits());
                    f32::from_bits(new & mask[lane] | old & !mask[lane])
                });
            }
        }
        if TESTS && let Some((face, values)) = stencil {
            face.update(face.pass, values, alive);
        }
        alive
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
