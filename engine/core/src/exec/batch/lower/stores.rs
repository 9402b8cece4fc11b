//! Stores of results: clamps them, converts them to the register's type, sets the condition code, and stores
//! them under the write mask.

use super::{Lowering, Stores, Tested, Value, Values};
use crate::exec::lir::effect::{Scatter, Shared, Test};
use crate::exec::lir::{Action, Lanes, Symbol};
use crate::exec::{condition, sum};
use shadestep_language::ir::{
    Condition, Conversion, Destination, Element, Format, Index, Indirect, Instruction, Target, Type, Write,
};
use shadestep_language::num::Number;
use shadestep_language::semantics::ops::{Words, number_of_half};
use shadestep_language::semantics::plan::{Plan, ResultTypes};

impl Lowering<'_> {
    /// Stores values to the destination and the condition code, under the test if there is one.
    pub(super) fn store(&mut self, instruction: &Instruction, write: &Write, values: &Values) {
        let dest = &write.dest;
        if dest.test.is_some_and(|test| test.condition == Condition::Fl) {
            return;
        }
        let layout = self.contents.layout;
        let shared = self.program.writes_patch(dest.target);
        let target = layout.target(dest.target).filter(|_| !shared);
        let cc = write.update_cc.map(|register| layout.cc(register));
        let plan = Plan::of(instruction);
        let types = ResultTypes::of(self.program, instruction);
        let words: u16 = if types.target.is_wide() { 2 } else { 1 };
        let (mut written, mut finished, mut tested) = (Vec::new(), [None; 4], Vec::new());
        let mut fresh = Vec::new();
        for (c, value) in values.iter().enumerate() {
            let Some(value) = *value else { continue };
            let value = value.map(|word| self.symbol(word));
            let both = types.convert(types.saturate(write.saturate, value));
            finished[c] = Some(both.map(Value::from));
            if let Some(base) = target {
                for (register, new) in (0..words).map(|word| base + 4 * word + c as u16).zip(both) {
                    written.push((register, self.merged(dest, c, new, self.kept(register)).into()));
                    fresh.push((register, self.fresh(dest, c, new, register)));
                }
            }
            if let Some(register) = cc.map(|base| base + c as u16) {
                let flags = self.flags(instruction, &plan, types, (c, both));
                written.push((register, self.merged(dest, c, flags, self.kept(register)).into()));
                fresh.push((register, self.fresh(dest, c, flags, register)));
                tested.push((register, self.tested_result(dest, types.written(), (c, both), register)));
            }
        }
        // The address of a reference and the test are read before any write.
        let led = match dest.target {
            Target::Indirect(indirect) => Some(indirect),
            Target::Output(id) if shared => Some(Indirect::new(Element::Output(id), 1, Index::default())),
            _ => None,
        };
        if let Some(indirect) = led {
            self.scatter(&indirect, dest, (&finished, words));
            // To keep these results over the effect costs more than to test the flags.
            tested.iter_mut().for_each(|(_, result)| *result = None);
        }
        self.registers.extend(written);
        self.round.iter_mut().for_each(|round| round.fresh.extend(fresh.iter().copied()));
        for (register, result) in tested {
            match result {
                Some(result) => self.tested.insert(register, result),
                None => self.tested.remove(&register),
            };
        }
    }

    /// The value of a lane register after a write to component `c`, in lanes that are still in a loop kernel.
    fn fresh(&self, dest: &Destination, c: usize, new: Symbol<'_>, register: u16) -> Value {
        if dest.test.is_none() && self.guards.is_empty() {
            new.into()
        } else {
            self.merged(dest, c, new, self.lane_register(register)).into()
        }
    }

    /// The result that a condition code component has after the write, if it was set since the last effect.
    /// Component `c` has the words `new` and type `ty`; lanes without the write keep the old result.
    fn tested_result<'r>(
        &'r self,
        dest: &Destination,
        ty: Type,
        (c, new): (usize, Words<Symbol<'r>>),
        register: u16,
    ) -> Option<Tested> {
        let kept = self.tested.get(&register);
        let replaced = dest.test.is_none() && self.guards.is_empty();
        let word = |new: Symbol<'r>, old: Value| self.merged(dest, c, new, self.symbol(old)).into();
        match (ty, kept) {
            (Type::F32, _) if replaced => Some(Tested::Single(new[0].into())),
            (Type::F32, Some(&Tested::Single(old))) => Some(Tested::Single(word(new[0], old))),
            (Type::F64, _) if replaced => Some(Tested::Double(new.map(Value::from))),
            (Type::F64, Some(&Tested::Double([low, high]))) => {
                Some(Tested::Double([word(new[0], low), word(new[1], high)]))
            }
            _ => None,
        }
    }

    /// The flags that component `c` sets.
    fn flags<'r>(
        &'r self,
        instruction: &Instruction,
        plan: &Plan,
        types: ResultTypes,
        (c, result): (usize, Words<Symbol<'r>>),
    ) -> Symbol<'r> {
        if let Plan::Convert(Conversion { to: Format::F16, .. }) = plan {
            return condition::flags(number_of_half(result[0]));
        }
        let flags = condition::typed_flags(result, types.written());
        let further = plan.component(c).filter(|_| types.result.is_integer()).and_then(|component| {
            let (kernel, inputs) = self.inputs(instruction, component);
            sum::carry_and_overflow(instruction, kernel, &inputs)
        });
        further.map_or(flags, |further| flags | further)
    }

    /// The value after a write of `new`: lanes outside the test, the converted IF or the mask keep `old`.
    fn merged<'r>(&'r self, dest: &Destination, c: usize, new: Symbol<'r>, old: Symbol<'r>) -> Symbol<'r> {
        let tested = dest.test.map_or(Lanes::Known(true), |test| self.tested(&test, c));
        let tested = self.enabled.map_or(tested, |enabled| tested & self.lanes_at(enabled));
        self.in_mask(Symbol::select(tested, new, old), old)
    }

    /// The value of a lane register after a store of `new` to the lanes of the mask.
    pub(super) fn in_mask<'r>(&'r self, new: Symbol<'r>, old: Symbol<'r>) -> Symbol<'r> {
        match self.stores {
            Stores::Plain => new,
            Stores::Masked => {
                let here = self.lane_register(self.contents.layout.mask).ne(Symbol::Known(0));
                Symbol::select(here, new, old)
            }
        }
    }

    /// Writes an element of an array of outputs or temporaries that each lane selects, or a per-patch result.
    fn scatter(&mut self, indirect: &Indirect, dest: &Destination, (values, words): (&Values, u16)) {
        let layout = self.contents.layout;
        let test = dest.test.filter(|test| test.condition != Condition::Tr).map(|test| {
            let base = layout.cc(test.register);
            Test { condition: test.condition, registers: test.swizzle.0.map(|c| base + u16::from(c)) }
        });
        let (mut offsets, mut operands) = (Vec::new(), Vec::new());
        for (c, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            for (word, &value) in (0..words).zip(value) {
                offsets.push((4 * word) as u8 + c as u8);
                operands.push(value);
            }
        }
        let choice = self.choice(indirect, &mut operands);
        let group = self.program.patch_vertices.filter(|_| self.program.writes_patch(dest.target));
        let scatter = Scatter {
            choice,
            elements: layout.elements(*indirect, self.program.target_type(dest.target)),
            offsets,
            test,
            mask: (self.stores == Stores::Masked).then_some(layout.mask),
            shared: group.map(|group| Shared { group, pc: self.pc }),
        };
        self.effect(Action::Scatter(scatter), operands, &[]);
    }
}
