//! `shadestep check`: one line a file, whether its program loads.

use super::{CliError, complain, program_name, verdict};
use crate::{scene, session};
use shadestep_engine::ide;
use std::io::Write;
use std::sync::Arc;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Program files; scenes stand for their programs
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
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
        let name = program_name(&scene);
        let compiled = session::compile(Arc::clone(&scene.program.text));
        writeln!(out, "{}", verdict(&name, &compiled))?;
        if arguments.verbose && !compiled.diagnostics.is_empty() {
            write!(out, "{}", ide::render_all(&compiled.diagnostics, &compiled.text, &name))?;
        }
        if compiled.program.is_none() {
            outcome = Err(CliError::Said);
        }
    }
    outcome
}
