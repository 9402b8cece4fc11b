//! Opens the tabs of the last session.

use super::events;
use crate::state::{NoticeKind, State};
use crate::tasks::RestoredTab;

/// Puts the tabs before the documents that are already open. The document in front stays in front.
pub(super) fn take_restored(state: &mut State, tabs: Vec<RestoredTab>) {
    let active = state.pending.tabs.take().map_or(0, |open| open.active);
    let mut front = state.document().map(|document| document.id);
    let mut place = 0;
    let mut wanted = None;
    for (index, (tab, outcome)) in tabs.into_iter().enumerate() {
        let begun = match outcome {
            Ok(begun) => begun,
            Err(error) => {
                state.notify(NoticeKind::Error, format!("A tab could not be reopened. {error}"));
                continue;
            }
        };
        let mut document = state.made_of(begun);
        let id = match state.same_as(&document) {
            // The command line named the document, or it is a restored draft.
            Some(open) => {
                if open >= place {
                    state.documents[place..=open].rotate_right(1);
                    place += 1;
                    state.documents[place - 1].id
                } else {
                    state.documents[open].id
                }
            }
            None => {
                tab.go_to(&mut document);
                let id = document.id;
                state.documents.insert(place, document);
                place += 1;
                id
            }
        };
        if index == active {
            wanted = Some(id);
        }
    }
    front = front.or(wanted);
    state.active = state.documents.iter().position(|document| Some(document.id) == front).unwrap_or(0);
    state.document_switched();
    events::open_something(state);
}
