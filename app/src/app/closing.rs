//! Closing a document: everything that is kept for it is dropped here, whatever closes it.

use super::{Closing, Dialog, Pending, Services, State};
use crate::model::{Document, DocumentId, PerDocument, TextId};
use std::collections::BTreeMap;

impl State {
    /// Closes a document, and drops all that is kept for it. The place that it had among the documents is the
    /// result; `None` if it is not open. [`Self::document_switched`] is to follow.
    pub fn close_document(&mut self, closed: DocumentId) -> Option<usize> {
        let index = self.documents.iter().position(|document| document.id == closed)?;
        self.keep_answer(index);
        let document = self.documents.remove(index);
        let texts = document.texts().map(|(part, _)| TextId { document: closed, part });
        self.pending.closed_texts.extend(texts);
        self.stores().into_iter().for_each(|(_, store)| store.forget(closed));
        if self.active > index || self.active >= self.documents.len() {
            self.active = self.active.saturating_sub(1);
        }
        Some(index)
    }

    /// Closes the document at `index` and has `document` in its place, in front.
    pub(super) fn replace_document(&mut self, index: usize, document: Document) {
        if let Some(closed) = self.documents.get(index).map(|document| document.id) {
            self.close_document(closed);
        }
        let index = index.min(self.documents.len());
        self.documents.insert(index, document);
        self.active = index;
    }

    /// Which documents each part of the state keeps something for: open ones alone.
    pub fn kept_for_documents(&mut self) -> BTreeMap<&'static str, Vec<DocumentId>> {
        self.stores().into_iter().map(|(name, store)| (name, store.kept())).collect()
    }

    /// Every part of the state that keeps something for documents, besides the list of documents.
    fn stores(&mut self) -> [(&'static str, &mut dyn PerDocument); 14] {
        // The pattern is exhaustive, so a new field does not compile until it is sorted in here.
        let Self {
            settings: _,
            documents: _,
            active: _,
            find: _,
            focus_editor: _,
            clock: _,
            mouse: _,
            view: _,
            full_screen: _,
            exporting: _,
            font: _,
            tool: _,
            debug,
            watched,
            breakpoint_form,
            condition: _,
            comparison,
            register_formats,
            vertices,
            pictures,
            maps,
            versions,
            shows_histogram: _,
            palette: _,
            dialog,
            notices: _,
            recovery: _,
            classroom,
            readouts: _,
            slow: _,
            panels,
            services,
            pending,
            next_id: _,
        } = self;
        [
            ("debug", debug),
            ("watched", watched),
            ("breakpoint form", breakpoint_form),
            ("comparison", comparison),
            ("register formats", register_formats),
            ("vertices", vertices),
            ("pictures", pictures),
            ("maps", maps),
            ("versions", versions),
            ("dialog", dialog),
            ("classroom", classroom),
            ("panels", panels),
            ("services", services),
            ("pending", pending),
        ]
    }
}

impl PerDocument for Option<Dialog> {
    fn forget(&mut self, closed: DocumentId) {
        if self.kept().contains(&closed) {
            *self = None;
        }
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        let of = match self {
            Some(Dialog::Unsaved(Closing::Tab(id)) | Dialog::Overwrite(id)) => Some(*id),
            Some(Dialog::Export(form)) => Some(form.document),
            Some(Dialog::Path(prompt)) => prompt.question.purpose.document(),
            Some(
                Dialog::Unsaved(Closing::App)
                | Dialog::NewScene
                | Dialog::RunTo
                | Dialog::StillExporting
                | Dialog::Preferences
                | Dialog::Keys
                | Dialog::About,
            )
            | None => None,
        };
        of.into_iter().collect()
    }
}

impl PerDocument for Pending {
    fn forget(&mut self, closed: DocumentId) {
        self.rendered.forget(closed);
        self.load.forget(closed);
        self.closing.take_if(|closing| *closing == Closing::Tab(closed));
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        // What is recorded and asked is that of the document in front; texts are dropped before the next
        // frame.
        let Self {
            generation: _,
            render: _,
            rendered,
            load,
            record: _,
            inquiry: _,
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

impl PerDocument for Services {
    fn forget(&mut self, closed: DocumentId) {
        let Self {
            loader,
            renderer,
            recorder,
            inquirer,
            vertices,
            surveyor,
            lessons,
            historian: _,
            comparer: _,
            tasks: _,
            watch: _,
            drafts,
        } = self;
        loader.forget(closed, |request| request.document == closed);
        renderer.forget(closed, |request| request.document == closed);
        recorder.forget(closed, |request| request.document == closed);
        inquirer.forget(closed, |request| request.record.document == closed);
        vertices.forget(closed, |request| request.document == closed);
        surveyor.forget(closed, |request| request.asked.document == closed);
        lessons.forget(closed, |request| request.document == closed);
        drafts.forget(closed);
    }

    /// Only the drafts: a thread drops its data for a closed document between two requests, and keeps data of
    /// one document.
    fn kept(&mut self) -> Vec<DocumentId> {
        self.drafts.taken().collect()
    }
}
