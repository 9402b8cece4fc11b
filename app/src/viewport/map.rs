//! The map in place of the picture: its bar, its legend, and numbers in pixels that are large enough.

use super::{bar_content, paint_image, view};
use crate::command::{Action, Command};
use crate::false_colours::gradient;
use crate::format;
use crate::history;
use crate::maps::{Map, MapChoice, Range, Statistics, When, legend_ticks};
use crate::model::Document;
use crate::session::PixelStatus;
use crate::state::{ShownMap, State};
use crate::theme;
use crate::widgets;
use egui::{Align, Align2, CornerRadius, Layout, Rect, Stroke, StrokeKind, pos2, vec2};

/// Height of the bar, in points.
pub const BAR_HEIGHT: f32 = 34.0;
/// Zoom from which a pixel shows its value, in points per pixel.
const NUMBERS_FROM: f32 = 44.0;
/// Space for words or progress after an expression field, in points.
const BESIDE_FIELD: f32 = 150.0;
/// Least width of an expression field, in points.
const FIELD: f32 = 90.0;
/// Most digits of a number in a pixel.
const DIGITS: i32 = 6;
/// Free width from which progress has a bar, in points.
const PROGRESS: f32 = 190.0;
/// Free width from which the bar shows the range of the colours, in points.
const RANGES_FROM: f32 = 420.0;
/// Width and height of the legend's colour scale, in points.
const LEGEND: egui::Vec2 = vec2(188.0, 10.0);

/// The outcome of a pixel in words, by its number in the map.
fn fate_words(number: usize) -> &'static str {
    PixelStatus::ALL.get(number).map_or("", |status| history::outcome(*status))
}

/// The line, from 1, of an instruction of the map's program in the text shown.
fn line_of(document: &Document, shown: &ShownMap, pc: usize) -> Option<usize> {
    shown.line_in(document, pc).map(|line| line + 1)
}

/// Shows the menu that selects a map.
pub fn menu(ui: &mut egui::Ui, state: &State, actions: &mut Vec<Action>) {
    let Some(document) = state.document() else { return };
    let chosen = document.map.map;
    let title = chosen.map_or("Map", |map| map.command().info().label);
    let palette = theme::palette(ui);
    let text = egui::RichText::new(title).font(theme::caption_font());
    let text = if chosen.is_some() { text.color(palette.accent) } else { text };
    let response = ui.menu_button(text, |ui| {
        for command in std::iter::once(Command::MapNone).chain(Map::ALL.map(Map::command)) {
            let info = command.info();
            let is_on =
                chosen.map(Map::command) == Some(command) || command == Command::MapNone && chosen.is_none();
            if info.group.is_some() {
                ui.separator();
            }
            let entry = ui.add_enabled(command.enabled(state), egui::Button::selectable(is_on, info.label));
            if entry.on_hover_text(info.hint).clicked() {
                actions.push(command.into());
                ui.close();
            }
        }
    });
    widgets::named(response.response, "Map")
        .on_hover_text("Choose what to show for each pixel instead of its colour");
}

/// Shows the bar: the map's name and its settings.
pub fn bar(ui: &mut egui::Ui, state: &State, document: &Document, rect: Rect, actions: &mut Vec<Action>) {
    let Some(map) = document.map.map else { return };
    let builder = egui::UiBuilder::new().layout(Layout::left_to_right(Align::Center));
    let mut line = bar_content(ui, (rect, rect.bottom() - 0.5), vec2(10.0, 3.0), builder);
    line.spacing_mut().item_spacing.x = 8.0;
    let mut choice = document.map.clone();
    line.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let close =
            widgets::icon_button(ui, crate::icons::Icon::Close, "Close the map and show the picture", true);
        if close.clicked() {
            choice.map = None;
        }
        ranges(ui, state, document, &mut choice);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            left(ui, state, document, map, &mut choice);
        });
    });
    if choice != document.map {
        actions.push(Action::ChooseMap(Box::new(choice)));
    }
}

fn left(ui: &mut egui::Ui, state: &State, document: &Document, map: Map, choice: &mut MapChoice) {
    let palette = theme::palette(ui);
    ui.label(egui::RichText::new(map.command().info().label).font(theme::strong_font(12.0)));
    if map == Map::Value {
        let hint = "output colour";
        let whens = [
            (When::End, "End", "Read the registers when the program ends"),
            (When::Line, "At cursor", "Read the registers after the line at the text cursor"),
        ];
        let beside = widgets::segmented_width(ui, &whens) + BESIDE_FIELD + 3.0 * ui.spacing().item_spacing.x;
        let width = (ui.available_width() - beside).max(FIELD);
        let field = egui::TextEdit::singleline(&mut choice.expression)
            .font(theme::value_font())
            .hint_text(hint)
            .desired_width(width);
        let field = widgets::named(ui.add(field), "Map expression");
        field.on_hover_text(
            "A register or an expression: R0.x, |R1.xyz|, dot(R0.xyz, R1.xyz), R2.w > 0.5, CC.x is LT",
        );
        if let Some(when) = widgets::segmented(ui, choice.when, &whens) {
            choice.when = when;
        }
    }
    if state.maps.is_waiting() {
        ui.ctx().request_repaint_after(std::time::Duration::from_millis(50));
    }
    if let Some(done) = state.maps.progress() {
        return progress(ui, done, choice);
    }
    let words = match (state.maps.error(document.id), state.maps.shown(document.id)) {
        (Some(words), _) => egui::RichText::new(format::capitalized(words)).color(palette.error),
        (None, None) => egui::RichText::new("Computing…").color(palette.text_weak),
        (None, Some(shown)) => egui::RichText::new(about(document, shown)).color(palette.text_weak),
    };
    ui.add(egui::Label::new(words.font(theme::caption_font())).truncate());
}

/// Shows the progress of a slow map, and a button that cancels it.
fn progress(ui: &mut egui::Ui, done: f32, choice: &mut MapChoice) {
    let percent = format!("{:.0}%", done * 100.0);
    let said = format!("Computing: {percent}");
    if ui.available_width() >= PROGRESS {
        let bar = egui::ProgressBar::new(done).desired_width(90.0).desired_height(6.0);
        let bar = ui.add(bar.fill(theme::palette(ui).accent));
        bar.widget_info(|| egui::WidgetInfo::labeled(egui::Role::ProgressIndicator, true, &said));
        bar.on_hover_text(&said);
    }
    ui.label(theme::caption(ui, percent)).on_hover_text(said);
    let cancel = ui.add(egui::Button::new("Cancel").small());
    if cancel.on_hover_text("Cancel the map and show the picture").clicked() {
        choice.map = None;
    }
}

/// The line that the map is about, in words.
fn about(document: &Document, shown: &ShownMap) -> String {
    let line = shown.query.instruction().and_then(|pc| line_of(document, shown, pc));
    line.map_or_else(String::new, |line| format!("line {line}"))
}

/// Shows fields for the two ends of the colour range.
fn ranges(ui: &mut egui::Ui, state: &State, document: &Document, choice: &mut MapChoice) {
    let Some(shown) = state.maps.shown(document.id) else { return };
    if shown.field.is_condition || shown.query.map == Map::Fate || ui.available_width() < RANGES_FROM {
        return;
    }
    let Range { low, high } = shown.range;
    let mut fixed = choice.range.is_some();
    let mut ends = choice.range.unwrap_or([low, high]);
    if fixed {
        let speed = ((high - low).abs() / 200.0).max(1e-6);
        for (end, name) in [(1, "Upper end of the colours"), (0, "Lower end of the colours")] {
            let drag = egui::DragValue::new(&mut ends[end]).speed(speed).max_decimals(6);
            widgets::named(ui.add(drag), name).on_hover_text(name);
        }
    }
    let toggle = ui.checkbox(&mut fixed, "Fixed");
    toggle.on_hover_text("Keep the range of the colours while the picture changes");
    choice.range = fixed.then_some(ends);
}

/// Paints the map, its numbers and its legend in place of the picture.
pub fn paint(ui: &egui::Ui, painter: &egui::Painter, shown: &ShownMap, (area, picture): (Rect, Rect)) {
    paint_image(painter, &shown.texture, picture);
    let scale = picture.width() / shown.field.size[0] as f32;
    if scale >= NUMBERS_FROM {
        numbers(painter, shown, (area, picture), scale);
    }
    legend(ui, painter, shown, area);
}

/// Paints the value of each visible pixel.
fn numbers(painter: &egui::Painter, shown: &ShownMap, (area, picture): (Rect, Rect), scale: f32) {
    let seen = area.intersect(picture);
    let size = shown.field.size;
    let first = view::pixel_at(picture, size, seen.left_bottom() + vec2(0.5, -0.5));
    let last = view::pixel_at(picture, size, seen.right_top() + vec2(-0.5, 0.5));
    let (Some(first), Some(last)) = (first, last) else { return };
    let font = egui::FontId::monospace((scale / 7.0).clamp(8.0, 12.0));
    let width = (scale / (font.size * 0.62)) as usize;
    for y in first[1]..=last[1] {
        for x in first[0]..=last[0] {
            let Some(value) = shown.field.at([x, y]) else { continue };
            let rect = view::pixel_rect(picture, size, [x, y]);
            let text: Vec<String> =
                value.iter().map(|component| pixel_number(*component, width.max(3))).collect();
            let ground = if shown.field.components == 1 && !shown.field.is_condition {
                gradient(shown.range.place(value[0]))
            } else {
                theme::MAP_NOTHING
            };
            let color = theme::on_map(ground);
            let galley = painter.layout_no_wrap(text.join("\n"), font.clone(), color);
            if shown.field.components > 1 || shown.field.is_condition {
                let behind = Rect::from_center_size(rect.center(), galley.size() + vec2(4.0, 2.0));
                painter.rect_filled(behind, 2.0, theme::MAP_NOTHING.gamma_multiply(0.75));
            }
            painter.galley(
                Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size()).min,
                galley,
                color,
            );
        }
    }
}

/// Formats a number in at most `width` characters.
pub fn number(value: f64, width: usize) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return format!("{value}");
    }
    format::number_within(value, width)
}

/// Formats a number for a pixel: at most [`DIGITS`] digits in `width` characters. Returns `…` if not even one
/// digit fits.
fn pixel_number(value: f64, width: usize) -> String {
    if !value.is_finite() || value == 0.0 {
        return number(value, width);
    }
    let magnitude = value.abs().log10().floor() as i32;
    let fits = |text: &String| {
        let digits = text.chars().filter(char::is_ascii_digit).count();
        digits <= DIGITS as usize && text.chars().count() <= width
    };
    // All digits before the decimal point are shown. Small numbers get an exponent.
    let plain = (-3..DIGITS).contains(&magnitude).then(|| {
        let most = DIGITS - 1 - magnitude.max(0);
        (0..=most).rev().map(|decimals| trimmed(format!("{value:.0$}", decimals as usize)))
    });
    let is_value = |text: &String| text.parse::<f64>().is_ok_and(|read| read != 0.0);
    let scientific = (0..DIGITS).rev().map(|decimals| {
        let text = format!("{value:.0$e}", decimals as usize);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        format!("{}e{exponent}", trimmed(mantissa.to_owned()))
    });
    let found = plain.into_iter().flatten().filter(is_value).chain(scientific).find(fits);
    found.unwrap_or_else(|| "…".to_owned())
}

/// Removes trailing zeros after the decimal point.
fn trimmed(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The legend's place in `area`. The user can drag it; the place is kept until the app closes.
fn legend_place(ui: &egui::Ui, size: egui::Vec2, area: Rect) -> Rect {
    let home = area.shrink(10.0).right_bottom() - size;
    let within = |min: egui::Pos2| min.clamp(area.min, area.max - size);
    let id = ui.scope_id().with("map legend");
    let moved: egui::Vec2 = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let before = Rect::from_min_size(within(home + moved), size);
    let response = ui.interact(before, id, egui::Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Group, true, "Map legend"));
    if response.dragged() {
        ui.set_cursor_icon(egui::CursorIcon::Grabbing);
    } else if response.hovered() {
        ui.set_cursor_icon(egui::CursorIcon::Grab);
    }
    let min = if response.double_clicked() { home } else { within(before.min + response.drag_delta()) };
    if response.dragged() || response.double_clicked() {
        ui.data_mut(|data| data.insert_temp(id, min - home));
    }
    response.on_hover_text("Drag to move the legend; double-click to put it back");
    Rect::from_min_size(min, size)
}

/// Paints the legend: the colours with their values, the distribution of values, and a summary.
fn legend(ui: &egui::Ui, painter: &egui::Painter, shown: &ShownMap, area: Rect) {
    let palette = theme::palette(ui);
    let lines = summary(shown, &shown.statistics);
    let own_colors = matches!(shown.query.map, Map::Fate | Map::Primitive);
    let is_scale = shown.field.components == 1 && !shown.field.is_condition && !own_colors;
    let fates: Vec<usize> = if shown.query.map == Map::Fate { fates(shown) } else { Vec::new() };
    let row = 15.0;
    let scale_height = if is_scale { 34.0 + LEGEND.y + row } else { 0.0 };
    let height = scale_height + row * (lines.len() + fates.len()) as f32 + 14.0;
    let size = vec2(LEGEND.x + 24.0, height);
    if size.x + 20.0 > area.width() || size.y + 20.0 > area.height() {
        return;
    }
    let rect = legend_place(ui, size, area);
    painter.rect_filled(rect, CornerRadius::same(theme::RADIUS), palette.panel.gamma_multiply(0.94));
    painter.rect_stroke(
        rect,
        CornerRadius::same(theme::RADIUS),
        Stroke::new(1.0, palette.line),
        StrokeKind::Inside,
    );
    let mut y = rect.top() + 7.0;
    let left = rect.left() + 12.0;
    if is_scale {
        histogram(painter, shown, Rect::from_min_size(pos2(left, y), vec2(LEGEND.x, 30.0)), palette);
        y += 34.0;
        let colors = Rect::from_min_size(pos2(left, y), LEGEND);
        scale(painter, shown.range, colors, palette);
        y += LEGEND.y + row;
    }
    let font = theme::caption_font();
    for fate in fates {
        let swatch = Rect::from_min_size(pos2(left, y + 2.0), vec2(10.0, 10.0));
        painter.rect_filled(swatch, 2.0, theme::map_fate(fate));
        painter.text(pos2(left + 16.0, y), Align2::LEFT_TOP, fate_words(fate), font.clone(), palette.text);
        y += row;
    }
    for line in lines {
        painter.text(pos2(left, y), Align2::LEFT_TOP, line, font.clone(), palette.text_weak);
        y += row;
    }
}

/// The outcomes that occur in the map, by number.
fn fates(shown: &ShownMap) -> Vec<usize> {
    let last = shown.bins.len().saturating_sub(1);
    let bin = |fate: usize| ((shown.range.place(fate as f64) * shown.bins.len() as f64) as usize).min(last);
    (0..8).filter(|&fate| shown.bins.get(bin(fate)).is_some_and(|count| *count > 0)).collect()
}

fn scale(painter: &egui::Painter, range: Range, rect: Rect, palette: &theme::Palette) {
    let steps = 64;
    let mut mesh = egui::Mesh::default();
    for step in 0..=steps {
        let part = step as f32 / steps as f32;
        let color = gradient(part.into());
        let x = rect.left() + rect.width() * part;
        mesh.colored_vertex(pos2(x, rect.top()), color);
        mesh.colored_vertex(pos2(x, rect.bottom()), color);
        if step < steps {
            let at = 2 * step as u32;
            mesh.add_triangle(at, at + 1, at + 2);
            mesh.add_triangle(at + 1, at + 2, at + 3);
        }
    }
    painter.add(egui::Shape::mesh(mesh));
    let mut taken = f32::NEG_INFINITY;
    let ends = [range.low, range.high];
    let ticks = legend_ticks(range, 4);
    let inner = ticks.into_iter().filter(|tick| *tick > range.low && *tick < range.high);
    let all = [(ends[0], Align2::LEFT_TOP), (ends[1], Align2::RIGHT_TOP)];
    let right = painter.layout_no_wrap(number(ends[1], 8), theme::caption_font(), palette.text).size().x;
    for (value, align) in all.into_iter().take(1).chain(inner.map(|tick| (tick, Align2::CENTER_TOP))) {
        let x = rect.left() + rect.width() * range.place(value) as f32;
        let galley = painter.layout_no_wrap(number(value, 8), theme::caption_font(), palette.text);
        let place = align.anchor_size(pos2(x, rect.bottom() + 1.0), galley.size());
        if place.left() > taken + 6.0 && place.right() < rect.right() - right - 6.0
            || align == Align2::LEFT_TOP
        {
            painter.vline(x, rect.bottom() - 3.0..=rect.bottom(), Stroke::new(1.0, palette.text));
            taken = place.right();
            painter.galley(place.min, galley, palette.text);
        }
    }
    let (value, align) = all[1];
    painter.text(
        rect.right_bottom() + vec2(0.0, 1.0),
        align,
        number(value, 8),
        theme::caption_font(),
        palette.text,
    );
}

/// Paints the distribution of values.
fn histogram(painter: &egui::Painter, shown: &ShownMap, rect: Rect, palette: &theme::Palette) {
    let bins = &shown.bins;
    let most = bins.iter().copied().max().unwrap_or(0).max(1) as f32;
    let width = rect.width() / bins.len().max(1) as f32;
    for (number, count) in bins.iter().enumerate().filter(|(_, count)| **count > 0) {
        // The square root keeps small counts visible beside large ones.
        let height = (rect.height() * (*count as f32 / most).sqrt()).max(1.0);
        let left = rect.left() + width * number as f32;
        let bar =
            Rect::from_min_max(pos2(left, rect.bottom() - height), pos2(left + width - 0.5, rect.bottom()));
        painter.rect_filled(bar, 0.0, palette.text_faint);
    }
    painter.hline(rect.x_range(), rect.bottom(), Stroke::new(1.0, palette.line_strong));
}

/// Summarises the map in words.
fn summary(shown: &ShownMap, statistics: &Statistics) -> Vec<String> {
    let Statistics { pixels, not_finite, sum, other_than_zero, .. } = *statistics;
    let count = |number: usize| format::count(number as u64);
    let map = shown.query.map;
    let mut lines = Vec::new();
    if shown.field.is_condition {
        lines.push(format!("{} of {} pixels", count(other_than_zero), count(pixels)));
    } else if map.counts() {
        let mean = if pixels == 0 { 0.0 } else { sum / pixels as f64 };
        lines.push(format!("{} in total, {} per pixel", format::count(sum as u64), number(round(mean), 7)));
    } else if map == Map::Difference {
        let greatest = statistics.range.map_or(0.0, |[_, greatest]| greatest);
        lines.push(format!("{} of {} pixels differ", count(other_than_zero), count(pixels)));
        if let Some([x, y]) = statistics.greatest_at.filter(|_| greatest > 0.0) {
            lines.push(format!("by at most {}, at {x}, {y}", number(round(greatest), 9)));
        }
    } else if map != Map::Fate && map != Map::Primitive {
        let mean = if pixels == 0 { 0.0 } else { sum / (pixels * shown.field.components) as f64 };
        lines.push(format!("{} pixels, mean {}", count(pixels), number(round(mean), 9)));
    }
    if not_finite > 0 {
        lines.push(format!("{} NaN or infinite", count(not_finite)));
    }
    lines.push(format!("computed in {}", format::milliseconds(shown.time)));
    lines
}

/// Rounds to six significant digits.
fn round(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let factor = 10f64.powi(5 - value.abs().log10().floor() as i32);
    (value * factor).round() / factor
}

/// Formats the value of a pixel for the read-out.
pub fn value_at(document: &Document, shown: &ShownMap, pixel: [u32; 2]) -> Option<String> {
    let value = shown.field.at(pixel)?;
    if shown.query.map == Map::Fate {
        return value.first().map(|fate| fate_words(*fate as usize).to_owned());
    }
    if shown.field.is_condition {
        let holds = value.first().is_some_and(|truth| *truth != 0.0);
        let first = shown.field.first_at(pixel).and_then(|pc| line_of(document, shown, pc));
        let word = if holds { "yes" } else { "no" };
        return Some(first.map_or_else(|| word.to_owned(), |line| format!("{word}, first at line {line}")));
    }
    let numbers: Vec<String> =
        value.iter().map(|component| format::number_within(*component, usize::MAX)).collect();
    Some(numbers.join("  "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_pixels_have_few_digits() {
        for (value, width, expected) in [
            (0.034_179_688, 20, "0.03418"),
            (1.0 / 3.0, 20, "0.33333"),
            (-1.0 / 3.0, 5, "-0.33"),
            (123_456.789, 20, "123457"),
            (999_999.7, 20, "1e6"),
            (1_234_567.0, 20, "1.2346e6"),
            (12.0, 3, "12"),
            (65_504.0, 4, "7e4"),
            (0.000_012_345_678, 20, "1.2346e-5"),
            (1e-30, 20, "1e-30"),
            (1e-30, 4, "…"),
            (0.0, 3, "0"),
            (f64::NAN, 20, "NaN"),
        ] {
            assert_eq!(pixel_number(value, width), expected, "{value} in {width}");
        }
        let mut value = 1.234_567_890_123e-12;
        while value < 1e14 {
            for width in 3..24 {
                let text = pixel_number(value, width);
                assert!(text.chars().filter(char::is_ascii_digit).count() <= 6, "{text}");
                assert!(text.chars().count() <= width, "{text} in {width}");
            }
            value *= 7.3;
        }
    }
}
