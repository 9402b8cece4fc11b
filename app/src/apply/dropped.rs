//! Handles files dropped on the window.

use super::files::path_chosen;
use crate::scene::Slot;
use crate::state::{NoticeKind, State};
use crate::tasks::Purpose;
use std::path::PathBuf;

/// Opens dropped files. Images and meshes become part of the scene shown.
pub fn take(state: &mut State, ctx: &egui::Context) {
    let dropped = ctx.input(|input| input.raw.dropped_files.clone());
    for file in dropped {
        let path = file.path().to_path_buf();
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "png" | "jpg" | "jpeg" => take_dropped_image(state, ctx, path),
            "obj" => {
                if let Some(id) = state.document().map(|document| document.id) {
                    path_chosen(state, ctx, Purpose::Mesh(id), path);
                }
            }
            _ => state.services.tasks.open(path),
        }
    }
}

/// Binds an image to the first unit that the program looks up. A cube map takes six images.
fn take_dropped_image(state: &mut State, ctx: &egui::Context, path: PathBuf) {
    let Some(document) = state.document() else { return };
    let units = document.program(Slot::Fragment).map(|program| program.textures()).unwrap_or_default();
    let mut used = units.into_iter().enumerate().filter_map(|(unit, target)| Some((unit as u8, target?)));
    match used.find(|(_, target)| !target.is_cube()) {
        Some((unit, target)) => {
            let spec = document.texture_spec(unit, target);
            let purpose = Purpose::Texture(document.id, Box::new(spec));
            path_chosen(state, ctx, purpose, path);
        }
        None => {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let words = format!(
                "{name} is an image, but the fragment program uses no texture that one image can replace."
            );
            state.notify(NoticeKind::Error, words);
        }
    }
}
