//! The history of the pixel stepped through. A table lists the clear and every fragment in drawing order.
//! Below are the tests of the selected fragment, its blending, and the pixel before and after.

use super::values::{self, Extra, Mark, NameKind, Row};
use crate::command::Action;
use crate::format::{self, ValueFormat};
use crate::history;
use crate::icons::Icon;
use crate::session::{PixelRecording, PixelStatus};
use crate::stepping::DebugSession;
use crate::theme;
use crate::widgets::{self, AtFirst, OnClick as _};
use egui::{Align2, Color32, Rect, Sense, Ui, pos2, vec2};
use shadestep_engine::ir::{Type, single_bits};
use shadestep_engine::pipeline::{Facing, Test};

/// Rows of the table that are visible at a time.
const ROWS: usize = 6;
/// Largest height of the details of the selected fragment, in points.
const DETAIL: f32 = 250.0;
/// Where the components of a colour begin, in points from the left.
const COLORS_AT: f32 = 118.0;
/// Minimum width, in points, of a row that names its primitive.
const ROOMY: f32 = 330.0;
/// Width and height of a colour, in points.
const SWATCH: egui::Vec2 = vec2(20.0, 12.0);

/// A folding section with the fragments and the details of the selected fragment.
pub(super) fn show(ui: &mut Ui, session: &DebugSession, format: ValueFormat, actions: &mut Vec<Action>) {
    let Some(fragments) = session.fragments().filter(|fragments| !fragments.is_empty()) else { return };
    let (summary, font) = (history::summary(fragments), theme::strong_font(12.0));
    widgets::folding(ui, ("History", &summary), (AtFirst::Closed, font), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let rows = fragments.len() + 1;
        let height = values::ROW_HEIGHT * rows.min(ROWS) as f32;
        let scroll =
            egui::ScrollArea::vertical().id_salt("fragments").max_height(height).auto_shrink([false, true]);
        scroll.show_rows(ui, values::ROW_HEIGHT, rows, |ui, range| {
            for index in range {
                match index.checked_sub(1) {
                    None => clear(ui, session),
                    Some(number) => fragment(ui, session, number, actions),
                }
            }
        });
        ui.add_space(4.0);
        if let Some(fragment) = session.fragment() {
            let scroll = egui::ScrollArea::vertical().id_salt("fragment").max_height(DETAIL);
            scroll.auto_shrink([false, true]).show(ui, |ui| detail(ui, session, fragment, format));
        }
    });
}

/// The colour of the picture as it is displayed.
pub(super) fn shown(session: &DebugSession, color: [f32; 4]) -> Color32 {
    let [r, g, b, _] = session.request.frame.color_format().shown(color);
    Color32::from_rgb(r, g, b)
}

/// The content of a row.
struct Line<'a> {
    name: &'a str,
    label: String,
    /// The colour that the program wrote, and the pixel's colour afterwards.
    colors: [Option<Color32>; 2],
    words: &'a str,
    color: Color32,
    end: String,
    chosen: bool,
}

fn row(ui: &mut Ui, line: &Line<'_>, leads_on: bool) -> egui::Response {
    let palette = theme::palette(ui);
    let sense = if leads_on { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), values::ROW_HEIGHT), sense);
    let role = if leads_on { egui::Role::Button } else { egui::Role::Label };
    response.widget_info(|| egui::WidgetInfo::selected(role, true, line.chosen, &line.label));
    widgets::row_ground(ui, rect, 3.0, (line.chosen, leads_on && response.hovered()));
    let y = rect.center().y;
    let painter = ui.painter_at(rect);
    let left = Align2::LEFT_CENTER;
    painter.text(pos2(rect.left() + 4.0, y), left, line.name, theme::table_font(), palette.text);
    for (color, x) in line.colors.into_iter().zip([44.0, 80.0]) {
        if let Some(color) = color {
            let swatch = Rect::from_min_size(pos2(rect.left() + x, y - SWATCH.y / 2.0), SWATCH);
            widgets::paint_swatch(&painter, swatch, color, palette);
        }
    }
    if let [Some(_), Some(_)] = line.colors {
        let arrow = pos2(rect.left() + 72.0, y);
        painter.text(arrow, Align2::CENTER_CENTER, "→", theme::caption_font(), palette.text_faint);
    }
    let words =
        painter.text(pos2(rect.left() + 108.0, y), left, line.words, theme::caption_font(), line.color);
    let font = theme::caption_font();
    let end = painter.layout_no_wrap(line.end.clone(), font, palette.text_weak);
    let place = pos2(rect.right() - 6.0 - end.size().x, y - end.size().y / 2.0);
    if place.x > words.right() + 8.0 {
        painter.galley(place, end, palette.text_weak);
    }
    response
}

fn clear(ui: &mut Ui, session: &DebugSession) {
    let job = &session.request.job;
    let clear = job.scene.clear_for(job.output_color);
    let format = session.request.frame.color_format();
    let color = clear.color.map(|value| format.stored(value));
    let palette = theme::palette(ui);
    let line = Line {
        name: "clear",
        label: "Clear".to_owned(),
        colors: [None, Some(shown(session, color))],
        words: "initial value",
        color: palette.text_weak,
        end: format!("depth {}, stencil {}", format::float(clear.depth), clear.stencil),
        chosen: false,
    };
    let words = format::decimals(single_bits(color), session.request.frame.types());
    row(ui, &line, false).on_hover_text(format!("Cleared to {words}"));
}

fn fragment(ui: &mut Ui, session: &DebugSession, index: usize, actions: &mut Vec<Action>) {
    let Some(fragments) = session.fragments() else { return };
    let palette = theme::palette(ui);
    let name = format!("{}", index + 1);
    let chosen = session.selected() == index;
    let Some(fragment) = fragments.get(index) else {
        let line = Line {
            name: &name,
            label: format!("Fragment {name}: not recorded"),
            colors: [None, None],
            words: "not recorded",
            color: palette.text_faint,
            end: String::new(),
            chosen,
        };
        let hint =
            format!("Only {} fragments are recorded. Click to record this one.", fragments.iter().len());
        row(ui, &line, true).on_hover_text(hint).on_click(Action::SelectFragment(index), actions);
        return;
    };
    let written = fragment.outcome == PixelStatus::Written;
    let outcome = history::outcome(fragment.outcome);
    let roomy = ui.available_width() >= ROOMY;
    let line = Line {
        name: &name,
        label: format!("Fragment {name}: {outcome}"),
        colors: [Some(shown(session, fragment.color)), Some(shown(session, fragment.after.color))],
        words: outcome,
        color: if written { palette.text } else { palette.warning },
        end: if roomy {
            format!("primitive {}, depth {}", fragment.primitive, format::float(fragment.depth))
        } else {
            format!("depth {}", format::float(fragment.depth))
        },
        chosen,
    };
    let response = row(ui, &line, true).on_hover_ui(|ui| {
        ui.label(history::why(fragment).unwrap_or_else(|| "Written".to_owned()));
        ui.label(theme::caption(ui, origin(session, fragment)));
        for tested in &fragment.trace.tests {
            let verdict = if tested.passed { "passes" } else { "fails" };
            ui.label(theme::value(ui, format!("{}: {verdict}", history::test(tested))));
        }
        ui.label(theme::caption(ui, "Click to step through this fragment"));
    });
    response.on_click(Action::SelectFragment(index), actions);
}

/// The primitive of a fragment and the samples that the fragment covers, in words.
fn origin(session: &DebugSession, fragment: &PixelRecording) -> String {
    let mut words = format!("Primitive {}", fragment.primitive);
    if session.request.job.scene.instances > 1 {
        words += &format!(", instance {}", fragment.instance);
    }
    if let Some(layers) = session.request.job.scene.raster.layers {
        words += &format!(", layer {}", layers.seen);
    }
    words += match fragment.facing {
        Facing::Front => ", front-facing",
        Facing::Back => ", back-facing",
    };
    if let Some(samples) = &fragment.samples {
        let (covered, count) = (samples.coverage.count_ones(), samples.count.count());
        words += &format!(", covers {covered} of {count} samples");
    }
    words
}

/// The details of the selected fragment.
fn detail(ui: &mut Ui, session: &DebugSession, fragment: &PixelRecording, format: ValueFormat) {
    let palette = theme::palette(ui);
    values::heading(ui, &format!("Fragment {}", session.selected() + 1));
    ui.label(theme::caption(ui, origin(session, fragment)));
    if let Some(why) = history::why(fragment) {
        ui.add(egui::Label::new(egui::RichText::new(why).color(palette.warning)).wrap());
    }
    for tested in &fragment.trace.tests {
        ui.horizontal(|ui| {
            let (icon, color) =
                if tested.passed { (Icon::Check, palette.success) } else { (Icon::Error, palette.error) };
            let (rect, _) = ui.allocate_exact_size(vec2(16.0, values::ROW_HEIGHT), Sense::hover());
            icon.paint(ui.painter(), rect, 12.0, color);
            ui.label(theme::value(ui, history::test(tested)).font(theme::table_font()));
        });
    }
    if fragment.trace.tests.is_empty() {
        ui.label(theme::caption(ui, "No tests are enabled"));
    }
    let number = |value: f32| format.show(value.to_bits().into(), Type::F32);
    let [before, after] = [&fragment.before, &fragment.after];
    let depths = format!("{}  {} → {}", number(fragment.depth), number(before.depth), number(after.depth));
    values::fact(ui, "depth", "The fragment's depth, then the pixel's depth before and after", &depths);
    let tests_stencil = fragment.trace.tests.iter().any(|tested| matches!(tested.test, Test::Stencil { .. }));
    if tests_stencil || before.stencil != after.stencil {
        let words = format!("{} → {}", before.stencil, after.stencil);
        values::fact(ui, "stencil", "The pixel's stencil value before and after", &words);
    }
    values::columns_at(ui, "Colours", COLORS_AT);
    let frame = &session.request.frame;
    let color = |ui: &mut Ui, name: &str, hint: &str, (color, types): ([f32; 4], [Type; 4]), seen: bool| {
        let (bits, marks) = (single_bits(color), [Mark::default(); 4]);
        let row = Row { name, kind: NameKind::Stage, hint, bits, types, marks };
        let swatch = seen.then(|| shown(session, color));
        values::show_with(ui, &row, format, Extra { swatch, tag: None, at: COLORS_AT });
    };
    color(
        ui,
        "program",
        "The program's output, with fog if the program asks for it",
        (fragment.color, frame.color_types()),
        true,
    );
    color(ui, "before", "The pixel before this fragment", (before.color, frame.types()), true);
    if let Some(blending) = fragment.trace.blending {
        let floats = [Type::F32; 4];
        let hint = "The blend factor of the fragment's colour";
        color(ui, "× source", hint, (blending.source_factor, floats), false);
        let hint = "The blend factor of the pixel's colour";
        color(ui, "× stored", hint, (blending.stored_factor, floats), false);
    }
    color(ui, "after", "The pixel after this fragment", (after.color, frame.types()), true);
    if let Some(blending) = fragment.trace.blending {
        ui.add_space(3.0);
        ui.label(theme::caption(ui, format!("Blended: {}", history::equation(blending.equation))));
    }
}
