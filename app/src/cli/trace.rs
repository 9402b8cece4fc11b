//! `shadestep trace`: every step of a program, as text or JSON: every fragment of a pixel.

use super::{
    CliError, Picture, check_pixel, number, open, parse_pixel, parse_seconds, parse_size, threads, trace_json,
};
use crate::scene::Slot;
use crate::session::{self, Agreement, Job, PixelRecording, PixelStatus};
use shadestep_engine::debug::{Cc, OperandStep, Place, State, Step};
use shadestep_engine::ir::{Attribute, Control, OutputId, ParamId, Program, Source, TempId};
use shadestep_engine::source::{LineIndex, Span};
use shadestep_engine::syntax::{Lexer, TokenKind};
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Program file, scene folder, scene.toml or bundled sample
    #[arg(value_name = "FILE|SCENE")]
    target: String,
    /// The pixel whose fragments are run: x from the left, y from the bottom
    #[arg(long, value_name = "X,Y", value_parser = parse_pixel, conflicts_with = "vertex",
        required_unless_present_any = ["vertex", "stage"])]
    pixel: Option<[u32; 2]>,
    /// The vertex that is run: its number in the arrays, from 0
    #[arg(long, value_name = "N")]
    vertex: Option<u32>,
    /// Which program is traced; by default the fragment program for --pixel, the vertex program for --vertex
    #[arg(long, value_enum)]
    stage: Option<Stage>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Size of the picture; the scene's own by default
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<[u32; 2]>,
    /// Time in seconds
    #[arg(long, value_name = "S", default_value = "0", value_parser = parse_seconds, allow_negative_numbers = true)]
    time: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// What can be traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Stage {
    /// The vertex program, for one vertex
    Vertex,
    /// The vertex state programs
    State,
    /// The fragment program, for one pixel
    Fragment,
}

/// What a command line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Vertex(u32),
    State,
    Pixel([u32; 2]),
}

/// Puts `--pixel`, `--vertex` and `--stage` together.
fn target(arguments: &Arguments) -> Result<Target, CliError> {
    let usage = |words: &str| Err(CliError::Usage(words.to_owned()));
    match (arguments.stage, arguments.pixel, arguments.vertex) {
        (None | Some(Stage::Fragment), Some(pixel), None) => Ok(Target::Pixel(pixel)),
        (None | Some(Stage::Vertex), None, Some(vertex)) => Ok(Target::Vertex(vertex)),
        (Some(Stage::State), None, None) => Ok(Target::State),
        (Some(Stage::Fragment), ..) => usage("the fragment program is traced for a pixel: --pixel X,Y"),
        (Some(Stage::Vertex), ..) => usage("the vertex program is traced for a vertex: --vertex N"),
        (Some(Stage::State), ..) => usage("state programs run once: they take neither --pixel nor --vertex"),
        (None, ..) => usage("say what to trace: --pixel X,Y, --vertex N or --stage state"),
    }
}

/// What is printed: a pixel with its fragments, run step by step.
pub(super) struct Trace<'a> {
    pub target: &'a str,
    pub job: &'a Job,
    pub pixel: [u32; 2],
    pub program: &'a Program,
    pub text: &'a [u8],
    pub lines: LineIndex,
    pub recordings: &'a [PixelRecording],
    pub agreement: Agreement,
    /// Bits of the pixel in the picture; `None` if nothing was written to it.
    pub rendered: Option<[u32; 4]>,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let target = target(arguments)?;
    let mut loaded = open(&arguments.target)?;
    loaded.job.time_secs = arguments.time;
    if let Some(size) = arguments.size {
        loaded.job.size = size;
    }
    let pixel = match target {
        Target::Pixel(pixel) => pixel,
        Target::Vertex(number) => {
            check_vertex(&loaded, number)?;
            return Err(CliError::Failed("vertex programs cannot be traced yet".to_owned()));
        }
        Target::State => {
            if !loaded.programs.slots().any(|slot| matches!(slot, Slot::State(_))) {
                return Err(CliError::Failed(format!("{}: there is no state program", arguments.target)));
            }
            return Err(CliError::Failed("state programs cannot be traced yet".to_owned()));
        }
    };
    let (programs, job) = (&loaded.programs, &loaded.job);
    check_pixel(pixel, job.size)?;
    let recordings = session::record(programs, job, pixel)?;
    let frame = session::render(programs, job, &threads(None)?, &AtomicBool::new(false))?;
    let agreement = session::verify_pixel(&frame, job, pixel, &recordings);
    let fragment =
        programs.get(Slot::Fragment).and_then(|compiled| Some((compiled, compiled.program.as_deref()?)));
    let Some((compiled, program)) = fragment else { return Err(CliError::Said) };
    let written = frame.pixel(pixel).filter(|p| p.status == PixelStatus::Written);
    let trace = Trace {
        target: &arguments.target,
        job,
        pixel,
        program,
        text: &compiled.text,
        lines: LineIndex::new(&compiled.text),
        recordings: &recordings,
        agreement,
        rendered: written.map(|p| p.color.map(f32::to_bits)),
    };
    match arguments.format {
        Format::Text => trace.write_text(out)?,
        Format::Json => writeln!(out, "{}", trace_json::json(&trace))?,
    }
    match agreement {
        Agreement::Same => Ok(()),
        Agreement::Different { .. } => Err(CliError::Failed(
            "stepping and rendering gave different bits for this pixel; please report this program"
                .to_owned(),
        )),
    }
}

/// Refuses a vertex that is not there.
fn check_vertex(picture: &Picture, number: u32) -> Result<(), CliError> {
    if picture.programs.get(Slot::Vertex).is_none() {
        return Err(CliError::Failed(format!("{}: there is no vertex program", picture.job.scene.name)));
    }
    let count = picture.job.scene.vertex_arrays().map_err(CliError::Failed)?.vertex_count();
    if (number as usize) < count {
        return Ok(());
    }
    Err(CliError::Usage(format!("there is no vertex {number}: there are {count}, from 0")))
}

/// Letters of the components whose bits are set in `mask`.
pub(super) fn letters(mask: u8) -> String {
    "xyzw".chars().enumerate().filter(|(i, _)| mask >> i & 1 != 0).map(|(_, c)| c).collect()
}

/// The codes' names with spaces between.
pub(super) fn codes(cc: [Cc; 4]) -> String {
    cc.map(Cc::name).join(" ")
}

/// What became of a fragment, in words.
fn outcome(outcome: PixelStatus) -> &'static str {
    match outcome {
        PixelStatus::Written => "written",
        PixelStatus::Empty => "not drawn",
        PixelStatus::Killed => "killed",
        PixelStatus::AlphaFailed => "failed the alpha test",
        PixelStatus::StencilFailed => "failed the stencil test",
        PixelStatus::DepthFailed => "failed the depth test",
        PixelStatus::DepthDiscarded => "depth outside the depth range",
    }
}

impl Trace<'_> {
    /// The source text of `span` on one line, without comments: behind one, the rest of the line would
    /// read as if it were part of it.
    pub fn source(&self, span: Span) -> String {
        let bytes = span.slice(self.text);
        let words = Lexer::continuation(bytes).map(|token| match token.kind {
            TokenKind::Whitespace | TokenKind::Comment => " ".into(),
            _ => String::from_utf8_lossy(token.span.slice(bytes)),
        });
        words.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// A register by its name in the program.
    pub fn place(&self, place: Place) -> String {
        match place {
            Place::Temp(TempId(id)) => self.program.temporaries[usize::from(id)].name.clone(),
            Place::Output(OutputId(id)) => self.program.outputs[usize::from(id)].name.clone(),
            Place::Param(ParamId(id)) => self.parameter(usize::from(id)),
        }
    }

    /// Name of parameter `index` of the program; constants have none and show their value.
    pub fn parameter(&self, index: usize) -> String {
        self.program.parameters[index].source.name().unwrap_or_else(|| "constant".to_owned())
    }

    /// Attributes that some instruction names.
    pub fn attributes(&self) -> Vec<Attribute> {
        let operands = || self.program.instructions.iter().flat_map(|i| &i.operands);
        let read = |a: &Attribute| operands().any(|o| o.source == Source::Attribute(*a));
        Attribute::FRAGMENT.into_iter().filter(read).collect()
    }

    fn write_text(&self, out: &mut impl Write) -> io::Result<()> {
        let ([x, y], [width, height]) = (self.pixel, self.job.size);
        let time = number::decimal(self.job.time_secs.to_bits());
        writeln!(out, "{}: pixel {x},{y} of {width}x{height} at {time} s", self.target)?;
        if self.recordings.is_empty() {
            writeln!(out, "no fragment covers this pixel")?;
        }
        let count = self.recordings.len();
        for (index, fragment) in self.recordings.iter().enumerate() {
            writeln!(out)?;
            writeln!(out, "fragment {} of {count}, primitive {}", index + 1, fragment.primitive)?;
            if let Some(recording) = &fragment.recording {
                self.write_initial(out, &recording.initial)?;
                for step in &recording.steps {
                    self.write_step(out, step)?;
                }
            }
            self.write_end(out, fragment)?;
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

    fn write_initial(&self, out: &mut impl Write, state: &State) -> io::Result<()> {
        for attribute in self.attributes() {
            let bits = state.attributes[attribute.index()];
            writeln!(out, "  f[{}] = {}", attribute.name(), number::decimals(bits))?;
        }
        for (index, bits) in state.parameters.iter().enumerate() {
            writeln!(out, "  {} = {}", self.parameter(index), number::decimals(*bits))?;
        }
        Ok(())
    }

    fn write_step(&self, out: &mut impl Write, step: &Step) -> io::Result<()> {
        let instruction = &self.program.instructions[step.pc];
        let line = self.lines.line_column(instruction.span.start).line;
        writeln!(out, "{:>4}  line {line}: {};", step.pc, self.source(instruction.span))?;
        for (operand, described) in instruction.operands.iter().zip(&step.operands) {
            write_operand(out, &self.source(operand.span), described)?;
        }
        if let Some(texture) = &step.texture {
            let (unit, target) = (texture.texture.unit, texture.texture.target.name());
            let at = texture.coordinates.map(|c| number::decimal(c.to_bits())).join(" ");
            let level = number::decimal(texture.lambda.to_bits());
            let complete = if texture.complete { "" } else { ", not complete: gives 0 0 0 0" };
            writeln!(out, "        texture unit {unit} {target} at {at}, level of detail {level}{complete}")?;
        }
        if step.computed != 0 {
            let mut line = format!("        result {}", masked(step.result, step.computed));
            if step.saturated != step.result {
                line.push_str(&format!(", saturated {}", masked(step.saturated, step.computed)));
            }
            if step.converted != step.saturated {
                line.push_str(&format!(", converted {}", masked(step.converted, step.computed)));
            }
            writeln!(out, "{line}")?;
        }
        for change in &step.changes {
            let (name, letter) = (self.place(change.place), letters(1 << change.component));
            let before =
                if change.was_undefined { "undefined".to_owned() } else { number::decimal(change.before) };
            let (after, pattern) = (number::decimal(change.after), number::pattern(change.after));
            writeln!(out, "        {name}.{letter}: {before} -> {after} ({pattern})")?;
        }
        if instruction.update_cc {
            writeln!(out, "        CC: {} -> {}", codes(step.cc_before), codes(step.cc_after))?;
        }
        if instruction.dest.is_some_and(|destination| destination.test.is_some()) {
            let (cc, enabled) = (codes(step.cc_before), letters(step.enabled));
            let enabled = if enabled.is_empty() { "no component".to_owned() } else { enabled };
            writeln!(out, "        CC {cc} enables {enabled}")?;
        }
        if matches!(instruction.control, Some(Control::Kill(_))) {
            let verdict = if step.kills { "the fragment is discarded" } else { "the fragment goes on" };
            writeln!(out, "        CC {}: {verdict}", codes(step.cc_before))?;
        }
        Ok(())
    }

    fn write_end(&self, out: &mut impl Write, fragment: &PixelRecording) -> io::Result<()> {
        let color = fragment.color.map(f32::to_bits);
        let (values, patterns) = (number::decimals(color), number::patterns(color));
        writeln!(out, "  color = {values} {patterns}")?;
        let depth = number::decimal(fragment.depth.to_bits());
        let before = number::decimal(fragment.before.depth.to_bits());
        writeln!(out, "  depth = {depth}, in the buffer before: {before}")?;
        writeln!(out, "  {}", outcome(fragment.outcome))
    }
}

/// The components of `mask` with their letters.
fn masked(bits: [u32; 4], mask: u8) -> String {
    let components = "xyzw".chars().zip(bits).enumerate().filter(|(i, _)| mask >> i & 1 != 0);
    components
        .map(|(_, (letter, bits))| format!("{letter}={}", number::decimal(bits)))
        .collect::<Vec<_>>()
        .join(" ")
}

fn write_operand(out: &mut impl Write, source: &str, step: &OperandStep) -> io::Result<()> {
    let mut line = format!("        {source}: {}", number::decimals(step.register));
    let mut last = step.register;
    for (what, bits) in
        [("swizzled", step.swizzled), ("modified", step.modified), ("converted", step.converted)]
    {
        if bits != last {
            line.push_str(&format!(", {what} {}", number::decimals(bits)));
            last = bits;
        }
    }
    writeln!(out, "{line} (uses {})", letters(step.used))
}
