//! Editing the text while the debugger shows a run of an earlier version. Lines, breakpoints and values of
//! the run move with the edited text.

use super::{STEPS, with_program};
use crate::support::Window;
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::maps::Map;
use shadestep::model::{Change, Part};
use shadestep::scene::Slot;
use shadestep::stepping::{DebugSession, Question, TextAge};
use shadestep_engine::debug::Subject;
use shadestep_engine::debug::ancestry::Goal;
use shadestep_engine::source::Span;
use std::sync::Arc;

const LAST_LOADED: &str = "Stepping through the last version that loaded. The text has changed.";
const DELETED: &str = " This step's line was deleted.";

fn stepping() -> Window {
    let mut window = with_program(STEPS);
    window.act(Action::Pick(Subject::Pixel([17, 401])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window
}

fn session(window: &mut Window) -> &DebugSession {
    window.state().stepping.session.as_ref().expect("recorded")
}

/// Replaces `old` by `new`, and waits until the text is loaded.
pub fn put(window: &mut Window, old: &str, new: &str) {
    let document = window.state().document().expect("a program is open");
    let (id, start) = (document.text_id(), document.active().text().find(old).expect("it is there"));
    let change = Change { start, removed: old.to_owned(), inserted: new.to_owned() };
    window.act(Action::EditText(id, change));
    window.settle();
}

/// Returns the text of the current line in the editor.
fn current_line(window: &mut Window) -> Option<String> {
    let line = session(window).current_line()?;
    let document = window.state().document().expect("a program is open");
    document.active().text().lines().nth(line).map(str::to_owned)
}

#[test]
fn the_arrow_stays_with_its_instruction_and_goes_with_it() {
    let mut window = stepping();
    window.act(Action::Seek(2));
    assert_eq!(current_line(&mut window).as_deref(), Some("ADDR R1.x, R1.x, R0.y;"));
    // Inserts lines above, one with an error.
    put(&mut window, "MOVR R0", "# one\nFOO;\nMOVR R0");
    let document = window.state().document().expect("a program is open");
    assert!(document.has_faulty_program());
    assert_eq!(session(&mut window).places().map(|places| places.age), Some(TextAge::Edited));
    assert_eq!(current_line(&mut window).as_deref(), Some("ADDR R1.x, R1.x, R0.y;"));
    assert!(window.harness.query_by_label(LAST_LOADED).is_some());
    // The editor follows the steps to the present lines of their instructions.
    window.run(Command::StepForward);
    window.harness.run_steps(3);
    assert_eq!(current_line(&mut window).as_deref(), Some("MOVR o[COLR], R1;"));
    let text = window.state().document().expect("a program is open").active();
    assert_eq!(text.text().find("MOVR o[COLR]"), Some(text.caret));
    // Edits the line, then deletes it.
    window.act(Action::Seek(1));
    put(&mut window, "R0, tint", "R9, tint");
    assert_eq!(current_line(&mut window).as_deref(), Some("MULR R1, R9, tint;"));
    put(&mut window, "MULR R1, R9, tint;\n", "");
    assert_eq!(current_line(&mut window), None);
    assert!(window.harness.query_by_label(&format!("{LAST_LOADED}{DELETED}")).is_some());
    window.run(Command::Undo);
    window.settle();
    assert_eq!(current_line(&mut window).as_deref(), Some("MULR R1, R9, tint;"));
    // The message disappears when the text equals the recorded text again.
    window.set_text(STEPS);
    window.until("it is recorded", |state| state.pending.record.is_none());
    window.harness.run_steps(3);
    assert_eq!(session(&mut window).places().map(|places| places.age), Some(TextAge::Current));
    assert!(window.harness.query_by_label_contains("Stepping through the").is_none());
}

#[test]
fn breakpoints_lines_and_traces_are_of_the_text_as_it_is() {
    let mut window = stepping();
    let id = window.state().document().expect("a program is open").text_id();
    window.act(Action::ToggleBreakpoint(id, 4));
    window.act(Action::Query(Question::Origin(Goal::Result)));
    window.until("the trace is there", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.lines_traced().is_some())
    });
    let traced = session(&mut window).lines_traced().expect("it is there").clone();
    put(&mut window, "MOVR R0", "# one\n# two\nFOO;\nMOVR R0");
    window.until("the hits are known", |state| state.stepping.watched.hits(7).is_some());
    let moved: Vec<usize> = session(&mut window).lines_traced().expect("still").iter().copied().collect();
    assert_eq!(moved, traced.iter().map(|line| line + 3).collect::<Vec<_>>());
    window.run(Command::ToStart);
    window.run(Command::NextBreakpoint);
    assert_eq!((session(&mut window).position(), session(&mut window).current_line()), (2, Some(7)));
    // Runs to the line of the caret.
    let text = window.state().document_mut().expect("a program is open").active_mut();
    text.caret = text.text().find("MULR").expect("a line");
    window.run(Command::ToCursor);
    assert_eq!((session(&mut window).position(), session(&mut window).current_line()), (1, Some(6)));
    assert_eq!(session(&mut window).branches().len(), 0);
}

#[test]
fn counts_and_maps_are_of_the_lines_as_they_are() {
    let mut window = with_program(STEPS);
    let id = window.state().document().expect("a program is open").id;
    window.run(Command::ToggleLineCounts);
    window.run(Command::MapRan);
    window.act(Action::Jump(Span::at(STEPS.find("MULR").expect("a line"))));
    window.until("they are there", |state| {
        let shown = state.maps.shown(id).is_some_and(|shown| shown.query.instruction() == Some(1));
        shown && state.maps.counts(id).is_some()
    });
    let lines = |window: &mut Window| -> Vec<usize> {
        window.state().maps.counts(id).expect("still there").lines.keys().copied().collect()
    };
    assert_eq!(lines(&mut window), [2, 3, 4, 5]);
    put(&mut window, "END", "FOO;\nEND");
    put(&mut window, "MOVR R0, f[TEX0];\n", "");
    window.harness.run_steps(3);
    assert_eq!(lines(&mut window), [2, 3, 4], "the first instruction was deleted");
    let state = window.state();
    let document = state.document().expect("a program is open");
    assert!(document.has_faulty_program());
    let shown = state.maps.shown(id).expect("the map of the last picture");
    assert_eq!((shown.query.map, shown.line_in(document, 1)), (Map::Ran, Some(2)));
}

#[test]
fn a_changed_run_and_the_explanation_follow_too() {
    let mut window = stepping();
    window.state().settings.explains = true;
    window.act(Action::Query(Question::Rewrite { pc: 1, text: Arc::from("MULR R1, R0, R0") }));
    window.until("the changed run is there", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.changed().is_some())
    });
    put(&mut window, "MOVR R0", "# one\nFOO;\nMOVR R0");
    window.act(Action::Seek(2));
    window.harness.run_steps(3);
    assert_eq!(current_line(&mut window).as_deref(), Some("ADDR R1.x, R1.x, R0.y;"));
    let document = window.state().document().expect("a program is open");
    assert_eq!(document.program_text(Slot::Fragment).map(|text| text.lines().line_of(text.caret)), Some(6));
    assert_eq!(document.active_part(), Part::Program(Slot::Fragment));
    let words = "Line 6 changed to MULR R1, R0, R0: ";
    assert!(window.harness.query_by_label_contains(words).is_some());
    window.run(Command::LeaveChanged);
    window.act(Action::Seek(2));
    window.harness.run_steps(5);
    // One label is in the debugger, one in the explanation of the line.
    assert_eq!(window.harness.query_all_by_label("step 2 of 4").count(), 2);
}
