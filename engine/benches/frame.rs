//! Speed of whole frames through the object model, as the app draws them, with one thread for each processor.
//! Each case is one kind of picture, and most fragment programs come from `samples`.

mod support;

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shadestep_engine::gl::{Cap, ClientState, Context, DrawCall, MatrixMode, TrackedMatrix, Transform};
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::isa::Stage;
use shadestep_engine::pipeline::{AttributeSource, Clear, Elements, Framebuffer, Mesh, Threads};
use shadestep_engine::texture::{MagFilter, MinFilter};

/// Width and height of the pictures in pixels.
const EDGE: u32 = 512;

/// Fragment programs on the rectangle that covers the window.
const SHEETS: [(&str, &str); 12] = [
    ("arithmetic, ARB", include_str!("../../samples/bench/plasma.arbfp")),
    ("arithmetic, NV", include_str!("../../samples/bench/plasma.fp1")),
    ("384 instructions, ARB", include_str!("../../samples/bench/alu384.arbfp")),
    ("384 instructions, NV", include_str!("../../samples/bench/alu384.fp1")),
    ("lookups and light, ARB", include_str!("../../samples/bench/texlit.arbfp")),
    ("lookups and light, NV", include_str!("../../samples/bench/texlit.fp1")),
    ("divergent loop", include_str!("../../samples/bench/mandelbrot.arbfp")),
    ("divergent loop, F64", include_str!("../../samples/bench/mandelbrot64.nvfp5")),
    ("integers", include_str!("../../samples/bench/hash.nvfp5")),
    ("gathers", include_str!("../../samples/bench/gather.nvfp5")),
    ("condition codes", include_str!("../../samples/03-condition-codes/main.fp")),
    ("packing", include_str!("../../samples/20-packing/main.fp")),
];

/// Outputs a position and two attributes to interpolate; c[0..3] tracks the modelview-projection matrix.
const SHORT_VERTEX: &str = "!!VP1.1
DP4 o[HPOS].x, c[0], v[OPOS];
DP4 o[HPOS].y, c[1], v[OPOS];
DP4 o[HPOS].z, c[2], v[OPOS];
DP4 o[HPOS].w, c[3], v[OPOS];
MOV o[TEX0], v[TEX0];
MOV o[COL0], v[NRML];
END";

fn with_texture(context: &mut Context) {
    for unit in 0..4 {
        context.bind_texture(unit, Some(support::trilinear())).expect("an image unit");
    }
    let cube =
        support::texture(TextureTarget::Cube, 64, MinFilter::LinearMipmapLinear, MagFilter::Linear, 1.0);
    context.bind_texture(4, Some(Arc::new(cube))).expect("an image unit");
}

/// A draw of `text` on the rectangle that covers the window. The first local parameters are the time and the
/// size of the picture, as in the samples.
fn sheet(text: &str) -> DrawCall {
    let mut context = Context::new();
    with_texture(&mut context);
    support::use_program(&mut context, Stage::Fragment, text);
    let first = [1.25, EDGE as f32, EDGE as f32, 0.0];
    context.program_local_parameter4(Stage::Fragment, 0, first).expect("a parameter");
    context.prepare_viewport_quad().expect("a draw").after_clear(Clear::DEFAULT)
}

/// A draw of a knot in front of the camera.
fn knot(context: &mut Context, rings: u32) -> DrawCall {
    context.matrix_mode(MatrixMode::Projection).expect("a mode");
    // A horizontal field of view of 45 degrees.
    let side = 0.1 * 22.5_f64.to_radians().tan();
    context.frustum([-side, side, -side, side, 0.1, 10.0]).expect("a matrix");
    context.matrix_mode(MatrixMode::Modelview).expect("a mode");
    context.translate([0.0, 0.0, -3.0]).expect("a matrix");
    let (mvp, plain) = (TrackedMatrix::ModelviewProjection, Transform::Identity);
    context.track_matrix(Stage::Vertex, 0, mvp, plain).expect("registers");
    let (modelview, normals) = (TrackedMatrix::Modelview, Transform::InverseTranspose);
    context.track_matrix(Stage::Vertex, 4, modelview, plain).expect("registers");
    context.track_matrix(Stage::Vertex, 8, modelview, normals).expect("registers");
    context.enable(Cap::DepthTest).expect("a capability");
    let input = Mesh::knot(rings, rings / 8).vertex_input();
    for (number, source) in (0..).zip(&input.attributes) {
        let AttributeSource::Array(array) = source else { continue };
        let stride = i32::try_from(array.stride * 4).expect("a stride in bytes");
        context
            .vertex_attrib_pointer(u32::from(number), array.size.into(), stride, array.data.clone())
            .expect("an array");
        context.enable_client_state(ClientState::VertexAttribArray(number)).expect("an array");
    }
    let Elements::Indices { indices, .. } = input.elements else { unreachable!("meshes have indices") };
    context.prepare_elements(input.primitive, &indices[..]).expect("a draw").after_clear(Clear::DEFAULT)
}

/// Meshes of few and many triangles, with lighting at vertices or at fragments.
fn meshes() -> Vec<(String, DrawCall)> {
    let fixed = |rings: u32, vertex: &str| {
        let mut context = Context::new();
        support::use_program(&mut context, Stage::Vertex, vertex);
        knot(&mut context, rings)
    };
    let lit = include_str!("../../samples/26-vertex-lighting/main.vp");
    let mut arb = Context::new();
    with_texture(&mut arb);
    support::use_program(&mut arb, Stage::Vertex, include_str!("../../samples/41-arb-light/main.vp"));
    support::use_program(&mut arb, Stage::Fragment, include_str!("../../samples/41-arb-light/main.fp"));
    vec![
        ("5 thousand triangles, short program".to_owned(), fixed(144, SHORT_VERTEX)),
        ("80 thousand triangles, light at the vertices".to_owned(), fixed(568, lit)),
        ("80 thousand triangles, light at the fragments".to_owned(), knot(&mut arb, 568)),
    ]
}

fn frames(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("frame");
    let threads = Threads::new(None);
    let cancel = AtomicBool::new(false);
    let mut target = Framebuffer::new(EDGE, EDGE).expect("a small window");
    group.throughput(Throughput::Elements((EDGE * EDGE).into()));
    let sheets = SHEETS.into_iter().map(|(name, text)| (name.to_owned(), sheet(text)));
    for (name, call) in sheets.chain(meshes()) {
        let stats = call.render(&mut target, &threads, &cancel).expect("not cancelled");
        assert!(stats.written > 10_000, "{name}: {stats:?}");
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(&call).render(&mut target, &threads, &cancel));
        });
    }
    group.finish();
}

criterion_group! { name = benches; config = support::criterion(); targets = frames }
criterion_main!(benches);
