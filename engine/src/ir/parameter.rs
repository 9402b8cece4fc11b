//! Parameters: what a program reads that is the same for every fragment or vertex of a draw.

use super::{StateVector, Type};
use crate::isa::Language;

/// Where a parameter's value comes from. Values are equal if their bits are: they may be those of integers.
#[derive(Clone, Debug)]
pub enum ParameterSource {
    /// An embedded or merged constant, fixed at load.
    Constant([f32; 4]),
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
            (Self::Constant(a), Self::Constant(b)) => bits(a) == bits(b),
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
    /// What its components are: F32, S32 or U32. Those of integers are their bits (NV_gpu_program4 2.X.3.3).
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
        Self { source, name: None, ty: Type::F32 }
    }
}
