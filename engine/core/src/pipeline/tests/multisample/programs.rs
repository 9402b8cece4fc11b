//! Programs that use samples: the order and number of invocations, the positions of attributes, and sample
//! masks.

use super::*;
use crate::exec::FragmentTests;
use crate::memory::Use;
use std::sync::atomic::{AtomicU64, Ordering};

/// Records the order of the shaded fragments, like a program that writes memory.
#[derive(Default)]
struct Ordered {
    tests: FragmentTests,
    seen: Mutex<Vec<([u32; 2], u32)>>,
}

impl BlockShader for Ordered {
    type Worker = ();

    fn worker(&self) {}

    fn facts(&self) -> FragmentFacts {
        FragmentFacts {
            attributes_used: ALL,
            memory_use: Use::Writes,
            tests: self.tests,
            ..FragmentFacts::default()
        }
    }

    fn run(&self, (): &mut (), inputs: &AttributeLanes, active: u64, output: &mut BlockOutput) {
        output.killed = 0;
        for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
            let inputs = lane_inputs(inputs, lane);
            let [x, y, ..] = inputs[Attribute::Wpos.index()];
            let sample = inputs[Attribute::SampleId.index()][0].to_bits();
            self.seen.lock().unwrap().push(([x as u32, y as u32], sample));
            output.color.iter_mut().for_each(|register| register.0[lane] = 1.0);
        }
    }
}

#[test]
fn programs_that_write_memory_run_for_every_sample_in_one_order() {
    let samples = Samples::Four;
    let mut draw = two_pixels();
    draw.state.multisample.shading = Some(1.0);
    // Samples that the mask removes later are shaded nevertheless.
    draw.state.multisample.mask = Some(1);
    let program = Ordered::default();
    let (buffer, stats) = drawn(&draw, &pass(), &program, samples);
    // Samples 0 and 2 of pixel (2, 3) are left of its middle.
    let expected = [([1, 3], 0), ([1, 3], 1), ([1, 3], 2), ([1, 3], 3), ([2, 3], 0), ([2, 3], 2)];
    let seen = program.seen.lock().unwrap();
    assert_eq!(*seen, [expected, expected].concat(), "once with each number of threads");
    assert_eq!((mask(&buffer, [1, 3]), mask(&buffer, [2, 3])), (1, 1));
    assert_eq!((stats.fragments, stats.written, stats.uncovered), (6, 2, 4));
}

#[test]
fn early_tests_are_made_for_each_sample() {
    let samples = Samples::Four;
    let mut buffer = target(samples);
    // Samples 0 and 2 of pixel (2, 3) and all samples of (1, 3) are at 0.5, the others at 1.
    let mut draw = two_pixels();
    draw.state.depth = DepthState::LESS;
    over(&draw, &pass(), &white(), &mut buffer);
    draw.state.depth.test = Some(CompareFunc::Gequal);
    draw.state.scissor = Some([1, 3, 3, 1]);
    draw.clear = None;
    let Geometry::Vertices(input) = &mut draw.geometry else { panic!("there are vertices") };
    let everywhere = [[-50.0, -50.0], [200.0, -50.0], [-50.0, 200.0]].map(|point| at(SIZE, point));
    // At the same depth, GEQUAL passes where 0.5 is stored.
    input.attributes[0] = array(&everywhere);
    for tests in [FragmentTests::Early, FragmentTests::Late] {
        let mut buffer = buffer.clone();
        let program = Ordered { tests, ..Ordered::default() };
        let stats = over(&draw, &pass(), &program, &mut buffer);
        assert_eq!(
            (mask(&buffer, [1, 3]), mask(&buffer, [2, 3]), mask(&buffer, [3, 3])),
            (0b1111, 0b0101, 0)
        );
        // Late tests refuse after the program.
        let shaded = if tests == FragmentTests::Early { 2 } else { 3 };
        assert_eq!((stats.fragments, stats.written, stats.depth_failed), (shaded, 2, 1));
    }
}

/// Counts the shaded fragments, and returns attributes as the program's colour.
pub(super) struct Counted<F> {
    shades_samples: bool,
    interpolation: Interpolations,
    count: AtomicU64,
    color: F,
}

impl<F: Fn(&Inputs) -> [f32; 4] + Sync> BlockShader for Counted<F> {
    type Worker = ();

    fn worker(&self) {}

    fn facts(&self) -> FragmentFacts {
        FragmentFacts {
            attributes_used: ALL,
            interpolation: self.interpolation,
            shades_samples: self.shades_samples,
            ..FragmentFacts::default()
        }
    }

    fn run(&self, (): &mut (), inputs: &AttributeLanes, active: u64, output: &mut BlockOutput) {
        output.killed = 0;
        self.count.fetch_add(active.count_ones().into(), Ordering::Relaxed);
        for lane in (0..LANES).filter(|lane| active >> lane & 1 != 0) {
            let color = (self.color)(&lane_inputs(inputs, lane));
            for (register, value) in output.color.iter_mut().zip(color) {
                register.0[lane] = value;
            }
        }
    }
}

pub(super) fn counted<F: Fn(&Inputs) -> [f32; 4] + Sync>(color: F) -> Counted<F> {
    let interpolation = FragmentReads::NOTHING.interpolation;
    Counted { shades_samples: false, interpolation, count: AtomicU64::new(0), color }
}

#[test]
fn programs_run_once_a_pixel_or_once_a_sample() {
    let position = |inputs: &Inputs| inputs[Attribute::Wpos.index()];
    for samples in SEVERAL {
        let count = samples.count();
        // Pixel (2, 3) is partly covered, pixel (1, 3) completely.
        let mut rectangle = two_pixels();
        let (buffer, _) = drawn(&rectangle, &pass(), &white(), samples);
        let partly = mask(&buffer, [2, 3]).count_ones() as usize;
        // The fractions that ask for one invocation, for two, and for all.
        let one = 1.0 / count as f32;
        for (shading, expected) in [
            (None, 2),
            (Some(0.0), 2),
            (Some(one), 2),
            (Some(one + 0.001), count + partly),
            (Some(1.0), count + partly),
        ] {
            rectangle.state.multisample.shading = shading;
            let program = counted(position);
            let (buffer, stats) = drawn(&rectangle, &pass(), &program, samples);
            // Counted twice: with one thread and with three.
            assert_eq!(program.count.load(Ordering::Relaxed), 2 * expected as u64);
            assert_eq!((stats.fragments, stats.written), (expected as u64, expected as u64));
            for sample in (0..count).filter(|sample| expected > 2 && mask(&buffer, [2, 3]) >> sample & 1 != 0)
            {
                let color = buffer.sample_color(0, sample, buffer.index(2, 3).unwrap()).unwrap();
                let place = place(samples, [2, 3], sample).map(|place| place as f32 / 16.0);
                assert_eq!([color[0], color[1]], place, "evaluated at the sample");
            }
        }
        // A program that reads its sample's number runs for each sample, but attributes are evaluated at
        // centres.
        rectangle.state.multisample.shading = None;
        let program = Counted {
            shades_samples: true,
            ..counted(move |inputs: &Inputs| {
                let id = inputs[Attribute::SampleId.index()][0].to_bits() as f32;
                let mask = inputs[Attribute::SampleMask.index()][0].to_bits() as f32;
                let [x, y, ..] = inputs[Attribute::Wpos.index()];
                [id, mask, x, y]
            })
        };
        let (buffer, stats) = drawn(&rectangle, &pass(), &program, samples);
        assert_eq!(stats.fragments, (count + partly) as u64);
        for sample in 0..count {
            let color = buffer.sample_color(0, sample, buffer.index(1, 3).unwrap());
            assert_eq!(color, Some([sample as f32, (1 << sample) as f32, 1.5, 3.5]));
        }
        // A single invocation for the pixel gets the mask of samples that the primitive covers and the state
        // leaves.
        let program = counted(|inputs: &Inputs| {
            let bits = |attribute: Attribute| inputs[attribute.index()][0].to_bits() as f32;
            [bits(Attribute::SampleMask), bits(Attribute::SampleId), 0.0, 1.0]
        });
        let (buffer, _) = drawn(&rectangle, &pass(), &program, samples);
        let index = buffer.index(2, 3).unwrap();
        let mask = mask(&drawn(&rectangle, &pass(), &white(), samples).0, [2, 3]);
        let first = mask.trailing_zeros() as usize;
        assert_eq!(buffer.sample_color(0, first, index), Some([f32::from(mask), 0.0, 0.0, 1.0]));
        rectangle.state.multisample.mask = Some(!(1 << first));
        let (buffer, _) = drawn(&rectangle, &pass(), &program, samples);
        let left = mask & !(1 << first);
        if left != 0 {
            let color = buffer.sample_color(0, left.trailing_zeros() as usize, index);
            assert_eq!(color, Some([f32::from(left), 0.0, 0.0, 1.0]));
        }
    }
}

#[test]
fn attributes_are_evaluated_where_their_declarations_say() {
    use shadestep_language::ir::{Interpolation, Place};
    // texcoord[n] of all sets is the window position in pixels.
    let points = [[-3.0, 2.125], [33.25, -1.75], [12.25, 19.375]];
    let mut draw = draw(Primitive::Triangles, &points);
    let Geometry::Vertices(input) = &mut draw.geometry else { panic!("there are vertices") };
    for set in 0..3 {
        input.attributes[8 + set] = array(&points.map(|[x, y]| [x, y, 0.0, 1.0]));
    }
    let vertex = Pass((0..3).map(VertexResult::Tex).collect());
    let mut interpolation = FragmentReads::NOTHING.interpolation;
    let place_of = |place| Interpolation { place, ..Interpolation::DEFAULT };
    interpolation[Attribute::Tex(1).index()] = place_of(Place::Centroid);
    interpolation[Attribute::Tex(2).index()] = place_of(Place::Sample);
    for samples in SEVERAL {
        let covered = drawn(&draw, &vertex, &white(), samples).0;
        for shades_samples in [false, true] {
            for set in 0..3u8 {
                if set == 2 && !shades_samples {
                    continue;
                }
                let color = move |inputs: &Inputs| inputs[Attribute::Tex(set).index()];
                let program = Counted { shades_samples, interpolation, ..counted(color) };
                let (buffer, _) = drawn(&draw, &vertex, &program, samples);
                let (mut partly, mut seen) = (0, 0);
                for (pixel, sample) in all(samples) {
                    let mask = mask(&covered, pixel);
                    if mask >> sample & 1 == 0 {
                        continue;
                    }
                    let centre = pixel.map(|place| 16 * i64::from(place) + 8);
                    let first = mask.trailing_zeros() as usize;
                    let expected = match set {
                        // The pixel centre.
                        0 => centre,
                        // The first covered sample, unless all are covered.
                        1 if mask != samples.all() => place(samples, pixel, first),
                        1 => centre,
                        _ => place(samples, pixel, sample),
                    };
                    partly += u32::from(mask != samples.all());
                    seen += 1;
                    let index = buffer.index(pixel[0], pixel[1]).unwrap();
                    let color = buffer.sample_color(0, sample, index).unwrap();
                    for axis in 0..2 {
                        let expected = expected[axis] as f32 / 16.0;
                        assert!(
                            (color[axis] - expected).abs() < 1e-4,
                            "set {set} {samples:?} {pixel:?} {sample}"
                        );
                    }
                }
                assert!(partly > 20 && seen > 200);
            }
        }
    }
}

/// A program that outputs a sample mask.
struct Masking(u32);

impl BlockShader for Masking {
    type Worker = ();

    fn worker(&self) {}

    fn facts(&self) -> FragmentFacts {
        FragmentFacts { writes_sample_mask: true, ..FragmentFacts::default() }
    }

    fn run(&self, (): &mut (), _: &AttributeLanes, _: u64, output: &mut BlockOutput) {
        output.killed = 0;
        output.color = [LaneRegister([1.0; LANES]); 4];
        output.sample_mask = LaneRegister([f32::from_bits(self.0); LANES]);
    }
}

#[test]
fn programs_take_samples_away_and_add_none() {
    for samples in SEVERAL {
        for shading in [None, Some(1.0)] {
            for written in [0, 1, 0b10, 0xFFFF_FFFE, u32::MAX] {
                let mut rectangle = two_pixels();
                rectangle.state.multisample.shading = shading;
                let covered = mask(&drawn(&rectangle, &pass(), &white(), samples).0, [2, 3]);
                let (buffer, _) = drawn(&rectangle, &pass(), &Masking(written), samples);
                assert_eq!(mask(&buffer, [2, 3]), covered & written as u16);
                assert_eq!(mask(&buffer, [1, 3]), samples.all() & written as u16);
                let mut sheet = Draw::viewport_quad();
                sheet.state.multisample.shading = shading;
                let (buffer, _) = drawn(&sheet, &pass(), &Masking(written), samples);
                assert_eq!(mask(&buffer, [9, 9]), samples.all() & written as u16);
            }
        }
    }
    // Without a multisample buffer the mask has no effect (glspec40 4.1.3).
    let (buffer, _) = drawn(&Draw::viewport_quad(), &pass(), &Masking(0), Samples::One);
    assert_eq!(mask(&buffer, [9, 9]), 1);
}
