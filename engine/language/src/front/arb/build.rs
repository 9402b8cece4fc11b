//! Builds the IR program after the whole text is parsed: puts results and parameters in their final order and
//! resolves the references to them.

use std::collections::{HashMap, HashSet};

use super::check::{Slot, provisional};
use super::names::Array;
use super::parameters::{Value, type_of};
use super::parser::Arb;
use super::words::Size;
use crate::front::label::Labels;
use crate::ir::{
    ConstantVector, Control, Element, Indirect, Instruction, Label, Origin, Output, OutputId, OutputRole,
    ParamId, Parameter, ParameterSource, Program, Source, Target, TempId, Temporary, Type,
};
use crate::isa::{Language, Opcode, Semantics, Stage};
use crate::source::Span;

/// Parameters in their final order.
struct Parameters {
    list: Vec<Parameter>,
    /// Index of the first element of each array that is included as a whole.
    arrays: HashMap<u32, usize>,
}

impl Parameters {
    fn push(&mut self, source: ParameterSource, name: Option<String>, ty: Type) -> usize {
        self.list.push(Parameter { source, name, ty });
        self.list.len() - 1
    }

    /// Includes all of `array`. Returns the index of its first element.
    fn array(&mut self, number: u32, array: &Array<'_>) -> usize {
        if let Some(&place) = self.arrays.get(&number) {
            return place;
        }
        let place = self.list.len();
        for (index, value) in array.elements().enumerate() {
            self.push(value.source(), Some(format!("{}[{index}]", array.name)), type_of(array.declared.data));
        }
        self.arrays.insert(number, place);
        place
    }
}

impl<'t> Arb<'t> {
    /// Builds the program of a text without errors.
    pub(super) fn build(mut self) -> Program {
        let (parameters, places) = self.parameters();
        let (outputs, output_ids) = self.outputs();
        let variables = self.names.bound();
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
        let vertices = |first: Element| match first {
            Element::Attribute(attribute) => self.primitives.vertices_of(attribute),
            _ => 0,
        };
        for instruction in &mut self.check.instructions {
            for operand in &mut instruction.operands {
                if let Source::Indirect(Indirect { first, vertex: Some(vertex), .. }) = &mut operand.source {
                    vertex.count = vertices(*first);
                }
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
        if self.is_fragment() {
            indices_last(&mut self.check.temporaries, &mut self.check.instructions);
        }
        let mut labels = self.check.labels;
        let mut instructions = self.check.instructions;
        if self.language.profile().typed {
            let called = labels.branches().map(|(_, label)| label).chain(self.subroutines.called(&labels));
            let called = called.collect();
            // The main program of a control program is a single block (NV_tessellation_program5 2.X.5).
            let runs_on = self.language.stage() != Stage::TessControl;
            end_subroutines(&mut instructions, &mut labels, (&called, runs_on));
            self.counts.instructions = instructions.len();
        }
        labels.resolve(&mut instructions);
        let entry = labels.place("main").unwrap_or(0);
        let subroutines = self.subroutines.build(&labels);
        Program {
            language: self.language,
            usage: self.counts.usage(),
            instructions,
            temporaries: self.check.temporaries,
            parameters,
            outputs,
            interpolations: self.interpolations.list(),
            geometry: self.primitives.layout(),
            patch_vertices: self.primitives.patch_vertices(),
            tessellation: self.primitives.tessellation(),
            variables,
            labels: labels.into_list(),
            subroutines,
            buffers: self.buffers.into_iter().map(|buffer| buffer.variable).collect(),
            entry,
            options: self.options.program,
        }
    }

    /// The parameters that instructions read, in order of first use. Arrays that address registers index are
    /// included as a whole. Also returns the parameter of each slot.
    fn parameters(&self) -> (Vec<Parameter>, Vec<ParamId>) {
        let mut parameters = Parameters { list: Vec::new(), arrays: HashMap::new() };
        let mut places = Vec::with_capacity(self.check.slots.len());
        for slot in &self.check.slots {
            let place = match *slot {
                Slot::Constant(constant) => {
                    parameters.push(ParameterSource::Constant(constant), None, constant.ty)
                }
                Slot::Env(number) => parameters.push(Value::Env(number).source(), None, Type::F32),
                Slot::Local(number) => parameters.push(Value::Local(number).source(), None, Type::F32),
                Slot::State(state) => parameters.push(Value::State(state).source(), None, Type::F32),
                Slot::Single(number) => {
                    let single = usize::try_from(number).ok().and_then(|n| self.names.singles.get(n));
                    let source = single
                        .map_or(ParameterSource::Constant(ConstantVector::floats([0.0; 4])), |s| {
                            s.value.source()
                        });
                    let ty = single.map_or(Type::F32, |single| type_of(single.declared.data));
                    parameters.push(source, single.map(|single| single.name.to_owned()), ty)
                }
                Slot::Element { array: number, index } => match self.names.array(number) {
                    Some(array) if array.relative.is_some() => {
                        parameters.array(number, array) + usize::from(index)
                    }
                    array => {
                        let value = array.and_then(|array| array.element(index));
                        let source = value.map_or(
                            ParameterSource::Constant(ConstantVector::floats([0.0; 4])),
                            Value::source,
                        );
                        let ty = array.map_or(Type::F32, |array| type_of(array.declared.data));
                        parameters.push(source, array.map(|array| format!("{}[{index}]", array.name)), ty)
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

    /// Results in order of first write. Arrays that are indexed at run time stay together.
    fn outputs(&self) -> (Vec<Output>, HashMap<OutputId, OutputId>) {
        let mut roles: Vec<(OutputRole, Type)> = Vec::new();
        let mut add = |role: OutputRole, ty: Type| {
            if !roles.iter().any(|(known, _)| *known == role) {
                roles.push((role, ty));
            }
        };
        for written in &self.check.results {
            let ty = if written.size == Some(Size::Short) { Type::F16 } else { Type::F32 };
            let last = |(first, count): &(OutputRole, u16)| {
                let steps = u8::try_from(count.saturating_sub(1)).ok()?;
                first.after(steps)
            };
            let holds = |array: &&(OutputRole, u16)| {
                last(array).is_some_and(|last| (array.0..=last).contains(&written.role))
            };
            match self.check.indexed_results.iter().find(holds) {
                Some(&(first, count)) => {
                    let steps = 0..u8::try_from(count).unwrap_or(u8::MAX);
                    steps.filter_map(|steps| first.after(steps)).for_each(|role| add(role, ty));
                }
                None => add(written.role, ty),
            }
        }
        // A control program may read results of other invocations. These are outputs even if no instruction
        // writes them.
        let operands = self.check.instructions.iter().flat_map(|instruction| &instruction.operands);
        for operand in operands {
            let (first, count) = match operand.source {
                Source::Attribute(attribute) => (attribute, 1),
                Source::Indirect(Indirect { first: Element::Attribute(first), count, .. }) => (first, count),
                _ => continue,
            };
            let steps = 0..u8::try_from(count).unwrap_or(u8::MAX);
            let read = steps.filter_map(|steps| first.after(steps)?.output());
            read.for_each(|role| add(role, Type::F32));
        }
        let places = (0..).zip(&roles).map(|(place, (role, _))| (provisional(*role), OutputId(place)));
        let places = places.collect();
        let language = self.language;
        let outputs = roles.into_iter().map(|(role, ty)| Output { name: name(role, language), role, ty });
        (outputs.collect(), places)
    }
}

/// An implied RET at the end of a subroutine.
struct Ending {
    /// Index of the label after the subroutine; the number of labels at the end of the text.
    label: usize,
    /// Index of the instruction before which the RET is inserted.
    at: usize,
    control: Control,
}

/// Finds the subroutines that end without RET, at a label or at the end of the text. Such a subroutine
/// returns there (NV_gpu_program4 2.X.5, 2.X.8.Z CAL). If `runs_on` is set, execution that reaches a label
/// without CAL continues past the label. `called` holds the indices of the labels that are called.
fn endings(
    instructions: &[Instruction],
    labels: &[Label],
    (called, runs_on): (&HashSet<usize>, bool),
) -> Vec<Ending> {
    let returns = |at: usize| {
        let last = at.checked_sub(1).and_then(|last| instructions.get(last));
        matches!(last.and_then(Instruction::control), Some(Control::Return { test: None }))
    };
    let main = labels.iter().position(|label| label.name == "main");
    let entry = main.map_or(0, |main| labels[main].at);
    // The main program continues through labels, up to the first one that follows an unconditional RET.
    let first = main.map_or(0, |main| main + 1);
    let stops = |label: &Label| label.at > entry && returns(label.at);
    let stop = labels[first..].iter().position(|label| !runs_on && label.at > entry || stops(label));
    let run = stop.map_or(labels.len(), |stop| first + stop);
    let mut all = Vec::new();
    for (number, label) in labels.iter().enumerate() {
        let before = number.checked_sub(1);
        let is_called = before.is_some_and(|before| called.contains(&before));
        let is_empty = before.is_some_and(|before| labels[before].at == label.at);
        let ends = !is_empty && returns(label.at);
        let control = if (first..run).contains(&number) {
            is_called.then_some(Control::ReturnIfCalled)
        } else {
            (is_called || !is_empty && label.at > 0).then_some(Control::Return { test: None })
        };
        all.extend(control.filter(|_| !ends).map(|control| Ending { label: number, at: label.at, control }));
    }
    let end = instructions.len();
    if let Some(last) = labels.last()
        && called.contains(&(labels.len() - 1))
        && (last.at == end || !returns(end))
    {
        all.push(Ending { label: labels.len(), at: end, control: Control::Return { test: None } });
    }
    all
}

/// Inserts the implied RETs.
fn end_subroutines(
    instructions: &mut Vec<Instruction>,
    labels: &mut Labels<'_>,
    called: (&HashSet<usize>, bool),
) {
    let endings = endings(instructions, labels.list(), called);
    if endings.is_empty() {
        return;
    }
    let mut all = Vec::with_capacity(instructions.len() + endings.len());
    let mut left = endings.iter().peekable();
    for (at, mut instruction) in std::mem::take(instructions).into_iter().enumerate() {
        while let Some(ending) = left.next_if(|ending| ending.at <= at) {
            all.push(implied_return(Span::at(instruction.span.start), ending.control));
        }
        // A branch past a block goes to the implied RET after the block, if there is one.
        if let Some(control) = instruction.control_mut()
            && let Some(to) = control.target()
        {
            *control = control.leading_to(to + endings.partition_point(|ending| ending.at < to));
        }
        all.push(instruction);
    }
    let end = Span::at(all.last().map_or(0, |last| last.span.end));
    all.extend(left.map(|ending| implied_return(end, ending.control)));
    *instructions = all;
    labels.shift(
        |number| endings.partition_point(|ending| ending.at <= number),
        |place| endings.partition_point(|ending| ending.label <= place),
    );
}

fn implied_return(span: Span, control: Control) -> Instruction {
    Instruction {
        op: Opcode::Ret,
        semantics: Semantics::NV_GPU4,
        ty: Type::F32,
        operands: Vec::new(),
        kind: control.into(),
        span,
        mnemonic_span: span,
        origin: Origin::Text,
    }
}

/// Moves the A0 registers of LOOP blocks, which no statement declares, after the declared temporaries.
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
                Source::Indirect(indirect) => {
                    let vertex = indirect.vertex.as_mut().and_then(|vertex| vertex.index.register.as_mut());
                    let registers = vertex.into_iter().chain(indirect.index.register.as_mut());
                    registers.for_each(|(id, _)| place(id));
                }
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
        OutputRole::Vertex(result) => result.register_in(language),
        of_fragment => of_fragment.binding(),
    }
}
