//! A pixel with all its fragments.

use super::super::json::Json;
use super::super::{CliError, check_pixel, number, threads};
use super::json::{scalar, value, vector};
use super::listing::Listing;
use super::{Format, Request};
use crate::scene::Slot;
use crate::session::{self, Agreement, Job, PixelRecording, PixelStatus};
use shadestep_engine::pipeline::Facing;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

/// What is printed.
struct Trace<'a> {
    target: &'a str,
    job: &'a Job,
    pixel: [u32; 2],
    /// The fragment program; `None` where colour 0 modulated by texture 0 is seen.
    listing: Option<Listing<'a>>,
    recordings: &'a [PixelRecording],
    agreement: Agreement,
    /// Bits of the pixel in the picture; `None` if nothing was written to it.
    rendered: Option<[u32; 4]>,
}

pub(super) fn run(request: &Request<'_>, pixel: [u32; 2], out: &mut impl Write) -> Result<(), CliError> {
    let (programs, job) = (&request.picture.programs, &request.picture.job);
    check_pixel(pixel, job.size)?;
    let recordings = session::record(programs, job, pixel)?;
    let frame = session::render(programs, job, &threads(None)?, &AtomicBool::new(false))?;
    let agreement = session::verify_pixel(&frame, job, pixel, &recordings);
    let compiled = programs.get(Slot::Fragment);
    let written = frame.pixel(pixel).filter(|p| p.status == PixelStatus::Written);
    let trace = Trace {
        target: request.target,
        job,
        pixel,
        listing: compiled.and_then(|c| Some(Listing::new(c.program.as_deref()?, &c.text))),
        recordings: &recordings,
        agreement,
        rendered: written.map(|p| p.color.map(f32::to_bits)),
    };
    match request.format {
        Format::Text => trace.write_text(out)?,
        Format::Json => writeln!(out, "{}", trace.json())?,
    }
    match agreement {
        Agreement::Same => Ok(()),
        Agreement::Different { .. } => Err(Request::disagreement("pixel")),
    }
}

/// What became of a fragment: in words, and as JSON has it.
fn outcome(outcome: PixelStatus) -> (&'static str, &'static str) {
    match outcome {
        PixelStatus::Written => ("written", "written"),
        PixelStatus::Empty => ("not drawn", "not_drawn"),
        PixelStatus::Killed => ("killed", "killed"),
        PixelStatus::AlphaFailed => ("failed the alpha test", "alpha_failed"),
        PixelStatus::StencilFailed => ("failed the stencil test", "stencil_failed"),
        PixelStatus::DepthFailed => ("failed the depth test", "depth_failed"),
        PixelStatus::DepthDiscarded => ("depth outside the depth range", "depth_outside"),
    }
}

const fn facing(facing: Facing) -> &'static str {
    match facing {
        Facing::Front => "front",
        Facing::Back => "back",
    }
}

impl Trace<'_> {
    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let ([x, y], [width, height]) = (self.pixel, self.job.size);
        let time = number::decimal(self.job.time_secs.to_bits());
        writeln!(out, "{}: pixel {x},{y} of {width}x{height} at {time} s", self.target)?;
        if self.listing.is_none() {
            writeln!(out, "no fragment program: colour 0 modulated by texture 0")?;
        }
        if self.recordings.is_empty() {
            writeln!(out, "no fragment covers this pixel")?;
        }
        let count = self.recordings.len();
        for (index, fragment) in self.recordings.iter().enumerate() {
            writeln!(out)?;
            write!(out, "fragment {} of {count}, primitive {}", index + 1, fragment.primitive)?;
            if !fragment.elements.is_empty() {
                let elements: Vec<String> = fragment.elements.iter().map(u32::to_string).collect();
                write!(out, ", vertices {}, {}", elements.join(" "), facing(fragment.facing))?;
            }
            writeln!(out)?;
            if let (Some(listing), Some(recording)) = (&self.listing, &fragment.recording) {
                listing.write_initial(out, recording)?;
                listing.write_steps(out, recording)?;
            }
            write_end(out, fragment)?;
        }
        writeln!(out)?;
        match (self.agreement, self.rendered) {
            (Agreement::Same, Some(bits)) => {
                let (values, patterns) = (number::decimals(bits), number::patterns(bits));
                writeln!(out, "the picture holds {values} {patterns}: the same bits")
            }
            (Agreement::Same, None) => writeln!(out, "the picture holds the clear colour here"),
            (Agreement::Different { rendered, .. }, _) => {
                let (values, patterns) = (number::decimals(rendered), number::patterns(rendered));
                writeln!(out, "the picture holds {values} {patterns}: DIFFERENT bits")
            }
        }
    }

    fn json(&self) -> Json {
        let [pixel, size] = [self.pixel, self.job.size].map(|pair| Json::array(pair, Json::count));
        let language = self.listing.as_ref().map(|listing| listing.program.language.header());
        Json::object([
            ("file", Json::text(self.target)),
            ("language", Json::option(language, Json::text)),
            ("size", size),
            ("pixel", pixel),
            ("time", value(self.job.time_secs.to_bits())),
            ("fragments", Json::array(self.recordings, |fragment| self.fragment(fragment))),
            ("rendered", Json::option(self.rendered, vector)),
            ("agrees", Json::Bool(self.agreement == Agreement::Same)),
        ])
    }

    fn fragment(&self, fragment: &PixelRecording) -> Json {
        let recording = fragment.recording.as_ref();
        let stepped = self.listing.as_ref().zip(recording);
        Json::object([
            ("primitive", Json::count(fragment.primitive)),
            ("vertices", Json::array(&fragment.elements, |element| Json::count(*element))),
            ("facing", Json::text(facing(fragment.facing))),
            ("initial", Json::option(stepped, |(listing, recording)| listing.initial(recording))),
            ("steps", Json::option(stepped, |(listing, recording)| listing.steps(recording))),
            ("color", vector(fragment.color.map(f32::to_bits))),
            ("depth", scalar(fragment.depth.to_bits())),
            ("depth_replaced", Json::Bool(recording.is_some_and(|recording| recording.depth.is_some()))),
            ("depth_before", scalar(fragment.before.depth.to_bits())),
            ("stencil_before", Json::count(fragment.before.stencil)),
            ("stencil_after", Json::count(fragment.after.stencil)),
            ("color_after", vector(fragment.after.color.map(f32::to_bits))),
            ("killed", Json::Bool(recording.is_some_and(|recording| recording.killed))),
            ("outcome", Json::text(outcome(fragment.outcome).1)),
        ])
    }
}

fn write_end(out: &mut impl Write, fragment: &PixelRecording) -> io::Result<()> {
    let color = fragment.color.map(f32::to_bits);
    let (values, patterns) = (number::decimals(color), number::patterns(color));
    writeln!(out, "  color = {values} {patterns}")?;
    let depth = number::decimal(fragment.depth.to_bits());
    let before = number::decimal(fragment.before.depth.to_bits());
    writeln!(out, "  depth = {depth}, in the buffer before: {before}")?;
    let (old, new) = (fragment.before.stencil, fragment.after.stencil);
    if old != new {
        writeln!(out, "  stencil: {old} -> {new}")?;
    }
    writeln!(out, "  {}", outcome(fragment.outcome).0)?;
    let after = fragment.after.color.map(f32::to_bits);
    if fragment.outcome == PixelStatus::Written && after != color {
        writeln!(out, "  merged into the pixel: {} {}", number::decimals(after), number::patterns(after))?;
    }
    Ok(())
}
