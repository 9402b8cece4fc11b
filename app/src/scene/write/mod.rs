//! Writes changes of a scene into the text of its `scene.toml`. The tests read every kind of change back with
//! [`super::parse`]. `values` changes TOML in place; `state` and `memory` write their tables.

mod memory;
mod state;
pub(super) mod values;

pub(super) use memory::CONTENTS;
pub use memory::Setting;
pub use state::{StateKey, StateSetting};

use super::matrix::{TRANSFORMS, Transform};
use super::parse::{CAMERA, View};
use super::schema::{Kind, OneOf};
use super::texel_values::size_is_known;
use super::texture_table::TEXTURE;
use super::{
    Attachment, BufferKeys, Camera, Component, ImageKeys, ImageSource, LightingSetting, LightingState,
    MatrixName, MatrixSource, MeshForm, MeshSource, Mipmaps, NumberType, ParameterKey, Scene, Slot,
    SubroutineKey, SubroutineLabels, TextureSpec, Track,
};
use shadestep_engine::ir::TextureTarget;
use shadestep_engine::isa::Stage;
use shadestep_engine::pipeline::ColorFormat;
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};
use values::{
    component, components, drop_empty, exact, find_or_add, inline, integer, list, number, numbers, set,
    set_or_remove, table, tables, whole,
};

/// A change of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum SceneEdit {
    /// Sets the value of a parameter.
    Parameter(ParameterKey, [Component; 4]),
    /// Resets a parameter to the default scene's value.
    RemoveParameter(ParameterKey),
    /// Selects the subroutines that a variable calls.
    Subroutine(SubroutineKey, SubroutineLabels),
    /// Resets a variable to the first subroutine of its type.
    RemoveSubroutine(SubroutineKey),
    /// Tracks a matrix. Replaces a track of the same registers.
    Track(Track),
    /// Removes the track that begins at this register.
    RemoveTrack(u16),
    /// Sets a texture or tracking matrix.
    Matrix(MatrixName, MatrixSource),
    /// Resets a matrix to the identity.
    RemoveMatrix(MatrixName),
    /// Sets a lighting variable.
    Lighting(LightingSetting),
    /// Resets a lighting variable to the GL's initial value.
    RemoveLighting(LightingState),
    /// Sets a key of `[state]` or `[depth]`.
    State(StateSetting),
    /// Sets the initial `v[0]` of a state program.
    StateInput(u8, [Component; 4]),
    /// Moves the camera.
    Camera(Camera),
    /// Sets the size of the picture.
    Size([u32; 2]),
    /// Selects the mesh.
    Mesh(MeshSource),
    /// Sets the number of instances.
    Instances(u32),
    /// Sets the format of an output colour's buffer.
    Attachment(u8, ColorFormat),
    /// Sets the colour of an output colour's buffer before drawing: numbers, or integers as their bits.
    ClearColor(u8, [f32; 4]),
    /// Binds a texture.
    Texture(Box<TextureSpec>),
    /// Unbinds a texture. The unit then has `builtin:xor`.
    RemoveTexture(u8, TextureTarget),
    /// Adds a buffer of this name, bound to these parameter buffers.
    AddBuffer(String, Vec<(Stage, u8)>),
    /// Changes the `[[buffer]]` with this number.
    Buffer(usize, Setting<BufferKeys>),
    /// Removes a buffer.
    RemoveBuffer(usize),
    /// Adds an image of this name, on the image unit if there is one, or else on the texture image unit.
    AddImage(String, Option<u8>, Option<u8>),
    /// Changes the `[[image]]` with this number.
    Image(usize, Setting<ImageKeys>),
    /// Removes an image.
    RemoveImage(usize),
    /// Adds a program from this file.
    AddProgram(Slot, String),
    /// Removes a program. Later state programs move up.
    RemoveProgram(Slot),
}

impl SceneEdit {
    /// Whether both set the same thing, so that the second replaces the first.
    pub fn is_about(&self, other: &Self) -> bool {
        match self {
            Self::Parameter(key, _) => matches!(other, Self::Parameter(other, _) if key == other),
            Self::Subroutine(key, _) => matches!(other, Self::Subroutine(other, _) if key == other),
            Self::Track(track) => matches!(other, Self::Track(other) if track.register == other.register),
            Self::Matrix(name, _) => matches!(other, Self::Matrix(other, _) if name == other),
            Self::Attachment(number, _) => matches!(other, Self::Attachment(other, _) if number == other),
            Self::ClearColor(number, _) => matches!(other, Self::ClearColor(other, _) if number == other),
            Self::StateInput(number, _) => matches!(other, Self::StateInput(other, _) if number == other),
            Self::Lighting(setting) => matches!(other, Self::Lighting(other) if setting.state == other.state),
            Self::State(setting) => matches!(other, Self::State(other) if setting.key == other.key),
            Self::Buffer(number, setting) => {
                matches!(other, Self::Buffer(other, after) if number == other && setting.key == after.key)
            }
            Self::Image(number, setting) => {
                matches!(other, Self::Image(other, after) if number == other && setting.key == after.key)
            }
            Self::Camera(_) => matches!(other, Self::Camera(_)),
            Self::Size(_) => matches!(other, Self::Size(_)),
            Self::Instances(_) => matches!(other, Self::Instances(_)),
            // These add, remove or choose a part of the scene. Each is a step of its own.
            Self::RemoveParameter(_)
            | Self::RemoveSubroutine(_)
            | Self::RemoveTrack(_)
            | Self::RemoveMatrix(_)
            | Self::RemoveLighting(_)
            | Self::Mesh(_)
            | Self::Texture(_)
            | Self::RemoveTexture(..)
            | Self::AddBuffer(..)
            | Self::RemoveBuffer(_)
            | Self::AddImage(..)
            | Self::RemoveImage(_)
            | Self::AddProgram(..)
            | Self::RemoveProgram(_) => false,
        }
    }
}

/// Returns `text`, the `scene.toml` of `scene`, with `edit` applied.
///
/// # Errors
/// A sentence, if the text is not TOML or has another type of value at the place of the change.
pub fn edited(text: &str, scene: &Scene, edit: &SceneEdit) -> Result<String, String> {
    let mut document: DocumentMut =
        text.parse().map_err(|_| "scene.toml has errors: fix them first".to_owned())?;
    apply(&mut document, scene, edit)
        .ok_or_else(|| "scene.toml has a different kind of entry in this place".to_owned())?;
    Ok(document.to_string())
}

/// Returns `None` if the text has another type of value at the place of the change.
fn apply(document: &mut DocumentMut, scene: &Scene, edit: &SceneEdit) -> Option<()> {
    match edit {
        SceneEdit::Parameter(key, value) => parameter(document, key, value)?,
        SceneEdit::RemoveParameter(key) => {
            let written = written_key(document, key);
            if let Some(written) = written {
                table(document.as_table_mut(), "parameters")?.remove(&written);
                drop_empty(document.as_table_mut(), "parameters");
            }
        }
        SceneEdit::Subroutine(key, labels) => {
            let value = match labels {
                SubroutineLabels::One(label) => label.as_str().into(),
                SubroutineLabels::Each(labels) => list(labels.iter().map(|label| label.as_str().into())),
            };
            set(table(document.as_table_mut(), "subroutines")?, &key.to_string(), value);
        }
        SceneEdit::RemoveSubroutine(key) => remove_subroutines(document, |other| other == key)?,
        SceneEdit::Track(track) => set_track(document, *track)?,
        SceneEdit::RemoveTrack(register) => {
            let of_register = |table: &Table| integer(table, "register") == Some((*register).into());
            remove_tables(document, "track", of_register)?;
        }
        SceneEdit::Matrix(name, source) => {
            let key = name.to_string().to_ascii_lowercase();
            set(table(document.as_table_mut(), "matrices")?, &key, Transform.write(source)?);
        }
        SceneEdit::RemoveMatrix(name) => {
            table(document.as_table_mut(), "matrices")?.remove(&name.to_string().to_ascii_lowercase());
            drop_empty(document.as_table_mut(), "matrices");
        }
        SceneEdit::Lighting(setting) => state::set_lighting(document, scene, setting)?,
        SceneEdit::RemoveLighting(variable) => state::remove_lighting(document, *variable)?,
        SceneEdit::State(setting) => state::set_state(document, setting)?,
        SceneEdit::StateInput(n, value) => {
            let table = state_programs(document, scene)?.get_mut(usize::from(*n))?;
            set(table, "input", components(value));
        }
        SceneEdit::Camera(new) => camera(document, &scene.camera, new)?,
        SceneEdit::Size(size) => set(document.as_table_mut(), "size", list(size.map(whole))),
        SceneEdit::Mesh(source) => mesh(document, source)?,
        SceneEdit::Instances(count) => {
            set(table(document.as_table_mut(), "geometry")?, "instances", whole(*count));
        }
        SceneEdit::Attachment(number, format) => attachment(document, scene, *number, *format)?,
        SceneEdit::ClearColor(number, color) => clear_color(document, scene, *number, color)?,
        SceneEdit::Texture(spec) => texture(document, scene, spec)?,
        SceneEdit::RemoveTexture(unit, target) => {
            remove_tables(document, "texture", |table| is_texture(table, *unit, *target))?;
        }
        SceneEdit::AddBuffer(name, bound) => memory::add_buffer(document, name, bound)?,
        SceneEdit::Buffer(number, setting) => memory::set_buffer(document, scene, *number, setting)?,
        SceneEdit::RemoveBuffer(number) => remove_numbered(document, "buffer", *number)?,
        SceneEdit::AddImage(name, unit, texture) => memory::add_image(document, name, *unit, *texture)?,
        SceneEdit::Image(number, setting) => memory::set_image(document, scene, *number, setting)?,
        SceneEdit::RemoveImage(number) => remove_numbered(document, "image", *number)?,
        SceneEdit::AddProgram(slot, name) => add_program(document, scene, *slot, name)?,
        SceneEdit::RemoveProgram(slot) => remove_program(document, scene, *slot)?,
    }
    Some(())
}

/// The key for `key` in `[parameters]` of the text. `p[3]` and `fragment.local[3]` are the same parameter.
fn written_key(document: &DocumentMut, key: &ParameterKey) -> Option<String> {
    let table = document.get("parameters")?.as_table_like()?;
    let mut keys = table.iter().map(|(written, _)| written);
    keys.find(|written| ParameterKey::parse(written).as_ref() == Some(key)).map(str::to_owned)
}

fn parameter(document: &mut DocumentMut, key: &ParameterKey, value: &[Component; 4]) -> Option<()> {
    let is_address = |component: &Component| matches!(component, Component::Address(..));
    if value.iter().any(is_address) {
        // Panels show addresses but do not change them.
        return Some(());
    }
    let written = written_key(document, key).unwrap_or_else(|| key.to_string());
    let parameters = table(document.as_table_mut(), "parameters")?;
    let ty = value[0].number_type();
    let mut detailed = parameters.get(&written).is_some_and(|item| item.is_table_like());
    if ty != NumberType::Float && !detailed {
        let mut old = parameters.get(&written).and_then(Item::as_value).cloned();
        // The comments and spaces around the value stay outside the braces.
        old.iter_mut().for_each(|old| old.decor_mut().clear());
        set(parameters, &written, inline(old.map(|old| ("value", old))));
        detailed = true;
    }
    if detailed {
        number_type(parameters.get_mut(&written)?.as_table_like_mut()?, ty);
    }
    let (place, key): (&mut dyn TableLike, &str) = match detailed {
        true => (parameters.get_mut(&written)?.as_table_like_mut()?, "value"),
        false => (parameters, &written),
    };
    let new = match place.get(key).and_then(Item::as_value) {
        // Components that the text leaves out have the language's default, and stay left out.
        Some(Value::Array(old)) if is_filled(value, old.len()) => components(&value[..old.len()]),
        Some(Value::Array(_)) | None => components(value),
        // A single number sets all four components.
        Some(_) => component(value[0]),
    };
    set(place, key, new);
    Some(())
}

/// Writes the type of a parameter. Removes the keys that only fp32 numbers have.
fn number_type(parameter: &mut dyn TableLike, ty: NumberType) {
    if ty == NumberType::Float {
        if parameter.contains_key("type") {
            set(parameter, "type", ty.name().into());
        }
        return;
    }
    for key in ["widget", "min", "max"] {
        parameter.remove(key);
    }
    if parameter.get("value").is_none() {
        set(parameter, "value", list([]));
    }
    set(parameter, "type", ty.name().into());
}

/// Whether the components after the first `count` are the defaults 0, 0, 0, 1.
fn is_filled(value: &[Component; 4], count: usize) -> bool {
    let fill = Component::fill(value[0].number_type());
    (1..=4).contains(&count) && value[count..] == fill[count..]
}

/// Removes the selections whose keys match `is_it`.
fn remove_subroutines(document: &mut DocumentMut, is_it: impl Fn(&SubroutineKey) -> bool) -> Option<()> {
    let Some(item) = document.get_mut("subroutines") else { return Some(()) };
    let chosen = item.as_table_like_mut()?;
    let of = |key: &str| SubroutineKey::parse(key).is_some_and(|key| is_it(&key));
    let gone: Vec<String> =
        chosen.iter().map(|(key, _)| key).filter(|key| of(key)).map(str::to_owned).collect();
    for key in gone {
        chosen.remove(&key);
    }
    drop_empty(document.as_table_mut(), "subroutines");
    Some(())
}

fn set_track(document: &mut DocumentMut, track: Track) -> Option<()> {
    let register = i64::from(track.register);
    let written = tables(document, "track")?;
    let of = |table: &Table| integer(table, "register");
    if !written.iter().any(|table| of(table) == Some(register)) {
        // Tracks are in the order of their registers, so a track that is removed and added again keeps its
        // place.
        let behind = written.iter().position(|table| of(table) > Some(register)).unwrap_or(written.len());
        written.insert(behind, Table::from_iter([("register", Value::from(register))]));
    }
    let table = written.iter_mut().find(|table| of(table) == Some(register))?;
    set(table, "matrix", track.matrix.to_string().into());
    if table.contains_key("transform") || track.transform != super::MatrixTransform::Identity {
        set(table, "transform", OneOf(&TRANSFORMS).write(&track.transform)?);
    }
    Some(())
}

/// Removes the tables of `[[key]]` that match `is_it`.
fn remove_tables(document: &mut DocumentMut, key: &str, is_it: impl Fn(&Table) -> bool) -> Option<()> {
    tables(document, key)?.retain(|table| !is_it(table));
    drop_empty(document.as_table_mut(), key);
    Some(())
}

/// Removes the table of `[[key]]` with this number.
fn remove_numbered(document: &mut DocumentMut, key: &str, number: usize) -> Option<()> {
    let written = tables(document, key)?;
    if number < written.len() {
        written.remove(number);
    }
    drop_empty(document.as_table_mut(), key);
    Some(())
}

/// Writes the keys of the camera that differ between `old` and `new`.
fn camera(document: &mut DocumentMut, old: &Camera, new: &Camera) -> Option<()> {
    let [old, new] = [old, new].map(|camera| View { camera: *camera, model: Vec::new() });
    CAMERA.write_changes(table(document.as_table_mut(), "camera")?, &old, &new);
    Some(())
}

/// Writes another mesh. Removes the arrays of the previous mesh, but keeps the arrays of instances.
fn mesh(document: &mut DocumentMut, source: &MeshSource) -> Option<()> {
    let name = match source {
        MeshSource::File(name) => name.clone(),
        built_in => MeshSource::BUILT_IN.iter().find(|(s, _)| s == built_in)?.1.to_owned(),
    };
    let geometry = table(document.as_table_mut(), "geometry")?;
    for key in ["primitive", "count", "indices", "restart"] {
        geometry.remove(key);
    }
    if *source == MeshSource::Viewport {
        geometry.remove("adjacency");
        geometry.remove("patches");
    }
    set(geometry, "mesh", name.into());
    let of_vertices = |table: &Table| integer(table, "divisor").unwrap_or(0) == 0;
    remove_tables(document, "attribute", |table| !table.contains_key("value") && of_vertices(table))?;
    Some(())
}

/// Writes another format. Removes a clear value that the new format cannot have.
fn attachment(document: &mut DocumentMut, scene: &Scene, number: u8, format: ColorFormat) -> Option<()> {
    let old = scene.attachment(number).format;
    let written = tables(document, "attachment")?;
    let place = written.len();
    let table = find_or_add(written, is_attachment(number), |table| {
        if place != usize::from(number) {
            set(table, "number", whole(number.into()));
        }
    })?;
    set(table, "format", format.name().into());
    if old.integer_range() != format.integer_range() {
        table.remove("clear");
    }
    Some(())
}

/// Matches the table of `[[attachment]]` for output colour `number`.
fn is_attachment(number: u8) -> impl Fn(usize, &Table) -> bool {
    move |index, table| integer(table, "number").unwrap_or(index as i64) == i64::from(number)
}

/// Writes another clear value: for the attachment if the text describes it, otherwise for all buffers.
fn clear_color(document: &mut DocumentMut, scene: &Scene, number: u8, color: &[f32; 4]) -> Option<()> {
    if !scene.attachments.iter().any(|attachment| attachment.number == number) {
        set(table(document.as_table_mut(), "clear")?, "color", numbers(color));
        return Some(());
    }
    let integers = Attachment { clear: *color, ..scene.attachment(number) }.clear_integers();
    let value = integers.map_or_else(|| numbers(color), |integers| list(integers.map(Value::from)));
    let table = find_or_add(tables(document, "attachment")?, is_attachment(number), |_| {})?;
    set(table, "clear", value);
    Some(())
}

fn is_texture(table: &Table, unit: u8, target: TextureTarget) -> bool {
    let named = table.get("target").and_then(Item::as_str).unwrap_or("2D");
    integer(table, "unit") == Some(unit.into()) && named == target.image().name()
}

/// Writes the differences of `spec` from the texture in the text, or from the defaults for a new texture.
fn texture(document: &mut DocumentMut, scene: &Scene, spec: &TextureSpec) -> Option<()> {
    let (unit, target) = (spec.unit, spec.target.image());
    let there = scene.textures.iter().map(super::SceneTexture::spec);
    let old = there.into_iter().find(|old| (old.unit, old.target) == (unit, target)).cloned();
    let is_new = old.is_none();
    let initial = TextureSpec::new(unit, target, ImageSource::Builtin("xor".to_owned()));
    let mut old = old.unwrap_or_else(|| initial.clone());
    let initial = initial.in_format(spec.format);
    let written = tables(document, "texture")?;
    let table = find_or_add(
        written,
        |_, table| is_texture(table, unit, target),
        |table| {
            set(table, "unit", whole(unit.into()));
            if target != TextureTarget::D2 {
                set(table, "target", target.name().into());
            }
        },
    )?;
    if is_new || (&old.images, &old.mipmaps) != (&spec.images, &spec.mipmaps) {
        images(table, spec, &initial.mipmaps);
    }
    // A filter that the text does not set is the format's default.
    if !table.contains_key("min_filter") {
        old.sampler.min_filter = initial.sampler.min_filter;
    }
    if !table.contains_key("mag_filter") {
        old.sampler.mag_filter = initial.sampler.mag_filter;
    }
    // Modes in brackets stay in brackets.
    if old.sampler.wrap != spec.sampler.wrap && table.get("wrap").is_some_and(Item::is_array) {
        set(table, "wrap", list(spec.sampler.wrap.iter().map(|mode| mode.name().into())));
        old.sampler.wrap = spec.sampler.wrap;
    }
    TEXTURE.write_changes(table, &old, &TextureSpec { target, ..spec.clone() });
    Some(())
}

/// Writes the image of level 0, or the images of all levels. Writes `mipmaps` if `spec` differs from
/// `mipmaps`, the format's default.
fn images(table: &mut Table, spec: &TextureSpec, mipmaps: &Mipmaps) {
    let names = |sources: &[ImageSource]| list(sources.iter().map(|source| source.to_string().into()));
    let (key, value): (&str, Value) = match (&spec.mipmaps, spec.images.as_slice()) {
        (Mipmaps::Given(levels), _) => ("levels", names(levels)),
        (_, [ImageSource::Values(values)]) => ("values", list(values.numbers().map(exact))),
        (_, [ImageSource::Store(name)]) => ("file", name.as_str().into()),
        (_, [image]) => ("image", image.to_string().into()),
        (_, images) => ("images", names(images)),
    };
    for other in ["image", "images", "levels", "values", "file", "size"] {
        if other != key {
            table.remove(other);
        }
    }
    set(table, key, value);
    if let (_, [ImageSource::Values(values)]) = (&spec.mipmaps, spec.images.as_slice())
        && !size_is_known(spec.target)
    {
        set(table, "size", list(values.size.iter().map(|side| whole(*side))));
    }
    let made = *mipmaps == Mipmaps::Generate;
    let mode = match spec.mipmaps {
        Mipmaps::Given(_) => None,
        Mipmaps::Generate => (!made || table.contains_key("mipmaps")).then_some("generate"),
        Mipmaps::None => (made || table.contains_key("mipmaps")).then_some("none"),
    };
    set_or_remove(table, "mipmaps", mode.map(Value::from));
}

/// Returns `[[state_program]]`. Converts `state` of `[program]` to it.
fn state_programs<'d>(
    document: &'d mut DocumentMut,
    scene: &Scene,
) -> Option<&'d mut toml_edit::ArrayOfTables> {
    let plain = document.get_mut("program").and_then(Item::as_table_like_mut);
    let names: Vec<String> = match plain.and_then(|table| table.remove("state")) {
        Some(_) => {
            let states = scene.programs.iter().filter(|(slot, _)| matches!(slot, Slot::State(_)));
            states.map(|(_, program)| program.name.clone()).collect()
        }
        None => Vec::new(),
    };
    drop_empty(document.as_table_mut(), "program");
    let written = tables(document, "state_program")?;
    for name in names {
        written.push(Table::from_iter([("file", Value::from(name))]));
    }
    Some(written)
}

fn add_program(document: &mut DocumentMut, scene: &Scene, slot: Slot, name: &str) -> Option<()> {
    match slot {
        Slot::Vertex | Slot::TessControl | Slot::TessEvaluation | Slot::Geometry | Slot::Fragment => {
            set(table(document.as_table_mut(), "program")?, slot.key(), name.into());
        }
        Slot::State(_) => {
            state_programs(document, scene)?.push(Table::from_iter([("file", Value::from(name))]));
        }
    }
    if slot != Slot::Fragment {
        prepare_for_vertices(document, scene)?;
    }
    let has_mesh = !matches!(scene.mesh.source(), MeshSource::Viewport | MeshSource::Arrays);
    if matches!(slot, Slot::TessControl | Slot::TessEvaluation) && has_mesh {
        draw_patches(document)?;
    }
    Some(())
}

/// Sets the mesh to be drawn as patches.
fn draw_patches(document: &mut DocumentMut) -> Option<()> {
    let geometry = table(document.as_table_mut(), "geometry")?;
    geometry.remove("adjacency");
    set(geometry, "patches", true.into());
    Some(())
}

fn remove_program(document: &mut DocumentMut, scene: &Scene, slot: Slot) -> Option<()> {
    match slot {
        Slot::Vertex | Slot::TessControl | Slot::TessEvaluation | Slot::Geometry | Slot::Fragment => {
            table(document.as_table_mut(), "program")?.remove(slot.key());
            drop_empty(document.as_table_mut(), "program");
            remove_subroutines(document, |key| key.slot == slot)?;
        }
        Slot::State(n) => {
            let written = state_programs(document, scene)?;
            if usize::from(n) < written.len() {
                written.remove(n.into());
            }
            drop_empty(document.as_table_mut(), "state_program");
        }
    }
    Some(())
}

/// Writes the tracks and parameters that [`Scene::prepare_for_vertices`] adds.
fn prepare_for_vertices(document: &mut DocumentMut, scene: &Scene) -> Option<()> {
    let mut prepared = scene.clone();
    prepared.prepare_for_vertices();
    for track in prepared.tracks.iter().filter(|track| !scene.tracks.contains(track)) {
        set_track(document, *track)?;
    }
    let added = prepared.parameters.iter().filter(|setting| !scene.parameters.contains(setting));
    for setting in added {
        let value = components(&setting.value);
        let value = match (setting.min, setting.max) {
            (0.0, 1.0) => value,
            (min, max) => inline([("value", value), ("min", number(min)), ("max", number(max))]),
        };
        set(table(document.as_table_mut(), "parameters")?, &setting.key.to_string(), value);
    }
    Some(())
}

/// The text of a `scene.toml` for the default scene around a program.
pub(super) fn default_text(scene: &Scene) -> String {
    let mut document = DocumentMut::new();
    let empty = Scene { tracks: Vec::new(), parameters: Vec::new(), ..scene.clone() };
    // The document is new, so no value is in the way.
    let _written = default_document(&mut document, scene, &empty);
    document.to_string()
}

fn default_document(document: &mut DocumentMut, scene: &Scene, empty: &Scene) -> Option<()> {
    for (slot, program) in scene.programs.iter() {
        match slot {
            Slot::State(n) => {
                let input = components(&scene.state_input(n));
                let entries = [("file", program.name.as_str().into()), ("input", input)];
                tables(document, "state_program")?.push(Table::from_iter(entries));
            }
            slot => {
                let name = program.name.as_str().into();
                set(table(document.as_table_mut(), "program")?, slot.key(), name);
            }
        }
    }
    if !scene.mesh.is_viewport() {
        mesh(document, scene.mesh.source())?;
        if scene.mesh.form() == MeshForm::Patches {
            draw_patches(document)?;
            let levels = scene.patches.levels;
            let written = table(document.as_table_mut(), "geometry")?;
            set(written, "patch_default_outer_level", numbers(&levels.outer));
            set(written, "patch_default_inner_level", numbers(&levels.inner));
        }
    }
    if !scene.tracks.is_empty() {
        prepare_for_vertices(document, empty)?;
    }
    Some(())
}

#[cfg(test)]
mod tests;
