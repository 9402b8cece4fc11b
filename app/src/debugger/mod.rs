//! The debugger panel: stepping through one pixel's run, with every register and every stage of the
//! current instruction.

mod registers;
mod session;
mod stages;
mod values;

pub use session::{DebugSession, Direction};

use crate::app::State;
use crate::command::{Action, Command};
use crate::format::ValueFormat;
use crate::icons::Icon;
use crate::session::{Agreement, PixelStatus};
use crate::shell::widgets;
use crate::theme;
use crate::viewport::command_button;
use egui::{Align, Layout, Rect, Sense, Stroke, vec2};

/// Width, in points, from which registers and stages stand side by side.
const SIDE_BY_SIDE: f32 = 640.0;

/// The panel.
pub fn show(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let Some(session) = &state.debug else {
        let words = match state.pending.record {
            Some(_) => "The pixel is being recorded.",
            None => {
                "Click a pixel of the picture to record what the program did for it, then step through it, forwards and back."
            }
        };
        widgets::empty_state(ui, Icon::Target, "No pixel picked", words);
        return;
    };
    header(ui, state, session, actions);
    widgets::hairline(ui);
    if session.fragment().is_none() {
        let words = "No triangle covers this pixel, so no program ran for it. It holds the clear colour.";
        widgets::empty_state(ui, Icon::Target, "Nothing was drawn here", words);
        return;
    }
    let format = state.settings.format;
    let area = ui.available_rect_before_wrap();
    if area.width() >= SIDE_BY_SIDE {
        let (left, right) = area.split_left_right_at_fraction(0.5);
        column(ui, left, "registers", |ui| registers::show(ui, session, format));
        ui.painter().vline(right.left(), right.y_range(), Stroke::new(1.0, theme::palette(ui).line));
        column(ui, right, "stages", |ui| stages::show(ui, session, format, actions));
    } else {
        column(ui, area, "both", |ui| {
            stages::show(ui, session, format, actions);
            ui.add_space(10.0);
            registers::show(ui, session, format);
        });
    }
    ui.advance_cursor_after_rect(area);
}

fn column(ui: &mut egui::Ui, rect: Rect, salt: &str, add: impl FnOnce(&mut egui::Ui)) {
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt(salt));
    inner.shrink_clip_rect(rect);
    egui::ScrollArea::vertical().id_salt(salt).auto_shrink(false).show(&mut inner, |ui| {
        egui::Frame::new().inner_margin(egui::Margin::symmetric(9, 8)).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 0.0;
            add(ui);
        });
    });
}

fn header(ui: &mut egui::Ui, state: &State, session: &DebugSession, actions: &mut Vec<Action>) {
    egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 10, top: 5, bottom: 4 }).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 1.0;
            for command in [
                Command::ToStart,
                Command::PreviousBreakpoint,
                Command::StepBack,
                Command::StepForward,
                Command::StepOver,
                Command::NextBreakpoint,
                Command::ToEnd,
                Command::ToCursor,
            ] {
                command_button(ui, command, state, actions);
            }
            ui.add_space(8.0);
            ui.label(theme::caption(ui, format!("step {} of {}", session.position(), session.len())));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                command_button(ui, Command::StopDebugging, state, actions);
                ui.add_space(6.0);
                if ui.available_width() > 250.0 {
                    let choices = ValueFormat::ALL.map(|format| (format, format.name(), format.hint()));
                    if let Some(format) = widgets::segmented(ui, state.settings.format, &choices) {
                        actions.push(Action::SetFormat(format));
                    }
                }
            });
        });
        timeline(ui, state, session, actions);
        verdict(ui, session, actions);
    });
}

/// Every position on a line, with breakpoints; click or drag to go there.
fn timeline(ui: &mut egui::Ui, state: &State, session: &DebugSession, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, "Timeline"));
    let track = rect.shrink2(vec2(7.0, 0.0));
    let count = session.len().max(1) as f32;
    let x_of = |position: usize| track.left() + track.width() * position as f32 / count;
    let y = rect.center().y;
    ui.painter().line_segment(
        [egui::pos2(track.left(), y), egui::pos2(track.right(), y)],
        Stroke::new(3.0, palette.raised),
    );
    let here = x_of(session.position());
    ui.painter()
        .line_segment([egui::pos2(track.left(), y), egui::pos2(here, y)], Stroke::new(3.0, palette.accent));
    let text = state.document().and_then(|d| d.program_text(session.text_id().slot));
    if let Some(text) = text {
        for (position, line) in session.step_lines().enumerate() {
            if text.breakpoints.contains(&line) {
                ui.painter().circle_filled(egui::pos2(x_of(position), y), 2.5, palette.error);
            }
        }
    }
    let radius = if response.hovered() || response.dragged() { 6.5 } else { 5.5 };
    ui.painter().circle(egui::pos2(here, y), radius, palette.accent, Stroke::new(2.0, palette.panel));
    if let Some(pos) = response.interact_pointer_pos() {
        let fraction = ((pos.x - track.left()) / track.width().max(1.0)).clamp(0.0, 1.0);
        let position = (fraction * count).round() as usize;
        if position != session.position() {
            actions.push(Action::Seek(position));
        }
    }
}

/// The pixel, its fragments, and whether stepping and picture agree.
fn verdict(ui: &mut egui::Ui, session: &DebugSession, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let [x, y] = session.request.pixel;
    ui.horizontal(|ui| {
        ui.set_min_height(24.0);
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.add_space(4.0);
        ui.label(theme::value(ui, format!("{x}, {y}"))).on_hover_text("The pixel, from the lower left");
        fragments(ui, session, actions);
        if let Some(fragment) = session.fragment() {
            let (words, color) = match fragment.outcome {
                PixelStatus::Written => ("written", palette.text_weak),
                PixelStatus::Empty => ("not drawn", palette.warning),
                PixelStatus::Killed => ("killed", palette.warning),
                PixelStatus::AlphaFailed => ("alpha test failed", palette.warning),
                PixelStatus::StencilFailed => ("stencil test failed", palette.warning),
                PixelStatus::DepthFailed => ("depth test failed", palette.warning),
                PixelStatus::DepthDiscarded => ("depth out of range", palette.warning),
            };
            ui.label(theme::caption(ui, words).color(color));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| agreement(ui, session));
    });
}

fn fragments(ui: &mut egui::Ui, session: &DebugSession, actions: &mut Vec<Action>) {
    let count = session.recordings.len();
    if count < 2 {
        return;
    }
    let index = session.selected();
    if widgets::icon_button(ui, Icon::ChevronLeft, "The fragment drawn before", index > 0).clicked() {
        actions.push(Action::SelectFragment(index - 1));
    }
    ui.label(theme::caption(ui, format!("fragment {} of {count}", index + 1)))
        .on_hover_text("Several triangles cover this pixel; fragments are numbered in drawing order");
    if widgets::icon_button(ui, Icon::ChevronRight, "The fragment drawn next", index + 1 < count).clicked() {
        actions.push(Action::SelectFragment(index + 1));
    }
}

/// The stored pixel beside the stepped result, from right to left.
fn agreement(ui: &mut egui::Ui, session: &DebugSession) {
    let palette = theme::palette(ui);
    let (icon, color, words) = match session.agreement {
        Agreement::Same => (Icon::Check, palette.success, "agrees bit for bit"),
        Agreement::Different { .. } => (Icon::Error, palette.error, "differs from the picture"),
    };
    let label = ui.label(theme::caption(ui, words).color(color));
    let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
    icon.paint(ui.painter(), rect, 13.0, color);
    let stored = session.request.frame.pixel(session.request.pixel);
    let stepped = session.recording().map(|recording| recording.color.map(f32::from_bits));
    // In a narrow panel the verdict alone has to do; the values are a hover away.
    let roomy = ui.available_width() > 180.0;
    if let Some(pixel) = stored.filter(|_| roomy) {
        let [r, g, b, _] = pixel.color;
        widgets::swatch(ui, widgets::color_of([r, g, b]), vec2(22.0, 14.0)).on_hover_text("The stored pixel");
        ui.label(theme::caption(ui, "stored"));
    }
    if let Some([r, g, b, _]) = stepped.filter(|_| roomy) {
        widgets::swatch(ui, widgets::color_of([r, g, b]), vec2(22.0, 14.0))
            .on_hover_text("What stepping gives");
        ui.label(theme::caption(ui, "stepped"));
    }
    label.on_hover_ui(|ui| {
        let words = |color: [f32; 4]| color.map(crate::format::float).join("  ");
        if let Some(color) = stepped {
            ui.label(format!("Stepped: {}", words(color)));
        }
        if let Some(pixel) = stored {
            ui.label(format!("Stored: {}", words(pixel.color)));
        }
        if let Agreement::Different { stepped, rendered } = session.agreement {
            let bits = |bits: [u32; 4]| bits.map(|b| format!("0x{b:08X}")).join("  ");
            ui.label(format!("Stepped bits: {}", stepped.map_or_else(|| "none".to_owned(), bits)));
            ui.label(format!("Rendered bits: {}", bits(rendered)));
            ui.label("This is a fault of Shadestep, not of the program.");
        }
    });
}
