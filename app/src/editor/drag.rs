//! Pointer gestures that egui's text field lacks: dragging the selection to another place, and selecting a
//! column with Shift and Alt. Both are widgets above the field, so the field does not see these gestures.

use super::carets::Selection;
use super::rows::Rows;
use super::{Carets, lines, text};
use crate::command::{Action, DroppedText};
use crate::model::{Document, DocumentId, PerDocument, TextId};
use crate::settings::TextLook;
use crate::theme;
use crate::widgets::text_fields::byte_of_char;
use egui::text_edit::TextEditOutput;
use egui::{CursorIcon, Key, Modifiers, PointerButton, Pos2, Rect, Response, Sense, Shape, Stroke};
use shadestep_engine::source::Span;

/// Modifiers that select a column.
const COLUMN_KEYS: Modifiers = Modifiers::SHIFT.plus(Modifiers::ALT);

/// The gesture in progress.
#[derive(Default)]
pub struct Drag {
    /// A dragged selection: the text, its revision, and the selection.
    held: Option<(TextId, u64, Span)>,
    /// A column selection: the text, its revision, and the corner where it began.
    column: Option<(TextId, u64, Corner)>,
    /// True if the pointer was over one of the widgets in the last frame. A press there leaves the focus with
    /// the text.
    over: bool,
}

/// A place by line and column, both from 0. The column can lie beyond the end of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Corner {
    line: usize,
    column: usize,
}

impl PerDocument for Drag {
    fn forget(&mut self, closed: DocumentId) {
        self.held.forget(closed);
        self.column.forget(closed);
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        [self.held.kept(), self.column.kept()].concat()
    }
}

pub struct Field<'a> {
    pub document: &'a Document,
    /// The field as shown in this frame.
    pub output: &'a TextEditOutput,
    pub rows: &'a Rows<'a>,
    /// Font and size of the text.
    pub look: TextLook,
}

impl Field<'_> {
    fn byte_at(&self, pos: Pos2) -> usize {
        let cursor = self.output.galley.cursor_from_pos(pos - self.output.galley_pos);
        byte_of_char(self.rows.text(), cursor.index.0)
    }

    fn corner_at(&self, ui: &egui::Ui, pos: Pos2) -> Corner {
        let width = ui.fonts_mut(|fonts| fonts.glyph_width(&self.look.font(), ' '));
        let last = self.rows.count() - 1;
        let below = pos.y >= self.rows.y_range(last).min;
        let line = self.rows.line_at(pos.y).unwrap_or(if below { last } else { 0 });
        let column = ((pos.x - self.rows.left()) / width).round().max(0.0) as usize;
        Corner { line, column }
    }
}

impl Drag {
    /// True if a press on a widget above the field leaves the focus with the field.
    pub fn keeps_focus(&self) -> bool {
        self.over
    }

    /// Shows the widgets above the field. Returns the shape to paint and, during a drag, the place of the
    /// pointer.
    pub fn show(
        &mut self,
        ui: &egui::Ui,
        field: &Field<'_>,
        carets: &mut Carets,
        actions: &mut Vec<Action>,
    ) -> Dragging {
        let of = (field.document.text_id(), field.document.revision);
        self.held.take_if(|(id, revision, _)| (*id, *revision) != of);
        self.column.take_if(|(id, revision, _)| (*id, *revision) != of);
        let modifiers = ui.input(|input| input.modifiers);
        let mut dragging = Dragging::default();
        if field.document.active().is_large() {
        } else if self.column.is_some() || modifiers == COLUMN_KEYS {
            self.select_column(ui, field, carets, &mut dragging, actions);
        } else if self.held.is_some() || modifiers.is_none() && carets.all().is_empty() {
            self.drag_selection(ui, field, &mut dragging, actions);
        }
        self.over = dragging.response.as_ref().is_some_and(Response::contains_pointer);
        dragging
    }

    fn select_column(
        &mut self,
        ui: &egui::Ui,
        field: &Field<'_>,
        carets: &mut Carets,
        dragging: &mut Dragging,
        actions: &mut Vec<Action>,
    ) {
        let document = field.document;
        let area = field.output.response.rect.intersect(ui.clip_rect());
        let id = field.output.response.id.with("column");
        let response = ui.interact(area, id, Sense::drag()).on_hover_cursor(CursorIcon::Crosshair);
        if response.drag_started()
            && let Some(pressed) = ui.input(|input| input.pointer.press_origin())
        {
            let corner = field.corner_at(ui, pressed);
            self.column = Some((document.text_id(), document.revision, corner));
        }
        if let Some((.., from)) = self.column
            && let Some(pointer) = ui.input(|input| input.pointer.latest_pos())
        {
            let mut column = column(field.rows.text(), from, field.corner_at(ui, pointer));
            if let Some(own) = column.pop() {
                text::select(ui.ctx(), document, [own.anchor, own.head]);
                actions.push(Action::CaretMoved(document.text_id(), own.head));
                carets.set(document, column);
            }
            dragging.pointer = Some(pointer);
            ui.memory_mut(|memory| memory.request_focus(field.output.response.id));
        }
        if !ui.input(|input| input.pointer.primary_down()) {
            self.column = None;
        }
        dragging.response = Some(response);
    }

    fn drag_selection(
        &mut self,
        ui: &egui::Ui,
        field: &Field<'_>,
        dragging: &mut Dragging,
        actions: &mut Vec<Action>,
    ) {
        let document = field.document;
        let span = text::selection(ui.ctx(), document);
        if span.is_empty() || !field.output.response.has_focus() && self.held.is_none() {
            self.held = None;
            return;
        }
        let clip = ui.clip_rect();
        let seen = field.rows.seen(span, clip.y_range());
        for (row, rect) in seen.map(|seen| field.rows.rects(seen)).into_iter().flatten().enumerate() {
            if clip.intersects(rect) {
                let id = field.output.response.id.with(("selected", row));
                let over = ui.interact(rect.intersect(clip), id, Sense::click_and_drag());
                dragging.response = Some(match dragging.response.take() {
                    Some(others) => others | over,
                    None => over,
                });
            }
        }
        let is_pressed =
            dragging.response.as_ref().is_some_and(|over| over.drag_started_by(PointerButton::Primary));
        if is_pressed {
            self.held = Some((document.text_id(), document.revision, span));
        }
        self.take_click(ui, field, dragging, actions);
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            self.held = None;
        }
        let Some((.., from)) = self.held else {
            if self.over {
                ui.ctx().set_cursor_icon(CursorIcon::Default);
            }
            return;
        };
        let (pointer, copies, is_down) = ui.input(|input| {
            (input.pointer.latest_pos(), input.modifiers.command, input.pointer.primary_down())
        });
        let Some(pointer) = pointer else { return };
        let to = field.byte_at(pointer);
        if is_down {
            ui.ctx().set_cursor_icon(if copies { CursorIcon::Copy } else { CursorIcon::Grabbing });
            dragging.pointer = Some(pointer);
            dragging.shape = Some(caret(ui, field.rows, to));
        } else {
            self.held = None;
            actions.push(Action::DropText(document.text_id(), DroppedText { from, to, copies }));
        }
    }

    /// Puts the caret at a click on the selection. The third click in a row selects the line.
    fn take_click(&self, ui: &egui::Ui, field: &Field<'_>, dragging: &Dragging, actions: &mut Vec<Action>) {
        let Some(over) = dragging.response.as_ref().filter(|over| over.clicked()) else { return };
        let Some(pointer) = over.interact_pointer_pos() else { return };
        let at = field.byte_at(pointer);
        let caret = Selection::new([at; 2]);
        let Selection { anchor, head } =
            if over.triple_clicked() { lines::select(field.rows.text(), caret) } else { caret };
        text::select(ui.ctx(), field.document, [anchor, head]);
        actions.push(Action::CaretMoved(field.document.text_id(), head));
    }
}

/// The state of a drag in this frame.
#[derive(Default)]
pub struct Dragging {
    /// The response of the widgets above the field.
    pub response: Option<Response>,
    /// The place of the pointer during a drag.
    pub pointer: Option<Pos2>,
    /// The caret at the place where the text would be dropped.
    pub shape: Option<Shape>,
}

/// The caret that shows where a drop would insert the text.
fn caret(ui: &egui::Ui, rows: &Rows<'_>, at: usize) -> Shape {
    let line = rows.line_of(at).min(rows.count() - 1);
    let place: Rect = rows.caret_rect(line, at);
    let stroke = Stroke::new(2.0, theme::palette(ui).accent);
    Shape::line_segment([place.center_top(), place.center_bottom()], stroke)
}

/// Selects a column between two corners: a part of every line that reaches the nearer column. The line of
/// `to` comes last. If no line is long enough, the result is a caret at the end of the line of `to`.
fn column(text: &str, from: Corner, to: Corner) -> Vec<Selection> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let piece = |line: usize| {
        let start = starts[line];
        let length = text[start..lines::line_end(text, start)].chars().count();
        let ends = [from.column, to.column].map(|column| lines::at_column(text, start, column));
        (length >= from.column.min(to.column)).then(|| Selection::new(ends))
    };
    let [from, to] = [from, to].map(|corner| Corner { line: corner.line.min(starts.len() - 1), ..corner });
    let mut lines: Vec<usize> = (from.line.min(to.line)..=from.line.max(to.line)).collect();
    if to.line < from.line {
        lines.reverse();
    }
    let pieces: Vec<Selection> = lines.into_iter().filter_map(piece).collect();
    if pieces.is_empty() { vec![Selection::new([lines::line_end(text, starts[to.line]); 2])] } else { pieces }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selected(text: &str, from: (usize, usize), to: (usize, usize)) -> Vec<(usize, usize)> {
        let corner = |(line, column)| Corner { line, column };
        let column = column(text, corner(from), corner(to));
        column.into_iter().map(|selection| (selection.anchor, selection.head)).collect()
    }

    #[test]
    fn a_column_has_a_piece_of_every_line_that_reaches_it() {
        let text = "abcd\nef\n\nghij";
        assert_eq!(selected(text, (0, 1), (3, 3)), [(1, 3), (6, 7), (10, 12)]);
        assert_eq!(selected(text, (3, 3), (0, 1)), [(12, 10), (7, 6), (3, 1)], "from the pointer's end");
        assert_eq!(selected(text, (0, 0), (2, 0)), [(0, 0), (5, 5), (8, 8)]);
        assert_eq!(selected(text, (1, 9), (2, 9)), [(8, 8)], "no line is so long");
        assert_eq!(selected("aéb\nc", (0, 1), (9, 2)), [(1, 3), (6, 6)]);
    }
}
