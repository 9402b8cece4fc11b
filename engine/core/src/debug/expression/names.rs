//! The names of a program's registers in expressions.

use shadestep_language::ir::{
    Attribute, CcRegister, Declared, OutputId, ParamId, Program, Source, TempId, Variable, limits,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    Temp(TempId),
    Output(OutputId),
    Attribute(Attribute),
    Param(ParamId),
    Flags(CcRegister),
}

impl Place {
    /// The operand that reads this register; `None` for outputs and condition codes, which are not operands.
    pub const fn source(self) -> Option<Source> {
        match self {
            Self::Temp(id) => Some(Source::Temp(id)),
            Self::Attribute(attribute) => Some(Source::Attribute(attribute)),
            Self::Param(id) => Some(Source::Param(id)),
            Self::Output(_) | Self::Flags(_) => None,
        }
    }
}

/// The attributes that have a value in every run of `program`.
fn attributes(program: &Program) -> Vec<Attribute> {
    let written = program.attributes().into_iter().filter(|attribute| attribute.output().is_some());
    program.attributes_recorded().into_iter().chain(written).collect()
}

/// The elements of a declared variable, with their names. A result that the program does not write has no
/// register.
fn declared(program: &Program, variable: &Variable) -> Vec<(String, Place)> {
    let Variable { name, first, count } = variable;
    let elements = |name: &str, at: &dyn Fn(u8) -> Option<Place>| -> Vec<(String, Place)> {
        match count {
            None => at(0).map(|place| (name.to_owned(), place)).into_iter().collect(),
            Some(count) => {
                let steps = 0..u8::try_from(*count).unwrap_or(u8::MAX);
                steps.filter_map(|step| Some((format!("{name}[{step}]"), at(step)?))).collect()
            }
        }
    };
    match *first {
        Declared::Attribute(first) => elements(name, &|step| first.after(step).map(Place::Attribute)),
        Declared::Result(first) => {
            elements(name, &|step| program.output(first.after(step)?).map(Place::Output))
        }
        Declared::OfVertices(first) => {
            let of_vertex = |vertex: u8| {
                let first = first.at_vertex(vertex);
                elements(&format!("{name}[{vertex}]"), &|step| first.after(step).map(Place::Attribute))
            };
            (0..limits::PATCH_VERTICES).flat_map(of_vertex).collect()
        }
    }
}

/// Every named register of `program`, with its names. Attributes that no instruction reads are included.
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
    let attributes = attributes(program);
    for &attribute in &attributes {
        let spelled = [Some(attribute.register_in(language)), attribute.generic_in(language)];
        names.extend(spelled.into_iter().flatten().map(|name| (name, Place::Attribute(attribute))));
    }
    let is_there = |place: &Place| !matches!(place, Place::Attribute(read) if !attributes.contains(read));
    for variable in &program.variables {
        names.extend(declared(program, variable).into_iter().filter(|(_, place)| is_there(place)));
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
