//! Textures of a scene: the description in `scene.toml` and the loaded texture. `texture_table` reads the
//! description, and `texture_image` reads the images.

use super::builtin;
use super::preview::Preview;
use super::raster::comparisons;
use super::texel_values::TexelValues;
use super::texture_image::{Images, TextureImage, images_key};
use super::{Folder, SceneError};
use crate::{embedded, suggest};
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::pipeline::CompareFunc;
use shadestep_engine::texture::{
    BorderColor, Format, Incomplete, MagFilter, MinFilter, Numbers, Sampler, Texture, TextureError, Wrap,
};
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// Where an image comes from, as `scene.toml` writes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ImageSource {
    /// `builtin:NAME`.
    Builtin(String),
    /// `asset:NAME`, compiled into the binary.
    Asset(String),
    /// A file within the scene's folder.
    File(String),
    /// The numbers in `values`, which make a whole texture.
    Values(Arc<TexelValues>),
    /// A file within the scene's folder with the bytes of a BUFFER texture.
    Store(String),
}

impl ImageSource {
    /// Reads `builtin:NAME`, `asset:NAME` or a file name.
    pub fn parse(text: &str) -> Self {
        if let Some(name) = text.strip_prefix("builtin:") {
            Self::Builtin(name.to_owned())
        } else if let Some(name) = text.strip_prefix("asset:") {
            Self::Asset(name.to_owned())
        } else {
            Self::File(text.to_owned())
        }
    }
}

impl fmt::Display for ImageSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin(name) => write!(f, "builtin:{name}"),
            Self::Asset(name) => write!(f, "asset:{name}"),
            Self::File(name) | Self::Store(name) => f.write_str(name),
            Self::Values(_) => f.write_str("values"),
        }
    }
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

/// The contents of one `[[texture]]`, without its files.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureSpec {
    /// Image unit, 0 to 15.
    pub unit: u8,
    /// Target.
    pub target: TextureTarget,
    /// One image; six for a cube map of files (+x -x +y -y +z -z); one per slice for 3D, per layer for
    /// arrays, or per sample for 2DMS and RENDERBUFFER.
    pub images: Vec<ImageSource>,
    /// Internal format.
    pub format: Format,
    /// The sampler state, without its border colour.
    pub sampler: Sampler,
    /// Border colour.
    pub border: [f32; 4],
    /// Mip levels.
    pub mipmaps: Mipmaps,
}

/// TEXTURE_COMPARE_MODE and TEXTURE_COMPARE_FUNC as one choice.
pub(crate) const COMPARISONS: [(Option<CompareFunc>, &str); 9] = comparisons("NONE");

impl TextureSpec {
    /// A texture with the defaults of `scene.toml`: RGBA8, trilinear, repeating. RECT and BUFFER textures are
    /// linear, clamped to the edge and without mip levels (NV_texture_rectangle allows no other). Textures of
    /// SHADOW targets have depths, compared by LEQUAL.
    pub fn new(unit: u8, target: TextureTarget, image: ImageSource) -> Self {
        let shadow = target.is_shadow();
        let target = target.image();
        let single = !target.has_mipmaps();
        let wrap = if single { Wrap::ClampToEdge } else { Wrap::Repeat };
        let (min_filter, mag_filter) = match target {
            _ if !target.is_filtered() => (MinFilter::Nearest, MagFilter::Nearest),
            _ if single => (MinFilter::Linear, MagFilter::Linear),
            _ => (MinFilter::LinearMipmapLinear, MagFilter::Linear),
        };
        Self {
            unit,
            target,
            images: vec![image],
            format: if shadow { Format::DepthComponent24 } else { Format::Rgba8 },
            sampler: Sampler {
                wrap: [wrap; 3],
                min_filter,
                mag_filter,
                compare: shadow.then_some(CompareFunc::Lequal),
                ..Sampler::default()
            },
            border: [0.0; 4],
            mipmaps: if single { Mipmaps::None } else { Mipmaps::Generate },
        }
    }

    /// Returns the texture in another format. Integer formats also get the filter NEAREST and no generated
    /// levels, without which they are incomplete.
    #[must_use]
    pub fn in_format(mut self, format: Format) -> Self {
        self.format = format;
        if has_integers(format) {
            self.sampler.min_filter = MinFilter::Nearest;
            self.sampler.mag_filter = MagFilter::Nearest;
            self.mipmaps = Mipmaps::None;
        }
        self
    }

    /// Replaces all images by one.
    pub fn take_image(&mut self, image: ImageSource) {
        self.images = vec![image];
        if let Mipmaps::Given(_) = self.mipmaps {
            let made = self.target.has_mipmaps() && !has_integers(self.format);
            self.mipmaps = if made { Mipmaps::Generate } else { Mipmaps::None };
        }
    }

    /// Whether two textures differ only in their units and sampler state.
    fn is_made_like(&self, other: &Self) -> bool {
        let made = |spec: &Self| (spec.target, spec.format, spec.mipmaps.clone());
        let images = matches!(self.mipmaps, Mipmaps::Given(_)) || self.images == other.images;
        made(self) == made(other) && images
    }
}

/// Whether a format stores integers.
pub(crate) fn has_integers(format: Format) -> bool {
    format.numbers() != Numbers::Floats
}

impl TextureSpec {
    /// The images that the texture names, in order of loading.
    pub fn sources(&self) -> &[ImageSource] {
        match &self.mipmaps {
            Mipmaps::Given(levels) => levels,
            Mipmaps::Generate | Mipmaps::None => &self.images,
        }
    }

    /// The paths of its files on disk.
    fn files(&self, folder: &Folder) -> Vec<PathBuf> {
        let files = self.sources().iter().filter_map(|source| match source {
            ImageSource::File(name) | ImageSource::Store(name) => folder.path_of(name),
            ImageSource::Builtin(_) | ImageSource::Asset(_) | ImageSource::Values(_) => None,
        });
        files.collect()
    }
}

/// A loaded texture: its images are read and validated. The first lookup converts the images to texels.
/// Textures of a scene that differ only in sampler state share the texels.
#[derive(Clone, Debug)]
pub struct SceneTexture {
    spec: TextureSpec,
    sampler: Sampler,
    image: Arc<TextureImage>,
    incomplete: Option<Incomplete>,
    made: Arc<OnceLock<Made>>,
    preview: Arc<Preview>,
    folder: Folder,
    files: Vec<PathBuf>,
}

type Made = Result<Arc<Texture>, TextureError>;

/// Limit on the memory of the texels of a scene's textures, in bytes.
pub(super) const MAX_SCENE_TEXTURE_BYTES: u64 = 1 << 30;

/// Limit on the memory of the decoded images of a scene's textures, in bytes.
pub(super) const MAX_SCENE_IMAGE_BYTES: u64 = 1 << 30;

/// The bytes of the texels of `textures` after all are looked up. Shared texels count once.
pub(super) fn texel_bytes<'a>(textures: impl IntoIterator<Item = &'a SceneTexture>) -> u64 {
    let mut images: Vec<&Arc<TextureImage>> = textures.into_iter().map(|texture| &texture.image).collect();
    images.sort_by_key(|image| Arc::as_ptr(image));
    images.dedup_by(|a, b| Arc::ptr_eq(a, b));
    images.iter().map(|image| image.bytes()).sum()
}

/// An error of a texture.
#[derive(Debug)]
pub(super) struct TextureFault {
    /// The key in `[[texture]]` at fault.
    pub key: &'static str,
    pub message: String,
}

impl TextureFault {
    pub fn new(key: &'static str, message: impl Into<String>) -> Self {
        Self { key, message: message.into() }
    }
}

impl SceneTexture {
    /// Loads the images that `spec` names.
    ///
    /// # Errors
    /// A missing, unreadable or too large image, an unknown format or state, or images that do not fit the
    /// target.
    pub fn load(folder: &Folder, spec: TextureSpec) -> Result<Self, SceneError> {
        Self::load_beside(&[], folder, spec)
    }

    /// As [`Self::load`], for a scene that has the textures `others`. Images of these textures are reused.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn load_beside(others: &[Self], folder: &Folder, spec: TextureSpec) -> Result<Self, SceneError> {
        let name = format!("texture on unit {}", spec.unit);
        let open = folder.open();
        let others: Vec<&Self> = others.iter().collect();
        Self::load_keyed(&mut Images::new(&open, MAX_SCENE_IMAGE_BYTES), &others, spec)
            .map_err(|fault| SceneError::new(name, fault.message))
    }

    /// As [`Self::load_beside`], with the key at fault in errors. `images` may already have some of the
    /// images.
    pub(super) fn load_keyed(
        images: &mut Images<'_>,
        others: &[&Self],
        spec: TextureSpec,
    ) -> Result<Self, TextureFault> {
        let (format, sampler) = (spec.format, sampler(&spec)?);
        if spec.mipmaps == Mipmaps::Generate && spec.target.has_mipmaps() && has_integers(format) {
            return Err(TextureFault::new("mipmaps", TextureError::IntegerMipmaps { format }.to_string()));
        }
        let texture_error =
            |error: TextureError| TextureFault::new(key_of(&error, images_key(&spec)), error.to_string());
        let folder = images.folder().folder().clone();
        let (image, preview, files) = match others.iter().find(|other| other.has_images_of(&folder, &spec)) {
            Some(other) => {
                other.image.takes(&sampler).map_err(texture_error)?;
                (Arc::clone(&other.image), Arc::clone(&other.preview), other.files.clone())
            }
            None => {
                let (mut image, files) = TextureImage::read(images, &spec, format)?;
                image.check(&sampler).map_err(texture_error)?;
                let preview = image.preview();
                (Arc::new(image), Arc::new(preview), files)
            }
        };
        let incomplete = image.why_not(&sampler);
        Ok(Self { spec, sampler, image, incomplete, made: Arc::default(), preview, folder, files })
    }

    /// Whether this texture has the same images as `spec` in `folder`.
    pub(super) fn has_images_of(&self, folder: &Folder, spec: &TextureSpec) -> bool {
        self.spec.is_made_like(spec) && self.files == spec.files(folder)
    }

    pub fn spec(&self) -> &TextureSpec {
        &self.spec
    }

    /// Returns the engine's texture. The first call makes the texels, which may take long.
    ///
    /// # Errors
    /// Loading has found every error, so none is expected.
    pub fn texture(&self) -> Result<Arc<Texture>, TextureError> {
        self.made.get_or_init(|| self.image.texture(self.sampler).map(Arc::new)).clone()
    }

    /// Whether the texture is complete, so that lookups find texels.
    pub const fn is_complete(&self) -> bool {
        self.incomplete.is_none()
    }

    /// The reason that the texture is incomplete, with the key of `[[texture]]` to change.
    pub(super) fn warning(&self) -> Option<TextureFault> {
        let why = self.incomplete?;
        let key = match why {
            Incomplete::IntegerFilter { mag_filter: MagFilter::Linear, .. } => "mag_filter",
            Incomplete::IntegerFilter { .. } => "min_filter",
            Incomplete::NoBaseLevel { .. } | Incomplete::BaseAboveMax { .. } => "base_level",
            Incomplete::MissingLevel { .. } | Incomplete::LevelSize { .. } => "levels",
            Incomplete::FaceSize { .. } => images_key(&self.spec),
        };
        Some(TextureFault::new(key, format!("the texture is incomplete, so lookups return 0: {why}")))
    }

    /// The reason that the texture is incomplete, if it is.
    pub fn incomplete(&self) -> Option<String> {
        self.incomplete.map(|why| why.to_string())
    }

    /// Whether the texels of this texture, which others may share, are made.
    #[cfg(test)]
    pub(crate) fn is_made(&self) -> bool {
        self.image.is_made()
    }

    /// Number of texels of the first image.
    pub(super) fn texels(&self) -> usize {
        self.image.texels()
    }

    /// The folder of the files: the scene's folder, or another folder if the user chose the image.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The files on disk that the texture was loaded from.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// A picture of level 0 (first face, first slice) for lists, at most 128 x 128 pixels.
    pub fn preview(&self) -> Preview {
        Preview::clone(&self.preview)
    }
}

/// The texture of units without one: `builtin:xor` with the defaults of [`TextureSpec::new`], also for SHADOW
/// targets.
pub(crate) fn default_texture(target: TextureTarget) -> Option<Arc<Texture>> {
    static TEXTURES: OnceLock<Vec<(TextureTarget, Arc<Texture>)>> = OnceLock::new();
    let textures = TEXTURES.get_or_init(|| {
        let make = |target| {
            let spec = TextureSpec::new(0, target, ImageSource::Builtin("xor".to_owned()));
            let loaded = SceneTexture::load(&Folder::Bundled(""), spec).ok()?;
            Some((target, loaded.texture().ok()?))
        };
        TextureTarget::ALL.into_iter().filter_map(make).collect()
    });
    textures.iter().find(|(t, _)| *t == target).map(|(_, texture)| Arc::clone(texture))
}

/// The border colour, in the format's type of numbers.
fn border(values: [f32; 4], format: Format) -> Result<BorderColor, TextureFault> {
    let whole = values.iter().all(|value| value.fract() == 0.0);
    match format.numbers() {
        Numbers::Floats => Ok(values.into()),
        Numbers::Signed if whole => Ok(BorderColor::Signed(values.map(|value| value as i32))),
        Numbers::Unsigned if whole => Ok(BorderColor::Unsigned(values.map(|value| value as u32))),
        Numbers::Signed | Numbers::Unsigned => {
            let words = format!("the border of {} needs whole numbers", format.name());
            Err(TextureFault::new("border", words))
        }
    }
}

pub(super) fn sampler(spec: &TextureSpec) -> Result<Sampler, TextureFault> {
    Ok(Sampler { border: border(spec.border, spec.format)?, ..spec.sampler })
}

/// The key of `[[texture]]` that an error of the engine is about.
fn key_of(error: &TextureError, images_key: &'static str) -> &'static str {
    match error {
        TextureError::TooLarge { .. }
        | TextureError::TooManyBytes { .. }
        | TextureError::DataLength { .. }
        | TextureError::Shape { .. }
        | TextureError::Faces { .. } => images_key,
        TextureError::LevelCount { .. } | TextureError::NoMipmaps { .. } => "levels",
        TextureError::IntegerMipmaps { .. } => "mipmaps",
        TextureError::FormatTarget { .. }
        | TextureError::PixelNumbers { .. }
        | TextureError::NotSampled { .. } => "format",
        TextureError::Swizzle => "swizzle",
        TextureError::NotANumber { .. } => "border",
        TextureError::Anisotropy { .. } => "anisotropy",
        TextureError::RectFilter { .. } => "min_filter",
        TextureError::RectWrap { .. } => "wrap",
        TextureError::NoBaseLevel { .. } => "base_level",
    }
}

/// Path of the bundled textures in the binary.
pub(super) const ASSET_TEXTURES: &str = "assets/textures/";

/// Path of the bundled meshes in the binary.
pub(super) const ASSET_MESHES: &str = "assets/meshes/";

/// Finds the bundled asset `name` (with or without its extension) in `folder`. Returns its file name and
/// bytes.
pub(super) fn asset(name: &str, folder: &str) -> Result<(&'static str, &'static [u8]), String> {
    let stem = |file: &'static str| file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let found = embedded::files_in(folder).find(|(file, _)| *file == name || stem(file) == name);
    found.ok_or_else(|| {
        let names: Vec<_> = embedded::files_in(folder).map(|(file, _)| stem(file)).collect();
        format!(
            "there is no bundled asset \"{name}\"{}",
            suggest::known(name, names.iter().copied(), "assets")
        )
    })
}

/// The names for `builtin:`, with descriptions.
pub fn builtin_names() -> Vec<(&'static str, &'static str)> {
    builtin::BUILTINS.iter().map(|b| (b.name, b.description)).collect()
}

/// The names for `asset:` textures. The six faces of a cube map are one name for the targets CUBE and
/// ARRAYCUBE, and six names for other targets.
pub fn asset_names(target: TextureTarget) -> Vec<&'static str> {
    let stems = embedded::files_in(ASSET_TEXTURES)
        .filter(|(name, _)| name.ends_with(".png") || name.ends_with(".jpg"))
        .filter_map(|(name, _)| name.rsplit_once('.').map(|(stem, _)| stem));
    match target {
        _ if target.is_cube() => stems.filter_map(|stem| stem.strip_suffix("-px")).collect(),
        _ => stems.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(
        target: TextureTarget,
        change: impl FnOnce(&mut TextureSpec),
    ) -> Result<SceneTexture, TextureFault> {
        let mut spec = TextureSpec::new(0, target, ImageSource::Builtin("xor".to_owned()));
        change(&mut spec);
        let folder = Folder::Disk(PathBuf::from("src"));
        let open = folder.open();
        SceneTexture::load_keyed(&mut Images::new(&open, MAX_SCENE_IMAGE_BYTES), &[], spec)
    }

    #[test]
    fn every_builtin_loads_on_every_target_and_is_complete() {
        for (number, (name, _)) in builtin_names().into_iter().enumerate() {
            // Cube faces are loaded like 2D images, so one array of 48 faces is enough.
            let targets = TextureTarget::TEXTURES.into_iter();
            for target in targets.filter(|&target| number == 0 || target != TextureTarget::ArrayCube) {
                let loaded = load(target, |s| s.images = vec![ImageSource::Builtin(name.to_owned())]);
                let loaded = loaded.unwrap_or_else(|fault| panic!("{name} {target:?}: {}", fault.message));
                assert!(loaded.texture().unwrap().is_complete(), "{name} {target:?}");
                let preview = loaded.preview();
                assert_eq!(preview.rgba.len() as u32, 4 * preview.width * preview.height);
            }
        }
    }

    #[test]
    fn the_default_textures_hold_xor_with_t_upwards() {
        for target in TextureTarget::ALL {
            let texture = default_texture(target).unwrap();
            assert_eq!((texture.target(), texture.compares()), (target.image(), target.is_shadow()));
            assert!(texture.is_complete());
        }
        let texture = default_texture(TextureTarget::D2).unwrap();
        let expected = [3.0, 10.0, f32::from(3_u8 ^ 10), 255.0].map(|n: f32| n / 255.0);
        assert_eq!(texture.texel(0, 0, [3, 10, 0]), Some(expected));
    }

    #[test]
    fn faults_name_their_key() {
        let fault = |target, change: fn(&mut TextureSpec)| load(target, change).unwrap_err().key;
        use TextureTarget::{Cube, D2, Rect};
        assert_eq!(fault(D2, |s| s.format = Format::FloatRgba32), "format");
        assert_eq!(fault(D2, |s| s.sampler.max_anisotropy = 0.5), "anisotropy");
        assert_eq!(fault(Rect, |s| s.sampler.wrap[0] = Wrap::Repeat), "wrap");
        assert_eq!(fault(Rect, |s| s.sampler.min_filter = MinFilter::LinearMipmapLinear), "min_filter");
        assert_eq!(fault(D2, |s| s.images = vec![ImageSource::parse("builtin:wood")]), "image");
        assert_eq!(fault(D2, |s| s.images = vec![ImageSource::parse("asset:nothing")]), "image");
        assert_eq!(fault(D2, |s| s.images = vec![ImageSource::parse("no.png")]), "image");
        assert_eq!(fault(D2, |s| s.images = vec![ImageSource::parse("lib.rs")]), "image");
        assert_eq!(fault(Cube, |s| s.images = vec![ImageSource::parse("a.png")]), "image");
        assert_eq!(fault(D2, |s| s.images.push(ImageSource::parse("builtin:xor"))), "images");
        assert_eq!(fault(Cube, |s| s.images.push(ImageSource::parse("builtin:xor"))), "images");
    }

    #[test]
    fn slices_stack_into_a_volume() {
        let loaded =
            load(TextureTarget::D3, |s| s.images = vec![ImageSource::parse("builtin:xor"); 2]).unwrap();
        assert_eq!(loaded.texture().unwrap().level_size(0), Some([32, 32, 64]));
    }

    #[test]
    fn layers_come_from_images_and_rows() {
        use TextureTarget::{Array1D, Array2D, ArrayCube};
        let layers = |target, images: &[&str]| {
            let images = images.iter().map(|image| ImageSource::parse(image)).collect();
            let loaded = load(target, |s| s.images = images).map_err(|fault| fault.message)?;
            let texture = loaded.texture().map_err(|error| error.to_string())?;
            assert!(texture.is_complete());
            Ok::<usize, String>((0..).take_while(|&face| texture.texel(0, face, [0; 3]).is_some()).count())
        };
        assert_eq!(layers(Array2D, &["builtin:xor"]), Ok(8));
        assert_eq!(layers(Array2D, &["builtin:xor", "builtin:white"]), Ok(16));
        assert_eq!(layers(Array2D, &["asset:bricks"]), Ok(1));
        assert_eq!(layers(ArrayCube, &["builtin:white"]), Ok(48));
        let files = layers(ArrayCube, &["builtin:xor", "a.png"]).unwrap_err();
        assert!(files.contains("each layer from files needs 6 images"), "{files}");
        // The rows of a picture, the lowest first.
        let loaded = load(Array1D, |s| {
            s.images = vec![ImageSource::parse("asset:bricks")];
            s.mipmaps = Mipmaps::None;
        });
        let rows = loaded.unwrap().texture().unwrap();
        let flat = load(TextureTarget::D2, |s| s.images = vec![ImageSource::parse("asset:bricks")]);
        let flat = flat.unwrap().texture().unwrap();
        let [width, height, _] = flat.level_size(0).unwrap();
        for row in [0, 1, height - 1] {
            for x in [0, width - 1] {
                assert_eq!(rows.texel(0, row, [x, 0, 0]), flat.texel(0, 0, [x, row, 0]));
            }
        }
        assert_eq!(rows.texel(0, height, [0; 3]), None);
    }

    #[test]
    fn image_sources_print_as_written() {
        for text in ["builtin:xor", "asset:bricks", "a/b.png"] {
            assert_eq!(ImageSource::parse(text).to_string(), text);
        }
    }

    #[test]
    fn equal_images_are_kept_once_however_they_are_sampled() {
        let spec = |unit, change: fn(&mut TextureSpec)| {
            let mut spec =
                TextureSpec::new(unit, TextureTarget::D2, ImageSource::Builtin("noise".to_owned()));
            change(&mut spec);
            spec
        };
        let folder = Folder::Bundled("");
        let mut textures: Vec<SceneTexture> = Vec::new();
        for (unit, change) in [
            (0, (|_| {}) as fn(&mut TextureSpec)),
            (1, |s| s.sampler.min_filter = MinFilter::Nearest),
            (2, |s| s.sampler.base_level = 3),
            (3, |s| s.sampler.wrap[0] = Wrap::Clamp),
        ] {
            let texture = SceneTexture::load_beside(&textures, &folder, spec(unit, change)).unwrap();
            textures.push(texture);
        }
        assert!(textures.iter().all(|texture| !texture.is_made()), "nothing was looked up");
        let one = textures[1].texture().unwrap();
        assert!(textures.iter().all(SceneTexture::is_made), "made of the same");
        let made: Vec<_> = textures.iter().map(|texture| texture.texture().unwrap()).collect();
        assert!(made.iter().all(|texture| texture.shares_texels_with(&one) && texture.is_complete()));
        assert_eq!(made[2].sampler().base_level, 3);
        assert_eq!(made[2].level_count(), 9, "256 to 1, wherever sampling begins");
        assert_eq!(texel_bytes(&textures), one.bytes());
        for change in [
            (|s| s.format = Format::Luminance8) as fn(&mut TextureSpec),
            |s| s.mipmaps = Mipmaps::None,
            |s| s.images = vec![ImageSource::Builtin("xor".to_owned())],
        ] {
            let other = SceneTexture::load_beside(&textures, &folder, spec(4, change)).unwrap();
            assert!(!other.texture().unwrap().shares_texels_with(&one));
            assert!(texel_bytes(textures.iter().chain([&other])) > one.bytes());
        }
        // A sampler state that is invalid for the texture is still refused.
        let wrong =
            SceneTexture::load_beside(&textures, &folder, spec(4, |s| s.sampler.max_anisotropy = 0.5));
        assert!(wrong.is_err());
    }
}
