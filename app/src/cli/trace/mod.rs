//! `shadestep trace`: every step of a program, as text or JSON: the fragment program for every fragment of a
//! pixel, the vertex program for a vertex, the state programs.

mod json;
mod listing;
mod pixel;
mod text;
mod vertex;

use super::{CliError, Frames, open, output_color, parse_pixel, parse_seconds, parse_size, threads};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use shadestep_engine::debug::Subject;
use shadestep_engine::isa::Stage;
use std::ffi::OsString;
use std::io::Write;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Program file, scene folder, scene.toml or bundled sample
    #[arg(value_name = "FILE|SCENE")]
    target: OsString,
    /// The pixel whose fragments are run: x from the left, y from the bottom
    #[arg(long, value_name = "X,Y", value_parser = parse_pixel, conflicts_with = "vertex",
        required_unless_present_any = ["vertex", "stage"])]
    pixel: Option<[u32; 2]>,
    /// The vertex that is run: its number in the arrays, from 0
    #[arg(long, value_name = "N")]
    vertex: Option<u32>,
    /// The instance whose vertex is run: its vertex.instance, from 0; the first by default
    #[arg(long, value_name = "N")]
    instance: Option<u32>,
    /// Which program is traced; by default the fragment program for --pixel, the vertex program for --vertex
    #[arg(long, value_parser = stages())]
    stage: Option<Stage>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Size of the picture; the scene's own by default
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<[u32; 2]>,
    /// Output colour that the picture is drawn from, result.color[N] of a program with ARB_draw_buffers
    #[arg(long, value_name = "N", default_value = "0", value_parser = output_color())]
    color: u8,
    /// Time in seconds
    #[arg(long, value_name = "S", default_value = "0", value_parser = parse_seconds, allow_negative_numbers = true)]
    time: f32,
    #[command(flatten)]
    frames: Frames,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// The stages by their names.
fn stages() -> impl TypedValueParser<Value = Stage> {
    let stages = [
        (Stage::Vertex, "The vertex program, for one vertex"),
        (Stage::VertexState, "The vertex state programs"),
        (Stage::Fragment, "The fragment program, for one pixel"),
    ];
    let values = stages.map(|(stage, help)| PossibleValue::new(stage.name()).help(help));
    let named =
        move |name: String| stages.into_iter().map(|(stage, _)| stage).find(|stage| stage.name() == name);
    PossibleValuesParser::new(values).try_map(move |name| named(name).ok_or("no such stage"))
}

/// Puts `--pixel`, `--vertex` and `--stage` together: the first that is traced.
fn subject(arguments: &Arguments) -> Result<Subject, CliError> {
    let usage = |words: &str| Err(CliError::Usage(words.to_owned()));
    match (arguments.stage, arguments.pixel, arguments.vertex) {
        (None | Some(Stage::Fragment), Some(pixel), None) => Ok(Subject::Pixel(pixel)),
        (None | Some(Stage::Vertex), None, Some(vertex)) => Ok(Subject::Vertex(vertex)),
        (Some(Stage::VertexState), None, None) => Ok(Subject::StateProgram(0)),
        (Some(Stage::Fragment), ..) => usage("the fragment program is traced for a pixel: --pixel X,Y"),
        (Some(Stage::Vertex), ..) => usage("the vertex program is traced for a vertex: --vertex N"),
        (Some(Stage::VertexState), ..) => {
            usage("state programs run once: they take neither --pixel nor --vertex")
        }
        (None, ..) => usage("say what to trace: --pixel X,Y, --vertex N or --stage state"),
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let subject = subject(arguments)?;
    if arguments.instance.is_some() && !matches!(subject, Subject::Vertex(_)) {
        return Err(CliError::Usage(
            "an instance is chosen for a vertex: --vertex N --instance N".to_owned(),
        ));
    }
    let mut picture = open(&arguments.target)?;
    picture.job.time_secs = arguments.time;
    picture.job.output_color = arguments.color;
    picture.job.instance = arguments.instance.unwrap_or(0);
    if let Some(size) = arguments.size {
        picture.job.size = size;
    }
    arguments.frames.draw_all_but_the_last(&mut picture, &threads(None)?)?;
    let name = arguments.target.to_string_lossy();
    let request = Request { target: &name, format: arguments.format, picture: &picture };
    match subject {
        Subject::Pixel(pixel) => pixel::run(&request, pixel, out),
        Subject::Vertex(element) => vertex::run(&request, element, out),
        Subject::StateProgram(_) => vertex::run_state_programs(&request, out),
    }
}

/// What is traced, and how it is to be printed.
struct Request<'a> {
    /// As the person named it.
    target: &'a str,
    format: Format,
    picture: &'a super::Picture,
}

impl Request<'_> {
    /// That stepping and drawing gave other bits: a fault of this program's.
    fn disagreement(what: &str) -> CliError {
        CliError::Failed(format!(
            "stepping and rendering gave different bits for this {what}; please report this program"
        ))
    }
}
