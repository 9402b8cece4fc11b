//! What a person decides about drafts, and about programs that are not run unasked.

use super::Action;
use crate::app::State;
use crate::drafts::{Card, HeldWhy};
use crate::tasks::Restoring;
use crate::worker::Urgency;

/// Carries out an action about drafts.
pub(super) fn apply(state: &mut State, action: Action) {
    let recovery = &mut state.recovery;
    match action {
        Action::RestoreDraft(file) => {
            for offer in recovery.offers.iter().filter(|offer| offer.file == file) {
                state.services.tasks.restore(offer, Restoring::Asked);
            }
        }
        Action::RestoreAllDrafts => {
            // The newest comes last and so is the one shown.
            for offer in recovery.offers.iter().rev() {
                state.services.tasks.restore(offer, Restoring::Asked);
            }
        }
        Action::DiscardDraft(file) => {
            recovery.offers.retain(|offer| offer.file != file);
            recovery.resolved.push(file);
        }
        Action::DiscardAllDrafts => {
            recovery.resolved.extend(recovery.offers.drain(..).map(|offer| offer.file));
        }
        Action::CompareDraft(file) => {
            recovery.compared = if recovery.compared.as_ref() == Some(&file) { None } else { Some(file) };
        }
        Action::PutDraftsAway => recovery.card = Card::PutAway,
        _ => {}
    }
}

/// Runs the programs shown although they are held.
pub(super) fn run_held(state: &mut State) {
    let Some(document) = state.document() else { return };
    let Some(program) = state.services.drafts.fingerprint(document.id) else { return };
    if state.recovery.held.remove(&program) == Some(HeldWhy::ClosedUnexpectedly) {
        state.services.drafts.release(program);
    }
    state.want_picture(Urgency::Now);
}

/// Gives up the picture that is being rendered. Its programs are not run again until the person says so or changes them.
pub(super) fn stop_rendering(state: &mut State) {
    let rendered = state.pending.rendered.and_then(|id| state.services.drafts.fingerprint(id));
    state.services.renderer.cancel();
    state.pending.render = None;
    state.recovery.held.extend(rendered.map(|program| (program, HeldWhy::Stopped)));
}
