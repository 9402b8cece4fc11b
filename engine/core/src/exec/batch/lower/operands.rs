//! Operands: loads a component, applies its sign and converts it to the type of the operation.

use super::{Lowering, Value};
use crate::exec::batch::layout::{Conversion, Modifier, Uniform, load};
use crate::exec::lir::effect::{Across, Choice, Evaluate, Evaluated, Gather, GatherRegisters};
use crate::exec::lir::{Action, Node, Symbol};
use shadestep_language::ir::{
    Attribute, Element, Index, Indirect, Instruction, Operand, Source, Swizzle, Type,
};
use shadestep_language::semantics::ops::{Kernel, MAX_INPUTS, Words};
use shadestep_language::semantics::plan::{Component, Location, Plan};

impl Lowering<'_> {
    /// The kernel of `component` and its inputs. Signs of operands are folded into the kernel where this is
    /// exact.
    pub(super) fn inputs(
        &self,
        instruction: &Instruction,
        component: &Component,
    ) -> (Kernel, [Words<Symbol<'_>>; MAX_INPUTS]) {
        let mut inputs = [[Symbol::Known(0); 2]; MAX_INPUTS];
        if let Some((kernel, order, negated)) = fold_signs(instruction, component) {
            for (input, &index) in inputs.iter_mut().zip(order) {
                let (operand, c) = component.inputs[index];
                let (operand, c) = (usize::from(operand), usize::from(c));
                let modifier = if negated[index] {
                    Modifier::None
                } else {
                    Modifier::of(&instruction.operands[operand], instruction.ty, c)
                };
                *input = self.operand_as(instruction, operand, c, modifier);
            }
            return (kernel, inputs);
        }
        for (input, &(operand, c)) in inputs.iter_mut().zip(component.inputs) {
            *input = self.operand(instruction, operand.into(), c.into());
        }
        (component.kernel, inputs)
    }

    /// Component `c` of operand `index`, loaded and converted.
    pub(super) fn operand(&self, instruction: &Instruction, index: usize, c: usize) -> Words<Symbol<'_>> {
        let ty = Plan::of(instruction).operand_type(instruction.ty, index);
        let modifier = Modifier::of(&instruction.operands[index], ty, c);
        self.operand_as(instruction, index, c, modifier)
    }

    fn operand_as(
        &self,
        instruction: &Instruction,
        index: usize,
        c: usize,
        modifier: Modifier,
    ) -> Words<Symbol<'_>> {
        let operand = &instruction.operands[index];
        let component = operand.swizzle.0[c];
        let plan = Plan::of(instruction);
        let ty = plan.operand_type(instruction.ty, index);
        if let Some(value) = Swizzle::constant(component) {
            let value = [Symbol::Known(value.to_bits()), Symbol::Known(0)];
            return load(value, modifier, Type::F32, ty, Conversion::of(Type::F32, ty));
        }
        let from = self.program.source_type(operand.source);
        let conversion = if plan.reads_raw_bits() { Conversion::None } else { Conversion::of(from, ty) };
        let value = match operand.source {
            Source::Param(id) => {
                let uniform = Uniform { parameter: id.0, component, modifier, ty, word: 0 };
                return [0, 1].map(|word| {
                    let Some(register) = self.contents.layout.uniforms.get(&Uniform { word, ..uniform })
                    else {
                        return Symbol::Known(0);
                    };
                    match self.contents.literals.get(register) {
                        Some(&bits) => Symbol::Known(bits),
                        None => self.recorder.symbol(Node::Uniform(*register)),
                    }
                });
            }
            source => match self.gathered.iter().find(|(gathered, ..)| *gathered == source) {
                Some((_, values)) => [0, 4].map(|word| self.symbol(values[usize::from(component) + word])),
                None => self.register(source, component, from),
            },
        };
        load(value, modifier, from, ty, conversion)
    }

    /// Reads the values of relative references, each once, and evaluated attributes.
    pub(super) fn gather_operands(&mut self, instruction: &Instruction) {
        self.gathered.clear();
        let Plan::Interpolate(location) = Plan::of(instruction) else {
            return self.gather(&instruction.operands);
        };
        let (evaluated, others) = instruction.operands.split_at(1);
        self.gather(others);
        if let [evaluated] = evaluated {
            self.evaluate(instruction, location, evaluated);
        }
    }

    /// Reads the first operand of IPAC, IPAO or IPAS at the instruction's spot.
    fn evaluate(&mut self, instruction: &Instruction, location: Location, operand: &Operand) {
        let components = distinct(operand.swizzle.0.to_vec());
        let mut operands = Vec::new();
        let choice = operand.source.indirect().map(|indirect| self.choice(&indirect, &mut operands));
        let spot = match location {
            Location::Centroid => 0,
            Location::Offset => 2,
            Location::Sample => 1,
        };
        operands.extend((0..spot).map(|c| Value::from(self.operand(instruction, 1, c)[0])));
        let attributes = operand.source.attributes().map(|attribute| Evaluated {
            first: self.contents.layout.attribute(attribute),
            attribute: Some(attribute).filter(|_| self.program.depends_on_place(attribute)),
        });
        let attributes = attributes.collect();
        let evaluate = Action::Evaluate(Evaluate { choice, attributes, location });
        let values = self.effect(evaluate, operands, &components);
        // Offset and sample number read the same attribute from its register, not at the spot.
        self.gathered.retain(|(source, _)| *source != operand.source);
        self.gathered.push((operand.source, values));
    }

    fn gather(&mut self, operands: &[Operand]) {
        for operand in operands {
            let source = operand.source;
            if self.gathered.iter().any(|(gathered, _)| *gathered == source) {
                continue;
            }
            let same = operands.iter().filter(|operand| operand.source == source);
            let mut components: Vec<u8> = same.flat_map(|operand| operand.swizzle.0).collect();
            components.retain(|&c| Swizzle::constant(c).is_none());
            components = distinct(components);
            if let Some(buffer) = source.buffer() {
                let values = self.read_buffer(&buffer, &components);
                self.gathered.push((source, values));
                continue;
            }
            let Some(indirect) = self.led_by(source) else { continue };
            let mut operands = Vec::new();
            let choice = self.choice(&indirect, &mut operands);
            if self.program.source_type(source).is_wide() {
                components.extend_from_within(..);
                let low = components.len() / 2;
                components[low..].iter_mut().for_each(|component| *component += 4);
            }
            let elements =
                |indirect| self.contents.layout.elements(indirect, self.program.source_type(source));
            let action = match indirect.first {
                Element::Param(first) => Action::Gather(Gather { choice, first: first.0 }),
                Element::Attribute(first @ Attribute::OutVertex { vertex, .. }) => {
                    let own =
                        Indirect { first: Element::Attribute(first.at_vertex(0)), vertex: None, ..indirect };
                    let across = Across { first: vertex, group: self.program.patch_vertices.unwrap_or(1) };
                    Action::GatherRegisters(GatherRegisters {
                        choice,
                        elements: elements(own),
                        across: Some(across),
                    })
                }
                Element::Temp(_) | Element::Attribute(_) | Element::Output(_) => {
                    let elements = elements(indirect);
                    Action::GatherRegisters(GatherRegisters { choice, elements, across: None })
                }
            };
            let values = self.effect(action, operands, &components);
            self.gathered.push((source, values));
        }
    }

    /// The reference that needs an effect: a relative one, or one to another invocation of the patch.
    fn led_by(&self, source: Source) -> Option<Indirect> {
        match source {
            Source::Attribute(attribute @ Attribute::OutVertex { .. }) => {
                Some(Indirect::new(Element::Attribute(attribute), 1, Index::default()))
            }
            other => other.indirect(),
        }
    }

    /// The element that a relative reference selects. Adds the computed indices to `operands`.
    pub(super) fn choice(&self, indirect: &Indirect, operands: &mut Vec<Value>) -> Choice {
        let (vertices, vertex) = indirect.vertex.map_or((1, Index::default()), |v| (v.count, v.index));
        let numbers = [vertex, indirect.index].map(|index| self.number(index, operands));
        Choice { numbers, counts: [vertices.into(), indirect.count] }
    }
}

fn distinct(mut components: Vec<u8>) -> Vec<u8> {
    components.sort_unstable();
    components.dedup();
    components
}

/// Folds signs into sums and products: returns another kernel, the order of its inputs, and which of them
/// lose their sign. Not for fx12, where -(-2) is not representable and negation comes before the conversion.
fn fold_signs(
    instruction: &Instruction,
    component: &Component,
) -> Option<(Kernel, &'static [usize], Vec<bool>)> {
    if !matches!(instruction.ty, Type::F32 | Type::F16) {
        return None;
    }
    let negated: Vec<bool> = component
        .inputs
        .iter()
        .map(|&(operand, c)| {
            let operand = &instruction.operands[usize::from(operand)];
            !matches!(operand.source, Source::Param(_))
                && Modifier::of(operand, instruction.ty, usize::from(c)) == Modifier::Negate
        })
        .collect();
    if !negated.contains(&true) {
        return None;
    }
    let (kernel, order): (Kernel, &[usize]) = match (component.kernel, negated.as_slice()) {
        (Kernel::Add, [false, true]) => (Kernel::Sub, &[0, 1]),
        (Kernel::Add, [true, false]) => (Kernel::Sub, &[1, 0]),
        (Kernel::Sub, [false, true]) => (Kernel::Add, &[0, 1]),
        (Kernel::Mul, [true, true]) => (Kernel::Mul, &[0, 1]),
        (Kernel::Mul, _) => (Kernel::NegMul, &[0, 1]),
        (Kernel::Mad, [a, b, false]) if a != b => (Kernel::NegMad, &[0, 1, 2]),
        (Kernel::Mad, [a, b, true]) if a != b => (Kernel::NegMulSub, &[0, 1, 2]),
        (Kernel::Mad, [_, _, true]) => (Kernel::MulSub, &[0, 1, 2]),
        (Kernel::Mad, [_, _, false]) => (Kernel::Mad, &[0, 1, 2]),
        _ => return None,
    };
    Some((kernel, order, negated))
}
