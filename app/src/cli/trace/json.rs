//! The JSON form of a trace: every field of a recording, with registers by their names.
//! `docs/command-line/schemas` describes the format.

use super::listing::Listing;
use super::text::letters;
use crate::format;
use serde_json::{Value, json};
use shadestep_engine::debug::{
    Change, Ended, LoopEffect, LoopFrame, OperandStep, Recording, Register, StackEffect, Step,
};
use shadestep_engine::ir::{Components, Element, Flags, Instruction, Target, Type};
use shadestep_engine::memory::{Bytes, Place, Transfer};

/// A number, or a string if `text` is not a JSON number, such as `NaN` and `inf`.
pub(super) fn number_or_text(text: String) -> Value {
    match text.parse() {
        Ok(number) => Value::Number(number),
        Err(_) => Value::String(text),
    }
}

/// A value of type `ty`.
pub(super) fn value(bits: u64, ty: Type) -> Value {
    number_or_text(format::decimal(bits, ty))
}

/// An fp32 value.
pub(super) fn single(number: f32) -> Value {
    value(number.to_bits().into(), Type::F32)
}

/// A value with its bits and its type.
fn scalar(bits: u64, ty: Type) -> Value {
    json!({ "value": value(bits, ty), "bits": format::pattern(bits, ty), "type": format::type_name(ty) })
}

/// An fp32 value with its bits.
pub(super) fn single_scalar(number: f32) -> Value {
    scalar(number.to_bits().into(), Type::F32)
}

/// Four values with their bits and their type. Values of different types have an array of types.
pub(super) fn vector(bits: Components, types: [Type; 4]) -> Value {
    let typed = || bits.into_iter().zip(types);
    let patterns: Value = typed().map(|(bits, ty)| format::pattern(bits, ty)).collect();
    let named = match types == [types[0]; 4] {
        true => json!(format::type_name(types[0])),
        false => json!(types.map(format::type_name)),
    };
    let values: Value = typed().map(|(bits, ty)| value(bits, ty)).collect();
    json!({ "value": values, "bits": patterns, "type": named })
}

/// A register after the run, with its written components.
pub(super) fn result(name: &str, bits: Components, types: [Type; 4], written: u8) -> Value {
    json!({ "name": name, "value": vector(bits, types), "written": letters(written) })
}

/// The reason for the end of a run.
pub(super) const fn ended(ended: Ended) -> &'static str {
    match ended {
        Ended::Normal => "normal",
        Ended::CallOverflow => "call_overflow",
        Ended::StackMismatch => "stack_mismatch",
        Ended::BlockOverflow => "block_overflow",
        Ended::InstructionLimit => "instruction_limit",
    }
}

impl Listing<'_> {
    /// CC0 and CC1, each an array of four names.
    fn codes_json(&self, cc: [[Flags; 4]; 2]) -> [Value; 2] {
        cc.map(|register| json!(self.codes(register)))
    }

    /// The registers before the first step.
    pub fn initial(&self, recording: &Recording) -> Value {
        let state = &recording.state_at(0);
        let attributes = self
            .attributes()
            .into_iter()
            .map(|(attribute, name)| (name, vector(state.attribute(attribute), [attribute.ty(); 4])));
        let parameter = |(index, bits): (usize, &Components)| {
            json!({
                "name": self.parameter(index),
                "value": vector(*bits, [self.program.parameters[index].ty; 4]),
            })
        };
        let [cc, cc1] = self.codes_json(state.cc);
        json!({
            "attributes": attributes.collect::<Value>(),
            "parameters": state.parameters.iter().enumerate().map(parameter).collect::<Value>(),
            "temporaries": self.program.temporaries.iter().map(|of| of.name.as_str()).collect::<Value>(),
            "outputs": self.program.outputs.iter().map(|output| output.name.as_str()).collect::<Value>(),
            "cc": cc,
            "cc1": cc1,
        })
    }

    /// A step. `lookup` is the lookup of the step in full.
    pub(super) fn step(&self, step: &Step, lookup: Option<Value>) -> Value {
        let instruction = &self.program.instructions[step.pc];
        let place = self.line_column(instruction.span);
        let operand = |(index, step)| self.operand(instruction, index, step);
        let texture = step.texture.as_ref().map(|texture| {
            json!({
                "unit": texture.texture.map(|found| found.unit),
                "target": texture.target.name(),
                "coordinates": texture.shown().iter().copied().map(single_scalar).collect::<Value>(),
                "lambda": texture.level().map(single_scalar),
                "complete": texture.complete,
            })
        });
        let destination = instruction.dest().map(|destination| match destination.target {
            Target::Temp(id) => self.place(Register::Temp(id)),
            Target::Output(id) => self.place(Register::Output(id)),
            Target::Param(id) => self.place(Register::Param(id)),
            Target::Indirect(_) => match step.relative_target.and_then(|led| led.place()) {
                Some(place) => self.place(place),
                None => self.source(destination.span),
            },
            Target::ConditionOnly(_) => self.source(destination.span),
        });
        let (result, written) = self.result_types(instruction);
        let [cc_before, cc1_before] = self.codes_json(step.cc_before);
        let [cc_after, cc1_after] = self.codes_json(step.cc_after);
        json!({
            "pc": step.pc,
            "line": place.line,
            "column": place.column,
            "text": self.source(instruction.span),
            "lanes": (0_u8..4).filter(|lane| step.lanes >> lane & 1 != 0).collect::<Value>(),
            "operands": step.operands.iter().enumerate().map(operand).collect::<Value>(),
            "texture": texture,
            "lookup": lookup,
            "memory": step.transfers().map(|transfer| self.transfer(transfer)).collect::<Value>(),
            "destination": destination,
            "computed": letters(step.computed),
            "undefined": letters(step.undefined),
            "result": vector(step.result, [result; 4]),
            "saturated": vector(step.saturated, [result; 4]),
            "converted": vector(step.converted, [written; 4]),
            "enabled": letters(step.enabled),
            "changes": step.changes.iter().map(|change| self.change(change)).collect::<Value>(),
            "cc_before": cc_before,
            "cc_after": cc_after,
            "cc1_before": cc1_before,
            "cc1_after": cc1_after,
            "kills": step.kills,
            "taken": step.taken,
            "to": instruction.control().and_then(|control| control.target()),
            "stack": stack(step.stack),
            "loops": loops(&step.loops),
            "if_depth": step.if_depth,
        })
    }

    fn transfer(&self, transfer: &Transfer) -> Value {
        let found = self.memory.find(transfer.place);
        let (address, texel) = match transfer.place {
            Place::Address(address) => (Some(format!("{address:#x}")), None),
            Place::Buffer { .. } => (None, None),
            Place::Image { coordinates, .. } => (None, Some(coordinates)),
        };
        let values = |bytes: &Bytes| {
            let (bits, count, ty) = transfer.components(bytes);
            bits[..count].iter().map(|&bits| scalar(bits, ty)).collect::<Value>()
        };
        json!({
            "buffer": found.map(|(buffer, _)| &buffer.name),
            "offset": found.map(|(_, offset)| offset),
            "address": address,
            "texel": texel,
            "storage": transfer.form(),
            "before": values(&transfer.before),
            "after": transfer.after.as_ref().map(values),
            "fault": transfer.fault.map(|reason| reason.to_string()),
        })
    }

    fn operand(&self, instruction: &Instruction, index: usize, step: &OperandStep) -> Value {
        let operand = &instruction.operands[index];
        let (register, loaded) = self.operand_types(instruction, index);
        let relative = step.relative.map(|led| {
            let attribute = led.element.filter(|element| matches!(element, Element::Attribute(_)));
            json!({
                "index": led.index,
                "parameter": led.parameter().map(|id| self.parameter(usize::from(id.0))),
                "attribute": attribute.and_then(|element| self.program.element_name(element)),
            })
        });
        json!({
            "source": self.source(operand.span),
            "relative": relative,
            "register": vector(step.register, [register; 4]),
            "swizzled": vector(step.swizzled, [register; 4]),
            "modified": vector(step.modified, [loaded; 4]),
            "converted": vector(step.converted, [loaded; 4]),
            "used": letters(step.used),
        })
    }

    fn change(&self, change: &Change) -> Value {
        // Address registers hold integers, so fp32 bits would be misleading.
        let held = |bits: u64, ty: Type| match ty {
            Type::Address => json!({ "value": value(bits, ty) }),
            _ => scalar(bits, ty),
        };
        json!({
            "register": self.place(change.place),
            "component": letters(1 << change.component),
            "before": held(change.before, change.type_before),
            "after": held(change.after, change.type_after),
            "was_undefined": change.was_undefined,
            "is_undefined": change.is_undefined,
        })
    }
}

/// The effect of a step on the loops, with the frames that it concerns; `null` without an effect.
fn loops(effect: &LoopEffect) -> Value {
    let frame = |frame: &LoopFrame| {
        json!({
            "at": frame.at,
            "count": frame.count,
            "index": frame.index,
            "increment": frame.increment,
        })
    };
    let object = |effect: &str, frames: &[LoopFrame]| json!({ "effect": effect, "frames": frames.iter().map(frame).collect::<Value>() });
    match effect {
        LoopEffect::None => Value::Null,
        LoopEffect::Enter(entered) => object("enter", &[*entered]),
        LoopEffect::Round { before: _, after } => object("round", &[*after]),
        LoopEffect::Leave(left) => object("leave", left),
    }
}

/// The effect of a step on the call stack, with the instruction pushed or popped; `null` without an effect.
fn stack(effect: StackEffect) -> Value {
    let object = |effect: &str, at: Option<usize>| json!({ "effect": effect, "at": at });
    match effect {
        StackEffect::None => Value::Null,
        StackEffect::Push(back) => object("push", Some(back)),
        StackEffect::Pop(back) => object("pop", Some(back)),
        StackEffect::PushAddress(_) => object("push_address", None),
        StackEffect::PopAddress(_) => object("pop_address", None),
        StackEffect::Mismatch => object("mismatch", None),
        StackEffect::Overflow => object("overflow", None),
        StackEffect::Underflow => object("underflow", None),
    }
}
