//! The text of the scene: completion and help for keys and values.

use crate::typing::{press, type_letters};
use crate::{STEPS, Window, with_program};
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
    let at = text.find("fragment").expect("a key") + 2;
    let line = text[..at].matches('\n').count();
    let column = at - text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let field = window.harness.get_by_label("Program text").rect();
    let (letter, height) = window.harness.ctx.fonts_mut(|fonts| {
        (fonts.glyph_width(&shadestep::theme::code_font(), '0'), shadestep::theme::CODE_LINE_HEIGHT)
    });
    let [x, y] = [6.0 + letter * (column as f32 + 0.5), 6.0 + height * (line as f32 + 0.5)];
    window.harness.hover_at(field.left_top() + egui::vec2(x, y));
    // Waits longer than the delay of a tooltip, at 60 frames per second.
    window.harness.run_steps(60);
    window.harness.get_by_label("Fragment program.");
}
