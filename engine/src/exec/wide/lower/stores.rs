//! What becomes of an instruction's values: clamps, conversions, and the way to their destination.

use super::{Lowering, Stores, Value};
use crate::exec::condition;
use crate::exec::lir::{Lanes, Symbol};
use crate::exec::ops::{Kernel, MAX_INPUTS, evaluate};
use crate::exec::plan::Plan;
use crate::exec::sum;
use crate::exec::wide::effect::{Effect, Scatter};
use crate::exec::wide::segment::Then;
use crate::ir::{Condition, Destination, Indirect, Instruction, Saturation, Target, Type, Write};
use crate::num::Number;

impl Lowering<'_> {
    /// Brings values, as far as there are any, to the destination and a condition code, under the test if there is one.
    pub(super) fn store(&mut self, instruction: &Instruction, write: &Write, values: &[Option<Value>; 4]) {
        let dest = &write.dest;
        if dest.test.is_some_and(|test| test.condition == Condition::Fl) {
            return;
        }
        let layout = self.contents.layout;
        let target = layout.target(dest.target);
        let cc = write.update_cc.map(|register| layout.cc(register));
        let (mut written, mut finished) = (Vec::new(), [None; 4]);
        for (c, value) in values.iter().enumerate() {
            let Some(value) = *value else { continue };
            let new = self.finished(instruction.ty, write, self.symbol(value));
            finished[c] = Some(new.into());
            if let Some(row) = target.map(|base| base + c as u16) {
                written.push((row, Value::from(self.merged(dest, c, new, self.row(row)))));
            }
            if let Some(row) = cc.map(|base| base + c as u16) {
                if let Some(flags) = self.integer_flags(instruction, c, new) {
                    written.push((row, self.merged(dest, c, flags, self.row(row)).into()));
                    continue;
                }
                // Flags of results are merged as the results.
                let value = match self.rows.get(&row) {
                    _ if dest.test.is_none() && self.stores == Stores::Plain => Self::flags(new),
                    Some(&Value::Flags(old)) => {
                        let old = Symbol::Node(&self.recorder, old);
                        Self::flags(self.merged(dest, c, new, old))
                    }
                    _ => self.merged(dest, c, condition::flags(new), self.row(row)).into(),
                };
                written.push((row, value));
            }
        }
        // A reference's address and a test are read before anything is written.
        if let Target::Indirect(indirect) = dest.target {
            self.scatter(&indirect, dest, &finished, &mut written);
        }
        self.rows.extend(written);
    }

    /// The flags that component `c` sets, if it is an integer.
    fn integer_flags<'r>(
        &'r self,
        instruction: &Instruction,
        c: usize,
        result: Symbol<'r>,
    ) -> Option<Symbol<'r>> {
        let plan = Plan::of(instruction);
        let component = plan.component(c).filter(|c| sum::gives_integers(c.kernel, instruction.ty))?;
        let (kernel, inputs) = self.inputs(instruction, component);
        Some(sum::integer_flags(instruction, kernel, &inputs, result))
    }

    /// `_SAT` and the conversion to the destination's type.
    fn finished<'r>(&self, ty: Type, write: &Write, value: Symbol<'r>) -> Symbol<'r> {
        let mut inputs = [value; MAX_INPUTS];
        let saturate = match write.saturate {
            Saturation::None => Kernel::Bits,
            Saturation::Unsigned => Kernel::Saturate,
            Saturation::Signed => Kernel::SaturateSigned,
        };
        inputs[0] = evaluate(saturate, Type::F32, &inputs);
        if ty == Type::F32 && self.program.target_type(write.dest.target) == Type::F16 {
            inputs[0] = evaluate(Kernel::ToHalf, Type::F32, &inputs);
        }
        inputs[0]
    }

    /// What stands in place of `old` after component `c` was written: the old value where the test or the mask of lanes
    /// keeps it.
    fn merged<'r>(&'r self, dest: &Destination, c: usize, new: Symbol<'r>, old: Symbol<'r>) -> Symbol<'r> {
        let tested = dest.test.map_or(Lanes::Known(true), |test| self.tested(&test, c));
        let new = Symbol::select(tested, new, old);
        match self.stores {
            Stores::Plain => new,
            Stores::Masked => {
                let here = self.row(self.contents.layout.mask).ne(Symbol::Known(0));
                Symbol::select(here, new, old)
            }
        }
    }

    /// Writes an element of an array of outputs, each lane its own. What else is `written` waits until then: the test
    /// may be of the condition code that the instruction updates.
    fn scatter(
        &mut self,
        indirect: &Indirect,
        dest: &Destination,
        values: &[Option<Value>; 4],
        written: &mut Vec<(u16, Value)>,
    ) {
        let layout = self.contents.layout;
        let elements = indirect.elements().filter_map(|element| layout.element(element)).collect();
        let test = dest.test.filter(|test| test.condition != Condition::Tr);
        let test = test.map(|test| {
            let base = layout.cc(test.register);
            (test.condition, test.swizzle.0.map(|c| base + u16::from(c)))
        });
        // What the code is updated with is computed now and stored behind the effect.
        let mut later = Vec::new();
        for (row, value) in written.drain(..) {
            let kept = self.scratch();
            self.rows.insert(kept, value);
            later.push((row, kept));
        }
        let value_rows = values.iter().enumerate().filter_map(|(c, value)| Some((c as u8, (*value)?)));
        let value_rows: Vec<(u8, Value)> = value_rows.collect();
        let values = value_rows.into_iter().map(|(c, value)| (c, self.row_of(value))).collect();
        let scatter = Scatter {
            address: self.address(indirect),
            offset: indirect.offset,
            elements,
            values,
            test,
            mask: (self.stores == Stores::Masked).then_some(layout.mask),
        };
        self.end_segment(Then::Effect(Effect::Scatter(scatter)), None);
        *written = later.into_iter().map(|(row, kept)| (row, Value::from(self.row(kept)))).collect();
    }
}
