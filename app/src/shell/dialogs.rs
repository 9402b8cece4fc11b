//! Modal dialogs, and notices in the corner of the window.

use super::export;
use super::preferences::{self, Preferences};
use super::shortcuts::{self, Sheet};
use super::{Panels, recovery};
use crate::command::{Action, UnsavedAnswer};
use crate::icons::Icon;
use crate::model::{Document, DocumentId, NEW_PROGRAMS, NEW_SCENES, Part, Template};
use crate::scene::SCENE_FILE;
use crate::state::{Closing, Dialog, Notice, NoticeKind, State};
use crate::stepping::{DebugSession, Direction};
use crate::theme;
use crate::widgets::expression_field;
use crate::widgets::{self, OnClick as _};
use egui::{Align, Align2, Id, Key, Layout, Modal, Order, Sense, Stroke, vec2};

/// Shows the open dialog, if any.
pub fn show(ui: &egui::Ui, state: &State, own: &mut Panels, actions: &mut Vec<Action>) {
    // A dialog's state is dropped when it closes. The path prompt is an exception: the dialog below it
    // returns afterwards.
    match state.dialog {
        Some(Dialog::Preferences | Dialog::Path(_)) => {}
        Some(Dialog::Keys) => own.preferences = Preferences::on_keys(),
        _ => own.preferences = Preferences::default(),
    }
    if state.dialog != Some(Dialog::Keys) {
        own.sheet = Sheet::default();
    }
    match &state.dialog {
        Some(Dialog::Unsaved(closing)) => unsaved(ui, state, *closing, actions),
        Some(Dialog::Overwrite(id)) => overwrite(ui, state, *id, actions),
        Some(Dialog::Path(prompt)) => super::path_prompt::show(ui, prompt, actions),
        Some(Dialog::NewScene) => new_scene(ui, actions),
        Some(Dialog::RunTo) => run_to(ui, state, actions),
        Some(Dialog::Export(form)) => export::show(ui, state, form, actions),
        Some(Dialog::StillExporting) => export::still_under_way(ui, actions),
        Some(Dialog::Preferences) => {
            preferences::show(ui, state, &mut own.preferences, actions);
        }
        Some(Dialog::Keys) => shortcuts::show(ui, &mut own.sheet, actions),
        Some(Dialog::About) => about(ui, actions),
        None => {}
    }
}

fn unsaved(ui: &egui::Ui, state: &State, closing: Closing, actions: &mut Vec<Action>) {
    let names: Vec<String> =
        state.documents.iter().filter(|d| state.waits_for(closing, d)).flat_map(unsaved_names).collect();
    modal(ui, "unsaved changes", actions, |ui, actions| {
        ui.set_width(400.0);
        title(ui, "Save the changes?");
        ui.add_space(4.0);
        ui.label(match names.as_slice() {
            [one] => format!("“{one}” has unsaved changes. Closing without saving discards them."),
            many => format!(
                "These have unsaved changes: {}. Closing without saving discards them.",
                many.join(", ")
            ),
        });
        ui.add_space(12.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            widgets::primary_button(ui, "Save").on_click(Action::Unsaved(UnsavedAnswer::Save), actions);
            widgets::button(ui, "Cancel").on_click(Action::CloseDialog, actions);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                widgets::button(ui, "Close without saving")
                    .on_click(Action::Unsaved(UnsavedAnswer::Discard), actions);
            });
        });
    });
}

/// Names of the changed texts of `document`. A document that is a single program has its own name.
fn unsaved_names(document: &Document) -> Vec<String> {
    if document.alone().is_some() {
        return vec![document.name()];
    }
    let changed = document.texts().filter(|(_, text)| text.is_modified());
    changed
        .map(|(part, text)| match part {
            Part::Program(slot) => format!("{} ({})", document.name(), text.file_name(slot)),
            Part::Scene => format!("{} ({SCENE_FILE})", document.name()),
        })
        .collect()
}

/// Asks whether to overwrite a file that another program has changed since.
fn overwrite(ui: &egui::Ui, state: &State, id: DocumentId, actions: &mut Vec<Action>) {
    let document = state.document_of(id);
    let changed = document.into_iter().flat_map(Document::texts);
    let names: Vec<&str> =
        changed.filter(|(_, text)| text.changed_on_disk.is_some()).map(|(_, text)| text.name()).collect();
    modal(ui, "overwrite", actions, |ui, actions| {
        ui.set_width(440.0);
        let heading = if names.len() == 1 { "Overwrite the file?" } else { "Overwrite the files?" };
        title(ui, heading);
        ui.add_space(4.0);
        ui.label(format!("{} changed on disk. Overwriting discards those changes.", names.join(", ")));
        ui.add_space(12.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            widgets::primary_button(ui, "Overwrite").on_click(Action::Overwrite(id), actions);
            widgets::button(ui, "Cancel").on_click(Action::CloseDialog, actions);
        });
    });
}

/// Asks for the condition to run to.
fn run_to(ui: &egui::Ui, state: &State, actions: &mut Vec<Action>) {
    modal(ui, "run to condition", actions, |ui, actions| {
        ui.set_width(440.0);
        title(ui, "Run to condition");
        ui.add_space(6.0);
        let session = state.stepping.session.as_ref();
        let field = expression_field::Field {
            name: "Condition",
            hint: "for example R0.x > 0.5 or any(R1 is nan)",
            program: session.and_then(DebugSession::program),
            note: "Enter runs forward, Shift+Enter runs back",
        };
        let id = Id::unique("run to this");
        let mut text = state.stepping.condition.clone();
        let opened =
            ui.memory(|memory| memory.focused() != Some(id)) && !ui.input(|i| i.key_pressed(Key::Enter));
        let done = expression_field::show(ui, id, &mut text, &field);
        if opened {
            done.response.request_focus();
        }
        if done.changed {
            actions.push(Action::ConditionTyped(text.clone()));
        }
        let sound = done.fault.is_none() && !text.trim().is_empty();
        let back = ui.input(|input| input.modifiers.shift);
        let mut chosen = None;
        if done.entered {
            chosen = Some(if back { Direction::Back } else { Direction::Forward });
        }
        ui.add_space(6.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_enabled_ui(sound, |ui| {
                if widgets::primary_button(ui, "Run forward").clicked() {
                    chosen = Some(Direction::Forward);
                }
                if widgets::button(ui, "Run back").clicked() {
                    chosen = Some(Direction::Back);
                }
            });
            widgets::button(ui, "Cancel").on_click(Action::CloseDialog, actions);
        });
        if let Some(direction) = chosen.filter(|_| sound) {
            actions.push(Action::CloseDialog);
            actions.push(Action::RunToCondition(direction));
        }
    });
}

/// Width of a list of templates, in points.
const TEMPLATES_WIDTH: f32 = 440.0;

/// Shows templates for a new document.
fn new_scene(ui: &egui::Ui, actions: &mut Vec<Action>) {
    modal(ui, "new scene", actions, |ui, actions| {
        // The two lists are side by side if the window is wide enough.
        let area = ui.ctx().content_rect().size() - vec2(60.0, 150.0);
        let columns = if area.x >= 2.0 * TEMPLATES_WIDTH { 2 } else { 1 };
        ui.set_width(columns as f32 * TEMPLATES_WIDTH);
        title(ui, "New");
        ui.add_space(6.0);
        let lists: [(&str, &[Template]); 2] = [("Single program", &NEW_PROGRAMS), ("Scene", &NEW_SCENES)];
        egui::ScrollArea::vertical().max_height(area.y).show(ui, |ui| {
            ui.columns(columns, |ui| {
                for ((caption, templates), column) in lists.into_iter().zip((0..columns).cycle()) {
                    templates_of(&mut ui[column], caption, templates, actions);
                }
            });
        });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            widgets::button(ui, "Cancel").on_click(Action::CloseDialog, actions);
        });
    });
}

/// Shows templates under a caption.
fn templates_of(ui: &mut egui::Ui, caption: &str, templates: &[Template], actions: &mut Vec<Action>) {
    ui.label(theme::caption(ui, caption));
    for template in templates {
        template_row(ui, template).on_click(Action::NewFrom(*template), actions);
    }
    ui.add_space(8.0);
}

/// A template's title, with a description of its picture below.
fn template_row(ui: &mut egui::Ui, template: &Template) -> egui::Response {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 42.0), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, template.title));
    if response.hovered() || response.has_focus() {
        ui.painter().rect_filled(rect, theme::RADIUS, palette.raised_hover);
    }
    let at = rect.min + vec2(10.0, 5.0);
    for (words, font, color, y) in [
        (template.title, theme::strong_font(13.5), palette.text_strong, 0.0),
        (template.about, theme::caption_font(), palette.text_weak, 18.0),
    ] {
        let mut job = egui::text::LayoutJob::simple_singleline(words.to_owned(), font, color);
        job.wrap = egui::text::TextWrapping::truncate_at_width(rect.width() - 20.0);
        let galley = ui.painter().layout_job(job);
        ui.painter().galley(at + vec2(0.0, y), galley, color);
    }
    response
}

/// A dialog with the content of `add`. Escape and a click outside close it.
pub(super) fn modal(
    ui: &egui::Ui,
    id: &str,
    actions: &mut Vec<Action>,
    add: impl FnOnce(&mut egui::Ui, &mut Vec<Action>),
) {
    let frame = egui::Frame::popup(ui.style()).inner_margin(20);
    let modal = Modal::new(Id::unique(id)).frame(frame).show(ui.ctx(), |ui| add(ui, actions));
    if modal.should_close() {
        actions.push(Action::CloseDialog);
    }
}

/// The title of a dialog.
pub(super) fn title(ui: &mut egui::Ui, words: &str) {
    ui.label(theme::heading(ui, words).font(theme::strong_font(16.0)));
}

fn about(ui: &egui::Ui, actions: &mut Vec<Action>) {
    modal(ui, "about", actions, |ui, actions| {
        ui.set_width(400.0);
        ui.label(theme::heading(ui, "Shadestep").font(theme::strong_font(18.0)));
        ui.label(theme::caption(ui, format!("Version {}", env!("CARGO_PKG_VERSION"))));
        ui.add_space(6.0);
        ui.label(
            "A playground for NVIDIA's assembly shader languages. Edit a program and watch the software \
             renderer draw it. Click a pixel to step through its run, forwards and backwards.",
        );
        ui.add_space(12.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            widgets::primary_button(ui, "Close").on_click(Action::CloseDialog, actions);
        });
    });
}

/// Shows notices, offered drafts and the progress of an export in the lower right corner, newest at the
/// bottom.
pub fn notices(ui: &egui::Ui, state: &State, actions: &mut Vec<Action>) {
    if state.notices.is_empty() && !recovery::is_shown(state) && state.exporting.is_none() {
        return;
    }
    let offset = vec2(-14.0, -theme::STATUS_BAR_HEIGHT - 12.0);
    egui::Area::new(Id::unique("notices"))
        .order(Order::Foreground)
        .anchor(Align2::RIGHT_BOTTOM, offset)
        .show(ui.ctx(), |ui| {
            if recovery::is_shown(state) {
                recovery::show(ui, state, actions);
            }
            for notice in &state.notices {
                card(ui, notice, actions);
            }
            if let Some(exporting) = &state.exporting {
                export::progress(ui, exporting, actions);
            }
        });
}

fn card(ui: &mut egui::Ui, notice: &Notice, actions: &mut Vec<Action>) {
    let Notice { id, kind, text, recent, .. } = notice;
    let palette = theme::palette(ui);
    let (icon, color) = match kind {
        NoticeKind::Error => (Icon::Error, palette.error),
        NoticeKind::Info => (Icon::Check, palette.accent),
    };
    egui::Frame::popup(ui.style()).stroke(Stroke::new(1.0, color.gamma_multiply(0.6))).inner_margin(10).show(
        ui,
        |ui| {
            ui.set_width(360.0);
            ui.horizontal_top(|ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(18.0, theme::ICON_BUTTON), Sense::hover());
                icon.paint(ui.painter(), rect, 15.0, color);
                ui.allocate_ui_with_layout(vec2(288.0, 0.0), Layout::top_down(Align::Min), |ui| {
                    ui.add_space(4.0);
                    ui.set_width(288.0);
                    widgets::prose_label(ui, text);
                    if let Some(path) = recent {
                        ui.add_space(4.0);
                        if widgets::button(ui, "Remove from recent files").clicked() {
                            actions.push(Action::ForgetRecent(path.clone()));
                            actions.push(Action::Dismiss(*id));
                        }
                    }
                });
                widgets::icon_button(ui, Icon::Close, "Dismiss this notice", true)
                    .on_click(Action::Dismiss(*id), actions);
            });
        },
    );
}
