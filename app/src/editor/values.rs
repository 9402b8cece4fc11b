//! Values of the debugged run, shown in the code: the current step's operands at the end of its line, and the
//! value under the pointer.

use super::rows::Rows;
use crate::format::{ValueFormat, letters};
use crate::model::Document;
use crate::state::State;
use crate::stepping::{DebugSession, Held, NamedValue};
use crate::theme::{self, Palette};
use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Rect, Sense, Ui, pos2, vec2};
use shadestep_engine::ir::Type;

/// Space between a line and its values, in points.
const GAP: f32 = 28.0;
/// Space between the values and the right edge of the text, in points.
const MARGIN: f32 = 12.0;
/// Least available width for values, in points.
const LEAST: f32 = 60.0;
/// Largest number of characters per number, from unlimited to a crowded line.
const WIDTHS: [usize; 4] = [usize::MAX, 9, 7, 5];

/// Shows the values of the current step's operands at the end of its line. Returns the line and the right
/// edge of the values.
pub fn at_line(
    ui: &Ui,
    (state, document): (&State, &Document),
    session: Option<&DebugSession>,
    rows: &Rows<'_>,
) -> Option<(usize, f32)> {
    let session = session.filter(|_| !state.settings.hides_values)?;
    let line = session.current_line().filter(|&line| line < rows.count())?;
    let (y, right) = rows.last_row(line);
    let left = right + GAP;
    let room = ui.clip_rect().right() - MARGIN - left;
    if room < LEAST || !ui.clip_rect().y_range().intersects(y) {
        return None;
    }
    let values = session.values_read(document);
    if values.is_empty() {
        return None;
    }
    let font = FontId { size: state.settings.text.font().size * 0.88, ..state.settings.text.font() };
    let whole = job(ui, state, &values, (usize::MAX, values.len()), &font);
    let said = whole.text.clone();
    let galley = fitting(ui, state, &values, room, &font);
    let rect = Rect::from_min_size(pos2(left, y.min), vec2(galley.size().x, y.span()));
    ui.painter().galley(pos2(left, y.center() - galley.size().y / 2.0), galley, Color32::PLACEHOLDER);
    let response = ui.interact(rect, ui.scope_id().with("values of the line"), Sense::hover());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Label, true, format!("Values of the line: {said}"))
    });
    response.on_hover_ui(|ui| {
        ui.label(theme::value(ui, &*said));
        ui.label(theme::caption(ui, when(session)));
    });
    Some((line, rect.right()))
}

/// Lays the values out in at most `room` points: with all digits, else with fewer digits, else without the
/// last values.
fn fitting(
    ui: &Ui,
    state: &State,
    values: &[NamedValue],
    room: f32,
    font: &FontId,
) -> std::sync::Arc<egui::Galley> {
    let whole = WIDTHS.map(|width| (width, values.len()));
    let fewest = WIDTHS[WIDTHS.len() - 1];
    let without_last = (1..values.len()).rev().map(|count| (fewest, count));
    let tries = whole.into_iter().chain(without_last);
    let laid_out = tries.map(|cut| ui.painter().layout_job(job(ui, state, values, cut, font)));
    let mut fits = laid_out.filter(|galley| galley.size().x <= room);
    fits.next().unwrap_or_else(|| {
        let mut job = job(ui, state, values, (fewest, 1), font);
        job.wrap = egui::text::TextWrapping::truncate_at_width(room);
        ui.painter().layout_job(job)
    })
}

/// Lays out the first `count` values in muted colours, with at most `width` characters per number.
fn job(
    ui: &Ui,
    state: &State,
    values: &[NamedValue],
    (width, count): (usize, usize),
    font: &FontId,
) -> LayoutJob {
    let palette = theme::palette(ui);
    let plain = |color| TextFormat::simple(font.clone(), color);
    let mut job = LayoutJob::default();
    for (index, value) in values.iter().take(count).enumerate() {
        if index > 0 {
            job.append("  ", 0.0, plain(palette.text_faint));
        }
        job.append(&label(value), 0.0, plain(palette.text_faint));
        for Shown { text, color } in shown(palette, value, state.format_of(value.place), width) {
            job.append(" ", 0.0, plain(color));
            job.append(&text, 0.0, plain(color));
        }
    }
    if count < values.len() {
        job.append(" …", 0.0, plain(palette.text_faint));
    }
    job
}

/// The name followed by its components. All four components in order are left out.
fn label(value: &NamedValue) -> String {
    match value.picked[..] {
        [] | [0, 1, 2, 3] => value.name.clone(),
        _ => {
            let picked: String = value.picked.iter().map(|&component| letters(1 << component)).collect();
            format!("{}.{picked}", value.name)
        }
    }
}

/// Text and colour of a component.
struct Shown {
    text: String,
    color: Color32,
}

/// Formats the picked components of a value, each in at most `width` characters.
fn shown(palette: &Palette, value: &NamedValue, format: ValueFormat, width: usize) -> Vec<Shown> {
    let all = [0, 1, 2, 3];
    let picked = if value.picked.is_empty() { &all[..] } else { &value.picked[..] };
    let quiet = |text: String| Shown { text, color: palette.text_weak };
    match &value.held {
        Held::Outside => {
            vec![Shown { text: "outside the array: 0 0 0 0".to_owned(), color: palette.warning }]
        }
        Held::Flags(codes) => picked.iter().map(|&c| quiet(codes[usize::from(c)].clone())).collect(),
        Held::Numbers(components) => {
            let types = components.map(|component| component.ty);
            // Address registers are always integers, as in the debugger.
            let format = if types[0] == Type::Address { ValueFormat::Typed } else { format };
            let read = format.read(components.map(|component| component.bits), types);
            let one = |&c: &u8| {
                let component = components[usize::from(c)];
                // A 64-bit value spans two components and is shown at the first.
                let (bits, ty) = read[usize::from(c)].or_else(|| read[usize::from(c & !1)])?;
                Some(match component.defined {
                    false => Shown { text: "undefined".to_owned(), color: palette.text_faint },
                    true => {
                        let finite = ty.value(bits).is_finite();
                        let color = if finite { palette.text_weak } else { palette.non_finite };
                        Shown { text: format.show_within(bits, ty, width), color }
                    }
                })
            };
            picked.iter().filter_map(one).collect()
        }
    }
}

/// Shows the value under the pointer, above its documentation: one line per component, then the picked
/// components.
pub fn card(ui: &mut Ui, state: &State, session: &DebugSession, value: &NamedValue) {
    let palette = theme::palette(ui);
    let format = state.format_of(value.place);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 10.0;
        ui.label(theme::value(ui, value.name.as_str()));
        ui.label(theme::caption(ui, when(session)));
    });
    let whole = NamedValue { picked: Vec::new(), ..value.clone() };
    let grid = egui::Grid::new("value pointed at").num_columns(2).spacing(vec2(10.0, 2.0));
    grid.min_row_height(0.0).show(ui, |ui| {
        for (letter, Shown { text, color }) in "xyzw".chars().zip(shown(palette, &whole, format, usize::MAX))
        {
            let name = if value.held == Held::Outside { String::new() } else { letter.to_string() };
            ui.label(theme::caption(ui, name));
            // The muted colour is for the end of a line. Here the value stands out.
            let color = if color == palette.text_weak { palette.text_strong } else { color };
            ui.add(egui::Label::new(theme::value(ui, text).color(color)).extend());
            ui.end_row();
        }
    });
    if !value.picked.is_empty() && value.held != Held::Outside {
        let picked: Vec<String> =
            shown(palette, value, format, usize::MAX).into_iter().map(|shown| shown.text).collect();
        let words = format!("{} {}", label(value), picked.join(" "));
        ui.add(egui::Label::new(theme::value(ui, words).color(palette.text_weak)).wrap());
    }
}

/// The step that the values belong to.
fn when(session: &DebugSession) -> String {
    match session.current_step() {
        Some(_) => format!("before step {}", session.position()),
        None => "at the end".to_owned(),
    }
}
