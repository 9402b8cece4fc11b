//! Selections of text fields, and the ids of the fields that show a document's texts.

use crate::model::{Document, TextId};
use egui::text::{CCursor, CCursorRange, CharIndex};
use egui::text_edit::TextEditState;

pub fn field_of(text: TextId) -> egui::Id {
    egui::Id::unique(("program text", text))
}

/// Id of the text field of the active text. Each text has its own caret.
pub fn text_edit_id(document: &Document) -> egui::Id {
    field_of(document.text_id())
}

/// Byte offset of character number `index`.
pub fn byte_of_char(text: &str, index: usize) -> usize {
    text.char_indices().nth(index).map_or(text.len(), |(byte, _)| byte)
}

/// Selects text in field `id`, from one character to another. The caret is at the second end.
pub fn select_chars(ctx: &egui::Context, id: egui::Id, ends: [usize; 2]) {
    let [from, to] = ends.map(|at| CCursor::new(CharIndex(at)));
    let mut state = TextEditState::load(ctx, id).unwrap_or_default();
    state.cursor.set_char_range(Some(CCursorRange::two(from, to)));
    state.store(ctx, id);
}
