//! Tests of `map`, which shows a value for each pixel.

use crate::common::{TempFolder, shadestep};
use std::fs;

/// The block runs in the left half, and discards pixels whose x is below an eighth.
const PROGRAM: &str = "!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP place;
MOV place, fragment.texcoord[0];
SLTC place.z, place.x, 0.5;
IF NE.z;
    SUB place.w, place.x, 0.125;
    KIL place.w;
ENDIF;
RCP place.w, place.y;
MOV result.color, place;
END
";

/// Returns the part of the first line before the run time.
fn summary(line: &str) -> &str {
    line.split_once(';').map_or(line, |(summary, _)| summary)
}

#[test]
fn values_are_told_as_numbers_colours_and_csv() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", PROGRAM);
    let (png, csv) = (folder.0.join("a.png"), folder.0.join("a.csv"));
    let (png_name, csv_name) = (png.display().to_string(), csv.display().to_string());
    let size = ["map", &program, "--size", "8x4"];
    let value = ["--value", "place.xy * 8", "-o", &png_name, "--csv", &csv_name, "--probe", "2,1", "0,1"];
    let run = shadestep(&[&size[..], &value[..]].concat());
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines = run.lines();
    // x is (n + 0.5) / 8, y (n + 0.5) / 4; column 0 is discarded.
    assert_eq!(summary(lines[0]), "Value: 28 pixels, 1 to 7.5");
    assert_eq!(&lines[1..], ["2,1: 2.5 3", "0,1: nothing"]);
    let text = fs::read_to_string(csv).expect("it was written");
    assert!(text.starts_with("pixel_x,pixel_y,value_x,value_y\n1,0,1.5,1\n2,0,2.5,1\n"), "{text}");
    assert_eq!(text.lines().count(), 29);
    assert_eq!(&fs::read(png).expect("it was written")[1..4], b"PNG");
    // After a line, only pixels that ran the line have a value.
    let run =
        shadestep(&[&size[..], &["--value", "place.w", "--line", "7", "--probe", "2,0", "6,0"]].concat());
    assert_eq!(run.lines()[1..], ["2,0: 0.1875", "6,0: nothing"]);
}

#[test]
fn what_happened_is_counted() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", PROGRAM);
    let told = |rest: &[&str]| {
        let run = shadestep(&[&["map", &program, "--size", "8x4"], rest].concat());
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{rest:?}");
        run.out
    };
    // All pixels run 5 instructions. The left half also runs the 3 instructions of the block.
    let instructions = told(&["--kind", "instructions", "--probe", "1,1", "7,3"]);
    assert!(instructions.starts_with("Instructions: 32 pixels, 5 to 8, 208 in total;"), "{instructions}");
    assert!(instructions.ends_with("1,1: 8\n7,3: 5\n"), "{instructions}");
    let killed = told(&["--kind", "discarded"]);
    assert!(killed.starts_with("Discarded: 32 pixels, 0 to 1, 4 in total;"), "{killed}");
    let ran = told(&["--kind", "ran", "--line", "7"]);
    assert!(ran.starts_with("Line executed: 28 pixels, 0 to 1, 12 in total;"), "{ran}");
    let hits = told(&["--kind", "hits", "--break", "4", "--break", "8"]);
    assert!(hits.starts_with("Breakpoint hits: 28 pixels, 1 to 2, 40 in total;"), "{hits}");
    let lines = told(&["--lines", "--kind", "depth"]);
    assert!(lines.starts_with("32 fragments, 208 instructions\n"), "{lines}");
    assert!(lines.contains("        16           16   7.69%      KIL place.w;\n"), "{lines}");
}

#[test]
fn writes_are_counted_where_the_condition_lets_them() {
    let folder = TempFolder::new();
    // The codes of line 2 decide whether line 4 writes, not the codes that line 4 writes itself. Line 4 keeps
    // the codes of the right half.
    let program = folder.file(
        "a.fp",
        "!!FP1.0\nADDRC R0.x, f[TEX0].x, -0.5;\nMOVR R1, 0;\nADDRC R1.x (LT.x), R1.x, 1;\nMOVR R1.yz (GE.x), 1;\n\
         MOVR o[COLR], R1;\nEND\n",
    );
    for (line, rest) in
        [("3", "1 to 1, 32 in total"), ("4", "0 to 1, 16 in total"), ("5", "1 to 1, 32 in total")]
    {
        let run = shadestep(&["map", &program, "--size", "8x4", "--kind", "wrote", "--line", line]);
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        assert!(run.out.starts_with(&format!("Line writes: 32 pixels, {rest};")), "line {line}: {}", run.out);
    }
    let run = shadestep(&["map", &program, "--kind", "wrote", "--line", "1"]);
    assert_eq!(run.code, 2);
    assert!(run.err.to_lowercase().contains("no instruction with a result"), "{}", run.err);
}

#[test]
fn what_cannot_be_told_is_said() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", PROGRAM);
    for (rest, code, words) in [
        (&["--value", "place.q"][..], 2, "Expected one to four of x, y, z, w after the dot"),
        (&["--value", "other.x"], 2, "\"other\" is not a register of this program"),
        (&["--kind", "ran"], 2, "this map needs a line: add --line N"),
        (&["--kind", "ran", "--line", "99"], 2, "there is no line 99: choose 1 to 13"),
        (&["--kind", "level", "--line", "9"], 2, "there is no texture lookup"),
        (&["--kind", "hits"], 2, "this map needs a breakpoint: add --break N"),
        (&["--kind", "hits", "--break", "3"], 2, "line 3 has no instruction"),
        (&["--range", "2,1"], 2, "a range is LOW,HIGH"),
    ] {
        let run = shadestep(&[&["map", &program], rest].concat());
        assert_eq!((run.code, run.out.as_str()), (code, ""), "{rest:?}: {}", run.err);
        assert!(run.err.contains(words), "{rest:?}: {}", run.err);
    }
}

/// Each instance draws the triangle n + 1 times in layer n. The triangle covers the picture.
const LAYERS: &str = "!!NVgp5.0
PRIMITIVE_IN TRIANGLES;
INVOCATIONS 3;
PRIMITIVE_OUT TRIANGLE_STRIP;
VERTICES_OUT 9;
ATTRIB place = vertex.position;
INT TEMP left, corner;
MOV.S left.x, primitive.invocation.x;
REP.S;
  MOV.S corner.x, 0;
  REP.S {3};
    MOV result.position, place[corner.x];
    MOV.S result.layer.x, primitive.invocation.x;
    MOV.S result.primid.x, left.x;
    EMIT;
    ADD.S corner.x, corner.x, 1;
  ENDREP;
  ENDPRIM;
  SUB.S.CC left.x, left.x, 1;
  BRK (LT.x);
ENDREP;
END
";

/// A program that runs once per sample. Pixel centres are at integers.
const SAMPLES: &str = "!!NVfp5.0
OPTION ARB_fragment_coord_pixel_center_integer;
INT TEMP sample;
MOV.S sample.x, fragment.sampleid.x;
SEQ.S.CC sample.y, sample.x, 3;
KIL NE.y;
MOV result.color, fragment.position;
END
";

const LAYERED: &str = "size = [4, 4]
layers = 3
[program]
vertex = \"main.vp\"
geometry = \"main.gp\"
fragment = \"main.fp\"
[geometry]
primitive = \"TRIANGLES\"
instances = 2
[[attribute]]
index = \"OPOS\"
size = 2
values = [-1, -1, 3, -1, -1, 3]
[depth]
func = \"ALWAYS\"
[state]
samples = 4
";

#[test]
fn every_kind_of_map_shows_one_layer() {
    let folder = TempFolder::new();
    folder.file("main.vp", "!!NVvp4.0\nMOV result.position, vertex.attrib[0];\nEND\n");
    folder.file("main.gp", LAYERS);
    folder.file("main.fp", SAMPLES);
    let scene = folder.file("scene.toml", LAYERED);
    for layer in 0..3 {
        let number = layer.to_string();
        let shown = |rest: &[&str]| {
            let run = shadestep(&[&["map", &scene, "--layer", &number], rest].concat());
            assert_eq!((run.code, run.err.as_str()), (0, ""), "{rest:?}");
            run.out
        };
        let summarized = |rest: &[&str]| summary(&shown(rest)).to_owned();
        // 2 instances, 4 samples, and n + 1 triangles.
        let each = 2 * 4 * (layer + 1);
        let of_each = |words: &str, each: usize| {
            format!("{words}: 16 pixels, {each} to {each}, {} in total", 16 * each)
        };
        assert_eq!(summarized(&["--kind", "shaded"]), of_each("Fragments shaded", each));
        assert_eq!(summarized(&["--kind", "instructions"]), of_each("Instructions", 4 * each));
        assert_eq!(summarized(&["--kind", "helpers"]), of_each("Helpers", 0));
        assert_eq!(summarized(&["--kind", "discarded"]), of_each("Discarded", each / 4));
        let lines = shown(&["--lines", "--kind", "depth"]);
        let total = 16 * each;
        assert!(lines.starts_with(&format!("{total} fragments, {} instructions\n", 4 * total)), "{lines}");
        // The last triangle of each layer has number 0, so all layers have the same map.
        for (kind, words) in [
            (["--kind", "primitives"], "Primitives: 16 pixels, 0 to 0"),
            (["--kind", "facing"], "Facing: 16 pixels, 1 to 1"),
            (["--value", "sample.x"], "Value: 16 pixels, 0 to 0"),
            (["--value", "step"], "Value: 16 pixels, 1 to 1"),
        ] {
            assert_eq!(summarized(&kind), words, "layer {layer}");
        }
    }
    let alone = "size = [4, 4]\nlayers = 2\n[program]\nfragment = \"main.fp\"\n";
    let scene = folder.file("scene.toml", alone);
    for (layer, words) in [
        ("0", "Fragments shaded: 16 pixels, 1 to 1, 16 in total"),
        ("1", "Fragments shaded: 16 pixels, 0 to 0, 0 in total"),
    ] {
        let run = shadestep(&["map", &scene, "--kind", "shaded", "--layer", layer]);
        assert_eq!((run.code, summary(&run.out)), (0, words), "{}", run.err);
    }
}
