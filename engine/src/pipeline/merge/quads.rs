//! The fast way of merging: the fragments of a block, lane by lane of lane registers.
//!
//! First all quads are tested, one after the other; then colours and account follow, for as many pixels at a
//! time as lie side by side. Nothing that a test looks at is among the latter, so that the order of what
//! happens at a pixel is kept. What a draw does not use costs nothing: how colours are combined is part of
//! the loop's type.

use super::blend::Sources;
use super::color::{ColorWrite, Combine, InFormat, Over, Rounded, RoundedTo, Store};
use super::status::{note_written, refuse_lanes};
use super::{ColorSource, Colors, DepthSource, Merge};
use crate::exec::{BlockOutput, FragmentTests, LaneRegister};
use crate::pipeline::block;
use crate::pipeline::draw::lane_mask;
use crate::pipeline::tile::{ColorBlock, QuadColors, QuadTile};
use crate::pipeline::{ColorFormat, Facing, PixelStatus, Stats, vector};

/// Quads of triangles and what the program made of them, at most as many as a block has.
pub(in crate::pipeline) struct Shaded<'a> {
    pub output: &'a BlockOutput,
    /// The lanes to be drawn.
    pub active: u64,
    /// See [`QuadTile::place`].
    pub places: &'a [u16],
    /// Empty if nothing depends on them.
    pub facings: &'a [Facing],
    /// Rasterised depths as the depth test sees them, if it does.
    pub z: &'a [[f32; 4]],
}

impl Merge {
    /// Merges the fragments of a block, quad after quad: two may cover the same pixels.
    pub fn quads(&self, tile: &mut QuadTile, shaded: &Shaded<'_>, stats: &mut Stats) {
        let mut alive = shaded.active;
        if self.may_refuse() || shaded.output.killed & alive != 0 {
            vector::widest(TestQuads { merge: self, tile, shaded, alive: &mut alive, stats });
        }
        stats.written += u64::from(alive.count_ones());
        let runs = AdjacentQuads::new(shaded.places);
        vector::widest(NoteWritten { status: &mut tile.status, runs: &runs, alive });
        let sources = [self.first].into_iter().chain(self.others);
        for (QuadColors { format, blocks }, source) in tile.colors.iter_mut().zip(sources) {
            if source != ColorSource::Nothing {
                let sources = [source, self.second].map(|source| source.registers(shaded.output));
                let written = Written { sources, runs: &runs, alive, blocks };
                match (self.color_in(*format), *format) {
                    // Rounded when the tile is stored.
                    (ColorWrite::Store, _) => written.run(Store),
                    (ColorWrite::Integers(write), format) => written.run(InFormat(write, format)),
                    (ColorWrite::Over, ColorFormat::Rgba32F) => written.run(Over),
                    (ColorWrite::Over, ColorFormat::Rgba8) => written.run(Rounded(Over)),
                    (ColorWrite::Over, format) => written.run(RoundedTo(Over, format)),
                    (ColorWrite::Combined(combined), ColorFormat::Rgba32F) => written.run(combined),
                    (ColorWrite::Combined(combined), ColorFormat::Rgba8) => written.run(Rounded(combined)),
                    (ColorWrite::Combined(combined), format) => written.run(RoundedTo(combined, format)),
                    (ColorWrite::DualSource(dual), ColorFormat::Rgba32F) => written.run(dual),
                    (ColorWrite::DualSource(dual), ColorFormat::Rgba8) => written.run(Rounded(dual)),
                    (ColorWrite::DualSource(dual), format) => written.run(RoundedTo(dual, format)),
                }
            }
        }
    }
}

/// Quads of a block whose places follow each other within one block.
#[derive(Clone, Copy)]
struct Adjacent {
    /// The first of them in the block.
    number: usize,
    /// Its place.
    place: usize,
    length: usize,
}

/// All runs of a block.
struct AdjacentQuads<'a> {
    places: &'a [u16],
    /// Where each starts, and where the last one ends.
    bounds: u32,
}

/// Finds the runs of a block's places.
struct FindAdjacent<'a> {
    places: &'a [u16],
    /// See [`AdjacentQuads`].
    bounds: &'a mut u32,
}

impl vector::Task for FindAdjacent<'_> {
    #[inline(always)]
    fn run(self) {
        const IN_BLOCK: u16 = block::QUADS as u16 - 1;
        let count = self.places.len().min(block::QUADS);
        let (mut places, mut before) = ([0; block::QUADS], [0; block::QUADS]);
        places[..count].copy_from_slice(&self.places[..count]);
        before[1..].copy_from_slice(&places[..IN_BLOCK.into()]);
        let mut starts = 0;
        for ((place, before), bit) in places.iter().zip(before).zip(block::BITS) {
            let follows = *place == before + 1 && place & IN_BLOCK != 0;
            starts |= if follows { 0 } else { bit as u16 };
        }
        // What came before the first quad and comes after the last follows nothing.
        *self.bounds = (u32::from(starts) | 1) & ((1 << count) - 1) | 1 << count;
    }
}

impl<'a> AdjacentQuads<'a> {
    fn new(places: &'a [u16]) -> Self {
        let mut bounds = 0;
        vector::widest(FindAdjacent { places, bounds: &mut bounds });
        Self { places, bounds }
    }

    /// The place of the first quad, if they are all those of a block.
    #[inline(always)]
    fn block(&self) -> Option<usize> {
        (self.bounds == 1 | 1 << block::QUADS).then(|| usize::from(self.places[0]))
    }

    #[inline(always)]
    fn each(&self) -> impl Iterator<Item = Adjacent> {
        let mut bounds = self.bounds;
        std::iter::from_fn(move || {
            let number = bounds.trailing_zeros() as usize;
            bounds &= bounds.wrapping_sub(1);
            let length = (bounds != 0).then(|| bounds.trailing_zeros() as usize - number)?;
            Some(Adjacent { number, place: usize::from(self.places[number]), length })
        })
    }
}

/// The lowest `quads` quads of a mask of lanes.
#[inline(always)]
const fn lowest(quads: usize) -> u64 {
    u64::MAX >> (64 - 4 * quads)
}

/// Notes which pixels have been written.
struct NoteWritten<'a> {
    status: &'a mut [[PixelStatus; 4]],
    runs: &'a AdjacentQuads<'a>,
    alive: u64,
}

impl vector::Task for NoteWritten<'_> {
    #[inline(always)]
    fn run(self) {
        if let (Some(place), u64::MAX) = (self.runs.block(), self.alive) {
            self.status[place..place + block::QUADS].fill([PixelStatus::Written; 4]);
            return;
        }
        let mut alive = self.alive;
        for place in self.runs.places {
            note_written(&mut self.status[usize::from(*place)], alive as u8);
            alive >>= 4;
        }
    }
}

/// The colours that one buffer takes of a block.
struct Written<'a> {
    /// Colour and second colour, by lanes of the block.
    sources: [&'a [LaneRegister; 4]; 2],
    runs: &'a AdjacentQuads<'a>,
    /// The lanes that are written.
    alive: u64,
    blocks: &'a mut [ColorBlock],
}

impl Written<'_> {
    fn run<C: Combine>(self, combine: C) {
        vector::widest(WriteColors { written: self, combine });
    }
}

struct WriteColors<'a, C> {
    written: Written<'a>,
    combine: C,
}

/// Lanes that are merged at a time, where there are as many.
const MANY: usize = 16;

impl<C: Combine> vector::Task for WriteColors<'_, C> {
    #[inline(always)]
    fn run(self) {
        let Self { written: Written { sources, runs, alive, blocks }, combine } = self;
        if let (true, Some(place), u64::MAX) = (C::REPLACES, runs.block(), alive) {
            blocks[place / block::QUADS].clone_from(sources[0]);
            return;
        }
        for Adjacent { number, place, length } in runs.each() {
            let block = &mut blocks[place / block::QUADS];
            let (mut from, mut to) = (4 * number, 4 * (place % block::QUADS));
            let end = from + 4 * length;
            while from + MANY <= end {
                write::<C, MANY>(combine, (sources, from), (block, to), alive >> from);
                (from, to) = (from + MANY, to + MANY);
            }
            while from < end {
                write::<C, 4>(combine, (sources, from), (block, to), alive >> from);
                (from, to) = (from + 4, to + 4);
            }
        }
    }
}

/// `N` lanes of lane registers from `at` on.
#[inline(always)]
fn lanes_of<const N: usize>(registers: &[LaneRegister; 4], at: usize) -> Colors<N> {
    registers.each_ref().map(|register| match register.0[at..].first_chunk() {
        Some(lanes) => *lanes,
        None => [0.0; N],
    })
}

/// Merges `N` lanes of the colours from `from` on with those of `block` from `to` on, where `alive` has a bit.
#[inline(always)]
fn write<C: Combine, const N: usize>(
    combine: C,
    ([first, second], from): ([&[LaneRegister; 4]; 2], usize),
    (block, to): (&mut ColorBlock, usize),
    alive: u64,
) {
    let alive = alive & lowest(N / 4);
    if alive == 0 {
        return;
    }
    let stored = lanes_of::<N>(block, to);
    let second = if C::TAKES_SECOND { lanes_of::<N>(second, from) } else { [[0.0; N]; 4] };
    let new = combine.combine(&Sources { first: lanes_of::<N>(first, from), second }, &stored);
    let chosen = mask(alive);
    for ((register, new), stored) in block.iter_mut().zip(&new).zip(&stored) {
        if let Some(register) = register.0[to..].first_chunk_mut::<N>() {
            *register = if alive == lowest(N / 4) { *new } else { choose(&chosen, new, stored) };
        }
    }
}

/// All bits of the lanes of `N / 4` quads that `lanes` names.
#[inline(always)]
fn mask<const N: usize>(mut lanes: u64) -> [u32; N] {
    let mut mask = [0; N];
    for four in mask.as_chunks_mut::<4>().0 {
        *four = LANE_MASKS[lanes as usize & 15];
        lanes >>= 4;
    }
    mask
}

/// `new` where `mask` has ones, else `old`: by bits, as choices between numbers become jumps and stores of single
/// lanes, after which a vector of them cannot be read at once.
#[inline(always)]
fn choose<const N: usize>(mask: &[u32; N], new: &[f32; N], old: &[f32; N]) -> [f32; N] {
    let mut chosen = *old;
    for ((chosen, new), mask) in chosen.iter_mut().zip(new).zip(mask) {
        *chosen = f32::from_bits(new.to_bits() & mask | chosen.to_bits() & !mask);
    }
    chosen
}

/// Tests the quads of a block one after the other and leaves those lanes in `alive` that pass.
struct TestQuads<'a> {
    merge: &'a Merge,
    tile: &'a mut QuadTile,
    shaded: &'a Shaded<'a>,
    alive: &'a mut u64,
    stats: &'a mut Stats,
}

impl vector::Task for TestQuads<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { merge, tile, shaded, alive, stats } = self;
        let mut passed = 0;
        for (number, place) in shaded.places.iter().enumerate() {
            let covered = (*alive >> (4 * number)) as u8 & 15;
            if covered != 0 {
                let left = merge.survivors(shaded, (number, covered), usize::from(*place), tile, stats);
                passed |= u64::from(left) << (4 * number);
            }
        }
        *alive = passed;
    }
}

impl Merge {
    /// Whether fragments can fail any test but the program's own.
    fn may_refuse(&self) -> bool {
        if self.tests == FragmentTests::Early {
            return self.alpha.is_some();
        }
        self.alpha.is_some()
            || self.stencil.is_some()
            || self.depth.test.is_some()
            || self.depth.source == DepthSource::Program
    }

    /// The lanes of a quad of the block that pass all tests, of those that are covered. Stencil and depth are
    /// updated; why the others fail is counted and noted.
    #[inline(always)]
    fn survivors(
        &self,
        shaded: &Shaded<'_>,
        (number, covered): (usize, u8),
        place: usize,
        tile: &mut QuadTile,
        stats: &mut Stats,
    ) -> u8 {
        let output = shaded.output;
        let status = &mut tile.status[place];
        let mut alive = covered;
        let killed = (output.killed >> (4 * number)) as u8 & covered;
        refuse_lanes(&mut alive, killed, PixelStatus::Killed, status, stats);
        let mut depth = shaded.z[number];
        if self.depth.source == DepthSource::Program {
            let given = &output.depth.0.as_chunks::<4>().0[number];
            depth = std::array::from_fn(|lane| self.depth.program(given[lane]).0);
            let good: [bool; 4] = std::array::from_fn(|lane| self.depth.program(given[lane]).1);
            let outside = alive & !(lane_mask(good) as u8);
            refuse_lanes(&mut alive, outside, PixelStatus::DepthDiscarded, status, stats);
        }
        if let Some(test) = &self.alpha {
            let first = if self.writes_first { ColorSource::Output(0) } else { ColorSource::Unwritten };
            let alphas = &first.registers(output)[3].0.as_chunks::<4>().0[number];
            let failed = alive & !test.passing(alphas);
            refuse_lanes(&mut alive, failed, PixelStatus::AlphaFailed, status, stats);
        }
        if self.tests == FragmentTests::Late {
            let facing = shaded.facings.get(number).copied().unwrap_or_default();
            self.test_quad((&depth, facing), &mut alive, place, tile, stats);
        }
        alive
    }

    /// Makes the early tests of the covered lanes of a quad; gives those that pass. Without early tests all do.
    #[inline(always)]
    pub fn passing_early(
        &self,
        shape: (&[f32; 4], Facing),
        covered: u8,
        place: usize,
        tile: &mut QuadTile,
        stats: &mut Stats,
    ) -> u8 {
        let mut alive = covered;
        if self.tests == FragmentTests::Early && covered != 0 {
            self.test_quad(shape, &mut alive, place, tile, stats);
        }
        alive
    }

    /// The stencil and the depth test of the lanes of a quad that are `alive`, which update their buffers.
    #[inline(always)]
    fn test_quad(
        &self,
        (depth, facing): (&[f32; 4], Facing),
        alive: &mut u8,
        place: usize,
        tile: &mut QuadTile,
        stats: &mut Stats,
    ) {
        let (stored, status) = (&mut tile.depth[place], &mut tile.status[place]);
        let mut stencil = None;
        if let (Some(state), Some(values)) = (&self.stencil, tile.stencil.get_mut(place)) {
            let face = state.face(facing);
            let failed = *alive & !face.passing(values);
            face.update(face.fail, values, failed);
            refuse_lanes(alive, failed, PixelStatus::StencilFailed, status, stats);
            stencil = Some((face, values));
        }
        if let Some(func) = self.depth.test {
            let failed = *alive & !(func.passing(depth, stored) as u8);
            if let Some((face, values)) = &mut stencil {
                face.update(face.depth_fail, values, failed);
            }
            refuse_lanes(alive, failed, PixelStatus::DepthFailed, status, stats);
            if self.depth.write && *alive != 0 {
                *stored = choose(&mask((*alive).into()), depth, stored);
            }
        }
        if let Some((face, values)) = stencil {
            face.update(face.pass, values, *alive);
        }
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
