//! Typing in the editor: errors, completion, undo, find and replace, breakpoints, and zoom.

use super::typing::{has_focus, press, selection, text, type_letters};
use super::{STEPS, Window, problems, window, with_program};
use egui::{Key, Modifiers};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shadestep::command::{Action, Command};
use shadestep::model::Part;
use shadestep::settings::Pane;
use shadestep_engine::debug::Subject;
use shadestep_engine::source::Span;

/// Selects `span` of the active text and moves the keyboard focus there.
fn select(window: &mut Window, span: Span) {
    window.act(Action::Jump(span));
    window.harness.run_steps(2);
}

fn caret(window: &mut Window) -> usize {
    window.state().document().expect("a program").active().caret
}

fn offers(window: &Window, completion: &str) -> bool {
    window.harness.query_by_label(completion).is_some()
}

const SHIFT_COMMAND: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

#[test]
fn typing_an_error_marks_it_and_mending_it_clears_the_mark() {
    let mut window = with_program(STEPS);
    assert!(problems(&window).is_empty());
    let shown = window.state().document().expect("a program").shown.as_ref().expect("a picture").revision;
    // Types with the keyboard at the start of the third line.
    let offset = STEPS.find("MOVR").expect("there is one");
    window.act(Action::Jump(Span::at(offset)));
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Text("Q".to_owned()));
    window.harness.step();
    window.settle();
    let found = problems(&window);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("line 3, column 1") && found[0].contains("QMOVR"), "{found:?}");
    let document = window.state().document().expect("a program");
    let span = document.active().diagnostics()[0].span();
    assert_eq!(&document.active().text()[span.start..span.end], "QMOVR");
    let kept = document.shown.as_ref().expect("the last good picture stays").revision;
    assert_eq!(kept, shown);
    assert!(window.harness.query_by_label("Go to error").is_some(), "the picture says that it is an old one");
    window.harness.key_press(Key::Backspace);
    window.harness.step();
    window.settle();
    assert!(problems(&window).is_empty());
    assert_eq!(window.state().document().expect("a program").active().text(), STEPS);
    assert!(window.harness.query_by_label("Go to error").is_none());
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
    window.act(Action::Jump(Span::at(STEPS.len())));
    window.harness.run_steps(2);
    window.harness.event(egui::Event::Text("# note".to_owned()));
    // A pause ends the undo step.
    window.harness.run_steps(90);
    assert!(window.state().document().expect("a program").active().text().ends_with("# note"));
    window.run(Command::Undo);
    window.settle();
    assert!(!window.state().document().expect("a program").active().text().ends_with("# note"));
    window.run(Command::Redo);
    window.settle();
    assert!(window.state().document().expect("a program").active().text().ends_with("# note"));
}

#[test]
fn find_and_replace() {
    let mut window = with_program(STEPS);
    window.harness.key_press_modifiers(Modifiers::COMMAND, Key::H);
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Replace with").is_some());
    window.act(Action::SetQuery("tint".to_owned()));
    window.act(Action::SetReplacement("shade".to_owned()));
    window.harness.run_steps(2);
    window.harness.get_by_label("Replace all").click();
    window.harness.step();
    window.settle();
    let document = window.state().document().expect("a program");
    assert_eq!(document.active().text(), STEPS.replace("tint", "shade"));
    assert_eq!(document.error_count(), 0);
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(2);
    assert!(window.harness.query_by_label("Replace with").is_none());
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
    select(&mut window, Span::at(large.len()));
    type_letters(&mut window, "#");
    assert_eq!(text(&mut window), format!("{large}#"), "a text that has grown stays one to type in");
}

#[test]
fn escape_closes_the_list_of_completions_and_typing_goes_on() {
    let mut window = with_program(STEPS);
    let offset = STEPS.find("MOVR").expect("there is one");
    window.act(Action::Jump(Span::at(offset)));
    window.harness.run_steps(2);
    for key in [Key::Enter, Key::ArrowUp] {
        window.harness.key_press(key);
        window.harness.run_steps(2);
    }
    type_letters(&mut window, "DP");
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(2);
    type_letters(&mut window, "3R R1, R0, R0;");
    window.settle();
    let text = window.state().document().expect("a program").active().text();
    assert!(text.contains("\nDP3R R1, R0, R0;\nMOVR"), "{text}");
}

#[test]
fn tab_indents_a_selection_and_shift_tab_takes_it_back() {
    let mut window = with_program(STEPS);
    let lines = Span::new(STEPS.find("MOVR").expect("there"), STEPS.find("ADDR").expect("there"));
    select(&mut window, lines);
    press(&mut window, Modifiers::NONE, Key::Tab);
    let indented = STEPS.replace("MOVR R0", "    MOVR R0").replace("MULR", "    MULR");
    assert_eq!(text(&mut window), indented);
    press(&mut window, Modifiers::NONE, Key::Tab);
    press(&mut window, Modifiers::SHIFT, Key::Tab);
    assert_eq!(text(&mut window), indented, "the selection stays on the same lines");
    press(&mut window, Modifiers::SHIFT, Key::Tab);
    assert_eq!((text(&mut window), selection(&mut window)), (STEPS.to_owned(), lines));
    assert!(has_focus(&mut window));
    select(&mut window, Span::at(lines.start));
    press(&mut window, Modifiers::NONE, Key::Tab);
    assert_eq!(text(&mut window), STEPS.replace("MOVR R0", "    MOVR R0"));
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(text(&mut window), STEPS);
}

#[test]
fn comments_toggle_both_ways_on_the_same_selection() {
    let mut window = with_program(STEPS);
    let lines = Span::new(STEPS.find("MOVR").expect("there") + 2, STEPS.find("ADDR").expect("there") + 3);
    select(&mut window, lines);
    press(&mut window, Modifiers::COMMAND, Key::Slash);
    let commented = ["MOVR R0", "MULR", "ADDR"]
        .iter()
        .fold(STEPS.to_owned(), |text, word| text.replace(word, &format!("# {word}")));
    assert_eq!(text(&mut window), commented);
    press(&mut window, Modifiers::COMMAND, Key::Slash);
    assert_eq!((text(&mut window), selection(&mut window)), (STEPS.to_owned(), lines));
}

#[test]
fn completions_open_by_typing_or_when_asked_for_only() {
    let mut window = with_program(STEPS);
    let word = STEPS.find("MULR").expect("there");
    select(&mut window, Span::at(word));
    for key in [Key::ArrowRight, Key::ArrowRight, Key::ArrowLeft] {
        press(&mut window, Modifiers::NONE, key);
        assert!(!offers(&window, "MUL"), "{key:?}");
    }
    type_letters(&mut window, "U");
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(text(&mut window), STEPS);
    assert!(!offers(&window, "MUL"), "not by undo");
    select(&mut window, Span::at(word + 2));
    press(&mut window, Modifiers::COMMAND, Key::Space);
    assert!(offers(&window, "MUL"), "asked for");
    press(&mut window, Modifiers::NONE, Key::ArrowLeft);
    assert!(!offers(&window, "MUL"), "gone with the caret");
    // Completion replaces the whole word, including the part after the caret.
    press(&mut window, Modifiers::NONE, Key::ArrowRight);
    press(&mut window, Modifiers::COMMAND, Key::Space);
    window.harness.get_by_label("MUL").click();
    window.harness.run_steps(3);
    window.harness.run_steps(3);
    assert_eq!(text(&mut window), STEPS.replace("MULR", "MUL"));
    assert_eq!(selection(&mut window), Span::at(word + 3));
    assert!(has_focus(&mut window) && !offers(&window, "MUL"));
}

#[test]
fn typed_words_are_completed_by_tab() {
    let mut window = with_program(STEPS);
    let end = STEPS.find("END").expect("there");
    select(&mut window, Span::at(end));
    press(&mut window, Modifiers::NONE, Key::Enter);
    press(&mut window, Modifiers::NONE, Key::ArrowUp);
    type_letters(&mut window, "DP");
    press(&mut window, Modifiers::NONE, Key::Tab);
    let completed = text(&mut window);
    let line = completed.lines().rev().nth(1).expect("a line").to_owned();
    assert!(line.starts_with("DP3") && !line.contains(' '), "{line}");
}

#[test]
fn control_tab_changes_documents_and_types_nothing() {
    let mut window = with_program(STEPS);
    assert!(has_focus(&mut window));
    window.run(Command::New);
    window.settle();
    let texts: Vec<String> =
        window.state().documents.iter().map(|document| document.active().text().to_owned()).collect();
    let (last, count) = (window.state().active, window.state().documents.len());
    press(&mut window, Modifiers::COMMAND, Key::Tab);
    assert_eq!(window.state().active, (last + 1) % count);
    assert!(has_focus(&mut window));
    press(&mut window, SHIFT_COMMAND, Key::Tab);
    assert_eq!(window.state().active, last);
    let after: Vec<String> =
        window.state().documents.iter().map(|document| document.active().text().to_owned()).collect();
    assert_eq!(after, texts);
}

#[test]
fn undo_keys_go_in_steps_of_words() {
    let mut window = with_program(STEPS);
    select(&mut window, Span::at(STEPS.len()));
    type_letters(&mut window, "# one two");
    for (modifiers, key, end) in [
        (Modifiers::COMMAND, Key::Z, "# one "),
        (Modifiers::COMMAND, Key::Z, "# "),
        (Modifiers::COMMAND, Key::Y, "# one "),
        (SHIFT_COMMAND, Key::Z, "# one two"),
        (Modifiers::COMMAND, Key::Y, "# one two"),
    ] {
        press(&mut window, modifiers, key);
        assert_eq!(text(&mut window), format!("{STEPS}{end}"), "{key:?}");
    }
    // Further undo commands than steps leave the original text. The field's own undo history has no effect.
    for _ in 0..9 {
        press(&mut window, Modifiers::COMMAND, Key::Z);
    }
    assert!(!window.state().document().expect("a program").can_undo());
    let first = text(&mut window);
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(text(&mut window), first);
}

#[test]
fn a_search_field_has_its_own_undo() {
    let mut window = with_program(STEPS);
    press(&mut window, Modifiers::COMMAND, Key::F);
    type_letters(&mut window, "tint");
    window.harness.run_steps(120);
    type_letters(&mut window, "x");
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(text(&mut window), STEPS);
    assert_ne!(window.state().find.query, "tintx", "its own change was taken back");
}

#[test]
fn the_editor_has_the_keyboard_wherever_a_person_would_type() {
    let mut window = window();
    assert!(has_focus(&mut window), "after the start");
    window.run(Command::NewVertex);
    window.settle();
    assert!(has_focus(&mut window), "after a new document");
    window.run(Command::EditScene);
    window.harness.run_steps(2);
    assert!(has_focus(&mut window), "in another text");
    window.act(Action::ShowText(Part::Program(shadestep::scene::Slot::Vertex)));
    window.harness.run_steps(2);
    assert!(has_focus(&mut window), "and back");
    for command in [Command::Find, Command::CommandPalette, Command::About, Command::NewScene] {
        window.run(command);
        window.harness.run_steps(3);
        assert!(!has_focus(&mut window), "{command:?} has it");
        press(&mut window, Modifiers::NONE, Key::Escape);
        assert!(has_focus(&mut window), "{command:?} gives it back");
    }
}

#[test]
fn scroll_and_caret_belong_to_the_text() {
    let long: String = STEPS.replace("END\n", &("# a line\n".repeat(400) + "END\n"));
    let mut window = with_program(&long);
    let place = long.rfind("# a line").expect("there");
    select(&mut window, Span::at(place));
    window.harness.run_steps(30);
    let gutter = |window: &Window| window.harness.get_by_label("Program text").rect().top();
    let (scrolled, at) = (gutter(&window), caret(&mut window));
    assert!(scrolled < -1000.0 && at == place, "{scrolled}");
    let tab = window.state().active;
    window.run(Command::EditScene);
    window.harness.run_steps(5);
    window.run(Command::New);
    window.settle();
    assert!(gutter(&window) > 0.0);
    window.act(Action::ActivateTab(tab));
    window.settle();
    window.act(Action::ShowText(Part::Program(shadestep::scene::Slot::Fragment)));
    window.harness.run_steps(5);
    assert_eq!((gutter(&window), caret(&mut window)), (scrolled, at));
    assert_eq!(selection(&mut window), Span::at(place));
}

#[test]
fn searching_goes_to_the_first_match_as_one_types_and_on_with_enter() {
    let filler = "# a line\n".repeat(200);
    let long = STEPS.replace("MULR", &format!("{filler}MULR"));
    let mut window = with_program(&long);
    select(&mut window, Span::at(0));
    press(&mut window, Modifiers::COMMAND, Key::H);
    type_letters(&mut window, "tint");
    let ends: Vec<usize> = long.match_indices("tint").map(|(at, word)| at + word.len()).collect();
    assert_eq!(caret(&mut window), ends[0]);
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(caret(&mut window), ends[1]);
    window.harness.run_steps(30);
    assert!(window.harness.get_by_label("Program text").rect().top() < -1000.0, "it is scrolled to");
    assert_eq!(text(&mut window), long, "nothing is typed into the text");
    press(&mut window, Modifiers::SHIFT, Key::Enter);
    assert_eq!(caret(&mut window), ends[0]);
    // Tab moves the focus from the query to the replacement, then to the buttons.
    let focused = |window: &Window| {
        let node = window.harness.query_all_by(|node| node.is_focused()).last().expect("something has it");
        node.accesskit_node().label().unwrap_or_default()
    };
    assert_eq!(focused(&window), "Find");
    for label in ["Replace with", "Go to the previous match", "Go to the next match"] {
        press(&mut window, Modifiers::NONE, Key::Tab);
        assert_eq!(focused(&window), label);
    }
}

#[test]
fn breakpoints_stand_on_instructions() {
    let mut window = with_program(STEPS);
    let id = window.state().document().expect("a program").text_id();
    let breakpoints = |window: &mut Window| {
        let text = window.state().document().expect("a program").active();
        text.breakpoints.keys().copied().collect::<Vec<_>>()
    };
    // Line 1 is a declaration, line 2 is the first instruction, and END is not an instruction.
    window.act(Action::ToggleBreakpoint(id, 0));
    assert_eq!(breakpoints(&mut window), [2]);
    window.act(Action::ToggleBreakpoint(id, 6));
    assert_eq!(breakpoints(&mut window), [2], "there is none at END or below");
    // When the instruction is removed, its breakpoint moves to the next instruction.
    window.set_text(&STEPS.replace("MOVR R0, f[TEX0];", "# gone"));
    assert_eq!(breakpoints(&mut window), [3]);
    window.act(Action::ToggleBreakpoint(id, 3));
    window.act(Action::ToggleBreakpoint(id, 5));
    assert_eq!(breakpoints(&mut window), [5]);
    window.set_text(&STEPS.replace("ADDR R1.x, R1.x, R0.y;\nMOVR o[COLR], R1;", "MOVR o[COLR], R1;\n# last"));
    assert!(breakpoints(&mut window).is_empty(), "nothing is below");
    // Breakpoints also work in a text with errors.
    window.set_text(&STEPS.replace("tint;", "nothing;"));
    window.act(Action::ToggleBreakpoint(id, 1));
    assert_eq!(breakpoints(&mut window), [2]);
}

#[test]
fn f1_opens_the_page_of_the_word_at_the_caret() {
    let mut window = with_program(STEPS);
    select(&mut window, Span::at(STEPS.find("MULR").expect("there") + 1));
    press(&mut window, Modifiers::NONE, Key::F1);
    let shown = |window: &Window, words: &str| window.harness.query_all_by_label(words).next().is_some();
    assert!(window.state().settings.layout.is_shown(Pane::Learn));
    assert!(shown(&window, "Search reference") && shown(&window, "MUL"));
}

#[test]
fn what_is_opened_too_large_is_shown_and_says_so_before_anything_is_typed() {
    let large =
        format!("!!FP1.0\n{}MOV o[COLR], f[TEX0];\nEND\n", "# a line of a large program\n".repeat(30_000));
    let file = std::env::temp_dir().join(format!("shadestep-ui-large-{}.fp", std::process::id()));
    std::fs::write(&file, &large).expect("a file");
    let mut window = window();
    window.act(Action::Open(file.clone()));
    window.until("it is open", |state| state.document().is_some_and(|d| d.active().text().len() > 600_000));
    window.settle();
    let reason = "This text is read-only because it has 0.8 MB. The editor can edit up to 0.6 MB.";
    assert!(window.harness.query_by_label(reason).is_some());
    assert!(window.harness.query_by_label("Program text").is_some());
    select(&mut window, Span::at(0));
    type_letters(&mut window, "x");
    press(&mut window, Modifiers::NONE, Key::Tab);
    press(&mut window, Modifiers::COMMAND, Key::Slash);
    assert!(text(&mut window) == large && !window.state().document().expect("a program").can_undo());
    std::fs::remove_file(file).expect("it was there");
}

/// Returns a program with `count` declarations.
fn with_declarations(count: usize) -> String {
    let declarations: String =
        (0..count).map(|n| format!("PARAM constant{n}x = {{ 1, 2, 3, 4 }};\n")).collect();
    format!("!!ARBfp1.0\n{declarations}MOV result.color, constant7x;\nEND\n")
}

#[test]
fn a_keystroke_in_a_large_text_lays_out_the_line_it_is_in() {
    let large = with_declarations(18_500);
    let mut window = with_program(&large);
    window.until_app("it is coloured", |app| app.panels.editor.highlighter.is_settled());
    select(&mut window, Span::at(large.find("PARAM constant9000x").expect("there")));
    for letter in ["#", "a"] {
        let before = window.app().panels.editor.highlighter.laid_out();
        window.harness.event(egui::Event::Text(letter.to_owned()));
        window.harness.step();
        let lines = window.app().panels.editor.highlighter.laid_out() - before;
        assert!((1..=2).contains(&lines), "{lines} lines");
    }
    window.until_app("it is coloured", |app| app.panels.editor.highlighter.is_settled());
    let before = window.app().panels.editor.highlighter.laid_out();
    window.harness.run_steps(3);
    assert_eq!(
        window.app().panels.editor.highlighter.laid_out() - before,
        0,
        "and a frame in which nothing happens none"
    );
}

#[test]
fn completions_and_help_in_a_large_text_keep_no_key_waiting() {
    let large = with_declarations(2_500);
    let mut window = with_program(&large);
    let end = Span::at(large.find("constant7x;").expect("there"));
    window.act(Action::Jump(end));
    window.harness.run_steps(2);
    select(&mut window, end);
    window.harness.event(egui::Event::Text("constant1799".to_owned()));
    window.harness.step();
    assert!(!offers(&window, "constant1799x"), "it takes longer than a frame to find them");
    let mut shown = false;
    for _ in 0..500 {
        window.harness.step();
        shown = offers(&window, "constant1799x");
        if shown {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(shown);
}

#[test]
fn text_is_made_larger_and_smaller() {
    let mut window = with_program("!!FP1.0\nMOV o[COLR], 1;\nEND\n");
    let size = |window: &mut Window| window.state().settings.text.font().size;
    let usual = size(&mut window);
    press(&mut window, Modifiers::COMMAND, Key::Plus);
    press(&mut window, Modifiers::COMMAND, Key::Equals);
    assert_eq!(size(&mut window), usual + 2.0);
    press(&mut window, Modifiers::COMMAND, Key::Minus);
    assert_eq!(size(&mut window), usual + 1.0);
    press(&mut window, Modifiers::COMMAND, Key::Num0);
    assert_eq!(size(&mut window), usual);
    // The wheel zooms only over the text, with Ctrl held.
    let over = window.harness.get_by_label("Program text").rect().left_top() + egui::vec2(40.0, 30.0);
    let turn = |window: &mut Window, modifiers, lines: f32| {
        window.harness.event(egui::Event::PointerMoved(over));
        window.harness.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: egui::vec2(0.0, lines),
            modifiers,
            phase: egui::TouchPhase::Move,
            source: egui::MouseWheelSource::Wheel,
        });
        window.harness.run_steps(2);
    };
    turn(&mut window, Modifiers::COMMAND, 1.0);
    turn(&mut window, Modifiers::COMMAND, 1.0);
    assert_eq!(size(&mut window), usual + 2.0);
    turn(&mut window, Modifiers::COMMAND, -3.0);
    assert_eq!(size(&mut window), usual - 1.0);
    turn(&mut window, Modifiers::NONE, 1.0);
    assert_eq!(size(&mut window), usual - 1.0);
    assert_eq!(text(&mut window), "!!FP1.0\nMOV o[COLR], 1;\nEND\n");
}

#[test]
fn a_comment_wraps_and_what_is_below_moves() {
    let comment = "# words ".repeat(40);
    let mut window = with_program(&format!("!!FP1.0\n{comment}\nMOV o[COLR], 1;\nEND\n"));
    let height = |window: &mut Window| window.harness.get_by_label("Program text").rect().height();
    let widest = |window: &mut Window| window.harness.get_by_label("Program text").rect().width();
    let (wrapped, narrow) = (height(&mut window), widest(&mut window));
    window.run(Command::ToggleWrap);
    window.harness.run_steps(3);
    assert!(widest(&mut window) > narrow, "the comment is in one line, to be scrolled to");
    window.run(Command::ToggleWrap);
    window.harness.run_steps(3);
    assert_eq!((height(&mut window), widest(&mut window)), (wrapped, narrow));
}

#[test]
fn steps_that_follow_each_other_leave_the_line_in_view() {
    let stepped = |frames: usize| {
        let mut window =
            with_program(&format!("!!FP1.0\n{}MOVR o[COLR], R0;\nEND\n", "MOVR R0, f[TEX0];\n".repeat(90)));
        window.act(Action::Pick(Subject::Pixel([9, 9])));
        window.until("the pixel is recorded", |state| state.stepping.session.is_some());
        window.harness.run_steps(30);
        for _ in 0..60 {
            window.run(Command::StepForward);
            window.harness.run_steps(frames);
        }
        window.harness.run_steps(30);
        window.harness.get_by_label("Program text").rect().top()
    };
    assert!((stepped(1) - stepped(30)).abs() < 1.0);
}
