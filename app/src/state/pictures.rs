//! [`Pictures`]: the textures of documents' pictures.

use crate::model::{DocumentId, PerDocument};
use crate::overlay::Overlay;
use std::collections::HashMap;

/// Enlarged pixels stay squares. Reduced pictures are averaged.
const FILTER: egui::TextureOptions =
    egui::TextureOptions { minification: egui::TextureFilter::Linear, ..egui::TextureOptions::NEAREST };

/// The pictures on the screen. [`crate::model::Shown`] has their exact values.
#[derive(Default)]
pub struct Pictures {
    taken: HashMap<DocumentId, (egui::TextureHandle, Overlay)>,
}

impl Pictures {
    /// Stores `image`, and lines over it, as the picture of `document`.
    pub fn take(
        &mut self,
        ctx: &egui::Context,
        document: DocumentId,
        image: egui::ColorImage,
        overlay: Overlay,
    ) {
        match self.taken.get_mut(&document) {
            Some((texture, lines)) => {
                texture.set(image, FILTER);
                *lines = overlay;
            }
            None => {
                let texture = ctx.load_texture("picture", image, FILTER);
                self.taken.insert(document, (texture, overlay));
            }
        }
    }

    /// Returns the picture of `document` and the lines over it.
    pub fn get(&self, document: DocumentId) -> Option<(&egui::TextureHandle, &Overlay)> {
        self.taken.get(&document).map(|(texture, overlay)| (texture, overlay))
    }
}

impl PerDocument for Pictures {
    fn forget(&mut self, closed: DocumentId) {
        self.taken.remove(&closed);
    }

    fn kept(&mut self) -> Vec<DocumentId> {
        self.taken.keys().copied().collect()
    }
}
