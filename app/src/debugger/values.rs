//! A row of four components with marks on each component and a tag for the format. Values that are too long
//! for one line get several. Most tables of the debugger panel use these rows.

use crate::command::Action;
use crate::format::ValueFormat;
use crate::theme::{self, Palette};
use crate::widgets;
use egui::{Align2, Color32, Rect, Response, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use shadestep_engine::ir::{Components, Type, Value};

pub const ROW_HEIGHT: f32 = 19.0;
const NAME_WIDTH: f32 = 66.0;
/// Width of the tag after the name, in points.
const TAG_WIDTH: f32 = 34.0;
/// Where the components begin, in points from the left.
pub const VALUES_AT: f32 = NAME_WIDTH + TAG_WIDTH;
/// Width of a swatch before a name, in points.
const SWATCH: f32 = 20.0;
/// Width of the name of a fact, in points.
const FACT_WIDTH: f32 = 76.0;
/// Width of a character of the value font, in points, rounded up.
const CHARACTER: f32 = 6.35;
/// Part of a cell's width that holds no characters, in points.
const CELL_MARGIN: f32 = 8.0;
/// Width of a cell with room for every fp32 value, such as `-1.1754944e-38`.
const FULL_CELL: f32 = 14.0 * CHARACTER + CELL_MARGIN;
/// Minimum width of a table that shows every fp32 value in full.
pub const FULL_WIDTH: f32 = VALUES_AT + 4.0 * FULL_CELL;
/// Largest share of a narrow table for the names.
const NAMES_SHARE: f32 = 0.28;

/// Where the components begin in a table of `width` points. Names get the room that they need if numbers keep
/// `FULL_CELL`, else at most `NAMES_SHARE` of the width.
pub fn values_at<'a>(width: f32, names: impl Iterator<Item = &'a str>, format: ValueFormat) -> f32 {
    let swatch = if format == ValueFormat::Color { SWATCH } else { 0.0 };
    let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
    let wanted = longest as f32 * CHARACTER + 8.0 + swatch;
    let spare = (width - TAG_WIDTH - 4.0 * FULL_CELL).max(NAMES_SHARE * width).max(NAME_WIDTH);
    wanted.clamp(NAME_WIDTH, spare).round() + TAG_WIDTH
}

/// How a component takes part in the current step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The current step reads the component.
    pub read: bool,
    /// The current step writes the component.
    pub written: bool,
    /// The last step changed the component.
    pub changed: bool,
    /// The component has no value yet.
    pub undefined: bool,
    /// The component plays no part here, so its text is faint.
    pub dimmed: bool,
    /// The recorded run has another value here.
    pub differs: bool,
}

/// The kind of name before a row, which selects the font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// A register, as written in the program.
    Register,
    /// A stage, in words.
    Stage,
}

/// One row of a table.
pub struct Row<'a> {
    /// The name before the values.
    pub name: &'a str,
    /// The kind of name.
    pub kind: NameKind,
    /// The tooltip of the name; may be empty.
    pub hint: &'a str,
    /// Bits of x, y, z, w.
    pub bits: Components,
    /// The type that each component was written as.
    pub types: [Type; 4],
    /// The mark of each component.
    pub marks: [Mark; 4],
}

/// Optional parts of a row.
#[derive(Clone, Debug)]
pub struct Extra {
    /// A colour before the name.
    pub swatch: Option<Color32>,
    /// Replaces the name of the format.
    pub tag: Option<String>,
    /// Where the components begin, in points from the left.
    pub at: f32,
}

impl Extra {
    const NONE: Self = Self { swatch: None, tag: None, at: VALUES_AT };
}

/// A header with the letters of the columns.
pub fn columns(ui: &mut Ui, title: &str) {
    columns_at(ui, title, VALUES_AT);
}

/// The same for rows with components from `at` on.
pub fn columns_at(ui: &mut Ui, title: &str, at: f32) {
    let rect = heading(ui, title);
    letters(ui, rect, at);
}

/// Paints the letters of the columns in a header with components from `at` on.
pub fn letters(ui: &Ui, rect: Rect, at: f32) {
    let palette = theme::palette(ui);
    for (index, name) in ["x", "y", "z", "w"].into_iter().enumerate() {
        let cell = Cells { row: rect, across: 4, at }.rect(index);
        let right = pos2(cell.right() - 4.5, rect.center().y);
        ui.painter().text(right, Align2::RIGHT_CENTER, name, theme::caption_font(), palette.text_faint);
    }
}

/// The layout of the components in a row.
#[derive(Clone, Copy)]
struct Cells {
    row: Rect,
    /// Components on a line.
    across: usize,
    /// Where the components begin, in points from the left.
    at: f32,
}

impl Cells {
    /// The cells of a row of one line.
    const fn of_line(row: Rect, at: f32) -> Self {
        Self { row, across: 4, at }
    }

    fn lines(self) -> usize {
        4 / self.across
    }

    fn rect(self, component: usize) -> Rect {
        let width = ((self.row.width() - self.at) / self.across as f32).max(10.0);
        let (line, column) = (component / self.across, component % self.across);
        let left = self.row.left() + self.at + width * column as f32;
        Rect::from_min_size(pos2(left, self.row.top() + ROW_HEIGHT * line as f32), vec2(width, ROW_HEIGHT))
    }

    /// The first line of the row.
    fn head(self) -> Rect {
        Rect::from_min_size(self.row.min, vec2(self.row.width(), ROW_HEIGHT))
    }
}

/// The cell of `component` in a line with components from `at` on.
pub fn cell_rect(line: Rect, at: f32, component: usize) -> Rect {
    let rect = Cells::of_line(line, at).rect(component);
    Rect::from_x_y_ranges(rect.x_range(), line.y_range())
}

/// The component at a point of `row`, which is in `rect` and has components from `at` on.
pub fn component_at(
    (rect, at): (Rect, f32),
    point: egui::Pos2,
    row: &Row<'_>,
    format: ValueFormat,
) -> Option<u8> {
    let cells = Cells { row: rect, across: format.across(row.types), at };
    (0..4).find(|&c| cells.rect(usize::from(c)).contains(point))
}

/// The place of the tag in a row with components from `at` on.
pub fn tag_rect(row: Rect, at: f32) -> Rect {
    let line = Cells::of_line(row, at).head();
    Rect::from_min_size(line.min + vec2(at - TAG_WIDTH, 0.0), vec2(TAG_WIDTH, ROW_HEIGHT))
}

/// Shows a row of values. A click copies the value under the pointer.
pub fn show(ui: &mut Ui, row: &Row<'_>, format: ValueFormat) -> Response {
    let faint = theme::palette(ui).text_faint;
    show_tagged(ui, row, format, (faint, VALUES_AT))
}

/// The same with a tag in `color` and components from `at` on.
pub fn show_tagged(ui: &mut Ui, row: &Row<'_>, format: ValueFormat, (color, at): (Color32, f32)) -> Response {
    show_all(ui, row, format, (color, &Extra { at, ..Extra::NONE }))
}

/// The same with the optional parts in `extra`.
pub fn show_with(ui: &mut Ui, row: &Row<'_>, format: ValueFormat, extra: Extra) -> Response {
    let weak = theme::palette(ui).text_weak;
    show_all(ui, row, format, (weak, &extra))
}

fn show_all(ui: &mut Ui, row: &Row<'_>, format: ValueFormat, (color, extra): (Color32, &Extra)) -> Response {
    let (across, at) = (format.across(row.types), extra.at);
    let height = ROW_HEIGHT * Cells { row: Rect::NOTHING, across, at }.lines() as f32;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    response.widget_info(|| {
        let shown = format.read(row.bits, row.types).into_iter().flatten();
        let values = shown.map(|(bits, ty)| format.show(bits, ty)).collect::<Vec<_>>().join("  ");
        egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{}: {values}", row.name))
    });
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let cells = Cells { row: rect, across, at };
    let font = egui::FontId::proportional(10.5);
    let end = match &extra.tag {
        Some(words) => {
            let tag = pos2(rect.left() + at - 4.0, cells.head().center().y);
            ui.painter().text(tag, Align2::RIGHT_CENTER, words, font, color);
            at - TAG_WIDTH - 4.0
        }
        None => {
            let tag = pos2(rect.left() + at - TAG_WIDTH + 3.0, cells.head().center().y);
            ui.painter().text(tag, Align2::LEFT_CENTER, format.tag(row.types), font, color);
            at - TAG_WIDTH
        }
    };
    paint_name(ui, row, cells.head(), (format, extra.swatch, end));
    for (index, value) in format.read(row.bits, row.types).into_iter().enumerate() {
        let Some(value) = value else { continue };
        let mut cell = cells.rect(index);
        // A value of two components uses both cells.
        if format == ValueFormat::Doubles && !row.types[index].is_wide() {
            cell = cell.union(cells.rect(index + 1));
        }
        let mut cell = cell.shrink2(vec2(1.5, 0.5));
        if cells.lines() > 1 {
            // On several lines the letters of the header are not above the components, so each value gets its
            // own.
            let letter = ["x", "y", "z", "w"][index];
            let (place, faint) = (cell.left_center() + vec2(4.0, 0.0), theme::palette(ui).text_faint);
            ui.painter().text(place, Align2::LEFT_CENTER, letter, theme::caption_font(), faint);
            cell.min.x += 14.0;
        }
        paint_cell(ui, cell, value, row.marks[index], format);
    }
    hover(ui, &response, row, cells, format);
    response
}

/// Converts a value of any type to single precision.
pub fn single_of(value: Value) -> f32 {
    match value {
        Value::Single(value) => value,
        Value::Double(value) => value as f32,
        Value::Signed(value) => value as f32,
        Value::Unsigned(value) => value as f32,
    }
}

/// Paints the name before the values. `end` is the right edge of the room for the name, in points from the
/// left.
fn paint_name(ui: &Ui, row: &Row<'_>, line: Rect, (format, own, end): (ValueFormat, Option<Color32>, f32)) {
    let palette = theme::palette(ui);
    let mut left = line.left();
    let shows_color = format == ValueFormat::Color && !row.marks.iter().all(|mark| mark.undefined);
    if own.is_some() || shows_color {
        let [r, g, b, _] = std::array::from_fn(|c| single_of(row.types[c].value(row.bits[c])));
        let swatch = Rect::from_center_size(pos2(left + 7.0, line.center().y), vec2(13.0, 13.0));
        let color = own.unwrap_or_else(|| widgets::color_of([r, g, b]));
        widgets::paint_swatch(ui.painter(), swatch, color, palette);
        left += SWATCH;
    }
    let (font, color) = match row.kind {
        NameKind::Register => (theme::table_font(), palette.text),
        NameKind::Stage => (egui::FontId::proportional(12.0), palette.text_weak),
    };
    let room = Rect::from_min_max(pos2(left, line.top()), pos2(line.left() + end - 4.0, line.bottom()));
    let laid_out = |text: String| ui.painter().layout_no_wrap(text, font.clone(), color);
    let mut text = laid_out(row.name.to_owned());
    if text.size().x > room.width() {
        for shorter in shortened(row.name) {
            text = laid_out(shorter);
            if text.size().x <= room.width() {
                break;
            }
        }
    }
    let place = Align2::LEFT_CENTER.anchor_size(room.left_center(), text.size()).min;
    ui.painter().galley(place, text, color);
}

/// Shorter forms of a name, the longest first. Each form keeps the characters that distinguish similar names.
///
/// Constants keep their beginning. The element of a vertex keeps the number of the vertex and the end of the
/// name, as in `…[1].te…[3]` for `vertex[1].texcoord[3]`. Other names keep their end, if possible from a `.`
/// on.
fn shortened(name: &str) -> Vec<String> {
    let begins = |c: char| c.is_ascii_digit() || matches!(c, '{' | '-' | '.');
    let count = name.chars().count();
    if name.starts_with(begins) {
        let start = |kept: usize| name.chars().take(kept).chain(['…']).collect();
        return (1..count).rev().map(start).collect();
    }
    let ends = || name.char_indices().skip(1).filter_map(|(start, _)| name.get(start..));
    let of_vertex = name.find('[').zip(name.find("].")).filter(|(open, close)| 0 < *open && open < close);
    if let Some((open, close)) = of_vertex {
        let (vertex, rest) = (&name[open..close + 2], &name[close + 2..]);
        let (word, number) = rest.split_at(rest.find('[').unwrap_or(rest.len()));
        let letters = word.chars().count();
        let cut = |kept: usize| {
            let word: String = word.chars().take(kept).collect();
            let more = if kept < letters { "…" } else { "" };
            format!("{word}{more}{number}")
        };
        let words = || (1..=letters).rev();
        let with_name = words().map(|kept| format!("…{vertex}{}", cut(kept)));
        return with_name.chain(words().map(|kept| format!("{vertex}{}", cut(kept)))).collect();
    }
    let parts = ends().filter(|end| end.starts_with('.')).filter_map(|end| end.get(1..));
    parts.chain(ends()).map(|end| format!("…{end}")).collect()
}

fn paint_cell(ui: &Ui, cell: Rect, (bits, ty): (u64, Type), mark: Mark, format: ValueFormat) {
    let palette = theme::palette(ui);
    let painter = ui.painter();
    if mark.read && !mark.dimmed {
        painter.rect_filled(cell, 3.0, palette.read_wash);
    }
    if mark.differs {
        painter.rect_filled(cell, 3.0, palette.warning_wash);
    }
    if mark.written {
        painter.rect_stroke(cell, 3.0, Stroke::new(1.2, palette.write), StrokeKind::Inside);
    }
    // The cell has already lost 3 points of the margin.
    let room = ((cell.width() - (CELL_MARGIN - 3.0)) / CHARACTER).floor().max(1.0) as usize;
    let text = match room {
        0..5 if mark.undefined => "–".to_owned(),
        5..9 if mark.undefined => "undef".to_owned(),
        _ if mark.undefined => "undefined".to_owned(),
        _ => format.show_within(bits, ty, room),
    };
    let right = pos2(cell.right() - 3.0, cell.center().y);
    let clip = cell.intersect(ui.clip_rect());
    let color = text_color(palette, ty.value(bits), mark);
    painter.with_clip_rect(clip).text(right, Align2::RIGHT_CENTER, text, theme::table_font(), color);
}

fn text_color(palette: &Palette, value: Value, mark: Mark) -> Color32 {
    match mark {
        Mark { dimmed: true, .. } | Mark { undefined: true, .. } => palette.text_faint,
        Mark { differs: true, .. } => palette.warning,
        _ if !value.is_finite() => palette.non_finite,
        Mark { changed: true, .. } => palette.write,
        Mark { read: true, .. } => palette.read,
        _ => palette.text_strong,
    }
}

/// Shows the value under the pointer in every format. A click copies the value in full, in the current
/// format.
fn hover(ui: &Ui, response: &Response, row: &Row<'_>, cells: Cells, format: ValueFormat) {
    let Some(pos) = response.hover_pos() else { return };
    let response = response.clone();
    let Some(index) = (0..4).find(|&index| cells.rect(index).contains(pos)) else {
        let words =
            if row.hint.is_empty() { row.name.to_owned() } else { format!("{}: {}", row.name, row.hint) };
        response.on_hover_text_at_pointer(words);
        return;
    };
    let palette = theme::palette(ui);
    if response.clicked() && !row.marks[index].undefined {
        // A value of two components can be copied from either cell.
        let shown = format.read(row.bits, row.types);
        let value = shown[index].or_else(|| shown[index & !1]);
        ui.ctx().copy_text(value.map(|(bits, ty)| format.show(bits, ty)).unwrap_or_default());
    }
    response.on_hover_ui_at_pointer(|ui| {
        let component = ["x", "y", "z", "w"][index];
        ui.label(theme::value(ui, format!("{}.{component}", row.name)));
        if row.marks[index].undefined {
            let words = "Undefined: never written, or the specification leaves the result undefined.";
            ui.label(egui::RichText::new(words).color(palette.warning));
            return;
        }
        widgets::views(ui, row.bits, row.types, index);
        ui.label(theme::caption(ui, "Click to copy the value"));
    });
}

/// A title without columns. Returns its rectangle.
pub fn heading(ui: &mut Ui, title: &str) -> Rect {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    paint_title(ui, rect, title);
    rect
}

/// Paints a title at the left of `rect`.
pub fn paint_title(ui: &Ui, rect: Rect, title: &str) {
    let (font, color) = (theme::strong_font(12.0), theme::palette(ui).text_strong);
    ui.painter().text(rect.left_center(), Align2::LEFT_CENTER, title, font, color);
}

/// A name with a text that can take several lines.
pub fn fact(ui: &mut Ui, name: &str, hint: &str, told: &str) {
    let palette = theme::palette(ui);
    let room = (ui.available_width() - FACT_WIDTH).max(40.0);
    let galley = ui.painter().layout(told.to_owned(), theme::table_font(), palette.text_strong, room);
    let height = ROW_HEIGHT.max(galley.size().y + 4.0);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{name}: {told}")));
    let (font, place) = (egui::FontId::proportional(12.0), rect.left_top() + vec2(0.0, ROW_HEIGHT / 2.0));
    ui.painter().text(place, Align2::LEFT_CENTER, name, font, palette.text_weak);
    let place = pos2(rect.left() + FACT_WIDTH, rect.top() + 3.0);
    ui.painter().galley(place, galley, palette.text_strong);
    response.on_hover_text(hint);
}

/// A row of a menu's grid with a button for each component. `said` and the letter of the component are the
/// accessible name of a button.
pub fn buttons(
    ui: &mut Ui,
    (words, said): (&str, &str),
    action: impl Fn(u8) -> Action,
    actions: &mut Vec<Action>,
) {
    ui.label(theme::caption(ui, words));
    for (component, letter) in (0..).zip(["x", "y", "z", "w"]) {
        let button = ui.add(egui::Button::new(letter).min_size(vec2(22.0, 22.0)));
        button
            .widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, format!("{said}.{letter}")));
        if button.clicked() {
            actions.push(action(component));
            ui.close();
        }
    }
    ui.end_row();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first form of `name` that has at most `count` characters.
    fn within(name: &str, count: usize) -> Option<String> {
        shortened(name).into_iter().find(|shorter| shorter.chars().count() <= count)
    }

    #[test]
    fn names_that_look_alike_stay_distinct() {
        let within = |name: &str, count| within(name, count).unwrap();
        assert_eq!(within("vertex[1].position", 13), "…[1].position");
        assert_eq!(within("vertex[1].position", 9), "…[1].pos…");
        assert_eq!(within("vertex[1].texcoord[3]", 11), "…[1].te…[3]");
        assert_eq!(within("program.local[3]", 9), "…local[3]");
        assert_eq!(within("{1, 0, 0, 1}", 8), "{1, 0, …");
        let names = ["position", "texcoord[0]", "texcoord[1]", "normal"];
        let all: Vec<String> = (0..6).flat_map(|n| names.map(|name| format!("vertex[{n}].{name}"))).collect();
        let shorter: std::collections::BTreeSet<String> = all.iter().map(|name| within(name, 9)).collect();
        assert_eq!(shorter.len(), all.len(), "{shorter:?}");
    }

    #[test]
    fn names_get_the_room_that_numbers_do_not_need() {
        let at = |width, name| values_at(width, [name].into_iter(), ValueFormat::Typed);
        assert_eq!(at(FULL_WIDTH, "R0"), VALUES_AT);
        let long = "vertex[1].texcoord[3]";
        assert!(at(690.0, long) >= TAG_WIDTH + long.len() as f32 * CHARACTER);
        for width in [FULL_WIDTH, 600.0, 690.0] {
            let cell = (width - at(width, "R0")) / 4.0;
            assert!(cell >= FULL_CELL, "{width}");
        }
        assert!(at(450.0, long) < 450.0 * NAMES_SHARE + TAG_WIDTH + 1.0);
    }
}
