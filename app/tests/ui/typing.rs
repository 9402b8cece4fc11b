//! Helpers that type into the program text, and read the text, the selection and the focus.

use super::Window;
use egui::{Key, Modifiers};
use shadestep::editor;
use shadestep::widgets::text_fields::text_edit_id;
use shadestep_engine::source::Span;

pub fn press(window: &mut Window, modifiers: Modifiers, key: Key) {
    window.harness.key_press_modifiers(modifiers, key);
    window.harness.run_steps(3);
}

/// Types `text` one letter at a time.
pub fn type_letters(window: &mut Window, text: &str) {
    for letter in text.chars() {
        window.harness.event(egui::Event::Text(letter.to_string()));
        window.harness.run_steps(2);
    }
}

/// Returns the active text.
pub fn text(window: &mut Window) -> String {
    window.state().document().expect("a program").active().text().to_owned()
}

/// Returns the selection as a range of bytes.
pub fn selection(window: &mut Window) -> Span {
    let ctx = window.harness.ctx.clone();
    editor::selection(&ctx, window.state().document().expect("a program"))
}

pub fn selected(window: &mut Window) -> String {
    let span = selection(window);
    text(window)[span.start..span.end].to_owned()
}

/// Returns true if the program text has the focus.
pub fn has_focus(window: &mut Window) -> bool {
    let id = text_edit_id(window.state().document().expect("a program"));
    window.harness.ctx.memory(|memory| memory.has_focus(id))
}
