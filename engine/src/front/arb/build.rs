//! The whole program: results and parameters in their final order.

use std::collections::HashMap;

use super::check::{Slot, provisional};
use super::names::Array;
use super::parameters::Value;
use super::parser::Arb;
use super::words::Size;
use crate::ir::{
    Control, Element, Indirect, Instruction, Output, OutputId, OutputRole, ParamId, Parameter,
    ParameterSource, Program, Source, Target, TempId, Temporary, Type, VertexResult,
};
use crate::isa::Language;

/// Parameters in their final order, and where each slot went.
struct Parameters {
    list: Vec<Parameter>,
    /// Where each array that is there as a whole begins.
    arrays: HashMap<u32, usize>,
}

impl Parameters {
    fn push(&mut self, source: ParameterSource, name: Option<String>) -> usize {
        self.list.push(Parameter { source, name });
        self.list.len() - 1
    }

    /// Where `array` begins, as a whole.
    fn array(&mut self, number: u32, array: &Array<'_>) -> usize {
        if let Some(&place) = self.arrays.get(&number) {
            return place;
        }
        let place = self.list.len();
        for (index, value) in array.elements().enumerate() {
            self.push(value.source(), Some(format!("{}[{index}]", array.name)));
        }
        self.arrays.insert(number, place);
        place
    }
}

impl<'t> Arb<'t> {
    /// The program, if nothing was wrong with it.
    pub(super) fn build(mut self) -> Program {
        let (parameters, places) = self.parameters();
        let (outputs, output_ids) = self.outputs();
        let place = |id: &mut ParamId| {
            if let Some(&place) = places.get(usize::from(id.0)) {
                *id = place;
            }
        };
        let output = |id: &mut OutputId| {
            if let Some(&place) = output_ids.get(id) {
                *id = place;
            }
        };
        for instruction in &mut self.check.instructions {
            for operand in &mut instruction.operands {
                match &mut operand.source {
                    Source::Param(id) => place(id),
                    Source::Indirect(Indirect { first: Element::Param(id), .. }) => place(id),
                    Source::Temp(_) | Source::Attribute(_) | Source::Indirect(_) | Source::Buffer(_) => {}
                }
            }
            if let Some(Target::Output(id) | Target::Indirect(Indirect { first: Element::Output(id), .. })) =
                instruction.dest_mut().map(|dest| &mut dest.target)
            {
                output(id);
            }
        }
        self.check.labels.resolve(&mut self.check.instructions);
        if !self.is_vertex() {
            indices_last(&mut self.check.temporaries, &mut self.check.instructions);
        }
        let entry = self.check.labels.place("main").unwrap_or(0);
        Program {
            language: self.language,
            usage: self.counts.usage(),
            instructions: self.check.instructions,
            temporaries: self.check.temporaries,
            parameters,
            outputs,
            interpolations: Vec::new(),
            labels: self.check.labels.into_list(),
            entry,
            options: self.options.program,
        }
    }

    /// What instructions read, in order of first use, arrays that address registers read as a whole; and
    /// where each slot went.
    fn parameters(&self) -> (Vec<Parameter>, Vec<ParamId>) {
        let mut parameters = Parameters { list: Vec::new(), arrays: HashMap::new() };
        let mut places = Vec::with_capacity(self.check.slots.len());
        for slot in &self.check.slots {
            let place = match *slot {
                Slot::Constant(bits) => {
                    parameters.push(ParameterSource::Constant(bits.map(f32::from_bits)), None)
                }
                Slot::Env(number) => parameters.push(Value::Env(number).source(), None),
                Slot::Local(number) => parameters.push(Value::Local(number).source(), None),
                Slot::State(state) => parameters.push(Value::State(state).source(), None),
                Slot::Single(number) => {
                    let single = usize::try_from(number).ok().and_then(|n| self.names.singles.get(n));
                    let source = single.map_or(ParameterSource::Constant([0.0; 4]), |s| s.value.source());
                    parameters.push(source, single.map(|single| single.name.to_owned()))
                }
                Slot::Element { array: number, index } => match self.names.array(number) {
                    Some(array) if array.relative.is_some() => {
                        parameters.array(number, array) + usize::from(index)
                    }
                    array => {
                        let value = array.and_then(|array| array.element(index));
                        let source = value.map_or(ParameterSource::Constant([0.0; 4]), Value::source);
                        parameters.push(source, array.map(|array| format!("{}[{index}]", array.name)))
                    }
                },
                Slot::Array(number) => {
                    self.names.array(number).map_or(0, |array| parameters.array(number, array))
                }
            };
            places.push(ParamId(u16::try_from(place).unwrap_or(u16::MAX)));
        }
        (parameters.list, places)
    }

    /// Results in order of first write, texture coordinates together where an address register chooses one.
    fn outputs(&self) -> (Vec<Output>, HashMap<OutputId, OutputId>) {
        let mut roles: Vec<(OutputRole, Type)> = Vec::new();
        for written in &self.check.results {
            let ty = if written.size == Some(Size::Short) { Type::F16 } else { Type::F32 };
            match written.role {
                OutputRole::Vertex(VertexResult::Tex(_)) if self.check.indexed_results => {
                    let sets = (0..8).map(|set| OutputRole::Vertex(VertexResult::Tex(set)));
                    if !roles.iter().any(|(role, _)| *role == written.role) {
                        roles.extend(sets.map(|role| (role, Type::F32)));
                    }
                }
                role => roles.push((role, ty)),
            }
        }
        let places = (0..).zip(&roles).map(|(place, (role, _))| (provisional(*role), OutputId(place)));
        let places = places.collect();
        let language = self.language;
        let outputs = roles.into_iter().map(|(role, ty)| Output { name: name(role, language), role, ty });
        (outputs.collect(), places)
    }
}

/// Puts the A0s of LOOP blocks, which nothing declares, behind the declared temporaries.
fn indices_last(temporaries: &mut [Temporary], instructions: &mut [Instruction]) {
    let mut order: Vec<usize> = (0..temporaries.len()).collect();
    order.sort_by_key(|&place| temporaries[place].ty == Type::Address);
    let sorted: Vec<Temporary> = order.iter().map(|&place| temporaries[place].clone()).collect();
    temporaries.clone_from_slice(&sorted);
    let mut places = vec![TempId(0); order.len()];
    for (id, old) in (0..).zip(order) {
        places[old] = TempId(id);
    }
    let place = |id: &mut TempId| {
        if let Some(&place) = places.get(usize::from(id.0)) {
            *id = place;
        }
    };
    for instruction in instructions {
        for operand in &mut instruction.operands {
            match &mut operand.source {
                Source::Temp(id) => place(id),
                Source::Indirect(indirect) => place(&mut indirect.address),
                Source::Buffer(crate::ir::BufferRef { point, element, .. }) => {
                    let registers = [point, element].into_iter().filter_map(|index| index.register.as_mut());
                    registers.for_each(|(id, _)| place(id));
                }
                Source::Param(_) | Source::Attribute(_) => {}
            }
        }
        if let Some(Target::Temp(id)) = instruction.dest_mut().map(|dest| &mut dest.target) {
            place(id);
        }
        if let Some(Control::Loop { index: Some(id), .. }) = instruction.control_mut() {
            place(id);
        }
    }
}

fn name(role: OutputRole, language: Language) -> String {
    match role {
        OutputRole::Color(0) => "result.color".to_owned(),
        OutputRole::Color(number) => format!("result.color[{number}]"),
        OutputRole::SecondaryColor | OutputRole::Depth | OutputRole::SampleMask => role.binding(),
        OutputRole::Vertex(result) => result.register_in(language),
    }
}
