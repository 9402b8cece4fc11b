//! Thumbnails in the list of samples. Each sample's folder has a `thumbnail.png`. A test writes these files
//! and compares them with the samples' pictures.

use crate::scene::{self, Bundled, Folder};
use egui::{ColorImage, Rect, TextureHandle, TextureOptions, Ui};
use std::collections::BTreeMap;

/// Name of the file within a sample's folder.
const FILE: &str = "thumbnail.png";

/// The thumbnails shown so far; `None` for a file that cannot be read.
#[derive(Default)]
pub struct Thumbnails(BTreeMap<&'static str, Option<TextureHandle>>);

impl Thumbnails {
    /// Paints the thumbnail of `sample` into `rect`.
    pub fn paint(&mut self, ui: &Ui, sample: &Bundled, rect: Rect) {
        let texture = self.0.entry(sample.name).or_insert_with(|| {
            let (size, rgba) =
                scene::decode_rgba8(FILE, &Folder::Bundled(sample.name).read(FILE).ok()?).ok()?;
            let image = ColorImage::from_rgba_unmultiplied(size, &rgba);
            Some(ui.ctx().load_texture(sample.name, image, TextureOptions::LINEAR))
        });
        if let Some(texture) = texture {
            egui::Image::new(&*texture).corner_radius(3.0).paint_at(ui, rect);
        }
    }
}
