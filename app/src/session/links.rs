//! Warnings about the programs of a scene together, such as an output that no later stage reads.

use crate::scene::{ImageUnit, Scene, Slot};
use shadestep_engine::diag::Diagnostic;
use shadestep_engine::lint::{DrawState, Interface, RecordedResult, SharedImage, Stages, linked};
use shadestep_engine::memory::Mode;
use shadestep_engine::pipeline::{RasterState, Recorded, ShadeModel};

/// Returns the warnings about the combination of programs in `scene`, each with its program. Returns none for
/// a single program, because the rest of its scene is a default.
pub fn link_warnings<'p>(
    scene: &Scene,
    interface: impl Fn(Slot) -> Option<&'p Interface>,
) -> Vec<(Slot, Diagnostic)> {
    if scene.is_of_one_program() {
        return Vec::new();
    }
    let recorded: Vec<RecordedResult> = scene
        .feedback
        .iter()
        .flat_map(|feedback| feedback.record.iter().map(|recorded| (feedback.stream, *recorded)))
        .filter_map(|(stream, recorded)| match recorded {
            Recorded::Result(result, components) => Some(RecordedResult { stream, result, components }),
            Recorded::Skipped(_) => None,
        })
        .collect();
    let texture = scene.textures.iter().find(|texture| texture.spec().unit == 0);
    let stages = Stages {
        vertex: interface(Slot::Vertex),
        control: interface(Slot::TessControl),
        evaluation: interface(Slot::TessEvaluation),
        geometry: interface(Slot::Geometry),
        fragment: interface(Slot::Fragment),
        covers_window: scene.mesh.is_viewport() && !scene.programs.have_vertices(),
        state: draw_state(&scene.raster),
        fixed_texture: texture.filter(|texture| texture.is_complete()).map(|texture| texture.spec().target),
        recorded: &recorded,
        shared: &shared_images(scene),
    };
    linked(&stages).into_iter().map(|(stage, warning)| (Slot::first(stage), warning)).collect()
}

/// Returns the state that decides which results are read.
fn draw_state(raster: &RasterState) -> DrawState {
    DrawState {
        discards_primitives: raster.discard,
        two_side: raster.two_side,
        flat_colors: raster.shade_model == ShadeModel::Flat,
        writes_color: raster.color_mask.contains(&true),
        replaced_coordinates: if raster.point.sprite { raster.point.replace.into() } else { 0 },
    }
}

/// Returns the images that programs can both look up and store to. For images with levels or single layers,
/// the scene does not say whether the texels are the same.
fn shared_images(scene: &Scene) -> Vec<SharedImage> {
    let looked_up = scene.images.iter().filter_map(|image| {
        let lookup = image.lookup.filter(|lookup| !lookup.is_copy)?;
        Some((image, lookup.unit))
    });
    let pairs = looked_up.flat_map(|(image, texture_unit)| {
        let stored = scene.images.iter().filter_map(|other| Some((other, other.unit?)));
        let is_same = move |(other, bound): &(&crate::scene::SceneImage, ImageUnit)| {
            other.buffer == image.buffer
                && other.shape.levels().len() == 1
                && (bound.layer.is_none() || other.shape.layers() == 1)
                && bound.access != Mode::ReadOnly
        };
        let target = image.shape.target();
        stored.filter(is_same).map(move |(_, bound)| SharedImage {
            texture_unit,
            target,
            image_unit: bound.unit,
        })
    });
    pairs.collect()
}
