//! The inputs panel: parameters, subroutines, textures, buffers and images, geometry, camera, size and the
//! state of the draw. For vertex programs also matrices, the registers that track them, the parameter file,
//! inputs of state programs and clip distances.

mod blending;
mod geometry;
mod lighting;
mod memory;
mod parameters;
mod registers;
mod state;
mod subroutines;
mod textures;
mod tracks;

pub use textures::Previews;
pub(crate) use tracks::{refuse_parameter, refuse_track};

use crate::command::Action;
use crate::model::{Document, ResetSubject};
use crate::state::State;
use crate::theme;
use crate::widgets::{self, AtFirst};
use egui::{Rect, Stroke, Ui};

/// Height of the panel's controls, in points.
const FIELD_HEIGHT: f32 = 22.0;
/// Least width of a number field, in points. `-0.0001` fits.
const LEAST_FIELD: f32 = 58.0;
/// Width from which parameters are beside the rest, in points.
const SIDE_BY_SIDE: f32 = 600.0;

/// The reason why the programs' inputs are unknown, or `None` if they are known.
fn why_unknown(document: &Document) -> Option<&'static str> {
    if !document.is_loaded() {
        return Some("The program is still loading.");
    }
    let has_errors = document.programs().iter().any(|(_, text)| text.program().is_none());
    has_errors.then_some("A program has errors. Its inputs appear here when you have fixed them.")
}

pub fn show(ui: &mut Ui, state: &State, previews: &mut Previews, actions: &mut Vec<Action>) {
    let Some(document) = state.document() else { return };
    let area = ui.available_rect_before_wrap();
    if area.width() >= SIDE_BY_SIDE {
        let (left, right) = area.split_left_right_at_fraction(0.5);
        column(ui, left, "inputs left", |ui| {
            parameters::show(ui, document, actions);
            subroutines::show(ui, document, actions);
            registers::show(ui, document, actions);
            tracks::show(ui, document, actions);
        });
        ui.painter().vline(right.left(), right.y_range(), Stroke::new(1.0, theme::palette(ui).line));
        column(ui, right, "inputs right", |ui| {
            textures::show(ui, document, previews, actions);
            memory::show(ui, document, actions);
            geometry::show(ui, document, actions);
            lighting::show(ui, document, actions);
            state::show(ui, document, actions);
        });
    } else {
        column(ui, area, "inputs all", |ui| {
            parameters::show(ui, document, actions);
            subroutines::show(ui, document, actions);
            textures::show(ui, document, previews, actions);
            memory::show(ui, document, actions);
            geometry::show(ui, document, actions);
            lighting::show(ui, document, actions);
            state::show(ui, document, actions);
            registers::show(ui, document, actions);
            tracks::show(ui, document, actions);
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

/// Shows the heading of a section.
fn section(ui: &mut Ui, title: &str) {
    ui.label(theme::heading(ui, title));
    ui.add_space(2.0);
}

/// A section that folds, with a summary beside its title.
fn folding(ui: &mut Ui, title: &str, summary: &str, at_first: AtFirst, add: impl FnOnce(&mut Ui)) {
    widgets::folding(ui, (title, summary), (at_first, theme::strong_font(13.5)), add);
}

/// A button of a row, without a frame.
fn small_button(ui: &Ui, words: &str) -> egui::Button<'static> {
    let label = egui::RichText::new(words).font(theme::caption_font()).color(theme::palette(ui).text_weak);
    egui::Button::new(label).small().frame_when_inactive(false)
}

/// A small button that restores the scene's values.
fn reset_button(ui: &mut Ui, name: &str, hint: &str) -> bool {
    let response = ui.add(small_button(ui, "Reset"));
    widgets::named(response, name).on_hover_text(hint).clicked()
}

/// A small button that resets `subject`, shown if it differs from the saved scene. `what` names its value.
fn reset(
    ui: &mut Ui,
    document: &Document,
    subject: ResetSubject,
    (name, what): (&str, &str),
    actions: &mut Vec<Action>,
) {
    let hint = format!("Reset to the saved {what}");
    if document.differs(&subject) && reset_button(ui, &format!("Reset {name}"), &hint) {
        actions.push(Action::Reset(subject));
    }
}

/// A menu that selects one value by its GL name.
fn choices<T: Copy + PartialEq>(ui: &mut Ui, name: &str, value: &mut T, all: &[(T, &str)], width: f32) {
    let current = all.iter().find(|(other, _)| other == value).map_or("set by the scene", |(_, name)| name);
    let text = egui::RichText::new(current).font(theme::caption_font());
    make_room(ui, width + 2.0 * ui.spacing().button_padding.x);
    let list = egui::ComboBox::from_id_salt(name).selected_text(text).width(width).truncate();
    let response = list.show_ui(ui, |ui| {
        for (other, words) in all {
            if ui.selectable_label(other == value, *words).clicked() {
                *value = *other;
            }
        }
    });
    widgets::named(response.response, name);
}

/// A row with a caption. Controls that do not fit wrap to the next line.
fn row(ui: &mut Ui, caption: &str, add: impl FnOnce(&mut Ui)) {
    ui.push_id(caption, |ui| {
        ui.horizontal_wrapped(|ui| {
            caption_cell(ui, caption);
            ui.spacing_mut().item_spacing.x = 6.0;
            add(ui);
        });
    });
}

/// Wraps to the next line if a control of this width does not fit. Menus and number fields do not wrap by
/// themselves.
fn make_room(ui: &mut Ui, width: f32) {
    if ui.available_size_before_wrap().x < width {
        ui.end_row();
    }
}

/// The width of each of `count` fields that share the rest of a row: at most `most`, and wide enough for a
/// short number. Four fields have less space between them.
fn cells(ui: &mut Ui, count: usize, most: f32) -> f32 {
    if count > 3 {
        ui.spacing_mut().item_spacing.x = 4.0;
    }
    let gaps = ui.spacing().item_spacing.x * (count as f32 - 1.0);
    ((ui.available_size_before_wrap().x - gaps) / count as f32).clamp(LEAST_FIELD.min(most), most)
}

/// A caption of fixed width, so that controls line up in a column.
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
