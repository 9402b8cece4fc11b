//! The command line as people and scripts use it: the binary run on files, its output to the letter.

mod common;

use common::{Json, TempFolder, shadestep};
use shadestep_engine::isa::TABLE;
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
            assert_eq!(operand.keys(), ["converted", "modified", "register", "source", "swizzled", "used"]);
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
    // RCC RET SSG.
    assert_eq!((list.lines().len(), TABLE.len()), (45 + 12, 45 + 12));
    for header in ["!!FP1.0", "!!VP1.0", "!!VP1.1", "!!VP2.0", "!!VSP1.0"] {
        assert!(
            list.lines().iter().any(|line| line.split_whitespace().any(|word| word == header)),
            "{header}"
        );
    }
    for line in list.lines() {
        let mnemonic = line.split_whitespace().next().unwrap();
        let page = shadestep(&["isa", mnemonic]);
        assert_eq!(page.code, 0, "{mnemonic}");
        assert!(page.lines()[0].contains(mnemonic) && page.lines().len() > 4, "{}", page.out);
    }
    assert_eq!(shadestep(&["isa", "addr"]).out, shadestep(&["isa", "ADD"]).out);
    // Which languages have an instruction stands in the list, how each writes it on the page.
    let line = |mnemonic: &str| list.lines().iter().find(|l| l.starts_with(mnemonic)).unwrap().to_string();
    assert!(line("MAD ").ends_with("!!FP1.0 !!VP1.0 !!VP1.1 !!VP2.0 !!VSP1.0"), "{}", line("MAD "));
    assert!(line("RCC ").ends_with(" !!VP1.1 !!VP2.0"), "{}", line("RCC "));
    let branch = shadestep(&["isa", "bra"]).out;
    assert!(branch.contains("!!VP2.0 (NV_vertex_program2 2.14.3.6)"), "{branch}");
    let of = |language: &str| shadestep(&["isa", "--language", language]);
    assert_eq!(of("VP1.0").lines().len(), 17);
    assert_eq!(of("!!VP2.0").lines().len(), 39);
    assert_eq!(of("vsp1.0").out, of("vp1.0").out);
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
    assert_eq!(names, ["alu384", "plasma", "texlit"]);
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
    assert!(
        lines[0].starts_with(&start) && lines[0].contains("as a vertex program"),
        "{}",
        lines[0]
    );
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
