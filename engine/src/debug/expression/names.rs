//! What the registers of a program are called in expressions.

use crate::ir::{Attribute, CcRegister, OutputId, ParamId, Program, Source, TempId};

/// A register that an expression reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// A temporary.
    Temp(TempId),
    /// An output.
    Output(OutputId),
    /// An attribute.
    Attribute(Attribute),
    /// A parameter.
    Param(ParamId),
    /// A condition code.
    Flags(CcRegister),
}

impl Place {
    /// What programs read of it; nothing of outputs and condition codes.
    pub const fn source(self) -> Option<Source> {
        match self {
            Self::Temp(id) => Some(Source::Temp(id)),
            Self::Attribute(attribute) => Some(Source::Attribute(attribute)),
            Self::Param(id) => Some(Source::Param(id)),
            Self::Output(_) | Self::Flags(_) => None,
        }
    }
}

/// Every register of `program` that has a name, with its names.
pub(super) fn names(program: &Program) -> Vec<(String, Place)> {
    let language = program.language;
    let id = |index: usize| index as u16;
    let mut names: Vec<(String, Place)> = Vec::new();
    for (index, temporary) in program.temporaries.iter().enumerate() {
        names.push((temporary.name.clone(), Place::Temp(TempId(id(index)))));
    }
    for (index, output) in program.outputs.iter().enumerate() {
        names.push((output.name.clone(), Place::Output(OutputId(id(index)))));
    }
    for attribute in program.attributes() {
        names.push((attribute.register_in(language), Place::Attribute(attribute)));
    }
    for (index, parameter) in program.parameters.iter().enumerate() {
        let place = Place::Param(ParamId(id(index)));
        let both = [parameter.name.clone(), parameter.source.name_in(language)];
        names.extend(both.into_iter().flatten().map(|name| (name, place)));
    }
    for &register in CcRegister::of_language(language) {
        names.push((register.name_in(language).to_owned(), Place::Flags(register)));
    }
    names
}
