//! The card in the corner that offers drafts of an earlier session. It stays until the user decides.

use crate::command::Action;
use crate::drafts::{Card, Difference, FileFate, Offer, OfferedProgram};
use crate::format;
use crate::icons::Icon;
use crate::state::State;
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::{Align, Layout, RichText, Sense, Stroke, Ui, vec2};
use std::time::SystemTime;

/// Width of the card's contents, in points.
const WIDTH: f32 = 440.0;
/// Largest visible height of the list, in points.
const HEIGHT: f32 = 330.0;
/// Most lines of the file, and of the draft, in a difference.
const LINES: usize = 8;

/// True if the card is visible.
pub fn is_shown(state: &State) -> bool {
    state.recovery.card == Card::Shown && !state.recovery.offers.is_empty()
}

/// Shows the card.
pub fn show(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let edge = Stroke::new(1.0, palette.accent.gamma_multiply(0.6));
    let recovery = &state.recovery;
    egui::Frame::popup(ui.style()).stroke(edge).inner_margin(12).show(ui, |ui| {
        ui.set_width(WIDTH);
        ui.spacing_mut().item_spacing.y = 4.0;
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(18.0, theme::ICON_BUTTON), Sense::hover());
            Icon::Restart.paint(ui.painter(), rect, 15.0, palette.accent);
            ui.label(theme::heading(ui, "Unsaved changes"));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let hint = "Decide later. File > Recover unsaved changes shows them again.";
                widgets::icon_button(ui, Icon::Close, hint, true).on_click(Action::PutDraftsAway, actions);
            });
        });
        ui.label(theme::caption(
            ui,
            "Shadestep closed before you saved these. Restore them to keep working. Files stay unchanged until you save.",
        ));
        ui.add_space(4.0);
        let list = egui::ScrollArea::vertical().max_height(HEIGHT).min_scrolled_height(HEIGHT);
        list.auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 6.0;
            for offer in &recovery.offers {
                let compared = recovery.compared.as_ref() == Some(&offer.file);
                item(ui, offer, compared.then_some(()), actions);
            }
        });
        if recovery.offers.len() > 1 {
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                widgets::primary_button(ui, "Restore all").on_click(Action::RestoreAllDrafts, actions);
                widgets::button(ui, "Discard all").on_click(Action::DiscardAllDrafts, actions);
            });
        }
    });
}

fn item(ui: &mut Ui, offer: &Offer, compared: Option<()>, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let title = &offer.draft.title;
    theme::card_frame(ui).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 3.0;
        ui.horizontal(|ui| {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let age = SystemTime::now().duration_since(offer.draft.written()).unwrap_or_default();
                ui.label(theme::caption(ui, format::age(age)));
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(egui::Label::new(RichText::new(title).color(palette.text_strong)).truncate());
                });
            });
        });
        for program in &offer.programs {
            about(ui, program, title);
        }
        if compared.is_some() {
            offer.programs.iter().for_each(|program| lines(ui, &program.difference));
        }
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let named = |button, what: &str| widgets::named(button, &format!("{what} {title}"));
            if named(widgets::button(ui, "Restore"), "Restore").clicked() {
                actions.push(Action::RestoreDraft(offer.file.clone()));
            }
            if named(widgets::button(ui, "Discard"), "Discard").clicked() {
                actions.push(Action::DiscardDraft(offer.file.clone()));
            }
            let label = if compared.is_some() { "Hide difference" } else { "Show difference" };
            if named(widgets::button(ui, label), label).clicked() {
                actions.push(Action::CompareDraft(offer.file.clone()));
            }
        });
    });
}

/// Shows the file of a program, and the changes in its draft.
fn about(ui: &mut Ui, program: &OfferedProgram, title: &str) {
    let palette = theme::palette(ui);
    let place = match &program.path {
        Some(path) => path.display().to_string(),
        None if program.name == title => "never saved to a file".to_owned(),
        None => format!("{}, never saved to a file", program.name),
    };
    let quiet = |ui: &mut Ui, words: String| {
        ui.add(egui::Label::new(theme::caption(ui, words)).truncate());
    };
    quiet(ui, place);
    quiet(ui, format::sentence(&program.difference.summary()));
    let warning = match program.fate {
        FileFate::None | FileFate::Same => return,
        FileFate::Changed => "The file has changed since then.",
        FileFate::Gone => "The file no longer exists.",
    };
    ui.label(theme::caption(ui, warning).color(palette.warning));
}

/// Shows the lines of the file, then the lines of the draft.
fn lines(ui: &mut Ui, difference: &Difference) {
    let palette = theme::palette(ui);
    ui.spacing_mut().item_spacing.y = 1.0;
    let sides = [("−", &difference.file, palette.error), ("+", &difference.draft, palette.success)];
    for (sign, lines, color) in sides {
        for line in lines.iter().take(LINES) {
            let text = theme::value(ui, format!("{sign} {}", line.replace('\t', "    "))).color(color);
            ui.add(egui::Label::new(text).truncate());
        }
        if let Some(more) = lines.len().checked_sub(LINES).filter(|&more| more > 0) {
            ui.label(theme::caption(ui, format!("{sign} {more} more")));
        }
    }
}
