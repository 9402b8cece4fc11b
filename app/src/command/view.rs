//! What is seen, and how.

use crate::app::State;
use crate::maps::{Map, MapChoice};
use crate::model::{Document, Overlays};
use crate::theme;
use crate::worker::Urgency;
use shadestep_engine::isa::Stage;

pub(super) fn toggle_palette(state: &mut State) {
    state.palette = match state.palette {
        None => Some(()),
        Some(()) => None,
    };
}

pub(super) fn change_overlays(state: &mut State, change: impl FnOnce(&mut Overlays)) {
    if let Some(document) = state.document_mut() {
        change(&mut document.overlays);
    }
    state.want_picture(Urgency::Next);
}

/// Shows the wireframe of what is drawn, or none.
pub(super) fn toggle_wireframe(state: &mut State) {
    let last = state.document().map_or(Stage::Vertex, Document::last_of_primitives);
    change_overlays(state, |shown| {
        shown.wireframe = match shown.wireframe {
            Some(_) => None,
            None => Some(last),
        };
    });
}

pub(super) fn toggle_theme(state: &mut State, ctx: &egui::Context) {
    state.settings.theme = state.settings.theme.other();
    theme::select(ctx, state.settings.theme);
}

/// Shows a map of the document in front, or none.
pub(super) fn show_map(state: &mut State, map: Option<Map>) {
    if let Some(document) = state.document_mut() {
        document.map.map = map;
        // What is fixed is so for the map that it was fixed for.
        document.map.range = None;
    }
}

pub(super) fn choose_map(state: &mut State, choice: MapChoice) {
    if let Some(document) = state.document_mut() {
        document.map = choice;
    }
}

pub(super) fn toggle_line_counts(state: &mut State) {
    if let Some(document) = state.document_mut() {
        document.map.line_counts = !document.map.line_counts;
    }
}
