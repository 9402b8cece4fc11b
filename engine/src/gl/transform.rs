//! What transforms vertices: the vertex program bound, with its position computed for it if it is
//! position-invariant, or the conventional transformation, which is a vertex program too.

use std::sync::{Arc, LazyLock};

use super::Context;
use super::enums::{TEXTURE_COORDS, TrackedMatrix};
use super::error::{Error, Result};
use super::matrix::Matrix;
use crate::exec::ops::{self, Exact32};
use crate::exec::{AttributeRows, Bindings, Executable, Row, Shader, VertexRows, VertexShader, Worker};
use crate::front;
use crate::ir::{Attribute, ParameterSource, Program, VertexResult, limits};
use crate::isa::Language;

/// The conventional transformation as program text.
pub const CONVENTIONAL: &str = include_str!("conventional.vp");

static CONVENTIONAL_EXECUTABLE: LazyLock<Option<Arc<Executable>>> = LazyLock::new(|| {
    let program = front::load(CONVENTIONAL.as_bytes()).program?;
    Some(Arc::new(Executable::new(Arc::new(program))))
});

/// A vertex program with its parameters, ready to run.
#[derive(Clone, Debug)]
pub struct VertexStage {
    shader: Shader,
    program: Arc<Program>,
    bindings: Bindings,
    /// Projection times model-view, for a position-invariant program.
    clip_from_object: Option<Matrix>,
}

impl VertexStage {
    fn new(executable: Arc<Executable>, registers: &[[f32; 4]], invariant: Option<Matrix>) -> Self {
        let program = executable.program().clone();
        let bindings = register_bindings(&program, registers);
        let shader = Shader::new(executable, bindings.clone());
        Self { shader, program, bindings, clip_from_object: invariant }
    }

    /// The program; for the conventional transformation, the one that it is written as.
    pub const fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Values of its parameters as the draw uses them.
    pub const fn bindings(&self) -> &Bindings {
        &self.bindings
    }

    /// Where a position-invariant program's vertex at `position` is in clip space; `None` for programs that
    /// say so themselves (HPOS).
    pub fn invariant_position(&self, position: [f32; 4]) -> Option<[f32; 4]> {
        self.clip_from_object.map(|matrix| matrix.rows.map(|row| dot(row, position)))
    }

    /// Whether the vertex has the result: the program writes it, or the GL does.
    pub fn writes(&self, result: VertexResult) -> bool {
        self.results_written() & 1 << result.index() != 0
    }
}

/// Values of the parameters of `program`, with `registers` as its `c[n]`.
pub(super) fn register_bindings(program: &Program, registers: &[[f32; 4]]) -> Bindings {
    let mut bindings = Bindings::initial(program);
    for (value, parameter) in bindings.parameters.iter_mut().zip(&program.parameters) {
        if let ParameterSource::Env(number) = parameter.source {
            *value = registers.get(usize::from(number)).copied().unwrap_or_default();
        }
    }
    bindings
}

/// DP4's arithmetic, so that positions are the same bits as those of a program that computes them.
fn dot(row: [f32; 4], v: [f32; 4]) -> f32 {
    ops::dp4::<Exact32>(row[0], v[0], row[1], v[1], row[2], v[2], row[3], v[3])
}

impl VertexShader for VertexStage {
    type Worker = Worker;

    fn worker(&self) -> Worker {
        VertexShader::worker(&self.shader)
    }

    fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        let mut used = VertexShader::attributes_used(&self.shader);
        if self.clip_from_object.is_some() {
            used[Attribute::Vertex(0).index()] = 0b1111;
        }
        used
    }

    fn results_written(&self) -> u32 {
        let position = u32::from(self.clip_from_object.is_some()) << VertexResult::Hpos.index();
        VertexShader::results_written(&self.shader) | position
    }

    fn run(&self, worker: &mut Worker, inputs: &AttributeRows, active: u64, output: &mut VertexRows) {
        VertexShader::run(&self.shader, worker, inputs, active, output);
        let Some(matrix) = self.clip_from_object else { return };
        let position: [&Row; 4] = std::array::from_fn(|i| inputs.row(Attribute::Vertex(0), i));
        for (component, row) in matrix.rows.into_iter().enumerate() {
            let out = output.row_mut(VertexResult::Hpos, component);
            for (lane, out) in out.0.iter_mut().enumerate() {
                *out = dot(row, position.map(|position| position.0[lane]));
            }
        }
    }
}

impl Context {
    /// The transformation by `executable`, a vertex program.
    pub(super) fn program_stage(&self, executable: Arc<Executable>) -> VertexStage {
        let invariant = executable.program().options.position_invariant;
        let matrix = invariant.then(|| self.clip_from_object());
        VertexStage::new(executable, &self.registers, matrix)
    }

    /// The conventional transformation with the current matrices.
    pub(super) fn conventional_stage(&self) -> Result<VertexStage> {
        let executable = CONVENTIONAL_EXECUTABLE.clone().ok_or_else(|| {
            Error::invalid_operation("glspec15 2.11", "the conventional transformation does not load")
        })?;
        let mut registers = vec![[0.0; 4]; limits::VP1_PARAMETERS];
        let mut put =
            |first: usize, rows: &[[f32; 4]]| registers[first..first + rows.len()].copy_from_slice(rows);
        let current = |matrix| self.matrices.tracked(matrix).unwrap_or_default();
        put(0, &self.clip_from_object().rows);
        for set in 0..TEXTURE_COORDS {
            put(4 + 4 * usize::from(set), &current(TrackedMatrix::TextureUnit(set)).rows);
        }
        put(36, &current(TrackedMatrix::Modelview).rows[2..3]);
        Ok(VertexStage::new(executable, &registers, None))
    }

    fn clip_from_object(&self) -> Matrix {
        self.matrices.tracked(TrackedMatrix::ModelviewProjection).unwrap_or_default()
    }
}

/// Whether programs of `language` have clip distances (NV_vertex_program2 2.11).
pub(super) fn has_clip_distances(language: Language) -> bool {
    language == Language::Vp2
}
