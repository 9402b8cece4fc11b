//! The fast loops of merging: the fragments of a block, in lane registers.
//!
//! The program's outputs are tested first. Then, for each sample, all quads are tested one after the other.
//! Colours follow, for as many adjacent pixels at a time as possible, and once per quad if all its samples
//! get the same colour.
//! No test depends on stored colours, and samples are independent of each other. So the order of operations
//! at each sample is as specified. The colour operation is a type parameter of the loop, so unused operations
//! cost nothing.

use super::blend::Sources;
use super::color::{ColorWrite, Combine, InFormat, Over, RoundedTo, Store};
use super::status::{Outcomes, note_written};
use super::{ColorSource, Colors, DepthSource, Merge};
use crate::exec::{BlockOutput, LANES, LaneRegister};
use crate::pipeline::samples::Rate;
use crate::pipeline::tile::{self, BLOCKS, ColorBlock, QuadColors, QuadTile};
use crate::pipeline::{ColorFormat, CompareFunc, Facing, PixelStatus, Samples, Stats, block};
use crate::simd::{self, Portable, Simd, ones};

/// Shaded quads of triangles, at most as many as a block has.
pub(in crate::pipeline) struct Shaded<'a> {
    pub output: &'a BlockOutput,
    /// The lanes to draw, for each sample of the framebuffer. With one invocation per sample there is a
    /// single mask, for each quad's own sample.
    pub active: &'a [u64],
    /// See [`QuadTile::place`]. With one invocation per sample, places continue from one sample to the next.
    pub places: &'a [u16],
    /// Empty if merging does not use them.
    pub facings: &'a [Facing],
    /// Rasterised depths as the depth test compares them, for each quad and sample. Empty if no depth test
    /// runs after the program.
    pub z: &'a [[f32; 4]],
}

/// Mask of a place that gives the place within its sample.
const IN_SAMPLE: usize = tile::QUADS - 1;

impl Merge {
    /// Merges the fragments of a block, in the order of quads, because two quads may cover the same pixels.
    pub fn quads(&self, tile: &mut QuadTile, shaded: &Shaded<'_>, stats: &mut Stats) {
        let mut passing = shaded.active.iter().fold(0, |lanes, sample| lanes | sample);
        let mut outcomes = Outcomes::default();
        let mut coverage = None;
        if self.may_refuse_results() || shaded.output.killed & passing != 0 {
            let (passing, outcomes, coverage) = (&mut passing, &mut outcomes, &mut coverage);
            simd::widest(TestResults { merge: self, shaded, passing, outcomes, coverage });
        }
        let opaque = self.alpha_to_one().then(|| {
            let [r, g, b, _] = shaded.output.color;
            [r, g, b, LaneRegister([1.0; LANES])]
        });
        let runs = AdjacentQuads::new(shaded.places);
        let mut all = [0; Samples::MAX];
        let alive = &mut all[..shaded.active.len()];
        for (sample, (alive, active)) in alive.iter_mut().zip(shaded.active).enumerate() {
            *alive = active & passing & coverage.map_or(u64::MAX, |coverage| coverage[sample]);
            if *alive != 0 && self.tests_samples() {
                simd::widest(TestQuads { merge: self, tile, shaded, sample, alive, outcomes: &mut outcomes });
            }
        }
        let written = alive.iter().fold(0, |lanes, sample| lanes | sample);
        self.write_colors(tile, (shaded, opaque.as_ref()), &runs, alive);
        outcomes.settle(written);
        stats.written += u64::from(written.count_ones());
        if outcomes.any() {
            let places = shaded.places.iter().map(|place| usize::from(*place) & IN_SAMPLE);
            outcomes.note(places, &mut tile.status, stats);
        }
        simd::widest(NoteWritten { status: &mut tile.status, runs: &runs, written });
    }

    /// Writes the lanes in `alive`, for each sample, to the colour buffers.
    fn write_colors(
        &self,
        tile: &mut QuadTile,
        (shaded, opaque): (&Shaded<'_>, Option<&[LaneRegister; 4]>),
        runs: &AdjacentQuads<'_>,
        alive: &[u64],
    ) {
        let first_of_all = alive.first().copied().unwrap_or_default();
        let sources = [self.first].into_iter().chain(self.others);
        for (colors, source) in tile.colors.iter_mut().zip(sources) {
            if source != ColorSource::Nothing {
                let first = match opaque {
                    Some(opaque) if source == ColorSource::Output(0) => opaque,
                    _ => source.registers(shaded.output),
                };
                let how = self.color_in(colors.format);
                let second = how.takes_second().then(|| self.second.registers(shaded.output));
                let sources = (first, second);
                let apart = apart(colors, runs, alive, matches!(how, ColorWrite::Store));
                let together = (0, first_of_all & !apart);
                let samples = alive.iter().map(|alive| alive & apart).enumerate();
                for (sample, alive) in [together].into_iter().chain(samples).filter(|(_, alive)| *alive != 0)
                {
                    let (format, blocks) = (colors.format, &mut colors.blocks[sample * BLOCKS..]);
                    write(how, format, Written { sources, runs, alive, blocks });
                }
            }
        }
    }
}

fn write(how: ColorWrite, format: ColorFormat, written: Written<'_>) {
    match (how, format) {
        // Colours are rounded when the tile is stored.
        (ColorWrite::Store, _) => written.run(Store),
        (ColorWrite::Integers(write), format) => written.run(InFormat(write, format)),
        (ColorWrite::Over, format) => written.run(RoundedTo(Over, format)),
        (ColorWrite::Combined(combined), format) => written.run(RoundedTo(combined, format)),
    }
}

/// The lanes of the quads that are written sample by sample; `colors` is prepared for this. All other quads
/// get the same colour in all samples and have equal samples afterwards. They are written once, as sample 0.
/// `replaces` says that stored colours do not matter.
fn apart(colors: &mut QuadColors, runs: &AdjacentQuads<'_>, alive: &[u64], replaces: bool) -> u64 {
    let Some((&first, others)) = alive.split_first().filter(|_| !colors.alike.is_empty()) else {
        return u64::MAX;
    };
    // With one invocation per sample there is a single mask.
    let differ =
        if others.is_empty() { u64::MAX } else { others.iter().fold(0, |all, lanes| all | lanes ^ first) };
    if let (Some(place), 0, u64::MAX, true) = (runs.block(), differ, first, replaces) {
        colors.alike[place / block::QUADS] = u16::MAX;
        return 0;
    }
    let in_sample = |place: usize| place & IN_SAMPLE;
    let mut alike = 0;
    for Adjacent { number, place, length } in runs.each() {
        let place = in_sample(place);
        let bits = colors.alike[place / block::QUADS] >> (place % block::QUADS);
        alike |= spread(bits & (u16::MAX >> (block::QUADS - length))) << (4 * number);
    }
    let written = whole_quads(first | differ);
    let replaced = if replaces { !whole_quads(!first) } else { 0 };
    let mut apart = written & !(!whole_quads(differ) & (alike | replaced));
    if apart != 0 {
        apart |= written & runs.others_like(apart);
        for number in quads_in(apart & alike) {
            let place = in_sample(runs.places[number].into());
            // Two of the quads may have the same place.
            if colors.is_alike(place) {
                colors.part(place);
            }
        }
    }
    for number in quads_in(written & !apart & !alike) {
        colors.join(in_sample(runs.places[number].into()));
    }
    apart
}

/// The lowest lane of each quad.
const LOWEST: u64 = 0x1111_1111_1111_1111;

/// All lanes of the quads with a lane in `lanes`.
const fn whole_quads(lanes: u64) -> u64 {
    let pairs = lanes | lanes >> 1;
    ((pairs | pairs >> 2) & LOWEST) * 15
}

/// All lanes of the quads in `quads`.
const fn spread(quads: u16) -> u64 {
    let x = quads as u64;
    let x = (x | x << 24) & 0x0000_00FF_0000_00FF;
    let x = (x | x << 12) & 0x000F_000F_000F_000F;
    let x = (x | x << 6) & 0x0303_0303_0303_0303;
    ((x | x << 3) & LOWEST) * 15
}

/// The numbers of the quads with these lanes.
fn quads_in(lanes: u64) -> impl Iterator<Item = usize> {
    ones(lanes & LOWEST).map(|lane| lane / 4)
}

/// A run of quads of a batch with consecutive places within one block.
#[derive(Clone, Copy)]
struct Adjacent {
    /// Number of the first quad in the batch.
    number: usize,
    /// Place of the first quad.
    place: usize,
    length: usize,
}

/// The runs of a batch.
struct AdjacentQuads<'a> {
    places: &'a [u16],
    /// A bit for the start of each run and for the end of the last run.
    bounds: u32,
}

/// Finds the runs in a batch's places.
struct FindAdjacent<'a> {
    places: &'a [u16],
    /// See [`AdjacentQuads`].
    bounds: &'a mut u32,
}

impl simd::Task for FindAdjacent<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
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
        // The first quad starts a run, and the end of the last quad ends one.
        *self.bounds = (u32::from(starts) | 1) & ((1 << count) - 1) | 1 << count;
    }
}

impl<'a> AdjacentQuads<'a> {
    fn new(places: &'a [u16]) -> Self {
        let mut bounds = 0;
        simd::widest(FindAdjacent { places, bounds: &mut bounds });
        Self { places, bounds }
    }

    fn count(&self) -> u32 {
        self.bounds.count_ones() - 1
    }

    /// The place of the first quad, if the batch is exactly one block.
    #[inline(always)]
    fn block(&self) -> Option<usize> {
        (self.bounds == 1 | 1 << block::QUADS).then(|| usize::from(self.places[0]))
    }

    /// The lanes of all quads that share a place with one of these. Writes to a place have to stay in order.
    fn others_like(&self, lanes: u64) -> u64 {
        let mut places = [u16::MAX; block::QUADS];
        places[..self.places.len()].copy_from_slice(self.places);
        quads_in(lanes).fold(0, |all, number| {
            let wanted = places[number];
            let same = places
                .iter()
                .zip(block::BITS)
                .map(|(place, bit)| if *place == wanted { bit as u16 } else { 0 });
            all | spread(same.fold(0, |all, bit| all | bit))
        })
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

/// The lanes of the lowest `quads` quads.
#[inline(always)]
const fn lowest(quads: usize) -> u64 {
    u64::MAX >> (64 - 4 * quads)
}

/// Records which pixels have been written.
struct NoteWritten<'a> {
    status: &'a mut [[PixelStatus; 4]],
    runs: &'a AdjacentQuads<'a>,
    written: u64,
}

impl simd::Task for NoteWritten<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        if let (Some(place), u64::MAX) = (self.runs.block(), self.written) {
            self.status[place & IN_SAMPLE..][..block::QUADS].fill([PixelStatus::Written; 4]);
            return;
        }
        let mut written = self.written;
        for place in self.runs.places {
            note_written(&mut self.status[usize::from(*place) & IN_SAMPLE], written as u8);
            written >>= 4;
        }
    }
}

/// The colours that one buffer takes from a batch.
struct Written<'a> {
    /// Colour and second colour, by lanes of the batch. Without a second colour, none is read.
    sources: (&'a [LaneRegister; 4], Option<&'a [LaneRegister; 4]>),
    runs: &'a AdjacentQuads<'a>,
    /// The lanes that are written.
    alive: u64,
    blocks: &'a mut [ColorBlock],
}

impl Written<'_> {
    fn run<C: Combine>(self, combine: C) {
        simd::widest(WriteColors { written: self, combine });
    }
}

struct WriteColors<'a, C> {
    written: Written<'a>,
    combine: C,
}

/// Lanes merged at a time, in runs of sufficient length.
const MANY: usize = 16;
/// Batches with more runs are written quad by quad.
const FEW_RUNS: u32 = 5;

impl<C: Combine> simd::Task for WriteColors<'_, C> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { written: Written { sources, runs, alive, blocks }, combine } = self;
        if alive == 0 {
            return;
        }
        if let (true, Some(place), u64::MAX) = (C::REPLACES, runs.block(), alive) {
            blocks[place / block::QUADS].clone_from(sources.0);
            return;
        }
        let quads = whole_quads(alive);
        if quads.count_ones() as usize <= LANES / 2 || runs.count() > FEW_RUNS {
            for number in quads_in(quads) {
                let place = usize::from(runs.places[number]);
                let to = (&mut blocks[place / block::QUADS], 4 * (place % block::QUADS));
                write_lanes::<S, C, 4>(combine, (sources, 4 * number), to, alive >> (4 * number));
            }
            return;
        }
        for Adjacent { number, place, length } in runs.each() {
            let block = &mut blocks[place / block::QUADS];
            let (mut from, mut to) = (4 * number, 4 * (place % block::QUADS));
            let end = from + 4 * length;
            while from + MANY <= end {
                write_lanes::<S, C, MANY>(combine, (sources, from), (block, to), alive >> from);
                (from, to) = (from + MANY, to + MANY);
            }
            while from < end {
                write_lanes::<S, C, 4>(combine, (sources, from), (block, to), alive >> from);
                (from, to) = (from + 4, to + 4);
            }
        }
    }
}

/// `N` lanes of lane registers, starting with lane `at`.
#[inline(always)]
fn lanes_of<const N: usize>(registers: &[LaneRegister; 4], at: usize) -> Colors<N> {
    registers.each_ref().map(|register| match register.0[at..].first_chunk() {
        Some(lanes) => *lanes,
        None => [0.0; N],
    })
}

/// Merges `N` lanes of the source colours, starting at `from`, with lanes of `block`, starting at `to`. Only
/// lanes with a bit in `alive` change.
#[inline(always)]
fn write_lanes<S: Simd, C: Combine, const N: usize>(
    combine: C,
    ((first, second), from): ((&[LaneRegister; 4], Option<&[LaneRegister; 4]>), usize),
    (block, to): (&mut ColorBlock, usize),
    alive: u64,
) {
    let alive = alive & lowest(N / 4);
    if alive == 0 {
        return;
    }
    let stored = lanes_of::<N>(block, to);
    let second = second.map_or([[0.0; N]; 4], |second| lanes_of::<N>(second, from));
    let new = combine.combine(&Sources { first: lanes_of::<N>(first, from), second }, &stored);
    for ((register, new), stored) in block.iter_mut().zip(&new).zip(&stored) {
        if let Some(register) = register.0[to..].first_chunk_mut::<N>() {
            // For a few lanes, a select is faster than a mispredicted branch.
            let all = N > 4 && alive == lowest(N / 4);
            *register = if all { *new } else { S::choose(alive as u16, new, stored) };
        }
    }
}

/// Tests the program's outputs.
struct TestResults<'a> {
    merge: &'a Merge,
    shaded: &'a Shaded<'a>,
    passing: &'a mut u64,
    outcomes: &'a mut Outcomes,
    coverage: &'a mut Option<[u64; Samples::MAX]>,
}

impl simd::Task for TestResults<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        *self.coverage = self.merge.test_results(self.shaded, self.passing, self.outcomes);
    }
}

/// Tests the quads of a batch, one after the other, at one sample. Clears the bits of failing lanes in
/// `alive`.
struct TestQuads<'a> {
    merge: &'a Merge,
    tile: &'a mut QuadTile,
    shaded: &'a Shaded<'a>,
    sample: usize,
    alive: &'a mut u64,
    outcomes: &'a mut Outcomes,
}

impl simd::Task for TestQuads<'_> {
    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { merge, tile, shaded, sample, alive, outcomes } = self;
        let samples = shaded.active.len();
        let given =
            (merge.depth.source == DepthSource::Program).then_some(shaded.output.depth.0.as_chunks::<4>().0);
        let (mut passed, mut stencil_failed, mut depth_failed) = (0, 0, 0);
        for (number, place) in shaded.places.iter().enumerate() {
            let covered = (*alive >> (4 * number)) as u8 & 15;
            if covered != 0 {
                let depth = match given {
                    None => shaded.z[number * samples + sample],
                    Some(given) => given[number].map(|depth| merge.depth.program(depth).0),
                };
                let facing = shaded.facings.get(number).copied().unwrap_or_default();
                let place = sample * tile::QUADS + usize::from(*place);
                let tested = merge.test_quad((&depth, facing), covered, place, tile);
                passed |= u64::from(tested.passed) << (4 * number);
                stencil_failed |= u64::from(tested.stencil_failed) << (4 * number);
                depth_failed |= u64::from(tested.depth_failed) << (4 * number);
            }
        }
        *alive = passed;
        outcomes.stencil_failed |= stencil_failed;
        outcomes.depth_failed |= depth_failed;
    }
}

/// The outcome of a quad's lanes at a sample.
#[derive(Clone, Copy)]
pub(in crate::pipeline) struct Tested {
    pub passed: u8,
    pub stencil_failed: u8,
    pub depth_failed: u8,
}

impl Merge {
    /// Whether the program's outputs can be refused, apart from discards by the program itself.
    pub(super) fn may_refuse_results(&self) -> bool {
        self.alpha.is_some()
            || self.depth.source == DepthSource::Program
            || self.multisample.is_some_and(|multisample| multisample.may_uncover())
    }

    /// Whether samples are tested after the program.
    fn tests_samples(&self) -> bool {
        !self.tests_ahead() && (self.stencil.is_some() || self.depth.test.is_some())
    }

    /// Tests the program's outputs for the lanes of a batch, and clears the bits of failing lanes in
    /// `passing`. Returns the lanes that remain covered at each sample, if coverage changes.
    #[inline(always)]
    fn test_results(
        &self,
        shaded: &Shaded<'_>,
        passing: &mut u64,
        outcomes: &mut Outcomes,
    ) -> Option<[u64; Samples::MAX]> {
        let output = shaded.output;
        outcomes.killed = output.killed & *passing;
        *passing &= !outcomes.killed;
        if self.depth.source == DepthSource::Program {
            let good = |lane: usize| self.depth.program(output.depth.0[lane]).1;
            outcomes.depth_discarded = *passing & !lanes_where(good);
            *passing &= !outcomes.depth_discarded;
        }
        let first = if self.writes_first { ColorSource::Output(0) } else { ColorSource::Unwritten };
        let alphas = &first.registers(output)[3].0;
        let coverage = self.uncover(shaded, alphas, passing, outcomes);
        if let Some(test) = &self.alpha {
            let ones = [1.0; LANES];
            let alphas = if self.alpha_to_one() && self.writes_first { &ones } else { alphas };
            let quads = alphas.as_chunks::<4>().0.iter().enumerate();
            let passed =
                quads.fold(0, |all, (quad, alphas)| all | u64::from(test.passing(alphas)) << (4 * quad));
            outcomes.alpha_failed = *passing & !passed;
            *passing &= passed;
        }
        coverage
    }

    /// The multisample fragment operations.
    #[inline(always)]
    fn uncover(
        &self,
        shaded: &Shaded<'_>,
        alphas: &[f32; LANES],
        passing: &mut u64,
        outcomes: &mut Outcomes,
    ) -> Option<[u64; Samples::MAX]> {
        let multisample = self.multisample.filter(|multisample| multisample.may_uncover())?;
        let mut coverage = [0; Samples::MAX];
        for (lane, alpha) in alphas.iter().enumerate() {
            let left = multisample.coverage(*alpha, shaded.output.sample_mask.0[lane].to_bits());
            if self.sampling.rate == Rate::Pixel {
                for (sample, lanes) in coverage[..shaded.active.len()].iter_mut().enumerate() {
                    *lanes |= u64::from(left >> sample & 1) << lane;
                }
            } else if let Some(place) = shaded.places.get(lane / 4) {
                let sample = usize::from(*place) / tile::QUADS;
                coverage[0] |= u64::from(left >> sample & 1) << lane;
            }
        }
        let covered = shaded.active.iter().zip(coverage).fold(0, |all, (active, left)| all | active & left);
        outcomes.uncovered = *passing & !covered;
        *passing &= covered;
        Some(coverage)
    }

    /// Runs the stencil and the depth test for the covered lanes of a quad at a sample, and updates the
    /// buffers. `place` continues from one sample to the next.
    #[inline(always)]
    pub fn test_quad(
        &self,
        (depth, facing): (&[f32; 4], Facing),
        covered: u8,
        place: usize,
        tile: &mut QuadTile,
    ) -> Tested {
        let stored = &mut tile.depth[place];
        let (mut alive, mut stencil_failed, mut depth_failed) = (covered, 0, 0);
        let mut stencil = None;
        if let (Some(state), Some(values)) = (&self.stencil, tile.stencil.get_mut(place)) {
            let face = state.face(facing);
            stencil_failed = alive & !face.passing(values);
            face.update(face.fail, values, stencil_failed);
            alive &= !stencil_failed;
            stencil = Some((face, values));
        }
        if let Some(func) = self.depth.test {
            depth_failed = alive
                & !(test_depths::<Portable, _>((func, self.depth.write), alive.into(), depth, stored) as u8);
            if let Some((face, values)) = &mut stencil {
                face.update(face.depth_fail, values, depth_failed);
            }
            alive &= !depth_failed;
        }
        if let Some((face, values)) = stencil {
            face.update(face.pass, values, alive);
        }
        Tested { passed: alive, stencil_failed, depth_failed }
    }
}

/// Runs the depth test for the lanes in `alive`. Returns the lanes that pass. Stores their depths if `write`
/// is set.
#[inline(always)]
pub(in crate::pipeline) fn test_depths<S: Simd, const N: usize>(
    (func, write): (CompareFunc, bool),
    alive: u16,
    depths: &[f32; N],
    stored: &mut [f32; N],
) -> u16 {
    let passing = alive & func.passing::<S, N>(depths, stored);
    if write {
        *stored = S::choose(passing, depths, stored);
    }
    passing
}

/// The lanes for which `holds` returns true.
#[inline(always)]
fn lanes_where(holds: impl Fn(usize) -> bool) -> u64 {
    (0..LANES).fold(0, |lanes, lane| lanes | u64::from(holds(lane)) << lane)
}
