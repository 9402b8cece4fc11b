//! Provides the parts of a scene to `parse`. Each file is read once. Parts that an earlier reading of the
//! same document loaded are reused, so that `scene.toml` can be parsed again for every move of a slider.

use super::arrays::Kind;
use super::folder::OpenFolder;
use super::texture::TextureFault;
use super::texture_image::Images;
use super::{
    Folder, MeshForm, MeshSource, ProgramFile, Scene, SceneError, SceneMesh, SceneTexture, TextureSpec,
};
use shadestep_engine::pipeline::ArrayData;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Whether reading a scene may read files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Files that are not known yet are read.
    Files,
    /// No file is read. A file that is not known yet is an error.
    Known,
}

/// The parts that are known before a scene is read.
#[derive(Clone, Copy, Default)]
pub struct Known<'a> {
    /// Scenes of the same document.
    pub scenes: &'a [Arc<Scene>],
    /// Textures that are in none of `scenes`.
    pub textures: &'a [SceneTexture],
    /// Meshes that are in none of `scenes`.
    pub meshes: &'a [SceneMesh],
    /// Programs, which replace their files.
    pub programs: &'a [ProgramFile],
}

#[derive(Clone, Debug)]
pub(super) struct ArrayFile {
    pub name: String,
    /// The type of the numbers; `None` for bytes.
    pub kind: Option<Kind>,
    pub data: ArrayData,
}

/// Loads the parts of one scene.
pub(super) struct Loader<'a> {
    folder: &'a OpenFolder<'a>,
    known: Known<'a>,
    reach: Reach,
    missing: Cell<bool>,
    array_files: RefCell<Vec<ArrayFile>>,
}

impl<'a> Loader<'a> {
    pub fn new(folder: &'a OpenFolder<'a>, known: Known<'a>, reach: Reach) -> Self {
        Self { folder, known, reach, missing: Cell::new(false), array_files: RefCell::default() }
    }

    pub fn folder(&self) -> &Folder {
        self.folder.folder()
    }

    /// Whether a part was missing under [`Reach::Known`].
    pub fn has_missed(&self) -> bool {
        self.missing.get()
    }

    /// The number files that the scene has used so far.
    pub fn array_files(&self) -> Vec<ArrayFile> {
        self.array_files.borrow().clone()
    }

    fn miss(&self, name: &str) -> SceneError {
        self.missing.set(true);
        SceneError::new(name, "the file has not been read yet")
    }

    pub fn program(&self, name: &str) -> Result<ProgramFile, SceneError> {
        if let Some(known) = self.known.programs.iter().find(|program| program.name == name) {
            return Ok(known.clone());
        }
        if self.reach == Reach::Known {
            return Err(self.miss(name));
        }
        let text = self.folder.read_text(name)?;
        Ok(ProgramFile {
            name: name.to_owned(),
            path: self.folder().path_of(name),
            text: text.as_ref().into(),
        })
    }

    pub fn readme(&self) -> Option<String> {
        match self.known.scenes {
            [known, ..] => known.readme.clone(),
            [] => {
                let bytes = self.folder.read_text("README.md").ok()?;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
        }
    }

    /// Returns the mesh of `source`, drawn as `form`.
    pub fn mesh(&self, source: MeshSource, form: MeshForm) -> Result<SceneMesh, SceneError> {
        let known = |form| {
            let mut all = self.known.scenes.iter().map(|scene| &scene.mesh).chain(self.known.meshes);
            all.find(|mesh| mesh.is_made_of(self.folder(), &source, form)).cloned()
        };
        if let Some(mesh) = known(form) {
            return Ok(mesh);
        }
        let plain = match (known(MeshForm::Triangles), &source) {
            (Some(mesh), _) => mesh,
            (None, MeshSource::File(name)) if self.reach == Reach::Known => return Err(self.miss(name)),
            (None, _) => SceneMesh::load_from(self.folder, source)?,
        };
        Ok(plain.drawn_as(form))
    }

    /// Returns an empty set of images from the scene's folder, which may take `most` bytes.
    pub fn images(&self, most: u64) -> Images<'a> {
        Images::new(self.folder, most)
    }

    /// Returns the texture of `spec`. The images of a texture in `before`, or of a known texture, are reused.
    pub fn texture(
        &self,
        images: &mut Images<'_>,
        before: &[SceneTexture],
        spec: TextureSpec,
    ) -> Result<SceneTexture, TextureFault> {
        let scenes = self.known.scenes.iter().flat_map(|scene| &scene.textures);
        let others: Vec<&SceneTexture> = before.iter().chain(scenes).chain(self.known.textures).collect();
        let is_known = others.iter().any(|other| other.has_images_of(self.folder(), &spec));
        if !is_known && self.reach == Reach::Known {
            return Err(TextureFault::new("image", self.miss("the texture").message));
        }
        SceneTexture::load_keyed(images, &others, spec)
    }

    /// Returns the numbers of type `kind`, or else the bytes, in the file `name`. `read` parses its bytes. A
    /// file of more than `most` bytes is refused.
    pub fn array(
        &self,
        name: &str,
        kind: Option<Kind>,
        (read, most): (impl FnOnce(&[u8]) -> Result<ArrayData, SceneError>, u64),
        fault: impl FnOnce(&SceneError) -> SceneError,
    ) -> Result<ArrayData, SceneError> {
        let known = self.known.scenes.iter().flat_map(|scene| &scene.array_files);
        let known = known.into_iter().find(|file| file.name == name && file.kind == kind);
        let data = match known {
            Some(file) => file.data.clone(),
            None if self.reach == Reach::Known => return Err(self.miss(name)),
            None => read(&self.folder.read_up_to(name, most).map_err(|error| fault(&error))?)?,
        };
        self.array_files.borrow_mut().push(ArrayFile { name: name.to_owned(), kind, data: data.clone() });
        Ok(data)
    }
}
