//! Lists the files of the repository, for tests that read sources and pages.

use std::fs;
use std::path::{Path, PathBuf};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the root of the repository")
}

/// Returns the sorted paths of all files below `folder` with this extension, relative to the root, with
/// slashes.
pub fn files(folder: &str, extension: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a readable folder") {
            let entry = entry.expect("a readable entry");
            let path = format!("{folder}/{}", entry.file_name().into_string().expect("a name in Unicode"));
            if entry.path().is_dir() {
                folders.push(path);
            } else if Path::new(&path).extension().is_some_and(|other| other == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The documents at the root of the repository.
pub const AT_ROOT: [&str; 5] =
    ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "BENCH.md", "CHANGELOG.md"];
