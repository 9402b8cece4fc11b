//! Scenes: what a program runs on, as plain data with every file loaded.
//!
//! A scene comes from a folder with a `scene.toml` (on disk or bundled into the binary) or, for a bare
//! program file, is the default scene. Nothing here runs programs: [`crate::session`] does.

mod error;
mod folder;
mod mesh;
mod parameters;
mod texture;

pub use error::SceneError;
pub use folder::Folder;
pub use mesh::{MeshSource, SceneMesh};
pub use parameters::{AutoSource, Component, ParameterKey, ParameterSetting, Widget};
pub use texture::{ImageSource, Mipmaps, Preview, SceneTexture, TextureSpec, asset_names, builtin_names};

use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// A perspective camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position, world space.
    pub eye: [f32; 3],
    /// Point looked at, world space.
    pub target: [f32; 3],
    /// Direction that is up in the picture.
    pub up: [f32; 3],
    /// Vertical field of view in degrees.
    pub fov_y_degrees: f32,
    /// Distance to the near plane, above 0.
    pub near: f32,
    /// Distance to the far plane, above `near`.
    pub far: f32,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            eye: [0.0, 0.0, 3.0],
            target: [0.0; 3],
            up: [0.0, 1.0, 0.0],
            fov_y_degrees: 45.0,
            near: 0.1,
            far: 100.0,
        }
    }
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

/// Comparison of a fragment's depth with the stored one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthFunc {
    /// Never passes.
    Never,
    /// Nearer passes.
    Less,
    /// Equal passes.
    Equal,
    /// Nearer or equal passes.
    Lequal,
    /// Farther passes.
    Greater,
    /// Different passes.
    Notequal,
    /// Farther or equal passes.
    Gequal,
    /// Always passes.
    Always,
}

impl DepthFunc {
    /// All functions with their GL names.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Never, "NEVER"),
        (Self::Less, "LESS"),
        (Self::Equal, "EQUAL"),
        (Self::Lequal, "LEQUAL"),
        (Self::Greater, "GREATER"),
        (Self::Notequal, "NOTEQUAL"),
        (Self::Gequal, "GEQUAL"),
        (Self::Always, "ALWAYS"),
    ];
}

/// Depth state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// The test; `None` where it is off (then depth is not written either).
    pub test: Option<DepthFunc>,
    /// Whether passing fragments store their depth.
    pub write: bool,
    /// Whether depth is clamped to the range rather than fragments discarded (3.11.6).
    pub clamp: bool,
    /// Window depth of the near and far plane.
    pub range: [f32; 2],
}

/// Loads the scene whose `scene.toml`, or whose folder, is `path`.
///
/// # Errors
/// Anything wrong with `scene.toml` (with the place of the key) or with a file it names.
pub fn load(path: &Path) -> Result<Scene, SceneError> {
    Err(SceneError::new(path.display().to_string(), "scenes cannot be loaded yet"))
}

/// Loads what a person names on the command line: a program file, a scene folder or `scene.toml`, or the
/// name of a bundled sample (with or without its leading number).
///
/// # Errors
/// As [`load`], or where there is nothing of that name.
pub fn open(target: &str) -> Result<Scene, SceneError> {
    load(Path::new(target))
}

/// One sample compiled into the binary.
#[derive(Clone, Copy, Debug)]
pub struct Bundled {
    /// Folder name, e.g. `01-first-light`.
    pub name: &'static str,
}

impl Bundled {
    /// Loads the sample.
    ///
    /// # Errors
    /// As [`load`].
    pub fn load(&self) -> Result<Scene, SceneError> {
        Err(SceneError::new(self.name, "scenes cannot be loaded yet"))
    }
}

/// The samples compiled into the binary, in order of their numbers.
pub fn bundled() -> &'static [Bundled] {
    &[]
}

impl Scene {
    /// The default scene around `text`: a viewport-filling quad, no parameters or textures of its own.
    pub fn for_program(name: &str, path: Option<&Path>, text: impl Into<Arc<[u8]>>) -> Self {
        Self {
            name: name.to_owned(),
            title: name.to_owned(),
            folder: Folder::Disk(
                path.and_then(Path::parent).map_or_else(|| PathBuf::from("."), Path::to_path_buf),
            ),
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
            depth: Depth { test: None, write: true, clamp: false, range: [0.0, 1.0] },
            readme: None,
            watched: path.map(Path::to_path_buf).into_iter().collect(),
        }
    }
}
