//! The status bar: the state of the program, its use of the limits, and the speed of the picture.

use crate::command::Action;
use crate::format::{self, counted};
use crate::icons::Icon;
use crate::settings::Pane;
use crate::state::State;
use crate::theme;
use crate::widgets::OnClick as _;
use egui::{Align, Layout, Sense, vec2};
use shadestep_engine::diag::Severity;

/// Space between two items, in points.
const GAP: f32 = 18.0;

/// Shows the bar.
pub fn show(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_height(theme::STATUS_BAR_HEIGHT);
        ui.spacing_mut().item_spacing.x = GAP;
        verdict(ui, state, actions);
        let mut items = [resources(state), speed(state)].concat();
        items.sort_by_key(|item| item.rank);
        let widths = items.iter().map(|item| item.width(ui) + GAP);
        items.truncate(fitting(widths, ui.available_width()));
        let side = |ui: &mut egui::Ui, side: Side| {
            let mut items: Vec<_> = items.iter().filter(|item| item.side == side).collect();
            items.sort_by_key(|item| item.place);
            for item in items {
                ui.label(theme::caption(ui, &item.text)).on_hover_text(item.hint);
            }
        };
        side(ui, Side::Left);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| side(ui, Side::Right));
    });
}

/// The end of the bar with an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// An item of the bar. If the bar is too narrow, items with the highest ranks are left out.
#[derive(Clone, Debug)]
struct Item {
    side: Side,
    /// Position, counted from the side's end of the bar.
    place: u8,
    rank: u8,
    text: String,
    /// The widest expected text. Its width is reserved, so that items do not appear and disappear with each
    /// digit.
    room: &'static str,
    hint: &'static str,
}

impl Item {
    fn width(&self, ui: &egui::Ui) -> f32 {
        let width = |text: String| {
            ui.painter().layout_no_wrap(text, theme::caption_font(), egui::Color32::PLACEHOLDER).size().x
        };
        width(self.text.clone()).max(width(self.room.to_owned())).ceil()
    }
}

/// Returns how many of the first `widths` fit into `available`.
fn fitting(widths: impl Iterator<Item = f32>, available: f32) -> usize {
    let ends = widths.scan(0.0, |end, width| {
        *end += width;
        Some(*end)
    });
    ends.take_while(|&end| end <= available).count()
}

fn verdict(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let Some(document) = state.document() else { return };
    let errors = document.error_count();
    let warnings = document.count(Severity::Warning);
    let held = state.held_why(document).is_some();
    let (icon, color, words) = match (document.is_loaded(), errors, warnings) {
        _ if held => (Icon::Warning, palette.warning, "Not run".to_owned()),
        (false, ..) => (Icon::Check, palette.text_faint, "Loading".to_owned()),
        (_, 0, 0) => (Icon::Check, palette.success, "No errors".to_owned()),
        (_, 0, warnings) => (Icon::Warning, palette.warning, counted(warnings, "warning")),
        (_, errors, 0) => (Icon::Error, palette.error, counted(errors, "error")),
        (_, errors, warnings) => {
            let words = format!("{}, {}", counted(errors, "error"), counted(warnings, "warning"));
            (Icon::Error, palette.error, words)
        }
    };
    let galley = ui.painter().layout_no_wrap(words.clone(), theme::caption_font(), palette.text);
    let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x + 20.0, 20.0), Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, words.as_str()));
    let mark = egui::Rect::from_center_size(rect.left_center() + vec2(6.0, 0.0), vec2(13.0, 13.0));
    icon.paint(ui.painter(), mark, 13.0, color);
    let text_color = if response.hovered() { palette.text_strong } else { palette.text };
    let pos = egui::pos2(rect.left() + 19.0, rect.center().y - galley.size().y / 2.0);
    ui.painter().galley_with_override_text_color(pos, galley, text_color);
    response.on_click(Action::Show(Pane::Problems), actions);
}

fn resources(state: &State) -> Vec<Item> {
    let Some(document) = state.document() else { return Vec::new() };
    let item = |place, rank, text, room, hint| Item { side: Side::Left, place, rank, text, room, hint };
    let mut items = Vec::new();
    if let Some(program) = document.active().program() {
        for (usage, place) in program.usage.iter().zip(0..) {
            let text = format!("{} of {} {}", usage.used, usage.limit, usage.what);
            // The first resource is the most important one. The others are the first items to be left out.
            let rank = if place == 0 { 4 } else { 5 + place };
            items.push(item(place, rank, text, "", usage.about));
        }
    }
    let at = document.lines().line_column(document.active().caret);
    let text = format!("Ln {}, Col {}", at.line, at.column);
    items.push(item(u8::MAX, 2, text, "Ln 888, Col 88", "Position of the text cursor"));
    items
}

fn speed(state: &State) -> Vec<Item> {
    let readouts = &state.readouts;
    let item = |place, rank, text, room, hint| Item { side: Side::Right, place, rank, text, room, hint };
    let rate = readouts.rate.map_or_else(|| "– fps".to_owned(), |rate| format!("{rate:.0} fps"));
    let mut items = vec![item(0, 0, rate, "888 fps", "Frames per second while time runs")];
    if let Some(render) = readouts.render {
        let text = format!("render {}", format::milliseconds(render));
        items.push(item(1, 1, text, "render 88.8 ms", "Time to render the last picture"));
    }
    if let Some(load) = readouts.load {
        let text = format!("load {}", format::milliseconds(load));
        items.push(item(2, 5, text, "load 88.8 ms", "Time to load the program"));
    }
    if let Some(document) = state.document() {
        let [width, height] = document.scene.size;
        let text = format!("{width} × {height}");
        items.push(item(3, 3, text, "8888 × 8888", "Size of the picture in pixels"));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_that_do_not_fit_together_are_left_out_from_the_end() {
        let widths = [40.0, 30.0, 50.0, 10.0];
        for (available, expected) in [
            (-5.0, 0),
            (39.0, 0),
            (40.0, 1),
            (69.9, 1),
            (70.0, 2),
            (119.0, 2),
            (120.0, 3),
            (129.0, 3),
            (500.0, 4),
        ] {
            assert_eq!(fitting(widths.into_iter(), available), expected, "{available}");
        }
    }
}
