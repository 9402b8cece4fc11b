//! Tests of the command line. They run the binary on files, and compare the output literally.

mod check;
mod files;
mod formats;
mod lesson;
mod map;
mod memory;
mod names;
mod outputs;
mod render;
mod sequence;
mod trace;

use crate::common::{TempFolder, shadestep, shadestep_on};
use shadestep_engine::isa::{Language, TABLE};
use std::io::Read;
use std::process::{Command, Stdio};

#[test]
fn check_prints_a_verdict_for_each_file() {
    let folder = TempFolder::new();
    let good = folder.file("good.fp", "!!FP1.0\nMOV o[COLR], f[COL0];\nEND\n");
    // FOO begins line 2.
    let bad = folder.file("bad.fp", "!!FP1.0\nFOO R0, f[COL0];\nEND\n");
    let run = shadestep(&["check", &good, &bad, &good]);
    assert_eq!(run.code, 1);
    let lines = run.lines();
    assert_eq!(lines.len(), 3, "{}", run.out);
    assert_eq!((lines[0], lines[2]), (&*format!("{good}: ok"), &*format!("{good}: ok")));
    let start = format!("{bad}:2:1: error: ");
    assert!(lines[1].starts_with(&start) && lines[1].len() > start.len(), "{}", lines[1]);
    assert_eq!(run.err, "");
    assert_eq!(shadestep(&["check", &good]).code, 0);
}

#[test]
fn check_knows_places_after_carriage_returns() {
    let folder = TempFolder::new();
    let bad = folder.file("a.fp", "!!FP1.0\r\nMOV R0, f[COL0];\r\nMOV Q7, R0;\r\nEND\r\n");
    let run = shadestep(&["check", &bad]);
    assert!(run.out.starts_with(&format!("{bad}:3:5: error: ")), "{}", run.out);
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
    assert_eq!(
        run.err,
        "shadestep: SHADESTEP_CPU is 'pentium'; it can be 'portable', 'cranelift', 'avx2' or 'avx512'\n"
    );
    let run = shadestep_on(Some("portable"), &["isa", "MOV"]);
    assert_eq!((run.code, &*run.err), (0, ""));
}

/// Covers warnings about a combination of programs, and warnings about the scene.
#[test]
fn check_verbose_shows_what_programs_have_to_do_with_each_other() {
    let folder = TempFolder::new();
    folder.file("a.vp", "!!VP1.1\nMOV o[HPOS], v[OPOS];\nEND\n");
    let alone = folder.file("a.fp", "!!FP1.0\nMOV o[COLR], f[TEX3];\nEND\n");
    let scene = folder.file(
        "scene.toml",
        "[program]\nvertex = \"a.vp\"\nfragment = \"a.fp\"\n[geometry]\nprimitive = \"POINTS\"\ncount = 1\n\
         [[attribute]]\nindex = 3\nsize = 1\nvalues = [1]\n",
    );
    let run = shadestep(&["check", "-v", &scene]);
    assert_eq!(run.code, 0);
    for part in [
        "scene.toml:5:1: warning: nothing is drawn",
        "a.vp: ok\n",
        "a.fp:2:14: warning: f[TEX3] is read, but the vertex program does not write o[TEX3]\n",
        "warning[link-unwritten-result]",
        "2 | MOV o[COLR], f[TEX3];\n",
        "note: Write o[TEX3] there, or do not read it.\n",
        "spec: NV_vertex_program 2.14.1.5\n",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    assert_eq!(run.err, "");
    assert_eq!(shadestep(&["check", &scene]).lines().len(), 3);
    // A single program has no warnings about other programs.
    assert_eq!(shadestep(&["check", "-v", &alone]).lines().len(), 1);
}

/// EXT_shader_image_load_store 2.14.X does not say whether a lookup sees stores of the same draw.
#[test]
fn a_lookup_of_a_stored_image_is_warned_of_unless_it_is_of_a_copy() {
    let folder = TempFolder::new();
    folder.file(
        "a.fp",
        "!!NVfp5.0\nTEMP a;\nTEX a, fragment.position, texture[2], 2D;\nSTOREIM image[1], a, {0, 0, 0, 0}, 2D;\n\
         MOV result.color, a;\nEND\n",
    );
    let text =
        "[program]\nfragment = \"a.fp\"\n[[image]]\nname = \"i\"\nsize = [4, 4]\nunit = 1\ntexture = 2\n";
    let run = shadestep(&["check", &folder.file("scene.toml", text)]);
    assert!(run.out.contains("a.fp:3:1: warning: this looks up texture[2]"), "{}", run.out);
    let run = shadestep(&["check", &folder.file("scene.toml", format!("{text}texture_copy = true\n"))]);
    assert_eq!((run.code, run.out.contains("warning")), (0, false), "{}", run.out);
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
        let line = run.lines()[0].strip_prefix(&format!("{path}:")).unwrap();
        let (place, _) = line.split_once(": error: ").unwrap();
        let (row, column) = place.split_once(':').unwrap();
        assert!(row.parse::<u32>().is_ok() && column.parse::<u32>().is_ok(), "{name}: {}", run.out);
    }
}

/// Registers hold bits, so each component has the type of its last use. The sum in x wraps to the least
/// signed integer (NV_gpu_program4 2.X.8, ADD). y is unsigned and z is a float. w is the bits of 2.0
/// (0x40000000) as a signed integer.
const TYPED: &str = "!!NVfp4.0\nTEMP a;\nMOV.S a, { 2147483647, -1, 3, 0 };\nADD.S.CC0 a.x, a.x, 1;\n\
                     MOV.S result.color.x, a.x;\nMOV.U result.color.y, a.y;\nMOV result.color.z, 0.5;\n\
                     MOV a.w, 2.0;\nMOV.S result.color.w, a.w;\nEND\n";

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
    let run = shadestep(&["render", &bad, "--probe", "0,0"]);
    assert!(run.code == 1 && run.err.contains("bad.fp:2:1: error: "), "{}", run.err);
    let run = shadestep(&["trace", &scene, "--pixel", "0,0"]);
    assert!(run.code == 1 && run.err.contains("scene.toml:4:1: unknown key \"foo\""), "{}", run.err);
}

#[test]
fn files_that_cannot_be_read_or_written_have_status_2() {
    let folder = TempFolder::new();
    let good = folder.file("a.fp", "!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n");
    for (arguments, words) in [
        (&["render", &good, "-o", "/nonexistent/folder/x.png"][..], "cannot write the file"),
        (&["map", &good, "-o", "/nonexistent/folder/x.png"], "cannot write the file"),
        (&["map", &good, "--csv", "/nonexistent/folder/x.csv"], "cannot write the file"),
        (&["bench", "nothing-of-that-name"], "no such file"),
        (&["render", "nothing-of-that-name", "--probe", "0,0"], "no such file"),
        (&["map", "nothing-of-that-name"], "no such file"),
        (&["trace", "nothing-of-that-name", "--pixel", "0,0"], "no such file"),
        (&["lesson", "nothing-of-that-name"], "no lesson in this folder"),
        (&["man", &good], "cannot create the folder"),
    ] {
        let run = shadestep(arguments);
        assert!(run.code == 2 && run.err.contains(words), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn every_help_documents_the_exit_status() {
    let help = shadestep(&["--help"]);
    let commands = help.out.split("Commands:").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands: Vec<&str> = commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 8, "{commands:?}");
    for command in commands.into_iter().filter(|command| *command != "help") {
        for help in [shadestep(&[command, "--help"]), shadestep(&[command, "-h"])] {
            assert!(help.code == 0 && help.out.contains("Exit status:\n  0"), "{command}: {}", help.out);
        }
    }
    assert!(help.out.contains("Exit status:"));
}

#[test]
fn shells_and_man_know_every_command() {
    let folder = TempFolder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = shadestep(&["completions", shell]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{shell}");
        for word in ["check", "completions", "limit", "deny"] {
            assert!(run.out.contains(word), "{shell}: {word}");
        }
        assert!(!run.out.contains("\\u00"), "{shell}: a script is printed as it is");
    }
    assert_eq!(shadestep(&["completions", "command.com"]).code, 2);
    let page = shadestep(&["man"]);
    assert!(page.code == 0 && page.out.contains(".TH shadestep 1"), "{}", page.out);
    let pages = folder.0.join("new/man1");
    let run = shadestep(&["man", &pages.display().to_string()]);
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    let page = |name: &str| std::fs::read_to_string(pages.join(name)).unwrap();
    assert!(page("shadestep.1").contains("shadestep\\-trace(1)"));
    assert!(
        page("shadestep-trace.1").contains("\\-\\-limit")
            && page("shadestep-trace.1").contains("Exit status")
    );
    assert_eq!(std::fs::read_dir(&pages).unwrap().count(), 11);
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
    let words = "the fragment program has no subroutine \"brigt\"; did you mean \"bright\"?";
    for line in
        [&["render", scene, "--probe", "0,0"][..], &["trace", scene, "--pixel", "0,0"], &["bench", scene]]
    {
        let run = shadestep(line);
        let words = format!("{path}/scene.toml:1:35: {words}");
        assert!(run.code == 1 && run.err.contains(&words), "{line:?}: {}", run.err);
    }
    let run = shadestep(&["check", scene]);
    let expected = format!("{path}/scene.toml:1:35: error: {words}\n{path}/a.fp: ok\n");
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (1, expected.as_str(), ""));
}

#[test]
fn explain_prints_rule_clause_and_examples() {
    let run = shadestep(&["explain", "ARB-not-array"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    for part in [
        "arb-not-array: error\n",
        "Only an array has an index.\n",
        "See ARB_fragment_program 3.11.4.2,\n",
        "Wrong:\n\n    !!ARBfp1.0\n",
        "    MOV result.color, t[0];\n",
        "Right:\n\n    !!ARBfp1.0\n",
        "    MOV result.color, t;\n",
    ] {
        assert!(run.out.contains(part), "{part:?}: {}", run.out);
    }
    let list = shadestep(&["explain"]);
    for code in shadestep_engine::diag::codes::all() {
        let line = format!("{} ", code.name());
        assert!(list.lines().iter().any(|listed| listed.starts_with(&line)), "{line}");
    }
    let unknown = shadestep(&["explain", "arb-not-aray"]);
    assert!(unknown.code == 1 && unknown.err.contains("did you mean \"arb-not-array\""), "{}", unknown.err);
    assert_eq!(shadestep(&["explain", "--markdown", "arb-not-array"]).code, 2);
}

#[test]
fn isa_has_a_page_for_every_instruction() {
    let list = shadestep(&["isa"]);
    assert_eq!(list.code, 0);
    assert_eq!(list.lines().len(), TABLE.len());
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
        // The page contains the prose of the instruction's row, for a language that has the instruction.
        let row = TABLE.iter().find(|row| row.mnemonic == mnemonic).unwrap();
        let language = Language::ALL.into_iter().find(|language| row.forms(*language).is_some()).unwrap();
        let words = |text: &str| text.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&page.out).contains(&words(row.prose_in(language))), "{mnemonic}: {}", page.out);
    }
    assert_eq!(shadestep(&["isa", "addr"]).out, shadestep(&["isa", "ADD"]).out);
    // The list shows the languages of an instruction. The page shows the syntax in each language.
    let line = |mnemonic: &str| list.lines().iter().find(|l| l.starts_with(mnemonic)).unwrap().to_string();
    let typed = "!!NVvp4.0 !!NVfp4.0 !!NVvp5.0 !!NVfp5.0 !!NVgp4.0 !!NVgp5.0 !!NVtcp5.0 !!NVtep5.0";
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
    assert!(
        line("BFE ").ends_with("  !!NVvp5.0 !!NVfp5.0 !!NVgp5.0 !!NVtcp5.0 !!NVtep5.0"),
        "{}",
        line("BFE ")
    );
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
fn isa_writes_the_whole_reference_as_markdown() {
    let run = shadestep(&["isa", "--markdown"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    for row in TABLE {
        let heading = format!("## {}: {}", row.mnemonic, row.title);
        assert_eq!(run.lines().iter().filter(|line| **line == heading).count(), 1, "{heading}");
    }
    for language in Language::ALL {
        assert!(run.out.contains(&format!("* `{}` (", language.name())), "{}", language.name());
    }
    // Every link of the table of contents has a target.
    for link in run.out.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
        assert!(run.out.contains(&format!("<a id=\"{link}\"></a>")), "{link}");
    }
    // NV_fragment_program 3.11.5.24: the reciprocal of 0 is +INF.
    assert!(run.out.contains("| 0 | inf | a is 0, and division by zero gives infinity |"));
    for other in [&["isa", "--markdown", "ADD"][..], &["isa", "--markdown", "--language", "VP1.0"]] {
        assert_eq!(shadestep(other).code, 2);
    }
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

/// Runs the app without a display. Broken libraries with these names come before the system's libraries.
#[cfg(target_os = "linux")]
fn app_without(libraries: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let folder = TempFolder::new();
    for name in libraries {
        folder.file(name, "");
    }
    let run = Command::new(env!("CARGO_BIN_EXE_shadestep"))
        .env("LD_LIBRARY_PATH", &folder.0)
        .env("HOME", &folder.0)
        .env("RUST_BACKTRACE", "1")
        .env("DISPLAY", ":1")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .envs(variables.iter().copied())
        .output()
        .expect("a run");
    (run.status.code(), String::from_utf8_lossy(&run.stderr).into_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn a_missing_package_is_named_in_one_sentence() {
    let there = std::env::temp_dir().display().to_string();
    let (with_keyboard, without) = ([("XKB_CONFIG_ROOT", there.as_str())], "/nowhere/xkb");
    let without_keyboard = [("XKB_CONFIG_ROOT", without), ("XKB_CONFIG_EXTRA_PATH", without)];
    for (libraries, variables, named) in [
        (&["libXcursor.so.1", "libXcursor.so"][..], &with_keyboard[..], "the app needs libX"),
        (&["libXi.so.6", "libXi.so"][..], &with_keyboard[..], "the app needs libX"),
        (&[][..], &without_keyboard[..], "install libxkbcommon0 and xkb-data (Debian, Ubuntu)"),
    ] {
        let (code, words) = app_without(libraries, variables);
        assert_eq!((code, words.lines().count()), (Some(1), 1), "{named}: {words}");
        assert!(words.starts_with("shadestep: the app needs ") && words.contains(named), "{words}");
        assert!(words.contains("(Fedora)") && words.contains("(Arch)"), "{words}");
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn without_a_display_the_app_names_the_commands_that_need_none() {
    let run = shadestep(&[]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.starts_with("shadestep: the app has no display"), "{}", run.err);
    for command in ["check", "render"] {
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
    let start = format!("{vertex}:1:1: error: ");
    assert!(lines[0].starts_with(&start) && lines[0].contains("loaded as a vertex program"), "{}", lines[0]);
    assert_eq!(lines[1], format!("{fragment}: ok"));
}

/// Writes a scene in which `program` draws one triangle. v[1] is 3.7, and `scene.toml` ends with `more`.
fn triangle(folder: &TempFolder, program: &str, more: &str) -> String {
    folder.file("a.vp", program);
    let scene = "size = [8, 8]\n[program]\nvertex = \"a.vp\"\n[geometry]\nprimitive = \"TRIANGLES\"\n\
                 [[attribute]]\nindex = 0\nsize = 2\nvalues = [-1, -1, 0.5, -0.5, -1, 1]\n\
                 [[attribute]]\nindex = 1\nvalue = [3.7]\n[depth]\nfunc = \"OFF\"\n\
                 [parameters]\n\"c[5]\" = [1, 2, 3, 4]\n";
    folder.file("scene.toml", format!("{scene}{more}"))
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
    // A closed grid has about two triangles per vertex.
    assert!(vertices > 0.0 && triangles > 1.5 * vertices && triangles < 2.5 * vertices, "{line}");
    assert_eq!(shadestep(&["bench", "--mesh-triangles", "2"]).code, 2);
}
