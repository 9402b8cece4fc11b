//! Pictures of documents as they are on the screen.

use crate::model::{DocumentId, PerDocument};
use crate::overlay::Overlay;
use std::collections::HashMap;

/// Pixels stay squares when the picture is enlarged, and are averaged when it is made smaller.
const FILTER: egui::TextureOptions =
    egui::TextureOptions { minification: egui::TextureFilter::Linear, ..egui::TextureOptions::NEAREST };

/// The screen's form of what [`crate::model::Shown`] has the values of.
#[derive(Default)]
pub struct Pictures {
    taken: HashMap<DocumentId, (egui::TextureHandle, Overlay)>,
}

impl Pictures {
    /// Takes `image`, and lines over it, as the picture of `document`.
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

    /// The picture of `document` and the lines over it.
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
