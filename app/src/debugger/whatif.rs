//! What if a component held something else: the field that its value is typed into, and the band over a changed run.

use super::DebugSession;
use super::traced::name_of;
use super::verdict;
use crate::command::{Action, Command};
use crate::debugger::Question;
use crate::format::{self, ValueFormat, letters};
use crate::icons::Icon;
use crate::shell::widgets;
use crate::theme;
use egui::{Ui, vec2};
use shadestep_engine::debug::Edit;
use shadestep_engine::debug::expression::Place;
use shadestep_engine::ir::{Components, Type, singles};

/// Width of the band, in points, from which its button has words.
const ROOMY: f32 = 300.0;

/// The field for a component of the register whose row has just been shown, if that is the one that is being changed.
pub fn field(
    ui: &mut Ui,
    (name, place): (&str, Place),
    (bits, types): (Components, [Type; 4]),
    (format, edited): (ValueFormat, Option<Edit>),
    actions: &mut Vec<Action>,
) {
    let Some(edit) = edited.filter(|edit| edit.place == place) else { return };
    let palette = theme::palette(ui);
    let c = usize::from(edit.component & 3);
    let shown = format.read(bits, types);
    let (value, ty) =
        shown[c].filter(|(_, ty)| ty.is_wide() == types[c].is_wide()).unwrap_or((bits[c], types[c]));
    let id = egui::Id::unique(("what if", place, edit.component, edit.position));
    // What was typed in another field at this place, which has been closed since, is gone.
    let frame = ui.ctx().cumulative_frame_nr();
    let typed = ui.data(|data| data.get_temp::<(u64, String)>(id));
    let typed = typed.filter(|(last, _)| last + 1 >= frame).map(|(_, text)| text);
    let is_new = typed.is_none();
    let mut text = typed.unwrap_or_else(|| format.show(value, ty));
    let close = |ui: &Ui, actions: &mut Vec<Action>| {
        ui.data_mut(|data| data.remove::<(u64, String)>(id));
        actions.push(Action::EditValue(None));
    };
    egui::Frame::new()
        .fill(palette.accent_wash)
        .corner_radius(4.0)
        .inner_margin(egui::Margin::symmetric(6, 4))
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                let label = format!("What if {name}.{}", letters(1 << c));
                ui.label(theme::caption(ui, format!("{label} were")).color(palette.text));
                let edit_field =
                    egui::TextEdit::singleline(&mut text).font(theme::table_font()).desired_width(96.0);
                let response = ui.add(edit_field);
                response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, &label));
                if is_new {
                    response.request_focus();
                }
                let response = response.on_hover_text("A number, bits as 0x3f800000, nan, inf or -inf");
                let entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
                let parsed = format::parse(&text, ty);
                ui.data_mut(|data| data.insert_temp(id, (frame, text.clone())));
                let try_it = ui.add_enabled(parsed.is_some(), egui::Button::new("Try").small());
                let is_tried = try_it.on_disabled_hover_text("This is no value of this type").clicked();
                if let Some(bits) = parsed.filter(|_| entered || is_tried) {
                    actions.push(Action::Inquire(Question::Try(Edit { bits, ..edit })));
                    close(ui, actions);
                } else if ui.add(egui::Button::new("Cancel").small()).clicked()
                    || ui.input(|input| input.key_pressed(egui::Key::Escape))
                {
                    close(ui, actions);
                }
            });
        });
    ui.add_space(3.0);
}

/// What says that a changed run is stepped through, what came of it, and the way back.
pub fn band(ui: &mut Ui, session: &DebugSession, actions: &mut Vec<Action>) {
    let (Some(changed), Some(program)) = (session.changed(), session.program()) else { return };
    let name = format!("{}.{}", name_of(program, changed.edit.place), letters(1 << changed.edit.component));
    let line = changed.first_pc.and_then(|pc| session.line_of(pc));
    let words = match (changed.differing, line) {
        (0, _) => format!("{name} was changed: no step does anything else"),
        (1, Some(line)) => format!("{name} was changed: 1 step differs, at line {}", line + 1),
        (count, Some(line)) => {
            format!(
                "{name} was changed: {} steps differ, first at line {}",
                format::count(count as u64),
                line + 1
            )
        }
        (count, None) => format!("{name} was changed: {} steps differ", format::count(count as u64)),
    };
    widgets::band(ui, widgets::Tone::Warning, "This is a changed run", |ui| {
        let (info, tooltip) = (Command::LeaveChanged.info(), Command::LeaveChanged.tooltip(ui.ctx()));
        let left = if ui.available_width() >= ROOMY {
            widgets::button(ui, info.label).on_hover_text(tooltip)
        } else {
            widgets::icon_button(ui, Icon::Close, &tooltip, true)
        };
        if left.clicked() {
            actions.push(Command::LeaveChanged.into());
        }
    });
    super::frame(ui, 3, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.add_space(4.0);
            ui.label(words);
        });
        ui.add_space(2.0);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 2.0);
            ui.add_space(4.0);
            if let Some(first) = changed.first {
                let button = ui.add(egui::Button::new("First difference").small());
                if button.on_hover_text("Go to the first step that differs").clicked() {
                    actions.push(Action::Seek(first));
                }
            }
            let (Some(recorded), Some(now)) = (changed.recording(), session.recording()) else { return };
            let number = session.request.job.output_color;
            let Some((index, output)) = verdict::output_shown(program, number) else { return };
            let frame_format = session.request.frame.color_format();
            for (what, run) in [("recorded", recorded), ("changed", now)] {
                let bits = run.outputs.get(index).copied().unwrap_or_default();
                let [r, g, b, _] = frame_format.shown(singles(bits));
                let color = egui::Color32::from_rgb(r, g, b);
                let decimals = format::decimals(bits, [program.outputs[index].ty; 4]);
                widgets::swatch(ui, color, vec2(22.0, 14.0)).on_hover_text(&decimals);
                let killed = if run.killed { ", discarded" } else { "" };
                ui.label(theme::caption(ui, format!("{what}{killed}")))
                    .on_hover_text(format!("{output} at the end: {decimals}"));
            }
        });
        ui.add_space(2.0);
    });
}
