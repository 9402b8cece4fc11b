//! The editor panel: tabs, the programs of a scene, banners, the search bar and the program text with
//! everything painted on it.

mod beside;
mod carets;
mod code;
mod completion;
mod drag;
mod explain;
mod find;
mod gutter;
mod highlight;
pub mod lines;
mod rename;
mod rows;
mod tabs;
mod text;
mod text_tabs;
mod toml;
mod uses;
mod values;

pub use carets::{Carets, Selection, copied_at as copied};
pub use highlight::Highlighter;
pub use rename::{Renaming, words as refusal_words};
pub use text::{
    Edits, changes, changes_of, ends_of_selection, other_text_focused, selection, toggle_comment,
};
pub use uses::Marked;

use crate::command::{Action, Command};
use crate::model::{Document, DocumentId, Focus, Part, PerDocument, TextId};
use crate::scene::Slot;
use crate::state::{FindMode, State};
use crate::widgets::text_fields::{field_of, text_edit_id};
use crate::widgets::{self, OnClick as _, Tone};
use shadestep_engine::source::Span;

/// Private state of the editor: cached analyses of the active text, and gestures in progress.
#[derive(Default)]
pub struct Analysis {
    pub highlighter: Highlighter,
    completions: completion::Completions,
    /// Set if the user asked for completions and the text does not have the keyboard focus yet.
    pub wants_completions: Option<()>,
    found: find::Matches,
    hover: code::HoverHelp,
    explained: explain::Explained,
    /// The selection when the text last had the keyboard focus. Without the focus egui's field reports no
    /// selection.
    selected: Option<(TextId, u64, Span)>,
    pub carets: Carets,
    drag: drag::Drag,
    pub marked: Option<Marked>,
    /// The rename in progress.
    pub renaming: Option<Renaming>,
}

impl Analysis {
    /// Returns the selection when `document` last had the keyboard focus, if the text has not changed since.
    pub fn selected_in(&self, document: &Document) -> Option<Span> {
        let of = (document.text_id(), document.revision);
        self.selected.filter(|(id, revision, _)| (*id, *revision) == of).map(|(.., span)| span)
    }

    fn stores(&mut self) -> [&mut dyn PerDocument; 9] {
        // The highlighter only knows the active text, and is cleared when another text becomes active.
        let Self {
            highlighter: _,
            completions,
            wants_completions: _,
            found,
            hover,
            explained,
            selected,
            carets,
            marked,
            renaming,
            drag,
        } = self;
        [completions, found, hover, explained, selected, carets, marked, renaming, drag]
    }
}

impl PerDocument for Analysis {
    fn forget(&mut self, closed: DocumentId) {
        self.stores().into_iter().for_each(|store| store.forget(closed));
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        self.stores().into_iter().flat_map(|store| store.kept()).collect()
    }
}

/// Drops the state that egui keeps for the text fields of closed texts.
pub fn forget_fields(ctx: &egui::Context, closed: impl Iterator<Item = TextId>) {
    for text in closed {
        text::forget(ctx, text);
        completion::forget(ctx, field_of(text));
    }
}

pub fn show(ui: &mut egui::Ui, state: &State, analysis: &mut Analysis, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    tabs::show(ui, state, actions);
    let Some(document) = state.document() else {
        if !state.pending.is_opening() {
            empty(ui, &state.settings.recent, actions);
        }
        return;
    };
    text_tabs::show(ui, state, document, actions);
    disk_banner(ui, document, actions);
    let find = &state.find;
    analysis.found.refresh(find, document);
    let selected = analysis.selected_in(document);
    find::show(ui, find, &analysis.found, (document, selected), actions);
    uses::strip(ui, &mut analysis.marked, document, actions);
    let wanted = state.focus_editor.filter(|()| !find.wants_focus());
    let focus = match (wanted, state.is_covered()) {
        (Some(()), false) => Focus::Take,
        (Some(()), true) | (None, _) => Focus::Keep,
    };
    // In the frame after a modal window closes, egui gives no widget the focus.
    let has_focus = ui.memory(|memory| memory.has_focus(text_edit_id(document)));
    if state.focus_editor.is_some() && (has_focus || wanted.is_none()) {
        actions.insert(0, Action::EditorFocused);
    }
    if document.active().is_large() {
        let megabytes = document.active().text().len() as f64 / 1e6;
        let words = format!(
            "This text is read-only because it has {megabytes:.1} MB. The editor can edit up to 0.6 MB."
        );
        widgets::band(ui, Tone::Warning, &words, |_| {});
    }
    let session =
        state.stepping.session.as_ref().filter(|session| session.text_id() == Some(document.text_id()));
    let found = analysis.found.all();
    let is_fragment = document.active_part() == Part::Program(Slot::Fragment);
    let counts = state.maps.counts(document.id).filter(|_| is_fragment);
    let marked = analysis.marked.take();
    let look = state.settings.text;
    let around = code::Surroundings {
        state,
        session,
        find,
        found: &found,
        marked: marked.as_ref(),
        focus,
        look,
        counts,
        watched: &state.stepping.watched,
        breakpoint_form: state.stepping.breakpoint_form,
    };
    if state.settings.explains {
        let area = ui.available_rect_before_wrap();
        let (above, foot) = analysis.explained.split(area);
        let mut text = ui.new_child(egui::UiBuilder::new().max_rect(above).id_salt("text above"));
        code::show(&mut text, document, &around, analysis, actions);
        explain::show(ui, foot, document, session, &mut analysis.explained, actions);
        ui.advance_cursor_after_rect(area);
    } else {
        code::show(ui, document, &around, analysis, actions);
    }
    // Escape closes the search bar first.
    let is_left = find.mode == FindMode::Closed && uses::escaped(ui, document);
    analysis.marked = marked.filter(|_| !is_left);
}

fn empty(ui: &mut egui::Ui, recent: &[std::path::PathBuf], actions: &mut Vec<Action>) {
    ui.vertical_centered(|ui| {
        ui.add_space(ui.available_height() * 0.15);
        ui.label(crate::theme::heading(ui, "No program is open"));
        ui.add_space(12.0);
        for command in [Command::New, Command::Open, Command::ShowLearn] {
            widgets::button(ui, command.info().label).on_click(command, actions);
            ui.add_space(6.0);
        }
        if !recent.is_empty() {
            ui.add_space(12.0);
            ui.label(crate::theme::caption(ui, "Recent files"));
            ui.add_space(4.0);
            ui.spacing_mut().item_spacing.y = 4.0;
            egui::ScrollArea::vertical().id_salt("recent files").auto_shrink([false, true]).show(ui, |ui| {
                let clicked = ui.vertical_centered(|ui| widgets::recent_files(ui, recent)).inner;
                actions.extend(clicked.map(Action::Open));
            });
        }
    });
}

fn disk_banner(ui: &mut egui::Ui, document: &Document, actions: &mut Vec<Action>) {
    if document.active().changed_on_disk.is_none() {
        return;
    }
    widgets::band(ui, Tone::Warning, "The file changed on disk, and you have unsaved changes.", |ui| {
        widgets::button(ui, "Keep my changes").on_click(Action::KeepText(document.text_id()), actions);
        widgets::button(ui, "Reload from disk").on_click(Action::TakeDiskText(document.text_id()), actions);
    });
}
