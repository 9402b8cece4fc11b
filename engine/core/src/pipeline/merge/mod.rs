//! The per-fragment operations, from shaded fragments to pixels (4.1.4 to 4.1.10, 4.2.2; depths from programs
//! NV_fragment_program 3.11.6).
//!
//! The order is: discard by the program; replaced depth outside the depth range; multisample fragment
//! operations (glspec40 4.1.3); alpha test; stencil test; depth test; blending or logical operation; colour
//! mask. From the stencil test on, each covered sample is processed separately (glspec40 4.1.12).
//!
//! [`Merge::fragment`] is the plain definition, one fragment at a time; `quads` has the fast loops, and a
//! test compares both. `rows` stores blocks without tests, `color` selects and applies colour operations,
//! `status` records outcomes, and `trace` traces one fragment. The other files have one operation each.
//!
//! Neighbours: the scissor test is part of rasterisation, and `schedule` clears. Dithering is not
//! implemented.

mod alpha;
mod blend;
mod color;
mod depth;
mod logic;
mod multisample;
mod quads;
mod rows;
mod status;
mod stencil;
#[cfg(test)]
mod tests;
mod trace;

use super::samples::{Rate, Sampling};
use super::tile::{SampleRows, StencilPlane, Tile};
use super::{ColorFormat, CompareFunc, Facing, Merging, PixelStatus, RasterState, Samples, Stats, Stencil};
use crate::exec::{BlockOutput, FragmentTests, LaneRegister};
use crate::memory::Use;
use crate::simd::ones;
use alpha::AlphaTest;
use color::ColorWrite;
use depth::DepthTest;
use multisample::Multisample;
use shadestep_language::ir::limits;

pub(super) use multisample::fixed_coverage;
pub(super) use quads::{Shaded, test_depths};
pub(super) use rows::{lane_color, store_rows};
pub(super) use status::{Outcomes, refuse_unshaded};
pub use trace::{Blending, FragmentTrace, Test, Tested};

/// The source of a fragment's depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthSource {
    /// The rasteriser.
    Window,
    /// The program, which replaces the depth.
    Program,
}

/// The tests that run before fragments are shaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EarlyTests {
    /// No test.
    Nothing,
    /// A depth test with this function that only rejects. Fragments that pass are tested again after the
    /// program.
    RejectOnly(CompareFunc),
    /// The final depth test.
    Depth {
        func: CompareFunc,
        /// Whether passing fragments store their depth.
        write: bool,
    },
    /// The final stencil test and, if enabled, the final depth test.
    StencilAndDepth,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Merge {
    alpha: Option<AlphaTest>,
    stencil: Option<Stencil>,
    depth: DepthTest,
    /// The way colours are written to buffers of numbers.
    color: ColorWrite,
    /// The way colours are written to integer buffers.
    integers: ColorWrite,
    /// Format of colour buffer 0.
    format: ColorFormat,
    /// The source of colour buffer 0.
    first: ColorSource,
    /// The sources of colour buffers 1 and up.
    others: [ColorSource; OTHERS],
    /// The second colour for blending.
    second: ColorSource,
    /// Whether any of `others` has a source.
    has_others: bool,
    /// Whether any buffer takes another output colour than colour 0.
    takes_other_colors: bool,
    /// Whether the program writes output colour 0, whose alpha is tested.
    writes_first: bool,
    /// When stencil and depth are tested, as declared by the program.
    tests: FragmentTests,
    /// Whether the program may discard fragments.
    pub can_kill: bool,
    /// The program's use of memory.
    memory_use: Use,
    pub sampling: Sampling,
    /// The operations that remove samples from fragments, if any are enabled.
    multisample: Option<Multisample>,
}

/// Number of colour buffers, and of output colours, besides number 0.
pub(super) const OTHERS: usize = limits::DRAW_BUFFERS as usize - 1;

/// The source of a colour buffer (ARB_draw_buffers 4.2.1) or of a blend factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColorSource {
    /// No source: the buffer is not written.
    Nothing,
    /// An output colour that the program never writes: zeros (ruling 10).
    Unwritten,
    /// An output colour.
    Output(u8),
    /// The second colour of output colour 0 (ARB_blend_func_extended 4.1.8).
    Second,
}

impl ColorSource {
    /// `written` has a bit for each output colour that the program writes.
    fn new(output: Option<u8>, written: u8) -> Self {
        match output {
            None => Self::Nothing,
            Some(number) if number < limits::DRAW_BUFFERS && written >> number & 1 != 0 => {
                Self::Output(number)
            }
            Some(_) => Self::Unwritten,
        }
    }

    /// The lane registers of the source.
    fn registers(self, output: &BlockOutput) -> &[LaneRegister; 4] {
        match self {
            Self::Nothing | Self::Unwritten => &[const { LaneRegister::ZERO }; 4],
            Self::Output(number) => output.color_lanes(number),
            Self::Second => &output.secondary,
        }
    }

    /// The source's colour for a fragment.
    fn of(self, fragment: &Fragment<'_>) -> Color {
        match self {
            Self::Nothing | Self::Unwritten => [0.0; 4],
            Self::Output(number) => match number.checked_sub(1) {
                None => fragment.color,
                Some(other) => fragment.other_colors[usize::from(other)],
            },
            Self::Second => fragment.second_color,
        }
    }
}

/// A fragment before it is merged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment<'a> {
    /// Output colour 0.
    pub color: [f32; 4],
    /// Output colours 1 and up; unspecified if no buffer takes them.
    pub other_colors: [[f32; 4]; OTHERS],
    /// The second colour; unspecified if blending does not take it.
    pub second_color: [f32; 4],
    /// Depth, rasterised or replaced.
    pub depth: f32,
    /// Rasterised depths of the samples, if they differ.
    pub depths: Option<&'a [f32; Samples::MAX]>,
    /// The covered samples.
    pub coverage: u16,
    /// The program's sample mask, if the program outputs one.
    pub sample_mask: u32,
    pub killed: bool,
    /// Selects the face's stencil state.
    pub facing: Facing,
}

impl Fragment<'_> {
    /// The rasterised depth of a sample.
    fn rasterised(&self, sample: usize) -> f32 {
        self.depths.map_or(self.depth, |depths| depths[sample])
    }
}

/// r, g, b, a.
type Color = [f32; 4];

/// r, g, b and a of `N` pixels.
type Colors<const N: usize> = [[f32; N]; 4];

/// A value for each lane. A loop instead of `from_fn` or `map`, whose calls prevent vectorisation.
#[inline(always)]
fn each<const N: usize>(value: impl Fn(usize) -> f32) -> [f32; N] {
    let mut values = [0.0; N];
    for (lane, place) in values.iter_mut().enumerate() {
        *place = value(lane);
    }
    values
}

/// Colours by component and lane. One loop for all components, because several short loops would be unrolled
/// before vectorisation.
#[inline(always)]
fn colors<const N: usize>(value: impl Fn(usize, usize) -> f32) -> Colors<N> {
    let mut values = [[0.0; N]; 4];
    let [r, g, b, a] = &mut values;
    for (lane, (((r, g), b), a)) in r.iter_mut().zip(g).zip(b).zip(a).enumerate() {
        (*r, *g, *b, *a) = (value(0, lane), value(1, lane), value(2, lane), value(3, lane));
    }
    values
}

/// `x` clamped to `[0,1]`, with NaN as 0, as in the picture.
#[inline(always)]
pub(super) fn clamp(x: f32) -> f32 {
    let x = if x > 0.0 { x } else { 0.0 };
    if x < 1.0 { x } else { 1.0 }
}

impl Merge {
    /// The per-fragment operations for a program with these outputs, drawing to a colour buffer 0 of
    /// `format`. Output colours that the program does not write are (0,0,0,0).
    pub fn new(state: &RasterState, merging: Merging, format: ColorFormat) -> Self {
        let Merging { depth: source, colors_written: written, writes_secondary, .. } = merging;
        let Merging { tests, can_kill, memory_use, .. } = merging;
        let sampling = Sampling::new(&state.multisample, merging.shades_samples);
        let [first, others @ ..] = state.draw_buffers.map(|output| ColorSource::new(output, written));
        Self {
            // Integers skip the alpha test (EXT_texture_integer 4.1.4).
            alpha: state.alpha_test.filter(|_| !format.is_integer()).map(|test| AlphaTest::new(test, format)),
            stencil: state.stencil,
            depth: DepthTest::new(state, source),
            color: ColorWrite::new(state),
            integers: ColorWrite::of_integers(state),
            format,
            first,
            others,
            second: if writes_secondary { ColorSource::Second } else { ColorSource::Unwritten },
            has_others: others.iter().any(|source| *source != ColorSource::Nothing),
            takes_other_colors: [first].iter().chain(&others).any(|s| matches!(s, ColorSource::Output(1..))),
            writes_first: written & 1 != 0,
            tests,
            can_kill,
            memory_use,
            sampling,
            multisample: Multisample::new(&state.multisample, sampling, format, merging.writes_sample_mask),
        }
    }

    /// The samples that the multisample state leaves of every fragment.
    pub fn fixed_coverage(&self) -> u16 {
        self.multisample.map_or(self.sampling.stored.all(), |multisample| multisample.fixed)
    }

    /// The samples of every fragment before shading. Samples that the state removes are left out already,
    /// unless a program or an early test would show the difference.
    pub fn early_coverage(&self) -> u16 {
        let late = self.memory_use == Use::Writes || self.tests == FragmentTests::Early;
        if late { self.sampling.stored.all() } else { self.fixed_coverage() }
    }

    /// Whether the alpha of output colour 0 is replaced by 1.
    fn alpha_to_one(&self) -> bool {
        self.multisample.is_some_and(|multisample| multisample.alpha_to_one)
    }

    /// The source of depths.
    pub fn source(&self) -> DepthSource {
        self.depth.source
    }

    /// Whether the draw uses the stencil buffer. If it does, its tiles must have the stencil plane.
    pub fn stencil_plane(&self) -> StencilPlane {
        if self.stencil.is_some() { StencilPlane::Used } else { StencilPlane::Unused }
    }

    /// Whether [`Shaded::facings`] are used.
    pub fn uses_facing(&self) -> bool {
        self.stencil.is_some()
    }

    /// Whether rasterised depths have any effect.
    pub fn uses_window_depth(&self) -> bool {
        self.depth.test.is_some() && self.depth.source == DepthSource::Window
    }

    /// Whether every fragment that the program keeps is written, with its colour unchanged, and nothing else
    /// is written.
    pub fn is_plain(&self) -> bool {
        self.alpha.is_none()
            && self.stencil.is_none()
            && self.depth.test.is_none()
            && self.depth.source == DepthSource::Window
            && matches!(self.color_in(self.format), ColorWrite::Store)
            && self.first == ColorSource::Output(0)
            && !self.has_others
            && self.sampling.rate == Rate::Pixel
            && self
                .multisample
                .is_none_or(|multisample| !multisample.may_uncover() && !multisample.alpha_to_one)
    }

    /// The way colours are written to buffers of `format`.
    const fn color_in(&self, format: ColorFormat) -> ColorWrite {
        if format.is_integer() { self.integers } else { self.color }
    }

    /// Whether [`Fragment::other_colors`] are used.
    pub fn takes_other_colors(&self) -> bool {
        self.takes_other_colors
    }

    /// Whether [`Fragment::second_color`] is used.
    pub fn takes_second_color(&self) -> bool {
        self.color.takes_second()
    }

    /// The depth test's value of an interpolated depth.
    #[inline(always)]
    pub fn rasterised_depth(&self, z: f64) -> f32 {
        self.depth.rasterised(z)
    }

    /// The depth test's values of a quad's rasterised depths.
    #[inline(always)]
    pub fn window_depths(&self, z: [f32; 4]) -> [f32; 4] {
        std::array::from_fn(|lane| self.depth.window(z[lane]))
    }

    /// The depth test's value of a program's depth.
    pub fn program_depth(&self, depth: f32) -> f32 {
        self.depth.program(depth).0
    }

    /// The tests that run before fragments are shaded.
    pub fn early_tests(&self) -> EarlyTests {
        match (self.depth.test, self.stencil) {
            _ if !self.tests_ahead() => {
                self.bound_to_fail().map_or(EarlyTests::Nothing, EarlyTests::RejectOnly)
            }
            (_, Some(_)) => EarlyTests::StencilAndDepth,
            (Some(func), None) => EarlyTests::Depth { func, write: self.depth.write },
            (None, None) => EarlyTests::Nothing,
        }
    }

    /// Whether the stencil and depth tests run before shading instead of after. This is so if the program
    /// asks for it. It is also so if the order cannot be observed: nothing in between refuses fragments, and
    /// the program has no side effects.
    pub fn tests_ahead(&self) -> bool {
        let nobody_can_tell = !self.can_kill && !self.may_refuse_results() && self.memory_use != Use::Writes;
        self.tests == FragmentTests::Early || nobody_can_tell
    }

    /// The test that can reject fragments with rasterised depths before shading. `None` if there is no such
    /// test.
    /// A fragment may be rejected early if two conditions hold. First, a failure is final: a depth that fails
    /// now cannot pass later. Second, a failing fragment leaves no trace: the stencil buffer stays unchanged,
    /// and the program has no side effects. Whether the program or the alpha test would have refused the
    /// fragment does not matter then.
    fn bound_to_fail(&self) -> Option<CompareFunc> {
        let traceless = self.stencil.is_none_or(|stencil| stencil.keeps_where_depth_fails());
        let exact = self.depth.source == DepthSource::Window && self.memory_use != Use::Writes && traceless;
        self.depth.test.filter(|func| exact && func.failure_is_final())
    }

    /// Whether the program asks for early tests.
    pub fn has_early_tests(&self) -> bool {
        self.tests == FragmentTests::Early
    }

    /// Merges one fragment into pixel (x, y) of the tile.
    #[inline]
    pub fn fragment(
        &self,
        tile: &mut Tile<'_>,
        x: usize,
        y: usize,
        fragment: &Fragment<'_>,
        stats: &mut Stats,
    ) {
        let coverage = self.passes_early(tile, [x, y], fragment, stats);
        if coverage != 0 {
            self.shaded_fragment(tile, [x, y], &Fragment { coverage, ..*fragment }, stats);
        }
    }

    /// Runs the early tests, if any, for a fragment with these rasterised depths. Returns the samples that
    /// pass.
    #[inline]
    pub fn passes_early(
        &self,
        tile: &mut Tile<'_>,
        at: [usize; 2],
        fragment: &Fragment<'_>,
        stats: &mut Stats,
    ) -> u16 {
        let coverage = fragment.coverage & self.sampling.stored.all();
        if self.tests == FragmentTests::Late {
            return coverage;
        }
        let depth = |sample| self.depth.window(fragment.rasterised(sample));
        match self.test_samples(tile, at, (coverage, fragment.facing), depth) {
            Ok(passed) => passed,
            Err(reason) => {
                refuse(tile, at, reason, stats);
                0
            }
        }
    }

    /// Merges a fragment that has passed the early tests.
    #[inline]
    pub fn shaded_fragment(
        &self,
        tile: &mut Tile<'_>,
        at: [usize; 2],
        fragment: &Fragment<'_>,
        stats: &mut Stats,
    ) {
        let fragment = Fragment { coverage: fragment.coverage & self.sampling.stored.all(), ..*fragment };
        match self.test(tile, at, fragment) {
            Ok((passed, fragment)) => {
                for sample in ones(passed.into()) {
                    self.fragment_colors(&mut tile.samples[sample], at, &fragment);
                }
                tile.status[at[1]][at[0]] = PixelStatus::Written;
                stats.written += 1;
            }
            Err(reason) => refuse(tile, at, reason, stats),
        }
    }

    /// Writes a sample that has passed to the colour buffers.
    fn fragment_colors(&self, rows: &mut SampleRows<'_>, at: [usize; 2], fragment: &Fragment<'_>) {
        let sources = [self.first].into_iter().chain(self.others);
        for (pixels, source) in rows.colors.iter_mut().zip(sources) {
            if source != ColorSource::Nothing {
                let colors = [source, self.second].map(|source| source.of(fragment));
                let format = pixels.format;
                let new = self.color_in(format).fragment(colors, pixels.at(at), format);
                pixels.set(at, new);
            }
        }
    }

    /// Runs the tests of a shaded fragment and updates stencil and depth. Returns the samples that pass and
    /// the fragment to write, or the reason of failure.
    fn test<'f>(
        &self,
        tile: &mut Tile<'_>,
        at: [usize; 2],
        mut fragment: Fragment<'f>,
    ) -> Result<(u16, Fragment<'f>), PixelStatus> {
        if fragment.killed {
            return Err(PixelStatus::Killed);
        }
        let given = match self.depth.source {
            DepthSource::Window => None,
            DepthSource::Program => match self.depth.program(fragment.depth) {
                (depth, true) => Some(depth),
                (_, false) => return Err(PixelStatus::DepthDiscarded),
            },
        };
        let alpha = if self.writes_first { fragment.color[3] } else { 0.0 };
        if let Some(multisample) = &self.multisample {
            fragment.coverage &= multisample.coverage(alpha, fragment.sample_mask);
            if multisample.alpha_to_one {
                fragment.color[3] = 1.0;
            }
        }
        if fragment.coverage == 0 {
            return Err(PixelStatus::Uncovered);
        }
        let alpha = if self.writes_first { fragment.color[3] } else { 0.0 };
        if self.alpha.is_some_and(|test| !test.passes(alpha)) {
            return Err(PixelStatus::AlphaFailed);
        }
        if self.tests == FragmentTests::Early {
            return Ok((fragment.coverage, fragment));
        }
        let depth = |sample| given.unwrap_or_else(|| self.depth.window(fragment.rasterised(sample)));
        let passed = self.test_samples(tile, at, (fragment.coverage, fragment.facing), depth)?;
        Ok((passed, fragment))
    }

    /// Runs the stencil and the depth test for the samples in `coverage`. Returns the samples that pass. If
    /// none passes, returns the last test that a sample reached.
    fn test_samples(
        &self,
        tile: &mut Tile<'_>,
        at: [usize; 2],
        (coverage, facing): (u16, Facing),
        depth: impl Fn(usize) -> f32,
    ) -> Result<u16, PixelStatus> {
        let (mut passed, mut fate) = (0, PixelStatus::StencilFailed);
        for sample in ones(coverage.into()) {
            match self.test_stencil_and_depth(&mut tile.samples[sample], at, (depth(sample), facing)) {
                Ok(()) => passed |= 1 << sample,
                Err(PixelStatus::DepthFailed) => fate = PixelStatus::DepthFailed,
                Err(_) => {}
            }
        }
        if passed == 0 { Err(fate) } else { Ok(passed) }
    }

    /// Runs the stencil and the depth test for a sample, and updates its buffers.
    fn test_stencil_and_depth(
        &self,
        rows: &mut SampleRows<'_>,
        [x, y]: [usize; 2],
        (depth, facing): (f32, Facing),
    ) -> Result<(), PixelStatus> {
        let mut stencil = None;
        if let (Some(state), Some(row)) = (&self.stencil, rows.stencil.get_mut(y)) {
            let (face, stored) = (state.face(facing), &mut row[x]);
            if !face.passes(*stored) {
                [*stored] = face.updated(face.fail, [*stored]);
                return Err(PixelStatus::StencilFailed);
            }
            stencil = Some((face, stored));
        }
        if let Some(func) = self.depth.test {
            let stored = &mut rows.depth[y][x];
            if !func.passes(depth, *stored) {
                if let Some((face, stored)) = stencil {
                    [*stored] = face.updated(face.depth_fail, [*stored]);
                }
                return Err(PixelStatus::DepthFailed);
            }
            if self.depth.write {
                *stored = depth;
            }
        }
        if let Some((face, stored)) = stencil {
            [*stored] = face.updated(face.pass, [*stored]);
        }
        Ok(())
    }
}

/// Records and counts the refusal of a pixel's fragment.
fn refuse(tile: &mut Tile<'_>, [x, y]: [usize; 2], reason: PixelStatus, stats: &mut Stats) {
    status::refuse(&mut tile.status[y][x], reason);
    status::count(stats, reason, 1);
}
