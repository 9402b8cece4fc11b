//! The JSON output of commands is valid under the schemas in the book.

use super::pages::Page;
use crate::common::tree::root;
use crate::common::{TempFolder, shadestep};
use boon::{Compiler, Draft, Schemas};
use std::collections::BTreeSet;
use std::fs;

const FOLDER: &str = "docs/command-line/schemas";

/// Asserts that the JSON output of the command is valid under the schema.
#[track_caller]
fn validate(schema: &str, arguments: &[&str]) {
    let run = shadestep(arguments);
    let value: serde_json::Value = serde_json::from_str(&run.out)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}{}", run.out, run.err));
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.set_default_draft(Draft::V2020_12);
    let path = root().join(FOLDER).join(schema);
    let index = compiler.compile(&path.display().to_string(), &mut schemas);
    let index = index.unwrap_or_else(|error| panic!("{schema}: {error:#}"));
    if let Err(error) = schemas.validate(&value, index) {
        panic!("{arguments:?} is not as {schema} says: {error:#}");
    }
}

#[test]
fn traces_are_as_their_schemas_say() {
    let trace = |schema: &str, scene: &str, arguments: &[&str]| {
        let all = [&["trace", scene, "--size", "32x32", "--format", "json"], arguments].concat();
        validate(schema, &all);
    };
    // Covers arithmetic, a texture, a discarded fragment, blending, multisampling, memory, loops and
    // integers.
    let scenes =
        ["plasma", "kil-dissolve", "normal-map", "projector", "mandelbrot", "histogram", "first-vertex"];
    for scene in scenes {
        trace("trace-pixel.json", scene, &["--pixel", "16,16", "--limit", "80"]);
    }
    let watched = ["--pixel", "3,4", "--watch", "R0.xy", "--until", "R0.x > 0"];
    trace("trace-pixel.json", "plasma", &watched);
    trace("trace-vertex.json", "vertex-lighting", &["--vertex", "1"]);
    trace("trace-vertex.json", "vertex-lighting", &["--vertex", "1", "--watch", "R0", "--limit", "2"]);
    trace("trace-primitive.json", "fur", &["--primitive", "0", "--limit", "80"]);
    trace("trace-patch.json", "terrain", &["--patch", "0"]);
    trace("trace-patch.json", "terrain", &["--patch", "0", "--vertex", "0"]);
}

#[test]
fn traces_of_state_programs_are_as_the_schema_says() {
    let folder = TempFolder::new();
    let program = folder.file("a.vsp", "!!VSP1.0\nMOV c[14], v[0];\nEND\n");
    validate("trace-state.json", &["trace", &program, "--stage", "state", "--format", "json"]);
}

#[test]
fn findings_are_as_their_schema_says() {
    let folder = TempFolder::new();
    let good = folder.file("good.fp", "!!FP1.0\nMOV o[COLR], f[COL0];\nEND\n");
    let bad = folder.file("bad.fp", "!!FP1.0\nMOVE R0, f[COL0]\nTEX R1, f[TEX9], TEX0, 2D;\nEND\n");
    let scene = folder.file("scene.toml", "[program]\nfragmen = \"good.fp\"\n");
    validate("check.json", &["check", "--format", "json", &good, &bad, &scene, "nothing.fp"]);
}

#[test]
fn lessons_are_as_their_schema_says() {
    validate("lesson.json", &["lesson", "--format", "json"]);
    let one = root().join("samples/lessons/01-four-components");
    validate("lesson.json", &["lesson", "--check", &one.display().to_string(), "--format", "json"]);
}

#[test]
fn explanations_are_as_their_schema_says() {
    validate("explain.json", &["explain", "--format", "json"]);
    validate("explain.json", &["explain", "arb-not-array", "--format", "json"]);
}

#[test]
fn every_schema_has_a_link() {
    let overview = Page::read("docs/command-line/README.md");
    let linked = overview.links.iter().filter_map(|link| link.strip_prefix("schemas/"));
    let linked: BTreeSet<String> = linked.map(str::to_owned).collect();
    let files = fs::read_dir(root().join(FOLDER)).expect("the folder of schemas");
    let files = files.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"));
    assert_eq!(linked, files.collect());
}
