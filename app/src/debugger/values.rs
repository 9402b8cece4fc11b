//! A row of four components, with a mark on each.

use crate::format::ValueFormat;
use crate::shell::widgets;
use crate::theme::{self, Palette};
use egui::{Align2, Color32, Rect, Response, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use shadestep_engine::ir::{Components, Type, Value};

/// Height of a row, in points.
pub const ROW_HEIGHT: f32 = 19.0;
/// Width of the name in front, in points.
pub const NAME_WIDTH: f32 = 60.0;
/// Width of a character of the value font, in points; measured on the safe side.
const CHARACTER: f32 = 6.35;

/// What happens to a component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// The current step reads it.
    pub read: bool,
    /// The current step writes it.
    pub written: bool,
    /// The last step changed it.
    pub changed: bool,
    /// It has no value yet.
    pub undefined: bool,
    /// It plays no part here.
    pub dimmed: bool,
}

/// What kind of name stands in front of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// A register, as written in the program.
    Register,
    /// A stage, in words.
    Stage,
}

/// One row.
pub struct Row<'a> {
    /// In front.
    pub name: &'a str,
    /// What that is.
    pub kind: NameKind,
    /// What the name stands for, on hover; may be empty.
    pub hint: &'a str,
    /// Bits of x, y, z, w.
    pub bits: Components,
    /// The types that they were written as.
    pub types: [Type; 4],
    /// What happens to them.
    pub marks: [Mark; 4],
}

/// Names of the columns.
pub fn columns(ui: &mut Ui, title: &str) {
    let palette = theme::palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    let middle = Align2::LEFT_CENTER;
    ui.painter().text(rect.left_center(), middle, title, theme::strong_font(12.0), palette.text_strong);
    for (index, name) in ["x", "y", "z", "w"].into_iter().enumerate() {
        let cell = cell_rect(rect, index);
        let right = pos2(cell.right() - 4.5, cell.center().y);
        ui.painter().text(right, Align2::RIGHT_CENTER, name, theme::caption_font(), palette.text_faint);
    }
}

fn cell_rect(row: Rect, index: usize) -> Rect {
    let width = ((row.width() - NAME_WIDTH) / 4.0).max(10.0);
    let left = row.left() + NAME_WIDTH + width * index as f32;
    Rect::from_min_size(pos2(left, row.top()), vec2(width, row.height()))
}

/// A row of values. A click copies the value under the pointer.
pub fn show(ui: &mut Ui, row: &Row<'_>, format: ValueFormat) -> Response {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    response.widget_info(|| {
        let shown = format.read(row.bits, row.types).into_iter().flatten();
        let values = shown.map(|(bits, ty)| format.show(bits, ty)).collect::<Vec<_>>().join("  ");
        egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{}: {values}", row.name))
    });
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let mut name_left = rect.left();
    if format == ValueFormat::Color && !row.marks.iter().all(|mark| mark.undefined) {
        let [r, g, b, _] = std::array::from_fn(|c| match row.types[c].value(row.bits[c]) {
            Value::Single(value) => value,
            Value::Double(value) => value as f32,
            Value::Signed(value) => value as f32,
            Value::Unsigned(value) => value as f32,
        });
        let swatch = Rect::from_center_size(pos2(name_left + 7.0, rect.center().y), vec2(13.0, 13.0));
        widgets::paint_swatch(ui.painter(), swatch, widgets::color_of([r, g, b]), palette);
        name_left += 20.0;
    }
    let (name_font, name_color) = match row.kind {
        NameKind::Register => (theme::table_font(), palette.text),
        NameKind::Stage => (egui::FontId::proportional(12.0), palette.text_weak),
    };
    let name_rect =
        Rect::from_min_max(pos2(name_left, rect.top()), pos2(rect.left() + NAME_WIDTH - 6.0, rect.bottom()));
    ui.painter().with_clip_rect(name_rect.intersect(ui.clip_rect())).text(
        name_rect.left_center(),
        Align2::LEFT_CENTER,
        row.name,
        name_font,
        name_color,
    );
    for (index, value) in format.read(row.bits, row.types).into_iter().enumerate() {
        let Some(value) = value else { continue };
        let mut cell = cell_rect(rect, index);
        // A value of two components has room over both.
        if format == ValueFormat::Doubles && !row.types[index].is_wide() {
            cell = cell.union(cell_rect(rect, index + 1));
        }
        paint_cell(ui, cell.shrink2(vec2(1.5, 0.5)), value, row.marks[index], format);
    }
    hover(ui, &response, row, rect, format);
    response
}

fn paint_cell(ui: &Ui, cell: Rect, (bits, ty): (u64, Type), mark: Mark, format: ValueFormat) {
    let palette = theme::palette(ui);
    let painter = ui.painter();
    if mark.read {
        painter.rect_filled(cell, 3.0, palette.read_wash);
    }
    if mark.written {
        painter.rect_stroke(cell, 3.0, Stroke::new(1.2, palette.write), StrokeKind::Inside);
    }
    let room = ((cell.width() - 5.0) / CHARACTER).floor().max(1.0) as usize;
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
        _ if !value.is_finite() => palette.non_finite,
        Mark { changed: true, .. } => palette.write,
        Mark { read: true, .. } => palette.read,
        _ => palette.text_strong,
    }
}

/// What is told of a number, by name.
const OF_NUMBERS: [(ValueFormat, &str); 4] = [
    (ValueFormat::Typed, "Float"),
    (ValueFormat::Hex, "Hex"),
    (ValueFormat::Fp16, "fp16"),
    (ValueFormat::Fx12, "fx12"),
];

/// What is told of an integer.
const OF_INTEGERS: [(ValueFormat, &str); 4] = [
    (ValueFormat::Typed, "Integer"),
    (ValueFormat::Hex, "Hex"),
    (ValueFormat::Binary, "Binary"),
    (ValueFormat::Number, "as a float"),
];

/// The value under the pointer in every format; a click copies it as it is shown, in full.
fn hover(ui: &Ui, response: &Response, row: &Row<'_>, rect: Rect, format: ValueFormat) {
    let Some(pos) = response.hover_pos() else { return };
    let response = response.clone();
    let Some(index) = (0..4).find(|&index| cell_rect(rect, index).contains(pos)) else {
        let words =
            if row.hint.is_empty() { row.name.to_owned() } else { format!("{}: {}", row.name, row.hint) };
        response.on_hover_text_at_pointer(words);
        return;
    };
    let (bits, ty) = (row.bits[index], row.types[index]);
    let palette = theme::palette(ui);
    if response.clicked() && !row.marks[index].undefined {
        // Of a value of two components either may be meant.
        let shown = format.read(row.bits, row.types);
        let value = shown[index].or_else(|| shown[index.saturating_sub(1)]);
        ui.ctx().copy_text(value.map(|(bits, ty)| format.show(bits, ty)).unwrap_or_default());
    }
    response.on_hover_ui_at_pointer(|ui| {
        let component = ["x", "y", "z", "w"][index];
        ui.label(theme::value(ui, format!("{}.{component}", row.name)));
        if row.marks[index].undefined {
            let words =
                "Undefined: nothing has been written to it, or something that the specification leaves open.";
            ui.label(egui::RichText::new(words).color(palette.warning));
            return;
        }
        egui::Grid::new("value in every format").num_columns(2).spacing(vec2(14.0, 3.0)).show(ui, |ui| {
            let formats = if ty.is_integer() { &OF_INTEGERS[..] } else { &OF_NUMBERS };
            for &(format, name) in formats {
                let read = format.read([bits; 4], [ty; 4]);
                ui.label(theme::caption(ui, name));
                ui.label(theme::value(
                    ui,
                    read[0].map(|(bits, ty)| format.show(bits, ty)).unwrap_or_default(),
                ));
                ui.end_row();
            }
            // The one that the register is shown in may not have room in its cell. Colours are told already.
            if format != ValueFormat::Color
                && formats.iter().all(|(told, _)| *told != format)
                && let Some((bits, ty)) = format.read(row.bits, row.types)[index]
            {
                ui.label(theme::caption(ui, format.name()));
                ui.label(theme::value(ui, format.show(bits, ty)));
                ui.end_row();
            }
        });
        ui.label(theme::caption(ui, "Click to copy the value"));
    });
}

/// A title without columns.
pub fn heading(ui: &mut Ui, title: &str) {
    let palette = theme::palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    ui.painter().text(
        rect.left_center(),
        Align2::LEFT_CENTER,
        title,
        theme::strong_font(12.0),
        palette.text_strong,
    );
}
