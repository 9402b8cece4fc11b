//! The editor panel: tabs, the programs of a scene, banners, search bar and the program text with everything painted on it.

mod beside;
mod code;
mod completion;
mod find;
mod gutter;
mod highlight;
mod look;
mod rows;
mod stages;
mod tabs;
mod text;
mod toml;

pub use code::{diagnostic_card, sentence, severity_color};
pub use find::{Find, FindMode, matches};
pub use highlight::Highlighter;
pub use look::{Comments, TextLook};
pub use text::{Edits, make, other_text_focused, selection, text_edit_id, toggle_comment, word_at};

use crate::app::State;
use crate::command::{Action, Command};
use crate::model::{Document, Focus};
use crate::shell::widgets::{self, Tone};

/// What the editor has found out about the text in front.
#[derive(Default)]
pub struct Analysis {
    /// Its colours, by line.
    pub highlighter: Highlighter,
    completions: completion::Completions,
    hover: code::HoverHelp,
}

/// The panel.
pub fn show(ui: &mut egui::Ui, state: &mut State, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    tabs::show(ui, state, actions);
    if let Some(document) = state.document() {
        stages::show(ui, state, document, actions);
    }
    let covered = state.is_covered();
    let State { documents, active, find, analysis, debug, focus_editor, settings, .. } = state;
    let Some(document) = documents.get_mut(*active) else {
        empty(ui, actions);
        return;
    };
    disk_banner(ui, document, actions);
    if find.wants_focus() {
        *focus_editor = None;
    }
    find::show(ui, find, document, actions);
    let focus = match covered {
        true => Focus::Keep,
        false => focus_editor.map_or(Focus::Keep, |()| Focus::Take),
    };
    // Where a window in front has just closed, egui lets nothing have the keyboard for a frame more.
    let id = text_edit_id(document);
    if ui.memory(|memory| memory.has_focus(id)) {
        *focus_editor = None;
    }
    if document.active().is_large() {
        let megabytes = document.active().text.len() as f64 / 1e6;
        let words =
            format!("This text can be read only: it has {megabytes:.1} MB, and up to 0.6 MB can be edited.");
        widgets::band(ui, Tone::Warning, &words, |_| {});
    }
    let session = debug.as_ref().filter(|session| session.text_id() == Some(document.text_id()));
    let around = code::Surroundings { session, find, focus, look: settings.text };
    code::show(ui, document, &around, analysis, actions);
}

fn empty(ui: &mut egui::Ui, actions: &mut Vec<Action>) {
    ui.vertical_centered(|ui| {
        ui.add_space(ui.available_height() * 0.3);
        ui.label(crate::theme::heading(ui, "No program is open"));
        ui.add_space(12.0);
        for command in [Command::New, Command::Open, Command::ShowLearn] {
            if widgets::button(ui, command.info().label).clicked() {
                actions.push(command.into());
            }
            ui.add_space(6.0);
        }
    });
}

fn disk_banner(ui: &mut egui::Ui, document: &Document, actions: &mut Vec<Action>) {
    if document.active().changed_on_disk.is_none() {
        return;
    }
    widgets::band(ui, Tone::Warning, "Another program saved this file, and there are changes here.", |ui| {
        if widgets::button(ui, "Keep mine").clicked() {
            actions.push(Action::KeepText(document.text_id()));
        }
        if widgets::button(ui, "Take theirs").clicked() {
            actions.push(Action::TakeDiskText(document.text_id()));
        }
    });
}
