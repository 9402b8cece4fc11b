//! Textures of a scene: what `scene.toml` says about one, and the texture made of it.

use super::{Folder, SceneError};
use shadestep_engine::ir::TextureTarget;

/// Where an image comes from, as `scene.toml` writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageSource {
    /// `builtin:NAME`.
    Builtin(String),
    /// `asset:NAME`, compiled into the binary.
    Asset(String),
    /// A file within the scene's folder.
    File(String),
}

/// Where mip levels come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Mipmaps {
    /// Made from level 0.
    #[default]
    Generate,
    /// Level 0 only.
    None,
    /// One image a level, level 0 first.
    Given(Vec<ImageSource>),
}

/// One `[[texture]]`: plain data, nothing loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureSpec {
    /// Image unit, 0 to 15.
    pub unit: u8,
    /// Target.
    pub target: TextureTarget,
    /// One image; six for a cube map of files (+x -x +y -y +z -z); one a slice for 3D files.
    pub images: Vec<ImageSource>,
    /// Internal format by its GL name without `GL_`.
    pub format: String,
    /// Minification filter by its GL name.
    pub min_filter: String,
    /// Magnification filter by its GL name.
    pub mag_filter: String,
    /// Wrap mode of s, t, r by its GL name.
    pub wrap: [String; 3],
    /// Border colour.
    pub border: [f32; 4],
    /// Greatest anisotropy, 1 for none.
    pub anisotropy: f32,
    /// Added to the level of detail.
    pub lod_bias: f32,
    /// Least level of detail.
    pub min_lod: f32,
    /// Greatest level of detail.
    pub max_lod: f32,
    /// Lowest level used.
    pub base_level: u32,
    /// Highest level used.
    pub max_level: u32,
    /// Mip levels.
    pub mipmaps: Mipmaps,
    /// How depth formats are read: `ALPHA`, `LUMINANCE` or `INTENSITY`.
    pub depth_mode: String,
}

impl TextureSpec {
    /// `image` on `unit` and `target`, with everything else at `scene.toml`'s defaults: RGBA8, trilinear,
    /// repeating (RECT: linear, clamped to the edge, as NV_texture_rectangle allows no more).
    pub fn new(unit: u8, target: TextureTarget, image: ImageSource) -> Self {
        let rect = target == TextureTarget::Rect;
        let wrap = if rect { "CLAMP_TO_EDGE" } else { "REPEAT" };
        Self {
            unit,
            target,
            images: vec![image],
            format: "RGBA8".to_owned(),
            min_filter: if rect { "LINEAR" } else { "LINEAR_MIPMAP_LINEAR" }.to_owned(),
            mag_filter: "LINEAR".to_owned(),
            wrap: [wrap; 3].map(str::to_owned),
            border: [0.0; 4],
            anisotropy: 1.0,
            lod_bias: 0.0,
            min_lod: -1000.0,
            max_lod: 1000.0,
            base_level: 0,
            max_level: 1000,
            mipmaps: if rect { Mipmaps::None } else { Mipmaps::Generate },
            depth_mode: "LUMINANCE".to_owned(),
        }
    }
}

/// A small picture of a texture for lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// RGBA, 8 bits each, top row first.
    pub rgba: Vec<u8>,
}

/// A texture, loaded.
#[derive(Clone, Debug)]
pub struct SceneTexture {
    spec: TextureSpec,
}

impl SceneTexture {
    /// Loads the images that `spec` names and makes the texture.
    ///
    /// # Errors
    /// A missing or unreadable image, one too large, an unknown format or state, or images that do not
    /// fit the target.
    pub fn load(folder: &Folder, spec: TextureSpec) -> Result<Self, SceneError> {
        let _ = folder;
        Ok(Self { spec })
    }

    /// What it was made from.
    pub fn spec(&self) -> &TextureSpec {
        &self.spec
    }

    /// Level 0 (first face, first slice) as a picture for lists, at most 128 pixels wide and high.
    pub fn preview(&self) -> Preview {
        Preview { width: 0, height: 0, rgba: Vec::new() }
    }
}

/// Names that `builtin:` takes, with what each holds, for lists.
pub fn builtin_names() -> &'static [(&'static str, &'static str)] {
    &[]
}

/// Names that `asset:` takes.
pub fn asset_names() -> Vec<&'static str> {
    Vec::new()
}
