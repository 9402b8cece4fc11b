//! Operands: the value of a component, loaded, signed and converted.

use super::{Lowering, Value};
use crate::exec::lir::{Node, Symbol};
use crate::exec::ops::{Kernel, MAX_INPUTS, evaluate};
use crate::exec::plan::{Component, Plan, operand_type};
use crate::exec::scalar::reads_raw_bits;
use crate::exec::wide::effect::{Effect, Gather, GatherRows};
use crate::exec::wide::layout::{Conversion, Modifier, Uniform, uniform_value};
use crate::exec::wide::segment::Then;
use crate::ir::{Element, Indirect, Instruction, Source, Swizzle, Type};

impl Lowering<'_> {
    /// The kernel of `component` with its operands' signs folded in where that is exact, and its inputs.
    pub(super) fn inputs(
        &self,
        instruction: &Instruction,
        component: &Component,
    ) -> (Kernel, [Symbol<'_>; MAX_INPUTS]) {
        let mut inputs = [Symbol::Known(0); MAX_INPUTS];
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
    pub(super) fn operand(&self, instruction: &Instruction, index: usize, c: usize) -> Symbol<'_> {
        let ty = operand_type(instruction, &Plan::of(instruction));
        let modifier = Modifier::of(&instruction.operands[index], ty, c);
        self.operand_as(instruction, index, c, modifier)
    }

    fn operand_as(
        &self,
        instruction: &Instruction,
        index: usize,
        c: usize,
        modifier: Modifier,
    ) -> Symbol<'_> {
        let operand = &instruction.operands[index];
        let component = operand.swizzle.0[c];
        let plan = Plan::of(instruction);
        let ty = operand_type(instruction, &plan);
        if let Some(value) = Swizzle::constant(component) {
            return Symbol::Known(uniform_value(value, modifier, ty).to_bits());
        }
        let conversion = if reads_raw_bits(&plan) {
            Conversion::None
        } else {
            Conversion::of(self.program.source_type(operand.source), ty)
        };
        let value = match operand.source {
            Source::Param(id) => {
                let uniform = Uniform { parameter: id.0, component, modifier, ty };
                let row = self.contents.layout.uniforms[&uniform];
                return match self.contents.literals.get(&row) {
                    Some(&bits) => Symbol::Known(bits),
                    None => self.recorder.symbol(Node::Uniform(row)),
                };
            }
            Source::Indirect(_) => {
                let gathered = self.gathered.iter().find(|(source, ..)| *source == operand.source);
                gathered.map_or(Symbol::Known(0), |(_, rows)| self.row(rows[usize::from(component)]))
            }
            source => self.register(source, component),
        };
        let mut inputs = [value; MAX_INPUTS];
        inputs[0] = evaluate(modifier.kernel(), ty, &inputs);
        inputs[0] = evaluate(conversion.kernel(), Type::F32, &inputs);
        inputs[0]
    }

    /// Reads what the instruction's relative references lead to, each once.
    pub(super) fn gather_operands(&mut self, instruction: &Instruction) {
        self.gathered.clear();
        for operand in &instruction.operands {
            let source = operand.source;
            if self.gathered.iter().any(|(gathered, _)| *gathered == source) {
                continue;
            }
            let same = instruction.operands.iter().filter(|operand| operand.source == source);
            let mut components: Vec<u8> = same.flat_map(|operand| operand.swizzle.0).collect();
            components.retain(|&c| Swizzle::constant(c).is_none());
            components.sort_unstable();
            components.dedup();
            let Some(indirect) = source.indirect() else { continue };
            let address = self.address(&indirect);
            let mut rows = [self.contents.layout.zero; 4];
            for &component in &components {
                rows[usize::from(component)] = self.scratch();
            }
            let results = components.iter().map(|&c| (c, rows[usize::from(c)])).collect();
            let offset = indirect.offset;
            let effect = match indirect.first {
                Element::Param(first) => {
                    Effect::Gather(Gather { address, offset, first: first.0, count: indirect.count, results })
                }
                Element::Attribute(_) | Element::Output(_) => {
                    let elements =
                        indirect.elements().filter_map(|element| self.contents.layout.element(element));
                    Effect::GatherRows(GatherRows { address, offset, elements: elements.collect(), results })
                }
            };
            self.end_segment(Then::Effect(effect), None);
            self.gathered.push((source, rows));
        }
    }

    /// The row of the component of an address register that a relative reference adds to.
    pub(super) fn address(&mut self, indirect: &Indirect) -> u16 {
        let row = self.contents.layout.temporary(indirect.address) + u16::from(indirect.component);
        let value: Value = self.row(row).into();
        self.row_of(value)
    }
}

/// Sums and products take a negated register by choosing another kernel, with the order of its inputs and which of
/// them lose their sign. Not in fx12: there -(-2) is not representable, and negation comes before the conversion.
fn fold_signs(
    instruction: &Instruction,
    component: &Component,
) -> Option<(Kernel, &'static [usize], Vec<bool>)> {
    if instruction.ty == Type::Fx12 || instruction.ty.is_integer() {
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
