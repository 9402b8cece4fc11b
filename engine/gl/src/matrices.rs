//! Matrix stacks with their commands (glspec15 2.11.2), and parameters that track matrices
//! (NV_vertex_program2 2.14.7).

use super::Context;
use super::enums::{EnumArgument, MatrixMode, TEXTURE_COORDS, TRACK_MATRICES, TrackedMatrix, Transform};
use super::error::{Error, ErrorCode, Result, named};
use super::matrix::Matrix;
use super::parameters::Registers;
use shadestep_language::ir::{limits, single_bits};
use shadestep_language::isa::Stage;

const MATRICES: &str = "glspec15 2.11.2";
const TRACKING: &str = "NV_vertex_program2 2.14.7";
const ACTIVE: &str = "NV_fragment_program F.2.6";

/// Depth of every stack (`MAX_MODELVIEW_STACK_DEPTH` and so on).
pub const STACK_DEPTH: usize = 32;

/// A number of a matrix: the types of commands with the suffix `f` or `d`.
pub trait Number: Copy {
    /// The number in the precision of matrices.
    fn to_f32(self) -> f32;
}

impl Number for f32 {
    fn to_f32(self) -> f32 {
        self
    }
}

impl Number for f64 {
    fn to_f32(self) -> f32 {
        self as f32
    }
}

/// One of the stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stack {
    Modelview,
    Projection,
    Color,
    Texture(u8),
    Matrix(u8),
}

impl Stack {
    const COUNT: usize = 3 + TEXTURE_COORDS as usize + TRACK_MATRICES as usize;

    const fn index(self) -> usize {
        match self {
            Self::Modelview => 0,
            Self::Projection => 1,
            Self::Color => 2,
            Self::Texture(unit) => 3 + unit as usize,
            Self::Matrix(number) => 3 + TEXTURE_COORDS as usize + number as usize,
        }
    }
}

/// All stacks. The last matrix of each is the current one; no stack is ever empty.
#[derive(Clone, Debug)]
pub(super) struct Matrices {
    stacks: Vec<Vec<Matrix>>,
    /// The stack that matrix commands work on.
    pub mode: MatrixMode,
    /// The texture unit that `TEXTURE` refers to.
    pub active_texture: u8,
}

impl Default for Matrices {
    fn default() -> Self {
        let stacks = vec![vec![Matrix::IDENTITY]; Stack::COUNT];
        Self { stacks, mode: MatrixMode::Modelview, active_texture: 0 }
    }
}

impl Matrices {
    fn current(&self, stack: Stack) -> Matrix {
        self.stacks[stack.index()].last().copied().unwrap_or_default()
    }

    /// The stack that matrix commands work on.
    fn selected(&self) -> Result<Stack> {
        Ok(match self.mode {
            MatrixMode::Modelview => Stack::Modelview,
            MatrixMode::Projection => Stack::Projection,
            MatrixMode::Color => Stack::Color,
            MatrixMode::Matrix(number) => Stack::Matrix(number),
            MatrixMode::Texture => Stack::Texture(self.texture_stack()?),
        })
    }

    /// The active texture unit. An error if the unit has no coordinates, so no matrix.
    pub fn texture_stack(&self) -> Result<u8> {
        let unit = self.active_texture;
        if unit < TEXTURE_COORDS {
            return Ok(unit);
        }
        let reason = format!("the active texture unit, {unit}, has no texture coordinates");
        Err(Error::invalid_operation(ACTIVE, reason))
    }

    /// The current value of `matrix`; `None` for `NONE`, and for `TEXTURE`, whose unit is not known here.
    pub fn tracked(&self, matrix: TrackedMatrix) -> Option<Matrix> {
        Some(match matrix {
            TrackedMatrix::None | TrackedMatrix::Texture => return None,
            TrackedMatrix::Modelview => self.current(Stack::Modelview),
            TrackedMatrix::Projection => self.current(Stack::Projection),
            TrackedMatrix::Color => self.current(Stack::Color),
            TrackedMatrix::TextureUnit(unit) => self.current(Stack::Texture(unit)),
            TrackedMatrix::Matrix(number) => self.current(Stack::Matrix(number)),
            TrackedMatrix::ModelviewProjection => {
                self.current(Stack::Projection).times(&self.current(Stack::Modelview))
            }
        })
    }
}

/// The tracking of four consecutive registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Track {
    matrix: TrackedMatrix,
    transform: Transform,
}

/// Tracking of registers 4n to 4n+3.
#[derive(Clone, Debug)]
pub(super) struct Tracking([Track; limits::VP2_PARAMETERS / 4]);

impl Default for Tracking {
    fn default() -> Self {
        Self(
            [Track { matrix: TrackedMatrix::None, transform: Transform::Identity };
                limits::VP2_PARAMETERS / 4],
        )
    }
}

impl Tracking {
    /// Whether `register` tracks a matrix.
    pub fn covers(&self, register: usize) -> bool {
        self.0.get(register / 4).is_some_and(|track| track.matrix != TrackedMatrix::None)
    }

    /// Updates every tracking register.
    fn update(&self, matrices: &Matrices, registers: &mut Registers) {
        let (rows, _) = registers.as_chunks_mut::<4>();
        for (rows, track) in rows.iter_mut().zip(&self.0) {
            if let Some(matrix) = matrices.tracked(track.matrix) {
                *rows = match track.transform {
                    Transform::Identity => matrix,
                    Transform::Inverse => matrix.inverse(),
                    Transform::Transpose => matrix.transposed(),
                    Transform::InverseTranspose => matrix.inverse().transposed(),
                }
                .rows
                .map(single_bits);
            }
        }
    }
}

/// Matrices.
impl Context {
    /// `MatrixMode`: the stack that the other matrix commands change; initially the model-view stack.
    ///
    /// # Errors
    /// `INVALID_ENUM` for an unknown mode.
    pub fn matrix_mode(&mut self, mode: impl EnumArgument<MatrixMode>) -> Result<()> {
        self.command("MatrixMode", |context| {
            let mode = named(mode, MATRICES, "matrix mode")?;
            if let MatrixMode::Matrix(number) = mode
                && number >= TRACK_MATRICES
            {
                return Err(Error::invalid_enum(MATRICES, format!("there is no MATRIX{number}_NV")));
            }
            context.matrices.mode = mode;
            Ok(())
        })
    }

    /// `ActiveTexture` with the number of the unit: selects the texture matrix that `TEXTURE` refers to.
    ///
    /// # Errors
    /// `INVALID_ENUM` if the unit does not exist. There are 16 image units, and 8 sets of coordinates.
    pub fn active_texture(&mut self, unit: u32) -> Result<()> {
        self.command("ActiveTexture", |context| {
            let found =
                u8::try_from(unit).ok().filter(|&u| usize::from(u) < shadestep_language::ir::IMAGE_UNITS);
            context.matrices.active_texture = found
                .ok_or_else(|| Error::invalid_enum(ACTIVE, format!("there is no texture unit {unit}")))?;
            Ok(())
        })
    }

    /// `GetIntegerv` of `MATRIX_MODE`.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_matrix_mode(&self) -> Result<MatrixMode> {
        self.query("GetIntegerv", || Ok(self.matrices.mode))
    }

    /// `GetIntegerv` of `ACTIVE_TEXTURE`: the number of the unit.
    ///
    /// # Errors
    /// Only `INVALID_OPERATION` between begin and end.
    pub fn get_active_texture(&self) -> Result<u8> {
        self.query("GetIntegerv", || Ok(self.matrices.active_texture))
    }

    /// `LoadMatrix{f,d}`: replaces the current matrix by 16 numbers in column-major order.
    ///
    /// # Errors
    /// The errors of every matrix command: `INVALID_OPERATION` between begin and end, and if the mode is
    /// TEXTURE and the active texture unit has no coordinates.
    pub fn load_matrix<N: Number>(&mut self, matrix: &[N; 16]) -> Result<()> {
        self.change_matrix("LoadMatrix", |_| Ok(Matrix::from_columns(&matrix.map(N::to_f32))))
    }

    /// `MultMatrix{f,d}`: replaces the current matrix M by M times the given one.
    ///
    /// # Errors
    /// As [`Self::load_matrix`].
    pub fn mult_matrix<N: Number>(&mut self, matrix: &[N; 16]) -> Result<()> {
        self.multiply("MultMatrix", || Ok(Matrix::from_columns(&matrix.map(N::to_f32))))
    }

    /// `LoadTransposeMatrix{f,d}`: as [`Self::load_matrix`] with 16 numbers in row-major order.
    ///
    /// # Errors
    /// As [`Self::load_matrix`].
    pub fn load_transpose_matrix<N: Number>(&mut self, matrix: &[N; 16]) -> Result<()> {
        self.change_matrix("LoadTransposeMatrix", |_| Ok(Matrix::from_rows(&matrix.map(N::to_f32))))
    }

    /// `MultTransposeMatrix{f,d}`: as [`Self::mult_matrix`] with 16 numbers in row-major order.
    ///
    /// # Errors
    /// As [`Self::load_matrix`].
    pub fn mult_transpose_matrix<N: Number>(&mut self, matrix: &[N; 16]) -> Result<()> {
        self.multiply("MultTransposeMatrix", || Ok(Matrix::from_rows(&matrix.map(N::to_f32))))
    }

    /// `LoadIdentity`
    ///
    /// # Errors
    /// As [`Self::load_matrix`].
    pub fn load_identity(&mut self) -> Result<()> {
        self.change_matrix("LoadIdentity", |_| Ok(Matrix::IDENTITY))
    }

    /// `Translate`
    ///
    /// # Errors
    /// As [`Self::load_matrix`].
    pub fn translate(&mut self, by: [f32; 3]) -> Result<()> {
        self.multiply("Translate", || Ok(Matrix::translation(by)))
    }

    /// `Rotate`: by an angle in degrees about an axis. A zero axis rotates nothing.
    ///
    /// # Errors
    /// As [`Self::load_matrix`].
    pub fn rotate(&mut self, degrees: f32, axis: [f32; 3]) -> Result<()> {
        self.multiply("Rotate", || Ok(Matrix::rotation(degrees, axis)))
    }

    /// `Scale`
    ///
    /// # Errors
    /// As [`Self::load_matrix`].
    pub fn scale(&mut self, by: [f32; 3]) -> Result<()> {
        self.multiply("Scale", || Ok(Matrix::scaling(by)))
    }

    /// `Frustum`: left, right, bottom, top, near, far.
    ///
    /// # Errors
    /// `INVALID_VALUE` if near or far is not positive or two opposite planes are equal; otherwise as
    /// [`Self::load_matrix`].
    pub fn frustum(&mut self, planes: [f64; 6]) -> Result<()> {
        self.multiply("Frustum", || {
            distinct(planes)?;
            positive(planes[4], planes[5])?;
            Ok(Matrix::frustum(planes))
        })
    }

    /// `Ortho`: left, right, bottom, top, near, far.
    ///
    /// # Errors
    /// `INVALID_VALUE` if two opposite planes are equal; otherwise as [`Self::load_matrix`].
    pub fn ortho(&mut self, planes: [f64; 6]) -> Result<()> {
        self.multiply("Ortho", || distinct(planes).map(|()| Matrix::ortho(planes)))
    }

    /// `PushMatrix`: duplicates the top of the current stack.
    ///
    /// # Errors
    /// `STACK_OVERFLOW` if the stack holds [`STACK_DEPTH`] matrices; otherwise as [`Self::load_matrix`].
    pub fn push_matrix(&mut self) -> Result<()> {
        self.command("PushMatrix", |context| {
            let stack = context.matrices.selected()?;
            let matrix = context.matrices.current(stack);
            let stack = &mut context.matrices.stacks[stack.index()];
            if stack.len() >= STACK_DEPTH {
                let reason = format!("the matrix stack is full: it holds at most {STACK_DEPTH} matrices");
                return Err(Error { code: ErrorCode::StackOverflow, reason, clause: MATRICES });
            }
            stack.push(matrix);
            Ok(())
        })
    }

    /// `PopMatrix`: removes the top of the current stack.
    ///
    /// # Errors
    /// `STACK_UNDERFLOW` if the stack holds one matrix; otherwise as [`Self::load_matrix`].
    pub fn pop_matrix(&mut self) -> Result<()> {
        self.command("PopMatrix", |context| {
            let stack = context.matrices.selected()?;
            let stack = &mut context.matrices.stacks[stack.index()];
            if stack.len() <= 1 {
                let reason = "the stack's only matrix cannot be popped".to_owned();
                return Err(Error { code: ErrorCode::StackUnderflow, reason, clause: MATRICES });
            }
            stack.pop();
            context.track();
            Ok(())
        })
    }

    /// `CURRENT_MATRIX_NV`: the current matrix of the current mode (NV_vertex_program 6.1.14).
    ///
    /// # Errors
    /// As [`Self::load_matrix`].
    pub fn current_matrix(&self) -> Result<Matrix> {
        self.query("GetFloatv", || self.matrices.selected().map(|stack| self.matrices.current(stack)))
    }

    /// `CURRENT_MATRIX_STACK_DEPTH_NV`: number of matrices on the current stack.
    ///
    /// # Errors
    /// As [`Self::load_matrix`].
    pub fn current_matrix_stack_depth(&self) -> Result<usize> {
        self.query("GetIntegerv", || {
            self.matrices.selected().map(|stack| self.matrices.stacks[stack.index()].len())
        })
    }

    /// The current value of `matrix`. `TEXTURE` means the active unit; `NONE` has no value.
    pub fn matrix(&self, matrix: TrackedMatrix) -> Option<Matrix> {
        let in_range = match matrix {
            TrackedMatrix::Texture => TrackedMatrix::TextureUnit(self.matrices.active_texture),
            other => other,
        };
        resolvable(in_range).then(|| self.matrices.tracked(in_range)).flatten()
    }

    /// The current model-view matrix.
    pub(super) fn modelview(&self) -> Matrix {
        self.matrices.current(Stack::Modelview)
    }

    fn multiply(&mut self, name: &'static str, right: impl FnOnce() -> Result<Matrix>) -> Result<()> {
        self.change_matrix(name, |current| right().map(|right| current.times(&right)))
    }

    fn change_matrix(
        &mut self,
        name: &'static str,
        change: impl FnOnce(&Matrix) -> Result<Matrix>,
    ) -> Result<()> {
        self.command(name, |context| {
            let stack = context.matrices.selected()?;
            let matrix = change(&context.matrices.current(stack))?;
            if let Some(top) = context.matrices.stacks[stack.index()].last_mut() {
                *top = matrix;
            }
            context.track();
            Ok(())
        })
    }
}

/// Whether `matrix` exists.
const fn resolvable(matrix: TrackedMatrix) -> bool {
    match matrix {
        TrackedMatrix::TextureUnit(unit) => unit < TEXTURE_COORDS,
        TrackedMatrix::Matrix(number) => number < TRACK_MATRICES,
        _ => true,
    }
}

fn distinct([l, r, b, t, n, f]: [f64; 6]) -> Result<()> {
    if l == r || b == t || n == f {
        return Err(Error::invalid_value(MATRICES, "two opposite planes are the same"));
    }
    Ok(())
}

fn positive(near: f64, far: f64) -> Result<()> {
    if near > 0.0 && far > 0.0 {
        return Ok(());
    }
    Err(Error::invalid_value(MATRICES, format!("near {near} and far {far} must both be positive")))
}

/// The set of four registers of a tracking command.
fn tracked_set(address: u32, clause: &'static str) -> Result<usize> {
    let address = usize::try_from(address).unwrap_or(usize::MAX);
    if !address.is_multiple_of(4) {
        return Err(Error::invalid_value(clause, format!("the address {address} is not a multiple of four")));
    }
    if address >= limits::VP2_PARAMETERS {
        return Err(Error::invalid_value(clause, format!("there is no register c[{address}]")));
    }
    Ok(address / 4)
}

fn tracking_target(target: impl EnumArgument<Stage>) -> Result<()> {
    match named(target, TRACKING, "target")? {
        Stage::Vertex => Ok(()),
        other => Err(Error::invalid_enum(TRACKING, format!("{} tracks no matrices", other.name()))),
    }
}

/// Tracking.
impl Context {
    /// `TrackMatrixNV`: `c[address]` to `c[address + 3]` follow the rows of a matrix, transformed by
    /// `transform`. `NONE` stops tracking and keeps the values.
    ///
    /// # Errors
    /// `INVALID_ENUM` unless the target is VERTEX_PROGRAM_NV and for an unknown matrix or transform;
    /// `INVALID_VALUE` if the address is not a multiple of four or greater than 252; `INVALID_OPERATION` for
    /// TEXTURE while the active unit has no coordinates.
    pub fn track_matrix(
        &mut self,
        target: impl EnumArgument<Stage>,
        address: u32,
        matrix: impl EnumArgument<TrackedMatrix>,
        transform: impl EnumArgument<Transform>,
    ) -> Result<()> {
        self.command("TrackMatrixNV", |context| {
            tracking_target(target)?;
            let matrix: TrackedMatrix = named(matrix, TRACKING, "matrix")?;
            let transform = named(transform, TRACKING, "transform")?;
            if !resolvable(matrix) {
                return Err(Error::invalid_enum(TRACKING, format!("there is no {}", matrix.name())));
            }
            let set = tracked_set(address, TRACKING)?;
            let matrix = match matrix {
                TrackedMatrix::Texture => TrackedMatrix::TextureUnit(context.matrices.texture_stack()?),
                other => other,
            };
            context.tracking.0[set] = Track { matrix, transform };
            context.track();
            Ok(())
        })
    }

    /// `GetTrackMatrixivNV`: the matrix and transform that `c[address]` to `c[address + 3]` track. A texture
    /// matrix is always TEXTUREi.
    ///
    /// # Errors
    /// `INVALID_ENUM` unless the target is VERTEX_PROGRAM_NV, `INVALID_VALUE` if the address is not a
    /// multiple of four or greater than 255.
    pub fn get_track_matrix(
        &self,
        target: impl EnumArgument<Stage>,
        address: u32,
    ) -> Result<(TrackedMatrix, Transform)> {
        self.query("GetTrackMatrixivNV", || {
            tracking_target(target)?;
            let track = self.tracking.0[tracked_set(address, "NV_vertex_program 6.1.13")?];
            Ok((track.matrix, track.transform))
        })
    }

    /// Whether `c[register]` tracks a matrix.
    pub fn is_tracked(&self, register: usize) -> bool {
        self.tracking.covers(register)
    }

    /// Updates the tracking registers after a matrix changed.
    fn track(&mut self) {
        self.tracking.update(&self.matrices, &mut self.registers);
    }
}
