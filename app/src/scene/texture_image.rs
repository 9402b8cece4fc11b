//! The images of a scene's textures. Each image is read once and shared by all textures that use it. The
//! first lookup of a texture converts its images to texels.

use super::builtin::{self, Builtin};
use super::folder::{MAX_FILE_BYTES, OpenFolder};
use super::image::{self, Data, FirstRow, Pixels};
use super::preview::Preview;
use super::texture::{ASSET_TEXTURES, TextureFault, asset};
use super::{ImageSource, Mipmaps, SceneError, TextureSpec};
use crate::suggest;
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::texture::{
    self, Format, Image, Incomplete, Level, MAX_BUFFER_TEXELS, Sampler, Texture, TextureError,
};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Limit on the memory of the decoded images of one texture, in bytes.
const MAX_IMAGE_BYTES: u64 = 512 << 20;

/// The images of a texture, for a target and in a format. Textures that differ only in sampler state share
/// them.
#[derive(Debug)]
pub(super) struct TextureImage {
    target: TextureTarget,
    format: Format,
    /// The size of each face of each level, including levels to generate.
    sizes: Vec<Vec<[usize; 3]>>,
    bytes: u64,
    /// The images, until the texels are made.
    given: Mutex<Given>,
    texels: OnceLock<Result<Texture, TextureError>>,
}

/// The data that was read.
#[derive(Debug)]
enum Given {
    /// Images of each face of each level.
    Images(Vec<Vec<Arc<Pixels>>>),
    /// The contents of a buffer object.
    Store(Vec<u8>),
}

impl TextureImage {
    /// Reads the images that `spec` names. Also returns the paths of their files on disk.
    pub fn read(
        images: &mut Images<'_>,
        spec: &TextureSpec,
        format: Format,
    ) -> Result<(Self, Vec<PathBuf>), TextureFault> {
        if let [ImageSource::Store(name)] = spec.sources() {
            return Self::read_store(images, name, format);
        }
        let mut reader = Reader { images, format, files: Vec::new(), bytes: 0 };
        let (key, pixels) = match &spec.mipmaps {
            Mipmaps::Given(levels) if levels.is_empty() => ("levels", Err("there is no level 0".to_owned())),
            Mipmaps::Given(levels) => {
                ("levels", levels.iter().map(|level| reader.level(spec.target, level)).collect())
            }
            Mipmaps::Generate | Mipmaps::None => (images_key(spec), reader.base(spec).map(|base| vec![base])),
        };
        let pixels = pixels.map_err(|message| TextureFault::new(key, message))?;
        let files = reader.files;
        let mut sizes: Vec<Vec<_>> =
            pixels.iter().map(|faces: &Vec<Arc<Pixels>>| faces.iter().map(|p| p.size).collect()).collect();
        if spec.mipmaps == Mipmaps::Generate && spec.target.has_mipmaps() {
            let faces = sizes[0].clone();
            let level = |l| faces.iter().filter_map(|&size| texture::chain(size).nth(l)).collect();
            let count = faces.iter().map(|&size| texture::chain(size).count()).max().unwrap_or(1);
            sizes.extend((1..count).map(level));
        }
        Ok((Self::new((spec.target, format), sizes, Given::Images(pixels)), files))
    }

    /// Reads the file `name` as the contents of a buffer object. Also returns the path of the file on disk.
    fn read_store(
        images: &mut Images<'_>,
        name: &str,
        format: Format,
    ) -> Result<(Self, Vec<PathBuf>), TextureFault> {
        let fault = |words: String| TextureFault::new("file", words);
        let target = TextureTarget::Buffer;
        let texel = format.bytes_in_buffer();
        let texel = texel.ok_or_else(|| {
            TextureFault::new("format", TextureError::FormatTarget { format, target }.to_string())
        })?;
        let most = images.left().min((texel * MAX_BUFFER_TEXELS) as u64).min(MAX_FILE_BYTES);
        let store = images.folder.read_up_to(name, most);
        let store = store.map_err(|error| fault(format!("{}: {}", error.file, error.message)))?;
        if store.is_empty() || !store.len().is_multiple_of(texel) {
            let [size, texel] = [store.len(), texel].map(|bytes| crate::format::counted(bytes, "byte"));
            let name_of = format.name();
            return Err(fault(format!(
                "{name}: the size of {size} is not a multiple of the texel size of {name_of}, {texel}"
            )));
        }
        let count = store.len() / texel;
        images.take(store.len() as u64).map_err(&fault)?;
        let files = images.folder.folder().path_of(name).into_iter().collect();
        Ok((Self::new((target, format), vec![vec![[count, 1, 1]]], Given::Store(store.into_owned())), files))
    }

    fn new((target, format): (TextureTarget, Format), sizes: Vec<Vec<[usize; 3]>>, given: Given) -> Self {
        Self { target, format, sizes, bytes: 0, given: Mutex::new(given), texels: OnceLock::new() }
    }

    /// Computes the size of the texels, and checks that they can be made and sampled with this state.
    pub fn check(&mut self, sampler: &Sampler) -> Result<(), TextureError> {
        self.bytes = Texture::check(self.target, self.format, &self.sizes, sampler)?;
        Ok(())
    }

    /// Checks that the texels can be sampled with this state.
    pub fn takes(&self, sampler: &Sampler) -> Result<(), TextureError> {
        Texture::check(self.target, self.format, &self.sizes, sampler).map(drop)
    }

    /// The reason that a texture with this sampler state would be incomplete, if it would.
    pub fn why_not(&self, sampler: &Sampler) -> Option<Incomplete> {
        Texture::why_not(self.target, self.format, &self.sizes, sampler)
    }

    /// Number of texels of the first image of level 0.
    pub fn texels(&self) -> usize {
        self.sizes.first().and_then(|faces| faces.first()).map_or(0, |size| size.iter().product())
    }

    /// Size of the texels in bytes, made or not.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the texels are made.
    #[cfg(test)]
    pub fn is_made(&self) -> bool {
        self.texels.get().is_some()
    }

    /// A texture with this sampler state. The first call makes the texels, which may take long.
    pub fn texture(&self, sampler: Sampler) -> Result<Texture, TextureError> {
        let mut texture = self.texels.get_or_init(|| self.make(sampler)).clone()?;
        texture.set_sampler(sampler)?;
        Ok(texture)
    }

    fn make(&self, sampler: Sampler) -> Result<Texture, TextureError> {
        // The images are not needed after this, so their memory is freed.
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let given = std::mem::replace(&mut *given, Given::Images(Vec::new()));
        let pixels = match given {
            Given::Images(pixels) => pixels,
            Given::Store(store) => return Texture::of_buffer(self.format, &store),
        };
        let level = |faces: &Vec<Arc<Pixels>>| {
            let t_zero = t_zero(self.target);
            let faces: Result<Vec<Image>, _> =
                faces.iter().map(|p| p.to_image(self.format, t_zero)).collect();
            Ok(Level { faces: faces? })
        };
        let given = pixels.len();
        let levels: Result<Vec<Level>, TextureError> = pixels.iter().map(level).collect();
        drop(pixels);
        // The image is level 0, and every level is made from it, whatever the levels that sampling uses.
        let whole = Sampler { base_level: 0, max_level: 1000, ..sampler };
        let mut texture = Texture::new(self.target, self.format, levels?, whole)?;
        if self.sizes.len() > given {
            texture.generate_mipmaps()?;
        }
        Ok(texture)
    }

    /// A small picture of the first face of level 0. Empty after the texels are made.
    pub fn preview(&self) -> Preview {
        match &*self.given.lock().unwrap_or_else(PoisonError::into_inner) {
            Given::Images(levels) => {
                let first = levels.first().and_then(|faces| faces.first());
                first.map(|pixels| Preview::of_image(pixels, self.target, self.format)).unwrap_or_default()
            }
            Given::Store(store) => Preview::of_store(store, self.format),
        }
    }
}

/// The images that have been read for a scene.
pub(super) struct Images<'a> {
    folder: &'a OpenFolder<'a>,
    read: HashMap<Name, Arc<Pixels>>,
    bytes: u64,
    most: u64,
}

/// The key of an image: its source and, for a builtin image, the target and the face.
type Name = (ImageSource, Option<(TextureTarget, u32)>);

impl<'a> Images<'a> {
    /// An empty set of images from `folder`, with a limit of `most` decoded bytes.
    pub fn new(folder: &'a OpenFolder<'a>, most: u64) -> Self {
        Self { folder, read: HashMap::new(), bytes: 0, most }
    }

    pub fn folder(&self) -> &OpenFolder<'a> {
        self.folder
    }

    /// The size of the decoded images in memory, in bytes.
    #[cfg(test)]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn left(&self) -> u64 {
        self.most.saturating_sub(self.bytes)
    }

    /// Counts bytes of images before they are allocated. Refuses bytes over the limit.
    fn take(&mut self, bytes: u64) -> Result<(), String> {
        if bytes > self.left() {
            return Err(format!("the images of the scene's textures exceed {} MiB", self.most >> 20));
        }
        self.bytes += bytes;
        Ok(())
    }

    /// Returns an image, which is read if it is new. `check` receives its size before it is decoded.
    fn get(
        &mut self,
        name: Name,
        check: impl FnOnce(u64) -> Result<(), String>,
    ) -> Result<Arc<Pixels>, String> {
        if let Some(pixels) = self.read.get(&name) {
            check(pixels.bytes())?;
            return Ok(Arc::clone(pixels));
        }
        let fault = |error: SceneError| format!("{}: {}", error.file, error.message);
        let pixels = match &name {
            (ImageSource::Builtin(name), place) => {
                let (target, face) = place.unwrap_or((TextureTarget::D2, 0));
                let texels: u64 = Builtin::size(target).into_iter().map(u64::from).product();
                check(4 * texels)?;
                self.take(4 * texels)?;
                builtin_pixels(builtin_named(name)?, target, face)
            }
            (ImageSource::Asset(name), _) => {
                let (name, bytes) = asset(name, ASSET_TEXTURES)?;
                image::decode(name, bytes, |bytes| check(bytes).and_then(|()| self.take(bytes)))
                    .map_err(fault)?
            }
            (ImageSource::File(name), _) => {
                let file = self.folder.read(name).map_err(fault)?;
                image::decode(name, &file, |bytes| check(bytes).and_then(|()| self.take(bytes)))
                    .map_err(fault)?
            }
            (ImageSource::Values(_) | ImageSource::Store(_), _) => {
                return Err("a list of images can hold only files, assets and built-in textures".to_owned());
            }
        };
        let pixels = Arc::new(pixels);
        self.read.insert(name, Arc::clone(&pixels));
        Ok(pixels)
    }
}

/// Reads the images of one texture.
struct Reader<'a, 'f> {
    images: &'a mut Images<'f>,
    format: Format,
    files: Vec<PathBuf>,
    /// Bytes of the texture's images so far. An image that is named twice counts twice.
    bytes: u64,
}

impl Reader<'_, '_> {
    /// Reads the images of level 0: one; six for CUBE; one per layer (and face) of an array; one with all
    /// slices of a 3D texture or all samples.
    fn base(&mut self, spec: &TextureSpec) -> Result<Vec<Arc<Pixels>>, String> {
        let target = spec.target;
        match (spec.images.as_slice(), target) {
            ([], _) => Err("the texture has no image".to_owned()),
            ([ImageSource::Values(values)], _) => {
                let texels = values.numbers().len() / self.format.pixel_places().len().max(1);
                self.images.take(16 * texels as u64)?;
                let images = values.images(target, self.format, t_zero(target));
                Ok(images.into_iter().map(Arc::new).collect())
            }
            (images, TextureTarget::ArrayCube) => self.cubes(images),
            ([one], _) => self.level(target, one),
            (images, TextureTarget::Cube) if images.len() == 6 => {
                images.iter().map(|image| self.one(image, target, 0)).collect()
            }
            (images, TextureTarget::Cube) => {
                let count = images.len();
                Err(format!("a cube map needs 6 images (+x, -x, +y, -y, +z, -z), not {count}"))
            }
            (layers, _) if target.layer().is_some() => {
                let layers: Result<Vec<_>, _> =
                    layers.iter().map(|layer| self.level(target, layer)).collect();
                Ok(layers?.concat())
            }
            (slices, TextureTarget::D3 | TextureTarget::Multisample2D | TextureTarget::Renderbuffer) => {
                let slices: Result<Vec<_>, _> =
                    slices.iter().map(|slice| self.one(slice, target, 0)).collect();
                let what = if target.has_samples() { "samples" } else { "slices" };
                let words = || {
                    format!(
                        "the {what} of {} {} texture must all have the same size and depth",
                        target.article(),
                        target.name()
                    )
                };
                let slices = slices?;
                self.images.take(slices.iter().map(|slice| slice.bytes()).sum())?;
                let whole = stack(&slices).ok_or_else(words)?;
                Ok(vec![Arc::new(whole)])
            }
            (images, target) => {
                let (count, article, name) = (images.len(), target.article(), target.name());
                Err(format!("{article} {name} texture needs one image, not {count}"))
            }
        }
    }

    /// Reads the faces of an array of cube maps. Each layer is six files or the name of a cube map.
    fn cubes(&mut self, mut images: &[ImageSource]) -> Result<Vec<Arc<Pixels>>, String> {
        let target = TextureTarget::ArrayCube;
        let mut faces = Vec::new();
        while let [first, rest @ ..] = images {
            match (first, images.get(..6)) {
                (ImageSource::File(_), Some(six)) => {
                    for face in six {
                        faces.push(self.one(face, target, 0)?);
                    }
                    images = &images[6..];
                }
                (ImageSource::File(_), None) => {
                    let words = "each layer from files needs 6 images (+x, -x, +y, -y, +z, -z)";
                    return Err(words.to_owned());
                }
                _ => {
                    faces.extend(self.level(target, first)?);
                    images = rest;
                }
            }
        }
        Ok(faces)
    }

    /// Reads one level from one source: all six faces of a cube map, or all layers of a builtin or a picture.
    fn level(&mut self, target: TextureTarget, source: &ImageSource) -> Result<Vec<Arc<Pixels>>, String> {
        match (target, source) {
            (_, ImageSource::Builtin(_)) => {
                (0..Builtin::images(target)).map(|face| self.one(source, target, face)).collect()
            }
            (_, ImageSource::Asset(name)) if target.is_cube() => ["px", "nx", "py", "ny", "pz", "nz"]
                .into_iter()
                .map(|face| self.one(&ImageSource::Asset(format!("{name}-{face}")), target, 0))
                .collect(),
            (_, ImageSource::File(_)) if target.is_cube() => {
                Err("a cube map from files needs images = [six files: +x, -x, +y, -y, +z, -z]".to_owned())
            }
            (TextureTarget::Array1D, _) => {
                let picture = self.one(source, target, 0)?;
                self.images.take(picture.bytes())?;
                Ok(rows(&picture))
            }
            _ => Ok(vec![self.one(source, target, 0)?]),
        }
    }

    fn one(&mut self, source: &ImageSource, target: TextureTarget, face: u32) -> Result<Arc<Pixels>, String> {
        let place = match source {
            ImageSource::Builtin(_) => Some((target, face)),
            ImageSource::Asset(_) | ImageSource::Values(_) | ImageSource::Store(_) => None,
            ImageSource::File(name) => {
                self.files.extend(self.images.folder.folder().path_of(name));
                None
            }
        };
        let own = self.bytes;
        let check = |bytes: u64| match own + bytes {
            0..=MAX_IMAGE_BYTES => Ok(()),
            _ => Err(format!("the texture's images exceed {} MiB", MAX_IMAGE_BYTES >> 20)),
        };
        let pixels = self.images.get((source.clone(), place), check)?;
        self.bytes += pixels.bytes();
        Ok(pixels)
    }
}

/// The key of `[[texture]]` that names the images of level 0.
pub(super) fn images_key(spec: &TextureSpec) -> &'static str {
    match spec.images.as_slice() {
        [ImageSource::Values(_)] => "values",
        [ImageSource::Store(_)] => "file",
        [_] => "image",
        _ => "images",
    }
}

fn builtin_named(name: &str) -> Result<&'static Builtin, String> {
    builtin::find(name).ok_or_else(|| {
        let names = builtin::BUILTINS.iter().map(|b| b.name);
        let hint = suggest::known(name, names, "built-in textures");
        format!("there is no built-in texture \"{name}\"{hint}")
    })
}

fn builtin_pixels(builtin: &Builtin, target: TextureTarget, face: u32) -> Pixels {
    let size = Builtin::size(target).map(|side| side as usize);
    // Builtin cube faces and cube textures both count rows from t = 0.
    let first_row = t_zero(target);
    Pixels { size, data: Data::U8(builtin.texels(target, face)), first_row }
}

/// The row with t = 0 of a picture: the top row for cube faces (glspec15 3.8.6), the bottom row for all
/// others.
fn t_zero(target: TextureTarget) -> FirstRow {
    if target.is_cube() { FirstRow::Top } else { FirstRow::Bottom }
}

/// The rows of a picture, the bottom row first: the layers of a 1D array (EXT_texture_array 3.8.1).
fn rows(picture: &Pixels) -> Vec<Arc<Pixels>> {
    let [width, height, _] = picture.size;
    let row = |y: usize| picture.data.part(4 * width * y..4 * width * (y + 1));
    let mut rows: Vec<_> = (0..height).map(row).collect();
    if picture.first_row == FirstRow::Top {
        rows.reverse();
    }
    let row = |data| Arc::new(Pixels { size: [width, 1, 1], data, first_row: picture.first_row });
    rows.into_iter().map(row).collect()
}

/// Combines slices into one 3D image, r = 0 first. `None` if they differ in size or depth.
fn stack(slices: &[Arc<Pixels>]) -> Option<Pixels> {
    let mut whole = Pixels::clone(slices.first()?);
    for slice in &slices[1..] {
        if slice.size != slices[0].size || slice.first_row != whole.first_row {
            return None;
        }
        whole.data.append(&slice.data)?;
    }
    whole.size[2] = slices.iter().map(|s| s.size[2]).sum();
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Folder;

    #[test]
    fn images_of_a_texture_have_a_limit_together() {
        let folder = Folder::Bundled("");
        let folder = folder.open();
        let mut images = Images::new(&folder, u64::MAX);
        let source = ImageSource::Builtin("xor".to_owned());
        // A builtin is 256 KiB.
        let mut reader = Reader {
            images: &mut images,
            format: Format::Rgba8,
            files: Vec::new(),
            bytes: MAX_IMAGE_BYTES - (256 << 10),
        };
        assert!(reader.one(&source, TextureTarget::D2, 0).is_ok());
        let fault = reader.one(&source, TextureTarget::D2, 0).unwrap_err();
        assert!(fault.contains("exceed 512 MiB"), "{fault}");
        assert_eq!(images.bytes(), 256 << 10, "kept once");
    }
}
