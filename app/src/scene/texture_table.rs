//! `[[texture]]` of `scene.toml`.

use super::loader::Loader;
use super::read::{Entry, Table};
use super::texel_values::TexelValues;
use super::texture::{
    MAX_SCENE_IMAGE_BYTES, MAX_SCENE_TEXTURE_BYTES, TextureFault, format_named, texel_bytes,
};
use super::{ImageSource, Mipmaps, SceneError, SceneTexture, TextureSpec};
use shadestep_engine::ir::{IMAGE_UNITS, TextureTarget};
use std::sync::Arc;

/// The textures.
pub(super) fn textures(loader: &Loader<'_>, tables: &[Table<'_>]) -> Result<Vec<SceneTexture>, SceneError> {
    within(loader, tables, &MostBytes::SCENE)
}

/// Which of the textures that `tables` gave are not complete, and why, at the key to change.
pub(super) fn warnings(tables: &[Table<'_>], textures: &[SceneTexture]) -> Vec<SceneError> {
    let faults = tables.iter().zip(textures).filter_map(|(table, texture)| Some((table, texture.warning()?)));
    faults.map(|(table, fault)| table.error_at(fault.key, fault.message)).collect()
}

/// The textures, whose images and texels take no more than `most`.
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

/// Most memory that the textures of a scene may take together, in bytes.
struct MostBytes {
    /// Their images, as decoded.
    images: u64,
    /// Their texels, with all levels.
    texels: u64,
}

impl MostBytes {
    const SCENE: Self = Self { images: MAX_SCENE_IMAGE_BYTES, texels: MAX_SCENE_TEXTURE_BYTES };
}

/// All keys of `[[texture]]`.
const TEXTURE_KEYS: [&str; 24] = [
    "unit",
    "target",
    "image",
    "images",
    "values",
    "size",
    "file",
    "format",
    "min_filter",
    "mag_filter",
    "wrap",
    "cube_edges",
    "swizzle",
    "border",
    "anisotropy",
    "lod_bias",
    "min_lod",
    "max_lod",
    "base_level",
    "max_level",
    "mipmaps",
    "levels",
    "depth_mode",
    "compare",
];

/// The keys that say what level 0 is.
const IMAGE_KEYS: [&str; 4] = ["image", "images", "values", "file"];

fn texture_spec(table: &Table<'_>) -> Result<TextureSpec, SceneError> {
    table.only(&TEXTURE_KEYS)?;
    let last_unit = (IMAGE_UNITS - 1) as u32;
    let unit = match table.get("unit") {
        Some(unit) => unit.integer(0..=last_unit)?,
        None => return Err(table.error(format!("the texture needs unit = 0 to {last_unit}"))),
    };
    let target = match table.get("target") {
        Some(entry) => entry.choice(&TextureTarget::TEXTURES.map(|t| (t, t.name())))?,
        None => TextureTarget::D2,
    };
    let mut spec =
        TextureSpec::new(u8::try_from(unit).unwrap_or(0), target, ImageSource::Builtin("xor".to_owned()));
    if let Some(entry) = table.get("format") {
        spec = spec.in_format(entry.string()?);
    }
    images(table, &mut spec)?;
    let words = [
        ("min_filter", &mut spec.min_filter),
        ("mag_filter", &mut spec.mag_filter),
        ("cube_edges", &mut spec.cube_edges),
        ("swizzle", &mut spec.swizzle),
        ("depth_mode", &mut spec.depth_mode),
        ("compare", &mut spec.compare),
    ];
    for (key, word) in words {
        if let Some(entry) = table.get(key) {
            *word = entry.string()?.to_owned();
        }
    }
    if let Some(entry) = table.get("wrap") {
        wrap(&entry, &mut spec.wrap)?;
    }
    if let Some(entry) = table.get("border") {
        spec.border = entry.vector()?;
    }
    let numbers = [
        ("anisotropy", &mut spec.anisotropy),
        ("lod_bias", &mut spec.lod_bias),
        ("min_lod", &mut spec.min_lod),
        ("max_lod", &mut spec.max_lod),
    ];
    for (key, number) in numbers {
        if let Some(entry) = table.get(key) {
            *number = entry.finite()?;
        }
    }
    for (key, level) in [("base_level", &mut spec.base_level), ("max_level", &mut spec.max_level)] {
        if let Some(entry) = table.get(key) {
            *level = entry.integer(0..=1000)?;
        }
    }
    Ok(spec)
}

/// [`IMAGE_KEYS`], `mipmaps` and `levels`, which go together.
fn images(table: &Table<'_>, spec: &mut TextureSpec) -> Result<(), SceneError> {
    let mode = match table.get("mipmaps") {
        Some(entry) => Some(entry.choice(&[
            (Mode::Generate, "generate"),
            (Mode::None, "none"),
            (Mode::Given, "given"),
        ])?),
        None => None,
    };
    let levels = match table.get("levels") {
        Some(entry) => Some(entry.strings(1..=15, "image names in brackets, level 0 first")?),
        None => None,
    };
    match (mode, levels) {
        (Some(Mode::Given) | None, Some(levels)) => {
            if let Some(other) = IMAGE_KEYS.into_iter().find_map(|key| table.get(key)) {
                return Err(other.error("a texture can have \"levels\" or an image, not both"));
            }
            spec.mipmaps = Mipmaps::Given(levels.into_iter().map(ImageSource::parse).collect());
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
    if let Some(size) = table.get("size").filter(|_| image.name != "values") {
        return Err(size.error("\"size\" works only with values"));
    }
    spec.images = match image.name {
        "image" => vec![ImageSource::parse(image.string()?)],
        "images" => {
            let names = image.strings(1..=16384, "image names in brackets")?;
            names.into_iter().map(ImageSource::parse).collect()
        }
        "values" => {
            let fault = |fault: TextureFault| table.error_at(fault.key, fault.message);
            let format = format_named(&spec.format).map_err(fault)?;
            vec![ImageSource::Values(Arc::new(TexelValues::read(table, &image, (spec.target, format))?))]
        }
        _ if spec.target == TextureTarget::Buffer => vec![ImageSource::Store(image.string()?.to_owned())],
        _ => {
            return Err(image.error("\"file\" is for BUFFER textures; other targets take image = \"FILE\""));
        }
    };
    Ok(())
}

/// Where mip levels come from, as written.
#[derive(Clone, Copy)]
enum Mode {
    Generate,
    None,
    Given,
}

/// One mode for all axes, or one to three.
fn wrap(entry: &Entry<'_>, wrap: &mut [String; 3]) -> Result<(), SceneError> {
    if let Some(all) = entry.value.as_str() {
        *wrap = [all, all, all].map(str::to_owned);
        return Ok(());
    }
    let modes = entry.strings(1..=3, "1 to 3 wrap modes in brackets")?;
    for (out, mode) in wrap.iter_mut().zip(modes) {
        mode.clone_into(out);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Folder;
    use super::super::loader::{Known, Reach};
    use super::super::read::TomlFile;
    use super::*;
    use toml::de::DeTable;

    /// The textures of `text`, of which those before the last are within `most`.
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
        // Each takes 256 KiB, but the same one no more.
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
        // Each takes 256 x 256 x 16 bytes, 1 MiB; the same one no more.
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
