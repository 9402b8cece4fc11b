//! [`PerDocument`]: data kept for each document and dropped when the document closes.

use super::{DocumentId, TextId};

/// A store that keeps data for documents.
pub trait PerDocument {
    /// Drops everything kept for `closed`.
    fn forget(&mut self, closed: DocumentId);

    /// Returns the documents that have data here. May name a document several times.
    fn kept(&mut self) -> Vec<DocumentId>;
}

/// A value that belongs to one document.
pub trait OfDocument {
    fn of_document(&self) -> DocumentId;
}

impl<T: OfDocument> PerDocument for Option<T> {
    fn forget(&mut self, closed: DocumentId) {
        self.take_if(|of| of.of_document() == closed);
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        self.iter().map(OfDocument::of_document).collect()
    }
}

impl OfDocument for DocumentId {
    fn of_document(&self) -> DocumentId {
        *self
    }
}

impl OfDocument for TextId {
    fn of_document(&self) -> DocumentId {
        self.document
    }
}

/// Pairs and triples belong to the document of their first element.
impl<T: OfDocument, A> OfDocument for (T, A) {
    fn of_document(&self) -> DocumentId {
        self.0.of_document()
    }
}

impl<T: OfDocument, A, B> OfDocument for (T, A, B) {
    fn of_document(&self) -> DocumentId {
        self.0.of_document()
    }
}

impl<T: OfDocument, A, B, C> OfDocument for (T, A, B, C) {
    fn of_document(&self) -> DocumentId {
        self.0.of_document()
    }
}
