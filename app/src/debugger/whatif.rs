//! Changed runs. Here are the fields for another value of a component or another instruction, and the band
//! above a changed run. The run itself is a [`crate::stepping::ChangedRun`].

use super::history;
use crate::command::{Action, Command};
use crate::format::{self, ValueFormat, letters};
use crate::icons::Icon;
use crate::model::Document;
use crate::session::PixelState;
use crate::stepping::{DebugSession, Question, shown_name, verdict};
use crate::theme;
use crate::widgets::{self, OnClick as _};
use egui::{Align, Layout, Ui, vec2};
use shadestep_engine::debug::expression::Place;
use shadestep_engine::debug::{Edit, Recording};
use shadestep_engine::ir::{Components, Type, single_bits, singles};

/// Minimum width of the band, in points, for a button with a label.
const ROOMY: f32 = 300.0;

/// The text typed into a field.
struct Typed {
    id: egui::Id,
    frame: u64,
    text: String,
    /// Whether the field opened in this frame.
    is_new: bool,
}

impl Typed {
    /// The text of field `id`, which starts as `first`. Text that was not kept in the previous frame belongs
    /// to a closed field and is dropped.
    fn of(ui: &Ui, id: egui::Id, first: impl FnOnce() -> String) -> Self {
        let frame = ui.ctx().cumulative_frame_nr();
        let kept = ui.data(|data| data.get_temp::<(u64, String)>(id));
        let kept = kept.filter(|(last, _)| last + 1 >= frame).map(|(_, text)| text);
        let is_new = kept.is_none();
        Self { id, frame, text: kept.unwrap_or_else(first), is_new }
    }

    fn keep(&self, ui: &Ui) {
        ui.data_mut(|data| data.insert_temp(self.id, (self.frame, self.text.clone())));
    }

    fn forget(ui: &Ui, id: egui::Id) {
        ui.data_mut(|data| data.remove::<(u64, String)>(id));
    }
}

/// The field for another value below a row, if the user edits a component of `place`.
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
    let mut typed = Typed::of(ui, id, || format.show(value, ty));
    let close = |ui: &Ui, actions: &mut Vec<Action>| {
        Typed::forget(ui, id);
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
                    egui::TextEdit::singleline(&mut typed.text).font(theme::table_font()).desired_width(96.0);
                let response = ui.add(edit_field);
                response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, &label));
                if typed.is_new {
                    response.request_focus();
                }
                let response = response.on_hover_text("A number, bits such as 0x3f800000, nan, inf or -inf");
                let entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
                let parsed = format::parse(&typed.text, ty);
                typed.keep(ui);
                let try_it = ui.add_enabled(parsed.is_some(), egui::Button::new("Try").small());
                let is_tried = try_it.on_disabled_hover_text("Not a value of this type").clicked();
                if let Some(bits) = parsed.filter(|_| entered || is_tried) {
                    actions.push(Action::Query(Question::Try(Edit { bits, ..edit })));
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

/// A band that marks a changed run, with its outcome and a button back to the recorded run.
pub fn band(ui: &mut Ui, session: &DebugSession, document: Option<&Document>, actions: &mut Vec<Action>) {
    let (Some(changed), Some(program)) = (session.changed(), session.program()) else { return };
    let what = match &changed.question {
        Question::Try(edit) => {
            let name = shown_name(program, session.text(), edit.place);
            format!("{name}.{} changed", letters(1 << edit.component))
        }
        Question::Rewrite { text, .. } => {
            let line = document.and_then(|document| changed.line_in(document));
            let line = line.map_or_else(String::new, |line| format!(" {}", line + 1));
            match text.trim() {
                "" => format!("Line{line} removed"),
                text => format!("Line{line} changed to {}", text.trim_end_matches(';')),
            }
        }
        Question::Origin(_) | Question::Reach(_) => String::new(),
    };
    let line = match (changed.first_pc, changed.first_pc.and_then(|pc| session.line_of(pc))) {
        (None, _) => "at the end".to_owned(),
        (Some(_), Some(line)) => format!("at line {}", line + 1),
        (Some(_), None) => "at a deleted line".to_owned(),
    };
    let words = match changed.alignment.differences.len() {
        0 => format!("{what}: no other difference"),
        1 => format!("{what}: 1 difference, {line}"),
        count => format!("{what}: {} differences, the first {line}", format::count(count as u64)),
    };
    widgets::band(ui, widgets::Tone::Warning, "This is a changed run", |ui| {
        let (info, tooltip) = (Command::LeaveChanged.info(), Command::LeaveChanged.tooltip(ui.ctx()));
        let left = if ui.available_width() >= ROOMY {
            widgets::button(ui, info.label).on_hover_text(tooltip)
        } else {
            widgets::icon_button(ui, Icon::Close, &tooltip, true)
        };
        left.on_click(Command::LeaveChanged, actions);
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
                button
                    .on_hover_text("Go to the first step that differs")
                    .on_click(Action::Seek(first), actions);
            }
            let (Some(recorded), Some(now)) = (changed.recording(), session.recording()) else { return };
            outcomes(ui, session, [recorded, now]);
            if let Some(pixels) = changed.pixels {
                pixels_shown(ui, session, pixels);
            }
        });
        ui.add_space(2.0);
    });
}

/// The final values of the displayed output in both runs.
fn outcomes(ui: &mut Ui, session: &DebugSession, runs: [&Recording; 2]) {
    let number = session.request.job.output_color;
    for (what, run) in ["recorded", "changed"].into_iter().zip(runs) {
        let Some((index, output)) = verdict::output_shown(run.program(), number) else { continue };
        let bits = run.outputs.get(index).copied().unwrap_or_default();
        let decimals = format::decimals(bits, [run.program().outputs[index].ty; 4]);
        let discarded = if run.killed { ", discarded" } else { "" };
        let hint = format!("{output} at the end: {decimals}");
        color(ui, session, (singles(bits), &format!("{what}{discarded}")), &hint);
    }
}

/// The pixel of both runs, after tests, blending and later fragments.
fn pixels_shown(ui: &mut Ui, session: &DebugSession, pixels: [PixelState; 2]) {
    let types = session.request.frame.color_types();
    for (what, pixel) in ["recorded pixel", "changed pixel"].into_iter().zip(pixels) {
        let decimals = format::decimals(single_bits(pixel.color), types);
        let of = if what == "recorded pixel" { "recorded" } else { "changed" };
        color(ui, session, (pixel.color, what), &format!("The pixel with the {of} run: {decimals}"));
    }
}

/// A colour as it is displayed, with a label.
fn color(ui: &mut Ui, session: &DebugSession, (color, what): ([f32; 4], &str), hint: &str) {
    let swatch = widgets::swatch(ui, history::shown(session, color), vec2(22.0, 14.0));
    swatch.on_hover_text(hint);
    ui.label(theme::caption(ui, what)).on_hover_text(hint);
}

/// The field for another instruction, if it is open.
pub fn instruction(ui: &mut Ui, session: &DebugSession, actions: &mut Vec<Action>) {
    let (Some(rewritten), Some(code)) = (session.rewritten(), session.code()) else { return };
    let (pc, palette) = (rewritten.pc, theme::palette(ui));
    let id = egui::Id::unique(("what if instruction", pc));
    let mut typed = Typed::of(ui, id, || code.instruction(pc).unwrap_or_default());
    let line = match session.line_of(pc) {
        Some(line) => format!("line {}", line + 1),
        None => "this instruction".to_owned(),
    };
    let label = format!("What if {line} were");
    widgets::hairline(ui);
    egui::Frame::new().fill(palette.accent_wash).inner_margin(egui::Margin::symmetric(12, 5)).show(
        ui,
        |ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
            ui.label(
                theme::caption(ui, format!("For this run only, what if {line} were")).color(palette.text),
            );
            ui.horizontal(|ui| {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let cancel = ui.add(egui::Button::new("Cancel").small());
                    let tried = ui.add(egui::Button::new("Try").small()).clicked();
                    let field = egui::TextEdit::singleline(&mut typed.text).font(theme::table_font());
                    let response = ui.add(field.desired_width(f32::INFINITY));
                    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, &label));
                    if typed.is_new {
                        response.request_focus();
                    }
                    let entered =
                        response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
                    if entered {
                        response.request_focus();
                    }
                    response.on_hover_text("Leave the field empty to remove the instruction");
                    typed.keep(ui);
                    if tried || entered {
                        let text = typed.text.as_str().into();
                        actions.push(Action::Query(Question::Rewrite { pc, text }));
                    } else if cancel.clicked() || ui.input(|input| input.key_pressed(egui::Key::Escape)) {
                        Typed::forget(ui, id);
                        actions.push(Action::RewriteInstruction(None));
                    }
                });
            });
            if let Some(fault) = &rewritten.fault {
                ui.label(theme::caption(ui, fault.as_str()).color(palette.error));
            }
        },
    );
}
