//! Running programs: one semantics ([`ops`], [`plan`]), a traced scalar executor for one 2x2 quad or
//! one vertex, and a wide one for blocks of fragments or vertices, which give the same bits.

pub mod block;
mod condition;
mod interpreter;
mod invocation;
mod lir;
mod machine;
pub mod ops;
pub mod plan;
mod scalar;
mod sum;
mod trace;
mod wide;
mod x86;

use std::sync::Arc;

use crate::ir::{IMAGE_UNITS, ParameterSource, Program, TextureRef, Type};
use crate::texture::Texture;

pub use block::{AttributeRows, BlockOutput, BlockShader, LANES, Row, VertexRows, VertexShader};
pub use invocation::InstructionLimit;
pub(crate) use scalar::{AttributesRead, Machine, Moment, lone_inputs, state_program_inputs};
pub use scalar::{
    Finished, QUAD, QuadInputs, QuadRegisters, Registers, VertexInputs, run_quad, run_quad_within,
    run_state_program, run_vertex, run_vertex_within,
};
pub use wide::{Executable, Inspection, Shader, Worker};

/// How the component that a relative reference adds to holds its whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AddressForm {
    /// As fp32: address registers. One beyond 32 bits counts as the last of them.
    Number,
    /// As a signed integer.
    Integer,
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

/// Somebody else no longer wanted what was being done, so it was not done to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl std::fmt::Display for Cancelled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("cancelled")
    }
}

impl std::error::Error for Cancelled {}

/// What a program reads besides its fragment: parameter values and textures.
#[derive(Clone, Debug)]
pub struct Bindings {
    /// Values parallel to [`Program::parameters`].
    pub parameters: Vec<[f32; 4]>,
    /// Texture of each image unit.
    pub textures: [Option<Arc<Texture>>; IMAGE_UNITS],
}

impl Bindings {
    /// Constants and initial values of `program`; the other parameters (0,0,0,0), as 3.11.7 has them; no
    /// textures.
    pub fn initial(program: &Program) -> Self {
        let parameters = program
            .parameters
            .iter()
            .map(|parameter| match &parameter.source {
                ParameterSource::Constant(value) | ParameterSource::Named { initial: value, .. } => *value,
                ParameterSource::Local(_) | ParameterSource::Env(_) | ParameterSource::State(_) => [0.0; 4],
            })
            .collect();
        Self { parameters, textures: Default::default() }
    }

    /// The texture that `reference` looks up, if one with that target is bound to that unit.
    pub fn texture(&self, reference: TextureRef) -> Option<&Texture> {
        let texture = self.textures[usize::from(reference.unit)].as_deref()?;
        (texture.target() == reference.target.image()).then_some(texture)
    }
}
