//! The command palette: every command, found by a few letters.

use crate::app::State;
use crate::command::{Action, Command};
use crate::theme;
use egui::{Align2, Id, Key, Modal, Sense, vec2};

/// The palette while it is open.
#[derive(Clone, Debug, Default)]
pub struct CommandPalette {
    query: String,
    selected: usize,
}

/// Commands whose label or menu holds the letters of `query` in order; closer matches first.
fn search(query: &str) -> Vec<Command> {
    let mut found: Vec<(usize, Command)> = Command::ALL
        .iter()
        .filter(|&&command| command != Command::CommandPalette)
        .filter_map(|&command| {
            let info = command.info();
            let text = format!("{} {}", info.label, info.menu.title()).to_lowercase();
            Some((score(&text, &query.to_lowercase())?, command))
        })
        .collect();
    found.sort_by_key(|(score, _)| *score);
    found.into_iter().map(|(_, command)| command).collect()
}

/// How far apart the letters of `query` lie in `text`, 0 for a piece of it at its start; `None` where
/// they are not all there in order.
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

/// The palette, where it is open.
pub fn show(ui: &egui::Ui, state: &mut State, actions: &mut Vec<Action>) {
    let Some(mut open) = state.palette.take() else { return };
    let mut found = search(&open.query);
    // What can be done now comes first; the sort keeps the order of the matches.
    found.sort_by_key(|command| !command.enabled(state));
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
            .hint_text("Type a command")
            .desired_width(f32::INFINITY)
            .margin(egui::Margin::symmetric(8, 6))
            .id_salt("palette query");
        let response = super::widgets::named(ui.add(field), "Type a command");
        if response.changed() {
            open.selected = 0;
        }
        if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
            chosen = found.get(open.selected).copied();
        }
        response.request_focus();
        ui.add_space(2.0);
        let height = 360.0_f32.min(ui.ctx().content_rect().height() - 180.0).max(60.0);
        egui::ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            for (index, &command) in found.iter().enumerate() {
                let response = row(ui, command, command.enabled(state), index == open.selected);
                if index == open.selected && moved {
                    response.scroll_to_me(None);
                }
                if response.clicked() {
                    chosen = Some(command);
                }
            }
            if found.is_empty() {
                ui.add_space(8.0);
                ui.label(theme::caption(ui, "No command is called that"));
            }
        });
    });
    let run = chosen.filter(|command| command.enabled(state));
    if let Some(command) = run {
        actions.push(command.into());
    }
    if run.is_none() && !modal.should_close() {
        state.palette = Some(open);
    }
}

fn row(ui: &mut egui::Ui, command: Command, enabled: bool, selected: bool) -> egui::Response {
    let palette = theme::palette(ui);
    let info = command.info();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::click());
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, enabled, selected, info.label));
    if selected {
        ui.painter().rect_filled(rect, theme::RADIUS, palette.accent_wash);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, theme::RADIUS, palette.raised);
    }
    let color = if enabled { palette.text_strong } else { palette.text_faint };
    let body = egui::TextStyle::Body.resolve(ui.style());
    let label =
        ui.painter().text(rect.left_center() + vec2(10.0, 0.0), Align2::LEFT_CENTER, info.label, body, color);
    ui.painter().text(
        label.right_center() + vec2(10.0, 0.0),
        Align2::LEFT_CENTER,
        info.menu.title(),
        theme::caption_font(),
        palette.text_weak,
    );
    if let Some(shortcut) = info.shortcut {
        ui.painter().text(
            rect.right_center() - vec2(10.0, 0.0),
            Align2::RIGHT_CENTER,
            ui.ctx().format_shortcut(&shortcut),
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
        assert_eq!(search("save as").first(), Some(&Command::SaveAs));
        assert_eq!(search("stpb").first(), Some(&Command::StepBack));
        assert!(search("zzzz").is_empty());
        assert_eq!(search("").len(), Command::ALL.len() - 1);
    }
}
