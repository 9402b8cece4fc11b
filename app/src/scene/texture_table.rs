//! `[[texture]]` of `scene.toml`. `texture` has the types.

use super::arrays::VALUES;
use super::loader::Loader;
use super::read::{Entry, Table};
use super::schema::{Floats, Kind, Listed, Named, Number, OneOf, Schema, Shape, Text, Whole, schema};
use super::texel_values::{SIZES, TexelValues};
use super::texture::{COMPARISONS, MAX_SCENE_IMAGE_BYTES, MAX_SCENE_TEXTURE_BYTES, texel_bytes};
use super::write::values::list;
use super::{ImageSource, Mipmaps, SceneError, SceneTexture, TextureSpec};
use shadestep_engine::ir::{IMAGE_UNITS, Swizzle, TextureTarget};
use shadestep_engine::texture::{CubeEdges, DepthMode, Format, MagFilter, MinFilter, Wrap};
use std::sync::Arc;
use toml_edit::Value;

/// Reads every `[[texture]]`.
pub(super) fn textures(loader: &Loader<'_>, tables: &[Table<'_>]) -> Result<Vec<SceneTexture>, SceneError> {
    within(loader, tables, &MostBytes::SCENE)
}

/// Warns of incomplete textures, each at the key to change.
pub(super) fn warnings(tables: &[Table<'_>], textures: &[SceneTexture]) -> Vec<SceneError> {
    let faults = tables.iter().zip(textures).filter_map(|(table, texture)| Some((table, texture.warning()?)));
    faults.map(|(table, fault)| table.error_at(fault.key, fault.message)).collect()
}

/// Reads the textures within the limits in `most`.
fn within(
    loader: &Loader<'_>,
    tables: &[Table<'_>],
    most: &MostBytes,
) -> Result<Vec<SceneTexture>, SceneError> {
    let mut textures: Vec<SceneTexture> = Vec::with_capacity(tables.len());
    let mut images = loader.images(most.images);
    for table in tables {
        let spec = texture_spec(table)?;
        let taken = |t: &SceneTexture| (t.spec().unit, t.spec().target) == (spec.unit, spec.target);
        if textures.iter().any(taken) {
            let (unit, article, target) = (spec.unit, spec.target.article(), spec.target.name());
            let words = format!("unit {unit} already has {article} {target} texture");
            return Err(table.error_at("unit", words));
        }
        let loaded = loader.texture(&mut images, &textures, spec);
        textures.push(loaded.map_err(|fault| table.error_at(fault.key, fault.message))?);
        if texel_bytes(&textures) > most.texels {
            let most = most.texels >> 20;
            return Err(table.error(format!("the scene's textures would exceed {most} MiB")));
        }
    }
    Ok(textures)
}

/// Limits on the memory of a scene's textures, in bytes.
struct MostBytes {
    /// Decoded images.
    images: u64,
    /// Texels of all levels.
    texels: u64,
}

impl MostBytes {
    const SCENE: Self = Self { images: MAX_SCENE_IMAGE_BYTES, texels: MAX_SCENE_TEXTURE_BYTES };
}

/// `[[texture]]`. The target and the format set the defaults of the keys after them.
pub(super) static TEXTURE: Schema<TextureSpec> = schema! { TextureSpec, "in [[texture]]";
    "unit": Whole::<u8>::new(0, IMAGE_UNITS as u32 - 1), [unit], needs "the texture needs unit = 0 to 15",
        "Texture image unit.";
    "target": Named(&TextureTarget::TEXTURES, TextureTarget::name), [
        |t| Some(t.target),
        |t, target| *t = TextureSpec::new(t.unit, target, ImageSource::Builtin("xor".to_owned()))
    ], "`\"2D\"`", "Texture target.";
    "image": Text("text"), [-], "none", "A PNG or JPEG file, `\"asset:NAME\"` or `\"builtin:NAME\"`.";
    "images": IMAGES, [-], "none", "Several images, for targets that need them. See [Images](#images).";
    "values": VALUES, [-], "none", "The texels. See [Texels as numbers](#texels-as-numbers).";
    "size": SIZES, [-], "from `values` for 1D and BUFFER",
        "Size of `values`: width and height, then depth, samples or layers where the target has them.",
        with ("values", "values");
    "file": Text("file"), [-], "none", "Bytes of a BUFFER texture, least significant byte first.";
    "format": FORMAT, [
        |t| Some(t.format),
        |t, format| *t = t.clone().in_format(format)
    ], "`\"RGBA8\"`", "Internal format. See [Formats](#formats).";
    "min_filter": OneOf(&MinFilter::NAMED), [sampler.min_filter], "`\"LINEAR_MIPMAP_LINEAR\"`",
        "Filter for textures that look smaller.";
    "mag_filter": OneOf(&MagFilter::NAMED), [sampler.mag_filter], "`\"LINEAR\"`",
        "Filter for textures that look larger.";
    "wrap": Wraps, [
        |t| Some(t.sampler.wrap.to_vec()),
        |t, modes| t.sampler.wrap[..modes.len()].copy_from_slice(&modes)
    ], "`\"REPEAT\"`", "Wrap modes of s, t and r.";
    "cube_edges": OneOf(&CubeEdges::NAMED), [sampler.cube_edges], "`\"WRAPPED\"`",
        "`SEAMLESS` filters CUBE across the edges of its faces.";
    "swizzle": Letters, [sampler.swizzle], "`\"RGBA\"`", "Components of a lookup, such as `\"RRR1\"`.";
    "border": Floats::<4>(Number::Any), [border], "`[0, 0, 0, 0]`",
        "Border colour. Integer formats take whole numbers.";
    "anisotropy": Number::Any, [sampler.max_anisotropy], "`1`",
        "Largest degree of anisotropic filtering, from 1. Values above 16 act as 16.";
    "lod_bias": Number::Any, [sampler.lod_bias], "`0`", "Added to the level of detail.";
    "min_lod": Number::Any, [sampler.min_lod], "`-1000`", "Lower bound of the level of detail.";
    "max_lod": Number::Any, [sampler.max_lod], "`1000`", "Upper bound of the level of detail.";
    "base_level": Whole::<u32>::new(0, 1000), [sampler.base_level], "`0`", "Lowest mip level that lookups use.";
    "max_level": Whole::<u32>::new(0, 1000), [sampler.max_level], "`1000`", "Highest mip level that lookups use.";
    "mipmaps": OneOf(&MODES), [-], "`\"generate\"`",
        "`\"generate\"` makes the levels from level 0, `\"none\"` has level 0 only, `\"given\"` takes `levels`.";
    "levels": LEVELS, [-], "none", "One image for each mip level, level 0 first. Replaces `image`.";
    "depth_mode": OneOf(&DepthMode::NAMED), [sampler.depth_mode], "`\"LUMINANCE\"`", "How lookups return depths.";
    "compare": OneOf(&COMPARISONS), [sampler.compare], "`\"NONE\"`", "How SHADOW targets compare r with a depth.";
};

const FORMAT: Listed<Format> =
    Listed { all: Format::ALL, name: Format::name, find: Format::from_name, what: "texture format" };

/// The keys for the image of level 0, of which a texture has one.
const IMAGE_KEYS: [&str; 4] = ["image", "images", "values", "file"];

fn texture_spec(table: &Table<'_>) -> Result<TextureSpec, SceneError> {
    let mut spec = TextureSpec::new(0, TextureTarget::D2, ImageSource::Builtin("xor".to_owned()));
    TEXTURE.read(table, &mut spec)?;
    images(table, &mut spec)?;
    Ok(spec)
}

/// Reads [`IMAGE_KEYS`], `mipmaps` and `levels`, which depend on each other.
fn images(table: &Table<'_>, spec: &mut TextureSpec) -> Result<(), SceneError> {
    let mode = table.read("mipmaps", |entry| entry.choice(&MODES))?;
    let levels = table.read("levels", |entry| LEVELS.read(entry))?;
    match (mode, levels) {
        (Some(Mode::Given) | None, Some(levels)) => {
            if let Some(other) = IMAGE_KEYS.into_iter().find_map(|key| table.get(key)) {
                return Err(other.error("a texture can have \"levels\" or an image, not both"));
            }
            spec.mipmaps = Mipmaps::Given(levels);
            return Ok(());
        }
        (Some(Mode::Given), None) => {
            return Err(table.error_at("mipmaps", "mipmaps = \"given\" needs levels = [images]"));
        }
        (Some(Mode::Generate | Mode::None), Some(_)) => {
            return Err(table.error_at("levels", "\"levels\" works only with mipmaps = \"given\""));
        }
        (Some(Mode::Generate), None) => spec.mipmaps = Mipmaps::Generate,
        (Some(Mode::None), None) => spec.mipmaps = Mipmaps::None,
        (None, None) => {}
    }
    let mut given = IMAGE_KEYS.into_iter().filter_map(|key| table.get(key));
    let Some(image) = given.next() else {
        return Err(table.error("the texture needs image = \"FILE\", \"asset:NAME\" or \"builtin:NAME\""));
    };
    if let Some(other) = given.next() {
        let (one, other_name) = (image.name, other.name);
        return Err(other.error(format!("a texture can have \"{one}\" or \"{other_name}\", not both")));
    }
    spec.images = match image.name {
        "image" => vec![ImageSource::parse(image.string()?)],
        "images" => IMAGES.read(&image)?,
        "values" => {
            vec![ImageSource::Values(Arc::new(TexelValues::read(table, &image, (spec.target, spec.format))?))]
        }
        _ if spec.target == TextureTarget::Buffer => vec![ImageSource::Store(image.string()?.to_owned())],
        _ => {
            return Err(image.error("\"file\" is for BUFFER textures; other targets take image = \"FILE\""));
        }
    };
    Ok(())
}

/// The values of `mipmaps`.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Generate,
    None,
    Given,
}

const MODES: [(Mode, &str); 3] = [(Mode::Generate, "generate"), (Mode::None, "none"), (Mode::Given, "given")];

/// Image names in brackets: the limit on their number, and a description for messages.
struct Names(usize, &'static str);

const IMAGES: Names = Names(16384, "image names in brackets");
const LEVELS: Names = Names(15, "image names in brackets, level 0 first");

impl Kind for Names {
    type Value = Vec<ImageSource>;

    fn read(&self, entry: &Entry<'_>) -> Result<Vec<ImageSource>, SceneError> {
        Ok(entry.strings(1..=self.0, self.1)?.into_iter().map(ImageSource::parse).collect())
    }

    fn shape(&self) -> Shape {
        Shape::Text("text").array(1, self.0).called("texts")
    }
}

/// One mode for all axes, or a mode for each of one to three axes. The value has the modes of the axes that
/// are given.
struct Wraps;

impl Kind for Wraps {
    type Value = Vec<Wrap>;

    fn read(&self, entry: &Entry<'_>) -> Result<Vec<Wrap>, SceneError> {
        if let Some(all) = entry.value.as_str() {
            return Ok(vec![entry.choice_of(all, &Wrap::NAMED)?; 3]);
        }
        let modes = entry.strings(1..=3, "1 to 3 wrap modes in brackets")?;
        modes.into_iter().map(|mode| entry.choice_of(mode, &Wrap::NAMED)).collect()
    }

    fn write(&self, modes: &Vec<Wrap>) -> Option<Value> {
        let first = modes.first()?;
        Some(match modes.iter().all(|mode| mode == first) {
            true => first.name().into(),
            false => list(modes.iter().map(|mode| mode.name().into())),
        })
    }

    fn shape(&self) -> Shape {
        OneOf(&Wrap::NAMED).shape().or_array(1, 3)
    }
}

/// Four of [`LETTERS`].
struct Letters;

const LETTERS: &str = "RGBA01";

impl Kind for Letters {
    type Value = Swizzle;

    fn read(&self, entry: &Entry<'_>) -> Result<Swizzle, SceneError> {
        let letters = entry.string()?;
        let selector = |letter| LETTERS.find(letter).and_then(|place| u8::try_from(place).ok());
        let found: Option<Vec<u8>> = letters.chars().map(selector).collect();
        found.and_then(|found| found.try_into().ok()).map(Swizzle).ok_or_else(|| {
            let words = "\"swizzle\" needs four of R, G, B, A, 0 and 1, such as \"RRR1\"";
            entry.error(format!("{words}; found \"{letters}\""))
        })
    }

    fn write(&self, swizzle: &Swizzle) -> Option<Value> {
        let letters = swizzle.0.iter().filter_map(|&place| LETTERS.chars().nth(place.into()));
        Some(letters.collect::<String>().into())
    }

    fn shape(&self) -> Shape {
        Shape::Text("text").called("four of `R`, `G`, `B`, `A`, `0`, `1`")
    }
}

#[cfg(test)]
mod tests {
    use super::super::Folder;
    use super::super::loader::{Known, Reach};
    use super::super::read::TomlFile;
    use super::*;
    use toml::de::DeTable;

    /// The error of the last texture of `text`. The textures before it are within `most`.
    #[track_caller]
    fn last_is_too_much(text: &str, most: &MostBytes) -> SceneError {
        let source = TomlFile::new("scene.toml".to_owned(), text);
        let parsed = DeTable::parse(text).unwrap();
        let root = Table::new(&source, parsed.get_ref(), 0..0, "at the top of the file");
        let tables = root.get("texture").unwrap().tables("in [[texture]]").unwrap();
        let folder = Folder::Bundled("");
        let open = folder.open();
        let loader = Loader::new(&open, Known::default(), Reach::Files);
        let before = tables.len() - 1;
        assert_eq!(within(&loader, &tables[..before], most).unwrap().len(), before);
        within(&loader, &tables, most).unwrap_err()
    }

    #[test]
    fn images_have_a_limit_together() {
        // Each image takes 256 KiB; an image that is used again takes nothing.
        let images = ["xor", "xor", "checker", "noise", "normals", "white"];
        let text: String = (0..)
            .zip(images)
            .map(|(unit, image)| format!("[[texture]]\nunit = {unit}\nimage = \"builtin:{image}\"\n"))
            .collect();
        let error = last_is_too_much(&text, &MostBytes { images: 1 << 20, ..MostBytes::SCENE });
        assert_eq!(error.place.map(|place| place.line), Some(18));
        assert!(error.message.contains("exceed 1 MiB"), "{}", error.message);
    }

    #[test]
    fn texels_have_a_limit_together() {
        // Each texture takes 256 x 256 x 16 bytes = 1 MiB; a texture with the same images takes nothing.
        let text: String = (0..)
            .zip(["xor", "xor", "xor", "checker", "noise"])
            .map(|(unit, image)| {
                format!(
                    "[[texture]]\nunit = {unit}\ntarget = \"RECT\"\nformat = \"FLOAT_RGBA32\"\nmag_filter = \"NEAREST\"\nmin_filter = \"NEAREST\"\nimage = \"builtin:{image}\"\n"
                )
            })
            .collect();
        let error = last_is_too_much(&text, &MostBytes { texels: 2 << 20, ..MostBytes::SCENE });
        assert_eq!(error.place.map(|place| place.line), Some(29));
        assert!(error.message.contains("would exceed 2 MiB"), "{}", error.message);
    }
}
