//! Commands write an output file completely or leave the previous file unchanged.

use crate::common::{TempFolder, shadestep};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A program whose picture takes well over 1 KiB as PNG.
const PROGRAM: &str =
    "!!FP1.0\nMOVR R0, f[TEX0];\nMULR R0, R0, R0.yxyx;\nFRCR R0, R0;\nMOVR o[COLR], R0;\nEND\n";

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_picture_takes_the_place_of_another() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", PROGRAM);
    let picture = folder.file("a.png", "another");
    assert_eq!(shadestep(&["render", &program, "-o", &picture]).code, 0);
    assert_eq!(image::open(&picture).unwrap().to_rgba8().dimensions(), (512, 512));
    assert_eq!(names(&folder.0), ["a.fp", "a.png"]);
}

/// A limit on the size of files simulates a full disk.
#[cfg(unix)]
#[test]
fn on_a_full_disk_the_picture_before_stays() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", PROGRAM);
    let before = "the picture before";
    let picture = folder.file("a.png", before);
    let run = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_shadestep")])
        .args(["render", &program, "-o", &picture])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let complaint = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("a.png: cannot write the file: "), "{complaint}");
    assert_eq!(fs::read_to_string(&picture).unwrap(), before);
    assert_eq!(names(&folder.0), ["a.fp", "a.png"]);
}

#[cfg(unix)]
#[test]
fn pictures_go_to_devices_pipes_and_descriptors_as_they_are() {
    let folder = TempFolder::new();
    let program = folder.file("a.fp", PROGRAM);
    assert_eq!(shadestep(&["render", &program, "-o", "/dev/null"]).code, 0);
    // The output is a pipe.
    let binary = env!("CARGO_BIN_EXE_shadestep");
    let piped = Command::new(binary).args(["render", &program, "-o", "/dev/stdout"]).output().unwrap();
    assert!(piped.status.success());
    assert_eq!(image::load_from_memory(&piped.stdout).unwrap().to_rgba8().dimensions(), (512, 512));
    // The output is a file that the shell has opened, and follows the printed lines.
    let both = folder.0.join("both");
    let file = fs::File::create(&both).unwrap();
    let run = Command::new(binary)
        .args(["render", &program, "--probe", "0,0", "-o", "/dev/stdout"])
        .stdout(file)
        .status()
        .unwrap();
    assert!(run.success());
    let bytes = fs::read(&both).unwrap();
    let line = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    assert!(bytes.starts_with(b"0,0: "));
    assert_eq!(&bytes[line..], piped.stdout);
    assert_eq!(names(&folder.0), ["a.fp", "both"]);
}
