//! Every input of the corpora, and every find, through its target.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use shadestep_checks::targets::{self, Target};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// The files of `folder/target`, in order of their names.
fn inputs(kind: &str, target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(folder(kind).join(target)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(&path).expect("a file"))).collect()
}

fn replay(list: &[(&str, Target)]) {
    let mut failed = Vec::new();
    for (name, target) in list {
        let seeds = inputs("corpus", name);
        assert!(!seeds.is_empty(), "{name} has no corpus");
        for (path, data) in seeds.into_iter().chain(inputs("finds", name)) {
            if catch_unwind(AssertUnwindSafe(|| target(&data))).is_err() {
                failed.push(path);
            }
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn corpora_and_finds_of_the_engine() {
    replay(&targets::ENGINE);
}

#[cfg(feature = "app")]
#[test]
fn corpora_and_finds_of_the_app() {
    replay(&targets::APP);
}
