//! What becomes of an instruction's values: clamps, conversions, and the way to their destination.

use super::{Effect, Group, Lowering, Micro, Scatter, Stores, components_of, group};
use crate::exec::ops::Kernel;
use crate::ir::{CcRegister, Condition, Destination, IndexedOutput, Instruction, Saturation, Target, Type};

impl Lowering<'_> {
    /// `_SAT` and the conversion to the destination's type, in place.
    pub(super) fn finish_values(
        &mut self,
        instruction: &Instruction,
        dest: &Destination,
        needed: u8,
        values: &[u16; 4],
    ) {
        let mut rows: Vec<(u16, u16)> = components_of(needed).map(|c| (values[c], values[c])).collect();
        rows.dedup();
        match instruction.saturate {
            Saturation::None => {}
            Saturation::Unsigned => self.unary(Kernel::Saturate, &rows),
            Saturation::Signed => self.unary(Kernel::SaturateSigned, &rows),
        }
        if instruction.ty == Type::F32 && self.program.target_type(dest.target) == Type::F16 {
            self.unary(Kernel::ToHalf, &rows);
        }
    }

    /// Moves values to the destination and a condition code, under the test if there is one.
    pub(super) fn store(
        &mut self,
        dest: &Destination,
        values: &[u16; 4],
        targets: [u16; 4],
        result: u8,
        cc: Option<(CcRegister, u8)>,
    ) {
        let select = match dest.test {
            Some(test) if test.condition == Condition::Fl => return,
            Some(test) => Kernel::select(test.condition).map(|kernel| {
                let base = self.cc(test.register);
                (kernel, test.condition, test.swizzle.0.map(|c| base + u16::from(c)))
            }),
            None => None,
        };
        if let Target::IndexedOutput(indexed) = dest.target {
            self.scatter(&indexed, values, result, select.map(|(_, condition, tested)| (condition, tested)));
        }
        let result = if matches!(dest.target, Target::IndexedOutput(_)) { 0 } else { result };
        let (updated, cc) = cc.map_or((0, 0), |(register, cc)| (self.cc(register), cc));
        let stores = components_of(result).map(|c| (targets[c], c));
        let stores = stores.chain(components_of(cc).map(|c| (updated + c as u16, c))).collect();
        let select = select.map(|(kernel, _, tested)| (kernel, tested));
        match self.stores {
            Stores::Plain => self.store_plain(stores, values, select, (updated, cc)),
            Stores::Masked => self.store_masked(&stores, values, select),
        }
    }

    /// Writes an element of an array of outputs, each lane its own.
    fn scatter(
        &mut self,
        indexed: &IndexedOutput,
        values: &[u16; 4],
        result: u8,
        test: Option<(Condition, [u16; 4])>,
    ) {
        if result == 0 {
            return;
        }
        let first = usize::from(indexed.first.0);
        let elements = self.layout.outputs.iter().skip(first).take(usize::from(indexed.count));
        self.micros.push(Micro::Effect(Effect::Scatter(Scatter {
            address: self.address(indexed.address, indexed.component),
            offset: indexed.offset,
            elements: elements.copied().collect(),
            values: components_of(result).map(|c| (c as u8, values[c])).collect(),
            test,
            mask: (self.stores == Stores::Masked).then_some(self.layout.mask),
        })));
    }

    /// `stores` are rows with the component that goes there; those of the condition code at row `updated`
    /// come last.
    fn store_plain(
        &mut self,
        stores: Vec<(u16, usize)>,
        values: &[u16; 4],
        select: Option<(Kernel, [u16; 4])>,
        (updated, cc): (u16, u8),
    ) {
        let Some((kernel, mut tested)) = select else {
            let moves: Vec<_> = stores.iter().map(|&(target, c)| (target, values[c])).collect();
            self.unary(Kernel::Bits, &moves);
            return;
        };
        let results = stores.len() - components_of(cc).count();
        let write =
            |tested: &[u16; 4], &(target, c): &(u16, usize)| group(target, &[tested[c], values[c], target]);
        let mut groups: Vec<Group> = stores[..results].iter().map(|store| write(&tested, store)).collect();
        if cc != 0 {
            // Every component tests the condition code as it was: keep it until all have.
            if tested.iter().any(|row| (updated..updated + 4).contains(row)) {
                let old: Vec<(u16, u16)> = (0..4).map(|c| (self.scratch(), updated + c)).collect();
                self.unary(Kernel::Bits, &old);
                tested = tested.map(|row| old[usize::from(row - updated)].0);
            }
            groups.extend(stores[results..].iter().map(|store| write(&tested, store)));
        }
        self.rows(kernel, Type::F32, groups);
    }

    /// The same for the lanes in the mask row only.
    fn store_masked(
        &mut self,
        stores: &[(u16, usize)],
        values: &[u16; 4],
        select: Option<(Kernel, [u16; 4])>,
    ) {
        let mut merged: Vec<u16> = stores.iter().map(|&(_, c)| values[c]).collect();
        if let Some((kernel, tested)) = select {
            let mut groups = Vec::new();
            for (row, &(target, c)) in merged.iter_mut().zip(stores) {
                let new = self.scratch();
                groups.push(group(new, &[tested[c], *row, target]));
                *row = new;
            }
            self.rows(kernel, Type::F32, groups);
        }
        let mask = self.layout.mask;
        let groups =
            stores.iter().zip(&merged).map(|(&(target, _), &row)| group(target, &[mask, row, target]));
        let groups = groups.collect();
        self.rows(Kernel::SelectNe, Type::F32, groups);
    }
}
