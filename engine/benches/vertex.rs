//! Speed of vertex programs, short and long: in blocks of 64 vertices, and in draws of a mesh. A draw
//! includes fetching, the vertex cache, clipping and triangle setup.

mod support;

use std::hint::black_box;
use std::sync::atomic::AtomicBool;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shadestep_core::exec::{AttributeLanes, LANES, ResultLanes, VertexShader};
use shadestep_core::pipeline::{
    ColorSum, Draw, FixedFragment, FogCoordinate, Framebuffer, Mesh, Threads, VertexInput, render,
};
use shadestep_engine::ir::Attribute;

/// Programs of 5, about 30 and about 70 instructions, one with branches, and one with a lookup for each
/// vertex.
const PROGRAMS: [(&str, &str); 5] = [
    (
        "short",
        "!!VP1.1\nMUL o[HPOS].xyz, v[OPOS], c[0].x;\nMOV o[HPOS].w, c[0].w;\nMOV o[COL0], v[NRML];\nEND",
    ),
    ("lighting", include_str!("../../samples/26-vertex-lighting/main.vp")),
    ("skinning", include_str!("../../samples/29-skinning/main.vp")),
    ("branches", include_str!("../../samples/52-branches/main.vp")),
    ("lookup", include_str!("../../samples/53-vertex-texture/main.vp")),
];

/// The value of all parameters. Positions stay finite, and indices stay inside their tables.
const PARAMETER: [f32; 4] = [0.5, 0.25, 0.125, 1.0];

fn blocks(criterion: &mut Criterion) {
    let mut inputs = AttributeLanes::default();
    for &attribute in &Attribute::VERTEX {
        for component in 0..4 {
            for (lane, value) in inputs.register_mut(attribute, component).0.iter_mut().enumerate() {
                *value = support::noise(attribute.index() * 256 + component * LANES + lane);
            }
        }
    }
    let mut group = criterion.benchmark_group("vertex block");
    group.throughput(Throughput::Elements(LANES as u64));
    for (name, text) in PROGRAMS {
        let shader = support::shader(text, PARAMETER, Some(&support::trilinear()));
        let mut worker = VertexShader::worker(&shader);
        let mut output = ResultLanes::default();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                VertexShader::run(&shader, &mut worker, black_box(&inputs), u64::MAX, &mut output);
                black_box(&output);
            });
        });
    }
    group.finish();
}

/// Draws spheres of different sizes into a window of four pixels, so that vertices take nearly all the time.
fn over_mesh(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("vertex mesh");
    let fragment = FixedFragment::new(None, ColorSum::Disabled, None, FogCoordinate::Unwritten);
    let threads = Threads::new(Some(1));
    let cancel = AtomicBool::new(false);
    for (name, text) in &PROGRAMS[..2] {
        let shader = support::shader(text, PARAMETER, None);
        for slices in [16, 256] {
            let mesh = Mesh::sphere(slices, slices / 2);
            let input: VertexInput = mesh.vertex_input();
            let draw = Draw::vertices(input);
            let mut target = Framebuffer::new(2, 2).expect("a small window");
            group.throughput(Throughput::Elements(mesh.triangles().len() as u64));
            group.bench_function(format!("{name}, {} triangles", mesh.triangles().len()), |bencher| {
                bencher.iter(|| render(black_box(&draw), &shader, &fragment, &mut target, &threads, &cancel));
            });
        }
    }
    group.finish();
}

criterion_group! { name = benches; config = support::criterion(); targets = blocks, over_mesh }
criterion_main!(benches);
