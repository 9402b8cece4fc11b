//! Operands: which row holds a component, loaded, signed and converted.

use super::{
    Conversion, Effect, Gather, GatherRows, Lowering, Micro, Modifier, Uniform, components_of,
    source_components, uniform_value,
};
use crate::exec::ops::Kernel;
use crate::exec::plan::{Component, plan};
use crate::exec::scalar::reads_raw_bits;
use crate::ir::{Indexed, IndexedAttribute, Instruction, Source, Swizzle, TempId, Type};

impl Lowering<'_> {
    /// The kernel of `component` with its operands' signs folded in where that is exact, and its rows.
    pub(super) fn inputs(&mut self, instruction: &Instruction, component: &Component) -> (Kernel, Vec<u16>) {
        if let Some(folded) = self.fold_signs(instruction, component) {
            return folded;
        }
        let rows = component
            .inputs
            .iter()
            .map(|&(operand, c)| self.operand(instruction, usize::from(operand), usize::from(c)))
            .collect();
        (component.kernel, rows)
    }

    /// Sums and products take a negated register by choosing another kernel. Not in fx12: there
    /// -(-2) is not representable, and negation comes before the conversion.
    fn fold_signs(&mut self, instruction: &Instruction, component: &Component) -> Option<(Kernel, Vec<u16>)> {
        if instruction.ty == Type::Fx12 {
            return None;
        }
        let negated: Vec<bool> = component
            .inputs
            .iter()
            .map(|&(operand, c)| {
                let operand = &instruction.operands[usize::from(operand)];
                !matches!(operand.source, Source::Param(_))
                    && Modifier::of(operand, usize::from(c)) == Modifier::Negate
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
        let rows = order
            .iter()
            .map(|&index| {
                let (operand, c) = component.inputs[index];
                let modifier = if negated[index] {
                    Modifier::None
                } else {
                    Modifier::of(&instruction.operands[usize::from(operand)], usize::from(c))
                };
                self.operand_as(instruction, usize::from(operand), usize::from(c), modifier)
            })
            .collect();
        Some((kernel, rows))
    }

    /// The row that holds component `c` of operand `index`, loaded and converted.
    pub(super) fn operand(&mut self, instruction: &Instruction, index: usize, c: usize) -> u16 {
        let modifier = Modifier::of(&instruction.operands[index], c);
        self.operand_as(instruction, index, c, modifier)
    }

    fn operand_as(&mut self, instruction: &Instruction, index: usize, c: usize, modifier: Modifier) -> u16 {
        let operand = &instruction.operands[index];
        let component = operand.swizzle.0[c];
        if let Some(value) = Swizzle::constant(component) {
            return self.constant(uniform_value(value, modifier, Conversion::of(Type::F32, instruction.ty)));
        }
        let conversion = if reads_raw_bits(&plan(instruction.op, instruction.rules)) {
            Conversion::None
        } else {
            Conversion::of(self.program.source_type(operand.source), instruction.ty)
        };
        let row = match operand.source {
            Source::Param(id) => {
                return self.uniforms[&Uniform { parameter: id.0, component, modifier, conversion }];
            }
            Source::Indexed(_) | Source::IndexedAttribute(_) => self.gather(instruction, index, component),
            Source::Temp(id) => self.layout.temporaries[usize::from(id.0)] + u16::from(component),
            Source::Attribute(attribute) => {
                self.attributes_used[attribute.index()] |= 1 << component;
                let found = self.layout.attributes.iter().find(|(a, _)| *a == attribute);
                found.map_or(0, |&(_, base)| base) + u16::from(component)
            }
        };
        if modifier == Modifier::None && conversion == Conversion::None {
            return row;
        }
        if let Some(&prepared) = self.operands.get(&(row, modifier, conversion)) {
            return prepared;
        }
        let prepared = self.scratch();
        let mut from = row;
        if modifier != Modifier::None {
            self.unary(modifier.kernel(), &[(prepared, from)]);
            from = prepared;
        }
        if conversion != Conversion::None {
            self.unary(conversion.kernel(), &[(prepared, from)]);
        }
        self.operands.insert((row, modifier, conversion), prepared);
        prepared
    }

    /// The row that component `component` of a relative reference was read to. All that the instruction
    /// needs of operand `index` is read at once.
    fn gather(&mut self, instruction: &Instruction, index: usize, component: u8) -> u16 {
        let source = instruction.operands[index].source;
        if let Some(&row) = self.gathered.get(&(source, component)) {
            return row;
        }
        let wanted = source_components(instruction, index, self.needed) | 1 << component;
        let mut results = Vec::new();
        for c in components_of(wanted) {
            let c = c as u8;
            if !self.gathered.contains_key(&(source, c)) {
                let row = self.scratch();
                self.gathered.insert((source, c), row);
                results.push((c, row));
            }
        }
        match source {
            Source::Indexed(Indexed { first, count, address, component, offset }) => {
                let address = self.address(address, component);
                let gather = Gather { address, offset, first: first.0, count, results };
                self.micros.push(Micro::Effect(Effect::Gather(gather)));
            }
            Source::IndexedAttribute(IndexedAttribute { address, component, offset, .. }) => {
                let elements = source.attributes().map(|attribute| {
                    self.attributes_used[attribute.index()] |= wanted;
                    let found = self.layout.attributes.iter().find(|(a, _)| *a == attribute);
                    found.map_or(0, |&(_, base)| base)
                });
                let elements = elements.collect();
                let address = self.address(address, component);
                let gather = GatherRows { address, offset, elements, results };
                self.micros.push(Micro::Effect(Effect::GatherRows(gather)));
            }
            Source::Temp(_) | Source::Attribute(_) | Source::Param(_) => {}
        }
        self.gathered[&(source, component)]
    }

    /// The row of a component of an address register.
    pub(super) fn address(&self, register: TempId, component: u8) -> u16 {
        self.layout.temporaries[usize::from(register.0)] + u16::from(component)
    }
}
