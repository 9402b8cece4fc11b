//! `shadestep check`: the errors and warnings of programs and scenes. Each output format has a module.

mod finding;
mod github;
mod json;
mod sarif;
mod text;

use super::{CliError, Status, check_scene, input, program_path};
use crate::printable::{self, Printable};
use crate::scene::{Folder, MAX_SCENE_BYTES, ProgramFile, Programs, Scene, SceneError, Slot, read_limited};
use crate::session::{self, Compiled};
use finding::Finding;
use shadestep_engine::diag::{Diagnostic, Severity};
use shadestep_engine::source::LineIndex;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::Style;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Programs, scenes (with all their programs), bundled samples, or - for a program on standard input
    #[arg(required = true, value_name = "FILE|SCENE|-")]
    files: Vec<OsString>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Report warnings as errors
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Denied>,
    /// Print nothing for programs without problems
    #[arg(short, long)]
    quiet: bool,
    /// Print the source of every error and warning
    #[arg(short, long)]
    verbose: bool,
    /// When to colour text output. auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    color: Color,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// One line per problem: FILE:LINE:COLUMN: error: MESSAGE. Columns count bytes
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

/// The findings that `--deny` reports as errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Denied {
    Warnings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    fn style(self) -> Style {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = || std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        match self {
            Self::Always => Style::COLORED,
            Self::Auto if io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb() => Style::COLORED,
            Self::Auto | Self::Never => Style::PLAIN,
        }
    }
}

/// A loaded program, or a scene or a file with problems of its own.
struct Checked {
    file: PathBuf,
    /// The header of the program's language, if the program loads.
    language: Option<&'static str>,
    findings: Vec<Finding>,
    /// The findings, formatted with their source.
    excerpts: String,
}

impl Checked {
    /// Returns `None` if there are no findings.
    fn of_scene(findings: Vec<Finding>) -> Option<Self> {
        let file = findings.first()?.file.clone();
        Some(Self { file, language: None, findings, excerpts: String::new() })
    }

    fn is_ok(&self) -> bool {
        self.errors() == 0
    }

    fn errors(&self) -> usize {
        self.findings.iter().filter(|finding| finding.severity == Severity::Error).count()
    }

    fn warnings(&self) -> usize {
        self.findings.len() - self.errors()
    }
}

pub(super) fn run(arguments: &Arguments, out: &mut Printable<impl Write>) -> Result<(), CliError> {
    input::check_targets(&arguments.files)?;
    let style = arguments.color.style();
    let (mut all, mut status) = (Vec::new(), None);
    for target in &arguments.files {
        let checked = match input::open(target) {
            Ok(scene) => arguments.check(&scene),
            Err(error) => {
                let is_unreadable = error.is_about_whole_file();
                status = status.max(is_unreadable.then_some(Status::Unreadable));
                Checked::of_scene(vec![of_error(&error)]).into_iter().collect()
            }
        };
        if !checked.iter().all(Checked::is_ok) {
            status = status.max(Some(Status::Problems));
        }
        match arguments.format {
            Format::Text => {
                for checked in &checked {
                    text::write(checked, (arguments.quiet, &style), out)?;
                }
                out.flush()?;
            }
            Format::Github => checked.iter().try_for_each(|checked| github::write(checked, out))?,
            Format::Json | Format::Sarif => all.extend(checked),
        }
    }
    match arguments.format {
        Format::Text | Format::Github => {}
        Format::Json => writeln!(out, "{}", json::object(&all))?,
        Format::Sarif => writeln!(out, "{}", sarif::log(&all))?,
    }
    status.map_or(Ok(()), |status| Err(CliError::Reported(status)))
}

impl Arguments {
    /// Checks every program of `scene`, and the scene with its programs.
    fn check(&self, scene: &Scene) -> Vec<Checked> {
        let warning = if self.deny.is_some() { Severity::Error } else { Severity::Warning };
        let own = || scene.programs.iter().filter(|(_, program)| !is_stand_in(scene, program));
        let compile = |(slot, program): (Slot, &ProgramFile)| {
            (slot, session::compile_for(slot, Arc::clone(&program.text)))
        };
        let mut loaded: Programs<Compiled> = own().map(compile).collect();
        for (slot, found) in link_warnings(&loaded, scene) {
            loaded.get_mut(slot).into_iter().for_each(|compiled| compiled.diagnostics.push(found.clone()));
        }
        let mut programs = Vec::new();
        for (slot, program) in own() {
            let Some(compiled) = loaded.get_mut(slot) else { continue };
            for diagnostic in &mut compiled.diagnostics {
                diagnostic.severity = diagnostic.severity.max(warning);
            }
            programs.push(self.of_program(program_path(scene, program), compiled));
        }
        let program = |slot| loaded.get(slot)?.program.as_deref();
        let fault = check_scene(scene, program).err();
        let unknown = scene.parameter_warnings(program);
        let faults = scene.warnings.iter().cloned().chain(unknown);
        let faults = faults.map(|error| (scene.fault_of_file(error), warning));
        let faults = faults.chain(fault.map(|error| (error, Severity::Error)));
        let text = scene.toml.as_bytes();
        let findings: Vec<Finding> =
            faults.map(|(error, severity)| Finding::of_scene(&error, text, severity)).collect();
        Checked::of_scene(findings).into_iter().chain(programs).collect()
    }

    fn of_program(&self, file: PathBuf, compiled: &Compiled) -> Checked {
        let index = LineIndex::new(&compiled.text);
        let mut diagnostics: Vec<_> = compiled.diagnostics.iter().collect();
        diagnostics.sort_by_key(|diagnostic| diagnostic.span().start);
        let findings =
            diagnostics.into_iter().map(|diagnostic| Finding::of(diagnostic, &compiled.text, &index, &file));
        let findings: Vec<Finding> = findings.collect();
        let is_shown = self.verbose && self.format == Format::Text && !findings.is_empty();
        let name = printable::path(&file);
        let excerpts = match is_shown {
            true => shadestep_engine::diag::render_all(&compiled.diagnostics, &compiled.text, &name),
            false => String::new(),
        };
        let language = compiled.program.as_ref().map(|program| program.language.header());
        Checked { file, language, findings, excerpts }
    }
}

/// The finding about a scene or a file that cannot be opened.
fn of_error(error: &SceneError) -> Finding {
    let text = match error.is_about_whole_file() {
        true => None,
        false => read_limited(Path::new(&error.file), &error.file, MAX_SCENE_BYTES).ok(),
    };
    Finding::of_scene(error, text.as_deref().unwrap_or_default(), Severity::Error)
}

/// The warnings about the programs together, if all of them load.
fn link_warnings(loaded: &Programs<Compiled>, scene: &Scene) -> Vec<(Slot, Diagnostic)> {
    if loaded.iter().any(|(_, compiled)| compiled.program.is_none()) {
        return Vec::new();
    }
    session::link_warnings(scene, |slot| loaded.get(slot)?.interface.as_deref())
}

/// Whether `program` was only added to show the result of a single program.
fn is_stand_in(scene: &Scene, program: &ProgramFile) -> bool {
    matches!(scene.folder, Folder::Disk(_)) && program.path.is_none() && program.name != scene.name
}
