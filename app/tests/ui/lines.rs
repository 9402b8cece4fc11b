//! Keys of the editor: lines, carets, pages, Enter, Home and Escape. Also menus with Alt, Go to Line, and
//! quick fixes.

use super::typing::{has_focus, press, selected, text, type_letters};
use super::{Window, problems, with_program};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep_engine::source::Span;

const PROGRAM: &str = "!!NVfp4.0\nTEMP a;\nMOV a, fragment.texcoord[0];\nIF EQ.x;\n  ADD a, a, 1;\nENDIF;\nMOV result.color, a;\nEND\n";

const SHIFT_ALT: Modifiers = Modifiers::SHIFT.plus(Modifiers::ALT);
const COMMAND_ALT: Modifiers = Modifiers::COMMAND.plus(Modifiers::ALT);
const SHIFT_COMMAND: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// Opens [`PROGRAM`] with the caret at the start of `words`.
fn at(words: &str) -> Window {
    let mut window = with_program(PROGRAM);
    go(&mut window, words);
    window
}

fn go(window: &mut Window, words: &str) {
    let start = text(window).find(words).expect("the words are there");
    window.act(Action::Jump(Span::at(start)));
    window.harness.run_steps(2);
}

fn lines(window: &mut Window) -> Vec<String> {
    text(window).lines().map(str::to_owned).collect()
}

/// Returns the line and column of the caret, from 1.
fn caret(window: &mut Window) -> (usize, usize) {
    let document = window.state().document().expect("a program");
    let place = document.lines().line_column(document.active().caret);
    (place.line, place.column)
}

#[test]
fn lines_move_and_are_copied_and_deleted() {
    let mut window = at("MOV a");
    press(&mut window, Modifiers::ALT, Key::ArrowUp);
    assert_eq!(lines(&mut window)[1..3], ["MOV a, fragment.texcoord[0];", "TEMP a;"]);
    assert_eq!(caret(&mut window), (2, 1));
    press(&mut window, Modifiers::ALT, Key::ArrowDown);
    assert_eq!((text(&mut window), caret(&mut window)), (PROGRAM.to_owned(), (3, 1)));
    press(&mut window, SHIFT_ALT, Key::ArrowDown);
    assert_eq!(lines(&mut window)[2..4], ["MOV a, fragment.texcoord[0];"; 2]);
    assert_eq!(caret(&mut window), (4, 1));
    press(&mut window, SHIFT_COMMAND, Key::K);
    assert_eq!((text(&mut window), caret(&mut window)), (PROGRAM.to_owned(), (4, 1)));
    // Each command is one undo step.
    window.run(Command::Undo);
    window.harness.run_steps(2);
    assert_eq!(lines(&mut window).len(), 9);
    assert!(has_focus(&mut window));
}

#[test]
fn lines_are_selected_and_indented() {
    let mut window = at("ADD");
    press(&mut window, Modifiers::COMMAND, Key::L);
    assert_eq!(selected(&mut window), "  ADD a, a, 1;\n");
    press(&mut window, Modifiers::COMMAND, Key::L);
    assert_eq!(selected(&mut window), "  ADD a, a, 1;\nENDIF;\n");
    press(&mut window, Modifiers::COMMAND, Key::CloseBracket);
    assert_eq!(lines(&mut window)[4..7], ["      ADD a, a, 1;", "    ENDIF;", "MOV result.color, a;"]);
    press(&mut window, Modifiers::COMMAND, Key::OpenBracket);
    assert_eq!(text(&mut window), PROGRAM);
}

#[test]
fn enter_indents_and_home_goes_to_the_first_letter() {
    let mut window = at("ADD");
    press(&mut window, Modifiers::NONE, Key::Home);
    assert_eq!(caret(&mut window), (5, 1));
    press(&mut window, Modifiers::NONE, Key::Home);
    assert_eq!(caret(&mut window), (5, 3));
    press(&mut window, Modifiers::NONE, Key::End);
    press(&mut window, Modifiers::NONE, Key::Enter);
    type_letters(&mut window, "#x");
    assert_eq!(lines(&mut window)[4..6], ["  ADD a, a, 1;", "  #x"]);
    go(&mut window, "IF EQ");
    press(&mut window, Modifiers::NONE, Key::End);
    press(&mut window, Modifiers::NONE, Key::Enter);
    type_letters(&mut window, "#y");
    assert_eq!(lines(&mut window)[3..5], ["IF EQ.x;", "    #y"]);
    // Letters and Enter in the same frame keep their order.
    window.harness.event(egui::Event::Text("z".to_owned()));
    window.harness.key_press(Key::Enter);
    window.harness.event(egui::Event::Text("#".to_owned()));
    window.harness.run_steps(3);
    assert_eq!(lines(&mut window)[4..6], ["    #yz", "    #"]);
}

#[test]
fn pages_go_up_and_down_and_show_the_caret() {
    let long = format!("!!FP1.0\n{}MOV o[COLR], f[TEX0];\nEND\n", "MOV R0, f[TEX0];\n".repeat(300));
    let mut window = with_program(&long);
    window.act(Action::Jump(Span::at(10)));
    window.harness.run_steps(2);
    press(&mut window, Modifiers::NONE, Key::PageDown);
    let (line, column) = caret(&mut window);
    assert!((8..120).contains(&line), "{line}");
    assert_eq!(column, 3);
    press(&mut window, Modifiers::SHIFT, Key::PageDown);
    let further = caret(&mut window).0;
    assert_eq!(further - line, line - 2, "a page is a page");
    assert_eq!(selected(&mut window).lines().count(), line - 1);
    press(&mut window, Modifiers::NONE, Key::PageUp);
    press(&mut window, Modifiers::NONE, Key::PageUp);
    press(&mut window, Modifiers::NONE, Key::PageUp);
    assert_eq!(caret(&mut window), (1, 1));
}

#[test]
fn carets_are_added_above_and_below() {
    let mut window = at("MOV a");
    press(&mut window, COMMAND_ALT, Key::ArrowDown);
    press(&mut window, COMMAND_ALT, Key::ArrowUp);
    type_letters(&mut window, "#");
    assert_eq!(lines(&mut window)[1..4], ["#TEMP a;", "#MOV a, fragment.texcoord[0];", "#IF EQ.x;"]);
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(has_focus(&mut window));
    type_letters(&mut window, "x");
    assert_eq!(
        lines(&mut window).iter().filter(|line| line.contains('x') && line.starts_with('#')).count(),
        2
    );
    // At the first and last line there is no line for another caret.
    window.act(Action::Jump(Span::at(0)));
    window.harness.run_steps(2);
    press(&mut window, COMMAND_ALT, Key::ArrowUp);
    assert!(window.app().panels.editor.carets.all().is_empty());
}

#[test]
fn escape_leaves_the_keyboard_with_the_text() {
    let mut window = at("MOV a");
    for _ in 0..3 {
        press(&mut window, Modifiers::NONE, Key::Escape);
        assert!(has_focus(&mut window));
    }
    window.run(Command::Find);
    window.harness.run_steps(3);
    press(&mut window, Modifiers::NONE, Key::Escape);
    window.harness.run_steps(2);
    assert!(has_focus(&mut window));
    type_letters(&mut window, "#");
    assert_eq!(lines(&mut window)[2], "#MOV a, fragment.texcoord[0];");
}

#[test]
fn alt_and_a_letter_open_a_menu_and_type_nothing() {
    let mut window = at("MOV a");
    assert!(window.harness.query_by_label_contains("Save all").is_none());
    // The platform sends both the key and the typed letter.
    window.harness.key_down_modifiers(Modifiers::ALT, Key::F);
    window.harness.event_modifiers(egui::Event::Text("f".to_owned()), Modifiers::ALT);
    window.harness.run_steps(3);
    window.harness.get_by_label_contains("Save all");
    assert_eq!(text(&mut window), PROGRAM);
}

#[test]
fn the_palette_goes_to_a_line() {
    let mut window = with_program(PROGRAM);
    press(&mut window, Modifiers::COMMAND, Key::G);
    for letter in "5".chars() {
        window.harness.event(egui::Event::Text(letter.to_string()));
        window.harness.run_steps(2);
    }
    press(&mut window, Modifiers::NONE, Key::Enter);
    window.harness.run_steps(3);
    assert_eq!(caret(&mut window), (5, 1));
    assert!(window.state().palette.is_none() && has_focus(&mut window));
    window.act(Action::GoToLine(usize::MAX));
    window.harness.run_steps(2);
    assert_eq!(caret(&mut window), (9, 1), "the last line");
}

#[test]
fn a_quick_fix_mends_the_problem_at_the_caret() {
    let mut window = with_program(
        "!!ARBfp1.0\nTEMP r;\nMOV r, fragment.color;\nMOV result.color, r;\nMOV result.depth.x, r.x;\nEND\n",
    );
    assert!(!problems(&window).is_empty());
    go(&mut window, "MOV result.color");
    assert!(!Command::QuickFix.enabled(window.state()));
    go(&mut window, "MOV result.depth");
    press(&mut window, Modifiers::COMMAND, Key::Period);
    window.settle();
    assert!(lines(&mut window)[4].starts_with("MOV result.depth.z"), "{}", text(&mut window));
}

#[test]
fn a_line_goes_to_the_clipboard_where_nothing_is_selected() {
    let mut window = at("ADD");
    window.harness.event(egui::Event::Copy);
    window.harness.step();
    let copied = |window: &Window| {
        let commands = &window.harness.output().platform_output.commands;
        commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    };
    assert_eq!(copied(&window).as_deref(), Some("  ADD a, a, 1;\n"));
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Cut);
    window.harness.step();
    assert_eq!(copied(&window).as_deref(), Some("  ADD a, a, 1;\n"));
    window.harness.run_steps(2);
    assert_eq!(lines(&mut window)[3..5], ["IF EQ.x;", "ENDIF;"]);
    // Uses the menu, with a selection.
    go(&mut window, "ENDIF");
    press(&mut window, Modifiers::SHIFT, Key::End);
    assert!(selected(&mut window).starts_with("ENDIF"));
    window.run(Command::Cut);
    window.harness.run_steps(2);
    assert!(!text(&mut window).contains("ENDIF"));
}

#[test]
fn a_search_starts_with_the_selection_and_replaces_the_query() {
    let mut window = with_program(PROGRAM);
    window.act(Action::SetQuery("MOV".to_owned()));
    let start = PROGRAM.find("ENDIF").unwrap();
    window.state().document_mut().unwrap().active_mut().reveal =
        Some(shadestep::model::Reveal::of(Span::new(start, start + 5), shadestep::model::Focus::Take));
    window.harness.run_steps(3);
    window.run(Command::Find);
    window.harness.run_steps(3);
    assert_eq!(window.state().find.query, "ENDIF");
    type_letters(&mut window, "ADD");
    assert_eq!(window.state().find.query, "ADD", "typing replaces what was searched for");
    window.harness.get_by_label("Regex").click();
    window.harness.run_steps(2);
    window.act(Action::SetQuery("(ADD|MOV) a".to_owned()));
    window.act(Action::SetReplacement("$1 b".to_owned()));
    window.act(Action::ReplaceAll);
    window.harness.run_steps(3);
    let now = lines(&mut window);
    assert_eq!((now[2].as_str(), now[4].as_str()), ("MOV b, fragment.texcoord[0];", "  ADD b, a, 1;"));
}
