//! Carries out the user's decisions about drafts and held programs.

use crate::drafts::{HeldWhy, Offer};
use crate::mailbox::Urgency;
use crate::state::State;
use crate::tasks::Restoring;
use std::path::PathBuf;

/// Opens drafts of earlier sessions.
pub(super) fn restore(state: &mut State, which: impl Fn(&Offer) -> bool) {
    // The newest draft is opened last, so it is the one shown.
    for offer in state.recovery.offers.iter().rev().filter(|offer| which(offer)) {
        state.services.tasks.restore(offer, Restoring::Asked);
    }
}

/// Discards drafts.
pub(super) fn discard(state: &mut State, which: impl Fn(&Offer) -> bool) {
    let recovery = &mut state.recovery;
    let discarded = recovery.offers.extract_if(.., |offer| which(offer));
    recovery.resolved.extend(discarded.map(|offer| offer.file));
}

/// Shows the difference between a draft and its file, or hides it.
pub(super) fn compare(state: &mut State, file: PathBuf) {
    let compared = &mut state.recovery.compared;
    *compared = if compared.as_ref() == Some(&file) { None } else { Some(file) };
}

/// Runs the shown programs although they are held.
pub(super) fn run_held(state: &mut State) {
    let Some(document) = state.document() else { return };
    let Some(program) = state.services.drafts.fingerprint(document.id) else { return };
    if state.recovery.held.remove(&program) == Some(HeldWhy::ClosedUnexpectedly) {
        state.services.drafts.release(program);
    }
    state.want_picture(Urgency::Now);
}

/// Cancels the picture in progress. Its programs are held until the user runs or changes them.
pub(super) fn stop_rendering(state: &mut State) {
    let rendered = state.pending.rendered.and_then(|id| state.services.drafts.fingerprint(id));
    state.services.renderer.cancel();
    state.pending.render = None;
    state.recovery.held.extend(rendered.map(|program| (program, HeldWhy::Stopped)));
}
