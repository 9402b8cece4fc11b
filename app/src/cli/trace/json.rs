//! The JSON form of a trace: everything a recording holds, names spelled out. docs/command-line/schemas describes it.

use super::super::json::Json;
use super::listing::Listing;
use super::text::letters;
use crate::format;
use shadestep_engine::debug::{
    Change, Ended, LoopEffect, LoopFrame, OperandStep, Recording, Register, StackEffect, Step,
};
use shadestep_engine::ir::{Components, Element, Flags, Instruction, Target, Type};
use shadestep_engine::memory::{Bytes, Place, Transfer};

/// A number, or a text where JSON has no number for it.
pub(super) fn value(bits: u64, ty: Type) -> Json {
    let text = format::decimal(bits, ty);
    if ty.value(bits).is_finite() { Json::Number(text) } else { Json::Text(text) }
}

/// An fp32 value.
pub(super) fn single(number: f32) -> Json {
    value(number.to_bits().into(), Type::F32)
}

/// One value with its bits and its type.
fn scalar(bits: u64, ty: Type) -> Json {
    Json::object([
        ("value", value(bits, ty)),
        ("bits", Json::text(format::pattern(bits, ty))),
        ("type", Json::text(format::type_name(ty))),
    ])
}

/// One fp32 value with its bits.
pub(super) fn single_scalar(number: f32) -> Json {
    scalar(number.to_bits().into(), Type::F32)
}

/// Four values with their bits and their type, or the four that they have.
pub(super) fn vector(bits: Components, types: [Type; 4]) -> Json {
    let typed = || bits.into_iter().zip(types);
    let patterns = Json::array(typed(), |(bits, ty)| Json::text(format::pattern(bits, ty)));
    let name = |ty| Json::text(format::type_name(ty));
    let named = if types == [types[0]; 4] { name(types[0]) } else { Json::array(types, name) };
    let values = Json::array(typed(), |(bits, ty)| value(bits, ty));
    Json::object([("value", values), ("bits", patterns), ("type", named)])
}

/// A register at the end.
pub(super) fn result(name: &str, bits: Components, types: [Type; 4], written: u8) -> Json {
    Json::object([
        ("name", Json::text(name)),
        ("value", vector(bits, types)),
        ("written", Json::text(letters(written))),
    ])
}

/// Why a run ended.
pub(super) fn ended(ended: Ended) -> Json {
    Json::text(match ended {
        Ended::Normal => "normal",
        Ended::CallOverflow => "call_overflow",
        Ended::StackMismatch => "stack_mismatch",
        Ended::BlockOverflow => "block_overflow",
        Ended::InstructionLimit => "instruction_limit",
    })
}

impl Listing<'_> {
    /// CC0 and CC1, each an array of four names.
    fn codes_json(&self, cc: [[Flags; 4]; 2]) -> [Json; 2] {
        cc.map(|register| Json::array(self.codes(register), Json::text))
    }

    /// What stood in registers before the first step.
    pub fn initial(&self, recording: &Recording) -> Json {
        let state = &recording.state_at(0);
        let attributes = self
            .attributes()
            .into_iter()
            .map(|(attribute, name)| (name, vector(state.attribute(attribute), [attribute.ty(); 4])));
        let parameter = |(index, bits): (usize, &Components)| {
            Json::object([
                ("name", Json::text(self.parameter(index))),
                ("value", vector(*bits, [self.program.parameters[index].ty; 4])),
            ])
        };
        let temporaries = self.program.temporaries.iter().map(|temporary| temporary.name.as_str());
        let outputs = self.program.outputs.iter().map(|output| output.name.as_str());
        let [cc, cc1] = self.codes_json(state.cc);
        Json::object([
            ("attributes", Json::Object(attributes.collect())),
            ("parameters", Json::array(state.parameters.iter().enumerate(), parameter)),
            ("temporaries", Json::array(temporaries, Json::text)),
            ("outputs", Json::array(outputs, Json::text)),
            ("cc", cc),
            ("cc1", cc1),
        ])
    }

    /// A step, with what it looks up.
    pub(super) fn step(&self, step: &Step, lookup: Option<Json>) -> Json {
        let instruction = &self.program.instructions[step.pc];
        let place = self.line_column(instruction.span);
        let operands = step.operands.iter().enumerate();
        let texture = step.texture.as_ref().map(|texture| {
            Json::object([
                ("unit", texture.texture.map_or(Json::Null, |found| Json::count(found.unit))),
                ("target", Json::text(texture.target.name())),
                ("coordinates", Json::array(texture.shown().iter().copied(), single_scalar)),
                ("lambda", Json::option(texture.level(), single_scalar)),
                ("complete", Json::Bool(texture.complete)),
            ])
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
        let to = instruction.control().and_then(|control| control.target());
        let (result, written) = self.result_types(instruction);
        let [cc_before, cc1_before] = self.codes_json(step.cc_before);
        let [cc_after, cc1_after] = self.codes_json(step.cc_after);
        Json::object([
            ("pc", Json::count(step.pc)),
            ("line", Json::count(place.line)),
            ("column", Json::count(place.column)),
            ("text", Json::text(self.source(instruction.span))),
            (
                "lanes",
                Json::array((0..4).filter(|lane| step.lanes >> lane & 1 != 0), |lane: u8| Json::count(lane)),
            ),
            ("operands", Json::array(operands, |(index, step)| self.operand(instruction, index, step))),
            ("texture", Json::option(texture, |texture| texture)),
            ("lookup", Json::option(lookup, |lookup| lookup)),
            ("memory", Json::array(step.transfers(), |transfer| self.transfer(transfer))),
            ("destination", Json::option(destination, Json::Text)),
            ("computed", Json::text(letters(step.computed))),
            ("undefined", Json::text(letters(step.undefined))),
            ("result", vector(step.result, [result; 4])),
            ("saturated", vector(step.saturated, [result; 4])),
            ("converted", vector(step.converted, [written; 4])),
            ("enabled", Json::text(letters(step.enabled))),
            ("changes", Json::array(&step.changes, |change| self.change(change))),
            ("cc_before", cc_before),
            ("cc_after", cc_after),
            ("cc1_before", cc1_before),
            ("cc1_after", cc1_after),
            ("kills", Json::Bool(step.kills)),
            ("taken", Json::option(step.taken, Json::Bool)),
            ("to", Json::option(to, Json::count)),
            ("stack", stack(step.stack)),
            ("loops", loops(&step.loops)),
            ("if_depth", Json::count(step.if_depth)),
        ])
    }

    fn transfer(&self, transfer: &Transfer) -> Json {
        let found = self.memory.find(transfer.place);
        let (address, texel) = match transfer.place {
            Place::Address(address) => (Json::text(format!("{address:#x}")), None),
            Place::Buffer { .. } => (Json::Null, None),
            Place::Image { coordinates, .. } => (Json::Null, Some(coordinates)),
        };
        let values = |bytes: &Bytes| {
            let (bits, count, ty) = transfer.components(bytes);
            Json::array(bits[..count].iter(), |&bits| scalar(bits, ty))
        };
        let whole = |number: &i32| Json::Number(number.to_string());
        Json::object([
            ("buffer", Json::option(found, |(buffer, _)| Json::text(&buffer.name))),
            ("offset", Json::option(found, |(_, offset)| Json::Number(offset.to_string()))),
            ("address", address),
            ("texel", Json::option(texel, |texel| Json::array(texel.iter(), whole))),
            ("storage", Json::text(transfer.form())),
            ("before", values(&transfer.before)),
            ("after", Json::option(transfer.after.as_ref(), values)),
            ("fault", Json::option(transfer.fault, |reason| Json::text(reason.to_string()))),
        ])
    }

    fn operand(&self, instruction: &Instruction, index: usize, step: &OperandStep) -> Json {
        let operand = &instruction.operands[index];
        let (register, loaded) = self.operand_types(instruction, index);
        let relative = step.relative.map(|led| {
            let parameter = led.parameter().map(|id| self.parameter(usize::from(id.0)));
            let attribute = led.element.filter(|element| matches!(element, Element::Attribute(_)));
            let attribute = attribute.and_then(|element| self.program.element_name(element));
            Json::object([
                ("index", Json::Number(led.index.to_string())),
                ("parameter", Json::option(parameter, Json::Text)),
                ("attribute", Json::option(attribute, Json::Text)),
            ])
        });
        Json::object([
            ("source", Json::text(self.source(operand.span))),
            ("relative", Json::option(relative, |relative| relative)),
            ("register", vector(step.register, [register; 4])),
            ("swizzled", vector(step.swizzled, [register; 4])),
            ("modified", vector(step.modified, [loaded; 4])),
            ("converted", vector(step.converted, [loaded; 4])),
            ("used", Json::text(letters(step.used))),
        ])
    }

    fn change(&self, change: &Change) -> Json {
        // Address registers have no fp32 pattern: they hold whole numbers.
        let held = |bits: u64, ty: Type| match ty {
            Type::Address => Json::object([("value", value(bits, ty))]),
            _ => scalar(bits, ty),
        };
        Json::object([
            ("register", Json::text(self.place(change.place))),
            ("component", Json::text(letters(1 << change.component))),
            ("before", held(change.before, change.type_before)),
            ("after", held(change.after, change.type_after)),
            ("was_undefined", Json::Bool(change.was_undefined)),
            ("is_undefined", Json::Bool(change.is_undefined)),
        ])
    }
}

/// What happened to the loops under way: `null`, or the effect with the frames that it is about.
fn loops(effect: &LoopEffect) -> Json {
    let frame = |frame: &LoopFrame| {
        Json::object([
            ("at", Json::count(frame.at)),
            ("count", Json::option(frame.count, Json::count)),
            ("index", Json::Number(frame.index.to_string())),
            ("increment", Json::Number(frame.increment.to_string())),
        ])
    };
    let object = |effect: &str, frames: &[LoopFrame]| {
        Json::object([("effect", Json::text(effect)), ("frames", Json::array(frames, frame))])
    };
    match effect {
        LoopEffect::None => Json::Null,
        LoopEffect::Enter(entered) => object("enter", &[*entered]),
        LoopEffect::Round { before: _, after } => object("round", &[*after]),
        LoopEffect::Leave(left) => object("leave", left),
    }
}

/// What happened to the call stack: `null`, or the effect with the instruction put there or taken off.
fn stack(effect: StackEffect) -> Json {
    let object = |effect: &str, at: Option<usize>| {
        Json::object([("effect", Json::text(effect)), ("at", Json::option(at, Json::count))])
    };
    match effect {
        StackEffect::None => Json::Null,
        StackEffect::Push(back) => object("push", Some(back)),
        StackEffect::Pop(back) => object("pop", Some(back)),
        StackEffect::PushAddress(_) => object("push_address", None),
        StackEffect::PopAddress(_) => object("pop_address", None),
        StackEffect::Mismatch => object("mismatch", None),
        StackEffect::Overflow => object("overflow", None),
        StackEffect::Underflow => object("underflow", None),
    }
}
