//! The reader of scenes checks sizes before it allocates memory for them, and errors name the place of the
//! size.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use crate::allocator::{is_alone_and_counts, most};
use shadestep::scene::{self, Scene, SceneError};
use shadestep::session::{self, Job, RenderError, SetUp};

/// The most memory in bytes that reading a small scene may take.
const LITTLE: isize = 8 << 20;

/// A folder with a program and large sparse files, which take no space on disk.
struct Files(PathBuf);

impl Files {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("shadestep-limits-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("main.fp"), "!!FP1.0\nMOV o[COLR], f[COL0];\nEND\n").expect("written");
        for (name, bytes) in [("large.bin", 250 << 20), ("small.bin", 4096)] {
            let file = fs::File::create(folder.join(name)).expect("a file");
            file.set_len(bytes).expect("its length");
        }
        Self(folder)
    }

    /// Reads the scene, and returns the peak memory of the reader with the result.
    fn load(&self, head: &str, rest: &str) -> (Result<Scene, SceneError>, isize) {
        let toml = format!("{head}\n[program]\nfragment = \"main.fp\"\n{rest}");
        fs::write(self.0.join("scene.toml"), toml).expect("written");
        let (taken, loaded) = most(|| scene::load(&self.0));
        (loaded, taken)
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Two buffers that reach the limit. Both are unwritten, so they take little memory.
const FULL: &str = "[[buffer]]\nname = \"a\"\nsize = 134217728\n[[buffer]]\nname = \"b\"\nsize = 134217728\n";

#[test]
fn sizes_are_checked_before_memory_is_allocated() {
    if !is_alone_and_counts("limits::sizes_are_checked_before_memory_is_allocated") {
        return;
    }
    let files = Files::new();
    let after = |rest: &str| format!("{FULL}{rest}");
    let together = "exceed 256 MiB together";
    let refused: [(&str, String, usize, &str); 14] = [
        ("size = [8192, 8192]\nlayers = 2048", String::new(), 2, "there can be 1 to 1 of this size"),
        ("layers = 2048", "[state]\nsamples = 16\n".to_owned(), 1, "there can be 1 to 15 of this size"),
        ("size = [8192, 8192]", "[state]\nsamples = 16\n".to_owned(), 5, "of 16 samples in total"),
        (
            "size = [4096, 4096]\nlayers = 4",
            "[[frame_texture]]\ntarget = \"ARRAY2D\"\n[[frame_texture]]\nunit = 1\ntarget = \"ARRAY2D\"\n"
                .to_owned(),
            9,
            "exceed 1024 MiB",
        ),
        ("", "[[buffer]]\nname = \"a\"\nsize = 4294967295\n".to_owned(), 6, "134217728"),
        ("", "[[buffer]]\nname = \"a\"\nfile = \"large.bin\"\n".to_owned(), 6, "larger than 128 MiB"),
        ("", after("[[buffer]]\nname = \"c\"\nsize = 134217728\nfill = 1\n"), 12, together),
        ("", after("[[buffer]]\nname = \"c\"\nfile = \"small.bin\"\n"), 12, together),
        ("", after("[[buffer]]\nname = \"c\"\nvalues = [1, 2]\n"), 12, together),
        ("", after("[[image]]\nname = \"c\"\nsize = [4096, 4096]\nfill = 1\nunit = 0\n"), 12, together),
        (
            "",
            after("[[image]]\nname = \"c\"\nsize = [4096, 4096]\nfile = \"large.bin\"\nunit = 0\n"),
            12,
            together,
        ),
        (
            "",
            "[[image]]\nname = \"c\"\nsize = [16384, 16384]\nfill = 1\nunit = 0\n".to_owned(),
            6,
            "the image would be too large",
        ),
        (
            "",
            "[[image]]\nname = \"c\"\nsize = [64, 64]\nfile = \"large.bin\"\nunit = 0\n".to_owned(),
            7,
            "larger than 16 KiB",
        ),
        (
            "",
            "[[texture]]\nunit = 0\ntarget = \"BUFFER\"\nformat = \"R8\"\nfile = \"large.bin\"\n".to_owned(),
            8,
            "larger than 128 MiB",
        ),
    ];
    for (head, rest, line, words) in &refused {
        let (loaded, taken) = files.load(head, rest);
        let error = loaded.expect_err(rest);
        assert!(error.message.contains(words), "{head}\n{rest}{error}");
        assert_eq!(error.place.map(|place| place.line), Some(*line), "{head}\n{rest}{error}");
        assert!(taken < LITTLE, "{head}\n{rest}took {taken} bytes");
    }
    // The check of an image that is also a texture does not allocate the texels.
    let image = "[[image]]\nname = \"c\"\nsize = [8192, 4096]\nlayers = 4\ntarget = \"ARRAY2D\"\nformat = \"R8\"\ntexture = 0\n";
    let (loaded, taken) = files.load("", image);
    assert!(loaded.is_ok() && taken < LITTLE, "{:?}, {taken} bytes", loaded.err());
    a_picture_of_another_size_is_checked_too(&files);
}

fn a_picture_of_another_size_is_checked_too(files: &Files) {
    let rest = "[[frame_texture]]\ntarget = \"ARRAY2D\"\n";
    let frame_textures = format!("{rest}[[frame_texture]]\nunit = 1\ntarget = \"ARRAY2D\"\n");
    for (head, rest, words) in [
        ("size = [64, 64]\nlayers = 64", "", "there can be 1 to 1 of this size"),
        ("size = [64, 64]", "[state]\nsamples = 4\n", "of 4 samples in total"),
        ("size = [64, 64]", &frame_textures, "exceed 1024 MiB"),
    ] {
        let scene = Arc::new(files.load(head, rest).0.expect("a scene"));
        let programs = session::compile_scene(&scene);
        let job = Job { size: [8192, 8192], ..Job::new(scene) };
        let (taken, made) = most(|| SetUp::new(&programs, &job));
        assert!(taken < LITTLE, "{rest}");
        let error = made.err();
        assert!(matches!(&error, Some(RenderError::Failed(message)) if message.contains(words)), "{error:?}");
    }
}
