//! `shadestep trace`: every step of a program, as text or JSON. The subject is one of:
//! - the fragment program for every fragment of a pixel;
//! - the vertex program for a vertex;
//! - the tessellation programs for a patch;
//! - the geometry program for a primitive;
//! - the state programs.

mod json;
mod listing;
mod lookup;
mod pixel;
mod primitive;
mod run;
mod text;
mod vertex;
mod watched;

use super::{
    CliError, Format, Frames, check_layer, check_number, input, open, output_color, parse_pixel,
    parse_seconds, parse_size, threads,
};
use crate::format;
use crate::scene::Slot;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};
use shadestep_engine::isa::{Language, Stage};
use std::ffi::OsString;
use std::io::Write;
use watched::Expressions;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Program file, scene folder, scene.toml, bundled sample, or - for a program on standard input
    #[arg(value_name = "FILE|SCENE|-")]
    target: OsString,
    /// Trace the fragments of this pixel: x from the left, y from the bottom
    #[arg(long, value_name = "X,Y", value_parser = parse_pixel, conflicts_with = "vertex")]
    pixel: Option<[u32; 2]>,
    /// Trace this vertex: its number in the arrays, from 0. With --stage geometry: the first primitive that
    /// uses it. With --patch: this vertex of the tessellated patch
    #[arg(long, value_name = "N")]
    vertex: Option<u32>,
    /// Trace the tessellation control program for this patch, from 0. With --vertex V: the evaluation program
    /// for vertex V of the patch
    #[arg(long, value_name = "N", conflicts_with_all = ["pixel", "primitive"])]
    patch: Option<u32>,
    /// Trace the geometry program for this primitive, from 0
    #[arg(long, value_name = "N", conflicts_with_all = ["pixel", "vertex"])]
    primitive: Option<u32>,
    /// Invocation for the primitive or the patch, from 0 [default: 0]
    #[arg(long, value_name = "I")]
    invocation: Option<u32>,
    /// Instance of the vertex, patch or primitive (its vertex.instance), from 0 [default: 0]
    #[arg(long, value_name = "N")]
    instance: Option<u32>,
    /// Program to trace [default: chosen by the other options, such as the fragment program for --pixel]
    #[arg(long, value_parser = stages())]
    stage: Option<Stage>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Size of the picture [default: the size in the scene]
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<[u32; 2]>,
    /// Output colour of the picture: result.color[N] of a program with ARB_draw_buffers
    #[arg(long, value_name = "N", default_value = "0", value_parser = output_color())]
    color: u8,
    /// Layer of the framebuffer to show [default: the layer in the scene]
    #[arg(long, value_name = "N")]
    layer: Option<u32>,
    /// Time in seconds
    #[arg(long, value_name = "S", default_value = "0", value_parser = parse_seconds, allow_negative_numbers = true)]
    time: f32,
    #[command(flatten)]
    expressions: Expressions,
    #[command(flatten)]
    frames: Frames,
}

/// Parses the name of a stage.
fn stages() -> impl TypedValueParser<Value = Stage> {
    let stages = [
        (Stage::Vertex, "The vertex program, for one vertex"),
        (Stage::VertexState, "The vertex state programs"),
        (Stage::TessControl, "The tessellation control program, for one patch"),
        (Stage::TessEvaluation, "The tessellation evaluation program, for one vertex of a patch"),
        (Stage::Geometry, "The geometry program, for one primitive"),
        (Stage::Fragment, "The fragment program, for one pixel"),
    ];
    let key = |stage| Slot::first(stage).key();
    let values = stages.map(|(stage, help)| PossibleValue::new(key(stage)).help(help));
    let named =
        move |name: String| stages.into_iter().map(|(stage, _)| stage).find(|stage| key(*stage) == name);
    PossibleValuesParser::new(values).try_map(move |name| named(name).ok_or("no such stage"))
}

/// The subject of a trace.
enum Traced {
    Pixel([u32; 2]),
    Vertex(u32),
    Primitive(Which),
    /// The patch with this number.
    Patch(u32, OfPatch),
    StatePrograms,
}

/// The subject of the trace of a patch.
#[derive(Clone, Copy)]
enum OfPatch {
    /// An invocation of the control program.
    Invocation(u32),
    /// A vertex of the tessellated patch.
    Vertex(u32),
}

/// The primitive to trace.
enum Which {
    /// The primitive with this number.
    Number(u32),
    /// The first primitive that uses this vertex.
    With(u32),
}

/// The error for a stage without its subject.
const fn stage_needs(stage: Stage) -> &'static str {
    match stage {
        Stage::Fragment => "the fragment program needs a pixel: add --pixel X,Y",
        Stage::Vertex => "the vertex program needs a vertex: add --vertex N",
        Stage::Geometry => "the geometry program needs a primitive: add --primitive N or --vertex N",
        Stage::TessControl => "the tessellation control program needs a patch: add --patch N",
        Stage::TessEvaluation => {
            "the tessellation evaluation program needs a vertex of a patch: add --patch N --vertex V"
        }
        Stage::VertexState => "vertex state programs run once: remove --pixel, --vertex and --primitive",
    }
}

/// Determines the subject from the arguments.
fn traced(arguments: &Arguments) -> Result<Traced, CliError> {
    let usage = |words: &str| Err(CliError::Usage(words.to_owned()));
    let Arguments { stage, pixel, vertex, primitive, patch, invocation, .. } = arguments;
    if let Some(patch) = *patch {
        return match (stage, *vertex, *invocation) {
            (None | Some(Stage::TessControl), None, invocation) => {
                Ok(Traced::Patch(patch, OfPatch::Invocation(invocation.unwrap_or(0))))
            }
            (None | Some(Stage::TessEvaluation), Some(vertex), None) => {
                Ok(Traced::Patch(patch, OfPatch::Vertex(vertex)))
            }
            _ => usage(
                "choose either an invocation of the patch (--patch N --invocation I) or a vertex (--patch N --vertex V)",
            ),
        };
    }
    let traced = match (stage, pixel, vertex, primitive) {
        (None | Some(Stage::Fragment), Some(pixel), None, None) => Traced::Pixel(*pixel),
        (None | Some(Stage::Vertex), None, Some(vertex), None) => Traced::Vertex(*vertex),
        (None | Some(Stage::Geometry), None, None, Some(number)) => Traced::Primitive(Which::Number(*number)),
        (Some(Stage::Geometry), None, Some(vertex), None) => Traced::Primitive(Which::With(*vertex)),
        (Some(Stage::VertexState), None, None, None) => Traced::StatePrograms,
        (None, ..) => {
            return usage(
                "choose what to trace: --pixel X,Y, --vertex N, --patch N, --primitive N or --stage state",
            );
        }
        (Some(stage), ..) => return usage(stage_needs(*stage)),
    };
    if arguments.instance.is_some() && !matches!(traced, Traced::Vertex(_) | Traced::Primitive(_)) {
        return usage("--instance needs a vertex, a patch or a primitive, such as --vertex N");
    }
    if arguments.invocation.is_some() && !matches!(traced, Traced::Primitive(_)) {
        return usage("--invocation needs a primitive or a patch, such as --primitive N");
    }
    Ok(traced)
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let traced = traced(arguments)?;
    let mut picture = open(&arguments.target)?;
    picture.job.time_secs = arguments.time;
    picture.job.output_color = arguments.color;
    picture.job.layer = check_layer(arguments.layer, &picture.job.scene)?;
    picture.job.instance = arguments.instance.unwrap_or(0);
    if let Some(size) = arguments.size {
        picture.job.size = size;
    }
    arguments.frames.draw_all_but_the_last(&mut picture, &threads(None)?)?;
    let name = input::name(&arguments.target);
    let (format, expressions) = (arguments.format, &arguments.expressions);
    let request = Request { target: &name, format, picture: &picture, expressions };
    match traced {
        Traced::Pixel(pixel) => pixel::run(&request, pixel, out),
        Traced::Vertex(element) => vertex::run(&request, element, out),
        Traced::Primitive(which) => primitive::run(&request, which, arguments.invocation.unwrap_or(0), out),
        Traced::Patch(patch, part) => primitive::run_patch(&request, (patch, part), out),
        Traced::StatePrograms => vertex::run_state_programs(&request, out),
    }
}

/// The picture and the format of a trace.
struct Request<'a> {
    /// The target as the user named it.
    target: &'a str,
    format: Format,
    picture: &'a super::Picture,
    expressions: &'a Expressions,
}

impl Request<'_> {
    /// The first fields of the JSON object.
    fn head(&self, language: Language) -> Value {
        json!({ "file": self.target, "language": language.header(), "size": self.picture.job.size })
    }

    /// Formats the time of the picture: ` at 1.5 s`.
    fn when(&self) -> String {
        format!(" at {} s", format::float(self.picture.job.time_secs))
    }

    /// Refuses an instance number beyond the scene's instances.
    fn check_instance(&self) -> Result<(), CliError> {
        let job = &self.picture.job;
        check_number("instance", job.instance, job.scene.instances as usize)
    }

    /// The error for a step-by-step run whose result differs from the drawing. Such a difference is a bug of
    /// Shadestep.
    fn disagreement(what: &str) -> CliError {
        CliError::Failed(format!(
            "stepping and rendering gave different results for this {what}. This is a bug in Shadestep; please report it \
             with the program"
        ))
    }
}
