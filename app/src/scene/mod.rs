//! Scenes: what a program runs on, as plain data with every file loaded.
//!
//! A scene comes from a folder with a `scene.toml` (on disk or bundled into the binary) or, for a bare
//! program file, is the default scene. Nothing here runs programs: [`crate::session`] does.

mod builtin;
mod error;
mod folder;
mod image;
mod mesh;
mod obj;
mod parameters;
mod parse;
mod read;
#[cfg(test)]
mod tests;
mod texture;

pub use error::SceneError;
pub use folder::Folder;
pub(crate) use folder::read_limited;
pub use mesh::{MeshSource, SceneMesh};
pub use parameters::{AutoSource, Component, DEFAULT_P0, ParameterKey, ParameterSetting, Widget};
pub use shadestep_engine::pipeline::{Camera, DepthFunc, DepthState as Depth};
pub(crate) use texture::default_texture;
pub use texture::{ImageSource, Mipmaps, Preview, SceneTexture, TextureSpec, asset_names, builtin_names};

use crate::{embedded, suggest};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::OnceLock;

/// Width and height a scene has when it does not say, and that of the default scene.
pub const DEFAULT_SIZE: [u32; 2] = [512, 512];

/// Everything a program needs around it to draw a picture.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Short name: the folder's or the program file's.
    pub name: String,
    /// Title for people.
    pub title: String,
    /// Where the scene's own files are.
    pub folder: Folder,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// The fragment program.
    pub program: ProgramFile,
    /// What is drawn.
    pub mesh: SceneMesh,
    /// From where it is seen; meshes only.
    pub camera: Camera,
    /// Parameters the scene sets. What it does not set is as in the default scene: `p[0]` is (time,
    /// width, height, 1), other numbered ones are 0, named ones have their initial values.
    pub parameters: Vec<ParameterSetting>,
    /// Textures the scene binds, at most one a unit and target. What it does not bind is `builtin:xor`.
    pub textures: Vec<SceneTexture>,
    /// What the buffers hold before drawing.
    pub clear: Clear,
    /// Depth test and depth range.
    pub depth: Depth,
    /// The sample's README, if there is one.
    pub readme: Option<String>,
    /// Files on disk that this scene was made of, for reloading when they change.
    pub watched: Vec<PathBuf>,
}

/// A program's text and where it is from.
#[derive(Clone, Debug)]
pub struct ProgramFile {
    /// Name within the scene's folder; a plain file name.
    pub name: String,
    /// Where it is on disk; `None` for bundled scenes and for text that was never saved.
    pub path: Option<PathBuf>,
    /// The text.
    pub text: Arc<[u8]>,
}

/// What the buffers hold before drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clear {
    /// Colour, RGBA.
    pub color: [f32; 4],
    /// Depth in [0, 1].
    pub depth: f32,
}

impl Default for Clear {
    fn default() -> Self {
        Self { color: [0.1, 0.1, 0.12, 1.0], depth: 1.0 }
    }
}

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
            name.ok_or_else(|| SceneError::new(path.display().to_string(), "this is not a file's name"))?;
        (path.parent().unwrap_or(Path::new("")), name)
    };
    let display = folder.join(file).display().to_string();
    let absolute = folder.canonicalize().ok();
    let name = absolute.as_deref().unwrap_or(folder).file_name();
    let name = name.map_or_else(|| "scene".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut scene = parse::load(&name, Folder::Disk(folder.to_path_buf()), file)
        .map_err(|error| if error.file == file { SceneError { file: display, ..error } } else { error })?;
    scene.watched.insert(0, folder.join(file));
    Ok(scene)
}

/// Loads what a person names on the command line: a program file, a scene folder or `scene.toml`, or the
/// name of a bundled sample (with or without its leading number).
///
/// # Errors
/// As [`load`], or where there is nothing of that name.
pub fn open(target: &str) -> Result<Scene, SceneError> {
    let path = Path::new(target);
    if path.is_dir() || (path.extension().is_some_and(|e| e == "toml") && path.exists()) {
        return load(path);
    }
    if !path.exists()
        && let Some(sample) = bundled().iter().find(|sample| sample.is_called(target))
    {
        return sample.load();
    }
    let text = read_limited(path, target).map_err(|mut error| {
        if !path.exists() {
            let names = bundled().iter().map(|sample| sample.name);
            error.message.push_str(" and no sample of that name");
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
}

impl Bundled {
    /// Loads the sample.
    ///
    /// # Errors
    /// As [`load`].
    pub fn load(&self) -> Result<Scene, SceneError> {
        parse::load(self.name, Folder::Bundled(self.name), SCENE_FILE).map_err(|error| {
            let file = format!("{}/{}", self.name, error.file);
            SceneError { file, ..error }
        })
    }

    /// Whether `word` is the name, with or without the number and hyphen before it.
    fn is_called(&self, word: &str) -> bool {
        let bare = self.name.trim_start_matches(|c: char| c.is_ascii_digit());
        self.name == word || bare.trim_start_matches('-') == word
    }
}

/// The samples compiled into the binary, in order of their numbers.
pub fn bundled() -> &'static [Bundled] {
    static SAMPLES: OnceLock<Vec<Bundled>> = OnceLock::new();
    SAMPLES.get_or_init(|| {
        let folders = embedded::files_in("samples/").filter_map(|(path, _)| path.strip_suffix("/scene.toml"));
        folders.filter(|name| !name.contains('/')).map(|name| Bundled { name }).collect()
    })
}

impl Scene {
    /// The default scene around `text`: a viewport-filling quad, no parameters or textures of its own.
    pub fn for_program(name: &str, path: Option<&Path>, text: impl Into<Arc<[u8]>>) -> Self {
        Self {
            name: name.to_owned(),
            title: name.to_owned(),
            folder: Folder::Disk(path.and_then(Path::parent).map_or_else(PathBuf::new, Path::to_path_buf)),
            size: DEFAULT_SIZE,
            program: ProgramFile {
                name: name.to_owned(),
                path: path.map(Path::to_path_buf),
                text: text.into(),
            },
            mesh: SceneMesh::viewport(),
            camera: Camera::default(),
            parameters: Vec::new(),
            textures: Vec::new(),
            clear: Clear::default(),
            depth: Depth::OFF,
            readme: None,
            watched: path.map(Path::to_path_buf).into_iter().collect(),
        }
    }
}
