//! Speed of coverage, interpolation and merging. The fragment stage computes next to nothing. Cases are
//! triangles of every size, lines and points, one attribute and many, the depth test and blending.

mod support;

use std::hint::black_box;
use std::sync::atomic::AtomicBool;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shadestep_core::exec::{AttributeLanes, BlockOutput, BlockShader, FragmentFacts, Shader};
use shadestep_core::pipeline::{
    ArrayData, AttributeArray, AttributeSource, Blend, BlendEquation, BlendFactor, Clear, DepthState, Draw,
    EdgeFlag, EdgeFlags, Elements, Framebuffer, Geometry, Patches, Primitive, RasterState, Threads,
    VertexInput, render,
};
use shadestep_engine::ir::{Attribute, single_bits};

/// Width and height of the window in pixels.
const EDGE: u32 = 512;

/// A fragment stage that outputs white, or the sum of the first attributes, so that these must be
/// interpolated.
struct Plain {
    texture_sets: u8,
}

impl BlockShader for Plain {
    type Worker = ();

    fn worker(&self) {}

    fn facts(&self) -> FragmentFacts {
        let mut attributes_used = [0; Attribute::SLOTS];
        for set in 0..self.texture_sets {
            attributes_used[Attribute::Tex(set).index()] = 0b1111;
        }
        FragmentFacts { attributes_used, can_kill: false, ..FragmentFacts::default() }
    }

    fn run(&self, (): &mut (), inputs: &AttributeLanes, _active: u64, output: &mut BlockOutput) {
        for (component, register) in output.color.iter_mut().enumerate() {
            register.0.fill(0.5);
            for set in 0..self.texture_sets {
                let attribute = inputs.register(Attribute::Tex(set), component);
                register.0.iter_mut().zip(&attribute.0).for_each(|(sum, value)| *sum += value);
            }
        }
        output.killed = 0;
    }
}

/// A vertex program that sets every texture coordinate set to the position, so that each has its own w.
fn pass_through() -> Shader {
    let sets: Vec<String> = (0..8).map(|set| format!("MOV o[TEX{set}], v[OPOS];")).collect();
    support::shader(&format!("!!VP1.0\nMOV o[HPOS], v[OPOS];\n{}\nEND", sets.join("\n")), [0.0; 4], None)
}

/// Vertices of `primitive` at clip coordinates `corners`.
fn input(primitive: Primitive, corners: &[[f32; 4]]) -> VertexInput {
    let mut attributes = [const { AttributeSource::Current(single_bits([0.0, 0.0, 0.0, 1.0])) }; 16];
    let data = ArrayData::Float(corners.as_flattened().into());
    attributes[0] = AttributeSource::Array(AttributeArray::packed(data, 4));
    let elements = Elements::Range { first: 0, count: corners.len() as u32 };
    VertexInput {
        attributes,
        edge_flags: EdgeFlags::Current(EdgeFlag::Boundary),
        primitive,
        patches: Patches::DEFAULT,
        elements,
        instances: 1,
    }
}

/// Tiles the window with squares of `edge` pixels, each two triangles, in perspective.
fn tiles(edge: u32) -> VertexInput {
    let count = EDGE / edge;
    let corner = |column: u32, row: u32| {
        let [x, y] = [column, row].map(|n| 2.0 * n as f32 / count as f32 - 1.0);
        let w = 1.0 + 0.5 * x;
        [x * w, y * w, 0.25 * y * w, w]
    };
    let mut corners = Vec::new();
    for (row, column) in (0..count).flat_map(|row| (0..count).map(move |column| (row, column))) {
        let [a, b] = [corner(column, row), corner(column + 1, row)];
        let [c, d] = [corner(column + 1, row + 1), corner(column, row + 1)];
        corners.extend([a, b, c, a, c, d]);
    }
    input(Primitive::Triangles, &corners)
}

struct Case {
    name: String,
    input: VertexInput,
    state: RasterState,
    texture_sets: u8,
    fragments: u64,
}

fn measure(criterion: &mut Criterion, group: &str, cases: Vec<Case>) {
    let mut group = criterion.benchmark_group(group);
    let vertex = pass_through();
    let threads = Threads::new(Some(1));
    let cancel = AtomicBool::new(false);
    let mut target = Framebuffer::new(EDGE, EDGE).expect("a small window");
    for case in cases {
        let draw =
            Draw { geometry: Geometry::Vertices(case.input), state: case.state, clear: Some(Clear::DEFAULT) };
        let shader = Plain { texture_sets: case.texture_sets };
        group.throughput(Throughput::Elements(case.fragments));
        group.bench_function(case.name, |bencher| {
            bencher.iter(|| render(black_box(&draw), &vertex, &shader, &mut target, &threads, &cancel));
        });
    }
    group.finish();
}

const PIXELS: u64 = (EDGE * EDGE) as u64;

fn coverage(criterion: &mut Criterion) {
    let state = || RasterState { depth: DepthState::OFF, ..RasterState::DEFAULT };
    let mut cases: Vec<Case> = [512, 64, 16, 4, 2, 1]
        .into_iter()
        .map(|edge| Case {
            name: format!("triangles of {edge} pixels"),
            input: tiles(edge),
            state: state(),
            texture_sets: 0,
            fragments: PIXELS,
        })
        .collect();
    let scattered: Vec<[f32; 4]> = (0..8192)
        .map(|n| [2.0 * support::noise(2 * n) - 1.0, 2.0 * support::noise(2 * n + 1) - 1.0, 0.0, 1.0])
        .collect();
    for (name, primitive, count) in
        [("lines", Primitive::Lines, 1024), ("points of 5 pixels", Primitive::Points, 8192)]
    {
        let mut state = state();
        state.point.size = 5.0;
        let input = input(primitive, &scattered[..count]);
        cases.push(Case { name: name.to_owned(), input, state, texture_sets: 0, fragments: count as u64 });
    }
    measure(criterion, "coverage", cases);
}

fn interpolation(criterion: &mut Criterion) {
    let case = |edge: u32, texture_sets: u8| Case {
        name: format!("{texture_sets} sets, triangles of {edge} pixels"),
        input: tiles(edge),
        state: RasterState { depth: DepthState::OFF, ..RasterState::DEFAULT },
        texture_sets,
        fragments: PIXELS,
    };
    let cases = [(64, 1), (64, 2), (64, 8), (4, 1), (4, 8)].map(|(edge, sets)| case(edge, sets));
    measure(criterion, "interpolation", cases.into());
}

fn merging(criterion: &mut Criterion) {
    let blend = Blend {
        equation: BlendEquation::Add,
        rgb: [BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha],
        alpha: [BlendFactor::One, BlendFactor::OneMinusSrcAlpha],
        color: [0.0; 4],
    };
    let depth = RasterState { depth: DepthState::LESS, ..RasterState::DEFAULT };
    let blended = RasterState { depth: DepthState::OFF, blend: Some(blend), ..RasterState::DEFAULT };
    let cases = [("the depth test", depth), ("blending", blended)].map(|(name, state)| Case {
        name: name.to_owned(),
        input: tiles(64),
        state,
        texture_sets: 0,
        fragments: PIXELS,
    });
    measure(criterion, "merge", cases.into());
}

criterion_group! { name = benches; config = support::criterion(); targets = coverage, interpolation, merging }
criterion_main!(benches);
