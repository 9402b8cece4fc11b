//! The origins of a value, its effects, and runs with a changed component or instruction.

use super::{STEPS, pixel, with_program};
use egui::Key;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shadestep::command::{Action, Command};
use shadestep::stepping::Question;
use shadestep_engine::debug::ancestry::{Goal, ValueAt};
use shadestep_engine::debug::expression::Place;
use shadestep_engine::debug::{Edit, Subject};
use shadestep_engine::ir::{TempId, singles};

use crate::support::Window;

const R1: Place = Place::Temp(TempId(1));

/// Opens `STEPS` in the debugger. The steps are MOVR R0, MULR R1, ADDR R1.x and MOVR o[COLR].
fn stepping() -> Window {
    let mut window = with_program(STEPS);
    window.act(Action::Pick(Subject::Pixel([255, 127])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.harness.run_steps(3);
    window
}

fn ask(window: &mut Window, question: Question) {
    window.act(Action::Query(question));
    window.until("it is answered", |state| state.pending.background_query.is_none());
    window.harness.run_steps(3);
}

fn try_value(window: &mut Window, position: usize, component: u8, value: f32) {
    let edit = Edit { position, place: R1, component, bits: value.to_bits().into() };
    ask(window, Question::Try(edit));
}

fn position(window: &mut Window) -> usize {
    window.state().stepping.session.as_ref().expect("recorded").position()
}

/// Returns the rectangle of the row of register `name`.
fn row(window: &Window, name: &str) -> egui::Rect {
    let start = format!("{name}: ");
    let node = window.harness.query_all_by_label_contains(start.as_str()).next();
    node.unwrap_or_else(|| panic!("no row {name}")).rect()
}

/// Presses and releases a mouse button at a point.
fn click(window: &mut Window, pos: egui::Pos2, button: egui::PointerButton) {
    window.harness.event(egui::Event::PointerMoved(pos));
    for pressed in [true, false] {
        let modifiers = egui::Modifiers::NONE;
        window.harness.event(egui::Event::PointerButton { pos, button, pressed, modifiers });
    }
    window.harness.step();
}

/// Returns the middle of a component's cell.
fn cell(window: &Window, name: &str, component: usize) -> egui::Pos2 {
    let row = row(window, name);
    let left = row.left() + 100.0;
    let width = (row.right() - left) / 4.0;
    egui::pos2(left + width * (component as f32 + 0.6), row.center().y)
}

#[test]
fn a_menu_asks_where_a_value_comes_from_and_a_click_leads_to_a_step() {
    let mut window = stepping();
    window.run(Command::ToEnd);
    window.harness.run_steps(3);
    let at = cell(&window, "R1", 1);
    click(&mut window, at, egui::PointerButton::Secondary);
    window.harness.run_steps(3);
    window.harness.get_by_label("Where does it come from? R1.y").click();
    window.until("it is answered", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.traced().is_some())
    });
    window.harness.run_steps(3);
    window.harness.get_by_label("Where R1.y before step 4 comes from");
    // Lines count from 1: MOVR R0 is line 3, and MULR is line 4. s = 255.5 / 512, t = 127.5 / 512.
    window.harness.get_by_label_contains("0  line 3 R0.y 0.249");
    window.harness.get_by_label("Attributes f[TEX0].y");
    window.harness.get_by_label("Parameters tint.y");
    assert!(window.harness.query_by_label_contains("2  line 5").is_none(), "ADDR writes x alone");
    let session = window.state().stepping.session.as_ref().expect("recorded");
    assert_eq!(session.lines_traced(), Some(&[2, 3].into()));
    window.harness.get_by_label_contains("1  line 4 R1.y").click();
    window.harness.run_steps(2);
    assert_eq!(position(&mut window), 1);
    // No field has the focus, so Escape closes the list.
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(3);
    assert!(window.state().stepping.session.as_ref().is_some_and(|session| session.traced().is_none()));
    assert!(window.harness.query_by_label_contains("line 4 R1.y").is_none());
}

#[test]
fn the_result_comes_from_everything_here_and_a_button_asks() {
    let mut window = stepping();
    window.harness.get_by_label_contains(Command::TraceResult.info().hint).click();
    window.until("it is answered", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.traced().is_some())
    });
    window.harness.run_steps(3);
    window.harness.get_by_label("Where the result comes from");
    window.harness.get_by_label("Attributes f[TEX0].xyzw");
    let session = window.state().stepping.session.as_ref().expect("recorded");
    let traced = session.traced().expect("answered");
    assert_eq!(traced.question, Question::Origin(Goal::Result));
    let positions: Vec<usize> = traced.listed.iter().map(|listed| listed.position).collect();
    assert_eq!(positions, [0, 1, 2, 3]);
    window.harness.get_by_label(Command::CloseTrace.info().hint).click();
    window.harness.run_steps(3);
    assert!(window.state().stepping.session.as_ref().is_some_and(|session| session.traced().is_none()));
}

#[test]
fn what_a_value_reaches_is_told() {
    let mut window = stepping();
    // ADDR reads the earlier R1.x. At the end, MOVR has already copied R1.x.
    ask(&mut window, Question::Reach(ValueAt { position: 2, place: R1, component: 0 }));
    window.harness.get_by_label("Effects of R1.x before step 2, including the result");
    window.harness.get_by_label("Outputs o[COLR].x");
    ask(&mut window, Question::Reach(ValueAt { position: 4, place: R1, component: 0 }));
    window.harness.get_by_label("Effects of R1.x before step 4, not including the result");
    window.harness.get_by_label("No later step reads this value");
}

#[test]
fn a_double_click_has_a_value_typed_and_the_changed_run_is_stepped_through() {
    let mut window = stepping();
    window.act(Action::Seek(2));
    window.harness.run_steps(3);
    let at = cell(&window, "R1", 1);
    click(&mut window, at, egui::PointerButton::Primary);
    click(&mut window, at, egui::PointerButton::Primary);
    window.harness.run_steps(3);
    let field = window.harness.get_by_label("What if R1.y");
    assert!(field.accesskit_node().value().is_some_and(|value| value.starts_with("0.12")), "what it holds");
    field.focus();
    window.harness.run_steps(2);
    window.harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.harness.step();
    window.harness.get_by_label("What if R1.y").type_text("0x3f400000");
    window.harness.run_steps(2);
    window.harness.key_press(Key::Enter);
    window.until("it is tried", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.changed().is_some())
    });
    window.harness.run_steps(3);
    window.harness.get_by_label_contains("R1.y changed: 1 difference, at line 6");
    // The row shows the recorded and the changed value.
    window.harness.get_by_label_contains("recorded: ");
    assert_eq!(position(&mut window), 2);
    // Runs ADDR, then MOVR o[COLR].
    window.run(Command::ToEnd);
    window.harness.run_steps(3);
    let stored = pixel(&mut window, [255, 127]);
    let session = window.state().stepping.session.as_ref().expect("recorded");
    let color = singles(session.recording().expect("a run").color);
    assert_eq!(color, [stored[0], 0.75, stored[2], stored[3]]);
    let recorded = session.changed().and_then(|changed| changed.recording()).expect("both runs");
    assert_eq!(singles(recorded.color), stored);
    window.harness.get_by_label("First difference").click();
    window.harness.run_steps(3);
    assert_eq!(position(&mut window), 3);
    window.harness.get_by_label(Command::LeaveChanged.info().label).click();
    window.harness.run_steps(3);
    let session = window.state().stepping.session.as_ref().expect("recorded");
    assert!(session.changed().is_none());
    assert_eq!(singles(session.recording().expect("a run").color), stored);
    assert!(window.harness.query_by_label_contains("This is a changed run").is_none());
}

#[test]
fn what_is_no_value_is_not_tried_and_escape_gives_it_up() {
    let mut window = stepping();
    window.act(Action::EditValue(Some(Edit { position: 0, place: R1, component: 2, bits: 0 })));
    window.harness.run_steps(3);
    window.harness.get_by_label("What if R1.z").focus();
    window.harness.run_steps(2);
    window.harness.get_by_label("What if R1.z").type_text("x");
    window.harness.run_steps(2);
    assert!(
        window
            .harness
            .get_by_role_and_label(egui::accesskit::Role::Button, "Try")
            .accesskit_node()
            .is_disabled()
    );
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(3);
    assert!(window.harness.query_by_label("What if R1.z").is_none());
    assert!(window.state().stepping.session.as_ref().is_some_and(|session| session.changed().is_none()));
}

#[test]
fn escape_in_a_field_leaves_the_trace() {
    let mut window = stepping();
    let traces =
        |window: &mut Window| window.state().stepping.session.as_ref().is_some_and(|s| s.traced().is_some());
    let escape = |window: &mut Window| {
        window.harness.key_press(Key::Escape);
        window.harness.run_steps(3);
    };
    window.run(Command::MapValue);
    ask(&mut window, Question::Origin(Goal::Result));
    window.act(Action::EditValue(Some(Edit { position: 0, place: R1, component: 2, bits: 0 })));
    window.harness.run_steps(3);
    window.harness.get_by_label("What if R1.z").focus();
    window.harness.run_steps(2);
    escape(&mut window);
    assert!(window.harness.query_by_label("What if R1.z").is_none());
    assert!(traces(&mut window), "the key was the field's");
    window.harness.get_by_label("Map expression").focus();
    window.harness.run_steps(2);
    escape(&mut window);
    assert!(traces(&mut window), "the key was that field's");
    escape(&mut window);
    assert!(!traces(&mut window), "nothing has the keyboard");
}

#[test]
fn the_explanation_has_the_values_of_the_changed_run() {
    let mut window = stepping();
    window.run(Command::ToggleExplain);
    window.act(Action::Seek(2));
    window.harness.run_steps(4);
    let says = |window: &Window, words: &str| {
        let said = |text: Option<String>| text.is_some_and(|text| text.contains(words));
        window.harness.query_all_by(|node| said(node.label()) || said(node.value())).next().is_some()
    };
    // t = 127.5 / 512.
    let changed = "R1.x = R1.x + R0.y = 0.75 + 0.24902344";
    assert!(says(&window, "R1.x = R1.x + R0.y = ") && !says(&window, changed));
    try_value(&mut window, 2, 0, 0.75);
    window.harness.run_steps(4);
    assert!(says(&window, changed));
    window.run(Command::LeaveChanged);
    window.harness.run_steps(4);
    assert!(says(&window, "R1.x = R1.x + R0.y = ") && !says(&window, changed));
}

#[test]
fn a_changed_run_is_changed_further_and_compared_with_the_recorded_one() {
    let mut window = stepping();
    try_value(&mut window, 2, 1, 0.75);
    try_value(&mut window, 2, 2, 0.5);
    let stored = pixel(&mut window, [255, 127]);
    let session = window.state().stepping.session.as_ref().expect("recorded");
    let color = singles(session.recording().expect("a run").color);
    assert_eq!(color, [stored[0], 0.75, 0.5, stored[3]]);
    let changed = session.changed().expect("a changed run");
    assert_eq!(changed.recording().map(|run| singles(run.color)), Some(stored));
    assert_eq!((changed.alignment.differences.len(), changed.first), (1, Some(3)));
    assert_eq!(changed.alignment.flow_parts, None);
    // Questions are now about the changed run.
    ask(&mut window, Question::Origin(Goal::Result));
    let session = window.state().stepping.session.as_ref().expect("recorded");
    let traced = session.traced().expect("answered");
    let [attribute] = traced.ancestry.attributes[..] else { panic!("one attribute") };
    assert_eq!(attribute.1, 0b1011, "z of the result is what was typed");
}

#[test]
fn runs_that_part_are_told_apart() {
    let text = "!!ARBfp1.0\nOPTION NV_fragment_program2;\nTEMP a, b;\nMOVC a.x, fragment.texcoord[0].x;\nMOV b, 0;\n\
                IF GT.x;\nMOV b, 0.5;\nENDIF;\nMOV result.color, b;\nEND\n";
    let mut window = with_program(text);
    window.act(Action::Pick(Subject::Pixel([255, 127])));
    window.until("the pixel is recorded", |state| state.stepping.session.is_some());
    window.run(Command::StepForward);
    window.harness.run_steps(3);
    let codes = row(&window, "Condition code").center();
    click(&mut window, codes, egui::PointerButton::Secondary);
    window.harness.run_steps(3);
    // The changed run then skips the block.
    window.harness.get_by_label("What if it were EQ? CC.x").click();
    window.until("it is tried", |state| {
        state.stepping.session.as_ref().is_some_and(|session| session.changed().is_some())
    });
    let session = window.state().stepping.session.as_ref().expect("recorded");
    let changed = session.changed().expect("a changed run");
    // The recorded run is MOVC, MOV, IF, MOV, ENDIF, MOV. The changed run is MOVC, MOV, IF, MOV.
    assert_eq!((changed.first, changed.alignment.flow_parts), (Some(2), Some(3)));
    assert_eq!(session.len(), 4);
    window.run(Command::ToEnd);
    window.harness.run_steps(3);
    let session = window.state().stepping.session.as_ref().expect("recorded");
    let recorded = session.changed().and_then(|changed| changed.recorded_state()).expect("beside it");
    assert_eq!(singles(recorded.outputs[0]), [0.5; 4], "at its end, too");
    assert_eq!(singles(session.state().expect("a state").outputs[0]), [0.0; 4]);
}

/// Types an instruction into the line's field and runs the change.
fn type_instruction(window: &mut Window, line: usize, text: &str) {
    let label = format!("What if line {line} were");
    window.harness.get_by_label(&label).focus();
    window.harness.run_steps(2);
    window.harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
    window.harness.key_press(Key::Delete);
    window.harness.run_steps(2);
    window.harness.get_by_label(&label).type_text(text);
    window.harness.run_steps(2);
    window.harness.key_press(Key::Enter);
    window.harness.run_steps(2);
    window.until("it is answered", |state| state.pending.background_query.is_none());
    window.harness.run_steps(3);
}

#[test]
fn another_instruction_is_tried_for_one_run() {
    let mut window = stepping();
    let stored = pixel(&mut window, [255, 127]);
    window.act(Action::Seek(1));
    window.harness.run_steps(3);
    window.harness.get_by_label(Command::RewriteCurrent.info().label).click();
    window.harness.run_steps(3);
    let field = window.harness.get_by_label("What if line 4 were").accesskit_node().value();
    assert_eq!(field.as_deref(), Some("MULR R1, R0, tint"), "what it is");
    // The instruction uses a register that the program does not use otherwise.
    type_instruction(&mut window, 4, "MOVR R1, {0.25, 0.5, 0.75, 1}");
    window.harness.get_by_label_contains(
        "Line 4 changed to MOVR R1, {0.25, 0.5, 0.75, 1}: 3 differences, the first at line 4",
    );
    assert_eq!(position(&mut window), 1);
    window.run(Command::ToEnd);
    window.harness.run_steps(3);
    let state = window.state();
    let session = state.stepping.session.as_ref().expect("recorded");
    // ADDR R1.x, R1.x, R0.y; t = 127.5 / 512.
    let changed = session.changed().expect("a changed run");
    let [before, after] = changed.pixels.expect("a pixel");
    assert_eq!((before.color, after.color), (stored, [0.25 + 127.5 / 512.0, 0.5, 0.75, 1.0]));
    assert_eq!(changed.recorded_value(R1).map(|bits| singles(bits)[1]), Some(stored[1]));
    let text = state.document().expect("a program").active().text().to_owned();
    assert!(text.contains("MULR R1, R0, tint;"), "the text is as it was");
    assert_eq!(pixel(&mut window, [255, 127]), stored, "and the picture");
    // Changes a value of the changed run.
    try_value(&mut window, 2, 1, 0.125);
    let session = window.state().stepping.session.as_ref().expect("recorded");
    let after = session.changed().and_then(|changed| changed.pixels).expect("a pixel")[1];
    assert_eq!(after.color, [0.25 + 127.5 / 512.0, 0.125, 0.75, 1.0]);
    window.run(Command::LeaveChanged);
    window.harness.run_steps(3);
    let session = window.state().stepping.session.as_ref().expect("recorded");
    assert!(session.changed().is_none());
    assert_eq!(singles(session.recording().expect("a run").color), stored);
    assert!(String::from_utf8_lossy(session.text()).contains("MULR R1, R0, tint;"));
}

#[test]
fn what_is_no_instruction_is_told_beside_it_and_nothing_leaves_it_out() {
    let mut window = stepping();
    window.act(Action::Seek(2));
    window.harness.run_steps(3);
    window.run(Command::RewriteCurrent);
    window.harness.run_steps(3);
    for (typed, words) in [
        ("ADDR R1.x, R1.x", "takes 2 operands after the destination; this has 1"),
        ("MOVR R1.x, R0.x; MOVR R1.y, R0.x", "Type exactly one instruction"),
    ] {
        type_instruction(&mut window, 5, typed);
        window.harness.get_by_label_contains(words);
        let field = window.harness.get_by_label("What if line 5 were").accesskit_node().value();
        assert_eq!(field.as_deref(), Some(typed), "nothing that was typed is lost");
        assert!(window.state().stepping.session.as_ref().is_some_and(|session| session.changed().is_none()));
    }
    type_instruction(&mut window, 5, "");
    window.harness.get_by_label_contains("Line 5 removed: 2 differences, the first at line 6");
    let session = window.state().stepping.session.as_ref().expect("recorded");
    assert_eq!(session.len(), 3);
    assert!(session.rewritten().is_none());
    // In the changed program, later instructions have other indices but the same lines.
    window.run(Command::RewriteCurrent);
    window.harness.run_steps(3);
    type_instruction(&mut window, 6, "MOVR o[COLR], R0");
    window.harness.get_by_label_contains("Line 6 changed to MOVR o[COLR], R0: ");
    // Escape closes only the field.
    window.run(Command::RewriteCurrent);
    window.harness.run_steps(3);
    window.harness.key_press(Key::Escape);
    window.harness.run_steps(3);
    assert!(window.harness.query_by_label_contains("What if line").is_none());
    assert!(window.state().stepping.session.as_ref().is_some_and(|session| session.changed().is_some()));
}
