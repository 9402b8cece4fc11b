//! The geometry that a scene draws: the viewport quad, a built-in mesh or an OBJ file. `obj` parses the
//! files.

use super::folder::OpenFolder;
use super::texture::{ASSET_MESHES, asset};
use super::{Folder, SceneError, VertexArrays, obj};
use shadestep_engine::pipeline::{Mesh, Primitive};
use std::path::PathBuf;
use std::sync::Arc;

/// A geometry as `scene.toml` names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeshSource {
    /// A quad over the whole viewport.
    Viewport,
    /// Built-in plane.
    Plane,
    /// Built-in cube.
    Cube,
    /// Built-in sphere.
    Sphere,
    /// Built-in torus.
    Torus,
    /// Built-in trefoil knot.
    Knot,
    /// An OBJ file within the scene's folder, or `asset:NAME` for a bundled one.
    File(String),
    /// Vertex arrays in `scene.toml`.
    Arrays,
}

impl MeshSource {
    /// The geometries that need no file, with their names in `scene.toml`.
    pub const BUILT_IN: [(Self, &'static str); 6] = [
        (Self::Viewport, "viewport"),
        (Self::Plane, "plane"),
        (Self::Cube, "cube"),
        (Self::Sphere, "sphere"),
        (Self::Torus, "torus"),
        (Self::Knot, "knot"),
    ];
}

/// The primitives that a mesh is drawn as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshForm {
    /// TRIANGLES
    #[default]
    Triangles,
    /// TRIANGLES_ADJACENCY: triangles with the vertices across their edges.
    Adjacency,
    /// PATCHES: the vertices in order, so that patches of three vertices are the triangles.
    Patches,
}

/// A loaded geometry.
#[derive(Clone, Debug)]
pub struct SceneMesh {
    source: MeshSource,
    arrays: Arc<VertexArrays>,
    file: Option<PathBuf>,
    form: MeshForm,
}

impl SceneMesh {
    pub fn viewport() -> Self {
        Self::new(MeshSource::Viewport, VertexArrays::viewport(), None)
    }

    pub fn sphere() -> Self {
        match Mesh::builtin("sphere") {
            Some(mesh) => Self::new(MeshSource::Sphere, VertexArrays::of_mesh(&mesh), None),
            None => Self::viewport(),
        }
    }

    /// A sphere of about `triangles` triangles (at least 8), with twice as many slices as stacks.
    pub fn sphere_of(triangles: u32) -> Self {
        let stacks = (f64::from(triangles) / 4.0).sqrt().round().max(2.0);
        let slices = (f64::from(triangles) / (2.0 * stacks)).round().max(2.0);
        let mesh = Mesh::sphere(slices as u32, stacks as u32);
        Self::new(MeshSource::Sphere, VertexArrays::of_mesh(&mesh), None)
    }

    pub fn from_arrays(arrays: VertexArrays) -> Self {
        Self::new(MeshSource::Arrays, arrays, None)
    }

    fn new(source: MeshSource, arrays: VertexArrays, file: Option<PathBuf>) -> Self {
        Self { source, arrays: Arc::new(arrays), file, form: MeshForm::Triangles }
    }

    /// Converts a mesh of triangles to `form`.
    pub(super) fn drawn_as(self, form: MeshForm) -> Self {
        let arrays = || VertexArrays::clone(&self.arrays);
        let arrays = match form {
            MeshForm::Triangles => return self,
            MeshForm::Adjacency => arrays().with_adjacency(),
            MeshForm::Patches => VertexArrays { primitive: Primitive::Patches, ..arrays() },
        };
        Self { arrays: Arc::new(arrays), form, ..self }
    }

    /// Loads or makes the geometry that `source` names.
    ///
    /// # Errors
    /// For OBJ files: missing, unreadable, malformed, without triangles, or too large.
    pub fn load(folder: &Folder, source: MeshSource) -> Result<Self, SceneError> {
        Self::load_from(&folder.open(), source)
    }

    /// As [`Self::load`], from an open folder.
    pub(super) fn load_from(folder: &OpenFolder<'_>, source: MeshSource) -> Result<Self, SceneError> {
        let (mesh, file) = match &source {
            MeshSource::Viewport => return Ok(Self::viewport()),
            MeshSource::File(name) => {
                let (mesh, file) = match name.strip_prefix("asset:") {
                    Some(stem) => {
                        let (file, bytes) = asset(stem, ASSET_MESHES)
                            .map_err(|message| SceneError::new(name.clone(), message))?;
                        (obj::parse(file, bytes)?, None)
                    }
                    None => (obj::parse(name, &folder.read(name)?)?, folder.folder().path_of(name)),
                };
                (Some(mesh), file)
            }
            built_in => {
                let name = MeshSource::BUILT_IN.iter().find(|(s, _)| s == built_in).map(|(_, name)| *name);
                (name.and_then(Mesh::builtin), None)
            }
        };
        let mesh = mesh.ok_or_else(|| SceneError::new("scene", "there is no such built-in mesh"))?;
        Ok(Self::new(source, VertexArrays::of_mesh(&mesh), file))
    }

    /// Whether loading `source` from `folder` as `form` would give this mesh.
    pub(super) fn is_made_of(&self, folder: &Folder, source: &MeshSource, form: MeshForm) -> bool {
        let file = match source {
            MeshSource::File(name) if !name.starts_with("asset:") => folder.path_of(name),
            MeshSource::File(_)
            | MeshSource::Viewport
            | MeshSource::Plane
            | MeshSource::Cube
            | MeshSource::Sphere
            | MeshSource::Torus
            | MeshSource::Knot
            | MeshSource::Arrays => None,
        };
        self.source == *source && self.file == file && self.form == form
    }

    pub fn source(&self) -> &MeshSource {
        &self.source
    }

    pub const fn form(&self) -> MeshForm {
        self.form
    }

    /// Whether this is the viewport quad.
    pub fn is_viewport(&self) -> bool {
        self.source == MeshSource::Viewport
    }

    /// The vertex arrays, the input of vertex programs.
    pub fn arrays(&self) -> &VertexArrays {
        &self.arrays
    }

    /// The file on disk that the mesh was loaded from, if there is one.
    pub fn file(&self) -> Option<&PathBuf> {
        self.file.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_mesh_loads() {
        let folder = Folder::Bundled("");
        for (source, name) in MeshSource::BUILT_IN {
            let mesh = SceneMesh::load(&folder, source.clone()).unwrap();
            assert_eq!(mesh.source(), &source, "{name}");
            assert_eq!(mesh.is_viewport(), name == "viewport");
            let arrays = mesh.arrays();
            assert!(arrays.element_count() >= 4, "{name}");
            if let Some(mesh) = Mesh::builtin(name) {
                assert_eq!(arrays.vertex_count(), mesh.positions().len(), "{name}");
                assert_eq!(arrays.element_count(), 3 * mesh.triangles().len(), "{name}");
            }
        }
    }

    #[test]
    fn a_missing_mesh_is_an_error() {
        let folder = Folder::Disk(PathBuf::from("src"));
        for name in ["nothing.obj", "../secret.obj", "asset:nothing", "lib.rs"] {
            assert!(SceneMesh::load(&folder, MeshSource::File(name.to_owned())).is_err(), "{name}");
        }
    }
}
