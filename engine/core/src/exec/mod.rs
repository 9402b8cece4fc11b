//! Runs programs. `semantics::ops` and `semantics::plan` of the language crate define each operation. Two
//! executors use these definitions and compute the same bits:
//!
//! * The reference interpreter (`reference`) runs one 2x2 quad, vertex, primitive or patch and reports every
//!   step.
//! * The batch executor (`batch`) runs blocks of 64 fragments or vertices. It lowers a program to the
//!   low-level IR (`lir`), which one of the `back_ends` executes.
//!
//! Neighbours: `pipeline` decides which fragments a primitive covers, `texture` samples, `debug` records
//! invocations.

pub mod back_end;
pub mod back_ends;
mod batch;
pub mod block;
mod condition;
#[cfg(any(feature = "cranelift", target_arch = "aarch64", target_arch = "riscv64"))]
mod cranelift;
#[cfg(not(any(feature = "cranelift", target_arch = "aarch64", target_arch = "riscv64")))]
#[path = "no_cranelift.rs"]
mod cranelift;
mod emissions;
mod exec_state;
mod inputs;
mod interpolants;
pub mod interpreter;
mod invocation;
pub mod lir;
mod lookup;
mod machine_code;
mod quad_lookup;
mod reference;
pub mod report;
mod run;
mod side_effects;
mod stream;
mod sum;
#[cfg(test)]
mod tests;
mod texel;
mod trace;
mod unordered;
mod x86;

use std::sync::Arc;

use crate::memory::{Bound, Place, Reason, Shared};
use crate::texture::Texture;
use shadestep_language::ir::{
    BufferVariable, Components, IMAGE_UNITS, ImageAccess, ParameterSource, Program, TextureRef, Type, limits,
    single_bits,
};

pub use batch::{Compared, Executable, Inspection, Shader, Worker};
pub use block::{
    Apart, AttributeLanes, BlockOutput, BlockShader, Conflict, ControlShader, ControlWorker,
    EvaluationShader, EvaluationWorker, FragmentFacts, FragmentTests, GeometryShader, GeometryWorker, Hazard,
    LANES, LaneRegister, ResultLanes, VertexShader,
};
pub(crate) use condition::passes;
pub use emissions::{Emissions, EmittedVertices};
pub(crate) use exec_state::ExecState;
pub use exec_state::{Finished, QuadRegisters, Registers};
pub(crate) use inputs::{AttributesRead, state_program_inputs};
pub use inputs::{PrimitiveInputs, QuadInputs, VertexInputs};
pub use interpolants::{Interpolants, QuadValues};
pub use invocation::InstructionLimit;
pub use reference::QUAD;
pub(crate) use reference::{Evaluation, LaneEvaluation, Machine, derivative_lanes};
pub use run::{
    run_patch, run_primitive, run_quad, run_quad_within, run_state_program, run_vertex, run_vertex_within,
};
pub use stream::{Mark, Stream, Written};

shadestep_language::named_enum! {
    /// How an address component holds its integer. A relative reference adds this integer to its offset.
    pub enum AddressForm {
        /// As fp32, in address registers. Values beyond 32 bits saturate.
        Number = "number",
        /// As a signed integer.
        Integer = "integer",
    }
}

/// Address of a texel: `index` selects the image unit of an array, `coordinates` are signed integers.
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

    /// Index of the array element that a reference selects. It may lie outside the array.
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

/// Everything that a program reads besides its fragment or vertex: parameter values, textures and memory. The
/// program may change the memory.
#[derive(Clone, Debug)]
pub struct Bindings {
    /// Bits of values parallel to [`Program::parameters`].
    pub parameters: Vec<Components>,
    /// Texture of each image unit.
    pub textures: [Option<Arc<Texture>>; IMAGE_UNITS],
    /// Memory, shared with all other users of the same buffers and images.
    pub memory: Shared,
    /// The parameter buffer bound to each binding point.
    pub buffers: [Option<Bound>; limits::PARAMETER_BUFFERS],
    /// The SUBROUTINENUM of each program subroutine parameter.
    /// [`shadestep_language::ir::Subroutines::default_of`] replaces a missing or unsuitable number.
    pub subroutines: Vec<u32>,
    /// The most vertices that an invocation of a geometry program emits (`VERTICES_OUT`,
    /// ProgramVertexLimitNV).
    pub vertex_limit: u32,
}

impl Default for Bindings {
    /// No parameters, textures or buffers, and the largest vertex limit.
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
    /// The constants, initial values and declared vertex limit of `program`. Other parameters are (0,0,0,0)
    /// (3.11.7). No textures are bound.
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

    /// Address of an element of a parameter buffer variable. `point` indexes the variable's binding points,
    /// `element` its elements.
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

    /// The texture that `reference` looks up, if the unit has a bound texture of that target.
    pub fn texture(&self, reference: TextureRef) -> Option<&Texture> {
        let texture = self.textures[usize::from(reference.unit)].as_deref()?;
        (texture.target() == reference.target.image()).then_some(texture)
    }
}
