//! Keeps the scene of a document in step with its `scene.toml`: reads the scene when the text changes, and
//! writes changes of the scene into the text.

use super::text::TextFile;
use super::{Cause, Document, program_template};
use crate::scene::{
    self, Component, Folder, ImageSource, Known, LightingSetting, LightingState, MatrixName, MeshSource,
    NumberType, ParameterKey, ProgramFile, Programs, Reach, ReadError, Scene, SceneEdit, SceneError,
    SceneMesh, SceneTexture, Slot, StateKey, SubroutineKey, TextureSpec,
};
use shadestep_engine::isa::Stage;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Whether the text of `scene.toml` names files that have not been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unread {
    /// All files are read.
    #[default]
    Nothing,
    /// [`Document::take_reading`] must read files.
    Wanted,
    /// A reading is in progress.
    UnderWay,
}

/// A setting to reset to its saved value.
#[derive(Clone, Debug, PartialEq)]
pub enum ResetSubject {
    Parameter(ParameterKey),
    /// The choice of a SUBROUTINE variable.
    Subroutine(SubroutineKey),
    /// All tracked matrices.
    Tracks,
    /// A texture or tracking matrix.
    Matrix(MatrixName),
    /// All lighting settings of this state, whatever their values.
    Lighting(LightingState),
    /// All state settings of this key, whatever their values.
    State(StateKey),
    /// `v[0]` of a state program.
    StateInput(u8),
    Camera,
    /// The whole scene.
    Scene,
}

/// The inputs of reading a scene. Reading can run on another thread.
pub struct Reading {
    /// The text of `scene.toml`.
    pub text: String,
    name: String,
    path: Option<PathBuf>,
    folder: Folder,
    programs: Vec<ProgramFile>,
    scenes: Vec<Arc<Scene>>,
    textures: Vec<SceneTexture>,
    meshes: Vec<SceneMesh>,
}

impl Reading {
    /// Reads the scene, and those of its files that are not known yet.
    ///
    /// # Errors
    /// An error in the text or in a file that it names.
    pub fn read(&self) -> Result<Scene, SceneError> {
        match self.read_to(Reach::Files) {
            Ok(scene) => Ok(scene),
            Err(ReadError::Fault(error)) => Err(error),
            Err(ReadError::Unread) => Err(SceneError::new(scene::SCENE_FILE, "its files cannot be read")),
        }
    }

    fn read_to(&self, reach: Reach) -> Result<Scene, ReadError> {
        let known = Known {
            scenes: &self.scenes,
            textures: &self.textures,
            meshes: &self.meshes,
            programs: &self.programs,
        };
        scene::read(&self.text, (&self.name, self.path.as_deref()), &self.folder, known, reach)
    }
}

impl Document {
    /// Returns the folder of the scene's files.
    pub fn folder(&self) -> Folder {
        match self.chosen.is_empty() {
            true => self.own_folder.clone(),
            false => Folder::With(Box::new(self.own_folder.clone()), Arc::clone(&self.chosen)),
        }
    }

    /// Returns the reading of `text` as this document's `scene.toml`.
    fn reading(&self, text: &str) -> Reading {
        let open = self.programs.iter().map(|(_, text)| text).chain(&self.parked);
        let program = |file: &TextFile| ProgramFile {
            name: file.name().to_owned(),
            path: file.path().map(Path::to_path_buf),
            // The document holds the texts.
            text: Arc::default(),
        };
        Reading {
            text: text.to_owned(),
            name: self.scene.name.clone(),
            path: self.scene_text.path().map(Path::to_path_buf),
            folder: self.folder(),
            programs: open.map(program).collect(),
            scenes: vec![Arc::clone(&self.scene), Arc::clone(&self.base)],
            textures: self.loaded_ahead.0.clone(),
            meshes: self.loaded_ahead.1.clone(),
        }
    }

    /// Updates the current scene from the text if the text is valid. Otherwise marks the error.
    pub(super) fn refresh_scene(&mut self) {
        match self.reading(&self.scene_text.text).read_to(Reach::Known) {
            Ok(scene) => self.take_scene(scene),
            Err(ReadError::Unread) => self.unread = Unread::Wanted,
            Err(ReadError::Fault(error)) => {
                self.unread = Unread::Nothing;
                self.mark_unreadable(error);
            }
        }
    }

    /// Returns the wanted reading, once. Pass its outcome to [`Self::take_read`].
    pub fn take_reading(&mut self) -> Option<Reading> {
        (self.unread == Unread::Wanted).then(|| {
            self.unread = Unread::UnderWay;
            self.reading(&self.scene_text.text)
        })
    }

    /// Returns true if files of the scene must be read, or a reading is in progress.
    pub fn is_reading(&self) -> bool {
        self.unread != Unread::Nothing
    }

    /// Returns a reading of the scene and all its files, because a file changed.
    pub fn take_whole_reading(&mut self) -> Reading {
        self.unread = Unread::UnderWay;
        Reading {
            scenes: Vec::new(),
            textures: Vec::new(),
            meshes: Vec::new(),
            ..self.reading(&self.scene_text.text)
        }
    }

    /// Stores the outcome of reading `text`, unless the text has changed since.
    pub fn take_read(&mut self, text: &str, outcome: Result<Scene, SceneError>) {
        if text != self.scene_text.text {
            if self.unread == Unread::UnderWay {
                self.refresh_scene();
            }
            return;
        }
        match outcome {
            Ok(scene) => self.take_scene(scene),
            Err(error) => {
                self.unread = Unread::Nothing;
                self.mark_unreadable(error);
            }
        }
    }

    fn take_scene(&mut self, scene: Scene) {
        self.unread = Unread::Nothing;
        self.scene = Arc::new(scene);
        self.loaded_ahead = (Vec::new(), Vec::new());
        if !self.scene_text.is_modified() {
            self.base = Arc::clone(&self.scene);
        }
        self.place_programs();
        self.mark_read();
        self.revision += 1;
    }

    /// Puts the program that the scene names at each slot.
    fn place_programs(&mut self) {
        let named = |slot: Slot| self.scene.programs.get(slot).map(|file| file.name.as_str());
        let placed = self.programs.iter().all(|(slot, text)| named(slot) == Some(text.name()));
        if placed && self.programs.count() == self.scene.programs.len() {
            return;
        }
        let front = self.programs.front().number;
        let mut texts = self.programs.take_all();
        texts.append(&mut self.parked);
        let mut programs = Programs::default();
        for (slot, file) in self.scene.programs.iter() {
            let found = texts.iter().position(|text| text.name() == file.name);
            let text = match found {
                Some(index) => texts.remove(index),
                // A file without an open text, or a file named by two slots.
                None => TextFile::new(file),
            };
            programs.insert(slot, text);
        }
        self.parked = texts;
        self.programs.place(programs);
        self.number_texts();
        let front = self.programs.iter().find(|(_, text)| text.number == front).map(|(slot, _)| slot);
        if let Some(slot) = front {
            self.programs.bring_to_front(slot);
        }
    }

    /// Makes a change of the scene, as a step of its own or as part of the previous step.
    ///
    /// # Errors
    /// A message for the user: `scene.toml` has errors, or the change would make the scene invalid. Nothing
    /// is changed then.
    pub fn edit_scene(&mut self, edit: &SceneEdit) -> Result<(), String> {
        self.edit_scene_all(std::slice::from_ref(edit))
    }

    /// Makes several changes of the scene in one step.
    ///
    /// # Errors
    /// As [`Self::edit_scene`].
    pub fn edit_scene_all(&mut self, edits: &[SceneEdit]) -> Result<(), String> {
        let Some(last) = edits.last() else { return Ok(()) };
        if self.scene_text.text != self.scene.toml && self.unread == Unread::Nothing {
            let words =
                "scene.toml has an error, so this change cannot be written. Fix the error on its tab first.";
            return Err(words.to_owned());
        }
        let mut text = self.scene_text.text.clone();
        for edit in edits {
            text = scene::edited(&text, &self.scene, edit)?;
        }
        match self.reading(&text).read_to(Reach::Known) {
            Ok(_) | Err(ReadError::Unread) => {}
            Err(ReadError::Fault(error)) => {
                return Err(format!("This change is not possible: {}.", error.message));
            }
        }
        // A change of type is a step apart from changes of the numbers before and after.
        let is_apart = edits.iter().any(|edit| changes_type(&self.scene, edit));
        if is_apart {
            self.seal_step();
        }
        self.replace(super::Part::Scene, &text, Cause::Set(Box::new(last.clone())));
        if is_apart {
            self.seal_step();
        }
        Ok(())
    }

    /// Returns true if the setting differs from its saved value.
    pub fn differs(&self, subject: &ResetSubject) -> bool {
        let (now, base) = (&self.scene, &self.base);
        match subject {
            ResetSubject::Parameter(key) => value_of(now, key) != value_of(base, key),
            ResetSubject::Subroutine(key) => now.subroutine_choice(key) != base.subroutine_choice(key),
            ResetSubject::Tracks => now.tracks != base.tracks,
            ResetSubject::Matrix(name) => matrix_of(now, *name) != matrix_of(base, *name),
            ResetSubject::Lighting(state) => lighting_of(now, *state) != lighting_of(base, *state),
            ResetSubject::State(key) => !key.same(&now.raster, &base.raster),
            ResetSubject::StateInput(n) => now.state_input(*n) != base.state_input(*n),
            ResetSubject::Camera => now.camera != base.camera,
            ResetSubject::Scene => self.scene_text.is_modified(),
        }
    }

    /// Resets `subject` to its saved value.
    ///
    /// # Errors
    /// As [`Self::edit_scene`].
    pub fn reset(&mut self, subject: &ResetSubject) -> Result<(), String> {
        let base = Arc::clone(&self.base);
        let edits = match subject {
            ResetSubject::Parameter(key) => vec![match value_of(&base, key) {
                Some(value) => SceneEdit::Parameter(key.clone(), value),
                None => SceneEdit::RemoveParameter(key.clone()),
            }],
            ResetSubject::Subroutine(key) => vec![match base.subroutine_choice(key) {
                Some(labels) => SceneEdit::Subroutine(key.clone(), labels.clone()),
                None => SceneEdit::RemoveSubroutine(key.clone()),
            }],
            ResetSubject::Tracks => {
                let gone = self.scene.tracks.iter().map(|track| track.register);
                let gone = gone.filter(|register| base.tracks.iter().all(|t| t.register != *register));
                let back = base.tracks.iter().copied().map(SceneEdit::Track);
                gone.map(SceneEdit::RemoveTrack).chain(back).collect()
            }
            ResetSubject::Matrix(name) => vec![match matrix_of(&base, *name) {
                Some(source) => SceneEdit::Matrix(*name, source.clone()),
                None => SceneEdit::RemoveMatrix(*name),
            }],
            ResetSubject::Lighting(state) => vec![match lighting_of(&base, *state) {
                Some(setting) => SceneEdit::Lighting(*setting),
                None => SceneEdit::RemoveLighting(*state),
            }],
            ResetSubject::State(key) => vec![SceneEdit::State(key.of(&base.raster))],
            ResetSubject::StateInput(n) => vec![SceneEdit::StateInput(*n, base.state_input(*n))],
            ResetSubject::Camera => vec![SceneEdit::Camera(base.camera)],
            ResetSubject::Scene => {
                let saved = self.scene_text.saved().to_owned();
                self.replace(super::Part::Scene, &saved, Cause::Other);
                return Ok(());
            }
        };
        self.edit_scene_all(&edits)
    }

    /// Adds a program for `stage` from a template and brings it to the front.
    ///
    /// # Errors
    /// The stage has no room, or an error of [`Self::edit_scene`].
    pub fn add_program(&mut self, stage: Stage) -> Result<(), String> {
        let no_room = || "The scene has no room for another program of this kind.".to_owned();
        let slot = self.programs.free(stage).ok_or_else(no_room)?;
        let name = self.free_name("untitled", slot.extension());
        let earlier: &[Slot] = match slot {
            Slot::Geometry => &[Slot::TessEvaluation, Slot::TessControl, Slot::Vertex],
            Slot::TessEvaluation => &[Slot::TessControl, Slot::Vertex],
            Slot::TessControl => &[Slot::Vertex],
            Slot::Vertex | Slot::State(_) | Slot::Fragment => &[],
        };
        let before = earlier.iter().find_map(|earlier| self.program(*earlier)).map(Arc::as_ref);
        let text = program_template(slot, self.has_mesh(), before);
        self.parked.push(TextFile::unsaved(name.clone(), &text));
        let added = self.edit_scene(&SceneEdit::AddProgram(slot, name.clone()));
        if added.is_err() {
            self.parked.retain(|text| text.name() != name);
        }
        added?;
        self.seal_step();
        self.activate(super::Part::Program(slot));
        Ok(())
    }

    /// Returns a file name that the document does not use.
    fn free_name(&self, stem: &str, extension: &str) -> String {
        let taken = |name: &str| {
            let open = self.programs.iter().map(|(_, text)| text).chain(&self.parked);
            let on_disk = self.own_folder.path_of(name).is_some_and(|path| path.exists());
            on_disk || self.chosen.contains_key(name) || { open }.any(|text| text.name() == name)
        };
        let numbered = (2..).map(|n| format!("{stem}-{n}.{extension}"));
        let mut names = std::iter::once(format!("{stem}.{extension}")).chain(numbered);
        names.find(|name| !taken(name)).unwrap_or_default()
    }

    /// Removes the program at `slot` from the scene. The last program cannot be removed.
    ///
    /// # Errors
    /// As [`Self::edit_scene`].
    pub fn remove_program(&mut self, slot: Slot) -> Result<(), String> {
        if self.programs.count() > 1 && self.programs.get(slot).is_some() {
            self.edit_scene(&SceneEdit::RemoveProgram(slot))?;
            self.seal_step();
        }
        Ok(())
    }

    /// Returns the scene's name for the file at `path`. A file in the scene's folder keeps its relative name.
    /// Saving copies a file from another folder.
    pub fn choose_file(&mut self, path: &Path) -> String {
        // If the user chooses a link, they mean its target.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if let Folder::Disk(own) = &self.own_folder
            && let Ok(own) = own.canonicalize()
            && let Ok(inside) = path.strip_prefix(own)
            && let Some(name) = inside.to_str()
        {
            return name.replace('\\', "/");
        }
        if let Some((name, _)) = self.chosen.iter().find(|(_, chosen)| **chosen == path) {
            return name.clone();
        }
        let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let name = self.free_name(&text(path.file_stem()), &text(path.extension()));
        let mut chosen = BTreeMap::clone(&self.chosen);
        chosen.insert(name.clone(), path);
        self.chosen = Arc::new(chosen);
        name
    }

    /// Binds a loaded texture.
    ///
    /// # Errors
    /// As [`Self::edit_scene`].
    pub fn bind_texture(&mut self, texture: SceneTexture) -> Result<(), String> {
        let edit = SceneEdit::Texture(Box::new(texture.spec().clone()));
        self.loaded_ahead.0.push(texture);
        self.edit_scene(&edit)
    }

    /// Draws a loaded mesh.
    ///
    /// # Errors
    /// As [`Self::edit_scene`].
    pub fn draw_mesh(&mut self, mesh: SceneMesh) -> Result<(), String> {
        let edit = SceneEdit::Mesh(mesh.source().clone());
        self.loaded_ahead.1.push(mesh);
        self.edit_scene(&edit)
    }

    /// Returns the names, within the folder, of the files that the current scene uses, except programs.
    pub(super) fn files_used(&self) -> Vec<String> {
        let image = |source: &ImageSource| match source {
            ImageSource::File(name) | ImageSource::Store(name) => Some(name.clone()),
            ImageSource::Builtin(_) | ImageSource::Asset(_) | ImageSource::Values(_) => None,
        };
        let specs = self.scene.textures.iter().map(SceneTexture::spec);
        let mut names: Vec<String> = specs.flat_map(TextureSpec::sources).filter_map(image).collect();
        if let MeshSource::File(name) = self.scene.mesh.source()
            && !name.starts_with("asset:")
        {
            names.push(name.clone());
        }
        names.extend(self.scene.array_file_names().map(str::to_owned));
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn value_of(scene: &Scene, key: &ParameterKey) -> Option<[Component; 4]> {
    scene.parameters.iter().find(|setting| setting.key == *key).map(|setting| setting.value)
}

/// Returns true if `edit` changes the number type of a parameter.
fn changes_type(scene: &Scene, edit: &SceneEdit) -> bool {
    let SceneEdit::Parameter(key, value) = edit else { return false };
    let before =
        value_of(scene, key).map_or([NumberType::Float; 4], |value| value.map(Component::number_type));
    value.map(Component::number_type) != before
}

fn matrix_of(scene: &Scene, name: MatrixName) -> Option<&scene::MatrixSource> {
    scene.matrices.iter().find(|(other, _)| *other == name).map(|(_, source)| source)
}

/// Returns the last setting of `state`, which overrides earlier ones.
fn lighting_of(scene: &Scene, state: LightingState) -> Option<&LightingSetting> {
    scene.lighting.iter().rev().find(|setting| setting.state == state)
}
