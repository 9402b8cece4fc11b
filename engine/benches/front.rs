//! Speed from text to program, for small and large programs of every language. Lexing is measured alone, and
//! loading includes parsing and checking. An editor loads the text after each key.

mod support;

use std::hint::black_box;

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use shadestep_engine::front::load;
use shadestep_engine::syntax::Lexer;

/// Sample programs in different languages.
const TEXTS: [(&str, &str); 7] = [
    ("FP1.0", include_str!("../../samples/07-lighting/main.fp")),
    ("VP1.1", include_str!("../../samples/26-vertex-lighting/main.vp")),
    ("VP2.0", include_str!("../../samples/30-many-lights/main.vp")),
    ("VSP1.0", include_str!("../../samples/34-state-program/setup.vsp")),
    ("ARBvp1.0", include_str!("../../samples/41-arb-light/main.vp")),
    ("ARBfp1.0", include_str!("../../samples/41-arb-light/main.fp")),
    ("ARBfp1.0 with NV_fragment_program2", include_str!("../../samples/45-relief/main.fp")),
];

/// A program of `count` instructions that repeats three kinds.
fn large(header: &str, count: usize) -> String {
    let body = match header {
        "!!FP1.0" => {
            ["MADR R0.xyz, f[TEX0], R1.yzxw, -R2;", "DP3H H4.w, H5, |H6|;", "LRPR R3, R0.x, R1, R2;"]
        }
        "!!VP2.0" => ["MAD R0.xyz, v[TEX0], R1.yzxw, -R2;", "DP3 R4.w, R5, |R6|;", "MOV o[TEX0].xy, R1;"],
        "!!ARBvp1.0" => {
            ["MAD a.xyz, vertex.texcoord[0], b.yzxw, -c;", "DP3 b.w, a, c;", "MOV result.color.xy, b;"]
        }
        _ => [
            "MAD a.xyz, fragment.texcoord[0], b.yzxw, -c;",
            "DP3 b.w, a, c;",
            "LRP c, a.x, b, { 1, 2, 3, 4 };",
        ],
    };
    let (before, after) = match header {
        "!!FP1.0" => ("", "MOVR o[COLR], R0;"),
        "!!VP2.0" => ("", "MOV o[HPOS], R0;"),
        "!!ARBvp1.0" => ("TEMP a, b, c;", "MOV result.position, a;"),
        _ => ("TEMP a, b, c;", "MOV result.color, a;"),
    };
    let lines: Vec<&str> = body.into_iter().cycle().take(count).collect();
    format!("{header}\n{before}\n{}\n{after}\nEND\n", lines.join("\n"))
}

/// The samples, and large programs of four languages: 250 instructions, because NV_vertex_program2 allows
/// 256.
fn texts() -> Vec<(String, String)> {
    let headers = ["!!FP1.0", "!!VP2.0", "!!ARBvp1.0", "!!ARBfp1.0"];
    let large = headers.map(|header| (format!("large {}", &header[2..]), large(header, 250)));
    TEXTS.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).chain(large).collect()
}

fn each_text(group: &mut BenchmarkGroup<'_, WallTime>, run: impl Fn(&str)) {
    for (name, text) in texts() {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| run(black_box(&text))));
    }
}

fn parse(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    each_text(&mut group, |text| {
        for token in Lexer::new(text.as_bytes()) {
            black_box(token);
        }
    });
    group.finish();
}

fn check(criterion: &mut Criterion) {
    for (name, text) in texts() {
        assert!(load(text.as_bytes()).program.is_some(), "{name} loads");
    }
    let mut group = criterion.benchmark_group("check");
    each_text(&mut group, |text| {
        black_box(load(text.as_bytes()));
    });
    group.finish();
}

criterion_group! { name = benches; config = support::criterion(); targets = parse, check }
criterion_main!(benches);
