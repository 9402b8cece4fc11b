//! Recovery after the process dies. The next process offers the typed text, and does not run again the
//! program that was running.

use super::{SIZE, STEPS};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command, UnsavedAnswer};
use shadestep::drafts::{FileFate, HeldWhy};
use shadestep::model::Change;
use shadestep::scene::SceneEdit;
use shadestep::state::Closing;
use shadestep::theme::ThemeChoice;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::support::Window;

/// The environment variable with the folder of a process that a test has started. See [`played`].
const PLACE: &str = "SHADESTEP_TEST_PLACE";

/// A program that renders for minutes at [`LARGE`], and quickly at [`SMALL`].
const HEAVY: &str = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nPARAM many = { 255, 255, 255, 255 };\nTEMP sum;\nMOV sum, fragment.texcoord[0];\nREP many.x;\n  REP many.x;\n    MAD sum, sum, sum, fragment.texcoord[0];\n  ENDREP;\nENDREP;\nMOV result.color, sum;\nEND\n";
const LARGE: [u32; 2] = [2048, 2048];
const SMALL: [u32; 2] = [8, 8];

/// A temporary folder. Dropping the value deletes the folder.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("shadestep-recovery-{name}-{}", std::process::id()));
        let _none = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn drafts(&self) -> PathBuf {
        self.0.join("drafts")
    }

    /// Returns the draft files with this extension.
    fn files(&self, extension: &str) -> Vec<PathBuf> {
        files(&self.drafts(), extension)
    }

    /// Starts the app in a child process. The child runs `test` again, and [`played`] selects the child's
    /// part.
    fn child(&self, test: &str) -> Killed {
        let child = std::process::Command::new(std::env::current_exe().expect("this test's file"))
            .args(["--exact", &format!("ui::recovery::{test}"), "--nocapture"])
            .env(PLACE, &self.0)
            // This process holds the pipe open. See `end_with_parent`.
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        Killed(child.expect("a process"))
    }

    /// Opens the app in this process.
    fn open(&self) -> Window {
        let mut window = Window::open_with_drafts(SIZE, ThemeChoice::Dark, Some(self.drafts()));
        window.until("earlier sessions are looked into", |state| {
            state.recovery.search == shadestep::drafts::Search::Done
        });
        window
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A child process that the test kills. Dropping the value also kills the process.
struct Killed(Child);

impl Killed {
    fn kill(mut self) {
        self.0.kill().expect("it runs");
        let status = self.0.wait().expect("it ran");
        assert!(!status.success(), "it was not killed: it had ended by itself");
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        let _gone = self.0.kill();
        let _gone = self.0.wait();
    }
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .flat_map(
            |entry| if entry.path().is_dir() { files(&entry.path(), extension) } else { vec![entry.path()] },
        )
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect()
}

/// Waits until `done` returns true. Panics if `child` ends first.
#[track_caller]
fn until(child: &mut Killed, what: &str, mut done: impl FnMut() -> bool) {
    while !done() {
        let ended = child.0.try_wait().expect("it can be asked");
        assert!(ended.is_none() || done(), "the process has ended, and waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn holds(path: &Path, words: &str) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.contains(words))
}

/// Replaces the text as typing would, and does not wait for the effects.
fn type_text(window: &mut Window, text: &str) {
    let document = window.state().document_mut().expect("a program is open");
    let id = document.text_id();
    let change = Change::between(document.active().text(), text);
    window.act(Action::EditText(id, change));
    window.harness.step();
}

/// Returns the texts of all open programs with unsaved changes.
fn changed(window: &mut Window) -> Vec<String> {
    let documents = window.state().documents.iter().filter(|document| document.is_modified());
    documents.map(|document| document.active().text().to_owned()).collect()
}

/// In a child process of a test, opens the app, runs `part`, and returns true. Otherwise returns false.
fn played(part: impl FnOnce(Window, &Path)) -> bool {
    let Some(place) = std::env::var_os(PLACE).map(PathBuf::from) else { return false };
    end_with_parent();
    let mut window = Window::open_with_drafts(SIZE, ThemeChoice::Dark, Some(place.join("drafts")));
    window.settle();
    part(window, &place);
    true
}

/// Ends this child process when the test's process ends, however that process ends.
fn end_with_parent() {
    std::thread::spawn(|| {
        let _closed = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(1);
    });
}

/// Shows frames until the process is killed.
fn live(window: &mut Window) -> ! {
    loop {
        window.harness.step();
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn types(mut window: Window, place: &Path) {
    let file = place.join("mine.fp");
    window.act(Action::Open(file.clone()));
    window.until("it is open", |state| state.document().is_some_and(|d| d.has_file(&file)));
    window.set_text(&format!("{STEPS}# in the file\n"));
    window.run(Command::New);
    // Types until the test's process writes the file "enough".
    for key in (0..).take_while(|_| !place.join("enough").exists()) {
        // A key every 20 ms leaves no pause that the writing of drafts could wait for.
        type_text(&mut window, &format!("{STEPS}# key {key}\n"));
        std::thread::sleep(Duration::from_millis(20));
    }
    window.settle();
    std::fs::write(place.join("stopped"), "").expect("a file");
    live(&mut window);
}

fn runs(mut window: Window, _place: &Path) {
    window.run(Command::New);
    window.settle();
    window.act(Action::EditScene(SceneEdit::Size(LARGE)));
    type_text(&mut window, HEAVY);
    live(&mut window);
}

fn panics(mut window: Window, _place: &Path) {
    shadestep::launch::rescue_on_panic(window.state().services.drafts.rescuer());
    window.run(Command::New);
    type_text(&mut window, STEPS);
    // Skips the destructors, so only the panic hook can have written the draft.
    std::mem::forget(window);
    panic!("a fault of ours");
}

#[test]
fn what_was_typed_when_the_process_was_killed_is_offered_and_comes_back() {
    if played(types) {
        return;
    }
    let place = TestFolder::new("typed");
    let file = place.0.join("mine.fp");
    std::fs::write(&file, STEPS).expect("a file");
    let mut child = place.child("what_was_typed_when_the_process_was_killed_is_offered_and_comes_back");
    until(&mut child, "it is typing", || {
        let drafts = place.files("draft");
        drafts.iter().any(|draft| holds(draft, "# in the file")) && drafts.iter().any(|d| holds(d, "# key "))
    });
    // Waits for the picture. A process that is killed during a picture is the case of another test below.
    std::fs::write(place.0.join("enough"), "").expect("a file");
    until(&mut child, "its pictures have come", || place.0.join("stopped").exists());
    assert!(place.files("run").is_empty());
    // A second instance at the same time gets no offers.
    let mut other = place.open();
    assert!(other.state().recovery.offers.is_empty());
    drop(other);
    child.kill();

    let mut window = place.open();
    window.settle();
    assert_eq!(window.state().recovery.offers.len(), 2);
    assert!(changed(&mut window).is_empty(), "nothing is opened unasked");
    assert!(window.harness.query_by_label("Unsaved changes").is_some());
    assert!(window.harness.query_by_label(&file.display().to_string()).is_some(), "the file's path is told");
    window.harness.get_by_label("Show difference mine.fp").click();
    window.harness.run_steps(3);
    window.harness.get_by_label("Restore mine.fp").click();
    window.until("it is open", |state| state.document().is_some_and(|d| d.has_file(&file)));
    window.settle();
    assert_eq!(changed(&mut window), [format!("{STEPS}# in the file\n")]);
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), STEPS, "the file stays as it was");
    window.act(Action::RestoreAllDrafts);
    window.until("the other one is open", |state| {
        state.recovery.offers.is_empty() && state.documents.len() == 2
    });
    window.settle();
    let last = changed(&mut window).pop().expect("it has changes");
    let key = last.strip_prefix(STEPS).and_then(|rest| rest.strip_prefix("# key ")).expect("what was typed");
    assert!(key.trim_end().parse::<u32>().is_ok(), "{key}");
    assert!(window.harness.query_by_label("Unsaved changes").is_none());
    // Saving a document deletes its draft.
    let saved = window.state().documents.iter().position(|d| d.has_file(&file)).expect("a tab");
    window.act(Action::ActivateTab(saved));
    window.run(Command::Save);
    window.until("it is saved", |state| !state.document().expect("a program").is_modified());
    window.until("its draft is gone", |_| place.files("draft").len() == 1);
    assert!(holds(&file, "# in the file"));
}

#[test]
fn a_panic_of_the_window_writes_what_was_typed_a_moment_before() {
    if played(panics) {
        return;
    }
    let place = TestFolder::new("panic");
    let mut child = place.child("a_panic_of_the_window_writes_what_was_typed_a_moment_before");
    let mut said = String::new();
    let stderr = child.0.stderr.as_mut().expect("it is piped");
    std::io::Read::read_to_string(stderr, &mut said).expect("text");
    assert!(said.contains("unsaved changes of 1 scene are in"), "{said}");
    drop(child);
    let mut window = place.open();
    let recovery = &window.state().recovery;
    let kept = recovery.offers.iter().map(|offer| offer.draft.programs[0].text.clone()).next();
    // If the process died during the first picture, the document opens without an offer.
    let kept = kept.or_else(|| {
        window
            .until("it is open", |state| state.documents.iter().any(shadestep::model::Document::is_modified));
        changed(&mut window).pop()
    });
    assert_eq!(kept.as_deref(), Some(STEPS));
}

#[test]
fn a_program_that_was_running_when_the_process_was_killed_is_shown_but_not_run() {
    if played(runs) {
        return;
    }
    let place = TestFolder::new("ran");
    let mut child =
        place.child("a_program_that_was_running_when_the_process_was_killed_is_shown_but_not_run");
    until(&mut child, "it renders", || place.files("run").iter().any(|note| holds(note, "REP many.x")));
    child.kill();

    let mut window = place.open();
    window.until("it is open", |state| state.document().is_some_and(|d| d.active().text() == HEAVY));
    // Enough frames for a run of the program. The app must not even request a picture.
    window.harness.run_steps(30);
    let document = window.state().document().expect("a program");
    assert!(document.is_modified() && document.shown.is_none() && !document.is_loaded());
    assert!(!window.state().services.renderer.is_busy());
    assert!(window.harness.query_all_by_label("Not run").next().is_some());
    let words =
        "This program was running when Shadestep last closed unexpectedly. Run it again when you are ready.";
    assert!(window.harness.query_all_by_label(words).next().is_some());
    assert!(window.state().recovery.offers.is_empty(), "it is open already");

    // Without a decision by the user, the next process also does not run the program.
    window.until("it has a draft of its own", |_| {
        let drafts = place.files("draft");
        drafts.len() == 1 && place.files("run").is_empty()
    });
    drop(window);
    let mut window = place.open();
    let file = window.state().recovery.offers[0].file.clone();
    window.act(Action::RestoreDraft(file));
    window.until("it is open", |state| state.document().is_some_and(|d| d.active().text() == HEAVY));
    window.harness.run_steps(5);
    let document = window.state().document().expect("a program");
    assert!(document.shown.is_none());
    document_is_held(&mut window, Some(HeldWhy::ClosedUnexpectedly));

    // An edit allows the program to run.
    type_text(&mut window, STEPS);
    window.settle();
    document_is_held(&mut window, None);
    assert!(window.state().document().expect("a program").shown.is_some());
    type_text(&mut window, HEAVY);
    window.harness.run_steps(5);
    document_is_held(&mut window, Some(HeldWhy::ClosedUnexpectedly));

    window.act(Action::EditScene(SceneEdit::Size(SMALL)));
    window.harness.query_all_by_label("Run again").next().expect("a button").click();
    window.settle();
    document_is_held(&mut window, None);
    let document = window.state().document().expect("a program");
    assert_eq!(document.shown.as_ref().expect("a picture").frame.size(), SMALL);
    drop(window);
    let mut window = place.open();
    assert!(window.state().recovery.held.is_empty(), "it was run: that is known from now on");
}

fn document_is_held(window: &mut Window, why: Option<HeldWhy>) {
    let state = window.state();
    assert_eq!(state.held_why(state.document().expect("a program")), why);
}

/// Runs a session that ends as if the process died, and leaves its drafts.
fn died_with(place: &TestFolder, text: &str) {
    let mut window = place.open();
    window.run(Command::New);
    window.settle();
    window.set_text(text);
    let before = place.files("draft").len();
    assert_eq!(before, 0);
    drop(window);
    assert_eq!(place.files("draft").len(), 1, "typed a moment ago, and on disk");
}

#[test]
fn drafts_are_offered_until_they_are_decided_about() {
    let place = TestFolder::new("offered");
    died_with(&place, &STEPS.replace("0.25", "0.125"));
    for _ in 0..2 {
        let mut window = place.open();
        window.settle();
        assert_eq!(window.state().recovery.offers.len(), 1);
        window.harness.get_by_label_contains("Decide later").click();
        window.harness.run_steps(2);
        assert!(window.harness.query_by_label("Unsaved changes").is_none());
        assert_eq!(window.state().recovery.offers.len(), 1);
        window.run(Command::RecoverDrafts);
        window.harness.run_steps(2);
        assert!(window.harness.query_by_label("Unsaved changes").is_some());
    }
    let mut window = place.open();
    window.settle();
    window.harness.get_by_label("Discard untitled.fp").click();
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Unsaved changes").is_none());
    assert!(!Command::RecoverDrafts.enabled(window.state()));
    window.until("it is gone", |_| place.files("draft").is_empty());
    drop(window);
    assert!(place.open().state().recovery.offers.is_empty());
}

#[test]
fn closing_a_tab_without_saving_lets_go_of_its_draft() {
    let place = TestFolder::new("closed");
    let mut window = place.open();
    window.run(Command::New);
    window.settle();
    window.set_text(STEPS);
    window.until("it has a draft", |_| place.files("draft").len() == 1);
    window.run(Command::CloseTab);
    assert!(matches!(window.state().dialog, Some(shadestep::state::Dialog::Unsaved(Closing::Tab(_)))));
    window.act(Action::Unsaved(UnsavedAnswer::Discard));
    window.until("the draft is gone", |_| place.files("draft").is_empty());
}

#[test]
fn a_file_that_was_changed_since_is_told_and_both_texts_are_there() {
    let place = TestFolder::new("changed");
    let file = place.0.join("mine.fp");
    std::fs::write(&file, STEPS).expect("a file");
    let mine = STEPS.replace("0.25", "0.125");
    let mut window = place.open();
    window.act(Action::Open(file.clone()));
    window.until("it is open", |state| state.document().is_some_and(|d| d.has_file(&file)));
    window.settle();
    window.set_text(&mine);
    drop(window);
    let theirs = STEPS.replace("0.25", "0.5");
    std::fs::write(&file, &theirs).expect("another program writes");
    let mut window = place.open();
    window.settle();
    assert_eq!(window.state().recovery.offers[0].programs[0].fate, FileFate::Changed);
    assert!(window.harness.query_by_label("The file has changed since then.").is_some());
    window.act(Action::RestoreAllDrafts);
    window.until("it is open", |state| state.document().is_some_and(|d| d.has_file(&file)));
    window.settle();
    assert_eq!(window.state().document().expect("a program").active().text(), mine);
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), theirs);
    window.harness.get_by_label("Reload from disk").click();
    window.harness.step();
    window.settle();
    assert_eq!(window.state().document().expect("a program").active().text(), theirs);
}

#[test]
fn a_sample_that_was_running_opens_but_is_not_run() {
    let place = TestFolder::new("sample");
    let mut window = place.open();
    window.settle();
    // Makes a change, so that there is a draft to rename.
    let text = window.state().document().expect("a program").active().text().to_owned();
    window.set_text(&format!("{text}#"));
    window.until("there is a draft", |_| place.files("draft").len() == 1);
    let draft = place.files("draft").remove(0);
    drop(window);
    // Renames the draft as the render thread does, so that the app finds the state after a crash.
    std::fs::rename(&draft, draft.with_file_name("render.run")).expect("a note");
    let mut window = place.open();
    window.until("it is open", |state| state.documents.iter().any(|d| d.active().text().ends_with('#')));
    window.harness.run_steps(5);
    document_is_held(&mut window, Some(HeldWhy::ClosedUnexpectedly));
    assert_eq!(window.state().documents.len(), 1, "the untouched sample has given way");
    assert!(Command::RunHeld.enabled(window.state()));
    window.run(Command::RunHeld);
    window.settle();
    assert!(window.state().document().expect("a program").shown.is_some());
    assert!(!Command::RunHeld.enabled(window.state()));
}

#[test]
fn what_was_running_opens_behind_what_is_named_at_the_start() {
    let place = TestFolder::new("behind");
    died_with(&place, STEPS);
    let draft = place.files("draft").remove(0);
    std::fs::rename(&draft, draft.with_file_name("slow.run")).expect("a note");
    let sample = shadestep::scene::bundled()[1].name;
    let mut window = Window::open_on(Some(sample), SIZE, ThemeChoice::Dark, Some(place.drafts()));
    window.until("both are open", |state| state.documents.len() == 2);
    window.settle();
    assert_eq!(window.state().document().expect("a program").scene.name, sample);
    let other =
        window.state().documents.iter().position(|d| d.active().text() == STEPS).expect("it is there");
    window.act(Action::ActivateTab(other));
    window.harness.run_steps(3);
    document_is_held(&mut window, Some(HeldWhy::ClosedUnexpectedly));
}

#[test]
fn a_damaged_draft_is_told_and_kept() {
    let place = TestFolder::new("damaged");
    died_with(&place, STEPS);
    let draft = place.files("draft").remove(0);
    let bytes = std::fs::read(&draft).expect("a draft");
    std::fs::write(&draft, &bytes[..bytes.len() - 3]).expect("damage");
    let mut window = place.open();
    window.settle();
    assert!(window.state().recovery.offers.is_empty());
    let words: Vec<String> = window.state().notices.iter().map(|notice| notice.text.clone()).collect();
    assert!(words.len() == 1 && words[0].contains("damaged"), "{words:?}");
    assert_eq!(place.files("draft").len(), 1, "not deleted");
    drop(window);
    assert!(place.open().state().notices.is_empty(), "told once");
}

#[test]
fn a_picture_that_takes_long_can_be_stopped_while_the_window_lives() {
    let mut window = super::with_program(STEPS);
    window.act(Action::EditScene(SceneEdit::Size(LARGE)));
    type_text(&mut window, HEAVY);
    window.until("it is said", |state| state.renders_long());
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Still rendering…").is_some());
    // The window still responds.
    window.run(Command::ShowLearn);
    window.harness.get_by_label("Stop").click();
    window.until("it has stopped", |state| !state.services.renderer.is_busy());
    window.harness.run_steps(3);
    document_is_held(&mut window, Some(HeldWhy::Stopped));
    assert!(window.state().document().expect("a program").shown.is_some(), "the last picture stays");
    assert!(window.harness.query_by_label("Still rendering…").is_none());
    window.act(Action::EditScene(SceneEdit::Size(SMALL)));
    window.harness.query_all_by_label("Run again").next().expect("a button").click();
    window.settle();
    let document = window.state().document().expect("a program");
    assert_eq!(document.shown.as_ref().expect("a picture").frame.size(), SMALL);
}
