//! Closes documents. Every kind of close drops the data kept for the document here.

use super::{Closing, State, SteppingState, ViewState};
use crate::lesson::Lesson;
use crate::model::{Document, DocumentId, Draft, PerDocument, TextId};
use std::collections::BTreeMap;
use std::sync::Arc;

impl State {
    /// Closes a document and drops all data kept for it. Returns its index among the documents, or `None` if
    /// it is not open. The caller must call [`Self::document_switched`] next.
    pub fn close_document(&mut self, closed: DocumentId) -> Option<usize> {
        let index = self.documents.iter().position(|document| document.id == closed)?;
        self.keep_answer(index);
        let document = self.documents.remove(index);
        let texts = document.texts().map(|(part, _)| TextId { document: closed, part });
        self.pending.closed_texts.extend(texts);
        self.stale.closed.push(closed);
        self.stores().into_iter().for_each(|(_, store)| store.forget(closed));
        if self.active > index || self.active >= self.documents.len() {
            self.active = self.active.saturating_sub(1);
        }
        Some(index)
    }

    /// Closes the document at `index` and puts `document` in its place, in front.
    pub fn replace_document(&mut self, index: usize, document: Document) {
        if let Some(closed) = self.documents.get(index).map(|document| document.id) {
            self.close_document(closed);
        }
        let index = index.min(self.documents.len());
        self.documents.insert(index, document);
        self.active = index;
    }

    /// Returns the documents for which each part of the state keeps data. A test checks that all are open.
    pub fn kept_for_documents(&mut self) -> BTreeMap<&'static str, Vec<DocumentId>> {
        self.stores().into_iter().map(|(name, store)| (name, store.kept())).collect()
    }

    /// Returns every part of the state that keeps data for documents, besides the list of documents.
    fn stores(&mut self) -> [(&'static str, &mut dyn PerDocument); 13] {
        // The patterns are exhaustive, so a new field does not compile until it is added here.
        let Self {
            settings: _,
            documents: _,
            active: _,
            find: _,
            focus_editor: _,
            clock: _,
            view,
            exporting: _,
            font: _,
            stepping,
            maps,
            palette: _,
            dialog,
            notices: _,
            recovery: _,
            classroom,
            readouts: _,
            slow: _,
            stale: _,
            services,
            pending,
            next_id: _,
        } = self;
        let SteppingState {
            session,
            watched,
            breakpoint_form,
            condition: _,
            comparison,
            register_formats,
            vertices,
        } = stepping;
        let ViewState { zoom: _, tool: _, mouse: _, full_screen: _, pictures, versions, shows_histogram: _ } =
            view;
        [
            ("debug", session),
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
            ("services", services),
            ("pending", pending),
        ]
    }

    /// Returns true if closing the app would lose changes.
    pub fn asks_before_closing(&self) -> bool {
        self.documents.iter().any(|document| self.waits_for(Closing::App, document))
    }

    /// Returns the lesson that `document` answers. A lesson that was saved elsewhere is an ordinary file.
    pub fn answered(&self, document: &Document) -> Option<&Arc<Lesson>> {
        self.classroom.lesson_of(document).filter(|lesson| lesson.is_in(document.own_folder()))
    }

    /// Returns true if `closing` would lose changes of `document`. Answers to lessons are kept, by
    /// `keep_answer`.
    pub fn waits_for(&self, closing: Closing, document: &Document) -> bool {
        let is_kept = self.answered(document).is_some();
        document.is_modified()
            && match closing {
                Closing::Tab(id) => id == document.id && !is_kept,
                Closing::App => !is_kept || !self.services.drafts.keeps(),
            }
    }

    /// Keeps the answer in the document at `index`, if it is a lesson, until the lesson is opened again.
    /// Removes the answer if the learner has gone back to the start of the lesson.
    pub fn keep_answer(&mut self, index: usize) {
        let Some(document) = self.documents.get(index) else { return };
        let Some(lesson) = self.answered(document).cloned() else { return };
        let answer = match (document.is_modified(), document.can_undo()) {
            (true, _) => Some(Arc::new(Draft::of(document))),
            (false, true) => None,
            // The learner only looked at the lesson.
            (false, false) => return,
        };
        self.classroom.keep_answer(&lesson, answer.clone());
        self.services.drafts.keep_answer(lesson.number(), answer);
    }
}
