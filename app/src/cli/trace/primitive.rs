//! The trace of a primitive through the geometry program, and of a patch through the tessellation programs.

use super::super::{CliError, check_number};
use super::json::single;
use super::run::{self, Outcome, Results, Run, of_several, outcomes};
use super::text::floats;
use super::{Format, OfPatch, Request, Which};
use crate::scene::Slot;
use crate::session::{self, PrimitiveRecording, SetUp};
use serde_json::{Value, json};
use shadestep_engine::debug::{Recording, Subject};
use shadestep_engine::exec::Mark;
use shadestep_engine::ir::Program;
use shadestep_engine::pipeline::each_simple_primitive;
use std::io::Write;
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
    let which = of_several("invocation", invocation.into(), invocations)
        + &of_several("instance", job.instance, job.scene.instances);
    let of = count.map_or(String::new(), |count| format!(" of {count}"));
    let (when, vertices) = (request.when(), listed(&elements));
    let run = Run {
        title: format!("primitive {number}{of}{which}{when}, vertices {vertices}"),
        subject: json!({
            "primitive": number,
            "invocation": invocation,
            "instance": job.instance,
            "vertices": elements,
            "time": single(job.time_secs),
        }),
        results: match request.format {
            Format::Text => Results::Text(emitted_lines(program, &recording)),
            Format::Json => Results::Json(json!({ "emitted": emitted_json(program, &recording) })),
        },
        listing,
        recording,
    };
    run.write(request, out)
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
    let outcomes = outcomes(&listing, &recording);
    let results = match request.format {
        Format::Text => {
            let mut lines: Vec<String> = run::lines(&outcomes).collect();
            if let Some(division) = &division {
                let vertices = division.divided.as_ref().map_or(0, |divided| divided.coordinates.len());
                lines.extend([
                    format!("  outer levels = {}", floats(&division.levels.outer)),
                    format!("  inner levels = {}", floats(&division.levels.inner)),
                    format!("  tessellated into {vertices} vertices"),
                ]);
            }
            Results::Text(lines)
        }
        Format::Json => Results::Json(json!({
            "results": run::objects(&outcomes),
            "outer": division.as_ref().map(|of| of.levels.outer.map(single)),
            "inner": division.as_ref().map(|of| of.levels.inner.map(single)),
        })),
    };
    let (invocation, vertex) = match part {
        OfPatch::Invocation(invocation) => (Some(invocation), None),
        OfPatch::Vertex(vertex) => (None, Some(vertex)),
    };
    let which = of_several("instance", job.instance, job.scene.instances);
    let (when, what, vertices) = (request.when(), subject.to_string().to_lowercase(), listed(&elements));
    let run = Run {
        title: format!("{what}{which}{when}, vertices {vertices}"),
        subject: json!({
            "patch": patch,
            "invocation": invocation,
            "vertex": vertex,
            "instance": job.instance,
            "vertices": elements,
            "time": single(job.time_secs),
        }),
        results,
        listing,
        recording,
    };
    run.write(request, out)
}

fn listed(elements: &[u32]) -> String {
    elements.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

/// The marks of the vertices that a run emitted, each with the results of the vertex, and of the ends of
/// primitives.
fn emitted(program: &Program, recording: &Recording) -> Vec<Option<(u8, Vec<Outcome>)>> {
    let mut vertices = 0..;
    let mark = |mark: &Mark| {
        let Mark::Vertex { stream } = *mark else { return None };
        let vertex: usize = vertices.next().unwrap_or_default();
        let written = recording.emitted_as.get(vertex).map_or(&[][..], |written| written);
        let values = recording.emitted.results(vertex).iter().zip(written);
        let named = program.outputs.iter().zip(values);
        let outcomes = named
            .map(|(output, (bits, written))| (output.name.clone(), *bits, written.types, written.defined));
        Some((stream, outcomes.collect()))
    };
    recording.emitted.marks().iter().map(mark).collect()
}

fn emitted_lines(program: &Program, recording: &Recording) -> Vec<String> {
    if recording.emitted.is_empty() {
        return vec!["  nothing emitted".to_owned()];
    }
    let (mut lines, mut vertices) = (Vec::new(), 0);
    for mark in emitted(program, recording) {
        let Some((stream, outcomes)) = mark else {
            lines.push("  the primitive ends".to_owned());
            continue;
        };
        lines.push(format!("  emitted {vertices}, stream {stream}"));
        lines.extend(run::lines(&outcomes).map(|line| format!("  {line}")));
        vertices += 1;
    }
    lines
}

fn emitted_json(program: &Program, recording: &Recording) -> Value {
    let mark = |mark: Option<(u8, Vec<Outcome>)>| match mark {
        Some((stream, outcomes)) => json!({ "stream": stream, "results": run::objects(&outcomes) }),
        None => json!("end"),
    };
    emitted(program, recording).into_iter().map(mark).collect()
}
