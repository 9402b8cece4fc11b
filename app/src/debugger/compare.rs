//! The Compare panel: the kept run and the run stepped through, in two columns. [`crate::stepping`] aligns
//! their steps.

use crate::command::{Action, Command};
use crate::format;
use crate::icons::Icon;
use crate::state::State;
use crate::stepping::{About, Comparison, Line, Listed, MOST_STEPS, Same, first_difference};
use crate::theme;
use crate::widgets::menu::command_button;
use crate::widgets::{self, OnClick as _};
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Layout, Rect, Sense, Stroke, Ui, pos2, vec2};

/// Height of a row with the instruction above its values, in points.
const ROW: f32 = 36.0;
/// Width of the line numbers, in points.
const NUMBERS: f32 = 34.0;

pub fn show(ui: &mut Ui, state: &State, actions: &mut Vec<Action>) {
    let Some(comparison) = &state.stepping.comparison else {
        let words = "Step through a pixel, a vertex or a primitive, then choose “Keep run to compare” to keep its run.";
        return widgets::empty_state(ui, Icon::Compare, "No run to compare", words);
    };
    ui.spacing_mut().item_spacing.y = 0.0;
    let (a, b) = comparison.about();
    egui::Frame::new().inner_margin(egui::Margin { left: 9, right: 9, top: 5, bottom: 4 }).show(ui, |ui| {
        ui.set_width(ui.available_width());
        buttons(ui, state, comparison, actions);
        ui.columns_const(|[left, right]| {
            run(left, "A", a);
            match b {
                Some(b) => run(right, "B", b),
                None => {
                    right.horizontal(|ui| {
                        ui.set_min_height(20.0);
                        ui.label(theme::heading(ui, "B"));
                        let words = theme::caption(ui, "the next run you step through");
                        ui.add(egui::Label::new(words).truncate());
                    });
                }
            }
        });
        parts(ui, comparison, actions);
    });
    widgets::hairline(ui);
    let Some(alignment) = comparison.alignment() else {
        let words = match b {
            Some(_) => "Comparing the runs…",
            None => "Pick another pixel, fragment or time, or edit the program. That run becomes B.",
        };
        return widgets::empty_state(ui, Icon::Compare, "Run A is kept", words);
    };
    if alignment.is_cut {
        let most = format::count(MOST_STEPS as u64);
        let words = format!("Only the first {most} instructions of each run are compared.");
        ui.label(theme::caption(ui, words));
    }
    rows(ui, comparison, actions);
}

/// The number of the current difference, and buttons to the others.
fn buttons(ui: &mut Ui, state: &State, comparison: &Comparison, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        command_button(ui, Command::PreviousDifference, state, actions);
        command_button(ui, Command::NextDifference, state, actions);
        if let Some(alignment) = comparison.alignment() {
            let count = alignment.differences.len();
            let at = comparison.row().and_then(|row| alignment.differences.binary_search(&row).ok());
            let words = match (count, at) {
                (0, _) => "No differences".to_owned(),
                (count, None) => format::counted(count, "difference"),
                (count, Some(at)) => format!("Difference {} of {count}", at + 1),
            };
            ui.label(theme::caption(ui, words));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            command_button(ui, Command::StopComparing, state, actions);
        });
    });
}

/// The subject of a run and its final colour.
fn run(ui: &mut Ui, letter: &str, about: &About) {
    ui.horizontal(|ui| {
        ui.set_min_height(20.0);
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(theme::heading(ui, letter));
        if let Some(([r, g, b], words)) = &about.color {
            let swatch = widgets::swatch(ui, egui::Color32::from_rgb(*r, *g, *b), vec2(22.0, 14.0));
            let label = format!("Final colour of {letter}: {words}");
            swatch.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &label));
            swatch.on_hover_text(words);
        }
        let words = format!("{}, {}", about.label, format::counted(about.steps, "step"));
        ui.add(egui::Label::new(theme::caption(ui, words)).truncate());
    });
    if let Some((_, words)) = &about.color {
        ui.add(egui::Label::new(theme::caption(ui, words).font(theme::table_font())).truncate());
    }
}

/// Buttons to the first different value and to the first step that only one run takes.
fn parts(ui: &mut Ui, comparison: &Comparison, actions: &mut Vec<Action>) {
    let Some(alignment) = comparison.alignment() else { return };
    let mut lead = |ui: &mut Ui, words: String, row: usize| {
        let label = egui::RichText::new(&words).font(theme::caption_font());
        ui.add(egui::Button::new(label).small().truncate())
            .on_hover_text("Go to this step")
            .on_click(Action::CompareAt(row), actions);
    };
    ui.add_space(4.0);
    if let Some(part) = &alignment.values_part
        && let Some([a, b]) = first_difference(comparison, &part.steps)
    {
        lead(ui, format!("First different value: {a} in A, {b} in B"), part.row);
        ui.add_space(3.0);
    }
    if let Some(row) = alignment.flow_parts {
        let at = alignment.row(row);
        let (step, which) = match (at.a, at.b) {
            (Some(step), _) => (step, "A"),
            (None, step) => (step.unwrap_or(0), "B"),
        };
        lead(ui, format!("First different instruction: step {step}, only in {which}"), row);
        ui.add_space(2.0);
    }
}

fn rows(ui: &mut Ui, comparison: &Comparison, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let current = comparison.row();
    let id = ui.scope_id().with("row in view");
    let before = ui.data(|data| data.get_temp::<Option<usize>>(id)).flatten();
    ui.data_mut(|data| data.insert_temp(id, current));
    widgets::jumping(egui::ScrollArea::vertical()).id_salt("compared").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for line in comparison.lines() {
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
            let is_current = current == Some(line.row);
            response.widget_info(|| {
                egui::WidgetInfo::selected(egui::Role::Button, true, is_current, spoken(line))
            });
            if is_current && before != current {
                response.scroll_to_me(Some(Align::Center));
            }
            if ui.is_rect_visible(rect) {
                if is_current {
                    ui.painter().rect_filled(rect, 0.0, palette.step_line);
                } else if response.hovered() {
                    ui.painter().rect_filled(rect, 0.0, palette.raised);
                }
                let (left, right) = rect.split_left_right_at_fraction(0.5);
                for (rect, side) in [(left, &line.sides[0]), (right, &line.sides[1])] {
                    cell(ui, rect, side.as_ref(), line.same);
                }
                let faint = Stroke::new(1.0, palette.line);
                ui.painter().vline(left.right(), rect.y_range(), faint);
                ui.painter().hline(rect.x_range(), rect.bottom(), faint);
            }
            response.on_click(Action::CompareAt(line.row), actions);
        }
        if current.is_some_and(|row| comparison.lines().iter().all(|line| line.row != row)) {
            let end = ui.label(theme::caption(ui, "Both runs are at the end"));
            if before != current {
                end.scroll_to_me(Some(Align::Center));
            }
        }
    });
}

fn cell(ui: &Ui, rect: Rect, side: Option<&Listed>, same: Same) {
    let palette = theme::palette(ui);
    let painter = ui.painter().with_clip_rect(rect.shrink2(vec2(2.0, 0.0)).intersect(ui.clip_rect()));
    if same == Same::No {
        let mark = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
        painter.rect_filled(mark.translate(vec2(2.0, 0.0)), 0.0, palette.warning);
    }
    let Some(listed) = side else {
        painter.rect_filled(rect.shrink2(vec2(5.0, 1.0)), 2.0, palette.raised.gamma_multiply(0.5));
        return;
    };
    let number = listed.line.map_or(String::new(), |line| (line + 1).to_string());
    let at = pos2(rect.left() + NUMBERS - 4.0, rect.top() + 10.0);
    painter.text(at, egui::Align2::RIGHT_CENTER, number, theme::table_font(), palette.text_faint);
    let room = rect.width() - NUMBERS - 10.0;
    let plain = |color| TextFormat::simple(theme::table_font(), color);
    let draw = |mut job: LayoutJob, y: f32| {
        job.wrap = egui::text::TextWrapping::truncate_at_width(room);
        let galley = painter.layout_job(job);
        painter.galley(pos2(rect.left() + NUMBERS + 2.0, y - galley.size().y / 2.0), galley, palette.text);
    };
    let mut text = LayoutJob::default();
    text.append(&listed.text, 0.0, plain(palette.text_strong));
    draw(text, rect.top() + 10.0);
    let mut values = LayoutJob::default();
    for (index, (words, same)) in listed.values.iter().enumerate() {
        let (color, background) = match same {
            Same::Yes => (palette.text_weak, egui::Color32::TRANSPARENT),
            Same::No => (palette.warning, palette.warning_wash),
        };
        let space = if index == 0 { 0.0 } else { 8.0 };
        values.append(words, space, TextFormat { background, ..plain(color) });
    }
    draw(values, rect.top() + 25.0);
}

/// The accessible name of a row.
fn spoken(line: &Line) -> String {
    let side = |listed: &Option<Listed>| match listed {
        None => "nothing".to_owned(),
        Some(listed) => {
            let values: Vec<&str> = listed.values.iter().map(|(words, _)| words.as_str()).collect();
            format!("{} {}", listed.text, values.join(" "))
        }
    };
    let differs = if line.same == Same::No { ", different" } else { "" };
    format!("A: {}; B: {}{differs}", side(&line.sides[0]), side(&line.sides[1]))
}
