//! Runs programs. [`ops`] and [`plan`] say what each operation computes; two executors go by them and give the same
//! bits. The traced executor (`scalar`) runs one 2x2 quad or one vertex and reports every step. The wide executor
//! (`wide`) runs blocks of 64 fragments or vertices: it lowers a program to the low-level IR (`lir`), which the
//! `interpreter` or `x86` carries out.
//!
//! Not here: which fragments a primitive covers (`pipeline`), what a texture lookup gives (`texture`), and the
//! recording of an invocation (`debug`).

pub mod block;
mod condition;
mod effects;
mod emissions;
mod inputs;
mod interpolants;
mod interpreter;
mod invocation;
mod lir;
mod lookup;
mod machine;
mod moment;
pub mod report;
mod run;
mod sampling;
mod scalar;
mod stream;
mod sum;
#[cfg(test)]
mod tests;
mod texel;
mod trace;
mod unordered;
mod wide;
mod x86;

use std::sync::Arc;

use crate::memory::{Bound, Place, Reason, Shared};
use crate::texture::Texture;
use shadestep_language::ir::{
    BufferVariable, Components, IMAGE_UNITS, ImageAccess, ParameterSource, Program, TextureRef, Type, limits,
    single_bits,
};

pub use block::{
    Apart, AttributeLanes, BlockOutput, BlockShader, Conflict, ControlShader, ControlWorker,
    EvaluationShader, EvaluationWorker, FragmentFacts, FragmentTests, GeometryShader, GeometryWorker, Hazard,
    LANES, LaneRegister, ResultLanes, VertexShader,
};
pub(crate) use condition::passes;
pub use emissions::{Emissions, EmittedVertices};
pub(crate) use inputs::{AttributesRead, state_program_inputs};
pub use inputs::{PrimitiveInputs, QuadInputs, VertexInputs};
pub use interpolants::{Interpolants, QuadValues};
pub use invocation::InstructionLimit;
pub(crate) use moment::Moment;
pub use moment::{Finished, QuadRegisters, Registers};
pub use run::{
    run_patch, run_primitive, run_quad, run_quad_within, run_state_program, run_vertex, run_vertex_within,
};
pub use scalar::QUAD;
pub(crate) use scalar::{Evaluation, LaneEvaluation, Machine, derivative_lanes};
pub use stream::{Mark, Stream, Written};
pub use wide::{Executable, Inspection, Shader, Worker};

/// How the component that a relative reference adds to holds its whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AddressForm {
    /// As fp32: address registers. One beyond 32 bits counts as the last of them.
    Number,
    /// As a signed integer.
    Integer,
}

/// Where a texel of an image is, with this index of the unit and at these coordinates, signed integers.
fn image_place(image: &ImageAccess, index: i64, coordinates: Components) -> Place {
    let used = image.coordinates();
    let coordinate = |c: usize| if used >> c & 1 != 0 { (coordinates[c] as u32).cast_signed() } else { 0 };
    let unit = image.unit(index).ok_or(Reason::OutsideArray);
    Place::Image { unit, coordinates: std::array::from_fn(coordinate), formatted: image.formatted }
}

impl AddressForm {
    fn of(register: Type) -> Self {
        if register == Type::Address { Self::Number } else { Self::Integer }
    }

    /// The element of an array that a reference leads to, inside of the array or not.
    fn index(self, address: f32, offset: i64) -> i64 {
        let address = match self {
            Self::Number => address as i32,
            Self::Integer => address.to_bits().cast_signed(),
        };
        i64::from(address).saturating_add(offset)
    }
}

/// The caller cancelled the work, so the result is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("cancelled")
    }
}

impl std::error::Error for Cancelled {}

/// What a program reads besides its fragment or vertex: parameter values, textures and memory, which it may change.
#[derive(Clone, Debug)]
pub struct Bindings {
    /// Bits of values parallel to [`Program::parameters`].
    pub parameters: Vec<Components>,
    /// Texture of each image unit.
    pub textures: [Option<Arc<Texture>>; IMAGE_UNITS],
    /// The memory that it works on, with whoever shares it.
    pub memory: Shared,
    /// The parameter buffer bound to each binding point.
    pub buffers: [Option<Bound>; limits::PARAMETER_BUFFERS],
    /// The SUBROUTINENUM of each program subroutine parameter. What is missing or does not fit is
    /// [`shadestep_language::ir::Subroutines::default_of`] the parameter.
    pub subroutines: Vec<u32>,
    /// How many vertices an invocation of a geometry program emits at most (`VERTICES_OUT`, ProgramVertexLimitNV).
    pub vertex_limit: u32,
}

impl Default for Bindings {
    /// Nothing.
    fn default() -> Self {
        Self {
            parameters: Vec::new(),
            textures: Default::default(),
            memory: Shared::default(),
            buffers: Default::default(),
            subroutines: Vec::new(),
            vertex_limit: limits::OUTPUT_VERTICES as u32,
        }
    }
}

impl Bindings {
    /// Constants and initial values of `program`, and the vertices that it declares; the other parameters (0,0,0,0), as 3.11.7 has them; no
    /// textures.
    pub fn initial(program: &Program) -> Self {
        let parameters = program
            .parameters
            .iter()
            .map(|parameter| match &parameter.source {
                ParameterSource::Constant(constant) => constant.bits,
                ParameterSource::Named { initial, .. } => single_bits(*initial),
                ParameterSource::Local(_) | ParameterSource::Env(_) | ParameterSource::State(_) => [0; 4],
            })
            .collect();
        let declared = program.geometry.map(|layout| layout.vertices_out);
        let vertex_limit = declared.unwrap_or(limits::OUTPUT_VERTICES as u32);
        Self { parameters, vertex_limit, ..Self::default() }
    }

    /// Where an element of a parameter buffer variable is, with these indices of the binding point and of the element.
    fn buffer_place(&self, variable: &BufferVariable, point: i64, element: i64) -> Place {
        let &BufferVariable { unit, first, count, element: begins, elements, .. } = variable;
        let offset = i64::from(begins).saturating_add(element).saturating_mul(unit.stride().into());
        let within = u8::try_from(point).ok().filter(|&point| point < count);
        let Some(point) = within.filter(|_| (0..i64::from(elements)).contains(&element)) else {
            return Place::Buffer { bound: Err(Reason::OutsideArray), offset };
        };
        let bound = self.buffers.get(usize::from(first) + usize::from(point)).copied().flatten();
        Place::Buffer { bound: bound.ok_or(Reason::NotBound), offset }
    }

    /// The texture that `reference` looks up, if one with that target is bound to that unit.
    pub fn texture(&self, reference: TextureRef) -> Option<&Texture> {
        let texture = self.textures[usize::from(reference.unit)].as_deref()?;
        (texture.target() == reference.target.image()).then_some(texture)
    }
}
