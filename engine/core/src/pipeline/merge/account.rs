//! What the per-fragment operations do to one fragment, told one by one: the tests that it came to with what each compared, and
//! what blending combined. It goes the way of [`Merge::fragment`] with the same functions; a test holds it to that.

use super::blend::operands;
use super::{Color, ColorSource, CompareFunc, DepthSource, Fragment, FragmentTests, Merge};
use crate::movemask::ones;
use crate::pipeline::{Blend, BlendEquation, PixelStatus, SampleState};

/// A test that a fragment came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    /// Which one.
    pub test: Test,
    /// Whether the fragment, or some sample of it, passed.
    pub passed: bool,
    /// Whether it was made before the program ran, because that asks for early tests.
    pub is_early: bool,
}

/// A test, with what it compared. Of several samples, those of the first one that came to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    /// Whether the program kept it.
    Kept,
    /// Whether a depth that the program gave is in the depth range.
    DepthRange {
        /// As the program gave it, clamped where that is asked for.
        depth: f32,
        /// The lower and the upper end.
        range: [f32; 2],
    },
    /// Which samples alpha, the program's mask, SAMPLE_COVERAGE and SAMPLE_MASK leave.
    Coverage {
        /// A bit for each that the primitive covers.
        covered: u16,
        /// A bit for each that is left.
        left: u16,
    },
    /// The alpha test.
    Alpha {
        /// Its function.
        func: CompareFunc,
        /// What is compared of the fragment.
        alpha: f32,
        /// With what.
        reference: f32,
    },
    /// The stencil test.
    Stencil {
        /// Its function.
        func: CompareFunc,
        /// What is compared.
        reference: u8,
        /// With what.
        stored: u8,
        /// The bits of both that count.
        mask: u8,
        /// The samples that passed.
        samples: u16,
    },
    /// The depth test.
    Depth {
        /// Its function.
        func: CompareFunc,
        /// The fragment's.
        depth: f32,
        /// The pixel's.
        stored: f32,
        /// The samples that passed.
        samples: u16,
    },
}

impl Test {
    /// What a fragment that fails it ends as.
    pub const fn fate(&self) -> PixelStatus {
        match self {
            Self::Kept => PixelStatus::Killed,
            Self::DepthRange { .. } => PixelStatus::DepthDiscarded,
            Self::Coverage { .. } => PixelStatus::Uncovered,
            Self::Alpha { .. } => PixelStatus::AlphaFailed,
            Self::Stencil { .. } => PixelStatus::StencilFailed,
            Self::Depth { .. } => PixelStatus::DepthFailed,
        }
    }
}

/// What blending combined in a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blending {
    /// How.
    pub equation: BlendEquation,
    /// The fragment's colour, clamped.
    pub source: [f32; 4],
    /// What that is multiplied by; MIN and MAX take no notice.
    pub source_factor: [f32; 4],
    /// What the pixel held, clamped.
    pub stored: [f32; 4],
    /// What that is multiplied by.
    pub stored_factor: [f32; 4],
}

/// What became of a fragment, step by step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FragmentAccount {
    /// The tests that it came to, in their order; the last one is the one that it failed, if it failed one.
    pub tests: Vec<Tested>,
    /// What blending combined in the first sample that was written, where the draw blends.
    pub blending: Option<Blending>,
    /// The samples that were written.
    pub written: u16,
}

impl FragmentAccount {
    /// The test that the fragment failed.
    pub fn failed(&self) -> Option<&Tested> {
        self.tests.last().filter(|tested| !tested.passed)
    }
}

impl Merge {
    /// Tells what [`Merge::fragment`] does to a fragment whose pixel holds `samples`.
    pub fn account(&self, fragment: &Fragment<'_>, samples: &[SampleState]) -> FragmentAccount {
        let mut account = FragmentAccount::default();
        let covered = fragment.coverage & self.sampling.stored.all();
        account.written = self.tests_of(fragment, samples, covered, &mut account.tests).unwrap_or(0);
        let color = self.color_in(self.format);
        let blend = color.blend().filter(|_| self.first != ColorSource::Nothing);
        if let (Some(sample), Some(blend)) = (ones(account.written.into()).next(), blend) {
            let mut fragment = *fragment;
            if self.alpha_to_one() {
                fragment.color[3] = 1.0;
            }
            account.blending = Some(self.blending(blend, &fragment, samples[sample].color));
        }
        account
    }

    fn blending(&self, blend: &Blend, fragment: &Fragment<'_>, stored: Color) -> Blending {
        let colors = [self.first, self.second].map(|source| source.of(fragment));
        let ([source, stored], [source_factor, stored_factor]) = operands(blend, colors, stored);
        Blending { equation: blend.equation, source, source_factor, stored, stored_factor }
    }

    /// The tests, up to the first that all samples fail: the samples that pass all of them.
    fn tests_of(
        &self,
        fragment: &Fragment<'_>,
        samples: &[SampleState],
        mut coverage: u16,
        tests: &mut Vec<Tested>,
    ) -> Option<u16> {
        let is_early = self.tests == FragmentTests::Early;
        let mut tell = |test: Test, passed: bool, is_early: bool| {
            tests.push(Tested { test, passed, is_early });
            passed.then_some(())
        };
        let window = |sample| self.depth.window(fragment.rasterised(sample));
        if is_early {
            coverage = self
                .buffers(fragment, samples, (coverage, &window), |test, passed| tell(test, passed, true))?;
        }
        if self.can_kill || fragment.killed {
            tell(Test::Kept, !fragment.killed, false)?;
        }
        let mut given = None;
        if self.depth.source == DepthSource::Program {
            let (depth, within) = self.depth.program(fragment.depth);
            let range = [self.depth.low, self.depth.high];
            tell(Test::DepthRange { depth, range }, within, false)?;
            given = Some(depth);
        }
        let mut alpha = if self.writes_first { fragment.color[3] } else { 0.0 };
        if let Some(multisample) = &self.multisample {
            let left = coverage & multisample.coverage(alpha, fragment.sample_mask);
            if multisample.may_uncover() || left == 0 {
                tell(Test::Coverage { covered: coverage, left }, left != 0, false)?;
            }
            coverage = left;
            if multisample.alpha_to_one && self.writes_first {
                alpha = 1.0;
            }
        } else if coverage == 0 {
            tell(Test::Coverage { covered: 0, left: 0 }, false, false)?;
        }
        if let Some(test) = &self.alpha {
            let (func, reference) = (test.func, test.reference);
            tell(Test::Alpha { func, alpha: test.compared(alpha), reference }, test.passes(alpha), false)?;
        }
        if is_early {
            return Some(coverage);
        }
        let depth = |sample| given.unwrap_or_else(|| window(sample));
        self.buffers(fragment, samples, (coverage, &depth), |test, passed| tell(test, passed, false))
    }

    /// The stencil and the depth test of the samples in `coverage`.
    fn buffers(
        &self,
        fragment: &Fragment<'_>,
        samples: &[SampleState],
        (mut coverage, depth): (u16, &dyn Fn(usize) -> f32),
        mut tell: impl FnMut(Test, bool) -> Option<()>,
    ) -> Option<u16> {
        if let (Some(stencil), Some(first)) = (&self.stencil, ones(coverage.into()).next()) {
            let face = stencil.face(fragment.facing);
            let passed = ones(coverage.into()).filter(|&sample| face.passes(samples[sample].stencil));
            coverage = passed.fold(0, |all, sample| all | 1 << sample);
            let test = Test::Stencil {
                func: face.func,
                reference: face.reference,
                stored: samples[first].stencil,
                mask: face.read_mask,
                samples: coverage,
            };
            tell(test, coverage != 0)?;
        }
        if let (Some(func), Some(first)) = (self.depth.test, ones(coverage.into()).next()) {
            let passes = |&sample: &usize| func.passes(depth(sample), samples[sample].depth);
            coverage = ones(coverage.into()).filter(passes).fold(0, |all, sample| all | 1 << sample);
            let (depth, stored) = (depth(first), samples[first].depth);
            tell(Test::Depth { func, depth, stored, samples: coverage }, coverage != 0)?;
        }
        Some(coverage)
    }
}
