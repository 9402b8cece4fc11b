//! The picture in full-screen mode. The program's mouse, the camera and time work as in the window.

use super::{move_mouse, orbit, paint_image};
use crate::command::{Action, Command};
use crate::model::Document;
use crate::scene::SceneEdit;
use crate::state::State;
use crate::theme;
use crate::widgets::menu;
use egui::{Align2, Color32, CornerRadius, Key, Modifiers, PointerButton, Rect, Sense, Vec2, pos2, vec2};

/// Time that the hint is visible, in seconds.
const HINT_SECS: f64 = 4.0;
/// Time at the end of [`HINT_SECS`] in which the hint fades, in seconds.
const FADE_SECS: f64 = 0.6;

/// Shows the picture over the whole of `ui`.
pub fn show(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    let area = ui.max_rect();
    ui.painter().rect_filled(area, 0.0, Color32::BLACK);
    let leaves = || ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    if !state.is_covered() && leaves() {
        actions.push(Command::FullScreen.into());
    }
    if let Some(document) = state.document() {
        picture(ui, state, document, area, actions);
    }
    hint(ui, state, area);
}

fn picture(ui: &egui::Ui, state: &State, document: &Document, area: Rect, actions: &mut Vec<Action>) {
    let size = document.shown.as_ref().map_or(document.scene.size, |shown| shown.frame.size());
    let picture = fitted(area, size);
    let response = ui.interact(area, ui.scope_id().with("picture alone"), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Full-screen picture"));
    if let Some((texture, _)) = state.view.pictures.get(document.id) {
        paint_image(ui.painter(), texture, picture);
    }
    move_mouse(ui, state, &response, picture, actions);
    let drag = response.drag_delta();
    if response.dragged_by(PointerButton::Primary) && drag != Vec2::ZERO && document.has_mesh() {
        actions.push(Action::EditScene(SceneEdit::Camera(orbit(document.scene.camera, drag))));
    }
    let groups: [&[Command]; 2] = [
        &[Command::PlayPause, Command::StepTime, Command::ResetTime],
        &[Command::CopyPicture, Command::FullScreen],
    ];
    menu::context(&response, state, &groups, actions, |_, _| {});
}

/// The largest rectangle in `area` for a picture of `size` pixels.
fn fitted(area: Rect, size: [u32; 2]) -> Rect {
    let size = vec2(size[0] as f32, size[1] as f32);
    let scale = (area.width() / size.x).min(area.height() / size.y);
    Rect::from_center_size(area.center(), size * scale)
}

/// Shows for a short time how to leave full-screen mode.
fn hint(ui: &egui::Ui, state: &State, area: Rect) {
    let Some(full_screen) = state.view.full_screen else { return };
    let left = full_screen.since + HINT_SECS - ui.input(|input| input.time);
    if left <= 0.0 {
        return;
    }
    let strength = (left / FADE_SECS).min(1.0) as f32;
    let place = ui.painter().layout_no_wrap(
        "Press Escape to leave full screen".to_owned(),
        theme::strong_font(14.0),
        Color32::WHITE.gamma_multiply(strength),
    );
    let center = pos2(area.center().x, area.bottom() - 48.0);
    let rect = Align2::CENTER_CENTER.anchor_size(center, place.size());
    let ground = Color32::from_black_alpha(190).gamma_multiply(strength);
    ui.painter().rect_filled(rect.expand2(vec2(16.0, 9.0)), CornerRadius::same(8), ground);
    ui.painter().galley(rect.min, place, Color32::WHITE);
    let next = if left > FADE_SECS { left - FADE_SECS } else { 0.0 };
    ui.ctx().request_repaint_after(std::time::Duration::from_secs_f64(next));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_picture_fills_the_screen() {
        let area = Rect::from_min_max(pos2(0.0, 0.0), pos2(1280.0, 800.0));
        for (size, width, height) in
            [([512, 512], 800.0, 800.0), ([16, 9], 1280.0, 720.0), ([1, 1], 800.0, 800.0)]
        {
            let rect = fitted(area, size);
            assert_eq!((rect.size(), rect.center()), (vec2(width, height), area.center()), "{size:?}");
        }
    }
}
