//! Definition, uses and renaming of the symbol at the caret, further carets, and formatting.

use super::text::{jump, replace_text, reveal};
use crate::editor::{self, Analysis, Marked, Renaming, Selection};
use crate::model::Focus;
use crate::state::{NoticeKind, State};
use crate::stepping::Direction;
use crate::word_at::word_span;
use shadestep_engine::ide;
use shadestep_engine::source::Span;

/// Returns the symbol at the caret of the program shown, or shows a notice that there is none.
fn symbol(state: &mut State) -> Option<ide::Symbol> {
    let document = state.document()?;
    let found = ide::symbol(document.active().text().as_bytes(), document.active().caret);
    if found.is_none() {
        state.notify(NoticeKind::Info, "There is no name, label or register at the text cursor.");
    }
    found
}

pub(super) fn go_to_definition(state: &mut State, editor: &mut Analysis) {
    let Some(symbol) = symbol(state) else { return };
    match symbol.definition() {
        Some(span) => jump(state, editor, span),
        None => {
            let words = format!("This program neither declares nor writes {}.", symbol.name);
            state.notify(NoticeKind::Info, words);
        }
    }
}

pub(super) fn find_uses(state: &mut State, editor: &mut Analysis) {
    let Some(symbol) = symbol(state) else { return };
    if let Some(document) = state.document() {
        editor.marked = Some(Marked::new(symbol, document));
    }
}

/// Goes to the next or previous marked use. If none are marked, marks the uses of the symbol at the caret.
pub(super) fn go_to_use(state: &mut State, editor: &mut Analysis, direction: Direction) {
    let is_marked = |state: &State| {
        let marked = editor.marked.as_ref();
        state.document().is_some_and(|document| marked.is_some_and(|marked| marked.is_of(document)))
    };
    if !is_marked(state) {
        find_uses(state, editor);
    }
    let caret = state.document().map_or(0, |document| document.active().caret);
    let marked = editor.marked.as_ref();
    if let Some(span) = marked.and_then(|marked| marked.next(caret, direction == Direction::Forward)) {
        jump(state, editor, span);
    }
}

/// Opens the field for a new name, or shows a notice if the symbol cannot be renamed.
pub(super) fn rename(state: &mut State, editor: &mut Analysis) {
    let Some(document) = state.document() else { return };
    let text = document.active().text();
    match ide::renamed(text.as_bytes(), document.active().caret) {
        Ok(symbol) => editor.renaming = Some(Renaming::new(&symbol, document)),
        Err(refusal) => {
            let words = format!("Not renamed. {}", editor::refusal_words(text, &refusal));
            state.notify(NoticeKind::Info, words);
        }
    }
}

/// Selects the word at the caret. With a selection, adds its next occurrence.
pub(super) fn add_next_occurrence(state: &mut State, editor: &mut Analysis, ctx: &egui::Context) {
    let Some(document) = state.document() else { return };
    let text = document.active().text();
    let ends = editor::ends_of_selection(ctx, document);
    let selected = Selection::new(ends).span();
    if selected.is_empty() {
        let word = word_span(text, selected.start);
        if !word.is_empty() {
            reveal(state, word, Focus::Take);
        }
        return;
    }
    let carets = &editor.carets;
    let taken: Vec<Span> = carets.all().iter().map(|caret| caret.span()).chain([selected]).collect();
    let Some(sought) = text.get(selected.start..selected.end) else { return };
    let found: Vec<Span> =
        text.match_indices(sought).map(|(start, found)| Span::new(start, start + found.len())).collect();
    let free = |span: &&Span| !taken.iter().any(|taken| taken.start < span.end && span.start < taken.end);
    let behind = found.iter().filter(|span| span.start >= selected.end).find(free);
    let Some(&next) = behind.or_else(|| found.iter().find(free)) else { return };
    let document = state.documents.iter().find(|other| other.id == document.id);
    if let Some(document) = document {
        editor.carets.add(document, Selection::new(ends));
    }
    reveal(state, next, Focus::Take);
}

pub(super) fn format(state: &mut State, ctx: &egui::Context) {
    let Some(document) = state.document() else { return };
    let edits = ide::format(document.active().text().as_bytes());
    replace_text(state, ctx, edits.into_iter().map(|edit| (edit.span, edit.text)).collect());
}
