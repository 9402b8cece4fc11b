//! `[[image]]` of `scene.toml`: textures with texels that programs read and write (LOADIM, STOREIM, ATOMIM),
//! on image units and on texture image units.

use super::arrays::{self, Kind, VALUES};
use super::buffers::{
    ACCESSES, Contents, EachFrame, ElementType, Name, Room, SceneBuffer, check_name, named,
};
use super::loader::Loader;
use super::parse::about_file;
use super::read::{Entry, Table};
use super::schema::{Flag, Kind as _, Listed, Named, Number, OneOf, Raw, Schema, Shape, Text, Whole, schema};
use super::write::CONTENTS;
use super::{SceneError, Setting};
use crate::format;
use shadestep_engine::ir::{IMAGE_UNITS, ImageAccess, TextureTarget, limits};
use shadestep_engine::memory::{Mode, Store};
use shadestep_engine::pipeline::ArrayData;
use shadestep_engine::texture::{ImageFormat, ImageShape, ImageSpec, ShapeError};
use shadestep_engine::texture::{MagFilter, MinFilter, Numbers, Sampler, Texture, Wrap};
use std::sync::Arc;

/// A texture that programs write.
#[derive(Clone, Debug)]
pub struct SceneImage {
    /// The number of the buffer that holds its texels.
    pub buffer: usize,
    /// Target, format, sizes and levels.
    pub shape: ImageShape,
    /// The image unit, if the image is bound to one.
    pub unit: Option<ImageUnit>,
    /// The texture image unit, if lookups see the image.
    pub lookup: Option<ImageLookup>,
    /// Whether the image has texels of its own, and does not use those of a buffer or another image.
    pub is_own: bool,
}

/// The texture image unit of an image. Lookups there see the texels from the start of the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageLookup {
    pub unit: u8,
    /// The sampler state.
    pub sampler: Sampler,
    /// Whether the unit has a copy of the image, made before the draw, and not the image itself.
    pub is_copy: bool,
}

impl SceneImage {
    /// Whether lookups of `target` on this texture image unit see the image.
    pub fn is_looked_up(&self, unit: u8, target: TextureTarget) -> bool {
        self.lookup.is_some_and(|lookup| lookup.unit == unit) && self.shape.target() == target.image()
    }
}

/// How an image is bound to an image unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageUnit {
    pub unit: u8,
    /// The level that is bound.
    pub level: u32,
    /// The layer that is bound. `None` binds all layers.
    pub layer: Option<u32>,
    /// The accesses that programs may make.
    pub access: Mode,
    /// The format of the texels.
    pub format: ImageFormat,
}

/// The keys of an `[[image]]`. The shape determines the levels and layers that exist.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageKeys {
    /// The name. References to the image change with it.
    pub name: Option<String>,
    pub target: TextureTarget,
    pub format: ImageFormat,
    /// Width, height and depth. Axes that the target does not have are 1.
    pub size: [u32; 3],
    pub layers: Option<u32>,
    pub contents: Contents,
    pub each_frame: EachFrame,
    /// The image unit.
    pub unit: Option<u8>,
    pub access: Mode,
    pub view: Option<ImageFormat>,
    /// The texture image unit.
    pub texture: Option<u8>,
    /// The filter of lookups.
    pub filter: MagFilter,
    pub texture_copy: bool,
}

impl ImageKeys {
    const INITIAL: Self = Self {
        name: None,
        target: TextureTarget::D2,
        format: ImageFormat::Rgba8,
        size: [1; 3],
        layers: None,
        contents: Contents::Unwritten,
        each_frame: EachFrame::Reset,
        unit: None,
        access: Mode::ReadWrite,
        view: None,
        texture: None,
        filter: MagFilter::Nearest,
        texture_copy: false,
    };

    /// Returns the first key that differs from `old`, as a change.
    pub fn since(self, old: &Self) -> Option<Setting<Self>> {
        let contents = (self.contents != old.contents).then_some(CONTENTS);
        let size = (self.size != old.size).then_some("size");
        let key = contents.or(size).or_else(|| IMAGE.changed(old, &self))?;
        Some(Setting { key, keys: Box::new(self) })
    }
}

impl SceneImage {
    /// The keys that make the image, which has its texels in `buffer`.
    pub fn keys(&self, buffer: &SceneBuffer) -> ImageKeys {
        let (target, format) = (self.shape.target(), self.shape.format());
        let mut keys = ImageKeys {
            name: Some(buffer.name.clone()),
            target,
            format,
            size: self.shape.levels().first().copied().unwrap_or([1; 3]),
            layers: Some(self.shape.layers() / target.faces() as u32),
            contents: buffer.contents.clone(),
            each_frame: buffer.each_frame,
            ..ImageKeys::INITIAL
        };
        if let Some(unit) = self.unit {
            (keys.unit, keys.access) = (Some(unit.unit), unit.access);
            keys.view = (unit.format != format).then_some(unit.format);
        }
        if let Some(lookup) = self.lookup {
            (keys.texture, keys.texture_copy) = (Some(lookup.unit), lookup.is_copy);
            keys.filter = lookup.sampler.mag_filter;
        }
        keys
    }
}

const FORMAT: Listed<ImageFormat> = Listed {
    all: &ImageFormat::ALL,
    name: ImageFormat::name,
    find: ImageFormat::from_name,
    what: "image format",
};
const COUNT: Whole<u32> = Whole::new(1, 65536);
const UNIT: (&str, &str) = ("unit", "unit = 0 to 7");
const TEXTURE: (&str, &str) = ("texture", "texture = 0 to 15");

/// `[[image]]`.
pub(super) static IMAGE: Schema<ImageKeys> = schema! { ImageKeys, "in [[image]]";
    "name": Name, [some name], "none", "As for a buffer. Needed without `image` and `buffer`.";
    "target": Named(&ImageAccess::TARGETS, TextureTarget::name), [target], "`\"2D\"`", "Texture target.";
    "format": FORMAT, [format], "`\"RGBA8\"`",
        "A format of EXT_shader_image_load_store, such as `R32UI`, `RGBA16F`, `RG8_SNORM`.";
    "size": SIZE, [-], "none",
        "Size of level 0, one number for each axis. Needed without `image` and `buffer`.";
    "layers": COUNT, [some layers], "`1`", "Layers of array targets.";
    "levels": COUNT, [-], "`1`", "Mip levels.";
    "samples": COUNT, [-], "`1`", "1, 2, 4, 8 or 16, for 2DMS and ARRAY2DMS.";
    "fill": Number::Any, [-], "undefined", "This number fills every component.";
    "values": VALUES, [-], "undefined", "The texels.";
    "file": Text("file"), [-], "undefined", "The texels as bytes.";
    "each_frame": OneOf(&EachFrame::NAMED), [each_frame], "`\"reset\"`",
        "`\"keep\"` starts a frame with the result of the last one.";
    "image": Text("text"), [-], "none", "Puts an earlier `[[image]]` on another unit.";
    "buffer": Text("text"), [-], "none", "Makes a BUFFER image of a `[[buffer]]`.";
    "unit": Whole::<u8>::new(0, limits::IMAGE_UNITS as u32 - 1), [some unit], "none",
        "Image unit for LOADIM, STOREIM and ATOMIM.";
    "level": Whole::<u32>::new(0, u32::MAX), [-], "`0`", "Level on the image unit.", with UNIT;
    "layer": Whole::<u32>::new(0, u32::MAX), [-], "all", "One layer on the image unit.", with UNIT;
    "access": OneOf(&ACCESSES), [access], "`\"READ_WRITE\"`",
        "The access of programs through the image unit.", with UNIT;
    "view": FORMAT, [some view], "`format`",
        "Another format of the same texel size on the image unit.", with UNIT;
    "texture": Whole::<u8>::new(0, IMAGE_UNITS as u32 - 1), [some texture], "none",
        "Texture image unit for lookups.";
    "filter": OneOf(&MagFilter::NAMED), [filter], "`\"NEAREST\"`", "Filter of lookups.", with TEXTURE;
    "texture_copy": Flag, [texture_copy], "`false`",
        "Lookups read a copy made before the draw.", with TEXTURE;
};

/// The keys of images with texels of their own, without the name.
const OWN_KEYS: [&str; 9] =
    ["target", "size", "layers", "samples", "levels", "values", "file", "fill", "each_frame"];

/// Reads every `[[image]]`, and adds the texels to `buffers`.
pub(super) fn images(
    loader: &Loader<'_>,
    tables: &[Table<'_>],
    buffers: &mut Vec<SceneBuffer>,
) -> Result<Vec<SceneImage>, SceneError> {
    let mut images: Vec<SceneImage> = Vec::new();
    for table in tables {
        let mut given = ImageKeys::INITIAL;
        IMAGE.read(table, &mut given)?;
        let (buffer, shape) = texels(loader, (table, &given), &images, buffers)?;
        let (unit, lookup) = (given.unit(table, &shape)?, given.lookup(table, &shape)?);
        let is_own = table.get("buffer").is_none() && table.get("image").is_none();
        let image = SceneImage { buffer, unit, lookup, shape, is_own };
        if let (None, None) = (image.unit, image.lookup) {
            let words = "the image is not used: add unit = 0 to 7 for LOADIM, STOREIM and ATOMIM, or texture = 0 to 15 for lookups";
            return Err(table.error(words));
        }
        let same_unit = |other: &SceneImage| {
            image.unit.is_some_and(|own| other.unit.is_some_and(|unit| unit.unit == own.unit))
        };
        if let Some(other) = images.iter().find(|other| same_unit(other)) {
            let words =
                format!("image unit {} already has \"{}\"", number(other), buffers[other.buffer].name);
            return Err(table.error_at("unit", words));
        }
        if let Some(lookup) = image.lookup {
            apart(table, "texture", (lookup.unit, image.shape.target()), (&images, buffers))?;
        }
        images.push(image);
    }
    Ok(images)
}

/// Checks that no image is bound to the unit and target that `key` of `table` uses.
pub(super) fn apart(
    table: &Table<'_>,
    key: &str,
    (unit, target): (u8, TextureTarget),
    (images, buffers): (&[SceneImage], &[SceneBuffer]),
) -> Result<(), SceneError> {
    let Some(image) = images.iter().find(|image| image.is_looked_up(unit, target)) else { return Ok(()) };
    let (target, name) = (target.name(), &buffers[image.buffer].name);
    Err(table.error_at(key, format!("unit {unit} already has the {target} image \"{name}\"")))
}

/// Returns the image unit, or 0 if the image has none.
fn number(image: &SceneImage) -> u8 {
    image.unit.map_or(0, |unit| unit.unit)
}

/// Returns the number of the buffer with the texels: a buffer of the scene, the buffer of another image, or a
/// new one.
fn texels(
    loader: &Loader<'_>,
    (table, given): (&Table<'_>, &ImageKeys),
    images: &[SceneImage],
    buffers: &mut Vec<SceneBuffer>,
) -> Result<(usize, ImageShape), SceneError> {
    let excess = |key: &str, keys: &[&str]| {
        let why = match key {
            "image" => "this image takes its texels from another image",
            _ => "this image takes its texels from a buffer",
        };
        let other = keys.iter().find(|other| table.get(other).is_some());
        other.map_or(Ok(()), |other| {
            let words = format!("\"{other}\" cannot be combined with \"{key}\": {why}");
            Err(table.error_at(other, words))
        })
    };
    if let Some(entry) = table.get("image") {
        excess("image", &["name", "buffer", "format"])?;
        excess("image", &OWN_KEYS)?;
        let name = entry.string()?;
        let found = images.iter().find(|image| buffers[image.buffer].name == name);
        let names = images.iter().map(|image| buffers[image.buffer].name.as_str());
        let found = found.ok_or_else(|| {
            let hint = crate::suggest::known(name, names, "earlier images");
            entry.error(format!("there is no image \"{name}\" before this one{hint}"))
        })?;
        return Ok((found.buffer, found.shape.clone()));
    }
    let format = given.format;
    if let Some(entry) = table.get("buffer") {
        excess("buffer", &OWN_KEYS)?;
        let name = entry.string()?;
        let found = named(name, buffers, |words| entry.error(words))?;
        let shape = ImageShape::of_buffer(format, buffers[found].store.len()).ok_or_else(|| {
            entry.error(format!("\"{name}\" is too small for one texel of {}", format.name()))
        })?;
        return Ok((found, shape));
    }
    let shape = given.shape(table)?;
    let room = Room::of(table, buffers)?;
    if let Some(size) = table.get("size") {
        room.check(&size, shape.bytes())?;
    }
    let buffer = new_buffer(loader, (table, given), &shape)?;
    buffers.push(buffer);
    check_name(table, buffers)?;
    Ok((buffers.len() - 1, shape))
}

const SIZE: Raw = Raw(|| Shape::Whole(1, ImageShape::MOST_BYTES as i64).or_array(1, 3).called("integers"));

/// Makes the buffer of an image with texels of its own.
fn new_buffer(
    loader: &Loader<'_>,
    (table, given): (&Table<'_>, &ImageKeys),
    shape: &ImageShape,
) -> Result<SceneBuffer, SceneError> {
    let Some(name) = given.name.clone() else {
        return Err(table.error("the image needs name = \"NAME\""));
    };
    let each_frame = given.each_frame;
    let given: Vec<Entry<'_>> =
        ["values", "file", "fill"].into_iter().filter_map(|key| table.get(key)).collect();
    let mut path = None;
    let store = match given.as_slice() {
        [] => Store::unwritten(shape.bytes()),
        [_, second, ..] => {
            let words = "an image needs exactly one of values = [numbers], file = \"FILE\" and fill = NUMBER";
            return Err(second.error(words));
        }
        [entry] if entry.name == "values" => Store::new(&texel_bytes(entry, shape)?),
        [entry] if entry.name == "fill" => Store::new(&filled(entry, shape)?),
        [entry] => {
            let name = entry.string()?;
            let raw = |bytes: &[u8]| Ok(ArrayData::UnsignedByte(bytes.into()));
            let data = loader.array(name, None, (raw, shape.bytes()), |error| about_file(entry, error))?;
            path = loader.folder().path_of(name);
            let ArrayData::UnsignedByte(bytes) = data else {
                return Err(entry.error("the file is empty"));
            };
            Store::new(&fitting(entry, bytes.to_vec(), shape)?)
        }
    };
    let element = match (shape.format().numbers(), shape.format().bytes() / shape.format().count()) {
        (Numbers::Floats, 4) => ElementType::Float,
        (Numbers::Signed, 4) => ElementType::Int,
        (Numbers::Unsigned, 4) => ElementType::UnsignedInt,
        (Numbers::Signed, 2) => ElementType::Short,
        _ => ElementType::UnsignedByte,
    };
    let (store, access) = (Arc::new(store), Mode::ReadWrite);
    let (bound, resident) = (Vec::new(), false);
    Ok(SceneBuffer {
        name,
        element,
        store,
        access,
        resident,
        bound,
        each_frame,
        contents: Contents::of(table)?,
        file: path,
    })
}

/// Pads the bytes of level 0 with zeros to the size of all levels. Bytes of all levels are returned
/// unchanged.
fn fitting(entry: &Entry<'_>, mut bytes: Vec<u8>, shape: &ImageShape) -> Result<Vec<u8>, SceneError> {
    let (all, first) = (shape.bytes(), shape.level_bytes_of(0));
    let length = bytes.len() as u64;
    if length != all && length != first {
        let or = if all == first { String::new() } else { format!(", or {all} with all levels") };
        return Err(entry.error({
            let found = format::counted(bytes.len(), "byte");
            format!("found {found}; the image needs {first}{or}")
        }));
    }
    bytes.resize(all as usize, 0);
    Ok(bytes)
}

/// Returns the numbers as register bits.
fn words_of(data: &ArrayData) -> Vec<u32> {
    match data {
        ArrayData::Float(numbers) => numbers.iter().map(|n| n.to_bits()).collect(),
        ArrayData::Int(numbers) => numbers.iter().map(|n| n.cast_unsigned()).collect(),
        ArrayData::UnsignedInt(numbers) => numbers.to_vec(),
        // Images have no other types.
        _ => Vec::new(),
    }
}

/// Returns the bytes of all texels, with one number in every component.
fn filled(entry: &Entry<'_>, shape: &ImageShape) -> Result<Vec<u8>, SceneError> {
    let format = shape.format();
    let word = words_of(&arrays::single(entry, kind_of(format))?).first().copied().unwrap_or(0);
    let texel = format.encode(format.ty(), &[word.into(); 4]).unwrap_or_default();
    Ok(texel[..format.bytes()].repeat((shape.bytes() / format.bytes() as u64) as usize))
}

/// Returns the bytes of the texels that `values` lists, component by component.
fn texel_bytes(entry: &Entry<'_>, shape: &ImageShape) -> Result<Vec<u8>, SceneError> {
    let format = shape.format();
    let (count, ty) = (format.count(), format.ty());
    let words = words_of(&arrays::inline(entry, kind_of(format))?);
    let mut bytes = Vec::with_capacity(shape.bytes() as usize);
    for texel in words.chunks(count) {
        let mut components = [0; 4];
        components.iter_mut().zip(texel).for_each(|(component, &word)| *component = word.into());
        let encoded = format.encode(ty, &components).unwrap_or_default();
        bytes.extend(&encoded[..format.bytes()]);
    }
    let texels = shape.level_bytes_of(0) / format.bytes() as u64;
    if !words.len().is_multiple_of(count) || (bytes.len() as u64) < texels * format.bytes() as u64 {
        let each = if count == 1 { String::new() } else { format!(" of {count} numbers each") };
        let words = format!(
            "found {}; the image has {}{each}",
            format::counted(words.len(), "number"),
            format::counted(texels as usize, "texel")
        );
        return Err(entry.error(words));
    }
    fitting(entry, bytes, shape)
}

const fn kind_of(format: ImageFormat) -> Kind {
    let element = match format.numbers() {
        Numbers::Floats => ElementType::Float,
        Numbers::Signed => ElementType::Int,
        Numbers::Unsigned => ElementType::UnsignedInt,
    };
    element.kind()
}

impl ImageKeys {
    fn shape(&self, table: &Table<'_>) -> Result<ImageShape, SceneError> {
        let (target, format) = (self.target, self.format);
        let words = "the image needs size = [WIDTH, HEIGHT], with one number for each axis of the target";
        let entry = table.needed("size", words, |entry| Ok(entry.clone()))?;
        let axes = target.axes();
        let mut size = [1; 3];
        let most = ImageShape::MOST_BYTES as u32;
        if axes == 1 && entry.value.as_integer().is_some() {
            size[0] = entry.integer(1..=most)?;
        } else {
            let words = ["[WIDTH]", "[WIDTH, HEIGHT]", "[WIDTH, HEIGHT, DEPTH]"][axes - 1];
            for (side, given) in size.iter_mut().zip(entry.array(axes..=axes, words)?) {
                *side = entry.integer_of(given, &(1..=most))?;
            }
        }
        let count = |key: &str| table.get(key).map_or(Ok(1), |entry| COUNT.read(&entry));
        let (layers, samples, levels) = (self.layers.unwrap_or(1), count("samples")?, count("levels")?);
        ImageShape::new(ImageSpec { target, format, size, layers, samples, levels }).map_err(|fault| {
            let key = match fault {
                ShapeError::Target => "target",
                ShapeError::Size | ShapeError::Bytes => "size",
                ShapeError::Layers => "layers",
                ShapeError::Samples => "samples",
                ShapeError::Levels => "levels",
            };
            table.error_at(key, format!("{}: {fault}", target.name()))
        })
    }

    /// Returns the binding to an image unit, if the text has one.
    fn unit(&self, table: &Table<'_>, shape: &ImageShape) -> Result<Option<ImageUnit>, SceneError> {
        let Some(unit) = self.unit else { return Ok(None) };
        let most = shape.levels().len() as u32 - 1;
        let level = table.read("level", |entry| entry.integer(0..=most))?.unwrap_or(0);
        let depth = || shape.levels().get(level as usize).map_or(1, |size| size[2]);
        let (format, own) = (self.view.unwrap_or(shape.format()), shape.format());
        if format.bytes() != own.bytes() {
            let words = format!(
                "texels of {} take {}, but texels of {} take {}",
                format.name(),
                format::counted(format.bytes(), "byte"),
                own.name(),
                own.bytes()
            );
            return Err(table.error_at("view", words));
        }
        let layer = table.read("layer", |entry| entry.integer(0..=shape.layers().max(depth()) - 1))?;
        Ok(Some(ImageUnit { unit, level, layer, access: self.access, format }))
    }

    /// Returns the binding to a texture image unit, if the text has one.
    fn lookup(&self, table: &Table<'_>, shape: &ImageShape) -> Result<Option<ImageLookup>, SceneError> {
        let Some(unit) = self.texture else { return Ok(None) };
        let mag_filter = self.filter;
        let min_filter = match (mag_filter, shape.levels().len() > 1) {
            (MagFilter::Nearest, false) => MinFilter::Nearest,
            (MagFilter::Nearest, true) => MinFilter::NearestMipmapNearest,
            (MagFilter::Linear, false) => MinFilter::Linear,
            (MagFilter::Linear, true) => MinFilter::LinearMipmapLinear,
        };
        let wrap = [Wrap::ClampToEdge; 3];
        let sampler = Sampler { min_filter, mag_filter, wrap, ..Sampler::for_target(shape.target()) };
        match Texture::check_image(shape, &sampler) {
            Err(fault) => Err(table.error_at("texture", fault.to_string())),
            Ok(Some(why)) => Err(table.error_at("filter", format!("lookups would return 0: {why}"))),
            Ok(None) => Ok(Some(ImageLookup { unit, sampler, is_copy: self.texture_copy })),
        }
    }
}
