//! The traces of a vertex through the vertex program, and of the state programs.

use super::super::json::Stream;
use super::super::{CliError, check_number};
use super::json::{ended, result, single, vector};
use super::listing::Listing;
use super::{Format, Request, text};
use crate::format;
use crate::scene::Slot;
use crate::session::{self, VertexRecording};
use serde_json::{Value, json};
use shadestep_engine::debug::Recording;
use shadestep_engine::ir::{Components, OutputRole, Type, VertexResult, single_bits};
use shadestep_engine::pipeline::ShadedVertex;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

pub(super) fn run(request: &Request<'_>, element: u32, out: &mut impl Write) -> Result<(), CliError> {
    let (programs, job) = (&request.picture.programs, &request.picture.job);
    let own = programs.get(Slot::Vertex);
    if own.is_none() && job.scene.mesh.is_viewport() {
        let words = "there is no vertex program: this scene draws only a rectangle";
        return Err(CliError::Usage(format!("{}: {words}", request.target)));
    }
    let count = job.scene.vertex_arrays().map_err(CliError::Failed)?.vertex_count();
    check_number("vertex", element, count)?;
    request.check_instance()?;
    let (instance, instances) = (job.instance, job.scene.instances);
    let never = AtomicBool::new(false);
    let VertexRecording { recording, program, vertex, .. } =
        session::record_vertex(programs, job, element, &never)?;
    let source = own.map_or(session::BUILT_IN_VERTEX_PROGRAM.as_bytes(), |compiled| &compiled.text);
    let listing = request.listing(&program, source)?;
    let results = results(&listing, &recording);
    let stepped = program.output(OutputRole::Vertex(VertexResult::Hpos));
    let clip = single_bits(vertex.clip);
    // Position-invariant programs do not write HPOS: fixed-function processing computes the position, so
    // there is nothing to compare.
    let agrees = stepped.is_none_or(|id| recording.outputs[usize::from(id.0)] == clip);
    match request.format {
        Format::Text => {
            let built_in = if own.is_none() { ", by the built-in vertex program" } else { "" };
            let which = of_several("instance", instance, instances);
            let (target, when) = (request.target, when(request));
            writeln!(out, "{target}: vertex {element} of {count}{which}{when}{built_in}")?;
            listing.write_run(out, &recording, &results)?;
            if stepped.is_none() {
                writeln!(
                    out,
                    "  o[HPOS] comes from the fixed-function transformation (NV_position_invariant)"
                )?;
            }
            write_position(out, &vertex)?;
            let same = if agrees { "the same value, bit for bit" } else { "a DIFFERENT value" };
            writeln!(out)?;
            writeln!(
                out,
                "the picture holds this vertex at {}: {same}",
                format::patterns(clip, [Type::F32; 4])
            )?;
        }
        Format::Json => {
            Stream::write_object(out, |out| {
                out.fields(&request.head(program.language))?;
                out.fields(&json!({
                    "vertex": element,
                    "instance": instance,
                    "time": single(job.time_secs),
                    "built_in": own.is_none(),
                    "initial": listing.initial(&recording),
                }))?;
                listing.write_steps_json(out, &recording)?;
                out.fields(&json!({
                    "ended": ended(recording.ended),
                    "results": results_json(&results),
                    "clip": vector(clip, [Type::F32; 4]),
                    "ndc": ndc(&vertex).map(|ndc| ndc.map(single)),
                    "window": vertex.window.map(|window| window.map(single)),
                    "agrees": agrees,
                }))
            })?;
        }
    }
    if agrees { Ok(()) } else { Err(Request::disagreement("vertex")) }
}

pub(super) fn run_state_programs(request: &Request<'_>, out: &mut impl Write) -> Result<(), CliError> {
    let (programs, job) = (&request.picture.programs, &request.picture.job);
    let mut traces = Vec::new();
    for (slot, compiled) in programs.iter() {
        let (Slot::State(n), Some(program)) = (slot, compiled.program.as_deref()) else { continue };
        let recording = session::record_state_program(programs, job, n, &AtomicBool::new(false))?;
        traces.push((n, request.listing(program, &compiled.text)?, recording));
    }
    if traces.is_empty() {
        return Err(CliError::Usage(format!("{}: there is no state program", request.target)));
    }
    if request.format == Format::Json {
        return Stream::write_object(out, |out| {
            out.fields(&json!({ "file": request.target, "time": single(job.time_secs) }))?;
            out.name("state_programs")?.array(|out| {
                traces.iter().try_for_each(|(n, listing, recording)| {
                    out.object(|out| {
                        out.fields(&json!({
                            "number": n,
                            "language": listing.program.language.header(),
                            "initial": listing.initial(recording),
                        }))?;
                        listing.write_steps_json(out, recording)?;
                        out.fields(&json!({
                            "ended": ended(recording.ended),
                            "results": results_json(&results(listing, recording)),
                        }))?;
                        Ok(())
                    })
                })
            })
        });
    }
    for (n, listing, recording) in &traces {
        if *n > 0 {
            writeln!(out)?;
        }
        let (number, count) = (n + 1, traces.len());
        writeln!(out, "{}: state program {number} of {count}{}", request.target, when(request))?;
        listing.write_run(out, recording, &results(listing, recording))?;
    }
    Ok(())
}

/// Formats `, instance 1 of 3,`. Empty if the count is 1.
pub(super) fn of_several(what: &str, number: u32, count: u32) -> String {
    if count > 1 { format!(", {what} {number} of {count},") } else { String::new() }
}

pub(super) fn when(request: &Request<'_>) -> String {
    format!(" at {} s", format::float(request.picture.job.time_secs))
}

/// A register after the run: name, bits, types as written, and written components.
pub(super) type Outcome = (String, Components, [Type; 4], u8);

/// The outputs, and the parameters that the run wrote.
pub(super) fn results(listing: &Listing<'_>, recording: &Recording) -> Vec<Outcome> {
    let state = recording.state_at(recording.len());
    let values = state.outputs.iter().zip(&state.outputs_types).zip(&state.outputs_defined);
    let outputs = listing.program.outputs.iter().zip(values);
    let outputs =
        outputs.map(|(output, ((bits, types), defined))| (output.name.clone(), *bits, *types, *defined));
    let written = listing.parameters_written(recording).into_iter();
    let parameters = written.map(|(index, _)| {
        (listing.parameter(index), state.parameters[index], [listing.program.parameters[index].ty; 4], 0xF)
    });
    outputs.chain(parameters).collect()
}

pub(super) fn results_json(results: &[Outcome]) -> Value {
    results.iter().map(|(name, bits, types, written)| result(name, *bits, *types, *written)).collect()
}

impl Listing<'_> {
    /// Writes a run: inputs, steps and results.
    pub(super) fn write_run(
        &self,
        out: &mut impl Write,
        recording: &Recording,
        results: &[Outcome],
    ) -> io::Result<()> {
        self.write_initial(out, recording)?;
        self.write_steps(out, recording)?;
        self.write_ended(out, recording)?;
        for (name, bits, types, written) in results {
            writeln!(out, "{}", text::result(name, *bits, *types, *written))?;
        }
        Ok(())
    }
}

/// Clip coordinates divided by w. `None` if the result is not finite.
fn ndc(vertex: &ShadedVertex) -> Option<[f32; 3]> {
    let [x, y, z, w] = vertex.clip;
    let ndc = [x, y, z].map(|c| c / w);
    ndc.iter().all(|c| c.is_finite()).then_some(ndc)
}

fn write_position(out: &mut impl Write, vertex: &ShadedVertex) -> io::Result<()> {
    let list =
        |values: &[f32]| values.iter().map(|value| format::float(*value)).collect::<Vec<_>>().join(" ");
    writeln!(out, "  clip = {}", list(&vertex.clip))?;
    match ndc(vertex) {
        Some(ndc) => writeln!(out, "  normalized device = {}", list(&ndc))?,
        None => writeln!(out, "  normalized device: not a finite point")?,
    }
    match vertex.window {
        Some(window) => writeln!(out, "  window = {}", list(&window)),
        None if vertex.clip.iter().all(|c| c.is_finite()) => {
            writeln!(out, "  window: outside the clip volume")
        }
        None => writeln!(out, "  window: not a finite point; its primitives are not drawn"),
    }
}
