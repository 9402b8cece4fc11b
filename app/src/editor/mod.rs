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
pub use text::{Edits, change, other_text_focused, selection, text_edit_id, toggle_comment, word_at};

use crate::app::State;
use crate::command::{Action, Command};
use crate::model::{Document, Focus};
use crate::shell::widgets::{self, Tone};

/// What the editor has found out about the text in front, and nobody else reads.
#[derive(Default)]
pub struct Analysis {
    /// Its colours, by line.
    pub highlighter: Highlighter,
    completions: completion::Completions,
    found: find::Matches,
    hover: code::HoverHelp,
}

/// The panel.
pub fn show(ui: &mut egui::Ui, state: &State, analysis: &mut Analysis, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    tabs::show(ui, state, actions);
    let Some(document) = state.document() else {
        empty(ui, actions);
        return;
    };
    stages::show(ui, state, document, actions);
    disk_banner(ui, document, actions);
    let find = &state.find;
    analysis.found.refresh(find, document);
    find::show(ui, find, analysis.found.all(), document, actions);
    let wanted = state.focus_editor.filter(|()| !find.wants_focus());
    let focus = match (wanted, state.is_covered()) {
        (Some(()), false) => Focus::Take,
        (Some(()), true) | (None, _) => Focus::Keep,
    };
    // Where a window in front has just closed, egui lets nothing have the keyboard for a frame more.
    let has_focus = ui.memory(|memory| memory.has_focus(text_edit_id(document)));
    if state.focus_editor.is_some() && (has_focus || wanted.is_none()) {
        actions.insert(0, Action::EditorFocused);
    }
    if document.active().is_large() {
        let megabytes = document.active().text().len() as f64 / 1e6;
        let words =
            format!("This text can be read only: it has {megabytes:.1} MB, and up to 0.6 MB can be edited.");
        widgets::band(ui, Tone::Warning, &words, |_| {});
    }
    let session = state.debug.as_ref().filter(|session| session.text_id() == Some(document.text_id()));
    let found = analysis.found.all();
    let around = code::Surroundings {
        session,
        find,
        found: &found,
        focus,
        look: state.settings.text,
        watched: &state.watched,
        breakpoint_form: state.breakpoint_form,
    };
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
