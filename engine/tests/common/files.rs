//! Finds the data files of tests.

use std::fs;
use std::path::{Path, PathBuf};

/// Lists every file below `folder` with one of the `extensions`, in sorted order. Each entry has the name
/// relative to `folder` and the path.
pub fn below(folder: &Path, extensions: &[&str]) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(current) = folders.pop() {
        for entry in fs::read_dir(&current).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| extensions.iter().any(|wanted| e == *wanted))
                && let Ok(name) = path.strip_prefix(folder)
            {
                found.push((name.to_string_lossy().replace('\\', "/"), path));
            }
        }
    }
    found.sort();
    found
}
