//! The traces of a vertex through the vertex program, and of the state programs.

use super::super::json::Stream;
use super::super::{CliError, check_number};
use super::json::{single, vector};
use super::run::{self, Results, Run, of_several, outcomes};
use super::text::floats;
use super::{Format, Request};
use crate::format;
use crate::scene::Slot;
use crate::session::{self, VertexRecording};
use serde_json::json;
use shadestep_engine::ir::{OutputRole, Type, VertexResult, single_bits};
use shadestep_engine::pipeline::ShadedVertex;
use std::io::Write;
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
    let outcomes = outcomes(&listing, &recording);
    let stepped = program.output(OutputRole::Vertex(VertexResult::Hpos));
    let clip = single_bits(vertex.clip);
    // Position-invariant programs do not write HPOS: fixed-function processing computes the position, so
    // there is nothing to compare.
    let agrees = stepped.is_none_or(|id| recording.outputs[usize::from(id.0)] == clip);
    let results = match request.format {
        Format::Text => {
            let mut lines: Vec<String> = run::lines(&outcomes).collect();
            if stepped.is_none() {
                let words = "  o[HPOS] comes from the fixed-function transformation (NV_position_invariant)";
                lines.push(words.to_owned());
            }
            lines.extend(position(&vertex));
            let same = if agrees { "the same value, bit for bit" } else { "a DIFFERENT value" };
            let pattern = format::patterns(clip, [Type::F32; 4]);
            lines.extend([String::new(), format!("the picture holds this vertex at {pattern}: {same}")]);
            Results::Text(lines)
        }
        Format::Json => Results::Json(json!({
            "results": run::objects(&outcomes),
            "clip": vector(clip, [Type::F32; 4]),
            "ndc": ndc(&vertex).map(|ndc| ndc.map(single)),
            "window": vertex.window.map(|window| window.map(single)),
            "agrees": agrees,
        })),
    };
    let built_in = if own.is_none() { ", by the built-in vertex program" } else { "" };
    let which = of_several("instance", instance, instances);
    let run = Run {
        title: format!("vertex {element} of {count}{which}{}{built_in}", request.when()),
        subject: json!({
            "vertex": element,
            "instance": instance,
            "time": single(job.time_secs),
            "built_in": own.is_none(),
        }),
        results,
        listing,
        recording,
    };
    run.write(request, out)?;
    if agrees { Ok(()) } else { Err(Request::disagreement("vertex")) }
}

pub(super) fn run_state_programs(request: &Request<'_>, out: &mut impl Write) -> Result<(), CliError> {
    let (programs, job) = (&request.picture.programs, &request.picture.job);
    let loaded = programs.iter().filter_map(|(slot, compiled)| match (slot, compiled.program.as_deref()) {
        (Slot::State(n), Some(program)) => Some((n, compiled, program)),
        _ => None,
    });
    let loaded: Vec<_> = loaded.collect();
    let count = loaded.len();
    let mut runs = Vec::with_capacity(count);
    for (n, compiled, program) in loaded {
        let recording = session::record_state_program(programs, job, n, &AtomicBool::new(false))?;
        let listing = request.listing(program, &compiled.text)?;
        let outcomes = outcomes(&listing, &recording);
        runs.push(Run {
            title: format!("state program {} of {count}{}", n + 1, request.when()),
            subject: json!({ "number": n, "language": program.language.header() }),
            results: match request.format {
                Format::Text => Results::Text(run::lines(&outcomes).collect()),
                Format::Json => Results::Json(json!({ "results": run::objects(&outcomes) })),
            },
            listing,
            recording,
        });
    }
    if runs.is_empty() {
        return Err(CliError::Usage(format!("{}: there is no state program", request.target)));
    }
    if request.format == Format::Json {
        return Stream::write_object(out, |out| {
            out.fields(&json!({ "file": request.target, "time": single(job.time_secs) }))?;
            out.name("state_programs")?
                .array(|out| runs.iter().try_for_each(|run| Ok(out.object(|out| run.write_fields(out))?)))
        });
    }
    for (index, run) in runs.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        run.write_text(request, out)?;
    }
    Ok(())
}

/// Clip coordinates divided by w. `None` if the result is not finite.
fn ndc(vertex: &ShadedVertex) -> Option<[f32; 3]> {
    let [x, y, z, w] = vertex.clip;
    let ndc = [x, y, z].map(|c| c / w);
    ndc.iter().all(|c| c.is_finite()).then_some(ndc)
}

/// The lines of a vertex's position.
fn position(vertex: &ShadedVertex) -> [String; 3] {
    let device = match ndc(vertex) {
        Some(ndc) => format!("  normalized device = {}", floats(&ndc)),
        None => "  normalized device: not a finite point".to_owned(),
    };
    let window = match vertex.window {
        Some(window) => format!("  window = {}", floats(&window)),
        None if vertex.clip.iter().all(|c| c.is_finite()) => "  window: outside the clip volume".to_owned(),
        None => "  window: not a finite point; its primitives are not drawn".to_owned(),
    };
    [format!("  clip = {}", floats(&vertex.clip)), device, window]
}
