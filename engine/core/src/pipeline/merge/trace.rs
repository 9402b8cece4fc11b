//! A trace of the per-fragment operations for one fragment: each test with the compared values, and the
//! inputs of blending. Follows [`Merge::fragment`] step by step with the same functions; a test compares
//! both.

use super::blend::operands;
use super::{Color, ColorSource, CompareFunc, DepthSource, Fragment, FragmentTests, Merge};
use crate::pipeline::{Blend, BlendEquation, PixelStatus, SampleState};
use crate::simd::ones;

/// A test that a fragment reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    pub test: Test,
    /// Whether the fragment, or at least one of its samples, passed.
    pub passed: bool,
    /// Whether the test ran before the program, because the program asks for early tests.
    pub is_early: bool,
}

/// A test, with the values that it compared. With several samples, the values are from the first sample that
/// reached the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    /// The program discards or keeps the fragment.
    Kept,
    /// The program's depth must be in the depth range.
    DepthRange {
        /// The program's depth, clamped if the state asks for it.
        depth: f32,
        /// The lower and the upper end.
        range: [f32; 2],
    },
    /// The samples that alpha, the program's mask, SAMPLE_COVERAGE and SAMPLE_MASK leave.
    Coverage {
        /// A bit for each sample that the primitive covers.
        covered: u16,
        /// A bit for each remaining sample.
        left: u16,
    },
    /// The alpha test.
    Alpha {
        func: CompareFunc,
        /// The fragment's alpha.
        alpha: f32,
        /// The reference value.
        reference: f32,
    },
    /// The stencil test.
    Stencil {
        func: CompareFunc,
        /// The reference value.
        reference: u8,
        /// The stored value.
        stored: u8,
        /// The bits that are compared.
        mask: u8,
        /// The samples that passed.
        samples: u16,
    },
    /// The depth test.
    Depth {
        func: CompareFunc,
        /// The fragment's depth.
        depth: f32,
        /// The stored depth.
        stored: f32,
        /// The samples that passed.
        samples: u16,
    },
}

impl Test {
    /// The outcome of a fragment that fails this test.
    pub const fn outcome(&self) -> PixelStatus {
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

/// The inputs of blending for a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blending {
    pub equation: BlendEquation,
    /// The fragment's colour, clamped.
    pub source: [f32; 4],
    /// The source factor. MIN and MAX ignore it.
    pub source_factor: [f32; 4],
    /// The stored colour, clamped.
    pub stored: [f32; 4],
    /// The destination factor. MIN and MAX ignore it.
    pub stored_factor: [f32; 4],
}

/// The trace of a fragment's per-fragment operations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FragmentTrace {
    /// The tests that the fragment reached, in order. If the fragment failed a test, it is the last one.
    pub tests: Vec<Tested>,
    /// The inputs of blending for the first written sample; `None` if the draw does not blend.
    pub blending: Option<Blending>,
    /// The samples that were written.
    pub written: u16,
}

impl FragmentTrace {
    /// The test that the fragment failed.
    pub fn failed(&self) -> Option<&Tested> {
        self.tests.last().filter(|tested| !tested.passed)
    }
}

impl Merge {
    /// Traces the effect of [`Merge::fragment`] on a fragment whose pixel has these samples.
    pub fn trace(&self, fragment: &Fragment<'_>, samples: &[SampleState]) -> FragmentTrace {
        let mut trace = FragmentTrace::default();
        let covered = fragment.coverage & self.sampling.stored.all();
        trace.written = self.tests_of(fragment, samples, covered, &mut trace.tests).unwrap_or(0);
        let color = self.color_in(self.format);
        let blend = color.blend().filter(|_| self.first != ColorSource::Nothing);
        if let (Some(sample), Some(blend)) = (ones(trace.written.into()).next(), blend) {
            let mut fragment = *fragment;
            if self.alpha_to_one() {
                fragment.color[3] = 1.0;
            }
            trace.blending = Some(self.blending(blend, &fragment, samples[sample].color));
        }
        trace
    }

    fn blending(&self, blend: &Blend, fragment: &Fragment<'_>, stored: Color) -> Blending {
        let colors = [self.first, self.second].map(|source| source.of(fragment));
        let ([source, stored], [source_factor, stored_factor]) = operands(blend, colors, stored);
        Blending { equation: blend.equation, source, source_factor, stored, stored_factor }
    }

    /// Runs the tests, up to the first that all samples fail. Returns the samples that pass all tests.
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

    /// Runs the stencil and the depth test for the samples in `coverage`.
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
