//! Closing a document frees everything that the app kept for the document. The test covers every way to close
//! one.

use crate::alone::is_alone;
use crate::support::Window;
use shadestep::command::{Action, Command};
use shadestep::maps::Map;
use shadestep::model::DocumentId;
use shadestep::scene;
use shadestep::settings::Pane;
use shadestep::state::State;
use shadestep::theme::ThemeChoice;
use shadestep_engine::debug::Subject;
use std::collections::BTreeSet;

const SIZE: [f32; 2] = [1280.0, 800.0];

/// Bytes by which memory may grow while every sample is opened a second time. Allocators keep some freed
/// memory. The picture of one sample and its version take 7 MB.
const SLACK: u64 = 64 << 20;

/// Asserts that the app keeps data for open documents only.
fn assert_only_open(window: &mut Window) {
    let state = window.state();
    let open: BTreeSet<DocumentId> = state.documents.iter().map(|document| document.id).collect();
    for (name, kept) in window.app().kept_for_documents() {
        let closed: Vec<_> = kept.into_iter().filter(|id| !open.contains(id)).collect();
        assert!(closed.is_empty(), "{name}: {closed:?} of the open {open:?}");
    }
}

fn front(state: &State) -> DocumentId {
    state.document().expect("a document is open").id
}

/// Opens a sample and waits for its picture.
fn open(window: &mut Window, name: &'static str) {
    window.act(Action::OpenSample(name));
    window.until("the sample and its picture are there", |state| {
        state.document().is_some_and(|document| {
            document.scene.name == name && (document.shown.is_some() || document.render_error.is_some())
        })
    });
}

/// Uses every panel and feature that keeps data for the active document.
fn use_everything(window: &mut Window) {
    for pane in [Pane::Inputs, Pane::Watches, Pane::Vertices, Pane::Memory, Pane::Compare] {
        window.act(Action::Show(pane));
        window.harness.run_steps(2);
    }
    window.state().settings.explains = true;
    window.run(Command::ToggleVersions);
    window.run(Command::ShowHistogram);
    window.run(Command::PinVersion);
    window.act(Action::Pick(Subject::Pixel([40, 40])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.run(Command::CompareRuns);
    window.run(Command::ToggleBreakpoint);
    window.run(Command::EditBreakpoint);
    window.run(Command::ToggleLineCounts);
    window.run(Map::Instructions.command());
    let id = front(window.state());
    window.until("the map is there", |state| state.maps.shown(id).is_some());
    window.run(Command::FindUses);
    window.run(Command::AddWatch);
    window.harness.run_steps(5);
}

/// A way to close the active document: a description, and the function that closes the document.
type Way = (&'static str, fn(&mut Window));

#[test]
fn every_way_to_close_a_document_leaves_nothing() {
    let name = scene::bundled()[0].name;
    let other = scene::bundled()[1].name;
    let ways: [Way; 5] = [
        ("another sample takes its place", |window| open(window, scene::bundled()[1].name)),
        ("its tab is closed", |window| window.run(Command::CloseTab)),
        ("a program is opened beside it, and its tab is closed", |window| {
            let id = front(window.state());
            window.run(Command::New);
            window.settle();
            window.act(Action::CloseTab(id));
        }),
        ("a lesson takes its place", |window| {
            let id = front(window.state());
            window.act(Action::StartLesson(0));
            window.until("the lesson is there", |state| state.document().is_some_and(|d| d.id != id));
        }),
        ("a template and its changes are thrown away", |window| {
            window.run(Command::New);
            window.settle();
            window.set_text("!!FP1.0\nMOVR o[COLR], 1;\nEND\n");
            use_everything(window);
            window.run(Command::CloseTab);
            window.act(Action::Unsaved(shadestep::command::UnsavedAnswer::Discard));
            window.run(Command::CloseTab);
        }),
    ];
    for (way, close) in ways {
        let mut window = Window::open(SIZE, ThemeChoice::Dark);
        open(&mut window, other);
        open(&mut window, name);
        let id = front(window.state());
        use_everything(&mut window);
        let kept = window.app().kept_for_documents();
        for store in ["debug", "watched", "comparison", "pictures", "maps", "versions", "panels", "services"]
        {
            assert!(kept[store].contains(&id), "{store} has something to drop");
        }
        close(&mut window);
        window.settle();
        assert!(window.state().documents.iter().all(|document| document.id != id), "{way}");
        assert_only_open(&mut window);
    }
}

/// Returns the resident memory of the process in bytes, or `None` if the system does not report the size.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? << 10)
}

#[test]
fn samples_opened_over_each_other_take_the_room_of_one() {
    if !is_alone("closing::samples_opened_over_each_other_take_the_room_of_one") {
        return;
    }
    let mut window = Window::open(SIZE, ThemeChoice::Dark);
    let mut memory = Vec::new();
    for _ in 0..2 {
        for sample in scene::bundled() {
            open(&mut window, sample.name);
            assert_eq!(window.state().documents.len(), 1, "{}", sample.name);
            assert_only_open(&mut window);
        }
        window.settle();
        memory.extend(resident());
    }
    let versions: usize = window.app().kept_for_documents()["versions"].len();
    assert_eq!(versions, 1);
    if let [first, second] = memory[..] {
        assert!(second <= first + SLACK, "{} MB grew to {} MB", first >> 20, second >> 20);
    }
}
