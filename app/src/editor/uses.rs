//! Marks the uses of a name: frames in the text, lines at its right edge, and a strip above it with counts.

use super::rows::Rows;
use crate::command::{Action, Command};
use crate::format;
use crate::icons::Icon;
use crate::model::{Document, DocumentId, OfDocument, TextId};
use crate::theme::{self, Palette};
use crate::widgets::text_fields::text_edit_id;
use crate::widgets::{self, OnClick as _};
use egui::{Color32, Rect, Shape, Stroke, pos2, vec2};
use shadestep_engine::ide::{self, Access};
use shadestep_engine::source::Span;

/// A name whose uses are marked.
pub struct Marked {
    symbol: ide::Symbol,
    /// The text and its revision.
    of: (TextId, u64),
}

impl OfDocument for Marked {
    fn of_document(&self) -> DocumentId {
        self.of.of_document()
    }
}

impl Marked {
    /// Marks the uses of `symbol` in the active text.
    pub fn new(symbol: ide::Symbol, document: &Document) -> Self {
        Self { symbol, of: (document.text_id(), document.revision) }
    }

    /// True if the marks belong to the active text in its current revision.
    pub fn is_of(&self, document: &Document) -> bool {
        self.of == (document.text_id(), document.revision)
    }

    /// The next use after byte `caret`, or the previous one unless `on`. The search wraps around.
    pub fn next(&self, caret: usize, on: bool) -> Option<Span> {
        let spans = || self.symbol.uses.iter().map(|use_| use_.span);
        match on {
            true => spans().find(|span| span.start > caret).or_else(|| spans().next()),
            false => spans().rfind(|span| span.end < caret).or_else(|| spans().next_back()),
        }
    }
}

fn color(palette: &Palette, access: Access) -> Color32 {
    match access {
        Access::Declaration => palette.accent,
        Access::Write => palette.write,
        Access::Read => palette.read,
    }
}

/// Shows the strip above the text, with the name and its numbers of declarations, reads and writes.
pub fn strip(ui: &mut egui::Ui, marked: &mut Option<Marked>, document: &Document, actions: &mut Vec<Action>) {
    if marked.as_ref().is_some_and(|marked| !marked.is_of(document)) {
        *marked = None;
    }
    let Some(shown) = marked.as_ref() else { return };
    let palette = theme::palette(ui);
    let count = |access| shown.symbol.uses.iter().filter(|use_| use_.access == access).count();
    let caret = document.active().caret;
    let here = shown.symbol.uses.iter().position(|use_| use_.span.start <= caret && caret <= use_.span.end);
    let total = shown.symbol.uses.len();
    let place = match here {
        Some(here) => format!("{} of {total}", here + 1),
        None => format::counted(total, "use"),
    };
    let mut closed = false;
    egui::Frame::new().fill(palette.panel).inner_margin(egui::Margin::symmetric(10, 6)).show(ui, |ui| {
        ui.with_layout(egui::Layout::right_to_left(egui::Align::TOP), |ui| {
            closed = widgets::icon_button(ui, Icon::Close, "Hide the uses (Esc)", true).clicked();
            let room = vec2(ui.available_width(), theme::ICON_BUTTON);
            let layout = egui::Layout::left_to_right(egui::Align::Center).with_main_wrap(true);
            ui.allocate_ui_with_layout(room, layout, |ui| {
                ui.label(theme::value(ui, shown.symbol.name.as_str()));
                ui.label(theme::caption(ui, shown.symbol.what.as_str()));
                let buttons =
                    [(Icon::ChevronLeft, Command::PreviousUse), (Icon::ChevronRight, Command::NextUse)];
                for (icon, command) in buttons {
                    widgets::icon_button(ui, icon, &command.tooltip(ui.ctx()), true)
                        .on_click(command, actions);
                }
                ui.label(theme::caption(ui, place));
                let parts =
                    [(Access::Declaration, "declared"), (Access::Write, "written"), (Access::Read, "read")];
                for (access, word) in parts.into_iter().filter(|(access, _)| count(*access) > 0) {
                    let (rect, _) = ui.allocate_exact_size(vec2(8.0, 8.0), egui::Sense::hover());
                    ui.painter().rect_filled(rect, 2.0, color(palette, access));
                    let words = theme::caption(ui, format!("{word} {}", times(count(access))));
                    ui.add(egui::Label::new(words).extend());
                }
            });
        });
    });
    widgets::hairline(ui);
    if closed {
        *marked = None;
    }
}

/// Takes Escape if the text has the keyboard focus. Additional carets, the completion list and the rename
/// field take Escape first.
pub fn escaped(ui: &egui::Ui, document: &Document) -> bool {
    ui.memory(|memory| memory.has_focus(text_edit_id(document)))
        && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Escape))
}

/// Formats how often something happens.
pub fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        _ => format!("{count} times"),
    }
}

pub fn shapes(ui: &egui::Ui, marked: &Marked, rows: &Rows<'_>) -> Vec<Shape> {
    let palette = theme::palette(ui);
    let clip = ui.clip_rect();
    let mut shapes = Vec::new();
    for use_ in marked.symbol.uses.iter().filter(|use_| use_.span.end <= rows.text().len()) {
        for rect in rows.rects(use_.span).into_iter().filter(|rect| clip.intersects(*rect)) {
            let rect = rect.shrink2(vec2(0.0, 1.5));
            let color = color(palette, use_.access);
            shapes.push(Shape::rect_filled(rect, 2.0, color.gamma_multiply(0.18)));
            shapes.push(Shape::rect_stroke(rect, 2.0, Stroke::new(1.0, color), egui::StrokeKind::Inside));
        }
    }
    shapes
}

/// Paints short lines at the right edge of `area`, at each use's place in the whole text.
pub fn overview(ui: &egui::Ui, marked: &Marked, rows: &Rows<'_>, area: Rect) {
    /// Height of a line, in points.
    const HEIGHT: f32 = 2.0;
    let palette = theme::palette(ui);
    let lines = rows.count().max(1) as f32;
    for use_ in &marked.symbol.uses {
        let y = area.top() + (area.height() - HEIGHT) * (rows.line_of(use_.span.start) as f32 / lines);
        let rect = Rect::from_min_max(pos2(area.right() - 8.0, y), pos2(area.right() - 1.0, y + HEIGHT));
        ui.painter().rect_filled(rect, 0.0, color(palette, use_.access));
    }
}

/// The line, from 0, and the colour of each use.
pub fn lines<'m>(
    ui: &egui::Ui,
    marked: &'m Marked,
    rows: &'m Rows<'_>,
) -> impl Iterator<Item = (usize, Color32)> {
    let palette = theme::palette(ui);
    marked.symbol.uses.iter().map(|use_| (rows.line_of(use_.span.start), color(palette, use_.access)))
}
