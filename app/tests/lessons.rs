//! Answers to the lessons of the bundled course, run through the same check as in the app.
//!
//! `tests/lessons/NN-name` has two right and two wrong answers to the lesson in `samples/lessons/NN-name`:
//! `right-1`, `right-2`, `wrong-1` and `wrong-2`. Each file of an answer has the extension of the file that
//! it replaces: `wrong-1.vp` replaces `main.vp`, and `wrong-1.toml` replaces `scene.toml`. One file of a
//! wrong answer has a comment `# Refused: WORDS`. The first fault that the check reports must contain these
//! words.

use shadestep::lesson::{Answer, Course, Lesson, Reference, check};
use shadestep::scene::{self, Folder, SCENE_FILE, Scene};
use shadestep::session::Threads;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

static NEVER: AtomicBool = AtomicBool::new(false);
const ANSWERS: [&str; 4] = ["right-1", "right-2", "wrong-1", "wrong-2"];
const MARK: &str = "# Refused: ";

/// An answer on disk: the changed files, by their names in the lesson's scene.
struct Given {
    name: &'static str,
    files: BTreeMap<String, String>,
}

impl Given {
    /// Reads the files of the answer `name` in `folder`.
    fn read(folder: &Path, name: &'static str) -> Self {
        let entries =
            std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let paths = entries.map(|entry| entry.expect("a folder that can be listed").path());
        let own = paths.filter(|path| path.file_stem().is_some_and(|stem| stem == name));
        let files = own.map(|path| {
            let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            let file = if ending == "toml" { SCENE_FILE.to_owned() } else { format!("main.{ending}") };
            (file, std::fs::read_to_string(&path).expect("a text"))
        });
        let files: BTreeMap<String, String> = files.collect();
        assert!(!files.is_empty(), "{} has no {name}", folder.display());
        Self { name, files }
    }

    /// Returns the words that the first fault must contain, or `None` for a right answer.
    fn refused(&self) -> Option<&str> {
        let mut lines = self.files.values().flat_map(|text| text.lines());
        lines.find_map(|line| line.split_once(MARK)).map(|(_, words)| words.trim())
    }

    /// Returns the scene of `lesson` with the files of the answer.
    fn scene(&self, lesson: &Lesson) -> Scene {
        let text = |name: &str| lesson.folder.read(name).map(|bytes| bytes.into_owned());
        let names = lesson.folder.names_in("").into_iter().filter(|name| name != "solution");
        let mut files: BTreeMap<String, Vec<u8>> =
            names.filter_map(|name| Some((name.clone(), text(&name).ok()?))).collect();
        for (name, text) in &self.files {
            let replaced = files.insert(name.clone(), text.clone().into_bytes());
            assert!(replaced.is_some(), "{}: {} has no {name}", self.name, lesson.name);
        }
        scene::load_in(Folder::Memory(Arc::new(files)))
            .unwrap_or_else(|error| panic!("{}, {}: {error}", lesson.name, self.name))
    }
}

/// Removes comments and spaces from the programs of an answer, so that only real differences remain.
fn bare<'t>(texts: impl Iterator<Item = &'t str>) -> BTreeSet<String> {
    let line = |line: &str| line.split('#').next().unwrap_or_default().split_whitespace().collect::<String>();
    texts.map(|text| text.lines().map(line).collect::<String>()).collect()
}

/// Returns the fault of an answer or of the check's result, if any. `refused` has the words that the check
/// must report for a wrong answer.
fn fault(
    lesson: &Lesson,
    (reference, scene): (&Reference, Scene),
    refused: Option<&str>,
    threads: &Threads,
) -> Option<String> {
    let answer = Answer::from(Arc::new(scene));
    let report = check(lesson, (reference, &answer), threads, &NEVER).expect("nothing is cancelled");
    let told: Vec<String> = report
        .faults()
        .map(|(task, fault)| format!("{}{fault}", task.map_or_else(String::new, |task| format!("[{task}] "))))
        .collect();
    match (refused, told.as_slice()) {
        (None, []) if report.is_solved() => None,
        (None, told) => Some(format!("it is right, but is refused: {}", told.join("\n    "))),
        (Some(_), []) => Some("it is wrong, but is accepted".to_owned()),
        (Some(words), [first, ..]) if first.contains(words) => None,
        (Some(words), told) => {
            Some(format!("it should be refused for \"{words}\", but is for: {}", told.join("\n    ")))
        }
    }
}

/// Returns all faults of the answers to `lesson`.
fn faults(lesson: &Lesson, folder: &Path, threads: &Threads) -> Vec<String> {
    let reference = Reference::of(lesson, threads, &NEVER).expect("a solution that draws");
    let solution = bare(lesson.solution.iter().map(|(_, text)| text.as_str()));
    let mut faults = Vec::new();
    for name in ANSWERS {
        let given = Given::read(folder, name);
        let mut add = |words: String| faults.push(format!("{}, {name}: {words}", lesson.name));
        let refused = given.refused();
        if refused.is_some() != name.starts_with("wrong") {
            add(format!("a wrong answer has a line \"{MARK}...\", and a right one has none"));
        }
        if bare(given.files.values().map(String::as_str)) == solution {
            add("it is the solution".to_owned());
        }
        if let Some(words) = fault(lesson, (&reference, given.scene(lesson)), refused, threads) {
            add(words);
        }
    }
    faults
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/lessons")
}

fn answers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lessons")
}

#[test]
fn right_answers_are_accepted_and_wrong_ones_refused_for_their_reason() {
    let course = Course::open(&samples()).unwrap_or_else(|error| panic!("{error}"));
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let threads = Threads::new(1).unwrap();
                while let Some(lesson) = course.lessons.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut faults = faults(lesson, &answers().join(&lesson.name), &threads);
                    found.lock().unwrap().append(&mut faults);
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_folder_of_answers_is_of_a_lesson_and_every_file_of_an_answer() {
    for entry in std::fs::read_dir(answers()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default();
        assert!(samples().join(name).join("lesson.toml").exists(), "{} is of no lesson", path.display());
        for file in std::fs::read_dir(&path).unwrap() {
            let file = file.unwrap().path();
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            assert!(ANSWERS.contains(&stem.as_str()), "{} is of no answer", file.display());
        }
    }
}

#[test]
fn a_wrong_verdict_is_found() {
    let course =
        Course::open(&samples().join("01-four-components")).unwrap_or_else(|error| panic!("{error}"));
    let lesson = &course.lessons[0];
    let threads = Threads::new(1).unwrap();
    let reference = Reference::of(lesson, &threads, &NEVER).unwrap();
    let verdict = |scene: &Arc<Scene>, refused| {
        fault(lesson, (&reference, Scene::clone(scene)), refused, &threads).unwrap_or_default()
    };
    let (start, solution) = (reference.start(), reference.solution());
    assert_eq!(verdict(solution, None), "");
    assert_eq!(verdict(start, Some("Orange is full red")), "");
    assert!(
        verdict(start, None).starts_with("it is right, but is refused: [Pixel (64, 64) is (1, 0.5, 0, 1)]")
    );
    assert_eq!(verdict(solution, Some("Orange")), "it is wrong, but is accepted");
    assert!(verdict(start, Some("Green")).starts_with("it should be refused for \"Green\", but is for: "));
}
