//! Parameters: what a program reads that is the same for every fragment or vertex of a draw.

use super::{Components, StateVector, Type, Value, decimal, single_bits};
use crate::isa::Language;

/// A vector that is fixed at load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConstantVector {
    /// Its components.
    pub bits: Components,
    /// What they are: F32, S32, U32, or F64, S64, U64, which instructions with such operands alone read.
    pub ty: Type,
}

impl ConstantVector {
    /// A constant of fp32 numbers.
    pub const fn floats(values: [f32; 4]) -> Self {
        Self { bits: single_bits(values), ty: Type::F32 }
    }

    /// Its components in decimal, with commas between them.
    pub fn decimals(self) -> String {
        self.bits.map(|bits| decimal(bits, self.ty)).join(", ")
    }

    /// The components of the constant with 0 for -0: equal vectors have equal ones.
    pub fn with_one_zero(self) -> Components {
        self.bits.map(|bits| match self.ty.value(bits) {
            Value::Single(0.0) | Value::Double(0.0) => 0,
            _ => bits,
        })
    }

    /// Whether a component is not a number.
    pub fn has_nan(self) -> bool {
        self.bits.iter().any(|&bits| match self.ty.value(bits) {
            Value::Single(value) => value.is_nan(),
            Value::Double(value) => value.is_nan(),
            Value::Signed(_) | Value::Unsigned(_) => false,
        })
    }
}

/// Where a parameter's value comes from. Values are equal if their bits are: they may be those of integers.
#[derive(Clone, Debug)]
pub enum ParameterSource {
    /// An embedded or merged constant, fixed at load.
    Constant(ConstantVector),
    /// A named local parameter (`DECLARE`), with its initial value.
    Named {
        /// Name in the program text.
        name: String,
        /// Value until set from outside.
        initial: [f32; 4],
    },
    /// A numbered local parameter of the program: `p[n]`, `program.local[n]`.
    Local(u16),
    /// A parameter shared by all programs of a target: `c[n]` of the NV vertex languages, whose program
    /// parameters are the environment parameters of `VERTEX_PROGRAM_ARB`; `program.env[n]`.
    Env(u16),
    /// Conventional state.
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
    /// As programs in `language` write it; constants have no name.
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

/// One 4-component parameter the program reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Where its value comes from.
    pub source: ParameterSource,
    /// The variable that is declared for it, `light` or `rows[2]`, for display; none for what is written
    /// where it is used.
    pub name: Option<String>,
    /// What its components are: F32, S32 or U32, or what a constant's are (NV_gpu_program4 2.X.3.3).
    pub ty: Type,
}

impl Parameter {
    /// What it is called in a program in `language`: the variable declared for it, else the binding.
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
