//! Palette, picture, overlays, maps and versions.

use crate::mailbox::Urgency;
use crate::maps::{Map, MapChoice};
use crate::model::{Cause, Compare, Document, Overlays};
use crate::shell::Panels;
use crate::state::{FullScreen, NoticeKind, State};
use shadestep_engine::isa::Stage;

pub(super) fn toggle_palette(state: &mut State) {
    state.palette = match state.palette {
        None => Some(()),
        Some(()) => None,
    };
}

/// Copies the picture shown to the clipboard, as 8-bit colours.
pub(super) fn copy_picture(state: &State, ctx: &egui::Context) {
    let Some(shown) = state.document().and_then(|document| document.shown.as_ref()) else { return };
    let [width, height] = shown.frame.size().map(|side| side as usize);
    ctx.copy_image(egui::ColorImage::from_rgba_unmultiplied([width, height], &shown.frame.to_rgba8()));
}

/// Opens the palette with `query` typed into it.
pub(super) fn open_palette(state: &mut State, panels: &mut Panels, query: &str) {
    state.palette = Some(());
    panels.type_into_palette(query);
}

pub(super) fn change_overlays(state: &mut State, change: impl FnOnce(&mut Overlays)) {
    state.with_document(|document| change(&mut document.overlays));
    state.want_picture(Urgency::Next);
}

/// Shows or hides the wireframe.
pub(super) fn toggle_wireframe(state: &mut State) {
    let last = state.document().map_or(Stage::Vertex, Document::last_of_primitives);
    change_overlays(state, |shown| {
        shown.wireframe = match shown.wireframe {
            Some(_) => None,
            None => Some(last),
        };
    });
}

/// Shows the picture alone on the whole screen, or the window again.
pub(super) fn toggle_full_screen(state: &mut State, ctx: &egui::Context) {
    state.view.full_screen = match state.view.full_screen {
        Some(_) => None,
        None => Some(FullScreen { since: ctx.input(|input| input.time) }),
    };
    let fills = state.view.full_screen.is_some();
    ctx.send_viewport_cmd(egui::ViewportCommand::Fullscreen(fills));
    if !fills {
        state.focus_editor = Some(());
    }
}

/// Shows a map of the document in front. `None` shows the picture.
pub(super) fn show_map(state: &mut State, map: Option<Map>) {
    if let Some(document) = state.document_mut() {
        document.map.map = map;
        // A fixed range is valid only for its map.
        document.map.range = None;
    }
}

pub(super) fn choose_map(state: &mut State, choice: MapChoice) {
    state.with_document(|document| document.map = choice);
}

pub(super) fn toggle_line_counts(state: &mut State) {
    state.with_document(|document| document.map.line_counts = !document.map.line_counts);
}

/// Pins the version with this number, or the newest.
pub(super) fn pin(state: &mut State, ctx: &egui::Context, number: Option<u32>) {
    let Some(id) = state.document().map(|document| document.id) else { return };
    let Some(versions) = state.view.versions.get_mut(id) else { return };
    match number {
        Some(number) => versions.pin(ctx, number),
        None => versions.pin_newest(ctx),
    }
    if number.is_some() {
        set_compare(state, Compare::Slider(0.5));
    }
}

pub(super) fn unpin(state: &mut State) {
    let Some(document) = state.document_mut() else { return };
    document.compare = Compare::Off;
    if document.map.map == Some(Map::Difference) {
        document.map.map = None;
    }
    let id = document.id;
    if let Some(versions) = state.view.versions.get_mut(id) {
        versions.unpin();
    }
}

pub(super) fn set_compare(state: &mut State, compare: Compare) {
    if let Some(document) = state.document_mut() {
        document.compare = compare;
        // A comparison and a difference map cannot be shown together.
        if compare != Compare::Off && document.map.map == Some(Map::Difference) {
            document.map.map = None;
        }
    }
}

/// Restores the texts of a version. Undo reverts this.
pub(super) fn restore_version(state: &mut State, number: u32) {
    let Some(document) = state.documents.get_mut(state.active) else { return };
    let versions = state.view.versions.get(document.id);
    let Some(version) = versions.and_then(|versions| versions.get(number)) else { return };
    for (part, text) in &version.texts {
        document.replace(*part, text, Cause::Other);
    }
    state.programs_changed();
}

/// Turns the restoring of tabs at the next start on or off.
pub(super) fn toggle_restore_tabs(state: &mut State) {
    let forgets = &mut state.settings.forgets_tabs;
    *forgets = !*forgets;
    let words = if *forgets {
        "Shadestep will open the first sample at startup."
    } else {
        "Shadestep will reopen your tabs at startup."
    };
    state.notify(NoticeKind::Info, words);
}
