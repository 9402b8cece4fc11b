//! Edits and selections of a program's text, beside what the text field does itself.

use crate::model::Document;
use egui::text::{CCursor, CCursorRange, CharIndex};
use egui::text_edit::TextEditState;
use shadestep_engine::source::Span;

/// Id of the text field of the program in front: each program has its own caret and history.
pub fn text_edit_id(document: &Document) -> egui::Id {
    egui::Id::unique(("program text", document.text_id()))
}

/// Byte offset of character number `index`.
pub fn byte_of_char(text: &str, index: usize) -> usize {
    text.char_indices().nth(index).map_or(text.len(), |(byte, _)| byte)
}

/// Number of the character at byte offset `byte`, or of the one it lies in.
pub fn char_of_byte(text: &str, byte: usize) -> usize {
    let byte = byte.min(text.len());
    text.char_indices().take_while(|&(start, c)| start + c.len_utf8() <= byte).count()
}

/// Selects `span` in the program in front.
pub fn select(ctx: &egui::Context, document: &Document, span: Span) {
    let id = text_edit_id(document);
    let mut state = TextEditState::load(ctx, id).unwrap_or_default();
    let cursor = |byte| CCursor::new(CharIndex(char_of_byte(&document.active().text, byte)));
    state.cursor.set_char_range(Some(CCursorRange::two(cursor(span.start), cursor(span.end))));
    state.store(ctx, id);
}

/// The bytes selected in the program in front, or the caret's place.
pub fn selection(ctx: &egui::Context, document: &Document) -> Span {
    let range = TextEditState::load(ctx, text_edit_id(document)).and_then(|state| state.cursor.char_range());
    let Some(range) = range else { return Span::at(document.active().caret) };
    let chars = range.as_sorted_char_range();
    Span::new(
        byte_of_char(&document.active().text, chars.start.0),
        byte_of_char(&document.active().text, chars.end.0),
    )
}

/// Whether a text field beside the editor has the keyboard.
pub fn other_text_focused(ctx: &egui::Context) -> bool {
    let editor = ctx.data(|data| data.get_temp::<egui::Id>(editor_id()));
    ctx.text_edit_focused() && ctx.memory(egui::Memory::focused) != editor
}

/// Notes which text field is the editor's.
pub fn note_editor(ctx: &egui::Context, id: egui::Id) {
    ctx.data_mut(|data| data.insert_temp(editor_id(), id));
}

fn editor_id() -> egui::Id {
    egui::Id::unique("the editor's text field")
}

/// The edits that turn the lines of `selection` into comments, or back if all of them are comments.
pub fn toggle_comment(text: &str, selection: Span) -> Vec<(Span, String)> {
    let start = text[..selection.start.min(text.len())].rfind('\n').map_or(0, |newline| newline + 1);
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
    let indent = |line: &str| line.len() - line.trim_start().len();
    if lines.iter().all(|(_, line)| line.trim_start().starts_with('#')) {
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
    fn bytes_and_characters_convert_in_non_ascii_text() {
        let text = "é=\u{1F600};";
        assert_eq!(char_of_byte(text, 2), 1);
        assert_eq!(char_of_byte(text, 4), 2, "within a character: that character");
        assert_eq!(byte_of_char(text, 3), 7);
        assert_eq!(byte_of_char(text, 99), text.len());
    }
}
