//! The samples of a pixel, side by side. A click leads to the invocation of a sample if the program runs per
//! sample.

use super::history;
use crate::command::Action;
use crate::format;
use crate::session::{Fragments, PixelRecording, PixelSamples};
use crate::stepping::DebugSession;
use crate::theme;
use crate::widgets;
use egui::{Color32, Rect, Sense, Stroke, Ui, pos2, vec2};
use shadestep_engine::ir::single_bits;
use shadestep_engine::pipeline::SampleState;

/// Side of the picture of the pixel, in points.
const PIXEL: f32 = 40.0;
/// Width and height of a sample's colour, in points.
const SWATCH: egui::Vec2 = vec2(22.0, 14.0);

/// Shows the pixel with its sample positions and the colour of each sample, if pixels have several samples.
pub fn show(ui: &mut Ui, session: &DebugSession, actions: &mut Vec<Action>) {
    let Some(fragment) = session.fragment() else { return };
    let Some(samples) = &fragment.samples else { return };
    let frame = &session.request.frame;
    let shown = |sample: &SampleState| history::shown(session, sample.color);
    ui.horizontal(|ui| {
        ui.add_space(4.0);
        picture(ui, samples, shown);
        ui.add_space(2.0);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            ui.label(theme::caption(ui, summary(samples)));
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing = vec2(6.0, 2.0);
                for (number, sample) in samples.after.iter().enumerate() {
                    let turn = samples.own.and_then(|_| invocation(session, fragment, number));
                    let response = one(ui, (samples, number), shown(sample), turn.is_some());
                    let words = |sample: &SampleState| {
                        let color = format::decimals(single_bits(sample.color), frame.types());
                        format!("{color}, depth {}", format::float(sample.depth))
                    };
                    let response = response.on_hover_ui(|ui| {
                        ui.label(heading(samples, number));
                        ui.label(format!("Holds {}", words(sample)));
                        if let Some(before) = samples.before.get(number).filter(|before| *before != sample) {
                            ui.label(format!("Before: {}", words(before)));
                        }
                        if turn.is_some() {
                            ui.label("Click to step through this sample's invocation");
                        }
                    });
                    if let Some(index) = turn.filter(|_| response.clicked()) {
                        actions.push(Action::SelectFragment(index));
                    }
                }
            });
        });
    });
    ui.add_space(4.0);
}

/// The number of samples and of covered samples, in words.
fn summary(samples: &PixelSamples) -> String {
    let (count, covered) = (samples.count.count(), samples.coverage.count_ones());
    match samples.own {
        Some(own) => format!("Sample {own} of {count}: the program runs once per sample"),
        None => format!("{covered} of {count} samples covered"),
    }
}

/// The sample's number, position and coverage, in words.
fn heading(samples: &PixelSamples, number: usize) -> String {
    let [x, y] = samples.count.position(number).unwrap_or([0.5; 2]);
    let covered = if samples.covers(number) { "covered" } else { "not covered" };
    format!("Sample {number} at ({x}, {y}) in the pixel, {covered} by this fragment")
}

/// The fragment of sample `number` that has the same primitive and instance as `fragment`.
fn invocation(session: &DebugSession, fragment: &PixelRecording, number: usize) -> Option<usize> {
    let fragments = session.fragments()?;
    let is_it = |other: &PixelRecording| {
        let own = other.samples.as_ref().and_then(|samples| samples.own);
        (other.instance, other.primitive) == (fragment.instance, fragment.primitive)
            && own.map(usize::from) == Some(number)
    };
    (0..Fragments::len(fragments)).find(|&index| fragments.get(index).is_some_and(is_it))
}

/// A picture of the pixel with its sample positions.
fn picture(ui: &mut Ui, samples: &PixelSamples, shown: impl Fn(&SampleState) -> Color32) {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(PIXEL, PIXEL), Sense::hover());
    ui.painter().rect_filled(rect, 2.0, palette.well);
    ui.painter().rect_stroke(rect, 2.0, Stroke::new(1.0, palette.line_strong), egui::StrokeKind::Inside);
    let radius = if samples.after.len() > 8 { 2.5 } else { 3.5 };
    for (number, sample) in samples.after.iter().enumerate() {
        let Some([x, y]) = samples.count.position(number) else { continue };
        // Row 0 is at the bottom, while y of the screen goes down.
        let inner = rect.shrink(radius);
        let center = pos2(inner.left() + x * inner.width(), inner.bottom() - y * inner.height());
        let ring = if samples.covers(number) { palette.accent } else { palette.line_strong };
        ui.painter().circle(center, radius, shown(sample), Stroke::new(1.5, ring));
    }
    response.on_hover_text(
        "The pixel with its sample positions. Bright rings mark the samples that this fragment covers.",
    );
}

/// A sample: its number and its colour.
fn one(
    ui: &mut Ui,
    (samples, number): (&PixelSamples, usize),
    color: Color32,
    leads_on: bool,
) -> egui::Response {
    let palette = theme::palette(ui);
    let chosen = samples.own.map(usize::from) == Some(number);
    let text = if chosen || samples.covers(number) { palette.text } else { palette.text_weak };
    let galley = ui.painter().layout_no_wrap(number.to_string(), theme::caption_font(), text);
    let size = vec2(galley.size().x + 4.0 + SWATCH.x, SWATCH.y.max(galley.size().y));
    let sense = if leads_on { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(size, sense);
    ui.painter().galley(pos2(rect.left(), rect.center().y - galley.size().y / 2.0), galley, text);
    let swatch = Rect::from_center_size(pos2(rect.right() - SWATCH.x / 2.0, rect.center().y), SWATCH);
    widgets::paint_swatch(ui.painter(), swatch, color, palette);
    if chosen || samples.covers(number) {
        let stroke = Stroke::new(1.5, palette.accent);
        ui.painter().rect_stroke(swatch, 3.0, stroke, egui::StrokeKind::Inside);
    }
    let label = format!("Sample {number}");
    let kind = if leads_on { egui::Role::Button } else { egui::Role::Label };
    response.widget_info(|| egui::WidgetInfo::labeled(kind, true, &label));
    response
}
