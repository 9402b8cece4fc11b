//! What is typed: errors, undo, find and replace.

use crate::{STEPS, Window, problems, window, with_program};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::shell::Pane;

#[test]
fn typing_an_error_marks_it_and_mending_it_clears_the_mark() {
    let mut window = with_program(STEPS);
    assert!(problems(&window).is_empty());
    let shown = window.state().document().expect("a program").shown.as_ref().expect("a picture").revision;
    // Typed with the keyboard, at the start of the third line.
    let offset = STEPS.find("MOVR").expect("there is one");
    window.act(Action::Jump(shadestep_engine::source::Span::at(offset)));
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Text("Q".to_owned()));
    window.harness.step();
    window.settle();
    let found = problems(&window);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("line 3, column 1") && found[0].contains("QMOVR"), "{found:?}");
    let document = window.state().document().expect("a program");
    let span = document.active().diagnostics()[0].span();
    assert_eq!(&document.active().text[span.start..span.end], "QMOVR");
    let kept = document.shown.as_ref().expect("the last good picture stays").revision;
    assert_eq!(kept, shown);
    assert!(window.harness.query_by_label("Go to it").is_some(), "the picture says that it is an old one");
    window.harness.key_press(Key::Backspace);
    window.harness.step();
    window.settle();
    assert!(problems(&window).is_empty());
    assert_eq!(window.state().document().expect("a program").active().text, STEPS);
    assert!(window.harness.query_by_label("Go to it").is_none());
}

#[test]
fn a_problem_jumps_to_its_place() {
    let mut window = with_program("!!FP1.0\nMOV o[COLR], f[TEX0];\nADD R0, nothing, nothing;\nEND\n");
    let label = problems(&window).into_iter().next().expect("a problem");
    window.harness.get_by_label(&label).click();
    window.harness.run_steps(3);
    let document = window.state().document().expect("a program");
    assert_eq!(document.lines().line_column(document.active().caret).line, 3);
}

#[test]
fn undo_and_redo_work_from_keys_and_menus() {
    let mut window = with_program(STEPS);
    window.act(Action::Jump(shadestep_engine::source::Span::at(STEPS.len())));
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Text("# note".to_owned()));
    // The history takes a moment of stillness as the end of a change.
    window.harness.run_steps(90);
    assert!(window.state().document().expect("a program").active().text.ends_with("# note"));
    window.run(Command::Undo);
    window.settle();
    assert!(!window.state().document().expect("a program").active().text.ends_with("# note"));
    window.run(Command::Redo);
    window.settle();
    assert!(window.state().document().expect("a program").active().text.ends_with("# note"));
}

#[test]
fn find_and_replace() {
    let mut window = with_program(STEPS);
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::H);
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Replace by").is_some());
    window.act(Action::SetQuery("tint".to_owned()));
    window.act(Action::SetReplacement("shade".to_owned()));
    window.harness.run_steps(2);
    window.harness.get_by_label("Replace all").click();
    window.harness.step();
    window.settle();
    let document = window.state().document().expect("a program");
    assert_eq!(document.active().text, STEPS.replace("tint", "shade"));
    assert_eq!(document.error_count(), 0);
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Replace by").is_none());
}

#[test]
fn odd_programs_do_not_upset_the_editor() {
    let mut window = window();
    window.harness.ctx.set_missing_glyph_policy(egui::MissingGlyphPolicy::Tofu);
    for text in [
        "",
        "\n",
        "!!FP1.0",
        "\u{1F600} é ü",
        "a\0b",
        "!!FP1.0\r\nMOV o[COLR], f[TEX0];\r\nEND",
        "\t\t\n\tEND",
    ] {
        window.set_text(text);
        window.act(Action::Show(Pane::Problems));
        window.harness.run_steps(2);
    }
    let large = format!("!!FP1.0\n{}END\n", "# a line of a large program\n".repeat(30_000));
    window.set_text(&large);
    assert!(window.harness.query_by_label("Program text").is_none(), "too large to edit, and said so");
}

#[test]
fn escape_closes_the_list_of_completions_and_typing_goes_on() {
    let mut window = with_program(STEPS);
    let offset = STEPS.find("MOVR").expect("there is one");
    window.act(Action::Jump(shadestep_engine::source::Span::at(offset)));
    window.harness.run_steps(2);
    let type_letters = |window: &mut Window, text: &str| {
        for letter in text.chars() {
            window.harness.event(egui::Event::Text(letter.to_string()));
            window.harness.run_steps(2);
        }
    };
    for key in [Key::Enter, Key::ArrowUp] {
        window.harness.key_press(key);
        window.harness.run_steps(2);
    }
    type_letters(&mut window, "DP");
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(2);
    type_letters(&mut window, "3R R1, R0, R0;");
    window.settle();
    let text = &window.state().document().expect("a program").active().text;
    assert!(text.contains("\nDP3R R1, R0, R0;\nMOVR"), "{text}");
}
