//! Menus that select the subroutine of each SUBROUTINE variable, or of each element of an array.

use super::{FIELD_HEIGHT, choices, reset, section};
use crate::command::Action;
use crate::model::{Callable, Document, ResetSubject};
use crate::scene::{Slot, SubroutineLabels};
use crate::theme;
use egui::{Align, Layout, Sense, Ui, vec2};

/// Width of a menu, in points.
const LIST: f32 = 128.0;
/// Width of an element's index beside it, in points.
const INDEX: f32 = 34.0;

/// Shows the variables, if a program has any.
pub fn show(ui: &mut Ui, document: &Document, actions: &mut Vec<Action>) {
    let callables = document.callables();
    if callables.is_empty() {
        return;
    }
    section(ui, "Subroutines");
    for callable in &callables {
        ui.push_id(("subroutine", callable.key.to_string()), |ui| {
            header(ui, document, callable, actions);
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(8.0, 6.0);
                for (index, label) in callable.chosen.all().iter().enumerate() {
                    element(ui, callable, (index, label), actions);
                }
            });
        });
        ui.add_space(4.0);
    }
    ui.add_space(8.0);
}

fn header(ui: &mut Ui, document: &Document, callable: &Callable, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.set_min_height(FIELD_HEIGHT);
        ui.label(theme::value(ui, callable.key.name.as_str()));
        let stage = if callable.key.slot == Slot::Vertex { " in the vertex program" } else { "" };
        ui.label(theme::caption(ui, format!("calls {}{stage}", callable.ty)));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let subject = ResetSubject::Subroutine(callable.key.clone());
            reset(ui, document, subject, (&callable.key.to_string(), "choice"), actions);
        });
    });
}

/// The menu of one element. A variable that is not an array has no index.
fn element(ui: &mut Ui, callable: &Callable, (index, label): (usize, &str), actions: &mut Vec<Action>) {
    let is_array = matches!(callable.chosen, SubroutineLabels::Each(_));
    let size = vec2(LIST + if is_array { INDEX } else { 0.0 }, FIELD_HEIGHT);
    ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let mut name = callable.key.to_string();
        if is_array {
            name = format!("{name}[{index}]");
            let (rect, _) = ui.allocate_exact_size(vec2(INDEX, FIELD_HEIGHT), Sense::hover());
            let color = theme::palette(ui).text_weak;
            let (at, words) = (rect.left_center(), format!("[{index}]"));
            ui.painter().text(at, egui::Align2::LEFT_CENTER, words, theme::value_font(), color);
        }
        let all: Vec<(usize, &str)> = callable.labels.iter().map(String::as_str).enumerate().collect();
        let now = callable.labels.iter().position(|other| other == label).unwrap_or_default();
        let mut chosen = now;
        choices(ui, &name, &mut chosen, &all, LIST);
        if chosen != now
            && let Some(label) = callable.labels.get(chosen)
        {
            actions.push(Action::ChooseSubroutine(callable.key.clone(), index, label.clone()));
        }
    });
}
