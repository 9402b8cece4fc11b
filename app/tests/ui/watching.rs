//! Breakpoints with conditions and hit counts, watches, and running until a condition becomes true.

use super::with_program;
use crate::support::Window;
use egui::{Key, Modifiers, PointerButton};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shadestep::command::{Action, Command};
use shadestep::model::{Breakpoint, Part, TextId, Times};
use shadestep::settings::Pane;
use shadestep::stepping::{Direction, History, RunTarget};
use shadestep_engine::debug::{Register, Subject};
use shadestep_engine::ir::TempId;

/// A program that counts `n.x` from 0 to 5. Step 0 sets `n.x` and step 1 begins the loop. Iteration n, from 0
/// to 4, is steps 2n + 2 and 2n + 3, so `n.x` is n before step 2n + 2. Step 12 is the last.
const COUNTS: &str = "!!ARBfp1.0
OPTION NV_fragment_program2;
TEMP n;
MOV n, 0;
LOOP {5, 0, 1};
  ADD n.x, n.x, 1;
ENDLOOP;
MOV result.color, n;
END
";

/// The line of ADD, from 0.
const ADD: usize = 5;

fn counting() -> Window {
    let mut window = with_program(COUNTS);
    window.act(Action::Pick(Subject::Pixel([100, 100])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    assert_eq!(length(&mut window), 13);
    window
}

fn length(window: &mut Window) -> usize {
    window.state().stepping.session.as_ref().expect("recorded").len()
}

fn position(window: &mut Window) -> usize {
    window.state().stepping.session.as_ref().expect("recorded").position()
}

fn text_id(window: &mut Window) -> TextId {
    window.state().document().expect("a program").text_id()
}

fn set(window: &mut Window, condition: &str, times: Times) {
    let id = text_id(window);
    let breakpoint = Breakpoint { condition: condition.to_owned(), times, enabled: true };
    window.act(Action::SetBreakpoint(id, ADD, breakpoint));
}

/// Returns the positions at which F5 stops from the start, then the positions at which Shift+F5 stops from
/// the end.
fn stops(window: &mut Window) -> Vec<usize> {
    window.run(Command::ToStart);
    let mut stops = Vec::new();
    for (modifiers, end) in [(Modifiers::NONE, 13), (Modifiers::SHIFT, 0)] {
        while position(window) != end {
            window.harness.key_press_modifiers(modifiers, Key::F5);
            window.harness.step();
            stops.push(position(window));
        }
    }
    stops
}

fn hits(window: &mut Window) -> (usize, usize) {
    window.until("the run was gone through", |state| state.stepping.watched.hits(ADD).is_some());
    let hits = window.state().stepping.watched.hits(ADD).expect("known");
    (hits.held, hits.stopped)
}

#[test]
fn conditions_and_counts_are_honoured_both_ways() {
    let mut window = counting();
    set(&mut window, "", Times::Every);
    assert_eq!(stops(&mut window), [2, 4, 6, 8, 10, 13, 10, 8, 6, 4, 2, 0]);
    set(&mut window, "n.x >= 1 and n.x < 4", Times::Every);
    assert_eq!(stops(&mut window), [4, 6, 8, 13, 8, 6, 4, 0]);
    assert_eq!(hits(&mut window), (3, 3));
    // Hit counts begin at the start of the run, also when the debugger steps backwards.
    set(&mut window, "n.x >= 1", Times::EveryNth(2));
    assert_eq!(stops(&mut window), [6, 10, 13, 10, 6, 0]);
    assert_eq!(hits(&mut window), (4, 2));
    set(&mut window, "", Times::Nth(4));
    assert_eq!(stops(&mut window), [8, 13, 8, 0]);
    // Hit counts are the same from the middle of the run.
    window.act(Action::Seek(5));
    window.run(Command::NextBreakpoint);
    assert_eq!(position(&mut window), 8);
    window.run(Command::NextBreakpoint);
    assert_eq!(position(&mut window), 13, "the fourth time comes once");
    set(&mut window, "nowhere.x > 1", Times::Every);
    assert_eq!(stops(&mut window), [13, 0]);
    let id = text_id(&mut window);
    window.act(Action::SetBreakpoint(id, ADD, Breakpoint { enabled: false, ..Breakpoint::default() }));
    assert_eq!(stops(&mut window), [13, 0]);
}

fn click(window: &mut Window, pos: egui::Pos2, button: PointerButton, modifiers: Modifiers) {
    window.harness.hover_at(pos);
    window.harness.step();
    for pressed in [true, false] {
        let event = egui::Event::PointerButton { pos, button, pressed, modifiers };
        window.harness.event_modifiers(event, modifiers);
        window.harness.step();
    }
    window.harness.run_steps(3);
}

/// Returns a point in the gutter at a line of the text.
fn gutter_at(window: &Window, line: usize) -> egui::Pos2 {
    let gutter = window.harness.get_by_label("Breakpoint gutter").rect();
    egui::pos2(gutter.left() + 10.0, gutter.top() + 6.0 + (line as f32 + 0.5) * 20.0)
}

fn type_text(window: &mut Window, text: &str) {
    window.harness.event(egui::Event::Text(text.to_owned()));
    window.harness.run_steps(3);
}

fn breakpoint(window: &mut Window) -> Option<Breakpoint> {
    window.state().document().expect("a program").active().breakpoints.get(&ADD).cloned()
}

#[test]
fn a_right_click_in_the_gutter_asks_for_the_condition() {
    let mut window = counting();
    let at = gutter_at(&window, ADD);
    click(&mut window, at, PointerButton::Secondary, Modifiers::NONE);
    window.harness.get_by_label("Breakpoint on line 6");
    assert_eq!(breakpoint(&mut window), Some(Breakpoint::default()));
    // The field has the focus, and shows errors during typing.
    type_text(&mut window, "n.x > q");
    window.harness.get_by_label("\"q\" is not a register of this program.");
    assert_eq!(breakpoint(&mut window).expect("set").condition, "n.x > q");
    assert!(
        window.state().stepping.watched.fault(Part::Program(shadestep::scene::Slot::Fragment), ADD).is_some()
    );
    window.harness.key_press(Key::Backspace);
    type_text(&mut window, "2");
    window.until("it is counted", |state| state.stepping.watched.hits(ADD).is_some());
    window.harness.run_steps(2);
    window.harness.get_by_label("Hit twice in this run");
    window.harness.get_by_label("Every nth hit").click();
    window.harness.run_steps(3);
    assert_eq!(breakpoint(&mut window).expect("set").times, Times::EveryNth(10));
    window.harness.get_by_label("Enabled").click();
    window.harness.run_steps(3);
    assert!(!breakpoint(&mut window).expect("set").enabled);
    window.harness.get_by_label("Done").click();
    window.harness.run_steps(3);
    assert!(window.harness.query_by_label("Done").is_none());
    // Alt+click opens the field too, and Escape closes it.
    click(&mut window, at, PointerButton::Primary, Modifiers::ALT);
    window.harness.get_by_label("Remove");
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(3);
    assert!(window.harness.query_by_label("Done").is_none());
    assert!(breakpoint(&mut window).is_some());
    window.run(Command::EditBreakpoint);
    window.harness.run_steps(3);
    assert!(window.state().stepping.breakpoint_form.is_some(), "by the keyboard, at the caret");
}

#[test]
fn names_of_registers_are_completed() {
    let mut window = counting();
    window.run(Command::AddWatch);
    window.harness.run_steps(4);
    type_text(&mut window, "2 * resu");
    window.harness.get_by_label("result.color");
    window.harness.key_press(Key::Tab);
    window.harness.run_steps(2);
    type_text(&mut window, ".x");
    window.harness.key_press(Key::Enter);
    window.harness.run_steps(3);
    assert_eq!(window.state().document().expect("a program").watches, ["2 * result.color.x"]);
}

/// Returns the text of a watch's row.
fn watch(window: &Window, text: &str) -> String {
    let start = format!("Watch {text}: ");
    let found = window.harness.query_all_by_label_contains(start.as_str()).next();
    let node = found.unwrap_or_else(|| panic!("no watch {text}"));
    let words = node.accesskit_node().label().or_else(|| node.accesskit_node().value()).unwrap_or_default();
    words.trim_start_matches(start.as_str()).to_owned()
}

#[test]
fn watches_show_values_here_before_and_over_the_run() {
    let mut window = counting();
    window.act(Action::Show(Pane::Watches));
    let watches = ["n.x", "n", "n.x > 2", "n.x / 2", "other"];
    window.act(Action::SetWatches(watches.map(str::to_owned).to_vec()));
    window.act(Action::Seek(0));
    window.until("the run was gone through", |state| state.stepping.watched.history(0).is_some());
    window.harness.run_steps(3);
    assert_eq!(watch(&window, "n.x"), "undefined");
    window.act(Action::Seek(5));
    window.harness.run_steps(3);
    assert_eq!(watch(&window, "n.x"), "2   was 1");
    let rect = |text: &str| {
        let start = format!("Watch {text}: ");
        window.harness.query_all_by_label_contains(start.as_str()).next().expect("a row").rect()
    };
    for pair in watches.windows(2) {
        assert!(rect(pair[0]).bottom() <= rect(pair[1]).top(), "{pair:?} lie over each other");
    }
    assert_eq!(watch(&window, "n"), "2  0  0  0   was 1  0  0  0");
    assert_eq!(watch(&window, "n.x > 2"), "false");
    assert_eq!(watch(&window, "n.x / 2"), "1   was 0.5");
    assert_eq!(watch(&window, "other"), "\"other\" is not a register of this program");
    let state = window.state();
    let Some(History::Numbers { components, range }) = state.stepping.watched.history(0) else {
        panic!("numbers")
    };
    assert_eq!((*range, components[0].len()), (Some([0.0, 5.0]), 14));
    assert_eq!(
        (components[0][0], components[0][1], components[0][7]),
        (None, Some([0.0; 2]), Some([3.0; 2]))
    );
    // The condition holds at 7 positions: before 6 steps and at the end.
    let Some(History::Condition { holds, .. }) = state.stepping.watched.history(2) else {
        panic!("a condition")
    };
    assert_eq!(*holds, 7);
    // Clicking the graph goes to that step. The right end of the graph is the end of the run.
    let graph = window.harness.get_by_label("History of n.x").rect();
    let end = egui::pos2(graph.right() - 56.0, graph.center().y);
    click(&mut window, end, PointerButton::Primary, Modifiers::NONE);
    assert_eq!(position(&mut window), 13);
    window.harness.get_by_label("Remove watch n").click();
    window.harness.run_steps(3);
    assert_eq!(window.state().document().expect("a program").watches.len(), 4);
}

#[test]
fn breakpoints_are_listed_with_what_they_come_to() {
    let mut window = counting();
    window.act(Action::Show(Pane::Watches));
    set(&mut window, "n.x > 1", Times::Every);
    assert_eq!(hits(&mut window), (3, 3));
    window.harness.run_steps(3);
    window.harness.get_by_label("3×");
    window.harness.get_by_label("when n.x > 1");
    window.harness.get_by_label("Line 6: ADD n.x, n.x, 1;").click();
    window.harness.run_steps(3);
    assert_eq!(window.state().document().expect("a program").active().caret_line(), ADD);
    set(&mut window, "m.x > 1", Times::Every);
    window.harness.run_steps(3);
    window.harness.get_by_label_contains("when m.x > 1: never stops. \"m\" is not a register");
    window.harness.get_by_label("Edit breakpoint on line 6").click();
    window.harness.run_steps(3);
    window.harness.get_by_label("Done").click();
    window.harness.run_steps(3);
    window.harness.get_by_label("Remove all").click();
    window.harness.run_steps(3);
    assert_eq!(breakpoint(&mut window), None);
}

#[test]
fn runs_go_to_where_a_condition_begins_to_hold() {
    let mut window = counting();
    window.run(Command::RunToCondition);
    window.harness.run_steps(3);
    type_text(&mut window, "n.x > 2");
    window.harness.key_press(Key::Enter);
    window.harness.run_steps(3);
    assert_eq!((position(&mut window), window.state().dialog.is_none()), (7, true));
    window.harness.key_press_modifiers(Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::F5);
    window.harness.step();
    let said = |window: &mut Window| window.state().notices.last().map(|notice| notice.text.clone());
    assert_eq!(position(&mut window), 7);
    let words = "“n.x > 2” does not become true before this step. It is true at this step.";
    assert_eq!(said(&mut window).as_deref(), Some(words));
    window.run(Command::ToEnd);
    window.run(Command::PreviousCondition);
    assert_eq!(position(&mut window), 7);
    window.act(Action::ConditionTyped("n.x % 2 == 0".to_owned()));
    window.run(Command::ToStart);
    let mut met = Vec::new();
    for _ in 0..3 {
        window.harness.key_press_modifiers(Modifiers::COMMAND, Key::F5);
        window.harness.step();
        met.push(position(&mut window));
    }
    // An undefined n is 0. n.x is 2 before steps 5 and 6, and 4 before steps 9 and 10.
    assert_eq!(met, [5, 9, 9]);
}

#[test]
fn what_is_not_written_is_named() {
    let mut window = counting();
    window.act(Action::RunTo(Direction::Forward, RunTarget::Write(Register::Temp(TempId(0)), 0)));
    window.run(Command::ToEnd);
    window.act(Action::RunTo(Direction::Back, RunTarget::Write(Register::Temp(TempId(0)), 3)));
    assert_eq!(position(&mut window), 0, "MOV writes all of it");
    window.act(Action::RunTo(Direction::Forward, RunTarget::Write(Register::Temp(TempId(0)), 3)));
    let notice = window.state().notices.last().map(|notice| notice.text.clone());
    assert_eq!(notice.as_deref(), Some("n.w is not written after this step"));
}

#[test]
fn watches_and_conditions_come_back_with_a_draft() {
    use shadestep::model::{Document, DocumentId, Draft, restore};
    let mut window = counting();
    set(&mut window, "n.x > 1", Times::EveryNth(3));
    window.act(Action::SetWatches(vec!["n.x".to_owned()]));
    let draft = Draft::of(window.state().document().expect("a program"));
    let text = toml::to_string_pretty(&draft).expect("it can be written");
    let read: Draft = toml::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let document = Document::restored(DocumentId(99), restore(&read));
    assert_eq!(document.watches, ["n.x"]);
    assert_eq!(document.active().breakpoints.get(&ADD), breakpoint(&mut window).as_ref());
}

/// Covers a run of 65,536 steps, the limit of the language.
#[test]
fn a_long_run_is_watched_in_its_parts() {
    let mut window = with_program(
        "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP n;\nMOV n, 0;\nREP 255;\n  REP 127;\n    ADD n.x, n.x, 1;\n  ENDREP;\nENDREP;\nMOV result.color, n;\nEND\n",
    );
    window.act(Action::Pick(Subject::Pixel([100, 100])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    let length = length(&mut window);
    assert!(length > 60_000, "{length}");
    window.act(Action::SetWatches(vec!["n.x".to_owned(), "n.x < 100".to_owned()]));
    window.until("the run was gone through", |state| state.stepping.watched.history(1).is_some());
    let Some(History::Numbers { components, range }) = window.state().stepping.watched.history(0) else {
        panic!("numbers")
    };
    assert_eq!(components[0].len(), 1024);
    let [least, greatest] = range.expect("values");
    assert!(least == 0.0 && greatest > 30_000.0, "{greatest}");
}
