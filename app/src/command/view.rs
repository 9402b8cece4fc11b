//! What is seen, and how.

use crate::app::State;
use crate::model::Overlays;
use crate::theme;
use crate::worker::Urgency;

pub(super) fn toggle_palette(state: &mut State) {
    state.palette = match state.palette {
        None => Some(()),
        Some(()) => None,
    };
}

pub(super) fn toggle_overlay(state: &mut State, overlay: impl FnOnce(&mut Overlays) -> &mut bool) {
    if let Some(document) = state.document_mut() {
        let shown = overlay(&mut document.overlays);
        *shown = !*shown;
    }
    state.want_picture(Urgency::Next);
}

pub(super) fn toggle_theme(state: &mut State, ctx: &egui::Context) {
    state.settings.theme = state.settings.theme.other();
    theme::select(ctx, state.settings.theme);
}
