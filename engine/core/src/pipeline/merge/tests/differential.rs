//! Compares the fast loops with the plain definition, for random states and blocks.

use super::*;
use crate::pipeline::samples::Sampling;
use crate::pipeline::{Clear, FragmentSamples, HistoryFragment, PixelHistory, SampleCoverage, Test};

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    fn of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.bits() as usize % values.len()]
    }

    fn maybe<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.chance().then(|| value(self))
    }

    fn chance(&mut self) -> bool {
        self.bits().is_multiple_of(2)
    }

    fn byte(&mut self) -> u8 {
        let any = self.bits() as u8;
        self.of(&[0, 1, 2, 3, 0x7F, 0x80, 0xFE, 0xFF, any])
    }

    /// Mostly in `[0,1]`, with repetitions.
    fn number(&mut self) -> f32 {
        let any = self.bits() as f32 / 2_147_483_648.0;
        let odd = self.of(&[f32::NAN, f32::INFINITY, -1.0, 2.5, -0.0, f32::from_bits(0x7FC1_2345)]);
        // As bits of integers: small, negative and arbitrary ones.
        let word = self.bits();
        let integer = f32::from_bits(self.of(&[word & 0x1FF, !(word & 0x1FF), word << 1]));
        self.of(&[0.0, 0.25, 0.5, 0.75, 1.0, any, any, any, odd, integer])
    }

    fn color(&mut self) -> [f32; 4] {
        std::array::from_fn(|_| self.number())
    }

    fn compare(&mut self) -> CompareFunc {
        self.of(&[
            CompareFunc::Never,
            CompareFunc::Less,
            CompareFunc::Equal,
            CompareFunc::Lequal,
            CompareFunc::Greater,
            CompareFunc::Notequal,
            CompareFunc::Gequal,
            CompareFunc::Always,
            CompareFunc::Always,
        ])
    }

    fn face(&mut self) -> StencilFace {
        use StencilOp::{Decr, DecrWrap, Incr, IncrWrap, Invert, Keep, Replace, Zero};
        const OPS: [StencilOp; 8] = [Keep, Zero, Replace, Incr, Decr, Invert, IncrWrap, DecrWrap];
        StencilFace {
            func: self.compare(),
            reference: self.byte(),
            read_mask: self.byte(),
            write_mask: self.byte(),
            fail: self.of(&OPS),
            depth_fail: self.of(&OPS),
            pass: self.of(&OPS),
        }
    }

    fn blend(&mut self) -> Blend {
        use BlendFactor as F;
        let factors = [
            F::Zero,
            F::One,
            F::SrcColor,
            F::OneMinusSrcColor,
            F::DstColor,
            F::OneMinusDstColor,
            F::SrcAlpha,
            F::OneMinusSrcAlpha,
            F::DstAlpha,
            F::OneMinusDstAlpha,
            F::ConstantColor,
            F::OneMinusConstantColor,
            F::ConstantAlpha,
            F::OneMinusConstantAlpha,
            F::SrcAlphaSaturate,
            F::Src1Color,
            F::OneMinusSrc1Color,
            F::Src1Alpha,
            F::OneMinusSrc1Alpha,
        ];
        use BlendEquation::{Add, Max, Min, ReverseSubtract, Subtract};
        let color = self.color();
        if self.bits().is_multiple_of(4) {
            let over = [F::SrcAlpha, F::OneMinusSrcAlpha];
            return Blend { equation: Add, rgb: over, alpha: over, color };
        }
        let pair = |random: &mut Self| [random.of(&factors), random.of(&factors)];
        let (rgb, alpha) = (pair(self), pair(self));
        Blend { equation: self.of(&[Add, Add, Subtract, ReverseSubtract, Min, Max]), rgb, alpha, color }
    }

    fn logic(&mut self) -> LogicOp {
        self.of(&[LogicOp::And, LogicOp::Xor, LogicOp::CopyInverted, LogicOp::Nor, LogicOp::Noop])
    }

    fn state(&mut self) -> RasterState {
        let depth = DepthState {
            test: self.maybe(|random| random.of(&CompareFunc::ALL)),
            write: self.chance(),
            range: self.of(&[[0.0, 1.0], [0.25, 0.75], [1.0, 0.0]]),
            clamp: self.chance(),
        };
        RasterState {
            depth,
            alpha_test: self.maybe(|random| (random.compare(), random.number())),
            stencil: self.maybe(|random| Stencil { front: random.face(), back: random.face() }),
            blend: self.maybe(Self::blend),
            logic_op: self.maybe(Self::logic).filter(|_| self.chance()),
            color_mask: if self.chance() { [true; 4] } else { [(); 4].map(|()| self.chance()) },
            draw_buffers: if self.chance() {
                RasterState::DEFAULT.draw_buffers
            } else {
                [(); 4].map(|()| self.maybe(|random| random.of(&[0, 0, 1, 2, 3])))
            },
            multisample: if self.chance() { self.multisample() } else { MultisampleState::DEFAULT },
            ..RasterState::DEFAULT
        }
    }

    fn multisample(&mut self) -> MultisampleState {
        MultisampleState {
            samples: self.of(&Samples::ALL),
            enabled: !self.bits().is_multiple_of(4),
            alpha_to_coverage: self.chance(),
            alpha_to_one: self.chance(),
            coverage: self.maybe(|random| SampleCoverage { value: random.number(), invert: random.chance() }),
            mask: self.maybe(Self::bits),
            shading: self.maybe(|random| random.of(&[0.0, 1.0])),
        }
    }

    /// The quad with several samples, of which it covers some. Only one with one invocation per sample.
    fn sampled(&mut self, quad: ShadedQuad, sampling: Sampling) -> ShadedQuad {
        let all = sampling.stored.all();
        let own = 1 << (self.bits() as usize % sampling.stored.count());
        let fragments = quad.fragments.map(|fragment| {
            let depths = std::array::from_fn(|_| self.number());
            let (bits, mask) = (self.bits() as u16, self.bits());
            let some = self.of(&[all, bits]) & all | own;
            Fragment {
                depths: Some(Box::leak(Box::new(depths))),
                coverage: if sampling.rate == Rate::Pixel { some } else { own },
                sample_mask: self.of(&[u32::MAX, mask, 0]),
                ..fragment
            }
        });
        ShadedQuad { fragments, ..quad }
    }

    fn quad(&mut self) -> ShadedQuad {
        let facing = self.of(&[Facing::Front, Facing::Back]);
        let covered = self.bits() as u8 & 15;
        ShadedQuad {
            // Six places, so that many quads overlap.
            at: [2 * (self.bits() % 3), 2 * (self.bits() % 2)],
            covered: if self.chance() { 15 } else { covered },
            fragments: [(); 4].map(|()| Fragment {
                color: self.color(),
                other_colors: [(); OTHERS].map(|()| self.color()),
                second_color: self.color(),
                depth: self.number(),
                depths: None,
                coverage: u16::MAX,
                sample_mask: u32::MAX,
                killed: self.bits().is_multiple_of(4),
                facing,
            }),
        }
    }
}

#[test]
fn blocks_and_single_fragments_give_the_same_pictures_and_counts() {
    let mut random = Random(1);
    let mut total = Stats::default();
    for _ in 0..4000 {
        let state = random.state();
        let source = random.of(&[DepthSource::Window, DepthSource::Program]);
        let written = if random.bits().is_multiple_of(4) { random.byte() & 15 } else { 15 };
        let formats: [ColorFormat; 4] = std::array::from_fn(|_| random.of(&ColorFormat::ALL));
        let merging = Merging {
            writes_secondary: !random.bits().is_multiple_of(4),
            writes_sample_mask: random.chance(),
            ..merging(source, written)
        };
        let merge = Merge::new(&state, merging, formats[0]);
        let mut buffer = Framebuffer::with_samples(
            6,
            4,
            state.multisample.samples,
            formats[0],
            &formats[1..random.of(&[1, 2, 4])],
        )
        .unwrap();
        for tile in &mut buffer.tiles(StencilPlane::Used) {
            for rows in &mut tile.samples {
                for (x, y) in (0..4).flat_map(|y| (0..6).map(move |x| (x, y))) {
                    rows.colors[0].set([x, y], random.color());
                    rows.depth[y][x] = random.of(&[0.0, 0.25, 0.5, 0.75, 1.0]);
                    rows.stencil[y][x] = random.byte();
                }
            }
            tile.resolve();
        }
        let before = buffer.stencil().to_vec();
        let sampling = merge.sampling;
        let quads: Vec<_> = (0..16)
            .map(|_| {
                let quad = random.quad();
                if sampling.stored == Samples::One { quad } else { random.sampled(quad, sampling) }
            })
            .collect();
        let stats = merge_quads(&merge, &mut buffer, &quads);
        assert!(state.stencil.is_some() || before == *buffer.stencil());
        // Every fragment has exactly one outcome.
        let covered: u32 = quads.iter().map(|quad| quad.covered.count_ones()).sum();
        let refused = stats.killed + stats.depth_discarded + stats.uncovered + stats.alpha_failed;
        let refused = refused + stats.stencil_failed;
        assert_eq!(refused + stats.depth_failed + stats.written, u64::from(covered));
        total += stats;
    }
    // The states cover all outcomes.
    let outcomes = [
        total.uncovered,
        total.alpha_failed,
        total.stencil_failed,
        total.depth_failed,
        total.depth_discarded,
    ];
    assert!(outcomes.iter().all(|&count| count > 5_000) && total.written > 20_000, "{total:?}");
}

/// The trace of a fragment agrees with its outcome: the failed test, the written samples, and the operands of
/// blending.
#[test]
fn accounts_of_fragments_tell_what_becomes_of_them() {
    let mut random = Random(2);
    let (mut refused, mut blended) = (0, 0);
    for round in 0..6000 {
        let state = random.state();
        let source = random.of(&[DepthSource::Window, DepthSource::Program]);
        let written = if random.bits().is_multiple_of(4) { random.byte() & 15 } else { 15 };
        let format = random.of(&ColorFormat::ALL);
        let tests = random.of(&[FragmentTests::Late, FragmentTests::Early]);
        let merging = Merging { writes_sample_mask: random.chance(), tests, ..merging(source, written) };
        let clear =
            Clear { color: random.color(), depth: random.of(&[0.25, 0.5, 1.0]), stencil: random.byte() };
        let mut history = PixelHistory::new(&state, merging, clear, format);
        let all = state.multisample.samples.all();
        for _ in 0..3 {
            let some = random.bits() as u16 & all | 1;
            let fragment = HistoryFragment {
                color: random.color(),
                other_colors: [(); OTHERS].map(|()| random.color()),
                second_color: random.color(),
                depth: random.number(),
                killed: random.bits().is_multiple_of(8),
                facing: random.of(&[Facing::Front, Facing::Back]),
                samples: FragmentSamples {
                    coverage: random.of(&[all, some]),
                    depths: std::array::from_fn(|_| random.number()),
                    sample: None,
                },
                sample_mask: random.of(&[u32::MAX, 1, 0]),
            };
            let trace = history.trace(&fragment);
            let before = history.samples().to_vec();
            let outcome = history.push(fragment);
            let failed = trace.failed().map(|tested| tested.test.outcome());
            let words = format!("round {round}: {trace:?}, {outcome:?}");
            assert_eq!(failed.unwrap_or(PixelStatus::Written), outcome, "{words}");
            assert_eq!(trace.written == 0, outcome != PixelStatus::Written, "{words}");
            let early = trace.tests.iter().map(|tested| tested.is_early);
            assert!(early.is_sorted_by(|a, b| a >= b), "early tests come first: {words}");
            refused += u32::from(failed.is_some());
            // A failing fragment leaves colours unchanged, and samples that it does not write stay unchanged
            // too.
            for (sample, (before, after)) in before.iter().zip(history.samples()).enumerate() {
                if trace.written >> sample & 1 == 0 {
                    assert_eq!(before.color.map(f32::to_bits), after.color.map(f32::to_bits), "{words}");
                }
            }
            let Some(blending) = trace.blending.filter(|_| state.color_mask == [true; 4]) else { continue };
            let sample = trace.written.trailing_zeros() as usize;
            for c in 0..4 {
                let source = blending.source[c] * blending.source_factor[c];
                let stored = blending.stored[c] * blending.stored_factor[c];
                let sum = match blending.equation {
                    BlendEquation::Add => source + stored,
                    BlendEquation::Subtract => source - stored,
                    BlendEquation::ReverseSubtract => stored - source,
                    BlendEquation::Min => blending.source[c].min(blending.stored[c]),
                    BlendEquation::Max => blending.source[c].max(blending.stored[c]),
                };
                let expected = format.stored(super::super::clamp(sum));
                let got = history.samples()[sample].color[c];
                assert!((got - expected).abs() <= 1e-6 || got == expected, "{words}: {got} {expected}");
            }
            blended += 1;
        }
    }
    assert!(refused > 2000 && blended > 200, "{refused} {blended}");
}

/// A single fragment by hand: alpha 0.25 passes GREATER 0.125, depth 0.75 fails LESS against 0.5.
#[test]
fn an_account_names_what_each_test_compared() {
    let depth = DepthState { test: Some(CompareFunc::Less), write: true, ..DepthState::OFF };
    let alpha_test = Some((CompareFunc::Greater, 0.125));
    let state = RasterState { depth, alpha_test, ..RasterState::DEFAULT };
    let clear = Clear { color: [0.0; 4], depth: 0.5, stencil: 0 };
    let merging = Merging { can_kill: false, ..merging(DepthSource::Window, 1) };
    let history = PixelHistory::new(&state, merging, clear, ColorFormat::Rgba32F);
    let fragment = HistoryFragment {
        color: [1.0, 1.0, 1.0, 0.25],
        other_colors: [[0.0; 4]; OTHERS],
        second_color: [0.0; 4],
        depth: 0.75,
        killed: false,
        facing: Facing::Front,
        samples: FragmentSamples::whole(0.75),
        sample_mask: u32::MAX,
    };
    let trace = history.trace(&fragment);
    let told: Vec<_> = trace.tests.iter().map(|tested| (tested.test, tested.passed)).collect();
    let alpha = Test::Alpha { func: CompareFunc::Greater, alpha: 0.25, reference: 0.125 };
    let depth = Test::Depth { func: CompareFunc::Less, depth: 0.75, stored: 0.5, samples: 0 };
    assert_eq!(told, [(alpha, true), (depth, false)]);
    assert_eq!((trace.written, trace.blending), (0, None));
}
