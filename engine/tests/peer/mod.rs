//! Compares Shadestep with OpenGL drivers: both load and run the same programs. See `README.md`.
//!
//! The tests replay the drivers' recorded answers in `recordings/`. An ignored test asks the machine's own
//! driver; with `SHADESTEP_PEER_RECORD=DATE` set, the test also writes the driver's answers to `recordings/`.

mod compare;
mod defined;
mod differences;
mod gl;
mod live;
mod ours;
mod pictures;
mod question;
mod questions;
mod random_programs;
mod recording;
mod references;
mod surgery;
mod theirs;
mod theirs_feedback;
mod theirs_memory;
mod theirs_references;
mod theirs_samples;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::thread;

use differences::Entries;
use question::Question;

/// All questions, for every driver and for Shadestep.
static QUESTIONS: LazyLock<Vec<Question>> = LazyLock::new(questions::all);

/// Bytes of stack. Lookups in 64 lanes, unoptimised, and drivers' compilers need more than a test's thread
/// has.
const STACK: usize = 64 << 20;

fn with_stack(test: fn() -> Result<(), String>) -> Result<(), String> {
    let thread = thread::Builder::new().stack_size(STACK).spawn(test).map_err(|e| e.to_string())?;
    thread.join().unwrap_or_else(|_| Err("it panicked".to_owned()))
}

#[test]
fn the_list_holds_to_its_rules() -> Result<(), String> {
    differences::check_rules()
}

#[test]
fn recordings_agree() -> Result<(), String> {
    with_stack(|| {
        let named = |path: &PathBuf| Some(format!("{}: {}", path.display(), replay(path).err()?));
        let faults: Vec<String> = recordings().iter().filter_map(named).collect();
        told(&faults)
    })
}

#[test]
#[ignore = "not every machine has a driver"]
fn the_driver_answers_as_we_do() -> Result<(), String> {
    with_stack(live::compare)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peer/recordings")
}

fn recordings() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "txt"));
    paths.sort();
    paths
}

#[test]
fn questions_are_told_apart() -> Result<(), String> {
    let mut names: Vec<&str> = QUESTIONS.iter().map(|question| question.name.as_str()).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two questions are called {}", pair[0])),
        None => Ok(()),
    }
}

/// Compares a driver's recorded answers with Shadestep's. Recorded questions that have changed since are
/// skipped. If more than a quarter has changed, the test fails and asks for a new recording.
fn replay(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let recording = recording::read(&text)?;
    let known = differences::known(&recording.renderer)?;
    let mut found = Vec::new();
    let mut asked = 0;
    for question in QUESTIONS.iter() {
        let Some(theirs) = recording.answers.get(&question.key()) else { continue };
        asked += 1;
        let ours = ours::answer(question).map_err(|e| format!("{}: {e}", question.name))?;
        found.extend(compare::difference(question, theirs, &ours, known.positions));
    }
    let answered = recording.answers.len();
    if asked * 4 < answered * 3 {
        return Err(format!("of {answered} questions answered {asked} are still asked: record again"));
    }
    let entries = if asked < answered { Entries::MayBeIdle } else { Entries::MustMatch };
    told(&known.faults(&found, entries))
}

/// Returns an error that lists `faults`, if there are any.
fn told(faults: &[String]) -> Result<(), String> {
    if faults.is_empty() { Ok(()) } else { Err(format!("{} faults\n{}", faults.len(), faults.join("\n"))) }
}
