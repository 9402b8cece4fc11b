//! The table of a buffer's elements. Each row begins with the number of its first element.

use super::{MemoryTable, Shown, step_to_writer, writer};
use crate::command::Action;
use crate::format;
use crate::scene::ElementType;
use crate::theme;
use crate::widgets;
use egui::{Align2, Rect, Sense, Ui, pos2, vec2};
use shadestep_engine::memory::Store;

/// Height of a row, in points.
const ROW_HEIGHT: f32 = 20.0;
/// Width of the element number at the left, in points.
const NUMBER_WIDTH: f32 = 76.0;
/// Width of a character, in points, rounded up.
const CHARACTER: f32 = 6.35;
/// Most rows in the table at once. With more rows, the scroll bar could no longer reach each of them.
const PART_ROWS: usize = 1 << 16;

/// Width of an element, in characters.
fn characters(element: ElementType) -> usize {
    match element {
        ElementType::UnsignedByte => 4,
        ElementType::Short => 7,
        ElementType::Float | ElementType::Int | ElementType::UnsignedInt => 11,
        ElementType::Int64 | ElementType::UnsignedInt64 | ElementType::Double => 20,
    }
}

/// Number of elements per row: a power of two, so that rows begin at round numbers.
fn across(element: ElementType, width: f32) -> usize {
    let cell = characters(element) as f32 * CHARACTER + 8.0;
    let fit = ((width - NUMBER_WIDTH) / cell).max(1.0) as usize;
    (1 << fit.ilog2()).min(16)
}

/// Shows the visible rows.
pub(super) fn show(ui: &mut Ui, own: &mut MemoryTable, shown: &Shown<'_>, actions: &mut Vec<Action>) {
    let size = shown.element.bytes();
    let count = shown.held.len() as usize / size;
    let across = across(shown.element, ui.available_width() - 24.0);
    let rows = count.div_ceil(across);
    let parts = rows.div_ceil(PART_ROWS).max(1);
    let wanted = own.scroll_to.take().map(|element| element as usize / across);
    if let Some(row) = wanted {
        own.part = row / PART_ROWS;
    }
    own.part = own.part.min(parts - 1);
    if parts > 1 {
        choose_part(ui, own, parts, across);
    }
    let first = own.part * PART_ROWS;
    let mut area = egui::ScrollArea::vertical().auto_shrink(false).id_salt("memory rows");
    if let Some(row) = wanted {
        area = area.vertical_scroll_offset((row - first) as f32 * ROW_HEIGHT);
    }
    area.show_rows(ui, ROW_HEIGHT, (rows - first).min(PART_ROWS), |ui, range| {
        for row in range {
            let from = (first + row) * across;
            show_row(ui, shown, from..(from + across).min(count), actions);
        }
    });
    let left = shown.held.len() as usize - count * size;
    if left > 0 && own.part + 1 == parts {
        let (bytes, do_not) = if left == 1 { ("byte", "does") } else { ("bytes", "do") };
        let words = format!(
            "{left} {bytes} at the end {do_not} not fill an element of type {}",
            shown.element.name()
        );
        ui.label(theme::caption(ui, words));
    }
}

/// A field that selects the part of a large buffer.
fn choose_part(ui: &mut Ui, own: &mut MemoryTable, parts: usize, across: usize) {
    egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 3)).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            ui.label(theme::caption(ui, "Part"));
            let field = egui::DragValue::new(&mut own.part).range(0..=parts - 1).speed(0.1);
            widgets::named(ui.add(field), "Part");
            let elements = PART_ROWS * across;
            ui.label(theme::caption(ui, format!("of {parts}, from 0; {elements} elements each")));
        });
    });
}

fn show_row(ui: &mut Ui, shown: &Shown<'_>, elements: std::ops::Range<usize>, actions: &mut Vec<Action>) {
    let palette = theme::palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    let (size, ty) = (shown.element.bytes(), shown.element.ty());
    let number = pos2(rect.left() + NUMBER_WIDTH - 14.0, rect.center().y);
    let font = theme::table_font();
    ui.painter().text(number, Align2::RIGHT_CENTER, elements.start, font.clone(), palette.text_faint);
    let width = characters(shown.element) as f32 * CHARACTER + 8.0;
    let read = |store: &Store, element: usize| {
        let mut bytes = [0; 8];
        store.read((element * size) as u64, &mut bytes[..size]);
        shown.element.bits(&bytes[..size])
    };
    let cell = |place: usize| {
        let left = rect.left() + NUMBER_WIDTH + place as f32 * width;
        Rect::from_min_max(pos2(left, rect.top()), pos2(left + width, rect.bottom()))
    };
    let mut texts = Vec::with_capacity(elements.len());
    for (place, element) in elements.clone().enumerate() {
        let (bits, before, cell) = (read(shown.held, element), read(shown.before, element), cell(place));
        let offset = (element * size) as i64;
        let touched = shown.touched.iter().find(|touched| {
            (touched.from..touched.to).contains(&offset)
                || (offset..offset + size as i64).contains(&touched.from)
        });
        if let Some(touched) = touched {
            let wash = if touched.is_written { palette.write_wash } else { palette.read_wash };
            ui.painter().rect_filled(cell.shrink2(vec2(1.0, 1.0)), theme::RADIUS, wash);
        }
        let color = match touched {
            Some(touched) if touched.is_written => palette.write,
            Some(_) => palette.read,
            None if bits != before => palette.accent,
            None => palette.of_value(ty.value(bits), palette.text_strong),
        };
        let text = shown.format.show_within(bits, ty, characters(shown.element));
        let right = pos2(cell.right() - 5.0, cell.center().y);
        ui.painter().text(right, Align2::RIGHT_CENTER, &text, font.clone(), color);
        texts.push(text);
    }
    let name = format!("Elements from {}: {}", elements.start, texts.join(" "));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, name.as_str()));
    let place = response.interact_pointer_pos().filter(|_| response.clicked()).or(response.hover_pos());
    let pointed = place.map(|pos| (pos.x - rect.left() - NUMBER_WIDTH) / width);
    let pointed = pointed.filter(|place| *place >= 0.0).map(|place| elements.start + place as usize);
    if let Some(element) = pointed.filter(|element| elements.contains(element)) {
        let (bits, before) = (read(shown.held, element), read(shown.before, element));
        if response.clicked() {
            step_to_writer(shown, (element * size) as u64, actions);
        }
        response.on_hover_ui_at_pointer(|ui| {
            let at = format!("{}+{}, element {element}", shown.buffer.name, element * size);
            ui.label(theme::caption(ui, at));
            let exact = |bits| format!("{} ({})", format::decimal(bits, ty), format::pattern(bits, ty));
            ui.label(theme::value(ui, exact(bits)));
            if bits != before {
                ui.label(theme::caption(ui, format!("before: {}", exact(before))));
            }
            writer(ui, shown, (element * size) as u64);
        });
    }
}
