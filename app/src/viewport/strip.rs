//! The history strip under the picture: earlier versions of the picture, one per edit of the texts.

use super::{bar_content, paint_image};
use crate::command::Action;
use crate::model::Part;
use crate::theme;
use crate::versions::{Version, Versions};
use egui::{Align, Layout, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

/// Height of the strip, in points.
pub const HEIGHT: f32 = 74.0;
/// Height of a thumbnail, in points.
const PICTURE: f32 = 48.0;

/// Shows the strip in `rect`.
pub fn show(ui: &mut Ui, versions: Option<&Versions>, rect: Rect, actions: &mut Vec<Action>) {
    let builder = egui::UiBuilder::new().layout(Layout::left_to_right(Align::Min));
    let mut line = bar_content(ui, (rect, rect.top() + 0.5), vec2(8.0, 5.0), builder);
    let all: Vec<&Version> = versions.into_iter().flat_map(Versions::iter).collect();
    let pinned = versions.and_then(Versions::pinned).map(|pinned| pinned.number);
    let mut entries = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for (place, version) in all.iter().enumerate() {
            let newest = place + 1 == all.len();
            let before = place.checked_sub(1).map(|before| all[before]);
            entry(ui, version, (before, newest, pinned == Some(version.number)), actions);
        }
    };
    if all.len() < 2 {
        entries(&mut line);
        let words = "Each edit adds its picture here. Click a picture to go back to its text.";
        line.add(egui::Label::new(theme::caption(&line, words)).wrap());
        return;
    }
    let scroll = egui::ScrollArea::horizontal().id_salt("versions").auto_shrink(false).stick_to_right(true);
    scroll.show(&mut line, |ui| ui.horizontal_top(entries));
}

fn entry(
    ui: &mut Ui,
    version: &Version,
    (before, newest, pinned): (Option<&Version>, bool, bool),
    actions: &mut Vec<Action>,
) {
    let palette = theme::palette(ui);
    let size = version.thumbnail.size_vec2();
    let width = (PICTURE * size.x / size.y.max(1.0)).clamp(24.0, 96.0);
    let (rect, response) = ui.allocate_exact_size(vec2(width, PICTURE + 16.0), Sense::click());
    let name = format!("Version {}", version.number);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, name.clone()));
    let picture = Rect::from_min_size(rect.min, vec2(width, PICTURE));
    paint_image(ui.painter(), &version.thumbnail, picture);
    let (stroke, kind) = if pinned {
        (Stroke::new(2.0, palette.warning), StrokeKind::Outside)
    } else if newest {
        (Stroke::new(2.0, palette.accent), StrokeKind::Outside)
    } else if response.hovered() {
        (Stroke::new(1.0, palette.text), StrokeKind::Outside)
    } else {
        (Stroke::new(1.0, palette.line_strong), StrokeKind::Inside)
    };
    ui.painter().rect_stroke(picture, 2.0, stroke, kind);
    let caption = if pinned { format!("{} pinned", version.number) } else { version.number.to_string() };
    let below = pos2(picture.center().x, picture.bottom() + 2.0);
    let color = if pinned { palette.warning } else { palette.text_weak };
    ui.painter().text(below, egui::Align2::CENTER_TOP, caption, egui::FontId::proportional(10.5), color);
    let clicked = response.clicked();
    response.context_menu(|ui| {
        if ui.add_enabled(!newest, egui::Button::new("Go back to this text")).clicked() {
            actions.push(Action::RestoreVersion(version.number));
            ui.close();
        }
        let pin = ui.add_enabled(version.can_be_pinned(), egui::Button::new("Pin for comparison"));
        let pin = pin.on_disabled_hover_text("This picture is no longer kept");
        if pin.clicked() {
            actions.push(Action::PinVersion(version.number));
            ui.close();
        }
    });
    if clicked && !newest {
        actions.push(Action::RestoreVersion(version.number));
    }
    response.on_hover_ui(|ui| {
        ui.set_max_width(360.0);
        ui.label(theme::heading(ui, name));
        let change = before.and_then(|before| before.first_difference(&version.texts));
        ui.label(match change {
            Some((part, line, text)) => change_words(part, line, text),
            None => "As opened".to_owned(),
        });
        let hint = if newest {
            "The current text"
        } else {
            "Click to go back to this text. Undo brings the current text back."
        };
        ui.label(theme::caption(ui, hint));
    });
}

fn change_words(part: Part, line: usize, text: &str) -> String {
    let text: String = text.chars().take(60).collect();
    if text.is_empty() {
        format!("{part}, line {line}: now empty")
    } else {
        format!("{part}, line {line}: {text}")
    }
}
