//! The places of lines on the screen. A line has one row, or several if its comment wraps.

use egui::text::CharIndex;
use egui::{Galley, Pos2, Rangef, Rect};
use shadestep_engine::source::Span;

/// The rows of a laid-out text.
pub struct Rows<'a> {
    text: &'a str,
    /// Byte offset where each line begins.
    starts: Vec<usize>,
    /// First row of each line, followed by the number of rows.
    first: Vec<usize>,
    galley: &'a Galley,
    origin: Pos2,
}

impl<'a> Rows<'a> {
    /// The rows of `text`, which `galley` shows with its upper left corner at `origin`.
    pub fn new(text: &'a str, galley: &'a Galley, origin: Pos2) -> Self {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(newlines.map(|(offset, _)| offset + 1)).collect();
        let ends = galley.rows.iter().enumerate().filter(|(_, row)| row.ends_with_newline);
        let mut first: Vec<usize> = std::iter::once(0).chain(ends.map(|(row, _)| row + 1)).collect();
        if first.last() != Some(&galley.rows.len()) {
            first.push(galley.rows.len());
        }
        Self { text, starts, first, galley, origin }
    }

    pub fn text(&self) -> &str {
        self.text
    }

    /// Number of lines.
    pub fn count(&self) -> usize {
        (self.first.len() - 1).min(self.starts.len())
    }

    /// Left edge of the text on the screen.
    pub fn left(&self) -> f32 {
        self.origin.x
    }

    /// The line, from 0, that contains byte `offset`.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// Top and bottom of a line on the screen.
    pub fn y_range(&self, line: usize) -> Rangef {
        let rows = self.rows_of(line);
        Rangef::new(self.row_y(rows.start).min, self.row_y(rows.end - 1).max)
    }

    /// Top and bottom of a line's first row on the screen.
    pub fn first_row(&self, line: usize) -> Rangef {
        self.row_y(self.rows_of(line).start)
    }

    /// Top and bottom of a line's last row on the screen, and the right edge of the row's text.
    pub fn last_row(&self, line: usize) -> (Rangef, f32) {
        let last = self.rows_of(line).end - 1;
        let row = &self.galley.rows[last];
        (self.row_y(last), self.origin.x + row.pos.x + row.size.x)
    }

    fn rows_of(&self, line: usize) -> std::ops::Range<usize> {
        let line = line.min(self.first.len() - 2);
        self.first[line]..self.first[line + 1].max(self.first[line] + 1)
    }

    fn row_y(&self, row: usize) -> Rangef {
        let row = &self.galley.rows[row.min(self.galley.rows.len() - 1)];
        let top = self.origin.y + row.pos.y;
        Rangef::new(top, top + row.height())
    }

    /// The line at `y` on the screen.
    pub fn line_at(&self, y: f32) -> Option<usize> {
        let row = self.row_at(y)?;
        Some(self.first.partition_point(|&first| first <= row) - 1).filter(|&line| line < self.count())
    }

    /// The part of `span` on the lines between two heights on the screen.
    pub fn seen(&self, span: Span, y: Rangef) -> Option<Span> {
        let first = self.line_at(y.min).unwrap_or(0);
        let last = self.line_at(y.max).unwrap_or(self.count() - 1);
        let start = self.starts[first].max(span.start);
        let end = self.starts.get(last + 1).copied().unwrap_or(self.text.len()).min(span.end);
        (start < end).then(|| Span::new(start, end))
    }

    fn row_at(&self, y: f32) -> Option<usize> {
        let y = y - self.origin.y;
        let row = self.galley.rows.partition_point(|row| row.pos.y + row.height() <= y);
        self.galley.rows.get(row).filter(|found| found.pos.y <= y).map(|_| row)
    }

    /// The row of character `column` of a line, and the column within that row.
    fn place_of(&self, line: usize, column: usize) -> (usize, usize) {
        let rows = self.rows_of(line);
        let mut column = column;
        for row in rows.start..rows.end - 1 {
            let count = self.galley.rows[row].char_count_excluding_newline().0;
            if column < count {
                return (row, column);
            }
            column -= count;
        }
        (rows.end - 1, column)
    }

    /// The column of byte `offset` in its line, in characters.
    fn column_of(&self, line: usize, offset: usize) -> usize {
        let start = self.starts[line];
        let end = offset.clamp(start, self.text.len());
        self.text.get(start..end).map_or(0, |before| before.chars().count())
    }

    fn x_of_place(&self, row: usize, column: usize) -> f32 {
        let row = &self.galley.rows[row];
        self.origin.x + row.pos.x + row.x_offset(CharIndex(column))
    }

    /// Left edge of the character at byte `offset` of its line.
    pub fn x_of(&self, line: usize, offset: usize) -> f32 {
        let (row, column) = self.place_of(line, self.column_of(line, offset));
        self.x_of_place(row, column)
    }

    /// The rectangle, of width 0, of a caret before byte `offset` of a line.
    pub fn caret_rect(&self, line: usize, offset: usize) -> Rect {
        let (row, column) = self.place_of(line, self.column_of(line, offset));
        Rect::from_x_y_ranges(Rangef::point(self.x_of_place(row, column)), self.row_y(row))
    }

    /// The rectangles of `span` on the screen, one per row. An empty span, or a span at a line's end, is one
    /// character wide.
    pub fn rects(&self, span: Span) -> Vec<Rect> {
        let first = self.line_of(span.start);
        let last = self.line_of(span.end.max(span.start + 1) - 1).max(first);
        let mut rects = Vec::new();
        for line in first..=last.min(self.count() - 1) {
            let line_end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
            let start = span.start.max(self.starts[line]).min(line_end);
            let from = self.place_of(line, self.column_of(line, start));
            // The row of the last character. The place after it can be the start of the next row.
            let columns = self.column_of(line, span.end.min(line_end)) - self.column_of(line, start);
            let (end_row, last_column) =
                self.place_of(line, self.column_of(line, start) + columns.saturating_sub(1));
            let end_column = last_column + columns.min(1);
            for row in from.0..=end_row {
                let left = self.x_of_place(row, if row == from.0 { from.1 } else { 0 });
                let end = if row == end_row { end_column } else { usize::MAX };
                let right = self.x_of_place(row, end).max(left + 8.0);
                rects.push(Rect::from_x_y_ranges(left..=right, self.row_y(row)));
            }
        }
        rects
    }

    /// Byte offset of the character under `pos`.
    pub fn byte_at(&self, pos: Pos2) -> Option<usize> {
        let line = self.line_at(pos.y)?;
        let at = self.row_at(pos.y)?;
        let row = &self.galley.rows[at];
        let x = pos.x - self.origin.x - row.pos.x;
        if x < 0.0 || x >= row.size.x {
            return None;
        }
        let glyph = row.glyphs.iter().position(|glyph| x < glyph.pos.x + glyph.advance_width)?;
        let rows_before = &self.galley.rows[self.rows_of(line).start..at];
        let before: usize = rows_before.iter().map(|row| row.char_count_excluding_newline().0).sum();
        let line_text = &self.text[self.starts[line]..];
        line_text.char_indices().nth(before + glyph).map(|(byte, _)| self.starts[line] + byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::editor::highlight::tests::in_frame;
    use crate::editor::highlight::{Coloring, Highlighter, Setting};
    use crate::settings::{Comments, TextLook};

    fn with_rows(text: &str, comments: Comments, check: impl Fn(&Rows<'_>)) {
        in_frame(|ui| {
            let mut highlighter = Highlighter::default();
            let look = TextLook { comments, ..TextLook::default() };
            let setting = Setting { coloring: Coloring::Program, look, width: 200.0 };
            let galley = highlighter.galley(ui, text, setting);
            check(&Rows::new(text, &galley, Pos2::new(10.0, 20.0)));
        });
    }

    const TEXT: &str =
        "!!FP1.0\n# Words of a comment that are many more than there is room for in one row.\nEND";

    #[test]
    fn a_wrapped_comment_is_one_line_of_several_rows() {
        with_rows(TEXT, Comments::InOneLine, |rows| assert_eq!(rows.galley.rows.len(), 3));
        with_rows(TEXT, Comments::Wrapped, |rows| {
            assert!(rows.galley.rows.len() > 4 && rows.count() == 3);
            assert_eq!(rows.rows_of(2), rows.galley.rows.len() - 1..rows.galley.rows.len());
            let (top, bottom) = (rows.first_row(1), rows.last_row(1).0);
            assert_eq!(rows.y_range(1), Rangef::new(top.min, bottom.max));
            assert_eq!(rows.first_row(0).max, top.min);
            assert_eq!(bottom.max, rows.first_row(2).min);
            assert_eq!([top, bottom].map(|y| rows.line_at(y.center())), [Some(1); 2]);
            assert_eq!([0.0, 1e6].map(|y| rows.line_at(y)), [None; 2]);
        });
    }

    #[test]
    fn every_character_is_found_where_it_is_painted() {
        for comments in [Comments::Wrapped, Comments::InOneLine] {
            with_rows(TEXT, comments, |rows| {
                for (offset, c) in TEXT.char_indices().filter(|(_, c)| *c != '\n') {
                    let rects = rows.rects(Span::new(offset, offset + c.len_utf8()));
                    assert_eq!(rects.len(), 1, "{offset}");
                    // A blank at the end of a row is wider than its place there.
                    let inside = rects[0].left_center() + egui::vec2(1.0, 0.0);
                    assert_eq!(rows.byte_at(inside), Some(offset), "{offset} {c:?}");
                    assert_eq!(rows.x_of(rows.line_of(offset), offset), rects[0].left());
                }
            });
        }
    }

    #[test]
    fn what_is_seen_of_a_span_lies_between_two_heights() {
        with_rows(TEXT, Comments::InOneLine, |rows| {
            let whole = Span::new(2, TEXT.len());
            let second = rows.y_range(1).center();
            assert_eq!(rows.seen(whole, Rangef::new(second, second)), Some(Span::new(8, TEXT.len() - 3)));
            assert_eq!(rows.seen(whole, Rangef::new(0.0, 1e6)), Some(whole));
            assert_eq!(rows.seen(Span::new(2, 5), Rangef::new(second, second)), None);
        });
    }

    #[test]
    fn what_spans_rows_is_marked_in_each() {
        let comment = Span::new(8, TEXT.len() - 4);
        with_rows(TEXT, Comments::Wrapped, |rows| {
            let rects = rows.rects(comment);
            assert_eq!(rects.len(), rows.rows_of(1).len());
            assert!(rects.windows(2).all(|pair| pair[0].bottom() == pair[1].top()));
            // The end of the text is one character wide.
            let end = rows.rects(Span::at(TEXT.len()));
            assert_eq!((end.len(), end[0].width()), (1, 8.0));
        });
    }
}
