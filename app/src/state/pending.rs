//! [`Pending`]: requests to services that have no reply yet.

use super::Closing;
use crate::mailbox::Urgency;
use crate::model::{DocumentId, OpenTabs, PerDocument, TextId};
use crate::stepping::StepPosition;
use shadestep_engine::debug::Subject;
use std::ffi::OsString;

/// Requests to services that have no reply yet.
#[derive(Default)]
pub struct Pending {
    /// Number of the last request.
    pub generation: u64,
    /// Set if a picture is wanted.
    pub render: Option<Urgency>,
    /// Document of the last request for a picture.
    pub rendered: Option<DocumentId>,
    /// The document and the text revision that were last sent to the loader.
    pub load: Option<(DocumentId, u64)>,
    /// The record request in progress: its number, its subject, and the position to go to.
    pub record: Option<(u64, Subject, StepPosition)>,
    /// Number of the background query in progress.
    pub background_query: Option<u64>,
    /// A close that continues when all changes are saved.
    pub closing: Option<Closing>,
    /// Set when the user has agreed to close the app without saving.
    pub close_agreed: Option<()>,
    /// Target of the command line, until it is opened.
    pub named: Option<OsString>,
    /// The tabs of the last session, until they are opened.
    pub tabs: Option<OpenTabs>,
    /// Texts of closed documents, for which egui still keeps text fields.
    pub closed_texts: Vec<TextId>,
}

impl Pending {
    /// Returns true while the app is still opening its first documents.
    pub fn is_opening(&self) -> bool {
        self.named.is_some() || self.tabs.is_some()
    }
}

impl PerDocument for Pending {
    fn forget(&mut self, closed: DocumentId) {
        self.rendered.forget(closed);
        self.load.forget(closed);
        self.closing.take_if(|closing| *closing == Closing::Tab(closed));
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        // The recording and the query belong to the document in front. The texts are dropped before the next
        // frame.
        let Self {
            generation: _,
            render: _,
            rendered,
            load,
            record: _,
            background_query: _,
            closing,
            close_agreed: _,
            named: _,
            tabs: _,
            closed_texts: _,
        } = self;
        let closing = match closing {
            Some(Closing::Tab(id)) => vec![*id],
            Some(Closing::App) | None => Vec::new(),
        };
        [rendered.kept(), load.kept(), closing].concat()
    }
}
