//! Runs every input of the corpora, and every input that ever failed, through its target. Then tries a few
//! random changes of the inputs of each target, which needs no fuzzer. `SHADESTEP_FUZZ_SECONDS=n` tries
//! changes for n seconds a target.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use shadestep_checks::targets::{self, Target, changed};

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

/// Tries changes of a target's inputs: as many as the time allows, or a few. Returns the number of changes.
fn try_changes((name, target): (&str, Target)) -> u64 {
    let seconds = std::env::var("SHADESTEP_FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok());
    let (start, time) = (Instant::now(), seconds.map(Duration::from_secs));
    let seeds = inputs("corpus", name);
    let first = time.map_or(0, |_| u64::from(std::process::id()) << 32);
    let mut tried = 0;
    while time.map_or(tried < 60, |time| start.elapsed() < time) {
        let data = changed(first + tried, &seed(&seeds, tried), &seed(&seeds, tried * 7 + 3));
        if catch_unwind(AssertUnwindSafe(|| target(&data))).is_err() {
            let path = std::env::temp_dir().join(format!("shadestep-find-{name}"));
            fs::write(&path, &data).expect("written");
            panic!("{name} fails on {}", path.display());
        }
        tried += 1;
    }
    tried
}

fn seed(seeds: &[(PathBuf, Vec<u8>)], number: u64) -> Vec<u8> {
    seeds[(number % seeds.len() as u64) as usize].1.clone()
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
    for target in list {
        assert!(try_changes(*target) > 0);
    }
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
