//! The vertex stage of a draw: the bound vertex program, or fixed-function vertex processing, which is a
//! vertex program too. For position-invariant programs, the stage also computes the position.

use std::sync::{Arc, LazyLock};

use super::Context;
use super::draw_memory::DrawMemory;
use super::enums::{CLIP_PLANES, Cap, TEXTURE_COORDS, TrackedMatrix};
use super::error::{Error, Result};
use super::fixed_function::PointAttenuation;
use super::matrix::Matrix;
use super::programs::ProgramObject;
use shadestep_core::exec::{
    AttributeLanes, Bindings, ControlShader, EvaluationShader, Executable, GeometryShader, LANES,
    LaneRegister, ResultLanes, Shader, VertexShader, Worker,
};
use shadestep_core::memory::Use;
use shadestep_language::front;
use shadestep_language::ir::{
    Attribute, Components, ParameterSource, Program, VertexResult, limits, single_bits,
};
use shadestep_language::isa::Stage;
use shadestep_language::semantics::ops::{self, Single};

/// Fixed-function vertex processing as program text.
pub const FIXED_FUNCTION: &str = include_str!("fixed_function.vp");

static FIXED_FUNCTION_EXECUTABLE: LazyLock<Option<Arc<Executable>>> = LazyLock::new(|| {
    let program = front::load(FIXED_FUNCTION.as_bytes()).program?;
    Some(Arc::new(Executable::new(Arc::new(program))))
});

/// A vertex program with its parameters, ready to run.
#[derive(Clone, Debug)]
pub struct VertexStage {
    shader: Shader,
    program: Arc<Program>,
    bindings: Bindings,
    /// Projection times model-view, for position-invariant programs.
    clip_from_object: Option<Matrix>,
    eye: EyeResults,
    /// The tessellation control program.
    control: Option<Box<ProgramStage>>,
    /// The tessellation evaluation program.
    evaluation: Option<Box<ProgramStage>>,
    /// The geometry program.
    geometry: Option<Box<ProgramStage>>,
}

/// A program between the vertex and the fragment stage with its parameters, ready to run.
#[derive(Clone, Debug)]
pub struct ProgramStage {
    shader: Shader,
    program: Arc<Program>,
    bindings: Bindings,
}

impl ProgramStage {
    pub const fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Parameter values for the draw.
    pub const fn bindings(&self) -> &Bindings {
        &self.bindings
    }
}

impl VertexStage {
    fn new(executable: Arc<Executable>, bindings: Bindings, invariant: Option<Matrix>) -> Self {
        let program = executable.program().clone();
        let shader = Shader::new(executable, bindings.clone());
        let (clip_from_object, eye) = (invariant, EyeResults::NONE);
        let (control, evaluation, geometry) = (None, None, None);
        Self { shader, program, bindings, clip_from_object, eye, control, evaluation, geometry }
    }

    /// The same stage followed by these programs.
    #[must_use]
    pub(super) fn with(
        self,
        control: Option<ProgramStage>,
        evaluation: Option<ProgramStage>,
        geometry: Option<ProgramStage>,
    ) -> Self {
        let [control, evaluation, geometry] =
            [control, evaluation, geometry].map(|stage| stage.map(Box::new));
        Self { control, evaluation, geometry, ..self }
    }

    /// The active clip planes for this stage's positions: bit n is set for plane n.
    pub(super) const fn clip_planes(&self) -> u8 {
        self.eye.planes
    }

    /// Whether point sizes are attenuated by distance.
    pub(super) const fn derives_point_size(&self) -> bool {
        self.eye.point.is_some()
    }

    /// The program; for fixed-function processing, the equivalent program.
    pub const fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Parameter values for the draw.
    pub const fn bindings(&self) -> &Bindings {
        &self.bindings
    }

    /// The following program of `stage`, if there is one.
    pub fn stage(&self, stage: Stage) -> Option<&ProgramStage> {
        match stage {
            Stage::TessControl => self.control.as_deref(),
            Stage::TessEvaluation => self.evaluation.as_deref(),
            Stage::Geometry => self.geometry.as_deref(),
            Stage::Vertex | Stage::VertexState | Stage::Fragment => None,
        }
    }

    /// Whether following programs generate the drawn primitives.
    pub const fn makes_primitives(&self) -> bool {
        self.evaluation.is_some() || self.geometry.is_some()
    }

    /// The vertex program and the programs after it.
    pub(super) fn programs(&self) -> impl Iterator<Item = &Arc<Program>> {
        let behind = [&self.control, &self.evaluation, &self.geometry].into_iter().flatten();
        [&self.program].into_iter().chain(behind.map(|stage| &stage.program))
    }

    /// Whether drawn vertices have the result. The last program before the fragment stage writes it, or the
    /// GL does.
    pub fn writes(&self, result: VertexResult) -> bool {
        match (&self.geometry, &self.evaluation) {
            (Some(geometry), _) => GeometryShader::results(&geometry.shader).contains(&result),
            (None, Some(evaluation)) => {
                EvaluationShader::results_written(&evaluation.shader) & 1 << result.index() != 0
            }
            (None, None) => self.results_written() & 1 << result.index() != 0,
        }
    }
}

/// Parameter values of `program`, with `registers` as its `c[n]`.
pub(super) fn register_bindings(program: &Program, registers: &[Components]) -> Bindings {
    let mut bindings = Bindings::initial(program);
    for (value, parameter) in bindings.parameters.iter_mut().zip(&program.parameters) {
        if let ParameterSource::Env(number) = parameter.source {
            *value = registers.get(usize::from(number)).copied().unwrap_or_default();
        }
    }
    bindings
}

/// The arithmetic of DP4, so that positions are bit-identical to the positions of a program that computes
/// them with DP4.
fn dot(row: [f32; 4], v: [f32; 4]) -> f32 {
    ops::dp4::<Single, f32>(row[0], v[0], row[1], v[1], row[2], v[2], row[3], v[3])
}

impl VertexShader for VertexStage {
    type Worker = Worker;

    fn control(&self) -> Option<&dyn ControlShader> {
        self.control.as_ref().map(|control| &control.shader as &dyn ControlShader)
    }

    fn evaluation(&self) -> Option<&dyn EvaluationShader> {
        self.evaluation.as_ref().map(|evaluation| &evaluation.shader as &dyn EvaluationShader)
    }

    fn geometry(&self) -> Option<&dyn GeometryShader> {
        self.geometry.as_ref().map(|geometry| &geometry.shader as &dyn GeometryShader)
    }

    fn worker(&self) -> Worker {
        VertexShader::worker(&self.shader)
    }

    fn attributes_used(&self) -> [u8; Attribute::SLOTS] {
        let mut used = VertexShader::attributes_used(&self.shader);
        if self.clip_from_object.is_some() || self.eye.results() != 0 {
            used[Attribute::Vertex(0).index()] = 0b1111;
        }
        used
    }

    fn results_written(&self) -> u64 {
        let position = u64::from(self.clip_from_object.is_some()) << VertexResult::Hpos.index();
        VertexShader::results_written(&self.shader) | position | self.eye.results()
    }

    fn memory_use(&self) -> Use {
        VertexShader::memory_use(&self.shader)
    }

    fn is_serialised(&self) -> bool {
        VertexShader::is_serialised(&self.shader)
    }

    fn tracks(&self) -> bool {
        self.shader.memory().tracks() && self.programs().any(|program| program.accesses_memory())
    }

    fn run(&self, worker: &mut Worker, inputs: &AttributeLanes, active: u64, output: &mut ResultLanes) {
        VertexShader::run(&self.shader, worker, inputs, active, output);
        let position: [&LaneRegister; 4] = std::array::from_fn(|i| inputs.register(Attribute::Vertex(0), i));
        self.eye.run(position, output);
        let Some(matrix) = self.clip_from_object else { return };
        for (component, row) in matrix.rows.into_iter().enumerate() {
            let out = output.register_mut(VertexResult::Hpos, component);
            for (lane, out) in out.0.iter_mut().enumerate() {
                *out = dot(row, position.map(|position| position.0[lane]));
            }
        }
    }
}

/// Results that the GL computes from eye coordinates in fixed-function processing and position-invariant
/// programs: distances from the clip planes (glspec15 2.12) and derived point sizes (3.3).
#[derive(Clone, Copy, Debug)]
struct EyeResults {
    eye_from_object: Matrix,
    /// Bit n is set if plane n clips.
    planes: u8,
    equations: [[f32; 4]; CLIP_PLANES as usize],
    /// `POINT_SIZE` and its attenuation by distance.
    point: Option<(f32, PointAttenuation)>,
}

impl EyeResults {
    const NONE: Self = Self {
        eye_from_object: Matrix::IDENTITY,
        planes: 0,
        equations: [[0.0; 4]; CLIP_PLANES as usize],
        point: None,
    };

    fn clipping(&self) -> impl Iterator<Item = (VertexResult, [f32; 4])> {
        let all = (0..CLIP_PLANES).zip(self.equations);
        all.filter(|&(plane, _)| self.planes >> plane & 1 != 0)
            .map(|(plane, equation)| (VertexResult::Clp(plane), equation))
    }

    /// A bit for each computed result.
    fn results(&self) -> u64 {
        let point = u64::from(self.point.is_some()) << VertexResult::Psiz.index();
        self.clipping().fold(point, |bits, (result, _)| bits | 1 << result.index())
    }

    fn run(&self, position: [&LaneRegister; 4], output: &mut ResultLanes) {
        if self.results() == 0 {
            return;
        }
        for lane in 0..LANES {
            let object = position.map(|register| register.0[lane]);
            let eye = self.eye_from_object.rows.map(|row| dot(row, object));
            for (result, equation) in self.clipping() {
                output.register_mut(result, 0).0[lane] = dot(equation, eye);
            }
            if let Some((size, attenuation)) = self.point {
                output.register_mut(VertexResult::Psiz, 0).0[lane] = attenuation.derived(size, eye);
            }
        }
    }
}

impl Context {
    /// The vertex stage for `executable`, the vertex program of `object`.
    pub(super) fn program_stage(
        &self,
        object: &ProgramObject,
        executable: Arc<Executable>,
        memory: &DrawMemory,
    ) -> VertexStage {
        let invariant = executable.program().options.position_invariant;
        let matrix = invariant.then(|| self.clip_from_object());
        let mut stage = VertexStage::new(executable, self.bindings(object, memory), matrix);
        if invariant && stage.program.language.profile().clips_when_invariant {
            stage.eye = EyeResults { point: None, ..self.eye_results() };
        }
        stage
    }

    /// A later stage for `executable`, the program of `object`.
    pub(super) fn further_stage(
        &self,
        object: &ProgramObject,
        executable: Arc<Executable>,
        memory: &DrawMemory,
    ) -> ProgramStage {
        let (program, bindings) = (executable.program().clone(), self.bindings(object, memory));
        let shader = Shader::new(executable, bindings.clone());
        ProgramStage { shader, program, bindings }
    }

    /// The eye-coordinate results for the current state.
    fn eye_results(&self) -> EyeResults {
        let attenuation = self.fixed_function.points;
        let size = self.state.point_size();
        EyeResults {
            eye_from_object: self.modelview(),
            planes: self.enabled_planes(),
            equations: *self.fixed_function.clip_planes(),
            point: (attenuation != PointAttenuation::INITIAL).then_some((size, attenuation)),
        }
    }

    /// The enabled clip planes. A plane of zeros clips nothing and is left out.
    fn enabled_planes(&self) -> u8 {
        let clips = |&plane: &u8| {
            self.state.is(Cap::ClipPlane(plane)) && self.fixed_function.clip_plane(plane) != [0.0; 4]
        };
        (0..CLIP_PLANES).filter(clips).fold(0, |planes, plane| planes | 1 << plane)
    }

    /// Fixed-function vertex processing with the current matrices.
    pub(super) fn fixed_function_stage(&self) -> Result<VertexStage> {
        let executable = FIXED_FUNCTION_EXECUTABLE.clone().ok_or_else(|| {
            Error::invalid_operation("glspec15 2.11", "the fixed-function transformation does not load")
        })?;
        let mut registers = vec![[0; 4]; limits::VP1_PARAMETERS];
        let mut put = |first: usize, rows: &[[f32; 4]]| {
            for (register, row) in registers[first..].iter_mut().zip(rows) {
                *register = single_bits(*row);
            }
        };
        let current = |matrix| self.matrices.tracked(matrix).unwrap_or_default();
        put(0, &self.clip_from_object().rows);
        for set in 0..TEXTURE_COORDS {
            put(4 + 4 * usize::from(set), &current(TrackedMatrix::TextureUnit(set)).rows);
        }
        put(36, &current(TrackedMatrix::Modelview).rows[2..3]);
        let bindings = register_bindings(executable.program(), &registers);
        Ok(VertexStage { eye: self.eye_results(), ..VertexStage::new(executable, bindings, None) })
    }

    fn clip_from_object(&self) -> Matrix {
        self.matrices.tracked(TrackedMatrix::ModelviewProjection).unwrap_or_default()
    }
}
