//! Tests of `-o` and `--csv`: file extensions, and `-` for standard input and output.

use crate::common::{TempFolder, shadestep, shadestep_bytes};
use std::fs;

const PROGRAM: &str = "!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n";

#[test]
fn files_must_have_the_extension_of_what_is_written() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", PROGRAM);
    for (command, option, extension) in [
        ("render", "-o", "png"),
        ("render", "--output", "png"),
        ("map", "-o", "png"),
        ("map", "--csv", "csv"),
    ] {
        for name in ["x.jpg", "x", "x.png.bmp", "png", "csv"] {
            let path = folder.0.join(name);
            let run = shadestep(&[command, &program, option, &path.display().to_string()]);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{command} {option} {name}");
            assert!(
                run.err.contains(&format!("use the extension .{extension}")) && run.err.contains(name),
                "{}",
                run.err
            );
            assert!(!path.exists(), "{name}");
        }
        for name in [format!("x.{extension}"), format!("y.{}", extension.to_uppercase())] {
            let path = folder.0.join(name);
            let run = shadestep(&[command, &program, "--size", "2x2", option, &path.display().to_string()]);
            assert_eq!(run.code, 0, "{}", run.err);
            assert!(path.exists());
        }
    }
}

#[test]
fn files_go_to_standard_output_and_text_to_standard_error() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", PROGRAM);
    let path = folder.0.join("x.png");
    let file = path.display().to_string();
    // A picture of 60 x 60 contains bytes of every value, including control characters.
    let render = ["render", &program, "--size", "60x60", "--probe", "0,0", "-o"];
    let to_file = shadestep(&[&render[..], &[&file]].concat());
    let (code, out, err) = shadestep_bytes(&[&render[..], &["-"]].concat(), b"");
    assert_eq!((code, to_file.code), (0, 0), "{err}");
    assert_eq!((out, err), (fs::read(&path).unwrap(), to_file.out));
    let map = ["map", &program, "--size", "3x2", "--value", "f[TEX0].x", "--probe", "1,1"];
    let (code, out, err) = shadestep_bytes(&[&map[..], &["-o", "-"]].concat(), b"");
    assert!(code == 0 && out.starts_with(b"\x89PNG") && err.contains("Value: 6 pixels"), "{err}");
    assert!(err.ends_with("1,1: 0.5\n"), "{err}");
    let run = shadestep(&[&map[..], &["--csv", "-"]].concat());
    assert_eq!((run.code, run.lines().len(), run.lines()[0]), (0, 7, "pixel_x,pixel_y,value"), "{}", run.err);
    assert!(run.err.contains("1,1: 0.5\n"), "{}", run.err);
    let run = shadestep(&[&map[..], &["--csv", "-", "-o", "-"]].concat());
    assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
}

#[test]
fn buffers_are_printed_beside_a_picture_on_standard_output() {
    let folder = TempFolder::new();
    folder.file("a.fp", PROGRAM);
    let toml = "size = [4, 4]\n[program]\nfragment = \"a.fp\"\n[[buffer]]\nname = \"b\"\ntype = \"uint\"\nvalues = [5, 7]\n";
    let scene = folder.file("scene.toml", toml);
    let (code, out, err) = shadestep_bytes(&["render", &scene, "--buffer", "b", "-o", "-"], b"");
    assert_eq!((code, err.as_str()), (0, "b: 5 7\n"));
    assert_eq!(image::load_from_memory(&out).unwrap().to_rgba8().dimensions(), (4, 4));
}

#[test]
fn programs_come_from_standard_input() {
    let text = PROGRAM.as_bytes();
    let run = |arguments: &[&str]| {
        let (code, out, err) = shadestep_bytes(arguments, text);
        (code, String::from_utf8_lossy(&out).into_owned(), err)
    };
    let (code, out, err) = run(&["render", "-", "--size", "4x4", "--probe", "0,0"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("0,0: 0.125 0.125 0 1 "), "{out}");
    let (code, out, err) = run(&["trace", "-", "--size", "4x4", "--pixel", "0,0"]);
    assert!(code == 0 && out.starts_with("<stdin>: pixel 0,0"), "{out}{err}");
    let (code, out, err) = run(&["map", "-", "--size", "4x4"]);
    assert!(code == 0 && out.contains("16 pixels"), "{out}{err}");
    let (code, out, err) = run(&["bench", "-", "--size", "1x1"]);
    assert!(code == 0 && out.starts_with("<stdin>: "), "{out}{err}");
    let (code, out, err) = run(&["bench", "-", "-"]);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
}
