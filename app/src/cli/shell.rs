//! `shadestep completions` and `shadestep man`: completion scripts and manual pages.

use super::{CliError, write_file};
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;
use std::fs;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArguments {
    /// Shell to complete for
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

#[derive(Debug, clap::Args)]
pub(super) struct ManArguments {
    /// Folder to write one page per command to [default: print the page of shadestep]
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    folder: Option<PathBuf>,
}

/// Prints the completion script of a shell.
pub(super) fn completions(arguments: &CompletionsArguments, out: &mut dyn Write) -> Result<(), CliError> {
    let mut command = super::Arguments::command();
    let name = command.get_name().to_owned();
    // The generator panics if a write fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    Ok(out.write_all(&script)?)
}

/// Prints the manual page, or writes the pages of all commands.
pub(super) fn man(arguments: &ManArguments, out: &mut dyn Write) -> Result<(), CliError> {
    let mut command = super::Arguments::command().disable_help_subcommand(true);
    command.build();
    let Some(folder) = &arguments.folder else { return Ok(Man::new(command).render(out)?) };
    let fault = |error| CliError::File(format!("{}: cannot create the folder: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(fault)?;
    let commands = command.get_subcommands().cloned().collect::<Vec<Command>>();
    for command in std::iter::once(command).chain(commands) {
        let page = Man::new(command);
        let mut text = Vec::new();
        page.render(&mut text)?;
        write_file(&folder.join(page.get_filename()), &text)?;
    }
    Ok(())
}
