//! A small graph of a watch's value over the run, with the current position. A click seeks.

use crate::format;
use crate::stepping::History;
use crate::theme::{self, Palette};
use egui::{Align2, Id, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};

/// Width of the labels to the right of the graph, in points.
pub const LABELS: f32 = 54.0;

/// Shows the graph in its rectangle. Returns the position that a click or a drag leads to.
pub fn show(
    ui: &mut Ui,
    (id, rect): (Id, Rect),
    (name, history): (&str, Option<&History>),
    (position, length): (usize, usize),
) -> Option<usize> {
    let palette = theme::palette(ui);
    let response = ui.interact(rect, id, Sense::click_and_drag());
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Slider, true, format!("History of {name}")));
    let (graph, labels) = rect.split_left_right_at_x(rect.right() - LABELS);
    ui.painter().rect_filled(graph, 3.0, palette.well);
    let track = graph.shrink2(vec2(2.0, 3.0));
    match history {
        Some(History::Condition { parts, holds }) => {
            band(ui.painter(), track, parts, palette);
            let words = format!(
                "{} of {}",
                format::short_count(*holds as u64),
                format::short_count(length as u64 + 1)
            );
            label(ui, labels, Align2::LEFT_CENTER, &words);
        }
        Some(History::Numbers { components, range: Some([least, greatest]) }) => {
            for (component, parts) in components.iter().enumerate() {
                let color = palette.component(component);
                line(ui.painter(), track, parts, [*least, *greatest], color);
            }
            if least == greatest {
                label(ui, labels, Align2::LEFT_CENTER, &format::float_within(*least, 8));
            } else {
                label(ui, labels, Align2::LEFT_TOP, &format::float_within(*greatest, 8));
                label(ui, labels, Align2::LEFT_BOTTOM, &format::float_within(*least, 8));
            }
        }
        Some(History::Numbers { range: None, .. }) => label(ui, labels, Align2::LEFT_CENTER, "no value"),
        None => {}
    }
    let x = track.left() + track.width() * position as f32 / length.max(1) as f32;
    ui.painter().vline(x, graph.y_range(), Stroke::new(1.5, palette.accent));
    let at = response.interact_pointer_pos().map(|pos| position_at(track, pos, length));
    response
        .on_hover_text("The value over the whole run, with its maximum and minimum. Click to go to a step.");
    at.filter(|at| *at != position)
}

fn position_at(track: Rect, pos: Pos2, length: usize) -> usize {
    let fraction = ((pos.x - track.left()) / track.width().max(1.0)).clamp(0.0, 1.0);
    (fraction * length as f32).round() as usize
}

fn label(ui: &Ui, rect: Rect, align: Align2, words: &str) {
    let rect = Rect::from_min_max(rect.min + vec2(5.0, 1.0), rect.max - vec2(0.0, 1.0));
    let color = theme::palette(ui).text_weak;
    ui.painter().text(align.pos_in_rect(&rect), align, words, theme::graph_font(), color);
}

/// The x coordinate of part `index` of `parts`.
fn x_of(track: Rect, index: usize, parts: usize) -> f32 {
    track.left() + track.width() * index as f32 / (parts.max(2) - 1) as f32
}

fn line(
    painter: &Painter,
    track: Rect,
    parts: &[Option<[f64; 2]>],
    [least, greatest]: [f64; 2],
    color: egui::Color32,
) {
    let y_of = |value: f64| match greatest > least {
        true => track.bottom() - track.height() * ((value - least) / (greatest - least)) as f32,
        false => track.center().y,
    };
    let stroke = Stroke::new(1.2, color);
    let mut points: Vec<Pos2> = Vec::new();
    let draw = |points: &mut Vec<Pos2>| match std::mem::take(points) {
        few if few.len() < 2 => few.iter().for_each(|point| {
            painter.circle_filled(*point, 1.2, color);
        }),
        many => {
            painter.add(Shape::line(many, stroke));
        }
    };
    for (index, part) in parts.iter().enumerate() {
        let x = x_of(track, index, parts.len());
        match part {
            Some([low, high]) if low == high => points.push(pos2(x, y_of(*low))),
            Some([low, high]) => points.extend([pos2(x, y_of(*high)), pos2(x, y_of(*low))]),
            None => draw(&mut points),
        }
    }
    draw(&mut points);
}

/// Bars where a condition holds: stronger where it holds at all steps of a part than where it holds at some.
fn band(painter: &Painter, track: Rect, parts: &[[u32; 2]], palette: &Palette) {
    let half = track.width() / (parts.len().max(2) - 1) as f32 / 2.0;
    for (index, [holds, moments]) in parts.iter().enumerate() {
        if *holds == 0 {
            continue;
        }
        let x = x_of(track, index, parts.len());
        let bar = Rect::from_x_y_ranges(
            (x - half).max(track.left())..=(x + half.max(0.5)).min(track.right()),
            track.y_range(),
        );
        let color = if holds == moments { palette.success } else { palette.success.gamma_multiply(0.5) };
        painter.rect_filled(bar, 0.0, color);
    }
}
