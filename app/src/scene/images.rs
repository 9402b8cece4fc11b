//! `[[image]]` of `scene.toml`: textures whose texels programs read and write (LOADIM, STOREIM, ATOMIM), on image units and on
//! texture image units.

use super::SceneError;
use super::arrays::{self, Kind};
use super::buffers::{
    ACCESSES, Contents, EachFrame, ElementType, Room, SceneBuffer, check_name, checked_name, named,
};
use super::loader::Loader;
use super::parse::about_file;
use super::read::{Entry, Table};
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
    /// What it is made of.
    pub shape: ImageShape,
    /// The image unit that it is bound to.
    pub unit: Option<ImageUnit>,
    /// Its texture image unit.
    pub lookup: Option<ImageLookup>,
    /// Whether its texels are its own, not those of a buffer or of another image.
    pub is_own: bool,
}

/// The texture image unit where lookups see what an image held when the frame began.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageLookup {
    /// Its number.
    pub unit: u8,
    /// How lookups are filtered.
    pub sampler: Sampler,
    /// Whether the unit has a copy of the image, made before the draw, and not the image.
    pub is_copy: bool,
}

impl SceneImage {
    /// Whether it is what lookups of `target` see on this texture image unit.
    pub fn is_looked_up(&self, unit: u8, target: TextureTarget) -> bool {
        self.lookup.is_some_and(|lookup| lookup.unit == unit) && self.shape.target() == target.image()
    }
}

/// How an image is bound to an image unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageUnit {
    /// Its number.
    pub unit: u8,
    /// The level that is bound.
    pub level: u32,
    /// The layer that is bound; all of them if none is said.
    pub layer: Option<u32>,
    /// What programs may do.
    pub access: Mode,
    /// What texels are.
    pub format: ImageFormat,
}

const KEYS: [&str; 21] = [
    "name",
    "buffer",
    "image",
    "target",
    "format",
    "size",
    "layers",
    "samples",
    "levels",
    "values",
    "file",
    "fill",
    "each_frame",
    "unit",
    "level",
    "layer",
    "access",
    "view",
    "texture",
    "texture_copy",
    "filter",
];

/// Those of images of their own, beside the name.
const OWN_KEYS: [&str; 9] =
    ["target", "size", "layers", "samples", "levels", "values", "file", "fill", "each_frame"];

/// Reads every `[[image]]`; what they hold is added to `buffers`.
pub(super) fn images(
    loader: &Loader<'_>,
    tables: &[Table<'_>],
    buffers: &mut Vec<SceneBuffer>,
) -> Result<Vec<SceneImage>, SceneError> {
    let mut images: Vec<SceneImage> = Vec::new();
    for table in tables {
        table.only(&KEYS)?;
        let (buffer, shape) = texels(loader, table, &images, buffers)?;
        let (unit, lookup) = (unit(table, &shape)?, lookup(table, &shape)?);
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

/// No image is looked up on the unit and target that `key` of `table` gives something else to.
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

/// The image unit of an image that has one.
fn number(image: &SceneImage) -> u8 {
    image.unit.map_or(0, |unit| unit.unit)
}

/// Where the texels are: in a buffer of the scene, in that of another image, or in a new one.
fn texels(
    loader: &Loader<'_>,
    table: &Table<'_>,
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
    let format = format(table, "format")?.unwrap_or(ImageFormat::Rgba8);
    if let Some(entry) = table.get("buffer") {
        excess("buffer", &OWN_KEYS)?;
        let name = entry.string()?;
        let found = named(&entry, name, buffers)?;
        let shape = ImageShape::of_buffer(format, buffers[found].store.len()).ok_or_else(|| {
            entry.error(format!("\"{name}\" is too small for one texel of {}", format.name()))
        })?;
        return Ok((found, shape));
    }
    let shape = shape(table, format)?;
    let room = Room::of(table, buffers)?;
    if let Some(size) = table.get("size") {
        room.check(&size, shape.bytes())?;
    }
    let buffer = new_buffer(loader, table, &shape)?;
    buffers.push(buffer);
    check_name(table, buffers)?;
    Ok((buffers.len() - 1, shape))
}

/// The format that `key` says.
fn format(table: &Table<'_>, key: &str) -> Result<Option<ImageFormat>, SceneError> {
    let Some(entry) = table.get(key) else { return Ok(None) };
    let name = entry.string()?;
    let found = ImageFormat::from_name(name).ok_or_else(|| {
        let names = ImageFormat::ALL.iter().map(|format| format.name());
        let hint = crate::suggest::known(name, names, "formats");
        entry.error(format!("there is no image format \"{name}\"{hint}"))
    })?;
    Ok(Some(found))
}

fn shape(table: &Table<'_>, format: ImageFormat) -> Result<ImageShape, SceneError> {
    let target = match table.get("target") {
        Some(entry) => entry.choice(&ImageAccess::TARGETS.map(|target| (target, target.name())))?,
        None => TextureTarget::D2,
    };
    let Some(entry) = table.get("size") else {
        return Err(table
            .error("the image needs size = [WIDTH, HEIGHT], with one number for each axis of the target"));
    };
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
    let count = |key: &str| match table.get(key) {
        Some(entry) => entry.integer(1..=65536),
        None => Ok(1),
    };
    let (layers, samples, levels) = (count("layers")?, count("samples")?, count("levels")?);
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

/// The buffer of an image of its own.
fn new_buffer(loader: &Loader<'_>, table: &Table<'_>, shape: &ImageShape) -> Result<SceneBuffer, SceneError> {
    let Some(name) = table.get("name") else {
        return Err(table.error("the image needs name = \"NAME\""));
    };
    let name = checked_name(&name)?.to_owned();
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
            let data =
                loader.array(name, Kind::Raw, (raw, shape.bytes()), |error| about_file(entry, error))?;
            path = loader.folder().path_of(name);
            let ArrayData::UnsignedByte(bytes) = data else {
                return Err(entry.error("the file is empty"));
            };
            Store::new(&fitting(entry, bytes.to_vec(), shape)?)
        }
    };
    let each_frame = match table.get("each_frame") {
        Some(entry) => entry.choice(&EachFrame::ALL)?,
        None => EachFrame::default(),
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

/// The bytes of level 0 or of all levels, the rest 0.
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

/// The bits of numbers, in registers.
fn words_of(data: &ArrayData) -> Vec<u32> {
    match data {
        ArrayData::Float(numbers) => numbers.iter().map(|n| n.to_bits()).collect(),
        ArrayData::Int(numbers) => numbers.iter().map(|n| n.cast_unsigned()).collect(),
        ArrayData::UnsignedInt(numbers) => numbers.to_vec(),
        // No kind of an image's numbers.
        _ => Vec::new(),
    }
}

/// All texels with one number in every component.
fn filled(entry: &Entry<'_>, shape: &ImageShape) -> Result<Vec<u8>, SceneError> {
    let format = shape.format();
    let word = words_of(&arrays::single(entry, kind_of(format))?).first().copied().unwrap_or(0);
    let texel = format.encode(format.ty(), &[word.into(); 4]).unwrap_or_default();
    Ok(texel[..format.bytes()].repeat((shape.bytes() / format.bytes() as u64) as usize))
}

/// The texels that `values` lists, component by component.
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
    match format.numbers() {
        Numbers::Floats => Kind::Float,
        Numbers::Signed => Kind::Int,
        Numbers::Unsigned => Kind::UnsignedInt,
    }
}

/// How it is bound to an image unit, if it is.
fn unit(table: &Table<'_>, shape: &ImageShape) -> Result<Option<ImageUnit>, SceneError> {
    let last = limits::IMAGE_UNITS as u32 - 1;
    let Some(entry) = table.get("unit") else {
        let other = ["level", "layer", "access", "view"].into_iter().find(|key| table.get(key).is_some());
        return other.map_or(Ok(None), |key| {
            Err(table.error_at(key, format!("\"{key}\" works only with unit = 0 to {last}")))
        });
    };
    let unit = entry.integer(0..=last)? as u8;
    let level = match table.get("level") {
        Some(entry) => entry.integer(0..=shape.levels().len() as u32 - 1)?,
        None => 0,
    };
    let layer = match table.get("layer") {
        Some(entry) => {
            let depth = shape.levels().get(level as usize).map_or(1, |size| size[2]);
            Some(entry.integer(0..=shape.layers().max(depth) - 1)?)
        }
        None => None,
    };
    let access = match table.get("access") {
        Some(entry) => entry.choice(&ACCESSES)?,
        None => Mode::ReadWrite,
    };
    let format = match format(table, "view")? {
        Some(format) if format.bytes() != shape.format().bytes() => {
            let own = shape.format();
            let words = format!(
                "texels of {} take {}, but texels of {} take {}",
                format.name(),
                format::counted(format.bytes(), "byte"),
                own.name(),
                own.bytes()
            );
            return Err(table.error_at("view", words));
        }
        Some(format) => format,
        None => shape.format(),
    };
    Ok(Some(ImageUnit { unit, level, layer, access, format }))
}

/// The texture image unit where lookups see it, if there is one.
fn lookup(table: &Table<'_>, shape: &ImageShape) -> Result<Option<ImageLookup>, SceneError> {
    let Some(entry) = table.get("texture") else {
        let given = ["filter", "texture_copy"].into_iter().find_map(|key| table.get(key));
        return given.map_or(Ok(None), |given| {
            let words = format!("\"{}\" works only with texture = 0 to 15", given.name);
            Err(given.error(words))
        });
    };
    let unit = entry.integer(0..=IMAGE_UNITS as u32 - 1)? as u8;
    let linear = match table.get("filter") {
        Some(entry) => entry.choice(&[(false, "NEAREST"), (true, "LINEAR")])?,
        None => false,
    };
    let (min_filter, mag_filter) = match (linear, shape.levels().len() > 1) {
        (false, false) => (MinFilter::Nearest, MagFilter::Nearest),
        (false, true) => (MinFilter::NearestMipmapNearest, MagFilter::Nearest),
        (true, false) => (MinFilter::Linear, MagFilter::Linear),
        (true, true) => (MinFilter::LinearMipmapLinear, MagFilter::Linear),
    };
    let wrap = [Wrap::ClampToEdge; 3];
    let sampler = Sampler { min_filter, mag_filter, wrap, ..Sampler::for_target(shape.target()) };
    match Texture::check_image(shape, &sampler) {
        Err(fault) => Err(entry.error(fault.to_string())),
        Ok(Some(why)) => Err(table.error_at("filter", format!("lookups would return 0: {why}"))),
        Ok(None) => {
            let is_copy = table.get("texture_copy").map_or(Ok(false), |entry| entry.boolean())?;
            Ok(Some(ImageLookup { unit, sampler, is_copy }))
        }
    }
}
