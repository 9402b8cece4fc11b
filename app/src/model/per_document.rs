//! [`PerDocument`]: what is kept for documents, and dropped when one is closed.

use super::{DocumentId, TextId};

/// Something that keeps data for documents.
pub trait PerDocument {
    /// Drops all that it keeps for `closed`.
    fn forget(&mut self, closed: DocumentId);

    /// The documents that it keeps something for. Can name one several times.
    fn kept(&mut self) -> Vec<DocumentId>;
}

/// Something that belongs to one document.
pub trait OfDocument {
    /// That document.
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

/// Pairs and triples that begin with what names the document.
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
