//! Speed of fragment programs. The batch executor runs blocks of 64 fragments, for programs of different
//! kinds. The reference interpreter runs quads, with and without the trace that stepping needs.

mod support;

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shadestep_core::exec::{AttributeLanes, BlockOutput, BlockShader, LANES, QuadInputs, Shader, run_quad};
use shadestep_engine::debug::Recording;
use shadestep_engine::ir::Attribute;

/// A program of 48 instructions of one kind, each depending on the last but two.
fn repeated(header: &str, lines: [&str; 3]) -> String {
    let body: Vec<&str> = lines.into_iter().cycle().take(48).collect();
    format!("{header}\n{}\nEND\n", body.join("\n"))
}

/// The programs for blocks, with their names.
fn programs() -> Vec<(&'static str, String)> {
    const ARB: &str = "!!ARBfp1.0\nTEMP a, b, c; MOV a, fragment.texcoord[0]; MOV b, a.yzwx; MOV c, a.wxyz;";
    let arb =
        |lines: [&str; 3]| repeated(ARB, lines).replace("END", "ADD a, a, b; ADD result.color, a, c; END");
    let nv = |lines: [&str; 3]| {
        let head = "!!FP1.0\nMOVR R0, f[TEX0]; MOVR R1, R0.yzwx; MOVR R2, R0.wxyz;
            MOVH H8, R0; MOVH H9, R1; MOVH H10, R2;";
        repeated(head, lines).replace("END", "ADDR R0, R0, H8; ADDR R1, R1, H9; ADDR o[COLR], R0, R1; END")
    };
    let text = |text: &'static str| text.to_owned();
    vec![
        ("MAD", arb(["MAD a, a, b, c;", "MAD b, b, c, a;", "MAD c, c, a, b;"])),
        ("DP4", arb(["DP4 a.x, b, c;", "DP4 b.y, c, a;", "DP4 c.z, a, b;"])),
        ("MADH", nv(["MADH H8, H8, H9, H10;", "MADH H9, H9, H10, H8;", "MADH H10, H10, H8, H9;"])),
        ("MADX", nv(["MADX H8, H8, H9, H10;", "MADX H9, H9, H10, H8;", "MADX H10, H10, H8, H9;"])),
        ("transcendental", arb(["EX2 a.x, b.x;", "LG2 b.x, a.x;", "SIN c.x, a.y;"])),
        ("reciprocal", arb(["RCP a.x, b.x;", "RSQ b.x, c.x;", "RCP c.x, a.y;"])),
        ("LIT", arb(["LIT a, b;", "LIT b, c;", "LIT c, a;"])),
        ("condition codes", nv(["SUBRC R3, R0, R1;", "MOVR R0.xy(GT), R2;", "MOVR R1(LT.x), R0;"])),
        ("plasma", text(include_str!("../../samples/bench/plasma.arbfp"))),
        ("384 instructions", text(include_str!("../../samples/bench/alu384.arbfp"))),
        ("lookups and light", text(include_str!("../../samples/bench/texlit.arbfp"))),
        ("divergent loop", text(include_str!("../../samples/bench/mandelbrot.arbfp"))),
        ("divergent loop, F64", text(include_str!("../../samples/bench/mandelbrot64.nvfp5"))),
        ("integers", text(include_str!("../../samples/bench/hash.nvfp5"))),
        ("gathers", text(include_str!("../../samples/bench/gather.nvfp5"))),
        ("branches", text(include_str!("../../samples/44-rep-brk/main.fp"))),
    ]
}

fn bound(text: &str) -> Shader {
    support::shader(text, [0.25, 0.5, 2.0, 1.0], Some(&support::trilinear()))
}

/// Attributes of a block of 64 fragments, with small differences between neighbours as in a 64 by 64 picture.
fn attributes() -> AttributeLanes {
    let mut inputs = AttributeLanes::default();
    for &attribute in &Attribute::FRAGMENT {
        for component in 0..4 {
            for (lane, value) in inputs.register_mut(attribute, component).0.iter_mut().enumerate() {
                let (quad, within) = (lane / 4, lane % 4);
                let x = (quad % 4 * 2 + within % 2) as f32 + 0.5;
                let y = (quad / 4 * 2 + within / 2) as f32 + 0.5;
                *value = [0.3 + x / 64.0, 0.4 + y / 64.0, 0.75, 1.0][component];
            }
        }
    }
    inputs
}

/// The attributes of the first quad in `lanes`.
fn quad(lanes: &AttributeLanes) -> QuadInputs {
    let mut inputs = QuadInputs::default();
    for &attribute in &Attribute::FRAGMENT {
        for (lane, values) in inputs.attributes[attribute.index()].iter_mut().enumerate() {
            *values = std::array::from_fn(|component| lanes.register(attribute, component).0[lane]);
        }
    }
    inputs
}

fn batch(criterion: &mut Criterion) {
    let inputs = attributes();
    let mut group = criterion.benchmark_group("fragment");
    group.throughput(Throughput::Elements(LANES as u64));
    for (name, text) in programs() {
        let shader = bound(&text);
        let mut worker = BlockShader::worker(&shader);
        let mut output = BlockOutput::default();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                BlockShader::run(&shader, &mut worker, black_box(&inputs), u64::MAX, &mut output);
                black_box(&output);
            });
        });
    }
    group.finish();
}

fn reference(criterion: &mut Criterion) {
    let inputs = quad(&attributes());
    let texture = support::trilinear();
    let mut group = criterion.benchmark_group("reference");
    group.throughput(Throughput::Elements(4));
    let names = ["plasma", "384 instructions", "lookups and light", "divergent loop"];
    for (name, text) in programs().into_iter().filter(|(name, _)| names.contains(name)) {
        let program = Arc::new(support::program(&text));
        let bindings = support::bindings(&program, [0.25, 0.5, 2.0, 1.0], Some(&texture));
        group.bench_function(format!("{name}, untraced"), |bencher| {
            bencher.iter(|| run_quad(&program, &bindings, black_box(&inputs), |_, _| ()));
        });
        let (shared, never) = (Arc::new(bindings), AtomicBool::new(false));
        group.bench_function(format!("{name}, recorded and traced"), |bencher| {
            bencher.iter(|| {
                let inputs = black_box(&inputs).clone();
                let recording = Recording::of_fragment(&program, &shared, inputs, (0, [0, 0]), &never);
                recording.map(|recording| recording.all_steps().map(|step| step.pc).sum::<usize>())
            });
        });
    }
    group.finish();
}

criterion_group! { name = benches; config = support::criterion(); targets = batch, reference }
criterion_main!(benches);
