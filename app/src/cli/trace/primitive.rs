//! The trace of a primitive through the geometry program, and of a patch through the tessellation programs.

use super::super::json::Stream;
use super::super::{CliError, check_number};
use super::json::{ended, single};
use super::listing::Listing;
use super::text;
use super::vertex::{Outcome, of_several, results, results_json, when};
use super::{Format, OfPatch, Request, Which};
use crate::format;
use crate::scene::Slot;
use crate::session::{self, PrimitiveRecording, SetUp};
use serde_json::{Value, json};
use shadestep_engine::debug::{Recording, Subject};
use shadestep_engine::exec::Mark;
use shadestep_engine::ir::Program;
use shadestep_engine::pipeline::each_simple_primitive;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

pub(super) fn run(
    request: &Request<'_>,
    which: Which,
    invocation: u32,
    out: &mut impl Write,
) -> Result<(), CliError> {
    let (programs, job) = (&request.picture.programs, &request.picture.job);
    let own = programs.get(Slot::Geometry).and_then(|own| Some((own, own.program.as_deref()?)));
    let Some((own, program)) = own else {
        return Err(CliError::Usage(format!("{}: there is no geometry program", request.target)));
    };
    request.check_instance()?;
    let (number, count) = chosen(request, &which)?;
    let invocations = program.geometry.map_or(1, |layout| layout.invocations);
    let invocation = invocation_below(invocation, invocations as usize)?;
    let never = AtomicBool::new(false);
    let PrimitiveRecording { recording, elements, .. } =
        session::record_primitive(programs, job, Subject::Primitive { number, invocation }, &never)?;
    let listing = request.listing(program, &own.text)?;
    match request.format {
        Format::Text => {
            let which = of_several("invocation", invocation.into(), invocations)
                + &of_several("instance", job.instance, job.scene.instances);
            let vertices: Vec<String> = elements.iter().map(u32::to_string).collect();
            let (target, when, vertices) = (request.target, when(request), vertices.join(", "));
            let of = count.map_or(String::new(), |count| format!(" of {count}"));
            writeln!(out, "{target}: primitive {number}{of}{which}{when}, vertices {vertices}")?;
            listing.write_run(out, &recording, &[])?;
            listing.write_emitted(out, &recording)?;
        }
        Format::Json => {
            Stream::write_object(out, |out| {
                out.fields(&request.head(program.language))?;
                out.fields(&json!({
                    "primitive": number,
                    "invocation": invocation,
                    "instance": job.instance,
                    "vertices": elements,
                    "time": single(job.time_secs),
                    "initial": listing.initial(&recording),
                }))?;
                listing.write_steps_json(out, &recording)?;
                out.fields(&json!({
                    "ended": ended(recording.ended),
                    "emitted": listing.emitted_json(&recording),
                }))
            })?;
        }
    }
    Ok(())
}

/// The number of the primitive and the count of all primitives. The count is `None` for tessellated patches.
fn chosen(request: &Request<'_>, which: &Which) -> Result<(u32, Option<u32>), CliError> {
    let (programs, job) = (&request.picture.programs, &request.picture.job);
    let set_up = SetUp::new(programs, job)?;
    if programs.get(Slot::TessEvaluation).is_some() {
        let Which::Number(number) = *which else {
            let words = "choose a primitive of a tessellated patch by its number: --primitive N";
            return Err(CliError::Usage(words.to_owned()));
        };
        let is_drawn = set_up.call().primitive_inputs(job.size, (number, 0, job.instance)).is_some();
        if !is_drawn {
            check_number("primitive", number, divided_primitives(&set_up, request))?;
        }
        return Ok((number, None));
    }
    let mut first_with = None;
    let count = each_input_primitive(&set_up, |number, elements| {
        if let Which::With(vertex) = which
            && first_with.is_none()
            && elements.contains(vertex)
        {
            first_with = Some(number);
        }
    });
    match (which, first_with) {
        (Which::Number(number), _) => {
            check_number("primitive", *number, count as usize)?;
            Ok((*number, Some(count)))
        }
        (Which::With(_), Some(number)) => Ok((number, Some(count))),
        (Which::With(vertex), None) => {
            let vertices = job.scene.vertex_arrays().map_err(CliError::Failed)?.vertex_count();
            check_number("vertex", *vertex, vertices)?;
            Err(CliError::Usage(format!(
                "no primitive uses vertex {vertex}: choose a primitive with --primitive N"
            )))
        }
    }
}

/// Calls `visit` with the number and the elements of every primitive or patch in the arrays. Returns their
/// count.
fn each_input_primitive(set_up: &SetUp, mut visit: impl FnMut(u32, &[u32])) -> u32 {
    let Some(input) = set_up.call().vertex_input() else { return 0 };
    let mut count = 0;
    each_simple_primitive((input.primitive, input.patches.vertices), &input.elements, |number, elements| {
        count = number + 1;
        visit(number, elements);
    });
    count
}

/// The number of primitives in the tessellation of the chosen instance's patches.
fn divided_primitives(set_up: &SetUp, request: &Request<'_>) -> usize {
    let job = &request.picture.job;
    let divided = |patch| {
        let (division, _) = set_up.call().patch_division(job.size, (patch, 0, job.instance))?;
        Some(division.divided?.primitives())
    };
    (0..each_input_primitive(set_up, |_, _| ())).filter_map(divided).sum()
}

/// Checks the number of an invocation. Programs have fewer than 256 invocations.
fn invocation_below(number: u32, count: usize) -> Result<u8, CliError> {
    check_number("invocation", number, count)?;
    Ok(number as u8)
}

/// Checks the number of a patch, and the number of an invocation or a vertex of the patch.
fn subject_of_patch(
    request: &Request<'_>,
    program: &Program,
    (patch, part): (u32, OfPatch),
) -> Result<Subject, CliError> {
    request.check_instance()?;
    let job = &request.picture.job;
    let set_up = SetUp::new(&request.picture.programs, job)?;
    check_number("patch", patch, each_input_primitive(&set_up, |_, _| ()) as usize)?;
    match part {
        OfPatch::Invocation(number) => {
            let count = program.patch_vertices.map_or(1, usize::from);
            Ok(Subject::Patch { number: patch, invocation: invocation_below(number, count)? })
        }
        OfPatch::Vertex(vertex) => {
            let division = set_up.call().patch_division(job.size, (patch, vertex, job.instance));
            let divided = division.and_then(|(division, _)| division.divided);
            check_number("vertex", vertex, divided.map_or(0, |divided| divided.coordinates.len()))?;
            Ok(Subject::PatchVertex { patch, vertex })
        }
    }
}

/// Traces an invocation of the control program for a patch, or a vertex of the tessellated patch.
pub(super) fn run_patch(
    request: &Request<'_>,
    (patch, part): (u32, OfPatch),
    out: &mut impl Write,
) -> Result<(), CliError> {
    let (programs, job) = (&request.picture.programs, &request.picture.job);
    let slot = match part {
        OfPatch::Invocation(_) => Slot::TessControl,
        OfPatch::Vertex(_) => Slot::TessEvaluation,
    };
    let own = programs.get(slot).and_then(|own| Some((own, own.program.as_deref()?)));
    let Some((own, program)) = own else {
        return Err(CliError::Usage(format!("{}: the scene does not have {}", request.target, slot.kind())));
    };
    let subject = subject_of_patch(request, program, (patch, part))?;
    let never = AtomicBool::new(false);
    let PrimitiveRecording { recording, elements, division, .. } =
        session::record_primitive(programs, job, subject, &never)?;
    let listing = request.listing(program, &own.text)?;
    let results = results(&listing, &recording);
    if request.format == Format::Json {
        let (invocation, vertex) = match part {
            OfPatch::Invocation(invocation) => (Some(invocation), None),
            OfPatch::Vertex(vertex) => (None, Some(vertex)),
        };
        return Stream::write_object(out, |out| {
            out.fields(&request.head(program.language))?;
            out.fields(&json!({
                "patch": patch,
                "invocation": invocation,
                "vertex": vertex,
                "instance": job.instance,
                "vertices": elements,
                "time": single(job.time_secs),
                "initial": listing.initial(&recording),
            }))?;
            listing.write_steps_json(out, &recording)?;
            out.fields(&json!({
                "ended": ended(recording.ended),
                "results": results_json(&results),
                "outer": division.as_ref().map(|of| of.levels.outer.map(single)),
                "inner": division.as_ref().map(|of| of.levels.inner.map(single)),
            }))?;
            Ok(())
        });
    }
    let which = of_several("instance", job.instance, job.scene.instances);
    let vertices: Vec<String> = elements.iter().map(u32::to_string).collect();
    let (target, when, what) = (request.target, when(request), subject.to_string().to_lowercase());
    writeln!(out, "{target}: {what}{which}{when}, vertices {}", vertices.join(", "))?;
    listing.write_run(out, &recording, &results)?;
    if let Some(division) = division {
        let list =
            |levels: &[f32]| levels.iter().map(|level| format::float(*level)).collect::<Vec<_>>().join(" ");
        writeln!(out, "  outer levels = {}", list(&division.levels.outer))?;
        writeln!(out, "  inner levels = {}", list(&division.levels.inner))?;
        let vertices = division.divided.map_or(0, |divided| divided.coordinates.len());
        writeln!(out, "  tessellated into {vertices} vertices")?;
    }
    Ok(())
}

impl Listing<'_> {
    /// Writes the vertices that a run emitted, and the ends of primitives.
    fn write_emitted(&self, out: &mut impl Write, recording: &Recording) -> io::Result<()> {
        let stream = &recording.emitted;
        let mut vertices = 0..;
        for mark in stream.marks() {
            let Mark::Vertex { stream: number } = *mark else {
                writeln!(out, "  the primitive ends")?;
                continue;
            };
            let vertex: usize = vertices.next().unwrap_or_default();
            writeln!(out, "  emitted {vertex}, stream {number}")?;
            for (name, bits, types, written) in self.emitted(recording, vertex) {
                writeln!(out, "  {}", text::result(&name, bits, types, written))?;
            }
        }
        if stream.is_empty() {
            writeln!(out, "  nothing emitted")?;
        }
        Ok(())
    }

    /// Returns the results of an emitted vertex.
    fn emitted(&self, recording: &Recording, vertex: usize) -> Vec<Outcome> {
        let written = recording.emitted_as.get(vertex).map_or(&[][..], |written| written);
        let values = recording.emitted.results(vertex).iter().zip(written);
        let named = self.program.outputs.iter().zip(values);
        named
            .map(|(output, (bits, written))| (output.name.clone(), *bits, written.types, written.defined))
            .collect()
    }

    fn emitted_json(&self, recording: &Recording) -> Value {
        let stream = &recording.emitted;
        let mut vertices = 0..;
        let mark = |mark: &Mark| {
            let Mark::Vertex { stream: number } = *mark else { return json!("end") };
            let vertex: usize = vertices.next().unwrap_or_default();
            json!({ "stream": number, "results": results_json(&self.emitted(recording, vertex)) })
        };
        stream.marks().iter().map(mark).collect()
    }
}
