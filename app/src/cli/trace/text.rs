//! The text form of a trace: steps and registers as lines, the same for every kind of program.

use super::listing::Listing;
use crate::format;
pub(super) use crate::format::letters;
use shadestep_engine::debug::{Change, Ended, LoopEffect, OperandStep, Recording, StackEffect, State, Step};
use shadestep_engine::ir::{Components, Control, Element, Instruction, Kind, Type};
use std::io::{self, Write};

/// Formats the components in `mask` after their letters. Integers also appear in hexadecimal.
fn masked(bits: Components, ty: Type, mask: u8) -> String {
    let components = "xyzw".chars().zip(bits).enumerate().filter(|(i, _)| mask >> i & 1 != 0);
    components
        .map(|(_, (letter, bits))| {
            let decimal = format::decimal(bits, ty);
            if ty.is_integer() {
                format!("{letter}={decimal} ({})", format::pattern(bits, ty))
            } else {
                format!("{letter}={decimal}")
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}

/// Formats fp32 values, separated by spaces.
pub(super) fn floats(values: &[f32]) -> String {
    values.iter().map(|value| format::float(*value)).collect::<Vec<_>>().join(" ")
}

/// Formats a register after the run, and marks the components that are undefined.
pub(super) fn result(name: &str, bits: Components, types: [Type; 4], written: u8) -> String {
    let values = format::vector(bits, types);
    let missing = letters(!written & 0xF);
    let unwritten = if missing.is_empty() { String::new() } else { format!(", {missing} not written") };
    format!("  {name} = {values}{unwritten}")
}

/// Describes the loop that the step begins or continues, with its counters after the step.
fn round(effect: &LoopEffect) -> String {
    let (LoopEffect::Enter(frame) | LoopEffect::Round { after: frame, .. }) = effect else {
        return String::new();
    };
    let index = match (frame.index, frame.increment) {
        (0, 0) => String::new(),
        (index, increment) => format!(", index {index}, increment {increment}"),
    };
    let count = frame.count.map_or_else(|| "none".to_owned(), |count| count.to_string());
    format!("; count {count}{index}")
}

impl Listing<'_> {
    /// Writes attributes and parameters before the first step.
    pub fn write_initial(&self, out: &mut impl Write, recording: &Recording) -> io::Result<()> {
        let state: State = recording.state_at(0);
        for (attribute, name) in self.attributes() {
            let bits = state.attribute(attribute);
            writeln!(out, "  {name} = {}", format::decimals(bits, [attribute.ty(); 4]))?;
        }
        for index in self.parameters_shown(recording) {
            let values = format::decimals(state.parameters[index], [self.program.parameters[index].ty; 4]);
            writeln!(out, "  {} = {values}", self.parameter(index))?;
        }
        Ok(())
    }

    /// Writes how the run of a vertex or state program ended.
    pub fn write_ended(&self, out: &mut impl Write, recording: &Recording) -> io::Result<()> {
        let how = match recording.ended {
            Ended::Normal => "ended normally",
            Ended::CallOverflow => "ended by CAL with a full call stack",
            Ended::StackMismatch => "ended by RET or POPA with the wrong entry on the stack",
            Ended::BlockOverflow => "ended by a block nested too deeply",
            Ended::InstructionLimit => "ended by the instruction limit",
        };
        let steps = recording.len();
        writeln!(out, "  {how} after {}", format::counted(steps, "instruction"))
    }

    /// Writes a step. `write_lookup` writes the step's texture lookup.
    pub(super) fn write_step<W: Write>(
        &self,
        out: &mut W,
        step: &Step,
        write_lookup: impl FnOnce(&mut W) -> io::Result<()>,
    ) -> io::Result<()> {
        let instruction = &self.program.instructions[step.pc];
        let line = self.line_column(instruction.span).line;
        writeln!(out, "{:>4}  line {line}: {};", step.pc, self.source(instruction.span))?;
        for (index, (operand, described)) in instruction.operands.iter().zip(&step.operands).enumerate() {
            let types = self.operand_types(instruction, index);
            self.write_operand(out, &self.source(operand.span), described, types)?;
        }
        if let Some(texture) = &step.texture {
            let unit = texture.texture.map_or("none".to_owned(), |found| found.unit.to_string());
            let target = texture.target.name();
            let at = floats(texture.shown());
            let level = texture.level().map(|level| format!(", level of detail {}", format::float(level)));
            let level = level.unwrap_or_default();
            let complete = if texture.complete { "" } else { ", incomplete texture" };
            writeln!(out, "        texture unit {unit} {target} at {at}{level}{complete}")?;
            write_lookup(out)?;
        }
        for transfer in step.transfers() {
            writeln!(out, "        memory {}", self.memory.describe(transfer))?;
        }
        if step.computed != 0 {
            let (result, written) = self.result_types(instruction);
            let mut line = format!("        result {}", masked(step.result, result, step.computed));
            if step.saturated != step.result {
                line.push_str(&format!(", saturated {}", masked(step.saturated, result, step.computed)));
            }
            if step.converted != step.saturated {
                line.push_str(&format!(", converted {}", masked(step.converted, written, step.computed)));
            }
            writeln!(out, "{line}")?;
        }
        if let Some(led) = step.relative_target.filter(|led| led.element.is_none()) {
            writeln!(out, "        result {} is out of range: nothing is written", led.index)?;
        }
        for change in &step.changes {
            self.write_change(out, change)?;
        }
        if let Some(register) = instruction.update_cc() {
            let [before, after] =
                [step.cc_before, step.cc_after].map(|cc| self.codes(cc[register.index()]).join(" "));
            writeln!(out, "        {}: {before} -> {after}", register.name_in(self.program.language))?;
        }
        if let Some(test) = instruction.write().and_then(|write| write.dest.test) {
            let (name, enabled) = (test.register.name_in(self.program.language), letters(step.enabled));
            let cc = self.codes(step.cc_before[test.register.index()]).join(" ");
            let enabled = if enabled.is_empty() { "no component".to_owned() } else { enabled };
            writeln!(out, "        {name} {cc} enables {enabled}")?;
        }
        self.write_flow(out, instruction, step)
    }

    /// Writes an operand. `types` are the types of the register and of the operation.
    fn write_operand(
        &self,
        out: &mut impl Write,
        source: &str,
        step: &OperandStep,
        (register, loaded): (Type, Type),
    ) -> io::Result<()> {
        let from = match step.relative {
            None => String::new(),
            Some(led) => match led.element {
                Some(Element::Param(id)) => format!("{} holds ", self.parameter(usize::from(id.0))),
                Some(element) => {
                    format!("{} holds ", self.program.element_name(element).unwrap_or_default())
                }
                None => format!("register {} is out of range: ", led.index),
            },
        };
        let mut line = format!("        {source}: {from}{}", format::decimals(step.register, [register; 4]));
        let mut last = step.register;
        for (what, bits, ty) in [
            ("swizzled", step.swizzled, register),
            ("modified", step.modified, loaded),
            ("converted", step.converted, loaded),
        ] {
            if bits != last {
                line.push_str(&format!(", {what} {}", format::decimals(bits, [ty; 4])));
                last = bits;
            }
        }
        writeln!(out, "{line} (uses {})", letters(step.used))
    }

    fn write_change(&self, out: &mut impl Write, change: &Change) -> io::Result<()> {
        let (name, letter) = (self.place(change.place), letters(1 << change.component));
        let before = format::decimal(change.before, change.type_before);
        let after = format::decimal(change.after, change.type_after);
        if change.type_after == Type::Address {
            return writeln!(out, "        {name}.{letter}: {before} -> {after}");
        }
        let before = if change.was_undefined { "undefined".to_owned() } else { before };
        let pattern = format::pattern(change.after, change.type_after);
        let undefined = if change.is_undefined { ", undefined" } else { "" };
        writeln!(out, "        {name}.{letter}: {before} -> {after} ({pattern}{undefined})")
    }

    /// Writes the result of the test, the branch target, and the effects on the call stack and the loops.
    fn write_flow(&self, out: &mut impl Write, instruction: &Instruction, step: &Step) -> io::Result<()> {
        let tested = instruction.test().map_or_else(String::new, |test| {
            let (name, cc) =
                (test.register.name_in(self.program.language), step.cc_before[test.register.index()]);
            format!("{name} {}: ", self.codes(cc).join(" "))
        });
        let taken = step.taken.unwrap_or(true);
        if let Kind::Kill(_) = instruction.kind {
            let words = if step.kills { "the fragment is discarded" } else { "the fragment continues" };
            return writeln!(out, "        {tested}{words}");
        }
        let Some(control) = &instruction.control() else { return Ok(()) };
        let words = match (control, step.stack) {
            (_, StackEffect::Mismatch) => {
                "the stack has a different kind of entry: the program ends".to_owned()
            }
            (Control::PushAddress, StackEffect::Overflow) => "the stack is full: the program ends".to_owned(),
            (Control::PopAddress(_), StackEffect::Underflow) => {
                "the stack is empty: the program ends".to_owned()
            }
            (Control::PushAddress | Control::PopAddress(_) | Control::EndIf, _) => return Ok(()),
            (Control::If { otherwise, .. }, _) if !taken => {
                format!("not taken: continues at {}", self.at(*otherwise))
            }
            (Control::Loop { end, .. }, _) if !taken => format!("skipped: continues at {}", self.at(*end)),
            (Control::If { .. } | Control::Loop { .. }, _) => "enters the block".to_owned(),
            (Control::EndLoop { .. }, _) if !taken => "the loop ends".to_owned(),
            (
                Control::EndLoop { start: to }
                | Control::Else { end: to }
                | Control::Break { to, .. }
                | Control::Continue { to, .. },
                _,
            ) if taken => {
                format!("continues at {}", self.at(*to))
            }
            _ if !taken => "not taken".to_owned(),
            (_, StackEffect::Overflow) => "the call stack is full: the program ends".to_owned(),
            (_, StackEffect::Underflow) => "the call stack is empty: the program ends".to_owned(),
            (_, StackEffect::Pop(back)) => format!("taken: returns to {}", self.at(back)),
            (Control::Call { to, .. }, StackEffect::Push(back)) => {
                format!("taken: calls {} and pushes the return to {}", self.at(*to), self.at(back))
            }
            (Control::CallIndirect { .. }, StackEffect::Push(back)) => {
                format!("taken: calls the bound subroutine and pushes the return to {}", self.at(back))
            }
            (Control::Branch { to, .. } | Control::Call { to, .. }, _) => {
                format!("taken: continues at {}", self.at(*to))
            }
            (
                Control::CallIndirect { .. }
                | Control::Return { .. }
                | Control::ReturnIfCalled
                | Control::Else { .. }
                | Control::EndLoop { .. }
                | Control::Break { .. }
                | Control::Continue { .. },
                StackEffect::None
                | StackEffect::Push(_)
                | StackEffect::PushAddress(_)
                | StackEffect::PopAddress(_),
            ) => "taken".to_owned(),
        };
        writeln!(out, "        {tested}{words}{}", round(&step.loops))
    }

    /// Formats an instruction as its number and its line.
    fn at(&self, pc: usize) -> String {
        match self.program.instructions.get(pc) {
            Some(instruction) => {
                format!("instruction {pc}, line {}", self.line_column(instruction.span).line)
            }
            None => "the end".to_owned(),
        }
    }
}
