//! The conformance suite. Every file of this folder is one test. `README.md` describes the files. Expected
//! values come from the specifications, never from this engine.
//!
//! All files run again with each instruction set below the processor's best (`again_with_other_processors`).
//! `BLESS=1` rewrites only the tables of CLAUSES.md.

mod blocks;
mod clauses;
mod ends;
pub mod format;
mod fragments;
mod memory;
mod names;
mod patches;
mod primitives;
mod program_text;
mod run;
mod sections;
mod suite;
pub mod texture_building;
mod texture_notation;
mod values;
mod vertices;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::common::{files, processes};
use format::TestFile;
use rstest::rstest;

/// The names and contents of all files. A file with a mistake is not listed: its own test fails.
static FILES: LazyLock<Vec<(String, TestFile)>> = LazyLock::new(|| {
    let paths = files::below(&folder(), &["test"]);
    paths.into_iter().filter_map(|(name, path)| Some((name, read(&path).ok()?))).collect()
});

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance")
}

fn read(path: &Path) -> Result<TestFile, String> {
    fs::read_to_string(path).map_err(|e| e.to_string()).and_then(|text| format::parse(&text))
}

#[rstest]
fn file(#[files("tests/conformance/**/*.test")] path: PathBuf) -> Result<(), String> {
    run::check(&read(&path)?)
}

#[test]
fn again_with_other_processors() {
    processes::again_with_other_processors("conformance::file::", |_| true);
}
