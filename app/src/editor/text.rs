//! Edits and selections of a program's text that egui's text field does not provide.

use crate::model::{Change, Document, TextFile, TextId};
use crate::state::State;
use crate::widgets::text_fields::{byte_of_char, field_of, select_chars, text_edit_id};
use egui::text_edit::TextEditState;
use egui::{Key, Modifiers};
use shadestep_engine::source::Span;
use std::borrow::Cow;

/// Drops the state that egui keeps for the field of `text`.
pub(super) fn forget(ctx: &egui::Context, text: TextId) {
    ctx.data_mut(|data| data.remove::<TextEditState>(field_of(text)));
}

/// Number of the character that contains byte offset `byte`.
pub fn char_of_byte(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    text.char_indices().take_while(|&(start, c)| start + c.len_utf8() <= byte).count()
}

/// Selects text in the active program, from one byte to another.
pub fn select(ctx: &egui::Context, document: &Document, ends: [usize; 2]) {
    let ends = ends.map(|byte| char_of_byte(document.active().text(), byte));
    select_chars(ctx, text_edit_id(document), ends);
}

/// The selected bytes in the active program. Without a selection, an empty span at the caret.
pub fn selection(ctx: &egui::Context, document: &Document) -> Span {
    let [from, to] = ends_of_selection(ctx, document);
    Span::new(from.min(to), from.max(to))
}

/// The ends of the selection in the active program: first the fixed end, then the caret.
pub fn ends_of_selection(ctx: &egui::Context, document: &Document) -> [usize; 2] {
    selected(ctx, text_edit_id(document), document.active().text(), document.active().caret)
}

/// The ends of the selection of field `id` in `text`: first the fixed end, then the caret. Returns `caret`
/// twice if the field has no selection yet.
fn selected(ctx: &egui::Context, id: egui::Id, text: &str, caret: usize) -> [usize; 2] {
    let range = TextEditState::load(ctx, id).and_then(|state| state.cursor.char_range());
    range.map_or([caret; 2], |range| {
        [range.secondary, range.primary].map(|cursor| byte_of_char(text, cursor.index.0))
    })
}

/// True if a text field other than the editor's has the keyboard focus.
pub fn other_text_focused(ctx: &egui::Context, state: &State) -> bool {
    let Some(focused) = ctx.memory(egui::Memory::focused) else { return false };
    let is_editor = |document: &Document| {
        let ids = document.texts().map(|(part, _)| TextId { document: document.id, part });
        ids.map(field_of).any(|id| id == focused)
    };
    ctx.text_edit_focused() && !state.documents.iter().any(is_editor)
}

/// Replacements of bytes of a text. The spans are sorted and do not overlap.
pub type Edits = Vec<(Span, String)>;

/// Turns `edits` of the active text into changes and moves the selection with the text. Each change applies
/// to the result of the changes before it. Returns no changes if the text stays the same.
pub fn changes(ctx: &egui::Context, document: &Document, edits: &Edits) -> Vec<Change> {
    let file = document.active();
    if file.is_large()
        || made(ctx, text_edit_id(document), (file.text(), file.caret), edits.clone()).is_none()
    {
        return Vec::new();
    }
    changes_of(file.text(), edits)
}

/// Turns `edits` of `text` into changes, from the last edit to the first. Adjacent edits that keep the number
/// of lines form one change. Every other edit forms its own change, so that breakpoints keep their lines.
pub fn changes_of(text: &str, edits: &Edits) -> Vec<Change> {
    /// Most changes before all edits become a single change.
    const MOST: usize = 400;
    let mut edits = edits.clone();
    edits.sort_by_key(|(span, _)| span.start);
    let lines = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
    let moves_lines = |(span, new): &(Span, String)| lines(&text[span.start..span.end]) != lines(new);
    let mut parts: Vec<&[(Span, String)]> =
        edits.chunk_by(|a, b| !moves_lines(a) && !moves_lines(b)).collect();
    if parts.len() > MOST {
        parts = vec![&edits];
    }
    let change = |part: &&[(Span, String)]| {
        let (start, end) = (part.first()?.0.start, part.last()?.0.end);
        let inner: Edits = part
            .iter()
            .map(|(span, new)| (Span::new(span.start - start, span.end - start), new.clone()))
            .collect();
        let removed = text[start..end].to_owned();
        let inserted = with_edits(&removed, &inner);
        Some(Change { start, removed, inserted })
    };
    parts.iter().rev().filter_map(change).filter(|change| change.removed != change.inserted).collect()
}

/// Applies sorted `edits` to `text`.
pub fn with_edits(text: &str, edits: &Edits) -> String {
    let mut now = String::with_capacity(text.len());
    let mut at = 0;
    for (span, new) in edits {
        now.push_str(&text[at..span.start]);
        now.push_str(new);
        at = span.end;
    }
    now.push_str(&text[at..]);
    now
}

/// Applies `edits` to `text`, and moves the selection of its field `id` accordingly. Returns `None` if the
/// text stays the same.
fn made(ctx: &egui::Context, id: egui::Id, (text, caret): (&str, usize), mut edits: Edits) -> Option<String> {
    edits.sort_by_key(|(span, _)| span.start);
    edits.retain(|(span, new)| text.get(span.start..span.end).is_some_and(|old| old != new));
    if edits.is_empty() {
        return None;
    }
    let [from, to] = selected(ctx, id, text, caret);
    let now = with_edits(text, &edits);
    let side = |end: usize, other: usize| if end < other { Side::Before } else { Side::Behind };
    let moved = [moved(&edits, from, side(from, to)), moved(&edits, to, side(to, from))];
    select_chars(ctx, id, moved.map(|byte| char_of_byte(&now, byte)));
    Some(now)
}

/// The side of an insertion on which a place at the insertion point ends up.
#[derive(Clone, Copy)]
enum Side {
    Before,
    Behind,
}

/// The new place of byte `offset` after `edits`.
fn moved(edits: &Edits, offset: usize, side: Side) -> usize {
    let mut result = offset;
    for (span, new) in edits {
        let goes_behind = match side {
            Side::Before => offset > span.end || offset == span.end && !span.is_empty(),
            Side::Behind => offset >= span.end,
        };
        if goes_behind {
            result = result - (span.end - span.start) + new.len();
        } else if offset > span.start {
            // The edit replaces the text around the place.
            result -= offset - span.start;
            if let Side::Behind = side {
                result += new.len();
            }
        }
    }
    result
}

/// The lines that `selection` touches, with their offsets, except blank lines. If the selection ends at the
/// start of a line, that line is not included.
fn selected_lines(text: &str, selection: Span) -> Vec<(usize, &str)> {
    let start = line_start(text, selection.start);
    let mut lines = Vec::new();
    let mut offset = start;
    for line in text[start..].split_inclusive('\n') {
        if offset > start && offset >= selection.end {
            break;
        }
        if !line.trim().is_empty() {
            lines.push((offset, line));
        }
        offset += line.len();
    }
    lines
}

pub(super) fn line_start(text: &str, offset: usize) -> usize {
    text[..offset.min(text.len())].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Length of the indentation of `line`, in bytes.
pub(super) fn indentation(line: &str) -> usize {
    line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The blanks from byte `at` to the next tab stop. Stops are `tab` columns apart.
pub(super) fn to_stop(text: &str, at: usize, tab: usize) -> String {
    let before = text[line_start(text, at)..at].chars();
    let column: usize = before.map(|c| if c == '\t' { tab } else { 1 }).sum();
    " ".repeat(tab - column % tab)
}

/// The edits of Tab. With a selection its lines are indented by `tab` columns. Otherwise blanks are inserted
/// at the caret, up to the next tab stop.
pub fn indent(text: &str, selection: Span, tab: usize) -> Edits {
    if selection.is_empty() {
        return vec![(selection, to_stop(text, selection.start, tab))];
    }
    selected_lines(text, selection).into_iter().map(|(at, _)| (Span::at(at), " ".repeat(tab))).collect()
}

/// The edits of Shift+Tab: unindents the lines of `selection` by one stop. Without a selection, the caret's
/// line.
pub fn outdent(text: &str, selection: Span, tab: usize) -> Edits {
    let blanks = |line: &str| match line.as_bytes().first() {
        Some(b'\t') => 1,
        _ => line.bytes().take(tab).take_while(|byte| *byte == b' ').count(),
    };
    let lines = selected_lines(text, selection).into_iter();
    lines.map(|(at, line)| (Span::new(at, at + blanks(line)), String::new())).collect()
}

/// The text of a field during a frame: the document's text until the user types in this frame.
pub struct TypedText<'a> {
    pub text: Cow<'a, str>,
    /// The document's version.
    file: &'a TextFile,
    /// Id of the text field.
    id: egui::Id,
}

impl<'a> TypedText<'a> {
    /// The text of `document` that the editor shows.
    pub fn of(document: &'a Document) -> Self {
        let file = document.active();
        Self { text: Cow::Borrowed(file.text()), file, id: text_edit_id(document) }
    }

    /// The change that the user typed in this frame, which the document does not have yet.
    pub fn change(&self) -> Option<Change> {
        let Cow::Owned(now) = &self.text else { return None };
        Some(Change::between(self.file.text(), now)).filter(|change| !change.is_empty())
    }

    /// True if the text field has the keyboard focus.
    pub fn has_focus(&self, ui: &egui::Ui) -> bool {
        ui.memory(|memory| memory.has_focus(self.id))
    }

    /// The ends of the field's selection: first the fixed end, then the caret.
    pub fn selected(&self, ctx: &egui::Context) -> [usize; 2] {
        selected(ctx, self.id, &self.text, self.file.caret)
    }

    /// Selects text, from one byte to another.
    pub fn select(&self, ctx: &egui::Context, ends: [usize; 2]) {
        select_chars(ctx, self.id, ends.map(|byte| char_of_byte(&self.text, byte)));
    }

    /// Handles Shift+Tab before the text field sees it. Tab stops are `tab` columns apart.
    pub fn take_outdent(&mut self, ui: &egui::Ui, tab: usize) {
        self.take_tab(ui, Modifiers::SHIFT, |text, selection| outdent(text, selection, tab));
    }

    /// Handles Tab before the text field sees it. Tab stops are `tab` columns apart.
    pub fn take_indent(&mut self, ui: &egui::Ui, tab: usize) {
        self.take_tab(ui, Modifiers::NONE, |text, selection| indent(text, selection, tab));
    }

    fn take_tab(&mut self, ui: &egui::Ui, modifiers: Modifiers, edits: impl Fn(&str, Span) -> Edits) {
        if self.file.is_large() || !self.has_focus(ui) {
            return;
        }
        for _ in 0..ui.input_mut(|input| input.count_and_consume_key(modifiers, Key::Tab)) {
            let [from, to] = selected(ui.ctx(), self.id, &self.text, self.file.caret);
            let edits = edits(&self.text, Span::new(from.min(to), from.max(to)));
            if let Some(now) = made(ui.ctx(), self.id, (&self.text, self.file.caret), edits) {
                self.text = Cow::Owned(now);
            }
        }
    }
}

/// The edits that comment out the lines of `selection`. If all of them are comments, the edits uncomment
/// them.
pub fn toggle_comment(text: &str, selection: Span) -> Edits {
    let lines = selected_lines(text, selection);
    let indent = indentation;
    if lines.iter().all(|(_, line)| line[indent(line)..].starts_with('#')) {
        let uncomment = |&(offset, line): &(usize, &str)| {
            let at = offset + indent(line);
            let length = if line[indent(line)..].starts_with("# ") { 2 } else { 1 };
            (Span::new(at, at + length), String::new())
        };
        lines.iter().map(uncomment).collect()
    } else {
        let column = lines.iter().map(|(_, line)| indent(line)).min().unwrap_or(0);
        lines.iter().map(|(offset, _)| (Span::at(offset + column), "# ".to_owned())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(text: &str, selection: Span) -> String {
        let mut result = text.to_owned();
        for (span, replacement) in toggle_comment(text, selection).into_iter().rev() {
            result.replace_range(span.start..span.end, &replacement);
        }
        result
    }

    #[test]
    fn comments_come_and_go() {
        let text = "MOV a;\n  ADD b;\n\nEND\n";
        let commented = applied(text, Span::new(2, 12));
        assert_eq!(commented, "# MOV a;\n#   ADD b;\n\nEND\n");
        assert_eq!(applied(&commented, Span::new(0, 14)), text);
        assert_eq!(applied("  x", Span::at(3)), "  # x");
        assert_eq!(applied("#x\n", Span::at(1)), "x\n");
    }

    #[test]
    fn edits_are_changes_that_keep_lines_apart() {
        let text = "a\nb\nc\nd\n";
        let edits: Edits = vec![
            (Span::new(0, 1), "A".to_owned()),
            (Span::new(2, 3), "B".to_owned()),
            (Span::new(3, 4), String::new()),
            (Span::new(6, 7), "D".to_owned()),
        ];
        let changes = changes_of(text, &edits);
        let shown: Vec<_> =
            changes.iter().map(|c| (c.start, c.removed.as_str(), c.inserted.as_str())).collect();
        assert_eq!(shown, [(6, "d", "D"), (3, "\n", ""), (0, "a\nb", "A\nB")]);
        let mut now = text.to_owned();
        assert!(changes.iter().all(|change| change.make(&mut now)));
        assert_eq!(now, with_edits(text, &edits));
    }

    #[test]
    fn lines_go_to_the_next_stop_and_back() {
        let made = |text: &str, edits: Edits| {
            let mut result = text.to_owned();
            for (span, new) in edits.into_iter().rev() {
                result.replace_range(span.start..span.end, &new);
            }
            result
        };
        let text = "MOV a;\n\n  ADD b;\nEND\n";
        let all = Span::new(2, 17);
        let indented = made(text, indent(text, all, 4));
        assert_eq!(indented, "    MOV a;\n\n      ADD b;\nEND\n", "no blank line, none that is not selected");
        assert_eq!(made(&indented, outdent(&indented, Span::new(0, 20), 4)), text);
        assert_eq!(made("MOV", indent("MOV", Span::at(3), 4)), "MOV ", "to column 4");
        assert_eq!(made("a\né", indent("a\né", Span::at(4), 4)), "a\né   ", "columns are characters");
        assert_eq!(made("\t  x", outdent("\t  x", Span::at(4), 4)), "  x");
        assert_eq!(made("  x", outdent("  x", Span::at(3), 4)), "x");
        assert_eq!(made("MOV", indent("MOV", Span::at(3), 2)), "MOV ");
        assert_eq!(made("\tx", indent("\tx", Span::at(2), 3)), "\tx  ", "a tab is a stop wide");
        assert_eq!(made("    x", outdent("    x", Span::at(4), 2)), "  x");
    }

    #[test]
    fn places_move_with_edits() {
        let edits = vec![(Span::at(0), "# ".to_owned()), (Span::new(4, 6), String::new())];
        let places = |side| [0, 2, 4, 5, 6, 8].map(|offset| moved(&edits, offset, side));
        assert_eq!(places(Side::Before), [0, 4, 6, 6, 6, 8]);
        assert_eq!(places(Side::Behind), [2, 4, 6, 6, 6, 8]);
        let word = vec![(Span::new(1, 4), "longer".to_owned())];
        assert_eq!([1, 2, 4, 5].map(|offset| moved(&word, offset, Side::Behind)), [1, 7, 7, 8]);
    }

    #[test]
    fn what_is_typed_is_a_change_that_the_document_does_not_have_yet() {
        use egui::TextBuffer as _;
        use egui::text::CharIndex;
        let scene = crate::scene::bundled()[0].load().unwrap();
        let document = Document::new(crate::model::DocumentId(1), scene);
        let before = document.active().text().to_owned();
        let mut typed = TypedText::of(&document);
        assert!(matches!(typed.text, Cow::Borrowed(_)), "nothing is copied");
        assert_eq!(typed.change(), None);
        typed.text.insert_text("é", CharIndex(2));
        let change = Change { start: 2, removed: String::new(), inserted: "é".to_owned() };
        assert_eq!(typed.change(), Some(change));
        assert_eq!(document.active().text(), before);
        typed.text.delete_char_range(CharIndex(2)..CharIndex(3));
        assert_eq!(typed.change(), None, "it was taken back in the same frame");
    }

    #[test]
    fn bytes_and_characters_convert_in_non_ascii_text() {
        let text = "é=\u{1F600};";
        assert_eq!(char_of_byte(text, 2), 1);
        assert_eq!(char_of_byte(text, 4), 2, "within a character: that character");
        assert_eq!(byte_of_char(text, 3), 7);
        assert_eq!(byte_of_char(text, 99), text.len());
    }
}
