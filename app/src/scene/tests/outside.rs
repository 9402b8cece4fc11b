//! Scenes read only regular files of limited size in their own folder. Any other file is an error at the key
//! that names it.

use super::*;
use std::fs::File;

/// Every key that names a file, with `FILE` for the name and the line of the key from 1.
const KEYS: [(&str, usize); 7] = [
    ("[program]\nfragment = 'FILE'\n", 2),
    ("[program]\nfragment = 'main.fp'\nstate = ['FILE']\n", 3),
    ("[program]\nfragment = 'main.fp'\n[[state_program]]\nfile = 'FILE'\n", 4),
    ("[program]\nfragment = 'main.fp'\n[geometry]\nmesh = 'FILE.obj'\n", 4),
    ("[program]\nfragment = 'main.fp'\n[[texture]]\nunit = 0\nimage = 'FILE'\n", 5),
    ("[program]\nfragment = 'main.fp'\n[[texture]]\nunit = 0\nlevels = ['FILE']\n", 5),
    ("[program]\nfragment = 'main.fp'\n[[attribute]]\nindex = 5\nsize = 1\nfile = 'FILE'\n", 6),
];

/// Checks that every key with `name` in `folder` is refused at its line, with `word` in the message.
#[track_caller]
fn refused(folder: &TempFolder, name: &str, word: &str) {
    for (toml, line) in KEYS {
        fs::write(folder.0.join("scene.toml"), toml.replace("FILE", name)).unwrap();
        let error = load(&folder.0).expect_err(name);
        assert!(error.file.ends_with("scene.toml"), "{error}");
        assert_eq!(error.place.map(|place| place.line), Some(line), "{toml} {name}: {error}");
        assert!(error.message.contains(word), "{toml} {name}: {error}");
    }
}

fn folder() -> TempFolder {
    TempFolder::new(&[("main.fp", PROGRAM)])
}

#[test]
fn paths_out_of_the_folder_are_refused_at_their_key() {
    let folder = folder();
    let names = [
        "/etc/passwd",
        "/dev/zero",
        "../main.fp",
        "a/../../b",
        "C:\\x",
        "C:/x",
        "\\\\server\\share\\x",
        "..\\x",
    ];
    for name in names {
        refused(&folder, name, "leaves the scene's folder");
    }
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_are_refused_at_their_key() {
    use std::os::unix::fs::symlink;
    let (folder, outside) = (folder(), TempFolder::new(&[("secret", b"1 2 3"), ("secret.obj", b"v 0 0 0")]));
    fs::create_dir(folder.0.join("sub")).unwrap();
    symlink(&outside.0, folder.0.join("way")).unwrap();
    for (name, target) in [("link", "secret"), ("link.obj", "secret.obj")] {
        symlink(outside.0.join(target), folder.0.join(name)).unwrap();
    }
    symlink("/dev/zero", folder.0.join("zero")).unwrap();
    symlink("/dev/zero", folder.0.join("zero.obj")).unwrap();
    for name in ["link", "way/secret", "zero"] {
        refused(&folder, name, "outside the scene's folder");
    }
}

#[cfg(unix)]
#[test]
fn links_within_the_folder_are_followed() {
    let folder =
        TempFolder::new(&[("main.fp", PROGRAM), ("scene.toml", b"[program]\nfragment = 'other.fp'\n")]);
    std::os::unix::fs::symlink("main.fp", folder.0.join("other.fp")).unwrap();
    assert!(load(&folder.0).is_ok());
}

#[test]
fn folders_are_refused_at_their_key() {
    let folder = folder();
    fs::create_dir(folder.0.join("sub")).unwrap();
    fs::create_dir(folder.0.join("sub.obj")).unwrap();
    refused(&folder, "sub", "folder, not a file");
}

#[cfg(unix)]
#[test]
fn pipes_are_refused_at_their_key() {
    let folder = folder();
    for name in ["pipe", "pipe.obj"] {
        let made = std::process::Command::new("mkfifo").arg(folder.0.join(name)).status().unwrap();
        assert!(made.success());
    }
    // Opening a pipe for reading would block for ever.
    refused(&folder, "pipe", "not a regular file");
}

#[test]
fn huge_files_are_refused_at_their_key() {
    let folder = folder();
    // Sparse files: nothing is written to them, so they take no space on disk.
    for name in ["huge", "huge.obj"] {
        File::create(folder.0.join(name)).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
    }
    refused(&folder, "huge", "larger than");
}

#[test]
fn texts_have_a_smaller_limit() {
    let folder = TempFolder::new(&[("scene.toml", b"[program]\nfragment = 'long.fp'\n")]);
    let file = File::create(folder.0.join("long.fp")).unwrap();
    file.set_len(MAX_TEXT_BYTES + 1).unwrap();
    let error = load(&folder.0).unwrap_err();
    assert!(error.message.contains("larger than 16 MiB"), "{error}");
    // The size of the scene's own file is limited too.
    File::create(folder.0.join("scene.toml")).unwrap().set_len(MAX_SCENE_BYTES + 1).unwrap();
    let error = load(&folder.0).unwrap_err();
    assert!(error.message.contains("larger than 4 MiB"), "{error}");
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    for text in ["a = ".to_owned() + &"[".repeat(200_000), "a = ".to_owned() + &"{b = ".repeat(100_000)] {
        assert!(load_text(&text).unwrap_err().message.contains("TOML"));
    }
    let dotted = format!("{HEAD}{} = 1", vec!["a"; 100_000].join("."));
    assert!(load_text(&dotted).is_err());
}
