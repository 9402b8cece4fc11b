//! Layers of the framebuffer, and `[[frame_texture]]`: the picture of the last frame as a texture.

use super::images;
use super::read::Table;
use super::schema::{Named, OneOf, Schema, Whole, schema};
use super::texture::{MAX_SCENE_TEXTURE_BYTES, texel_bytes};
use super::{Attachment, Scene, SceneBuffer, SceneError, SceneImage, SceneTexture};
use shadestep_engine::ir::{IMAGE_UNITS, TextureTarget};
use shadestep_engine::pipeline::{Framebuffer, FramebufferError, Samples};
use shadestep_engine::texture::{Format, MagFilter, MinFilter, Sampler, Texture, Wrap};

/// The layers of the framebuffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneLayers {
    /// The number of layers. With one layer the framebuffer is not layered.
    pub count: u32,
    /// The layer that is shown first.
    pub shown: u32,
}

impl SceneLayers {
    /// One layer, the default.
    pub const ONE: Self = Self { count: 1, shown: 0 };
}

/// The picture of the last frame as a texture on a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameTexture {
    /// The texture image unit.
    pub unit: u8,
    /// A 2D texture has layer 0, CUBE the first six layers, ARRAY2D all layers.
    pub target: TextureTarget,
    /// The sampler state.
    pub sampler: Sampler,
}

impl FrameTexture {
    /// A frame texture with the defaults of its target.
    fn new(unit: u8, target: TextureTarget) -> Self {
        let (min_filter, mag_filter) = FILTERS[0].0;
        let wrap = [Wrap::ClampToEdge; 3];
        let sampler = Sampler { min_filter, mag_filter, wrap, ..Sampler::for_target(target) };
        Self { unit, target, sampler }
    }

    /// The number of layers in the texture of a framebuffer with `count` layers.
    pub fn layers(&self, count: u32) -> u32 {
        match self.target {
            TextureTarget::Cube => 6,
            TextureTarget::Array2D => count,
            _ => 1,
        }
    }
}

/// The targets of frame textures.
const TARGETS: [TextureTarget; 3] = [TextureTarget::D2, TextureTarget::Cube, TextureTarget::Array2D];

/// Checks the size of the framebuffer before memory is allocated for it.
pub(super) fn check_framebuffer(
    root: &Table<'_>,
    (size, samples): ([u32; 2], Samples),
    layers: SceneLayers,
) -> Result<(), SceneError> {
    let Err(fault) = Framebuffer::check(size, samples, layers.count as usize) else { return Ok(()) };
    let [width, height] = size;
    match (fault, root.get("state")) {
        (FramebufferError::Layers { .. }, _) => {
            let words = format!("{fault}, {width} x {height} pixels with {} samples", samples.count());
            Err(root.error_at("layers", words))
        }
        (FramebufferError::Samples { .. }, Some(state)) => {
            Err(state.table("in [state]")?.error_at("samples", fault.to_string()))
        }
        _ => Err(root.error_at("size", fault.to_string())),
    }
}

/// Checks the total bytes of the frame textures of a picture of `size` pixels and of the `others`, all other
/// textures.
fn check_bytes(
    textures: &[FrameTexture],
    (layers, size): (SceneLayers, [u32; 2]),
    others: u64,
) -> Result<(), String> {
    let mut all = others;
    let [width, height] = size.map(|side| side as usize);
    for texture in textures {
        let side = width.min(height);
        let face = if texture.target == TextureTarget::Cube { [side, side, 1] } else { [width, height, 1] };
        let sizes = [vec![face; texture.layers(layers.count) as usize]];
        let bytes = Texture::check(texture.target, Format::Rgba32F, &sizes, &texture.sampler);
        all = all.saturating_add(bytes.map_err(|fault| fault.to_string())?);
        if all > MAX_SCENE_TEXTURE_BYTES {
            let most = MAX_SCENE_TEXTURE_BYTES >> 20;
            return Err(format!("the scene's textures would exceed {most} MiB at {width} x {height} pixels"));
        }
    }
    Ok(())
}

impl Scene {
    /// Checks the memory of a picture of `size` pixels before it is allocated.
    ///
    /// # Errors
    /// A sentence, if the framebuffer or the frame textures would be too large.
    pub fn check_size(&self, size: [u32; 2]) -> Result<(), String> {
        let samples = self.raster.multisample.samples;
        let framebuffer = Framebuffer::check(size, samples, self.layers.count as usize);
        framebuffer.map_err(|fault| fault.to_string())?;
        match self.frame_textures.as_slice() {
            [] => Ok(()),
            textures => check_bytes(textures, (self.layers, size), texel_bytes(&self.textures)),
        }
    }
}

/// Reads every `[[frame_texture]]`.
pub(super) fn frame_textures(
    tables: &[Table<'_>],
    (layers, size, attachments): (SceneLayers, [u32; 2], &[Attachment]),
    textures: &[SceneTexture],
    (images, buffers): (&[SceneImage], &[SceneBuffer]),
) -> Result<Vec<FrameTexture>, SceneError> {
    let mut all: Vec<FrameTexture> = Vec::with_capacity(tables.len());
    for table in tables {
        let mut one = FrameTexture::new(0, TextureTarget::D2);
        FRAME_TEXTURE.read(table, &mut one)?;
        let (unit, article, name) = (one.unit, one.target.article(), one.target.name());
        let same = |other: (u8, TextureTarget)| other == (unit, one.target);
        let taken = textures.iter().any(|texture| same((texture.spec().unit, texture.spec().target)));
        if taken || all.iter().any(|other| same((other.unit, other.target))) {
            return Err(table.error_at("unit", format!("unit {unit} already has {article} {name} texture")));
        }
        images::apart(table, "unit", (unit, one.target), (images, buffers))?;
        if one.layers(layers.count) > layers.count {
            let words =
                format!("CUBE needs six layers, one per face, but the scene has layers = {}", layers.count);
            return Err(table.error_at("target", words));
        }
        if attachments.iter().any(|attachment| attachment.format.is_integer()) {
            return Err(table.error("a colour buffer with integers cannot be a frame texture"));
        }
        all.push(one);
        if let Err(words) = check_bytes(&all, (layers, size), texel_bytes(textures)) {
            return Err(table.error_at("target", words));
        }
    }
    Ok(all)
}

/// `[[frame_texture]]`.
pub(super) static FRAME_TEXTURE: Schema<FrameTexture> = schema! { FrameTexture, "in [[frame_texture]]";
    "unit": Whole::<u8>::new(0, IMAGE_UNITS as u32 - 1), [unit], "`0`", "Texture image unit.";
    "target": Named(&TARGETS, TextureTarget::name), [|t| Some(t.target), |t, target| *t = FrameTexture::new(t.unit, target)], "`\"2D\"`",
        "2D: layer 0. CUBE: the first six layers, and of a picture that is not square the square at the lower left. ARRAY2D: all layers.";
    "filter": OneOf(&FILTERS), [
        |t| Some((t.sampler.min_filter, t.sampler.mag_filter)),
        |t, filter| (t.sampler.min_filter, t.sampler.mag_filter) = filter
    ], "`\"LINEAR\"`", "Filter of lookups.";
};

const FILTERS: [((MinFilter, MagFilter), &str); 2] = [
    ((MinFilter::Linear, MagFilter::Linear), "LINEAR"),
    ((MinFilter::Nearest, MagFilter::Nearest), "NEAREST"),
];
