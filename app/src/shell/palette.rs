//! The command palette: finds commands by a few letters, and samples and reference pages by words. `:` and a
//! number go to a line of the text.

use crate::command::{Action, Command};
use crate::keys;
use crate::scene::{Bundled, bundled};
use crate::state::State;
use crate::theme;
use crate::widgets;
use egui::{Align2, Id, Key, Modal, Sense, vec2};
use shadestep_engine::isa::{self, Info};

/// Query and selection of the palette while it is open.
#[derive(Clone, Debug, Default)]
pub struct CommandPalette {
    query: String,
    selected: usize,
}

impl CommandPalette {
    /// A palette that opens with `query`.
    pub fn searching(query: &str) -> Self {
        Self { query: query.to_owned(), selected: 0 }
    }
}

/// A search result.
#[derive(Clone, Copy, Debug)]
enum Entry {
    Command(Command),
    Sample(&'static Bundled),
    /// A page of the reference.
    Page(&'static Info),
    /// A line of the text shown, from 1.
    Line(usize),
}

impl Entry {
    fn label(self) -> String {
        match self {
            Self::Command(command) => command.info().label.to_owned(),
            Self::Sample(sample) => sample.title.to_owned(),
            Self::Page(info) => format!("{}  {}", info.mnemonic, info.title),
            Self::Line(line) => format!("Go to line {line}"),
        }
    }

    /// The result's menu or kind.
    fn kind(self) -> &'static str {
        match self {
            Self::Command(command) => command.info().menu.name(),
            Self::Sample(_) => "Sample",
            Self::Page(_) => "Reference",
            Self::Line(_) => "Edit",
        }
    }

    fn enabled(self, state: &State) -> bool {
        match self {
            Self::Command(command) => command.enabled(state),
            Self::Sample(_) | Self::Page(_) => true,
            Self::Line(_) => state.document().is_some(),
        }
    }

    fn action(self) -> Action {
        match self {
            Self::Command(command) => command.into(),
            Self::Sample(sample) => Action::OpenSample(sample.name),
            Self::Page(info) => Action::ShowReference(info.opcode),
            Self::Line(line) => Action::GoToLine(line.saturating_sub(1)),
        }
    }

    /// Returns how well the entry matches `query`; less is better. Returns `None` without a match.
    fn score(self, query: &str) -> Option<usize> {
        let folder = if let Self::Sample(sample) = self { sample.name } else { "" };
        let text = format!("{} {} {folder}", self.label(), self.kind()).to_lowercase();
        match self {
            Self::Command(_) => score(&text, query),
            // Samples and pages are many, and most contain any few letters in order. They match only as a
            // whole piece of text.
            Self::Sample(_) | Self::Page(_) if query.trim().is_empty() => None,
            Self::Sample(_) | Self::Page(_) => text.find(query),
            Self::Line(_) => Some(0),
        }
    }
}

/// Returns commands whose label or menu contains the letters of `query` in order, and samples and pages that
/// contain the query. Better matches come first. After `:` the result is a line.
fn search(query: &str) -> Vec<Entry> {
    if let Some(number) = query.trim().strip_prefix(':') {
        return number.trim().parse().map(Entry::Line).into_iter().collect();
    }
    let query = query.to_lowercase();
    let commands = Command::ALL.iter().filter(|&&command| command != Command::CommandPalette);
    let all = commands
        .map(|&command| Entry::Command(command))
        .chain(bundled().iter().map(Entry::Sample))
        .chain(isa::all().map(Entry::Page));
    let mut found: Vec<(usize, Entry)> =
        all.filter_map(|entry| Some((entry.score(&query)?, entry))).collect();
    found.sort_by_key(|(score, _)| *score);
    found.into_iter().map(|(_, entry)| entry).collect()
}

/// Returns the distance between the letters of `query` in `text`. A query that occurs as a whole scores its
/// position, so 0 is the best score. Returns `None` if `text` does not contain the letters in order.
fn score(text: &str, query: &str) -> Option<usize> {
    if let Some(start) = text.find(query) {
        return Some(start);
    }
    let mut chars = text.char_indices();
    let mut total = 100;
    let mut last = 0;
    for wanted in query.chars().filter(|c| !c.is_whitespace()) {
        let (at, _) = chars.find(|(_, c)| *c == wanted)?;
        total += at - last;
        last = at;
    }
    Some(total)
}

/// Shows the palette if it is open.
pub fn show(ui: &egui::Ui, state: &State, open: &mut CommandPalette, actions: &mut Vec<Action>) {
    if state.palette.is_none() {
        *open = CommandPalette::default();
        return;
    }
    let mut found = search(&open.query);
    // Available commands come first. The sort is stable, so each part keeps the order of the matches.
    found.sort_by_key(|entry| !entry.enabled(state));
    let moved = ui.input_mut(|input| {
        let none = egui::Modifiers::NONE;
        let down = input.count_and_consume_key(none, Key::ArrowDown);
        let up = input.count_and_consume_key(none, Key::ArrowUp);
        open.selected = (open.selected + down).saturating_sub(up).min(found.len().saturating_sub(1));
        down + up > 0
    });
    let mut chosen = None;
    let area = Modal::default_area(Id::unique("command palette")).anchor(Align2::CENTER_TOP, vec2(0.0, 64.0));
    let frame = egui::Frame::popup(ui.style()).inner_margin(8);
    let modal = Modal::new(Id::unique("command palette")).area(area).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(460.0_f32.min(ui.ctx().content_rect().width() - 40.0));
        let field = egui::TextEdit::singleline(&mut open.query)
            .hint_text("Search commands, samples and instructions")
            .desired_width(f32::INFINITY)
            .margin(egui::Margin::symmetric(8, 6))
            .id(ui.scope_id().with("palette query"));
        let response = widgets::named(ui.add(field), "Type a command");
        if response.changed() {
            open.selected = 0;
        }
        if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            chosen = found.get(open.selected).copied();
        }
        response.request_focus();
        ui.add_space(2.0);
        let height = 360.0_f32.min(ui.ctx().content_rect().height() - 180.0).max(60.0);
        // egui would keep the height of an empty list when results appear again, so the id depends on
        // emptiness.
        let list = widgets::jumping(egui::ScrollArea::vertical()).id_salt(("hits", found.is_empty()));
        list.max_height(height).min_scrolled_height(height).auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            for (index, &entry) in found.iter().enumerate() {
                let response = row(ui, entry, entry.enabled(state), index == open.selected);
                if index == open.selected && moved {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    chosen = Some(entry);
                }
            }
            if found.is_empty() {
                ui.add_space(8.0);
                let words = match open.query.trim_start().starts_with(':') {
                    true => "Type a line number",
                    false => "No match",
                };
                ui.label(theme::caption(ui, words));
            }
        });
    });
    let run = chosen.filter(|entry| entry.enabled(state));
    if run.is_some() || modal.should_close() {
        actions.push(Action::ClosePalette);
    }
    actions.extend(run.map(Entry::action));
}

fn row(ui: &mut egui::Ui, entry: Entry, enabled: bool, selected: bool) -> egui::Response {
    let palette = theme::palette(ui);
    let words = entry.label();
    let keys = match entry {
        Entry::Command(command) => keys::shown(ui.ctx(), command),
        Entry::Sample(_) | Entry::Page(_) | Entry::Line(_) => None,
    };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::click());
    response
        .widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, enabled, selected, words.as_str()));
    widgets::row_ground(ui, rect, theme::RADIUS, (selected, response.hovered()));
    let color = if enabled { palette.text_strong } else { palette.text_faint };
    let body = egui::TextStyle::Body.resolve(ui.style());
    let label =
        ui.painter().text(rect.left_center() + vec2(10.0, 0.0), Align2::LEFT_CENTER, &words, body, color);
    ui.painter().text(
        label.right_center() + vec2(10.0, 0.0),
        Align2::LEFT_CENTER,
        entry.kind(),
        theme::caption_font(),
        palette.text_weak,
    );
    if let Some(keys) = keys {
        ui.painter().text(
            rect.right_center() - vec2(10.0, 0.0),
            Align2::RIGHT_CENTER,
            keys,
            theme::caption_font(),
            palette.text_weak,
        );
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_find_commands() {
        let first = |query| search(query).first().map(|entry| entry.label());
        let label = |command: Command| Some(command.info().label.to_owned());
        assert_eq!(first("save as"), label(Command::SaveAs));
        assert_eq!(first("stpb"), label(Command::StepBack));
        assert!(search("zzzz").is_empty());
        assert_eq!(search("").len(), Command::ALL.len() - 1);
    }

    #[test]
    fn a_colon_finds_lines() {
        assert!(matches!(search(":12")[..], [Entry::Line(12)]));
        assert!(matches!(search(" : 7 ")[..], [Entry::Line(7)]));
        assert!(search(":").is_empty() && search(":x").is_empty() && search(":-1").is_empty());
    }

    #[test]
    fn folder_names_find_samples() {
        for sample in bundled() {
            let found = search(sample.name);
            let is_it = |entry: &Entry| matches!(entry, Entry::Sample(found) if found.name == sample.name);
            assert!(found.iter().any(is_it), "{}", sample.name);
        }
    }

    #[test]
    fn words_find_samples_and_pages_of_the_reference() {
        let paper = search("paper sunset");
        let sample = bundled().iter().find(|sample| sample.title.contains("paper sunset"));
        assert!(
            matches!(paper.first(), Some(Entry::Sample(found)) if Some(found.name) == sample.map(|s| s.name)),
            "{paper:?}"
        );
        let rfl = search("rfl");
        assert!(matches!(rfl.first(), Some(Entry::Page(info)) if info.mnemonic == "RFL"), "{rfl:?}");
        assert!(search("reflection vec").iter().any(|entry| entry.label().starts_with("RFL")));
    }
}
