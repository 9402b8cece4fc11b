//! Reads `scene.toml` into a [`Scene`]. docs/scene.md documents the format. Every error has the place of its
//! key.

use super::geometry::{self, VertexProgram};
use super::loader::{Known, Loader, Reach};
use super::matrix::{MATRICES, Matrices, Operations};
use super::raster::{DEPTH, STATE};
use super::read::{Entry, Table, TomlFile};
use super::schema::{Floats, Number, ROOT, Root, Schema, Whole, schema};
use super::{
    Camera, Clear, DEFAULT_CLEAR, Depth, Folder, MatrixOperation, MeshSource, Scene, SceneError, Slot,
    arrays, attachment, buffers, feedback, frame_texture, images, lighting, matrix, parameter_names,
    parameter_table, program_table, subroutines, texture_table,
};
use shadestep_engine::pipeline::CameraError;
use shadestep_engine::source::{LineIndex, Span};

/// Reads the scene in `file` of `folder`, and every file that it names. Errors call the file `file`.
pub(super) fn load(name: &str, folder: &Folder, file: &str) -> Result<Scene, SceneError> {
    let open = folder.open();
    let bytes = open.read_scene(file)?;
    read(name, file, utf8(file, &bytes)?, &Loader::new(&open, Known::default(), Reach::Files))
}

/// Checks that `bytes`, the contents of `file`, are UTF-8.
pub(crate) fn utf8<'b>(file: &str, bytes: &'b [u8]) -> Result<&'b str, SceneError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let place = LineIndex::new(bytes).line_column(at);
        SceneError::new(file, "the file is not UTF-8 text").at(Span::at(at), place)
    })
}

/// Reads `text` as a scene, with other files from `loader`. Errors call the text `file`.
pub(super) fn read(name: &str, file: &str, text: &str, loader: &Loader<'_>) -> Result<Scene, SceneError> {
    let source = TomlFile::new(file.to_owned(), text);
    let parsed = source.parse(text)?;
    let root = Table::new(&source, parsed.get_ref(), 0..0, "at the top of the file");
    let mut scene = scene(name, loader, &root)?;
    text.clone_into(&mut scene.toml);
    Ok(scene)
}

fn scene(name: &str, loader: &Loader<'_>, root: &Table<'_>) -> Result<Scene, SceneError> {
    let mut top = Root::new(name);
    ROOT.read(root, &mut top)?;
    let mut scene = Scene::empty(name, loader.folder().clone());
    scene.layers = top.layers(root)?;
    Root {
        title: scene.title,
        size: scene.size,
        address_bits: scene.address_bits,
        any_order: scene.any_order,
        ..
    } = top;
    (scene.programs, scene.state_inputs) = program_table::programs(loader, root)?;
    scene.buffers = buffers::buffers(loader, &buffers::BUFFER.tables(root, "buffer")?)?;
    scene.feedback = feedback::feedback(&feedback::FEEDBACK.tables(root, "feedback")?, &scene.buffers)?;
    let program = match scene.programs.get(Slot::Vertex) {
        Some(_) => VertexProgram::Own,
        None => VertexProgram::BuiltIn,
    };
    let vertices = geometry::vertices(loader, root, (&scene.buffers, &scene.feedback), program)?;
    let geometry::Vertices { mesh, attributes, instances, patches, drawn_again } = vertices;
    (scene.mesh, scene.instances, scene.patches, scene.drawn_again) = (mesh, instances, patches, drawn_again);
    (scene.attributes, scene.arrays_in_buffers) = (attributes.sources, attributes.in_buffers);
    View { camera: scene.camera, model: scene.model } = view(root)?;
    scene.matrices = MATRICES.read_in(root, "matrices", Matrices::default())?.0;
    scene.tracks = matrix::tracks(root)?;
    scene.images = images::images(loader, &images::IMAGE.tables(root, "image")?, &mut scene.buffers)?;
    if let Some(entry) = root.get("parameters") {
        let table = entry.table("in [parameters]")?;
        scene.parameters = parameter_table::parameters(&table, &scene.tracks, &scene.buffers)?;
        scene.parameter_names = parameter_names::read(&table);
    }
    if let Some(entry) = root.get("subroutines") {
        scene.subroutines = subroutines::read(&entry.table("in [subroutines]")?, &scene.programs)?;
    }
    let taken = (&scene.images[..], &scene.buffers[..]);
    let texture_tables = texture_table::TEXTURE.tables(root, "texture")?;
    scene.textures = texture_table::textures(loader, &texture_tables)?;
    for (table, texture) in texture_tables.iter().zip(&scene.textures) {
        images::apart(table, "unit", (texture.spec().unit, texture.spec().target), taken)?;
    }
    scene.warnings = texture_table::warnings(&texture_tables, &scene.textures);
    scene.warnings.extend(arrays::warning(root, scene.mesh.arrays())?);
    scene.clear = CLEAR.read_in(root, "clear", DEFAULT_CLEAR)?;
    if *scene.mesh.source() != MeshSource::Viewport {
        scene.raster.depth = Depth::LESS;
    }
    scene.raster = DEPTH.read_in(root, "depth", scene.raster)?;
    scene.raster = STATE.read_in(root, "state", scene.raster)?;
    let attachment_tables = attachment::ATTACHMENT.tables(root, "attachment")?;
    scene.attachments = attachment::attachments(&attachment_tables, &scene.clear)?;
    scene.warnings.extend(attachment::warnings(&attachment_tables, &scene.attachments, &scene.raster));
    frame_texture::check_framebuffer(root, (scene.size, scene.raster.multisample.samples), scene.layers)?;
    let frame_tables = frame_texture::FRAME_TEXTURE.tables(root, "frame_texture")?;
    let picture = (scene.layers, scene.size, &scene.attachments[..]);
    scene.frame_textures = frame_texture::frame_textures(&frame_tables, picture, &scene.textures, taken)?;
    (scene.lighting, scene.fog) = lighting::read(root)?;
    scene.readme = loader.readme();
    let programs = scene.programs.iter().filter_map(|(_, program)| program.path.clone());
    scene.watched = programs.chain(scene.mesh.file().cloned()).chain(attributes.files).collect();
    scene.watched.extend(scene.buffers.iter().filter_map(|buffer| buffer.file().cloned()));
    scene.watched.extend(scene.textures.iter().flat_map(|t| t.files().iter().cloned()));
    scene.watched.extend(scene.folder.path_of("README.md").filter(|_| scene.readme.is_some()));
    scene.array_files = loader.array_files();
    Ok(scene)
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct View {
    pub camera: Camera,
    pub model: Vec<MatrixOperation>,
}

/// `[camera]`.
pub(super) static CAMERA: Schema<View> = schema! { View, "in [camera]";
    "eye": Floats::<3>(Number::Any), [camera.eye], "`[0, 0, 3]`", "Position of the eye.";
    "target": Floats::<3>(Number::Any), [camera.target], "`[0, 0, 0]`", "Point in the middle of the picture.";
    "up": Floats::<3>(Number::Any), [camera.up], "`[0, 1, 0]`", "Direction that points up in the picture.";
    "fov": Number::Any, [camera.fov_y_degrees], "`45`", "Vertical field of view, in degrees.";
    "near": Number::Any, [camera.near], "`0.1`", "Distance of the near plane.";
    "far": Number::Any, [camera.far], "`100`", "Distance of the far plane.";
    "model": Operations, [model], "none", "Moves the mesh by these operations, the first one first.";
};

fn view(root: &Table<'_>) -> Result<View, SceneError> {
    let view = CAMERA.read_in(root, "camera", View::default())?;
    let Err(error) = view.camera.check() else { return Ok(view) };
    let key = match error {
        CameraError::NotFinite | CameraError::EyeIsTarget => "eye",
        CameraError::UpAlongView => "up",
        CameraError::FieldOfView => "fov",
        CameraError::Planes => "near",
    };
    match root.get("camera") {
        Some(entry) => Err(entry.table(CAMERA.place)?.error_at(key, error.to_string())),
        None => Ok(view),
    }
}

/// `[clear]`.
pub(super) static CLEAR: Schema<Clear> = schema! { Clear, "in [clear]";
    "color": Floats::<4>(Number::Any), [color], "`[0.1, 0.1, 0.12, 1]`", "Colour.";
    "depth": Number::Unit, [depth], "`1`", "Depth.";
    "stencil": Whole::<u8>::new(0, 255), [stencil], "`0`", "Stencil value.";
};

/// Converts an error in a file into an error at `entry`, which names the file.
pub(super) fn about_file(entry: &Entry<'_>, error: &SceneError) -> SceneError {
    let place = error.place.map_or_else(String::new, |p| format!(":{}:{}", p.line, p.column));
    entry.error(format!("{}{place}: {}", error.file, error.message))
}
