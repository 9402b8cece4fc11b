//! The export dialog, and the card with the progress of an export.

use super::dialogs;
use crate::command::{Action, Command};
use crate::export::{Exporting, Rate};
use crate::format;
use crate::model::{ExportForm, ExportKind, Playback};
use crate::scene::MAX_SIZE;
use crate::state::State;
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::{Align, Layout, Stroke, Ui, vec2};
use std::time::Duration;

/// Sizes in the menu.
const SIZES: [[u32; 2]; 8] =
    [[320, 240], [512, 512], [640, 360], [1024, 1024], [1280, 720], [1920, 1080], [2560, 1440], [3840, 2160]];
/// Width of the captions, in points.
const CAPTIONS: f32 = 76.0;
/// Width of a field, in points.
const FIELD: f32 = 66.0;

/// Shows the dialog.
pub fn show(ui: &Ui, state: &State, form: &ExportForm, actions: &mut Vec<Action>) {
    dialogs::modal(ui, "export", actions, |ui, actions| {
        ui.set_width(460.0);
        dialogs::title(ui, "Export");
        ui.add_space(8.0);
        let mut changed = form.clone();
        ui.spacing_mut().interact_size.y = 24.0;
        row(ui, "Format", |ui| {
            if let Some(kind) = widgets::segmented(ui, changed.kind, &ExportKind::ALL) {
                changed.kind = kind;
            }
        });
        size(ui, state, &mut changed);
        if changed.kind != ExportKind::Picture {
            times(ui, &mut changed);
        }
        if changed != *form {
            actions.push(Action::SetExport(Box::new(changed)));
        }
        ui.add_space(4.0);
        let spec = form.spec();
        let palette = theme::palette(ui);
        let (words, color) = match &spec {
            Ok(spec) => (summary(form, spec.count()), palette.text_weak),
            Err(fault) => (format::capitalized(fault), palette.error),
        };
        widgets::colored_prose(ui, &words, color);
        ui.add_space(10.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_enabled_ui(spec.is_ok(), |ui| {
                widgets::primary_button(ui, "Export…").on_click(Action::Export, actions);
            });
            widgets::button(ui, "Cancel").on_click(Action::CloseDialog, actions);
        });
    });
}

/// Describes the export in words.
fn summary(form: &ExportForm, count: u32) -> String {
    let [width, height] = form.size;
    let frames = format::counted(count as usize, "frame");
    match form.kind {
        ExportKind::Picture => format!("The picture shown, at {width} × {height} pixels."),
        ExportKind::Apng | ExportKind::Gif => {
            format!("{frames} of {width} × {height} pixels. The animation loops forever.")
        }
        ExportKind::Files => format!("{frames} of {width} × {height} pixels, in a new folder."),
    }
}

fn row(ui: &mut Ui, caption: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.set_min_height(28.0);
        ui.allocate_ui_with_layout(vec2(CAPTIONS, 24.0), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(CAPTIONS);
            ui.label(theme::caption(ui, caption));
        });
        add(ui);
    });
}

fn size(ui: &mut Ui, state: &State, form: &mut ExportForm) {
    row(ui, "Size", |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for (side, name) in ["Export width", "Export height"].into_iter().enumerate() {
            if side == 1 {
                ui.label("×");
            }
            let mut pixels = form.size[side];
            // The size changes only when the number is complete. Otherwise the other side would change with
            // each digit.
            let field =
                egui::DragValue::new(&mut pixels).range(1..=MAX_SIZE).speed(2.0).update_while_editing(false);
            widgets::named(ui.add_sized(vec2(FIELD, 24.0), field), name);
            if pixels != form.size[side] {
                form.set_side(side, pixels);
            }
        }
        let document = state.document_of(form.document);
        let shown = document.map(|document| document.scene.size);
        let list = egui::ComboBox::from_id_salt("export size").selected_text("Preset").width(78.0);
        let response = list.show_ui(ui, |ui| {
            for size in shown.into_iter().chain(SIZES) {
                let words = format!("{} × {}", size[0], size[1]);
                let words = if Some(size) == shown { format!("{words} (size of the scene)") } else { words };
                if ui.selectable_label(size == form.size, words).clicked() {
                    form.size = size;
                    form.aspect = form.aspect.map(|_| size);
                }
            }
        });
        widgets::named(response.response, "Export size preset");
        let mut keeps = form.aspect.is_some();
        let hint = "Keep the ratio of width to height";
        if ui.checkbox(&mut keeps, "Keep aspect ratio").on_hover_text(hint).changed() {
            form.aspect = keeps.then_some(form.size);
        }
    });
}

fn times(ui: &mut Ui, form: &mut ExportForm) {
    row(ui, "Time", |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let time = |ui: &mut Ui, value: &mut f32, name: &str| {
            let field = egui::DragValue::new(value)
                .range(0.0..=Playback::LATEST)
                .speed(0.02)
                .max_decimals(3)
                .suffix(" s");
            widgets::named(ui.add_sized(vec2(FIELD, 24.0), field), name);
        };
        time(ui, &mut form.from, "Start time");
        ui.label("to");
        time(ui, &mut form.to, "End time");
        ui.label("at");
        let field = egui::DragValue::new(&mut form.rate)
            .range(Rate::MIN..=Rate::MAX)
            .speed(0.1)
            .max_decimals(2)
            .suffix(" fps");
        let hint = "Frames per second";
        widgets::named(ui.add_sized(vec2(FIELD + 10.0, 24.0), field), hint).on_hover_text(hint);
    });
}

/// Asks whether to quit while an export is running.
pub fn still_under_way(ui: &Ui, actions: &mut Vec<Action>) {
    dialogs::modal(ui, "still exporting", actions, |ui, actions| {
        ui.set_width(400.0);
        dialogs::title(ui, "Cancel the export?");
        ui.add_space(4.0);
        ui.label("An export is running. Quitting cancels it and deletes the files that it has written.");
        ui.add_space(12.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            widgets::primary_button(ui, "Keep exporting").on_click(Action::CloseDialog, actions);
            if widgets::button(ui, "Cancel export and quit").clicked() {
                actions.extend([Action::CloseDialog, Action::CancelExport, Command::Quit.into()]);
            }
        });
    });
}

/// A card with the progress of a running export.
pub fn progress(ui: &mut Ui, exporting: &Exporting, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let frame = egui::Frame::popup(ui.style()).stroke(Stroke::new(1.0, palette.accent.gamma_multiply(0.6)));
    frame.inner_margin(10).show(ui, |ui| {
        ui.set_width(360.0);
        let (done, count) = (exporting.progress.done(), exporting.count);
        let name = exporting.path.file_name().unwrap_or(exporting.path.as_os_str()).to_string_lossy();
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.add_enabled_ui(!exporting.progress.is_cancelled(), |ui| {
                    widgets::button(ui, "Cancel export").on_click(Action::CancelExport, actions);
                });
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(egui::Label::new(format!("Exporting {name}")).truncate());
                });
            });
        });
        let share = done as f32 / count.max(1) as f32;
        ui.add(egui::ProgressBar::new(share).desired_height(6.0).fill(palette.accent));
        let left =
            exporting.left().map_or_else(String::new, |left| format!(", about {} left", words_of(left)));
        let words = match exporting.progress.is_cancelled() {
            true => "Cancelling…".to_owned(),
            false => format!("{done} of {count} frames{left}"),
        };
        ui.label(theme::caption(ui, words));
    });
    ui.ctx().request_repaint_after(Duration::from_millis(100));
}

/// Formats the remaining time.
fn words_of(left: Duration) -> String {
    match left.as_secs() {
        seconds @ 0..=89 => format!("{} s", seconds.max(1)),
        seconds @ 90..=5399 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{} h", (seconds + 1800) / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_told_in_round_numbers() {
        let words = |seconds| words_of(Duration::from_secs(seconds));
        assert_eq!([words(0), words(59), words(100), words(7000)], ["1 s", "59 s", "2 min", "2 h"]);
    }
}
