//! [`Vertices`]: the vertices of the picture shown. A thread lists the vertices once per picture, and
//! computes values only for the visible rows.

use crate::model::{DocumentId, PerDocument};
use crate::session::{RenderError, VertexList, VertexValues};
use crate::worker::VerticesReply;
use std::collections::HashMap;
use std::sync::Arc;

/// The vertices of the picture shown, as far as computed.
#[derive(Default)]
pub struct Vertices {
    pub(crate) list: Option<(DocumentId, Result<Arc<VertexList>, RenderError>)>,
    values: HashMap<u32, VertexValues>,
    /// Number of the picture of `values`.
    values_of: u64,
    /// Elements of the visible rows.
    wanted: Vec<u32>,
    asked: Option<(u64, DocumentId, Vec<u32>)>,
}

impl Vertices {
    /// Returns the vertices of `document`'s picture, or of the previous picture while the new vertices are
    /// computed.
    pub fn list(&self, document: DocumentId) -> Option<&Arc<VertexList>> {
        let (of, list) = self.list.as_ref()?;
        list.as_ref().ok().filter(|_| *of == document)
    }

    /// Returns the values of `element`, if they are computed.
    pub fn values(&self, element: u32) -> Option<&VertexValues> {
        self.values.get(&element)
    }

    /// Returns the elements to request for the vertices of picture `picture`, or `None` if they are requested
    /// already.
    pub fn to_ask(&mut self, picture: u64, document: DocumentId) -> Option<Vec<u32>> {
        let key = (picture, document, self.wanted.clone());
        if self.asked.as_ref() == Some(&key) {
            return None;
        }
        self.asked = Some(key);
        Some(self.wanted.clone())
    }

    /// Takes a reply. Replies come in the order of the requests, each for a picture or for more rows.
    pub fn take(&mut self, reply: VerticesReply) {
        if self.values_of != reply.picture {
            self.values.clear();
            self.values_of = reply.picture;
        }
        self.list = Some((reply.document, reply.list));
        // Values of rows that are no longer visible are requested again when needed.
        if self.values.len() > 4096 {
            self.values.clear();
        }
        self.values.extend(reply.values);
    }

    /// Returns the elements whose values are requested.
    pub fn wanted(&self) -> &[u32] {
        &self.wanted
    }

    /// Requests the values of `elements`, the visible rows.
    pub fn want(&mut self, elements: Vec<u32>) {
        self.wanted = elements;
    }
}

impl PerDocument for Vertices {
    fn forget(&mut self, closed: DocumentId) {
        if self.kept().contains(&closed) {
            *self = Self::default();
        }
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        let asked = self.asked.as_ref().map(|(_, document, _)| *document);
        let list = self.list.as_ref().map(|(document, _)| *document);
        asked.into_iter().chain(list).collect()
    }
}
