//! The time bar under the picture: a slider with the loop range, and the speed.

use super::bar_content;
use crate::command::{Action, Command};
use crate::model::{Document, Loops, Playback, TimeRange};
use crate::state::State;
use crate::theme::{self, Palette};
use crate::widgets::{self, OnClick as _, Pressed};
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Align, Color32, CornerRadius, Layout, Rect, Response, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

/// Height of the bar, in points.
pub const HEIGHT: f32 = 34.0;
/// Width of the bar from which the range has number fields, in points.
const FIELDS_FROM: f32 = 430.0;
/// Width of the bar from which the speed is visible, in points.
const SPEED_FROM: f32 = 230.0;
/// Thickness of the rail, in points.
const RAIL: f32 = 4.0;
/// Width of the draggable area of a range handle, in points.
const HANDLE: f32 = 10.0;
/// Speeds in the menu.
const SPEEDS: [f32; 7] = [0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0];

/// Shows the bar in `rect`.
pub fn show(ui: &mut Ui, state: &State, document: &Document, rect: Rect, actions: &mut Vec<Action>) {
    let builder = egui::UiBuilder::new().id_salt("time bar").layout(Layout::right_to_left(Align::Center));
    let mut bar = bar_content(ui, (rect, rect.top() + 0.5), vec2(10.0, 0.0), builder);
    let width = bar.max_rect().width();
    bar.spacing_mut().item_spacing.x = 6.0;
    bar.spacing_mut().interact_size.y = 22.0;
    bar.spacing_mut().button_padding.y = 1.0;
    if !state.is_animated() {
        bar.disable();
    }
    let mut playback = document.playback;
    let has_fields = width >= FIELDS_FROM;
    if width >= SPEED_FROM {
        speed(&mut bar, &mut playback, has_fields);
    }
    if playback.loops == Loops::Yes && has_fields {
        range_fields(&mut bar, &mut playback.range);
    }
    loop_button(&mut bar, state, playback, actions);
    slider(&mut bar, state, &mut playback, actions);
    if playback != document.playback {
        actions.push(Action::SetPlayback(playback));
    }
}

/// The speed menu: a list, and a field below it. If the bar has no fields for the ends of the range, the menu
/// has them.
fn speed(ui: &mut Ui, playback: &mut Playback, has_fields: bool) {
    let words = |speed: f32| format!("{speed}×");
    let text = egui::RichText::new(words(playback.speed)).font(theme::caption_font());
    // The menu stays open when the user clicks into the field.
    let config = MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    let (response, _) = MenuButton::new(text).config(config).ui(ui, |ui| {
        ui.set_min_width(110.0);
        for speed in SPEEDS {
            if ui.selectable_label(speed == playback.speed, words(speed)).clicked() {
                playback.speed = speed;
                ui.close();
            }
        }
        ui.separator();
        let field = egui::DragValue::new(&mut playback.speed)
            .range(Playback::SPEEDS)
            .speed(0.01)
            .max_decimals(2)
            .update_while_editing(false)
            .suffix("×");
        widgets::named(ui.add_sized(vec2(ui.available_width(), 22.0), field), "Custom playback speed");
        if playback.loops == Loops::Yes && !has_fields {
            ui.separator();
            let row = vec2(150.0, 22.0);
            let layout = Layout::right_to_left(Align::Center);
            ui.allocate_ui_with_layout(row, layout, |ui| range_fields(ui, &mut playback.range));
        }
    });
    hinted(response, "Playback speed", "Choose how fast time runs");
}

/// Fields for the ends of the range. The bar's layout runs from the right, so the end comes first.
fn range_fields(ui: &mut Ui, range: &mut TimeRange) {
    ui.style_mut().override_font_id = Some(theme::caption_font());
    let field = |ui: &mut Ui, value: &mut f32, name: &str| {
        let field = egui::DragValue::new(value)
            .range(0.0..=Playback::LATEST)
            .speed(0.02)
            .fixed_decimals(2)
            .update_while_editing(false)
            .suffix(" s");
        let response = ui.add_sized(vec2(58.0, 22.0), field);
        hinted(response, name, "Drag to change it, or click to type");
    };
    field(ui, &mut range.end, "End of the loop");
    ui.spacing_mut().item_spacing.x = 4.0;
    ui.label(theme::caption(ui, "to"));
    field(ui, &mut range.start, "Start of the loop");
    ui.spacing_mut().item_spacing.x = 6.0;
    ui.style_mut().override_font_id = None;
}

fn loop_button(ui: &mut Ui, state: &State, playback: Playback, actions: &mut Vec<Action>) {
    let command = Command::ToggleLoop;
    let Some(icon) = command.info().icon else { return };
    let pressed = if playback.loops == Loops::Yes { Pressed::Yes } else { Pressed::No };
    let tooltip = command.tooltip(ui.ctx());
    widgets::toggle_icon_button(ui, icon, &tooltip, command.enabled(state), pressed)
        .on_click(command, actions);
}

/// Maps times to x coordinates on the screen.
#[derive(Clone, Copy)]
struct Scale {
    left: f32,
    width: f32,
    span: f32,
}

impl Scale {
    fn x(self, time: f32) -> f32 {
        self.left + self.width * (time / self.span).clamp(0.0, 1.0)
    }

    fn time(self, x: f32) -> f32 {
        ((x - self.left) / self.width).clamp(0.0, 1.0) * self.span
    }
}

/// Shows the slider in the remaining width of the bar.
fn slider(ui: &mut Ui, state: &State, playback: &mut Playback, actions: &mut Vec<Action>) {
    let time = state.clock.time_secs;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width().max(40.0), HEIGHT - 4.0), Sense::click_and_drag());
    let id = ui.scope_id().with("span");
    // The scale does not change during a drag.
    let held = ui.data(|data| data.get_temp::<f32>(id));
    let span = held.unwrap_or_else(|| playback.span(time));
    let scale = Scale { left: rect.left() + HANDLE, width: (rect.width() - 2.0 * HANDLE).max(1.0), span };
    let enabled = ui.is_enabled();
    let ends = (playback.loops == Loops::Yes).then(|| range_handles(ui, rect, scale, &mut playback.range));
    let dragged = ends.as_ref().is_some_and(|ends| ends.iter().any(Response::dragged));
    let presses = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
    let mut shown = time;
    if let Some(pos) = response.interact_pointer_pos().filter(|_| enabled && presses) {
        shown = scale.time(pos.x);
        if shown != time {
            actions.push(Action::SetTime(shown));
        }
    }
    ui.data_mut(|data| {
        data.remove::<f32>(id);
        if presses || dragged {
            data.insert_temp(id, span);
        }
    });
    nudge(ui, &response, time, actions);
    response.widget_info(|| egui::WidgetInfo::slider(enabled, f64::from(shown), "Time slider"));
    let range = (playback.loops == Loops::Yes).then_some(playback.range);
    paint(ui, (rect, scale), shown, range, &response);
    let hint = match response.hover_pos() {
        Some(pos) => format!("Go to {:.2} s of {span} s", scale.time(pos.x)),
        None => String::new(),
    };
    response.on_hover_text_at_pointer(hint).on_disabled_hover_text(widgets::TIME_NOT_SEEN);
}

/// The arrow keys move time by one frame, or by one second with Shift.
fn nudge(ui: &Ui, response: &Response, time: f32, actions: &mut Vec<Action>) {
    if !response.has_focus() {
        return;
    }
    let filter = egui::EventFilter { horizontal_arrows: true, ..egui::EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let steps = ui.input(|input| {
        let pressed = |key| input.num_presses(key) as f32;
        let size = if input.modifiers.shift { 1.0 } else { 1.0 / 60.0 };
        (pressed(egui::Key::ArrowRight) - pressed(egui::Key::ArrowLeft)) * size
    });
    if steps != 0.0 {
        actions.push(Action::SetTime((time + steps).clamp(0.0, Playback::LATEST)));
    }
}

/// Draggable handles at the ends of the range. They cannot pass each other.
fn range_handles(ui: &Ui, rect: Rect, scale: Scale, range: &mut TimeRange) -> [Response; 2] {
    let names = ["Loop start handle", "Loop end handle"];
    let mut times = [range.start, range.end];
    let handles = std::array::from_fn(|end| {
        // The handles lie outside the range, so that they do not cover each other.
        let x = scale.x(times[end]) + if end == 0 { -HANDLE / 2.0 } else { HANDLE / 2.0 };
        let place = Rect::from_center_size(pos2(x, rect.center().y), vec2(HANDLE, rect.height()));
        let response = ui.interact(place, ui.scope_id().with(names[end]), Sense::click_and_drag());
        let enabled = ui.is_enabled();
        response.widget_info(|| egui::WidgetInfo::slider(enabled, f64::from(times[end]), names[end]));
        if let Some(pos) = response.interact_pointer_pos().filter(|_| response.dragged()) {
            times[end] = scale.time(pos.x);
        }
        if response.hovered() || response.dragged() {
            ui.set_cursor_icon(egui::CursorIcon::ResizeHorizontal);
        }
        response.on_hover_text(format!("{} of the loop: {:.2} s", ["Start", "End"][end], times[end]))
    });
    range.start = times[0].min(range.end - Playback::SHORTEST).max(0.0);
    range.end = times[1].max(range.start + Playback::SHORTEST);
    handles
}

fn paint(ui: &Ui, (rect, scale): (Rect, Scale), time: f32, range: Option<TimeRange>, response: &Response) {
    let palette = theme::palette(ui);
    let painter = ui.painter();
    let faded = |color: Color32| if ui.is_enabled() { color } else { color.gamma_multiply(0.5) };
    let rail = |from: f32, to: f32| {
        Rect::from_min_max(pos2(from, rect.center().y - RAIL / 2.0), pos2(to, rect.center().y + RAIL / 2.0))
    };
    let whole = rail(scale.left, scale.left + scale.width);
    painter.rect_filled(whole, 2.0, faded(palette.line_strong));
    match range {
        Some(range) => {
            let (from, to) = (scale.x(range.start), scale.x(range.end));
            painter.rect_filled(rail(from, to), 0.0, faded(palette.accent.gamma_multiply(0.55)));
            paint_handle(painter, pos2(from, rect.center().y), -1.0, faded(palette.accent));
            paint_handle(painter, pos2(to, rect.center().y), 1.0, faded(palette.accent));
        }
        None => {
            painter.rect_filled(rail(scale.left, scale.x(time)), 2.0, faded(palette.accent));
        }
    }
    knob(painter, pos2(scale.x(time), rect.center().y), palette, response, ui.is_enabled());
}

/// Paints a bracket that opens towards the range.
fn paint_handle(painter: &egui::Painter, at: egui::Pos2, outward: f32, color: Color32) {
    let rect = Rect::from_two_pos(at + vec2(0.0, -8.0), at + vec2(outward * 5.0, 8.0));
    painter.rect_filled(rect, CornerRadius::same(2), color);
}

fn knob(painter: &egui::Painter, at: egui::Pos2, palette: &Palette, response: &Response, enabled: bool) {
    let fill = if enabled { palette.text_strong } else { palette.text_faint };
    let rect = Rect::from_center_size(at, vec2(6.0, 18.0));
    painter.rect_filled(rect, CornerRadius::same(3), fill);
    painter.rect_stroke(rect, CornerRadius::same(3), Stroke::new(1.0, palette.panel), StrokeKind::Outside);
    if response.has_focus() {
        let around = rect.expand(2.0);
        painter.rect_stroke(
            around,
            CornerRadius::same(4),
            Stroke::new(1.0, palette.accent),
            StrokeKind::Outside,
        );
    }
}

/// Names a control and gives it a tooltip: `hint`, or the reason why the control is disabled.
fn hinted(response: Response, name: &str, hint: &str) {
    widgets::named(response, name).on_hover_text(hint).on_disabled_hover_text(widgets::TIME_NOT_SEEN);
}
