//! Tests of `render`: pictures, and the pixels that `--probe` prints.

use super::{TYPED, triangle};
use crate::common::{TempFolder, shadestep};
use std::fs;

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
    // RCP of a zero is an infinity of the same sign (3.11.5.25). INF - INF is NaN.
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
    let expected = "0,0: discarded\n2,1: 0 0 0 1 0x00000000 0x00000000 0x00000000 0x3f800000\n";
    assert_eq!((run.code, run.out.as_str()), (0, expected));
    let scene = folder.file("scene.toml", "[program]\nfragment = \"a.fp\"\n[geometry]\nmesh = \"sphere\"\n");
    let run = shadestep(&["render", &scene, "--size", "32x32", "--probe", "0,0"]);
    assert_eq!((run.code, run.out.as_str()), (0, "0,0: not drawn\n"));
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
    // `--probe` prints the last written fragment. The second fragment has an alpha of 1/8.
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
    // `--probe` prints the drawn output colour.
    let colors = "!!ARBfp1.0\nOPTION ARB_draw_buffers;\nMOV result.color, 1.0;\n\
                  MOV result.color[2], { 0.5, 2.5, -3.0, 0.25 };\nEND\n";
    let _file = folder.file("a.fp", colors);
    let blended = scene("a.fp", "blend = { src = \"ZERO\", dst = \"ONE\" }");
    let run = shadestep(&["render", &blended, "--size", "2x2", "--color", "2", "--probe", "0,0"]);
    assert_eq!((run.code, run.out.as_str()), (0, register), "{}", run.err);
}

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
    let last =
        "the picture holds the same value, bit for bit: 7 7 7 7 0x00000007 0x00000007 0x00000007 0x00000007";
    assert_eq!(run.out.lines().last(), Some(last));
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
fn bare_vertex_programs_draw_the_default_scene() {
    let folder = TempFolder::new();
    let text = "!!VP1.0\nDP4 o[HPOS].x, c[0], v[OPOS];\nDP4 o[HPOS].y, c[1], v[OPOS];\n\
                DP4 o[HPOS].z, c[2], v[OPOS];\nDP4 o[HPOS].w, c[3], v[OPOS];\nMOV o[COL0], c[12].x;\nEND\n";
    let program = folder.file("a.vp", text);
    let run = shadestep(&["render", &program, "--size", "32x32", "--time", "0.5", "--probe", "16,16", "0,0"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines = run.lines();
    assert!(lines[0].starts_with("16,16: ") && !lines[0].contains("not drawn"), "{}", lines[0]);
    assert_eq!(lines[1], "0,0: not drawn");
    // A state program is visible through the value that it writes to c[14].
    let state = folder.file("a.vsp", "!!VSP1.0\nMOV c[14], v[0].x;\nEND\n");
    let run = shadestep(&["render", &state, "--size", "32x32", "--time", "0.5", "--probe", "0,0"]);
    assert_eq!((run.code, run.out.as_str()), (0, "0,0: not drawn\n"), "{}", run.err);
}

#[test]
fn pixels_say_which_test_they_failed() {
    let folder = TempFolder::new();
    let vertex = "!!VP1.0\nMOV o[HPOS], v[OPOS];\nMOV o[COL0], v[1];\nEND\n";
    for (state, words) in [
        ("alpha_test = { func = \"LESS\", ref = 0.5 }", "alpha test failed"),
        ("stencil = { func = \"NEVER\" }", "stencil test failed"),
        ("scissor = [0, 0, 1, 1]", "not drawn"),
    ] {
        let scene = triangle(&folder, vertex, &format!("[state]\n{state}\n"));
        let run = shadestep(&["render", &scene, "--probe", "1,4"]);
        assert_eq!((run.code, run.out.as_str()), (0, &*format!("1,4: {words}\n")), "{}", run.err);
        let trace = shadestep(&["trace", &scene, "--pixel", "1,4"]);
        let seen = if words == "not drawn" { "no fragment covers this pixel" } else { words };
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
    let note = "shadestep: note: 1 of 2 primitives is not drawn: a vertex position is not finite\n";
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
    assert!(
        run.code == 1 && run.err.contains("names vertex 9, but the arrays have only vertices 0 to 2"),
        "{}",
        run.err
    );
    assert_eq!(shadestep(&["check", &vertex]).code, 0);
}
