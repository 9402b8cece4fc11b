//! The command line: commands that parse arguments and call [`crate::scene`] and [`crate::session`].
//!
//! Results go to standard output, other messages to standard error. The help of each command lists the exit
//! statuses. A closed pipe ends a command without a message.

mod bench;
mod check;
mod explain;
mod input;
mod isa;
mod json;
mod lesson;
mod map;
mod output;
mod render;
mod sequence;
mod shell;
mod trace;

use crate::export::ExportError;
use crate::files::{self, Durability, Written};
use crate::launch;
use crate::printable::{self, Printable};
use crate::scene::{Folder, MAX_SIZE, OUTPUT_COLORS, ProgramFile, Scene, SceneError, Slot};
use crate::session::{self, Compiled, Frame, Job, Loaded, PersistentBuffers, RenderError, SetUp, Threads};
use clap::builder::TypedValueParser;
use clap::{Parser, Subcommand};
use shadestep_engine::diag;
use shadestep_engine::ir::Program;
use shadestep_engine::processor::Cpu;
use shadestep_engine::source::LineIndex;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The exit statuses, for every `--help`.
const EXIT_STATUS: &str = "\
Exit status:
  0  No problems
  1  A program, a scene or a lesson has problems
  2  The command line is wrong, or a file cannot be read or written";

/// Write, preview and single-step programs in NVIDIA's assembly shader languages.
#[derive(Debug, Parser)]
#[command(name = "shadestep", version, args_conflicts_with_subcommands = true, after_help = EXIT_STATUS)]
struct Arguments {
    /// Program file, scene folder, scene.toml or bundled sample to open in the app
    #[arg(value_name = "FILE|SCENE")]
    target: Option<OsString>,
    #[command(subcommand)]
    command: Option<Subcommands>,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    /// Load programs and print their errors and warnings
    #[command(after_help = EXIT_STATUS)]
    Check(check::Arguments),
    /// Render a picture or a sequence of frames, or print exact pixel values
    #[command(after_help = EXIT_STATUS)]
    Render(render::Arguments),
    /// Print every step of a program for one pixel, vertex, patch or primitive
    #[command(after_help = EXIT_STATUS)]
    Trace(trace::Arguments),
    /// Print the reference page of an instruction, or list all instructions
    #[command(after_help = EXIT_STATUS)]
    Isa(isa::Arguments),
    /// Explain the code of an error or a warning, or list all codes
    #[command(after_help = EXIT_STATUS)]
    Explain(explain::Arguments),
    /// Show a value for every pixel: a register, instructions executed, NaN and more
    #[command(after_help = EXIT_STATUS)]
    Map(map::Arguments),
    /// List or check the lessons of a course
    #[command(after_help = EXIT_STATUS)]
    Lesson(lesson::Arguments),
    /// Measure how many pixels per second programs can draw
    #[command(after_help = EXIT_STATUS)]
    Bench(bench::Arguments),
    /// Print a completion script for a shell
    #[command(after_help = EXIT_STATUS)]
    Completions(shell::CompletionsArguments),
    /// Print the manual page, or write one page per command to a folder
    #[command(after_help = EXIT_STATUS)]
    Man(shell::ManArguments),
}

/// How a command prints results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Lines of text
    Text,
    /// One JSON object
    Json,
}

/// The exit status of a command that has printed its problems. The greatest status wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// A program, a scene or a lesson has problems.
    Problems,
    /// A file cannot be read.
    Unreadable,
}

/// The reason that a command stops.
#[derive(Debug)]
enum CliError {
    /// A program or a scene has a problem. Holds the message.
    Failed(String),
    /// The command has already printed every problem.
    Reported(Status),
    /// A file cannot be read or written. Holds the message.
    File(String),
    /// The command line is wrong. Holds the message.
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
        match error.is_about_whole_file() {
            true => Self::File(error.to_string()),
            false => Self::Failed(error.to_string()),
        }
    }
}

impl From<ExportError> for CliError {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Render(error) => error.into(),
            ExportError::Io(error) => Self::Io(error),
        }
    }
}

impl From<RenderError> for CliError {
    fn from(error: RenderError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Returns the definition of the command line: every command with its arguments.
pub fn command() -> clap::Command {
    <Arguments as clap::CommandFactory>::command()
}

/// Runs the command in `arguments` (the program's name first), or opens the app.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(one_probe_a_flag(arguments)) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version arrive here too. Clap knows the stream and the colours of each. Text that clap
            // quotes from the command line can contain control characters.
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
        Some(Subcommands::Explain(arguments)) => explain::run(arguments, &mut out),
        Some(Subcommands::Map(arguments)) => map::run(arguments, &mut out),
        Some(Subcommands::Lesson(arguments)) => lesson::run(arguments, &mut out),
        Some(Subcommands::Bench(arguments)) => bench::run(arguments, &mut out),
        Some(Subcommands::Completions(arguments)) => shell::completions(arguments, &mut out),
        Some(Subcommands::Man(arguments)) => shell::man(arguments, &mut out),
        None => launch::run(arguments.target.as_deref()).map_err(|error| CliError::Failed(error.to_string())),
    };
    // Output before a failure is written before the error message.
    let flushed = out.flush().map_err(CliError::Io);
    finish(outcome.and(flushed))
}

fn finish(outcome: Result<(), CliError>) -> ExitCode {
    let (code, words) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(CliError::Reported(Status::Problems)) => return ExitCode::from(1),
        Err(CliError::Reported(Status::Unreadable)) => return ExitCode::from(2),
        Err(CliError::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
        Err(CliError::Io(error)) => (2, format!("cannot write the output: {error}")),
        Err(CliError::Failed(words)) => (1, words),
        Err(CliError::File(words) | CliError::Usage(words)) => (2, words),
    };
    complain(&words);
    ExitCode::from(code)
}

/// Prints `words` on standard error. A failure of that is ignored.
fn complain(words: &str) {
    let _ = writeln!(io::stderr().lock(), "shadestep: {}", printable::line(&diag::plain(words)));
}

/// Prints a warning about a scene on standard error.
fn complain_of_warning(warning: &SceneError) {
    // Suggestions end with a question mark and get no full stop.
    let stop = if warning.message.ends_with('?') { "" } else { "." };
    let rule = warning
        .rule
        .map_or_else(String::new, |rule| format!("{stop} {} ({})", rule.note, rule.code.clause()));
    complain(&format!("note: {warning}{rule}"));
}

/// A picture to render, trace or measure: its programs and its job.
struct Picture {
    programs: Loaded,
    job: Job,
}

/// Opens `target` and loads its programs. The first error of a program is the result's error.
fn open(target: &OsStr) -> Result<Picture, CliError> {
    load(input::open(target)?)
}

/// Loads the programs of `scene`.
fn load(scene: Scene) -> Result<Picture, CliError> {
    scene.warnings.iter().for_each(complain_of_warning);
    let programs = session::compile_scene(&scene);
    let faulty = programs.iter().find(|(_, compiled)| compiled.program.is_none());
    if let Some((slot, compiled)) = faulty {
        let name = scene
            .programs
            .get(slot)
            .map(|file| printable::path(&program_path(&scene, file)))
            .unwrap_or_default();
        return Err(CliError::Failed(first_error(&name, compiled)));
    }
    let checked = check_scene(&scene, |slot| programs.get(slot)?.program.as_deref());
    checked.map_err(|error| CliError::Failed(error.to_string()))?;
    let unknown = scene.parameter_warnings(|slot| programs.get(slot)?.program.as_deref());
    unknown.iter().for_each(complain_of_warning);
    Ok(Picture { programs, job: Job::new(Arc::new(scene)) })
}

/// Refuses a scene that refers to subroutines or variables that its programs lack.
fn check_scene<'p>(scene: &Scene, program: impl Fn(Slot) -> Option<&'p Program>) -> Result<(), SceneError> {
    scene.check_programs(program).map_err(|error| scene.fault_of_file(error))
}

/// The path of a program of `scene`, for messages.
fn program_path(scene: &Scene, file: &ProgramFile) -> PathBuf {
    match (&file.path, &scene.folder) {
        (Some(path), _) => path.clone(),
        (None, Folder::Bundled(name)) => Path::new(name).join(&file.name),
        (None, Folder::Disk(_) | Folder::Memory(_) | Folder::With(..)) => PathBuf::from(&file.name),
    }
}

/// Formats the first error as `FILE:LINE:COLUMN: error: MESSAGE`.
fn first_error(file: &str, compiled: &Compiled) -> String {
    let Some(error) = diag::first_error(&compiled.diagnostics) else { return file.to_owned() };
    let place = LineIndex::new(&compiled.text).line_column(error.span().start);
    format!("{file}:{}:{}: error: {}", place.line, place.column, error.message)
}

fn threads(count: Option<usize>) -> Result<Threads, CliError> {
    match count {
        Some(count) => Threads::new(count).map_err(|error| CliError::Usage(error.to_string())),
        None => Ok(Threads::all_cores()?),
    }
}

/// Parses `WxH`.
fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let wanted = || format!("a size is WIDTHxHEIGHT, each from 1 to {MAX_SIZE}, such as 640x480");
    let (width, height) = text.split_once(['x', 'X']).ok_or_else(wanted)?;
    let side = |text: &str| text.parse::<u32>().ok().filter(|side| (1..=MAX_SIZE).contains(side));
    Ok([side(width).ok_or_else(wanted)?, side(height).ok_or_else(wanted)?])
}

/// Parses the number of an output colour.
fn output_color() -> impl TypedValueParser<Value = u8> {
    clap::value_parser!(u8).range(0..=OUTPUT_COLORS as i64 - 1)
}

/// Returns the layer on the command line, or else the layer that the scene shows first.
fn check_layer(layer: Option<u32>, scene: &Scene) -> Result<u32, CliError> {
    let layer = layer.unwrap_or(scene.layers.shown);
    check_number("layer", layer, scene.layers.count as usize)?;
    Ok(layer)
}

/// Refuses a number that is not below `count`.
fn check_number(what: &str, number: u32, count: usize) -> Result<(), CliError> {
    let range = match count {
        0 => "the draw has none".to_owned(),
        1 => "the only one is 0".to_owned(),
        count => format!("choose 0 to {}", count - 1),
    };
    match (number as usize) < count {
        true => Ok(()),
        false => Err(CliError::Usage(format!("there is no {what} {number}: {range}"))),
    }
}

/// Parses `X,Y`.
fn parse_pixel(text: &str) -> Result<[u32; 2], String> {
    let wanted = || "a pixel is X,Y: whole numbers, x from the left, y from the bottom".to_owned();
    let (x, y) = text.split_once(',').ok_or_else(wanted)?;
    Ok([x.parse().map_err(|_| wanted())?, y.parse().map_err(|_| wanted())?])
}

/// Options for drawing several frames before the result.
#[derive(Debug, clap::Args)]
struct Frames {
    /// Number of frames to draw, 1/60 s apart, ending at --time. For buffers that keep their contents between
    /// frames
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    frames: u32,
}

impl Frames {
    /// Draws all frames but the last, and prepares `picture` for the last. Returns the last frame drawn, so
    /// that its memory can be reused.
    fn draw_all_but_the_last(
        &self,
        picture: &mut Picture,
        threads: &Threads,
    ) -> Result<Option<Frame>, CliError> {
        let (mut persistent, mut drawn, end) = (PersistentBuffers::default(), None, picture.job.time_secs);
        let before_last = self.frames - 1;
        for number in 0..=before_last {
            picture.job.time_secs = end - (before_last - number) as f32 / 60.0;
            picture.job.frame = number;
            persistent.begin(&mut picture.job);
            if number < before_last {
                let set_up = SetUp::new(&picture.programs, &picture.job)?;
                let frame = set_up.render(threads, &AtomicBool::new(false), drawn.take())?;
                persistent.end(&frame.memory);
                drawn = Some(frame);
            }
        }
        Ok(drawn)
    }
}

/// Inserts `--probe` before each further pixel of a list after `--probe`. A list therefore ends before the
/// first argument that is not a pixel: in `--probe 1,2 3,4 FILE`, `FILE` is the target.
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

/// Parses a time in seconds.
fn parse_seconds(text: &str) -> Result<f32, String> {
    let seconds = text.parse::<f32>().ok().filter(|seconds| seconds.is_finite());
    seconds.ok_or_else(|| "a time is a number of seconds, such as 1.5".to_owned())
}

/// Refuses a pixel outside the picture.
fn check_pixel([x, y]: [u32; 2], [width, height]: [u32; 2]) -> Result<(), CliError> {
    if x < width && y < height {
        return Ok(());
    }
    let range = format!("choose x from 0 to {} and y from 0 to {}", width - 1, height - 1);
    Err(CliError::Usage(format!("there is no pixel {x},{y}: {range}")))
}

/// Writes a whole file.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let written = files::replace(path, Durability::Synced, |file| file.write_all(bytes));
    file_written(path, written.map_err(ExportError::Io))
}

/// Converts the result of writing a file.
fn file_written(path: &Path, written: Result<Written, ExportError>) -> Result<(), CliError> {
    let written = written.map_err(|error| match error {
        ExportError::Io(error) => {
            CliError::File(format!("{}: cannot write the file: {error}", path.display()))
        }
        error => error.into(),
    })?;
    if let Some(warning) = written.warning() {
        complain(&format!("{}: warning: {warning}", path.display()));
    }
    Ok(())
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
