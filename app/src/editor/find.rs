//! Search and replace in the program.

use crate::command::{Action, Command};
use crate::icons::Icon;
use crate::model::Document;
use crate::shell::widgets;
use crate::theme;
use shadestep_engine::source::Span;

/// Whether the search bar is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FindMode {
    /// It is not.
    #[default]
    Closed,
    /// To search.
    Find,
    /// To search and replace.
    Replace,
}

/// The search bar.
#[derive(Clone, Debug, Default)]
pub struct Find {
    /// Whether it is there.
    pub mode: FindMode,
    /// What is searched for.
    pub query: String,
    /// What replaces it.
    pub replacement: String,
    wants_focus: Option<()>,
}

impl Find {
    /// Opens the bar and gives it the keyboard.
    pub fn open(&mut self, mode: FindMode) {
        self.mode = mode;
        self.wants_focus = Some(());
    }
}

/// Every place of `query` in `text`, case ignored for ASCII; none for an empty query.
pub fn matches(text: &str, query: &str) -> Vec<Span> {
    if query.is_empty() {
        return Vec::new();
    }
    let (text, query) = (text.to_ascii_lowercase(), query.to_ascii_lowercase());
    text.match_indices(&query).map(|(start, found)| Span::new(start, start + found.len())).collect()
}

/// The bar, where it is open.
pub fn show(ui: &mut egui::Ui, find: &mut Find, document: &Document, actions: &mut Vec<Action>) {
    if find.mode == FindMode::Closed {
        return;
    }
    if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        actions.push(Action::CloseFind);
    }
    let palette = theme::palette(ui);
    egui::Frame::new().fill(palette.panel).inner_margin(egui::Margin::symmetric(10, 6)).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        ui.horizontal(|ui| {
            let found = matches(&document.active().text, &find.query);
            query_field(ui, find, actions);
            let here = found.iter().position(|m| m.end >= document.active().caret);
            let count = match (found.len(), here) {
                (0, _) if find.query.is_empty() => String::new(),
                (0, _) => "No match".to_owned(),
                (total, Some(index)) => format!("{} of {total}", index + 1),
                (total, None) => format!("{total} in all"),
            };
            let any = !found.is_empty();
            for (icon, command) in
                [(Icon::ChevronLeft, Command::FindPrevious), (Icon::ChevronRight, Command::FindNext)]
            {
                if widgets::icon_button(ui, icon, &command.tooltip(ui.ctx()), any).clicked() {
                    actions.push(command.into());
                }
            }
            ui.label(theme::caption(ui, count));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if widgets::icon_button(ui, Icon::Close, "Close the search bar (Esc)", true).clicked() {
                    actions.push(Action::CloseFind);
                }
            });
        });
        if find.mode == FindMode::Replace {
            ui.horizontal(|ui| replace_row(ui, find, actions));
        }
    });
    widgets::hairline(ui);
}

fn query_field(ui: &mut egui::Ui, find: &mut Find, actions: &mut Vec<Action>) {
    let mut query = find.query.clone();
    let field = egui::TextEdit::singleline(&mut query)
        .hint_text("Find")
        .desired_width(220.0)
        .font(theme::value_font())
        .id_salt("find query");
    let response = widgets::named(ui.add(field), "Find");
    if find.wants_focus.take().is_some() {
        response.request_focus();
    }
    if response.changed() {
        actions.push(Action::SetQuery(query));
    }
    if response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter)) {
        actions.push(Command::FindNext.into());
        response.request_focus();
    }
}

fn replace_row(ui: &mut egui::Ui, find: &Find, actions: &mut Vec<Action>) {
    let mut replacement = find.replacement.clone();
    let field = egui::TextEdit::singleline(&mut replacement)
        .hint_text("Replace by")
        .desired_width(220.0)
        .font(theme::value_font())
        .id_salt("find replacement");
    if widgets::named(ui.add(field), "Replace by").changed() {
        actions.push(Action::SetReplacement(replacement));
    }
    if widgets::button(ui, "Replace").clicked() {
        actions.push(Action::ReplaceOne);
    }
    if widgets::button(ui, "Replace all").clicked() {
        actions.push(Action::ReplaceAll);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_ignore_case_and_do_not_overlap() {
        assert_eq!(matches("MOV mov", "Mov"), [Span::new(0, 3), Span::new(4, 7)]);
        assert_eq!(matches("aaaa", "aa"), [Span::new(0, 2), Span::new(2, 4)]);
        assert!(matches("aaaa", "").is_empty());
        assert_eq!(matches("é R0", "r0"), [Span::new(3, 5)]);
    }
}
