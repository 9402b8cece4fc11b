//! The trace of a pixel: all its fragments, their tests and blending.

use super::super::json::Stream;
use super::super::{CliError, check_pixel, threads};
use super::json::{single, single_scalar, vector};
use super::listing::Listing;
use super::{Format, Request};
use crate::format;
use crate::history;
use crate::scene::Slot;
use crate::session::{self, Agreement, Frame, PixelRecording, PixelSamples, PixelStatus};
use serde_json::{Value, json};
use shadestep_engine::ir::{Type, single_bits};
use shadestep_engine::pipeline::{Blending, Facing, SampleState, Test, Tested};
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

/// The data to print.
struct Trace<'a> {
    request: &'a Request<'a>,
    pixel: [u32; 2],
    /// The fragment program. `None` if the result is colour 0 modulated by texture 0.
    listing: Option<Listing<'a>>,
    frame: Frame,
    /// The types of the output register's components.
    types: [Type; 4],
    /// The types of the picture's components.
    held: [Type; 4],
    /// The pixel in the picture; `None` if nothing was written to it.
    rendered: Option<[f32; 4]>,
}

pub(super) fn run(request: &Request<'_>, pixel: [u32; 2], out: &mut impl Write) -> Result<(), CliError> {
    let (programs, job) = (&request.picture.programs, &request.picture.job);
    check_pixel(pixel, job.size)?;
    let frame = session::render(programs, job, &threads(None)?, &AtomicBool::new(false))?;
    let compiled = programs.get(Slot::Fragment);
    let written = frame.pixel(pixel).filter(|p| p.status == PixelStatus::Written);
    let rendered = written.map(|p| p.color);
    let loaded = compiled.and_then(|compiled| Some((compiled.program.as_deref()?, &compiled.text)));
    let listing = loaded.map(|(program, text)| request.listing(program, text)).transpose()?;
    let (types, held) = (frame.color_types(), frame.types());
    let trace = Trace { request, pixel, listing, frame, types, held, rendered };
    let agreement = match request.format {
        Format::Text => trace.write_text(out)?,
        Format::Json => trace.write_json(out)?,
    };
    match agreement {
        Agreement::Same => Ok(()),
        Agreement::Different { .. } => Err(Request::disagreement("pixel")),
    }
}

const fn outcome_key(outcome: PixelStatus) -> &'static str {
    match outcome {
        PixelStatus::Written => "written",
        PixelStatus::Empty => "not_drawn",
        PixelStatus::Killed => "killed",
        PixelStatus::AlphaFailed => "alpha_failed",
        PixelStatus::StencilFailed => "stencil_failed",
        PixelStatus::DepthFailed => "depth_failed",
        PixelStatus::DepthDiscarded => "depth_outside",
        PixelStatus::Uncovered => "uncovered",
    }
}

const fn facing(facing: Facing) -> &'static str {
    match facing {
        Facing::Front => "front",
        Facing::Back => "back",
    }
}

/// A test of a fragment, as JSON.
fn tested(tested: &Tested) -> Value {
    let name = match tested.test {
        Test::Kept => "kill",
        Test::DepthRange { .. } => "depth_range",
        Test::Coverage { .. } => "coverage",
        Test::Alpha { .. } => "alpha",
        Test::Stencil { .. } => "stencil",
        Test::Depth { .. } => "depth",
    };
    json!({
        "test": name,
        "compared": history::test(tested),
        "passed": tested.passed,
        "early": tested.is_early,
    })
}

/// The operands and the result of blending, as JSON.
fn blending(blending: &Blending) -> Value {
    let color = |values: [f32; 4]| vector(single_bits(values), [Type::F32; 4]);
    json!({
        "equation": history::equation(blending.equation),
        "source": color(blending.source),
        "source_factor": color(blending.source_factor),
        "stored": color(blending.stored),
        "stored_factor": color(blending.stored_factor),
    })
}

impl Trace<'_> {
    /// Formats a colour of the picture as decimals of its type and as bits.
    fn held(&self, color: [f32; 4]) -> String {
        format::vector(single_bits(color), self.held)
    }

    /// The clear colour of the pixel.
    fn clear(&self) -> [f32; 4] {
        let job = &self.request.picture.job;
        let format = self.frame.color_format();
        job.scene.clear_for(job.output_color).color.map(|value| format.stored(value))
    }

    /// Runs the program for each fragment in turn. Compares the resulting pixel with the picture.
    fn each_fragment(
        &self,
        mut write: impl FnMut(PixelRecording) -> Result<(), CliError>,
    ) -> Result<Agreement, CliError> {
        let (programs, job) = (&self.request.picture.programs, &self.request.picture.job);
        let (mut end, never) = (None, AtomicBool::new(false));
        session::each_fragment(programs, (job, Some(&self.frame)), self.pixel, &never, |fragment| {
            end = Some(fragment.after);
            write(fragment)
        })?;
        Ok(session::verify_pixel(&self.frame, job, self.pixel, end))
    }

    fn write_text(&self, out: &mut impl Write) -> Result<Agreement, CliError> {
        let (programs, job) = (&self.request.picture.programs, &self.request.picture.job);
        let ([x, y], [width, height]) = (self.pixel, job.size);
        let (target, when) = (self.request.target, self.request.when());
        writeln!(out, "{target}: pixel {x},{y} of {width}x{height}{when}")?;
        if self.listing.is_none() {
            writeln!(out, "no fragment program: fixed-function colour, colour 0 times texture 0")?;
        }
        let clear = self.clear();
        let (depth, stencil) = (
            format::float(job.scene.clear_for(job.output_color).depth),
            job.scene.clear_for(job.output_color).stencil,
        );
        writeln!(out, "cleared to {}, depth {depth}, stencil {stencil}", self.held(clear))?;
        let count = session::count_fragments(programs, job, self.pixel)?;
        if count == 0 {
            writeln!(out, "no fragment covers this pixel")?;
            if let Some(why) = history::ruled_out(&job.scene.raster, self.pixel) {
                writeln!(out, "{why}")?;
            }
        }
        let mut number = 0;
        let agreement = self.each_fragment(|fragment| {
            number += 1;
            Ok(self.write_fragment_text(out, &fragment, (number, count))?)
        })?;
        writeln!(out)?;
        match (agreement, self.rendered) {
            (Agreement::Same, Some(color)) => {
                writeln!(out, "the picture holds the same value, bit for bit: {}", self.held(color))?;
            }
            (Agreement::Same, None) => writeln!(out, "the picture has the clear colour here")?,
            (Agreement::Different { rendered, .. }, _) => {
                writeln!(
                    out,
                    "the picture holds a DIFFERENT value: {}",
                    format::vector(rendered, self.held)
                )?;
            }
        }
        Ok(agreement)
    }

    fn write_fragment_text(
        &self,
        out: &mut impl Write,
        fragment: &PixelRecording,
        (number, count): (usize, usize),
    ) -> io::Result<()> {
        writeln!(out)?;
        write!(out, "fragment {number} of {count}, ")?;
        if self.request.picture.job.scene.instances > 1 {
            write!(out, "instance {}, ", fragment.instance)?;
        }
        write!(out, "primitive {}", fragment.primitive)?;
        if !fragment.elements.is_empty() {
            let elements: Vec<String> = fragment.elements.iter().map(u32::to_string).collect();
            write!(out, ", vertices {}, {}", elements.join(" "), facing(fragment.facing))?;
        }
        writeln!(out)?;
        if let (Some(listing), Some(recording)) = (&self.listing, &fragment.recording) {
            listing.write_initial(out, recording)?;
            listing.write_steps(out, recording)?;
        }
        self.write_end(out, fragment)
    }

    fn write_json(&self, out: &mut impl Write) -> Result<Agreement, CliError> {
        let job = &self.request.picture.job;
        let language = self.listing.as_ref().map(|listing| listing.program.language.header());
        Stream::write_object(out, |out| {
            out.fields(&json!({
                "file": self.request.target,
                "language": language,
                "size": job.size,
                "pixel": self.pixel,
                "time": single(job.time_secs),
                "cleared": vector(single_bits(self.clear()), self.held),
            }))?;
            let agreement = out.name("fragments")?.array(|out| {
                self.each_fragment(|fragment| Ok(out.object(|out| self.write_fragment_json(out, &fragment))?))
            })?;
            out.fields(&json!({
                "rendered": self.rendered.map(|color| vector(single_bits(color), self.held)),
                "agrees": agreement == Agreement::Same,
            }))?;
            Ok(agreement)
        })
    }

    fn write_fragment_json(
        &self,
        out: &mut Stream<'_, impl Write>,
        fragment: &PixelRecording,
    ) -> io::Result<()> {
        let recording = fragment.recording.as_deref();
        let stepped = self.listing.as_ref().zip(recording);
        out.fields(&json!({
            "instance": fragment.instance,
            "primitive": fragment.primitive,
            "vertices": fragment.elements,
            "facing": facing(fragment.facing),
            "initial": stepped.map(|(listing, recording)| listing.initial(recording)),
        }))?;
        match stepped {
            Some((listing, recording)) => listing.write_steps_json(out, recording)?,
            None => out.name("steps")?.value(&Value::Null)?,
        }
        out.fields(&json!({
            "color": vector(single_bits(fragment.color), self.types),
            "depth": single_scalar(fragment.depth),
            "depth_replaced": recording.is_some_and(|recording| recording.depth.is_some()),
            "depth_before": single_scalar(fragment.before.depth),
            "depth_after": single_scalar(fragment.after.depth),
            "stencil_before": fragment.before.stencil,
            "stencil_after": fragment.after.stencil,
            "color_before": vector(single_bits(fragment.before.color), self.held),
            "tests": fragment.trace.tests.iter().map(tested).collect::<Vec<_>>(),
            "blending": fragment.trace.blending.as_ref().map(blending),
            "why": history::why(fragment),
            "color_after": vector(single_bits(fragment.after.color), self.held),
            "samples": fragment.samples.as_ref().map(|samples| self.samples_json(samples)),
            "killed": recording.is_some_and(|recording| recording.killed),
            "outcome": outcome_key(fragment.outcome),
        }))
    }

    fn write_end(&self, out: &mut impl Write, fragment: &PixelRecording) -> io::Result<()> {
        writeln!(out, "  colour = {}", format::vector(single_bits(fragment.color), self.types))?;
        let [depth, before] = [fragment.depth, fragment.before.depth].map(format::float);
        writeln!(out, "  depth = {depth}, depth buffer before: {before}")?;
        let (old, new) = (fragment.before.stencil, fragment.after.stencil);
        if old != new {
            writeln!(out, "  stencil: {old} -> {new}")?;
        }
        for tested in &fragment.trace.tests {
            let verdict = if tested.passed { "passes" } else { "fails" };
            writeln!(out, "  {}: {verdict}", history::test(tested))?;
        }
        if let Some(blending) = &fragment.trace.blending {
            let floats = |values: [f32; 4]| format::decimals(single_bits(values), [Type::F32; 4]);
            writeln!(out, "  blended: {}", history::equation(blending.equation))?;
            writeln!(out, "    source {} × {}", floats(blending.source), floats(blending.source_factor))?;
            writeln!(out, "    stored {} × {}", floats(blending.stored), floats(blending.stored_factor))?;
        }
        writeln!(out, "  {}", history::outcome(fragment.outcome))?;
        if let Some(why) = history::why(fragment) {
            writeln!(out, "  {why}")?;
        }
        let (before, after) = (single_bits(fragment.color), single_bits(fragment.after.color));
        if fragment.outcome == PixelStatus::Written && after != before {
            writeln!(out, "  pixel after this fragment: {}", self.held(fragment.after.color))?;
        }
        if let Some(samples) = &fragment.samples {
            for (number, sample) in samples.after.iter().enumerate() {
                let covered = if samples.covers(number) { "covered" } else { "not covered" };
                let (color, depth) = (self.held(sample.color), format::float(sample.depth));
                writeln!(out, "  sample {number}: {covered}, colour {color}, depth {depth}")?;
            }
        }
        Ok(())
    }

    /// The value of each sample of the pixel after a fragment, and whether the fragment covers the sample.
    fn samples_json(&self, samples: &PixelSamples) -> Value {
        let sample = |(number, sample): (usize, &SampleState)| {
            json!({
                "covered": samples.covers(number),
                "color": vector(single_bits(sample.color), self.held),
                "depth": single_scalar(sample.depth),
                "stencil": sample.stencil,
            })
        };
        samples.after.iter().enumerate().map(sample).collect()
    }
}
