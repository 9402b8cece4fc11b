//! Matrices of a scene, and the registers that track them: `[matrices]`, `model` of `[camera]` and
//! `[[track]]` (NV_vertex_program 2.14.5).

use super::read::{Entry, Table};
use super::schema::{Floats, Kind, Number, OneOf, Schema, Shape, Source, Sources, Whole, schema};
use super::write::values::{list, numbers};
use super::{Component, SceneError};
use crate::format;
use shadestep_engine::gl::Matrix;
pub use shadestep_engine::gl::Transform as MatrixTransform;
use shadestep_engine::ir::limits;
use std::fmt;
use toml::de::DeValue;
use toml_edit::Value;

/// Number of texture matrices, and of tracking matrices (`MAX_TRACK_MATRICES_NV`).
pub const MATRIX_COUNT: u8 = 8;

/// One step of a matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MatrixOperation {
    /// Translates by x, y, z.
    Translate([Component; 3]),
    /// Rotates around an axis, counter-clockwise seen from its tip.
    Rotate {
        /// The angle in degrees before it is multiplied by `rate`.
        angle: Component,
        /// Factor of the angle. If the angle is the time, `rate` is in degrees per second.
        rate: f32,
        /// The axis. Not zero; its length is ignored.
        axis: [f32; 3],
    },
    /// Scales along x, y, z.
    Scale([Component; 3]),
}

/// The value of a matrix.
#[derive(Clone, Debug, PartialEq)]
pub enum MatrixSource {
    /// A constant matrix.
    Constant(Matrix),
    /// Operations. The first one is applied to points first.
    Operations(Vec<MatrixOperation>),
}

impl MatrixSource {
    /// Returns the components of the operations, some of which may depend on the frame.
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
    /// All matrices with the GL's names.
    pub const ALL: [(Self, &'static str); 19] = [
        (Self::Modelview, "MODELVIEW"),
        (Self::Projection, "PROJECTION"),
        (Self::ModelviewProjection, "MODELVIEW_PROJECTION"),
        (Self::Texture(0), "TEXTURE0"),
        (Self::Texture(1), "TEXTURE1"),
        (Self::Texture(2), "TEXTURE2"),
        (Self::Texture(3), "TEXTURE3"),
        (Self::Texture(4), "TEXTURE4"),
        (Self::Texture(5), "TEXTURE5"),
        (Self::Texture(6), "TEXTURE6"),
        (Self::Texture(7), "TEXTURE7"),
        (Self::Tracking(0), "MATRIX0"),
        (Self::Tracking(1), "MATRIX1"),
        (Self::Tracking(2), "MATRIX2"),
        (Self::Tracking(3), "MATRIX3"),
        (Self::Tracking(4), "MATRIX4"),
        (Self::Tracking(5), "MATRIX5"),
        (Self::Tracking(6), "MATRIX6"),
        (Self::Tracking(7), "MATRIX7"),
    ];

    pub fn all() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().map(|(name, _)| name)
    }
}

impl fmt::Display for MatrixName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::ALL.iter().find(|(matrix, _)| matrix == self).map_or("", |(_, name)| name))
    }
}

/// The transforms of tracked matrices, with their names in `scene.toml`.
pub(crate) const TRANSFORMS: [(MatrixTransform, &str); 4] = [
    (MatrixTransform::Identity, "IDENTITY"),
    (MatrixTransform::Inverse, "INVERSE"),
    (MatrixTransform::Transpose, "TRANSPOSE"),
    (MatrixTransform::InverseTranspose, "INVERSE_TRANSPOSE"),
];

/// Four parameter registers that follow a matrix, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Track {
    /// The first of the four registers, a multiple of 4.
    pub register: u16,
    pub matrix: MatrixName,
    /// The transform of the matrix.
    pub transform: MatrixTransform,
}

impl Track {
    /// Whether `c[index]` is one of the four registers.
    pub fn covers(&self, index: u16) -> bool {
        (self.register..self.register + 4).contains(&index)
    }
}

/// The tracks of a vertex program whose scene has none. `c[0]` to `c[3]` track the modelview-projection
/// matrix, `c[4]` to `c[7]` the modelview matrix, and `c[8]` to `c[11]` its inverse transpose, for normals.
pub const DEFAULT_TRACKS: [Track; 3] = [
    Track { register: 0, matrix: MatrixName::ModelviewProjection, transform: MatrixTransform::Identity },
    Track { register: 4, matrix: MatrixName::Modelview, transform: MatrixTransform::Identity },
    Track { register: 8, matrix: MatrixName::Modelview, transform: MatrixTransform::InverseTranspose },
];

/// `[[track]]`.
pub(super) static TRACK: Schema<Track> = schema! { Track, "in [[track]]";
    "register": Whole::<u16>::new(0, (limits::VP2_PARAMETERS - 4) as u32), [register],
        needs "the track needs register = 0, 4, 8 ... 252", "First of the four registers, a multiple of 4.";
    "matrix": OneOf(&MatrixName::ALL), [matrix],
        needs "the track needs a matrix, such as matrix = \"MODELVIEW_PROJECTION\"",
        "`MODELVIEW_PROJECTION`, `MODELVIEW`, `PROJECTION`, `TEXTURE0` to `TEXTURE7`, or `MATRIX0` to `MATRIX7`.";
    "transform": OneOf(&TRANSFORMS), [transform], "`\"IDENTITY\"`", "Applied to the matrix.";
};

/// Reads every `[[track]]`.
pub(super) fn tracks(root: &Table<'_>) -> Result<Vec<Track>, SceneError> {
    let mut tracks: Vec<Track> = Vec::new();
    for table in TRACK.tables(root, "track")? {
        let mut track =
            Track { register: 0, matrix: MatrixName::Modelview, transform: MatrixTransform::Identity };
        TRACK.read(&table, &mut track)?;
        let Track { register, .. } = track;
        if register % 4 != 0 {
            return Err(table.error_at("register", "\"register\" must be a multiple of 4"));
        }
        if tracks.iter().any(|track| track.register == register) {
            return Err(table.error_at("register", format!("c[{register}] already tracks a matrix")));
        }
        tracks.push(track);
    }
    Ok(tracks)
}

/// The matrices that a scene sets, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Matrices(pub Vec<(MatrixName, MatrixSource)>);

impl Matrices {
    fn get(&self, name: MatrixName) -> Option<MatrixSource> {
        self.0.iter().find(|(other, _)| *other == name).map(|(_, source)| source.clone())
    }

    fn insert(&mut self, name: MatrixName, source: MatrixSource) {
        self.0.push((name, source));
    }
}

/// `[matrices]`.
pub(super) static MATRICES: Schema<Matrices> = schema! { Matrices, "in [matrices]";
    "texture0": Transform, [at t => MatrixName::Texture(0)], "identity", "Texture matrix of a unit.";
    "texture1": Transform, [at t => MatrixName::Texture(1)], "identity", "Texture matrix of a unit.";
    "texture2": Transform, [at t => MatrixName::Texture(2)], "identity", "Texture matrix of a unit.";
    "texture3": Transform, [at t => MatrixName::Texture(3)], "identity", "Texture matrix of a unit.";
    "texture4": Transform, [at t => MatrixName::Texture(4)], "identity", "Texture matrix of a unit.";
    "texture5": Transform, [at t => MatrixName::Texture(5)], "identity", "Texture matrix of a unit.";
    "texture6": Transform, [at t => MatrixName::Texture(6)], "identity", "Texture matrix of a unit.";
    "texture7": Transform, [at t => MatrixName::Texture(7)], "identity", "Texture matrix of a unit.";
    "matrix0": Transform, [at t => MatrixName::Tracking(0)], "identity", "`MATRIX0` to `MATRIX7`.";
    "matrix1": Transform, [at t => MatrixName::Tracking(1)], "identity", "`MATRIX0` to `MATRIX7`.";
    "matrix2": Transform, [at t => MatrixName::Tracking(2)], "identity", "`MATRIX0` to `MATRIX7`.";
    "matrix3": Transform, [at t => MatrixName::Tracking(3)], "identity", "`MATRIX0` to `MATRIX7`.";
    "matrix4": Transform, [at t => MatrixName::Tracking(4)], "identity", "`MATRIX0` to `MATRIX7`.";
    "matrix5": Transform, [at t => MatrixName::Tracking(5)], "identity", "`MATRIX0` to `MATRIX7`.";
    "matrix6": Transform, [at t => MatrixName::Tracking(6)], "identity", "`MATRIX0` to `MATRIX7`.";
    "matrix7": Transform, [at t => MatrixName::Tracking(7)], "identity", "`MATRIX0` to `MATRIX7`.";
};

/// 16 numbers row by row, or operations.
pub(super) struct Transform;

impl Kind for Transform {
    type Value = MatrixSource;

    fn read(&self, entry: &Entry<'_>) -> Result<MatrixSource, SceneError> {
        const WANTED: &str = "16 numbers, row by row, or operations such as { translate = [0, 0, -1] }";
        let values = entry.array(0..=64, WANTED)?;
        if values.iter().all(|value| value.is_table()) {
            return Operations.read(entry).map(MatrixSource::Operations);
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

    fn write(&self, source: &MatrixSource) -> Option<Value> {
        match source {
            MatrixSource::Constant(Matrix { rows }) => Some(numbers(rows.as_flattened())),
            MatrixSource::Operations(operations) => Operations.write(operations),
        }
    }

    fn shape(&self) -> Shape {
        let numbers = Shape::Number(None, None).array(16, 16).called("16 numbers");
        Shape::Either(vec![Operations.shape(), numbers])
    }
}

/// A list of operations.
pub(super) struct Operations;

impl Kind for Operations {
    type Value = Vec<MatrixOperation>;

    fn read(&self, entry: &Entry<'_>) -> Result<Vec<MatrixOperation>, SceneError> {
        const WANTED: &str = "operations in brackets, such as { translate = [0, 0, -1] }";
        let read = |table: &Table<'_>| {
            let mut operation = Operation::default();
            OPERATION.read(table, &mut operation)?;
            operation.checked(table)
        };
        entry.tables_as(OPERATION.place, WANTED)?.iter().map(read).collect()
    }

    fn write(&self, operations: &Vec<MatrixOperation>) -> Option<Value> {
        Some(list(operations.iter().map(|operation| OPERATION.inline(&Operation::of(operation)))))
    }

    fn shape(&self) -> Shape {
        Shape::Tables(OPERATION.shape()).called("operations")
    }
}

/// An operation as the text has it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Operation {
    translate: Option<[Component; 4]>,
    rotate: Option<Component>,
    rate: Option<f32>,
    axis: Option<[f32; 3]>,
    scale: Option<[Component; 4]>,
}

static OPERATION: Schema<Operation> = schema! { Operation, "of an operation";
    "translate": Sources::THREE, [some translate], "none", "Moves by this vector.";
    "rotate": Source("an angle in degrees or a source such as \"time\""), [some rotate], "none",
        "Turns by this angle, in degrees.";
    "rate": Number::Any, [some rate], "`1`",
        "Multiplies the angle of `rotate`.", with ("rotate", "rotate");
    "axis": Floats::<3>(Number::Any), [some axis], "`[0, 1, 0]`",
        "Axis of `rotate`.", with ("rotate", "rotate");
    "scale": Scale, [some scale], "none", "Scales all axes, or each one.";
};

impl Operation {
    fn of(operation: &MatrixOperation) -> Self {
        let four = |[x, y, z]: [Component; 3]| Some([x, y, z, Component::Constant(0.0)]);
        match *operation {
            MatrixOperation::Translate(vector) => Self { translate: four(vector), ..Self::default() },
            MatrixOperation::Scale(vector) => Self { scale: four(vector), ..Self::default() },
            MatrixOperation::Rotate { angle, rate, axis } => {
                Self { rotate: Some(angle), rate: Some(rate), axis: Some(axis), ..Self::default() }
            }
        }
    }

    /// Returns the operation that `table` holds.
    fn checked(&self, table: &Table<'_>) -> Result<MatrixOperation, SceneError> {
        let three = |[x, y, z, _]: [Component; 4]| [x, y, z];
        match (self.translate, self.rotate, self.scale) {
            (Some(vector), None, None) => Ok(MatrixOperation::Translate(three(vector))),
            (None, None, Some(vector)) => Ok(MatrixOperation::Scale(three(vector))),
            (None, Some(angle), None) => {
                let axis = self.axis.unwrap_or([0.0, 1.0, 0.0]);
                if axis == [0.0; 3] {
                    return Err(table.error_at("axis", "\"axis\" must not be zero"));
                }
                Ok(MatrixOperation::Rotate { angle, rate: self.rate.unwrap_or(1.0), axis })
            }
            _ => Err(table.error("an operation needs exactly one of translate, rotate and scale")),
        }
    }
}

/// A factor for each axis, or one factor for all axes.
struct Scale;

impl Kind for Scale {
    type Value = [Component; 4];

    fn read(&self, entry: &Entry<'_>) -> Result<[Component; 4], SceneError> {
        match entry.value {
            DeValue::Array(_) => Sources::THREE.read(entry),
            _ => Ok([Source("3 numbers in brackets, or one number for all axes").read(entry)?; 4]),
        }
    }

    fn write(&self, factors: &[Component; 4]) -> Option<Value> {
        Sources::THREE.write(factors)
    }

    fn shape(&self) -> Shape {
        Shape::Either(vec![Shape::Source, Sources::THREE.shape()])
    }
}
