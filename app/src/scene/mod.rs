//! Scenes: what a program runs on, as plain data with every file loaded.
//!
//! A scene comes from a folder with a `scene.toml` (on disk or bundled into the binary) or, for a bare
//! program file, is the default scene. Nothing here runs programs: [`crate::session`] does.

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
pub use buffers::{Contents, EachFrame, ElementType, ListedNumber, SceneBuffer, bound_name, is_buffer_name};
pub use error::SceneError;
pub use feedback::SceneFeedback;
pub(crate) use folder::read_limited;
pub use folder::{Folder, MAX_FILE_BYTES, MAX_SCENE_BYTES, MAX_TEXT_BYTES};
pub use frame_texture::{FrameTexture, SceneLayers};
pub(crate) use image::decode_rgba8;
pub use images::{ImageLookup, ImageUnit, SceneImage};
pub use lighting::{LightingSetting, LightingState};
pub use loader::{Known, Reach};
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
pub(crate) use raster::{
    CULL_FACES, DEPTH_TESTS, EQUATIONS, FACTORS, FRONT_FACES, LOGIC_OPS, POLYGON_MODES, SAMPLES,
    SHADE_MODELS, STENCIL_OPS,
};
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
pub use write::{BufferSetting, ImageSetting, SceneEdit, StateKey, StateSetting, edited};

use crate::{embedded, suggest};
use shadestep_engine::memory::AddressBits;
use shadestep_engine::pipeline::TessellationLevels;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::OnceLock;

/// What the names of programs begin with that stand in where a program is opened by itself.
const VIEWER: &str = "viewer.";

/// Greatest width or height that is rendered, in pixels.
pub const MAX_SIZE: u32 = 8192;

/// Width and height a scene has when it does not say, and that of the default scene.
pub const DEFAULT_SIZE: [u32; 2] = [512, 512];

/// Everything a program needs around it to draw a picture.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Short name: the folder's or the program file's.
    pub name: String,
    /// Title for people.
    pub title: String,
    /// The text of `scene.toml` that it was read from.
    pub toml: String,
    /// Where that text is on disk, if anywhere.
    pub file: Option<PathBuf>,
    /// Where the scene's own files are.
    pub folder: Folder,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Its programs; at least one. Without a vertex program the built-in transform draws the mesh; without
    /// a fragment program colour 0 modulated by texture 0 is seen.
    pub programs: Programs<ProgramFile>,
    /// `v[0]` of each vertex state program, in their order.
    pub state_inputs: Vec<[Component; 4]>,
    /// What is drawn.
    pub mesh: SceneMesh,
    /// Vertex attributes beside those of [`Self::mesh`], for vertex programs.
    pub attributes: Vec<(u8, AttributeSource)>,
    /// Those of all attributes whose arrays are in buffers: what the arrays hold here is what the buffers hold when the scene begins.
    pub arrays_in_buffers: Vec<ArrayInBuffer>,
    /// How often it is drawn, each time with another `vertex.instance`.
    pub instances: u32,
    /// What transform feedback records of it.
    pub feedback: Vec<SceneFeedback>,
    /// The one of [`Self::feedback`] of which as many vertices are drawn as it recorded in the frame before, if any is.
    pub drawn_again: Option<usize>,
    /// What patches are, where it is drawn as those.
    pub patches: Patches,
    /// From where it is seen: the projection matrix, and the modelview matrix before [`Self::model`].
    pub camera: Camera,
    /// What places the model in the world, the first operation first: the rest of the modelview matrix.
    pub model: Vec<MatrixOperation>,
    /// Texture and tracking matrices the scene sets; others are identity.
    pub matrices: Vec<(MatrixName, MatrixSource)>,
    /// Registers that follow matrices.
    pub tracks: Vec<Track>,
    /// Parameters the scene sets. What it does not set is as in the default scene: `p[0]` is (time,
    /// width, height, 1), other numbered ones and registers are 0, named ones have their initial values.
    pub parameters: Vec<ParameterSetting>,
    /// The names of those in the text.
    parameter_names: Vec<parameter_names::ParameterName>,
    /// What SUBROUTINE variables call. What is not chosen is the first subroutine of the variable's type.
    pub subroutines: Vec<SubroutineChoice>,
    /// Textures the scene binds, at most one a unit and target. What it does not bind is `builtin:xor`.
    pub textures: Vec<SceneTexture>,
    /// What the frame before drew, as textures.
    pub frame_textures: Vec<FrameTexture>,
    /// The layers of the framebuffer.
    pub layers: SceneLayers,
    /// Memory that programs read and write; what [`Self::images`] hold comes last.
    pub buffers: Vec<SceneBuffer>,
    /// Textures whose texels they read and write.
    pub images: Vec<SceneImage>,
    /// Where the buffers are.
    pub address_bits: AddressBits,
    /// Whether programs that write memory run in any order, on all threads; in that of the draw if not.
    pub any_order: bool,
    /// What is not as it was meant, though nothing is at fault: textures that are not complete, state without effect.
    pub warnings: Vec<SceneError>,
    /// What the buffers hold before drawing, where [`Self::attachments`] do not say otherwise.
    pub clear: Clear,
    /// The colour buffers of output colours that the scene gives one; others hold fp32 numbers.
    pub attachments: Vec<Attachment>,
    /// Everything a draw fixes between vertices and pixels, depth among it.
    pub raster: RasterState,
    /// How draws without a fragment program are fogged, if they are.
    pub fog: Option<FogEquation>,
    /// Lights, materials, fog and what else ARB programs bind of the GL's state.
    pub lighting: Vec<LightingSetting>,
    /// The sample's README, if there is one.
    pub readme: Option<String>,
    /// Files on disk that this scene was made of, for reloading when they change.
    pub watched: Vec<PathBuf>,
    /// What the files of `[[attribute]]` hold.
    array_files: Vec<loader::ArrayFile>,
}

/// What a scene's buffers hold before drawing where it does not say.
pub const DEFAULT_CLEAR: Clear = Clear { color: [0.1, 0.1, 0.12, 1.0], depth: 1.0, stencil: 0 };

/// `v[0]` of a state program where its scene does not say: (0, 0, 0, 1).
pub const DEFAULT_STATE_INPUT: [Component; 4] = {
    let zero = Component::Constant(0.0);
    [zero, zero, zero, Component::Constant(1.0)]
};

/// The evaluation program that a bare control program is seen through: means of the three vertices of a patch.
const EVALUATION_VIEWER: &str = include_str!("../model/templates/evaluation.tep");

/// The vertex program that a bare vertex state program is seen through: `c[14]`, which it may write, is the
/// colour.
const STATE_VIEWER: &str = "!!VP1.1\n# Shows the result of a state program: c[14] is the colour of the model.\nDP4 o[HPOS].x, c[0], v[OPOS];\nDP4 o[HPOS].y, c[1], v[OPOS];\nDP4 o[HPOS].z, c[2], v[OPOS];\nDP4 o[HPOS].w, c[3], v[OPOS];\nMOV o[COL0], c[14];\nMOV o[TEX0], v[TEX0];\nEND\n";

/// Where the light of a bare vertex program comes from, a unit vector.
const DEFAULT_LIGHT: [f32; 3] = [0.48, 0.64, 0.6];

/// Name of the file that makes a folder a scene.
pub const SCENE_FILE: &str = "scene.toml";

/// Loads the scene whose `scene.toml`, or whose folder, is `path`.
///
/// # Errors
/// Anything wrong with `scene.toml` (with the place of the key) or with a file it names.
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

/// Loads the scene of `folder`, wherever that is. Errors about `scene.toml` call it by its bare name.
///
/// # Errors
/// As [`load`].
pub fn load_in(folder: Folder) -> Result<Scene, SceneError> {
    parse::load("scene", &folder, SCENE_FILE)
}

/// Why a text gives no scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It names files that are not known, and by [`Reach::Known`] none were read.
    Unread,
    /// It is at fault, or a file that it names is.
    Fault(SceneError),
}

/// Reads `text`, the `scene.toml` at `path` if it has one yet, with the files of `folder`.
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

/// Loads what a person names on the command line: a program file, a scene folder or `scene.toml`, or the
/// name of a bundled sample (with or without its leading number).
///
/// # Errors
/// As [`load`], or where there is nothing of that name.
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
    /// What its README begins with; else the folder's name.
    pub title: &'static str,
    /// The heading that it stands under in the samples' README; empty where it has none.
    pub chapter: &'static str,
}

impl Bundled {
    /// Loads the sample.
    ///
    /// # Errors
    /// As [`load`].
    pub fn load(&self) -> Result<Scene, SceneError> {
        load_bundled(self.name)
    }

    /// Whether `word` is the name, with or without the number and hyphen before it.
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

/// The bundled folder called `name` that is a scene: a sample, or a lesson as `lessons/NAME`.
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

/// A bundled text among the samples; empty where there is none.
fn text_of(path: &str) -> &'static str {
    let bytes = embedded::file(&format!("samples/{path}"));
    bytes.and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
}

/// The samples that the table of the samples' README lists, each with the row in bold that it stands under.
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
    /// The default scene around `text`, as its [`Self::toml`] says it: for a fragment program a viewport-filling quad, no parameters or
    /// textures of its own; for programs before fragments a sphere with what [`Self::prepare_for_vertices`]
    /// adds.
    pub fn for_program(name: &str, path: Option<&Path>, text: impl Into<Arc<[u8]>>) -> Self {
        let text = text.into();
        let slot = Slot::of_text(&text);
        let file = ProgramFile { name: name.to_owned(), path: path.map(Path::to_path_buf), text };
        let mut scene = Self {
            name: name.to_owned(),
            title: name.to_owned(),
            toml: String::new(),
            file: None,
            folder: Folder::Disk(path.and_then(Path::parent).map_or_else(PathBuf::new, Path::to_path_buf)),
            size: DEFAULT_SIZE,
            programs: [(slot, file)].into_iter().collect(),
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
            watched: path.map(Path::to_path_buf).into_iter().collect(),
            array_files: Vec::new(),
        };
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

    /// Whether a program was opened by itself, so that what is around it is made up.
    pub fn is_of_one_program(&self) -> bool {
        let own = self.programs.iter().filter(|(_, program)| !program.name.starts_with(VIEWER)).count();
        self.file.is_none() && matches!(self.folder, Folder::Disk(_)) && own <= 1
    }

    /// Gives a scene that knows nothing of vertex programs what they want to begin with: the default
    /// tracks, `c[12]` = (time, width, height, 1) and in `c[13]` the direction to the light. What the scene
    /// sets itself stays.
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

    /// Says that [`Self::toml`] is the text of `file`.
    fn at(&mut self, file: PathBuf) {
        self.watched.insert(0, file.clone());
        self.file = Some(file);
    }

    /// A fault of the scene's text, with the file as a person finds it.
    pub(crate) fn fault_of_file(&self, fault: SceneError) -> SceneError {
        let file = match (&self.file, &self.folder) {
            (Some(file), _) => file.display().to_string(),
            (None, Folder::Bundled(name)) => format!("{name}/{SCENE_FILE}"),
            (None, Folder::Disk(_) | Folder::Memory(_) | Folder::With(..)) => return fault,
        };
        SceneError { file, ..fault }
    }

    /// The files of numbers that `[[attribute]]` names.
    pub fn array_file_names(&self) -> impl Iterator<Item = &str> {
        self.array_files.iter().map(|file| file.name.as_str())
    }

    /// The program shown first (see [`Programs::main`]); `None` only for a scene without any.
    pub fn main_program(&self) -> Option<&ProgramFile> {
        self.programs.get(self.programs.main()?)
    }

    /// `v[0]` of state program `n`.
    pub fn state_input(&self, n: u8) -> [Component; 4] {
        self.state_inputs.get(usize::from(n)).copied().unwrap_or(DEFAULT_STATE_INPUT)
    }

    /// The vertices that vertex programs run on: the mesh's and the scene's attributes.
    ///
    /// # Errors
    /// In plain words, where the two do not go together, as after another mesh was chosen by hand.
    pub fn vertex_arrays(&self) -> Result<VertexArrays, String> {
        self.mesh.arrays().clone().with(&self.attributes)
    }
}
