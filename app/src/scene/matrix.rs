//! Matrices of a scene and what tracks them: `[matrices]`, `model` of `[camera]`, `[[track]]`
//! (NV_vertex_program 2.14.5).

use super::parse::component;
use super::read::{Entry, Table};
use super::{Component, SceneError};
use crate::format;
use shadestep_engine::gl::Matrix;
use shadestep_engine::ir::limits;
use std::fmt;
use toml::de::DeValue;

/// Texture matrices, and tracking matrices, that a scene can set (`MAX_TRACK_MATRICES_NV`).
pub const MATRIX_COUNT: u8 = 8;

/// One step of a matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MatrixOperation {
    /// Moves by x, y, z.
    Translate([Component; 3]),
    /// Turns around an axis, counter-clockwise seen from its tip.
    Rotate {
        /// Degrees before `rate`.
        angle: Component,
        /// Factor of the angle: degrees a second where the angle is the time.
        rate: f32,
        /// The axis; its length does not matter. Not zero.
        axis: [f32; 3],
    },
    /// Stretches along x, y, z.
    Scale([Component; 3]),
}

/// How a matrix comes about.
#[derive(Clone, Debug, PartialEq)]
pub enum MatrixSource {
    /// These numbers.
    Constant(Matrix),
    /// Operations; points pass through the first one first.
    Operations(Vec<MatrixOperation>),
}

impl MatrixSource {
    /// The components that make it up and that a frame may fill in.
    pub fn components(&self) -> impl Iterator<Item = Component> {
        let operations = match self {
            Self::Constant(_) => &[],
            Self::Operations(operations) => operations.as_slice(),
        };
        operations.iter().flat_map(|operation| match operation {
            MatrixOperation::Translate(vector) | MatrixOperation::Scale(vector) => vector.to_vec(),
            MatrixOperation::Rotate { angle, .. } => vec![*angle],
        })
    }
}

/// A matrix that can be tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatrixName {
    /// `MODELVIEW`
    Modelview,
    /// `PROJECTION`
    Projection,
    /// `MODELVIEW_PROJECTION`
    ModelviewProjection,
    /// `TEXTUREn`
    Texture(u8),
    /// `MATRIXn`
    Tracking(u8),
}

impl From<shadestep_engine::ir::MatrixName> for MatrixName {
    fn from(bound: shadestep_engine::ir::MatrixName) -> Self {
        use shadestep_engine::ir::MatrixName as Bound;
        match bound {
            Bound::ModelView => Self::Modelview,
            Bound::Projection => Self::Projection,
            Bound::Mvp => Self::ModelviewProjection,
            Bound::Texture(n) => Self::Texture(n),
            Bound::Program(n) => Self::Tracking(n),
        }
    }
}

impl MatrixName {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let sets = |make: fn(u8) -> Self| (0..MATRIX_COUNT).map(make);
        [Self::Modelview, Self::Projection, Self::ModelviewProjection]
            .into_iter()
            .chain(sets(Self::Texture))
            .chain(sets(Self::Tracking))
    }
}

impl fmt::Display for MatrixName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Modelview => f.write_str("MODELVIEW"),
            Self::Projection => f.write_str("PROJECTION"),
            Self::ModelviewProjection => f.write_str("MODELVIEW_PROJECTION"),
            Self::Texture(n) => write!(f, "TEXTURE{n}"),
            Self::Tracking(n) => write!(f, "MATRIX{n}"),
        }
    }
}

/// What is done to a tracked matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixTransform {
    /// Nothing.
    Identity,
    /// Its inverse.
    Inverse,
    /// Its transpose.
    Transpose,
    /// The transpose of its inverse.
    InverseTranspose,
}

impl MatrixTransform {
    /// All with the GL's names.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Identity, "IDENTITY"),
        (Self::Inverse, "INVERSE"),
        (Self::Transpose, "TRANSPOSE"),
        (Self::InverseTranspose, "INVERSE_TRANSPOSE"),
    ];

    /// The GL's name.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(transform, _)| *transform == self).map_or("", |(_, name)| name)
    }
}

/// Four parameter registers that follow a matrix, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Track {
    /// The first register, a multiple of 4.
    pub register: u16,
    /// The matrix.
    pub matrix: MatrixName,
    /// What is done to it.
    pub transform: MatrixTransform,
}

impl Track {
    /// Whether register `c[index]` belongs to it.
    pub fn covers(&self, index: u16) -> bool {
        (self.register..self.register + 4).contains(&index)
    }
}

/// What a vertex program finds tracked where its scene says nothing: `c[0]` to `c[3]` the modelview-projection
/// matrix, `c[4]` to `c[7]` the modelview matrix, `c[8]` to `c[11]` its inverse transpose, for normals.
pub const DEFAULT_TRACKS: [Track; 3] = [
    Track { register: 0, matrix: MatrixName::ModelviewProjection, transform: MatrixTransform::Identity },
    Track { register: 4, matrix: MatrixName::Modelview, transform: MatrixTransform::Identity },
    Track { register: 8, matrix: MatrixName::Modelview, transform: MatrixTransform::InverseTranspose },
];

/// Reads every `[[track]]`.
pub(super) fn tracks(tables: &[Table<'_>]) -> Result<Vec<Track>, SceneError> {
    let mut tracks: Vec<Track> = Vec::with_capacity(tables.len());
    for table in tables {
        table.only(&["register", "matrix", "transform"])?;
        let last = (limits::VP2_PARAMETERS - 4) as u32;
        let Some(entry) = table.get("register") else {
            return Err(table.error(format!("the track needs register = 0, 4, 8 ... {last}")));
        };
        let register = entry.integer(0..=last)?;
        if register % 4 != 0 {
            return Err(entry.error("\"register\" must be a multiple of 4"));
        }
        let register = register as u16;
        if tracks.iter().any(|track| track.register == register) {
            return Err(entry.error(format!("c[{register}] already tracks a matrix")));
        }
        let Some(entry) = table.get("matrix") else {
            return Err(table.error("the track needs a matrix, such as matrix = \"MODELVIEW_PROJECTION\""));
        };
        let names: Vec<(MatrixName, String)> =
            MatrixName::all().map(|name| (name, name.to_string())).collect();
        let choices: Vec<(MatrixName, &str)> = names.iter().map(|(name, text)| (*name, &**text)).collect();
        let matrix = entry.choice(&choices)?;
        let transform = match table.get("transform") {
            Some(entry) => entry.choice(&MatrixTransform::ALL)?,
            None => MatrixTransform::Identity,
        };
        tracks.push(Track { register, matrix, transform });
    }
    Ok(tracks)
}

/// Reads `[matrices]`: the texture and tracking matrices it sets.
pub(super) fn matrices(table: &Table<'_>) -> Result<Vec<(MatrixName, MatrixSource)>, SceneError> {
    let sets = |make: fn(u8) -> MatrixName| (0..MATRIX_COUNT).map(make);
    let names = sets(MatrixName::Texture).chain(sets(MatrixName::Tracking));
    let keys: Vec<(MatrixName, String)> =
        names.map(|name| (name, name.to_string().to_ascii_lowercase())).collect();
    table.only(&keys.iter().map(|(_, key)| &**key).collect::<Vec<_>>())?;
    let set = keys.iter().filter_map(|(name, key)| Some((*name, table.get(key)?)));
    set.map(|(name, entry)| Ok((name, source(&entry)?))).collect()
}

/// 16 numbers row by row, or operations.
pub(super) fn source(entry: &Entry<'_>) -> Result<MatrixSource, SceneError> {
    const WANTED: &str = "16 numbers, row by row, or operations such as { translate = [0, 0, -1] }";
    let values = entry.array(0..=64, WANTED)?;
    if values.iter().all(|value| value.is_table()) {
        return operations(entry).map(MatrixSource::Operations);
    }
    if values.len() != 16 {
        let found = format::counted(values.len(), "element");
        return Err(entry.error(format!("\"{}\" must be {WANTED}; it has {found}", entry.name)));
    }
    let mut matrix = Matrix::IDENTITY;
    for (out, value) in matrix.rows.iter_mut().flatten().zip(values) {
        *out = entry.finite_of(value, WANTED)?;
    }
    Ok(MatrixSource::Constant(matrix))
}

/// A list of operations.
pub(super) fn operations(entry: &Entry<'_>) -> Result<Vec<MatrixOperation>, SceneError> {
    const WANTED: &str = "operations in brackets, such as { translate = [0, 0, -1] }";
    entry.tables_as("of an operation", WANTED)?.iter().map(operation).collect()
}

fn operation(table: &Table<'_>) -> Result<MatrixOperation, SceneError> {
    table.only(&["translate", "rotate", "scale", "rate", "axis"])?;
    let kinds = ["translate", "rotate", "scale"].into_iter().filter_map(|key| table.get(key));
    let kinds: Vec<Entry<'_>> = kinds.collect();
    let [kind] = kinds.as_slice() else {
        return Err(table.error("an operation needs exactly one of translate, rotate and scale"));
    };
    if kind.name != "rotate"
        && let Some(entry) = ["rate", "axis"].into_iter().find_map(|key| table.get(key))
    {
        return Err(entry.error(format!("\"{}\" works only with rotate", entry.name)));
    }
    Ok(match kind.name {
        "translate" => MatrixOperation::Translate(vector(kind)?),
        "scale" => MatrixOperation::Scale(match kind.value {
            DeValue::Array(_) => vector(kind)?,
            all => [component(kind, all, "3 numbers in brackets, or one number for all axes")?; 3],
        }),
        _ => rotation(table, kind)?,
    })
}

fn rotation(table: &Table<'_>, angle: &Entry<'_>) -> Result<MatrixOperation, SceneError> {
    let rate = match table.get("rate") {
        Some(entry) => entry.finite()?,
        None => 1.0,
    };
    let axis = match table.get("axis") {
        Some(entry) => entry.vector()?,
        None => [0.0, 1.0, 0.0],
    };
    if axis == [0.0; 3] {
        return Err(table.error_at("axis", "\"axis\" must not be zero"));
    }
    let angle = component(angle, angle.value, "an angle in degrees or a source such as \"time\"")?;
    Ok(MatrixOperation::Rotate { angle, rate, axis })
}

fn vector(entry: &Entry<'_>) -> Result<[Component; 3], SceneError> {
    const WANTED: &str = "3 numbers or sources such as \"time\" in brackets";
    let values = entry.array(3..=3, WANTED)?;
    Ok([
        component(entry, values[0], WANTED)?,
        component(entry, values[1], WANTED)?,
        component(entry, values[2], WANTED)?,
    ])
}
