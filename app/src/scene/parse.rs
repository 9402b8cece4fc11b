//! `scene.toml` to a [`Scene`]. README.md documents the format; every complaint names its key's place.

use super::read::{Entry, Source, Table};
use super::{
    AutoSource, Camera, Clear, Component, DEFAULT_SIZE, Depth, DepthFunc, Folder, ImageSource, MeshSource,
    Mipmaps, ParameterKey, ParameterSetting, ProgramFile, Scene, SceneError, SceneMesh, SceneTexture,
    TextureSpec, Widget,
};
use crate::session::MAX_SIZE;
use crate::suggest;
use shadestep_engine::ir::{IMAGE_UNITS, TextureTarget};
use shadestep_engine::pipeline::CameraError;
use shadestep_engine::source::LineIndex;
use toml::de::{DeTable, DeValue};

/// Reads `file` of `folder` and everything it names. Errors about `file` itself call it `file`.
pub(super) fn load(name: &str, folder: Folder, file: &str) -> Result<Scene, SceneError> {
    let bytes = folder.read(file)?;
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let place = LineIndex::new(&bytes).line_column(error.valid_up_to());
        SceneError::new(file, "the file is not UTF-8 text").at(place)
    })?;
    let source = Source::new(file.to_owned(), text);
    let parsed = DeTable::parse(text).map_err(|error| {
        let message = error.message().trim().trim_end_matches('.').replace('\n', "; ");
        source.error(&error.span().unwrap_or_default(), format!("not TOML: {message}"))
    })?;
    let root = Table::new(&source, parsed.get_ref(), 0..0, "at the top of the file");
    scene(name, folder, &root)
}

fn scene(name: &str, folder: Folder, root: &Table<'_>) -> Result<Scene, SceneError> {
    root.only(&[
        "title",
        "size",
        "program",
        "geometry",
        "camera",
        "parameters",
        "texture",
        "clear",
        "depth",
    ])?;
    let title = match root.get("title") {
        Some(title) => title.string()?.to_owned(),
        None => name.to_owned(),
    };
    let size = match root.get("size") {
        Some(size) => size.pair(1..=MAX_SIZE)?,
        None => DEFAULT_SIZE,
    };
    let program = program(&folder, root)?;
    let mesh = match root.get("geometry") {
        Some(entry) => geometry(&folder, &entry.table("in [geometry]")?)?,
        None => SceneMesh::viewport(),
    };
    let camera = match root.get("camera") {
        Some(entry) => camera(&entry.table("in [camera]")?)?,
        None => Camera::default(),
    };
    let parameters = match root.get("parameters") {
        Some(entry) => parameters(&entry.table("in [parameters]")?)?,
        None => Vec::new(),
    };
    let textures = match root.get("texture") {
        Some(entry) => textures(&folder, &entry.tables("in [[texture]]")?)?,
        None => Vec::new(),
    };
    let clear = match root.get("clear") {
        Some(entry) => clear(&entry.table("in [clear]")?)?,
        None => Clear::default(),
    };
    let default_depth = if *mesh.source() == MeshSource::Viewport { Depth::OFF } else { Depth::LESS };
    let depth = match root.get("depth") {
        Some(entry) => depth(&entry.table("in [depth]")?, default_depth)?,
        None => default_depth,
    };
    let readme = folder.read("README.md").ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let mut watched: Vec<_> = program.path.iter().chain(mesh.file()).cloned().collect();
    watched.extend(textures.iter().flat_map(|t| t.files().iter().cloned()));
    watched.extend(folder.path_of("README.md").filter(|_| readme.is_some()));
    let name = name.to_owned();
    Ok(Scene {
        name,
        title,
        folder,
        size,
        program,
        mesh,
        camera,
        parameters,
        textures,
        clear,
        depth,
        readme,
        watched,
    })
}

fn program(folder: &Folder, root: &Table<'_>) -> Result<ProgramFile, SceneError> {
    let missing = "the scene names no program: [program] needs fragment = \"FILE\"";
    let entry = root.get("program").ok_or_else(|| root.error(missing))?;
    let table = entry.table("in [program]")?;
    table.only(&["fragment"])?;
    let fragment = table.get("fragment").ok_or_else(|| table.error(missing))?;
    let name = fragment.string()?;
    let text = folder.read(name).map_err(|error| about_file(&fragment, &error))?;
    Ok(ProgramFile { name: name.to_owned(), path: folder.path_of(name), text: text.as_ref().into() })
}

/// A fault of a file that `entry` names.
fn about_file(entry: &Entry<'_>, error: &SceneError) -> SceneError {
    let place = error.place.map_or_else(String::new, |p| format!(":{}:{}", p.line, p.column));
    entry.error(format!("{}{place}: {}", error.file, error.message))
}

fn geometry(folder: &Folder, table: &Table<'_>) -> Result<SceneMesh, SceneError> {
    table.only(&["mesh"])?;
    let Some(entry) = table.get("mesh") else { return Ok(SceneMesh::viewport()) };
    let name = entry.string()?;
    let built_in = MeshSource::BUILT_IN.into_iter().find(|(_, n)| *n == name);
    let is_file = name.starts_with("asset:") || name.to_ascii_lowercase().ends_with(".obj");
    let source = match built_in {
        Some((source, _)) => source,
        None if is_file => MeshSource::File(name.to_owned()),
        None => {
            let names = MeshSource::BUILT_IN.iter().map(|(_, n)| *n).collect::<Vec<_>>();
            let hint = match suggest::closest(name, names.iter().copied()) {
                Some(near) => format!("; did you mean \"{near}\"?"),
                None => format!("; there are {}, or a file that ends in .obj", suggest::list(names)),
            };
            return Err(entry.error(format!("there is no mesh \"{name}\"{hint}")));
        }
    };
    SceneMesh::load(folder, source).map_err(|error| about_file(&entry, &error))
}

fn camera(table: &Table<'_>) -> Result<Camera, SceneError> {
    table.only(&["eye", "target", "up", "fov", "near", "far"])?;
    let mut camera = Camera::default();
    for (key, value) in [("eye", &mut camera.eye), ("target", &mut camera.target), ("up", &mut camera.up)] {
        if let Some(entry) = table.get(key) {
            *value = entry.vector()?;
        }
    }
    let scalars = [("fov", &mut camera.fov_y_degrees), ("near", &mut camera.near), ("far", &mut camera.far)];
    for (key, value) in scalars {
        if let Some(entry) = table.get(key) {
            *value = entry.finite()?;
        }
    }
    camera.check().map_err(|error| {
        let key = match error {
            CameraError::NotFinite | CameraError::EyeIsTarget => "eye",
            CameraError::UpAlongView => "up",
            CameraError::FieldOfView => "fov",
            CameraError::Planes => "near",
        };
        table.error_at(key, error.to_string())
    })?;
    Ok(camera)
}

fn parameters(table: &Table<'_>) -> Result<Vec<ParameterSetting>, SceneError> {
    table.entries().iter().map(parameter).collect()
}

fn parameter(entry: &Entry<'_>) -> Result<ParameterSetting, SceneError> {
    let key = ParameterKey::parse(entry.name).ok_or_else(|| {
        entry.error(format!("\"{}\" is no parameter: it is a name, or \"p[0]\" to \"p[63]\"", entry.name))
    })?;
    let mut setting = ParameterSetting {
        key,
        value: [Component::Constant(0.0); 4],
        components: 0,
        widget: Widget::default(),
        min: 0.0,
        max: 1.0,
    };
    if entry.value.is_table() {
        let table = entry.table("of a parameter")?;
        table.only(&["value", "widget", "min", "max"])?;
        let value = table.get("value").ok_or_else(|| {
            table.error(format!("the parameter \"{}\" needs value = [numbers]", entry.name))
        })?;
        (setting.value, setting.components) = components(&value)?;
        if let Some(widget) = table.get("widget") {
            let widgets = [(Widget::Slider, "slider"), (Widget::Color, "color"), (Widget::Number, "number")];
            setting.widget = widget.choice(&widgets)?;
        }
        for (key, limit) in [("min", &mut setting.min), ("max", &mut setting.max)] {
            if let Some(entry) = table.get(key) {
                *limit = entry.finite()?;
            }
        }
        if setting.min >= setting.max {
            let key = if table.get("min").is_some() { "min" } else { "max" };
            return Err(
                table.error_at(key, "\"min\" must be less than \"max\" (they are 0 and 1 by default)")
            );
        }
    } else {
        (setting.value, setting.components) = components(entry)?;
    }
    Ok(setting)
}

/// One to four numbers or auto sources, or one alone, filled with 0, 0, 0, 1 as the language fills vectors.
fn components(entry: &Entry<'_>) -> Result<([Component; 4], usize), SceneError> {
    const WANTED: &str = "1 to 4 numbers or sources such as \"time\" in brackets";
    let values = match entry.value {
        DeValue::Array(_) => entry.array(1..=4, WANTED)?,
        single => vec![single],
    };
    let [zero, one] = [0.0, 1.0].map(Component::Constant);
    let mut filled = [zero, zero, zero, one];
    // A lone number is a scalar, which the language spreads over all four components.
    if !entry.value.is_array() {
        let only = component(entry, values[0], WANTED)?;
        return Ok(([only; 4], 1));
    }
    for (out, value) in filled.iter_mut().zip(&values) {
        *out = component(entry, value, WANTED)?;
    }
    Ok((filled, values.len()))
}

fn component(entry: &Entry<'_>, value: &DeValue<'_>, wanted: &str) -> Result<Component, SceneError> {
    match value.as_str() {
        Some(word) => entry.choice_of(word, &AutoSource::ALL).map(Component::Auto),
        None => entry.float_of(value, wanted).map(Component::Constant),
    }
}

fn textures(folder: &Folder, tables: &[Table<'_>]) -> Result<Vec<SceneTexture>, SceneError> {
    let mut textures: Vec<SceneTexture> = Vec::with_capacity(tables.len());
    for table in tables {
        let spec = texture_spec(table)?;
        let taken = |t: &SceneTexture| (t.spec().unit, t.spec().target) == (spec.unit, spec.target);
        if textures.iter().any(taken) {
            let (unit, target) = (spec.unit, spec.target.name());
            return Err(table.error_at("unit", format!("unit {unit} already has a {target} texture")));
        }
        let loaded = SceneTexture::load_keyed(folder, spec);
        textures.push(loaded.map_err(|fault| table.error_at(fault.key, fault.message))?);
    }
    Ok(textures)
}

/// All keys of `[[texture]]`.
const TEXTURE_KEYS: [&str; 18] = [
    "unit",
    "target",
    "image",
    "images",
    "format",
    "min_filter",
    "mag_filter",
    "wrap",
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
];

fn texture_spec(table: &Table<'_>) -> Result<TextureSpec, SceneError> {
    table.only(&TEXTURE_KEYS)?;
    let last_unit = (IMAGE_UNITS - 1) as u32;
    let unit = match table.get("unit") {
        Some(unit) => unit.integer(0..=last_unit)?,
        None => return Err(table.error(format!("the texture needs unit = 0 to {last_unit}"))),
    };
    let target = match table.get("target") {
        Some(entry) => entry.choice(&TextureTarget::ALL.map(|t| (t, t.name())))?,
        None => TextureTarget::D2,
    };
    let mut spec =
        TextureSpec::new(u8::try_from(unit).unwrap_or(0), target, ImageSource::Builtin("xor".to_owned()));
    images(table, &mut spec)?;
    let words = [
        ("format", &mut spec.format),
        ("min_filter", &mut spec.min_filter),
        ("mag_filter", &mut spec.mag_filter),
        ("depth_mode", &mut spec.depth_mode),
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

/// `image`, `images`, `mipmaps` and `levels`, which go together.
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
            if let Some(other) = table.get("image").or_else(|| table.get("images")) {
                return Err(other.error("a texture has \"levels\" or an image, not both"));
            }
            spec.mipmaps = Mipmaps::Given(levels.into_iter().map(ImageSource::parse).collect());
            return Ok(());
        }
        (Some(Mode::Given), None) => {
            return Err(table.error_at("mipmaps", "mipmaps = \"given\" needs levels = [images]"));
        }
        (Some(Mode::Generate | Mode::None), Some(_)) => {
            return Err(table.error_at("levels", "\"levels\" goes with mipmaps = \"given\""));
        }
        (Some(Mode::Generate), None) => spec.mipmaps = Mipmaps::Generate,
        (Some(Mode::None), None) => spec.mipmaps = Mipmaps::None,
        (None, None) => {}
    }
    match (table.get("image"), table.get("images")) {
        (Some(_), Some(images)) => Err(images.error("a texture has \"image\" or \"images\", not both")),
        (Some(image), None) => {
            spec.images = vec![ImageSource::parse(image.string()?)];
            Ok(())
        }
        (None, Some(images)) => {
            let names = images.strings(1..=16384, "image names in brackets")?;
            spec.images = names.into_iter().map(ImageSource::parse).collect();
            Ok(())
        }
        (None, None) => {
            Err(table.error("the texture needs image = \"FILE\", \"asset:NAME\" or \"builtin:NAME\""))
        }
    }
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

fn clear(table: &Table<'_>) -> Result<Clear, SceneError> {
    table.only(&["color", "depth"])?;
    let mut clear = Clear::default();
    if let Some(entry) = table.get("color") {
        clear.color = entry.vector()?;
    }
    if let Some(entry) = table.get("depth") {
        clear.depth = unit_interval(&entry, entry.finite()?)?;
    }
    Ok(clear)
}

fn unit_interval(entry: &Entry<'_>, value: f32) -> Result<f32, SceneError> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(entry.error(format!("\"{}\" must be from 0 to 1", entry.name)))
    }
}

fn depth(table: &Table<'_>, mut depth: Depth) -> Result<Depth, SceneError> {
    table.only(&["func", "write", "clamp", "range"])?;
    if let Some(entry) = table.get("func") {
        let off = [(None, "OFF")].into_iter();
        let functions = off.chain(DepthFunc::ALL.map(|func| (Some(func), func.name())));
        depth.test = entry.choice(&functions.collect::<Vec<_>>())?;
    }
    if let Some(entry) = table.get("write") {
        depth.write = entry.boolean()?;
    }
    if let Some(entry) = table.get("clamp") {
        depth.clamp = entry.boolean()?;
    }
    if let Some(entry) = table.get("range") {
        depth.range = entry.vector()?;
        for value in depth.range {
            unit_interval(&entry, value)?;
        }
    }
    Ok(depth)
}
