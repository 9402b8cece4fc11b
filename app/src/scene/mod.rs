//! Scenes: the data that a program runs on, with every file loaded.
//!
//! A scene comes from a folder with a `scene.toml`, on disk or bundled into the binary. A program file by
//! itself gets the default scene. Nothing here runs programs: [`crate::session`] does.

mod arrays;
mod attachment;
mod buffers;
mod builtin;
mod error;
mod feedback;
mod folder;
mod frame_texture;
mod geometry;
mod image;
mod images;
mod lighting;
mod loader;
mod matrix;
mod mesh;
mod obj;
mod parameter_names;
mod parameter_table;
mod parameters;
mod parse;
mod preview;
mod program_table;
mod programs;
mod raster;
mod read;
pub mod schema;
mod subroutines;
#[cfg(test)]
mod tests;
mod texel_values;
mod texture;
mod texture_formats;
mod texture_image;
mod texture_table;
mod write;

pub use arrays::{ArrayInBuffer, MAX_INSTANCES, VertexArrays};
pub use attachment::{Attachment, OUTPUT_COLORS};
pub(crate) use buffers::{ACCESSES, MOST_BUFFERS};
pub use buffers::{
    BufferKeys, Contents, EachFrame, ElementType, ListedNumber, SceneBuffer, bound_name, is_buffer_name,
};
pub use error::SceneError;
pub use feedback::SceneFeedback;
pub(crate) use folder::read_limited;
pub use folder::{Folder, MAX_FILE_BYTES, MAX_SCENE_BYTES, MAX_TEXT_BYTES};
pub use frame_texture::{FrameTexture, SceneLayers};
pub(crate) use image::decode_rgba8;
pub use images::{ImageKeys, ImageLookup, ImageUnit, SceneImage};
pub use lighting::{LightingSetting, LightingState};
pub use loader::{Known, Reach};
pub(crate) use matrix::TRANSFORMS;
pub use matrix::{
    DEFAULT_TRACKS, MATRIX_COUNT, MatrixName, MatrixOperation, MatrixSource, MatrixTransform, Track,
};
pub use mesh::{MeshForm, MeshSource, SceneMesh};
pub use parameters::{
    AutoSource, Component, DEFAULT_P0, Half, NumberType, ParameterKey, ParameterSetting, Widget,
    parameter_key,
};
pub(crate) use parse::utf8;
pub use preview::Preview;
pub use programs::{ProgramFile, Programs, Slot};
pub(crate) use raster::{CULL_FACES, DEPTH_TESTS, LOGIC_OPS, SAMPLES};
pub(crate) use read::{Entry, Table, TomlFile};
pub use shadestep_engine::gl::FogEquation;
pub use shadestep_engine::pipeline::{
    AttributeSource, Camera, Clear, CompareFunc, DepthState as Depth, Patches, RasterState,
};
pub use subroutines::{SubroutineChoice, SubroutineKey, SubroutineLabels, subroutine_labels};
pub use texel_values::TexelValues;
pub(crate) use texture::{COMPARISONS, default_texture};
pub use texture::{ImageSource, Mipmaps, SceneTexture, TextureSpec, asset_names, builtin_names};

pub use texture_formats::FormatGroup;
pub use write::{SceneEdit, Setting, StateKey, StateSetting, edited};

use crate::{embedded, suggest};
use shadestep_engine::memory::AddressBits;
use shadestep_engine::pipeline::TessellationLevels;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::OnceLock;

/// Prefix for the names of programs that the default scene adds to a program.
const VIEWER: &str = "viewer.";

/// Limit on the width and height of a picture, in pixels.
pub const MAX_SIZE: u32 = 8192;

/// Default width and height, in pixels.
pub const DEFAULT_SIZE: [u32; 2] = [512, 512];

/// All inputs of a draw: programs, geometry, state and memory.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Short name: the name of the folder or of the program file.
    pub name: String,
    /// Title, for display.
    pub title: String,
    /// The text of the `scene.toml`.
    pub toml: String,
    /// The path of the `scene.toml`, if it is on disk.
    pub file: Option<PathBuf>,
    /// The folder of the scene's files.
    pub folder: Folder,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The programs, at least one. Without a vertex program the built-in transform draws the mesh. Without a
    /// fragment program the result is colour 0 modulated by texture 0.
    pub programs: Programs<ProgramFile>,
    /// The value of `v[0]` for each vertex state program, in their order.
    pub state_inputs: Vec<[Component; 4]>,
    /// The geometry.
    pub mesh: SceneMesh,
    /// Vertex attributes for vertex programs, in addition to the attributes of [`Self::mesh`].
    pub attributes: Vec<(u8, AttributeSource)>,
    /// The attributes whose arrays are in buffers. The arrays here hold the buffers' first contents.
    pub arrays_in_buffers: Vec<ArrayInBuffer>,
    /// The number of instances, each with another `vertex.instance`.
    pub instances: u32,
    /// The transform feedback of the draw.
    pub feedback: Vec<SceneFeedback>,
    /// The index in [`Self::feedback`] of the recording whose vertex count the draw uses
    /// (`DrawTransformFeedback`). The count is that of the frame before.
    pub drawn_again: Option<usize>,
    /// The state of patches, for draws of patches.
    pub patches: Patches,
    /// The camera: the projection matrix, and the modelview matrix before [`Self::model`].
    pub camera: Camera,
    /// The model transform, first operation first: the other part of the modelview matrix.
    pub model: Vec<MatrixOperation>,
    /// Texture and tracking matrices that the scene sets. Other matrices are the identity.
    pub matrices: Vec<(MatrixName, MatrixSource)>,
    /// Registers that track matrices.
    pub tracks: Vec<Track>,
    /// Parameters that the scene sets. By default `p[0]` is (time, width, height, 1), other numbered
    /// parameters and registers are 0, and named parameters have their initial values.
    pub parameters: Vec<ParameterSetting>,
    /// The names of the parameters in the text.
    parameter_names: Vec<parameter_names::ParameterName>,
    /// The subroutines that SUBROUTINE variables call. The default is the first subroutine of the variable's
    /// type.
    pub subroutines: Vec<SubroutineChoice>,
    /// Textures, at most one per unit and target. Other units have `builtin:xor`.
    pub textures: Vec<SceneTexture>,
    /// The picture of the last frame as textures.
    pub frame_textures: Vec<FrameTexture>,
    /// The layers of the framebuffer.
    pub layers: SceneLayers,
    /// Memory that programs read and write. The texels of [`Self::images`] come last.
    pub buffers: Vec<SceneBuffer>,
    /// Textures whose texels programs read and write.
    pub images: Vec<SceneImage>,
    /// The size of buffer addresses.
    pub address_bits: AddressBits,
    /// Whether programs that write memory run in any order, on all threads. Otherwise they run in draw order.
    pub any_order: bool,
    /// Warnings about a valid scene, such as incomplete textures and state without effect.
    pub warnings: Vec<SceneError>,
    /// The first contents of the buffers, except for the colours of [`Self::attachments`].
    pub clear: Clear,
    /// The colour buffers of output colours. Other output colours have buffers of fp32 numbers.
    pub attachments: Vec<Attachment>,
    /// Fixed-function state between vertices and pixels, including the depth test.
    pub raster: RasterState,
    /// The fog equation of draws without a fragment program, if fog is on.
    pub fog: Option<FogEquation>,
    /// Lights, materials, fog and other GL state that ARB programs can bind.
    pub lighting: Vec<LightingSetting>,
    pub readme: Option<String>,
    /// Files on disk that the scene was loaded from. It is reloaded when they change.
    pub watched: Vec<PathBuf>,
    /// The numbers in the files of `[[attribute]]`.
    array_files: Vec<loader::ArrayFile>,
}

/// The default first contents of a scene's buffers.
pub const DEFAULT_CLEAR: Clear = Clear { color: [0.1, 0.1, 0.12, 1.0], depth: 1.0, stencil: 0 };

/// The default `v[0]` of a state program: (0, 0, 0, 1).
pub const DEFAULT_STATE_INPUT: [Component; 4] = {
    let zero = Component::Constant(0.0);
    [zero, zero, zero, Component::Constant(1.0)]
};

/// The evaluation program for viewing a control program opened alone. It interpolates the patch's three
/// vertices.
const EVALUATION_VIEWER: &str = include_str!("../model/templates/evaluation.tep");

/// The vertex program for viewing a vertex state program opened alone. The colour is `c[14]`, which the state
/// program may write.
const STATE_VIEWER: &str = "!!VP1.1\n# Shows the result of a state program: c[14] is the colour of the model.\nDP4 o[HPOS].x, c[0], v[OPOS];\nDP4 o[HPOS].y, c[1], v[OPOS];\nDP4 o[HPOS].z, c[2], v[OPOS];\nDP4 o[HPOS].w, c[3], v[OPOS];\nMOV o[COL0], c[14];\nMOV o[TEX0], v[TEX0];\nEND\n";

/// The direction to the light for a vertex program opened alone, a unit vector.
const DEFAULT_LIGHT: [f32; 3] = [0.48, 0.64, 0.6];

/// Name of the file that describes a scene.
pub const SCENE_FILE: &str = "scene.toml";

/// Loads a scene from its `scene.toml` or its folder.
///
/// # Errors
/// An error in `scene.toml` (with the place of the key) or in a file that it names.
pub fn load(path: &Path) -> Result<Scene, SceneError> {
    let (folder, file) = if path.is_dir() {
        (path, SCENE_FILE)
    } else {
        let name = path.file_name().and_then(|name| name.to_str());
        let name =
            name.ok_or_else(|| SceneError::new(path.display().to_string(), "this is not a file name"))?;
        (path.parent().unwrap_or(Path::new("")), name)
    };
    let display = folder.join(file).display().to_string();
    let absolute = folder.canonicalize().ok();
    let name = absolute.as_deref().unwrap_or(folder).file_name();
    let name = name.map_or_else(|| "scene".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut scene = parse::load(&name, &Folder::Disk(folder.to_path_buf()), file)
        .map_err(|error| if error.file == file { SceneError { file: display, ..error } } else { error })?;
    scene.at(folder.join(file));
    Ok(scene)
}

/// Loads the scene of any folder. Errors about `scene.toml` call it by its bare name.
///
/// # Errors
/// As [`load`].
pub fn load_in(folder: Folder) -> Result<Scene, SceneError> {
    parse::load("scene", &folder, SCENE_FILE)
}

/// The reason that a text gives no scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// [`Reach::Known`] forbids reading a file that the text names.
    Unread,
    /// The text, or a file that it names, has an error.
    Fault(SceneError),
}

/// Reads `text` as a `scene.toml` with the files of `folder`. `path` is its place on disk, if it has one yet.
///
/// # Errors
/// See [`ReadError`].
pub fn read(
    text: &str,
    (name, path): (&str, Option<&Path>),
    folder: &Folder,
    known: Known<'_>,
    reach: Reach,
) -> Result<Scene, ReadError> {
    let open = folder.open();
    let loader = loader::Loader::new(&open, known, reach);
    let read = parse::read(name, SCENE_FILE, text, &loader);
    if read.is_err() && loader.has_missed() {
        return Err(ReadError::Unread);
    }
    let mut scene = read.map_err(ReadError::Fault)?;
    if let Some(path) = path {
        scene.at(path.to_path_buf());
    }
    Ok(scene)
}

/// Loads the target that the user names on the command line: a program file, a scene folder, a `scene.toml`
/// or the name of a bundled sample (with or without its leading number).
///
/// # Errors
/// As [`load`], or the target does not exist.
pub fn open(target: impl AsRef<OsStr>) -> Result<Scene, SceneError> {
    let path = Path::new(target.as_ref());
    let target = &*path.to_string_lossy();
    if path.is_dir() || (path.extension().is_some_and(|e| e == "toml") && path.exists()) {
        return load(path);
    }
    let named = || bundled().iter().find(|sample| sample.is_called(target)).map(|sample| sample.name);
    if !path.exists()
        && let Some(name) = named().or_else(|| bundled_folder(target))
    {
        return load_bundled(name);
    }
    let text = read_limited(path, target, MAX_TEXT_BYTES).map_err(|mut error| {
        if !path.exists() {
            let names = bundled().iter().map(|sample| sample.name);
            error.message.push_str(", and no bundled sample has this name");
            error.message.push_str(&suggest::did_you_mean(target, names));
        }
        error
    })?;
    let name = path.file_name().map_or_else(|| target.to_owned(), |name| name.to_string_lossy().into_owned());
    Ok(Scene::for_program(&name, Some(path), text))
}

/// One sample compiled into the binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// Folder name, e.g. `01-first-move`.
    pub name: &'static str,
    /// The heading of its README, or else the folder's name.
    pub title: &'static str,
    /// The heading of its group in the samples' README, or empty.
    pub chapter: &'static str,
}

impl Bundled {
    /// Loads the scene.
    ///
    /// # Errors
    /// As [`load`].
    pub fn load(&self) -> Result<Scene, SceneError> {
        load_bundled(self.name)
    }

    /// Whether `word` is the name, with or without the leading number and hyphen.
    fn is_called(&self, word: &str) -> bool {
        let bare = self.name.trim_start_matches(|c: char| c.is_ascii_digit());
        self.name == word || bare.trim_start_matches('-') == word
    }
}

/// Loads the scene in the folder `name` among the samples that are compiled into the binary.
///
/// # Errors
/// As [`load`].
pub fn load_bundled(name: &'static str) -> Result<Scene, SceneError> {
    let short = name.rsplit('/').next().unwrap_or(name);
    parse::load(short, &Folder::Bundled(name), SCENE_FILE).map_err(|error| {
        let file = format!("{name}/{}", error.file);
        SceneError { file, ..error }
    })
}

/// Returns the bundled scene folder called `name`: a sample, or a lesson as `lessons/NAME`.
pub fn bundled_folder(name: &str) -> Option<&'static str> {
    let mut folders = embedded::files_in("samples/").filter_map(|(path, _)| path.strip_suffix("/scene.toml"));
    folders.find(|folder| *folder == name)
}

/// The samples compiled into the binary, in order of their numbers.
pub fn bundled() -> &'static [Bundled] {
    static SAMPLES: OnceLock<Vec<Bundled>> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        let folders = embedded::files_in("samples/").filter_map(|(path, _)| path.strip_suffix("/scene.toml"));
        let chapters = chapters(text_of("README.md"));
        let sample = |name: &'static str| {
            let heading =
                text_of(&format!("{name}/README.md")).lines().find_map(|line| line.strip_prefix("# "));
            let chapter =
                chapters.iter().find(|(listed, _)| *listed == name).map_or("", |(_, chapter)| chapter);
            Bundled { name, title: heading.map_or(name, str::trim), chapter }
        };
        let mut samples: Vec<Bundled> = folders.filter(|name| !name.contains('/')).map(sample).collect();
        samples.sort_by_key(|sample| {
            sample.name.split('-').next().and_then(|number| number.parse::<u32>().ok())
        });
        samples
    })
}

/// Returns a bundled text from the samples, or an empty text if it does not exist.
fn text_of(path: &str) -> &'static str {
    let bytes = embedded::file(&format!("samples/{path}"));
    bytes.and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}

/// The samples in the table of the samples' README, each with the bold row above it.
fn chapters(readme: &str) -> Vec<(&str, &str)> {
    let mut chapter = "";
    let mut listed = Vec::new();
    for line in readme.lines() {
        if let Some((heading, _)) = line.strip_prefix("| **").and_then(|rest| rest.split_once("**")) {
            chapter = heading;
        } else if let Some((name, _)) = line.strip_prefix("| [").and_then(|rest| rest.split_once(']')) {
            listed.push((name, chapter));
        }
    }
    listed
}

impl Scene {
    /// A scene with the defaults of `scene.toml`, without programs.
    fn empty(name: &str, folder: Folder) -> Self {
        Self {
            name: name.to_owned(),
            title: name.to_owned(),
            toml: String::new(),
            file: None,
            folder,
            size: DEFAULT_SIZE,
            programs: Programs::default(),
            images: Vec::new(),
            address_bits: AddressBits::default(),
            any_order: false,
            state_inputs: Vec::new(),
            mesh: SceneMesh::viewport(),
            attributes: Vec::new(),
            arrays_in_buffers: Vec::new(),
            instances: 1,
            feedback: Vec::new(),
            drawn_again: None,
            patches: Patches::DEFAULT,
            camera: Camera::default(),
            model: Vec::new(),
            matrices: Vec::new(),
            tracks: Vec::new(),
            parameters: Vec::new(),
            parameter_names: Vec::new(),
            subroutines: Vec::new(),
            textures: Vec::new(),
            frame_textures: Vec::new(),
            layers: SceneLayers::ONE,
            buffers: Vec::new(),
            warnings: Vec::new(),
            clear: DEFAULT_CLEAR,
            attachments: Vec::new(),
            raster: RasterState::DEFAULT,
            fog: None,
            lighting: Vec::new(),
            readme: None,
            watched: Vec::new(),
            array_files: Vec::new(),
        }
    }

    /// The default scene for a program `text`, as [`Self::toml`] describes it. A fragment program gets a quad
    /// over the viewport, without parameters or textures. Other programs get a sphere and the additions of
    /// [`Self::prepare_for_vertices`].
    pub fn for_program(name: &str, path: Option<&Path>, text: impl Into<Arc<[u8]>>) -> Self {
        let text = text.into();
        let slot = Slot::of_text(&text);
        let file = ProgramFile { name: name.to_owned(), path: path.map(Path::to_path_buf), text };
        let folder = path.and_then(Path::parent).map_or_else(PathBuf::new, Path::to_path_buf);
        let mut scene = Self::empty(name, Folder::Disk(folder));
        scene.programs.insert(slot, file);
        scene.watched.extend(path.map(Path::to_path_buf));
        if slot != Slot::Fragment {
            scene.mesh = SceneMesh::sphere();
            scene.raster.depth = Depth::LESS;
            scene.prepare_for_vertices();
        }
        let mut view_through = |slot: Slot, text: &str| {
            let name = format!("{VIEWER}{}", slot.extension());
            scene.programs.insert(slot, ProgramFile { name, path: None, text: text.as_bytes().into() });
        };
        match slot {
            Slot::State(_) => {
                view_through(Slot::Vertex, STATE_VIEWER);
                scene.state_inputs.push(DEFAULT_P0);
            }
            Slot::TessControl => view_through(Slot::TessEvaluation, EVALUATION_VIEWER),
            _ => {}
        }
        if matches!(slot, Slot::TessControl | Slot::TessEvaluation) {
            scene.mesh = scene.mesh.drawn_as(MeshForm::Patches);
            scene.patches.levels = TessellationLevels { outer: [4.0; 4], inner: [4.0; 2] };
        }
        scene.toml = write::default_text(&scene);
        scene.parameter_names = parameter_names::of_text(&scene.toml);
        scene
    }

    /// Whether a program was opened alone, without a `scene.toml`.
    pub fn is_of_one_program(&self) -> bool {
        let own = self.programs.iter().filter(|(_, program)| !program.name.starts_with(VIEWER)).count();
        self.file.is_none() && matches!(self.folder, Folder::Disk(_)) && own <= 1
    }

    /// Adds the default inputs of vertex programs: the default tracks, `c[12]` = (time, width, height, 1),
    /// and the direction to the light in `c[13]`. Values that the scene sets stay.
    pub fn prepare_for_vertices(&mut self) {
        if self.tracks.is_empty() {
            let taken = |track: &Track| {
                self.parameters.iter().any(|p| matches!(p.key, ParameterKey::Register(n) if track.covers(n)))
            };
            self.tracks = DEFAULT_TRACKS.into_iter().filter(|track| !taken(track)).collect();
        }
        let [x, y, z] = DEFAULT_LIGHT.map(Component::Constant);
        for (register, value, min) in [(12, DEFAULT_P0, 0.0), (13, [x, y, z, Component::Constant(0.0)], -1.0)]
        {
            let key = ParameterKey::Register(register);
            let taken = self.parameters.iter().any(|setting| setting.key == key)
                || self.tracks.iter().any(|track| track.covers(register));
            if !taken {
                let setting = ParameterSetting { key, value, components: 4, widget: None, min, max: 1.0 };
                self.parameters.push(setting);
            }
        }
    }

    /// Records that [`Self::toml`] is the text of `file`.
    fn at(&mut self, file: PathBuf) {
        self.watched.insert(0, file.clone());
        self.file = Some(file);
    }

    /// Completes an error in the scene's text with the path of the file.
    pub(crate) fn fault_of_file(&self, fault: SceneError) -> SceneError {
        let file = match (&self.file, &self.folder) {
            (Some(file), _) => file.display().to_string(),
            (None, Folder::Bundled(name)) => format!("{name}/{SCENE_FILE}"),
            (None, Folder::Disk(_) | Folder::Memory(_) | Folder::With(..)) => return fault,
        };
        SceneError { file, ..fault }
    }

    /// The names of the number files in `[[attribute]]`.
    pub fn array_file_names(&self) -> impl Iterator<Item = &str> {
        self.array_files.iter().map(|file| file.name.as_str())
    }

    /// The program that is shown first (see [`Programs::main`]). `None` only for a scene without programs.
    pub fn main_program(&self) -> Option<&ProgramFile> {
        self.programs.get(self.programs.main()?)
    }

    pub fn state_input(&self, n: u8) -> [Component; 4] {
        self.state_inputs.get(usize::from(n)).copied().unwrap_or(DEFAULT_STATE_INPUT)
    }

    /// The vertices for vertex programs: the attributes of the mesh and of the scene.
    ///
    /// # Errors
    /// A sentence, if the attributes do not fit the mesh, for example after the user chose another mesh.
    pub fn vertex_arrays(&self) -> Result<VertexArrays, String> {
        self.mesh.arrays().clone().with(&self.attributes)
    }
}
