//! `scene.toml` to a [`Scene`]. docs/scene.md documents the format. Every error has the place of its key.

use super::loader::{Known, Loader, Reach};
use super::read::{Entry, Table, TableKeys, TomlFile};
use super::{
    AutoSource, Camera, Clear, Component, DEFAULT_CLEAR, DEFAULT_SIZE, DEFAULT_STATE_INPUT, DEPTH_TESTS,
    Depth, EachFrame, Folder, MAX_SIZE, MatrixOperation, MeshForm, MeshSource, NumberType, ParameterKey,
    ParameterSetting, ProgramFile, Programs, RasterState, SCENE_FILE, Scene, SceneBuffer, SceneError,
    SceneFeedback, SceneMesh, Slot, Track, Widget, arrays, attachment, buffers, feedback, frame_texture,
    images, lighting, matrix, parameter_names, raster, subroutines, texture_table,
};
use crate::suggest;
use shadestep_engine::ir::limits;
use shadestep_engine::memory::AddressBits;
use shadestep_engine::pipeline::{CameraError, Patches};
use shadestep_engine::source::{LineIndex, Span};
use toml::de::DeValue;

/// Reads `file` of `folder` and everything it names. Errors about `file` itself call it `file`.
pub(super) fn load(name: &str, folder: &Folder, file: &str) -> Result<Scene, SceneError> {
    let open = folder.open();
    let bytes = open.read_scene(file)?;
    read(name, file, utf8(file, &bytes)?, &Loader::new(&open, Known::default(), Reach::Files))
}

/// The text in `bytes`, which are of `file`.
pub(crate) fn utf8<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, SceneError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let place = LineIndex::new(bytes).line_column(at);
        SceneError::new(file, "the file is not UTF-8 text").at(Span::at(at), place)
    })
}

/// Reads `text`, which errors call `file`, as a scene whose parts `loader` gives.
pub(super) fn read(name: &str, file: &str, text: &str, loader: &Loader<'_>) -> Result<Scene, SceneError> {
    let source = TomlFile::new(file.to_owned(), text);
    let parsed = source.parse(text)?;
    let root = Table::new(&source, parsed.get_ref(), 0..0, "at the top of the file");
    let mut scene = scene(name, loader, &root)?;
    text.clone_into(&mut scene.toml);
    Ok(scene)
}

/// Reads `text` as a scene, and returns the keys that each of its tables may have, in the order of reading.
pub(super) fn table_keys(text: &str, loader: &Loader<'_>) -> Result<Vec<TableKeys>, SceneError> {
    let source = TomlFile::collecting_keys(SCENE_FILE.to_owned(), text);
    let parsed = source.parse(text)?;
    scene("scene", loader, &Table::new(&source, parsed.get_ref(), 0..0, "at the top of the file"))?;
    Ok(source.take_keys())
}

/// All keys at the top of the file.
const KEYS: [&str; 31] = [
    "title",
    "size",
    "program",
    "state_program",
    "geometry",
    "attribute",
    "camera",
    "matrices",
    "track",
    "parameters",
    "subroutines",
    "texture",
    "frame_texture",
    "layers",
    "layer",
    "buffer",
    "feedback",
    "image",
    "addresses",
    "order",
    "attachment",
    "clear",
    "depth",
    "state",
    "lighting",
    "material",
    "light",
    "texgen",
    "texenv",
    "clip_plane",
    "point",
];

fn scene(name: &str, loader: &Loader<'_>, root: &Table<'_>) -> Result<Scene, SceneError> {
    root.only(&KEYS)?;
    let title = match root.get("title") {
        Some(title) => title.string()?.to_owned(),
        None => name.to_owned(),
    };
    let size = match root.get("size") {
        Some(size) => size.pair(1..=MAX_SIZE)?,
        None => DEFAULT_SIZE,
    };
    let (programs, state_inputs) = programs(loader, root)?;
    let mut buffers = match root.get("buffer") {
        Some(entry) => buffers::buffers(loader, &entry.tables("in [[buffer]]")?)?,
        None => Vec::new(),
    };
    let feedback = match root.get("feedback") {
        Some(entry) => feedback::feedback(&entry.tables("in [[feedback]]")?, &buffers)?,
        None => Vec::new(),
    };
    let own = programs.get(Slot::Vertex).is_some();
    let (mesh, attributes, instances) = vertices((loader, &buffers), root, own)?;
    let drawn_again = match root.get("geometry") {
        Some(entry) => drawn_again(&entry.table("in [geometry]")?, &feedback, &buffers)?,
        None => None,
    };
    let patches = match root.get("geometry") {
        Some(entry) => patches(&entry.table("in [geometry]")?)?,
        None => Patches::DEFAULT,
    };
    let (camera, model) = match root.get("camera") {
        Some(entry) => camera(&entry.table("in [camera]")?)?,
        None => (Camera::default(), Vec::new()),
    };
    let matrices = match root.get("matrices") {
        Some(entry) => matrix::matrices(&entry.table("in [matrices]")?)?,
        None => Vec::new(),
    };
    let tracks = match root.get("track") {
        Some(entry) => matrix::tracks(&entry.tables("in [[track]]")?)?,
        None => Vec::new(),
    };
    let images = match root.get("image") {
        Some(entry) => images::images(loader, &entry.tables("in [[image]]")?, &mut buffers)?,
        None => Vec::new(),
    };
    let address_bits = match root.get("addresses") {
        Some(entry) => entry.choice(&[(AddressBits::Bits64, "64-bit"), (AddressBits::Bits32, "32-bit")])?,
        None => AddressBits::default(),
    };
    let any_order = match root.get("order") {
        Some(entry) => entry.choice(&[(false, "draw"), (true, "any")])?,
        None => false,
    };
    let (parameters, parameter_names) = match root.get("parameters") {
        Some(entry) => {
            let table = entry.table("in [parameters]")?;
            (parameters(&table, &tracks, &buffers)?, parameter_names::read(&table))
        }
        None => Default::default(),
    };
    let subroutines = match root.get("subroutines") {
        Some(entry) => subroutines::read(&entry.table("in [subroutines]")?, &programs)?,
        None => Vec::new(),
    };
    let texture_tables = match root.get("texture") {
        Some(entry) => entry.tables("in [[texture]]")?,
        None => Vec::new(),
    };
    let textures = texture_table::textures(loader, &texture_tables)?;
    for (table, texture) in texture_tables.iter().zip(&textures) {
        images::apart(table, "unit", (texture.spec().unit, texture.spec().target), (&images, &buffers))?;
    }
    let mut warnings = texture_table::warnings(&texture_tables, &textures);
    warnings.extend(arrays::warning(root, mesh.arrays())?);
    let clear = match root.get("clear") {
        Some(entry) => clear(&entry.table("in [clear]")?)?,
        None => DEFAULT_CLEAR,
    };
    let default_depth = if *mesh.source() == MeshSource::Viewport { Depth::OFF } else { Depth::LESS };
    let depth = match root.get("depth") {
        Some(entry) => depth(&entry.table("in [depth]")?, default_depth)?,
        None => default_depth,
    };
    let raster = RasterState { depth, ..RasterState::DEFAULT };
    let raster = match root.get("state") {
        Some(entry) => raster::read(&entry.table("in [state]")?, raster)?,
        None => raster,
    };
    let attachment_tables = match root.get("attachment") {
        Some(entry) => entry.tables("in [[attachment]]")?,
        None => Vec::new(),
    };
    let attachments = attachment::attachments(&attachment_tables, &clear)?;
    warnings.extend(attachment::warnings(&attachment_tables, &attachments, &raster));
    let layers = frame_texture::layers(root)?;
    frame_texture::check_framebuffer(root, (size, raster.multisample.samples), layers)?;
    let frame_tables = match root.get("frame_texture") {
        Some(entry) => entry.tables("in [[frame_texture]]")?,
        None => Vec::new(),
    };
    let taken = (&images[..], &buffers[..]);
    let frame_textures =
        frame_texture::frame_textures(&frame_tables, (layers, size, &attachments), &textures, taken)?;
    let (lighting, fog) = lighting::read(root)?;
    let (folder, readme) = (loader.folder(), loader.readme());
    let mut watched: Vec<_> = programs.iter().filter_map(|(_, program)| program.path.clone()).collect();
    watched.extend(mesh.file().cloned());
    watched.extend(attributes.files);
    watched.extend(buffers.iter().filter_map(|buffer| buffer.file().cloned()));
    watched.extend(textures.iter().flat_map(|t| t.files().iter().cloned()));
    watched.extend(folder.path_of("README.md").filter(|_| readme.is_some()));
    Ok(Scene {
        name: name.to_owned(),
        title,
        toml: String::new(),
        file: None,
        folder: folder.clone(),
        size,
        programs,
        state_inputs,
        mesh,
        attributes: attributes.sources,
        arrays_in_buffers: attributes.in_buffers,
        instances,
        feedback,
        drawn_again,
        patches,
        camera,
        model,
        matrices,
        tracks,
        parameters,
        parameter_names,
        subroutines,
        textures,
        frame_textures,
        layers,
        buffers,
        images,
        address_bits,
        any_order,
        warnings,
        clear,
        attachments,
        raster,
        fog,
        lighting,
        readme,
        watched,
        array_files: loader.array_files(),
    })
}

type StateInput = [Component; 4];

/// The programs, and `v[0]` of each state program.
fn programs(
    loader: &Loader<'_>,
    root: &Table<'_>,
) -> Result<(Programs<ProgramFile>, Vec<StateInput>), SceneError> {
    const MISSING: &str = "the scene has no program: [program] needs fragment = \"FILE\" or another stage";
    let mut programs = Programs::default();
    let mut inputs = Vec::new();
    let mut place = None;
    if let Some(entry) = root.get("program") {
        let table = entry.table("in [program]")?;
        table.only(&["vertex", "state", "tess_control", "tess_eval", "geometry", "fragment"])?;
        for slot in Slot::SINGLE {
            if let Some(entry) = table.get(slot.key()) {
                programs.insert(slot, program(loader, &entry, entry.string()?)?);
            }
        }
        if let Some(entry) = table.get("state") {
            let names = match entry.value.as_str() {
                Some(name) => vec![name],
                None => entry.strings(
                    1..=Slot::MAX_STATE_PROGRAMS,
                    "one file name, or 1 to 16 file names in brackets",
                )?,
            };
            for (n, name) in (0..).zip(names) {
                programs.insert(Slot::State(n), program(loader, &entry, name)?);
                inputs.push(DEFAULT_STATE_INPUT);
            }
        }
        place = Some(table);
    }
    if let Some(entry) = root.get("state_program") {
        if !inputs.is_empty() {
            return Err(
                entry.error("name state programs either in [program] or in [[state_program]], not in both")
            );
        }
        let tables = entry.tables("in [[state_program]]")?;
        for (index, table) in tables.iter().enumerate() {
            let (program, input) = state_program(loader, table)?;
            let slot = u8::try_from(index).ok().filter(|_| index < Slot::MAX_STATE_PROGRAMS);
            let most = Slot::MAX_STATE_PROGRAMS;
            let slot =
                slot.ok_or_else(|| table.error(format!("a scene can have at most {most} state programs")))?;
            programs.insert(Slot::State(slot), program);
            inputs.push(input);
        }
    }
    if programs.is_empty() {
        return Err(place.map_or_else(|| root.error(MISSING), |table| table.error(MISSING)));
    }
    Ok((programs, inputs))
}

/// The program file `name`, which `entry` names.
fn program(loader: &Loader<'_>, entry: &Entry<'_>, name: &str) -> Result<ProgramFile, SceneError> {
    loader.program(name).map_err(|error| about_file(entry, &error))
}

fn state_program(loader: &Loader<'_>, table: &Table<'_>) -> Result<(ProgramFile, StateInput), SceneError> {
    table.only(&["file", "input"])?;
    let Some(file) = table.get("file") else {
        return Err(table.error("the state program needs file = \"FILE\""));
    };
    let input = match table.get("input") {
        Some(entry) => components(&entry)?.0,
        None => DEFAULT_STATE_INPUT,
    };
    Ok((program(loader, &file, file.string()?)?, input))
}

/// What `[geometry]` says of patches: how many vertices they have, and their levels by default.
fn patches(table: &Table<'_>) -> Result<Patches, SceneError> {
    let mut patches = Patches::DEFAULT;
    if let Some(entry) = table.get("patch_vertices") {
        patches.vertices = entry.integer(1..=limits::PATCH_VERTICES.into())? as u8;
    }
    if let Some(entry) = table.get("patch_default_outer_level") {
        patches.levels.outer = entry.vector()?;
    }
    if let Some(entry) = table.get("patch_default_inner_level") {
        patches.levels.inner = entry.vector()?;
    }
    Ok(patches)
}

/// `draw_transform_feedback` of `[geometry]`: the feedback whose vertices are drawn.
fn drawn_again(
    table: &Table<'_>,
    feedback: &[SceneFeedback],
    buffers: &[SceneBuffer],
) -> Result<Option<usize>, SceneError> {
    let Some(entry) = table.get("draw_transform_feedback") else { return Ok(None) };
    let buffer = buffers::named(&entry, entry.string()?, buffers)?;
    let Some(found) = feedback.iter().position(|feedback| feedback.buffer == buffer) else {
        return Err(entry.error(format!("no [[feedback]] records into \"{}\"", buffers[buffer].name)));
    };
    if buffers[buffer].each_frame == EachFrame::Reset {
        let words = "the buffer needs each_frame = \"keep\": the next frame draws its contents";
        return Err(entry.error(words));
    }
    if let Some(other) = table.get("indices") {
        return Err(other.error("\"draw_transform_feedback\" draws without indices: remove \"indices\""));
    }
    Ok(Some(found))
}

/// What a mesh can be drawn as in place of its triangles.
const FORMS: [(&str, MeshForm); 2] = [("adjacency", MeshForm::Adjacency), ("patches", MeshForm::Patches)];

/// `[geometry]` and `[[attribute]]`, which go together; `own` says whether there is a vertex program.
fn vertices(
    (loader, buffers): (&Loader<'_>, &[SceneBuffer]),
    root: &Table<'_>,
    own: bool,
) -> Result<(SceneMesh, arrays::Attributes, u32), SceneError> {
    let tables = match root.get("attribute") {
        Some(entry) => entry.tables("in [[attribute]]")?,
        None => Vec::new(),
    };
    let mut attributes = arrays::attributes(loader, &tables, buffers)?;
    let table = match root.get("geometry") {
        Some(entry) => Some(entry.table("in [geometry]")?),
        None => None,
    };
    let mut mesh = SceneMesh::viewport();
    if let Some(table) = &table {
        table.only(&[
            "mesh",
            "adjacency",
            "patches",
            "patch_vertices",
            "patch_default_outer_level",
            "patch_default_inner_level",
            "primitive",
            "count",
            "draw_transform_feedback",
            "indices",
            "restart",
            "instances",
        ])?;
        let forms = FORMS.into_iter().filter_map(|(key, form)| Some((table.get(key)?, form)));
        let forms: Vec<_> = forms.collect();
        let needs_mesh =
            |entry: &Entry<'_>| entry.error(format!("\"{}\" works only with a mesh", entry.name));
        match (table.get("mesh"), table.get("primitive")) {
            (Some(_), Some(primitive)) => {
                return Err(primitive.error("the geometry needs either \"mesh\" or \"primitive\", not both"));
            }
            (None, Some(primitive)) => {
                if let Some((entry, _)) = forms.first() {
                    return Err(needs_mesh(entry));
                }
                let sources = std::mem::take(&mut attributes.sources);
                let arrays = arrays::arrays(table, &primitive, sources)?;
                let drawn = (&tables[..], &arrays.attributes[..]);
                let instances = arrays::instances(Some(table), arrays.element_count(), drawn)?;
                return Ok((SceneMesh::from_arrays(arrays), attributes, instances));
            }
            (entry, None) => {
                if let Some(other) = ["count", "draw_transform_feedback", "indices", "restart"]
                    .into_iter()
                    .find_map(|key| table.get(key))
                {
                    return Err(other.error(format!("\"{}\" works only with \"primitive\"", other.name)));
                }
                let mut wanted = MeshForm::Triangles;
                for (entry, form) in &forms {
                    match (entry.boolean()?, wanted) {
                        (false, _) => {}
                        (true, MeshForm::Triangles) => wanted = *form,
                        (true, _) => {
                            return Err(entry.error("a mesh can have \"adjacency\" or \"patches\", not both"));
                        }
                    }
                }
                if let Some(entry) = entry {
                    mesh = load_mesh(loader, &entry, wanted)?;
                }
                if let Some((entry, _)) = forms.first().filter(|_| mesh.is_viewport()) {
                    return Err(needs_mesh(entry));
                }
            }
        }
    }
    // Each array is looked at by itself, so that the complaint has its place.
    for (table, source) in tables.iter().zip(&attributes.sources) {
        mesh.arrays().clone().with(std::slice::from_ref(source)).map_err(|words| table.error(words))?;
    }
    if mesh.is_viewport()
        && !own
        && let Some(entry) = table.as_ref().and_then(|table| table.get("instances"))
    {
        let words = "\"instances\" works only with a mesh, a primitive or a vertex program";
        return Err(entry.error(words));
    }
    let drawn = (&tables[..], &attributes.sources[..]);
    let instances = arrays::instances(table.as_ref(), mesh.arrays().element_count(), drawn)?;
    Ok((mesh, attributes, instances))
}

/// A fault of a file that `entry` names.
pub(super) fn about_file(entry: &Entry<'_>, error: &SceneError) -> SceneError {
    let place = error.place.map_or_else(String::new, |p| format!(":{}:{}", p.line, p.column));
    entry.error(format!("{}{place}: {}", error.file, error.message))
}

fn load_mesh(loader: &Loader<'_>, entry: &Entry<'_>, form: MeshForm) -> Result<SceneMesh, SceneError> {
    let name = entry.string()?;
    let built_in = MeshSource::BUILT_IN.into_iter().find(|(_, n)| *n == name);
    let is_file = name.starts_with("asset:") || name.to_ascii_lowercase().ends_with(".obj");
    let source = match built_in {
        Some((source, _)) => source,
        None if is_file => MeshSource::File(name.to_owned()),
        None => {
            let names = MeshSource::BUILT_IN.iter().map(|(_, n)| *n);
            let hint = suggest::hint(name, names, "use an .obj file or one of");
            return Err(entry.error(format!("there is no mesh \"{name}\"{hint}")));
        }
    };
    loader.mesh(source, form).map_err(|error| about_file(entry, &error))
}

/// The camera and the model's operations.
fn camera(table: &Table<'_>) -> Result<(Camera, Vec<MatrixOperation>), SceneError> {
    table.only(&["eye", "target", "up", "fov", "near", "far", "model"])?;
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
    let model = match table.get("model") {
        Some(entry) => matrix::operations(&entry)?,
        None => Vec::new(),
    };
    Ok((camera, model))
}

fn parameters(
    table: &Table<'_>,
    tracks: &[Track],
    buffers: &[SceneBuffer],
) -> Result<Vec<ParameterSetting>, SceneError> {
    let read = |entry: &Entry<'_>| {
        let setting = parameter(entry, buffers)?;
        // Registers that track a matrix refuse values (NV_vertex_program 2.14.5).
        if let ParameterKey::Register(index) = setting.key
            && let Some(track) = tracks.iter().find(|track| track.covers(index))
        {
            return Err(entry.error(format!("c[{index}] tracks {} and cannot be set", track.matrix)));
        }
        Ok(setting)
    };
    table.entries().iter().map(read).collect()
}

fn parameter(entry: &Entry<'_>, buffers: &[SceneBuffer]) -> Result<ParameterSetting, SceneError> {
    let key = ParameterKey::parse(entry.name).ok_or_else(|| {
        let words = "is not a parameter: use a name, \"p[0]\" to \"p[63]\", \"c[0]\" to \"c[255]\", or \"vertex.local[n]\" or \"vertex.env[n]\" (or another stage) with n below 256";
        entry.error(format!("\"{}\" {words}", entry.name))
    })?;
    let mut setting = ParameterSetting {
        key,
        value: [Component::Constant(0.0); 4],
        components: 0,
        widget: None,
        min: 0.0,
        max: 1.0,
    };
    if entry.value.is_table() {
        let table = entry.table("of a parameter")?;
        table.only(&["value", "type", "widget", "min", "max"])?;
        let value = table.get("value").ok_or_else(|| {
            table.error(format!("the parameter \"{}\" needs value = [numbers]", entry.name))
        })?;
        let ty = match table.get("type") {
            Some(entry) => number_type(&entry, &setting.key, &table)?,
            None => NumberType::Float,
        };
        (setting.value, setting.components) = match ty {
            _ if buffers::names_address(&value) => addresses(&value, &setting.key, buffers)?,
            NumberType::Float => components(&value)?,
            NumberType::Int | NumberType::Uint => integers(&value, ty)?,
        };
        if let Some(widget) = table.get("widget") {
            let widgets = [(Widget::Slider, "slider"), (Widget::Color, "color"), (Widget::Number, "number")];
            setting.widget = Some(widget.choice(&widgets)?);
        }
        for (key, limit) in [("min", &mut setting.min), ("max", &mut setting.max)] {
            if let Some(entry) = table.get(key) {
                *limit = entry.finite()?;
            }
        }
        if setting.min >= setting.max {
            let key = if table.get("min").is_some() { "min" } else { "max" };
            return Err(table.error_at(key, "\"min\" must be less than \"max\" (the defaults are 0 and 1)"));
        }
    } else if buffers::names_address(entry) {
        (setting.value, setting.components) = addresses(entry, &setting.key, buffers)?;
    } else {
        (setting.value, setting.components) = components(entry)?;
    }
    Ok(setting)
}

/// Addresses, which are integers.
fn addresses(
    entry: &Entry<'_>,
    key: &ParameterKey,
    buffers: &[SceneBuffer],
) -> Result<([Component; 4], usize), SceneError> {
    if let ParameterKey::Named(name) = key {
        let words = format!(
            "\"{name}\" is declared with DECLARE and holds floats; only numbered parameters can hold addresses"
        );
        return Err(entry.error(words));
    }
    buffers::addresses(entry, buffers)
}

/// The type of the parameter `key`, of which `table` has the rest.
fn number_type(entry: &Entry<'_>, key: &ParameterKey, table: &Table<'_>) -> Result<NumberType, SceneError> {
    let ty = entry.choice(&NumberType::ALL)?;
    if ty == NumberType::Float {
        return Ok(ty);
    }
    if let ParameterKey::Named(name) = key {
        let words = format!(
            "\"{name}\" is declared with DECLARE and holds floats; only numbered parameters can hold integers"
        );
        return Err(entry.error(words));
    }
    let of_numbers = ["widget", "min", "max"].into_iter().find_map(|key| table.get(key));
    match of_numbers {
        Some(other) => Err(other.error(format!(
            "\"{}\" works only for numbers; this parameter has type {}",
            other.name,
            ty.name()
        ))),
        None => Ok(ty),
    }
}

/// One to four integers of a type, or one alone, filled as [`components`] are. Digits that are not decimal are the 32 bits.
fn integers(entry: &Entry<'_>, ty: NumberType) -> Result<([Component; 4], usize), SceneError> {
    let wanted = format!("1 to 4 whole numbers in brackets, because the type is {}", ty.name());
    let read = |value: &DeValue<'_>| {
        let number = value.as_integer().ok_or_else(|| entry.wrong(&wanted, value))?;
        let (least, most) = match ty {
            NumberType::Int => (i32::MIN.into(), i32::MAX.into()),
            NumberType::Uint | NumberType::Float => (0, i64::from(u32::MAX)),
        };
        let parsed = i64::from_str_radix(number.as_str(), number.radix()).ok();
        let bits = parsed.and_then(|n| u32::try_from(n).ok()).filter(|_| number.radix() != 10);
        match (parsed, bits) {
            (_, Some(bits)) => Ok(Component::Uint(bits).of_type(ty)),
            (Some(n), None) if (least..=most).contains(&n) => Ok(Component::whole(n, ty)),
            _ => Err(entry.error(format!(
                "\"{}\" has {number}, out of range for {}: {least} to {most}",
                entry.name,
                ty.name()
            ))),
        }
    };
    if !entry.value.is_array() {
        return Ok(([read(entry.value)?; 4], 1));
    }
    let values = entry.array(1..=4, &wanted)?;
    let mut filled = Component::fill(ty);
    for (out, value) in filled.iter_mut().zip(&values) {
        *out = read(value)?;
    }
    Ok((filled, values.len()))
}

/// One to four numbers or auto sources, or one alone, filled with 0, 0, 0, 1 as the language fills vectors.
fn components(entry: &Entry<'_>) -> Result<([Component; 4], usize), SceneError> {
    const WANTED: &str = "1 to 4 numbers or sources such as \"time\" in brackets";
    let values = match entry.value {
        DeValue::Array(_) => entry.array(1..=4, WANTED)?,
        single => vec![single],
    };
    let mut filled = Component::fill(NumberType::Float);
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

/// A number or an auto source in `value`; `wanted` says what should be there.
pub(super) fn component(
    entry: &Entry<'_>,
    value: &DeValue<'_>,
    wanted: &str,
) -> Result<Component, SceneError> {
    match value.as_str() {
        Some(word) => entry.choice_of(word, &AutoSource::ALL).map(Component::Auto),
        None => entry.float_of(value, wanted).map(Component::Constant),
    }
}

fn clear(table: &Table<'_>) -> Result<Clear, SceneError> {
    table.only(&["color", "depth", "stencil"])?;
    let mut clear = DEFAULT_CLEAR;
    if let Some(entry) = table.get("color") {
        clear.color = entry.vector()?;
    }
    if let Some(entry) = table.get("depth") {
        clear.depth = entry.unit_interval()?;
    }
    if let Some(entry) = table.get("stencil") {
        clear.stencil = entry.byte()?;
    }
    Ok(clear)
}

fn depth(table: &Table<'_>, mut depth: Depth) -> Result<Depth, SceneError> {
    table.only(&["func", "write", "clamp", "range"])?;
    if let Some(entry) = table.get("func") {
        depth.test = entry.choice(&DEPTH_TESTS)?;
    }
    if let Some(entry) = table.get("write") {
        depth.write = entry.boolean()?;
    }
    if let Some(entry) = table.get("clamp") {
        depth.clamp = entry.boolean()?;
    }
    if let Some(entry) = table.get("range") {
        depth.range = entry.vector()?;
        if !depth.range.iter().all(|value| (0.0..=1.0).contains(value)) {
            return Err(entry.error("\"range\" must be from 0 to 1"));
        }
    }
    Ok(depth)
}
