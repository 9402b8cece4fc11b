//! Layers of the framebuffer, and `[[frame_texture]]`: what the frame before drew, as a texture.

use super::images;
use super::read::Table;
use super::{Attachment, SceneBuffer, SceneError, SceneImage, SceneTexture};
use shadestep_engine::gl::Limit;
use shadestep_engine::ir::{IMAGE_UNITS, TextureTarget};
use shadestep_engine::texture::{MagFilter, MinFilter, Sampler, Wrap};

/// The layers that primitives are drawn to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneLayers {
    /// How many there are; the framebuffer is not layered if that is one.
    pub count: u32,
    /// The one that is shown first.
    pub shown: u32,
}

impl SceneLayers {
    /// Those of scenes that say nothing.
    pub const ONE: Self = Self { count: 1, shown: 0 };
}

/// What the frame before drew, as a texture on a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameTexture {
    /// The texture image unit.
    pub unit: u8,
    /// 2D has layer 0, CUBE the first six, ARRAY2D all of them.
    pub target: TextureTarget,
    /// How it is looked up.
    pub sampler: Sampler,
}

impl FrameTexture {
    /// How many layers it is of, if the framebuffer has `count`.
    pub fn layers(&self, count: u32) -> u32 {
        match self.target {
            TextureTarget::Cube => 6,
            TextureTarget::Array2D => count,
            _ => 1,
        }
    }
}

/// The targets that a frame can be.
const TARGETS: [(TextureTarget, &str); 3] =
    [(TextureTarget::D2, "2D"), (TextureTarget::Cube, "CUBE"), (TextureTarget::Array2D, "ARRAY2D")];

/// Reads `layers` and `layer` at the top of the file.
pub(super) fn layers(root: &Table<'_>) -> Result<SceneLayers, SceneError> {
    let mut layers = SceneLayers::ONE;
    if let Some(entry) = root.get("layers") {
        layers.count = entry.integer(1..=Limit::ArrayTextureLayers.value() as u32)?;
    }
    if let Some(entry) = root.get("layer") {
        layers.shown = entry.integer(0..=layers.count - 1)?;
    }
    Ok(layers)
}

/// Reads every `[[frame_texture]]`.
pub(super) fn frame_textures(
    tables: &[Table<'_>],
    (layers, attachments): (SceneLayers, &[Attachment]),
    textures: &[SceneTexture],
    (images, buffers): (&[SceneImage], &[SceneBuffer]),
) -> Result<Vec<FrameTexture>, SceneError> {
    let mut all: Vec<FrameTexture> = Vec::with_capacity(tables.len());
    for table in tables {
        let one = one(table)?;
        let (unit, name) = (one.unit, one.target.name());
        let same = |other: (u8, TextureTarget)| other == (unit, one.target);
        let taken = textures.iter().any(|texture| same((texture.spec().unit, texture.spec().target)));
        if taken || all.iter().any(|other| same((other.unit, other.target))) {
            return Err(table.error_at("unit", format!("unit {unit} already has a {name} texture")));
        }
        images::apart(table, "unit", (unit, one.target), (images, buffers))?;
        if one.layers(layers.count) > layers.count {
            let words = format!("CUBE has six faces, and the scene has layers = {}", layers.count);
            return Err(table.error_at("target", words));
        }
        if attachments.iter().any(|attachment| attachment.format.is_integer()) {
            return Err(table.error("colour buffers of integers are no frame textures"));
        }
        all.push(one);
    }
    Ok(all)
}

fn one(table: &Table<'_>) -> Result<FrameTexture, SceneError> {
    table.only(&["unit", "target", "filter"])?;
    let unit = match table.get("unit") {
        Some(entry) => entry.integer(0..=IMAGE_UNITS as u32 - 1)? as u8,
        None => 0,
    };
    let target = match table.get("target") {
        Some(entry) => entry.choice(&TARGETS)?,
        None => TextureTarget::D2,
    };
    let filters = [
        ((MinFilter::Linear, MagFilter::Linear), "LINEAR"),
        ((MinFilter::Nearest, MagFilter::Nearest), "NEAREST"),
    ];
    let (min_filter, mag_filter) = match table.get("filter") {
        Some(entry) => entry.choice(&filters)?,
        None => filters[0].0,
    };
    let wrap = [Wrap::ClampToEdge; 3];
    let sampler = Sampler { min_filter, mag_filter, wrap, ..Sampler::for_target(target) };
    Ok(FrameTexture { unit, target, sampler })
}
