//! The command line: thin shells over [`crate::scene`] and [`crate::session`].
//!
//! Results go to standard output, complaints to standard error. Exit status: 0 success, 1 a program, a
//! scene or a file at fault, 2 a command line that cannot be understood. A reader that goes away early
//! (a closed pipe) ends the command quietly.

mod bench;
mod check;
mod isa;
mod json;
mod lesson;
mod map;
mod render;
mod trace;

use crate::files::{self, Durability};
use crate::launch;
use crate::printable::{self, Printable};
use crate::scene::{self, Folder, ProgramFile, Scene, SceneError, Slot};
use crate::session::{
    self, Compiled, Frame, Job, Keeper, Loaded, MAX_SIZE, OUTPUT_COLORS, RenderError, SetUp, Threads,
};
use clap::builder::TypedValueParser;
use clap::{Parser, Subcommand};
use shadestep_engine::diag;
use shadestep_engine::ir::Program;
use shadestep_engine::processor::Cpu;
use shadestep_engine::source::LineIndex;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Write, preview and single-step programs in NVIDIA's assembly shader languages.
#[derive(Debug, Parser)]
#[command(name = "shadestep", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Program file, scene folder, scene.toml or bundled sample to open in the app
    #[arg(value_name = "FILE|SCENE")]
    target: Option<OsString>,
    #[command(subcommand)]
    command: Option<Subcommands>,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Load programs and say whether they are right
    Check(check::Arguments),
    /// Render a picture, read pixels exactly
    Render(render::Arguments),
    /// Print every step that made a pixel, a vertex or the state
    Trace(trace::Arguments),
    /// Print the reference page of an instruction, or the list of all
    Isa(isa::Arguments),
    /// Tell a value of every pixel: registers, instructions executed, NaN and more
    Map(map::Arguments),
    /// List the lessons of a course, or check them
    Lesson(lesson::Arguments),
    /// Measure how many pixels a second programs make
    Bench(bench::Arguments),
}

/// Why a command stops.
#[derive(Debug)]
enum CliError {
    /// A program, scene or file is at fault; the words for the person.
    Failed(String),
    /// The same, and everything has been said already.
    Said,
    /// The command line makes no sense; the words for the person.
    Usage(String),
    /// Output cannot be written.
    Io(io::Error),
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<SceneError> for CliError {
    fn from(error: SceneError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<RenderError> for CliError {
    fn from(error: RenderError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Runs the command that `arguments` (the program's name first) ask for, or opens the app.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(one_probe_a_flag(arguments)) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version come this way too; clap knows which stream each goes to, and colours it. What it quotes of
            // the command line is not ours.
            let words = error.to_string();
            match printable::text(&words) {
                Cow::Borrowed(_) => drop(error.print()),
                Cow::Owned(words) => drop(write!(io::stderr().lock(), "{words}")),
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    if let Err(error) = Cpu::asked_for() {
        return finish(Err(CliError::Usage(error.to_string())));
    }
    let mut out = Printable(BufWriter::new(io::stdout().lock()));
    let outcome = match &arguments.command {
        Some(Subcommands::Check(arguments)) => check::run(arguments, &mut out),
        Some(Subcommands::Render(arguments)) => render::run(arguments, &mut out),
        Some(Subcommands::Trace(arguments)) => trace::run(arguments, &mut out),
        Some(Subcommands::Isa(arguments)) => isa::run(arguments, &mut out),
        Some(Subcommands::Map(arguments)) => map::run(arguments, &mut out),
        Some(Subcommands::Lesson(arguments)) => lesson::run(arguments, &mut out),
        Some(Subcommands::Bench(arguments)) => bench::run(arguments, &mut out),
        None => launch::run(arguments.target.as_deref()).map_err(|error| CliError::Failed(error.to_string())),
    };
    // What has been said before a failure comes before the complaint.
    let flushed = out.flush().map_err(CliError::Io);
    finish(outcome.and(flushed))
}

fn finish(outcome: Result<(), CliError>) -> ExitCode {
    let (code, words) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(CliError::Said) => return ExitCode::from(1),
        Err(CliError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Err(CliError::Io(error)) => (1, format!("cannot write the output: {error}")),
        Err(CliError::Failed(words)) => (1, words),
        Err(CliError::Usage(words)) => (2, words),
    };
    complain(&words);
    ExitCode::from(code)
}

/// Says `words` on standard error. Nothing can be done where even that fails.
fn complain(words: &str) {
    let _ = writeln!(io::stderr().lock(), "shadestep: {}", printable::line(words));
}

/// What `render`, `trace` and `bench` need to know about a picture.
struct Picture {
    programs: Loaded,
    job: Job,
}

/// Opens `target` and loads its programs; one with errors is refused with its first one.
fn open(target: impl AsRef<OsStr>) -> Result<Picture, CliError> {
    load(scene::open(target)?)
}

/// Loads the programs of `scene`.
fn load(scene: Scene) -> Result<Picture, CliError> {
    for warning in &scene.warnings {
        complain(&format!("note: {warning}"));
    }
    let programs = session::compile_scene(&scene);
    let faulty = programs.iter().find(|(_, compiled)| compiled.program.is_none());
    if let Some((slot, compiled)) = faulty {
        let name = scene.programs.get(slot).map(|file| program_name(&scene, file)).unwrap_or_default();
        return Err(CliError::Failed(verdict(&name, compiled)));
    }
    check_scene(&scene, |slot| programs.get(slot)?.program.as_deref())?;
    Ok(Picture { programs, job: Job::new(Arc::new(scene)) })
}

/// Refuses a scene whose programs have not what it asks of them.
fn check_scene<'p>(scene: &Scene, program: impl Fn(Slot) -> Option<&'p Program>) -> Result<(), CliError> {
    let checked = scene.check_programs(program);
    checked.map_err(|error| CliError::Failed(scene.fault_of_file(error).to_string()))
}

/// What to call a program of `scene`: its file as the person would find it, on one line.
fn program_name(scene: &Scene, file: &ProgramFile) -> String {
    let name = match (&file.path, &scene.folder) {
        (Some(path), _) => path.display().to_string(),
        (None, Folder::Bundled(name)) => format!("{name}/{}", file.name),
        (None, Folder::Disk(_) | Folder::Memory(_) | Folder::With(..)) => file.name.clone(),
    };
    printable::line(&name).into_owned()
}

/// `FILE: ok` or `FILE: error at BYTE (LINE:COLUMN): MESSAGE`.
fn verdict(file: &str, compiled: &Compiled) -> String {
    let Some(error) = diag::first_error(&compiled.diagnostics) else { return format!("{file}: ok") };
    let place = LineIndex::new(&compiled.text).line_column(error.position);
    let (byte, message) = (error.position, &error.message);
    format!("{file}: error at {byte} ({}:{}): {message}", place.line, place.column)
}

fn threads(count: Option<usize>) -> Result<Threads, CliError> {
    match count {
        Some(count) => Threads::new(count).map_err(|error| CliError::Usage(error.to_string())),
        None => Ok(Threads::all_cores()?),
    }
}

/// Reads `WxH`.
fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let wanted = || format!("a size is WIDTHxHEIGHT, each from 1 to {MAX_SIZE}, such as 640x480");
    let (width, height) = text.split_once(['x', 'X']).ok_or_else(wanted)?;
    let side = |text: &str| text.parse::<u32>().ok().filter(|side| (1..=MAX_SIZE).contains(side));
    Ok([side(width).ok_or_else(wanted)?, side(height).ok_or_else(wanted)?])
}

/// Reads the number of an output colour.
fn output_color() -> impl TypedValueParser<Value = u8> {
    clap::value_parser!(u8).range(0..OUTPUT_COLORS as i64)
}

/// A layer of the picture, which the scene must have; that which it shows first if none is said.
fn check_layer(layer: Option<u32>, scene: &Scene) -> Result<u32, CliError> {
    let count = scene.layers.count;
    match layer {
        Some(layer) if layer >= count => {
            let words = format!("the scene has {count} {}", if count == 1 { "layer" } else { "layers" });
            Err(CliError::Usage(format!("there is no layer {layer}: {words}")))
        }
        layer => Ok(layer.unwrap_or(scene.layers.shown)),
    }
}

/// Reads `X,Y`.
fn parse_pixel(text: &str) -> Result<[u32; 2], String> {
    let wanted = || "a pixel is X,Y in whole numbers, x from the left, y from the bottom".to_owned();
    let (x, y) = text.split_once(',').ok_or_else(wanted)?;
    Ok([x.parse().map_err(|_| wanted())?, y.parse().map_err(|_| wanted())?])
}

/// Frames before the one that is looked at.
#[derive(Debug, clap::Args)]
struct Frames {
    /// Frames to draw, the last of them at --time and 1/60 s between two, for buffers that keep what they hold
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    frames: u32,
}

impl Frames {
    /// Draws all but the last, which is then what is left to draw of `picture`. Gives the last one drawn, whose memory the next one
    /// may have.
    fn draw_all_but_the_last(
        &self,
        picture: &mut Picture,
        threads: &Threads,
    ) -> Result<Option<Frame>, CliError> {
        let (mut keeper, mut drawn, end) = (Keeper::default(), None, picture.job.time_secs);
        let before_last = self.frames - 1;
        for number in 0..=before_last {
            picture.job.time_secs = end - (before_last - number) as f32 / 60.0;
            picture.job.frame = number;
            keeper.begin(&mut picture.job);
            if number < before_last {
                let set_up = SetUp::new(&picture.programs, &picture.job)?;
                let frame = set_up.render(threads, &AtomicBool::new(false), drawn.take())?;
                keeper.end(&frame.memory);
                drawn = Some(frame);
            }
        }
        Ok(drawn)
    }
}

/// Gives every pixel behind a `--probe` a flag of its own, so that a list of pixels ends where something
/// else begins: in `--probe 1,2 3,4 FILE` the file is no pixel.
fn one_probe_a_flag(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let is_pixel = |text: &str| {
        let coordinate = |text: &str| text.parse::<i64>().is_ok();
        text.split_once(',').is_some_and(|(x, y)| coordinate(x) && coordinate(y))
    };
    let mut expanded: Vec<OsString> = Vec::new();
    let mut in_list = false;
    for argument in arguments {
        let text = argument.to_str().unwrap_or_default();
        let pixel = is_pixel(text);
        if in_list && pixel && expanded.last().is_some_and(|last| last != "--probe") {
            expanded.push("--probe".into());
        }
        in_list = text == "--probe" || text.starts_with("--probe=") || (in_list && pixel);
        expanded.push(argument);
    }
    expanded
}

/// Reads seconds.
fn parse_seconds(text: &str) -> Result<f32, String> {
    let seconds = text.parse::<f32>().ok().filter(|seconds| seconds.is_finite());
    seconds.ok_or_else(|| "a time is a number of seconds, such as 1.5".to_owned())
}

/// Refuses a pixel outside the picture.
fn check_pixel([x, y]: [u32; 2], [width, height]: [u32; 2]) -> Result<(), CliError> {
    if x < width && y < height {
        return Ok(());
    }
    let message = format!("pixel {x},{y} is outside the picture of {width}x{height}");
    Err(CliError::Usage(message))
}

/// Writes a file as a whole.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    files::replace(path, Durability::Synced, |file| file.write_all(bytes))
        .map_err(|error| CliError::Failed(format!("{}: cannot be written: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_pixels_and_seconds_are_read_strictly() {
        assert_eq!(parse_size("640x480"), Ok([640, 480]));
        for text in ["640", "0x1", "1x0", "x", "1x", "-1x2", "9999x1", "1 x 2", "1x2x3"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
        assert_eq!(parse_pixel("3,4"), Ok([3, 4]));
        for text in ["3", "3,", ",4", "3,-4", "3.5,4", "3,4,5"] {
            assert!(parse_pixel(text).is_err(), "{text}");
        }
        assert_eq!(parse_seconds("1.5"), Ok(1.5));
        for text in ["", "nan", "inf", "1s"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }
}
