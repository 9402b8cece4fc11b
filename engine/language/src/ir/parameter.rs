//! Parameters: inputs that are the same for every fragment or vertex of a draw. Fixed-function state bound to
//! parameters is in `state`.

use super::{Components, StateVector, Type, Value, decimal, single_bits};
use crate::isa::Language;

/// A constant vector, known when the program loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConstantVector {
    pub bits: Components,
    /// The type of the components: F32, S32 or U32. Only instructions with 64-bit operands read F64, S64 and
    /// U64.
    pub ty: Type,
}

impl ConstantVector {
    /// A constant of four fp32 numbers.
    pub const fn floats(values: [f32; 4]) -> Self {
        Self { bits: single_bits(values), ty: Type::F32 }
    }

    /// The components in decimal, separated by commas.
    pub fn decimals(self) -> String {
        self.bits.map(|bits| decimal(bits, self.ty)).join(", ")
    }

    /// The bits with 0 for -0. Equal vectors have equal bits afterwards.
    pub fn with_one_zero(self) -> Components {
        self.bits.map(|bits| match self.ty.value(bits) {
            Value::Single(0.0) | Value::Double(0.0) => 0,
            _ => bits,
        })
    }

    pub fn has_nan(self) -> bool {
        self.bits.iter().any(|&bits| match self.ty.value(bits) {
            Value::Single(value) => value.is_nan(),
            Value::Double(value) => value.is_nan(),
            Value::Signed(_) | Value::Unsigned(_) => false,
        })
    }
}

/// The origin of a parameter's value. Sources are equal if their bits are equal, because the bits may be
/// integers.
#[derive(Clone, Debug)]
pub enum ParameterSource {
    /// An embedded or merged constant, known when the program loads.
    Constant(ConstantVector),
    /// A local parameter with a name (`DECLARE`) and an initial value.
    Named {
        /// Name in the program text.
        name: String,
        /// The value until the application sets another.
        initial: [f32; 4],
    },
    /// A local parameter with a number: `p[n]`, `program.local[n]`.
    Local(u16),
    /// A parameter shared by all programs of a target: `program.env[n]`, or `c[n]` of the NV vertex
    /// languages. Their program parameters are the environment parameters of `VERTEX_PROGRAM_ARB`.
    Env(u16),
    /// Fixed-function state.
    State(StateVector),
}

impl PartialEq for ParameterSource {
    fn eq(&self, other: &Self) -> bool {
        let bits = |value: &[f32; 4]| value.map(f32::to_bits);
        match (self, other) {
            (Self::Constant(a), Self::Constant(b)) => a == b,
            (Self::Named { name, initial }, Self::Named { name: other, initial: value }) => {
                name == other && bits(initial) == bits(value)
            }
            (Self::Local(a), Self::Local(b)) | (Self::Env(a), Self::Env(b)) => a == b,
            (Self::State(a), Self::State(b)) => a == b,
            (Self::Constant(_) | Self::Named { .. } | Self::Local(_) | Self::Env(_) | Self::State(_), _) => {
                false
            }
        }
    }
}

impl ParameterSource {
    /// The name in `language`. Constants have none.
    pub fn name_in(&self, language: Language) -> Option<String> {
        let declares = language.profile().declares_variables();
        match self {
            Self::Constant(_) => None,
            Self::Named { name, .. } => Some(name.clone()),
            Self::Local(number) if declares => Some(format!("program.local[{number}]")),
            Self::Env(number) if declares => Some(format!("program.env[{number}]")),
            Self::Local(number) => Some(format!("p[{number}]")),
            Self::Env(number) => Some(format!("c[{number}]")),
            Self::State(state) => Some(state.to_string()),
        }
    }
}

/// One four-component parameter that the program reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub source: ParameterSource,
    /// The declared variable, `light` or `rows[2]`, for display. `None` for a binding written in an
    /// instruction.
    pub name: Option<String>,
    /// The type of the components: F32, S32 or U32, or the type of the constant (NV_gpu_program4 2.X.3.3).
    pub ty: Type,
}

impl Parameter {
    /// The name in `language`: the declared variable, else the binding.
    pub fn name_in(&self, language: Language) -> Option<String> {
        self.name.clone().or_else(|| self.source.name_in(language))
    }
}

impl From<ParameterSource> for Parameter {
    fn from(source: ParameterSource) -> Self {
        let ty = match &source {
            ParameterSource::Constant(constant) => constant.ty,
            _ => Type::F32,
        };
        Self { source, name: None, ty }
    }
}
