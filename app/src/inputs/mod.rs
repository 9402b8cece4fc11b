//! The inputs panel: parameters, textures, geometry, camera and size.

mod geometry;
mod parameters;
mod textures;

pub use textures::Previews;

use crate::app::State;
use crate::command::Action;
use crate::theme;
use egui::{Rect, Stroke, Ui};

/// Height of the panel's controls, in points.
const FIELD_HEIGHT: f32 = 22.0;
/// Width, in points, from which parameters stand beside the rest.
const SIDE_BY_SIDE: f32 = 600.0;

/// The panel.
pub fn show(ui: &mut Ui, state: &mut State, actions: &mut Vec<Action>) {
    let State { documents, active, previews, .. } = state;
    let Some(document) = documents.get(*active) else { return };
    let area = ui.available_rect_before_wrap();
    if area.width() >= SIDE_BY_SIDE {
        let (left, right) = area.split_left_right_at_fraction(0.5);
        column(ui, left, "inputs left", |ui| parameters::show(ui, document, actions));
        ui.painter().vline(right.left(), right.y_range(), Stroke::new(1.0, theme::palette(ui).line));
        column(ui, right, "inputs right", |ui| {
            textures::show(ui, document, previews, actions);
            geometry::show(ui, document, actions);
        });
    } else {
        column(ui, area, "inputs all", |ui| {
            parameters::show(ui, document, actions);
            textures::show(ui, document, previews, actions);
            geometry::show(ui, document, actions);
        });
    }
    ui.advance_cursor_after_rect(area);
}

fn column(ui: &mut Ui, rect: Rect, salt: &str, add: impl FnOnce(&mut Ui)) {
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt(salt));
    inner.shrink_clip_rect(rect);
    egui::ScrollArea::vertical().id_salt(salt).auto_shrink(false).show(&mut inner, |ui| {
        egui::Frame::new().inner_margin(egui::Margin::symmetric(14, 10)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().interact_size.y = FIELD_HEIGHT;
            ui.spacing_mut().button_padding.y = 1.0;
            add(ui);
        });
    });
}

/// The title of a part of the panel.
fn section(ui: &mut Ui, title: &str) {
    ui.label(theme::heading(ui, title));
    ui.add_space(2.0);
}

/// A caption of fixed width, so that controls stand in a column.
fn caption_cell(ui: &mut Ui, text: &str) {
    let (rect, response) = ui.allocate_exact_size(egui::vec2(84.0, FIELD_HEIGHT), egui::Sense::hover());
    let palette = theme::palette(ui);
    ui.painter().with_clip_rect(rect.intersect(ui.clip_rect())).text(
        rect.left_center(),
        egui::Align2::LEFT_CENTER,
        text,
        egui::FontId::proportional(12.5),
        palette.text_weak,
    );
    response.on_hover_text(text);
}
