//! Tests of `render` with sequences: animations, numbered files and raw frames.

use crate::common::{TempFolder, shadestep, shadestep_bytes};
use std::fs;
use std::io::{BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

/// A program with the time in each component. `p[0].x` is the time in seconds.
const TIME: &str = "!!FP1.0\nMOVR o[COLR], p[0].x;\nEND\n";

/// Reads an animated PNG. Returns the number of frames, the delay as a fraction of a second, and the red byte
/// of each frame's first pixel.
fn animation(path: &Path) -> ((u32, u16, u16), Vec<u8>) {
    let file = BufReader::new(fs::File::open(path).expect("the file"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let count = reader.info().animation_control().expect("an animation").num_frames;
    let mut first = Vec::new();
    let mut delay = (0, 0);
    for _ in 0..count {
        let mut rgba = vec![0; reader.output_buffer_size().expect("small frames")];
        reader.next_frame(&mut rgba).expect("a frame");
        let control = reader.info().frame_control().expect("its time");
        delay = (control.delay_num, control.delay_den);
        first.push(rgba[0]);
    }
    ((count, delay.0, delay.1), first)
}

/// Converts a time from 0 to 1 to an 8-bit level.
fn level(time: f64) -> u8 {
    (time * 255.0).round() as u8
}

#[test]
fn animations_have_the_frames_of_the_range() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", TIME);
    let expected = [0.2, 0.3, 0.4, 0.5, 0.6].map(level);
    for name in ["a.png", "b.apng"] {
        let path = folder.0.join(name);
        let out = path.display().to_string();
        let range = ["--from", "0.2", "--to", "0.7", "--fps", "10"];
        let run = shadestep(&[&["render", &program, "--size", "3x2", "-o", &out], &range[..]].concat());
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
        assert_eq!(animation(&path), ((5, 1, 10), expected.to_vec()), "{name}");
    }
    // `--frames` replaces `--to`.
    let path = folder.0.join("c.png");
    let out = path.display().to_string();
    let run = shadestep(&["render", &program, "--size", "3x2", "-o", &out, "--fps", "4", "--frames", "3"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(animation(&path), ((3, 1, 4), [0.0, 0.25, 0.5].map(level).to_vec()));
    // `-o -` writes the same animation to standard output.
    let (code, bytes, err) = shadestep_bytes(
        &["render", &program, "--size", "3x2", "-o", "-", "--fps", "4", "--frames", "3"],
        b"",
    );
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(bytes == fs::read(&path).unwrap());
}

#[test]
fn gifs_repeat_and_are_opaque() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", TIME);
    let path = folder.0.join("a.GIF");
    let out = path.display().to_string();
    let run = shadestep(&["render", &program, "--size", "3x2", "-o", &out, "--to", "0.5", "--fps", "10"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(fs::File::open(&path).unwrap()).unwrap();
    for time in [0.0, 0.1, 0.2, 0.3, 0.4] {
        let frame = decoder.read_next_frame().unwrap().unwrap();
        let level = level(time);
        assert_eq!((frame.width, frame.height, frame.delay), (3, 2, 10));
        assert_eq!(frame.buffer[..4], [level, level, level, 255]);
    }
    assert!(decoder.read_next_frame().unwrap().is_none());
    let run = shadestep(&["render", &program, "-o", &out, "--to", "1", "--fps", "60"]);
    assert!(run.code == 2 && run.err.contains("at most 50 frames"), "{}", run.err);
}

#[test]
fn a_number_in_the_name_makes_a_file_of_each_frame() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", TIME);
    let out = folder.0.join("frame-%03d.png").display().to_string();
    let run = shadestep(&["render", &program, "--size", "2x2", "-o", &out, "--to", "0.3", "--fps", "10"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    for (name, time) in [("frame-000.png", 0.0), ("frame-001.png", 0.1), ("frame-002.png", 0.2)] {
        let read = image::open(folder.0.join(name)).unwrap().to_rgba8();
        assert_eq!((read.dimensions(), read.as_raw()[0]), ((2, 2), level(time)), "{name}");
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 4);
    // A single picture keeps the pattern as its name.
    let run = shadestep(&["render", &program, "--size", "2x2", "-o", &out]);
    assert!(run.code == 0 && folder.0.join("frame-%03d.png").exists(), "{}", run.err);
    let nowhere = folder.0.join("no/frame-%d.png").display().to_string();
    let run = shadestep(&["render", &program, "--size", "2x2", "-o", &nowhere, "--to", "1"]);
    assert!(run.code == 2 && run.err.contains("cannot write the file"), "{}", run.err);
}

#[test]
fn raw_frames_go_to_standard_output() {
    let folder = TempFolder::new();
    let program =
        folder.file("a.fp", "!!FP1.0\nMOVR R0, f[TEX0];\nMOVR R0.zw, p[0].x;\nMOVR o[COLR], R0;\nEND\n");
    let render = ["render", &program, "--size", "4x2", "--raw"];
    let (code, raw, err) = shadestep_bytes(&[&render[..], &["--to", "0.4", "--fps", "5"]].concat(), b"");
    assert_eq!((code, err.as_str(), raw.len()), (0, "", 2 * 4 * 2 * 4));
    // (x + 0.5) / 4 and (y + 0.5) / 2, top row first, then the time twice.
    assert_eq!(raw[..4], [32, 191, 0, 0]);
    assert_eq!(raw[28..32], [223, 64, 0, 0]);
    assert_eq!(raw[32..36], [32, 191, 51, 51]);
    // A single picture as raw bytes.
    let (code, one, err) = shadestep_bytes(&[&render[..], &["--time", "0.2"]].concat(), b"");
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(one == raw[32..]);
}

#[test]
fn a_closed_pipe_ends_a_sequence_quietly() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", TIME);
    let mut command = Command::new(env!("CARGO_BIN_EXE_shadestep"));
    command.args(["render", &program, "--size", "64x64", "--raw", "--to", "1000"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut some = [0; 64 * 64 * 4];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

/// Persistent buffers keep their content from frame to frame, and the frame number counts from the first
/// frame.
#[test]
fn kept_buffers_go_on_through_a_sequence() {
    let folder = TempFolder::new();
    let program = "!!NVfp5.0\nLONG UINT TEMP a;\nUINT TEMP n;\nTEMP f;\nPK64.U a, program.local[0];\n\
                   ATOM.ADD.U32 n.x, 16, a.x;\nI2F.U f, n.x;\nMUL result.color, f, 0.00392156862745098;\nEND\n";
    folder.file("a.fp", program);
    let scene = folder.file(
        "scene.toml",
        "size = [1, 1]\n[program]\nfragment = \"a.fp\"\n[parameters]\n\
         \"fragment.local[0]\" = 'address_of(\"b\")'\n[[buffer]]\nname = \"b\"\ntype = \"uint\"\nvalues = [0]\n\
         each_frame = \"keep\"\n",
    );
    let check = shadestep(&["check", &scene]);
    assert_eq!(check.code, 0, "{}", check.out);
    let (code, raw, err) = shadestep_bytes(&["render", &scene, "--raw", "--fps", "10", "--frames", "4"], b"");
    assert_eq!(code, 0, "{err}");
    let levels: Vec<u8> = raw.chunks_exact(4).map(|pixel| pixel[0]).collect();
    assert_eq!(levels, [0, 16, 32, 48]);
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", TIME);
    let out = folder.0.join("o.png").display().to_string();
    for (options, words) in [
        (&["-o", &out, "--to", "0"][..], "after the start"),
        (&["-o", &out, "--to", "9999"], "at most 100000"),
        (&["-o", &out, "--to", "1", "--frames", "3"], "--frames"),
        (&["-o", &out, "--to", "1", "--time", "3"], "--time"),
        (&["-o", &out, "--to", "1", "--probe", "0,0"], "--probe"),
        (&["-o", &out, "--raw"], "--raw"),
        (&["-o", &out, "--fps", "0"], "0.1 to 240"),
        (&["-o", &folder.0.join("o.gif").display().to_string()], "for a sequence"),
        (&["-o", &folder.0.join("%d.gif").display().to_string(), "--to", "1"], "only with .png"),
        (&["--to", "1"], "--output"),
    ] {
        let run = shadestep(&[&["render", &program, "--size", "2x2"], options].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{options:?}");
        assert!(run.err.contains(words), "{options:?}: {}", run.err);
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "nothing was written");
    // A program with an error leaves the older file unchanged.
    let older = folder.file("older.gif", "older");
    let faulty = folder.file("b.fp", "!!FP1.0\nFOO;\nEND\n");
    let run = shadestep(&["render", &faulty, "-o", &older, "--to", "1"]);
    assert_eq!((run.code, fs::read(&older).unwrap()), (1, b"older".to_vec()), "{}", run.err);
}
