//! Asks for a path if the system has no file dialog (on Linux, without a desktop portal and zenity). The
//! prompt has a text field and lists the folder.

use super::dialogs;
use crate::command::Action;
use crate::tasks::path_prompt::{EntryKind, PathPrompt, PromptProgress, begun_anew};
use crate::theme;
use crate::widgets::text_fields::select_chars;
use crate::widgets::{self, OnClick as _};
use egui::{Align, Id, Key, Layout, Ui, vec2};
use std::path::MAIN_SEPARATOR;

/// Most entries in the list.
const SHOWN: usize = 200;

/// Shows the prompt.
pub(super) fn show(ui: &Ui, prompt: &PathPrompt, actions: &mut Vec<Action>) {
    let purpose = &prompt.question.purpose;
    dialogs::modal(ui, "path prompt", actions, |ui, actions| {
        ui.set_width(560.0);
        dialogs::title(ui, purpose.title());
        ui.add_space(6.0);
        let mut text = prompt.text.clone();
        if ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::Tab))
            && let Some(tabbed) = prompt.tabbed()
        {
            text = tabbed;
        }
        let tabbed = text != prompt.text;
        let id = Id::unique("path");
        let field = egui::TextEdit::singleline(&mut text)
            .id(id)
            .font(egui::TextStyle::Monospace)
            .lock_focus(true)
            .desired_width(f32::INFINITY)
            .show(ui);
        let response = widgets::named(field.response.response, "Path");
        let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let restarts = begun_anew(&text).is_some() && text != prompt.text;
        let opens = ui.memory(|memory| memory.focused().is_none());
        if restarts || (!entered && (tabbed || opens)) {
            let range = match begun_anew(&text).filter(|_| restarts) {
                Some(begun) => begun.chars().count()..begun.chars().count(),
                None if text != prompt.text || prompt.progress != PromptProgress::Typing => {
                    text.chars().count()..text.chars().count()
                }
                None => prompt.suggested(),
            };
            select_chars(ui.ctx(), id, [range.start, range.end]);
            response.request_focus();
        }
        if let PromptProgress::Failed(words) = &prompt.progress {
            ui.add_space(4.0);
            widgets::colored_prose(ui, words, theme::palette(ui).error);
        }
        ui.add_space(6.0);
        entries(ui, prompt, &mut text, actions);
        ui.add_space(10.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let button = match (purpose.is_saving(), prompt.replaces()) {
                (true, true) => "Replace",
                (true, false) => "Save",
                (false, _) => "Open",
            };
            let chosen = widgets::primary_button(ui, button).clicked() || entered;
            if chosen && !text.trim().is_empty() && prompt.progress != PromptProgress::Waiting {
                actions.push(Action::PathEntered);
            }
            widgets::button(ui, "Cancel").on_click(Action::CloseDialog, actions);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let words = match &prompt.progress {
                    PromptProgress::Waiting => "Working…",
                    _ if prompt.replaces() => "This file exists. Saving replaces it.",
                    _ => "Press Tab to complete. A path can start with / or ~.",
                };
                ui.label(theme::caption(ui, words));
            });
        });
        if text != prompt.text {
            actions.insert(0, Action::PathTyped(text));
        }
    });
}

fn entries(ui: &mut Ui, prompt: &PathPrompt, text: &mut String, actions: &mut Vec<Action>) {
    let height = 220.0;
    egui::ScrollArea::vertical().id_salt("path entries").max_height(height).auto_shrink(false).show(
        ui,
        |ui| {
            ui.set_min_height(height);
            ui.spacing_mut().item_spacing = vec2(0.0, 1.0);
            let mut any = false;
            for entry in prompt.matches().take(SHOWN) {
                any = true;
                let name = match entry.kind {
                    EntryKind::Folder => format!("{}{MAIN_SEPARATOR}", entry.name),
                    EntryKind::File => entry.name.clone(),
                };
                let response = ui.selectable_label(false, theme::value(ui, name));
                if response.clicked() || response.double_clicked() {
                    *text = prompt.completed(entry);
                }
                if response.double_clicked() && entry.kind == EntryKind::File {
                    actions.push(Action::PathEntered);
                }
            }
            if !any {
                let words = match (prompt.wanted(), prompt.question.purpose.is_saving()) {
                    (Some(_), _) => "",
                    (None, true) => "New file",
                    (None, false) => "No match",
                };
                ui.label(theme::caption(ui, words));
            }
        },
    );
}
