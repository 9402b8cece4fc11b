//! The search bar: finds and replaces text in the document.

use crate::command::{Action, Command};
use crate::icons::Icon;
use crate::model::{Document, DocumentId, PerDocument, TextId};
use crate::state::{Find, FindMode, Options};
use crate::theme;
use crate::widgets::text_fields::select_chars;
use crate::widgets::{self, OnClick as _, Pressed};
use shadestep_engine::source::Span;
use std::sync::Arc;

/// All matches in the active text.
#[derive(Default)]
pub struct Matches {
    all: Arc<[Span]>,
    /// The error, if the query is not a valid regular expression.
    fault: Option<String>,
    /// The text, revision, query and options that [`Self::all`] belongs to.
    searched: Option<(TextId, u64, String, Options)>,
}

impl PerDocument for Matches {
    fn forget(&mut self, closed: DocumentId) {
        if self.kept().contains(&closed) {
            *self = Self::default();
        }
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        self.searched.kept()
    }
}

impl Matches {
    pub fn all(&self) -> Arc<[Span]> {
        Arc::clone(&self.all)
    }

    /// Returns the error, if the query is not a valid regular expression.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Searches again if the text or the query has changed and the bar is open.
    pub fn refresh(&mut self, find: &Find, document: &Document) {
        if find.mode == FindMode::Closed {
            return;
        }
        let now = (document.text_id(), document.revision);
        let same = |(text, revision, query, options): &(TextId, u64, String, Options)| {
            (*text, *revision) == now && *query == find.query && *options == find.options
        };
        if !self.searched.as_ref().is_some_and(same) {
            let found = find.search(document.active().text());
            self.fault = found.as_ref().err().cloned();
            self.all = found.unwrap_or_default().into();
            self.searched = Some((now.0, now.1, find.query.clone(), find.options));
        }
    }
}

/// Shows the bar if it is open.
pub fn show(
    ui: &mut egui::Ui,
    find: &Find,
    matches: &Matches,
    (document, selected): (&Document, Option<Span>),
    actions: &mut Vec<Action>,
) {
    if find.mode == FindMode::Closed {
        return;
    }
    if ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        actions.push(Action::CloseFind);
    }
    let palette = theme::palette(ui);
    egui::Frame::new().fill(palette.panel).inner_margin(egui::Margin::symmetric(10, 6)).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        // Tab visits widgets in creation order: both fields first, then the buttons.
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| {
                row(ui, |ui| query_field(ui, find, actions));
                if find.mode == FindMode::Replace {
                    row(ui, |ui| replacement_field(ui, find, actions));
                }
            });
            ui.vertical(|ui| {
                row(ui, |ui| search_buttons(ui, (find, matches), document, actions));
                if find.mode == FindMode::Replace {
                    row(ui, |ui| replace_buttons(ui, actions));
                }
            });
        });
        row(ui, |ui| option_buttons(ui, find.options, selected, actions));
    });
    widgets::hairline(ui);
}

/// A row of the bar. All rows have the height of an icon button.
fn row(ui: &mut egui::Ui, add: impl FnOnce(&mut egui::Ui)) {
    ui.horizontal(|ui| {
        ui.set_min_height(theme::ICON_BUTTON);
        add(ui);
    });
}

fn search_buttons(
    ui: &mut egui::Ui,
    (find, matches): (&Find, &Matches),
    document: &Document,
    actions: &mut Vec<Action>,
) {
    let found = matches.all();
    let here = found.iter().position(|m| m.end >= document.active().caret);
    let count = match (found.len(), here) {
        (0, _) if find.query.is_empty() => String::new(),
        (0, _) => "No match".to_owned(),
        (total, Some(index)) => format!("{} of {total}", index + 1),
        (1, None) => "1 match".to_owned(),
        (total, None) => format!("{total} matches"),
    };
    for (icon, command) in
        [(Icon::ChevronLeft, Command::FindPrevious), (Icon::ChevronRight, Command::FindNext)]
    {
        widgets::icon_button(ui, icon, &command.tooltip(ui.ctx()), !found.is_empty())
            .on_click(command, actions);
    }
    match matches.fault() {
        Some(fault) => {
            let words = egui::RichText::new(format!("Invalid regex: {fault}")).font(theme::caption_font());
            ui.add(egui::Label::new(words.color(theme::palette(ui).error)).truncate());
        }
        None => {
            ui.label(theme::caption(ui, count));
        }
    }
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        widgets::icon_button(ui, Icon::Close, "Close the search bar (Esc)", true)
            .on_click(Action::CloseFind, actions);
    });
}

/// The search options: case, whole words, regular expression, selection.
fn option_buttons(ui: &mut egui::Ui, options: Options, selected: Option<Span>, actions: &mut Vec<Action>) {
    let mut now = options;
    let toggle = |ui: &mut egui::Ui, on: bool, label: &str, hint: &str| {
        let pressed = if on { Pressed::Yes } else { Pressed::No };
        widgets::toggle_button(ui, label, hint, pressed).clicked()
    };
    if toggle(ui, options.case, "Case", "Match case") {
        now.case = !options.case;
    }
    if toggle(ui, options.word, "Word", "Match whole words only") {
        now.word = !options.word;
    }
    if toggle(
        ui,
        options.regex,
        "Regex",
        "Search with a regular expression. $1 in the replacement is the first group.",
    ) {
        now.regex = !options.regex;
    }
    let selected = selected.filter(|span| !span.is_empty());
    let hint = "Search only in the text selected now";
    ui.add_enabled_ui(options.within.is_some() || selected.is_some(), |ui| {
        if toggle(ui, options.within.is_some(), "Selection", hint) {
            now.within = if options.within.is_none() { selected } else { None };
        }
    });
    if now != options {
        actions.push(Action::SetFindOptions(now));
    }
}

fn query_field(ui: &mut egui::Ui, find: &Find, actions: &mut Vec<Action>) {
    let mut query = find.query.clone();
    let field = egui::TextEdit::singleline(&mut query)
        .hint_text("Find")
        .desired_width(220.0)
        .font(theme::value_font())
        .id_salt("find query");
    let response = widgets::named(ui.add(field), "Find");
    if find.wants_focus() {
        response.request_focus();
        // Select the old query, so that typing replaces it.
        select_chars(ui.ctx(), response.id, [0, query.chars().count()]);
        actions.insert(0, Action::FindFocused);
    }
    if response.changed() {
        actions.push(Action::SetQuery(query));
    }
    if let Some(modifiers) = entered(ui, &response) {
        let command = if modifiers.shift { Command::FindPrevious } else { Command::FindNext };
        actions.push(command.into());
    }
}

fn replacement_field(ui: &mut egui::Ui, find: &Find, actions: &mut Vec<Action>) {
    let mut replacement = find.replacement.clone();
    let field = egui::TextEdit::singleline(&mut replacement)
        .hint_text("Replace with")
        .desired_width(220.0)
        .font(theme::value_font())
        .id_salt("find replacement");
    let response = widgets::named(ui.add(field), "Replace with");
    if response.changed() {
        actions.push(Action::SetReplacement(replacement));
    }
    if entered(ui, &response).is_some() {
        actions.push(Action::ReplaceOne);
    }
}

/// Returns the modifiers of an Enter pressed in this field. The field keeps the keyboard focus.
fn entered(ui: &egui::Ui, response: &egui::Response) -> Option<egui::Modifiers> {
    let entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    entered.then(|| {
        response.request_focus();
        ui.input(|input| input.modifiers)
    })
}

fn replace_buttons(ui: &mut egui::Ui, actions: &mut Vec<Action>) {
    widgets::button(ui, "Replace").on_click(Action::ReplaceOne, actions);
    widgets::button(ui, "Replace all").on_click(Action::ReplaceAll, actions);
}
