//! Names in the editor: going to a definition, listing uses, and renaming. Also formatting, several carets,
//! and the options of a search.

use super::typing::{press, selection, text, type_letters};
use super::{STEPS, Window, with_program};
use egui::{Event, Key, Modifiers, PointerButton, Pos2};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::{Action, Command};
use shadestep::editor::Selection;
use shadestep::scene::{Component, ParameterKey, SceneEdit};
use shadestep::state::{FindMode, Options};
use shadestep_engine::source::Span;

const NAMES: &str = "!!ARBfp1.0\nTEMP base, other;\nPARAM k = 2;\nMOV base, fragment.texcoord[0];\nMUL other, base, k;\nADD base.x, base, other;\nMOV result.color, base;\nEND\n";

/// Moves the caret before occurrence `nth` of `word`, from 0, and returns the position.
fn go_to(window: &mut Window, word: &str, nth: usize) -> usize {
    let text = text(window);
    let at = text.match_indices(word).nth(nth).expect("it is there").0;
    window.act(Action::Jump(Span::at(at)));
    window.harness.run_steps(3);
    at
}

fn notices(window: &mut Window) -> Vec<String> {
    window.state().notices.iter().map(|notice| notice.text.clone()).collect()
}

fn carets(window: &mut Window) -> Vec<Selection> {
    window.app().panels.editor.carets.all().to_vec()
}

/// Returns the screen position of a line and column of the text, from 0.
pub fn place(window: &mut Window, line: usize, column: usize) -> Pos2 {
    let field = window.harness.get_by_label("Program text").rect();
    let (letter, height) = window.harness.ctx.fonts_mut(|fonts| {
        (fonts.glyph_width(&shadestep::theme::code_font(), '0'), shadestep::theme::CODE_LINE_HEIGHT)
    });
    field.left_top() + egui::vec2(6.0 + letter * column as f32, 6.0 + height * (line as f32 + 0.5))
}

fn click(window: &mut Window, pos: Pos2, modifiers: Modifiers) {
    let press = |pressed| Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers };
    window.harness.event(Event::ModifiersChanged(modifiers));
    window.harness.event(Event::PointerMoved(pos));
    window.harness.step();
    window.harness.event(press(true));
    window.harness.step();
    window.harness.event(press(false));
    window.harness.run_steps(2);
    window.harness.event(Event::ModifiersChanged(Modifiers::NONE));
    window.harness.run_steps(3);
}

#[test]
fn the_definition_of_a_name_is_gone_to_by_key_and_by_click() {
    let mut window = with_program(NAMES);
    go_to(&mut window, "base", 3);
    press(&mut window, Modifiers::NONE, Key::F12);
    let declared = NAMES.find("base").expect("there");
    assert_eq!(selection(&mut window), Span::new(declared, declared + 4));
    // Clicks `k` in the fifth line.
    let column = "MUL other, base, ".len();
    let pos = place(&mut window, 4, column);
    click(&mut window, pos + egui::vec2(2.0, 0.0), Modifiers::COMMAND);
    let declared = NAMES.find("k = 2").expect("there");
    assert_eq!(selection(&mut window), Span::new(declared, declared + 1));
    // A mnemonic is not a name, so it has no definition.
    go_to(&mut window, "MOV", 0);
    press(&mut window, Modifiers::NONE, Key::F12);
    assert!(notices(&mut window).iter().any(|words| words.contains("no name")), "{:?}", notices(&mut window));
}

#[test]
fn uses_are_marked_and_gone_through() {
    let mut window = with_program(NAMES);
    go_to(&mut window, "base", 1);
    press(&mut window, Modifiers::SHIFT, Key::F12);
    assert!(window.harness.query_by_label("2 of 6").is_some(), "the second of six places");
    for (words, label) in
        [("declared once", "declared"), ("written twice", "written"), ("read 3 times", "read")]
    {
        assert!(window.harness.query_by_label(words).is_some(), "{label}");
    }
    let third = NAMES.match_indices("base").nth(2).expect("there").0;
    press(&mut window, Modifiers::COMMAND, Key::F12);
    assert_eq!(selection(&mut window).start, third);
    press(&mut window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::F12);
    assert_eq!(selection(&mut window).start, NAMES.match_indices("base").nth(1).expect("there").0);
    window.harness.get_by_label("Hide the uses").click();
    window.harness.run_steps(3);
    assert!(window.harness.query_by_label("2 of 6").is_none());
}

#[test]
fn escape_in_the_text_hides_the_uses_and_elsewhere_does_not() {
    let mut window = with_program(NAMES);
    let marked = |window: &Window| window.harness.query_by_label("Hide the uses").is_some();
    go_to(&mut window, "base", 1);
    press(&mut window, Modifiers::SHIFT, Key::F12);
    // In the field for the new name, Escape closes the field.
    press(&mut window, Modifiers::NONE, Key::F2);
    assert!(window.harness.query_by_label("New name").is_some());
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(window.harness.query_by_label("New name").is_none() && marked(&window));
    // In the search bar, Escape closes the bar.
    window.run(Command::Find);
    window.harness.run_steps(3);
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(window.state().find.mode == FindMode::Closed && marked(&window));
    // With several carets, Escape removes the extra carets.
    press(&mut window, Modifiers::COMMAND, Key::D);
    press(&mut window, Modifiers::COMMAND, Key::D);
    assert_eq!(carets(&mut window).len(), 1);
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(carets(&mut window).is_empty() && marked(&window));
    // In the text, Escape hides the uses, and the text keeps the focus.
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(!marked(&window));
    type_letters(&mut window, "x");
    assert_ne!(text(&mut window), NAMES);
}

#[test]
fn a_dollar_sign_is_a_part_of_a_word() {
    let mut window =
        with_program("!!ARBfp1.0\nTEMP a$b, a;\nMOV a$b, 1;\nMOV a, a$b;\nMOV result.color, a;\nEND\n");
    let at = go_to(&mut window, "a$b", 0);
    press(&mut window, Modifiers::COMMAND, Key::D);
    assert_eq!(selection(&mut window), Span::new(at, at + 3));
    window.run(Command::Find);
    window.act(Action::SetQuery("a".to_owned()));
    window.act(Action::SetFindOptions(Options { word: true, ..Options::default() }));
    let text = text(&mut window);
    assert_eq!(window.state().find.matches(&text).len(), 3, "without those in another name");
}

#[test]
fn a_name_is_renamed_at_its_place_in_one_step() {
    let mut window = with_program(NAMES);
    go_to(&mut window, "base", 2);
    press(&mut window, Modifiers::NONE, Key::F2);
    assert!(window.harness.query_by_label("New name").is_some());
    // The field selects the name, so typing replaces it.
    type_letters(&mut window, "other");
    let refused = window.harness.query_by_label_contains("is already in use on line 2");
    assert!(refused.is_some(), "it is said why not, and where");
    press(&mut window, Modifiers::NONE, Key::Enter);
    assert_eq!(text(&mut window), NAMES);
    for _ in 0.."other".len() {
        press(&mut window, Modifiers::NONE, Key::Backspace);
    }
    type_letters(&mut window, "hue");
    press(&mut window, Modifiers::NONE, Key::Enter);
    window.settle();
    assert_eq!(text(&mut window), NAMES.replace("base", "hue"));
    assert_eq!(window.state().document().expect("a program").error_count(), 0);
    assert!(window.harness.query_by_label("New name").is_none());
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(text(&mut window), NAMES, "one step");
    go_to(&mut window, "base", 2);
    press(&mut window, Modifiers::NONE, Key::F2);
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(window.harness.query_by_label("New name").is_none());
    go_to(&mut window, "result", 0);
    press(&mut window, Modifiers::NONE, Key::F2);
    assert!(notices(&mut window).iter().any(|words| words.contains("part of the language")));
}

#[test]
fn the_layout_of_a_text_keeps_breakpoints_and_is_one_step() {
    let rough = "!!FP1.0\n\n\n\nMOVR R0,f[TEX0];MULR R1,R0,R0;\n\n\nMOVR o[COLR],R1;\nEND\n";
    let mut window = with_program(rough);
    let id = window.state().document().expect("a program").text_id();
    window.act(Action::ToggleBreakpoint(id, 7));
    press(&mut window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::F);
    window.settle();
    let laid_out = "!!FP1.0\n\nMOVR R0, f[TEX0];\nMULR R1, R0, R0;\n\nMOVR o[COLR], R1;\nEND\n";
    assert_eq!(text(&mut window), laid_out);
    let breakpoints = |window: &mut Window| -> Vec<usize> {
        window.state().document().expect("a program").active().breakpoints.keys().copied().collect()
    };
    assert_eq!(breakpoints(&mut window), [5], "it stays at its instruction");
    press(&mut window, Modifiers::COMMAND, Key::Z);
    window.settle();
    assert_eq!((text(&mut window), breakpoints(&mut window)), (rough.to_owned(), vec![7]));
}

#[test]
fn the_next_occurrences_get_carets_and_typing_acts_at_all() {
    let mut window = with_program(NAMES);
    go_to(&mut window, "other", 0);
    press(&mut window, Modifiers::COMMAND, Key::D);
    assert_eq!(selection(&mut window).len(), 5, "the word");
    press(&mut window, Modifiers::COMMAND, Key::D);
    press(&mut window, Modifiers::COMMAND, Key::D);
    assert_eq!(carets(&mut window).len(), 2);
    press(&mut window, Modifiers::COMMAND, Key::D);
    assert_eq!(carets(&mut window).len(), 2, "there is no other");
    type_letters(&mut window, "ab");
    assert_eq!(text(&mut window), NAMES.replace("other", "ab"));
    press(&mut window, Modifiers::NONE, Key::Backspace);
    press(&mut window, Modifiers::NONE, Key::Home);
    window.harness.event(Event::Paste("# ".to_owned()));
    window.harness.run_steps(2);
    let lines: Vec<String> = NAMES
        .replace("other", "a")
        .lines()
        .map(|line| {
            if line.contains(" a") || line.contains(",a") {
                format!("# {line}\n")
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    assert_eq!(text(&mut window), lines.concat());
    press(&mut window, Modifiers::COMMAND, Key::Z);
    assert_eq!(text(&mut window), NAMES.replace("other", "a"), "one step a key");
    assert!(carets(&mut window).is_empty(), "another text has one caret");
}

#[test]
fn a_click_with_alt_adds_a_caret_and_escape_leaves_one() {
    let mut window = with_program(STEPS);
    let first = STEPS.find("MOVR").expect("there");
    window.act(Action::Jump(Span::at(first)));
    window.harness.run_steps(3);
    let pos = place(&mut window, 3, 0);
    click(&mut window, pos, Modifiers::ALT);
    assert_eq!(carets(&mut window), [Selection { anchor: first, head: first }]);
    type_letters(&mut window, "# ");
    let expected = STEPS.replace("MOVR R0", "# MOVR R0").replace("MULR", "# MULR");
    assert_eq!(text(&mut window), expected);
    press(&mut window, Modifiers::NONE, Key::Escape);
    assert!(carets(&mut window).is_empty());
    type_letters(&mut window, "x");
    assert_eq!(text(&mut window), expected.replace("# MULR", "# xMULR"));
    let pos = place(&mut window, 2, 3);
    click(&mut window, pos, Modifiers::ALT);
    assert_eq!(carets(&mut window).len(), 1);
    click(&mut window, pos, Modifiers::NONE);
    assert!(carets(&mut window).is_empty(), "a click leaves one");
}

#[test]
fn a_search_heeds_case_words_and_the_selection() {
    let mut window = with_program("!!FP1.0\nMOVR R1, f[TEX0];\nMOVR R10, R1;\nMOVR o[COLR], R1;\nEND\n");
    window.run(Command::Replace);
    window.act(Action::SetQuery("r1".to_owned()));
    window.harness.run_steps(3);
    let count = |window: &mut Window| {
        let text = text(window);
        window.state().find.matches(&text).len()
    };
    assert_eq!(count(&mut window), 4);
    window.harness.get_by_label("Word").click();
    window.harness.run_steps(3);
    assert_eq!(count(&mut window), 3);
    window.harness.get_by_label("Case").click();
    window.harness.run_steps(3);
    assert_eq!(count(&mut window), 0);
    window.act(Action::SetFindOptions(Options { word: true, ..Options::default() }));
    let lines = {
        let text = text(&mut window);
        Span::new(text.find("MOVR R10").expect("there"), text.find("END").expect("there"))
    };
    window.act(Action::Jump(lines));
    window.harness.run_steps(3);
    assert_eq!(selection(&mut window), lines);
    window.harness.get_by_label("Selection").click();
    window.harness.run_steps(3);
    assert_eq!(window.state().find.options.within, Some(lines));
    window.act(Action::SetReplacement("R2".to_owned()));
    window.harness.get_by_label("Replace all").click();
    window.harness.run_steps(3);
    window.settle();
    assert_eq!(text(&mut window), "!!FP1.0\nMOVR R1, f[TEX0];\nMOVR R10, R2;\nMOVR o[COLR], R2;\nEND\n");
}

#[test]
fn warnings_of_the_flow_are_problems() {
    let mut window = with_program("!!FP1.0\nMOVR R0, f[TEX0];\nMOVR o[COLR], f[TEX0];\nEND\n");
    let found = super::problems(&window);
    assert!(found.len() == 1 && found[0].contains("value written to R0 is never used"), "{found:?}");
    window.set_text("!!FP1.0\nMOVR R0, f[TEX0];\nMOVR o[COLR], R0;\nEND\n");
    assert!(super::problems(&window).is_empty());
}

#[test]
fn a_name_that_the_scene_sets_is_renamed_with_a_word_about_that() {
    let mut window = with_program(STEPS);
    let warns =
        |window: &Window| window.harness.query_by_label_contains("scene.toml uses this name").is_some();
    go_to(&mut window, "tint", 0);
    press(&mut window, Modifiers::NONE, Key::F2);
    assert!(!warns(&window));
    press(&mut window, Modifiers::NONE, Key::Escape);
    let value = [0.5, 0.5, 0.5, 1.0].map(Component::Constant);
    window.act(Action::EditScene(SceneEdit::Parameter(ParameterKey::Named("tint".to_owned()), value)));
    window.settle();
    go_to(&mut window, "tint", 0);
    press(&mut window, Modifiers::NONE, Key::F2);
    assert!(warns(&window));
}
