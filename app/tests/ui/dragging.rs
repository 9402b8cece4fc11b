//! The pointer on the program text: dragging a selection, and selecting columns.

use super::names::place;
use super::typing::{has_focus, selected, text};
use super::{Window, with_program};
use egui::{Event, Key, Modifiers, PointerButton, Pos2};
use shadestep::command::Command;
use shadestep::model::{Focus, Reveal};
use shadestep_engine::source::Span;

const PROGRAM: &str =
    "!!ARBfp1.0\nTEMP abc, def;\nMOV abc, 1;\nMOV def, abc;\n#\nMOV result.color, def;\nEND\n";

const SHIFT_ALT: Modifiers = Modifiers::SHIFT.plus(Modifiers::ALT);

/// Opens [`PROGRAM`] and selects `words`. Returns the window and a point in the selection.
fn with_selected(words: &str) -> (Window, Pos2) {
    let mut window = with_program(PROGRAM);
    let start = PROGRAM.find(words).expect("the words are there");
    window.state().document_mut().expect("a program").active_mut().reveal =
        Some(Reveal::of(Span::new(start, start + words.len()), Focus::Take));
    window.harness.run_steps(4);
    assert_eq!(selected(&mut window), words);
    let line = PROGRAM[..start].matches('\n').count();
    let column = start - PROGRAM[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let within = place(&mut window, line, column + 1);
    (window, within)
}

fn button(window: &mut Window, pos: Pos2, pressed: bool, modifiers: Modifiers) {
    window.harness.event(Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers });
    window.harness.run_steps(2);
}

/// Presses the button at `from` and moves to `to`. Does not release the button.
fn drag(window: &mut Window, from: Pos2, to: Pos2, modifiers: Modifiers) {
    window.harness.event(Event::ModifiersChanged(modifiers));
    window.harness.event(Event::PointerMoved(from));
    window.harness.run_steps(2);
    button(window, from, true, modifiers);
    for part in [0.5, 1.0] {
        window.harness.event(Event::PointerMoved(from + (to - from) * part));
        window.harness.run_steps(2);
    }
}

#[test]
fn what_is_selected_is_dragged_to_another_place() {
    let (mut window, from) = with_selected("abc, ");
    // Before the semicolon after `def`.
    let to = place(&mut window, 1, 13);
    drag(&mut window, from, to, Modifiers::NONE);
    assert_eq!(text(&mut window), PROGRAM, "it moves when it is let go of");
    button(&mut window, to, false, Modifiers::NONE);
    window.harness.run_steps(3);
    assert_eq!(text(&mut window).lines().nth(1), Some("TEMP defabc, ;"));
    assert_eq!(selected(&mut window), "abc, ");
    assert!(has_focus(&mut window));
    window.run(Command::Undo);
    window.harness.run_steps(2);
    assert_eq!(text(&mut window), PROGRAM, "it is one step");
}

#[test]
fn with_ctrl_it_is_copied_and_escape_leaves_it() {
    let (mut window, from) = with_selected("MOV abc, 1;\n");
    let to = place(&mut window, 4, 0);
    drag(&mut window, from, to, Modifiers::NONE);
    window.harness.event(Event::ModifiersChanged(Modifiers::COMMAND));
    window.harness.run_steps(2);
    button(&mut window, to, false, Modifiers::COMMAND);
    window.harness.event(Event::ModifiersChanged(Modifiers::NONE));
    window.harness.run_steps(3);
    let copied = text(&mut window);
    assert_eq!(
        copied.lines().skip(2).take(3).collect::<Vec<_>>(),
        ["MOV abc, 1;", "MOV def, abc;", "MOV abc, 1;"]
    );

    let (mut window, from) = with_selected("MOV abc, 1;\n");
    let to = place(&mut window, 4, 0);
    drag(&mut window, from, to, Modifiers::NONE);
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(2);
    button(&mut window, to, false, Modifiers::NONE);
    assert_eq!((text(&mut window).as_str(), selected(&mut window).as_str()), (PROGRAM, "MOV abc, 1;\n"));
}

#[test]
fn a_click_on_what_is_selected_puts_the_caret_there() {
    let (mut window, at) = with_selected("abc, ");
    window.harness.event(Event::PointerMoved(at));
    window.harness.run_steps(2);
    button(&mut window, at, true, Modifiers::NONE);
    assert_eq!(selected(&mut window), "abc, ", "it may be dragged yet");
    assert!(has_focus(&mut window));
    button(&mut window, at, false, Modifiers::NONE);
    window.harness.run_steps(2);
    assert_eq!(selected(&mut window), "");
    assert_eq!(window.state().document().unwrap().active().caret, PROGRAM.find("abc").unwrap() + 1);
    window.harness.event(Event::Text("x".to_owned()));
    window.harness.run_steps(2);
    assert_eq!(text(&mut window).lines().nth(1), Some("TEMP axbc, def;"));
}

#[test]
fn shift_and_alt_select_a_column() {
    let mut window = with_program(PROGRAM);
    let (from, to) = (place(&mut window, 2, 4), place(&mut window, 5, 7));
    drag(&mut window, from, to, SHIFT_ALT);
    button(&mut window, to, false, SHIFT_ALT);
    window.harness.event(Event::ModifiersChanged(Modifiers::NONE));
    window.harness.run_steps(3);
    assert_eq!(selected(&mut window), "res");
    let others = window.app().panels.editor.carets.all().len();
    assert_eq!(others, 2, "the line that is too short has none");
    assert!(has_focus(&mut window));
    window.harness.event(Event::Text("z".to_owned()));
    window.harness.run_steps(3);
    let now = text(&mut window);
    assert_eq!(
        now.lines().skip(2).take(4).collect::<Vec<_>>(),
        ["MOV z, 1;", "MOV z, abc;", "#", "MOV zult.color, def;"]
    );
}
