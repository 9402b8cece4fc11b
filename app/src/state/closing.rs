//! Closing a document: everything that is kept for it is dropped here, whatever closes it.

use super::{Closing, State, SteppingState, ViewState};
use crate::lesson::Lesson;
use crate::model::{Document, DocumentId, Draft, PerDocument, TextId};
use std::collections::BTreeMap;
use std::sync::Arc;

impl State {
    /// Closes a document, and drops all that is kept for it. The place that it had among the documents is the
    /// result; `None` if it is not open. [`Self::document_switched`] is to follow.
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

    /// Closes the document at `index` and has `document` in its place, in front.
    pub fn replace_document(&mut self, index: usize, document: Document) {
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
    fn stores(&mut self) -> [(&'static str, &mut dyn PerDocument); 13] {
        // The patterns are exhaustive, so a new field does not compile until it is sorted in here.
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

    /// Whether closing the app would lose changes.
    pub fn asks_before_closing(&self) -> bool {
        self.documents.iter().any(|document| self.waits_for(Closing::App, document))
    }

    /// The lesson that `document` is the answer to. One that was saved elsewhere is a file like others.
    pub fn answered(&self, document: &Document) -> Option<&Arc<Lesson>> {
        self.classroom.lesson_of(document).filter(|lesson| lesson.is_in(document.own_folder()))
    }

    /// Whether closing would lose changes of `document`. Answers to lessons are kept, by `keep_answer`.
    pub fn waits_for(&self, closing: Closing, document: &Document) -> bool {
        let is_kept = self.answered(document).is_some();
        document.is_modified()
            && match closing {
                Closing::Tab(id) => id == document.id && !is_kept,
                Closing::App => !is_kept || !self.services.drafts.keeps(),
            }
    }

    /// Keeps what is typed in the document at `index`, if it is a lesson, for when that is opened again. Where the learner
    /// has gone back to the start of the lesson there is nothing to keep.
    pub fn keep_answer(&mut self, index: usize) {
        let Some(document) = self.documents.get(index) else { return };
        let Some(lesson) = self.answered(document).cloned() else { return };
        let answer = match (document.is_modified(), document.can_undo()) {
            (true, _) => Some(Arc::new(Draft::of(document))),
            (false, true) => None,
            // It was looked at.
            (false, false) => return,
        };
        self.classroom.keep_answer(&lesson, answer.clone());
        self.services.drafts.keep_answer(lesson.number(), answer);
    }
}
