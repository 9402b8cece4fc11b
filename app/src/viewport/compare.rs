//! Compares the picture with a pinned version: with a slider, by flickering, or as a map of the difference.

use super::map::BAR_HEIGHT;
use super::{bar_content, paint_image};
use crate::command::{Action, Command};
use crate::icons::Icon;
use crate::model::{Compare, Document};
use crate::state::State;
use crate::theme;
use crate::versions::Pinned;
use crate::widgets::{self, OnClick as _};
use egui::{Align, Align2, Layout, Rect, Sense, Stroke, pos2, vec2};
use std::time::Duration;

/// Time that each picture is visible while the two flicker.
const FLICKER: Duration = Duration::from_millis(500);
/// Width of the slider's handle, in points.
const GRIP: f32 = 12.0;

/// Height of the bar.
pub const HEIGHT: f32 = BAR_HEIGHT;

/// Shows the bar with the pinned version and the ways to compare.
pub fn bar(ui: &mut egui::Ui, state: &State, document: &Document, rect: Rect, actions: &mut Vec<Action>) {
    let Some(pinned) = state.view.versions.get(document.id).and_then(|versions| versions.pinned()) else {
        return;
    };
    let palette = theme::palette(ui);
    let builder = egui::UiBuilder::new().layout(Layout::right_to_left(Align::Center));
    let mut line = bar_content(ui, (rect, rect.bottom() - 0.5), vec2(10.0, 3.0), builder);
    line.spacing_mut().item_spacing.x = 8.0;
    let unpin = Command::UnpinVersion;
    let tooltip = unpin.tooltip(line.ctx());
    widgets::icon_button(&mut line, Icon::Close, &tooltip, true).on_click(unpin, actions);
    line.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let title = format!("Version {}", pinned.number);
        ui.label(egui::RichText::new(title).font(theme::strong_font(12.0)).color(palette.warning));
        let ways = [
            (Compare::Off, "Off", "Show only the current picture"),
            (
                Compare::Slider(0.5),
                "Slider",
                "Show the pinned picture on the left, the current one on the right",
            ),
            (Compare::Flicker, "Flicker", "Alternate between the two pictures"),
        ];
        let kind =
            |compare: Compare| if let Compare::Slider(_) = compare { Compare::Slider(0.5) } else { compare };
        if let Some(compare) = widgets::segmented(ui, kind(document.compare), &ways) {
            actions.push(Action::SetCompare(compare));
        }
        let difference = Command::MapDifference;
        let is_on = document.map.map.is_some_and(|map| map.command() == difference);
        let button = ui.add(egui::Button::selectable(is_on, difference.info().label));
        if button.on_hover_text(difference.tooltip(ui.ctx())).clicked() {
            actions.push(if is_on { Command::MapNone.into() } else { difference.into() });
        }
        if Some(pinned.frame.size()) != document.shown.as_ref().map(|shown| shown.frame.size()) {
            let words = "The sizes differ, so the pictures cannot be compared.";
            ui.add(egui::Label::new(theme::caption(ui, words).color(palette.warning)).truncate());
        }
    });
}

/// Paints the pinned version over the current picture, where `compare` shows it.
pub fn paint(
    ui: &egui::Ui,
    pinned: &Pinned,
    compare: Compare,
    (area, picture): (Rect, Rect),
    actions: &mut Vec<Action>,
) {
    let painter = ui.painter_at(area);
    let show = |clip: Rect| {
        paint_image(&painter.with_clip_rect(clip.intersect(area)), &pinned.texture, picture);
    };
    let palette = theme::palette(ui);
    match compare {
        Compare::Off => {}
        Compare::Flicker => {
            let time = ui.input(|input| input.time);
            let turn = (time / FLICKER.as_secs_f64()) as u64;
            let words = if turn.is_multiple_of(2) {
                show(area);
                format!("version {}", pinned.number)
            } else {
                "now".to_owned()
            };
            let place = picture.intersect(area).left_top() + vec2(6.0, 6.0);
            tag(&painter, place, Align2::LEFT_TOP, &words, palette);
            ui.ctx().request_repaint_after(FLICKER);
        }
        Compare::Slider(part) => {
            let x = picture.left() + picture.width() * part;
            show(Rect::from_x_y_ranges(area.left()..=x, area.y_range()));
            let seen = picture.intersect(area);
            let grip = Rect::from_center_size(pos2(x, seen.center().y), vec2(GRIP, seen.height()));
            let id = ui.scope_id().with("compare slider");
            let response = ui.interact(grip, id, Sense::click_and_drag());
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Compare slider"));
            if response.hovered() || response.dragged() {
                ui.set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
            }
            if let (true, Some(pos)) = (response.dragged(), response.interact_pointer_pos()) {
                let part = ((pos.x - picture.left()) / picture.width().max(1.0)).clamp(0.0, 1.0);
                actions.push(Action::SetCompare(Compare::Slider(part)));
            }
            painter.vline(x, seen.y_range(), Stroke::new(3.0, palette.on_accent));
            painter.vline(x, seen.y_range(), Stroke::new(1.5, palette.accent));
            painter.circle(grip.center(), 6.0, palette.accent, Stroke::new(1.5, palette.on_accent));
            let top = seen.top() + 6.0;
            let words = format!("version {}", pinned.number);
            tag(&painter, pos2(x - 8.0, top), Align2::RIGHT_TOP, &words, palette);
            tag(&painter, pos2(x + 8.0, top), Align2::LEFT_TOP, "now", palette);
        }
    }
}

fn tag(painter: &egui::Painter, pos: egui::Pos2, align: Align2, words: &str, palette: &theme::Palette) {
    let galley = painter.layout_no_wrap(words.to_owned(), theme::caption_font(), palette.text_strong);
    let rect = align.anchor_size(pos, galley.size() + vec2(8.0, 4.0));
    painter.rect_filled(rect, 3.0, palette.panel.gamma_multiply(0.85));
    painter.galley(rect.min + vec2(4.0, 2.0), galley, palette.text_strong);
}
