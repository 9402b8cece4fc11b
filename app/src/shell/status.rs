//! The bar at the foot: is the program sound, what it uses of the limits, how fast it is.

use super::Pane;
use crate::app::State;
use crate::command::Action;
use crate::format;
use crate::icons::Icon;
use crate::theme;
use egui::{Align, Layout, Sense, vec2};
use shadestep_engine::diag::Severity;

/// The bar.
pub fn show(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_height(theme::STATUS_BAR_HEIGHT);
        ui.spacing_mut().item_spacing.x = 18.0;
        verdict(ui, state, actions);
        resources(ui, state);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| speed(ui, state));
    });
}

fn item(ui: &mut egui::Ui, text: impl Into<String>, hint: &str) {
    ui.label(theme::caption(ui, text)).on_hover_text(hint);
}

fn verdict(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let Some(document) = state.document() else { return };
    let errors = document.error_count();
    let warnings = document.count(Severity::Warning);
    let plural = |n: usize, word: &str| if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") };
    let (icon, color, words) = match (document.is_loaded(), errors, warnings) {
        (false, ..) => (Icon::Check, palette.text_faint, "Loading".to_owned()),
        (_, 0, 0) => (Icon::Check, palette.success, "No problems".to_owned()),
        (_, 0, warnings) => (Icon::Warning, palette.warning, plural(warnings, "warning")),
        (_, errors, 0) => (Icon::Error, palette.error, plural(errors, "error")),
        (_, errors, warnings) => (
            Icon::Error,
            palette.error,
            format!("{}, {}", plural(errors, "error"), plural(warnings, "warning")),
        ),
    };
    let galley = ui.painter().layout_no_wrap(words.clone(), theme::caption_font(), palette.text);
    let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x + 20.0, 20.0), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, words.as_str()));
    let mark = egui::Rect::from_center_size(rect.left_center() + vec2(6.0, 0.0), vec2(13.0, 13.0));
    icon.paint(ui.painter(), mark, 13.0, color);
    let text_color = if response.hovered() { palette.text_strong } else { palette.text };
    let pos = egui::pos2(rect.left() + 19.0, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley_with_override_text_color(pos, galley, text_color);
    if response.clicked() {
        actions.push(Action::Show(Pane::Problems));
    }
}

fn resources(ui: &mut egui::Ui, state: &State) {
    let Some(document) = state.document() else { return };
    if let Some(program) = document.active().program() {
        for usage in &program.usage {
            item(ui, format!("{} of {} {}", usage.used, usage.limit, usage.what), usage.about);
        }
    }
    let line_column = document.lines().line_column(document.active().caret);
    item(ui, format!("Ln {}, Col {}", line_column.line, line_column.column), "Where the text cursor is");
}

fn speed(ui: &mut egui::Ui, state: &State) {
    let readouts = &state.readouts;
    let rate = readouts.rate.map_or_else(|| "– fps".to_owned(), |rate| format!("{rate:.0} fps"));
    item(ui, rate, "Pictures a second while time runs");
    if let Some(render) = readouts.render {
        item(ui, format!("render {}", format::milliseconds(render)), "Time that the last picture took");
    }
    if let Some(load) = readouts.load {
        item(ui, format!("load {}", format::milliseconds(load)), "Time that loading the program took");
    }
    if let Some(document) = state.document() {
        let [width, height] = document.size;
        item(ui, format!("{width} × {height}"), "Size of the picture in pixels");
    }
}
