//! The little pictures in the list of samples. Each sample's folder has its own, `thumbnail.png`, which a test writes and
//! compares with what the sample draws.

use crate::scene::{self, Bundled, Folder};
use egui::{ColorImage, Rect, TextureHandle, TextureOptions, Ui};
use std::collections::BTreeMap;

/// Name of the file within a sample's folder.
const FILE: &str = "thumbnail.png";

/// Those that have been shown so far; `None` where there is none that can be read.
#[derive(Default)]
pub struct Thumbnails(BTreeMap<&'static str, Option<TextureHandle>>);

impl Thumbnails {
    /// Paints that of `sample` into `rect`.
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
