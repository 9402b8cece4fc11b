//! The text of the scene: completion and help for keys and values.

use super::typing::{press, type_letters};
use super::values::point_in;
use super::{STEPS, Window, with_program};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use shadestep::command::Action;
use shadestep::model::Part;
use shadestep_engine::source::Span;

/// Opens the text of the scene with the caret at the end.
fn scene_text() -> Window {
    let mut window = with_program(STEPS);
    window.act(Action::ShowText(Part::Scene));
    window.settle();
    let end = text(&mut window).len();
    window.act(Action::Jump(Span::at(end)));
    window.harness.run_steps(3);
    window
}

fn text(window: &mut Window) -> String {
    window.state().document().expect("a program").scene_text().text().to_owned()
}

#[test]
fn keys_and_values_of_the_scene_are_completed() {
    let mut window = scene_text();
    let before = text(&mut window);
    type_letters(&mut window, "[sta");
    press(&mut window, Modifiers::NONE, Key::Tab);
    type_letters(&mut window, "]");
    press(&mut window, Modifiers::NONE, Key::Enter);
    type_letters(&mut window, "cu");
    assert!(window.harness.query_by_label("cull").is_some(), "the list is open");
    press(&mut window, Modifiers::NONE, Key::Tab);
    type_letters(&mut window, " = \"B");
    press(&mut window, Modifiers::NONE, Key::Tab);
    window.settle();
    assert_eq!(text(&mut window), format!("{before}[state]\ncull = \"BACK\""));
    assert!(window.state().document().expect("a program").scene.raster.cull.is_some());
}

#[test]
fn keys_of_the_scene_have_help() {
    let mut window = scene_text();
    let text = text(&mut window);
    point_in(&mut window, &text, "fragment", 2);
    window.harness.get_by_label("Fragment program.");
}
