//! `[geometry]` of `scene.toml`: the mesh or the vertex arrays to draw. `arrays` reads `[[attribute]]`.

use super::arrays::{self, Attributes, MAX_INSTANCES, MAX_VALUES};
use super::loader::Loader;
use super::parse::about_file;
use super::read::{Entry, Table};
use super::schema::{Flag, Floats, Number, OneOf, Raw, Schema, Shape, Text, Whole, schema};
use super::{EachFrame, MeshForm, MeshSource, SceneBuffer, SceneError, SceneFeedback, SceneMesh, buffers};
use crate::suggest;
use shadestep_engine::ir::limits;
use shadestep_engine::pipeline::{Patches, Primitive};

/// The geometry as the text has it.
pub(super) struct Geometry {
    adjacency: bool,
    patches: bool,
    pub patch: Patches,
    pub instances: u32,
    primitive: Option<Primitive>,
    pub restart: Option<u32>,
}

impl Default for Geometry {
    fn default() -> Self {
        let (adjacency, patches, patch) = (false, false, Patches::DEFAULT);
        Self { adjacency, patches, patch, instances: 1, primitive: None, restart: None }
    }
}

const PRIMITIVE: (&str, &str) = ("primitive", "\"primitive\"");

/// `[geometry]`.
pub(super) static GEOMETRY: Schema<Geometry> = schema! { Geometry, "in [geometry]";
    "mesh": MESH, [-], "`\"viewport\"`",
        "`viewport`, `plane`, `cube`, `sphere`, `torus`, `knot`, an `.obj` file, or `\"asset:NAME\"`, such as `\"asset:vase\"`.";
    "adjacency": Flag, [adjacency], "`false`",
        "Draws the mesh as `TRIANGLES_ADJACENCY`, for geometry programs.";
    "patches": Flag, [patches], "`false`", "Draws the mesh as `PATCHES`, for tessellation programs.";
    "patch_vertices": Whole::<u8>::new(1, limits::PATCH_VERTICES as u32), [patch.vertices], "`3`",
        "Vertices of a patch.";
    "patch_default_outer_level": Floats::<4>(Number::Any), [patch.levels.outer], "`[1, 1, 1, 1]`",
        "Outer levels without a control program.";
    "patch_default_inner_level": Floats::<2>(Number::Any), [patch.levels.inner], "`[1, 1]`",
        "Inner levels without a control program.";
    "instances": Whole::<u32>::new(1, MAX_INSTANCES), [instances], "`1`",
        "How many times to draw. Each instance has its own `vertex.instance`.";
    "primitive": OneOf(&Primitive::NAMED), [some primitive], "none",
        "Draws the arrays of `[[attribute]]`.";
    "indices": INDICES, [-], "all vertices in order", "Vertices to draw, counted from 0.", with PRIMITIVE;
    "restart": Whole::<u32>::new(0, u32::MAX), [some restart], "none",
        "Index that starts a new primitive. Needs `indices`.", with ("indices", "indices");
    "count": Whole::<u32>::new(0, u32::MAX), [-], "all",
        "How many vertices or indices to draw.", with PRIMITIVE;
    "draw_transform_feedback": Text("text"), [-], "none",
        "Draws as many vertices as the last frame recorded in this buffer. See [`[[feedback]]`](#feedback).",
        with PRIMITIVE;
};

const INDICES: Raw = Raw(|| Shape::Whole(0, u32::MAX.into()).array(1, MAX_VALUES).called("integers"));

/// The name of a built-in mesh, or a file.
const MESH: Raw = Raw(|| {
    let names = MeshSource::BUILT_IN.iter().map(|(_, name)| *name).collect();
    Shape::Either(vec![Shape::Words(names), Shape::Text("text")]).called("text")
});

/// The vertices of a scene.
pub(super) struct Vertices {
    pub mesh: SceneMesh,
    pub attributes: Attributes,
    pub instances: u32,
    pub patches: Patches,
    pub drawn_again: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum VertexProgram {
    Own,
    BuiltIn,
}

/// Reads `[geometry]` and `[[attribute]]`, which depend on each other.
pub(super) fn vertices(
    loader: &Loader<'_>,
    root: &Table<'_>,
    (buffers, feedback): (&[SceneBuffer], &[SceneFeedback]),
    program: VertexProgram,
) -> Result<Vertices, SceneError> {
    let tables = arrays::ATTRIBUTE.tables(root, "attribute")?;
    let mut attributes = arrays::attributes(loader, &tables, buffers)?;
    let table = root.read("geometry", |entry| entry.table(GEOMETRY.place))?;
    let geometry = GEOMETRY.read_in(root, "geometry", Geometry::default())?;
    let mesh = match (&table, geometry.primitive) {
        (Some(table), Some(primitive)) => {
            geometry.check_primitive(table)?;
            let sources = std::mem::take(&mut attributes.sources);
            SceneMesh::from_arrays(arrays::arrays(table, (primitive, &geometry), sources)?)
        }
        (Some(table), None) => geometry.mesh(loader, table)?,
        (None, _) => SceneMesh::viewport(),
    };
    // Each array is checked separately, so that the error has its place.
    for (table, source) in tables.iter().zip(&attributes.sources) {
        mesh.arrays().clone().with(std::slice::from_ref(source)).map_err(|words| table.error(words))?;
    }
    if mesh.is_viewport()
        && program == VertexProgram::BuiltIn
        && let Some(entry) = table.as_ref().and_then(|table| table.get("instances"))
    {
        let words = "\"instances\" works only with a mesh, a primitive or a vertex program";
        return Err(entry.error(words));
    }
    let instances = geometry.instances;
    let sources = match geometry.primitive {
        Some(_) => &mesh.arrays().attributes,
        None => &attributes.sources,
    };
    let drawn = (instances, mesh.arrays().element_count());
    arrays::check_instances(table.as_ref(), drawn, (&tables, sources))?;
    let drawn_again = match &table {
        Some(table) => drawn_again(table, feedback, buffers)?,
        None => None,
    };
    Ok(Vertices { mesh, attributes, instances, patches: geometry.patch, drawn_again })
}

impl Geometry {
    /// Refuses keys that are invalid for the primitive.
    fn check_primitive(&self, table: &Table<'_>) -> Result<(), SceneError> {
        if table.get("mesh").is_some() {
            let words = "the geometry needs either \"mesh\" or \"primitive\", not both";
            return Err(table.error_at("primitive", words));
        }
        needs_mesh(table)
    }

    /// Loads the mesh that `table` names.
    fn mesh(&self, loader: &Loader<'_>, table: &Table<'_>) -> Result<SceneMesh, SceneError> {
        let form = match (self.adjacency, self.patches) {
            (false, false) => MeshForm::Triangles,
            (true, false) => MeshForm::Adjacency,
            (false, true) => MeshForm::Patches,
            (true, true) => {
                return Err(
                    table.error_at("patches", "a mesh can have \"adjacency\" or \"patches\", not both")
                );
            }
        };
        let mesh = match table.get("mesh") {
            Some(entry) => load_mesh(loader, &entry, form)?,
            None => SceneMesh::viewport(),
        };
        if mesh.is_viewport() {
            needs_mesh(table)?;
        }
        Ok(mesh)
    }
}

/// Refuses the keys that change how a mesh is drawn.
fn needs_mesh(table: &Table<'_>) -> Result<(), SceneError> {
    match ["adjacency", "patches"].into_iter().find_map(|key| table.get(key)) {
        Some(entry) => Err(entry.error(format!("\"{}\" works only with a mesh", entry.name))),
        None => Ok(()),
    }
}

/// Reads `draw_transform_feedback` of `[geometry]`: the number of the feedback whose vertices are drawn.
fn drawn_again(
    table: &Table<'_>,
    feedback: &[SceneFeedback],
    buffers: &[SceneBuffer],
) -> Result<Option<usize>, SceneError> {
    let Some(entry) = table.get("draw_transform_feedback") else { return Ok(None) };
    let buffer = buffers::named(entry.string()?, buffers, |words| entry.error(words))?;
    let Some(found) = feedback.iter().position(|feedback| feedback.buffer == buffer) else {
        return Err(entry.error(format!("no [[feedback]] records into \"{}\"", buffers[buffer].name)));
    };
    if buffers[buffer].each_frame == EachFrame::Reset {
        let words = "the buffer needs each_frame = \"keep\": the next frame draws its contents";
        return Err(entry.error(words));
    }
    if let Some(other) = table.get("indices") {
        return Err(other.error("\"draw_transform_feedback\" draws without indices: remove \"indices\""));
    }
    Ok(Some(found))
}

fn load_mesh(loader: &Loader<'_>, entry: &Entry<'_>, form: MeshForm) -> Result<SceneMesh, SceneError> {
    let name = entry.string()?;
    let built_in = MeshSource::BUILT_IN.into_iter().find(|(_, n)| *n == name);
    let is_file = name.starts_with("asset:") || name.to_ascii_lowercase().ends_with(".obj");
    let source = match built_in {
        Some((source, _)) => source,
        None if is_file => MeshSource::File(name.to_owned()),
        None => {
            let names = MeshSource::BUILT_IN.iter().map(|(_, n)| *n);
            let hint = suggest::hint(name, names, "use an .obj file or one of");
            return Err(entry.error(format!("there is no mesh \"{name}\"{hint}")));
        }
    };
    loader.mesh(source, form).map_err(|error| about_file(entry, &error))
}
