//! The command line as people and scripts use it: the binary run on files, its output to the letter.

mod common;
#[path = "cli/files.rs"]
mod files;
#[path = "cli/formats.rs"]
mod formats;
#[path = "cli/names.rs"]
mod names;

use common::{Json, TempFolder, shadestep, shadestep_on};
use shadestep_engine::isa::{Language, TABLE};
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

#[test]
fn check_prints_a_verdict_for_each_file() {
    let folder = TempFolder::new();
    let good = folder.file("good.fp", "!!FP1.0\nMOV o[COLR], f[COL0];\nEND\n");
    // Byte 8 begins line 2; FOO is at byte 8 and X9 nowhere.
    let bad = folder.file("bad.fp", "!!FP1.0\nFOO R0, f[COL0];\nEND\n");
    let run = shadestep(&["check", &good, &bad, &good]);
    assert_eq!(run.code, 1);
    let lines = run.lines();
    assert_eq!(lines.len(), 3, "{}", run.out);
    assert_eq!((lines[0], lines[2]), (&*format!("{good}: ok"), &*format!("{good}: ok")));
    let start = format!("{bad}: error at 8 (2:1): ");
    assert!(lines[1].starts_with(&start) && lines[1].len() > start.len(), "{}", lines[1]);
    assert_eq!(run.err, "");
    assert_eq!(shadestep(&["check", &good]).code, 0);
}

#[test]
fn check_knows_places_after_carriage_returns() {
    let folder = TempFolder::new();
    // "!!FP1.0\r\n" is 9 bytes, "MOV R0, f[COL0];\r\n" 18 more, then 4 to the operand.
    let bad = folder.file("a.fp", "!!FP1.0\r\nMOV R0, f[COL0];\r\nMOV Q7, R0;\r\nEND\r\n");
    let run = shadestep(&["check", &bad]);
    assert!(run.out.starts_with(&format!("{bad}: error at 31 (3:5): ")), "{}", run.out);
}

#[test]
fn check_verbose_shows_the_source() {
    let folder = TempFolder::new();
    let bad = folder.file("bad.fp", "!!FP1.0\nMOV o[COLR], f[TEX9];\nEND\n");
    let plain = shadestep(&["check", &bad]);
    assert_eq!(plain.lines().len(), 1);
    let run = shadestep(&["check", "-v", &bad]);
    assert_eq!(run.lines()[0], plain.lines()[0]);
    assert!(run.out.contains("MOV o[COLR], f[TEX9];") && run.out.contains('^'), "{}", run.out);
    assert_eq!(run.code, 1);
}

#[test]
fn a_processor_that_there_is_not_is_refused() {
    let run = shadestep_on(Some("pentium"), &["isa", "MOV"]);
    assert_eq!(run.code, 2);
    assert_eq!(run.err, "shadestep: SHADESTEP_CPU is `pentium`; it can be `portable`, `avx2` or `avx512`\n");
    let run = shadestep_on(Some("portable"), &["isa", "MOV"]);
    assert_eq!((run.code, &*run.err), (0, ""));
}

#[test]
fn check_survives_anything() {
    let folder = TempFolder::new();
    let hostile: [(&str, &[u8]); 7] = [
        ("empty", b""),
        ("nul", b"!!FP1.0\n\0\0\0MOV"),
        ("unknown", b"!!XY9.9\nEND\n"),
        ("noend", b"!!FP1.0\nMOV o[COLR], f[COL0];\n"),
        ("unicode", "!!FP1.0\nMOV o[COLR], fé☃;\nEND\n".as_bytes()),
        ("bytes", b"\xFF\xFE\x80\x81"),
        ("word", b"hello"),
    ];
    for (name, bytes) in hostile {
        let path = folder.file(name, bytes);
        let run = shadestep(&["check", "-v", &path]);
        assert_eq!(run.code, 1, "{name}");
        assert!(run.out.starts_with(&format!("{path}: error at ")), "{name}: {}", run.out);
    }
    let missing = shadestep(&["check", "/nonexistent/x.fp"]);
    assert_eq!((missing.code, missing.out.as_str()), (1, ""));
    assert!(missing.err.contains("/nonexistent/x.fp: there is no such file"), "{}", missing.err);
    let directory = shadestep(&["check", &folder.0.display().to_string()]);
    assert!(directory.code == 1 && directory.err.contains("scene.toml"), "{}", directory.err);
}

#[test]
fn probes_print_decimals_and_patterns() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", "!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n");
    // (x + 0.5) / 4, (y + 0.5) / 4, 0, 1.
    let run = shadestep(&["render", &program, "--size", "4x4", "--probe", "0,0", "3,1", "1,3"]);
    let expected = "0,0: 0.125 0.125 0 1 0x3e000000 0x3e000000 0x00000000 0x3f800000\n\
                    3,1: 0.875 0.375 0 1 0x3f600000 0x3ec00000 0x00000000 0x3f800000\n\
                    1,3: 0.375 0.875 0 1 0x3ec00000 0x3f600000 0x00000000 0x3f800000\n";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, expected, ""));
    let repeated = shadestep(&["render", &program, "--size", "4x4", "--probe", "0,0", "--probe", "3,1"]);
    assert_eq!(repeated.lines(), &expected.lines().collect::<Vec<_>>()[..2]);
}

#[test]
fn a_list_of_probes_ends_where_something_else_begins() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", "!!FP1.0 MOV o[COLR], 1; END");
    let picture = folder.0.join("o.png").display().to_string();
    let (p, o) = (program.as_str(), picture.as_str());
    for line in [
        &[p, "--probe", "1,2", "3,0"][..],
        &["--probe", "1,2", "3,0", p],
        &["--probe", "1,2", p, "--probe", "3,0", "-o", o],
        &["-o", o, "--probe=1,2", "3,0", "--time", "2", p],
    ] {
        let run = shadestep(&[&["render", "--size", "4x4"], line].concat());
        assert_eq!(run.code, 0, "{line:?}: {}", run.err);
        let places: Vec<_> = run.lines().iter().map(|l| l.split_once(": ").unwrap().0).collect();
        assert_eq!(places, ["1,2", "3,0"], "{line:?}");
    }
    for line in [&[p, "--probe"][..], &[p, "--probe", "1,2", "-1,0"], &[p, "--probe", "1"], &["--probe", p]] {
        let run = shadestep(&[&["render"], line].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line:?}");
        assert!(run.err.contains("--probe"), "{line:?}: {}", run.err);
    }
}

#[test]
fn probes_show_special_values_unclamped() {
    let folder = TempFolder::new();
    let probe = |body: &str| {
        let program = folder.file("a.fp", format!("!!FP1.0\n{body}\nEND\n"));
        let run = shadestep(&["render", &program, "--size", "2x2", "--probe", "0,0"]);
        assert_eq!(run.code, 0, "{}", run.err);
        run.out.trim_end().to_owned()
    };
    assert_eq!(
        probe("MOVR o[COLR], {-0.0, 2.5, -300, 0.1};"),
        "0,0: -0 2.5 -300 0.1 0x80000000 0x40200000 0xc3960000 0x3dcccccd"
    );
    // RCP of zeros gives infinities of their sign (3.11.5.25); INF - INF is NaN.
    assert_eq!(
        probe("RCPR R0.xzw, 0.0;\nRCPR R0.y, -0.0;\nADDR R0.z, R0.x, R0.y;\nMOVR o[COLR], R0;"),
        "0,0: inf -inf NaN inf 0x7f800000 0xff800000 0x7fc00000 0x7f800000"
    );
    // 1/3 in fp16 is 0x3555 = 1365 / 4096, exactly 0.333251953125.
    let half = "0.33325195 0.33325195 0.33325195 0.33325195";
    assert_eq!(
        probe("MOVH o[COLH], 0.333333333;"),
        format!("0,0: {half} 0x3eaaa000 0x3eaaa000 0x3eaaa000 0x3eaaa000")
    );
}

#[test]
fn killed_and_uncovered_pixels_say_so() {
    let folder = TempFolder::new();
    let program =
        folder.file("a.fp", "!!FP1.0\nSUBRC RC.x, f[TEX0], 0.5;\nKIL LT.x;\nMOVR o[COLR], f[COL1];\nEND\n");
    let run = shadestep(&["render", &program, "--size", "4x2", "--probe", "0,0", "2,1"]);
    let expected = "0,0: killed\n2,1: 0 0 0 1 0x00000000 0x00000000 0x00000000 0x3f800000\n";
    assert_eq!((run.code, run.out.as_str()), (0, expected));
    let scene = folder.file("scene.toml", "[program]\nfragment = \"a.fp\"\n[geometry]\nmesh = \"sphere\"\n");
    let run = shadestep(&["render", &scene, "--size", "32x32", "--probe", "0,0"]);
    assert_eq!((run.code, run.out.as_str()), (0, "0,0: not covered\n"));
}

#[test]
fn probes_print_the_register_whatever_is_made_of_it_behind_the_program() {
    let folder = TempFolder::new();
    let _file = folder.file("a.fp", "!!FP1.0\nMOVR o[COLR], {0.5, 2.5, -3, 0.25};\nEND\n");
    let _file = folder.file(
        "fog.fp",
        "!!ARBfp1.0\nOPTION ARB_fog_linear;\nMOV result.color, { 0.5, 2.5, -3.0, 0.25 };\nEND\n",
    );
    let scene = |program: &str, state: &str| {
        let program = format!("[program]\nfragment = \"{program}\"\n");
        folder
            .file("scene.toml", format!("{program}[clear]\ncolor = [0.25, 0.5, 0.75, 1]\n[state]\n{state}\n"))
    };
    let register = "0,0: 0.5 2.5 -3 0.25 0x3f000000 0x40200000 0xc0400000 0x3e800000\n";
    for (program, state) in [
        ("a.fp", ""),
        ("a.fp", "blend = { src = \"SRC_ALPHA\", dst = \"ONE_MINUS_SRC_ALPHA\" }"),
        ("a.fp", "blend = { src = \"ZERO\", dst = \"ONE\" }"),
        ("a.fp", "logic_op = \"XOR\""),
        ("a.fp", "logic_op = \"NOOP\""),
        ("a.fp", "color_mask = [true, false, true, false]"),
        ("a.fp", "color_mask = [false, false, false, false]"),
        ("fog.fp", "fog = { mode = \"LINEAR\", start = 0, end = 1, color = [1, 1, 1, 1] }"),
    ] {
        let run = shadestep(&["render", &scene(program, state), "--size", "2x2", "--probe", "0,0"]);
        assert_eq!((run.code, run.out.as_str()), (0, register), "{state}: {}", run.err);
    }
    // Of several fragments that of the last one that was written: the second has an alpha of 1/8.
    let _file = folder.file("a.fp", "!!FP1.0\nMOVR o[COLR], f[COL0];\nEND\n");
    let _file = folder.file("a.vp", "!!VP1.0\nMOV o[HPOS], v[OPOS];\nMOV o[COL0], v[COL0];\nEND\n");
    let two = |state: &str| {
        let corner = "-1,-1, 3,-1, -1,3";
        let [first, second] = ["0.25,0.5,0.75,1, ".repeat(3), "1,0.5,0.25,0.125, ".repeat(3)];
        folder.file(
            "scene.toml",
            format!(
                "[program]\nvertex = \"a.vp\"\nfragment = \"a.fp\"\n[depth]\nfunc = \"OFF\"\n[state]\n{state}\n\
                 [geometry]\nprimitive = \"TRIANGLES\"\n\
                 [[attribute]]\nindex = \"OPOS\"\nsize = 2\nvalues = [{corner}, {corner}]\n\
                 [[attribute]]\nindex = \"COL0\"\nsize = 4\nvalues = [{first}{second}]\n"
            ),
        )
    };
    for (state, expected) in [
        ("", "1 0.5 0.25 0.125 0x3f800000 0x3f000000 0x3e800000 0x3e000000"),
        (
            "blend = { src = \"ONE\", dst = \"ONE\" }",
            "1 0.5 0.25 0.125 0x3f800000 0x3f000000 0x3e800000 0x3e000000",
        ),
        (
            "alpha_test = { func = \"GREATER\", ref = 0.5 }\nblend = { src = \"ZERO\", dst = \"ZERO\" }",
            "0.25 0.5 0.75 1 0x3e800000 0x3f000000 0x3f400000 0x3f800000",
        ),
    ] {
        let run = shadestep(&["render", &two(state), "--size", "2x2", "--probe", "1,1"]);
        assert_eq!((run.code, run.out), (0, format!("1,1: {expected}\n")), "{state}: {}", run.err);
    }
    // Of several output colours the one that is drawn.
    let colors = "!!ARBfp1.0\nOPTION ARB_draw_buffers;\nMOV result.color, 1.0;\n\
                  MOV result.color[2], { 0.5, 2.5, -3.0, 0.25 };\nEND\n";
    let _file = folder.file("a.fp", colors);
    let blended = scene("a.fp", "blend = { src = \"ZERO\", dst = \"ONE\" }");
    let run = shadestep(&["render", &blended, "--size", "2x2", "--color", "2", "--probe", "0,0"]);
    assert_eq!((run.code, run.out.as_str()), (0, register), "{}", run.err);
}

/// Registers hold bits: the sum in x wraps to the least signed integer (NV_gpu_program4 2.X.8, ADD), y is unsigned, z a
/// number, w what the program left of 2.0 as a signed integer, 0x40000000.
const TYPED: &str = "!!NVfp4.0\nTEMP a;\nMOV.S a, { 2147483647, -1, 3, 0 };\nADD.S.CC0 a.x, a.x, 1;\n\
                     MOV.S result.color.x, a.x;\nMOV.U result.color.y, a.y;\nMOV result.color.z, 0.5;\n\
                     MOV a.w, 2.0;\nMOV.S result.color.w, a.w;\nEND\n";

#[test]
fn probes_print_every_component_as_what_it_was_written() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", TYPED);
    let run = shadestep(&["render", &program, "--size", "2x2", "--probe", "0,0"]);
    let expected = "0,0: -2147483648 4294967295 0.5 1073741824 0x80000000 0xffffffff 0x3f000000 0x40000000\n";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, expected, ""));
    let scene =
        "!!NVfp4.0\nOPTION ARB_draw_buffers;\nMOV result.color, 0.5;\nMOV.U result.color[3], 7;\nEND\n";
    let program = folder.file("b.fp", scene);
    let run = shadestep(&["render", &program, "--size", "2x2", "--color", "3", "--probe", "0,0"]);
    let expected = "0,0: 7 7 7 7 0x00000007 0x00000007 0x00000007 0x00000007\n";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, expected, ""));
    let run = shadestep(&["trace", &program, "--size", "2x2", "--color", "3", "--pixel", "0,0"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let last = "the picture holds 7 7 7 7 0x00000007 0x00000007 0x00000007 0x00000007: the same bits";
    assert_eq!(run.out.lines().last(), Some(last));
}

#[test]
fn traces_show_types_carry_and_overflow() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", TYPED);
    let run = shadestep(&["trace", &program, "--pixel", "0,0", "--size", "1x1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let sum = "   1  line 4: ADD.S.CC0 a.x, a.x, 1;\n        \
               a.x: 2147483647 -1 3 0, swizzled 2147483647 2147483647 2147483647 2147483647 (uses x)\n        \
               1: 1 1 1 1 (uses x)\n        \
               result x=-2147483648 (0x80000000)\n        \
               a.x: 2147483647 -> -2147483648 (0x80000000)\n        \
               CC0: Z Z Z Z -> SO Z Z Z\n";
    assert!(run.out.contains(sum), "{}", run.out);
    assert!(run.out.contains("a.w: 0 -> 2 (0x40000000)"), "{}", run.out);
    // 0xFFFFFFFF + 1 does not fit into 32 bits without a sign, but does with one.
    let text =
        "!!NVfp4.0\nUINT TEMP a;\nMOV.U a, 0xFFFFFFFF;\nADD.U.CC1 a.x, a.x, 1;\nMOV result.color, 0;\nEND\n";
    let program = folder.file("a.fp", text);
    let run = shadestep(&["trace", &program, "--pixel", "0,0", "--size", "1x1"]);
    for words in ["a.x: 4294967295 -> 0 (0x00000000)", "CC1: Z Z Z Z -> ZC Z Z Z"] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
    let run = shadestep(&["trace", &program, "--pixel", "0,0", "--size", "1x1", "--format", "json"]);
    let trace = Json::parse(&run.out);
    let [fragment] = trace.get("fragments").items() else { panic!("one fragment") };
    let step = &fragment.get("steps").items()[1];
    let codes = |name: &str| step.get(name).items().iter().map(|c| c.text().to_owned()).collect::<Vec<_>>();
    assert_eq!(codes("cc1_before"), ["Z", "Z", "Z", "Z"]);
    assert_eq!(codes("cc1_after"), ["ZC", "Z", "Z", "Z"]);
    let before = step.get("changes").items()[0].get("before");
    let number = |text: &str| Json::Number(text.to_owned());
    assert_eq!(before.get("value"), &number("4294967295"));
    assert_eq!((before.get("bits").text(), before.get("type").text()), ("0xffffffff", "U32"));
    assert_eq!(step.get("result").get("type").text(), "U32");
    assert_eq!(fragment.get("color").get("type").text(), "F32");
}

#[test]
fn traces_show_double_precision() {
    let folder = TempFolder::new();
    let text = "!!NVfp5.0\nLONG TEMP d;\nCVT.F64.F32 d, { 1.5, -2.0, 0.0, 0.0 };\nMUL.F64 d.x, d.x, d.y;\n\
                CVT.F32.F64 result.color, d;\nEND\n";
    let program = folder.file("a.fp", text);
    let run = shadestep(&["trace", &program, "--pixel", "0,0", "--size", "1x1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    // -3 in fp64 is 0xC008000000000000.
    for words in ["d.x: 1.5 -> -3 (0xc008000000000000)", "color = -3 -2 0 0 0xc0400000 0xc0000000"] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
}

#[test]
fn time_and_size_reach_the_program() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", "!!FP1.0\nMOVR o[COLR], p[0];\nEND\n");
    let run = shadestep(&["render", &program, "--size", "8x2", "--time", "1.5", "--probe", "7,1"]);
    assert_eq!(run.out, "7,1: 1.5 8 2 1 0x3fc00000 0x41000000 0x40000000 0x3f800000\n");
    let before = shadestep(&["render", &program, "--time", "-2", "--probe", "0,0"]);
    assert!(before.out.starts_with("0,0: -2 512 512 1 "), "{}", before.out);
}

#[test]
fn pictures_are_pngs_and_the_same_for_any_number_of_threads() {
    let folder = TempFolder::new();
    let render = |threads: &str, sample: &str| {
        let path = folder.0.join(format!("{threads}.png"));
        let out = path.display().to_string();
        let arguments =
            ["render", sample, "-o", &out, "--size", "100x70", "--time", "2", "--threads", threads];
        let run = shadestep(&arguments);
        assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
        fs::read(&path).unwrap()
    };
    for sample in ["plasma", "normal-map"] {
        let one = render("1", sample);
        assert!(one.starts_with(b"\x89PNG\r\n\x1a\n"));
        // IHDR: width and height, big-endian.
        assert_eq!(one[16..24], [0, 0, 0, 100, 0, 0, 0, 70]);
        for threads in ["2", "3", "16"] {
            assert_eq!(render(threads, sample), one, "{sample} with {threads} threads");
        }
    }
}

#[test]
fn mistakes_on_the_command_line_have_status_2() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", "!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n");
    for arguments in [
        &["render", &program][..],
        &["render", &program, "--probe"],
        &["render", &program, "--probe", "1"],
        &["render", &program, "--probe", "9,9", "--size", "4x4"],
        &["render", &program, "--probe", "0,0", "--size", "0x4"],
        &["render", &program, "--probe", "0,0", "--size", "4"],
        &["render", &program, "--probe", "0,0", "--threads", "0"],
        &["render", &program, "--probe", "0,0", "--time", "soon"],
        &["trace", &program],
        &["trace", &program, "--pixel", "512,0"],
        &["trace", &program, "--pixel", "0,0", "--format", "xml"],
        &["check"],
        &["--nonsense"],
    ] {
        let run = shadestep(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}");
        assert!(!run.err.is_empty());
    }
}

#[test]
fn programs_scenes_and_files_at_fault_have_status_1() {
    let folder = TempFolder::new();
    let bad = folder.file("bad.fp", "!!FP1.0\nEND\n");
    let scene = folder.file("scene.toml", "[program]\nfragment = \"bad.fp\"\n[camera]\nfoo = 1\n");
    let good = folder.file("a.fp", "!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n");
    let run = shadestep(&["render", &bad, "--probe", "0,0"]);
    assert!(run.code == 1 && run.err.contains("bad.fp: error at "), "{}", run.err);
    let run = shadestep(&["trace", &scene, "--pixel", "0,0"]);
    assert!(run.code == 1 && run.err.contains("scene.toml:4:1: unknown key \"foo\""), "{}", run.err);
    let run = shadestep(&["render", &good, "-o", "/nonexistent/folder/x.png"]);
    assert!(run.code == 1 && run.err.contains("cannot be written"), "{}", run.err);
    let run = shadestep(&["bench", "nothing-of-that-name"]);
    assert!(run.code == 1 && run.err.contains("no such file"), "{}", run.err);
}

#[test]
fn subroutines_are_chosen_by_the_scene() {
    let folder = TempFolder::new();
    folder.file(
        "a.fp",
        "!!NVfp5.0\nSUBROUTINETYPE T { dull, bright };\nSUBROUTINE T tone = program.subroutine[0];\n\
         main: CALI tone;\nRET;\ndull SUBROUTINENUM(4): MOV result.color, 0.25; RET;\n\
         bright SUBROUTINENUM(9): MOV result.color, 2; RET;\nEND\n",
    );
    let choose = |choice: &str| {
        folder.file("scene.toml", format!("subroutines = {{ {choice} }}\n[program]\nfragment = \"a.fp\"\n"));
    };
    let path = folder.0.display().to_string();
    let scene = path.as_str();
    for (choice, color, called) in [("", "0.25", "0.25"), ("\"fragment.tone\" = \"bright\"", "2", "2")] {
        choose(choice);
        let run = shadestep(&["render", scene, "--size", "1x1", "--probe", "0,0"]);
        assert!(run.out.starts_with(&format!("0,0: {color} {color} ")), "{}{}", run.out, run.err);
        let run = shadestep(&["trace", scene, "--size", "1x1", "--pixel", "0,0"]);
        let line = format!("MOV result.color, {called};");
        assert!(run.code == 0 && run.out.contains(&line), "{}{}", run.out, run.err);
        assert_eq!(shadestep(&["check", scene]).code, 0);
    }
    choose("\"fragment.tone\" = \"brigt\"");
    let words = "scene.toml:1:35: the fragment program has no subroutine \"brigt\"; did you mean \"bright\"?";
    for line in [
        &["render", scene, "--probe", "0,0"][..],
        &["trace", scene, "--pixel", "0,0"],
        &["bench", scene],
        &["check", scene],
    ] {
        let run = shadestep(line);
        assert!(run.code == 1 && run.err.contains(&format!("{path}/{words}")), "{line:?}: {}", run.err);
    }
}

#[test]
fn trace_text_tells_the_story() {
    let folder = TempFolder::new();
    let program = folder.file(
        "a.fp",
        "!!FP1.0\nMOVR R0, f[TEX0];\nMULRC R1.xy, R0.yxzw, -2;\nMOVR R1.zw (LT.x), R0;\nMOVR o[COLR], R1;\nEND\n",
    );
    let run = shadestep(&["trace", &program, "--pixel", "1,2", "--size", "4x4"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in [
        "f[TEX0] = 0.375 0.625 0 1",
        "line 3: MULRC R1.xy, R0.yxzw, -2;",
        "swizzled 0.625 0.375 0 1",
        "R1.x: 0 -> -1.25 (0xbfa00000)",
        "R1.y: 0 -> -0.75 (0xbf400000)",
        "CC: EQ EQ EQ EQ -> LT LT EQ EQ",
        "enables zw",
        "o[COLR].x: undefined -> -1.25",
        "color = -1.25 -0.75 0 1 0xbfa00000 0xbf400000 0x00000000 0x3f800000",
        "the same bits",
    ] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
}

#[test]
fn trace_shows_instructions_without_their_comments() {
    let folder = TempFolder::new();
    let program =
        folder.file("a.fp", "!!FP1.0\nMOV o[COLR], # \"why\" \u{1}\r  - # so\n  f[TEX0] . x;\nEND\n");
    let run = shadestep(&["trace", &program, "--pixel", "0,0", "--size", "1x1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("line 2: MOV o[COLR], - f[TEX0] . x;"), "{}", run.out);
    let run = shadestep(&["trace", &program, "--pixel", "0,0", "--size", "1x1", "--format", "json"]);
    let trace = Json::parse(&run.out);
    let [fragment] = trace.get("fragments").items() else { panic!("one fragment") };
    let [step] = fragment.get("steps").items() else { panic!("one step") };
    assert_eq!(step.get("text").text(), "MOV o[COLR], - f[TEX0] . x");
}

#[test]
fn trace_json_is_valid_and_complete() {
    let folder = TempFolder::new();
    let program = folder.file(
        "a.fp",
        "!!FP1.0\nDECLARE k = {3, 0, 0, 0};\nMULRC R0, f[TEX0], k.x;\nTEX H1, f[TEX0], TEX2, 2D;\n\
         RCPR R2.x, R0.z;\nKIL EQ.y;\nMOVR_SAT o[COLR].xyz (GT.x), R0;\nMOVR o[COLR].w, R2.x;\nEND\n",
    );
    let run = shadestep(&["trace", &program, "--pixel", "1,2", "--size", "4x4", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let trace = Json::parse(&run.out);
    let number = |text: &str| Json::Number(text.to_owned());
    assert_eq!(trace.get("pixel").items(), [number("1"), number("2")]);
    assert_eq!(trace.get("size").items(), [number("4"), number("4")]);
    assert_eq!(trace.get("agrees"), &Json::Bool(true));
    let [fragment] = trace.get("fragments").items() else { panic!("one fragment") };
    assert_eq!(fragment.get("outcome").text(), "written");
    let attributes = fragment.get("initial").get("attributes");
    assert_eq!(attributes.keys(), ["f[TEX0]"]);
    let values = ["0.375", "0.625", "0", "1"].map(number);
    assert_eq!(attributes.get("f[TEX0]").get("value").items(), values);
    let steps = fragment.get("steps").items();
    assert_eq!(steps.len(), 6);
    for (index, step) in steps.iter().enumerate() {
        assert_eq!(step.get("pc"), &number(&index.to_string()));
        for key in ["line", "column", "text", "operands", "texture", "destination", "computed", "result"] {
            step.get(key);
        }
        for key in ["saturated", "converted", "enabled", "changes", "cc_before", "cc_after", "kills"] {
            step.get(key);
        }
        for operand in step.get("operands").items() {
            assert_eq!(
                operand.keys(),
                ["converted", "modified", "register", "relative", "source", "swizzled", "used"]
            );
        }
    }
    // 3 * (0.375, 0.625, 0, 1): codes GT GT EQ GT.
    let multiply = &steps[0];
    assert_eq!(multiply.get("text").text(), "MULRC R0, f[TEX0], k.x");
    assert_eq!(multiply.get("result").get("value").items(), ["1.125", "1.875", "0", "3"].map(number));
    let codes = |codes: &Json| codes.items().iter().map(|c| c.text().to_owned()).collect::<Vec<_>>();
    assert_eq!(codes(multiply.get("cc_after")), ["GT", "GT", "EQ", "GT"]);
    assert_eq!(multiply.get("changes").items().len(), 4);
    let change = &multiply.get("changes").items()[1];
    assert_eq!((change.get("register").text(), change.get("component").text()), ("R0", "y"));
    assert_eq!(change.get("after").get("bits").text(), "0x3ff00000");
    assert_eq!(steps[1].get("texture").get("target").text(), "2D");
    assert_eq!(steps[1].get("texture").get("unit"), &number("2"));
    // RCP of +0 is +INF, which JSON has no number for.
    let reciprocal = steps[2].get("changes").items()[0].get("after");
    assert_eq!((reciprocal.get("value").text(), reciprocal.get("bits").text()), ("inf", "0x7f800000"));
    assert_eq!(steps[3].get("destination"), &Json::Null);
    assert_eq!(steps[3].get("kills"), &Json::Bool(false));
    assert_eq!(steps[4].get("saturated").get("value").items()[1], number("1"));
    assert_eq!(steps[4].get("enabled").text(), "xyz");
    let patterns = |bits: &Json| bits.items().iter().map(|b| b.text().to_owned()).collect::<Vec<_>>();
    let color = ["0x3f800000", "0x3f800000", "0x00000000", "0x7f800000"];
    assert_eq!(patterns(fragment.get("color").get("bits")), color);
    assert_eq!(patterns(trace.get("rendered").get("bits")), color);
}

#[test]
fn trace_of_every_fragment_of_a_mesh_and_of_none() {
    let folder = TempFolder::new();
    folder.file("a.fp", "!!FP1.0\nMOVR o[COLR], f[TEX1];\nEND\n");
    let scene = folder.file("scene.toml", "[program]\nfragment = \"a.fp\"\n[geometry]\nmesh = \"sphere\"\n");
    let trace = |pixel: &str| {
        let run = shadestep(&["trace", &scene, "--pixel", pixel, "--size", "32x32", "--format", "json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        Json::parse(&run.out)
    };
    // A ray through the middle meets the front and the back of the sphere; the front stays.
    let middle = trace("16,16");
    let mut outcomes: Vec<_> =
        middle.get("fragments").items().iter().map(|f| f.get("outcome").text().to_owned()).collect();
    assert_eq!(outcomes.len(), 2);
    outcomes.sort();
    assert!(outcomes.contains(&"written".to_owned()), "{outcomes:?}");
    let corner = trace("0,0");
    assert_eq!((corner.get("fragments").items().len(), corner.get("rendered")), (0, &Json::Null));
}

#[test]
fn isa_has_a_page_for_every_instruction() {
    let list = shadestep(&["isa"]);
    assert_eq!(list.code, 0);
    // 45 of NV_fragment_program and 12 that only vertex programs have: ABS ARA ARL ARR BRA CAL DPH EXP LOG
    // RCC RET SSG; of the ARB languages CMP SCS SWZ TXB XPD, with NV_fragment_program2 BRK DIV DP2 DP2A ELSE ENDIF
    // ENDLOOP ENDREP IF LOOP NRM REP TXL, with NV_vertex_program3 POPA PUSHA. NV_gpu_program4 brings AND CEIL CONT I2F MOD
    // MUL.HI NOT OR ROUND SAD SHL SHR TRUNC TXF TXQ XOR, NV_gpu_program5 BFE BFI BFR BTC BTFL BTFM CALI CVT IPAC IPAO IPAS LOD
    // PK64 TGALL TGANY TGEQ TXG TXGO UP64.
    let rows = TABLE.iter().filter(|row| row.is_of_any_language()).count();
    let expected = 45 + 12 + 5 + 13 + 2 + 16 + 19;
    assert_eq!((list.lines().len(), rows), (expected, expected));
    for header in Language::ALL.map(Language::header) {
        assert!(
            list.lines().iter().any(|line| line.split_whitespace().any(|word| word == header)),
            "{header}"
        );
    }
    for line in list.lines() {
        let mnemonic = line.split_whitespace().next().unwrap();
        let page = shadestep(&["isa", mnemonic]);
        assert_eq!(page.code, 0, "{mnemonic}");
        assert!(page.lines()[0].contains(mnemonic), "{}", page.out);
        // The words of its row in the table, for a language that has it.
        let row = TABLE.iter().find(|row| row.mnemonic == mnemonic).unwrap();
        let language = Language::ALL.into_iter().find(|language| row.forms(*language).is_some()).unwrap();
        let words = |text: &str| text.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&page.out).contains(&words(row.prose_in(language))), "{mnemonic}: {}", page.out);
    }
    assert_eq!(shadestep(&["isa", "addr"]).out, shadestep(&["isa", "ADD"]).out);
    // Which languages have an instruction stands in the list, how each writes it on the page.
    let line = |mnemonic: &str| list.lines().iter().find(|l| l.starts_with(mnemonic)).unwrap().to_string();
    let typed = "!!NVvp4.0 !!NVfp4.0 !!NVvp5.0 !!NVfp5.0";
    for (mnemonic, before) in [
        ("MAD ", "!!FP1.0 !!VP1.0 !!VP1.1 !!VP2.0 !!VSP1.0 !!ARBfp1.0 !!ARBvp1.0"),
        ("RCC ", " !!VP1.1 !!VP2.0 NV_vertex_program2"),
        ("TXL ", "  NV_fragment_program2 NV_vertex_program3"),
    ] {
        assert!(line(mnemonic).ends_with(&format!("{before} {typed}")), "{}", line(mnemonic));
    }
    let branch = shadestep(&["isa", "bra"]).out;
    assert!(branch.contains("!!VP2.0 (NV_vertex_program2 2.14.3.6)"), "{branch}");
    let of = |language: &str| shadestep(&["isa", "--language", language]);
    assert_eq!(of("VP1.0").lines().len(), 17);
    assert_eq!(of("!!VP2.0").lines().len(), 39);
    assert_eq!(of("vsp1.0").out, of("vp1.0").out);
    assert_eq!(of("ARBfp1.0").lines().len(), 33);
    assert_eq!(of("NV_fragment_program2").lines().len(), 67);
    assert!(line("BFE ").ends_with("  !!NVvp5.0 !!NVfp5.0"), "{}", line("BFE "));
    assert_ne!(of("vp3.0").code, 0);
    let missing = shadestep(&["isa", "SEQ", "--language", "vp1.1"]);
    assert!(missing.code == 1 && missing.err.contains("in !!VP1.1"), "{}", missing.err);
    assert_eq!(
        shadestep(&["isa", "ARLC"]).out,
        shadestep(&["isa", "ARL"]).out,
        "a suffix of vertex programs"
    );
    let unknown = shadestep(&["isa", "MADD"]);
    assert!(unknown.code == 1 && unknown.err.contains("did you mean \"MAD\""), "{}", unknown.err);
}

#[test]
fn bench_measures_the_bundled_programs() {
    let run = shadestep(&["bench", "--size", "16x16", "--threads", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let names: Vec<&str> = run.lines().iter().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(
        names,
        [
            "alu384.arbfp",
            "alu384.fp1",
            "gather.nvfp5",
            "hash.nvfp5",
            "mandelbrot.arbfp",
            "mandelbrot64.nvfp5",
            "plasma.arbfp",
            "plasma.fp1",
            "texlit.arbfp",
            "texlit.fp1"
        ]
    );
    for line in run.lines() {
        let (_, rest) = line.split_once(": ").unwrap();
        let (best, median) = rest.split_once(" Mpixel/s best, ").unwrap();
        let median = median.strip_suffix(" Mpixel/s median").unwrap();
        let [best, median] = [best, median].map(|number| number.parse::<f64>().unwrap());
        assert!(best >= median && median > 0.0, "{line}");
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn without_a_display_the_app_names_the_commands_that_need_none() {
    let run = shadestep(&[]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.starts_with("shadestep: there is no display"), "{}", run.err);
    for command in ["check", "render", "trace", "isa", "bench"] {
        assert!(run.err.contains(command), "{command}: {}", run.err);
    }
}

#[test]
fn readers_that_go_away_end_the_command_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_shadestep"))
        .args(["trace", "mandelbrot", "--pixel", "5,5", "--size", "16x16", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert_eq!((child.wait().unwrap().code(), complaint.as_str()), (Some(0), ""));
}

#[test]
fn help_and_version_go_to_standard_output() {
    let help = shadestep(&["--help"]);
    assert_eq!(help.code, 0);
    for command in ["check", "render", "trace", "isa", "bench"] {
        assert!(help.out.contains(command));
    }
    assert!(shadestep(&["--version"]).out.starts_with("shadestep "));
}

#[test]
fn check_has_a_line_for_each_program_of_a_scene() {
    let folder = TempFolder::new();
    folder.file("scene.toml", "[program]\nfragment = \"a.fp\"\nvertex = \"b.vp\"\n");
    let fragment = folder.file("a.fp", "!!FP1.0\nMOV o[COLR], f[COL0];\nEND\n");
    let vertex = folder.file("b.vp", "!!FP1.0\nMOV o[COLR], f[COL0];\nEND\n");
    let run = shadestep(&["check", &folder.0.display().to_string()]);
    let lines = run.lines();
    assert_eq!((run.code, lines.len()), (1, 2), "{}", run.out);
    let start = format!("{vertex}: error at 0 (1:1): ");
    assert!(lines[0].starts_with(&start) && lines[0].contains("loaded as a vertex program"), "{}", lines[0]);
    assert_eq!(lines[1], format!("{fragment}: ok"));
}

#[test]
fn trace_wants_one_thing_to_trace() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", "!!FP1.0\nMOV o[COLR], f[COL0];\nEND\n");
    for (arguments, word) in [
        (&[][..], "--pixel"),
        (&["--pixel", "1,1", "--vertex", "2"], "--vertex"),
        (&["--vertex", "-1"], "-1"),
        (&["--stage", "fragment"], "--pixel X,Y"),
        (&["--stage", "vertex"], "--vertex N"),
        (&["--stage", "vertex", "--pixel", "1,1"], "--vertex N"),
        (&["--stage", "fragment", "--vertex", "1"], "--pixel X,Y"),
        (&["--stage", "state", "--pixel", "1,1"], "run once"),
        (&["--stage", "geometry"], "geometry"),
    ] {
        let run = shadestep(&[&["trace", &program], arguments].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{arguments:?}: {}", run.err);
        assert!(run.err.contains(word), "{arguments:?}: {}", run.err);
    }
    for (arguments, words) in [
        (&["--vertex", "0"][..], "no vertex program"),
        (&["--vertex", "0", "--stage", "vertex"], "no vertex program"),
        (&["--stage", "state"], "no state program"),
    ] {
        let run = shadestep(&[&["trace", &program], arguments].concat());
        assert_eq!(run.code, 1, "{arguments:?}: {}", run.err);
        assert!(run.err.contains(words), "{arguments:?}: {}", run.err);
    }
    assert_eq!(
        shadestep(&["trace", &program, "--pixel", "1,1", "--stage", "fragment", "--size", "4x4"]).code,
        0
    );
}

/// A relative reference in and out of range, a call, a branch that is not taken, results in part.
const FLOW: &str = "!!VP2.0\nARL A0.x, v[1].x;\nMOV R0, c[A0.x+2];\nMOV R1, c[A0.x+255];\nCAL sub;\n\
                    MOVC R2.x, v[1].x;\nBRA over (LT.x);\nMOV o[HPOS], v[OPOS];\nover:\nRET;\n\
                    sub:\nMOV o[COL0].xy, R0;\nRET;\nEND\n";

/// A scene of one triangle drawn by `program`, whose v[1] is 3.7, with `more` in `scene.toml`.
fn triangle(folder: &TempFolder, program: &str, more: &str) -> String {
    folder.file("a.vp", program);
    let scene = "size = [8, 8]\n[program]\nvertex = \"a.vp\"\n[geometry]\nprimitive = \"TRIANGLES\"\n\
                 [[attribute]]\nindex = 0\nsize = 2\nvalues = [-1, -1, 0.5, -0.5, -1, 1]\n\
                 [[attribute]]\nindex = 1\nvalue = [3.7]\n[depth]\nfunc = \"OFF\"\n\
                 [parameters]\n\"c[5]\" = [1, 2, 3, 4]\n";
    folder.file("scene.toml", format!("{scene}{more}"))
}

#[test]
fn vertex_traces_tell_addresses_flow_and_results() {
    let folder = TempFolder::new();
    let scene = triangle(&folder, FLOW, "");
    let run = shadestep(&["trace", &scene, "--vertex", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in [
        "vertex 1 of 3 at 0 s",
        "  v[OPOS] = 0.5 -0.5 0 1",
        "  v[WGHT] = 3.7 0 0 1",
        "  c[5] = 1 2 3 4",
        "A0.x: 0 -> 3\n",
        "c[A0.x+2]: c[5] holds 1 2 3 4 (uses",
        "c[A0.x+255]: register 258 is out of range: 0 0 0 0",
        "taken: calls instruction 8, line 12; pushes the return to instruction 4, line 6",
        "taken: returns to instruction 4, line 6",
        "CC GT EQ EQ EQ: not taken",
        "the call stack is empty: the program ends",
        "ended normally after 10 instructions",
        "  o[COL0] = 1 2 0 1 0x3f800000 0x40000000 0x00000000 0x3f800000, zw unwritten",
        "  o[HPOS] = 0.5 -0.5 0 1 0x3f000000 0xbf000000 0x00000000 0x3f800000\n",
        "  clip = 0.5 -0.5 0 1\n",
        "  normalized device = 0.5 -0.5 0\n",
        // (0.5 + 1) * 4, (-0.5 + 1) * 4, and half of the depth range (glspec15 2.11.1).
        "  window = 6 2 0.5\n",
        "the same bits",
    ] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
    assert!(!run.out.contains("c[200]"), "parameters that nothing reads are left out");
    let run = shadestep(&["trace", &scene, "--vertex", "3"]);
    assert!(run.code == 2 && run.err.contains("there is no vertex 3: there are 3, from 0"), "{}", run.err);
}

#[test]
fn vertex_traces_as_json_have_it_all() {
    let folder = TempFolder::new();
    let scene = triangle(&folder, FLOW, "");
    let run = shadestep(&["trace", &scene, "--stage", "vertex", "--vertex", "1", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let trace = Json::parse(&run.out);
    let number = |text: &str| Json::Number(text.to_owned());
    assert_eq!(trace.get("language").text(), "!!VP2.0");
    assert_eq!((trace.get("vertex"), trace.get("agrees")), (&number("1"), &Json::Bool(true)));
    assert_eq!(trace.get("ended").text(), "normal");
    assert_eq!(trace.get("initial").get("attributes").keys(), ["v[OPOS]", "v[WGHT]"]);
    assert_eq!(trace.get("initial").get("parameters").items().len(), 256);
    let steps = trace.get("steps").items();
    let order: Vec<&Json> = steps.iter().map(|step| step.get("pc")).collect();
    let expected = ["0", "1", "2", "3", "8", "9", "4", "5", "6", "7"].map(number);
    assert_eq!(order, expected.iter().collect::<Vec<_>>());
    let address = &steps[0].get("changes").items()[0];
    assert_eq!((address.get("register").text(), address.get("after").keys()), ("A0", vec!["value"]));
    assert_eq!(address.get("after").get("value"), &number("3"));
    let relative = |step: usize| steps[step].get("operands").items()[0].get("relative");
    assert_eq!((relative(1).get("index"), relative(1).get("parameter").text()), (&number("5"), "c[5]"));
    assert_eq!((relative(2).get("index"), relative(2).get("parameter")), (&number("258"), &Json::Null));
    let stack = |step: usize| steps[step].get("stack");
    assert_eq!((steps[3].get("to"), stack(3).get("effect").text()), (&number("8"), "push"));
    assert_eq!((stack(5).get("effect").text(), stack(5).get("at")), ("pop", &number("4")));
    assert_eq!((steps[7].get("taken"), stack(7)), (&Json::Bool(false), &Json::Null));
    assert_eq!(stack(9).get("effect").text(), "underflow");
    let color = trace.get("results").items().iter().find(|r| r.get("name").text() == "o[COL0]").unwrap();
    assert_eq!(color.get("written").text(), "xy");
    assert_eq!(trace.get("window").items(), ["6", "2", "0.5"].map(number));
}

#[test]
fn vertex_traces_say_how_a_run_ended() {
    let folder = TempFolder::new();
    for (body, words) in [
        ("a:\nBRA a;\n", "ended by the limit of instructions executed after 65536 instructions"),
        // Four return addresses fit; the fifth call ends the program.
        ("a:\nCAL a;\n", "ended by CAL with a full call stack after 6 instructions"),
    ] {
        let scene = triangle(&folder, &format!("!!VP2.0\nMOV o[HPOS], v[OPOS];\n{body}END\n"), "");
        let run = shadestep(&["trace", &scene, "--vertex", "0"]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(run.out.contains(words), "{words}");
        assert!(run.out.contains("  clip = -1 -1 0 1\n"), "results count in every case");
    }
}

#[test]
fn state_programs_are_traced_in_their_order() {
    let folder = TempFolder::new();
    let program = folder.file("a.vsp", "!!VSP1.0\nMUL c[20].xy, v[0], v[0];\nEND\n");
    let run = shadestep(&["trace", &program, "--stage", "state", "--time", "2"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in [
        "state program 1 of 1 at 2 s",
        "  v[0] = 2 512 512 1",
        "c[20].x: 0 -> 4 (0x40800000)",
        "ended normally after 1 instruction\n",
        "  c[20] = 4 262144 0 0 0x40800000 0x48800000 0x00000000 0x00000000",
    ] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
    folder.file("b.vsp", "!!VSP1.0\nADD c[20].x, c[20].x, v[0].x;\nEND\n");
    let toml = "[program]\nvertex = \"a.vp\"\n[[state_program]]\nfile = \"a.vsp\"\ninput = [3, 1, 0, 0]\n\
                [[state_program]]\nfile = \"b.vsp\"\ninput = [0.5, 0, 0, 0]\n[geometry]\nmesh = \"cube\"\n";
    folder.file("a.vp", "!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND\n");
    let scene = folder.file("scene.toml", toml);
    let run = shadestep(&["trace", &scene, "--stage", "state", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let trace = Json::parse(&run.out);
    let [_, second] = trace.get("state_programs").items() else { panic!("two programs") };
    let [register] = second.get("results").items() else { panic!("one register") };
    assert_eq!(register.get("name").text(), "c[20]");
    // 3 * 3 by the first, and 0.5 by the second.
    assert_eq!(register.get("value").get("value").items()[0], Json::Number("9.5".to_owned()));
}

#[test]
fn scenes_without_a_vertex_or_fragment_program_are_traced_through_the_built_in_ones() {
    let folder = TempFolder::new();
    folder.file("a.fp", "!!FP1.0\nMOV o[COLR], f[TEX1];\nEND\n");
    let scene = folder.file("scene.toml", "[program]\nfragment = \"a.fp\"\n[geometry]\nmesh = \"plane\"\n");
    let run = shadestep(&["trace", &scene, "--vertex", "0"]);
    assert_eq!(run.code, 0, "{}", run.err);
    // The plane's first corner, seen from z = 3 with w = 3.
    for words in ["by the built-in vertex program", "v[OPOS] = -1 -1 0 1", "DP4 o[HPOS].x, c[240], v[OPOS];"]
    {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
    let program = folder.file("b.vp", "!!VP1.1\nMOV o[HPOS], v[OPOS];\nMOV o[COL0], c[12];\nEND\n");
    let run = shadestep(&["trace", &program, "--pixel", "256,256", "--time", "0.25"]);
    assert_eq!(run.code, 0, "{}", run.err);
    for words in ["no fragment program", "fragment 1 of 2", ", vertices ", "the same bits"] {
        assert!(run.out.contains(words), "{words} is not in\n{}", run.out);
    }
}

#[test]
fn bare_vertex_programs_draw_the_default_scene() {
    let folder = TempFolder::new();
    let text = "!!VP1.0\nDP4 o[HPOS].x, c[0], v[OPOS];\nDP4 o[HPOS].y, c[1], v[OPOS];\n\
                DP4 o[HPOS].z, c[2], v[OPOS];\nDP4 o[HPOS].w, c[3], v[OPOS];\nMOV o[COL0], c[12].x;\nEND\n";
    let program = folder.file("a.vp", text);
    let run = shadestep(&["render", &program, "--size", "32x32", "--time", "0.5", "--probe", "16,16", "0,0"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines = run.lines();
    assert!(lines[0].starts_with("16,16: ") && !lines[0].contains("not covered"), "{}", lines[0]);
    assert_eq!(lines[1], "0,0: not covered");
    // A state program is seen by what it leaves in c[14].
    let state = folder.file("a.vsp", "!!VSP1.0\nMOV c[14], v[0].x;\nEND\n");
    let run = shadestep(&["render", &state, "--size", "32x32", "--time", "0.5", "--probe", "0,0"]);
    assert_eq!((run.code, run.out.as_str()), (0, "0,0: not covered\n"), "{}", run.err);
}

#[test]
fn pixels_say_which_test_they_failed() {
    let folder = TempFolder::new();
    let vertex = "!!VP1.0\nMOV o[HPOS], v[OPOS];\nMOV o[COL0], v[1];\nEND\n";
    for (state, words) in [
        ("alpha_test = { func = \"LESS\", ref = 0.5 }", "failed the alpha test"),
        ("stencil = { func = \"NEVER\" }", "failed the stencil test"),
        ("scissor = [0, 0, 1, 1]", "not covered"),
    ] {
        let scene = triangle(&folder, vertex, &format!("[state]\n{state}\n"));
        let run = shadestep(&["render", &scene, "--probe", "1,4"]);
        assert_eq!((run.code, run.out.as_str()), (0, &*format!("1,4: {words}\n")), "{}", run.err);
        let trace = shadestep(&["trace", &scene, "--pixel", "1,4"]);
        let seen = if words == "not covered" { "no fragment covers this pixel" } else { words };
        assert!(trace.code == 0 && trace.out.contains(seen), "{}{}", trace.out, trace.err);
    }
}

#[test]
fn what_cannot_be_drawn_is_said_in_words() {
    let folder = TempFolder::new();
    let vertex = folder.file("a.vp", "!!VP1.0\nMOV o[HPOS], v[OPOS];\nEND\n");
    let scene = |geometry: &str, attribute: &str| {
        folder.file(
            "scene.toml",
            format!(
                "[program]\nvertex = \"a.vp\"\n[geometry]\nprimitive = \"TRIANGLES\"\n{geometry}\n\
                 [[attribute]]\nindex = 0\nsize = 2\n{attribute}\n"
            ),
        )
    };
    let render = |path: &str| shadestep(&["render", path, "--size", "8x8", "--probe", "0,0"]);
    folder.file("nan.txt", "0 0  1 0  NaN 1  -1 -1  1 -1  -1 1");
    let run = render(&scene("", "file = \"nan.txt\""));
    let note = "shadestep: note: 1 of 2 primitives has a vertex that is no finite point and is not drawn\n";
    assert_eq!((run.code, run.err.as_str()), (0, note));
    let trace = shadestep(&["trace", &folder.0.display().to_string(), "--vertex", "2"]);
    assert_eq!(trace.code, 0, "{}", trace.err);
    assert!(
        trace.out.contains("v[OPOS] = NaN 1 0 1") && trace.out.contains("not a finite point"),
        "{}",
        trace.out
    );
    let run = render(&scene("", "values = [0, 0,  1, 1,  0.5, 0.5]"));
    assert!(run.code == 0 && run.err.contains("note: nothing is drawn"), "{}", run.err);
    let run = render(&scene("indices = [0, 1, 9]", "values = [0, 0,  1, 0,  0, 1]"));
    assert!(run.code == 1 && run.err.contains("names vertex 9; there are 3, from 0"), "{}", run.err);
    assert_eq!(shadestep(&["check", &vertex]).code, 0);
}

#[test]
fn bench_counts_vertices_and_triangles() {
    let run = shadestep(&["bench", "--mesh-triangles", "800", "--size", "16x16", "--threads", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let [line] = run.lines()[..] else { panic!("one line: {}", run.out) };
    let (pixels, geometry) = line.strip_prefix("mesh: ").unwrap().split_once("; ").unwrap();
    assert!(pixels.ends_with(" Mpixel/s median"), "{line}");
    let (vertices, triangles) = geometry.split_once(" Mvertex/s, ").unwrap();
    let triangles = triangles.strip_suffix(" Mtriangle/s").unwrap();
    let [vertices, triangles] = [vertices, triangles].map(|number| number.parse::<f64>().unwrap());
    // A closed grid has about two triangles a vertex.
    assert!(vertices > 0.0 && triangles > 1.5 * vertices && triangles < 2.5 * vertices, "{line}");
    assert_eq!(shadestep(&["bench", "--mesh-triangles", "2"]).code, 2);
}
