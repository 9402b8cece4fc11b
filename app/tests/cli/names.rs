//! File names from other people: arguments may have any bytes, and control characters are escaped before a
//! terminal prints them.

use crate::common::{TempFolder, shadestep};
use std::fs;
use std::process::{Command, Stdio};

const PROGRAM: &str = "!!FP1.0\nMOV o[COLR], f[COL0];\nEND\n";

/// Asserts that `text` has no control characters except line feeds, which a terminal would execute.
#[track_caller]
fn is_plain(text: &str) {
    let obeyed = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(obeyed), "{text:?}");
}

#[cfg(unix)]
#[test]
fn names_with_control_characters_are_shown_and_not_obeyed() {
    let folder = TempFolder::new();
    // The name clears the screen and begins a line that looks like a result.
    let name = "a\u{1b}[2Jb\nc.fp: ok\r\u{202e}.fp";
    let program = folder.file(name, PROGRAM);
    let bad = folder.file(&format!("bad{name}"), "!!FP1.0\nEND\u{1b}[31m\n");
    let missing = folder.0.join(format!("missing{name}")).display().to_string();
    let shown = "a\\u001b[2Jb\\u000ac.fp: ok\\u000d\\u202e.fp";
    for arguments in [
        &["check", "-v", &program, &bad, &missing][..],
        &["check", "--format", "json", &program, &bad, &missing],
        &["check", "--format", "sarif", &program, &bad, &missing],
        &["check", "--format", "github", &program, &bad, &missing],
        &["check", "--color", "never", &program, &bad, &missing],
        &["render", &program, "-o", "\u{1b}[31m.jpg"],
        &["render", &program, "--buffer", "\u{1b}[31m"],
        &["man", &missing, "\u{1b}[31m"],
        &["completions", "\u{1b}[31m"],
        &["render", &program, "--size", "2x2", "--probe", "0,0"],
        &["render", &bad, "--probe", "0,0"],
        &["render", &missing, "--probe", "0,0"],
        &["bench", &program, "--size", "1x1"],
        &["trace", &program, "--pixel", "0,0", "--size", "2x2"],
        &["trace", &missing, "--pixel", "0,0"],
        &["check", "--\u{1b}[31m"],
        &["render", &program, "--size", "\u{1b}[31m"],
        &["isa", "\u{1b}[31m"],
        &["\u{1b}[31m"],
    ] {
        let run = shadestep(arguments);
        is_plain(&run.out);
        is_plain(&run.err);
    }
    let run = shadestep(&["check", &program, &bad, &missing]);
    let lines = run.lines();
    assert_eq!((lines.len(), run.err.as_str()), (3, ""), "{}", run.out);
    assert!(lines[0].ends_with(&format!("{shown}: ok")), "{}", lines[0]);
    assert!(lines[1].contains(&format!("bad{shown}:2:1: error: ")), "{}", lines[1]);
    assert!(lines[2].contains(&format!("missing{shown}:1:1: error: there is no such file")), "{}", lines[2]);
}

#[test]
fn what_a_scene_calls_things_is_shown_and_not_obeyed() {
    let folder = TempFolder::new();
    folder.file("main.fp", PROGRAM);
    // TOML strings can contain control characters as escapes.
    for toml in [
        "[program]\nfragment = \"a\\u001B[2J\\nb.fp\"\n",
        "title = \"\\u001B[2J\"\n[program]\nfragment = \"main.fp\"\n\"\\u001B[31m\\n\" = 1\n",
        "[program]\nfragment = \"main.fp\"\n[[texture]]\nunit = 0\nimage = \"\\u001B[2J\\n.png\"\n",
        "[program]\nfragment = \"main.fp\"\n[parameters]\n\"\\u001B[2J\" = 1\n",
        "[program]\nfragment = \"main.fp\"\n[geometry]\nmesh = \"\\u009B2J\"\n",
    ] {
        folder.file("scene.toml", toml);
        let run = shadestep(&["check", &folder.0.display().to_string()]);
        is_plain(&run.out);
        assert_eq!((run.code, run.lines().len(), run.err.as_str()), (1, 1, ""), "{toml}: {}", run.out);
        assert!(run.out.contains(": error: "), "{}", run.out);
    }
}

#[cfg(unix)]
#[test]
fn a_name_that_is_no_text_is_a_file_like_others() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = TempFolder::new();
    let good = folder.file("good.fp", PROGRAM);
    let odd = folder.0.join(OsStr::from_bytes(b"\xff\xfe.fp"));
    fs::write(&odd, PROGRAM).unwrap();
    let missing = folder.0.join(OsStr::from_bytes(b"missing\xff.fp"));
    let run = |arguments: &[&OsStr]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shadestep"));
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
        let output = command.args(arguments).stdin(Stdio::null()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    };
    let [check, render, probe, place] = ["check", "render", "--probe", "0,0"].map(OsStr::new);
    let (code, out, err) = run(&[check, odd.as_ref(), missing.as_ref(), good.as_ref()]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((code, lines.len(), err.as_str()), (2, 3, ""), "{out}");
    assert!(lines[0].ends_with(": ok") && lines[2].ends_with(": ok"), "{out}");
    assert!(lines[1].contains("missing") && lines[1].contains("there is no such file"), "{out}");
    let (code, out, err) = run(&[render, odd.as_ref(), probe, place]);
    assert!(code == 0 && out.starts_with("0,0: "), "{out}{err}");
    let (code, out, err) = run(&[OsStr::new("trace"), odd.as_ref(), OsStr::new("--pixel"), place]);
    assert!(code == 0 && out.contains("MOV o[COLR]"), "{out}{err}");
    // The app accepts the name too, and then fails because there is no display.
    let (code, _, err) = run(&[odd.as_ref()]);
    assert!(code == 1 && !err.contains("UTF-8"), "{err}");
}
