//! `shadestep check`: one line a file, whether its program loads.

use super::{CliError, check_scene, complain, program_name, verdict};
use crate::scene::{Folder, ProgramFile, Programs, Scene};
use crate::{scene, session};
use shadestep_engine::ide;
use std::ffi::OsString;
use std::io::Write;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Program files of any language; scenes stand for their programs
    #[arg(required = true, value_name = "FILE")]
    files: Vec<OsString>,
    /// Show the source of every error and warning
    #[arg(short, long)]
    verbose: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let mut outcome = Ok(());
    for file in &arguments.files {
        let scene = match scene::open(file) {
            Ok(scene) => scene,
            Err(error) => {
                // So that lines come in the order of the files where both streams go to one place.
                out.flush()?;
                complain(&error.to_string());
                outcome = Err(CliError::Said);
                continue;
            }
        };
        if arguments.verbose {
            out.flush()?;
            scene.warnings.iter().for_each(|warning| complain(&format!("note: {warning}")));
        }
        let mut loaded = Programs::default();
        for (slot, program) in scene.programs.iter().filter(|(_, program)| !is_stand_in(&scene, program)) {
            let name = program_name(&scene, program);
            let compiled = session::compile_for(slot, Arc::clone(&program.text));
            writeln!(out, "{}", verdict(&name, &compiled))?;
            if arguments.verbose && !compiled.diagnostics.is_empty() {
                write!(out, "{}", ide::render_all(&compiled.diagnostics, &compiled.text, &name))?;
            }
            match compiled.program {
                Some(program) => drop(loaded.insert(slot, program)),
                None => outcome = Err(CliError::Said),
            }
        }
        if let Err(CliError::Failed(words)) = check_scene(&scene, |slot| loaded.get(slot).map(Arc::as_ref)) {
            out.flush()?;
            complain(&words);
            outcome = Err(CliError::Said);
        }
    }
    outcome
}

/// Whether `program` is the one that stands in where a bare state program is opened: nobody asked about it.
fn is_stand_in(scene: &Scene, program: &ProgramFile) -> bool {
    matches!(scene.folder, Folder::Disk(_)) && program.path.is_none()
}
