//! Changes and searches texts, and goes to places in them.

use super::inputs::scene_changed;
use crate::command::DroppedText;
use crate::editor::lines::{self, LineEdit};
use crate::editor::{self, Analysis, Selection};
use crate::learn::Learn;
use crate::mailbox::Urgency;
use crate::model::{Cause, Change, Document, Focus, Part, Reveal, TextFile, TextId};
use crate::settings::Pane;
use crate::state::{Edits, FindMode, Options, State};
use crate::stepping::Direction;
use crate::word_at::word_at;
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
        state.stale.text = true;
        state.focus_editor = Some(());
    }
}

/// Moves `steps` texts on in the scene shown.
pub(super) fn next_text(state: &mut State, steps: isize) {
    let Some(document) = state.document() else { return };
    let parts: Vec<Part> = document.texts().map(|(part, _)| part).collect();
    let Some(index) = parts.iter().position(|part| *part == document.active_part()) else { return };
    let next = (index as isize + steps).rem_euclid(parts.len() as isize) as usize;
    show_text(state, parts[next]);
}

pub(super) fn find_from_caret(state: &mut State, editor: &mut Analysis, direction: Direction) {
    let Some(document) = state.document() else { return };
    let matches = state.find.matches(document.active().text());
    let caret = document.active().caret;
    let next = match direction {
        Direction::Forward => matches.iter().find(|m| m.start >= caret).or(matches.first()),
        Direction::Back => matches.iter().rev().find(|m| m.end < caret).or(matches.last()),
    };
    if let Some(&span) = next {
        show_match(state, editor, span);
    }
}

fn show_match(state: &mut State, editor: &mut Analysis, span: Span) {
    editor.carets.clear();
    reveal(state, span, Focus::Keep);
}

/// Selects `span` in the text shown, with the caret at its end.
pub(super) fn reveal(state: &mut State, span: Span, focus: Focus) {
    reveal_at(state, span.end, Reveal::of(span, focus));
}

/// Goes to the next or previous problem.
pub(super) fn go_to_problem(state: &mut State, editor: &mut Analysis, direction: Direction) {
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
        jump(state, editor, span);
    }
}

/// Shows a place of the text shown, with the caret at byte `caret`.
fn reveal_at(state: &mut State, caret: usize, reveal: Reveal) {
    with_shown(state, |text| (text.caret, text.reveal) = (caret, Some(reveal)));
}

pub(super) fn jump(state: &mut State, editor: &mut Analysis, span: Span) {
    editor.carets.clear();
    reveal_at(state, span.start, Reveal::of(span, Focus::Take));
    state.settings.layout.show(Pane::Editor);
}

pub(super) fn replace_all(state: &mut State, ctx: &egui::Context) {
    let Some(document) = state.document() else { return };
    let edits = state.find.replacements(document.active().text());
    replace_text(state, ctx, edits);
}

pub(super) fn replace_one(state: &mut State, editor: &mut Analysis, ctx: &egui::Context) {
    let Some(document) = state.document() else { return };
    let edits = state.find.replacements(document.active().text());
    let caret = document.active().caret;
    let at = edits.iter().find(|(span, _)| span.end >= caret).or(edits.first()).cloned();
    if let Some((span, replacement)) = at {
        let end = span.start + replacement.len();
        replace_text(state, ctx, vec![(span, replacement)]);
        with_shown(state, |text| text.caret = end);
        find_from_caret(state, editor, Direction::Forward);
    }
}

/// Replaces bytes of the text shown. The selection moves along with its text.
pub(super) fn replace_text(state: &mut State, ctx: &egui::Context, edits: Edits) {
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

/// Opens Learn. If the caret is at an instruction, Learn shows its reference page.
pub(super) fn show_word(state: &mut State, learn: &mut Learn) {
    let word = state.document().and_then(|document| {
        let text = document.active().text();
        let language = language_with_options(text.as_bytes())?;
        let (info, _) = isa::find(language, word_at(text, document.active().caret))?;
        Some(info.opcode)
    });
    if let Some(opcode) = word {
        learn.show_reference(opcode);
    }
    state.settings.layout.show(Pane::Learn);
}

/// Opens the form for the breakpoint on `line` or the next instruction below. Sets the breakpoint if there is
/// none.
pub(super) fn edit_breakpoint(state: &mut State, id: TextId, line: usize) {
    let line = state.find_text(id).and_then(|text| {
        let line = if text.breakpoints.contains_key(&line) { line } else { text.breakpoint_line(line)? };
        text.breakpoints.entry(line).or_default();
        Some(line)
    });
    state.stepping.breakpoint_form = line.map(|line| (id, line));
}

/// Changes the state of the text `id` other than its characters.
pub(super) fn with(state: &mut State, id: TextId, change: impl FnOnce(&mut TextFile)) {
    if let Some(text) = state.find_text(id) {
        change(text);
    }
}

/// As [`with`], for the text shown.
pub(super) fn with_shown(state: &mut State, change: impl FnOnce(&mut TextFile)) {
    state.with_document(|document| change(document.active_mut()));
}

/// Undoes or redoes a step of the document shown.
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

pub(super) fn open_find(state: &mut State, editor: &mut Analysis, ctx: &egui::Context, mode: FindMode) {
    let Some((document, selection)) = state.document().zip(selection(state, editor, ctx)) else { return };
    let (text, span) = (document.active().text(), selection.span());
    let selected = text.get(span.start..span.end).unwrap_or_default().to_owned();
    // A search from the middle of a match would skip the match.
    state.find.open(mode, span.start, &selected);
}

/// Searches for `query` and shows its first match.
pub(super) fn search(state: &mut State, editor: &mut Analysis, query: String) {
    state.find.query = query;
    let first = state.document().and_then(|document| state.find.first(document.active().text()));
    if let Some(span) = first {
        show_match(state, editor, span);
    }
}

pub(super) fn set_find_options(state: &mut State, editor: &mut Analysis, options: Options) {
    state.find.options = options;
    search(state, editor, state.find.query.clone());
}

pub(super) fn toggle_comment(state: &mut State, editor: &mut Analysis, ctx: &egui::Context) {
    replace_at(state, editor, ctx, |text, selection| editor::toggle_comment(text, selection.span()));
}

/// Returns the selection in the text shown, in the order in which the user made it.
fn selection(state: &State, editor: &Analysis, ctx: &egui::Context) -> Option<Selection> {
    let document = state.document()?;
    let ends = editor::ends_of_selection(ctx, document);
    // A text field without focus has no selection of its own, so the editor keeps the last one.
    let kept = editor.selected_in(document).filter(|_| ends[0] == ends[1]);
    Some(kept.map_or(Selection::new(ends), |span| Selection::new([span.start, span.end])))
}

/// Makes the edits that `edits` returns for the shown text and its selection. The selection moves along with
/// its text.
pub(super) fn replace_at(
    state: &mut State,
    editor: &mut Analysis,
    ctx: &egui::Context,
    edits: impl FnOnce(&str, Selection) -> Edits,
) {
    if let Some((document, selection)) = state.document().zip(selection(state, editor, ctx)) {
        let edits = edits(document.active().text(), selection);
        replace_text(state, ctx, edits);
    }
}

/// Edits whole lines of the text shown, and selects the range that the edit returns.
pub(super) fn edit_lines(
    state: &mut State,
    editor: &mut Analysis,
    ctx: &egui::Context,
    edit: impl FnOnce(&str, Selection) -> Option<LineEdit>,
) {
    let Some((document, selection)) = state.document().zip(selection(state, editor, ctx)) else { return };
    let Some(edit) = edit(document.active().text(), selection) else { return };
    replace_text(state, ctx, edit.edits);
    select(state, editor, ctx, |_, _| edit.selection);
}

/// Inserts dropped text, and selects it.
pub(super) fn drop_text(
    state: &mut State,
    editor: &mut Analysis,
    ctx: &egui::Context,
    id: TextId,
    dropped: DroppedText,
) {
    if state.document().is_some_and(|document| document.text_id() == id) {
        let DroppedText { from, to, copies } = dropped;
        edit_lines(state, editor, ctx, |text, _| lines::dropped(text, from, to, copies));
    }
}

/// Selects the range that `of` returns for the text shown and its selection.
pub(super) fn select(
    state: &mut State,
    editor: &mut Analysis,
    ctx: &egui::Context,
    of: impl FnOnce(&str, Selection) -> Selection,
) {
    let Some((document, selected)) = state.document().zip(selection(state, editor, ctx)) else { return };
    let Selection { anchor, head } = of(document.active().text(), selected);
    editor.carets.clear();
    reveal_at(state, head, Reveal { ends: [anchor, head], focus: Focus::Take, top: None });
}

/// Whether text is copied or moved to the clipboard.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Clipboard {
    Copy,
    Cut,
}

/// Copies or moves the selection, or the whole line without a selection, to the clipboard.
pub(super) fn copy(state: &mut State, editor: &mut Analysis, ctx: &egui::Context, clipboard: Clipboard) {
    let Some((document, selection)) = state.document().zip(selection(state, editor, ctx)) else { return };
    ctx.copy_text(editor::copied(document.active().text(), selection));
    if clipboard == Clipboard::Cut {
        edit_lines(state, editor, ctx, |text, selection| Some(lines::cut(text, selection)));
    }
    state.focus_editor = Some(());
}

/// Requests the clipboard's text for the caret.
pub(super) fn paste(state: &mut State, ctx: &egui::Context) {
    state.focus_editor = Some(());
    ctx.send_viewport_cmd(egui::ViewportCommand::RequestPaste);
}

/// Adds a caret `lines` lines below the last one, or above the first for a negative number.
pub(super) fn add_caret(state: &mut State, editor: &mut Analysis, ctx: &egui::Context, lines: isize) {
    let Some((document, own)) = state.document().zip(selection(state, editor, ctx)) else { return };
    let text = document.active().text();
    let carets = &editor.carets;
    let heads = carets.all().iter().map(|caret| caret.head).chain([own.head]);
    let end = if lines > 0 { heads.max() } else { heads.min() };
    let Some(at) = end.map(|head| lines::vertically(text, head, lines)) else { return };
    let is_another_line = end.is_some_and(|head| lines::line_end(text, head) != lines::line_end(text, at));
    let document = state.documents.get(state.active).filter(|_| is_another_line);
    if let Some(document) = document {
        editor.carets.add(document, Selection::new([at; 2]));
    }
    state.focus_editor = Some(());
}

/// Opens the list of completions at the caret.
pub(super) fn complete(state: &mut State, editor: &mut Analysis) {
    editor.wants_completions = Some(());
    state.focus_editor = Some(());
}

/// Goes to a line of the text shown, from 0. A line after the end goes to the last line.
pub(super) fn go_to_line(state: &mut State, editor: &mut Analysis, line: usize) {
    let Some(document) = state.document() else { return };
    let index = document.lines();
    let line = index.line_span(line.min(index.line_count() - 1));
    jump(state, editor, Span::at(line.start));
}

/// Applies the fix of the problem at the caret, or of the first problem in its line that has one.
pub(super) fn quick_fix(state: &mut State, ctx: &egui::Context) {
    if let Some(fix) = state.document().and_then(Document::fix_at_caret) {
        let edit = (fix.span, fix.replacement.clone());
        replace_text(state, ctx, vec![edit]);
    }
}
