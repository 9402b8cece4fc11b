//! Ids of the text fields that show a document's texts.

use crate::model::{Document, TextId};

pub fn field_of(text: TextId) -> egui::Id {
    egui::Id::unique(("program text", text))
}

/// Id of the text field of the active text. Each text has its own caret.
pub fn text_edit_id(document: &Document) -> egui::Id {
    field_of(document.text_id())
}
