//! Changes of texts, searching them, and going to places in them.

use super::inputs::scene_changed;
use crate::app::State;
use crate::debugger::Direction;
use crate::editor::{self, FindMode};
use crate::model::{Cause, Change, Document, Focus, Part, Reveal, TextFile, TextId};
use crate::shell::Pane;
use crate::worker::Urgency;
use shadestep_engine::front::language_with_options;
use shadestep_engine::isa;
use shadestep_engine::source::Span;
use std::sync::Arc;

/// Makes a change in a text.
pub(super) fn edit(state: &mut State, id: TextId, change: Change, cause: Cause) {
    if let Some(document) = state.find_document(id.document) {
        let scene = Arc::clone(&document.scene);
        document.edit(id.part, change, cause);
        if !Arc::ptr_eq(&scene, &document.scene) {
            scene_changed(state);
            return;
        }
    }
    state.want_picture(Urgency::Now);
}

/// Makes several changes in a text, in one step.
pub(super) fn edit_all(state: &mut State, id: TextId, changes: Vec<Change>, cause: &Cause) {
    if let Some(document) = state.find_document(id.document) {
        let scene = Arc::clone(&document.scene);
        document.edit_all(id.part, changes, cause);
        if !Arc::ptr_eq(&scene, &document.scene) {
            scene_changed(state);
            return;
        }
    }
    state.want_picture(Urgency::Now);
}

pub(super) fn show_text(state: &mut State, part: Part) {
    if state.document_mut().is_some_and(|document| document.activate(part)) {
        state.panels.editor.highlighter.clear();
        state.focus_editor = Some(());
    }
}

/// Goes `steps` texts on in the scene shown.
pub(super) fn next_text(state: &mut State, steps: isize) {
    let Some(document) = state.document() else { return };
    let parts: Vec<Part> = document.texts().map(|(part, _)| part).collect();
    let Some(index) = parts.iter().position(|part| *part == document.active_part()) else { return };
    let next = (index as isize + steps).rem_euclid(parts.len() as isize) as usize;
    show_text(state, parts[next]);
}

pub(super) fn find_from_caret(state: &mut State, direction: Direction) {
    let Some(document) = state.document() else { return };
    let matches = state.find.matches(document.active().text());
    let caret = document.active().caret;
    let next = match direction {
        Direction::Forward => matches.iter().find(|m| m.start >= caret).or(matches.first()),
        Direction::Back => matches.iter().rev().find(|m| m.end < caret).or(matches.last()),
    };
    if let Some(&span) = next {
        show_match(state, span);
    }
}

fn show_match(state: &mut State, span: Span) {
    state.panels.editor.carets.clear();
    reveal(state, span, Focus::Keep);
}

/// Selects `span` in the text shown, with the caret at its end.
pub(super) fn reveal(state: &mut State, span: Span, focus: Focus) {
    if let Some(document) = state.document_mut() {
        let text = document.active_mut();
        text.caret = span.end;
        text.reveal = Some(Reveal { span, focus });
    }
}

/// Goes to the next problem, or to the one before.
pub(super) fn go_to_problem(state: &mut State, direction: Direction) {
    let Some(document) = state.document() else { return };
    let mut places: Vec<(Part, Span)> = document.findings().map(|(part, d)| (part, d.span())).collect();
    places.sort_unstable();
    let here = (document.active_part(), document.active().caret);
    let next = match direction {
        Direction::Forward => places.iter().find(|(part, s)| (*part, s.start) > here).or(places.first()),
        Direction::Back => places.iter().rev().find(|(part, s)| (*part, s.start) < here).or(places.last()),
    };
    if let Some(&(part, span)) = next {
        show_text(state, part);
        jump(state, span);
    }
}

pub(super) fn jump(state: &mut State, span: Span) {
    state.panels.editor.carets.clear();
    if let Some(document) = state.document_mut() {
        let text = document.active_mut();
        text.caret = span.start;
        text.reveal = Some(Reveal { span, focus: Focus::Take });
    }
    state.settings.layout.show(Pane::Editor);
}

pub(super) fn replace_all(state: &mut State, ctx: &egui::Context) {
    let Some(document) = state.document() else { return };
    let replacement = &state.find.replacement;
    let matches = state.find.matches(document.active().text());
    let edits = matches.into_iter().map(|span| (span, replacement.clone())).collect();
    replace_text(state, ctx, edits);
}

pub(super) fn replace_one(state: &mut State, ctx: &egui::Context) {
    let Some(document) = state.document() else { return };
    let matches = state.find.matches(document.active().text());
    let caret = document.active().caret;
    let at = matches.iter().find(|m| m.end >= caret).or(matches.first()).copied();
    if let Some(span) = at {
        let replacement = state.find.replacement.clone();
        let end = span.start + replacement.len();
        replace_text(state, ctx, vec![(span, replacement)]);
        if let Some(document) = state.document_mut() {
            document.active_mut().caret = end;
        }
        find_from_caret(state, Direction::Forward);
    }
}

/// Replaces bytes of the text shown; the selection stays on what it is on.
pub(super) fn replace_text(state: &mut State, ctx: &egui::Context, edits: editor::Edits) {
    let Some(document) = state.document() else { return };
    let id = document.text_id();
    let mut changes = editor::changes(ctx, document, &edits);
    state.find.moved(&edits);
    match changes.len() {
        0 => {}
        1 => edit(state, id, changes.remove(0), Cause::Other),
        _ => edit_all(state, id, changes, &Cause::Other),
    }
}

/// Shows the reference page of the instruction at the caret; where there is none, what there is to read.
pub(super) fn show_word(state: &mut State) {
    let word = state.document().and_then(|document| {
        let text = document.active().text();
        let language = language_with_options(text.as_bytes())?;
        let (info, _) = isa::find(language, editor::word_at(text, document.active().caret))?;
        Some(info.opcode)
    });
    if let Some(opcode) = word {
        state.panels.learn.show_reference(opcode);
    }
    state.settings.layout.show(Pane::Learn);
}

/// Asks for the condition of the breakpoint on `line`, or the next instruction below, where one is set if there is none.
pub(super) fn edit_breakpoint(state: &mut State, id: TextId, line: usize) {
    let line = state.find_text(id).and_then(|text| {
        let line = if text.breakpoints.contains_key(&line) { line } else { text.breakpoint_line(line)? };
        text.breakpoints.entry(line).or_default();
        Some(line)
    });
    state.breakpoint_form = line.map(|line| (id, line));
}

/// Changes something of a text beside its letters.
pub(super) fn with(state: &mut State, id: TextId, change: impl FnOnce(&mut TextFile)) {
    if let Some(text) = state.find_text(id) {
        change(text);
    }
}

/// The same for the text shown.
pub(super) fn with_shown(state: &mut State, change: impl FnOnce(&mut TextFile)) {
    if let Some(document) = state.document_mut() {
        change(document.active_mut());
    }
}

/// Takes a step of the document shown back, or makes one again.
pub(super) fn undo(state: &mut State, undo: impl FnOnce(&mut Document) -> bool) {
    if state.document_mut().is_some_and(undo) {
        scene_changed(state);
        state.want_picture(Urgency::Now);
    }
}

pub(super) fn take_disk_text(state: &mut State, id: TextId) {
    if let Some(document) = state.find_document(id.document) {
        document.take_disk_text(id.part);
    }
    state.want_picture(Urgency::Now);
}

pub(super) fn open_find(state: &mut State, mode: FindMode) {
    let caret = state.document().map_or(0, |document| document.active().caret);
    state.find.open(mode, caret);
}

/// Searches for `query` and shows its first match.
pub(super) fn search(state: &mut State, query: String) {
    state.find.query = query;
    let first = state.document().and_then(|document| state.find.first(document.active().text()));
    if let Some(span) = first {
        show_match(state, span);
    }
}

pub(super) fn set_find_options(state: &mut State, options: editor::Options) {
    state.find.options = options;
    search(state, state.find.query.clone());
}

pub(super) fn toggle_comment(state: &mut State, ctx: &egui::Context) {
    if let Some(document) = state.document() {
        let selection = editor::selection(ctx, document);
        let edits = editor::toggle_comment(document.active().text(), selection);
        replace_text(state, ctx, edits);
    }
}
