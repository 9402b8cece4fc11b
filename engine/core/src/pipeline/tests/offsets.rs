//! Tests of attributes away from pixel centres, evaluated by programs with IPAO (NV_gpu_program5 2.X.8.Z).

use super::*;
use crate::exec::{Bindings, Executable, Shader, run_quad};
use shadestep_language::front::load;
use shadestep_language::ir::Program;

const SIZE: [u32; 2] = [46, 38];

/// The attributes that programs evaluate.
const READ: [&str; 4] = ["fragment.attrib[0]", "n", "f", "fragment.position"];

fn program(body: &str) -> Arc<Program> {
    let declarations = "NOPERSPECTIVE ATTRIB n = fragment.attrib[1]; FLAT ATTRIB f = fragment.attrib[2];";
    let text = format!("!!NVfp5.0 {declarations} {body} END");
    let loaded = load(text.as_bytes());
    Arc::new(loaded.program.unwrap_or_else(|| panic!("{body}\n{:#?}", loaded.diagnostics)))
}

/// The colours of the drawn pixels. Checks that all back ends and the reference interpreter agree.
#[track_caller]
fn colors(draw: &Draw, body: &str) -> Vec<([u32; 2], [f32; 4])> {
    let program = program(body);
    let bindings = Bindings::initial(&program);
    let vertex = Pass((0..3).map(VertexResult::Generic).collect());
    let mut found: Option<Vec<([u32; 2], [f32; 4])>> = None;
    for executable in Executable::all(&program) {
        let shader = Shader::new(Arc::new(executable), bindings.clone());
        let (target, _) = draw_vertices(draw, &vertex, &shader, SIZE, 2);
        let pixels = (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| [x, y]));
        let written = pixels.filter_map(|[x, y]| {
            let index = target.index(x, y).unwrap();
            (target.status[index] == PixelStatus::Written).then(|| ([x, y], target.color.at(index)))
        });
        let written: Vec<_> = written.collect();
        assert!(found.as_ref().is_none_or(|found| *found == written), "{body}: back ends differ");
        found = Some(written);
    }
    let found = found.unwrap();
    let reads = FragmentReads {
        attributes: ALL,
        interpolation: program.interpolation(),
        depth: DepthSource::Window,
        evaluates: program.evaluates(),
        shades_samples: program.shades_samples(),
    };
    let never = AtomicBool::new(false);
    for &(pixel, color) in found.iter().step_by(11) {
        let mut traced = None;
        each_fragment_at(draw, &vertex, &reads, (SIZE, pixel), &never, |fragment| {
            let lane = fragment.lane;
            let registers = run_quad(&program, &bindings, &fragment.inputs(), |_, _| {});
            traced = Some(singles(registers[lane].outputs[0]));
            Ok(())
        })
        .unwrap();
        assert_eq!(
            traced.map(|color| color.map(f32::to_bits)),
            Some(color.map(f32::to_bits)),
            "{body} {pixel:?}"
        );
    }
    found
}

/// A triangle with corners on the grid of snapped coordinates.
struct Corners {
    places: [[f64; 2]; 3],
    w: [f32; 3],
    values: [Vec<[f32; 4]>; 3],
}

impl Corners {
    fn random(random: &mut Random, is_affine: bool) -> Self {
        let grid = |value: f32| (f64::from(value) * 1024.0).round() / 1024.0;
        let places = [0; 3].map(|_| [grid(random.between(-20.0, 66.0)), grid(random.between(-20.0, 58.0))]);
        let w = [0; 3].map(|_| if is_affine { 2.0 } else { random.between(-1.5, 1.5).exp() });
        let values = [0; 3].map(|_| (0..3).map(|_| [0; 4].map(|_| random.between(0.25, 2.0))).collect());
        Self { places, w, values }
    }

    fn large() -> Self {
        let places = [[-3.0, -2.25], [50.5, 1.0], [4.0, 41.0]];
        Self { places, ..Self::random(&mut Random(5), false) }
    }

    /// A draw of the triangle, moved by this many pixels.
    fn draw(&self, [x, y]: [f64; 2]) -> Draw {
        let clip: Vec<[f32; 4]> = (0..3)
            .map(|i| {
                let ndc = [
                    (self.places[i][0] + x) * 2.0 / f64::from(SIZE[0]) - 1.0,
                    (self.places[i][1] + y) * 2.0 / f64::from(SIZE[1]) - 1.0,
                ];
                let w = f64::from(self.w[i]);
                [(ndc[0] * w) as f32, (ndc[1] * w) as f32, 0.25 * i as f32 * self.w[i], self.w[i]]
            })
            .collect();
        let mut input = input(Primitive::Triangles, &clip);
        for (n, values) in self.values.iter().enumerate() {
            input.attributes[8 + n] = array(values);
        }
        Draw::vertices(input)
    }

    /// Generic interpolant `n` at a point by eq. 3.6, or eq. 3.7 for the second interpolant, in f64.
    fn exact(&self, n: usize, at: [f64; 2], component: usize) -> f64 {
        let area = |[a, b, c]: [[f64; 2]; 3]| (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        let [a, b, c] = self.places;
        let shares = [area([at, b, c]), area([a, at, c]), area([a, b, at])];
        let weight = |i: usize| if n == 1 { shares[i] } else { shares[i] / f64::from(self.w[i]) };
        let sum = |factor: &dyn Fn(usize) -> f64| (0..3).map(|i| weight(i) * factor(i)).sum::<f64>();
        sum(&|i| f64::from(self.values[n][i][component])) / sum(&|_| 1.0)
    }
}

const OFFSETS: [[f64; 2]; 7] = [
    [0.0, 0.0],
    [0.5, 0.0],
    [-0.5, 0.0],
    [0.0, 0.5],
    [0.0, -0.5],
    [0.125, -0.375],
    [-0.3330078125, 0.2001953125],
];

#[test]
fn offsets_move_the_point_that_is_interpolated() {
    let mut random = Random(11);
    let mut compared = 0;
    for round in 0..3 {
        let corners = Corners::random(&mut random, round == 0);
        for [x, y] in OFFSETS {
            for (number, read) in READ.into_iter().enumerate() {
                let evaluated = colors(
                    &corners.draw([0.0; 2]),
                    &format!("IPAO result.color, {read}, {{{x}, {y}, 9, 9}};"),
                );
                // In a moved triangle, the pixel centres are offset in the opposite direction.
                let moved = colors(&corners.draw([-x, -y]), &format!("MOV result.color, {read};"));
                let mut moved = moved.into_iter().peekable();
                for (pixel, color) in evaluated {
                    let at = [f64::from(pixel[0]) + 0.5 + x, f64::from(pixel[1]) + 0.5 + y];
                    match number {
                        0 | 1 => {
                            for (component, value) in color.into_iter().enumerate() {
                                let exact = corners.exact(number, at, component);
                                let error = (f64::from(value) - exact).abs();
                                assert!(
                                    error <= exact.abs() * 6e-8 + 1e-12,
                                    "{read} {pixel:?} {value} {exact}"
                                );
                            }
                        }
                        2 => assert_eq!(color, corners.values[2][2], "the last vertex is the provoking one"),
                        _ => assert_eq!([color[0], color[1]], at.map(|x| x as f32)),
                    }
                    // Pixels row by row, in both lists.
                    let order = |[x, y]: [u32; 2]| (y, x);
                    while moved.next_if(|(other, _)| order(*other) < order(pixel)).is_some() {}
                    let Some((_, other)) = moved.next_if(|(other, _)| *other == pixel) else { continue };
                    let compared_from = if number == 3 { 2 } else { 0 };
                    let bits = |color: [f32; 4]| color.map(f32::to_bits)[compared_from..].to_vec();
                    assert_eq!(bits(color), bits(other), "{read} at {x}, {y} of {pixel:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn offsets_are_rounded_to_the_grid_and_limited() {
    let corners = Corners::large();
    let draw = corners.draw([0.0; 2]);
    let at = |offset: &str| colors(&draw, &format!("IPAO result.color, fragment.attrib[0], {offset};"));
    // 0.2 times 1024 is 204.8.
    assert_eq!(at("{0.2, 0.00048828125}"), at("{0.2001953125, 0}"));
    for beyond in ["{0.50001, 0}", "{0, -0.50001}", "{-3, 0}", "{0, 1e30}"] {
        let found = at(beyond);
        assert!(found.len() > 100 && found.iter().all(|(_, color)| *color == [0.0; 4]), "{beyond}");
    }
    // A separate offset for each fragment: to the lower left corner of the 2x2 quad.
    let body = "TEMP t; MUL t, fragment.position, 0.5; FRC t, t; SUB t, 0.25, t; MUL t, t, 0.5;
        IPAO result.color, fragment.position, t;";
    for ([x, y], color) in colors(&draw, body) {
        // Pixel centres are at a quarter and at three quarters of the quad.
        let moved = |x: u32| x as f32 + 0.5 - 0.25 * (x % 2) as f32;
        assert_eq!([color[0], color[1]], [moved(x), moved(y)]);
    }
}

#[test]
fn centroid_and_samples_are_centres() {
    let corners = Corners::large();
    let draw = corners.draw([0.0; 2]);
    for read in READ {
        let centre = colors(&draw, &format!("MOV result.color, {read};"));
        assert!(centre.len() > 100);
        for other in ["IPAC result.color, @;", "IPAS result.color, @, 0;", "IPAS result.color, @, 7;"] {
            assert_eq!(colors(&draw, &other.replace('@', read)), centre, "{other} of {read}");
        }
    }
}

#[test]
fn the_viewport_quad_goes_on_between_centres() {
    let mut draw = Shot::viewport_quad().draw();
    for origin in [WindowOrigin::LowerLeft, WindowOrigin::UpperLeft] {
        draw.state.coordinates.origin = origin;
        for [x, y] in OFFSETS {
            let at = |read: &str| colors(&draw, &format!("IPAO result.color, {read}, {{{x}, {y}}};"));
            let found = at("fragment.texcoord[0]");
            assert_eq!(found.len(), (SIZE[0] * SIZE[1]) as usize);
            for (pixel, color) in found {
                let place = [f64::from(pixel[0]) + 0.5 + x, f64::from(pixel[1]) + 0.5 + y];
                let [s, t] = [0, 1].map(|axis| (place[axis] / f64::from(SIZE[axis])) as f32);
                assert_eq!(color, [s, t, 0.0, 1.0], "{pixel:?}");
            }
            for (pixel, color) in at("fragment.position") {
                let place = [f64::from(pixel[0]) + 0.5 + x, f64::from(pixel[1]) + 0.5 + y];
                // Offsets are to the right and up in the window, for both window origins.
                let row =
                    if origin == WindowOrigin::UpperLeft { f64::from(SIZE[1]) - place[1] } else { place[1] };
                assert_eq!(color, [place[0] as f32, row as f32, 0.5, 1.0], "{pixel:?}");
            }
        }
    }
}

/// The window of a multisample draw. Checks that all back ends agree. The reference interpreter computes the
/// colours at the samples of the last fragment of each pixel.
fn sampled(draw: &Draw, body: &str, samples: Samples) -> Framebuffer {
    let program = program(body);
    let bindings = Bindings::initial(&program);
    let vertex = Pass((0..3).map(VertexResult::Generic).collect());
    let never = AtomicBool::new(false);
    let mut draw = draw.clone();
    draw.state.multisample.samples = samples;
    let mut found: Option<Framebuffer> = None;
    for executable in Executable::all(&program) {
        let shader = Shader::new(Arc::new(executable), bindings.clone());
        let mut target =
            Framebuffer::with_samples(SIZE[0], SIZE[1], samples, ColorFormat::Rgba32F, &[]).unwrap();
        render(&draw, &vertex, &shader, &mut target, &Threads::new(Some(2)), &never).unwrap();
        assert!(found.as_ref().is_none_or(|found| *found == target), "{body}: back ends differ");
        found = Some(target);
    }
    let found = found.unwrap();
    let reads = FragmentReads {
        attributes: ALL,
        interpolation: program.interpolation(),
        depth: DepthSource::Window,
        evaluates: program.evaluates(),
        shades_samples: program.shades_samples(),
    };
    for pixel in (0..SIZE[0] * SIZE[1]).step_by(11).map(|n| [n % SIZE[0], n / SIZE[0]]) {
        let index = found.index(pixel[0], pixel[1]).unwrap();
        each_fragment_at(&draw, &vertex, &reads, (SIZE, pixel), &never, |fragment| {
            let registers = run_quad(&program, &bindings, &fragment.inputs(), |_, _| {});
            let color = singles(registers[fragment.lane].outputs[0]).map(f32::to_bits);
            for sample in (0..samples.count()).filter(|sample| fragment.samples.coverage >> sample & 1 != 0) {
                let stored = found.sample_color(0, sample, index).unwrap().map(f32::to_bits);
                assert_eq!(stored, color, "{body} {pixel:?} {sample}");
            }
            Ok(())
        })
        .unwrap();
    }
    found
}

#[test]
fn ipas_is_at_the_sample_and_ipac_within_the_primitive() {
    let draw = Corners::large().draw([0.0; 2]);
    for samples in [Samples::Two, Samples::Four, Samples::Sixteen] {
        for read in READ {
            for sample in 0..samples.count() {
                let [x, y] = samples.offset(sample).unwrap();
                let at = sampled(&draw, &format!("IPAO result.color, {read}, {{{x}, {y}}};"), samples);
                let of_sample = sampled(&draw, &format!("IPAS result.color, {read}, {sample};"), samples);
                assert!(at == of_sample, "{read} {samples:?} {sample}");
            }
        }
        let covered = sampled(&draw, "MOV result.color, 1;", samples);
        // Declared CENTROID or SAMPLE.
        let declared = |how: &str| {
            let body = format!("{how} ATTRIB d = fragment.attrib[0]; MOV result.color, d;");
            sampled(&draw, &body, samples)
        };
        assert!(declared("CENTROID") == sampled(&draw, "IPAC result.color, fragment.attrib[0];", samples));
        let all = declared("SAMPLE");
        for sample in 0..samples.count() {
            let one = sampled(&draw, &format!("IPAS result.color, fragment.attrib[0], {sample};"), samples);
            for index in
                (0..covered.depth.len()).filter(|&i| covered.sample_color(0, sample, i) == Some([1.0; 4]))
            {
                assert_eq!(all.sample_color(0, sample, index), one.sample_color(0, sample, index));
            }
        }
        // For a sample that does not exist the result is undefined: here 0.
        let none =
            sampled(&draw, &format!("IPAS result.color, fragment.attrib[0], {};", samples.count()), samples);
        assert!(none.color.floats().iter().all(|color| *color == [0.0; 4]));
    }
}
