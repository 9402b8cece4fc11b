//! The JSON form of a trace: everything a recording holds, names spelled out. README.md documents it.

use super::json::Json;
use super::number;
use super::trace::{Trace, letters};
use crate::session::{Agreement, PixelRecording, PixelStatus};
use shadestep_engine::debug::{Cc, OperandStep, State, Step};
use shadestep_engine::ir::{Operand, Target};

pub(super) fn json(trace: &Trace<'_>) -> Json {
    let [pixel, size] = [trace.pixel, trace.job.size].map(|pair| Json::array(pair, Json::count));
    let agreement = match trace.agreement {
        Agreement::Same => true,
        Agreement::Different { .. } => false,
    };
    Json::object([
        ("file", Json::text(trace.target)),
        ("language", Json::text(trace.program.language.header())),
        ("size", size),
        ("pixel", pixel),
        ("time", value(trace.job.time_secs.to_bits())),
        ("fragments", Json::array(trace.recordings, |fragment| self::fragment(trace, fragment))),
        ("rendered", Json::option(trace.rendered, vector)),
        ("agrees", Json::Bool(agreement)),
    ])
}

/// A number, or a text where JSON has no number for it.
fn value(bits: u32) -> Json {
    let text = number::decimal(bits);
    if f32::from_bits(bits).is_finite() { Json::Number(text) } else { Json::Text(text) }
}

/// One fp32 value with its pattern.
fn scalar(bits: u32) -> Json {
    Json::object([("value", value(bits)), ("bits", Json::text(number::pattern(bits)))])
}

/// Four fp32 values with their patterns.
fn vector(bits: [u32; 4]) -> Json {
    let patterns = Json::array(bits, |bits| Json::text(number::pattern(bits)));
    Json::object([("value", Json::array(bits, value)), ("bits", patterns)])
}

/// A word for what became of a fragment.
fn outcome(outcome: PixelStatus) -> Json {
    Json::text(match outcome {
        PixelStatus::Written => "written",
        PixelStatus::Empty => "not_drawn",
        PixelStatus::Killed => "killed",
        PixelStatus::AlphaFailed => "alpha_failed",
        PixelStatus::StencilFailed => "stencil_failed",
        PixelStatus::DepthFailed => "depth_failed",
        PixelStatus::DepthDiscarded => "depth_outside",
    })
}

fn codes(cc: [Cc; 4]) -> Json {
    Json::array(cc, |cc| Json::text(cc.name()))
}

fn fragment(trace: &Trace<'_>, fragment: &PixelRecording) -> Json {
    let recording = fragment.recording.as_ref();
    Json::object([
        ("primitive", Json::count(fragment.primitive)),
        ("initial", Json::option(recording, |recording| initial(trace, &recording.initial))),
        (
            "steps",
            Json::option(recording, |recording| {
                Json::array(&recording.steps, |step| self::step(trace, step))
            }),
        ),
        ("color", vector(fragment.color.map(f32::to_bits))),
        ("depth", scalar(fragment.depth.to_bits())),
        ("depth_replaced", Json::Bool(recording.is_some_and(|recording| recording.depth.is_some()))),
        ("depth_before", scalar(fragment.before.depth.to_bits())),
        ("killed", Json::Bool(recording.is_some_and(|recording| recording.killed))),
        ("outcome", outcome(fragment.outcome)),
    ])
}

fn initial(trace: &Trace<'_>, state: &State) -> Json {
    let attributes = trace
        .attributes()
        .into_iter()
        .map(|attribute| (format!("f[{}]", attribute.name()), vector(state.attributes[attribute.index()])));
    let parameter = |(index, bits): (usize, &[u32; 4])| {
        Json::object([("name", Json::text(trace.parameter(index))), ("value", vector(*bits))])
    };
    let temporaries = trace.program.temporaries.iter().map(|temporary| temporary.name.as_str());
    let outputs = trace.program.outputs.iter().map(|output| output.name.as_str());
    Json::object([
        ("attributes", Json::Object(attributes.collect())),
        ("parameters", Json::array(state.parameters.iter().enumerate(), parameter)),
        ("temporaries", Json::array(temporaries, Json::text)),
        ("outputs", Json::array(outputs, Json::text)),
        ("cc", codes(state.cc)),
    ])
}

fn step(trace: &Trace<'_>, step: &Step) -> Json {
    let instruction = &trace.program.instructions[step.pc];
    let place = trace.lines.line_column(instruction.span.start);
    let operands = instruction.operands.iter().zip(&step.operands);
    let texture = step.texture.as_ref().map(|texture| {
        let coordinates = texture.coordinates.map(f32::to_bits);
        Json::object([
            ("unit", Json::count(texture.texture.unit)),
            ("target", Json::text(texture.texture.target.name())),
            ("coordinates", Json::array(coordinates, scalar)),
            ("lambda", scalar(texture.lambda.to_bits())),
            ("complete", Json::Bool(texture.complete)),
        ])
    });
    let changes = step.changes.iter().map(|change| {
        Json::object([
            ("register", Json::text(trace.place(change.place))),
            ("component", Json::text(letters(1 << change.component))),
            ("before", scalar(change.before)),
            ("after", scalar(change.after)),
            ("was_undefined", Json::Bool(change.was_undefined)),
        ])
    });
    let destination = instruction.dest.map(|destination| match destination.target {
        Target::Temp(id) => trace.place(shadestep_engine::debug::Place::Temp(id)),
        Target::Output(id) => trace.place(shadestep_engine::debug::Place::Output(id)),
        Target::Param(id) => trace.place(shadestep_engine::debug::Place::Param(id)),
        Target::ConditionOnly(_) => trace.source(destination.span),
    });
    Json::object([
        ("pc", Json::count(step.pc)),
        ("line", Json::count(place.line)),
        ("column", Json::count(place.column)),
        ("text", Json::text(trace.source(instruction.span))),
        ("operands", Json::array(operands, |(operand, step)| self::operand(trace, operand, step))),
        ("texture", Json::option(texture, |texture| texture)),
        ("destination", Json::option(destination, Json::Text)),
        ("computed", Json::text(letters(step.computed))),
        ("result", vector(step.result)),
        ("saturated", vector(step.saturated)),
        ("converted", vector(step.converted)),
        ("enabled", Json::text(letters(step.enabled))),
        ("changes", Json::array(changes, |change| change)),
        ("cc_before", codes(step.cc_before)),
        ("cc_after", codes(step.cc_after)),
        ("kills", Json::Bool(step.kills)),
    ])
}

fn operand(trace: &Trace<'_>, operand: &Operand, step: &OperandStep) -> Json {
    Json::object([
        ("source", Json::text(trace.source(operand.span))),
        ("register", vector(step.register)),
        ("swizzled", vector(step.swizzled)),
        ("modified", vector(step.modified)),
        ("converted", vector(step.converted)),
        ("used", Json::text(letters(step.used))),
    ])
}
